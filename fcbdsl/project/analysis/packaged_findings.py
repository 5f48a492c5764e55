"""The findings of fcb's own project, which travel with the package as long as neither content nor code changes."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from fcbdsl.base import shipped_results
from fcbdsl.base.diagnostics.base import Diagnostic
from fcbdsl.base.files import PROJECT_FILE, CannotRead, read_regular
from fcbdsl.base.source import Source
from fcbdsl.project.paths import shipped_path
from fcbdsl.project.project import Loader, asset_paths

Findings = dict[str, list[Diagnostic]]
CHECKERS = ("print", "play", "project")
"""The folders whose code and data take part in checks, besides those that read."""


def packaged_findings(loader: Loader, fits: Callable[[object], bool]) -> Findings | None:
    """Return the findings in fcb's own project, if the package contains them."""
    places = _places(loader)
    if not places or not shipped_results.available():
        return None
    with suppress(CannotRead):
        findings: Findings | None = shipped_results.load_packaged(_name(loader, places), fits, places)
        return findings
    return None


def package_findings(loader: Loader, findings: Mapping[str, Sequence[Diagnostic]]) -> None:
    """Make the findings a part of the package, if this is fcb's own project in a checkout."""
    places = _places(loader)
    if places and shipped_results.writable():
        with suppress(CannotRead):
            shipped_results.store_packaged(_name(loader, places), findings, places)


def _places(loader: Loader) -> dict[str, str]:
    """Return the places in fcb's own project of its files, by their names in this run; none for other projects."""
    root = loader.project.root
    own = shipped_path(PROJECT_FILE).parent.resolve()
    if root is None or root.resolve() != own or loader.unsaved:
        return {}
    places = {}
    for file in (*loader.sources, *loader.catalogs, *loader.seals):
        path = Path(file.name).resolve()
        if not path.is_relative_to(own):
            return {}
        places[file.name] = path.relative_to(own).as_posix()
    return places


def _assets(source: Source) -> Iterator[tuple[str, str]]:
    """Yield the files that a source may name, with a hash of their content; it is empty if there is no such file.

    Raise CannotRead for others that cannot be read.
    """
    for name, path in asset_paths(source):
        exists = os.path.lexists(path)
        yield name, hashlib.blake2b(read_regular(path), digest_size=16).hexdigest() if exists else ""


def _name(loader: Loader, places: Mapping[str, str]) -> str:
    """Return the name of the findings of a project. Raise CannotRead if a file that its sources name cannot be read."""
    project = loader.project
    settings = repr(("findings", project.game, project.languages, sorted(project.variants.items()), project.tests))
    files = (*loader.sources, *loader.catalogs, *loader.seals)
    counts = repr((len(loader.sources), len(loader.catalogs)))
    assets = repr([[*_assets(source)] for source in loader.sources])
    return shipped_results.result_name(
        [settings, counts, assets, *(f"{places[file.name]}\n{file.text}" for file in files)], CHECKERS
    )
