"""``fcb watch``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fcbdsl.base.files import write_atomically
from fcbdsl.cli import common

if TYPE_CHECKING:
    from fcbdsl.editor.live.background_runner import Bench, Found, Lost, Stopped, TestName


@click.command("watch", epilog="Example: fcb watch --lost games")
@common.shipped_option
@click.option("--games/--no-games", default=True, help="Play random games between changes. [default: on]")
@click.option(
    "--lost", type=click.Path(file_okay=False, path_type=Path), help="Keep logs of failing games in this folder."
)
def command(games: bool, lost: Path | None) -> None:
    """Check and test whenever you save. Stop with Ctrl-C.

    fcb reports everything that `fcb check` finds. Then it runs new tests and the tests that the change can affect.
    Then it plays random games, of the missions that you changed or of all, and reports only those that fail. A save
    interrupts this work.
    """
    from fcbdsl.editor.live.background_runner import Bench
    from fcbdsl.project import file_watcher

    spaces = common.open_scope(common.scope())
    benches = [Bench(space, lambda image, record, model: "") for space in spaces]
    watcher = file_watcher.Watcher(lambda: file_watcher.files_state(space.loader for space in spaces))
    click.echo(f"Watching {common.count(watcher.count, 'file')}; Ctrl-C ends it.", err=True)
    teller = Teller(lost, [space.loader.project.game for space in spaces])
    try:
        _work(benches, teller, watcher.stale, games)
        for files in file_watcher.file_changes(watcher, file_watcher.rest):
            click.echo(f"Changed: {', '.join(path.name for path in files)}.", err=True)
            _work(benches, teller, watcher.stale, games)
    except KeyboardInterrupt:
        pass
    click.echo("No longer watching.", err=True)


def _work(benches: Sequence[Bench], teller: Teller, stopped: Stopped, games: bool) -> None:
    """Check and test all games, then play; report files that can't be read, and wait for the next change."""
    from fcbdsl.editor.live.background_runner import Interrupted
    from fcbdsl.project.project import NoProject, SeveralGames, UnknownGame

    try:
        for bench in benches:
            bench.catch_up(teller.tell, stopped)
        for bench in benches if games else ():
            bench.idle(teller.tell, stopped)
    except Interrupted:
        pass
    except (NoProject, SeveralGames, UnknownGame) as error:
        click.echo(f"fcb.toml has changed ({error}): stop fcb watch and start it again.", err=True)


class Teller:
    """Reports results at the terminal. `lost`: the folder for logs of failed games."""

    def __init__(self, lost: Path | None, games: Sequence[str]) -> None:
        self._lost = lost
        self._several = len(games) > 1
        self._told: dict[TestName, None] = {}
        """Tests whose failure was reported since the last change."""

    def tell(self, findings: Found) -> None:
        """Report one result."""
        from fcbdsl.editor.live import background_runner as bench

        whose = f"{findings.game or 'Files of no game'}: " if self._several else ""
        match findings:
            case bench.GameChecked(problems=problems):
                self._told.clear()
                common.report(problems)
                click.echo(f"{whose}{common.tally(problems) or 'No problems'}.")
            case bench.TestsPlanned(concerned=concerned, tests=tests):
                click.echo(f"{whose}{concerned} of {common.count(tests, 'test')} to run.", err=True)
            case bench.TestRan(test=test, failure=failure):
                if failure is not None:
                    self._told[test] = None
                    common.report([failure])
            case bench.TestsKnown(tests=tests, failed=failed):
                common.report([failure for test, failure in failed if test not in self._told])
                passed = len(tests) - len(failed)
                click.echo(f"{whose}{common.count(len(tests), 'test')}: {passed} passed, {len(failed)} failed.")
            case bench.GamePlayed(lost=lost):
                if lost is not None:
                    self._tell_lost(whose, lost)

    def _tell_lost(self, whose: str, lost: Lost) -> None:
        players, decisions = common.count(lost.players, "player"), common.count(lost.decisions, "decision")
        click.echo(f"{whose}A random game of {lost.mission} went wrong ({players}, seed {lost.seed}, {decisions}).")
        click.echo(f"  {lost.says}")
        if self._lost is None:
            click.echo("  `fcb watch --lost DIR` keeps such games; `fcb replay LOG --show` shows them.")
            return
        path = self._lost / f"{lost.mission}-{lost.seed}.log.json"
        write_atomically(path, lost.log)
        click.echo(f"  fcb replay {path} --show")
