"""Calls of forms: their words, implied and default arguments, missing and ambiguous ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from fcbdsl.base.diagnostics.articles import a
from fcbdsl.base.diagnostics.phrases import (
    MissingArgument,
    NobodyPerforms,
    WrongType,
)
from fcbdsl.base.records import dataclass
from fcbdsl.language.model import ir
from fcbdsl.language.model.declarations import Form, Param
from fcbdsl.language.model.ir import FLAG, Expr, Renamed, Substitution, Type, substitute
from fcbdsl.language.model.resolve.fitting import fit
from fcbdsl.language.model.resolve.parse_state import Capture, ParseState, Stops
from fcbdsl.language.model.resolve.scope import own_scope
from fcbdsl.language.model.resolve.type_wording import type_words, usage

Args = tuple[Expr | None, ...]


@dataclass(slots=True)
class FormCall:
    """A form being applied: its parameters, its stop words, and its form or event."""

    params: Sequence[Param]
    sort: str
    stops: Stops
    form: Form | None = None
    event: str = ""

    @property
    def name(self) -> str:
        """Return the name of the form, or of the event, for messages."""
        return self.form.id if self.form is not None else self.event

    @property
    def usage(self) -> str:
        """Return the usage of the form, for a message."""
        if self.form is not None:
            return usage(self.form)
        return " ".join(["announce", self.event, *(param.name.upper() for param in self.params)])


def forms_at(state: ParseState, sort: str, at: int) -> Iterator[tuple[Form, int]]:
    """Yield the forms whose words begin at `at`, longest first, with the index after the words."""
    texts = state.texts
    word = texts[at]
    if word is None:
        return
    for form in state.words.forms[sort].get(word, ()):
        after = at + len(form.words)
        if texts[at:after] == form.words and not any(state.tokens.possessive[i] for i in range(at, after - 1)):
            yield form, after


def may_be_self(state: ParseState, args: Sequence[Expr | None], end: int) -> bool:
    """Return whether the second argument may be `self` of the effect that is the first argument; report it if not."""
    effect, who = args[0], args[1]
    kind = state.words.model.kinds.get(effect.of.type.name) if isinstance(effect, ir.Get) else None
    if kind is None or who is None or not isinstance(effect, ir.Get):
        return True
    want = own_scope(kind, state.words.model, effect.field)[0]
    if fit(state, who, want) is not None:
        return True
    written = who.span.source.text[who.span.start : who.span.end]
    report = partial(WrongType, who.span, phrase=written, found=type_words(who.type), wanted=type_words(want))
    state.fail(end, 8, report)
    return False


def has_self(state: ParseState, args: Sequence[Expr | None], end: int) -> bool:
    """Return whether an effect that a call performs may refer to its `self`, here a thing with the required role.

    If not, report it."""
    effect = args[0]
    kind = state.words.model.kinds.get(effect.of.type.name) if isinstance(effect, ir.Get) else None
    if not isinstance(effect, ir.Get) or kind is None or not effect.field.role:
        return True
    if state.words.related(own_scope(kind, state.words.model)[0].name, effect.field.role):
        return True
    written = effect.span.source.text[effect.span.start : effect.span.end]
    report = partial(NobodyPerforms, effect.span, field=effect.field.id, role=a(effect.field.role), phrase=written)
    state.fail(end, 8, report)
    return False


def note_clashes(state: ParseState, applied: list[tuple[Form, int]], at: int) -> None:
    """Note forms with the same words that read the same tokens."""
    first: dict[int, Form] = {}
    for form, end in applied:
        other = first.setdefault(end, form)
        if other is not form and other.words == form.words:
            state.log.clashes[state.span(at, end)] = (other, form)


def existential(state: ParseState, form: Form, args: Args, type: Type, start: int, end: int) -> Expr:
    """Return a relation to a selection where one thing is needed: it holds for any of the selected things."""
    span = state.span(start, end)
    for index, arg in enumerate(args):
        param = form.params[index]
        if arg is not None and arg is not param.default and arg.type.many and not param.type.many:
            slot = state.hold("it", arg.type.one())
            item = fit(state, ir.Var("it", slot, arg.type.one(), arg.span), param.type)
            inner = existential(state, form, (*args[:index], item, *args[index + 1 :]), type, start, end)
            return ir.Quantified("any", arg, slot, inner, FLAG, span)
    return ir.Apply(form, args, type, span)


def complete_arguments(state: ParseState, call: FormCall, at: int, filled: dict[int, Expr]) -> Args | Param:
    """Return all arguments, with implied and default values filled in; or the parameter that is missing."""
    args: list[Expr | None] = []
    for index, param in enumerate(call.params):
        value = filled.get(index)
        if value is None and index == 0:
            value = _implied(state, call, param, at)
        if value is None:
            value = _default(state, param)
        if value is None and not param.optional:
            return param
        args.append(value)
    return tuple(args)


def _default(state: ParseState, param: Param) -> Expr | None:
    """Return the value of an omitted argument; candidates of its selections get slots of the calling body."""
    if param.default is None or not param.slots:
        return param.default
    own = {slot: state.hold(name, type) for slot, (name, type) in enumerate(param.slots, start=2)}
    return substitute(param.default, Substitution(slots=Renamed(own)))


def note_missing(state: ParseState, call: FormCall, param: Param, at: int) -> None:
    """Note that the argument for a parameter is missing at `at`."""
    state.fail(
        at,
        2,
        lambda: MissingArgument(
            state.span(at, at + 1) if at < state.count else state.span(max(0, at - 1), at),
            form=call.name,
            param=param.name,
            type=type_words(param.type),
            usage=call.usage,
        ),
    )


def _implied(state: ParseState, call: FormCall, param: Param, at: int) -> Expr | None:
    """Return the implied first argument of a measure or relation: the candidate, `self` or `this`."""
    scope = state.scope
    if call.sort not in {"measure", "relation"} or param.preposition not in (None, "of") or param.type.many:
        return None
    if scope.it is not None:
        var = state.var("it", scope.it.slot, scope.it.type, at - 1, at)
        fitting = fit(state, var, param.type) if scope.it.type.base in {"thing", "definition"} else None
        if fitting is not None:
            _captured_argument(state, call, param, at)
            return fitting
    if call.sort == "relation" or param.default is not None:
        return None
    for name, slot, type in (("self", 0, scope.self_type), ("this", 1, scope.this_type)):
        if type is not None:
            fitting = fit(state, state.var(name, slot, type, at - 1, at), param.type)
            if fitting is not None:
                return fitting
    return None


def _captured_argument(state: ParseState, call: FormCall, param: Param, at: int) -> None:
    """Note that the candidate captures a bare measure that certainly also fits `self` or `this`."""
    form, scope = call.form, state.scope
    if form is None or call.sort != "measure" or state.texts[at - len(form.words) : at] != form.words:
        return
    for name, type in (("self", scope.self_type), ("this", scope.this_type)):
        if type is not None and type.base == param.type.base and state.words.is_a(type.name, param.type.name):
            state.log.captures[state.span(at - 1, at)] = Capture(" ".join(form.words), name)
            return
