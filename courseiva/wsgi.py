"""The door for WSGI servers."""

import gc
import os

from django.core.wsgi import get_wsgi_application
from django.urls import get_resolver

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "courseiva.settings")

application = get_wsgi_application()
# All views are loaded now, not while the first people wait: kept pages and questions by
# the API are sent without them, so that it could be long before anybody needed them.
_ = get_resolver().url_patterns

# What is loaded now stays for good: collecting garbage need not walk through it again.
gc.collect()
gc.freeze()
