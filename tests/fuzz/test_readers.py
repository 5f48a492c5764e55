"""Files of guards and of records that are wrong at random are read, or refused with a reason."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from pond_game import POND

from fcbdsl.language.model.whole import Model
from fcbdsl.language.syntax.formatting import CannotFormat
from fcbdsl.project.project import check_project
from fcbdsl.tools.exchange.import_records import (
    NotRecords,
    faults_of,
    read_rows,
    record_from_row,
    records_source,
    typed_row,
)
from fcbdsl.tools.mutation.guards import BadGuards, guards_to_json, read_guards

ODD: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 10**19, 1.5, "", "a", "a\n::error::b", "\x00", "\x1b[31m", "\ud800", "\u202e",
    "x" * 5000, "/etc/passwd", "../../a", "C:\\a", "con", [], {}, [[]], {"a": {"b": []}},
)  # fmt: skip
GUARD = {
    "rule": "R-01", "test": "tests/a.fcb", "title": "T", "seal": "0" * 16, "file": "systems/a.fcb", "of": "action",
    "text": "a: 1", "which": 1, "change": "1 -> 2", "failing": 1,
}  # fmt: skip
RECORD = {"kind": "frog", "id": "bert", "title": {"en": "Bert", "fr": "Bert"}, "fields": {}, "lines": ["copies: 2"]}
SIGNS = "[]{}\",:\\#&*!|>-?%@`'\n\t;=\x00é9"


def wrong(value: Any, chance: random.Random) -> Any:
    """Return a value with one part replaced, removed or doubled."""
    if isinstance(value, dict) and value and chance.random() < 0.9:
        name = chance.choice(sorted(value))
        match chance.randrange(8):
            case 0:
                return {key: item for key, item in value.items() if key != name}
            case 1:
                return {**value, str(chance.choice(ODD)): value[name]}
        return {**value, name: wrong(value[name], chance)}
    if isinstance(value, list) and value and chance.random() < 0.9:
        at = chance.randrange(len(value))
        return [*value[:at], wrong(value[at], chance), *value[at + chance.randrange(2) :]]
    return deepcopy(chance.choice(ODD))


def damaged(text: str, chance: random.Random) -> bytes:
    """Return the bytes of a text with some damaged."""
    for _ in range(chance.choice((0, 0, 1, 2, 5))):
        at = chance.randrange(len(text) + 1)
        text = text[:at] + chance.choice(("", chance.choice(SIGNS), text[:at][-9:])) + text[at + chance.randrange(3) :]
    data = text.encode("utf-8", "surrogatepass")
    return data if chance.random() < 0.98 else data + b"\xff"


def test_wrong_guards_are_refused_with_a_reason(tmp_path: Path) -> None:
    path, results = tmp_path / "guards.json", {"read": 0, "refused": 0}
    for seed in range(200):
        chance = random.Random(seed)
        path.write_bytes(damaged(json.dumps(wrong([GUARD, GUARD], chance)), chance))
        try:
            guards = read_guards(path, tmp_path)
            guards_to_json(guards, tmp_path)
            assert all(guard.key.which >= 1 and guard.failing >= 0 for guard in guards), seed
            results["read"] += 1
        except BadGuards:
            results["refused"] += 1
    assert min(results.values()) > 20


@pytest.mark.parametrize(("part", "value"), [("which", 0), ("which", -5), ("which", True), ("failing", -1)])
def test_a_forged_number_does_not_vouch_for_a_line_that_is_not_there(part: str, value: int, tmp_path: Path) -> None:
    path = tmp_path / "guards.json"
    path.write_text(json.dumps([{**GUARD, part: value}]), encoding="utf-8")
    with pytest.raises(BadGuards):
        read_guards(path, tmp_path)


def test_wrong_records_are_refused_with_a_reason() -> None:
    yaml = pytest.importorskip("yaml")
    model, _ = check_project([POND])

    def as_table(rows: Any) -> str:
        cells = rows[0] if isinstance(rows, list) and rows and isinstance(rows[0], dict) else {}
        return ",".join(map(str, cells)) + "\n" + ",".join(map(str, cells.values())) + "\n"

    forms: tuple[tuple[str, Callable[[Any], str]], ...] = (
        ("a.json", json.dumps),
        ("a.yaml", lambda rows: str(yaml.safe_dump(rows))),
        ("a.csv", as_table),
    )
    results = {"written": 0, "refused": 0}
    for seed in range(300):
        chance = random.Random(seed)
        name, write = forms[seed % 3]
        rows = wrong([RECORD], chance) if chance.random() < 0.8 else [RECORD]
        results["written" if _imported(name, damaged(write(rows), chance), model) else "refused"] += 1
    assert min(results.values()) > 20


def _imported(name: str, data: bytes, model: Model) -> bool:
    """Return whether records become a source, as `fcb import` makes one."""
    try:
        rows = [typed_row(row, model) for row in read_rows(name, data, "frog")]
        faults = faults_of(rows, model)
        assert not any(sign in fault for sign in "\n\x1b\u202e" for fault in faults)
        if faults:
            return False
        records_source([record_from_row(row) for row in rows], ["pond"], model)
    except (NotRecords, CannotFormat):
        return False
    return True
