"""The rooms import only what the architecture allows."""

from __future__ import annotations

from pathlib import Path

import pytest
from imports import ROOT, imports_of

MAY_IMPORT: dict[str, set[str]] = {
    "source": set(),
    "files": set(),
    "versions": set(),
    "bounds": set(),
    "words": set(),
    "cache": {"files", "diagnostics"},
    "verified": {"cache", "files"},
    "diagnostics": {"source"},
    "syntax": {"cache", "bounds", "source", "diagnostics"},
    "model": {"bounds", "words", "game", "source", "diagnostics", "syntax"},
    "project": {"files", "bounds", "source", "diagnostics", "syntax", "model", "cache", "versions"},
    "migration": {"source", "diagnostics", "syntax", "model", "compiler", "vm", "sim", "project", "files", "versions"},
    "game": {"words"},
    "vm": {"bounds", "words", "game", "versions"},
    "compiler": {"bounds", "words", "source", "diagnostics", "model", "vm"},
    "prose": {"source", "diagnostics", "model"},
    "render": {"source", "diagnostics", "words", "game", "model", "prose", "files"},
    "workspace": {"source", "diagnostics", "syntax", "model", "compiler", "vm", "project"},
    "analysis": {
        "cache",
        "campaign",
        "compiler",
        "diagnostics",
        "model",
        "project",
        "render",
        "source",
        "vm",
    },
    "sim": {"vm", "game", "words", "versions"},
    "campaign": {"files", "versions", "source", "diagnostics", "sim", "vm", "game"},
    "mutation": {"source", "diagnostics", "syntax", "model", "compiler", "campaign", "sim", "vm", "game"},
}
"""Room to the other rooms that it may import (`cli` may import all)."""

LIBRARIES: dict[str, set[str]] = {
    "lark": {"syntax"},
    "jinja2": {"render"},
    "typst": {"render"},
    "fontTools": {"render"},
    "jsonschema": {"vm"},
    "click": {"cli"},
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
    heavy = {"lark", "jinja2", "typst", "fontTools", "jsonschema"}
    for one in imports_of(path):
        assert not (one.at_top and one.module.split(".")[0] in heavy), f"{path} imports {one.module} at its top"


def test_the_table_names_every_room() -> None:
    rooms = {room_of(path) for path in FILES} - {"__init__", "__main__", "cli"}
    assert rooms == set(MAY_IMPORT)


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
        if module.startswith("fcbdsl.model."):
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
