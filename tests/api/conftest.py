"""Callers of the API: with a token, without one."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.api.scopes import Scope
from accounts.services import tokens

ROOT = "/api/v1"


class Caller:
    """Calls the API as a program does, and reads JSON."""

    def __init__(self, token: str = "", sitting: str = "") -> None:
        self.client = Client()
        self.headers = {}
        if token:
            self.headers["authorization"] = f"Bearer {token}"
        if sitting:
            self.headers["sitting-token"] = sitting

    def call(self, method: str, path: str, body: Any = None, **headers: str):
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.client.generic(
            method,
            path if path.startswith("http") else f"{ROOT}{path}",
            json.dumps(body) if body is not None else "",
            content_type="application/json",
            headers={**self.headers, **named},
        )

    def get(self, path: str, **headers: str):
        return self.call("GET", path, **headers)

    def post(self, path: str, body: Any = None, **headers: str):
        return self.call("POST", path, {} if body is None else body, **headers)

    def put(self, path: str, body: Any):
        return self.call("PUT", path, body)


@pytest.fixture
def token_of(db):
    """Make a token for a person: all scopes, unless some are named."""

    def _token_of(user, *scopes):
        return tokens.make_token(
            user=user,
            name="A test",
            scopes=scopes or [scope.value for scope in Scope],
            days=30,
            at=timezone.now(),
        ).secret

    return _token_of


@pytest.fixture
def caller(learner, token_of):
    """The learner's program."""
    return Caller(token_of(learner))


@pytest.fixture
def stranger(db):
    """A program without a token."""
    return Caller()
