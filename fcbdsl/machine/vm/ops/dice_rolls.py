"""Dice and ladders. A die is its number in the program's table; what it shows, the value of a face."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fcbdsl.machine.geometry.dice import shift_on_ladder
from fcbdsl.machine.geometry.generator import draw
from fcbdsl.machine.vm.op import List, ListOut, Op, Reg, RegOut
from fcbdsl.machine.vm.ops.registers import new_list
from fcbdsl.machine.vm.world import BY_CHANCE, DICE, DICE_SCRIPTED, L_ROLL, Chance, Frame, VMFault

if TYPE_CHECKING:
    from fcbdsl.machine.vm.game import Game

MOST_DICE: Final = 200
"""Dice in one roll at most."""


def roll_die(g: Game, die: int, span: int) -> int:
    """Return the value of a rolled die: the next one of the script, else a random one.

    A die with one face needs neither.
    """
    w = g.world
    if not 0 <= die < len(g.program.dice):
        raise VMFault("nothing is rolled as a die")
    values = g.program.dice[die].values
    if not values:
        raise VMFault("a die without faces is rolled")
    g.spend(1)
    if len(values) == 1:
        value = values[0]
    elif w.script:
        value = w.script.pop(0)
        if value not in values:
            raise VMFault(f"the scripted {value} is not on the die {g.program.dice[die].name}")
    elif w.flags & DICE_SCRIPTED:
        raise VMFault(f"no die is scripted for this roll of {g.program.dice[die].name}")
    else:
        value = values[draw(w.rng, DICE, len(values))]
        w.reveals += 1
    g.note((L_ROLL, span, die, value))
    return value


def stops(g: Game, f: Frame, at: int, die: int, count: int) -> bool:
    """Stop a look-ahead game before dice are rolled at random; return False if it goes on (see `vm.milestones`)."""
    if g.chance is not None:
        g.chance = None
        return False
    w = g.world
    values = g.program.dice[die].values if 0 <= die < len(g.program.dice) else ()
    if count <= 0 or len(values) < 2 or w.script or w.flags & DICE_SCRIPTED:
        return False
    g.chance = Chance(DICE, tuple(values), count)
    f.pc = at
    w.ask = BY_CHANCE
    return True


def symbols_of_face(g: Game, die: int, value: int) -> tuple[int, ...]:
    """Return the symbols that a die shows with a face of that value."""
    row = g.program.dice[die]
    return row.shows[row.values.index(value)] if row.shows else (value,)


class Roll(Op):
    """Roll a die."""

    __slots__ = ("die", "out")
    name = "ROLL"
    out: RegOut
    die: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        if g.stops_at_chance and stops(g, f, self.at, f.r[self.die], 1):
            return None
        f.r[self.out] = roll_die(g, f.r[self.die], self.span)
        return self.then


class Rolln(Op):
    """Roll several dice: all symbols that they show."""

    __slots__ = ("count", "die", "out")
    name = "ROLLN"
    out: ListOut
    count: Reg
    die: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        count, die = min(f.r[self.count], MOST_DICE), f.r[self.die]
        if g.stops_at_chance and stops(g, f, self.at, die, count):
            return None
        f.s[self.out] = tuple(
            [symbol for _ in range(count) for symbol in symbols_of_face(g, die, roll_die(g, die, self.span))]
        )
        return self.then


class Rolleach(Op):
    """Roll several dice: what each of them shows, a value for a face."""

    __slots__ = ("count", "die", "out")
    name = "ROLLEACH"
    out: ListOut
    count: Reg
    die: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        count, die = min(f.r[self.count], MOST_DICE), f.r[self.die]
        if g.stops_at_chance and stops(g, f, self.at, die, count):
            return None
        f.s[self.out] = tuple([roll_die(g, die, self.span) for _ in range(count)])
        return self.then


class Rollsum(Op):
    """Roll several dice and add up their values."""

    __slots__ = ("count", "die", "out")
    name = "ROLLSUM"
    out: RegOut
    count: Reg
    die: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        count, die = min(f.r[self.count], MOST_DICE), f.r[self.die]
        if g.stops_at_chance and stops(g, f, self.at, die, count):
            return None
        f.r[self.out] = sum([roll_die(g, die, self.span) for _ in range(count)])
        return self.then


class Symbols(Op):
    """All symbols on some faces of dice, in their order; a face that shows nothing has none."""

    __slots__ = ("faces", "out")
    name = "SYMBOLS"
    pure = True
    cheap = True
    out: ListOut
    faces: List

    def run(self, g: Game, f: Frame) -> Op | None:
        f.s[self.out] = new_list(g, tuple([symbol for face in f.s[self.faces] for symbol in g.image.symbols_on(face)]))
        return self.then


class LadderShift(Op):
    """The die some rungs nearer the best end of its ladder; past an end the sure die of that end."""

    __slots__ = ("base", "out", "steps")
    name = "LADDER_SHIFT"
    pure = True
    out: RegOut
    base: Reg
    steps: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        ladder, rung = g.image.rung(f.r[self.base])
        f.r[self.out] = f.r[self.base]
        if ladder >= 0:
            row = g.program.ladders[ladder]
            place = shift_on_ladder(rung, f.r[self.steps], len(row.dice))
            f.r[self.out] = row.above if place < 0 else row.below if place == len(row.dice) else row.dice[place]
        return self.then


class LadderRung(Op):
    """The place of a die on its ladder, 0 the best; a sure die is one past the end; -1 also for a die on no ladder."""

    __slots__ = ("base", "out")
    name = "LADDER_RUNG"
    pure = True
    out: RegOut
    base: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        f.r[self.out] = g.image.rung(f.r[self.base])[1]
        return self.then


class DieSure(Op):
    """Whether a die has a single face, so that nothing is rolled."""

    __slots__ = ("die", "out")
    name = "DIE_SURE"
    pure = True
    out: RegOut
    die: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        die = f.r[self.die]
        is_die = 0 <= die < len(g.program.dice)
        f.r[self.out] = 1 if is_die and len(g.program.dice[die].values) == 1 else 0
        return self.then
