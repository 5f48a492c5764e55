"""Expressions, read by recursive descent: values with lists and arithmetic, conditions, selections, and forms with
their arguments.

They are one module because each can contain any other. Parts that contain none are in `selections` and `form_calls`.
The functions follow this grammar, and return every reading with its end::

    list        = sum {"," sum}
    sum         = product {("+" | "-") product}
    product     = primary {("*" | "/") primary}
    primary     = base {"'s" attribute} [suffixes]      suffixes only after a list
    base        = literal | pronoun | name | noun | measure | column
    suffixes    = {relation | "not" relation | "with" marker | "except" primary | "where" condition} [order]
    order       = "," ("by" | "in order of") criterion {", then" criterion}
    condition   = conjunction {"or" conjunction}        the function is `disjunction`
    conjunction = negation {"and" negation}
    negation    = {"not"} comparison
    comparison  = sum ("=" | "<" | …) sum | sum predicate | ("any" | "no" | "every") primary predicate | relation
    predicate   = ["is" | "are" | "has"] ["not"] (relation | complement)
    form        = words and arguments, as its declaration orders them      verbs, relations and measures
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from fcbdsl.base.diagnostics.phrases import (
    MissingPart,
    NoSuchPlayer,
    OfInstances,
    OneNeeded,
    TooDeep,
    UnknownSpace,
    WrongType,
)
from fcbdsl.base.source import Span
from fcbdsl.language.model import ir
from fcbdsl.language.model.builtins import TEAM
from fcbdsl.language.model.declarations import Field, Form, Param, Trait
from fcbdsl.language.model.ir import FLAG, NUMBER, TEXT, Expr, Type
from fcbdsl.language.model.resolve import failing, names
from fcbdsl.language.model.resolve.fitting import builtin, definition_expr, fit, is_compatible, narrow_type
from fcbdsl.language.model.resolve.form_calls import (
    Args,
    FormCall,
    complete_arguments,
    existential,
    forms_at,
    has_self,
    may_be_self,
    note_clashes,
    note_missing,
)
from fcbdsl.language.model.resolve.parse_state import DEEPEST, NONE, Capture, Found, ParseState, Stops
from fcbdsl.language.model.resolve.scope import SELF, THIS, Scope
from fcbdsl.language.model.resolve.selections import (
    add_condition,
    all_definitions,
    all_directions,
    belongs,
    candidate_var,
    ground_nouns,
    instances_of,
    is_list,
    note_itself,
)
from fcbdsl.language.model.resolve.tokens import flatten
from fcbdsl.language.model.resolve.type_wording import type_words
from fcbdsl.language.model.resolve.vocabulary import CORE_WORDS, SINGLETONS, Attribute
from fcbdsl.language.syntax import tree

Read = TypeVar("Read")


def read_expression(state: ParseState, want: Type | None) -> list[Found]:
    """Return the readings from the first token on, as a value of type `want` (None: of any type)."""
    if want is None:
        return longest(sums(state, 0, None, NONE) + disjunction(state, 0) + lists(state, 0, None, NONE))
    if want.many:
        return lists(state, 0, want, NONE)
    if want.base in {"flag", "condition"}:
        return disjunction(state, 0)
    return sums(state, 0, want, NONE)


def longest_first(readings: list[tuple[Read, int]]) -> list[tuple[Read, int]]:
    """Return readings sorted by their ends, longest first; the order of equally long ones stays."""
    return sorted(readings, key=_shortness) if len(readings) > 1 else readings


def _shortness(readings: tuple[object, int]) -> int:
    return -readings[1]


def longest(readings: list[Found]) -> list[Found]:
    """Return alternatives longest first; of equal length and type only the first one."""
    if len(readings) < 2:
        return [*readings]
    unique: list[Found] = []
    types: dict[int, list[Type]] = {}
    for reading in readings:
        expr, end = reading
        others = types.get(end)
        if others is None:
            types[end] = [expr.type]
        elif expr.type in others:
            continue
        else:
            others.append(expr.type)
        unique.append(reading)
    return longest_first(unique)


# ── lists and arithmetic ────────────────────────────────────────────────────────────────────────


def lists(state: ParseState, at: int, want: Type | None, stops: Stops) -> list[Found]:
    """Read lists: one value, or several with commas between them. Without `want`, only with a comma."""
    out: list[Found] = [] if want is None else sums(state, at, want, stops)
    element = want.one() if want is not None else None
    for first, end in sums(state, at, element, stops) + (out if want is not None else []):
        items, after = [first], end
        while state.texts[after] == "," and state.texts[after + 1] not in {"by", "then", "or", "except", "if"}:
            more = sums(state, after + 1, element, stops)
            if want is not None:
                more = more or sums(state, after + 1, want, stops)
            if not more or (want is None and not is_compatible(state, more[0][0].type, first.type)):
                break
            items.append(more[0][0])
            after = more[0][1]
            type = want if want is not None else first.type.several()
            out.append((ir.ListOf(tuple(items), type, state.span(at, after)), after))
    return longest(out)


def sums(state: ParseState, at: int, want: Type | None, stops: Stops) -> list[Found]:
    """Read sums and differences of products; or any value where no number is needed."""
    if want is not None and (want.many or want.base not in {"number", "formula"}):
        return primaries(state, at, want, stops)
    key = ("sums", at, want, stops)
    cached = state.memo.get(key)
    if cached is not None:
        return cached
    out: list[Found] = []
    for first in _products(state, at, want, stops):
        out += _chain(state, at, first, ("+", "-"), stops)
    out = state.memo[key] = longest(out)
    return out


def _products(state: ParseState, at: int, want: Type | None, stops: Stops) -> list[Found]:
    out: list[Found] = []
    for first in primaries(state, at, want, stops):
        out += _chain(state, at, first, ("*", "/"), stops)
    return longest(out)


def _chain(state: ParseState, at: int, first: Found, ops: tuple[str, str], stops: Stops) -> list[Found]:
    """Read a left-associative chain of operators that begins with `first`."""
    out = [first]
    left, end = first
    op = state.texts[end]
    number = fit(state, left, NUMBER) if op in ops else None
    if op is None or number is None:
        return out
    operand = _products if ops[0] == "+" else primaries
    for right, after in operand(state, end + 1, NUMBER, stops):
        both = ir.Binary(op, number, right, NUMBER, state.span(at, after))
        out += _chain(state, at, (both, after), ops, stops)
    return out


# ── single values ───────────────────────────────────────────────────────────────────────────────


def primaries(state: ParseState, at: int, want: Type | None, stops: Stops) -> list[Found]:
    """Read values without operators at `at`, with possessives, filters and criteria after them."""
    key = ("primaries", at, want, stops)
    cached = state.memo.get(key)
    if cached is not None:
        return cached
    state.memo[key] = []
    if state.log.depth >= DEEPEST:
        state.fail(at, 9, lambda: TooDeep(state.span(at, at + 1)))
        return []
    state.log.depth += 1
    out: list[Found] = []
    for base in _bases(state, at, want, stops):
        for owner in _possessed(state, at, base, stops):
            if is_list(owner[0]):
                out += selection_suffixes(state, at, owner, stops)
                continue
            out.append(owner)
            if state.log.failing and state.texts[owner[1]] == "where" and owner[0].type.base == "thing":
                _note_lone(state, at, owner)
    state.log.depth -= 1
    fitting: list[Found] = []
    for expr, end in out:
        value = fit(state, expr, want)
        if value is not None:
            fitting.append((value, end))
    readings = state.memo[key] = longest(fitting)
    return readings


def _note_lone(state: ParseState, at: int, owner: Found) -> None:
    """Note a `where` after a single thing. A longer selection may still use it as its filter."""
    expr, end = owner
    state.log.lone[state.tokens.nodes[end].start] = (state.span(at, end), type_words(expr.type))


def _possessed(state: ParseState, at: int, base: Found, stops: Stops) -> list[Found]:
    """Read `base`, or the attribute after its ``'s``."""
    expr, end = base
    if not state.tokens.possessive[end - 1]:
        return [base]
    if end >= state.count:
        state.fail(end, 4, lambda: MissingPart(state.span(end - 1, end), before=state.phrase(at, end)))
        return []
    out: list[Found] = []
    for readings in attributes(state, expr, end, at, stops):
        out += _possessed(state, at, readings, stops)
    return out


def _bases(state: ParseState, at: int, want: Type | None, stops: Stops) -> list[Found]:
    if at >= state.count:
        if at:
            state.fail(at, 1, lambda: MissingPart(state.span(at - 1, at), before=state.phrase(at - 1, at)))
        return []
    node = state.tokens.nodes[at]
    span = Span(state.source, state.offset + node.start, state.offset + node.end)
    if isinstance(node, tree.Word):
        if want is not None and state.tokens.possessive[at]:
            want = None
        return _word(state, at, node.text, span, want, stops)
    return _literal(state, at, node, span, want)


def _literal(state: ParseState, at: int, node: tree.Node, span: Span, want: Type | None) -> list[Found]:
    if isinstance(node, tree.Number):
        return [(ir.Const(node.value, NUMBER, span), at + 1)]
    if isinstance(node, tree.String):
        return [(ir.Text(node.value, TEXT, span), at + 1)]
    if isinstance(node, tree.Copy):
        return [(expr, at + 1) for expr in names.instances_named(state, node, span)]
    if isinstance(node, tree.Side):
        side = f"{node.first}/{node.second}"
        for word in (node.first, node.second):
            if state.scope.board is not None and not state.is_cell(state.scope.board, word):
                state.fail(at, 5, lambda word=word: UnknownSpace(span, space=word))  # type: ignore[misc]
                return []
        return [(ir.Instance("side", side, 1, ir.SIDE, span), at + 1)]
    if isinstance(node, tree.Group):
        inner = state.of(node)
        out = [(expr, at + 1) for expr, end in read_expression(inner, want) if end == inner.count][:3]
        if not out and want is not None and not want.many and state.log.failing:
            _note_several(state, inner, at, want)
        return out
    return []


def _note_several(state: ParseState, inner: ParseState, at: int, want: Type) -> None:
    """Note that parentheses contain several things where one is needed; this explains any failure inside them."""
    for expr, end in primaries(inner, 0, None, NONE):
        if end == inner.count and expr.type.many and fit(state, failing.any_candidate(expr), want) is not None:
            state.fail(
                inner.count + at,
                6,
                lambda: OneNeeded(state.span(at, at + 1), phrase=state.phrase(at, at + 1), wanted=type_words(want)),
            )
            return


def _word(state: ParseState, at: int, word: str, span: Span, want: Type | None, stops: Stops) -> list[Found]:
    senses, binding = state.words.senses(word), state.scope.locals.get(word)
    out = _pronouns(state, at, word, span) if word in _PRONOUNS else []
    if binding is not None:
        out.append((ir.Var(word, binding.slot, binding.type, span), at + 1))
    if senses.attribute:
        out += _bare(state, at, word, span, stops)
    if senses.measure:
        out += measures(state, at, None, at, stops)
    if senses.attribute:
        out += _owned(state, at, word, stops)
    if senses.name or state.scope.board is not None:
        for name in names.constants_named(state, word, want, span):
            out.append((name, at + 1))
    if senses.noun and (state.log.failing or not state.tokens.possessive[at]):  # lists have no attributes
        out += nouns(state, at)
    if want is not None and want.many and want.base == "definition" and word in state.words.model.kinds:
        out.append((all_definitions(state, word, span), at + 1))
    if word == "number" and state.texts[at + 1] == "of":
        out[:0] = _count(state, at, stops)  # before a column called `number` of a local that is called like a kind
    if word == "player" and binding is None:
        out += _seat(state, at)
    return longest_first(out)


def _seat(state: ParseState, at: int) -> list[Found]:
    """Read ``player 2``: the player with that number."""
    number = state.tokens.nodes[at + 1] if at + 1 < state.count else None
    if not isinstance(number, tree.Number) or number.signed or state.tokens.possessive[at]:
        return []
    most = state.words.model.players[1]
    if not 1 <= number.value <= most:
        state.fail(at + 1, 5, lambda: NoSuchPlayer(state.span(at, at + 2), number=number.value, most=most))
        return []
    player = ir.Instance("player", "player", number.value, Type("thing", "player"), state.span(at, at + 2))
    return [(player, at + 2)]


_PRONOUNS = frozenset({"it", "self", "this", "yes", "no", "nothing", "none"})


def _pronouns(state: ParseState, at: int, word: str, span: Span) -> list[Found]:
    scope = state.scope
    if word == "it":
        if scope.it is None:
            failing.meaningless(
                state, at, word, "Use `it` only inside `where`, a filter or a criterion, for the candidate."
            )
            return []
        return [(ir.Var("it", scope.it.slot, scope.it.type, span), at + 1)]
    if word in {"self", "this"}:
        type = scope.self_type if word == "self" else scope.this_type
        if type is None:
            failing.meaningless(
                state, at, word, "Name the piece or card: these lines belong to none, so there is no `self` or `this`."
            )
            return []
        return [(ir.Var(word, SELF if word == "self" else THIS, type, span), at + 1)]
    if word in {"yes", "no"}:
        return [(ir.Const(1 if word == "yes" else 0, FLAG, span, word), at + 1)]
    if word == "nothing":
        return [(ir.Const(-1, ir.NOTHING, span, word), at + 1)]
    return [(ir.ListOf((), ir.NOTHING.several(), span), at + 1)]


def _count(state: ParseState, at: int, stops: Stops) -> list[Found]:
    out: list[Found] = []
    for expr, end in primaries(state, at + 2, None, stops):
        if expr.type.base == "zone" and "contents" in state.words.by_op:
            form = state.words.by_op["contents"]
            expr = ir.Apply(form, (expr,), Type("thing", expr.type.name or "thing", True), expr.span)
        if expr.type.many:
            slot = state.hold("it", expr.type.one())
            out.append((ir.Quantified("number", expr, slot, None, NUMBER, state.span(at, end)), end))
    return out


# ── columns ─────────────────────────────────────────────────────────────────────────────────────


def _bare(state: ParseState, at: int, word: str, span: Span, stops: Stops) -> list[Found]:
    """Read a bare column: the candidate's, one of `self`, the game's, the mission's.

    The last possibility is a column of a kind below that of the candidate or `self`.
    """
    scope, words = state.scope, state.words
    owners: list[tuple[str, int, Type]] = []
    if scope.it is not None:
        owners.append(("it", scope.it.slot, scope.it.type))
    if scope.self_type is not None:
        owners.append(("self", SELF, scope.self_type))
    if scope.this_type is not None:
        owners.append(("this", THIS, scope.this_type))
    for certain in (True, False):
        for name, slot, type in owners:
            if type.base not in {"thing", "definition"} or type.many:
                continue
            column = words.attribute(type.name or "thing", word)
            if certain == (column.certain and type.name != "") and (certain or not words.is_part(word)):
                readings = _column(state, ir.Var(name, slot, type, span), word, column, at, at + 1, span, stops)
                if readings:
                    if name == "it":
                        _captured(state, at, word)
                    return readings
        for single in SINGLETONS if certain else ():
            column = words.attribute(single, word)
            if column.certain:
                game = ir.Instance(single, single, 1, Type("thing", single), span)
                return _column(state, game, word, column, at, at + 1, span, stops)
    return []


def _captured(state: ParseState, at: int, word: str) -> None:
    """Note that the candidate captures a bare name that a local, `self` or `this` also has."""
    scope = state.scope
    rival = "a local" if scope.find(word) is not None else ""
    for name, type in (("self", scope.self_type), ("this", scope.this_type)):
        if type is not None and type.base in {"thing", "definition"} and state.words.attribute(type.name, word).certain:
            rival = rival or name
    if rival:
        state.log.captures[state.span(at, at + 1)] = Capture(word, rival)


def attributes(state: ParseState, owner: Expr, at: int, start: int, stops: Stops) -> list[Found]:
    """Read the word after ``'s``: a column, zone, part or measure of `owner`."""
    word = state.texts[at]
    if word is None or owner.type.many or owner.type.base not in {"thing", "definition", "zone", "die"}:
        if word is not None:
            failing.lacks(state, owner, word, at)
        return []
    out = _column_of(state, owner, word, start, at + 1, stops) + measures(state, at, owner, start, stops)
    if not out:
        failing.lacks(state, owner, word, at)
    return out


def _owned(state: ParseState, at: int, word: str, stops: Stops) -> list[Found]:
    """Read ``HP of x``, ``Tired on x``, ``hand of self``."""
    link = state.texts[at + 1] if at + 1 < state.count else ""
    if state.log.failing and link and state.words.is_attribute(word) and state.scope.find(word) is None:
        _unprepared(state, at, word, stops)
    if link not in ("of", "on") or link in stops:
        return []
    out: list[Found] = []
    for owner, end in primaries(state, at + 2, None, stops | {"by"}):
        if owner.type.many or owner.type.base not in {"thing", "definition"}:
            continue
        readings = _column_of(state, owner, word, at, end, stops)
        if not readings:
            failing.lacks(state, owner, word, at)
        out += readings
    return out


def _unprepared(state: ParseState, at: int, word: str, stops: Stops) -> None:
    """Note that `of` or `on` is missing between a column and its owner: ``bell self's place``."""
    if state.tokens.possessive[at]:
        return
    if state.texts[at + 1] in CORE_WORDS and state.texts[at + 1] not in {"self", "this", "it"}:
        return
    for owner, end in primaries(state, at + 1, None, stops):
        if owner.type.many or owner.type.base != "thing":
            continue
        for expr, _ in _column_of(state, owner, word, at, end, stops)[:1]:
            counted = isinstance(expr, ir.Get) and expr.field.sort in {"status", "token"}
            preposition = "on" if counted else "of"
            usage = f"{word} {preposition} {state.phrase(at + 1, end)}"
            failing.missing_preposition(state, at + 1, end, preposition, usage)
            return


def _column_of(state: ParseState, owner: Expr, word: str, start: int, end: int, stops: Stops) -> list[Found]:
    """Read `word` as a column or zone of `owner`, whose reading ends at `end`."""
    column = state.words.attribute(owner.type.name or "thing", word)
    return _column(state, owner, word, column, start, end, state.span(start, end), stops)


def _column(
    state: ParseState, owner: Expr, word: str, column: Attribute, start: int, end: int, span: Span, stops: Stops
) -> list[Found]:
    """Read `word` as the given column of `owner`, from `start` to `end`; a marker's owner may follow after `by`."""
    kind, field = owner.type.name or "thing", column.field
    out: list[Found] = []
    if field is not None and column.type is not None:
        if owner.type.base == "definition" and not is_constant(field):
            state.fail(end - 1, 5, lambda: OfInstances(span, name=word, kind=kind))
            return []
        if field.sort == "token" and kind != "space" and field.kind == "space":
            owner = fit(state, owner, ir.SPACE) or owner
        if field.owned_by is not None and state.texts[end] == "by" and "by" not in stops:
            for by, after in primaries(state, end + 1, Type("thing", field.owned_by), stops):
                out.append((ir.Get(owner, field, NUMBER, state.span(start, after), by), after))
        out.append((ir.Get(owner, field, column.type, span), end))
    if not out and kind != "space" and owner.type.base == "thing":
        out += _of_place(state, owner, word, span, end)
    if column.zone is not None and owner.type.base == "thing":
        out.append((ir.ZoneOf(owner, column.zone.id, Type("zone", column.zone.holds), span), end))
    return out


def is_constant(field: Field) -> bool:
    """Return whether a definition has a value in that column, not only the instances that are made of it."""
    return field.sort in {"field", "part"} or field.id == "bearer"


def _of_place(state: ParseState, owner: Expr, word: str, span: Span, end: int) -> list[Found]:
    """Read a token counted on the space of a piece."""
    tokens: list[Field] = [field for field in state.words.fields("space", word) if field.sort == "token"]
    place = builtin(state, owner, "place") if tokens else None
    return [(ir.Get(place, field, NUMBER, span), end) for field in tokens[:1] if place is not None]


# ── conditions ──────────────────────────────────────────────────────────────────────────────────


_COMPARISONS = {"=", "!=", "<", "<=", ">", ">="}


def disjunction(state: ParseState, at: int) -> list[Found]:
    """Read conditions at `at`, longest first."""
    key = ("disjunction", at)
    if key not in state.memo:
        state.memo[key] = _joined(state, at, "or")
    return state.memo[key]


def _joined(state: ParseState, at: int, op: str) -> list[Found]:
    operand = _conjunction if op == "or" else _negation
    out: list[Found] = []
    todo = operand(state, at)
    while todo:
        out += todo
        grown: list[Found] = []
        for left, end in todo:
            if state.texts[end] == op:
                for right, after in operand(state, end + 1) or _repeated(state, left, end + 1):
                    grown.append((ir.Binary(op, left, right, FLAG, state.span(at, after)), after))
        todo = grown
    return longest(out)


def _repeated(state: ParseState, left: Expr, at: int) -> list[Found]:
    """Read ``x is a or b``: the second comparison has the subject of the first."""
    last = left.right if isinstance(left, ir.Binary) and left.op == "or" else left
    if not isinstance(last, ir.Binary) or last.op != "=":
        return []
    out: list[Found] = []
    for other, end in sums(state, at, last.left.type, NONE):
        out.append((ir.Binary("=", last.left, other, FLAG, state.span(at, end)), end))
    return out


def _conjunction(state: ParseState, at: int) -> list[Found]:
    return _joined(state, at, "and")


def _negation(state: ParseState, at: int) -> list[Found]:
    key = ("negation", at)
    if key not in state.memo:
        if state.texts[at] == "not":
            readings = _negation(state, at + 1)
            state.memo[key] = [(ir.Not(expr, FLAG, state.span(at, end)), end) for expr, end in readings]
        else:
            state.memo[key] = _comparison(state, at)
    return state.memo[key]


def _comparison(state: ParseState, at: int) -> list[Found]:
    out: list[Found] = []
    if state.texts[at] in {"any", "no", "every"}:
        out += _quantified(state, at)
    for left, end in sums(state, at, None, NONE):
        op = state.texts[end]
        if op in _COMPARISONS:
            out += _compared(state, at, left, end)
        out += predicate(state, left, end, at)
        truth = None if _named(state, left) else fit(state, left, FLAG)
        if truth is not None:
            out.append((truth, end))
        elif left.type != FLAG:
            failing.no_condition(state, at, end, left)
    out += relations(state, at, None, at, NONE)
    if not out and state.log.failing:
        _note_value(state, at)
    return longest(out)


def _note_value(state: ParseState, at: int) -> None:
    """Note that a value of an enum is used as a condition, and show how to search a list for it."""
    word, enums = state.texts[at] or "", state.words.model.enums
    enum = next((name for name, enum in enums.items() if word in enum.values), None)
    if enum is None:
        return
    meant = None
    if state.texts[at + 1] in {"in", "among"}:
        lists = [end for expr, end in primaries(state, at + 2, None, NONE) if expr.type == Type("enum", enum, True)]
        meant = f"any ({state.phrase(at + 2, lists[0])} where it = {word})" if lists else None
    readings, wanted, span = type_words(Type("enum", enum)), "a condition", state.span(at, at + 1)
    state.fail(at + 1, 7, lambda: WrongType(span, phrase=word, found=readings, wanted=wanted, suggestion=meant))


def _named(state: ParseState, left: Expr) -> bool:
    """Return whether a selection begins with a word for one thing, a subject: a definition's id, or a local."""
    if not isinstance(left, ir.Select) or left.source is not None:
        return False
    return left.noun in state.words.by_id or state.scope.find(left.noun) is not None


def _compared(state: ParseState, at: int, left: Expr, end: int) -> list[Found]:
    op = state.texts[end] or ""
    out: list[Found] = []
    want = left.type if left.type.base != "nothing" else None
    counts = op not in {"=", "!="}
    if counts and left.type.base != "number":
        state.fail(
            at,
            3,
            lambda: WrongType(
                state.span(at, end),
                phrase=state.phrase(at, end),
                found=type_words(left.type),
                wanted="a number",
                suggestion=failing.phrase_for_number(state, at, end, left.type),
            ),
        )
        return []
    for right, after in sums(state, end + 1, want, NONE):
        if _is_list_with_one(left, right):
            _note_one_for_list(state, at, end, end + 1, after, left, "no" if op == "!=" else "any")
            return []
        out.append((ir.Binary(op, left, right, FLAG, state.span(at, after)), after))
    if not out and state.log.failing:
        for right, after in sums(state, end + 1, None, NONE)[:1]:
            meant = failing.phrase_for_number(state, at, end, left.type) if right.type == NUMBER else None
            failing.mismatch(state, end + 1, after, right, left.type, meant)
    return out


# ── predicates ───────────────────────────────────────────────────────────────────


def predicate(state: ParseState, subject: Expr, at: int, start: int) -> list[Found]:
    """Read a predicate of `subject`: ``[is] [not] RELATION …``, ``is [not] VALUE``."""
    copula = state.texts[at] in {"is", "are", "has"}
    place = at + 1 if copula else at
    denied = state.texts[place] == "not"
    if denied:
        place += 1
    text = state.texts[place]
    if text == "" or (subject.type.many and not copula):
        return []
    readings = relations(state, place, subject, start, NONE)
    if copula:
        readings = readings + _complement(state, subject, place, start)
    if denied:
        readings = [(ir.Not(expr, FLAG, state.span(start, end)), end) for expr, end in readings]
    return longest(readings)


def _complement(state: ParseState, subject: Expr, at: int, start: int) -> list[Found]:
    """Read the complement of `is`: a marker, a flag, a kind, a definition, or an equal value."""
    out: list[Found] = []
    if subject.type.base in {"thing", "definition"} and not subject.type.many and state.texts[at] is not None:
        out += _marked(state, subject, at)
        out += _of_kind(state, subject, at)
        out += _defined(state, subject, at)
    out += _equal(state, subject, at, start)
    return out


def _marked(state: ParseState, subject: Expr, at: int) -> list[Found]:
    word = state.texts[at] or ""
    if not state.words.is_attribute(word) or state.scope.find(word) is not None:
        return []
    out: list[Found] = []
    for expr, end in attributes(state, subject, at, at, NONE):
        flag = fit(state, expr, FLAG)
        if flag is not None and not isinstance(expr, ir.Apply):
            out.append((flag, end))
    return out


def _of_kind(state: ParseState, subject: Expr, at: int) -> list[Found]:
    word = state.texts[at] or ""
    if (
        not state.words.is_noun(word)
        or word in state.words.by_id
        or state.scope.find(word) is not None
        or state.tokens.possessive[at]
    ):
        return []
    out: list[Found] = []
    for noun in nouns(state, at):
        if not is_compatible(state, noun[0].type, subject.type) or noun[0].type.base != subject.type.base:
            if noun[0].type.base == subject.type.base == "thing":
                failing.never_of_kind(state, at, subject.type, "", noun[0].type.name)
            continue
        for selected, end in selection_suffixes(state, at, noun, NONE):
            span = state.span(at, end)
            test = belongs(state, subject, selected, span)
            out.append((test if test is not None else ir.Const(1, FLAG, span, "yes"), end))
    return out


def _defined(state: ParseState, subject: Expr, at: int) -> list[Found]:
    """Read ``x is rat``, which any instance of the definition fulfills."""
    word = state.texts[at] or ""
    if subject.type.base != "thing" or state.scope.find(word) is not None or state.tokens.possessive[at]:
        return []
    out: list[Found] = []
    span = state.span(at, at + 1)
    for definition in state.words.definitions(word, subject.type.name, state.source.name):
        mine = definition_expr(state, subject)
        if mine is not None and definition.kind.id != TEAM:
            same = ir.Def(definition.kind.id, definition.id, Type("definition", definition.kind.id), span)
            out.append((ir.Binary("=", mine, same, FLAG, span), at + 1))
    others = state.words.by_id.get(word, ()) if not out else ()
    for definition in others:
        failing.never_of_kind(state, at, subject.type, word, definition.kind.id)
    return out


def _is_list_with_one(left: Expr, right: Expr) -> bool:
    """Return whether a list of values of an enum is compared with a single value."""
    value = right.items[0] if isinstance(right, ir.ListOf) and len(right.items) == 1 else right
    return left.type.many and left.type.base == "enum" and isinstance(value, ir.Const) and not value.type.many


def _note_one_for_list(
    state: ParseState, start: int, stop: int, at: int, end: int, left: Expr, quantifier: str
) -> None:
    """Note that a list is compared with a single value, and show how to search the list for it."""
    meant = f"{quantifier} ({state.phrase(start, stop)} where it = {state.phrase(at, end)})"
    failing.mismatch(state, at, end, ir.Const(0, left.type.one(), left.span), left.type, meant)


def _equal(state: ParseState, subject: Expr, at: int, start: int) -> list[Found]:
    out: list[Found] = []
    want = subject.type if subject.type.base != "nothing" else None
    for other, end in sums(state, at, want, NONE):
        if _is_list_with_one(subject, other):
            denied = state.texts[at - 1] == "not"
            copula = at - 2 if denied else at - 1
            _note_one_for_list(state, start, copula, at, end, subject, "no" if denied else "any")
            return []
        out.append((ir.Binary("=", subject, other, FLAG, state.span(at, end)), end))
    if subject.type.base == "thing" and not subject.type.many:
        for other, end in primaries(state, at, None, NONE):
            mine = definition_expr(state, subject) if other.type.base == "definition" and not other.type.many else None
            if mine is not None:
                out.insert(0, (ir.Binary("=", mine, other, FLAG, state.span(at, end)), end))
    return out


def _quantified(state: ParseState, at: int) -> list[Found]:
    """Read ``any rat …``, ``no rat is Tired``, ``every rat is on exit``."""
    quantifier = state.texts[at] or ""
    out: list[Found] = []
    todo: list[Found] = []
    for selected, end in primaries(state, at + 1, None, NONE):
        if selected.type.many:
            todo.append((selected, end))
    for selected, end in todo:
        element = selected.type.one()
        slot = state.hold("it", element)
        subject = state.var("it", slot, element, at + 1, end)
        for test, after in predicate(state, subject, end, at):
            out.append((ir.Quantified(quantifier, selected, slot, test, FLAG, state.span(at, after)), after))
        if quantifier != "every":
            out.append((ir.Quantified(quantifier, selected, slot, None, FLAG, state.span(at, end)), end))
    return longest(out)


# ── selections ──────────────────────────────────────────────────────────────────────────────────


def nouns(state: ParseState, at: int) -> list[Found]:
    """Return the bare nouns at `at`: all of a kind, of a declared noun, or all spaces of a terrain or mark."""
    key = ("nouns", id(state.tokens), at)
    if key not in state.shared:
        state.shared[key] = _nouns(state, at)
    readings: list[Found] = state.shared[key]
    return readings


def _nouns(state: ParseState, at: int) -> list[Found]:
    word, model = state.texts[at], state.words.model
    if word is None:
        return []
    span = state.span(at, at + 1)
    out: list[Found] = []
    if word in model.kinds:
        if state.texts[at + 1] == "definition" and not state.tokens.possessive[at]:
            out.append((all_definitions(state, word, state.span(at, at + 2)), at + 2))
        type = Type("thing", word, True)
        out.append((ir.Select(None, state.hold(word, type.one()), None, (), type, span, word), at + 1))
    if word == "direction" and model.directions:
        out.append((all_directions(state, span), at + 1))
    if word in state.words.nouns:
        out += _declared(state, at, word)
    out += instances_of(state, at, word, span)
    out += ground_nouns(state, at, word, span)
    return out


def _declared(state: ParseState, at: int, word: str) -> list[Found]:
    """Read the declared meaning of a noun at the place where it is used."""
    if word in state.log.expanding:
        return []
    line, clause = state.words.nouns[word]
    scope = state.scope
    outer = Scope(scope.self_type, scope.this_type, mode="pure")
    inner = ParseState(state.words, outer, flatten(clause), line.source, line.offset, state.log)
    state.log.expanding.add(word)
    failing, state.log.failing = state.log.failing, False
    meanings = [expr for expr, end in read_expression(inner, None) if end == inner.count and expr.type.many]
    state.log.failing = failing
    state.log.expanding.discard(word)
    out: list[Found] = []
    for meaning in meanings[:1]:
        slot = state.hold(word, meaning.type.one())
        out.append((ir.Select(meaning, slot, None, (), meaning.type, state.span(at, at + 1), word), at + 1))
    return out


def selection_suffixes(state: ParseState, at: int, base: Found, stops: Stops) -> list[Found]:
    """Read a list with its filters, exceptions, conditions and criteria, as many as fit."""
    if not _may_have_suffix(state, base[1]):
        return [base]
    key = ("selection", id(state.tokens), at, base[1], base[0], stops)
    readings: list[Found] | None = state.shared.get(key)
    if readings is None:
        readings = state.shared[key] = _suffixed(state, at, base, stops)
    return readings


def _may_have_suffix(state: ParseState, at: int) -> bool:
    """Return whether the token at `at` may begin a suffix of a list."""
    text = state.texts[at]
    if text == ",":
        return state.texts[at + 1] in {"except", "by", "in"}
    return text in _SUFFIXES or text in state.words.forms["relation"]


_SUFFIXES = frozenset({"not", "in", "with", "except", "where"})
"""Words that may begin a suffix of a list, besides those of relations."""


def _suffixed(state: ParseState, at: int, base: Found, stops: Stops) -> list[Found]:
    expr, end = base
    select = expr if isinstance(expr, ir.Select) and not expr.order else None
    if select is None:
        slot = state.hold("it", expr.type.one())
        select = ir.Select(expr, slot, None, (), expr.type, expr.span, "")
    inner = state.about(select.it, select.type.one())
    filtered: dict[int, ir.Select] = {}
    _filters(inner, at, select, end, stops, filtered)
    out: list[Found] = []
    for after, selection in filtered.items():
        out += _ordered(state, inner, at, selection, after)
    out = longest(out)
    return [base if after == end else (expr, after) for expr, after in out]


def _filters(
    inner: ParseState, at: int, select: ir.Select, end: int, stops: Stops, reached: dict[int, ir.Select]
) -> None:
    """Collect the ends that a selection can have, with its filters up to there.

    A filter belongs to the nearest noun; the selection gets the filters that longer nouns inside them leave over.
    """
    if end in reached:
        return
    reached[end] = select
    for test, after in _filter(inner, select, end, stops):
        note_itself(inner, at, select, test, after)
        _filters(inner, at, add_condition(inner, at, select, test, after), after, stops, reached)
    text = inner.texts[end]
    skip = end + 1 if text == "," and inner.texts[end + 1] == "except" else end
    if inner.texts[skip] == "except" and "except" not in stops:
        for test, after in _except(inner, select, skip + 1, stops):
            _filters(inner, at, add_condition(inner, at, select, test, after), after, stops, reached)
    if text == "where":
        inner.log.filtering.add(inner.tokens.nodes[end].start)
        for test, after in disjunction(inner, end + 1):
            reached.setdefault(after, add_condition(inner, at, select, test, after))


def _filter(inner: ParseState, select: ir.Select, at: int, stops: Stops) -> list[Found]:
    """Read a relation, ``not`` a relation, or ``with`` a counter, about the candidate."""
    text = inner.texts[at]
    if text is None or text in stops or text in {"", ",", "where"}:
        return []
    it = candidate_var(inner, at)
    if text == "not":
        readings = relations(inner, at + 1, it, at + 1, stops)
        return [(ir.Not(expr, FLAG, inner.span(at, end)), end) for expr, end in readings]
    out = relations(inner, at, it, at, stops)
    if text == "with":
        out = out + _bearing(inner, it, at + 1)
    return out


def _bearing(inner: ParseState, it: ir.Var, at: int) -> list[Found]:
    """Read ``with Tired``, ``with no Tired``."""
    lacking = inner.texts[at] == "no"
    start = at + 1 if lacking else at
    if start >= inner.count:
        return []
    out: list[Found] = []
    for expr, end in attributes(inner, it, start, start, NONE):
        test = fit(inner, expr, FLAG)
        if test is not None:
            out.append((ir.Not(test, FLAG, inner.span(at, end)) if lacking else test, end))
    return out


def _except(inner: ParseState, select: ir.Select, at: int, stops: Stops) -> list[Found]:
    """Read the exceptions of a selection: one thing, or a list.

    A value that would have to be converted (a unit to its space) is no exception here; it may be one from an earlier
    noun.
    """
    it = candidate_var(inner, at)
    single = select.type.one()
    out: list[Found] = []
    for other, end in primaries(inner, at, None if single.base == "thing" else single, stops):
        if other.type.many:
            continue
        if is_compatible(inner, other.type, single):
            out.append((ir.Binary("!=", it, other, FLAG, inner.span(at, end)), end))
        else:
            failing.mismatch(inner, at, end, other, single)
    if not out:
        for others, end in primaries(inner, at, select.type, stops):
            if is_list(others):
                slot = inner.hold("it", others.type.one())
                var = ir.Var("it", slot, others.type.one(), others.span)
                same = ir.Binary("=", var, it, FLAG, others.span)
                out.append((ir.Quantified("no", others, slot, same, FLAG, inner.span(at, end)), end))
    return out


# ── order ───────────────────────────────────────────────────────────────────────────────────────


def _ordered(state: ParseState, inner: ParseState, at: int, select: ir.Select, end: int) -> list[Found]:
    out: list[Found] = [(select, end)]
    in_order = state.texts[end : end + 4] == (",", "in", "order", "of")
    if state.texts[end : end + 2] != (",", "by") and not in_order:
        return out
    for criterion, after in _criterion(inner, end + (4 if in_order else 2)):
        order, stop = [criterion], after
        while state.texts[stop] == "," and state.texts[stop + 1] == "then":
            more = _criterion(inner, stop + 2)
            if not more:
                break
            order.append(more[0][0])
            stop = more[0][1]
        out.append((replace(select, order=tuple(order), span=state.span(at, stop), sorted=in_order), stop))
    return out


def _criterion(inner: ParseState, at: int) -> list[tuple[ir.Criterion, int]]:
    most = inner.texts[at] == "most"
    start = at + 1 if inner.texts[at] in {"most", "fewest"} else at
    out: list[tuple[ir.Criterion, int]] = []
    for key, end in sums(inner, start, None, NONE):
        if key.type in (NUMBER, FLAG) or key.type.base == "enum":
            out.append((ir.Criterion(key, most, inner.span(at, end)), end))
    return out


# ── forms ───────────────────────────────────────────────────────────────────────────────────────


def verbs(state: ParseState, at: int) -> list[tuple[ir.Do, int]]:
    """Read the statements of a verb at `at`."""
    out: list[tuple[ir.Do, int]] = []
    for form, after in forms_at(state, "verb", at):
        call = FormCall(form.params, "verb", NONE, form)
        for args, end in _arguments(state, call, after, None):
            if Trait.FOR_ANOTHER in form.traits and not may_be_self(state, args, end):
                continue
            if form.op == "perform" and not has_self(state, args, end):
                continue
            out.append((ir.Do(form, args, state.span(at, end)), end))
    if len(out) > 1:
        note_clashes(state, [(do.form, end) for do, end in out], at)
    return longest_first(out)


def accepting(state: ParseState, at: int) -> list[Form]:
    """Return the verbs that could take all tokens from `at` on as their arguments."""
    out: list[Form] = []
    for form in (form for same in state.words.forms["verb"].values() for form in same):
        call = FormCall(form.params, "verb", NONE, form)
        if any(end == state.count for _, end in _arguments(state, call, at, None)):
            out.append(form)
    return out


def relations(state: ParseState, at: int, subject: Expr | None, start: int, stops: Stops) -> list[Found]:
    """Read the conditions of a relation at `at` about `subject` (None: no subject before it)."""
    out: list[Found] = []
    for form, after in forms_at(state, "relation", at):
        if form.words[0] in stops:
            continue
        out += _applied(state, form, after, subject, start, stops, FLAG)
    if subject is not None and state.texts[at] == "in" and "in" not in stops:
        members = _membership(state, at, subject, start, stops)
        ends = {end for _, end in members}
        out = members + [reading for reading in out if reading[1] not in ends]
    return _distinct(state, out, at)


def _membership(state: ParseState, at: int, subject: Expr, start: int, stops: Stops) -> list[Found]:
    """Return ``THING in LIST`` as a condition: one of the list is the thing, or its definition.

    The list is of things or definitions of the same kind.
    """
    own = subject.type
    if own.many or own.base not in {"thing", "definition"}:
        return []
    if own.name == "" or (own.name == "thing" and own.base == "thing"):
        return []
    out: list[Found] = []
    for group, end in primaries(state, at + 1, None, stops):
        item = group.type.one()
        member = definition_expr(state, subject) if (own.base, item.base) == ("thing", "definition") else subject
        if (
            group.type.many
            and member is not None
            and item.base == member.type.base
            and item.name not in {"", "thing"}
            and is_compatible(state, member.type, item)
        ):
            slot, span = state.hold("it", item), state.span(start, end)
            same = ir.Binary("=", ir.Var("it", slot, item, group.span), member, FLAG, span)
            out.append((ir.Quantified("any", group, slot, same, FLAG, span), end))
    return out


def measures(state: ParseState, at: int, subject: Expr | None, start: int, stops: Stops) -> list[Found]:
    """Read the measures at `at`; `subject` is the value before ``'s``."""
    out: list[Found] = []
    for form, after in forms_at(state, "measure", at):
        if subject is not None and (not form.params or after <= at):
            continue
        out += _applied(state, form, after, subject, start, stops, form.gives)
    return _distinct(state, out, at)


def _distinct(state: ParseState, readings: list[Found], at: int) -> list[Found]:
    """Note where two forms with the same words both fit, because that reading is ambiguous."""
    note_clashes(state, [(expr.form, end) for expr, end in readings if isinstance(expr, ir.Apply)], at)
    return longest(readings)


def _applied(
    state: ParseState, form: Form, after: int, subject: Expr | None, start: int, stops: Stops, gives: Type
) -> list[Found]:
    call = FormCall(form.params, form.sort, stops, form)
    given: Expr | None = None
    if subject is not None:
        if not form.params:
            return []
        given = fit(state, subject, form.params[0].type)
        if given is None:
            wanted = form.params[0].type
            failing.wrong(state, after - 1, start, after - len(form.words), subject, wanted)
            return []
    out: list[Found] = []
    for args, end in _arguments(state, call, after, given):
        type = narrow_type(state, gives, list(args)) if form.op is not None or form.system == "core" else gives
        out.append((existential(state, form, args, type, start, end), end))
    return out


def event_arguments(state: ParseState, name: str, params: Sequence[Param], at: int) -> list[tuple[Args, int]]:
    """Read the arguments of an announced event, in the order of its parameters."""
    plain = [replace(param, preposition=None) for param in params]
    return _arguments(state, FormCall(plain, "event", NONE, event=name), at, None)


def _arguments(state: ParseState, call: FormCall, at: int, given: Expr | None) -> list[tuple[Args, int]]:
    """Return all ways to bind the parameters from `at` on, longest first."""
    filled: dict[int, Expr] = {} if given is None else {0: given}
    best: dict[int, Args] = {}
    for args, end in _fill(state, call, at, filled):
        best.setdefault(end, args)
    return [(best[end], end) for end in sorted(best, reverse=True)]


def _fill(state: ParseState, call: FormCall, at: int, filled: dict[int, Expr]) -> Iterator[tuple[Args, int]]:
    text = state.texts[at]
    longer = False
    for index, param in enumerate(call.params):
        if index not in filled and param.preposition is not None and param.preposition == text:
            if text in call.stops:
                continue
            for value, end in _argument(state, call, param, at + 1, filled):
                for readings in _fill(state, call, end, {**filled, index: value}):
                    longer = True
                    yield readings
            if param.type == FLAG:
                yes = ir.Const(1, FLAG, state.span(at, at + 1), "yes")
                yield from _fill(state, call, at + 1, {**filled, index: yes})
    plain = next((i for i, p in enumerate(call.params) if i not in filled and p.preposition is None), None)
    if plain is not None and text != "":
        start = at + 1 if plain == 0 and text == "of" and call.sort == "measure" and text not in call.stops else at
        for value, end in _argument(state, call, call.params[plain], start, filled):
            for readings in _fill(state, call, end, {**filled, plain: value}):
                longer = True
                yield readings
    done = complete_arguments(state, call, at, filled)
    if not isinstance(done, Param):
        yield done, at
    elif not longer:
        note_missing(state, call, done, at)
    if state.log.failing and text:
        _no_preposition(state, call, at, filled)


def _no_preposition(state: ParseState, call: FormCall, at: int, filled: dict[int, Expr]) -> None:
    """Note which preposition is missing, if the words at `at` fit an argument after one."""
    for index, param in enumerate(call.params):
        if index in filled or param.preposition is None or param.type == FLAG or state.texts[at] in CORE_WORDS:
            continue
        for _, end in _values(state, param.type, at, call.stops, call.sort != "measure")[:1]:
            failing.missing_preposition(state, at, end, param.preposition, call.usage)


def _argument(state: ParseState, call: FormCall, param: Param, at: int, filled: dict[int, Expr]) -> list[Found]:
    """Read values for one parameter; those that leave the form its prepositions come first."""
    own = {p.preposition for i, p in enumerate(call.params) if i not in filled and p.preposition and p is not param}
    stops = (call.stops | own).intersection(state.texts[at:])  # a preposition that does not follow stops nothing
    arithmetic = call.sort != "measure"
    readings = _values(state, param.type, at, stops, arithmetic)
    if stops:
        readings = readings + [
            value for value in _values(state, param.type, at, NONE, arithmetic) if value not in readings
        ]
    if not readings and call.sort == "relation" and not param.type.many and param.type.base == "thing":
        readings = [
            primary
            for primary in primaries(state, at, None, stops)
            if primary[0].type.many and fit(state, failing.any_candidate(primary[0]), param.type) is not None
        ]
    if not readings and state.log.failing:
        _explain(state, param, at, stops)
    return readings


def _values(state: ParseState, type: Type, at: int, stops: Stops, arithmetic: bool) -> list[Found]:
    if type.many:
        return lists(state, at, type, stops)
    if arithmetic:
        return sums(state, at, type, stops)
    return primaries(state, at, type, stops)


def _explain(state: ParseState, param: Param, at: int, stops: Stops) -> None:
    """Note what was found at `at` instead of the value that is needed."""
    for expr, end in primaries(state, at, None, stops)[:1]:
        failing.wrong(state, at, at, end, expr, param.type)
        return
    word, want = state.texts[at], param.type.one()
    needed = param.default is None and not param.optional
    is_named = want.base in names.NAMED or bool(names.values(state.words, want))
    if word and needed and is_named and _is_name(state, at, stops):
        state.fail(at, 4, lambda: names.unknown_name(state.words, word, want, state.span(at, at + 1)))


def _is_name(state: ParseState, at: int, stops: Stops) -> bool:
    """Return whether an author may have intended the word at `at` as a name."""
    word = state.texts[at] or ""
    ours = word in CORE_WORDS or word in stops or word in state.scope.frame.later
    return isinstance(state.tokens.nodes[at], tree.Word) and not ours
