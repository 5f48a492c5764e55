"""No files import each other in a circle, but for those that are named here, and these become fewer."""

from __future__ import annotations

from pathlib import Path

import pytest
from imports import ROOT, Import, circles, graph, imports_of

RUN = {"compiler": 9}
"""Room to the number of files that may still stand in a circle there when they run."""

TYPES = {"model": 3, "compiler": 13, "vm": 29}
"""The same with the imports that only the type checker sees.

`model`: the typed tree refers to forms, fields and events, whose declarations hold typed trees. That circle is one of
the things themselves, and stays."""

UNKNOWN = {"cli/main.py": "the module of a subcommand", "diagnostics/registry.py": "every module of diagnostics"}
"""Files that import what only a run can tell, and what that is."""


@pytest.mark.parametrize(("typing", "known"), [(False, RUN), (True, TYPES)], ids=["run", "types"])
def test_files_stand_in_no_circle(typing: bool, known: dict[str, int]) -> None:
    met: dict[str, int] = {}
    for circle in circles(graph(typing)):
        rooms = {module.split(".")[1] for module in circle}
        assert len(rooms) == 1, circle
        (room,) = rooms
        assert room in known, circle
        met[room] = met.get(room, 0) + len(circle)
    assert all(count <= known[room] for room, count in met.items()), met


def test_the_circle_of_the_model_is_the_one_that_is_explained() -> None:
    found = [circle for circle in circles(graph(True)) if circle[0].startswith("fcbdsl.model.")]
    assert found == [["fcbdsl.model.declarations", "fcbdsl.model.ir.effects", "fcbdsl.model.ir.values"]]


def test_only_these_files_import_what_a_run_tells() -> None:
    found = {
        str(path.relative_to(ROOT)) for path in ROOT.rglob("*.py") if any(not one.module for one in imports_of(path))
    }
    assert found == set(UNKNOWN)


def package(folder: Path, **texts: str) -> Path:
    root = folder / "house"
    root.mkdir()
    for name, text in texts.items():
        (root / f"{name}.py").write_text(text, encoding="utf-8")
    return root


@pytest.mark.parametrize(
    "said",
    [
        "import house.b",
        "from house import b",
        "from house.b import thing",
        "from . import b",
        "from .b import thing",
        "def later():\n    from .b import thing",
        "import importlib\nimportlib.import_module('house.b')",
        "from importlib import import_module\nimport_module('.b', __package__)",
        "__import__('house.b')",
    ],
)
def test_however_it_is_said_a_circle_is_seen(tmp_path: Path, said: str) -> None:
    root = package(tmp_path, __init__="", a=said, b="from house.c import thing", c="from house.a import thing", d="")
    assert circles(graph(False, root)) == [["house.a", "house.b", "house.c"]]


def test_imports_for_types_count_for_types_alone(tmp_path: Path) -> None:
    text = (
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from .b import thing\nelse:\n    from .c import thing"
    )
    root = package(tmp_path, __init__="", a=text, b="from .a import thing", c="")
    assert circles(graph(False, root)) == []
    assert circles(graph(True, root)) == [["house.a", "house.b"]]
    assert imports_of(root / "a.py", root)[1:] == [
        Import("house.b.thing", 3, typing=True),
        Import("house.c.thing", 5, at_top=True),
    ]


def test_a_call_that_says_no_name_is_told(tmp_path: Path) -> None:
    root = package(tmp_path, a="import importlib\nimportlib.import_module(f'house.{name}')")
    assert [one.module for one in imports_of(root / "a.py", root)] == ["importlib", ""]
