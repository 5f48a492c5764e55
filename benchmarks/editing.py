"""``python -m benchmarks.editing --before TREE``: the cost of ``fcb check`` and ``fcb test`` after one changed line.

It measures processor seconds of whole commands, including the start, each on its own content. The commands run in turn
in a copy of this tree and in one of an earlier commit; with ``--compiled`` also in one with the compiled build. Each
edit differs from those before.
"""

from __future__ import annotations

import argparse
import re
import shutil
import statistics
import tempfile
from collections.abc import Callable
from pathlib import Path

from benchmarks.__main__ import ROOT, command
from benchmarks.tasks import GAME

LEFT_OUT = shutil.ignore_patterns(".*", "build", "__pycache__", "node_modules")
NUMBER = re.compile(r"^(    [a-z].* )([12])$", re.MULTILINE)
"""Matches a line of an effect that ends in a number."""
TEST = re.compile(r'^test "([^"]+)".*:\n', re.MULTILINE)
EXPRESSION = re.compile(r"[\w ]+")
PACKAGE = "fcbdsl"
TITLE = "TITLE"
"""A placeholder for a part of the title of the test that is changed."""
ALONE = "ALONE"
"""A placeholder for the options that select a single game, unless an earlier tree has only one."""


def cold(tree: Path, cache: Path, turn: int) -> None:
    """Delete the caches."""
    shutil.rmtree(cache, ignore_errors=True)


def card(tree: Path, cache: Path, turn: int) -> None:
    """Write another number into an effect of a card."""
    files = sorted((tree / "cards" / GAME).glob("*.fcb")) or sorted((tree / "cards").glob("*.fcb"))
    path = next(path for path in files if NUMBER.search(path.read_text(encoding="utf-8")))
    text = path.read_text(encoding="utf-8")
    path.write_text(NUMBER.sub(r"\g<1>3", text, count=1), encoding="utf-8")  # of another line each time


def test(tree: Path, cache: Path, turn: int) -> None:
    """Write a remark into a test."""
    path = first_tests(tree)
    text = path.read_text(encoding="utf-8")
    path.write_text(TEST.sub(lambda found: f"{found[0]}  # remark {turn}\n", text, count=1), encoding="utf-8")


def first_tests(tree: Path) -> Path:
    """Return the first file of tests."""
    return sorted((tree / "tests" / "cases" / "play").rglob("*.fcb"))[0]


def nothing(tree: Path, cache: Path, turn: int) -> None:
    """Change nothing."""


Edit = Callable[[Path, Path, int], None]


def rows(before: Path, turns: int, compiled: Path | None = None) -> list[tuple[str, list[float], list[float]]]:
    """Return the edits with medians of seconds: now, before, and by the compiled build; and of the ratios to before."""
    with tempfile.TemporaryDirectory() as folder:
        copies = []
        for number, tree in enumerate([ROOT, before] if compiled is None else [ROOT, before, ROOT]):
            copy = Path(folder) / str(number)
            shutil.copytree(tree, copy / "tree", ignore=LEFT_OUT)
            copies.append(copy)
        if compiled is not None:
            shutil.rmtree(copies[-1] / "tree" / PACKAGE)
            shutil.copytree(compiled / PACKAGE, copies[-1] / "tree" / PACKAGE)
            for library in compiled.glob(f"{PACKAGE}*__mypyc.*"):
                shutil.copy(library, copies[-1] / "tree")
        asked: list[tuple[str, tuple[str, ...], Edit]] = [
            ("fcb check of the one game, nothing known", ("check", ALONE), cold),
            ("fcb check, nothing known", ("check",), cold),
            ("fcb check, unchanged", ("check",), nothing),
            ("fcb check, a test changed", ("check",), test),
            ("fcb check, a number of a card changed", ("check",), card),
            ("fcb test -k, a test changed", ("test", "-k", TITLE), test),
            ("fcb test -k, a number of a card changed", ("test", "-k", TITLE), card),
        ]
        out = []
        for what, arguments, edit in asked:
            turned = [[measured(copy, arguments, edit, turn) for copy in copies] for turn in range(turns)]
            seconds = [statistics.median(column) for column in zip(*turned, strict=True)]
            ratios = [statistics.median(row[at] / row[1] for row in turned) for at in range(len(copies)) if at != 1]
            out.append((what, seconds, ratios))
        return out


def the_game(tree: Path) -> list[str]:
    """Return the options that select the measured game: none where an earlier tree has only that."""
    several = re.search(r"^games\b", (tree / "fcb.toml").read_text(encoding="utf-8"), re.MULTILINE)
    return ["--game", GAME] if several else []


def measured(copy: Path, arguments: tuple[str, ...], edit: Edit, turn: int) -> float:
    """Return the processor seconds of a command after an edit."""
    tree = copy / "tree"
    edit(tree, copy / "cache", turn)
    found = TEST.search(first_tests(tree).read_text(encoding="utf-8"))
    assert found is not None
    title = max(EXPRESSION.findall(found[1]), key=len).strip()
    said = {TITLE: [title], ALONE: the_game(tree)}
    return command(tree, copy, *[each for word in arguments for each in said.get(word, [word])])[0]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.editing", description=__doc__)
    parser.add_argument("--before", type=Path, required=True, help="a work tree of an earlier commit")
    parser.add_argument("--turns", type=int, default=3, help="measurements of each row (default 3)")
    parser.add_argument("--compiled", type=Path, help="a tree that `make fast` has built, to measure, too")
    options = parser.parse_args()
    compiled = options.compiled and options.compiled.resolve()
    heads = ["command", "now", "before", "ratio"] + (["compiled", "ratio"] if compiled else [])
    print(f"| {' | '.join(heads)} |\n|{'---|' * len(heads)}")
    for what, seconds, ratios in rows(options.before.resolve(), options.turns, compiled):
        cells = [f"{seconds[0]:.2f} s", f"{seconds[1]:.2f} s", f"{ratios[0]:.2f}"]
        cells += [f"{seconds[2]:.2f} s", f"{ratios[1]:.2f}"] if compiled else []
        print(f"| {what} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
