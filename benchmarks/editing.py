"""``python -m benchmarks.editing --before TREE``: what ``fcb check`` and ``fcb test`` cost who changes one line.

Processor seconds of whole commands, start and all, in a copy of this tree and in one of an earlier commit, in turn,
each on its own content. Each edit is another one than before.
"""

from __future__ import annotations

import argparse
import re
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

from benchmarks.__main__ import ROOT, command, medians
from benchmarks.tasks import GAME

LEFT_OUT = shutil.ignore_patterns(".*", "build", "__pycache__", "node_modules")
NUMBER = re.compile(r"^(    [a-z].* )([12])$", re.MULTILINE)
"""A line of an effect that ends in a number."""
TEST = re.compile(r'^test "([^"]+)".*:\n', re.MULTILINE)
EXPRESSION = re.compile(r"[\w ]+")
TITLE = "TITLE"
"""Stands for a part of the title of the test that is changed."""


def cold(tree: Path, cache: Path, turn: int) -> None:
    """Forget everything."""
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
    """The first file of tests."""
    return sorted((tree / "tests" / "cases" / "play").rglob("*.fcb"))[0]


def nothing(tree: Path, cache: Path, turn: int) -> None:
    """Change nothing."""


Edit = Callable[[Path, Path, int], None]


def rows(before: Path, turns: int) -> list[tuple[str, float, float, float]]:
    """What was done, medians of seconds now and before, and of their ratio."""
    with tempfile.TemporaryDirectory() as folder:
        trees = []
        for number, tree in enumerate((ROOT, before)):
            copy = Path(folder) / str(number)
            shutil.copytree(tree, copy / "tree", ignore=LEFT_OUT)
            trees.append(copy)
        asked: list[tuple[str, tuple[str, ...], Edit]] = [
            ("fcb check, nothing known", ("check",), cold),
            ("fcb check, unchanged", ("check",), nothing),
            ("fcb check, a test changed", ("check",), test),
            ("fcb check, a number of a card changed", ("check",), card),
            ("fcb test -k, a test changed", ("test", "-k", TITLE), test),
            ("fcb test -k, a number of a card changed", ("test", "-k", TITLE), card),
        ]
        out = []
        for what, arguments, edit in asked:
            seconds: list[tuple[float, float]] = []
            for turn in range(turns):
                now, then = (measured(copy, arguments, edit, turn) for copy in trees)
                seconds.append((now, then))
            out.append((what, *medians(seconds)))
        return out


def measured(copy: Path, arguments: tuple[str, ...], edit: Edit, turn: int) -> float:
    """Processor seconds of a command after an edit."""
    tree = copy / "tree"
    edit(tree, copy / "cache", turn)
    found = TEST.search(first_tests(tree).read_text(encoding="utf-8"))
    assert found is not None
    title = max(EXPRESSION.findall(found[1]), key=len).strip()
    return command(tree, copy, *[title if word == TITLE else word for word in arguments])[0]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.editing", description=__doc__)
    parser.add_argument("--before", type=Path, required=True, help="a work tree of an earlier commit")
    parser.add_argument("--turns", type=int, default=3, help="measurements of each row (default 3)")
    options = parser.parse_args()
    print("| command | now | before | ratio |\n|---|---|---|---|")
    for what, now, then, ratio in rows(options.before.resolve(), options.turns):
        print(f"| {what} | {now:.2f} s | {then:.2f} s | {ratio:.2f} |", flush=True)


if __name__ == "__main__":
    main()
