"""What was measured, commit by commit: kept in a file, and shown on a page made of it (``make bench SAVE=1``)."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FILE = Path(__file__).resolve().parent / "history.json"
PAGE = ROOT / "docs" / "performance-history.md"

HEAD = "| measure | ours | peer | ratio |\n|---|---|---|---|"

INTRODUCTION = """# Performance history

Made by `make bench SAVE=1` of what it keeps in `benchmarks/history.json`: how each measure of
[performance](performance.md) moved. Each row is one run, with the load before it; content and machine are those of the
day, so that ratios tell more than figures do. A `+` is a tree with changes that were not committed yet. Runs without a
load were copied from the page on performance as it stood in that commit.
"""
COLUMNS = "| commit | day | load | ours | peer | ratio |\n|---|---|---|---|---|---|"


@dataclass(frozen=True)
class Row:
    """A measure. `unit`: ``s`` (seconds), ``/s`` or ``lines/s``. `ratio`: the median of ours over the peer's, pair by
    pair; a peer is told by its `name`."""

    title: str
    unit: str
    ours: float
    peer: float | None = None
    ratio: float | None = None
    name: str = ""

    def cells(self) -> list[str]:
        """Ours, the peer's and the ratio, for people."""
        ratio = "" if self.ratio is None else f"{self.ratio:.2f}"
        return [shown(self.ours, self.unit), "" if self.peer is None else shown(self.peer, self.unit), ratio]

    def line(self) -> str:
        """A row of a table."""
        return f"| {self.title} | {' | '.join(self.cells())} |"


@dataclass
class Run:
    """All rows of one run. `load`: how many processes were at work before it, -1 if nobody noted that."""

    commit: str
    day: str
    python: str
    machine: str
    load: float
    rows: list[Row] = field(default_factory=list)


def shown(value: float, unit: str) -> str:
    """A value for people."""
    if unit != "s":
        return f"{value:,.1f}" if value < 100 else f"{value:,.0f}"
    for least, factor, name in ((1.0, 1.0, "s"), (1e-3, 1e3, "ms"), (0.0, 1e6, "µs")):
        if value >= least:
            return f"{value * factor:.2f} {name}" if name == "s" else f"{value * factor:.0f} {name}"
    raise ValueError(f"no time: {value}")


def runs() -> list[Run]:
    """All that is kept, in order."""
    said = json.loads(FILE.read_text(encoding="utf-8"))
    return [Run(**{**one, "rows": [Row(**row) for row in one["rows"]]}) for one in said]


def keep(run: Run) -> None:
    """Add a run to the file, and make the page anew."""
    all = [*runs(), run]
    FILE.write_text(json.dumps([asdict(one) for one in all], indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    PAGE.write_text(page(all), encoding="utf-8")


def page(all: list[Run]) -> str:
    """The page: a table for each measure, with the runs that have it."""
    parts = [INTRODUCTION]
    for title in dict.fromkeys(row.title for run in reversed(all) for row in run.rows):
        lines = [f"## {title[0].upper()}{title[1:]}\n", COLUMNS]
        for run in all:
            load = "" if run.load < 0 else f"{run.load:.1f}"
            found = [row for row in run.rows if row.title == title]
            lines += [f"| {' | '.join([run.commit, run.day, load, *row.cells()])} |" for row in found]
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)
