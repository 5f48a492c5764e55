"""``fcb dump``."""

from __future__ import annotations

from pathlib import Path

import click

from fcbdsl.cli import common


@click.command("dump", epilog="Example: fcb dump tree cards/weapons.fcb")
@click.argument("stage", type=click.Choice(["tree", "model", "code"]))
@click.argument("path", type=click.Path(exists=True, path_type=Path))
def command(stage: str, path: Path) -> None:
    """Show what the compiler makes of a file. Choose its syntax tree, its typed model or its code."""
    if stage == "tree":
        _dump_tree(path)
    elif stage == "model":
        from fcbdsl.language.model.dump import dump

        click.echo(dump(common.sound_game([path]).model), nl=False)
    else:
        from fcbdsl.machine.vm.disasm import disassemble

        click.echo(disassemble(common.sound_program([path]), None), nl=False)


def _dump_tree(path: Path) -> None:
    """Print the tree of one file, after the problems found in reading it."""
    from fcbdsl.base.files import CannotRead, read_regular
    from fcbdsl.language.syntax.decoding import read_source
    from fcbdsl.language.syntax.dump import dump
    from fcbdsl.language.syntax.parser import parse

    try:
        source, problems = read_source(str(path), read_regular(path))
    except CannotRead as error:
        raise click.UsageError(f"{path} was not read: {error}.") from error
    if source is None:
        common.report(problems)
        common.leave_with(f"{path} can't be read as text.")
        return
    file, more = parse(source)
    common.report([*problems, *more])
    click.echo(dump(file), nl=False)
