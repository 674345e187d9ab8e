"""Practice sets: chosen, drawn, answered one by one, summed up."""

from __future__ import annotations

import re
import uuid

import pytest

from questions.domain import items
from questions.exams.models import KeyContact, Sitting
from questions.models import Domain
from tests import factories

pytestmark = pytest.mark.django_db


@pytest.fixture
def certification():
    return factories.make_certification()


@pytest.fixture
def bank(certification):
    """Four questions of one domain, two of the other, one of them for members."""
    for number in range(4):
        factories.make_published(certification, factories.make_item(100 + number))
    factories.make_published(certification, factories.make_item(110), domain="2")
    factories.make_published(
        certification,
        factories.make_item(111),
        domain="2",
        exposure=items.Exposure.MEMBERS,
    )
    return certification


def _start(client, **chosen):
    return client.post("/practice/tst/", {"length": "3", **chosen})


def test_a_stranger_practises_and_sees_how_it_went(client, bank):
    response = _start(client)
    sitting = Sitting.objects.get()
    for item in sitting.items.order_by("position"):
        reply = client.post(
            f"/sittings/{sitting.public_id}/{item.position}/answer/",
            {"answer": "measure"},
        )
        assert reply.status_code == 302

    summary = client.get(f"/sittings/{sitting.public_id}/report/")

    assert response.status_code == 302
    assert "3 of 3 right" in summary.content.decode()
    assert KeyContact.objects.count() == 3


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        ({}, 422),
        ({"base_version": 0, "answer": "foreign"}, 422),
        ({"base_version": 7}, 409),
    ],
    ids=str,
)
def test_a_save_as_in_an_exam_that_is_refused_is_told_so(client, bank, sent, status):
    _start(client)
    sitting = Sitting.objects.get()

    refused = client.post(
        f"/sittings/{sitting.public_id}/1/response/",
        {"save_id": "0d0c9b8e-6c3c-4b57-9d3c-0d9f3f2d4a11", **sent},
    )

    assert refused.status_code == status
    assert "Not counted" in refused.content.decode()


def test_the_first_answer_stands_however_often_it_is_sent(client, bank):
    _start(client)
    sitting = Sitting.objects.get()
    address = f"/sittings/{sitting.public_id}/1/"

    client.post(f"{address}answer/", {"answer": "wait"})
    client.post(f"{address}answer/", {"answer": "measure"})

    contacts = KeyContact.objects.all()
    assert [c.item.response.chosen for c in contacts] == [["wait"]]
    assert "Not this one" in client.get(address).content.decode()


def test_the_set_goes_on_at_the_first_open_question(client, bank):
    _start(client)
    sitting = Sitting.objects.get()
    client.post(f"/sittings/{sitting.public_id}/1/answer/", {"answer": "wait"})

    response = client.get(f"/sittings/{sitting.public_id}/")

    assert response.headers["Location"].endswith("/2/")


def test_only_what_fits_is_drawn(client, bank):
    domain = Domain.objects.get(blueprint__version="2", code="2")

    _start(client, domains=domain.pk, length="1")

    question = Sitting.objects.get().items.get().revision.question
    assert question.alignments.filter(domain=domain).exists()


def test_each_domain_says_how_many_this_person_could_practise(
    client, learner_client, bank
):
    def counts(sender):
        page = sender.get("/practice/tst/").content.decode()
        return [int(n) for n in re.findall(r'class="tick-end"\s*>(\d+)<', page)]

    stranger, member = counts(client), counts(learner_client)

    # Each domain is followed by its only objective.
    assert stranger == [4, 4, 1, 1]
    assert member == [4, 4, 2, 2]


def test_members_practise_members_only_questions_too(client, learner_client, bank):
    domain = Domain.objects.get(blueprint__version="2", code="2")

    assert _start(client, domains=domain.pk, length="2").status_code == 422
    assert _start(learner_client, domains=domain.pk, length="2").status_code == 302


def test_mock_only_questions_are_never_practised(learner_client, certification):
    factories.make_published(
        certification, factories.make_item(120), exposure=items.Exposure.MOCK_ONLY
    )

    response = _start(learner_client, length="1")

    assert response.status_code == 422
    assert "No question fits" in response.content.decode()


@pytest.mark.parametrize("length", ["0", "-1", "1000000000", "ten", "51", "6"])
def test_a_length_that_cannot_be_is_told_with_the_range(client, bank, length):
    response = _start(client, length=length)

    assert response.status_code == 422
    assert 'id="length-error"' in response.content.decode()
    assert not Sitting.objects.exists()


def test_the_count_follows_what_is_chosen(client, bank):
    domain = Domain.objects.get(blueprint__version="2", code="1")

    fragment = client.get(
        "/practice/tst/", {"domains": domain.pk}, headers={"hx-request": "true"}
    ).content.decode()

    assert "<b>4 questions</b> fit what you chose" in " ".join(fragment.split())
    assert "<html" not in fragment


def test_another_persons_set_is_not_found(client, learner_client, bank):
    _start(learner_client)
    address = f"/sittings/{Sitting.objects.get().public_id}/"

    for where in (address, f"{address}1/", f"{address}report/"):
        assert client.get(where).status_code == 404
    for where in ("1/answer/", "1/response/", "submit/", "close/"):
        assert client.post(f"{address}{where}", {"answer": "x"}).status_code == 404
    assert not KeyContact.objects.exists()


def test_a_set_that_never_was_is_not_found(client, bank):
    assert client.get(f"/sittings/{uuid.uuid4()}/").status_code == 404
    _start(client)
    own = f"/sittings/{Sitting.objects.get().public_id}/"
    assert client.get(f"{own}0/").status_code == 404
    assert client.get(f"{own}4/").status_code == 404


def test_questions_met_before_come_last(client, bank):
    _start(client, length="3")
    first = Sitting.objects.get()
    for item in first.items.all():
        client.post(
            f"/sittings/{first.public_id}/{item.position}/answer/",
            {"answer": "wait"},
        )

    _start(client, length="2")

    second = Sitting.objects.latest("pk")
    met = set(first.items.values_list("revision", flat=True))
    assert not met & set(second.items.values_list("revision", flat=True))


def test_work_before_signing_up_follows_when_it_is_claimed(client, bank):
    _start(client)
    sitting = Sitting.objects.get()
    client.post(
        "/accounts/signup/",
        {"email": "new@example.org", "password1": "a-long-pass-phrase-9"},
    )
    assert client.get(f"/sittings/{sitting.public_id}/1/").status_code == 404

    client.post("/sittings/claim/", {"mine": "yes"})

    sitting.refresh_from_db()
    assert sitting.participant.user.email == "new@example.org"
    assert client.get(f"/sittings/{sitting.public_id}/1/").status_code == 200


def test_an_unanswered_item_shows_nothing_of_its_key(client, certification):
    factories.make_published(
        certification,
        factories.make_item(130, trap="TRAPMARK", explanation="EXPLAINMARK"),
    )
    _start(client, length="1")

    html = client.get(
        f"/sittings/{Sitting.objects.get().public_id}/1/"
    ).content.decode()

    assert "TRAPMARK" not in html
    assert "EXPLAINMARK" not in html
