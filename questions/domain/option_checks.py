"""What is wrong with the options of an item, one beside the other."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Final

from questions.domain import items, markdown, problem, rendering, wording
from questions.domain.placeholders import OPTION_KEY_LENGTH, is_option_key
from questions.domain.problem import Problem
from questions.domain.text_checks import OPTION_LENGTH

if TYPE_CHECKING:
    from collections.abc import Iterator

MIN_OPTIONS: Final = 2
USUAL_OPTIONS: Final = 4
MAX_OPTIONS: Final = 10
MIN_CHOOSE: Final = 2

_TELLING_KEYS: Final = re.compile(
    r"(?:the-)?(?:correct|right|wrong|incorrect|true|false|key|answer|distractor|best)"
    r"(?:-(?:answer|option|choice|one|key|[0-9]+))?(?:-[0-9]+)?"
)
_VERDICT_WORDS: Final = re.compile(
    r"\b(?:this|that|it|is|the|an?|option|answer|choice|one|correct|right|wrong"
    r"|incorrect|true|false|yes|no|not|key|because|here)\b|\W",
    re.IGNORECASE,
)
_LENGTH_RATIO: Final = 1.5
_LENGTH_MARGIN: Final = 20
_FEW_DISTRACTORS: Final = 2


def key_problems(item: items.Item) -> Iterator[Problem]:
    """Yield what is wrong with the number of right options."""
    count = sum(option.is_key for option in item.options)
    if count == 0:
        yield Problem(
            code="no_key",
            where="options",
            message="No option is marked as correct. Mark the one that is.",
        )
    elif isinstance(item, items.SingleChoice):
        if count > 1:
            yield Problem(
                code="several_keys",
                where="options",
                message=f"{count} options are marked as correct, but a question of kind"
                " “single” has one. Mark one, or make it “multiple”.",
            )
    else:
        yield from _choose_problems(item, count)
    if item.options and count == len(item.options):
        yield Problem(
            code="no_distractor",
            where="options",
            message="Every option is marked as correct. Add one that isn't.",
        )


def _choose_problems(item: items.MultipleChoice, count: int) -> Iterator[Problem]:
    if item.choose != count:
        yield Problem(
            code="choose_disagrees",
            where="choose",
            message=f"Learners are asked to choose {item.choose}, but {count} options are"
            " marked as correct. Make the two numbers equal.",
        )
    if item.choose < MIN_CHOOSE:
        yield Problem(
            code="choose_too_few",
            where="choose",
            message="A question of kind “multiple” asks for two or more. Make it"
            " “single”, or ask for more.",
        )


def option_problems(item: items.Item) -> Iterator[Problem]:
    """Yield what is wrong with the options, apart from their texts as such."""
    yield from _count_problems(item)
    seen_keys: set[str] = set()
    seen_texts: dict[str, str] = {}
    for place, option in enumerate(item.options, start=1):
        where = f"options.{option.key or place}"
        yield from _option_key_problems(option, where, seen_keys)
        seen_keys.add(option.key)
        text = _comparable(option.text)
        if text and text in seen_texts:
            yield Problem(
                code="options_alike",
                where=f"{where}.text",
                message=f"Option “{option.key}” says the same as “{seen_texts[text]}”."
                " Change one of them.",
            )
        seen_texts.setdefault(text, option.key)
        if option.rationale.strip() and not _VERDICT_WORDS.sub("", option.rationale):
            yield Problem(
                code="rationale_says_nothing",
                where=f"{where}.rationale",
                message=f"The rationale of “{option.key}” only repeats the verdict. Say"
                " why it tempts, and why it is right or wrong here.",
            )
    yield from _catch_all_problems(item)


def _count_problems(item: items.Item) -> Iterator[Problem]:
    count = len(item.options)
    if count < MIN_OPTIONS:
        yield Problem(
            code="too_few_options",
            where="options",
            message=f"There are {count} options; at least {MIN_OPTIONS} make a question."
            " Add some.",
        )
    elif count < USUAL_OPTIONS:
        yield problem.advice(
            "few_options",
            "options",
            f"There are {count} options; the exams offer {USUAL_OPTIONS} or more. Add"
            " one if it can be plausible.",
        )
    if count > MAX_OPTIONS:
        yield Problem(
            code="too_many_options",
            where="options",
            message=f"There are {count} options; at most {MAX_OPTIONS} are allowed."
            " Drop the least plausible.",
        )


def _option_key_problems(
    option: items.Option, where: str, seen: set[str]
) -> Iterator[Problem]:
    if not is_option_key(option.key):
        yield Problem(
            code="option_key_form",
            where=where,
            message=f"“{option.key}” can't be the key of an option. Use lower-case words"
            f" joined by hyphens, at most {OPTION_KEY_LENGTH} characters: peak-minimum.",
        )
    elif _TELLING_KEYS.fullmatch(option.key):
        yield Problem(
            code="option_key_tells",
            where=where,
            message=f"The key “{option.key}” stands in the page before the answer is"
            " given, and tells it. Name the option by what it says.",
        )
    if option.key in seen:
        yield Problem(
            code="option_key_repeated",
            where=where,
            message=f"Two options have the key “{option.key}”. Rename one of them.",
        )


def _catch_all_problems(item: items.Item) -> Iterator[Problem]:
    is_among_the_last = True
    for option in reversed(item.options):
        tokens = markdown.parse_inline(option.text[:OPTION_LENGTH])
        speaks_of_others = wording.is_catch_all(wording.prose(tokens)) or any(
            token.type == "option_placeholder" for token in markdown.leaves(tokens)
        )
        if speaks_of_others and not (option.is_pinned and is_among_the_last):
            yield Problem(
                code="catch_all_not_last",
                where=f"options.{option.key}.text",
                message=f"Option “{option.key}” speaks of the other options, so it must"
                " stay last when they are shuffled. Move it to the end and pin it.",
            )
        is_among_the_last = is_among_the_last and speaks_of_others


def _comparable(text: str) -> str:
    words = " ".join(unicodedata.normalize("NFC", text).split()).rstrip(".")
    # In code a capital makes a difference: `ls -a` is not `ls -A`.
    return words if "`" in words else words.casefold()


def tell_advice(item: items.Item) -> Iterator[Problem]:
    """Yield what lets a learner tell the key without knowing the subject."""
    plain = {
        option: rendering.plain_text(option.text[:OPTION_LENGTH])
        for option in item.options
    }
    keys = [text for option, text in plain.items() if option.is_key]
    distractors = [text for option, text in plain.items() if not option.is_key]
    if not keys or not distractors:
        return
    shortest_key, longest_distractor = min(map(len, keys)), max(map(len, distractors))
    if shortest_key > max(
        longest_distractor * _LENGTH_RATIO, longest_distractor + _LENGTH_MARGIN
    ):
        yield problem.advice(
            "key_stands_out",
            "options",
            "The right option is much longer than the others, and can be told by that."
            " Make them of about one length.",
        )
    absolute = [text for text in distractors if wording.ABSOLUTE_WORDS.search(text)]
    if len(absolute) >= _FEW_DISTRACTORS and not any(
        wording.ABSOLUTE_WORDS.search(text) for text in keys
    ):
        yield problem.advice(
            "absolute_distractors",
            "options",
            "Words such as “always” and “never” stand in wrong options only, and give"
            " them away. Use them on both sides, or not at all.",
        )
