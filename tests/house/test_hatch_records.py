"""Records that are expanded for the compiled build equal those of the sources, with the same line numbers."""

from __future__ import annotations

import ast
import copy
import json
import os
import pickle
import shutil
import subprocess
import sys
from dataclasses import fields, replace
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from imports import ROOT

from hatch_build import MACHINE, PACKAGE, compiled_sources, package_of
from hatch_records import CannotExpand, Sources, module_of

TREE = ROOT.parent


@cache
def sources() -> Sources:
    """Return the parsed sources of the tree: a quarter of a gigabyte, so only processes that need it load it."""
    return Sources(TREE, PACKAGE)


COMPILED = [
    module_of(path, TREE)
    for path in compiled_sources(TREE)
    if package_of(path.relative_to(ROOT).as_posix()) not in MACHINE
]

TOLD = """
import importlib, json, sys
from dataclasses import MISSING, fields
told = {}
for name in json.loads(sys.stdin.read()):
    for cls in list(vars(importlib.import_module(name)).values()):
        if isinstance(cls, type) and cls.__module__ == name and "__dataclass_fields__" in vars(cls):
            rows = [(f.name, str(f.type), f.init, f.repr, f.compare, f.kw_only,
                     f.default is MISSING or repr(f.default), f.default_factory is MISSING) for f in fields(cls)]
            told[f"{name}.{cls.__name__}"] = [rows, cls.__doc__, cls.__hash__ is None]
print(json.dumps(told))
"""
"""A program that prints the descriptions of all records of some modules."""

POND = '''
from __future__ import annotations

from dataclasses import field

from fcbdsl.base.records import PlainRecord, dataclass

BLANK = "nothing"


class Node(PlainRecord):
    """A node."""


@dataclass(frozen=True, slots=True)
class Frog(Node):
    """A frog."""

    match: str
    legs: int = 4
    name: str = field(default=BLANK, compare=False)  # which changes nothing


@dataclass(frozen=True, slots=True)
class Toad(Frog):
    """A frog with warts."""

    warts: tuple[int, ...] = ()

    def leap(self) -> int:
        return self.legs


class Shown:
    def __repr__(self) -> str:
        return "shown"


@dataclass(slots=True)
class Pond(Shown):
    frogs: list[Frog] = field(default_factory=list)
    within: Pond | None = field(default=None, kw_only=True, repr=False)
    depth: int = field(default=0, init=False)
    """How deep."""

    def __post_init__(self) -> None:
        self.depth = len(self.frogs)
'''


def made(tmp_path: Path, source: str, monkeypatch: pytest.MonkeyPatch, *, expanded: bool) -> ModuleType:
    """Return a module run by Python, as it is or with its records expanded."""
    (tmp_path / "pack").mkdir(exist_ok=True)
    (tmp_path / "pack" / "pond.py").write_text(source, encoding="utf-8")
    text = Sources(tmp_path, "pack").expanded("pack.pond") if expanded else source
    module = ModuleType("pack.pond")
    monkeypatch.setitem(sys.modules, "pack", ModuleType("pack"))
    monkeypatch.setitem(sys.modules, "pack.pond", module)
    exec(compile(text, "pond.py", "exec"), vars(module))
    return module


def behaviour(module: Any) -> list[object]:
    """Return the results of the methods of the pond's records."""
    frog, toad, other = module.Frog("x"), module.Toad("x", warts=(1, 2)), module.Frog("x", 4, "Fred")
    pond = module.Pond([frog, toad])
    pond.within = pond
    again = pickle.loads(pickle.dumps(pond))
    return [
        repr([frog, toad, other, pond]),
        frog == other, hash(frog) == hash(other), frog == toad, toad == module.Toad("x", 4, "", (1, 2)), toad != frog,
        [(row.name, row.type, row.compare, row.kw_only) for cls in (module.Toad, module.Pond) for row in fields(cls)],
        replace(toad, legs=3).legs, replace(toad, legs=3).warts, toad.leap(),
        pickle.loads(pickle.dumps(toad)) == toad, copy.copy(toad) == toad,
        again.within is again, again.frogs == pond.frogs, again.depth, module.Pond.__hash__ is None,
        copy.copy(pond).frogs is pond.frogs, module.Pond() == module.Pond(), module.Pond() == pond,
        module.Frog.__doc__, module.Pond.__annotations__,
    ]  # fmt: skip


def test_expanded_record_behaves_like_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = behaviour(made(tmp_path, POND, monkeypatch, expanded=False))
    module = made(tmp_path, POND, monkeypatch, expanded=True)
    assert behaviour(module) == plain
    assert module.Frog.__init__.__code__.co_filename == "pond.py"  # it is expanded, and not generated later
    assert [module.Node.__mro__[1], "leap" in vars(module.Toad)] == [object, True]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("@dataclass(order=True)\nclass One:\n    a: int\n", "in order"),
        ("@dataclass(weakref_slot=True)\nclass One:\n    a: int\n", "not known"),
        ("@dataclass\nclass One:\n    a: int\nx = 1", "no lines"),
    ],
)
def test_unexpandable_record_stops_build(line: str, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(CannotExpand, match=why):
        made(tmp_path, f"from fcbdsl.base.records import dataclass\n{line}", monkeypatch, expanded=True)


@pytest.mark.sampled(4)
@pytest.mark.long
@pytest.mark.parametrize("module", COMPILED)
def test_expanded_records_keep_line_numbers(module: str) -> None:
    before, after = sources().texts[module], sources().expanded(module)
    places = [
        {
            (node.lineno, node.name)
            for node in ast.walk(ast.parse(text))
            if isinstance(node, ast.FunctionDef | ast.ClassDef)
        }
        for text in (before, after)
    ]
    assert places[0] <= places[1]
    assert {name for _, name in places[1] - places[0]} <= {"__init__", "__eq__", "__hash__"}
    assert "@dataclass" not in after


def test_expanded_records_have_the_same_description(tmp_path: Path) -> None:
    shutil.copytree(ROOT, tmp_path / PACKAGE, ignore=shutil.ignore_patterns("__pycache__"))
    for module in COMPILED:
        path = (tmp_path / module.replace(".", "/")).with_suffix(".py")
        path.write_text(sources().expanded(module), encoding="utf-8")
    descriptions = [
        json.loads(
            subprocess.run(
                [sys.executable, "-P", "-c", TOLD],
                input=json.dumps(COMPILED),
                capture_output=True,
                text=True,
                check=True,
                env={**os.environ, "PYTHONPATH": str(tree)},
            ).stdout
        )
        for tree in (TREE, tmp_path)
    ]
    assert len(descriptions[0]) > 150
    assert descriptions[1] == descriptions[0]
