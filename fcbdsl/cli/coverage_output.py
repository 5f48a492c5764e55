"""Reports of test coverage for the terminal, for other tools, and as a page."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fcbdsl.base import resources
from fcbdsl.tools.coverage.coverage_report import (
    FileCoverage,
    Reached,
    coverage_by_file,
    coverage_to_text,
    permille,
    reached_percent,
    table,
    to_lcov,
    to_record,
    total,
)

if TYPE_CHECKING:
    from fcbdsl.language.model.whole import Model
    from fcbdsl.machine.vm.program import Program
    from fcbdsl.project.analysis import Choice
    from fcbdsl.project.project import Loader

STATES = {
    "yes": ("✓", "reached"),
    "partly": ("±", "reached in part"),
    "no": ("✗", "not reached"),
}
"""States of lines on the page, with their marks and names."""


def measure_coverage(
    loader: Loader, model: Model, chosen: Choice | None, jobs: int, borrowed: bool
) -> list[FileCoverage]:
    """Play the `chosen` tests (None: all) and return the coverage of the project's own files.

    `borrowed`: include the files of games and packs that it uses.
    """
    from fcbdsl.tools.coverage.measurement import counts
    from fcbdsl.tools.coverage.points import points_of

    points = points_of(model, _files(loader, borrowed))

    def meant(program: Program, number: int) -> bool:
        test = program.tests[number]
        return chosen is None or chosen(test.title, test.covers, program.files[program.spans[test.span].file])

    with click.progressbar(
        length=len(model.tests), label="coverage", file=sys.stderr, hidden=not sys.stderr.isatty()
    ) as shown:
        return coverage_by_file(points.points, counts(model, points, meant, jobs, shown.update))


def _files(loader: Loader, borrowed: bool) -> frozenset[str]:
    """Return the files to measure: the project's own ones, unless `borrowed` asks for more."""
    from fcbdsl.project.paths import lies_in, shipped_path
    from fcbdsl.project.project import lent_to

    project = loader.project
    packs = [project.root / "packs"] if project.root is not None else []
    core = [shipped_path("systems") / "core.fcb"]
    lent = () if borrowed else lent_to(loader)
    outside = core if borrowed else [*core, *packs]
    names = [source.name for source in loader.sources if source.name not in lent]
    return frozenset(name for name in names if not lies_in(Path(name), outside))


def format_coverage(measured: Mapping[str, Sequence[FileCoverage]], form: str, texts: Mapping[str, str]) -> str:
    """Return the coverage of each game as ``text``, ``lcov``, ``json`` or ``html``. `texts`: the files by name."""
    several = len(measured) > 1
    if form == "text":
        return "\n".join((f"{game or 'Files of no game'}:\n" if several else "") + coverage_to_text(files)
                         for game, files in measured.items())  # fmt: skip
    if form == "lcov":
        return "".join(to_lcov(files) for files in measured.values())
    if form == "json":
        records = [({"game": game} if game else {}) | to_record(files) for game, files in measured.items()]
        return json.dumps(records if several else records[0], ensure_ascii=False, indent=2) + "\n"
    return _page([file for files in measured.values() for file in files], texts)


def short_of(files: Sequence[FileCoverage], at_least: int) -> bool:
    """Return whether fewer points than this percentage are reached."""
    return permille(*total(files)) < at_least * 10


def coverage_summary(files: Sequence[FileCoverage], at_least: int) -> str:
    """Return the coverage in one line."""
    reached, there = total(files)
    wanted = f"; at least {at_least} % are required" if at_least else ""
    return f"{reached} of {there} points reached by tests, {reached_percent(reached, there)}{wanted}"


# ── the page ───────────────────────────────────────────────────────────────────────────────────


def _page(files: Sequence[FileCoverage], texts: Mapping[str, str]) -> str:
    """Return a single page that contains every file."""
    import jinja2

    templates = jinja2.FileSystemLoader(resources.package_folder() / "tools" / "reports" / "templates")
    environment = jinja2.Environment(
        loader=templates, autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    head, *rows = table(files)
    shares = [*(permille(*file.of()) for file in files), permille(*total(files))]
    anchors = [*(f"f{number}" for number in range(len(files))), ""]
    return environment.get_template("coverage.html.j2").render(
        title="What the tests reach",
        says=coverage_summary(files, 0) + ". A point is a line, a branch, a card, a tier, an event or a listener.",
        key=[(name, *mark) for name, mark in STATES.items()],
        head=head,
        rows=[
            {"cells": row, "share": share, "anchor": anchor}
            for row, share, anchor in zip(rows, shares, anchors, strict=True)
        ],
        files=[
            {"name": file.file, "anchor": anchor, "lines": list(_lines(file, texts.get(file.file, "")))}
            for file, anchor in zip(files, anchors, strict=False)
        ],
    )


def _lines(file: FileCoverage, text: str) -> list[dict[str, Any]]:
    """Return the lines of a file, each with its coverage."""
    points = file.lines()
    return [_line(number, line, points.get(number, ())) for number, line in enumerate(text.rstrip("\n").split("\n"), 1)]


def _line(number: int, text: str, points: Sequence[Reached]) -> dict[str, Any]:
    reached = [count > 0 for _, count in points]
    state = "" if not points else "yes" if all(reached) else "partly" if any(reached) else "no"
    mark, label = STATES.get(state, ("", ""))
    missing = [
        f"{point.sort}: {point.name}" for point, count in points if not count and point.sort != "line" and any(reached)
    ]
    tests = max((count for _, count in points), default=0)
    label = f"{label} by {tests} test{'' if tests == 1 else 's'}" if tests else label
    return {"number": number, "text": text, "state": state, "mark": mark, "label": label, "missing": missing}
