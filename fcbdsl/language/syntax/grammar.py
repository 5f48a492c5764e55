"""The line grammar, its generated tables, and its parser."""

from __future__ import annotations

import functools
import hashlib
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fcbdsl.base import cache, resources
from fcbdsl.language.syntax.automaton import Automaton, Reduction, Tables, tables_of
from fcbdsl.language.syntax.nodes import NodeBuilder

if TYPE_CHECKING:
    from lark import Lark


GRAMMAR, TABLES = "fcb.lark", "fcb.json"
"""The grammar, and its generated tables."""


def grammar_path(name: str) -> Path:
    """Return the path of a grammar file: inside the installed package, or at the top of the checkout."""
    package = resources.package_folder()
    packaged = package / "grammar" / name
    return packaged if packaged.is_file() else package.parent / "grammar" / name


def grammar_text() -> str:
    """Return the text of the grammar."""
    return grammar_path(GRAMMAR).read_text(encoding="utf-8")


@functools.cache
def line_parser() -> Lark:
    """Return Lark's parser of logical lines, which explains why a line does not parse."""
    return build_parser()


@functools.cache
def automaton() -> Automaton:
    """Return what parses logical lines; its result is a `fcbdsl.language.syntax.nodes.LineNode`."""
    return Automaton(tables(), NodeBuilder())


def words() -> frozenset[str]:
    """Return the words in the patterns of the automaton. Some may be no keywords of the grammar."""
    return frozenset(word for pattern, _ in automaton().patterns for word in _WORD.findall(pattern))


_WORD = re.compile("[a-z]{2,}")


def tables() -> Tables:
    """Return the automaton of the grammar: the generated tables or, if the grammar has been edited since, new ones."""
    import json

    try:
        stored: dict[str, Any] = json.loads(grammar_path(TABLES).read_text(encoding="utf-8"))
    except FileNotFoundError:
        stored = {"of": None}
    if stored.pop("of") != _hash(grammar_text()):
        return tables_of(line_parser())
    stored["patterns"] = [(pattern, flags) for pattern, flags in stored["patterns"]]
    stored["reductions"] = [
        Reduction(size, origin, result, None if parts is None else [(at, spread) for at, spread in parts])
        for size, origin, result, parts in stored["reductions"]
    ]
    return Tables(**stored)


def tables_text() -> str:
    """Return the new content of the file of tables that belongs to the grammar (``make docs`` writes it)."""
    import json

    return (
        json.dumps({"of": _hash(grammar_text()), **tables_of(build_parser())._asdict()}, separators=(",", ":")) + "\n"
    )


def _hash(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def build_parser() -> Lark:
    """Return Lark's parser, from the cache if possible."""
    import lark
    from lark.grammar import Rule
    from lark.lexer import TerminalDef

    grammar = grammar_text()
    name = cache.result_key([lark.__version__.encode(), grammar.encode()], cache.TABLES)
    stored = cache.load_result(name, lambda value: isinstance(value, tuple) and list(map(type, value)) == [dict, dict])
    if stored is not None:
        try:
            data, memo = stored
            loaded: Lark = lark.Lark.__new__(lark.Lark)._load({"data": data, "memo": memo})
            return loaded
        except Exception as error:  # made by another version of Lark: it is built again
            cache.count_unusable(f"Lark refused its tables: {type(error).__name__}")
    parser = lark.Lark(grammar, parser="lalr", lexer="contextual")
    cache.store_result(name, parser.memo_serialize([TerminalDef, Rule]))
    return parser
