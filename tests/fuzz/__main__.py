"""``python -m tests.fuzz programs --seconds 3600 --seed 7``: run a fuzzer, and print how many inputs it ran.

Input number N of a seed is always the same. A run continues after the last input of earlier runs with that seed, and
its counts add up with theirs in ``build/fuzz/programs-7.json``. `--first N` repeats inputs and changes no counts.
`--jobs 2` shares the inputs of a seed among two processes.
"""

from __future__ import annotations

import argparse
import fcntl
import json
import os
import random
import sys
import time
from collections import deque
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Protocol

from tests.fuzz import limits, programs, sources

GROUP = 25
"""Inputs in a row that change the same file."""
BATCH = 200
"""Inputs that one process runs: it collects no garbage, so a longer one would need too much memory."""


class Fuzzer(Protocol):
    """A source of inputs."""

    def following(self, chance: random.Random, group: random.Random) -> limits.Input:
        """Return the next input; `group` is the same for GROUP inputs in a row."""

    def warm_up(self) -> None:
        """Load in this process what inputs need, so that the processes which run them need not load it again."""

    def close(self) -> None:
        """Remove what is no longer needed."""


def main(arguments: list[str] | None = None) -> int:
    """Run one fuzzer; return 1 if an input failed."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description="Run inputs that are wrong at random.")
    parser.add_argument("what", choices=["programs", "sources"])
    parser.add_argument("--seconds", type=float, default=60, help="Processor time (60).")
    parser.add_argument("--inputs", type=int, default=sys.maxsize, help="The most inputs.")
    parser.add_argument("--jobs", type=int, default=1, help="Processes that run inputs at the same time (1).")
    parser.add_argument("--first", type=int, help="Repeat the inputs from this number on (default: the next new one).")
    parser.add_argument("--seed", type=int, default=1, help="The same seed gives the same inputs (1).")
    parser.add_argument("--keep", type=Path, default=Path("build/fuzz"), help="Folder for counts and failed inputs.")
    asked = parser.parse_args(arguments)
    os.environ["FCB_CACHE"] = ""  # the user's cache is not for results of wrong inputs
    asked.keep.mkdir(parents=True, exist_ok=True)
    ledger = asked.keep / f"{asked.what}-{asked.seed}.json" if asked.first is None else None
    with counted_alone(ledger):
        counts = _counts(asked, ledger)
        with closing(programs.Programs() if asked.what == "programs" else sources.Projects()) as fuzzer:
            failed = _run(asked, fuzzer, counts, ledger)
    print(json.dumps(counts))
    return 1 if failed else 0


@contextmanager
def counted_alone(ledger: Path | None) -> Iterator[None]:
    """Refuse a second run that would add to the same counts."""
    if ledger is None:
        yield
        return
    path = ledger.with_suffix(".lock")
    with path.open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            sys.exit(f"Another run adds to {ledger}. Use another --seed, or --jobs for more processes.")
        yield
        path.unlink()


def _counts(asked: argparse.Namespace, ledger: Path | None) -> dict[str, Any]:
    """Return the counts of earlier runs, or those of none."""
    if ledger is not None and ledger.is_file():
        data: dict[str, Any] = json.loads(ledger.read_text(encoding="utf-8"))
        return data
    first = asked.first or 0
    start = {"what": asked.what, "seed": asked.seed, "first": first, "inputs": 0, "failed": 0, "results": {}}
    return {**start, "slowest": 0.0, "megabytes": 0, "cpu_seconds": 0.0}


def _run(asked: argparse.Namespace, fuzzer: Fuzzer, counts: dict[str, Any], ledger: Path | None) -> int:
    """Run inputs until the time or their number is used up; add them to `counts`. Return how many failed."""

    def made(number: int) -> limits.Input:
        group = random.Random(f"{asked.seed}/group/{number // GROUP}")
        return fuzzer.following(random.Random(f"{asked.seed}/{number}"), group)

    fuzzer.warm_up()
    limits.warm_up([made(number) for number in range(-10, 0)])
    began, before, shown = limits.cpu_seconds(), counts["cpu_seconds"], time.monotonic()
    following, left, failed = counts["first"] + counts["inputs"], asked.inputs, 0
    running: deque[limits.Batch] = deque()
    while True:
        while len(running) < asked.jobs and left and limits.cpu_seconds() - began < asked.seconds:
            size = min(BATCH, left)
            running.append(limits.Batch(made, range(following, following + size)))
            following, left = following + size, left - size
        if not running:
            return failed
        batch = running.popleft()
        done = 0
        for done, tried in enumerate(batch.results(), 1):
            counts["inputs"] += 1
            counts["results"][tried.result] = counts["results"].get(tried.result, 0) + 1
            counts["slowest"] = max(counts["slowest"], round(tried.seconds, 1))
            counts["megabytes"] = max(counts["megabytes"], tried.megabytes)
            if tried.why:
                failed += 1
                counts["failed"] += 1
                _keep(asked, batch.numbers[done - 1], made(batch.numbers[done - 1]), tried.why)
        if done < len(batch.numbers):
            running.appendleft(limits.Batch(made, batch.numbers[done:]))
        counts["cpu_seconds"] = round(before + limits.cpu_seconds() - began, 1)
        if ledger is not None:
            beside = ledger.with_suffix(".part")
            beside.write_text(json.dumps(counts) + "\n", encoding="utf-8")
            beside.replace(ledger)
        if time.monotonic() - shown > 30:
            shown = time.monotonic()
            print(json.dumps(counts), file=sys.stderr, flush=True)


def _keep(asked: argparse.Namespace, number: int, made: limits.Input, why: str) -> None:
    """Keep an input that failed, and why."""
    name = asked.keep / f"{asked.what}-{asked.seed}-{number}"
    name.with_suffix(".fcbc" if asked.what == "programs" else ".fcb").write_bytes(made.file())
    name.with_suffix(".txt").write_text(f"{made.name}\n{why}", encoding="utf-8")
    print(f"{name}: {why.strip().splitlines()[-1]}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
