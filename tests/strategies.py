"""Hypothesis: any valid item."""

from __future__ import annotations

from hypothesis import strategies as st

from questions.domain import items

# Any character a text may hold: no controls but tab and line feed, no surrogates,
# no noncharacters, no line separators that only some readers take for a line's end.
_CHARACTERS = st.characters(
    codec="utf-8",
    categories=("L", "M", "N", "P", "S", "Zs", "Cf"),
    exclude_characters="\u2028\u2029\ufeff",
)
_TRICKY = st.sampled_from(
    [
        "a < b && c > d",
        "List<String>",
        "&lt;",
        "<b>",
        "AT&T",
        "x]]>y",
        "$\\frac{a_1}{b}$",
        "`a ``b`` c`",
        ": # ' \" - ? | > % @ & * !",
        "no\u00a0break \U0001f600",
        "key: value",
        "- item",
        "# comment",
        " # comment",
        "'quoted'",
        '"quoted"',
        "null",
        "yes",
        "2026-06",
        "1e3",
        "---",
        "...",
        "{{option:a}}",
        "a\\nb",
        "tab\there",
        "\u0085",
        "e\u0301",
        "very long line " * 12,
    ]
)
_LINE = st.lists(
    st.one_of(st.text(_CHARACTERS, min_size=1, max_size=12), _TRICKY),
    min_size=1,
    max_size=3,
).map("".join)


def slugs(*, max_size: int = 30) -> st.SearchStrategy[str]:
    """Return names such as ``peak-minimum``."""
    return st.from_regex(r"[a-z0-9]+(-[a-z0-9]+){0,3}", fullmatch=True).filter(
        lambda slug: len(slug) <= max_size
    )


def lines() -> st.SearchStrategy[str]:
    """Return texts of one line that aren't blank."""
    return _LINE.map(lambda text: text.replace("\u0085", " ").strip()).filter(bool)


def texts() -> st.SearchStrategy[str]:
    """Return texts of several lines, some blank or indented, none at either end."""
    body = st.lists(
        st.one_of(
            lines(),
            lines().map("    {}".format),
            lines().map("\t{}".format),
            lines().map("{}  ".format),
            st.just(""),
        ),
        min_size=1,
        max_size=6,
    ).map("\n".join)
    return body.map(str.strip).filter(bool)


def references() -> st.SearchStrategy[items.Reference]:
    """Return references to web pages."""
    return st.builds(
        items.Reference,
        title=lines(),
        url=slugs().map("https://example.org/{}?a=1&b=#c".format),
    )


def code_exhibits() -> st.SearchStrategy[items.CodeExhibit]:
    """Return code in some language."""
    return st.builds(
        items.CodeExhibit,
        text=texts(),
        language=st.sampled_from(["", "text", "sql", "python", "yaml"]),
        caption=st.one_of(st.just(""), lines()),
    )


def image_exhibits(
    sha256s: st.SearchStrategy[str] | None = None,
) -> st.SearchStrategy[items.ImageExhibit]:
    """Return pictures; their bytes exist only if ``sha256s`` says which do."""
    return st.builds(
        items.ImageExhibit,
        sha256=sha256s or st.text("0123456789abcdef", min_size=64, max_size=64),
        alt=lines(),
        caption=st.one_of(st.just(""), lines()),
        width=st.integers(1, 2000),
        height=st.integers(1, 2000),
    )


def scenarios() -> st.SearchStrategy[items.Scenario]:
    """Return case studies."""
    return st.builds(
        items.Scenario,
        slug=slugs(),
        title=lines(),
        text=texts(),
        exhibits=st.lists(code_exhibits(), max_size=2).map(tuple),
    )


@st.composite
def any_item(
    draw: st.DrawFn,
    exhibits: st.SearchStrategy[items.Exhibit] | None = None,
    scenario: st.SearchStrategy[items.Scenario | None] | None = None,
) -> items.Item:
    """Return an item of any kind with a right number of keys and distinct options."""
    texts_of_options = draw(
        st.lists(lines(), min_size=3, max_size=6, unique_by=_normalized)
    )
    keys = draw(
        st.lists(
            slugs(),
            min_size=len(texts_of_options),
            max_size=len(texts_of_options),
            unique=True,
        )
    )
    choose = draw(st.integers(1, len(keys) - 1))
    right = draw(st.permutations(keys))[:choose]
    options = tuple(
        items.Option(
            key=key,
            text=text,
            is_key=key in right,
            rationale=draw(texts()),
            is_pinned=draw(st.booleans()),
        )
        for key, text in zip(keys, texts_of_options, strict=True)
    )
    parts = {
        "title": draw(lines()),
        "stem": draw(texts()),
        "options": options,
        "lead_in": draw(st.one_of(st.just(""), lines())),
        "difficulty": draw(st.sampled_from(items.Difficulty)),
        "trap": draw(texts()),
        "explanation": draw(texts()),
        "references": tuple(draw(st.lists(references(), max_size=3))),
        "exhibits": tuple(draw(st.lists(exhibits or code_exhibits(), max_size=2))),
        "scenario": draw(scenario or st.one_of(st.none(), scenarios())),
    }
    if choose == 1:
        return items.SingleChoice(**parts)
    return items.MultipleChoice(choose=choose, **parts)


def _normalized(text: str) -> str:
    return " ".join(text.casefold().split())
