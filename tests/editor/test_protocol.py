"""The language server over bytes: frames, errors, ends, and all spellings of a URI."""

from __future__ import annotations

import json
import subprocess
import sys
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from opened import TRICKS, copied

from fcbdsl.editor.lsp.documents import Columns, Document
from fcbdsl.editor.lsp.protocol import Broken, frames
from fcbdsl.editor.lsp.server import make_server
from fcbdsl.editor.lsp.uris import path_of, uri_of


def framed(message: object) -> bytes:
    body = json.dumps(message).encode()
    return b"Content-Length: %d\r\n\r\n" % len(body) + body


def request(number: int, method: str, params: object = None) -> bytes:
    return framed({"jsonrpc": "2.0", "id": number, "method": method, "params": params})


def note(method: str, params: object = None) -> bytes:
    return framed({"jsonrpc": "2.0", "method": method, "params": params})


START = request(1, "initialize", {"processId": None, "rootUri": None, "capabilities": {}}) + note("initialized", {})
END = request(99, "shutdown") + note("exit")


def talk(folder: Path, data: bytes) -> tuple[int, bytes, dict[Any, Any], list[Any]]:
    """Send messages to a server. Return its exit code, standard error, answers by number and notifications."""
    done = subprocess.run(
        [sys.executable, "-m", "fcbdsl", "lsp"], input=data, cwd=folder, capture_output=True, timeout=120, check=False
    )
    return done.returncode, done.stderr, *heard(done.stdout)


def heard(out: bytes) -> tuple[dict[Any, Any], list[Any]]:
    """Return the answers by number and the notifications that a server has written."""
    answers, notes = dict[Any, Any](), list[Any]()
    for body in frames(_once(out)):
        assert not isinstance(body, Broken)
        message = json.loads(body)
        if "method" in message:
            notes.append(message)
        else:
            answers[message["id"]] = message
    return answers, notes


def _once(data: bytes) -> Any:
    rest = [data]
    return lambda size: rest.pop() if rest else b""


# ── ends ───────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.long
@pytest.mark.parametrize(
    ("data", "code"), [(START + END, 0), (START + note("exit"), 1), (START, 0), (b"", 0), (note("exit"), 1)]
)
def test_server_exits_with_code_and_empty_stderr(tmp_path: Path, data: bytes, code: int) -> None:
    assert talk(tmp_path, data)[:2] == (code, b"")


# ── frames and errors ──────────────────────────────────────────────────────────────────────────

EMPTY = b"Content-Length: 2\r\n\r\n{}"


@pytest.mark.parametrize(
    "before",
    [
        b'Content-Length: -5\r\n\r\n{"a": 1}',
        b"Content-Length: 99999999999999\r\n\r\n{}",
        b"Content-Length: 500\r\n\r\n{}",
        b"Content-Length: many\r\n\r\n{}",
        b"Content-Length:\r\n\r\n",
        b"nonsense\r\n\r\nmore: 4\r\n\r\n",
    ],
)
@pytest.mark.parametrize("size", [1, 7, 10_000])
def test_invalid_frame_is_reported_and_the_next_message_is_read(before: bytes, size: int) -> None:
    rest = bytearray(before + EMPTY)

    def read(_: int) -> bytes:
        chunk = bytes(rest[:size])
        del rest[:size]
        return chunk

    contents = list(frames(read))
    assert contents[-1] == b"{}"
    assert isinstance(contents[0], Broken)
    assert len([content for content in contents if content == b"{}"]) == 1


@pytest.mark.parametrize("header", [b"content-length:2\r\nContent-Type: x\r\n\r\n", b"Content-Length: 2\n\n"])
def test_header_spellings_are_accepted(header: bytes) -> None:
    assert list(frames(_once(header + b"{}"))) == [b"{}"]


def test_body_can_contain_header_text() -> None:
    body = b'{"a": "Content-Length: -5 and Content-Length: 3"}'
    message = b"Content-Length: %d\r\n\r\n" % len(body) + body
    assert list(frames(_once(message + EMPTY + message))) == [body, b"{}", body]


def test_every_request_is_answered(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    uri = (folder / TRICKS).as_uri()

    def place(uri: object = uri, line: object = 0, character: object = 0) -> object:
        return {"textDocument": {"uri": uri}, "position": {"line": line, "character": character}}

    messages = [
        request(2, "textDocument/hover", place()),
        START,
        request(3, "textDocument/hover"),
        request(4, "textDocument/hover", place(line=-1)),
        request(5, "textDocument/hover", place(line=2**31)),
        request(6, "textDocument/hover", place(uri=5)),
        request(7, "textDocument/hover", place(uri="file:///a%00b")),
        request(8, "textDocument/hover", place(uri="untitled:x")),
        request(9, "textDocument/hover", place(uri="file://[")),
        request(10, "textDocument/hover", place(uri="file:///" + "x" * 5000)),
        request(11, "no/such/method"),
        request(15, "textDocument/hover", place(uri="file:///\ud800")),
        framed([1]),
        b"Content-Length: 3\r\n\r\n{,}",
        b"Content-Length: -5\r\n\r\n{}",
        note("textDocument/didOpen", {"textDocument": {}}),
        note("textDocument/didChange", {"textDocument": {"uri": uri, "version": 2}, "contentChanges": [{"text": "x"}]}),
        request(12, "textDocument/rename", place() | {"newName": "x"}),  # type: ignore[operator]
        request(13, "textDocument/hover", place(line=9999, character=9999)),
        request(99, "shutdown"),
        request(14, "textDocument/hover", place()),
        note("exit"),
    ]
    code, stderr, answers, _ = talk(folder, b"".join(messages))
    assert (code, stderr) == (0, b"")
    codes = {number: answer.get("error", {}).get("code") for number, answer in answers.items() if number is not None}
    invalid = dict.fromkeys((3, 4, 5, 6), -32602)
    refused = dict.fromkeys((7, 8, 9, 10, 12, 15), -32803)
    fine = dict.fromkeys((1, 13, 99))
    assert codes == {**fine, 2: -32002, **invalid, **refused, 11: -32601, 14: -32600}
    assert "Traceback" not in json.dumps(answers)


# ── files ──────────────────────────────────────────────────────────────────────────────────────

NAME = "My Pack é #1 50% a+b"


@pytest.mark.parametrize(
    "written",
    [
        lambda path: "file://" + quote(path),
        lambda path: "file://" + path,
        lambda path: "file://localhost" + quote(path),
        lambda path: "file:" + quote(path),
        lambda path: "file://" + "".join(f"%{byte:02x}" if byte != 47 else "/" for byte in path.encode()),
    ],
)
def test_document_is_found_by_any_uri_spelling(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], written: Any
) -> None:
    (tmp_path / NAME).mkdir()
    folder = copied(tmp_path / NAME)
    text = "# typed, not saved\n" + (folder / TRICKS).read_text(encoding="utf-8") + "nonsense\n"
    row = next(at for at, line in enumerate(text.split("\n")) if line.startswith("trick oil-flask"))
    uri = written(str(folder / TRICKS))
    document = {"uri": uri, "languageId": "fcb", "version": 1, "text": text}
    asked = {"textDocument": {"uri": uri}, "position": {"line": row, "character": 7}, "newName": "lamp-oil"}
    opened = note("textDocument/didOpen", {"textDocument": document})
    monkeypatch.chdir(folder)
    out = BytesIO()
    messages = START + opened + request(2, "textDocument/rename", asked) + END
    assert make_server().serve(BytesIO(messages).read, out) == 0
    assert capfd.readouterr().err == ""
    answers, notes = heard(out.getvalue())
    (published,) = [
        note["params"]
        for note in notes
        if note["method"].endswith("publishDiagnostics") and note["params"]["diagnostics"]
    ]
    assert published["uri"] == uri
    assert [diagnostic["code"] for diagnostic in published["diagnostics"]] == ["FCB0320"]
    changes = answers[2]["result"]["changes"]
    assert row in [edit["range"]["start"]["line"] for edit in changes[uri]]
    for edit in changes[uri]:
        start, end = edit["range"]["start"], edit["range"]["end"]
        assert text.split("\n")[start["line"]][start["character"] : end["character"]] == "oil-flask"


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///c%3A/My%20Pack%20%C3%A9%20%231/a.fcb", r"C:\My Pack é #1\a.fcb"),
        ("file:///C:/My Pack é #1/a.fcb", r"C:\My Pack é #1\a.fcb"),
        ("file:///c:/a+b/50%25.fcb", r"C:\a+b\50%.fcb"),
        ("FILE://localhost/c%3a/a.fcb", r"C:\a.fcb"),
        ("file:///c|/a.fcb", r"C:\a.fcb"),
        ("file://server/share/a.fcb", r"\\server\share\a.fcb"),
        ("untitled:a", None),
        ("git:/c:/a.fcb", None),
        ("file:///c:/a%00", None),
        ("file:///no-drive", None),
    ],
)
def test_uri_paths_on_windows(uri: str, path: str | None) -> None:
    assert path_of(uri, windows=True) == path
    if path is not None:
        assert path_of(uri_of(path, windows=True), windows=True) == path


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///a%20b/%C3%A9%23.fcb", "/a b/é#.fcb"),
        ("file:///a/../b//c.fcb", "/b/c.fcb"),
        ("file:////a", "/a"),
        ("file:///%E9", "/\udce9"),
        ("file:///c%3A/a", "/c:/a"),
        ("file://elsewhere/a", None),
        ("file:a", None),
        ("", None),
    ],
)
def test_uri_paths_on_posix(uri: str, path: str | None) -> None:
    assert path_of(uri, windows=False) == path
    if path is not None:
        assert path_of(uri_of(path, windows=False), windows=False) == path


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_columns_round_trip_by_encoding(encoding: str) -> None:
    columns, row = Columns(encoding), "a𝄞é b"
    for at in range(len(row) + 1):
        assert columns.to_characters(row, columns.to_units(row, at)) == at
    assert columns.to_characters(row, 999) == len(row)


def test_edits_use_line_endings_of_protocol() -> None:
    from lsprotocol import types

    document = Document("file:///a", "a\u2028b\x0cc\r\nd\re\nf", 1)
    spot = types.Range(types.Position(2, 0), types.Position(2, 99))
    document.change(types.TextDocumentContentChangePartial(spot, "X"), Columns())
    assert document.text == "a\u2028b\x0cc\r\nd\rX\nf"
