"""Hypothesis: any valid item, and any valid record of a bank file."""

from __future__ import annotations

import dataclasses
import datetime
import os
from collections.abc import Iterator, Sequence
from decimal import Decimal

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from questions.domain import items
from questions.domain.lifecycle import Status
from questions.formats import records

# A machine under load is no reason for a test to fail. CI judges the same commit the
# same way each time; at home every run looks somewhere else.
settings.register_profile(
    "courseiva",
    deadline=None,
    derandomize=os.environ.get("CI") == "true",
    max_examples=40,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("courseiva")

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
_SLUG = st.lists(
    st.text("abcdefghijklmnopqrstuvwxyz0123456789", min_size=1, max_size=6),
    min_size=1,
    max_size=4,
).map("-".join)
_LINE = st.lists(
    st.one_of(st.text(_CHARACTERS, min_size=1, max_size=12), _TRICKY),
    min_size=1,
    max_size=3,
).map("".join)


def slugs() -> st.SearchStrategy[str]:
    """Return names such as ``peak-minimum``."""
    return _SLUG


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


def markdown_texts() -> st.SearchStrategy[str]:
    """Return texts full of signs that Markdown, HTML or LaTeX might trip over."""
    signs = [
        "{{option:a}}",
        "$",
        "$$",
        "`",
        "```",
        "<script>",
        "&lt;",
        "[x](",
        "javascript:",
        ")",
        "|",
        "\\",
        "\\text{",
        "}",
        "<img/src=x/onerror=y>",
        "style=",
        "id=",
        "![",
        "#",
        "*",
        "_",
        "]]>",
        "<!--",
        "-->",
    ]
    spaced = ["\n", "\n\n", "\n|-|\n", "> ", "- ", "1. ", "    "]
    piece = st.text(max_size=12) | st.sampled_from([*signs, *spaced])
    return st.lists(piece, max_size=25).map("".join)


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


_CODE = code_exhibits()
_ANY_SCENARIO = st.none() | scenarios()


@st.composite
def any_item(
    draw: st.DrawFn,
    exhibits: st.SearchStrategy[items.Exhibit] = _CODE,
    scenario: st.SearchStrategy[items.Scenario | None] = _ANY_SCENARIO,
) -> items.Item:
    """Return an item of any kind with a right number of keys and distinct options."""
    texts_of_options = draw(
        st.lists(lines(), min_size=3, max_size=5, unique_by=_normalized)
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
        "exhibits": tuple(draw(st.lists(exhibits, max_size=2))),
        "scenario": draw(scenario),
    }
    if choose == 1:
        return items.SingleChoice(**parts)
    return items.MultipleChoice(choose=choose, **parts)


def _normalized(text: str) -> str:
    return " ".join(text.casefold().split())


def _days() -> st.SearchStrategy[datetime.date]:
    return st.dates(datetime.date(2000, 1, 1), datetime.date(2099, 12, 31))


def _labels(length: int) -> st.SearchStrategy[str]:
    return lines().map(lambda text: text[:length].strip()).filter(bool)


@st.composite
def question_records(
    draw: st.DrawFn, pictures: Sequence[tuple[records.ImageFile, int, int]] = ()
) -> records.QuestionRecord:
    """Return questions as a file may have them, showing some of ``pictures``."""
    exhibits: st.SearchStrategy[items.Exhibit] = code_exhibits()
    if pictures:
        exhibits |= st.builds(
            lambda picture, alt, caption: items.ImageExhibit(
                sha256=picture[0].sha256,
                alt=alt,
                caption=caption,
                width=picture[1],
                height=picture[2],
            ),
            st.sampled_from(pictures),
            texts(),
            st.just("") | _labels(200),
        )
    item = draw(any_item(exhibits=exhibits, scenario=st.none()))
    shown = {
        exhibit.sha256
        for exhibit in item.exhibits
        if isinstance(exhibit, items.ImageExhibit)
    }
    author, reviewer = draw(st.lists(slugs(), min_size=2, max_size=2, unique=True))
    status = draw(st.sampled_from(Status))
    is_approved = status in {Status.APPROVED, Status.PUBLISHED} or draw(st.booleans())
    slug = draw(slugs())
    return records.QuestionRecord(
        slug=slug,
        certification=draw(slugs()),
        item=dataclasses.replace(
            item,
            title=item.title[:120].strip(),
            exhibits=tuple(_short_captions(item.exhibits)),
            references=tuple(
                dataclasses.replace(each, title=each.title[:200].strip())
                for each in item.references
            ),
        ),
        exposure=draw(st.sampled_from(items.Exposure)),
        provenance=draw(st.sampled_from(items.Provenance)),
        sources=draw(st.just("") | texts()),
        alignments=draw(
            st.dictionaries(
                st.sampled_from(["2026-06", "3.1", "C03", "1e3", "null"]),
                st.sampled_from(["1", "4.2", "1.10", "D-1"]),
                max_size=3,
            )
        ),
        images=tuple(picture for picture, _, _ in pictures if picture.sha256 in shown),
        status=status,
        author=author,
        approved_by=reviewer if is_approved else "",
        approved_on=draw(_days()) if is_approved else None,
        enemies=tuple(sorted(draw(st.sets(slugs(), max_size=2)) - {slug})),
    )


def _short_captions(exhibits: tuple[items.Exhibit, ...]) -> Iterator[items.Exhibit]:
    for exhibit in exhibits:
        yield dataclasses.replace(exhibit, caption=exhibit.caption[:200].strip())


def scenario_records() -> st.SearchStrategy[records.ScenarioRecord]:
    """Return case studies as a file may have them."""
    short = scenarios().map(
        lambda scenario: dataclasses.replace(
            scenario,
            title=scenario.title[:120].strip(),
            exhibits=tuple(_short_captions(scenario.exhibits)),
        )
    )
    return st.builds(records.ScenarioRecord, certification=slugs(), scenario=short)


def people_records() -> st.SearchStrategy[list[records.PersonRecord]]:
    """Return people, none twice, by slug."""
    person = st.builds(
        records.PersonRecord,
        slug=slugs(),
        name=_labels(120),
        credentials=st.just("") | _labels(200),
        byline=st.just("") | _labels(200),
        biography=st.just("") | texts(),
    )
    return st.lists(
        person, min_size=1, max_size=3, unique_by=lambda person: person.slug
    ).map(lambda people: sorted(people, key=lambda person: person.slug))


@st.composite
def certification_records(draw: st.DrawFn) -> records.CertificationRecord:
    """Return certifications with some versions of their guide."""
    versions = draw(
        st.lists(
            st.sampled_from(["2026-06", "3.1", "C03", "SY0-701"]),
            min_size=1,
            max_size=2,
            unique=True,
        )
    )
    return records.CertificationRecord(
        slug=draw(slugs()),
        code=draw(st.sampled_from(["PMLE", "SAA-C03", "AZ-104", "101"])),
        name=draw(_labels(160)),
        level=draw(st.sampled_from(["foundational", "professional"])),
        vendor_slug=draw(slugs()),
        vendor_name=draw(_labels(120)),
        guide="https://example.org/guide",
        summary=draw(st.just("") | texts()),
        blueprints=tuple(draw(_blueprint(version)) for version in versions),
    )


@st.composite
def _blueprint(draw: st.DrawFn, version: str) -> records.BlueprintRecord:
    begins = draw(_days())
    fewest = draw(st.integers(1, 90))
    scale = records.ScaleRecord(lowest=100, highest=1000, passing=720)
    return records.BlueprintRecord(
        version=version,
        effective_from=begins,
        effective_to=draw(st.none() | _days().filter(lambda day: day >= begins)),
        questions_min=fewest,
        questions_max=fewest + draw(st.integers(0, 20)),
        unscored_questions=draw(st.integers(0, 15)),
        minutes=draw(st.integers(1, 240)),
        item_kinds=draw(st.sampled_from([("single",), ("single", "multiple")])),
        scale=draw(st.sampled_from([None, scale])),
        mark=draw(st.sampled_from([Decimal("0.7"), Decimal("0.6889"), Decimal(1)])),
        mark_source=draw(st.sampled_from(["vendor", "ours"])),
        terms_changed=draw(st.just("") | texts()),
        domains=tuple(
            records.DomainRecord(
                code=str(place),
                name=draw(_labels(200)),
                weight=draw(st.integers(0, 100)),
                objectives=tuple(
                    records.ObjectiveRecord(
                        code=f"{place}.{n}",
                        # Two of one name have one address, which files may not have.
                        name=f"{place}{n} {draw(_labels(200))}",
                    )
                    for n in range(1, draw(st.integers(1, 3)))
                ),
            )
            for place in range(1, draw(st.integers(2, 4)))
        ),
    )
