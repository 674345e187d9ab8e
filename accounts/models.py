"""People, the participants their work belongs to, and the authors readers see."""

from __future__ import annotations

import uuid
from decimal import Decimal
from typing import Any, ClassVar

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.core.mail import send_mail
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models.functions import Lower, Now


class LowerCaseEmailField(models.EmailField[str, str]):
    """An email address kept, and looked up, in lower case."""

    def to_python(self, value: Any) -> Any:
        """Return the address in lower case."""
        found = super().to_python(value)
        return found.lower() if isinstance(found, str) else found

    def get_prep_value(self, value: Any) -> Any:
        """Return the address as the database keeps it."""
        found = super().get_prep_value(value)
        return found.lower() if isinstance(found, str) else found


class UserManager(BaseUserManager["User"]):
    """Makes users; Django's commands call it."""

    use_in_migrations = True

    def create_user(
        self, email: str, password: str | None = None, **fields: Any
    ) -> User:
        """Create a person who signs in with ``email``."""
        if not email:
            message = "A user needs an email address."
            raise ValueError(message)
        user = self.model(email=email.strip().lower(), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(
        self, email: str, password: str | None = None, **fields: Any
    ) -> User:
        """Create a person who may do everything."""
        everything = {"is_staff": True, "is_superuser": True}
        return self.create_user(email, password, **{**fields, **everything})


class User(AbstractBaseUser, PermissionsMixin):
    """A person with an account. One row is one person; the email address signs in."""

    email = LowerCaseEmailField(
        unique=True,
        error_messages={"unique": "There is an account with this email address."},
    )
    display_name = models.CharField(
        max_length=80, blank=True, help_text="Shown to this person, never to others."
    )
    is_staff = models.BooleanField(
        "may enter the author desk",
        default=False,
        help_text="What may be done there follows from the groups.",
    )
    is_active = models.BooleanField(
        "active", default=True, help_text="Switch off instead of deleting an account."
    )
    joined_at = models.DateTimeField(db_default=Now(), editable=False)
    time_allowance = models.DecimalField(
        max_digits=3,
        decimal_places=2,
        default=Decimal(1),
        validators=[MinValueValidator(Decimal(1)), MaxValueValidator(Decimal(4))],
        help_text="What the minutes of a timed exam are multiplied by: 1.25 is a "
        "quarter more. The person sees it before each start.",
    )

    objects: ClassVar[UserManager] = UserManager()

    EMAIL_FIELD = "email"
    USERNAME_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    class Meta:
        permissions = [("enter_author_desk", "Can enter the author desk")]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(email=Lower("email")),
                name="user_email_is_lower_case",
            ),
            models.CheckConstraint(
                condition=models.Q(time_allowance__gte=1, time_allowance__lte=4),
                name="user_time_allowance_gives_time",
            ),
        ]

    def __str__(self) -> str:
        """Return the name, or the address where there is none."""
        return self.display_name or self.email

    def email_user(
        self, subject: str, message: str, from_email: str | None = None
    ) -> None:
        """Send this person a mail."""
        send_mail(subject, message, from_email, [self.email])


class Participant(models.Model):
    """Whoever answers: an opaque id that sittings and the log belong to.

    Every account has one, and an anonymous visitor gets one when there is something to
    keep. Claiming work done without an account, or erasing a person, changes ``user``
    and nothing else: so an account may have several, and its first takes what is new.
    """

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    user = models.ForeignKey(
        User,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="participants",
    )
    created_at = models.DateTimeField()

    def __str__(self) -> str:
        """Return the opaque id."""
        return str(self.public_id)


class AuthorProfile(models.Model):
    """What readers learn of an author. It outlives the account it may belong to."""

    slug = models.SlugField(max_length=80, unique=True)
    user = models.OneToOneField(
        User,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="author_profile",
    )
    name = models.CharField(max_length=120)
    credentials = models.CharField(
        max_length=200,
        blank=True,
        help_text="Such as certifications held, shown beside the name.",
    )
    byline = models.CharField(
        max_length=200, blank=True, help_text="One sentence under the name."
    )
    biography = models.TextField(blank=True)
    is_public = models.BooleanField(
        "public", default=True, help_text="Whether the author has a page of their own."
    )

    def __str__(self) -> str:
        """Return the name."""
        return self.name
