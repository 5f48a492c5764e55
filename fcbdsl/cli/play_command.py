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
    from fcbdsl.play.playout import Record
    from fcbdsl.vm.game import Game
    from fcbdsl.vm.image import Image

LOG = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command("play", epilog="Example: fcb play MISSION --bot sensible --players 3 --seed 7 --log game.log.json")
@click.argument("mission", required=False)
@common.program_option
@click.option(
    "--bot", "bot_name", type=click.Choice(common.BOT_NAMES), help="Bots play all seats but those of persons."
)
@click.option("--human", "humans", metavar="SEATS", callback=common.seats, help="Seats of persons, from 1.")
@click.option("--players", type=click.IntRange(1), help="How many play; the fewest possible unless said.")
@click.option("--seed", type=click.IntRange(0), help="Decides all chance; drawn by lot unless said.")
@click.option(
    "--log", type=click.Path(dir_okay=False, path_type=Path), help="Where to keep what was decided; of one game only."
)
@click.option(
    "--transcript",
    type=click.Path(dir_okay=False, allow_dash=True, path_type=Path),
    help="Where to tell the game when it is over, - for here; see `fcb replay --show`.",
)
@common.variant_option
@click.option(
    "--games",
    type=click.IntRange(1),
    default=1,
    help="How many games bots play, with seeds counting up; without --log.",
)
@click.option(
    "--resume",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Go on with the game that this log left off. Bots draw their lots anew; what they decide is in the log.",
)
@common.language_option("Language of the names.")
@click.pass_context
def command(
    ctx: click.Context,
    mission: str | None,
    program_file: Path | None,
    bot_name: str | None,
    humans: tuple[int, ...] | None,
    players: int | None,
    seed: int | None,
    log: Path | None,
    transcript: Path | None,
    settings: dict[str, str],
    games: int,
    resume: Path | None,
    language: str | None,
) -> None:
    """Play MISSION: at the terminal, by bots (--bot), or both (--human 1 --bot sensible).

    A log that is kept can be played again with `fcb replay`; a game that was left can be gone on with (--resume).
    """
    from fcbdsl.play.playout import Record
    from fcbdsl.vm.image import Image

    if (mission is None) == (resume is None):
        raise click.UsageError("Name a MISSION, or the log of a game to --resume.")
    if resume is not None and (players or seed is not None or settings or games > 1):
        raise click.UsageError("A game that is resumed has its players, seed and variants already.")
    if games > 1 and (log is not None or transcript is not None or humans or not bot_name):
        raise click.UsageError(
            "Several games (--games) are for bots alone (--bot) and keep no log (--log, --transcript)."
        )
    kept = common.record_of(resume) if resume is not None else None
    program = common.program_of(program_file, "mission", kept.mission if kept is not None else mission or "")
    told = common.language_of(language, common.languages_of(program))
    image = Image(program)
    if resume is not None and kept is not None:
        record, game = kept, common.replayed(image, resume, kept)
        log = log or resume
        if record.outcome != "open":
            common.leave_with(f"{resume}: that game is over.")
    else:
        assert mission is not None
        common.known_mission(program, mission)
        lot = secrets.randbelow(1 << 32) if seed is None else seed
        record = Record(program.hash, mission, players or program.players[0], lot, settings)
        game = common.started(image, record)
    persons = humans if humans is not None else () if bot_name else tuple(range(record.players))
    if persons and persons[-1] >= record.players:
        raise click.UsageError(f"There is no player {persons[-1] + 1} among {record.players}.")
    if persons:
        from fcbdsl.cli.table import sit_down

        sit_down(game, record, persons, bot_name or "sensible", log, told)
        if transcript is not None:
            _tell(image, record, told, transcript)
        return
    if games > 1:
        ctx.exit(PROBLEMS if _play_games(image, record, bot_name or "random", games, told) else FINE)
    _play_to_its_end(game, record, bot_name or "random")
    if log is not None:
        write_atomically(log, record.to_json())
    if transcript is not None:
        _tell(image, record, told, transcript)
    click.echo(common.ending(game, record, told))
    ctx.exit(PROBLEMS if record.outcome == "fault" else FINE)


def _tell(image: Image, record: Record, language: str, transcript: Path) -> None:
    """Write the story of a game as everybody may know it."""
    from fcbdsl.cli import storytelling
    from fcbdsl.cli.replay_command import story_of

    text = storytelling.as_text(story_of(image, record, language))
    if str(transcript) == "-":
        click.echo(text, nl=False)
    else:
        write_atomically(transcript, text.encode())


def _play_games(image: Image, first: Record, bot: str, games: int, language: str) -> int:
    """Let bots play; say how often the games ended which way, and of each fault where. Returns the number of faults."""
    outcomes: dict[str, int] = {}
    with click.progressbar(range(games), file=sys.stderr, hidden=not sys.stderr.isatty()) as numbers:
        for number in numbers:
            record = replace(first, seed=first.seed + number, decisions=[])
            game = common.started(image, record)
            _play_to_its_end(game, record, bot)
            ended = common.outcome_of(game, record, language)
            outcomes[ended] = outcomes.get(ended, 0) + 1
            if record.outcome == "fault":
                click.echo(common.ending(game, record, language))
    shares = ", ".join(f"{name} {outcomes[name]}" for name in sorted(outcomes))
    click.echo(f"{first.mission}: {common.count(games, 'game')} from seed {first.seed}: {shares}")
    return outcomes.get("fault", 0)


def _play_to_its_end(game: Game, record: Record, bot: str) -> None:
    """Let bots go on with a game."""
    from fcbdsl.bots.bots import make_bot
    from fcbdsl.play.playout import play_out

    play_out(game, [make_bot(bot, record.seed + seat) for seat in range(record.players)], record)
