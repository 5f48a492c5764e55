"""The rooms import only what the architecture allows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from imports import ROOT, imports_of

PAGE = ROOT.parent / "ARCHITECTURE.md"


def table(page: str) -> dict[str, set[str]]:
    """Room to the other rooms that it may import, as the page says; without rooms of data, and those that may all."""
    rows = re.findall(r"^\| (`.+?) \| .+ \| ([^|]+) \|$", page, re.MULTILINE)
    return {
        room.removesuffix("/"): set() if others == "nothing" else set(others.split(", "))
        for rooms, others in rows
        if others not in ("(data)", "all")
        for room in re.findall(r"`([^`]+)`", rooms)
    }


MAY_IMPORT = table(PAGE.read_text(encoding="utf-8"))

LIBRARIES: dict[str, set[str]] = {
    "lark": {"syntax"},
    "jinja2": {"render"},
    "typst": {"render"},
    "fontTools": {"render"},
    "pypdf": {"render"},
    "jsonschema": {"vm", "exchange"},
    "click": {"cli"},
    "polib": {"catalog"},
    "starlette": {"live"},
    "uvicorn": {"cli"},
}
"""Outside library to the rooms that may use it."""

FILES = sorted(ROOT.rglob("*.py"))


def room_of(path: Path) -> str:
    """The room a file belongs to: a folder or a module directly under the package."""
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_room_imports_only_what_it_may(path: Path) -> None:
    room = room_of(path)
    if room in {"cli", "__init__", "__main__"}:
        return
    for module in (one.module for one in imports_of(path)):
        if module.startswith("fcbdsl."):
            other = module.split(".")[1]
            assert other in {room, "__version__"} | MAY_IMPORT[room], f"{path}: {room} may not import {other}"
        library = module.split(".")[0]
        assert room in LIBRARIES.get(library, {room}), f"{path}: {room} may not use {library}"


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_heavy_libraries_are_imported_where_they_are_used(path: Path) -> None:
    heavy = {"lark", "jinja2", "typst", "fontTools", "pypdf", "jsonschema", "distributed"}
    for one in imports_of(path):
        assert not (one.at_top and one.module.split(".")[0] in heavy), f"{path} imports {one.module} at its top"


def test_the_table_names_every_room() -> None:
    rooms = {room_of(path) for path in FILES} - {"__init__", "__main__", "cli"}
    assert rooms == set(MAY_IMPORT)


def test_the_table_allows_nothing_that_nobody_does() -> None:
    done: dict[str, set[str]] = {room: set() for room in MAY_IMPORT}
    for path in FILES:
        modules = [one.module for one in imports_of(path) if one.module.startswith("fcbdsl.")]
        done.get(room_of(path), set()).update(module.split(".")[1] for module in modules)
    assert {room: others - done[room] for room, others in MAY_IMPORT.items() if others - done[room]} == {}


def test_no_rooms_import_each_other_in_a_circle() -> None:
    left = dict(MAY_IMPORT)
    while left:
        free = [room for room, others in left.items() if not others & set(left)]
        assert free, f"these rooms import one another: {left}"
        left = {room: others for room, others in left.items() if room not in free}


def test_the_table_is_read_as_it_is_written() -> None:
    rows = ("| room | what | may import |", "|---|---|---|", "| `a`, `b/` | x | nothing |", "| `c` | y `z` | a, b |")
    page = "\n".join((*rows, "| `d/` | w | all |", "| `e/` | v | (data) |"))
    assert table(page) == {"a": set(), "b": set(), "c": {"a", "b"}}


WITHIN_MODEL = ("", "resolve", "declaring", "checks")
"""The rooms of `model`, from what a model is to what is seen in the whole: each may import those before it."""


@pytest.mark.parametrize("path", sorted((ROOT / "model").rglob("*.py")), ids=lambda path: path.stem)
def test_the_rooms_of_the_model_stand_in_order(path: Path) -> None:
    def order(below: tuple[str, ...]) -> int:
        return WITHIN_MODEL.index(below[0] if below and below[0] in WITHIN_MODEL else "")

    here = path.relative_to(ROOT / "model").parts[:-1]
    if path.name == "check.py":
        return  # runs all of them
    for module in (one.module for one in imports_of(path)):
        if module.startswith("fcbdsl.language.model."):
            assert order(tuple(module.split(".")[2:])) <= order(here), f"{path} imports {module}"


def within(room: str) -> dict[str, list[str]]:
    """Each file of a room, and the files of it that it imports, be it only for types."""
    files = {path.stem: path for path in sorted((ROOT / room).glob("*.py")) if path.stem != "__init__"}
    graph: dict[str, list[str]] = {}
    for name, path in files.items():
        found = [one.module.split(".")[2:3] for one in imports_of(path) if one.module.startswith(f"fcbdsl.{room}.")]
        graph[name] = [other for row in found for other in row if other in files]
    return graph


@pytest.mark.parametrize("room", ["compiler"])
def test_files_of_a_room_import_each_other_one_way(room: str) -> None:
    left = within(room)
    assert any(left.values())
    while left:
        free = [name for name, used in left.items() if not any(other in left for other in used)]
        assert free, f"these import one another: {left}"
        left = {name: used for name, used in left.items() if name not in free}
