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

from fcbdsl.base import cache, resources, temporary
from fcbdsl.base.records import dataclass
from fcbdsl.base.versions import installed_version
from fcbdsl.print.layout.views import FontFile, Picture, Style
from fcbdsl.print.typeset import worker_client
from fcbdsl.print.typeset.bleedbox import with_bleed_boxes
from fcbdsl.print.typeset.glyphs import FONTS, field_names, legible
from fcbdsl.print.typeset.pixels import with_density

HERE = resources.package_folder() / "print"
ICONS = HERE / "icons"
TEMPLATES = HERE / "templates"
MEASURE = "measure"
"""The label under which templates publish their measures."""


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
    """Fill a template and typeset it as ``pdf`` (accessible: PDF/UA-1) or ``png`` with `dpi` pixels per inch.

    The same input gives the same bytes. `prepress`: words in black ink alone; `bare`: without these words; `ink`: see
    `options.INKS`.
    """
    inputs = {"prepress": "yes" if prepress else "", "bare": "yes" if bare else "", "ink": ink}
    source, brought = typst_source(template, values), tuple(_files_in(values))
    key = cache.result_key(_all_of_document(source, brought, (form, f"{dpi} ppi", repr(sorted(inputs.items())))))
    known = cache.load_result(key, partial(_is_typeset, key, form))
    COUNTS["cached" if known is not None else "typeset"] += 1
    if known is not None:
        return Typeset(known[1], known[2])
    measures, pages = _set(template, source, brought, inputs, form, dpi)
    files = map(with_bleed_boxes, pages) if form == "pdf" else (with_density(page, dpi) for page in pages)
    made = Typeset(tuple(files), tuple(measures))
    if not (prepress or bare or ink != "full"):  # as it is measured: whoever asks whether it fits has the answer
        cache.store_result(_as_measured(source, brought), made.measures)
    if sum(map(len, made.files)) <= LARGEST_KEPT:
        cache.store_result(key, (key, made.files, made.measures))
    return made


LARGEST_KEPT = 32 << 20
"""Bytes of a document that is kept in the cache at most."""
COUNTS = {"typeset": 0, "cached": 0}
"""The number of documents that this process has typeset, and of those that it found in the cache."""
_MEASURES = tuple[dict[str, object], ...]
"""The shape of cached measures."""
_SIGNATURES = {"pdf": b"%PDF-", "png": b"\x89PNG\r\n\x1a\n"}
"""How files of a form begin."""


def _is_typeset(key: str, form: str, found: object) -> bool:
    """Return whether a cached result is a document of this key and form.

    The key is part of the result, so that a result under the name of another one is refused."""
    match found:
        case (str() as kept, tuple(files), measures):
            begins = _SIGNATURES[form]
            whole = all(isinstance(file, bytes) and file.startswith(begins) for file in files)
            return kept == key and bool(files) and whole and cache.has_shape(measures, _MEASURES)
    return False


def measure_document(template: str, values: Mapping[str, object]) -> Typeset:
    """Fill a template and return its measures only: a document without files.

    Measures are cached: those of a whole game take minutes, and a change affects few of them.
    """
    source, brought = typst_source(template, values), tuple(_files_in(values))
    key = _as_measured(source, brought)
    known = cache.load_result(key, cache.shape_check(_MEASURES))
    COUNTS["cached" if known is not None else "typeset"] += 1
    if known is not None:
        return Typeset((), known)
    measures, _ = _set(template, source, brought, {}, "", 0)
    found = tuple(measures)
    cache.store_result(key, found)
    return Typeset((), found)


FilePart = Picture | FontFile | Style
"""A part of a template's values that refers to a file of a pack, or names its font."""


def _as_measured(source: str, brought: Sequence[FilePart]) -> str:
    """Return the cache key of the measures of a filled template."""
    return cache.lasting(_all_of_document(source, brought))


def _all_of_document(source: str, brought: Sequence[FilePart], more: Sequence[str] = ()) -> list[bytes]:
    """Return everything that a filled template is typeset from. `more`: the options of the output."""
    files = [file.place.read_bytes() for file in brought if isinstance(file, Picture | FontFile)]
    parts = [_press(), source.encode(), _reading_font(brought).encode(), *files]
    return [*parts, *(option.encode() for option in more)]


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


def _set(
    template: str, source: str, brought: Sequence[FilePart], inputs: Mapping[str, str], form: str, dpi: int
) -> tuple[list[dict[str, Any]], list[bytes]]:
    """Typeset a filled template in the worker process; return its measures, and its pages in `form` if one is given.

    The worker sees a folder with our templates and drawings and the files of the values, and nothing else of the
    machine. Raise CannotTypeset.
    """
    head = {
        "form": form, "dpi": dpi, "measure": MEASURE, "shipped": str(FONTS), "desk": str(desk()),
        "inputs": {**inputs, "text": _reading_font(brought)},
        "templates": sorted(path.name for path in TEMPLATES.glob("*.typ")),
    }  # fmt: skip
    pictures, own = pictures_in(brought), _fonts_in(brought)
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
            _, made = worker_client.ask("set", head, source.encode(), seconds=worker_client.DOCUMENT_SECONDS)
        except worker_client.TypesetterRefused as why:
            raise CannotTypeset(template, "", str(why)) from why
        except worker_client.Crashed as why:
            raise _at_fault(template, pictures, str(why)) from why
    return json.loads(made[0]), made[1:]


def _at_fault(template: str, pictures: Sequence[Picture], why: str) -> CannotTypeset:
    """Return the cause if a document cannot be typeset: one of its pictures that cannot be drawn alone, or else the
    document."""
    for picture in pictures:
        try:
            if picture.name.endswith(".svg"):
                draw_svg(picture.place.read_bytes())
        except CannotDraw as trouble:
            return CannotTypeset(template, picture.name, str(trouble))
    return CannotTypeset(template, "", why)


@cached
def _desk() -> tempfile.TemporaryDirectory[str]:
    """Return a folder with our templates, for all documents of this process without files of their pack."""
    made = temporary.temporary_folder(temporary.DESK)
    _lay_templates(Path(made.name))
    return made


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
    except (worker_client.TypesetterRefused, worker_client.Crashed) as why:
        raise CannotDraw(str(why)) from why


def clean_picture(data: bytes, form: str, most: int) -> tuple[bytes, int]:
    """Return a picture (``png`` or ``jpg``) of at most `most` pixels encoded again without metadata, and its pixels.

    Raise CannotDraw.
    """
    try:
        head, made = worker_client.ask(
            "clean", {"form": form, "pixels": most}, data, seconds=worker_client.PICTURE_SECONDS
        )
    except (worker_client.TypesetterRefused, worker_client.Crashed) as why:
        raise CannotDraw(str(why)) from why
    return made[0], int(head["pixels"])


def pictures_in(values: object) -> list[Picture]:
    """Return the pictures in the values of a template, each once, by name."""
    found = {picture.name: picture for picture in _files_in(values) if isinstance(picture, Picture)}
    return [found[name] for name in sorted(found)]


def _fonts_in(values: object) -> list[FontFile]:
    """Return the pack's fonts in the values of a template, each once."""
    found = {file.digest: file for file in _files_in(values) if isinstance(file, FontFile)}
    return [found[digest] for digest in sorted(found)]


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
    """Return a Typst string literal of a text with printable characters only."""
    return '"' + legible(text.replace("\n", " ")).replace("\\", "\\\\").replace('"', '\\"') + '"'
