"""``fcb simulate``."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import click

from fcbdsl.base.files import source_path, write_atomically
from fcbdsl.cli import common
from fcbdsl.cli.main import FINE, PROBLEMS
from fcbdsl.cli.output import without_commands

if TYPE_CHECKING:
    from fcbdsl.machine.vm.program import Program
    from fcbdsl.play.simulation.ablation import WorthRace
    from fcbdsl.play.simulation.cell_statistics import Summary, Tally
    from fcbdsl.play.simulation.games import Matchup, Players, Playout, Wanted
    from fcbdsl.play.simulation.gates import Band
    from fcbdsl.play.simulation.telling import GameStory


def _share(ctx: click.Context, param: click.Parameter, value: str | None) -> float:
    """Read ``3%``."""
    if value is None:
        return 0.0
    digits = value.removesuffix("%").strip()
    if not digits.isdecimal() or not 0 < int(digits) < 50:
        raise click.BadParameter(f"{value!r} is not a share of 1 to 49 per cent, like 3%.", ctx, param)
    return int(digits) / 100


@click.command(
    "simulate",
    epilog="Example: fcb simulate MISSION --players 2,3 --games 200 --within 5% --format html -o report.html",
)
@click.argument("missions", nargs=-1)
@common.program_option
@common.players_option
@common.games_option("Most games for each mission and number of players.", 100)
@click.option("--within", callback=_share, metavar="P%", help="Stop when the win rate is known to within this margin.")
@common.first_seed_option
@common.bot_option("Bot that decides.", common.DEFAULT_BOT)
@common.side_option()
@common.variant_option
@common.jobs_option
@click.option(
    "--dask-tls",
    "tls",
    nargs=3,
    type=common.READABLE,
    metavar="CA CERT KEY",
    help="Encrypt the connection to the Dask cluster with these PEM files.",
)
@click.option(
    "--dask-timeout",
    "silence",
    type=click.IntRange(1),
    default=600,
    show_default=True,
    metavar="SECONDS",
    help="Stop if workers of the Dask cluster finish no game for this long.",
)
@click.option("--dask", metavar="ADDRESS", help="Play on the Dask cluster with this scheduler.")
@click.option(
    "--keep",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Keep finished games in this file, and reuse those already in it.",
)
@click.option(
    "--worth",
    type=click.IntRange(1),
    metavar="N",
    help="Also measure the worth of each action and card, with N games each.",
)
@click.option("--gate", is_flag=True, help="Exit with 1 if a win rate is outside its target in [wins] of fcb.toml.")
@click.option("--format", "form", type=click.Choice(["text", "json", "html"]), default="text", show_default=True)
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="Write the report to this file.")
@common.language_option("Language of names, and of a page.")
@click.pass_context
def command(
    ctx: click.Context,
    missions: tuple[str, ...],
    program_file: Path | None,
    players: tuple[int, ...],
    games: int,
    within: float,
    seed: int,
    bot: str,
    side: str | None,
    settings: dict[str, str],
    jobs: int | None,
    dask: str | None,
    silence: int,
    tls: tuple[Path, Path, Path] | None,
    keep: Path | None,
    worth: int | None,
    gate: bool,
    form: str,
    output: Path | None,
    language: str | None,
) -> None:
    """Measure win rates with bots. The report also shows game length, causes of defeat, and which actions, cards
    and places the bots used. MISSIONS: default, all.

    A setup is a mission with a number of players. Game n of a setup has seed n, so that the report does not depend
    on the number of `--jobs` or on a cluster. Ctrl-C ends the run with a report of the finished games; with
    `--keep` the next run continues there. `--worth N` plays the first N games of each setup again without one
    action or card at a time, which takes about ten times as many games. A bot plays differently from people:
    compare setups and versions with each other.
    """
    from fcbdsl.play.simulation.ablation_bot import unable
    from fcbdsl.play.simulation.cell_statistics import cell_summary
    from fcbdsl.play.simulation.games import Matchup, Wanted
    from fcbdsl.tools.reports.simulation_text import simulation_report

    if tls is not None and not (dask or "").startswith("tls://"):
        raise click.UsageError("--dask-tls needs the address of a scheduler with TLS: --dask tls://HOST:PORT.")
    if dask is not None and jobs is not None:
        raise click.UsageError("Either --jobs of this machine play, or a cluster with --dask.")
    if worth and (unfit := unable(bot)):
        raise click.UsageError(f"--worth: {unfit}")
    program = common.program_of(program_file, "mission", missions[0] if missions else "")
    missions = tuple(common.known_mission(program, mission) for mission in missions)
    common.known_sides(program, bot)
    spoken = common.checked_language(language, common.program_languages(program))
    low, high = program.players
    refused = [number for number in players if not low <= number <= high]
    if refused:
        raise click.UsageError(f"{low} to {high} can play, not {refused[0]}.")
    bands = _bands(program, program_file, missions) if gate else {}
    named = missions or tuple(bands) or tuple(row.id for row in common.missions_of(program))
    switches = tuple(sorted(settings.items()))
    whose = common.winning_side(program, side)
    cells = [Matchup(name, n, switches, bot, whose) for name in named for n in players or range(low, high + 1)]
    jobs = jobs or common.cores()
    summaries: list[Summary] = []
    tallies: list[Tally] = []
    stopped = False
    try:
        with _players(dask, tls, silence, jobs) as playing:
            for cell, tally, race in _played(program, cells, Wanted(games, seed, within), playing, keep, worth or 0):
                summaries.append(
                    cell_summary(program, cell, tally, spoken, race, control_of(program, cell, tally, seed, playing))
                )
                tallies.append(tally)
    except _Stopped as stop:
        stopped = True
        if stop.tally.games:
            summaries.append(cell_summary(program, stop.cell, stop.tally, spoken, stop.race))
            tallies.append(stop.tally)
    missing = len(cells) - len(summaries) if stopped else None
    if form == "html":
        text = _page(program, summaries, tallies, bands, spoken, jobs, missing, seed)
    else:
        text = (
            _data(summaries, program, seed) if form == "json" else simulation_report(program, summaries, spoken, seed)
        )
    if output is not None:
        write_atomically(output, (without_commands(text) if form == "text" else text).encode())
        click.echo(f"{output}: {common.count(len(summaries), 'setup')}")
    else:
        click.echo(text, nl=False)
    outside = _judge(summaries, bands, spoken)
    faults = sum(end.games for summary in summaries for end in summary.ends if end.outcome == "fault")
    if missing is not None:
        left = common.count(missing, "setup")
        common.leave_with(f"Stopped; {left} not started. The last one has fewer games than you asked for.")
    ctx.exit(PROBLEMS if faults or outside else FINE)


def _bands(program: Program, file: Path | None, missions: Sequence[str]) -> dict[str, Band]:
    """Return the project's target band for each mission. Refuse if there is none."""
    from fcbdsl.play.simulation.gates import band_of, names_of_nothing

    if file is not None:
        raise click.UsageError("--gate needs the targets of fcb.toml; leave out --program.")
    ids = [row.id for row in common.missions_of(program)]
    loaders = common.load_scope(tests=False)
    wanted = (common.having(loaders, "mission", missions[0]) if missions else common.only_loader(loaders)).project.wins
    for name in names_of_nothing(program, wanted):
        raise click.UsageError(f"[wins] of fcb.toml names {name!r}, which is not a mission or a value of a mission.")
    bands_of_missions = {id: band_of(program, id, wanted) for id in missions or ids}
    bands = {id: band for id, band in bands_of_missions.items() if band is not None}
    if not bands:
        raise click.UsageError("[wins] of fcb.toml has no target for these missions.")
    for id in bands_of_missions:
        if id not in bands:
            click.echo(f"{id} has no target in [wins].", err=True)
    return bands


def _judge(summaries: Sequence[Summary], bands: Mapping[str, Band], language: str) -> int:
    """Report which setups are outside their target band, and which rates are not meaningful; return how many."""
    from fcbdsl.play.simulation.gates import compare_with_band
    from fcbdsl.tools.reports.wording import report_text

    gated = [summary for summary in summaries if summary.cell.mission in bands]
    refused = [summary for summary in gated if summary.unsound]
    for summary in refused:
        why = "; ".join(report_text(language, reason, *parts) for reason, parts in summary.unsound)
        click.echo(f"{summary.cell.name}: not judged: {why}.", err=True)
    results = [compare_with_band(summary, bands[summary.cell.mission]) for summary in gated if not summary.unsound]
    for result in results:
        cell, (low, high) = result.cell, result.band
        seen = f"won {cell.rate:.0%}, 95 % interval {cell.low:.0%} to {cell.high:.0%}"
        if result.verdict == "outside":
            click.echo(f"{cell.cell.name}: {seen}: outside {low} % to {high} %.", err=True)
        elif result.verdict == "open":
            click.echo(
                f"{cell.cell.name}: {seen}: undecided for the target {low} % to {high} %: run more games.", err=True
            )
    outside = sum(result.verdict == "outside" for result in results)
    if gated:
        note = f", {len(refused)} not judged" if refused else ""
        click.echo(f"Gate: {outside} of {common.count(len(gated), 'setup')} outside the target{note}.", err=True)
    return outside + len(refused)


def control_of(program: Program, cell: Matchup, tally: Tally, seed: int, players: Players) -> tuple[int, int] | None:
    """Let random players play some games of a setup; return their wins and games. None: its bots are random already."""
    from fcbdsl.play.simulation.games import Wanted, simulate
    from fcbdsl.play.simulation.soundness import CONTROLS, with_random

    other = with_random(cell)
    if other is None or cell.without:
        return None
    wanted = Wanted(min(tally.games, CONTROLS), seed)
    ((_, games),) = simulate(program, [other], wanted, players, {}, lambda *_: None)
    return sum(game.outcome == "win" for game in games), len(games)


class _Stopped(Exception):
    """The user has stopped the run in the middle of a cell."""

    def __init__(self, cell: Matchup, tally: Tally, race: WorthRace | None) -> None:
        super().__init__()
        self.cell, self.tally, self.race = cell, tally, race


@contextmanager
def _players(dask: str | None, tls: tuple[Path, Path, Path] | None, silence: int, jobs: int) -> Iterator[Players]:
    """Yield the function that plays: on a cluster, if there is an address of its scheduler, or in local processes."""
    from fcbdsl.play.simulation.games import here

    if dask is None:
        yield here(jobs)
        return
    from fcbdsl.play.simulation.cluster import Cluster, ClusterError

    if importlib.util.find_spec("distributed") is None:
        from fcbdsl.base.origin import install_advice

        raise click.ClickException(f"--dask needs the library `distributed`. {install_advice('dask')}")

    def waiting() -> None:
        click.echo("The cluster has no worker; waiting for one. Ctrl-C ends the run.", err=True)

    try:
        with closing(Cluster(dask, waiting, tls, silence)) as cluster:
            yield cluster.play
    except ClusterError as problem:
        raise click.ClickException(f"{problem}.") from problem


def _played(
    program: Program, cells: Sequence[Matchup], wanted: Wanted, players: Players, keep: Path | None, worth: int
) -> Iterator[tuple[Matchup, Tally, WorthRace | None]]:
    """Play the cells and count their games, with progress on a terminal; store the games in a file.

    Then run the ablation with `worth` games (0: none). Raise _Stopped when the user interrupts it.
    """
    from fcbdsl.play.simulation.ablation import Seen, WorthRace, seen_of
    from fcbdsl.play.simulation.cell_statistics import Tally
    from fcbdsl.play.simulation.games import KeptGames, play_cell, playout_line
    from fcbdsl.play.simulation.intervals import wilson

    with ExitStack() as files:
        earlier_games: Mapping[tuple[Matchup, int], Playout] = {}
        file: BinaryIO | None = None
        if keep is not None:
            path = source_path(keep)
            file = files.enter_context(path.open("ab", buffering=0))
            if file.tell():
                stored = KeptGames(files.enter_context(path.open("rb")), program.hash)
                note = f"; {common.count(stored.others, 'line')} of other programs or torn" if stored.others else ""
                click.echo(f"{keep}: {common.count(len(stored), 'game')} of this program{note}.", err=True)
                if not stored.whole:
                    file.write(b"\n")  # after a line that a killed run left incomplete
                earlier_games = stored

        def hold(cell: Matchup, game: Playout) -> None:
            if file is not None:
                data = playout_line(program.hash, cell, game)
                try:
                    while data:
                        data = data[file.write(data) :]
                except OSError as error:  # a failed write names no file
                    raise OSError(error.errno, error.strerror, str(keep)) from error

        for cell in cells:
            tally = Tally()
            race: WorthRace | None = None
            seen: list[Seen] = []
            try:
                for game in play_cell(program, cell, wanted, players, earlier_games, hold):
                    tally.add(game)
                    if len(seen) < worth:
                        seen.append(seen_of(cell, game))
                    low, high = wilson(tally.won, tally.games)
                    games = common.count(tally.games, "game")
                    common.progress(f"{cell.name}: {games}, won {low:.0%} to {high:.0%}")
                if worth:
                    race = WorthRace(cell, wanted.seed, seen)
                    race.run(program, players, earlier_games, hold, partial(_report_round, cell))
            except KeyboardInterrupt:
                raise _Stopped(cell, tally, race) from None
            finally:
                common.progress("")
            yield cell, tally, race


def _report_round(cell: Matchup, round: int, running: int, done: int, games: int) -> None:
    options = common.count(running, "option")
    common.progress(f"{cell.name}: round {round}, leaving out {options} in turn, {done} of {games} games")


# ── as data and as a page ──────────────────────────────────────────────────────────────────────


def _data(summaries: Sequence[Summary], program: Program, seed: int) -> str:
    from fcbdsl import __version__
    from fcbdsl.play.simulation.cell_statistics import as_json

    made_of = {"program": program.hash, "fcb": __version__, "seed": seed}
    return json.dumps([row | made_of for row in as_json(summaries)], indent=1, ensure_ascii=False) + "\n"


def _page(
    program: Program,
    summaries: Sequence[Summary],
    tallies: Sequence[Tally],
    bands: Mapping[str, Band],
    language: str,
    jobs: int,
    missing: int | None,
    seed: int,
) -> str:
    """Return the report as a page, with stories of notable games. After an interrupt, the remaining stories are
    missing."""
    from fcbdsl.play.simulation.telling import Wish, tell
    from fcbdsl.tools.reports.simulation_page import render_simulation_page, seeds_to_tell
    from fcbdsl.tools.reports.simulation_text import FEWEST

    wishes = [Wish(cell, seed, language) for cell, seed in seeds_to_tell(summaries)]
    stories: dict[tuple[Matchup, int], GameStory] = {}

    def keep(wish: Wish, game: GameStory) -> None:
        stories[wish.cell, wish.seed] = game
        common.progress(f"Game pages: {len(stories)} of {common.count(len(wishes), 'game')}")

    try:
        tell(program, wishes, jobs, keep)
    except KeyboardInterrupt:
        click.echo(f"Stopped with {len(stories)} of {common.count(len(wishes), 'game page')}.", err=True)
    finally:
        common.progress("")
    return render_simulation_page(
        program, list(zip(summaries, tallies, strict=True)), stories, bands, language, FEWEST, missing, seed
    )
