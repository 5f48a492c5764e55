"""``fcb check``."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fcbdsl.cli import common
from fcbdsl.cli.main import FINE, PROBLEMS

if TYPE_CHECKING:
    from fcbdsl.analysis import Analysis
    from fcbdsl.diagnostics import Diagnostic


@click.command("check", epilog="Example: fcb check cards/ --format json")
@common.paths_argument
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", help="How to report.")
@click.option("--fit", is_flag=True, help="Also typeset everything, to see whether it fits its cards and sheets.")
@click.option("--explain-passes", "explain", is_flag=True, help="Tell of each check whether it ran, and how long.")
@common.strict_option
@click.pass_context
def command(ctx: click.Context, paths: tuple[Path, ...], form: str, fit: bool, explain: bool, strict: bool) -> None:
    """Check files and report every problem of every file in one run.

    Files of a project are checked as parts of it; with PATHS only what is found there is reported. What compile, test,
    play and render would refuse is found here, whether texts fit their cards and sheets with --fit.

    The project is the nearest folder upward that holds fcb.toml. Where there is none, the working folder is taken with
    its files and its folders cards, missions and tests, and that is said; --shipped takes the content that comes with
    fcb. Of several games each is checked, and summed up on a line of its own.

    --explain-passes tells on standard error of each check, in order: whether it ran, was known from an earlier run
    (nothing has changed), or was left out; and how many seconds of the processor that took. A check that needs the
    model waits for it to be made or loaded, which is told with the first that does.
    """
    from fcbdsl.analysis.pieces import no_test
    from fcbdsl.analysis.pipeline import FIT, analysis_of
    from fcbdsl.project import lies_in
    from fcbdsl.syntax.pausing import made_to_last

    asked = [FIT] if fit else []
    with made_to_last():
        analyses = [analysis_of(loader, asked, time.process_time, no_test) for loader in common.loaded(paths)]
    found = [
        [one for one in analysis.problems if not paths or lies_in(Path(one.span.source.name), paths)]
        for analysis in analyses
    ]
    problems = common.together(one for each in found for one in each)
    common.report(problems, form)
    for analysis, each in zip(analyses, found, strict=True):
        if form == "text":
            whose = f"{analysis.game or 'Files of no game'}: " if len(analyses) > 1 else ""
            click.echo(f"{whose}{_sums(each)}.")
    if explain:
        for analysis in analyses:
            _explain(analysis, len(analyses) > 1)
    if fit and not all(FIT in analysis.made for analysis in analyses):
        click.echo("Whether everything fits can be seen when there are no errors.", err=True)
    wrong = any(problem.severity == "error" or strict for problem in problems)
    ctx.exit(PROBLEMS if wrong else FINE)


def _explain(analysis: Analysis, several: bool) -> None:
    """Tell how each check went."""
    if several:
        click.echo(f"{analysis.game or 'Files of no game'}:", err=True)
    width = max(len(one.name) for one in analysis.passes)
    for one in analysis.passes:
        took = f"{one.seconds:8.3f} s  " if one.how in ("run", "known") else " " * 12
        click.echo(f"{one.name:<{width}}{took}{HOW[one.how]}", err=True)


HOW = {
    "run": "run",
    "known": "known from an earlier run",
    "asked": "left out: only when asked for",
    "errors": "left out: there are errors",
}
"""How a check went, in words."""


def _sums(problems: Sequence[Diagnostic]) -> str:
    errors = sum(problem.severity == "error" for problem in problems)
    sums = f"{common.count(errors, 'error')}, {common.count(len(problems) - errors, 'warning')}"
    return sums if problems else "No problems"
