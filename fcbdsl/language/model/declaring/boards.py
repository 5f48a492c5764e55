"""Maps: drawings, legends and lists are read into boards."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field

from fcbdsl.base import bounds
from fcbdsl.base.diagnostics import Diagnostic
from fcbdsl.base.diagnostics.declarations import MissingField, RepeatedLine, WrongPlace
from fcbdsl.base.diagnostics.suggestions import suggest
from fcbdsl.base.diagnostics.values import (
    BadGlyph,
    NoArt,
    NotNeighbours,
    PieceTwice,
    TwoPathsOneWay,
    UnknownGlyph,
    UnknownMap,
    UnknownMapSpace,
    UnusedGlyph,
)
from fcbdsl.base.records import dataclass
from fcbdsl.base.source import Span
from fcbdsl.base.words import NETS, SHAPES, one_of
from fcbdsl.language.model.content import Board, Cell, Value
from fcbdsl.language.model.declarations import NOWHERE, Field, Name, Terrain
from fcbdsl.language.model.declaring.art import INCOMPLETE, PLAIN, Drawing, draw_areas, draw_hexes, draw_squares
from fcbdsl.language.model.declaring.blocks import read_block
from fcbdsl.language.model.declaring.context import Context
from fcbdsl.language.model.declaring.setting import plain_value, sample_value
from fcbdsl.language.model.geometry import numbers_of, shape_of
from fcbdsl.language.model.ir import FLAG, Const, Def
from fcbdsl.language.model.lines import (
    atoms,
    clause_words,
    head_atoms,
    leading_parts,
    read_more_titles,
    single_word,
    tail_parts,
)
from fcbdsl.language.model.whole import Model
from fcbdsl.language.syntax.tree import Atom, Line, Number, Part, Side, String, Word

_NEVER = "incomplete"


@dataclass(slots=True)
class _Meaning:
    """The meaning of a glyph."""

    line: Line
    span: Span
    terrain: str = ""
    barrier: str = ""
    tokens: dict[str, int] = field(default_factory=dict)
    marks: list[str] = field(default_factory=list)
    places: list[str] = field(default_factory=list)
    regions: list[str] = field(default_factory=list)
    values: dict[str, Value] = field(default_factory=dict)
    used: bool = False

    def apply(self, board: Board, cell: Cell) -> None:
        """Apply this meaning to a space."""
        self.used = True
        cell.terrain = self.terrain
        cell.tokens, cell.marks, cell.places = dict(self.tokens), list(self.marks), list(self.places)
        cell.values = dict(self.values)
        for region in self.regions:
            board.regions.setdefault(region, []).append(cell.id)


def declare_ground(model: Model) -> None:
    """Add the terrain of cells that are no spaces, which every map has, to a model."""
    if _NEVER not in model.terrains:
        model.terrains[_NEVER] = Terrain(_NEVER, NOWHERE, blocks_movement=True, on_board=False, system="core")


MAP_LINES = ("art", "legend", "zone", "route", "places", "paths")
"""First words of the lines of a map, besides its barriers and marks."""


def read_board(context: Context, line: Line) -> Board | None:
    """Read ``map hex:`` and its block. Equal maps, which many tests have, are read once."""
    text = line.source.text[line.offset : line.whole.end]
    first: Board | None = context.boards.get(text)
    if first is not None:
        return _moved(first, line)
    before = context.problems.recorded
    board = _read_map(context, line)
    if board is not None and context.problems.recorded == before and _moves_easily(board):
        context.boards[text] = board
    return board


def _moves_easily(board: Board) -> bool:
    """Return whether only the spaces of a board and itself have places."""
    return board.sort != "graph" and not board.side_values and not any(cell.values for cell in board.cells)


def _moved(first: Board, line: Line) -> Board:
    """Return the board of another line with the same text."""
    source, shift = line.source, line.offset - first.span.start
    cells = [
        Cell(
            cell.id, cell.x, cell.y, cell.terrain, dict(cell.tokens), [*cell.marks], [*cell.places],
            span=cell.span and Span(source, cell.span.start + shift, cell.span.end + shift), covers=cell.covers,
        )
        for cell in first.cells
    ]  # fmt: skip
    return Board(
        first.sort, cells, dict(first.sides), [*first.links], _copied(first.zones), line.span, first.art, first.shifted,
        [*first.joins], [*first.routes], first.directions, _copied(first.regions), corners=[*first.corners],
        original=first,
    )  # fmt: skip


def _copied(groups: dict[str, list[str]]) -> dict[str, list[str]]:
    return {name: [*spaces] for name, spaces in groups.items()}


def _read_map(context: Context, line: Line) -> Board | None:
    """Read a map whose text is new."""
    words = clause_words(line.head) if line.head is not None else clause_words(line.tail[0])
    name = words[1] if len(words) == 2 else " ".join(words[1:])
    sort = one_of(SHAPES, name)
    if sort is None:
        context.report(UnknownMap(line.span, name=name, suggestion=suggest(name, SHAPES)))
        return None
    board = Board(sort, [], {}, [], {}, line.span)
    lines: dict[str, Line] = {}
    walls: list[Line] = []
    zones: list[Line] = []
    joins: list[Line] = []
    regions: list[Line] = []

    def keep(key: str) -> Callable[[Line], None]:
        return lambda inner: lines.__setitem__(key, inner)

    keys = ("places", "paths") if sort == "graph" else ("art", "legend")
    often: dict[str, Callable[[Line], None]] = {"zone": zones.append, "route": zones.append}
    often |= dict.fromkeys(context.model.barriers, walls.append)
    often |= dict.fromkeys(context.model.marks, joins.append)
    often |= dict.fromkeys(_region_kinds(context), regions.append)
    read_block(context, line, "a map", {key: keep(key) for key in keys}, often)
    if keys[0] not in lines:
        if not any(inner.broken for inner in line.block):
            context.report(NoArt(line.span, what=keys[0], key=keys[0] + ":" + (" |" if sort != "graph" else "")))
        return None
    if sort == "graph":
        if not context.within(line.span, bounds.SPACES, "This map has", len(lines["places"].block), "spaces"):
            return None
        _graph(context, board, lines)
    elif not _read_drawing(context, board, lines, [name for line in zones for name in _group(line)]):
        return None
    for inner in walls:
        _walls(context, board, inner)
    for inner in joins:
        _joins(context, board, inner)
    for inner in zones:
        _zone(context, board, inner)
    for inner in regions:
        _region(context, board, inner)
    _check_values(context, board)
    return board


# ── drawings ───────────────────────────────────────────────────────────────────────────────────


def _group(line: Line) -> tuple[str, ...]:
    """Return the name of the group of spaces that a line declares, if any."""
    return clause_words(line.head)[1:2] if line.head is not None else ()


def _read_drawing(context: Context, board: Board, lines: dict[str, Line], groups: Sequence[str]) -> bool:
    """Fill a board from its drawing; False if there is none. `groups`: names of its zones and routes."""
    art = lines["art"]
    if art.raw is None:
        context.report(NoArt(art.span, what="drawing", key="art: |"))
        return False
    if not context.within(art.span, bounds.DRAWING, "This drawing has", len(art.raw), "characters"):
        return False
    wrong: list[Diagnostic] = []
    drawing = _draw(board.sort, art, wrong.append)
    for finding in wrong:
        context.report(finding)
    if not context.within(board.span, bounds.SPACES, "This map has", len(drawing.spaces), "spaces"):
        return False
    furthest = max((max(abs(glyph.x), abs(glyph.y)) for glyph in drawing.spaces), default=0)
    if not context.within(art.span, bounds.COORDINATE, "A space lies", furthest, "columns or rows from the first"):
        return False
    board.art, board.shifted = art.raw, drawing.shifted
    shared = _shared_legend(context, board.sort)
    own = _legend(context, lines["legend"], board.sort, groups) if "legend" in lines else {}
    meanings = shared | own
    broken = "legend" in lines and any(line.broken for line in lines["legend"].block)
    reported: set[str] = set()
    for glyph in drawing.spaces:
        meaning = meanings.get(glyph.text)
        cell = Cell(glyph.id, glyph.x, glyph.y, "", span=glyph.span, covers=glyph.covers)
        board.cells.append(cell)
        if meaning is not None:
            meaning.apply(board, cell)
        elif glyph.text == INCOMPLETE:
            cell.terrain = _NEVER
        elif glyph.text != PLAIN and board.sort != "areas" and glyph.text not in reported and not broken:
            reported.add(glyph.text)
            context.report(UnknownGlyph(glyph.span, glyph=glyph.text))
    _drawn_sides(context, board, drawing, meanings)
    board.links = [(a, b, "") for a, b in drawing.links]
    board.corners = drawing.corners
    for text, meaning in own.items():
        if not meaning.used:
            context.report(UnusedGlyph(meaning.span, glyph=text))
    if not drawing.spaces:
        if not wrong:
            context.report(NoArt(art.span, what="spaces", key="art: |"))
        return False
    return True


def _draw(sort: str, art: Line, report: Callable[[Diagnostic], None]) -> Drawing:
    if sort == "hex":
        return draw_hexes(art, report)
    return draw_areas(art) if sort in NETS else draw_squares(art, report)


def _drawn_sides(context: Context, board: Board, drawing: Drawing, meanings: dict[str, _Meaning]) -> None:
    """Read the sides drawn in a square map; the same wall may be drawn ``|`` and ``--``."""
    reported: set[str] = set()
    for a, b, text, span in drawing.sides:
        key = text if text in meanings else "|" if set(text) == {"-"} else "-" * 2 if text == "|" else text
        meaning = meanings.get(key) or meanings.get("-")
        if meaning is not None and meaning.barrier:
            meaning.used = True
            board.sides[a, b] = meaning.barrier
            if meaning.values:
                board.side_values[a, b] = meaning.values
        elif text not in reported:
            reported.add(text)
            context.report(UnknownGlyph(span, glyph=text))


def _shared_legend(context: Context, sort: str) -> dict[str, _Meaning]:
    """Return the meanings in the system's ``legend:``, which hold on every map; they are read once."""
    cached: dict[str, _Meaning] | None = context.legends.get(sort)
    if cached is not None:
        return cached
    meanings: dict[str, _Meaning] = {}
    before = context.problems.recorded
    for declaration in context.index.of("legend"):
        meanings |= _legend(context, declaration.line, sort)
    if context.problems.recorded == before:  # else each map reports the mistakes
        context.legends[sort] = meanings
    return meanings


def shared_words(context: Context) -> Iterator[str]:
    """Yield the words that the legends of systems use."""
    for declaration in context.index.of("legend"):
        for line in declaration.line.block:
            for part in tail_parts(line):
                yield from (atom.text for atom in atoms(part) if isinstance(atom, Word))


def _legend(context: Context, legend: Line, sort: str, groups: Sequence[str] = ()) -> dict[str, _Meaning]:
    """Read the lines ``"#": obstacle, elevated`` of a legend."""
    meanings: dict[str, _Meaning] = {}
    for line in legend.block:
        if line.broken:
            continue
        match head_atoms(line):
            case (String(value=text) as string,) if line.head is not None:
                pass
            case _:
                context.malformed(line.span, "an entry of a legend", '"#": NAME, NAME')
                continue
        if text in meanings:
            cure = "The legend already explains it. Remove one of the lines."
            context.report(BadGlyph(line.span_of(string), glyph=text, cure=cure))
        elif not text.strip() or ((sort == "hex" or sort in NETS) and len(text) != 1):
            cure = "Use one character for each space of this map."
            context.report(BadGlyph(line.span_of(string), glyph=text, cure=cure))
        else:
            meanings[text] = _meaning(context, line, line.span_of(string), groups)
    return meanings


def _meaning(context: Context, line: Line, span: Span, groups: Sequence[str]) -> _Meaning:
    meaning = _Meaning(line, span)
    for part in tail_parts(line):
        _explain(context, meaning, line, part, groups)
    return meaning


def _explain(context: Context, meaning: _Meaning, line: Line, part: Part, groups: Sequence[str]) -> None:
    """Add one name of a legend to the meaning of a glyph: a terrain, a token (perhaps several), a mark, or a piece."""
    model = context.model
    meaning_atoms = atoms(part)
    count = 1
    owner = model.kinds["side" if meaning.barrier else "space"]
    given = owner.fields.get(meaning_atoms[0].text) if meaning_atoms and isinstance(meaning_atoms[0], Word) else None
    if len(meaning_atoms) == 2 and isinstance(meaning_atoms[1], Number) and (given is None or given.sort == "token"):
        count = meaning_atoms[1].value
        meaning_atoms = meaning_atoms[:1]
        if not context.within(line.span_of(part), bounds.THINGS, "On one space there would be", count, "of them"):
            return
    word = meaning_atoms[0] if len(meaning_atoms) == 1 and isinstance(meaning_atoms[0], Word) else None
    name = word.text if word is not None else ""
    column = model.kinds["space"].fields.get(name)
    if given is not None and given.sort in {"field", "stat"}:
        _give(context, meaning.values, given, line, part)
    elif title := _set_twice(meaning, name, model):
        context.report(RepeatedLine(line.span_of(part), name=title))
    elif name in model.terrains:
        meaning.terrain = name
    elif name in model.barriers:
        meaning.barrier = name
    elif column is not None and column.sort == "token":
        meaning.tokens[name] = count
    elif name in model.marks:
        meaning.marks.append(name)
    elif name in context.vocabulary.by_id and any(
        context.vocabulary.is_a(definition.kind.id, "region") for definition in context.vocabulary.by_id[name]
    ):
        meaning.regions.append(name)
    elif name in context.vocabulary.by_id:
        meaning.places += [name] * count
        if (there := meaning.places.count(name)) > count:
            context.report(PieceTwice(line.span_of(part), name=name, count=there))
    elif word is None:
        context.malformed(line.span_of(part), "the content of a space", "a terrain, token, mark or piece")
    elif name in groups:
        what = f"`{name}` is a group of spaces, so no character of the drawing can mean it."
        cure = f"Name its spaces (`zone {name}: A1, A2`) and draw them as `.`, or declare `mark {name}`."
        context.report(WrongPlace(line.span_of(part), what=what, cure=cure))
    else:
        candidates = [*model.terrains, *model.barriers, *_tokens(model), *model.marks, *context.vocabulary.by_id]
        context.unknown(line.span_of(part), "terrain, token, mark or piece", name, candidates)


def _set_twice(meaning: _Meaning, name: str, model: Model) -> str:
    """Return the terrain, barrier, token, mark or region that this name would set twice; empty if none."""
    if meaning.terrain and name in model.terrains:
        return "terrain"
    if meaning.barrier and name in model.barriers:
        return "barrier"
    return name if name in meaning.tokens or name in meaning.marks or name in meaning.regions else ""


def _give(context: Context, values: dict[str, Value], field: Field, line: Line, part: Part) -> None:
    """Read ``spawn 3``, or the bare name of a flag: the value of a field, or the start value of a stat."""
    span, rest = line.span_of(part), atoms(part)[1:]
    expr: Const | Def | None = None
    if not rest and field.type == FLAG:
        expr = Const(1, FLAG, span, "yes")
    elif len(rest) == 1:
        expr = plain_value(context, field, line, rest[0])
    if expr is None:
        context.malformed(span, f"a value of `{field.id}`", f"{field.id} {sample_value(context, field)}")
    elif field.id in values:
        context.report(RepeatedLine(span, name=field.id))
    else:
        values[field.id] = Value(field, expr, span=span)


def _check_values(context: Context, board: Board) -> None:
    """Report fields that a space must give, and one does not."""
    required = [column for column in context.model.kinds["space"].fields.values() if column.required]
    for column in required:
        lacking = next((cell for cell in board.cells if column.id not in cell.values), None)
        if lacking is not None:
            lines = f"`{column.id} {sample_value(context, column)}` to what the map says of it,"
            problem = MissingField(board.span, kind="The space", id=lacking.id, fields=f"`{column.id}`", lines=lines)
            context.report(problem)


def _tokens(model: Model) -> list[str]:
    return [field.id for field in model.kinds["space"].fields.values() if field.sort == "token"]


# ── graphs ─────────────────────────────────────────────────────────────────────────────────────


def _graph(context: Context, board: Board, lines: dict[str, Line]) -> None:
    """Fill a board from its places and paths."""
    for line in lines["places"].block:
        if line.broken:
            continue
        name = Name()
        match head_atoms(line):
            case (Word(text=id) as word,) if len(leading_parts(line)) == 1:
                name.title["en"] = id.replace("-", " ")
            case (Word(text=id) as word, String(value=title)) if read_more_titles(name, leading_parts(line)[1:], "en"):
                name.title["en"] = title
            case _:
                context.malformed(line.span, "a place", 'NAME "Title", fr "Titre": terrain, mark')
                continue
        meaning = _meaning(context, line, line.span_of(word), ()) if line.head else _Meaning(line, line.span)
        if any(cell.id == id for cell in board.cells):
            context.report(RepeatedLine(line.span_of(word), name=id))
            continue
        cell = Cell(id, len(board.cells), 0, "", span=line.span, name=name)
        meaning.apply(board, cell)
        board.cells.append(cell)
    board.directions = tuple(context.model.directions) if context.model.board == "graph" else ()
    spans: dict[tuple[str, str], Span] = {}
    for line in lines["paths"].block if "paths" in lines else ():
        if not line.broken:
            _path(context, board, line, spans)
    _ways_back(context, board, spans)
    ways = dict.fromkeys(way for _, _, way in board.links if way)
    context.within(board.span, bounds.DIRECTIONS, "The paths of this map have", len(ways), "directions")


def _path(context: Context, board: Board, line: Line, spans: dict[tuple[str, str], Span]) -> None:
    """Read ``oak E mill`` or ``oak mill``. `spans`: the places of the paths."""
    match head_atoms(line):
        case (Word() as start, Word() as way, Word() as end):
            direction = way.text
        case (Word() as start, Word() as end):
            way, direction = start, ""
        case _:
            context.malformed(line.span, "a path", "PLACE DIRECTION PLACE")
            return
    ends = [_space(context, board, line, word) for word in (start, end)]
    if start.text == end.text:
        context.malformed(line.span, "a path from one place to another", "PLACE DIRECTION PLACE")
    elif direction and board.directions and direction not in board.directions:
        context.unknown(line.span_of(way), "direction", direction, board.directions)
    elif (start.text, end.text, direction) in board.links:
        context.report(RepeatedLine(line.span, name=" ".join(filter(None, (start.text, direction, end.text)))))
    elif all(ends) and _leads_alone(context, board, (start.text, end.text, direction), line.span):
        board.links.append((start.text, end.text, direction))
        spans[start.text, end.text] = line.span


def _leads_alone(context: Context, board: Board, link: tuple[str, str, str], span: Span) -> bool:
    """Return whether no other path leads from a place in the direction of a link; report it if one does."""
    start, end, way = link
    other = next((b for a, b, taken in board.links if (a, taken) == (start, way) and b != end), "")
    if way and other:
        context.report(TwoPathsOneWay(span, place=start, way=way, first=other, second=end))
    return not (way and other)


def _ways_back(context: Context, board: Board, spans: Mapping[tuple[str, str], Span]) -> None:
    """Add the opposite direction to each path of a declared direction, unless its way back is given."""
    names = board.directions
    for a, b, way in tuple(board.links):
        if way in names and (b, a) not in spans:
            back = (b, a, names[(names.index(way) + len(names) // 2) % len(names)])
            if _leads_alone(context, board, back, spans[a, b]):
                board.links.append(back)


# ── sides and groups ───────────────────────────────────────────────────────────────────────────


def _space(context: Context, board: Board, line: Line, atom: Atom) -> bool:
    """Return whether a space of that name exists; report it if not."""
    assert isinstance(atom, Word)
    return _is_space(context, board, atom.text, line.span_of(atom))


def _is_space(context: Context, board: Board, name: str, span: Span) -> bool:
    ids = [cell.id for cell in board.cells]
    if name in ids:
        return True
    context.report(UnknownMapSpace(span, name=name, suggestion=suggest(name, ids)))
    return False


def _walls(context: Context, board: Board, line: Line) -> None:
    """Read ``door: B1/B2, B2/C2 lock 7``: barriers on sides, perhaps with values of a single barrier."""
    shape, numbers = shape_of(board), numbers_of(board)
    for barrier, first, second, part, span in _pairs(context, board, line, "a side between two spaces"):
        a, b = numbers[first], numbers[second]
        if shape.side(a, b) < 0:
            why = "only meet at a corner" if b in shape.neighbours[a] else "are not adjacent"
            context.report(NotNeighbours(span, first=first, second=second, why=why))
            continue
        for side in ((first, second), (second, first)):
            board.sides.pop(side, None)
            board.side_values.pop(side, None)
        board.sides[first, second] = barrier
        values = _given(context, line, atoms(part)[1:], line.span_of(part))
        if values:
            board.side_values[first, second] = values


def _given(context: Context, line: Line, atoms_given: Sequence[Atom], span: Span) -> dict[str, Value]:
    """Read ``lock 7 shut yes``: values of a side."""
    values: dict[str, Value] = {}
    columns = context.model.kinds["side"].fields
    for name, atom in zip(atoms_given[::2], atoms_given[1::2], strict=False):
        column = columns.get(name.text) if isinstance(name, Word) else None
        if column is None or column.sort not in {"field", "stat"}:
            context.unknown(line.span_of(name), "field of sides", getattr(name, "text", ""), columns)
            return {}
        expr = plain_value(context, column, line, atom)
        if expr is None:
            context.malformed(span, f"a value of `{column.id}`", f"{column.id} {sample_value(context, column)}")
            return {}
        values[column.id] = Value(column, expr, span=span)
    if len(atoms_given) % 2:
        context.malformed(span, "a barrier on a side", "BARRIER: A1/A2 FIELD VALUE")
    return values


def _joins(context: Context, board: Board, line: Line) -> None:
    """Read ``MARK: A1/F4``: both spaces have the mark, and it joins them."""
    cells = {cell.id: cell for cell in board.cells}
    for mark, first, second, part, span in _pairs(context, board, line, "two spaces that a mark joins"):
        if len(atoms(part)) > 1:
            context.malformed(line.span_of(part), "two spaces that a mark joins", f"{mark}: A1/F4")
            continue
        if first == second:
            context.malformed(span, "two spaces that a mark joins", f"{mark}: A1/F4")
            continue
        for cell in (cells[first], cells[second]):
            if mark not in cell.marks:
                cell.marks.append(mark)
        board.joins.append((first, second, mark))


def _pairs(context: Context, board: Board, line: Line, what: str) -> Iterator[tuple[str, str, str, Part, Span]]:
    """Yield the pairs of known spaces in ``NAME: A1/A2, B1/B2``, each with the name and the part that begins with
    it."""
    name = clause_words(line.head)[0] if line.head is not None else ""
    for part in tail_parts(line):
        match atoms(part):
            case (Side(first=first, second=second) as side, *_):
                span = line.span_of(side)
                sides = [_is_space(context, board, space, span) for space in (first, second)]
                if all(sides):
                    yield name, first, second, part, span
            case _:
                context.malformed(line.span_of(part), what, f"{name}: A1/A2")


def _zone(context: Context, board: Board, line: Line) -> None:
    """Read ``zone gate: F3, F4``, a named group of spaces, or ``route beat: F3, F4``, whose order is drawn."""
    head = head_atoms(line)
    name = head[1].text if len(head) == 2 and isinstance(head[1], Word) else ""
    sort = " ".join(clause_words(line.head)[:1]) if line.head is not None else "zone"
    usage = f"{sort} NAME: A1, A2"
    spaces: list[str] = []
    if not name or line.head is None:
        context.malformed(line.span, "a group of spaces", usage)
        return
    for part in tail_parts(line):
        word = single_word(part)
        if word is None:
            context.malformed(line.span_of(part), "a space", usage)
        elif _is_space(context, board, word.text, line.span_of(word)):
            spaces.append(word.text)
    board.zones[name] = spaces
    if sort == "route":
        board.routes.append(name)


def _region_kinds(context: Context) -> list[str]:
    """Return the kinds of regions of a game."""
    return [id for id in context.model.kinds if context.vocabulary.is_a(id, "region")]


def _region(context: Context, board: Board, line: Line) -> None:
    """Read ``room lab: A1, A2``: the spaces of a region."""
    match head_atoms(line):
        case (Word(text=kind), Word(text=id) as word) if line.head is not None:
            usage = f"{kind} {id}: A1, A2"
        case _:
            context.malformed(line.span, "the spaces of a region", "KIND NAME: A1, A2")
            return
    names = [
        definition.id
        for definition in context.model.definitions.values()
        if context.vocabulary.is_a(definition.kind.id, kind)
    ]
    if id not in names:
        context.unknown(line.span_of(word), kind, id, names)
        return
    spaces = board.regions.setdefault(id, [])
    for part in tail_parts(line):
        name = single_word(part)
        if name is None:
            context.malformed(line.span_of(part), "a space", usage)
        elif _is_space(context, board, name.text, line.span_of(name)) and name.text not in spaces:
            spaces.append(name.text)


def check_sort(context: Context, boards: Sequence[Board]) -> None:
    """Report maps whose grid is not that of the game's boards."""
    for board in boards:
        if context.model.system not in {"", "core"} and board.sort != context.model.board:
            what = f"The maps of `{context.model.system}` are {context.model.board}, but this one is {board.sort}."
            context.report(WrongPlace(board.span, what=what, cure=f"Draw it as `map {context.model.board}:`."))
