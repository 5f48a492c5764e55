"""Games on the workers of a Dask cluster: `Cluster.play` has the interface of `games.here`.

A worker gets a program once, as the bytes of its file, and each game as a cell and a seed. So the games and the report
are the same as on this machine, to the byte. If a worker ends, Dask starts its games again on others.

A worker answers in bytes, which are read as the JSON of a game or of an error. Data from workers is never unpickled.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import logging
import threading
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any

from fcbdsl.base import resources
from fcbdsl.base.visible import visible
from fcbdsl.machine.vm import fcbc
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.program import Program
from fcbdsl.play.simulation.games import Matchup, Playout, play_once, playout_of

if TYPE_CHECKING:
    from distributed import Client, Future

PATIENCE = 10
"""Seconds to wait for an answer of the scheduler, and between reports that no worker is there."""
SILENCE = 600
"""Seconds without a finished game after which a run ends, if there are workers."""
AHEAD = 2
"""Games under way for each thread of the workers: one is being played while the next one is on its way."""
_PLAIN: dict[str, Any] = {"serializers": ["dask", "pickle", "msgpack"], "deserializers": ["dask", "msgpack"]}
"""How data travels: programs and functions are sent pickled, but answers should not be."""
MOST_BYTES = 1 << 20
"""The longest answer about one game."""
GONE = "The scheduler of the cluster is gone"


class ClusterError(Exception):
    """A reason why a cluster can't play."""


class Cluster:
    """The workers of the scheduler at `address`.

    `waiting` is called repeatedly while there are no workers. `tls`: files of the authority, of this client's
    certificate, and of its key. `silence`: seconds without a finished game after which a run ends, while there are
    workers. Raise ClusterError if no scheduler answers there.
    """

    def __init__(
        self,
        address: str,
        waiting: Callable[[], None] = lambda: None,
        tls: tuple[Path, Path, Path] | None = None,
        silence: float = SILENCE,
    ) -> None:
        from distributed import Client

        try:
            self._client: Client = Client(
                address, timeout=PATIENCE, set_as_default=False, security=_security(tls), **_PLAIN
            )
        except (OSError, ValueError) as problem:
            raise ClusterError(f"No Dask scheduler answers at {address}: {problem}") from problem
        self._waiting, self._silence = waiting, silence
        logging.getLogger("distributed").handlers[:] = [logging.NullHandler()]  # its lines quote what workers send

    def close(self) -> None:
        """Close the connection; the workers continue. A connection that does not close in time ends with fcb."""
        with contextlib.suppress(ClusterError):
            _soon(self._client.close)

    def play(self, program: Program, items: Iterable[tuple[Matchup, int]]) -> Iterator[tuple[int, Playout]]:
        """Play games; yield each by its number as soon as it is over. The games end when the caller stops iterating.

        Raise ClusterError if the cluster can't play them, and what a game raises.
        """
        client = self._client
        data = client.submit(zlib.decompress, zlib.compress(fcbc.dump(program)), key=f"fcb-{program.hash}")
        over: SimpleQueue[Future] = SimpleQueue()
        flying: dict[str, tuple[int, int]] = {}
        left = iter(enumerate(items))
        silent: float = 0
        try:
            while True:
                for number, (cell, seed) in islice(left, max(self._room() - len(flying), 0)):
                    game = client.submit(
                        _play, package_hash(), program.hash, data, cell, seed, pure=False, priority=-number
                    )
                    flying[game.key] = (number, seed)
                    game.add_done_callback(over.put)
                    del game  # or it would stay in memory to the end
                if not flying:
                    return
                try:
                    ended = over.get(timeout=PATIENCE)
                except Empty:
                    silent = silent + PATIENCE if self._has_workers() else 0
                    if silent >= self._silence:
                        raise ClusterError(
                            f"The cluster has finished no game for {self._silence} s. Check its workers, or"
                            " allow more with --dask-timeout"
                        ) from None
                    continue
                silent = 0
                number, seed = flying.pop(ended.key)
                yield number, _result(ended, seed)
        except OSError as problem:
            raise ClusterError(GONE) from problem
        finally:
            with contextlib.suppress(OSError, ClusterError):
                _soon(lambda: client.cancel(list(flying), force=True))

    def _room(self) -> int:
        """Return how many games may be under way at once; at least one, which waits for a worker to come."""
        threads: dict[str, int] = _soon(self._client.nthreads)
        return max(AHEAD * sum(threads.values()), 1)

    def _has_workers(self) -> bool:
        """Return whether the cluster has workers, and report if it has none. Called when no result has arrived for a
        while.

        Raise ClusterError if the scheduler has ended."""
        if self._client.status != "running":
            raise ClusterError(GONE)
        if _soon(self._client.nthreads):
            return True
        self._waiting()
        return False


def _soon(call: Callable[[], Any]) -> Any:
    """Return the result of a call to the scheduler, which may be hostile. Raise ClusterError if none comes in time.

    The thread of such a call ends with the process."""
    answers: SimpleQueue[tuple[Any, BaseException | None]] = SimpleQueue()

    def ask() -> None:
        try:
            answers.put((call(), None))
        except BaseException as error:
            answers.put((None, error))

    threading.Thread(target=ask, daemon=True).start()
    try:
        answer, failure = answers.get(timeout=PATIENCE)
    except Empty:
        raise ClusterError(f"The cluster has not answered within {PATIENCE} s") from None
    if failure is not None:
        raise failure
    return answer


def _security(tls: tuple[Path, Path, Path] | None) -> Any:
    """Return the security of the connection; None: no encryption."""
    if tls is None:
        return None
    from distributed.security import Security

    authority, certificate, key = (str(path) for path in tls)
    secured: Any = Security  # it has no types
    return secured(tls_ca_file=authority, tls_client_cert=certificate, tls_client_key=key, require_encryption=True)


def _result(game: Future, seed: int) -> Playout:
    from distributed import CancelledError, KilledWorker

    try:
        answer = _soon(game.result)
    except ClusterError:
        raise
    except KilledWorker as problem:
        raise ClusterError("A game ended several workers of the cluster; fcb does not try it again") from problem
    except CancelledError as problem:
        raise ClusterError("The cluster has dropped a game: did its scheduler restart?") from problem
    except ModuleNotFoundError as problem:
        raise ClusterError(f"A worker of the cluster lacks a library: {problem}") from problem
    except OSError:
        raise
    except Exception as problem:
        raise ClusterError(f"A worker of the cluster did not answer with a game: {problem}") from problem
    return read_answer(answer, seed)


def read_answer(answer: object, seed: int) -> Playout:
    """Return the game of that seed that a worker has answered with. Raises ClusterError for all other data."""
    if type(answer) is not bytes or len(answer) > MOST_BYTES:
        raise ClusterError("A worker of the cluster did not answer with a game")
    try:
        content = json.loads(answer)
        if isinstance(content, dict) and content.keys() == {"error"}:
            raise ClusterError(visible(str(content["error"])[:500]))
        game = playout_of(content)
    except (ValueError, RecursionError) as problem:
        raise ClusterError("A worker of the cluster did not answer with a game") from problem
    if game.seed != seed:
        raise ClusterError("A worker of the cluster answered with another game than the one asked for")
    return game


# ── what a worker does ─────────────────────────────────────────────────────────────────────────

_AT_PLAY = threading.Lock()
"""An image is for one thread; several threads would not be faster in Python."""


def _play(made_by: str, wanted: str, program: bytes, cell: Matchup, seed: int) -> bytes:
    """Play a game of the program `wanted` (its hash), given as the bytes of its file. Return it as JSON."""
    try:
        if made_by != package_hash():
            raise ClusterError("A worker of the cluster has another version of fcb")
        with _AT_PLAY:
            game: object = asdict(play_once(_image(program, wanted), cell, seed))
    except Exception as problem:
        kind = "" if isinstance(problem, ClusterError) else f"A game fails on a worker: {type(problem).__name__}: "
        game = {"error": f"{kind}{problem}"}
    return json.dumps(game, separators=(",", ":")).encode()


@functools.lru_cache(maxsize=2)
def _image(data: bytes, wanted: str) -> Image:
    program = fcbc.load_fcbc(data)
    if isinstance(program, fcbc.Refused):
        raise ClusterError(f"A worker of the cluster refuses the program: {program.reason}")
    if program.hash != wanted:
        raise ClusterError("A worker of the cluster has the program of somebody else who uses its scheduler")
    return Image(program)


@functools.cache
def package_hash(package: Path = resources.HERE) -> str:
    """Return a hash of the code of a package, wherever it is installed: equal hashes mean equal games."""
    digest = hashlib.blake2b(digest_size=16)
    for name, content in resources.code_files(package):
        digest.update(f"{name}\n".encode() + content)
    return digest.hexdigest()
