"""Selection of the problem to report when a phrase can't be read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fcbdsl.base.diagnostics import Diagnostic, Fix, suggest
from fcbdsl.base.diagnostics.phrases import (
    CandidateOfItself,
    CapturedName,
    ForeignWord,
    Incomplete,
    MissingPart,
    StatementForCondition,
    UnexpectedWord,
    UnknownPronoun,
    UnknownVerb,
    UnknownWord,
    Unreadable,
    UsedBeforeBound,
    WhereOnOne,
    WrongCase,
    WrongType,
)
from fcbdsl.base.source import Span
from fcbdsl.language.model import ir
from fcbdsl.language.model.ir import FLAG, Type
from fcbdsl.language.model.resolve import expressions, names
from fcbdsl.language.model.resolve.parse_state import Capture, ParseState
from fcbdsl.language.model.resolve.type_wording import type_words
from fcbdsl.language.model.resolve.vocabulary import BASES, COORDINATE, CORE_WORDS
from fcbdsl.language.syntax import tree


def select_diagnostic(
    state: ParseState, reached: int, expected: Type | None, wanted: str = "", binds: str = ""
) -> Diagnostic:
    """Return the diagnostic for a phrase of which only the tokens before `reached` could be read.

    In this order: an unknown word; a statement where a value is needed; the failure furthest to the right; a value of
    the wrong type; the first word that fits nothing. `wanted` describes the expected phrase; `binds` is a local that
    the clause itself binds.
    """
    if not state.count:
        span = state.span(0, 0)
        return Incomplete(span, lead="This", what="a phrase", usage="…")
    if wanted == SELECTION and state.count == 1 and state.texts[0] in BASES:
        word = state.texts[0]
        why = f"`{word}` is a type without a list of its values. Choose among things or spaces, or write the options"
        why += " one by one (`choose one:`)."
        return Unreadable(state.span(0, 1), phrase=word, wanted=wanted, why=why)
    unknown = next(unknown_words(state, binds), None)
    if unknown is not None:
        return unknown
    if expected is not None and expected.base in {"flag", "condition"} and expressions.verbs(state, 0):
        return StatementForCondition(state.span(0, 1), word=state.phrase(0, 1), wanted=_words(expected))
    nodes = state.tokens.nodes
    place = nodes[reached].start if reached < state.count else state.tokens.end
    for at, (span, sort) in state.log.lone.items():
        if at not in state.log.filtering:
            return WhereOnOne(span, phrase=span.source.text[span.start : span.end], sort=sort)
    best = _count(state, expected) or state.log.best
    if best is not None and (state.log.where[0] >= place or reached == 0):
        return best
    if reached >= state.count or reached == 0:
        mistyped = _mistyped(state, expected) or best
        if mistyped is not None:
            return mistyped
    if reached == 0:
        count = state.count
        goal = wanted or (_words(expected) if expected is not None else "a phrase of the language")
        return Unreadable(state.span(0, count), phrase=state.phrase(0, count), wanted=goal, why=_why(state))
    return _unexpected(state, reached)


SELECTION = "a selection"
"""Description of a phrase from which something is chosen."""


def _why(state: ParseState) -> str:
    """Return why a phrase could not be read from its first word on, as far as known."""
    word = state.texts[0] or ""
    if word in {"every", "any", "no"} and state.count > 1:
        return f"Write a condition: `{state.phrase(0, state.count)} is …`."
    if state.texts[1:2] == ("in",) and state.count > 2:
        return f"Write a list or a selection behind `in`; `{state.phrase(2, state.count)}` is neither."
    if not word:
        return "Begin the phrase with a word."
    words, model = state.words, state.words.model
    sorts = {
        "a verb": word in words.forms["verb"],
        "a relation": word in words.forms["relation"],
        "a measure": word in words.forms["measure"],
        "a kind": word in model.kinds,
        "a stat, field or counter": words.is_attribute(word),
        "an event": any(event.pattern[:1] == (word,) for event in model.events.values()),
        "a local": state.scope.find(word) is not None,
        "a word of the language": word in CORE_WORDS,
    }
    senses = [sort for sort, is_one in sorts.items() if is_one]
    if not senses:
        return f"No phrase begins with `{word}`."
    return f"`{word}` is {' and '.join(senses)}: `fcb vocab {word}` shows the words that can follow."


def _mistyped(state: ParseState, expected: Type | None) -> Diagnostic | None:
    """Return the problem of a phrase that is a value of another type than expected."""
    if expected is None:
        return None
    count = state.count
    for expr, end in expressions.read_expression(state, None):
        if end == count:
            return WrongType(
                state.span(0, count),
                phrase=state.phrase(0, count),
                found=type_words(expr.type),
                wanted=_words(expected),
            )
    return None


def _count(state: ParseState, expected: Type | None) -> Diagnostic | None:
    """Return the problem of a count used as a condition, with its comparison inside the filter."""
    if expected != FLAG or state.texts[:2] != ("number", "of"):
        return None
    phrase = state.phrase(2, state.count)
    if not any(
        isinstance(expr, ir.Quantified) and end == state.count for expr, end in expressions.read_expression(state, None)
    ):
        return None
    return WrongType(
        state.span(0, state.count),
        phrase=state.phrase(0, state.count),
        found="a number",
        wanted=_words(expected),
        suggestion=f"number of ({phrase}) > 0",
    )


def _words(expected: Type) -> str:
    return "a condition" if expected == FLAG else type_words(expected)


def _unexpected(state: ParseState, reached: int) -> Diagnostic:
    if reached >= state.count:
        return MissingPart(state.span(reached - 1, reached), before=state.phrase(0, reached))
    word = state.phrase(reached, reached + 1)
    return UnexpectedWord(state.span(reached, reached + 1), word=word, before=state.phrase(0, reached))


FOREIGN = {
    "elif": "else if",
    "elseif": "else if",
    "elsif": "else if",
    "foreach": "for each",
    "unless": "if not",
    "return": "answer",
    "var": "let",
    "true": "yes",
    "false": "no",
    "null": "nothing",
    "nil": "nothing",
}
"""Keywords of other languages, and their equivalents here."""


ARTICLES = frozenset(("a", "an", "the"))
PRONOUNS = frozenset(("he", "her", "him", "its", "she", "that", "their", "them", "there", "these", "they", "those"))
"""Pronouns; an author must use a name instead."""


def unknown_words(state: ParseState, binds: str = "") -> Iterator[Diagnostic]:
    """Yield a diagnostic for each unknown word in this scope, in the order of the text."""
    vocabulary, locals_ = state.words.words(), state.scope.names()
    for at, node in enumerate(state.tokens.nodes):
        if isinstance(node, tree.Group):
            yield from unknown_words(state.of(node))
        if not isinstance(node, tree.Word) or node.text in vocabulary or node.text in locals_:
            continue
        if _is_space(state, node.text):
            continue
        if state.log.best is not None and state.log.where >= (node.start, 4) and state.log.where[0] == node.start:
            yield state.log.best
            continue
        span = state.span(at, at + 1)
        if node.text.lower() in FOREIGN:
            cure = FOREIGN[node.text.lower()]
            yield ForeignWord(span, word=node.text, cure=cure, fix=Fix(span, cure))
            continue
        if node.text.lower() in ARTICLES and state.texts[at + 1]:
            noun = state.texts[at + 1] or ""
            yield UnknownPronoun(
                span,
                word=node.text,
                known=f"Write the noun without an article: `{noun}`.",
                fix=Fix(state.span(at, at + 2), noun),
            )
            continue
        if node.text.lower() in PRONOUNS and locals_:
            yield UnknownPronoun(span, word=node.text, known=f"Write a name instead: {names.list_names(locals_)}.")
            continue
        bound_here = at == 0 and node.text == binds
        if bound_here and state.texts[1] in ("=", "in"):
            continue
        if node.text in state.scope.frame.later and not bound_here:
            yield UsedBeforeBound(span, word=node.text)
            continue
        right = next((word for word in [*locals_, *vocabulary] if word.lower() == node.text.lower()), None)
        if right is not None:
            yield WrongCase(span, word=node.text, right=right, fix=Fix(span, right))
            continue
        nearest = suggest(node.text, [*locals_, *vocabulary])
        fix = Fix(span, nearest) if nearest is not None else None
        yield UnknownWord(span, word=node.text, suggestion=nearest, fix=fix)


def _is_space(state: ParseState, word: str) -> bool:
    board = state.scope.board
    if board is None:
        return COORDINATE.fullmatch(word) is not None
    return any(cell.id == word for cell in board.cells)


def applies_form(result: object, place: Span, form: object) -> bool:
    """Return whether `form` is applied somewhere in what was read, its words and arguments reaching to the end of a
    place."""
    applied = [node for node in ir.walk(result) if isinstance(node, ir.Apply | ir.Do) and node.form is form]
    return any(node.span.start <= place.start and node.span.end == place.end for node in applied)


def unknown_verb(state: ParseState, pondering: bool) -> UnknownVerb:
    """Return the problem of a statement whose first word is unknown.

    It suggests the verb with the most similar spelling. If there is none and `pondering`, it lists verbs that accept
    the words after it, keywords first if the word is capitalized.
    """
    word = state.texts[0] or ""
    verbs = [form for same in state.words.forms["verb"].values() for form in same]
    nearest = suggest(word, [form.id for form in verbs])
    accepting = expressions.accepting(state, 1) if pondering and nearest is None else []
    fitting = sorted(accepting, key=lambda form: (form.sort == "keyword") != word[:1].isupper())
    taking = names.list_names(list(dict.fromkeys(form.id for form in fitting)), most=24)
    what = "Verbs that fit the words after it" if state.count > 1 else "Verbs without arguments"
    return UnknownVerb(
        state.span(0, 1),
        word=word,
        known=f"{what}: {taking}." if taking else "Declare it with `verb …:` or `keyword …:`, or correct the spelling.",
        suggestion=nearest,
        fix=Fix(state.span(0, 1), nearest) if nearest is not None else None,
    )


# ── names that the candidate takes ────────────────────────────────────────────────────────────


def final_captures(result: object, captures: Mapping[Span, Capture]) -> Iterator[tuple[Span, Capture]]:
    """Yield the captures that are part of the final reading.

    A complete criterion (`by HP`) is unambiguous: a value that is equal for all candidates could not order them.
    """
    if not captures:
        return
    if isinstance(result, tuple):
        for item in result:
            yield from final_captures(item, captures)
        return
    owner = _owner(result)
    if owner is not None and owner.span in captures:
        yield owner.span, captures[owner.span]
    if isinstance(result, ir.Apply) and result.span in captures and captures[result.span].itself:
        yield result.span, captures[result.span]
    if isinstance(result, ir.Criterion) and getattr(_owner(result.key), "span", None) in captures:
        return
    for part in ir.children(result) if isinstance(result, ir.Node) else ():
        yield from final_captures(part, captures)


def _owner(value: object) -> ir.Var | None:
    """Return the candidate if `value` is its column, zone or measure."""
    owner: object = None
    if isinstance(value, ir.Get | ir.ZoneOf):
        owner = value.of
    elif isinstance(value, ir.Apply) and value.form.sort == "measure" and value.args:
        owner = value.args[0]
    return owner if isinstance(owner, ir.Var) and owner.name == "it" else None


def capture(span: Span, capture: Capture) -> Diagnostic:
    """Return the warning of a name that the candidate takes, or of a candidate that is held against itself."""
    word, rival = capture.word, capture.rival
    if capture.itself:
        return CandidateOfItself(span, phrase=word, noun=rival)
    is_pronoun = rival in {"self", "this"}
    return CapturedName(
        span,
        word=word,
        rival=f"`{rival}`" if is_pronoun else rival,
        other=f"`{rival}'s {word}` for the other one" if is_pronoun else "rename the local",
        fix=Fix(span, f"it's {word}"),
    )
