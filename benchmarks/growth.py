"""``python -m benchmarks.growth``: the cost of checking, compiling and verifying as a pack grows.

Each measurement runs in a separate process and gives its processor seconds and its peak memory. The slope is that of a
straight line through the logarithms of both: 1 means twice the time for twice the cards. Each card has one copy, since
a game has at most `bounds.THINGS` things.
"""

from __future__ import annotations

import argparse
import math
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.pack import cards, write_cards
from fcbdsl.machine.vm.fcbc import MOST_BYTES

ROOT = Path(__file__).resolve().parent.parent
COUNTS = (1_000, 2_000, 5_000, 10_000, 12_000)
"""Numbers of cards. A game may have 100,000 lines (`bounds.PROJECT_LINES`), and a card has seven."""
WARM = "warm.fcbc"
"""A program of one card, which imports all modules before the clock starts."""


def made(count: int, program: Path) -> tuple[float, float]:
    """Return the seconds to check and to compile that many cards, and write the program to a file."""
    from fcbdsl.base.pausing import gc_disabled_until_exit
    from fcbdsl.language.compiler import program_without_hash
    from fcbdsl.machine.vm import fcbc
    from fcbdsl.project.project import check_project

    with tempfile.TemporaryDirectory() as folder, gc_disabled_until_exit():
        warm = Path(folder) / "warm.fcb"
        warm.write_text(cards(1), encoding="utf-8")
        program.with_name(WARM).write_bytes(fcbc.dump(program_without_hash(check_project([warm])[0])))
        files = write_cards(Path(folder), count, copies=0)
        begin = time.process_time()
        model, problems = check_project(files)
        checked = time.process_time()
        assert problems == [], problems[:3]
        program.write_bytes(fcbc.dump(program_without_hash(model)))
        return checked - begin, time.process_time() - checked


def verified(program: Path) -> float:
    """Return the seconds to load and verify a program."""
    from fcbdsl.machine.vm import fcbc

    fcbc.load_fcbc(program.with_name(WARM).read_bytes())
    data = program.read_bytes()
    begin = time.process_time()
    assert not isinstance(fcbc.load_fcbc(data), fcbc.Refused)
    return time.process_time() - begin


def megabytes() -> float:
    """Return the peak memory of this process."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def apart(tree: Path, *arguments: str) -> list[float]:
    """Return the measurements of a separate process, with the package of that tree."""
    done = subprocess.run(
        [sys.executable, "-P", "-m", "benchmarks.growth", *arguments],
        capture_output=True,
        text=True,
        env={**os.environ, "FCB_CACHE": "", "PYTHONPATH": os.pathsep.join([str(tree), str(ROOT)])},
    )
    if done.returncode:
        raise SystemExit(done.stderr)
    return [float(one) for one in done.stdout.split()]


def slope(points: list[tuple[float, float]]) -> float:
    """Return the slope of the regression line through the logarithms of some points."""
    logs = [(math.log(x), math.log(y)) for x, y in points]
    mid_x, mid_y = (sum(column) / len(logs) for column in zip(*logs, strict=True))
    return sum((x - mid_x) * (y - mid_y) for x, y in logs) / sum((x - mid_x) ** 2 for x, _ in logs)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.growth", description=__doc__)
    parser.add_argument("--made", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--program", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--compiled", type=Path, help="measure a tree that `make fast` has built, and not this one")
    options = parser.parse_args()
    tree = options.compiled.resolve() if options.compiled else ROOT
    if options.program is not None:
        seconds = [verified(options.program)] if options.made is None else made(options.made, options.program)
        print(*seconds, megabytes())
        return
    print("Compiled.\n" if options.compiled else "Plain Python.\n")
    print("| cards | check | and compile | memory | program | verify it | memory |\n|---|---|---|---|---|---|---|")
    table: list[list[float]] = []
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "pack.fcbc"
        for count in COUNTS:
            check, lowered, memory = apart(tree, "--made", str(count), "--program", str(program))
            size = program.stat().st_size / 1e6
            made_of = [check, check + lowered, memory, size]
            said = f"| {count:,} | {check:.2f} s | {check + lowered:.2f} s | {memory:,.0f} MB | {size:.1f} MB "
            if program.stat().st_size <= MOST_BYTES:
                seconds, verifying = apart(tree, "--program", str(program))
                made_of += [seconds, verifying]
                said += f"| {seconds:.2f} s | {verifying:,.0f} MB |"
            else:
                said += "| refused: too large | |"
            table.append([count, *made_of])
            print(said, flush=True)
    slopes = [slope([(row[0], row[at]) for row in table if at < len(row)]) for at in range(1, 7)]
    print(f"| slope | {' | '.join(f'{one:.2f}' for one in slopes)} |")


if __name__ == "__main__":
    main()
