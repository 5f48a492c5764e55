"""The board: neighbors, distance, sight, and putting things there. A thing counts as its space."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fcbdsl.machine.geometry.board import OPEN, RAISED
from fcbdsl.machine.vm import changes, events
from fcbdsl.machine.vm.op import List, ListOut, Lookup, Op, Reg, RegOut
from fcbdsl.machine.vm.world import Frame, VMFault

if TYPE_CHECKING:
    from mypy_extensions import i64

    from fcbdsl.machine.vm.game import Game


NOBODY: tuple[int, ...] = ()


def spaces(g: Game, cells: list[int]) -> tuple[int, ...]:
    """Return board numbers as spaces."""
    low = g.layout.spaces_low
    return tuple([cell + low for cell in cells if cell >= 0])


class Neighbours(Op):
    """The neighboring spaces of a thing, also across barriers."""

    __slots__ = ("out", "thing")
    name = "NEIGHBOURS"
    answers = "thing"
    pure = True
    sees = ("place", "ground")
    cheap = True
    lists = "space"
    out: ListOut
    thing: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        cell = g.cell(f.r[self.thing])
        if cell < 0:
            f.s[self.out] = ()
            return self.then
        ground = g.ground()
        neighbors = ground.neighbouring[cell]
        if neighbors is None:
            neighbors = spaces(g, list(ground.neighbours(cell)))
            ground.neighbouring[cell] = neighbors
        f.s[self.out] = neighbors
        return self.then


class Beside(Lookup):
    """Whether two things are on neighboring spaces, also across a barrier."""

    __slots__ = ("a", "b")
    name = "BESIDE"
    pure = True
    sees = ("place", "ground")
    lister = Neighbours
    lists_exactly = True
    out: RegOut
    a: Reg
    b: Reg

    def read(self, g: Game, f: Frame) -> i64:
        return 1 if g.ground().beside(g.cell(f.r[self.a]), g.cell(f.r[self.b])) else 0


class Around(Op):
    """The spaces that touch that of a thing, also at a corner or across a barrier."""

    __slots__ = ("out", "thing")
    name = "AROUND"
    answers = "thing"
    pure = True
    sees = ("place", "ground")
    cheap = True
    lists = "space"
    out: ListOut
    thing: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        cell = g.cell(f.r[self.thing])
        f.s[self.out] = spaces(g, list(g.ground().around(cell))) if cell >= 0 else ()
        return self.then


class Touches(Op):
    """Whether two things are on spaces that touch, also at a corner or across a barrier."""

    __slots__ = ("a", "b", "out")
    name = "TOUCHES"
    pure = True
    sees = ("place", "ground")
    lister = Around
    lists_exactly = True
    out: RegOut
    a: Reg
    b: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        f.r[self.out] = 1 if g.ground().touches(g.cell(f.r[self.a]), g.cell(f.r[self.b])) else 0
        return self.then


class Adjoining(Op):
    """The neighboring spaces of a thing to which no barrier stops movement."""

    __slots__ = ("out", "thing")
    name = "ADJOINING"
    answers = "thing"
    pure = True
    sees = ("place", "ground")
    cheap = True
    lists = "space"
    out: ListOut
    thing: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        cell = g.cell(f.r[self.thing])
        ground = g.ground()
        if cell < 0:
            f.s[self.out] = ()
            return self.then
        adjacent = ground.adjoining[cell]
        if adjacent is None:
            adjacent = spaces(g, list(ground.links[cell]))
            ground.adjoining[cell] = adjacent
        f.s[self.out] = adjacent
        return self.then


class Linked(Lookup):
    """Whether two things are on neighboring spaces and no barrier between them stops movement."""

    __slots__ = ("a", "b")
    name = "LINKED"
    pure = True
    sees = ("place", "ground")
    lister = Adjoining
    lists_exactly = True
    out: RegOut
    a: Reg
    b: Reg

    def read(self, g: Game, f: Frame) -> i64:
        ground, mem = g.world.ground, g.world.mem
        if ground is None:
            ground = g.ground()
        a = f.r[self.a]  # `Position.cell`, inlined: few ops run more often
        if 0 <= a < g.body:
            a = mem[g.place + a]
        low, end = g.spaces_low, g.spaces_end
        if not low <= a < end:
            return 0
        b = f.r[self.b]
        if 0 <= b < g.body:
            b = mem[g.place + b]
        return ground.linking[(a - low) * ground.size + b - low] if low <= b < end else 0


class Connected(Lookup):
    """Whether a chain of linked spaces joins two things."""

    __slots__ = ("a", "b")
    name = "CONNECTED"
    pure = True
    sees = ("place", "ground")
    out: RegOut
    a: Reg
    b: Reg

    def read(self, g: Game, f: Frame) -> i64:
        return 1 if g.ground().connected(g.cell(f.r[self.a]), g.cell(f.r[self.b])) else 0


class Within(Op):
    """Whether a thing is at most so far from another."""

    __slots__ = ("a", "b", "distance", "out")
    name = "WITHIN"
    pure = True
    sees = ("place", "ground")
    out: RegOut
    a: Reg
    distance: Reg
    b: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        f.r[self.out] = 1 if g.ground().within(g.cell(f.r[self.a]), f.r[self.distance], g.cell(f.r[self.b])) else 0
        return self.then


class RangeBetween(Op):
    """The distance of two things by the board's metric."""

    __slots__ = ("a", "b", "out")
    name = "RANGE"
    pure = True
    sees = ("place", "ground")
    out: RegOut
    a: Reg
    b: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        f.r[self.out] = g.ground().range(g.cell(f.r[self.a]), g.cell(f.r[self.b]))
        return self.then


class RangeOverCorners(Op):
    """The distance of two things if steps over corners count as one."""

    __slots__ = ("a", "b", "out")
    name = "RANGE_OVER_CORNERS"
    pure = True
    sees = ("place", "ground")
    out: RegOut
    a: Reg
    b: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        f.r[self.out] = g.ground().range_over_corners(g.cell(f.r[self.a]), g.cell(f.r[self.b]))
        return self.then


class Sees(Op):
    """Whether a line of sight joins two things, with no piece on it that blocks sight."""

    __slots__ = ("a", "b", "out", "strict")
    name = "SEES"
    pure = True
    sees = ("place", "ground")
    out: RegOut
    a: Reg
    b: Reg
    strict: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        g.spend(1)
        seen = g.sees(g.cell(f.r[self.a]), g.cell(f.r[self.b]), f.r[self.strict] > 0)
        f.r[self.out] = 1 if seen else 0
        return self.then


class SeesPast(Op):
    """Whether a line of sight joins two things, with no piece on it that blocks sight, except some."""

    __slots__ = ("a", "b", "out", "past", "strict")
    name = "SEES_PAST"
    pure = True
    sees = ("place", "ground")
    out: RegOut
    a: Reg
    b: Reg
    past: List
    strict: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        g.spend(1)
        seen = g.sees(g.cell(f.r[self.a]), g.cell(f.r[self.b]), f.r[self.strict] > 0, f.s[self.past])
        f.r[self.out] = 1 if seen else 0
        return self.then


class Screened(Op):
    """Whether terrain that gives cover is between a target and its attacker, next to the target."""

    __slots__ = ("attacker", "out", "strict", "target")
    name = "SCREENED"
    pure = True
    sees = ("place", "ground")
    out: RegOut
    target: Reg
    attacker: Reg
    strict: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        g.spend(1)
        target, attacker = g.cell(f.r[self.target]), g.cell(f.r[self.attacker])
        f.r[self.out] = 1 if g.ground().screened(target, attacker, f.r[self.strict] > 0) else 0
        return self.then


class Crossed(Op):
    """Whether the line between two things crosses the space of a third."""

    __slots__ = ("a", "b", "out", "x")
    name = "CROSSED"
    pure = True
    sees = ("place", "ground")
    out: RegOut
    x: Reg
    a: Reg
    b: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        x, a, b = g.cell(f.r[self.x]), g.cell(f.r[self.a]), g.cell(f.r[self.b])
        f.r[self.out] = 1 if min(x, a, b) >= 0 and g.ground().crossed(x, a, b) else 0
        return self.then


class Standing(Op):
    """The pieces on some spaces, by number."""

    __slots__ = ("out", "where")
    name = "STANDING"
    answers = "thing"
    pure = True
    sees = ("place", "zone")
    cheap = True
    lists = "piece"
    lists_by_number = True
    out: ListOut
    where: List

    def run(self, g: Game, f: Frame) -> Op | None:
        standing, where = g.world.standing, f.s[self.where]
        if len(where) == 1:
            pieces = standing.get(where[0], NOBODY)
            for piece in pieces:
                if not g.in_play(piece):
                    pieces = tuple([other for other in pieces if g.in_play(other)])
                    break
            f.s[self.out] = pieces
            return self.then
        g.spend(len(where) >> 4)
        occupants = [piece for space in where for piece in standing.get(space, ())]
        if len(where) > 1:  # a space may be listed twice
            occupants = list(dict.fromkeys(sorted(occupants)))
        f.s[self.out] = tuple([piece for piece in occupants if g.in_play(piece)])
        return self.then


class On(Lookup):
    """Whether a thing is on one of some spaces."""

    __slots__ = ("thing", "where")
    name = "ON"
    pure = True
    sees = ("place",)
    lister = Standing
    lists_exactly = True
    out: RegOut
    thing: Reg
    where: List

    def read(self, g: Game, f: Frame) -> i64:
        space = g.space(g.cell(f.r[self.thing]))
        return 1 if space >= 0 and space in f.s[self.where] else 0


class OnBoard(Lookup):
    """Whether a thing is on the board."""

    __slots__ = ("thing",)
    name = "ON_BOARD"
    pure = True
    sees = ("place",)
    boardless = True
    out: RegOut
    thing: Reg

    def read(self, g: Game, f: Frame) -> i64:
        thing = f.r[self.thing]  # `Position.cell`, inlined: few ops run more often
        if 0 <= thing < g.body:
            thing = g.world.mem[g.place + thing]
        return 1 if g.spaces_low <= thing < g.spaces_end else 0


class MarkedSpaces(Op):
    """The spaces of the board that bear a mark, by number."""

    __slots__ = ("mark", "out")
    name = "MARKED_SPACES"
    answers = "thing"
    pure = True
    sees = ()
    cheap = True
    lists = "space"
    lists_by_number = True
    out: ListOut
    mark: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        f.s[self.out] = g.image.marked_spaces(g.world.board, f.r[self.mark])
        return self.then


class Marked(Lookup):
    """Whether a space bears a mark."""

    __slots__ = ("mark", "where")
    name = "MARKED"
    pure = True
    sees = ("place",)
    lister = MarkedSpaces
    lists_exactly = True
    out: RegOut
    where: Reg
    mark: Reg

    def read(self, g: Game, f: Frame) -> i64:
        space = f.r[self.where]  # `Position.cell`, inlined: few ops run more often
        if 0 <= space < g.body:
            space = g.world.mem[g.place + space]
        if not g.spaces_low <= space < g.spaces_end:
            return 0
        marks = g.marks[space - g.spaces_low]
        return 1 if marks and f.r[self.mark] in marks else 0


class Joined(Op):
    """The spaces that a mark of the map joins to a space, in the order of the map."""

    __slots__ = ("mark", "out", "where")
    name = "JOINED"
    answers = "thing"
    pure = True
    out: ListOut
    where: Reg
    mark: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        cell, mark = g.cell(f.r[self.where]), f.r[self.mark]
        joins = g.program.boards[g.world.board].joins if cell >= 0 else ()
        ends = [b if a == cell else a for a, b, bears in joins if bears == mark and cell in (a, b)]
        f.s[self.out] = tuple([g.space(end) for end in ends])
        return self.then


class TerrainSpaces(Op):
    """The spaces of the board that are of a terrain, by number."""

    __slots__ = ("out", "terrain")
    name = "TERRAIN_SPACES"
    answers = "thing"
    pure = True
    sees = ("ground",)
    cheap = True
    lists = "space"
    lists_by_number = True
    out: ListOut
    terrain: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        terrain, low = f.r[self.terrain], g.spaces_low
        if g.world.board < 0:
            f.s[self.out] = ()
            return self.then
        g.spend((g.spaces_end - low) >> 3)
        by_terrain = g.ground().of_terrain
        matches = by_terrain.get(terrain)
        if matches is None:
            ground = g.world.mem[g.layout.terrain + low : g.layout.terrain + g.spaces_end]
            matches = tuple([space for space, its in enumerate(ground, low) if its == terrain])
            by_terrain[terrain] = matches
        f.s[self.out] = matches
        return self.then


class TerrainIs(Lookup):
    """Whether the space of a thing is of a terrain."""

    __slots__ = ("terrain", "thing")
    name = "TERRAIN_IS"
    pure = True
    sees = ("place", "ground")
    lister = TerrainSpaces
    lists_exactly = True
    out: RegOut
    thing: Reg
    terrain: Reg

    def read(self, g: Game, f: Frame) -> i64:
        space, mem = f.r[self.thing], g.world.mem  # `Position.cell`, inlined: few ops run more often
        if 0 <= space < g.body:
            space = mem[g.place + space]
        if not g.spaces_low <= space < g.spaces_end:
            return 0
        return 1 if mem[g.layout.terrain + space] == f.r[self.terrain] else 0


class BarrierIs(Lookup):
    """Whether the side between two neighboring spaces, or the spaces of two things, bears a barrier."""

    __slots__ = ("a", "b", "barrier")
    name = "BARRIER_IS"
    pure = True
    out: RegOut
    a: Reg
    b: Reg
    barrier: Reg

    def read(self, g: Game, f: Frame) -> i64:
        a, b = g.cell(f.r[self.a]), g.cell(f.r[self.b])
        if a < 0 or b < 0:
            return 0
        side = g.shape().side(a, b)
        return 1 if side >= 0 and g.world.mem[g.layout.barriers + side] == f.r[self.barrier] else 0


class SidesOf(Op):
    """The sides of the space of a thing, in the order of directions."""

    __slots__ = ("out", "thing")
    name = "SIDES_OF"
    pure = True
    cheap = True
    lists = "side"
    out: ListOut
    thing: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        cell = g.cell(f.r[self.thing])
        shape = g.shape() if cell >= 0 else None
        sides = [shape.side(cell, other) for other in shape.neighbours[cell]] if shape is not None else []
        f.s[self.out] = tuple([g.side(side) for side in sides if side >= 0])
        return self.then


class BesideSide(Op):
    """Whether a side is one of the space of a thing."""

    __slots__ = ("edge", "out", "thing")
    name = "BESIDE_SIDE"
    pure = True
    lister = SidesOf
    lists_exactly = True
    out: RegOut
    edge: Reg
    thing: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        side, cell = g.side_number(f.r[self.edge]), g.cell(f.r[self.thing])
        f.r[self.out] = 1 if side >= 0 and cell >= 0 and cell in g.shape().sides[side] else 0
        return self.then


class SideBetween(Op):
    """The side between two neighboring spaces, or the spaces of two things; or -1."""

    __slots__ = ("a", "b", "out")
    name = "SIDE_BETWEEN"
    pure = True
    out: RegOut
    a: Reg
    b: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        a, b = g.cell(f.r[self.a]), g.cell(f.r[self.b])
        f.r[self.out] = g.side(g.shape().side(a, b)) if min(a, b) >= 0 else -1
        return self.then


class SideEnds(Op):
    """The two spaces on both ends of a side."""

    __slots__ = ("edge", "out")
    name = "SIDE_ENDS"
    answers = "thing"
    pure = True
    cheap = True
    lists = "space"
    out: ListOut
    edge: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        side = g.side_number(f.r[self.edge])
        f.s[self.out] = spaces(g, list(g.shape().sides[side])) if side >= 0 else ()
        return self.then


class Bears(Op):
    """Whether a side bears a barrier."""

    __slots__ = ("barrier", "edge", "out")
    name = "BEARS"
    pure = True
    out: RegOut
    edge: Reg
    barrier: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        side = g.side_number(f.r[self.edge])
        f.r[self.out] = 1 if side >= 0 and g.world.mem[g.layout.barriers + side] == f.r[self.barrier] else 0
        return self.then


class Passable(Lookup):
    """Whether a piece may be on a space; `climbing`: whether a climber may."""

    __slots__ = ("climbing", "where")
    name = "PASSABLE"
    pure = True
    out: RegOut
    where: Reg
    climbing: Reg

    def read(self, g: Game, f: Frame) -> i64:
        allowed = RAISED if f.r[self.climbing] > 0 else OPEN
        return 1 if g.ground().passable(g.cell(f.r[self.where]), allowed) else 0


class Occupied(Lookup):
    """Whether a piece is on a space."""

    __slots__ = ("where",)
    name = "OCCUPIED"
    pure = True
    out: RegOut
    where: Reg

    def read(self, g: Game, f: Frame) -> i64:
        return 1 if g.piece_at(f.r[self.where]) >= 0 else 0


class PieceAt(Op):
    """The piece on a space (the lowest number of several), or -1."""

    __slots__ = ("out", "where")
    name = "PIECE_AT"
    answers = "thing"
    pure = True
    out: RegOut
    where: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        f.r[self.out] = g.piece_at(f.r[self.where])
        return self.then


class Area(Op):
    """The spaces within `distance` links of a thing."""

    __slots__ = ("distance", "out", "thing")
    name = "AREA"
    answers = "thing"
    pure = True
    out: ListOut
    thing: Reg
    distance: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        g.spend(4)
        f.s[self.out] = spaces(g, list(g.ground().area(g.cell(f.r[self.thing]), f.r[self.distance])))
        return self.then


class GroupSpaces(Op):
    """The spaces of a named group of the board."""

    __slots__ = ("area", "out")
    name = "GROUP"
    answers = "thing"
    pure = True
    out: ListOut
    area: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        areas = g.program.boards[g.world.board].areas if g.world.board >= 0 else ()
        f.s[self.out] = next((spaces(g, list(cells)) for area, cells in areas if area == f.r[self.area]), ())
        return self.then


class RegionsOf(Op):
    """The regions of the board to which the space of a thing belongs, in the order of the map."""

    __slots__ = ("out", "thing")
    name = "REGIONS_OF"
    answers = "thing"
    pure = True
    out: ListOut
    thing: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        space = g.space(g.cell(f.r[self.thing]))
        regions = g.image.regions(g.world.board) if space >= 0 else {}
        f.s[self.out] = tuple([region for region, inside in regions.items() if space in inside])
        return self.then


class SpacesOf(Op):
    """The spaces of a region of the board, in the order of the map; none if the board has no such region."""

    __slots__ = ("out", "region")
    name = "SPACES_OF"
    answers = "thing"
    pure = True
    cheap = True
    lists = "space"
    out: ListOut
    region: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        f.s[self.out] = g.image.regions(g.world.board).get(f.r[self.region], ())
        return self.then


class InRegion(Lookup):
    """Whether the space of a thing belongs to a region."""

    __slots__ = ("region", "thing")
    name = "IN_REGION"
    pure = True
    lister = SpacesOf
    lists_exactly = True
    boardless = True
    out: RegOut
    thing: Reg
    region: Reg

    def read(self, g: Game, f: Frame) -> i64:
        space = g.space(g.cell(f.r[self.thing]))
        inside = g.image.regions(g.world.board).get(f.r[self.region], ())
        return 1 if space >= 0 and space in inside else 0


class Direction(Op):
    """The direction straight from one thing to another, or -1."""

    __slots__ = ("a", "b", "out")
    name = "DIRECTION"
    answers = "direction"
    pure = True
    out: RegOut
    a: Reg
    b: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        a, b = g.cell(f.r[self.a]), g.cell(f.r[self.b])
        f.r[self.out] = g.ground().direction(a, b) if min(a, b) >= 0 else -1
        return self.then


class Opposite(Op):
    """The direction opposed to another, or -1."""

    __slots__ = ("out", "way")
    name = "OPPOSITE"
    answers = "direction"
    pure = True
    out: RegOut
    way: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        f.r[self.out] = g.ground().opposite(f.r[self.way])
        return self.then


class Turned(Op):
    """The direction `turns` turns after another, or -1."""

    __slots__ = ("out", "turns", "way")
    name = "TURNED"
    answers = "direction"
    pure = True
    out: RegOut
    way: Reg
    turns: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        f.r[self.out] = g.ground().turned(f.r[self.way], f.r[self.turns])
        return self.then


class StepFrom(Op):
    """The space one step from a thing in a direction, or -1."""

    __slots__ = ("a", "out", "way")
    name = "STEP"
    answers = "thing"
    pure = True
    out: RegOut
    way: Reg
    a: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        f.r[self.out] = g.space(g.ground().step(g.cell(f.r[self.a]), f.r[self.way]))
        return self.then


class Behind(Op):
    """The space straight on from one thing past another, or -1."""

    __slots__ = ("a", "b", "out")
    name = "BEHIND"
    answers = "thing"
    pure = True
    out: RegOut
    b: Reg
    a: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        b, a = g.cell(f.r[self.b]), g.cell(f.r[self.a])
        f.r[self.out] = g.space(g.ground().behind(b, a)) if min(a, b) >= 0 else -1
        return self.then


# ── changes ────────────────────────────────────────────────────────────────────────────────────


class Place(Op):
    """Put a thing on a space."""

    __slots__ = ("thing", "where")
    name = "PLACE"
    thing: Reg
    where: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        cell = g.cell(f.r[self.where])
        if cell >= 0 and changes.place_thing(g, f.r[self.thing], g.space(cell), self.span):
            return self.then
        return events.undone(g, f, self.next)


class Remove(Op):
    """Put a thing into the box."""

    __slots__ = ("thing",)
    name = "REMOVE"
    thing: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        if changes.place_thing(g, f.r[self.thing], -1, self.span):
            return self.then
        return events.undone(g, f, self.next)


class SetTerrain(Op):
    """Change the terrain of a space; -1 is plain."""

    __slots__ = ("ground", "where")
    name = "SET_TERRAIN"
    where: Reg
    ground: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        if g.world.board < 0:
            raise VMFault("this game has no board")
        changes.set_terrain(g, g.space(g.cell(f.r[self.where])), f.r[self.ground], self.span)
        return self.then


class SetSide(Op):
    """Change the barrier of a side; -1 is none."""

    __slots__ = ("edge", "wall")
    name = "SET_SIDE"
    edge: Reg
    wall: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        changes.set_barrier(g, g.side_number(f.r[self.edge]), f.r[self.wall], self.span)
        return self.then


class SetBarrier(Op):
    """Change the barrier between two neighboring spaces; -1 is none."""

    __slots__ = ("a", "b", "wall")
    name = "SET_BARRIER"
    a: Reg
    b: Reg
    wall: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        a, b = g.cell(f.r[self.a]), g.cell(f.r[self.b])
        changes.set_barrier(g, g.shape().side(a, b) if min(a, b) >= 0 else -1, f.r[self.wall], self.span)
        return self.then


def _presuming(there: type[Op], *near: type[Op]) -> None:
    for op in near:
        op.presumes = there


_presuming(OnBoard, Beside, Touches, Linked)
