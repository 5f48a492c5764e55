"""The page of a game: one file without external resources, in all languages, with any selection; in a browser, too."""

from __future__ import annotations

import hashlib
import io
import json
import re
import shutil
import subprocess
from base64 import b64decode, b64encode
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from chromium import Browser
from fontTools.ttLib import TTFont
from pypdf import PdfReader
from small_shop import shop

from fcbdsl.language.model.whole import Model
from fcbdsl.print.export.webpage import render_page
from fcbdsl.print.pieces.looks import deep_on
from fcbdsl.print.press.options import Options

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")


def bilingual() -> Model:
    model = shop()
    model.languages = ("en", "fr")
    return model


def page_of(folder: Path, *ids: str, **more: Any) -> str:
    (path,) = render_page(bilingual(), ids, "en", folder, **more).files
    return path.read_text(encoding="utf-8")


class Attributes(HTMLParser):
    """Collects all elements of a page with their attributes."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str]]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, {name: value or "" for name, value in attrs}))


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> str:
    return page_of(tmp_path_factory.mktemp("page"))


def test_page_contains_only_its_drawings(whole: str, tmp_path: Path) -> None:
    """Hundreds of unused drawings would be half of a small page."""
    for html in (whole, page_of(tmp_path, "rope")):
        elements = Attributes(html).found
        used = {given["href"] for tag, given in elements if tag == "use"}
        brought = {f"#{given['id']}" for tag, given in elements if tag == "symbol"}
        assert used
        assert used <= brought
        assert len(brought - used) < 10, "a template may name some, and words of the page may be names of drawings"


def test_kinds_with_equal_titles_are_one_group(tmp_path: Path) -> None:
    model = bilingual()
    model.kinds["guard"].name = model.kinds["tool"].name
    (path,) = render_page(model, ("tool/", "guard/"), "en", tmp_path).files
    elements = Attributes(path.read_text(encoding="utf-8")).found
    options = [attributes["value"] for tag, attributes in elements if tag == "option" and "data-en" in attributes]
    assert options == ["tool"]
    pieces = [attributes["id"] for tag, attributes in elements if attributes.get("class") == "piece"]
    assert {piece.partition("/")[0] for piece in pieces} == {"tool", "guard"}


def test_page_loads_nothing(whole: str) -> None:
    elements = Attributes(whole).found
    ids = [attributes["id"] for _, attributes in elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    for tag, attributes in elements:
        assert tag not in ("link", "iframe", "object", "embed")
        assert attributes.get("src", "data:").startswith("data:")
        target = attributes.get("href")
        assert target is None or target[1:] in ids, target
        assert "for" not in attributes or attributes["for"] in ids
    assert set(re.findall(r"url\(\s*.(\w*:?)", whole)) == {"data:"}


def test_page_runs_only_own_script(whole: str) -> None:
    script = whole.partition("<script>")[2].partition("</script>")[0]
    (policy,) = (a["content"] for _, a in Attributes(whole).found if a.get("http-equiv"))
    assert policy.startswith("default-src 'none';")
    assert f"script-src 'sha256-{b64encode(hashlib.sha256(script.encode()).digest()).decode()}'" in policy


def test_pieces_are_grouped_by_kind_in_each_language(whole: str) -> None:
    kinds = re.findall(r'<section class="group (\w+)" id="all-([\w-]+)"', whole)
    assert kinds == [("cards", "tool"), ("cards", "guard"), ("cards", "chore"), ("sheets", "mission"), ("aids", "aids")]
    rope = whole.partition('id="tool/rope">')[2].partition('class="piece"')[0]
    assert re.findall(r"<h3>(.*?)</h3>", rope) == ["Rope", "Corde"]
    assert re.findall(r'class="card small (\w+)" lang="(\w+)"', rope) == [
        (side, language) for language in ("en", "fr") for side in ("face", "back")
    ]
    assert "Le Siège" in whole


def test_page_opens_in_print_language(tmp_path: Path) -> None:
    (path,) = render_page(bilingual(), ("rope",), "fr", tmp_path).files
    html = path.read_text(encoding="utf-8")
    assert (path.name, '<html lang="fr">' in html) == ("shop-rope.html", True)
    assert re.findall(r'id="in-(\w+)"[^>]*?( checked)?>', html) == [("fr", " checked"), ("en", "")]


def test_selection_sets_page_name_and_contents(tmp_path: Path) -> None:
    names: dict[str, set[str]] = {}
    for ids, aids in (((), False), ((), True), (("rope",), False), (("rope",), True), (("tool/",), False)):
        (path,) = render_page(bilingual(), ids, "en", tmp_path, Options(), aids=aids).files
        names[path.name] = set(re.findall(r'class="piece" id="([^"]+)"', path.read_text(encoding="utf-8")))
    assert list(names) == [
        "shop.html", "shop-aids.html", "shop-rope.html", "shop-rope+aids.html", "shop-tool~all.html",
    ]  # fmt: skip
    assert names["shop-rope.html"] == {"tool/rope"}
    assert names["shop-rope+aids.html"] - names["shop-rope.html"] == names["shop-aids.html"]
    assert names["shop-tool~all.html"] == {"tool/rope", "tool/hammer"}
    assert names["shop.html"] > names["shop-rope+aids.html"] | names["shop-tool~all.html"]


def test_page_is_reproducible(tmp_path: Path, whole: str) -> None:
    assert page_of(tmp_path) == whole


def test_fonts_are_subset_and_licensed(whole: str) -> None:
    fonts = [b64decode(word) for word in re.findall(r"data:font/woff;base64,([\w+/=]+)", whole)]
    assert len(fonts) == 5
    assert sum(map(len, fonts)) < 120_000
    for data in fonts:
        with TTFont(io.BytesIO(data)) as font:
            letters = font.getBestCmap()
            assert all(ord(letter) in letters for letter in "AzéÉ×·’\u00a0")
            assert 0x416 not in letters
            assert not font["name"].getDebugName(1)  # names may be reserved
    assert whole.count("SIL Open Font License") >= 2


def test_errors_write_no_page(tmp_path: Path) -> None:
    made = render_page(bilingual(), ("rpoe",), "en", tmp_path)
    assert (made.files, [problem.suggestion for problem in made.problems]) == ((), ["rope"])


def test_light_kind_colors_have_contrast() -> None:
    assert deep_on("#6b1b1b", "#fbf8f1") == "#501414"  # a quarter of black is enough
    assert [deep_on(light, "#fbf8f1") for light in ("#ffffff", "#f2c200")] == ["#666666", "#856b00"]  # 5.4 and 4.8 to 1


def test_symbol_without_words_is_decorative(whole: str) -> None:
    assert 'aria-label=""' not in whole


# ── in a browser ─────────────────────────────────────────────────────────────────────────────────

LOOK = """
<script>
  const seen = {};
  const drawn = of => [...document.querySelectorAll(of)].filter(one => one.getClientRects().length);
  const shown = () => drawn(".piece").map(one => one.id);
  const say = (name, value) => { seen[name] = value; };
  const ask = words => { search.value = words; search.dispatchEvent(new Event("input")); };
  const visible = of => drawn(of).length;
  say("across", document.documentElement.scrollWidth - innerWidth);
  const least = (of, size) => Math.min(...drawn(of).map(size));
  const outside = one => one.offsetWidth - drawn(".card").find(card => one.contains(card)).offsetWidth;
  document.querySelector(".under a").textContent = "#".repeat(60);
  document.querySelector(".drawn").style.setProperty("--across", 320);
  say("map", [document.querySelector(".drawn svg").clientWidth, document.documentElement.scrollWidth > innerWidth]);
  say("aligned", drawn(".cards .piece").every(one => outside(one) === 0));
  say("type", least(".card :not(svg, svg *):not(:empty), .sheet p", one => parseFloat(getComputedStyle(one).fontSize)));
  say("wide", drawn(".card, .sheet").filter(one => one.getBoundingClientRect().right > innerWidth + 1).length);
  say("all", shown().length);
  ask("corde"); say("french word in English", shown());
  document.getElementById("in-fr").click(); say("french word", shown());
  say("title", [document.title, document.documentElement.lang]);
  ask("siege"); say("without accents", shown());
  ask(""); kind.value = "tool"; kind.dispatchEvent(new Event("input")); say("kind", shown());
  ask("no such word at all"); say("nothing", [shown(), visible("#nothing")]);
  ask(""); document.getElementById("turn-tool/rope").click();
  const rope = document.getElementById("tool/rope");
  say("turned", [visible("[id='tool/rope'] .face"), visible("[id='tool/rope'] .back")]);
  ask("hammer"); location.hash = "#tool/rope";
  dispatchEvent(new KeyboardEvent("keydown", { key: "/" }));
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "/", bubbles: true }));
  say("focus", document.activeElement.id);
  setTimeout(() => {
    say("linked", shown().includes("tool/rope"));
    const told = document.createElement("pre");
    told.id = "seen";
    told.textContent = JSON.stringify(seen);
    document.body.append(told);
  }, 200);
</script></body>"""
"""A script at the end of the page: the acts of a reader, and what is visible then."""


@pytest.fixture(scope="module")
def browser() -> str:
    browser_path = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if browser_path is None:
        pytest.skip(f"no browser: none of {', '.join(BROWSERS)} is installed")
    return browser_path


def browse(browser: str, *arguments: str) -> str:
    done = subprocess.run(
        [browser, "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=4000", *arguments],
        capture_output=True,
        timeout=120,
        check=True,
    )
    return done.stdout.decode()


def framed(folder: Path, html: str, width: int) -> str:
    """Return a page that shows another one in a frame of a width, because windows of browsers have a least width."""
    (folder / "inner.html").write_text(html, encoding="utf-8")
    (folder / "frame.html").write_text(
        f'<iframe src="inner.html" style="width: {width}px; height: 800px; border: 0"></iframe>'
        '<pre id="seen"></pre><script>addEventListener("message", told => seen.textContent = told.data)</script>'
    )
    return f"file://{folder / 'frame.html'}"


@pytest.mark.long
@pytest.mark.parametrize("width", [360, 1280])
def test_page_search_flip_and_links_work_at_any_width(tmp_path: Path, whole: str, browser: str, width: int) -> None:
    html = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", whole)  # the test's own script runs, too
    html = html.replace(
        "</body>", LOOK.replace("document.body.append(told)", "parent.postMessage(told.textContent, '*')")
    )
    dom = browse(browser, "--window-size=1400,900", "--dump-dom", framed(tmp_path, html, width))
    seen = json.loads(re.findall(r'<pre id="seen">(.*?)</pre>', dom)[0].replace("&amp;", "&"))
    assert seen["across"] <= 0
    assert seen["wide"] == 0
    assert seen["aligned"]
    assert seen["map"] == [1184, False]  # of 320 units, of which names of spaces take 3: 11 px
    assert seen["type"] >= 11
    assert seen["all"] == whole.count('class="piece"')
    assert seen["french word in English"] == []
    assert "tool/rope" in seen["french word"]
    assert seen["title"] == ["La Boutique", "fr"]
    assert "mission/siege" in seen["without accents"]
    assert seen["kind"] == ["tool/hammer", "tool/rope"]
    assert seen["nothing"] == [[], 1]
    assert seen["turned"] == [0, 1]
    assert seen["focus"] == "search"
    assert seen["linked"]


@pytest.mark.long
def test_page_without_script_shows_languages_and_backs(tmp_path: Path, whole: str, browser: str) -> None:
    html = whole.replace("'sha256-", "'sha256-x")  # the page's own script is refused
    html = html.replace('value="fr"', 'value="fr" checked').replace(
        'id="turn-tool/rope"', 'id="turn-tool/rope" checked'
    )
    (tmp_path / "still.html").write_text(html, encoding="utf-8")
    browse(
        browser, f"--print-to-pdf={tmp_path / 'still.pdf'}", "--no-pdf-header-footer", f"file://{tmp_path}/still.html"
    )
    text = "".join(page.extract_text() for page in PdfReader(tmp_path / "still.pdf").pages)
    assert "LE SIÈGE" in text
    assert "THE SIEGE" not in text
    assert "CORDE" not in text  # its back is on top
    assert "Chercher" not in text  # nothing to search with


@pytest.mark.long
def test_printed_page_keeps_card_size(tmp_path: Path, whole: str, browser: str) -> None:
    """Also on a page that is as narrow as a telephone's screen, and while a card is being turned."""
    (tmp_path / "page.html").write_text(whole, encoding="utf-8")
    window = Browser(browser, tmp_path / "window")
    window.size(700, 900, medium="print")
    window.go(f"file://{tmp_path}/page.html")
    card = "document.getElementById('tool/rope').querySelector('.in:not(:empty) .face')"
    assert window.see(f"{card}.getBoundingClientRect().width") == pytest.approx(63 * 96 / 25.4, abs=0.5)
    assert window.see("document.getAnimations().length") == 0
    breaks = "[...document.querySelectorAll('.group')].map(one => getComputedStyle(one).breakBefore)"
    assert set(window.see(breaks)) == {"auto", "page"}
    window.close()


@pytest.mark.long
def test_boards_are_in_two_columns_on_tablet(tmp_path: Path, whole: str, browser: str) -> None:
    boards, changed = re.subn(r"--wide: ?[\d.]+", "--wide: 88", whole)
    assert changed
    (tmp_path / "page.html").write_text(boards, encoding="utf-8")
    window = Browser(browser, tmp_path / "window")
    window.size(768, 900)
    window.go(f"file://{tmp_path}/page.html")
    tops = "[...document.querySelector('#tool .laid, .cards .laid').children].map(one => one.offsetTop)"
    first, second, *_ = window.see(tops)
    assert first == second
    assert window.see("document.documentElement.scrollWidth") <= 768
    window.close()
