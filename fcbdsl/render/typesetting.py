"""From views to pages: Typst source by Jinja, bytes by Typst, and what Typst measured."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

from fcbdsl.records import dataclass
from fcbdsl.render.bleedbox import with_bleed_boxes
from fcbdsl.render.glyphs import FONTS, legible
from fcbdsl.render.views import FontFile, Picture, Style

HERE = Path(__file__).parent
ICONS = HERE / "icons"
TEMPLATES = HERE / "templates"
MEASURE = "measure"
"""The label under which templates publish what they measured."""


@dataclass(frozen=True, slots=True)
class Typeset:
    """A document: one PDF, or one PNG for each page; and the measures that its templates published."""

    files: tuple[bytes, ...]
    measures: tuple[dict[str, Any], ...]


def typeset(
    template: str,
    values: Mapping[str, object],
    form: str,
    dpi: int = 300,
    *,
    prepress: bool = False,
    ink: str = "full",
) -> Typeset:
    """Fill a template and set it as ``pdf`` (accessible: PDF/UA-1) or ``png`` with `dpi` pixels to the inch; the same
    input gives the same bytes. `prepress`: words in black ink alone; `ink`: see `options.INKS`."""
    inputs = {"prepress": "yes" if prepress else "", "ink": ink}
    with _compiler(template, values, inputs) as compiler:
        standards = ["ua-1"] if form == "pdf" else []
        made = compiler.compile(format=form, ppi=dpi, pdf_standards=standards)
        measures = json.loads(compiler.query(f"<{MEASURE}>", field="value"))
    pages = [bytes(page) for page in (made if isinstance(made, list) else [made])]
    return Typeset(tuple(map(with_bleed_boxes, pages) if form == "pdf" else pages), tuple(measures))


EMPTY = 4
"""Empty pages that are set after a document was measured: with one, what ten documents need is kept (2.7 GB for a
shipped game); with four it is 1.3 GB, and takes no longer."""


def measured(template: str, values: Mapping[str, object]) -> Typeset:
    """Fill a template and set it for its measures alone: a document without files.

    Typst keeps what it has worked out for a whole process, and a query alone never lets go of any: to measure all the
    content took 14 GB."""
    import typst

    with _compiler(template, values) as compiler:
        found = tuple(json.loads(compiler.query(f"<{MEASURE}>", field="value")))
    for _ in range(EMPTY):  # to set a page forgets what has not been needed for so many
        typst.compile(b"", format="svg", ignore_system_fonts=True)
    return Typeset((), found)


@contextmanager
def _compiler(template: str, values: Mapping[str, object], inputs: Mapping[str, str] | None = None) -> Iterator[Any]:
    """A compiler of a filled template, which sees a folder of its own with our templates, drawings and fonts, and
    nothing else of the machine."""
    import typst

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "main.typ").write_text(typst_source(template, values), encoding="utf-8")
        for path in (*sorted(TEMPLATES.glob("*.typ")), *sorted(ICONS.glob("*.svg"))):
            (folder / path.name).write_bytes(path.read_bytes())
        for picture in pictures_in(values):
            (folder / picture.name).write_bytes(picture.place.read_bytes())
        own = _fonts_in(values)
        text = next((one.text for one in _files_in(values) if isinstance(one, Style) and one.text), "")
        (folder / "fonts").mkdir()
        for file in own:
            (folder / "fonts" / f"{file.digest}.ttf").write_bytes(file.place.read_bytes())
        yield typst.Compiler(
            str(folder / "main.typ"),
            root=name,
            font_paths=[str(FONTS), *([str(folder / "fonts")] if own else [])],
            ignore_system_fonts=True,
            sys_inputs={**(inputs or {}), "text": text},
        )


class CannotDraw(Exception):
    """A picture that Typst can't draw, and why."""


def draw_picture(data: bytes, form: str) -> None:
    """Draw a picture (``svg``, ``png`` or ``jpg``) small, for the sake of what goes wrong. Raises CannotDraw."""
    import typst

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / f"picture.{form}").write_bytes(data)
        (folder / "main.typ").write_text(f'#set page(width: 1cm, height: 1cm, margin: 0cm)\n#image("picture.{form}")')
        compiler = typst.Compiler(str(folder / "main.typ"), root=name, ignore_system_fonts=True)
        try:
            compiler.compile(format="png", ppi=10)
        except typst.TypstError as trouble:
            raise CannotDraw(str(trouble).partition("\n")[0]) from trouble


def pictures_in(values: object) -> list[Picture]:
    """The pictures in what a template is filled with, each once, by name."""
    found = {one.name: one for one in _files_in(values) if isinstance(one, Picture)}
    return [found[name] for name in sorted(found)]


def _fonts_in(values: object) -> list[FontFile]:
    """The pack's fonts in what a template is filled with, each once."""
    found = {one.digest: one for one in _files_in(values) if isinstance(one, FontFile)}
    return [found[digest] for digest in sorted(found)]


def _files_in(values: object) -> Iterator[Picture | FontFile | Style]:
    """The pictures, styles and fonts in what a template is filled with."""
    todo: list[object] = [values]
    while todo:
        one = todo.pop()
        if isinstance(one, Picture | FontFile | Style):
            yield one
        if isinstance(one, Picture | FontFile):
            continue
        if isinstance(one, Mapping):
            todo += one.values()
        elif isinstance(one, tuple | list):
            todo += one
        elif is_dataclass(one):
            todo += [getattr(one, field.name) for field in fields(one)]


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
    if value is None or isinstance(value, Path):  # where files lie is nobody's business
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
