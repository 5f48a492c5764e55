"""The structure of a file: its outline, folds, links, semantic tokens, and inlay hints.

A text that does not parse has these for the part that does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from fcbdsl.base.records import dataclass
from fcbdsl.base.source import Span
from fcbdsl.editor.lsp.symbols import ProjectNames, Shown, present_span
from fcbdsl.editor.lsp.word_places import in_file
from fcbdsl.language.model import ir
from fcbdsl.language.model.declaring.track_declarations import TRACKS
from fcbdsl.language.model.lines import atoms, head_atoms, keyword_of
from fcbdsl.language.syntax.tree import Clause, File, Line, String, Word
from fcbdsl.project.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Outlined:
    """A declaration in the outline of a file: its lines (from 0), the place of its name, and its children."""

    sort: str
    name: str
    title: str
    first: int
    last: int
    span: Span
    children: tuple[Outlined, ...] = ()


_COLUMNS = ("stat", "field", "zone", "part")


def outline(file: File) -> list[Outlined]:
    """Return the declarations of a file with their columns and tracks."""
    return [outlined for line in file.lines if (outlined := _outlined(line)) is not None]


def _outlined(line: Line) -> Outlined | None:
    sort = keyword_of(line)
    if not sort or sort in ("use", "part"):
        return None
    written = head_atoms(line)
    words = []
    for atom in written[0 if line.head is not None and line.head.lead else 1 :]:
        if not isinstance(atom, Word):
            break
        words.append(atom)
    title = next((atom.value for atom in written if isinstance(atom, String)), "")
    if sort in ("kind", *_COLUMNS):
        words = words[:1]  # the rest names its kind or owner
    span = line.span_of(words[0]) if words else line.span
    if words:
        span = Span(span.source, span.start, line.offset + words[-1].end)
    inner = [below for below in line.block if keyword_of(below) in (*_COLUMNS, *TRACKS)]
    children = tuple(outlined for each in inner if (outlined := _outlined(each)) is not None)
    first, _, _, _ = in_file(line.span)
    name = " ".join(word.text for word in words)
    return Outlined(sort, name or title or sort, title, first, _last(line), span, children)


def _last(line: Line) -> int:
    """Return the last row (from 0) of a line and its block."""
    end = line.end if line.raw is None else line.raw_offset + len(line.raw)
    own = line.source.position(end)[0] - 1
    return max(own, _last(line.block[-1])) if line.block else own


def folds(file: File) -> list[tuple[int, int, str]]:
    """Return the foldable ranges: the first and the last row (from 0), and ``region`` or ``comment``."""
    out = [(in_file(line.span)[0], _last(line), "region") for line in _all(file.lines)]
    rows = file.source.text.split("\n")
    start = None
    for at, row in enumerate([*rows, ""]):
        if row.lstrip().startswith("# "):
            start = at if start is None else start
        elif start is not None:
            out.append((start, at - 1, "comment"))
            start = None
    return sorted({fold for fold in out if fold[0] < fold[1]})


def _all(lines: Sequence[Line]) -> Iterator[Line]:
    for line in lines:
        yield line
        yield from _all(line.block)


def links(space: Workspace, name: str) -> list[tuple[Span, Path]]:
    """Return the words that name files: systems in `use`, pictures."""
    out: list[tuple[Span, Path]] = []
    for line in _all(space.tree(name).lines):
        atom = next(iter(atoms(line.tail[0])), None) if line.tail else None
        if isinstance(atom, Word) and line.head is None and line.tail[0].lead == "use":
            paths = space.loader.files_of(atom.text)
            if paths:
                out.append((line.span_of(atom), next((path for path in paths if path.stem == "system"), paths[0])))
        elif isinstance(atom, String) and line.head is not None and keyword_of(line) == "art":
            path = Path(line.source.name).parent / atom.value
            if path.is_file():
                out.append((line.span_of(atom), path))
    return out


# ── words ──────────────────────────────────────────────────────────────────────────────────────

TOKENS = {
    "lead": "keyword",
    "kind": "class",
    "form": "function",
    "event": "event",
    "field": "property",
    "zone": "property",
    "parameter": "parameter",
    "local": "variable",
    "definition": "variable",
    "track": "variable",
    "group": "variable",
    "noun": "type",
    "enum": "enum",
    "value": "enumMember",
    "symbol": "enumMember",
    "die": "enumMember",
    "mark": "enumMember",
    "terrain": "enumMember",
    "barrier": "enumMember",
    "direction": "enumMember",
    "variant": "enum",
    "system": "namespace",
    "action": "method",
}
"""The token types of editors, by the sort of symbol (and lead word)."""


def tokens(names: ProjectNames, name: str) -> list[Shown]:
    """Return the words of a file with a meaning, in order: row and column (from 0), length, token type, and whether the
    word is a declaration."""
    out: list[Shown] = []
    for line in names.space.tree(name).lines:
        above = line.source.above
        out += [(above + row, *more) for row, *more in names.shown(line, partial(_words_by_row, names, line))]  # type: ignore[misc]
    return sorted(set(out))


def _words_by_row(names: ProjectNames, whole: Line) -> list[Shown]:
    """Return the words of a declaration with a meaning, by their rows in its piece."""
    out: list[Shown] = []
    above = whole.source.above
    for mention in names.mentions_in(whole):
        symbol = names.meant(mention)
        if symbol is not None and symbol.sort in TOKENS:
            row, column, _, _ = in_file(mention.span)
            there = present_span(symbol.span)
            here = there.source is mention.span.source and there.start <= mention.span.start < there.end
            out.append((row - above, column, len(mention.text), TOKENS[symbol.sort], here))
    for line in _all([whole]):
        for clause in (*((line.head,) if line.head is not None else ()), *line.tail):
            if clause.lead is not None:
                row, column, _, _ = in_file(_lead(line, clause))
                out.append((row - above, column, len(clause.lead), TOKENS["lead"], False))
    return out


def _lead(line: Line, clause: Clause) -> Span:
    return Span(line.source, line.offset + clause.start, line.offset + clause.start + len(clause.lead or ""))


# ── hints ──────────────────────────────────────────────────────────────────────────────────────


def hints(names: ProjectNames, name: str, first: int, last: int) -> list[tuple[int, int, str]]:
    """Return the names of parameters before arguments that are mere numbers: row and column (from 0) and name."""
    out: set[tuple[int, int, str]] = set()
    for row in range(first, last + 1):
        for node, _ in names.nodes(name, row + 1):
            if isinstance(node, ir.Do | ir.Apply):
                for param, arg in zip(node.form.params, node.args, strict=False):
                    if isinstance(arg, ir.Const) and param.preposition is None and arg.type == ir.NUMBER:
                        at, column, _, _ = in_file(arg.span)
                        if at == row and arg.span.source.name == name and node.span.holds(arg.span):
                            out.add((at, column, param.name))
    return sorted(out)
