"""Describes a game to a person: the board, the contents of zones, and the question, in words.

`seats` are the players who look on (None: every fact is visible that is not secret to all).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from fcbdsl.base.typography import sentences, with_capital
from fcbdsl.machine.vm.game import Game
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.linker import declared_ops
from fcbdsl.machine.vm.op import Asking, Op
from fcbdsl.machine.vm.ops.asking import AskMany, AskOne
from fcbdsl.machine.vm.ops.board_queries import Place
from fcbdsl.machine.vm.ops.calls import Call, Do
from fcbdsl.machine.vm.ops.flow import Iter
from fcbdsl.machine.vm.ops.state import Set
from fcbdsl.machine.vm.ops.zones import Spare
from fcbdsl.machine.vm.program import Barrier, Definition, Field, Kind, Zone
from fcbdsl.machine.vm.teams import insiders
from fcbdsl.machine.vm.world import ACTION, NONE, TAGS, Ask, Frame, Option
from fcbdsl.play.session.drawing import BoardPainter
from fcbdsl.play.session.naming import Names

PLAIN = ("space", "player", "number", "face")
"""Kinds that exist in every game and have interface words."""
FEW = 8
"""Most things of a zone that are listed by name."""
FAR = 8
"""The number of ops after a question that are searched for the use of its answer."""


class View:
    """Describes games of one image to a person, in one language."""

    def __init__(self, image: Image, language: str = "en", seats: Collection[int] | None = None) -> None:
        self.image = image
        self.program = image.program
        self.names = Names(image, language)
        self.drawing = BoardPainter(image, self.names)
        self.seats = seats
        self.together = False
        """Whether the seats belong to several people at one screen: it shows only what each of them may know."""
        self.labels = _labels_of_codes(self)
        self._bearers = {row.code: row.bearers for row in self.program.stages if not row.is_keyword}

    # ── the whole table ────────────────────────────────────────────────────────────────────────

    def table(self, game: Game) -> str:
        """Return the board, the game's numbers, tracks, pieces with their contents, and zones; one line each."""
        lines = [self.board(game)] if game.world.board >= 0 else []
        lines += [line for line in (self._game(game), *self._tracks(game)) if line]
        lines += self._players(game)
        lines += self.pieces(game)
        lines += self.sides(game)
        lines += self._zones(game, -1)
        return "\n".join(lines) + "\n"

    def board(self, game: Game) -> str:
        """Return the board drawn with characters, and a legend."""
        return self.drawing.board(game)

    def changed_board(self, game: Game) -> str:
        """Return the board without the places of its marks and regions, which never change."""
        return self.drawing.board(game, places=False)

    def lists_places(self, game: Game) -> bool:
        """Return whether the board is a list with a line for each place, and no picture."""
        return self.drawing.is_net(game)

    def places(self, game: Game) -> dict[str, str]:
        """Return the titles of the marks, regions and terrains of the board, with their spaces."""
        return dict(self.drawing.places(game)) | self.drawing.grounds(game)

    def _game(self, game: Game) -> str:
        """Return the numbers of the game itself."""
        low, high = self.image.layout.range_of("game")
        return self.joined(text for thing in range(low, high) for text in self.stats(game, thing))

    def _tracks(self, game: Game) -> list[str]:
        """Return a line for each track in play: its value, its length and the active tiers."""
        layout = self.image.layout
        out = []
        for number, track in enumerate(self.program.tracks):
            thing = layout.first[track.definition]
            if not game.in_play(thing):
                continue
            line = f"{self.names.thing(game, thing)} {game.track_value(number)}/{track.high}"
            tiers = [t for t, tier in enumerate(self.program.tiers) if tier.track == number]
            on = [self.names.text(self.program.tiers[t].title) for t in tiers if game.tier_track(t) >= 0]
            out.append(line + (f" ({', '.join(filter(None, on))})" if any(on) else ""))
        return out

    def _players(self, game: Game) -> list[str]:
        """Return a line for each player with numbers or cards."""
        low = self.image.layout.players_low
        out = []
        for number in range(game.world.players):
            own = [*self.stats(game, low + number), *self._zones(game, low + number)]
            if own:
                out.append(self.joined([self.names.say("player", str(number + 1)), *own]))
        return out

    def sides(self, game: Game) -> list[str]:
        """Return a line for each barrier that can be opened or has numbers: its position, its state, its numbers."""
        out = []
        for number, barrier in enumerate(game.barriers() if game.world.board >= 0 else ()):
            if barrier < 0:
                continue
            thing = game.side(number)
            row = self.program.barriers[barrier]
            shown = [text for field in self._titled_numbers(thing) if (text := self._now(game, field, thing))]
            if row.hinge >= 0:
                out.append(self.joined([self.opening(game, thing, game.value(row.hinge, thing)), *shown]))
            elif shown:
                out.append(self.joined([self.names.thing(game, thing), *shown]))
        return out

    def hinged(self, game: Game, side: int, field: int) -> Barrier | None:
        """Return the barrier on a side that a flag opens or shuts; None if it does neither."""
        number = side - self.image.layout.sides_low
        standing = game.barriers()[number] if 0 <= number < len(game.barriers()) else -1
        row = self.program.barriers[standing] if standing >= 0 else None
        return row if row is not None and row.hinge == field else None

    def opening(self, game: Game, side: int, hinge: int) -> str:
        """Return the name of a side whose barrier can be opened, and whether it is open with this value of its
        hinge."""
        row = self.program.barriers[game.barriers()[side - self.image.layout.sides_low]]
        word = "is-open" if bool(hinge) == row.ajar else "is-shut"
        return self.names.say(word, self.names.thing(game, side), marks=self.names.marks(game, side))

    def _titled_numbers(self, thing: int) -> list[int]:
        return [
            number
            for number, row in enumerate(self.program.fields)
            if row.tag == "number" and row.title >= 0 and row.sort != "builtin" and self._bears(thing, number)
            if not row.codes and not row.many
        ]

    def _now(self, game: Game, field: int, thing: int) -> str:
        """Return a number with its name; empty if it is zero or hidden."""
        row = self.program.fields[field]
        if row.secret and not self.knows(game, thing, row):
            return ""
        value = game.value(field, thing)
        return f"{self.names.field(field)} {value}" if value > 0 else ""

    def pieces(self, game: Game) -> list[str]:
        """Return a line for each figure on the board: code, name, place, numbers, contents."""
        out = []
        for thing in game.placed_pieces():
            place = self.names.thing(game, game.space_of(thing))
            code = "" if self.drawing.is_net(game) else f"{self.drawing.code(thing):<4}"
            head = f"{code}{self.names.thing(game, thing)}, {place}"
            out.append(
                self.joined([head, *self._printed(game, thing), *self.stats(game, thing), *self._zones(game, thing)])
            )
        return out

    def _printed(self, game: Game, thing: int) -> list[str]:
        """Return the printed numbers of a piece whose kind has one that differs between definitions, and modified ones.

        A modified number shows the printed one, too. Left out are defaults, numbers at which a stat starts, and those
        that the title of the piece ends with."""
        changing = {row.field for row in self.program.modifiers}
        out = []
        definition = self.image.layout.definition_of[thing]
        differing = self._printed_differently() if definition >= 0 else set()
        begins = self._start_values(thing)
        kinds = {self.program.fields[field].kind for field in self._titled_numbers(thing) if field in differing}
        for field in self._titled_numbers(thing):
            row = self.program.fields[field]
            if row.sort != "const":
                continue
            value = game.value(field, thing)
            printed = game.base_value(field, thing) if field in changing else value
            shown = row.kind in kinds and value != row.empty
            if value == printed and (not shown or field in begins):
                continue  # a rule or another number shows it
            if value == printed and self.names.definition(definition).endswith(f" {value}"):
                continue
            name = self.names.field(field)
            out.append(f"{name} {value}" if value == printed else f"{name} {value} ({printed})")
        return out

    def _printed_differently(self) -> set[int]:
        """Return the fields for which the game's definitions print different values."""
        values: dict[int, set[int]] = {}
        for definition in self.program.definitions:
            for field, value in definition.values:
                values.setdefault(field, set()).add(value)
        return {field for field, printed in values.items() if len(printed) > 1}

    def _start_values(self, thing: int) -> set[int]:
        """Return the printed numbers at which other numbers of a thing start: these show them."""
        kind = self.image.layout.kind_of[thing]
        codes = [self.start_code(number, kind) for number in self._titled_numbers(thing)]
        return {
            int(getattr(op, operand.name))
            for code in codes
            if code >= 0
            for op in declared_ops(self.image, code)
            for operand in op.operands
            if operand.kind == "field"
        }

    def set_up(self, game: Game) -> list[str]:
        """Return the setup instructions for a real table: a sentence for each piece, track, number and zone.

        `board` draws the ground of the board.
        """
        say, names = self.names.say, self.names
        out: list[str] = []
        for thing in game.placed_pieces():
            here = say("set-up-piece", names.thing(game, thing), names.thing(game, game.space_of(thing)))
            held = [*self.stats(game, thing), *self._zones(game, thing)]
            out.append(f"{here[:-1]} ({self.joined(held)})." if held else here)
        for number, track in enumerate(self.program.tracks):
            thing = self.image.layout.first[track.definition]
            if game.in_play(thing):
                out.append(say("set-up-track", names.thing(game, thing), str(game.track_value(number))))
        low, high = self.image.layout.range_of("game")
        shown = [text for thing in range(low, high) for text in self.stats(game, thing)]
        shown = [text for text in shown if not text.endswith(" 0")]
        out += [say("set-up-number", text) for text in [*shown, *self._players(game)]]
        layout = self.image.layout
        for zone in range(1, layout.zones):
            if layout.zone_owner[zone] == -1 and game.world.zones[zone]:
                row = self.program.zones[layout.zone_row[zone]]
                word = "set-up-cards" if self.sees(game, zone) else "set-up-pile"
                title = names.text(row.title, row.name.replace("-", " "))
                out.append(say(word, title, self.contents(game, zone)))
        return [with_capital(text) for text in out]

    def joined(self, texts: Iterable[str]) -> str:
        """Return texts joined with the separator of the language."""
        return self.names.say("semicolon").join(texts)

    # ── a campaign ─────────────────────────────────────────────────────────────────────────────

    def kept(self, game: Game) -> list[str]:
        """Return the kept data of a campaign that differs from its start: thing by thing, then the zones of the
        game."""
        image = self.image
        values: dict[int, list[str]] = {}
        for number, thing in image.kept_stats:
            row, value = self.program.fields[number], game.value(number, thing)
            start = 0 if row.sort in ("status", "token") else self.start(game, number, thing)
            if value == start or (row.secret and not self.knows(game, thing, row)):
                continue
            shown = self._stat(game, row, number, value, start, thing)
            if shown:
                values.setdefault(thing, []).append(shown)
        owners = {image.layout.zone_owner[zone] for zone in image.kept_zones} - {-1}
        for owner in owners:
            values.setdefault(owner, []).extend(self._zones(game, owner))
        say, names = self.names.say, self.names
        low, high = image.layout.range_of("game")
        lines = [
            self.joined(values[thing])
            if low <= thing < high
            else say("does", names.thing(game, thing), self.joined(values[thing]))
            for thing in sorted(values)
            if values[thing]
        ]
        return [with_capital(line) for line in (*lines, *self._zones(game, -1))]

    # ── a thing's numbers ──────────────────────────────────────────────────────────────────────

    def stats(self, game: Game, thing: int) -> list[str]:
        """Return the relevant numbers of a thing: counters on it, and stats with a title."""
        out = []
        for number, row in enumerate(self.program.fields):
            if row.sort in ("const", "builtin") or not self._bears(thing, number):
                continue
            if row.secret and not self.knows(game, thing, row):
                continue
            value = game.value(number, thing)
            start = 0 if row.sort in ("status", "token") else self.start(game, number, thing)
            shown = self._stat(game, row, number, value, start, thing)
            if shown:
                out.append(shown)
        return out

    def _bears(self, thing: int, field: int) -> bool:
        layout = self.image.layout
        return layout.field_low[field] <= thing < layout.field_high[field]

    def _stat(self, game: Game, row: Field, number: int, value: int, start: int, thing: int) -> str:
        """Return the text of one stat; empty without a title (internal) or without a value."""
        if row.title < 0:
            return ""
        name = self.names.field(number, self.names.marks(game, thing))
        if row.tag == "flag":
            return name if value and not start else ""
        if row.sort in ("status", "token"):
            return "" if value <= 0 else name if row.limit == 1 else f"{name} {value}"
        if row.tag == "number":
            layout = self.image.layout
            if value == start == 0 and not any(thing in range(*layout.range_of(kind)) for kind in ("game", "player")):
                return ""
            return f"{name} {value}/{start}" if value < start else f"{name} {value}"
        if value == start or (value < 0 and row.tag != "enum") or not self.shows_reference(game, row, value):
            return ""
        return f"{name} {self.names.value(game, row.tag, value, row.enum)}"

    def shows_reference(self, game: Game, row: Field, value: int) -> bool:
        """Return whether people see to what a stat refers: to a space, a player, or something secret.

        With references to other things a game notes what is under way; they may be out of date."""
        if row.tag != "thing":
            return True
        layout = self.image.layout
        return row.secret or game.is_space(value) or layout.players_low <= value < layout.players_high

    def start(self, game: Game, field: int, thing: int) -> int:
        """Return the initial value of a field of a thing, computed now (it includes a bonus on its source)."""
        code = self.start_code(field, self.image.layout.kind_of[thing])
        return game.test(code, thing, thing) if code >= 0 else self.program.fields[field].empty

    def start_code(self, field: int, kind: int) -> int:
        """Return the code of the initial value of a field of a kind, or -1."""
        starts = dict(self.program.fields[field].starts)
        while kind >= 0 and kind not in starts:
            kind = self.program.kinds[kind].parent
        return starts.get(kind, -1)

    # ── zones ──────────────────────────────────────────────────────────────────────────────────

    def _zones(self, game: Game, owner: int) -> list[str]:
        """Return the nonempty zones of a thing (-1: of the game). A zone without a title shows only its contents."""
        layout = self.image.layout
        out = []
        for zone in range(1, layout.zones):
            if layout.zone_owner[zone] == owner and game.world.zones[zone]:
                row = self.program.zones[layout.zone_row[zone]]
                held = self.contents(game, zone)
                bare = owner >= 0 and row.title < 0 and self.sees(game, zone)
                name = self.names.text(row.title, row.name.replace("-", " "))
                out.append(held if bare else self.names.say("does", name, held))
        return out

    def contents(self, game: Game, zone: int) -> str:
        """Return the contents of a zone, its top last; only the number if the onlooker may not see them.

        Neighbors with the same text are counted."""
        things = game.contents(zone)
        if not self.sees(game, zone):
            return str(len(things))
        counted: list[tuple[str, int]] = []
        for held in (self._held(game, thing) for thing in things):
            times = counted.pop()[1] if counted and counted[-1][0] == held else 0
            counted.append((held, times + 1))
        listed = [self.names.say("times", text, str(times)) if times > 1 else text for text, times in counted[-FEW:]]
        return ("… " if len(counted) > FEW else "") + ", ".join(listed)

    def _held(self, game: Game, thing: int) -> str:
        marks = self.stats(game, thing)
        return self.names.thing(game, thing) + (f" ({', '.join(marks)})" if marks else "")

    def sees(self, game: Game, zone: int) -> bool:
        """Return whether the onlooker may see the contents of a zone: it is not secret, or not for one of the seats."""
        layout = self.image.layout
        row = layout.zone_row[zone]
        if row < 0 or not self.program.zones[row].secret:
            return True
        return self.knows(game, layout.zone_owner[zone], self.program.zones[row])

    def knows(self, game: Game, thing: int, secret: Field | Zone) -> bool:
        """Return whether the onlooker may know a secret stat of a thing, or the contents of its secret zone."""
        knowing = insiders(game, thing, secret)
        if self.seats is None:
            return bool(knowing)
        if self.together:
            return bool(self.seats) and all(player in knowing for player in self.seats)
        return any(player in self.seats for player in knowing)

    def parted(self, game: Game, seats: Collection[int]) -> bool:
        """Return whether these players have secrets from each other at present."""
        layout = self.image.layout
        secret = [
            (layout.zone_owner[zone], self.program.zones[layout.zone_row[zone]])
            for zone in range(1, layout.zones)
            if layout.zone_row[zone] >= 0 and layout.zone_owner[zone] >= 0 and game.world.zones[zone]
        ]
        insiders_of: list[set[int]] = [
            {seat for seat in insiders(game, owner, row) if seat in seats} for owner, row in secret if row.secret
        ]
        for number, field in enumerate(self.program.fields):
            if field.secret and not field.unseen:
                low, high = layout.field_low[number], layout.field_high[number]
                insiders_of += [
                    {seat for seat in insiders(game, thing, field) if seat in seats}
                    for thing in range(low, high)
                    if game.value(number, thing) != field.empty
                ]
        return any(0 < len(knowing) < len(seats) for knowing in insiders_of)

    def hides(self, game: Game, thing: int) -> bool:
        """Return whether a thing is visible to some players, but to none of the onlooker's seats."""
        zone = game.zone_of(thing)
        row = self.image.layout.zone_row[zone] if zone > 0 else -1
        if self.seats is None or row < 0 or not self.program.zones[row].secret:
            return False
        return not self.sees(game, zone) and bool(
            insiders(game, self.image.layout.zone_owner[zone], self.program.zones[row])
        )

    def is_record(self, thing: int) -> bool:
        """Return whether a thing is one of the short-lived records in which a game notes what is under way."""
        return thing >= 0 and self.program.kinds[self.image.layout.kind_of[thing]].policy == "records"

    # ── the question ───────────────────────────────────────────────────────────────────────────

    def question(self, game: Game, ask: Ask) -> str:
        """Return the question with the asked player and the reason."""
        first, why = self._question(game, ask), " › ".join(self.course(game))
        return f"{first}\n{self.names.say('because', why)}" if why else first

    def _question(self, game: Game, ask: Ask) -> str:
        """Return the question with the asked player."""
        who = self.names.player(game, ask.who)
        if ask.picked:
            tag = ask.options[0][0]
            picked = [self.names.option(game, (tag, value)) for value in ask.picked]
            return self.names.say("choose-more", who, ", ".join(picked))
        if ask.why >= 0:
            return self.names.say("choose-what", who, self.names.text(ask.why).replace("-", " "))
        ordered = ask.kind == "react" and ask.options[-1][0] != NONE
        return self.names.say("react-first" if ordered else ask.kind, who)

    def asked(self, game: Game, ask: Ask, occasion: str = "") -> str:
        """Return the question with printed names instead of those in sources.

        `occasion`: the text of the event that a reaction answers (`log_text.occasion`)."""
        who, (sort, marks) = self.names.player(game, ask.who), self._sort(ask)
        if ask.picked or ask.why < 0:
            first = self._question(game, ask)
        elif sort == "number" and (amount := self._amount(game)):
            first = self.names.say("which-amount", who, amount)
        elif sort in PLAIN:
            first = self.names.say(f"which-{sort}", who)
        else:
            first = self.names.say("which", who, sort, marks=marks) if sort else self.names.say("choose", who)
        if most := self._most(game, ask):
            first = self.names.say("up-to", first, str(most), self.names.say("done"))
        if ask.kind in ("action", "react"):
            course = self.names.say("because", " › ".join(self.course(game))) if self.course(game) else ""
            why = course if ask.kind == "react" else self.purpose(game)
            return "\n".join(filter(None, (first, why, occasion)))
        why, subject = self.purpose(game), self.subject(game)
        if subject and subject.casefold() not in why.casefold() and f"({subject})" not in first:
            why = self.names.say("for", why or first, subject)
            first = first if why != self.names.say("for", first, subject) else ""
            return f"{first}\n{why}" if first else why
        return f"{first}\n{why}" if why else first

    def _most(self, game: Game, ask: Ask) -> int:
        """Return how many more things may be chosen one after the other; 0 for a question with one answer."""
        frame = game.world.stack[-1] if game.world.stack else None
        if not isinstance(frame, Frame) or ask.kind != "choose":
            return 0
        op = declared_ops(self.image, frame.code)[frame.pc]
        if not isinstance(op, AskMany):
            return 0
        return min(frame.r[op.most] - len(ask.picked), len(ask.options) - 1)

    def subject(self, game: Game) -> str:
        """Return the piece to which a question applies; empty if there is none.

        It is the piece that goes to the chosen space, or else the element of the innermost loop around the question
        that iterates over pieces, or else the piece of the titled step.
        """
        layout = self.image.layout
        goes = self._destined(game)
        if goes:
            return goes
        for item in reversed(game.world.stack):
            if not isinstance(item, Frame):
                return ""
            for out in _loops_around(self.image, item.code, item.pc):
                thing = item.r[out]
                if 0 <= thing < layout.things and layout.definition_of[thing] >= 0 and not self.hides(game, thing):
                    row = self.program.definitions[layout.definition_of[thing]]
                    if row.title >= 0 and thing in range(*self.image.pieces):
                        return self.names.thing(game, thing)
            if item.code in self.labels:
                return ""
            if item.code in self._bearers:  # the innermost titled step
                return self._bearer(game, item)
        return ""

    def _bearer(self, game: Game, step: Frame) -> str:
        """Return the name of the piece for which a titled step happens; empty if there is none."""
        layout = self.image.layout
        for register in self._bearers[step.code]:
            thing = step.r[register] if 0 <= register < len(step.r) else -1
            if thing in range(*self.image.pieces) and layout.definition_of[thing] >= 0 and not self.hides(game, thing):
                return self.names.thing(game, thing)
        return ""

    def _destined(self, game: Game) -> str:
        """Return the name of the piece that the effect puts on the chosen space, itself or by a verb."""
        frame = game.world.stack[-1] if game.world.stack else None
        ops = declared_ops(self.image, frame.code) if isinstance(frame, Frame) else []
        asking = ops[frame.pc] if isinstance(frame, Frame) and frame.pc < len(ops) else None
        if not isinstance(frame, Frame) or not isinstance(asking, AskOne):
            return ""
        written: dict[int, int] = {}  # the definition of the thing that an op behind the question writes; -1: unknown
        for op in ops[frame.pc + 1 : frame.pc + FAR]:
            if op.jumps or isinstance(op, Asking):
                return ""
            register = placed_on(self.image, op, int(asking.out))
            if register in written:
                return self.names.definition(written[register]) if written[register] >= 0 else ""
            if register >= 0:
                thing = frame.r[register]
                visible = thing in range(*self.image.pieces) and not self.hides(game, thing)
                return self.names.thing(game, thing) if visible else ""
            for operand in op.operands:
                if operand.kind == "r" and operand.writes:
                    written[int(getattr(op, operand.name))] = frame.r[op.definition] if isinstance(op, Spare) else -1
        return ""

    def _amount(self, game: Game) -> str:
        """Return the name of the stat that the chosen number changes; empty if none follows soon."""
        frame = game.world.stack[-1] if game.world.stack else None
        ops = declared_ops(self.image, frame.code) if isinstance(frame, Frame) else []
        asking = ops[frame.pc] if isinstance(frame, Frame) and frame.pc < len(ops) else None
        if not isinstance(frame, Frame) or not isinstance(asking, AskOne):
            return ""
        derived = {int(asking.out)}  # the registers whose values follow from the number
        for op in ops[frame.pc + 1 : frame.pc + FAR]:
            if op.jumps or isinstance(op, Asking):
                return ""
            if isinstance(op, Set) and op.value in derived and self.program.fields[op.field].title >= 0:
                return self.names.field(int(op.field))
            registers = [operand for operand in op.operands if operand.kind == "r"]
            if any(int(getattr(op, read.name)) in derived for read in registers if not read.writes):
                derived |= {int(getattr(op, written.name)) for written in registers if written.writes}
        return ""

    def _sort(self, ask: Ask) -> tuple[str, str]:
        """Return the common name of all options, with its grammatical marks: a kind with a title, or one of `PLAIN`;
        empty if there is none."""
        kinds: list[list[int]] = []
        offered = [TAGS[option[0]] for option in ask.options if TAGS[option[0]] not in ("none", "done")]
        if offered and offered[0] in ("number", "face") and len(set(offered)) == 1:
            return offered[0], ""
        for option in ask.options:
            match TAGS[option[0]]:
                case "none" | "done":
                    continue
                case "thing" if 0 <= option[1] < self.image.layout.things:
                    kinds.append(self._lineage(self.image.layout.kind_of[option[1]]))
                case "definition" if 0 <= option[1] < len(self.program.definitions):
                    kinds.append(self._lineage(self.program.definitions[option[1]].kind))
                case _:
                    return "", ""
        common = [kind for kind in kinds[0] if all(kind in other for other in kinds)] if kinds else []
        plain = [self.program.kinds[kind].name for kind in common if self.program.kinds[kind].name in PLAIN]
        if plain:
            return plain[0], ""
        titled = [self.program.kinds[kind] for kind in common if self.program.kinds[kind].title >= 0]
        return (self.names.text(titled[0].title), self.names.marks_in(titled[0].grammar)) if titled else ("", "")

    def _lineage(self, kind: int) -> list[int]:
        """Return a kind and its ancestors."""
        out = []
        while kind >= 0:
            out.append(kind)
            kind = self.program.kinds[kind].parent
        return out

    def options(self, game: Game, ask: Ask) -> list[str]:
        """Return the names of the options."""
        return self.names.options(game, ask.options)

    def listed(self, ask: Ask) -> list[int]:
        """Return the numbers of the options in the order in which people see them.

        Actors keep their order. The actions of each are in the order of their declaration, first those without
        ``listed: last``; these come last of all actions."""
        actors = list(dict.fromkeys(option[2] for option in ask.options if option[0] == ACTION))
        places = [at for at, option in enumerate(ask.options) if option[0] == ACTION]
        ordered = sorted(places, key=lambda at: self._rank_of(ask.options[at], actors))
        order = dict(zip(places, ordered, strict=True))
        return [order.get(at, at) for at in range(len(ask.options))]

    def _rank_of(self, option: Option, actors: list[int]) -> tuple[bool, int, int]:
        return self.program.actions[option[1]].listed_last, actors.index(option[2]), option[1]

    def purpose(self, game: Game) -> str:
        """Return why a question is asked: the `course` of actions and cards, and the titled step or keyword."""
        course = self.course(game)
        titles = {row.code: self.names.text(row.title) for row in self.program.stages}
        running = [item.code for item in game.world.stack if isinstance(item, Frame)]
        last = max((at for at, code in enumerate(running) if code in self.labels), default=-1)
        innermost = [titles[code] for code in running[last + 1 :] if titles.get(code)][-1:]
        course += [title for title in innermost if not (course and course[-1].endswith(title))]
        return self.names.say("because", " › ".join(course)) if course else ""

    def unworded(self, game: Game, ask: Ask) -> str:
        """Return the id of the card that asks whether to do something without words of its own; empty if none does."""
        if not any(TAGS[option[0]] == "label" and option[1] < 0 for option in ask.options):
            return ""
        effects = {
            value: row.id
            for row in self.program.definitions
            for field, value in row.values
            if self.program.fields[field].codes == "effect"
        }
        running = [item.code for item in reversed(game.world.stack) if isinstance(item, Frame)]
        return next((effects[code] for code in running if code in effects), "")

    def course(self, game: Game) -> list[str]:
        """Return the causes of the present question, first to last: actions, cards, tracks, reactions."""
        out: list[str] = []
        for item in game.world.stack:
            if isinstance(item, Frame) and item.code in self.labels:
                label = self.labels[item.code]
                shown = self.done_by(game, item.r[0], label)
                if not out or out[-1] != shown:
                    out.append(shown)
        return out

    def done_by(self, game: Game, doer: int, label: str) -> str:
        """Return the text for an actor and an action; only the name if both have the same name."""
        if doer < 0:
            return label
        name = self.names.thing(game, doer)
        layout = self.image.layout
        itself = layout.definition_of[doer] if doer < layout.things else -1
        alike = name == label or (itself >= 0 and self.names.definition(itself) == label)
        return name if alike else self.names.say("does", name, label)

    def outcome(self, game: Game) -> str:
        """Return how the game ended, and why; for a fault also its source."""
        text = self.names.say(game.world.outcome_name())
        if game.world.fault is not None:
            place = self.names.place(game.world.fault.span)
            return f"{text}: {game.world.fault.reason}" + (f" ({place})" if place else "")
        if game.world.side >= 0:
            text += f" ({self.winner(game)})"
        title, words = self.names.ending(game)
        why = sentences(title, self.names.text(game.world.why), words)
        return self.names.say("does", text, why) if why else text

    def mission(self, id: str) -> str:
        """Return the title of a mission; `id` itself if it is no mission (a test)."""
        title = next((row.title for row in self.program.definitions if row.id == id), -1)
        return self.names.text(title, id)

    def winner(self, game: Game) -> str:
        """Return the names of the players or teams that won or lost; empty if all players share the result."""
        sides = (game.world.side, *game.world.others)
        return ", ".join([self.names.thing(game, side) for side in sides if side >= 0])


def _loops_around(image: Image, code: int, pc: int) -> list[int]:
    """Return the registers of the loop elements around an op of a code, the innermost loop first."""
    ops = declared_ops(image, code)
    repeated = {int(getattr(op, operand.name)) for op in ops[pc:] for operand in op.operands if operand.kind == "label"}
    loops = [op for op in ops[:pc] if isinstance(op, Iter) and op.end > pc and op.at in repeated]
    return [int(op.out) for op in reversed(loops)]


def placed_on(image: Image, op: Op, space: int, depth: int = 3) -> int:
    """Return the register of the thing that an op puts on the space in another register; -1: it puts none there.

    It looks into verbs that the op calls, and that call others, `depth` in all."""
    if isinstance(op, Place):
        return int(op.thing) if op.where == space else -1
    if not isinstance(op, Call | Do) or not depth:
        return -1
    given = image.args[op.args]
    code = op.code if isinstance(op, Call) else image.program.verbs[op.verb].code
    for inner in declared_ops(image, code) if (0, space) in given else ():
        for at, (bank, register) in enumerate(given):
            thing = placed_on(image, inner, at, depth - 1) if (bank, register) == (0, space) else -1
            if 0 <= thing < len(given):
                return given[thing][1]
    return -1


def _labels_of_codes(view: View) -> dict[int, str]:
    """Return the labels of the codes of titled things: actions, cards' effects, steps of tracks."""
    program, names = view.program, view.names
    out: dict[int, str] = {}
    for definition in program.definitions:
        for field, value in definition.values:
            if program.fields[field].codes == "effect" and value >= 0:
                out[value] = _title(names, program.kinds[definition.kind], definition)
    for track in program.tracks:
        title = names.definition(track.definition)
        out |= {code: title for _, code in track.steps} | ({track.end: title} if track.end >= 0 else {})
    for tier in program.tiers:
        out |= {code: names.text(tier.title) for code in (tier.enter, tier.leave) if code >= 0 and tier.title >= 0}
    for listener in program.listeners:
        if listener.title >= 0:
            out[listener.body] = names.text(listener.title)
        elif listener.scope == "definition":
            out[listener.body] = names.definition(listener.owner)
    for action in program.actions:
        out[action.body] = names.text(action.title, action.name.replace("-", " "))
    return out


def _title(names: Names, kind: Kind, definition: Definition) -> str:
    """Return a definition's title; for a part without one, its owner's."""
    while definition.title < 0 and definition.owner >= 0:
        definition = names.program.definitions[definition.owner]
    return names.text(definition.title, definition.id or kind.name)
