"""The texts of fcb itself: every language has the same keys, and each text is shown somewhere."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from functools import cache

import pytest
from imports import ROOT, nodes_of

from fcbdsl.base import locales
from fcbdsl.base.typography import typographic
from fcbdsl.language.prose import LANGUAGES

LACKING = {"de": {"play", "report", "counts"}}
"""The sections that a language lacks: games and reports are then in English, and fcb reports it."""
SHOWN_BY = {
    "prose": ("language",),
    "play": ("play", "cli", "machine"),
    "report": ("cli", "tools", "play"),
    "counts": ("cli", "tools"),
    "table": ("play", "editor", "cli"),
    "painter": ("editor",),
}
"""The packages that show the texts of a section. All other sections belong to `render` and `live`."""
NAMED = ("countdown", "gauge", "won")
"""Keys of `prose` that are sorts of tracks and results of missions in the model."""
TEMPLATES = "\n".join(
    path.read_text(encoding="utf-8")
    for folder in ("print", "tools/reports")
    for path in sorted((ROOT / folder / "templates").iterdir())
    if path.suffix in (".j2", ".typ", ".js")
)
PAGES = (path for ending in ("js", "html") for path in sorted((ROOT / "editor").rglob(f"*.{ending}")))
TEMPLATES += "\n".join(path.read_text(encoding="utf-8") for path in PAGES if path.name != "codemirror.js")


def file_of(language: str) -> dict[str, dict[str, str]]:
    return tomllib.loads((locales.HERE / f"{language}.toml").read_text(encoding="utf-8"))


@cache
def literals(folders: tuple[str, ...]) -> tuple[frozenset[str], re.Pattern[str]]:
    """Return the strings in some packages, and a pattern of the strings that they compose."""
    exact: set[str] = set()
    patterns: set[str] = set()
    for path in (path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))):
        for node in nodes_of(path):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                exact.add(node.value)
            elif isinstance(node, ast.JoinedStr):
                fixed = [part.value if isinstance(part, ast.Constant) else None for part in node.values]
                if any(isinstance(text, str) and len(text.strip()) > 1 for text in fixed):
                    patterns.add("".join(".+" if text is None else re.escape(str(text)) for text in fixed))
    return frozenset(exact), re.compile("|".join(sorted(patterns)) or "(?!)")


def unused(section: str, keys: list[str]) -> list[str]:
    """Return the keys of a section that no code shows."""
    exact, composed = literals(SHOWN_BY.get(section, ("print", "editor")))
    exact |= frozenset(NAMED) if section == "prose" else frozenset()
    return [
        key
        for key in keys
        if key not in exact
        and not composed.fullmatch(key)
        and not re.search(rf"words\.{re.escape(key)}\b|\"{re.escape(key)}\"|(?<!\$)\{{{re.escape(key)}\}}", TEMPLATES)
    ]


def slots(text: str) -> set[str]:
    return set(re.findall(r"\{\w*\}", text))


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_every_language_has_same_texts_as_english(language: str) -> None:
    english, texts = file_of("en"), file_of(language)
    lacking = LACKING.get(language, set())
    assert list(texts) == [section for section in english if section not in lacking]
    for section, words in texts.items():
        assert list(words) == list(english[section]), section
    assert all(
        locales.interface_texts(section, language) == locales.interface_texts(section, "en") for section in lacking
    )


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_section_alone_equals_section_of_whole_file(language: str) -> None:
    for section, words in file_of(language).items():
        spaced = {key: text if section == "prose" else typographic(language, text) for key, text in words.items()}
        assert locales.interface_texts(section, language) == spaced


@pytest.mark.parametrize("language", sorted({*LANGUAGES} - {"en"}))
def test_numbered_slots_equal_those_of_english(language: str) -> None:
    for section in ("play", "report"):
        for key, text in locales.interface_texts(section, language).items():
            assert slots(text) == slots(locales.interface_texts(section, "en")[key]), key


def test_every_text_is_used() -> None:
    assert {section: left for section, words in file_of("en").items() if (left := unused(section, list(words)))} == {}


def test_unused_text_is_found() -> None:
    assert unused("play", ["won", "wonderful"]) == ["wonderful"]
    assert unused("sheets", ["map", "atlas"]) == ["atlas"]


def test_version_is_shown_without_reading_texts() -> None:
    command = (
        "import atexit, sys; from fcbdsl.cli.main import main; sys.argv = ['fcb', '--version']; "
        "atexit.register(lambda: print('tomllib' in sys.modules)); main()"
    )
    done = subprocess.run([sys.executable, "-c", command], capture_output=True, text=True, check=True)
    assert done.stdout.split()[-1] == "False"


def test_grammar_marks_are_control_characters_in_templates() -> None:
    for language in LANGUAGES.values():
        texts = "".join(language.words.values())
        assert not [name for name in language.marks if f"[{name}]" in texts], language.code
    assert LANGUAGES["de"].marks["sub"] in LANGUAGES["de"].words["if"]
