"""Which problem to report when a phrase can't be read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass

from fcbdsl.diagnostics import Diagnostic, Fix, suggest
from fcbdsl.diagnostics.phrases import (
    Incomplete,
    MissingPart,
    StatementForCondition,
    UnexpectedWord,
    UnknownWord,
    UsedBeforeBound,
    WrongCase,
    WrongType,
)
from fcbdsl.model import expressions, forms, ir
from fcbdsl.model.ir import Type
from fcbdsl.model.reading import Reading
from fcbdsl.model.tokens import flatten
from fcbdsl.model.wording import type_words
from fcbdsl.syntax import tree


def verdict(reading: Reading, reached: int, expected: Type | None) -> Diagnostic:
    """The problem of a phrase of which only the tokens before `reached` made sense.

    First a word that means nothing anywhere; then a statement in place of a value; then the failure that lies
    furthest; then a value of the wrong type; at last the first word that fits nothing.
    """
    if not len(reading.tokens):
        span = reading.span(0, 0)
        return Incomplete(span, lead="This", what="a phrase", usage="…")
    unknown = next(unknown_words(reading), None)
    if unknown is not None:
        return unknown
    if expected is not None and expected.base in {"flag", "condition"} and forms.verbs(reading, 0):
        return StatementForCondition(reading.span(0, 1), word=reading.phrase(0, 1), wanted=type_words(expected))
    nodes = reading.tokens.nodes
    place = nodes[reached].start if reached < len(nodes) else reading.tokens.end
    best = reading.log.best
    if best is not None and (reading.log.where[0] >= place or reached == 0):
        return best
    if reached >= len(nodes) or reached == 0:
        return _mistyped(reading, expected) or best or _unexpected(reading, reached)
    return _unexpected(reading, reached)


def _mistyped(reading: Reading, expected: Type | None) -> Diagnostic | None:
    """The phrase as a whole is a value, only not of the type that is expected."""
    if expected is None:
        return None
    count = len(reading.tokens)
    for expr, end in expressions.whole(reading, None):
        if end == count:
            return WrongType(
                reading.span(0, count),
                phrase=reading.phrase(0, count),
                found=type_words(expr.type),
                wanted=type_words(expected),
            )
    return None


def _unexpected(reading: Reading, reached: int) -> Diagnostic:
    if reached >= len(reading.tokens):
        return MissingPart(reading.span(reached - 1, reached), before=reading.phrase(0, reached))
    before = reading.phrase(0, reached) if reached else "the beginning of the phrase"
    return UnexpectedWord(reading.span(reached, reached + 1), word=reading.phrase(reached, reached + 1), before=before)


def unknown_words(reading: Reading) -> Iterator[Diagnostic]:
    """Words that mean nothing in this scope, in the order of the text."""
    known, locals_ = reading.words.words(), reading.scope.names()
    for at, node in enumerate(reading.tokens.nodes):
        if isinstance(node, tree.Group):
            yield from unknown_words(reading.of(flatten(node.parts)))
        if not isinstance(node, tree.Word) or node.text in known or node.text in locals_:
            continue
        if reading.scope.board is not None and any(cell.id == node.text for cell in reading.scope.board.cells):
            continue
        if reading.log.best is not None and reading.log.where == (node.start, 5):
            yield reading.log.best
            continue
        span = reading.span(at, at + 1)
        if node.text in reading.scope.frame.later:
            yield UsedBeforeBound(span, word=node.text)
            continue
        right = next((word for word in [*locals_, *known] if word.lower() == node.text.lower()), None)
        if right is not None:
            yield WrongCase(span, word=node.text, right=right, fix=Fix(span, right))
            continue
        nearest = suggest(node.text, [*locals_, *known])
        fix = Fix(span, nearest) if nearest is not None else None
        yield UnknownWord(span, word=node.text, suggestion=nearest, fix=fix)


def uses(found: object, start: int, form: object) -> bool:
    """Whether `form` is applied at source offset `start` somewhere in what was read."""
    if isinstance(found, tuple):
        return any(uses(one, start, form) for one in found)
    if isinstance(found, ir.Apply | ir.Do) and found.form is form and found.span.start <= start < found.span.end:
        return True
    if not is_dataclass(found) or not type(found).__module__.endswith("model.ir"):
        return False
    return any(uses(getattr(found, one.name), start, form) for one in fields(found))
