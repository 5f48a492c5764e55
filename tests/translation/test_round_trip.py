"""Exported texts are imported at their places, without any other change."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path
from typing import Any

import polib
import pytest
from games import GAMES, ROOT, shared_cache
from hypothesis import given, settings
from hypothesis import strategies as st
from pond_game import copy_pond

from fcbdsl.base.catalog import Catalog, read_catalog
from fcbdsl.base.diagnostics.problems import Problems
from fcbdsl.base.source import Source
from fcbdsl.language.model.texts import texts_of
from fcbdsl.language.model.whole import Model
from fcbdsl.print.pieces.markers import marker_lines
from fcbdsl.project.analysis.pipeline import analysis_of
from fcbdsl.project.project import Loader, check_loaded, load_project
from fcbdsl.tools.translation.export import sent
from fcbdsl.tools.translation.import_texts import Intake, import_catalog, seals_file
from fcbdsl.tools.translation.progress import countable_texts, work_by_file, work_of

SMALL_FIRST = [
    pytest.param(game, marks=pytest.mark.long if "-" in game else ())
    for game in GAMES  # the large ones take long
]


def opened(root: Path, game: str = "") -> tuple[Loader, Model]:
    loader = load_project(root=root, game=game, tests=False)
    return loader, check_loaded(loader)[0]


def catalog_of(text: str) -> Catalog:
    problems = Problems()
    catalog = read_catalog(Source("sent.po", text), problems)
    assert list(problems) == []
    assert catalog is not None
    return catalog


def changed(text: str, **translations: str | tuple[str, str]) -> Catalog:
    """Return an exported file with other translations of some texts (`__` means `/`, `_` means `-`)."""
    file: Any = polib.pofile(text)
    wanted = {key.replace("__", "/").replace("_", "-"): words for key, words in translations.items()}
    for entry in file:
        if entry.msgctxt in wanted:
            words = wanted.pop(entry.msgctxt)
            entry.flags = []
            if isinstance(words, tuple):
                entry.msgstr_plural = dict(enumerate(words))
            elif entry.msgid_plural:
                entry.msgstr_plural = {0: words, 1: ""}
            else:
                entry.msgstr = words
    assert not wanted
    return catalog_of(str(file))


def take(root: Path, language: str, **translations: str | tuple[str, str]) -> Intake:
    loader, model = opened(root)
    intake = import_catalog(loader, model, changed(sent(loader, model, language), **translations))
    list(intake.write())
    return intake


def translations_of(root: Path, language: str) -> dict[str, str]:
    """Return the translations of a project, by the names of the texts, without those of the language itself."""
    loader, model = opened(root)
    every = work_of(loader, model, language)
    own = [
        work
        for work in every
        if work.standing == "translated" and Path(work.telling.span.source.name).name != "core.fcb"
    ]
    return {work.telling.key: work.text for work in own}


def codes(root: Path) -> list[tuple[str, str, int]]:
    reported = analysis_of(load_project(root=root, tests=False)).problems
    return [(problem.code, Path(problem.span.source.name).name, problem.span.line) for problem in reported]


@pytest.mark.parametrize("game", SMALL_FIRST)
def test_unchanged_import_changes_nothing(game: str) -> None:
    with shared_cache():
        loader, model = opened(ROOT, game)
    for language in dict.fromkeys(["fr", *model.translated]):
        text = sent(loader, model, language)
        intake = import_catalog(loader, model, catalog_of(text))
        assert (intake.sources, intake.catalogs, intake.refused) == ([], {}, [])
        assert intake.unchanged > 300
        missing = [work for work in countable_texts(work_of(loader, model, language)) if work.standing == "missing"]
        assert intake.empty == len(missing)


@pytest.mark.parametrize("game", GAMES)
def test_shipped_texts_have_keys_and_french(game: str) -> None:
    with shared_cache():
        loader, model = opened(ROOT, game)
    keys = [text.key for text in texts_of(model)]
    assert len(keys) == len(dict.fromkeys(keys))
    left = [work.telling.key for work in work_of(loader, model, "fr") if work.standing != "translated"]
    assert [key for key in left if not re.match("layout/symbols/|system/|.*/gender$", key)] == []


def test_source_text_is_changed_between_quotes(tmp_path: Path) -> None:
    root = copy_pond(tmp_path)
    before = (root / "cards" / "pond.fcb").read_text(encoding="utf-8")
    system = (root / "systems" / "pond.fcb").read_text(encoding="utf-8")
    intake = take(
        root,
        "fr",
        trick__puddle__title='Une "flaque" \\',
        mission__crossing__heron__end__1="Le héron bâille.",
        action__sing__option__2="Très fort",
        kind__trick__title=("ruse", "ruses"),
        layout__symbols__lily="lis",
    )
    assert (intake.edited, intake.kept, intake.refused) == (5, 0, [])
    after = (root / "cards" / "pond.fcb").read_text(encoding="utf-8")
    assert after == before.replace('fr: "Flaque"', 'fr: "Une \\"flaque\\" \\\\"').replace(
        'fr "Le héron se réveille."', 'fr "Le héron bâille."'
    )
    edited = system.replace('fr "Fort"', 'fr "Très fort"').replace('fr "nénuphar"', 'fr "lis"')
    edited = edited.replace('fr: "tour", m, plural "tours"', 'fr: "ruse", m, plural "ruses"')
    assert (root / "systems" / "pond.fcb").read_text(encoding="utf-8") == edited
    assert translations_of(root, "fr")["trick/puddle/title"] == 'Une "flaque" \\'


def test_ambiguous_text_is_not_translated(tmp_path: Path) -> None:
    root = copy_pond(tmp_path)
    intake = take(root, "fr", kind__trick__gender="f", kind__frog__energy__title=("force", "forces"))
    assert [key for key, _ in intake.refused] == ["kind/frog/energy/title", "kind/trick/gender"]
    assert "change it in" in intake.refused[0][1]
    assert intake.sources == []


def test_other_language_has_own_file(tmp_path: Path) -> None:
    root = copy_pond(tmp_path)
    intake = take(root, "de", trick__puddle__title="Pfütze", kind__frog__title=("Frosch", "Frösche"))
    file = root / "translations" / "de.po"
    assert (list(intake.catalogs), intake.kept) == ([root / "systems" / "pond.de.po", file], 2)
    assert translations_of(root, "de") == {"trick/puddle/title": "Pfütze", "kind/frog/title": "Frosch"}
    _, model = opened(root)
    assert model.kinds["frog"].name.plural["de"] == "Frösche"
    assert (model.languages, model.translated) == (("en", "fr"), ("de",))
    assert codes(root) == []
    take(root, "de", kind__frog__gender="m", trick__gift__title="Fliegen")
    assert len(translations_of(root, "de")) == 4
    assert 'msgctxt "trick/puddle/title"\nmsgid "Puddle"\nmsgstr "Pfütze"' in file.read_text(encoding="utf-8")


def test_stale_translation_is_unused_and_exported_fuzzy(tmp_path: Path) -> None:
    root = copy_pond(tmp_path)
    take(root, "de", trick__puddle__title="Pfütze")
    cards = root / "cards" / "pond.fcb"
    cards.write_text(cards.read_text(encoding="utf-8").replace('"Puddle"', '"Deep Puddle"'), encoding="utf-8")
    assert codes(root) == [("FCB0723", "de.po", 11)]
    loader, model = opened(root)
    assert "de" not in model.definitions["trick", "puddle"].name.title
    assert work_by_file(work_of(loader, model, "de"))[loader.sources[-1].name]["stale"] == 1
    text = sent(loader, model, "de")
    assert '#, fuzzy\n#| msgid "Puddle"\nmsgctxt "trick/puddle/title"\nmsgid "Deep Puddle"\nmsgstr "Pfütze"' in text
    assert import_catalog(loader, model, catalog_of(text)).fuzzy == 1
    take(root, "de", trick__puddle__title="Tiefe Pfütze")
    assert codes(root) == []


@pytest.mark.parametrize("game", SMALL_FIRST)
def test_stale_translation_is_found_in_each_game(game: str) -> None:
    with shared_cache():
        loader, model = opened(ROOT, game)
    path, text = seals_file(loader, model, "fr")
    whole = {source.name: at for at, source in enumerate(loader.sources)}
    one = next(
        definition
        for definition in model.definitions.values()
        if "fr" in definition.name.title and definition.span.source.name in whole
    )
    source = loader.sources[whole[one.span.source.name]]
    head = source.text.split("\n")[one.span.line - 1]
    other = head.replace(f'"{one.name.title["en"]}"', '"Quite Another Thing"')
    assert other != head
    loader.seals.append(Source(str(path), text))
    assert [problem.code for problem in analysis_of(loader).problems] == []
    loader.sources[whole[source.name]] = Source(source.name, source.text.replace(head, other, 1))
    reported = [(problem.code, problem.span.source.name, problem.span.line) for problem in analysis_of(loader).problems]
    assert [row for row in reported if not row[1].endswith(".po")] == [("FCB0723", source.name, one.span.line)]
    assert {code for code, _, _ in reported} == {"FCB0723"}  # files of other languages translate the same title


def test_translation_of_changed_text_is_refused(tmp_path: Path) -> None:
    root = copy_pond(tmp_path)
    loader, model = opened(root)
    then = changed(sent(loader, model, "fr"), trick__puddle__title="Mare")
    cards = root / "cards" / "pond.fcb"
    cards.write_text(cards.read_text(encoding="utf-8").replace('"Puddle"', '"Deep Puddle"'), encoding="utf-8")
    assert import_catalog(*opened(root), then).refused == [("trick/puddle/title", "the text has changed since")]


def test_numbered_text_is_identified_by_its_words(tmp_path: Path) -> None:
    root = copy_pond(tmp_path)
    take(root, "de", action__sing__option__1="Leise", action__sing__option__2="Laut")
    system = root / "systems" / "pond.fcb"
    text = system.read_text(encoding="utf-8")
    more = '      "Not at all", fr "Pas du tout": nothing\n      "Softly"'
    system.write_text(text.replace('      "Softly"', more), encoding="utf-8")
    options = {key: text for key, text in translations_of(root, "de").items() if "/option/" in key}
    assert options == {"action/sing/option/2": "Leise", "action/sing/option/3": "Laut"}
    assert codes(root) == []


def test_import_changes_only_words(tmp_path: Path) -> None:
    root = copy_pond(tmp_path)
    take(root, "de", kind__trick__title=("Trick", "Tricks"), kind__trick__gender="m", trick__gift__title="Fliegen")
    file, beside = root / "translations" / "de.po", root / "systems" / "pond.de.po"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("Fliegen", "\ue000Fliegen").replace("trick/gift", "trick/no-such"), encoding="utf-8")
    system = beside.read_text(encoding="utf-8")
    beside.write_text(system.replace('msgstr "m"', 'msgstr "hero"'), encoding="utf-8")
    assert [code for code, _, _ in codes(root)] == ["FCB0724", "FCB0724"]
    file.write_text(text.replace("Fliegen", "\ue000Fliegen"), encoding="utf-8")
    assert ("FCB0724", "de.po") in [code[:2] for code in codes(root)]
    assert "trick/gift/title" not in translations_of(root, "de")


@pytest.mark.long
def test_seal_finds_source_change_without_translation(tmp_path: Path) -> None:
    root = copy_pond(tmp_path)
    path, text = seals_file(*opened(root), "fr")
    path.parent.mkdir()
    path.write_text(text, encoding="utf-8")
    assert codes(root) == []
    cards = root / "cards" / "pond.fcb"
    cards.write_text(cards.read_text(encoding="utf-8").replace('"Puddle"', '"Deep Puddle"'), encoding="utf-8")
    assert codes(root) == [("FCB0723", "pond.fcb", 8)]
    assert "trick/puddle/title" not in translations_of(root, "fr")
    cards.write_text(cards.read_text(encoding="utf-8").replace("Flaque", "Flaque profonde"), encoding="utf-8")
    assert codes(root) == []


FITTING = st.text(
    st.characters(exclude_categories=("Cc", "Cs", "Co", "Cn", "Zl", "Zp", "Cf")), min_size=1, max_size=40
).filter(lambda text: unicodedata.is_normalized("NFC", text))  # sources are, so that words can be told from others


@pytest.mark.long
@settings(max_examples=4, deadline=None)
@given(FITTING.filter(str.strip), FITTING.filter(str.strip), st.sampled_from(["fr", "de"]))
def test_imported_texts_are_exported_again(
    tmp_path_factory: pytest.TempPathFactory, first: str, second: str, language: str
) -> None:
    root = copy_pond(tmp_path_factory.mktemp("pond"))
    other = translations_of(root, language)
    intake = take(root, language, trick__puddle__title=first, action__sing__option__2=second)
    assert intake.refused == []
    now = {"trick/puddle/title": first, "action/sing/option/2": second}
    assert translations_of(root, language) == other | now
    loader, model = opened(root)
    whole = [work for work in work_of(loader, model, language) if work.standing == "translated"]
    assert take(root, language).unchanged == len(whole) >= len(other | now)


TOKENS = """
layout tokens:
  lily: 4 of 2, "Lily", fr "Nénuphar", back fly "Fly below" fr "Mouche dessous"
  fly: 1, each trick, shows catch
"""


def test_token_titles_are_translated(tmp_path: Path) -> None:
    root = copy_pond(tmp_path)
    system = root / "systems" / "pond.fcb"
    system.write_text(system.read_text(encoding="utf-8") + TOKENS, encoding="utf-8")
    french = {"layout__tokens__lily": "Feuille", "layout__tokens__lily__back": "Dessous, une mouche"}
    german = {"layout__tokens__lily": "Seerose", "layout__tokens__lily__back": "Fliege darunter"}
    intake = take(root, "fr", **french)
    assert (intake.edited, intake.refused) == (2, [])
    assert 'lily: 4 of 2, "Lily", fr "Feuille", back fly "Fly below" fr "Dessous, une mouche"' in system.read_text(
        encoding="utf-8"
    )
    take(root, "de", **german)
    (line, *_) = marker_lines(opened(root)[1])
    assert line.lots == ((4, 2),)
    assert line.titles == {"en": "Lily", "fr": "Feuille", "de": "Seerose"}
    assert line.back_titles == {"en": "Fly below", "fr": "Dessous, une mouche", "de": "Fliege darunter"}
    assert [key for key in translations_of(root, "de") if key.startswith("layout/tokens")] == [
        "layout/tokens/lily",
        "layout/tokens/lily/back",
    ]
