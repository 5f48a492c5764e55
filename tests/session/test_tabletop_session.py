"""A game at a real table: people enter what they roll and draw, and may undo and correct it."""

from __future__ import annotations

import json
from collections.abc import Sequence

import games
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pond_game import crossing, image

from fcbdsl.machine.vm import setup
from fcbdsl.machine.vm.game import Game
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.teams import deciding_seats
from fcbdsl.machine.vm.world import L_ACTION
from fcbdsl.play.bots.roster import make_bot
from fcbdsl.play.session.log_text import bearer_of_roll, happenings, owned_die
from fcbdsl.play.session.naming import Names
from fcbdsl.play.session.playout import BadRecord, Record
from fcbdsl.play.session.story import Witness
from fcbdsl.play.session.tabletop import PLACE, TRACK, HandSession, read_session, session_to_json
from fcbdsl.play.session.view import View
from fcbdsl.play.soak.inspection import Inspector

MOST = 60


class Hands:
    """Hands that roll and draw given results, then leave it to the machine; they record the requests."""

    def __init__(self, *numbers: int) -> None:
        self.said = list(numbers)
        self.asked: list[tuple[str, int]] = []
        self.drawn: int | None = None

    def roll(self, game: Game, die: int) -> int | None:
        self.asked.append(("roll", die))
        return game.program.dice[die].values[self.said.pop(0)] if self.said else None

    def draw(self, game: Game, zone: int, things: Sequence[int], cover: int = -1) -> int | None:
        self.asked.append(("draw" if cover < 0 else "turn", len(things)))
        self.drawn = things[self.said.pop(0)] if self.said else None
        return self.drawn


def seated(hands: Hands, players: int = 1) -> HandSession:
    session = HandSession(crossing(players), Record(image().program.hash, "crossing", players, 1), hands)
    session.advance()
    return session


def choose(session: HandSession, name: str) -> None:
    """Take an option by a part of its name."""
    ask = session.game.world.ask
    assert ask is not None
    names = Names(image()).options(session.game, ask.options)
    session.choose(next(number for number, option in enumerate(names) if name in option))


@pytest.mark.parametrize("seed", [3, 13])
def test_hands_get_owner_of_die_and_all_causes(seed: int) -> None:
    rolled: list[str] = []
    view = View(Image(games.program("escape")), "en", (0, 1))

    class Owners(Hands):
        def roll(self, game: Game, die: int) -> int | None:
            node = game.world.history(game.world.happened - 1)[-1]
            rolled.append(owned_die(view, game, die, bearer_of_roll(game, node)))
            return None

    game = setup.start_game(view.image, "evasion", 2, seed, {})
    session = HandSession(game, Record(view.program.hash, "evasion", 2, seed), Owners())
    witness = Witness()
    session.log_observer = witness.note
    bots = [make_bot("thumb", seed + seat) for seat in range(2)]
    session.advance()
    while (ask := session.game.world.ask) is not None and len(rolled) < MOST // 2:
        session.choose(bots[deciding_seats(session.game, ask.who)[0]].choose(session.game, ask))
    assert rolled[:2] == ["die of the Resistance", "die of the I.S.C"]
    assert "" not in rolled
    acts = [node.number for node in session.game.world.history() if node.what == L_ACTION]
    assert acts
    assert set(acts) <= witness.stacks.keys()


def begun(*numbers: int) -> tuple[HandSession, Hands]:
    """Return a session in which the frog is at B1, with the card that the hands have drawn."""
    hands = Hands(*numbers)
    session = seated(hands)
    choose(session, "Green Frog")
    assert session.by_lot()
    choose(session, "B1")
    assert not session.by_lot()
    return session, hands


def held(session: HandSession) -> str:
    table = View(image()).table(session.game).split("\n")
    return next(line for line in table if line.startswith("GF")).partition("hand: ")[2]


@pytest.mark.parametrize("place", range(4))
def test_card_that_players_enter_is_drawn(place: int) -> None:
    session, hands = begun(place)
    assert hands.asked == [("draw", 4)]
    assert hands.drawn is not None
    assert session.game.holder(hands.drawn) == session.game.placed_pieces()[0]
    zone = next(zone for zone in session.game.world.zones if len(zone) == 3)
    names = sorted(Names(image()).thing(session.game, thing) for thing in zone)
    names = sorted([*names, held(session)])
    assert names == ["Gift of flies", "Gift of flies", "Puddle", "Puddle"], "each card is there as often as before"


@pytest.mark.parametrize(("face", "wet"), [(0, 0), (1, 0), (2, 0), (-1, 1)])
def test_entered_face_is_rolled(face: int, wet: int) -> None:
    session, hands = begun(0, face)
    choose(session, "Dare")
    assert [call for call, _ in hands.asked] == ["draw", "roll"]
    status = next(number for number, row in enumerate(image().program.fields) if row.sort == "status")
    assert session.game.value(status, session.game.placed_pieces()[0]) == wet
    assert not session.game.world.script


class Dealer(Hands):
    """Hands that deal Action cards in the order of their numbers, the last first."""

    def draw(self, game: Game, zone: int, things: Sequence[int], cover: int = -1) -> int | None:
        names = Names(games.image("beast"))
        cards = {names.thing(game, thing): thing for thing in things}
        if "Charge" in cards:
            self.asked.append(("draw", max(cards.values())))
            return self.asked[-1][1]
        return None


def dealt() -> tuple[HandSession, Dealer]:
    """Return a game of two players in which the Action cards have been dealt."""
    dealer = Dealer()
    image = games.image("beast")
    game = setup.start_game(image, "drowned-harvest", 2, 1, {})
    session = HandSession(game, Record(image.program.hash, "drowned-harvest", 2, 1), dealer)
    session.advance()
    while not dealer.asked:
        session.choose(0)
    return session, dealer


def test_entered_deal_from_shuffled_pile_is_used() -> None:
    """The first packet has the cards that were dealt first, though the pile was mixed in the same breath."""
    session, dealer = dealt()
    packets = [session.game.zone_of(thing) for _, thing in dealer.asked]
    assert packets == [packets[0]] * 6 + [packets[6]] * 6
    assert packets[0] != packets[6]


def test_randomly_drawn_card_is_not_asked_again() -> None:
    session, dealer = dealt()
    names = Names(games.image("beast"))
    while not session.by_lot():
        ask = session.game.world.ask
        assert ask is not None
        options = names.options(session.game, ask.options)
        session.choose(next((number for number, option in enumerate(options) if "Persevere" in option), 0))
    asked = len(dealer.asked)
    session.choose(0)
    assert len(dealer.asked) == asked


def choose_called(session: HandSession, name: str) -> None:
    """Take the first option of ESCAPE with that in its name, or else the first."""
    ask = session.advance()
    assert ask is not None
    options = Names(games.image("escape")).options(session.game, ask.options)
    session.choose(next((number for number, option in enumerate(options) if name in option), 0))


def explored(hands: Hands) -> HandSession:
    """Return a game in which tokens are face down, drawn unseen, and fighters are on some; the first has been picked
    up."""
    image = games.image("escape")
    game = setup.start_game(image, "evasion", 2, 1, {})
    session = HandSession(game, Record(image.program.hash, "evasion", 2, 1), hands)
    while "turn" not in [what for what, _ in hands.asked]:
        choose_called(session, "Pick up")
    return session


def test_random_event_is_shown_even_without_a_question() -> None:
    """Sums of 7 bring the event in which nothing happens."""
    session = explored(Hands(0, 0, 0, 0, 2, 3))
    lines = happenings(View(games.image("escape")), session.game)
    assert "the random event is Nothing Happens" in lines, lines


@pytest.mark.parametrize("place", [0, 10, 11, 15])
def test_face_down_card_is_asked_when_revealed(place: int) -> None:
    class Late(Hands):
        def draw(self, game: Game, zone: int, things: Sequence[int], cover: int = -1) -> int | None:
            super().draw(game, zone, things, cover)
            self.drawn = things[place]
            return self.drawn

    hands = Late()
    session = explored(hands)
    assert [call for call in hands.asked if call[0] != "roll"] == [("turn", 16)], "of all that it may be, and only now"
    assert hands.drawn is not None
    name = Names(games.image("escape")).thing(session.game, hands.drawn)
    assert name in View(games.image("escape")).table(session.game), "it is what hands have turned up"
    pool = [card for zone in session.game.world.zones for card in zone]
    assert len(pool) == len(set(pool)), "and nothing lies in two places"
    entries = json.loads(session_to_json(session.record, session.entries))["entries"]
    assert [entry["drawn"] for entry in entries if "drawn" in entry] == [[hands.drawn]]
    session.undo()
    choose_called(session, "Pick up")
    assert [call for call in hands.asked if call[0] != "roll"] == [("turn", 16)] * 2, (
        "what is taken back is unseen again"
    )


def test_table_undo_includes_chance() -> None:
    session, _ = begun(0, -1)
    before = session.game.digest()
    choose(session, "Dare")
    assert session.can_undo()
    assert not session.revealed()
    session.undo()
    assert session.game.digest() == before
    assert session.entries[-1] == {"back": 1}
    for _ in range(9):
        session.undo()
    assert session.record.decisions == []


def test_correction_repeats_question() -> None:
    session, _ = begun(0)
    game = session.game
    frog = game.placed_pieces()[0]
    spaces = {Names(image()).thing(game, space): space for space in range(game.spaces_low, game.spaces_end)}
    session.correct(PLACE, frog, spaces["A2"])
    track = game.layout.first[game.program.tracks[0].definition]
    session.correct(TRACK, track, 3)
    energy = next(number for number, row in enumerate(game.program.fields) if row.name == "energy")
    session.correct(energy, frog, 0)
    assert session.game.space_of(frog) == spaces["A2"]
    assert session.game.track_value(0) == 3
    ask = session.game.world.ask
    assert ask is not None
    assert not any("Hop" in option for option in Names(image()).options(session.game, ask.options)), (
        "it has no energy left"
    )
    session.undo()
    assert any("Hop" in option for option in Names(image()).options(session.game, session.game.world.ask.options))


@settings(max_examples=15, deadline=None)
@given(st.lists(st.integers(0, 40), max_size=MOST), st.integers(1, 2))
def test_random_table_sessions_keep_invariants_and_replay(answers: list[int], players: int) -> None:
    session, inspector = seated(Hands(), players), Inspector(image())
    for number, answer in enumerate(answers):
        ask = session.advance()
        if ask is None:
            break
        if answer == 40:
            session.undo()
        else:
            session.choose(answer % len(ask.options))
        if session.game.world.fault is None:  # an endless loop is a fault of this game, in a wind that does not blow
            assert inspector.look(session.game, session.game.world.ask, number) is None
    record, entries = read_session(session_to_json(session.record, session.entries))
    again = HandSession(crossing(players), record, Hands())
    again.again(entries)
    assert again.game.digest() == session.game.digest()
    assert again.entries == session.entries


@pytest.mark.parametrize(
    "entry",
    [
        {"answer": 99}, {"answer": "x"}, {}, {"correct": [PLACE, 0, 9999]}, {"correct": [TRACK, 0, 1]},
        {"correct": [-3, 0, 0]}, {"correct": [9999, 0, 0]},
        {"answer": 1, "drawn": [0]}, {"answer": 1, "drawn": []},
    ],
    ids=str,
)  # fmt: skip
def test_impossible_entry_is_refused(entry: dict[str, object]) -> None:
    session = HandSession(crossing(), Record(image().program.hash, "crossing", 1, 1), Hands())
    with pytest.raises(BadRecord):
        session.again([{"begin": 0}, {"answer": 0}, entry])


@pytest.mark.parametrize("text", ["", "[]", '{"format": "fcb-log/1"}', '{"format": "fcb-table/1"}', "{" * 9999])
def test_other_logs_are_refused_at_table(text: str) -> None:
    with pytest.raises(BadRecord):
        read_session(text.encode())
