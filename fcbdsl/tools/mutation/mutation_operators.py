"""The operators of mutation: a closed list. Each finds every change of its kind that a file allows.

An operator knows the language and no game. The check decides whether the changed source is valid.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import pairwise

from fcbdsl.base.records import dataclass
from fcbdsl.language.model.resolve.statement_heads import is_then, lead_of
from fcbdsl.language.syntax.tree import Binary, Clause, Line, Negation, Node, Number, Part, Phrase, Range, Where, Word
from fcbdsl.tools.mutation.sites import Place, Sites, Spot, part_before

NOTHING = "nothing"
"""A statement without effect, for blocks that must not be empty."""


@dataclass(frozen=True, slots=True)
class Edit:
    """A replacement of the text from `start` to `end` in a source by `new`. `removed`: the removed text that a
    report shows; empty: the text of this range."""

    start: int
    end: int
    new: str
    removed: str = ""


Finder = Callable[[Sites, Spot], Iterator[Edit]]


@dataclass(frozen=True, slots=True)
class Operator:
    """A kind of change: its name, what it does, an example of it, and how it is found at a line."""

    name: str
    does: str
    before: str
    after: str
    find: Finder


# ── numbers and formulas ──────────────────────────────────────────────────────────────────────


def _numbers(sites: Sites, spot: Spot) -> Iterator[Edit]:
    for node in spot.nodes():
        start, end = spot.place(node)
        match node:
            case Number(value=value, signed=signed):
                for other in (value + 1, value - 1):
                    if signed:
                        yield Edit(start, end, f"{other:+d}")
                    elif other >= 0:
                        yield Edit(start, end, str(other))
            case Range(low=low, high=high):
                bounds = [(low + 1, high), (low - 1, high)]
                bounds += [(low, high + 1), (low, high - 1)] if high is not None else []
                for least, most in bounds:
                    if most is None or least <= most:
                        yield Edit(start, end, f"{least}..{'' if most is None else most}")


def _signs(sites: Sites, spot: Spot) -> Iterator[Edit]:
    for node in spot.nodes():
        if isinstance(node, Number) and node.signed:
            yield Edit(*spot.place(node), f"{-node.value:+d}")


ARITHMETIC = {"+": "-", "-": "+", "*": "/", "/": "*"}


def _arithmetic(sites: Sites, spot: Spot) -> Iterator[Edit]:
    for node in spot.nodes():
        if isinstance(node, Binary) and node.op in ARITHMETIC:
            yield Edit(*_operator(sites, spot, node), ARITHMETIC[node.op])


def _operator(sites: Sites, spot: Spot, node: Binary) -> Place:
    """Return the place of the operator of a binary expression."""
    start = sites.text.index(node.op, spot.line.offset + node.left.end)
    return start, start + len(node.op)


def _extrema(sites: Sites, spot: Spot) -> Iterator[Edit]:
    words = {"lowest": "highest", "highest": "lowest", "most": "fewest", "fewest": "most"}
    for node in spot.nodes():
        if isinstance(node, Phrase):
            for here, after in zip(node.atoms, [*node.atoms[1:], None], strict=True):
                if not isinstance(here, Word) or not isinstance(after, Word) or here.possessive:
                    continue
                if here.text == "at" and after.text in {"least", "most"}:
                    yield Edit(*spot.place(after), "most" if after.text == "least" else "least")
                if here.text in {"most", "fewest"} or (here.text in words and after.text == "of"):
                    yield Edit(*spot.place(here), words[here.text])
        if isinstance(node, Part) and _criterion(sites, spot, node):
            first = node.expr.atoms[0] if isinstance(node.expr, Phrase) else None
            if not (isinstance(first, Word) and first.text in {"most", "fewest"}):
                start = spot.line.offset + node.expr.start
                yield Edit(
                    start, spot.line.offset + node.end, f"most {sites.text[start : spot.line.offset + node.end]}"
                )


# ── conditions ────────────────────────────────────────────────────────────────────────────────

COMPARISONS = {
    "=": ("!=",),
    "!=": ("=",),
    "<": ("<=", ">="),
    "<=": ("<", ">"),
    ">": (">=", "<="),
    ">=": (">", "<"),
}


def _comparisons(sites: Sites, spot: Spot) -> Iterator[Edit]:
    bound = {place for clause in spot.clauses if (place := _binding(sites, spot, clause)) is not None}
    for node in spot.nodes():
        if isinstance(node, Binary) and node.op in COMPARISONS:
            place = _operator(sites, spot, node)
            if place not in bound:
                for other in COMPARISONS[node.op]:
                    yield Edit(*place, other)


def _binding(sites: Sites, spot: Spot, clause: Clause) -> Place | None:
    """Return the place of the `=` of a `let`: its first one."""
    if clause.lead != "let" or not clause.parts:
        return None
    start = sites.text.find("=", spot.line.offset + clause.start, spot.line.offset + clause.end)
    return (start, start + 1) if start >= 0 else None


def _connectives(sites: Sites, spot: Spot) -> Iterator[Edit]:
    for node in spot.nodes():
        if isinstance(node, Binary) and node.op in ("and", "or"):
            yield Edit(*_operator(sites, spot, node), "or" if node.op == "and" else "and")


def _conjuncts(sites: Sites, spot: Spot) -> Iterator[Edit]:
    starts = _conditions_begin(sites, spot)
    inside: set[int] = set()
    for node in spot.nodes():
        if not isinstance(node, Binary) or node.op not in ("and", "or") or id(node) in inside:
            continue
        operands: list[Node] = []
        chain: Node = node
        while isinstance(chain, Binary) and chain.op == node.op:
            inside.add(id(chain))
            operands.insert(0, chain.right)
            chain = chain.left
        operands.insert(0, chain)
        first, second = spot.place(operands[0]), spot.place(operands[1])
        begin = max([start for start in starts if first[0] <= start < first[1]], default=first[0])
        yield Edit(begin, second[0], "")
        for before, operand in pairwise(operands):
            yield Edit(spot.place(before)[1], spot.place(operand)[1], "")


def _conditions_begin(sites: Sites, spot: Spot) -> list[int]:
    """Return where conditions begin that share their phrase with other words: after `if`, `becomes` or the `=` of a
    `let`."""
    out: list[int] = []
    for node in spot.nodes():
        if isinstance(node, Phrase):
            for here, after in pairwise(node.atoms):
                if isinstance(here, Word) and (here.text == "becomes" or (here.text == "if" and here is node.atoms[0])):
                    out.append(spot.place(after)[0])
    for clause in spot.clauses:
        place = _binding(sites, spot, clause)
        if place is not None:
            rest = sites.text[place[1] :]
            out.append(place[1] + len(rest) - len(rest.lstrip()))
    return out


def _negations(sites: Sites, spot: Spot) -> Iterator[Edit]:
    for node in spot.nodes():
        if isinstance(node, Negation):
            start, _ = spot.place(node)
            yield Edit(start, spot.place(node.operand)[0], "")
        if isinstance(node, Phrase):
            for before, here in zip([None, *node.atoms], node.atoms, strict=False):
                if isinstance(here, Word) and here.text == "not" and before is not None:
                    yield Edit(spot.place(before)[1], spot.place(here)[1], "")


def _quantifiers(sites: Sites, spot: Spot) -> Iterator[Edit]:
    words = {"any": "no", "no": "any", "every": "any"}
    for node in spot.nodes():
        if isinstance(node, Word) and node.text in words and spot.place(node)[0] in sites.meanings.quantified:
            yield Edit(*spot.place(node), words[node.text])


def _branches(sites: Sites, spot: Spot) -> Iterator[Edit]:
    for clause in spot.clauses:
        if clause.lead == "if" and clause.parts:
            start, end = spot.line.offset + clause.parts[0].start, spot.line.offset + clause.parts[-1].end
            yield Edit(start, end, f"not ({sites.text[start:end]})")
        if clause.lead == "else" and clause.parts:  # `else if COND`
            first = clause.parts[0].expr
            word = _first_word(first)
            if word is not None and word.text == "if":
                start, end = spot.line.offset + word.end + 1, spot.line.offset + clause.parts[-1].end
                yield Edit(start, end, f"not ({sites.text[start:end]})")


def _first_word(node: Node) -> Word | None:
    """Return the word that an expression begins with."""
    while isinstance(node, Binary | Where):
        node = node.left if isinstance(node, Binary) else node.base
    first = node.atoms[0] if isinstance(node, Phrase) else None
    return first if isinstance(first, Word) else None


def _requirements(sites: Sites, spot: Spot) -> Iterator[Edit]:
    if spot.line.head is not None and spot.key in {"needs", "usable"}:
        yield _without_line(sites, spot)
    for clause in spot.clauses:
        if clause.lead == "require":
            yield from _without_clause(sites, spot, clause)
        for part in clause.parts[1:]:
            word = _first_word(part.expr)
            if part.lead is None and word is not None and word.text == "if":
                yield _without_part(spot, clause, part)


# ── selections ────────────────────────────────────────────────────────────────────────────────


def _filters(sites: Sites, spot: Spot) -> Iterator[Edit]:
    low, high = spot.line.offset, spot.line.end
    for node in spot.nodes():
        if isinstance(node, Where):
            yield Edit(spot.place(node.base)[1], spot.place(node.condition)[1], "")
    for start, end in sorted(sites.meanings.filters):
        if low <= start and end <= high and not _behind_where(sites, start, end):
            words = sites.text[low:start].rstrip()
            for lead in ("with", "with no", "except"):
                if words.endswith(f" {lead}"):
                    words = words[: -len(lead)].rstrip().removesuffix(",")
            begin = low + len(words)
            if _in_clauses(spot, begin, end):
                yield Edit(begin, end, "")


def _in_clauses(spot: Spot, start: int, end: int) -> bool:
    """Return whether a place is within the line itself: its text may include its block."""
    return any(
        spot.line.offset + clause.start <= start and end <= spot.line.offset + clause.end for clause in spot.clauses
    )


def _behind_where(sites: Sites, start: int, end: int) -> bool:
    """Return whether a condition on a candidate follows `where`, and is not a filter before it."""
    text = sites.text[:start].rstrip(" \n(")
    return text.endswith((" where", " and", " or", " not")) or any((start, end) == place for place in sites.wheres)


def _criterion(sites: Sites, spot: Spot, part: Part) -> bool:
    return part.lead in ("by", "then") and spot.line.offset + part.expr.start in sites.meanings.criteria


def _criteria(sites: Sites, spot: Spot) -> Iterator[Edit]:
    for clause, part, after in _parts(spot):
        if _criterion(sites, spot, part):
            if part.lead == "by" and after is not None and after.lead == "then":
                yield Edit(spot.line.offset + part.expr.start, spot.line.offset + after.expr.start, "")
            else:
                yield _without_part(spot, clause, part)


def _choosers(sites: Sites, spot: Spot) -> Iterator[Edit]:
    if spot.key not in {"choose", "offer", "may"}:
        return
    for clause, part, _ in _parts(spot):
        if part.lead == "by" and not _criterion(sites, spot, part):
            yield _without_part(spot, clause, part)


def _options(sites: Sites, spot: Spot) -> Iterator[Edit]:
    for clause, part, _ in _parts(spot):
        words = sites.text[spot.line.offset + part.start : spot.line.offset + part.end]
        if words in ("or none", "until done", "at random", "in any order", "in secret"):
            yield _without_part(spot, clause, part)
    if spot.line.offset in sites.meanings.options and len(spot.siblings) > 1:
        yield _without_line(sites, spot)


# ── what is declared ──────────────────────────────────────────────────────────────────────────


def _limits(sites: Sites, spot: Spot) -> Iterator[Edit]:
    if spot.line.head is not None and spot.key == "limit":
        yield _without_line(sites, spot)
    for clause, part, _ in _parts(spot):
        word = _first_word(part.expr)
        if part.lead is None and word is not None and word.text == "once" and part is not clause.parts[0]:
            yield _without_part(spot, clause, part)


def _prices(sites: Sites, spot: Spot) -> Iterator[Edit]:
    if spot.line.head is not None and spot.key in {"costs", "spends"}:
        yield _without_line(sites, spot)


def _properties(sites: Sites, spot: Spot) -> Iterator[Edit]:
    words = " ".join(spot.text.split())
    if words in ("gives cover", "off board", "no footing") or f"{words} ".startswith("shuts corners "):
        yield _without_line(sites, spot)
    if spot.line.head is not None and spot.key in {"keeps", "blocks", "ladder"} and spot.line.tail:
        clause = spot.line.tail[0]
        for part in clause.parts:
            yield _without_line(sites, spot) if len(clause.parts) == 1 else _without_item(sites, spot, clause, part)
    for clause, part, _ in _parts(spot):
        words = sites.text[slice(*spot.place(part))]
        if (words == "kept" and part is not clause.parts[0]) or f"{words} ".startswith("secret "):
            yield _without_item(sites, spot, clause, part)


def _values(sites: Sites, spot: Spot) -> Iterator[Edit]:
    for node in spot.nodes():
        if isinstance(node, Word):
            other = sites.meanings.values.get(spot.place(node))
            if other:
                yield Edit(*spot.place(node), other)


# ── behavior ──────────────────────────────────────────────────────────────────────────────────


def _timings(sites: Sites, spot: Spot) -> Iterator[Edit]:
    others = {"when": "before", "at": "before", "before": "when", "instead of": "when", "after": "before"}
    if spot.line.offset not in sites.meanings.listeners:
        return
    rest = sites.text[spot.line.offset :]
    for lead, other in others.items():
        if rest.startswith(f"{lead} "):
            yield Edit(spot.line.offset, spot.line.offset + len(lead), other)


def _listeners(sites: Sites, spot: Spot) -> Iterator[Edit]:
    if spot.line.offset in sites.meanings.listeners:
        yield _without_line(sites, spot)


def _modifiers(sites: Sites, spot: Spot) -> Iterator[Edit]:
    for clause in spot.clauses:
        if spot.line.offset + clause.start in sites.meanings.modifiers:
            yield from _without_clause(sites, spot, clause)


def _statements(sites: Sites, spot: Spot) -> Iterator[Edit]:
    for clause in spot.clauses:
        start = spot.line.offset + clause.start
        if clause.lead in ("require", "else") or start not in sites.meanings.statements:
            continue
        if sites.text[start : spot.line.offset + clause.end] == NOTHING:
            continue
        if start in sites.meanings.modifiers or start in sites.meanings.listeners:
            continue
        if clause.lead == "let" and not _is_rebound(spot, clause):
            continue
        if clause.lead == "choose" and spot.text.split()[1].rstrip(":,") != "one":
            continue
        yield from _without_clause(sites, spot, clause)
    if spot.line.head is not None and spot.line.head.lead == "else":
        yield _without_line(sites, spot)


def _is_rebound(spot: Spot, clause: Clause) -> bool:
    """Return whether a `let` assigns an existing local again; without the first one the check would refuse the
    source."""
    word = _first_word(clause.parts[0].expr) if clause.parts else None
    text = spot.line.source.text
    begin = text.rfind("\n\n", 0, spot.line.offset) + 1
    return word is not None and f"let {word.text} =" in text[begin : spot.line.offset + clause.start]


# ── order, kin, sides and ends ────────────────────────────────────────────────────────────────


def _neighbors(sites: Sites, spot: Spot) -> Iterator[Edit]:
    statements = sites.meanings.statements - sites.meanings.commuting
    for first, second in pairwise(spot.line.tail):
        there, place = _clause_place(spot, first), _clause_place(spot, second)
        if there[0] in sites.meanings.statements and place[0] in statements:
            yield _swapped(sites, there, place)
    if not spot.at or spot.line.offset not in statements:
        return
    before = spot.siblings[spot.at - 1]
    if _is_else(spot.line):  # two conditions of a chain
        there, place = _whole(sites, before), _whole(sites, spot.line)
        if _is_else(before) and before.offset in sites.meanings.statements:
            yield _swapped(sites, there, place)
        return
    start = spot.at - 1
    while start and _is_else(spot.siblings[start]):
        start -= 1
    end = spot.at
    while end + 1 < len(spot.siblings) and _is_else(spot.siblings[end + 1]):
        end += 1
    there = spot.siblings[start].whole.start, _whole(sites, before)[1]
    place = spot.line.whole.start, _whole(sites, spot.siblings[end])[1]
    if spot.siblings[start].offset in sites.meanings.statements and there[1] <= place[0]:
        yield _swapped(sites, there, place)


def _is_else(line: Line) -> bool:
    """Return whether a line depends on the statement before it: an `else` or a `then`."""
    return is_then(line) or lead_of(line) == "else"


def _clause_place(spot: Spot, clause: Clause) -> Place:
    return spot.line.offset + clause.start, spot.line.offset + clause.end


def _whole(sites: Sites, line: Line) -> Place:
    """Return where a line starts and its block ends, without trailing blanks."""
    return line.whole.start, len(sites.text[: line.whole.end].rstrip())


def _swapped(sites: Sites, first: Place, second: Place) -> Edit:
    text = sites.text
    new = text[slice(*second)] + text[first[1] : second[0]] + text[slice(*first)]
    return Edit(first[0], second[1], new)


def _kin(sites: Sites, spot: Spot) -> Iterator[Edit]:
    yield from _others(spot, sites.meanings.others.kin)


def _sides(sites: Sites, spot: Spot) -> Iterator[Edit]:
    yield from _others(spot, sites.meanings.others.sides)


def _endings(sites: Sites, spot: Spot) -> Iterator[Edit]:
    yield from _others(spot, sites.meanings.others.endings)


def _others(spot: Spot, alternatives: Mapping[Place, tuple[str, ...]]) -> Iterator[Edit]:
    """Yield the replacements of places by their alternatives."""
    for place in sorted(alternatives):
        if _in_clauses(spot, *place):
            for other in alternatives[place]:
                yield Edit(*place, other)


def _changed_choosers(sites: Sites, spot: Spot) -> Iterator[Edit]:
    for clause in spot.clauses:
        for other in sites.meanings.others.unasked.get(spot.line.offset + clause.start, ()):
            first = clause.parts[0] if clause.lead == "offer" and clause.parts else clause
            end = spot.line.offset + first.end
            yield Edit(end, end, f", by {other}")


# ── edits ─────────────────────────────────────────────────────────────────────────────────────


def _parts(spot: Spot) -> Iterator[tuple[Clause, Part, Part | None]]:
    """Yield the parts of a line's clauses, each with the one after it."""
    for clause in spot.clauses:
        for at, part in enumerate(clause.parts):
            yield clause, part, clause.parts[at + 1] if at + 1 < len(clause.parts) else None


def _without_part(spot: Spot, clause: Clause, part: Part) -> Edit:
    before = part_before(clause, part)
    start = before.end if before is not None else part.start
    return Edit(spot.line.offset + start, spot.line.offset + part.end, "")


def _without_item(sites: Sites, spot: Spot, clause: Clause, part: Part) -> Edit:
    """Return the removal of an item after a colon, with its comma; the only item is removed with the colon."""
    if part is not clause.parts[0]:
        return _without_part(spot, clause, part)
    start = spot.line.offset + part.start
    if len(clause.parts) > 1:
        return Edit(start, spot.line.offset + clause.parts[1].start, "")
    return Edit(sites.text.rindex(":", 0, start), spot.line.offset + part.end, "")


def _without_line(sites: Sites, spot: Spot) -> Edit:
    """Return the removal of a line, with its block and dependent lines.

    If it is alone in its block, the line that governs the block is removed, or a `nothing` replaces it.
    """
    alone = len(spot.siblings) == 1 and spot.parent is not None
    if alone and spot.parent is not None and _is_led(spot.parent.line) and not _leads_else(spot.parent):
        edit = _without_line(sites, spot.parent)
        return replace(edit, removed=f"{spot.text}{' …' if spot.line.block else ''}") if edit.removed else edit
    last = spot.line
    dependants = [last]
    if spot.line.head is not None and spot.line.head.lead == "if":
        for later in spot.siblings[spot.at + 1 :]:
            if later.head is None or later.head.lead != "else":
                break
            dependants.append(later)
            last = later
    end = _end(last)
    more = " …" if any(line.block for line in dependants) or len(dependants) > 1 else ""
    removed = f"{spot.text}{more}"
    if len(spot.siblings) > len(dependants) and not _shares_line(spot):
        start = sites.text.rfind("\n", 0, spot.line.offset) + 1
        after = sites.text.find("\n", end)
        return Edit(start, after + 1 if after >= 0 else len(sites.text), "", removed)
    return Edit(spot.line.offset + spot.clauses[0].start, end, NOTHING, removed)


def _shares_line(spot: Spot) -> bool:
    """Return whether a line follows the colon of another on the same line."""
    return spot.parent is not None and spot.parent.line.offset == spot.line.offset


def _end(line: Line) -> int:
    """Return where a line and its block end."""
    return _end(line.block[-1]) if line.block else line.end


def _without_clause(sites: Sites, spot: Spot, clause: Clause) -> Iterator[Edit]:
    """Yield the removal of a statement: its line with its block, or one of several that are separated by `;`."""
    line = spot.line
    if clause is line.head or (line.head is None and len(line.tail) == 1):
        if not (_shares_line(spot) and spot.parent is not None and _is_led(spot.parent.line)):
            yield _without_line(sites, spot)
        return
    start, end = line.offset + clause.start, line.offset + clause.end
    removed = sites.text[start:end]
    if len(line.tail) > 1:
        at = line.tail.index(clause)
        if at:
            yield Edit(line.offset + line.tail[at - 1].end, end, "", removed)
        else:
            yield Edit(start, line.offset + line.tail[1].start, "", removed)
    elif not _is_led(line) or _leads_else(spot):  # the other case removes the line around it, which is the same edit
        yield Edit(start, end, NOTHING, removed)


def _is_led(line: Line) -> bool:
    """Return whether a line is a statement or listener that governs a block."""
    return line.head is not None and line.head.lead is not None


def _leads_else(spot: Spot) -> bool:
    """Return whether an `else` follows, which depends on its predecessor."""
    after = spot.siblings[spot.at + 1] if spot.at + 1 < len(spot.siblings) else None
    return after is not None and after.head is not None and after.head.lead == "else"


OPERATORS = (
    Operator(
        "number",
        "a number is one more or one less, a range one wider or narrower",
        "stroke friend 2",
        "stroke friend 3",
        _numbers,
    ),
    Operator("sign", "a change has the opposite sign", "head: score +2", "head: score -2", _signs),
    Operator(
        "arithmetic",
        "`+` and `-`, `*` and `/` change places",
        "when cat naps: score becomes score * 2",
        "when cat naps: score becomes score / 2",
        _arithmetic,
    ),
    Operator(
        "extremum",
        "`lowest` and `highest`, `most` and `fewest`, `at least` and `at most` change places; an order is reversed",
        "let best = highest of 1, times",
        "let best = lowest of 1, times",
        _extrema,
    ),
    Operator(
        "comparison",
        "a comparison is off by one, or reversed",
        "require energy > 1",
        "require energy >= 1",
        _comparisons,
    ),
    Operator(
        "connective",
        "`and` becomes `or`, `or` becomes `and`",
        "is: a is Wet or a's energy < 1",
        "is: a is Wet and a's energy < 1",
        _connectives,
    ),
    Operator(
        "conjunct",
        "one side of an `and` or `or` is removed",
        "is: a is Wet or a's energy < 1",
        "is: a is Wet",
        _conjuncts,
    ),
    Operator(
        "negation",
        "a `not` is removed",
        "needs: any cat where it is not tired and it is not self",
        "needs: any cat where it is tired and it is not self",
        _negations,
    ),
    Operator(
        "quantifier",
        "`any` and `no` change places, `every` becomes `any`",
        "needs: any cat where it is not tired and it is not self",
        "needs: no cat where it is not tired and it is not self",
        _quantifiers,
    ),
    Operator(
        "branch",
        "the condition of an `if` is negated",
        "if target is tired or weather is rainy: stop",
        "if not (target is tired or weather is rainy): stop",
        _branches,
    ),
    Operator(
        "requirement",
        "a `require`, `needs` or `usable` is removed, or the `, if` of a trigger",
        "when cat naps, if cat's energy > 1, once per turn start: score +1",
        "when cat naps, once per turn start: score +1",
        _requirements,
    ),
    Operator(
        "filter",
        "a filter, an exception or the `where` of a selection is removed",
        "choose friend: cat adjacent to self except self, by most energy, by self",
        "choose friend: cat except self, by most energy, by self",
        _filters,
    ),
    Operator(
        "criterion",
        "a criterion of an order is removed",
        "choose friend: cat adjacent to self except self, by most energy, by self",
        "choose friend: cat adjacent to self except self, by self",
        _criteria,
    ),
    Operator(
        "chooser",
        "a choice no longer names who decides",
        "choose friend: cat adjacent to self except self, by most energy, by self",
        "choose friend: cat adjacent to self except self, by most energy",
        _choosers,
    ),
    Operator(
        "option",
        "`or none`, `until done`, `at random`, `in any order` or `in secret` is removed, or one of several options",
        "choose one, or none:",
        "choose one:",
        _options,
    ),
    Operator(
        "limit",
        "a `limit` or `once per …` is removed",
        "when cat naps, if cat's energy > 1, once per turn start: score +1",
        "when cat naps, if cat's energy > 1: score +1",
        _limits,
    ),
    Operator("price", "a cost is removed", "costs: 1 energy", "", _prices),
    Operator(
        "property",
        "a word of a declaration (`kept`, `secret`, `gives cover` …) or an entry of its lists is removed",
        "stat lives: number 0.., starts 9, kept",
        "stat lives: number 0.., starts 9",
        _properties,
    ),
    Operator(
        "value",
        "a flag, a value of an enum or variant, or a die becomes the next one",
        "target's mood becomes wild",
        "target's mood becomes sleepy",
        _values,
    ),
    Operator(
        "timing",
        "`when` and `at` become `before`, `before` and `instead of` become `when`",
        "when cat naps: score becomes score * 2",
        "before cat naps: score becomes score * 2",
        _timings,
    ),
    Operator("listener", "a trigger is removed", "when cat naps: score becomes score * 2", "", _listeners),
    Operator("modifier", "a modifier is removed", "cat with Wet has at most 2 energy", "", _modifiers),
    Operator("statement", "a statement or an `else` is removed, with its block", "announce nap self", "", _statements),
    Operator(
        "order",
        "two neighboring statements whose order matters change places",
        "score +3; score becomes score * 2",
        "score becomes score * 2; score +3",
        _neighbors,
    ),
    Operator(
        "kin",
        "a measure, relation or noun becomes another one of the same signature",
        "if target is tired or weather is rainy: stop",
        "if target is merry or weather is rainy: stop",
        _kin,
    ),
    Operator(
        "side",
        "the player or figure behind `by` becomes another one that is named there",
        "choose friend: cat adjacent to self except self, by most energy, by self",
        "choose friend: cat adjacent to self except self, by most energy, by friend",
        _sides,
    ),
    Operator(
        "asked",
        "a question without `by` is put to another player or figure that is named there",
        "choose one, or none:",
        "choose one, or none, by guest:",
        _changed_choosers,
    ),
    Operator(
        "until",
        "an effect that lasts until an event lasts until another one",
        "until turn starts: every cat has +1 energy",
        "until dusk falls: every cat has +1 energy",
        _endings,
    ),
)
"""Every operator, in canonical order. The examples are lines before and after; a removed line has none after."""
