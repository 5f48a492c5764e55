"""HTML and SVG from views: every value is escaped by the template engine."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from fcbdsl.base.cache import result_key
from fcbdsl.print.layout.views import GroundView, Picture
from fcbdsl.print.pieces.assets import OWN
from fcbdsl.print.pieces.looks import TEXTURES, deep_on, ink_on
from fcbdsl.print.typeset.folders import ICONS, TEMPLATES

FIXED = ("lock",)
"""Drawings that templates themselves name."""


@cache
def _environment() -> Any:
    import jinja2
    from markupsafe import Markup

    def icon(name: str, colour: str) -> Markup:
        """Return the content of a drawing in a color; both come from our own files and checked declarations."""
        style, body = _parts(_source(name))
        return Markup(f"<g{style}>{body}</g>".replace("currentColor", str(Markup.escape(colour))))

    def texture(ground: GroundView, id: str) -> Markup:
        """Return the pattern of a ground as an SVG element with an id."""
        return Markup(pattern_of(ground, id))

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        undefined=jinja2.StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["icon"] = icon
    environment.filters["texture"] = texture
    environment.filters["embedded"] = data_address
    environment.filters["ink"] = ink_on
    environment.filters["deep"] = deep_on
    environment.filters["symbol_id"] = symbol_id
    environment.filters["called"] = drawing_title
    return environment


def pattern_of(ground: GroundView, id: str) -> str:
    """Return an SVG pattern: the texture of a ground over its color."""
    head, _, body = (TEXTURES / f"{ground.texture}.svg").read_text(encoding="utf-8").partition(">")
    _, width, height, style = re.split(r'viewBox="0 0 (\S+) (\S+)"', head)
    drawn = f"<g{style}>{body.rpartition('</svg>')[0]}</g>".replace("currentColor", ground.ink)
    return (
        f'<pattern id="{id}" patternUnits="userSpaceOnUse" width="{width}" height="{height}">'
        f'<rect width="{width}" height="{height}" fill="{ground.colour}"/>{drawn}</pattern>'
    )


def swatch_of(ground: GroundView) -> str:
    """Return a sample of a ground as SVG, for the legend of its map."""
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 18 12"><defs>'
        f'{pattern_of(ground, "t")}</defs><rect x=".3" y=".3" width="17.4" height="11.4" rx="1.5" fill="url(#t)" '
        'stroke="#14171a" stroke-width=".6"/></svg>'
    )


def _source(name: str) -> str:
    """Return the SVG of a drawing."""
    return name if is_pack_drawing(name) else (ICONS / f"{name}.svg").read_text(encoding="utf-8")


def is_pack_drawing(name: str) -> bool:
    """Return whether a drawing in a view is one of the pack."""
    return name.startswith(OWN)


def symbol_id(name: str) -> str:
    """Return the id of a drawing within a page."""
    return result_key([name.encode()])[:12] if is_pack_drawing(name) else name


def drawing_title(name: str) -> str:
    """Return the name of a drawing in words."""
    return name.partition(' aria-label="')[2].partition('"')[0] if is_pack_drawing(name) else name


def _parts(drawing: str) -> tuple[str, str]:
    """Return the attributes of a drawing that determine its style, and its content."""
    head, _, body = drawing.partition(">")
    return head.partition('viewBox="0 0 24 24"')[2], body.rpartition("</svg>")[0]


def all_drawings() -> list[tuple[str, str, str]]:
    """Return all built-in drawings: id, style attributes, content."""
    return [_drawing(path.stem) for path in sorted(ICONS.glob("*.svg"))]


def drawings_in(shown: Iterable[str]) -> list[tuple[str, str, str]]:
    """Return the drawings in some content, built-in ones and those of a pack."""
    words = {*shown, *FIXED}
    return [*(drawing for drawing in all_drawings() if drawing[0] in words), *own_drawings(words)]


def own_drawings(shown: Iterable[str]) -> list[tuple[str, str, str]]:
    """Return the drawings of a pack in some content."""
    return [_drawing(name) for name in sorted({name for name in shown if is_pack_drawing(name)})]


def _drawing(name: str) -> tuple[str, str, str]:
    return (symbol_id(name), *_parts(_source(name)))


def data_address(picture: Picture) -> str:
    """Return a picture within a page, as a ``data:`` address."""
    form = {"svg": "svg+xml", "jpg": "jpeg", "png": "png"}[picture.name.rpartition(".")[2]]
    return f"data:image/{form};base64,{b64encode(picture.place.read_bytes()).decode()}"


def fill_page(template: str, values: Mapping[str, object]) -> str:
    """Fill an HTML or SVG template."""
    return str(_environment().get_template(template).render(values))


def fragment(template: str, macro: str, *values: object) -> str:
    """Fill a macro of an HTML template."""
    return str(getattr(_environment().get_template(template).module, macro)(*values))
