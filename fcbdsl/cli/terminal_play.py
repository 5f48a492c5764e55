"""A game at the terminal: a person sees the table and answers by number. A pipe gets the same, line by line."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fcbdsl.base.files import CannotRead, read_regular, write_atomically
from fcbdsl.base.records import dataclass
from fcbdsl.cli import common
from fcbdsl.cli.main import PROBLEMS
from fcbdsl.machine.vm.game import Game
from fcbdsl.machine.vm.teams import deciding_seats
from fcbdsl.machine.vm.world import TAGS, Ask
from fcbdsl.play.session.log_text import card_received, cards_revealed, occasion
from fcbdsl.play.session.playout import Record
from fcbdsl.play.session.session import Session
from fcbdsl.play.session.story import Heading, StoryLine, StoryTeller, Witness
from fcbdsl.play.session.view import View
from fcbdsl.play.table.destinations import destinations

if TYPE_CHECKING:
    from fcbdsl.cli.read_aloud import CardReader
    from fcbdsl.play.bots.bots import Bot

LOG_LINES = 40
"""Most lines of the log that `l` shows."""
COMMANDS = ("", "b", "l", "m", "q", "s", "u")
SIGNS = ("?", ">", "=")
"""Commands besides answers, and the first characters of longer commands. An option with such a name needs its
number."""
COLUMNS, SHORT = 8, 4
"""Options in a line if there are more of them and none has more letters than the second number, such as spaces."""
FEW = 2
"""Most different cards that are read out when somebody gets them."""
MARGIN = 6
"""Columns before the text of a card."""
LEAST = 2
"""Least letters of a part of a name."""
DRAWN = "    "
"""What only lines of drawn boards contain between other characters."""
LEAST_WIDTH = 20
"""Least columns for which lines are wrapped."""
MOST_NAMED = 12
"""Most names that are listed if one is ambiguous."""


class Leave(Exception):
    """The person leaves; `keep`: whether to save the log."""

    def __init__(self, keep: bool) -> None:
        super().__init__()
        self.keep = keep


def sit_down(
    game: Game,
    record: Record,
    persons: tuple[int, ...],
    bot: str,
    log: Path | None,
    language: str,
    keeping: bool = True,
    reader: CardReader | None = None,
) -> None:
    """Let persons (and for the other seats bots) play a game to its end, or until they leave.

    `keeping`: the game can be replayed from its record, which is saved when they leave. `reader`: reads out cards and
    missions.

    fcb writes `log` after each decision, so a killed process loses none. A player who quits without a log gets back the
    earlier file.

    A fault of the content leaves with PROBLEMS.
    """
    bots: dict[int, Bot] = {}
    if len(persons) < record.players:
        from fcbdsl.play.bots.roster import bots_beside_persons

        bots = bots_beside_persons(bot, record.players, persons, record.seed)
    before = _content(log) if log is not None else None
    saved = log if log is not None and (before is not None or not os.path.lexists(log)) else None  # no device, no pipe

    def keep(now: Record) -> None:
        if saved is not None:
            write_atomically(saved, replace(now, outcome="open", digest="").to_json())

    table = Table(Session(game, record, bots), View(game.image, language, persons), keep, reader)
    file = log or Path(f"{record.mission}-{record.seed}.log.json")
    try:
        table.play()
    except KeyboardInterrupt:
        click.echo()
        table.session.interrupt()
        if keeping:
            _keep(table, file)
    except Leave as leave:
        if leave.keep and keeping:
            _keep(table, file)
        else:
            if saved is not None:
                _put_back(saved, before)
            click.echo(table.say("left-only"))
    else:
        if log is not None:
            write_atomically(log, record.to_json())
        click.echo(common.ending_line(table.session.game, record, language))
        if record.outcome == "fault":
            raise click.exceptions.Exit(PROBLEMS)


def _content(log: Path) -> bytes | None:
    """Return the content of an earlier log; None if there is none that can be read."""
    try:
        return read_regular(log)
    except CannotRead:
        return None


def _put_back(log: Path, before: bytes | None) -> None:
    """Restore the file of a log as it was before the game."""
    if before is not None:
        write_atomically(log, before)
    elif log.is_file() and not log.is_symlink():
        log.unlink()


def _keep(table: Table, path: Path) -> None:
    """Write the log of a game that is left."""
    write_atomically(path, table.session.record.to_json())
    click.echo(table.say("left", str(path), f"fcb play --resume {shlex.quote(str(path))}"))


def play_on(game: Game, record: Record, language: str, keep: Callable[[Record], None]) -> Game:
    """Let persons play a game to its end, or until they leave; `keep` is called with the record after each decision.

    Return the final state of the game; the record shows whether it is over.
    """
    view = View(game.image, language, range(record.players))
    table = Table(Session(game, record, {}), view, keep)
    try:
        table.play()
    except (KeyboardInterrupt, Leave):
        click.echo()
        table.session.interrupt()
    return table.session.game


def plain(text: str) -> str:
    """Return a text with the apostrophes and spaces of a keyboard."""
    return text.translate(common.KEYS)


def matching_names(typed: str, names: Sequence[str]) -> list[int]:
    """Return the indices of the names that match: equal ones, or else those that contain the text (in small
    letters). Typed apostrophes and spaces may be plain."""
    typed, lower = plain(typed), [plain(name.lower()) for name in names]
    exact = [index for index, name in enumerate(lower) if name == typed]
    return exact or [index for index, name in enumerate(lower) if len(typed) >= LEAST and typed in name]


def print_wrapped(text: str = "", nl: bool = True) -> None:
    """Print a text. A terminal gets lines that are too long for it wrapped between words, except drawings."""
    columns = shutil.get_terminal_size().columns if sys.stdout.isatty() else 0
    click.echo(wrapped_lines(text, columns) if columns else text, nl=nl)


def wrapped_lines(text: str, columns: int) -> str:
    """Return a text with its long lines wrapped between words, indented like the line and by two more columns."""
    out = []
    for line in text.split("\n"):
        indent = len(line) - len(line.lstrip())
        if len(line) <= columns or DRAWN in line[indent:] or columns < indent + LEAST_WIDTH:
            out.append(line)
            continue
        after = " " * (indent + 2)
        ends = line[len(line.rstrip()) :]  # a prompt ends with a space
        rows = textwrap.wrap(line, columns, subsequent_indent=after, break_long_words=False, break_on_hyphens=False)
        out += [*rows[:-1], rows[-1] + ends]
    return "\n".join(out)


def _line(entry: Heading | StoryLine, depths: list[int]) -> str:
    """Return a line of the story, one step further in than the line that it follows from, or a heading.

    `depths`: the depths in the story of the last line and the lines that it follows from."""
    if isinstance(entry, StoryLine):
        while depths and depths[-1] >= entry.depth:
            depths.pop()
        depths.append(entry.depth)
        return f"{'  ' * len(depths)}{entry.text}"
    depths.clear()
    return f"\n══ {entry.text} ══" if entry.level == 1 else f"── {entry.text} ──"


def _changes(before: str, after: str) -> str:
    """Return the lines of a list of places that are new."""
    lines = set(before.splitlines())
    return "".join(f"{line}\n" for line in after.splitlines() if line not in lines)


@dataclass(slots=True)
class _Audience:
    """People who look at the screen together, and their story.

    `lengths`: its number of lines at each position, by the number of log entries. `received`: the cards that one of
    them got, and that were read out."""

    view: View
    teller: StoryTeller
    lengths: dict[int, int] = field(default_factory=dict)
    received: set[str] = field(default_factory=set)


class Table:
    """Shows a session and reads its answers; `keep` is called with the record after each of them.

    `reader`: prints the texts of cards and missions, if the sources exist.
    """

    def __init__(
        self,
        session: Session,
        view: View,
        keep: Callable[[Record], None] | None = None,
        reader: CardReader | None = None,
    ) -> None:
        self.session = session
        self._keep = keep
        self._reader = reader
        self._witness = Witness()
        self._watched: Game | None = None
        self._people = frozenset(view.seats or ())
        """The players who share the screen."""
        teller = StoryTeller(view, session.game, session.record, self._witness, explained=True, answers=False)
        self._audience = _Audience(view, teller)
        """The people who look at the screen now."""
        self._audiences = {(self._people, False): self._audience}
        """All audiences, by their seats and whether these have secrets from each other."""
        self._tellers: dict[int, dict[tuple[frozenset[int], bool], StoryTeller]] = {}
        """Copies of all tellers as they were before each decision, by the number of log entries."""
        self._seen = dict.fromkeys(self._people, 0)
        """The number of log entries when each player last looked at the screen."""
        self._board = ""
        """The board as last shown, without the places of its marks and regions."""
        self._played: set[tuple[int, int]] = set()
        """Bots' seats with the figures that were announced as theirs."""
        self._pushed: str | None = None
        """A line that was read too early."""
        self._typed = ""
        """The last line as it was typed."""

    @property
    def view(self) -> View:
        """Return what the people in front of the screen see."""
        return self._audience.view

    def say(self, word: str, *parts: str) -> str:
        """Return a phrase in the person's language."""
        return self.view.names.say(word, *parts)

    def _quoted(self, typed: str) -> str:
        """Return a typed text in quotation marks, with control characters escaped."""
        return self.say("quoted", repr(typed)[1:-1])

    def play(self) -> None:
        """Ask and answer until the game is over. Raise Leave."""
        record = self.session.record
        print_wrapped(self.say("begins", self.view.mission(record.mission), str(record.players), str(record.seed)))
        if self._reader is not None and (text := self._reader.mission(record.mission)):
            print_wrapped(f"{text}\n")
        ask = self._advance()
        self._draw_curtain(ask)
        self._show(whole=True)
        while ask is not None:
            self._ask(ask)
            if self._keep is not None:
                self._keep(record)
            ask = self._advance()
            self._show(whole=self._draw_curtain(ask))

    def _advance(self) -> Ask | None:
        """Play to the next question to a person, and record the causes of what happens."""
        game = self.session.game
        if game is not self._watched:
            self._watched = game
            self._witness.watch(game)
        return self.session.advance()

    def _catch_up(self, game: Game | None = None, until: int | None = None) -> None:
        """Add what has happened to the story of each audience. `game`, `until`: in the middle of a step (see
        `StoryTeller.catch_up`)."""
        game = game or self.session.game
        for audience in self._audiences.values():
            audience.teller.catch_up(game, asking=True, until=until)
        self._witness.stacks.clear()
        self._mark(game.world.happened if until is None else until)

    def _mark(self, happened: int) -> None:
        """Note how long each story is at this number of log entries, for people who look later and for undoing."""
        for audience in self._audiences.values():
            audience.lengths[happened] = len(audience.teller.story.entries)
        self._tellers[happened] = {key: audience.teller.fork() for key, audience in self._audiences.items()}

    def _look(self, happened: int | None = None) -> None:
        """Note that the people in front of the screen have seen their story up to this number of log entries."""
        now = self.session.game.world.happened if happened is None else happened
        self._seen |= dict.fromkeys(self.view.seats or (), now)

    def _turn_to(self, seats: frozenset[int], parted: bool) -> None:
        """Turn the screen to an audience. `parted`: they see only what each of them may know.

        When players first have secrets from each other, each of them gets a story."""
        keys = [(seats, parted)]
        if parted:
            keys += [(self._people, True), *((frozenset([seat]), True) for seat in self._people)]
        shared = self._audiences.get((self._people, True), self._audience)  # no secrets of anybody are in its story
        for key in keys:
            if key not in self._audiences:
                view = View(self.view.image, self.view.names.language, key[0])
                view.together = key[1]
                teller = shared.teller.seen_by(view)
                self._audiences[key] = _Audience(view, teller, shared.lengths.copy(), shared.received.copy())
        self._audience = self._audiences[seats, parted]

    def _draw_curtain(self, ask: Ask | None) -> bool:
        """Wait until a player is alone before showing secrets that the others at the screen may not see.

        Return whether the view has changed: it shows what all players at the screen may know.
        """
        game = self.session.game
        if len(self._people) < 2:
            return False
        asked = frozenset(deciding_seats(game, ask.who)) & self._people if ask is not None else self._people
        asked = asked or self._people
        before = (frozenset(self.view.seats or ()), self.view.together)
        parted = self.view.parted(game, self._people)
        self._turn_to(asked if parted else self._people, parted)
        if (frozenset(self.view.seats or ()), self.view.together) == before:
            return False
        if not parted:
            return before[0] != self._people
        if sys.stdout.isatty() and before[0] != self._people:
            click.clear()
        if ask is None or asked == self._people:
            return True
        word = "alone-team" if ask.who < 0 else "alone"
        typed = self._line(self.say(word, self.view.names.player(game, ask.who)))
        if typed:
            self._pushed = typed  # a script that knows of no curtain has answered the question that follows
        if sys.stdout.isatty():
            click.clear()
        return True

    def _skip(self) -> None:
        """Leave what has happened since out of all stories."""
        for audience in self._audiences.values():
            audience.teller.heard = self.session.game.world.happened
        self._mark(self.session.game.world.happened)
        self._look()

    def _tell(self, game: Game, until: int | None = None) -> None:
        """Print what has happened since these people last looked. `until`: see `_catch_up`."""
        story = self._audience.teller.story
        since = min(self._seen[seat] for seat in self.view.seats) if self.view.seats else 0
        self._catch_up(game, until)
        fresh = story.entries[self._audience.lengths.get(since, 0) :]
        depths: list[int] = []
        begins = [entry.entry if isinstance(entry, StoryLine) else 0 for entry in fresh]
        for at, entry in enumerate(fresh):
            print_wrapped(_line(entry, depths))
            if isinstance(entry, StoryLine):
                end = next((number for number in begins[at + 1 :] if number), self._audience.teller.heard + 1)
                self._read_out(game, range(entry.entry, end))
        self._look(until)

    def _show(self, whole: bool) -> None:
        """Print what has happened since these people last looked, and draw the board if it looks different."""
        game = self.session.game
        self._tell(game)
        self._announce_figures(game)
        board = self.view.changed_board(game) if game.world.board >= 0 else ""
        if whole:
            print_wrapped(self.view.table(game), nl=False)
        elif board != self._board:
            print_wrapped(_changes(self._board, board) if self.view.lists_places(game) else board, nl=False)
        self._board = board

    def _announce_figures(self, game: Game) -> None:
        """Print which figures bots decide for, as soon as they are on the board."""
        names = self.view.names
        for seat in range(game.world.players):
            if seat in self._people:
                continue
            fresh = [thing for thing in names.figures(game, seat) if (seat, thing) not in self._played]
            self._played.update((seat, thing) for thing in fresh)
            if fresh:
                figures = ", ".join(names.thing(game, thing) for thing in fresh)
                print_wrapped(f"  {self.say('plays', names.who(game, seat), figures)}")

    def _read_out(self, game: Game, entries: range) -> None:
        """Print the texts of cards that have become visible in some entries of the log.

        These are cards that take effect for all, and cards that somebody gets, unless they get many. The latter are
        read out once."""
        if self._reader is None or not entries:
            return
        nodes = [node for node in game.world.history(entries.start - 1) if node.number in entries]
        received = dict.fromkeys(filter(None, (card_received(self.view, game, node) for node in nodes)))
        fresh = [id for id in received if id not in self._audience.received] if len(received) <= FEW else []
        for audience in self._audiences.values():
            if set(audience.view.seats or ()) <= set(self.view.seats or ()):
                audience.received.update(fresh)
        revealed = [id for node in nodes for id in cards_revealed(self.view, game, node)]
        revealed = list(dict.fromkeys([*revealed, *fresh]))
        for id in revealed:
            margin = MARGIN + 2 * (len(revealed) > 1)
            text = self._reader.text(id, margin).splitlines()
            if len(revealed) > 1 and text:
                print_wrapped(f"{' ' * MARGIN}{self._reader.title(id)}")
            for line in text:
                print_wrapped(f"{' ' * margin}{line}")

    def _ask(self, ask: Ask) -> None:
        """Ask a question until it is answered, or a decision is undone."""
        game = self.session.game
        order = self.view.listed(ask)
        named = self.view.options(game, ask)
        options = [named[index] for index in order]
        print_wrapped(
            f"\n{self.view.asked(game, ask, occasion(self.view, game, ask, self._witness.rolls_aside(game)))}"
        )
        if self._reader is not None and (id := self.view.unworded(game, ask)):
            for line in self._reader.text(id, MARGIN).splitlines():
                print_wrapped(f"{' ' * MARGIN}{line}")
        leads = destinations(self.view, game, ask)
        shown = [f"{named[index]} → {leads[index]}" if index in leads else named[index] for index in order]
        keys = self._listed(shown, are_numbers=all(TAGS[option[0]] == "number" for option in ask.options))
        while True:
            typed = self._read(keys)
            if typed in keys:
                self.session.choose(order[keys.index(typed)])
                return
            if typed == "u" and self._take_back():
                return
            if typed.startswith(">") and self._go(ask, typed[1:].split()):
                return
            if self._extra(typed):
                return
            if typed in COMMANDS or typed.startswith(SIGNS) or not (meant := matching_names(typed, options)):
                self._command(typed)
            elif len(meant) == 1:
                self.session.choose(order[meant[0]])
                return
            else:
                self._tell_several("which-one", [options[index] for index in meant])

    def _tell_several(self, word: str, names: Sequence[str]) -> None:
        """Print that a name is ambiguous, with the names and the number of unlisted ones."""
        named, more = ", ".join(names[:MOST_NAMED]), len(names) - MOST_NAMED
        print_wrapped(self.say(word, self.say("and-more", named, str(more)) if more > 0 else named))

    def _extra(self, typed: str) -> bool:
        """Run a command that only some tables have; return whether the question is to be asked again."""
        return False

    def _listed(self, options: Sequence[str], are_numbers: bool) -> list[str]:
        """Print options and return what somebody types to take each: its number in the list, or the number that it
        is."""
        if are_numbers:
            print_wrapped(f"      {', '.join(options)}")
            return list(options)
        width = max(map(len, options))
        abreast = COLUMNS if len(options) > COLUMNS and width <= SHORT else 1
        for first in range(0, len(options), abreast):
            row = [
                f"{first + at:>4}  {option:<{width}}" for at, option in enumerate(options[first : first + abreast], 1)
            ]
            print_wrapped("".join(row).rstrip())
        return [str(number) for number in range(1, len(options) + 1)]

    def _read(self, keys: Sequence[str]) -> str:
        """Read an answer to a question with these numbers. Raise Leave at the end of the input."""
        first, last = keys[0], keys[-1]
        return self._line(self.say("prompt", first if first == last else f"{first}–{last}"))

    def _line(self, prompt: str) -> str:
        """Read a line. Raise Leave at the end of the input."""
        if self._pushed is not None:
            typed, self._pushed = self._pushed, None
            return typed
        print_wrapped(prompt, nl=False)
        line = sys.stdin.buffer.readline()
        if not line:
            print_wrapped()
            raise Leave(keep=True)
        self._typed = line.decode("utf-8", "replace").strip()
        if not sys.stdin.isatty():
            print_wrapped(self._typed)  # a transcript shows what was answered
        return self._typed.lower()

    def _command(self, typed: str) -> None:
        """Run a command. Raise Leave when people leave."""
        game = self.session.game
        match typed:
            case "" | "u":
                pass
            case "?":
                print_wrapped(self.say("help"))
            case "m":
                text = self._reader.mission(self.session.record.mission) if self._reader is not None else ""
                print_wrapped(text or self.say("no-sources"))
            case _ if typed.startswith("?"):
                self._read_card(typed[1:].strip())
            case _ if typed.startswith((">", "=")):
                pass  # the reason was printed already
            case "b":
                print_wrapped(self.view.table(game), nl=False)
            case "l":
                depths: list[int] = []
                for entry in self._audience.teller.story.entries[-LOG_LINES:]:
                    print_wrapped(_line(entry, depths))
            case "s":
                raise Leave(keep=True)
            case "q":
                raise Leave(keep=False)
            case _ if typed.isdecimal():
                print_wrapped(self.say("no-option", typed))
            case _:
                print_wrapped(self.say("no-command", self._quoted(self._typed), self.say("help")))

    def _read_card(self, name: str) -> None:
        """Print the text of a card, or the names that match."""
        record, game = self.session.record, self.session.game
        places = self.view.places(game) if game.world.board >= 0 else {}
        texts = self._reader.card(name, record.mission, places) if self._reader is not None else []
        if self._reader is None:
            print_wrapped(self.say("no-sources"))
        elif not texts:
            print_wrapped(self.say("no-card", self._quoted(self._typed[1:].strip())))
        else:
            print_wrapped(texts[0] if len(texts) == 1 else self.say("which-card", ", ".join(texts)))

    def _go(self, ask: Ask, typed: Sequence[str]) -> bool:
        """Move a piece to a space by as many decisions as needed, or print why it is impossible."""
        from fcbdsl.play.session.routes import movable, way

        game, names = self.session.game, self.view.names
        spaces = {names.thing(game, space).lower(): space for space in range(game.spaces_low, game.spaces_end)}
        if not typed or typed[-1] not in spaces:
            print_wrapped(self.say("no-space", self._quoted(self._typed.split()[-1].lstrip(">"))))
            return False
        called = " ".join(typed[:-1])
        may = {names.thing(game, piece): piece for piece in movable(game, ask)}
        meant = [name for name in may if called in name.lower()]
        if len(meant) != 1:
            print_wrapped(
                self.say("which-piece", ", ".join(meant)) if meant else self.say("no-piece", self._quoted(called))
            )
            return False
        persons = self.view.seats if self.view.seats is not None else range(game.world.players)
        path = way(game, ask, may[meant[0]], spaces[typed[-1]], persons)
        if path is None:
            print_wrapped(self.say("no-way", meant[0], typed[-1].upper()))
            return False
        for number, index in enumerate(path):
            if number:
                self._advance()
                self._catch_up()
            self.session.choose(index)
        return True

    def _take_back(self) -> bool:
        """Undo the last decision, or print why it is impossible."""
        if not self.session.can_undo():
            print_wrapped(self.say("nothing-back"))
        elif self.session.revealed():
            print_wrapped(self.say("shown-since"))
        else:
            self.session.undo()
            happened = self.session.game.world.happened
            for key, teller in self._tellers.get(happened, {}).items():
                self._audiences[key].teller = teller
            self._seen = {seat: min(seen, happened) for seat, seen in self._seen.items()}
            self._skip()
            self._show(whole=True)
            return True
        return False
