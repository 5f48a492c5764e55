"""The type of migrations and of their results."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from fcbdsl.base.records import dataclass
from fcbdsl.base.source import Span

if TYPE_CHECKING:
    from fcbdsl.language.model.whole import Model
    from fcbdsl.language.syntax.tree import File
from fcbdsl.base.edits import TextEdit


@dataclass(frozen=True, slots=True)
class Unclear:
    """A place that a person must change, and the reason."""

    span: Span
    why: str


@dataclass(frozen=True, slots=True)
class Migration:
    """One change of the language that breaks sources.

    `name` is also used on the page of changes. `since`: the first version of the language with the change. `run` gets a
    parsed file and the checked model of the whole project, and returns the edits of that file. These must not overlap.
    Where the current language can't parse or check the old form, `run` must find it in the tree. A second run must
    change nothing.
    """

    name: str
    since: int
    says: str
    run: Callable[[File, Model], Iterable[TextEdit | Unclear]]
    sound: bool = False
    """Whether it needs a model without errors. If there are errors, it is left out, and these are reported."""
