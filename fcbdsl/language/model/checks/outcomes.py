"""Evaluation of conditions over all values that their numbers can have.

It finds conditions that never hold, and values for which none of several conditions holds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from fcbdsl.base.diagnostics.base import Diagnostic, Related
from fcbdsl.base.diagnostics.dead import NeverMet, NeverTaken, NoneApplies, NoneThere, TooFewCopies
from fcbdsl.language.model import ir
from fcbdsl.language.model.builtins import TEAM
from fcbdsl.language.model.checks.missions.mission_scene import is_mission_definition
from fcbdsl.language.model.checks.number_values import MOST_VALUES, SELF, Leaf, Numbers, Scope, value_points
from fcbdsl.language.model.checks.ranges import Ranges
from fcbdsl.language.model.checks.stock import copies_in_box
from fcbdsl.language.model.content import Definition, Test, Value
from fcbdsl.language.model.declarations import Field
from fcbdsl.language.model.ir import conjuncts, walk
from fcbdsl.language.model.ir.operators import evaluate_constant
from fcbdsl.language.model.roots import roots
from fcbdsl.language.model.whole import Model


def outcomes(model: Model, numbers: Numbers | None = None) -> Iterator[Diagnostic]:
    """Yield diagnostics of four kinds: conditions that can never hold although the game needs them, gaps between
    conditions of which one must hold, definitions without copies that something needs, and actions that nobody can
    take. `numbers`: those of the model, if the caller has them."""
    numbers = Numbers(model) if numbers is None else numbers
    ranges = Ranges(numbers)
    yield from _never_met(model, ranges)
    yield from _gaps(model, numbers)
    yield from _none_there(model)
    yield from _too_few(model)
    yield from _never_taken(model, ranges)


# ── conditions that the game needs ─────────────────────────────────────────────────────────────


def _condition(value: Value | None) -> ir.Expr | None:
    """Return the expression of a condition that is a single expression."""
    last = value.body.statements if value is not None and value.body is not None else ()
    return last[0].value if len(last) == 1 and isinstance(last[0], ir.Answer) else None


def _selecting(model: Model) -> dict[tuple[str, str], bool]:
    """Return the kinds among whose things one must be chosen, with the conditions for it, and whether some choice is
    among all of them."""
    sole: dict[tuple[str, str], bool] = {}
    for owner, root in roots(model):
        if isinstance(owner, Test):
            continue
        for node in walk(root):
            if isinstance(node, ir.Choose) and not node.optional and isinstance(node.options, ir.Select):
                select = node.options
                parts = conjuncts(select.where)
                for part in parts:
                    match part:
                        case ir.Get(of=ir.Var(slot=slot), field=Field(type=ir.Type(base="condition")) as column):
                            if slot == select.it:
                                which = select.type.name, column.id
                                sole[which] = sole.get(which, False) or (len(parts) == 1 and select.source is None)
    return sole


def _never_met(model: Model, ranges: Ranges) -> Iterator[Diagnostic]:
    chosen = _selecting(model)
    listing = _listing(model)
    for definition in model.definitions.values():
        if model.proof_of(definition.span):
            continue
        lineage = [kind.id for kind in definition.kind.lineage()]
        missions = [definition] if is_mission_definition(definition) else listing.get(definition, [])
        for value in definition.values.values():
            asked = _condition(value)
            needed = value.field.attainable or any((kind, value.field.id) in chosen for kind in lineage)
            if needed and asked is not None:
                yield from _never_in(ranges, definition, value, asked, missions)
    ranges.numbers.mission = None


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
    ranges: Ranges, definition: Definition, value: Value, asked: ir.Expr, missions: Sequence[Definition]
) -> Iterator[Diagnostic]:
    """Yield the parts of a condition that can never be true: in any game, or in one of the missions that list it."""
    scope = _scope(definition)
    attainable = value.field.attainable
    reported: dict[int, None] = {}
    whole_missions = [whole for whole in missions if _never_at(ranges, asked, scope, whole)]
    tried: Sequence[Definition | None] = missions or [None]
    for mission in tried:
        whole = _never_at(ranges, asked, scope, mission)
        parts = [asked] if whole else [part for part in _disjuncts(asked) if _never_at(ranges, part, scope, mission)]
        for part in parts:
            if id(part) in reported:
                continue
            reported[id(part)] = None
            why = ranges.limits(part, scope) or "no value of its numbers matches"
            if mission is not None and mission is not definition:
                why += f" in `{mission.id}`"
            what = f"{'The' if whole else 'This part of the'} `{value.field.id}`"
            span = (value.span or definition.span) if whole else part.span
            problem = NeverMet(span, what=what, name=definition.id, why=why)
            if not whole or not attainable or len(whole_missions) < len(missions):
                problem.severity = "warning"  # other parts, others of its sort or other missions can make it true
            yield problem


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


def _gaps(model: Model, numbers: Numbers) -> Iterator[Diagnostic]:
    """Yield values for which no condition holds, although one of several things must be chosen."""
    for (kind, column), among_all in _selecting(model).items():
        groups: dict[int, list[Definition]] = {}
        for definition in model.definitions.values():
            if any(above.id == kind for above in definition.kind.lineage()) and not model.proof_of(definition.span):
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
    inner = value_points({key: values for key, values in tried.items() if values is not None})
    if not leaves or None in tried.values() or inner is None:
        return None
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


# ── definitions without copies ─────────────────────────────────────────────────────────────────


def _none_there(model: Model) -> Iterator[Diagnostic]:
    """Yield definitions with no copies that a list, a map or an effect needs."""
    absent = {
        (definition.kind.id, definition.id): value
        for definition in model.definitions.values()
        if (value := definition.values.get("copies")) is not None
        and value.expr is not None
        and evaluate_constant(value.expr) == 0
    }
    if not absent:
        return
    needed: dict[tuple[str, str], Related] = {}
    for definition in model.definitions.values():
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
    for owner, root in roots(model):
        if isinstance(owner, Test) or (owner is not None and model.proof_of(owner.span)):
            continue
        for node in walk(root):
            if isinstance(node, ir.Def | ir.Instance) and (node.kind, node.id) in absent:
                needed.setdefault((node.kind, node.id), Related(node.span, "this needs it"))
            elif isinstance(node, ir.Choose) and isinstance(node.options, ir.Select) and not _asks_copies(node.options):
                for which in _choosable(model, node.options, absent):
                    needed.setdefault(which, Related(node.options.span, "players may choose it here"))
    for which, related in needed.items():
        value = absent[which]
        yield NoneThere(value.span or model.definitions[which].span, name=which[1], related=[related])


def _choosable(model: Model, options: ir.Select, absent: Mapping[tuple[str, str], Value]) -> Iterator[tuple[str, str]]:
    """Yield the definitions without copies that may be among all definitions of a kind from which something is
    chosen."""
    if options.source is None and options.type.base == "definition":
        for which in absent:
            if any(above.id == options.type.name for above in model.definitions[which].kind.lineage()):
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


def _never_taken(model: Model, ranges: Ranges) -> Iterator[Diagnostic]:
    """Yield actions that no effect offers to their actors, or whose `needs` can never be true.

    Actions that come with fcb are skipped: a project cannot correct them.
    """
    own = [action for action in model.actions.values() if not model.is_lent(action.span)]
    offered: dict[str, None] = {}
    for owner, root in roots(model) if own else ():
        if not isinstance(owner, Test) and not (owner is not None and model.proof_of(owner.span)):
            offers = [node.actors for node in walk(root) if isinstance(node, ir.Offer)]
            for actors in offers:
                named = actors.items if isinstance(actors, ir.ListOf) else (actors,)
                offered |= {expr.type.name: None for expr in named}
    if not offered:
        return  # the game offers nothing yet, or asks in another way
    for action in own:
        if action.by is None or model.proof_of(action.span):
            continue
        by = action.by.type.name
        if not any(_related(model, by, kind) for kind in offered):
            cure = f"Offer it somewhere (`offer {by}`), or write `by: {next(iter(offered))}`."
            yield NeverTaken(action.span, name=action.id, why=f"no effect offers the actions of `{by}`", cure=cure)
        elif action.needs is not None and ranges.never(action.needs, {}):
            cure = "Ask in `needs:` for a value inside the range of the number."
            yield NeverTaken(action.span, name=action.id, why="its `needs` can never be true", cure=cure)


def _related(model: Model, one: str, other: str) -> bool:
    """Return whether a thing of one kind may be of the other, too, or play for it."""
    if {one, other} <= {"player", TEAM} or "thing" in (one, other):
        return True
    kinds = [model.kinds.get(one), model.kinds.get(other)]
    lines = [[above.id for above in kind.lineage()] if kind is not None else [] for kind in kinds]
    return one in lines[1] or other in lines[0]
