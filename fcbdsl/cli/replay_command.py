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
    from fcbdsl.sim.playout import MOST_BYTES, BadRecord, Divergence, read_record, replay
    from fcbdsl.vm.machine import Machine
    from fcbdsl.vm.setup import CannotStart

    try:
        record = read_record(common.read_up_to(log, MOST_BYTES + 1))
    except BadRecord as trouble:
        common.leave_with(f"{log} can't be replayed: {trouble}.")
    program = common.program_of(program_file)
    try:
        replay(Machine(program), record)
    except (Divergence, CannotStart) as difference:
        common.leave_with(f"{log} does not replay: {difference}.")
    made = common.count(len(record.decisions), "decision")
    click.echo(f"{log}: {made}, {record.outcome}, state {record.digest}: confirmed")
