"""The referee of a real table: people play with dice, cards and figures, and fcb reports the consequences."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fcbdsl.base.files import write_atomically
from fcbdsl.cli import common
from fcbdsl.cli.main import PROBLEMS
from fcbdsl.cli.terminal_play import COMMANDS, Leave, Table, matching_names, print_wrapped
from fcbdsl.machine.vm.game import Game
from fcbdsl.machine.vm.world import Ask
from fcbdsl.play.session.log_text import bearer_of_roll, owned_die
from fcbdsl.play.session.playout import MOST_BYTES, BadRecord, Record
from fcbdsl.play.session.tabletop import PLACE, TRACK, HandSession, read_session, session_to_json
from fcbdsl.play.session.view import View

if TYPE_CHECKING:
    from fcbdsl.cli.read_aloud import CardReader


def kept_at(path: Path) -> tuple[Record, list[dict[str, object]]]:
    """Read the log of a table; if that is impossible, print the reason and leave with PROBLEMS."""
    try:
        return read_session(common.read_up_to(path, MOST_BYTES + 1))
    except BadRecord as error:
        common.leave_with(f"{path} can't be continued: {error}.")


def preside(
    game: Game,
    record: Record,
    log: Path,
    language: str,
    reader: CardReader | None,
    entries: Sequence[dict[str, object]] = (),
) -> None:
    """Act as referee of a game to its end, or until people leave. Each step is saved in `log`.

    `entries`: the earlier steps. A fault of the content leaves with PROBLEMS.
    """
    table = RefereeTable(game, record, View(game.image, language, range(record.players)), log, reader)
    try:
        table.hands.again(entries)
    except BadRecord as error:
        common.leave_with(f"{log} can't be continued: {error}.")
    try:
        table.play()
    except (KeyboardInterrupt, Leave):
        table.keep()
        click.echo()
        click.echo(table.say("left", str(log), f"fcb play --table --resume {shlex.quote(str(log))}"))
        return
    table.keep()
    click.echo(common.ending_line(table.session.game, record, language))
    if record.outcome == "fault":
        raise click.exceptions.Exit(PROBLEMS)


class RefereeTable(Table):
    """A table at which people roll and draw by hand; it asks for the results, and permits corrections."""

    def __init__(self, game: Game, record: Record, view: View, log: Path, reader: CardReader | None) -> None:
        self.hands = HandSession(game, record, self)
        super().__init__(self.hands, view, lambda _: self.keep(), reader)
        self.hands.log_observer = self._witness.note
        self._log = log

    def play(self) -> None:
        """Print the instructions for a table, then play as at a terminal. Raise Leave when people leave."""
        print_wrapped(f"{self.say('by-hand')}\n")
        super().play()

    def _show(self, whole: bool) -> None:
        """At the start, print how to set up the table instead of the log."""
        game = self.session.game
        if not whole or len(self.hands.entries) > 1 or not game.world.ask:
            super()._show(whole)
            return
        self._catch_up()
        self._look()
        self._board = self.view.changed_board(game) if game.world.board >= 0 else ""
        drawn = self.view.board(game) if game.world.board >= 0 else ""
        print_wrapped(f"{drawn}\n{self.say('set-up')}")
        for number, line in enumerate(self.view.set_up(game), 1):
            print_wrapped(f"{number:>4}  {line}")
        print_wrapped(self.say("set-up-otherwise"))

    def _ask(self, ask: Ask) -> None:
        """Print a note if chance answers the question."""
        if self.hands.by_lot():
            print_wrapped(f"\n{self.say('by-lot')}")
        super()._ask(ask)

    def _command(self, typed: str) -> None:
        """Add the instructions for a table to the help. Raise Leave when people leave."""
        super()._command(typed)
        if typed == "?":
            print_wrapped(self.say("by-hand"))

    def keep(self) -> None:
        """Save the steps so far."""
        write_atomically(self._log, session_to_json(self.session.record, self.hands.entries))

    # ── hands ──────────────────────────────────────────────────────────────────────────────────

    def roll(self, game: Game, die: int) -> int | None:
        """Ask for the result of a die, and print the purpose of the roll."""
        row = self.view.program.dice[die]
        values = list(dict.fromkeys(row.values))
        faces = [self.view.names.roll(die, value) for value in values]
        bearer = bearer_of_roll(game, game.world.history(game.world.happened - 1)[-1])
        name = owned_die(self.view, game, die, bearer) or self.view.names.text(row.title, row.name)
        if self.hands.entries:  # the start is told as instructions
            self._tell(game, until=game.world.happened - 1)
        print_wrapped(f"\n{self.say('roll-by-hand', name)}")
        purpose, subject = self.view.purpose(game), self.view.subject(game)
        if purpose and subject and subject not in f"{name} {purpose}":
            purpose = self.say("for", purpose, subject)
        if purpose:
            print_wrapped(purpose)
        keys = self._listed(faces, are_numbers=row.numbered)
        while True:
            typed = self._read(keys)
            if not typed:
                return None
            if typed in keys:
                return values[keys.index(typed)]
            self._command(typed)

    def draw(self, game: Game, zone: int, things: Sequence[int], cover: int = -1) -> int | None:
        """Ask which card was drawn, or which one a piece has covered."""
        names = [self.view.names.thing(game, thing) for thing in reversed(things)]
        pile = self.view.program.zones[self.view.image.layout.zone_row[zone]]
        title = self.view.names.text(pile.title, pile.name.replace("-", " "))
        asked = (
            self.say("draw-by-hand", title)
            if cover < 0
            else self.say("turn-by-hand", self.view.names.thing(game, cover))
        )
        print_wrapped(f"\n{asked}")
        if self.hands.goal and self.view.image.layout.zone_owner[self.hands.goal] >= 0:
            print_wrapped(self.say("draw-for", self.view.names.zone(game, self.hands.goal)))
        while True:
            typed = self._line(self.say("prompt-card"))
            if not typed:
                return None
            if (typed in COMMANDS and typed != "u") or typed.startswith("?"):
                self._command(typed)
                continue
            meant = matching_names(typed, names)
            different = list(dict.fromkeys(names[index] for index in meant))
            if len(different) == 1:
                return things[-1 - meant[0]]
            if different:
                self._tell_several("which-card", different)
            else:
                print_wrapped(self.say("no-card-there", self._quoted(typed)))

    # ── corrections ────────────────────────────────────────────────────────────────────────────

    def _extra(self, typed: str) -> bool:
        """Correct the position: ``=WHO SPACE``, ``=TRACK N``, ``=WHO STAT N``, ``=STAT N`` of the game itself."""
        if not typed.startswith("="):
            return super()._extra(typed)
        correction = self._correction(typed[1:].split())
        if correction is None:
            return False
        number, thing, value, words = correction
        self.hands.correct(number, thing, value)
        print_wrapped(self.say("corrected", words))
        self._skip()
        return True

    def _correction(self, typed: Sequence[str]) -> tuple[int, int, int, str] | None:
        """Return the field, the thing, the value and the change in words; print the reason and return None if
        unclear."""
        game, names = self.session.game, self.view.names
        if len(typed) < 2:
            print_wrapped(self.say("correct-how"))
            return None
        last = typed[-1]
        spaces = {names.thing(game, space).lower(): space for space in range(game.spaces_low, game.spaces_end)}
        if last in spaces:
            thing = self._one(" ".join(typed[:-1]), list(range(*game.image.pieces)))
            if thing is None:
                return None
            return PLACE, thing, spaces[last], f"{names.thing(game, thing)} → {last.upper()}"
        if not last.lstrip("-").isdecimal():
            print_wrapped(self.say("correct-how"))
            return None
        value = int(last)
        tracks = {game.layout.first[row.definition]: row for row in game.program.tracks}
        called = " ".join(typed[:-1])
        for thing, row in tracks.items():
            if game.in_play(thing) and called in names.thing(game, thing).lower() and row.low <= value <= row.high:
                return TRACK, thing, value, f"{names.thing(game, thing)} {value}"
        return self._stat(typed[:-1], value)

    def _stat(self, typed: Sequence[str], value: int) -> tuple[int, int, int, str] | None:
        """Return a number of a piece: ``WHO STAT``, each of one word or more; or one of the game itself: ``STAT``."""
        game, names = self.session.game, self.view.names
        for cut in range(len(typed) - 1, -1, -1):
            stat = " ".join(typed[cut:])
            numbers = [
                number
                for number, row in enumerate(game.program.fields)
                if row.tag == "number" and row.sort not in ("const", "builtin")
                and stat in (names.field(number).lower(), row.name.lower())
            ]  # fmt: skip
            if not numbers:
                continue
            thing = self._one(" ".join(typed[:cut]), game.placed_pieces()) if cut else self._itself()
            if thing is None:
                return None
            for number in numbers:
                if game.layout.field_low[number] <= thing < game.layout.field_high[number]:
                    whose = f"{names.thing(game, thing)}: " if cut else ""
                    return number, thing, value, f"{whose}{names.field(number)} {value}"
        print_wrapped(self.say("correct-how"))
        return None

    def _itself(self) -> int:
        """Return the thing with the numbers of the game itself."""
        return self.session.game.layout.range_of("game")[0]

    def _one(self, called: str, things: Sequence[int]) -> int | None:
        """Return the piece in play with that name, or with a name that contains it."""
        game, names = self.session.game, self.view.names
        there = {names.thing(game, thing): thing for thing in things if game.in_play(thing)}
        matches = [name for name in there if called and called in name.lower()]
        matches = [name for name in matches if name.lower() == called] or matches
        if len(matches) == 1:
            return there[matches[0]]
        print_wrapped(
            self.say("which-card", ", ".join(matches)) if matches else self.say("no-piece-there", self._quoted(called))
        )
        return None
