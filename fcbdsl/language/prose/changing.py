"""Dependence analysis: whether the value of a local is unchanged where the local is used."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field

from fcbdsl.base.records import dataclass
from fcbdsl.language.model import ir
from fcbdsl.language.model.declarations import Form
from fcbdsl.language.model.ir.operators import reads_slot

Matters = dict[str, None]
"""Things that may change: fields and locals by their names, and `WORLD`, in order (a set has none)."""
PLACES, GROUND, ZONES, PRESENCE, EVERYTHING = "@places", "@ground", "@zones", "@presence", "@everything"
MOVED = "@moved"
"""The space of a thing; for a thing that has left the board, its last space."""
WORLD = (PLACES, GROUND, ZONES, PRESENCE)
COUNTERS = "@counters"

_WRITES: dict[str, tuple[str, ...]] = {
    "place": (PLACES, PRESENCE, MOVED),
    "remove": (PLACES, PRESENCE, ZONES),
    "put-top": (ZONES, PRESENCE, PLACES),
    "put-bottom": (ZONES, PRESENCE, PLACES),
    "shuffle": (ZONES,),
    "set-holder": (PRESENCE, ZONES),
    "set-terrain": (GROUND,),
    "set-barrier": (GROUND,),
    "set-side": (GROUND,),
    "track-add": ("value",),
    "track-sub": ("value",),
}
"""Effects of the native ops of verbs; ops that are not listed may change everything."""
_FIXED = ("lowest", "highest", "opposite", "turned", "ladder-shift", "ladder-rung", "die-sure", "symbols", "group",
          "marked", "joined", "side-between", "side-ends", "spaces-of", "sides-of")  # fmt: skip
_OF_ZONES = ("top", "contents", "size", "zone-holding", "in-zone")
"""Native relations and measures that read zones; the others read positions."""


@dataclass(slots=True)
class Dependence:
    """Finds the reads and writes of trees, each form once. `meant`: returns the value of a local, if it is known."""

    meant: Callable[[ir.Expr], ir.Expr] | None = None
    _known: dict[tuple[int, bool], Matters] = field(default_factory=dict)

    def reads(self, tree: object) -> Matters:
        """Return what a value depends on."""
        dependencies: Matters = {}
        for node in ir.walk(tree):
            match node:
                case ir.Var():
                    meant = self.meant(node) if self.meant is not None else node
                    dependencies |= self.reads(meant) if meant is not node else {_local(node.slot): None}
                case ir.Get():
                    dependencies[MOVED if node.field.id == "place" else node.field.id] = None
                    if node.field.sort in {"status", "token"}:
                        dependencies[COUNTERS] = None
                case ir.Select() if node.source is None and node.type.base == "thing":
                    dependencies[PRESENCE] = None
                case ir.Apply():
                    dependencies |= self._of_form(node.form, writing=False)
        return dependencies

    def writes(self, tree: object) -> Matters:
        """Return what statements change, or a value that does something."""
        changed: Matters = {}
        for node in ir.walk(tree):
            match node:
                case ir.Assign():
                    changed[node.target.field.id] = None
                case ir.Do(form=form) if form.op in {"add-counter", "clear-counter"}:
                    sort = node.args[0]
                    changed[sort.label if isinstance(sort, ir.Const) and sort.label else COUNTERS] = None
                case ir.Do() | ir.Apply():
                    changed |= self._of_form(node.form, writing=True)
                case ir.Let() | ir.Choose() | ir.ForEach() | ir.Roll() if node.var is not None:
                    changed[_local(node.var.slot)] = None
        return changed

    def _of_form(self, form: Form, *, writing: bool) -> Matters:
        key = (id(form), writing)
        if key not in self._known:
            self._known[key] = {}  # a recursive form has no further effects
            self._known[key] = self._dependencies_of(form, writing=writing)
        return self._known[key]

    def _dependencies_of(self, form: Form, *, writing: bool) -> Matters:
        if form.body is not None:
            inner = Dependence(_known=self._known)
            dependencies = inner.writes(form.body) if writing else inner.reads(form.body)
            return {name: None for name in dependencies if not name.startswith("@local")}
        if form.sort in {"relation", "measure"}:
            if form.op == "new-record":
                return {EVERYTHING: None}
            if writing or form.op in _FIXED:
                return {}
            return dict.fromkeys((ZONES,) if form.op in _OF_ZONES else WORLD)
        return dict.fromkeys(_WRITES.get(form.op, (EVERYTHING,)) if form.op and writing else ())

    def spoils(self, statements: Sequence[ir.Stmt], slot: int, value: ir.Expr) -> bool:
        """Return whether the value of a local could differ from its current one where the local is used."""
        if any(isinstance(node, ir.Let) and node.var.slot == slot for node in ir.walk(tuple(statements))):
            return True
        uses = sum(isinstance(node, ir.Var) and node.slot == slot for node in ir.walk(tuple(statements)))
        if self.writes(value) and uses > 1:
            return True
        return self._scan(statements, slot, self.reads(value), dirty=False)[0]

    def _scan(self, statements: Sequence[ir.Stmt], slot: int, reads: Matters, *, dirty: bool) -> tuple[bool, bool]:
        """Return whether the local is read after its dependencies have changed, and whether they have changed at the
        end."""
        for statement in statements:
            bodies = [part for part in ir.children(statement) if isinstance(part, ir.Body)]
            head = [part for part in ir.children(statement) if not isinstance(part, ir.Body)]
            if dirty and reads_slot(tuple(head) if bodies else statement, slot):
                return True, dirty
            changes = self._touch(self.writes(statement), reads)
            if not bodies:
                nested = isinstance(statement, ir.Until | ir.ChooseOne | ir.AnyOrder | ir.Roll | ir.Play)
                if nested and changes and reads_slot(statement, slot):
                    return True, True
            elif (
                isinstance(statement, ir.ForEach | ir.Repeat)
                and changes
                and any(reads_slot(body, slot) for body in bodies)
            ):
                return True, True
            for body in bodies:
                spoilt, _ = self._scan(body.statements, slot, reads, dirty=dirty)
                if spoilt:
                    return True, True
            dirty = dirty or changes
        return False, dirty

    def _touch(self, written: Matters, reads: Matters) -> bool:
        if EVERYTHING in written or EVERYTHING in reads:
            return bool(written) and bool(reads)
        return any(name in reads for name in written)


def _local(slot: int) -> str:
    return f"@local {slot}"
