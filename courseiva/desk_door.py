"""Who gets into the author desk, and where everybody else is sent."""

from __future__ import annotations

from typing import Any

from allauth.account.decorators import secure_admin_login
from django.contrib.admin import AdminSite
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode

from accounts import permissions


def guard(site: AdminSite) -> None:
    """Ask of every page of ``site`` what the desk asks.

    There is one way to sign in, with one set of rate limits, for the desk too.
    """
    usual_login = site.login

    def login(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.user.is_authenticated:
            if not permissions.may_enter_desk(request.user):
                raise PermissionDenied
            if not permissions.asks_to_enter_desk(request):
                back = urlencode({"next": request.GET.get("next", "")})
                return redirect(f"{reverse('second_factor')}?{back}")
        answer: HttpResponseBase = secure_admin_login(usual_login)(
            request, *args, **kwargs
        )
        return answer

    site.has_permission = permissions.asks_to_enter_desk  # type: ignore[method-assign]
    site.login = login  # type: ignore[assignment,method-assign]
