"""Where the options of a question lead: the space that one piece reaches by each of them.

Options are tried in worlds that `determinize.guess` makes from what the asked seat knows, so the answer depends neither
on a secret nor on dice.
"""

from __future__ import annotations

from fcbdsl.machine.geometry.generator import Generator
from fcbdsl.machine.vm.game import Game
from fcbdsl.machine.vm.teams import deciding_seats
from fcbdsl.machine.vm.world import TAGS, Ask
from fcbdsl.play.bots.determinize import guess
from fcbdsl.play.session.view import View

WORLDS = 2
"""Worlds in which each option is tried."""
MOST_TRIED = 12
"""Most options of a question that is tried."""
LEADING = ("thing", "definition", "direction", "text", "label")
"""Tags of options that may lead somewhere without naming the space."""


def destinations(view: View, game: Game, ask: Ask) -> dict[int, str]:
    """Return the names of the spaces to which the options lead, by the index of the option.

    Only a choice that moves one piece, and reveals nothing, has one. The place of a piece is where it is, or a space
    that a titled stat notes, if the onlooker may know it."""
    if ask.kind != "choose" or len(ask.options) > MOST_TRIED:
        return {}
    tried = [
        index
        for index, option in enumerate(ask.options)
        if TAGS[option[0]] in LEADING and not (TAGS[option[0]] == "thing" and game.is_space(option[1]))
    ]
    found_in: list[dict[int, int]] = []
    chance = Generator(len(ask.options), "destinations")
    for _ in range(WORLDS if tried else 0):
        world = game.clone()
        guess(world, deciding_seats(game, ask.who)[0], chance)
        world.reseed(chance.below(1 << 62))
        found_in.append({index: _goal(view, world, index) for index in tried})
    return {
        index: view.names.thing(game, found_in[0][index])
        for index in tried
        if found_in[0][index] >= 0 and all(goals[index] == found_in[0][index] for goals in found_in)
    }


def _goal(view: View, game: Game, index: int) -> int:
    """Return the space that one piece reaches by an option; -1 if none does, or several do."""
    world = game.clone()
    before, shown = _places(view, world), world.world.reveals
    world.answer(index)
    world.run()
    if world.world.fault is not None or world.world.reveals != shown:
        return -1
    after = _places(view, world)
    moved = {key: space for key, space in after.items() if key in before and before[key] != space and space >= 0}
    return next(iter(moved.values())) if len({thing for thing, _ in moved}) == 1 and len(moved) == 1 else -1


def _places(view: View, game: Game) -> dict[tuple[int, int], int]:
    """Return the spaces of the pieces on the board (field -1), and those that their titled stats note."""
    places = {(thing, -1): game.space_of(thing) for thing in game.placed_pieces()}
    for number, row in enumerate(view.program.fields):
        if row.tag != "thing" or row.sort != "stat" or row.title < 0 or row.many:
            continue
        for thing in [thing for thing, _ in places if view.image.layout.field_low[number] <= thing]:
            if thing >= view.image.layout.field_high[number] or (row.secret and not view.knows(game, thing, row)):
                continue
            value = game.value(number, thing)
            if game.is_space(value):
                places[thing, number] = value
    return places
