"""The verifier checks every number of every table."""

from __future__ import annotations

import functools
import re
import typing
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, is_dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import pytest
from pond_game import pond

from fcbdsl.language.compiler import lower
from fcbdsl.machine.vm import program as tables
from fcbdsl.machine.vm import serialization
from fcbdsl.machine.vm.column_types import Plain, Ref
from fcbdsl.machine.vm.ops import NAMES
from fcbdsl.machine.vm.program import Barrier, Board, Code, Enum, Event, Invariant, Program, Switch
from fcbdsl.machine.vm.verify.column_checks import Found, Undescribed, column_check
from fcbdsl.machine.vm.verify.verifier import verify_program
from fcbdsl.project.project import check_project
from tests.vm.test_worlds import rich_book

LANTERNS = Path(__file__).parents[1] / "systems" / "lanterns"
ARENA = Path(__file__).parents[1] / "systems" / "arena"
SEVEN = Code("takes seven", (NAMES.index("RET"),), 7, 0, 7)
"""A code that nothing can use, because no place passes its parameters."""


def leaves(program: Program, of: type[Ref] | type[Plain] | type[tuple[str, ...]]) -> list[tuple[str, Any]]:
    """Return every place of a sort in a program, with its description."""

    def leaf(described: Any) -> Callable[[Program, Any], Found] | None:
        return (
            (lambda _, values: [(at, "", described) for at in range(len(values))])
            if isinstance(described, of)
            else None
        )

    look = column_check(Program, leaf)
    return [(place, value) for _, place, value in look(program, [program])] if look is not None else []


def shape(place: str) -> str:
    """Return a place without the numbers of rows."""
    return re.sub(r"\[\d+\]", "[]", place)


def declared(kind: Any, place: str = "") -> Iterator[tuple[str, Any]]:
    """Yield every place that the annotations of the tables allow."""
    if is_dataclass(kind):
        for name, hint in typing.get_type_hints(kind, include_extras=True).items():
            yield from declared(hint, f"{place}.{name}".lstrip("."))
    elif typing.get_origin(kind) is Annotated:
        yield place, typing.get_args(kind)[1]
    elif typing.get_origin(kind) is tuple:
        for part in typing.get_args(kind):
            yield from declared(part, f"{place}[]") if part is not ... else ()
    else:
        for part in typing.get_args(kind):
            yield from declared(part, place) if typing.get_origin(kind) is not typing.Literal else ()


@functools.cache
def programs() -> tuple[Program, ...]:
    """Return programs that together have a row of everything."""
    book = rich_book()
    switch = book.add("switches", Switch("s", ("a", "b")))
    book.tables["definitions"][6] = replace(book.tables["definitions"][6], overrides=((switch, 1),))
    book.add("invariants", Invariant("sane", book.code("sane", "LIT r2 1; RETV r2")))
    book.add("preferences", tables.Preference("act", book.code("worth", "LIT r3 1; RETV r3", 3)))
    book.add("tests", tables.Test("t", (), -1, -1, (), ((switch, 1),)))
    book.add("enums", Enum("colour", ("red",), (-1,)))
    text = book.add("texts", {"en": "seen"})
    choice = tables.TextChoice(0, ">", 0, text)
    book.add("events", Event("seen", (False,), ("enum",), words=("seen",), enums=(0,), told=text, choices=(choice,)))
    book.add("relations", tables.Relation((False,), ("enum",), (0,), text, text))
    book.add("marks", "entry")
    book.add("endings", tables.Ending("won"))
    book.add("windows", tables.Window(0, "player"))
    book.kind("ward", "thing", policy="regions")
    book.kind("side", "thing", policy="sides")
    ward = book.define("ward-1", "ward")
    deep, lock = book.field("deep", "space"), book.field("lock", "side")
    book.add("barriers", Barrier("gate", hinge=lock, values=((lock, 1),)))
    book.board(["..", ".."], joins=((0, 1, 0),), regions=((ward, (0, 1)),), side_values=((0, 1, lock, 2),))
    book.tables["boards"][-1] = with_value(book.tables["boards"][-1], deep)
    book.settings["setup"] = (book.code("set up", "RET"),)
    lanterns, arena = (lower(check_project([path])[0], tests=True) for path in (LANTERNS, ARENA))
    return (book.program(), pond(), lanterns, arena)


def with_value(board: Board, field: int) -> Board:
    """Return a board whose first space has a value of a field."""
    return replace(board, cells=(replace(board.cells[0], values=((field, 3),)), *board.cells[1:]))


def changed(value: Any, place: str, new: int) -> Any:
    """Return a program with another number at a place."""
    step = re.match(r"\.?(\w+)|\[(\d+)\]", place)
    if step is None:
        return new
    rest = place[step.end() :]
    if step[1]:
        return replace(value, **{step[1]: changed(getattr(value, step[1]), rest, new)})
    at = int(step[2])
    return (*value[:at], changed(value[at], rest, new), *value[at + 1 :])


SHAPES = sorted({place: None for place, described in declared(Program) if isinstance(described, Ref)})


def sample(wanted: str) -> tuple[Program, str, Ref]:
    """Return a program with such a place."""
    for program in programs():
        for place, ref in leaves(program, Ref):
            if shape(place) == wanted:
                return program, place, ref
    raise AssertionError(f"no program of these has {wanted}")


@pytest.mark.sampled(4)
@pytest.mark.parametrize("wanted", SHAPES)
def test_invalid_index_is_found(wanted: str) -> None:
    program, place, ref = sample(wanted)
    for number in (1 << 20, -2, *([] if ref.optional else [-1])):
        findings = verify_program(changed(program, place, number))
        assert f"{place}: {number} points nowhere" in map(str, findings)
    if ref.table == "codes":
        spoilt = replace(program, codes=(*program.codes, SEVEN))
        assert verify_program(changed(spoilt, place, len(program.codes)))


def test_column_words_are_known() -> None:
    for program in programs():
        seen: dict[str, None] = {}
        for place, _ in leaves(program, tuple):
            if shape(place) not in seen:
                seen[shape(place)] = None
                findings = verify_program(changed(program, place, typing.cast(Any, "moon")))
                assert f"{place}: `moon` is not known" in map(str, findings)


def test_valid_programs_pass() -> None:
    assert [verify_program(program) for program in programs()] == [[], [], [], []]


def test_column_without_contents_is_refused() -> None:
    @dataclass
    class Bare:
        number: int

    @dataclass
    class Astray:
        number: Annotated[int, Ref("moons")]

    globals().update(Bare=Bare, Astray=Astray)
    for kind, reason in ((Bare, "int"), (Astray, "no table `moons`")):
        with pytest.raises(Undescribed, match=reason):
            column_check(kind, lambda _: None)


def test_schema_contains_column_words() -> None:
    schema = serialization.record_schema(Program)["$defs"]
    assert schema["Limit"]["properties"]["per"]["enum"] == ["player", "figure", "instance", "game"]
    assert {f.name for f in fields(Program)} == set(
        serialization.record_schema(Program)["$defs"]["Program"]["properties"]
    )
