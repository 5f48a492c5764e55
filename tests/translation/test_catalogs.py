"""Files of translations: a written file reads the same, and no other text is accepted."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fcbdsl.base import bounds
from fcbdsl.base.catalog import (
    Note,
    Translation,
    TranslationSeals,
    catalog_text,
    language_of_catalog,
    read_catalog,
    read_seals,
    seal,
    unfit,
)
from fcbdsl.base.catalog import seals_text as sealed
from fcbdsl.base.diagnostics.problems import Problems
from fcbdsl.base.source import Source, Span

HEAD = 'msgid ""\nmsgstr "Language: de\\n"\n\n'
NOWHERE = Span(Source("", ""), 0, 0)
ANY = st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=60)
LETTERS = st.characters(exclude_categories=("Cc", "Cs", "Co", "Cn", "Zl", "Zp"), include_characters="\n")
WORDS = st.text(LETTERS, min_size=1, max_size=60)
"""The characters that a text may contain."""


def entry(name: str, source: str = "Rope", text: str = "Seil") -> str:
    return f'msgctxt "{name}"\nmsgid "{source}"\nmsgstr "{text}"\n\n'


def problems_of(text: str, name: str = "de.po") -> list[tuple[str, int]]:
    problems = Problems()
    read_catalog(Source(name, text), problems)
    return [(problem.code, problem.span.line) for problem in problems]


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None, max_examples=60)
@given(st.lists(st.tuples(WORDS, WORDS, WORDS | st.just(""), st.booleans()), max_size=6), ANY)
def test_catalog_round_trips(rows: list[tuple[str, str, str, bool]], comment: str) -> None:
    entries = {
        str(number): Translation(str(number), source, text, NOWHERE, fuzzy, source if fuzzy else "", text * fuzzy)
        for number, (source, text, _, fuzzy) in enumerate(rows)
    }
    text = catalog_text("de", entries.values(), {"0": Note([("a b.fcb", 3)], [comment], comment)}, comment)
    problems = Problems()
    catalog = read_catalog(Source("x.po", text), problems)
    assert (list(problems), catalog and catalog.language) == ([], "de")
    assert catalog is not None
    by_key = {key: (row.source, row.text, row.fuzzy, row.plural) for key, row in catalog.entries.items()}
    assert by_key == {key: (row.source, row.text, row.fuzzy, row.plural) for key, row in entries.items()}


def test_invalid_catalog_is_reported_with_place() -> None:
    assert problems_of(HEAD + entry("a/title")) == []
    assert problems_of("x = 1\n") == [("FCB0721", 1)]
    assert problems_of(HEAD + 'msgctxt "a"\nfoo "b"\n') == [("FCB0721", 5)]
    assert problems_of(entry("a"), "words.po") == [("FCB0721", 1)]
    assert problems_of(HEAD + 'msgid "Rope"\nmsgstr "Seil"\n') == [("FCB0721", 4)]
    assert problems_of(HEAD + entry("a") + entry("a")) == [("FCB0722", 8)]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('msgid "x"\nmsgstr[0] "y"\n', 4),
        ('msgid "x"\nmsgid_plural "xs"\nmsgstr "y"\n', 4),
        ('msgid "x"\nmsgid_plural "xs"\nmsgstr[0] "y"\nmsgstr[1] "ys"\nmsgstr[2] "yss"\n', 4),
        ('msgid "x"\nmsgid_plural "xs"\nmsgstr[1] "ys"\n', 4),
        ('msgid "x"\nmsgid_plural "xs"\nmsgstr[10] "ys"\n', 7),
        ('msgid "x"\nmsgid_plural "xs"\nmsgstr[٣] "ys"\n', 7),
        ('msgid ""\nmsgstr "y"\n', 4),
        ('msgid "x"\nmsgstr Seil\n', 6),
        ('msgid "x"\nmsgstr "y" "z"\n', 6),
        ('msgid "x"\nmsgstr "y\\"\n', 6),
        ('msgid "x"\n# c\u2028msgstr Seil\n', 6),
    ],
)
def test_no_part_of_an_entry_is_dropped_without_a_report(text: str, line: int) -> None:
    assert problems_of(f'{HEAD}msgctxt "a"\n{text}') == [("FCB0721", line)]


def test_a_second_header_is_reported() -> None:
    assert problems_of(f"{HEAD}{HEAD}{entry('a')}") == [("FCB0721", 4)]


def test_catalog_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "TRANSLATIONS", 1)
    assert problems_of(HEAD + entry("a") + entry("b")) == [("FCB0721", 8)]


def test_file_names_in_catalog_are_not_opened() -> None:
    assert problems_of("/etc/hostname") == [("FCB0721", 1)]


def test_language_comes_from_file_name() -> None:
    assert [language_of_catalog(name) for name in ("a/de.po", "core.fr.po", "core.po", "x.de_DE.po")] == [
        "de",
        "fr",
        "",
        "",
    ]


@pytest.mark.parametrize(
    ("text", "source", "fits"),
    [
        ("Seil", "Rope", True),
        ("a\nb", "a\nb", True),
        ("a\nb", "a b", False),
        ("\ue000fett\ue001", "bold", False),
        ("a\u202eb", "ab", False),
        ("a\x1b[31m", "a", False),
        ("x" * (bounds.TRANSLATION + 4), "a", True),
        ("x" * (bounds.TRANSLATION + 5), "a", False),
    ],
)
def test_translation_contains_only_words(text: str, source: str, fits: bool) -> None:
    assert (unfit(text, source) == "") == fits


def test_seal_distinguishes_changed_and_retranslated_text() -> None:
    problems = Problems()
    seals = read_seals(Source("de.seals", sealed({"a b/title": (seal("Rope"), seal("Seil"))}) + "junk\n"), problems)
    assert [(problem.code, problem.span.line) for problem in problems] == [("FCB0721", 3)]
    assert seals == TranslationSeals("de", {"a b/title": (seal("Rope"), seal("Seil"))})
    assert seals.is_stale("a b/title", "Ropes", "Seil")
    assert not seals.is_stale("a b/title", "Ropes", "Seile")
    assert not seals.is_stale("a b/title", "Rope", "Seil")
    assert not seals.is_stale("other", "Ropes", "Seil")
