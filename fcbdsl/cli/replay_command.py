"""``fcb replay``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from fcbdsl.base.files import write_atomically
from fcbdsl.cli import common

if TYPE_CHECKING:
    from fcbdsl.machine.vm.image import Image
    from fcbdsl.play.session.playout import Record
    from fcbdsl.play.session.story import Story


@click.command("replay", epilog="Example: fcb replay game.log.json --show --from 12 --to 20")
@click.argument("log", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@common.program_option
@click.option("--show", is_flag=True, help="Show the game step by step; a step is one decision.")
@click.option("--from", "first", type=click.IntRange(0), default=0, help="Show it from this step.")
@click.option("--to", "last", type=click.IntRange(0), default=1 << 30, help="Show it up to this step.")
@click.option("--html", type=click.Path(dir_okay=False, path_type=Path), help="Write a web page with the board.")
@click.option("--why", metavar="STEP.N", help="Show the causes of line STEP.N, with their source lines.")
@click.option("--for", "seats", metavar="SEATS", callback=common.seats, help="Show only what these players may see.")
@common.language_option("Language of the story.")
def command(
    log: Path,
    program_file: Path | None,
    show: bool,
    first: int,
    last: int,
    html: Path | None,
    why: str | None,
    seats: tuple[int, ...] | None,
    language: str | None,
) -> None:
    """Replay a game log, or show it. fcb confirms that the game ends in the same state; `--show`, `--html` and
    `--why` show what happened.

    Each line that `--show` prints has a number such as 12.3: line 3 of step 12. Use it for `--why`.
    """
    from fcbdsl.machine.vm.image import Image

    if why and seats:
        raise click.UsageError("Why something happened may be a secret: --why tells all, and can't be --for somebody.")
    record = common.record_of(log)
    image = Image(common.program_of(program_file, "mission", record.mission))
    common.replayed(image, log, record)
    if not (show or html or why):
        made = common.count(len(record.decisions), "decision")
        click.echo(f"{log}: {made}, {record.outcome}, state {record.digest}: confirmed")
        return
    from fcbdsl.cli import stories

    told = common.language_of(language, common.languages_of(image.program))
    story = story_of(image, record, told, seats)
    if why:
        click.echo(stories.why(story, why), nl=False)
    if show:
        click.echo(stories.as_text(story, first, last), nl=False)
    if html is not None:
        write_atomically(html, stories.page(story, told, first, last).encode())
        click.echo(f"{html}: the story of {record.mission}")


def story_of(image: Image, record: Record, language: str, seats: tuple[int, ...] | None = None) -> Story:
    """Play a record again and return its story, as far as `seats` may know it (None: without secrets)."""
    from fcbdsl.play.session.story import retold
    from fcbdsl.play.session.view import View

    if seats and seats[-1] >= record.players:
        raise click.UsageError(f"There is no player {seats[-1] + 1} among {record.players}.")
    return retold(image, record, View(image, language, seats))
