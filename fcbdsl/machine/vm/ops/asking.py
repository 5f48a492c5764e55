"""Questions. One with a single mandatory answer is not asked, unless a test wants to see it."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from fcbdsl.machine.geometry.generator import draw
from fcbdsl.machine.vm import offers
from fcbdsl.machine.vm.interpreter import return_from
from fcbdsl.machine.vm.op import Asking, Int, Label, LabelsNo, List, ListOut, Op, Reg, RegOut, TagNo, TextNo
from fcbdsl.machine.vm.teams import EVERYBODY, asked_as, of_player, voice
from fcbdsl.machine.vm.world import (
    CHOICES,
    DONE,
    DRAWN,
    L_RANDOM,
    LABEL,
    LOST,
    NONE,
    OPENING,
    RANDOM_ASKED,
    SINGLES_ASKED,
    WON,
    Ask,
    Frame,
    Option,
    VMFault,
)

if TYPE_CHECKING:
    from fcbdsl.machine.vm.game import Game

OPTIONAL: Final = 1
AT_RANDOM: Final = 2
"""Flags of ASK."""


def decider_of(g: Game, f: Frame, by: int) -> int:
    """Return the decider of a question: the controller of `by`, or of `self` if `by` is nothing."""
    return g.controller(by if by >= 0 else f.r[0])


def by_chance(g: Game) -> bool:
    """Return whether chance answers the pending question, and not a player."""
    frame = g.world.stack[-1] if g.world.ask is not None and g.world.stack else None
    if not isinstance(frame, Frame):
        return False
    op = g.image.code(frame.code)[frame.pc]
    return isinstance(op, Asking) and op.is_by_chance()


NOTHING_FOR: Final = "nothing is there to choose from for "
"""Start of the fault message of a choice without options; the chooser follows, up to the next comma."""


def needs_one(g: Game, who: int) -> None:
    """Raise VMFault for a choice by `who` without options during setup, because an incomplete setup could look
    intended.

    Later, such a choice only ends the effect as not done.
    """
    if g.world.flags & OPENING:
        count = g.player_count()
        of = f"{_called(g, who)} (of {count} player{'s' if count != 1 else ''})"
        raise VMFault(f"{NOTHING_FOR}{of}, and no action has been offered yet: the game is set up by half")


def _called(g: Game, who: int) -> str:
    """Return a name for a question's `who` that needs no titles."""
    if who >= 0:
        return f"player {who + 1}"
    team = asked_as(g, who)
    return "the players" if team < 0 else f"team {g.program.definitions[g.layout.definition_of[team]].id}"


def _each_once(items: tuple[int, ...]) -> tuple[int, ...]:
    """Return the elements of a list in order, without duplicates."""
    last = -1
    for item in items:
        if item <= last:
            break
        last = item
    else:
        return items  # by number, as most are
    return tuple(dict.fromkeys(items))


def _are_one(items: tuple[int, ...]) -> bool:
    """Return whether there is only one answer; dice with the same face count as one."""
    return len(items) == 1 or (items[0] == items[-1] and items.count(items[0]) == len(items))


class AskOne(Asking):
    """Choose one element of a list (-1: none, if that is allowed); duplicates are one answer. Without any to choose,
    the effect ends unmet, or with a fault if no action has been offered yet."""

    __slots__ = ("by", "flags", "items", "out", "tag", "why")
    name = "ASK"
    out: RegOut
    items: List
    by: Reg
    flags: Int
    tag: TagNo
    why: TextNo

    def is_by_chance(self) -> bool:
        return self.flags & AT_RANDOM != 0

    def run(self, g: Game, f: Frame) -> Op | None:
        items = f.s[self.items]
        optional = self.flags & OPTIONAL != 0
        if not items:
            if optional:
                f.r[self.out] = -1
                return self.then
            needs_one(g, decider_of(g, f, f.r[self.by]))
            f.pc = self.at
            return return_from(g, f, 0, (), False)
        by_chance = self.flags & AT_RANDOM != 0
        if by_chance and not g.world.flags & RANDOM_ASKED:
            value = items[draw(g.world.rng, CHOICES, len(items))]
            g.world.reveals += 1
            g.note((L_RANDOM, self.span, value, self.tag))
            f.r[self.out] = value
            return self.then
        if not optional and not g.world.flags & SINGLES_ASKED and _are_one(items):
            f.r[self.out] = items[0]
            return self.then
        f.pc = self.at
        options: list[Option] = [(self.tag, item) for item in _each_once(items)]
        if optional:
            options.append((NONE,))
        who = -1 if by_chance else decider_of(g, f, f.r[self.by])
        g.world.ask = Ask(who, self.asks, tuple(options), self.why, self.span)
        return None

    def answer(self, g: Game, f: Frame, ask: Ask, choice: int) -> None:
        option = ask.options[choice]
        if self.is_by_chance() and option[0] != NONE:
            g.note((L_RANDOM, self.span, option[1], self.tag))
        f.r[self.out] = -1 if option[0] == NONE else option[1]
        f.pc = self.next


class AskMany(Asking):
    """Choose up to a number of elements of a list, one after the other; duplicates may be chosen separately."""

    __slots__ = ("by", "items", "most", "out", "tag", "why")
    name = "ASKMANY"
    out: ListOut
    items: List
    by: Reg
    most: Reg
    tag: TagNo
    why: TextNo

    def run(self, g: Game, f: Frame) -> Op | None:
        f.pc = self.at
        return None if self._ask(g, f, ()) else self.then

    def _ask(self, g: Game, f: Frame, picked: tuple[int, ...]) -> bool:
        """Ask for one more; return False when no question is left."""
        left = list(f.s[self.items])
        for item in picked:
            left.remove(item)
        f.s[self.out] = picked
        if not left or len(picked) >= f.r[self.most]:
            return False
        options: tuple[Option, ...] = (*[(self.tag, item) for item in dict.fromkeys(left)], (DONE,))
        g.world.ask = Ask(decider_of(g, f, f.r[self.by]), self.asks, options, self.why, self.span, picked)
        return True

    def answer(self, g: Game, f: Frame, ask: Ask, choice: int) -> None:
        option = ask.options[choice]
        if option[0] == DONE or not self._ask(g, f, (*ask.picked, option[1])):
            f.pc = self.next


class AskOption(Asking):
    """Choose one of the allowed options, by its number; -1: none, if the choice is optional or no option is allowed.
    A required choice without an allowed option is a fault during setup."""

    __slots__ = ("allowed", "by", "labels", "optional", "out")
    name = "ASKOPT"
    asks = "option"
    out: RegOut
    allowed: List
    by: Reg
    optional: Int
    labels: LabelsNo

    def run(self, g: Game, f: Frame) -> Op | None:
        labels = g.program.labels[self.labels]
        allowed = [number for number in f.s[self.allowed] if 0 <= number < len(labels)]
        if not allowed:
            if not self.optional:
                needs_one(g, decider_of(g, f, f.r[self.by]))
            f.r[self.out] = -1
            return self.then
        if len(allowed) == 1 and not self.optional and not g.world.flags & SINGLES_ASKED:
            f.r[self.out] = allowed[0]
            return self.then
        f.pc = self.at
        options: list[Option] = [(LABEL, labels[number], number) for number in allowed]
        if self.optional:
            options.append((NONE,))
        g.world.ask = Ask(decider_of(g, f, f.r[self.by]), self.asks, tuple(options), -1, self.span)
        return None

    def answer(self, g: Game, f: Frame, ask: Ask, choice: int) -> None:
        option = ask.options[choice]
        f.r[self.out] = -1 if option[0] == NONE else option[2]
        f.pc = self.next


class Play(Asking):
    """Have a mission played in a separate world; 0: lost, 1: won, 2: drawn, from 3 on: won by the team of that
    number. Without a mission the effect ends unmet."""

    __slots__ = ("mission", "out")
    name = "PLAY"
    asks = "mission"
    out: RegOut
    mission: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        f.pc = self.at
        mission = f.r[self.mission]
        definitions = g.program.definitions
        if not 0 <= mission < len(definitions) or g.program.kinds[definitions[mission].kind].policy != "mission":
            return return_from(g, f, 0, (), False)
        g.world.ask = Ask(-1, self.asks, mission_results(g, mission), -1, self.span)
        return None

    def answer(self, g: Game, f: Frame, ask: Ask, choice: int) -> None:
        option = ask.options[choice]
        g.world.ending = option[3] if len(option) > 3 else -1
        if len(option) > 2 and option[2] >= 0:
            f.r[self.out] = WON_BY + option[2] - g.layout.teams_low
        else:
            f.r[self.out] = ANSWERED.index(option[0])
        f.pc = self.next


ANSWERED = (LOST, WON, DRAWN)
"""The result of PLAY for an end without a team: its index here."""
WON_BY = len(ANSWERED)
"""The result of PLAY for a win of the first team."""


def mission_results(g: Game, mission: int) -> tuple[Option, ...]:
    """Return the possible results of a mission played by a campaign."""
    if not g.program.endings:
        return ((WON, mission), (LOST, mission))
    tags = {"won": WON, "lost": LOST, "drawn": DRAWN}
    first = g.layout.first
    results: list[Option] = []
    for row in g.program.endings:
        if row.mission not in (-1, mission):
            continue
        team = first[row.team] if row.team >= 0 else -1
        if row.ending >= 0:
            results.append((tags[row.sort], mission, team, first[row.ending]))
        else:
            results.append((tags[row.sort], mission, team) if team >= 0 else (tags[row.sort], mission))
    return tuple(dict.fromkeys(results)) or ((WON, mission), (LOST, mission))


class Offer(Asking):
    """Let one of several actors take an action; at `done` if they have none, or pass."""

    __slots__ = ("actors", "by", "done")
    name = "OFFER"
    asks = "action"
    free: ClassVar[bool] = True
    actors: List
    by: Reg
    done: Label

    def run(self, g: Game, f: Frame) -> Op | None:
        actors = f.s[self.actors]
        if g.world.flags & OPENING:
            g.world.flags &= ~OPENING
            if g.hears_changes:  # conditions that became true during setup are handled first
                g.has_new_changes = True
                f.pc = self.at
                return None
        if g.moment_observer is not None:
            g.moment_observer(f, self.at)
        g.spend(1)
        options = offers.options(g, actors)
        if not options:
            return self.there
        f.pc = self.at
        by = f.r[self.by]
        who = g.controller(by) if by >= 0 else _common(g, actors)
        if g.is_lookahead:
            options = []
        if self.free or not options:
            options.append((DONE,))
        g.world.ask = Ask(who, self.asks, tuple(options), -1, self.span)
        return None

    def answer(self, g: Game, f: Frame, ask: Ask, choice: int) -> None:
        option = ask.options[choice]
        f.pc = self.done if option[0] == DONE else self.next
        if option[0] != DONE:
            offers.begin_action(g, option, self.span)


class Oblige(Offer):
    """Let one of several actors take an action; at `done` only if they have none."""

    __slots__ = ()
    name = "OBLIGE"
    free = False
    actors: List
    by: Reg
    done: Label


def _common(g: Game, actors: tuple[int, ...]) -> int:
    """Return the player who controls all the actors, or the team of all who do; -1 if they belong to several."""
    if not actors:
        return EVERYBODY
    first = g.controller(actors[0])
    for actor in actors:
        if g.controller(actor) != first:
            break
    else:
        return first
    players = [g.controller(actor) for actor in actors]
    sides = [of_player(g, player) if player >= 0 else asked_as(g, player) for player in players]
    return voice(g, sides[0]) if sides[0] >= 0 and all(side == sides[0] for side in sides) else EVERYBODY
