"""Every body and expression of a model, with the declaration it belongs to."""

from __future__ import annotations

from collections.abc import Iterator

from fcbdsl.language.model.content import Definition, Invariant, Preference, Prospect, Rule, Test, Track
from fcbdsl.language.model.declarations import Action, Declared, Field, Form, Kind, Window
from fcbdsl.language.model.ir import Node, walk
from fcbdsl.language.model.whole import Model

Root = tuple[Declared | None, object]
"""A declaration (None: the system) and its behavior: nodes, or lists of them."""


Walked = tuple[Declared | None, object, tuple[Node, ...]]
"""A piece of behavior (see `Root`) with all of its nodes, parents first."""


def walked_roots(model: Model) -> list[Walked]:
    """Return every piece of behavior of a game with its nodes, without its tests."""
    return [(owner, root, walk(root)) for owner, root in game_roots(model)]


def behavior_nodes(model: Model) -> Iterator[object]:
    """Yield every node of a model's behavior."""
    for _, root in roots(model):
        yield from walk(root)


def roots(model: Model) -> Iterator[Root]:
    """Yield every piece of behavior of a model, tests among them."""
    yield from game_roots(model)
    for test in model.tests:
        yield test, of_test(test)


def game_roots(model: Model) -> Iterator[Root]:
    """Yield every piece of behavior of a game, without its tests."""
    for owner in game_owners(model):
        for root in behaviour(owner) if owner is not None else [of_game(model)]:
            yield owner, root


def behavior_owners(model: Model) -> Iterator[Declared | None]:
    """Yield everything that may have behavior, tests last; None: the system itself."""
    yield from game_owners(model)
    yield from model.tests


def game_owners(model: Model) -> Iterator[Declared | None]:
    """Yield everything that may have behavior except tests, in order; None: the system itself."""
    yield from model.forms
    for kind in model.kinds.values():
        yield kind
        yield from kind.fields.values()
    yield from model.windows.values()
    yield from model.actions.values()
    yield from model.rules.values()
    yield from model.invariants.values()
    yield from model.prospects.values()
    yield None
    yield from model.preferences
    yield from model.definitions.values()


def system_files(model: Model) -> dict[str, None]:
    """Return the names of the files of systems."""
    systems = {form.span.source.name: None for form in model.forms if form.system}
    return systems | {kind.span.source.name: None for kind in model.kinds.values() if kind.system}


def behaviour(owner: Declared) -> list[object]:
    """Return the behavior of a declaration. Columns of a kind are declarations themselves, so theirs is not
    included."""
    match owner:
        case Form(body=body, texts=texts):
            return [body, [text.condition for text in texts if text.condition is not None]]
        case Kind():
            return [[owner.usable, owner.spends, owner.supposing, owner.listeners, owner.modifiers]]
        case Field():
            return [[owner.default, owner.listeners, owner.modifiers]]
        case Action():
            costs = [cost for _, cost in owner.costs]
            return [[owner.by, owner.subject, owner.needs, owner.body, costs]]
        case Window(order=order):
            return [order]
        case Rule():
            return [[owner.condition, owner.listeners, owner.modifiers]]
        case Invariant(condition=condition) | Prospect(condition=condition):
            return [condition]
        case Preference(condition=condition, worth=worth):
            return [[condition, worth]]
        case Definition():
            return list(of_definition(owner))
        case Test():
            return [of_test(owner)]
    return []


def of_game(model: Model) -> list[object]:
    """Return the behavior of the game itself: its programs."""
    return [model.setup, model.flow, model.journey, model.outlook]


def of_definition(definition: Definition) -> Iterator[object]:
    """Yield the behavior of a definition, of its tracks and of its parts."""
    if definition.listeners or definition.modifiers:
        yield [definition.listeners, definition.modifiers]
    if definition.members is not None:
        yield definition.members
    for value in definition.values.values():
        if value.body is not None:
            yield value.body
    for track in definition.tracks:
        yield from of_track(track)
    for part in definition.parts:
        yield from of_definition(part)


def of_track(track: Track) -> Iterator[object]:
    """Yield the behavior of a countdown or gauge."""
    yield [[body for _, body in track.steps], track.end, track.listeners]
    for tier in track.tiers:
        yield [tier.enter, tier.leave, tier.modifiers, tier.listeners]


def of_test(test: Test) -> list[object]:
    """Return the actions and expectations of a test."""
    return [[step.body, step.expr] for step in test.steps]
