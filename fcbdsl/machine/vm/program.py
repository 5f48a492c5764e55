"""A compiled game: tables of plain data, saved as canonical JSON.

All references are indexes into tables; -1 is "none" wherever an index may be missing. The tables are described once,
here; the JSON Schema and the reader and writer derive from the annotations. Codes are called with registers 0 = `self`,
1 = `this`, then the parameters given at the column that refers to the code.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import field, replace
from typing import Literal

from fcbdsl.base import versions
from fcbdsl.base.records import dataclass
from fcbdsl.base.words import Comparison, End, Mode, Per, PreferenceSort, Shape, Share, StepSort, Timing
from fcbdsl.machine.vm import serialization
from fcbdsl.machine.vm.column_types import (
    ActionOrNone,
    AreaIndex,
    BarrierOrNone,
    BoardOrNone,
    ByRow,
    CodeByRow,
    CodeByRowOrNone,
    CodeIndex,
    CodeOrNone,
    DefinitionIndex,
    DefinitionOrNone,
    DieIndex,
    DieOrNone,
    EnumOrNone,
    EventIndex,
    EventOrNone,
    FieldIndex,
    FieldOrNone,
    FileIndex,
    Holding,
    KindIndex,
    KindOrNone,
    LimitOrNone,
    LookIndex,
    LookOrNone,
    MarkIndex,
    Number,
    Policy,
    Scope,
    Sort,
    SpanOrNone,
    SwitchIndex,
    SwitchOrNone,
    Tag,
    TerrainOrNone,
    TextOrNone,
    TrackIndex,
)

FORMAT = versions.PROGRAM
"""Name and version of the saved form."""

Texts = dict[str, str]
"""Language code (``en``, ``fr``) to text."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of thing. `policy` is the source of its instances.

    It is ``definitions`` (copies of each definition of the kind), ``players``, ``spaces``, ``sides`` (of the spaces),
    ``single`` (one), ``records`` (a pool of `pool`), ``parts`` (definitions that are parts of others), ``mission`` or
    ``campaign`` (definitions of which one is being played), ``teams`` (definitions that always exist) or ``regions``
    (definitions, in play while the board has them).

    `held`: inside its texts `self` is the holder; a thing is live only while it has a holder that is in play.
    `blocks_movement`, `blocks_sight`: whether its pieces block these on their space. `supposes`: effect that makes the
    guessed secrets of a thing consistent, at random; it answers 1 if it reaches its end. `grammar`: see `Definition`.
    """

    name: str
    parent: KindOrNone
    policy: Policy = "definitions"
    pool: Number = 0
    held: bool = False
    title: TextOrNone = -1
    blocks_movement: bool = True
    blocks_sight: bool = False
    supposes: CodeOrNone = -1
    grammar: TextOrNone = -1


@dataclass(frozen=True, slots=True)
class Field:
    """A column of a kind and its descendants.

    `sort`: ``const`` (a value of each definition), ``stat``, ``status``, ``token`` (mutable) or ``builtin``. `tag` (see
    `Tag`) and `enum` determine the names of its values. `many`: a list (const only). `codes`: values are code numbers,
    ``pure`` (condition, formula) or ``effect``; else empty. `empty`: the value for nothing, or for a definition without
    one. `low`, `high`: bounds (None: open). `limit`: most counters on one thing (per owner if `owned`, a kind).
    `starts`: (kind, code) pairs; the nearest kind's pure code gives a thing's start value (without one: `empty`).

    `secret`: only the controller of a thing may know its value; if `allied`, the controller's team, too; if there is a
    `team`, only that one; if `unseen`, no player. `kept`: kinds whose things keep it from mission to mission. `heads`:
    a new heading of the story begins whenever it changes.
    """

    name: str
    kind: KindIndex
    sort: Sort
    tag: Tag = "number"
    many: bool = False
    codes: Holding = ""
    empty: Number = 0
    low: Number | None = None
    high: Number | None = None
    limit: Number | None = None
    owned: KindOrNone = -1
    starts: tuple[tuple[KindIndex, LookIndex], ...] = ()
    title: TextOrNone = -1
    enum: EnumOrNone = -1
    secret: bool = False
    kept: tuple[KindIndex, ...] = ()
    allied: bool = False
    team: DefinitionOrNone = -1
    unseen: bool = False
    heads: bool = False


@dataclass(frozen=True, slots=True)
class Zone:
    """An ordered place for things: one per instance of `kind`, or one for the game if `kind` is -1.

    `limit`: pure code that gives the most things it takes (self: the instance); -1: any number. `kept`: kinds whose
    things keep its contents from mission to mission; -1: the game keeps them. `secret`, `allied`, `team`, `unseen`: see
    `Field`. `starts`: a field that lists definitions, one instance of each of which is in the zone from the start;
    -1: none. `holds`: the kind of its contents; -1: anything.
    """

    name: str
    kind: KindOrNone = -1
    limit: LookOrNone = -1
    secret: bool = False
    title: TextOrNone = -1
    kept: tuple[KindOrNone, ...] = ()
    allied: bool = False
    team: DefinitionOrNone = -1
    unseen: bool = False
    starts: FieldOrNone = -1
    holds: KindOrNone = -1


@dataclass(frozen=True, slots=True)
class Definition:
    """A card, figure, mission, track, part …

    `values` are (field, value) pairs of scalar const fields, `lists` of `many` ones. `parts`: numbers of the
    definitions of its parts, in order. `bearer`: the definition it is `for`. `owner`: the definition that a part or
    mission track belongs to. `board`: the board of a mission. `grammar`: marks of its title in each language
    in which texts agree with it: ``f`` feminine, ``e`` a word before it elides.
    """

    kind: KindIndex
    id: str
    copies: Number = 1
    values: tuple[tuple[FieldIndex, ByRow], ...] = ()
    lists: tuple[tuple[FieldIndex, tuple[Number, ...]], ...] = ()
    parts: tuple[DefinitionIndex, ...] = ()
    bearer: DefinitionOrNone = -1
    owner: DefinitionOrNone = -1
    board: BoardOrNone = -1
    overrides: tuple[tuple[SwitchIndex, ByRow], ...] = ()  # (switch, value)
    title: TextOrNone = -1
    span: SpanOrNone = -1
    grammar: TextOrNone = -1


@dataclass(frozen=True, slots=True)
class Code:
    """Flat code: op number (in `Program.ops`), operands, op number …. `spans[pc]` is the span of op number pc.

    `ints` registers 0..n_r-1 hold numbers, `n_s` lists. The first `params` registers are written by the caller; the
    last ones hold `constants` from the beginning, and nothing writes them."""

    name: str
    ints: tuple[ByRow, ...]
    n_r: ByRow
    n_s: ByRow
    params: ByRow = 2
    lists: tuple[ByRow, ...] = ()  # which of those parameters are lists (in bank s at the same index)
    constants: tuple[Number, ...] = ()
    spans: tuple[SpanOrNone, ...] = ()


@dataclass(frozen=True, slots=True)
class Verb:
    """A statement form: the code of its body and its event (-1: it has none)."""

    name: str
    code: CodeByRow
    event: EventOrNone = -1


@dataclass(frozen=True, slots=True)
class Stage:
    """A titled step of the flow of a game, or a keyword. It marks a code and runs nothing.

    `bearers`: the registers of its parameters that are things; headings name the first piece or player among them.
    `is_keyword`: it explains questions and has no heading."""

    code: Number
    title: TextOrNone
    bearers: tuple[ByRow, ...] = ()
    is_keyword: bool = False


@dataclass(frozen=True, slots=True)
class Relation:
    """A relation whose result chance or a choice decides: `told` and `denied` are the log texts of its results.

    Its parameters are as those of an `Event`.
    """

    lists: tuple[bool, ...] = ()
    tags: tuple[Tag, ...] = ()
    enums: tuple[EnumOrNone, ...] = ()
    told: TextOrNone = -1
    denied: TextOrNone = -1


@dataclass(frozen=True, slots=True)
class TextChoice:
    """A log text for the events in which parameter `parameter` compares so with `value`."""

    parameter: Number
    comparison: Comparison
    value: Number
    told: TextOrNone


@dataclass(frozen=True, slots=True)
class Event:
    """Something that listeners can hear, with its parameters.

    `lists[i]` is true if parameter i is a list; `tags[i]` (see `Tag`) and `enums[i]` determine the names of its values
    (-1: no enum; no row at all: no parameter has one). `words`: its form, in which ``{i}`` is parameter i. `told`: its
    log text; ``{i}`` is parameter i, and ``{i?m:then|else}`` is `then` if the grammar of its title has the mark m. A
    number that takes the plural has the mark ``s``. `choices`: log texts for certain values; the first that fits
    counts. `has_line`: stories tell it; questions about it always do.
    """

    name: str
    lists: tuple[bool, ...] = ()
    tags: tuple[Tag, ...] = ()
    words: tuple[str, ...] = ()
    enums: tuple[EnumOrNone, ...] = ()
    told: TextOrNone = -1
    choices: tuple[TextChoice, ...] = ()
    has_line: bool = True


@dataclass(frozen=True, slots=True)
class Limit:
    """Once per `event` (it is refreshed when the event begins), counted per ``player`` (controller of self),
    ``figure`` (self), ``instance`` (this) or ``game``. Listeners and actions that share a limit name the same
    one."""

    event: EventIndex
    per: Per = "instance"


@dataclass(frozen=True, slots=True)
class Window:
    """The order in which players are asked for offered listeners of an event.

    `per`: each ``player``, each ``team`` or the whole ``game`` answers once; empty: no limit. `order`: pure code that
    returns a number for a player; the lowest is asked first (-1: by player number). Its registers are self, nothing,
    and the parameters of the event unless it is `general`. `in_turn`: after each answer the next player is asked, until
    all pass in a row; else each player is asked until they pass. `forced`: pure code whose result has the controller
    who orders the automatic listeners; it has no self (-1: nobody is asked).
    """

    event: EventIndex
    per: Share | Literal[""] = ""
    order: CodeByRowOrNone = -1
    in_turn: bool = False
    general: bool = False
    forced: CodeByRowOrNone = -1


@dataclass(frozen=True, slots=True)
class Listener:
    """Code that runs at an event. `timing`: before, instead, after.

    `scope` and `owner`: ``rule`` (-1), ``kind``, ``definition``, ``counter`` (a status or token field; self = this
    = the bearer), ``tier`` (a tier), ``lasting`` (a template). Registers of all its codes: self, this, the event's
    parameters from register `first` on (2; for a lasting one the number of captured registers, which come first).
    `condition`, `guard`, `usable`: pure, answer a flag; `usable` and `spends` get only self and this. An `offered`
    one asks the controller of self; `spends` runs before `body` when it is taken.

    One of `Program.changed` runs when `condition` has turned true, and uses `limit` up. If it `rearms`, that is free
    again as soon as the condition is found not to hold."""

    event: EventIndex
    timing: Timing
    scope: Scope
    owner: ByRow
    body: CodeByRow
    condition: CodeByRowOrNone = -1
    guard: CodeByRowOrNone = -1
    limit: LimitOrNone = -1
    offered: bool = False
    usable: LookOrNone = -1
    spends: CodeOrNone = -1
    first: ByRow = 2
    rearms: bool = False
    title: TextOrNone = -1
    span: SpanOrNone = -1


@dataclass(frozen=True, slots=True)
class Modifier:
    """While `condition` holds, `field` of each thing of `kind` for which `where` holds is changed.

    Scope and owner as for listeners. Registers: self, this (or the captured ones), the candidate in register `it`.
    `own`: the only candidate is self (`where` is not needed). `mode`: set, add, double, least, most, applied in
    that order."""

    field: FieldIndex
    kind: KindIndex
    scope: Scope
    owner: ByRow
    mode: Mode
    amount: CodeByRow
    it: ByRow = 2
    where: CodeByRowOrNone = -1
    condition: CodeByRowOrNone = -1
    own: bool = False
    span: SpanOrNone = -1


@dataclass(frozen=True, slots=True)
class Lasting:
    """Modifiers and listeners that begin with `LAST` and end when `until` happens (after its body, before its
    after-listeners). `captured`: registers 0..captured-1 of both banks are kept as they are then. `things`: those of
    them that hold things; figures that leave play are taken out of these."""

    until: EventIndex
    captured: Number
    span: SpanOrNone = -1
    things: tuple[Number, ...] = ()


@dataclass(frozen=True, slots=True)
class Requirement:
    """A condition of an action on its actor: its text in the source, and a pure code that answers whether it holds."""

    text: str
    code: LookIndex
    span: SpanOrNone = -1


@dataclass(frozen=True, slots=True)
class Action:
    """Something that may be done when `Program.offers` lists it. `body` does it, costs included: `self` is the actor,
    `this` the subject or nothing. `subject`: the kind of subjects, -1 if there is none, or it is no thing. `requires`
    gives a failing test the reason why it is not on offer; programs without tests leave it out. `listed_last`: people
    see it behind all other actions."""

    name: str
    body: CodeIndex
    limit: LimitOrNone = -1
    words: tuple[str, ...] = ()
    title: TextOrNone = -1
    span: SpanOrNone = -1
    subject: KindOrNone = -1
    requires: tuple[Requirement, ...] = ()
    listed_last: bool = False


@dataclass(frozen=True, slots=True)
class Enum:
    """Named values, and the titles of each (texts, or -1)."""

    name: str
    values: tuple[str, ...]
    titles: tuple[TextOrNone, ...]


@dataclass(frozen=True, slots=True)
class Die:
    """A die: `values[f]` is the value of face f (a number, or a symbol's number).

    `shows`: if some face does not show exactly one symbol, the symbols of each face; its value then represents all of
    them.
    """

    name: str
    values: tuple[Number, ...]
    numbered: bool = False
    title: TextOrNone = -1
    shows: tuple[tuple[Number, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Ladder:
    """Dice from best to worst. Past either end is a sure die, which has one face."""

    dice: tuple[DieIndex, ...]
    above: DieIndex
    below: DieIndex


@dataclass(frozen=True, slots=True)
class Switch:
    """A variant: its values by name, and the one that holds by default."""

    name: str
    values: tuple[str, ...]
    default: ByRow = 0


@dataclass(frozen=True, slots=True)
class Tier:
    """A part of a gauge, on while the value is `at` or more; a locked one is never left."""

    track: TrackIndex
    at: Number
    locked: bool = False
    enter: CodeOrNone = -1
    leave: CodeOrNone = -1
    title: TextOrNone = -1


@dataclass(frozen=True, slots=True)
class Track:
    """A countdown or gauge; a thing of its `definition`. `steps`: (value, code), run when the value is reached from
    below; `end`: run first at `high`. Codes: self = the mission that owns it, this = the
    track."""

    definition: DefinitionIndex
    low: Number
    high: Number
    steps: tuple[tuple[Number, CodeIndex], ...] = ()
    end: CodeOrNone = -1


@dataclass(frozen=True, slots=True)
class Terrain:
    """A sort of space; see `geometry.board.Terrain`. `shuts_corners`: only while the variant `switch` (-1: always) has
    the value `setting`."""

    name: str
    cost: Number = 1
    blocks_movement: bool = False
    blocks_sight: bool = False
    gives_cover: bool = False
    on_board: bool = True
    footing: bool = True
    title: TextOrNone = -1
    shuts_corners: bool = False
    switch: SwitchOrNone = -1
    setting: ByRow = 0


@dataclass(frozen=True, slots=True)
class Barrier:
    """A sort of barrier on a side between two spaces.

    `hinge`: a flag of sides: it blocks only while that is set, or, if `ajar`, while it is not; -1: always.
    `values`: (field, value) of stats of a side when it is put there.
    `grammar`: see `Definition`."""

    name: str
    blocks_movement: bool = False
    blocks_sight: bool = False
    title: TextOrNone = -1
    hinge: FieldOrNone = -1
    ajar: bool = False
    values: tuple[tuple[FieldIndex, ByRow], ...] = ()
    grammar: TextOrNone = -1


@dataclass(frozen=True, slots=True)
class Cell:
    """A space of a board.

    `terrain`: -1 is plain. `tokens`: (field, count). `places`: definitions of the pieces on it. `values`: (field,
    value) of stats with special start values. `covers`: for an area, the (column, row) of each letter of the drawing;
    only for display. `title`: -1 if print uses its id.
    """

    name: str
    x: Number
    y: Number
    terrain: TerrainOrNone = -1
    marks: tuple[MarkIndex, ...] = ()
    tokens: tuple[tuple[FieldIndex, Number], ...] = ()
    places: tuple[DefinitionIndex, ...] = ()
    values: tuple[tuple[FieldIndex, ByRow], ...] = ()
    covers: tuple[tuple[Number, Number], ...] = ()
    title: TextOrNone = -1


@dataclass(frozen=True, slots=True)
class Board:
    """A map. `sort` as in `geometry.shape.build`. `sides`: (cell, cell, barrier). `links`: (from, to, direction or -1).
    `areas`: (number of the area's name in `Program.areas`, its cells). `joins`: (cell, cell, mark).
    `regions`: (definition of a region, its cells). `side_values`: (cell, cell, field, value) of stats of a side.
    `corners`: (cell, cell, cell or -1, cell or -1): two areas that meet only at a corner, and the two areas beside."""

    sort: Shape
    cells: tuple[Cell, ...]
    sides: tuple[tuple[ByRow, ByRow, BarrierOrNone], ...] = ()
    links: tuple[tuple[ByRow, ByRow, ByRow], ...] = ()
    areas: tuple[tuple[AreaIndex, tuple[ByRow, ...]], ...] = ()
    joins: tuple[tuple[ByRow, ByRow, MarkIndex], ...] = ()
    regions: tuple[tuple[DefinitionIndex, tuple[ByRow, ...]], ...] = ()
    side_values: tuple[tuple[ByRow, ByRow, FieldIndex, ByRow], ...] = ()
    corners: tuple[tuple[ByRow, ByRow, ByRow, ByRow], ...] = ()


@dataclass(frozen=True, slots=True)
class Invariant:
    """A condition, as pure code, that must be true whenever a player is asked, and its sentence.

    With a `kind` it applies instead to each definition of that kind when a mission is set up. `self` and `this` are the
    thing or its holder, as in its texts."""

    name: str
    code: LookIndex
    title: TextOrNone = -1
    span: SpanOrNone = -1
    kind: KindOrNone = -1


@dataclass(frozen=True, slots=True)
class Preference:
    """The value of an answer for the heuristic bot, by pure code, if a `condition` holds.

    ``act``: taking the `action`; ``choose``: choosing a value of that `tag` (for things: of that `kind`) with the name
    `name`; ``label``: the option whose English text is `name`; ``answer``: answering an event with a thing of that
    `kind`. `action`: for a choice, the action in progress (-1: any). `mission`: the mission to which it is limited (-1:
    none).

    Registers: the actor and the subject of the action, or the player who is asked and nothing, or those of the
    listener; 2: the chosen or answered value.
    """

    sort: PreferenceSort
    worth: CodeByRow
    condition: CodeByRowOrNone = -1
    action: ActionOrNone = -1
    tag: Tag = "thing"
    kind: KindOrNone = -1
    name: str = ""
    mission: DefinitionOrNone = -1
    span: SpanOrNone = -1


@dataclass(frozen=True, slots=True)
class Prospect:
    """A condition that each thing of `kind` must reach in some course of a campaign.

    It is pure code (self, this: the thing or its holder, as in its texts). `title` names the problem
    of one that never does."""

    name: str
    kind: KindIndex
    code: LookIndex
    title: TextOrNone = -1
    span: SpanOrNone = -1


@dataclass(frozen=True, slots=True)
class Ending:
    """A result of a mission for a campaign; `team`: the winning team (-1: any); `ending`: its named ending (-1: none);
    `mission`: the only mission that can end so (-1: any)."""

    sort: End
    team: DefinitionOrNone = -1
    ending: DefinitionOrNone = -1
    mission: DefinitionOrNone = -1


@dataclass(frozen=True, slots=True)
class Read:
    """A value that an expectation reads, to explain a failure.

    It has its text in the source, the code that answers it (a list if `many`), and its tag (``place``: a thing, whose
    place is shown).
    """

    text: str
    code: LookIndex
    tag: Tag | Literal["place"]
    enum: EnumOrNone = -1
    many: bool = False


@dataclass(frozen=True, slots=True)
class Step:
    """A step of a test, of one `StepSort`.

    `code`: for given and do, an effect; for expect, a pure flag; else pure, it answers the list of references. `words`:
    the action or outcome. `values`: the scripted dice. `dice`: the die for each of these (-1: any). `tags` (see `Tag`):
    of the references (``yes`` and ``no`` are flags, ``done`` is a done, a text is a number of `Program.texts`).
    `questions`: the question that each answers by name (""): any.

    `who`: a code that answers the thing whose player is asked or watches; for do: `self`. `field`: for known and
    unknown, the stat, or -1. `absent`: for refuse, the named thing is out of play. `reads`: the values that an
    expectation reads.

    For outcome, the reference is the named ending, if any.

    For counted, `values` is the number of visible things. For happened, `words` are events and `values` pairs: for each
    reference the number of its event in `words` and of its parameter. For told, untold and fault, `words` is a part of
    a line.
    """

    sort: StepSort
    code: CodeByRowOrNone = -1
    words: tuple[str, ...] = ()
    values: tuple[Number, ...] = ()
    dice: tuple[DieOrNone, ...] = ()
    tags: tuple[Tag, ...] = ()
    questions: tuple[str, ...] = ()
    who: LookOrNone = -1
    field: FieldOrNone = -1
    absent: bool = False
    reads: tuple[Read, ...] = ()
    span: SpanOrNone = -1


@dataclass(frozen=True, slots=True)
class Test:
    """A content test: the definition of a mission or campaign (or -1), a board (-1: the mission's), switches, steps.

    `players`: number of players; 0: the most that can play.
    """

    title: str
    covers: tuple[str, ...]
    mission: DefinitionOrNone
    board: BoardOrNone
    steps: tuple[Step, ...]
    overrides: tuple[tuple[SwitchIndex, ByRow], ...] = ()
    players: Number = 0
    span: SpanOrNone = -1


@dataclass(frozen=True, slots=True)
class Span:
    """A place in a source file: `file` is a number in `Program.files`; line and column from 1; `end` is the last
    column, exclusive, on that line."""

    file: FileIndex
    line: Number
    column: Number
    end: Number


@dataclass(frozen=True, slots=True)
class Program:
    """All tables.

    `ops` are the op names that codes refer to by number. `players`: fewest and most. `language`: the first language of
    the project, which is the default of a game. `offers`: pure code that answers the available actions of self, as a
    list of action, subject, action, subject …. `setup`: codes run first, then `flow` (self -1, this = the mission).
    `journey`: a step of a campaign (this = the campaign).

    `acted`, `track_moved`, `won`, `lost`: events that the machine itself announces, with (actor), (track, before,
    after), (side: a player or -1). `changed`: the event that something has changed. `outlook`: the evaluation function,
    a pure code that gives the value of a position. `hash` identifies the content; `sealed` computes it.
    """

    name: str
    ops: tuple[str, ...]
    players: tuple[Number, Number] = (1, 1)
    loss_first: bool = True
    language: str = "en"
    kinds: tuple[Kind, ...] = ()
    fields: tuple[Field, ...] = ()
    zones: tuple[Zone, ...] = ()
    definitions: tuple[Definition, ...] = ()
    codes: tuple[Code, ...] = ()
    args: tuple[tuple[tuple[ByRow, ByRow], ...], ...] = ()  # (bank, register): bank 0 is r, 1 is s
    labels: tuple[tuple[TextOrNone, ...], ...] = ()  # texts of the options of an ASKOPT
    verbs: tuple[Verb, ...] = ()
    events: tuple[Event, ...] = ()
    listeners: tuple[Listener, ...] = ()
    windows: tuple[Window, ...] = ()
    modifiers: tuple[Modifier, ...] = ()
    lastings: tuple[Lasting, ...] = ()
    limits: tuple[Limit, ...] = ()
    stages: tuple[Stage, ...] = ()
    relations: tuple[Relation, ...] = ()  # of which the log shows the results
    actions: tuple[Action, ...] = ()
    dice: tuple[Die, ...] = ()
    ladders: tuple[Ladder, ...] = ()
    switches: tuple[Switch, ...] = ()
    tracks: tuple[Track, ...] = ()
    tiers: tuple[Tier, ...] = ()
    terrains: tuple[Terrain, ...] = ()
    barriers: tuple[Barrier, ...] = ()
    marks: tuple[str, ...] = ()
    mark_titles: tuple[TextOrNone, ...] = ()  # titles of marks on maps (texts), by number
    areas: tuple[str, ...] = ()
    symbols: tuple[TextOrNone, ...] = ()  # titles of dice symbols (texts)
    directions: tuple[TextOrNone, ...] = ()  # titles of the directions of boards (texts), by number
    enums: tuple[Enum, ...] = ()
    boards: tuple[Board, ...] = ()
    offers: LookOrNone = -1
    setup: tuple[CodeIndex, ...] = ()
    flow: CodeOrNone = -1
    journey: CodeOrNone = -1
    outlook: LookOrNone = -1
    preferences: tuple[Preference, ...] = ()  # the first that fits counts
    invariants: tuple[Invariant, ...] = ()
    prospects: tuple[Prospect, ...] = ()
    endings: tuple[Ending, ...] = ()  # of missions that are had played; without any they are won or lost
    acted: EventOrNone = -1
    track_moved: EventOrNone = -1
    won: EventOrNone = -1
    lost: EventOrNone = -1
    changed: EventOrNone = -1
    tests: tuple[Test, ...] = ()
    texts: tuple[Texts, ...] = ()
    files: tuple[str, ...] = ()
    proofs: tuple[FileIndex, ...] = ()  # files of tests: their declarations exist only in their tests
    homes: tuple[tuple[FileIndex, tuple[DefinitionIndex, ...]], ...] = ()
    """Files of missions: their actions and rules apply only in these missions."""
    spans: tuple[Span, ...] = ()
    hash: str = field(default="")

    def content(self) -> dict[str, serialization.Json]:
        """Return the program as JSON-able data, without its hash."""
        out = serialization.encode(self)
        assert isinstance(out, dict)
        out.pop("hash", None)
        return out

    def sealed(self) -> Program:
        """Return this program with the hash of its content."""
        return replace(self, hash=content_hash(self.content()))


def content_hash(content: Mapping[str, serialization.Json]) -> str:
    """Return the hash of a program's content: BLAKE2b-128 of its canonical JSON, without the names of its files.

    So the hash does not depend on the paths of the sources.
    """
    return hash_of({name: serialization.canonical(value) for name, value in content.items()})


def hash_of(parts: Mapping[str, bytes]) -> str:
    """Return the hash of a content whose parts are already canonical JSON."""
    program = serialization.join_json_object({name: part for name, part in parts.items() if name != "files"})
    text = serialization.join_json_object({"format": serialization.canonical(FORMAT), "program": program})
    return hashlib.blake2b(text, digest_size=16).hexdigest()


def program_from_content(content: serialization.Json, seal: str = "") -> Program:
    """Read what `Program.content` returns. Raises `serialization.Mismatch` if it has another shape."""
    if not isinstance(content, dict):
        raise serialization.Mismatch("program", "an object is expected")
    return serialization.decode_record(Program, {**content, "hash": seal})
