"""Who may do what, and that roles come from the database, not from the code."""

import pytest
from django.contrib.auth.models import AnonymousUser, Group

from accounts import permissions
from accounts.models import User

pytestmark = pytest.mark.django_db


def test_the_roles_are_groups():
    names = set(Group.objects.values_list("name", flat=True))

    assert names >= {"author", "reviewer", "editor"}


def test_every_role_may_enter_the_desk(author: User, reviewer: User, editor: User):
    assert permissions.may_enter_desk(author)
    assert permissions.may_enter_desk(reviewer)
    assert permissions.may_enter_desk(editor)


def test_learners_and_strangers_may_not_enter_the_desk(learner: User):
    assert not permissions.may_enter_desk(learner)
    assert not permissions.may_enter_desk(AnonymousUser())


def test_a_role_without_the_mark_of_staff_does_not_open_the_desk(learner: User):
    learner.groups.set(Group.objects.filter(name="author"))

    assert not permissions.may_enter_desk(learner)


@pytest.mark.parametrize(
    "question",
    [
        permissions.may_author,
        permissions.may_review,
        permissions.may_publish,
        permissions.may_export,
    ],
)
def test_nobody_may_do_anything_by_default(question, learner: User, superuser: User):
    assert not question(AnonymousUser())
    assert not question(learner)
    assert question(superuser)
