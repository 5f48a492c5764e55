"""Fixed words of what is printed and played, in the languages that came later: a file of words for each."""

from __future__ import annotations

import tomllib
from functools import cache

from fcbdsl import resources

HERE = resources.folder() / "locales"


def known() -> tuple[str, ...]:
    """The languages that have a file of words, by code."""
    return tuple(sorted(path.stem for path in HERE.glob("*.toml")))


def spoken() -> tuple[str, ...]:
    """Return the codes of the languages in which fcb can write rules (`prose.LANGUAGES`, which imports more)."""
    return ("en", "fr", *known())


@cache
def _words(language: str) -> dict[str, dict[str, str]]:
    return tomllib.loads((HERE / f"{language}.toml").read_text(encoding="utf-8"))


def words(section: str) -> dict[str, dict[str, str]]:
    """The words of one section of each file, by language."""
    return {language: _words(language)[section] for language in known()}
