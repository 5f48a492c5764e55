"""``fcb replay``."""

from __future__ import annotations

from pathlib import Path

import click

from fcbdsl.cli import common


@click.command("replay", epilog="Example: fcb replay game.log --program game.fcbc")
@click.argument("log", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@common.program_option
def command(log: Path, program_file: Path | None) -> None:
    """Play a LOG again and confirm that the game ends in the same state."""
    from fcbdsl.vm.image import Image

    record = common.record_of(log)
    common.replayed(Image(common.program_of(program_file, "mission", record.mission)), log, record)
    made = common.count(len(record.decisions), "decision")
    click.echo(f"{log}: {made}, {record.outcome}, state {record.digest}: confirmed")
