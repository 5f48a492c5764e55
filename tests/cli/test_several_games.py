"""A project of several games: its file names them, and commands find the right game."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from cli_runner import Shell
from pond_game import calm_pond

from fcbdsl.cli import common
from fcbdsl.machine.vm.program import Program
from fcbdsl.project.analysis import Analysis
from fcbdsl.project.project import SeveralGames, check_project, load_all, load_project

LANTERNS = Path(__file__).parents[1] / "systems" / "lanterns"
SETTINGS = 'language = 2\ngames = ["lanterns", "pond"]\nlanguages = ["en", "fr"]\n'
RULES = """# Rules of {game}

## 1. Table
- **{prefix}-HOP-01** One thing. [engine]
"""


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a cache for all tests here: unchanged content is checked once."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def games(tmp_path: Path, results: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    """Return a shell in a project of two games."""
    monkeypatch.setenv("FCB_CACHE", str(results))
    root = tmp_path / "games"
    pond = calm_pond(tmp_path)
    for source, target in [
        (pond / "systems", "systems"),
        (pond / "cards", "cards/pond"),
        (pond / "tests", "tests/pond"),
        (LANTERNS / "systems" / "lanterns", "systems/lanterns"),
        (LANTERNS / "cards", "cards/lanterns"),
        (LANTERNS / "missions", "missions/lanterns"),
        (LANTERNS / "tests", "tests/lanterns"),
    ]:
        shutil.copytree(source, root / target, dirs_exist_ok=True)
    (root / "fcb.toml").write_text(SETTINGS, encoding="utf-8")
    return Shell(root, monkeypatch, capsys)


def settings(games: Shell, text: str) -> None:
    (games.folder / "fcb.toml").write_text(text, encoding="utf-8")


def spoil(games: Shell, file: str, line: str = "frgo x\n") -> None:
    with (games.folder / file).open("a", encoding="utf-8") as out:
        out.write(line)


# ── sources ────────────────────────────────────────────────────────────────────────────────────


def test_games_are_loaded_with_their_own_files(games: Shell) -> None:
    loaders = load_all(root=games.folder)
    assert [loader.project.game for loader in loaders] == ["lanterns", "pond"]
    for loader in loaders:
        others = {"lanterns": "pond", "pond": "lanterns"}[loader.project.game]
        names = [Path(source.name).relative_to(games.folder).as_posix() for source in loader.sources[1:]]
        assert names
        assert not [name for name in names if others in name]
        assert not loader.problems.sorted()


@pytest.mark.long
def test_game_without_selected_test_is_not_compiled(games: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []
    compiled = common.compile_game

    def watched(analysis: Analysis, tests: bool = False) -> Program:
        made.append(analysis.game)
        return compiled(analysis, tests)

    monkeypatch.setattr(common, "compile_game", watched)
    games.fcb("test", "tests/pond")
    assert made == ["pond"]
    games.fcb("test")
    assert made == ["pond", "lanterns", "pond"]


def test_game_option_selects_one_game(games: Shell) -> None:
    assert load_project(root=games.folder, game="pond").project.game == "pond"
    with pytest.raises(SeveralGames):
        load_project(root=games.folder)
    model, problems = check_project(root=games.folder, game="lanterns")
    assert (model.system, problems) == ("lanterns", [])


def test_game_needs_folder_and_name(games: Shell) -> None:
    settings(games, SETTINGS.replace('"pond"]', '"pond", "puddle"]'))
    folder = games.folder / "cards" / "puddle"
    folder.mkdir()
    (folder / "puddle.fcb").write_text('use pond\n\nfrog red-frog "Red":\n  fr: "Rouge", f\n', encoding="utf-8")
    done = games.fcb("check")
    assert done.out == "lanterns: No problems.\npond: No problems.\npuddle: No problems.\n"


def test_system_folder_alone_is_a_game(games: Shell) -> None:
    shutil.rmtree(games.folder / "cards" / "pond")
    shutil.rmtree(games.folder / "tests" / "pond")
    assert load_project(root=games.folder, game="pond").sources[-1].name.endswith("systems/pond.fcb")


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ('games = ["lanterns", "pnod"]', "the game `pnod` has neither a system nor content"),
        ('games = ["lanterns", "lanterns"]', "`games` lists `lanterns` twice"),
        ('games = ["../pond"]', "`../pond` cannot be the name of a game"),
        ("games = []", "`games` lists no game"),
        ('games = "pond"', "`games` has the wrong type"),
        ('games = ["pond"]\npaths = ["kards/{game}"]', "names `kards/{game}`, which does not exist"),
        ('games = ["pond"]\nrules = "{game}.md"', "names `{game}.md`, which does not exist"),
        ('games = ["pond"]\npaths = ["../{game}"]', "`../{game}` leads out of the project's folder"),
        ('games = ["pond"]\n[variants.pnod]\na = "b"', "`[variants.pnod]` names no game of `games`"),
        ('games = ["pond"]\n[variants]\na = "b"', "`variants` has the wrong type"),
    ],
)
def test_invalid_games_of_the_project_file_are_reported(games: Shell, line: str, complaint: str) -> None:
    settings(games, f"language = 2\n{line}\n")
    done = games.fcb("check")
    assert done.code == 1
    assert complaint in done.out


def test_similar_system_is_suggested(games: Shell) -> None:
    settings(games, SETTINGS.replace('"pond"]', '"pnod"]'))
    assert "pond" in games.fcb("check").out.partition("neither")[2]


@pytest.mark.long
def test_folders_of_games_can_be_set(games: Shell) -> None:
    shutil.move(games.folder / "cards", games.folder / "decks")
    settings(games, f'{SETTINGS}paths = ["decks/{{game}}", "missions/{{game}}"]\n')
    assert games.fcb("missions").out.split() == ["counting-house", "vintners-cellar", "crossing"]


def test_variants_belong_to_one_game(games: Shell) -> None:
    settings(games, f'{SETTINGS}[variants.pond]\nweather = "windy"\n')
    lanterns, pond = load_all(root=games.folder)
    assert (lanterns.project.variants, pond.project.variants) == ({}, {"weather": "windy"})


# ── commands for all games ─────────────────────────────────────────────────────────────────────


def test_check_covers_all_games(games: Shell) -> None:
    spoil(games, "cards/pond/pond.fcb")
    done = games.fcb("check")
    assert done.code == 1
    assert done.out.endswith("lanterns: No problems.\npond: 1 error, 0 warnings.\n")
    assert games.fcb("check", "--game", "lanterns").out == "No problems.\n"
    problems = json.loads(games.fcb("check", "--format", "json").out)
    assert [problem["code"] for problem in problems] == ["FCB0301"]


def test_check_of_paths_covers_games_of_paths(games: Shell) -> None:
    spoil(games, "cards/pond/pond.fcb")
    assert games.fcb("check", "cards/lanterns").out == "No problems.\n"
    assert "FCB0301" in games.fcb("check", "systems/pond.fcb", "cards/pond").out
    assert games.fcb("check", "cards").out.endswith("lanterns: No problems.\npond: 1 error, 0 warnings.\n")
    assert games.fcb("check", "systems/lanterns/flow.fcb").out == "No problems.\n"


def test_files_of_no_game_are_checked_separately(games: Shell) -> None:
    (games.folder / "scratch.fcb").write_text('use pond\n\nfrog red-frog "Red":\n  frr: "Rouge"\n', encoding="utf-8")
    assert "FCB0308" in games.fcb("check", "scratch.fcb").out
    assert "FCB0308" not in games.fcb("check").out
    done = games.fcb("check", ".")
    assert "FCB0308" in done.out
    assert "Files of no game: 1 error" in done.out
    assert games.fcb("check", "scratch.fcb", "cards/pond").out.endswith("\n\n1 error, 1 warning.\n")


def test_problem_of_a_shared_file_is_reported_once(games: Shell) -> None:
    settings(games, SETTINGS.replace("language = 2\n", ""))
    assert games.fcb("check").out.count("FCB0805") == 1
    spoil(games, "cards/pond/pond.fcb")
    spoil(games, "cards/lanterns/tricks.fcb")
    done = games.fcb("render", "-o", "out")
    assert done.code == 1
    assert done.out.count("FCB0301") == 2
    assert not (games.folder / "out").exists()


@pytest.mark.long
def test_test_covers_all_games(games: Shell) -> None:
    done = games.fcb("test", "-k", "hop or winner")
    assert done.out == "lanterns: 1 test: 1 passed, 0 failed.\npond: 1 test: 1 passed, 0 failed.\n"
    reports = json.loads(games.fcb("test", "-k", "hop or winner", "--format", "json").out)
    assert [report["game"] for report in reports] == ["lanterns", "pond"]
    assert games.fcb("test", "tests/pond").out == "2 tests: 2 passed, 0 failed.\n"
    assert games.fcb("test", "--game", "pond").out == "2 tests: 2 passed, 0 failed.\n"


@pytest.mark.long
def test_missions_lists_all_games(games: Shell) -> None:
    assert games.fcb("missions").out.split() == ["counting-house", "vintners-cellar", "crossing"]
    assert games.fcb("missions", "--game", "pond").out == "crossing\n"
    lines = games.fcb("missions", "--long", "--lang", "fr").out.splitlines()
    assert [line for line in lines if line.endswith(":")] == ["lanterns:", "pond:"]
    assert lines[-1] == "crossing  La Traversée"


def test_games_are_printed_into_their_folders(games: Shell) -> None:
    done = games.fcb("render", "--to", "html", "-o", "all")
    assert done.code == 0, done.out
    assert [path.name for path in (games.folder / "all/lanterns").iterdir()] == ["lanterns.html"]
    assert [path.name for path in (games.folder / "all/pond").iterdir()] == ["pond.html"]
    games.fcb("render", "--game", "pond", "--to", "html", "-o", "one")
    assert [path.name for path in (games.folder / "one").iterdir()] == ["pond"], "no game overwrites another one's"
    games.fcb("render", "puddle", "--to", "html", "-o", "card")
    assert [path.name for path in (games.folder / "card").iterdir()] == ["pond"]
    assert "Did you mean puddle" in games.fcb("render", "pudle", "-o", "card").err


def test_rules_lists_all_games(games: Shell) -> None:
    rules = games.folder / "docs" / "rules"
    rules.mkdir(parents=True)
    for game, prefix in (("pond", "POND"), ("lanterns", "LAN")):
        done = games.fcb("rules")
        if game == "pond":
            assert done.code == 2
        (rules / f"{game}.md").write_text(RULES.format(game=game, prefix=prefix), encoding="utf-8")
    (rules / "README.md").write_text(
        "## Proven elsewhere\n\n| rule | why | by |\n|---|---|---|\n| LAN-HOP-01 | so | `probe.py::test_it` |\n"
    )
    (games.folder / "probe.py").write_text("def test_it(): ...\n", encoding="utf-8")
    assert games.fcb("rules").out == "lanterns:\nLAN-HOP-01  engine\npond:\nPOND-HOP-01  engine\n"
    reports = json.loads(games.fcb("rules", "--coverage", "--json").out)
    assert [(report["game"], report["proven"], report["elsewhere"]) for report in reports] == [
        ("lanterns", 1, 1),
        ("pond", 1, 0),
    ]
    done = games.fcb("rules", "--coverage", "--json", "--game", "pond")
    assert [report["game"] for report in json.loads(done.out)] == ["pond"]
    output = games.fcb("rules", "--coverage", "--game", "pond").out
    assert "Rules that a test names and the catalogue lacks: POND-DARE-01" in output
    assert "LAN-HOP-01" not in output
    (rules / "lanterns.md").unlink()
    assert "lanterns has no catalogue of rules." in games.fcb("rules").err


def test_soak_covers_all_games(games: Shell) -> None:
    done = games.fcb("soak", "--games", "2", "--bot", "random")
    assert [line for line in done.out.splitlines() if line.endswith(":")] == ["lanterns:", "pond:"]
    assert done.out.count("2 games from seed 1") == 2


# ── commands for one game ──────────────────────────────────────────────────────────────────────


def test_compile_needs_one_game(games: Shell) -> None:
    done = games.fcb("compile", "-o", "a.fcbc")
    assert (done.code, done.out) == (2, "")
    assert "Choose a game with --game: lanterns, pond." in done.err
    assert games.fcb("compile", "--game", "pond", "-o", "a.fcbc").code == 0
    assert games.fcb("missions", "--program", "a.fcbc").out == "crossing\n"
    assert games.fcb("compile", "cards/lanterns", "-o", "b.fcbc").code == 0
    assert "crossing" not in games.fcb("missions", "--program", "b.fcbc").out
    assert "Use either --program or --game" in games.fcb("missions", "--program", "b.fcbc", "--game", "pond").err


def test_mission_selects_game(games: Shell) -> None:
    spoil(games, "cards/lanterns/tricks.fcb")  # the other game may even have errors
    done = games.fcb("play", "crossing", "--bot", "first", "--seed", "1", "--log", "log.json")
    assert (done.code, done.err) == (0, "")
    assert "confirmed" in games.fcb("replay", "log.json").out
    assert games.fcb("play", "crossing", "--game", "pond", "--bot", "first").code == 0
    done = games.fcb("play", "crosing", "--bot", "first")
    assert done.code == 2
    assert "There is no mission 'crosing' in lanterns, pond. Did you mean crossing?" in done.err


def test_mission_of_two_games_needs_game_option(games: Shell) -> None:
    cards = games.folder / "cards" / "pond" / "pond.fcb"
    cards.write_text(cards.read_text(encoding="utf-8").replace("mission crossing", "mission counting-house"))
    done = games.fcb("play", "counting-house", "--bot", "first")
    assert done.code == 2
    assert "'counting-house' exists in lanterns and in pond: choose one with --game." in done.err
    assert games.fcb("play", "counting-house", "--game", "pond", "--bot", "first").code == 0


@pytest.mark.long
def test_campaign_and_its_file_select_game(games: Shell) -> None:
    assert games.fcb("campaign", "start", "long-winter", "w", "--seed", "1").code == 0
    spoil(games, "cards/pond/pond.fcb")
    for arguments in (["status", "w"], ["travel", "w", "casks"], ["play", "w", "--bot", "random"]):
        done = games.fcb("campaign", *arguments)
        assert (done.code, done.err) == (0, "")
    assert games.fcb("campaign", "graph", "long-winter", "-o", "w.svg").code == 0
    assert "There is no campaign 'long-summer'" in games.fcb("campaign", "start", "long-summer", "v").err


def test_unknown_game_is_refused(games: Shell) -> None:
    done = games.fcb("check", "--game", "pnod")
    assert (done.code, done.out) == (2, "")
    assert "There is no game 'pnod'. Did you mean pond?" in done.err
    done = games.fcb("play", "crossing", "--game", "lanterns", "--bot", "first")
    assert done.code == 2
    assert "There is no mission 'crossing'" in done.err


def test_game_option_is_refused_in_project_of_one_game(project: Shell) -> None:
    assert "this project has one" in project.fcb("check", "--game", "pond").err


def test_mutate_needs_one_game(games: Shell) -> None:
    assert "Choose a game with --game" in games.fcb("mutate", "--sample", "1").err
    done = games.fcb("mutate", "cards/pond", "--sample", "2", "--jobs", "1")
    assert done.code in (0, 1)
    assert "mutants: " in done.out
    assert "Choose a game with --game" in games.fcb("mutate", "systems", "--sample", "1").err


@pytest.mark.long
def test_migrate_covers_all_games(games: Shell) -> None:
    settings(games, SETTINGS.replace("language = 2", "language = 1"))
    done = games.fcb("migrate")
    assert done.code in (0, 1)
    assert "fcb.toml: language = 2" in done.out or "left" in done.err


# ── languages ──────────────────────────────────────────────────────────────────────────────────


def test_languages_are_those_of_content(games: Shell) -> None:
    for arguments in (["missions"], ["render", "-o", "out"], ["play", "crossing", "--bot", "first"]):
        done = games.fcb(*arguments, "--lang", "de")
        assert done.code == 2
        assert "There is no language 'de' here. There are: en, fr." in done.err


def test_english_project_has_no_french(project: Shell) -> None:
    settings(project, 'language = 2\npaths = ["cards"]\ntests = ["tests"]\nlanguages = ["en"]\n')
    assert "There are: en." in project.fcb("render", "--lang", "fr", "-o", "out").err


@pytest.mark.long
def test_compare_takes_one_game_and_diff_takes_all(games: Shell, tmp_path: Path) -> None:
    other = tmp_path / "other"
    shutil.copytree(games.folder, other)
    cards = next(path for path in (other / "cards" / "pond").glob("*.fcb") if "up to 2" in path.read_text("utf-8"))
    cards.write_text(cards.read_text("utf-8").replace("up to 2", "up to 3"), encoding="utf-8")
    done = games.fcb("compare", ".", other, "crossing", "--games", "2", "--players", "1", "-j", "1")
    assert (done.code, "\n\ncrossing, 1 player" in done.out) == (1, True)  # two games say nothing
    assert "Choose a game with --game" in games.fcb("compare", ".", other).err
    difference = games.fcb("diff", ".", other)
    assert difference.out.startswith("lanterns:\nNothing changes")
    assert "pond:\n" in difference.out
    assert "trick/gift" in difference.out.partition("pond:\n")[2]
    assert list(json.loads(games.fcb("diff", ".", other, "--format", "json").out)) == ["lanterns", "pond"]
    assert "# pond" in games.fcb("diff", ".", other, "--format", "markdown").out
    page = games.fcb("diff", ".", other, "--format", "html")
    assert (page.code, "A page shows one game" in page.err) == (2, True)
    assert games.fcb("diff", ".", other, "--format", "html", "--game", "pond").out.startswith("<!doctype html>")
