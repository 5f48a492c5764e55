"""The settings of Sphinx for `make site`. Sphinx reads the repository's folder, because links in pages are relative to
it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE))

import recipes  # noqa: E402
from contents import contents  # noqa: E402
from lexer import FcbLexer  # noqa: E402

from fcbdsl import __version__  # noqa: E402

project = "fcbdsl"
version = release = __version__
copyright = author = "The authors of fcbdsl"
extensions = ["myst_parser"]
root_doc = "docs/index"
include_patterns = ["docs/**.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"]
exclude_patterns = [".*", "build", "dist", "node_modules", "tests", "editors", "fcbdsl", "cards", "missions"]
myst_heading_anchors = 4
highlight_language = "text"
suppress_warnings = ["misc.highlighting_failure"]  # code in a language without colors is shown plain
language = "en"
html_theme = "furo"
html_title = f"fcbdsl {version}"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_js_files = ["copy.js"]
html_search_scorer = str(HERE / "static" / "scorer.js")
html_additional_pages = {"index": "front.html"}
templates_path = ["templates"]
html_copy_source = False
html_show_sphinx = False
html_use_index = False
html_domain_indices = False
html_theme_options = {"top_of_page_buttons": []}


def setup(app: Any) -> None:
    """Give Sphinx the colors of sources, the place of each page in the contents, and the pictures of recipes."""
    added = contents(root_doc, (ROOT / f"{root_doc}.md").read_text(encoding="utf-8"))
    figures = recipes.draw(ROOT / "docs" / "cookbook", Path(app.outdir) / recipes.FOLDER)

    def read(app: Any, document: str, source: list[str]) -> None:
        text = recipes.with_pictures(source[0], figures) if document == recipes.PAGE else source[0]
        source[0] = text + added.get(document, "")

    app.add_lexer("fcb", FcbLexer)
    app.connect("source-read", read)
