"""Units of incremental checking: the body of one declaration, which depends on its text and on what it mentions.

A unit knows the words of its text. It can mention a changed declaration only by one of these words. So a unit that
contains no word of a changed declaration need not be read again.
"""

from __future__ import annotations

import operator
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import field, fields, is_dataclass, replace
from sys import intern
from typing import Protocol

from fcbdsl.base.diagnostics.base import Diagnostic
from fcbdsl.base.records import dataclass
from fcbdsl.language.model.content import Definition, Test
from fcbdsl.language.model.declarations import Action, Declared, Event, Field, Form, Kind
from fcbdsl.language.model.declaring.collect import META, Declaration
from fcbdsl.language.model.declaring.context import Context
from fcbdsl.language.model.declaring.definitions import Draft, is_played, read_definition, redeclare_definition
from fcbdsl.language.model.declaring.plays import read_action, read_invariant, read_programs, read_prospect, read_rule
from fcbdsl.language.model.declaring.preferences import read_preferences
from fcbdsl.language.model.declaring.scripts import SETTING, declared_again, read_test
from fcbdsl.language.model.declaring.signatures import BODIES, FormDraft, read_form, redeclare_form
from fcbdsl.language.model.declaring.track_declarations import TRACKS
from fcbdsl.language.model.ir.node import Node
from fcbdsl.language.model.lines import WORD, keyword_of, lines_with_clauses
from fcbdsl.language.model.resolve.core import Resolver
from fcbdsl.language.syntax.tree import Line


class Touching(Protocol):
    """A set of changes: see `interface.Changes`."""

    def touch(self, words: frozenset[str]) -> bool:
        """Return whether the changes affect a text that contains these words."""


@dataclass(slots=True, eq=False)
class KeptUnit:
    """The reusable result of reading a declaration: see `CheckUnit`.

    `made`: its value. `owner`: the declaration that has the behavior. `end`: of its text in the source, because its
    block may have to be parsed again. `known_words`: those of its text, if something has needed them.
    """

    declaration: Declaration
    end: int
    known_words: frozenset[str] | None
    problems: list[Diagnostic]
    unread: list[Line]
    made: object
    owner: Declared | None

    @property
    def words(self) -> frozenset[str]:
        """Return the words of its text, in lower case."""
        if self.known_words is None:
            self.known_words = _text_words(self.declaration.line, self.end)
        return self.known_words

    def unit(self) -> CheckUnit:
        """Return the unit that was read, in a model in which nothing was declared since."""
        unit: CheckUnit
        if isinstance(self.owner, Form):
            unit = FormUnit(self.declaration, draft=FormDraft(self.owner, self.declaration))
        elif isinstance(self.owner, Definition):
            unit = DefinitionUnit(self.declaration, draft=Draft(self.owner, self.declaration))
        else:
            unit = PlayUnit(self.declaration)
        unit.resume(self)
        return unit


@dataclass(eq=False)
class CheckUnit(ABC):
    """The body of one declaration.

    `problems`: diagnostics from reading it. `unread`: its lines with a clause that was not read.
    """

    declaration: Declaration
    problems: list[Diagnostic] = field(default_factory=list)
    unread: list[Line] = field(default_factory=list)
    _words: frozenset[str] | None = None
    _known_end: int | None = None

    @property
    def words(self) -> frozenset[str]:
        """Return the words of its text, in lower case; computed on demand, because only an edit needs them."""
        if self._words is None:
            self._words = _text_words(self.declaration.line, self._end)
        return self._words

    @property
    def _end(self) -> int:
        """Return the end of its text in the source."""
        if self._known_end is None:
            self._known_end = _end(self.declaration.line)
        return self._known_end

    def read(self, context: Context) -> None:
        """Read the unit and store the result."""
        before = context.problems.taken()
        self._read(context)
        self.problems = context.problems.taken()
        context.problems.extend(before)
        self.unread = unread(self.declaration.line, context.reader)

    @property
    @abstractmethod
    def owner(self) -> Declared | None:
        """Return the declaration that has the behavior."""

    @abstractmethod
    def _read(self, context: Context) -> None: ...

    @property
    @abstractmethod
    def _body(self) -> list[Line]:
        """Return the lines whose blocks are only needed to read the unit, not to declare everything."""

    def snapshot(self, with_words: bool = False) -> KeptUnit:
        """Return the stored result of reading the unit, with the words of its text, or with those that are known.

        Another process parses the blocks of its body if it reads it again.
        """
        for line in self._body:
            line.stored_alone = not is_broken(line)
        words = self.words if with_words else self._words
        return KeptUnit(self.declaration, self._end, words, self.problems, self.unread, self._made, self.owner)

    @property
    @abstractmethod
    def _made(self) -> object:
        """Return the value that was read."""

    def keep(self, context: Context, before: KeptUnit) -> None:
        """Reuse an earlier result in a model in which everything has been declared again."""
        self._take_over(before)
        self._keep(context, before.made)

    @abstractmethod
    def _keep(self, context: Context, result: object) -> None:
        """Reuse the value of an earlier reading."""

    def resume(self, before: KeptUnit) -> None:
        """Take over an earlier result whose values are in place."""
        self._take_over(before)
        self._resume(before.made)

    def _take_over(self, before: KeptUnit) -> None:
        self.problems, self.unread = before.problems, before.unread
        self._words, self._known_end = before.known_words, before.end

    @abstractmethod
    def _resume(self, result: object) -> None:
        """Take over a value whose parts are in place."""

    def settle(self, context: Context, before: KeptUnit) -> None:
        """Replace what was read by equal objects of an earlier reading, so that results made from these stay valid."""
        if _is_equal(self._made, before.made):
            self._keep(context, before.made)

    @abstractmethod
    def renew(self, context: Context, declaration: Declaration) -> CheckUnit:
        """Declare it again in the same model; return the unit to read."""


@dataclass(eq=False)
class _SlotUnit(CheckUnit):
    """A unit whose declaration exists before it is read: reading fills some attributes of its owner."""

    found: Mapping[str, object] = field(default_factory=dict)

    def _note(self, slots: Iterable[str]) -> None:
        """Note what has been read into some slots."""
        self.found = {slot: getattr(self.owner, slot) for slot in slots}

    @property
    def _made(self) -> object:
        return self.found

    def _resume(self, result: object) -> None:
        assert isinstance(result, dict)
        self.found = result

    def _keep(self, context: Context, result: object) -> None:
        self._resume(result)
        for slot, value in self.found.items():
            setattr(self.owner, slot, value)


@dataclass(eq=False)
class FormUnit(_SlotUnit):
    """A verb, keyword, relation, measure or table."""

    draft: FormDraft = field(kw_only=True)

    @property
    def owner(self) -> Form:
        return self.draft.form

    def _read(self, context: Context) -> None:
        read_form(context, self.draft)
        self._note(("body", "texts", "traits", *(("name",) if self.declaration.sort == "table" else ())))

    @property
    def _body(self) -> list[Line]:
        return [line for line in self.declaration.line.block if keyword_of(line) in BODIES]

    def renew(self, context: Context, declaration: Declaration) -> CheckUnit:
        return FormUnit(declaration, draft=redeclare_form(context, self.draft.form, declaration))


_READ_OF_DEFINITIONS = (
    "name", "target", "flags", "values", "parts", "listeners", "modifiers", "tracks", "overrides", "members",
    "others", "flavour", "art", "text", "untold",
)  # fmt: skip


@dataclass(eq=False)
class DefinitionUnit(_SlotUnit):
    """A card, a figure, a mission …"""

    draft: Draft = field(kw_only=True)

    @property
    def owner(self) -> Definition:
        return self.draft.definition

    def _read(self, context: Context) -> None:
        read_definition(context, self.draft)
        self._note(_READ_OF_DEFINITIONS)

    @property
    def _body(self) -> list[Line]:
        return [] if is_played(self.owner.kind) else [self.declaration.line]

    def _keep(self, context: Context, result: object) -> None:
        super()._keep(context, result)
        for track in self.owner.tracks:
            context.vocabulary.tracks[track.id] = track

    def renew(self, context: Context, declaration: Declaration) -> CheckUnit:
        return DefinitionUnit(declaration, draft=redeclare_definition(context, self.draft, declaration))


@dataclass(eq=False)
class PlayUnit(CheckUnit):
    """An action, a rule, an invariant or a prospect, which is found in the model by its name."""

    found: Declared | None = None

    @property
    def owner(self) -> Declared | None:
        return self.found

    def _read(self, context: Context) -> None:
        _READERS[self.declaration.sort](context, self.declaration)
        self.found = _all(context, self.declaration.sort).get(self.declaration.id)

    @property
    def _body(self) -> list[Line]:
        return [self.declaration.line]

    @property
    def _made(self) -> object:
        return self.found

    def _resume(self, result: object) -> None:
        assert result is None or isinstance(result, Declared)
        self.found = result

    def _keep(self, context: Context, result: object) -> None:
        self._resume(result)
        if self.found is not None:
            _all(context, self.declaration.sort)[self.declaration.id] = self.found

    def renew(self, context: Context, declaration: Declaration) -> CheckUnit:
        if declaration.sort == "action":
            action = Action(declaration.id, declaration.span, declaration.named(), system=declaration.system)
            context.model.actions[declaration.id] = action
        return PlayUnit(declaration)


_READERS = {"action": read_action, "rule": read_rule, "invariant": read_invariant, "prospect": read_prospect}


def _all(context: Context, sort: str) -> dict[str, Declared]:
    """Return the declarations of a sort, by name."""
    declared: dict[str, Declared] = getattr(context.model, f"{sort}s")
    return declared


@dataclass(eq=False)
class TestUnit(CheckUnit):
    """A test of content."""

    test: Test = field(kw_only=True)

    @property
    def owner(self) -> Test:
        return self.test

    def _read(self, context: Context) -> None:
        read_test(context, self.test, self.declaration)

    @property
    def _body(self) -> list[Line]:
        return [self.declaration.line]

    @property
    def _made(self) -> object:
        return self.test

    def settle(self, context: Context, before: KeptUnit) -> None:
        if isinstance(before.made, Test) and _is_equal(_with_places(self.test), _with_places(before.made)):
            self._keep(context, before.made)

    def _resume(self, result: object) -> None:
        assert isinstance(result, Test)
        self.test = result

    def _keep(self, context: Context, result: object) -> None:
        assert isinstance(result, Test)
        result.mission, result.board, result.players = self.test.mission, self.test.board, self.test.players
        self.test = result

    def renew(self, context: Context, declaration: Declaration) -> CheckUnit:
        tests = context.model.tests
        test = self.test
        again = declared_again(context, declaration, test.mission, test.board, test.players)
        tests[tests.index(self.test)] = again
        return TestUnit(declaration, test=again)


def _with_places(test: Test) -> Test:
    """Return an equal test whose rows are not those of other lines."""
    return replace(test, rows=[(step, 0) for step in test.steps])


# ── texts ──────────────────────────────────────────────────────────────────────────────────────


def line_words(line: Line) -> frozenset[str]:
    """Return the words of a line and its block, in small letters. Equal words are one object in stored states."""
    return _text_words(line, _end(line))


def _text_words(line: Line, end: int) -> frozenset[str]:
    """Return the words from the start of a line to a place in its source: see `line_words`."""
    return frozenset(map(intern, words_in(line.source.text[line.offset : end])))


def words_in(text: str) -> frozenset[str]:
    """Return the words of a text, in small letters."""
    return frozenset(map(str.lower, dict.fromkeys(WORD.findall(text))))


def line_text(line: Line) -> str:
    """Return the text of a line and its block."""
    return line.source.text[line.offset : _end(line)]


def _end(line: Line) -> int:
    """Return the end of the block of a line."""
    own = line.end if line.raw is None else line.raw_offset + len(line.raw)
    return max(own, _end(line.block[-1])) if line.block else own


def unread(top: Line, reader: Resolver) -> list[Line]:
    """Return the lines of a declaration that have a clause which was not read."""
    return [line for line in lines_with_clauses(top) if not reader.is_read(line)]


def is_broken(line: Line) -> bool:
    """Return whether a line, or one of its block, could not be read. No broken block was stored alone."""
    lines = [line]
    while lines:
        below = lines.pop()
        if below.broken:
            return True
        lines += below.below or ()
    return False


def _is_equal(after: object, before: object) -> bool:
    """Return whether two values of a declaration are equal in all parts. Entries must be the same objects."""
    if after is before:
        return True
    if type(after) is not type(before) or isinstance(after, Form | Event | Field | Kind | Definition):
        return False
    if isinstance(after, list | tuple) and isinstance(before, list | tuple):
        return len(after) == len(before) and all(map(_is_equal, after, before))
    if isinstance(after, dict) and isinstance(before, dict):
        return [*after] == [*before] and all(map(_is_equal, after.values(), before.values()))
    if is_dataclass(after) and not isinstance(after, Node):
        return all(_is_equal(getattr(after, slot.name), getattr(before, slot.name)) for slot in fields(after))
    return after == before


_FORMS = ("verb", "keyword", "relation", "measure")
_SEEN_OF_DEFINITIONS = ("map", "players", *TRACKS)
"""First words of the lines of a definition that others can see."""
PROGRAMS = ("setup", "flow", "journey", "preferences")
"""Sorts of declarations that are read together, as the programs of the game."""


def head_of(declaration: Declaration) -> tuple[object, ...]:
    """Return the part of a declaration that others can see: if it is unchanged, only the body is read again."""
    line, sort = declaration.line, declaration.sort
    named = (sort, declaration.id, declaration.system)
    if declaration.broken:
        return *named, line_text(line)
    if sort in ("action", "rule", "invariant", "prospect") or sort in PROGRAMS:
        return named
    if sort in _FORMS and not is_broken(line):
        keys = [(inner, keyword_of(inner)) for inner in line.block]
        seen = [key if key == "text" or key in BODIES else line_text(inner) for inner, key in keys]
        return *named, line.source.text[line.offset : line.end], *seen
    if sort == "table":
        return named
    if sort == "test":
        return *named, *(line_text(inner) for inner in line.block if keyword_of(inner) in SETTING)
    if sort not in META:
        return *named, *(line_text(inner) for inner in line.block if keyword_of(inner) in _SEEN_OF_DEFINITIONS)
    return *named, line_text(line)


_READ_OF_GAME = ("setup", "flow", "journey", "outlook", "preferences")


@dataclass(slots=True, eq=False)
class GamePrograms:
    """The actions, rules and other programs of a game, as read.

    `lines`: their head lines. `statements`: lines of their blocks that were read as statements. `found`: the values by
    attribute of the model. `problems`: their diagnostics.
    """

    lines: tuple[Line, ...]
    statements: tuple[Line, ...]
    words: frozenset[str]
    found: dict[str, object]
    problems: list[Diagnostic]


def read_game(context: Context, before: GamePrograms | None = None, changed: Touching | None = None) -> GamePrograms:
    """Read the game's programs, or reuse `before` if no change affects their texts."""
    model = context.model
    lines = tuple(declaration.line for declaration in context.index.of(*PROGRAMS, "system"))
    if before is not None and changed is not None and not before.problems and not changed.touch(before.words):
        same = len(lines) == len(before.lines) and all(map(operator.is_, lines, before.lines))
        if same:
            for slot, value in before.found.items():
                setattr(model, slot, value)
            for line in before.statements:
                context.reader.has_read(line)
            return before
    others = context.problems.taken()
    model.setup, model.flow, model.journey, model.outlook = [], None, None, None
    read_programs(context)
    model.preferences = read_preferences(context)
    problems = context.problems.taken()
    context.problems.extend(others)
    statements = tuple(
        statement for line in lines for statement in lines_with_clauses(line) if context.reader.is_read(statement)
    )
    words = frozenset(word for line in lines for word in line_words(line))
    results = {slot: getattr(model, slot) for slot in _READ_OF_GAME}
    for slot, value in before.found.items() if before is not None and not before.problems and not problems else ():
        if _is_equal(results[slot], value):
            results[slot] = value
            setattr(model, slot, value)
    return GamePrograms(lines, statements, words, results, problems)
