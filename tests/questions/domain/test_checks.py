"""What keeps an item from being published, and what is only advice."""

import dataclasses

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from questions.domain import checks, items, markdown, wording
from questions.domain.checks import Severity
from tests import strategies


def option(key, text="", **more):
    more.setdefault("rationale", "It tempts because it is near; it misses the goal.")
    return items.Option(key=key, text=text or f"Do {key}", is_key=False, **more)


def right(key, text="", **more):
    return dataclasses.replace(option(key, text, **more), is_key=True)


FAULTLESS = items.SingleChoice(
    title="Evening timeouts on an endpoint",
    stem="Traffic triples between 18:00 and 20:00.",
    lead_in="Which change meets both goals?",
    options=(
        option("peak", "Keep the evening number of replicas all day."),
        right("schedule", "Raise the minimum before 18:00, lower it later."),
        option("bigger", "Move the model to a larger machine type."),
        option("cache", "Cache the answers of the endpoint for an hour."),
    ),
    trap="Autoscaling reacts; it can't foresee.",
    explanation="{{option:schedule}} is ready before the load is.",
    references=(items.Reference(title="Guide", url="https://example.org/guide"),),
)


def changed(**parts):
    return dataclasses.replace(FAULTLESS, **parts)


def with_options(*options):
    return changed(options=options, explanation="Because.")


def multiple(choose, *options):
    parts = {
        field.name: getattr(FAULTLESS, field.name)
        for field in dataclasses.fields(FAULTLESS)
    }
    parts |= {"options": options, "explanation": "Because.", "lead_in": "Which?"}
    return items.MultipleChoice(choose=choose, **parts)


def codes(item, severity=Severity.BLOCKING):
    return [
        problem.code
        for problem in checks.problems(item)
        if problem.severity is severity
    ]


def test_a_faultless_item_has_no_problem():
    assert checks.problems(FAULTLESS) == []


@pytest.mark.parametrize(
    ("item", "code"),
    [
        (with_options(option("a"), option("b"), option("c")), "no_key"),
        (with_options(right("a"), right("b"), option("c")), "several_keys"),
        (with_options(right("a")), "too_few_options"),
        (with_options(right("a")), "no_distractor"),
        (with_options(right("a"), *map(option, "bcdefghijkl")), "too_many_options"),
        (with_options(), "no_key"),
        (multiple(3, right("a"), right("b"), option("c")), "choose_disagrees"),
        (multiple(1, right("a"), option("b"), option("c")), "choose_too_few"),
        (multiple(2, right("a"), right("b")), "no_distractor"),
        (multiple(2, option("a"), option("b")), "no_key"),
    ],
)
def test_case_3_an_item_without_a_right_answer_is_refused(item, code):
    assert code in codes(item)


@pytest.mark.parametrize(
    ("parts", "where"),
    [
        ({"title": " "}, "title"),
        ({"stem": ""}, "stem"),
        ({"trap": "\n"}, "trap"),
        ({"explanation": ""}, "explanation"),
        (
            {
                "options": (
                    *FAULTLESS.options[:3],
                    option("cache", "Cache", rationale=""),
                )
            },
            "options.cache.rationale",
        ),
        (
            {"options": (*FAULTLESS.options[:3], option("cache", " "))},
            "options.cache.text",
        ),
        (
            {"references": (items.Reference(title="", url="https://a.b"),)},
            "references.1.title",
        ),
        ({"exhibits": (items.CodeExhibit(text=" "),)}, "exhibits.1.code"),
    ],
)
def test_a_missing_text_is_named_by_its_place(parts, where):
    found = [p for p in checks.problems(changed(**parts)) if p.code == "text_missing"]

    assert [problem.where for problem in found] == [where]


@pytest.mark.parametrize(
    ("parts", "code"),
    [
        ({"title": "t" * 91}, "text_too_long"),
        ({"stem": "s" * 6_001}, "text_too_long"),
        ({"stem": "x" * 1_000_000}, "text_too_long"),
        ({"stem": "[" * 1_001}, "too_many_brackets"),
        ({"stem": "| a | b |\n|---|---|\n| 1 | 2 | 3 |"}, "cells_lost"),
        ({"stem": "> | a | b |\n> |---|---|\n> | `x|y` | 2 |"}, "cells_lost"),
        ({"exhibits": (items.CodeExhibit(text="x" * 10_001),)}, "text_too_long"),
        (
            {"exhibits": (items.CodeExhibit(text="x", caption="c" * 201),)},
            "text_too_long",
        ),
        ({"explanation": "s" * 8_001}, "text_too_long"),
        ({"title": "Two\nlines"}, "title_form"),
        ({"stem": "a\x00b"}, "control_character"),
        ({"stem": "a\x07b"}, "control_character"),
        ({"stem": "a\ud800b"}, "control_character"),
        ({"stem": "a\ufdd0b"}, "control_character"),
        ({"exhibits": (items.CodeExhibit(text="\x1b[0m"),)}, "control_character"),
        ({"references": ()}, "no_reference"),
        ({"stem": "See ![plot](https://example.org/a.png)."}, "image_in_text"),
        ({"stem": "See ![plot](a.png)."}, "image_in_text"),
        ({"stem": "See [this](javascript:alert(1))."}, "link_refused"),
        ({"stem": "See [this](/admin/)."}, "link_refused"),
        ({"stem": "Run:\n\n```sh\nls"}, "fence_open"),
        ({"explanation": "{{option:nothing}} is it."}, "placeholder_unknown"),
        ({"explanation": "{{ option:schedule }} is it."}, "placeholder_malformed"),
        ({"explanation": "{{option:Schedule}} is it."}, "placeholder_malformed"),
        ({"title": "Why {{option:peak}} fails"}, "placeholder_malformed"),
        (
            {"exhibits": (items.ImageExhibit(sha256="a" * 64, alt=" "),)},
            "image_without_words",
        ),
    ],
)
def test_what_no_page_can_show_is_refused(parts, code):
    assert code in codes(changed(**parts))


@pytest.mark.parametrize(
    "text",
    [
        "a < b && c > d, List<String>, &lt;, <b>, AT&T, $5 and $6",
        "<script>alert(1)</script>",
        "```sh\nls\n```",
        "> ```sh\n> ls\n> ```",
        "- one\n\n  ```sh\n  ls\n  ```",
        "`{{option:nothing}}` and ```{{ option:x }}```",
        "`![x](a.png)` and `[x](javascript:y)`",
        "values[0](x), f[i](j)",
        "| a | b |\n|---|---|\n| 1 | x \\| y |\n| 2 |\n\nDone | or not",
        "`__init__` and **bold** and snake_case_name",
        "Loss $\\frac{a}{b}$ and \\$5",
        "tab\tand no\u00a0break \U0001f600",
    ],
)
def test_text_that_only_looks_odd_is_fine(text):
    assert checks.problems(changed(stem=text)) == []


@pytest.mark.parametrize(
    "text",
    [
        "The right one is (B).",
        "Choose option C here.",
        "Option A reacts too late.",
        "**Option A** reacts too late.",
        "That leaves answer A.",
        "B is correct, since it reacts.",
        "It reacts. B is the correct answer.",
        "C isn't right.",
        "**B** is correct.",
        "A and C are correct.",
        "So rule out choices A and C.",
        "Answers A, C and D cost more.",
        "Answer: B",
        "The correct answer is D.",
        "Unlike option (b), it scales.",
        "It fails because A is wrong.",
        "Option B's cost is lower.".replace("B's", "B"),
        "Options A/B cost more.",
    ],
)
def test_a_letter_in_prose_is_refused(text):
    assert codes(changed(explanation=text)) == ["letter_reference"]


@pytest.mark.parametrize(
    "text",
    [
        "An (A/B test) compares two.",
        "Vitamin C is right for you.",
        "`Option A` in code is fine.",
        "```text\nOption A is correct\n```",
        "They have a plan B is correct in spirit.",
        "A B-tree is better.",
        "A Class A address is valid.",
        "The answer A/B testing gives is slow.",
        "Answer a question at a time.",
        "Choose an option A/B tests can settle.",
        "A cache is correct only for an hour.",
        "The matrix A is a better fit.",
        "f(A) grows, and P(B) falls.",
        "Written in C. It is fast.",
        "Option-A-style flags help.",
        "Hepatitis B is the answer to that.",
        "An option C++ offers.",
        "It has an option D-Link sells.",
        "Grade A is best left alone.",
        "A is the matrix of weights.",
        "Either option can be chosen.",
    ],
)
def test_a_letter_that_names_no_option_is_fine(text):
    assert checks.problems(changed(explanation=text)) == []


def test_the_mend_of_a_letter_names_the_option_meant():
    (found,) = checks.problems(changed(explanation="So options B and D remain."))

    assert "{{option:schedule}} and {{option:cache}}" in found.message


@pytest.mark.parametrize("text", ["1 < 2.", " 1  <  2", "1 < 2\n"])
def test_options_that_say_the_same_are_refused(text):
    item = with_options(right("x", "1 < 2"), option("y", text), option("z"))

    assert codes(item) == ["options_alike"]


@pytest.mark.parametrize(
    ("one", "other"), [("1 < 2", "1 > 2"), ("`ls -a`", "`ls -A`"), ("<b>", "&lt;b>")]
)
def test_options_that_differ_in_a_sign_are_kept(one, other):
    assert codes(with_options(right("x", one), option("y", other), option("z"))) == []


@pytest.mark.parametrize("key", ["B", "two words", "", "a_b", "-a", "a" * 41, "é"])
def test_an_option_key_of_another_form_is_refused(key):
    assert "option_key_form" in codes(with_options(right("x"), option(key, "T")))


@pytest.mark.parametrize("key", ["correct", "right-answer", "distractor-2", "wrong"])
def test_an_option_key_that_tells_is_refused(key):
    assert codes(with_options(right("x"), option(key), option("z"))) == [
        "option_key_tells"
    ]


@pytest.mark.parametrize("key", ["a", "right-sizing", "key-management", "best-fit"])
def test_an_option_key_that_tells_nothing_is_fine(key):
    assert codes(with_options(right("x"), option(key), option("z"))) == []


def test_a_repeated_option_key_is_refused():
    item = with_options(right("x"), option("y", "One"), option("y", "Two"))

    assert codes(item) == ["option_key_repeated"]


CATCH_ALLS = [
    "All of the above",
    "None of the above.",
    "None of these options",
    "Both A and B",
    "A and C only",
    "Both {{option:x}} and {{option:y}}",
]


@pytest.mark.parametrize("text", CATCH_ALLS)
def test_an_option_that_speaks_of_the_others_must_be_pinned_last(text):
    loose = with_options(right("x"), option("y"), option("all", text))
    first = with_options(option("all", text, is_pinned=True), right("x"), option("y"))
    pinned = with_options(right("x"), option("y"), option("all", text, is_pinned=True))

    assert codes(loose) == ["catch_all_not_last"]
    assert codes(first) == ["catch_all_not_last"]
    assert codes(pinned) == []


@pytest.mark.parametrize(
    "text", ["All of the rows are read.", "None at all", "Above the limit", "A lake"]
)
def test_an_option_that_only_begins_so_may_move(text):
    assert codes(with_options(right("x"), option("y", text), option("z"))) == []


@pytest.mark.parametrize("text", ["Correct.", "This is wrong", "No, not correct."])
def test_a_rationale_that_only_repeats_the_verdict_is_refused(text):
    item = with_options(right("x"), option("y", rationale=text), option("z"))

    assert codes(item) == ["rationale_says_nothing"]


def test_a_title_that_contains_the_right_option_is_refused():
    item = with_options(right("x", "Raise the minimum."), option("y"), option("z"))

    assert codes(dataclasses.replace(item, title="Why raise the minimum")) == [
        "title_tells"
    ]
    assert codes(dataclasses.replace(item, title="Raise the minimums")) == []


@pytest.mark.parametrize(
    "url",
    [
        "",
        "example.org",
        "javascript:alert(1)",
        "ftp://example.org/",
        "https://",
        "https://localhost/",
        "https://user:word@example.org/",
        "https://example.org/a b",
        "https://example.org:port/",
        "https://[::1",
        'https://example.org/"><script>',
    ],
)
def test_a_reference_to_no_web_address_is_refused(url):
    references = (items.Reference(title="Guide", url=url),)

    assert codes(changed(references=references)) == ["reference_url"]


@pytest.mark.parametrize(
    ("item", "code"),
    [
        (changed(lead_in=""), "no_lead_in"),
        (changed(lead_in="Which two changes help?"), "count_disagrees"),
        (changed(lead_in="Which is not a goal?"), "negation_unmarked"),
        (with_options(right("x"), option("y"), option("z")), "few_options"),
        (
            with_options(right("x", "long " * 20), *map(option, "pqr")),
            "key_stands_out",
        ),
        (
            with_options(
                right("x"),
                option("y", "Always do y"),
                option("z", "Never do z"),
                option("w"),
            ),
            "absolute_distractors",
        ),
        (
            changed(exhibits=(items.CodeExhibit(text="x", language="klingon"),)),
            "language_unknown",
        ),
        (changed(stem="The loss $\\frac{$ falls."), "formula_unread"),
        (changed(stem="Override __init__ here."), "underscores_lost"),
    ],
)
def test_what_is_only_unwise_is_advice(item, code):
    assert codes(item) == []
    assert codes(item, Severity.ADVICE) == [code]


@pytest.mark.parametrize(
    "lead_in", ["Which two-step change helps?", "Which is **NOT** a goal?"]
)
def test_a_lead_in_that_only_looks_unwise_is_fine(lead_in):
    assert checks.problems(changed(lead_in=lead_in)) == []


def test_what_blocks_comes_first():
    found = checks.problems(changed(lead_in="", references=()))

    assert [problem.code for problem in found] == ["no_reference", "no_lead_in"]
    assert checks.blocking(found) == found[:1]


def test_the_scenario_is_read_too():
    scenario = items.Scenario(slug="s", title="S", text="Option B is dear.")

    (found,) = checks.problems(changed(scenario=scenario))

    assert (found.code, found.where) == ("letter_reference", "scenario")


@settings(max_examples=40)
@given(strategies.any_item())
def test_a_valid_item_has_no_problem_of_form(item):
    of_form = {
        "no_key",
        "several_keys",
        "choose_disagrees",
        "too_few_options",
        "option_key_form",
        "text_missing",
        "control_character",
        "reference_url",
    }

    assert of_form.isdisjoint(codes(item))


@settings(max_examples=60)
@given(
    st.builds(
        items.SingleChoice,
        title=st.text(),
        stem=st.text(),
        options=st.lists(
            st.builds(
                items.Option,
                key=st.text(max_size=5),
                text=st.text(),
                is_key=st.booleans(),
                rationale=st.text(),
            ),
            max_size=4,
        ).map(tuple),
        references=st.lists(
            st.builds(items.Reference, title=st.text(), url=st.text()), max_size=2
        ).map(tuple),
        trap=st.text(),
        explanation=st.text(),
    )
)
def test_anything_at_all_gets_a_list_and_every_problem_says_how_to_mend_it(item):
    for problem in checks.problems(item):
        assert problem.message.endswith((".", "?"))
        assert problem.where


def test_prose_leaves_code_and_addresses_out():
    tokens = markdown.parse_block("A `code` [link](https://example.org/B) $x$\n\n- b\n")

    assert wording.prose(tokens) == "A \ufffc link \ufffc\nb"
