"""Stories of the games of a cell, each from its seed alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from fcbdsl.base.records import dataclass
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.program import Program
from fcbdsl.play.session import worker_pool
from fcbdsl.play.session.story import Heading, StoryLine, retold
from fcbdsl.play.session.view import View
from fcbdsl.play.simulation.games import Matchup, record_playout

FIRST, LAST = 250, 100
"""Lines shown from the start and from the end of a long game."""


@dataclass(frozen=True, slots=True)
class Wish:
    """A game whose story is wanted, and its language."""

    cell: Matchup
    seed: int
    language: str


@dataclass(frozen=True, slots=True)
class GameStory:
    """A game in words. `cut`: how many lines are left out between `beginning` and `end`."""

    outcome: str
    beginning: tuple[Heading | StoryLine, ...]
    cut: int
    end: tuple[Heading | StoryLine, ...]


def tell(program: Program, wishes: Sequence[Wish], jobs: int, report: Callable[[Wish, GameStory], None]) -> None:
    """Play games again and return their stories, in `jobs` processes; a callback gets each as soon as it is ready."""
    for number, game in worker_pool.run_tasks(program, _played_again, wishes, min(jobs, max(1, len(wishes)))):
        report(wishes[number], game)


def _played_again(image: Image, wish: Wish) -> GameStory:
    record = record_playout(image, wish.cell, wish.seed)
    story = retold(image, record, View(image, wish.language))
    beginning, cut, end = shorten_story(story.entries)
    return GameStory(story.outcome, beginning, cut, end)


def shorten_story(
    story: Sequence[Heading | StoryLine], first: int = FIRST, last: int = LAST
) -> tuple[tuple[Heading | StoryLine, ...], int, tuple[Heading | StoryLine, ...]]:
    """Return the headings to repeat before the rest of a story that is cut."""
    lines = sum(isinstance(entry, StoryLine) for entry in story)
    if lines <= first + last:
        return tuple(story), 0, ()
    beginning: list[Heading | StoryLine] = []
    end: list[Heading | StoryLine] = []
    above: list[Heading] = []
    number = 0
    for entry in story:
        if isinstance(entry, StoryLine):
            number += 1
            if number <= first:
                beginning.append(entry)
            elif number > lines - last:
                end += [*above, entry]
                above = []
            continue
        above = [heading for heading in above if heading.level < entry.level] + [entry]
        if number < first:
            beginning.append(entry)
    return tuple(beginning), lines - first - last, tuple(end)
