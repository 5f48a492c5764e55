"""The numbering of a model's declarations."""

from __future__ import annotations

from fcbdsl.base.records import dataclass
from fcbdsl.language.model.content import Definition, Track
from fcbdsl.language.model.declarations import Field, Kind
from fcbdsl.language.model.whole import Model


@dataclass(frozen=True, slots=True, eq=False)
class Entry:
    """A row of the program's definitions: a definition, a part of one, or a track."""

    kind: Kind
    id: str
    source: Definition | Track
    owner: int


def family_order(model: Model) -> list[str]:
    """Return the kinds so that each is followed by all its descendants."""
    children: dict[str, list[str]] = {}
    for kind in model.kinds.values():
        children.setdefault(kind.parent.id if kind.parent else "", []).append(kind.id)
    order: list[str] = []

    def add(parent: str) -> None:
        for child in children.get(parent, ()):
            order.append(child)
            add(child)

    add("")
    return order


def definition_entries(model: Model) -> list[Entry]:
    """Return every definition, followed by its parts and its tracks."""
    entries: list[Entry] = []

    def add(definition: Definition, owner: int) -> None:
        number = len(entries)
        entries.append(Entry(definition.kind, definition.id, definition, owner))
        for part in definition.parts:
            add(part, number)
        for track in definition.tracks:
            entries.append(Entry(model.kinds[track.sort], track.id, track, number))

    for definition in model.definitions.values():
        add(definition, -1)
    return entries


@dataclass(slots=True, eq=False)
class Column:
    """A field and its redeclarations by descendants of its kind: one column."""

    field: Field
    declared: list[Field]


def number_columns(model: Model, kinds: list[str]) -> list[Column]:
    """Return the columns of all kinds; a redeclared field keeps the column of the nearest ancestor that has it."""
    out: list[Column] = []
    by_field: dict[int, Column] = {}
    for kind_id in kinds:
        kind = model.kinds[kind_id]
        for field in kind.fields.values():
            if field.sort == "part" or id(field) in by_field:
                continue
            inherited = kind.parent.find(field.id) if kind.parent else None
            if inherited is not None and id(inherited) in by_field:
                column = by_field[id(inherited)]
                column.declared.append(field)
            else:
                column = Column(field, [field])
                out.append(column)
            by_field[id(field)] = column
    return out


def zone_keys(model: Model, kinds: list[str]) -> list[tuple[str, str]]:
    """Return (kind, name) of every zone; the game's own have the kind ``""``."""
    keys = [("", name) for name in model.zones]
    for kind_id in kinds:
        keys += [(kind_id, name) for name in model.kinds[kind_id].zones]
    return keys
