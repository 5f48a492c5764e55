"""The single file of a release works without Python on PATH, in each of the processes that it starts."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any
from urllib.request import HTTPCookieProcessor, build_opener

import pytest
from websockets.sync.client import connect
from websockets.typing import Origin

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.long
PASSED = re.compile(r"(\d+) tests: \1 passed, 0 failed")


@pytest.fixture(scope="module")
def single(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the file, made as for a release."""
    out = tmp_path_factory.mktemp("dist")
    command = [sys.executable, str(ROOT / "release" / "dist.py"), str(out)]
    made = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, env={**os.environ, "COMPILED": ""})
    if "No matching distribution found for pyinstaller" in made.stderr:
        pytest.skip("PyInstaller cannot be installed")
    assert made.returncode == 0, made.stderr
    sums = (out / "SHA256SUMS").read_text(encoding="utf-8")
    assert {line.split()[1] for line in sums.splitlines()} == {path.name for path in out.iterdir()} - {"SHA256SUMS"}
    return out / ("fcb.exe" if os.name == "nt" else "fcb")


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return an environment without Python on its PATH."""
    return {"PATH": "/nonexistent", "HOME": str(tmp_path_factory.mktemp("home"))}


@pytest.fixture(scope="module")
def pack(single: Path, environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a project that the file has begun."""
    folder = tmp_path_factory.mktemp("packs")
    done = subprocess.run([single, "new", "my-pack"], cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return folder / "my-pack"


@pytest.fixture
def started(pack: Path, single: Path, environment: dict[str, str]) -> Iterator[Any]:
    """Return a function that starts the file with arguments in the project. Running processes are ended afterwards."""
    running: list[subprocess.Popen[bytes]] = []

    def start(*arguments: str) -> subprocess.Popen[bytes]:
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        command = [str(single), *arguments]
        running.append(subprocess.Popen(command, cwd=pack, env=environment, **pipes))  # type: ignore[call-overload]
        return running[-1]

    yield start
    for process in running:
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
        process.communicate()


def test_single_file_checks_tests_plays_and_prints(single: Path, environment: dict[str, str], pack: Path) -> None:
    mission = next((pack / "missions").glob("*.fcb")).stem
    for arguments, output in [
        (["--version"], r"^fcb, version \d"),
        (["check"], r"No problems"),
        (["test"], PASSED),
        (["test", "--jobs", "2"], PASSED),
        (["play", mission, "--bot", "random", "--players", "2", "--seed", "3"], r"seed: 3"),
        (["simulate", mission, "--bot", "random", "--players", "2", "--games", "2", "--jobs", "2"], r"won"),
        (["render", "-o", "out"], r"mission-.*\.pdf"),
    ]:
        command = [str(single), *arguments]
        done = subprocess.run(command, cwd=pack, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, (arguments, done.stdout, done.stderr)
        assert re.search(output, done.stdout), (arguments, done.stdout, done.stderr)
    assert all(path.read_bytes().startswith(b"%PDF") for path in (pack / "out").rglob("*.pdf"))


def test_single_file_mutates_in_two_processes(single: Path, environment: dict[str, str], pack: Path) -> None:
    command = [str(single), "mutate", "--sample", "3", "--jobs", "2"]
    done = subprocess.run(command, cwd=pack, env=environment, capture_output=True, text=True)
    assert done.returncode in (0, 1), done.stderr
    assert re.search(r"^3 of \d+ mutants", done.stdout, re.MULTILINE)


def test_single_file_serves_and_its_helper_runs_the_tests(started: Any) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    served = started("serve", "--port", str(port))
    address = re.search(rb"http://\S+", served.stdout.readline())
    assert address is not None
    cookies = CookieJar()  # the link's token becomes a cookie
    with build_opener(HTTPCookieProcessor(cookies)).open(address[0].decode()) as page:
        assert b"<html" in page.read()
    origin = f"http://127.0.0.1:{port}"
    cookie = "; ".join(f"{item.name}={item.value}" for item in cookies)
    with connect(
        f"ws://127.0.0.1:{port}/follow", origin=Origin(origin), additional_headers={"Cookie": cookie}
    ) as channel:
        assert any("6 tests passed" in text for text in channel)
    served.send_signal(signal.SIGINT)
    assert served.wait() == 0


def test_single_file_serves_editors(started: Any) -> None:
    server = started("lsp")

    def send(**message: Any) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        server.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        server.stdin.flush()

    def receive() -> Any:
        length = 0
        while line := server.stdout.readline().strip():
            name, _, value = line.partition(b":")
            length = int(value) if name.lower() == b"content-length" else length
        return json.loads(server.stdout.read(length))

    send(id=1, method="initialize", params={"processId": None, "rootUri": None, "capabilities": {}})
    assert "hoverProvider" in receive()["result"]["capabilities"]
    send(id=2, method="shutdown")
    assert receive()["id"] == 2
    send(method="exit")
    assert server.wait() == 0
    assert server.stderr.read() == b""
