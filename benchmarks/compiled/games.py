"""Play games of every shipped mission, and print which machine played and the digests of their final states.

`benchmarks.compiled` compares a compiled build with its sources by these digests.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fcbdsl.machine.vm.image import Image

SEEDS = (1, 2)
THINKERS = ("sensible", "thumb", "search:20")
DECISIONS = 12
"""The number of decisions of bots that search."""


def images() -> Iterator[Image]:
    """Yield the shipped games, compiled from their sources."""
    from fcbdsl.language.compiler import lower
    from fcbdsl.machine.vm.image import Image
    from fcbdsl.project.project import check_loaded, load_all

    for loader in load_all():
        yield Image(lower(check_loaded(loader)[0]))


def digests(image: Image, seeds: Sequence[int] = SEEDS, thinkers: Sequence[str] = THINKERS) -> list[str]:
    """Return the final states of games between random bots: every mission of a game, seed by seed, with most players.

    Add the states of its first mission after some decisions of other bots.
    """
    from fcbdsl.machine.vm import setup
    from fcbdsl.play.bots.bots import RandomBot
    from fcbdsl.play.bots.roster import make_bot
    from fcbdsl.play.session.playout import play_out

    out = []
    program = image.program
    missions = [row.id for row in program.definitions if program.kinds[row.kind].policy == "mission"]
    for mission in missions:
        for seed in seeds:
            game = setup.start_game(image, mission, program.players[1], seed, {})
            play_out(game, [RandomBot(seed + n) for n in range(program.players[1])])
            out.append(game.digest())
    for name in thinkers:
        game = setup.start_game(image, missions[0], program.players[1], 1, {})
        bot = make_bot(name, 1)
        for _ in range(DECISIONS):
            ask = game.run()
            if ask is not None:
                game.answer(bot.choose(game, ask))
        out.append(game.digest())
    return out


def all_digests() -> list[str]:
    """Return the digests of all shipped games."""
    return [digest for image in images() for digest in digests(image)]


if __name__ == "__main__":
    from fcbdsl.machine.vm import game as played

    print(played.__file__, *all_digests())
