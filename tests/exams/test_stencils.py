"""Pages made by filling gaps are those that their templates make."""

from __future__ import annotations

import uuid

import pytest
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from questions.exams.screens import exam_parts as parts
from questions.exams.screens.stencils import Stencil, cut, gap

NASTY = '<i title="x">&\'{{ note }}</i> \ue000note\ue001 1800000011'
SAFE = frozenset(
    {"sheet", "question", "options", "notices", "state", "stem_html", "text"}
)


def value(name):
    """Return a value that has to be escaped, or one that must not be."""
    if name == "public_id":
        return uuid.UUID(int=77)
    if name == "position":
        return 12
    words = f"{name}: {NASTY}"
    return SafeString(words) if name in SAFE else words


class Values(dict[str, object]):
    """A value for whatever is asked for."""

    def __missing__(self, name):
        return value(name)


def booleans(many):
    """Return all of none, of one, of all but one and of all."""
    for rest in (False, True):
        yield (rest,) * many
        for place in range(many):
            yield tuple(rest ^ (place == n) for n in range(many))


@pytest.mark.parametrize("theme", ["", "dark"])
@pytest.mark.parametrize("is_signed_in", [False, True])
def test_a_page_filled_in_is_the_page_its_template_makes(is_signed_in, theme):
    for flags in booleans(8):
        shape = parts.Frame(is_signed_in, theme, *flags)

        filled = parts.frame(shape).fill(Values())

        context = parts.frame_context(shape, value)
        assert filled == render_to_string(parts.FRAME, context)


@pytest.mark.parametrize("rule", ["exact_match", "right_minus_wrong"])
@pytest.mark.parametrize("choose", [1, 2, 3])
@pytest.mark.parametrize("struck", [0, 1, 3])
def test_a_form_filled_in_is_the_form_its_template_makes(struck, choose, rule):
    for is_copy, has_scenario, has_lead_in, *more in booleans(6):
        shape = parts.Item(
            is_copy, choose, rule, has_scenario, has_lead_in, struck, *more
        )

        filled = parts.item(shape).fill(Values())

        context = parts.item_context(shape, value)
        assert filled == render_to_string(parts.ITEM, context)


def test_an_option_filled_in_is_the_option_its_template_makes():
    for flags in booleans(3):
        shape = parts.Option(*flags)

        filled = parts.option(shape).fill(Values())

        context = parts.option_context(shape, value)
        assert filled == render_to_string(parts.OPTION, context)


def test_a_value_that_looks_like_a_gap_is_none():
    stencil = Stencil(texts=("<", "|", ">"), gaps=("one", "two"))

    filled = stencil.fill({"one": gap("two") + "", "two": "&"})

    assert filled == f"<{gap('two')}|&amp;>"


def test_a_value_is_escaped_unless_it_is_safe():
    stencil = cut(
        template="_messages.html", context={"messages": [gap("one"), gap("two")]}
    )

    filled = stencil.fill({"one": "<b>", "two": SafeString("<b>")})

    assert stencil.gaps == ("one", "two")
    assert "<p>&lt;b&gt;</p>" in filled
    assert "<p><b></p>" in filled


def test_a_value_that_is_missing_is_not_passed_over():
    stencil = Stencil(texts=("a", "b"), gaps=("one",))

    with pytest.raises(KeyError):
        stencil.fill({})


@pytest.mark.django_db
def test_pages_of_one_shape_tell_nothing_of_each_other(
    learner_client, client, begin, save
):
    first, second = begin(learner_client), begin(client)
    for sender, sitting, note in (
        (learner_client, first, "Mine <b>alone</b>"),
        (client, second, "Somebody else's"),
    ):
        save(sender, sitting, 2, note=note, base=0)

    page = learner_client.get(f"/sittings/{first.public_id}/2/").content.decode()
    other = client.get(f"/sittings/{second.public_id}/2/").content.decode()

    assert "Mine &lt;b&gt;alone&lt;/b&gt;</textarea>" in page
    assert "Somebody else&#x27;s</textarea>" in other
    for told, of_another in ((page, second), (other, first)):
        assert str(of_another.public_id) not in told
    assert "alone" not in other
    assert "Somebody" not in page


@pytest.mark.django_db
def test_two_requests_never_share_a_token_or_a_save_id(learner_client, begin):
    sitting = begin(learner_client)

    pages = [
        learner_client.get(f"/sittings/{sitting.public_id}/1/").content.decode()
        for _ in range(2)
    ]

    for name in ("csrfmiddlewaretoken", "save_id"):
        one, other = (
            page.split(f'name="{name}" value="')[1].split('"')[0] for page in pages
        )
        assert one != other


@pytest.mark.django_db
def test_what_is_struck_on_paper_of_another_question_is_not_shown(
    learner_client, begin
):
    sitting = begin(learner_client)
    item = sitting.items.get(position=1)

    page = learner_client.post(
        f"/sittings/{sitting.public_id}/1/response/",
        {
            "save_id": str(uuid.uuid4()),
            "base_version": 5,
            "struck": [item.option_order[0], *(f"foreign-{n}" for n in range(300))],
        },
    )

    assert page.status_code == 409
    text = page.content.decode()
    assert f'name="struck" value="{item.option_order[0]}"' in text
    assert "foreign" not in text
