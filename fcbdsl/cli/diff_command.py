"""``fcb diff``."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from fcbdsl.base.files import write_atomically
from fcbdsl.cli import common
from fcbdsl.cli.compared_versions import games_to_compare, select_game, version_model
from fcbdsl.cli.main import FINE, PROBLEMS
from fcbdsl.cli.output import without_commands


@click.command("diff", epilog="Example: fcb diff HEAD . --format markdown -o changes.md")
@click.argument("before", metavar="A")
@click.argument("after", metavar="B")
@click.option(
    "--format", "form", type=click.Choice(["text", "markdown", "html", "json"]), default="text", show_default=True
)
@click.option("-o", "--output", type=common.WRITABLE, help="Write the report to this file.")
@click.option("--exit-code", "telling", is_flag=True, help="Exit with 1 if the versions differ.")
@common.shipped_option
@click.pass_context
def command(ctx: click.Context, before: str, after: str, form: str, output: Path | None, telling: bool) -> None:
    r"""Compare two versions of a game. The report shows added, removed and changed texts, numbers and maps, in each
    language, and which running campaigns break.

    A and B are each a folder with a project, or a revision of the project's git repository (HEAD~1, a tag); `.` is
    the project in its current state. Removed text is in \[-…-\], added text in {+…+}. A project of several games
    gets one report per game; `--format html` needs one game.
    """
    games = games_to_compare((before, after))
    if form == "html" and len(games) > 1:
        raise click.UsageError(f"A page shows one game. Choose it with --game: {', '.join(games)}.")
    reports = {game: _report_of_game(game, before, after, form, output is None) for game in games}
    if form == "json":
        data = [data for data, _ in reports.values()]
        text = json.dumps(
            data[0] if len(games) == 1 else dict(zip(reports, data, strict=True)), indent=1, ensure_ascii=False
        )
        text += "\n"
    else:
        heads = {"text": "{}:\n", "markdown": "# {}\n\n", "html": ""}
        text = "\n".join(
            (heads[form].format(game) if len(games) > 1 else "") + str(difference)
            for game, (difference, _) in reports.items()
        )
    changes = any(changed for _, changed in reports.values())
    if output is None:
        click.echo(text, nl=False)
    else:
        write_atomically(output, (without_commands(text) if form in ("text", "markdown") else text).encode())
        click.echo(str(output))
    ctx.exit(PROBLEMS if telling and changes else FINE)


def _report_of_game(game: str, before: str, after: str, form: str, shown: bool) -> tuple[object, bool]:
    """Return the report of a game in a format (data for JSON), and whether there are differences."""
    from fcbdsl.tools.diff.diff_report import changes_to_text, to_data, to_markdown
    from fcbdsl.tools.diff.game_diff import changes_between

    select_game(game)
    with version_model(before) as old, version_model(after) as new:
        changes = changes_between(old, new)
        if form == "json":
            return to_data(changes), bool(changes)
        if form == "markdown":
            return to_markdown(changes, before, after), bool(changes)
        if form == "html":
            from fcbdsl.tools.diff.diff_page import to_html

            return to_html(changes, (old, new), (before, after)), bool(changes)
        return changes_to_text(changes, shown and common.in_colour(sys.stdout)), bool(changes)
