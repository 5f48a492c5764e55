"""Operators for `fcb mutate --print` alone: changes that printed text easily misses."""

from __future__ import annotations

from collections.abc import Iterator

from fcbdsl.language.model import ir
from fcbdsl.language.model.ir import walk
from fcbdsl.language.model.lines import WORD
from fcbdsl.language.model.roots import roots
from fcbdsl.language.syntax.tree import Group
from fcbdsl.tools.mutation.mutation_operators import OPERATORS, Edit, Operator
from fcbdsl.tools.mutation.sites import Sites, SourceMeanings, Spot

MOST_OTHERS = 2
"""Most other referents that are tried in place of one."""


OWN_OPERATORS = ("referent", "bracket")
TESTED_ONLY = ("kin", "side", "asked", "until")
"""Operators that change words of the source, which every printed text shows."""
PRINTED = tuple(operator for operator in OPERATORS if operator.name not in TESTED_ONLY)
PRINT_OPERATORS = (*(operator.name for operator in PRINTED), *OWN_OPERATORS)
"""The names of all operators for `fcb mutate --print`, in order."""


def print_operators(vocabulary: SourceMeanings) -> tuple[Operator, ...]:
    """Return the operators, with those that only a comparison of printed texts needs.

    Invalid changes need no handling here: the check refuses them.
    """
    others = _others(vocabulary)

    def referents(sites: Sites, spot: Spot) -> Iterator[Edit]:
        places = others.get(sites.file.source.name, {})
        for node in spot.nodes():
            start, _ = spot.place(node)
            if start in places:
                end, names = places[start]
                yield from (Edit(start, end, name) for name in names)

    return (
        *PRINTED,
        Operator(
            "referent",
            "a local, a parameter or a bound noun becomes another of its type",
            "stroke friend 2",
            "stroke self 2",
            referents,
        ),
        Operator("bracket", "brackets go", "score becomes (1 + 2) * 2", "score becomes 1 + 2 * 2", _brackets),
    )


def _others(vocabulary: SourceMeanings) -> dict[str, dict[int, tuple[int, tuple[str, ...]]]]:
    """Return, by file and start, the end of a referent and the others of its type in its body."""
    replacements: dict[str, dict[int, tuple[int, tuple[str, ...]]]] = {}
    for _, root in roots(vocabulary.model):
        named: dict[tuple[str, bool], dict[str, None]] = {}
        met: list[tuple[ir.Var, str]] = []
        own: tuple[str, ...] = ()  # `self` and `this`, if both are the thing itself
        for node in walk(root):
            if isinstance(node, ir.Var):
                written = WORD.match(node.span.source.text, node.span.start, node.span.end)
                if written is not None:
                    met.append((node, written[0]))
                    named.setdefault((node.type.base, node.type.many), {})[written[0]] = None
            elif isinstance(node, ir.Body) and node.slots and node.slots[0][0] == "self":
                kind = node.slots[0][1]
                named.setdefault((kind.base, kind.many), {})["self"] = None
                own = (
                    ("self", "this") if [name for name, of in node.slots[:2] if of == kind] == ["self", "this"] else own
                )
        for var, word in met:
            others = [
                name for name in named[var.type.base, var.type.many] if name != word and not {name, word} <= {*own}
            ]
            if others:
                place = var.span.start, var.span.start + len(word)
                replacements.setdefault(var.span.source.name, {})[place[0]] = place[1], tuple(others[:MOST_OTHERS])
    return replacements


def _brackets(sites: Sites, spot: Spot) -> Iterator[Edit]:
    for node in spot.nodes():
        if isinstance(node, Group):
            start, end = spot.place(node)
            text = sites.text[start:end]
            if text.startswith("(") and text.endswith(")"):
                yield Edit(start, end, text[1:-1])
