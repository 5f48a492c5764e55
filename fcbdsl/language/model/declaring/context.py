"""Data that the passes of a check share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from typing import Any

from fcbdsl.base.diagnostics.base import Diagnostic
from fcbdsl.base.diagnostics.declarations import MalformedDeclaration, UnexpectedLine, UnknownName
from fcbdsl.base.diagnostics.problems import Problems
from fcbdsl.base.diagnostics.suggestions import suggest
from fcbdsl.base.diagnostics.values import OverBound
from fcbdsl.base.records import dataclass
from fcbdsl.base.source import Span
from fcbdsl.language.model.content import Board, Step
from fcbdsl.language.model.declarations import Field, Kind, Name
from fcbdsl.language.model.declaring.collect import Index
from fcbdsl.language.model.identity_cache import IdentityCache
from fcbdsl.language.model.ir import Type
from fcbdsl.language.model.lines import keyword_of, read_titles, tail_parts
from fcbdsl.language.model.resolve.core import Resolver
from fcbdsl.language.model.resolve.vocabulary import Vocabulary
from fcbdsl.language.model.whole import Model
from fcbdsl.language.syntax.tree import Line

THING = Type("thing", "thing")


@dataclass(slots=True)
class Context:
    """The model being built, the place for its problems, and the reader of phrases.

    `later`: readings that run after every form, field and definition is declared. `keeping`: readings that run after
    every column is declared. `required`: per kind, the fields that each of its definitions must give. `broken_kinds`:
    kinds with a line that could not be read, which may contain a field that seems to be missing. `entries`:
    declarations of the previous check, if any. `values`: names of the values of a type, as far as gathered. `legends`:
    meanings in the legends of systems, by the sort of map. `boards`: maps without mistakes, by their text. `lines`:
    lines of tests that were read, by their text. `own_names`: files of tests whose own definitions a step names, by
    the identity of steps.
    """

    model: Model
    problems: Problems
    index: Index
    vocabulary: Vocabulary
    reader: Resolver
    switches: Mapping[str, str] = field(default_factory=dict)
    later: list[Callable[[], None]] = field(default_factory=list)
    keeping: list[Callable[[], None]] = field(default_factory=list)
    broken_kinds: set[str] = field(default_factory=set)
    known_languages: tuple[str, ...] = ("en",)
    required: dict[str, tuple[Field, ...]] = field(default_factory=dict)
    entries: IdentityCache = field(default_factory=IdentityCache)
    values: dict[Type, dict[str, None]] = field(default_factory=dict)
    legends: dict[str, Any] = field(default_factory=dict)
    boards: dict[str, Board] = field(default_factory=dict)
    lines: dict[str, Any] = field(default_factory=dict)
    own_names: dict[int, tuple[Step, frozenset[str]]] = field(default_factory=dict)
    _of_tests: dict[tuple[str, str], str] | None = None
    _names_of_tests: frozenset[str] | None = None

    def of_tests(self) -> dict[tuple[str, str], str]:
        """Return the definitions that files of tests declare, by kind and id, with these files.

        Ask only when everything is declared.
        """
        if self._of_tests is None:
            declared = self.model.definitions.items()
            files = {key: self.model.proof_of(definition.span) for key, definition in declared}
            self._of_tests = {key: file for key, file in files.items() if file}
        return self._of_tests

    def names_of_tests(self) -> frozenset[str]:
        """Return the ids of these definitions; ask only when everything is declared."""
        if self._names_of_tests is None:
            self._names_of_tests = frozenset(id for _, id in self.of_tests())
        return self._names_of_tests

    def report(self, finding: Diagnostic) -> None:
        """Record a problem."""
        self.problems.add(finding)

    def within(self, span: Span, most: int, what: str, count: int, things: str) -> bool:
        """Return whether a count is within its bound; report it if not: ``WHAT 17 THINGS``."""
        if count > most:
            self.report(OverBound(span, what=what, found=count, things=things, most=most))
        return count <= most

    def malformed(self, span: Span, what: str, form: str) -> None:
        """Report text that does not have the expected form."""
        self.report(MalformedDeclaration(span, what=what, form=form))

    def unknown(self, span: Span, sort: str, name: str, candidates: Iterable[str]) -> None:
        """Report a name that is not declared."""
        self.report(UnknownName(span, sort=sort, name=name, suggestion=suggest(name, candidates)))

    def unexpected(self, line: Line, where: str, allowed: Iterable[str]) -> None:
        """Report a line that is not allowed at its place; broken lines were reported before."""
        if line.broken:
            return
        names = list(allowed)
        word = keyword_of(line)
        self.report(
            UnexpectedLine(
                line.span,
                word=word or "This",
                where=where,
                allowed=", ".join(f"`{name}`" for name in names),
                suggestion=suggest(word, names) if word else None,
            )
        )

    def kind(self, name: str, span: Span) -> Kind | None:
        """Return the kind of that name; reports an unknown one."""
        kind = self.model.kinds.get(name)
        if kind is None:
            self.unknown(span, "kind", name, self.model.kinds)
        return kind

    def title_line(self, line: Line, name: Name, key: str) -> bool:
        """Read a line ``name: …`` or ``fr: …`` into a name; return False for other lines."""
        language = "en" if key == "name" else key
        if key != "name" and key not in self.known_languages:
            return False
        if not read_titles(name, tail_parts(line), language):
            self.malformed(line.span, "a title, whose gender is m, f or n", f'{key}: "title", m, plural "titles"')
        return True

    def complete(self, kind: Kind) -> bool:
        """Return whether all lines of a kind and its ancestors could be read."""
        return not any(above.id in self.broken_kinds for above in kind.lineage())
