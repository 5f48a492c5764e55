"""``python -m benchmarks.typing``: the cost of an edit while somebody types, in milliseconds of processor time.

One process opens a project and changes lines in it: a number inside an effect (a statement of a card, of an action, of
a verb), or a new declaration. The peer is a check from the start, of the same project in the same process. The ratio
shows how much work an edit saves.
"""

from __future__ import annotations

import argparse
import re
import statistics
import tempfile
import time
from functools import partial
from pathlib import Path
from random import Random

from benchmarks.pack import cards
from benchmarks.tasks import GAME
from fcbdsl.language.model import ir
from fcbdsl.language.model.check import Checker
from fcbdsl.language.model.content import Test
from fcbdsl.language.model.ir import walk
from fcbdsl.language.model.roots import roots
from fcbdsl.language.syntax.parser import parse
from fcbdsl.project.project import files_of_tests
from fcbdsl.project.workspace import Workspace

CARDS = 1_000
CORE = "core.fcb"
_DIGIT = re.compile(r"[1-9](?!\d)")
_HEAD = "takes:"  # its defaults appear in the calls, too
_NEW = '\nstatus brand-new-{number} "Brand new":\n  fr: "Flambant neuf"\n'


def written_numbers(space: Workspace) -> list[tuple[str, int]]:
    """Return the places of digits in statements: names of files and offsets."""
    found: dict[tuple[str, int], None] = {}
    rows = {name: space.text(name).split("\n") for name in space.files if not name.endswith(CORE)}
    for owner, root in roots(space.model):
        for body in walk(root) if not isinstance(owner, Test) else ():
            for node in walk(body.statements) if isinstance(body, ir.Body) else ():
                if isinstance(node, ir.Const) and node.type == ir.NUMBER and node.span.source.name in rows:
                    name = node.span.source.name
                    line, column = node.span.source.position(node.span.start)
                    written = rows[name][line - 1]
                    if _DIGIT.match(written, column - 1) and not written.strip().startswith(_HEAD):
                        found[name, sum(len(row) + 1 for row in rows[name][: line - 1]) + column - 1] = None
    return list(found)


def edits(space: Workspace, count: int, random: Random) -> tuple[list[float], list[float]]:
    """Return the seconds of changed effects and of new declarations."""
    names = [name for name in space.files if not name.endswith(CORE)]
    effects: list[float] = []
    heads: list[float] = []
    places = written_numbers(space)
    for number in range(count):
        name, at = random.choice(places)
        text = space.text(name)
        effects.append(_seconds(space, name, text[:at] + str(10 - int(text[at])) + text[at + 1 :]))
        _seconds(space, name, text)
        if number % 5 == 0:
            name = random.choice(names)
            text = space.text(name)
            heads.append(_seconds(space, name, text + _NEW.format(number=number)))
            _seconds(space, name, text)
    return effects, heads


def _seconds(space: Workspace, name: str, text: str) -> float:
    """Return the seconds until all problems are known again."""
    begin = time.process_time()
    space.change(name, text)
    space.problems()
    return time.process_time() - begin


def from_the_start(space: Workspace) -> float:
    """Return the seconds of a check from the start; parsed lines are cached, as for an edit."""
    begin = time.process_time()
    loader = space.loader
    checker = Checker(loader.project.variants, loader.project.languages, files_of_tests(loader))
    checker.update([parse(source)[0] for source in loader.sources])
    checker.problems()
    return time.process_time() - begin


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.typing", description=__doc__)
    parser.add_argument("--edits", type=int, default=100, help="edits of effects for each row (default 100)")
    count = parser.parse_args().edits
    print("| project | edit | median | 95 % | from the start | ratio |")
    print("|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        pack = Path(folder) / "pack.fcb"
        pack.write_text(cards(CARDS), encoding="utf-8")
        # one after another, since opening collects the garbage of earlier measurements
        opening = [("shipped content", partial(Workspace, game=GAME)), (f"{CARDS:,} cards", partial(Workspace, [pack]))]
        for title, opened in opening:
            space = opened()
            effects, heads = edits(space, count, Random(1))
            whole = statistics.median(from_the_start(space) for _ in range(3))
            for what, found in (("a line of an effect", effects), ("a new declaration", heads)):
                median, late = statistics.median(found), sorted(found)[int(len(found) * 0.95)]
                shown = f"{median * 1000:.0f} ms | {late * 1000:.0f} ms | {whole * 1000:,.0f} ms"
                print(f"| {title} | {what} | {shown} | {median / whole:.3f} |", flush=True)


if __name__ == "__main__":
    main()
