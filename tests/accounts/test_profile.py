"""The profile: how pages look, more time, and exams to come and gone."""

from __future__ import annotations

import datetime
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from playwright.sync_api import Page, expect

from accounts.domain.zones import zone_named
from accounts.models import AllowanceRequest, User
from courseiva.env import Misconfigured
from courseiva.social import Client as SocialClient
from courseiva.social import SocialSettings
from questions.exams.models import Enrolment, Sitting
from tests import factories

pytestmark = pytest.mark.django_db

TODAY = datetime.datetime.now(tz=datetime.UTC).date()


def change(client: Client, **fields: str):
    form = {"display_name": "", "time_zone": "", "theme": "", **fields}
    return client.post("/accounts/profile/", form)


def test_what_is_saved_is_shown_again(learner_client: Client, learner: User):
    change(learner_client, display_name="Lou", time_zone="Asia/Tokyo", theme="dark")

    learner.refresh_from_db()
    page = learner_client.get("/accounts/profile/").content.decode()
    assert (learner.display_name, learner.time_zone) == ("Lou", "Asia/Tokyo")
    assert 'value="Lou"' in page
    assert '<option value="Asia/Tokyo" selected>' in page


@pytest.mark.parametrize(
    "fields", [{"time_zone": "Mars/Base"}, {"theme": "pink"}, {"is_staff": "on"}]
)
def test_nothing_else_can_be_saved(
    learner_client: Client, learner: User, fields: dict[str, str]
):
    change(learner_client, **fields)

    learner.refresh_from_db()
    assert (learner.time_zone, learner.theme, learner.is_staff) == ("", "", False)


def test_times_are_those_of_the_reader(
    learner_client: Client, learner: User, client: Client
):
    certification = factories.make_certification()
    Enrolment.objects.create(
        user=learner, certification=certification, enrolled_at=factories.NOW
    )
    learner_client.get("/sittings/")
    Sitting.objects.create(
        participant=learner.participants.get(),
        certification=certification,
        blueprint=certification.blueprints.get(version="2"),
        mode=Sitting.Mode.PRACTICE,
        feedback="at_once",
        seed=1,
        started_at=datetime.datetime(2026, 11, 30, 20, 30, tzinfo=datetime.UTC),
    )

    before = learner_client.get("/sittings/").content.decode()
    change(learner_client, time_zone="Asia/Tokyo")
    after = learner_client.get("/sittings/").content.decode()

    assert "30 Nov" in before
    assert ">20:30<" in before
    assert "1 Dec" in after
    assert ">05:30<" in after


# What is left of a name may be a folder, or not be a name at all.
@pytest.mark.parametrize("name", ["Old/Name", "Europe", "../UTC", "é", "\t"])
def test_a_time_zone_that_is_gone_from_the_list_does_no_harm(
    learner_client: Client, learner: User, name: str
):
    User.objects.filter(pk=learner.pk).update(time_zone=name)

    assert learner_client.get("/accounts/profile/").status_code == 200
    assert zone_named(name) == datetime.UTC


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_the_switch_in_the_header_is_kept_in_the_profile(
    page: Page, live_server, sign_in, learner: User
):
    sign_in(learner)
    page.emulate_media(color_scheme="light")
    page.goto(live_server.url)
    with page.expect_response("**/accounts/theme/") as answer:
        page.get_by_role("button", name="Light or dark").first.click()
    page.evaluate("localStorage.clear()")
    page.reload()

    assert answer.value.status == 204
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


@pytest.mark.browser
def test_a_visitors_choice_stays_in_the_browser(page: Page, live_server):
    page.emulate_media(color_scheme="light")
    page.goto(live_server.url)
    page.get_by_role("button", name="Light or dark").first.click()
    page.reload()

    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    assert not page.context.cookies()


# -- more time ----------------------------------------------------------------------


def test_who_needs_more_time_asks_and_staff_grant_it(
    learner_client: Client, learner: User, superuser_client: Client
):
    learner_client.post(
        "/sittings/time-allowance/", {"wanted": "1.50", "reason": "I read slowly"}
    )
    asked = learner_client.get("/sittings/time-allowance/").content.decode()
    desk = superuser_client.get("/admin/accounts/user/?allowance=asked")

    superuser_client.post(
        "/admin/accounts/user/",
        {"action": "grant_asked_allowance", "_selected_action": [learner.pk]},
    )

    learner.refresh_from_db()
    granted = learner_client.get("/sittings/time-allowance/").content.decode()
    assert "You asked for 1.50" in " ".join(asked.split())
    assert "I read slowly" in desk.content.decode()
    assert str(learner.time_allowance) == "1.50"
    assert "A time allowance of 1.50 is in force" in " ".join(granted.split())
    assert "You asked for" not in granted


def test_asking_again_changes_what_is_open(learner_client: Client, learner: User):
    for wanted in ("1.25", "2.00"):
        learner_client.post("/sittings/time-allowance/", {"wanted": wanted})

    assert str(AllowanceRequest.objects.get().wanted) == "2.00"


def test_what_is_declined_gives_nothing(
    learner_client: Client, learner: User, superuser_client: Client
):
    learner_client.post("/sittings/time-allowance/", {"wanted": "2.00"})

    superuser_client.post(
        "/admin/accounts/user/",
        {"action": "decline_asked_allowance", "_selected_action": [learner.pk]},
    )

    learner.refresh_from_db()
    assert learner.time_allowance == 1
    assert AllowanceRequest.objects.get().decided_at is not None


@pytest.mark.parametrize("wanted", ["", "1.00", "4.01", "99", "two"])
def test_what_makes_no_sense_is_not_asked_for(learner_client: Client, wanted: str):
    answer = learner_client.post("/sittings/time-allowance/", {"wanted": wanted})

    assert answer.status_code == 422
    assert not AllowanceRequest.objects.exists()


def test_a_visitor_is_told_that_it_takes_an_account(client: Client):
    page = client.get("/sittings/time-allowance/").content.decode()
    client.post("/sittings/time-allowance/", {"wanted": "2.00"})

    assert "Create an account" in page
    assert not AllowanceRequest.objects.exists()


# -- exams --------------------------------------------------------------------------


def enrol(client: Client, exam_date: str = "") -> Enrolment:
    certification = factories.make_certification()
    client.post(
        "/accounts/profile/exams/",
        {"certification": certification.pk, "exam_date": exam_date},
    )
    return Enrolment.objects.get()


def tell(client: Client, enrolment: Enrolment, **fields: str):
    form = {"result": "passed", "exam_date": TODAY.isoformat(), "score": "", **fields}
    return client.post(f"/accounts/profile/exams/{enrolment.pk}/", form)


def test_an_exam_to_prepare_for_and_how_it_went(learner_client: Client):
    enrolment = enrol(learner_client, "2026-12-24")
    tell(learner_client, enrolment, score="812")

    enrolment.refresh_from_db()
    page = " ".join(learner_client.get("/accounts/profile/").content.decode().split())
    assert (enrolment.result, enrolment.score) == ("passed", 812)
    assert enrolment.resulted_at is not None
    assert "Passed, 812" in page


def test_a_result_of_tomorrow_is_refused(learner_client: Client):
    enrolment = enrol(learner_client)
    tomorrow = TODAY + datetime.timedelta(days=2)

    answer = tell(learner_client, enrolment, exam_date=tomorrow.isoformat())

    assert answer.status_code == 422
    assert "has not come yet" in answer.content.decode()
    assert Enrolment.objects.get().result == ""


@pytest.mark.parametrize(
    ("zone", "status"), [("Pacific/Kiritimati", 302), ("Pacific/Pago_Pago", 422)]
)
def test_a_day_has_come_where_the_person_is(
    learner_client: Client, learner: User, zone: str, status: int
):
    # A day ahead of Greenwich by half a day, and behind it by as much.
    User.objects.filter(pk=learner.pk).update(time_zone=zone)
    ahead = datetime.datetime.now(tz=ZoneInfo("Pacific/Kiritimati")).date()

    answer = tell(learner_client, enrol(learner_client), exam_date=ahead.isoformat())

    assert answer.status_code == status


@pytest.mark.parametrize(
    ("day", "sentence"),
    [
        ("0001-01-01", "Give a day from 2000 on."),
        ("1999-12-31", "Give a day from 2000 on."),
        ("9999-12-31", "Give a day within the next ten years."),
    ],
)
def test_an_exam_is_planned_for_a_day_that_it_can_have(
    learner_client: Client, day: str, sentence: str
):
    certification = factories.make_certification()

    answer = learner_client.post(
        "/accounts/profile/exams/",
        {"certification": certification.pk, "exam_date": day},
    )

    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    assert not Enrolment.objects.exists()


def test_a_result_of_another_century_is_refused(learner_client: Client):
    answer = tell(learner_client, enrol(learner_client), exam_date="0001-01-01")

    assert answer.status_code == 422
    assert "Give a day from 2000 on." in answer.content.decode()


def test_noting_an_exam_twice_moves_its_date(learner_client: Client):
    enrolment = enrol(learner_client)

    learner_client.post(
        "/accounts/profile/exams/",
        {"certification": enrolment.certification_id, "exam_date": "2027-01-02"},
    )

    assert Enrolment.objects.get().exam_date == datetime.date(2027, 1, 2)


def test_another_persons_exam_is_not_found(
    learner_client: Client, other_learner_client: Client
):
    enrolment = enrol(learner_client)
    address = f"/accounts/profile/exams/{enrolment.pk}/"

    assert other_learner_client.get(address).status_code == 404
    assert tell(other_learner_client, enrolment).status_code == 404
    assert other_learner_client.post(f"{address}leave/").status_code == 404
    assert Enrolment.objects.get().result == ""


def test_an_exam_can_be_left(learner_client: Client):
    enrolment = enrol(learner_client)

    learner_client.post(f"/accounts/profile/exams/{enrolment.pk}/leave/")

    assert not Enrolment.objects.exists()


# -- accounts elsewhere -------------------------------------------------------------


def test_no_account_elsewhere_is_offered_without_a_client(client: Client, settings):
    page = client.get("/accounts/login/").content.decode()

    assert settings.SOCIAL.apps == ()
    assert "Or with an account elsewhere" not in page


def test_a_client_that_is_named_brings_its_app_and_its_origin():
    found = SocialSettings(
        google=SocialClient(), github=SocialClient(name="an id", secret="a secret")
    )

    assert found.apps == ("allauth.socialaccount.providers.github",)
    assert found.origins == ("https://github.com",)
    assert found.by_name["github"]["APPS"][0]["client_id"] == "an id"


def test_a_client_without_its_secret_stops_the_start():
    with pytest.raises(Misconfigured, match="GITHUB_CLIENT_SECRET"):
        SocialSettings(google=SocialClient(), github=SocialClient(name="an id"))
