"""Campaigns from the command line."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from cli_runner import Done, Shell

from fcbdsl.play.campaign import store
from fcbdsl.play.campaign.store import Store

LANTERNS = Path(__file__).parents[1] / "systems" / "lanterns"
COMPILED: list[bytes] = []
"""The compiled program of the project, which all tests share."""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    """Return a shell in a project with a campaign."""
    folder = tmp_path / "lanterns"
    shutil.copytree(LANTERNS, folder)
    shell = Shell(folder, monkeypatch, capsys)
    if not COMPILED:
        assert shell.fcb("compile", "-o", "game.fcbc").code == 0
        COMPILED.append((folder / "game.fcbc").read_bytes())
    (folder / "game.fcbc").write_bytes(COMPILED[0])
    return shell


def run(shell: Shell, command: str, *arguments: str, stdin: str = "") -> Done:
    """Run a campaign command on the file ``w`` with the compiled program."""
    return shell.fcb("campaign", command, "w", *arguments, "--program", "game.fcbc", stdin=stdin)


def begun(shell: Shell, *arguments: str) -> Done:
    """Start the campaign."""
    done = shell.fcb("campaign", "start", "long-winter", "w", "--seed", "3", "--program", "game.fcbc", *arguments)
    assert done.code == 0, done.err
    return done


def data(shell: Shell) -> dict[str, object]:
    """Return the output of ``status --json``."""
    content = json.loads(run(shell, "status", "--json").out)
    assert isinstance(content, dict)
    return content


def points(shell: Shell) -> list[tuple[int, int | None]]:
    """Return the points of the file, each with its previous point."""
    content = data(shell)["points"]
    assert isinstance(content, list)
    return [(point["number"], point["after"]) for point in content]


def decisions(shell: Shell) -> list[int]:
    """Return the saved decisions of the mission under way."""
    with Store(shell.folder / "w") as store:
        return store.decisions()


# ── continuing ─────────────────────────────────────────────────────────────────────────────────


@pytest.mark.long
def test_campaign_starts_with_first_question(project: Shell) -> None:
    done = begun(project)
    assert "tips: Casks on the quay" in done.out
    assert "Do a job – Casks on the quay" in done.out
    assert done.err == ""


def test_place_is_found_by_id_title_or_number(project: Shell) -> None:
    for command, name in (("travel", "casks"), ("travel", "CASKS ON THE QUAY"), ("choose", "1"), ("choose", "casks")):
        begun(project)
        assert "Next, The Vintner's Cellar" in run(project, command, name).out
        (project.folder / "w").unlink()


def test_invalid_option_is_refused_with_the_valid_ones(project: Shell) -> None:
    begun(project)
    for command, choice in (("travel", "ledgers"), ("travel", "1"), ("choose", "9")):
        done = run(project, command, choice)
        assert done.code == 2
        assert "1  The Long Winter: Do a job – Casks on the quay" in done.err
    assert points(project) == [(1, None)]


def test_bots_play_next_mission(project: Shell) -> None:
    begun(project)
    run(project, "travel", "casks")
    done = run(project, "play", "--bot", "random")
    assert done.code == 0
    assert done.out.startswith("The Vintner's Cellar: ")
    assert points(project) == [(1, None), (2, 1)]
    assert run(project, "play", "--bot", "random").code == 2


def test_next_mission_must_be_played_first(project: Shell) -> None:
    begun(project)
    run(project, "travel", "casks")
    done = run(project, "travel", "casks")
    assert done.code == 2
    assert "Play the next mission first" in done.err


def test_same_answers_lead_to_same_state(project: Shell) -> None:
    states = []
    for _ in range(2):
        begun(project)
        run(project, "travel", "casks")
        run(project, "play", "--bot", "random")
        states.append(data(project)["kept"])
        (project.folder / "w").unlink()
    assert states[0] == states[1]


def test_campaign_ends(project: Shell) -> None:
    begun(project)
    for _ in range(12):
        output = run(project, "choose", "1").out
        if "Next, " in output:
            output = run(project, "play", "--bot", "random").out
        if "Do a job" not in output and "Pick pockets" not in output:
            break
    assert data(project)["outcome"] in ("win", "lose")
    done = run(project, "choose", "1")
    assert done.code == 2
    assert "over" in done.err


def test_campaign_output_is_french(project: Shell) -> None:
    begun(project)
    assert "À jouer, " in run(project, "travel", "casks", "--lang", "fr").out


# ── going back ─────────────────────────────────────────────────────────────────────────────────


@pytest.mark.long
def test_rewind_keeps_later_history(project: Shell) -> None:
    """FCB-CAMP-06c: the team goes back to an earlier point and takes another choice."""
    begun(project)
    run(project, "travel", "casks")
    run(project, "play", "--bot", "random")
    assert "Do a job" in run(project, "rewind", "1").out
    assert data(project)["point"] == 1
    run(project, "travel", "casks")
    run(project, "play", "--bot", "sensible")
    assert points(project) == [(1, None), (2, 1), (3, 1)]
    run(project, "rewind", "2")
    assert data(project)["point"] == 2


def test_rewind_to_unknown_point_is_refused(project: Shell) -> None:
    begun(project)
    done = run(project, "rewind", "7")
    assert done.code == 2
    assert "There is no point 7" in done.err


def test_history_is_exported(project: Shell) -> None:
    begun(project)
    run(project, "travel", "casks")
    run(project, "play", "--bot", "random")
    assert project.fcb("campaign", "export", "w", "-o", "w.json").code == 0
    content = json.loads((project.folder / "w.json").read_text(encoding="utf-8"))
    assert content["point"] == 2
    assert [point["after"] for point in content["points"]] == [None, 1]
    assert content["points"][1]["kept"]["campaign"] == "long-winter"
    assert json.loads(project.fcb("campaign", "export", "w").out) == content


# ── persons ────────────────────────────────────────────────────────────────────────────────────


def test_interrupted_mission_continues(project: Shell) -> None:
    begun(project)
    run(project, "travel", "casks")
    left = run(project, "play", stdin="1\n1\n1\nq\n")
    assert left.code == 0
    assert "Not over" in left.out
    assert decisions(project) == [0, 0, 0]
    run(project, "play", stdin="1\n1\n")
    assert decisions(project) == [0, 0, 0, 0, 0]
    run(project, "play", "--bot", "random")
    assert points(project) == [(1, None), (2, 1)]


def test_rewind_drops_unfinished_mission(project: Shell) -> None:
    begun(project)
    run(project, "travel", "casks")
    run(project, "play", stdin="1\n1\nq\n")
    run(project, "rewind", "1")
    assert data(project)["mission"] is None


@pytest.mark.sampled(3)
@pytest.mark.parametrize("answers", [1, 2, 4])
def test_killed_game_keeps_answered_decisions(project: Shell, answers: int) -> None:
    begun(project)
    run(project, "travel", "casks")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PYTHONUNBUFFERED": "1"}
    command = [sys.executable, "-m", "fcbdsl", "campaign", "play", "w", "--program", "game.fcbc"]
    with subprocess.Popen(
        command, cwd=project.folder, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b"1\n" * answers)
        process.stdin.flush()
        output = b""
        # The next question, or the curtain before it, shows that the last answer is kept. A curtain that gets an
        # answer passes it on, so that the question shows no prompt.
        while output.count(b"help: ") + output.count(b"alone at the screen?") <= answers:
            letter = process.stdout.read(1)
            assert letter
            output += letter
        process.kill()
    assert len(decisions(project)) >= answers
    assert data(project)["mission"] == "vintners-cellar"


# ── changed content ────────────────────────────────────────────────────────────────────────────


def edit(shell: Shell, file: str, old: str, new: str) -> None:
    """Change the content and compile it again."""
    path = shell.folder / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    assert shell.fcb("compile", "-o", "game.fcbc").code == 0


def test_changed_content_with_all_kept_names_is_accepted_with_a_note(project: Shell) -> None:
    begun(project)
    edit(project, "missions/winter.fcb", '"Casks on the quay"', '"Barrels on the quay"')
    done = run(project, "status")
    assert done.code == 0
    assert "The content has changed" in done.err
    assert "Barrels on the quay" in done.out


@pytest.mark.long
def test_incompatible_content_change_is_refused(project: Shell) -> None:
    begun(project)
    run(project, "travel", "casks")
    run(project, "play", "--bot", "random")
    before = (project.folder / "w").read_bytes()
    (project.folder / "tests" / "winter.fcb").unlink()
    edit(project, "missions/winter.fcb", "casks", "barrels")
    done = run(project, "status")
    assert done.code == 1
    assert "casks" in done.err
    assert "refers to things that are gone" in done.err
    assert (project.folder / "w").read_bytes() == before


def test_content_change_within_step_needs_rewind(project: Shell) -> None:
    begun(project)
    run(project, "travel", "casks")
    edit(project, "missions/winter.fcb", '"Casks on the quay"', '"Barrels on the quay"')
    done = run(project, "play", "--bot", "random")
    assert done.code == 1
    assert "fcb campaign rewind w 1" in done.err
    run(project, "rewind", "1")
    assert run(project, "status").code == 0


# ── the graph ──────────────────────────────────────────────────────────────────────────────────


def test_campaign_graph_is_drawn(project: Shell) -> None:
    for language, title in (("en", "The Long Winter"), ("fr", "Le Long Hiver")):
        assert project.fcb("campaign", "graph", "long-winter", "-o", "w.svg", "--lang", language).code == 0
        root = ElementTree.parse(project.folder / "w.svg").getroot()
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        assert title in "".join(root.itertext())


def test_unknown_campaign_is_not_drawn(project: Shell) -> None:
    done = project.fcb("campaign", "graph", "short-winter", "-o", "w.svg")
    assert done.code == 2
    assert "short-winter" in done.err
    assert not (project.folder / "w.svg").exists()


# ── wrong usage ────────────────────────────────────────────────────────────────────────────────


def test_existing_campaign_file_is_not_overwritten(project: Shell) -> None:
    (project.folder / "w").write_text("mine")
    done = project.fcb("campaign", "start", "long-winter", "w", "--program", "game.fcbc")
    assert done.code == 2
    assert (project.folder / "w").read_text() == "mine"


def test_other_files_are_refused_as_campaigns(project: Shell) -> None:
    (project.folder / "w").write_text("not a database " * 100)
    done = run(project, "status")
    assert done.code == 1
    assert "not a campaign file" in done.err
    (project.folder / "w").unlink()
    done = run(project, "status")
    assert done.code == 2
    assert "There is no such campaign" in done.err


def test_unknown_campaign_is_reported(project: Shell) -> None:
    done = project.fcb("campaign", "start", "short-winter", "w", "--program", "game.fcbc")
    assert done.code == 2
    assert "short-winter" in done.err
    assert not (project.folder / "w").exists()


def test_full_disk_at_start_leaves_no_file(project: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(store, "_start_step", full)
    done = project.fcb("campaign", "start", "long-winter", "w", "--seed", "3", "--program", "game.fcbc")
    assert done.code == 2
    assert "w: database or disk is full; fcb did not start the campaign." in done.err
    assert sorted(path.name for path in project.folder.iterdir() if ".part" in path.name or path.name == "w") == []


def test_unplayable_saved_state_is_reported(project: Shell) -> None:
    begun(project)
    with contextlib.closing(sqlite3.connect(project.folder / "w")) as base:
        base.execute("UPDATE point SET state = replace(state, '\"players\":', '\"players\":9')")
        base.commit()
    done = run(project, "status")
    assert done.code == 1
    assert done.err.startswith("w: its saved state can't be played")


def test_concurrent_use_of_a_campaign_is_refused(project: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    begun(project)
    original = store.Store.answer

    def answer(self: Store, *arguments: object) -> None:
        with Store(project.folder / "w") as other:
            other.rewind(1)
        original(self, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(store.Store, "answer", answer)
    done = run(project, "choose", "1")
    assert done.code == 1
    assert done.err.startswith("w: another process has continued this campaign")


LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (8192, resource.RLIM_INFINITY))
from fcbdsl.cli.main import main
main()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there are no limits of files there")
def test_unsaved_outcome_is_not_announced(project: Shell) -> None:
    begun(project)
    assert run(project, "choose", "1").code == 0
    before = project.fcb("campaign", "export", "w").out
    command = [sys.executable, "-B", "-c", LIMITED, "campaign", "play", "w", "--bot", "random"]
    done = subprocess.run(
        [*command, "--program", "game.fcbc"], cwd=project.folder, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert "the campaign is unchanged" in done.stderr
    assert project.fcb("campaign", "export", "w").out == before


@pytest.mark.parametrize("command", ["play", "simulate"])
def test_campaign_in_the_place_of_a_mission_names_the_command_for_it(project: Shell, command: str) -> None:
    done = project.fcb(command, "long-winter", "--program", "game.fcbc")
    assert done.code == 2
    assert "'long-winter' is a campaign" in done.err
    assert "fcb campaign start long-winter FILE" in done.err


def test_status_shows_the_ending_of_a_mission(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(LANTERNS.parent / "attic", tmp_path / "attic")
    shell = Shell(tmp_path / "attic", monkeypatch, capsys)
    assert shell.fcb("campaign", "start", "nights", "w", "--players", "1", "--seed", "1").code == 0
    played = shell.fcb("campaign", "play", "w", stdin="1\n1\n1\n")
    assert "The Attic: Lost: The House Burns. The lamp fell. By morning there is only ash." in played.out
    status = shell.fcb("campaign", "status", "w").out
    assert "after 1: The Attic: Lost: The House Burns." in status
    assert "Next, The Cellar" in status
