"""Findings that another finding explains. Only a project with findings loads this module and their classes."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence

from fcbdsl.base.diagnostics.base import Diagnostic
from fcbdsl.base.diagnostics.dead import AlwaysMet, NeverMet, TooFewCopies
from fcbdsl.base.diagnostics.declarations import MissingTranslation
from fcbdsl.base.diagnostics.missions import BrokenAtStart, DeckTooSmall, EndsAtOnce, NoRoom, PlayersOutside
from fcbdsl.base.diagnostics.print import MissingWording, is_gap
from fcbdsl.base.diagnostics.values import BlankText
from fcbdsl.base.words import WAIT


def untitled_places(findings: Iterable[Diagnostic]) -> dict[tuple[object, ...], None]:
    """Return the places of missing translations."""
    return {_place(finding): None for finding in findings if isinstance(finding, MissingTranslation)}


def beside_untitled(findings: Iterable[Diagnostic], untitled: Container[tuple[object, ...]]) -> Iterator[Diagnostic]:
    """Yield the findings at other places than `untitled`, and gaps in printed words."""
    return (finding for finding in findings if is_gap(finding) or _place(finding) not in untitled)


def drop_explained(findings: Sequence[Diagnostic]) -> list[Diagnostic]:
    """Return findings without those that another one explains: each mistake is one problem."""
    untitled = {finding.arguments["name"]: None for finding in findings if isinstance(finding, MissingWording)}
    gaps = {_place(finding): None for finding in findings if is_gap(finding)}  # a title that print lacks is one problem
    gaps |= {_title(finding): None for finding in findings if is_gap(finding)}
    outside = {finding.span.source.name: None for finding in findings if isinstance(finding, PlayersOutside)}
    broken_lines = {_line(finding): None for finding in findings if isinstance(finding, BrokenAtStart)}
    constant = {finding.arguments["name"]: None for finding in findings if isinstance(finding, AlwaysMet)}
    listed = {f"`{finding.arguments['owner']}`": finding for finding in findings if isinstance(finding, TooFewCopies)}
    circles = [finding for finding in findings if WAIT in str(finding.arguments.get("why", ""))]
    circle = next((finding for finding in circles if finding.severity == "error"), circles[0] if circles else None)
    out: list[Diagnostic] = []
    broken: dict[int, None] = {}  # lists because of which a setup breaks a requirement
    for finding in findings:
        arguments = finding.arguments
        if circle is not None and finding is not circle and WAIT in str(arguments.get("why", "")):
            continue
        if isinstance(finding, BlankText) and any(owner in untitled for owner in finding.owners):
            continue
        if isinstance(finding, MissingTranslation) and (_place(finding) in gaps or _title(finding) in gaps):
            continue
        if isinstance(finding, NoRoom) and finding.span.source.name in outside:
            continue
        if isinstance(finding, DeckTooSmall) and _line(finding) in broken_lines:
            continue
        if isinstance(finding, EndsAtOnce) and finding.arguments["id"] in constant:
            continue
        if (
            isinstance(finding, NeverMet)
            and finding.severity == "warning"
            and f"`{finding.arguments['name']}`" in listed
        ):
            continue
        if isinstance(finding, BrokenAtStart):
            lists = [cause for owner, cause in listed.items() if owner in str(arguments["what"])]
            if lists:
                broken |= {id(cause): None for cause in lists}
                continue
        out.append(finding)
    return [finding.as_error() if id(finding) in broken else finding for finding in out]


def _line(finding: Diagnostic) -> tuple[str, int]:
    return finding.span.source.name, finding.span.line


def _title(finding: Diagnostic) -> tuple[object, ...]:
    return finding.arguments["name"], finding.arguments["language"]


def _place(problem: Diagnostic) -> tuple[object, ...]:
    span = problem.span
    return span.source.name, span.line, problem.arguments.get("language")
