"""A name has one meaning: no two public classes of the package share one, except for those listed here."""

from __future__ import annotations

import ast
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest
from imports import ROOT, nodes_of

DECLARED = {
    "Action", "Board", "Cell", "Definition", "Die", "Enum", "Event", "Field", "Invariant", "Kind", "Ladder", "Listener",
    "Modifier", "Preference", "Prospect", "Step", "Switch", "Terrain", "Test", "Tier", "Track", "Window", "Zone",
}  # fmt: skip
"""A declaration in `model/`, and its row in the program (`machine/vm/program.py`)."""

RUN = {
    "Announce", "Cancel", "Cell", "Do", "End", "Field", "Not", "Offer", "Play", "Require", "Roll", "Select", "Stop",
    "Variant", "Zone",
}  # fmt: skip
"""A statement, value or row, and the op that runs or reads it (`vm/ops/`), which has the same name in the disassembly.
"""

OTHERS = {
    "Binary": (
        {"language/syntax/tree.py", "language/model/ir/values.py"},
        "an operation as it is written, and as it is typed",
    ),
    "Node": (
        {"language/syntax/tree.py", "language/model/ir/node.py"},
        "the base of what is written, and of what is typed",
    ),
    "Span": (
        {"base/source.py", "machine/vm/program.py"},
        "a place in a text, and its row in a program, which has no texts",
    ),
    "Barrier": (
        {"machine/geometry/board.py", "machine/vm/program.py"},
        "what it does to paths and sight, and its row in a program",
    ),
    "Terrain": (
        {"machine/geometry/board.py", "machine/vm/program.py"},
        "what it does to paths and sight, and its row in a program",
    ),
}
"""Other intended pairs: their files, and the reason for the common name."""


@cache
def public_classes(root: Path) -> dict[str, list[str]]:
    """Return the names of public classes, at the top of a file or within another class, with their files."""
    files: dict[str, list[str]] = defaultdict(list)
    for path in sorted(root.rglob("*.py")):
        for node in nodes_of(path):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                files[node.name].append(path.relative_to(root).as_posix())
    return files


def unexplained(name: str, files: list[str]) -> list[str]:
    """Return the files in which a name is that of a second class without a listed reason."""
    left = list(files)
    row, op = "machine/vm/program.py", [file for file in files if file.startswith("machine/vm/ops/")]
    declared = [file for file in files if file.startswith("language/model/")]
    pairs: list[list[str]] = []
    if name in DECLARED:
        pairs.append([*declared[:1], row])
    if name in RUN:
        pairs.append([*(declared[:1] or [row]), *op[:1]])
    if name in OTHERS:
        pairs.append(sorted(OTHERS[name][0]))
    for pair in pairs:
        assert len(pair) == 2, f"{name} is no such pair any more: {files}"
        assert set(pair) <= set(files), f"{name} is no such pair any more: {files}"
    for file in {file for pair in pairs for file in pair}:
        left.remove(file)
    return left if pairs else left[1:]


def test_public_classes_have_distinct_names() -> None:
    classes = public_classes(ROOT)
    doubled = {name: classes[name] for name in sorted(classes) if unexplained(name, classes[name])}
    assert doubled == {}


def test_listed_pairs_still_share_a_name() -> None:
    assert {*DECLARED, *RUN, *OTHERS} <= {name for name, files in public_classes(ROOT).items() if len(files) > 1}


@pytest.mark.parametrize(
    "second", ["class Thing: ...", "class Other:\n    class Thing: ...", "def f():\n    class Thing: ..."]
)
def test_second_class_of_a_name_is_found(tmp_path: Path, second: str) -> None:
    (tmp_path / "a.py").write_text("class Thing: ...\nclass _Own: ...", encoding="utf-8")
    (tmp_path / "b.py").write_text(f"{second}\nclass _Own: ...", encoding="utf-8")
    assert unexplained("Thing", public_classes(tmp_path)["Thing"]) == ["b.py"]
    assert "_Own" not in public_classes(tmp_path)


def test_listed_pair_excuses_only_its_files() -> None:
    assert unexplained("Step", ["language/model/content.py", "machine/vm/program.py"]) == []
    assert unexplained(
        "Step", ["language/model/content.py", "machine/vm/program.py", "machine/vm/ops/board_queries.py"]
    ) == ["machine/vm/ops/board_queries.py"]
    assert (
        unexplained("Zone", ["language/model/declarations.py", "machine/vm/program.py", "machine/vm/ops/zones.py"])
        == []
    )
    assert unexplained("Node", ["language/syntax/tree.py", "language/model/ir/node.py", "play/campaign/graph.py"]) == [
        "play/campaign/graph.py"
    ]
