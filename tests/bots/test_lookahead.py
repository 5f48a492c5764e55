"""Look-ahead gives the result of a clone, and leaves the game unchanged."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import games
import pytest
from pond_game import crossing

import fcbdsl
from fcbdsl.machine.geometry.generator import Generator
from fcbdsl.machine.vm import setup
from fcbdsl.machine.vm.game import MOST_LOG, Game
from fcbdsl.machine.vm.world import DONE, L_EVENT, Ask, VMFault
from fcbdsl.play.bots import bots
from fcbdsl.play.bots.bots import Glimpse, SensibleBot

MOST = 30
"""Most decisions of a game that is compared."""


def same(ask: Ask | None, other: Ask | None) -> bool:
    """Return whether two questions are equal, except for the actions on offer."""
    if ask is None or other is None or ask.kind != "action":
        return ask == other
    return (other.who, other.kind, other.span, other.options) == (ask.who, ask.kind, ask.span, ((DONE,),))


def walk(game: Game, seed: int) -> list[Game]:
    """Yield the game at each of its first questions, which are answered at random."""
    chance = Generator(seed, "walk")
    stands = []
    for _ in range(40):
        ask = game.run()
        if ask is None:
            break
        stands.append(game.clone())
        game.answer(chance.below(len(ask.options)))
    return stands


@pytest.mark.parametrize("seed", range(3))
def test_lookahead_equals_play_in_clone(seed: int) -> None:
    for game in walk(crossing(), seed):
        before, memory = game.digest(), game.world.mem[:]
        ask = game.world.ask
        assert ask is not None
        for index in range(len(ask.options)):
            clone, ahead = game.clone(), game.ahead()
            for world in (clone, ahead):
                world.answer(index)
            assert same(clone.run(), ahead.run())
            assert clone.outlook() == ahead.outlook()
            assert clone.world.mem == ahead.world.mem
            ahead.take_back()
            assert game.world.mem == memory
            assert game.digest() == before


def test_lookahead_can_be_nested_and_copied() -> None:
    game = walk(crossing(), 1)[5]
    memory = game.world.mem[:]
    ahead = game.ahead()
    ahead.world.write(0, 101)
    further = ahead.ahead()
    further.world.write(0, 102)
    further.world.write(0, 103)
    third = further.clone()
    further.take_back()
    assert ahead.world.mem[0] == 101
    ahead.take_back()
    assert game.world.mem == memory
    assert third.world.mem[0] == 103


@pytest.mark.parametrize("seed", range(3))
def test_branches_of_branch_play_like_clones(seed: int) -> None:
    """Branches share one undo log; the memory is restored for the next one."""
    for game in walk(crossing(), seed):
        before = game.digest()
        copy, first = game.clone(), game.branch()
        for each in (first, copy):
            each.answer(0)
        ask = first.run()
        assert ask == copy.run()
        undo = first.world.undo
        assert undo is not None
        written = len(undo)
        for index in range(len(ask.options) if ask is not None else 0):
            clone, branch = copy.clone(), first.branch()
            assert branch.world.undo is undo
            for each in (clone, branch):
                each.answer(index)
                each.run()
            assert clone.digest() == branch.digest()
            branch.world.take_back(written)
            assert first.digest() == copy.digest()
        first.take_back()
        assert game.digest() == before


def test_lookahead_counts_events_without_log() -> None:
    game = walk(crossing(), 1)[5]
    for spare in (4, 0):
        game.world.happened = MOST_LOG - spare
        ahead = game.ahead()
        ahead.answer(0)
        further = ahead.ahead()
        assert (ahead.world.happened, further.suppressed_entries) == (MOST_LOG - spare, ahead.suppressed_entries)
        for _ in range(spare - ahead.suppressed_entries):
            further.note((L_EVENT, -1))
        with pytest.raises(VMFault):
            further.note((L_EVENT, -1))
        further.take_back()
        ahead.take_back()


def test_clones_are_copied_on_write() -> None:
    game = walk(crossing(), 1)[5]
    value = game.world.mem[0]
    clone = game.clone()
    assert clone.world.lent
    assert game.world.lent
    clone.world.write(0, value + 1)
    game.world.write(0, value + 2)
    assert (clone.world.mem[0], game.world.mem[0]) == (value + 1, value + 2)


def test_memory_is_written_by_one_function() -> None:
    """Code that sets up a world before others share it is an exception."""
    root = Path(fcbdsl.__file__).parent
    texts = {path: path.read_text(encoding="utf-8") for path in root.rglob("*.py")}
    files = {
        path.relative_to(root).as_posix()
        for path, text in texts.items()
        if re.search(r"\bmem\b", text)  # most modules need not be parsed
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Subscript)
        and isinstance(node.ctx, ast.Store)
        and ast.unparse(node.value).rpartition(".")[2] == "mem"
    }
    assert files == {"machine/vm/world.py", "machine/vm/setup.py"}


@pytest.mark.skipif(Path(bots.__file__).suffix != ".py", reason="what is compiled calls what is compiled")
def test_interrupted_lookahead_leaves_game_unchanged(monkeypatch: pytest.MonkeyPatch) -> None:
    """As by Ctrl-C: what is looked at is the memory of the game."""

    def broken_off(
        self: SensibleBot, ahead: Game, left: int, who: int, depth: int, floor: int
    ) -> tuple[Ask | None, int]:
        ahead.run()
        raise KeyboardInterrupt

    monkeypatch.setattr(SensibleBot, "_play_on", broken_off)
    game = crossing()
    game.run()
    while game.world.ask is not None and game.world.ask.kind != "action":
        game.answer(0)
        game.run()
    assert game.world.ask is not None
    before, memory = game.digest(), game.world.mem[:]
    for index in range(len(game.world.ask.options)):
        with pytest.raises(KeyboardInterrupt):
            SensibleBot(1)._look(game, index, 0, 1, 0, Glimpse(True, True))
    assert (game.digest(), game.world.mem) == (before, memory)


@pytest.mark.skipif(Path(bots.__file__).suffix != ".py", reason="what is compiled calls what is compiled")
@pytest.mark.parametrize("seed", games.first_few(range(4), 1))
@pytest.mark.parametrize("game", games.first_few(games.SMALLEST_FIRST, 1))
def test_options_without_chance_are_evaluated_once(game: str, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    image = games.image(game)
    every = games.missions(image.program)
    playing = setup.start_game(image, every[seed % len(every)], image.program.players[0], seed, {})
    quick, thorough = SensibleBot(seed), SensibleBot(seed)
    looks = {quick: 0, thorough: 0}
    before = SensibleBot._play_on

    def counted(bot: SensibleBot, ahead: Game, left: int, who: int, depth: int, floor: int) -> tuple[Ask | None, int]:
        looks[bot] += 1
        return before(bot, ahead, left, who, depth, floor)

    monkeypatch.setattr(SensibleBot, "_play_on", counted)
    ask = playing.run()
    for _ in range(MOST):
        if ask is None:
            break
        choice = quick.choose(playing, ask)
        with monkeypatch.context() as patch:
            patch.setattr(bots, "_likeness", lambda futures, who: (False, [False] * len(futures)))
            assert thorough.choose(playing, ask) == choice
        playing.answer(choice)
        ask = playing.run()
    assert looks[quick] < looks[thorough] or image.secret_cells


@pytest.mark.skipif(Path(bots.__file__).suffix != ".py", reason="what is compiled calls what is compiled")
@pytest.mark.parametrize("game", games.GAMES)
def test_futures_are_equal_unless_secret_or_value_differs(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    image = games.image(game)
    first = setup.start_game(image, games.missions(image.program)[0], image.program.players[0], 1, {})
    ask = first.run()
    assert ask is not None
    last = first.clone()
    assert bots._likeness([first, first.clone(), last], ask.who) == (True, [True, True, True])
    for low, high in image.secret_cells:
        other = first.clone()
        other.world.write(high - 1, other.world.mem[high - 1] + 1)
        assert bots._likeness([first, first.clone(), other], ask.who) == (False, [True, True, False])
        assert low < high
    last.world.write(0, last.world.mem[0])  # from now on it has separate memory, and could return something else
    monkeypatch.setattr(Game, "cache_evaluation", lambda game, who: int(game is last))
    assert bots._likeness([first, first.clone(), last], ask.who) == (False, [True, True, False])
