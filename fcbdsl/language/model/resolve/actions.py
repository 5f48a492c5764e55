"""Statements of one clause that do something: verbs, assignments, locals, lists, offers, the end of the game."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from fcbdsl.base.diagnostics.phrases import Incomplete, NotAStatement, NotChangeable, UnknownWord, Unreadable, WrongCase
from fcbdsl.base.source import Span
from fcbdsl.language.model import ir
from fcbdsl.language.model.builtins import ENDING, TEAM, has_endings
from fcbdsl.language.model.ir import FLAG, NOTHING, NUMBER, Expr, Stmt, Type
from fcbdsl.language.model.resolve import dice_phrases, error_selection, expressions, failing
from fcbdsl.language.model.resolve.core import Resolver
from fcbdsl.language.model.resolve.fitting import fit, is_compatible
from fcbdsl.language.model.resolve.parse_state import NONE, ParseState
from fcbdsl.language.model.resolve.scope import Scope
from fcbdsl.language.model.resolve.type_wording import type_words
from fcbdsl.language.syntax import tree
from fcbdsl.language.syntax.tree import Clause, Line

Statements = tuple[Stmt, ...]
Simple = Callable[[Span], Stmt]
Made = list[tuple[Stmt, int]]

MOST_PONDERED = 50
"""Unknown verbs of one check for which all other verbs are tried, to limit the time for a file of such verbs."""

PLAYER = Type("thing", "player")
_OUTCOMES = ("win", "lose", "draw")
"""Words that end a game, alone or with what follows."""
_BEGINNINGS = (*_OUTCOMES, "add", "remove", "reroll")
"""Words of the language with which a statement begins that has no lead word."""
_OF_DECLARATIONS = ("costs", "effect", "event", "form", "gives", "is", "needs", "takes", "value")
"""Words with which a line of a declaration begins, before a colon."""
_MUTABLE = ("stat", "status", "token")
_REASONS = {
    "field": "a printed value",
    "builtin": "kept by fcb",
    "part": "a part",
}


def phrase(resolver: Resolver, line: Line, clause: Clause, scope: Scope) -> Statements:
    """Read a clause without a lead word (or after `may`)."""
    if not clause.parts:
        return ()
    tokens = resolver.tokens(clause.parts)
    first, last = tokens.texts[0], tokens.nodes[-1]
    if not (  # a clause that does not begin like a statement is not reported as one
        first in resolver.words.forms["verb"]
        or first in _BEGINNINGS
        or "becomes" in tokens.texts
        or (isinstance(last, tree.Number) and last.signed)
    ):
        _no_statement(resolver, line, clause, scope)
        return ()
    statement: Stmt | None = resolver.read(line, clause.parts, scope, ("statement",), _attempts, wanted="a statement")
    if isinstance(statement, ir.Let):
        _settle_list(scope, statement)
    return () if statement is None else (statement,)


def _no_statement(resolver: Resolver, line: Line, clause: Clause, scope: Scope) -> None:
    if not resolver.is_sound(line, clause.parts, scope):
        return
    state = resolver.begin(line, clause.parts, scope)
    state.log.failing = True
    unknown = next(error_selection.unknown_words(state), None)
    is_verb = unknown is not None and unknown.arguments.get("right") in resolver.words.forms["verb"]
    if isinstance(unknown, UnknownWord | WrongCase) and unknown.span == state.span(0, 1) and not is_verb:
        resolver.pondered += 1
        unknown = error_selection.unknown_verb(
            resolver.begin(line, clause.parts, scope), resolver.pondered <= MOST_PONDERED
        )
    if unknown is not None:
        resolver.report(unknown)
        return
    count = state.count
    whole = next((expr for expr, end in expressions.read_expression(state, None) if end == count), None)
    written = type_words(whole.type) if whole is not None else "a phrase without a verb"
    key, span = state.texts[0], state.span(0, count)
    suggestion = f"{key}: {state.phrase(1, count)}" if key in _OF_DECLARATIONS and count > 1 else None
    resolver.report(NotAStatement(span, phrase=state.phrase(0, count), found=written, suggestion=suggestion))


def _attempts(state: ParseState) -> Made:
    out: Made = _listed(state) + _rerolled(state) + _assigned(state)
    out += expressions.verbs(state, 0)
    return out + _ended(state) if state.texts[0] in _OUTCOMES else out


# ── assignment ──────────────────────────────────────────────────────────────────────────────────


def _assigned(state: ParseState) -> Made:
    count = state.count
    if "becomes" in state.texts:
        split = state.texts.index("becomes")
        return _becoming(state, split, count)
    last = state.tokens.nodes[-1]
    if isinstance(last, tree.Number) and last.signed and count > 1:
        step = ir.Const(last.value, NUMBER, state.span(count - 1, count))
        return [_assignment(state, target, "+", step) for target in _targets(state, count - 1, NUMBER)]
    return []


def _becoming(state: ParseState, split: int, count: int) -> Made:
    out: Made = []
    for target in _targets(state, split, None):
        want = target.type if target.type != NOTHING else None
        for value, end in _all_of(state, split + 1, want):
            assignment, _ = _assignment(state, target, "=", value)
            out.append((assignment, end))
    return out


def _all_of(state: ParseState, at: int, want: Type | None) -> list[tuple[Expr, int]]:
    if want is not None and want.base == "flag" and not want.many:
        return expressions.disjunction(state, at)
    if want is not None and want.many:
        return expressions.lists(state, at, want, NONE)
    readings = expressions.sums(state, at, want, NONE)
    if not readings and state.log.failing and want is not None:
        for expr, end in expressions.sums(state, at, None, NONE)[:1]:
            failing.wrong(state, at, at, end, expr, want)
    return readings


def _targets(state: ParseState, end: int, want: Type | None) -> list[Expr]:
    """Return the possible targets of a change: stats, counters, and parameters of the event in a before-listener."""
    out: list[Expr] = []
    for expr, after in expressions.primaries(state, 0, want, NONE):
        if after != end:
            continue
        if isinstance(expr, ir.Get):
            changeable = is_changeable(expr)
        else:
            changeable = isinstance(expr, ir.Var) and _is_heard(state.scope, expr)
        if changeable:
            out.append(expr)
        elif isinstance(expr, ir.Get | ir.Var | ir.Variant | ir.ZoneOf | ir.Apply):
            _fixed(state, end, expr)
    return out


def is_changeable(target: ir.Get) -> bool:
    """Return whether statements may change a field; only modifiers change a fixed one."""
    return target.field.sort in _MUTABLE or target.field.id == "controller"


def not_changeable(target: ir.Get, span: Span) -> NotChangeable:
    """Return the diagnostic for a change of a value that cannot change."""
    return NotChangeable(span, name=target.field.id, reason=_REASONS.get(target.field.sort, "a fixed value"))


def _is_heard(scope: Scope, var: ir.Var) -> bool:
    if scope.heard is None or scope.timing != "before":
        return False
    heard = (scope.find(param.name) for param in scope.heard.params)
    return any(binding is not None and binding.slot == var.slot for binding in heard)


def _fixed(state: ParseState, end: int, expr: Expr) -> None:
    span = state.span(0, end)
    if isinstance(expr, ir.Get):
        state.fail(state.count, 9, lambda: not_changeable(expr, span))
        return
    reason = f"a local (write `let {expr.name} = …`)" if isinstance(expr, ir.Var) else "not a stat"
    state.fail(state.count, 9, lambda: NotChangeable(span, name=state.phrase(0, end), reason=reason))


def _assignment(state: ParseState, target: Expr, op: str, value: Expr) -> tuple[Stmt, int]:
    count = state.count
    span = state.span(0, count)
    if isinstance(target, ir.Get):
        return ir.Assign(target, op, value, span), count
    assert isinstance(target, ir.Var)
    changed = value if op == "=" else ir.Binary("+", target, value, NUMBER, span)
    return ir.Let(target, changed, span), count


# ── locals and lists ────────────────────────────────────────────────────────────────────────────


def let(resolver: Resolver, line: Line, clause: Clause, scope: Scope) -> Statements:
    """Read ``let x = VALUE``: bind a new local, or change a visible one."""
    tokens = resolver.tokens(clause)
    name = tokens.texts[0]
    if name is None or tokens.texts[1:2] != ("=",) or len(tokens.nodes) < 3:
        usage = "let NAME = VALUE"
        resolver.report(Incomplete(line.span_of(clause), lead="let", what="a name, `=` and a value", usage=usage))
        return ()
    local = scope.find(name)
    want = local.type if local is not None and local.type.base != "nothing" else None
    value = resolver.read(line, clause, scope, ("let", want), lambda state: _bindable(state, want), want, binds=name)
    if value is None:
        if local is None:
            scope.bind(name, NOTHING)
            scope.frame.unsound.add(name)
        return ()
    if local is None:
        local = scope.bind(name, value.type)
    elif local.type.base == "nothing":
        local = scope.settle(local, value.type)
    first = tokens.nodes[0]
    var = ir.Var(name, local.slot, local.type, line.span_of(first))
    return (ir.Let(var, value, line.span_of(clause)),)


def _bindable(state: ParseState, want: Type | None) -> list[tuple[Expr, int]]:
    if want is not None:
        return _all_of(state, 2, want)
    readings = expressions.sums(state, 2, None, NONE) + expressions.disjunction(state, 2)
    return readings + expressions.lists(state, 2, None, NONE)


def _listed(state: ParseState) -> Made:
    """Read ``add X to LIST``, ``remove X from LIST`` where LIST is a local."""
    first, count = state.texts[0], state.count
    link = {"add": "to", "remove": "from"}.get(first or "")
    name = state.texts[count - 1]
    if link is None or count < 4 or state.texts[count - 2] != link or name is None:
        return []
    binding = state.scope.find(name)
    if binding is None or not binding.type.many:
        return []
    chain = state.var(name, binding.slot, binding.type, count - 1, count)
    span = state.span(0, count)
    out: Made = []
    for item, end in expressions.primaries(state, 1, None, frozenset({link})):
        if end != count - 2:
            continue
        if not is_compatible(state, item.type, binding.type):
            failing.wrong(state, 1, 1, end, item, binding.type.one())
            continue
        if first == "add":
            type = item.type.several() if binding.type.base == "nothing" else binding.type
            grown = ir.ListOf((chain, item), type, span)
            out.append((ir.Let(ir.Var(name, binding.slot, type, chain.span), grown, span), count))
        elif not item.type.many:
            slot = state.hold("it", binding.type.one())
            it = ir.Var("it", slot, binding.type.one(), span)
            other = ir.Binary("!=", it, item, FLAG, span)
            rest = ir.Select(chain, slot, other, (), binding.type, span)
            out.append((ir.Let(chain, rest, span), count))
    return out


def _rerolled(state: ParseState) -> Made:
    """Read ``reroll X in POOL as DIE`` where POOL is a local: the new result replaces one such value."""
    count = state.count
    if state.texts[0] != "reroll":
        return []
    pool_roll = _pool_named(state)
    if pool_roll is None:
        lacking = "the local that holds it, or the die"
        lacks = partial(Incomplete, state.span(0, count), lead="reroll", what=lacking, usage="reroll X in POOL as DIE")
        state.fail(0, 4, lacks)
        return []
    chain, link = pool_roll
    if not chain.type.many or chain.type.base not in {"face", "number"}:
        failing.wrong(state, link - 1, link - 1, link, chain, dice_phrases.FACE.several())
        return []
    single = chain.type.one()
    out: Made = []
    for item, end in expressions.primaries(state, 1, None, frozenset({"in"})):
        if end != link - 2:
            continue
        if item.type.many or not is_compatible(state, item.type, single):
            failing.wrong(state, 1, 1, end, item, single)
            continue
        for rolled, after in dice_phrases.one_die(state, link + 1):
            if not is_compatible(state, rolled.type, single):
                failing.wrong(state, link + 1, link + 1, after, rolled, single)
            elif after == count:
                out.append((ir.Roll(chain, rolled, None, (), state.span(0, after), item), after))
    return out


def _pool_named(state: ParseState) -> tuple[ir.Var, int] | None:
    """Return the local after ``in``, and the index of the ``as`` after it."""
    link = state.texts.index("as") if "as" in state.texts else 0
    name = state.texts[link - 1] if link > 2 and state.texts[link - 2] == "in" else None
    binding = state.scope.find(name) if name is not None else None
    if name is None or binding is None:
        return None
    return state.var(name, binding.slot, binding.type, link - 1, link), link


def _settle_list(scope: Scope, statement: ir.Let) -> None:
    """Set the type of an empty list from the first element added to it."""
    binding = scope.find(statement.var.name)
    if binding is not None and binding.type.base == "nothing" and statement.var.type.base != "nothing":
        scope.settle(binding, statement.var.type)


# ── offers ──────────────────────────────────────────────────────────────────────────────────────


def offer(resolver: Resolver, line: Line, clause: Clause, scope: Scope) -> Statements:
    """Read ``offer ACTORS[, by PLAYER][, until done[ if CONDITION]]``."""
    if not clause.parts:
        resolver.report(
            Incomplete(line.span_of(clause), lead="offer", what="who may act", usage="offer ACTORS, until done")
        )
        return ()
    offer_read = resolver.read(line, clause, scope, ("offer",), _offers, wanted="those who may act")
    if offer_read is None:
        return ()
    actors, by, stream, free = offer_read
    return (ir.Offer(actors, by, not stream, free, line.span_of(clause)),)


_Offered = tuple[Expr, Expr | None, bool, Expr | None]
"""The actors, who decides, whether they act until they are done, and the condition for ending."""


def _offers(state: ParseState) -> list[tuple[_Offered, int]]:
    out: list[tuple[_Offered, int]] = []
    for actors, end in expressions.lists(state, 0, Type("thing", "thing", True), NONE):
        ways: list[tuple[Expr | None, int]] = [(None, end)]
        if state.texts[end] == "," and state.texts[end + 1] == "by":
            ways += expressions.primaries(state, end + 2, PLAYER, NONE)
            if TEAM in state.words.model.kinds:
                ways += expressions.primaries(state, end + 2, Type("thing", TEAM), NONE)
        for by, after in ways:
            out.append(((actors, by, False, None), after))
            if state.texts[after : after + 3] == (",", "until", "done"):
                out.append(((actors, by, True, None), after + 3))
                if state.texts[after + 3] == "if":
                    free = expressions.disjunction(state, after + 4)
                    out += [((actors, by, True, test), last) for test, last in free]
    return sorted(out, key=lambda candidate: -candidate[1])


# ── the end of the game ─────────────────────────────────────────────────────────────────────────


def _ended(state: ParseState) -> Made:
    outcome = state.texts[0] or ""
    sides: list[tuple[Expr | None, int]] = [(None, 1)]
    for named, end in expressions.primaries(state, 1, None, NONE):
        if named.type.base == "thing" and _can_win(state, named.type.name):
            sides.append((named, end))
        elif state.log.failing and named.type == NUMBER:
            other = f"`{outcome}` ends the game, and no verb called `{outcome}` takes this."
            phrase, wanted = state.phrase(0, end), "the end of a game"
            state.fail(1, 8, partial(Unreadable, state.span(0, end), phrase=phrase, wanted=wanted, why=other))
        elif state.log.failing and named.type == Type("thing", ENDING):
            phrase = state.phrase(1, end)
            why = f"A named ending follows `as`: `{outcome} as {phrase}`."
            state.fail(
                1, 8, partial(Unreadable, state.span(1, end), phrase=phrase, wanted="a player or a team", why=why)
            )
        elif state.log.failing:
            failing.wrong(state, 1, 1, end, named, PLAYER)
    out: Made = []
    for kind in ("player", TEAM):
        if kind in state.words.model.kinds and state.texts[1] is not None:
            for several, at in expressions.sums(state, 1, Type("thing", kind, True), NONE):
                if isinstance(several, ir.ListOf) and [*map(type, several.items)] == [ir.Instance]:
                    continue  # a single one that is always there
                out += _ends_at(state, outcome, several, at)
    for side, at in sides:
        winner = fit(state, side, side.type.one()) if side is not None else None
        if side is None or winner is not None:
            out += _ends_at(state, outcome, winner, at)
    return sorted(out, key=lambda candidate: -candidate[1])


def _ends_at(state: ParseState, outcome: str, side: Expr | None, at: int) -> Iterator[tuple[Stmt, int]]:
    """Yield the ends of the game for a side, with the named ending and the reason behind it."""
    why, end = titles_at(state, at)
    yield ir.End(outcome, side, why, state.span(0, end)), end
    if state.texts[at] == "as" and has_endings(state.words.model):
        for ending, after in expressions.primaries(state, at + 1, Type("thing", ENDING), NONE):
            why, end = titles_at(state, after)
            yield ir.End(outcome, side, why, state.span(0, end), ending), end


def _can_win(state: ParseState, kind: str) -> bool:
    """Return whether a thing of a kind may be a player or a team."""
    kinds = state.words.model.kinds
    return any(state.words.related(kind, winner) for winner in ("player", TEAM) if winner in kinds)


def titles_at(state: ParseState, at: int) -> tuple[dict[str, str], int]:
    """Read a text with its translations (``"Over." , fr "Fini."``); return them with the index after them.

    The dictionary is empty if there is no text at `at`.
    """
    nodes, texts = state.tokens.nodes, state.texts
    titles: dict[str, str] = {}
    if at >= len(nodes):
        return titles, at
    first = nodes[at]
    if not isinstance(first, tree.String):
        return titles, at
    titles["en"] = first.value
    end = at + 1
    while texts[end] == "," and end + 2 < len(nodes) and texts[end + 1] is not None:
        more = nodes[end + 2]
        if not isinstance(more, tree.String):
            break
        titles[texts[end + 1] or ""] = more.value
        end += 3
    return titles, end
