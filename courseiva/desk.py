"""The author desk's map and colours, for the admin theme."""

from __future__ import annotations

import re
from typing import Any, Final

from django.templatetags.static import static
from django.urls import reverse_lazy

_MAY_SEE_PEOPLE: Final = "accounts.permissions.asks_to_see_people"
_LIST_OR_QUESTION: Final = r"/admin/questions/question/(\d+/.*)?"
_REVIEW_QUEUE: Final = reverse_lazy("admin:questions_question_queue")

COLORS: Final = {
    # Prussian ink, as on the site (tokens.css): lighter where the theme is dark.
    "primary": {
        "50": "#eef4f9",
        "100": "#e3ecf4",
        "200": "#c3d8ea",
        "300": "#94c4ee",
        "400": "#5f9fd3",
        "500": "#2f75b0",
        "600": "#164b7e",
        "700": "#123f6b",
        "800": "#0e355c",
        "900": "#0b2a49",
        "950": "#071b30",
    }
}

NAVIGATION: Final = [
    {
        "title": "Writing",
        "items": [
            {
                "title": "Questions",
                "icon": "quiz",
                "link": reverse_lazy("admin:questions_question_changelist"),
                # The theme goes by the beginning of the address, which the queue and
                # the coverage share.
                "active": lambda request: (
                    re.fullmatch(_LIST_OR_QUESTION, request.path) is not None
                ),
            },
            {
                "title": "Write a question",
                "icon": "add",
                "link": reverse_lazy("admin:questions_question_add"),
                "permission": "accounts.permissions.asks_to_author",
            },
            {
                "title": "Review queue",
                "icon": "rate_review",
                "link": _REVIEW_QUEUE,
            },
            {
                "title": "Problem reports",
                "icon": "flag",
                "link": reverse_lazy("admin:questions_problemreport_changelist"),
            },
            {
                "title": "Scenarios",
                "icon": "article",
                "link": reverse_lazy("admin:questions_scenario_changelist"),
            },
            {
                "title": "Coverage",
                "icon": "grid_on",
                "link": reverse_lazy("admin:questions_question_coverage"),
            },
            {
                "title": "How questions perform",
                "icon": "insights",
                "link": reverse_lazy("admin:analytics_banks"),
            },
            {
                "title": "Background work",
                "icon": "schedule",
                "link": reverse_lazy("admin:analytics_status"),
            },
        ],
    },
    {
        "title": "Exams",
        "collapsible": True,
        "items": [
            {
                "title": name,
                "icon": icon,
                "link": reverse_lazy(f"admin:questions_{model}_changelist"),
            }
            for name, icon, model in (
                ("Vendors", "domain", "vendor"),
                ("Certifications", "workspace_premium", "certification"),
                ("Blueprint versions", "list_alt", "blueprint"),
                ("Domains and objectives", "account_tree", "domain"),
            )
        ],
    },
    {
        "title": "Sittings",
        "items": [
            {
                "title": "Mock exams",
                "icon": "assignment",
                "link": reverse_lazy("admin:exams_mockexam_changelist"),
                "permission": "accounts.permissions.asks_to_conduct",
            },
            {
                "title": "Sittings",
                "icon": "timer",
                "link": reverse_lazy("admin:exams_sitting_changelist"),
                "permission": "accounts.permissions.asks_to_conduct",
            },
            {
                "title": "Regrade a wrong key",
                "icon": "rule",
                "link": reverse_lazy("admin:exams_sitting_regrade"),
                "permission": "accounts.permissions.asks_to_conduct",
            },
        ],
    },
    {
        "title": "People",
        "collapsible": True,
        "items": [
            {
                "title": name,
                "icon": icon,
                "link": reverse_lazy(f"admin:{model}_changelist"),
                "permission": permission,
            }
            for name, icon, model, permission in (
                ("Users", "person", "accounts_user", _MAY_SEE_PEOPLE),
                (
                    "Author profiles",
                    "badge",
                    "accounts_authorprofile",
                    _MAY_SEE_PEOPLE,
                ),
                ("Roles", "group", "auth_group", _MAY_SEE_PEOPLE),
            )
        ],
    },
]


def theme(*, site_name: str) -> dict[str, Any]:
    """Return the settings of the theme."""
    return {
        "SITE_TITLE": f"{site_name} author desk",
        "SITE_HEADER": f"{site_name} author desk",
        "SITE_URL": "/",
        "SITE_SYMBOL": "edit_note",
        "STYLES": [lambda request: static("questions/desk.css")],
        "SHOW_HISTORY": True,
        "SHOW_VIEW_ON_SITE": False,
        "COLORS": COLORS,
        "SIDEBAR": {"show_search": False, "navigation": NAVIGATION},
    }
