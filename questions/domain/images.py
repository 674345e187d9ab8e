"""Which pictures the bank takes: judged by their bytes, never by their name."""

from __future__ import annotations

import io
import re
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from defusedxml import ElementTree
from defusedxml.common import DefusedXmlException
from PIL import Image, UnidentifiedImageError

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

MAX_BYTES: Final = 1_000_000
MAX_SIDE: Final = 8_000
MAX_PIXELS: Final = 24_000_000
MAX_SVG_ELEMENTS: Final = 5_000
MAX_SVG_DEPTH: Final = 40

MEDIA_TYPES: Final = {"PNG": "image/png", "JPEG": "image/jpeg", "WEBP": "image/webp"}
SVG: Final = "image/svg+xml"

SVG_ELEMENTS: Final = frozenset(
    [
        "svg",
        "g",
        "defs",
        "symbol",
        "use",
        "title",
        "desc",
        "path",
        "rect",
        "circle",
        "ellipse",
        "line",
        "polyline",
        "polygon",
        "text",
        "tspan",
        "textPath",
        "linearGradient",
        "radialGradient",
        "stop",
        "clipPath",
        "mask",
        "pattern",
        "marker",
        "switch",
    ]
)
SVG_ATTRIBUTES: Final = frozenset(
    [
        "id",
        "class",
        "viewBox",
        "preserveAspectRatio",
        "version",
        "width",
        "height",
        "x",
        "y",
        "x1",
        "x2",
        "y1",
        "y2",
        "cx",
        "cy",
        "r",
        "rx",
        "ry",
        "fx",
        "fy",
        "fr",
        "d",
        "points",
        "pathLength",
        "transform",
        "dx",
        "dy",
        "rotate",
        "textLength",
        "lengthAdjust",
        "startOffset",
        "offset",
        "gradientUnits",
        "gradientTransform",
        "spreadMethod",
        "clipPathUnits",
        "maskUnits",
        "maskContentUnits",
        "patternUnits",
        "patternContentUnits",
        "patternTransform",
        "markerWidth",
        "markerHeight",
        "markerUnits",
        "refX",
        "refY",
        "orient",
        "role",
        "lang",
        "href",
        "style",
        "fill",
        "fill-opacity",
        "fill-rule",
        "stroke",
        "stroke-width",
        "stroke-opacity",
        "stroke-linecap",
        "stroke-linejoin",
        "stroke-dasharray",
        "stroke-dashoffset",
        "stroke-miterlimit",
        "opacity",
        "color",
        "display",
        "visibility",
        "overflow",
        "clip-path",
        "clip-rule",
        "mask",
        "marker-start",
        "marker-mid",
        "marker-end",
        "stop-color",
        "stop-opacity",
        "font-family",
        "font-size",
        "font-style",
        "font-weight",
        "font-variant",
        "font-stretch",
        "letter-spacing",
        "word-spacing",
        "text-anchor",
        "text-decoration",
        "text-rendering",
        "shape-rendering",
        "dominant-baseline",
        "alignment-baseline",
        "baseline-shift",
        "writing-mode",
        "direction",
        "unicode-bidi",
        "vector-effect",
        "paint-order",
        "mix-blend-mode",
        "isolation",
        "enable-background",
        "aria-label",
        "aria-labelledby",
        "aria-describedby",
        "aria-hidden",
        "focusable",
    ]
)

_SVG_NAMESPACE: Final = "http://www.w3.org/2000/svg"
_XLINK_NAMESPACE: Final = "http://www.w3.org/1999/xlink"
_XML_NAMESPACE: Final = "http://www.w3.org/XML/1998/namespace"
_REFERENCE: Final = re.compile(
    r"url\s*\(\s*(['\"]?)(?!#[\w.:-]+\1\s*\))", re.IGNORECASE
)
_ACTIVE_STYLE: Final = re.compile(
    r"@import|expression\s*\(|javascript:|behavior\s*:|-moz-binding|image\s*\(|src\s*\(|\\",
    re.IGNORECASE,
)
_LENGTH: Final = re.compile(r"\s*(\d+(?:\.\d+)?)(?:px)?\s*")


@dataclass(frozen=True, slots=True, kw_only=True)
class ImageFacts:
    """What a picture is. Sizes are in pixels, 0 where an SVG doesn't say."""

    media_type: str
    width: int
    height: int


class ImageRefused(ValueError):
    """The bank doesn't take this picture. ``reason`` says why, and what would do."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def inspect_image(content: bytes) -> ImageFacts:
    """Return what the picture is.

    Raises:
        ImageRefused: it is empty, too large, no picture, damaged, or an SVG with
            something active in it.
    """
    if not content:
        raise ImageRefused("The file is empty.")
    if len(content) > MAX_BYTES:
        raise ImageRefused(
            f"The file has {len(content):,} bytes. At most {MAX_BYTES:,} are kept: make"
            " it smaller, or save it as WebP."
        )
    if _looks_like_xml(content):
        return _svg_facts(content)
    return _raster_facts(content)


def clean_svg(content: bytes) -> bytes:
    """Return the SVG as it is, having made sure that it is a drawing and no more.

    Raises:
        ImageRefused: it isn't SVG, or something in it could run, load or animate.
    """
    _svg_root(content)
    return content


def _looks_like_xml(content: bytes) -> bool:
    head = content[:200].replace(b"\0", b"").lstrip(b"\xef\xbb\xff\xfe\xbf \t\r\n")
    return head.startswith(b"<")


def _raster_facts(content: bytes) -> ImageFacts:
    with warnings.catch_warnings():
        warnings.simplefilter("error", Image.DecompressionBombWarning)
        try:
            with Image.open(io.BytesIO(content), formats=list(MEDIA_TYPES)) as image:
                width, height = image.size
                _refuse_size(width, height)
                media_type = MEDIA_TYPES[image.format or ""]
                if getattr(image, "is_animated", False):
                    raise ImageRefused("The picture is animated. Send a still one.")
                image.load()
        except UnidentifiedImageError as error:
            raise ImageRefused(
                "The file is no picture of a known kind. Send PNG, JPEG, WebP or SVG."
            ) from error
        except (
            Image.DecompressionBombError,
            Image.DecompressionBombWarning,
        ) as error:
            raise ImageRefused(
                f"The picture has too many pixels. At most {MAX_PIXELS:,} are kept."
            ) from error
        except (OSError, SyntaxError, ValueError, KeyError, MemoryError) as error:
            if isinstance(error, ImageRefused):
                raise
            raise ImageRefused("The picture is damaged. Save it anew.") from error
    return ImageFacts(media_type=media_type, width=width, height=height)


def _refuse_size(width: int, height: int) -> None:
    if max(width, height) > MAX_SIDE or width * height > MAX_PIXELS:
        raise ImageRefused(
            f"The picture has {width} by {height} pixels. At most {MAX_SIDE} on a side"
            f" and {MAX_PIXELS:,} in all are kept."
        )


def _svg_facts(content: bytes) -> ImageFacts:
    root = _svg_root(content)
    width, height = (_pixels(root.get(name, "")) for name in ("width", "height"))
    box = re.split(r"[\s,]+", root.get("viewBox", "").strip())
    if not (width and height) and len(box) == 4:  # noqa: PLR2004  # x, y, width, height
        width, height = _pixels(box[2]), _pixels(box[3])
    return ImageFacts(media_type=SVG, width=width, height=height)


def _pixels(length: str) -> int:
    match = _LENGTH.fullmatch(length)
    return min(round(float(match[1])), MAX_SIDE) if match else 0


def _svg_root(content: bytes) -> Element:
    _refuse_encoding(content)
    try:
        root: Element = ElementTree.fromstring(
            content, forbid_dtd=True, forbid_entities=True, forbid_external=True
        )
    except DefusedXmlException as error:
        raise ImageRefused(
            "The SVG has a document type or entities. Remove the DOCTYPE line."
        ) from error
    except (ElementTree.ParseError, ValueError, LookupError) as error:
        raise ImageRefused(f"The SVG is not well-formed: {error}.") from error
    if root.tag != f"{{{_SVG_NAMESPACE}}}svg":
        raise ImageRefused(
            "The file is XML, but no SVG: its outermost element must be <svg> with"
            f' xmlns="{_SVG_NAMESPACE}".'
        )
    _refuse_processing_instructions(content)
    _refuse_active(root)
    return root


def _refuse_encoding(content: bytes) -> None:
    # Browser and parser must read the same characters, so there is one encoding.
    declared = re.search(rb"<\?xml[^>]*encoding\s*=\s*['\"]([^'\"]*)", content[:300])
    is_other = declared is not None and declared[1].lower() not in {
        b"utf-8",
        b"us-ascii",
    }
    try:
        content.decode()
    except UnicodeDecodeError:
        is_other = True
    if is_other or b"\0" in content:
        raise ImageRefused("The SVG isn't in UTF-8. Save it in UTF-8.")


def _refuse_processing_instructions(content: bytes) -> None:
    # A style sheet named this way is fetched; the parser has dropped it by now.
    if re.search(rb"<\?(?!xml\s)", content):
        raise ImageRefused("The SVG has a processing instruction. Remove it.")


def _refuse_active(root: Element) -> None:
    waiting = [(root, 1)]
    count = 0
    while waiting:
        element, depth = waiting.pop()
        count += 1
        if count > MAX_SVG_ELEMENTS or depth > MAX_SVG_DEPTH:
            raise ImageRefused("The SVG is too complex. Simplify it, or send a PNG.")
        _refuse_element(element)
        waiting += [(child, depth + 1) for child in element]


def _refuse_element(element: Element) -> None:
    namespace, name = _split(element.tag)
    if namespace != _SVG_NAMESPACE or name not in SVG_ELEMENTS:
        raise ImageRefused(
            f"The SVG holds <{name}>, which can run, load or animate something, or"
            " belongs to an editor. Export it as plain SVG without it."
        )
    for attribute, value in element.attrib.items():
        _refuse_attribute(name, attribute, value)


def _refuse_attribute(element: str, attribute: str, value: str) -> None:
    namespace, name = _split(attribute)
    is_known = (
        (not namespace and (name in SVG_ATTRIBUTES or name.startswith("data-")))
        or (namespace == _XLINK_NAMESPACE and name in {"href", "title"})
        or (namespace == _XML_NAMESPACE and name in {"space", "lang"})
    )
    if not is_known:
        raise ImageRefused(
            f"The SVG has the attribute “{name}” on <{element}>. Only what draws is"
            " kept: remove it, or export as plain SVG."
        )
    if name == "href" and not re.fullmatch(r"#[\w.:-]+", value.strip()):
        raise ImageRefused(
            f"<{element}> points to “{value[:60]}”. An SVG may only point into itself,"
            ' as in href="#name".'
        )
    if _REFERENCE.search(value) or _ACTIVE_STYLE.search(value):
        raise ImageRefused(
            f"The attribute “{name}” on <{element}> loads something, or might. Only"
            " url(#name) is allowed."
        )


def _split(tag: object) -> tuple[str, str]:
    text = str(tag)
    if not text.startswith("{"):
        return "", text
    namespace, _, name = text[1:].partition("}")
    return namespace, name
