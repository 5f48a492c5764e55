"""Effects that run each other without end: of definitions by `perform`, and of triggers by the events they announce."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, get_args

from fcbdsl.base.diagnostics.base import Related
from fcbdsl.base.diagnostics.dead import EndlessEffects
from fcbdsl.language.model import ir
from fcbdsl.language.model.checks.facts import Facts
from fcbdsl.language.model.content import Value
from fcbdsl.language.model.declarations import PERFORMING, Form
from fcbdsl.language.model.declaring.context import Context
from fcbdsl.language.model.whole import Model

THIS: Final = 1
"""The slot of the thing that has an effect."""
Effect = tuple[str, str, str]
"""An effect of a definition: the kind and the id of the definition, and the field."""


def endless_effects(context: Context) -> None:
    """Report each cycle of effects in which every effect runs the next one unconditionally or as an option."""
    ways = _ways(context.model)
    done: set[Effect] = set()
    for first in ways:
        path: dict[Effect, None] = {}
        open_ways: list[Iterator[Effect]] = [iter([first])]
        while open_ways:
            effect = next(open_ways[-1], None)
            if effect is None:
                open_ways.pop()
                if path:
                    done.add(path.popitem()[0])
            elif effect in path:
                circle = list(path)
                circle = circle[circle.index(effect) :]
                _report(context, circle, ways)
            elif effect not in done:
                path[effect] = None
                open_ways.append(iter(ways.get(effect, ())))


def endless_events(context: Context, all: Sequence[Facts]) -> None:
    """Report each event that a trigger of it always announces again, directly or through other events."""
    announced = _announced_by_forms(context.model)
    ways: dict[str, dict[str, ir.Announce | ir.Do]] = {}
    for facts in all:
        for listener in facts.listeners:
            if _always_runs(listener):
                for name, statement in _announces(listener.body, announced):
                    ways.setdefault(listener.event.id, {}).setdefault(name, statement)
    reported: dict[str, None] = {}
    for first in ways:
        circle = _circle(first, ways) if first not in reported else []
        if circle:
            reported |= dict.fromkeys(circle)
            chain = " → ".join(f"`{name}`" for name in circle)
            problem = EndlessEffects(ways[circle[0]][circle[1]].span, name=first, chain=chain)
            problem.severity = "warning"  # something else that hears an event may end the game
            context.report(problem)


def _circle(first: str, ways: Mapping[str, Mapping[str, object]]) -> list[str]:
    """Return the shortest way from an event back to itself; empty if there is none."""
    paths = [[first]]
    seen: dict[str, None] = {}
    for path in paths:
        for name in ways.get(path[-1], ()):
            if name == first:
                return [*path, first]
            if name not in seen:
                seen[name] = None
                paths.append([*path, name])
    return []


def _always_runs(listener: ir.Listener) -> bool:
    """Return whether a trigger runs at each of its events, and nobody may decline it."""
    limited = listener.condition is not None or listener.limit is not None or listener.offered or listener.once
    return not limited and all(bind.condition is None for bind in listener.binds)


def _announces(body: ir.Body, by_forms: Mapping[int, Mapping[str, None]]) -> Iterator[tuple[str, ir.Announce | ir.Do]]:
    """Yield the events that a body always announces, with the statement that does it."""
    for statement in body.statements:
        if may_end(statement) or isinstance(statement, ir.Break | ir.Cancel):
            return
        if isinstance(statement, ir.Announce):
            yield statement.event.id, statement
        elif isinstance(statement, ir.Do):
            for name in by_forms.get(id(statement.form), ()):
                yield name, statement


def _announced_by_forms(model: Model) -> dict[int, dict[str, None]]:
    """Return the events that each form always announces by itself, by the identity of the form."""
    announced: dict[int, dict[str, None]] = {}
    for form in model.forms:
        if isinstance(form.body, ir.Body) and form.event is None:
            announced[id(form)] = {name: None for name, _ in _announces(form.body, {})}
    return announced


def _report(context: Context, circle: list[Effect], ways: dict[Effect, dict[Effect, ir.Do]]) -> None:
    steps = [(step, ways[step][after]) for step, after in zip(circle, [*circle[1:], circle[0]], strict=True)]
    chain = " → ".join(f"`{id}`" for _, id, _ in [*circle, circle[0]])
    related = [Related(call.span, f"`{step[1]}` goes on here") for step, call in steps[1:]]
    context.report(EndlessEffects(steps[0][1].span, name=circle[0][1], chain=chain, related=related))


def _ways(model: Model) -> dict[Effect, dict[Effect, ir.Do]]:
    """Return which effects each effect runs, and the statement that does it."""
    performed = _performed_by_forms(model)
    bodies: dict[Effect, Value] = {}
    for (kind, id), definition in model.definitions.items():
        for field, value in definition.values.items():
            if value.body is not None:
                bodies[kind, id, field] = value
    out: dict[Effect, dict[Effect, ir.Do]] = {}
    for effect, value in bodies.items():
        assert value.body is not None
        for call in _certain(value.body):
            named = [named for node in ir.walk(call.args) for named in _named(node, effect)]
            for field in _fields(call, performed):
                for kind, id in named:
                    if (kind, id, field) in bodies:
                        out.setdefault(effect, {}).setdefault((kind, id, field), call)
    return out


def _named(node: ir.Node, effect: Effect) -> Iterator[tuple[str, str]]:
    """Yield the kind and the id of the definition that a node of an effect names, as itself, a copy, or `this`."""
    if isinstance(node, ir.Def | ir.Instance):
        yield node.kind, node.id
    elif isinstance(node, ir.Var) and node.slot == THIS and node.name == "this":
        yield effect[:2]


def _performed_by_forms(model: Model) -> dict[int, set[str]]:
    """Return the fields whose effects each form runs in any case or as an option, by the identity of the form."""
    calls = {id(form): list(_certain(form.body)) for form in model.forms if isinstance(form.body, ir.Body)}
    out: dict[int, set[str]] = {number: set() for number in calls}
    grown = True
    while grown:
        grown = False
        for number, own in calls.items():
            performed = {field for call in own for field in _fields(call, out)}
            grown = grown or not performed <= out[number]
            out[number] |= performed
    return out


def _fields(call: ir.Do, performed: dict[int, set[str]]) -> set[str]:
    """Return the fields whose effects a statement runs."""
    form: Form = call.form
    if form.op in PERFORMING:
        return {node.field.id for node in call.args if isinstance(node, ir.Get)}
    return performed.get(id(form), set())


def _certain(body: ir.Body) -> Iterator[ir.Do]:
    """Yield the verbs that a body runs unconditionally or as an option, up to a `require` or an end."""
    for statement in body.statements:
        if isinstance(statement, ir.Break) or (may_end(statement) and not isinstance(statement, ir.ChooseOne)):
            return
        if isinstance(statement, ir.Do):
            yield statement
        elif isinstance(statement, ir.ChooseOne):
            for option in statement.options:
                yield from _certain(option.body)


def may_end(statement: ir.Stmt) -> bool:
    """Return whether a statement may end its body or the game."""
    below: list[ir.Node] = [statement]
    while below:
        node = below.pop()
        if isinstance(node, ir.Require | ir.Stop | ir.End | ir.Answer):
            return True
        below += [child for child in ir.children(node) if child.__class__ not in _EXPRESSIONS]  # these end nothing
    return False


_EXPRESSIONS: Final = frozenset(get_args(ir.Expr))
