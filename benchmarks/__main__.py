"""``python -m benchmarks``: measures and prints one table.

Ratios are medians over pairs that are measured in turn (ours, the peer's, ours, …), because the speed of a shared
machine drifts from minute to minute; a ratio within a pair hardly does.
"""

from __future__ import annotations

import argparse
import os
import platform
import statistics
import subprocess
import sys
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
    return _medians(rows)


def against_plain(task: str, tree: Path, pairs: int) -> tuple[float, float, float]:
    """Medians of a rate of the compiled build in that tree, of the sources' rate, and of the ratio."""
    rows = [(measured(task, tree), measured(task)) for _ in range(pairs)]
    return _medians(rows)


def cold_start(pairs: int) -> tuple[float, float, float]:
    """Medians of ``fcb --version``, of importing click, and of the ratio."""
    start_time("-c", START, "--version")
    rows = [(start_time("-c", START, "--version"), start_time("-c", "import click")) for _ in range(3 * pairs)]
    return _medians(rows)


def _medians(rows: list[tuple[float, float]]) -> tuple[float, float, float]:
    ours, other = (statistics.median(column) for column in zip(*rows, strict=True))
    return ours, other, statistics.median(a / b for a, b in rows)


def rate(task: str, pairs: int) -> float:
    """Median of a rate."""
    return statistics.median(measured(task) for _ in range(pairs))


def table(pairs: int, compiled: Path | None) -> list[tuple[str, str, str, str]]:
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
    rows.append(("print, PDF pages/s", f"{rate('pages', pairs):,.1f}", "", ""))
    return rows


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--pairs", type=int, default=5, help="measurements of each row (default 5)")
    parser.add_argument("--compiled", type=Path, help="a tree that `make fast` has built, to compare with")
    options = parser.parse_args()
    rows = table(options.pairs, options.compiled and options.compiled.resolve())
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    print(f"CPython {platform.python_version()}, {platform.machine()}. Peers: PyYAML CSafeLoader + jsonschema; click.")
    for number, row in enumerate(rows):
        print("| " + " | ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)) + " |")
        if number == 0:
            print("|" + "|".join("-" * (width + 2) for width in widths) + "|")


if __name__ == "__main__":
    main()
