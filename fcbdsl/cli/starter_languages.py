"""Languages of starters: they contain English and French, and a new project gets the languages that it lists."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

STARTED = ("en", "fr")
"""The languages of starters. A text that names no language is in the first."""

_STRING = r'"(?:[^"\\]|\\.)*"'
_FRENCH = re.compile(rf"(?P<margin> *)(?:(?P<key>[\w-]+) )?fr: *(?P<said>{_STRING})(?P<more>.*)")
"""A line ``fr: "…"``, ``flavour fr: "…"`` or ``text fr: "…"``."""
_BESIDE = re.compile(rf"(?P<named>\ben )?(?P<first>{_STRING}), fr (?P<second>{_STRING})")
"""A text and its translation on one line: ``lose "…", fr "…"``, or ``en "…", fr "…"`` where each names its language."""
_EMPTY = re.compile(r"^( *)(\S.*):$(?!\n+\1 +\S)", re.MULTILINE)
"""A line that ends in a colon, with nothing indented below it."""
_LISTED = re.compile(r"^( +languages: ).*$", re.MULTILINE)


def in_languages(text: str, languages: Sequence[str]) -> str:
    """Return the text of a starter's source with only some of the languages `STARTED`."""
    text = _LISTED.sub(lambda match: match[1] + ", ".join(languages), text)
    if len(languages) == len(STARTED):
        return text
    return _in_english(text) if languages[0] == STARTED[0] else _in_french(text)


def _in_english(text: str) -> str:
    lines = [line for line in text.split("\n") if not _FRENCH.fullmatch(line)]
    return _each_once(lines, "first")


def _in_french(text: str) -> str:
    """Replace English texts by the French ones; a line with a gender or a plural stays beside the title."""
    lines: list[str] = []
    for line in text.split("\n"):
        match = _FRENCH.fullmatch(line)
        if match is None:
            lines.append(line)
            continue
        margin, key, title, more = match["margin"], match["key"] or "name", match["said"], match["more"]
        beside = _index(lines, margin, rf"{key}(?: en)?:")
        if beside is not None and " en:" in lines[beside]:
            lines[beside] = line  # a wording, which always names its language
        elif beside is not None:
            lines[beside] = f"{margin}{key}: {title}{more}"
        else:
            above = _index(lines, margin[2:], rf".*{_STRING}")
            assert above is not None, line
            lines[above] = re.sub(_STRING, lambda _, title=title: title, lines[above], count=1)  # type: ignore[misc]
            if more:
                lines.append(line)
    return _each_once(lines, "second")


def _index(lines: Sequence[str], margin: str, form: str) -> int | None:
    """Return the index of the last line with this indentation and form.

    The search goes upward and stops at a line with less indentation; then the result is None.
    """
    for at in range(len(lines) - 1, -1, -1):
        if re.match(rf"{margin}{form}", lines[at]):
            return at
        if lines[at].strip() and not lines[at].startswith(margin or " "):
            return None
    return None


def _each_once(lines: Sequence[str], which: Literal["first", "second"]) -> str:
    """Return the lines with the `which` one of each text and its translation."""
    label = f"{STARTED[which == 'second']} "
    text = _BESIDE.sub(lambda match: (label if match["named"] else "") + match[which], "\n".join(lines))
    return _EMPTY.sub(r"\1\2", text)
