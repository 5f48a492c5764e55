"""The present world, as ops see it: its board, its things, who controls and who hears them."""

from __future__ import annotations

from fcbdsl.game.board import Geometry
from fcbdsl.game.shape import Shape
from fcbdsl.vm.layout import PLAYED
from fcbdsl.vm.linker import Image
from fcbdsl.vm.program import Program
from fcbdsl.vm.world import ACTION, DONE, LABEL, LISTENER, LOST, NONE, TAGS, WON, Option, VMFault, World

MOST_ATTACHED = 8
"""How deep attachments may lie in attachments; whatever lies deeper has no bearer."""


class Present(Image):
    """Queries on the world at hand, `w`."""

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self.w = World()
        # Read at almost every op: kept here, not looked up in the layout.
        self.body, self.place, self.spaces_low = self.layout.body, self.layout.place, self.layout.spaces_low
        self.spaces_end = self.spaces_low
        self._start_codes: dict[int, list[int]] = {}
        self._marked: dict[tuple[int, int], tuple[int, ...]] = {}

    def call(self, code: int, r: list[int], s: list[tuple[int, ...]]) -> int:
        """Run a pure code to its end and return its answer."""
        raise NotImplementedError

    def spend(self, fuel: int) -> None:
        """Use up fuel; raises Trouble when there is none left."""
        raise NotImplementedError

    # ── the board ──────────────────────────────────────────────────────────────────────────────

    def is_space(self, thing: int) -> bool:
        """Whether a thing is a space of the present board."""
        return self.spaces_low <= thing < self.spaces_end

    def cell(self, thing: int) -> int:
        """The number on the board of a space, or of the space on which a thing stands; -1: nowhere."""
        if 0 <= thing < self.body:
            thing = self.w.mem[self.place + thing]
        return thing - self.spaces_low if self.spaces_low <= thing < self.spaces_end else -1

    def space(self, cell: int) -> int:
        """The space of that number on the board; -1 stays -1."""
        return cell + self.layout.spaces_low if cell >= 0 else -1

    def shape(self) -> Shape:
        """The shape of the present board."""
        return self.atlas(max(self.w.board, 0)).shape

    def ground(self) -> Geometry:
        """The present board as geometry. Raises Trouble if the game has none."""
        w = self.w
        if w.ground is None:
            if w.board < 0:
                raise VMFault("this game has no board")
            atlas = self.atlas(w.board)
            low = self.layout.terrain + self.layout.spaces_low
            sides = self.layout.barriers
            w.ground = atlas.geometry(
                w.mem[low : low + atlas.shape.size], w.mem[sides : sides + len(atlas.shape.sides)]
            )
        return w.ground

    def crowd(self, but: int) -> bytearray:
        """Per space of the board: 1 if a piece other than `but` stands there."""
        layout, mem = self.layout, self.w.mem
        out = bytearray(self.ground().size)
        if self.program.pieces_block:
            low, high = self.pieces
            own = mem[layout.place + but] if low <= but < high else -1
            for space in mem[layout.place + low : layout.place + high]:
                if space >= 0:
                    out[space - layout.spaces_low] = 1
            if own >= 0:
                out[own - layout.spaces_low] = 0
        return out

    # ── things ─────────────────────────────────────────────────────────────────────────────────

    def selves(self, thing: int) -> list[int]:
        """What `self` and `this` are in the texts of a thing."""
        if self.is_track[thing]:
            mission = self.layout.owner_of[thing]
            return [mission if mission >= 0 else thing, thing]
        owner = thing
        while self.layout.is_part(self.layout.kind_of[owner]) and self.layout.owner_of[owner] >= 0:
            owner = self.layout.owner_of[owner]
        if self.held[owner]:
            return [self.bearer(owner), owner]
        return [owner, owner]

    def bearer(self, thing: int) -> int:
        """Who holds a thing, or -1. An attachment (in a zone of a held thing): who holds its host."""
        mem, holders = self.w.mem, self.layout.holder
        for _ in range(MOST_ATTACHED):
            thing = mem[holders + thing]
            if thing < 0 or not self.held[thing]:
                return thing
        return -1

    def controller(self, thing: int) -> int:
        """The number of the player who decides for a thing, or -1."""
        layout, mem = self.layout, self.w.mem
        for _ in range(8):
            if layout.players_low <= thing < layout.players_high:
                return thing - layout.players_low
            if not 0 <= thing < layout.body:
                return -1
            player = mem[layout.controller + thing]
            owner = layout.owner_of[thing]
            thing = player if player >= 0 else owner if owner >= 0 else mem[layout.holder + thing]
        return -1

    def master(self, thing: int) -> int:
        """The player who decides for a thing, as a thing; or -1."""
        player = self.controller(thing)
        return self.layout.players_low + player if player >= 0 else -1

    def track_of(self, thing: int) -> int:
        """The number of the track that a thing is, or -1."""
        return self.track_numbers.get(thing, -1)

    def tier_track(self, tier: int) -> int:
        """The track of a tier that is on, or -1."""
        row = self.program.tiers[tier]
        thing = self.layout.first[self.program.tracks[row.track].definition]
        return thing if self.w.live[thing] and self.w.mem[self.layout.value + thing] >= row.at else -1

    def capacity(self, zone: int) -> int:
        """The most things that a zone takes."""
        row = self.layout.zone_row[zone]
        limit = self.program.zones[row].limit if row >= 0 else -1
        owner = self.layout.zone_owner[zone]
        return self.call(limit, [owner, owner], []) if limit >= 0 else 1 << 30

    def wake(self, thing: int) -> None:
        """Bring up to date whether a thing, its parts and what lies in its zones are live: it has moved."""
        w = self.w
        now = self.is_live(thing)
        if w.live[thing] != now:
            w.live[thing] = now
            for event in self.thing_events[thing]:
                ears = w.ears[event]
                if now:
                    w.ears[event] = tuple(sorted([*ears, thing], key=self.rank))
                else:
                    w.ears[event] = tuple([t for t in ears if t != thing])
            for zone in self.layout.zones_of.get(thing, ()):
                for lying in w.zones[zone]:
                    self.wake(lying)
        for part in self.layout.parts_of[thing]:
            self.wake(part)

    def wake_held(self, thing: int, depth: int = 0) -> None:
        """Bring up to date what somebody holds outside any zone: he has come or gone, or changed hands himself."""
        layout, mem = self.layout, self.w.mem
        holders = mem[layout.holder : layout.holder + layout.body]
        if thing not in holders or depth > MOST_ATTACHED:
            return
        for held, holder in enumerate(holders):
            if holder == thing and mem[layout.zone + held] < 0:
                self.wake(held)
                self.wake_held(held, depth + 1)

    def wake_all(self) -> None:
        """Find out afresh who is live and who hears what."""
        w = self.w
        w.live = bytearray(self.layout.things)
        w.ears = [()] * len(self.program.events)
        for thing in range(self.layout.things):
            w.live[thing] = self.is_live(thing)
        for thing in sorted(range(self.layout.things), key=self.rank):
            if w.live[thing]:
                for event in self.thing_events[thing]:
                    w.ears[event] = (*w.ears[event], thing)

    def is_live(self, thing: int) -> bool:
        """Whether a thing's listeners are heard and its modifiers hold."""
        policy = self.policies[thing]
        layout, w = self.layout, self.w
        owner = layout.owner_of[thing]
        if policy == "definitions" and not self.is_track[thing]:
            if self.held[thing]:
                bearer = self.bearer(thing)
                return bearer >= 0 and self.in_play(bearer)
            zone = w.mem[layout.zone + thing]
            return zone < 0 or (zone > 0 and not self.secret(zone))
        if policy == "parts":
            return owner >= 0 and self.is_live(owner)
        return self.in_play(thing)

    def in_play(self, thing: int) -> bool:
        """Whether a selection finds a thing: it is on a space, in a zone or in somebody's hand."""
        policy = self.policies[thing]
        layout, w = self.layout, self.w
        if self.is_track[thing]:
            return layout.owner_of[thing] < 0 or layout.owner_of[thing] == w.mission
        if policy in ("definitions", "records"):
            return w.mem[layout.zone + thing] != 0
        if policy == "players":
            return thing < layout.players_low + w.players
        if policy == "spaces":
            return self.is_space(thing)
        if policy in PLAYED:
            return thing == w.mission
        if policy == "parts":
            return layout.owner_of[thing] >= 0 and self.in_play(layout.owner_of[thing])
        return True

    def secret(self, zone: int) -> bool:
        """Whether a zone's contents are hidden."""
        row = self.layout.zone_row[zone]
        return row >= 0 and self.program.zones[row].secret

    def is_option(self, kind: str, option: Option) -> bool:
        """Whether an option has the shape of a kind of question, and names what exists."""
        if option in ((NONE,), (DONE,)):
            return True
        if kind == "action":
            return len(option) == 4 and option[0] == ACTION and 0 <= option[1] < len(self.program.actions)
        if kind == "react":
            return len(option) == 4 and option[0] == LISTENER and 0 <= option[1] < len(self.program.listeners)
        if kind == "option":
            return len(option) == 3 and option[0] == LABEL
        if kind == "mission":
            return len(option) == 2 and option[0] in (WON, LOST) and 0 <= option[1] < len(self.program.definitions)
        return len(option) == 2 and 0 <= option[0] < len(TAGS)

    def contents(self, zone: int) -> tuple[int, ...]:
        """The things in a zone, from bottom to top; none for the box or no zone."""
        return self.w.zones[zone] if 0 < zone < self.layout.zones else ()

    def piece_at(self, where: int) -> int:
        """The lowest piece that stands on a space (or where a thing stands), or -1."""
        cell = self.cell(where)
        if cell < 0:
            return -1
        layout, mem = self.layout, self.w.mem
        low, high = self.pieces
        places = mem[layout.place + low : layout.place + high]
        space = cell + layout.spaces_low
        return low + places.index(space) if space in places else -1

    def spare(self, definition: int) -> int:
        """An instance of a definition that is in the box, or -1."""
        layout, mem = self.layout, self.w.mem
        if 0 <= definition < len(layout.first):
            for thing in range(*self.scope_range("definition", definition)):
                if self.movable(thing) and mem[layout.zone + thing] == 0:
                    return thing
        return -1

    def select(self, kind: int) -> tuple[int, ...]:
        """Every thing of a kind that is in play, by number."""
        low, high = self.layout.low[kind], self.layout.high[kind]
        self.spend((high - low) >> 3)
        found = self.w.selected.get(kind)
        if found is None:
            if self.plain_kinds[kind]:
                at = self.layout.zone
                zones = self.w.mem[at + low : at + high]
                found = tuple([low + i for i, zone in enumerate(zones) if zone])
            else:
                found = tuple([thing for thing in range(low, high) if self.in_play(thing)])
            self.w.selected[kind] = found
        return found

    def marked_spaces(self, board: int, mark: int) -> tuple[int, ...]:
        """The spaces of a board that bear a mark, by number."""
        found = self._marked.get((board, mark))
        if found is None and not 0 <= mark < len(self.program.marks):
            return ()
        if found is None:
            cells = self.program.boards[board].cells if board >= 0 else ()
            low = self.layout.spaces_low
            found = tuple([low + cell for cell, row in enumerate(cells) if mark in row.marks])
            self._marked[board, mark] = found
        return found

    def start_codes(self, field: int) -> list[int]:
        """Per thing of a field's kind the code of its first value: that of the nearest kind, or -1."""
        known = self._start_codes.get(field)
        if known is None:
            row = self.program.fields[field]
            by_kind = dict(row.starts)
            known = []
            for thing in range(self.layout.field_low[field], self.layout.field_high[field]):
                kind = self.layout.kind_of[thing]
                while kind >= 0 and kind not in by_kind:
                    kind = self.program.kinds[kind].parent
                known.append(by_kind.get(kind, -1))
            self._start_codes[field] = known
        return known
