"""One page for each diagnostic, so that readers find it by its code and by its text."""

from __future__ import annotations

import re

FOLDER = "diagnostics"
"""The folder of these pages, beside the page that lists them."""
_SECTION = re.compile(r"^### ((FCB\d{4}) .+)\n\n((?:(?!^##).*\n?)*)", re.MULTILINE)
_LINK = re.compile(r"\]\((?!https?:)([^)#]+\.md)")
_ORPHAN = "---\norphan: true\n---\n\n"
"""Keeps a page out of the sidebar, which would list hundreds of codes."""


def code_pages(reference: str) -> dict[str, str]:
    """Return the page of each code, as Markdown, from the page of all codes."""
    return {code: f"{_ORPHAN}# {title}\n\n{_deeper(body)}" for title, code, body in _SECTION.findall(reference)}


def list_of_codes(reference: str) -> str:
    """Return the page of all codes with a link in the place of each text. Its headings stay, so links to them work."""
    return _SECTION.sub(
        lambda found: f"### {found[1]}\n\n[Cause, fix and examples]({FOLDER}/{found[2]}.md)\n\n", reference
    )


def _deeper(text: str) -> str:
    """Return Markdown with its links for a page one folder deeper."""
    return _LINK.sub(r"](../\1", text)
