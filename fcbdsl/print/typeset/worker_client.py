"""Requests to the process that runs Typst and Pillow, which is started when it is first needed and after a crash."""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import sys
import threading
from typing import TYPE_CHECKING, Any

from fcbdsl.print.typeset.worker import Ended, receive, send

if TYPE_CHECKING:
    import subprocess

MEGABYTES = 6144
"""Memory of the process."""


MOST_CHARACTERS = 20_000
"""Characters of documents after which the process is replaced. Typst keeps its results for a whole process: measuring
all the content took 14 GB. With small documents this is 100 MB; an aid of such a size alone takes 350 MB. A new process
takes 0.06 s, less than to clear Typst's cache."""
DOCUMENT_SECONDS = 1800
"""Processor time for a document."""
PICTURE_SECONDS = 20
"""Processor time for a picture."""
FROZEN_FLAG = "--fcb-typesetter"
"""The argument that makes the single-file build this process: see ``release/fcb_main.py``."""
START = (
    "import sys, json; sys.path[:] = json.loads(sys.argv[2]); from fcbdsl.print.typeset.worker_client import run; run()"
)


class Crashed(Exception):
    """The process ended instead of answering; the message describes how."""


class TypesetterRefused(Exception):
    """A reason why something cannot be drawn or typeset."""


def run() -> None:
    """Run as the process: see `worker.serve`."""
    from fcbdsl.print.typeset.worker import serve

    serve(int(sys.argv[1] if sys.argv[1] != FROZEN_FLAG else sys.argv[2]))


class _Process:
    """The running process of the requesting process, if there is one."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: subprocess.Popen[bytes] | None = None
        self._owner = 0
        self._typeset = 0  # characters of the documents so far

    def ask(self, head: dict[str, Any], parts: list[bytes]) -> tuple[dict[str, Any], list[bytes]]:
        """Send a request and return its answer. Raise Crashed if the process ends."""
        with self._lock:
            process = self._started()
            assert process.stdin is not None
            assert process.stdout is not None
            try:
                send(process.stdin, head, parts)
                answer, results = receive(process.stdout)
                self._typeset += len(parts[0]) if head["do"] == "set" else 0
                if answer.get("ends") or self._typeset > MOST_CHARACTERS:
                    self.end()
                return answer, results
            except (Ended, OSError):
                self._running = None
                _close(process)
                raise Crashed(_how(process.wait(), head["seconds"])) from None
            except BaseException:  # an interrupt: the answer would be taken for that to the next request
                self._running = None
                process.kill()
                _close(process)
                process.wait()
                raise

    def _started(self) -> subprocess.Popen[bytes]:
        import subprocess  # slow to import

        if self._running is None or self._owner != os.getpid():  # a forked process needs another worker
            self._running = subprocess.Popen(
                _command(),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env=_variables(),
                process_group=0,  # a terminal sends Ctrl-C to its whole group
            )
            self._owner, self._typeset = os.getpid(), 0
        return self._running

    def end(self) -> None:
        """End the process, if this one has started it."""
        if self._running is not None and self._owner == os.getpid():
            self._running.kill()
            _close(self._running)
            self._running.wait()
            self._running = None


def _close(process: subprocess.Popen[bytes]) -> None:
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            with contextlib.suppress(OSError):
                stream.close()


def _command() -> list[str]:
    """Return the command that starts the process. It searches no modules in the folder of a project (``-P``)."""
    if getattr(sys, "frozen", False):
        return [sys.executable, FROZEN_FLAG, str(MEGABYTES)]
    return [sys.executable, "-P", "-c", START, str(MEGABYTES), json.dumps(sys.path)]


def _variables() -> dict[str, str]:
    """Return the environment of the process: small memory reserves for threads, as these count against its limit."""
    return {"MALLOC_ARENA_MAX": "4", **os.environ}


def _how(code: int, seconds: int) -> str:
    """Return how a process ended, from its exit code."""
    if code >= 0:
        return f"the typesetter ended with code {code}"
    import signal

    try:
        name = signal.Signals(-code).name
    except ValueError:
        name = f"signal {-code}"
    if name == "SIGXCPU":
        return f"it takes more than {seconds} s of processor time"
    if name in ("SIGABRT", "SIGKILL"):
        return f"the typesetter was ended by {name}, which happens if it needs more than {MEGABYTES} MB of memory"
    return f"it crashes the typesetter ({name})"


_process = _Process()


def end() -> None:
    """End the process that typesets for this one, if there is one. The next request starts another."""
    _process.end()


atexit.register(end)


def ask(do: str, head: dict[str, Any], *parts: bytes, seconds: int) -> tuple[dict[str, Any], list[bytes]]:
    """Send a request to the worker (see `worker.serve`) and return its answer. Raise Crashed and TypesetterRefused."""
    answer, results = _process.ask({**head, "do": do, "seconds": seconds}, list(parts))
    if "refused" in answer:
        raise TypesetterRefused(str(answer["refused"]))
    return answer, results
