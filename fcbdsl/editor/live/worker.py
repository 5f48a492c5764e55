"""A process of its own that checks, tests and plays, so that whoever looks on never waits for it.

It ends when the process that it works for does, however that ends: it then finds the pipe closed that leads there.
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
from fcbdsl.play.session.worker_pool import start
from fcbdsl.project.project import NoProject, SeveralGames, UnknownGame
from fcbdsl.project.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Opening:
    """Which games of which project are open (None: that around the working folder)."""

    root: Path | None
    games: tuple[str, ...]

    def spaces(self) -> list[Workspace]:
        """Open them. Raises what `Workspace` raises."""
        return [Workspace(root=self.root, game=game) for game in self.games]


class Helper:
    """The process, seen from outside. `telling` (a function of a module) makes the pages of games that went wrong."""

    def __init__(self, opening: Opening, telling: Telling) -> None:
        context = multiprocessing.get_context("spawn")
        self._ours, theirs = context.Pipe()
        self._process = context.Process(target=_help, args=(opening, telling, theirs), daemon=True)
        start(self._process)
        theirs.close()

    def wake(self) -> None:
        """Tell it that files have changed. Says nothing to one that has ended."""
        with contextlib.suppress(OSError):
            self._ours.send(None)

    def listen(self, tell: Callable[[Found], None]) -> None:
        """Hand on what it finds, until it ends."""
        with contextlib.suppress(EOFError, OSError):
            while True:
                tell(self._ours.recv())

    def end(self) -> None:
        """End it."""
        self._process.terminate()
        self._process.join()


def _help(opening: Opening, telling: Telling, theirs: Connection) -> None:
    """Work until nobody listens any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it is for whoever has begun this
    benches = [Bench(space, telling) for space in opening.spaces()]
    with contextlib.suppress(EOFError, OSError):
        while True:
            _work(benches, theirs.send, theirs.poll)
            theirs.recv()
            while theirs.poll():
                theirs.recv()


def _work(benches: Sequence[Bench], tell: Callable[[Found], None], stopped: Callable[[], bool]) -> None:
    """Check and test all games, then play, until it is interrupted."""
    with contextlib.suppress(Interrupted, NoProject, SeveralGames, UnknownGame):
        for bench in benches:
            bench.catch_up(tell, stopped)
        for bench in benches:
            bench.idle(tell, stopped)
