"""Tables that number their rows in the order of first use."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Generic, TypeVar

from fcbdsl.base.source import Span
from fcbdsl.machine.vm import program as vm

T = TypeVar("T", bound=Hashable)


class Interned(Generic[T]):
    """Values in the order of first use; equal ones share a number."""

    def __init__(self, values: Iterable[T] = ()) -> None:
        self._numbers: dict[T, int] = {}
        self._values: list[T] = []
        for value in values:
            self.number(value)

    def number(self, value: T) -> int:
        """Return the number of `value`, new or old."""
        known = self._numbers.get(value)
        if known is None:
            known = self._numbers[value] = len(self._values)
            self._values.append(value)
        return known

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


class Spans:
    """Spans in sources, and the files they are in."""

    def __init__(self) -> None:
        self.files: Interned[str] = Interned()
        self._rows: Interned[vm.Span] = Interned()
        self._known: dict[tuple[int, int, int], int] = {}
        self._first: list[Span] = []  # for each row

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

    def kept(self) -> tuple[tuple[str, ...], list[Span]]:
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
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._rows.number(self._row(span))
            if known == len(self._first):
                self._first.append(span)
        return known

    def _row(self, span: Span) -> vm.Span:
        file = self.files.number(span.source.name)
        return vm.Span(file, *span.source.stretch(span.start, span.end))

    def rows(self) -> tuple[vm.Span, ...]:
        """Return the spans by number."""
        return self._rows.values()

    def copied(self) -> Spans:
        """Return an independent copy of the table."""
        out = Spans()
        out.files, out._rows, out._known = self.files.copied(), self._rows.copied(), {**self._known}
        out._first = [*self._first]
        return out


TextRow = tuple[tuple[str, str], ...]


class TextTable:
    """Texts in several languages."""

    def __init__(self, rows: Iterable[TextRow] = ()) -> None:
        self._rows: Interned[TextRow] = Interned(rows)

    def kept(self) -> tuple[TextRow, ...]:
        """Return the rows from which an equal table can be made."""
        return self._rows.values()

    def number(self, texts: dict[str, str]) -> int:
        """Return the number of a text; -1 for an empty one."""
        return self._rows.number(tuple(sorted(texts.items()))) if texts else -1

    def rows(self) -> tuple[vm.Texts, ...]:
        """Return the texts by number."""
        return tuple(dict(row) for row in self._rows.values())

    def copied(self) -> TextTable:
        """Return an independent copy of the table."""
        out = TextTable()
        out._rows = self._rows.copied()
        return out
