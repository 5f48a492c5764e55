"""What a migration is, and the edits that it makes: pieces of text put in the place of others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from fcbdsl.records import dataclass
from fcbdsl.source import Span

if TYPE_CHECKING:
    from fcbdsl.model.whole import Model
    from fcbdsl.syntax.tree import File


@dataclass(frozen=True, slots=True)
class TextEdit:
    """New text for a span of a source; all else of it, comments and layout too, stays as it is."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Unclear:
    """A place that must be changed by a person, and why."""

    span: Span
    why: str


@dataclass(frozen=True, slots=True)
class Migration:
    """One change of the language that breaks sources.

    `name` stands in the page of changes, too. `since`: the first version of the language that has the change. `run`
    gets a parsed file and the model of the whole project, checked as it stands, and returns the edits of that file,
    which must not overlap. What can't be parsed or checked in the current language any more must be found in the tree.
    Run on what it has changed, it must change nothing."""

    name: str
    since: int
    says: str
    run: Callable[[File, Model], Iterable[TextEdit | Unclear]]
    sound: bool = False
    """It needs a model without errors, and is left out where there are any: what is left of them is reported."""


def edited(text: str, edits: Sequence[TextEdit]) -> str:
    """The text with all the edits made. Raises ValueError if two of them overlap."""
    out: list[str] = []
    at = 0
    for edit in sorted(edits, key=lambda one: (one.span.start, one.span.end)):
        if edit.span.start < at:
            raise ValueError(f"two edits overlap at {edit.span.start}")
        out += [text[at : edit.span.start], edit.text]
        at = edit.span.end
    return "".join([*out, text[at:]])
