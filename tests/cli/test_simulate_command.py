"""`fcb simulate`: its report, its results file, continuing and stopping."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import pytest
from cli_runner import Shell
from dask_cluster import Workplace
from games import GAMES, ROOT, missions, program
from pond_game import pond

from fcbdsl.cli.common import DEFAULT_BOT
from fcbdsl.play.simulation import games as played
from fcbdsl.play.simulation.cell_statistics import Tally, Waypoint, cell_summary
from fcbdsl.play.simulation.games import Matchup
from fcbdsl.play.simulation.gates import band_of, names_of_nothing
from fcbdsl.tools.reports.simulation_text import WAYPOINTS, simulation_report

CELL = Matchup("crossing", 1, bot="random")


def test_text_report_is_complete(project: Shell) -> None:
    done = project.fcb("simulate", "crossing", "--players", "1,2", "--games", "12", "--bot", "random", "--jobs", "1")
    assert done.code == 0
    assert done.err == ""
    assert done.out.startswith("bot random, program ")
    first, second = (line for line in done.out.splitlines() if line.startswith("crossing, "))
    assert first.startswith("crossing, 1 player: won ")
    assert " of 12 (" in first
    assert second.startswith("crossing, 2 players: won ")
    assert "loss: The heron wakes. (first: seed " in done.out
    assert "Hop" in done.out
    assert "never entered: B2" in done.out
    assert "care" in done.out


@pytest.mark.long
def test_report_is_equal_for_any_number_of_processes(project: Shell) -> None:
    asked = ("simulate", "--games", "60", "--within", "12%", "--bot", "random", "--format", "json")
    alone = project.fcb(*asked, "--jobs", "1")
    assert project.fcb(*asked, "--jobs", "3") == alone
    results = json.loads(alone.out)
    assert [result["cell"]["players"] for result in results] == [1, 2]
    assert all(result["high"] - result["low"] <= 0.24 or result["games"] == 60 for result in results)
    assert any(result["games"] < 60 for result in results)
    project.fcb(*asked, "-o", "report.json")
    assert Path("report.json").read_text(encoding="utf-8") == alone.out


@pytest.mark.long
def test_report_is_equal_on_cluster(project: Shell, tmp_path: Path) -> None:
    place = Workplace(tmp_path)
    place.worker()
    asked = ("simulate", "--games", "60", "--within", "12%", "--bot", "random", "--format", "json")
    assert project.fcb(*asked, "--dask", place.address) == project.fcb(*asked, "--jobs", "1")
    place.end()


@pytest.mark.long
def test_jobs_and_cluster_exclude_each_other(project: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    both = project.fcb("simulate", "--jobs", "2", "--dask", "tcp://127.0.0.1:9")
    assert (both.code, "Either" in both.err) == (2, True)
    monkeypatch.setattr("fcbdsl.play.simulation.cluster.PATIENCE", 0.1)
    nobody = project.fcb("simulate", "--games", "1", "--dask", "tcp://127.0.0.1:9")
    assert nobody.code == 2
    assert "No Dask scheduler answers at tcp://127.0.0.1:9" in nobody.err


def test_stopped_run_reports_and_can_continue(project: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = ("simulate", "crossing", "--games", "8", "--players", "2", "--bot", "random", "--jobs", "1")
    whole = project.fcb(*asked)
    real, times = played.play_once, []

    def until_stopped(*game: object) -> played.Playout:
        times.append(game)
        if len(times) == 6:
            raise KeyboardInterrupt
        return real(*game)  # type: ignore[arg-type]

    monkeypatch.setattr(played, "play_once", until_stopped)
    stopped = project.fcb(*asked, "--keep", "games.jsonl")
    assert stopped.code == 1
    assert " of 5 (" in stopped.out
    assert stopped.err == "Stopped; 0 setups not started. The last one has fewer games than you asked for.\n"
    with Path("games.jsonl").open("ab") as file:
        file.write(b'{"torn')
    gone_on = project.fcb(*asked, "--keep", "games.jsonl")
    assert gone_on.out == whole.out
    assert gone_on.err == "games.jsonl: 5 games of this program; 1 line of other programs or torn.\n"
    assert len(times) == 9
    again = project.fcb(*asked, "--keep", "games.jsonl")
    assert again.out == whole.out
    assert len(times) == 9
    assert "8 games of this program" in again.err


@pytest.mark.long
def test_fault_of_content_exits_with_1(project: Shell) -> None:
    done = project.fcb(
        "simulate", "crossing", "--games", "4", "--players", "1", "--bot", "random", "--variant", "wind=gusty"
    )
    assert done.code == 1
    assert "  error in the pack (first: seed " in done.out


@pytest.mark.parametrize(
    "wrong",
    [
        ("--players", "9"),
        ("--players", "x"),
        ("--within", "60%"),
        ("--within", "much"),
        ("crosing",),
        ("--bot", "clever"),
        ("--bot", "foxes=thumb,first"),
        ("--side", "foxes"),
    ],
)
def test_mission_that_cannot_be_simulated_is_refused(project: Shell, wrong: tuple[str, ...]) -> None:
    done = project.fcb("simulate", *wrong)
    assert done.code == 2
    assert done.err.startswith("Usage: fcb simulate")


@pytest.mark.parametrize(
    ("band", "code", "says"),
    [
        ("95%..100%", 1, "Gate: 1 of 1 setup outside the target."),
        ("0..100", 0, "Gate: 0 of 1 setup outside the target."),
        ("0%..1%", 1, "Gate: 1 of 1 setup outside the target."),
        ("0%..25%", 0, "undecided for the target 0 % to 25 %"),
    ],
)
def test_gate_fails_outside_target(project: Shell, band: str, code: int, says: str) -> None:
    with Path(project.folder / "fcb.toml").open("a", encoding="utf-8") as file:
        file.write(f'\n[wins]\nall = "{band}"\n')
    asked = ("simulate", "crossing", "--players", "1", "--games", "20", "--bot", "random", "-j", "1", "--gate")
    done = project.fcb(*asked)
    assert (done.code, says in done.err) == (code, True), done.err
    assert "95% interval" in done.out


@pytest.mark.parametrize(("flies", "reason"), [(90, "won none of 20 games"), (1, "won all 20 games")])
def test_gate_refuses_rate_without_meaning(project: Shell, flies: int, reason: str) -> None:
    """A rate of 0 % or 100 % fails even if the target contains it."""
    cards = project.folder / "cards" / "pond.fcb"
    text = cards.read_text(encoding="utf-8").replace("length: 4", "length: 40").replace("goal: 4", f"goal: {flies}")
    cards.write_text(text, encoding="utf-8")
    with Path(project.folder / "fcb.toml").open("a", encoding="utf-8") as file:
        file.write('\n[wins]\nall = "0%..100%"\n')
    done = project.fcb(
        "simulate", "crossing", "--players", "1", "--games", "20", "--bot", "random", "-j", "1", "--gate"
    )
    assert done.code == 1
    assert reason in done.out + done.err
    assert done.err.splitlines()[-1] == "Gate: 0 of 1 setup outside the target, 1 not judged."


def test_gate_needs_target(project: Shell) -> None:
    asked = ("simulate", "--games", "1", "--bot", "random", "-j", "1", "--gate")
    assert "has no target" in project.fcb(*asked).err
    settings = project.folder / "fcb.toml"
    before = settings.read_text(encoding="utf-8")
    settings.write_text(before + '\n[wins]\ncrosing = "1..2"\n', encoding="utf-8")
    done = project.fcb(*asked)
    assert (done.code, "names 'crosing'" in done.err) == (2, True)
    for band in ("55-75", "80..20", "20..120"):
        settings.write_text(before + f'\n[wins]\ncrossing = "{band}"\n', encoding="utf-8")
        assert "`crossing` must be a range of win rates" in project.fcb("check").out


def test_target_is_given_by_mission_value_or_for_all() -> None:
    game = program(GAMES[0])
    first = missions(game)[0]
    targets = {name: (1, 2) for row in game.enums for name in row.values}
    assert band_of(game, first, {first: (3, 4), **targets, "all": (5, 6)}) == (3, 4)
    assert band_of(game, first, {**targets, "all": (5, 6)}) == (1, 2)
    assert band_of(game, first, {"all": (5, 6)}) == (5, 6)
    assert band_of(game, first, {}) is None
    assert names_of_nothing(game, {**targets, first: (1, 2), "all": (1, 2), "nobody": (1, 2)}) == ["nobody"]


def test_report_lists_events_and_missing_events(project: Shell) -> None:
    asked = ("simulate", "crossing", "--players", "2", "--games", "12", "--bot", "random", "--jobs", "1")
    done = project.fcb(*asked)
    assert "closest " in done.out
    (report,) = json.loads(project.fcb(*asked, "--format", "json").out)
    assert report["notable"]["closest"] in range(1, 13)
    assert [way["middle"] for way in report["courses"]["heron"]] == [report["tracks"]["heron"][1]]
    assert all(use["offered"] >= use["games"] for use in report["uses"])


def test_value_of_a_card_is_measured_with_the_same_seeds(project: Shell) -> None:
    asked = ("compare", ".", ".", "crossing", "--players", "1", "--games", "8", "--bot", "random", "-j", "1")
    done = project.fcb(*asked, "--without", "hop", "--format", "json")
    (report,) = json.loads(done.out)
    assert (report["without"], report["won"][1]) == ("hop", 0)
    output = project.fcb(*asked, "--without", "hop").out
    assert "\nIn B no player takes hop if there is another option." in output
    assert "no action and no card 'hopp'" in project.fcb(*asked, "--without", "hopp").err


WORTH = ("simulate", "crossing", "--players", "2", "--games", "24", "--bot", "random", "--worth", "24")


@pytest.mark.long
def test_report_shows_the_value_of_each_card(project: Shell) -> None:
    alone = project.fcb(*WORTH, "--format", "json", "-j", "1")
    assert project.fcb(*WORTH, "--format", "json", "-j", "3") == alone
    (report,) = json.loads(alone.out)
    worths = {row["name"]: row for row in report["worths"]}
    assert worths.keys() == {use["name"].partition(" ")[2] for use in report["uses"] if use["uses"]}
    assert (worths["hop"]["verdict"], worths["hop"]["won"][1]) == ("helps", 0)
    output = project.fcb(*WORTH, "-j", "1").out
    row = next(line.split() for line in output.split("impact of each action and card")[1].splitlines() if "Hop" in line)
    assert row == [
        "Hop",
        f"+{100 * worths['hop']['wins']['value']:.0f}",
        *row[2:5],
        str(worths["hop"]["pairs"]),
        row[6],
    ]
    assert f"{len(worths)} actions and cards were left out" in output or "1 action or card was left out" in output
    assert "impact of each action and card" not in project.fcb(*WORTH[:-2], "-j", "1").out


@pytest.mark.long
def test_ablation_games_are_saved_and_continued(project: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = project.fcb(*WORTH, "-j", "1")
    real, times = played.play_once, []

    def until_stopped(*game: object) -> played.Playout:
        times.append(game)
        if len(times) == 30:
            raise KeyboardInterrupt
        return real(*game)  # type: ignore[arg-type]

    monkeypatch.setattr(played, "play_once", until_stopped)
    stopped = project.fcb(*WORTH, "-j", "1", "--keep", "games.jsonl")
    assert (stopped.code, " of 24 (" in stopped.out) == (1, True)
    assert "impact of each action and card" not in stopped.out  # no complete round
    assert project.fcb(*WORTH, "-j", "1", "--keep", "games.jsonl").out == whole.out
    before = len(times)
    assert project.fcb(*WORTH, "-j", "1", "--keep", "games.jsonl").out == whole.out
    assert len(times) == before


def test_ablation_refuses_search_bots(project: Shell) -> None:
    done = project.fcb("simulate", "--worth", "5", "--bot", "sensible")
    assert (done.code, "sensible can't leave anything be" in done.err) == (2, True)


def test_text_report_is_in_requested_language(project: Shell) -> None:
    asked = ("simulate", "crossing", "--players", "1", "--games", "12", "--bot", "random", "--jobs", "1")
    output = project.fcb(*asked, "--lang", "fr").out.replace("\u202f", " ")
    output = output.replace("\u00a0", " ")
    for part in ("défaite : Le héron se réveille.", "graines à rejouer : la plus courte", "jamais atteint : B2"):
        assert part in output, part
    english = {line.split(":")[0].strip() for line in project.fcb(*asked).out.splitlines() if line.endswith(":")}
    assert english
    assert not any(line in output for line in english)


def test_long_list_of_courses_ends_with_a_count() -> None:
    ways = tuple(Waypoint(1, at, at, at) for at in range(WAYPOINTS + 3))
    results = replace(
        cell_summary(pond(), CELL, Tally([]), "en"), tracks={"heron": (0, 0, 0)}, courses={"heron": ways}, games=1
    )
    report = simulation_report(pond(), [results], "en")
    assert f", {WAYPOINTS - 1} and 3 more: see --format json\n" in report
    assert f", {WAYPOINTS - 1} et 3 de plus\u00a0: voir --format json\n" in simulation_report(pond(), [results], "fr")
    short = replace(results, courses={"heron": ways[:WAYPOINTS]})
    assert "more: see --format json" not in simulation_report(pond(), [short], "en")


@pytest.mark.parametrize("name", ["simulate", "compare", "tune"])
def test_commands_that_measure_have_one_default_bot(name: str) -> None:
    command = import_module(f"fcbdsl.cli.{name}_command").command
    bot = next(option for option in command.params if option.name == "bot")
    assert bot.default == DEFAULT_BOT
    assert f"`{DEFAULT_BOT}`. It needs only an `outlook`" in (ROOT / "docs" / "bots.md").read_text(encoding="utf-8")
