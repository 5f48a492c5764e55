"""The pages of the painter: they exist only with `--write`, and only for the pages of this machine."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from land import HEX, Painted, land
from starlette.testclient import TestClient

from fcbdsl.editor.live.live_server import Hub, cookie_of, make_live_app
from fcbdsl.editor.painter.painter_server import MOST_BYTES, make_painter_app

HOST = "http://127.0.0.1:8437"
BAY = "?mission=bay&game="


@pytest.fixture
def painted(tmp_path: Path) -> Painted:
    return Painted(land(tmp_path))


@pytest.fixture
def client(painted: Painted) -> Iterator[TestClient]:
    app = make_live_app(painted.desk, Hub(), 8437, "a-token", None, make_painter_app(painted.painter))
    with TestClient(app, base_url=HOST, cookies={cookie_of(8437): "a-token"}, follow_redirects=False) as made:
        yield made


def test_a_stroke_by_the_page_changes_the_file(painted: Painted, client: TestClient) -> None:
    bay = BAY + painted.game
    assert "mission=bay" in client.get("/map/").text
    page = client.get(f"/map/paint{bay}")
    assert page.status_code == 200
    assert "script-src 'self'" in page.headers["content-security-policy"]
    state = client.get(f"/map/state{bay}").json()
    body = {"seal": state["seal"], "tool": "brush", "spaces": ["A1"], "words": ["marsh"]}
    after = client.post(f"/map/stroke{bay}", json=body).json()
    assert after["cells"][0]["words"] == ["marsh"]
    assert "m . m ." in painted.text("missions/bay.fcb")
    stale = client.post(f"/map/stroke{bay}", json=body)
    assert (stale.status_code, "has changed" in stale.json()["refused"]) == (409, True)
    assert client.post(f"/map/undo{bay}").json()["undo"] == 0
    assert painted.text("missions/bay.fcb") == HEX
    assert client.post(f"/map/redo{bay}").json()["cells"] == after["cells"]


def test_stroke_keeps_edits_of_others(painted: Painted, client: TestClient) -> None:
    bay = BAY + painted.game
    body = {
        "seal": client.get(f"/map/state{bay}").json()["seal"],
        "tool": "brush",
        "spaces": ["A1"],
        "words": ["marsh"],
    }
    file = painted.root / "missions/bay.fcb"
    file.write_text(HEX + "# others\n", encoding="utf-8")  # the watcher of files has not seen it yet
    answer = client.post(f"/map/stroke{bay}", json=body)
    assert (answer.status_code, "has changed" in answer.json()["refused"]) == (409, True)
    assert painted.text("missions/bay.fcb") == HEX + "# others\n"
    body["seal"] = client.get(f"/map/state{bay}").json()["seal"]
    assert client.post(f"/map/stroke{bay}", json=body).status_code == 200
    assert painted.text("missions/bay.fcb").endswith("# others\n")


def test_invalid_stroke_is_refused(painted: Painted, client: TestClient) -> None:
    bay = BAY + painted.game
    for content in (b"", b"[]", b"{", b"\xff", b"[" * 5000, b" " * (MOST_BYTES + 1)):
        assert client.post(f"/map/stroke{bay}", content=content).status_code == 400
    assert client.post(f"/map/stroke{bay}", json={"seal": 7}).status_code == 409
    assert client.get("/map/state?mission=nowhere").status_code == 409
    assert client.get("/map/web/map_painter.py").status_code == 404
    assert client.get(f"/map/stroke{bay}").status_code == 405
    assert painted.text("missions/bay.fcb") == HEX


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"host": "evil.example:8437"},
        {"cookie": ""},
        {"sec-fetch-site": "cross-site"},
    ],
)
def test_other_pages_cannot_paint(painted: Painted, client: TestClient, headers: dict[str, str]) -> None:
    bay = BAY + painted.game
    body = {"seal": str(painted.state("bay")["seal"]), "tool": "brush", "spaces": ["A1"], "words": ["marsh"]}
    assert client.post(f"/map/stroke{bay}", json=body, headers=headers).status_code == 403
    assert client.post(f"/map/undo{bay}", headers=headers).status_code == 403
    assert painted.text("missions/bay.fcb") == HEX


def test_without_write_there_is_no_painter(painted: Painted) -> None:
    app = make_live_app(painted.desk, Hub(), 8437, "a-token")
    with TestClient(app, base_url=HOST, cookies={cookie_of(8437): "a-token"}) as client:
        assert client.get("/map/").status_code == 404
        assert client.post("/map/stroke").status_code == 404


def test_pages_speak_the_language_of_the_browser(client: TestClient, painted: Painted) -> None:
    french = {"accept-language": "fr-CH, fr;q=0.9, en;q=0.8"}
    assert '<html lang="fr">' in (page := client.get(f"/map/paint{BAY}{painted.game}", headers=french).text)
    assert "Nouveau contenu" in page
    assert "{" not in page
    assert "Peignez une carte" in client.get("/map/", headers=french).text
    assert client.get(f"/map/state{BAY}{painted.game}", headers=french).json()["texts"]["fill"] == "remplissage"
    assert '<html lang="en">' in client.get("/map/", headers={"accept-language": "xx"}).text


def test_preview_links_to_the_painter_only_if_it_is_on(client: TestClient, painted: Painted) -> None:
    asked = {"game": painted.game, "file": str(painted.root / "missions/bay.fcb"), "piece": "mission/bay"}
    assert "/map/paint" not in client.get("/", params=asked).text
    painted.desk.paints = True
    link = f'href="/map/paint?game={painted.game}&amp;mission=bay"'
    assert link in client.get("/", params=asked).text
