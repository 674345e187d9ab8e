"""A copy of everything for the person it is about, and nothing left of whom is erased."""

from __future__ import annotations

import csv
import datetime
import gzip
import io
import json
import uuid
import zipfile

import pytest
import time_machine
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group
from django.contrib.sessions.models import Session
from django.core import mail
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.utils import timezone
from playwright.sync_api import Page, expect

from accounts import services, tasks
from accounts.models import (
    AllowanceRequest,
    ApiToken,
    AuthorProfile,
    Erasure,
    Participant,
    PersonalExport,
    User,
)
from accounts.selectors import Learner
from accounts.services import erasing, exports
from analytics.models import Forecast, LearnerFigures, LearnerState, ResponseLog
from analytics.services import learners
from questions.exams.models import (
    Enrolment,
    KeyContact,
    QuestionFlag,
    RenderedPage,
    Response,
    ScoreReport,
    Sitting,
    SittingEvent,
)
from questions.exams.services import enrolling, finishing, practice, starting
from questions.models import (
    Blueprint,
    Certification,
    ProblemReport,
    Question,
    QuestionEvent,
    Review,
)
from tests import factories

pytestmark = pytest.mark.django_db

PASSWORD = "a-long-password"
NAME, EMAIL, OTHER_EMAIL = (
    "Ada Lovelace",
    "ada@lovelace.example.org",
    "countess@example.org",
)
NEEDLES = ("lovelace", "ada@", "countess")
WEEK = datetime.timedelta(days=7)


@pytest.fixture
def ada(db: None) -> User:
    """An author who also learns, under her name."""
    user = User.objects.create_user(
        EMAIL, PASSWORD, display_name=NAME, is_staff=True, time_zone="Europe/London"
    )
    user.groups.set(Group.objects.filter(name="author"))
    for email in (EMAIL, OTHER_EMAIL):
        EmailAddress.objects.create(
            user=user, email=email, verified=True, primary=email == EMAIL
        )
    return user


def sign_in(user: User) -> Client:
    client = Client(headers={"user-agent": f"{NAME}'s browser"})
    client.post("/accounts/login/", {"login": user.email, "password": PASSWORD})
    return client


def as_a_copy_is_asked_for(client: Client, password: str = PASSWORD) -> PersonalExport:
    client.post("/accounts/reauthenticate/", {"password": password})
    client.post("/accounts/data/export/")
    return PersonalExport.objects.latest("asked_at")


def practise(user: User, certification: Certification) -> Sitting:
    """One finished practice set with a note, as this person."""
    now = factories.NOW
    learner = Learner(
        user=user, participants=(services.participant_of_user(user=user, at=now),)
    )
    blueprint = Blueprint.objects.get(certification=certification, version="2")
    question = Question.objects.filter(certification=certification).first()
    assert question is not None
    sitting = Sitting.objects.create(
        participant=learner.participants[0],
        certification=certification,
        blueprint=blueprint,
        mode=Sitting.Mode.PRACTICE,
        feedback="at_end",
        seed=1,
        started_at=now,
    )
    starting.add_items(sitting=sitting, questions=[question.pk])
    Response.objects.filter(item__sitting=sitting).update(
        chosen=["measure"], note=f"{NAME} was here", version=1, saved_at=now
    )
    finishing.submit(sitting=sitting, at=now)
    practice.set_flag(learner=learner, question_id=question.pk, is_flagged=True, at=now)
    return sitting


def plant(ada: User, staff: User) -> Question:
    """Put the name and the addresses everywhere a person and the staff can."""
    now = factories.NOW
    certification = factories.make_certification()
    profile = AuthorProfile.objects.create(
        slug="ada-lovelace",
        user=ada,
        name=NAME,
        byline=f"{NAME} counts",
        biography=NAME,
    )
    question = factories.make_published(
        certification, slug="planted", author=profile, by=ada, sources=f"By {NAME}"
    )
    Client().get(question.get_absolute_url())
    revision = question.published_revision
    assert revision is not None
    sitting = practise(ada, certification)
    SittingEvent.objects.create(
        sitting=sitting,
        kind=SittingEvent.Kind.REGRADED,
        reason=f"For {EMAIL}",
        by=ada,
        happened_at=now,
    )
    finishing.make_report(
        sitting=sitting, cause=ScoreReport.Cause.REGRADED, note=f"For {NAME}", at=now
    )
    learners.update(user=ada.pk, certification=certification.pk, at=now)
    enrolling.tell_result(
        enrolment=Enrolment.objects.create(
            user=ada, certification=certification, enrolled_at=now
        ),
        result=Enrolment.Result.PASSED,
        score=None,
        exam_date=now.date() + WEEK,
        at=now + WEEK,
    )
    for by, text in ((ada, f"Regards, {NAME}"), (None, f"Ask {OTHER_EMAIL}")):
        ProblemReport.objects.create(
            question=question,
            revision=revision,
            kind="other",
            text=text,
            reported_by=by,
            user_agent=f"{NAME}'s browser" if by else "",
            resolution=f"Thanks, ADA LOVELACE ({EMAIL.upper()})",
            reported_at=now,
        )
    QuestionEvent.objects.create(
        question=question, kind="revised", by=ada, note=f"{NAME} says", happened_at=now
    )
    Review.objects.update(comment=f"Well done, {NAME}")
    AllowanceRequest.objects.create(
        user=ada, wanted="1.50", reason=f"I am {NAME}", asked_at=now
    )
    ApiToken.objects.create(
        user=ada, name=f"{NAME}'s bot", digest="0" * 64, hint="abcd", made_at=now
    )
    SocialAccount.objects.create(
        user=ada, provider="github", uid="1", extra_data={"email": OTHER_EMAIL}
    )
    Authenticator.objects.create(
        user=ada, type="webauthn", data={"name": f"{NAME}'s phone"}
    )
    as_a_copy_is_asked_for(_staff_at_the_desk(ada, profile, staff))
    return question


def _staff_at_the_desk(ada: User, profile: AuthorProfile, staff: User) -> Client:
    # Through the real forms, so that the log has what the forms write.
    desk = Client()
    desk.force_login(staff)
    desk.post(
        f"/admin/accounts/authorprofile/{profile.pk}/change/",
        {"slug": profile.slug, "name": NAME, "user": ada.pk, "byline": NAME},
    )
    LogEntry.objects.log_actions(
        user_id=staff.pk,
        queryset=User.objects.filter(pk=ada.pk),
        action_flag=2,
        change_message=f"Wrote to {EMAIL}",
    )
    own = sign_in_past_the_factor(ada)
    LogEntry.objects.log_actions(
        user_id=ada.pk,
        queryset=Question.objects.all(),
        action_flag=2,
        change_message="Changed.",
    )
    return own


def sign_in_past_the_factor(user: User) -> Client:
    kept = list(Authenticator.objects.filter(user=user))
    Authenticator.objects.filter(user=user).delete()
    client = sign_in(user)
    Authenticator.objects.bulk_create(kept)
    return client


def everything() -> dict[str, str]:
    """Every table as one text: all columns of all rows, packed ones unpacked."""
    found = {}
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f'SELECT t::text FROM "{table}" t')  # noqa: S608
            found[table] = "\n".join(row for (row,) in cursor.fetchall())
    found["sessions, decoded"] = str(
        [session.get_decoded() for session in Session.objects.all()]
    )
    found["pages, unpacked"] = "".join(
        gzip.decompress(page.gzipped).decode() for page in RenderedPage.objects.all()
    )
    found["copies, unpacked"] = "".join(
        str(tables_of(export).values())
        for export in PersonalExport.objects.exclude(content=None)
    )
    return found


def where(*needles: str) -> set[str]:
    """The tables that hold any of these words, plainly or as hexadecimal bytes."""
    forms = [*needles, *(needle.encode().hex() for needle in needles)]
    return {
        table
        for table, text in everything().items()
        if any(form in text.lower() for form in forms)
    }


def tables_of(export: PersonalExport) -> dict[str, list[dict[str, object]]]:
    with zipfile.ZipFile(io.BytesIO(bytes(export.content or b""))) as archive:
        return {
            name.removesuffix(".json"): json.loads(archive.read(name))
            for name in archive.namelist()
            if name.endswith(".json")
        }


def erase(user: User) -> None:
    erasing.ask_to_be_erased(user=user, at=factories.NOW)
    with time_machine.travel(factories.NOW + erasing.GRACE, tick=False):
        tasks.erase_due()


# -- the copy -----------------------------------------------------------------------


def test_a_copy_holds_what_is_kept_in_every_room(ada: User, superuser: User):
    plant(ada, superuser)

    found = tables_of(PersonalExport.objects.get())

    assert found["account"][0]["email"] == EMAIL
    assert {row["email"] for row in found["email_addresses"]} == {EMAIL, OTHER_EMAIL}
    assert found["author_profile"][0]["name"] == NAME
    assert found["answers"][0]["chosen"] == ["measure"]
    assert found["answers"][0]["note"] == f"{NAME} was here"
    assert found["score_reports"][0]["right_count"] == 1
    assert found["problem_reports"][0]["text"] == f"Regards, {NAME}"
    assert found["allowance_requests"][0]["wanted"] == "1.50"
    for table in (
        *("sessions", "participants", "second_factors", "accounts_elsewhere", "roles"),
        *("enrolments", "sittings", "key_contacts", "flags", "sitting_events"),
        *("questions_written", "revisions_written", "bank_events", "exports"),
        *("api_tokens", "readiness", "readiness_over_time", "study_figures"),
        *("readiness_by_domain", "forecasts"),
    ):
        assert found[table], table


def test_a_copy_holds_no_secret_and_no_key(ada: User, superuser: User):
    plant(ada, superuser)

    text = str(tables_of(PersonalExport.objects.get()))

    assert "argon2" not in text
    assert ada.password not in text
    assert "is_key" not in text
    assert "rationale" not in text


def test_the_sheets_say_the_same_and_run_nothing(ada: User):
    User.objects.filter(pk=ada.pk).update(display_name="=1+1")
    export = as_a_copy_is_asked_for(sign_in(ada))

    with zipfile.ZipFile(io.BytesIO(bytes(export.content or b""))) as archive:
        sheet = archive.read("account.csv").decode()
        about = archive.read("README.txt").decode()
    rows = list(csv.DictReader(io.StringIO(sheet)))

    assert rows[0]["email"] == EMAIL
    assert rows[0]["display_name"] == "'=1+1"
    assert tables_of(export)["account"][0]["display_name"] == "=1+1"
    assert "account: Your account. Rows: 1." in about


def test_a_copy_is_for_its_owner_only(ada: User, learner: User):
    own = sign_in(ada)
    export = as_a_copy_is_asked_for(own)
    stranger = sign_in(learner)

    for path in (f"/accounts/data/{export.public_id}{end}" for end in ("/", ".zip")):
        assert own.get(path).status_code == 200
        assert stranger.get(path).status_code == 404
        assert Client().get(path).status_code == 302
    assert own.get(f"/accounts/data/{uuid.uuid4()}/").status_code == 404


def test_a_copy_is_asked_for_with_the_password(ada: User):
    client = sign_in(ada)

    answer = client.post("/accounts/data/export/")

    assert answer["Location"].startswith("/accounts/reauthenticate/")
    assert not PersonalExport.objects.exists()


def test_a_copy_expires_and_is_swept(ada: User):
    client = sign_in(ada)
    export = as_a_copy_is_asked_for(client)
    assert export.built_at is not None
    assert export.expires_at == export.built_at + WEEK

    kept = exports.sweep_exports(at=export.expires_at - datetime.timedelta(seconds=1))
    PersonalExport.objects.update(expires_at=timezone.now())
    answer = client.get(f"/accounts/data/{export.public_id}.zip")
    tasks.sweep_expired()

    assert kept == 0
    assert answer.status_code == 404
    assert not PersonalExport.objects.exists()


def test_asking_twice_makes_one_copy(ada: User):
    first = exports.ask_for_export(user=ada, at=factories.NOW)
    second = exports.ask_for_export(user=ada, at=factories.NOW)

    assert first == second


def test_a_copy_that_was_lost_on_the_way_is_built_later(ada: User):
    export = exports.ask_for_export(user=ada, at=factories.NOW)

    with time_machine.travel(factories.NOW + datetime.timedelta(minutes=11)):
        built = tasks.build_waiting_exports()

    export.refresh_from_db()
    assert built == 1
    assert export.content is not None
    assert export.parts_done == export.parts_total > 10


def test_the_page_looks_again_by_itself_until_it_is_there(ada: User):
    client = sign_in(ada)
    export = exports.ask_for_export(user=ada, at=timezone.now())
    address = f"/accounts/data/{export.public_id}/"

    waiting = client.get(address).content.decode()
    early = client.get(f"/accounts/data/{export.public_id}.zip")
    exports.build_export(export_id=export.pk, at=timezone.now())
    ready = client.get(address).content.decode()

    assert 'http-equiv="refresh"' in waiting
    assert early.status_code == 404
    assert 'http-equiv="refresh"' not in ready
    assert "Fetch the zip" in ready


# -- erasing ------------------------------------------------------------------------


def test_nothing_of_an_erased_person_is_left_in_the_database(
    ada: User, superuser: User
):
    question = plant(ada, superuser)
    before = where(*NEEDLES)

    erase(ada)

    assert len(before) > 15, before
    assert where(*NEEDLES) == set()
    assert Question.objects.get(pk=question.pk).is_live


def test_the_answers_stay_and_are_nobodys(ada: User, superuser: User):
    plant(ada, superuser)
    contacts = KeyContact.objects.count()

    erase(ada)

    assert Participant.objects.get(sittings__isnull=False).user is None
    assert Response.objects.get().chosen == ["measure"]
    assert Response.objects.get().note == ""
    assert KeyContact.objects.count() == contacts == 1
    assert ScoreReport.objects.count() == 2
    assert ResponseLog.objects.get().chosen == ["measure"]
    assert not QuestionFlag.objects.exists()
    assert not Enrolment.objects.exists()


def test_what_was_worked_out_about_an_erased_person_is_gone(
    ada: User, superuser: User, learner: User
):
    plant(ada, superuser)
    own = Forecast.objects.get()
    certification = Certification.objects.get()
    practise(learner, certification)
    learners.update(user=learner.pk, certification=certification.pk, at=factories.NOW)

    erase(ada)

    assert own.has_passed
    assert not Forecast.objects.exists()
    assert LearnerState.objects.get().user == learner
    assert LearnerFigures.objects.get().user == learner


def test_an_erased_author_is_a_former_author_on_pages_and_in_the_desk(
    ada: User, superuser: User
):
    question = plant(ada, superuser)

    erase(ada)

    page = Client().get(question.get_absolute_url()).content.decode()
    desk = Client()
    desk.force_login(superuser)
    history = desk.get(f"/admin/questions/question/{question.pk}/history/")
    assert "A former author" in page
    assert "Lovelace" not in page
    assert Client().get("/authors/ada-lovelace/").status_code == 404
    assert history.status_code == 200
    assert "Lovelace" not in history.content.decode()
    assert {event.by for event in QuestionEvent.objects.exclude(by=None)} == {ada}
    assert str(QuestionEvent.objects.exclude(by=None)[0].by) == "A former author"


def test_the_sessions_of_an_erased_person_are_over(ada: User):
    client = sign_in(ada)
    assert client.get("/accounts/profile/").status_code == 200

    erase(ada)

    assert client.get("/accounts/profile/").status_code == 302
    assert "_auth_user_id" not in sign_in(ada).session


def test_the_address_is_free_again(ada: User, client: Client):
    erase(ada)

    client.post(
        "/accounts/signup/", {"email": EMAIL, "password1": "a quite long phrase"}
    )

    assert User.objects.filter(email=EMAIL).exists()


def test_others_keep_what_is_theirs(ada: User, superuser: User, learner: User):
    plant(ada, superuser)
    sitting = practise(learner, Certification.objects.get())

    erase(ada)

    learner.refresh_from_db()
    sitting.participant.refresh_from_db()
    assert learner.is_active
    assert sitting.participant.user == learner
    assert Response.objects.get(item__sitting=sitting).note == f"{NAME} was here"


def test_common_words_are_not_taken_for_names(ada: User, superuser: User):
    User.objects.filter(pk=ada.pk).update(display_name="Will")
    question = plant(ada, superuser)
    QuestionEvent.objects.create(
        question=question,
        kind="revised",
        by=superuser,
        note="Will do",
        happened_at=factories.NOW,
    )

    erase(ada)

    assert QuestionEvent.objects.filter(note="Will do").exists()


def test_nothing_happens_before_two_weeks_are_over(ada: User):
    erasing.ask_to_be_erased(user=ada, at=factories.NOW)
    almost = factories.NOW + erasing.GRACE - datetime.timedelta(seconds=1)

    with time_machine.travel(almost, tick=False):
        tasks.erase_due()

    assert User.objects.get(pk=ada.pk).email == EMAIL


def test_an_undo_that_comes_before_the_worker_counts(ada: User):
    erasure = erasing.ask_to_be_erased(user=ada, at=factories.NOW)
    later = factories.NOW + erasing.GRACE
    due = erasing.due_erasures(at=later)

    erasing.undo_erasure(user=ada)
    done = erasing.erase(erasure_id=erasure.pk, at=later)

    assert due == [erasure.pk]
    assert not done
    assert User.objects.get(pk=ada.pk).email == EMAIL


def test_erasing_asks_for_the_password(ada: User):
    client = sign_in(ada)

    answer = client.post("/accounts/erase/", {"password": "a wrong password"})

    assert answer.status_code == 422
    assert "not your password" in answer.content.decode()
    assert not Erasure.objects.exists()


def test_the_password_can_not_be_guessed_there(ada: User):
    client = sign_in(ada)

    for _ in range(6):
        client.post("/accounts/erase/", {"password": "a wrong password"})
    answer = client.post("/accounts/erase/", {"password": PASSWORD})

    assert answer.status_code == 422
    assert not Erasure.objects.exists()


def test_who_comes_back_is_led_to_the_undo(ada: User):
    client = sign_in(ada)
    noted = client.post("/accounts/erase/", {"password": PASSWORD})
    back = Client()

    answer = back.post("/accounts/login/", {"login": EMAIL, "password": PASSWORD})
    page = back.get(answer["Location"]).content.decode()
    back.post("/accounts/erase/undo/")

    assert "_auth_user_id" not in client.session
    assert "Noted" in noted.content.decode()
    assert any(message.to == [EMAIL] for message in mail.outbox)
    assert "Undo: keep my account" in page
    assert not Erasure.objects.exists()


def test_reports_and_events_still_can_not_be_changed(ada: User, superuser: User):
    plant(ada, superuser)
    erase(ada)

    for rows, change in (
        (ScoreReport.objects.all(), {"note": "other"}),
        (SittingEvent.objects.all(), {"reason": "other"}),
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            rows.update(**change)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL courseiva.erasing = 'on'")
        with pytest.raises(IntegrityError), transaction.atomic():
            ScoreReport.objects.update(right_count=0)


def test_the_privacy_page_is_linked_from_every_page(client: Client):
    home = client.get("/").content.decode()
    page = client.get("/privacy/")

    assert 'href="/privacy/"' in home
    assert page.status_code == 200


# -- in the browser -----------------------------------------------------------------


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_a_person_takes_a_copy_in_the_browser(page: Page, live_server, learner: User):
    page.goto(f"{live_server.url}/accounts/login/?next=/accounts/data/")
    page.get_by_label("Email").fill(learner.email)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    page.get_by_role("button", name="Put a copy together").click()
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Confirm").click()

    with page.expect_download() as download:
        page.get_by_role("link", name="Fetch the zip").click()

    with zipfile.ZipFile(download.value.path()) as archive:
        assert learner.email in archive.read("account.json").decode()


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_a_person_is_erased_and_thinks_again_in_the_browser(
    page: Page, live_server, learner: User
):
    def come_in() -> None:
        page.goto(f"{live_server.url}/accounts/login/")
        page.get_by_label("Email").fill(learner.email)
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("main").get_by_role("button", name="Sign in").click()

    come_in()
    page.goto(f"{live_server.url}/accounts/erase/")
    page.get_by_label("Your password").fill(PASSWORD)
    page.get_by_role("button", name="Erase my account").click()
    expect(page.get_by_role("heading", name="Noted")).to_be_visible()
    come_in()
    page.get_by_role("button", name="Undo: keep my account").click()

    expect(page.get_by_text("Your account stays as it is.")).to_be_visible()
    assert not Erasure.objects.exists()
