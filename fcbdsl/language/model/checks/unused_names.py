"""Declarations that no map shows and no behavior names: marks, regions, grounds, zones, dice, stats and kinds."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import field
from typing import Final

from fcbdsl.base.diagnostics.base import Diagnostic
from fcbdsl.base.diagnostics.dead import NeverChanged, UnusedName
from fcbdsl.base.records import dataclass
from fcbdsl.base.source import Span
from fcbdsl.language.model import ir
from fcbdsl.language.model.content import Board, Definition
from fcbdsl.language.model.ir import ByClass, walk
from fcbdsl.language.model.roots import Walked, system_files
from fcbdsl.language.model.whole import Model

_REGION: Final = "region"
_LABELS: Final = ("mark", "terrain", "barrier", "counter", "kind")
"""Bases of constants that name something."""
_CHANGING: Final = ("stat", "status", "token")
_SHOWN: Final = 'Name it in the legend of a map, such as `"x": {name}`, or in a text, or remove it.'
_SPREAD: Final = "Give it spaces of a map, or remove it."
_NAMED: Final = "Name it in an effect or a condition, or remove it."
_DEFINED: Final = 'Declare something of that kind, such as `{name} my-{name} "Title":`, or remove it.'
_TYPED: Final = "Use it as the type of a field, or remove it."


@dataclass(frozen=True, slots=True)
class _Candidate:
    """Something that needs a use: its sort, its key among the used names, its name and place, and the advice."""

    sort: str
    key: tuple[str, str]
    name: str
    span: Span
    cure: str


def unused_names(model: Model, walked: Sequence[Walked], named: Collection[str]) -> Iterator[Diagnostic]:
    """Yield declarations of the project that nothing uses; tests do not count.

    A system is made for the content of other projects, too: its declarations are skipped. `walked`: the behavior of
    the model (see `walked_roots`). `named`: ids of things that behavior or a map names.
    """
    systems = system_files(model)
    own = [row for row in _candidates(model) if row.name not in named and row.span.source.name not in systems]
    own = [row for row in own if not model.is_lent(row.span) and not model.proof_of(row.span)]
    if not own:
        return
    uses = _Used(model, walked)
    for is_own in (True, False):
        own = [row for row in own if not uses.settles(row)]
        if own:
            uses.read(is_own)
    for row in own:
        if uses.settles(row):
            continue
        if row.key in uses.names:
            yield NeverChanged(row.span, name=row.name)
        elif row.name not in model.legends:
            yield UnusedName(row.span, sort=row.sort, name=row.name, cure=row.cure.format(name=row.name))


def _candidates(model: Model) -> Iterator[_Candidate]:
    for mark in model.marks.values():
        if not mark.entry:
            yield _Candidate("mark", ("mark", mark.id), mark.id, mark.span, _SHOWN)
    for sort, grounds in (("terrain", model.terrains), ("barrier", model.barriers)):
        for ground in grounds.values():
            yield _Candidate(sort, (sort, ground.id), ground.id, ground.span, _SHOWN)
    for (kind_id, id), definition in model.definitions.items():
        if definition.kind.is_a(_REGION):
            yield _Candidate(kind_id, (_REGION, id), id, definition.span, _SPREAD)
    for zone in model.zones.values():
        if zone.starts is None and not zone.kept:
            yield _Candidate("zone", ("zone", zone.id), zone.id, zone.span, _NAMED)
    for die in model.dice.values():
        yield _Candidate("die", ("die", die.id), die.id, die.span, _NAMED)
    for enum in model.enums.values():
        yield _Candidate("enum", ("enum", enum.id), enum.id, enum.span, _TYPED)
    for kind in model.kinds.values():
        if kind.part_of is None:
            yield _Candidate("kind", ("kind", kind.id), kind.id, kind.span, _DEFINED)
        for column in kind.fields.values():
            has_effect = column.listeners or column.modifiers or column.kept or column.heads
            if column.sort in _CHANGING and column.kind == kind.id and not has_effect:
                yield _Candidate(column.sort, ("column", column.id), column.id, column.span, _NAMED)
        for zone in kind.zones.values():
            if zone.starts is None and not zone.kept:
                yield _Candidate("zone", ("zone", zone.id), zone.id, zone.span, _NAMED)


@dataclass(slots=True)
class _Used:
    """The names that a model uses outside of tests."""

    model: Model
    walked: Sequence[Walked]
    names: dict[tuple[str, str], None] = field(default_factory=dict)
    changed: dict[str, None] = field(default_factory=dict)  # stats that effects, maps or definitions set

    def settles(self, row: _Candidate) -> bool:
        """Return whether the uses that were read so far are enough for something."""
        return row.key in self.names and (row.sort != "stat" or row.name in self.changed)

    def read(self, own: bool) -> None:
        """Read the behavior in the files of the project (`own`), or in all others; the first is most often enough."""
        for owner, _, nodes in self.walked:
            if (owner is not None and not self.model.is_lent(owner.span)) == own:
                self._note(nodes)

    def __post_init__(self) -> None:
        for ladder in self.model.ladders.values():
            self.names |= {("die", die): None for die in ladder.dice}
        for definition in self.model.definitions.values():
            if not self.model.proof_of(definition.span):
                self._note_definition(definition)
        for kind in self.model.kinds.values():
            for column in kind.fields.values():
                self._note_type(column.type)
            for zone in kind.zones.values():
                self.note_kind(zone.holds)
            self.note_kind(kind.held or "")
        for zone in self.model.zones.values():
            self.note_kind(zone.holds)
        params = [form.params for form in self.model.forms] + [event.params for event in self.model.events.values()]
        for param in (param for listed in params for param in listed):
            self._note_type(param.type)
        for layout in self.model.layouts.values():
            words = (word for parts in layout.settings.values() for part in parts for word in part)
            self.names |= {("column", word): None for word in words}

    def _note(self, nodes: Iterable[ir.Node]) -> None:
        """Record the names in the nodes of a piece of behavior."""
        for node in nodes:
            note = _NOTES.get(node.__class__)
            if note is not None:
                note(self, node)

    def _note_definition(self, definition: Definition) -> None:
        self.note_kind(definition.kind.id)
        self.changed |= dict.fromkeys(definition.values)
        for value in definition.values.values():
            self._note(walk(value.expr))
        for part in definition.parts:
            self._note_definition(part)
        if definition.board is not None:
            self._note_map(definition.board)

    def _note_map(self, board: Board) -> None:
        self.names |= {(_REGION, id): None for id in board.regions}
        self.names |= {("barrier", id): None for id in board.sides.values()}
        self.names |= {("mark", mark): None for _, _, mark in board.joins}
        for cell in board.cells:
            self.names["terrain", cell.terrain] = None
            self.names |= {("mark", mark): None for mark in cell.marks}
            self.names |= {("column", id): None for id in (*cell.tokens, *cell.values)}
            self.changed |= dict.fromkeys(cell.values)
        for values in board.side_values.values():
            self.names |= {("column", id): None for id in values}
            self.changed |= dict.fromkeys(values)

    def note_kind(self, id: str) -> None:
        """Record a kind and the kinds above it."""
        kind = self.model.kinds.get(id)
        for above in kind.lineage() if kind is not None else ():
            self.names["kind", above.id] = None

    def _note_type(self, type: ir.Type) -> None:
        if type.base == "enum":
            self.names["enum", type.name] = None
        self.note_kind(type.name)


_NOTES = ByClass()
"""Functions that record what a node names, by its class."""


@_NOTES.of(ir.Assign)
def _note_assigned(used: _Used, node: ir.Assign) -> None:
    used.changed[node.target.field.id] = None


@_NOTES.of(ir.Get)
def _note_read(used: _Used, node: ir.Get) -> None:
    used.names["column", node.field.id] = None


@_NOTES.of(ir.Modifier)
def _note_modified(used: _Used, node: ir.Modifier) -> None:
    used.names["column", node.field.id] = None
    used.changed[node.field.id] = None


@_NOTES.of(ir.Const)
def _note_label(used: _Used, node: ir.Const) -> None:
    base = node.type.base
    if base in _LABELS:
        used.names["column" if base == "counter" else base, node.label] = None


@_NOTES.of(ir.ZoneOf)
def _note_zone(used: _Used, node: ir.ZoneOf) -> None:
    used.names["zone", node.zone] = None


@_NOTES.of(ir.IsA)
def _note_asked_kind(used: _Used, node: ir.IsA) -> None:
    used.note_kind(node.kind)


@_NOTES.of(ir.Select)
def _note_selected_kind(used: _Used, node: ir.Select) -> None:
    used.note_kind(node.type.name)
