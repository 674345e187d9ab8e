"""Two hands on one account: what one of them changed, the other doesn't bring back."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Group
from django.test import Client
from django.utils import timezone

from accounts.models import User
from accounts.services import erasing
from tests.waiting import waiting_for_a_lock

pytestmark = pytest.mark.django_db(transaction=True)

NEW = "another practice makes"


def change_profile(client: Client) -> int:
    fields = {"display_name": "Lou Lane", "time_zone": "Asia/Tokyo", "theme": "dark"}
    return client.post("/accounts/profile/", fields).status_code


def change_password(client: Client) -> int:
    fields = {"oldpassword": "a-long-password", "password1": NEW, "password2": NEW}
    return client.post("/accounts/password/change/", fields).status_code


@pytest.mark.parametrize("change", [change_profile, change_password])
def test_who_was_deactivated_meanwhile_stays_so(
    learner: User, learner_client: Client, change
):
    waiting_for_a_lock(
        lambda: change(learner_client),
        while_held=lambda: User.objects.filter(pk=learner.pk).update(
            is_active=False, time_allowance=2
        ),
    )

    learner.refresh_from_db()
    assert not learner.is_active
    assert learner.time_allowance == 2


def test_a_password_that_was_changed_meanwhile_stays_so(
    learner: User, learner_client: Client
):
    learner.set_password(NEW)

    waiting_for_a_lock(
        lambda: change_profile(learner_client),
        while_held=lambda: learner.save(update_fields=["password"]),
    )

    learner.refresh_from_db()
    assert learner.check_password(NEW)
    assert learner.display_name == "Lou Lane"


def test_who_was_erased_meanwhile_has_no_name_again(
    learner: User, learner_client: Client
):
    at = timezone.now()
    asked = erasing.ask_to_be_erased(user=learner, at=at - erasing.GRACE)

    waiting_for_a_lock(
        lambda: change_profile(learner_client),
        while_held=lambda: erasing.erase(erasure_id=asked.pk, at=at),
    )

    learner.refresh_from_db()
    assert not learner.is_active
    assert learner.display_name == "Somebody erased"
    assert learner.email.endswith("erased.invalid")


def test_what_staff_do_not_change_at_the_desk_they_do_not_bring_back(
    learner: User, superuser_client: Client
):
    page = f"/admin/accounts/user/{learner.pk}/change/"
    group = Group.objects.get(name="author")
    learner.set_password(NEW)

    fields = {
        "email": learner.email,
        "display_name": "Lou",
        "time_allowance": "1.00",
        "is_active": "on",
        "groups": [group.pk],
    }
    status = waiting_for_a_lock(
        lambda: superuser_client.post(page, fields).status_code,
        while_held=lambda: learner.save(update_fields=["password"]),
    )

    learner.refresh_from_db()
    assert status == 302
    assert learner.check_password(NEW)
    assert learner.display_name == "Lou"
    assert list(learner.groups.all()) == [group]
