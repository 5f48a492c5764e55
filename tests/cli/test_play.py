"""Playing from the command line: bots, persons, logs."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from cli_runner import Shell

from fcbdsl.cli import terminal_play

MAIN = "from fcbdsl.cli.main import main; main()"


def test_bots_play_to_end_and_log_replays(project: Shell) -> None:
    done = project.fcb("play", "crossing", "--bot", "random", "--seed", "1", "--players", "2", "--log", "game.log")
    assert done.code == 0
    assert len(done.out.splitlines()) == 1
    assert done.out.startswith("The Crossing: ")
    assert "seed: 1" in done.out
    assert done.err == ""
    again = project.fcb("replay", "game.log")
    assert again.code == 0
    assert again.out.endswith("confirmed\n")


def test_same_seed_gives_same_game(project: Shell) -> None:
    """FCB-DICE-08."""
    project.fcb("compile", "-o", "a.fcbc")
    lines = [
        project.fcb("play", "crossing", "--program", "a.fcbc", "--bot", "random", "--seed", seed).out
        for seed in ("1", "1", "2")
    ]
    assert lines[0] == lines[1] != lines[2]


def test_many_games_are_summarized(project: Shell) -> None:
    done = project.fcb("play", "crossing", "--bot", "random", "--seed", "1", "--games", "5")
    assert done.code == 0
    assert done.out.startswith("crossing: 5 games from seed 1: ")
    assert done.err == ""


def test_random_seed_is_reported(project: Shell) -> None:
    assert "seed: " in project.fcb("play", "crossing", "--bot", "random").out


def test_variant_is_played_and_saved_in_log(project: Shell) -> None:
    project.fcb("play", "crossing", "--bot", "random", "--seed", "1", "--variant", "wind=gusty", "--log", "game.log")
    assert json.loads((project.folder / "game.log").read_bytes())["switches"] == {"wind": "gusty"}
    assert project.fcb("replay", "game.log").code in (0, 1)


def test_fault_of_content_is_located_and_exits_with_1(project: Shell) -> None:
    done = project.fcb("play", "crossing", "--human", "1", "--seed", "1", "--variant", "wind=gusty", stdin=LOOP)
    assert "systems/pond.fcb:" in done.out
    assert done.code == 1


LOOP = "1\n5\n5\n"


def test_bots_show_their_progress_in_a_pipe(project: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fcbdsl.cli.common.SILENT_SECONDS", 0)
    monkeypatch.setattr("fcbdsl.cli.play_command.SHOWN_EACH", 1)
    done = project.fcb("play", "crossing", "--bot", "random", "--seed", "1", "--games", "2")
    assert "crossing: game 1 of 2, 1 decision\n" in done.err
    assert "crossing: game 2 of 2, " in done.err
    assert "decisions" not in done.out


# ── persons ────────────────────────────────────────────────────────────────────────────────────


SILENT = """system silent "Silent":
  players: 1..3
  board: square
  languages: en
mark here, entry
kind game:
  stat foes: number 0..
kind pawn is piece:
  name: "pawn", plural "pawns"
flow:
  set up
  if foes = 0: win "Nobody is left to fight."
  repeat 5 times: offer pawn, until done
  lose
verb set up:
  effect:
    for each player:
      choose sort: pawn definition where it is not taken, by player
      let figure = instance of sort
      for each space: place figure on space
    foes becomes 9
relation taken:
  takes: sort (pawn definition)
  is: any pawn where definition = sort
action go "Go":
  by: pawn
  form: goes
  effect: stop
"""
SILENT_MISSION = """use silent
pawn pp "P"
mission m "M":
  map square:
    art: |
      +--+
      |a |
      +--+
    legend:
      "a": here
"""


def test_setup_choice_without_candidates_is_reported(shell: Shell) -> None:
    """With more players than pawns, the rest of the set-up would be skipped, and the game won without a decision."""
    (shell.folder / "fcb.toml").write_text('name = "silent"\nlanguages = ["en"]\npaths = ["cards"]\n')
    for name, text in (("systems/silent.fcb", SILENT), ("cards/m.fcb", SILENT_MISSION)):
        (shell.folder / name).parent.mkdir()
        (shell.folder / name).write_text(text)
    line = SILENT[: SILENT.index("choose")].count("\n") + 1
    done = shell.fcb("play", "m", "--bot", "random", "--seed", "1", "--players", "3")
    assert "player 2 must choose from `pawn definition where it is " in done.out
    assert "none is left (2 wanted, 1 found)" in done.out
    assert f"systems/silent.fcb:{line}" in done.out
    assert done.code == 1
    alone = SILENT_MISSION.replace('mission m "M":\n', 'mission m "M":\n  players: 1..1\n')
    (shell.folder / "cards/m.fcb").write_text(alone)
    assert shell.fcb("play", "m", "--bot", "random", "--seed", "1", "--players", "1").code == 0


def play(shell: Shell, *answers: str, options: Sequence[str] = ()) -> tuple[int, str]:
    """Play alone with seed 1 and these answers."""
    stdin = "".join(f"{line}\n" for line in answers)
    done = shell.fcb("play", "crossing", "--seed", "1", *options, stdin=stdin)
    return done.code, done.out


def test_person_plays_to_end(project: Shell) -> None:
    code, out = play(project, "1", *["99", "4"] * 2, *["5"] * 20, *["4"] * 20)
    assert code == 0
    assert out.count("1–") > 3
    assert "The Crossing: Lost: The heron wakes." in out


def test_person_sees_board_question_and_numbered_options(project: Shell) -> None:
    _, out = play(project, "1", "q")
    assert "The heron 0/4" in out
    assert "Player 1: which frog?" in out
    assert "   1  Green Frog" in out
    assert "Player 1 (Green Frog): choose an action." in out


def test_play_commands_show_help_board_and_log(project: Shell) -> None:
    _, out = play(project, "1", "?", "b", "l", "q")
    assert "take back" in out
    assert out.count("energy 3") == 1 + (out.count("GF  Green Frog") - 1)
    assert out.count("trick (×4) → pile") == 2


def test_decision_can_be_undone(project: Shell) -> None:
    code, _ = play(project, "1", "3", "1", "u", "s", options=["--log", "game.log"])
    assert code == 0
    assert len(json.loads((project.folder / "game.log").read_bytes())["decisions"]) == 2
    assert project.fcb("replay", "game.log").code == 0


def test_undo_is_refused_at_start_and_after_chance(project: Shell) -> None:
    _, out = play(project, "u", "1", "u", "q")
    assert "There is no step to take back." in out
    assert "chance or a secret has been revealed since" in out


def test_invalid_answer_is_asked_again(project: Shell) -> None:
    _, out = play(project, "0", "99", "hop", "", "q")
    assert "There is no option 0." in out
    assert "There is no option 99." in out
    assert "“hop” is neither an option nor a command." in out


def test_option_is_chosen_by_name_or_unique_part(project: Shell) -> None:
    _, out = play(project, "green frog", "frog", "f", "pass", "q")
    assert "Which one: Green Frog: " in out
    assert "“f” is neither an option nor a command." in out
    assert "Player 1 (Green Frog): choose an action." in out


def test_long_list_of_names_ends_with_a_count(project: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terminal_play, "MOST_NAMED", 1)
    _, out = play(project, "1", "frog", "q")
    assert re.search(r"Which one: Green Frog: [^,]+ and [1-9]\d* more\?", out)


def test_exact_name_wins_over_longer_names() -> None:
    assert terminal_play.matching_names("a1", ["A10", "A1", "A11"]) == [1]
    assert terminal_play.matching_names("a1", ["A10", "A11"]) == [0, 1]
    assert terminal_play.matching_names("a", ["A10", "B"]) == []


def test_closed_input_saves_log(project: Shell) -> None:
    command = f"{shlex.join([sys.executable, '-c', MAIN, 'play', 'crossing', '--seed', '1'])} <&-"
    done = subprocess.run(command, shell=True, cwd=project.folder, capture_output=True, text=True, encoding="utf-8")
    assert (done.returncode, done.stderr) == (0, "")
    assert "Game left; its log is in crossing-1.log.json." in done.stdout


@pytest.mark.parametrize("last", [["s"], []], ids=["s", "end of input"])
def test_leaving_saves_log(project: Shell, last: list[str]) -> None:
    code, out = play(project, "1", *last)
    assert code == 0
    assert "Game left; its log is in crossing-1.log.json. Continue with: fcb play --resume crossing-1.log.json" in out
    done = project.fcb("replay", "crossing-1.log.json")
    assert done.code == 0
    assert "1 decision, open" in done.out


def test_quitting_saves_nothing(project: Shell) -> None:
    code, out = play(project, "1", "q")
    assert code == 0
    assert "Game left." in out
    assert not list(project.folder.glob("*.log.json"))


@pytest.mark.parametrize("before", [None, b"an older log"])
def test_quitting_restores_log_file(project: Shell, before: bytes | None) -> None:
    log = project.folder / "game.log"
    if before is not None:
        log.write_bytes(before)
    code, out = play(project, "1", "q", options=["--log", "game.log"])
    assert (code, "Game left." in out) == (0, True)
    assert (log.read_bytes() if log.exists() else None) == before


def test_decision_is_logged_before_it_is_shown(project: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[int] = []
    whole = terminal_play.Table._show

    def show(self: terminal_play.Table, whole_table: bool) -> None:
        log = project.folder / "game.log"
        count = len(json.loads(log.read_bytes())["decisions"]) if log.exists() else 0
        assert count == len(self.session.record.decisions)
        shown.append(count)
        whole(self, whole_table)

    monkeypatch.setattr(terminal_play.Table, "_show", lambda self, whole: show(self, whole))
    play(project, "1", "4", "s", options=["--log", "game.log"])
    assert shown == [0, 1, 2]


def test_interrupt_saves_log(project: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    read = terminal_play.Table._read

    def interrupted(self: terminal_play.Table, options: int) -> str:
        answer = read(self, options)
        if answer == "stop":
            raise KeyboardInterrupt
        return answer

    monkeypatch.setattr(terminal_play.Table, "_read", interrupted)
    code, out = play(project, "1", "stop")
    assert code == 0
    assert "its log is in" in out
    assert project.fcb("replay", "crossing-1.log.json").code == 0


def test_person_plays_with_bot(project: Shell) -> None:
    options = ["--players", "2", "--human", "2", "--bot", "random"]
    code, out = play(project, *["1"] * 3, "q", options=options)
    assert code == 0
    assert "Player 1: which frog?" not in out


def test_undecodable_input_is_refused(project: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    code, out = play(project, "\udcff".encode("utf-8", "surrogatepass").decode("latin-1"), "q")
    assert code == 0
    assert "neither an option nor a command" in out


def test_unwritable_log_is_reported(project: Shell) -> None:
    (project.folder / "taken").write_text("")
    done = project.fcb("play", "crossing", "--seed", "1", "--log", Path("taken") / "game.log", stdin="s\n")
    assert done.code == 2
    assert "taken" in done.err


def test_progress_is_for_terminals_only(project: Shell) -> None:
    assert not sys.stderr.isatty()
    assert project.fcb("play", "crossing", "--bot", "random", "--games", "3", "--seed", "1").err == ""


# ── continuing an interrupted game ─────────────────────────────────────────────────────────────


def test_left_game_can_be_resumed(project: Shell) -> None:
    code, _ = play(project, "1", "99", "4", "s", options=("--log", "game.log"))
    assert code == 0
    log = json.loads((project.folder / "game.log").read_bytes())
    assert log["outcome"] == "open"
    done = project.fcb("play", "--resume", "game.log", "--bot", "random")
    assert done.code == 0
    over = json.loads((project.folder / "game.log").read_bytes())
    assert over["decisions"][: len(log["decisions"])] == log["decisions"]
    assert over["outcome"] != "open"
    assert project.fcb("replay", "game.log").code == 0
    assert "over" in project.fcb("play", "--resume", "game.log", "--bot", "random").err


def test_resume_refuses_log_of_other_content(project: Shell) -> None:
    play(project, "1", "s", options=("--log", "game.log"))
    before = (project.folder / "game.log").read_bytes()
    content = json.loads(before) | {"program": "0" * 64}
    (project.folder / "game.log").write_text(json.dumps(content), encoding="utf-8")
    done = project.fcb("play", "--resume", "game.log", "--bot", "random")
    assert done.code == 1
    assert "the content has changed" in done.err


def test_resumed_game_keeps_players_and_variants(project: Shell) -> None:
    play(project, "1", "s", options=("--log", "game.log"))
    for options in (["crossing"], ["--seed", "2"], ["--players", "2"], ["--variant", "wind=gusty"], ["--games", "2"]):
        assert project.fcb("play", "--resume", "game.log", "--bot", "random", *options).code == 2
    assert project.fcb("play", "--bot", "random").code == 2


@pytest.mark.parametrize("also", [["--log", "game.log"], ["--human", "1"]])
def test_several_games_are_refused_before_anything_is_compiled(
    project: Shell, monkeypatch: pytest.MonkeyPatch, also: list[str]
) -> None:
    monkeypatch.setattr("fcbdsl.cli.common.program_of", None)
    done = project.fcb("play", "crossing", "--bot", "first", "--games", "2", *also)
    assert done.code == 2
    assert "--games is for games of bots (--bot), without --log and --transcript" in done.err
    assert "not with --log" in " ".join(project.fcb("play", "--help").out.split())


def test_outcome_is_printed_when_the_game_ends(project: Shell) -> None:
    played = ("play", "crossing", "--bot", "first", "--seed", "1")
    done = project.fcb(*played, "--transcript", "-", "--log", "game.log")
    assert done.code == 0
    assert done.out.splitlines()[0] == "The Crossing (players: 1, seed: 1)"
    assert "Green Frog: Hop" in done.out
    project.fcb(*played, "--transcript", "game.txt")
    again = project.fcb("replay", "game.log", "--show")
    assert again.out == Path("game.txt").read_text(encoding="utf-8") == "".join(done.out.splitlines(keepends=True)[:-1])
    part = project.fcb("replay", "game.log", "--show", "--from", "2", "--to", "3", "--lang", "fr")
    assert {line.split()[0].split(".")[0] for line in part.out.splitlines()[1:-2]} == {"2", "3"}
    assert "Grenouille verte" in part.out


def test_why_shows_causes_with_sources(project: Shell) -> None:
    project.fcb("play", "crossing", "--bot", "first", "--seed", "1", "--log", "game.log")
    done = project.fcb("replay", "game.log", "--why", "2.2")
    assert "because  Green Frog: Hop" in done.out
    assert "systems/pond.fcb:" in done.out
    assert "offer frog, until done" in done.out
    assert project.fcb("replay", "game.log", "--why", "2.99").code == 2
    refused = project.fcb("replay", "game.log", "--why", "2.2", "--for", "1")
    assert refused.code == 2
    assert "secret" in refused.err


def test_replay_writes_story_page(project: Shell) -> None:
    project.fcb("play", "crossing", "--bot", "first", "--seed", "1", "--log", "game.log")
    assert project.fcb("replay", "game.log", "--html", "game.html").code == 0
    assert "Green Frog: Hop" in Path("game.html").read_text(encoding="utf-8")
    assert project.fcb("replay", "game.log", "--show", "--for", "2").code == 2
