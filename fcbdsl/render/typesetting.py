"""From views to pages: Typst source by Jinja, bytes by Typst, and what Typst measured."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

from fcbdsl.render.glyphs import FONTS, legible

HERE = Path(__file__).parent
ICONS = HERE / "icons"
TEMPLATES = HERE / "templates"
PIXELS_PER_INCH = 300


class Pages:
    """A laid-out document: its bytes and the measurements taken while setting it."""

    def __init__(self, template: str, values: Mapping[str, object]) -> None:
        self._source = typst_source(template, values)

    def pdf(self) -> bytes:
        """The document as accessible PDF (PDF/UA-1); the same input gives the same bytes."""
        made = self._compile("pdf")
        return made[0]

    def png(self) -> list[bytes]:
        """One PNG for each page."""
        return self._compile("png")

    def measured(self, label: str) -> list[dict[str, Any]]:
        """The records that the templates published under a label."""
        with tempfile.TemporaryDirectory() as folder:
            found = json.loads(self._compiler(Path(folder)).query(f"<{label}>", field="value"))
        return list(found)

    def _compile(self, form: str) -> list[bytes]:
        with tempfile.TemporaryDirectory() as folder:
            standards = ["ua-1"] if form == "pdf" else []
            compiler = self._compiler(Path(folder))
            made = compiler.compile(format=form, ppi=PIXELS_PER_INCH, pdf_standards=standards)
        return [bytes(page) for page in made] if isinstance(made, list) else [bytes(made)]

    def _compiler(self, folder: Path) -> Any:
        """A compiler over a folder of its own: it can read our templates and drawings, nothing else."""
        import typst

        (folder / "main.typ").write_text(self._source, encoding="utf-8")
        for path in sorted(TEMPLATES.glob("*.typ")):
            (folder / path.name).write_bytes(path.read_bytes())
        for path in sorted(ICONS.glob("*.svg")):
            (folder / path.name).write_bytes(path.read_bytes())
        return typst.Compiler(
            str(folder / "main.typ"), root=str(folder), font_paths=[str(FONTS)], ignore_system_fonts=True
        )


def typst_source(template: str, values: Mapping[str, object]) -> str:
    """Fill a ``.typ.j2`` template; its delimiters are ``<< >>`` and ``<% %>``, and data enters only as literals."""
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        variable_start_string="<<",
        variable_end_string=">>",
        block_start_string="<%",
        block_end_string="%>",
        comment_start_string="<#",
        comment_end_string="#>",
        undefined=jinja2.StrictUndefined,
        autoescape=False,  # the filter below is the only way in, and it quotes everything
        keep_trailing_newline=True,
    )
    environment.filters["typst"] = literal
    return environment.get_template(template).render(values)


def literal(value: object) -> str:
    """Write data as a Typst literal: dictionaries, arrays, numbers, strings. Text is never markup."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return f"({value})"
    if isinstance(value, str):
        return quoted(value)
    if is_dataclass(value):
        return _dictionary({field.name: getattr(value, field.name) for field in fields(value)})
    if isinstance(value, Mapping):
        return _dictionary(value)
    if isinstance(value, Sequence):
        return "(" + "".join(literal(item) + "," for item in value) + ")"
    raise TypeError(f"no Typst literal for {type(value).__name__}")


def _dictionary(values: Mapping[str, object]) -> str:
    return "(:" + ")" if not values else "(" + "".join(f"{quoted(k)}: {literal(v)}," for k, v in values.items()) + ")"


def quoted(text: str) -> str:
    """A Typst string literal of what can be printed."""
    return '"' + legible(text.replace("\n", " ")).replace("\\", "\\\\").replace('"', '\\"') + '"'
