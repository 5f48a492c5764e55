"""Games that the workers of a Dask cluster play: `Cluster.play` stands wherever `games.here` does.

A worker is sent a program once, as the bytes of its file, and each game as a cell and a seed; so what it plays is what
would be played here, and a report is the same to the byte. Where a worker ends, its games are begun again by others:
Dask sees to that.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import threading
import zlib
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING

from fcbdsl import resources
from fcbdsl.simulation.games import Matchup, Playout, play
from fcbdsl.vm import fcbc
from fcbdsl.vm.image import Image
from fcbdsl.vm.program import Program

if TYPE_CHECKING:
    from distributed import Client, Future

PATIENCE = 10
"""Seconds for which a scheduler is waited for, and after which it is said that no worker is there."""
AHEAD = 2
"""Games under way for each thread of the workers: one is being played while the next one is on its way."""
GONE = "The scheduler of the cluster is gone"


class ClusterError(Exception):
    """Why a cluster can't play."""


class Cluster:
    """The workers of the scheduler at `address`. `waiting` is called whenever none has been there for a while.

    Raises ClusterError if no scheduler answers there."""

    def __init__(self, address: str, waiting: Callable[[], None] = lambda: None) -> None:
        from distributed import Client

        try:
            self._client: Client = Client(address, timeout=PATIENCE, set_as_default=False)
        except (OSError, ValueError) as problem:
            raise ClusterError(f"No Dask scheduler answers at {address}: {problem}") from problem
        self._waiting = waiting

    def close(self) -> None:
        """Let go of the cluster; its workers go on."""
        self._client.close()

    def play(self, program: Program, items: Iterable[tuple[Matchup, int]]) -> Iterator[tuple[int, Playout]]:
        """Have games played; yield each by its number as soon as it is over. Whoever asks for no more ends it.

        Raises ClusterError if the cluster can't play them, and what a game raises."""
        client = self._client
        data = client.submit(zlib.decompress, zlib.compress(fcbc.dump(program)), key=f"fcb-{program.hash}")
        over: SimpleQueue[Future] = SimpleQueue()
        flying: dict[str, int] = {}
        left = iter(enumerate(items))
        try:
            while True:
                for number, (cell, seed) in islice(left, max(self._room() - len(flying), 0)):
                    game = client.submit(_play, fingerprint(), data, cell, seed, pure=False, priority=-number)
                    flying[game.key] = number
                    game.add_done_callback(over.put)
                    del game  # or it would be held to the end
                if not flying:
                    return
                try:
                    ended = over.get(timeout=PATIENCE)
                except Empty:
                    self._look()
                    continue
                yield flying.pop(ended.key), _result(ended)
        except OSError as problem:
            raise ClusterError(GONE) from problem
        finally:
            with contextlib.suppress(OSError):
                client.cancel(list(flying), force=True)

    def _room(self) -> int:
        """How many games may be under way at once; at least one, which waits for a worker to come."""
        threads: dict[str, int] = self._client.nthreads()
        return max(AHEAD * sum(threads.values()), 1)

    def _look(self) -> None:
        """See why nothing has come for a while."""
        if self._client.status != "running":
            raise ClusterError(GONE)
        if not self._client.nthreads():
            self._waiting()


def _result(game: Future) -> Playout:
    from distributed import CancelledError, KilledWorker

    try:
        found: Playout = game.result()
    except KilledWorker as problem:
        raise ClusterError("A game has ended several workers of the cluster, and is not tried again") from problem
    except CancelledError as problem:
        raise ClusterError("The cluster has dropped a game: was its scheduler begun anew?") from problem
    except ModuleNotFoundError as problem:
        raise ClusterError(f"A worker of the cluster lacks what is needed there: {problem}") from problem
    return found


# ── what a worker does ─────────────────────────────────────────────────────────────────────────

_AT_PLAY = threading.Lock()
"""An image is for one thread; several would not be faster in Python."""


def _play(made_by: str, program: bytes, cell: Matchup, seed: int) -> Playout:
    """Play a game of a program given as the bytes of its file."""
    if made_by != fingerprint():
        raise ClusterError("A worker of the cluster has another fcb: it would play other games")
    with _AT_PLAY:
        return play(_image(program), cell, seed)


@functools.lru_cache(maxsize=2)
def _image(data: bytes) -> Image:
    program = fcbc.load(data)
    if isinstance(program, fcbc.Refused):
        raise ClusterError(f"A worker of the cluster refuses the program: {program.reason}")
    return Image(program)


@functools.cache
def fingerprint(package: Path = resources.HERE) -> str:
    """A hash of the code of a package, wherever it lies: where those of this one are equal, games are."""
    digest = hashlib.blake2b(digest_size=16)
    for name, content in resources.code(package):
        digest.update(f"{name}\n".encode() + content)
    return digest.hexdigest()
