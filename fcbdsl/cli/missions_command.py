"""``fcb missions``."""

from __future__ import annotations

from pathlib import Path

import click

from fcbdsl.cli import common


@click.command("missions", epilog="Example: fcb missions --long")
@common.program_option
@click.option("-l", "--long", "titles", is_flag=True, help="Add the titles.")
@click.option("--lang", "language", type=click.Choice(["en", "fr"]), default="en", help="Language of the titles.")
def command(program_file: Path | None, titles: bool, language: str) -> None:
    """List the missions of a project or program by the ids that `fcb play` takes, one on each line."""
    program = common.program_of(program_file)
    rows = common.missions_of(program)
    width = max((len(row.id) for row in rows), default=0)
    for row in rows:
        texts = program.texts[row.title] if row.title >= 0 else {}
        title = texts.get(language) or texts.get("en", "")
        click.echo(f"{row.id:<{width}}  {title}".rstrip() if titles else row.id)
