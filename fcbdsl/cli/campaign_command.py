"""``fcb campaign``: a campaign with a file, step by step."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from fcbdsl.base.files import write_atomically
from fcbdsl.cli import common
from fcbdsl.cli.groups import SuggestingGroup
from fcbdsl.cli.main import PROBLEMS

if TYPE_CHECKING:
    from fcbdsl.machine.vm.program import Program
    from fcbdsl.machine.vm.world import Ask
    from fcbdsl.play.campaign.logbook import Logbook
    from fcbdsl.play.campaign.store import Store
    from fcbdsl.play.session.view import View

F = TypeVar("F", bound=Callable[..., Any])

FILE = click.Path(dir_okay=False, path_type=Path)


def _file_and_program(command: F) -> F:
    """Add the FILE argument, --program and --lang."""
    language = common.language_option("Language of the names.")
    return click.argument("file", type=FILE)(common.program_option(language(command)))


@click.group("campaign", cls=SuggestingGroup, epilog="Example: fcb campaign start CAMPAIGN team.campaign --players 3")
def command() -> None:
    """Play a campaign that a file keeps. You can go back to every step.

    fcb saves each answer before it shows the result. If the content has changed, the campaign continues with the
    new content and fcb says so. fcb refuses content that lacks something the campaign keeps.
    """


@command.command("start", epilog="Example: fcb campaign start CAMPAIGN team.campaign --players 3 --seed 7")
@click.argument("campaign")
@_file_and_program
@common.player_number_option
@click.option("--seed", type=click.IntRange(0), help="Random seed; the same seed repeats the game. [default: random]")
@common.variant_option
def start(
    campaign: str,
    file: Path,
    program_file: Path | None,
    language: str | None,
    players: int | None,
    seed: int | None,
    settings: dict[str, str],
) -> None:
    """Start CAMPAIGN in a new file. FILE keeps every step."""
    import secrets

    from fcbdsl.machine.vm.image import Image
    from fcbdsl.machine.vm.setup import CannotStart
    from fcbdsl.play.campaign.journey import begin_campaign
    from fcbdsl.play.campaign.saved import journey_to_json
    from fcbdsl.play.campaign.store import create

    program = common.program_of(program_file, "campaign", campaign)
    output_language = common.checked_language(language, common.program_languages(program))
    image = Image(program)
    lot = secrets.randbelow(1 << 32) if seed is None else seed
    try:
        journey = begin_campaign(image, campaign, players or program.players[0], lot, settings)
    except CannotStart as error:
        raise click.UsageError(f"This campaign can't start: {error}.") from error
    try:
        create(file, [(-1, journey_to_json(journey), program.hash)])
    except sqlite3.Error as error:
        raise click.ClickException(f"{file}: {error}; fcb did not start the campaign.") from error
    with open_logbook(file, program) as log:
        _show(log, output_language)


@command.command("status", epilog="Example: fcb campaign status team.campaign --json")
@_file_and_program
@click.option("--json", "as_json", is_flag=True, help="Print data for tools.")
def status(file: Path, program_file: Path | None, language: str | None, as_json: bool) -> None:
    """Show the state of a campaign. It lists the open question and the points for `rewind`."""
    with open_logbook(file, program_file) as log:
        output_language = _language(log, language)
        if as_json:
            click.echo(json.dumps(_data(log, output_language), ensure_ascii=False, indent=2))
        else:
            _show(log, output_language)


@command.command("travel", epilog="Example: fcb campaign travel team.campaign PLACE")
@_file_and_program
@click.argument("place")
def travel(file: Path, program_file: Path | None, language: str | None, place: str) -> None:
    """Choose the next place. PLACE is an id or a title that the open question offers."""
    with open_logbook(file, program_file) as log:
        _answer(log, _language(log, language), place, things_only=True)


@command.command("choose", epilog="Example: fcb campaign choose team.campaign 2")
@_file_and_program
@click.argument("option")
def choose(file: Path, program_file: Path | None, language: str | None, option: str) -> None:
    """Answer the open question. OPTION is its number, its words, an id or a title."""
    with open_logbook(file, program_file) as log:
        _answer(log, _language(log, language), option, things_only=False)


@command.command("play", epilog="Example: fcb campaign play team.campaign --bot sensible")
@_file_and_program
@common.bot_option("Let bots play. [default: you play]", name="bot_name")
@click.pass_context
def play(ctx: click.Context, file: Path, program_file: Path | None, language: str | None, bot_name: str | None) -> None:
    """Play the next mission. Each decision is kept, so that you can leave and come back."""
    with open_logbook(file, program_file) as log:
        output_language = _language(log, language)
        if not log.journey.mission:
            raise click.UsageError("There is no mission to play now; `fcb campaign status` shows the open question.")
        game, record = log.embark()
        if bot_name:
            from fcbdsl.play.bots.roster import make_bot
            from fcbdsl.play.session.playout import play_out

            common.known_sides(game.program, bot_name)
            play_out(game, [make_bot(bot_name, record.seed + seat) for seat in range(record.players)], record)
        else:
            from fcbdsl.cli.terminal_play import play_on

            game = play_on(game, record, output_language, log.decide)
        view = _view(log, output_language)
        line = f"{_mission(log, view)}: {view.outcome(game)}"
        if record.outcome == "open":
            click.echo(line)
            return
        log.arrive(game, record, line)  # an outcome is shown once it is saved
        click.echo(line)
        _show(log, output_language)
        if record.outcome == "fault":
            ctx.exit(PROBLEMS)


@command.command("rewind", epilog="Example: fcb campaign rewind team.campaign 3")
@_file_and_program
@click.argument("point", type=click.IntRange(1))
def rewind(file: Path, program_file: Path | None, language: str | None, point: int) -> None:
    """Go back to an earlier point. POINT is a number that `status` shows. Later points stay in the file."""
    from fcbdsl.play.campaign.store import Store

    with _explained(file), Store(file) as store:
        try:
            store.rewind(point)
        except KeyError:
            raise click.UsageError(f"There is no point {point}; there are {len(store.points())}.") from None
    with open_logbook(file, program_file) as log:
        _show(log, _language(log, language))


@command.command("export", epilog="Example: fcb campaign export team.campaign -o team.json")
@click.argument("file", type=FILE)
@click.option("-o", "--output", type=FILE, help="Write to this file. [default: standard output]")
def export(file: Path, output: Path | None) -> None:
    """Write a campaign as JSON. It holds every point and the names of everything kept there."""
    from fcbdsl.play.campaign.store import Store, export_store

    with _explained(file), Store(file) as store:
        data = json.dumps(export_store(store), ensure_ascii=False, indent=2, sort_keys=True) + "\n"
    if output is None:
        click.echo(data, nl=False)
    else:
        write_atomically(output, data.encode())


@command.command("graph", epilog="Example: fcb campaign graph CAMPAIGN -o campaign.svg --lang fr")
@click.argument("campaign")
@click.option("-o", "--output", required=True, type=FILE, help="The SVG file to write.")
@common.language_option("Language of the names.")
@common.shipped_option
def graph(campaign: str, output: Path, language: str | None) -> None:
    """Draw the map of a campaign. It shows which place leads to which, and what each brings."""
    from fcbdsl.machine.vm.image import Image
    from fcbdsl.machine.vm.setup import CannotStart
    from fcbdsl.play.campaign.chart import chart
    from fcbdsl.play.campaign.exploration import explore
    from fcbdsl.play.campaign.graph import campaign_graph as graph_of
    from fcbdsl.print.pieces.chips import colour_of, grade_of

    (analysis,) = common.sound([common.having(common.load_scope(tests=False), "campaign", campaign)])
    model, program = analysis.model, common.compile_game(analysis)
    output_language = common.checked_language(language, common.program_languages(program))
    image = Image(program)
    try:
        explored = explore(image, campaign)
    except CannotStart as error:
        raise click.UsageError(f"This campaign can't be drawn: {error}.") from error
    missions = [row for (kind, _), row in model.definitions.items() if kind == "mission"]
    colours = {mission.id: colour_of(mission, model) for mission in missions}
    grades = {
        mission.id: grade.value
        for mission in missions
        if (grade := grade_of(mission, model, output_language)) is not None
    }
    write_atomically(output, chart(image, graph_of(image, explored), output_language, colours, grades).encode())
    click.echo(output)


# ── details ────────────────────────────────────────────────────────────────────────────────────


@contextmanager
def _explained(file: Path) -> Iterator[None]:
    """Turn errors with a campaign's file into messages."""
    from fcbdsl.play.campaign.store import BadStore

    try:
        yield
    except BadStore as error:
        common.leave_with(f"{file}: {error}.")
    except sqlite3.Error as error:
        raise click.ClickException(f"{file}: {error}; the campaign is unchanged.") from error


def campaign_in(file: Path) -> str:
    """Return the id of the campaign in a file. Leave with a message if it is not a campaign file."""
    from fcbdsl.play.campaign.store import Store

    with _explained(file), Store(file) as store:
        return _campaign_of(store)


def _campaign_of(store: Store) -> str:
    state = store.point().state
    return str(state.get("campaign", "")) if isinstance(state, dict) else ""


@contextmanager
def open_logbook(file: Path, given: Path | Program | None) -> Iterator[Logbook]:
    """Open the campaign in a file with a program, its file, or the project's game that has the campaign.

    Leave with a message if that is impossible.
    """
    from fcbdsl.machine.vm.image import Image
    from fcbdsl.play.campaign.logbook import Changed, HalfDone, Logbook
    from fcbdsl.play.campaign.store import Store

    with _explained(file), Store(file) as store:
        campaign = _campaign_of(store)
        image = Image(
            common.program_of(given, "campaign", campaign) if given is None or isinstance(given, Path) else given
        )
        try:
            log = Logbook(image, store)
        except Changed as error:
            lost = "".join(f"\n  {name}" for name in error.lost)
            common.leave_with(
                f"{file}: refused: the content has changed, and this campaign refers to things that are gone:{lost}\n"
                "Use the old content, or give these things their old names again."
            )
        except HalfDone:
            common.leave_with(
                f"{file}: refused: the content has changed in the middle of a step, so its answers no longer fit.\n"
                f"Start the step again: fcb campaign rewind {file} {store.point().number}"
            )
        if log.migrated:
            click.echo("The content has changed. It still contains everything that this campaign refers to.", err=True)
        yield log


def _language(log: Logbook, wanted: str | None) -> str:
    return common.checked_language(wanted, common.program_languages(log.image.program))


def _answer(log: Logbook, language: str, answer: str, things_only: bool) -> None:
    """Take the option with that number, title or id."""
    journey = log.journey
    if journey.mission:
        raise click.UsageError("Play the next mission first: `fcb campaign play`.")
    if journey.ask is None:
        raise click.UsageError("This campaign is over; `fcb campaign rewind` goes back.")
    view = _view(log, language)
    index = _option_index(log, view, journey.ask, answer, things_only)
    log.choose(index, view.options(journey.game, journey.ask)[index])
    _show(log, language)


def _option_index(log: Logbook, view: View, ask: Ask, answer: str, things_only: bool) -> int:
    """Return the index of the option that is meant. Raise UsageError if there is not exactly one."""
    options = view.options(log.journey.game, ask)
    if not things_only:
        if answer.isdecimal() and 1 <= int(answer) <= len(options):
            return int(answer) - 1
        exact = [n for n, option in enumerate(options) if option.casefold() == answer.casefold()]
        if exact:
            return exact[0]
    meant = [n for n, option in enumerate(ask.options) if answer.casefold() in _called(log, view, option)]
    if len(meant) == 1:
        return meant[0]
    listed = "".join(f"\n  {number:>3}  {option}" for number, option in enumerate(options, 1))
    mistake = f"{answer!r} fits several options" if meant else f"Now there is no option {answer!r}"
    raise click.UsageError(f"{mistake}. There are:{listed}")


def _called(log: Logbook, view: View, option: tuple[int, ...]) -> set[str]:
    """Return the ids and titles, in small letters, of what an option names: a thing, a definition, an action's
    subject."""
    from fcbdsl.machine.vm.world import ACTION, TAGS

    if option[0] == ACTION:
        thing = option[3]
    elif TAGS[option[0]] == "thing":
        thing = option[1]
    else:
        thing = -1
    definition = log.image.layout.definition_of[thing] if thing >= 0 else -1
    if TAGS[option[0]] == "definition":
        definition = option[1]
    if definition < 0:
        return set()
    return {log.image.program.definitions[definition].id, view.names.definition(definition).casefold()}


def _view(log: Logbook, language: str) -> View:
    from fcbdsl.play.session.view import View

    return View(log.image, language, range(log.journey.players))


def _show(log: Logbook, language: str) -> None:
    """Print the state of the campaign: its kept data, its points, and the question."""
    view, journey = _view(log, language), log.journey
    for part in (view.kept(journey.game), _points(log)):
        click.echo("\n".join([*part, ""]) if part else "", nl=bool(part))
    if journey.mission:
        click.echo(view.names.say("due", _mission(log, view)))
    elif journey.ask is None:
        click.echo(view.outcome(journey.game) if journey.game.world.outcome else view.names.say(journey.outcome))
    else:
        click.echo(view.question(journey.game, journey.ask))
        for number, option in enumerate(view.options(journey.game, journey.ask), 1):
            click.echo(f"{number:>4}  {option}")


def _points(log: Logbook) -> list[str]:
    """Return the points of the file as lines; a star marks the start of the step under way."""
    out = []
    for point in log.store.points():
        star = "*" if point.number == log.point.number else " "
        after = f"after {point.parent}" if point.parent else "start"
        out.append(f"{star}{point.number:>4}  {after}: {'; '.join(point.said)}".rstrip(": "))
    return out


def _mission(log: Logbook, view: View) -> str:
    """Return the title of the mission to play."""
    rows = enumerate(log.image.program.definitions)
    return next(view.names.definition(number) for number, row in rows if row.id == log.journey.mission)


def _data(log: Logbook, language: str) -> dict[str, Any]:
    """Return the data of `status` for tools."""
    journey, view = log.journey, _view(log, language)
    ask = None if journey.mission else journey.ask
    return {
        "campaign": journey.campaign,
        "players": journey.players,
        "seed": journey.seed,
        "point": log.point.number,
        "outcome": journey.outcome,
        "mission": journey.mission or None,
        "question": view.question(journey.game, ask) if ask else None,
        "options": view.options(journey.game, ask) if ask else [],
        "points": [{"number": p.number, "after": p.parent or None, "said": list(p.said)} for p in log.store.points()],
        "kept": log.point.state,
    }
