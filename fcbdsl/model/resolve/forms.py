"""Applying a form: binding its parameters to what follows its words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from functools import partial

from fcbdsl.diagnostics import Fix
from fcbdsl.diagnostics.phrases import MissingArgument, MissingPreposition, OneNeeded, WrongType
from fcbdsl.model import ir
from fcbdsl.model.declarations import Form, Param
from fcbdsl.model.ir import FLAG, Change, Expr, Renamed, Type, rewrite
from fcbdsl.model.resolve import expressions, names
from fcbdsl.model.resolve.fitting import fit, narrowed
from fcbdsl.model.resolve.reading import NONE, PROVISIONAL, Capture, Found, Reading, Stops, longest
from fcbdsl.model.resolve.vocabulary import CORE_WORDS
from fcbdsl.model.resolve.wording import type_words, usage
from fcbdsl.syntax import tree

Args = tuple[Expr | None, ...]


@dataclass(slots=True)
class _Call:
    """A form being applied: its parameters, what stands outside, and what was given before the words."""

    name: str
    params: Sequence[Param]
    sort: str
    usage: str
    stops: Stops
    form: Form | None = None


def spelled(reading: Reading, sort: str, at: int) -> Iterator[tuple[Form, int]]:
    """Forms whose words stand at `at`, longest first, with the index after the words."""
    texts = reading.texts
    word = texts[at]
    if word is None:
        return
    for form in reading.words.forms[sort].get(word, ()):
        after = at + len(form.words)
        if texts[at:after] == form.words and not any(reading.tokens.possessive(i) for i in range(at, after - 1)):
            yield form, after


def verbs(reading: Reading, at: int) -> list[tuple[ir.Do, int]]:
    """Statements that a verb at `at` makes."""
    out: list[tuple[ir.Do, int]] = []
    for form, after in spelled(reading, "verb", at):
        call = _Call(form.id, form.params, "verb", usage(form), NONE, form)
        out += [(ir.Do(form, args, reading.span(at, end)), end) for args, end in _arguments(reading, call, after, None)]
    _note_clashes(reading, [(made.form, end) for made, end in out], at)
    return sorted(out, key=lambda one: -one[1])


def accepting(reading: Reading, at: int) -> list[Form]:
    """Verbs that could take all tokens from `at` on as their arguments."""
    out: list[Form] = []
    for form in (form for same in reading.words.forms["verb"].values() for form in same):
        call = _Call(form.id, form.params, "verb", usage(form), NONE, form)
        if any(end == len(reading.tokens) for _, end in _arguments(reading, call, at, None)):
            out.append(form)
    return out


def relations(reading: Reading, at: int, subject: Expr | None, start: int, stops: Stops) -> list[Found]:
    """Conditions that a relation at `at` makes about `subject` (None: written without one)."""
    out: list[Found] = []
    for form, after in spelled(reading, "relation", at):
        if form.words[0] in stops:
            continue
        out += _applied(reading, form, after, subject, start, stops, FLAG)
    return _distinct(reading, out, at)


def measures(reading: Reading, at: int, subject: Expr | None, start: int, stops: Stops) -> list[Found]:
    """Values that a measure at `at` gives; `subject` is what stood before ``'s``."""
    out: list[Found] = []
    for form, after in spelled(reading, "measure", at):
        if subject is not None and (not form.params or after <= at):
            continue
        out += _applied(reading, form, after, subject, start, stops, form.gives)
    return _distinct(reading, out, at)


def _distinct(reading: Reading, found: list[Found], at: int) -> list[Found]:
    """Note where two forms of the same words both fit: whoever uses such a reading is ambiguous."""
    _note_clashes(reading, [(expr.form, end) for expr, end in found if isinstance(expr, ir.Apply)], at)
    return longest(found)


def _note_clashes(reading: Reading, applied: list[tuple[Form, int]], at: int) -> None:
    first: dict[int, Form] = {}
    for form, end in applied:
        other = first.setdefault(end, form)
        if other is not form and other.words == form.words:
            reading.log.clashes[reading.span(at, end).start] = (other, form)


def _applied(
    reading: Reading, form: Form, after: int, subject: Expr | None, start: int, stops: Stops, gives: Type
) -> list[Found]:
    call = _Call(form.id, form.params, form.sort, usage(form), stops, form)
    given: Expr | None = None
    if subject is not None:
        if not form.params:
            return []
        given = fit(reading, subject, form.params[0].type)
        if given is None:
            wanted = form.params[0].type
            wrong(reading, after - 1, start, after - len(form.words), subject, wanted)
            return []
    out: list[Found] = []
    for args, end in _arguments(reading, call, after, given):
        type = narrowed(reading, gives, list(args)) if form.op is not None else gives
        out.append((_existential(reading, form, args, type, start, end), end))
    return out


def _existential(reading: Reading, form: Form, args: Args, type: Type, start: int, end: int) -> Expr:
    """A relation to a selection where one thing is needed holds if it holds to any of the selected."""
    span = reading.span(start, end)
    for index, arg in enumerate(args):
        param = form.params[index]
        if arg is not None and arg is not param.default and arg.type.many and not param.type.many:
            slot = reading.hold("it", arg.type.one())
            one = fit(reading, ir.Var("it", slot, arg.type.one(), arg.span), param.type)
            inner = _existential(reading, form, (*args[:index], one, *args[index + 1 :]), type, start, end)
            return ir.Quantified("any", arg, slot, inner, FLAG, span)
    return ir.Apply(form, args, type, span)


def event_arguments(reading: Reading, name: str, params: Sequence[Param], at: int) -> list[tuple[Args, int]]:
    """Arguments of an announced event, in the order of its parameters."""
    plain = [copy(one) for one in params]
    for one in plain:
        one.preposition = None
    words = " ".join(["announce", name, *(one.name.upper() for one in params)])
    return _arguments(reading, _Call(name, plain, "event", words, NONE), at, None)


def _arguments(reading: Reading, call: _Call, at: int, given: Expr | None) -> list[tuple[Args, int]]:
    """All ways to bind the parameters from `at` on, longest first."""
    filled: dict[int, Expr] = {} if given is None else {0: given}
    best: dict[int, Args] = {}
    for args, end in _fill(reading, call, at, filled):
        best.setdefault(end, args)
    return [(best[end], end) for end in sorted(best, reverse=True)]


def _fill(reading: Reading, call: _Call, at: int, filled: dict[int, Expr]) -> Iterator[tuple[Args, int]]:
    text = reading.texts[at]
    longer = False
    for index, param in enumerate(call.params):
        if index not in filled and param.preposition is not None and param.preposition == text:
            if text in call.stops:
                continue
            for value, end in _argument(reading, call, param, at + 1, filled):
                for found in _fill(reading, call, end, {**filled, index: value}):
                    longer = True
                    yield found
            if param.type == FLAG:
                yes = ir.Const(1, FLAG, reading.span(at, at + 1), "yes")
                yield from _fill(reading, call, at + 1, {**filled, index: yes})
    plain = next((i for i, p in enumerate(call.params) if i not in filled and p.preposition is None), None)
    if plain is not None and text != "":
        start = at + 1 if plain == 0 and text == "of" and call.sort == "measure" and text not in call.stops else at
        for value, end in _argument(reading, call, call.params[plain], start, filled):
            for found in _fill(reading, call, end, {**filled, plain: value}):
                longer = True
                yield found
    done = _completed(reading, call, at, filled)
    if not isinstance(done, Param):
        yield done, at
    elif not longer:
        _missing(reading, call, done, at)
    if reading.log.failing and text:
        _unprepared(reading, call, at, filled)


def _unprepared(reading: Reading, call: _Call, at: int, filled: dict[int, Expr]) -> None:
    """Say which preposition is missing, if what stands here would be an argument behind one."""
    for index, param in enumerate(call.params):
        if index in filled or param.preposition is None or param.type == FLAG or reading.texts[at] in CORE_WORDS:
            continue
        for _, end in _values(reading, param.type, at, call.stops, call.sort != "measure")[:1]:
            missing_preposition(reading, at, end, param.preposition, call.usage)


def missing_preposition(reading: Reading, at: int, end: int, preposition: str, usage: str) -> None:
    """Note that a preposition is missing before the tokens from `at` to `end`."""
    word = reading.phrase(at, end)
    span = reading.span(at, end)
    made = partial(MissingPreposition, span, preposition=preposition, word=word, usage=usage)
    reading.fail(at, 3, partial(made, fix=Fix(span, f"{preposition} {word}")))


def _completed(reading: Reading, call: _Call, at: int, filled: dict[int, Expr]) -> Args | Param:
    """The arguments with what is understood where nothing is written; or the parameter that is missing."""
    args: list[Expr | None] = []
    for index, param in enumerate(call.params):
        value = filled.get(index)
        if value is None and index == 0:
            value = _implied(reading, call, param, at)
        if value is None:
            value = _default(reading, param)
        if value is None and not param.optional:
            return param
        args.append(value)
    return tuple(args)


def _default(reading: Reading, param: Param) -> Expr | None:
    """What an unwritten argument is; the candidates of its selections get slots of the body that calls."""
    if param.default is None or not param.slots:
        return param.default
    own = {slot: reading.hold(name, type) for slot, (name, type) in enumerate(param.slots, start=2)}
    return rewrite(param.default, Change(slots=Renamed(own)))


def _missing(reading: Reading, call: _Call, param: Param, at: int) -> None:
    reading.fail(
        at,
        2,
        lambda: MissingArgument(
            reading.span(at, at + 1) if at < len(reading.tokens) else reading.span(max(0, at - 1), at),
            form=call.name,
            param=param.name,
            type=type_words(param.type),
            usage=call.usage,
        ),
    )


def _implied(reading: Reading, call: _Call, param: Param, at: int) -> Expr | None:
    """The candidate, or whose text it is, as the unwritten first parameter of a measure or relation."""
    scope = reading.scope
    if call.sort not in {"measure", "relation"} or param.preposition not in (None, "of") or param.type.many:
        return None
    if scope.it is not None:
        var = reading.var("it", scope.it.slot, scope.it.type, at - 1, at)
        fitting = fit(reading, var, param.type) if scope.it.type.base in {"thing", "definition"} else None
        if fitting is not None:
            _captured(reading, call, param, at)
            return fitting
    if call.sort == "relation" or param.default is not None:
        return None
    for name, slot, type in (("self", 0, scope.self_type), ("this", 1, scope.this_type)):
        if type is not None:
            fitting = fit(reading, reading.var(name, slot, type, at - 1, at), param.type)
            if fitting is not None:
                return fitting
    return None


def _captured(reading: Reading, call: _Call, param: Param, at: int) -> None:
    """Note that the candidate takes a measure written bare, if `self` or `this` is such a thing for certain."""
    form, scope = call.form, reading.scope
    if form is None or call.sort != "measure" or reading.texts[at - len(form.words) : at] != form.words:
        return
    for name, type in (("self", scope.self_type), ("this", scope.this_type)):
        if type is not None and type.base == param.type.base and reading.words.is_a(type.name, param.type.name):
            reading.log.captures[reading.span(at - 1, at)] = Capture(" ".join(form.words), name)
            return


def _argument(reading: Reading, call: _Call, param: Param, at: int, filled: dict[int, Expr]) -> list[Found]:
    """Values for one parameter: those that leave the form its own prepositions come first."""
    own = {p.preposition for i, p in enumerate(call.params) if i not in filled and p.preposition and p is not param}
    stops = call.stops | own
    arithmetic = call.sort != "measure"
    found = _values(reading, param.type, at, stops, arithmetic)
    if own or call.stops:
        found = found + [one for one in _values(reading, param.type, at, NONE, arithmetic) if one not in found]
    if not found and call.sort == "relation" and not param.type.many and param.type.base == "thing":
        found = [
            one
            for one in expressions.primaries(reading, at, None, stops)
            if one[0].type.many and fit(reading, _candidate(one[0]), param.type) is not None
        ]
    if not found and reading.log.failing:
        _explain(reading, param, at, stops)
    return found


def _candidate(expr: Expr) -> Expr:
    return ir.Var("it", PROVISIONAL, expr.type.one(), expr.span)


def _values(reading: Reading, type: Type, at: int, stops: Stops, arithmetic: bool) -> list[Found]:
    if type.many:
        return expressions.lists(reading, at, type, stops)
    if arithmetic:
        return expressions.sums(reading, at, type, stops)
    return expressions.primaries(reading, at, type, stops)


def _explain(reading: Reading, param: Param, at: int, stops: Stops) -> None:
    """Say what stands there instead of the value that is needed."""
    for expr, end in expressions.primaries(reading, at, None, stops)[:1]:
        wrong(reading, at, at, end, expr, param.type)
        return
    word, want = reading.texts[at], param.type.one()
    needed = param.default is None and not param.optional
    known = want.base in names.NAMED or bool(names.values(reading.words, want))
    if word and needed and known and _is_name(reading, at, stops):
        reading.fail(at, 4, lambda: names.unknown(reading.words, word, want, reading.span(at, at + 1)))


def _is_name(reading: Reading, at: int, stops: Stops) -> bool:
    """Whether an author may have meant the word at `at` as a name."""
    word = reading.texts[at] or ""
    ours = word in CORE_WORDS or word in stops or word in reading.scope.frame.later
    return isinstance(reading.tokens.nodes[at], tree.Word) and not ours


def wrong(reading: Reading, place: int, first: int, after: int, expr: Expr, want: Type) -> None:
    """Note that `expr`, read from some tokens, is not what is needed at token `place`."""
    several = expr.type.many and not want.many and fit(reading, _candidate(expr), want) is not None
    mistake = OneNeeded if several else WrongType
    reading.fail(
        place,
        3,
        lambda: mistake(
            reading.span(first, after),
            phrase=reading.phrase(first, after),
            found=type_words(expr.type),
            wanted=type_words(want),
        ),
    )
