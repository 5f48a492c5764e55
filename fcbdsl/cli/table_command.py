"""``fcb table``."""

from __future__ import annotations

import secrets
from contextlib import suppress
from functools import partial
from pathlib import Path

import click

from fcbdsl.base.files import output_path, write_atomically
from fcbdsl.cli import common
from fcbdsl.cli.lan import address_of, print_links
from fcbdsl.cli.serve_command import LOOPBACK, NEEDED, bind_socket, serve_at
from fcbdsl.cli.table_looks import looks_beside, looks_of


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
    """
    try:
        from fcbdsl.editor.table.table_server import TableHost, make_table_app
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] not in NEEDED:
            raise
        from fcbdsl.base.origin import install_advice

        raise click.UsageError(f"The table needs Starlette and uvicorn. {install_advice('live')}") from missing
    from fcbdsl.cli.seat_views import table_of
    from fcbdsl.editor.table.reasons import reasons_of
    from fcbdsl.machine.vm.image import Image
    from fcbdsl.play.session.playout import Record

    if (mission is None) == (resume is None):
        raise click.UsageError("Name a MISSION, or the log of a game to --resume.")
    if resume is not None and (players or seed is not None or settings):
        raise click.UsageError("A resumed game keeps its players, seed and variants; leave out these options.")
    with bind_socket(port, lan or LOOPBACK) as listening:
        kept = common.record_of_log(resume) if resume is not None else None
        program, made_of = common.game_of(program_file, "mission", kept.mission if kept is not None else mission or "")
        common.known_sides(program, bot_name)
        image = Image(program)
        if kept is not None and resume is not None:
            common.replay_log(image, resume, kept)
            record, log = kept, log or resume
        else:
            mission = common.known_mission(program, mission or "")
            lot = secrets.randbelow(1 << 32) if seed is None else seed
            record = Record(program.hash, mission, players or program.players[0], lot, settings)
            common.start_record(image, record)
        persons = humans if humans is not None else (0,)
        if persons and persons[-1] >= record.players:
            raise click.UsageError(f"There is no player {persons[-1] + 1} among {record.players}.")
        place = log or Path(f"{record.mission}-{record.seed}.log.json")
        output_path(place)  # refuses a link before the game begins
        table = table_of(image, record, persons, bot_name)

        def save() -> None:
            try:
                write_atomically(place, table.record.to_json())
            except OSError as trouble:
                click.echo(f"The game is not saved: {trouble.strerror}: {str(place)!r}.", err=True)
                raise

        known = common.program_languages(program)
        first = common.checked_language(language, known)
        groups = [*((seat,) for seat in persons), ()] if apart or lan else [persons]
        links = {secrets.token_urlsafe(24): seats for seats in groups}
        languages = (first, *(one for one in known if one != first))
        desk = TableHost(
            table,
            links,
            looks_beside(program_file, program, record.mission)
            if program_file is not None
            else looks_of(made_of.model if made_of is not None else None, record.mission),
            languages,
            save,
            reasons=partial(reasons_of, made_of.model, languages) if made_of is not None else None,
        )
        number: int = listening.getsockname()[1]
        names = [lan] if lan else [LOOPBACK, "localhost"]
        print_links([(f"http://{names[0]}:{number}/#{token}", seats) for token, seats in links.items()], lan)
        if opened:
            click.launch(f"http://{names[0]}:{number}/#{next(iter(links))}")
        with suppress(KeyboardInterrupt):
            serve_at(make_table_app(desk, [f"{name}:{number}" for name in names], number), listening)
        if desk.unsaved is not None:
            write_atomically(place, table.record.to_json())
        if table.record.decisions:
            click.echo(f"{place}: {common.count(len(table.record.decisions), 'decision')}", err=True)
