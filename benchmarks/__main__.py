"""``python -m benchmarks``: measures and prints one table; ``--save`` keeps it and writes `docs/performance.md`.

Ratios are medians over pairs that are measured in turn (ours, the peer's, ours, …). The speed of a shared machine
drifts from minute to minute; a ratio within a pair hardly does.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import os
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from benchmarks import history, ink
from benchmarks.history import Row, Run
from benchmarks.tasks import CARDS, GAME, GAMES

ROOT = Path(__file__).resolve().parent.parent
START = "from fcbdsl.cli import main; getattr(main, 'main_of_process', main.main)()"
"""Runs fcb as its script does; earlier states have no `main_of_process`."""
QUIET = 0.3
"""A machine counts as quiet if its load, as a share of the cores, is below this."""


Task = tuple[str, ...]
"""The name of a task (`benchmarks.tasks`) and its arguments."""


def measured(task: Task, tree: Path = ROOT) -> float:
    """Run a task in a separate process, with the package of that tree. Return its result."""
    environment = {**os.environ, "FCB_CACHE": "", "PYTHONPATH": os.pathsep.join([str(tree), str(ROOT)])}
    done = subprocess.run(
        [sys.executable, "-P", "-m", "benchmarks.tasks", *task], capture_output=True, text=True, env=environment
    )
    if done.returncode:
        raise SystemExit(f"the task {task[0]} failed:\n{done.stderr}")
    return float(done.stdout)


def start_time(*arguments: str) -> float:
    """Return the elapsed seconds of a whole process."""
    begin = time.perf_counter()
    subprocess.run([sys.executable, *arguments], check=True, capture_output=True)
    return time.perf_counter() - begin


def pairs_of(title: str, unit: str, ours: Callable[[], float], peer: Callable[[], float], name: str, pairs: int) -> Row:
    """Return a row with the medians of ours, of the peer's, and of their ratio."""
    return Row(title, unit, *medians([(ours(), peer()) for _ in range(pairs)]), name)


def on_both(
    title: str, unit: str, task: Task, compiled: Path | None, peer: Callable[[], float] | None, name: str, pairs: int
) -> Iterator[Row]:
    """Yield the rows of a task in plain Python and, if there is such a tree, in the compiled build.

    Each is compared with the peer; without one, the compiled build is compared with plain Python. All are measured in
    turn.
    """
    found = [
        (measured(task), 0.0 if compiled is None else measured(task, compiled), 0.0 if peer is None else peer())
        for _ in range(pairs)
    ]
    plain, fast, theirs = (list(column) for column in zip(*found, strict=True))
    if peer is None:
        yield Row(title, unit, statistics.median(plain))
    else:
        yield Row(title, unit, *medians(list(zip(plain, theirs, strict=True))), name)
    if compiled is not None:
        beside, called = (plain, "plain Python") if peer is None else (theirs, name)
        yield Row(f"{title}, compiled", unit, *medians(list(zip(fast, beside, strict=True))), called)


def alone(title: str, unit: str, ours: Callable[[], float], pairs: int) -> Row:
    """Return a row with a median without a peer."""
    return Row(title, unit, statistics.median(ours() for _ in range(pairs)))


def command(tree: Path, kept: Path, *arguments: str) -> tuple[float, str]:
    """Return processor seconds and output of a command of that tree, run in that tree without input."""
    folders = {"FCB_CACHE": str(kept / "cache"), "FCB_STATE": str(kept / "state"), "PYTHONPATH": str(tree)}
    begin = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [sys.executable, "-P", "-c", START, *arguments],
        cwd=tree,
        env={**os.environ, **folders, "PYTHONPYCACHEPREFIX": str(kept / "code"), "PYTHONDONTWRITEBYTECODE": ""},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    if done.returncode:
        raise SystemExit(f"fcb {' '.join(arguments)} failed:\n{done.stderr}")
    end = resource.getrusage(resource.RUSAGE_CHILDREN)
    return end.ru_utime - begin.ru_utime + end.ru_stime - begin.ru_stime, done.stdout


def seconds_of(tree: Path, kept: Path, *arguments: str) -> float:
    """Return the processor seconds of a command of that tree."""
    return command(tree, kept, *arguments)[0]


def medians(rows: list[tuple[float, float]]) -> tuple[float, float, float]:
    """Return the medians of two columns, and of the ratio of each pair."""
    ours, other = (statistics.median(column) for column in zip(*rows, strict=True))
    return ours, other, statistics.median(a / b for a, b in rows)


def waited_for(pairs: int) -> Iterator[Row]:
    """Yield the rows for a person who has changed nothing: processor seconds of whole commands with warm caches."""
    with tempfile.TemporaryDirectory() as folder:
        kept, program = Path(folder), str(Path(folder) / "game.fcbc")
        mission = command(ROOT, kept, "missions", "--game", GAME)[1].split()[0]
        command(ROOT, kept, "compile", "--game", GAME, "-o", program)
        play = ("play", mission, "--program", program, "--log", f"{program}.log")
        for title, arguments in (
            ("fcb check, unchanged", ("check",)),
            ("fcb play --program, to the first question", play),
        ):
            command(ROOT, kept, *arguments)
            yield alone(title, "s", partial(seconds_of, ROOT, kept, *arguments), pairs)


def played(pairs: int, compiled: Path | None) -> Iterator[Row]:
    """Yield the rows for games and clones of a program, which is compiled once."""
    tasks = (("decisions", "decisions/s", "/s"), ("games", "games/s", "/s"), ("clone", "clone of a world", "s"))
    with tempfile.TemporaryDirectory() as folder:
        program = str(Path(folder) / "game.fcbc")
        command(ROOT, Path(folder), "compile", "--game", GAME, "-o", program)
        for task, title, unit in tasks:
            title = title if task == "clone" else f"{title}, {GAMES} games of random bots"
            yield from on_both(title, unit, (task, program), compiled, None, "", pairs)


def rows(pairs: int, compiled: Path | None) -> Iterator[Row]:
    """Yield all rows. The peer of a compiled build is the plain one."""
    shapes = f"PyYAML {version('PyYAML')}, CSafeLoader, and jsonschema {version('jsonschema')}"
    for task, title in (
        ("check", f"check {CARDS:,} cards"),
        ("recheck", "check them again, unchanged"),
        ("compile", "check and compile them"),
    ):
        yield from on_both(title, "s", (task,), compiled, partial(measured, ("peer",)), shapes, pairs)
    yield from on_both("check shipped content", "lines/s", ("lines",), compiled, None, "", pairs)
    rate = None if ink.missing() else ink.line_rate
    peer = "" if rate is None else f"inkjs {ink.version()}, compiling as many lines of ink"
    yield from on_both("check and compile shipped content", "lines/s", ("lines-compiled",), compiled, rate, peer, pairs)
    started, imported = ("-c", START, "--version"), ("-c", "import click")
    start_time(*started)
    yield pairs_of(
        "cold start: fcb --version",
        "s",
        partial(start_time, *started),
        partial(start_time, *imported),
        f"importing click {version('click')}; both by the wall clock",
        3 * pairs,
    )
    yield from waited_for(pairs)
    yield from played(pairs, compiled)
    yield alone("print cards and boards, PDF pages/s", "/s", partial(measured, ("pages",)), pairs)


def version(package: str) -> str:
    """Return the installed version of a peer."""
    return importlib.metadata.version(package)


def commit() -> str:
    """Return the measured commit; with a plus if files differ from it."""
    git = ("git", "-C", str(ROOT))
    head = subprocess.run([*git, "rev-parse", "--short=8", "HEAD"], capture_output=True, text=True).stdout.strip()
    changed = subprocess.run([*git, "status", "--porcelain"], capture_output=True, text=True).stdout.strip()
    return f"{head}+" if changed else head


def main() -> None:
    """Measure and print; save the results if wanted."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--pairs", type=int, default=3, help="measurements of each row (default 3)")
    parser.add_argument("--compiled", type=Path, help="a tree that `make fast` has built, to compare with")
    parser.add_argument("--save", action="store_true", help="keep the figures, and write docs/performance.md")
    options = parser.parse_args()
    load, cores = os.getloadavg()[0], os.cpu_count() or 1
    run = Run(commit(), time.strftime("%Y-%m-%d", time.gmtime()), platform.python_version(), platform.machine(), load)
    said = "quiet" if load < QUIET * cores else "not quiet: read the ratios"
    print(f"{run.commit}, CPython {run.python}, {run.machine}; load {load:.1f} on {cores} cores before: {said}.\n")
    print(history.HEAD)
    for row in rows(options.pairs, options.compiled and options.compiled.resolve()):
        run.rows.append(row)
        print(row.line(), flush=True)
    print("\nPeers: " + "; ".join(dict.fromkeys(row.name for row in run.rows if row.name)) + ".")
    if ink.missing():
        print(f"Left out: the peer inkjs, for {ink.missing()}.")
    if options.save:
        history.keep(run)


if __name__ == "__main__":
    main()
