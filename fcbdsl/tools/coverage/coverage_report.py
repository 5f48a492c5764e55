"""Reports of test coverage: as a table with the unreached points, as data, and in the format of lcov."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from fcbdsl.base.records import dataclass
from fcbdsl.tools.coverage.points import SORTS, CoveragePoint, Sort

PERMILLE = 1000
HEADS = {"line": "lines", "branch": "branches", "card": "cards", "tier": "tiers", "event": "events"}
HEADS |= {"listener": "listeners"}
"""The titles of the columns."""

Reached = tuple[CoveragePoint, int]
"""A point, and how many tests reach it."""


@dataclass(frozen=True, slots=True)
class FileCoverage:
    """The coverage of a file: its points by line."""

    file: str
    points: tuple[Reached, ...]

    def of(self, sort: Sort | None = None) -> tuple[int, int]:
        """Return how many of its points of a sort (None: all) are reached, and how many there are."""
        counts = [count for point, count in self.points if sort in (None, point.sort)]
        return sum(count > 0 for count in counts), len(counts)

    def lines(self) -> dict[int, list[Reached]]:
        """Return the points of the file by line."""
        out: dict[int, list[Reached]] = {}
        for point, count in self.points:
            out.setdefault(point.line, []).append((point, count))
        return out

    def unreached(self) -> list[CoveragePoint]:
        """Return the points that no test reaches."""
        return [point for point, count in self.points if not count]


def coverage_by_file(points: Sequence[CoveragePoint], counts: Sequence[int]) -> list[FileCoverage]:
    """Return the coverage of each file, by name. `counts`: how many tests reach each of the points."""
    files: dict[str, list[Reached]] = {}
    for reached in zip(points, counts, strict=True):
        files.setdefault(reached[0].file, []).append(reached)
    return [FileCoverage(file, tuple(sorted(rows, key=_order))) for file, rows in sorted(files.items())]


def _order(reached: Reached) -> tuple[int, int, int, int, int]:
    point, _ = reached
    return point.line, SORTS.index(point.sort), point.head, point.block, point.way


def total(files: Iterable[FileCoverage], sort: Sort | None = None) -> tuple[int, int]:
    """Return how many points of a sort (None: all) are reached in files, and how many there are."""
    sums = [file.of(sort) for file in files]
    return sum(reached for reached, _ in sums), sum(there for _, there in sums)


def permille(reached: int, there: int) -> int:
    """Return the reached share in thousandths, rounded down; 1000 without any points."""
    return reached * PERMILLE // there if there else PERMILLE


def reached_percent(reached: int, there: int) -> str:
    """Return the reached share as text: ``93.4 %``."""
    share = permille(reached, there)
    return f"{share // 10}.{share % 10} %"


# ── as text ────────────────────────────────────────────────────────────────────────────────────


def table(files: Sequence[FileCoverage]) -> list[list[str]]:
    """Return a header, a row for each file, and one for all of them."""
    sorts = [sort for sort in SORTS if total(files, sort)[1]]
    rows = [[file.file, *(_share(file.of(sort)) for sort in sorts), reached_percent(*file.of())] for file in files]
    last = ["all", *(_share(total(files, sort)) for sort in sorts), reached_percent(*total(files))]
    return [["file", *(HEADS[sort] for sort in sorts), "of all"], *rows, last]


def _share(sums: tuple[int, int]) -> str:
    return f"{sums[0]}/{sums[1]}" if sums[1] else ""


def coverage_to_text(files: Sequence[FileCoverage]) -> str:
    """Return the table, and the unreached points by file and line."""
    rows = table(files)
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    out = [
        "  ".join(
            [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]
        )
        for row in rows
    ]
    for file in files:
        left = file.unreached()
        if left:
            out += ["", f"Not reached in {file.file}:", *(f"  {line}" for line in _unreached(left))]
    return "\n".join(out) + "\n"


def _unreached(left: Sequence[CoveragePoint]) -> Iterator[str]:
    """Yield the unreached points: runs of lines, then all others with their description."""
    lines = sorted({point.line for point in left if point.sort == "line"})
    if lines:
        yield f"line{'s' * (len(lines) > 1)} {', '.join(_runs(lines))}"
    dead = set(lines)
    for point in left:
        if point.sort == "branch" and point.head in dead:
            continue  # the statement itself isn't reached either
        if point.sort != "line":
            yield f"line {point.line}: {point.sort} `{point.name}`"


def _runs(lines: Sequence[int]) -> Iterator[str]:
    """Yield numbers, and runs of them as ``3-7``."""
    first = last = lines[0]
    for line in [*lines[1:], -1]:
        if line == last + 1:
            last = line
            continue
        yield str(first) if first == last else f"{first}-{last}"
        first = last = line


# ── as data ────────────────────────────────────────────────────────────────────────────────────


def to_record(files: Sequence[FileCoverage]) -> dict[str, Any]:
    """Return the coverage as plain data; `tests`: how many tests reach a point."""
    return {
        "reached": total(files)[0],
        "points": total(files)[1],
        "files": [
            {
                "file": file.file,
                "reached": file.of()[0],
                "points": [
                    {"sort": point.sort, "line": point.line, "name": point.name, "tests": count}
                    for point, count in file.points
                ],
            }
            for file in files
        ],
    }


def to_lcov(files: Iterable[FileCoverage]) -> str:
    """Return a tracefile of lcov (geninfo(1)). Cards, tiers, events and listeners are its functions."""
    return "".join(line + "\n" for file in files for line in _traced(file))


def _traced(file: FileCoverage) -> Iterator[str]:
    yield "TN:"
    yield f"SF:{file.file}"
    named = [(point, count) for point, count in file.points if point.sort not in ("line", "branch")]
    names = [f"{point.sort} {point.name} ({point.line})".replace(",", "") for point, _ in named]
    for (point, _), name in zip(named, names, strict=True):
        yield f"FN:{point.line},{name}"
    for (_, count), name in zip(named, names, strict=True):
        yield f"FNDA:{count},{name}"
    yield f"FNF:{len(named)}"
    yield f"FNH:{sum(count > 0 for _, count in named)}"
    runs = {point.line: count for point, count in file.points if point.sort == "line"}
    ways = [(point, count) for point, count in file.points if point.sort == "branch"]
    for point, count in sorted(ways, key=lambda way: (way[0].head, way[0].block, way[0].way)):
        yield f"BRDA:{point.head},{point.block},{point.way},{count if runs[point.head] else '-'}"
    yield f"BRF:{len(ways)}"
    yield f"BRH:{sum(count > 0 for _, count in ways)}"
    lines = {point.line: max(count, runs.get(point.line, 0)) for point, count in named} | runs
    for line in sorted(lines):
        yield f"DA:{line},{lines[line]}"
    yield f"LF:{len(lines)}"
    yield f"LH:{sum(count > 0 for count in lines.values())}"
    yield "end_of_record"
