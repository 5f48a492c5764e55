"""The shipped missions, compiled from their sources and played to the end."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

import pytest

from fcbdsl.compiler import lower
from fcbdsl.model.check import check
from fcbdsl.model.whole import Model
from fcbdsl.syntax import parse, read_source
from fcbdsl.vm import fcbc
from fcbdsl.vm.machine import Machine
from fcbdsl.vm.program import Program
from fcbdsl.vm.verify import verify

ROOT = Path(__file__).parents[2]
FILES = [
    ROOT / "fcbdsl" / "systems" / "core.fcb",
    *sorted((ROOT / "fcbdsl" / "systems" / "far-cry-beyond").glob("*.fcb")),
    *sorted((ROOT / "cards" / "far-cry-beyond").glob("*.fcb")),
    *sorted((ROOT / "missions" / "far-cry-beyond").glob("*.fcb")),
]
MOST_DECISIONS = 20_000


def read() -> Model:
    files = []
    for path in FILES:
        source, _ = read_source(path.name, path.read_bytes())
        assert source is not None
        files.append(parse(source)[0])
    model, problems = check(files)
    assert not [problem for problem in problems if problem.severity == "error"]
    return model


@cache
def program() -> Program:
    return lower(read())


MISSIONS = [path.stem for path in FILES if f"\nmission {path.stem} " in path.read_text(encoding="utf-8")]


def test_what_is_shipped_compiles_to_a_sound_program() -> None:
    assert not list(verify(program()))
    assert MISSIONS


def test_the_same_sources_give_the_same_bytes() -> None:
    assert fcbc.dump(lower(read())) == fcbc.dump(program())


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("mission", MISSIONS)
def test_random_decisions_bring_a_mission_to_its_end(mission: str, players: int) -> None:
    machine = Machine(program())
    world = machine.start(mission, players, 7)
    chance = random.Random(7)
    decisions = 0
    while (ask := machine.run(world)) is not None and decisions < MOST_DECISIONS:
        machine.answer(world, chance.randrange(len(ask.options)))
        decisions += 1
    assert world.fault is None
    assert world.outcome_name() in {"win", "lose", "draw"}
    assert decisions > 10
