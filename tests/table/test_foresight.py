"""The table foretells a choice from what the seat knows, and walks several steps at once."""

from __future__ import annotations

import games
import pytest
from test_scene import leaks_of, played, terms

from fcbdsl.editor.table.action_requirements import reasons_of
from fcbdsl.machine.geometry.generator import Generator
from fcbdsl.machine.vm.world import ACTION
from fcbdsl.play.bots.determinize import guess
from fcbdsl.play.soak import leaks
from fcbdsl.play.soak.soak import Wanderer
from fcbdsl.play.table import foresight
from fcbdsl.play.table.foresight import Foresight
from fcbdsl.play.table.scene import SceneMaker
from fcbdsl.play.table.table import GameTable

ALL = (0, 1, 2, 3)


def table_with(game: str, wanted: object, seed: int = 1, most: int = 150) -> GameTable:
    """Return a table at the first question of a game for which `wanted` holds."""
    assert callable(wanted)
    image = games.image(game)
    table, wanderer = GameTable(image, terms(image, seed), {}), Wanderer(seed)
    for _ in range(most):
        assert table.ask is not None
        if wanted(table):
            return table
        assert table.choose(table.asked(), table.n, wanderer.choose(table.session.game, table.ask)) == ""
    raise AssertionError("no such question has come")


def sure_moves(table: GameTable) -> list[tuple[int, str, int]]:
    """Return the choices, pieces and spaces of moves that are certain."""
    assert table.ask is not None
    seats = table.asked()
    before = {piece.key: piece.space for piece in table.scene(seats, "en").pieces}
    answers = [(n, table.foresight(seats, "en").odds(n, 6)) for n in range(min(2, len(table.ask.options)))]
    return [
        (n, row.piece, row.space)
        for n, answer in answers
        for row in answer.rows
        if answer.tries == 0
        and row.share == 100
        and row.piece
        and row.space is not None
        and before.get(row.piece) != row.space
    ]


@pytest.mark.sampled(4)
@pytest.mark.parametrize("game", games.GAMES)
def test_odds_name_changes_of_choice(game: str) -> None:
    """A move that is certain comes about when the choice is taken."""
    table = table_with(game, sure_moves)
    choice, piece, space = sure_moves(table)[0]
    seats = table.asked()
    assert table.choose(seats, table.n, choice) == ""
    assert {piece.key: piece.space for piece in table.scene(seats, "en").pieces}[piece] == space


def test_odds_of_roll_add_up_and_do_not_change_game() -> None:
    def rolls(table: GameTable) -> bool:
        ask = table.ask
        seen = table.foresight(ALL, "en", True)
        return ask is not None and any(
            0 < row.share < 100 for n in range(len(ask.options)) for row in seen.odds(n, 8).rows
        )

    table = table_with("fireteam-zero", rolls)
    before = table.session.game.digest()
    answers = [table.foresight(ALL, "en", True).odds(n) for n in range(len(table.ask.options))]  # type: ignore[union-attr]
    assert table.session.game.digest() == before
    drawn = [answer for answer in answers if answer.tries]
    assert all(answer.tries == foresight.TRIES for answer in drawn)
    assert any(0 < row.share < 100 for answer in drawn for row in answer.rows)
    assert [table.foresight(ALL, "en", True).odds(n) for n in range(len(answers))] == answers


def test_spectators_and_waiting_seats_get_no_foresight() -> None:
    table = played("escape")
    while table.step():
        pass
    others = tuple(seat for seat in range(2) if seat not in table.asked())
    for seats in ((), others):
        assert not table.foresight(seats, "en").asked
        assert table.foresight(seats, "en").odds(0).rows == ()
        assert table.foresight(seats, "en").ways()[1] == {}


@pytest.mark.long
@pytest.mark.parametrize("game", ["far-cry-beyond", "escape"])
def test_piece_walks_several_steps_at_once(game: str) -> None:
    def walkable(table: GameTable) -> bool:
        return any(row.steps > 1 for row in table.foresight(table.asked(), "en").ways()[0].ways)

    table = table_with(game, walkable)
    seats = table.asked()
    answer, ways = table.foresight(seats, "en").ways()
    row = max(answer.ways, key=lambda way: way.steps)
    way, decided = ways[row.piece, row.space], len(table.record.decisions)
    assert table.walk(seats, table.n, way) == ""
    assert len(table.record.decisions) == decided + row.steps == decided + len(way)
    where = {piece.key: piece.space for piece in table.scene(seats, "en").pieces}
    assert where[row.piece] == row.space
    for _ in way:
        assert table.undo(seats, table.n) == ""
    assert table.foresight(seats, "en").ways()[0].ways == answer.ways


def test_path_of_other_position_is_refused() -> None:
    def walkable(table: GameTable) -> bool:
        return bool(table.foresight(table.asked(), "en").ways()[0].ways)

    table = table_with("far-cry-beyond", walkable)
    seats, ways = table.asked(), table.foresight(table.asked(), "en").ways()[1]
    way = max(ways.values(), key=len)
    before = table.session.game.digest()
    others = tuple(seat for seat in range(table.record.players) if seat not in seats)
    assert table.walk(others, table.n, way) == "not-yours"
    assert table.walk(seats, table.n - 1, way) == "stale"
    assert table.session.game.digest() == before
    other = next(n for n, o in enumerate(table.ask.options) if n != way[0].choice or o[0] != ACTION)  # type: ignore[union-attr]
    assert table.choose(seats, table.n, other) == ""
    decided = len(table.record.decisions)
    table.walk(table.asked(), table.n, way)
    assert len(table.record.decisions) <= decided + len(way)


def test_odds_from_secrets_are_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(foresight, "guess", lambda game, who, chance: None)
    monkeypatch.setattr(leaks, "MOST_FORESEEN", 8)
    monkeypatch.setattr(leaks, "FORESEEN_EVERY", 1)
    assert any(leak.place.startswith("/foreseen") for leak in leaks_of("fireteam-zero", 4, 16))


@pytest.mark.sampled(4)
@pytest.mark.parametrize("game", games.GAMES)
def test_reasons_name_missing_requirements_without_secrets(game: str) -> None:
    reasons = reasons_of(games.model(game), ("en", "fr"))
    table, wanderer, chance = GameTable(games.image(game), terms(games.image(game)), {}), Wanderer(2), Generator(1, "")
    named: dict[str, tuple[str, ...]] = {}
    for _ in range(40):
        ask, seats = table.ask, table.asked()
        if ask is None:
            break
        if ask.kind == "action":
            for language in ("en", "fr"):
                answer = table.foresight(seats, language).why_not(reasons)
                other = table.session.game.clone()
                guess(other, seats[0], chance)
                scene = SceneMaker(table.image, language, seats)
                assert Foresight(other, scene, seats, table.n, len(table.record.decisions)).why_not(reasons) == answer
                named |= {row.action: row.reasons for row in answer.rows}
                assert all(all(row.reasons) for row in answer.rows)
        assert table.choose(seats, table.n, wanderer.choose(table.session.game, ask)) == ""
    assert named


def test_other_program_gives_no_reasons() -> None:
    reasons = reasons_of(games.model("escape"), ("en",))
    assert reasons.fits(games.image("escape"))
    assert not reasons.fits(games.image("beast"))
