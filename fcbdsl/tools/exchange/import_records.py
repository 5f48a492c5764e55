"""Turns records in JSON, YAML or CSV into sources, after checking them against the schemas of their kinds."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from fcbdsl.base import bounds
from fcbdsl.base.source import Source
from fcbdsl.base.visible import visible
from fcbdsl.language.model.declarations import Field
from fcbdsl.language.model.whole import Model
from fcbdsl.language.syntax.formatting import format_source, quote
from fcbdsl.language.syntax.parser import STEP
from fcbdsl.tools.exchange.content_records import FLAGS, SOURCE_LANGUAGE, ContentRecord, Datum, Single, fields_of
from fcbdsl.tools.exchange.schema import kind_schema

YES = {value: word for word, value in FLAGS.items()}
TRUTHS = {**FLAGS, "true": True, "false": False, "vrai": True, "faux": False}
"""Spellings of flags in spreadsheet cells, in lower case."""
LONGEST = 300
"""Most characters of an error that are shown."""
MOST_TOLD = 5
"""Most errors of one record that are shown."""


class NotRecords(ValueError):
    """A file without valid records, or in another format than its name shows."""


def read_rows(name: str, data: bytes, kind: str = "") -> list[dict[str, Any]]:
    """Return the rows of a file ``….json``, ``….yaml`` or ``….csv`` as objects. Raise NotRecords if it is not valid.

    A table has the columns ``kind``, ``id``, ``title``, ``title fr`` …, ``head``, ``lines``; any other is a field.
    `kind`: the kind of rows that name none.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise NotRecords("it is not written in UTF-8") from error
    suffix = Path(name).suffix.lower()
    if suffix == ".csv":
        rows: Any = _table(text)
    elif suffix == ".json":
        try:
            rows = json.loads(
                text, object_pairs_hook=_once, parse_int=_short, parse_float=_fraction, parse_constant=_no_number
            )
        except NotRecords:
            raise
        except (ValueError, RecursionError) as error:
            raise NotRecords(f"it is no JSON: {error}") from error
        _check_depth(rows)
    elif suffix in (".yaml", ".yml"):
        rows = _yaml(text)
    else:
        raise NotRecords("its name must end in .json, .yaml or .csv")
    rows = [rows] if isinstance(rows, dict) else rows
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise NotRecords("it must be a list of objects")
    if len(rows) > bounds.RECORDS:
        raise NotRecords(f"it has {len(rows)} records; {bounds.RECORDS} at once is the most")
    return [({"kind": kind} if kind else {}) | row for row in rows]


def _yaml(text: str) -> Any:
    try:
        import yaml
    except ImportError:
        from fcbdsl.base.origin import install_advice

        raise NotRecords(f"YAML needs PyYAML. {install_advice('yaml')}") from None

    opening = (
        *(yaml.FlowSequenceStartToken, yaml.FlowMappingStartToken),
        *(yaml.BlockSequenceStartToken, yaml.BlockMappingStartToken),
    )
    entry = (yaml.BlockEntryToken, yaml.FlowEntryToken)
    closing = (yaml.FlowSequenceEndToken, yaml.FlowMappingEndToken, yaml.BlockEndToken)
    depth = listed = keys = 0
    try:
        for token in yaml.scan(text, _base_loader()):
            if isinstance(token, yaml.AliasToken):
                raise NotRecords("it has aliases (`*name`), which may stand for more than a file can hold")
            if isinstance(token, yaml.TagToken):
                raise NotRecords("it has tags (`!name`), which records don't need")
            depth += isinstance(token, opening) - isinstance(token, closing)
            if depth > bounds.RECORD_DEPTH:
                raise NotRecords(f"it is nested more than {bounds.RECORD_DEPTH} deep")
            listed += depth == 1 and isinstance(token, entry)
            if listed > bounds.RECORDS:
                raise NotRecords(f"it has more than {bounds.RECORDS} records")
            keys = 0 if depth == 1 and isinstance(token, entry) else keys + isinstance(token, yaml.KeyToken)
            if keys > bounds.RECORD_KEYS:
                raise NotRecords(f"it has a record with more than {bounds.RECORD_KEYS:,} keys")
        return yaml.load(text, _loader())
    except (yaml.YAMLError, RecursionError) as error:
        if "nesting depth" in str(error):  # libyaml reads ahead, and counts, too
            raise NotRecords(f"it is nested more than {bounds.RECORD_DEPTH} deep") from error
        raise NotRecords(f"it is no YAML: {' '.join(str(error).split())}") from error


def _base_loader() -> Any:
    """Return the loader of PyYAML that is ten times as fast, or the one in Python where PyYAML has no other."""
    import yaml

    return getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def _loader() -> Any:
    """Return a loader for YAML 1.2: numbers are decimal, only ``true`` and ``false`` are booleans, and keys are unique.

    As in the cells of a table, the field decides what ``yes`` and ``no`` mean.
    """

    class RecordLoader(_base_loader()):  # type: ignore[misc]
        def mapping(self, node: Any) -> dict[str, Any]:
            self.flatten_mapping(node)
            return _once(
                [(self.construct_object(key, True), self.construct_object(item, True)) for key, item in node.value]
            )

        def number(self, node: Any) -> int:
            return _short(node.value)

        def truth(self, node: Any) -> bool:
            return bool(node.value.lower() == "true")

        def cell(self, node: Any) -> TableCell:
            return TableCell(node.value)

    RecordLoader.yaml_implicit_resolvers = {}
    tag = "tag:yaml.org,2002:"
    resolved = {
        f"{tag}null": ("~|null|Null|NULL|", "~nN"),
        f"{tag}bool": ("true|True|TRUE|false|False|FALSE", "tTfF"),
        f"{tag}int": (r"[-+]?[0-9]+", "-+0123456789"),
        f"{tag}float": (r"[-+]?(?:\.[0-9]+|[0-9]+\.[0-9]*)(?:[eE][-+]?[0-9]{1,2})?", "-+.0123456789"),
        "!cell": ("yes|Yes|YES|no|No|NO", "yYnN"),
    }
    for name, (pattern, first) in resolved.items():
        RecordLoader.add_implicit_resolver(
            name, re.compile(f"(?:{pattern})$"), [*first, *([""] if name.endswith("null") else [])]
        )
    RecordLoader.add_constructor(f"{tag}map", RecordLoader.mapping)
    RecordLoader.add_constructor(f"{tag}int", RecordLoader.number)
    RecordLoader.add_constructor(f"{tag}bool", RecordLoader.truth)
    RecordLoader.add_constructor("!cell", RecordLoader.cell)
    return RecordLoader


def _once(pairs: Sequence[tuple[Any, Any]]) -> dict[str, Any]:
    """Return the object of some keys and values. Raise NotRecords if a key is given twice, or is no text."""
    unique: dict[str, Any] = {}
    for key, value in pairs:
        if not isinstance(key, str):
            raise NotRecords(f"it has a key that is no text: {str(key)[:40]!r}")
        if key in unique:
            raise NotRecords(f"it gives {key[:40]!r} twice")
        unique[str(key)] = value
    return unique


def _short(digits: str) -> int:
    if len(digits) > bounds.SETTINGS_DIGITS:
        raise NotRecords(f"it has a number of more than {bounds.SETTINGS_DIGITS} digits")
    return int(digits)


def _fraction(digits: str) -> float:
    """Return a number with a point or an exponent. Raise NotRecords for one that no float is equal to."""
    number = float(digits)
    if len(digits) > bounds.SETTINGS_DIGITS or not math.isfinite(number):
        raise NotRecords(f"{digits[: bounds.SETTINGS_DIGITS]} is no number of a game")
    return number


def _check_depth(rows: Any) -> None:
    """Raise NotRecords if lists and objects are nested too deeply for functions that descend into them."""
    level = [rows]
    for _ in range(bounds.RECORD_DEPTH + 1):
        level = [part for value in level if isinstance(value, dict | list) for part in _parts(value)]
        if not level:
            return
    raise NotRecords(f"it is nested more than {bounds.RECORD_DEPTH} deep")


def _parts(value: dict[str, Any] | list[Any]) -> Iterable[Any]:
    return value.values() if isinstance(value, dict) else value


def _no_number(word: str) -> Any:
    raise NotRecords(f"{word} is no number of a game")


def _separator(text: str) -> tuple[str, str]:
    """Return the separator of the cells of a table, and the table.

    Spreadsheets write commas, semicolons or tabs, and some declare the separator in a first line such as ``sep=;``.
    """
    first, _, rest = text.partition("\n")
    if (match := re.fullmatch(r"sep=([,;\t])\r?", first)) is not None:
        return match[1], rest
    outside = re.sub(r'"[^"]*"', "", first)
    return max(",;\t", key=outside.count), text


def _table(text: str) -> list[dict[str, Any]]:
    """Return the rows of a table, with cells as text; `typed_row` converts them to the types of their fields."""
    rows: list[dict[str, Any]] = []
    separator, text = _separator(text)
    try:
        reader = csv.DictReader(io.StringIO(text, newline=""), strict=True, delimiter=separator)
        _once([(column, None) for column in reader.fieldnames or () if column])
        rows_read = list(reader)
    except csv.Error as error:
        raise NotRecords(f"it is no CSV: {error}") from error
    for number, cells in enumerate(rows_read, start=1):
        if None in cells:
            raise NotRecords(f"row {number} has more cells than there are columns")
        row: dict[str, Any] = {"fields": {}}
        for column, cell in cells.items():
            if not cell:
                continue
            if not column:
                raise NotRecords(f"row {number} has a cell in a column without a name")
            if column in ("kind", "id", "head"):
                row[column] = cell
            elif column == "lines":
                row[column] = [cell]
            elif column.split(" ")[0] == "title":
                row.setdefault("title", {})[column.partition(" ")[2] or SOURCE_LANGUAGE] = cell
            else:
                row["fields"][column] = TableCell(cell)
        rows.append(row)
    return rows


class TableCell(str):
    """A cell of a table; its field determines its type."""


def typed_row(row: Mapping[str, Any], model: Model) -> dict[str, Any]:
    """Return a row with typed cells: numbers, ``yes`` or ``no``, lists separated by commas."""
    kind = model.kinds.get(str(row.get("kind")))
    given = row.get("fields")
    if kind is None or not isinstance(given, dict):
        return dict(row)
    fields_by_name = fields_of(kind)
    fields = {
        name: _meant(fields_by_name[name], value) if isinstance(value, TableCell) and name in fields_by_name else value
        for name, value in given.items()
    }
    return {**row, "fields": fields}


def _meant(field: Field, cell: str) -> Datum:
    if field.type.many:
        return [_single(field.type.base, part.strip()) for part in cell.split(",")]
    return _single(field.type.base, cell)


def _single(base: str, cell: str) -> Single:
    if base == "number" and cell.strip().removeprefix("-").isdecimal() and cell.isascii():
        return int(cell)
    return TRUTHS.get(cell.strip().lower(), cell) if base == "flag" else cell


def faults_of(rows: Sequence[Mapping[str, Any]], model: Model) -> list[str]:
    """Return the errors in rows by the schemas of their kinds, each with its row number, and duplicate names."""
    from jsonschema import Draft202012Validator

    out: list[str] = []
    validators: dict[str, Draft202012Validator] = {}
    seen: dict[tuple[str, str], int] = {}
    for number, row in enumerate(rows, start=1):
        named = f"record {number}" + (f" ({row['id']})" if isinstance(row.get("id"), str) else "")
        kind = model.kinds.get(str(row.get("kind")))
        if kind is None or kind.part_of is not None:
            out.append(
                f"{named}: there is no kind {row.get('kind')!r}" if "kind" in row else f"{named}: it has no kind"
            )
            continue
        if kind.id not in validators:
            validators[kind.id] = Draft202012Validator(kind_schema(kind, model))
        errors = sorted(
            validators[kind.id].iter_errors(row), key=lambda error: [str(part) for part in error.absolute_path]
        )
        for error in errors[:MOST_TOLD]:
            place = ".".join(str(part) for part in error.absolute_path)
            out.append(f"{named}: {place + ': ' if place else ''}{error.message[:LONGEST]}")
        if len(errors) > MOST_TOLD:
            out.append(f"{named}: … and {len(errors) - MOST_TOLD} more")
        first = seen.setdefault((kind.id, str(row.get("id"))), number)
        if first != number:
            out.append(f"{named}: record {first} has the same kind and id")
    return [visible(line) for line in out]


def record_from_row(row: Mapping[str, Any]) -> ContentRecord:
    """Return a valid row as a record."""
    lines = tuple(row.get("lines", ()))
    return ContentRecord(row["kind"], row["id"], row["title"], row.get("head", ""), row.get("fields", {}), lines)


def records_source(records: Sequence[ContentRecord], used: Sequence[str], model: Model, name: str = "records") -> str:
    """Return records as a formatted source (its `name`). `used`: the systems and packs that it uses.

    Raise CannotFormat if an entry of `lines` is no line of the language.
    """
    parts = ["\n".join(f"use {name}" for name in used)] if used else []
    parts += ["\n".join(_declaration(record, model)) for record in records]
    return format_source(Source(name, "\n\n".join(parts) + "\n"))


def _declaration(record: ContentRecord, model: Model) -> list[str]:
    kind = model.kinds[record.kind]
    fields_by_name = fields_of(kind)
    head = f"{record.kind} {record.id} {quote(record.title[SOURCE_LANGUAGE])}{' ' * bool(record.head)}{record.head}"
    lines = [f"{language}: {quote(title)}" for language, title in record.title.items() if language != SOURCE_LANGUAGE]
    lines += [f"{name}: {_written(fields_by_name[name], value)}" for name, value in record.fields.items()]
    below = [row for line in (*lines, *record.lines) for row in line.split("\n")]
    return [head + ":" * bool(below), *(" " * STEP + row if row else row for row in below)]


def _written(field: Field, value: Datum) -> str:
    if isinstance(value, list):
        return ", ".join(_written(field, item) for item in value)
    if isinstance(value, bool):
        return YES[value]
    return quote(value) if isinstance(value, str) and field.type.base == "text" else str(value)
