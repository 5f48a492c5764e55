"""Rules text as data: paragraphs of runs, which every renderer can draw."""

from __future__ import annotations

import re
from collections.abc import Sequence

from fcbdsl.base.diagnostics import Diagnostic
from fcbdsl.base.records import dataclass

BOLD, LIGHT = "\x01", "\x02"
"""Delimiters of a keyword in generated strings."""
ICON, END_ICON = "\x03", "\x04"
"""Delimiters of the name of a drawing."""
CANDIDATE = "\x07"
"""Placeholder for the antecedent of a relative clause, until the clause is complete."""
CLAUSE = "\x06"
"""Mark before the conjunction of two clauses of a condition."""
ARTICLE = "\x05"
"""The space after a generated article; only there may a language contract (de le → du)."""


@dataclass(frozen=True, slots=True)
class Run:
    """A stretch of text in one style: plain, keyword (bold), heading or icon (text: the drawing's name)."""

    text: str
    style: str = "plain"

    def plain(self) -> str:
        """Return the words alone."""
        return f"({self.text})" if self.style == "icon" else self.text


_BOLD = ("keyword", "heading")
_SPECIAL = str.maketrans({sign: f"\\{sign}" for sign in r"\`*_[]<>|~#&"})


def escape_markdown(text: str) -> str:
    """Return a text without the meaning that Markdown gives to its signs."""
    return text.translate(_SPECIAL)


def _bold(text: str) -> str:
    """Return words in bold Markdown, with the spaces around them outside the marks, where they work."""
    inner = text.strip()
    before, _, after = text.partition(inner) if inner else (text, "", "")
    return f"{before}**{inner.translate(_SPECIAL)}**{after}" if inner else text


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Runs in a row.

    `level` 1 and more: an item of a list, at that depth. `label`: the first cell of a table row with two columns.
    `cells`: the cells of a row with any number of columns; the first such row is the header.
    """

    runs: tuple[Run, ...]
    level: int = 0
    label: str = ""
    cells: tuple[str, ...] = ()

    def markdown(self) -> str:
        """Return the words as one line of Markdown without a bullet; keywords and headings are bold."""
        if self.cells:
            return self.plain().translate(_SPECIAL)
        words = "".join(_bold(run.text) if run.style in _BOLD else run.plain().translate(_SPECIAL) for run in self.runs)
        return f"{self.label.translate(_SPECIAL)}: {words or '–'}" if self.label else words

    def plain(self) -> str:
        """Return the words alone."""
        if self.cells:
            return " | ".join((self.label, *self.cells))
        words = "".join(run.plain() for run in self.runs)
        return f"{self.label} | {words or '–'}" if self.label else words


@dataclass(frozen=True, slots=True)
class RulesText:
    """The wording of a rule, and its problems."""

    paragraphs: tuple[Paragraph, ...]
    problems: tuple[Diagnostic, ...] = ()

    def plain(self) -> str:
        """Return the words alone, one line per paragraph, list items after a bullet."""
        return "\n".join("  " * (p.level - 1) + "• " * bool(p.level) + p.plain() for p in self.paragraphs)

    def marked(self) -> str:
        """Return `plain` with keywords between ``**``: the form for tests and hovers."""
        lines = []
        for paragraph in self.paragraphs:
            marks = {"keyword": "**{}**", "heading": "__{}__", "icon": "({})", "plain": "{}"}
            words = "".join(marks[run.style].format(run.text) for run in paragraph.runs)
            lines.append("  " * (paragraph.level - 1) + "• " * bool(paragraph.level) + words)
        return "\n".join(lines)


_MARKS = re.compile(f"{BOLD}([^{LIGHT}]*){LIGHT}|{ICON}([^{END_ICON}]*){END_ICON}")


def author_paragraphs(lines: str) -> tuple[Paragraph, ...]:
    """Return an author's text as paragraphs: one per line, ``**keyword**`` bold, ``- `` a list item."""
    paragraphs: list[Paragraph] = []
    for line in lines.splitlines():
        if line.strip():
            level = 1 if line.lstrip().startswith("- ") else 0
            paragraphs.append(paragraph(mark_bold(line.strip().removeprefix("- ")), level))
    return tuple(paragraphs)


def paragraph(marked: str, level: int = 0, heading: str = "") -> Paragraph:
    """Turn a generated string with marks into a paragraph, under an optional run-in heading."""
    runs = [Run(heading + " ", "heading")] if heading else []
    marked = marked.replace(ARTICLE, " ").replace(CLAUSE, "")
    at = 0
    for match in _MARKS.finditer(marked):
        if match.start() > at:
            runs.append(Run(marked[at : match.start()]))
        bold, icon = match.groups()
        if icon is not None:
            runs.append(Run(icon, "icon"))
        elif bold:
            runs.append(Run(bold, "keyword"))
        at = match.end()
    if at < len(marked):
        runs.append(Run(marked[at:]))
    return Paragraph(tuple(runs), level)


def mark_bold(words: str) -> str:
    """Return an author's words with marks for ``**bold**`` ones."""
    return re.sub(r"\*\*(.+?)\*\*", f"{BOLD}\\1{LIGHT}", words) if "**" in words else words


def single_spaces(words: str) -> str:
    """Return words with each run of spaces as one."""
    return re.sub(" {2,}", " ", words) if "  " in words else words


def capitalize(marked: str) -> str:
    """Raise the first letter, past any marks."""
    for at, letter in enumerate(marked):
        if letter == ICON:
            return marked
        if letter.isalnum():
            return marked[:at] + letter.upper() + marked[at + 1 :]
    return marked


def join_with_last(parts: Sequence[str], separator: str, last: str) -> str:
    """Return ``a, b and c``: the last two are joined by `last`."""
    if len(parts) < 2:
        return "".join(parts)
    return separator.join(parts[:-1]) + last + parts[-1]
