"""Tables that number their rows in the order of first use."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any, Generic, Protocol, TypeVar

from fcbdsl.base.source import Source, Span
from fcbdsl.language.model.declarations import Field, Form
from fcbdsl.machine.vm import program as vm

T = TypeVar("T", bound=Hashable)


class Noting(Protocol):
    """Records mentions of rows of tables."""

    def note(self, table: str, number: int) -> None:
        """Record that a row was mentioned."""

    def replaced(self, table: str) -> int | None:
        """Return a row that a new value may reuse; None if there is none."""


class Trace:
    """The rows of tables that a lowering mentions, in order: pairs of a table and a number, or parts with a trace.

    A lowering of the same model after an edit follows the trace of the one before. If both are alike in the end, a
    lowering of the whole model would mention the same rows in the same order, and so give the same program."""

    def __init__(self, before: Sequence[Any] = ()) -> None:
        self.entries: list[Any] = []
        self.before = before
        self._open: list[tuple[list[Any], Sequence[Any]]] = []
        self._noted: set[tuple[str, int]] = set()
        self._replaced: set[tuple[str, int]] = set()
        self.firsts: list[tuple[str, Form | Field, int]] = []
        """The forms, verbs and fields with guards that were mentioned, with their numbers, in order."""
        self._mentioned_once: set[tuple[str, int]] = set()
        self.differs = False
        """Whether something has another number than in the run before."""

    def is_first(self, kind: str, thing: Form | Field, number: int) -> bool:
        """Record a form, a verb or a field; return whether this is its first mention."""
        key = kind, id(thing)
        if key in self._mentioned_once:
            return False
        self._mentioned_once.add(key)
        self.firsts.append((kind, thing, number))
        return True

    def note(self, table: str, number: int) -> None:
        """Record that a row was mentioned."""
        self.entries.append((table, number))
        self._noted.add((table, number))

    def expected(self, table: str) -> int | None:
        """Return the row of a table that the run before mentioned here; None if it did not."""
        at = len(self.entries)
        earlier = self.before[at] if at < len(self.before) else None
        return earlier[1] if isinstance(earlier, tuple) and earlier[0] == table else None

    def replaced(self, table: str) -> int | None:
        """Return the row of the earlier run that a new value may reuse; None if there is none, or if this run uses it
        already."""
        number = self.expected(table)
        if number is None or (table, number) in self._noted:
            return None
        self._replaced.add((table, number))
        return number

    def begin(self) -> None:
        """Begin a nested part of the trace."""
        at = len(self.entries)
        before = self.before[at] if at < len(self.before) else None
        self._open.append((self.entries, self.before))
        self.entries, self.before = [], () if before is None or isinstance(before, tuple) else before.trace

    def end(self) -> list[Any]:
        """End the innermost part; return its entries."""
        entries = self.entries
        self.entries, self.before = self._open.pop()
        return entries

    def follows(self) -> bool:
        """Return whether this trace equals the earlier one, and no reused part mentions a replaced row."""
        taken_over: list[Any] = []
        return (
            not self.differs
            and _alike(self.entries, self.before, taken_over)
            and not (self._replaced and self._mentioned(taken_over))
        )

    def _mentioned(self, parts: list[Any]) -> bool:
        """Return whether some parts mention a replaced row."""
        waiting = [part.trace for part in parts]
        while waiting:
            for entry in waiting.pop():
                if not isinstance(entry, tuple):
                    waiting.append(entry.trace)
                elif entry in self._replaced:
                    return True
        return False


def _alike(entries: Sequence[Any], before: Sequence[Any], taken_over: list[Any]) -> bool:
    """Return whether two traces mention the same rows in the same order. Parts in both are added to `taken_over`."""
    if len(entries) != len(before):
        return False
    for one, other in zip(entries, before, strict=True):
        if one is other and not isinstance(one, tuple):
            taken_over.append(one)
        elif not isinstance(one, tuple) or not isinstance(other, tuple):
            if isinstance(one, tuple) or isinstance(other, tuple):
                return False
            if not _alike(one.trace, other.trace, taken_over):
                return False
        elif one != other:
            return False
    return True


class Interned(Generic[T]):
    """Values in the order of their first mention; equal ones share a number.

    With a `trace` of an earlier run, a new value takes the row that this run used at the same point, if it is free.
    """

    def __init__(self, values: Iterable[T] = ()) -> None:
        self._numbers: dict[T, int] = {}
        self._values: list[T] = []
        self.trace: Noting | None = None
        self.table = ""
        for value in values:
            self.number(value)

    def number(self, value: T) -> int:
        """Return the number of `value`, new or old."""
        number = self._numbers.get(value)
        if number is None:
            number = self._numbers[value] = self._row_for(value)
        if self.trace is not None:
            self.trace.note(self.table, number)
        return number

    def _row_for(self, value: T) -> int:
        """Write a new value into the row of another one, or a new row; return its number."""
        number = None if self.trace is None else self.trace.replaced(self.table)
        if number is None or number >= len(self._values):
            self._values.append(value)
            return len(self._values) - 1
        if self._numbers.get(self._values[number]) == number:
            del self._numbers[self._values[number]]
        self._values[number] = value
        return number

    def traced(self, trace: Noting, table: str) -> None:
        """Let a trace record all mentions."""
        self.trace, self.table = trace, table

    def add(self, value: T) -> None:
        """Give `value` the next number, even if there is an equal one; lookups find the first."""
        self._numbers.setdefault(value, len(self._values))
        self._values.append(value)

    def value(self, number: int) -> T:
        """Return the value of that number."""
        return self._values[number]

    def find(self, value: T) -> int:
        """Return the number of `value`, or -1."""
        return self._numbers.get(value, -1)

    def values(self) -> tuple[T, ...]:
        """Return the values by number."""
        return tuple(self._values)

    def copied(self) -> Interned[T]:
        """Return an independent copy of the table."""
        out: Interned[T] = Interned()
        out._numbers, out._values = {**self._numbers}, [*self._values]
        return out

    @property
    def distinct(self) -> bool:
        """Return whether all values differ."""
        return len(self._numbers) == len(self._values)

    def changed(self, values: Mapping[int, T]) -> Interned[T]:
        """Return a copy of a table of distinct values with other values in some rows."""
        out = self.copied()
        for number in values:
            del out._numbers[out._values[number]]
        for number, value in values.items():
            out._values[number] = value
            out._numbers[value] = min(number, out._numbers.get(value, number))
        return out


class Spans:
    """Spans in sources, and the files they are in."""

    def __init__(self) -> None:
        self.files: Interned[str] = Interned()
        self._rows: Interned[vm.Span] = Interned()
        self._known: dict[tuple[int, int, int], int] = {}
        self._first: list[Span] = []  # for each row
        self._marks: dict[int, tuple[Source, tuple[object, ...]]] = {}  # by the identity of sources: see `_mark`

    @classmethod
    def of(cls, files: Iterable[str], first: Iterable[Span]) -> Spans:
        """Return a table of the same spans, at their current positions in their files. `first`: see `kept`."""
        out = cls()
        for name in files:
            out.files.number(name)
        for span in first:
            out._known[id(span.source), span.start, span.end] = len(out._first)
            out._first.append(span)
            out._rows.add(out._row(span))
        return out

    def snapshot(self) -> tuple[tuple[str, ...], list[Span]]:
        """Return the files and, for each row, the first span that it represents."""
        return self.files.values(), self._first

    def numbers(self, spans: Iterable[Span | None]) -> tuple[int, ...]:
        """Return the numbers of some spans, in order; -1 for none."""
        out: list[int] = []
        last, number = None, -1
        for span in spans:
            if span is not last:
                last, number = span, -1 if span is None else self.number(span)
            out.append(number)
        return tuple(out)

    def number(self, span: Span) -> int:
        """Return the number of a span."""
        key = (id(span.source), span.start, span.end)
        number = self._known.get(key)
        if number is None:
            number = self._known[key] = self._rows.number(self._row(span))
            if number == len(self._first):
                self._first.append(span)
            elif self._rows.trace is not None:
                self._first[number] = span
        elif self._rows.trace is not None:
            self._rows.trace.note(self._rows.table, number)
        return number

    def traced(self, trace: Noting) -> None:
        """Let a trace record all mentions."""
        self._rows.traced(trace, "span")

    def again(self) -> Spans:
        """Return a table of the same places, at their current positions in their files.

        Only the rows of sources that have moved, or that another text has replaced, are made again.
        """
        if not self._rows.distinct:
            return Spans.of(self.files.values(), self._first)
        out = Spans()
        out.files, out._first, out._marks = self.files.copied(), [*self._first], {**self._marks}
        out._known = {(id(span.source), span.start, span.end): row for row, span in enumerate(out._first)}
        moved = {key for key, (source, mark) in out._marks.items() if _mark(source) != mark}
        for key in moved:
            del out._marks[key]
        rows = {row: out._row(span) for row, span in enumerate(out._first) if id(span.source) in moved}
        out._rows = self._rows.changed(rows)
        return out

    @property
    def distinct(self) -> bool:
        """Return whether all rows differ."""
        return self._rows.distinct

    def _row(self, span: Span) -> vm.Span:
        source = span.source
        if id(source) not in self._marks:
            self._marks[id(source)] = source, _mark(source)
        return vm.Span(self.files.number(source.name), *source.stretch(span.start, span.end))

    def rows(self) -> tuple[vm.Span, ...]:
        """Return the spans by number."""
        return self._rows.values()

    def copied(self) -> Spans:
        """Return an independent copy of the table."""
        out = Spans()
        out.files, out._rows, out._known = self.files.copied(), self._rows.copied(), {**self._known}
        out._first, out._marks = [*self._first], {**self._marks}
        return out


def _mark(source: Source) -> tuple[object, ...]:
    """Return everything that determines the positions in a file of offsets in a text of it."""
    mark: list[object] = [source.above]
    while source.successor is not None:
        mark.append(source.successor)
        source = source.successor.source
        mark.append(source.above)
    return tuple(mark)


TextRow = tuple[tuple[str, str], ...]


class TextTable:
    """Texts in several languages."""

    def __init__(self, rows: Iterable[TextRow] = ()) -> None:
        self._rows: Interned[TextRow] = Interned(rows)

    def snapshot(self) -> tuple[TextRow, ...]:
        """Return the rows from which an equal table can be made."""
        return self._rows.values()

    def number(self, texts: dict[str, str]) -> int:
        """Return the number of a text; -1 for an empty one."""
        return self._rows.number(tuple(sorted(texts.items()))) if texts else -1

    def rows(self) -> tuple[vm.Texts, ...]:
        """Return the texts by number."""
        return tuple(dict(row) for row in self._rows.values())

    def traced(self, trace: Noting) -> None:
        """Make the table record all mentions in a trace."""
        self._rows.traced(trace, "text")

    def copied(self) -> TextTable:
        """Return an independent copy of the table."""
        out = TextTable()
        out._rows = self._rows.copied()
        return out
