"""The compiled packages keep to what mypyc can do: no class outside of them inherits from one inside, and `in` searches
no tuple with a star."""

from __future__ import annotations

import ast
import runpy
from collections.abc import Iterator
from pathlib import Path

import pytest
from imports import ROOT, nodes_of

HOOK = runpy.run_path(str(ROOT.parent / "hatch_build.py"))
"""The build hook, which lists the compiled packages and their exceptions."""


def is_compiled(module: str) -> bool:
    """Return whether a module of the package is compiled, by its name there (``vm.game``)."""
    return bool(HOOK["is_compiled"](f"{module.replace('.', '/')}.py"))


def heirs(path: Path, root: Path = ROOT) -> Iterator[str]:
    """Return the classes of a file that inherit from one of a compiled module, if the file is not compiled itself."""
    if is_compiled(path.relative_to(root).with_suffix("").as_posix().replace("/", ".")):
        return
    origins = {
        alias.asname or alias.name: (node.module or "").removeprefix("fcbdsl.")
        for node in nodes_of(path)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    for node in nodes_of(path):
        for base in node.bases if isinstance(node, ast.ClassDef) else ():
            if isinstance(base, ast.Name) and is_compiled(origins.get(base.id, "")):
                yield f"{node.name} of {base.id}"


@pytest.mark.long
def test_no_plain_class_inherits_from_compiled_class() -> None:
    violations = {path.name: names for path in sorted(ROOT.rglob("*.py")) if (names := list(heirs(path)))}
    assert violations == {}


def test_plain_subclass_of_compiled_class_is_found(tmp_path: Path) -> None:
    path = tmp_path / "soak.py"
    path.write_text("from fcbdsl.play.bots.bots import Bot, RandomBot\n\n\nclass Tired(RandomBot):\n    pass\n")
    assert list(heirs(path, tmp_path)) == ["Tired of RandomBot"]
    (tmp_path / "play" / "bots").mkdir(parents=True)
    inside = path.rename(tmp_path / "play" / "bots" / "tired.py")
    assert list(heirs(inside, tmp_path)) == []


def test_machine_has_no_deferred_records() -> None:
    """The build expands the records of the reader only: a compiled class of the machine would get no `__init__`."""
    machine = [
        path.relative_to(ROOT).as_posix()
        for path in ROOT.rglob("*.py")
        if HOOK["is_compiled"](name := path.relative_to(ROOT).as_posix()) and HOOK["library_of"](name) == "machine"
    ]
    assert "machine/vm/verify/tags.py" in machine
    deferred = "from fcbdsl.base.records import dataclass"
    assert [name for name in machine if deferred in (ROOT / name).read_text(encoding="utf-8")] == []


def starred(path: Path) -> list[int]:
    """Return the lines where `in` searches a tuple or list with a star: mypyc fails there, but not for a set."""
    return [
        node.lineno
        for node in nodes_of(path)
        if isinstance(node, ast.Compare)
        for op, right in zip(node.ops, node.comparators, strict=True)
        if isinstance(op, ast.In | ast.NotIn) and isinstance(right, ast.Tuple | ast.List)
        if any(isinstance(element, ast.Starred) for element in right.elts)
    ]


def test_compiled_modules_use_no_in_with_starred_tuple() -> None:
    places = {path.relative_to(ROOT).with_suffix("").as_posix().replace("/", "."): path for path in ROOT.rglob("*.py")}
    assert {name: lines for name, path in places.items() if is_compiled(name) and (lines := starred(path))} == {}


def test_in_with_starred_tuple_is_found(tmp_path: Path) -> None:
    path = tmp_path / "soak.py"
    path.write_text("a = 1 in (2, *b)\nc = 3 not in [*d]\ne = [*f]\ng = h in i\n")
    assert starred(path) == [1, 2]


def captured_rests(path: Path) -> list[int]:
    """Return the lines where a pattern captures the rest of a sequence: mypyc takes it for a list, also in a tuple."""
    return [node.lineno for node in nodes_of(path) if isinstance(node, ast.MatchStar) and node.name is not None]


def test_compiled_modules_capture_no_rest_of_sequence() -> None:
    places = {path.relative_to(ROOT).with_suffix("").as_posix().replace("/", "."): path for path in ROOT.rglob("*.py")}
    violations = {name: lines for name, path in places.items() if is_compiled(name) and (lines := captured_rests(path))}
    assert violations == {}


def test_captured_rest_is_found(tmp_path: Path) -> None:
    path = tmp_path / "soak.py"
    path.write_text("match a:\n    case (b, *c):\n        pass\n    case (d, *_):\n        pass\n")
    assert captured_rests(path) == [2]


def local_unions(path: Path) -> list[int]:
    """Return the lines where a function names a union of classes: mypyc takes it for a type and never sets the name."""

    def is_union(value: ast.expr) -> bool:
        if isinstance(value, ast.BinOp) and isinstance(value.op, ast.BitOr):
            return is_union(value.left) and is_union(value.right)
        name = value.attr if isinstance(value, ast.Attribute) else value.id if isinstance(value, ast.Name) else ""
        return name[:1].isupper() and not name.isupper()

    return [
        node.lineno
        for function in nodes_of(path)
        if isinstance(function, ast.FunctionDef)
        for node in ast.walk(function)
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.BinOp) and is_union(node.value)
    ]


def test_functions_of_compiled_modules_name_no_union_of_classes() -> None:
    places = {path.relative_to(ROOT).with_suffix("").as_posix().replace("/", "."): path for path in ROOT.rglob("*.py")}
    assert {name: lines for name, path in places.items() if is_compiled(name) and (lines := local_unions(path))} == {}


def test_local_union_of_classes_is_found(tmp_path: Path) -> None:
    path = tmp_path / "soak.py"
    lines = ["Ant = bee.Cat | Dog", "def e():", "    f = bee.Cat | Dog", "    g = Hen | Ibis", "    k = FLAG | OTHER"]
    path.write_text("\n".join([*lines, "    return f | Ant", ""]))
    assert local_unions(path) == [3, 4]
