"""Finding the line grammar and building its parser (once per user: its tables are kept in the cache)."""

from __future__ import annotations

import functools
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from fcbdsl import cache

if TYPE_CHECKING:
    from lark import Lark

    from fcbdsl.syntax.automaton import Automaton
    from fcbdsl.syntax.nodes import NodeBuilder


def grammar_text() -> str:
    """Return the text of ``fcb.lark``: inside the package when installed, else at the top of the checkout."""
    package = resources.files("fcbdsl")
    packaged = package.joinpath("grammar", "fcb.lark")
    if packaged.is_file():
        return packaged.read_text(encoding="utf-8")
    return (Path(str(package)).parent / "grammar" / "fcb.lark").read_text(encoding="utf-8")


@functools.cache
def line_parser() -> Lark:
    """Return the parser of logical lines; its result is a `fcbdsl.syntax.nodes.Shape`."""
    from fcbdsl.syntax.nodes import NodeBuilder

    return build_parser(NodeBuilder())


@functools.cache
def automaton() -> Automaton:
    """Return what runs that parser's automaton, where nothing but its result is asked for."""
    from fcbdsl.syntax.automaton import Automaton

    return Automaton(line_parser())


def build_parser(builder: NodeBuilder) -> Lark:
    """Build the parser, with its tables from the cache if they are there."""
    import lark
    from lark.grammar import Rule
    from lark.lexer import TerminalDef

    grammar = grammar_text()
    name = cache.key([lark.__version__.encode(), grammar.encode()], cache.TABLES)
    tables = cache.load(name, _is_tables)
    if tables is not None:
        try:
            data, memo = tables
            loaded: Lark = lark.Lark.__new__(lark.Lark)._load({"data": data, "memo": memo}, transformer=builder)
            return loaded
        except Exception:  # whatever these tables are, they are none of that version: they are made anew
            pass
    parser = lark.Lark(grammar, parser="lalr", lexer="contextual", transformer=builder)
    data, memo = parser.memo_serialize([TerminalDef, Rule])
    cache.store(name, ({**data, "options": {**data["options"], "transformer": None}}, memo))
    return parser


def _is_tables(found: object) -> bool:
    """Whether what was kept may be tables: what they consist of, and what is named in them."""
    return isinstance(found, tuple) and [type(part) for part in found] == [dict, dict]
