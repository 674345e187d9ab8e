"""Typed readers of the environment.

A value that is missing or makes no sense ends the start with one sentence that names
the variable and the mend. ``Misconfigured`` is a ``SystemExit``, so the interpreter
prints the sentence and nothing else, whichever program was being started.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, TypedDict
from urllib.parse import parse_qsl, unquote, urlsplit

TRUE_WORDS: Final = frozenset({"1", "true", "yes", "on"})
FALSE_WORDS: Final = frozenset({"0", "false", "no", "off"})
POSTGRES_SCHEMES: Final = frozenset({"postgres", "postgresql"})
MAIL_SCHEMES: Final = frozenset({"smtp", "smtps", "smtp+tls", "console", "memory"})


class Misconfigured(SystemExit):
    """The environment holds no usable value for a setting."""

    def __init__(self, *, name: str, problem: str, mend: str) -> None:
        """Compose the sentence that the person at the terminal reads."""
        self.name = name
        super().__init__(f"Courseiva can't start: {name} {problem}; {mend}.")


class DatabaseSettings(TypedDict):
    """One entry of Django's ``DATABASES``."""

    ENGINE: str
    NAME: str
    USER: str
    PASSWORD: str
    HOST: str
    PORT: str
    CONN_MAX_AGE: int
    OPTIONS: dict[str, str]


@dataclass(frozen=True, kw_only=True)
class MailSettings:
    """Where mail goes: Django's ``EMAIL_*`` settings, as one value."""

    backend: str
    host: str = ""
    port: int = 25
    user: str = ""
    password: str = field(default="", repr=False)
    use_tls: bool = False
    use_ssl: bool = False


@dataclass(frozen=True, kw_only=True)
class Environment:
    """Readers of one set of variables, by default those of this process.

    Every reader raises ``Misconfigured``. An empty value counts as missing, as
    Compose and many panels pass an unset variable on as an empty one.
    """

    variables: Mapping[str, str] = field(default_factory=lambda: os.environ)

    def text(
        self, name: str, *, default: str | None = None, example: str = "some text"
    ) -> str:
        """Return the value of ``name`` without surrounding blanks."""
        value = self.variables.get(name, "").strip()
        if value:
            return value
        if default is None:
            raise Misconfigured(
                name=name, problem="is not set", mend=f"set it, as in {name}={example}"
            )
        return default

    def choice(self, name: str, *, options: tuple[str, ...], default: str) -> str:
        """Return the value of ``name``, which must be one of ``options``."""
        value = self.text(name, default=default)
        if value not in options:
            raise Misconfigured(
                name=name,
                problem=f"is {value!r}",
                mend=f"it must be one of {', '.join(options)}",
            )
        return value

    def flag(self, name: str, *, default: bool) -> bool:
        """Return whether ``name`` is switched on."""
        value = self.text(name, default="on" if default else "off").lower()
        if value in TRUE_WORDS:
            return True
        if value in FALSE_WORDS:
            return False
        raise Misconfigured(
            name=name, problem=f"is {value!r}", mend="set it to on or to off"
        )

    def number(
        self, name: str, *, default: int, least: int = 0, most: int | None = None
    ) -> int:
        """Return the whole number in ``name``, from ``least`` to ``most``."""
        value = self.text(name, default=str(default))
        upto = "" if most is None else f" and at most {most}"
        mend = f"it must be a whole number of at least {least}{upto}"
        try:
            found = int(value)
        except ValueError:
            raise Misconfigured(name=name, problem=f"is {value!r}", mend=mend) from None
        if found < least or (most is not None and found > most):
            raise Misconfigured(name=name, problem=f"is {value}", mend=mend)
        return found

    def words(self, name: str, *, default: tuple[str, ...] | None = None) -> list[str]:
        """Return the comma-separated values in ``name``."""
        given = self.text(
            name, default=None if default is None else ",", example="one,two"
        )
        found = [word.strip() for word in given.split(",") if word.strip()]
        return found or list(default or ())

    def secret(self, name: str, *, least_length: int = 1) -> str:
        """Return the secret in ``name``, or in the file that ``NAME_FILE`` names."""
        found = self.optional_secret(name)
        mend = (
            f"set it, or {name}_FILE, to at least {least_length} random characters, "
            "such as python3 -c 'import secrets; print(secrets.token_urlsafe(50))' "
            "prints"
        )
        if not found:
            raise Misconfigured(name=name, problem="is not set", mend=mend)
        if len(found) < least_length:
            raise Misconfigured(
                name=name, problem=f"has only {len(found)} characters", mend=mend
            )
        return found

    def optional_secret(self, name: str) -> str:
        """Return the secret in ``name`` or ``NAME_FILE``, or nothing."""
        path = self.text(f"{name}_FILE", default="")
        if not path:
            return self.text(name, default="")
        if self.text(name, default=""):
            raise Misconfigured(
                name=name,
                problem=f"is set together with {name}_FILE",
                mend="remove one of the two",
            )
        try:
            return Path(path).read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError):
            raise Misconfigured(
                name=f"{name}_FILE",
                problem=f"names {path!r}, which can't be read",
                mend="name a file that holds the secret and that this user may read",
            ) from None

    def url(
        self,
        name: str,
        *,
        schemes: tuple[str, ...],
        example: str,
        default: str | None = None,
    ) -> str:
        """Return the address in ``name``, which must have one of ``schemes``."""
        value = self.text(name, default=default, example=example)
        if not _is_address(value, schemes=schemes):
            raise Misconfigured(
                name=name,
                problem="is not an address that can be used here",
                mend=f"write it as in {name}={example}",
            )
        return value.rstrip("/")

    def database(self, name: str, *, max_age: int) -> DatabaseSettings:
        """Return Django's settings for the PostgreSQL address in ``name``.

        ``max_age`` is how many seconds a connection is kept. What follows the
        question mark goes to libpq, save ``host``, which may be a socket's folder.
        """
        example = "postgresql://user:password@host:5432/courseiva"
        value = self.secret(name)
        try:
            parts = urlsplit(value)
            port = str(parts.port or "")
        except ValueError:
            parts, port = urlsplit(""), ""
        database = unquote(parts.path.lstrip("/"))
        if parts.scheme not in POSTGRES_SCHEMES or not database:
            raise Misconfigured(
                name=name,
                problem="is not the address of a PostgreSQL database",
                mend=f"write it as in {name}={example}",
            )
        options = dict(parse_qsl(parts.query))
        return {
            "ENGINE": "django.db.backends.postgresql",
            "NAME": database,
            "USER": unquote(options.pop("user", parts.username or "")),
            "PASSWORD": unquote(parts.password or ""),
            "HOST": options.pop("host", unquote(parts.hostname or "")),
            "PORT": options.pop("port", port),
            "CONN_MAX_AGE": max_age,
            "OPTIONS": options,
        }

    def mail(self, name: str) -> MailSettings:
        """Return where mail goes: a server's address, or ``console:``."""
        example = "smtp+tls://user:password@mail.example.org:587"
        value = self.secret(name)
        try:
            parts = urlsplit(value)
            port = parts.port
        except ValueError:
            parts, port = urlsplit(""), None
        if parts.scheme in {"console", "memory"}:
            kind = "locmem" if parts.scheme == "memory" else "console"
            return MailSettings(
                backend=f"django.core.mail.backends.{kind}.EmailBackend"
            )
        if parts.scheme not in MAIL_SCHEMES or not parts.hostname:
            raise Misconfigured(
                name=name,
                problem="is not the address of a mail server",
                mend=f"write it as in {name}={example}, or {name}=console: to print mail",
            )
        return MailSettings(
            backend="django.core.mail.backends.smtp.EmailBackend",
            host=parts.hostname,
            port=port or (465 if parts.scheme == "smtps" else 587),
            user=unquote(parts.username or ""),
            password=unquote(parts.password or ""),
            use_tls=parts.scheme == "smtp+tls",
            use_ssl=parts.scheme == "smtps",
        )


def _is_address(value: str, *, schemes: tuple[str, ...]) -> bool:
    try:
        parts = urlsplit(value)
        # Reading the port is what finds a senseless one.
        port = parts.port
    except ValueError:
        return False
    has_place = bool(parts.hostname) or (parts.scheme == "unix" and bool(parts.path))
    return parts.scheme in schemes and has_place and port != 0
