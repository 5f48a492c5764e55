"""HTML and SVG from views: every value is escaped by the template engine."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from fcbdsl.base.cache import key
from fcbdsl.print.layout.views import Picture
from fcbdsl.print.pieces.assets import OWN
from fcbdsl.print.pieces.looks import deep_on, ink_on
from fcbdsl.print.typeset.typesetting import ICONS, TEMPLATES

FIXED = ("lock",)
"""Drawings that templates name themselves."""


@cache
def _environment() -> Any:
    import jinja2
    from markupsafe import Markup

    def icon(name: str, colour: str) -> Markup:
        """The inside of a drawing in a colour; both come from our own files and checked declarations."""
        style, body = _parts(_source(name))
        return Markup(f"<g{style}>{body}</g>".replace("currentColor", str(Markup.escape(colour))))

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        undefined=jinja2.StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["icon"] = icon
    environment.filters["embedded"] = embedded
    environment.filters["ink"] = ink_on
    environment.filters["deep"] = deep_on
    environment.filters["symbol_id"] = symbol_id
    environment.filters["called"] = called
    return environment


def _source(name: str) -> str:
    """The SVG of a drawing."""
    return name if is_own(name) else (ICONS / f"{name}.svg").read_text(encoding="utf-8")


def is_own(name: str) -> bool:
    """Whether what stands for a drawing is one of the pack itself."""
    return name.startswith(OWN)


def symbol_id(name: str) -> str:
    """What a drawing is called within a page."""
    return key([name.encode()])[:12] if is_own(name) else name


def called(name: str) -> str:
    """What a drawing is called in words."""
    return name.partition(' aria-label="')[2].partition('"')[0] if is_own(name) else name


def _parts(drawing: str) -> tuple[str, str]:
    """The attributes of a drawing that say how it is drawn, and what is drawn."""
    head, _, body = drawing.partition(">")
    return head.partition('viewBox="0 0 24 24"')[2], body.rpartition("</svg>")[0]


def all_drawings() -> list[tuple[str, str, str]]:
    """All drawings of the press: id, attributes that say how it is drawn, what is drawn."""
    return [_drawing(path.stem) for path in sorted(ICONS.glob("*.svg"))]


def drawings_in(shown: Iterable[str]) -> list[tuple[str, str, str]]:
    """The drawings among what is shown, those of the press and those of a pack."""
    words = {*shown, *FIXED}
    return [*(one for one in all_drawings() if one[0] in words), *own_drawings(words)]


def own_drawings(shown: Iterable[str]) -> list[tuple[str, str, str]]:
    """The drawings of a pack among what is shown."""
    return [_drawing(name) for name in sorted({one for one in shown if is_own(one)})]


def _drawing(name: str) -> tuple[str, str, str]:
    return (symbol_id(name), *_parts(_source(name)))


def embedded(picture: Picture) -> str:
    """A picture within a page, as a ``data:`` address."""
    form = {"svg": "svg+xml", "jpg": "jpeg", "png": "png"}[picture.name.rpartition(".")[2]]
    return f"data:image/{form};base64,{b64encode(picture.place.read_bytes()).decode()}"


def page(template: str, values: Mapping[str, object]) -> str:
    """Fill an HTML or SVG template."""
    return str(_environment().get_template(template).render(values))
