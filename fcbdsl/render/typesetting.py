"""From views to pages: Typst source by Jinja, bytes by Typst, and what Typst measured."""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from functools import cache as cached
from importlib.metadata import version
from pathlib import Path
from typing import Any

from fcbdsl import cache, resources
from fcbdsl.records import dataclass
from fcbdsl.render.bleedbox import with_bleed_boxes
from fcbdsl.render.desk import make_desk
from fcbdsl.render.glyphs import FONTS, legible
from fcbdsl.render.views import FontFile, Picture, Style

HERE = resources.folder() / "render"
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
    bare: bool = False,
    ink: str = "full",
) -> Typeset:
    """Fill a template and set it as ``pdf`` (accessible: PDF/UA-1) or ``png`` with `dpi` pixels to the inch; the same
    input gives the same bytes. `prepress`: words in black ink alone; `bare`: without all that is in it; `ink`: see
    `options.INKS`."""
    inputs = {"prepress": "yes" if prepress else "", "bare": "yes" if bare else "", "ink": ink}
    source = typst_source(template, values)
    with _compiler(source, values, inputs) as compiler:
        measures = json.loads(compiler.query(f"<{MEASURE}>", field="value"))
        standards = ["ua-1"] if form == "pdf" else []
        made = compiler.compile(source.encode(), format=form, ppi=dpi, pdf_standards=standards)
    _forget(source)
    if not (prepress or bare or ink != "full"):  # as it is measured: whoever asks whether it fits has the answer
        cache.store(_as_measured(source, values), tuple(measures))
    pages = [bytes(page) for page in (made if isinstance(made, list) else [made])]
    return Typeset(tuple(map(with_bleed_boxes, pages) if form == "pdf" else pages), tuple(measures))


def measured(template: str, values: Mapping[str, object]) -> Typeset:
    """Fill a template and set it for its measures alone: a document without files. What was measured is kept: of a game
    that takes minutes, and most of it is as it was when something has changed."""
    source = typst_source(template, values)
    key = _as_measured(source, values)
    known = cache.load(key, _are_measures)
    if known is not None:
        return Typeset((), known)
    with _compiler(source, values) as compiler:
        found = tuple(json.loads(compiler.query(f"<{MEASURE}>", field="value")))
    _forget(source)
    cache.store(key, found)
    return Typeset((), found)


def _as_measured(source: str, values: Mapping[str, object]) -> str:
    """Under what is kept what was measured of a filled template."""
    brought = [one for one in _files_in(values) if isinstance(one, Picture | FontFile)]
    return cache.lasting(
        [_press(), source.encode(), _reading_font(values).encode(), *(one.place.read_bytes() for one in brought)]
    )


def _are_measures(found: object) -> bool:
    """Whether what was kept are records of measures."""
    return isinstance(found, tuple) and all(isinstance(one, dict) for one in found)


def _reading_font(values: Mapping[str, object]) -> str:
    """The pack's font for what is read; empty if it has none."""
    return next((one.text for one in _files_in(values) if isinstance(one, Style) and one.text), "")


@cached
def _press() -> bytes:
    """What a document is set with besides its own source: Typst, and our templates, drawings and fonts."""
    digest = hashlib.blake2b(version("typst").encode())
    for path in sorted(path for place in (TEMPLATES, ICONS, FONTS) for path in place.iterdir() if path.is_file()):
        digest.update(path.name.encode() + path.read_bytes())
    return digest.digest()


ENOUGH = 20_000
"""Characters of documents after which Typst is to forget what it has worked out: with small documents that is 100 MB;
an aid of such a size alone takes 350 MB."""
AGES = 11
"""Pages that are set for that: what was not needed for so many is forgotten."""
_kept = 0
"""Characters of documents since it last forgot."""


def _forget(source: str) -> None:
    """Let Typst forget all but the templates, once what has been set is large. It keeps for a whole process what it has
    worked out, and a query alone never lets go of any: to measure all the content took 14 GB."""
    import typst

    global _kept
    _kept += len(source)
    if _kept > ENOUGH:
        _kept = 0
        page = "".join(f'#import "{path.name}"\n' for path in sorted(TEMPLATES.glob("*.typ"))).encode()
        compiler = typst.Compiler(root=_desk().name, font_paths=_fonts())
        for _ in range(AGES):
            compiler.compile(page, format="svg")


@contextmanager
def _compiler(source: str, values: Mapping[str, object], inputs: Mapping[str, str] | None = None) -> Iterator[Any]:
    """A compiler of a filled template, which sees a folder with our templates and drawings, and with what its values
    bring, and nothing else of the machine."""
    import typst

    given = {**(inputs or {}), "text": _reading_font(values)}
    pictures, own = pictures_in(values), _fonts_in(values)
    if not pictures and not own:
        yield typst.Compiler(source.encode(), root=_desk().name, font_paths=_fonts(), sys_inputs=given)
        return
    with tempfile.TemporaryDirectory(dir=_desk().name) as name:
        folder = Path(name)
        _lay_out(folder)
        for picture in pictures:
            (folder / picture.name).write_bytes(picture.place.read_bytes())
        (folder / "fonts").mkdir()
        for file in own:
            (folder / "fonts" / f"{file.digest}.ttf").write_bytes(file.place.read_bytes())
        fonts = typst.Fonts(include_system_fonts=False, font_paths=[str(FONTS), str(folder / "fonts")])
        yield typst.Compiler(source.encode(), root=name, font_paths=fonts, sys_inputs=given)


@cached
def _desk() -> tempfile.TemporaryDirectory[str]:
    """A folder with our templates and drawings, for all documents of this process that bring nothing of their own."""
    made = make_desk()
    _lay_out(Path(made.name))
    return made


def _lay_out(folder: Path) -> None:
    """Put our templates and drawings into a folder."""
    for path in (*sorted(TEMPLATES.glob("*.typ")), *sorted(ICONS.glob("*.svg"))):
        (folder / path.name).write_bytes(path.read_bytes())


@cached
def _fonts() -> Any:
    """The press's fonts."""
    import typst

    return typst.Fonts(include_system_fonts=False, font_paths=[str(FONTS)])


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
    return str(_templates().get_template(template).render(values))


@cached
def _templates() -> Any:
    """The environment of templates."""
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
    return environment


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
