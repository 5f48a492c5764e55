"""How many instances of each definition a mission can bring into play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import field

from fcbdsl.base.records import dataclass
from fcbdsl.language.model import ir
from fcbdsl.language.model.checks.missions.mission_scene import is_mission_definition
from fcbdsl.language.model.checks.picking import may_pick
from fcbdsl.language.model.content import Board, Definition, Invariant, Preference, Prospect, Test, Value
from fcbdsl.language.model.declarations import Declared, Field, Form, Trait
from fcbdsl.language.model.ir import children, walk
from fcbdsl.language.model.ir.operators import evaluate_constant
from fcbdsl.language.model.roots import roots
from fcbdsl.language.model.whole import Model

_Which = tuple[str, str]
"""Kind and id of a definition."""
_DEEPEST = 8
_READERS = (Test, Preference, Prospect, Invariant)
"""Declarations that bring nothing into play."""


def copies_in_box(model: Model, which: _Which) -> int | None:
    """Return how many copies a card or figure has; None of anything else, or if that is not known."""
    definition = model.definitions.get(which)
    if definition is None or not any(above.id in ("card", "piece") for above in definition.kind.lineage()):
        return None
    value = definition.values.get("copies")
    declared = definition.kind.find("copies")
    expr = value.expr if value is not None else declared.default if declared is not None else None
    return 1 if expr is None else evaluate_constant(expr)


@dataclass(slots=True)
class Stock:
    """The things that each mission can bring into play: those of its map, of its lists, and of the game.

    `anywhere`: definitions that something else than a mission names. `listed`: definitions that the fields and effects
    of a mission name, by the identity of the mission. `rows`: the rows of lists from each of which the set-up takes one
    instance. `picked`: selections of definitions, with the identity of the mission that makes them (0: the game).
    `kinds`: kinds of which any definition may come. `cloned`: kinds of which an effect may bring more of what is in
    play.
    """

    model: Model
    anywhere: dict[_Which, None] = field(default_factory=dict)
    listed: dict[int, dict[_Which, None]] = field(default_factory=dict)
    picked: list[tuple[int, ir.Select]] = field(default_factory=list)
    rows: dict[int, Counter[_Which]] = field(default_factory=dict)
    kinds: dict[str, None] = field(default_factory=dict)
    cloned: dict[str, None] = field(default_factory=dict)
    _once: dict[Field, None] = field(default_factory=dict)
    _known: dict[tuple[str, int], list[tuple[Definition, int]] | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._once = taken_once(self.model)
        for owner, root in roots(self.model):
            if not isinstance(owner, _READERS) and not self._is_proof(owner):
                self._note(owner, root)
        for definition in self.model.definitions.values():
            if self._is_proof(definition):
                continue
            for part in (definition, *definition.parts):
                for value in part.values.values():
                    self._note_value(definition, value)
            if definition.target is not None:
                self._name(definition, (definition.target.kind.id, definition.target.id))
            if definition.board is not None:
                self._note(
                    definition, [value.expr for cell in definition.board.cells for value in cell.values.values()]
                )
                sides = [value.expr for values in definition.board.side_values.values() for value in values.values()]
                self._note(definition, sides)
        for kind in self.model.kinds.values():
            for zone in kind.zones.values():
                if zone.kept:
                    self.kinds[zone.holds] = None
            for column in kind.fields.values():
                if column.kept and column.type.base in ("thing", "definition"):
                    self.kinds[column.type.name] = None

    def _is_proof(self, owner: Declared | None) -> bool:
        span = getattr(owner, "span", None)
        return span is not None and bool(self.model.proof_of(span))

    def _name(self, owner: Declared | None, which: _Which) -> None:
        if isinstance(owner, Definition) and is_mission_definition(owner):
            self.listed.setdefault(id(owner), {})[which] = None
        else:
            self.anywhere[which] = None

    def _note_value(self, owner: Definition, value: Value) -> None:
        """Record what a field names, and for a mission how often its list does."""
        if value.field not in self._once or not is_mission_definition(owner):
            self._note(owner, value.expr)
            return
        rows = self.rows.setdefault(id(owner), Counter())
        for node in walk(value.expr):
            if isinstance(node, ir.Def):
                rows[node.kind, node.id] += 1

    def _note(self, owner: Declared | None, root: object) -> None:
        nodes = walk(root)
        asked = {
            id(inner): None
            for node in nodes
            if isinstance(node, ir.Quantified) or (isinstance(node, ir.Binary) and node.op in ("=", "!="))
            for inner in walk(node)
        }
        mission = id(owner) if isinstance(owner, Definition) and is_mission_definition(owner) else 0
        for node in nodes:
            if id(node) in asked:
                continue  # a question brings nothing into play
            match node:
                case ir.Def(kind=kind, id=name) | ir.Instance(kind=kind, id=name):
                    self._name(owner, (kind, name))
                case ir.Select(source=None, type=type) if type.base == "definition":
                    self.picked.append((mission, node))
                case ir.Const(type=type, label=label) if type.base == "kind":
                    self.kinds[label] = None
                case ir.Get(of=of, field=column) if column.id == "definition" and column.sort == "builtin":
                    self.cloned[of.type.name] = None

    def most(self, definition: Definition, mission: Definition | None) -> int | None:
        """Return the most instances of a definition in a mission (None: in any); None if that is unknown."""
        which = definition.kind.id, definition.id
        copies = copies_in_box(self.model, which)
        lineage = [above.id for above in definition.kind.lineage()]
        if mission is None or copies is None or which in self.anywhere or self._is_open(definition, lineage):
            return copies
        rows = self.rows.get(id(mission), Counter())[which]
        picked = any(owner in (0, id(mission)) and may_pick(select, definition) for owner, select in self.picked)
        if picked or which in self.listed.get(id(mission), {}):
            return copies
        shown = rows + _count_on_map(mission.board, definition.id)
        return copies if shown and _covers(self.cloned, lineage) else min(copies, shown)

    def _is_open(self, definition: Definition, lineage: list[str]) -> bool:
        """Return whether things of a kind may come from something that no text names."""
        kinds = definition.kind.lineage()
        return any(kind.seated or kind.part_of is not None for kind in kinds) or _covers(self.kinds, lineage)

    def things(self, kind: str, mission: Definition | None) -> list[tuple[Definition, int]] | None:
        """Return the definitions of a kind of cards or pieces, with the most instances; None if that is unknown.

        If nothing seems to bring any of them into play, something that is not known here may: all copies count.
        """
        key = kind, id(mission)
        if key not in self._known:
            self._known[key] = self._things(kind, mission)
        return self._known[key]

    def _things(self, kind: str, mission: Definition | None) -> list[tuple[Definition, int]] | None:
        declared = self.model.kinds.get(kind)
        if declared is None or not any(above.id in ("piece", "card") for above in declared.lineage()):
            return None
        out: list[tuple[Definition, int]] = []
        for definition in self.model.definitions.values():
            if any(above is declared for above in definition.kind.lineage()):
                most = self.most(definition, mission)
                if most is None:
                    return None
                if most > 0:
                    out.append((definition, most))
        return out if out or mission is None else self._things(kind, None)


def _covers(kinds: Iterable[str], lineage: Sequence[str]) -> bool:
    """Return whether one of some kinds is the kind of a definition or above it; empty: any kind."""
    return any(name in ("", "thing") or name in lineage for name in kinds)


def _count_on_map(board: Board | None, id: str) -> int:
    """Return how often a map shows a definition."""
    return sum(cell.places.count(id) for cell in board.cells) if board is not None else 0


# ── lists of missions from which each row is taken once ────────────────────────────────────────


def taken_once(model: Model) -> dict[Field, None]:
    """Return the lists of missions from whose rows nothing is taken but one instance of each, once in a game."""
    uses = _Uses()
    for owner, root in roots(model):
        if not isinstance(owner, _READERS):
            uses.note(owner, root, looped=False)
    return {
        column: None
        for column, owners in uses.taken.items()
        if column not in uses.others and len(owners) == 1 and uses.runs_once(owners[0], 0)
    }


@dataclass(slots=True)
class _Uses:
    """Uses of the lists of missions.

    `taken`: the owners of the loops that take an instance for each row; None: a loop in a loop, or a body that takes
    more. `others`: lists that something else than such a loop or a condition uses. `calls`: the owners that use a form;
    None: in a loop.
    """

    taken: dict[Field, list[Declared | None]] = field(default_factory=dict)
    others: dict[Field, None] = field(default_factory=dict)
    calls: dict[Form, list[Declared | None]] = field(default_factory=dict)
    looped: dict[Form, None] = field(default_factory=dict)

    def note(self, owner: Declared | None, node: object, looped: bool) -> None:
        """Record the uses in a tree; `looped`: it may run several times."""
        if isinstance(node, list | tuple):
            for child in node:
                self.note(owner, child, looped)
            return
        if not isinstance(node, ir.Node) or isinstance(node, ir.Quantified):
            return  # a question takes nothing
        match node:
            case ir.Do(form=form) | ir.Apply(form=form):
                self.calls.setdefault(form, []).append(owner)
                if looped:
                    self.looped[form] = None
            case ir.Get(field=column):
                self.others[column] = None
            case ir.ForEach(var=var, items=ir.Get(field=column, of=of)) if not looped and _takes_one(node.body, var):
                self.taken.setdefault(column, []).append(owner)
                self.note(owner, of, looped)
                self.note(owner, node.body, True)
                return
        within = looped or isinstance(node, ir.ForEach | ir.Repeat | ir.Listener | ir.Until | ir.Offer)
        for child in children(node):
            self.note(owner, child, within)

    def runs_once(self, owner: Declared | None, depth: int) -> bool:
        """Return whether a form is used at one place only, and that place runs once."""
        if owner is None:
            return True
        if not isinstance(owner, Form) or owner in self.looped or depth > _DEEPEST:
            return False
        calls = self.calls.get(owner, [])
        return len(calls) == 1 and self.runs_once(calls[0], depth + 1)


def _takes_one(body: ir.Body, var: ir.Var) -> bool:
    """Return whether a loop takes one instance of its definition and uses it in no other way."""
    nodes = walk(body)
    uses = [node for node in nodes if isinstance(node, ir.Var) and node.slot == var.slot]
    taken = [node for node in nodes if isinstance(node, ir.Apply) and Trait.SPARES in node.form.traits]
    loops = any(isinstance(node, ir.ForEach | ir.Repeat | ir.Until) for node in nodes)
    return len(uses) == len(taken) == 1 and taken[0].args[0] is uses[0] and not loops
