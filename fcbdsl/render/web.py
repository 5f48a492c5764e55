"""HTML and SVG from views: every value is escaped by the template engine."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from fcbdsl.render.looks import ink_on
from fcbdsl.render.typesetting import ICONS, TEMPLATES
from fcbdsl.render.views import Picture


@cache
def _environment() -> Any:
    import jinja2
    from markupsafe import Markup

    def icon(name: str, colour: str) -> Markup:
        """The inside of a drawing in a colour; both come from our own files and checked declarations."""
        style, body = _parts(ICONS / f"{name}.svg")
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
    return environment


def _parts(drawing: Path) -> tuple[str, str]:
    """The attributes of a drawing that say how it is drawn, and what is drawn."""
    head, _, body = drawing.read_text(encoding="utf-8").partition(">")
    return head.partition('viewBox="0 0 24 24"')[2], body.rpartition("</svg>")[0]


def all_drawings() -> list[tuple[str, str, str]]:
    """All drawings: name, attributes that say how it is drawn, and what is drawn."""
    return [(path.stem, *_parts(path)) for path in sorted(ICONS.glob("*.svg"))]


def embedded(picture: Picture) -> str:
    """A picture within a page, as a ``data:`` address."""
    form = {"svg": "svg+xml", "jpg": "jpeg", "png": "png"}[picture.name.rpartition(".")[2]]
    return f"data:image/{form};base64,{b64encode(picture.place.read_bytes()).decode()}"


def page(template: str, values: Mapping[str, object]) -> str:
    """Fill an HTML or SVG template."""
    return str(_environment().get_template(template).render(values))
