"""``python -m benchmarks.walk``: how many files three words go through, from the line of a card to its French text.

Counts of calls, of files, and of changes from one file to another, in a process that has done all of it before: what a
person meets who follows a value with a debugger. Times say nothing about that, and counts are the same everywhere.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from fcbdsl.compiler import bodies
from fcbdsl.compiler.unit import Unit
from fcbdsl.diagnostics.problems import Problems
from fcbdsl.model.check import Checker
from fcbdsl.model.ir import Body
from fcbdsl.model.resolve import statements
from fcbdsl.model.resolve.scope import scope_of
from fcbdsl.project import load, parsed
from fcbdsl.prose.naming import Naming
from fcbdsl.prose.reading import LANGUAGES, paragraphs_of
from fcbdsl.source import Source
from fcbdsl.syntax.parser import parse
from fcbdsl.syntax.tree import Line

ROOT = Path(__file__).parents[1]
PACKAGE = str(ROOT / "fcbdsl")
GAME, KIND = "far-cry-beyond", "attack"
WORDS, LIKES, TOLD = "Push target 7", ("Push target 8", "Push target 9"), "Poussez la cible de 7 cases"
"""Nobody says the first or the like: what is read of words that somebody has said is copied."""


@dataclass(frozen=True, slots=True)
class Walk:
    """What a stage goes through. `files`: in the order in which they are first met; `turns`: changes of file."""

    stage: str
    calls: int
    files: tuple[str, ...]
    turns: int


class _Tracer:
    """Notes the file of each Python call of the package."""

    def __init__(self) -> None:
        self.files: list[str] = []

    def __call__(self, frame: FrameType, event: str, _: object) -> None:
        name = frame.f_code.co_filename
        if event == "call" and name.startswith(PACKAGE):
            self.files.append(name[len(PACKAGE) + 1 :])


def traced(stage: str, first: Callable[[], object], work: Callable[[], object]) -> Walk:
    """Count what some work goes through when the like of it has been done before."""
    first()
    tracer = _Tracer()
    before = sys.getprofile()
    sys.setprofile(tracer)
    try:
        work()
    finally:
        sys.setprofile(before)
    turns = sum(a != b for a, b in zip(tracer.files, tracer.files[1:], strict=False))
    return Walk(stage, len(tracer.files), tuple(dict.fromkeys(tracer.files)), turns)


def walks() -> list[Walk]:
    """Each stage of the way. Raises AssertionError if what comes out is not what the card says."""
    loader = load(root=ROOT, game=GAME, tests=False)
    checker = Checker(loader.project.variants, loader.project.languages, ())
    model = checker.update(parsed(loader.sources, Problems()))
    context, kind = checker.context, model.kinds[KIND]
    unit = Unit(model)

    def read(words: str) -> Line:
        (line,) = parse(Source("card.fcb", f"{words}\n"))[0].lines
        return line

    def resolved(line: Line) -> Body:
        return statements.lines_body(context.reader, [line], scope_of(kind, context.model))

    def lowered(body: Body) -> int:
        return bodies.effect(unit, "walk", body)

    def told(body: Body) -> str:
        naming = Naming(model, LANGUAGES["fr"], "a card", kind.span)
        return " ".join(paragraph.plain() for paragraph in paragraphs_of(body, naming, kind))

    others = [resolved(read(words)) for words in LIKES]
    line = read(WORDS)
    made: list[Body] = []
    found = [
        traced("text to tree", lambda: read(WORDS), lambda: read(WORDS)),
        traced("tree to typed tree", lambda: others, lambda: made.append(resolved(line))),
        traced("typed tree to ops", lambda: [lowered(other) for other in others], lambda: lowered(made[0])),
        traced("typed tree to French", lambda: [told(other) for other in others], lambda: told(made[0])),
    ]
    assert TOLD in " ".join(told(made[0]).split()), told(made[0])  # whatever its spaces are
    return found


def whole(found: list[Walk]) -> Walk:
    """All stages as one."""
    files = tuple(dict.fromkeys(file for walk in found for file in walk.files))
    return Walk("in all", sum(walk.calls for walk in found), files, sum(walk.turns for walk in found))


def main() -> None:
    """Print the table, then the files of each stage."""
    found = walks()
    print("| stage | calls | files | changes of file |\n|---|---|---|---|")
    for walk in (*found, whole(found)):
        print(f"| {walk.stage} | {walk.calls} | {len(walk.files)} | {walk.turns} |")
    for walk in found:
        print(f"\n{walk.stage}: {', '.join(walk.files)}")


if __name__ == "__main__":
    main()
