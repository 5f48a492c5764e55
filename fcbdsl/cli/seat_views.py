"""``fcb play --views``: games as JSON lines, for programs that play or look on."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fcbdsl.base.files import write_atomically
from fcbdsl.cli import common

if TYPE_CHECKING:
    from fcbdsl.machine.vm.image import Image
    from fcbdsl.play.session.playout import Record
    from fcbdsl.play.table.table import GameTable


def exchange_views(
    image: Image, record: Record, persons: tuple[int, ...], bot: str, language: str, log: Path | None
) -> None:
    """Print what each seat that is asked sees, and read the choices of `persons`; bots play all other seats."""
    from fcbdsl.play.table.table_protocol import encode_message

    table = table_of(image, record, persons, bot)
    while table.ask is not None:
        seats = table.asked()
        if table.session.waits():
            if not persons:
                click.echo(encode_message(table.view(seats, language)))
            table.step()
            continue
        click.echo(encode_message(table.view(seats, language)))
        sys.stdout.flush()
        if not _answer(table, seats, language):
            table.session.interrupt()
            break
    if log is not None:
        write_atomically(log, table.record.to_json())
    for seat in persons or range(record.players) if table.ask is None else ():
        click.echo(encode_message(table.view((seat,), language)))


def _answer(table: GameTable, seats: tuple[int, ...], language: str) -> bool:
    """Read commands until one has an effect; return False at the end of the input."""
    from fcbdsl.base.locales import interface_texts
    from fcbdsl.play.table.table_protocol import (
        BadMessage,
        ChooseCommand,
        Refusal,
        TakeBack,
        encode_message,
        read_command,
    )

    for line in sys.stdin:
        reason, why = "", ""
        try:
            command = read_command(line)
        except BadMessage as bad:
            reason, why = "bad", str(bad)
        else:
            if isinstance(command, ChooseCommand):
                reason = table.choose(seats, command.n, command.choice)
            elif isinstance(command, TakeBack):
                reason = table.undo(seats, command.n)
            else:
                click.echo(encode_message(table.view(seats, language, whole=True)))
                continue
        if not reason:
            return True
        text = why or interface_texts("table", language)[f"refused-{reason}"]
        click.echo(encode_message(Refusal("refused", table.n, reason, text)))
        sys.stdout.flush()
    return False


def table_of(image: Image, record: Record, persons: tuple[int, ...], bot: str) -> GameTable:
    """Return a table at which bots play all seats but those of `persons`. Refuses a game that cannot start."""
    from fcbdsl.machine.vm.setup import CannotStart
    from fcbdsl.play.bots.roster import bots_beside_persons
    from fcbdsl.play.session.playout import Divergence
    from fcbdsl.play.table.table import GameTable

    bots = bots_beside_persons(bot, record.players, persons, record.seed)
    try:
        return GameTable(image, record, bots)
    except (CannotStart, Divergence) as error:
        common.leave_with(f"{record.mission}: {error}.")
