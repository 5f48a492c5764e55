"""The server of a table: admission, messages to a browser, and messages from it."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import games
import jsonschema
import pytest
import uvicorn
from hypothesis import given, settings
from hypothesis import strategies as some
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect
from websockets.typing import Origin

from fcbdsl.cli.compressed_websocket import MEMORY
from fcbdsl.cli.serve_command import MOST_RECEIVED, bind_socket, server_config
from fcbdsl.editor.table import table_server
from fcbdsl.editor.table.table_server import MOST_EACH, PER_SECOND, Browser, Looks, TableHost, make_table_app
from fcbdsl.machine.vm import setup
from fcbdsl.play.bots.roster import make_bot
from fcbdsl.play.session.playout import Record
from fcbdsl.play.soak.soak import Wanderer
from fcbdsl.play.table.screen import Screen
from fcbdsl.play.table.story_table import StoryTable
from fcbdsl.play.table.table import GameTable
from fcbdsl.play.table.table_protocol import BadMessage, encode_message, json_changes, read_command

SCHEMA = json.loads((Path(__file__).parents[2] / "docs" / "table.schema.json").read_text(encoding="utf-8"))
HOST = "127.0.0.1:8000"
FIRST, SECOND, BOTH, WATCH = "first-token", "second-token", "both-token", "watching-token"
LINKS = {FIRST: (0,), SECOND: (1,), BOTH: (0, 1), WATCH: ()}


class Saved:
    def __init__(self) -> None:
        self.times = 0

    def __call__(self) -> None:
        self.times += 1


@contextmanager
def seated(
    game: str = "escape", persons: tuple[int, ...] = (0, 1), seed: int = 1, host: str = HOST
) -> Iterator[tuple[TestClient, TableHost]]:
    image = games.image(game)
    record = Record(image.program.hash, games.missions(image.program)[0], max(2, image.program.players[0]), seed)
    bots = {seat: make_bot("random", seat) for seat in range(record.players) if seat not in persons}
    looks = Looks("name", b'{"made":"once"}')
    desk = TableHost(GameTable(image, record, bots), LINKS, lambda language: looks, ("en", "fr"), Saved(), pace=0)
    with TestClient(make_table_app(desk, [host], 8000), base_url=f"http://{host}") as client:
        yield client, desk


@contextmanager
def sitting(client: TestClient, token: str, path: str = "/table", **headers: str) -> Iterator[Any]:
    sent = {"cookie": f"fcb-table-8000={token}", "origin": f"http://{HOST}", "host": HOST, **headers}
    client.cookies.clear()
    with client.websocket_connect(f"ws://{HOST}{path}", headers=sent) as socket:
        yield socket


def heard(socket: Any) -> dict[str, Any]:
    message: dict[str, Any] = socket.receive_json()
    jsonschema.Draft202012Validator(SCHEMA).validate(message)
    return message


def test_link_fragment_admits_browser() -> None:
    with seated() as (client, _):
        page = client.get("/")
        assert page.status_code == 200
        assert "script-src 'self'" in page.headers["content-security-policy"]
        assert client.post("/enter", content="guessed").status_code == 403
        assert client.get("/dressing/name").status_code == 403
        entered = client.post("/enter", content=FIRST)
        assert entered.status_code == 204
        assert "HttpOnly" in entered.headers["set-cookie"]
        assert "SameSite=strict" in entered.headers["set-cookie"]
        assert client.get("/dressing/name").status_code == 403, "it has no such dressing yet"
        with client.websocket_connect(f"ws://{HOST}/table", headers={"origin": f"http://{HOST}"}) as socket:
            assert heard(socket)["seats"] == [0]
            assert heard(socket)["t"] == "view"
        assert client.get("/dressing/name").json() == {"made": "once"}


def test_scripts_of_the_page_have_at_most_40_kilobytes() -> None:
    sizes = [(table_server.WEB / name).stat().st_size for name in ("table.js", "board.js")]
    assert sum(sizes) <= 40 * 1024


def test_page_contains_no_game_data() -> None:
    with seated() as (client, desk):
        texts = [client.get(path).text for path in ("/", "/web/table.js", "/web/board.js", "/web/table.css")]
        assert not any(desk.table.title("en") in text for text in texts)
        assert client.get("/web/../server.py").status_code == client.get("/web/server.py").status_code == 404


@pytest.mark.parametrize(
    ("token", "headers"),
    [
        ("guessed", {}),
        ("", {}),
        (FIRST, {"origin": "http://evil.example"}),
        (FIRST, {"origin": "http://127.0.0.1:8001"}),
        (FIRST, {"origin": "null"}),
        (FIRST, {"host": "evil.example:8000"}),
        (FIRST, {"host": "127.0.0.1", "origin": "http://127.0.0.1"}),
        (FIRST, {"sec-fetch-site": "cross-site"}),
    ],
)
def test_forged_connection_is_refused(token: str, headers: dict[str, str]) -> None:
    with seated() as (client, _), pytest.raises(WebSocketDisconnect), sitting(client, token, **headers):
        pass


@pytest.mark.parametrize("headers", [{"host": "evil.example:8000"}, {"origin": "http://evil.example"}])
def test_forged_request_is_refused(headers: dict[str, str]) -> None:
    with seated() as (client, _):
        assert client.get("/", headers=headers).status_code == 403
        assert client.post("/enter", content=FIRST, headers=headers).status_code == 403


LAN = "192.168.1.20:8000"


@pytest.mark.parametrize(
    "headers",
    [
        {"host": HOST},
        {"host": "localhost:8000"},
        {"host": "192.168.1.20"},
        {"host": "192.168.1.20:8001"},
        {"host": "192.168.1.21:8000"},
        {"host": "rebound.example:8000"},
        {"origin": f"http://{HOST}"},
        {"origin": "https://192.168.1.20:8000"},
        {"origin": "http://192.168.1.20"},
        {"origin": "http://192.168.1.20:8000.example"},
    ],
)
def test_lan_table_answers_only_its_address(headers: dict[str, str]) -> None:
    right = {"host": LAN, "origin": f"http://{LAN}"}
    with seated(host=LAN) as (client, _):
        assert client.get("/", headers=right).status_code == 200
        assert client.get("/", headers=right | headers).status_code == 403
        assert client.post("/enter", content=FIRST, headers=right | headers).status_code == 403
        with pytest.raises(WebSocketDisconnect), sitting(client, FIRST, **(right | headers)):
            pass
        with sitting(client, FIRST, **right) as socket:
            assert heard(socket)["seats"] == [0]


def test_link_is_limited_to_its_seat() -> None:
    """Spectators and another seat may not act for the seat that is asked; they get neither options nor secrets."""
    with seated("beast") as (client, desk), ExitStack() as stack:
        asked = desk.table.asked()
        other = SECOND if asked == (0,) else FIRST
        digest = desk.table.session.game.digest()
        for token in (other, WATCH):
            socket = stack.enter_context(sitting(client, token))
            hello, view = heard(socket), heard(socket)
            assert hello["seats"] == list(LINKS[token])
            assert view == json.loads(encode_message(desk.table.view(LINKS[token], "en", whole=True)))
            assert "choices" not in view["scene"]["question"]
            for sent in (
                {"t": "sit", "seat": asked[0]},
                {"t": "choose", "n": 0, "choice": 0},
                {"t": "undo", "n": 0},
                {"t": "log"},
            ):
                socket.send_json(sent)
                answers = [heard(socket)]
                if answers[0]["t"] == "refused":
                    answers.append(heard(socket))
                assert answers[-1] == view, "it sees what it saw"
        assert desk.table.session.game.digest() == digest
        assert not desk.table.record.decisions


def test_browsers_per_link_are_bounded() -> None:
    with seated() as (client, _), ExitStack() as stack:
        for _number in range(MOST_EACH):
            stack.enter_context(sitting(client, FIRST))
        with pytest.raises(WebSocketDisconnect):
            stack.enter_context(sitting(client, FIRST))
        stack.enter_context(sitting(client, SECOND))


def test_seats_see_own_questions_and_all_decisions() -> None:
    with seated() as (client, desk), sitting(client, FIRST) as one, sitting(client, SECOND) as two, \
            sitting(client, WATCH) as three:  # fmt: skip
        sockets = (one, two, three)
        views = [(heard(socket), heard(socket))[1] for socket in sockets]
        for _ in range(12):
            asked = desk.table.asked()
            for seat, view in enumerate(views):
                yours = view["scene"]["question"].get("yours", False)
                assert yours == (seat in asked)
                assert bool(view["scene"]["question"].get("choices")) == yours
            sockets[asked[0]].send_json({"t": "choose", "n": views[0]["n"], "choice": 0})
            views = [heard(socket) for socket in sockets]
        assert desk._save.times == 12  # type: ignore[attr-defined]


def applied(old: Any, changes: Any) -> Any:
    """The view of a page after changes (`changed` in `table.js`)."""
    if not isinstance(old, dict | list) or not isinstance(changes, dict):
        return changes
    values = dict(changes)
    at, cut, *added = values.pop("splice", (0, 0))
    if isinstance(old, list):
        made = [*old[:at], *added, *old[at + cut :]]
        for place, value in values.items():
            made[int(place)] = applied(made[int(place)], value)
        return made
    unchanged = {name: value for name, value in old.items() if values.get(name, "") is not None}
    return unchanged | {name: applied(old.get(name), value) for name, value in values.items() if value is not None}


def test_changes_of_list_name_only_added_and_removed_items() -> None:
    old: Any = [{"label": label, "target": {"card": label}} for label in "abcdef"]
    assert json_changes({"choices": old}, {"choices": [*old[:1], *old[3:]]}) == {"choices": {"splice": [1, 2]}}
    other: Any = {"label": "x"}
    assert json_changes({"choices": old}, {"choices": [*old[:2], other, *old[3:]]}) == {
        "choices": {"splice": [2, 1, other]}
    }


KEYED = some.fixed_dictionaries({"key": some.integers(0, 5)}, optional={"of": some.integers(0, 2), "to": some.none()})
OBJECTS = some.dictionaries(some.sampled_from("abc"), some.lists(KEYED | some.integers(0, 3), max_size=5), max_size=3)


@given(OBJECTS.map(json.dumps), OBJECTS.map(json.dumps))
def test_changes_make_the_new_view_of_the_old(first: str, second: str) -> None:
    old, new = (json.loads(text.replace('"to": null', '"to": 0')) for text in (first, second))
    assert applied(old, json_changes(old, new)) == new


@pytest.mark.parametrize("game", games.GAMES)
def test_a_page_that_asks_for_changes_sees_the_same(game: str) -> None:
    """After decisions, taking back and refusals it has the view and the log of a page that asks for whole views."""
    with seated(game) as (client, desk), sitting(client, FIRST) as one, sitting(client, SECOND) as two, \
            sitting(client, FIRST, "/table?changes") as page:  # fmt: skip
        heard(page)
        seen = heard(page)
        log = seen["told"]
        for socket in (one, two):
            heard(socket), heard(socket)
        for number in range(16):
            asked = desk.table.asked()
            sent = {"t": "choose", "n": desk.table.n, "choice": number % len(desk.table.ask.options)}  # type: ignore[union-attr]
            if number % 5 == 4 and not desk.table.may_undo(asked):
                sent = {"t": "undo", "n": desk.table.n}
            (page, two)[asked[0]].send_json(sent)
            message = heard(page)
            assert message["t"] == "change"
            seen = applied(seen, message["changes"])
            log = log[: message.get("start", 0)] + message.get("told", [])
            whole = json.loads(encode_message(desk.table.view((0,), "en", whole=True)))
            assert log == whole.pop("told")
            assert {name: value for name, value in seen.items() if name not in ("told", "start")} == whole


def test_full_disk_is_shown_and_next_decision_saves() -> None:
    with seated() as (client, desk), sitting(client, FIRST) as one, sitting(client, SECOND) as two:
        sockets = (one, two)
        view, _ = [(heard(socket), heard(socket))[1] for socket in sockets]
        saved, troubles = desk._save, [OSError(28, "No space left on device", "game.log")]

        def save() -> None:
            if troubles:
                raise troubles.pop()
            saved()

        desk._save = save
        for note in ("fcb cannot save the game (No space left on device). It tries again after the next decision.", ""):
            sockets[desk.table.asked()[0]].send_json({"t": "choose", "n": view["n"], "choice": 0})
            view, _ = [heard(socket) for socket in sockets]
            assert view.get("note", "") == note
        assert saved.times == 1  # type: ignore[attr-defined]


def test_stale_or_foreign_command_is_refused() -> None:
    with seated() as (client, desk), sitting(client, WATCH) as watcher, sitting(client, FIRST) as one, \
            sitting(client, SECOND) as two:  # fmt: skip
        both = (one, two)[desk.table.asked()[0]]
        for socket in (watcher, both):
            heard(socket), heard(socket)
        digest = desk.table.session.game.digest()
        for socket, sent, reason in (
            (watcher, {"t": "choose", "n": 0, "choice": 0}, "not-yours"),
            (watcher, {"t": "undo", "n": 0}, "nothing"),
            (both, {"t": "choose", "n": 5, "choice": 0}, "stale"),
            (both, {"t": "choose", "n": 0, "choice": 999}, "no-choice"),
            (both, {"t": "undo", "n": 0}, "nothing"),
        ):
            socket.send_json(sent)
            refused = heard(socket)
            assert (refused["t"], refused["reason"]) == ("refused", reason)
            assert heard(socket)["n"] == 0
        assert desk.table.session.game.digest() == digest


JSON = some.recursive(
    some.none() | some.booleans() | some.integers() | some.floats() | some.text(),
    lambda inner: some.lists(inner, max_size=3) | some.dictionaries(some.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)
NAMED = some.fixed_dictionaries(
    {"t": some.sampled_from(["choose", "undo", "sit", "speak", "log", "hello", "", "view"])},
    optional=dict.fromkeys(("n", "choice", "seat", "language", "more"), JSON),
)


@settings(max_examples=60)
@given(some.one_of(some.text(max_size=50), NAMED.map(json.dumps), JSON.map(json.dumps)))
def test_any_message_is_command_or_refused(text: str) -> None:
    try:
        command = read_command(text)
    except BadMessage:
        return
    assert all(type(getattr(command, name)) in (int, str) for name in command.__slots__)


def test_garbage_changes_nothing() -> None:
    with seated() as (client, desk), sitting(client, WATCH) as socket:
        heard(socket), heard(socket)
        digest = desk.table.session.game.digest()

        strange = ('{"t":"sit","seat":7}', '{"t":"speak","language":"xx"}')
        for text in ("", "{", "[]", '{"t":"choose"}', *strange, "0" * 3000):
            socket.send_text(text)
        socket.send_json({"t": "choose", "n": 0, "choice": 0})
        reasons = []
        while "not-yours" not in reasons:
            message = heard(socket)
            reasons += [message["reason"]] if message["t"] == "refused" else []
        assert reasons == ["bad", "bad", "bad", "bad", "bad", "not-yours"]
        assert desk.table.session.game.digest() == digest


def test_bytes_end_only_their_connection() -> None:
    with seated() as (client, desk), sitting(client, SECOND) as other:
        with sitting(client, FIRST) as socket:
            heard(socket), heard(socket)
            socket.send_bytes(b'{"t":"log"}')
            assert socket.receive() == {"type": "websocket.close", "code": 1003, "reason": ""}
        heard(other), heard(other)
        other.send_json({"t": "log"})
        assert heard(other)["t"] == "view"
        assert len(desk._open) == 1


@pytest.mark.parametrize("stolen", [f"{FIRST} ", FIRST.upper(), FIRST[:-1], f"{FIRST};", f"{FIRST}\u0661"])
def test_changed_token_admits_no_client(stolen: str) -> None:
    with seated() as (client, desk):
        assert client.post("/enter", content=stolen.encode()).status_code == 403
        assert client.post("/enter", content=b"\xff\xfe").status_code == 403
        assert client.post("/enter", content=b"a" * 100_000).status_code == 413
        assert not client.cookies
        assert desk._open == []


def test_flood_ends_only_its_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_server, "PER_SECOND", PER_SECOND)
    with seated() as (client, desk), sitting(client, SECOND) as other:
        with sitting(client, FIRST) as socket:
            for _ in range(5 * PER_SECOND):
                socket.send_json({"t": "log"})
            received = [socket.receive() for _ in range(PER_SECOND)]
            while received[-1]["type"] != "websocket.close":
                received.append(socket.receive())
        assert len(received) < 4 * PER_SECOND
        heard(other), heard(other)
        other.send_json({"t": "log"})
        assert heard(other)["t"] == "view"
        assert len(desk._open) == 1


def test_browser_that_reads_nothing_delays_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    class Stuck:
        sent = 0

        async def send_text(self, text: str) -> None:
            Stuck.sent += 1
            await asyncio.Event().wait()

        async def close(self, code: int) -> None:
            await asyncio.Event().wait()

    async def play(desk: TableHost) -> None:
        stuck: Any = Stuck()
        browsers = [Browser(desk, stuck, WATCH, Screen(desk.table, (), "en", desk.languages)) for _ in range(3)]
        assert all(desk.join(browser) for browser in browsers)
        await asyncio.wait_for(desk.tell(), 60)
        await asyncio.wait_for(desk.tell(), 60)
        assert (Stuck.sent, desk._open) == (3, [])

    monkeypatch.setattr(table_server, "SEND_SECONDS", 0.01)
    with seated() as (_, desk):
        asyncio.run(play(desk))


def until_asked(socket: Any, view: dict[str, Any]) -> dict[str, Any]:
    """Return the next view in which the seat is asked, or the game is over."""
    while not view["scene"].get("question", {}).get("yours") and "outcome" not in view["scene"]:
        view = heard(socket)
    return view


@pytest.mark.parametrize("game", games.GAMES)
def test_websocket_game_equals_terminal_game(game: str) -> None:
    """Equal seeds and decisions give equal states."""
    with seated(game, persons=(0,), seed=3) as (client, desk), sitting(client, FIRST) as socket:
        hello = heard(socket)
        assert hello["bots"] == [seat for seat in range(hello["players"]) if seat]
        view = heard(socket)
        for _ in range(12):
            view = until_asked(socket, view)
            if "outcome" in view["scene"]:
                break
            number = (view["n"] * 7) % len(view["scene"]["question"]["choices"])
            socket.send_json({"t": "choose", "n": view["n"], "choice": number})
            view = heard(socket)
        until_asked(socket, view)
        record = desk.table.record
        digest = desk.table.session.game.digest()
    image = games.image(game)
    again = setup.start_game(image, record.mission, record.players, record.seed, record.switches)
    for index in record.decisions:
        again.run()
        again.answer(index)
    again.run()
    assert again.digest() == digest


def test_shared_screen_has_curtain_for_secrets() -> None:
    with seated("beast", persons=(0, 1)) as (client, _), sitting(client, BOTH) as socket:
        heard(socket)
        view = heard(socket)
        for _ in range(60):
            if "curtain" in view:
                break
            socket.send_json({"t": "choose", "n": view["n"], "choice": 0})
            view = heard(socket)
        assert not view["scene"]["question"].get("choices")
        socket.send_json({"t": "choose", "n": view["n"], "choice": 0})
        assert heard(socket)["reason"] == "not-yours"
        heard(socket)
        socket.send_json({"t": "sit", "seat": view["curtain"]})
        seen = heard(socket)
        assert (seen["sitting"], seen["scene"]["question"]["yours"]) == (view["curtain"], True)


@pytest.mark.parametrize("game", games.GAMES)
def test_a_decision_costs_few_bytes(game: str) -> None:
    """A compressor that remembers earlier views sends at most 500 bytes for 95 of 100 decisions."""
    image = games.image(game)
    record = Record(image.program.hash, games.missions(image.program)[0], max(2, image.program.players[0]), 1)
    table, chance, sizes = GameTable(image, record, {}), Wanderer(1), []
    packer = zlib.compressobj(wbits=-15, memLevel=MEMORY)
    for _ in range(40):
        text = encode_message(table.view((0,), "en"))
        sizes.append(len(packer.compress(text.encode()) + packer.flush(zlib.Z_SYNC_FLUSH)) - 4)
        assert table.ask is not None
        assert table.choose(table.asked(), table.n, chance.choose(table.session.game, table.ask)) == ""
    assert sorted(sizes[1:])[37] <= 500


@contextmanager
def running() -> Iterator[tuple[Callable[..., Any], TableHost]]:
    """A real server. The function opens a websocket with a token."""
    with bind_socket(None) as listening:
        address = f"127.0.0.1:{listening.getsockname()[1]}"
        image = games.image("escape")
        record = Record(image.program.hash, games.missions(image.program)[0], 2, 1)
        desk = TableHost(GameTable(image, record, {}), LINKS, lambda language: None, ("en",), pace=0)
        app: Any = make_table_app(desk, [address], listening.getsockname()[1])
        server = uvicorn.Server(server_config(app))
        thread = threading.Thread(target=lambda: asyncio.run(server.serve([listening])), daemon=True)
        thread.start()

        def opened(token: str, **how: Any) -> Any:
            cookie = {"cookie": f"fcb-table-{listening.getsockname()[1]}={token}"}
            origin = Origin(f"http://{address}")
            return connect(f"ws://{address}/table", origin=origin, additional_headers=cookie, **how)

        yield opened, desk
        server.should_exit = True
        thread.join(20)


def test_the_server_lets_compressors_remember_32_kilobytes() -> None:
    with running() as (opened, _), opened(FIRST) as socket:
        agreed = socket.response.headers["Sec-WebSocket-Extensions"] if socket.response else ""
        assert json.loads(socket.recv())["t"] == "hello"
    assert "permessage-deflate" in agreed
    assert "server_max_window_bits" not in agreed
    assert "server_no_context_takeover" not in agreed


PIECES = ["x" * (MOST_RECEIVED // 2)] * 3
"""A message whose last piece is too much: with more unread pieces, a reset could discard the reason of the end."""


def send_and_wait(socket: Any, message: str | list[str]) -> None:
    """Send a message, and read until the connection is closed."""
    socket.send(message)
    while True:
        socket.recv(timeout=20)


@pytest.mark.parametrize(
    ("compression", "message"),
    [
        (None, "x" * (MOST_RECEIVED + 1)),
        ("deflate", "x" * (MOST_RECEIVED + 1)),
        ("deflate", "x" * 50_000_000),  # 50 KB when it is compressed
        (None, PIECES),
        ("deflate", PIECES),
    ],
    ids=["plain", "compressed", "bomb", "pieces", "compressed pieces"],
)
def test_oversized_message_ends_only_its_connection(compression: str | None, message: str | list[str]) -> None:
    with running() as (opened, _), opened(SECOND) as other:
        with opened(FIRST, compression=compression, ping_interval=None) as socket:
            with pytest.raises(ConnectionClosed) as closed:
                send_and_wait(socket, message)
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1009
        assert [json.loads(other.recv(timeout=20))["t"] for _ in range(2)] == ["hello", "view"]
        other.send(json.dumps({"t": "log"}))
        assert json.loads(other.recv(timeout=20))["t"] == "view"


@pytest.mark.parametrize("length", ["Content-Length: 100", "Transfer-Encoding: chunked"])
def test_client_that_goes_away_within_its_request_is_not_reported(
    length: str, capfd: pytest.CaptureFixture[str]
) -> None:
    with running() as (opened, _), opened(SECOND) as other:
        host, port = other.remote_address
        asked = (
            f"POST /enter HTTP/1.1\r\nHost: {host}:{port}\r\nOrigin: http://{host}:{port}\r\n{length}\r\n\r\n5\r\nab"
        )
        for _ in range(3):
            with socket.create_connection((host, port)) as one:
                one.sendall(asked.encode())
                time.sleep(0.1)
        with opened(FIRST) as own:
            assert json.loads(own.recv(timeout=20))["t"] == "hello"
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("token", [FIRST, WATCH])
def test_token_of_other_table_admits_no_client(token: str) -> None:
    """Each start makes new tokens, and a browser sends the cookie of the earlier table at the same port."""
    with seated() as (client, desk):
        assert client.post("/enter", content=token.encode()).status_code == 204
        cookies = dict(client.cookies)
        desk.links = dict.fromkeys(("other-token",), (0,))
        assert client.post("/enter", content=token.encode()).status_code == 403
        with pytest.raises(WebSocketDisconnect), sitting(client, cookies.popitem()[1]):
            pass


@contextmanager
def telling(game: str, length: int = 30) -> Iterator[tuple[TestClient, TableHost]]:
    """A finished game of bots, which is shown step by step; people of seat 1 can play on."""
    image = games.image(game)
    record = Record(image.program.hash, games.missions(image.program)[0], max(2, image.program.players[0]), 1)
    played, chance = GameTable(image, record, {}), Wanderer(2)
    for _ in range(length):
        if played.ask is not None:
            assert played.choose(played.asked(), played.n, chance.choose(played.session.game, played.ask)) == ""
    story = StoryTable(image, played.record, lambda of: {seat: make_bot("first", 1) for seat in range(1, of.players)})
    desk = TableHost(story.table, {FIRST: (0,), WATCH: ()}, lambda language: None, ("en",), Saved(), 0, story=story)
    with TestClient(make_table_app(desk, [HOST], 8000), base_url=f"http://{HOST}") as client:
        yield client, desk


def last_view(socket: Any) -> dict[str, Any]:
    """The next view; a table that is replaced greets first."""
    message = heard(socket)
    return heard(socket) if message["t"] in ("hello", "refused") else message


@pytest.mark.parametrize("game", games.GAMES)
def test_story_turns_to_each_step_and_back(game: str) -> None:
    with telling(game) as (client, desk), sitting(client, FIRST) as socket, sitting(client, WATCH) as watcher:
        view, watched = last_view(socket), last_view(watcher)
        assert "turns" not in watched
        steps: list[dict[str, Any]] = []
        while True:
            steps.append(view["scene"])
            turns = {turn["key"]: turn for turn in view["turns"]}
            if "." not in turns:
                break
            assert turns["."]["step"] == len(steps)
            assert turns["."]["text"].startswith("▶ Next: ")
            socket.send_json({"t": "turn", "n": view["n"], "step": len(steps)})
            view, watched = last_view(socket), last_view(watcher)
            assert not watched["scene"].get("question", {}).get("choices")
        assert len(steps) == len(desk.story._record.decisions) + 1  # type: ignore[union-attr]
        for step in (0, 7, 3, 11):
            socket.send_json({"t": "turn", "n": view["n"], "step": step})
            view = last_view(socket)
            texts = [piece["name"] for piece in steps[step].get("pieces", ())]
            assert [piece["name"] for piece in view["scene"].get("pieces", ())] == texts
            assert view["note"].startswith(f"Step {step} of ")
        assert desk._save.times == 0, "a finished game is not saved"  # type: ignore[attr-defined]


def test_story_continues_from_step_with_other_option() -> None:
    with telling("beast") as (client, desk), sitting(client, FIRST) as socket, sitting(client, WATCH) as watcher:
        view = last_view(socket)
        heard(watcher), heard(watcher)
        taken = desk.story._record.decisions[0]  # type: ignore[union-attr]
        other = next(at for at in range(len(view["scene"]["question"]["choices"])) if at != taken)
        for sent, reason in (({"t": "turn", "n": 7}, "stale"), ({"t": "turn", "n": 0, "step": 999}, "nothing")):
            socket.send_json(sent)
            assert (heard(socket)["reason"], heard(socket)["t"]) == (reason, "view")
        watcher.send_json({"t": "choose", "n": 0, "choice": other})
        assert heard(watcher)["reason"] == "not-yours"
        socket.send_json({"t": "choose", "n": view["n"], "choice": taken})
        view = last_view(socket)
        assert view["note"].startswith("Step 1 of 30")
        socket.send_json({"t": "undo", "n": view["n"]})
        view = last_view(socket)
        assert (view["note"][:6], desk.table.is_story) == ("Step 0", True)
        socket.send_json({"t": "choose", "n": view["n"], "choice": other})
        assert heard(socket)["seats"] == [0]
        view = heard(socket)
        assert (desk.table.is_story, desk.table.record.decisions[0]) == (False, other)
        assert "turns" not in view
        socket.send_json({"t": "turn", "n": desk.table.n, "step": 0})
        while (answer := heard(socket))["t"] != "refused":
            pass
        assert answer["reason"] in ("not-yours", "stale")


def test_seats_have_own_language() -> None:
    with seated() as (client, _), sitting(client, FIRST) as one, sitting(client, SECOND) as two:
        for socket in (one, two):
            heard(socket), heard(socket)
        one.send_json({"t": "speak", "language": "fr"})
        assert heard(one)["words"]["board"] == "Plateau"
        assert "Joueur" in heard(one)["scene"]["players"][0]["name"]
        two.send_json({"t": "log"})
        assert "Player" in heard(two)["scene"]["players"][0]["name"]
