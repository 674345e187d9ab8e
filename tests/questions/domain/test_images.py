"""Pictures are judged by their bytes; what could run or load is refused, and named."""

import io
import zlib

import pytest
from PIL import Image

from questions.domain import images

SVG = (
    b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 80">'
    b"<title>Load</title><defs><linearGradient id='g'><stop offset='0'/>"
    b"</linearGradient></defs>"
    b'<path d="M0 0L5 5" fill="url(#g)" style="stroke:#123;fill:url(#g)"/>'
    b'<use href="#g"/><text x="1" y="2">a &lt; b</text></svg>'
)


def picture(kind, size=(30, 20), **options):
    buffer = io.BytesIO()
    Image.new("RGB", size, "white").save(buffer, kind, **options)
    return buffer.getvalue()


def svg(inner, attributes=""):
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" '
        f'xmlns:xlink="http://www.w3.org/1999/xlink" {attributes}>{inner}</svg>'
    ).encode()


@pytest.mark.parametrize(
    ("kind", "media_type"),
    [("PNG", "image/png"), ("JPEG", "image/jpeg"), ("WEBP", "image/webp")],
)
def test_a_picture_is_known_by_its_bytes(kind, media_type):
    facts = images.inspect_image(picture(kind))

    assert facts == images.ImageFacts(media_type=media_type, width=30, height=20)


def test_an_svg_says_its_size_by_its_view_box():
    facts = images.inspect_image(SVG)

    assert facts == images.ImageFacts(media_type="image/svg+xml", width=120, height=80)


def test_an_svg_that_only_draws_is_kept_byte_for_byte():
    assert images.clean_svg(SVG) == SVG
    assert images.clean_svg(images.clean_svg(SVG)) == SVG


@pytest.mark.parametrize(
    ("content", "word"),
    [
        (b"", "empty"),
        (b"hello", "no picture"),
        (b"GIF89a" + b"\0" * 40, "no picture"),
        (b"%PDF-1.7", "no picture"),
        (b"MZ" + b"\0" * 100, "no picture"),
        (picture("PNG")[:60], "damaged"),
        (b"\x89PNG\r\n\x1a\n" + b"\0" * 30, "picture"),
        (b"<html></html>", "no SVG"),
        (b"<svg></svg>", "no SVG"),
        (b"<svg", "well-formed"),
        (b"\0" * 1_000_001, "bytes"),
    ],
)
def test_what_is_no_picture_is_refused_with_the_reason(content, word):
    with pytest.raises(images.ImageRefused, match=word):
        images.inspect_image(content)


def test_a_picture_of_too_many_pixels_is_refused_before_it_is_unpacked():
    with pytest.raises(images.ImageRefused, match="pixels"):
        images.inspect_image(picture("PNG", size=(8_001, 10)))


def test_a_bomb_is_refused_by_its_header():
    header = b"IHDR" + (60_000).to_bytes(4, "big") * 2 + b"\x08\x02\x00\x00\x00"
    bomb = (
        b"\x89PNG\r\n\x1a\n"
        + (13).to_bytes(4, "big")
        + header
        + zlib.crc32(header).to_bytes(4, "big")
    )

    with pytest.raises(images.ImageRefused):
        images.inspect_image(bomb)


def test_a_moving_picture_is_refused():
    frames = [Image.new("RGB", (9, 9), color) for color in ("red", "blue")]
    buffer = io.BytesIO()
    frames[0].save(buffer, "WEBP", save_all=True, append_images=frames[1:])

    with pytest.raises(images.ImageRefused, match="animated"):
        images.inspect_image(buffer.getvalue())


@pytest.mark.parametrize(
    "content",
    [
        svg("<script>alert(1)</script>"),
        svg('<script href="https://example.org/x.js"/>'),
        svg("<foreignObject><p xmlns='http://www.w3.org/1999/xhtml'/></foreignObject>"),
        svg("<style>@import url(https://example.org/x.css)</style>"),
        svg("", 'onload="alert(1)"'),
        svg('<rect onclick="alert(1)"/>'),
        svg('<a href="javascript:alert(1)"><text>x</text></a>'),
        svg('<use href="https://example.org/x.svg#a"/>'),
        svg('<use xlink:href="data:image/svg+xml;base64,AAAA#a"/>'),
        svg('<image href="https://example.org/x.png"/>'),
        svg('<image href="data:image/png;base64,AAAA"/>'),
        svg('<rect fill="url(https://example.org/#a)"/>'),
        svg("<rect style=\"fill:URL( '//example.org/a' )\"/>"),
        svg('<rect style="fill:u\\72l(//example.org/a)"/>'),
        svg('<rect style="background:image-set(\'x\')" xml:base="https://e.org/"/>'),
        svg('<animate attributeName="href" to="javascript:alert(1)"/>'),
        svg('<set attributeName="onload" to="alert(1)"/>'),
        svg('<x:script xmlns:x="http://www.w3.org/1999/xhtml">alert(1)</x:script>'),
        svg("<feImage/>"),
        b'<?xml version="1.0"?><?xml-stylesheet href="https://e.org/x.css"?>' + SVG,
        b'<!DOCTYPE svg SYSTEM "https://example.org/x.dtd">' + SVG,
        b'<!DOCTYPE svg [<!ENTITY a "b">]>' + SVG.replace(b"Load", b"&a;"),
        svg("<g>" * 60 + "</g>" * 60),
        svg("<g/>" * 6_000),
    ],
)
def test_an_svg_that_could_run_load_or_move_is_refused(content):
    with pytest.raises(images.ImageRefused) as refused:
        images.inspect_image(content)

    assert refused.value.reason
    with pytest.raises(images.ImageRefused):
        images.clean_svg(content)


@pytest.mark.parametrize(
    "content",
    [
        SVG.decode().encode("utf-16"),
        b'<?xml version="1.0" encoding="iso-2022-jp"?>' + SVG,
        SVG.replace(b"Load", b"L\xff"),
    ],
)
def test_an_svg_in_another_encoding_is_refused(content):
    with pytest.raises(images.ImageRefused, match="UTF-8"):
        images.inspect_image(content)
