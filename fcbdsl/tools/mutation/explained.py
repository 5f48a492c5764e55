"""Mutants that no test can notice, each with the reason: a file of the project.

An entry identifies its line by the text and not by a number. So it remains valid while other lines are added or
removed, and lapses when its own line changes.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from fcbdsl.base.files import CannotRead, read_utf8
from fcbdsl.base.records import dataclass
from fcbdsl.tools.mutation.mutants import Key, Mutant


@dataclass(frozen=True, slots=True)
class Explained:
    """An entry: its mutant, why no possible position shows the change, and the entry's line in the file."""

    key: Key
    reason: str
    line: int


class BadExplanations(Exception):
    """The file of explained mutants can't be read; the message gives the reason."""


@dataclass(frozen=True, slots=True)
class Unprinted:
    """Words that are never printed: lines that begin with `begins`, or changes that contain `has`, and the reason."""

    begins: str
    has: str
    reason: str

    def fits(self, mutant: Mutant) -> bool:
        """Return whether a mutant changes only the words of the entry, or moves a line with these past a neighbor."""
        if self.has:
            return mutant.operator in ("conjunct", "filter") and self.has in mutant.key.change
        lead = mutant.key.text == self.begins or mutant.key.text.startswith(f"{self.begins} ")
        return lead or (mutant.operator == "order" and mutant.key.change.startswith(f"`{self.begins} "))


def read_unprinted(path: Path) -> list[Unprinted]:
    """Return the `[[unprinted]]` entries of a file; none if there is no file.

    Raise BadExplanations.
    """
    if not path.exists():
        return []
    out = []
    for row in _table(path, "unprinted")[0]:
        is_valid = set(row) in ({"begins", "reason"}, {"has", "reason"})
        if not is_valid or not all(isinstance(text, str) and text.strip() for text in row.values()):
            raise BadExplanations(f"{path}: an [[unprinted]] entry has `begins` or `has`, and `reason`")
        out.append(Unprinted(row.get("begins", ""), row.get("has", ""), row["reason"]))
    return out


def read_explained(path: Path, root: Path | None = None, table: str = "equivalent") -> list[Explained]:
    """Return the entries in a `table` of a file; none if there is no file. They name files by their place below `root`.

    Raise BadExplanations.
    """
    if not path.exists():
        return []
    rows, text = _table(path, table)
    lines = [text.count("\n", 0, match.start()) + 1 for match in re.finditer(rf"^\[\[{table}\]\]", text, re.M)]
    if len(rows) != len(lines):
        raise BadExplanations(f"{path}: entries begin with [[{table}]]")
    return [_entry(path, root or Path(), row, line) for row, line in zip(rows, lines, strict=True)]


def _table(path: Path, table: str) -> tuple[list[Any], str]:
    """Return the rows of a table of a file, and the file's text."""
    try:
        text = read_utf8(path)
        rows = tomllib.loads(text).get(table, [])
    except CannotRead as error:
        raise BadExplanations(f"{path}: {error}") from error
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise BadExplanations(f"{path}: it is no TOML: {error}") from error
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise BadExplanations(f"{path}: entries begin with [[{table}]]")
    return rows, text


def _entry(path: Path, root: Path, row: Any, line: int) -> Explained:
    names = {"file": str, "of": str, "text": str, "change": str, "reason": str, "which": int}
    wrong = [name for name, value in row.items() if not isinstance(value, names.get(name, ()))]
    lacking = [name for name in names if name not in row and name != "which"]
    if wrong or lacking:
        raise BadExplanations(f"{path}:{line}: an entry has {', '.join(names)} (see {', '.join([*wrong, *lacking])})")
    if not row["reason"].strip():
        raise BadExplanations(f"{path}:{line}: an entry needs its reason")
    key = Key(shown_path(root / row["file"]), row["of"], row["text"], row.get("which", 1), row["change"])
    return Explained(key, row["reason"], line)


def outdated_entries(entries: Iterable[Explained], mutants: Iterable[Mutant], files: Iterable[str]) -> list[Explained]:
    """Return the entries for some files that match none of their mutants anymore: the line has changed."""
    mutant_keys = {mutant.key for mutant in mutants}
    names = set(files)
    return [entry for entry in entries if entry.key.file in names and entry.key not in mutant_keys]


def root_path(name: str, root: Path | None) -> str:
    """Return the name of a source in entries: relative to the project's folder if it is inside."""
    path = Path(name).resolve()
    return path.relative_to(root.resolve()).as_posix() if root and path.is_relative_to(root.resolve()) else name


def shown_path(path: Path) -> str:
    """Return the name of a file in reports: relative to the working folder if it is inside."""
    path = path.resolve()
    return (path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path).as_posix()


def as_entry(mutant: Mutant, root: Path | None = None, table: str = "equivalent") -> str:
    """Return the entry of a mutant for the file, without the reason."""
    key = replace(mutant.key, file=root_path(mutant.key.file, root))
    rows = [f"[[{table}]]", *(f"{name} = {_quoted(getattr(key, name))}" for name in ("file", "of", "text", "change"))]
    if key.which > 1:
        rows.insert(4, f"which = {key.which}")
    return "\n".join([*rows, 'reason = ""', ""])


def _quoted(text: str) -> str:
    """Return a TOML string; a literal one if possible."""
    if "'" not in text:
        return f"'{text}'"
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
