"""Spells machine values as tests do: things, zones, values, options, and differences between two positions."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from fcbdsl.machine.vm.game import Game
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.program import Field
from fcbdsl.machine.vm.world import DONE, ENDINGS, LISTENER, NONE, TAGS, Option

NOTHING = "nothing"
OPEN = ("thing", "definition")
"""Tags with the value nothing."""


class Spelling:
    """The words of the language for the contents of games of one image. The result is None if there are none.

    `symbols`, `directions`: names of dice symbols and of directions, by number, since programs contain only titles.
    `seated`: kinds of which each player plays one.
    """

    def __init__(
        self, image: Image, symbols: Sequence[str], directions: Sequence[str], seated: Collection[str]
    ) -> None:
        self.symbols, self.directions, self._seated = symbols, directions, seated
        self.image = image
        self.program = image.program
        self.layout = image.layout
        self._ids: dict[str, int] = {}
        for row in image.program.definitions:
            self._ids[row.id] = self._ids.get(row.id, 0) + 1

    def thing(self, game: Game, thing: int) -> str | None:
        """Return a thing by its id (``frog#2`` of several), a space or side by its coordinates, ``player#1``."""
        layout, program = self.layout, self.program
        if not 0 <= thing < layout.things:
            return None
        if layout.spaces_low <= thing < layout.spaces_high:
            cells = program.boards[game.world.board].cells if game.world.board >= 0 else ()
            cell = thing - layout.spaces_low
            return cells[cell].name if cell < len(cells) else None
        if layout.sides_low <= thing < layout.sides_high:
            return self.side(game, thing - layout.sides_low)
        if layout.players_low <= thing < layout.players_high:
            return f"player#{thing - layout.players_low + 1}"
        if thing == game.world.mission:
            return program.kinds[layout.kind_of[thing]].policy
        number = layout.definition_of[thing]
        if number < 0 or layout.parts[layout.kind_of[thing]] or self._ids[program.definitions[number].id] > 1:
            return None
        if game.image.origin_of(program.definitions[number].span) not in (-1, game.world.origin):
            return None
        copy = f"#{thing - layout.first[number] + 1}" if layout.instances[number] > 1 else ""
        return program.definitions[number].id + copy

    def is_seated(self, thing: int) -> bool:
        """Return whether a test assigns a figure of this definition to the next player by default."""
        return self.program.kinds[self.layout.kind_of[thing]].name in self._seated

    def side(self, game: Game, side: int) -> str | None:
        """Return a side by the spaces that it separates."""
        sides = game.shape().sides if game.world.board >= 0 else ()
        if not 0 <= side < len(sides):
            return None
        ends = [self.thing(game, self.layout.spaces_low + cell) for cell in sides[side]]
        return "/".join(end or "" for end in ends) if all(ends) else None

    def zone(self, game: Game, zone: int) -> str | None:
        """Return a zone, with its owner."""
        row = self.program.zones[self.layout.zone_row[zone]]
        owner = self.layout.zone_owner[zone]
        if owner < 0:
            return row.name
        whose = self.thing(game, owner)
        return None if whose is None else f"{row.name} of {whose}"

    def value(self, game: Game, tag: str, value: int, enum: int = -1) -> str | None:
        """Return a value by its tag."""
        program = self.program
        if tag == "number":
            return str(value)
        if tag == "flag":
            return "yes" if value else "no"
        if value < 0:
            return NOTHING if tag in OPEN else None
        if tag == "thing":
            return self.thing(game, value)
        if tag == "definition":
            id = program.definitions[value].id
            return id if self._ids[id] == 1 else None
        if tag == "enum" and enum >= 0 and value < len(program.enums[enum].values):
            return program.enums[enum].values[value]
        if tag == "direction" and value < len(self.directions):
            return self.directions[value]
        names = {"die": [die.name for die in program.dice], "mark": program.marks, "face": self.symbols}.get(tag, ())
        return names[value] if value < len(names) else None

    def face(self, die: int, value: int) -> str | None:
        """Return a face as `dice:` spells it, with its die."""
        row = self.program.dice[die]
        if row.numbered:
            return f"{row.name} {value}"
        return f"{row.name} {self.symbols[value]}" if 0 <= value < len(self.symbols) else None

    def option(self, game: Game, option: Option) -> str | None:
        """Return an option as an answer; None also for an option that declines."""
        if option[0] in (NONE, DONE):
            return None
        if option[0] == LISTENER:
            row = self.program.listeners[option[1]]
            if row.scope == "counter" and (title := self.program.fields[row.owner].title) >= 0:
                return f'"{self.program.texts[title].get("en", "")}"'
            return self.thing(game, option[3] if option[3] >= 0 else option[2])
        if option[0] in ENDINGS:
            if option[3:]:
                named = self.thing(game, option[3])
                return f"{TAGS[option[0]]} as {named}" if named is not None and option[2] < 0 else None
            return None if option[2:] else TAGS[option[0]]
        tag = TAGS[option[0]]
        if tag in ("label", "text"):
            text = self.program.texts[option[1]].get("en", "") if option[1] >= 0 else ""
            return f'"{text}"' if text and '"' not in text else None
        return self.value(game, tag, option[1])

    # ── positions ──────────────────────────────────────────────────────────────────────────────

    def state(self, game: Game, number: int, thing: int, value: int) -> str | None:
        """Return the statement that a stat, status, token or track has a value: ``frog's HP = 2``, ``wet on frog =
        1``."""
        row, layout = self.program.fields[number], self.layout
        named = self.value(game, row.tag, value, row.enum)
        if named is None or row.owned >= 0:
            return None
        if row.sort == "builtin":
            whose = self.thing(game, thing)
            return f"{whose}'s value = {named}" if row.name == "value" and whose else None
        if self.program.kinds[layout.kind_of[thing]].policy == "single":
            return f"{row.name} = {named}"
        whose = self.thing(game, thing)
        if whose is None:
            return None
        on, parting = row.sort in ("status", "token"), thing >= layout.sides_low
        of = f"{row.name} {'on' if on else 'of'} {whose}" if on or parting else f"{whose}'s {row.name}"
        return f"{of} = {named}"

    def states(self, before: Game, game: Game) -> Iterator[tuple[str, str | None]]:
        """Yield every value that differs from an earlier position of the same mission: its bearer, and the statement.

        Things in play in neither position are left out. Each record, which has no name, is reported once.
        """
        layout = self.layout
        records: set[int] = set()
        for number, row in enumerate(self.program.fields):
            base = layout.base[number]
            if base < 0 or row.sort == "const" or not self._is_state(row):
                continue
            for thing in range(layout.field_low[number], layout.field_high[number]):
                if not (game.in_play(thing) or before.in_play(thing)):
                    continue
                now = game.world.mem[base + thing]
                if now == before.world.mem[base + thing] or thing in records:
                    continue
                if game.image.policies[thing] == "records":
                    records.add(thing)
                    yield f"record of a {self.program.kinds[layout.kind_of[thing]].name}", None
                else:
                    of = f"{row.name} of {self.program.kinds[row.kind].name}"
                    yield of, self.state(game, number, thing, now)

    def _is_state(self, row: Field) -> bool:
        return row.sort != "builtin" or row.name == "value"

    def moved(self, before: Game, game: Game) -> Iterator[int]:
        """Yield the things whose space, zone or holder differs from an earlier position."""
        layout, then, now = self.layout, before.world, game.world
        for thing in range(layout.body):
            if game.image.movable[thing] and any(
                now.mem[base + thing] != then.mem[base + thing] for base in (layout.place, layout.zone, layout.holder)
            ):
                yield thing

    def ground(self, before: Game, game: Game) -> Iterator[tuple[str, str | None]]:
        """Yield terrain and barriers that differ from an earlier position: the place, and the step that sets it."""
        layout, then, now = self.layout, before.world.mem, game.world.mem
        for space in range(layout.spaces_low, layout.spaces_high):
            ground = now[layout.terrain + space]
            if ground != then[layout.terrain + space]:
                name = self.thing(game, space)
                is_spellable = ground >= 0 and name is not None
                yield "terrain", f"set terrain {name} to {self.program.terrains[ground].name}" if is_spellable else None
        for side, wall in enumerate(now[layout.barriers :]):
            if wall != then[layout.barriers + side]:
                name = self.side(game, side)
                is_spellable = wall >= 0 and name is not None
                yield (
                    "barrier",
                    f"set barrier on {name} to {self.program.barriers[wall].name}" if is_spellable else None,
                )
