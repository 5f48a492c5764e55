"""Migrating a project: what would be changed in which file, and what can't be."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from fcbdsl.base.diagnostics.base import Diagnostic
from fcbdsl.base.diagnostics.problems import Problems
from fcbdsl.base.edits import TextEdit, edited
from fcbdsl.base.files import PROJECT_FILE, read_regular, rewrite_text
from fcbdsl.base.records import dataclass
from fcbdsl.base.source import Source
from fcbdsl.base.versions import LANGUAGE
from fcbdsl.language.syntax.decoding import read_source
from fcbdsl.language.syntax.parser import parse
from fcbdsl.project.project import Loader, lies_in, parsed, without_consequences
from fcbdsl.tools.migration.declines import DECLINES
from fcbdsl.tools.migration.each_at_once import EACH_AT_ONCE
from fcbdsl.tools.migration.migration import Migration, Unclear

if TYPE_CHECKING:
    from fcbdsl.language.model.whole import Model
    from fcbdsl.language.syntax.tree import File

MIGRATIONS: tuple[Migration, ...] = (EACH_AT_ONCE, DECLINES)
"""Every migration, in the order in which they are made."""


class Misshapen(Exception):
    """A migration has made a file that can't be read as well as before: our mistake, and nothing was written."""


@dataclass(frozen=True, slots=True)
class Migrated:
    """A file as it would be: its place, its source before, its text after, and how many
    edits make that."""

    path: Path
    source: Source
    text: str
    edits: int

    def write(self) -> None:
        """Write the file whole or not at all, with the line ends and the byte-order mark that it had."""
        rewrite_text(self.path, self.text)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What migrating comes to: the files that change; the places that a person must change; and the errors that are
    left in those files, behind which there may be more to migrate."""

    files: tuple[Migrated, ...]
    unclear: tuple[Unclear, ...]
    errors: tuple[Diagnostic, ...]


def migrations_from(version: int) -> list[Migration]:
    """The migrations that sources in a version of the language need."""
    return [one for one in MIGRATIONS if one.since > version]


def migrate(loader: Loader, migrations: Sequence[Migration], within: Iterable[Path]) -> Outcome:
    """Make migrations of the files below some folders, one after the other, in memory.

    Each sees the project as those before it have left it. Raises Misshapen, a mistake of ours."""
    within = tuple(within)
    sources = list(loader.sources)
    edits = dict.fromkeys((source.name for source in sources), 0)
    unclear: list[Unclear] = []
    for migration in migrations:
        files, model, problems = _read(sources, loader)
        if migration.sound and any(one.severity == "error" for one in problems):
            continue
        for at, file in enumerate(files):
            if lies_in(Path(file.source.name), within):
                found = list(migration.run(file, model))
                unclear += [one for one in found if isinstance(one, Unclear)]
                changes = [one for one in found if isinstance(one, TextEdit)]
                sources[at] = _changed(sources[at], changes)
                edits[file.source.name] += len(changes)
    _, _, problems = _read(sources, loader)
    errors = [one for one in problems if one.severity == "error" and lies_in(Path(one.span.source.name), within)]
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
    files = parsed(sources, problems)
    model, found = check(files, switches=loader.project.variants, spoken=loader.project.languages)
    problems.extend(without_consequences(found, problems))
    return files, model, problems.sorted()


def _changed(source: Source, edits: Sequence[TextEdit]) -> Source:
    """A source with edits made, which reads no worse than before."""
    if not edits:
        return source
    after = Source(source.name, edited(source.text, edits))
    if len(parse(after)[1]) > len(parse(source)[1]):
        raise Misshapen(f"{source.name} could not be read any more")
    return after


# ── the project file ───────────────────────────────────────────────────────────────────────────

_LANGUAGE = re.compile(r"^[ \t]*[\"']?language[\"']?[ \t]*=[ \t]*[^#\n]*?(?=[ \t]*(?:#|$))", re.MULTILINE)


def set_language(root: Path, version: int = LANGUAGE) -> None:
    """Write into the project file in which version of the language its sources are."""
    path = root / PROJECT_FILE
    source, _ = read_source(str(path), read_regular(path))
    if source is None:
        return  # the loader has said so
    line = f"language = {version}"
    tables = re.search(r"^[ \t]*\[", source.text, re.MULTILINE)
    found = _LANGUAGE.search(source.text, 0, tables.start() if tables is not None else len(source.text))
    before, after = (
        ("", f"\n{source.text}") if found is None else (found.string[: found.start()], found.string[found.end() :])
    )
    rewrite_text(path, f"{before}{line}{after}")
