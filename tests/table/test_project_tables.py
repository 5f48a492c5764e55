"""*Play* in the live preview: a table for a mission of the present sources, which follows saved changes."""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from pond_game import calm_pond
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from fcbdsl.cli.common import shared_languages
from fcbdsl.cli.table_looks import looks_of
from fcbdsl.editor.live.live_server import Hub, cookie_of, make_live_app
from fcbdsl.editor.live.project_state import Desk
from fcbdsl.editor.table.project_tables import MOST_TABLES, ProjectTables
from fcbdsl.project.workspace import Workspace

SCHEMA = json.loads((Path(__file__).parents[2] / "docs" / "table.schema.json").read_text(encoding="utf-8"))
HOST = "http://127.0.0.1:8437"
COOKIE = {cookie_of(8437): "a-token"}
PLAY = "/play/?game=&mission=crossing"


class Open:
    """A project that is open in the preview."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.desk = Desk([Workspace(root=root)])
        self.tables = ProjectTables(self.desk, 8437, looks_of, shared_languages)
        self.app = make_live_app(self.desk, Hub(), 8437, "a-token", self.tables)

    def save(self, file: str, before: str, after: str) -> None:
        path = self.root / file
        text = path.read_text(encoding="utf-8")
        assert before in text
        path.write_text(text.replace(before, after), encoding="utf-8")
        self.desk.refresh([path])
        self.tables.refresh()

    @contextmanager
    def browser(self) -> Iterator[TestClient]:
        with TestClient(self.app, base_url=HOST, cookies=COOKIE, follow_redirects=False) as client:
            yield client


@pytest.fixture
def pond(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Open:
    monkeypatch.setattr(secrets, "randbelow", lambda most: 1)
    return Open(calm_pond(tmp_path))


def opened(client: TestClient) -> tuple[str, str]:
    """Return the path and the token of a new table."""
    went = client.get(PLAY)
    assert went.status_code == 303, went.text
    path, _, token = went.headers["location"].partition("#")
    return path, token


@contextmanager
def playing(client: TestClient) -> Iterator[Any]:
    path, token = opened(client)
    entered = client.post(f"{path}enter", content=token)
    assert entered.status_code == 204
    assert f"Path={path};" in entered.headers["set-cookie"]
    with client.websocket_connect(f"ws://127.0.0.1:8437{path}table", headers={"origin": HOST}) as socket:
        assert heard(socket)["t"] == "hello"
        yield socket


def heard(socket: Any) -> dict[str, Any]:
    message: dict[str, Any] = socket.receive_json()
    jsonschema.Draft202012Validator(SCHEMA).validate(message)
    return message


def asked(socket: Any) -> dict[str, Any]:
    """Return the next view with a question to this seat."""
    while True:
        view = heard(socket)
        assert "outcome" not in view.get("scene", {}), "the game is over"
        if view["t"] == "view" and view["scene"].get("question", {}).get("yours"):
            return view


def at_dare(socket: Any) -> tuple[dict[str, Any], int]:
    """Continue to a question with the option to dare; return its view and the number of the option."""
    view = asked(socket)
    for _ in range(5):
        for at, label in enumerate(labels(view)):
            if "Dare" in label:
                return view, at
        socket.send_json({"t": "choose", "n": view["n"], "choice": 0})
        view = asked(socket)
    raise AssertionError(labels(view))


def labels(view: dict[str, Any]) -> list[str]:
    return [choice["label"] for choice in view["scene"]["question"]["choices"]]


def test_only_missions_have_play_link(pond: Open) -> None:
    with pond.browser() as client:
        html = client.get("/", params={"file": str(pond.root / "cards/pond.fcb")}).text
        links = [link.replace("&amp;", "&") for link in re.findall(r'href="(/play/[^"]*)"', html)]
        assert links == [PLAY]
        shown = {"file": str(pond.root / "cards/pond.fcb"), "piece": "mission/crossing"}
        assert client.get("/", params=shown).text.count('href="/play/') == 2
        pond.save("cards/pond.fcb", "mission crossing", "misson crossing")
        assert "/play/" not in client.get("/", params=shown).text
        answer = client.get(PLAY)
        assert (answer.status_code, "have errors" in answer.text) == (409, True)


@pytest.mark.parametrize("query", ["game=x&mission=crossing", "game=&mission=x", "game=&mission=", ""])
def test_unplayable_mission_is_refused(pond: Open, query: str) -> None:
    with pond.browser() as client:
        assert client.get(f"/play/?{query}").status_code == 409
        assert client.get("/play/x/").status_code == 404


def test_table_needs_both_tokens(pond: Open) -> None:
    with pond.browser() as client:
        path, token = opened(client)
        other, _ = opened(client)
        assert client.post(f"{path}enter", content="guessed").status_code == 403
        for headers in ({"origin": "http://evil.example"}, {"host": "evil.example:8437", "origin": HOST}):
            assert client.post(f"{path}enter", content=token, headers=headers).status_code == 403
        assert client.post(f"{other}enter", content=token).status_code == 403, "the link of another table"
        channel = f"ws://127.0.0.1:8437{path}table"
        with pytest.raises(WebSocketDisconnect), client.websocket_connect(channel, headers={"origin": HOST}):
            pass
        assert client.post(f"{path}enter", content=token).status_code == 204
        assert client.get(path).status_code == client.get(f"{path}web/table.js").status_code == 200
        client.cookies.delete(cookie_of(8437))
        assert client.get(PLAY).status_code == client.get(path).status_code == 403
        with pytest.raises(WebSocketDisconnect), client.websocket_connect(channel, headers={"origin": HOST}):
            pass


def test_oldest_of_too_many_tables_is_closed(pond: Open) -> None:
    with pond.browser() as client, playing(client) as socket:
        asked(socket)
        paths = [opened(client)[0] for _ in range(MOST_TABLES)]
        assert [client.get(path).status_code for path in paths] == [200] * MOST_TABLES
        with pytest.raises(WebSocketDisconnect):
            heard(socket)


def test_save_replays_decisions_on_new_program(pond: Open) -> None:
    with pond.browser() as client, playing(client) as socket:
        view, _ = at_dare(socket)
        [table] = [link.host.table for link in pond.tables._tables.values()]
        before, decisions = labels(view), [*table.record.decisions]
        pond.save("systems/pond.fcb", "Dare the breeze", "Defy the breeze")
        hello = heard(socket)
        assert hello["t"] == "hello"
        after = heard(socket)
        [table] = [link.host.table for link in pond.tables._tables.values()]
        assert table.record.decisions == decisions
        assert (after["n"] > view["n"], "note" in after) == (True, False)
        assert labels(after) == [label.replace("Dare", "Defy") for label in before] != before
        socket.send_json({"t": "choose", "n": view["n"], "choice": 0})
        assert heard(socket)["reason"] == "stale", "a click on the earlier version has no effect"


def test_option_is_found_by_name_after_change(pond: Open) -> None:
    with pond.browser() as client, playing(client) as socket:
        view, dare = at_dare(socket)
        socket.send_json({"t": "choose", "n": view["n"], "choice": dare})
        view = asked(socket)
        texts = [line["text"] for line in view["told"]]
        pond.save("systems/pond.fcb", "form: hops to\n", "form: hops to\n  needs: 1 > 2\n")
        assert heard(socket)["t"] == "hello"
        after = heard(socket)
        assert not any("Hop" in label for label in labels(after))
        assert texts[-1] in [line["text"] for line in after["told"]]
        [table] = [link.host.table for link in pond.tables._tables.values()]
        assert table.record.decisions[-1] == dare - 1


def test_table_explains_use_of_earlier_version(pond: Open) -> None:
    with pond.browser() as client, playing(client) as socket:
        view, dare = at_dare(socket)
        socket.send_json({"t": "choose", "n": view["n"], "choice": dare})
        view = asked(socket)
        pond.save("systems/pond.fcb", "roll breeze:", "rol breeze:")
        broken = heard(socket)
        assert (broken["n"], "have errors" in broken["note"]) == (view["n"], True)
        assert labels(broken) == labels(view)
        socket.send_json({"t": "speak", "language": "fr"})
        assert heard(socket)["dressing"] == "", "no looks can be made of sources with errors"
        assert "contiennent des erreurs" in heard(socket)["note"]
        pond.save("systems/pond.fcb", "rol breeze:", "roll breeze:")
        assert heard(socket)["dressing"]
        assert "note" not in heard(socket)
        socket.send_json({"t": "speak", "language": "en"})
        heard(socket), heard(socket)
        pond.save("systems/pond.fcb", "form: dares\n", "form: dares\n  needs: 1 > 2\n")
        parted = heard(socket)
        number = re.search(r"decision (\d+) of (\d+)", parted["note"])
        assert number
        assert number[1] == number[2]
        assert labels(parted) == labels(view)
        pond.save("cards/pond.fcb", 'mission crossing "The Crossing"', 'mission ford "The Ford"')
        assert "cannot start this game" in heard(socket)["note"]
