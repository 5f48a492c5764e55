"""Migration to language 2: simultaneous loops have `at once`."""

from __future__ import annotations

from collections.abc import Iterator

from fcbdsl.base.edits import TextEdit
from fcbdsl.base.source import Span
from fcbdsl.language.model import ir
from fcbdsl.language.model.roots import behavior_nodes
from fcbdsl.language.model.whole import Model
from fcbdsl.language.syntax.tree import File
from fcbdsl.tools.migration.migration import Migration


def _run(file: File, model: Model) -> Iterator[TextEdit]:
    """Yield an edit for each loop whose only statement is an event verb: these used to be simultaneous."""
    seen: set[int] = set()
    for node in behavior_nodes(model):
        if not isinstance(node, ir.ForEach) or node.together or node.span.source.name != file.source.name:
            continue
        end = node.span.end
        if _one_event(node.body) and end not in seen:
            seen.add(end)
            yield TextEdit(Span(file.source, end, end), ", at once")


def _one_event(inner: ir.Body) -> bool:
    statements = inner.statements
    return len(statements) == 1 and isinstance(statements[0], ir.Do) and statements[0].form.event is not None


EACH_AT_ONCE = Migration(
    "for-each-at-once",
    2,
    "`for each …:` with nothing but one event verb below it did that to all at the same time: `for each …, at once:`",
    _run,
)
