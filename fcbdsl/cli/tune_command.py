"""``fcb tune``."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fcbdsl.cli import common
from fcbdsl.cli.main import FINE, PROBLEMS

if TYPE_CHECKING:
    from fcbdsl.machine.vm.program import Program
    from fcbdsl.play.simulation.games import Matchup
    from fcbdsl.play.simulation.gates import Band
    from fcbdsl.play.simulation.racing import Runner, Setting
    from fcbdsl.project.analysis.tunables import Tunable
    from fcbdsl.project.project import Loader

MOST_SETTINGS = 200
"""Most settings in a race; each is compiled and plays at least one round."""
KEPT = 24
"""The number of compiled programs in the cache."""
SHOWN = 8
"""Most settings in the text report."""


def _band(ctx: click.Context, param: click.Parameter, value: str | None) -> Band | None:
    """Read ``55-75``."""
    if value is None:
        return None
    low, _, high = value.replace("%", "").partition("-")
    if not (low.strip().isdecimal() and high.strip().isdecimal() and int(low) < int(high) <= 100):
        raise click.BadParameter(f"{value!r} is not a range of win rates such as 55-75.", ctx, param)
    return int(low), int(high)


@click.command("tune", epilog="Example: fcb tune old-mill --players 2,3 --wanted 55-75")
@click.argument("missions", nargs=-1)
@common.players_option
@click.option(
    "--wanted",
    callback=_band,
    metavar="LOW-HIGH",
    help="Target win rate in percent. [default: [wins] of fcb.toml]",
)
@common.games_option("Most games for each mission and number of players.", 200)
@common.first_seed_option
@common.bot_option("Bot that decides.", common.DEFAULT_BOT)
@common.side_option()
@common.jobs_option
@click.option("--write", is_flag=True, help="Write the best values into the files.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@common.shipped_option
@click.pass_context
def command(
    ctx: click.Context,
    missions: tuple[str, ...],
    players: tuple[int, ...],
    wanted: Band | None,
    games: int,
    seed: int,
    bot: str,
    side: str | None,
    jobs: int | None,
    write: bool,
    form: str,
) -> None:
    """Find numbers for a target win rate. fcb shows the change as a diff. MISSIONS: default, every mission with a
    target in `[wins]` of fcb.toml.

    Mark a number in the source: `length: 8 # fcb: tunable 6..10` lets the last number of that line be 6 to 10, and
    `at 3, 6: # fcb: tunable 2..4, -` lets the 3 be 2 to 4. All settings play the same games. A setting that is too
    easy or too hard, by its 99.9 % interval, drops out early. The result does not depend on the number of `--jobs`.
    The best of many settings is partly lucky: test it with other seeds, by `fcb simulate --gate --seed 100000`.
    """
    from fcbdsl.play.simulation.games import Matchup
    from fcbdsl.play.simulation.racing import flat, race, race_result
    from fcbdsl.project.analysis.tunables import apply_tunables

    loaders = common.load_scope(tests=False)
    loader = common.having(loaders, "mission", missions[0]) if missions else common.only_loader(loaders)
    program = common.compile_game(common.sound([loader])[0])
    missions = tuple(common.known_mission(program, mission) for mission in missions)
    common.known_sides(program, bot)
    low, high = program.players
    refused = [number for number in players if not low <= number <= high]
    if refused:
        raise click.UsageError(f"The game is for {low} to {high} players, not {refused[0]}.")
    bands = _bands(loader, program, missions, wanted)
    whose = common.winning_side(program, side)
    cells = [Matchup(name, n, (), bot, whose) for name in bands for n in players or range(low, high + 1)]
    tunables = _tunables(loader, tuple(bands))
    settings = list(product(*(tunable.values for tunable in tunables)))
    present = tuple(tunable.value for tunable in tunables)
    program_of = lru_cache(maxsize=KEPT)(_Programs(loader, tunables, present, program).of)

    def report(round: int, number: int, running: int) -> None:
        common.progress(f"Round {round}: setting {number + 1} of {running}")

    wide = [bands[cell.mission] for cell in cells]
    try:
        _refuse_unsound(program, cells, seed, games, jobs or common.cores())
        ranked = race(settings, present, cells, wide, games, seed, jobs or common.cores(), program_of, report)
    except KeyboardInterrupt:
        common.leave_with("Stopped. fcb changed no file, because the comparison of values was not complete.")
    finally:
        common.progress("")
    best = ranked[0]
    level = flat(ranked, cells)
    is_better = best.is_running and not level
    state = race_result(best, wide) if not level else "none"
    changed = apply_tunables(loader.sources, dict(zip(tunables, best.setting, strict=True))) if is_better else {}
    before = {source.name: source.text for source in loader.sources}
    difference = "".join(_difference(name, before[name], text) for name, text in changed.items())
    if form == "json":
        click.echo(
            json.dumps(
                _data(tunables, cells, wide, ranked, difference, state, program, seed), indent=1, ensure_ascii=False
            )
        )
    else:
        click.echo(_words(tunables, present, cells, wide, ranked, program, seed), nl=False)
        click.echo(f"\n{difference}" if difference else "", nl=False)
    if write and changed and state != "inside":
        click.echo("No file was changed: no setting is shown to be inside the target band.", err=True)
    elif write and changed:
        from fcbdsl.base.files import rewrite_text

        for name, text in changed.items():
            rewrite_text(Path(name), text)
            click.echo(f"{name}: written", err=True)
    elif changed and form == "text":
        click.echo("\nNo file was changed. --write writes these values.", err=True)
    ctx.exit(FINE if state == "inside" else PROBLEMS)


def _refuse_unsound(program: Program, cells: Sequence[Matchup], seed: int, games: int, jobs: int) -> None:
    """Leave with PROBLEMS if the bots never come nearer to a win, or are worse than random players.

    Such bots can't tune any number. Zero or all wins with the present numbers are a fair start for tuning.
    """
    from fcbdsl.cli.simulate_command import control_of
    from fcbdsl.play.simulation.cell_statistics import Tally, cell_summary
    from fcbdsl.play.simulation.games import STRIDE, Wanted, here, simulate
    from fcbdsl.play.simulation.pairs import EXTREMES
    from fcbdsl.play.simulation.soundness import cure
    from fcbdsl.tools.reports.wording import report_text

    spoken = common.program_languages(program)[0]
    wrong: list[str] = []
    advice: tuple[str, tuple[str, ...]] | None = None
    for cell, played in simulate(program, cells, Wanted(min(STRIDE, games), seed), here(jobs), {}, lambda *_: None):
        tally = Tally(played)
        control = control_of(program, cell, tally, seed, here(jobs))
        summary = cell_summary(program, cell, tally, spoken, control=control)
        reasons = [(word, parts) for word, parts in summary.unsound if word not in EXTREMES]
        wrong += [f"{cell.name}: {report_text(spoken, word, *parts)}." for word, parts in reasons]
        if reasons:
            advice = advice or cure(program, cell.mission, reasons)
    if advice is not None:
        advised = report_text(spoken, advice[0], *advice[1])
        common.leave_with("\n".join([*wrong, f"No number can be tuned by bots that don't play for a win. {advised}"]))


def _bands(loader: Loader, program: Program, missions: Sequence[str], wanted: Band | None) -> dict[str, Band]:
    """Return the target band of each mission to tune."""
    from fcbdsl.play.simulation.gates import band_of

    named = missions or tuple(row.id for row in common.missions_of(program))
    if wanted is not None:
        return dict.fromkeys(named, wanted)
    bands_of_missions = {id: band_of(program, id, loader.project.wins) for id in named}
    bands = {id: band for id, band in bands_of_missions.items() if band is not None}
    if not bands or (missions and len(bands) < len(bands_of_missions)):
        lacking = next(id for id, band in bands_of_missions.items() if band is None)
        raise click.UsageError(f"{lacking} has no target: write one in [wins] of fcb.toml, or use --wanted 55-75.")
    return bands


def _tunables(loader: Loader, missions: Sequence[str]) -> list[Tunable]:
    """Return the marked numbers of the project's own files that concern these missions. Refuse none, and too many."""
    from fcbdsl.project.analysis.tunables import Tunable, tunables_in
    from fcbdsl.project.project import is_own_file

    own = [source for source in loader.sources if is_own_file(Path(source.name), loader.project)]
    marks = [tunable for source in own for tunable in tunables_in(source)]
    common.report([mark for mark in marks if not isinstance(mark, Tunable)], err=True)
    marked = [mark for mark in marks if isinstance(mark, Tunable)]
    tunables = [tunable for tunable in marked if tunable.mission in ("", *missions)]
    if len(tunables) < len(marked):
        others = ", ".join(dict.fromkeys(tunable.mission for tunable in marked if tunable not in tunables))
        click.echo(
            f"Left alone: {common.count(len(marked) - len(tunables), 'number')} of other missions ({others}).", err=True
        )
    if not tunables:
        raise click.UsageError("No number is marked that concerns these missions: `length: 8  # fcb: tunable 6..10`.")
    settings = prod(len(tunable.values) for tunable in tunables)
    if settings > MOST_SETTINGS:
        places = ", ".join(f"{tunable.place} ({len(tunable.values)})" for tunable in tunables)
        raise click.UsageError(f"{settings:,} settings are more than {MOST_SETTINGS}; mark fewer numbers: {places}.")
    return tunables


class _Programs:
    """The programs of settings, each compiled from the sources with other numbers."""

    def __init__(self, loader: Loader, tunables: Sequence[Tunable], present: Setting, program: Program) -> None:
        self._loader = loader
        self._tunables = tunables
        self._present = present
        self._program = program

    def of(self, setting: Setting) -> Program | str:
        """Return the program of a setting, or an error text."""
        from fcbdsl.project.analysis import analysis_of, no_test
        from fcbdsl.project.analysis.tunables import apply_tunables
        from fcbdsl.project.project import load_project

        if setting == self._present:
            return self._program
        texts = apply_tunables(self._loader.sources, dict(zip(self._tunables, setting, strict=True)))
        project = self._loader.project
        analysis = analysis_of(load_project((), False, project.root, project.game, texts), needed=no_test)
        errors = analysis.errors()
        if errors:
            return errors[0].message
        program, refused = analysis.program(), analysis.refused()
        return f"the compiled program is refused: {refused[0]}" if refused else program


def _difference(name: str, before: str, after: str) -> str:
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    return "".join(difflib.unified_diff(old, new, fromfile=name, tofile=name))


# ── reports ────────────────────────────────────────────────────────────────────────────────────


def _words(
    tunables: Sequence[Tunable],
    present: Setting,
    cells: Sequence[Matchup],
    bands: Sequence[Band],
    ranked: Sequence[Runner],
    program: Program,
    seed: int,
) -> str:
    from fcbdsl import __version__
    from fcbdsl.play.simulation.racing import flat, games_to_show, race_result

    running = [runner for runner in ranked if runner.is_running]
    dropped = [runner for runner in ranked if runner.dropped]
    refused = [runner for runner in ranked if runner.refused]
    played = sum(lane.games for runner in ranked for lane in runner.lanes)
    bots = ", ".join(dict.fromkeys(cell.bot for cell in cells))
    rows = [f"bot {bots}, program {program.hash}, fcb {__version__}, seeds from {seed}"]
    rows += [
        f"{tunable.place}: `{tunable.line}`, {tunable.low} to {tunable.high}, now {tunable.value}"
        for tunable in tunables
    ]
    notes = [f"{common.count(len(running), 'setting')} left of {len(ranked)}", f"{len(dropped)} dropped out"]
    notes += [f"{len(refused)} refused by the check"] if refused else []
    rows.append(f"{', '.join(notes)}; {common.count(played, 'game')}. Intervals are of 99.9 %.\n")
    for runner in (running or dropped)[:SHOWN]:
        mark = "now" if runner.setting == present else "dropped" if runner.dropped else ""
        rows.append(f"{', '.join(map(str, runner.setting))}{f' ({mark})' if mark else ''}")
        for cell, lane, band in zip(cells, runner.lanes, bands, strict=True):
            low, high = lane.interval
            state = "inside" if lane.is_inside(band) else "outside" if lane.is_outside(band) else "may be inside"
            share = f"won {lane.rate:.0%} of {lane.games} ({low:.0%} to {high:.0%})"
            rows.append(f"  {cell.name}: {share}, {state} {band[0]} % to {band[1]} %")
    more = len(running or dropped) - SHOWN
    rows += [f"and {more} more"] if more > 0 else []
    for runner in refused[:1]:
        rows.append(f"Refused: {', '.join(map(str, runner.setting))}: {runner.refused}")
    ran = [runner.lanes for runner in ranked if not runner.refused]
    level = flat(ranked, cells)
    for cell, won, least in level:
        rows.append(
            f"{cell.name}: every setting won all its games, {least} or more: the numbers would have to go beyond their "
            "ranges, or the bots play too well to show a difference."
            if won
            else f"{cell.name}: every setting won 0 of its games, {least} or more: the bots don't know how to win, or "
            "the numbers would have to go beyond their ranges."
        )
    if level:
        rows.append("Verdict: none. Nothing can be tuned where all settings win all games, or none.")
    elif len(ran) > 1 and all(lanes == ran[0] for lanes in ran):
        rows.append("All settings won equally many games, so these numbers make no difference. Mark others.")
    elif not running:
        rows.append("No setting is left: mark other numbers, or other bounds.")
    elif running[0].setting == present:
        rows.append("No setting does better than the numbers as they are.")
    if not level and (state := race_result(ranked[0], bands)) == "inside":
        rows.append("Verdict: shown inside. Play it again on other seeds: the best of many is lucky.")
    elif not level and state == "open":
        needed = games_to_show(ranked[0], bands)
        rows.append(
            "Verdict: best so far, but not shown to be inside. "
            + (
                f"{needed} games of each setup would show it, if its rates stay as they are (--games {needed})."
                if needed is not None
                else "More games would not show it, if its rates stay: one is outside its band or on its edge."
            )
        )
    elif not level:
        rows.append("Verdict: none.")
    if not level and state != "inside":
        rows += list(_at_ends(tunables, ranked[0].setting))
    return "\n".join(rows) + "\n"


def _at_ends(tunables: Sequence[Tunable], best: Setting) -> Iterator[str]:
    """Yield a line for each number whose best value is the first or last of its range."""
    for tunable, value in zip(tunables, best, strict=True):
        if value in (tunable.low, tunable.high):
            yield f"{tunable.place}: {value} is the end of its range, {tunable.low} to {tunable.high}: try a wider one."


def _data(
    tunables: Sequence[Tunable],
    cells: Sequence[Matchup],
    bands: Sequence[Band],
    ranked: Sequence[Runner],
    difference: str,
    state: str,
    program: Program,
    seed: int,
) -> Mapping[str, Any]:
    from fcbdsl import __version__
    from fcbdsl.play.simulation.racing import games_to_show

    return {
        "verdict": state,
        "games_to_show": games_to_show(ranked[0], bands) if state == "open" else None,
        "bots": sorted({cell.bot for cell in cells}),
        "program": program.hash,
        "fcb": __version__,
        "seed": seed,
        "tunables": [
            {
                "place": tunable.place,
                "line": tunable.line,
                "low": tunable.low,
                "high": tunable.high,
                "now": tunable.value,
            }
            for tunable in tunables
        ],
        "settings": [
            {
                "values": runner.setting,
                "dropped": runner.dropped,
                "refused": runner.refused,
                "cells": [
                    {
                        "mission": cell.mission,
                        "players": cell.players,
                        "wanted": band,
                        "games": lane.games,
                        "won": lane.wins,
                        "interval": [round(end, 4) for end in lane.interval],
                    }
                    for cell, lane, band in zip(cells, runner.lanes, bands, strict=True)
                ],
            }
            for runner in ranked
        ],
        "change": difference,
    }
