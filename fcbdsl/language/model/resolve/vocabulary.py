"""The words of a model, indexed for reading phrases.

Lookups include declarations made after the vocabulary was created. Declare everything first, then read bodies.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from fcbdsl.base.words import NETS
from fcbdsl.language.model.content import Board, Definition, Track
from fcbdsl.language.model.declarations import Die, Enum, Event, Field, Form, Kind, Ladder, Switch, Terrain, Zone
from fcbdsl.language.model.ir import FLAG, NUMBER, Type
from fcbdsl.language.model.lines import WORD
from fcbdsl.language.model.whole import Model
from fcbdsl.language.syntax.tree import Clause, Line

Declaration = Kind | Form | Event | Enum | Definition | Die | Ladder | Switch | Terrain | Track | Zone

"""Declarations that give a word a meaning."""
SINGLETONS = ("game", "mission", "campaign")
"""Kinds whose name also means their one instance."""
COORDINATES = "column and row"
"""The sort of names of spaces by coordinates; no kind is called so."""
COORDINATE = re.compile(r"[A-Z]{1,2}[1-9][0-9]?")
"""Name of a space by column and row."""


class Senses(NamedTuple):
    """The lexical categories of a word, independent of its place."""

    attribute: bool  # some kind has a column or zone of that name
    measure: bool  # a measure begins with it
    name: bool  # it names a definition, a value, a space … (while no board defines the words for spaces)
    noun: bool  # a selection may begin with it


class Attribute(NamedTuple):
    """The meaning of a word as a column or zone of one kind."""

    certain: bool  # each has a column or zone of that name; else it may have one, being of a narrower kind
    field: Field | None
    type: Type | None  # of the field's value when it is read
    zone: Zone | None


def read_type(field: Field) -> Type:
    """Return the type of a column's value when it is read: conditions give a flag, formulas and counters a number."""
    if field.sort in {"status", "token"} or field.type.base == "formula":
        return NUMBER
    if field.type.base == "condition":
        return FLAG
    return field.type


class Vocabulary:
    """Lookup of all names that a model declares."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.version = 0
        self.forms: dict[str, dict[str, list[Form]]] = {"verb": {}, "relation": {}, "measure": {}}
        self.nouns: dict[str, tuple[Line, Clause]] = {}
        self.tracks: dict[str, Track] = {}
        self.areas: dict[str, None] = {}
        self.places: dict[str, None] = {}
        """Names of spaces on the maps of missions, if these are no coordinates."""
        self.unsound: set[str] = set()
        """Words of declarations that could not be read; only asked for membership."""
        self.by_id: dict[str, list[Definition]] = {}
        self._ambiguous: set[str] = set()  # ids whose meaning depends on the file; only asked for membership
        self.by_op: dict[str, Form] = {}
        self._fields: dict[tuple[str, str], list[Field]] = {}
        self._lineages: dict[str, list[str]] = {}
        self._descendants: dict[str, list[Kind]] = {}
        self._attributes_of: dict[tuple[str, str], Attribute] = {}
        self._attributes: set[str] | None = None
        self._words: dict[str, None] | None = None
        self._name_sorts: dict[str, str] = {}
        self._other_words: dict[str, None] = {}  # all except the ids of definitions, as far as they were gathered
        self._symbols: list[str] | None = None
        self._senses: dict[str, Senses] | None = None  # None: not everything is declared yet
        self._cells: dict[int, tuple[Board, frozenset[str]]] = {}  # by the identity of the board
        self.named: dict[Type, list[str]] = {}
        """Names of the values of a type, as far as computed."""
        for form in model.forms:
            self.add(form)
        for definition in model.definitions.values():
            self.add(definition)

    # ── growth ────────────────────────────────────────────────────────────────────────────────

    def add(self, declaration: Declaration) -> None:
        """Add a declaration that is new or has changed in the model."""
        self.version += 1
        if isinstance(declaration, Form):
            sort = "verb" if declaration.sort == "keyword" else declaration.sort
            entries = self.forms[sort].setdefault(declaration.words[0], [])
            if declaration not in entries:
                entries.append(declaration)
                entries.sort(key=lambda form: -len(form.words))
            if declaration.op is not None:
                self.by_op.setdefault(declaration.op, declaration)
        elif isinstance(declaration, Definition):
            entries_of_id = self.by_id.setdefault(declaration.id, [])
            if declaration not in entries_of_id:
                entries_of_id.append(declaration)
                if len(entries_of_id) > 1 and any(self.model.proof_of(entry.span) for entry in entries_of_id):
                    self._ambiguous.add(declaration.id)
            for track in declaration.tracks:
                self.tracks[track.id] = track
            if declaration.board is not None:
                self.add_board(declaration.board)
        elif isinstance(declaration, Track):
            self.tracks[declaration.id] = declaration
        self._forget_senses()
        self.named.clear()
        self._fields.clear()
        self._lineages.clear()
        self._descendants.clear()
        self._attributes_of.clear()
        self._attributes = self._symbols = None
        self._forget_words()

    def add_noun(self, word: str, line: Line, clause: Clause) -> None:
        """Declare a noun: the selection in `clause` under another name."""
        self.version += 1
        self._forget_senses()
        self.nouns[word] = (line, clause)
        self._forget_words()

    def add_board(self, board: Board) -> None:
        """Add the named groups of a mission's map, and its spaces if they have names."""
        if board.sort in NETS:
            self.places.update(dict.fromkeys(cell.id for cell in board.cells))
        self.add_areas(board.zones)

    def add_areas(self, names: Iterable[str]) -> None:
        """Declare named groups of spaces."""
        self.version += 1
        self._forget_senses()
        self.named.clear()
        self.areas.update(dict.fromkeys(names))
        self._forget_words()

    def settle(self) -> None:
        """Mark the declarations as complete: from now on, the categories of words are cached until something is
        added."""
        self._senses = {}

    def _forget_senses(self) -> None:
        if self._senses:
            self._senses.clear()

    def _forget_words(self) -> None:
        self._words = None
        self._name_sorts.clear()
        self._other_words.clear()

    # ── words ─────────────────────────────────────────────────────────────────────────────────

    def senses(self, word: str) -> Senses:
        """Return the lexical categories of a word, which decide the readings to try.

        While declarations are incomplete, all categories are possible.
        """
        if self._senses is None:
            return Senses(self.is_attribute(word), True, True, True)
        senses = self._senses.get(word)
        if senses is None:
            noun = self.is_noun(word) or word in self.areas or word == "direction"
            senses = Senses(self.is_attribute(word), word in self.forms["measure"], self._is_name(word), noun)
            self._senses[word] = senses
        return senses

    def _is_name(self, word: str) -> bool:
        model = self.model
        tables = (self.by_id, self.tracks, self.areas, self.places, model.kinds, model.switches, model.zones,
                  model.dice, model.directions, model.terrains, model.barriers, model.marks)  # fmt: skip
        return (
            any(word in table for table in tables)
            or COORDINATE.fullmatch(word) is not None
            or word in self.symbols()
            or any(word in enum.values for enum in model.enums.values())
            or any(word in switch.values for switch in model.switches.values())
            or self.counter(word) is not None
        )

    def cells(self, board: Board) -> frozenset[str]:
        """Return the coordinates of a board's spaces, gathered once; only asked for membership."""
        cells = self._cells.get(id(board))
        if cells is None or cells[0] is not board:
            cells = self._cells[id(board)] = (board, frozenset(cell.id for cell in board.cells))
        return cells[1]

    def means_only_space(self, word: str) -> bool:
        """Return whether a word can mean nothing but the space with these coordinates."""
        senses = self.senses(word)
        other = senses.attribute or senses.measure or senses.noun or word in self.tracks
        return not other and COORDINATE.fullmatch(word) is not None

    # ── kinds and their columns ───────────────────────────────────────────────────────────────

    def lineage(self, kind: str) -> list[str]:
        """Return the ids of a kind and its ancestors."""
        lineage = self._lineages.get(kind)
        if lineage is None:
            declared = self.model.kinds.get(kind)
            lineage = [ancestor.id for ancestor in declared.lineage()] if declared is not None else [kind]
            self._lineages[kind] = lineage
        return lineage

    def is_a(self, kind: str, ancestor: str) -> bool:
        """Return whether every `kind` is an `ancestor`."""
        return kind == ancestor or ancestor in self.lineage(kind)

    def related(self, one: str, other: str) -> bool:
        """Return whether a thing of one kind may be of the other too."""
        return self.is_a(one, other) or self.is_a(other, one)

    def descendants(self, kind: str) -> list[Kind]:
        """Return the kinds below `kind` in order of declaration, pieces (which can be on spaces) first."""
        descendants = self._descendants.get(kind)
        if descendants is None:
            kinds = (other for other in self.model.kinds.values() if other.id not in SINGLETONS)
            below = [other for other in kinds if other.id != kind and self.is_a(other.id, kind)]
            descendants = sorted(below, key=lambda other: not self.is_a(other.id, "piece"))
            self._descendants[kind] = descendants
        return descendants

    def fields(self, kind: str, name: str) -> list[Field]:
        """Return the columns `name` of a kind's things, or else those of kinds below."""
        key = (kind, name)
        if key not in self._fields:
            declared = self.model.kinds.get(kind)
            own = declared.find(name) if declared is not None else None
            if own is not None:
                self._fields[key] = [own]
            else:
                below = (other.fields.get(name) for other in self.descendants(kind))
                self._fields[key] = list(dict.fromkeys(field for field in below if field is not None))
        return self._fields[key]

    def attribute(self, kind: str, name: str) -> Attribute:
        """Return the meaning of a word for the things of a kind: a column, a zone, or neither."""
        key = (kind, name)
        attribute = self._attributes_of.get(key)
        if attribute is None:
            kinds = self.model.kinds
            above = [kinds[owner] for owner in self.lineage(kind) if owner in kinds]
            certain = any(name in owner.fields or name in owner.zones for owner in above)
            field = next(iter(self.fields(kind, name)), None)
            zones = (owner.zones[name] for owner in (*above, *self.descendants(kind)) if name in owner.zones)
            attribute = Attribute(certain, field, read_type(field) if field is not None else None, next(zones, None))
            self._attributes_of[key] = attribute
        return attribute

    def is_part(self, name: str) -> bool:
        """Return whether some kind has parts of that name."""
        return name in self.model.kinds and self.model.kinds[name].part_of is not None

    def columns(self, kind: str) -> list[str]:
        """Return the names of the columns and zones of a kind."""
        declared = self.model.kinds.get(kind)
        names = [name for owner in (declared.lineage() if declared else []) for name in (*owner.fields, *owner.zones)]
        return list(dict.fromkeys(names))

    def is_attribute(self, word: str) -> bool:
        """Return whether any kind has a column or zone of that name."""
        if self._attributes is None:
            kinds = self.model.kinds.values()
            self._attributes = {name for kind in kinds for name in (*kind.fields, *kind.zones)}
        return word in self._attributes

    def counter(self, word: str) -> Field | None:
        """Return the status or token of that name."""
        for kind in self.model.kinds.values():
            field = kind.fields.get(word)
            if field is not None and field.sort in {"status", "token"}:
                return field
        return None

    # ── values by name ────────────────────────────────────────────────────────────────────────

    def enum_values(self, name: str) -> list[str]:
        """Return the values of an enum or of a variant."""
        if name in self.model.enums:
            return list(self.model.enums[name].values)
        if name in self.model.switches:
            return self.model.switches[name].values
        return []

    def symbols(self) -> list[str]:
        """Return all symbols of dice; a face is an index into them."""
        if self._symbols is None:
            self._symbols = self.model.symbols()
        return self._symbols

    def called(self, id: str, source: str) -> list[Definition]:
        """Return the definitions with that id that a text in the file `source` can mean.

        Those of other test files are returned only if there are no others.
        """
        named = self.by_id.get(id, [])
        if len(named) < 2:
            return named
        return [entry for entry in named if self.model.proof_of(entry.span) in ("", source)] or named

    def file_of(self, text: str, source: str) -> str:
        """Return the file `source` if the definitions that a text names depend on it (see `called`), else ""."""
        return source if self._ambiguous and not self._ambiguous.isdisjoint(WORD.findall(text)) else ""

    def definitions(self, id: str, kind: str, source: str) -> list[Definition]:
        """Return the definitions that `called` returns, whose kind is an ancestor or descendant of `kind`."""
        return [definition for definition in self.called(id, source) if self.related(definition.kind.id, kind)]

    def is_noun(self, word: str) -> bool:
        """Return whether a selection may begin with that word."""
        model = self.model
        declared = word in model.kinds or word in self.nouns or word in self.by_id
        return declared or word in model.terrains or word in model.marks or word in model.barriers

    def words(self) -> dict[str, None]:
        """Return every word that means something here, in a fixed order; for suggestions."""
        if self._words is None:
            self._words = dict.fromkeys(self._all_words())
        return self._words

    def name_sort(self, word: str) -> str:
        """Return the sort of name that a word can only be: the kind of a definition, or `COORDINATES`; else nothing."""
        sort = self._name_sorts.get(word)
        if sort is None:
            named = self.by_id.get(word, ())
            if COORDINATE.fullmatch(word) is not None:
                sort = COORDINATES if word not in self.words() else ""
            else:
                sort = named[0].kind.id if len(named) == 1 and not self._means_more(word) else ""
            sort = self._name_sorts[word] = "" if sort in SINGLETONS else sort
        return sort

    def _means_more(self, word: str) -> bool:
        """Return whether the id of a definition has any other meaning."""
        if not self._other_words:
            self._other_words = dict.fromkeys(self._words_besides_ids())
        return word in self._other_words or word == "direction"

    def _all_words(self) -> Iterator[str]:
        yield from self._words_besides_ids()
        yield from self.by_id

    def _words_besides_ids(self) -> Iterator[str]:
        model = self.model
        yield from CORE_WORDS
        for form in model.forms:
            yield from form.words
            yield from (param.preposition for param in form.params if param.preposition)
        for event in model.events.values():
            yield from event.id.split()
            yield from event.pattern
        for kind in model.kinds.values():
            yield kind.id
            yield from kind.fields
            yield from kind.zones
        for enum in model.enums.values():
            yield from enum.values
        for switch in model.switches.values():
            yield switch.id
            yield from switch.values
        for names in (
            model.directions,
            model.terrains,
            model.barriers,
            model.marks,
            model.dice,
            model.ladders,
            model.zones,
        ):
            yield from names
        yield from self.symbols()
        yield from self.nouns
        yield from self.tracks
        yield from self.areas
        yield from self.places


CORE_WORDS = (
    "self", "this", "it", "nothing", "none", "yes", "no", "any", "every", "number", "of", "is", "has", "not", "and",
    "or", "where", "except", "by", "then", "most", "fewest", "with", "in", "on", "at", "least", "double", "becomes",
    "definition", "many", "each", "all", "add", "to", "remove", "from", "random", "up", "until", "done", "one", "may",
    "times", "time", "win", "lose", "draw", "once", "if", "per", "have", "are", "against", "than", "order", "exactly",
    "secret", "reroll", "as", "fr", "en",
)  # fmt: skip
"""Words of the language itself that can occur inside a phrase."""

BASES = (
    "number", "flag", "text", "die", "face", "direction", "zone", "effect", "condition", "formula",
    "definition", "counter", "mark", "terrain", "barrier", "area", "kind",
)  # fmt: skip
"""Built-in types."""
