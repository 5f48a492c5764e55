"""Refusals of `fcb serve`. Other tests are in `tests/live`."""

from __future__ import annotations

import logging
import socket
import sys

import pytest
import uvicorn
from cli_runner import Shell

from fcbdsl.base.origin import install_advice
from fcbdsl.cli import serve_command


def test_used_port_is_refused_first(project: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serve_command.common, "open_scope", None)  # would fail if it were called
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = project.fcb("serve", "--port", str(port))
        assert (done.code, f"Port {port} is not free" in done.err) == (2, True)


def test_missing_libraries_are_reported_with_install_command(project: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith(("starlette", "fcbdsl.editor.live.live_server"))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "starlette", None)
    done = project.fcb("serve")
    assert (done.code, install_advice("live") in done.err) == (2, True)
    assert '"starlette<2,>=1.0"' in done.err


def test_server_listens_on_loopback_only(monkeypatch: pytest.MonkeyPatch) -> None:
    with serve_command.bind_socket(None) as listening:
        assert listening.getsockname()[0] == "127.0.0.1"
        first = listening.getsockname()[1]
        with serve_command.bind_socket(None) as other:
            assert other.getsockname()[1] > first
        monkeypatch.setattr(serve_command, "PORTS", 1)
        monkeypatch.setattr(serve_command, "FIRST_PORT", first)
        with pytest.raises(Exception, match="are not free"):
            serve_command.bind_socket(None)


def test_text_that_is_not_utf8_prints_no_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(server: uvicorn.Server, sockets: list[socket.socket]) -> None:
        log = logging.getLogger("uvicorn.error")
        try:
            b"\xff".decode()
        except UnicodeDecodeError:
            log.exception("Invalid UTF-8 sequence received from client.")
        log.error("another error")

    monkeypatch.setattr(uvicorn.Server, "run", run)
    with serve_command.bind_socket(None) as listening:
        serve_command.serve_at(None, listening)
    shown = capsys.readouterr().err
    assert "another error" in shown
    assert "UTF-8" not in shown
