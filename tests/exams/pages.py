"""Pages as a browser reads them."""

from __future__ import annotations

import json
from html.parser import HTMLParser


class _Inputs(HTMLParser):
    def __init__(self):
        super().__init__()
        self.found = {}

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        if tag == "input" and given.get("type") == "hidden":
            self.found[given["name"]] = given["value"]


def hidden_fields(response):
    """Return what the page's form sends besides what is typed and ticked."""
    inputs = _Inputs()
    inputs.feed(response.content.decode())
    return inputs.found


def state_of(response):
    """Return what the exam page tells its script."""
    page = response.content.decode()
    begin = page.index(">", page.index('id="exam-state"')) + 1
    return json.loads(page[begin : page.index("</script>", begin)])
