"""What differs under test. It says where the servers are; conftest starts them."""

import os
import secrets
import tempfile
from pathlib import Path

from courseiva.embedded import Home

if "DATABASE_URL" not in os.environ:
    # Only a name: nothing is made by importing this. Workers of xdist inherit it.
    home = Home(
        path=Path(tempfile.gettempdir()) / f"courseiva-tests-{secrets.token_hex(4)}"
    )
    os.environ["COURSEIVA_TEST_HOME"] = str(home.path)
    os.environ["DATABASE_URL"] = home.database_url
    os.environ["REDIS_URL"] = home.redis_url
os.environ.setdefault("COURSEIVA_MODE", "development")
os.environ.setdefault("SECRET_KEY", "only for tests " + "x" * 50)
os.environ.setdefault("SITE_URL", "http://testserver")
os.environ.setdefault("EMAIL_URL", "memory:")
os.environ.setdefault("ALLOWED_HOSTS", "testserver,localhost,127.0.0.1")
os.environ.setdefault("LOG_LEVEL", "ERROR")

from courseiva.settings import *  # noqa: F403

# A server thread's connection must not outlive its test's database.
DATABASES["default"]["CONN_MAX_AGE"] = 0  # noqa: F405
# Hashing is slow by design; the tests' passwords guard nothing.
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
# Each worker empties its own cache before each test.
_WORKER = os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")
CACHES["default"]["OPTIONS"] = {"db": int(_WORKER) + 1}  # noqa: F405
CELERY_TASK_ALWAYS_EAGER = True
CELERY_TASK_EAGER_PROPAGATES = True
