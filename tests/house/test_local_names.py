"""Locals are named after what they hold: counts of names that fit anything may only fall."""

from __future__ import annotations

import symtable
import tomllib
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from imports import ROOT

BASELINE = Path(__file__).parent / "local_names.toml"
SLACK = 10
"""A baseline may be this far above the figure; then it must be lowered."""
UNCLEAR = ("one", "said", "told", "found", "known", "kept", "made", "trouble")
"""Names of parameters and locals that fit any value."""
PARTNERS = {"other", "two", "many"}
"""Names beside which `one` means the first of two, or the singular."""
FOLDERS = {"fcbdsl": ROOT, "tests": ROOT.parent / "tests"}


def scopes(table: symtable.SymbolTable) -> Iterator[set[str]]:
    """Yield the names that each function, lambda and comprehension binds."""
    if table.get_type() == "function":
        symbols = table.get_symbols()
        yield {s.get_name() for s in symbols if s.is_local() and (s.is_assigned() or s.is_parameter())}
    for child in table.get_children():
        yield from scopes(child)


def unclear_names(source: str) -> Counter[str]:
    """Return how many scopes of a module bind each unclear name."""
    out: Counter[str] = Counter()
    for names in scopes(symtable.symtable(source, "module", "exec")):
        out.update(name for name in UNCLEAR if name in names and not (name == "one" and names & PARTNERS))
    return out


@cache
def figures(folder: str) -> tuple[Counter[str], dict[str, list[str]]]:
    """Return the counts of a folder, and the files with each name."""
    total: Counter[str] = Counter()
    files: dict[str, list[str]] = {name: [] for name in UNCLEAR}
    for path in sorted(FOLDERS[folder].rglob("*.py")):
        counts = unclear_names(path.read_text(encoding="utf-8"))
        total += counts
        for name in counts:
            files[name].append(path.relative_to(FOLDERS[folder]).as_posix())
    return total, files


def baseline() -> dict[str, dict[str, int]]:
    return tomllib.loads(BASELINE.read_text(encoding="utf-8"))


@pytest.mark.parametrize("folder", FOLDERS)
@pytest.mark.parametrize("name", UNCLEAR)
def test_number_of_unclear_local_names_does_not_grow(folder: str, name: str) -> None:
    total, files = figures(folder)
    assert total[name] <= baseline()[folder][name], f"name what it holds instead of `{name}`: {files[name]}"


@pytest.mark.parametrize("folder", FOLDERS)
@pytest.mark.parametrize("name", UNCLEAR)
def test_baseline_of_local_names_is_updated(folder: str, name: str) -> None:
    figure = figures(folder)[0][name]
    assert baseline()[folder][name] - figure < SLACK, f"lower `{name}` of {folder} in {BASELINE.name} to {figure}"


@pytest.mark.parametrize(
    "source",
    [
        "def f(one): ...",
        "def f():\n    one = 1",
        "def f(a):\n    return [one for one in a]",
        "def f(a):\n    return sorted(a, key=lambda one: one)",
        "def f(a):\n    for one in a: ...",
        "def f(a):\n    match a:\n        case [one]: ...",
        "x = [one for one in 'ab']",
    ],
)
def test_each_binding_is_counted(source: str) -> None:
    assert unclear_names(source) == {"one": 1}


@pytest.mark.parametrize(
    "source", ["def f(one, other): ...", "def f(a):\n    return [one for one, other in a]", "class A:\n    one: str"]
)
def test_pairs_and_fields_are_not_counted(source: str) -> None:
    assert not unclear_names(source)
