"""The shipped games at the terminal: purposes of questions, owners of dice, meanings of words, omitted lines."""

from __future__ import annotations

import games
import pytest

from fcbdsl.cli.read_aloud import CardReader
from fcbdsl.machine.vm import setup
from fcbdsl.machine.vm.game import Game
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.world import ACTION, NOWHERE, Ask
from fcbdsl.play.session.log_text import happenings
from fcbdsl.play.session.view import View

FIRST_FEW = 60


def questions(game: str, mission: str, players: int, until: str) -> tuple[Game, View, list[str]]:
    """Take the first option until a question contains `until`; return the game, its view and all questions so far."""
    image = Image(games.program(game))
    started, view = setup.start_game(image, mission, players, 5, {}), View(image)
    asked: list[str] = []
    for _ in range(FIRST_FEW):
        ask = started.run()
        assert ask is not None
        asked.append(view.asked(started, ask))
        if until in asked[-1]:
            break
        started.answer(0)
    return started, view, asked


@pytest.mark.parametrize(
    ("game", "mission", "wanted"),
    [
        ("escape", "evasion", ["Why: Crates", "Why: Equipment", "Why: Line-up – for Ashton"]),
        ("far-cry-beyond", "ridge-signal", ["Why: Set-up – for Kumiko Nakano"]),
        ("fireteam-zero", "cold-harbor", ["Why: First monsters"]),
        ("beast", "clean-up", ["Why: The Beast moves"]),
    ],
)
def test_setup_questions_name_their_purpose(game: str, mission: str, wanted: list[str]) -> None:
    _, _, asked = questions(game, mission, 2, wanted[-1])
    assert [one for one in wanted if not any(one in question for question in asked)] == []
    assert not any(question.endswith("which space?\nWhy: Set-up") for question in asked)
    assert not any(question.endswith("Why: Crates – for crate") for question in asked)


def test_dice_name_their_owner() -> None:
    game, view, _ = questions("escape", "infiltration", 2, "Why: Equipment")
    told = happenings(view, game)
    assert any(line.startswith("die of the Resistance: ") for line in told)
    assert any(line.startswith("die of the I.S.C: ") for line in told)


def test_log_omits_hidden_passages_and_covered_tokens() -> None:
    game, view, _ = questions("beast", "clean-up", 2, "Draft")
    game.answer(0)
    game.run()
    told = happenings(view, game)
    assert any("→ packet of" in line for line in told)
    assert not any("packet to come" in line for line in told)
    game, view, _ = questions("escape", "evasion", 2, "choose an action")
    told = happenings(view, game)
    assert any(line.startswith("equipment token") for line in told)
    assert not any("lower side" in line or line == "moment comes" for line in told)


def test_equal_neighbors_in_zone_are_counted() -> None:
    game, view, _ = questions("beast", "clean-up", 2, "The Beast moves")
    beast = next(line for line in View(view.image, "en", [0]).pieces(game) if "Fangrir" in line)
    assert "movement cards: North (×10), East (×10), South (×10), West (×10), Still (×8)" in beast


@pytest.mark.parametrize(
    ("game", "action", "other"),
    [("escape", "leave", "look"), ("far-cry-beyond", "drop-reaction", "jump-up"), ("beast", "flee", "play-deed")],
)
def test_destructive_actions_are_listed_last(game: str, action: str, other: str) -> None:
    image = Image(games.program(game))
    number = {row.name: at for at, row in enumerate(image.program.actions)}
    options = (*tuple((ACTION, number[name], actor, -1) for actor in (7, 8) for name in (action, other)), (0,))
    order = View(image).listed(Ask(0, "action", options, -1, NOWHERE))
    assert order == [1, 3, 0, 2, 4]


# ── words ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("game", "said", "wanted"),
    [
        ("far-cry-beyond", "Obstacle", "Nobody can enter it; it gives cover."),
        ("far-cry-beyond", "mine", "takes 3 damage"),
        ("far-cry-beyond", "Yellow die", "Hit ×4, miss ×2."),
        ("far-cry-beyond", "HP", "Hit points"),
        ("far-cry-beyond", "silence the siren", "Roll the orange die"),
        ("far-cry-beyond", "actions", "Move, Attack, Punch"),
        ("escape", "door", "lock"),
        ("beast", "Ancient Power", "Spent in an attack"),
    ],
)
def test_words_are_explained_as_in_reference(game: str, said: str, wanted: str) -> None:
    (told,) = CardReader(games.model(game), "en").card(said)
    assert wanted in " ".join(told.replace("\N{NO-BREAK SPACE}", " ").split())


def test_all_cards_of_title_are_explained() -> None:
    reader = CardReader(games.model("far-cry-beyond"), "en")
    (told,) = reader.card("covering fire")
    assert told.count("── Covering Fire ──") == 2
    assert reader.card("gate")[0].splitlines()[1:] == ["  The game does not explain this word."]


def test_briefing_reads_only_open_cards() -> None:
    told = CardReader(games.model("beast"), "en").mission("clean-up")
    assert "── First Blood ── Reward" in told
    assert "Gain 2 grudges." in told.replace("\N{NO-BREAK SPACE}", " ")
    told = CardReader(games.model("fireteam-zero"), "en").mission("cold-harbor")
    assert "── The Harbor Ledger ── Objective" in told
    assert "── Thermos" not in told
