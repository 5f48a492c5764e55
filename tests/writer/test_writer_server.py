"""The editor in the page: what it reads and saves, its language server, and what it refuses."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from pond_game import calm_pond
from starlette.testclient import TestClient, WebSocketTestSession
from starlette.websockets import WebSocketDisconnect

from fcbdsl.editor.live.live_server import Hub, cookie_of, make_live_app
from fcbdsl.editor.live.project_state import Desk
from fcbdsl.editor.writer import writer_server
from fcbdsl.project.analysis.source_pieces import text_hash
from fcbdsl.project.workspace import Workspace

HOST = "http://127.0.0.1:8437"
ORIGIN = {"Origin": HOST}
COOKIE = {cookie_of(8437): "a-token"}
CHANNEL = "ws://127.0.0.1:8437/write/language"
CARDS = "cards/pond.fcb"


class Written:
    """An open project with its editor."""

    def __init__(self, root: Path, writes: bool = True) -> None:
        self.root = root
        self.desk, self.hub = Desk([Workspace(root=root)]), Hub()
        app = make_live_app(
            self.desk, self.hub, 8437, "a-token", texts=writer_server.make_writer_app(self.desk, self.hub, 8437, writes)
        )
        self.client = TestClient(app, base_url=HOST, cookies=COOKIE, follow_redirects=False)
        self.file = str(root / CARDS)

    def disk(self) -> bytes:
        return (self.root / CARDS).read_bytes()

    def read(self) -> dict[str, Any]:
        data: dict[str, Any] = self.client.get("/write/text", params={"file": self.file}).json()
        return data

    def save(self, seal: str, text: str) -> tuple[int, dict[str, Any]]:
        answer = self.client.post("/write/save", json={"file": self.file, "seal": seal, "text": text})
        return answer.status_code, answer.json()


@pytest.fixture
def pond(tmp_path: Path) -> Written:
    return Written(calm_pond(tmp_path))


# ── texts ────────────────────────────────────────────────────────────────────────────────────────


def test_page_opens_a_text_that_it_can_save(pond: Written) -> None:
    page = pond.client.get("/write/", params={"file": pond.file})
    assert page.status_code == 200
    policy = page.headers["content-security-policy"]
    assert ("script-src 'self'" in policy, "ws://127.0.0.1:8437" in policy) == (True, True)
    assert 'id="save"' in page.text
    content = pond.read()
    assert content["text"].encode() == pond.disk()
    assert content["writable"] is True
    status, saved = pond.save(content["seal"], content["text"].replace("Gift of flies", "Gift of gnats"))
    assert (status, saved["undo"]) == (200, True)
    assert b"Gift of gnats" in pond.disk()
    assert saved["seal"] == text_hash(pond.disk().decode()) == pond.read()["seal"]
    assert "Gift of gnats" in pond.desk.games[0].space.text(pond.file)


@pytest.mark.parametrize("ends", [b"\r\n", b"\n"])
@pytest.mark.parametrize("mark", [b"\xef\xbb\xbf", b""])
def test_save_changes_only_the_rows_concerned(pond: Written, ends: bytes, mark: bytes) -> None:
    rows = pond.disk().split(b"\n")
    mixed = mark + rows[0] + b"\n" + ends.join(rows[1:])  # the first row ends in another way
    (pond.root / CARDS).write_bytes(mixed)
    content = pond.read()
    status, saved = pond.save(content["seal"], content["text"].replace("Gift of flies", "Gift of\n\n gnats"))
    assert status == 200
    assert pond.disk().replace(b"Gift of\n\n gnats", b"Gift of flies") == mixed
    back = pond.client.post("/write/undo", json={"file": pond.file}).json()
    assert pond.disk() == mixed
    assert (back["seal"], back["undo"]) == (content["seal"], False)
    assert saved["seal"] != back["seal"]


def test_text_that_changed_on_the_disk_is_never_lost(pond: Written) -> None:
    content = pond.read()
    other = pond.disk().replace(b"Green Frog", b"Greener Frog")
    (pond.root / CARDS).write_bytes(other)
    status, answer = pond.save(content["seal"], content["text"] + "# mine\n")
    assert status == 409
    assert (answer["text"].encode(), pond.disk()) == (other, other)
    status, _ = pond.save(answer["seal"], content["text"] + "# mine\n")  # chosen by the author
    assert status == 200
    assert pond.client.post("/write/undo", json={"file": pond.file}).status_code == 200
    assert pond.disk() == other


def test_save_is_taken_back_only_from_an_unchanged_file(pond: Written) -> None:
    content = pond.read()
    pond.save(content["seal"], content["text"] + "# mine\n")
    (pond.root / CARDS).write_bytes(b"# others\n")
    answer = pond.client.post("/write/undo", json={"file": pond.file})
    assert (answer.status_code, "has changed since" in answer.json()["refused"]) == (409, True)
    assert pond.disk() == b"# others\n"
    nothing = pond.client.post("/write/undo", json={"file": pond.file})
    assert (nothing.status_code, "was not of" in nothing.json()["refused"]) == (409, True)


@pytest.mark.parametrize("name", ["/etc/passwd", "../pond.fcb", "fcb.toml", "", "cards", "cards/none.fcb"])
def test_only_sources_of_the_project_are_read_and_saved(pond: Written, name: str) -> None:
    file = str(pond.root / name) if name.startswith(("fcb", "cards")) else name
    answer = pond.client.get("/write/text", params={"file": file})
    assert (answer.status_code, "root:" in answer.text) == (409, False)
    body = {"file": file, "seal": text_hash(""), "text": "x"}
    assert pond.client.post("/write/save", json=body).status_code == 409
    assert pond.client.post("/write/undo", json={"file": file}).status_code == 409
    assert pond.client.get("/write/", params={"file": file}).status_code == 200


def test_files_of_fcb_are_only_shown(pond: Written) -> None:
    [core] = [name for name in pond.desk.games[0].space.files if name.endswith("core.fcb")]
    data = pond.client.get("/write/text", params={"file": core}).json()
    assert data["writable"] is False
    body = {"file": core, "seal": data["seal"], "text": data["text"] + "# mine"}
    assert pond.client.post("/write/save", json=body).status_code == 409
    assert not Path(core).read_text(encoding="utf-8").endswith("# mine")


def test_invalid_save_request_is_refused(pond: Written, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer_server, "MOST_BYTES", 10_000)
    before = pond.disk()
    for content in (b"", b"[]", b"{", b"\xff", b"[" * 5000, b" " * 10_001, b'{"file": 1}'):
        assert pond.client.post("/write/save", content=content).status_code == 400
        assert pond.client.post("/write/undo", content=content).status_code == 400
    half = {"file": pond.file, "seal": pond.read()["seal"], "text": "\ud800"}
    answer = pond.client.post("/write/save", content=json.dumps(half))
    assert (answer.status_code, "half of a character" in answer.json()["refused"]) == (409, True)
    assert pond.client.get("/write/web/writer_server.py").status_code == 404
    assert pond.client.get("/write/save").status_code == 405
    assert pond.disk() == before


def test_file_that_cannot_be_written_stays(pond: Written, monkeypatch: pytest.MonkeyPatch) -> None:
    content, before = pond.read(), pond.disk()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("fcbdsl.editor.live.edit_journal.rewrite_text", full)
    status, answer = pond.save(content["seal"], "# mine\n")
    assert (status, "No space left" in answer["refused"]) == (409, True)
    assert pond.disk() == before
    assert pond.desk.games[0].space.text(pond.file).encode() == before
    (pond.root / CARDS).write_bytes(b"\xff\xfe")
    assert "not UTF-8" in pond.read()["refused"]


def test_without_write_texts_are_only_shown(tmp_path: Path) -> None:
    pond = Written(calm_pond(tmp_path), writes=False)
    assert 'id="save"' not in pond.client.get("/write/").text
    assert pond.read()["writable"] is False
    body = {"file": pond.file, "seal": pond.read()["seal"], "text": "x"}
    assert pond.client.post("/write/save", json=body).status_code == 404
    assert pond.client.post("/write/undo", json=body).status_code == 404


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"host": "evil.example:8437"},
        {"cookie": ""},
        {"sec-fetch-site": "cross-site"},
    ],
    ids=str,
)
def test_other_pages_cannot_read_or_save(pond: Written, headers: dict[str, str]) -> None:
    before = pond.disk()
    body = {"file": pond.file, "seal": pond.read()["seal"], "text": "x"}
    assert pond.client.post("/write/save", json=body, headers=headers).status_code == 403
    assert pond.client.get("/write/text", params={"file": pond.file}, headers=headers).status_code == 403
    with pytest.raises(WebSocketDisconnect), pond.client.websocket_connect(CHANNEL, headers={**ORIGIN, **headers}):
        pass
    assert pond.disk() == before


@pytest.mark.parametrize(
    ("language", "save"), [("fr-CH, fr;q=0.9", "Enregistrer"), ("de", "Speichern"), ("xx", "Save")]
)
def test_page_speaks_the_language_of_the_browser(pond: Written, language: str, save: str) -> None:
    page = pond.client.get("/write/", headers={"accept-language": language}).text
    assert f">{save}</button>" in page
    assert "{{" not in page


def test_preview_links_to_the_editor(pond: Written) -> None:
    asked = {"file": pond.file, "piece": "trick/gift"}
    assert "/write/" not in pond.client.get("/", params=asked).text
    pond.desk.editor = "Edit"
    assert (
        f'href="/write/?game=&amp;file={pond.file.replace("/", "%2F")}&amp;line='
        in pond.client.get("/", params=asked).text
    )


# ── the language server ──────────────────────────────────────────────────────────────────────────


class Talk:
    """The connection of a page with the language server."""

    def __init__(self, socket: WebSocketTestSession) -> None:
        self.socket = socket
        self.number = 0
        self.notes: list[dict[str, Any]] = []

    def tell(self, method: str, params: object) -> None:
        self.socket.send_text(json.dumps({"jsonrpc": "2.0", "method": method, "params": params}))

    def ask(self, method: str, params: object) -> dict[str, Any]:
        self.number += 1
        asked = {"jsonrpc": "2.0", "id": self.number, "method": method, "params": params}
        self.socket.send_text(json.dumps(asked))
        while True:
            message: dict[str, Any] = json.loads(self.socket.receive_text())
            if message.get("id") == self.number:
                return message
            self.notes.append(message)

    def note(self, method: str) -> dict[str, Any]:
        """Return the parameters of the next notification of a method."""
        while True:
            at = next((at for at, note in enumerate(self.notes) if note["method"] == method), None)
            if at is not None:
                note: dict[str, Any] = self.notes.pop(at)["params"]
                return note
            self.notes.append(json.loads(self.socket.receive_text()))


@contextmanager
def talking(pond: Written) -> Iterator[Talk]:
    with pond.client.websocket_connect(CHANNEL, headers=ORIGIN) as socket:
        talk = Talk(socket)
        talk.ask("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
        talk.tell("initialized", {})
        yield talk


def open_text(talk: Talk, content: dict[str, Any], text: str) -> None:
    item = {"uri": content["uri"], "languageId": "fcb", "version": 1, "text": text}
    talk.tell("textDocument/didOpen", {"textDocument": item})


def line_of(text: str, words: str) -> int:
    return text[: text.index(words)].count("\n")


def test_page_gets_problems_fixes_and_print_of_unsaved_text(pond: Written) -> None:
    content = pond.read()
    wrong = content["text"].replace("for each spot in spots", "for each spot in spotss")
    with talking(pond) as talk:
        open_text(talk, content, wrong)
        published = talk.note("textDocument/publishDiagnostics")
        assert (published["uri"], published["version"], published["diagnostics"][0]["code"]) == (
            content["uri"],
            1,
            "FCB0401",
        )
        line = line_of(wrong, "Gift of flies")
        asked = {"uri": content["uri"], "line": line}
        assert talk.ask("fcb/print", asked)["result"]["sound"] is False
        whole = {"start": {"line": 0, "character": 0}, "end": {"line": 999, "character": 0}}
        asked_for = {"textDocument": {"uri": content["uri"]}, "range": whole, "context": {"diagnostics": []}}
        [cure] = talk.ask("textDocument/codeAction", asked_for)["result"]
        [edit] = cure["edit"]["changes"][content["uri"]]
        assert edit["newText"] == "spots"
        changed = {"textDocument": {"uri": content["uri"], "version": 2}}
        change = {"range": edit["range"], "text": "spots"}
        talk.tell("textDocument/didChange", {**changed, "contentChanges": [change]})
        printed = talk.ask("fcb/print", asked)["result"]
        assert (printed["piece"], printed["title"], printed["sound"]) == ("trick/gift", "Gift of flies", True)
        assert 'lang="fr"' in printed["html"]
        assert "Cadeau de mouches" in printed["html"]
        assert talk.note("textDocument/publishDiagnostics")["diagnostics"] == []
    assert content["text"].encode() == pond.disk(), "nothing was saved"


def test_print_of_a_mission_has_its_map_and_links(pond: Written) -> None:
    pond.desk.paints = True
    content = pond.read()
    with talking(pond) as talk:
        open_text(talk, content, content["text"])
        printed = talk.ask(
            "fcb/print", {"uri": content["uri"], "line": line_of(content["text"], "mission crossing") + 1}
        )
    assert '<div class="drawn"' in printed["result"]["html"]
    assert printed["result"]["play"].startswith("/play/?")


def test_report_has_the_tests_of_the_piece_and_changes_on_the_disk(pond: Written) -> None:
    from fcbdsl.cli.serve_command import story_page
    from fcbdsl.editor.live.background_runner import Bench

    bench = Bench(Workspace(root=pond.root), story_page)
    bench.catch_up(pond.desk.note, lambda: False)
    content = pond.read()
    with talking(pond) as talk:
        open_text(talk, content, content["text"])
        look = {"game": "", "file": str(pond.root / "systems/pond.fcb"), "piece": "action/dare", "open": [pond.file]}
        talk.tell("fcb/look", look)
        while not (report := talk.note("fcb/report"))["own"]:
            pass
        assert [(test["title"], test["state"]) for test in report["own"]] == [
            ("A hop costs energy", "passed"),
            ("The breeze wets", "passed"),
        ]
        assert report["files"] == {pond.file: content["seal"]}
        (pond.root / CARDS).write_text(content["text"] + "# others\n", encoding="utf-8")
        system = pond.root / "systems" / "pond.fcb"
        text = system.read_text(encoding="utf-8")
        system.write_text(text.replace("gust: mark Wet on self", "gust: self's temper becomes gruff"), encoding="utf-8")
        pond.desk.refresh([system])
        bench.catch_up(pond.desk.note, lambda: False)
        pond.hub.publish()
        while not (report := talk.note("fcb/report"))["failed"]:
            pass
        assert report["files"] == {pond.file: text_hash(content["text"] + "# others\n")}
        [failed] = [test for test in report["own"] if test["state"] == "failed"]
        assert (failed["title"], failed["line"] > 0) == ("The breeze wets", True)
        assert "Expected: the condition holds." in failed["text"] + failed["help"]


def test_next_page_uses_the_open_project_without_the_text_of_the_first(pond: Written) -> None:
    content = pond.read()
    with talking(pond) as talk:
        open_text(talk, content, content["text"].replace("mark fly on spot", "mark flie on spot"))
        assert talk.note("textDocument/publishDiagnostics")["diagnostics"]
    with talking(pond) as talk:
        open_text(talk, content, content["text"])
        asked = {"uri": content["uri"], "line": line_of(content["text"], "Gift of flies")}
        assert talk.ask("fcb/print", asked)["result"]["sound"] is True


def test_garbage_does_not_end_the_connection(pond: Written) -> None:
    with talking(pond) as talk:
        for garbage in ("", "{", "[]", "7", '{"jsonrpc": "2.0"}', "[" * 3000, "\x00"):
            talk.socket.send_text(garbage)
        for params in (None, [], {}, {"uri": 1, "line": 2}, {"uri": "file:///etc/passwd", "line": 0}):
            assert "error" in talk.ask("fcb/print", params)
        for params in (
            None,
            [],
            {"game": 7},
            {"game": "", "file": "/etc/passwd", "piece": "", "open": ["/etc/passwd", 7]},
        ):
            talk.tell("fcb/look", params)
        assert talk.ask("textDocument/hover", {"textDocument": {"uri": "x"}, "position": {"line": 0, "character": 0}})
        assert talk.note("fcb/report")["files"] == {}


def test_number_of_pages_is_limited(pond: Written, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fcbdsl.editor.writer.language_channel.MOST_SOCKETS", 1)
    with talking(pond):
        with pytest.raises(WebSocketDisconnect) as closed, talking(pond):
            pass
        assert closed.value.code == 1013  # the page reports that there are too many
    with talking(pond) as talk:
        assert talk.note("fcb/report")["tests"] == 0


# ── the scripts ──────────────────────────────────────────────────────────────────────────────────


def test_scripts_of_the_page_have_at_most_40_kilobytes() -> None:
    names = ("writer.js", "language.js", "markdown.js")
    assert sum((writer_server.WEB / name).stat().st_size for name in names) <= 40 * 1024


def test_vendored_codemirror_is_the_recorded_one() -> None:
    """`make codemirror` builds it from the packages in release/codemirror."""
    data = (writer_server.WEB / "codemirror.js").read_bytes()
    recipe = Path(__file__).parents[2] / "release" / "codemirror"
    assert (recipe / "SHA256SUMS").read_text(encoding="utf-8").split() == [hashlib.sha256(data).hexdigest(), "made.js"]
    wanted = json.loads((recipe / "package.json").read_text(encoding="utf-8"))["dependencies"]
    locked = json.loads((recipe / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    assert {name: locked[f"node_modules/{name}"]["version"] for name in wanted} == wanted
    assert all("integrity" in package for name, package in locked.items() if name)
    license = (writer_server.WEB / "LICENSE-CodeMirror.txt").read_text(encoding="utf-8")
    parts = [name.removeprefix("node_modules/") for name in locked if name and "esbuild" not in name]
    assert [part for part in parts if part not in license] == []
