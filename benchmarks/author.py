"""``python -m benchmarks.author``: CPU seconds and memory of the commands that an author waits for.

The reference is this repository at another revision, or a work tree of it. Both sides run each command in turn, each
with its own copy of the packs and its own cache. A checkout first makes the results that are part of a wheel
(`fcbdsl.base.shipped_results`). Seconds are user and system time of the command and its children.
Memory is the largest sum over the processes of a command, sampled from ``/proc``.
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks import history
from benchmarks.__main__ import ROOT, START, commit
from benchmarks.tasks import GAME

MISSION_PACK, CARDS_PACK, UNCHANGED_PACK = "mission", "cards", "unchanged"
"""The packs. A changed number can fail a test of the first, so `fcb ci` is measured on one that is never changed."""
MISSION = "MISSION"
"""A placeholder for the mission of a pack."""
NUMBER = re.compile(r"^(    [a-z].*[ :])(\d+)$", re.MULTILINE)
"""A line of a declaration that ends in a number."""
COST = re.compile(r"^(  cost: )(\d+)$", re.MULTILINE)
OPEN = """
import sys, time
from pathlib import Path
from random import Random
from benchmarks.typing import written_numbers
from fcbdsl.project.workspace import Workspace
space = Workspace(game=sys.argv[1])
space.program()
places = [one for one in written_numbers(space) if "cards" in one[0]]
spent = []
for name, at in Random(int(sys.argv[2])).sample(places, 5):
    text = space.text(name)
    begin = time.process_time()
    space.change(name, text[:at] + str(10 - int(text[at])) + text[at + 1 :])
    space.program()
    spent.append(time.process_time() - begin)
print(sorted(spent)[2])
"""
"""Opens a project and prints the median of the CPU seconds from an edit of a number to its program."""


RESULTS, RESULTS_MODULE = "fcbdsl/results", "fcbdsl/project/analysis/packaged_results.py"
"""The results of the package in a tree, and the module that makes them."""
MAKE_RESULTS = """
from pathlib import Path
from fcbdsl.project.analysis.packaged_results import make_results
from fcbdsl.project.project import load_project
make_results(load_project(root=Path.cwd(), tests=False))
"""


@dataclass
class Cost:
    """CPU seconds and megabytes of a command, and what it printed."""

    seconds: float
    megabytes: float
    output: str


@dataclass
class Side:
    """A state of fcb: a tree, and a folder with its packs, caches and output."""

    tree: Path
    folder: Path

    def run(self, cwd: Path, *arguments: str, may_fail: bool = False) -> Cost:
        """Run fcb in a folder. `may_fail`: it may end with the exit code for problems found."""
        return self.python(cwd, "-c", START, *arguments, may_fail=may_fail)

    def python(self, cwd: Path, *arguments: str, may_fail: bool = False) -> Cost:
        """Run Python with the package of this side."""
        environment = {
            **os.environ,
            "FCB_CACHE": str(self.folder / "cache"),
            "FCB_STATE": str(self.folder / "state"),
            "PYTHONPATH": os.pathsep.join([str(self.tree), str(ROOT)]),
            "PYTHONPYCACHEPREFIX": str(self.folder / "code"),
            "PYTHONDONTWRITEBYTECODE": "",
        }
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors:
            started = subprocess.Popen(
                [sys.executable, "-P", *arguments],
                cwd=cwd,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=errors,
            )
            memory = Memory(started.pid)
            memory.start()
            _, status, used = os.wait4(started.pid, 0)
            started.returncode = os.waitstatus_to_exitcode(status)
            most = max(memory.stop(), used.ru_maxrss / (1024 if sys.platform == "linux" else 1 << 20))
            out.seek(0)
            errors.seek(0)
            if started.returncode not in ((0, 1) if may_fail else (0,)):
                raise SystemExit(f"{' '.join(arguments)} failed:\n{out.read().decode()}{errors.read().decode()}")
            return Cost(used.ru_utime + used.ru_stime, most, out.read().decode())


class Memory(threading.Thread):
    """Follows the memory of a process and its descendants, where there is a ``/proc``."""

    def __init__(self, root: int) -> None:
        super().__init__(daemon=True)
        self._root = root
        self._most = 0.0
        self._ended = threading.Event()

    def run(self) -> None:
        """Sample until the process has ended."""
        while not self._ended.wait(0.1):
            self._most = max(self._most, sum(map(resident, [self._root, *descendants(self._root)])))

    def stop(self) -> float:
        """Return the most megabytes seen."""
        self._ended.set()
        self.join()
        return self._most


def descendants(root: int) -> list[int]:
    """Return the processes below a process."""
    found, todo = [], [root]
    while todo:
        for listing in Path(f"/proc/{todo.pop()}/task").glob("*/children"):
            try:
                below = [int(one) for one in listing.read_text().split()]
            except OSError:
                continue  # it has ended
            found += below
            todo += below
    return found


def resident(process: int) -> float:
    """Return the megabytes of a process."""
    try:
        pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    except (OSError, IndexError):
        return 0.0
    return pages * os.sysconf("SC_PAGESIZE") / (1 << 20)


Step = Callable[[Side, int], Cost]
"""Prepares and runs what a row measures, in a given turn."""


@dataclass(frozen=True)
class Measure:
    """A row of the table: what it measures, the limits in seconds and megabytes (0: none), and how."""

    title: str
    seconds: float
    megabytes: float
    step: Step


def forget(side: Side) -> None:
    """Delete the cache of a side."""
    shutil.rmtree(side.folder / "cache", ignore_errors=True)
    (side.folder / "cache").mkdir(mode=0o700)


def pack(side: Side, name: str) -> Path:
    """Return the folder of a pack, which is made when it is first needed."""
    folder = side.folder / name
    if not folder.exists():
        options = ("cards", "--lang", "en,fr") if name == CARDS_PACK else ("mission", "--lang", "en")
        side.run(side.folder, "new", str(folder), "--template", *options)
    return folder


def in_pack(
    name: str, *arguments: str, cold: bool = False, edit: re.Pattern[str] | None = None, may_fail: bool = False
) -> Step:
    """Return a step that runs fcb in a pack. `cold`: with an empty cache. `edit`: after a change of the number that
    this pattern finds first. `may_fail`: see `Side.run`."""

    def step(side: Side, turn: int) -> Cost:
        folder = pack(side, name)
        if cold:
            forget(side)
        if edit is not None:
            change(folder, edit)
        mission = next((folder / "missions").glob("*.fcb")).stem
        return side.run(
            folder, *[mission if argument == MISSION else argument for argument in arguments], may_fail=may_fail
        )

    return step


def change(folder: Path, number: re.Pattern[str]) -> None:
    """Write the next number where a pattern first finds one in the cards and missions of a pack."""
    for path in (*sorted((folder / "cards").glob("*.fcb")), *sorted((folder / "missions").glob("*.fcb"))):
        text = path.read_text(encoding="utf-8")
        found = number.search(text)
        if found is not None:
            path.write_text(f"{text[: found.start(2)]}{int(found[2]) + 1}{text[found.end(2) :]}", encoding="utf-8")
            return
    raise SystemExit(f"no number to change in {folder}")


def in_each_language(side: Side, turn: int) -> Cost:
    """Print a pack in both languages with an empty cache."""
    folder = pack(side, CARDS_PACK)
    forget(side)
    costs = [side.run(folder, "render", "--lang", language, "-o", f"print-{language}") for language in ("en", "fr")]
    return Cost(sum(cost.seconds for cost in costs), max(cost.megabytes for cost in costs), "")


def whole_game(cold: bool) -> Step:
    """Return a step that prints the first shipped game."""

    def step(side: Side, turn: int) -> Cost:
        if cold:
            forget(side)
        return side.run(side.tree, "render", "--game", GAME, "-o", str(side.folder / "print"))

    return step


def shipped(packaged: bool) -> Step:
    """Return a step that checks all shipped games with an empty cache. `packaged`: with the results of the package."""

    def step(side: Side, turn: int) -> Cost:
        forget(side)
        if not packaged:
            shutil.rmtree(side.tree / RESULTS, ignore_errors=True)
        return side.run(side.tree, "check")

    return step


def make_results(side: Side) -> None:
    """Make the results of the package for the packs, as the build of a wheel does; earlier states have none."""
    if (side.tree / RESULTS_MODULE).exists():
        for name in (MISSION_PACK, CARDS_PACK):
            side.python(pack(side, name), "-c", MAKE_RESULTS)
        forget(side)


def playable(side: Side, turn: int) -> Cost:
    """Change a number in an open project and make its program."""
    cost = side.python(side.tree, "-c", OPEN, GAME, str(turn))
    return Cost(float(cost.output), cost.megabytes, "")


PRINT = ("render", "--lang", "en", "-o", "print-en")
"""The first command of `in_each_language`."""
BOT = ("play", MISSION, "--bot", "sensible", "--seed", "1", "--players", "2")
MEASURES = (
    Measure("first `check` of a new pack", 0.6, 0, in_pack(MISSION_PACK, "check", cold=True)),
    Measure("`check` after one changed number", 0.35, 0, in_pack(MISSION_PACK, "check", edit=NUMBER)),
    Measure("`test` after one changed number", 0.6, 0, in_pack(MISSION_PACK, "test", edit=NUMBER, may_fail=True)),
    Measure("one game of a bot after one changed number", 0.6, 0, in_pack(MISSION_PACK, *BOT, edit=NUMBER)),
    Measure("`ci` of the pack, first", 5, 0, in_pack(UNCHANGED_PACK, "ci", cold=True)),
    Measure("`ci` of the pack, unchanged", 1.5, 0, in_pack(UNCHANGED_PACK, "ci")),
    Measure("`render` a pack of cards in both languages, first", 3, 0, in_each_language),
    Measure("`render` it again in English, unchanged", 0.5, 0, in_pack(CARDS_PACK, *PRINT)),
    Measure("`render` it in English, one card changed", 1.5, 0, in_pack(CARDS_PACK, *PRINT, edit=COST)),
    Measure("`render` a whole game, first", 25, 600, whole_game(cold=True)),
    Measure("`render` a whole game, unchanged", 1, 600, whole_game(cold=False)),
    Measure("a saved number until the game can be played, in an open project", 0.15, 0, playable),
    Measure("`check` of all four shipped games, nothing known", 6, 0, shipped(packaged=False)),
    Measure("`check` of all four shipped games, unchanged since the package was made", 1, 0, shipped(packaged=True)),
)


@contextmanager
def reference(name: str) -> Iterator[Path]:
    """Yield the tree of the reference: a folder, or a work tree of a revision, which is removed afterwards."""
    if Path(name).is_dir():
        yield Path(name).resolve()
        return
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "tree"
        subprocess.run(["git", "-C", str(ROOT), "worktree", "add", "--detach", "-q", str(tree), name], check=True)
        try:
            yield tree
        finally:
            subprocess.run(["git", "-C", str(ROOT), "worktree", "remove", "--force", str(tree)], check=True)


def sides(stack: ExitStack, before: str) -> list[Side]:
    """Return this state and the reference, with their modules compiled."""
    out = []
    for tree in [ROOT, *([stack.enter_context(reference(before))] if before else [])]:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        side = Side(tree, folder)
        forget(side)
        side.python(tree, "-m", "compileall", "-q", str(tree / "fcbdsl"), str(ROOT / "benchmarks"))
        make_results(side)
        out.append(side)
    return out


def measured(chosen: list[Measure], both: list[Side], turns: int) -> Iterator[history.AuthorRow]:
    """Run each measure in turn on each side and yield its row of medians."""
    for measure in chosen:
        costs = [[measure.step(side, turn) for side in both] for turn in range(turns)]
        seconds = [statistics.median(each.seconds for each in column) for column in zip(*costs, strict=True)]
        memory = [max(each.megabytes for each in column) for column in zip(*costs, strict=True)]
        before = (seconds[1], memory[1]) if len(both) > 1 else (None, None)
        yield history.AuthorRow(measure.title, measure.seconds, measure.megabytes, seconds[0], memory[0], *before)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.author", description=__doc__)
    parser.add_argument("--before", default="", metavar="REVISION|TREE", help="the reference")
    parser.add_argument("--turns", type=int, default=3, help="measurements of each row (default 3)")
    parser.add_argument("--only", default="", help="measure only rows with this in their title")
    parser.add_argument("--save", action="store_true", help="keep the figures, and write docs/performance.md")
    options = parser.parse_args()
    if options.save and options.only:
        parser.error("--save keeps the whole table: omit --only")
    chosen = [measure for measure in MEASURES if options.only in measure.title]
    load = os.getloadavg()[0]
    run = history.AuthorRun(
        commit(), options.before, time.strftime("%Y-%m-%d", time.gmtime()), platform.python_version(), load, []
    )
    print(f"{run.commit} against {run.before or 'nothing'}; load {load:.1f} on {os.cpu_count()} cores before.\n")
    print(history.AUTHOR_HEAD)
    with ExitStack() as stack:
        for row in measured(chosen, sides(stack, options.before), options.turns):
            run.rows.append(row)
            print(row.line(), flush=True)
    if options.save:
        history.keep_author(run)


if __name__ == "__main__":
    main()
