"""``fcb table --lan``: its address, its links, and its QR codes."""

from __future__ import annotations

import errno
import os
import socket
import sys
from pathlib import Path
from typing import Any

import click
import pytest
import segno
from cli_runner import Shell
from starlette.testclient import TestClient

from fcbdsl.base import files
from fcbdsl.base.origin import install_advice
from fcbdsl.cli import lan, table_command

LINK = "http://192.168.1.20:8437/#abcdefghijklmnopqrstuvwxyz012345"


def given(value: str) -> str | None:
    option = click.Option(["--lan"])
    return lan.address_of(click.Context(click.Command("table")), option, value)


@pytest.mark.parametrize("address", ["192.168.1.20", "10.0.0.7", "172.16.3.4", "169.254.10.1", "127.0.0.1"])
def test_address_of_home_network_is_accepted(address: str) -> None:
    assert given(address) == address


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("0.0.0.0", "all networks"),
        ("8.8.8.8", "people everywhere"),
        ("224.0.0.1", "people everywhere"),
        ("cinder-quarry", "write --lan after MISSION"),
        ("192.168.1", "not an IPv4 address"),
        ("::", "not an IPv4 address"),
    ],
)
def test_other_addresses_are_refused(address: str, why: str) -> None:
    with pytest.raises(click.BadParameter, match=why):
        given(address)


class NoNetwork:
    def __init__(self, *sort: object) -> None: ...
    def __enter__(self) -> NoNetwork:
        return self

    def __exit__(self, *trouble: object) -> None: ...
    def connect(self, address: object) -> None:
        raise OSError("Network is unreachable")


def test_machine_without_network_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "socket", NoNetwork)
    with pytest.raises(click.BadParameter, match="in no network"):
        given("")


def test_qr_code_contains_link() -> None:
    """Its half blocks are the modules of the code, with a light border of four."""
    lines = click.unstyle(lan.qr_code(LINK)).split("\n")
    rows = [[mark in marks for mark in line] for line in lines for marks in ("▀█", "▄█")]
    expected = [[*map(bool, row)] for row in segno.make_qr(LINK, error="l").matrix_iter(border=4)]
    assert rows[: len(expected)] == expected
    assert not any(any(row) for row in rows[len(expected) :])
    assert max(len(lines), len(lines[0]) // 2) <= 24, "it fits a terminal of 24 lines"


def test_missing_qr_library_or_old_terminal_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    class Old:
        encoding = "cp1252"

    with monkeypatch.context() as patched:
        patched.setattr(sys, "stdout", Old())
        assert "cannot show a QR code" in lan.qr_code(LINK)
    monkeypatch.setitem(sys.modules, "segno", None)
    assert install_advice("live") in lan.qr_code(LINK)


def test_address_of_other_machine_is_refused(project: Shell) -> None:
    done = project.fcb("table", "crossing", "--lan", "169.254.250.250")
    assert (done.code, "not an address of this machine" in done.err) == (2, True)


def test_lan_table_prints_links_and_warning(project: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    served: dict[str, Any] = {}

    def serve(app: Any, listening: socket.socket) -> None:
        served.update(app=app, at=listening.getsockname())

    monkeypatch.setattr(table_command, "serve_at", serve)
    mission = project.fcb("missions").out.split()[0]
    done = project.fcb("table", mission, "--human", "1", "--lan", "127.0.0.1")
    assert done.code == 0, done.err
    host = "{}:{}".format(*served["at"])
    assert served["at"][0] == "127.0.0.1"
    links = [line for line in done.out.splitlines() if line.startswith(f"http://{host}/#")]
    assert [line.partition("(")[2].partition(";")[0] for line in links] == ["player 1", "spectators"]
    assert "without encryption" in done.out
    tokens = [line.partition("#")[2].partition(" ")[0] for line in links]
    assert len(set(tokens)) == 2
    with TestClient(served["app"], base_url=f"http://{host}") as client:
        assert all(client.post("/enter", content=token).status_code == 204 for token in tokens)
        port = served["at"][1]
        assert client.get("/", headers={"host": f"localhost:{port}"}).status_code == 403, "only the printed name"
        writing = ("put", "patch", "delete")
        assert all(client.request(way, path).status_code in (404, 405) for way in writing for path in ("/", "/enter"))


def test_unsaved_table_game_fails_at_end(project: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    log = project.folder / "game.json"
    log.write_bytes(b"old")

    def write(out: Any, data: bytes) -> None:
        out.write(data[:1])
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def serve(app: Any, listening: socket.socket) -> None:
        host = "{}:{}".format(*listening.getsockname())
        with TestClient(app, base_url=f"http://{host}") as client:
            token = capture["link"].partition("#")[2].partition(" ")[0]
            client.post("/enter", content=token)
            with client.websocket_connect(f"ws://{host}/table", headers={"origin": f"http://{host}"}) as table:
                table.receive_json()
                view = table.receive_json()
                table.send_json({"t": "choose", "n": view["n"], "choice": 0})
                assert "No space left" in table.receive_json()["note"]

    capture: dict[str, str] = {}
    monkeypatch.setattr(table_command, "print_links", lambda links, lan: capture.update(link=links[0][0]))
    monkeypatch.setattr(table_command, "serve_at", serve)
    monkeypatch.setattr(files, "_write_out", write)
    mission = project.fcb("missions").out.split()[0]
    done = project.fcb("table", mission, "--log", "game.json", "--seed", "1", "--players", "1")
    assert done.code == 2
    assert "The game is not saved: No space left on device: 'game.json'." in done.err
    assert "decision" not in done.err
    assert log.read_bytes() == b"old"
    assert [path.name for path in project.folder.iterdir() if path.name.endswith(files.PART)] == []


def test_log_through_outside_link_is_refused_before_game(project: Shell, tmp_path: Path) -> None:
    (project.folder / "out").symlink_to(tmp_path)
    done = project.fcb("table", project.fcb("missions").out.split()[0], "--log", "out/game.json")
    assert (done.code, done.out) == (2, "")
    assert "a link leads out of" in done.err
