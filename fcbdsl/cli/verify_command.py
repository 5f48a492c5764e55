"""``fcb verify``."""

from __future__ import annotations

from pathlib import Path

import click

from fcbdsl.cli import common


@click.command("verify", epilog="Example: fcb verify game.fcbc")
@click.argument("file", type=common.READABLE)
def command(file: Path) -> None:
    """Verify a bytecode program. fcb checks its schema, version, content hash and code."""
    program = common.load_program(file, again=True)
    click.echo(f"{file}: sound ({len(program.codes)} codes, {program.hash})")
