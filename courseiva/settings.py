"""All settings of Courseiva, from the environment.

Production is the default. Development is what ``make run`` asks for with
``COURSEIVA_MODE=development``. docs/operations.md lists every variable.
"""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import urlsplit

import django_stubs_ext
from django.urls import reverse_lazy

from courseiva import desk, rest
from courseiva.env import Environment, Misconfigured
from courseiva.social import Client, SocialSettings

# Lets Django's generic classes be written with their types, as in ModelForm[Question].
django_stubs_ext.monkeypatch()

env = Environment()

BASE_DIR = Path(__file__).resolve().parent.parent
_VERSION = re.search(
    r"^## (\d+\.\d+\.\d+)", (BASE_DIR / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE
)
VERSION = _VERSION.group(1) if _VERSION else "0.0.0"

MODE = env.choice(
    "COURSEIVA_MODE", options=("production", "development"), default="production"
)
IS_DEVELOPMENT = MODE == "development"
# Off in development too, so that the pages for errors are those that visitors get.
DEBUG = env.flag("DEBUG", default=False)
if DEBUG and not IS_DEVELOPMENT:
    raise Misconfigured(
        name="DEBUG",
        problem="is on in production, where it would show secrets to visitors",
        mend="switch it off, or set COURSEIVA_MODE=development",
    )

# -- secrets and places -------------------------------------------------------------

SECRET_KEY = env.secret("SECRET_KEY", least_length=50)
SECRET_KEY_FALLBACKS = env.words("SECRET_KEY_FALLBACKS", default=())
SITE_URL = env.url(
    "SITE_URL", schemes=("http", "https"), example="https://courseiva.example.org"
)
SITE_NAME = env.text("SITE_NAME", default="Courseiva")
ALLOWED_HOSTS = env.words(
    "ALLOWED_HOSTS", default=(urlsplit(SITE_URL).hostname or "localhost",)
)
CSRF_TRUSTED_ORIGINS = [SITE_URL]
# Off behind a pooler that shares connections: statements and cursors don't last there.
DATABASE_PREPARES = env.flag("DATABASE_PREPARES", default=True)
DATABASES = {
    "default": {
        **env.database(
            "DATABASE_URL", max_age=env.number("DATABASE_CONN_MAX_AGE", default=600)
        ),
        "DISABLE_SERVER_SIDE_CURSORS": not DATABASE_PREPARES,
    }
}
REDIS_URL = env.url(
    "REDIS_URL",
    schemes=("redis", "rediss", "unix"),
    example="redis://localhost:6379/0",
)

# -- rules of this house ------------------------------------------------------------

# One person may approve an own question: for a house of one. The page says so.
SELF_APPROVAL = env.flag("SELF_APPROVAL", default=False)
# Anonymous visitors of public questions get the explanation in a closed <details>,
# as search engines need it.
EXPLANATION_FOR_CRAWLERS = env.flag("EXPLANATION_FOR_CRAWLERS", default=True)

# The author desk asks for a second factor: publishing is worth more than a password.
DESK_NEEDS_SECOND_FACTOR = env.flag(
    "DESK_NEEDS_SECOND_FACTOR", default=not IS_DEVELOPMENT
)

# How long after the deadline answers that were on their way still count, in seconds.
MOCK_GRACE_SECONDS = env.number("MOCK_GRACE_SECONDS", default=30, most=600)
# How many mock exams one person may begin within 24 hours.
MOCKS_PER_DAY = env.number("MOCKS_PER_DAY", default=6, least=1, most=100)

# Signing in with an account elsewhere: offered where a client is named.
SOCIAL = SocialSettings(
    google=Client(
        name=env.text("GOOGLE_CLIENT_ID", default=""),
        secret=env.optional_secret("GOOGLE_CLIENT_SECRET"),
    ),
    github=Client(
        name=env.text("GITHUB_CLIENT_ID", default=""),
        secret=env.optional_secret("GITHUB_CLIENT_SECRET"),
    ),
)

# -- apps ---------------------------------------------------------------------------

INSTALLED_APPS = [
    "whitenoise.runserver_nostatic",
    "unfold",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.sitemaps",
    "django.contrib.humanize",
    "django.contrib.postgres",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "allauth.socialaccount",
    *SOCIAL.apps,
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "corsheaders",
    "django_htmx",
    "accounts",
    "questions",
    "questions.exams",
    "analytics",
    "courseiva",
]

# Short, as every page pays for every line: headers and guards are ours and built once
# (docs/decisions/0014).
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "courseiva.middleware.SecurityHeaders",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "courseiva.middleware.RefuseUnreadableInput",
    "courseiva.question_door.QuestionDoor",
    "questions.exams.middleware.KeptPages",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "accounts.middleware.OwnTimeZone",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
]

# Pages of other origins that may call the API from a browser. Only then does every
# request pay for the middleware.
CORS_ALLOWED_ORIGINS = list(env.words("CORS_ALLOWED_ORIGINS", default=()))
CORS_URLS_REGEX = r"^/api/"
CORS_ALLOW_HEADERS = [
    "accept",
    "authorization",
    "content-type",
    "idempotency-key",
    "if-none-match",
    "sitting-token",
]
CORS_EXPOSE_HEADERS = ["ETag", "RateLimit", "RateLimit-Policy", "Retry-After"]
if CORS_ALLOWED_ORIGINS:
    MIDDLEWARE.insert(0, "corsheaders.middleware.CorsMiddleware")

ROOT_URLCONF = "courseiva.urls"
WSGI_APPLICATION = "courseiva.wsgi.application"
ASGI_APPLICATION = "courseiva.asgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

_LOADERS = [
    "django.template.loaders.filesystem.Loader",
    "django.template.loaders.app_directories.Loader",
]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {
            # With DEBUG on, a changed template shows at the next request.
            "loaders": _LOADERS
            if DEBUG
            else [("django.template.loaders.cached.Loader", _LOADERS)],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "courseiva.context.site",
            ],
        },
    }
]

# -- people -------------------------------------------------------------------------

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["courseiva.sessions.Backend"]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
_VALIDATION = "django.contrib.auth.password_validation"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"{_VALIDATION}.UserAttributeSimilarityValidator"},
    {"NAME": f"{_VALIDATION}.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": f"{_VALIDATION}.CommonPasswordValidator"},
    {"NAME": f"{_VALIDATION}.NumericPasswordValidator"},
]
# How each room says what it holds of a person, and how it erases one: the highest room
# comes first, as lower ones know nothing of it.
PERSONAL_RECORDS = (
    "analytics.selectors.personal.records_of",
    "questions.exams.selectors.personal.records_of",
    "questions.selectors.personal.records_of",
    "accounts.selectors.personal.records_of",
)
PERSONAL_ERASERS = (
    "analytics.services.leaving.erase_person",
    "questions.exams.services.leaving.erase_person",
    "questions.services.leaving.erase_person",
    "accounts.services.erasing.empty_account",
)
LOGIN_URL = reverse_lazy("account_login")
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "/"

ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_UNIQUE_EMAIL = True
ACCOUNT_FORMS = {"signup": "accounts.forms.SignUpForm"}
ACCOUNT_PREVENT_ENUMERATION = True
# Only where an address must be confirmed first is the answer to signing up the same
# for an address that has an account (docs/decisions/0031).
ACCOUNT_EMAIL_VERIFICATION = env.choice(
    "EMAIL_VERIFICATION",
    options=("optional", "mandatory", "none"),
    default="optional" if IS_DEVELOPMENT else "mandatory",
)
ACCOUNT_CONFIRM_EMAIL_ON_GET = False
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = f"[{SITE_NAME}] "
ACCOUNT_DEFAULT_HTTP_PROTOCOL = urlsplit(SITE_URL).scheme
ACCOUNT_USER_DISPLAY = "accounts.selectors.displayed_name"
ACCOUNT_ADAPTER = "courseiva.sign_in.AccountAdapter"
ACCOUNT_EMAIL_NOTIFICATIONS = True
# Wrong passwords count per address of the visitor and account together, so that a
# stranger's guesses never keep the owner out (docs/decisions/0031).
ACCOUNT_RATE_LIMITS = {
    "login_failed": "10/m/ip,5/300s/key",
    "reset_password": "20/m/ip,3/h/key",
}
# How many proxies in front of us add to X-Forwarded-For: rate limits need the
# visitor's address, and must not believe one that the visitor made up.
ALLAUTH_TRUSTED_PROXY_COUNT = env.number("TRUSTED_PROXIES", default=0, most=5)

MFA_ADAPTER = "courseiva.sign_in.SecondFactorAdapter"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_TOTP_ISSUER = SITE_NAME
# Clocks of phones may be half a minute off.
MFA_TOTP_TOLERANCE = 1
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = not SITE_URL.startswith("https://")

SOCIALACCOUNT_PROVIDERS = SOCIAL.by_name
SOCIALACCOUNT_STORE_TOKENS = False
SOCIALACCOUNT_EMAIL_AUTHENTICATION = False
# Where a form of ours may lead to besides ourselves: the policy names them.
FORM_TARGETS = SOCIAL.origins

# -- the API ------------------------------------------------------------------------

# Requests a minute: of one token or person, and of one address without either.
API_TOKEN_RATE = env.number("API_TOKEN_RATE", default=600, least=1)
API_ADDRESS_RATE = env.number("API_ADDRESS_RATE", default=120, least=1)
REST_FRAMEWORK = rest.FRAMEWORK
SPECTACULAR_SETTINGS = rest.schema(site_name=SITE_NAME)

# -- cache, sessions, messages -------------------------------------------------------

CACHES = {
    "default": {
        "BACKEND": "courseiva.caches.LimitsInPostgres",
        "LOCATION": REDIS_URL,
        "KEY_PREFIX": "courseiva",
        "TIMEOUT": 300,
        # Seconds after which a server that hangs counts as away.
        "OPTIONS": {"socket_connect_timeout": 2, "socket_timeout": 2},
    }
}
# In PostgreSQL: a lost cache must not sign anybody out, nor lose the participant that
# an anonymous visitor's work belongs to.
SESSION_ENGINE = "courseiva.sessions"
SESSION_COOKIE_AGE = 60 * 60 * 24 * 90
MESSAGE_STORAGE = "django.contrib.messages.storage.session.SessionStorage"

# -- Celery: what depends on the place; the rest is in courseiva/celery.py -----------

CELERY_BROKER_URL = (
    REDIS_URL.replace("unix://", "redis+socket://", 1)
    if REDIS_URL.startswith("unix://")
    else REDIS_URL
)

# -- mail ---------------------------------------------------------------------------

_MAIL = env.mail("EMAIL_URL")
EMAIL_BACKEND = _MAIL.backend
EMAIL_HOST = _MAIL.host
EMAIL_PORT = _MAIL.port
EMAIL_HOST_USER = _MAIL.user
EMAIL_HOST_PASSWORD = _MAIL.password
EMAIL_USE_TLS = _MAIL.use_tls
EMAIL_USE_SSL = _MAIL.use_ssl
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = env.text(
    "DEFAULT_FROM_EMAIL", default=f"no-reply@{urlsplit(SITE_URL).hostname}"
)
SERVER_EMAIL = DEFAULT_FROM_EMAIL

# -- language and time --------------------------------------------------------------

LANGUAGE_CODE = "en-gb"
TIME_ZONE = "UTC"
USE_TZ = True
USE_I18N = True

# -- static files -------------------------------------------------------------------

STATIC_URL = "/static/"
STATIC_ROOT = Path(env.text("STATIC_ROOT", default=str(BASE_DIR / "staticfiles")))
_STATIC_STORAGE = (
    "django.contrib.staticfiles.storage.StaticFilesStorage"
    if IS_DEVELOPMENT
    else "courseiva.storage.HashedFiles"
)
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": _STATIC_STORAGE},
}
WHITENOISE_USE_FINDERS = IS_DEVELOPMENT
WHITENOISE_AUTOREFRESH = IS_DEVELOPMENT
WHITENOISE_MAX_AGE = 0 if IS_DEVELOPMENT else 60 * 60

# -- limits of what is read ---------------------------------------------------------

# Images are at most 1 MB; everything else that people send is text.
DATA_UPLOAD_MAX_MEMORY_SIZE = 2_500_000
DATA_UPLOAD_MAX_NUMBER_FIELDS = 2_000
DATA_UPLOAD_MAX_NUMBER_FILES = 20
FILE_UPLOAD_MAX_MEMORY_SIZE = 1_100_000
# A longer body is refused before any of it is parsed.
MAX_BODY_BYTES = env.number("MAX_BODY_BYTES", default=8_000_000, least=1_000_000)

# -- transport and headers ----------------------------------------------------------

_IS_HTTPS = SITE_URL.startswith("https://")
if env.flag("TRUST_FORWARDED_PROTO", default=False):
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
SECURE_SSL_REDIRECT = env.flag("SECURE_SSL_REDIRECT", default=_IS_HTTPS)
# The container's health check asks over plain HTTP, from inside.
SECURE_REDIRECT_EXEMPT = [r"^healthz$"]
SECURE_HSTS_SECONDS = env.number("HSTS_SECONDS", default=31_536_000 if _IS_HTTPS else 0)
SECURE_HSTS_INCLUDE_SUBDOMAINS = env.flag("HSTS_SUBDOMAINS", default=_IS_HTTPS)
SECURE_HSTS_PRELOAD = SECURE_HSTS_INCLUDE_SUBDOMAINS
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "strict-origin-when-cross-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
SESSION_COOKIE_SECURE = _IS_HTTPS
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SECURE = _IS_HTTPS
CSRF_COOKIE_SAMESITE = "Lax"

# -- the author desk ----------------------------------------------------------------

UNFOLD = desk.theme(site_name=SITE_NAME)

# -- logs ---------------------------------------------------------------------------

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}
    },
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {
        "handlers": ["stderr"],
        "level": env.choice(
            "LOG_LEVEL", options=("DEBUG", "INFO", "WARNING", "ERROR"), default="INFO"
        ),
    },
    "loggers": {"django": {"handlers": [], "propagate": True}},
}
