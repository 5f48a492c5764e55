"""One name, one meaning: counts of shared names of modules and functions, and of participles as names, may only fall.

`test_names.py` does the same for classes, without a baseline.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest
from imports import ROOT, tree_of

BASELINE = Path(__file__).parent / "meanings.toml"
SLACK = 10
"""A baseline may be this far above the figure; then it must be lowered."""
ON_PURPOSE = {
    "command": "each module of `cli` with a command has one of this name, which the lazy group imports",
    "main": "the entry point of a program",
    "reference": "each package with a generated page has a module or function that writes it",
    "dump": "a form of data for people: of trees, models, programs",
}
"""Names that mean the same wherever they occur."""
PARTICIPLE = re.compile(
    r"[a-z]+ed|told|kept|taken|made|done|found|held|known|shown|written|drawn|brought|cut|read_out|lent"
)
NO_PARTICIPLES = {"seed", "need", "feed", "speed"}
Places = Mapping[str, list[str]]


@cache
def modules(root: Path) -> Places:
    """Return the files of each module name."""
    files: dict[str, list[str]] = defaultdict(list)
    for path in sorted(root.rglob("*.py")):
        if not path.stem.startswith("_"):
            files[path.stem].append(path.relative_to(root).as_posix())
    return files


@cache
def functions(root: Path) -> Places:
    """Return the files of each public function at the top of a module, by its name."""
    files: dict[str, list[str]] = defaultdict(list)
    for path in sorted(root.rglob("*.py")):
        for node in tree_of(path).body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not node.name.startswith("_"):
                files[node.name].append(path.relative_to(root).as_posix())
    return files


def shared(places: Places) -> dict[str, list[str]]:
    """Return the names with several meanings: those in more than one file, except for `ON_PURPOSE`."""
    return {name: files for name, files in places.items() if len(files) > 1 and name not in ON_PURPOSE}


def participles(places: Places) -> dict[str, list[str]]:
    """Return the functions whose name is a bare participle: it states that something was done, not what comes back."""
    return {name: files for name, files in places.items() if PARTICIPLE.fullmatch(name) and name not in NO_PARTICIPLES}


def repeated_names(root: Path) -> dict[str, dict[str, list[str]]]:
    called = functions(root)
    return {"modules": shared(modules(root)), "functions": shared(called), "participles": participles(called)}


def baseline() -> dict[str, int]:
    return tomllib.loads(BASELINE.read_text(encoding="utf-8"))


@pytest.mark.parametrize("kind", ["modules", "functions", "participles"])
def test_names_gain_no_new_meanings(kind: str) -> None:
    names = repeated_names(ROOT)[kind]
    assert len(names) <= baseline()[kind], f"choose another name than one of these: {names}"


@pytest.mark.parametrize("kind", ["modules", "functions", "participles"])
def test_names_baseline_is_updated(kind: str) -> None:
    figure = len(repeated_names(ROOT)[kind])
    assert baseline()[kind] - figure < SLACK, f"lower `{kind}` in {BASELINE.name} to {figure}"


def test_listed_exceptions_still_share_a_name() -> None:
    assert [name for name in ON_PURPOSE if max(len(modules(ROOT)[name]), len(functions(ROOT)[name])) < 2] == []


def test_shared_names_and_participles_are_counted(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "words.py").write_text("def told(): ...\ndef main(): ...\ndef _own(): ...\n")
    (tmp_path / "seed.py").write_text("def seed(): ...\ndef tell_all(): ...\n")
    assert {kind: sorted(names) for kind, names in repeated_names(tmp_path).items()} == {
        "modules": ["words"],
        "functions": ["told"],
        "participles": ["told"],
    }
