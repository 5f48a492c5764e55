"""Conversion of dataclasses to JSON and back, driven by their annotations; and the corresponding JSON Schema."""

from __future__ import annotations

import functools
import json
import types
import typing
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from operator import attrgetter
from typing import Any, TypeGuard, TypeVar

Json = None | bool | int | str | list["Json"] | dict[str, "Json"]

T = TypeVar("T")

BOUND = 1 << 53
"""Numbers in a program and a saved world lie strictly between -BOUND and BOUND: any JSON reader keeps them exact."""

INTEGER = {"type": "integer", "exclusiveMinimum": -BOUND, "exclusiveMaximum": BOUND}
"""The JSON Schema of such a number."""


class Mismatch(Exception):
    """Data without the structure of the expected record."""

    def __init__(self, place: str, reason: str) -> None:
        super().__init__(f"{place}: {reason}")


def canonical(data: Json) -> bytes:
    """Return the one JSON text of `data`: sorted keys, no spaces, UTF-8."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode()


def join_json_object(parts: Mapping[str, bytes]) -> bytes:
    """Return the canonical JSON of an object whose values are already canonical JSON."""
    return b"{" + b",".join([canonical(name) + b":" + parts[name] for name in sorted(parts)]) + b"}"


def encode(record: Any) -> Json:
    """Return a record as JSON-able data, by its annotations; fields that have their default are left out."""
    data: Json = _writer(record.__class__)(record)
    return data


def decode_record(cls: type[T], data: Json, place: str = "") -> T:
    """Read a record of class `cls`. Raises Mismatch."""
    record: T = decode_value(cls, data, place or cls.__name__.lower())
    return record


def decode_value(kind: Any, data: Json, place: str) -> Any:
    """Return data as the type of an annotation, such as ``tuple[tuple[int, ...], ...]``. Raises Mismatch."""
    return _reader(kind)(data, place)


def record_schema(cls: type[Any]) -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of a record class; nested records are its ``$defs``."""
    defs: dict[str, Any] = {}
    root = _schema_of(cls, defs)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **root, "$defs": defs}


INT = {int}


@functools.cache
def _reader(kind: Any) -> Any:
    """Return the function (data, place) -> value for an annotation."""
    if is_dataclass(kind):
        return _record_reader(kind)
    if _words(kind):
        return _word_reader(_words(kind))
    origin, parts = typing.get_origin(kind), typing.get_args(kind)
    if origin is tuple:
        return _list_reader(parts[0]) if parts[1:] == (...,) else _row_reader(parts)
    if origin is dict:
        return _map_reader(parts[1])
    if origin in (types.UnionType, typing.Union):
        inner = _reader(next(part for part in parts if part is not type(None)))
        return lambda data, place: None if data is None else inner(data, place)
    return _scalar_reader(kind)


@functools.cache
def _writer(kind: Any) -> Any:
    """Return the function value -> JSON for an annotation; None if its values are JSON already."""
    if is_dataclass(kind):
        return _record_writer(kind)
    origin, parts = typing.get_origin(kind), typing.get_args(kind)
    if origin is tuple:
        return _list_writer(_writer(parts[0])) if parts[1:] == (...,) else _row_writer([_writer(p) for p in parts])
    if origin is dict:
        return _map_writer(_writer(parts[1]))
    if origin in (types.UnionType, typing.Union) and not _words(kind):
        inner = _writer(next(part for part in parts if part is not type(None)))
        return inner and (lambda value: None if value is None else inner(value))
    return None


def _words(kind: Any) -> list[str]:
    """Return the words that an annotation allows; empty if its values are not words."""
    parts = typing.get_args(kind) if typing.get_origin(kind) in (types.UnionType, typing.Union) else (kind,)
    if any(typing.get_origin(part) is not typing.Literal for part in parts):
        return []
    return [word for part in parts for word in typing.get_args(part)]


def _scalar_reader(kind: Any) -> Any:
    def read(data: Json, place: str) -> Any:
        if type(data) is not kind:
            raise Mismatch(place, f"a value of type {kind.__name__} is expected")
        if isinstance(data, int) and not -BOUND < data < BOUND:
            raise Mismatch(place, "the number is too large")
        return data

    return read


def _word_reader(words: list[str]) -> Any:
    def read(data: Json, place: str) -> Any:
        if data not in words:
            raise Mismatch(place, f"one of {', '.join(filter(None, words))} is expected")
        return data

    return read


def _list_reader(kind: Any) -> Any:
    inner = _reader(kind)

    def read(data: Json, place: str) -> Any:
        if not isinstance(data, list):
            raise Mismatch(place, "a list is expected")
        return tuple([inner(item, f"{place}[{index}]") for index, item in enumerate(data)])

    return read if kind is not int else functools.partial(_read_ints, read)


def _read_ints(careful: Any, data: Json, place: str) -> Any:
    """Read a list of numbers without a place for each item, unless something is wrong."""
    if data == []:  # most lists of a world are
        return ()
    return tuple(data) if all_ints(data) else careful(data, place)


def all_ints(data: Any) -> TypeGuard[list[int]]:
    """Return whether data is a list of numbers within BOUND."""
    if not isinstance(data, list) or not set(map(type, data)) <= INT:
        return False
    return not data or (min(data) > -BOUND and max(data) < BOUND)


def _row_reader(parts: tuple[Any, ...]) -> Any:
    readers = [_reader(part) for part in parts]

    def read(data: Json, place: str) -> Any:
        if not isinstance(data, list) or len(data) != len(readers):
            raise Mismatch(place, f"a list of {len(readers)} is expected")
        return tuple([inner(item, place) for inner, item in zip(readers, data, strict=True)])

    return read


def _map_reader(kind: Any) -> Any:
    inner = _reader(kind)

    def read(data: Json, place: str) -> Any:
        if not isinstance(data, dict):
            raise Mismatch(place, "an object is expected")
        return {key: inner(item, f"{place}.{key}") for key, item in data.items()}

    return read


def _record_reader(cls: Any) -> Any:
    hints = typing.get_type_hints(cls)
    readers = {f.name: _reader(hints[f.name]) for f in fields(cls)}
    required = [f.name for f in fields(cls) if f.default is MISSING]

    def read(data: Json, place: str) -> Any:
        if not isinstance(data, dict):
            raise Mismatch(place, "an object is expected")
        for name in required:
            if name not in data:
                raise Mismatch(place, f"`{name}` is missing")
        values = {}
        for name, item in data.items():
            if name not in readers:
                raise Mismatch(place, f"`{name}` is not known")
            values[name] = readers[name](item, f"{place}.{name}")
        return cls(**values)

    return read


def _list_writer(inner: Any) -> Any:
    return list if inner is None else lambda items: [inner(item) for item in items]


def _row_writer(writers: list[Any]) -> Any:
    if not any(writers):
        return list
    return lambda row: [item if inner is None else inner(item) for inner, item in zip(writers, row, strict=True)]


def _map_writer(inner: Any) -> Any:
    return dict if inner is None else lambda items: {key: inner(item) for key, item in items.items()}


def _record_writer(cls: Any) -> Any:
    hints = typing.get_type_hints(cls)
    columns = [(f.name, f.default, _writer(hints[f.name])) for f in fields(cls)]
    read: Any = attrgetter(*[name for name, _, _ in columns])

    def write(record: Any) -> Json:
        values = read(record) if len(columns) > 1 else (read(record),)
        out: dict[str, Json] = {}
        for (name, default, inner), item in zip(columns, values, strict=True):
            if default is MISSING or item != default:
                out[name] = item if inner is None else inner(item)
        return out

    return write


def _schema_of(kind: Any, defs: dict[str, Any]) -> dict[str, Any]:
    if is_dataclass(kind):
        assert isinstance(kind, type)
        if kind.__name__ not in defs:
            defs[kind.__name__] = {}
            defs[kind.__name__] = _record_schema(kind, defs)
        return {"$ref": f"#/$defs/{kind.__name__}"}
    if _words(kind):
        return {"type": "string", "enum": _words(kind)}
    origin, parts = typing.get_origin(kind), typing.get_args(kind)
    if origin is tuple and parts[1:] == (...,):
        return {"type": "array", "items": _schema_of(parts[0], defs)}
    if origin is tuple:
        rows = [_schema_of(part, defs) for part in parts]
        return {"type": "array", "prefixItems": rows, "items": False, "minItems": len(rows)}
    if origin is dict:
        return {"type": "object", "additionalProperties": _schema_of(parts[1], defs)}
    if origin in (types.UnionType, typing.Union):
        return {"anyOf": [{"type": "null"} if p is type(None) else _schema_of(p, defs) for p in parts]}
    if kind is int:
        return INTEGER
    if kind is Any:
        return {}
    return {"type": {str: "string", bool: "boolean"}[kind]}


def _record_schema(cls: type[Any], defs: dict[str, Any]) -> dict[str, Any]:
    hints = typing.get_type_hints(cls)
    return {
        "description": (cls.__doc__ or "").split("\n")[0],
        "type": "object",
        "additionalProperties": False,
        "required": [f.name for f in fields(cls) if f.default is MISSING],
        "properties": {f.name: _schema_of(hints[f.name], defs) for f in fields(cls)},
    }
