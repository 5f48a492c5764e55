"""Problems in systems and packs of a project that no file uses yet."""

from __future__ import annotations

import copy
from collections.abc import Iterator

from fcbdsl.base.diagnostics.base import Diagnostic
from fcbdsl.project.analysis.severity import apply_severities
from fcbdsl.project.paths import CORE, shown_name
from fcbdsl.project.project import Loader, cached_model


def unused_problems(loader: Loader) -> Iterator[Diagnostic]:
    """Yield the problems in each system or pack that was not read, as warnings: nothing depends on it yet.

    fcb reads each of them by itself, with what it uses, because two systems cannot be parts of one game.
    """
    for name in loader.unused:
        alone = Loader(loader.project, unsaved=loader.unsaved)
        alone.use(CORE)
        alone.use(name)
        files = {shown_name(path): None for path in loader.files_of(name)}
        _, misread = cached_model(alone)
        problems = [problem for problem in (*alone.problems.sorted(), *misread) if problem.span.source.name in files]
        own = [source for source in alone.sources if source.name in files]
        yield from apply_severities([*map(_as_warning, problems)], own, loader.project.severity, whole=False)


def _as_warning(problem: Diagnostic) -> Diagnostic:
    out = copy.copy(problem)
    out.severity = "warning"
    return out
