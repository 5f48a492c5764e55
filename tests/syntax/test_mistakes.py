"""One mistake, one finding, in the author's terms; and many mistakes at once."""

from __future__ import annotations

import random

import pytest
from plant_mistakes import PLANTERS, plant
from samples import SAMPLES, SHIPPED

from fcbdsl.base.diagnostics import Diagnostic
from fcbdsl.base.source import Source
from fcbdsl.language.syntax.dump import dump
from fcbdsl.language.syntax.parser import parse


def _problems(text: str) -> list[Diagnostic]:
    return parse(Source("test", text))[1]


@pytest.mark.parametrize(
    ("text", "code", "line", "column"),
    [
        ("a “b”", "FCB0106", 1, 3),
        ("a\u00a0b", "FCB0106", 1, 2),
        ("a: 2 – 1", "FCB0106", 1, 6),
        ("hero’s HP", "FCB0106", 1, 5),
        ("a:\n\u00a0 b", "FCB0106", 2, 1),
        ("a:\n\tb", "FCB0107", 2, 1),
        ("a\tb", "FCB0107", 1, 2),
        ("a:\n\tb\n\tc\n\td", "FCB0107", 2, 1),
        ('a "b\tc"', "FCB0107", 1, 5),
        ('a "b', "FCB0108", 1, 3),
        ('a "b, # c', "FCB0108", 1, 3),
        (r'a "b\q"', "FCB0109", 1, 5),
        ("9mm: 1", "FCB0110", 1, 1),
        ("a: 1 @ 2", "FCB0111", 1, 6),
        ("a.", "FCB0111", 1, 2),
        ("a #b", "FCB0111", 1, 3),
        ("a: 3-1", "FCB0112", 1, 5),
        ("a -b", "FCB0112", 1, 3),
        ("if a == b: c", "FCB0113", 1, 6),
        ("if a >== b: c", "FCB0113", 1, 6),
        ("if a && b: c", "FCB0113", 1, 6),
        ("if !a: c", "FCB0113", 1, 4),
        ("if a => b: c", "FCB0113", 1, 6),
        ("if a =< b: c", "FCB0113", 1, 6),
        ("// a b", "FCB0116", 1, 1),
        ("a: b // c", "FCB0116", 1, 6),
        ("a: b /* c */", "FCB0116", 1, 6),
        ("a: [b]", "FCB0113", 1, 4),
        ('a: "cafe\u0301"', "FCB0104", 1, 8),
        ("a: b # \u202e", "FCB0105", 1, 8),
        ("a\n  b: c\n  d: e", "FCB0201", 1, 2),
        ("a:\nb: c", "FCB0202", 1, 2),
        ("a:", "FCB0202", 1, 2),
        ("a:\n      b: c\n      d: e\n  f: g", "FCB0203", 2, 1),
        ("a:\n   b: c\n   d:\n     e", "FCB0204", 2, 1),
        ("a:\n  b:\n    c\n   d", "FCB0204", 4, 1),
        ("a:\n b\n  c", "FCB0204", 2, 1),
        ("  a: b\nc: d", "FCB0203", 1, 1),
        ("or: 1", "FCB0207", 1, 1),
        ("kind where:\n  a", "FCB0207", 1, 6),
        ("let and = 3", "FCB0207", 1, 5),
        ("let x = 3 +", "FCB0208", 1, 11),
        ("a and", "FCB0208", 1, 3),
        ("a,, b", "FCB0208", 1, 2),
        ("a;", "FCB0208", 1, 2),
        ("a: b; ; c", "FCB0208", 1, 5),
        ("choose x: a, or", "FCB0208", 1, 14),
        (": a", "FCB0208", 1, 1),
        ("a: ()", "FCB0208", 1, 4),
        ("a: b c: d", "FCB0209", 1, 7),
        ("if a: b; if c: d", "FCB0209", 1, 14),
        ("a: (b", "FCB0210", 1, 4),
        ("a (b: c", "FCB0210", 1, 3),
        ("a: b)", "FCB0210", 1, 5),
        ("map:\n  art:\n    . # .\n     . L .\n    h . .", "FCB0211", 2, 6),
        ("a: |", "FCB0212", 1, 1),
        ("a: | b\n  c", "FCB0213", 1, 6),
        ("if 1 < x < 5: y", "FCB0214", 1, 10),
        ("a where b where c", "FCB0215", 1, 11),
        ("a: b,\nc: d", "FCB0216", 1, 5),
        ("a:\n  b: c,\n  d: e", "FCB0216", 2, 7),
        ("a: b,\n  c,\nd: e", "FCB0216", 2, 4),
        ("a: " + "b " * 2_000 + "c", "FCB0114", 1, 1),
    ],
)
def test_one_mistake_is_one_finding(text: str, code: str, line: int, column: int) -> None:
    (problem,) = _problems(text)
    assert (problem.code, problem.span.line, problem.span.column) == (code, line, column)


@pytest.mark.parametrize(
    ("text", "cured"),
    [
        ("if a == b: c", "if a = b: c"),
        ("if a => b: c", "if a >= b: c"),
        ("a: b // c", "a: b # c"),
        ("a “b”", 'a "b”'),
        ("hero’s HP", "hero's HP"),
        ("a:\n\tb", "a:\n  b"),
        ("a:\n   b", "a:\n  b"),
        ("a\n  b", "a:\n  b"),
        ('a "b\\c"', 'a "b\\\\c"'),
        ("a: cafe\u0301", "a: café"),
        ("a: b,\nc: d", "a: b\nc: d"),
        ("m:\n  art:\n    . .\n    . .", "m:\n  art: |\n    . .\n    . ."),
    ],
)
def test_fixes_remove_mistakes(text: str, cured: str) -> None:
    (problem,) = _problems(text)
    assert problem.fix is not None
    span = problem.fix.span
    assert text[: span.start] + problem.fix.replacement + text[span.end :] == cured


def test_broken_line_keeps_block_and_hides_nothing() -> None:
    file, problems = parse(Source("test", "weapon “saw”:\n  hands: 1 +\n  a: b\n    c: (d\n"))
    assert [(problem.code, problem.span.line) for problem in problems] == [
        ("FCB0106", 1),
        ("FCB0208", 2),
        ("FCB0210", 4),
    ]
    assert file.lines[0].broken
    assert dump(file) == "1: broken\n  2: broken\n  3: a : b\n    4: broken\n"


def test_trailing_comma_swallows_nothing() -> None:
    file, _ = parse(Source("test", "a: b,\n  c ,\nd: e\n"))
    assert dump(file) == "1: a : b , c\n3: d : e\n"


def test_lines_below_missing_colon_are_its_block() -> None:
    file, _ = parse(Source("test", "a\n  b: c\n  d: e\nf: g"))
    repaired, _ = parse(Source("test", "a:\n  b: c\n  d: e\nf: g"))
    assert dump(file) == dump(repaired)


def test_wrong_indentation_keeps_blocks() -> None:
    right = dump(parse(Source("test", "a:\n  b:\n    c: d\n    e: f\n  g: h\n"))[0])
    for text in (
        "a:\n   b:\n     c: d\n     e: f\n  g: h\n",
        "a:\n  b:\n     c: d\n    e: f\n  g: h\n",
        "a:\n  b:\n    c: d\n   e: f\n  g: h\n",
        "a:\n      b:\n        c: d\n        e: f\n  g: h\n",
        "a:\n  b:\n        c: d\n        e: f\n  g: h\n",
        "a:\n  b\n    c: d\n    e: f\n  g: h\n",
    ):
        file, problems = parse(Source("test", text))
        assert len(problems) == 1
        assert dump(file).replace("2: b\n", "2: b :\n") == right


def test_a_tab_in_a_string_is_found_after_a_line_of_the_same_shape() -> None:
    assert _problems('pawn ann "Ann": 1') == []
    assert [problem.code for problem in _problems('pawn ann "A\tnn": 1')] == ["FCB0107"]


@pytest.mark.long
def test_planted_mistakes_are_found_and_hide_no_other() -> None:
    texts = [path.read_text(encoding="utf-8") for path in [*SAMPLES, *SHIPPED]]
    kinds: set[str] = set()
    exact = hidden = 0
    trials = 300
    for seed in range(trials):
        text, planted = plant(random.Random(seed).choice(texts), seed, 1 + seed % 6)
        wanted = [(mistake.code, mistake.line) for mistake in planted]
        pairs = [(problem.code, problem.span.line) for problem in _problems(text)]
        kinds |= {mistake.name for mistake in planted}
        exact += pairs == wanted
        hidden += len({line for _, line in wanted} - {line for _, line in pairs})
    assert exact >= 0.95 * trials
    assert hidden == 0
    assert kinds == {planter.name for planter in PLANTERS}
    assert len(kinds) >= 10
