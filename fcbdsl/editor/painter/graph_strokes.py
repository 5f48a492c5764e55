"""Strokes on a map of places and paths as edits of its text. An edit changes only the lines of the places and paths
concerned."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence

from fcbdsl.base.records import dataclass
from fcbdsl.editor.lsp.refactoring import RowEdit, apply_row_edits
from fcbdsl.editor.lsp.word_places import in_file
from fcbdsl.editor.painter.map_text import MapText
from fcbdsl.editor.painter.strokes import (
    CannotPaint,
    FillStroke,
    MarkStroke,
    content_after,
    indent_of,
    inserted_rows,
    removed_rows,
    replaced_words,
)
from fcbdsl.language.model.lines import atoms, head_atoms, leading_parts, tail_parts
from fcbdsl.language.syntax.formatting import quote
from fcbdsl.language.syntax.tree import Line, Part, String, Word

MOST_TITLE = 60
"""Most characters of the title of a place."""
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
_LANGUAGE = re.compile(r"[a-z]{2}")


@dataclass(frozen=True, slots=True)
class PathStroke:
    """Put a path between two places, or turn the one that they have. `way`: its direction, empty for none."""

    first: str
    second: str
    way: str


@dataclass(frozen=True, slots=True)
class UnlinkStroke:
    """Remove the paths between two places."""

    first: str
    second: str


@dataclass(frozen=True, slots=True)
class PlaceStroke:
    """Add a place, with a path to it from another one (empty: without a path). `way`: the direction of the path."""

    id: str
    titles: Mapping[str, str]
    words: tuple[str, ...]
    origin: str = ""
    way: str = ""


@dataclass(frozen=True, slots=True)
class RemovalStroke:
    """Remove a place and its paths."""

    place: str


@dataclass(frozen=True, slots=True)
class TitleStroke:
    """Give a place titles by language. An empty title is removed."""

    place: str
    titles: Mapping[str, str]


GraphStroke = FillStroke | MarkStroke | PathStroke | UnlinkStroke | PlaceStroke | RemovalStroke | TitleStroke


def paint_graph(drawn: MapText, stroke: GraphStroke) -> str:
    """Return the text of the file after a stroke on a map of places. Raise CannotPaint."""
    places = {cell.id for cell in drawn.board.cells}
    unknown = [place for place in _places_of(stroke) if place and place not in places]
    if unknown:
        raise CannotPaint(f"There is no place {unknown[0]}.")
    match stroke:
        case FillStroke() | MarkStroke():
            edits = _fill(drawn, stroke)
        case PathStroke():
            edits = _path(drawn, stroke)
        case UnlinkStroke(first=first, second=second):
            edits = _unlink(drawn, frozenset((first, second)))
        case PlaceStroke():
            edits = _add(drawn, stroke)
        case RemovalStroke(place=place):
            edits = _remove(drawn, place)
        case TitleStroke():
            edits = _titles(drawn, stroke)
    return apply_row_edits(drawn.text, edits)


def free_id(titles: Mapping[str, str], taken: Collection[str]) -> str:
    """Return a new id for a place with these titles."""
    title = unicodedata.normalize("NFKD", titles.get("en") or next(iter(titles.values()), "") or "place")
    plain = "".join(letter for letter in title if not unicodedata.combining(letter)).lower()
    words = re.findall(r"[^\W_]+", plain.replace("'", "").replace("’", ""))
    id = "-".join(words) or "place"
    id = id if id[0].isalpha() else f"place-{id}"
    return next(name for name in (id, *(f"{id}-{number}" for number in range(2, 10_000))) if name not in taken)


def _places_of(stroke: GraphStroke) -> Iterable[str]:
    match stroke:
        case FillStroke(spaces=spaces) | MarkStroke(spaces=spaces):
            return spaces
        case PathStroke(first=first, second=second) | UnlinkStroke(first=first, second=second):
            return first, second
        case PlaceStroke(origin=origin):
            return (origin,)
        case RemovalStroke(place=place) | TitleStroke(place=place):
            return (place,)


# ── lines ──────────────────────────────────────────────────────────────────────────────────────


def place_line(drawn: MapText, place: str) -> Line:
    """Return the line of a place. Raise CannotPaint if it contains more than the place."""
    line = drawn.place_line(place)
    assert line is not None
    _check_row(drawn, line)
    return line


def _paths(drawn: MapText) -> list[tuple[Line, str, str, str]]:
    """Return the lines of paths, each with its start, its direction and its end."""
    lines = drawn.line_of("paths")
    paths = []
    for line in lines.block if lines is not None else ():
        match () if line.broken else head_atoms(line):
            case (Word(text=first), Word(text=way), Word(text=second)):
                paths.append((line, first, way, second))
            case (Word(text=first), Word(text=second)):
                paths.append((line, first, "", second))
    return paths


def _check_row(drawn: MapText, line: Line) -> None:
    row, column, _, _ = in_file(line.span)
    if line.block or drawn.text.split("\n")[row][:column].strip():
        raise CannotPaint(f"Line {row + 1} contains more than one place or path. Edit its text.")


def _block_end(drawn: MapText, lines: Line) -> tuple[int, str]:
    """Return the row below the last line of a block, and the indentation of its lines."""
    rows = drawn.text.split("\n")
    last = lines.block[-1]
    _check_row(drawn, last)
    return in_file(last.whole)[2] + 1, indent_of(rows[in_file(last.span)[0]])


def _removals(drawn: MapText, lines: Line | None, gone: Sequence[Line]) -> list[RowEdit]:
    """Return the edits that remove lines of a block; without a remaining line also its head."""
    if lines is None or not gone:
        return []
    for line in gone:
        _check_row(drawn, line)
    if len(gone) == len(lines.block):
        first, _, last, _ = in_file(lines.whole)
        return [removed_rows(drawn, first, last)]
    return [removed_rows(drawn, in_file(line.span)[0], in_file(line.span)[2]) for line in gone]


# ── content ────────────────────────────────────────────────────────────────────────────────────


def _fill(drawn: MapText, stroke: FillStroke | MarkStroke) -> list[RowEdit]:
    cells = {cell.id: cell for cell in drawn.board.cells}
    edits = []
    for place in dict.fromkeys(stroke.spaces):
        before = drawn.words_of(cells[place])
        after = content_after(drawn, before, stroke)
        if after == before:
            continue
        line = place_line(drawn, place)
        head = in_file(line.span_of(leading_parts(line)[-1]))[2:]
        parts = [in_file(line.span_of(part)) for part in tail_parts(line)]
        if parts and after:
            edits.append(replaced_words(drawn, parts[0][:2], parts[-1][2:], ", ".join(after)))
        else:
            edits.append(
                replaced_words(drawn, head, parts[-1][2:] if parts else head, f": {', '.join(after)}" if after else "")
            )
    return edits


# ── paths ──────────────────────────────────────────────────────────────────────────────────────


def opposite(drawn: MapText, way: str) -> str:
    """Return the opposite of a declared direction; empty if there is none."""
    names = drawn.board.directions
    return names[(names.index(way) + len(names) // 2) % len(names)] if way in names else ""


def _check_way(drawn: MapText, start: str, end: str, way: str) -> None:
    """Raise CannotPaint if a path cannot have this direction."""
    if not way:
        return
    if drawn.board.directions and way not in drawn.board.directions:
        raise CannotPaint(f"There is no direction `{way}`.")
    for place, other, leads in ((start, end, way), (end, start, opposite(drawn, way))):
        taken = next(
            (b for a, b, took in drawn.board.links if leads and (a, took) == (place, leads) and b != other), ""
        )
        if taken:
            raise CannotPaint(f"A path leads {leads} from {place} to {taken} already.")


def _path_words(first: str, way: str, second: str) -> str:
    return " ".join(word for word in (first, way, second) if word)


def _path(drawn: MapText, stroke: PathStroke) -> list[RowEdit]:
    first, second, way = stroke.first, stroke.second, stroke.way
    if first == second:
        raise CannotPaint("A path leads from one place to another.")
    _check_way(drawn, first, second, way)
    same = [row for row in _paths(drawn) if (row[1], row[3]) == (first, second)]
    back = [row for row in _paths(drawn) if (row[1], row[3]) == (second, first)]
    words = _path_words(first, way, second)
    for line, _, leads, _ in (same or back)[:1]:
        if leads == (way if same else opposite(drawn, way) if way else ""):
            return []
        _check_row(drawn, line)
        spots = [in_file(line.span_of(atom)) for atom in head_atoms(line)]
        return [replaced_words(drawn, spots[0][:2], spots[-1][2:], words)]
    return [_path_insertion(drawn, words)]


def _path_insertion(drawn: MapText, words: str) -> RowEdit:
    paths = drawn.line_of("paths")
    if paths is not None and paths.block:
        row, indent = _block_end(drawn, paths)
        return inserted_rows(drawn, row, f"{indent}{words}\n")
    places = _places(drawn)
    row, indent = _block_end(drawn, places)
    head = indent_of(drawn.text.split("\n")[in_file(places.span)[0]])
    return inserted_rows(drawn, row, f"{head}paths:\n{indent}{words}\n")


def _places(drawn: MapText) -> Line:
    places = drawn.line_of("places")
    assert places is not None
    return places


def _unlink(drawn: MapText, pair: frozenset[str]) -> list[RowEdit]:
    gone = [line for line, first, _, second in _paths(drawn) if {first, second} == pair]
    if not gone:
        raise CannotPaint("There is no path between these places.")
    return _removals(drawn, drawn.line_of("paths"), gone)


# ── places ─────────────────────────────────────────────────────────────────────────────────────


def _add(drawn: MapText, stroke: PlaceStroke) -> list[RowEdit]:
    if stroke.origin:
        _check_way(drawn, stroke.origin, stroke.id, stroke.way)
    titles = {language: title for language, title in stroke.titles.items() if title}
    _check_titles(titles)
    if titles and "en" not in titles:
        raise CannotPaint("Give the title in English, too: it is the first one.")
    words = [f"{stroke.id} {quote(titles.pop('en'))}" if titles else stroke.id]
    words += [f"{language} {quote(title)}" for language, title in titles.items()]
    place = ", ".join(words) + (f": {', '.join(stroke.words)}" if stroke.words else "")
    row, indent = _block_end(drawn, _places(drawn))
    lines = f"{indent}{place}\n"
    if not stroke.origin:
        return [inserted_rows(drawn, row, lines)]
    path = _path_insertion(drawn, _path_words(stroke.origin, stroke.way, stroke.id))
    if path.range[0] <= row:  # the map has no paths yet: both insertions are one
        return [RowEdit(path.name, path.range, _joined(lines, path.text))]
    return [inserted_rows(drawn, row, lines), path]


def _joined(lines: str, below: str) -> str:
    """Return two insertions in one place as one; at the end of a file each begins with its line break."""
    return f"\n{lines.removesuffix(chr(10))}{below}" if below.startswith("\n") else lines + below


def _remove(drawn: MapText, place: str) -> list[RowEdit]:
    if len(drawn.board.cells) == 1:
        raise CannotPaint("A map has at least one place.")
    named = re.compile(rf"(?<![\w-]){re.escape(place)}(?![\w-])")
    rows = drawn.text.split("\n")
    for line in drawn.line.block:
        first, _, last, _ = in_file(line.whole)
        if line in (drawn.line_of("places"), drawn.line_of("paths")):
            continue
        for row in range(first, last + 1):
            if named.search(rows[row].partition("#")[0]):
                raise CannotPaint(f"Line {row + 1} names {place}, too. Remove it there first.")
    paths = [line for line, first, _, second in _paths(drawn) if place in (first, second)]
    return [
        *_removals(drawn, _places(drawn), [place_line(drawn, place)]),
        *_removals(drawn, drawn.line_of("paths"), paths),
    ]


# ── titles ─────────────────────────────────────────────────────────────────────────────────────


def _check_titles(titles: Mapping[str, str]) -> None:
    for language, title in titles.items():
        if not _LANGUAGE.fullmatch(language):
            raise CannotPaint("fcb does not understand this stroke.")
        if len(title) > MOST_TITLE or _CONTROL.search(title) or title != title.strip():
            raise CannotPaint(f"A title has at most {MOST_TITLE} characters, on one line, and no space at its ends.")


def _titles(drawn: MapText, stroke: TitleStroke) -> list[RowEdit]:
    _check_titles(stroke.titles)
    line = place_line(drawn, stroke.place)
    parts = leading_parts(line)
    texts = {language: string for _, language, string in _titled(parts)}
    titles = {language: string.value for language, string in texts.items()} | dict(stroke.titles)
    if not titles.get("en") and any(titles.values()):
        raise CannotPaint("Give the title in English, too: it is the first one.")
    changes: list[tuple[tuple[int, int], tuple[int, int], str]] = []
    added = ""
    for language, title in stroke.titles.items():
        string = texts.get(language)
        if string is not None and title:
            place = in_file(line.span_of(string))
            changes.append((place[:2], place[2:], quote(title)))
        elif string is not None:
            changes.append(_title_removal(line, language))
        elif title and language == "en":
            end = in_file(line.span_of(head_atoms(line)[0]))[2:]
            changes.append((end, end, f" {quote(title)}"))
        elif title:
            added += f", {language} {quote(title)}"
    if added:
        end = in_file(line.span_of(parts[-1]))[2:]
        changes.append((end, end, added))
    return _merged(drawn, sorted(changes, key=lambda change: change[:2]))


def _merged(drawn: MapText, changes: Sequence[tuple[tuple[int, int], tuple[int, int], str]]) -> list[RowEdit]:
    """Return the edit that makes some replacements at once: of words between two places, in their order."""
    if not changes:
        return []
    first, last = changes[0][0], changes[-1][1]
    rows = drawn.text.split("\n")
    if first[0] != last[0]:
        raise CannotPaint("The titles of this place are in several rows. Edit its text.")
    words, at = "", first[1]
    for (_, start), (_, end), text in changes:
        words += rows[first[0]][at:start] + text
        at = end
    return [replaced_words(drawn, first, last, words)] if words != rows[first[0]][first[1] : last[1]] else []


def written_titles(line: Line) -> dict[str, str]:
    """Return the titles in the line of a place, by language."""
    return {language: string.value for _, language, string in _titled(leading_parts(line))}


def _titled(parts: Sequence[Part]) -> Iterable[tuple[int, str, String]]:
    """Yield the titles in the head of a place's line: the number of the part, the language, and the text."""
    for number, part in enumerate(parts):
        match atoms(part):
            case (Word(), String() as string) if number == 0:
                yield number, "en", string
            case (Word(text=language), String() as string) if number and len(language) == 2:
                yield number, language, string


def _title_removal(line: Line, language: str) -> tuple[tuple[int, int], tuple[int, int], str]:
    """Return the replacement that removes a title. Raise CannotPaint if a gender or a plural belongs to it."""
    parts = leading_parts(line)
    titled = {number: name for number, name, _ in _titled(parts)}
    number = next(at for at, name in titled.items() if name == language)
    if number + 1 < len(parts) and number + 1 not in titled:
        raise CannotPaint("A gender or a plural belongs to this title. Edit its text.")
    start = in_file(line.span_of(parts[number - 1]))[2:] if number else in_file(line.span_of(head_atoms(line)[0]))[2:]
    return start, in_file(line.span_of(parts[number]))[2:], ""
