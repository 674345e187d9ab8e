"""Markdown to HTML: what an author types is what a learner sees, and nothing runs."""

import html as html_entities
import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from questions.domain import markdown, rendering
from tests import strategies


def shown(html):
    """Return the characters a browser would show."""
    return html_entities.unescape(re.sub(r"<[^>]*>", "", html)).strip()


MARKUP_LIKE = [
    "a < b && c > d",
    "List<String>",
    "&lt;",
    "<b>",
    "AT&T",
    "$5 and $6",
    "US$5, or US$7 a month",
    "PATH=$HOME:$PATH",
    "<https://example.org>",
    "[note]: kept",
    "rows[0]() and f[i]('x')",
    "<!-- kept -->",
    "</script><script>alert(1)</script>",
    "&#x3c;script&#x3e;",
    "x]]>y",
    "no\u00a0break \U0001f600",
]


@pytest.mark.parametrize("text", MARKUP_LIKE)
@pytest.mark.parametrize("render", [rendering.render_block, rendering.render_inline])
def test_case_6_signs_that_look_like_markup_are_shown_as_typed(render, text):
    assert shown(render(text)) == text


@pytest.mark.parametrize("text", MARKUP_LIKE)
def test_case_6_signs_that_look_like_markup_are_shown_as_typed_inside_code(text):
    assert shown(rendering.render_block(f"`{text}`")) == text
    assert shown(rendering.render_block(f"```html\n{text}\n```")) == text
    assert shown(rendering.render_inline(f"```html\n{text}\n```")) == text


@pytest.mark.parametrize("text", ["1. first", "- 2.0", "+5", "# not a heading", "> 3"])
def test_an_option_keeps_signs_that_would_begin_a_list_or_heading(text):
    assert shown(rendering.render_inline(text)) == text


def test_the_lines_of_an_option_stay_lines():
    assert rendering.render_inline("one\ntwo") == "one<br>\ntwo"


@pytest.mark.parametrize(
    "text",
    [
        "[x](javascript:alert(1))",
        "[x](JaVaScRiPt:alert(1))",
        "[x](data:text/html,hi)",
        "[x](//example.org)",
        "[x](/admin/)",
        "[x](vbscript:x)",
    ],
)
def test_a_link_to_anything_but_web_or_mail_is_shown_as_text(text):
    assert "<a" not in rendering.render_block(text)


def test_a_link_to_the_web_is_a_link():
    html = rendering.render_block('[guide](https://example.org/?a=1&b=2 "title")')

    assert html == (
        '<p><a href="https://example.org/?a=1&amp;b=2" rel="noopener">guide</a></p>\n'
    )


def test_an_image_is_never_made():
    assert "<img" not in rendering.render_block("![x](https://example.org/x.png)")


def test_a_heading_becomes_a_line_in_bold():
    html = rendering.render_block("# One\n\nTwo\n---")

    assert html == "<p><strong>One</strong></p>\n<p><strong>Two</strong></p>\n"


def test_code_is_a_figure_with_its_name_and_three_classes():
    html = rendering.render_block("```sql train.sql\nSELECT 'a' -- why\n```")

    assert html == (
        '<figure class="code"><figcaption>train.sql</figcaption><pre tabindex="0">'
        '<span class="k">SELECT</span> <span class="s">\'a\'</span> '
        '<span class="c">-- why</span></pre></figure>'
    )


def test_code_in_an_unknown_language_is_plain():
    html = rendering.render_block("```klingon\nif <x>\n```")

    assert '<pre tabindex="0">if &lt;x&gt;</pre>' in html


def test_code_in_an_option_is_fit_for_a_label():
    html = rendering.render_inline("```sh\nls *\npwd\n```")

    assert html.startswith('<code class="code code-lines">')
    assert "<pre" not in html
    assert shown(html) == "ls *\npwd"


def test_a_table_can_be_reached_named_and_read_by_column():
    html = rendering.render_block("| Time | Replicas |\n|---|--:|\n| 18:00 | 3 |")

    assert (
        '<div class="table-wrap" tabindex="0" role="group" '
        'aria-label="Table: Time, Replicas"><table class="table table-sunk">'
    ) in html
    assert '<th scope="col" class="n">Replicas</th>' in html
    assert '<td class="n">3</td>' in html


def test_dollars_around_latex_become_mathml():
    html = rendering.render_block(r"The loss $\frac{a_1}{b}$ falls.")

    assert '<math display="inline"><mrow><mfrac>' in html
    assert "xmlns" not in html


@pytest.mark.parametrize("text", ["$$\\sum_i x_i$$", "$$\n\\sum_i x_i\n= 3\n$$"])
def test_two_dollars_make_display_math(text):
    assert '<math display="block">' in rendering.render_block(text)


@pytest.mark.parametrize(
    "text",
    [
        r"$\frac{$",
        "$" + "{" * 500 + "$",
        r"$\begin{matrix}a$",
        "$^^^$",
    ],
)
def test_latex_that_cannot_be_read_is_shown_as_written(text):
    assert shown(rendering.render_block(text)) == text


@pytest.mark.parametrize(
    "text",
    ["$ x$", "$x $", "a$x$", "$x$a", "$x$1", "$$", "$$$$", "$$\nx\n\ny\n$$", "$\n\n$"],
)
def test_dollars_with_nothing_or_a_word_beside_them_are_dollars(text):
    assert "<math" not in rendering.render_block(text)


def test_an_odd_command_of_latex_keeps_what_it_is_about():
    html = rendering.render_block(r"$\text{&#xffffff;&#xd800;&#x7;} y$")

    assert "<mi>y</mi>" in html
    assert "\x07" not in html


def test_a_table_without_headers_is_a_table():
    assert 'aria-label="Table"' in rendering.render_block("| | |\n|-|-|\n| 1 | 2 |")


def test_latex_cannot_make_html():
    html = rendering.render_block(r"$\text{<img src=x>} \href{javascript:x}{y}$")

    assert "<img" not in html
    assert "javascript" not in html
    assert shown(html).startswith("<img\u00a0src=x>")


def test_a_placeholder_outside_code_waits_for_its_letter():
    html = rendering.render_block("Why **{{option:peak-minimum}}** fails.")

    assert html == "<p>Why <strong>{{option:peak-minimum}}</strong> fails.</p>\n"


@pytest.mark.parametrize(
    "text",
    [
        "`{{option:a}}`",
        "```\n{{option:a}}\n```",
        "```yaml\n{{option:a}}\n```",
        "\\{{option:a}}",
        "{\\{option:a}}",
        "{{option:A}}",
        "{{option:a b}}",
        "{{option:-a}}",
        "$x{{option:a}}$",
        "[x](https://example.org/{{option:a}})",
    ],
)
@pytest.mark.parametrize("render", [rendering.render_block, rendering.render_inline])
def test_what_only_looks_like_a_placeholder_is_never_filled(render, text):
    html = render(text)

    assert rendering.fill_letters(html, ["a"]) == html


def test_characters_reserved_for_placeholders_cannot_forge_one():
    html = rendering.render_block("\ufdd0a\ufdd1 \x00")

    assert rendering.fill_letters(html, ["a"]) == html
    assert shown(html) == "\ufffda\ufffd \ufffd"


def test_letters_follow_the_order_shown():
    html = rendering.render_inline("{{option:x}}, not {{option:y}} or {{option:z}}")

    assert rendering.fill_letters(html, ["y", "x"]) == (
        '<b class="letter">B</b>, not <b class="letter">A</b> or <b class="letter">?</b>'
    )


def test_plain_text_keeps_words_and_drops_marks_and_placeholders():
    text = "# A *b* `c<d>`\n\nWhy {{option:x}}? [e](https://example.org)\n```\nf\n```"

    assert rendering.plain_text(text) == "A b c<d> Why ? e f"
    assert rendering.plain_text(text, with_code=False) == "A b c<d> Why ? e"


BOMBS = [
    *[
        "[",
        "](",
        "[]",
        "[a](",
        "![",
        "*",
        "_",
        "**a",
        "`",
        "```",
        ">",
        "$",
        "$a",
        "$$",
        "-",
        "1.",
        "#",
        "|",
        "\\",
        "<",
        "&",
        "{",
        "{{option:",
    ],
    *["> ", "- ", "\n> ", "|a|\n|-|\n", "$$a\n", "*a_ ", "`` ` ", "[a](https://b.c) "],
]


@pytest.mark.parametrize("piece", BOMBS)
@pytest.mark.parametrize("length", [100_000, markdown.MAX_SOURCE])
def test_a_text_made_to_be_slow_is_not(piece, length):
    text = (piece * length)[:length]

    started = time.process_time()
    rendering.render_block(text)
    rendering.render_inline(text)
    rendering.plain_text(text)

    assert time.process_time() - started < 5


ALLOWED = re.compile(
    r"</?(?:a|b|blockquote|br|code|div|em|figcaption|figure|hr|li|ol|p|pre|span|strong"
    r"|table|tbody|td|th|thead|tr|ul|m[a-z]+|none)"
    r'(?: (?:href|rel|class|tabindex|role|aria-label|scope|start|display|[a-z]+)="[^"<]*")*>'
)


@settings(max_examples=200)
@given(strategies.markdown_texts())
def test_any_text_gives_only_elements_that_are_allowed(text):
    for html in (rendering.render_block(text), rendering.render_inline(text)):
        assert "<" not in ALLOWED.sub("", html)
        assert not re.search(r'<[^>]* (?:style|id|on\w+|src)="', html)
        assert not re.search(r'href="(?!https?:|mailto:)', html)


@given(strategies.markdown_texts())
def test_filling_letters_leaves_nothing_to_fill(text):
    filled = rendering.fill_letters(rendering.render_block(text), ["b", "a"])

    assert rendering.fill_letters(filled, ["a"]) == filled


@given(st.text(max_size=200))
def test_any_text_has_plain_words_on_one_line(text):
    assert "\n" not in rendering.plain_text(text)
