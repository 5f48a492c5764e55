"""The requirements of a game's actions, and their words, from which the table says why an action is not possible."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from fcbdsl.base.records import dataclass
from fcbdsl.machine.vm import limits
from fcbdsl.machine.vm.game import Game
from fcbdsl.machine.vm.image import Image


@dataclass(frozen=True, slots=True)
class ActionReasons:
    """`image`: the program with its requirements; `texts`: by language, then in the order of its actions and their
    requirements."""

    image: Image
    texts: Mapping[str, Sequence[Sequence[str]]]

    def fits(self, image: Image) -> bool:
        """Return whether a game of `image` has the same things, stats and codes."""
        one, other = self.image.program, image.program
        return one.codes[: len(other.codes)] == other.codes and all(
            getattr(one, name) == getattr(other, name) for name in ("kinds", "fields", "zones", "definitions", "boards")
        )

    def lacking(self, game: Game, actor: int, offered: set[int]) -> Iterator[tuple[int, tuple[int, ...]]]:
        """Yield the titled actions of an actor that are not offered, with the requirements that do not hold.

        -1 is the limit of the action. Without such requirements an action lacks a subject. The first requirement is the
        kind of actors; an action for others is left out.
        """
        asked = Game(self.image, game.world)
        for number, action in enumerate(self.image.program.actions):
            if number in offered or action.title < 0 or not action.requires:
                continue
            if not asked.test(action.requires[0].code, actor):
                continue
            failed = [at for at, require in enumerate(action.requires) if at and not asked.test(require.code, actor)]
            if not limits.is_free(asked, action.limit, actor, -1):
                failed.insert(0, -1)
            yield number, tuple(failed)
