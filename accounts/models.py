"""People, the participants their work belongs to, and the authors readers see."""

from __future__ import annotations

import uuid
from decimal import Decimal
from typing import Any, ClassVar

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.contrib.postgres.fields import ArrayField
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
    """A person with an account. One row is one person; the email address signs in.

    Of somebody who was erased the row stays, without anything that was theirs, as rows
    that must stay point to it (docs/decisions/0033).
    """

    class Theme(models.TextChoices):
        SYSTEM = "", "As the device"
        LIGHT = "light", "Light"
        DARK = "dark", "Dark"

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
    time_zone = models.CharField(
        max_length=64,
        blank=True,
        default="",
        db_default="",
        help_text="Such as Europe/Berlin; empty for UTC. Times on pages follow it.",
    )
    theme = models.CharField(
        max_length=5, choices=Theme.choices, blank=True, default="", db_default=""
    )
    time_allowance = models.DecimalField(
        max_digits=3,
        decimal_places=2,
        default=Decimal(1),
        validators=[MinValueValidator(Decimal(1)), MaxValueValidator(Decimal(4))],
        help_text="What the minutes of a timed exam are multiplied by: 1.25 is a "
        "quarter more. The person sees it before each start.",
    )

    shows_streak = models.BooleanField(
        default=True,
        db_default=True,
        help_text="Whether the dashboard counts days in a row.",
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
    is_simulated = models.BooleanField(
        default=False,
        db_default=False,
        editable=False,
        help_text="Nobody real: kept out of calibration and public figures.",
    )

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


class AllowanceRequest(models.Model):
    """Somebody asks for more time in timed exams. Staff grant it or don't."""

    user = models.ForeignKey(
        User, on_delete=models.CASCADE, related_name="allowance_requests"
    )
    wanted = models.DecimalField(
        "time allowance asked for",
        max_digits=3,
        decimal_places=2,
        validators=[MinValueValidator(Decimal("1.01")), MaxValueValidator(Decimal(4))],
    )
    reason = models.TextField(max_length=1000, blank=True)
    asked_at = models.DateTimeField()
    granted = models.DecimalField(
        max_digits=3,
        decimal_places=2,
        null=True,
        blank=True,
        help_text="What was granted; empty while it is open, or if it was not.",
    )
    decided_at = models.DateTimeField(null=True, blank=True)
    decided_by = models.ForeignKey(
        User, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["user"],
                condition=models.Q(decided_at__isnull=True),
                name="one_open_allowance_request",
            ),
            models.CheckConstraint(
                condition=models.Q(granted__isnull=True)
                | models.Q(decided_at__isnull=False),
                name="allowance_is_granted_at_a_moment",
            ),
        ]

    def __str__(self) -> str:
        """Return what was asked for."""
        return f"{self.wanted}, asked {self.asked_at:%Y-%m-%d}"


class PersonalExport(models.Model):
    """One copy of everything about a person, as a zip, for a few days.

    In the database, like images, so that every worker and web process sees it.
    """

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="exports")
    asked_at = models.DateTimeField()
    parts_done = models.PositiveSmallIntegerField(default=0)
    parts_total = models.PositiveSmallIntegerField(default=0)
    content = models.BinaryField(null=True, editable=False)
    built_at = models.DateTimeField(null=True, blank=True)
    expires_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(built_at__isnull=True, expires_at__isnull=True)
                | models.Q(built_at__isnull=False, expires_at__isnull=False),
                name="a_built_export_expires",
            ),
            models.UniqueConstraint(
                fields=["user"],
                condition=models.Q(built_at__isnull=True),
                name="one_export_at_a_time",
            ),
        ]

    def __str__(self) -> str:
        """Return when it was asked for."""
        return f"Export asked for {self.asked_at:%Y-%m-%d %H:%M}"


class Erasure(models.Model):
    """Somebody asked to be erased. Until ``due_at`` they may think again.

    Afterwards the row says that it was done, of an account that is nobody's any more.
    """

    user = models.OneToOneField(User, on_delete=models.CASCADE, related_name="erasure")
    asked_at = models.DateTimeField()
    due_at = models.DateTimeField()
    erased_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        """Return when it is due."""
        return f"Due {self.due_at:%Y-%m-%d}"


class ApiToken(models.Model):
    """A key to the API that a person made. The secret itself is kept nowhere."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=60, help_text="What it is for.")
    digest = models.CharField(max_length=64, unique=True, editable=False)
    hint = models.CharField(max_length=4, help_text="The last letters of the secret.")
    scopes = ArrayField(models.CharField(max_length=40), default=list)
    made_at = models.DateTimeField()
    expires_at = models.DateTimeField(null=True, blank=True)
    used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = "API token"

    def __str__(self) -> str:
        """Return what it is for."""
        return f"{self.name} (…{self.hint})"


class IdempotentReply(models.Model):
    """What a creating request was answered, so that sending it again creates nothing.

    Written in the transaction that created; kept for a day. Holds no secret.
    """

    caller = models.CharField(max_length=80)
    route = models.CharField(max_length=120)
    key = models.CharField(max_length=100)
    body_digest = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField(default=0)
    body = models.JSONField(default=dict)
    made_at = models.DateTimeField()

    class Meta:
        verbose_name = "idempotent reply"
        constraints = (
            models.UniqueConstraint(
                fields=["caller", "route", "key"], name="one_reply_per_key"
            ),
        )
        indexes = (models.Index(fields=["made_at"], name="replies_by_age"),)

    def __str__(self) -> str:
        """Return the key."""
        return self.key
