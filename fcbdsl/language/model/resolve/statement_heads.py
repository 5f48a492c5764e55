"""Heads of statements: what is read of a line before the statements in its block, and the names that it binds."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from fcbdsl.base.diagnostics import suggest
from fcbdsl.base.diagnostics.phrases import Incomplete, Misplaced, UnknownFace, UnknownId
from fcbdsl.base.source import Span
from fcbdsl.base.words import Timing
from fcbdsl.language.model import ir
from fcbdsl.language.model.builtins import ENDING, TEAM, has_endings
from fcbdsl.language.model.ir import FLAG, NUMBER, Expr, Type
from fcbdsl.language.model.lines import first_word
from fcbdsl.language.model.resolve import error_selection, event_phrases, expressions, failing
from fcbdsl.language.model.resolve.core import Resolver
from fcbdsl.language.model.resolve.expressions import disjunction, primaries, sums
from fcbdsl.language.model.resolve.parse_state import NONE, ParseState
from fcbdsl.language.model.resolve.scope import Scope
from fcbdsl.language.model.resolve.terms import read_chooser
from fcbdsl.language.model.resolve.tokens import flatten
from fcbdsl.language.syntax.tree import Atom, Clause, Line, Node, Number, Part, Phrase, Range, String, Word

_USAGE = {
    "if": "if CONDITION: …",
    "for": "for each NOUN: …",
    "repeat": "repeat N times: …",
    "choose": "choose NAME: SELECTION",
    "may": "may STATEMENT, or may[, by PLAYER]: …",
    "in": "in any order: with a step on each line below",
    "roll": "roll DICE: …",
    "play": "play MISSION: with rows `won:`, `lost:` or `drawn:`",
    "until": "until EVENT: …",
    "let": "let NAME = VALUE",
    "require": "require CONDITION",
    "answer": "answer VALUE",
    "announce": "announce EVENT",
    "offer": "offer ACTORS",
}


def bound_names(lines: Sequence[Line]) -> set[str]:
    """Return the names that any line binds, at any depth.

    They distinguish a local used too early from an unknown word.
    """
    names: set[str] = set()
    for line in lines:
        names |= names_bound_by(line.tail) | bound_names(line.block)
        if line.head is not None:
            names |= names_bound_by((line.head,))
    return names


def names_bound_by(clauses: Sequence[Clause]) -> set[str]:
    """Return the names that some clause binds."""
    names: set[str] = set()
    for clause in clauses:
        if clause.lead in {"let", "choose", "roll", "for"} and clause.parts:
            first = flatten(clause).texts[0]
            if first:
                names.add(first)
    return names


_BINDING = re.compile(r"(?:let|choose|roll|for[ ]+each)\s+([^\W\d][\w-]*)")


def lost_names(lines: Sequence[Line]) -> set[str]:
    """Return the names bound by lines that could not be read; uses of these names are not reported."""
    names: set[str] = set()
    for line in lines:
        if line.broken:
            names |= set(_BINDING.findall(line.source.text, line.offset, line.end))
        names |= lost_names(line.block)
    return names


def lead_of(line: Line) -> str | None:
    """Return the keyword that begins a line, if any."""
    clause = line.head if line.head is not None else next(iter(line.tail), None)
    return clause.lead if clause is not None else None


def is_then(line: Line) -> bool:
    """Return whether a line begins with a lone ``then:``."""
    head = line.head
    if head is None or head.lead is not None or len(head.parts) != 1:
        return False
    expr = head.parts[0].expr
    return isinstance(expr, Phrase) and len(expr.atoms) == 1 and first_word(head.parts[0]) == "then"


def is_foreign_else(line: Line) -> bool:
    """Return whether a line begins with an ``else if`` in the spelling of another language."""
    head = line.head
    if head is None or head.lead is not None or not head.parts:
        return False
    return error_selection.FOREIGN.get(first_word(head.parts[0])) == "else if"


DECLARED = "Write it in a declaration, such as a rule, a mission or a test."


def report_misplaced(resolver: Resolver, line: Line, clause: Clause, why: str, cure: str) -> None:
    """Report a statement that is not allowed at its place; `cure`: what to write instead."""
    lead = clause.lead or (first_word(clause.parts[0]) if clause.parts else "")
    span = line.span_of(Node(clause.start, clause.start + len(lead)))
    resolver.report(Misplaced(span, lead="for each" if lead == "for" else lead, why=why, cure=cure))


def report_incomplete(resolver: Resolver, line: Line, clause: Clause, what: str) -> None:
    """Report a statement that lacks something; an empty block is reported when lines are read."""
    if line.opens and not line.block:
        return
    lead = clause.lead or first_word(clause.parts[0])
    resolver.report(Incomplete(line.span_of(clause), lead=lead, what=what, usage=_USAGE.get(lead, f"{lead} …")))


def else_if(state: ParseState) -> list[tuple[ir.Expr, int]]:
    """Read the condition of ``else if``."""
    return disjunction(state, 1) if state.texts[0] == "if" else []


def foreign_else_if(state: ParseState) -> list[tuple[ir.Expr, int]]:
    """Read the condition of an ``else if`` in the spelling of another language, such as ``elif``."""
    return disjunction(state, 1)


Loop = tuple[str, Expr, bool, bool, Expr | None, bool]
"""The local, its items, whether all is one happening, whether the order is chosen, who chooses it, and whether the loop
begins with secret choices."""


def loops(state: ParseState) -> list[tuple[Loop, int]]:
    """Read ``x in LIST``, or a selection whose noun becomes the name.

    After it may come ``, at once``, ``, in secret`` or ``, in any order``.
    """
    out: list[tuple[Loop, int]] = []
    for (word, items), end in _gone_through(state):
        out.append(((word, items, False, False, None, False), end))
        if state.texts[end : end + 3] == (",", "at", "once"):
            out.append(((word, items, True, False, None, False), end + 3))
        if state.texts[end : end + 3] == (",", "in", "secret"):
            out.append(((word, items, False, False, None, True), end + 3))
        if state.texts[end : end + 4] == (",", "in", "any", "order"):
            out.append(((word, items, False, True, None, False), end + 4))
            out += [((word, items, False, True, by, False), after) for by, after in read_chooser(state, end + 4)]
    return out


def _gone_through(state: ParseState) -> list[tuple[tuple[str, ir.Expr], int]]:
    word = state.texts[0]
    out: list[tuple[tuple[str, ir.Expr], int]] = []
    if word and state.texts[1] == "in":
        for items, end in primaries(state, 2, None, NONE):
            if items.type.many:
                kind = Type("thing", word, True)
                narrower = word in state.words.model.kinds and items.type.base == "thing"
                if narrower and not state.words.related(word, items.type.name):
                    continue
                if narrower and state.words.is_a(word, items.type.name):
                    items = _as_kind(state, items, kind)
                out.append(((word, items), end))
    for items, end in primaries(state, 0, None, NONE):
        if items.type.many and word:
            out.append(((word, items), end))
    return out


def _as_kind(state: ParseState, items: ir.Expr, kind: Type) -> ir.Expr:
    """Return the items of a list that are of a kind: ``for each enemy in figures``."""
    if items.type == kind:
        return items
    slot = state.hold(kind.name, items.type.one())
    var = ir.Var("it", slot, items.type.one(), items.span)
    return ir.Select(items, slot, ir.IsA(var, kind.name, FLAG, items.span), (), kind, items.span, "")


def repetitions(state: ParseState) -> list[tuple[ir.Expr, int]]:
    """Read ``N times``."""
    amounts = sums(state, 0, NUMBER, NONE)
    if not amounts and state.log.failing:
        for expr, end in primaries(state, 0, None, NONE)[:1]:
            failing.wrong(state, 0, 0, end, expr, NUMBER)
    return [(count, end + 1) for count, end in amounts if state.texts[end] in {"times", "time"}]


def is_may(clause: Clause) -> bool:
    """Return whether a clause is a ``may`` with terms, which is an ordinary word before a comma."""
    first = clause.parts[0].expr if clause.lead is None and len(clause.parts) > 1 else None
    return isinstance(first, Phrase) and len(first.atoms) == 1 and first_word(clause.parts[0]) == "may"


IN_ANY_ORDER = ("in", "any", "order")


def is_any_order(resolver: Resolver, clause: Clause) -> bool:
    """Return whether a clause is ``in any order``, with or without a chooser."""
    return clause.lead is None and resolver.tokens(clause.parts).texts[:3] == IN_ANY_ORDER


def winning_team(resolver: Resolver, line: Line, phrase: Sequence[Atom]) -> Expr | None:
    """Return the team in ``won by TEAM``; report a phrase that is not a team."""
    teams = [definition.id for definition in resolver.words.model.definitions.values() if definition.kind.id == TEAM]
    match phrase:
        case (Word(text="by"), Word(text=name)) if name in teams:
            return ir.Instance(TEAM, name, 1, Type("thing", TEAM), line.span_of(phrase[1]))
        case (Word(text="by"), Word(text=name)):
            listed = f"There are {', '.join(f'`{team}`' for team in teams)}." if teams else "There is none."
            nearest = suggest(name, teams)
            resolver.report(UnknownId(line.span_of(phrase[1]), sort=TEAM, name=name, known=listed, suggestion=nearest))
        case _:
            why, cure = "only `by TEAM` can follow it", "Write `won:` or `won by TEAM:`."
            resolver.report(Misplaced(line.span_of(phrase[0]), lead="won", why=why, cure=cure))
    return None


def reached_ending(resolver: Resolver, line: Line, lead: Atom, phrase: Sequence[Atom]) -> Expr | None:
    """Return the ending in ``won as ENDING``, behind the word `lead`; report a phrase that is no ending."""
    model = resolver.words.model
    endings = [id for kind, id in model.definitions if kind == ENDING and has_endings(model)]
    match phrase:
        case (Word(text=name),) if name in endings:
            return ir.Instance(ENDING, name, 1, Type("thing", ENDING), line.span_of(phrase[0]))
        case (Word(text=name),):
            listed = f"There are {', '.join(f'`{ending}`' for ending in endings)}." if endings else "There is none."
            nearest = suggest(name, endings)
            unknown = UnknownId(line.span_of(phrase[0]), sort=ENDING, name=name, known=listed, suggestion=nearest)
            resolver.report(unknown)
        case _:
            why, cure = "the name of an ending must follow it", "Write `won as ENDING:`."
            resolver.report(Misplaced(line.span_of(lead), lead="as", why=why, cure=cure))
    return None


def begins_with_text(clause: Clause) -> bool:
    """Return whether a clause begins with a text in quotes."""
    expr = clause.parts[0].expr if clause.parts else None
    return clause.lead is None and isinstance(expr, Phrase) and isinstance(expr.atoms[0], String)


def split_label(clause: Clause) -> tuple[str, tuple[Clause, ...]]:
    """Return the label of an option, and the statement after it."""
    first = clause.parts[0]
    assert isinstance(first.expr, Phrase)
    label, atoms = first.expr.atoms[0], first.expr.atoms[1:]
    assert isinstance(label, String)
    if not atoms:
        return label.value, ()
    phrase = Phrase(atoms[0].start, first.expr.end, atoms)
    parts = (Part(phrase.start, first.end, None, phrase), *clause.parts[1:])
    return label.value, (Clause(phrase.start, clause.end, None, parts),)


def rolled_name(resolver: Resolver, clause: Clause) -> tuple[str, Word]:
    """Return the name that a roll binds; an empty one if it is no word."""
    node = resolver.tokens(clause).nodes[0]
    if isinstance(node, Word):
        return node.text, node
    return "", Word(node.start, node.end, "")


def row_labels(state: ParseState) -> Iterable[str]:
    """Yield the numbers, ranges and symbols of a row."""
    for at, node in enumerate(state.tokens.nodes):
        if isinstance(node, Number | Range | Word):
            yield state.phrase(at, at + 1)


def face_of_row(resolver: Resolver, line: Line, node: Word, rolled: Expr | None) -> int | None:
    """Return the symbol of a row, which must be on the die if the die is known."""
    words = resolver.words
    all_symbols = words.symbols()
    die = rolled.die if isinstance(rolled, ir.Dice) else None
    on_die, name = all_symbols, "this roll"
    if isinstance(die, ir.Def) and die.id in words.model.dice:
        on_die, name = words.model.dice[die.id].symbols, die.id
    if node.text in on_die:
        return all_symbols.index(node.text)
    nearest = suggest(node.text, on_die)
    resolver.report(UnknownFace(line.span_of(node), die=name, face=node.text, suggestion=nearest))
    return None


def report_unreadable_face(resolver: Resolver, span: Span) -> None:
    """Report a row that contains more than faces, numbers and a title."""
    resolver.report(UnknownFace(span, die="this roll", face=span.source.text[span.start : span.end]))


def lasting_conditions(state: ParseState) -> list[tuple[tuple[Expr, bool], int]]:
    """Read conditions from the first token on, each with whether `once` follows."""
    out: list[tuple[tuple[Expr, bool], int]] = []
    for condition, end in expressions.disjunction(state, 0):
        once = state.texts[end] == "," and state.texts[end + 1] == "once"
        out.append(((condition, once), end + 2 * once))
    return out


def read_timing(resolver: Resolver, line: Line, head: Clause, scope: Scope) -> tuple[Timing, int] | None:
    """Return the timing of a listener and the token where its event begins; None (and a report) if it has no timing
    word."""
    texts = resolver.tokens(head).texts
    word, start = head.lead or "when", 0
    if word == "may":
        word, start = texts[0] or "", 1
        if scope.offered:
            why = "this kind only has triggers of `answers: offered`, which players may decline"
            report_misplaced(resolver, line, head, why, "Remove `may`: write `when EVENT: …`.")
            return None
        if scope.self_type is None:
            cure = "Write `when EVENT:`, and `may …` on a line below."
            report_misplaced(resolver, line, head, "a rule asks no player", cure)
            return None
    timing = event_phrases.TIMINGS.get(word)
    if word == "after":
        report_misplaced(resolver, line, head, "an effect after an event begins with `when`", "Write `when EVENT: …`.")
    elif timing is None:
        resolver.report(Incomplete(line.span_of(head), lead="may", what="its event", usage="may when EVENT: …"))
    if timing is None:
        return None
    return timing, start + (word == "instead" and texts[start] == "of")
