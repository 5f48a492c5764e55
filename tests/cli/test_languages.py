"""Projects in one language, in several, and in one that the game does not have."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from cli_runner import Done, Shell
from games import GAMES, SMALLEST_FIRST, shared_cache

from fcbdsl.base import locales
from fcbdsl.cli.starter_languages import in_languages
from fcbdsl.language.prose import LANGUAGES
from fcbdsl.project.paths import shipped_path
from fcbdsl.project.project import Loader, check_project
from fcbdsl.project.settings import Project

LISTS = (("en",), ("fr",), ("fr", "en"), ("en", "de"))
GERMAN = "escape"
"""The game with shipped German translations."""
FRENCH = re.compile(r"^\s*(?:[\w-]+ )?fr: |, fr \"|\bfr \"", re.MULTILINE)


def listed(languages: Sequence[str]) -> str:
    return "languages = [" + ", ".join(f'"{language}"' for language in languages) + "]"


def begun(shell: Shell, *arguments: str, languages: Sequence[str]) -> str:
    """Begin a project with some languages, and return its mission."""
    done = shell.fcb("new", "pack", *arguments)
    assert done.code == 0, done.err
    shell.folder = shell.folder / "pack"
    list_languages(shell, listed(languages))
    return next((shell.folder / "missions").iterdir()).stem


def list_languages(shell: Shell, line: str) -> None:
    file = shell.folder / "fcb.toml"
    text = re.sub(r"^languages = .*$", lambda _: line, file.read_text(encoding="utf-8"), flags=re.MULTILINE)
    file.write_text(text, encoding="utf-8")


def codes(done: Done) -> list[str]:
    return re.findall(r"^(?:error|warning)\[(FCB\d+)\]", done.out + done.err, re.MULTILINE)


def page_of(shell: Shell, *arguments: str) -> str:
    done = shell.fcb("render", "--to", "html", "-o", "out", *arguments)
    assert done.code == 0, done.out + done.err
    return Path(shell.folder / done.out.splitlines()[-1]).read_text(encoding="utf-8")


def quick_first(game: str, languages: Sequence[str]) -> object:
    quick = languages == ("en",) or game == SMALLEST_FIRST[0]
    return pytest.param(game, languages, marks=() if quick else pytest.mark.long)


@pytest.mark.sampled(3)
@pytest.mark.long
@pytest.mark.parametrize(
    ("game", "languages"), [quick_first(game, languages) for game in SMALLEST_FIRST for languages in LISTS]
)
def test_games_are_checked_and_shown_in_each_language_set(shell: Shell, game: str, languages: tuple[str, ...]) -> None:
    with shared_cache():
        begun(shell, "--game", game, "--lang", "en,fr", languages=languages)
        if "de" in languages and game != GERMAN:
            done = shell.fcb("check")
            assert codes(done) == ["FCB0818"]
            assert "fcb i18n export de -o translations/de.po" in done.out
            assert "fcb.toml:6:" in done.out
            return
        done = shell.fcb("check")
        assert (done.code, set(codes(done)) <= {"FCB0315", "FCB0701"}) == (int("FCB0701" in done.out), True), done.out
        assert ("de" in languages) == bool(codes(done))  # the pack's own texts are not in German
        page = page_of(shell, "--lang", languages[0])
    assert f'<html lang="{languages[0]}">' in page
    assert not re.search(r'lang="(?!' + languages[0] + r'")[a-z]{2}"', page)


@pytest.mark.long
@pytest.mark.parametrize("languages", LISTS)
@pytest.mark.parametrize("game", GAMES)
def test_games_are_tested_played_and_printed_in_each_language_set(
    shell: Shell, game: str, languages: tuple[str, ...]
) -> None:
    if "de" in languages and game != GERMAN:
        pytest.skip("it has no German: see the test above")
    with shared_cache():
        mission = begun(shell, "--game", game, "--template", "cards", "--lang", "en,fr", languages=languages)
        assert shell.fcb("test").code == 0
        played = shell.fcb("play", mission, "--bot", "sensible", "--seed", "1")
        assert played.code == 0
        assert ("graine" in played.out) == (languages[0] == "fr")
        for form in ("pdf", "png"):
            done = shell.fcb("render", "--to", form, "-o", f"print-{form}", "--lang", languages[0])
            assert done.code == 0, done.err


@pytest.mark.parametrize("languages", [("en", "fr"), ("fr", "en"), ("fr",)])
def test_program_file_is_played_in_its_first_language(shell: Shell, languages: tuple[str, ...]) -> None:
    with shared_cache():
        begun(shell, "--template", "game", "--lang", "en,fr", languages=languages)
        assert shell.fcb("compile", "-o", "pans.fcbc").code == 0
    moved = shell.folder.parent / "elsewhere"
    moved.mkdir()
    shell.folder = (shell.folder / "pans.fcbc").rename(moved / "pans.fcbc").parent
    played = ("play", "pans", "--program", "pans.fcbc", "--bot", "sensible", "--seed", "1")
    first = shell.fcb(*played)
    assert (first.code, first.err) == (0, "")
    assert first.out == shell.fcb(*played, "--lang", languages[0]).out
    assert ("graine" in first.out) == (languages[0] == "fr")
    assert "seed" in shell.fcb(*played, "--lang", "en").out


@pytest.mark.long
def test_program_in_a_language_that_fcb_lacks_is_played_in_english(shell: Shell) -> None:
    with shared_cache():
        begun(shell, "--game", GERMAN, "--lang", "en", languages=("de", "en"))
        assert shell.fcb("compile", "-o", "a.fcbc").code == 0
    done = shell.fcb("missions", "--program", "a.fcbc")
    assert done.code == 0
    assert done.err == "Games and reports are in en or fr only, not in de: choose one of these with --lang.\n"


@pytest.mark.sampled(2)
@pytest.mark.parametrize("languages", [("en",), ("fr",), ("en", "fr"), ("fr", "en")])
def test_new_game_has_requested_languages(shell: Shell, languages: tuple[str, ...]) -> None:
    assert shell.fcb("new", "pack", "--template", "game", "--lang", ",".join(languages)).code == 0
    shell.folder = shell.folder / "pack"
    assert listed(languages) in (shell.folder / "fcb.toml").read_text(encoding="utf-8")
    written = "".join(path.read_text(encoding="utf-8") for path in sorted(shell.folder.rglob("*.fcb")))
    assert ("La mer est montée." in written, "The sea came in." in written) == ("fr" in languages, "en" in languages)
    with shared_cache():
        assert shell.fcb("check", "--strict").out == "No problems.\n"
        assert shell.fcb("fmt", "--check").code == 0
        assert shell.fcb("test").code == 0
        played = shell.fcb("play", "pans", "--bot", "sensible", "--seed", "1").out
        assert ("La mer est montée." in played) == (languages[0] == "fr")
        page = page_of(shell)
    assert ("Paludier" in page, "Raker" in page) == ("fr" in languages, "en" in languages)


@pytest.mark.long
@pytest.mark.parametrize("requested", ["en", "fr"])
@pytest.mark.parametrize("template", ["mission", "cards"])
@pytest.mark.parametrize("game", GAMES)
def test_new_pack_has_requested_language(shell: Shell, game: str, template: str, requested: str) -> None:
    with shared_cache():
        mission = begun(shell, "--game", game, "--template", template, "--lang", requested, languages=(requested,))
        assert shell.fcb("check", "--strict").out == "No problems.\n"
        assert shell.fcb("fmt", "--check").code == 0
        assert shell.fcb("test").code == 0
        assert shell.fcb("play", mission, "--bot", "sensible", "--seed", "1").code == 0
        assert shell.fcb("render", "-o", "print").code == 0


def test_english_starters_contain_no_french() -> None:
    for path in sorted(shipped_path("starters").rglob("*.fcb")):
        text = path.read_text(encoding="utf-8")
        assert not FRENCH.search(in_languages(text, ["en"])), path
        assert in_languages(text, ["fr", "en"]).count("\n") == text.count("\n")


def test_new_refuses_language_without_starter(shell: Shell) -> None:
    for languages in ("de", "", "en,"):
        done = shell.fcb("new", "pack", "--lang", languages)
        assert (done.code, done.out) == (2, "")
        assert "only in en and fr" in done.err
    assert not (shell.folder / "pack").exists()


POND = """
system pond "Pond":
  players: 1
  board: hex
  languages: en, fr

kind frog is piece:
  name: "frog", plural "frogs"
  fr: "grenouille", f, plural "grenouilles"
"""


@pytest.mark.parametrize(
    ("line", "code", "says"),
    [
        ("languages = []", "FCB0803", "`languages` lists no language"),
        ('languages = ["EN"]', "FCB0803", "Did you mean `en`?"),
        ('languages = ["en", "fr-CA"]', "FCB0803", "Did you mean `fr`?"),
        ('languages = ["en", "en"]', "FCB0803", "`languages` lists `en` twice"),
        ('languages = ["de", "en"]', "FCB0818", "fcb i18n export de -o translations/de.po"),
        ('languages = ["en", "es"]', "FCB0818", "fcb writes rules in en, fr, de"),
        ('languages = ["klingon"]', "FCB0818", "it has en, fr"),
    ],
)
def test_bad_language_list_is_one_error(shell: Shell, line: str, code: str, says: str) -> None:
    (shell.folder / "fcb.toml").write_text(f"language = 2\n{line}\n", encoding="utf-8")
    (shell.folder / "systems" / "pond").mkdir(parents=True)
    (shell.folder / "systems" / "pond" / "pond.fcb").write_text(POND.lstrip(), encoding="utf-8")
    (shell.folder / "cards").mkdir()
    (shell.folder / "cards" / "own.fcb").write_text('use pond\n\nfrog ann "Ann"\n', encoding="utf-8")
    [problem] = [
        problem for problem in json.loads(shell.fcb("check", "--format", "json").out) if problem["severity"] == "error"
    ]
    assert (problem["code"], problem["file"], problem["line"]) == (code, "fcb.toml", 2)
    assert says in problem["message"] + problem["help"]
    done = shell.fcb("check")
    assert done.code == 1
    assert ("FCB0315" in done.out) == ("fr-CA" in line)  # French is requested, however it is spelled


@pytest.mark.long
def test_translation_adds_its_language(shell: Shell) -> None:
    with shared_cache():
        begun(shell, "--template", "game", languages=("en", "de"))
        assert codes(shell.fcb("check")) == ["FCB0818"]
        assert shell.fcb("i18n", "export", "de", "-o", "translations/de.po").code == 0
        done = shell.fcb("check")
        assert (done.code, set(codes(done))) == (1, {"FCB0315", "FCB0701"}), done.out  # texts without a translation
        assert shell.fcb("render", "--lang", "en", "-o", "print").code == 0


def test_pack_can_use_shipped_german(tmp_path: Path) -> None:
    files = {}
    for languages in (("en",), ("en", "de")):
        loader = Loader(Project(tmp_path, languages=languages))
        loader.use(GERMAN)
        loader.read_catalogs()
        files[languages] = [
            catalog for catalog in loader.catalogs if catalog.name.endswith(f"translations/{GERMAN}/de.po")
        ]
    assert (len(files["en",]), len(files["en", "de"])) == (0, 1)


def test_every_language_has_grammar() -> None:
    assert set(locales.rules_languages()) == set(LANGUAGES)


def test_html_in_one_language_needs_no_other(shell: Shell) -> None:
    with shared_cache():
        begun(shell, "--template", "game", languages=("en", "fr"))  # nothing in it is in French
        assert 'lang="fr"' not in page_of(shell, "--lang", "en")
        assert shell.fcb("render", "--to", "html", "-o", "out").code == 1


UNLABELLED = """
use pond

frog ann "Annette":
  flavour: "Elle nage."
frog bob "Bob":
  fr: "Robert"
"""


def test_texts_without_language_are_in_first_language(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "fcb.toml").write_text('language = 2\nlanguages = ["fr"]\n', encoding="utf-8")
    (tmp_path / "systems" / "pond").mkdir(parents=True)
    (tmp_path / "systems" / "pond" / "pond.fcb").write_text(POND.lstrip(), encoding="utf-8")
    (tmp_path / "cards").mkdir()
    (tmp_path / "cards" / "own.fcb").write_text(UNLABELLED.lstrip(), encoding="utf-8")
    model, problems = check_project()
    assert problems == []
    assert (model.languages, model.unlabelled()) == (("fr",), "fr")
    ann, bob = model.definitions["frog", "ann"], model.definitions["frog", "bob"]
    assert (ann.name.title["fr"], bob.name.title["fr"]) == ("Annette", "Robert")
    assert ann.flavour["fr"] == "Elle nage."
