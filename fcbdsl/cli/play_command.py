"""``fcb play``."""

from __future__ import annotations

import secrets
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fcbdsl.base.files import write_atomically
from fcbdsl.cli import common
from fcbdsl.cli.main import FINE, PROBLEMS
from fcbdsl.cli.output import without_commands

if TYPE_CHECKING:
    from fcbdsl.machine.vm.game import Game
    from fcbdsl.machine.vm.image import Image
    from fcbdsl.machine.vm.program import Program
    from fcbdsl.play.session.playout import Record

MOST_NAMED = 5
"""Most tests that are listed if a name is ambiguous."""


@click.command("play", epilog="Example: fcb play MISSION --bot sensible --players 3 --seed 7 --log game.log.json")
@click.argument("mission", required=False)
@common.program_option
@common.bot_option("Bot for every seat that no person plays.", name="bot_name")
@common.human_option("Seats played by people, such as 1,3.")
@common.player_number_option
@click.option("--seed", type=click.IntRange(0), help="Random seed; the same seed repeats the game. [default: random]")
@click.option(
    "--log", type=click.Path(dir_okay=False, path_type=Path), help="Write a game log to this file; for one game only."
)
@click.option(
    "--transcript",
    type=click.Path(dir_okay=False, allow_dash=True, path_type=Path),
    help="Write what happened to this file, or - for the terminal.",
)
@common.variant_option
@click.option(
    "--games",
    type=click.IntRange(1),
    default=1,
    help="Number of games that bots play; not with --log.",
)
@click.option(
    "--resume",
    type=common.READABLE,
    help="Continue the game of this log.",
)
@click.option("--table", "referee", is_flag=True, help="Referee a game on a real table: you roll, draw and set up.")
@click.option("--views", is_flag=True, help="Print what each seat sees as JSON lines, and read choices as JSON lines.")
@click.option(
    "--from",
    "moment",
    metavar="TEST[:STEP]",
    help="Begin in the position of a test, after STEP decisions or at its end.",
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
    referee: bool,
    views: bool,
    moment: str | None,
    language: str | None,
) -> None:
    """Play a mission yourself or with bots. For both together: `--human 1 --bot sensible`.

    `--log` writes a log; `fcb replay` plays it again, and `--resume` continues a game that you left. `--from`
    begins in the position of a test, named by its title or by a part that no other title has. fcb finishes the
    action of the test, and then plays the next round. `--views` is for programs; its messages are described on
    the page "Write a bot".
    """
    from fcbdsl.machine.vm.image import Image
    from fcbdsl.play.session.playout import Record

    if referee and (bot_name or humans is not None or games > 1 or transcript is not None or moment is not None):
        raise click.UsageError("--table is for one game in which people play all seats.")
    if views and (referee or moment is not None or games > 1 or transcript is not None):
        raise click.UsageError("JSON lines (--views) are for one game, without --table, --from and --transcript.")
    if moment is not None:
        others = [mission, resume, program_file, log, transcript, players, *settings]
        if any(other is not None for other in others) or games > 1:
            raise click.UsageError("The position of a test (--from) already contains the game, and has no log.")
        ctx.exit(_play_from(moment, humans, bot_name, seed, language))
    if (mission is None) == (resume is None):
        raise click.UsageError("Name a MISSION, or the log of a game to --resume.")
    if resume is not None and (players or seed is not None or settings or games > 1):
        raise click.UsageError("A resumed game keeps its players, seed and variants; leave out these options.")
    if games > 1 and (log is not None or transcript is not None or humans or not bot_name):
        raise click.UsageError("--games is for games of bots (--bot), without --log and --transcript.")
    if referee:
        _be_referee(mission, program_file, players, seed, log, settings, resume, language)
        return
    saved = common.record_of_log(resume) if resume is not None else None
    only_bots = bool(bot_name) and humans is None
    recorded = not only_bots or views or any(path is not None for path in (log, transcript, resume))
    named = saved.mission if saved is not None else mission or ""
    program, made_of = common.game_of(program_file, "mission", named, hashed=recorded)
    common.known_sides(program, bot_name)
    output_language = common.checked_language(language, common.program_languages(program))
    image = Image(program)
    if resume is not None and saved is not None:
        record, game = saved, common.replay_log(image, resume, saved)
        log = log or resume
        if record.outcome != "open":
            common.leave_with(f"{resume}: that game is over.")
    else:
        assert mission is not None
        mission = common.known_mission(program, mission)
        lot = secrets.randbelow(1 << 32) if seed is None else seed
        record = Record(program.hash, mission, players or program.players[0], lot, settings)
        game = common.start_record(image, record)
    persons = humans if humans is not None else () if bot_name else tuple(range(record.players))
    if persons and persons[-1] >= record.players:
        raise click.UsageError(f"There is no player {persons[-1] + 1} among {record.players}.")
    if views:
        from fcbdsl.cli.seat_views import exchange_views

        exchange_views(image, record, persons, bot_name or common.DEFAULT_BOT, output_language, log)
        return
    if persons:
        from fcbdsl.cli.read_aloud import CardReader
        from fcbdsl.cli.terminal_play import sit_down

        reader = CardReader(made_of.model, output_language) if made_of is not None else None
        sit_down(game, record, persons, bot_name or common.DEFAULT_BOT, log, output_language, reader=reader)
        if transcript is not None:
            _write_transcript(image, record, output_language, transcript)
        return
    if games > 1:
        ctx.exit(PROBLEMS if _play_games(image, record, bot_name or "random", games, output_language) else FINE)
    _play_to_its_end(game, record, bot_name or "random")
    if log is not None:
        write_atomically(log, record.to_json())
    if transcript is not None:
        _write_transcript(image, record, output_language, transcript)
    click.echo(common.ending_line(game, record, output_language))
    ctx.exit(PROBLEMS if record.outcome == "fault" else FINE)


def _be_referee(
    mission: str | None,
    program_file: Path | None,
    players: int | None,
    seed: int | None,
    log: Path | None,
    settings: dict[str, str],
    resume: Path | None,
    language: str | None,
) -> None:
    """Act as referee of a new game, or of an interrupted one."""
    from fcbdsl.cli.read_aloud import CardReader
    from fcbdsl.cli.referee import kept_at, preside
    from fcbdsl.machine.vm.image import Image
    from fcbdsl.play.session.playout import Record

    saved, entries = kept_at(resume) if resume is not None else (None, [])
    program, made_of = common.game_of(program_file, "mission", saved.mission if saved is not None else mission or "")
    if saved is not None and saved.program != program.hash:
        common.leave_with(f"The content has changed since {resume} was saved.")
    output_language = common.checked_language(language, common.program_languages(program))
    if saved is None:
        assert mission is not None
        mission = common.known_mission(program, mission)
        lot = secrets.randbelow(1 << 32) if seed is None else seed
        saved = Record(program.hash, mission, players or program.players[0], lot, settings)
    game = common.start_record(Image(program), saved)
    reader = CardReader(made_of.model, output_language) if made_of is not None else None
    preside(
        game,
        saved,
        log or resume or Path(f"{saved.mission}-{saved.seed}.table.json"),
        output_language,
        reader,
        entries,
    )


def _play_from(
    moment: str, humans: tuple[int, ...] | None, bot_name: str | None, seed: int | None, language: str | None
) -> int:
    """Continue from a position of a test; return the exit code."""
    from fcbdsl.cli.terminal_play import sit_down
    from fcbdsl.machine.vm.image import Image
    from fcbdsl.machine.vm.setup import CannotStart, go_on
    from fcbdsl.play.session.playout import Record
    from fcbdsl.play.testing.content_tests import position_in

    program, number, step = _test_named(moment)
    common.known_sides(program, bot_name)
    image, title = Image(program), program.tests[number].title
    game, taken, failure = position_in(image, number, step)
    if failure is not None:
        common.leave_with(f"{title!r} fails before that: expected {failure.expected}, seen {failure.seen}.")
    if step is not None and taken < step:
        common.leave_with(f"{title!r} has {common.count(taken, 'decision')}: there is no position after {step}.")
    if game.world.outcome:
        common.leave_with(f"{title!r} has ended at that point. Name an earlier step: {title}:STEP.")
    lot = secrets.randbelow(1 << 32) if seed is None else seed
    try:
        go_on(game, lot)
    except CannotStart as error:
        common.leave_with(f"{title!r} can't be continued: {error}.")
    output_language = common.checked_language(language, common.program_languages(program))
    record = Record(program.hash, title, game.world.players, lot)
    persons = humans if humans is not None else () if bot_name else tuple(range(record.players))
    if persons and persons[-1] >= record.players:
        raise click.UsageError(f"There is no player {persons[-1] + 1} among {record.players}.")
    if persons:
        sit_down(game, record, persons, bot_name or common.DEFAULT_BOT, None, output_language, keeping=False)
        return FINE
    _play_to_its_end(game, record, bot_name or "random")
    click.echo(common.ending_line(game, record, output_language))
    return PROBLEMS if record.outcome == "fault" else FINE


def _test_named(moment: str) -> tuple[Program, int, int | None]:
    """Return the program, the number of the test and the step that ``TEST[:STEP]`` names. Refuse none and several."""
    before, _, after = moment.rpartition(":")
    title, step = (before, int(after)) if before and after.isdecimal() else (moment, None)

    def like(text: str) -> bool:
        return title.lower() in text.lower()

    choices = [
        (program, number, test.title)
        for _, _, program in common.tested_programs([], False, lambda text, covers, file: like(text))
        if program is not None
        for number, test in enumerate(program.tests)
        if like(test.title)
    ]
    choices = [choice for choice in choices if choice[2] == title] or choices
    if len(choices) != 1:
        some = "; ".join(repr(choice[2]) for choice in choices[:MOST_NAMED])
        more = f", and {len(choices) - MOST_NAMED} more" if len(choices) > MOST_NAMED else ""
        raise click.UsageError(
            f"{title!r} is in the titles of {some}{more}." if choices else f"No test is called {title!r}."
        )
    return choices[0][0], choices[0][1], step


def _write_transcript(image: Image, record: Record, language: str, transcript: Path) -> None:
    """Write the story of a game without secrets."""
    from fcbdsl.cli import stories
    from fcbdsl.cli.replay_command import replay_story

    text = stories.story_text(replay_story(image, record, language))
    if str(transcript) == "-":
        click.echo(text, nl=False)
    else:
        write_atomically(transcript, without_commands(text).encode())


def _play_games(image: Image, first: Record, bot: str, games: int, language: str) -> int:
    """Let bots play; print the number of each outcome, and the source of each fault. Return the number of faults."""
    outcomes: dict[str, int] = {}
    for number in range(games):
        record = replace(first, seed=first.seed + number, decisions=[])
        game = common.start_record(image, record)
        _play_to_its_end(game, record, bot, f"game {number + 1} of {games}")
        ended = common.outcome_of(game, record, language)
        outcomes[ended] = outcomes.get(ended, 0) + 1
        if record.outcome == "fault":
            click.echo(common.ending_line(game, record, language))
    shares = ", ".join(f"{name} {outcomes[name]}" for name in sorted(outcomes))
    click.echo(f"{first.mission}: {common.count(games, 'game')} from seed {first.seed}: {shares}")
    return outcomes.get("fault", 0)


def _play_to_its_end(game: Game, record: Record, bot: str, which: str = "game") -> None:
    """Let bots play a game to its end. `which`: the name of the game in lines of progress."""
    from fcbdsl.play.bots.roster import make_bot
    from fcbdsl.play.session.playout import play_out

    def show(_: object) -> None:
        count = len(record.decisions)
        if count and count % SHOWN_EACH == 0:
            common.progress(f"{record.mission}: {which}, {common.count(count, 'decision')}")

    play_out(game, [make_bot(bot, record.seed + seat) for seat in range(record.players)], record, show)
    common.progress("")


SHOWN_EACH = 20
"""The number of decisions after which progress is shown again."""
