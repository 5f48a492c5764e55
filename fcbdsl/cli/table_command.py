"""``fcb table``."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fcbdsl.base.files import output_path, write_atomically
from fcbdsl.base.records import dataclass
from fcbdsl.cli import common
from fcbdsl.cli.lan import address_of, print_links
from fcbdsl.cli.serve_command import LOOPBACK, NEEDED, bind_socket, serve_at
from fcbdsl.cli.table_looks import looks_beside, looks_of, looks_of_campaign

if TYPE_CHECKING:
    from fcbdsl.editor.table.table_server import Looks
    from fcbdsl.language.model.whole import Model
    from fcbdsl.machine.vm.image import Image
    from fcbdsl.machine.vm.program import Program
    from fcbdsl.play.bots.bots import Bot
    from fcbdsl.play.session.playout import Record
    from fcbdsl.play.table.campaign_table import CampaignTable
    from fcbdsl.play.table.story_table import StoryTable
    from fcbdsl.play.table.table import GameTable


@dataclass(frozen=True, slots=True)
class _Hosted:
    """What a table serves. `place`: the log of a game that is no part of a campaign."""

    table: GameTable
    program: Program
    model: Model | None
    looks: Callable[[str], Looks | None]
    save: Callable[[], None]
    place: Path | None = None
    campaign: CampaignTable | None = None
    story: StoryTable | None = None


@click.command("table", epilog="Example: fcb table MISSION --players 3 --human 1,2 --open")
@click.argument("mission", required=False)
@common.program_option
@common.bot_option("Bot for every seat that no person plays.", default="sensible", name="bot_name")
@common.human_option("Seats played by people. [default: 1]")
@common.player_number_option
@click.option("--seed", type=click.IntRange(0), help="Random seed; the same seed repeats the game. [default: random]")
@common.variant_option
@click.option(
    "--log",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Save the game here after each decision. [default: MISSION-SEED.log.json]",
)
@click.option("--resume", type=common.READABLE, help="Continue the game of this log.")
@click.option(
    "--story",
    "is_story",
    is_flag=True,
    help="Show a finished game step by step: that of --resume, or else one that bots play. Play on from any step.",
)
@click.option(
    "--campaign", "campaign_file", type=common.READABLE, help="Play the campaign of this file, mission by mission."
)
@click.option("--seats", "apart", is_flag=True, help="Print a link for each person and one for spectators.")
@click.option(
    "--lan",
    metavar="[ADDRESS]",
    is_flag=False,
    flag_value="",
    callback=address_of,
    help="Let devices of your network play, at this address of your machine. [default: the one it uses]",
)
@click.option("--port", type=click.IntRange(1, 65535), help="Port of the table. [default: the first free one]")
@click.option("--open", "opened", is_flag=True, help="Open the table in the browser.")
@common.language_option("Language of the table; each browser can change it.")
def command(
    mission: str | None,
    program_file: Path | None,
    bot_name: str,
    humans: tuple[int, ...] | None,
    players: int | None,
    seed: int | None,
    settings: dict[str, str],
    log: Path | None,
    resume: Path | None,
    is_story: bool,
    campaign_file: Path | None,
    apart: bool,
    lan: str | None,
    port: int | None,
    opened: bool,
    language: str | None,
) -> None:
    """Play a mission in the browser.

    You see its board. You play alone, with bots, or with people at one screen. Stop with Ctrl-C.

    fcb saves the game after each decision; `--resume` continues it, and `fcb replay` shows it. It answers only your
    machine (127.0.0.1), and only browsers that have opened the printed link.

    `--lan` prints a link and a QR code for each person and one for spectators, for other devices in your network.

    `--story` shows a game that is over, such as a lost one of `fcb simulate`: give its `--seed`, `--players` and
    `--bot`.

    `--campaign` plays a campaign that `fcb campaign start` has begun. The file keeps each decision.
    """
    try:
        from fcbdsl.editor.table.table_server import TableHost, make_table_app
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] not in NEEDED:
            raise
        from fcbdsl.base.origin import install_advice

        raise click.UsageError(f"The table needs Starlette and uvicorn. {install_advice('live')}") from missing
    from fcbdsl.editor.table.reasons import reasons_of

    alone = {"MISSION": mission, "--resume": resume, "--log": log, "--players": players, "--seed": seed}
    given = [name for name, value in alone.items() if value is not None] + (["--variant"] if settings else [])
    given += ["--story"] if is_story else []
    if campaign_file is not None and given:
        raise click.UsageError(f"Leave out {given[0]}: the file of --campaign already contains it.")
    if campaign_file is None and (mission is None) == (resume is None):
        raise click.UsageError("Name a MISSION, the log of a game to --resume, or the file of a --campaign.")
    if resume is not None and (players or seed is not None or settings):
        raise click.UsageError("A resumed game keeps its players, seed and variants; leave out these options.")
    persons = humans if humans is not None else (0,)
    with ExitStack() as stack:
        listening = stack.enter_context(bind_socket(port, lan or LOOPBACK))
        if campaign_file is not None:
            hosted = _campaign(stack, campaign_file, program_file, language, persons, bot_name)
        elif is_story:
            hosted = _story(mission, resume, players, seed, settings, log, program_file, persons, bot_name)
        elif resume is not None:
            hosted = _resumed(resume, log, program_file, persons, bot_name)
        else:
            hosted = _begun(mission or "", players, seed, settings, log, program_file, persons, bot_name)
        program, table = hosted.program, hosted.table
        known = common.program_languages(program)
        first = common.checked_language(language, known)
        groups = [*((seat,) for seat in persons), ()] if apart or lan else [persons]
        links = {secrets.token_urlsafe(24): seats for seats in groups}
        languages = (first, *(one for one in known if one != first))
        desk = TableHost(
            table,
            links,
            hosted.looks,
            languages,
            hosted.save,
            reasons=partial(reasons_of, hosted.model, languages) if hosted.model is not None else None,
            campaign=hosted.campaign,
            story=hosted.story,
        )
        number: int = listening.getsockname()[1]
        names = [lan] if lan else [LOOPBACK, "localhost"]
        print_links([(f"http://{names[0]}:{number}/#{token}", seats) for token, seats in links.items()], lan)
        if opened:
            click.launch(f"http://{names[0]}:{number}/#{next(iter(links))}")
        with suppress(KeyboardInterrupt):
            serve_at(make_table_app(desk, [f"{name}:{number}" for name in names], number), listening)
        record = desk.table.record
        if hosted.place is None or desk.table.is_story:
            return
        if desk.unsaved is not None:
            write_atomically(hosted.place, record.to_json())
        if record.decisions:
            click.echo(f"{hosted.place}: {common.count(len(record.decisions), 'decision')}", err=True)


def _begun(
    mission: str,
    players: int | None,
    seed: int | None,
    settings: dict[str, str],
    log: Path | None,
    program_file: Path | None,
    persons: tuple[int, ...],
    bot: str,
) -> _Hosted:
    """Begin a game."""
    from fcbdsl.machine.vm.image import Image
    from fcbdsl.play.session.playout import Record

    program, made_of = common.game_of(program_file, "mission", mission)
    common.known_sides(program, bot)
    lot = secrets.randbelow(1 << 32) if seed is None else seed
    record = Record(program.hash, common.known_mission(program, mission), players or program.players[0], lot, settings)
    image = Image(program)
    common.start_record(image, record)
    return _game(image, record, log, program_file, made_of.model if made_of is not None else None, persons, bot)


def _story(
    mission: str | None,
    resume: Path | None,
    players: int | None,
    seed: int | None,
    settings: dict[str, str],
    log: Path | None,
    program_file: Path | None,
    persons: tuple[int, ...],
    bot: str,
) -> _Hosted:
    """Show the game of a log, or one that bots play to its end."""
    from fcbdsl.machine.vm.image import Image
    from fcbdsl.play.bots.roster import make_bot
    from fcbdsl.play.session.playout import Record
    from fcbdsl.play.simulation.games import Matchup, record_playout
    from fcbdsl.play.table.story_table import StoryTable

    read = common.record_of_log(resume) if resume is not None else None
    program, made_of = common.game_of(program_file, "mission", read.mission if read is not None else mission or "")
    common.known_sides(program, bot)
    image = Image(program)
    if read is not None and resume is not None:
        common.replay_log(image, resume, read)
        record = read
    else:
        named, number = common.known_mission(program, mission or ""), players or program.players[0]
        lot = secrets.randbelow(1 << 32) if seed is None else seed
        common.start_record(image, Record(program.hash, named, number, lot, settings))
        record = record_playout(image, Matchup(named, number, tuple(sorted(settings.items())), bot), lot)
    _check_persons(persons, record.players)
    place = log or Path(f"{record.mission}-{record.seed}-story.log.json")
    output_path(place)

    def bots(of: Record) -> dict[int, Bot]:
        return {seat: make_bot(bot, of.seed + seat) for seat in range(of.players) if seat not in persons}

    story = StoryTable(image, record, bots)

    def save() -> None:
        _save(place, story.table.record)

    model = made_of.model if made_of is not None else None
    looks = (
        looks_beside(program_file, program, record.mission)
        if program_file is not None
        else looks_of(model, record.mission)
    )
    return _Hosted(story.table, program, model, looks, save, place, story=story)


def _resumed(resume: Path, log: Path | None, program_file: Path | None, persons: tuple[int, ...], bot: str) -> _Hosted:
    """Continue the game of a log."""
    from fcbdsl.machine.vm.image import Image

    record = common.record_of_log(resume)
    program, made_of = common.game_of(program_file, "mission", record.mission)
    common.known_sides(program, bot)
    image = Image(program)
    common.replay_log(image, resume, record)
    return _game(
        image, record, log or resume, program_file, made_of.model if made_of is not None else None, persons, bot
    )


def _game(
    image: Image,
    record: Record,
    log: Path | None,
    program_file: Path | None,
    model: Model | None,
    persons: tuple[int, ...],
    bot: str,
) -> _Hosted:
    """Return the table of a record, which saves its log."""
    from fcbdsl.cli.seat_views import table_of

    _check_persons(persons, record.players)
    place = log or Path(f"{record.mission}-{record.seed}.log.json")
    output_path(place)  # refuses a link before the game begins
    table = table_of(image, record, persons, bot)

    def save() -> None:
        _save(place, table.record)

    looks = (
        looks_beside(program_file, image.program, record.mission)
        if program_file is not None
        else looks_of(model, record.mission)
    )
    return _Hosted(table, image.program, model, looks, save, place)


def _save(place: Path, record: Record) -> None:
    """Write the log of a game. Report it if that fails, and raise OSError."""
    try:
        write_atomically(place, record.to_json())
    except OSError as trouble:
        click.echo(f"The game is not saved: {trouble.strerror}: {str(place)!r}.", err=True)
        raise


def _campaign(
    stack: ExitStack, file: Path, program_file: Path | None, language: str | None, persons: tuple[int, ...], bot: str
) -> _Hosted:
    """Return the table of a campaign. Its file is open until the `stack` closes it."""
    from fcbdsl.cli.campaign_command import campaign_in, open_logbook
    from fcbdsl.play.bots.roster import make_bot
    from fcbdsl.play.table.campaign_table import CampaignTable

    program, made_of = common.game_of(program_file, "campaign", campaign_in(file))
    common.known_sides(program, bot)
    log = stack.enter_context(open_logbook(file, program))
    _check_persons(persons, log.journey.players)

    def bots(record: Record) -> dict[int, Bot]:
        return {seat: make_bot(bot, record.seed + seat) for seat in range(record.players) if seat not in persons}

    said_in = common.checked_language(language, common.program_languages(program))
    campaign = CampaignTable(log, said_in, bots)

    def save() -> None:
        try:
            campaign.save()
        except OSError as trouble:
            click.echo(f"The campaign is not saved: {trouble}.", err=True)
            raise

    def present() -> str:
        return campaign.table.record.mission

    model = made_of.model if made_of is not None else None
    looks: Callable[[str], Looks | None] = looks_of_campaign(model, present)
    if program_file is not None:
        looks = partial(_looks_of_program, program_file, program, present)
    return _Hosted(campaign.table, program, model, looks, save, campaign=campaign)


def _looks_of_program(file: Path, program: Program, mission: Callable[[], str], language: str) -> Looks | None:
    return looks_beside(file, program, mission())(language)


def _check_persons(persons: tuple[int, ...], players: int) -> None:
    if persons and persons[-1] >= players:
        raise click.UsageError(f"There is no player {persons[-1] + 1} among {players}.")
