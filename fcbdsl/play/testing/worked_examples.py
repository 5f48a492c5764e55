"""Content tests as worked examples: the position before the action, what moves, and the log in words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from fcbdsl.base.records import dataclass
from fcbdsl.base.typography import with_capital
from fcbdsl.machine.vm.game import Game
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.program import Step
from fcbdsl.machine.vm.world import L_END, L_EVENT, L_MOVE
from fcbdsl.play.session.log_text import given, shown_entries
from fcbdsl.play.session.view import View
from fcbdsl.play.testing.content_tests import Failure, run_test

ACTIONS = ("play", "do", "opening")
"""Steps by which an example can begin; `play` comes first."""


@dataclass(frozen=True, slots=True)
class SpacePosition:
    """What is on a space: definitions of pieces, its terrain (-1: plain), and counts of tokens by field."""

    pieces: tuple[int, ...]
    terrain: int
    tokens: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class ExampleLog:
    """A test as an example. `spaces`: the position before it begins, by the number of the space. `walks`: the spaces
    that each moving piece goes through, the first included. `lines`: the log in words. `failure`: the failure of the
    test; such an example must not be printed."""

    spaces: tuple[SpacePosition, ...]
    walks: tuple[tuple[int, ...], ...]
    lines: tuple[str, ...]
    failure: Failure | None = None


def example_log(image: Image, number: int, language: str) -> ExampleLog:
    """Return a test of the image's program as an example. It begins before the first `play`, or without one before the
    last `do`."""
    steps = image.program.tests[number].steps
    begin = _start(steps)
    games: list[Game] = []
    run_test(image, number, once=True, seen=games.append, steps=steps[:begin])
    before = games[-1]
    spaces = _position(before)
    places = {thing: before.cell(thing) for thing in before.placed_pieces()}
    heard = before.world.happened
    games.clear()
    failure = run_test(image, number, once=True, seen=games.append).failure
    after = games[-1]
    walks: dict[int, list[int]] = {thing: [cell] for thing, cell in places.items()}
    cells = {after.space(cell): cell for cell in range(len(spaces))}
    view = View(image, language)
    for node in after.world.history(heard):
        if node.what == L_MOVE and node.data[0] in walks and node.data[1] in cells:
            walks[node.data[0]].append(cells[node.data[1]])
    decisive = any(step.sort == "outcome" for step in steps)
    shown = [
        line
        for line, node in shown_entries(view, after, heard, brief=True)
        if not (node.what == L_MOVE and node.data[1] < 0 and node.data[0] not in places)  # cards between zones
        and not (node.what == L_EVENT and _is_unattended(image, node.data))
        and not (node.what == L_END and not decisive)
    ]
    labels = _labels(view, before, places)
    named = re.compile("|".join(rf"\b{re.escape(name)}\b" for name in sorted(labels, key=len, reverse=True)) or "$^")
    lines = [named.sub(lambda match: labels[match[0]], line) for line in shown]
    return ExampleLog(
        spaces, tuple(tuple(walk) for walk in walks.values() if len(set(walk)) > 1), tuple(lines), failure
    )


def _is_unattended(image: Image, data: Sequence[int]) -> bool:
    """Return whether an event concerns no thing: it only lets effects happen, such as that dice are rolled."""
    event = image.program.events[data[0]]
    return all(
        tag != "thing" or all(thing < 0 for thing in some)
        for tag, some in zip(event.tags, given(event, data), strict=True)
    )


def _labels(view: View, game: Game, things: Iterable[int]) -> dict[str, str]:
    """Return the names of pieces as a legend prints them, by their names in the log: with a capital, and with a number
    only if several are there."""
    layout = view.image.layout
    counts = Counter(layout.definition_of[thing] for thing in things)
    labels = {}
    for thing in things:
        number = layout.definition_of[thing]
        title = view.names.definition(number)
        many = f" {view.names.copy(thing)}" if counts[number] > 1 else ""
        labels[view.names.thing(game, thing)] = with_capital(title) + many
    return labels


def _start(steps: tuple[Step, ...]) -> int:
    """Return the number of the step by which an example begins."""
    plays = [at for at, step in enumerate(steps) if step.sort == ACTIONS[0]]
    effects = [at for at, step in enumerate(steps) if step.sort in ACTIONS]
    start = plays[0] if plays else effects[-1] if effects else 0
    while start and steps[start - 1].sort == "dice":
        start -= 1
    return start


def _position(game: Game) -> tuple[SpacePosition, ...]:
    """Return what is on each space of the board."""
    program = game.image.program
    counted = [number for number, field in enumerate(program.fields) if field.sort == "token"]
    pieces: dict[int, list[int]] = {}
    for thing in game.placed_pieces():
        pieces.setdefault(game.cell(thing), []).append(game.image.layout.definition_of[thing])
    return tuple(
        SpacePosition(
            tuple(pieces.get(cell, ())),
            game.terrain(cell),
            tuple((field, count) for field in counted if (count := game.base_value(field, game.space(cell))) > 0),
        )
        for cell in range(len(program.boards[game.world.board].cells))
    )
