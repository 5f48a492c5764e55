"""The automatic mode takes, of equal paths, the one with the smallest list of directions (FCB-PATH-06)."""

from __future__ import annotations

import games
import pytest

from fcbdsl.language.compiler import lower
from fcbdsl.machine.vm import setup
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.world import L_MOVE
from fcbdsl.play.bots.bots import FirstBot

GAME = "far-cry-beyond"
SIZE = 9
START = "E5"
PREYS = ("A1", "I1", "A9", "I9", "E1", "B1", "B6", "H3")
STEPS = 2
"""The MP of the hunter."""

Cell = tuple[int, int]

LEFT = ((1, 0), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1))
RIGHT = ((1, 0), (1, 1), (0, 1), (-1, 0), (0, -1), (1, -1))
"""Steps in columns and rows, by direction from d0 to d5: from odd rows, and from the shifted ones."""


def cell(space: str) -> Cell:
    return ord(space[0]) - ord("A"), int(space[1:]) - 1


def beside(at: Cell) -> list[Cell]:
    """Return the neighbors by direction, also off the board."""
    return [(at[0] + right, at[1] + down) for right, down in (RIGHT if at[1] % 2 else LEFT)]


def ways(at: Cell, goals: list[Cell], length: int) -> list[list[Cell]]:
    """Return every path of that length to a goal, the smallest directions first."""
    if not length:
        return [[at]] if at in goals else []
    return [
        [at, *rest]
        for near in beside(at)
        if all(0 <= part < SIZE for part in near)
        for rest in ways(near, goals, length - 1)
    ]


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Image:
    """Return an image with a test for each prey: a brigadier and one hero on an empty field; the last step lets the
    hero act."""
    folder = tmp_path_factory.mktemp("ways")
    art = "\n".join(" " * (6 + row % 2) + " ".join("." * SIZE) for row in range(SIZE))
    content = f"use {GAME}\n"
    for prey in PREYS:
        given = [f"given brigadier#1 at {START}", f"given boris at {prey}", "do muster brigadier#1"]
        steps = "\n  ".join([*given, "do activate brigadier#1"])
        content += f'\ntest "{prey}":\n  map hex:\n    art: |\n{art}\n  {steps}\n'
    (folder / "ways.fcb").write_text(content, encoding="utf-8")
    return Image(lower(games.model_with(GAME, folder / "ways.fcb"), tests=True))


@pytest.mark.long
@pytest.mark.parametrize("prey", PREYS)
def test_first_option_follows_smallest_path(image: Image, prey: str) -> None:
    number = next(n for n, test in enumerate(image.program.tests) if test.title == prey)
    game = setup.stage(image, number)
    for step in image.program.tests[number].steps:
        game.begin(step.code, -1, game.world.mission)
        while (ask := game.run()) is not None:
            game.answer(FirstBot(0).choose(game, ask))
    names = image.program.boards[game.world.board].cells
    low, spaces = image.layout.range_of("enemy"), image.layout.spaces_low
    moves = [node.data for node in game.world.history() if node.what == L_MOVE]
    walked = [cell(names[data[1] - spaces].name) for data in moves if low[0] <= data[0] < low[1] and data[1] >= 0]
    goals = beside(cell(prey))
    every = next(shortest for length in range(SIZE) if (shortest := ways(cell(START), goals, length)))
    assert walked == every[0][: STEPS + 1]
    assert len(every) > 1
