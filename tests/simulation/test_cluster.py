"""A real Dask cluster plays the same games as one process, even if workers end."""

from __future__ import annotations

import json
import pickle
import shutil
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from dask_cluster import Workplace
from pond_game import pond

from fcbdsl.machine.vm import fcbc
from fcbdsl.machine.vm.image import Image
from fcbdsl.play.simulation.cluster import Cluster, ClusterError, _image, _play, package_hash, read_answer
from fcbdsl.play.simulation.games import Matchup, Playout, Wanted, here, play_once, simulate

CELL = Matchup("crossing", 2, bot="sensible")
GAMES = 60


@pytest.fixture(scope="module")
def workplace(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workplace]:
    place = Workplace(tmp_path_factory.mktemp("cluster"))
    yield place
    place.end()


def at_home() -> list[Playout]:
    ((_, played),) = simulate(pond(), [CELL], Wanted(GAMES), here(1), {}, lambda *_: None)
    return played


@pytest.mark.long
def test_killed_worker_changes_no_result(workplace: Workplace) -> None:
    first, _ = workplace.worker(), workplace.worker()
    seeds: list[int] = []

    def keep(_: Matchup, game: Playout) -> None:
        seeds.append(game.seed)
        if len(seeds) == GAMES // 4:
            first.send_signal(signal.SIGKILL)
            first.wait()

    with closing(Cluster(workplace.address)) as cluster:
        ((_, played),) = simulate(pond(), [CELL], Wanted(GAMES), cluster.play, {}, keep)
    assert first.returncode == -signal.SIGKILL
    assert sorted(seeds) == list(range(1, GAMES + 1))
    assert played == at_home()


@pytest.mark.long
def test_games_are_played_over_tls_and_only_with_a_certificate(tmp_path: Path) -> None:
    certificate = tmp_path / "own.pem"
    _make_certificate(certificate)
    files = (certificate, certificate, certificate)
    options = [f"--tls-{name}={certificate}" for name in ("ca-file", "cert", "key")]
    place = Workplace(tmp_path, options)
    try:
        place.worker()
        assert place.address.startswith("tls://")
        with closing(Cluster(place.address, tls=files)) as cluster:
            ((_, played),) = simulate(pond(), [CELL], Wanted(4), cluster.play, {}, lambda *_: None)
        assert played == at_home()[:4]
        other = tmp_path / "other.pem"
        _make_certificate(other)
        with pytest.raises(ClusterError):
            Cluster(place.address, tls=(certificate, other, other))
    finally:
        place.end()


def _make_certificate(file: Path) -> None:
    """Write a self-signed certificate for this machine and its key."""
    if shutil.which("openssl") is None:
        pytest.skip("openssl, which makes the certificate of the test, is not installed")
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=127.0.0.1"]
    command += ["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", str(file), "-out", f"{file}.crt"]
    subprocess.run(command, check=True, capture_output=True)
    file.write_text(file.read_text() + Path(f"{file}.crt").read_text())


@pytest.mark.long
def test_early_end_is_equal_on_cluster(workplace: Workplace) -> None:
    workplace.worker()
    wanted = Wanted(GAMES, within=0.15)
    with closing(Cluster(workplace.address)) as cluster:
        ((_, there),) = simulate(pond(), [CELL], wanted, cluster.play, {}, lambda *_: None)
    ((_, played),) = simulate(pond(), [CELL], wanted, here(1), {}, lambda *_: None)
    assert there == played
    assert len(played) < GAMES


@pytest.mark.long
def test_worker_with_other_results_is_refused(workplace: Workplace, monkeypatch: pytest.MonkeyPatch) -> None:
    workplace.worker()
    monkeypatch.setattr("fcbdsl.play.simulation.cluster.package_hash", lambda: "another")
    with closing(Cluster(workplace.address)) as cluster, pytest.raises(ClusterError, match="another fcb"):
        list(cluster.play(pond(), [(CELL, 1)]))


@pytest.mark.long
def test_missing_workers_are_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fcbdsl.play.simulation.cluster.PATIENCE", 3)
    place = Workplace(tmp_path)
    called: list[int] = []

    def waiting() -> None:
        called.append(1)
        if len(called) == 1:
            place.worker()

    with closing(Cluster(place.address, waiting)) as cluster:
        assert [number for number, _ in cluster.play(pond(), [(CELL, 1)])] == [0]
    assert called
    place.end()


@pytest.mark.long
def test_ended_scheduler_is_reported(tmp_path: Path) -> None:
    place = Workplace(tmp_path)
    place.worker()

    def keep(_: Matchup, game: Playout) -> None:
        place.processes[0].kill()

    with closing(Cluster(place.address)) as cluster, pytest.raises(ClusterError, match="scheduler"):
        list(simulate(pond(), [CELL], Wanted(GAMES), cluster.play, {}, keep))
    place.end()


def test_missing_scheduler_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fcbdsl.play.simulation.cluster.PATIENCE", 0.1)
    with pytest.raises(ClusterError, match="No Dask scheduler answers at tcp"):
        Cluster("tcp://127.0.0.1:9")


class Silent:
    """A client of a cluster whose calls never return, or whose games are never over."""

    status = "running"
    key = "game"

    def __init__(self, *_: object, **__: object) -> None:
        self.begun = threading.Event()

    def nthreads(self) -> dict[str, int]:
        return {"worker": 1}

    def submit(self, *_: object, **__: object) -> Silent:
        return self

    def add_done_callback(self, call: Callable[[Silent], None]) -> None:
        pass

    def hang(self, *_: object, **__: object) -> None:
        self.begun.wait()

    cancel = close = result = hang


class Hiding(Silent):
    """A client of a cluster whose finished games are never delivered."""

    def add_done_callback(self, call: Callable[[Silent], None]) -> None:
        call(self)


class Deaf(Silent):
    """A client of a cluster whose scheduler answers nothing."""

    nthreads = Silent.hang  # type: ignore[assignment]


@pytest.mark.parametrize(
    ("client", "why"),
    [
        (Silent, "finished no game for 0.03 s. Check its workers, or allow more with --dask-timeout"),
        (Hiding, "has not answered within 0.01 s"),
        (Deaf, "has not answered within 0.01 s"),
    ],
)
def test_silent_cluster_ends_run(client: type[Silent], why: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fcbdsl.play.simulation.cluster.PATIENCE", 0.01)
    monkeypatch.setattr("distributed.Client", client)
    with closing(Cluster("tcp://a", silence=0.03)) as cluster, pytest.raises(ClusterError, match=why):
        list(cluster.play(pond(), [(CELL, 1)]))


def test_package_fingerprint_follows_sources(tmp_path: Path) -> None:
    for name, text in (("here", "a = 1\n"), ("there", "a = 1\r\n"), ("other", "a = 2\n")):
        (tmp_path / name / "room").mkdir(parents=True)
        (tmp_path / name / "room" / "file.py").write_bytes(text.encode())
    here, there, other = (package_hash(tmp_path / name) for name in ("here", "there", "other"))
    assert here == there != other
    (tmp_path / "there" / "room" / "file.py").rename(tmp_path / "there" / "file.py")
    package_hash.cache_clear()
    assert package_hash(tmp_path / "there") != here


# ── what a worker answers is data ──────────────────────────────────────────────────────────────


def test_worker_answers_with_the_game_that_is_played_here() -> None:
    program = pond()
    answer = _play(package_hash(), program.hash, fcbc.dump(program), CELL, 7)
    assert read_answer(answer, 7) == play_once(Image(program), CELL, 7)


def test_worker_refuses_a_program_of_another_hash() -> None:
    program = pond()
    answer = _play(package_hash(), "0" * 32, fcbc.dump(program), CELL, 7)
    with pytest.raises(ClusterError, match="has the program of somebody else"):
        read_answer(answer, 7)
    with pytest.raises(ClusterError, match="refuses the program"):
        _image(b"nothing", program.hash)


SOUND = json.loads(_play(package_hash(), pond().hash, fcbc.dump(pond()), CELL, 1))


@pytest.mark.parametrize(
    "answer",
    [
        None, 7, "{}", b"", b"[]", b"{}", b"[" * 100_000, b"9" * 5000, b"x" * (1 << 21),
        json.dumps({**SOUND, "seed": "1"}).encode(),
        json.dumps({**SOUND, "seed": True}).encode(),
        json.dumps({**SOUND, "more": 1}).encode(),
        json.dumps({**SOUND, "tracks": {"a": "b"}}).encode(),
        json.dumps({**SOUND, "used": {"\x1b[31m": 1}}).encode(),
        json.dumps({**SOUND, "outcome": "a\n::error::b"}).encode(),
        json.dumps({**SOUND, "courses": {"a": [1, "b"]}}).encode(),
        json.dumps({name: SOUND[name] for name in SOUND if name != "why"}).encode(),
        pickle.dumps(SOUND),
    ],
    ids=lambda answer: str(answer)[:20],
)  # fmt: skip
def test_other_answers_are_refused(answer: object) -> None:
    with pytest.raises(ClusterError, match="did not answer with a game"):
        read_answer(answer, 1)


def test_error_of_a_worker_has_no_control_characters() -> None:
    with pytest.raises(ClusterError) as error:
        read_answer(json.dumps({"error": "\x1b[31m\n::error::x"}).encode(), 1)
    assert "\x1b" not in str(error.value)
    assert "\n" not in str(error.value)


def test_game_of_another_seed_is_refused() -> None:
    answer = json.dumps(SOUND).encode()
    assert read_answer(answer, 1).seed == 1
    with pytest.raises(ClusterError, match="another game than the one asked for"):
        read_answer(answer, 2)
