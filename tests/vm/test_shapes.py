"""The reader of records accepts exactly what the JSON Schema of a program's file allows."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest
from games import first_few

from fcbdsl.machine.vm import fcbc, serialization
from fcbdsl.machine.vm.program import program_from_content
from tests.vm.test_worlds import rich_book


def shortened(data: Any) -> Any:
    """Return data with the first two of each list of records alone, because the others have the same shapes."""
    if isinstance(data, dict):
        return {key: shortened(value) for key, value in data.items()}
    if not isinstance(data, list):
        return data
    return [shortened(value) for value in (data[:2] if data and isinstance(data[0], dict) else data)]


WHOLE: dict[str, Any] = shortened(json.loads(fcbc.dump(rich_book().program())))


def places(data: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Yield the places of all values; of long lists only of the first two."""
    items = data.items() if isinstance(data, dict) else enumerate(data[:2]) if isinstance(data, list) else ()
    return [path, *(place for key, item in items for place in places(item, (*path, key)))]


def put(path: tuple[Any, ...], value: Any) -> dict[str, Any]:
    """Return the program with another value at a place."""
    data: dict[str, Any] = json.loads(json.dumps(WHOLE))
    inner: Any = data
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return data


WRONG = (None, 1 << 53, "no such word", [1, "x"], {}, True, 7, [], {"no such name": 1})


@pytest.mark.sampled(5)
@pytest.mark.parametrize("value", first_few(WRONG, 5), ids=repr)
def test_decoder_accepts_values_that_schema_allows(value: Any) -> None:
    validator = jsonschema.Draft202012Validator(fcbc.program_schema())
    shapes: dict[tuple[Any, ...], tuple[Any, ...]] = {}
    for path in places(WHOLE["program"], ("program",)):
        shapes.setdefault(tuple("" if isinstance(key, int) else key for key in path), path)
    for path in shapes.values():
        data = put(path, value)
        try:
            program_from_content(data["program"], "")
            taken = True
        except serialization.Mismatch:
            taken = False
        assert taken == validator.is_valid(data), path
