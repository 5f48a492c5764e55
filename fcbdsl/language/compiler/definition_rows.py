"""Lowering of cards, figures, missions, parts and tracks to rows of the program."""

from __future__ import annotations

from collections import Counter
from dataclasses import field, replace

from fcbdsl.base.records import dataclass
from fcbdsl.language.compiler import bodies, rows, value_codes
from fcbdsl.language.compiler.assembler import SELF_THIS, SlotLayout, open_frame
from fcbdsl.language.compiler.lowering_context import ColumnOfKind, Unit
from fcbdsl.language.compiler.numbering import Entry
from fcbdsl.language.compiler.planning import constant_fold
from fcbdsl.language.model import ir
from fcbdsl.language.model.content import Board, Definition, Track, Value
from fcbdsl.language.model.geometry import numbers_of
from fcbdsl.language.model.ir import Expr
from fcbdsl.machine.vm import program as vm


@dataclass(slots=True)
class Written:
    """The table rows of definitions."""

    definitions: list[vm.Definition] = field(default_factory=list)
    boards: list[vm.Board] = field(default_factory=list)
    tracks: list[vm.Track] = field(default_factory=list)
    tiers: list[vm.Tier] = field(default_factory=list)


def lower_definitions(unit: Unit) -> Written:
    """Lower every definition with its parts and tracks, behavior included."""
    written = Written()
    for number, entry in enumerate(unit.entries):
        place_board(unit, _board_of(unit, entry))
        if isinstance(entry.source, Track):
            written.definitions.append(_track_definition(unit, entry))
            _track(unit, written, number, entry)
        else:
            written.definitions.append(_definition(unit, written, number, entry, entry.source))
    place_board(unit, None)
    for number, count in _begun_with(unit, written.definitions).items():
        row = written.definitions[number]
        written.definitions[number] = replace(row, copies=max(row.copies, count))
    return written


def _begun_with(unit: Unit, definitions: list[vm.Definition]) -> Counter[int]:
    """Return the number of copies of each definition that zones contain at the start."""
    out: Counter[int] = Counter()
    for kind_id, name in unit.zones.values():
        starts = unit.model.kinds[kind_id].zones[name].starts if kind_id else None
        if starts is None:
            continue
        column = unit.field(starts)
        for row, entry in zip(definitions, unit.entries, strict=True):
            if unit.descends(entry.kind.id, kind_id):
                for listed in dict(row.lists).get(column, ()):
                    out[listed] += row.copies
    return out


def place_board(unit: Unit, board: Board | None) -> None:
    """Resolve names of spaces on `board` from now on."""
    unit.cells = numbers_of(board) if board is not None else {}


def _board_of(unit: Unit, entry: Entry) -> Board | None:
    while entry.owner >= 0:
        entry = unit.entries[entry.owner]
    if not isinstance(entry.source, Definition):
        return None
    if entry.source.board is None and entry.source.target is not None:
        return entry.source.target.board
    return entry.source.board


def _definition(unit: Unit, written: Written, number: int, entry: Entry, source: Definition) -> vm.Definition:
    name = f"{entry.kind.id} {entry.id}"
    values: list[tuple[int, int]] = []
    lists: list[tuple[int, tuple[int, ...]]] = []
    copies = 1
    for column in unit.columns_of(entry.kind):
        value = source.values.get(column.declared.id)
        if value is None and column.declared.default is not None:
            value = Value(column.declared, column.declared.default)
        if column.declared.id == "copies":
            copies = 1 if value is None or value.expr is None else constant_value(unit, value.expr)
        if value is not None and column.declared.sort == "field":
            _value(unit, name, column, value, values, lists)
    behave(unit, source, bodies.Owner("definition", number, name, kind=entry.kind))
    board = -1
    if source.board is not None:
        board = len(written.boards)
        written.boards.append(rows.board(unit, source.board))
    return vm.Definition(
        kind=unit.kind(entry.kind.id),
        id=entry.id,
        copies=copies,
        values=tuple(values),
        lists=tuple(lists),
        parts=tuple(unit.entry_numbers[id(part)] for part in source.parts),
        bearer=unit.entry_numbers[id(source.target)] if source.target is not None else -1,
        owner=entry.owner,
        board=board,
        overrides=tuple((unit.variant(switch), value) for switch, value in source.overrides.items()),
        title=rows.title(unit, source.name),
        span=unit.spans.number(source.span),
        grammar=rows.grammar(unit, source.name),
    )


def behave(unit: Unit, source: Definition, owner: bodies.Owner) -> None:
    """Add the listeners and modifiers of a definition."""
    for modifier in source.modifiers:
        bodies.modifier(unit, modifier, owner)
    for listener in source.listeners:
        bodies.add_listener(unit, listener, owner)


def _value(
    unit: Unit,
    name: str,
    column: ColumnOfKind,
    value: Value,
    values: list[tuple[int, int]],
    lists: list[tuple[int, tuple[int, ...]]],
) -> None:
    """Add the value of one column in one definition, with a name."""
    if column.declared.type.many:
        lists.append((column.number, constant_values(unit, value.expr)))
    else:
        scalar = _scalar(unit, f"{name}, {column.declared.id}", column, value)
        if scalar is not None:
            values.append((column.number, scalar))


def _scalar(unit: Unit, name: str, column: ColumnOfKind, value: Value) -> int | None:
    base = column.declared.type.base
    if value.texts is not None:
        return unit.texts.number(value.texts)
    if base == "effect":
        if value.body is None or not value.body.statements:
            return None
        return bodies.effect(unit, name, value.body, owned=column.owned)
    if base == "condition" or base == "formula":
        if value.body is not None:
            return bodies.answering(unit, name, value.body)
        return value_codes.value_code(unit, name, value.expr) if value.expr is not None else None
    return constant_value(unit, value.expr) if value.expr is not None else None


def constant_value(unit: Unit, expr: Expr) -> int:
    """Return the value of a constant expression."""
    if isinstance(expr, ir.Const):
        return unit.constant(expr)
    number = constant_fold(open_frame(unit, "constant", SELF_THIS), expr)
    assert number is not None, f"not a constant: {expr!r}"
    return number


def constant_values(unit: Unit, expr: Expr | None) -> tuple[int, ...]:
    """Return the values of a constant list."""
    if expr is None:
        return ()
    if isinstance(expr, ir.ListOf):
        return tuple(number for item in expr.items for number in constant_values(unit, item))
    return (constant_value(unit, expr),)


def guard_values(unit: Unit, first: int, end: int) -> dict[int, list[tuple[int, int]]]:
    """Return the values of the hidden guard columns `first` to `end`: (column, code) pairs by definition."""
    out: dict[int, list[tuple[int, int]]] = {}
    for effect, guard in unit.guard_fields()[first:end]:
        column = unit.columns[effect]
        for number, entry in enumerate(unit.entries):
            if isinstance(entry.source, Definition) and unit.descends(entry.kind.id, column.field.kind):
                value = entry.source.values.get(column.field.id)
                if value is not None and value.body is not None and value.body.statements:
                    place_board(unit, _board_of(unit, entry))
                    name = f"{entry.kind.id} {entry.id}, can {column.field.id}"
                    code = value_codes.guard_code(unit, name, (), value.body.statements, SlotLayout(value.body.slots))
                    if code != value_codes.NONE:
                        out.setdefault(number, []).append((guard, code))
    place_board(unit, None)
    return out


# ── tracks ─────────────────────────────────────────────────────────────────────────────────────


def _track_definition(unit: Unit, entry: Entry) -> vm.Definition:
    assert isinstance(entry.source, Track)
    return vm.Definition(
        kind=unit.kind(entry.kind.id),
        id=entry.id,
        owner=entry.owner,
        title=rows.title(unit, entry.source.name),
        span=unit.spans.number(entry.source.span),
    )


def _track(unit: Unit, written: Written, number: int, entry: Entry) -> None:
    track = entry.source
    assert isinstance(track, Track)
    name = f"{track.sort} {track.id}"
    track_number = len(written.tracks)
    steps = []
    for at, body in track.steps:
        code = bodies.effect(unit, f"{name}, at {', '.join(map(str, at))}", body)
        steps += [(value, code) for value in at]
    end = value_codes.NONE if track.end is None else bodies.effect(unit, f"{name}, at end", track.end)
    written.tracks.append(vm.Track(number, track.low, track.high, tuple(steps), end))
    for listener in track.listeners:
        bodies.add_listener(unit, listener, bodies.Owner("definition", entry.owner, name))
    for tier in track.tiers:
        at_tier = f"{name}, tier {tier.at}"
        owner = bodies.Owner("tier", len(written.tiers), at_tier)
        written.tiers.append(
            vm.Tier(
                track=track_number,
                at=tier.at,
                locked=tier.locked,
                enter=value_codes.NONE if tier.enter is None else bodies.effect(unit, f"{at_tier}, enter", tier.enter),
                leave=value_codes.NONE if tier.leave is None else bodies.effect(unit, f"{at_tier}, leave", tier.leave),
                title=rows.title(unit, tier.name),
            )
        )
        for modifier in tier.modifiers:
            bodies.modifier(unit, modifier, owner)
        for heard in tier.listeners:
            bodies.add_listener(unit, heard, owner)
