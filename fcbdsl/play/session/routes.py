"""The path of a piece to a space, as far as the questions of a game permit it: one action, repeated.

The search knows no rules of movement: it tries the options in copies of the game, breadth first, and returns the
shortest sequence. It does not use chance or secrets: a path ends where one is revealed, unless the piece has arrived.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Sequence

from fcbdsl.machine.vm.game import Game
from fcbdsl.machine.vm.teams import deciding_seats
from fcbdsl.machine.vm.world import ACTION, DONE, NONE, Ask, Option

MOST_TRIED = 4_000
"""Most decisions that are tried for one path."""
MOST_FANNED = 400
"""Most options of a question; the search ignores larger questions."""


def movable(game: Game, ask: Ask) -> list[int]:
    """Return the pieces on the board of the asked players; for a question about actions, the pieces that may act."""
    if ask.kind == "action":
        actors = dict.fromkeys(option[2] for option in ask.options if option[0] == ACTION)
        return [thing for thing in game.placed_pieces() if thing in actors]
    asked = deciding_seats(game, ask.who)
    return [thing for thing in game.placed_pieces() if set(deciding_seats(game, game.controller(thing))) & set(asked)]


def way(game: Game, ask: Ask, piece: int, space: int, persons: Collection[int]) -> list[int] | None:
    """Return the fewest decisions (as options of the coming questions) of some players that move a piece to a space.

    Return None if no single action, repeated, does it. The game does not change.
    """
    actions = dict.fromkeys(
        option[1] for option in ask.options if option[0] == ACTION and option[2] == piece and option[3] < 0
    )
    routes = [_way(game, ask, piece, space, action, persons) for action in actions or (-1,)]
    return min((route for route in routes if route is not None), key=len, default=None)


def _way(game: Game, ask: Ask, piece: int, space: int, action: int, persons: Collection[int]) -> list[int] | None:
    visited = {_place(game, ask, piece)}
    front: deque[tuple[Game, Ask, list[int]]] = deque([(game, ask, [])])
    shown, tried = game.world.reveals, 0
    while front:
        here, question, path = front.popleft()
        for index in _steps(question, piece, action):
            tried += 1
            if tried > MOST_TRIED:
                return None
            there = here.clone()
            there.answer(index)
            following = there.run()
            if there.world.fault is None and there.space_of(piece) == space:
                return [*path, index]
            if following is None or there.world.reveals != shown:
                continue
            if not any(seat in persons for seat in deciding_seats(there, following.who)):
                continue
            place = _place(there, following, piece)
            if place not in visited:
                visited.add(place)
                front.append((there, following, [*path, index]))
    return None


def _steps(ask: Ask, piece: int, action: int) -> Sequence[int]:
    """Return the options that may be steps of a path: the action, and the choices within it."""
    if len(ask.options) > MOST_FANNED:
        return ()
    return [number for number, option in enumerate(ask.options) if _is_step(option, piece, action)]


def _is_step(option: Option, piece: int, action: int) -> bool:
    if option[0] == ACTION:
        return option[1] == action and option[2] == piece and option[3] < 0
    return option[0] not in (NONE, DONE)


def _place(game: Game, ask: Ask, piece: int) -> tuple[int, str, int, int]:
    """Return what identifies a position of a path: the place of the piece and the question."""
    return game.space_of(piece), ask.kind, ask.why, ask.span
