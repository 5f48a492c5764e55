"""Memoized results of lowering, so that a model can be lowered again after a few bodies have changed.

A code depends on the bodies from which it is made, and on those of inlined forms. These are the relations and measures
that it applies and, in guards, the verbs that it runs.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import field
from typing import Any, get_args

from fcbdsl.base.records import dataclass
from fcbdsl.language.compiler.interning import Trace
from fcbdsl.language.model import ir
from fcbdsl.language.model.declarations import Action, Field, Form
from fcbdsl.language.model.ir import walk

Identity = object
NONE: Mapping[str, object] = {}
PLAIN = (str, int, type(None))
LASTINGS = 2
"""The place of the lasting effects among the tables of a result."""


@dataclass(slots=True)
class Mentions:
    """Dependencies: the forms, by identity, that something applies and runs. `begins`: their guards matter, too."""

    applied: set[int] = field(default_factory=set)
    done: set[int] = field(default_factory=set)
    begins: bool = False

    def add(self, other: Mentions) -> None:
        """Add the dependencies of another."""
        self.applied |= other.applied
        self.done |= other.done
        self.begins |= other.begins


@dataclass(frozen=True, slots=True)
class Made:
    """A memoized result with its inputs.

    `of`: the arguments, which are kept alive. `rows`: rows that were added to tables. `codes`: the numbers of the codes
    that were written. `lasted`: the number of its first lasting effect, which its codes contain; -1: it has none.
    `rows_used`: the rows of tables that its codes mention, in the order of their first mention (see `row_of`).
    `movable`: a lowering that gives them other numbers can use the codes, too.
    """

    make: str
    of: tuple[object, ...]
    named: tuple[tuple[str, object], ...]
    result: Any
    rows: tuple[tuple[object, ...], ...]
    codes: tuple[int, ...]
    mentions: Mentions
    lasted: int = -1
    trace: Sequence[object] = ()
    firsts: Sequence[tuple[str, Form | Field, int]] = ()
    rows_used: tuple[int, ...] = ()
    movable: bool = False

    @property
    def key(self) -> Identity:
        """Return the key of the entry."""
        return memo_key(self.make, self.of, dict(self.named))


def memo_key(make: str, arguments: Iterable[object], named: Mapping[str, object]) -> Identity:
    """Return the key of the result of a function."""
    return make, *named.items(), *map(_identity, arguments)


@dataclass(frozen=True, slots=True)
class Other:
    """Stand-in for an argument that is not part of the model; only its class matters."""

    name: str


@dataclass(slots=True)
class KeptMade:
    """A memoized result in a form for another process: see `Made` and `Mentions`."""

    make: str
    of: tuple[object, ...]
    named: tuple[tuple[str, object], ...]
    result: Any
    rows: tuple[tuple[object, ...], ...]
    codes: tuple[int, ...]
    applied: tuple[Form, ...]
    done: tuple[Form, ...]
    begins: bool
    lasted: int
    rows_used: tuple[int, ...]
    movable: bool


NUMBERED = ("code", "form", "verb", "guard", "text", "args", "labels", "limits", "span")
"""The tables whose rows get their numbers by first mention, and whose numbers codes contain as operands."""


_TABLE = {name: number for number, name in enumerate(NUMBERED)}


_TABLES_BITS = 4


def row_of(key: int) -> tuple[str, int]:
    """Return the table and the number of the row with a key."""
    return NUMBERED[key & (1 << _TABLES_BITS) - 1], key >> _TABLES_BITS


@dataclass(slots=True)
class _Part:
    """An entry that is being made: see `Made`."""

    mentions: Mentions
    codes: list[int] = field(default_factory=list)
    rows_used: dict[int, None] = field(default_factory=dict)
    movable: bool = True


class Memory:
    """Results of one lowering; entries that depend on a changed form are stale.

    Tables can use it as a trace. Then it records the rows that codes mention, for a lowering that gives them other
    numbers.
    """

    def __init__(self, entries: dict[Identity, Made] | None = None, changed: Iterable[Form] = ()) -> None:
        self._old = entries or {}
        self._changed = [id(form) for form in changed]
        self._new: dict[Identity, Made] = {}
        self._open: list[_Part] = []
        self._written: set[int] = set()
        self.standing: set[int] = set()
        """The numbers of codes that were written, or reused unchanged."""
        self.trace: Trace | None = None
        self.records = True
        """Whether new results are memoized. If not, no later lowering can follow this one."""
        self._users: tuple[dict[int, set[int]], dict[int, set[int]]] | None = None
        self._stale: frozenset[int] = frozenset()
        self._stale_beginnings: frozenset[int] = frozenset()

    def again(self, forms: Iterable[Form], changed: Iterable[Form]) -> Memory:
        """Return the memo table for the next lowering, without results that depend on the bodies of `changed` forms."""
        out = Memory(self._new, changed)
        if not out._changed:
            return out
        if self._users is None:
            self._users = _users(forms)
        applying, using = self._users
        out._stale = _above(applying, out._changed)
        out._stale_beginnings = _above(using, out._changed)
        return out

    def forget(self, changed: Iterable[Form]) -> None:
        """Also forget the results that depend on the bodies of some forms, which are not among those of the model."""
        identities = frozenset(map(id, changed))
        self._stale |= identities
        self._stale_beginnings |= identities

    def extended(self) -> Memory:
        """Return the memo table for lowering more content after this one. It records no new results."""
        out = Memory(self._new)
        out.records = False
        out.standing = {*self.standing}
        return out

    def use_again(self, make: str, arguments: tuple[object, ...], alike: Callable[[tuple[object, ...]], bool]) -> None:
        """Use an earlier result of `make` for other arguments, if `alike` accepts the earlier arguments."""
        key = memo_key(make, arguments, NONE)
        if key not in self._old:
            entry = next((entry for entry in self._old.values() if entry.make == make and alike(entry.of)), None)
            if entry is not None:
                self._old = {**self._old, key: entry}

    def valid(self) -> list[Made]:
        """Return the entries of the lowering before that do not depend on the bodies of changed forms."""
        return [entry for entry in self._old.values() if self._holds(entry.mentions)]

    @classmethod
    def from_snapshot(cls, snapshot: Iterable[KeptMade]) -> Memory:
        """Return a table of the entries that another process has saved."""
        out = cls()
        for entry in snapshot:
            applied, done = ({id(form) for form in forms} for forms in (entry.applied, entry.done))
            mentions = Mentions(applied, done, entry.begins)
            restored = Made(
                entry.make,
                entry.of,
                entry.named,
                entry.result,
                entry.rows,
                entry.codes,
                mentions,
                entry.lasted,
                rows_used=entry.rows_used,
                movable=entry.movable,
            )
            out._new[restored.key] = restored
        return out

    def snapshot(self, forms: Iterable[Form]) -> list[KeptMade]:
        """Return the entries for another process. `forms`: those of the model."""
        named = {id(form): form for form in forms}
        out = []
        for entry in self._new.values():
            if all(isinstance(value, PLAIN) for _, value in entry.named):
                applied, done = (
                    tuple([named[form] for form in sorted(some) if form in named])
                    for some in (entry.mentions.applied, entry.mentions.done)
                )
                of = tuple(map(_storable, entry.of))
                begins, lasted = entry.mentions.begins, entry.lasted
                out.append(
                    KeptMade(
                        entry.make,
                        of,
                        entry.named,
                        entry.result,
                        entry.rows,
                        entry.codes,
                        applied,
                        done,
                        begins,
                        lasted,
                        entry.rows_used,
                        entry.movable,
                    )
                )
        return out

    @property
    def taken_over(self) -> frozenset[int]:
        """Return the numbers of codes that were reused unchanged."""
        return frozenset(self.standing - self._written)

    def written(self, code: int) -> None:
        """Record that a code was written."""
        self.standing.add(code)
        self._written.add(code)
        if self._open:
            self._open[-1].codes.append(code)

    def note(self, table: str, number: int) -> None:
        """Record that the entry that is being made mentions a row."""
        if self._open:
            self._open[-1].rows_used[number << _TABLES_BITS | _TABLE[table]] = None  # see `row_of`

    def replaced(self, table: str) -> int | None:
        """Return no row, because none is free."""
        return None

    def fix(self) -> None:
        """Record that a code contains the number of a row where no operand shows its table."""
        if self._open:
            self._open[-1].movable = False

    def result(
        self,
        unit: Any,
        make: Callable[..., Any],
        tables: Sequence[Any],
        arguments: tuple[object, ...],
        named: Mapping[str, object] = NONE,
        called: str = "",
    ) -> Any:
        """Return the result of `make`, memoized.

        `tables` are lists to which it adds rows, the third with lasting effects. `called`: the name for the key, if
        `make` has no useful name.
        """
        called = called or make.__name__
        key = memo_key(called, arguments, named)
        entry = self._old.get(key)
        standing = entry is not None and entry.lasted in (-1, len(tables[LASTINGS]))
        if entry is not None and standing and self._holds(entry.mentions):
            for table, rows in zip(tables, entry.rows, strict=True):
                table += rows
            self._new[key] = entry
            self._add(entry.mentions, entry.codes, entry.rows_used, entry.movable)
            self.standing.update(entry.codes)
            if self.trace is not None:
                self.trace.begin()
                for first in entry.firsts:
                    unit.mention(*first)
                self.trace.end()
                self.trace.entries.append(entry)
            return entry.result
        if not self.records:
            return make(unit, *arguments, **named)
        sizes = [len(table) for table in tables]
        part = _Part(_mentions(arguments, called == "guard"))
        self._open.append(part)
        firsts = 0
        if self.trace is not None:
            firsts = len(self.trace.firsts)
            self.trace.begin()
        result = make(unit, *arguments, **named)
        self._open.pop()
        trace, mentioned = ((), ()) if self.trace is None else (self.trace.end(), self.trace.firsts[firsts:])
        added = tuple([tuple(table[size:]) for table, size in zip(tables, sizes, strict=True)])
        lasted = sizes[LASTINGS] if added[LASTINGS] else -1
        movable = part.movable and not any(added) and (result is None or isinstance(result, int))
        self._add(part.mentions, part.codes, part.rows_used, movable)
        new_entry = self._new[key] = Made(
            called,
            arguments,
            tuple(named.items()),
            result,
            added,
            tuple(part.codes),
            part.mentions,
            lasted,
            trace,
            mentioned,
            tuple(part.rows_used),
            movable,
        )
        if self.trace is not None:
            self.trace.entries.append(new_entry)
        return result

    def _add(self, mentions: Mentions, codes: Iterable[int], rows_used: Collection[int], movable: bool) -> None:
        """Add an entry to the one that is being made."""
        if self._open:
            part = self._open[-1]
            part.mentions.add(mentions)
            part.codes.extend(codes)
            if rows_used:
                part.rows_used.update(dict.fromkeys(rows_used))
            part.movable = part.movable and movable

    def _holds(self, mentions: Mentions) -> bool:
        """Return whether none of the bodies that something depends on has changed."""
        if not self._stale.isdisjoint(mentions.applied):
            return False
        if not mentions.begins:
            return True
        return self._stale_beginnings.isdisjoint(mentions.applied) and self._stale_beginnings.isdisjoint(mentions.done)


def _identity(argument: object) -> Identity:
    """Return the identity of an argument for the key: plain values by value, nodes and declarations by identity.

    The places of locals follow from these.
    """
    if _OF_MODEL[argument.__class__]:
        return id(argument)
    if isinstance(argument, (tuple, list)):
        return tuple(map(_identity, argument))
    return argument if isinstance(argument, (*PLAIN, Other)) else Other(type(argument).__name__)


def _storable(argument: object) -> object:
    """Return an argument in a form that has the same identity in the process that restores it."""
    if isinstance(argument, (tuple, list)):
        return tuple(map(_storable, argument))
    if isinstance(argument, (*PLAIN, Other)) or _OF_MODEL[argument.__class__]:
        return argument
    return Other(type(argument).__name__)


class _OfModel(dict[type, bool]):
    """Whether classes are part of the model, noted at their first use."""

    def __missing__(self, cls: type) -> bool:
        self[cls] = cls.__module__.startswith("fcbdsl.language.model")
        return self[cls]


_OF_MODEL = _OfModel()


_MENTIONING = frozenset(get_args(ir.Apply | ir.Do | ir.ChooseOne | ir.AnyOrder))
"""Classes of nodes on whose forms or options a code depends."""


def _mentions(arguments: Iterable[object], begins: bool) -> Mentions:
    out = Mentions(begins=begins)
    open_ = list(arguments)
    while open_:
        argument = open_.pop()
        if isinstance(argument, (tuple, list)):
            open_ += argument
        elif isinstance(argument, Form):
            out.applied.add(id(argument))  # its own code
            open_.append(argument.body)
        elif isinstance(argument, Action):
            out.begins = True
            open_ += [argument.by, argument.subject, argument.needs, argument.body]
            open_ += [amount for _, amount in argument.costs]
        for node in () if isinstance(argument, (tuple, list)) else walk(argument):
            if node.__class__ in _MENTIONING:
                if isinstance(node, ir.Apply):
                    out.applied.add(id(node.form))
                elif isinstance(node, ir.Do):
                    out.done.add(id(node.form))
                else:
                    out.begins = True
    return out


def _users(forms: Iterable[Form]) -> tuple[dict[int, set[int]], dict[int, set[int]]]:
    """Return, per form, the forms whose bodies apply it, and those whose bodies apply or run it."""
    applying: dict[int, set[int]] = {}
    using: dict[int, set[int]] = {}
    for form in forms:
        for node in walk(form.body):
            if isinstance(node, ir.Apply):
                applying.setdefault(id(node.form), set()).add(id(form))
            if isinstance(node, ir.Apply | ir.Do):
                using.setdefault(id(node.form), set()).add(id(form))
    return applying, using


def _above(users: dict[int, set[int]], changed: Iterable[int]) -> frozenset[int]:
    """Return some forms, and all that use them, directly or indirectly."""
    users_above: dict[int, None] = {}
    open_ = list(changed)
    while open_:
        form = open_.pop()
        if form not in users_above:
            users_above[form] = None
            open_ += users.get(form, ())
    return frozenset(users_above)
