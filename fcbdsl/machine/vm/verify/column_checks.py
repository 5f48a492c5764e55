"""Checks of single columns of a program's tables (see `columns`).

Every index must be inside its table, and every word must be known. The codes to which columns refer are listed, too.
"""

from __future__ import annotations

import functools
import re
import types
import typing
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from typing import Annotated, Any, Literal

from fcbdsl.base.visible import HIDDEN
from fcbdsl.machine.vm.column_types import Plain, Ref
from fcbdsl.machine.vm.program import Program, Texts

Found = list[tuple[str, Any]]
"""Findings in a value: the place below it, and the finding."""
Look = Callable[[Program, Any], Found]
"""A check of a value."""
Leaf = Callable[[Any], Look | None]
"""A function that returns the check for a `Ref`, a `Plain`, a tuple of words, or texts; None: no check is needed."""


class Undescribed(Exception):
    """A column without a declared content: a bare `int`, or a reference to a missing table."""


def flaws(program: Program) -> Iterator[tuple[str, str]]:
    """Yield the columns with invalid values, and the reasons."""
    look = column_check(Program, _sound)
    yield from look(program, program) if look is not None else ()


def named_codes(program: Program) -> Iterator[tuple[str, tuple[Ref, int]]]:
    """Yield every column that is a code by itself, independent of its row: its place, and (how, which)."""
    look = column_check(Program, _naming)
    yield from look(program, program) if look is not None else ()


def _sound(described: Any) -> Look | None:
    """Return the check of an index or a word."""
    if isinstance(described, Ref):
        table, low = described.table, -1 if described.optional else 0

        def points(program: Program, value: Any) -> Found:
            if low <= value < len(getattr(program, table)):
                return []
            return [("", f"{value} points nowhere")]

        return points
    if isinstance(described, tuple):
        return lambda program, value: [] if value in described else [("", f"`{value}` is not known")]
    if described is str:
        return lambda program, value: [("", _UNFIT)] if _UNFIT_IN_NAMES.search(value) else []
    if described == Texts:
        return lambda program, value: [("", _UNFIT)] if HIDDEN.search("".join((*value, *value.values()))) else []
    return None


_UNFIT = "it has control characters"
_UNFIT_IN_NAMES = re.compile(rf"\n|\t|{HIDDEN.pattern}")


def _naming(described: Any) -> Look | None:
    if isinstance(described, Ref) and described.table == "codes" and not described.by_row:
        return lambda program, value: [("", (described, value))]
    return None


# ── through rows, lists and records ────────────────────────────────────────────────────────────


@functools.cache
def column_check(kind: Any, leaf: Leaf) -> Look | None:
    """Return the check for a value of an annotation; None if no part of it needs one. Raises Undescribed."""
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


def _in_list(inner: Look | None) -> Look | None:
    if inner is None:
        return None
    return lambda program, value: [
        (f"[{number}]{place}", found) for number, item in enumerate(value) for place, found in inner(program, item)
    ]


def _in_row(parts: list[Look | None]) -> Look | None:
    told = [(number, inner) for number, inner in enumerate(parts) if inner is not None]
    if not told:
        return None
    return lambda program, value: [
        (f"[{number}]{place}", found) for number, inner in told for place, found in inner(program, value[number])
    ]


def _in_either(parts: tuple[Any, ...], leaf: Leaf) -> Look | None:
    """Return the check for words of several sorts, or for an optional value."""
    some = [part for part in parts if part is not types.NoneType]
    if all(typing.get_origin(part) is Literal for part in some):
        return leaf(tuple(word for part in some for word in typing.get_args(part)))
    inner = column_check(some[0], leaf)
    if inner is None:
        return None
    return lambda program, value: [] if value is None else inner(program, value)


def _in_record(kind: Any, leaf: Leaf) -> Look | None:
    hints = typing.get_type_hints(kind, include_extras=True)
    inner = [(f.name, column_check(hints[f.name], leaf)) for f in fields(kind)]
    told = [(name, look) for name, look in inner if look is not None]
    dot = "" if kind is Program else "."
    if not told:
        return None
    return lambda program, value: [
        (f"{dot}{name}{place}", found) for name, look in told for place, found in look(program, getattr(value, name))
    ]
