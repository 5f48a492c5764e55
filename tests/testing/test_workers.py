"""Tests in several processes: the same results, and no process remains."""

from __future__ import annotations

import multiprocessing
import os
import select
import signal
import subprocess
import sys
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pytest
from cli_runner import Shell
from pond_game import copy_pond, pond

from fcbdsl.machine.vm.image import Image
from fcbdsl.play.session import worker_pool
from fcbdsl.play.testing import workers
from fcbdsl.play.testing.content_tests import Result

forks = pytest.mark.skipif(worker_pool._method() != "fork", reason="no forked processes here")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    """Return a shell in a project with some dozens of tests, each seventh of which fails."""
    root = copy_pond(tmp_path)
    text = (root / "tests" / "pond.fcb").read_text()
    head, first, _ = text.split("test ", 2)
    copies = [
        first.replace('"A hop', f'"{number}: a hop').replace("energy = 2", f"energy = {3 if number % 7 == 0 else 2}")
        for number in range(40)
    ]
    (root / "tests" / "many.fcb").write_text("test ".join([head, *copies]))
    return Shell(root, monkeypatch, capsys)


@pytest.mark.long
@pytest.mark.parametrize("form", ["text", "json"])
def test_report_is_equal_for_any_number_of_processes(project: Shell, form: str) -> None:
    alone, *others = (project.fcb("test", "--format", form, "--jobs", jobs) for jobs in ("1", "2", "5"))
    assert alone.code == 1
    assert "35: a hop" in alone.out
    assert form == "json" or alone.out.endswith("42 tests: 36 passed, 6 failed.\n")
    assert others == [alone, alone]
    assert project.fcb("test", "--jobs", "0").code == 2


def test_restarted_workers_give_same_results(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_pool, "_method", lambda: "spawn")
    monkeypatch.setattr(workers, "SHARE", 1)
    assert workers.run_tests(pond(), [1, 0], 2) == workers.run_tests(pond(), [1, 0])


def stand_in(monkeypatch: pytest.MonkeyPatch, run_test: object) -> None:
    """Replace the function that runs a test in workers."""
    monkeypatch.setattr(workers, "run_test", run_test)


@forks
def test_work_is_shared_and_ordered(monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(monkeypatch, lambda image, number: Result(number, str(os.getpid()), (), 0))
    counts: list[int] = []
    results = workers.run_tests(pond(), range(50), 3, counts.append)
    assert [result.number for result in results] == list(range(50))
    assert len({result.title for result in results} - {str(os.getpid())}) == 3
    assert sum(counts) == 50
    assert multiprocessing.active_children() == []


@forks
def test_bug_is_reported_alike_by_any_number_of_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    class Odd(Exception):
        """Can't be sent."""

        def __init__(self, one: int, two: int) -> None:
            super().__init__(f"{one} and {two}")

    def fail(image: Image, number: int) -> Result:
        raise KeyError(number) if number < 8 else Odd(1, 2)

    stand_in(monkeypatch, fail)
    with pytest.raises(KeyError, match="0"):
        workers.run_tests(pond(), [0] * 20, 2)
    with pytest.raises(RuntimeError, match="Odd: 1 and 2"):
        workers.run_tests(pond(), [8] * 20, 2)
    assert multiprocessing.active_children() == []


@forks
def test_killed_worker_is_reported(project: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(monkeypatch, lambda image, number: os.kill(os.getpid(), signal.SIGKILL))
    done = project.fcb("test", "--jobs", "2")
    assert (done.code, done.err) == (2, "fcb: Another program ended a worker process\n")
    assert multiprocessing.active_children() == []


@forks
def test_interrupt_ends_all_workers(project: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(image: Image, number: int) -> None:
        while number == 0:
            os.kill(os.getppid(), signal.SIGINT)
            select.select([], [], [], 5)  # again, because Python loses an interrupt while it ignores exceptions
        signal.pause()

    stand_in(monkeypatch, interrupt)
    done = project.fcb("test", "--jobs", "2")
    assert (done.code, done.err.strip()) == (2, "Stopped.")
    assert multiprocessing.active_children() == []


@pytest.mark.parametrize("method", ["spawn", "fork"])
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signal masks")
def test_interrupt_during_import_is_handled(method: Any) -> None:
    context = multiprocessing.get_context(method)
    ours, theirs = context.Pipe()
    process = context.Process(target=send_blocked_signals, args=(theirs,))
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    worker_pool.start_process(process)
    assert signal.SIGINT in ours.recv()
    process.join()
    assert signal.pthread_sigmask(signal.SIG_BLOCK, ()) == before


def send_blocked_signals(theirs: Connection) -> None:
    theirs.send(signal.pthread_sigmask(signal.SIG_BLOCK, ()))


@forks
def test_workers_end_with_a_killed_process() -> None:
    """The workers hold the other end of the pipe, too: it is closed when the last one has gone."""
    work = (
        "import os, signal\n"
        "from pond_game import pond\n"
        "from fcbdsl.play.testing import workers\n"
        "from fcbdsl.play.testing.content_tests import Result\n"
        "me = os.getpid()\n"
        "def run_test(machine, number):\n"
        "    if number == 30:\n"
        "        os.kill(me, signal.SIGKILL)\n"
        "    return Result(number, '', (), 0)\n"
        "workers.run_test = run_test\n"
        "workers.run_tests(pond(), range(200), 3)\n"
    )
    tests = Path(__file__).parents[1]
    paths = os.pathsep.join([str(tests), str(tests.parent)])
    done = subprocess.run(
        [sys.executable, "-c", work], capture_output=True, timeout=60, env={**os.environ, "PYTHONPATH": paths}
    )
    assert done.returncode == -signal.SIGKILL
    assert done.stderr == b""
