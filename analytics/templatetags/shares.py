"""Who chose which option, in the pages of rooms below. Only where the key is shown."""

from __future__ import annotations

from django import template

from analytics.selectors.shares import Shares, shares_of

register = template.Library()


@register.simple_tag
def option_shares(revision_id: int | str) -> Shares | None:
    """Return who chose which option of a revision; nothing of what was never stored."""
    return shares_of(revision=int(revision_id)) if revision_id else None


@register.filter
def share_of(shares: Shares, key: str) -> str:
    """Return the share of one option, as pages show it."""
    share = shares.by_option.get(key)
    return "" if share is None else f"{share}%"
