"""``fcb export``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fcbdsl.cli import common
from fcbdsl.cli.main import FINE, PROBLEMS

if TYPE_CHECKING:
    from fcbdsl.tools.exchange.content_records import ContentRecord


@click.command("export", epilog="Example: fcb export --kind weapon -o weapons.json")
@click.argument("names", metavar="[ID]...", nargs=-1)
@click.option("--kind", help="Export only definitions of this kind.")
@click.option("-o", "--output", type=common.WRITABLE, help="Write to this file. [default: standard output]")
@common.shipped_option
@click.pass_context
def command(ctx: click.Context, names: tuple[str, ...], kind: str | None, output: Path | None) -> None:
    """Export cards and other definitions as JSON. Names and fields become data; other lines stay text.

    `fcb schema KIND` lists the fields of a kind. fcb names each definition that a record can't hold, leaves it out,
    and exits with 1.
    """
    from fcbdsl.base.diagnostics.problems import Problems
    from fcbdsl.project.paths import lies_in, shipped_path
    from fcbdsl.project.project import parse_all
    from fcbdsl.tools.exchange.content_records import records_of

    loader = common.only_loader(common.load_scope(tests=False))
    (model,) = common.sound_models([loader])
    systems = [*loader.project.systems(), shipped_path("systems")]
    own = [source for source in loader.sources if not lies_in(Path(source.name), systems)]
    records, left = records_of(parse_all(own, Problems()), model)
    chosen = [record for record in records if (not names or record.id in names) and kind in (None, record.kind)]
    left = [name for name in left if _wanted(name, names, kind)]
    _refuse_unknown(names, records, left)
    text = json.dumps([record.as_data() for record in chosen], ensure_ascii=False, indent=2) + "\n"
    if output is None:
        click.echo(text, nl=False)
    else:
        from fcbdsl.base.files import write_atomically

        write_atomically(output, text.encode("utf-8"))
        click.echo(f"{output}: {common.count(len(chosen), 'record')}")
    for name in left:
        click.echo(f"left out, because it is on one line: {name}", err=True)
    ctx.exit(PROBLEMS if left else FINE)


def _wanted(named: str, names: tuple[str, ...], kind: str | None) -> bool:
    sort, _, id = named.partition(" ")
    return (not names or id in names) and kind in (None, sort)


def _refuse_unknown(names: tuple[str, ...], records: list[ContentRecord], left: list[str]) -> None:
    ids = {record.id for record in records} | {name.partition(" ")[2] for name in left}
    for name in names:
        if name not in ids:
            from fcbdsl.base.diagnostics import suggest

            near = suggest(name, sorted(ids))
            raise click.UsageError(f"There is no definition {name!r}." + (f" Did you mean {near}?" if near else ""))
