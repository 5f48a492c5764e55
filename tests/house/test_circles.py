"""No files import each other in a circle at run time; for types only in two circles that are explained here."""

from __future__ import annotations

from pathlib import Path

import pytest
from imports import ROOT, Import, circles, graph, imports_of

TYPES = {"language": 3, "machine": 33}
"""The number of files in the circle for types, by package; it may only fall.

`language`: the typed tree refers to forms, fields and events, whose declarations contain typed trees. `machine`: ops
and their helpers name the game that runs them. No other package has such a circle.
"""

UNKNOWN = {"cli/main.py": "the module of a subcommand", "base/diagnostics/registry.py": "every module of diagnostics"}
"""Files whose imports are only known at run time, with the modules that they import."""


def test_no_import_cycle_at_run_time() -> None:
    assert circles(graph(False)) == []


def test_only_listed_packages_have_type_import_cycles() -> None:
    sizes = [({module.split(".")[1] for module in circle}, len(circle)) for circle in circles(graph(True))]
    assert sizes == [({room}, count) for room, count in TYPES.items()]


def test_import_cycle_of_model_is_documented() -> None:
    cycles = [circle for circle in circles(graph(True)) if circle[0].startswith("fcbdsl.language.model.")]
    assert cycles == [
        ["fcbdsl.language.model.declarations", "fcbdsl.language.model.ir.effects", "fcbdsl.language.model.ir.values"]
    ]


@pytest.mark.long
def test_only_listed_files_import_dynamically() -> None:
    dynamic = {
        str(path.relative_to(ROOT))
        for path in ROOT.rglob("*.py")
        if any(not imported.module for imported in imports_of(path))
    }
    assert dynamic == set(UNKNOWN)


def package(folder: Path, **texts: str) -> Path:
    root = folder / "house"
    root.mkdir()
    for name, text in texts.items():
        (root / f"{name}.py").write_text(text, encoding="utf-8")
    return root


@pytest.mark.parametrize(
    "statement",
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
def test_every_form_of_import_counts_for_circles(tmp_path: Path, statement: str) -> None:
    root = package(
        tmp_path, __init__="", a=statement, b="from house.c import thing", c="from house.a import thing", d=""
    )
    assert circles(graph(False, root)) == [["house.a", "house.b", "house.c"]]


def test_type_imports_are_separate(tmp_path: Path) -> None:
    text = (
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from .b import thing\nelse:\n    from .c import thing"
    )
    root = package(tmp_path, __init__="", a=text, b="from .a import thing", c="")
    assert circles(graph(False, root)) == []
    assert circles(graph(True, root)) == [["house.a", "house.b"]]
    assert list(imports_of(root / "a.py", root)[1:]) == [
        Import("house.b.thing", 3, typing=True),
        Import("house.c.thing", 5, at_top=True),
    ]


def test_import_by_computed_name_is_reported(tmp_path: Path) -> None:
    root = package(tmp_path, a="import importlib\nimportlib.import_module(f'house.{name}')")
    assert [imported.module for imported in imports_of(root / "a.py", root)] == ["importlib", ""]
