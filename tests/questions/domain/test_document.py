"""The published document: two halves, and nothing of the second in the first."""

import dataclasses
import json

from hypothesis import given

from questions.domain import document, items, rendering
from tests import strategies

ITEM = items.MultipleChoice(
    title="Evening timeouts",
    stem="Traffic triples at <18:00>.\n\n```text\nSECRET LOG\n```",
    lead_in="Which two changes help?",
    choose=2,
    difficulty=items.Difficulty.HARD,
    options=(
        items.Option(
            key="schedule", text="On a *schedule*", is_key=True, rationale="R1"
        ),
        items.Option(key="peak", text="To the peak", is_key=False, rationale="R2"),
        items.Option(key="early", text="Early", is_key=True, rationale="R3"),
        items.Option(
            key="none", text="No change", is_key=False, rationale="R4", is_pinned=True
        ),
    ),
    trap="It reacts.",
    explanation="{{option:schedule}} is ready.",
    references=(items.Reference(title="Guide", url="https://example.org/"),),
    exhibits=(
        items.CodeExhibit(text="{{option:peak}}", language="text", caption="Log"),
        items.ImageExhibit(
            sha256="ab" * 32, alt='A "plot" {{option:peak}}', width=640, height=480
        ),
    ),
    scenario=items.Scenario(slug="shop", title="A shop", text="It sells."),
)


def test_the_open_half_says_what_is_asked():
    shown = document.build_document(ITEM).open

    assert shown["kind"] == "multiple"
    assert shown["choose"] == 2
    assert shown["difficulty"] == "hard"
    assert shown["lead_in_html"] == "Which two changes help?"
    assert shown["scenario"] == {
        "slug": "shop",
        "title": "A shop",
        "html": "<p>It sells.</p>\n",
    }
    assert shown["options"][0] == {
        "key": "schedule",
        "html": "On a <em>schedule</em>",
        "is_pinned": False,
    }
    assert shown["options"][3]["is_pinned"] is True


def test_the_keyed_half_explains():
    keyed = document.build_document(ITEM).keyed

    assert keyed["keys"] == ["schedule", "early"]
    assert keyed["explanation_html"] == "<p>{{option:schedule}} is ready.</p>\n"
    assert keyed["rationales"]["peak"] == "<p>R2</p>\n"
    assert keyed["references"] == [{"title": "Guide", "url": "https://example.org/"}]


def test_an_image_has_its_address_words_and_size():
    html = document.build_document(ITEM).open["exhibits_html"]

    assert (
        f'<figure class="exhibit"><img src="/media/{"ab" * 32}" '
        'alt="A &quot;plot&quot; &#123;&#123;option:peak}}" width="640" height="480" '
        'loading="lazy"></figure>'
    ) in html


def test_exhibits_hold_nothing_to_fill():
    html = document.build_document(ITEM).open["exhibits_html"]

    assert rendering.fill_letters(html, ["peak"]) == html


def test_the_description_is_plain_and_leaves_code_out():
    shown = document.build_document(ITEM).open

    assert shown["description"] == "Traffic triples at <18:00>. Which two changes help?"


def test_a_long_description_ends_at_a_word():
    item = dataclasses.replace(ITEM, stem="word " * 100)

    description = document.build_document(item).open["description"]

    assert len(description) <= document.DESCRIPTION_LENGTH
    assert description.endswith("word…")


def test_a_changed_rationale_changes_the_checksum():
    changed = dataclasses.replace(
        ITEM,
        options=(
            *ITEM.options[:3],
            dataclasses.replace(ITEM.options[3], rationale="R5"),
        ),
    )

    first = document.checksum(document.build_document(ITEM))

    assert first == document.checksum(document.build_document(ITEM))
    assert first != document.checksum(document.build_document(changed))


@given(strategies.any_item())
def test_the_open_half_does_not_depend_on_what_is_right(item):
    flipped = dataclasses.replace(
        item,
        trap="",
        explanation="",
        references=(),
        options=tuple(
            dataclasses.replace(option, is_key=not option.is_key, rationale="")
            for option in item.options
        ),
    )

    assert document.build_document(item).open == document.build_document(flipped).open


@given(strategies.any_item())
def test_a_document_is_json(item):
    built = document.build_document(item)

    assert json.loads(json.dumps(dataclasses.asdict(built))) == dataclasses.asdict(
        built
    )


@given(strategies.any_item())
def test_the_description_fits(item):
    assert len(document.describe(item)) <= document.DESCRIPTION_LENGTH
