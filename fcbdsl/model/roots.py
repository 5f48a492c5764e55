"""Where behaviour stands in a model: every body and expression, with the declaration it belongs to."""

from __future__ import annotations

from collections.abc import Iterator

from fcbdsl.model.content import Definition, Test, Track
from fcbdsl.model.declarations import Declared
from fcbdsl.model.ir import walk
from fcbdsl.model.whole import Model

Root = tuple[Declared | None, object]
"""What a piece of behaviour belongs to (None: the system itself), and the behaviour: nodes, or lists of them."""


def nodes(model: Model) -> Iterator[object]:
    """Every node of a model's behaviour."""
    for _, root in roots(model):
        yield from walk(root)


def roots(model: Model) -> Iterator[Root]:
    """Every piece of behaviour of a model, tests among them."""
    for form in model.forms:
        yield form, form.body
        yield form, [text.condition for text in form.texts if text.condition is not None]
    for kind in model.kinds.values():
        yield kind, [kind.usable, kind.spends, kind.listeners, kind.modifiers]
        for column in kind.fields.values():
            yield column, [column.default, column.listeners, column.modifiers]
    for action in model.actions.values():
        yield action, [action.by, action.subject, action.needs, action.body, [cost for _, cost in action.costs]]
    for rule in model.rules.values():
        yield rule, [rule.condition, rule.listeners, rule.modifiers]
    for invariant in model.invariants.values():
        yield invariant, invariant.condition
    for prospect in model.prospects.values():
        yield prospect, prospect.condition
    yield None, [model.setup, model.flow, model.journey, model.outlook]
    for definition in model.definitions.values():
        for root in of_definition(definition):
            yield definition, root
    for test in model.tests:
        yield test, of_test(test)


def of_definition(definition: Definition) -> Iterator[object]:
    """The behaviour of a definition, of its tracks and of its parts."""
    yield [definition.listeners, definition.modifiers]
    for value in definition.values.values():
        if value.body is not None:
            yield value.body
    for track in definition.tracks:
        yield from of_track(track)
    for part in definition.parts:
        yield from of_definition(part)


def of_track(track: Track) -> Iterator[object]:
    """The behaviour of a countdown or gauge."""
    yield [[body for _, body in track.steps], track.end, track.listeners]
    for tier in track.tiers:
        yield [tier.enter, tier.leave, tier.modifiers, tier.listeners]


def of_test(test: Test) -> list[object]:
    """What a test does and expects."""
    return [[step.body, step.expr] for step in test.steps]
