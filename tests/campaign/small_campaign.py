"""A small campaign that each test can write again, with places to visit and things to keep."""

from __future__ import annotations

from pathlib import Path

from fcbdsl.base.diagnostics.problems import Problems
from fcbdsl.base.source import Source
from fcbdsl.language.compiler import lower
from fcbdsl.language.model.check import check
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.program import Program
from fcbdsl.machine.vm.verify.verifier import verify_program
from fcbdsl.project.project import parse_all

CORE = Path(__file__).parents[2] / "fcbdsl" / "content" / "systems" / "core.fcb"

SYSTEM = """
system small "Small":
  board: square
  players: 1..2
kind place is card:
  field scene: mission definition
  field opens: many place definition, optional
  stat seen: number 0.., kept
kind campaign:
  field first: many place definition, optional
zone chart of place: any, kept
zone journal of place: any, kept
mission hill "Hill":
  map square:
    art: |
      +--+
      |. |
      +--+
"""
"""The system of the tests below; each test adds its journey and its places."""


def program(text: str, system: str = SYSTEM, *, tests: bool = False) -> Program:
    """Return the program of the small system and more text without mistakes. `tests`: include its tests."""
    problems = Problems()
    files = parse_all(
        [Source(CORE.name, CORE.read_text(encoding="utf-8")), Source("small.fcb", system + text)], problems
    )
    model, reported = check(files)
    assert [problem.message for problem in (*problems.sorted(), *reported) if problem.severity == "error"] == []
    made = lower(model, tests=tests)
    assert verify_program(made) == []
    return made


def sources(text: str, system: str = SYSTEM) -> dict[str, Source]:
    """Return the sources of such a program by name."""
    return {"small.fcb": Source("small.fcb", system + text)}


def image(text: str, system: str = SYSTEM) -> Image:
    return Image(program(text, system))
