"""Milestones of a look-ahead: positions that look-aheads of similar games reach alike and need not play up to again.

Similar games differ only in chance and in the order of zones that are shuffled on demand. Until chance decides or such
a zone is read, they stay similar. So a look-ahead stops before dice are rolled: this milestone is the same in all of
these games, and so is the next one in those in which the dice show the same.
"""

from __future__ import annotations

from fcbdsl.machine.vm import saving
from fcbdsl.machine.vm.game import Game


class Milestone:
    """A position that a look-ahead has reached, without its memory: only the cells that differ from the game's.

    `chance`: the random result that is due, if the position is not at a question. `left`: for the one who looks ahead.
    """

    __slots__ = ("_cells", "_fuel", "_has_new_changes", "_suppressed_entries", "_world", "chance", "left")

    def __init__(self, ahead: Game, left: int) -> None:
        """Store the position of a look-ahead game."""
        world = ahead.world
        assert world.undo is not None
        self._world = saving.apart(world)
        self._cells = [(cell, world.mem[cell]) for cell in set(world.undo[::2])]
        self._fuel = ahead.fuel
        self._has_new_changes = ahead.has_new_changes
        self._suppressed_entries = ahead.suppressed_entries
        self.chance = ahead.chance
        self.left = left

    def enter(self, game: Game, states: list[int]) -> Game:
        """Return a look-ahead of a similar game in this position, with some states of the streams of chance."""
        other = game.ahead(self._world)
        world = other.world
        for cell, value in self._cells:
            world.write(cell, value)
        world.rng = states
        world.unmixed = game.world.unmixed
        other.fuel = self._fuel
        other.has_new_changes = self._has_new_changes
        other.suppressed_entries = self._suppressed_entries
        other.chance = self.chance
        return other
