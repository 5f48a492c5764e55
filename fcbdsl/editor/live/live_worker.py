"""A separate process that checks, tests and plays, so that the page never waits for it.

It ends when its parent process does, for any reason: the pipe to the parent is then closed.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import signal
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection
from pathlib import Path

from fcbdsl.base.records import dataclass
from fcbdsl.editor.live.background_runner import Bench, Found, Interrupted, Telling
from fcbdsl.play.session.worker_pool import start_process
from fcbdsl.project.project import NoProject, SeveralGames, UnknownGame
from fcbdsl.project.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Opening:
    """The open games of a project (None: the project around the working folder)."""

    root: Path | None
    games: tuple[str, ...]

    def spaces(self) -> list[Workspace]:
        """Open each game and return it. Raise the exceptions of `Workspace`."""
        return [Workspace(root=self.root, game=game) for game in self.games]


class Helper:
    """The process, as seen from its parent. `telling` (a function of a module) returns the pages of failed games."""

    def __init__(self, opening: Opening, telling: Telling) -> None:
        context = multiprocessing.get_context("spawn")
        self._ours, theirs = context.Pipe()
        self._process = context.Process(target=_help, args=(opening, telling, theirs), daemon=True)
        start_process(self._process)
        theirs.close()

    def wake(self) -> None:
        """Notify it that files have changed; do nothing if it has ended."""
        with contextlib.suppress(OSError):
            self._ours.send(None)

    def listen(self, tell: Callable[[Found], None]) -> None:
        """Pass on the results of the process until it ends."""
        with contextlib.suppress(EOFError, OSError):
            while True:
                tell(self._ours.recv())

    def end(self) -> None:
        """Stop the process."""
        self._process.terminate()
        self._process.join()


def _help(opening: Opening, telling: Telling, theirs: Connection) -> None:
    """Work until the parent closes the pipe."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent process handles it
    benches = [Bench(space, telling) for space in opening.spaces()]
    with contextlib.suppress(EOFError, OSError):
        while True:
            _work(benches, theirs.send, theirs.poll)
            theirs.recv()
            while theirs.poll():
                theirs.recv()


def _work(benches: Sequence[Bench], tell: Callable[[Found], None], stopped: Callable[[], bool]) -> None:
    """Check and test all games, then play, until interrupted."""
    with contextlib.suppress(Interrupted, NoProject, SeveralGames, UnknownGame):
        for bench in benches:
            bench.catch_up(tell, stopped)
        for bench in benches:
            bench.idle(tell, stopped)
