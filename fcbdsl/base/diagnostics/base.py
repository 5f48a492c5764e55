"""The base of all diagnostics: one class per diagnostic, one instance per finding."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping, Sequence
from string import Formatter
from textwrap import dedent
from typing import ClassVar, Self

from fcbdsl.base.diagnostics.articles import a
from fcbdsl.base.records import dataclass
from fcbdsl.base.source import Span
from fcbdsl.base.visible import visible

AREAS = {
    "01": "Text",
    "02": "Lines and blocks",
    "03": "Names and declarations",
    "04": "Phrases",
    "05": "Types and values",
    "06": "Effects and tests",
    "07": "Print",
    "08": "Programs and files",
    "09": "Missions",
    "10": "Campaigns",
}
"""Title of each range of codes: the first two digits of ``FCBxxyy``."""


@dataclass(frozen=True, slots=True)
class Related:
    """Another place that belongs to a finding, and its label."""

    span: Span
    label: str


@dataclass(frozen=True, slots=True)
class Fix:
    """A change of text that fixes a finding."""

    span: Span
    replacement: str


class Diagnostic:
    """A kind of mistake. A subclass declares it; an instance is one finding of it.

    A subclass sets `code`, `title`, `cause`, `help`, `bad` and `good`. `title` is a noun phrase that people search
    for. `cause` says in at most 15 words what is wrong and names the thing; `help` says what to type. Both are
    templates whose ``{names}`` are the keyword arguments of the constructor (``{kind:a}`` with its article). If the
    cause needs an argument, the page shows `explanation` in its place: at most three sentences about the reason.
    `bad` and `good` are small sources with and without the mistake. A subclass without a code is abstract. Two
    classes with one code can't be imported.
    """

    code: ClassVar[str]
    severity: str = "error"
    title: ClassVar[str]
    cause: ClassVar[str]
    help: ClassVar[str]
    explanation: ClassVar[str] = ""
    bad: ClassVar[str]
    good: ClassVar[str]
    once_per_line: ClassVar[bool] = False
    whole_line: ClassVar[bool] = False
    """For a mistake with `once_per_line`: the text before it on the line is unreliable, too."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "code" in vars(cls):
            _register(cls)

    def __init__(
        self,
        span: Span,
        *,
        related: Sequence[Related] = (),
        suggestion: str | None = None,
        fix: Fix | None = None,
        notes: Sequence[str] = (),
        **arguments: object,
    ) -> None:
        self.span = span
        self.related = tuple(Related(place.span, visible(place.label)) for place in related)
        self.suggestion = suggestion
        self.fix = fix
        self.notes = tuple(map(visible, notes))
        """Lines about the state of the game; a report prints them below the finding."""
        self.arguments = arguments
        self.message = visible(fill_message(self.cause, arguments))
        self.advice = visible(self._advice())

    def _advice(self) -> str:
        advice = fill_message(self.help, self.arguments)
        if self.suggestion is None:
            return advice
        return f"Did you mean `{self.suggestion}`? {advice}".rstrip()

    def as_error(self) -> Self:
        """Return a copy of this finding as an error."""
        out = copy.copy(self)
        out.severity = "error"
        return out

    def __repr__(self) -> str:
        return f"<{self.code} {self.span.source.name}:{self.span.line}:{self.span.column} {self.message}>"


_classes: dict[str, type[Diagnostic]] = {}

_REQUIRED = ("title", "cause", "help", "bad", "good")


def _register(cls: type[Diagnostic]) -> None:
    """Enter a class in the registry; a wrong declaration is our own bug and fails at import."""
    code = cls.code
    if len(code) != 7 or not code.startswith("FCB") or not code[3:].isdigit() or code[3:5] not in AREAS:
        raise TypeError(f"{cls.__name__}: {code!r} is no diagnostic code (FCB and four digits of a known area)")
    if code in _classes:
        raise TypeError(f"{code} belongs to {_classes[code].__name__} and to {cls.__name__}")
    missing = [name for name in _REQUIRED if not hasattr(cls, name)]
    if missing:
        raise TypeError(f"{cls.__name__} lacks {', '.join(missing)}")
    for name in ("explanation", "bad", "good"):
        setattr(cls, name, _Dedented(getattr(cls, name)))
    _classes[code] = cls


class _Dedented:
    """A text of a class that is dedented when it is read: a command reads few of those that it imports."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __get__(self, finding: object, cls: type) -> str:
        return dedent(self._text).strip("\n")


def diagnostic_classes() -> Iterator[type[Diagnostic]]:
    """Yield the classes imported so far, in order of their codes."""
    for code in sorted(_classes):
        yield _classes[code]


class _Templates(Formatter):
    """Templates in which ``{kind:a}`` is a word with its article, and ``{kind:A}`` has a capital article."""

    def format_field(self, value: object, format_spec: str) -> str:
        if format_spec not in ("a", "A"):
            return str(super().format_field(value, format_spec))
        words = a(str(value))
        return words[0].upper() + words[1:] if format_spec == "A" else words


def argument_names(template: str) -> set[str]:
    """Return the names of the arguments that a template needs."""
    return {name for _, name, _, _ in Formatter().parse(template) if name}


def fill_message(template: str, arguments: Mapping[str, object]) -> str:
    """Fill a template of a cause or help; a name that is not given is our own bug and raises KeyError."""
    return _Templates().vformat(template, (), arguments)
