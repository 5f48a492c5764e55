"""The live page: its content, its updates, and its refusals. The bench works in this process, one change after the
other."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from pathlib import Path

import pytest
from pond_game import calm_pond
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from fcbdsl.cli.serve_command import story_page
from fcbdsl.editor.live import background_runner
from fcbdsl.editor.live.background_runner import Bench
from fcbdsl.editor.live.live_server import Hub, cookie_of, make_live_app
from fcbdsl.editor.live.project_state import Desk
from fcbdsl.project.workspace import Workspace

HOST = "http://127.0.0.1:8437"
ORIGIN = {"Origin": HOST}
TOKEN = "a-token"
COOKIE = {cookie_of(8437): TOKEN}
CHANNEL = "ws://127.0.0.1:8437/follow"


class Open:
    """The open project, in which a test edits files and reads the page."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.desk, self.hub = Desk([Workspace(root=root)]), Hub()
        self.bench = Bench(Workspace(root=root), story_page)
        self.client = TestClient(make_live_app(self.desk, self.hub, 8437, TOKEN), base_url=HOST, cookies=COOKIE)
        self.work()

    def write(self, file: str, before: str, after: str, work: bool = True) -> None:
        """Change a file and save it."""
        path = self.root / file
        text = path.read_text(encoding="utf-8")
        assert before in text
        path.write_text(text.replace(before, after), encoding="utf-8")
        self.desk.refresh([path])
        self.hub.publish()
        if work:
            self.work()

    def work(self) -> None:
        """Check and test."""
        self.bench.catch_up(self.desk.note, lambda: False)
        self.hub.publish()

    def page(self, query: str = "") -> dict[str, str]:
        """Return the parts of the page, without irrelevant tags."""
        answer = self.client.get("/" + query)
        assert answer.status_code == 200
        parts = re.split(r'<(?:div|nav|section) id="(status|where|shown|problems|tests|games)"[^>]*>', answer.text)
        return {part: html.partition("</nav>")[0] for part, html in zip(parts[1::2], parts[2::2], strict=True)}


@pytest.fixture
def pond(tmp_path: Path) -> Open:
    return Open(calm_pond(tmp_path))


@pytest.fixture(scope="module")
def still(tmp_path_factory: pytest.TempPathFactory) -> Open:
    """Return a project that no test changes."""
    return Open(calm_pond(tmp_path_factory.mktemp("still")))


def words(html: str) -> str:
    """Return the visible words of a part; the last part ends at the foot of the page."""
    html = html.partition("</main>")[0].partition('<p id="cut"')[0]
    return " ".join(re.sub(r"<[^>]*>", " ", html).split())


def file(root: Path, name: str) -> str:
    return f"?file={root / name}"


# ── content ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.long
def test_page_first_shows_first_printed_piece(still: Open) -> None:
    parts = still.page()
    assert words(parts["status"]) == "no problems 2 tests passed"
    assert words(parts["shown"]).startswith("Green Frog frog/green-frog")
    assert re.findall(r"<div><h3>(.*?)</h3>", parts["shown"]) == ["Green Frog", "Grenouille verte"]
    assert words(parts["problems"]) == "Problems None."
    assert "follows what is saved last" in parts["where"]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("languages", [("en",), ("fr",), ("fr", "en")])
def test_page_and_failed_games_use_project_languages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, languages: tuple[str, ...]
) -> None:
    monkeypatch.setattr(background_runner, "MOST_GAMES", 1)
    root = calm_pond(tmp_path)
    settings = root / "fcb.toml"
    listed = str(list(languages)).replace("'", '"')
    settings.write_text(settings.read_text(encoding="utf-8").replace('["en", "fr"]', listed), encoding="utf-8")
    pond = Open(root)
    for piece in ("&piece=mission/crossing", "&piece=trick/gift"):
        shown = pond.page(file(root, "cards/pond.fcb") + piece)["shown"]
        assert re.findall(r'<section lang="(\w+)"', shown) == list(languages)
        assert set(re.findall(r'lang="(\w+)"', shown)) == set(languages)
    hop = pond.page(file(root, "systems/pond.fcb") + "&piece=action/hop")["shown"]
    assert re.findall(r'<section lang="(\w+)"', hop) == list(languages)
    pond.write("systems/pond.fcb", "repeat 1 times: leaps becomes leaps + 0", "leaps becomes 1 / 0")
    pond.bench.idle(pond.desk.note, lambda: False)
    [story] = re.findall(r'href="(/lost\?[^"]*)"', pond.page()["games"].replace("&amp;", "&"))
    assert f'<html lang="{languages[0]}">' in pond.client.get(story).text


def test_failed_game_shows_printed_board(pond: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background_runner, "MOST_GAMES", 1)
    pond.write("systems/pond.fcb", "repeat 1 times: leaps becomes leaps + 0", "leaps becomes 1 / 0")
    pond.bench.idle(pond.desk.note, lambda: False)
    [link] = re.findall(r'href="(/lost\?[^"]*)"', pond.page()["games"].replace("&amp;", "&"))
    story = pond.client.get(link)
    data = dict(re.findall(r'<script type="application/json" id="(\w+)">(.*?)</script>', story.text, re.DOTALL))
    assert json.loads(data["looks"])["board"]["cells"]
    assert any(scene.get("pieces") for scene in json.loads(data["scenes"]).values())
    [script] = re.findall(r"<script>(.*?)</script>", story.text, re.DOTALL)
    seal = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = story.headers["content-security-policy"]
    assert ("font-src data:" in policy, f"script-src 'sha256-{seal}'" in policy) == (True, True)


def test_page_shows_sheets_and_texts(still: Open) -> None:
    sheet = still.page(file(still.root, "cards/pond.fcb") + "&piece=mission/crossing")["shown"]
    assert re.findall(r'<article class="sheet" lang="(\w+)"', sheet) == ["en", "fr"]
    assert len(re.findall('<div class="drawn"[^>]*><svg', sheet)) == 2
    action = words(still.page(file(still.root, "systems/pond.fcb") + "&piece=action/dare")["shown"])
    assert "Dare the breeze (cost: 1 energy)." in action
    assert "Braver la brise (coût : 1 énergie)." in action
    tests = still.page(file(still.root, "tests/pond.fcb"))
    assert "Nothing of this is printed." in tests["shown"]
    assert "In this file" in tests["tests"]
    assert "2 passing" in tests["tests"]


def test_tests_of_piece_run_its_effects(still: Open) -> None:
    dare = words(still.page(file(still.root, "systems/pond.fcb") + "&piece=action/dare")["tests"])
    both = "2 passing ✓ A hop costs energy passed ✓ The breeze wets passed"
    assert dare == f"Tests 2 tests passed. Running something of Dare the breeze {both}"
    spin = words(still.page(file(still.root, "systems/pond.fcb") + "&piece=verb/spin")["tests"])
    assert spin == "Tests 2 tests passed."


def test_page_follows_the_changed_declaration(pond: Open) -> None:
    pond.write("cards/pond.fcb", "Gift of flies", "Gift of gnats")
    shown = words(pond.page()["shown"])
    assert shown.startswith("Gift of gnats trick/gift")
    assert "Cadeau de mouches" in shown
    chosen = file(pond.root, "systems/pond.fcb") + "&piece=action/hop"
    assert words(pond.page(chosen)["shown"]).startswith("Hop action/hop")
    assert 'id="follow" href="/"' in pond.page(chosen)["where"]


@pytest.mark.long
def test_problem_is_shown_above_the_last_valid_page(pond: Open) -> None:
    pond.write("cards/pond.fcb", "Gift of flies", "Gift of gnats")
    assert "Gift of gnats" in pond.page()["shown"]
    pond.write(
        "cards/pond.fcb",
        "    for each spot in spots: mark fly on spot",
        "    for each spot in spots: mark flie on spot",
    )
    parts = pond.page()
    assert words(parts["status"]) == "1 error tests wait until there are no errors"
    assert "Before the errors it was:" in parts["shown"]
    assert "Gift of gnats" in parts["shown"]
    text = words(parts["problems"])
    assert "error FCB0401 Nothing that can be used here is called `flie`." in text
    assert "cards/pond.fcb:16:34 for each spot in spots: mark flie on spot Correct the spelling, or declare it." in text
    assert "<mark>flie</mark>" in parts["problems"]
    pond.write("cards/pond.fcb", "mark flie", "mark fly")
    assert "Before the errors" not in pond.page()["shown"]


def test_failing_test_is_shown_with_its_trace(pond: Open) -> None:
    pond.write("systems/pond.fcb", "gust: mark Wet on self", "gust: self's temper becomes gruff")
    parts = pond.page()
    assert words(parts["status"]) == "no problems 1 of 2 tests failed"
    text = words(parts["tests"])
    assert "Running something of Dare the breeze ✗ The breeze wets failed" in text
    assert "Expected: the condition holds." in text
    assert "Events so far:" in text
    assert "<details" in parts["tests"]
    assert "open><summary>The breeze wets" in parts["tests"]


def test_page_claims_nothing_before_first_check(tmp_path: Path) -> None:
    desk = Desk([Workspace(root=calm_pond(tmp_path))])
    client = TestClient(make_live_app(desk, Hub(), 8437, TOKEN), base_url=HOST, cookies=COOKIE)
    assert "looking which tests to run" in client.get("/").text
    desk.end()
    assert "Checks and tests have come to an end." in client.get("/").text
    (tmp_path / "pond" / "fcb.toml").write_text('games = ["one", "two"]\n', encoding="utf-8")
    desk.refresh([tmp_path / "pond" / "fcb.toml"])
    assert "fcb.toml has changed (one of one, two)" in client.get("/").text


@pytest.mark.parametrize("query", ["?file=/etc/passwd", "?file=../../fcb.toml", "?piece=x/y", "?game=none"])
def test_page_serves_only_project(still: Open, query: str) -> None:
    text = still.client.get("/" + query).text
    assert "root:" not in text
    assert "/etc" not in text


# ── updates ──────────────────────────────────────────────────────────────────────────────────────


def test_only_changes_are_sent(pond: Open) -> None:
    with pond.client.websocket_connect(CHANNEL, headers=ORIGIN) as socket:
        first = json.loads(socket.receive_text())
        assert list(first) == ["status", "where", "shown", "problems", "tests", "games"]
        pond.write("cards/pond.fcb", 'frog green-frog "Green Frog"', 'frog green-frog "Greener Frog"', work=False)
        sent = json.loads(socket.receive_text())
        assert {"shown", "where"} <= set(sent)
        assert "problems" not in sent
        assert "Greener Frog" in sent["shown"]


def test_closed_page_is_forgotten(still: Open) -> None:
    with still.client.websocket_connect(CHANNEL, headers=ORIGIN) as socket:
        socket.receive_text()
    still.hub.publish()
    assert still.hub._waiting == []


# ── games ────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.long
def test_failing_game_is_replayed_by_click(pond: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background_runner, "MOST_GAMES", 2)
    pond.bench.idle(pond.desk.note, lambda: False)
    assert words(pond.page()["games"]) == "Random games 2 of 2 played: none went wrong."
    pond.write("systems/pond.fcb", "repeat 1 times: leaps becomes leaps + 0", "leaps becomes 1 / 0")
    pond.bench.idle(pond.desk.note, lambda: False)
    games = pond.page()["games"]
    assert "fault: a number is divided by 0" in games
    (story, log) = re.findall(r'href="(/(?:lost|log)\?[^"]*)"', games.replace("&amp;", "&"))
    response = pond.client.get(story)
    assert response.status_code == 200
    assert "The Crossing" in response.text
    policy = response.headers["content-security-policy"]
    assert "script-src 'sha256-" in policy
    assert json.loads(pond.client.get(log).content)["mission"] == "crossing"
    pond.write("systems/pond.fcb", "leaps becomes 1 / 0", "leaps becomes leaps")
    assert pond.client.get(story).status_code == 404
    assert pond.client.get("/log?seed=" + "9" * 5000).status_code == 404


# ── refusals ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example:8437"},
        {"Host": "127.0.0.1"},
        {"Host": "127.0.0.1:8437.evil.example"},
        {"Origin": "http://evil.example"},
        {"Origin": "http://localhost:8437"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
    ],
    ids=str,
)
def test_strangers_are_refused(still: Open, headers: dict[str, str]) -> None:
    for path in ("/", "/live.js", "/lost?seed=1", "/log?seed=1", "/nothing"):
        answer = still.client.get(path, headers=headers)
        assert (answer.status_code, "Pond" in answer.text) == (403, False)
    with (
        pytest.raises(WebSocketDisconnect),
        still.client.websocket_connect(CHANNEL, headers={**ORIGIN, **headers}),
    ):
        pass


PATHS = ("/", "/live.js", "/lost?seed=1", "/log?seed=1", "/nothing")


@pytest.mark.parametrize("cookies", [{}, {cookie_of(8437): "another"}, {cookie_of(8437): ""}, {cookie_of(8438): TOKEN}])
def test_other_users_of_this_machine_are_refused(still: Open, cookies: dict[str, str]) -> None:
    client = TestClient(make_live_app(still.desk, still.hub, 8437, TOKEN), base_url=HOST, cookies=cookies)
    for path in (*PATHS, "/?token=", "/?token=another", f"/?token={TOKEN}x", "/?token=é"):
        answer = client.get(path, follow_redirects=False)
        assert (answer.status_code, "Pond" in answer.text, "set-cookie" in answer.headers) == (403, False, False)
        assert "the link that `fcb serve` has printed" in answer.text
    for channel in (CHANNEL, f"{CHANNEL}?token={TOKEN}"):
        with pytest.raises(WebSocketDisconnect), client.websocket_connect(channel, headers=ORIGIN):
            pass


def test_link_with_token_becomes_a_cookie_and_leaves_the_address(still: Open) -> None:
    client = TestClient(make_live_app(still.desk, still.hub, 8437, TOKEN), base_url=HOST)
    answer = client.get(f"/?token={TOKEN}&piece=action/hop", follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, "/?piece=action%2Fhop")
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith(f"fcb-8437={TOKEN};")
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert client.get("/").status_code == 200
    again = client.get(f"/?token={TOKEN}", follow_redirects=False)
    assert (again.status_code, again.headers["location"]) == (303, "/"), "also if the browser has the cookie"


def test_token_alone_opens_nothing_for_strangers(still: Open) -> None:
    client = TestClient(make_live_app(still.desk, still.hub, 8437, TOKEN), base_url=HOST)
    for headers in ({"Host": "evil.example:8437"}, {"Origin": "http://evil.example"}, {"Sec-Fetch-Site": "cross-site"}):
        assert client.get(f"/?token={TOKEN}", headers=headers, follow_redirects=False).status_code == 403


def test_websocket_accepts_only_local_pages(still: Open) -> None:
    with pytest.raises(WebSocketDisconnect), still.client.websocket_connect(CHANNEL):
        pass
    named = {"Host": "localhost:8437"}
    assert still.client.get("/", headers={**named, "Sec-Fetch-Site": "same-origin"}).status_code == 200
    with still.client.websocket_connect(
        "ws://127.0.0.1:8437/follow", headers={**named, "Origin": "http://localhost:8437"}
    ) as socket:
        assert socket.receive_text()


def test_page_allows_only_own_script_and_no_frames(still: Open) -> None:
    answer = still.client.get("/")
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert re.findall(r"<script[^>]*>", answer.text) == ['<script src="/live.js">']
    assert not re.search(r"\son\w+=", answer.text)


@pytest.mark.long
def test_hostile_text_is_only_shown(pond: Open) -> None:
    evil = "<script>alert(1)</script><img src=x onerror=alert(2)>\u202e"
    pond.write("cards/pond.fcb", "Gift of flies", evil)
    pond.write("tests/pond.fcb", "The breeze wets", "<b>The breeze</b>")
    pond.write("tests/pond.fcb", "expect green-frog is Wet", "expect green-frog's energy = 7")
    for query in ("", file(pond.root, "cards/pond.fcb") + "&piece=trick/gift", "?game=<b>&piece=<i>&file=<u>"):
        text = pond.client.get("/" + query).text
        assert not re.search(r"<(script>|img|b>The|i>|u>)", text)
    assert "&lt;script&gt;alert(1)" in pond.page(file(pond.root, "cards/pond.fcb") + "&piece=trick/gift")["shown"]
    pond.write("cards/pond.fcb", "choose spots: space", "choose spots: <s>", work=False)
    assert "&lt;s&gt;" in pond.page()["problems"]
    assert "<s>" not in pond.client.get("/").text
