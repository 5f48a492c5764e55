"""The state of a game: plain data, and nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, get_args

from fcbdsl.machine.geometry.board import Geometry
from fcbdsl.machine.geometry.generator import draw, shuffle
from fcbdsl.machine.vm.column_types import Tag
from fcbdsl.machine.vm.numbers import numbers

if TYPE_CHECKING:
    from mypy_extensions import i64

    from fcbdsl.machine.vm.numbers import Numbers

TAGS: tuple[Tag, ...] = get_args(Tag)

NONE: Final = 0
THING: Final = 1
NUMBER: Final = 2
LABEL: Final = 19
ACTION: Final = 20
LISTENER: Final = 21
DONE: Final = 22
WON: Final = 23
LOST: Final = 24
DRAWN: Final = 25
"""Numbers of tags, written as literals, so that compiled code contains them."""
assert (TAGS[:3], TAGS[19:]) == (
    ("none", "thing", "number"),
    ("label", "action", "listener", "done", "won", "lost", "drawn"),
)
ENDINGS = (WON, LOST, DRAWN)
"""Tags of the results of a mission."""

Option = tuple[int, ...]
"""A tag, then its data: nothing (none, done), a value, a label's text, (action, actor, subject), or (listener, self,
this).

For won, lost and drawn the data is the definition of a mission and, if one team has won, that team.
"""

OUTCOMES = ("open", "win", "lose", "draw", "fault")
OPEN: Final = 0
WIN: Final = 1
LOSE: Final = 2
DRAW: Final = 3
FAULT: Final = 4

RANDOM_ASKED: Final = 1
ORDER_KEPT: Final = 2
DICE_SCRIPTED: Final = 4
STAGED: Final = 8
SINGLES_ASKED: Final = 16
CLOSING: Final = 32
OPENING: Final = 64
SUPPOSING: Final = 128
UNHEARD: Final = 96
"""Flags of the world.

Flags of a scripted game. RANDOM_ASKED: random choices are asked. ORDER_KEPT: shuffles do nothing. DICE_SCRIPTED: dice
come from the script only. STAGED: no flow is running, or a step of a campaign, so an empty stack does not end the game.
SINGLES_ASKED: questions with a single mandatory answer are asked.

CLOSING: the verdict is declared and being announced; afterwards the game is over. OPENING: no action has been offered
yet, so a choice without options means an incomplete setup. SUPPOSING: a bot is guessing a secret choice, and only that
part is run. UNHEARD: CLOSING and OPENING: nothing listens to changes then.
"""
assert UNHEARD == CLOSING | OPENING

STREAMS = ("dice", "decks", "setup", "choices")
"""Streams of random numbers; the world's `rng` contains their states in this order."""
DICE: Final = 0
DECKS: Final = 1
SETUP: Final = 2
CHOICES: Final = 3


@dataclass(init=False, unsafe_hash=True, slots=True)
class Ask:
    """A question to players, with its options.

    `who`: a decider (see `vm.teams`): a player's number from 0, or a number below 0. `kind`: choose, option, action,
    react, mission. `why`: a text of the program, or -1. `span`: the span that asks. `picked`: values chosen so far. It
    is immutable. Its `__init__` is explicit because the compiled one of a frozen dataclass is slow.
    """

    who: int
    kind: str
    options: tuple[Option, ...]
    why: int
    span: int
    picked: tuple[int, ...]

    def __init__(
        self,
        who: int,
        kind: str,
        options: tuple[Option, ...],
        why: int = -1,
        span: int = -1,
        picked: tuple[int, ...] = (),
    ) -> None:
        self.who = who
        self.kind = kind
        self.options = options
        self.why = why
        self.span = span
        self.picked = picked


BY_CHANCE: Final = Ask(-1, "chance", ())
"""The pending question of a game that has stopped before a random result. `Game.go_on` continues it."""


class Chance:
    """A random result that is due: `count` numbers of a stream, each of which selects one of some values."""

    __slots__ = ("count", "stream", "values")

    def __init__(self, stream: int, values: tuple[int, ...], count: int) -> None:
        self.stream = stream
        self.values = values
        self.count = count

    def drawn(self, states: list[int]) -> tuple[int, ...]:
        """Return the values that come next in some states of the streams, which advance."""
        return tuple([self.values[draw(states, self.stream, len(self.values))] for _ in range(self.count)])


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault caused by a program, which ends the game. `code` and `pc` give its place (-1: outside any code)."""

    reason: str
    code: int
    pc: int
    span: int


class VMFault(Exception):
    """Raised inside the machine for a fault of a program; it becomes the world's `Fault`."""


class LogEntry:
    """An entry of the log with its `number` (counted from 1).

    `what` is one of LOGGED, which documents `data`.
    """

    __slots__ = ("data", "number", "span", "what")

    def __init__(self, number: int, row: tuple[int, ...]) -> None:
        self.number = number
        self.what = row[0]
        self.span = row[1]
        self.data = row[2:]


LOGGED = (
    "event",
    "change",
    "move",
    "roll",
    "ask",
    "answer",
    "action",
    "react",
    "board",
    "lasting",
    "end",
    "random",
    "result",
)
"""event: event, parameters (lists as length, elements) · change: field, thing, owner, before, after ·
move: thing, space, zone, holder · roll: die, value · answer: who, option · action: action, actor, subject ·
react: listener, self, this ·
board: space or side, before, after · lasting: template, 1 begins/0 ends · end: outcome, side, text, others ·
random: value, tag · result: relation, value, parameters"""
L_EVENT: Final = 0
L_CHANGE: Final = 1
L_MOVE: Final = 2
L_ROLL: Final = 3
L_ASK: Final = 4
L_ANSWER: Final = 5
L_ACTION: Final = 6
L_REACT: Final = 7
L_BOARD: Final = 8
L_LASTING: Final = 9
L_END: Final = 10
L_RANDOM: Final = 11
L_RESULT: Final = 12


NOWHERE: Final = -1
"""No register: the answer of a frame is not used."""


NO_LISTS: Final[list[tuple[int, ...]]] = []
"""A shared empty list for calls without list registers. It must not be changed."""


class Frame:
    """A running code: its registers, its position, and the destination of its answer.

    `out`: a number register, -2 minus a list register, or NOWHERE. `batch`: events whose after-listeners are delayed
    (None: none are). `sealed`: secret choices that have not been carried out: the number of the SECRET op, the
    choosers, and their choices (None: no secret choice).
    """

    __slots__ = ("batch", "code", "out", "pc", "r", "s", "sealed")

    def __init__(self, code: i64, r: Numbers, s: list[tuple[int, ...]], out: i64) -> None:
        self.code = code
        self.pc: i64 = 0
        self.r = r
        self.s = s
        self.out = out
        self.batch: list[EventActivation] | None = None
        self.sealed: list[tuple[int, ...]] | None = None

    def copy(self) -> Frame:
        """Return an independent copy."""
        new = Frame(self.code, self.r[:], self.s[:], self.out)
        new.pc = self.pc
        if self.batch is not None:
            new.batch = [entry.copy() for entry in self.batch]
        if self.sealed is not None:
            new.sealed = self.sealed[:]
        return new


BEFORE: Final = 0
INSTEAD: Final = 1
SETTLE: Final = 2
AFTER: Final = 3
"""Phases of an event. In SETTLE, after the body, lasting effects end, and the after-listeners are collected."""


class BoundListener:
    """A listener instance: a listener, its self and this, and the age of its lasting effect (-1: none). Immutable."""

    __slots__ = ("age", "listener", "self_", "this")

    def __init__(self, listener: int, self_: int, this: int, age: int = -1) -> None:
        self.listener = listener
        self.self_ = self_
        self.this = this
        self.age = age

    def key(self) -> tuple[int, int, int, int]:
        """Return the identity of the instance for comparisons."""
        return self.listener, self.self_, self.this, self.age


class SubscriberList:
    """The things that listen to an event, in order. Worlds share it; it is replaced when things come or go.

    `rows`: by timing, the instances of rules and of these things, if they are fixed; None until computed.
    """

    __slots__ = ("rows", "things")

    def __init__(self, things: tuple[int, ...]) -> None:
        self.things = things
        self.rows: list[list[BoundListener]] | None = None


class EventActivation:
    """An event in progress. `r` and `s` contain self, this and the parameters at the registers of its body.

    `waiting`: the listeners of this phase that have not run yet, in order; a changed list is a new object. None: not
    gathered yet. `used`: pairs of numbers: offered listeners that were taken (listener, this), listeners that replace
    the event, and notes of `events` about a window or a batch. `passed`: players who declined in this phase.
    `replaced`: an instead-listener has run. `left`: the last modifiers of things that left play during the event
    (field, thing, mode, amount), and a row for each such thing. `lost`: the modifiers that other things lost. See
    `departures`.
    """

    __slots__ = (
        "cancelled", "code", "event", "left", "lost", "passed", "phase", "r", "replaced", "s", "span", "used",
        "waiting",
    )  # fmt: skip

    def __init__(self, event: int, code: int, r: list[int], s: list[tuple[int, ...]], span: int) -> None:
        self.event = event
        self.code = code
        self.r = r
        self.s = s
        self.span = span
        self.phase = BEFORE
        self.cancelled = False
        self.waiting: list[BoundListener] | None = None
        self.used: tuple[tuple[int, int], ...] = ()
        self.passed: tuple[int, ...] = ()
        self.replaced = False
        self.left: tuple[tuple[int, ...], ...] = ()
        self.lost: tuple[tuple[int, ...], ...] = ()

    def copy(self) -> EventActivation:
        """Return an independent copy."""
        new = EventActivation(self.event, self.code, self.r[:], self.s[:], self.span)
        new.phase = self.phase
        new.cancelled = self.cancelled
        new.waiting = self.waiting
        new.used = self.used
        new.passed = self.passed
        new.replaced = self.replaced
        new.left = self.left
        new.lost = self.lost
        return new


class TrackMove:
    """A moving track. `queue`: codes still to run at the current step."""

    __slots__ = ("left", "queue", "sign", "span", "start", "track")

    def __init__(self, track: int, left: int, sign: int, start: int, span: int) -> None:
        self.track = track
        self.left = left
        self.sign = sign
        self.start = start
        self.span = span
        self.queue: list[int] = []

    def copy(self) -> TrackMove:
        """Return an independent copy."""
        new = TrackMove(self.track, self.left, self.sign, self.start, self.span)
        new.queue = self.queue[:]
        return new


Item = Frame | EventActivation | TrackMove
"""An item of the stack: a running code, event or track."""


@dataclass(frozen=True, slots=True)
class LastingEffect:
    """A lasting effect: its template, age (a serial number), the subject it ends with (-1: any), captured registers.

    `orphan`: its `self` has left play, so that its listeners hear nothing more."""

    template: int
    age: int
    subject: int
    r: tuple[int, ...]
    s: tuple[tuple[int, ...], ...]
    orphan: bool = False


OWNER: Final = (1 << 14) - 1
"""The owner in a `marker_key`; there are no more things than that."""


def marker_key(field: int, thing: int, owner: int) -> int:
    """Return the number of a field, a thing that bears its markers, and their owner, in one."""
    return ((field << 14) + thing << 14) + owner


class Unmixed:
    """A lazy shuffle of a zone in a guessed world: the order is drawn on first access. Worlds share it.

    The order is the one that an immediate shuffle would have drawn.
    """

    __slots__ = ("_drawn", "_loose", "_state", "_things")

    def __init__(self, things: tuple[int, ...], loose: list[int], state: int) -> None:
        """Store a shuffle. `things`: the old order. `loose`: the shuffled things, by number. `state`: the state of the
        random generator."""
        self._things = things
        self._loose = loose
        self._state = state
        self._drawn: tuple[int, ...] | None = None

    def drawn(self) -> tuple[int, ...]:
        """Return the things in their order."""
        order = self._drawn
        if order is None:
            mixed = self._loose[:]
            shuffle([self._state], 0, mixed)
            if len(mixed) == len(self._things):
                order = tuple(mixed)
            else:
                free, following = set(mixed), iter(mixed)
                order = tuple([next(following) if thing in free else thing for thing in self._things])
            self._drawn = order
        return order


class World:
    """A game's state. Change it only through a `Game`.

    Saved and compared: everything down to `log`. Derived from it: `live`, `parted`, `subscribers`, `carried`,
    `standing`, `crowd`, `ground`, `selected`, `acting`, `bearers`.

    Only `lay` writes to `zones`. Read them through `lying`, except for their lengths: in a guessed world some may be
    `unmixed` (shuffled on demand).

    Only `write` writes to `mem`. Copies share it until one of them writes (`lent`). A look-ahead also shares it, and
    restores the overwritten cells at its end (`undo`).
    """

    __slots__ = (
        "acting",
        "ask",
        "bearers",
        "board",
        "carried",
        "crowd",
        "effects",
        "ending",
        "fault",
        "flags",
        "ground",
        "happened",
        "lent",
        "lingering",
        "live",
        "log",
        "markers",
        "mem",
        "mission",
        "origin",
        "others",
        "outcome",
        "over",
        "parted",
        "players",
        "reveals",
        "rng",
        "script",
        "selected",
        "serial",
        "side",
        "stack",
        "standing",
        "subscribers",
        "switches",
        "tables_lent",
        "token",
        "undo",
        "unmixed",
        "used",
        "verdict",
        "why",
        "zones",
        "zones_lent",
    )  # fmt: skip

    def __init__(self) -> None:
        self.mem = numbers([])
        self.zones: list[tuple[int, ...]] = []
        self.stack: list[Item] = []
        self.effects: list[LastingEffect] = []
        self.lingering: tuple[tuple[int, ...], ...] = ()
        """Modifiers that figures gave to others when they left play in the open batch: the figure, the field, the other
        thing, mode, amount."""
        self.markers: dict[int, int] = {}
        """Numbers of markers with owners, by `marker_key`; a full table would be large and mostly empty."""
        self.used: dict[int, int] = {}
        """Limits in use: limit * 2**32 + (key + 1) -> 1."""
        self.rng: list[int] = []
        self.script: list[int] = []
        self.flags = 0
        self.switches: list[int] = []
        self.mission = -1
        self.board = -1
        self.players = 0
        self.origin = -1
        """The file of tests (a number in `Program.files`) whose declarations are part of this game; -1: none."""
        self.outcome = OPEN
        self.side = -1
        self.others: tuple[int, ...] = ()
        """The players who win or lose together with `side`."""
        self.why = -1
        self.ending = -1
        """The named ending (a thing) of the game, or of the mission that the campaign has just had played; -1: none."""
        self.verdict: tuple[int, int, int, int] | None = None
        """The verdict (outcome, side, why, span) that takes effect after the outermost event."""
        self.fault: Fault | None = None
        self.ask: Ask | None = None
        self.serial = 0
        self.reveals = 0
        """Counter of revelations: it goes up when a random number or a secret is shown, so earlier decisions are
        final."""
        self.log: list[tuple[int, ...]] = []
        """The log, oldest first: one of LOGGED, the span of the cause, and its data. Read it by `history`.

        Copies share the list; when a second one appends at the same end, it gets a copy.
        """
        self.happened = 0
        """Number of entries of `log` that belong to this world; later ones belong to another."""
        self.live = numbers([])
        """Per thing, 1 if it is live, else 0."""
        self.subscribers: list[SubscriberList] = []
        self.carried: dict[int, tuple[int, ...]] = {}
        """By number, the things that each thing holds outside any zone."""
        self.standing: dict[int, tuple[int, ...]] = {}
        """By number, the pieces on each occupied space."""
        self.crowd: bytes | None = None
        """Per space of the board, 1 if a piece on it blocks movement; None until computed."""
        self.ground: Geometry | None = None
        self.selected: list[tuple[int, ...] | None] = []
        """By kind, the things in play; None until computed."""
        self.acting: dict[int, list[int]] = {}
        """By field, the modifiers that a live thing may bear, as far as computed.

        It is replaced (clones share it) when a thing becomes live or stops being live.
        """
        self.bearers: dict[int, tuple[int, ...]] = {}
        """By field, the things with markers of that sort, as far as computed.

        It is replaced (clones share it) when that changes.
        """
        self.unmixed: dict[int, Unmixed] = {}
        """In a guessed world, the lazy shuffles by zone; it is replaced (clones share it) when one is drawn."""
        self.zones_lent = False
        """Whether another world may share `zones`, which must then be copied before a change."""
        self.tables_lent = False
        """Whether another world may share `live`, `carried`, `standing` and `selected`: see `own_tables`."""
        self.token = object()
        """Version of `mem`: worlds that share memory have the same token, and no others."""
        self.lent = False
        """Whether another world may share `mem`, which must then be copied before a write."""
        self.undo: list[int] | None = None
        """The undo log of a look-ahead world: cell and old value of each overwritten cell; else None."""
        self.parted = False
        """Whether an event under way has noted the last modifiers of a thing that has left play."""
        self.over: World | None = None
        """The original world of a look-ahead, else None."""

    def write(self, at: int, value: int) -> None:
        """Change a cell of memory."""
        if self.undo is not None:
            self.undo += (at, self.mem[at])
        elif self.lent:
            self.mem = self.mem[:]
            self.token = object()
            self.lent = False
        self.mem[at] = value

    def lay(self, zone: int, things: tuple[int, ...]) -> None:
        """Replace the contents of a zone."""
        if self.zones_lent:
            self.zones = self.zones[:]
            self.zones_lent = False
        self.zones[zone] = things

    def own_tables(self) -> None:
        """Copy `live`, `carried`, `standing` and `selected` before a change if they are shared."""
        if self.tables_lent:
            self.live = self.live[:]
            self.carried = self.carried.copy()
            self.standing = self.standing.copy()
            self.selected = self.selected[:]
            self.tables_lent = False

    def lying(self, zone: int) -> tuple[int, ...]:
        """Return the contents of a zone, from bottom to top."""
        if self.unmixed and zone in self.unmixed:
            self.lay(zone, self.unmixed[zone].drawn())
            self.unmixed = {other: order for other, order in self.unmixed.items() if other != zone}
        return self.zones[zone]

    def take_back(self, length: int = 0) -> None:
        """Restore the memory that a look-ahead world has overwritten since its undo log had some length."""
        undo = self.undo
        assert undo is not None
        for place in range(len(undo) - 2, length - 1, -2):
            self.mem[undo[place]] = undo[place + 1]
        del undo[length:]

    def outcome_name(self) -> str:
        """Return open, win, lose, draw or fault."""
        return OUTCOMES[self.outcome]

    def history(self, after: int = 0) -> list[LogEntry]:
        """Return the entries of the log after entry number `after`, the oldest first."""
        return [LogEntry(number, row) for number, row in enumerate(self.log[after : self.happened], after + 1)]
