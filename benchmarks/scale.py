"""``python -m benchmarks.scale``: decisions per second of random bots as games grow. Prints a table.

The games are generated: walkers on a square map step to a free neighboring space or call. Listeners, each with a
condition, wait for every step. One of the numbers of walkers, spaces and listeners grows at a time.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import Any

FEW = {"walkers": 2, "spaces": 100, "listeners": 10}
"""The values of the other numbers while one grows."""
SIZES = {"walkers": (2, 5, 10, 20, 40), "spaces": (40, 100, 250, 500, 1000), "listeners": (10, 50, 100, 250, 500)}
ROUNDS = 30
LEAST = 2_000
"""Least decisions that are measured of each game."""

SYSTEM = """\
system grid "The Grid":
  players: 1..1
  board: square
  languages: en

kind game:
  stat steps "steps": number 0..
  stat heard "heard": number 0..
kind walker is piece:
  name: "walker", plural "walkers"
  stat energy "energy": number 0.., starts 2
  stat calls "calls": number 0..

kind mission:
  field goal: number 1.., default 3

event step:
  takes: who (walker)
  form: who steps

flow:
  for each sort in walker definition:
    choose spot: space where it is not occupied, at random
    place (instance of sort) on spot
  repeat:
    for each walker: walker's energy becomes 2
    offer walker, until done
    for each countdown: advance countdown

action go "Go":
  by: walker
  form: goes
  costs: 1 energy
  needs: any space adjacent to self where it is not occupied
  effect:
    choose spot: space adjacent to self where it is not occupied
    place self on spot
    steps +1
    announce step self

action call "Call":
  by: walker
  form: calls
  costs: 1 energy
  needs: any walker within 3 of self where it != self
  effect: self's calls +1

"""


def sources(walkers: int, spaces: int, listeners: int) -> str:
    """Return the text of a game."""
    heard = "".join(
        f'rule r{n} "Rule {n}":\n  when walker steps, if walker\'s calls = {n + 1}: heard +1\n'
        for n in range(listeners)
    )
    who = "".join(f'walker w{n} "Walker {n}"\n' for n in range(walkers))
    across = max(4, round(spaces**0.5))
    edge, between = ("+" + f"{side}+" * across for side in ("--", "  "))
    row = "|" + ".  " * across
    lines = f"\n      {between}\n".join([f"      {row[:-1]}|"] * (spaces // across))
    board = f"  map square:\n    art: |\n      {edge}\n{lines}\n      {edge}\n"
    end = f'  countdown dusk "Dusk":\n    length: {ROUNDS}\n    at end: lose "Dusk."\n'
    return f'{SYSTEM}{heard}{who}mission walk "The Walk":\n{board}{end}'


def program(**sizes: int) -> Any:
    """Return such a game, compiled."""
    from fcbdsl.language.compiler import lower
    from fcbdsl.project.project import check_project

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "grid.fcb"
        file.write_text(sources(**sizes), encoding="utf-8")
        model, problems = check_project([file])
        assert not problems, [str(problem) for problem in problems[:3]]
        return lower(model)


def measured(**sizes: int) -> tuple[float, float]:
    """Return decisions per second, and microseconds to copy a world and change it."""
    from fcbdsl.machine.vm import setup
    from fcbdsl.machine.vm.image import Image
    from fcbdsl.play.bots.bots import RandomBot
    from fcbdsl.play.session.playout import play_out

    image = Image(program(**sizes))
    game = setup.start_game(image, "walk", 1, 0, {})
    play_out(game, [RandomBot(0)])
    decisions = seed = 0
    seconds = 0.0
    while decisions < LEAST:
        seed += 1
        game = setup.start_game(image, "walk", 1, seed, {})
        assert game.run() is not None
        begin = time.process_time()
        decisions += play_out(game, [RandomBot(seed)])
        seconds += time.process_time() - begin
    begin = time.process_time()
    for _ in range(LEAST):
        clone = game.clone()
        clone.world.write(0, 1)
    return decisions / seconds, (time.process_time() - begin) / LEAST * 1e6


def main() -> None:
    """Measure and print."""
    print("| grows | to | decisions/s | clone, changed |\n|---|---|---|---|")
    for grows, sizes in SIZES.items():
        for size in sizes:
            rate, copied = measured(**{**FEW, grows: size})
            print(f"| {grows} | {size:,} | {rate:,.0f} | {copied:.1f} µs |", flush=True)


if __name__ == "__main__":
    main()
