"""Many hands on one sitting: real threads, real Postgres."""

from __future__ import annotations

import datetime
import threading
import uuid

import pytest
from django.db import close_old_connections, connection
from django.utils import timezone

from accounts import services as participants
from accounts.domain.names import Names
from accounts.selectors import Learner
from accounts.services import erasing
from questions.exams.models import KeyContact, Response, ScoreReport, Sitting
from questions.exams.selectors.under_way import Owner
from questions.exams.services import finishing, leaving, saving, starting
from questions.exams.services.saving import SittingClosed, StaleResponse, Work
from questions.models import Blueprint
from tests.waiting import waiting_for_a_lock

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def at_once():
    """Run functions in threads that start together; return what each came to."""

    def _at_once(*calls):
        gate = threading.Barrier(len(calls))
        results: list[object] = [None] * len(calls)

        def run(place, call):
            close_old_connections()
            gate.wait(20)
            try:
                results[place] = call()
            except Exception as failure:  # noqa: BLE001  (what each came to)
                results[place] = failure
            finally:
                connection.close()

        threads = [
            threading.Thread(target=run, args=(place, call))
            for place, call in enumerate(calls)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        return results

    return _at_once


@pytest.fixture
def someone(learner):
    own = participants.participant_of_user(user=learner, at=timezone.now())
    return Learner(user=learner, participants=(own,))


@pytest.fixture
def terms(bank):
    blueprint = Blueprint.objects.select_related("certification").get(
        certification=bank, version="2"
    )
    return starting.standard_terms(blueprint=blueprint, length=6)


def begin(terms, someone, seed=1, at=None):
    return starting.start_mock(
        terms=terms, learner=someone, seed=seed, at=at or timezone.now()
    )


def save(sitting, position, chosen, base, at=None, *, note="", owner=None):
    """Return a call that saves as a request of its own would."""
    work = Work(save_id=uuid.uuid4(), base_version=base, chosen=chosen, note=note)

    def call():
        return saving.save_response(
            owner=owner or Owner(participant_id=sitting.participant_id),
            public_id=sitting.public_id,
            position=position,
            work=work,
            at=at or timezone.now(),
        )

    return call


def test_two_starts_at_once_are_one_exam(terms, someone, at_once):
    results = at_once(*[lambda: begin(terms, someone)] * 6)

    assert {result.sitting.pk for result in results} == {Sitting.objects.get().pk}
    assert sum(result.is_new for result in results) == 1


def test_fifty_writers_on_one_answer_leave_one_and_forty_nine_who_know(
    terms, someone, at_once
):
    sitting = begin(terms, someone).sitting
    item = sitting.items.get(position=1)
    keys = item.option_order

    results = at_once(*(save(sitting, 1, [keys[n % len(keys)]], 0) for n in range(50)))

    stored = Response.objects.get(item=item)
    assert stored.version == 1
    assert sum(isinstance(result, StaleResponse) for result in results) == 49
    assert sum(isinstance(result, saving.Saved) for result in results) == 1


def test_fifty_writers_on_all_answers_lose_none(terms, someone, at_once):
    sitting = begin(terms, someone).sitting
    orders = {item.position: item.option_order for item in sitting.items.all()}
    wanted = [(n % 6 + 1, n) for n in range(50)]

    def keep_at_it(position, number):
        def call():
            chosen = [orders[position][number % len(orders[position])]]
            for _ in range(60):
                base = Response.objects.get(
                    item__sitting=sitting, item__position=position
                ).version
                try:
                    return save(sitting, position, chosen, base)()
                except StaleResponse:
                    continue
            raise AssertionError

        return call

    results = at_once(*(keep_at_it(*each) for each in wanted))

    assert all(isinstance(result, saving.Saved) for result in results), results
    versions = Response.objects.filter(item__sitting=sitting).values_list(
        "version", flat=True
    )
    assert sum(versions) == 50
    told = [(p, r.version) for (p, _), r in zip(wanted, results, strict=True)]
    assert len(set(told)) == 50


def test_a_save_that_waited_for_a_submit_is_refused(terms, someone):
    sitting = begin(terms, someone).sitting
    order = sitting.items.get(position=1).option_order

    came_to = waiting_for_a_lock(
        save(sitting, 1, order[:1], 0),
        while_held=lambda: finishing.submit(sitting=sitting, at=timezone.now()),
    )

    assert isinstance(came_to, SittingClosed)
    assert Response.objects.get(item__sitting=sitting, item__position=1).version == 0


def test_a_save_that_waited_for_more_time_is_stored(terms, someone):
    sitting = begin(terms, someone).sitting
    order = sitting.items.get(position=1).option_order
    later = sitting.deadline + datetime.timedelta(minutes=10)

    came_to = waiting_for_a_lock(
        save(sitting, 1, order[:1], 0),
        while_held=lambda: Sitting.objects.filter(pk=sitting.pk).update(deadline=later),
    )

    assert isinstance(came_to, saving.Saved)
    assert came_to.time_left is not None
    assert came_to.time_left > datetime.timedelta(minutes=10)
    assert Response.objects.get(item__sitting=sitting, item__position=1).chosen == [
        order[0]
    ]


def test_a_save_that_waited_for_another_is_asked_about(terms, someone):
    sitting = begin(terms, someone).sitting
    order = sitting.items.get(position=1).option_order

    came_to = waiting_for_a_lock(
        save(sitting, 1, order[:1], 0), while_held=save(sitting, 1, order[1:2], 0)
    )

    assert isinstance(came_to, StaleResponse)
    assert came_to.stored.chosen == order[1:2]


def test_a_retry_that_waited_for_its_first_try_is_told_the_same(terms, someone):
    sitting = begin(terms, someone).sitting
    order = sitting.items.get(position=1).option_order
    call = save(sitting, 1, order[:1], 0, at=timezone.now())

    came_to = waiting_for_a_lock(call, while_held=call)

    assert came_to.version == 1
    assert Response.objects.get(item__sitting=sitting, item__position=1).version == 1


def test_a_note_that_waited_for_its_writer_to_be_erased_is_not_kept(
    terms, someone, learner
):
    sitting = begin(terms, someone).sitting
    at = timezone.now()
    asked = erasing.ask_to_be_erased(user=learner, at=at - erasing.GRACE)

    came_to = waiting_for_a_lock(
        save(sitting, 1, [], 0, note="I was here", owner=Owner(user_id=learner.pk)),
        while_held=lambda: erasing.erase(erasure_id=asked.pk, at=at),
    )

    assert isinstance(came_to, saving.NoSuchItem)
    assert not Response.objects.exclude(note="").exists()


def test_an_exam_that_waited_for_its_sitter_to_be_erased_takes_no_note(
    terms, someone, learner
):
    at = timezone.now()
    erasing.ask_to_be_erased(user=learner, at=at - erasing.GRACE)
    going = erasing.Leaving(user=learner, names=Names.of(addresses=[], names=[]))

    def begin_and_note():
        sitting = begin(terms, someone).sitting
        owner = Owner(user_id=learner.pk)
        return save(sitting, 1, [], 0, note="I was here", owner=owner)()

    came_to = waiting_for_a_lock(
        begin_and_note,
        while_held=lambda: leaving.erase_person(leaving=going, at=at),
        then=lambda: erasing.empty_account(leaving=going, at=at),
    )

    assert isinstance(came_to, saving.NoSuchItem)
    assert not Response.objects.exclude(note="").exists()


def test_submits_and_saves_that_race_give_one_result_that_fits_the_answers(
    terms, someone, at_once
):
    sitting = begin(terms, someone).sitting
    items = list(sitting.items.select_related("revision__document"))
    right = [item.revision.document.keyed["keys"] for item in items]

    calls = [
        save(sitting, item.position, keys, 0)
        for item, keys in zip(items, right, strict=True)
    ]
    calls += [lambda: finishing.submit(sitting=sitting, at=timezone.now())] * 4
    results = at_once(*calls)

    acknowledged = sum(isinstance(result, saving.Saved) for result in results)
    closed = sum(isinstance(result, SittingClosed) for result in results)
    assert acknowledged + closed == 6
    report = ScoreReport.objects.get()
    assert report.right_count == acknowledged
    assert Response.objects.exclude(chosen=[]).count() == acknowledged
    assert KeyContact.objects.count() == 6


def test_a_submit_that_races_the_deadline_and_the_task_gives_one_result(
    terms, someone, at_once
):
    at = timezone.now()
    sitting = begin(terms, someone, at=at).sitting
    late = sitting.deadline + sitting.grace + datetime.timedelta(seconds=1)

    at_once(
        lambda: finishing.submit(sitting=sitting, at=sitting.deadline),
        lambda: finishing.close_overdue(at=late),
        lambda: finishing.close_overdue(at=late),
        lambda: finishing.settle(sitting=Sitting.objects.get(), at=late),
    )

    sitting.refresh_from_db()
    assert ScoreReport.objects.count() == 1
    assert sitting.ended_at == sitting.deadline


def test_an_answer_checked_twice_at_once_is_answered_once(client, bank, at_once):
    client.post("/practice/tst/", {"length": "3"})
    sitting = Sitting.objects.get()
    address = f"/sittings/{sitting.public_id}/1/answer/"
    keys = sitting.items.get(position=1).option_order
    cookies = client.cookies

    def answer(key):
        def call():
            other = type(client)()
            other.cookies = cookies
            return other.post(address, {"answer": key}).status_code

        return call

    at_once(*(answer(key) for key in keys[:1] * 4))

    assert KeyContact.objects.count() <= 1
