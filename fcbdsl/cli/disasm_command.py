"""``fcb disasm``."""

from __future__ import annotations

from pathlib import Path

import click

from fcbdsl.cli import common


@click.command("disasm", epilog="Example: fcb disasm game.fcbc shove")
@click.argument("path", type=click.Path(exists=True, path_type=Path))
@click.argument("name", required=False)
def command(path: Path, name: str | None) -> None:
    """Show the bytecode of a program. PATH is a .fcbc program or a source file.

    NAME limits the listing to codes whose name contains it.
    """
    from fcbdsl.machine.vm.disasm import disassemble

    program = common.load_program(path) if path.suffix == ".fcbc" else common.sound_program([path])
    listing = disassemble(program, name)
    if not listing:
        common.leave_with(f"No code has a name like {name!r}.")
    click.echo(listing, nl=False)
