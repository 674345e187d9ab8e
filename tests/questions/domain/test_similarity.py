"""Near-duplicates are found by their words, and found through an index."""

import dataclasses
import random

import pytest
from hypothesis import given, settings

from questions.domain import items, similarity
from tests import strategies

STEM = (
    "A retailer serves a ranking model from a managed online endpoint. Traffic triples"
    " between 18:00 and 20:00, and a new replica takes about four minutes to load the"
    " model. The team must end the timeouts without paying for idle machines all day."
)


def item(
    stem=STEM, lead_in="Which change meets both goals?", options=("x", "y"), **more
):
    return items.SingleChoice(
        title="T",
        stem=stem,
        lead_in=lead_in,
        options=tuple(
            items.Option(key=text, text=text, is_key=place == 0)
            for place, text in enumerate(options)
        ),
        **more,
    )


def are_near(one, other):
    return similarity.is_near_duplicate(
        similarity.fingerprint(one), similarity.fingerprint(other)
    )


def test_the_same_stem_with_other_options_is_near():
    assert are_near(item(), item(options=("p", "q", "r")))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("retailer", "bank"),
        ("18:00 and 20:00", "17:30 and 19:30"),
        ("managed online", "*managed* **online**"),
        ("about four minutes", "six minutes"),
    ],
)
def test_a_changed_detail_stays_near(old, new):
    assert are_near(item(), item(stem=STEM.replace(old, new)))


def test_another_situation_is_not_near():
    other = (
        "A hospital trains a model on free-text notes. Identifiers of patients must not"
        " reach the training set, and the audit asks for proof on each release."
    )

    assert not are_near(item(), item(stem=other))


def test_short_questions_of_one_pattern_are_not_near():
    one = item(stem="A team must store features.", lead_in="Which service fits best?")
    other = item(stem="A team must label images.", lead_in="Which service fits best?")

    assert not are_near(one, other)


def test_two_questions_on_one_scenario_are_not_near_for_that():
    case = items.Scenario(slug="shop", title="Shop", text=STEM * 3)
    one = item(stem="The lists come late.", lead_in="What is slow?", scenario=case)
    other = item(stem="The bill has doubled.", lead_in="What costs?", scenario=case)

    assert not are_near(one, other)


def test_other_code_under_the_same_stem_is_another_question():
    one = item(exhibits=(items.CodeExhibit(text="SELECT a FROM b WHERE c " * 9),))
    code = " ".join(f"word{number}" for number in range(90))
    other = item(exhibits=(items.CodeExhibit(text=code),))

    assert not are_near(one, other)


def test_near_duplicates_come_nearest_first():
    changed = item(stem=STEM.replace("retailer", "bank").replace("four", "six"))
    others = [
        ("far", similarity.fingerprint(item(stem="Nothing of the kind."))),
        ("near", similarity.fingerprint(changed)),
        ("same", similarity.fingerprint(item())),
    ]

    found = similarity.near_duplicates(item(), others)

    assert [name for name, _ in found] == ["same", "near"]
    assert found[0][1] == 1


def test_bands_find_nearly_every_near_duplicate_and_hardly_any_stranger():
    dice = random.Random(7)
    words = [f"word{number}" for number in range(400)]
    found = strangers = 0
    for _ in range(100):
        stem = dice.choices(words, k=80)
        changed = list(stem)
        for place in dice.sample(range(80), 5):
            changed[place] = "changed"
        one, near, far = (
            set(similarity.bands(item(stem=" ".join(text), lead_in="")))
            for text in (stem, changed, dice.choices(words, k=80))
        )
        found += bool(one & near)
        strangers += bool(one & far)

    assert found >= 99
    assert strangers <= 1


@settings(max_examples=30)
@given(strategies.any_item())
def test_bands_fit_a_signed_64_bit_column_and_ignore_options(any_item):
    bands = similarity.bands(any_item)
    other = dataclasses.replace(any_item, options=any_item.options[:1])

    assert len(bands) == similarity.BANDS
    assert all(-(2**63) <= band < 2**63 for band in bands)
    assert bands == similarity.bands(other)
