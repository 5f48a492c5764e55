"""The installed documentation: its pages, and the sections in which a word is a heading."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from fcbdsl.base import resources
from fcbdsl.base.diagnostics import suggest
from fcbdsl.base.diagnostics.entries import anchor
from fcbdsl.base.origin import HOME

FRONT = "index"
"""The page with the contents."""
_HEADING = re.compile(r"^(#{1,6}) (.+)$")
_FENCE = re.compile(r"^ *(```|~~~)")
_PICTURE = re.compile(r"!\[([^\]]*)\]\([^)]*\)")
_LINK = re.compile(r"\[([^\]]+)\]\(([^)\s]+)\)")
_TAG = re.compile(r"</?(?:details|summary|br)>")
_PAGE = re.compile(r"(?:\.\./)*([\w/-]+)\.md(#[\w-]+)?")


@dataclass(frozen=True)
class HelpSection:
    """A heading with the text below it, up to the next heading of its level.

    `page` is the topic of its page, such as ``language/effects``; `level` is 1 for the title of a page.
    """

    page: str
    level: int
    heading: str
    text: str

    @property
    def topic(self) -> str:
        """Return the topic for `fcb help` that shows this section."""
        return self.page if self.level == 1 else f"{self.page}#{anchor(self.heading)}"


def folder() -> Path:
    """Return the folder of the pages: inside the package in a wheel, beside it in a checkout."""
    inside = resources.package_folder() / "docs"
    return inside if inside.is_dir() else resources.package_folder().parent / "docs"


@cache
def sections() -> tuple[HelpSection, ...]:
    """Return the sections of all pages, in order of the pages' topics; the first of each page is the whole page."""
    sections: list[HelpSection] = []
    for path in sorted(folder().rglob("*.md")):
        sections += _sections(path.relative_to(folder()).with_suffix("").as_posix(), path.read_text(encoding="utf-8"))
    return tuple(sections)


def _sections(page: str, text: str) -> Iterator[HelpSection]:
    lines = text.splitlines()
    headings: list[tuple[int, int, str]] = []
    fenced = False
    for at, line in enumerate(lines):
        fenced ^= _FENCE.match(line) is not None
        match = _HEADING.match(line)
        if match is not None and not fenced:
            headings.append((at, len(match[1]), match[2].replace("`", "").strip()))
    for place, (at, level, heading) in enumerate(headings):
        end = next((later for later, other, _ in headings[place + 1 :] if other <= level), len(lines))
        yield HelpSection(page, level, heading, "\n".join(lines[at:end]).strip() + "\n")


def lookup(topic: str) -> list[HelpSection]:
    """Return what `fcb help TOPIC` can mean, best first; several if a word is a heading of several pages.

    A topic is a page (``language/effects``, ``effects``), its title, a section of it (``effects#choose``), a heading,
    or words of a heading. Pages come first, then whole headings, then headings with these words.
    """
    wanted = topic.strip().casefold().removesuffix(".md")
    everything = sections()
    page, _, part = wanted.partition("#")
    pages = [section for section in everything if section.level == 1 and section.page.casefold() == page]
    pages = pages or [section for section in everything if section.level == 1 and page in _names(section)]
    if part:
        named = {section.page for section in pages}
        return [section for section in everything if section.page in named and anchor(section.heading) == part]
    if pages:
        return pages
    exact = [section for section in everything if section.level > 1 and _plain(section.heading) == wanted]
    words = set(wanted.split())
    return exact or [
        section for section in everything if words and words <= set(re.findall(r"[\w'-]+", _plain(section.heading)))
    ]


def _names(page: HelpSection) -> set[str]:
    return {page.page.casefold(), page.page.rpartition("/")[2].casefold(), _plain(page.heading)}


def _plain(heading: str) -> str:
    """Return a heading without a remark in parentheses, in lower case: ``at (of a track)`` is ``at``."""
    return re.sub(r" *\([^)]*\)$", "", heading).casefold()


def nearest(topic: str) -> str | None:
    """Return the topic that a misspelled one most likely means, or None."""
    names = {name for section in sections() if section.level == 1 for name in _names(section)}
    return suggest(topic.casefold(), names | {_plain(section.heading) for section in sections()})


def readable(section: HelpSection) -> str:
    """Return the text of a section for a terminal: links name topics, and pictures their descriptions."""

    def link(match: re.Match[str]) -> str:
        if _PAGE.fullmatch(match[2]) is None:
            return match[1] if match[2].startswith("#") else f"{match[1]} ({match[2]})"
        topic = _topic(section.page, match[2])
        return f"{match[1]} (fcb help {topic})" if topic else f"{match[1]} ({HOME}/blob/main/{match[2].lstrip('./')})"

    lines, fenced = [], False
    for line in section.text.splitlines():
        fenced ^= _FENCE.match(line) is not None
        lines.append(line if fenced else _LINK.sub(link, _PICTURE.sub(r"(picture: \1)", _TAG.sub(" ", line))).rstrip())
    return "\n".join(lines) + "\n"


def _topic(page: str, target: str) -> str:
    """Return the topic of a link, relative to the page that contains it; empty for a file that is no page of docs/."""
    path, _, part = target.partition("#")
    steps = page.split("/")[:-1]
    for step in path.removesuffix(".md").split("/"):
        if step != "..":
            steps.append(step)
        elif steps:
            steps.pop()
        else:
            return ""
    return "/".join(steps) + (f"#{part}" if part else "")
