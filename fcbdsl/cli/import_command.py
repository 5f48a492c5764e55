"""``fcb import``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from fcbdsl.cli import common
from fcbdsl.cli.main import FINE

if TYPE_CHECKING:
    from fcbdsl.project.project import Loader


@click.command("import", epilog="Example: fcb import gadgets.csv --kind weapon -o cards/gadgets.fcb")
@click.argument("file", type=common.READABLE)
@click.option("-o", "--output", type=common.WRITABLE, help="Write this source file. [default: standard output]")
@click.option("--kind", default="", help="Kind of the records that name no kind.")
@click.option("--force", is_flag=True, help="Replace an existing file.")
@common.shipped_option
@click.pass_context
def command(ctx: click.Context, file: Path, output: Path | None, kind: str, force: bool) -> None:
    """Import cards from JSON, YAML or CSV. fcb writes a source file with the records.

    fcb compares the records with the schema of their kind (`fcb schema KIND`), formats them, and checks them
    together with the project. If there is any problem, it reports all problems and writes nothing. A table has the
    columns kind, id, title, "title fr", head and lines; every other column is a field.
    """
    from fcbdsl.base import bounds
    from fcbdsl.language.syntax.formatting import CannotFormat
    from fcbdsl.tools.exchange.import_records import (
        NotRecords,
        faults_of,
        read_rows,
        record_from_row,
        records_source,
        typed_row,
    )

    if output is not None and output.exists() and not force:
        raise click.UsageError(f"{output} exists; --force replaces it.")
    loader = common.only_loader(common.load_scope(tests=False))
    (model,) = common.sound_models([loader])
    try:
        rows = [typed_row(row, model) for row in read_rows(file.name, common.read_up_to(file, bounds.FILE_BYTES), kind)]
    except NotRecords as error:
        raise click.UsageError(f"{file}: {error}.") from error
    if not rows:
        raise click.UsageError(f"{file}: the file contains no records.")
    faults = faults_of(rows, model)
    if faults:
        common.leave_with("\n".join([*faults, f"{common.count(len(faults), 'fault')}; nothing is written."]))
    try:
        text = records_source(
            [record_from_row(row) for row in rows], _used(loader), model, str(output or "imported.fcb")
        )
    except CannotFormat as error:
        common.report(error.problems, err=True)
        common.leave_with("Nothing is written.")
    _check(loader, output or Path("imported.fcb"), text)
    if output is None:
        click.echo(text, nl=False)
    else:
        from fcbdsl.base.files import write_atomically

        write_atomically(output, text.encode("utf-8"))
        click.echo(f"{output}: {common.count(len(rows), 'definition')}")
    ctx.exit(FINE)


def _used(loader: Loader) -> list[str]:
    """Return what a source of the project must use: its game, or the uses of its first file."""
    from fcbdsl.project.project import names_used

    if loader.project.game:
        return [loader.project.game]
    return next((names for names in (names_used(source.text) for source in reversed(loader.sources)) if names), [])


def _check(loader: Loader, path: Path, text: str) -> None:
    """Report the problems of an unwritten source of the project, and leave if there are any."""
    from fcbdsl.base.source import Source
    from fcbdsl.project.paths import shown_name
    from fcbdsl.project.project import check_loaded

    new = Source(shown_name(path), text)
    loader.sources = [*(source for source in loader.sources if source.name != new.name), new]
    problems = [problem for problem in check_loaded(loader)[1] if problem.severity == "error"]
    if problems:
        common.report(problems, err=True)
        common.leave_with("Nothing is written.")
