"""``fcb soak``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fcbdsl.base.files import write_atomically
from fcbdsl.cli import common

if TYPE_CHECKING:
    from fcbdsl.machine.vm.image import Image
    from fcbdsl.play.soak.soak import Course

MOST_SHOWN = 200
"""Most decisions of a log that is printed."""
MOST_WATCHED = 400
"""Most decisions of a game that is searched for leaked secrets."""

LOOK = "Look at the setup and the conditions."


@click.command("soak", epilog="Example: fcb soak --games 1000 --seed 1 --log failure.log.json")
@common.program_option
@click.option("--games", type=click.IntRange(1), default=200, show_default=True, help="Number of games.")
@common.first_seed_option
@common.bot_option("Bot that decides. [default: chosen at random]")
@click.option(
    "--log", type=click.Path(dir_okay=False, path_type=Path), help="Write the log of the failing game to this file."
)
@click.option("--secrets", is_flag=True, help="Report everything a seat is sent that depends on a secret.")
def command(program_file: Path | None, games: int, seed: int, bot: str | None, log: Path | None, secrets: bool) -> None:
    """Play random games to find crashes. Each game must end and keep every invariant.

    fcb chooses missions, players and switches at random. It shortens and shows the first game that fails, with a
    log for `fcb replay`. In a project of several games, it plays this many of each. If no game of a mission has a
    decision, that mission was not checked: fcb names it and exits with 1.

    With `--secrets` it replaces what a seat cannot know by a guess at each decision. The seat must see the same: if its
    view or its log differs, it reveals a secret.
    """
    from fcbdsl.machine.vm.image import Image

    if secrets and (bot or log is not None):
        raise click.UsageError("--secrets plays random games; leave out --bot and --log.")
    programs = common.programs_of(program_file)
    for whose, program in programs:
        common.heading(programs, whose)
        common.known_sides(program, bot)
        if secrets:
            _look_for_leaks(Image(program), games, seed)
            continue
        _soak(Image(program), games, seed, bot or "", log)


def _soak(image: Image, games: int, seed: int, bot: str, log: Path | None) -> None:
    """Play the games of one program and report the results; leave with PROBLEMS if one fails."""
    from fcbdsl.play.soak import soak

    outcomes: dict[str, int] = {}
    decisions: dict[str, int] = {}  # by mission
    longest = played = 0
    course: Course | None = None
    with click.progressbar(length=games, file=sys.stderr, hidden=not sys.stderr.isatty()) as shown:
        for course in soak.games(image, games, seed, bot):
            ended = common.outcome_of(course.game, course.record, "en")
            ending = f"{course.record.mission} {ended}".strip()
            outcomes[ending] = outcomes.get(ending, 0) + 1
            mission, length = course.record.mission, len(course.record.decisions)
            decisions[mission] = decisions.get(mission, 0) + length
            longest = max(longest, length)
            played += 1
            shown.update(1)
    if course is not None and course.breach is not None:
        _show_failure(image, course, log)
    shares = ", ".join(f"{name} {outcomes[name]}" for name in sorted(outcomes))
    click.echo(f"{common.count(played, 'game')} from seed {seed}: {shares}")
    unasked = [mission for mission, count in sorted(decisions.items()) if not count]
    if len(unasked) == len(decisions):
        common.leave_with(f"No game had a decision, so fcb checked nothing. {LOOK}")
    if unasked:
        common.leave_with(f"No game of {', '.join(unasked)} had a decision, so fcb did not check it. {LOOK}")
    click.echo(
        f"{sum(decisions.values())} decisions, {longest} in the longest game; nothing was wrong in any position."
    )


def _show_failure(image: Image, course: Course, log: Path | None) -> None:
    """Shorten a failing game, print and save it, and leave with PROBLEMS."""
    from fcbdsl.play.soak import soak

    shortest = soak.shrink(image, course)
    length = len(shortest.record.decisions)
    click.echo(soak.failure_report(image, shortest))
    if length <= MOST_SHOWN:
        click.echo(shortest.record.to_json().decode(), nl=False)
    if log is not None:
        write_atomically(log, shortest.record.to_json())
        click.echo(f"Its log is in {log}.")
    elif length > MOST_SHOWN:
        click.echo(f"Its log has {length} decisions: `--games 1 --seed {course.record.seed} --log FILE` writes it.")
    cut = f"{len(course.record.decisions)} decisions, shortened to {length}"
    if shortest is course:
        cut = f"{length} decisions, and could not be shortened"
    common.leave_with(f"The game of seed {course.record.seed} went wrong after {cut}.")


def _look_for_leaks(image: Image, games: int, seed: int) -> None:
    """Play random games, and report the first position in which a seat is sent something secret."""
    from fcbdsl.play.soak.leaks import leaks
    from fcbdsl.play.soak.soak import random_settings

    with click.progressbar(range(seed, seed + games), file=sys.stderr, hidden=not sys.stderr.isatty()) as seeds:
        for number in seeds:
            record = random_settings(image, number)
            for leak in leaks(image, record, MOST_WATCHED):
                common.leave_with(f"{record.mission}, seed {number}: {leak}.")
    click.echo(f"{common.count(games, 'game')} from seed {seed}: no seat was sent a secret.")
