"""The framework as it comes: nested serializers, its own throttle in the cache."""

from courseiva.settings import *  # noqa: F403

MIDDLEWARE = [each for each in MIDDLEWARE if "question_door" not in each]  # noqa: F405
ROOT_URLCONF = "benchmarks.plain"
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "accounts.api.authentication.TokenAuthentication",
    ],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_THROTTLE_CLASSES": ["rest_framework.throttling.UserRateThrottle"],
    "DEFAULT_THROTTLE_RATES": {"user": "100000000/min"},
}
