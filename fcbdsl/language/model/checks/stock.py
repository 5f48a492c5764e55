"""How many instances of each definition a mission can bring into play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import field

from fcbdsl.base.records import dataclass
from fcbdsl.language.model import ir
from fcbdsl.language.model.checks.missions.mission_scene import is_mission_definition
from fcbdsl.language.model.checks.picking import may_pick
from fcbdsl.language.model.content import Board, Definition, Invariant, Preference, Prospect, Value
from fcbdsl.language.model.declarations import Declared, Field, Form, Trait
from fcbdsl.language.model.ir import ByClass, children, walk
from fcbdsl.language.model.ir.operators import calculate, evaluate_constant
from fcbdsl.language.model.roots import Walked
from fcbdsl.language.model.whole import Model

_Which = tuple[str, str]
"""Kind and id of a definition."""
_DEEPEST = 8
_READERS = (Preference, Prospect, Invariant)
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

    `walked`: all behavior of the game. `anywhere`: definitions that something else than a mission names. `listed`:
    definitions that the fields and effects of a mission name, by the identity of the mission. `rows`: the rows of lists
    from each of which the set-up takes one instance. `picked`: selections of definitions, with the identity of the
    mission that makes them (0: the game). `kinds`: kinds of which any definition may come. `cloned`: kinds of which an
    effect may bring more of what is in play. `drafts`: how the players take things out of the box. `named`: definitions
    that effects name, with the identity of the mission (0: the game).
    """

    model: Model
    walked: list[Walked]
    anywhere: dict[_Which, None] = field(default_factory=dict)
    listed: dict[int, dict[_Which, None]] = field(default_factory=dict)
    picked: list[tuple[int, ir.Select]] = field(default_factory=list)
    rows: dict[int, Counter[_Which]] = field(default_factory=dict)
    kinds: dict[str, None] = field(default_factory=dict)
    cloned: dict[str, None] = field(default_factory=dict)
    named: dict[tuple[int, _Which], None] = field(default_factory=dict)
    drafts: Drafts = field(init=False)
    _once: dict[Field, None] = field(default_factory=dict)
    _known: dict[tuple[str, int], list[tuple[Definition, int]] | None] = field(default_factory=dict)
    _drafted: dict[tuple[str, int, int], int | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        uses = _uses_of(self.walked)
        self._once, self.drafts = uses.once(), Drafts(self.model, uses)
        asking = {
            id(value.body): None
            for definition in self.model.definitions.values()
            for value in definition.values.values()
            if value.body is not None and value.field.type.base in ("condition", "formula")
        }
        for owner, root, nodes in self.walked:
            asks = id(root) in asking or (isinstance(owner, Form) and owner.gives in (ir.NUMBER, ir.FLAG))
            if not asks and not isinstance(owner, _READERS) and not self._is_proof(owner):
                self._note(owner, nodes, in_effect=True)
        for definition in self.model.definitions.values():
            if self._is_proof(definition):
                continue
            for part in (definition, *definition.parts):
                for value in part.values.values():
                    self._note_value(definition, value)
            if definition.target is not None:
                self.name(definition, (definition.target.kind.id, definition.target.id))
            if definition.board is not None:
                cells = [value.expr for cell in definition.board.cells for value in cell.values.values()]
                self._note(definition, walk(cells))
                sides = [value.expr for values in definition.board.side_values.values() for value in values.values()]
                self._note(definition, walk(sides))
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

    def name(self, owner: Declared | None, which: _Which) -> None:
        """Record that a declaration names a definition."""
        if isinstance(owner, Definition) and is_mission_definition(owner):
            self.listed.setdefault(id(owner), {})[which] = None
        else:
            self.anywhere[which] = None

    def _note_value(self, owner: Definition, value: Value) -> None:
        """Record what a field names, and for a mission how often its list does."""
        if value.field not in self._once or not is_mission_definition(owner):
            self._note(owner, walk(value.expr))
            return
        rows = self.rows.setdefault(id(owner), Counter())
        for node in walk(value.expr):
            if isinstance(node, ir.Def):
                rows[node.kind, node.id] += 1

    def _note(self, owner: Declared | None, nodes: Sequence[ir.Node], in_effect: bool = False) -> None:
        asked: dict[int, None] | None = None
        mission = id(owner) if isinstance(owner, Definition) and is_mission_definition(owner) else 0
        for node in nodes:
            note = _STOCK_NOTES.get(node.__class__)
            if note is not None:
                if asked is None:
                    asked = _asked_in(nodes)
                if id(node) not in asked:  # a question brings nothing into play
                    note(self, node, owner, mission, in_effect)

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

    def most_drafted(self, kind: str, mission: Definition | None, players: int) -> int | None:
        """Return the most things of a kind that are in play at once if each player takes a fixed number of them.

        None if they come into play in another way, too.
        """
        key = kind, id(mission), players
        if key not in self._drafted:
            self._drafted[key] = self._most_drafted(kind, mission, players)
        return self._drafted[key]

    def _most_drafted(self, kind: str, mission: Definition | None, players: int) -> int | None:
        drafted = self.drafts.most(kind, players)
        if drafted is None or kind in self.cloned:
            return None
        for definition in self.model.definitions.values():
            if definition.kind.is_a(kind):
                which = definition.kind.id, definition.id
                is_named = (0, which) in self.named or (mission is not None and (id(mission), which) in self.named)
                shown = _count_on_map(mission.board, definition.id) if mission is not None else 0
                drafted += (copies_in_box(self.model, which) or 0) if is_named else shown
        return drafted

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
            if definition.kind.is_a(kind):
                most = self.most(definition, mission)
                if most is None:
                    return None
                if most > 0:
                    out.append((definition, most))
        return out if out or mission is None else self._things(kind, None)


def _asked_in(nodes: Sequence[ir.Node]) -> dict[int, None]:
    """Return the identities of the nodes in questions: what is counted, and what is compared."""
    asked: dict[int, None] = {}
    for node in nodes:
        asks = _QUESTION_NOTES.get(node.__class__)
        if asks is not None and asks(node):
            asked |= {id(inner): None for inner in walk(node)}
    return asked


_QUESTION_NOTES = ByClass()
"""Functions that return whether a node is a question, by its class."""


@_QUESTION_NOTES.of(ir.Quantified)
def _counts(node: ir.Quantified) -> bool:
    return True


@_QUESTION_NOTES.of(ir.Binary)
def _compares(node: ir.Binary) -> bool:
    return node.op in ("=", "!=")


_STOCK_NOTES = ByClass()
"""Functions that record what a node may bring into play, by its class."""


@_STOCK_NOTES.of(ir.Def, ir.Instance)
def _note_named(stock: Stock, node: ir.Def | ir.Instance, owner: Declared | None, mission: int, effect: bool) -> None:
    stock.name(owner, (node.kind, node.id))
    if effect:
        stock.named[mission, (node.kind, node.id)] = None


@_STOCK_NOTES.of(ir.Select)
def _note_picked(stock: Stock, node: ir.Select, owner: Declared | None, mission: int, effect: bool) -> None:
    if node.source is None and node.type.base == "definition":
        stock.picked.append((mission, node))


@_STOCK_NOTES.of(ir.Const)
def _note_kind(stock: Stock, node: ir.Const, owner: Declared | None, mission: int, effect: bool) -> None:
    if node.type.base == "kind":
        stock.kinds[node.label] = None


@_STOCK_NOTES.of(ir.Get)
def _note_cloned(stock: Stock, node: ir.Get, owner: Declared | None, mission: int, effect: bool) -> None:
    if node.field.id == "definition" and node.field.sort == "builtin":
        stock.cloned[node.of.type.name] = None


def _covers(kinds: Iterable[str], lineage: Sequence[str]) -> bool:
    """Return whether one of some kinds is the kind of a definition or above it; empty: any kind."""
    return any(name in ("", "thing") or name in lineage for name in kinds)


def _count_on_map(board: Board | None, id: str) -> int:
    """Return how often a map shows a definition."""
    return sum(cell.places.count(id) for cell in board.cells) if board is not None else 0


# ── how things leave the box ───────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class _Site:
    """A place in a program: its declaration, whether it may run several times, and the only loop over players around
    it."""

    owner: Declared | None
    looped: bool
    turn: ir.ForEach | None


def _uses_of(walked: Sequence[Walked]) -> _Uses:
    uses = _Uses()
    for owner, root, nodes in walked:
        if nodes and not isinstance(owner, _READERS):
            uses.note(root, nodes, _Site(owner, False, None))
    return uses


@dataclass(slots=True)
class _Uses:
    """Uses of the lists of missions, and of the box.

    `taken`: the owners of the loops that take an instance for each row; None: a loop in a loop, or a body that takes
    more. `others`: lists that something else than such a loop or a condition uses. `calls`: the sites that use a form.
    `spares`: the measures that take an instance from the box, with the whole behavior around each and its site.
    `given`: the definitions that are arguments of forms.
    """

    taken: dict[Field, list[Declared | None]] = field(default_factory=dict)
    others: dict[Field, None] = field(default_factory=dict)
    calls: dict[Form, list[_Site]] = field(default_factory=dict)
    spares: list[tuple[ir.Apply, object, _Site]] = field(default_factory=list)
    given: dict[Form, dict[str, None]] = field(default_factory=dict)

    def note(self, root: object, nodes: Sequence[ir.Node], site: _Site) -> None:
        """Record the uses in a piece of behavior with some nodes."""
        if _SITE_NOTES.keys().isdisjoint([node.__class__ for node in nodes]):
            for node in nodes:
                note = _USE_NOTES.get(node.__class__)
                if note is not None:
                    note(self, root, node, site)
            return
        todo: list[tuple[object, _Site]] = [(root, site)]
        while todo:
            part, site = todo.pop()
            if isinstance(part, list | tuple):
                todo += [(each, site) for each in part]
            elif isinstance(part, ir.Node):
                enter = _SITE_NOTES.get(part.__class__)
                if enter is not None:
                    todo += enter(self, part, site)
                    continue
                note = _USE_NOTES.get(part.__class__)
                if note is not None:
                    note(self, root, part, site)
                todo += [(child, site) for child in children(part)]

    def once(self) -> dict[Field, None]:
        """Return the lists of missions from whose rows nothing is taken but one instance of each, once in a game."""
        return {
            column: None
            for column, owners in self.taken.items()
            if column not in self.others and len(owners) == 1 and self.runs_once(owners[0], 0)
        }

    def runs_once(self, owner: Declared | None, depth: int) -> bool:
        """Return whether a form is used at one place only, and that place runs once."""
        if owner is None:
            return True
        if not isinstance(owner, Form) or depth > _DEEPEST:
            return False
        calls = self.calls.get(owner, [])
        return len(calls) == 1 and not calls[0].looped and self.runs_once(calls[0].owner, depth + 1)

    def times(self, site: _Site, players: int, depth: int = 0) -> int | None:
        """Return the most times that a site runs in a game; None if that is unknown."""
        if depth > _DEEPEST or (site.looped and site.turn is None):
            return None
        rounds = 1 if site.turn is None else _seats(site.turn.items, players)
        if site.owner is None:
            return rounds
        if not isinstance(site.owner, Form):
            return None
        runs = [self.times(call, players, depth + 1) for call in self.calls.get(site.owner, [])]
        return None if None in runs else rounds * sum(run for run in runs if run is not None)


_SITE_NOTES = ByClass()
"""Functions that return the parts of a node that change the site of what is in them, each with its site."""


@_SITE_NOTES.of(ir.Quantified)
def _enter_question(uses: _Uses, node: ir.Quantified, site: _Site) -> list[tuple[object, _Site]]:
    return []  # a question takes nothing


@_SITE_NOTES.of(ir.Repeat, ir.Listener, ir.Until, ir.Offer)
def _enter_again(uses: _Uses, node: ir.Node, site: _Site) -> list[tuple[object, _Site]]:
    within = _Site(site.owner, True, None)
    return [(child, within) for child in children(node)]


@_SITE_NOTES.of(ir.ForEach)
def _enter_loop(uses: _Uses, loop: ir.ForEach, site: _Site) -> list[tuple[object, _Site]]:
    items = loop.items
    if not site.looped and isinstance(items, ir.Get) and _takes_one(loop.body, loop.var):
        uses.taken.setdefault(items.field, []).append(site.owner)
        return [(items.of, site), (loop.body, _Site(site.owner, True, None))]
    if not site.looped and items.type.name == "player":
        return [(items, site), (loop.body, _Site(site.owner, True, loop))]
    return _enter_again(uses, loop, site)


_USE_NOTES = ByClass()
"""Functions that record the uses in a node, by its class."""


@_USE_NOTES.of(ir.Do, ir.Apply)
def _note_call(uses: _Uses, root: object, node: ir.Do | ir.Apply, site: _Site) -> None:
    uses.calls.setdefault(node.form, []).append(site)
    listed = [item for arg in node.args for item in (arg.items if isinstance(arg, ir.ListOf) else (arg,))]
    kinds = [arg.type.name for arg in listed if arg is not None and arg.type.base == "definition"]
    if kinds:
        uses.given.setdefault(node.form, {}).update(dict.fromkeys(kinds))
    if isinstance(node, ir.Apply) and Trait.SPARES in node.form.traits:
        uses.spares.append((node, root, site))


@_USE_NOTES.of(ir.Get)
def _note_read(uses: _Uses, root: object, node: ir.Get, site: _Site) -> None:
    uses.others[node.field] = None


def _seats(items: ir.Expr, players: int) -> int:
    """Return the number of players over which a loop runs."""
    match items:
        case ir.Select(source=None, it=it, where=ir.Binary(op=op, left=left, right=ir.Const(value=number))):
            match left:
                case ir.Get(of=ir.Var(slot=slot), field=Field(id="number", sort="builtin")) if slot == it:
                    return sum(bool(calculate(op, seat, number)) for seat in range(1, players + 1))
    return players


@dataclass(slots=True)
class Drafts:
    """The kinds of which each player takes things out of the box, as at set-up."""

    model: Model
    uses: _Uses
    _known: dict[tuple[str, int], int | None] = field(default_factory=dict)
    _entering: dict[tuple[int, int], bool] = field(default_factory=dict)

    def most(self, kind: str, players: int) -> int | None:
        """Return the most things of a kind that these effects bring into play; None if that is unknown."""
        key = kind, players
        if key not in self._known:
            self._known[key] = self._most(kind, players)
        return self._known[key]

    def _most(self, kind: str, players: int) -> int | None:
        total, drafted = 0, False
        for spare, root, site in self.uses.spares:
            if not self._may_be(spare, site, kind) or not self._enters(spare, root) or self._is_swap(root, kind):
                continue
            times = self.uses.times(site, players)
            if times is None:
                return None
            total, drafted = total + times, True
        return total if drafted else None

    def _may_be(self, spare: ir.Apply, site: _Site, kind: str) -> bool:
        """Return whether an instance that is taken from the box may be of a kind."""
        name = spare.args[0].type.name if spare.args[0] is not None else ""
        if name not in ("", "thing"):
            return self._related(name, kind)
        if not isinstance(site.owner, Form):
            return True
        return any(self._related(other, kind) for other in self.uses.given.get(site.owner, {}))

    def _related(self, one: str, other: str) -> bool:
        if {one, other} & {"", "thing"}:
            return True
        kinds = [self.model.kinds.get(name) for name in (one, other)]
        lines = [[above.id for above in kind.lineage()] if kind is not None else [] for kind in kinds]
        return one in lines[1] or other in lines[0]

    def _enters(self, spare: ir.Apply, root: object) -> bool:
        """Return whether an instance from the box comes into play: more than reading or changing its numbers."""
        nodes = walk(root)
        slots = [node.var.slot for node in nodes if isinstance(node, ir.Let) and node.value is spare]
        if not slots:
            return True  # it is used at once
        return any(self._brings(node, slots[0]) for node in nodes)

    def _brings(self, node: ir.Node, slot: int) -> bool:
        """Return whether a statement brings the thing of a local into play, or gives it to something unknown."""
        match node:
            case ir.Answer(value=ir.Var(slot=given)):
                return given == slot
            case ir.Do(form=form, args=args):
                places = [at for at, arg in enumerate(args) if isinstance(arg, ir.Var) and arg.slot == slot]
                return any(self._enters_by(form, at) for at in places)
        return False

    def _enters_by(self, form: Form, at: int) -> bool:
        """Return whether a form brings the thing of a parameter into play."""
        key = id(form), at
        if key not in self._entering:
            self._entering[key] = False  # a form that uses itself adds nothing
            if form.body is None:
                self._entering[key] = at == 0 and not {Trait.REMOVES, Trait.SETS_COUNTER} & {*form.traits}
            else:
                self._entering[key] = any(self._brings(node, at + _FIRST) for node in walk(form.body))
        return self._entering[key]

    def _is_swap(self, root: object, kind: str) -> bool:
        """Return whether a behavior removes a thing of a kind, too, so that the number stays the same."""
        removals = [node for node in walk(root) if isinstance(node, ir.Do) and Trait.REMOVES in node.form.traits]
        return any(arg is not None and self._related(arg.type.name, kind) for node in removals for arg in node.args[:1])


_FIRST = 2
"""The slot of a form's first parameter, after `self` and `this`."""


def _takes_one(body: ir.Body, var: ir.Var) -> bool:
    """Return whether a loop takes one instance of its definition and uses it in no other way."""
    nodes = walk(body)
    uses = [node for node in nodes if isinstance(node, ir.Var) and node.slot == var.slot]
    taken = [node for node in nodes if isinstance(node, ir.Apply) and Trait.SPARES in node.form.traits]
    loops = any(isinstance(node, ir.ForEach | ir.Repeat | ir.Until) for node in nodes)
    return len(uses) == len(taken) == 1 and taken[0].args[0] is uses[0] and not loops
