"""``fcb table``."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import replace
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


@dataclass(frozen=True, slots=True)
class _Request:
    """The options that choose a game. `resume`: its log, instead of a new game of `mission`."""

    mission: str
    resume: Path | None
    players: int | None
    seed: int | None
    settings: dict[str, str]
    log: Path | None
    program_file: Path | None
    persons: tuple[int, ...]
    bot: str

    def program_of(self, mission: str) -> tuple[Image, Model | None]:
        """Return the program that plays a mission, and the model of its sources if fcb compiled them now."""
        from fcbdsl.machine.vm.image import Image

        program, made_of = common.game_of(self.program_file, "mission", mission)
        common.known_sides(program, self.bot)
        return Image(program), made_of.model if made_of is not None else None

    def new_record(self, image: Image) -> Record:
        """Return the record of a new game, which can start."""
        from fcbdsl.play.session.playout import Record

        named = common.known_mission(image.program, self.mission)
        lot = secrets.randbelow(1 << 32) if self.seed is None else self.seed
        record = Record(image.program.hash, named, self.players or image.program.players[0], lot, self.settings)
        common.start_record(image, record)
        return record

    def place_of(self, record: Record, ending: str = ".log.json") -> Path:
        """Return the file of the log, after refusing a link there and persons that the game has no seat for."""
        _check_persons(self.persons, record.players)
        place = self.log or Path(f"{record.mission}-{record.seed}{ending}")
        output_path(place)
        return place

    def looks(self, image: Image, model: Model | None, mission: str) -> Callable[[str], Looks | None]:
        """Return a function that returns the looks of a mission in a language."""
        if self.program_file is not None:
            return looks_beside(self.program_file, image.program, mission)
        return looks_of(model, mission)


@click.command("table", epilog="Example: fcb table MISSION --players 3 --human 1,2 --open")
@click.argument("mission", required=False)
@common.program_option
@common.bot_option("Bot for every seat that no person plays.", default=common.DEFAULT_BOT, name="bot_name")
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
    from fcbdsl.editor.table.action_requirements import reasons_of

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
        else:
            request = _Request(mission or "", resume, players, seed, settings, log, program_file, persons, bot_name)
            hosted = _story(request) if is_story else _game(request)
        program, table = hosted.program, hosted.table
        available = common.program_languages(program)
        first = common.checked_language(language, available)
        groups = [*((seat,) for seat in persons), ()] if apart or lan else [persons]
        links = {secrets.token_urlsafe(24): seats for seats in groups}
        languages = (first, *(code for code in available if code != first))
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


def _resumed(request: _Request) -> tuple[Image, Model | None, Record | None]:
    """Return the program with its model, and the record of the log to continue, which is replayed; None: a new game."""
    if request.resume is None:
        return (*request.program_of(request.mission), None)
    record = common.record_of_log(request.resume)
    image, model = request.program_of(record.mission)
    common.replay_log(image, request.resume, record)
    return image, model, record


def _game(request: _Request) -> _Hosted:
    """Begin a game, or continue that of a log."""
    from fcbdsl.cli.seat_views import table_of

    image, model, record = _resumed(request)
    if record is None:
        record = request.new_record(image)
    place = replace(request, log=request.log or request.resume).place_of(record)
    table = table_of(image, record, request.persons, request.bot)

    def save() -> None:
        _save(place, table.record)

    return _Hosted(table, image.program, model, request.looks(image, model, record.mission), save, place)


def _story(request: _Request) -> _Hosted:
    """Show the game of a log, or one that bots play to its end."""
    from fcbdsl.play.bots.roster import bots_beside_persons
    from fcbdsl.play.simulation.games import Matchup, record_playout
    from fcbdsl.play.table.story_table import StoryTable

    image, model, record = _resumed(request)
    if record is None:
        begun = request.new_record(image)
        matchup = Matchup(begun.mission, begun.players, tuple(sorted(request.settings.items())), request.bot)
        record = record_playout(image, matchup, begun.seed)
    place = request.place_of(record, "-story.log.json")

    def bots(of: Record) -> dict[int, Bot]:
        return bots_beside_persons(request.bot, of.players, request.persons, of.seed)

    story = StoryTable(image, record, bots)

    def save() -> None:
        _save(place, story.table.record)

    looks = request.looks(image, model, record.mission)
    return _Hosted(story.table, image.program, model, looks, save, place, story=story)


def _save(place: Path, record: Record) -> None:
    """Write the log of a game. Report it if that fails, and raise OSError."""
    try:
        write_atomically(place, record.to_json())
    except OSError as error:
        click.echo(f"The game is not saved: {error.strerror}: {str(place)!r}.", err=True)
        raise


def _campaign(
    stack: ExitStack, file: Path, program_file: Path | None, language: str | None, persons: tuple[int, ...], bot: str
) -> _Hosted:
    """Return the table of a campaign. Its file is open until the `stack` closes it."""
    from fcbdsl.cli.campaign_command import campaign_in, open_logbook
    from fcbdsl.play.bots.roster import bots_beside_persons
    from fcbdsl.play.table.campaign_table import CampaignTable

    program, made_of = common.game_of(program_file, "campaign", campaign_in(file))
    common.known_sides(program, bot)
    log = stack.enter_context(open_logbook(file, program))
    _check_persons(persons, log.journey.players)

    def bots(record: Record) -> dict[int, Bot]:
        return bots_beside_persons(bot, record.players, persons, record.seed)

    said_in = common.checked_language(language, common.program_languages(program))
    campaign = CampaignTable(log, said_in, bots)

    def save() -> None:
        try:
            campaign.save()
        except OSError as error:
            click.echo(f"The campaign is not saved: {error}.", err=True)
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
