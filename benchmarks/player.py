"""Plays with one build: ``python -P benchmarks/player.py WHAT PROGRAM`` prints a rate, or the seconds of a clone.

`benchmarks.playing` runs it with the package of some tree on its path. That may be an earlier commit with another
interface: in aae9a85 the machine gets the world as an argument; today's game contains its world.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from fcbdsl.machine.vm import fcbc

LEAST = 1.0
"""Least seconds of play: whole rounds with the same seeds."""
ROUNDS = {"random": 40, "sensible": 3}
"""Games in a round, for each bot."""
CLONES = 20_000
BEGUN = 20
"""Decisions made in a game before it is copied."""


class Today:
    """Games with the present interface."""

    def __init__(self, program: Any) -> None:
        from fcbdsl.machine.vm import setup
        from fcbdsl.machine.vm.image import Image
        from fcbdsl.play.bots import bots
        from fcbdsl.play.session.playout import play_out

        self.bots: Any = bots
        image = Image(program)
        self.start: Callable[..., Any] = lambda *told: setup.start_game(image, *told, {})
        self.play_out: Callable[..., int] = play_out

    def copier(self, game: Any) -> Callable[[], Any]:
        """Return a function that copies a game, after some decisions have been made in it."""
        for _ in range(BEGUN):
            assert game.run() is not None
            game.answer(0)
        game.run()
        clone: Callable[[], Any] = game.clone
        return clone


class Before:
    """Games with the interface of aae9a85."""

    def __init__(self, program: Any) -> None:
        from fcbdsl.machine.vm.machine import Machine  # type: ignore[attr-defined]
        from fcbdsl.sim import bots  # type: ignore[import-not-found]
        from fcbdsl.sim.playout import play_out  # type: ignore[import-not-found]

        self.bots: Any = bots
        machine = self.machine = Machine(program)
        self.start: Callable[..., Any] = lambda *told: machine.start(*told, {})
        self.play_out: Callable[..., int] = lambda world, players: play_out(machine, world, players)

    def copier(self, world: Any) -> Callable[[], Any]:
        """Return a function that copies a game, after some decisions have been made in it."""
        for _ in range(BEGUN):
            assert self.machine.run(world) is not None
            self.machine.answer(world, 0)
        self.machine.run(world)
        return lambda: self.machine.clone(world)


def countdown_mission(program: Any) -> str:
    """Return the first mission that a track may end."""
    for row in program.tracks:
        owner = program.definitions[row.definition].owner
        if row.end >= 0 and owner >= 0:
            return str(program.definitions[owner].id)
    raise LookupError("no mission has a countdown")


def rate(build: Today | Before, bot: str, mission: str, seats: int) -> tuple[float, float]:
    """Return decisions and games per second."""
    made = {"random": build.bots.RandomBot, "sensible": build.bots.SensibleBot}[bot]

    def play(seed: int) -> int:
        return build.play_out(build.start(mission, seats, seed), [made(seed + n) for n in range(seats)])

    play(0)
    decisions = games = 0
    begin = time.process_time()
    while (seconds := time.process_time() - begin) < LEAST:
        decisions += sum(play(seed) for seed in range(1, ROUNDS[bot] + 1))
        games += ROUNDS[bot]
    return decisions / seconds, games / seconds


def main(what: str, file: str) -> float:
    """Return the wanted result: `decisions` (random bots), `games` (sensible ones), `quarry` (of three) or `clone`."""
    program = fcbc.load_fcbc(Path(file).read_bytes())
    build = Today(program) if find_spec("fcbdsl.machine.vm.image") else Before(program)
    mission, seats = countdown_mission(program), program.players[0]
    if what == "clone":
        copy = build.copier(build.start(mission, seats, 1))
        begin = time.process_time()
        for _ in range(CLONES):
            copy()
        return (time.process_time() - begin) / CLONES
    if what == "decisions":
        return rate(build, "random", mission, seats)[0]
    return rate(build, "sensible", *((mission, seats) if what == "games" else ("cinder-quarry", 3)))[1] * 60


if __name__ == "__main__":
    print(main(*sys.argv[1:]))
