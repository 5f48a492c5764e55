"""What a migration is, and the edits that it makes: pieces of text put in the place of others."""

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
