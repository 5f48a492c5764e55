"""The pages of the documentation lead where they say, here and on the site (`make site`)."""

from __future__ import annotations

import html
import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest
from games import ROOT

DOCS = ROOT / "docs"
SITE = DOCS / "site"
sys.path.insert(0, str(SITE))

from contents import contents  # noqa: E402

PAGES = [
    ROOT / "README.md",
    ROOT / "ARCHITECTURE.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "CHANGELOG.md",
    *sorted(DOCS.rglob("*.md")),
]
CODE = re.compile(r"^(```+|~~~+).*?^\1$|`[^`\n]+`", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


def anchors(page: Path) -> set[str]:
    """Where links can lead on a page: its headings, as GitHub writes them."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in HEADING.findall(text)}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(page: Path) -> None:
    found = LINK.findall(CODE.sub("", page.read_text(encoding="utf-8")))
    broken = []
    for link in found:
        path, _, anchor = link.partition("#")
        there = (page.parent / path).resolve() if path else page
        if not link.startswith("https://") and not (there.exists() and (not anchor or anchor in anchors(there))):
            broken.append(link)
    assert broken == []


def test_every_page_is_in_the_contents() -> None:
    found = contents("docs/index", (DOCS / "index.md").read_text(encoding="utf-8"))
    listed = re.findall(r"</(.+)>", "".join(found.values()))
    there = [path.relative_to(ROOT).with_suffix("").as_posix() for path in PAGES]
    assert sorted(listed) == sorted({*there} - {"docs/index", "README"})


def built(out: Path, docs: Path = DOCS) -> tuple[int, str]:
    command = [sys.executable, str(docs / "site" / "build.py"), str(out)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stderr


@pytest.mark.long
def test_the_site_is_built_strictly_and_needs_no_net(tmp_path: Path) -> None:
    assert importlib.util.find_spec("sphinx"), "the site needs its tools: `make site`, or pip install -e '.[docs]'"
    assert built(tmp_path) == (0, "")
    pages = sorted(tmp_path.rglob("*.html"))
    assert len(pages) >= len(PAGES)
    for page in pages:
        text = page.read_text(encoding="utf-8")
        loaded = re.findall(r"<(?:script|img|link|iframe)\b[^>]*?\b(?:src|href)=\"([^\"]+)\"", text)
        away = [html.unescape(one) for one in loaded if re.match(r"(https?:)?//", one)]
        assert away == []
        local = [one.partition("?")[0].partition("#")[0] for one in loaded]
        assert [one for one in local if not (page.parent / one).exists()] == []
    assert "Search.setIndex(" in (tmp_path / "searchindex.js").read_text(encoding="utf-8")[:40]


@pytest.mark.long
def test_colors_change_nothing_of_a_source() -> None:
    assert importlib.util.find_spec("pygments"), "the site needs its tools: `make site`, or pip install -e '.[docs]'"
    from lexer import FcbLexer

    for path in sorted(ROOT.glob("*/**/*.fcb")):
        text = path.read_text(encoding="utf-8")
        assert "".join(value for _, value in FcbLexer(ensurenl=False, stripnl=False).get_tokens(text)) == text
