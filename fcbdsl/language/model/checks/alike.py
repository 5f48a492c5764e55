"""Things that readers could confuse: ids that look alike, and equal titles."""

from __future__ import annotations

import unicodedata
from collections.abc import Hashable, Iterator
from typing import Final

from fcbdsl.base.diagnostics.base import Related
from fcbdsl.base.diagnostics.declarations import LookalikeIds, SameTitle
from fcbdsl.base.source import Span
from fcbdsl.language.model.content import Definition
from fcbdsl.language.model.declarations import Name
from fcbdsl.language.model.declaring.collect import Declaration
from fcbdsl.language.model.declaring.context import Context
from fcbdsl.language.model.ir import shape
from fcbdsl.language.model.whole import Model

_FOREIGN: Final = "авекмнорстухіѕјԁһԛѡүαβεηικμνορτυχгı10"
_LATIN: Final = "abekmhopctyxisjdhqwyabenikmvoptuxrilo"
_SAME: Final = str.maketrans(_FOREIGN, _LATIN)
"""Cyrillic, Greek and Turkish letters, and digits, that look like a Latin letter."""


def confusable_key(name: str) -> str:
    """Return a key of a name's look: names that readers could confuse have the same key."""
    return unicodedata.normalize("NFKC", name).casefold().translate(_SAME)


def lookalikes(context: Context) -> None:
    """Report definitions of one kind whose ids read alike."""
    seen: dict[tuple[str, str], Declaration] = {}
    for declaration in context.index.all:
        if declaration.sort not in context.model.kinds or not declaration.id:
            continue
        first = seen.setdefault((declaration.sort, confusable_key(declaration.id)), declaration)
        if first.id != declaration.id:
            related = [Related(first.span, "the other one")]
            context.report(
                LookalikeIds(
                    declaration.span, sort=declaration.sort, name=declaration.id, other=first.id, related=related
                )
            )


def same_titles(context: Context) -> None:
    """Report things of one sort with the same title in a language. Things in shipped packs and tests are skipped."""
    model = context.model
    seen: dict[tuple[Hashable, str, str], tuple[str, Span]] = {}
    reported: dict[tuple[str, str], None] = {}
    for sort, id, span, name, which in _titled(model):
        if model.proof_of(span):
            continue
        for language, title in name.title.items():
            if not title.strip():
                continue  # an empty text is a mistake of its own
            key = which, language, title.casefold()
            other, first = seen.setdefault(key, (id, span))
            if first is span or model.is_lent(span) or (sort, id) in reported:
                continue
            reported[sort, id] = None
            related = [Related(first, "the other one")]
            context.report(SameTitle(span, sort=sort, name=id, other=other, title=title, related=related))


def _titled(model: Model) -> Iterator[tuple[str, str, Span, Name, Hashable]]:
    """Yield things that a table must tell apart: sort, id, place, titles, and what is equal for things that it could
    confuse. Things of shipped packs come first."""
    definitions = sorted(model.definitions.values(), key=lambda definition: not model.is_lent(definition.span))
    for definition in definitions:
        kind = definition.kind
        if kind.part_of is None:
            looks = () if kind.is_a("piece") else _looks(definition)
            which = kind.id, id(definition.target), looks
            yield kind.id, definition.id, definition.span, definition.name, which
    for mark in model.marks.values():
        yield "mark", mark.id, mark.span, mark.name, "mark"
    for action in model.actions.values():
        types = [expr.type if expr is not None else None for expr in (action.by, action.subject)]
        yield "action", action.id, action.span, action.name, ("action", *types)


def _looks(definition: Definition) -> tuple[Hashable, ...]:
    """Return the printed values of a card."""
    printed = [(id, value.expr) for id, value in definition.values.items() if id != "copies"]
    return tuple((id, shape(expr, {})) for id, expr in sorted(printed, key=lambda row: row[0]) if expr is not None)
