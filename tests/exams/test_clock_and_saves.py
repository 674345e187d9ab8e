"""Saving, the end of time, and what happens after it."""

from __future__ import annotations

import datetime
import uuid

import pytest
import time_machine

from questions.exams.models import (
    LateAnswer,
    MockExam,
    Navigation,
    Response,
    ScoreReport,
    Sitting,
)
from questions.exams.services import finishing
from questions.models import Blueprint
from tests import factories
from tests.exams.pages import hidden_fields

pytestmark = pytest.mark.django_db
NOW = datetime.datetime(2026, 12, 1, 9, 0, tzinfo=datetime.UTC)


@pytest.fixture(autouse=True)
def _at_nine():
    """Stories happen at nine, unless they say when."""
    with time_machine.travel(NOW, tick=False):
        yield


@pytest.fixture
def domain_two():
    """What the second domain asks: one option each, unless a story says otherwise."""
    return factories.make_item


@pytest.fixture
def bank(certification, domain_two):
    """Seven questions of domain 1 and five of domain 2."""
    for number in range(7):
        factories.make_published(certification, factories.make_item(300 + number))
    for number in range(5):
        factories.make_published(certification, domain_two(320 + number), domain="2")
    return certification


@pytest.fixture
def sitting(client, begin):
    """A mock of six questions, twelve minutes, begun at nine."""
    return begin(client)


def minutes(count):
    return datetime.timedelta(minutes=count)


def seconds(count):
    return datetime.timedelta(seconds=count)


def test_a_saved_answer_says_its_version_and_the_servers_time_left(
    client, sitting, save
):
    with time_machine.travel(NOW + minutes(2), tick=False):
        reply = save(client, sitting, 1, "wait")

    assert reply.json() == {
        "version": 1,
        "saved_at": "2026-12-01T09:02:00+00:00",
        "is_complete": True,
        "milliseconds_left": 10 * 60 * 1000,
    }


def test_a_save_sent_again_gets_the_same_version_and_moment(client, sitting, save):
    save_id = str(uuid.uuid4())
    with time_machine.travel(NOW + minutes(1), tick=False):
        first = save(client, sitting, 1, "wait", base=0, save_id=save_id).json()
    save(client, sitting, 1, "measure")
    with time_machine.travel(NOW + minutes(3), tick=False):
        again = save(client, sitting, 1, "wait", base=0, save_id=save_id)

    assert again.status_code == 200
    assert again.json()["version"] == first["version"] == 1
    assert again.json()["saved_at"] == first["saved_at"]
    assert Response.objects.get(item__position=1).chosen == ["measure"]


def test_other_content_under_the_same_id_is_never_called_saved(client, sitting, save):
    save_id = str(uuid.uuid4())
    save(client, sitting, 1, "wait", base=0, save_id=save_id)

    for change in ({"note": "Why?"}, {"is_flagged": "on"}, {"struck": "ask"}):
        reply = save(client, sitting, 1, "wait", base=0, save_id=save_id, **change)
        assert reply.status_code == 409
    reply = save(client, sitting, 1, "measure", base=0, save_id=save_id)

    assert reply.status_code == 409
    assert reply.json()["stored"]["chosen"] == ["wait"]
    again = save(client, sitting, 1, "measure", base=1, save_id=save_id)
    assert again.json()["version"] == 2
    assert Response.objects.get(item__position=1).chosen == ["measure"]


def test_a_stale_base_is_asked_about_with_the_stored_answer(client, sitting, save):
    save(client, sitting, 1, "wait", base=0)

    reply = save(client, sitting, 1, "measure", base=0)

    assert reply.status_code == 409
    assert reply.json()["code"] == "stale"
    assert reply.json()["stored"]["chosen"] == ["wait"]
    assert reply.json()["stored"]["version"] == 1
    assert Response.objects.get(item__position=1).chosen == ["wait"]


def test_without_scripts_a_stale_form_shows_both_and_asks(client, sitting, save):
    save(client, sitting, 1, "wait", base=0)

    page = client.post(
        f"/sittings/{sitting.public_id}/1/response/",
        {"save_id": str(uuid.uuid4()), "base_version": 0, "answer": "measure"},
    )

    html = " ".join(page.content.decode().split())
    letters = dict(
        zip(
            sitting.items.get(position=1).option_order,
            "ABCDEF",
            strict=False,
        )
    )
    assert page.status_code == 409
    assert f"Saved elsewhere: {letters['wait']}. Yours here: {letters['measure']}." in (
        html
    )
    # Sending the page's form again is the decision: it stands on what is stored.
    client.post(
        f"/sittings/{sitting.public_id}/1/response/",
        {
            "save_id": hidden_fields(page)["save_id"],
            "base_version": hidden_fields(page)["base_version"],
            "answer": "measure",
        },
    )
    assert Response.objects.get(item__position=1).chosen == ["measure"]


def test_flag_strike_note_and_seconds_travel_with_the_choice(client, sitting, save):
    with time_machine.travel(NOW + seconds(40), tick=False):
        save(
            client,
            sitting,
            2,
            "wait",
            struck=["ask", "nonsense"],
            is_flagged="on",
            note="Why?\r\nHow?",
            seconds=9000,
        )

    response = Response.objects.get(item__position=2)
    assert response.is_flagged
    assert response.struck == ["ask"]
    assert response.note == "Why?\nHow?"
    assert response.seconds == 40


@pytest.mark.parametrize(
    ("button", "field", "expected"),
    [
        ("strike:ask", "struck", ["ask"]),
        ("flag", "is_flagged", True),
        ("clear", "chosen", []),
    ],
)
def test_buttons_of_the_plain_form_do_what_they_say(
    client, sitting, save, button, field, expected
):
    save(client, sitting, 1, "wait", toggle=button)

    assert getattr(Response.objects.get(item__position=1), field) == expected


@pytest.mark.parametrize("domain_two", [factories.make_choose_two])
def test_fewer_than_asked_is_saved_and_more_is_refused(client, sitting, save):
    item = sitting.items.filter(revision__kind="multiple")[0]
    assert not save(client, sitting, item.position, "alpha").json()["is_complete"]

    refused = save(client, sitting, item.position, "alpha", "beta", "gamma")

    assert refused.status_code == 422
    assert refused.json()["code"] == "too_many"
    item.response.refresh_from_db()
    assert item.response.chosen == ["alpha"]


def test_while_it_closes_saves_are_taken_and_nothing_is_shown(client, sitting, save):
    base = f"/sittings/{sitting.public_id}/"
    with time_machine.travel(NOW + minutes(12) + seconds(29), tick=False):
        assert save(client, sitting, 1, "wait").status_code == 200
        for address in ("", "1/", "report/", "report/1/", "report.csv", "review/"):
            html = client.get(base + address, follow=True).content.decode()
            assert "Time is up" in html, address
            assert "Consider" not in html
        assert client.get(f"{base}items/").status_code == 409


def test_after_the_grace_it_is_scored_with_what_was_saved(client, sitting, save):
    item = sitting.items.get(position=1)
    save(client, sitting, 1, *item.revision.document.keyed["keys"])
    with time_machine.travel(NOW + minutes(500), tick=False):
        html = client.get(f"/sittings/{sitting.public_id}/", follow=True)

    sitting.refresh_from_db()
    assert "1 of 6" in " ".join(html.content.decode().split())
    assert sitting.ended_at == NOW + minutes(12)
    assert sitting.ending == "expired"


def test_the_periodic_task_scores_what_nobody_reads(sitting):
    assert finishing.close_overdue(at=NOW + minutes(12) + seconds(29)) == 0
    assert finishing.close_overdue(at=NOW + minutes(12) + seconds(30)) == 1
    assert finishing.close_overdue(at=NOW + minutes(13)) == 0

    assert ScoreReport.objects.get().cause == "expired"


def test_an_answer_after_the_grace_is_kept_as_late_and_not_counted(
    client, sitting, save
):
    save_id = str(uuid.uuid4())
    with time_machine.travel(NOW + minutes(12) + seconds(31), tick=False):
        first = save(client, sitting, 1, "wait", base=0, save_id=save_id)
        again = save(client, sitting, 1, "wait", base=0, save_id=save_id)
        report = client.get(f"/sittings/{sitting.public_id}/report/")

    assert (first.status_code, first.json()["code"]) == (409, "late")
    assert again.json()["code"] == "late"
    assert LateAnswer.objects.count() == 1
    assert Response.objects.get(item__position=1).chosen == []
    assert "1 answer arrived after the end" in " ".join(report.content.decode().split())


def test_once_the_report_was_seen_no_late_answer_is_kept(client, sitting, save):
    with time_machine.travel(NOW + minutes(13), tick=False):
        client.get(f"/sittings/{sitting.public_id}/report/")
        reply = save(client, sitting, 1, "measure", base=0)

    assert (reply.status_code, reply.json()["code"]) == (409, "closed")
    assert not LateAnswer.objects.exists()


def test_submit_while_closing_is_stamped_with_the_deadline(client, sitting, save):
    with time_machine.travel(NOW + minutes(12) + seconds(5), tick=False):
        client.post(f"/sittings/{sitting.public_id}/submit/")

    sitting.refresh_from_db()
    assert sitting.ended_at == NOW + minutes(12)
    assert sitting.ending == "submitted"


def test_submitting_again_gives_the_same_result(client, sitting):
    for _ in range(3):
        reply = client.post(f"/sittings/{sitting.public_id}/submit/")
        assert reply.status_code == 302

    assert ScoreReport.objects.count() == 1


def test_an_allowance_is_in_the_deadline_and_shown(learner_client, learner, begin):
    learner.time_allowance = "1.50"
    learner.save()
    with time_machine.travel(NOW, tick=False):
        rules = learner_client.get("/mocks/tst/rules/?exam=own&length=6")
        sitting = begin(learner_client)

    assert "Your time allowance of 1.50 is in force" in " ".join(
        rules.content.decode().split()
    )
    assert sitting.deadline == NOW + minutes(18)
    assert "1.50" in learner_client.get("/sittings/").content.decode()


def test_a_linear_exam_has_no_way_back(client, bank, save):
    MockExam.objects.create(
        slug="one-way",
        certification=bank,
        blueprint=Blueprint.objects.get(certification=bank, version="2"),
        name="One way",
        length=4,
        minutes=10,
        navigation=Navigation.LINEAR,
    )
    client.post("/mocks/tst/rules/", {"exam": "one-way"})
    sitting = Sitting.objects.get()
    base = f"/sittings/{sitting.public_id}/"

    assert save(client, sitting, 1, "wait", go="next").status_code == 200
    page = client.get(f"{base}1/")
    client.post(
        f"{base}1/response/",
        {
            "save_id": hidden_fields(page)["save_id"],
            "base_version": hidden_fields(page)["base_version"],
            "answer": "wait",
            "go": "next",
        },
    )

    assert client.get(f"{base}1/").headers["Location"].endswith("/2/")
    assert client.get(f"{base}3/").headers["Location"].endswith("/2/")
    assert save(client, sitting, 1, "measure").json()["code"] == "passed"
    assert client.get(f"{base}items/").status_code == 409


def test_a_retry_of_a_saved_answer_says_saved_even_after_the_end(client, sitting, save):
    save_id = str(uuid.uuid4())
    with time_machine.travel(NOW + minutes(11), tick=False):
        first = save(client, sitting, 1, "wait", base=0, save_id=save_id)
    with time_machine.travel(NOW + minutes(13), tick=False):
        due = save(client, sitting, 1, "wait", base=0, save_id=save_id)
        client.get("/sittings/")
        ended = save(client, sitting, 1, "wait", base=0, save_id=save_id)

    for again in (due, ended):
        assert again.status_code == 200
        assert again.json()["version"] == first.json()["version"]
        assert again.json()["saved_at"] == first.json()["saved_at"]
    assert not LateAnswer.objects.exists()


def test_two_late_answers_with_one_save_id_are_not_both_called_kept(
    client, sitting, save
):
    save_id = str(uuid.uuid4())
    with time_machine.travel(NOW + minutes(13), tick=False):
        first = save(client, sitting, 1, "wait", base=0, save_id=save_id)
        other = save(client, sitting, 2, "wait", base=0, save_id=save_id)

    assert first.json()["code"] == "late"
    assert other.json()["code"] != "late"
    assert LateAnswer.objects.get().response.item.position == 1


@pytest.mark.parametrize("position", [10**6, 10**12, 10**30])
def test_a_position_beyond_all_numbers_is_not_there(client, sitting, save, position):
    here = f"/sittings/{sitting.public_id}/{position}/"

    for reply in (
        client.get(here),
        client.post(
            f"{here}response/", {"save_id": str(uuid.uuid4()), "base_version": 0}
        ),
        client.post(f"{here}response/", {"save_id": "broken"}),
    ):
        assert reply.status_code == 404


@pytest.mark.parametrize("position", [1, 3])
def test_a_broken_save_shows_no_other_question_of_a_linear_exam(
    client, bank, save, position
):
    MockExam.objects.create(
        slug="one-way",
        certification=bank,
        blueprint=Blueprint.objects.get(certification=bank, version="2"),
        name="One way",
        length=4,
        minutes=10,
        navigation=Navigation.LINEAR,
    )
    client.post("/mocks/tst/rules/", {"exam": "one-way"})
    sitting = Sitting.objects.get()
    here = f"/sittings/{sitting.public_id}"
    work = {"save_id": str(uuid.uuid4()), "base_version": 0, "go": "next"}
    client.post(f"{here}/1/response/", work)

    reply = client.post(f"{here}/{position}/response/", {"save_id": "broken"})

    assert reply.status_code == 302
    assert reply.headers["Location"].endswith("/2/")
