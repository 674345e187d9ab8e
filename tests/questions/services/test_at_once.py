"""What several people do at the same moment, each with a connection of their own."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection, transaction
from django.test import Client

from accounts import services as people
from accounts.models import AuthorProfile, User
from questions.domain import items
from questions.domain.lifecycle import MoveRefused, Status
from questions.exams.models import KeyContact
from questions.models import (
    Domain,
    Question,
    QuestionEvent,
    Review,
    Revision,
    ScenarioRevision,
)
from questions.services import authoring, documents, locks, review
from tests import factories

pytestmark = pytest.mark.django_db(transaction=True)
NOW = factories.NOW
SCENARIO = items.Scenario(slug="a-mill", title="A mill", text="It has bearings.")


@pytest.fixture
def certification():
    return factories.make_certification()


@pytest.fixture
def draft(certification, author):
    return factories.make_draft(certification, factories.make_item(1), by=author)


def at_once(*deeds):
    """Do all at the same moment; return what each gave, or raised."""
    start = threading.Barrier(len(deeds))

    def do(deed):
        try:
            start.wait(5)
            return deed()
        except Exception as error:  # noqa: BLE001  (what it was is looked at below)
            return error
        finally:
            connection.close()

    with ThreadPoolExecutor(len(deeds)) as pool:
        return list(pool.map(do, deeds))


def test_of_two_saves_one_is_stored_and_one_is_told(draft, author, other_author):
    def save(number, by):
        return lambda: authoring.write_revision(
            question=draft, item=factories.make_item(number), base=1, by=by, at=NOW
        )

    results = at_once(save(2, author), save(3, other_author))

    assert sorted(type(result).__name__ for result in results) == [
        "Revision",
        "StaleDraft",
    ]
    assert Revision.objects.filter(question=draft).count() == 2


def test_of_two_approvals_one_counts(draft, author, reviewer):
    review.submit_question(question=draft, by=author, at=NOW)

    def approve():
        review.approve_question(question=draft, revision=1, by=reviewer, at=NOW)

    results = at_once(approve, approve)

    assert [type(result) for result in results if result] == [MoveRefused]
    assert Review.objects.count() == 1


def test_of_two_publications_one_counts(draft, author, reviewer, editor):
    review.submit_question(question=draft, by=author, at=NOW)
    review.approve_question(question=draft, revision=1, by=reviewer, at=NOW)

    def publish():
        review.publish_question(question=draft, revision=1, by=editor, at=NOW)

    results = at_once(publish, publish)

    assert [type(result) for result in results if result] == [MoveRefused]
    assert QuestionEvent.objects.filter(kind="publish").count() == 1


def test_what_is_published_is_what_was_approved_whatever_is_saved_meanwhile(
    draft, author, reviewer, editor
):
    review.submit_question(question=draft, by=author, at=NOW)
    review.approve_question(question=draft, revision=1, by=reviewer, at=NOW)

    results = at_once(
        lambda: review.publish_question(question=draft, revision=1, by=editor, at=NOW),
        lambda: authoring.write_revision(
            question=draft, item=factories.make_item(2), base=1, by=author, at=NOW
        ),
    )

    draft.refresh_from_db()
    assert isinstance(results[1], Revision)
    assert draft.status == Status.DRAFT
    if results[0] is None:
        assert draft.published_revision.number == 1
    else:
        assert isinstance(results[0], MoveRefused)
        assert draft.published_revision is None


def test_of_two_new_questions_with_one_address_one_is_told(certification, author):
    settings = factories.make_settings(certification, slug="the-same")

    def create(number):
        return lambda: authoring.create_question(
            certification=certification,
            settings=settings,
            item=factories.make_item(number),
            by=author,
            at=NOW,
        )

    results = at_once(create(1), create(2))

    assert sorted(type(result).__name__ for result in results) == [
        "Question",
        "SlugTaken",
    ]


def test_of_two_moves_to_one_address_one_is_told(certification, author):
    questions = [factories.make_draft(certification) for _ in range(2)]
    settings = factories.make_settings(certification, slug="the-same")

    results = at_once(
        *(
            lambda question=question: authoring.change_settings(
                question=question, settings=settings, by=author, at=NOW
            )
            for question in questions
        )
    )

    assert sorted(type(result).__name__ for result in results) == ["SlugTaken", "bool"]


def test_a_case_study_written_twice_at_once_has_two_revisions(certification):
    authoring.store_scenario(certification=certification, scenario=SCENARIO, at=NOW)

    def store(text):
        return lambda: authoring.store_scenario(
            certification=certification,
            scenario=items.Scenario(slug="a-mill", title="A mill", text=text),
            at=NOW,
        )

    results = at_once(store("It has gears."), store("It has belts."))

    assert {result.number for result in results} == {2, 3}
    assert ScenarioRevision.objects.count() == 3


def test_a_person_gets_one_profile_however_many_pages_they_open(author):
    results = at_once(*[lambda: people.profile_of_user(user=author)] * 4)

    assert len({result.pk for result in results}) == 1
    assert AuthorProfile.objects.filter(user=author).count() == 1


def test_questions_with_the_same_words_are_published_at_once(
    certification, author, reviewer, editor
):
    drafts = [
        factories.make_draft(certification, factories.make_item(number), by=author)
        for number in range(20, 26)
    ]
    for draft in drafts:
        review.submit_question(question=draft, by=author, at=NOW)
        review.approve_question(question=draft, revision=1, by=reviewer, at=NOW)

    results = at_once(
        *(
            lambda draft=draft: review.publish_question(
                question=draft, revision=1, by=editor, at=NOW
            )
            for draft in drafts
        )
    )

    assert results == [None] * len(drafts)
    assert Question.objects.live().count() == len(drafts)


def test_an_import_and_the_desk_do_not_wait_for_each_other_for_ever(
    certification, author, reviewer, editor
):
    published = factories.make_published(certification, factories.make_item(30))
    draft = factories.make_draft(certification, factories.make_item(31), by=author)
    review.submit_question(question=draft, by=author, at=NOW)
    review.approve_question(question=draft, revision=1, by=reviewer, at=NOW)
    halfway = threading.Event()

    def load():
        with transaction.atomic():
            locks.lock_bank()
            documents.touch_bank(certification)
            halfway.set()
            threading.Event().wait(0.5)
            authoring.write_revision(
                question=draft, item=factories.make_item(32), base=1, by=None, at=NOW
            )
            documents.learn_words("aaaaa zzzzz")

    def publish():
        halfway.wait(5)
        review.publish_question(question=draft, revision=1, by=editor, at=NOW)

    loaded, refused = at_once(load, publish)

    assert loaded is None
    assert isinstance(refused, MoveRefused)
    assert published.is_live


def test_a_rename_at_the_desk_waits_for_an_import_and_is_not_refused(certification):
    domain = Domain.objects.get(blueprint__version="2", code="1")
    is_halfway = threading.Event()

    def load():
        with transaction.atomic():
            locks.lock_bank()
            documents.touch_bank(certification)
            is_halfway.set()
            threading.Event().wait(0.5)
            Domain.objects.filter(pk=domain.pk).update(weight=61)

    def rename():
        is_halfway.wait(5)
        with transaction.atomic():
            domain.name = "New name"
            domain.save(update_fields=["name"])

    assert at_once(load, rename) == [None, None]
    domain.refresh_from_db()
    assert (domain.name, domain.weight) == ("New name", 61)


def test_of_two_sign_ups_with_one_address_none_fails(db):
    form = {"email": "twice@example.org", "password1": "a-long-enough-word"}

    results = at_once(*[lambda: Client().post("/accounts/signup/", form)] * 3)

    # Whoever is late enough is told by the form, the others by where they land.
    ends = [response.headers.get("Location", "the form") for response in results]
    assert ends.count("/") == 1
    assert set(ends) <= {"/", "/accounts/login/", "the form"}
    assert User.objects.filter(email="twice@example.org").count() == 1


def test_answers_are_stored_while_an_import_holds_their_question(
    certification, learner, learner_client
):
    question = factories.make_published(certification)
    is_held, is_answered = threading.Event(), threading.Event()

    def hold():
        with transaction.atomic():
            authoring.change_settings(
                question=question,
                settings=factories.make_settings(
                    certification, slug=question.slug, sources="A book."
                ),
                by=None,
                at=NOW,
            )
            is_held.set()
            return is_answered.wait(5)

    def answer():
        is_held.wait(5)
        learner_client.post(
            question.get_absolute_url(),
            {"revision": question.published_revision_id, "answer": "measure"},
        )
        is_answered.set()

    held, _ = at_once(hold, answer)

    assert held is True
    assert KeyContact.objects.filter(participant__user=learner).count() == 1
