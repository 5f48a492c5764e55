"""Texts of fcb have the typography of their language everywhere."""

from __future__ import annotations

import re

import pytest

from fcbdsl.base.locales import interface_texts, rules_languages
from fcbdsl.base.typography import add_no_break_spaces, typographic

SHOWN = (
    "sheets",
    "tokens",
    "playing",
    "campaigns",
    "calibration",
    "contents",
    "aids",
    "webpage",
    "play",
    "report",
    "counts",
)


@pytest.mark.parametrize(
    ("written", "set_in_french"),
    [
        ("PV : 3 !", "PV\u00a0: 3\u202f!"),
        ("qui ? « lui »", "qui\u202f? «\u00a0lui\u00a0»"),
        ("100 % sûr", "100\u202f% sûr"),
        ("l'arme d'{0}", "l’arme d’{0}"),
        ("à 12:30", "à 12:30"),
    ],
)
def test_french_texts_have_no_break_spaces(written: str, set_in_french: str) -> None:
    assert typographic("fr", written) == set_in_french
    assert typographic("fr", set_in_french) == set_in_french  # a second application changes nothing


def test_other_languages_keep_punctuation() -> None:
    assert add_no_break_spaces("en", "who? 12:30") == "who? 12:30"
    assert add_no_break_spaces("de", "mit 100 %: ja") == "mit 100\u202f%: ja"


@pytest.mark.parametrize("section", SHOWN)
def test_no_text_breaks_before_punctuation(section: str) -> None:
    texts = interface_texts(section, "fr")
    assert [key for key, text in texts.items() if re.search(r" [;:!?»%]|« |\w'\w", text)] == []


@pytest.mark.parametrize("section", SHOWN)
def test_english_percent_signs_follow_their_number(section: str) -> None:
    assert [key for key, text in interface_texts(section, "en").items() if re.search(r"\d\s%", text)] == []


def test_every_language_is_tried() -> None:
    assert set(rules_languages()) == {"en", "fr", "de"}
