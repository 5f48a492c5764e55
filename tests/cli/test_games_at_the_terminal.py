"""The shipped games at the terminal: purposes of questions, owners of dice, meanings of words, omitted lines."""

from __future__ import annotations

from functools import cache

import click
import games
import pytest

from fcbdsl.cli import common
from fcbdsl.cli.read_aloud import CardReader
from fcbdsl.machine.vm import changes, setup
from fcbdsl.machine.vm.game import Game
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.teams import deciding_seats
from fcbdsl.machine.vm.world import ACTION, NOWHERE, Ask
from fcbdsl.play.bots.roster import make_bot
from fcbdsl.play.session.log_text import card_received, cards_revealed, change_text, happenings, occasion
from fcbdsl.play.session.naming import Names
from fcbdsl.play.session.playout import Record, play_out
from fcbdsl.play.session.story import Heading, StoryTeller, Witness, retold
from fcbdsl.play.session.view import View
from fcbdsl.play.table.destinations import destinations

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
    assert [text for text in wanted if not any(text in question for question in asked)] == []
    assert not any(question.endswith("which space?\nWhy: Set-up") for question in asked)
    assert not any(question.endswith("Why: Crates – for crate") for question in asked)


def test_question_of_a_step_names_its_piece() -> None:
    _, view, asked = questions("escape", "evasion", 2, "Why: Line-up")
    assert asked[-1].endswith("Line-up – for Ashton")
    game, view, _ = questions("beast", "clean-up", 2, "Why: The Beast moves")
    ask = game.run()
    assert ask is not None
    assert view.asked(game, ask).endswith("Why: The Beast moves")  # the player has no other figure
    assert view.subject(game) == "Fangrir"


def test_dice_name_their_owner() -> None:
    game, view, _ = questions("escape", "infiltration", 2, "Why: Equipment")
    lines = happenings(view, game)
    assert any(line.startswith("die of the Resistance: ") for line in lines)
    assert any(line.startswith("die of the I.S.C: ") for line in lines)


def test_log_omits_hidden_passages_and_covered_tokens() -> None:
    game, view, _ = questions("beast", "clean-up", 2, "Draft")
    game.answer(0)
    game.run()
    lines = happenings(view, game)
    assert any("→ packet of" in line for line in lines)
    assert not any("packet to come" in line for line in lines)
    game, view, _ = questions("escape", "evasion", 2, "choose an action")
    lines = happenings(view, game)
    assert any(line.startswith("equipment token") for line in lines)
    assert not any("lower side" in line or line == "moment comes" for line in lines)


def test_equal_neighbors_in_zone_are_counted() -> None:
    game, view, _ = questions("beast", "clean-up", 2, "The Beast moves")
    beast = next(line for line in View(view.image, "en", [0]).pieces(game) if "Fangrir" in line)
    assert "movement cards: North (×10), East (×10), South (×10), West (×10), Still (×8)" in beast


@pytest.mark.parametrize(
    ("game", "mission", "until", "line"),
    [
        ("fireteam-zero", "cold-harbor", "choose an action", "; Wounds 1; hit per wound (melee) 2; hit per wound (b"),
        ("escape", "evasion", "choose an action", "Ashton, A1; Mvt 4; Cbt 3; Int 1; Stars 3; life 6"),
        ("beast", "clean-up", "choose an action", "Fangrir, Stone; Health 8; "),
    ],
)
def test_pieces_show_their_printed_numbers(game: str, mission: str, until: str, line: str) -> None:
    started, view, _ = questions(game, mission, 2, until)
    pieces = view.pieces(started)
    assert any(line in piece for piece in pieces), pieces
    assert not any("Grudge 0" in piece for piece in pieces)


def test_parts_without_a_title_name_their_numbers() -> None:
    image = Image(games.program("far-cry-beyond"))
    game, names = setup.start_game(image, "ridge-signal", 2, 5, {}), Names(image)
    parts = [thing for thing in range(image.layout.things) if image.layout.parts[image.layout.kind_of[thing]]]
    attacks = [names.thing(game, part) for part in parts]
    assert "attack of Machete (Melee, green die, damage 1, Range 1)" in attacks
    assert not any(text.partition("(")[2][:1].isdecimal() for text in attacks)


def test_question_of_a_keyword_names_it() -> None:
    image = Image(games.program("beast"))
    game, view = setup.start_game(image, "clean-up", 2, 7, {}), View(image)
    preferred = ("Esmeria", "Undergrowth", "South")
    for _ in range(FIRST_FEW):
        ask = game.run()
        assert ask is not None
        options = view.options(game, ask)
        if options == ["Place", "Activate"]:
            break
        game.answer(next((at for at, text in enumerate(options) if text.endswith(preferred)), 0))
    assert ask is not None
    assert view.asked(game, ask).endswith("Esmeria: Undergrowth › Summon")


def test_options_name_the_space_where_they_lead() -> None:
    game, _, _ = questions("beast", "clean-up", 2, "Why: The Beast moves")
    ask = game.run()
    assert ask is not None
    wanted = {"North": "Ridge", "East": "Grove", "South": "Fen", "West": "Ford"}
    for language, goals in (("en", wanted), ("fr", {})):
        view = View(game.image, language, (0,))
        leads, names = destinations(view, game, ask), view.options(game, ask)
        assert len(leads) == len(wanted)
        assert all(leads[names.index(name)] == goal for name, goal in goals.items())
    digest = game.digest()
    assert destinations(view, game, ask) == leads
    assert game.digest() == digest


def test_options_that_roll_or_move_several_pieces_lead_nowhere() -> None:
    game, view, _ = questions("fireteam-zero", "cold-harbor", 2, "Why: First monsters")
    ask = game.run()
    assert ask is not None
    assert destinations(view, game, ask) == {}  # a die decides where a monster appears


@pytest.mark.parametrize(
    ("owner", "words"),
    [
        ("the Resistance", "dé de la Résistance"),
        ("the I.S.C", "dé de l’I.S.C"),
        ("Ashton", "dé d’Ashton"),
        ("Hawk", "dé de Hawk"),
        ("Kappa", "dé de Kappa"),
    ],
)
def test_owners_agree_in_french(owner: str, words: str) -> None:
    image = Image(games.program("escape"))
    game, names = setup.start_game(image, "infiltration", 2, 5, {}), Names(image, "fr")
    english = Names(image)
    things = range(image.layout.things)
    thing = next((thing for thing in things if english.thing(game, thing) == owner), None)
    assert (names.of_thing(game, "dé", thing) if thing is not None else names.of("dé", owner)) == words


def test_doors_open_in_words_that_agree() -> None:
    game, _, _ = questions("escape", "evasion", 2, "Why: Crates")
    view = View(game.image, "fr")
    door = next(line for line in view.sides(game) if line.startswith("porte"))
    assert "(fermée)" in door
    number, barrier = next((number, row) for number, row in enumerate(game.barriers()) if row >= 0 and
                           game.program.barriers[row].hinge >= 0)  # fmt: skip
    hinge, side = game.program.barriers[barrier].hinge, game.side(number)
    assert change_text(view, game, (hinge, side, -1, 1, 0)) == ("", door.partition(" (")[0] + " (ouverte)")


def test_walls_come_and_go_in_words() -> None:
    game, view, _ = questions("escape", "evasion", 2, "Why: Crates")
    side = next(at for at, row in enumerate(game.barriers()) if row >= 0 and game.program.barriers[row].hinge < 0)
    wall, after = game.barriers()[side], game.world.happened
    changes.set_barrier(game, side, -1, -1)
    changes.set_barrier(game, side, wall, -1)
    where = view.names.side(game, side)
    assert happenings(view, game, after) == [f"wall {where} is gone", f"wall {where} appears"]
    french = happenings(View(game.image, "fr"), game, after)
    assert french == [f"mur {where} disparaît", f"mur {where} apparaît"]


def test_kinds_are_asked_for_by_gender() -> None:
    started, _, asked = questions("beast", "clean-up", 2, "which Beast?")
    assert asked[-1].startswith("Player 1: which Beast?")
    ask = started.run()
    assert ask is not None
    french = View(started.image, "fr").asked(started, ask)
    assert french.startswith("Joueur 1\N{NO-BREAK SPACE}: quelle Bête\N{NARROW NO-BREAK SPACE}?")


def test_titles_of_missions_may_have_printed_apostrophes() -> None:
    program = games.program("fireteam-zero")
    for title in ("Typhon’s Cradle", "typhon's cradle", "LE BERCEAU DE TYPHON"):
        assert common.known_mission(program, title) == "typhons-cradle"
    with pytest.raises(click.UsageError, match="Did you mean typhons-cradle"):
        common.known_mission(program, "typhon’s cradel")


def test_curtain_needs_a_secret() -> None:
    game, view, _ = questions("escape", "evasion", 2, "Why: Crates")
    assert not view.parted(game, (0, 1))
    game, view, _ = questions("beast", "clean-up", 2, "which Beast?")
    assert not view.parted(game, (0, 1))
    game, view, _ = questions("beast", "clean-up", 2, "which Hunter?")
    assert view.parted(game, (0, 1))


def test_player_of_whole_team_is_named_with_it() -> None:
    game, view, _ = questions("escape", "evasion", 2, "choose an action")
    assert view.names.player(game, 1) == "Player 2 (the I.S.C)"


def test_figure_omits_reference_to_past_target() -> None:
    game, view, _ = questions("far-cry-beyond", "ridge-signal", 2, "choose an action")
    heroes = [thing for thing in game.placed_pieces() if game.controller(thing) == 0]
    number = next(at for at, row in enumerate(game.program.fields) if row.name == "target" and row.title >= 0
                  and view.image.layout.field_low[at] <= heroes[0] < view.image.layout.field_high[at])  # fmt: skip
    others = [thing for thing in game.placed_pieces() if thing != heroes[0]]
    changes.set_value(game, number, heroes[0], others[0], -1)
    assert not any(text.startswith("target") for text in view.stats(game, heroes[0]))
    assert any(text.startswith("played by Player 1") for text in view.stats(game, heroes[0]))


def test_kept_values_are_sentences() -> None:
    game, view, _ = questions("far-cry-beyond", "ridge-signal", 2, "which hero?")
    number = next(at for at, row in enumerate(game.program.fields) if row.name == "on-the-road")
    changes.set_value(game, number, view.image.layout.range_of("game")[0], 1, -1)
    lines = view.kept(game)
    assert "Campaign begun" in "; ".join(lines)
    assert all(line[0].isupper() for line in lines)
    assert not any(line.casefold().startswith("game") for line in lines)


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


# ── the story ──────────────────────────────────────────────────────────────────────────────────


def harbor() -> tuple[View, Game, list[str], list[tuple[str, str]]]:
    """Return a whole game of four heroes, its story, and the occasions of reactions: with all dice, and as shown."""
    return played("fireteam-zero", "cold-harbor", 11)


@cache
def played(name: str, mission: str, seed: int) -> tuple[View, Game, list[str], list[tuple[str, str]]]:
    """Return a whole game of two bots, its story, and the occasions of reactions: with all dice, and as shown."""
    image = Image(games.program(name))
    game, view = setup.start_game(image, mission, 2, seed, {}), View(image, "en", (0, 1))
    record = Record(image.program.hash, mission, 2, seed)
    witness = Witness(game)
    teller = StoryTeller(view, game, record, witness, explained=True, answers=False)
    bots = [make_bot("thumb", seed + seat) for seat in range(2)]
    occasions: list[tuple[str, str]] = []
    while (ask := game.run()) is not None:
        if ask.kind == "react":
            occasions.append((occasion(view, game, ask), occasion(view, game, ask, witness.rolls_aside(game))))
        teller.catch_up(game)
        game.answer(bots[deciding_seats(game, ask.who)[0]].choose(game, ask))
    teller.catch_up(game)
    return view, game, [entry.text for entry in teller.story.entries], occasions


def test_each_turn_has_its_heading() -> None:
    _, _, lines, _ = harbor()
    first = lines[lines.index("Round 1") : lines.index("Round 2")]
    assert [text for text in first if text.startswith("A hero's turn")] == ["A hero's turn: Don", "A hero's turn: Abe"]
    monsters = [text for text in first if text.startswith("A monster")]
    assert len(set(monsters)) == len(monsters) > 1
    assert all(text.startswith("A monster: ") for text in monsters)


def test_heading_comes_before_the_first_question_of_its_step() -> None:
    game, view, _ = questions("beast", "clean-up", 2, "Why: The Beast moves")
    teller = StoryTeller(view, game, Record(game.program.hash, "clean-up", 2, 5), Witness())
    teller.catch_up(game, asking=True)
    assert teller.story.entries[-1] == Heading(2, "The Beast moves: Fangrir", 4)


def test_heading_names_no_thing_with_the_number_of_a_parameter() -> None:
    """The first parameter of the step is a number of steps."""
    image = Image(games.program("beast"))
    game, record = setup.start_game(image, "clean-up", 2, 5, {}), Record(image.program.hash, "clean-up", 2, 5)
    teller = StoryTeller(View(image), game, record)
    for _ in range(FIRST_FEW):
        assert game.run() is not None
        game.answer(0)
    teller.catch_up(game)
    heads = {entry.text for entry in teller.story.entries if isinstance(entry, Heading)}
    assert [text for text in heads if text.startswith("The Beast moves")] == ["The Beast moves: Fangrir"]


def test_dice_of_helpers_name_them() -> None:
    _, _, lines, _ = harbor()
    helped = [at for at, text in enumerate(lines) if text == "Don helps Abe"]
    assert helped
    assert all(lines[at + 1].startswith("attack die: ") for at in helped)


def test_occasion_has_no_dice_of_finished_events() -> None:
    _, _, _, occasions = harbor()
    rolls = [(full, shown) for full, shown in occasions if "rolls for activation" in full]
    assert any("attack die" in full for full, _ in rolls)
    assert not any("attack die" in shown for _, shown in rolls)
    assert any("attack die" in shown for _, shown in occasions)


def test_occasion_has_no_dice_of_finished_steps() -> None:
    """Other enemies have attacked before, since the last decision."""
    _, _, _, occasions = played("far-cry-beyond", "ridge-signal", 3)
    hurt = [(full, shown) for full, shown in occasions if "suffers damage" in full]
    assert any(full.count(" die: ") > 1 for full, _ in hurt)
    assert all(shown.count(" die: ") == 1 for _, shown in hurt)


def test_occasion_has_no_dice_of_the_same_step_of_another_thing() -> None:
    """One monster has attacked before the next one moves."""
    image = Image(games.program("fireteam-zero"))
    game, view = setup.start_game(image, "typhons-cradle", 1, 7, {}), View(image, "en", (0,))
    witness, bot = Witness(game), make_bot("sensible", 5)
    teller = StoryTeller(view, game, Record(image.program.hash, "typhons-cradle", 1, 7), witness)
    moves: list[tuple[str, str]] = []
    while (ask := game.run()) is not None:
        texts = occasion(view, game, ask), occasion(view, game, ask, witness.rolls_aside(game))
        moves += [texts] if "moves into a space" in texts[0] else []
        teller.catch_up(game)
        game.answer(bot.choose(game, ask))
    assert any("attack die" in full for full, _ in moves)
    assert not any("attack die" in shown for _, shown in moves)
    assert "attack die: bullet, bullet instead of melee, bomb" in [line.text for line in teller.story.lines()]


def test_untold_events_are_only_in_questions() -> None:
    _, _, lines, occasions = harbor()
    for words in ("moves into a space", "rolls for activation", "rolls against"):
        assert not any(words in text for text in lines)
    assert any("moves into a space" in shown for _, shown in occasions)
    assert any("rolls for activation" in shown for _, shown in occasions)


def test_later_rolls_of_an_action_name_their_step() -> None:
    _, _, lines, _ = played("far-cry-beyond", "ridge-signal", 3)
    covered = [text for text in lines if text.startswith("blue die: ")]
    assert covered
    assert all(text.endswith(" (Cover and damage)") for text in covered if text.count("(") == 1)
    assert any(text.endswith(" (Cover and damage)") for text in covered)


def test_change_of_a_figure_that_the_line_omits_has_its_own_line() -> None:
    _, _, lines, _ = played("far-cry-beyond", "drowned-valley", 3)
    assert "A tile is turned up" in lines
    assert not any(text.startswith("A tile is turned up (") for text in lines)
    assert not any("chance picks" in text for text in lines)  # where the tiles lie is secret


def test_events_name_received_and_revealed_cards() -> None:
    view, game, _, _ = harbor()
    nodes = game.world.history()
    got = {card_received(view, game, node) for node in nodes}
    assert {"first-aid", "trapdoor", "tripwire"} <= got
    opened = {id for node in nodes for id in cards_revealed(view, game, node)}
    assert opened & {row.id for row in view.program.definitions if view.program.kinds[row.kind].name == "twist"}
    image = Image(games.program("beast"))
    fresh, _, _ = questions("beast", "clean-up", 2, "choose an action")
    hidden = View(image, "en", (1,))
    passed = {card_received(hidden, fresh, node) for node in fresh.world.history()}
    assert not passed & {
        row.id for row in image.program.definitions if image.program.kinds[row.kind].name == "step-card"
    }


def test_yes_and_no_come_with_text_of_card() -> None:
    image = Image(games.program("beast"))
    game, view = setup.start_game(image, "clean-up", 2, 11, {}), View(image)
    bots = [make_bot("thumb", 11 + seat) for seat in range(2)]
    while (ask := game.run()) is not None and not view.unworded(game, ask):
        game.answer(bots[deciding_seats(game, ask.who)[0]].choose(game, ask))
    assert ask is not None
    assert view.options(game, ask) == ["Yes", "No"]
    assert view.unworded(game, ask) == "adapt"
    assert "you may" in CardReader(games.model("beast"), "en").text("adapt").replace("\N{NO-BREAK SPACE}", " ").lower()


def test_change_names_card_that_no_line_names() -> None:
    image = Image(games.program("far-cry-beyond"))
    record = Record(image.program.hash, "ridge-signal", 2, 11)
    game = setup.start_game(image, "ridge-signal", 2, 11, {})
    play_out(game, [make_bot("thumb", 11 + seat) for seat in range(2)], record)
    lines = [line.text for line in retold(image, record, View(image)).lines()]
    assert "Pam Williams: HP 3 → 2 (Brigadier 1: Chain Club)" in lines
    assert "Dawn: 0 → 1" in lines
    assert not any(text.endswith("(Kumiko Nakano: Black Coffee)") for text in lines)


# ── words ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("game", "word", "wanted"),
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
def test_words_are_explained_as_in_reference(game: str, word: str, wanted: str) -> None:
    (explanation,) = CardReader(games.model(game), "en").card(word)
    assert wanted in " ".join(explanation.replace("\N{NO-BREAK SPACE}", " ").split())


def test_words_are_explained_in_one_language() -> None:
    reader = CardReader(games.model("beast"), "fr")
    assert "Effect" not in reader.card("bête")[0]
    assert "n’avez" in reader.card("fuir")[0]
    assert "Mélangez" not in " ".join(reader.card("action"))
    assert "Effect" in " ".join(CardReader(games.model("beast"), "en").card("beast"))


def test_all_cards_of_title_are_explained() -> None:
    reader = CardReader(games.model("far-cry-beyond"), "en")
    (explanation,) = reader.card("covering fire")
    assert explanation.count("── Covering Fire ──") == 2
    assert reader.card("gate")[0].splitlines()[1:] == ["  The game does not explain this word."]


def test_briefing_reads_only_open_cards() -> None:
    briefing = CardReader(games.model("beast"), "en").mission("clean-up")
    assert "── First Blood ── Reward" in briefing
    assert "Gain 2 grudges." in briefing.replace("\N{NO-BREAK SPACE}", " ")
    briefing = CardReader(games.model("fireteam-zero"), "en").mission("cold-harbor")
    assert "── The Harbor Ledger ── Objective" in briefing
    assert "── Thermos" not in briefing
