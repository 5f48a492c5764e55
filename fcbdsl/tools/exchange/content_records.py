"""Definitions as plain data: the name, the fields, and all other lines as written."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import field

from fcbdsl.base.records import dataclass
from fcbdsl.language.model.content import Definition
from fcbdsl.language.model.declarations import Field, Kind
from fcbdsl.language.model.lines import atoms, head_atoms, leading
from fcbdsl.language.model.whole import Model
from fcbdsl.language.syntax.tree import File, Line, Number, Part, String, Word

Single = int | bool | str
Datum = Single | list[Single]

SOURCE_LANGUAGE = "en"
"""The language of titles on the first line of a definition."""
FLAGS = {"yes": True, "no": False}
NAMED = ("enum", "definition", "thing", "die", "face", "direction", "zone")
"""Types whose values are names."""


@dataclass(frozen=True, slots=True)
class ContentRecord:
    """A definition as data. `head`: the rest of its first line after kind, name and title, such as ``for ann``.
    `fields`: numbers, flags, names and texts. `lines`: all other lines, each with the block below it."""

    kind: str
    id: str
    title: dict[str, str] = field(default_factory=dict)
    head: str = ""
    fields: dict[str, Datum] = field(default_factory=dict)
    lines: tuple[str, ...] = ()

    def as_data(self) -> dict[str, object]:
        """Return the record as plain data without empty fields."""
        data = {"kind": self.kind, "id": self.id, "title": self.title, "head": self.head, "fields": self.fields}
        return {name: value for name, value in {**data, "lines": list(self.lines)}.items() if value}


_EDGE = re.compile(r"^\S", re.MULTILINE)
"""Matches text in the first column, where a block ends."""


def fields_of(kind: Kind) -> dict[str, Field]:
    """Return the fields that a kind's definitions may give as data, inherited ones included."""
    out: dict[str, Field] = {}
    for ancestor in reversed(kind.lineage()):
        out |= {name: each for name, each in ancestor.fields.items() if each.sort == "field"}
    return out


def records_of(files: Sequence[File], model: Model) -> tuple[list[ContentRecord], list[str]]:
    """Return the definitions in files, in order, and the names of those that can't become records.

    These are definitions on a single line, and those that could not be read.
    """
    out: list[ContentRecord] = []
    left: list[str] = []
    for file in files:
        for line in file.lines:
            named = head_atoms(line)
            if len(named) < 2 or not isinstance(named[0], Word) or not isinstance(named[1], Word):
                continue
            definition = model.definitions.get((named[0].text, named[1].text))
            if definition is None:
                continue
            bare = line.head is None and not line.block
            if (line.opens or bare) and not line.broken and not any(below.broken for below in line.block):
                out.append(_record(line, definition, model))
            else:
                left.append(f"{named[0].text} {named[1].text}")
    return out, left


def _record(line: Line, definition: Definition, model: Model) -> ContentRecord:
    text = line.source.text
    names = head_atoms(line)
    title = {SOURCE_LANGUAGE: names[2].value} if len(names) > 2 and isinstance(names[2], String) else {}
    clause = leading(line)
    assert clause is not None
    head = text[line.span_of(names[1 + len(title)]).end : line.span_of(clause).end].strip()
    fields: dict[str, Datum] = {}
    rest: list[str] = []
    data = fields_of(definition.kind)
    for below, written in zip(line.block, _written(line), strict=True):
        key, part = _plain(below) if "\n" not in written else ("", None)  # comments beside it would be lost
        if key in model.languages and key not in title and isinstance(part, String):
            title[key] = part.value
            continue
        datum = _datum(data[key], below) if key in data and key not in fields and part is not None else None
        if datum is None:
            rest.append(written)
        else:
            fields[key] = datum
    return ContentRecord(definition.kind.id, definition.id, title, head, fields, tuple(rest))


def _written(line: Line) -> Iterator[str]:
    """Yield the lines of a block as written, each with its block and the comments above it, without indentation."""
    text = line.source.text
    starts = [text.rfind("\n", 0, below.offset) + 1 for below in line.block]
    begins = [text.find("\n", line.offset) + 1, *starts[1:]]
    for at, below in enumerate(line.block[1:], start=1):  # comments above a line belong to it
        for _ in below.comments[: len(below.comments) - below.trailing]:
            begins[at] = text.rfind("\n", 0, begins[at] - 1) + 1
    after = _EDGE.search(text, begins[0]) if begins else None
    ends = [*begins[1:], after.start() if after is not None else len(text)]
    for start, begin, end, below in zip(starts, begins, ends if line.block else [], line.block, strict=True):
        margin = below.offset - start
        yield "\n".join(row[margin:] if row[:margin].isspace() else row for row in text[begin:end].rstrip().split("\n"))


def _plain(line: Line) -> tuple[str, object]:
    """Return the key of a line with a single word as key and a single value, and the first atom of the value.

    The key is empty for all other lines.
    """
    if line.head is None or line.block or line.raw is not None or line.comments or len(line.tail) != 1:
        return "", None
    if line.head.lead is not None or line.tail[0].lead is not None or len(line.head.parts) != 1:
        return "", None
    key, values = atoms(line.head), [_single(part) for part in line.tail[0].parts]
    if len(key) != 1 or not isinstance(key[0], Word) or key[0].possessive or None in values:
        return "", None
    return key[0].text, values[0] if len(values) == 1 else values


def _single(part: Part) -> object:
    part_atoms = atoms(part)
    return part_atoms[0] if len(part_atoms) == 1 and part.lead is None else None


def _datum(field: Field, line: Line) -> Datum | None:
    """Return the value that a plain line gives a field, as data; None if data can't express it."""
    values = [_value(field.type.base, _single(part)) for part in line.tail[0].parts]
    values_known = [value for value in values if value is not None]
    if len(values_known) < len(values):
        return None
    if field.type.many:
        return values_known
    return values_known[0] if len(values_known) == 1 else None


def _value(base: str, atom: object) -> Single | None:
    if base == "number" and isinstance(atom, Number):
        return atom.value
    if base == "text" and isinstance(atom, String):
        return atom.value
    if isinstance(atom, Word) and not atom.possessive:
        if base == "flag":
            return FLAGS.get(atom.text)
        return atom.text if base in NAMED else None
    return None
