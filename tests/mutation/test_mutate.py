"""`fcb mutate` reports which changes the tests of a project notice."""

from __future__ import annotations

import json
import signal
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from cli_runner import Shell
from mutation.yard import SYSTEM, TESTS, yard

from fcbdsl.base.cache import has_shape
from fcbdsl.language.compiler import lower
from fcbdsl.language.model.check import Checker
from fcbdsl.language.syntax.pieces import read_pieces
from fcbdsl.machine.vm.image import Image
from fcbdsl.play.testing import impact
from fcbdsl.play.testing.impact import TestKey, watch
from fcbdsl.project.analysis import Analysis, analysis_of
from fcbdsl.project.project import check_project, load_project
from fcbdsl.tools.mutation.mutants import Mutant
from fcbdsl.tools.mutation.result_cache import Past, Verdict
from fcbdsl.tools.mutation.trial import Trial

STROKE = "systems/yard.fcb"


def record(shell: Shell, *arguments: str) -> dict[str, Any]:
    """Return the JSON report of a run."""
    data: dict[str, Any] = json.loads(shell.fcb("mutate", "--json", *arguments).out)
    return data


def changes(report: dict[str, Any]) -> list[tuple[int, str]]:
    """Return line and change of the survivors."""
    return [(survivor["line"], survivor["change"]) for survivor in report["survivors"]]


def line_of(text: str) -> int:
    """Return the line of the system with this text."""
    return SYSTEM.splitlines().index(text) + 1


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return yard(tmp_path)


@pytest.mark.long
def test_mutation_report_adds_up_and_lists_survivors(project: Path, shell: Shell) -> None:
    report = record(shell, "--sample", "40")
    assert list(report)[:6] == ["taken", "invalid", "killed", "survived", "equivalent", "survivors"]
    fates = ("invalid", "killed", "survived", "equivalent")
    assert report["taken"] == 40 < report["possible"]
    assert report["taken"] == sum(report[fate] for fate in fates)
    assert report["survived"] == len(report["survivors"])
    assert all(set(survivor) == {"file", "line", "change"} for survivor in report["survivors"])
    rows = report["operators"].values()
    assert all(row["taken"] == sum(row[fate] for fate in fates) for row in rows)
    assert all(sum(row[fate] for row in rows) == report[fate] for fate in ("taken", *fates))
    assert min(report["invalid"], report["killed"], report["survived"]) > 0


@pytest.mark.long
def test_test_with_expectation_kills_mutant(project: Path, shell: Shell) -> None:
    survivors = changes(record(shell, STROKE, "--operator", "value", "--operator", "arithmetic"))
    energy = line_of("    target's energy becomes target's energy + best")
    mood = line_of("    target's mood becomes wild")
    assert (energy, "`+` → `-`") not in survivors
    assert (mood, "`wild` → `sleepy`") in survivors  # no test reads its mood


@pytest.mark.long
def test_additional_test_kills_additional_mutant(project: Path, shell: Shell, tmp_path: Path) -> None:
    change = (line_of("    target's mood becomes wild"), "`wild` → `sleepy`")
    assert change in changes(record(shell, STROKE, "--operator", "value"))
    yard_tests = project / "tests" / "yard.fcb"
    looks = TESTS.replace("expect tom#2's energy = 5", "expect tom#2's energy = 5\n  expect tom#2's mood is wild")
    yard_tests.write_text(looks, encoding="utf-8")
    assert change not in changes(record(shell, STROKE, "--operator", "value"))


@pytest.mark.long
def test_data_mutants_run_all_tests_and_refused_ones_are_invalid(project: Path, shell: Shell) -> None:
    report = record(shell, STROKE, "--operator", "number")
    survivors = changes(report)
    at = line_of("  stat energy: number 0.., starts 3")
    assert (at, "`3` → `4`") not in survivors
    assert (at, "`0..` → `1..`") in survivors
    assert report["invalid"] == 3  # a face that no die shows
    faces = [change for line, change in survivors if line == line_of("  faces: head 1, tail 1")]
    assert faces == ["`1` → `2`", "`1` (2) → `2`"]


@pytest.mark.long
def test_result_is_equal_for_any_number_of_processes(project: Path, shell: Shell) -> None:
    alone = shell.fcb("mutate", "--json", "--sample", "12", "--seed", "3", "--jobs", "1").out
    assert alone == shell.fcb("mutate", "--json", "--sample", "12", "--seed", "3", "--jobs", "2").out
    assert json.loads(alone)["taken"] == 12
    assert alone != shell.fcb("mutate", "--json", "--sample", "12", "--seed", "4", "--jobs", "1").out


@pytest.mark.long
def test_survivors_are_listed_by_place_with_exit_code_1(project: Path, shell: Shell) -> None:
    done = shell.fcb("mutate", STROKE, "--operator", "value")
    at = line_of("    target's mood becomes wild")
    assert done.code == 1
    assert f"{STROKE}:{at}: value: `wild` → `sleepy`\n    target's mood becomes wild\n" in done.out
    assert done.err == ""  # no progress into a pipe


@pytest.mark.long
def test_mutants_are_limited_to_paths(project: Path, shell: Shell) -> None:
    assert {survivor["file"] for survivor in record(shell, "cards")["survivors"]} == {"cards/alley.fcb"}
    assert shell.fcb("mutate", "tests").code == 2
    assert "contains no content or system of the project" in shell.fcb("mutate", "tests").err


def test_unknown_operator_is_reported(project: Path, shell: Shell) -> None:
    done = shell.fcb("mutate", "--operator", "nonsense")
    assert done.code == 2
    assert "statement" in done.err


# ── explained survivors ───────────────────────────────────────────────────────────────────────


def explain(project: Path, text: str, change: str, reason: str = "Nobody can see it.") -> None:
    """Explain a survivor of the verb `stroke`."""
    path = project / "mutation" / "equivalent.toml"
    path.parent.mkdir(exist_ok=True)
    rows = {"file": STROKE, "of": "verb stroke", "text": text, "change": change, "reason": reason}
    entry = "\n".join(f"{name} = {json.dumps(value, ensure_ascii=False)}" for name, value in rows.items())
    path.write_text(f"[[equivalent]]\n{entry}\n", encoding="utf-8")


@pytest.mark.long
def test_explained_survivor_counts_as_equivalent(project: Path, shell: Shell) -> None:
    before = record(shell, STROKE, "--operator", "value")
    explain(project, "target's mood becomes wild", "`wild` → `sleepy`")
    after = record(shell, STROKE, "--operator", "value")
    assert (after["equivalent"], after["survived"]) == (1, before["survived"] - 1)
    assert (after["killed"], after["taken"], after["lapsed"]) == (before["killed"], before["taken"], [])


@pytest.mark.long
def test_explanation_lapses_with_its_line(project: Path, shell: Shell) -> None:
    explain(project, "target's mood becomes wild", "`wild` → `sleepy`")
    system = project / STROKE
    system.write_text(
        SYSTEM.replace("target's mood becomes wild", "target's mood becomes wild; stop"), encoding="utf-8"
    )
    report = record(shell, STROKE, "--operator", "value")
    assert report["equivalent"] == 0
    assert [(entry["text"], entry["entry"]) for entry in report["lapsed"]] == [("target's mood becomes wild", 1)]
    assert "Outdated: the explanation on line 1" in shell.fcb("mutate", STROKE, "--operator", "value").out


@pytest.mark.long
def test_explanation_outside_of_selection_stays(project: Path, shell: Shell) -> None:
    explain(project, "target's mood becomes wild", "`wild` → `sleepy`")
    other = project / "cards" / "more.fcb"
    other.parent.mkdir(exist_ok=True)
    other.write_text("use yard\n", encoding="utf-8")
    assert record(shell, STROKE, "--operator", "number")["lapsed"] == []
    assert record(shell, "cards/more.fcb")["lapsed"] == []


def test_mutate_needs_tests(project: Path, shell: Shell) -> None:
    (project / "tests" / "yard.fcb").write_text("use yard\n", encoding="utf-8")
    done = shell.fcb("mutate", STROKE)
    assert (done.code, done.err) == (1, "There is no test that could notice a change.\n")


def test_explanation_survives_other_changes(project: Path, shell: Shell) -> None:
    explain(project, "target's mood becomes wild", "`wild` → `sleepy`")
    system = project / STROKE
    system.write_text(SYSTEM.replace("kind game:", "# A comment.\n\nkind game:"), encoding="utf-8")
    report = record(shell, STROKE, "--operator", "value")
    assert (report["equivalent"], report["lapsed"]) == (1, [])


def test_explanation_needs_reason(project: Path, shell: Shell) -> None:
    explain(project, "target's mood becomes wild", "`wild` → `sleepy`", reason=" ")
    done = shell.fcb("mutate")
    assert (done.code, "needs its reason" in done.err) == (1, True)


@pytest.mark.long
def test_survivors_are_printed_as_readable_entries(project: Path, shell: Shell) -> None:
    done = shell.fcb("mutate", STROKE, "--operator", "value", "--entries")
    path = project / "mutation" / "equivalent.toml"
    path.parent.mkdir()
    path.write_text(done.out.replace('reason = ""', 'reason = "None."'), encoding="utf-8")
    assert record(shell, STROKE, "--operator", "value")["survived"] == 0
    assert shell.fcb("mutate", STROKE, "--operator", "value").code == 0


# ── cached results of tests ───────────────────────────────────────────────────────────────────


def test_cached_test_data_is_read_only_if_it_matches(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project)
    program = lower(check_project()[0], tests=True)
    record = watch(program, range(len(program.tests)), lambda image: None).to_record()
    assert has_shape(record, impact.TestCoverage.SHAPE)
    assert impact.TestCoverage.from_record(record).to_record() == record
    for broken in (
        None,
        [],
        {},
        {**record, "tests": [[1]]},
        {**record, "lines": {"a": {1: "all"}}},
        {**record, "ops": {"a": 1}},
        {**record, "review": "all"},
    ):
        assert not has_shape(broken, impact.TestCoverage.SHAPE)


@pytest.mark.long
def test_test_file_declarations_are_local(project: Path, shell: Shell) -> None:
    before = record(shell, STROKE, "--sample", "15")
    meddling = 'use yard\n\nrule meddler "Meddler":\n  when cat naps: for each cat: cat\'s energy becomes 0\n'
    (project / "tests" / "meddling.fcb").write_text(meddling, encoding="utf-8")
    assert shell.fcb("test").code == 0
    assert record(shell, STROKE, "--sample", "5")["killed"] <= before["killed"]  # too few for the preparation
    after = record(shell, STROKE, "--sample", "15")
    assert after["killed"] <= before["killed"]
    assert after["survivors"] == before["survivors"]


# ── cached results of earlier runs ────────────────────────────────────────────────────────────


@pytest.fixture
def cached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FCB_CACHE", str(tmp_path / "cache"))


VALUES = (STROKE, "--operator", "value", "--jobs", "1")


def tried(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list of the numbers of the tests that run on mutants from now on."""
    out: list[int] = []
    fails = Trial._fails

    def watching(trial: Trial, image: Image, test: int, numbers: Mapping[TestKey, int]) -> bool | None:
        out.append(test)
        return fails(trial, image, test, numbers)

    monkeypatch.setattr(Trial, "_fails", watching)
    return out


@pytest.mark.long
@pytest.mark.usefixtures("cached")
def test_survivors_are_cached_for_equal_game_and_tests(
    project: Path, shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = record(shell, *VALUES)
    assert (first["known"], first["survived"] > 0, first["killed"] > 0) == (0, True, True)
    ran = tried(monkeypatch)
    again = record(shell, *VALUES)
    assert again["known"] == again["survived"] + again["invalid"] + again["same"]
    assert again == {**first, "known": again["known"]}
    assert len(ran) == again["killed"]  # the test that killed it runs first
    assert "cached from an earlier run" in shell.fcb("mutate", *VALUES).out
    system = project / STROKE
    system.write_text(SYSTEM.replace("starts 9", "starts 8"), encoding="utf-8")
    assert record(shell, *VALUES)["known"] == 0


@pytest.mark.long
@pytest.mark.usefixtures("cached")
def test_survivor_runs_only_new_tests(project: Path, shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    before = record(shell, *VALUES)
    path = project / "tests" / "yard.fcb"
    looks = TESTS.replace("expect tom#2's energy = 5", "expect tom#2's mood is wild").replace("A purr", "Any purr")
    path.write_text("# A line more.\n" + TESTS + looks.split("\n\n")[1], encoding="utf-8")
    ran = tried(monkeypatch)
    after = record(shell, *VALUES)
    assert after["killed"] > before["killed"]
    fresh = after["killed"] - before["killed"] + after["survived"]
    assert len(ran) <= before["killed"] + fresh  # the killers of the earlier run, and the new test


@pytest.mark.usefixtures("cached")
@pytest.mark.parametrize("sign", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.long)])
def test_interrupted_run_continues(
    project: Path, shell: Shell, monkeypatch: pytest.MonkeyPatch, sign: signal.Signals
) -> None:
    whole = record(shell, *VALUES)
    shell.fcb("cache", "clear")
    verdict = Trial.verdict
    left = [whole["taken"] // 2]

    def tiring(trial: Trial, mutant: Mutant) -> Verdict:
        left[0] -= 1
        if left[0] < 0:
            signal.raise_signal(sign)
        return verdict(trial, mutant)

    monkeypatch.setattr(Trial, "verdict", tiring)
    shell.fcb("mutate", *VALUES)
    monkeypatch.setattr(Trial, "verdict", verdict)
    report = record(shell, *VALUES)
    assert 0 < report["known"] < report["survived"] + report["invalid"] + report["same"]
    assert report == {**whole, "known": report["known"]}


def test_old_data_is_read_only_if_it_matches() -> None:
    good = {
        "game": "a",
        "killers": {("a.fcb", "verb a", "stop", 1, "without `stop`"): ("t.fcb", "A title")},
        "decided": {"b": ("survived", "c")},
        "sets": {"c": ["d"]},
    }
    assert Past.fits(good)
    for broken in (
        None,
        {},
        {**good, "game": 1},
        {**good, "killers": {("a",): ("t.fcb", "A title")}},
        {**good, "decided": {"b": ("unheard", "c")}},
        {**good, "sets": {"c": [1]}},
    ):
        assert not Past.fits(broken)


@pytest.mark.long
def test_mutant_refused_only_by_tests_is_killed(project: Path, shell: Shell) -> None:
    art = "".join(f"      {row}\n" for row in ("+--+", "|. |", "+--+"))
    shed = f'use yard\n\nmission shed "The Shed":\n  goal: 0\n  map square:\n    art: |\n{art}'
    change = (line_of("  field goal: number 0.., default 3"), "`0..` → `1..`")
    before = record(shell, STROKE, "--operator", "number")
    assert change in changes(before)
    (project / "tests" / "shed.fcb").write_text(shed, encoding="utf-8")
    after = record(shell, STROKE, "--operator", "number")
    assert change not in changes(after)
    assert (after["killed"], after["invalid"]) == (before["killed"] + 1, before["invalid"])


def test_places_count_from_the_beginnings_of_files(
    shell: Shell, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A cached model may be made of declarations, and its places count from these. Mutants need places in files."""
    monkeypatch.chdir(project)
    loader = load_project(tests=True)
    proofs = analysis_of(loader).model.proofs
    expected = record(shell, "--operator", "statement", "--sample", "2", "--jobs", "1")
    in_pieces = Checker({}, (), proofs, ()).update([read_pieces(source).file() for source in loader.sources])
    monkeypatch.setattr(Analysis, "model", property(lambda _: in_pieces))
    report = record(shell, "--operator", "statement", "--sample", "2", "--jobs", "1")
    assert (report["possible"], report["invalid"]) == (expected["possible"], expected["invalid"])
