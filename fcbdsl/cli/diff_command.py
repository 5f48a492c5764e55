"""``fcb diff``."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from fcbdsl.cli import common
from fcbdsl.cli.main import FINE, PROBLEMS
from fcbdsl.cli.sides import model_of
from fcbdsl.files import write_atomically


@click.command("diff", epilog="Example: fcb diff HEAD . --format markdown -o changes.md")
@click.argument("before", metavar="A")
@click.argument("after", metavar="B")
@click.option(
    "--format", "form", type=click.Choice(["text", "markdown", "html", "json"]), default="text", show_default=True
)
@click.option("-o", "--output", type=common.WRITABLE, help="Where to write the report.")
@click.option("--exit-code", "telling", is_flag=True, help="Exit with 1 if there is a difference.")
@common.shipped_option
@click.pass_context
def command(ctx: click.Context, before: str, after: str, form: str, output: Path | None, telling: bool) -> None:
    """Say what the table will see before and after a change: what is added and removed, what of the rest is told,
    drawn or played otherwise, in each language, and what breaks campaigns under way.

    A and B are each a folder with a project, or a revision of the project's repository (HEAD~1, a tag); `.` is the
    project as it stands. In texts, what goes stands in [-…-], what comes in {+…+}.
    """
    from fcbdsl.changes.report import to_data, to_markdown, to_text
    from fcbdsl.changes.whole import changes_between

    with model_of(before) as old, model_of(after) as new:
        changes = changes_between(old, new)
        if form == "json":
            text = json.dumps(to_data(changes), indent=1, ensure_ascii=False) + "\n"
        elif form == "markdown":
            text = to_markdown(changes, before, after)
        elif form == "html":
            from fcbdsl.changes.page import to_html

            text = to_html(changes, (old, new), (before, after))
        else:
            text = to_text(changes, output is None and common.in_colour(sys.stdout))
    if output is None:
        click.echo(text, nl=False)
    else:
        write_atomically(output, text.encode())
        click.echo(str(output))
    ctx.exit(PROBLEMS if telling and changes else FINE)
