"""Whole files: samples, sharing, comments, robustness, size."""

from __future__ import annotations

import gc
import random
import time
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from samples import SAMPLES, SHIPPED
from test_positions import check_positions

from fcbdsl.base.source import Source
from fcbdsl.language.syntax.decoding import read_source
from fcbdsl.language.syntax.dump import dump
from fcbdsl.language.syntax.outline import Outline
from fcbdsl.language.syntax.parser import parse
from fcbdsl.language.syntax.tree import File, Line


@pytest.mark.sampled(4)
@pytest.mark.parametrize("path", [*SAMPLES, *SHIPPED], ids=lambda path: f"{path.parent.name}/{path.name}")
def test_shipped_files_parse_without_problems(path) -> None:
    source, problems = read_source(path.name, path.read_bytes())
    assert source is not None
    _, more = parse(source)
    assert [*problems, *more] == []
    assert check_positions(source.text) > 10


def test_every_game_has_samples() -> None:
    assert {path.parent.name for path in SAMPLES} == {"beast", "escape", "far-cry-beyond", "fireteam-zero"}


def test_equal_lines_share_nodes() -> None:
    first, _ = parse(Source("one", "a:\n  hands: 2 + x\n"))
    second, _ = parse(Source("two", "b:\n  c:\n    hands: 2 + x  # here\n"))
    one, two = first.lines[0].block[0], second.lines[0].block[0].block[0]
    assert one.head is two.head
    assert one.tail is two.tail
    assert one.span.start != two.span.start


def _all(lines: tuple[Line, ...]) -> Iterator[Line]:
    for line in lines:
        yield line
        yield from _all(line.block)


def _comments(file: File) -> list[str]:
    comments = list(file.comments)
    for line in _all(file.lines):
        comments += [*line.comments, *line.closing]
    return comments


def _drawn(file: File) -> set[int]:
    """Return the indices of physical lines in and right below raw blocks, where a comment would be text."""
    drawn: set[int] = set()
    for line in _all(file.lines):
        if line.raw is not None:
            first = file.source.position(line.raw_offset)[0] - 1
            drawn |= set(range(first, first + line.raw.count("\n") + 2))
    return drawn


def _with_comments(text: str, chance: random.Random, count: int) -> tuple[str, list[str]]:
    """Return the text with comments on separate lines and beside code, and the texts of these."""
    drawn = _drawn(parse(Source("bare", text))[0])
    physical = text.split("\n")
    lines: list[str] = []
    places = [at for at in range(len(physical)) if at not in drawn]
    for at in sorted(chance.sample(places, min(count, len(places))), reverse=True):
        lines.append(f"remark {at}")
        if chance.random() < 0.5 and physical[at].strip() and "#" not in physical[at]:
            physical[at] += f"   # remark {at}"
        else:
            physical.insert(at, " " * chance.choice((0, 2, 4, 6)) + f"# remark {at}")
    return "\n".join(physical), lines


@pytest.mark.sampled(4)
@pytest.mark.long
@pytest.mark.parametrize("path", [*SAMPLES, *SHIPPED], ids=lambda path: f"{path.parent.name}/{path.name}")
def test_comments_are_kept_and_change_nothing(path) -> None:
    text = path.read_text(encoding="utf-8")
    bare, _ = parse(Source("bare", text))
    for seed in range(3):
        commented, comments = _with_comments(text, random.Random(f"{path.name} {seed}"), 12)
        file, problems = parse(Source("commented", commented))
        assert problems == []
        assert sorted(_comments(file)) == sorted([*_comments(bare), *comments])
        assert [(line.head, line.raw) for line in _all(file.lines) if not line.tail] == [
            (line.head, line.raw) for line in _all(bare.lines) if not line.tail
        ]


def test_lines_without_comments_are_cut_as_with_one() -> None:
    """They are cut at once; an empty comment prevents that and changes nothing else."""
    chance = random.Random(6)
    texts = [text for path in SHIPPED[::9] for text in path.read_text(encoding="utf-8").split("\n") if text.strip()]
    texts += [text[: chance.randrange(len(text) + 1)] + chance.choice(("a,", "a ", ": |", "\tb", "")) for text in texts]
    for text in texts:
        if "#" in text or text.count('"') % 2 or not text.strip():
            continue
        for above in ("", "# note\n  # more\n", "a,\n"):
            plain, commented = (Outline(Source("test", above + line)) for line in (text, f"{text} #"))
            lines, others = plain.lines(), commented.lines()
            assert [line.beside.pop() for line in others[-1:]] == [""]
            others[-1].trailing = False
            others[-1].raw_offset = lines[-1].raw_offset
            assert lines == others
            assert [(type(finding), finding.span.start) for finding in plain.findings] == [
                (type(finding), finding.span.start) for finding in commented.findings
            ]


def test_comments_belong_to_lines() -> None:
    text = "# top\na:  # beside\n  # above\n  b: c\n  # below\n# next\nd: e\n# last"
    file, problems = parse(Source("test", text))
    first, second = file.lines
    assert problems == []
    assert (first.comments, first.trailing) == (("top", "beside"), True)
    assert (first.block[0].comments, first.block[0].trailing) == (("above",), False)
    assert first.closing == ("below",)
    assert second.comments == ("next",)
    assert file.comments == ("last",)


# ── anything at all ────────────────────────────────────────────────────────────────────────────

PIECES = st.sampled_from(
    [
        *" \n\t\"'#|:;,()+-*/=<>.\\{}[]~a1é",
        "\n  ",
        "\n    ",
        "\u00a0",
        "“",
        "–",
        "\u0301",
        "\ufeff",
        "\u202e",
        "\x00",
        "²",
        "and ",
        " or",
        "not ",
        " where ",
        "if ",
        "for each ",
        "else:",
        ", by ",
        "'s",
        "..",
        "2..4",
        "gunner#2",
        "B1/B2",
        ": |",
    ]
)


def check_findings(text: str) -> None:
    """Assert that a text parses to a tree that can be dumped, with findings inside it, one error a line at most."""
    source = Source("any", text)
    file, problems = parse(source)
    dump(file)
    assert all(0 <= problem.span.start <= problem.span.end <= len(text) for problem in problems)
    lines = [problem.span.line for problem in problems]
    assert len(lines) == len(set(lines))
    assert lines == sorted(lines)
    assert any(line.broken for line in _all(file.lines)) <= bool(problems)


@settings(max_examples=150, deadline=None)
@given(st.lists(PIECES, max_size=60).map("".join))
def test_parser_does_not_raise_on_language_pieces(text: str) -> None:
    check_findings(text)


@settings(max_examples=100, deadline=None)
@given(st.text(st.characters(), max_size=200))
def test_parser_does_not_raise_on_arbitrary_text(text: str) -> None:
    check_findings(text)


@pytest.mark.long
@settings(max_examples=60, deadline=None)
@given(st.data())
def test_parser_does_not_raise_on_mutated_files(data) -> None:
    text = data.draw(st.sampled_from([*SAMPLES, *SHIPPED])).read_text(encoding="utf-8")
    for _ in range(data.draw(st.integers(1, 8))):
        at = data.draw(st.integers(0, len(text)))
        text = text[:at] + data.draw(PIECES) + text[at + data.draw(st.sampled_from([0, 0, 1, 7])) :]
    check_findings(text)


# ── size and depth ─────────────────────────────────────────────────────────────────────────────


def _codes(text: str) -> list[str]:
    file, problems = parse(Source("test", text))
    dump(file)
    return [problem.code for problem in problems]


def test_deep_blocks_are_one_problem() -> None:
    assert _codes("".join(" " * (2 * depth) + "a:\n" for depth in range(64)) + " " * 128 + "b") == []
    assert _codes("".join(" " * (2 * depth) + "a:\n" for depth in range(2_000))) == ["FCB0205"]


def test_deep_expressions_are_one_problem() -> None:
    assert _codes("a: " + "(" * 64 + "1" + ")" * 64) == []
    assert _codes("a: " + "(" * 65 + "1" + ")" * 65) == ["FCB0206"]
    assert _codes("a: " + "(" * 10_000 + "1" + ")" * 10_000) == ["FCB0114"]
    assert _codes("a: " + "not " * 65 + "b") == ["FCB0206"]
    assert _codes("a: " + " + ".join("b" * 66)) == ["FCB0206"]
    assert _codes("a: " + ", ".join(["b + c"] * 100)) == []


@pytest.mark.long
def test_hundred_thousand_lines_parse_in_linear_work() -> None:
    text = "".join(f"weapon w{n}:\n  hands: {n % 3}\n  cost: 2 + {n % 50}\n  stop\n" for n in range(25_000))
    start = time.process_time()
    file, problems = parse(Source("big", text))
    assert time.process_time() - start < 20  # about 2 s; the slack is for busy machines
    assert problems == []
    assert len(file.lines) == 25_000


def test_parser_restores_garbage_collector() -> None:
    parse(Source("test", "a: b"))
    assert gc.isenabled()
    gc.disable()
    try:
        parse(Source("test", "a: b"))
        assert not gc.isenabled()
    finally:
        gc.enable()
