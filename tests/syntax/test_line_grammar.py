"""The grammar of lines: no conflicts, the right trees, the context of words."""

from __future__ import annotations

import os
import random
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import lark
import pytest
from lark import Lark, Token
from lark.exceptions import UnexpectedInput

from fcbdsl.base import cache
from fcbdsl.base.diagnostics.lines import ExpressionTooDeep
from fcbdsl.base.diagnostics.text import NumberTooLarge
from fcbdsl.base.source import Source
from fcbdsl.language.syntax import grammar, line_parsing
from fcbdsl.language.syntax.automaton import Automaton
from fcbdsl.language.syntax.dump import dump
from fcbdsl.language.syntax.grammar import automaton, build_parser, grammar_text, line_parser, tables, tables_text
from fcbdsl.language.syntax.line_parsing import DEEPEST_EXPRESSION, KEPT_LINES, parse_line
from fcbdsl.language.syntax.mistakes import Mistake, excess_at
from fcbdsl.language.syntax.nodes import Lexeme, LineNode, NodeBuilder
from fcbdsl.language.syntax.parser import parse
from fcbdsl.language.syntax.pieces import KEPT_LENGTH, _kept_cut, cut_pieces
from fcbdsl.project.paths import PACKAGE

CONTENT = sorted(PACKAGE.glob("content/systems/**/*.fcb"))
SOME_WORDS = ("a", "B12", "été", "s", "d6", "where", "for", "text", "then", "not")
MARKS = "()\"#;:,|+-*/=<>' .3"


def test_grammar_is_lalr_without_conflicts() -> None:
    Lark(grammar_text(), parser="lalr", strict=True)


def test_strict_mode_finds_conflict() -> None:
    ambiguous = grammar_text().replace("?sum: product | sum SIGN product", "?sum: product | sum SIGN sum")
    with pytest.raises(Exception, match="conflict"):
        Lark(ambiguous, parser="lalr", strict=True)


def test_cached_tables_equal_grammar() -> None:
    assert grammar.grammar_path(grammar.TABLES).read_text(encoding="utf-8") == tables_text(), "run `make docs`"


@pytest.mark.skipif(Path(grammar.__file__).suffix != ".py", reason="what is compiled calls what is compiled")
@pytest.mark.parametrize("edited", [True, False])
def test_edited_grammar_has_own_tables(tmp_path, monkeypatch, edited: bool) -> None:
    """The kept ones belong to another, or are not there."""
    text = grammar_text()
    (tmp_path / grammar.GRAMMAR).write_text(text.replace("where(?!", "whose(?!") if edited else text, encoding="utf-8")
    if edited:
        shutil.copy(grammar.grammar_path(grammar.TABLES), tmp_path)
    monkeypatch.setattr(grammar, "grammar_path", lambda name: tmp_path / name)
    monkeypatch.setattr(grammar, "line_parser", build_parser)
    own = Automaton(tables(), NodeBuilder())
    line = "hero where HP < 3"
    assert (own.run(line) is None) == edited
    assert own.run(line.replace("where", "whose") if edited else line) is not None


def test_cached_parser_refuses_like_new_parser(tmp_path, monkeypatch) -> None:
    fresh = refusal(build_parser())
    monkeypatch.setenv("FCB_CACHE", str(tmp_path))
    stored = refusal(build_parser())
    monkeypatch.setattr(lark.Lark, "__init__", None)  # would fail if it were called
    assert fresh == stored == refusal(build_parser())


def refusal(parser: Lark) -> tuple[object, ...]:
    """Return Lark's message about an invalid line."""
    with pytest.raises(UnexpectedInput) as failure:
        parser.parse("if a: b: c:")
    return str(failure.value), sorted(failure.value.expected)


@pytest.mark.long
@pytest.mark.parametrize("content", [5, ({}, {}), ({"parser": 1}, {0: {}}), os.getcwd])
def test_invalid_cached_parser_is_ignored(tmp_path, monkeypatch, content) -> None:
    message = refusal(build_parser())
    monkeypatch.setenv("FCB_CACHE", str(tmp_path))
    build_parser()
    (path,) = tmp_path.iterdir()
    cache.store_result(path.name, content)
    assert refusal(build_parser()) == message


def peer_parser() -> Lark:
    """Return Lark's own parser with our callbacks, on our tokens."""
    builder = NodeBuilder()

    def token(name: str) -> Callable[[Token], Any]:
        make = getattr(builder, name, lambda lexeme: lexeme)
        return lambda token: make(Lexeme(str(token), token.start_pos, token.end_pos))

    rules = [name for name in dir(builder) if not name.startswith("_") and not name.isupper()]
    terminals = [terminal.name for terminal in line_parser().terminals]
    callbacks = {name: getattr(builder, name) for name in rules} | {name: token(name) for name in terminals}
    return Lark(grammar_text(), parser="lalr", lexer="contextual", transformer=SimpleNamespace(**callbacks))


@pytest.mark.long
def test_automaton_agrees_with_lark() -> None:
    """Lines of all content, and the same with letters lost, doubled and mixed: the same nodes, or no line at all."""
    peer, own = peer_parser(), automaton()
    lines = sorted({line.strip() for path in CONTENT for line in path.read_text(encoding="utf-8").split("\n")} - {""})
    chance = random.Random(4)
    texts = chance.sample(lines, 800)
    for text in chance.sample(lines, 800):
        at, other = chance.randrange(len(text)), chance.choice(lines)
        piece = other[chance.randrange(len(other)) :][: chance.randint(1, 6)]
        texts += [
            text[:at] + text[at + 1 :],
            text[:at] + piece + text[at:],
            text[:at] + chance.choice(MARKS) + text[at:],
        ]
    read = 0
    for text in texts:
        try:
            expected = peer.parse(text)
        except UnexpectedInput:
            expected = None
        assert repr(own.run(text)) == repr(expected), text
        read += expected is not None
    assert len(texts) / 4 < read < len(texts), "some of them are lines, and some are none"


@pytest.mark.long
def test_lines_of_equal_shape_parse_as_alone() -> None:
    """All lines of content, and the same with other numbers, texts and words, after one another."""
    lines = sorted({line.strip() for path in CONTENT for line in path.read_text(encoding="utf-8").split("\n")} - {""})
    movable = sum(re.search('[0-9"]', line) is not None for line in lines)
    chance = random.Random(5)
    texts = []
    for line in lines:
        other = re.sub("[0-9]+", lambda match: str(chance.randrange(10 ** len(match[0]) * 10)), line)
        texts += [line, other, re.sub('"[^"]*"', '"a \\\\ 1 b"', line), line.replace("'s", "").replace('"', "'")]
        texts.append(re.sub(r"[^\W\d]\w*", lambda match: chance.choice((match[0], *SOME_WORDS)), line))
    read = moved = 0
    for text in texts:
        parsed, alone = parse_line(text), automaton().run(text)
        if isinstance(parsed, LineNode):
            assert repr(parsed) == repr(alone), text
            read += 1
            moved += text not in lines
    assert read > len(lines) / 2
    assert moved > movable / 3


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("hands: 2", "hands: 12"),
        ("hands: 2", 'hands: "2"'),
        ("gain +2; lose -1", "gain +12; lose -155"),
        ('card a-1 "x" of 2..4', 'card a-1 "x" of 22..'),
        ("take rat#2's hat from rat#3", "take rat#12's hat from rat#3"),
        ("between B1/B2: 2d6 * (3 + x)'s cost", "between B11/B12: 22d6 * (3333 + x)'s cost"),
        ("if not x1 = 2 and 3 in y where z > 4: stop", "if not x21 = 2 and 3 in y where z > 44: stop"),
        ('fr: "a"', r'fr: "a \" b \\ c \n"'),
        ('say "a", # "one\n  b, "c"', 'say "a", # 1 "one\n  "b", "c"'),
        ("for each 2: 3: 4", "for each 22: 3: 4"),
        ("5 then 6, by 7", "5 then 66, by 7"),
        ("take hat of rat", "take a1 of cat"),
        ("take hat where it is red", "take hat orders it is red"),
        ("if x: draw", "of x: draw"),
        ("x's HP", "x't HP"),
        ("2d6", "2e6"),
        ("a-b/c", "ab/c"),
        ("pick a/b", "pick long-a/b"),
        ("pick long-a/b", "pick longer-and/b"),
        ("pick a/b-1..2", "pick a/bcd-1..2"),
        ("pick hat", "pick long-hat"),
        ("pick not-b x", "pick not x"),
        ("for each-one x: y", "for each x: y"),
        ("line-of-sight is 2", "line-of-fire is 2"),
        ("take red-by hat", "take red-and hat"),
        ("text en: x", "text fr: y"),
        ("for  each hat: x", "for  every hat: x"),
        ("for x: y", "for\u00e9 x: y"),
        ("a #x", "a #by"),
        ("a, # it's \"x\n  b", "a, # it's \"long\n  and-b"),
        ("a²b: x", "ab: x"),
        ("by by-x", "bay by-x"),
    ],
)
def test_line_of_known_shape_is_reused(first: str, second: str) -> None:
    for text in (first, second):
        alone = automaton().run(text)
        parsed = parse_line(text)
        assert repr(parsed) == repr(alone) if alone is not None else isinstance(parsed, Mistake)


@pytest.mark.parametrize("joined", [" and ", " or ", " - ", " * ", " = ", " /", " (", " not ", ", ", " where ", " !="])
def test_depth_is_counted_only_where_it_may_be_too_much(joined: str) -> None:
    for count in (DEEPEST_EXPRESSION - 1, DEEPEST_EXPRESSION, DEEPEST_EXPRESSION + 1):
        text = joined.join(["hat"] * (count + 1))
        parsed = parse_line(text)
        is_too_deep = isinstance(parsed, Mistake) and parsed.kind is ExpressionTooDeep
        assert is_too_deep == (excess_at(text, DEEPEST_EXPRESSION) is not None)


def test_number_of_known_shapes_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line_parsing, "_SHAPES", 3)
    monkeypatch.setattr(line_parsing, "_known", {})
    parse_line.cache_clear()
    for length in range(1, 10):
        for number in (7, 8):
            text = "gains " + " ".join(["gun"] * length) + f" {number}"
            assert parse_line(text) == automaton().run(text)
        assert len(line_parsing._known) <= 3
    parse_line.cache_clear()


def test_too_large_number_in_known_shape_is_reported() -> None:
    assert isinstance(parse_line("hands: 9"), LineNode)
    mistake = parse_line(f"hands: {10**12}")
    assert isinstance(mistake, Mistake)
    assert mistake.kind is NumberTooLarge
    assert isinstance(parse_line('fr: "00000000000000000000"'), LineNode)


@pytest.mark.parametrize(
    ("line", "tree"),
    [
        ("hands: 2", "hands : 2"),
        ("effect:\n  stop", "effect :\n  2: <stop>"),
        ("a; b; c", "a ; b ; c"),
        ("a: b; c", "a : b ; c"),
        ("else: if x: y", "<else> :\n  1: <if> x : y"),
        (
            "for each enemy within 2, by nearest, then fewest HP:\n  a",
            "<for> enemy within 2 , <by> nearest , <then> fewest HP :\n  2: a",
        ),
        ("choose x: hero, or none", "<choose> x : hero , <or> none"),
        ("a + b - c * 2", "[[a + b] - [c * 2]]"),
        ("a or b and not c = 1", "[a or [b and [not [c = 1]]]]"),
        ("not not a", "[not [not a]]"),
        ("hero where HP < 3 or x", "[hero where [[HP < 3] or x]]"),
        ("HP +1", "HP +1"),
        ("HP -1", "HP -1"),
        ("HP - 1", "[HP - 1]"),
        ("HP-1", "HP-1"),
        ("(+1)", "(+1)"),
        ("(a + b) * c", "[([a + b]) * c]"),
        ("takes: a (number, default 1)", "takes : a (number , default 1)"),
        ("x is not Stunned", "x is not Stunned"),
        ("unit not adjacent to self", "unit not adjacent to self"),
        ("gunner#2's HP", "gunner#2's HP"),
        ("walls: B1/B2, B2/C2", "walls : B1/B2 , B2/C2"),
        ("number 0.., 1..3, -2..2", "number 0.. , 1..3 , -2..2"),
        ("2d6", "2 d6"),
        ('say "a \\"b\\" \\\\ \\n"', 'say "a \\"b\\" \\\\ \\n"'),
        ("spawn marauder at gate if when", "spawn marauder at gate if when"),
        ("inside: inner and notes or order", "inside : [[inner and notes] or order]"),
        ("whereabouts android", "whereabouts android"),
        ("field story: text, optional", "field story : text , optional"),
        ("field x: text", "field x : text"),
        ("text en: x", "<text> en : x"),
        ("by: hero", "by : hero"),
        ("for HP: 2", "for HP : 2"),
        ("at 3, 5: x", "<at> 3 , 5 : x"),
        ("at's HP", "at's HP"),
        ("a,\n  b,  # why\n    c: d", "a , b , c : d"),
        ("être: œuf", "être : œuf"),
    ],
)
def test_lines_have_expected_trees(line: str, tree: str) -> None:
    file, problems = parse(Source("test", line))
    assert not problems
    assert "# why" in dump(file) or dump(file).removesuffix("\n") == "1: " + tree


def test_second_colon_parses_as_two_lines() -> None:
    beside, _ = parse(Source("test", "effect: for each hero: draw 1"))
    below, _ = parse(Source("test", "effect:\n  for each hero: draw 1"))
    assert dump(beside).replace("1: ", "") == dump(below).replace("1: ", "").replace("2: ", "")


def test_raw_block_is_kept() -> None:
    text = 'map:\n  art: |\n     . # "\n    h . \\\n\n    # x\n\n  legend: a'
    file, problems = parse(Source("test", text))
    art = file.lines[0].block[0]
    assert not problems
    assert art.raw == '     . # "\n    h . \\\n\n    # x'
    assert text[art.raw_offset : art.raw_offset + len(art.raw)] == art.raw
    assert len(file.lines[0].block) == 2


def test_trees_of_old_lines_are_dropped() -> None:
    """A server reads many projects in one process."""
    parse_line.cache_clear()
    for number in range(KEPT_LINES + 100):
        parse_line(f"draw {number}")
    assert parse_line.cache_info().currsize == KEPT_LINES
    assert KEPT_LINES * 3.4 < 64_000
    parse_line.cache_clear()


def test_pieces_of_long_texts_are_not_cached() -> None:
    before = _kept_cut.cache_info().currsize
    text = "mark\n" * KEPT_LENGTH
    assert "".join(cut_pieces(text)) == text
    assert _kept_cut.cache_info().currsize == before
