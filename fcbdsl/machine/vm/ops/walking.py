"""Walking and shoving across the board."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fcbdsl.machine.geometry import cheapest_walks, shove
from fcbdsl.machine.geometry.board import Geometry
from fcbdsl.machine.vm.op import List, ListOut, Op, Reg, RegOut
from fcbdsl.machine.vm.ops.board_queries import spaces
from fcbdsl.machine.vm.world import Frame

if TYPE_CHECKING:
    from fcbdsl.machine.vm.game import Game

MOST_SURCHARGE: Final = 100
MOST_BUDGET: Final = 1 << 16


def surcharge(extra: int) -> int:
    """Return the additional cost of each step of a walk, clamped."""
    return min(max(extra, 0), MOST_SURCHARGE)


class Reachable(Op):
    """The spaces to which a piece can walk, cheapest first."""

    __slots__ = ("budget", "climbing", "flat", "mover", "out", "surcharge")
    name = "REACHABLE"
    answers = "thing"
    pure = True
    sees = ("place", "ground")
    out: ListOut
    mover: Reg
    budget: Reg
    surcharge: Reg
    climbing: Reg
    flat: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        mover = f.r[self.mover]
        cell = g.cell(mover)
        geo = g.ground()
        g.spend(geo.size)
        f.s[self.out] = ()
        if cell >= 0:
            budget, extra = min(f.r[self.budget], MOST_BUDGET), surcharge(f.r[self.surcharge])
            climbs, flat = f.r[self.climbing] > 0, f.r[self.flat] > 0
            f.s[self.out] = spaces(
                g, cheapest_walks.reachable(geo, cell, budget, extra, climbs, g.occupancy(mover), flat)
            )
        return self.then


class NextSteps(Op):
    """The spaces on which a single step of a piece can end, or a crossing of spaces without footing."""

    __slots__ = ("budget", "climbing", "flat", "mover", "out", "surcharge")
    name = "NEXT_STEPS"
    answers = "thing"
    pure = True
    sees = ("place", "ground")
    out: ListOut
    mover: Reg
    budget: Reg
    surcharge: Reg
    climbing: Reg
    flat: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        mover = f.r[self.mover]
        cell = g.cell(mover)
        geo = g.ground()
        g.spend(1 if geo.all_footing else geo.size)
        f.s[self.out] = ()
        if cell >= 0:
            budget, extra = min(f.r[self.budget], MOST_BUDGET), surcharge(f.r[self.surcharge])
            climbs, flat = f.r[self.climbing] > 0, f.r[self.flat] > 0
            f.s[self.out] = spaces(g, cheapest_walks.next_steps(geo, cell, budget, extra, climbs, g.crowd(), flat))
        return self.then


class StepCost(Op):
    """The cost of a single step of a piece to a space, or of a crossing to it or onto it; -1: none ends there."""

    __slots__ = ("climbing", "flat", "goal", "mover", "out", "surcharge")
    name = "STEP_COST"
    pure = True
    sees = ("place", "ground")
    out: RegOut
    mover: Reg
    goal: Reg
    surcharge: Reg
    climbing: Reg
    flat: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        mover = f.r[self.mover]
        start, goal = g.cell(mover), g.cell(f.r[self.goal])
        geo = g.ground()
        g.spend(1 if geo.all_footing else geo.size)
        f.r[self.out] = -1
        if min(start, goal) >= 0:
            extra, climbs = surcharge(f.r[self.surcharge]), f.r[self.climbing] > 0
            f.r[self.out] = cheapest_walks.step_cost(geo, start, goal, extra, climbs, g.crowd(), f.r[self.flat] > 0)
        return self.then


class WalkCost(Op):
    """The cost of the cheapest walk of a piece to a space; -1: there is none. `ignoring`: pieces are not in the way."""

    __slots__ = ("climbing", "flat", "goal", "ignoring", "mover", "out", "surcharge")
    name = "WALK_COST"
    pure = True
    sees = ("place", "ground")
    out: RegOut
    mover: Reg
    goal: Reg
    surcharge: Reg
    climbing: Reg
    ignoring: Reg
    flat: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        mover = f.r[self.mover]
        start, goal = g.cell(mover), g.cell(f.r[self.goal])
        geo = g.ground()
        g.spend(geo.size)
        f.r[self.out] = -1
        if min(start, goal) >= 0:
            extra, climbs = surcharge(f.r[self.surcharge]), f.r[self.climbing] > 0
            occupancy = bytes(geo.size) if f.r[self.ignoring] > 0 else g.occupancy(mover)
            f.r[self.out] = cheapest_walks.walk_cost(geo, start, goal, extra, climbs, occupancy, f.r[self.flat] > 0)
        return self.then


class StepsToward(Op):
    """The neighboring spaces that begin a cheapest walk of a piece to a nearest goal."""

    __slots__ = ("climbing", "flat", "goals", "ignoring", "mover", "out", "stride", "surcharge")
    name = "STEPS_TOWARD"
    answers = "thing"
    pure = True
    sees = ("place", "ground")
    out: ListOut
    goals: List
    mover: Reg
    surcharge: Reg
    climbing: Reg
    ignoring: Reg
    flat: Reg
    stride: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        mover = f.r[self.mover]
        cell = g.cell(mover)
        geo = g.ground()
        g.spend(geo.size)
        goals = [g.cell(goal) for goal in f.s[self.goals]]
        goals = [goal for goal in goals if goal >= 0]
        f.s[self.out] = ()
        if cell >= 0 and goals:
            occupancy = bytes(geo.size) if f.r[self.ignoring] > 0 else g.occupancy(mover)
            extra, climbs = surcharge(f.r[self.surcharge]), f.r[self.climbing] > 0
            flat, stride = f.r[self.flat] > 0, f.r[self.stride]
            f.s[self.out] = spaces(
                g, cheapest_walks.steps_toward(geo, cell, goals, extra, climbs, occupancy, flat, stride)
            )
        return self.then


def occupancy(g: Game, fixed: tuple[int, ...], climbing: tuple[int, ...]) -> bytes:
    """Return, per space, how its piece that blocks movement can be shoved: see `geometry.shove`."""
    layout, mem = g.layout, g.world.mem
    out = bytearray(g.ground().size)
    for low, high in g.image.blocking_movement:
        for piece in range(low, high):
            space = mem[layout.place + piece]
            if space >= 0:
                cell = space - layout.spaces_low
                if out[cell] != shove.EMPTY or piece in fixed:
                    out[cell] = shove.FIXED
                else:
                    out[cell] = shove.CLIMBER if piece in climbing else shove.WALKER
    return bytes(out)


Shoving = tuple[Geometry, int, int, int, bool, bytes, int]


def shoving(op: ShoveWays | ShoveJam | ShoveDoubts, g: Game, f: Frame) -> Shoving:
    """Return the arguments of `shove.ways` and `shove.blocked_sets`."""
    target, geo = f.r[op.target], g.ground()
    g.spend(geo.size)
    sort = shove.CLIMBER if target in f.s[op.climbing] else shove.WALKER
    pieces = occupancy(g, f.s[op.fixed], f.s[op.climbing])
    return geo, g.cell(f.r[op.origin]), g.cell(target), sort, f.r[op.pulling] > 0, pieces, f.r[op.along]


class ShoveWays(Op):
    """The spaces to which a shoved (or pulled) piece can go most easily; none: it is blocked."""

    __slots__ = ("along", "climbing", "fixed", "origin", "out", "pulling", "target")
    name = "SHOVE_WAYS"
    answers = "thing"
    pure = True
    out: ListOut
    target: Reg
    origin: Reg
    pulling: Reg
    fixed: List
    climbing: List
    along: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        f.s[self.out] = spaces(g, shove.ways(*shoving(self, g, f)))
        return self.then


def smallest_sets(op: ShoveJam | ShoveDoubts, g: Game, f: Frame) -> list[tuple[int, ...]]:
    """Return the smallest sets of pieces with all of `struck` that a blocked shove could hurt, far end first, target
    last."""
    target = f.r[op.target]
    rows = shove.blocked_sets(*shoving(op, g, f))
    sets = [(*[g.piece_at(space) for space in spaces(g, row[:-1])], target) for row in rows]
    return [pieces for pieces in sets if all(piece in pieces for piece in f.s[op.struck])]


class ShoveJam(Op):
    """The pieces that a blocked shove hurts, far end first: the first smallest set that holds all of `struck`."""

    __slots__ = ("along", "climbing", "fixed", "origin", "out", "pulling", "struck", "target")
    name = "SHOVE_JAM"
    answers = "thing"
    pure = True
    out: ListOut
    target: Reg
    origin: Reg
    pulling: Reg
    fixed: List
    climbing: List
    struck: List
    along: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        f.s[self.out] = next(iter(smallest_sets(self, g, f)), ())
        return self.then


class ShoveDoubts(Op):
    """The pieces in some, but not all, of the smallest sets that contain all of `struck`; a player must choose."""

    __slots__ = ("along", "climbing", "fixed", "origin", "out", "pulling", "struck", "target")
    name = "SHOVE_DOUBTS"
    answers = "thing"
    pure = True
    out: ListOut
    target: Reg
    origin: Reg
    pulling: Reg
    fixed: List
    climbing: List
    struck: List
    along: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        sets = smallest_sets(self, g, f)
        every = dict.fromkeys(piece for pieces in sets for piece in pieces)
        f.s[self.out] = tuple(piece for piece in every if not all(piece in pieces for pieces in sets))
        return self.then
