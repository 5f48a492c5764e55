"""Baselines: known findings that are not reported again."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import click

from fcbdsl.base.diagnostics.base import Diagnostic
from fcbdsl.base.diagnostics.exchange import finding_fingerprint
from fcbdsl.base.files import write_atomically

VERSION = 1
MOST_BYTES = 16_000_000


def write_baseline(file: Path, problems: Sequence[Diagnostic]) -> None:
    """Write findings to a file, by fingerprints that do not depend on their lines."""
    rows: dict[str, dict[str, object]] = {}
    counts = Counter(map(finding_fingerprint, problems))
    for problem in problems:
        row = {"file": problem.span.source.name, "code": problem.code, "message": problem.message}
        rows[finding_fingerprint(problem)] = {**row, "count": counts[finding_fingerprint(problem)]}
    data = {"version": VERSION, "findings": dict(sorted(rows.items()))}
    write_atomically(file, (json.dumps(data, ensure_ascii=False, indent=1) + "\n").encode())


def new_since(file: Path, problems: Sequence[Diagnostic]) -> tuple[list[Diagnostic], int]:
    """Return the findings that a baseline does not contain, and how many of its entries no longer occur. Refuse other
    files than baselines."""
    accepted = _read(file)
    new = []
    for problem in problems:
        mark = finding_fingerprint(problem)
        if accepted[mark] > 0:
            accepted[mark] -= 1
        else:
            new.append(problem)
    return new, sum(accepted.values())


def _read(file: Path) -> Counter[str]:
    try:
        with file.open("rb") as data:
            baseline = json.loads(data.read(MOST_BYTES))
        assert baseline["version"] == VERSION
        counts = {str(mark): row["count"] for mark, row in baseline["findings"].items()}
        assert all(type(count) is int and count > 0 for count in counts.values())
    except (ValueError, KeyError, TypeError, AttributeError, AssertionError, RecursionError) as error:
        raise click.UsageError(f"{file} is not a baseline file of fcb. Write one with --write-baseline.") from error
    return Counter(counts)
