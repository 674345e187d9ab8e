"""The settings of the measuring stick: ours, without middleware."""

from courseiva.settings import *  # noqa: F403

MIDDLEWARE = []
ROOT_URLCONF = "benchmarks.bare"
INSTALLED_APPS = []
