"""Matching of phrases with events, and the binding of event parameters."""

from __future__ import annotations

from collections.abc import Iterator

from fcbdsl.base.diagnostics import Fix, suggest
from fcbdsl.base.diagnostics.phrases import ArticleInMoment, ComputedFilter, UnknownEvent
from fcbdsl.base.records import dataclass
from fcbdsl.base.source import Span
from fcbdsl.base.words import Timing
from fcbdsl.language.model import ir
from fcbdsl.language.model.declarations import Event
from fcbdsl.language.model.ir import Expr, Stmt, Type
from fcbdsl.language.model.resolve import actions, error_selection, expressions, failing, selections
from fcbdsl.language.model.resolve.core import Resolver
from fcbdsl.language.model.resolve.expressions import disjunction
from fcbdsl.language.model.resolve.parse_state import NONE, ParseState
from fcbdsl.language.model.resolve.scope import Scope
from fcbdsl.language.model.resolve.tokens import Readable, Tokens
from fcbdsl.language.model.resolve.vocabulary import CORE_WORDS
from fcbdsl.language.syntax.tree import Clause, Line

TIMINGS: dict[str, Timing] = {"when": "after", "at": "after", "before": "before", "instead": "instead"}


@dataclass(frozen=True, slots=True)
class Bound:
    """How a phrase constrains one parameter of an event: not at all, by a noun, or by one value.

    `word` is the local bound to it, `type` is its narrowed type, `value` is the value that it must equal.
    """

    word: str = ""
    type: Type | None = None
    condition: Expr | None = None
    value: Expr | None = None


ANY = Bound()
Bounds = tuple[Bound, ...]
Match = tuple[Bounds, int]


# ── which event ─────────────────────────────────────────────────────────────────────────────────


def candidate_events(resolver: Resolver, tokens: Tokens, start: int = 0) -> list[Event]:
    """Return the events whose fixed words all occur among the tokens, those with most words first.

    The last words may be left out. `start`: the token at which the event begins.
    """
    present = {text for text in tokens.texts if text}
    scored: list[tuple[int, Event]] = []
    for event in resolver.words.model.events.values():
        literals = _literals(event)
        ident = tuple(event.id.split())
        if all(word in present for word in literals) or tokens.texts[start : start + len(ident)] == ident:
            scored.append((len(_literals(event, all_words=True)), event))
    return [event for _, event in sorted(scored, key=lambda candidate: -candidate[0])]


def _literals(event: Event, all_words: bool = False) -> list[str]:
    """Return the words of the pattern that are no parameters, without a last preposition that may be left out."""
    names = {param.name for param in event.params}
    words = [word for word in event.pattern if word not in names]
    if not all_words and len(words) > 1 and event.pattern[-1] in names and event.pattern[-2] == words[-1]:
        words.pop()
    return words


def match(state: ParseState, event: Event, at: int) -> list[Match]:
    """Return the readings of the tokens from `at` on as `event`, longest first."""
    slots = {param.name: index for index, param in enumerate(event.params)}
    blank: list[Bound] = [ANY] * len(event.params)
    matches = list(_follow(state, event, slots, 0, at, blank))
    ident = tuple(event.id.split())
    after = at + len(ident)
    if state.texts[at:after] == ident:
        matches.append((tuple(blank), after))
        if state.texts[after] == "of" and event.params:
            for bound, end in _fillers(state, event, 0, after + 1):
                matches.append(((bound, *blank[1:]), end))
    return sorted(matches, key=lambda candidate: -candidate[1])


def _follow(
    state: ParseState, event: Event, slots: dict[str, int], step: int, at: int, filled: list[Bound]
) -> Iterator[Match]:
    pattern = event.pattern
    if step == len(pattern):
        yield tuple(filled), at
        return
    word = pattern[step]
    if step and _may_end(pattern, slots, step):
        yield tuple(filled), at
    if word not in slots:
        if state.texts[at] == word:
            yield from _follow(state, event, slots, step + 1, at + 1, filled)
        return
    index = slots[word]
    for bound, end in _fillers(state, event, index, at):
        yield from _follow(state, event, slots, step + 1, end, [*filled[:index], bound, *filled[index + 1 :]])


def _may_end(pattern: tuple[str, ...], slots: dict[str, int], step: int) -> bool:
    """Return whether a last parameter may be left out, with its preposition unless that is the event's only word."""
    rest = pattern[step:]
    if len(rest) == 2 and rest[0] not in slots and rest[1] in slots:
        return any(word not in slots for word in pattern[:step])
    return len(rest) == 1 and rest[0] in slots


def _fillers(state: ParseState, event: Event, index: int, at: int) -> list[tuple[Bound, int]]:
    """Return the readings of a parameter: `any`, its name, a noun with filters, or a value."""
    param = event.params[index]
    word = state.texts[at]
    out: list[tuple[Bound, int]] = []
    if at >= state.count:
        return out
    binding = state.scope.find(param.name)
    if word == "any":
        out.append((ANY, at + 1))
    elif word == param.name and not state.tokens.possessive[at]:
        out.append((Bound(word), at + 1))
    if binding is not None and word is not None and state.words.is_noun(word):
        slot = ir.Var(param.name, binding.slot, param.type, state.span(at, at + 1))
        out += _nouns(state, slot, at)
    for value, end in expressions.primaries(state, at, param.type, NONE):
        if not isinstance(value, ir.Var) or value.name != param.name or binding is None:
            out.append((Bound(value=value), end))
    if word in _ARTICLES and state.log.failing and at + 1 < state.count:
        _article(state, at, param.name)
    if not out and state.log.failing:
        for value, end in expressions.primaries(state, at, None, NONE)[:1]:
            failing.wrong(state, at, at, end, value, param.type)
    return out


_ARTICLES = ("any", "every", "each", "a", "an", "the")


def _article(state: ParseState, at: int, param: str) -> None:
    """Note that a noun after an article cannot be read, because a trigger names the noun alone."""
    noun = state.texts[at + 1]
    if noun is not None and (noun == param or state.words.is_noun(noun)):
        lead, phrase = state.span(at, at + 2), state.phrase(at, at + 2)
        away = Span(lead.source, lead.start, state.span(at + 1, at + 2).start)
        state.fail(at + 1, 4, lambda: ArticleInMoment(lead, noun=noun, said=phrase, fix=Fix(away, "")))


def _nouns(state: ParseState, param: ir.Var, at: int) -> list[tuple[Bound, int]]:
    out: list[tuple[Bound, int]] = []
    skip = at + 1 if state.texts[at] == "any" else at
    for noun in expressions.nouns(state, skip):
        if noun[0].type.base != param.type.base:
            continue
        if param.type.base == "thing" and not state.words.related(noun[0].type.name, param.type.name):
            continue
        for selected, end in expressions.selection_suffixes(state, skip, noun, NONE):
            test = selections.belongs(state, param, selected, state.span(at, end))
            narrow = selected.type.one()
            out.append((Bound(state.texts[skip] or "", narrow, test), end))
    return out


# ── moments ─────────────────────────────────────────────────────────────────────────────────────


Heard = tuple[Bounds, Expr | None, Event | None, dict[str, str]]


def read_trigger(resolver: Resolver, line: Line, head: Clause, scope: Scope, event: Event, start: int) -> Heard | None:
    """Read the trigger in a clause from token `start` on; None if it can't be read."""
    state = resolver.begin(line, head, scope)
    for trigger, end in _moments(resolver, state, event, start):
        if end == state.count:
            bounds, condition, limit, title = trigger
            settled = [_settle_bound(resolver, state, scope, bound) for bound in bounds]
            for param, bound in zip(event.params, settled, strict=True):
                if param.type.base == "number" and bound.value is not None and not isinstance(bound.value, ir.Const):
                    span = bound.value.span
                    resolver.report(
                        ComputedFilter(span, param=param.name, value=f"`{span.source.text[span.start : span.end]}`")
                    )
            condition = resolver.settled(state, condition, scope) if condition is not None else None
            return tuple(settled), condition, limit, title
    return None


def _settle_bound(resolver: Resolver, state: ParseState, scope: Scope, bound: Bound) -> Bound:
    condition = resolver.settled(state, bound.condition, scope) if bound.condition is not None else None
    value = resolver.settled(state, bound.value, scope) if bound.value is not None else None
    return Bound(bound.word, bound.type, condition, value)


def _moments(resolver: Resolver, state: ParseState, event: Event, start: int) -> list[tuple[Heard, int]]:
    """Read the event, then its ``if`` and its limit."""
    out: list[tuple[Heard, int]] = []
    for bounds, end in match(state, event, start):
        inner = state.inside(bind_nouns(state.scope, event, bounds))
        out += _terms(resolver, inner, end, (bounds, None, None, {}))
    return sorted(out, key=lambda candidate: -candidate[1])


def _terms(resolver: Resolver, state: ParseState, at: int, so_far: Heard) -> list[tuple[Heard, int]]:
    out = [(so_far, at)]
    bounds, condition, limit, title = so_far
    texts = state.texts
    if texts[at] != ",":
        return out
    if texts[at + 1] == "if" and condition is None:
        for test, end in disjunction(state, at + 2):
            out += _terms(resolver, state, end, (bounds, test, limit, title))
    elif texts[at + 1 : at + 3] == ("once", "per"):
        for event, end in _limits(resolver, state, at + 3):
            out += _terms(resolver, state, end, (bounds, condition, event, title))
    else:
        titled, end = actions.titles_at(state, at + 1)
        if titled:
            out += _terms(resolver, state, end, (bounds, condition, limit, titled))
    return sorted(out, key=lambda candidate: -candidate[1])


def _limits(resolver: Resolver, state: ParseState, at: int) -> list[tuple[Event, int]]:
    out: list[tuple[Event, int]] = []
    for event in resolver.words.model.events.values():
        out += [(event, end) for _, end in match(state, event, at)]
    return sorted(out, key=lambda candidate: -candidate[1])


def bind_nouns(scope: Scope, event: Event, bounds: Bounds) -> Scope:
    """Bind the nouns of a moment to the event's parameters."""
    inner = scope.child()
    for param, bound in zip(event.params, bounds, strict=True):
        binding = scope.find(param.name)
        if binding is None:
            continue
        if bound.type is not None:
            inner.alias(param.name, binding.slot, bound.type)
        if (bound.word and inner.find(bound.word) is None) or bound.word == param.name:
            inner.alias(bound.word, binding.slot, bound.type or param.type)
    return inner


def no_event(
    resolver: Resolver, line: Line, head: Clause, scope: Scope, timing: Timing, start: int, captured: bool
) -> None:
    """Report why a trigger can't be read: the best matching event, or none at all."""
    if not resolver.is_sound(line, head, scope):
        return
    for event in candidate_events(resolver, resolver.tokens(head), start)[:1]:
        inner = scope.listener(event, timing, captured)
        state = resolver.begin(line, head, inner)
        state.log.failing = True
        ends = [end for _, end in _moments(resolver, state, event, start)]
        resolver.report(error_selection.select_diagnostic(state, max(ends, default=0), None))
        return
    state = resolver.begin(line, head, scope)
    report_unknown_event(resolver, state, start)


def report_unknown_event(resolver: Resolver, state: ParseState, start: int = 0) -> None:
    """Report a phrase that matches no event.

    The report names the part that does not fit the event with these words, or the first unknown word, or an event with
    similar words.
    """
    for event in candidate_events(resolver, state.tokens, start)[:1]:
        failing = state.inside(state.scope)
        failing.log.failing = True
        ends = [end for _, end in match(failing, event, start)]
        resolver.report(error_selection.select_diagnostic(failing, max(ends, default=0), None, "an event"))
        return
    at = state.texts.index(",") if "," in state.texts else state.count
    phrase = state.phrase(start, at)
    forms_of_events = [" ".join(event.pattern) for event in resolver.words.model.events.values()]
    nearest = suggest(phrase, forms_of_events + list(resolver.words.model.events))
    strange = next(error_selection.unknown_words(state), None)
    literals = {word for event in resolver.words.model.events.values() for word in _literals(event)}
    if strange is not None and strange.suggestion in literals and nearest is None:
        resolver.report(strange)
        return
    nearest = nearest or _like(resolver, [text for text in state.texts[start:at] if text])
    resolver.report(UnknownEvent(state.span(start, at), phrase=phrase, suggestion=nearest))


_SHORT = 3
"""Length of words that are similar to too many others."""


def _like(resolver: Resolver, words: list[str]) -> str | None:
    """Return the pattern of the event that shares most words with `words`, at least half; similar spellings count."""
    best: tuple[int, int, str] | None = None
    for event in resolver.words.model.events.values():
        own = [word for word in _literals(event) if word not in CORE_WORDS]
        met = sum(word in words or (len(word) > _SHORT and suggest(word, words) is not None) for word in own)
        rank = (met, -len(own), " ".join(event.pattern))
        if 2 * met >= max(len(own), 1) and (best is None or rank[:2] > best[:2]):
            best = rank
    return best[2] if best is not None else None


# ── named and announced events ──────────────────────────────────────────────────────────────────


def event_named(resolver: Resolver, line: Line, node: Readable, scope: Scope) -> Event | None:
    """Return the event that a whole phrase names; report it if there is none."""
    state = resolver.begin(line, node, scope)
    for event, end in _limits(resolver, state, 0):
        if end == state.count:
            return event
    if resolver.is_sound(line, node, scope):
        report_unknown_event(resolver, state)
    return None


def subject(resolver: Resolver, line: Line, clause: Clause, scope: Scope) -> tuple[Event, Expr | None] | None:
    """Return the event of an ``until``, and the value that its first parameter must have."""
    state = resolver.begin(line, clause, scope)
    for event in candidate_events(resolver, state.tokens):
        for bounds, end in match(state, event, 0):
            if end == state.count:
                value = bounds[0].value if bounds else None
                return event, resolver.settled(state, value, scope) if value is not None else None
    if resolver.is_sound(line, clause, scope):
        report_unknown_event(resolver, state)
    return None


def happening(resolver: Resolver, line: Line, node: Readable, scope: Scope) -> tuple[Event, list[Expr | None]] | None:
    """Return the event of an ``expect happened``, and the value that each parameter must have (None: any)."""
    state = resolver.begin(line, node, scope)
    for event in candidate_events(resolver, state.tokens):
        for bounds, end in match(state, event, 0):
            if end == state.count and all(bound.condition is None for bound in bounds):
                values = [bound.value for bound in bounds]
                return event, [resolver.settled(state, value, scope) if value is not None else None for value in values]
    if resolver.is_sound(line, node, scope):
        report_unknown_event(resolver, state)
    return None


def announcement(resolver: Resolver, line: Line, clause: Clause, scope: Scope) -> tuple[Stmt, ...]:
    """Read ``announce EVENT args``: by the event's name with its arguments in order, or by the words of its form."""
    tokens = resolver.tokens(clause)
    by_name = [
        event
        for event in resolver.words.model.events.values()
        if tokens.texts[: len(event.id.split())] == tuple(event.id.split())
    ]
    if not by_name and not candidate_events(resolver, tokens):
        if resolver.is_sound(line, clause, scope):
            report_unknown_event(resolver, resolver.begin(line, clause, scope))
        return ()
    announced = resolver.read(
        line, clause, scope, ("announce",), lambda state: _announced(resolver, state), wanted="an event"
    )
    if announced is None:
        return ()
    event, args = announced
    return (ir.Announce(event, args, line.span_of(clause)),)


_Args = tuple[Expr | None, ...]


def _announced(resolver: Resolver, state: ParseState) -> list[tuple[tuple[Event, _Args], int]]:
    out: list[tuple[tuple[Event, _Args], int]] = []
    for event in resolver.words.model.events.values():
        ident = tuple(event.id.split())
        if state.texts[: len(ident)] == ident:
            for args, end in expressions.event_arguments(state, event.id, event.params, len(ident)):
                out.append(((event, args), end))
    for event in candidate_events(resolver, state.tokens):
        for bounds, end in match(state, event, 0):
            values = tuple(bound.value for bound in bounds)
            if all(value is not None for value in values):
                out.append(((event, values), end))
    return sorted(out, key=lambda candidate: (-candidate[1], -len(candidate[0][0].id.split())))
