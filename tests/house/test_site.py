"""The links of the documentation lead to existing pages, here and on the site (`make site`)."""

from __future__ import annotations

import html
import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest
from games import ROOT

from fcbdsl.base.diagnostics.diagnostic_pages import explain
from fcbdsl.base.diagnostics.registry import known_codes

DOCS = ROOT / "docs"
SITE = DOCS / "site"
sys.path.insert(0, str(SITE))

from code_pages import code_pages, list_of_codes  # noqa: E402
from contents import contents  # noqa: E402
from recipes import with_pictures  # noqa: E402

PAGES = [
    ROOT / "README.md",
    ROOT / "ARCHITECTURE.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "SECURITY.md",
    ROOT / "CHANGELOG.md",
    *sorted(DOCS.rglob("*.md")),
]
CODE = re.compile(r"^(```+|~~~+).*?^\1$|`[^`\n]+`", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


def anchors(page: Path) -> set[str]:
    """Return the anchors of a page: its headings, as GitHub writes them."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in HEADING.findall(text)}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_have_targets(page: Path) -> None:
    links = LINK.findall(CODE.sub("", page.read_text(encoding="utf-8")))
    broken = []
    for link in links:
        path, _, anchor = link.partition("#")
        there = (page.parent / path).resolve() if path else page
        if not link.startswith("https://") and not (there.exists() and (not anchor or anchor in anchors(there))):
            broken.append(link)
    assert broken == []


def test_every_page_is_in_contents() -> None:
    parts = contents("docs/index", (DOCS / "index.md").read_text(encoding="utf-8"))
    listed = re.findall(r"</(.+)>", "".join(parts.values()))
    there = [path.relative_to(ROOT).with_suffix("").as_posix() for path in PAGES]
    assert sorted(listed) == sorted({*there} - {"docs/index", "README"})


def built(out: Path, docs: Path = DOCS) -> tuple[int, str]:
    command = [sys.executable, str(docs / "site" / "build.py"), str(out)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stderr


@pytest.mark.long
def test_site_builds_strictly_and_loads_nothing(tmp_path: Path) -> None:
    assert importlib.util.find_spec("sphinx"), "the site needs its tools: `make site`, or pip install -e '.[docs]'"
    assert built(tmp_path) == (0, "")
    pages = sorted(tmp_path.rglob("*.html"))
    assert len(pages) >= len(PAGES)
    for page in pages:
        text = page.read_text(encoding="utf-8")
        loaded = re.findall(r"<(?:script|img|link|iframe)\b[^>]*?\b(?:src|href)=\"([^\"]+)\"", text)
        away = [html.unescape(address) for address in loaded if re.match(r"(https?:)?//", address)]
        assert away == []
        local = [address.partition("?")[0].partition("#")[0] for address in loaded]
        assert [address for address in local if not (page.parent / address).exists()] == []
    cookbook = (tmp_path / "docs" / "cookbook.html").read_text(encoding="utf-8")
    assert cookbook.count('<figure class="recipe">') == len(list((tmp_path / "recipes").glob("*.png"))) > 35
    assert "Search.setIndex(" in (tmp_path / "searchindex.js").read_text(encoding="utf-8")[:40]


def test_recipe_picture_is_above_its_file() -> None:
    page = "### Aura\n\nA remark.\n\n`cards/aura.fcb`\n```fcb\n```\n`tests/aura.fcb`\n\n`missions/other.fcb`\n"
    pictured = with_pictures(page, {"aura": "<figure></figure>\n\n"})
    assert pictured == page.replace("`cards/", "<figure></figure>\n\n`cards/")
    assert with_pictures(page, {}) == page


@pytest.mark.long
def test_highlighting_keeps_source_text() -> None:
    assert importlib.util.find_spec("pygments"), "the site needs its tools: `make site`, or pip install -e '.[docs]'"
    from lexer import FcbLexer

    for path in sorted(ROOT.glob("*/**/*.fcb")):
        text = path.read_text(encoding="utf-8")
        assert "".join(value for _, value in FcbLexer(ensurenl=False, stripnl=False).get_tokens(text)) == text


# ── one page, one name ─────────────────────────────────────────────────────────────────────────

PAGE_LINK = re.compile(r"(?<!!)\[([^\]]+)\]\(([^)\s#]+)\)")
INDEX = DOCS / "index.md"


def title_of(page: Path) -> str:
    """Return the title of a page: its first heading, which must be its first line."""
    first = page.read_text(encoding="utf-8").partition("\n")[0]
    assert first.startswith("# "), page
    return " ".join(first.removeprefix("# ").split())


def named_pages(page: Path) -> list[tuple[str, Path]]:
    """Return the links of a page to whole other pages: their text and their target."""
    links = PAGE_LINK.findall(CODE.sub("", page.read_text(encoding="utf-8")))
    targets = [(" ".join(text.split()), (page.parent / link).resolve()) for text, link in links]
    return [(text, there) for text, there in targets if there in PAGES]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_link_text_that_starts_like_title_is_title(page: Path) -> None:
    """Links inside a sentence begin small, and may be any words of it. The name of a file is a name, too."""
    wrong = [
        (text, title_of(there))
        for text, there in named_pages(page)
        if text[0].isupper() and text not in (title_of(there), there.name)
    ]
    assert wrong == []


def test_contents_use_page_titles() -> None:
    """The sidebar of the site is made of these links; inside a sentence they may begin small."""
    lists = re.sub(r"\A.*?(?=^## )", "", INDEX.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    assert len(re.findall(r"^- ", lists, re.MULTILINE)) <= 20, "the sidebar has at most 20 labels"
    labels = [(" ".join(text.split()), title_of((DOCS / link).resolve())) for text, link in PAGE_LINK.findall(lists)]
    assert [pair for pair in labels if pair[0].casefold() != pair[1].casefold()] == []


def test_pages_have_distinct_titles() -> None:
    titles = [title_of(page).casefold() for page in PAGES]
    assert len(set(titles)) == len(titles)


@pytest.mark.parametrize(
    ("words", "page"),
    [
        ("install", "install"),
        ("diff compare versions", "differences"),
        ("win rate balance", "simulating"),
        ("migrate upgrade", "changes"),
        ("live preview", "live"),
        ("coverage", "coverage"),
        ("mutation", "mutation"),
        ("csv json import export", "exchange"),
        ("art fonts", "looks"),
        ("terminal play", "playing"),
        ("log", "stories"),
        ("ci", "ci"),
        ("error warning", "diagnostics"),
        ("vs code neovim editor", "editors"),
    ],
)
def test_titles_contain_search_words(words: str, page: str) -> None:
    assert any(word in title_of(DOCS / f"{page}.md").casefold() for word in words.split())


# ── a page for each code ───────────────────────────────────────────────────────────────────────


def test_site_has_page_for_each_code() -> None:
    """A reader finds a code by its number and by its text; links to the list of all codes still work."""
    reference = (DOCS / "diagnostics.md").read_text(encoding="utf-8")
    pages = code_pages(reference)
    assert sorted(pages) == known_codes()
    for code, page in pages.items():
        assert f"\n# {code} " in page
        assert explanation_of(code) in " ".join(page.split())
        for link in re.findall(r"\]\(([^)#]+\.md)", page):
            assert (DOCS / "diagnostics" / link).resolve().is_file(), (code, link)
    listed = list_of_codes(reference)
    assert re.findall("^### .*", listed, re.MULTILINE) == re.findall("^### .*", reference, re.MULTILINE)
    assert all(f"](diagnostics/{code}.md)" in listed for code in pages)


def explanation_of(code: str) -> str:
    """Return the first sentence that `fcb explain` prints of a code."""
    _, paragraph, *_ = str(explain(code)).split("\n\n")
    return " ".join(paragraph.split())
