"""``python -m benchmarks.playing --before TREE``: games and clones compared with an earlier commit.

Each build plays its own content in turn, each measurement in a separate process, in processor time. With ``--compiled``
(a tree that `make fast` has built) and ``--before-compiled`` (the same for the earlier commit) it also compares the
compiled builds.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.__main__ import ROOT, command
from benchmarks.editing import the_game

MEASURES = {
    "decisions": ("decisions/s of random bots", "{:,.0f}"),
    "games": ("games/min of sensible bots", "{:,.1f}"),
    "quarry": ("games/min of sensible bots, three on the quarry", "{:,.1f}"),
    "clone": ("clone of a world", "{:.2e} s"),
}
"""The measures of `benchmarks.player`: title and format of each."""


def played(what: str, tree: Path, program: Path) -> float:
    """Return a rate, or seconds, of a build."""
    done = subprocess.run(
        [sys.executable, "-P", str(ROOT / "benchmarks" / "player.py"), what, str(program)],
        capture_output=True,
        text=True,
        env={**os.environ, "FCB_CACHE": "", "PYTHONPATH": str(tree)},
    )
    if done.returncode:
        raise SystemExit(f"{what} in {tree} failed:\n{done.stderr}")
    return float(done.stdout)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.playing", description=__doc__)
    parser.add_argument("--before", type=Path, required=True, help="a work tree of an earlier commit")
    parser.add_argument("--compiled", type=Path, help="a tree that `make fast` has built")
    parser.add_argument("--before-compiled", type=Path, help="the compiled build of the earlier commit")
    parser.add_argument("--pairs", type=int, default=3, help="measurements of each row (default 3)")
    parser.add_argument("--only", choices=MEASURES, help="one row")
    options = parser.parse_args()
    if (options.compiled is None) != (options.before_compiled is None):
        parser.error("--compiled and --before-compiled go together")
    builds = {"plain": (ROOT, options.before)}
    if options.compiled:
        builds["compiled"] = (options.compiled, options.before_compiled)
    print("| measure | now | before | times as fast | from | to |\n|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        programs = [Path(folder) / name for name in ("now.fcbc", "before.fcbc")]
        for tree, program in zip((ROOT, options.before.resolve()), programs, strict=True):
            command(tree, Path(folder), "compile", *the_game(tree), "-o", str(program))
        for what, (title, shape) in MEASURES.items():
            for build, trees in builds.items():
                if options.only in (None, what):
                    found = [
                        [played(what, tree.resolve(), program) for tree, program in zip(trees, programs, strict=True)]
                        for _ in range(options.pairs)
                    ]
                    ratios = [a / b if what != "clone" else b / a for a, b in found]
                    now, before = (shape.format(statistics.median(column)) for column in zip(*found, strict=True))
                    spread = f"{statistics.median(ratios):.2f} | {min(ratios):.2f} | {max(ratios):.2f}"
                    print(f"| {title}, {build} | {now} | {before} | {spread} |", flush=True)


if __name__ == "__main__":
    main()
