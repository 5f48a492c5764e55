"""Finds reasons why a win rate is not meaningful. The bots never came nearer to a win, random players win more often,
or all games were won or none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from typing import Any

from fcbdsl.base.locales import interface_texts
from fcbdsl.base.records import dataclass
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.program import Program
from fcbdsl.play.bots.bot_names import read_bots
from fcbdsl.play.simulation.aims import movers
from fcbdsl.play.simulation.games import Matchup, Playout
from fcbdsl.play.simulation.win_conditions import Goals, team_number

CONTROLS = 40
"""Most games of random players in a cell, for comparison with its bots."""
MOST_MOVERS = 3
"""Most actions that are listed for an aim."""


@dataclass(frozen=True, slots=True)
class Mover:
    """An action that moves an aim: how many questions offered it, how often it was taken, and how often it brought the
    aim nearer."""

    title: str
    offered: int
    taken: int
    moved: int


@dataclass(frozen=True, slots=True)
class AimSummary:
    """The results of an aim in the games of a cell.

    `titles`: the facts that it reads; `rises`: whether they must rise (1) or fall (-1). `games`: games in which it was
    open at the start; `moved`: those in which it came nearer; `met`: those in which it was fulfilled; `movers`: actions
    that can move it.
    """

    titles: tuple[str, ...]
    rises: int
    games: int
    moved: int
    met: int
    movers: tuple[Mover, ...]


@dataclass(slots=True)
class AimTally:
    """Counts of an aim: the games in which it moved or was met, and the actions that moved it."""

    reads: set[str] = field(default_factory=set)
    rises: int = 0
    games: int = 0
    moved: int = 0
    met: int = 0
    by: dict[str, int] = field(default_factory=dict)


class Aiming:
    """The aims of a cell's games, counted. `ways`: the aims of each way to win that was open in some game."""

    def __init__(self) -> None:
        self.aims: dict[str, AimTally] = {}
        self.ways: set[tuple[str, ...]] = set()

    def add(self, game: Playout) -> None:
        """Count the aims of a game."""
        for way in game.aims:
            self.ways.add(tuple(sorted(way)))
        each = {key: row for way in game.aims for key, row in way.items()}
        for key, (start, best, rises, reads, by) in each.items():
            tally = self.aims.setdefault(key, AimTally())
            tally.reads.update(reads)
            tally.rises = tally.rises or rises
            tally.games += 1
            tally.moved += best < start
            tally.met += best == 0
            for action, times in by.items():
                tally.by[action] = tally.by.get(action, 0) + times

    def still(self) -> list[str]:
        """Return the aims that never came nearer and that block every way to a win; empty if some way has no such
        aim."""
        stuck = [[key for key in way if not self.aims[key].moved] for way in sorted(self.ways)]
        return list(dict.fromkeys(key for keys in stuck for key in keys)) if stuck and all(stuck) else []


Reason = tuple[str, tuple[str, ...]]
"""Why a rate is not meaningful: the word of a phrase, and its parts."""


def reasons(
    won: int, games: int, still: Sequence[AimSummary], control: tuple[int, int] | None, contestants: int = 0
) -> tuple[Reason, ...]:
    """Return the reasons why the win rate of a cell is not meaningful.

    `still`: aims that never moved; `control`: wins and games of random players; `contestants`: the number of players
    who win singly (0: all win and lose together, or by teams).
    """
    if not games:
        return ()
    if contestants and won == games:
        return (("unsound-contest" if contestants > 1 else "unsound-alone", (str(games),)),)
    listed: list[Reason] = []
    if still and not won:
        listed.append(("unsound-still", (" + ".join(still[0].titles),)))
    if control is not None and control[0] * games > won * control[1]:
        listed.append(("unsound-random", (str(control[0]), str(control[1]))))
    if not won:
        listed.append(("unsound-none", (str(games),)))
    elif won == games:
        listed.append(("unsound-all", (str(games),)))
    return tuple(listed)


CURES = {
    "unsound-all": "unsound-cure-all",
    "unsound-contest": "unsound-cure-contest",
    "unsound-alone": "unsound-cure-alone",
}
"""The advice for a reason that is the only one."""


def with_random(cell: Matchup) -> Matchup | None:
    """Return the cell with random players for the side whose wins count. None: they are random already."""
    bots = read_bots(cell.bot)
    if not cell.side:
        return None if all(bot.name == "random" for bot in bots) else replace(cell, bot="random")
    own = next((bot for bot in bots if bot.side == cell.side), None) or next(
        (bot for bot in bots if not bot.side), None
    )
    if own is None or own.name == "random":
        return None
    others = [part for part in cell.bot.split(",") if part.strip().rpartition("=")[0] != cell.side]
    return replace(cell, bot=",".join([f"{cell.side}=random", *others]))


def aims_of(
    program: Program, cell: Matchup, aiming: Aiming, uses: Mapping[str, Sequence[int]], language: str
) -> tuple[tuple[AimSummary, ...], tuple[AimSummary, ...]]:
    """Return all aims of a cell, and those among them that never moved although every way to win needs them."""
    if not aiming.aims:
        return (), ()
    goals = Goals(Image(program), team_number(program, cell.side))
    summaries = {key: _summed(program, goals, tally, uses, language) for key, tally in sorted(aiming.aims.items())}
    shown = {key: summary for key, summary in summaries.items() if summary.titles and summary.met < summary.games}
    still = tuple(shown[key] for key in aiming.still() if key in shown)
    if any(summary.movers for summary in still):  # the others follow from these: no action changes them
        return tuple(summary for summary in shown.values() if summary.moved or summary.movers), still
    return tuple(shown.values()), still


def _summed(
    program: Program, goals: Goals, tally: AimTally, uses: Mapping[str, Sequence[int]], language: str
) -> AimSummary:
    names = movers(goals, [read for read in tally.reads if not read.startswith(("kind", "place"))], tally.rises)
    if not names and any(read.startswith("place") for read in tally.reads):
        names = [name for name in movers(goals, sorted(tally.reads), tally.rises) if f"action {name}" in uses]
    names.sort(key=lambda name: not uses.get(f"action {name}", (0, 0))[1])  # those on offer first
    seen = sorted(tally.by, key=lambda name: (-tally.by[name], name))
    rows = []
    for name in list(dict.fromkeys([*seen, *names]))[:MOST_MOVERS]:
        counts = uses.get(f"action {name}", (0, 0))
        title = next((row.title for row in program.actions if row.name == name), -1)
        rows.append(Mover(_text(program, title, language) or name, counts[1], counts[0], tally.by.get(name, 0)))
    return AimSummary(
        _titles(program, tally.reads, language), tally.rises, tally.games, tally.moved, tally.met, tuple(rows)
    )


def _titles(program: Program, reads: set[str], language: str) -> tuple[str, ...]:
    """Return the titles of the facts that are read; kinds and places only if there are no others."""
    sorts = ("track", "field", "zone", "action", "place", "kind")
    titles: dict[str, list[str]] = {sort: [] for sort in sorts}
    for read in sorted(reads):
        sort, _, number = read.partition(" ")
        titles[sort].append(_title(program, sort, int(number), language))
    named = [title for sort in sorts[:4] for title in titles[sort]]
    places = [interface_texts("report", language)["position"].format(title) for title in titles["place"]]
    return tuple(dict.fromkeys(named or places or titles["kind"]))


def cure(program: Program, mission: str, why: Sequence[Reason]) -> Reason:
    """Return the advice for a rate that is not meaningful for these reasons: the word of a phrase, and its parts."""
    words = [word for word, _ in why]
    if len(words) == 1 and words[0] in CURES:
        return CURES[words[0]], ()
    hints = [f"`preferences for {mission}:`", *(f"`{name}:`" for name in formulas(program))]
    return "unsound-cure-none" if words == ["unsound-none"] else "unsound-cure", (" + ".join(hints),)


def formulas(program: Program) -> list[str]:
    """Return the fields of missions that hold a formula for bots."""
    missions = {number for number, row in enumerate(program.kinds) if row.policy == "mission"}
    return [row.name for row in program.fields if row.kind in missions and row.codes == "pure" and row.tag == "number"]


def _title(program: Program, sort: str, number: int, language: str) -> str:
    rows: Any = {
        "track": program.definitions,
        "field": program.fields,
        "zone": program.zones,
        "action": program.actions,
        "place": program.kinds,
        "kind": program.kinds,
    }[sort]
    row = rows[number]
    return _text(program, row.title, language) or str(getattr(row, "name", "") or getattr(row, "id", ""))


def _text(program: Program, number: int, language: str) -> str:
    if number < 0:
        return ""
    texts = program.texts[number]
    return (texts.get(language) or texts.get("en") or next(iter(texts.values()), "")).partition(" / ")[0]
