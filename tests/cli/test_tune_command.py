"""`fcb tune`: marked numbers, the race between settings, and the proposed change."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_runner import Shell
from pond_game import calm_pond

from fcbdsl.base.diagnostics.base import Diagnostic
from fcbdsl.base.source import Source
from fcbdsl.play.simulation.racing import Lane
from fcbdsl.project.analysis.tunables import Tunable, apply_tunables, tunables_in


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    return Shell(calm_pond(tmp_path), monkeypatch, capsys)


def mark(shell: Shell, line: str, bounds: str) -> Path:
    """Mark a number of the cards."""
    path = shell.folder / "cards" / "pond.fcb"
    text = path.read_text(encoding="utf-8")
    assert f"\n{line}\n" in text
    path.write_text(text.replace(f"\n{line}\n", f"\n{line}  # fcb: tunable {bounds}\n"), encoding="utf-8")
    return path


TUNE = ("tune", "crossing", "--players", "2", "--bot", "random", "--jobs", "1")


@pytest.mark.long
def test_tune_finds_number_for_target_win_rate(shell: Shell) -> None:
    path = mark(shell, "  goal: 4", "2..7")
    before = path.read_text(encoding="utf-8")
    asked = (*TUNE, "--wanted", "20-45", "--games", "40")
    report = json.loads(shell.fcb(*asked, "--format", "json").out)
    best, *others = report["settings"]
    (goal,) = best["values"]
    assert goal != 4
    assert (best["dropped"], best["cells"][0]["games"]) == (0, 40)
    hopeless = next(setting for setting in others if setting["values"] == [2])
    assert (hopeless["dropped"], hopeless["cells"][0]["games"]) == (1, 20)
    assert hopeless["cells"][0]["interval"][0] > 0.45
    assert path.read_text(encoding="utf-8") == before
    assert (report["verdict"], report["games_to_show"] is None or report["games_to_show"] > 40) == ("open", True)
    done = shell.fcb(*asked, "--write")
    assert (done.code, "best so far" in done.out, "No file was changed" in done.err) == (1, True, True)
    assert path.read_text(encoding="utf-8") == before
    asked = (*TUNE, "--wanted", "5-80", "--games", "200")
    report = json.loads(shell.fcb(*asked, "--format", "json").out)
    best = report["settings"][0]
    (goal,) = best["values"]
    assert report["verdict"] == "inside"
    done = shell.fcb(*asked, "--write")
    assert (done.code, "shown inside" in done.out) == (0, True), done
    assert f"-  goal: 4  # fcb: tunable 2..7\n+  goal: {goal}  # fcb: tunable 2..7\n" in done.out
    assert path.read_text(encoding="utf-8") == before.replace("goal: 4", f"goal: {goal}")
    assert shell.fcb("check").code == 0
    games = best["cells"][0]["games"]
    shown = json.loads(
        shell.fcb(
            "simulate", "crossing", "--players", "2", "--bot", "random", "--games", str(games), "--format", "json"
        ).out
    )
    assert shown[0]["won"] == best["cells"][0]["won"]


@pytest.mark.long
def test_tune_is_equal_for_any_number_of_processes(shell: Shell) -> None:
    mark(shell, "  goal: 4", "3..4")
    asked = (*TUNE, "--wanted", "20-45", "--games", "20", "--format", "json")
    assert json.loads(shell.fcb(*asked, "--jobs", "2").out) == json.loads(shell.fcb(*asked).out)


def test_target_comes_from_the_project_file(shell: Shell) -> None:
    mark(shell, "  goal: 4", "2..9")
    assert "crossing has no target" in shell.fcb(*TUNE).err
    settings = shell.folder / "fcb.toml"
    settings.write_text(settings.read_text() + '\n[wins]\ncrossing = "20%..45%"\n')
    assert "Verdict: best so far" in shell.fcb(*TUNE, "--games", "20").out


@pytest.mark.long
def test_tune_refuses_empty_set_of_settings(shell: Shell) -> None:
    mark(shell, "  goal: 4", "1..2")
    shell.fcb("check")
    path = shell.folder / "cards" / "pond.fcb"
    path.write_text(path.read_text(encoding="utf-8").replace("goal: 4", "goal: 2"), encoding="utf-8")
    done = shell.fcb(*TUNE, "--wanted", "1-5", "--games", "40")
    assert (done.code, "No setting is left" in done.out) == (1, True)


@pytest.mark.long
def test_equal_settings_are_played_once(shell: Shell) -> None:
    mark(shell, "  goal: 4", "0..4")
    system = shell.folder / "systems" / "pond.fcb"
    line = '  field goal "goal": number 1.., default 3'
    text = system.read_text(encoding="utf-8")
    assert line in text
    system.write_text(text.replace(line, f"{line}  # fcb: tunable 3..4"), encoding="utf-8")
    settings = json.loads(shell.fcb(*TUNE, "--wanted", "1-99", "--games", "20", "--format", "json").out)["settings"]
    assert len(settings) == 10
    assert {tuple(setting["values"]) for setting in settings if setting["refused"]} == {(3, 0), (4, 0)}
    won = {tuple(setting["values"]): setting["cells"][0]["won"] for setting in settings if not setting["refused"]}
    assert all(won[3, goal] == won[4, goal] for goal in (1, 2, 3, 4))


def test_number_that_cannot_be_tuned_is_reported_with_the_reason(shell: Shell) -> None:
    assert "No number is marked" in shell.fcb(*TUNE, "--wanted", "20-45").err
    mark(shell, "  goal: 4", "2..900")
    assert "more than 200" in shell.fcb(*TUNE, "--wanted", "20-45").err
    assert shell.fcb(*TUNE, "--wanted", "75-55").code == 2


@pytest.mark.long
def test_unused_marks_are_named(shell: Shell) -> None:
    path = mark(shell, "  goal: 4", "2..7")
    text = path.read_text(encoding="utf-8")
    other = text[text.index("mission crossing") :].replace("crossing", "return").replace("heron", "stork")
    path.write_text(f"{text}\n{other.replace('length: 4', 'length: 4  # fcb: tunable 5..6')}", encoding="utf-8")
    done = shell.fcb(*TUNE, "--wanted", "1-99", "--games", "1")
    assert "Left alone: 1 number of other missions (return)." in done.err
    assert "FCB0817" in done.err


def marks(text: str) -> list[str]:
    """Return the marks of a text: numbers with their bounds, or the reason why there is none."""
    return [
        problem.message.partition(",")[0]
        if isinstance(problem, Diagnostic)
        else f"{problem.mission} {problem.value} {problem.values}"
        for problem in tunables_in(Source("a.fcb", text))
    ]


def test_mark_applies_to_last_number_of_line() -> None:
    text = 'mission ford "3 Fords":\n  at 2, 4:  # fcb: tunable 3..6\n\n'
    text += 'token fly "9 flies":\n  limit: 3  # fcb: tunable 1..4\n'
    assert marks(text) == ["ford 4 range(3, 7)", " 3 range(1, 5)"]
    tunables = [tunable for tunable in tunables_in(Source("a.fcb", text)) if isinstance(tunable, Tunable)]
    source = tunables[0].span.source
    sources = [source]
    own = [tunable for tunable in tunables_in(source) if isinstance(tunable, Tunable)]
    made = apply_tunables(sources, {own[0]: 6, own[1]: 12})
    assert made == {"a.fcb": text.replace("2, 4:", "2, 6:").replace("limit: 3 ", "limit: 12 ")}


def test_mark_can_select_numbers_of_line() -> None:
    line = "hp: 2, 4, 6"
    text = f"token fly:\n  {line}  # fcb: tunable "
    assert marks(f"{text}3..6, -\n") == [" 4 range(3, 7)"]
    assert marks(f"{text}1..2,-,5..7 \n") == [" 2 range(1, 3)", " 6 range(5, 8)"]
    source = Source("a.fcb", f"{text}1..2, -, 5..7\n")
    tunables = [tunable for tunable in tunables_in(source) if isinstance(tunable, Tunable)]
    assert apply_tunables([source], dict(zip(tunables, (1, 7), strict=True))) == {
        "a.fcb": source.text.replace("2, 4, 6", "1, 4, 7")
    }
    assert [source.text[tunable.span.start : tunable.span.end] for tunable in tunables] == ["2", "6"]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("limit: 3  # fcb: tunable", "it gives no range"),
        ("limit: 3  # fcb: tunable 2..4,", "it gives no range"),
        ("limit: 3  # fcb: tunable -", "it gives no range"),
        ("limit: 3  # fcb: tunable 2..4, -", "it gives 2 ranges"),
        ("at 3, 5:  # fcb: tunable 2..4, 6..8", "5 is not one of several numbers from 6 to 8"),
        ("limit: 3  # fcb: tunable 4..", "it gives no range"),
        ("limit: 3  # fcb: tunable 4..8", "3 is not one of several numbers from 4 to 8"),
        ("limit: 3  # fcb: tunable 3..3", "3 is not one of several"),
        ('name: "3"  # fcb: tunable 1..4', "no number"),
        ("at last2:  # fcb: tunable 1..4", "no number"),
    ],
)
def test_mark_without_choice_is_reported(line: str, why: str) -> None:
    (message,) = marks(f"token fly:\n  {line}\n")
    assert why in message


def test_bad_start_does_not_end_race() -> None:
    unlucky = Lane(40, 1)  # one in 280 settings that win 18 % begins so: too many, because cells are checked often
    assert not unlucky.is_outside((15, 55))
    assert Lane(40, 0).is_outside((25, 55))


def test_best_value_at_end_of_its_range_is_reported(shell: Shell) -> None:
    mark(shell, "  goal: 4", "4..6")
    done = shell.fcb(*TUNE, "--wanted", "90-100", "--games", "20")
    assert done.code == 1
    assert "cards/pond.fcb:20:9: 4 is the end of its range, 4 to 6: try a wider one.\n" in done.out


def test_numbers_without_influence_are_reported(shell: Shell) -> None:
    path = mark(shell, "  goal: 4", "2..7")
    path.write_text(path.read_text(encoding="utf-8").replace("# fcb: tunable 2..7", ""), encoding="utf-8")
    system = shell.folder / "systems" / "pond.fcb"
    line = '  field goal "goal": number 1.., default 3'
    system.write_text(
        system.read_text(encoding="utf-8").replace(line, f"{line}  # fcb: tunable 3..5"), encoding="utf-8"
    )
    done = shell.fcb(*TUNE, "--wanted", "1-99", "--games", "20")
    assert "these numbers make no difference" in done.out


def test_settings_that_all_win_or_lose_have_no_verdict(shell: Shell) -> None:
    mark(shell, "  goal: 4", "1..2")
    path = shell.folder / "cards" / "pond.fcb"
    path.write_text(path.read_text(encoding="utf-8").replace("goal: 4", "goal: 1"), encoding="utf-8")
    easy = shell.fcb(*TUNE, "--wanted", "90-100", "--games", "20")
    assert (easy.code, "Verdict: " in easy.out) == (1, True)
