"""Checks of single columns of a program's tables (see `columns`).

Every index must be inside its table, and every word must be known. The codes to which columns refer are listed, too.
"""

from __future__ import annotations

import functools
import re
import sys
import types
import typing
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, is_dataclass
from itertools import chain
from operator import attrgetter, itemgetter
from typing import Annotated, Any, Literal

from fcbdsl.base.visible import HIDDEN
from fcbdsl.machine.vm.column_types import Plain, Ref
from fcbdsl.machine.vm.program import Program, Texts

Found = list[tuple[int, str, Any]]
"""Findings in a column: the number of the value, the place below it, and the finding."""
ColumnCheck = Callable[[Program, Sequence[Any]], Found]
"""A check of all values of a column at once, because most columns have no findings."""
Leaf = Callable[[Any], ColumnCheck | None]
"""A function that returns the check for a `Ref`, a `Plain`, a tuple of words, or texts; None: no check is needed."""


class Undescribed(Exception):
    """A column without a declared content: a bare `int`, or a reference to a missing table."""


def flaws(program: Program) -> Iterator[tuple[str, str]]:
    """Yield the columns with invalid values, and the reasons."""
    look = column_check(Program, _sound)
    yield from [(place, problem) for _, place, problem in look(program, [program])] if look is not None else ()


def named_codes(program: Program) -> Iterator[tuple[str, tuple[Ref, int]]]:
    """Yield every column that is a code by itself, independent of its row: its place, and (how, which)."""
    look = column_check(Program, _naming)
    yield from [(place, problem) for _, place, problem in look(program, [program])] if look is not None else ()


def _sound(described: Any) -> ColumnCheck | None:
    """Return the check of an index or a word."""
    if isinstance(described, Ref):
        table, low = described.table, -1 if described.optional else 0

        def points(program: Program, values: Sequence[Any]) -> Found:
            high = len(getattr(program, table))
            if not values or (low <= min(values) and max(values) < high):
                return []
            return [(at, "", f"{value} points nowhere") for at, value in enumerate(values) if not low <= value < high]

        return points
    if isinstance(described, tuple):
        words = frozenset(described)
        return lambda program, values: (
            []
            if words.issuperset(values)
            else [(at, "", f"`{value}` is not known") for at, value in enumerate(values) if value not in words]
        )
    if described is str:
        return lambda program, values: _unfit_texts(_UNFIT_IN_NAMES, values)
    if described == Texts:
        return lambda program, values: _unfit_texts(HIDDEN, ["".join((*value, *value.values())) for value in values])
    return None


_UNFIT = "it has control characters"
_UNFIT_IN_NAMES = re.compile(rf"\n|\t|{HIDDEN.pattern}")


def is_unfit_name(text: str) -> bool:
    """Return whether a name contains a character that no name in a program may contain."""
    return _UNFIT_IN_NAMES.search(text) is not None


def _unfit_texts(pattern: re.Pattern[str], texts: Sequence[str]) -> Found:
    """Return a finding for each text that contains an unfit character."""
    if not pattern.search("".join(texts)):
        return []
    return [(at, "", _UNFIT) for at, text in enumerate(texts) if pattern.search(text)]


def _naming(described: Any) -> ColumnCheck | None:
    if isinstance(described, Ref) and described.table == "codes" and not described.by_row:
        return lambda program, values: [(at, "", (described, value)) for at, value in enumerate(values)]
    return None


# ── through rows, lists and records ────────────────────────────────────────────────────────────


@functools.cache
def column_check(kind: Any, leaf: Leaf) -> ColumnCheck | None:
    """Return the check for values of an annotation; None if no part of it needs one. Raises Undescribed."""
    if is_dataclass(kind):
        return _in_record(kind, leaf)
    origin, parts = typing.get_origin(kind), typing.get_args(kind)
    if origin is Annotated and isinstance(parts[1], Ref | Plain):
        if isinstance(parts[1], Ref) and parts[1].table not in [f.name for f in fields(Program)]:
            raise Undescribed(f"there is no table `{parts[1].table}`")
        return leaf(parts[1])
    if origin is Literal:
        return leaf(parts)
    if origin is tuple:
        return (
            _in_list(column_check(parts[0], leaf))
            if parts[1:] == (...,)
            else _in_row([column_check(p, leaf) for p in parts])
        )
    if origin in (types.UnionType, typing.Union):
        return _in_either(parts, leaf)
    if kind is str or kind == Texts:
        return leaf(kind)
    if kind is bool or origin is dict:
        return None
    raise Undescribed(str(kind))


def _in_list(inner: ColumnCheck | None) -> ColumnCheck | None:
    if inner is None:
        return None

    def look(program: Program, values: Sequence[Any]) -> Found:
        problems = inner(program, list(chain.from_iterable(values)))
        if not problems:
            return []
        places = [(at, number) for at, value in enumerate(values) for number in range(len(value))]
        return [(places[at][0], f"[{places[at][1]}]{place}", what) for at, place, what in problems]

    return look


def _in_row(parts: list[ColumnCheck | None]) -> ColumnCheck | None:
    checked = [(number, itemgetter(number), inner) for number, inner in enumerate(parts) if inner is not None]
    if not checked:
        return None
    return lambda program, values: [
        (at, f"[{number}]{place}", problem)
        for number, read, inner in checked
        for at, place, problem in inner(program, list(map(read, values)))
    ]


def _in_either(parts: tuple[Any, ...], leaf: Leaf) -> ColumnCheck | None:
    """Return the check for words of several sorts, or for an optional value."""
    some = [part for part in parts if part is not types.NoneType]
    if all(typing.get_origin(part) is Literal for part in some):
        return leaf(tuple(word for part in some for word in typing.get_args(part)))
    inner = column_check(some[0], leaf)
    if inner is None:
        return None

    def look(program: Program, values: Sequence[Any]) -> Found:
        places = [at for at, value in enumerate(values) if value is not None]
        return [(places[at], place, problem) for at, place, problem in inner(program, [values[at] for at in places])]

    return look


@functools.cache
def _evaluated(annotation: str, module: str) -> Any:
    """Return the type that an annotation means in a module; `typing.get_type_hints` takes three times as long."""
    return eval(annotation, vars(sys.modules[module]))


def _in_record(kind: Any, leaf: Leaf) -> ColumnCheck | None:
    inner = [(f.name, column_check(_evaluated(str(f.type), kind.__module__), leaf)) for f in fields(kind)]
    checked = [(name, attrgetter(name), look) for name, look in inner if look is not None]
    dot = "" if kind is Program else "."
    if not checked:
        return None
    return lambda program, values: [
        (at, f"{dot}{name}{place}", problem)
        for name, read, look in checked
        for at, place, problem in look(program, list(map(read, values)))
    ]
