"""Finds which points the tests of a game reach: each test is played once on instrumented code."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from fcbdsl.base.records import dataclass
from fcbdsl.language.compiler import instrumented_program
from fcbdsl.language.model.whole import Model
from fcbdsl.machine.vm.changes import BOX
from fcbdsl.machine.vm.game import Game
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.op_tracing import Marks
from fcbdsl.machine.vm.program import Program
from fcbdsl.machine.vm.verify.verifier import verify_program
from fcbdsl.machine.vm.world import L_CHANGE, L_EVENT, L_MOVE
from fcbdsl.play.session import worker_pool
from fcbdsl.play.testing.content_tests import run_test
from fcbdsl.tools.coverage.points import Place, Points

SHARES = 4
"""The number of shares of tests for each process; progress is reported after each share."""

Choice = Callable[[Program, int], bool]
"""Selects tests of a program, by their numbers."""


@dataclass(frozen=True, slots=True)
class Signs:
    """The points (their numbers) of each machine event: ops by the index of their mark; definitions; events; tracks
    (things) with values."""

    ops: dict[int, list[int]]
    cards: dict[int, int]
    events: dict[int, int]
    tiers: dict[int, list[tuple[int, int]]]


def counts(
    model: Model,
    points: Points,
    chosen: Choice = lambda program, number: True,
    jobs: int = 1,
    progress: Callable[[int], object] = lambda more: None,
) -> list[int]:
    """Return for each point how many of the `chosen` tests reach it. `model` has no errors.

    The result does not depend on `jobs`. Raise what a test raises.
    """
    program, places = instrumented_program(model, [watched for watched, _ in points.watched.values()])
    findings = verify_program(program)
    assert not findings, f"a watched program is refused: {findings[0]}"
    signs = _signs(program, points, places)
    numbers = [number for number in range(len(program.tests)) if chosen(program, number)]
    share = max(1, -(-len(numbers) // (jobs * SHARES)))
    shares = [numbers[at : at + share] for at in range(0, len(numbers), share)]
    out = [0] * len(points.points)
    for number, reached in worker_pool.run_tasks(
        program, partial(_counted, signs), shares, min(jobs, len(shares)), watching
    ):
        progress(len(shares[number]))
        for point, count in reached.items():
            out[point] += count
    return out


def _signs(program: Program, points: Points, places: dict[tuple[int, int], int]) -> Signs:
    """Return the points in terms of the numbers of a program."""
    first = Marks(program).first
    watched = [numbers for _, numbers in points.watched.values()]
    at: dict[Place, list[int]] = {}
    for number, row in enumerate(program.definitions):
        if row.span >= 0:
            span = program.spans[row.span]
            at.setdefault((program.files[span.file], span.line, span.column), []).append(number)
    layout = Image(program).layout
    tiers: dict[int, list[tuple[int, int]]] = {}
    for (place, value), point in points.tiers.items():
        for number in at.get(place, ()):
            tiers.setdefault(layout.first[number], []).append((value, point))
    events = {row.name: number for number, row in enumerate(program.events)}
    return Signs(
        {first[code] + op: watched[number] for (code, op), number in places.items()},
        {number: point for place, point in points.cards.items() for number in at.get(place, ())},
        {events[id]: point for id, point in points.events.items()},
        tiers,
    )


def watching(program: Program) -> Image:
    """Return an image whose ops record that they have run."""
    return Image(program, Marks(program))


def _counted(signs: Signs, image: Image, numbers: Sequence[int]) -> dict[int, int]:
    """Return how many of some tests reach each point."""
    out: dict[int, int] = {}
    for number in numbers:
        for point in dict.fromkeys(_reached(signs, image, number)):
            out[point] = out.get(point, 0) + 1
    return out


def _reached(signs: Signs, image: Image, number: int) -> Iterator[int]:
    """Yield the points that a test reaches, some of them more than once."""
    marks = image.marks
    assert marks is not None
    marks.clear()
    seen: list[int] = []
    run_test(image, number, once=True, seen=lambda game: seen.extend(_standing(signs, game)))
    yield from seen
    for place in marks.ran():
        yield from signs.ops.get(place, ())


def _standing(signs: Signs, game: Game) -> Iterator[int]:
    """Yield the points that a game in its present state has reached."""
    layout, world = game.image.layout, game.world
    value = game.image.builtin_number("value")
    for number, point in signs.cards.items():
        first = layout.first[number]
        if any(game.in_play(thing) for thing in range(first, first + layout.instances[number])):
            yield point
    for track, rows in signs.tiers.items():
        if game.in_play(track):
            yield from _passed(rows, world.mem[layout.value + track])
    for node in world.history():
        if node.what == L_EVENT and node.data[0] in signs.events:
            yield signs.events[node.data[0]]
        elif node.what == L_MOVE and node.data[2] != BOX:
            point = signs.cards.get(layout.definition_of[node.data[0]], -1)
            if point >= 0:
                yield point
        elif node.what == L_CHANGE and node.data[0] == value and node.data[1] in signs.tiers:
            yield from _passed(signs.tiers[node.data[1]], node.data[4])


def _passed(tiers: Sequence[tuple[int, int]], value: int) -> Iterator[int]:
    """Yield the points of the tiers that a value has reached."""
    return (point for at, point in tiers if at <= value)
