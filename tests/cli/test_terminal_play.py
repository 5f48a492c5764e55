"""Playing at the terminal: a briefing, cards read out, moves of several spaces, answers in words."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from cli_runner import Shell
from pond_game import calm_pond

from fcbdsl.cli.terminal_play import Table, wrapped_lines


@pytest.fixture
def calm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    return Shell(calm_pond(tmp_path), monkeypatch, capsys)


def played(shell: Shell, *answers: str, more: tuple[str, ...] = ()) -> str:
    """Return the output while somebody types some lines and leaves."""
    lines = "".join(f"{line}\n" for line in (*answers, "q"))
    return shell.fcb("play", "crossing", "--seed", "1", *more, stdin=lines).out


def test_briefing_can_be_repeated(calm: Shell) -> None:
    output = played(calm, "m")
    assert "players 1–2" in output
    assert "THE HERON  Start 1 2 3 End\n  End. You lose. The heron wakes." in output
    assert output.index("The heron wakes.") < output.index("Player 1: which frog?")
    assert output.count("══ The Crossing ══") == 2
    french = played(calm, more=("--lang", "fr"))
    assert "══ La Traversée ══" in french
    assert "Joueur 1 : quelle grenouille ?" in french.replace("\u202f", " ").replace("\xa0", " ")


def test_cards_are_explained_by_part_of_their_name(calm: Shell) -> None:
    output = played(calm, "?puddle", "?gift", "?frog", "?rog", "?Nobody", "? GIFT OF FLIES", more=("--lang", "en"))
    assert "── Puddle ──" in output
    assert output.count("── Gift of flies ──") == 2
    assert "── Frog\n  Energy\xa03.\n" in output
    assert "Which one: Green Frog, Tree Frog?" in output
    assert "No card or word is called “Nobody”." in output
    assert "Choose up to 2" in output


@pytest.mark.parametrize(
    ("language", "typed", "words"),
    [
        ("en", "?the heron", "THE HERON  Start 1 2 3 End\n  End. You lose. The heron wakes."),
        ("en", "?heron", "THE HERON  Start 1 2 3 End"),
        ("fr", "?le héron", "LE HÉRON"),
        ("en", "?lily", "── Lily\n  Lily: C2\n"),
        ("en", "?lilys", "── Lily\n  Lily: C2\n"),
        ("en", "?reed", "  Reed: B2\n"),
        ("en", "?pile", "── Pile\n  A place for tricks. Nobody sees what is there."),
        ("fr", "?main", "Seul le propriétaire, ou son camp, voit ce qui s’y trouve."),
    ],
)
def test_words_of_the_mission_and_places_are_explained(calm: Shell, language: str, typed: str, words: str) -> None:
    screen = plain(played(calm, "1", typed, more=("--lang", language)))
    assert words in screen.partition(f": {typed}\n")[2]


def test_board_is_repeated_without_its_fixed_places(calm: Shell) -> None:
    screen = played(calm, "1", ">b1", "b")
    walked, _, whole = screen.partition(": >b1\n")[2].partition(": b\n")
    assert "Green Frog → B1" in walked
    assert "f fly" in walked
    assert "Lily: C2" not in walked
    assert "Lily: C2" in whole


def test_numbers_are_answered_by_themselves(calm: Shell) -> None:
    """Number 1 in a list of numbers from 0 was once taken for the first of them."""
    daring(calm, "choose used: chances of self", "self's energy becomes used")
    system = calm.folder / "systems" / "pond.fcb"
    measure = "\nmeasure chances:\n  takes: of who (frog)\n  gives: many number\n  effect:\n"
    measure += "    let list = none\n    let next = 0\n    repeat 3 times:\n      add next to list\n"
    measure += "      let next = next + 1\n    answer list\n"
    system.write_text(system.read_text("utf-8") + measure, encoding="utf-8")
    screen = played(calm, "1", "2", "3", "1", "b")
    _, _, asked = screen.partition("how many (energy)?\n")
    assert (
        "Why: Green Frog: Dare the breeze\n      0, 1, 2\n0–2, or ? for help: 3\n"
        "There is no option 3.\n0–2, or ? for help: 1\n" in asked
    )
    assert "energy 1/3" in asked


def test_many_short_options_share_lines(capsys: pytest.CaptureFixture[str]) -> None:
    spaces = [f"{letter}{number}" for letter in "ABC" for number in range(1, 5)]
    assert Table._listed(None, spaces, are_numbers=False)[-1] == "12"  # type: ignore[arg-type]
    rows = capsys.readouterr().out.splitlines()
    assert [len(row.split()) for row in rows] == [16, 8]
    assert rows[1].startswith("   9  C1")
    Table._listed(None, [*spaces, "The lily"], are_numbers=False)  # type: ignore[arg-type]
    assert len(capsys.readouterr().out.splitlines()) == 13


def test_long_lines_wrap_between_words_of_a_narrow_terminal() -> None:
    line = "    1  Green Frog: Dare the breeze with the help of everybody, or ? for help: "
    rows = wrapped_lines(f"short\n{line}", 40).split("\n")
    assert rows[0] == "short"
    assert max(map(len, rows)) <= 40
    assert rows[-1].endswith("help: ")
    assert [len(row) - len(row.lstrip()) for row in rows[1:]] == [4, 6, 6]
    board = "1     .     .     f     .     .     .     .     .     ."
    assert wrapped_lines(board, 40) == board
    assert wrapped_lines("x" * 50, 40) == "x" * 50


def test_missing_sources_are_reported(calm: Shell) -> None:
    calm.fcb("compile", "-o", "pond.fcbc")
    output = played(calm, "?puddle", "m", more=("--program", "pond.fcbc"))
    assert output.count("leave out --program") == 2
    assert "══" not in output


def test_walk_of_several_spaces_can_be_undone_stepwise(calm: Shell) -> None:
    output = played(calm, "1", ">b1", "b", "u", "u")
    assert "Green Frog → C2" in output.partition(">b1")[0]
    gone, _, back = output.partition(">b1")[2].partition("or ? for help: u")
    assert gone.index("Green Frog → C1") < gone.index("Green Frog → B1")
    assert "Green Frog, B1; energy 1/3" in gone
    assert "Green Frog, C1; energy 1/3" in back.partition("or ? for help: u")[0]


@pytest.mark.parametrize(
    ("space", "answer"),
    [
        (">z9", "There is no space “z9”."),
        (">", "There is no space “”."),
        (">toad a1", "No piece that can move now is called “toad”."),
        (">green b2", "Green Frog cannot get to B2 by repeating one action"),
    ],
)
def test_unreachable_space_is_reported(calm: Shell, space: str, answer: str) -> None:
    output = played(calm, "1", space)
    assert answer in output
    assert output.partition(answer)[2].count("Green Frog →") == 0


def test_play_shows_the_same_lines_in_both_languages(calm: Shell) -> None:
    """Events without a text are internal: no language shows them."""
    answers = ("1", "2", "2", "1", "1", "1", "l")
    lines = [played(calm, *answers, more=("--lang", language)).splitlines() for language in ("en", "fr")]
    assert len(lines[0]) == len(lines[1])


# ── a real table ─────────────────────────────────────────────────────────────────────────────────


def refereed(shell: Shell, *answers: str, more: tuple[str, ...] = ("crossing", "--seed", "1")) -> str:
    return shell.fcb("play", "--table", *more, stdin="".join(f"{line}\n" for line in answers)).out


def test_referee_tells_what_leads_to_a_roll_before_it(calm: Shell) -> None:
    output = refereed(calm, "1", "2", "gift", "2", "gust", "2")
    before, _, after = output.partition("Roll: breeze die")
    assert before.rstrip().endswith("Green Frog: Dare the breeze\n    Green Frog: energy 3 → 2")
    assert "Dare the breeze\n    Green Frog: energy 3 → 2" not in after.partition("Roll: ")[0]
    assert "breeze die: gust" in after


def test_referee_asks_for_hand_results_and_saves_them(calm: Shell) -> None:
    output = refereed(calm, "1", "2", "gift", "2", "gust", "2")
    assert "At random: draw or roll for it" in output
    assert "Draw from: pile. Which card is it?\nIt goes to: hand of Green Frog." in output
    assert "Gift of flies → hand of Green Frog" in output
    assert "Roll: breeze die. What does it show?" in output
    assert "breeze die: gust" in output
    on = refereed(calm, "u", "b", more=("--resume", "crossing-1.table.json"))
    assert "Green Frog, B1; energy 2/3; wet; hand: Gift of flies" in on
    assert "Green Frog, B1; energy 3; hand: Gift of flies" in on.partition("help: u")[2]


def test_referee_accepts_corrections_and_refuses_others(calm: Shell) -> None:
    output = refereed(
        calm, "1", "2", "", "=green a2", "=heron 2", "=green energy 1", "=toad a1", "=green", "=green wings 2", "b"
    )
    for words in ("Green Frog → A2.", "The heron 2.", "Green Frog: energy 1."):
        assert f"Corrected: {words}" in output
    assert "Nothing in play is called “toad”." in output
    assert output.count("A correction is =WHO SPACE") == 2
    assert "Green Frog, A2; energy 1/3" in output
    assert "The heron 2/4" in output


def test_referee_explains_setup_and_accepts_differences(calm: Shell) -> None:
    output = refereed(calm, "=heron 3", "1", "b")
    _, _, set_up = output.partition("Set up the table:")
    set_up, _, rest = set_up.partition("1–")
    assert "“The heron” is at 0." in set_up
    assert re.search(r"Pile: \d+, shuffled, face down\.", set_up)
    assert "→ pile" not in output.partition("Set up the table:")[0]
    assert "Corrected: The heron 3." in rest
    assert "The heron 3/4" in rest


def test_invalid_table_log_is_refused(calm: Shell) -> None:
    (calm.folder / "x.json").write_text("{}")
    done = calm.fcb("play", "--table", "--resume", "x.json")
    assert (done.code, "it is not the log of a table" in done.err) == (1, True)
    assert calm.fcb("play", "crossing", "--table", "--bot", "random").code == 2
    refereed(calm, "1")
    system = calm.folder / "systems" / "pond.fcb"
    system.write_text(system.read_text("utf-8").replace("energy becomes 3", "energy becomes 2"), encoding="utf-8")
    done = calm.fcb("play", "--table", "--resume", "crossing-1.table.json")
    assert (done.code, "The content has changed since" in done.err) == (1, True)


def daring(shell: Shell, *before: str) -> None:
    """Make more happen before the breeze is rolled."""
    system = shell.folder / "systems" / "pond.fcb"
    text = system.read_text("utf-8")
    assert text.count("    roll breeze:\n") == 1
    lines = "".join(f"    {line}\n" for line in before)
    system.write_text(text.replace("    roll breeze:\n", f"{lines}    roll breeze:\n"), encoding="utf-8")


def plain(text: str) -> str:
    return text.replace("\u202f", " ").replace("\xa0", " ")


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "Roll: breeze die. What does it show?\nWhy: Green Frog: Dare the breeze\n"),
        ("fr", "Lancez : dé brise. Que montre le dé ?\nPourquoi : Grenouille verte : Braver la brise\n"),
    ],
)
def test_referee_names_purpose_of_roll(calm: Shell, language: str, words: str) -> None:
    output = refereed(calm, "1", "2", "", "2", "1", more=("crossing", "--seed", "1", "--lang", language))
    assert words in plain(output)


def test_referee_asks_in_order_of_rules(calm: Shell) -> None:
    """The drawn card decides the roll and its purpose, so the referee asks for the card first."""
    daring(calm, "put (top of pile) into hand of self")
    output = refereed(calm, "1", "2", "puddle", "2", "gift", "2").partition("Dare the breeze")[2]
    assert 0 < output.index("Draw from: pile.") < output.index("Roll: breeze die.")
    assert output.index("Gift of flies → hand of Green Frog") < output.index("breeze die: gust")


@pytest.mark.parametrize(("language", "words"), [("en", ": how many?\n"), ("fr", " : combien ?\n")])
def test_play_shows_no_file_names_of_sources(calm: Shell, language: str, words: str) -> None:
    """Things without a printed title get a general word: a question names a player, or asks for a number."""
    daring(calm, "choose first: player", "choose used: chances of self")
    system = calm.folder / "systems" / "pond.fcb"
    measure = "\nmeasure chances:\n  takes: of who (frog)\n  gives: many number\n  effect:\n"
    measure += "    let list = none\n    let next = 0\n    repeat 2 times:\n      add next to list\n"
    measure += "      let next = next + 1\n    answer list\n"
    system.write_text(system.read_text("utf-8") + measure, encoding="utf-8")
    more = ("crossing", "--seed", "1", "--players", "2", "--lang", language)
    output = plain(refereed(calm, "1", "2", "", "2", "", "2", "1", "1", more=more))
    assert {"en": "which player?", "fr": "quel joueur ?"}[language] in output
    assert words in output
    assert "first" not in output
    assert "used" not in output


def test_thing_in_unnamed_zone_is_shown_with_its_owner(calm: Shell) -> None:
    system = calm.folder / "systems" / "pond.fcb"
    text = system.read_text("utf-8")
    named = '  zone hand "hand" of trick: limit 3, secret  # fcb: allow FCB0742\n    fr: "main", f\n'
    assert named in text
    system.write_text(text.replace(named, "  zone hand of trick: limit 3\n"), encoding="utf-8")
    output = refereed(calm, "1", "2", "gift", "b").partition("Its name")[2]
    assert "Gift of flies → Green Frog" in output
    assert "Green Frog, B1; energy 3; Gift of flies" in output
    assert "hand" not in output


# ── the curtain ──────────────────────────────────────────────────────────────────────────────────

CURTAIN = {"en": "are you alone at the screen?", "fr": "êtes-vous seul devant l’écran ?"}


def shown(shell: Shell, *answers: str, players: str = "2", more: tuple[str, ...] = ()) -> str:
    """Return the transcript of people who share a screen, give these answers, and leave."""
    lines = "".join(f"{line}\n" for line in (*answers, "q", "q"))
    return plain(shell.fcb("play", "crossing", "--seed", "1", "--players", players, *more, stdin=lines).out)


def open_pond(shell: Shell) -> None:
    """Make all secrets of frogs public."""
    system = shell.folder / "systems" / "pond.fcb"
    text = system.read_text("utf-8")
    assert (text.count("space, secret"), text.count("limit 3, secret")) == (1, 1)
    text = text.replace("space, secret", "space").replace("limit 3, secret", "limit 3")
    system.write_text(text, encoding="utf-8")


def by_turns(shell: Shell) -> None:
    """Let each frog act separately, so that only its player is asked."""
    system = shell.folder / "systems" / "pond.fcb"
    text = system.read_text("utf-8")
    assert text.count("    offer frog, until done\n") == 1
    text = text.replace("    offer frog, until done\n", "    for each frog: offer frog, until done\n")
    system.write_text(text, encoding="utf-8")


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("more", [(), ("--table",)])
def test_curtain_separates_two_people_with_secrets(calm: Shell, more: tuple[str, ...], language: str) -> None:
    by_turns(calm)
    first, second = ("puddle", "gift") if language == "en" else ("flaque", "cadeau")
    lots = ("1", "1", first, "1", second) if more else ("1",)
    done = "5" if more else "4"
    output = plain(shown(calm, *lots, "", "b", done, "", "b", more=(*more, "--lang", language)))
    before, *rest = output.split(CURTAIN[language])
    title, counted = ("; hand: ", "1") if language == "en" else ("; main : ", "1")
    assert len(rest) == 2
    shared = [line.rpartition(title)[2] for line in before.splitlines() if title in line]
    assert set(shared) <= {counted}
    for number, part in enumerate(rest):
        held = [line.rpartition(title)[2] for line in part.splitlines() if title in line]
        assert [card == counted for card in held] == [bool(number), not number] * (len(held) // 2)
        assert len(held) >= 4


@pytest.mark.parametrize("more", [(), ("--table",)])
def test_no_curtain_for_one_person_or_without_secrets(calm: Shell, more: tuple[str, ...]) -> None:
    by_turns(calm)
    lots = ("1", "1", "puddle", "1", "gift") if more else ("1",)
    assert CURTAIN["en"] not in shown(calm, *lots, "", "b", players="1", more=more)
    open_pond(calm)
    assert CURTAIN["en"] not in shown(calm, *lots, "", "b", "done", "b", more=more)


def test_next_player_reads_what_others_did_behind_the_curtain(calm: Shell) -> None:
    by_turns(calm)
    first, second, third = shown(calm, "1", "", "1", "4", "", "3", "5", more=("--lang", "en")).split(CURTAIN["en"])
    dare = ["  Green Frog: Dare the breeze", "    Green Frog: energy 3 → 2", "    breeze die: gust"]
    for part in (second, third):
        lines = part.splitlines()
        assert lines[lines.index(dare[0]) :][:3] == dare
    assert "Puddle → hand of Green Frog" in second
    assert "  trick → hand of Green Frog" in third
    assert "  Gift of flies → hand of Tree Frog" in third
    assert "hand of" not in first


def test_shared_screen_repeats_nothing_that_all_have_read(calm: Shell) -> None:
    by_turns(calm)
    output = shown(calm, "1", "", "4", "", "2", "5", "", "4", "", "5", "", more=("--lang", "en"))
    assert output.count(CURTAIN["en"]) >= 4
    assert output.count("Green Frog → C2\n") == output.count("    breeze die: ") == 2


@pytest.mark.parametrize(
    ("language", "line"), [("en", "Player 1 plays Green Frog"), ("fr", "Joueur 1 joue Grenouille")]
)
def test_figures_of_bots_are_announced_once(calm: Shell, language: str, line: str) -> None:
    more = ("--human", "2", "--bot", "first", "--lang", language)
    output = shown(calm, "3", "b", "1", "1", more=more)
    assert output.count(f"  {line}") == 1
    assert output.index(line) < output.index("? for help" if language == "en" else "? pour l’aide")


def test_no_curtain_for_person_against_bots(calm: Shell) -> None:
    by_turns(calm)
    output = shown(calm, "1", "b", "1", more=("--human", "1", "--bot", "random"))
    assert CURTAIN["en"] not in output
