"""Numbers that conditions read: shortcuts give the same answers as trying all values."""

from __future__ import annotations

from dataclasses import replace

import pytest
from games import SMALLEST_FIRST, first_few, model

from fcbdsl.language.model import ir
from fcbdsl.language.model.checks.number_values import Numbers, Scope, tried_values, value_points
from fcbdsl.language.model.checks.ranges import Ranges
from fcbdsl.language.model.declarations import NOWHERE, Kind

FEW = 3
"""Most definitions and missions that are tried with one condition."""


def never(numbers: Numbers, condition: ir.Expr, scope: Scope) -> bool:
    """Return whether no values make a condition true: each combination is tried."""
    reach = numbers.reach(condition, scope)
    ranges = {key: tried_values(leaf, reach) for key, leaf in numbers.leaves(condition, scope)}
    points = value_points({key: values for key, values in ranges.items() if values is not None})
    return points is not None and all(numbers.at(condition, scope, point) == 0 for point in points)


@pytest.mark.parametrize("game", first_few(SMALLEST_FIRST, 1))
def test_conditions_of_selections_never_hold_if_no_value_fits(game: str) -> None:
    """The answer of an earlier question counts only if all numbers have the same ranges again."""
    numbers = Numbers(model(game))
    Ranges(numbers)
    missions = [definition for definition in numbers.model.definitions.values() if definition.kind.is_a("mission")]
    answers = []
    selects = [node for _, _, nodes in numbers.walked for node in nodes if isinstance(node, ir.Select)]
    for mission in (None, *missions[:FEW]):
        numbers.mission = mission
        for select in selects:
            if select.where is None or select.type.base != "thing":
                continue
            for definition, _ in (numbers.stock.things(select.type.name, mission) or [])[:FEW]:
                scope: Scope = {select.it: definition}
                answers.append(numbers.never(select.where, scope))
                assert answers[-1] == never(numbers, select.where, scope)
    assert {*answers} == {False, True}


@pytest.mark.parametrize("game", first_few(SMALLEST_FIRST, 1))
def test_selections_are_empty_if_they_have_at_most_nothing(game: str) -> None:
    numbers, counting = Numbers(model(game)), Numbers(model(game))
    Ranges(numbers)
    Ranges(counting)
    missions = [definition for definition in numbers.model.definitions.values() if definition.kind.is_a("mission")]
    answers = []
    selects = [node for _, _, nodes in numbers.walked for node in nodes if isinstance(node, ir.Select)]
    for mission in (None, *missions[:FEW]):
        numbers.mission = counting.mission = mission
        for select in selects:
            for tried in (select, replace(select, where=ir.Const(0, ir.FLAG, select.span, "no"))):
                answers.append(numbers.is_empty(tried, {}))
                assert answers[-1] == (counting.most_of(tried, {}) == 0)
    assert {*answers} == {False, True}


@pytest.mark.parametrize("game", first_few(SMALLEST_FIRST, 2))
def test_estimates_matter_only_where_greatest_values_are_asked_for(game: str) -> None:
    numbers = Numbers(model(game))
    ranges = Ranges(numbers)
    skipped = differing = 0
    for _, _, nodes in numbers.walked:
        for condition in (node for node in nodes if isinstance(node, ir.Binary | ir.Quantified | ir.Apply)):
            asked = numbers.raising.asked
            exact = ranges.never(condition, {}), ranges.truth(condition, {}), ranges.of(condition, {})
            is_skipped = numbers.raising.asked == asked
            numbers.raising.estimates = True
            estimated = ranges.never(condition, {}), ranges.truth(condition, {}), ranges.of(condition, {})
            numbers.raising.estimates = False
            assert exact == estimated or not is_skipped
            skipped += is_skipped
            differing += exact != estimated
    assert skipped
    assert differing


def test_a_kind_is_its_ancestors() -> None:
    """An id of the kind itself or of an ancestor counts."""
    span = NOWHERE
    thing = Kind("thing", None, span)
    piece = Kind("piece", thing, span)
    card = Kind("card", thing, span)
    hero = Kind("hero", piece, span)
    kinds = (thing, piece, card, hero)
    for kind in kinds:
        for other in kinds:
            assert kind.is_a(other.id) == any(above is other for above in kind.lineage())
