"""``fcb schema``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fcbdsl.cli import common
from fcbdsl.cli.main import FINE

if TYPE_CHECKING:
    from fcbdsl.language.model.declarations import Kind
    from fcbdsl.language.model.whole import Model


@click.command("schema", epilog="Example: fcb schema weapon -o weapon.schema.json")
@click.argument("kind", required=False)
@click.option("-o", "--output", type=common.WRITABLE, help="Write to this file. [default: standard output]")
@common.shipped_option
@click.pass_context
def command(ctx: click.Context, kind: str | None, output: Path | None) -> None:
    """Write the JSON Schema of a kind. `fcb import` and `fcb export` use its records.

    Without KIND fcb lists the kinds.
    """
    from fcbdsl.tools.exchange.schema import kind_schema

    (model,) = common.sound_models([common.only_loader(common.load_scope(tests=False))])
    kinds = {defined.id: defined for defined in definable(model)}
    if kind is None:
        for listed in kinds.values():
            click.echo(listed.id)
        ctx.exit(FINE)
    if kind not in kinds:
        from fcbdsl.base.diagnostics import suggest

        near = suggest(kind, list(kinds))
        raise click.UsageError(f"There is no kind {kind!r} to define." + (f" Did you mean {near}?" if near else ""))
    text = json.dumps(kind_schema(kinds[kind], model), ensure_ascii=False, indent=2) + "\n"
    if output is None:
        click.echo(text, nl=False)
    else:
        from fcbdsl.base.files import write_atomically

        write_atomically(output, text.encode("utf-8"))
        click.echo(output)


def definable(model: Model) -> list[Kind]:
    """Return the kinds that content can define: neither native kinds nor kinds that exist only to be derived from."""
    from fcbdsl.language.model.declaring.definitions import NOT_DEFINED

    used = {kind for kind, _ in model.definitions}
    above = {kind.parent.id for kind in model.kinds.values() if kind.parent is not None}
    out = []
    for kind in model.kinds.values():
        elsewhere = kind.part_of is not None or any(ancestor.id in NOT_DEFINED for ancestor in kind.lineage())
        if kind.id in used or not (elsewhere or kind.id in above):
            out.append(kind)
    return out
