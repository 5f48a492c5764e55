"""Paths of a project: shipped content, files of the language, and their names in messages."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from fcbdsl.base import resources
from fcbdsl.base.files import PROJECT_FILE

if TYPE_CHECKING:
    pass


PACKAGE = resources.package_folder()


CORE = "core"


CONTENT = ("systems", "starters", "examples")
"""The folders of data that are part of the package."""


def shipped_path(name: str) -> Path:
    """Return what ships with the package: `CONTENT`, `grammar`, `cards`, `missions` or ``fcb.toml``.

    The package always contains `CONTENT`. The others are in it when installed, and beside it in a checkout."""
    inside = PACKAGE / "content" / name if name in CONTENT else PACKAGE / name
    return inside if inside.exists() else PACKAGE.parent / name


LENT = ("systems", "examples", "cards", "missions")
"""Shipped folders that other projects may use, and do not print as their own."""


def find_project(start: Path) -> Path | None:
    """Return the nearest folder at or above `start` that contains ``fcb.toml``."""
    start = start.resolve()
    for folder in (start, *start.parents):
        if (folder / PROJECT_FILE).is_file():
            return folder
    return None


def target_of(path: Path) -> Path | None:
    """Return the target of a path, links followed; None for a loop of links, or no path at all."""
    try:
        return path.resolve()
    except (OSError, RuntimeError, ValueError):
        return None


def leads_below(path: Path, root: Path) -> bool:
    """Return whether a path, links followed, leads into a folder."""
    try:
        return path.resolve().is_relative_to(root.resolve())
    except (OSError, RuntimeError, ValueError):
        return True  # a loop of links, or no path at all: it leads nowhere


def fcb_files(paths: Sequence[Path]) -> list[Path]:
    """Return all ``.fcb`` files at some paths, folders searched, in order of their names."""
    out: list[Path] = []
    for path in paths:
        out += files_below(path) if path.is_dir() else [path]
    return out


def files_below(folder: Path) -> list[Path]:
    """Return the ``.fcb`` files in a folder and below it, in order, without hidden ones and those that a Mac adds to
    archives."""
    paths = sorted(folder.rglob("*.fcb"))
    return [path for path in paths if not any(map(is_hidden, path.relative_to(folder).parts))]


def is_hidden(part: str) -> bool:
    """Return whether a part of a path begins with a dot, or is the folder that a Mac adds to archives."""
    return part.startswith(".") or part == "__MACOSX"


def lies_in(path: Path, folders: Iterable[Path]) -> bool:
    """Return whether a path is in some folders, or is one of these paths."""
    path = path.resolve()
    return any(path.is_relative_to(folder.resolve()) for folder in folders)


def shown_name(path: Path, follow: bool = True) -> str:
    """Return the name of a file in messages: relative to the working folder if it is inside, in printable
    characters."""
    try:
        name = (path.resolve() if follow else path.absolute()).relative_to(Path.cwd()).as_posix()
    except (ValueError, OSError, RuntimeError):
        name = path.as_posix()
    if name.isprintable():
        return name
    return "".join("�" if unicodedata.category(letter) in ("Cc", "Cf", "Cs") else letter for letter in name)
