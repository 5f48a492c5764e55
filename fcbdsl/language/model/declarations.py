"""Declarations of a system: kinds and their columns, forms, events, dice, terrain, actions; resolved and typed."""

from __future__ import annotations

import copyreg
import pickle
from dataclasses import field
from enum import StrEnum
from typing import Any, Literal

from fcbdsl.base.records import dataclass
from fcbdsl.base.source import Source, Span
from fcbdsl.base.words import Per, Share
from fcbdsl.language.model.ir.effects import Body, Listener, Modifier
from fcbdsl.language.model.ir.values import Expr, Type

Texts = dict[str, str]
"""Language code (``en``, ``fr``) to text."""


BLANK = "nothing"
"""Name of a die face without symbols."""


class Declared:
    """Base of declarations. They refer to each other in cycles, so `repr` shows only their names."""

    __slots__ = ()

    span: Span

    def __repr__(self) -> str:
        name = getattr(self, "id", None) or getattr(self, "title", "")
        return f"<{type(self).__name__} {name}>"


@dataclass(slots=True)
class Name:
    """Titles of a declaration: singular and plural by language, and the gender (m, f or n).

    `feminine`: the title of a kind on a definition with a feminine name (Chasseuse). `reminder`: its rule in a sentence
    for players. `broken`: some lines of the declaration could not be read, so that a
    missing title may be in one of them.
    """

    title: Texts = field(default_factory=dict)
    plural: Texts = field(default_factory=dict)
    gender: dict[str, str] = field(default_factory=dict)
    feminine: Texts = field(default_factory=dict)
    reminder: Texts = field(default_factory=dict)
    broken: bool = False


ASSUMED_GENDER = "m"
"""The gender of a title that declares none."""


@dataclass(slots=True)
class GenderTrial:
    """Genders to try for titles that declare none, and the titles that texts asked for: both by the identity of a name.

    A check makes a text twice: if it differs, the gender matters."""

    genders: dict[int, str] = field(default_factory=dict)
    asked: dict[int, Name] = field(default_factory=dict)

    def gender_of(self, name: Name) -> str:
        """Return the gender to try for a title, and record it."""
        self.asked[id(name)] = name
        return self.genders.get(id(name), ASSUMED_GENDER)


PERFORMING = ("perform", "perform-for")
"""Ops of the verbs that run an effect field."""


@dataclass(slots=True, eq=False, repr=False)
class Field(Declared):
    """A column of a kind. `sort`: field (datum of the definition), stat (mutable), status, token
    (mutable counters), part (list of part instances), or builtin (`place`, `holder`, `definition` …)."""

    id: str
    kind: str
    sort: str
    type: Type
    span: Span
    name: Name = field(default_factory=Name)
    low: int | None = None
    high: int | None = None
    limit: int | None = None
    default: Expr | None = None  # for stats: the starting value, read with slot 0 = the thing
    required: bool = False
    owned_by: str | None = None  # a marker with an owner: kind of the owner
    secret: bool = False  # a stat whose value only the controller of the thing may know,
    allied: bool = False  # and the controller's team, too,
    team: str = ""  # or only the team with that id,
    unseen: bool = False  # or no player at all
    kept: list[str] = field(default_factory=list)  # kinds whose things keep it from mission to mission
    heads: bool = False  # a number of the game: a new heading of its story begins whenever it changes
    attainable: bool = False  # a condition that the game must be able to bring about
    without: Name = field(default_factory=Name)  # of a status: the wording for things without it
    role: str = ""  # an effect: the kind of its `self`, which `perform … for WHO` gives; empty: see `own_scope`
    goal: bool = False  # a token: players' pieces must be able to reach the spaces that have it on the map
    spent_by: tuple[str, ...] = ()  # a list of definitions: the words of the verb that uses up one copy at a time
    listeners: list[Listener] = field(default_factory=list)  # hooks of a status or token: active while its count > 0,
    modifiers: list[Modifier] = field(default_factory=list)  # slots self (and this) = its bearer
    system: str = ""  # of a status or token; empty: declared by content
    doc: str = ""  # what it is for, in a sentence for authors


@dataclass(slots=True, eq=False, repr=False)
class Zone(Declared):
    """A zone of each instance of `kind`, or of the game when `kind` is None. `holds`: kind of contents."""

    id: str
    kind: str | None
    holds: str
    span: Span
    name: Name = field(default_factory=Name)
    limit: Expr | None = None
    secret: bool = False  # who knows it is defined as for a field
    allied: bool = False
    team: str = ""
    unseen: bool = False
    kept: list[str] = field(default_factory=list)  # kinds whose things keep its contents; "": it belongs to the game
    starts: Field | None = None  # a list of definitions; each thing starts with one copy of each of them in this zone


@dataclass(slots=True, eq=False, repr=False)
class Kind(Declared):
    """A kind of thing. `parts`: kinds of its parts by word. `held`: inside texts `self` is the holder.
    `offered`: its listeners ask first; `usable`, `spends`, `limit` govern that."""

    id: str
    parent: Kind | None
    span: Span
    name: Name = field(default_factory=Name)
    fields: dict[str, Field] = field(default_factory=dict)  # own ones
    zones: dict[str, Zone] = field(default_factory=dict)
    part_of: str | None = None
    part_line: tuple[str, ...] = ()  # fields given positionally on a part's line
    part_many: bool = False
    held: str | None = None  # kind of the holder
    offered: bool = False
    usable: Body | None = None  # one Answer; slots self, this
    spends: Body | None = None  # slots self, this
    supposing: Body | None = None  # consistency of guesses about its secrets; slots self, this
    limit: Event | None = None
    limit_per: Per | Literal[""] = ""  # "player", "figure", "game", or "": each instance by itself
    alone: bool = False  # two of them never start on one space
    third: bool = False  # rules text refers to it in the third person, even if it takes actions
    seated: bool = False  # each player plays one such figure
    blocks: tuple[str, ...] | None = None  # of pieces: what they block on their space; None: as the parent kind
    listeners: list[Listener] = field(default_factory=list)  # for every instance
    modifiers: list[Modifier] = field(default_factory=list)
    system: str = ""

    def stops(self, what: str) -> bool:
        """Return whether pieces of this kind block ``movement`` or ``sight`` on their space.

        By default they block movement.
        """
        blocked = next((kind.blocks for kind in self.lineage() if kind.blocks is not None), ("movement",))
        return what in blocked

    def find(self, name: str) -> Field | None:
        """Return the own or inherited field, stat, status or token of that name."""
        kind: Kind | None = self
        while kind is not None:
            if name in kind.fields:
                return kind.fields[name]
            kind = kind.parent
        return None

    def is_a(self, id: str) -> bool:
        """Return whether this kind or an ancestor has an id."""
        kind: Kind | None = self
        while kind is not None:
            if kind.id == id:
                return True
            kind = kind.parent
        return False

    def lineage(self) -> list[Kind]:
        """Return this kind and its ancestors, nearest first."""
        out: list[Kind] = []
        kind: Kind | None = self
        while kind is not None:
            out.append(kind)
            kind = kind.parent
        return out


@dataclass(slots=True, eq=False)
class Param:
    """A parameter of a form: its type, its preposition, and its default value."""

    name: str
    type: Type
    preposition: str | None = None
    default: Expr | None = None  # read in the caller: slot 0 self, slot 1 this
    optional: bool = False
    span: Span | None = None
    wants: str = ""  # of spaces: ``standable`` or ``passable``; see `Terrain.standable`
    low: int | None = None  # of numbers: arguments, and values set by listeners, are clamped to these
    high: int | None = None
    slots: tuple[tuple[str, Type], ...] = ()  # of `default`: its candidates, from slot 2 on; a caller has its own


@dataclass(slots=True, eq=False)
class Wording:
    """One `text` line: the template applies if `condition` (slots: the parameters) holds."""

    language: str
    condition: Expr | None
    template: str
    span: Span


class Trait(StrEnum):
    """Properties of a native form, for passes that analyze behavior without running it."""

    ASKS_PLACE = "asks-place"  # the first is on the second
    ASKS_BOARD = "asks-board"  # the first is on the board
    ASKS_MARK = "asks-mark"  # the first, a space, has the mark given second
    ASKS_TERRAIN = "asks-terrain"  # the first, a space, is of the second
    ASKS_PASSABLE = "asks-passable"  # the first, a space, can be passed
    NAMES_SPACES = "names-spaces"  # the spaces with the name given first
    PLACES = "places"  # puts a piece on a space
    REMOVES = "removes"  # takes something out of play
    SETS_TERRAIN = "sets-terrain"  # changes the terrain of a space
    SETS_BARRIER = "sets-barrier"  # changes the barrier between spaces
    SETS_COUNTER = "sets-counter"  # puts counters on something
    RAISES = "raises"  # moves a track up by the second
    LOWERS = "lowers"  # moves a track down by the second
    SPARES = "spares"  # an instance of the first that is in the box
    FAILS = "fails"  # may do nothing; the effect then goes on
    FOR_ANOTHER = "for-another"  # runs the first, an effect, with the second as its `self`


@dataclass(slots=True, eq=False, repr=False)
class Form(Declared):
    """A verb, keyword, relation or measure. Exactly one of `op` and `body` is set; `traits` go with an `op`.

    `body` slots: 0 self, 1 this, then the parameters; a relation's or measure's body answers."""

    sort: str
    words: tuple[str, ...]
    span: Span
    name: Name = field(default_factory=Name)
    params: list[Param] = field(default_factory=list)
    gives: Type = field(default_factory=lambda: Type("nothing"))
    op: str | None = None
    body: Body | None = None
    event: Event | None = None
    recursive: bool = False
    texts: list[Wording] = field(default_factory=list)
    system: str = ""
    traits: tuple[Trait, ...] = ()

    @property
    def id(self) -> str:
        """Return the words of the form, joined."""
        return " ".join(self.words)


@dataclass(slots=True, eq=False, repr=False)
class Event(Declared):
    """An event: a moment, an announced event, or a verb's own event. `pattern`: words, with parameter names as
    slots. `is_told`: the story of a game has a line for it."""

    id: str
    params: list[Param]
    pattern: tuple[str, ...]
    span: Span
    verb: Form | None = None
    texts: list[Wording] = field(default_factory=list)
    is_told: bool = True

    def wordings(self, language: str) -> list[Wording]:
        """Return its own texts in a language; those of a verb are the clauses, which begin with a slot."""
        clauses = [text for text in self.verb.texts if text.template.startswith("{")] if self.verb is not None else []
        return [text for text in (*self.texts, *clauses) if text.language == language]


NOWHERE = Span(Source("the language itself", ""), 0, 0)
CHANGE = Event("change", [], ("something", "changes"), NOWHERE)
"""The event of `whenever`: the machine has changed something. A source cannot name it."""


def _reduce(event: Event) -> str | tuple[Any, ...]:
    """Return how to pickle an event: by its values, except that `CHANGE` stays the same object."""
    return "CHANGE" if event is CHANGE else event.__reduce_ex__(pickle.HIGHEST_PROTOCOL)


copyreg.pickle(Event, _reduce)


@dataclass(slots=True, eq=False, repr=False)
class Window(Declared):
    """The order in which players may answer an event. None as `event`: each event without a separate window.

    `per`: the unit that answers at most once (empty: no limit). `order`: an Answer with a number for a player; the
    lowest is asked first. Its slots: self (the player), this, then the event's parameters. `in_turn`: after each answer
    the next player is asked. `forced`: an Answer; its controller orders the automatic listeners. It has no self."""

    id: str
    event: Event | None
    span: Span
    per: Share | Literal[""] = ""
    order: Body | None = None
    in_turn: bool = False
    forced: Body | None = None


@dataclass(slots=True, eq=False)
class Enum:
    """A set of values with names, in order."""

    id: str
    values: dict[str, Name]
    span: Span


@dataclass(slots=True, eq=False)
class Die:
    """`faces`: per face the value (numbered die) or the symbols (indices into `symbols`)."""

    id: str
    span: Span
    name: Name = field(default_factory=Name)
    numbered: bool = False
    symbols: list[str] = field(default_factory=list)
    faces: list[tuple[int, ...]] = field(default_factory=list)
    names: dict[str, Name] = field(default_factory=dict)  # titles of the symbols


@dataclass(slots=True, eq=False)
class Ladder:
    """Dice best first; symbols given beyond either end."""

    id: str
    dice: list[str]
    above: str
    below: str
    span: Span


@dataclass(slots=True, eq=False)
class Switch:
    """A variant; `values[0]` is the default, `set_to` the project's setting."""

    id: str
    values: list[str]
    span: Span
    set_to: int = 0
    texts: list[Wording] = field(default_factory=list)
    name: Name = field(default_factory=Name)


@dataclass(slots=True, eq=False, repr=False)
class Action(Declared):
    """Something a player may do. Body slots: 0 self (actor), 1 this (subject or -1), then locals."""

    id: str
    span: Span
    name: Name = field(default_factory=Name)
    by: Expr | None = None  # selection of actors
    subject: Expr | None = None  # selection, slot 0 = actor
    subject_word: str = ""
    costs: list[tuple[Field, Expr]] = field(default_factory=list)
    limit: Event | None = None
    limit_per: Per | Literal[""] = ""  # "player", "figure", "game", or ""
    needs: Expr | None = None
    words: tuple[str, ...] = ()
    body: Body = field(default_factory=lambda: Body(()))
    system: str = ""
    listed_last: bool = False  # people see it behind all other actions


@dataclass(slots=True, eq=False)
class Terrain:
    """A kind of space, or of side (a barrier)."""

    id: str
    span: Span
    name: Name = field(default_factory=Name)
    cost: int = 1
    blocks_movement: bool = False
    blocks_sight: bool = False
    gives_cover: bool = False
    on_board: bool = True  # False: an incomplete space, on which no piece can ever be
    footing: bool = True  # False: walks go over it and never end there
    shuts_corners: bool = False  # two of them shut their corner to pieces that may enter neither,
    switch: str = ""  # unless empty, only while this variant
    setting: int = 0  # has that value
    hinge: str = ""  # of a barrier: a flag of sides; it blocks only while that is set, or, if `ajar`, is not
    ajar: bool = False
    values: list[tuple[Field, Expr]] = field(
        default_factory=list
    )  # of a barrier: start values of the sides that have it
    never_opens: bool = False  # it blocks permanently: nothing in the game opens or crosses it
    system: str = ""  # empty: declared by content

    def standable(self) -> bool:
        """Return whether a piece can be on a space of this terrain, whether it walked or was placed there."""
        return self.on_board and not self.shuts

    @property
    def shuts(self) -> bool:
        """Return whether it blocks movement permanently."""
        return self.blocks_movement and self.never_opens and not self.hinge

    def passable(self) -> bool:
        """Return whether a piece can walk to a space of this terrain and stay."""
        return self.on_board and self.footing and not self.blocks_movement


@dataclass(slots=True, eq=False)
class Mark:
    """A label of spaces. `entry`: players' pieces enter the map there. `goal`: they must be able to reach it."""

    id: str
    span: Span
    name: Name = field(default_factory=Name)
    entry: bool = False
    goal: bool = False
