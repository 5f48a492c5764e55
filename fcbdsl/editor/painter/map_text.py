"""The text of a map: where its drawing, its legend and its barriers are in a file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fcbdsl.base.records import dataclass
from fcbdsl.editor.lsp.word_places import in_file
from fcbdsl.language.model.content import Board, Cell, Definition
from fcbdsl.language.model.declaring.art import INCOMPLETE, PLAIN
from fcbdsl.language.model.lines import clause_words, head_atoms, tail_parts
from fcbdsl.language.syntax.tree import Line, String, Word
from fcbdsl.project.workspace import Workspace

DRAWN = ("hex", "square", "square-8", "areas", "graph")
"""The sorts of maps that can be painted."""


@dataclass(frozen=True, slots=True)
class GlyphEntry:
    """A glyph of a legend and the names that it means. `own`: the entry belongs to the map, not to the system."""

    glyph: str
    words: tuple[str, ...]
    own: bool = True
    barrier: bool = False


@dataclass(frozen=True, slots=True)
class SideEntry:
    """A side in a list of barriers, as in ``door: B1/B2, B2/C2 lock 7``. `values`: it gives values, too."""

    barrier: str
    pair: frozenset[str]
    line: Line
    number: int
    values: bool


@dataclass(frozen=True, slots=True)
class MapText:
    """The map of a mission in its file. `line`: the line ``map …``; `entries`: the legends, by glyph; `terrains`: the
    names of all terrains."""

    file: str
    text: str
    board: Board
    line: Line
    entries: Mapping[str, GlyphEntry]
    barriers: tuple[str, ...]
    terrains: frozenset[str] = frozenset()

    @property
    def is_graph(self) -> bool:
        """Return whether the map lists places and paths instead of a drawing."""
        return self.board.sort == "graph"

    def words_of(self, cell: Cell) -> tuple[str, ...]:
        """Return the names that the line of a place contains, or that the glyph of a space means."""
        if self.is_graph:
            line = self.place_line(cell.id)
            return _contents(line) if line is not None else ()
        glyph = self.glyph_of(cell)
        if glyph in self.entries:
            return self.entries[glyph].words
        return ("incomplete",) if glyph == INCOMPLETE else ()

    def glyph_of(self, cell: Cell) -> str:
        """Return the glyph of a space; empty for a place."""
        if self.is_graph:
            return ""
        assert cell.span is not None
        return cell.span.source.text[cell.span.start : cell.span.end].strip() or PLAIN

    def line_of(self, key: str) -> Line | None:
        """Return the line of the map that begins with a word, such as ``legend``."""
        return next((inner for inner in self.line.block if _first_word(inner) == key), None)

    def place_line(self, place: str) -> Line | None:
        """Return the line of a place in the list of places."""
        places = self.line_of("places")
        for line in places.block if places is not None else ():
            match () if line.broken else head_atoms(line):
                case (Word(text=name), *_) if name == place:
                    return line
        return None

    def entry_line(self, glyph: str) -> Line | None:
        """Return the line of the map's own legend for a glyph."""
        legend = self.line_of("legend")
        return next((line for line in (legend.block if legend is not None else ()) if _glyph_of(line) == glyph), None)

    def side_entries(self) -> Iterator[SideEntry]:
        """Yield the sides in lists of barriers."""
        for line in self.line.block:
            barrier = _first_word(line)
            if barrier not in self.barriers or line.broken:
                continue
            for number, part in enumerate(tail_parts(line)):
                span = line.span_of(part)
                first, *rest = span.source.text[span.start : span.end].split()
                yield SideEntry(barrier, frozenset(first.split("/")), line, number, bool(rest))


def map_text(space: Workspace, mission: Definition) -> MapText | None:
    """Return the text of a mission's map; None if it has no map that can be painted."""
    board = mission.board
    if board is None or board.sort not in DRAWN or not board.cells:
        return None
    file = board.span.source.name
    line = next((line for line in _lines(space, file) if line.span == board.span), None)
    if line is None or line.broken:
        return None
    barriers = tuple(space.model.barriers)
    entries: dict[str, GlyphEntry] = {}
    for declaration in space.declarations("legend"):
        entries |= _entries(declaration.line, barriers, own=False)
    own = next((inner for inner in line.block if _first_word(inner) == "legend"), None)
    if own is not None:
        entries |= _entries(own, barriers, own=True)
    if board.sort == "graph":
        entries = {}
    return MapText(file, space.text(file), board, line, entries, barriers, frozenset(space.model.terrains))


def _lines(space: Workspace, file: str) -> Iterator[Line]:
    """Yield the lines directly below the declarations of a file."""
    for declaration in space.declarations():
        if declaration.line.source.name == file:
            yield from declaration.line.block


def _first_word(line: Line) -> str:
    words = clause_words(line.head) if line.head is not None else clause_words(line.tail[0]) if line.tail else ()
    return words[0] if words else ""


def _entries(legend: Line, barriers: tuple[str, ...], own: bool) -> dict[str, GlyphEntry]:
    entries: dict[str, GlyphEntry] = {}
    for line in legend.block:
        if (glyph := _glyph_of(line)) is not None:
            words = _contents(line)
            barrier = any(word.split()[0] in barriers for word in words if word)
            entries[glyph] = GlyphEntry(glyph, words, own, barrier)
    return entries


def _contents(line: Line) -> tuple[str, ...]:
    """Return the names behind the colon of a line."""
    spans = [line.span_of(part) for part in tail_parts(line)]
    return tuple(" ".join(span.source.text[span.start : span.end].split()) for span in spans)


def _glyph_of(line: Line) -> str | None:
    """Return the glyph of a line of a legend."""
    if line.broken or line.head is None:
        return None
    match head_atoms(line):
        case (String(value=glyph),):
            return glyph
    return None


def place_of(cell: Cell) -> tuple[int, int, int]:
    """Return the row of a space's glyph in the file, and its first and last column, all from 0."""
    assert cell.span is not None
    row, start, _, end = in_file(cell.span)
    return row, start, end
