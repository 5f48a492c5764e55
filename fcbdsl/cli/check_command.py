"""``fcb check``."""

from __future__ import annotations

from pathlib import Path

import click

from fcbdsl.cli import common
from fcbdsl.cli.main import FINE, PROBLEMS


@click.command("check", epilog="Example: fcb check cards/ --format json")
@common.paths_argument
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", help="How to report.")
@click.pass_context
def command(ctx: click.Context, paths: tuple[Path, ...], form: str) -> None:
    """Check files and report every problem of every file in one run.

    Files of a project are checked as parts of it; with PATHS only what is found there is reported.
    """
    from fcbdsl.project import lies_in

    model, found = common.check_paths(paths)
    if all(problem.severity != "error" for problem in found):
        found = [*found, *common.reviewed(model, paths)]
    problems = [problem for problem in found if not paths or lies_in(Path(problem.span.source.name), paths)]
    common.report(problems, form)
    errors = sum(problem.severity == "error" for problem in problems)
    warnings = len(problems) - errors
    if form == "text":
        sums = f"{common.count(errors, 'error')}, {common.count(warnings, 'warning')}" if problems else "No problems"
        click.echo(f"{sums}.")
    ctx.exit(PROBLEMS if errors else FINE)
