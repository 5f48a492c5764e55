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
@click.option("--looks", "dressed", is_flag=True, help="Write its boards and cards beside it, for fcb table --program.")
def command(paths: tuple[Path, ...], output: Path, strict: bool, dressed: bool) -> None:
    """Compile a game to bytecode. The same source gives the same bytes on every run."""
    from fcbdsl.base.files import write_atomically
    from fcbdsl.machine import verified
    from fcbdsl.machine.vm import fcbc

    analysis = common.sound_game(paths, strict)
    program = common.compile_game(analysis, hashed=False)
    data, seal = fcbc.file_and_hash(program)
    if len(data) > fcbc.MOST_BYTES:
        most = fcbc.MOST_BYTES
        common.leave_with(f"The program has {len(data)} bytes, more than the {most} that fcb reads; fcb wrote nothing.")
    write_atomically(output, data)
    verified.record(data)
    click.echo(f"{output}: {len(program.codes)} codes, {len(data)} bytes, {seal}")
    if dressed:
        from fcbdsl.cli.table_looks import dressings_of
        from fcbdsl.print.export.looks_file import beside, looks_file

        looks = looks_file(seal, dressings_of(analysis.model, common.program_languages(program)))
        write_atomically(beside(output), looks)
        click.echo(f"{beside(output)}: {len(looks)} bytes")
