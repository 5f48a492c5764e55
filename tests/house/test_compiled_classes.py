"""Nothing outside of the rooms that the wheel compiles inherits from a class inside: that fails where they are."""

from __future__ import annotations

import ast
import runpy
from collections.abc import Iterator
from pathlib import Path

from imports import ROOT

HOOK = runpy.run_path(str(ROOT.parent / "hatch_build.py"))
"""What builds the wheel, and knows which rooms are compiled, and which files in them are not."""


def is_compiled(module: str) -> bool:
    """Whether a module of the package, by its name there (``vm.game``), is compiled."""
    return bool(HOOK["is_compiled"](f"{module.replace('.', '/')}.py"))


def heirs(path: Path, root: Path = ROOT) -> Iterator[str]:
    """The classes of a file that inherit from one of a compiled module, if the file is not compiled itself."""
    if is_compiled(path.relative_to(root).with_suffix("").as_posix().replace("/", ".")):
        return
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found = {
        alias.asname or alias.name: (node.module or "").removeprefix("fcbdsl.")
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    for node in ast.walk(tree):
        for base in node.bases if isinstance(node, ast.ClassDef) else ():
            if isinstance(base, ast.Name) and is_compiled(found.get(base.id, "")):
                yield f"{node.name} of {base.id}"


def test_no_plain_class_inherits_from_a_compiled_one() -> None:
    found = {path.name: names for path in sorted(ROOT.rglob("*.py")) if (names := list(heirs(path)))}
    assert found == {}


def test_one_that_did_would_be_seen(tmp_path: Path) -> None:
    path = tmp_path / "soak.py"
    path.write_text("from fcbdsl.bots.bots import Bot, RandomBot\n\n\nclass Tired(RandomBot):\n    pass\n")
    assert list(heirs(path, tmp_path)) == ["Tired of RandomBot"]
    (tmp_path / "bots").mkdir()
    inside = path.rename(tmp_path / "bots" / "tired.py")
    assert list(heirs(inside, tmp_path)) == []
