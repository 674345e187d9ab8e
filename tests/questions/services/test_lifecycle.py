"""Who may do what with a question, and what comes of it."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Group
from django.db import IntegrityError, connection, transaction

from questions import selectors
from questions.domain.lifecycle import Move, MoveRefused
from questions.models import Option, Question, QuestionEvent, Revision
from questions.services import authoring, review
from tests import factories

pytestmark = pytest.mark.django_db


@pytest.fixture
def certification():
    return factories.make_certification()


@pytest.fixture
def draft(certification, author):
    return factories.make_draft(certification, by=author)


def _published(draft, author, reviewer, editor):
    at = factories.NOW
    review.submit_question(question=draft, by=author, at=at)
    review.approve_question(question=draft, revision=1, by=reviewer, at=at)
    review.publish_question(question=draft, revision=1, by=editor, at=at)
    draft.refresh_from_db()
    return draft


def test_a_question_goes_from_draft_to_published_through_three_people(
    draft, author, reviewer, editor
):
    question = _published(draft, author, reviewer, editor)

    assert question.status == "published"
    assert question.is_live
    assert question.published_revision.document.open["title"].startswith("Story")
    kinds = [
        event.kind
        for event in QuestionEvent.objects.filter(question=question).order_by("pk")
    ]
    assert kinds == ["created", "submit", "approve", "publish"]


def test_nobody_approves_what_they_wrote(draft, author):
    author.groups.add(*_groups("reviewer"))
    author = type(author).objects.get(pk=author.pk)
    review.submit_question(question=draft, by=author, at=factories.NOW)

    with pytest.raises(MoveRefused, match="somebody else approves"):
        review.approve_question(question=draft, revision=1, by=author, at=factories.NOW)

    draft.refresh_from_db()
    assert draft.status == "in_review"


def test_who_wrote_one_of_the_drafts_does_not_approve_the_next(
    draft, author, other_author, reviewer
):
    other_author.groups.add(*_groups("reviewer"))
    other_author = type(other_author).objects.get(pk=other_author.pk)
    authoring.write_revision(
        question=draft,
        item=factories.make_item(901),
        base=1,
        by=other_author,
        at=factories.NOW,
    )
    authoring.write_revision(
        question=draft,
        item=factories.make_item(902),
        base=2,
        by=author,
        at=factories.NOW,
    )
    review.submit_question(question=draft, by=author, at=factories.NOW)

    with pytest.raises(MoveRefused, match="You wrote in this question"):
        review.approve_question(
            question=draft, revision=3, by=other_author, at=factories.NOW
        )


def test_an_author_does_not_publish_their_own(draft, author, reviewer):
    author.groups.add(*_groups("editor"))
    author = type(author).objects.get(pk=author.pk)
    review.submit_question(question=draft, by=author, at=factories.NOW)
    review.approve_question(question=draft, revision=1, by=reviewer, at=factories.NOW)

    with pytest.raises(MoveRefused, match="another editor publishes"):
        review.publish_question(question=draft, revision=1, by=author, at=factories.NOW)


def test_a_house_of_one_may_approve_its_own(draft, author, settings):
    settings.SELF_APPROVAL = True
    author.groups.add(*_groups("reviewer", "editor"))
    author = type(author).objects.get(pk=author.pk)

    question = _published(draft, author, author, author)

    assert question.is_live


def test_a_reviewer_approves_only_the_revision_they_read(draft, author, reviewer):
    review.submit_question(question=draft, by=author, at=factories.NOW)
    authoring.write_revision(
        question=draft,
        item=factories.make_item(77),
        base=1,
        by=author,
        at=factories.NOW,
    )
    review.submit_question(question=draft, by=author, at=factories.NOW)

    with pytest.raises(MoveRefused, match="Revision 2 was saved after"):
        review.approve_question(
            question=draft, revision=1, by=reviewer, at=factories.NOW
        )


def test_writing_after_approval_makes_it_a_draft_again(draft, author, reviewer, editor):
    review.submit_question(question=draft, by=author, at=factories.NOW)
    review.approve_question(question=draft, revision=1, by=reviewer, at=factories.NOW)

    authoring.write_revision(
        question=draft,
        item=factories.make_item(78),
        base=1,
        by=author,
        at=factories.NOW,
    )

    draft.refresh_from_db()
    assert draft.status == "draft"
    with pytest.raises(MoveRefused, match="Only a question that is approved"):
        review.publish_question(question=draft, revision=2, by=editor, at=factories.NOW)


def test_learners_keep_the_published_words_while_new_ones_are_written(
    draft, author, reviewer, editor
):
    question = _published(draft, author, reviewer, editor)

    authoring.write_revision(
        question=question,
        item=factories.make_item(79),
        base=1,
        by=author,
        at=factories.NOW,
    )

    question.refresh_from_db()
    assert question.status == "draft"
    assert question.is_live
    assert question.published_revision.number == 1


def test_publishing_refuses_with_the_whole_list_of_problems(
    certification, author, reviewer, editor
):
    item = factories.make_item(
        80,
        options=(
            factories.option("one", text="Same", is_key=True, rationale=""),
            factories.option("two", text="Same", is_key=True),
        ),
        trap="",
    )
    draft = factories.make_draft(certification, item, by=author)
    review.submit_question(question=draft, by=author, at=factories.NOW)
    review.approve_question(question=draft, revision=1, by=reviewer, at=factories.NOW)

    with pytest.raises(review.NotPublishable) as refused:
        review.publish_question(question=draft, revision=1, by=editor, at=factories.NOW)

    assert len(refused.value.problems) >= 4
    draft.refresh_from_db()
    assert draft.status == "approved"
    assert not draft.is_live
    assert not QuestionEvent.objects.filter(question=draft, kind="publish").exists()


def test_a_near_duplicate_of_a_published_question_is_named(certification, author):
    published = factories.make_published(certification, factories.make_item(500))
    twin = factories.make_draft(
        certification, factories.make_item(500, title="Another title"), by=author
    )
    item = twin.latest_revision.to_item()

    messages = [p.message for p in selectors.problems_of(question=twin, item=item)]

    assert any(published.slug in message for message in messages)


def test_a_declared_enemy_is_no_duplicate(certification, author):
    published = factories.make_published(certification, factories.make_item(501))
    twin = factories.make_draft(
        certification, factories.make_item(501, title="Another title"), by=author
    )
    authoring.declare_enemies(
        question=twin, enemies=[published], by=author, at=factories.NOW
    )
    item = twin.latest_revision.to_item()

    assert not selectors.twins_of(question=twin, item=item)


def test_sending_back_needs_a_reason(draft, author, reviewer):
    review.submit_question(question=draft, by=author, at=factories.NOW)

    with pytest.raises(MoveRefused, match="Say what should change"):
        review.send_back_question(
            question=draft, by=reviewer, at=factories.NOW, comment="  "
        )


def test_a_retired_question_comes_back_only_by_being_published_again(
    draft, author, reviewer, editor
):
    question = _published(draft, author, reviewer, editor)
    review.retire_question(
        question=question, by=editor, at=factories.NOW, reason="outdated"
    )
    review.restore_question(question=question, by=editor, at=factories.NOW)

    question.refresh_from_db()
    assert question.status == "draft"
    assert not question.is_live


def test_what_is_live_can_be_retired_while_the_next_words_are_written(
    certification, author, editor
):
    question = factories.make_published(certification)
    authoring.write_revision(
        question=question,
        item=factories.make_item(),
        base=1,
        by=author,
        at=factories.NOW,
    )
    question.refresh_from_db()

    assert Move.RETIRE in {
        found.move for found in review.open_moves(question=question, by=editor)
    }
    review.retire_question(
        question=question, by=editor, at=factories.NOW, reason="Wrong key."
    )

    question.refresh_from_db()
    assert not question.is_live
    review.restore_question(question=question, by=editor, at=factories.NOW)
    question.refresh_from_db()
    assert (question.status, question.latest_revision.number) == ("draft", 2)


def test_a_draft_that_was_never_published_cannot_be_retired(draft, editor):
    with pytest.raises(MoveRefused, match="Only a question that is published"):
        review.retire_question(question=draft, by=editor, at=factories.NOW, reason="")

    assert Move.RETIRE not in {
        found.move for found in review.open_moves(question=draft, by=editor)
    }


def test_a_stale_save_is_refused_with_what_is_stored(draft, author, other_author):
    authoring.write_revision(
        question=draft,
        item=factories.make_item(81),
        base=1,
        by=author,
        at=factories.NOW,
    )

    with pytest.raises(authoring.StaleDraft) as stale:
        authoring.write_revision(
            question=draft,
            item=factories.make_item(82),
            base=1,
            by=other_author,
            at=factories.NOW,
        )

    assert stale.value.latest.number == 2
    assert draft.revisions.count() == 2


def test_saving_the_same_words_makes_no_revision(draft, author):
    item = draft.latest_revision.to_item()

    again = authoring.write_revision(
        question=draft, item=item, base=1, by=author, at=factories.NOW
    )

    assert again.number == 1
    assert draft.revisions.count() == 1


@pytest.mark.parametrize(
    "change",
    [
        lambda revision: Revision.objects.filter(pk=revision.pk).update(stem="Other"),
        lambda revision: Option.objects.filter(revision=revision).update(is_key=True),
        lambda revision: Option.objects.filter(revision=revision).delete(),
        lambda revision: Option.objects.create(
            revision=revision, position=9, key="new", text="New", is_key=False
        ),
        lambda revision: revision.references.all().delete(),
        lambda revision: Revision.objects.filter(pk=revision.pk).update(
            published_at=None
        ),
    ],
    ids=["stem", "key", "options gone", "option added", "references", "unpublished"],
)
def test_the_database_refuses_to_change_what_was_published(certification, change):
    question = factories.make_published(certification)
    before = question.published_revision.to_item()

    with pytest.raises(IntegrityError), transaction.atomic():
        change(question.published_revision)

    assert Revision.objects.get(published_of=question).to_item() == before


def test_the_database_refuses_to_change_a_draft_in_place_too(draft):
    with pytest.raises(IntegrityError), transaction.atomic():
        Revision.objects.filter(pk=draft.latest_revision_id).update(title="Other")

    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as c:
        c.execute("UPDATE questions_option SET text = 'x'")


def test_a_draft_that_was_never_published_can_be_deleted(draft):
    draft.delete()

    assert not Question.objects.filter(pk=draft.pk).exists()
    assert not Revision.objects.filter(question=draft.pk).exists()


def test_a_moved_question_keeps_its_former_address(certification, author):
    question = factories.make_published(certification, slug="old-address")
    authoring.change_settings(
        question=question,
        settings=factories.make_settings(certification, slug="new-address"),
        by=author,
        at=factories.NOW,
    )

    with pytest.raises(authoring.SlugTaken):
        factories.make_draft(certification, slug="old-address")


def _groups(*names):

    return Group.objects.filter(name__in=names)
