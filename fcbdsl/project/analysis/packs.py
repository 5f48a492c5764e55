"""Unknown names that a pack declares: finds the pack, and the missing `use` line."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path

from fcbdsl.base.diagnostics.base import Diagnostic, Fix
from fcbdsl.base.diagnostics.declarations import UnknownName
from fcbdsl.base.diagnostics.phrases import UnknownId, UnknownVerb, UnknownWord
from fcbdsl.base.files import CannotRead, read_regular
from fcbdsl.base.source import Span
from fcbdsl.project.paths import files_below
from fcbdsl.project.project import Loader, shipped_packs

_NAMING = (UnknownId, UnknownName, UnknownVerb, UnknownWord)
_HEAD = re.compile(r"^([^\W\d][\w-]*)[ ]+([^\W\d][\w-]*)", re.MULTILINE)
"""Matches the sort and the name of a declaration."""
_BYTES = 1 << 20


def with_packs(problems: Iterable[Diagnostic], loader: Loader) -> Iterator[Diagnostic]:
    """Yield the problems, with the missing `use` line for names that a pack declares."""
    unread: list[tuple[str, frozenset[str]]] | None = None
    for problem in problems:
        name = (
            str(problem.arguments.get("name") or problem.arguments.get("word") or "")
            if isinstance(problem, _NAMING)
            else ""
        )
        if name and unread is None:
            unread = _unread_packs(loader)
        packs = [pack for pack, declared in unread or () if name in declared]
        yield _with_use(problem, name, packs) if packs else problem


def _unread_packs(loader: Loader) -> list[tuple[str, frozenset[str]]]:
    """Return the packs that were not read and belong to the games that were, with the names that they declare."""
    read = {Path(source.name).resolve() for source in loader.sources}
    root = loader.project.root
    own = sorted((root / "packs").iterdir()) if root is not None and (root / "packs").is_dir() else []
    packs = [(folder.name, _declared(tuple(files_below(folder)))) for folder in own if folder.is_dir()]
    games = {path.parent.name for path in read if path.parent.parent.name == "systems"}
    for pack, files in shipped_packs().items():
        if files[-1].parent.name in games and files[-1].resolve() not in read:
            packs.append((pack, _declared((files[-1],))))
    return packs


@lru_cache(maxsize=256)
def _declared(files: tuple[Path, ...]) -> frozenset[str]:
    """Return the names that some files declare."""
    names: list[str] = []
    for file in files:
        try:
            text = read_regular(file, _BYTES).decode("utf-8", "replace")
        except (CannotRead, OSError):
            continue
        names += [match[2] for match in _HEAD.finditer(text) if match[1] not in ("use", "layout")]
    return frozenset(names)


def _with_use(problem: Diagnostic, name: str, packs: list[str]) -> Diagnostic:
    """Return a copy of a problem with the packs that declare the name."""
    out = copy.copy(problem)
    which = " or ".join(f"`use {pack}`" for pack in packs)
    out.suggestion = None
    out.advice = f"The pack `{packs[0]}` declares `{name}`: write {which} at the top of this file."
    out.fix = Fix(Span(problem.span.source, 0, 0), f"use {packs[0]}\n")
    return out
