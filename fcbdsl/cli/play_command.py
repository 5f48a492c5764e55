"""``fcb play``."""

from __future__ import annotations

import secrets
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fcbdsl.cli import common
from fcbdsl.cli.main import FINE, PROBLEMS
from fcbdsl.files import write_atomically

if TYPE_CHECKING:
    from fcbdsl.sim.playout import Record
    from fcbdsl.vm.machine import Machine
    from fcbdsl.vm.world import World

BOT_NAMES = ("random", "sensible")
"""Keys of `sim.bots.BOTS`, which would load the machine for a mere `--help`; a test compares them."""


def _seats(ctx: click.Context, param: click.Parameter, value: str | None) -> tuple[int, ...] | None:
    """Read numbers of players: ``1,3``."""
    if value is None:
        return None
    seats = value.split(",")
    if not all(seat.strip().isdecimal() and int(seat) > 0 for seat in seats):
        raise click.BadParameter(f"{value!r} is not a list of players' numbers, like 1,3.", ctx, param)
    return tuple(sorted({int(seat) - 1 for seat in seats}))


def _settings(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
    """Read variants and their values: ``NAME=VALUE``."""
    out: dict[str, str] = {}
    for value in values:
        name, _, setting = value.partition("=")
        if not (name and setting):
            raise click.BadParameter(f"{value!r} is not of the form NAME=VALUE.", ctx, param)
        out[name] = setting
    return out


@click.command("play", epilog="Example: fcb play MISSION --bot sensible --players 3 --seed 7 --log game.log.json")
@click.argument("mission")
@common.program_option
@click.option("--bot", "bot_name", type=click.Choice(BOT_NAMES), help="Bots play all seats but those of persons.")
@click.option("--human", "humans", metavar="SEATS", callback=_seats, help="Seats of persons, from 1.")
@click.option("--players", type=click.IntRange(1), help="How many play; the fewest possible unless said.")
@click.option("--seed", type=click.IntRange(0), help="Decides all chance; drawn by lot unless said.")
@click.option("--log", type=click.Path(dir_okay=False, path_type=Path), help="Where to keep what was decided.")
@click.option("--variant", "settings", metavar="NAME=VALUE", multiple=True, callback=_settings, help="Another setting.")
@click.option("--games", type=click.IntRange(1), default=1, help="How many games bots play, with seeds counting up.")
@click.option("--lang", "language", type=click.Choice(["en", "fr"]), default="en", help="Language of the names.")
@click.pass_context
def command(
    ctx: click.Context,
    mission: str,
    program_file: Path | None,
    bot_name: str | None,
    humans: tuple[int, ...] | None,
    players: int | None,
    seed: int | None,
    log: Path | None,
    settings: dict[str, str],
    games: int,
    language: str,
) -> None:
    """Play MISSION: at the terminal, by bots (--bot), or both (--human 1 --bot sensible).

    A log that is kept can be played again with `fcb replay`.
    """
    from fcbdsl.sim.playout import Record
    from fcbdsl.vm.machine import Machine

    program = common.program_of(program_file)
    common.known_mission(program, mission)
    seats = players or program.players[0]
    persons = humans if humans is not None else () if bot_name else tuple(range(seats))
    if persons and persons[-1] >= seats:
        raise click.UsageError(f"There is no player {persons[-1] + 1} among {seats}.")
    if games > 1 and (log is not None or persons):
        raise click.UsageError("Several games are for bots alone and keep no log.")
    lot = secrets.randbelow(1 << 32) if seed is None else seed
    record = Record(program.hash, mission, seats, lot, settings)
    machine = Machine(program)
    if persons:
        from fcbdsl.cli.table import sit_down

        sit_down(machine, common.started(machine, record), record, persons, bot_name or "sensible", log, language)
        return
    faults = _play_games(machine, record, bot_name or "random", games, log, language)
    ctx.exit(PROBLEMS if faults else FINE)


def _play_games(machine: Machine, first: Record, bot: str, games: int, log: Path | None, language: str) -> int:
    """Let bots play; say how each game ended, or of many how often which way. Returns the number of faults."""
    outcomes: dict[str, int] = {}
    with click.progressbar(range(games), file=sys.stderr, hidden=not _watched(games)) as numbers:
        for number in numbers:
            record = replace(first, seed=first.seed + number, decisions=[])
            world = _play_game(machine, record, bot)
            outcomes[record.outcome] = outcomes.get(record.outcome, 0) + 1
            if log is not None:
                write_atomically(log, record.to_json())
            if games == 1 or record.outcome == "fault":
                click.echo(common.ending(machine, world, record, language))
    if games > 1:
        shares = ", ".join(f"{name} {outcomes[name]}" for name in sorted(outcomes))
        click.echo(f"{first.mission}: {common.count(games, 'game')} from seed {first.seed}: {shares}")
    return outcomes.get("fault", 0)


def _play_game(machine: Machine, record: Record, bot: str) -> World:
    """Play one game to its end."""
    from fcbdsl.sim.bots import make_bot
    from fcbdsl.sim.playout import play_out

    world = common.started(machine, record)
    play_out(machine, world, [make_bot(bot, record.seed + seat) for seat in range(record.players)], record)
    return world


def _watched(games: int) -> bool:
    """Whether somebody watches who should see progress: only of long work, and only on a terminal."""
    return games > 1 and sys.stderr.isatty()
