"""Evaluation of conditions over all values that their numbers can have.

It finds conditions that never hold, and values for which none of several conditions holds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from itertools import combinations

from fcbdsl.base.diagnostics.base import Diagnostic, Related
from fcbdsl.base.diagnostics.dead import (
    AlwaysMet,
    NeverMarkedSo,
    NeverMet,
    NeverTaken,
    NeverThere,
    NoneApplies,
    NoneThere,
    TooFewCopies,
)
from fcbdsl.base.records import dataclass
from fcbdsl.base.words import WAIT
from fcbdsl.language.model import ir
from fcbdsl.language.model.builtins import TEAM
from fcbdsl.language.model.checks.missions.ground import spaces_named
from fcbdsl.language.model.checks.missions.mission_scene import is_mission_definition
from fcbdsl.language.model.checks.number_values import MOST_VALUES, SELF, Leaf, Numbers, Scope, value_points
from fcbdsl.language.model.checks.ranges import Ranges, has_opposites
from fcbdsl.language.model.checks.stock import Stock, copies_in_box
from fcbdsl.language.model.content import Board, Definition, Value
from fcbdsl.language.model.declarations import Action, Declared, Field, Trait
from fcbdsl.language.model.ir import ByClass, conjuncts, shape, walk
from fcbdsl.language.model.ir.operators import evaluate_constant
from fcbdsl.language.model.roots import Walked, system_files
from fcbdsl.language.model.whole import Model


def outcomes(model: Model, numbers: Numbers | None = None) -> Iterator[Diagnostic]:
    """Yield diagnostics of five kinds: conditions that can never hold although the game needs them, or that always
    hold; gaps between conditions of which one must hold; definitions without copies; lists with more items than copies;
    and actions that nobody can take. `numbers`: those of the model, if the caller has them."""
    numbers = Numbers(model) if numbers is None else numbers
    ranges = Ranges(numbers)
    behavior = _Behavior(model, numbers.walked)
    yield from _conditions(model, ranges, behavior)
    yield from _gaps(model, numbers, behavior)
    yield from _none_there(model, behavior)
    yield from _too_few(model)
    yield from _never_taken(model, ranges, behavior)
    yield from _never_together(model, behavior)


# ── what the game does ─────────────────────────────────────────────────────────────────────────


@dataclass(slots=True)
class _Behavior:
    """The choices, names and offers in the behavior of a model.

    `walked`: all of it. `selecting`: the kinds among whose things one must be chosen, with the conditions for it, and
    whether some choice is among all of them. `absent`: definitions with no copies. `needed`: where something needs
    these. `offered`: kinds of the figures or players who are offered actions.
    """

    model: Model
    walked: list[Walked]
    selecting: dict[tuple[str, str], bool] = field(default_factory=dict)
    absent: dict[tuple[str, str], Value] = field(default_factory=dict)
    needed: dict[tuple[str, str], Related] = field(default_factory=dict)
    counted: dict[str, None] = field(default_factory=dict)
    offered: dict[str, None] = field(default_factory=dict)
    chains: list[tuple[Declared, ir.Node]] = field(default_factory=list)

    def __post_init__(self) -> None:
        for which, definition in self.model.definitions.items():
            value = definition.values.get("copies")
            if value is not None and value.expr is not None and evaluate_constant(value.expr) == 0:
                self.absent[which] = value
        systems = system_files(self.model)
        for owner, _, nodes in self.walked:
            is_played = owner is None or not self.model.proof_of(owner.span)
            for node in nodes:
                note = _NOTES.get(node.__class__)
                if note is not None:
                    note(self, node, is_played)
            if owner is None or not is_played or self.model.is_lent(owner.span):
                continue
            if owner.span.source.name not in systems:
                self.chains += [(owner, node) for node in nodes if isinstance(node, ir.Binary | ir.Select)]

    def note_choice(self, select: ir.Select) -> None:
        """Record that one of some things must be chosen."""
        parts = conjuncts(select.where)
        for part in parts:
            match part:
                case ir.Get(of=ir.Var(slot=slot), field=Field(type=ir.Type(base="condition")) as column):
                    if slot == select.it:
                        which = select.type.name, column.id
                        alone = len(parts) == 1 and select.source is None
                        self.selecting[which] = self.selecting.get(which, False) or alone


_NOTES = ByClass()
"""Functions that record what a node does, by its class; the last argument: it is not in a test file."""


@_NOTES.of(ir.Select)
def _note_counted(behavior: _Behavior, node: ir.Select, is_played: bool) -> None:
    if behavior.absent and node.type.base == "definition" and _asks_copies(node):
        behavior.counted[node.type.name] = None


@_NOTES.of(ir.Choose)
def _note_choose(behavior: _Behavior, node: ir.Choose, is_played: bool) -> None:
    select = node.options
    if not isinstance(select, ir.Select):
        return
    if not node.optional:
        behavior.note_choice(select)
    if is_played and behavior.absent and not _asks_copies(select):
        for which in _choosable(behavior.model, select, behavior.absent):
            behavior.needed.setdefault(which, Related(select.span, "players may choose it here"))


@_NOTES.of(ir.Def, ir.Instance)
def _note_named(behavior: _Behavior, node: ir.Def | ir.Instance, is_played: bool) -> None:
    if is_played and (node.kind, node.id) in behavior.absent:
        behavior.needed.setdefault((node.kind, node.id), Related(node.span, "this needs it"))


@_NOTES.of(ir.Offer)
def _note_offer(behavior: _Behavior, node: ir.Offer, is_played: bool) -> None:
    if is_played:
        named = node.actors.items if isinstance(node.actors, ir.ListOf) else (node.actors,)
        behavior.offered |= {expr.type.name: None for expr in named}


# ── conditions that the game needs ─────────────────────────────────────────────────────────────


def _condition(value: Value | None) -> ir.Expr | None:
    """Return the expression of a condition that is a single expression."""
    last = value.body.statements if value is not None and value.body is not None else ()
    return last[0].value if len(last) == 1 and isinstance(last[0], ir.Answer) else None


def _conditions(model: Model, ranges: Ranges, behavior: _Behavior) -> Iterator[Diagnostic]:
    """Yield conditions that the game needs and that are never true, and others that cannot change."""
    listing = _listing(model)
    for definition in model.definitions.values():
        if model.proof_of(definition.span):
            continue
        lineage = [kind.id for kind in definition.kind.lineage()]
        missions = [definition] if is_mission_definition(definition) else listing.get(definition, [])
        for value in definition.values.values():
            asked = _condition(value)
            if asked is None or value.field.type.base != "condition":
                continue
            needed = value.field.attainable or any((kind, value.field.id) in behavior.selecting for kind in lineage)
            problems: list[Diagnostic] = []
            if needed or not isinstance(asked, ir.Const):
                problems += _never_in(ranges, definition, value, asked, missions, needed)
            if not problems:
                problems += _always_in(ranges, definition, value, asked, missions)
            if not problems and value.field.attainable:
                problems += _absent_in(ranges.numbers.stock, model, definition, value, asked, missions)
            yield from problems
    ranges.numbers.mission = None


def _always_in(
    ranges: Ranges, definition: Definition, value: Value, asked: ir.Expr, missions: Sequence[Definition]
) -> Iterator[Diagnostic]:
    """Yield a condition that is always true, in each mission that lists it.

    `yes` is sensible for a card with an effect, which is unconditional then, and for a condition that need not be
    attained.
    """
    is_mission = is_mission_definition(definition)
    if not value.field.attainable and (not is_mission or isinstance(asked, ir.Const)):
        return  # the last card of a table may always be valid
    has_effect = any(own.field.type.base == "effect" for own in definition.values.values())
    if isinstance(asked, ir.Const) and not is_mission and has_effect:
        return
    always = True
    tried: Sequence[Definition | None] = missions or [None]
    for mission in tried:
        ranges.numbers.mission = mission
        always = always and ranges.truth(asked, _scope(definition)) is True
    if always:
        yield AlwaysMet(value.span or definition.span, field=value.field.id, name=definition.id)


def _absent_in(
    stock: Stock, model: Model, definition: Definition, value: Value, asked: ir.Expr, missions: Sequence[Definition]
) -> Iterator[Diagnostic]:
    """Yield a thing that a condition requires, but that need not come into play in a mission."""
    for which, expr in _required(asked):
        thing = model.definitions.get(which)
        if thing is None or thing is definition or not any(k.id in ("card", "piece") for k in thing.kind.lineage()):
            continue
        for mission in missions:
            low = (mission.players or model.players)[0]
            choices = [other for other in model.definitions.values() if other.kind is thing.kind]
            drafted = stock.most_drafted(thing.kind.id, None, low)
            named = any((owner, which) in stock.named for owner in (0, id(mission)))
            if stock.most(thing, mission) == 0:
                why = f"nothing brings it into play in `{mission.id}`"
                cure = f"List `{thing.id}` in the mission, or ask for something else."
            elif drafted is not None and drafted < len(choices) and not named and not _shows(mission, thing):
                why = f"no player must choose it in `{mission.id}`"
                cure = f"Ask for any {thing.kind.id}, or add `or {thing.id}#1 is not on board`."
            else:
                continue
            span = value.span or definition.span
            yield NeverThere(
                expr.span if expr.span.beside(span) else span,
                field=value.field.id, owner=definition.id, name=thing.id, why=why, cure=cure,
            )  # fmt: skip
            break


def _shows(mission: Definition, thing: Definition) -> bool:
    return mission.board is not None and any(thing.id in cell.places for cell in mission.board.cells)


def _required(condition: ir.Expr) -> Iterator[tuple[tuple[str, str], ir.Expr]]:
    """Yield the things that a condition names and that must be in play for it to hold."""
    for part in conjuncts(condition):
        match part:
            case ir.Apply(args=args):
                for arg in args:
                    if isinstance(arg, ir.Instance):
                        yield (arg.kind, arg.id), part
            case ir.Get(of=ir.Instance(kind=kind, id=id)):
                yield (kind, id), part
            case ir.Binary(op=">" | ">=" | "=" as op, left=left, right=ir.Const(value=value)) if (
                value + (op == ">") > 0
            ):
                if isinstance(left, ir.Get) and isinstance(left.of, ir.Instance):
                    yield (left.of.kind, left.of.id), part
            case ir.Binary(op="=", left=ir.Get(field=Field(id="place"), of=ir.Instance(kind=kind, id=id))):
                yield (kind, id), part
            case ir.Quantified(quantifier="any", select=ir.Select(where=where)):
                for test in conjuncts(where):
                    match test:
                        case ir.Binary(op="=", left=ir.Get(field=Field(id="definition")), right=ir.Def() as sort):
                            yield (sort.kind, sort.id), part


def _listing(model: Model) -> dict[Definition, list[Definition]]:
    """Return the missions that list each definition in their fields."""
    out: dict[Definition, list[Definition]] = {}
    for mission in model.definitions.values():
        if is_mission_definition(mission) and not model.proof_of(mission.span):
            for value in mission.values.values():
                for node in walk(value.expr):
                    listed = model.definitions.get((node.kind, node.id)) if isinstance(node, ir.Def) else None
                    if listed is not None and mission not in out.setdefault(listed, []):
                        out[listed].append(mission)
    return out


def _never_in(
    ranges: Ranges,
    definition: Definition,
    value: Value,
    asked: ir.Expr,
    missions: Sequence[Definition],
    needed: bool,
) -> Iterator[Diagnostic]:
    """Yield the parts of a condition that can never be true: in any game, or in one of the missions that list it.

    A part that is beyond estimated limits gives a warning, and so does a condition that need not become true.
    """
    reported: dict[int, None] = {}
    limits_asked = ranges.numbers.raising.asked
    for problem in _never_within(ranges, definition, value, asked, missions, reported):
        problem.severity = problem.severity if needed else "warning"
        yield problem
    if id(asked) in reported or ranges.numbers.raising.asked == limits_asked:
        return
    ranges.numbers.raising.estimates = True
    for problem in _never_within(ranges, definition, value, asked, missions, reported):
        problem.severity = "warning"
        yield problem
    ranges.numbers.raising.estimates = False


def _never_within(
    ranges: Ranges,
    definition: Definition,
    value: Value,
    asked: ir.Expr,
    missions: Sequence[Definition],
    reported: dict[int, None],
) -> Iterator[Diagnostic]:
    """Yield the parts of a condition that can never be true and that are not in `reported`, and note them there."""
    scope = _scope(definition)
    attainable = value.field.attainable
    tried: Sequence[Definition | None] = missions or [None]
    wholes = [_never_at(ranges, asked, scope, mission) for mission in tried]
    disjuncts = [part for part in _disjuncts(asked) if part is not asked]
    for mission, whole in zip(tried, wholes, strict=True):
        ranges.numbers.mission = mission
        for part in [asked] if whole else [part for part in disjuncts if ranges.never(part, scope)]:
            if id(part) in reported:
                continue
            reported[id(part)] = None
            why = ranges.limits(part, scope) or _reason(part)
            if mission is not None and mission is not definition:
                why += f" in `{mission.id}`"
            what = f"{'The' if whole else 'This part of the'} `{value.field.id}`"
            span = (value.span or definition.span) if whole else part.span
            problem = NeverMet(span, what=what, name=definition.id, why=why, cure=UNBOUND if WAIT in why else WIDEN)
            if not whole or not attainable or not all(wholes):
                problem.severity = "warning"  # other parts, others of its sort or other missions can make it true
            yield problem


WIDEN = "Ask for a value inside the range of the number, or widen that range."
UNBOUND = "Let one of these effects happen without the other."


def _reason(condition: ir.Expr) -> str:
    """Return why a condition is never true if no limit explains it."""
    if isinstance(condition, ir.Const):
        return "it is `no`"
    return "one part of it excludes another" if has_opposites(condition) else "no value of its numbers matches"


def _never_at(ranges: Ranges, condition: ir.Expr, scope: Scope, mission: Definition | None) -> bool:
    """Return whether a condition can never be true in a mission (None: in any)."""
    ranges.numbers.mission = mission
    return ranges.never(condition, scope)


def _disjuncts(condition: ir.Expr) -> list[ir.Expr]:
    """Return the alternatives of a condition."""
    if isinstance(condition, ir.Binary) and condition.op == "or":
        return [*_disjuncts(condition.left), *_disjuncts(condition.right)]
    return [condition]


def _scope(definition: Definition) -> Scope:
    """Return the scope of a condition of a definition: `self` is the thing that the definition is for."""
    return {} if definition.target is None else {SELF: definition.target}


def _gaps(model: Model, numbers: Numbers, behavior: _Behavior) -> Iterator[Diagnostic]:
    """Yield values for which no condition holds, although one of several things must be chosen."""
    for (kind, column), among_all in behavior.selecting.items():
        groups: dict[int, list[Definition]] = {}
        for definition in model.definitions.values():
            if definition.kind.is_a(kind) and not model.proof_of(definition.span):
                groups.setdefault(id(definition.target), []).append(definition)
        for group in groups.values():
            asked = [_condition(definition.values.get(column)) for definition in group]
            target = group[0].target
            if None in asked or all(model.is_lent(member.span) for member in group):
                continue
            if target is None and not among_all:
                continue
            gap = _gap(numbers, [condition for condition in asked if condition is not None], _scope(group[0]))
            if gap is not None:
                last = group[-1]
                value = last.values[column]
                others = [definition.values[column].span for definition in group[:-1]]
                related = [Related(span, "this is another one") for span in others if span is not None]
                which = group[0].kind.id + ("" if target is None else f" for `{target.id}`")
                yield NoneApplies(value.span or last.span, which=which, field=column, gap=gap, related=related)


def _gap(numbers: Numbers, asked: Sequence[ir.Expr], scope: Scope) -> str | None:
    """Return the values of some numbers for which no condition holds, in words.

    An end of the range of a number counts only if the number begins there. For example, a figure with 0 hit points has
    left play.
    """
    leaves = {key: leaf for expr in asked for key, leaf in numbers.leaves(expr, scope)}
    reaches = [numbers.reach(expr, scope) for expr in asked]
    bounds = [leaf.high for leaf in leaves.values() if leaf.high is not None]  # numbers may be compared with each other
    reach = None if None in reaches else sum([*(bound for bound in reaches if bound is not None), *bounds])
    tried = {key: _played(leaf, reach) for key, leaf in leaves.items()}
    points = value_points({key: values for key, values in tried.items() if values is not None})
    if not leaves or None in tried.values() or points is None:
        return None
    inner = list(points)
    open_ = [point for point in inner if all(numbers.at(expr, scope, point) == 0 for expr in asked)]
    if not open_:
        return None
    for key, leaf in leaves.items():  # perhaps the values of one number decide it
        values = dict.fromkeys(point[key] for point in open_)
        if sum(point[key] in values for point in inner) == len(open_):
            return f"{leaf.name} = {' or '.join(map(leaf.show, values))}"
    shown = [" and ".join(f"{leaves[key].name} = {leaves[key].show(point[key])}" for key in point) for point in open_]
    return ", or ".join(shown[:_MOST_SHOWN])


_MOST_SHOWN = 2
"""Most combinations of values that one message shows."""


def _played(leaf: Leaf, reach: int | None) -> list[int] | None:
    """Return the values of a number in play; None if they are unknown or too many.

    A number without an upper bound rises from where it begins only if it begins at its lowest value.
    """
    low, high, start = leaf.low, leaf.high, leaf.start
    if low is None:
        return None
    if leaf.labels:
        return list(range(len(leaf.labels)))
    rises = high is None and (start is None or start == low)
    end = max(limit for limit in (low, high, start) if limit is not None)
    if rises:
        if reach is None:
            return None
        end = low + reach + 1
    if end - low >= MOST_VALUES:
        return None
    edges = [low] if rises else [low, end]
    return [value for value in range(low, end + 1) if value == start or value not in edges]


# ── spaces with several marks ──────────────────────────────────────────────────────────────────


def _never_together(model: Model, behavior: _Behavior) -> Iterator[Diagnostic]:
    """Yield conditions that want two marks on one space, if no space of a mission has both."""
    boards = [
        (definition, definition.board)
        for definition in model.definitions.values()
        if definition.board is not None and not model.proof_of(definition.span)
    ]
    reported: dict[int, None] = {}
    for owner, node in behavior.chains:
        is_mission = isinstance(owner, Definition) and is_mission_definition(owner)
        tried = [board for definition, board in boards if definition is owner or not is_mission]
        for places in _places_asked(node).values():
            for first, second in combinations(places, 2):
                if id(second) not in reported and _apart(first, second, tried):
                    reported[id(second)] = None
                    texts = [part.span.source.text[part.span.start : part.span.end] for part in (first, second)]
                    labels = [part.args[1].label for part in (first, second) if isinstance(part.args[1], ir.Const)]
                    both = f'Give a space both marks, such as `"x": {", ".join(labels)}` in the legend. '
                    yield NeverMarkedSo(
                        second.span,
                        first=texts[0],
                        second=texts[1],
                        cure=both if len(labels) == len(texts) else "",
                        related=[Related(first.span, "the other place")],
                    )


def _places_asked(node: ir.Node) -> dict[Hashable, list[ir.Apply]]:
    """Return the relations of a chain that ask for a mark or a place, by their subject."""
    parts: list[tuple[ir.Expr, int | None]] = []
    if isinstance(node, ir.Binary) and node.op == "and":
        parts = [(part, None) for part in conjuncts(node)]
    select = node if isinstance(node, ir.Select) and isinstance(node.source, ir.Select) else None
    while select is not None:
        parts += [(part, select.it) for part in conjuncts(select.where)]
        select = select.source if isinstance(select.source, ir.Select) else None
    out: dict[Hashable, list[ir.Apply]] = {}
    for part, it in parts:
        if isinstance(part, ir.Apply) and {Trait.ASKS_MARK, Trait.ASKS_PLACE} & {*part.form.traits}:
            subject = part.args[0]
            if isinstance(subject, ir.Get) and subject.field.id == "place":
                subject = subject.of
            if subject is not None:
                is_candidate = isinstance(subject, ir.Var) and subject.slot == it
                out.setdefault("the candidate" if is_candidate else shape(subject, {}), []).append(part)
    return out


def _apart(first: ir.Apply, second: ir.Apply, boards: Sequence[Board]) -> bool:
    """Return whether two places are on some map, and no map has a space that is both."""
    apart = False
    for board in boards:
        places = [_spaces_asked(relation, board) for relation in (first, second)]
        if None in places:
            return False
        a, b = ({*ids} for ids in places if ids is not None)
        if a & b:
            return False
        apart = apart or bool(a and b)
    return apart


def _spaces_asked(relation: ir.Apply, board: Board) -> tuple[str, ...] | None:
    """Return the spaces of a map on which a relation holds; None if that depends on play."""
    second = relation.args[1]
    if Trait.ASKS_MARK in relation.form.traits:
        if not isinstance(second, ir.Const):
            return None
        return tuple(cell.id for cell in board.cells if second.label in cell.marks)
    spaces = spaces_named(second, board, {}) if second is not None else None
    return None if spaces is None else spaces.ids


# ── definitions without copies ─────────────────────────────────────────────────────────────────


def _none_there(model: Model, behavior: _Behavior) -> Iterator[Diagnostic]:
    """Yield definitions with no copies: those that a list, a map or an effect needs, and those that nothing names."""
    absent, needed = behavior.absent, dict[tuple[str, str], Related]()
    for definition in model.definitions.values() if absent else ():
        if model.proof_of(definition.span):
            continue
        for value in definition.values.values():
            for node in (*walk(value.expr), *walk(value.body)):
                if (
                    isinstance(node, ir.Def | ir.Instance)
                    and (node.kind, node.id) in absent
                    and node.id != definition.id
                ):
                    needed.setdefault((node.kind, node.id), Related(node.span, f"`{definition.id}` needs it"))
    needed |= {which: related for which, related in behavior.needed.items() if which not in needed}
    for which, value in absent.items():
        definition = model.definitions[which]
        if which in needed:
            why, related = "but something needs it", [needed[which]]
        else:
            why, related = "so it never comes into play", []
        is_counted = any(kind.id in behavior.counted for kind in definition.kind.lineage())
        if not model.proof_of(definition.span) and (which in needed or not is_counted):
            yield NoneThere(value.span or definition.span, name=which[1], why=why, related=related)


def _choosable(model: Model, options: ir.Select, absent: Mapping[tuple[str, str], Value]) -> Iterator[tuple[str, str]]:
    """Yield the definitions without copies that may be among all definitions of a kind from which something is
    chosen."""
    if options.source is None and options.type.base == "definition":
        for which in absent:
            if model.definitions[which].kind.is_a(options.type.name):
                yield which


def _asks_copies(options: ir.Select) -> bool:
    return any(isinstance(node, ir.Get) and node.field.id == "copies" for node in walk(options.where))


def _too_few(model: Model) -> Iterator[Diagnostic]:
    """Yield lists of cards or figures that name a definition more often than it has copies."""
    for definition in model.definitions.values():
        if model.proof_of(definition.span):
            continue
        for listed, value in definition.values.items():
            named = Counter((node.kind, node.id) for node in walk(value.expr) if isinstance(node, ir.Def))
            for which, count in named.items():
                copies = copies_in_box(model, which) if count > 1 else None
                if copies is not None and 0 < copies < count:
                    span = value.span or definition.span
                    yield TooFewCopies(
                        span, list=listed, owner=definition.id, name=which[1], count=count, copies=copies
                    )


# ── actions that nobody can take ───────────────────────────────────────────────────────────────


def _never_taken(model: Model, ranges: Ranges, behavior: _Behavior) -> Iterator[Diagnostic]:
    """Yield actions that no effect offers to their actors, or whose conditions can never be true.

    Actions that come with fcb are skipped: a project cannot correct them.
    """
    own = [action for action in model.actions.values() if not model.is_lent(action.span)]
    offered = behavior.offered
    if not offered:
        return  # the game offers nothing yet, or asks in another way
    for action in own:
        if action.by is None or model.proof_of(action.span):
            continue
        by = action.by.type.name
        if not any(_related(model, by, kind) for kind in offered):
            cure = f"Offer it somewhere (`offer {by}`), or write `by: {next(iter(offered))}`."
            yield NeverTaken(action.span, name=action.id, why=f"no effect offers the actions of `{by}`", cure=cure)
        else:
            yield from _impossible(ranges, action)


def _impossible(ranges: Ranges, action: Action) -> Iterator[Diagnostic]:
    """Yield an action whose `needs` or `by` can never be true. In a system only `needs` is checked, which is faster."""
    raising = ranges.numbers.raising
    limits_asked = raising.asked
    for estimates in (False,) if action.system else (False, True):
        if estimates and raising.asked == limits_asked:
            break
        raising.estimates = estimates
        word, limits = "", ""
        if action.needs is not None and ranges.never(action.needs, {}):
            word, limits = "needs", ranges.limits(action.needs, {})
        elif not action.system and isinstance(action.by, ir.Select) and _is_empty(ranges.numbers, action.by):
            word, limits = "by", ranges.limits(action.by, {})
        if word:
            why = f"its `{word}` can never be true" + (f", because {limits}" if limits else "")
            cure = f"Ask in `{word}:` for a value inside the range of the number." if WAIT not in why else UNBOUND
            yield NeverTaken(action.span, name=action.id, why=why, cure=cure)
            break
    raising.estimates = False


def _is_empty(numbers: Numbers, select: ir.Select) -> bool:
    """Return whether a selection has no thing, although there are things of its kind."""
    return numbers.is_empty(select, {}) and bool(numbers.things(replace(select, where=None), {}))


def _related(model: Model, one: str, other: str) -> bool:
    """Return whether a thing of one kind may be of the other, too, or play for it."""
    if {one, other} <= {"player", TEAM} or "thing" in (one, other):
        return True
    kinds = [model.kinds.get(one), model.kinds.get(other)]
    lines = [[above.id for above in kind.lineage()] if kind is not None else [] for kind in kinds]
    return one in lines[1] or other in lines[0]
