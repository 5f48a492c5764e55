"""``fcb missions``."""

from __future__ import annotations

from pathlib import Path

import click

from fcbdsl.cli import common


@click.command("missions", epilog="Example: fcb missions --long")
@common.program_option
@click.option("-l", "--long", "titles", is_flag=True, help="Add the titles.")
@common.language_option("Language of the titles.")
def command(program_file: Path | None, titles: bool, language: str | None) -> None:
    """List the missions of a project or program by the ids that `fcb play` takes, one on each line.

    Of several games all are listed, those of each together; --long tells which are whose.
    """
    programs = common.programs_of(program_file)
    for game, program in programs:
        told = common.language_of(language, common.languages_of(program))
        rows = common.missions_of(program)
        width = max((len(row.id) for row in rows), default=0)
        if titles:
            common.heading(programs, game)
        for row in rows:
            texts = program.texts[row.title] if row.title >= 0 else {}
            title = texts.get(told) or texts.get("en", "")
            click.echo(f"{row.id:<{width}}  {title}".rstrip() if titles else row.id)
