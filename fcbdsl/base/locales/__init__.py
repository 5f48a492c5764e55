"""The texts of fcb itself, a file per language with a section per module that shows them.

Each section is read when it is first needed: most commands need none, and the others few.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache

from fcbdsl.base import resources
from fcbdsl.base.typography import typographic

HERE = resources.package_folder() / "base" / "locales"
FIRST = ("en", "fr")
"""The languages that are listed first. A section that a file lacks is shown in the first of them."""
_HEADING = re.compile(r"^\[(\w+)\]$", re.MULTILINE)


@cache
def rules_languages() -> tuple[str, ...]:
    """Return the codes of the languages in which fcb can write rules (`prose.LANGUAGES`, which has more imports)."""
    return (*FIRST, *sorted(path.stem for path in HERE.glob("*.toml") if path.stem not in FIRST))


@cache
def interface_texts(section: str, language: str) -> dict[str, str]:
    """Return the texts of a section by their keys, in English if the language lacks the section. Do not change them.

    They have the typography of their language. Rules texts get it when they are complete.
    """
    language = language if language in rules_languages() and section in _sections(language) else FIRST[0]
    texts: dict[str, str] = tomllib.loads(_sections(language)[section])
    return texts if section == "prose" else {key: typographic(language, text) for key, text in texts.items()}


def languages_with(section: str) -> tuple[str, ...]:
    """Return the codes of the languages that have a section."""
    return tuple(language for language in rules_languages() if section in _sections(language))


@cache
def _sections(language: str) -> dict[str, str]:
    """Return the TOML below each heading of a file. Parsing a whole file takes ten times as long as reading it."""
    _, *parts = _HEADING.split((HERE / f"{language}.toml").read_text(encoding="utf-8"))
    return dict(zip(parts[::2], parts[1::2], strict=True))
