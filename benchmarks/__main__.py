"""``python -m benchmarks``: measures and prints one table.

Ratios are medians over pairs that are measured in turn (ours, the peer's, ours, …), because the speed of a shared
machine drifts from minute to minute; a ratio within a pair hardly does.
"""

from __future__ import annotations

import argparse
import os
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.tasks import CARDS, GAMES

ROOT = Path(__file__).resolve().parent.parent
START = "from fcbdsl.cli.main import main; main()"


def measured(task: str, tree: Path = ROOT) -> float:
    """Run a task in a process of its own, with the package of that tree."""
    environment = {**os.environ, "FCB_CACHE": "", "PYTHONPATH": os.pathsep.join([str(tree), str(ROOT)])}
    done = subprocess.run(
        [sys.executable, "-P", "-m", "benchmarks.tasks", task], capture_output=True, text=True, env=environment
    )
    if done.returncode:
        raise SystemExit(f"the task {task} failed:\n{done.stderr}")
    return float(done.stdout)


def start_time(*arguments: str) -> float:
    """Seconds from nothing to the end of a process."""
    begin = time.perf_counter()
    subprocess.run([sys.executable, *arguments], check=True, capture_output=True)
    return time.perf_counter() - begin


def against_peer(task: str, pairs: int) -> tuple[float, float, float]:
    """Medians of ours, of the peer's time, and of the ratio."""
    rows = [(measured(task), measured("peer")) for _ in range(pairs)]
    return medians(rows)


def against_plain(task: str, tree: Path, pairs: int) -> tuple[float, float, float]:
    """Medians of a rate of the compiled build in that tree, of the sources' rate, and of the ratio."""
    rows = [(measured(task, tree), measured(task)) for _ in range(pairs)]
    return medians(rows)


def cold_start(pairs: int) -> tuple[float, float, float]:
    """Medians of ``fcb --version``, of importing click, and of the ratio."""
    start_time("-c", START, "--version")
    rows = [(start_time("-c", START, "--version"), start_time("-c", "import click")) for _ in range(3 * pairs)]
    return medians(rows)


def against_before(before: Path, pairs: int) -> list[tuple[str, float, float, float]]:
    """What a person waits for who has changed nothing: medians of processor seconds of whole commands, in this tree and
    in one of an earlier commit, each on its own content, and of the ratio. Caches are warm, and those of the run."""
    with tempfile.TemporaryDirectory() as folder:
        asked: dict[Path, list[tuple[str, ...]]] = {}
        for tree in (ROOT, before):
            mission = command(tree, Path(folder), "missions")[1].split()[0]
            program = str(Path(folder) / f"{len(asked)}.fcbc")
            asked[tree] = [
                ("check",),
                ("missions",),
                ("play", mission, "--program", program, "--log", f"{program}.log"),
            ]
            for arguments in [("compile", "-o", program), *asked[tree]]:
                command(tree, Path(folder), *arguments)
        out = []
        for number, title in enumerate(BEFORE):
            rows = [
                (command(ROOT, Path(folder), *ours)[0], command(before, Path(folder), *theirs)[0])
                for ours, theirs in [(asked[ROOT][number], asked[before][number])] * pairs
            ]
            out.append((title, *medians(rows)))
        return out


BEFORE = ("fcb check, unchanged", "fcb missions, unchanged", "fcb play --program, to the first question")
"""What is compared with an earlier commit."""


def command(tree: Path, kept: Path, *arguments: str) -> tuple[float, str]:
    """Processor seconds and output of a command of that tree, in that tree. Nobody answers what it asks."""
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


def medians(rows: list[tuple[float, float]]) -> tuple[float, float, float]:
    """Medians of two columns, and of the ratio of each pair."""
    ours, other = (statistics.median(column) for column in zip(*rows, strict=True))
    return ours, other, statistics.median(a / b for a, b in rows)


def rate(task: str, pairs: int) -> float:
    """Median of a rate."""
    return statistics.median(measured(task) for _ in range(pairs))


def table(pairs: int, compiled: Path | None, before: Path | None) -> list[tuple[str, str, str, str]]:
    """All rows: what, ours, the peer's, ratio. The peer of a compiled build is the plain one."""
    rows = [("measure", "ours", "peer", "ratio")]
    for task, title in (
        ("check", f"check {CARDS:,} cards"),
        ("recheck", "check them again, unchanged"),
        ("compile", "check and compile them"),
    ):
        ours, peer, ratio = against_peer(task, pairs)
        rows.append((title, f"{ours:.2f} s ({CARDS / ours:,.0f}/s)", f"{peer:.2f} s", f"{ratio:.2f}"))
    ours, peer, ratio = cold_start(pairs)
    rows.append(("cold start: fcb --version", f"{ours * 1000:.0f} ms", f"{peer * 1000:.0f} ms", f"{ratio:.2f}"))
    rows.append((f"decisions/s, {GAMES} games of random bots", f"{rate('decisions', pairs):,.0f}", "", ""))
    rows.append((f"games/s, {GAMES} games of random bots", f"{rate('games', pairs):,.1f}", "", ""))
    rows.append(("clone of a world", f"{rate('clone', pairs) * 1e6:.1f} µs", "", ""))
    if compiled is not None:
        for task, title in (("decisions", "decisions/s, compiled; peer: plain"), ("games", "games/s, the same")):
            ours, peer, ratio = against_plain(task, compiled, pairs)
            rows.append((title, f"{ours:,.0f}", f"{peer:,.0f}", f"{ratio:.2f}"))
        ours, peer, ratio = against_plain("clone", compiled, pairs)
        rows.append(("clone of a world, the same", f"{ours * 1e6:.1f} µs", f"{peer * 1e6:.1f} µs", f"{ratio:.2f}"))
    for title, ours, theirs, ratio in against_before(before, pairs) if before is not None else ():
        rows.append((f"{title}; peer: before", f"{ours:.2f} s", f"{theirs:.2f} s", f"{ratio:.2f}"))
    rows.append(("print, PDF pages/s", f"{rate('pages', pairs):,.1f}", "", ""))
    return rows


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--pairs", type=int, default=5, help="measurements of each row (default 5)")
    parser.add_argument("--compiled", type=Path, help="a tree that `make fast` has built, to compare with")
    parser.add_argument("--before", type=Path, help="a work tree of an earlier commit, to compare waiting with")
    options = parser.parse_args()
    before = options.before and options.before.resolve()
    rows = table(options.pairs, options.compiled and options.compiled.resolve(), before)
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    print(f"CPython {platform.python_version()}, {platform.machine()}. Peers: PyYAML CSafeLoader + jsonschema; click.")
    for number, row in enumerate(rows):
        print("| " + " | ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)) + " |")
        if number == 0:
            print("|" + "|".join("-" * (width + 2) for width in widths) + "|")


if __name__ == "__main__":
    main()
