"""Packages import only what the architecture allows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from imports import ROOT, imports_of

PAGE = ROOT.parent / "ARCHITECTURE.md"
ORDERED = ("language", "machine")
"""Packages whose parts are ordered, by the second table of the page."""


def table(page: str) -> dict[str, set[str]]:
    """Return what each package may import, as the page states it; without data, and without packages that may all."""
    rows = re.findall(r"^\| `(.+?)` \| (?:.+ \| )?([^|]+) \|$", page, re.MULTILINE)
    return {
        name.removesuffix("/"): set() if others == "nothing" else set(others.split(", "))
        for name, others in rows
        if others not in ("(data)", "all")
    }


ROWS = table(PAGE.read_text(encoding="utf-8"))
MAY_IMPORT = {name: others for name, others in ROWS.items() if "/" not in name}
PARTS = {name: others for name, others in ROWS.items() if "/" in name}

LIBRARIES: dict[str, set[str]] = {
    "lark": {"language/syntax"},
    "jinja2": {"print", "tools/reports"},
    "typst": {"print/typeset"},
    "fontTools": {"print"},
    "pypdf": {"print"},
    "jsonschema": {"machine/vm", "tools/exchange"},
    "click": {"cli"},
    "polib": {"base"},
    "starlette": {"editor/live", "editor/painter", "editor/table", "editor/writer"},
    "uvicorn": {"cli"},
    "segno": {"cli"},
}
"""Libraries, and the packages or parts that may use them."""

FILES = sorted(ROOT.rglob("*.py"))


def package_of(path: Path) -> str:
    """Return the package of a file: a folder directly below `fcbdsl`, or "" for a file there."""
    return path.relative_to(ROOT).parts[0] if path.parent != ROOT else ""


def part_of(path: Path) -> str:
    """Return the package and the folder in it, as `language/model`; of a file directly in a package its package."""
    return "/".join(path.relative_to(ROOT).parts[:-1][:2])


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_package_imports_only_allowed_packages(path: Path) -> None:
    package, part = package_of(path), part_of(path)
    if package in {"cli", ""}:
        return
    for module in (imported.module for imported in imports_of(path)):
        if module.startswith("fcbdsl."):
            other = module.split(".")[1]
            assert other in {package, "__version__"} | MAY_IMPORT[package], f"{path}: {package} may not import {other}"
        library = module.split(".")[0]
        users = LIBRARIES.get(library, {package})
        assert {package, part} & users, f"{path}: {part} may not use {library}"


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_parts_of_language_and_machine_are_in_order(path: Path) -> None:
    part = part_of(path)
    if part not in PARTS:
        return
    for module in (imported.module for imported in imports_of(path)):
        package, name = (*module.split(".")[1:3], "", "")[:2]
        if package == package_of(path) and f"{package}/{name}" in PARTS:
            assert name in {part.split("/")[1]} | PARTS[part], f"{path}: {part} may not import {name}"


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_heavy_libraries_are_imported_where_they_are_used(path: Path) -> None:
    heavy = {"lark", "jinja2", "typst", "fontTools", "pypdf", "jsonschema", "distributed"}
    for imported in imports_of(path):
        assert not (imported.at_top and imported.module.split(".")[0] in heavy), (
            f"{path} imports {imported.module} at its top"
        )


def test_table_names_every_package() -> None:
    assert {package_of(path) for path in FILES} - {"", "cli"} == set(MAY_IMPORT)


def test_second_table_names_every_part() -> None:
    assert {part_of(path) for path in FILES if part_of(path).split("/")[0] in ORDERED} - set(ORDERED) == set(PARTS)


def test_tables_allow_only_existing_imports() -> None:
    done: dict[str, set[str]] = {name: set() for name in ROWS}
    for path in FILES:
        for module in (imported.module for imported in imports_of(path) if imported.module.startswith("fcbdsl.")):
            package, name = (*module.split(".")[1:3], "", "")[:2]
            done.get(package_of(path), set()).add(package)
            if package == package_of(path):
                done.get(part_of(path), set()).add(name)
    assert {name: others - done[name] for name, others in ROWS.items() if others - done[name]} == {}


def test_packages_import_only_rows_above() -> None:
    above: set[str] = set()
    for package, others in MAY_IMPORT.items():
        assert others <= above, package
        above.add(package)


def test_table_is_parsed_correctly() -> None:
    rows = ("| package | contents | may import |", "|---|---|---|", "| `a/` | x | nothing |", "| `c/` | y `z` | a, b |")
    more = ("| `d/` | w | all |", "| `e/` | v | (data) |", "", "| part | may import |", "|---|---|", "| `a/b` | c |")
    assert table("\n".join((*rows, *more))) == {"a": set(), "c": {"a", "b"}, "a/b": {"c"}}


WITHIN_MODEL = ("", "resolve", "declaring", "checks")
"""The folders of `language/model` in order: each may import those before it."""


@pytest.mark.parametrize("path", sorted((ROOT / "language" / "model").rglob("*.py")), ids=lambda path: path.stem)
def test_folders_of_model_are_in_order(path: Path) -> None:
    def order(below: tuple[str, ...]) -> int:
        return WITHIN_MODEL.index(below[0] if below and below[0] in WITHIN_MODEL else "")

    here = path.relative_to(ROOT / "language" / "model").parts[:-1]
    if path.name == "check.py":
        return  # runs all of them
    for module in (imported.module for imported in imports_of(path)):
        if module.startswith("fcbdsl.language.model."):
            assert order(tuple(module.split(".")[3:])) <= order(here), f"{path} imports {module}"


COMPILER = "fcbdsl.language.compiler"


def test_compiler_has_no_import_cycle() -> None:
    files = {path.stem: path for path in sorted((ROOT / "language" / "compiler").glob("*.py"))}
    del files["__init__"]
    left = {
        name: {
            imported.module.split(".")[3] for imported in imports_of(path) if imported.module.startswith(f"{COMPILER}.")
        }
        for name, path in files.items()
    }
    assert any(left.values())
    while left:
        free = [name for name, used in left.items() if not used & set(left)]
        assert free, f"these import one another: {left}"
        left = {name: used for name, used in left.items() if name not in free}
