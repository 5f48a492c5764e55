"""A position: the image of a program and a world. Its methods read the board and the things."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fcbdsl.machine.geometry.board import Geometry
from fcbdsl.machine.geometry.shape import Shape
from fcbdsl.machine.vm import teams
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.layout import PLAYED
from fcbdsl.machine.vm.stats import base_value
from fcbdsl.machine.vm.subscribers import MOST_ATTACHED
from fcbdsl.machine.vm.world import VMFault, World

if TYPE_CHECKING:
    from mypy_extensions import i64


class Position:
    """The state of a game. Its methods read it: they run no code, use no fuel, and change only caches of the world."""

    __slots__ = ("body", "image", "layout", "place", "program", "spaces_end", "spaces_low", "world")

    def __init__(self, image: Image, world: World) -> None:
        self.image = image
        self.world = world
        self.program, self.layout = image.program, image.layout  # read at almost every op, so copied from the image
        self.body: i64 = self.layout.body
        self.place: i64 = self.layout.place
        self.spaces_low: i64 = self.layout.spaces_low
        cells = len(self.program.boards[world.board].cells) if world.board >= 0 else 0
        self.spaces_end: i64 = self.spaces_low + cells

    # ── the board ──────────────────────────────────────────────────────────────────────────────

    def is_space(self, thing: i64) -> bool:
        """Return whether a thing is a space of the present board."""
        return self.spaces_low <= thing < self.spaces_end

    def cell(self, thing: i64) -> i64:
        """Return the board number of a space, or of the space of a thing; -1: none."""
        if 0 <= thing < self.body:
            thing = self.world.mem[self.place + thing]
        if self.spaces_low <= thing < self.spaces_end:
            return thing - self.spaces_low
        return -1  # with one statement for both, mypyc would box the number

    def space(self, cell: i64) -> i64:
        """Return the space of that number on the board; -1 stays -1."""
        if cell < 0:
            return -1
        return cell + self.spaces_low

    def side(self, number: i64) -> i64:
        """Return the side of that number on the board, as a thing; -1 stays -1."""
        if number < 0:
            return -1
        return number + self.layout.sides_low

    def side_number(self, thing: i64) -> i64:
        """Return the number on the board of a side; -1: it is none."""
        number = thing - self.layout.sides_low
        if self.world.board >= 0 and 0 <= number < len(self.shape().sides):
            return number
        return -1

    def shape(self) -> Shape:
        """Return the shape of the present board."""
        return self.image.atlas(max(self.world.board, 0)).shape

    def ground(self) -> Geometry:
        """Return the present board as geometry. Raises VMFault if the game has none."""
        w = self.world
        if w.ground is None:
            if w.board < 0:
                raise VMFault("this game has no board")
            atlas = self.image.atlas(w.board)
            low = self.layout.terrain + self.layout.spaces_low
            sides = self.layout.barriers
            standing = list(w.mem[sides : sides + len(atlas.shape.sides)])
            if self.image.hinged:
                standing = [self._shut(side, barrier) for side, barrier in enumerate(standing)]
            ground = list(w.mem[low : low + atlas.shape.size])
            if self.image.pinching:
                ground = [self._pinching(terrain) for terrain in ground]
            w.ground = atlas.geometry(ground, standing)
        return w.ground

    def _pinching(self, terrain: int) -> int:
        """Return the terrain of a space under the variants of this game: possibly the one that shuts no corners."""
        switch, setting = self.image.pinching.get(terrain, (-1, 0))
        if switch < 0:
            return terrain
        self.image.inputs_read[switch] = 1
        if self.world.switches[switch] == setting:
            return terrain
        return len(self.program.terrains) + terrain

    def _shut(self, side: int, barrier: int) -> int:
        """Return the barrier of a side, or -1 while it is open."""
        if barrier not in self.image.hinged:
            return barrier
        hinge, ajar = self.image.hinged[barrier]
        shut = self.world.mem[self.layout.base[hinge] + self.layout.sides_low + side] != 0
        return barrier if shut is not ajar else -1

    def crowd(self) -> bytes:
        """Return, per space of the board, 1 if a piece on it blocks movement."""
        blocked = self.world.crowd
        if blocked is None:
            low, blocks = self.layout.spaces_low, self.image.blocks_movement
            there = bytearray(self.ground().size)
            for space, pieces in self.world.standing.items():
                for piece in pieces:
                    if blocks[piece]:
                        there[space - low] = 1
            blocked = bytes(there)
            self.world.crowd = blocked
        return blocked

    def occupancy(self, but: int) -> bytes:
        """Return the blocked spaces as if the space of the piece `but` were empty."""
        crowd = self.crowd()
        cell = self.cell(but) if 0 <= but < self.body and self.image.is_piece[but] else -1
        return crowd[:cell] + b"\0" + crowd[cell + 1 :] if cell >= 0 and crowd[cell] else crowd

    def terrain(self, cell: int) -> int:
        """Return the terrain of a space of the board by its number, or -1."""
        return self.world.mem[self.layout.terrain + self.layout.spaces_low + cell]

    def barriers(self) -> list[int]:
        """Return the barrier on each side of the board, or -1, in the order of its shape's sides."""
        return list(self.world.mem[self.layout.barriers :])

    # ── things ─────────────────────────────────────────────────────────────────────────────────

    def selves(self, thing: int) -> list[int]:
        """Return `self` and `this` for the texts of a thing. The caller must not change the list."""
        if thing < 0:
            return [thing, thing]
        fixed = self.image.fixed_selves[thing]
        if fixed is not None:
            return fixed
        owner = thing
        while self.layout.parts[self.layout.kind_of[owner]] and self.layout.owner_of[owner] >= 0:
            owner = self.layout.owner_of[owner]
        return [self.bearer(owner), owner]

    def bearer(self, thing: int) -> int:
        """Return the holder of a thing, or -1. For an attachment (in a zone of a held thing) it is the holder of its
        host."""
        mem, holders = self.world.mem, self.layout.holder
        for _step in range(MOST_ATTACHED):
            thing = mem[holders + thing]
            if thing < 0 or not self.image.held[thing]:
                return thing
        return -1

    def controller(self, thing: i64) -> i64:
        """Return the number of the player or the team who decides for a thing (see `vm.teams`), or -1."""
        layout, mem = self.layout, self.world.mem
        last = -1
        for _step in range(8):  # mypyc boxes the number of any variable called `_`
            if layout.players_low <= thing < layout.players_high:
                return thing - layout.players_low
            if not 0 <= thing < layout.body:
                return -1 if layout.team < 0 else teams.voice(self, last)
            last = thing
            player = mem[layout.controller + thing]
            owner = layout.owner_of[thing]
            thing = player if player >= 0 else owner if owner >= 0 else mem[layout.holder + thing]
        return -1

    def master(self, thing: i64) -> i64:
        """Return the player who decides for a thing, as a thing; or -1."""
        player = self.controller(thing)
        if player < 0:
            return -1
        return self.layout.players_low + player

    def space_of(self, thing: int) -> int:
        """Return the space of a thing, or -1."""
        return self.world.mem[self.place + thing] if 0 <= thing < self.body else -1

    def zone_of(self, thing: int) -> int:
        """Return the zone of a thing (0: the box), or -1."""
        return self.world.mem[self.layout.zone + thing] if 0 <= thing < self.body else -1

    def holder(self, thing: int) -> int:
        """Return the owner of the zone of a thing, or its holder; or -1."""
        return self.world.mem[self.layout.holder + thing] if 0 <= thing < self.body else -1

    def placed_pieces(self) -> list[int]:
        """Return the pieces on the board, by number."""
        return sorted([piece for pieces in self.world.standing.values() for piece in pieces])

    def base_value(self, field: int, thing: int) -> int:
        """Return a thing's field, without modifiers; its `empty` for a thing without it."""
        return base_value(self, field, thing)

    def track_value(self, track: int) -> int:
        """Return the value of a track (its number)."""
        return self.world.mem[self.layout.value + self.layout.first[self.program.tracks[track].definition]]

    def tier_track(self, tier: int) -> int:
        """Return the track of a tier that is on, or -1."""
        row, w = self.image.tiers[tier], self.world
        return row.thing if w.live[row.thing] and w.mem[self.layout.value + row.thing] >= row.at else -1

    def player_count(self) -> int:
        """Return the number of players, and note that it was read."""
        self.image.inputs_read[self.image.players_input] = 1
        return self.world.players

    def definitions_of(self, kind: int) -> tuple[int, ...]:
        """Return the definitions of a kind and its descendants that belong to this game, by number."""
        return self.image.in_force(self.world.origin, self.world.mission).definitions_of(kind)

    def in_play(self, thing: int) -> bool:
        """Return whether a selection finds a thing: it is on a space, in a zone or held."""
        layout, w = self.layout, self.world
        if self.image.movable[thing]:
            return w.mem[layout.zone + thing] != 0
        policy = self.image.policies[thing]
        if policy == "parts":  # the most frequent case
            return layout.owner_of[thing] >= 0 and self.in_play(layout.owner_of[thing])
        if self.image.is_track[thing]:
            return layout.owner_of[thing] < 0 or layout.owner_of[thing] == w.mission
        if policy == "players":
            return thing < layout.players_low + self.player_count()
        if policy == "spaces":
            return self.is_space(thing)
        if policy in PLAYED:
            return thing == w.mission
        if policy == "sides":
            return self.side_number(thing) >= 0
        if policy == "regions":
            return thing in self.image.regions(w.board)
        return True

    def secret(self, zone: int) -> bool:
        """Return whether a zone's contents are hidden."""
        return self.layout.secret[zone]

    def contents(self, zone: i64) -> tuple[int, ...]:
        """Return the things in a zone, from bottom to top; none for the box or no zone."""
        if not 0 < zone < self.layout.zones:
            return ()
        w = self.world
        return w.lying(zone) if w.unmixed else w.zones[zone]

    def piece_at(self, where: i64) -> i64:
        """Return the lowest piece on a space (or on the space of a thing), or -1."""
        pieces = self.world.standing.get(self.space(self.cell(where)))
        return pieces[0] if pieces is not None else -1

    def spare(self, definition: int) -> int:
        """Return an instance of a definition that is in the box, or -1."""
        layout, mem = self.layout, self.world.mem
        if 0 <= definition < len(layout.first):
            first = layout.first[definition]
            for thing in range(first, first + layout.instances[definition]):
                if mem[layout.zone + thing] == 0 and self.image.movable[thing]:
                    return thing
        return -1

    def found_in_play(self, kind: int) -> tuple[int, ...]:
        """Compute the things of a kind in play, and cache them in the world."""
        low, high = self.layout.low[kind], self.layout.high[kind]
        if self.image.plain_kinds[kind]:
            at = self.layout.zone
            zones = self.world.mem[at + low : at + high]
            in_play = tuple([low + i for i, zone in enumerate(zones) if zone])
        else:
            in_play = tuple([thing for thing in range(low, high) if self.in_play(thing)])
        self.world.selected[kind] = in_play
        return in_play
