"""A clause as one flat row of tokens, ready to be parsed with the vocabulary.

Stage 2 parses operators by precedence without knowing any form, but a verb binds weaker than they do (``Nudge target
distance + 1``). So the tree is flattened again. This loses nothing, because only parentheses override precedence, and
those stay `Group` atoms. The resolver then parses operators where the vocabulary allows a value.
"""

from __future__ import annotations

from fcbdsl.base.records import dataclass
from fcbdsl.language.syntax import tree
from fcbdsl.language.syntax.tree import Node


@dataclass(frozen=True, slots=True)
class Tokens:
    """A flat row of tokens.

    `nodes[i]` is an atom, or a bare `Node` for an operator or comma. `texts[i]` is the text of a word or operator and
    None for other atoms; an extra empty text marks the end. `possessive[i]`: whether ``'s`` follows it. `kinds` (the
    class of each node, and whether ``'s`` follows the last one) and the text from `start` to `end` determine the rest.
    """

    nodes: tuple[Node, ...]
    texts: tuple[str | None, ...]
    possessive: tuple[bool, ...]
    start: int
    end: int
    kinds: tuple[object, ...]


Readable = tree.Clause | tree.Part | tree.Expr | tuple[tree.Part, ...]


VALUED = ("require", "answer", "while", "if")
"""Lead words before a value."""


def flatten(readable: Readable) -> Tokens:
    """Flatten a clause (without its lead word), a part, some parts or an expression."""
    nodes: list[Node] = []
    texts: list[str | None] = []
    if isinstance(readable, tree.Clause):
        _parts(readable.parts, nodes, texts)
        start, end = readable.start, readable.end
    elif isinstance(readable, tuple):
        _parts(readable, nodes, texts)
        start, end = (readable[0].start, readable[-1].end) if readable else (0, 0)
    elif isinstance(readable, tree.Part):
        _parts((readable,), nodes, texts)
        start, end = readable.start, readable.end
    else:
        _expr(readable, nodes, texts)
        start, end = readable.start, readable.end
    texts.append("")
    possessive = (*[getattr(node, "possessive", False) for node in nodes], False)
    kinds = (bool(nodes) and possessive[-2], *map(type, nodes))
    return Tokens(tuple(nodes), tuple(texts), possessive, start, end, kinds)


def strip_lead_keyword(clause: tree.Clause) -> tree.Clause:
    """Return a clause whose lead word is an ordinary word (``takes: at target (unit)``)."""
    if clause.lead is None:
        return clause
    word = tree.Word(clause.start, clause.start + len(clause.lead), clause.lead)
    if not clause.parts:
        phrase = tree.Phrase(word.start, word.end, (word,))
        return tree.Clause(clause.start, clause.end, None, (tree.Part(word.start, word.end, None, phrase),))
    first = clause.parts[0]
    expr = _prefixed(word, first.expr)
    parts = (tree.Part(word.start, first.end, None, expr), *clause.parts[1:])
    return tree.Clause(clause.start, clause.end, None, parts)


def _prefixed(word: tree.Word, expr: tree.Expr) -> tree.Expr:
    """Return an expression with an additional word before its first phrase."""
    if isinstance(expr, tree.Phrase):
        return tree.Phrase(word.start, expr.end, (word, *expr.atoms))
    if isinstance(expr, tree.Binary):
        return tree.Binary(word.start, expr.end, expr.op, _prefixed(word, expr.left), expr.right)
    if isinstance(expr, tree.Where):
        return tree.Where(word.start, expr.end, _prefixed(word, expr.base), expr.condition)
    return expr


def _parts(parts: tuple[tree.Part, ...], nodes: list[Node], texts: list[str | None]) -> None:
    for number, part in enumerate(parts):
        if number:
            _sign(",", parts[number - 1].end, part.start, nodes, texts)
        if part.lead is not None:
            _sign(part.lead, part.start, part.start + len(part.lead), nodes, texts)
        _expr(part.expr, nodes, texts)


def _expr(expr: tree.Expr, nodes: list[Node], texts: list[str | None]) -> None:
    if isinstance(expr, tree.Phrase):
        for atom in expr.atoms:
            nodes.append(atom)
            texts.append(atom.text if isinstance(atom, tree.Word) else None)
    elif isinstance(expr, tree.Binary):
        _expr(expr.left, nodes, texts)
        _sign(expr.op, expr.left.end, expr.right.start, nodes, texts)
        _expr(expr.right, nodes, texts)
    elif isinstance(expr, tree.Negation):
        _sign("not", expr.start, expr.operand.start, nodes, texts)
        _expr(expr.operand, nodes, texts)
    else:
        _expr(expr.base, nodes, texts)
        _sign("where", expr.base.end, expr.condition.start, nodes, texts)
        _expr(expr.condition, nodes, texts)


def _sign(text: str, start: int, end: int, nodes: list[Node], texts: list[str | None]) -> None:
    nodes.append(Node(start, end))
    texts.append(text)
