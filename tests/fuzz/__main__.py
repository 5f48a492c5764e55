"""``python -m tests.fuzz programs --seconds 3600 --seed 7``: run a fuzzer, and print how many inputs it ran."""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
import traceback
from collections import Counter
from pathlib import Path

from tests.fuzz import limits, programs, sources


def main(arguments: list[str] | None = None) -> int:
    """Run one fuzzer; return 1 if an input failed."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description="Run inputs that are wrong at random.")
    parser.add_argument("what", choices=["programs", "sources"])
    parser.add_argument("--seconds", type=float, default=60, help="Processor time (60).")
    parser.add_argument("--inputs", type=int, default=sys.maxsize, help="The most inputs.")
    parser.add_argument("--seed", type=int, default=1, help="The same seed gives the same inputs (1).")
    parser.add_argument("--keep", type=Path, default=Path("build/fuzz"), help="Folder for inputs that fail.")
    asked = parser.parse_args(arguments)
    chance = random.Random(asked.seed)
    projects = None
    if asked.what == "programs":
        following = programs.fuzzer(programs.GAMES)
    else:
        projects = sources.Projects()
        following = projects.following
    counts: Counter[str] = Counter()
    began, shown, slowest, most = limits.cpu_seconds(), time.monotonic(), 0.0, 0
    while sum(counts.values()) < asked.inputs and limits.cpu_seconds() - began < asked.seconds:
        run, file = following(chance)
        before = limits.cpu_seconds()
        if projects is None:
            result, failure = limits.tried(run)
            most = limits.peak_megabytes()
        else:  # a process that has checked many projects keeps results of them
            result, failure, megabytes = limits.tried_apart(run)
            most = max(most, megabytes)
        slowest = max(slowest, limits.cpu_seconds() - before)
        counts[result] += 1
        if failure is not None:
            asked.keep.mkdir(parents=True, exist_ok=True)
            ending = "fcbc" if asked.what == "programs" else "fcb"
            name = asked.keep / f"{asked.what}-{asked.seed}-{sum(counts.values())}"
            name.with_suffix(f".{ending}").write_bytes(file())
            why = "".join(traceback.format_exception(failure)[-12:])
            name.with_suffix(".txt").write_text(why, encoding="utf-8")
            print(f"{name}: {type(failure).__name__}: {failure}", file=sys.stderr, flush=True)
        if time.monotonic() - shown > 30:
            shown = time.monotonic()
            print(_line(asked, counts, began, slowest, most), file=sys.stderr, flush=True)
    if projects is not None:
        projects.end()
    print(_line(asked, counts, began, slowest, most))
    return 1 if counts["failed"] else 0


def _line(asked: argparse.Namespace, counts: Counter[str], began: float, slowest: float, most: int) -> str:
    """Return the counts so far as JSON."""
    found = {"what": asked.what, "seed": asked.seed, "inputs": sum(counts.values()), **dict(sorted(counts.items()))}
    found |= {"cpu_seconds": round(limits.cpu_seconds() - began), "slowest": round(slowest, 1)}
    return json.dumps({**found, "megabytes": most})


if __name__ == "__main__":
    sys.exit(main())
