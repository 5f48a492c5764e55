"""Values: names, literals, columns, measures, arithmetic and lists."""

from __future__ import annotations

from fcbdsl.diagnostics import suggest
from fcbdsl.diagnostics.phrases import MissingPart, NothingMeant, OneNeeded, TooDeep, UnknownStat
from fcbdsl.model import ir
from fcbdsl.model.declarations import Field
from fcbdsl.model.ir import FLAG, NUMBER, TEXT, Expr, Type
from fcbdsl.model.resolve import conditions, forms, names, selections
from fcbdsl.model.resolve.fitting import akin, builtin, fit, read_type
from fcbdsl.model.resolve.reading import DEEPEST, NONE, Capture, Found, Reading, Stops, longest
from fcbdsl.model.resolve.scope import SELF, THIS
from fcbdsl.model.resolve.vocabulary import CORE_WORDS, SINGLETONS
from fcbdsl.model.resolve.wording import type_words
from fcbdsl.source import Span
from fcbdsl.syntax import tree


def whole(reading: Reading, want: Type | None) -> list[Found]:
    """Readings from the first token on, as a value of type `want` (None: of any type)."""
    if want is None:
        return longest(
            sums(reading, 0, None, NONE) + conditions.disjunction(reading, 0) + lists(reading, 0, None, NONE)
        )
    if want.many:
        return lists(reading, 0, want, NONE)
    if want.base in {"flag", "condition"}:
        return conditions.disjunction(reading, 0)
    return sums(reading, 0, want, NONE)


# ── lists and arithmetic ──────────────────────────────────────────────────────────────────────


def lists(reading: Reading, at: int, want: Type | None, stops: Stops) -> list[Found]:
    """Lists: one value, or several with commas between them. Without `want`, only with a comma."""
    out: list[Found] = [] if want is None else sums(reading, at, want, stops)
    element = want.one() if want is not None else None
    for first, end in sums(reading, at, element, stops) + (out if want is not None else []):
        items, after = [first], end
        while reading.texts[after] == "," and reading.texts[after + 1] not in {"by", "then", "or", "except", "if"}:
            more = sums(reading, after + 1, element, stops)
            if want is not None:
                more = more or sums(reading, after + 1, want, stops)
            if not more or (want is None and not akin(reading, more[0][0].type, first.type)):
                break
            items.append(more[0][0])
            after = more[0][1]
            type = want if want is not None else first.type.several()
            out.append((ir.ListOf(tuple(items), type, reading.span(at, after)), after))
    return longest(out)


def sums(reading: Reading, at: int, want: Type | None, stops: Stops) -> list[Found]:
    """Sums and differences of products; or any value where no number is needed."""
    if want is not None and (want.many or want.base not in {"number", "formula"}):
        return primaries(reading, at, want, stops)
    key = ("sums", at, want, stops)
    if key not in reading.memo:
        out: list[Found] = []
        for first in _products(reading, at, want, stops):
            out += _chain(reading, at, first, ("+", "-"), stops)
        reading.memo[key] = longest(out)
    return reading.memo[key]


def _products(reading: Reading, at: int, want: Type | None, stops: Stops) -> list[Found]:
    out: list[Found] = []
    for first in primaries(reading, at, want, stops):
        out += _chain(reading, at, first, ("*", "/"), stops)
    return longest(out)


def _chain(reading: Reading, at: int, first: Found, ops: tuple[str, str], stops: Stops) -> list[Found]:
    """A left-associative chain of operators beginning with `first`."""
    out = [first]
    left, end = first
    op = reading.texts[end]
    number = fit(reading, left, NUMBER) if op in ops else None
    if op is None or number is None:
        return out
    operand = _products if ops[0] == "+" else primaries
    for right, after in operand(reading, end + 1, NUMBER, stops):
        both = ir.Binary(op, number, right, NUMBER, reading.span(at, after))
        out += _chain(reading, at, (both, after), ops, stops)
    return out


# ── single values ─────────────────────────────────────────────────────────────────────────────


def primaries(reading: Reading, at: int, want: Type | None, stops: Stops) -> list[Found]:
    """Values without operators at `at`, with what follows them: possessives, filters, criteria."""
    key = ("primaries", at, want, stops)
    if key in reading.memo:
        return reading.memo[key]
    reading.memo[key] = []
    if reading.log.depth >= DEEPEST:
        reading.fail(at, 9, lambda: TooDeep(reading.span(at, at + 1)))
        return []
    reading.log.depth += 1
    out: list[Found] = []
    for base in _bases(reading, at, want, stops):
        for owner in _possessed(reading, at, base, stops):
            out += selections.suffixed(reading, at, owner, stops) if owner[0].type.many else [owner]
    reading.log.depth -= 1
    fitting: list[Found] = []
    for expr, end in out:
        value = fit(reading, expr, want)
        if value is not None:
            fitting.append((value, end))
    reading.memo[key] = longest(fitting)
    return reading.memo[key]


def _possessed(reading: Reading, at: int, base: Found, stops: Stops) -> list[Found]:
    """`base`, or what its ``'s`` leads to."""
    expr, end = base
    if not reading.tokens.possessive(end - 1):
        return [base]
    if end >= len(reading.tokens):
        reading.fail(end, 4, lambda: MissingPart(reading.span(end - 1, end), before=reading.phrase(at, end)))
        return []
    out: list[Found] = []
    for found in attributes(reading, expr, end, at, stops):
        out += _possessed(reading, at, found, stops)
    return out


def _bases(reading: Reading, at: int, want: Type | None, stops: Stops) -> list[Found]:
    if at >= len(reading.tokens):
        if at:
            reading.fail(at, 1, lambda: MissingPart(reading.span(at - 1, at), before=reading.phrase(at - 1, at)))
        return []
    node = reading.tokens.nodes[at]
    if isinstance(node, tree.Word):
        if want is not None and reading.tokens.possessive(at):
            want = None
        return _word(reading, at, node.text, want, stops)
    return _literal(reading, at, node, want)


def _literal(reading: Reading, at: int, node: tree.Node, want: Type | None) -> list[Found]:
    span = reading.span(at, at + 1)
    if isinstance(node, tree.Number):
        return [(ir.Const(node.value, NUMBER, span), at + 1)]
    if isinstance(node, tree.String):
        return [(ir.Text(node.value, TEXT, span), at + 1)]
    if isinstance(node, tree.Copy):
        return [(one, at + 1) for one in names.copies(reading, node, span)]
    if isinstance(node, tree.Side):
        side = f"{node.first}/{node.second}"
        return [(ir.Instance("side", side, 1, Type("side"), span), at + 1)]
    if isinstance(node, tree.Group):
        inner = reading.of(node)
        return [(expr, at + 1) for expr, end in whole(inner, want) if end == len(inner.tokens)][:3]
    return []


def _word(reading: Reading, at: int, word: str, want: Type | None, stops: Stops) -> list[Found]:
    out = _pronouns(reading, at, word)
    binding = reading.scope.find(word)
    if binding is not None:
        out.append((reading.var(word, binding.slot, binding.type, at, at + 1), at + 1))
    out += _bare(reading, at, word, stops)
    out += forms.measures(reading, at, None, at, stops)
    out += _owned(reading, at, word, stops)
    out += names.constants(reading, at, word, want)
    out += selections.nouns(reading, at)
    if word == "number" and reading.texts[at + 1] == "of":
        out += _count(reading, at, stops)
    return sorted(out, key=lambda one: -one[1])


def _pronouns(reading: Reading, at: int, word: str) -> list[Found]:
    scope, span = reading.scope, reading.span(at, at + 1)
    if word == "it":
        if scope.it is None:
            _meaningless(reading, at, word, "`it` is the candidate inside `where`, a filter or a criterion.")
            return []
        return [(ir.Var("it", scope.it.slot, scope.it.type, span), at + 1)]
    if word in {"self", "this"}:
        type = scope.self_type if word == "self" else scope.this_type
        if type is None:
            _meaningless(reading, at, word, "These lines belong to nobody: name who is meant.")
            return []
        return [(ir.Var(word, SELF if word == "self" else THIS, type, span), at + 1)]
    if word in {"yes", "no"}:
        return [(ir.Const(1 if word == "yes" else 0, FLAG, span, word), at + 1)]
    if word == "nothing":
        return [(ir.Const(-1, ir.NOTHING, span, word), at + 1)]
    if word == "none":
        return [(ir.ListOf((), ir.NOTHING.several(), span), at + 1)]
    return []


def _meaningless(reading: Reading, at: int, word: str, why: str) -> None:
    reading.fail(at, 4, lambda: NothingMeant(reading.span(at, at + 1), word=word, why=why))


def _count(reading: Reading, at: int, stops: Stops) -> list[Found]:
    out: list[Found] = []
    for expr, end in primaries(reading, at + 2, None, stops):
        if expr.type.base == "zone" and "contents" in reading.words.by_op:
            form = reading.words.by_op["contents"]
            expr = ir.Apply(form, (expr,), Type("thing", expr.type.name or "thing", True), expr.span)
        if expr.type.many:
            slot = reading.hold("it", expr.type.one())
            out.append((ir.Quantified("number", expr, slot, None, NUMBER, reading.span(at, end)), end))
    return out


# ── columns ───────────────────────────────────────────────────────────────────────────────────


def _bare(reading: Reading, at: int, word: str, stops: Stops) -> list[Found]:
    """A column written bare: the candidate's, one's own, the game's, the mission's.

    At last one that the candidate or oneself may have, being of a narrower kind than is known here."""
    scope, words = reading.scope, reading.words
    if not words.is_attribute(word):
        return []
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
            if certain == words.has(type.name, word) and (certain or not words.is_part(word)):
                found = _column(reading, reading.var(name, slot, type, at, at + 1), word, at, at + 1, stops)
                if found:
                    if name == "it":
                        _captured(reading, at, word)
                    return found
        for single in SINGLETONS if certain else ():
            if words.has(single, word):
                game = ir.Instance(single, single, 1, Type("thing", single), reading.span(at, at + 1))
                return _column(reading, game, word, at, at + 1, stops)
    return []


def _captured(reading: Reading, at: int, word: str) -> None:
    """Note that the candidate takes a bare name, if a local, `self` or `this` would have it otherwise."""
    scope = reading.scope
    rival = "a local" if scope.find(word) is not None else ""
    for name, type in (("self", scope.self_type), ("this", scope.this_type)):
        if type is not None and type.base in {"thing", "definition"} and reading.words.has(type.name, word):
            rival = rival or name
    if rival:
        reading.log.captures[reading.span(at, at + 1)] = Capture(word, rival)


def attributes(reading: Reading, owner: Expr, at: int, start: int, stops: Stops) -> list[Found]:
    """What stands after ``'s``: a column, zone, part or measure of `owner`."""
    word = reading.texts[at]
    if word is None or owner.type.many or owner.type.base not in {"thing", "definition", "zone", "die"}:
        if word is not None:
            _lacks(reading, owner, word, at)
        return []
    out = _column(reading, owner, word, start, at + 1, stops) + forms.measures(reading, at, owner, start, stops)
    if not out:
        _lacks(reading, owner, word, at)
    return out


def _owned(reading: Reading, at: int, word: str, stops: Stops) -> list[Found]:
    """``HP of x``, ``Tired on x``, ``hand of self``."""
    link = reading.texts[at + 1] if at + 1 < len(reading.tokens) else ""
    if reading.log.failing and link and reading.words.is_attribute(word) and reading.scope.find(word) is None:
        _unprepared(reading, at, word, stops)
    if link not in ("of", "on") or link in stops or not reading.words.is_attribute(word):
        return []
    out: list[Found] = []
    for owner, end in primaries(reading, at + 2, None, stops | {"by"}):
        if owner.type.many or owner.type.base not in {"thing", "definition"}:
            continue
        found = _column(reading, owner, word, at, end, stops)
        if not found:
            _lacks(reading, owner, word, at)
        out += found
    return out


def _unprepared(reading: Reading, at: int, word: str, stops: Stops) -> None:
    """Say that `of` or `on` is missing between a column and whose it is: ``bell self's place``."""
    if reading.tokens.possessive(at):
        return
    if reading.texts[at + 1] in CORE_WORDS and reading.texts[at + 1] not in {"self", "this", "it"}:
        return
    for owner, end in primaries(reading, at + 1, None, stops):
        if owner.type.many or owner.type.base != "thing":
            continue
        for expr, _ in _column(reading, owner, word, at, end, stops)[:1]:
            counted = isinstance(expr, ir.Get) and expr.field.sort in {"status", "token"}
            preposition = "on" if counted else "of"
            usage = f"{word} {preposition} {reading.phrase(at + 1, end)}"
            forms.missing_preposition(reading, at + 1, end, preposition, usage)
            return


def _column(reading: Reading, owner: Expr, word: str, start: int, end: int, stops: Stops) -> list[Found]:
    """Column or zone `word` of `owner`, whose reading ends at `end`; a marker's owner may follow with `by`."""
    kind, words = owner.type.name or "thing", reading.words
    span = reading.span(start, end)
    out: list[Found] = []
    for field in words.fields(kind, word)[:1]:
        if field.sort == "token" and kind != "space" and field.kind == "space":
            owner = fit(reading, owner, ir.SPACE) or owner
        if field.owned_by is not None and reading.texts[end] == "by" and "by" not in stops:
            for by, after in primaries(reading, end + 1, Type("thing", field.owned_by), stops):
                out.append((ir.Get(owner, field, NUMBER, reading.span(start, after), by), after))
        out.append((ir.Get(owner, field, read_type(field), span), end))
    if not out and kind != "space" and owner.type.base == "thing":
        out += _of_place(reading, owner, word, span, end)
    if owner.type.base == "thing":
        for zone in words.zones(kind, word):
            out.append((ir.ZoneOf(owner, zone.id, Type("zone", zone.holds), span), end))
    return out


def _of_place(reading: Reading, owner: Expr, word: str, span: Span, end: int) -> list[Found]:
    """A token is counted on the space where a piece stands."""
    tokens: list[Field] = [field for field in reading.words.fields("space", word) if field.sort == "token"]
    place = builtin(reading, owner, "place") if tokens else None
    return [(ir.Get(place, field, NUMBER, span), end) for field in tokens[:1] if place is not None]


def _lacks(reading: Reading, owner: Expr, word: str, at: int) -> None:
    kind = owner.type.name if owner.type.base in {"thing", "definition"} else type_words(owner.type)
    known = reading.words.columns(kind)
    if owner.type.many and word in known and reading.tokens.possessive(at - 1):
        phrase = reading.phrase(at - 1, at)
        reading.fail(at, 5, lambda: OneNeeded(reading.span(at - 1, at), phrase=phrase, wanted=f"one {kind}"))
        return
    reading.fail(
        at,
        4,
        lambda: UnknownStat(reading.span(at, at + 1), owner=kind, name=word, suggestion=suggest(word, known)),
    )
