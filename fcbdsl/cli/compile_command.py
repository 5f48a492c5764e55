"""``fcb compile``."""

from __future__ import annotations

from pathlib import Path

import click

from fcbdsl.cli import common


@click.command("compile", epilog="Example: fcb compile -o game.fcbc")
@common.paths_argument
@common.strict_option
@click.option(
    "-o", "--output", required=True, type=click.Path(dir_okay=False, path_type=Path), help="Write this .fcbc file."
)
def command(paths: tuple[Path, ...], output: Path, strict: bool) -> None:
    """Compile a game to bytecode. The same source gives the same bytes on every run."""
    from fcbdsl.base.files import write_atomically
    from fcbdsl.machine import verified
    from fcbdsl.machine.vm import fcbc

    program = common.compiled(common.sound_game(paths, strict), hashed=False)
    data, seal = fcbc.file_and_hash(program)
    if len(data) > fcbc.MOST_BYTES:
        most = fcbc.MOST_BYTES
        common.leave_with(f"The program has {len(data)} bytes, and none is read beyond {most}; nothing was made.")
    write_atomically(output, data)
    verified.record(data)
    click.echo(f"{output}: {len(program.codes)} codes, {len(data)} bytes, {seal}")
