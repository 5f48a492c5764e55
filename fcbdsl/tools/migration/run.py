"""Migrating a project: computes the changes of each file and the places that need a person."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from fcbdsl.base.diagnostics.base import Diagnostic
from fcbdsl.base.diagnostics.problems import Problems
from fcbdsl.base.edits import TextEdit, apply_edits
from fcbdsl.base.files import PROJECT_FILE, read_regular, rewrite_text
from fcbdsl.base.records import dataclass
from fcbdsl.base.source import Source
from fcbdsl.base.versions import LANGUAGE
from fcbdsl.language.syntax.decoding import read_source
from fcbdsl.language.syntax.parser import parse
from fcbdsl.project.paths import lies_in
from fcbdsl.project.project import Loader, parse_all, without_consequences
from fcbdsl.tools.migration.declines import DECLINES
from fcbdsl.tools.migration.each_at_once import EACH_AT_ONCE
from fcbdsl.tools.migration.migration import Migration, Unclear

if TYPE_CHECKING:
    from fcbdsl.language.model.whole import Model
    from fcbdsl.language.syntax.tree import File

MIGRATIONS: tuple[Migration, ...] = (EACH_AT_ONCE, DECLINES)
"""Every migration, in order."""


class Misshapen(Exception):
    """A migration has made a file less readable: an internal error; nothing was written."""


@dataclass(frozen=True, slots=True)
class Migrated:
    """A migrated file: its path, its source before, its text after, and the number of edits."""

    path: Path
    source: Source
    text: str
    edits: int

    def write(self) -> None:
        """Write the file atomically, with its original line ends and byte-order mark."""
        rewrite_text(self.path, self.text)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a migration: changed files, places that a person must change, and remaining errors.

    An error may hide further places to migrate.
    """

    files: tuple[Migrated, ...]
    unclear: tuple[Unclear, ...]
    errors: tuple[Diagnostic, ...]


def migrations_from(version: int) -> list[Migration]:
    """Return the migrations that sources in a version of the language need."""
    return [migration for migration in MIGRATIONS if migration.since > version]


def migrate(loader: Loader, migrations: Sequence[Migration], within: Iterable[Path]) -> Outcome:
    """Run migrations on the files in some folders, one after another, in memory.

    Each sees the project as the migrations before have left it. Raise Misshapen on an internal error.
    """
    within = tuple(within)
    sources = list(loader.sources)
    edits = dict.fromkeys((source.name for source in sources), 0)
    unclear: list[Unclear] = []
    for migration in migrations:
        files, model, problems = _read(sources, loader)
        if migration.sound and any(problem.severity == "error" for problem in problems):
            continue
        for at, file in enumerate(files):
            if lies_in(Path(file.source.name), within):
                results = list(migration.run(file, model))
                unclear += [unclear for unclear in results if isinstance(unclear, Unclear)]
                changes = [edit for edit in results if isinstance(edit, TextEdit)]
                sources[at] = _changed(sources[at], changes)
                edits[file.source.name] += len(changes)
    _, _, problems = _read(sources, loader)
    errors = [
        problem
        for problem in problems
        if problem.severity == "error" and lies_in(Path(problem.span.source.name), within)
    ]
    changed = [
        Migrated(Path(after.name), before, after.text, edits[after.name])
        for before, after in zip(loader.sources, sources, strict=True)
        if after.text != before.text
    ]
    return Outcome(tuple(changed), tuple(unclear), tuple(errors))


def _read(sources: Sequence[Source], loader: Loader) -> tuple[list[File], Model, list[Diagnostic]]:
    """Parse and check sources as the project that a loader has read."""
    from fcbdsl.language.model.check import check

    problems = Problems()
    files = parse_all(sources, problems)
    model, findings = check(files, switches=loader.project.variants, spoken=loader.project.languages)
    problems.extend(without_consequences(findings, problems))
    return files, model, problems.sorted()


def _changed(source: Source, edits: Sequence[TextEdit]) -> Source:
    """Return a source with edits applied. Raise Misshapen if it has more problems than before."""
    if not edits:
        return source
    after = Source(source.name, apply_edits(source.text, edits))
    if len(parse(after)[1]) > len(parse(source)[1]):
        raise Misshapen(f"{source.name} could not be read any more")
    return after


# ── the project file ───────────────────────────────────────────────────────────────────────────

_LANGUAGE = re.compile(r"^[ \t]*[\"']?language[\"']?[ \t]*=[ \t]*[^#\n]*?(?=[ \t]*(?:#|$))", re.MULTILINE)


def set_language(root: Path, version: int = LANGUAGE) -> None:
    """Write the version of the language of the sources into the project file."""
    path = root / PROJECT_FILE
    source, _ = read_source(str(path), read_regular(path))
    if source is None:
        return  # the loader has reported it
    line = f"language = {version}"
    tables = re.search(r"^[ \t]*\[", source.text, re.MULTILINE)
    match = _LANGUAGE.search(source.text, 0, tables.start() if tables is not None else len(source.text))
    before, after = (
        ("", f"\n{source.text}") if match is None else (match.string[: match.start()], match.string[match.end() :])
    )
    rewrite_text(path, f"{before}{line}{after}")
