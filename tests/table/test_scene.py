"""A seat receives only what it may know, by the published schema, and nothing that depends on a secret."""

from __future__ import annotations

import json
from pathlib import Path

import games
import jsonschema
import pytest

from fcbdsl.machine.vm import serialization, setup
from fcbdsl.machine.vm.image import Image
from fcbdsl.play.bots.roster import make_bot
from fcbdsl.play.session import log_text, story
from fcbdsl.play.session.playout import Record
from fcbdsl.play.session.view import View
from fcbdsl.play.soak import leaks
from fcbdsl.play.soak.leaks import Leak
from fcbdsl.play.soak.soak import Wanderer
from fcbdsl.play.table import table_protocol
from fcbdsl.play.table.scene import SceneMaker
from fcbdsl.play.table.table import GameTable
from fcbdsl.play.table.table_protocol import TableView, encode_message, read_command

SCHEMA = json.loads((Path(__file__).parents[2] / "docs" / "table.schema.json").read_text(encoding="utf-8"))


def terms(image: Image, seed: int = 1) -> Record:
    missions = games.missions(image.program)
    players = max(2, image.program.players[0])
    return Record(image.program.hash, missions[seed % len(missions)], players, seed)


def leaks_of(game: str, seed: int, most: int, every: int = 1) -> list[Leak]:
    image = games.image(game)
    return list(leaks.leaks(image, terms(image, seed), most, every))


@pytest.mark.sampled(4)
@pytest.mark.parametrize("game", games.GAMES)
def test_nothing_sent_depends_on_a_secret(game: str) -> None:
    assert [str(leak) for leak in leaks_of(game, 1, 30, 5)] == []


@pytest.mark.long
@pytest.mark.parametrize("seed", range(2, 8))
@pytest.mark.parametrize("game", games.GAMES)
def test_nothing_sent_depends_on_a_secret_in_whole_games(game: str, seed: int) -> None:
    assert [str(leak) for leak in leaks_of(game, seed, 400)] == []


@pytest.mark.sampled(4)
@pytest.mark.parametrize("game", games.GAMES)
def test_view_of_secrets_is_caught(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(View, "sees", lambda self, game, zone: True)
    assert any(leak.place.startswith("/scene") for leak in leaks_of(game, 1, 6))


def test_log_of_hidden_cards_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    moved = log_text.movement_text
    monkeypatch.setattr(
        story, "movement_text", lambda view, game, data: (view.names.thing(game, data[0]), moved(view, game, data)[1])
    )
    assert any(leak.place.startswith("/told") for leak in leaks_of("beast", 1, 30, 2))


def played(game: str, seed: int = 1, most: int = 30) -> GameTable:
    """Return a table after some decisions of one person and bots."""
    image = games.image(game)
    record = terms(image, seed)
    table = GameTable(image, record, {seat: make_bot("random", seat) for seat in range(1, record.players)})
    wanderer = Wanderer(seed)
    for _ in range(most):
        if table.ask is None:
            break
        if not table.step():
            assert table.choose((0,), table.n, wanderer.choose(table.session.game, table.ask)) == ""
    return table


@pytest.mark.parametrize("game", games.GAMES)
def test_messages_match_published_schema(game: str) -> None:
    table = played(game)
    validator = jsonschema.Draft202012Validator(SCHEMA)
    for seats in ((0,), (1,), (), (0, 1)):
        for language in ("en", "fr"):
            text = encode_message(table.view(seats, language, whole=True))
            validator.validate(json.loads(text))
            assert encode_message(serialization.decode_record(TableView, json.loads(text))) == text


def test_published_schema_is_up_to_date() -> None:
    assert table_protocol.message_schema() == SCHEMA


@pytest.mark.parametrize("game", games.GAMES)
def test_only_asked_seats_see_choices(game: str) -> None:
    table = played(game)
    while table.step():
        pass
    for seat in range(table.record.players):
        question = table.scene((seat,), "en").question
        assert question is not None
        assert question.yours == bool(question.choices) == (seat in table.asked())
    assert not table.scene((), "en").question.choices  # type: ignore[union-attr]


def test_hidden_card_gets_new_key() -> None:
    image = games.image("beast")
    game = setup.start_game(image, games.missions(image.program)[0], 2, 1, {})
    scene, wanderer = SceneMaker(image, "en", (0,)), Wanderer(1)
    last: dict[str, str] = {}
    gone: set[str] = set()
    for _ in range(80):
        ask = game.run()
        if ask is None:
            break
        view = scene.look(game, ask)
        held = [view.piles, *(piece.piles for piece in view.pieces), *(player.piles for player in view.players)]
        keys = {card.key: card.look for piles in held for pile in piles for card in pile.cards}
        assert not gone & set(keys)
        assert all(last[key] == look for key, look in keys.items() if key in last)
        gone |= set(last) - set(keys) - {piece.key for piece in view.pieces}
        last = keys
        game.answer(wanderer.choose(game, ask))
    assert gone


@pytest.mark.parametrize("game", games.GAMES)
def test_undo_removes_log_lines(game: str) -> None:
    image = games.image(game)
    record = terms(image)
    table = GameTable(image, record, {})
    wanderer = Wanderer(3)
    undone = 0
    for _ in range(60):
        if table.ask is None or undone > 4:
            break
        seats = table.asked()
        before = encode_message(table.view(seats, "en", whole=True)), table.session.game.digest()
        choice = wanderer.choose(table.session.game, table.ask)
        assert table.choose(seats, table.n, choice) == ""
        other = tuple(seat for seat in range(-1, record.players) if seat not in seats)
        assert table.undo(other, table.n) == "others"
        if table.undo(seats, table.n) == "":
            undone += 1
            after = json.loads(encode_message(table.view(seats, "en", whole=True)))
            last_line = after["told"].pop()["text"]
            assert "took back" in last_line
            assert (after["scene"]["question"], table.session.game.digest()) == (
                json.loads(before[0])["scene"]["question"],
                before[1],
            )
            assert table.choose(seats, table.n, choice) == ""
    assert undone


def test_commands_for_other_position_or_seat_have_no_effect() -> None:
    table = played("escape")
    while table.step():
        pass
    asked, n = table.asked(), table.n
    other = tuple(seat for seat in range(2) if seat not in asked)
    before = table.session.game.digest()
    assert table.choose(asked, n - 1, 0) == "stale"
    assert table.choose(other, n, 0) == "not-yours"
    assert table.choose((), n, 0) == "not-yours"
    assert table.choose(asked, n, 10_000) == table.choose(asked, n, -1) == "no-choice"
    assert table.undo((), n) in ("others", "nothing")
    assert (table.session.game.digest(), table.n) == (before, n)


@pytest.mark.parametrize(
    "text",
    [
        "", "{", "[]", "1", "null", '"choose"', '{"t":"choose"}', '{"t":"choose","n":1}', '{"t":["choose"]}',
        '{"t":"choose","n":true,"choice":0}', '{"t":"choose","n":1.0,"choice":0}', '{"t":"look"}',
        '{"t":"choose","n":1,"choice":0,"more":1}', '{"t":"sit","seat":"1"}', '{"t":"\\ud800"}',
        '{"t":"choose","n":9007199254740993,"choice":0}', "[" * 4000, "x" * 5000,
    ],
)  # fmt: skip
def test_garbage_is_refused(text: str) -> None:
    with pytest.raises(table_protocol.BadMessage):
        read_command(text)


def test_table_resumes_from_record() -> None:
    table = played("fireteam-zero")
    again = GameTable(table.image, table.record, {})
    assert again.session.game.digest() == table.session.game.digest()
    assert [line.text for line in again.view((1,), "en", whole=True).told] == [
        line.text for line in table.view((1,), "en", whole=True).told
    ]
