"""From views to pages: Jinja makes Typst source, Typst makes bytes and measures."""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache as cached
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, cast

from fcbdsl.base import cache, temporary
from fcbdsl.base.memory import return_memory
from fcbdsl.base.records import dataclass
from fcbdsl.base.versions import installed_version
from fcbdsl.print.layout.views import FontFile, Picture, Style
from fcbdsl.print.typeset import worker_client
from fcbdsl.print.typeset.bleedbox import with_bleed_boxes
from fcbdsl.print.typeset.folders import ICONS, TEMPLATES
from fcbdsl.print.typeset.glyphs import FONTS, field_names, legible
from fcbdsl.print.typeset.merging import PdfPart, merged_pdf
from fcbdsl.print.typeset.pixels import with_density

MEASURE = "measure"
"""The label under which templates publish their measures."""


@dataclass(frozen=True, slots=True)
class Typeset:
    """A document: one PDF, or one PNG for each page; and the measures that its templates published."""

    files: tuple[bytes, ...]
    measures: tuple[dict[str, Any], ...]


@dataclass(frozen=True, slots=True)
class DocumentPart:
    """A part of a document: the values of its template and its number of pages. `continues`: see `merging.PdfPart`."""

    values: Mapping[str, object]
    pages: int
    continues: bool = False


@dataclass(frozen=True, slots=True)
class _Output:
    """How a document is typeset: `form`, `dpi` and the variables of templates."""

    form: str
    dpi: int
    inputs: Mapping[str, str]

    @property
    def options(self) -> tuple[str, ...]:
        """Return all of it as parts of a cache key."""
        return (self.form, f"{self.dpi} ppi", repr(sorted(self.inputs.items())))

    @property
    def is_measured(self) -> bool:
        """Return whether the measures are those of `measure_document`."""
        return not (self.inputs["prepress"] or self.inputs["bare"] or self.inputs["ink"] != "full")


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
    """Fill a template and typeset it as ``pdf`` (accessible: PDF/UA-1) or ``png`` with `dpi` pixels per inch.

    The same input gives the same bytes. `prepress`: words in black ink alone; `bare`: without these words; `ink`: see
    `options.INKS`.
    """
    part = DocumentPart(values, 0)
    return typeset_parts(template, [part], form, dpi, prepress=prepress, bare=bare, ink=ink)


def typeset_parts(
    template: str,
    parts: Sequence[DocumentPart],
    form: str,
    dpi: int = 300,
    *,
    prepress: bool = False,
    bare: bool = False,
    ink: str = "full",
) -> Typeset:
    """Fill a template for each part of a document, typeset these one after another, and merge them. See `typeset`.

    Typst needs memory for all pages of a document at once: so it needs it for those of one part."""
    inputs = {"prepress": "yes" if prepress else "", "bare": "yes" if bare else "", "ink": ink}
    output = _Output(form, dpi, inputs)
    filled = [_filled(template, part.values) for part in parts]
    if len(filled) == 1:
        return _typeset(filled[0], output)
    if form != "pdf":
        documents = [_typeset(document, output) for document in filled]
        return Typeset(tuple(file for part in documents for file in part.files), _measures_of(documents, parts))
    keys = [cache.result_key(document.contents(output.options)) for document in filled]
    key = cache.result_key(f"{key} {part.continues}".encode() for key, part in zip(keys, parts, strict=True))
    stored = cache.load_result(key, partial(_is_typeset, key, form))
    if stored is not None:
        COUNTS["cached"] += 1
        return Typeset(stored[1], stored[2])
    documents = [_typeset(document, output) for document in filled]
    held = [PdfPart(of.files[0], part.continues) for of, part in zip(documents, parts, strict=True)]
    whole = Typeset((merged_pdf(held),), _measures_of(documents, parts))
    _keep(key, whole)
    return_memory()
    return whole


def _measures_of(documents: Sequence[Typeset], parts: Sequence[DocumentPart]) -> tuple[dict[str, Any], ...]:
    """Return the measures of all parts, with the numbers of pages in the whole document."""
    before = [sum(part.pages for part in parts[:at]) for at in range(len(parts))]
    return tuple(
        {**record, "page": record["page"] + start} if start else record
        for part, start in zip(documents, before, strict=True)
        for record in part.measures
    )


@dataclass(frozen=True, slots=True)
class _Filled:
    """A filled template, and the files and styles that its values name."""

    template: str
    source: str
    brought: tuple[FilePart, ...]

    def contents(self, more: Sequence[str] = ()) -> list[bytes]:
        """Return everything that the document is typeset from. `more`: the options of the output."""
        files = [file.place.read_bytes() for file in self.brought if isinstance(file, Picture | FontFile)]
        parts = [_press(), self.source.encode(), _reading_font(self.brought).encode(), *files]
        return [*parts, *(option.encode() for option in more)]


def _filled(template: str, values: Mapping[str, object]) -> _Filled:
    """Fill a template."""
    return _Filled(template, typst_source(template, values), tuple(_files_in(values)))


def _typeset(document: _Filled, output: _Output) -> Typeset:
    """Typeset a filled template."""
    key = cache.result_key(document.contents(output.options))
    stored = cache.load_result(key, partial(_is_typeset, key, output.form))
    COUNTS["cached" if stored is not None else "typeset"] += 1
    if stored is not None:
        return Typeset(stored[1], stored[2])
    measures, pages = _set(document, output)
    files = map(with_bleed_boxes, pages) if output.form == "pdf" else (with_density(page, output.dpi) for page in pages)
    result = Typeset(tuple(files), tuple(measures))
    if output.is_measured:  # a later check of the fit needs no typesetting
        cache.store_result(cache.lasting(document.contents()), result.measures)
    _keep(key, result)
    return result


def _keep(key: str, document: Typeset) -> None:
    """Keep a document in the cache, if it is not too large."""
    if sum(map(len, document.files)) <= LARGEST_KEPT:
        cache.store_result(key, (key, document.files, document.measures))


LARGEST_KEPT = 32 << 20
"""Bytes of a document that is kept in the cache at most."""
COUNTS = {"typeset": 0, "cached": 0}
"""The number of documents that this process has typeset, and of those that it found in the cache."""
_MEASURES = tuple[dict[str, object], ...]
"""The shape of cached measures."""
_SIGNATURES = {"pdf": b"%PDF-", "png": b"\x89PNG\r\n\x1a\n"}
"""How files of a form begin."""


def _is_typeset(key: str, form: str, result: object) -> bool:
    """Return whether a cached result is a document of this key and form.

    The key is part of the result, so that a result under the name of another one is refused."""
    match result:
        case (str() as stored_key, tuple(files), measures):
            begins = _SIGNATURES[form]
            whole = all(isinstance(file, bytes) and file.startswith(begins) for file in files)
            return stored_key == key and bool(files) and whole and cache.has_shape(measures, _MEASURES)
    return False


def measure_document(template: str, values: Mapping[str, object]) -> Typeset:
    """Fill a template and return its measures only: a document without files.

    Measures are cached: those of a whole game take minutes, and a change affects few of them.
    """
    document = _filled(template, values)
    key = cache.lasting(document.contents())
    stored = cache.load_result(key, cache.shape_check(_MEASURES))
    COUNTS["cached" if stored is not None else "typeset"] += 1
    if stored is not None:
        return Typeset((), stored)
    records, _ = _set(document, _Output("", 0, {}))
    measures = tuple(records)
    cache.store_result(key, measures)
    return Typeset((), measures)


def measure_parts(template: str, parts: Sequence[DocumentPart]) -> Typeset:
    """Measure each part of a document, one after another. See `measure_document` and `typeset_parts`."""
    return Typeset((), _measures_of([measure_document(template, part.values) for part in parts], parts))


FilePart = Picture | FontFile | Style
"""A part of a template's values that refers to a file of a pack, or names its font."""


def _reading_font(brought: Sequence[FilePart]) -> str:
    """Return the pack's font for running text; empty if it has none."""
    return next((style.text for style in brought if isinstance(style, Style) and style.text), "")


@cached
def _press() -> bytes:
    """Return a hash of everything that sets a document besides its source: Typst, and our templates, drawings and
    fonts."""
    digest = hashlib.blake2b(installed_version("typst").encode())
    for path in (path for place in (TEMPLATES, ICONS, FONTS) for path in sorted(place.iterdir()) if path.is_file()):
        digest.update(path.name.encode() + path.read_bytes())
    return digest.digest()


class CannotTypeset(Exception):
    """A document that cannot be typeset: its template, the name of the picture at fault ("": none), and the reason."""

    def __init__(self, template: str, picture: str, why: str) -> None:
        super().__init__(f"{picture or template}: {why}")
        self.template = template
        self.picture = picture
        self.why = why


def _set(document: _Filled, output: _Output) -> tuple[list[dict[str, Any]], list[bytes]]:
    """Typeset a filled template in the worker process; return its measures, and its pages if a form is given.

    The worker sees a folder with our templates and drawings and the files of the values, and nothing else of the
    machine. Raise CannotTypeset.
    """
    head = {
        "form": output.form, "dpi": output.dpi, "measure": MEASURE, "shipped": str(FONTS),
        "inputs": {**output.inputs, "text": _reading_font(document.brought)},
    }  # fmt: skip
    pictures, own = pictures_in(document.brought), _fonts_in(document.brought)
    source = document.source
    with contextlib.ExitStack() as stack:
        folder = desk()
        if pictures or own:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=str(desk()))))
            _lay_templates(folder)
            for picture in pictures:
                (folder / picture.name).write_bytes(picture.place.read_bytes())
            (folder / "fonts").mkdir()
            for file in own:
                (folder / "fonts" / f"{file.digest}.ttf").write_bytes(file.place.read_bytes())
            head |= {"root": str(folder), "fonts": str(folder / "fonts")}
        else:
            head |= {"root": str(desk()), "fonts": None}
        _lay_drawings(folder, drawings_named_in(source))
        try:
            _, results = worker_client.ask("set", head, source.encode(), seconds=worker_client.DOCUMENT_SECONDS)
        except worker_client.TypesetterRefused as error:
            raise CannotTypeset(document.template, "", str(error)) from error
        except worker_client.Crashed as error:
            raise _at_fault(document.template, pictures, str(error)) from error
    return json.loads(results[0]), results[1:]


def _at_fault(template: str, pictures: Sequence[Picture], why: str) -> CannotTypeset:
    """Return the cause if a document cannot be typeset: one of its pictures that cannot be drawn alone, or else the
    document."""
    for picture in pictures:
        try:
            if picture.name.endswith(".svg"):
                draw_svg(picture.place.read_bytes())
        except CannotDraw as error:
            return CannotTypeset(template, picture.name, str(error))
    return CannotTypeset(template, "", why)


@cached
def _desk() -> tempfile.TemporaryDirectory[str]:
    """Return a folder with our templates, for all documents of this process without files of their pack."""
    folder = temporary.temporary_folder(temporary.DESK)
    _lay_templates(Path(folder.name))
    return folder


def desk() -> Path:
    """Return the temporary Typst folder of this process."""
    return Path(_desk().name)


def _lay_templates(folder: Path) -> None:
    """Copy our templates into a folder."""
    for path in sorted(TEMPLATES.glob("*.typ")):
        (folder / path.name).write_bytes(path.read_bytes())


def _lay_drawings(folder: Path, names: Iterable[str]) -> None:
    """Copy our drawings with these names into a folder, unless it has them."""
    for name in names:
        place = folder / f"{name}.svg"
        if not place.exists():
            place.write_bytes((ICONS / place.name).read_bytes())


def drawings_named_in(source: str) -> list[str]:
    """Return the names of our drawings that a filled template, or a template that it imports, can read.

    It reads them by a name that is a literal as a whole. To copy all of them takes longer than to typeset a page.
    """
    return sorted(_drawings() & {*_LITERAL.findall(source), *_in_templates()})


_LITERAL = re.compile(r'"([\w-]+)"')
"""Matches a literal that can be the name of a drawing."""


@cached
def _drawings() -> frozenset[str]:
    """Return the names of our drawings."""
    return frozenset(path.stem for path in ICONS.glob("*.svg"))


@cached
def _in_templates() -> frozenset[str]:
    """Return the literals in our templates."""
    texts = [path.read_text(encoding="utf-8") for path in TEMPLATES.glob("*.typ")]
    return frozenset(name for text in texts for name in _LITERAL.findall(text))


class CannotDraw(Exception):
    """A picture that cannot be drawn, and the reason."""


def draw_svg(data: bytes) -> None:
    """Draw an SVG small, to find errors. Raise CannotDraw."""
    head = {"root": str(desk()), "shipped": str(FONTS)}
    try:
        worker_client.ask("draw", head, data, seconds=worker_client.PICTURE_SECONDS)
    except (worker_client.TypesetterRefused, worker_client.Crashed) as error:
        raise CannotDraw(str(error)) from error


def clean_picture(data: bytes, form: str, most: int) -> tuple[bytes, int]:
    """Return a picture (``png`` or ``jpg``) of at most `most` pixels encoded again without metadata, and its pixels.

    Raise CannotDraw.
    """
    try:
        head, pictures = worker_client.ask(
            "clean", {"form": form, "pixels": most}, data, seconds=worker_client.PICTURE_SECONDS
        )
    except (worker_client.TypesetterRefused, worker_client.Crashed) as error:
        raise CannotDraw(str(error)) from error
    return pictures[0], int(head["pixels"])


def pictures_in(values: object) -> list[Picture]:
    """Return the pictures in the values of a template, each once, by name."""
    pictures = {picture.name: picture for picture in _files_in(values) if isinstance(picture, Picture)}
    return [pictures[name] for name in sorted(pictures)]


def _fonts_in(values: object) -> list[FontFile]:
    """Return the pack's fonts in the values of a template, each once."""
    fonts = {file.digest: file for file in _files_in(values) if isinstance(file, FontFile)}
    return [fonts[digest] for digest in sorted(fonts)]


_PLAIN = frozenset({str, int, float, bool, type(None)})


def _files_in(values: object) -> Iterator[FilePart]:
    """Yield the pictures, styles and fonts in the values of a template."""
    todo: list[object] = [values]
    while todo:
        part = todo.pop()
        kind = type(part)
        if kind in _PLAIN:
            continue
        if kind is tuple or kind is list:
            todo += cast("list[object]", part)
        elif names := field_names(kind):
            if isinstance(part, Picture | FontFile | Style):
                yield part
            if not isinstance(part, Picture | FontFile):
                todo += [getattr(part, name) for name in names]
        elif isinstance(part, Mapping):
            todo += part.values()
        elif isinstance(part, tuple | list):
            todo += part


def typst_source(template: str, values: Mapping[str, object]) -> str:
    """Fill a ``.typ.j2`` template; its delimiters are ``<< >>`` and ``<% %>``, and data enters only as literals."""
    return str(_templates().get_template(template).render(values))


@cached
def _templates() -> Any:
    """Return the environment of templates."""
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
    if isinstance(value, str):
        return typst_literal(value)
    if value is None or isinstance(value, Path):  # the output must not contain the places of files
        return "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return f"({value})"
    names = field_names(type(value))
    if names:
        return "(" + "".join([f"{typst_literal(name)}: {literal(getattr(value, name))}," for name in names]) + ")"
    if isinstance(value, tuple | list):
        return "(" + "".join([literal(item) + "," for item in value]) + ")"
    if isinstance(value, Mapping):
        inside = "".join([f"{typst_literal(key)}: {literal(item)}," for key, item in value.items()])
        return f"({inside})" if value else "(:)"
    if isinstance(value, Sequence):
        return "(" + "".join([literal(item) + "," for item in value]) + ")"
    raise TypeError(f"no Typst literal for {type(value).__name__}")


@lru_cache(maxsize=20_000)
def typst_literal(text: str) -> str:
    """Return a Typst string literal of a text with printable characters only.

    No line ends after a dash without a space: ``2–3``, ``« – »``.
    """
    printed = _DASH.sub(JOINER, legible(text.replace("\n", " ")))
    return '"' + printed.replace("\\", "\\\\").replace('"', '\\"') + '"'


JOINER = "\u2060"
"""The word joiner: it has no width, and no line ends at it."""
_DASH = re.compile("(?<=–)(?=[^ ])")
"""The place between a dash and what is not a space."""
