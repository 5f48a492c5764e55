"""Declarations that the typed tree refers to: entries, each the same object while its name is declared.

A phrase that was read refers to the forms, events, columns, kinds and definitions that it mentions. When files change,
everything is declared again, but into the same objects. So trees of unchanged files still refer to the current
declarations. The signature of an entry contains everything that a phrase may depend on, by name; it shows whether an
entry has changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields
from typing import TypeVar

from fcbdsl.language.model.content import Definition
from fcbdsl.language.model.declarations import Event, Field, Form, Kind, Param

Entry = Form | Event | Field | Kind | Definition
Made = TypeVar("Made", Form, Event, Field, Kind, Definition)
Key = tuple[object, ...]
Signature = tuple[object, ...]

_SLOTS = {cls: tuple(slot.name for slot in fields(cls)) for cls in (Form, Event, Field, Kind, Definition)}


class IdentityCache:
    """Cache of the entries of one model across its checks."""

    def __init__(self, before: Iterable[tuple[Key, Entry]] = ()) -> None:
        """`before`: previously declared entries."""
        self._before: dict[Key, Entry] = {}
        self._now: dict[Key, Entry] = dict(before)

    def begin(self) -> None:
        """Begin to declare everything again. Entries that are not declared before the next call are then forgotten."""
        self._before, self._now = self._now, {}

    def current(self, fresh: Made) -> Made:
        """Return the existing entry of that name, updated to equal `fresh`."""
        named: Key = entry_key(fresh)
        number = 0
        while (*named, number) in self._now:  # declared twice: the second is reported, and is a separate entry
            number += 1
        key: Key = (*named, number)
        entry = self._before.get(key, fresh)
        assert isinstance(entry, type(fresh))
        become(entry, fresh)
        self._now[key] = entry
        return entry

    def items(self) -> Iterator[tuple[Key, Entry]]:
        """Yield the names and entries that are declared."""
        yield from self._now.items()


def become(entry: Made, fresh: Made) -> None:
    """Copy all values of another entry of the same class."""
    if entry is not fresh:
        for slot in _SLOTS[type(fresh)]:
            setattr(entry, slot, getattr(fresh, slot))


def entry_key(entry: Entry) -> Key:
    """Return a unique key of an entry."""
    match entry:
        case Form(sort=sort, words=words):
            return "form", sort, words
        case Event(id=id):
            return "event", id
        case Field(kind=kind, id=id):
            return "field", kind, id
        case Kind(id=id):
            return "kind", id
        case Definition(kind=of, id=id):
            return "definition", of.id, id


def entry_signature(entry: Entry) -> Signature:
    """Return the properties of an entry on which phrases that mention it may depend."""
    match entry:
        case Form():
            event = entry.event and entry.event.id
            return (*_params(entry.params), entry.gives, entry.op, event, entry.recursive)
        case Event():
            return *_params(entry.params), entry.pattern, entry.verb is None
        case Field():
            return (
                entry.sort, entry.type, entry.low, entry.high, entry.limit, entry.required, entry.owned_by,
                entry.secret, entry.allied, entry.team, entry.unseen, tuple(entry.kept), entry.attainable, entry.goal,
                entry.spent_by, entry.default is None, entry.role,
            )  # fmt: skip
        case Kind():
            limit = entry.limit and entry.limit.id
            return (
                entry.parent and entry.parent.id, entry.part_of, entry.part_line, entry.part_many, entry.held,
                entry.offered, limit, entry.limit_per, entry.alone, entry.third, entry.seated,
                entry.blocks,
            )  # fmt: skip
        case Definition():
            return entry.system, entry.span.source.name, entry.players, tuple(track.id for track in entry.tracks)


def _params(params: list[Param]) -> tuple[object, ...]:
    """Return what a caller depends on. The text of a default counts, because it is read in the caller."""
    return tuple(
        (
            param.name, param.type, param.preposition, param.optional, param.wants, param.low, param.high,
            param.default and param.default.span.source.text[param.default.span.start : param.default.span.end],
        )
        for param in params
    )  # fmt: skip
