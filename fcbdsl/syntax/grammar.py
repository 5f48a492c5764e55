"""Finding the line grammar and building its parser (once per user: its tables are kept in the cache)."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import TYPE_CHECKING

from fcbdsl import cache
from fcbdsl.syntax.automaton import HANDED, LISTED, Automaton, Reduction, Tables, tables_of
from fcbdsl.syntax.nodes import NodeBuilder

if TYPE_CHECKING:
    from lark import Lark


def grammar_text() -> str:
    """Return the text of ``fcb.lark``: inside the package when installed, else at the top of the checkout."""
    package = Path(__file__).resolve().parent.parent
    packaged = package / "grammar" / "fcb.lark"
    return (packaged if packaged.is_file() else package.parent / "grammar" / "fcb.lark").read_text(encoding="utf-8")


@functools.cache
def line_parser() -> Lark:
    """Return Lark's parser of logical lines, which tells why one does not parse."""
    return build_parser()


@functools.cache
def automaton() -> Automaton:
    """Return what parses logical lines; its result is a `fcbdsl.syntax.nodes.LineNode`."""
    return Automaton(tables(), NodeBuilder())


def tables() -> Tables:
    """The automaton of the grammar, from the cache if it is there."""
    name = cache.key([grammar_text().encode()], cache.TABLES)
    known = cache.load(name, _are_tables)
    if known is not None:
        return Tables._make((*known[:-1], tuple(map(Reduction._make, known[-1]))))
    made = tables_of(line_parser())
    cache.store(name, (*made[:-1], tuple(map(tuple, made.reductions))))
    return made


def _are_tables(found: object) -> bool:
    """Whether what was kept may be tables: what they consist of, and that what they refer to is there."""
    match found:
        case (int(start), int(end), tuple(patterns), dict(scan), tuple(), dict(shift), dict(reduce), tuple(made)):
            rows = [*shift.values(), *reduce.values()]
            return (
                all(isinstance(row, dict) for row in rows)
                and {start, end} <= scan.keys() == shift.keys() == reduce.keys()
                and all(number in range(len(patterns)) for number in scan.values())
                and all(to in scan for row in shift.values() for to in row.values())
                and all(number in range(len(made)) for row in reduce.values() for number in row.values())
                and all(map(_is_reduction, made))
            )
    return False


def _is_reduction(found: object) -> bool:
    match found:
        case (int(), str(), str(made), tuple() | None):
            return made in (LISTED, HANDED) or hasattr(NodeBuilder, made)
    return False


def build_parser() -> Lark:
    """Build Lark's parser, with what it takes from the cache if that is there."""
    import lark
    from lark.grammar import Rule
    from lark.lexer import TerminalDef

    grammar = grammar_text()
    name = cache.key([lark.__version__.encode(), grammar.encode()], cache.TABLES)
    kept = cache.load(name, _is_parser)
    if kept is not None:
        try:
            data, memo = kept
            loaded: Lark = lark.Lark.__new__(lark.Lark)._load({"data": data, "memo": memo})
            return loaded
        except Exception:  # whatever this is, it is none of that version: it is made anew
            pass
    parser = lark.Lark(grammar, parser="lalr", lexer="contextual")
    cache.store(name, parser.memo_serialize([TerminalDef, Rule]))
    return parser


def _is_parser(found: object) -> bool:
    """Whether what was kept may be a parser: what it consists of, and what is named in it."""
    return isinstance(found, tuple) and [type(part) for part in found] == [dict, dict]
