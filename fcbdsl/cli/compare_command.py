"""``fcb compare``."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fcbdsl.base.files import write_atomically
from fcbdsl.cli import common
from fcbdsl.cli.compared_versions import game_with, select_game, version_model
from fcbdsl.cli.main import FINE, PROBLEMS
from fcbdsl.cli.output import without_commands
from fcbdsl.cli.simulate_command import control_of

if TYPE_CHECKING:
    from fcbdsl.language.model.whole import Model
    from fcbdsl.machine.vm.program import Program
    from fcbdsl.play.simulation.games import Matchup, Playout, Wanted
    from fcbdsl.play.simulation.pairs import Pairing, Shift

MOST_ENDS = 6
"""Most endings of a cell in the text report."""


@click.command("compare", epilog="Example: fcb compare HEAD . MISSION --players 2,3 --games 200")
@click.argument("before", metavar="A")
@click.argument("after", metavar="B")
@click.argument("missions", nargs=-1)
@common.players_option
@common.games_option("Games for each mission and number of players, in A and in B.", 100, least=2)
@common.first_seed_option
@common.bot_option("Bot that decides.", common.DEFAULT_BOT)
@common.bot_option("Another bot for B.", name="other", flag="--against")
@click.option("--without", metavar="NAME", help="Action or card that bots avoid in B, by its name in the source.")
@common.side_option("team")
@common.variant_option
@common.jobs_option
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("-o", "--output", type=common.WRITABLE, help="Write the report to this file.")
@common.language_option("Language of the report's texts.")
@common.shipped_option
@click.pass_context
def command(
    ctx: click.Context,
    before: str,
    after: str,
    missions: tuple[str, ...],
    players: tuple[int, ...],
    games: int,
    seed: int,
    bot: str,
    other: str | None,
    without: str | None,
    team: str | None,
    settings: dict[str, str],
    jobs: int | None,
    form: str,
    output: Path | None,
    language: str | None,
) -> None:
    """Compare win rates of two versions. Bots play the same games with A and with B; fcb reports the differences in
    wins, length and endings.

    A and B are each a folder with a project, a compiled program (.fcbc), or a revision of the project's git
    repository (HEAD~1, a tag); `.` is the project in its current state. MISSIONS defaults to all missions that A
    and B have. Each game of B has the seed of a game of A, and fcb compares these pairs. fcb shows a difference if
    0 is outside its 95 % interval. Of twenty comparisons without a real change, about one shows a difference.
    `--against` compares two bots: another bot plays B. `--without` measures what an action or card is worth: bots
    avoid it in B if they can.
    """
    from fcbdsl import __version__
    from fcbdsl.play.simulation.ablation_bot import what_is_wrong
    from fcbdsl.play.simulation.cell_statistics import round_fractions
    from fcbdsl.play.simulation.games import Matchup, Wanted
    from fcbdsl.play.simulation.pairs import pairing_json
    from fcbdsl.tools.reports.wording import report_text

    select_game(game_with(missions, (before, after)))
    sides = [_program(before), _program(after)]
    bots = (bot, other or bot)
    wrong = what_is_wrong(sides[1], without, bots[1]) if without else ""
    if wrong:
        raise click.UsageError(wrong)
    if sides[0].hash == sides[1].hash and bots[0] == bots[1] and not without:
        click.echo(f"{before} and {after} are the same program. There is nothing to compare.")
        ctx.exit(FINE)
    for program, name in zip(sides, bots, strict=True):
        common.known_sides(program, name)
    spoken = common.checked_language(language, common.program_languages(sides[1]))
    names = [[row.id for row in common.missions_of(program)] for program in sides]
    for mission in missions:
        for side, own in zip((before, after), names, strict=True):
            if mission not in own:
                raise click.UsageError(f"{side} has no mission {mission!r}.")
    shared = [name for name in names[0] if name in names[1]]
    for side, own in zip((before, after), names, strict=True):
        for name in own:
            if name not in shared and not missions:
                click.echo(f"Skipped, because only {side} has it: {name}", err=True)
    low = max(program.players[0] for program in sides)
    high = min(program.players[1] for program in sides)
    refused = [number for number in players if not low <= number <= high]
    if refused or low > high:
        raise click.UsageError(
            f"Both versions are for {low} to {high} players, not {refused[0]}."
            if refused
            else "The two versions share no mission."
        )
    switches = tuple(sorted(settings.items()))
    whose = common.winning_side(sides[1], team)
    numbers = players or range(low, high + 1)
    cells = [Matchup(name, n, switches, bot, whose) for name in missions or shared for n in numbers]
    if not cells:
        raise click.UsageError(f"{before} and {after} have no mission in common.")
    wanted = Wanted(games, seed)
    pairings: list[Pairing] = []
    try:
        pairings += _pairings(sides, bots, without or "", cells, wanted, jobs or common.cores(), spoken)
    except KeyboardInterrupt:
        common.leave_with("Stopped: no setup was completed with both versions.")
    made_of = {"programs": [side.hash for side in sides], "fcb": __version__, "seed": seed}
    rows = [
        round_fractions(pairing_json(pairing)) | {"bots": bots, "without": without or ""} | made_of
        for pairing in pairings
    ]
    text = (
        json.dumps(rows, indent=1, ensure_ascii=False) + "\n"
        if form == "json"
        else f"{_made_of(sides, switches, seed)}\n\n{_words(pairings, bots, without or '')}"
    )
    if output is None:
        click.echo(text, nl=False)
    else:
        write_atomically(output, (text if form == "json" else without_commands(text)).encode())
        click.echo(f"{output}: {common.count(len(pairings), 'setup')}")
    for pairing in pairings:
        for name, why in pairing.unsound:
            click.echo(f"{pairing.cell.name}: no comparison: {name}: {report_text(spoken, *why)}.", err=True)
    ctx.exit(PROBLEMS if any(pairing.unsound for pairing in pairings) else FINE)


def _pairings(
    sides: Sequence[Program],
    bots: Sequence[str],
    without: str,
    cells: Sequence[Matchup],
    wanted: Wanted,
    jobs: int,
    language: str,
) -> Iterator[Pairing]:
    """Play each cell with both programs, B without the name `without`, with progress on a terminal."""
    from fcbdsl.play.simulation.cell_statistics import Tally, cell_summary
    from fcbdsl.play.simulation.games import here, simulate
    from fcbdsl.play.simulation.pairs import pair_playouts, unsound_pair
    from fcbdsl.play.simulation.soundness import Reason

    def report(side: str, cell: Matchup, played: Sequence[Playout]) -> None:
        common.progress(f"{cell.name}, {side}: {len(played)} of {wanted.games} games")

    for cell in cells:
        games: list[list[Playout]] = []
        for side, name, bot in zip(sides, "AB", bots, strict=True):
            so_far, own = partial(report, name), replace(cell, bot=bot, without=without if name == "B" else "")
            games += [played for _, played in simulate(side, [own], wanted, here(jobs), {}, lambda *_: None, so_far)]
        whys = [partial(_why, side, language) for side in sides]
        pairing = pair_playouts(cell, games[0], games[1], whys[0], whys[1])
        reasons: list[tuple[Reason, ...]] = []
        for side, name, bot, some in zip(sides, "AB", bots, games, strict=True):
            own, tally = replace(cell, bot=bot, without=without if name == "B" else ""), Tally(some)
            control = control_of(side, own, tally, wanted.seed, here(jobs))
            if own.without:  # fewer wins of its bots are a result here, no flaw
                reasons.append(())
                continue
            reasons.append(cell_summary(side, own, tally, language, control=control).unsound)
        yield replace(pairing, unsound=unsound_pair(*reasons))
    common.progress("")


def _made_of(sides: Sequence[Program], switches: Sequence[tuple[str, str]], seed: int) -> str:
    """Return the line with the programs, version of fcb, variants and seeds of a report."""
    from fcbdsl import __version__

    variants = "".join(f", {name}={value}" for name, value in switches)
    return f"A: program {sides[0].hash}; B: program {sides[1].hash}; fcb {__version__}, seeds from {seed}{variants}"


def _why(program: Program, language: str, game: Playout) -> str:
    from fcbdsl.base.typography import sentences
    from fcbdsl.play.simulation.cell_statistics import definition_title, program_text

    ending = definition_title(program, game.ending, language) if game.ending else ""
    return sentences(ending, program_text(program, game.why, language))


def _program(side: str) -> Program:
    """Return the program that A or B names. Leave if there is none, or it has errors."""
    path = Path(side)
    if path.is_file():
        return common.load_program(path)
    with version_model(side) as model:
        return _lowered(model, side)


def _lowered(model: Model, name: str) -> Program:
    """Return the verified program of a model without errors."""
    from fcbdsl.language.compiler import lower
    from fcbdsl.machine.vm.verify.verifier import verify_program

    program = lower(model)
    findings = verify_program(program)
    if findings:
        common.leave_with(f"{name}: the compiled program is refused: {findings[0]}.")
    return program


# ── text report ────────────────────────────────────────────────────────────────────────────────


def _words(pairings: Sequence[Pairing], bots: tuple[str, str], without: str) -> str:
    same = bots[0] == bots[1]
    lines = [f"{bots[0]} plays both." if same else f"{bots[0]} plays A, and {bots[1]} plays B.", ""]
    if without:
        sides = [pairing.cell.side for pairing in pairings]
        who = f"no player of {sides[0]}" if any(sides) else "no player"
        lines += [f"In B {who} takes {without} if there is another option.", ""]
    shown = sum(pairing.wins.is_shown for pairing in pairings if not pairing.unsound)
    if len(pairings) > 1:
        chance = "by chance alone, one in twenty shows one"
        lines += [f"The games show a difference in {shown} of {len(pairings)} setups; {chance}.", ""]
    lines += [line for pairing in pairings for line in _cell(pairing)]
    return "\n".join(lines) + "\n"


def _cell(pairing: Pairing) -> Iterator[str]:
    yield f"{pairing.cell.name}: A won {pairing.won[0]}, B won {pairing.won[1]} of {pairing.games}"
    if pairing.unsound:
        yield "  No comparison: these win rates show nothing about the mission (the reasons are below)."
        yield ""
        return
    if pairing.alike == pairing.games:
        yield "  All games are identical: no game reached the change."
        yield ""
        return
    yield f"  {_verdict(pairing)}"
    yield f"  won by A alone: {pairing.only[0]}, by B alone: {pairing.only[1]}; identical games: {pairing.alike}"
    yield f"  first seed where B differs: {pairing.apart}"
    lengths = [
        (name, shift) for name, shift in (("decisions", pairing.decisions), ("parts of the story", pairing.parts))
    ]
    for name, shift in lengths:
        if shift.value or shift.is_shown:
            note = "" if shift.is_shown else ": not shown"
            yield f"  {name}: {shift.value:+.1f} a game ({_interval(shift, 1)}{note})"
    changed = [end for end in pairing.ends if end.before != end.after]
    for end in changed[:MOST_ENDS]:
        yield f"  {end.before:>5} → {end.after:<5} {end.outcome}{f': {end.why}' if end.why else ''}"
    if len(changed) > MOST_ENDS:
        yield f"  and {len(changed) - MOST_ENDS} more endings, in --format json"
    yield ""


def _verdict(pairing: Pairing) -> str:
    points = f"{100 * pairing.wins.value:+.0f} points; 95 % interval {_interval(pairing.wins, 100)}"
    if pairing.wins.is_shown:
        return f"B is won {'more' if pairing.wins.value > 0 else 'less'} often ({points})."
    return f"The games show no difference ({points}). Four times as many games halve the interval."


def _interval(shift: Shift, scale: int) -> str:
    places = 0 if scale > 1 else 1
    return f"{scale * shift.low:+.{places}f} to {scale * shift.high:+.{places}f}"
