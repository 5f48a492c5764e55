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
    """Check files and report every problem of every file in one run."""
    _, problems = common.check_paths(paths)
    common.report(problems, form)
    errors = sum(problem.severity == "error" for problem in problems)
    warnings = len(problems) - errors
    if form == "text":
        found = f"{common.count(errors, 'error')}, {common.count(warnings, 'warning')}" if problems else "No problems"
        click.echo(f"{found}.")
    ctx.exit(PROBLEMS if errors else FINE)
