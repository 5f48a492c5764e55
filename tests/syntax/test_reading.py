"""Bytes to sources."""

from __future__ import annotations

import pytest

from fcbdsl.language.syntax.decoding import read_source
from fcbdsl.language.syntax.parser import parse


def _codes(problems) -> list[str]:
    return [problem.code for problem in problems]


def test_utf8_is_read_with_both_line_endings() -> None:
    source, problems = read_source("a.fcb", "a:\r\n  b: é\r\nc: d\re: f\n".encode())
    assert source is not None
    assert source.text == "a:\n  b: é\nc: d\ne: f\n"
    assert problems == []
    assert parse(source)[1] == []


def test_byte_order_mark_is_skipped_with_warning() -> None:
    source, problems = read_source("a.fcb", b"\xef\xbb\xbfa: b")
    assert source is not None
    assert source.text == "a: b"
    assert [(problem.code, problem.severity) for problem in problems] == [("FCB0103", "warning")]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"a: \0b", "FCB0101"),
        (b"\x7fELF\x02\x01\x01\0\0", "FCB0101"),
        ("a: é".encode("latin-1"), "FCB0102"),
        ("é: b\nc: ".encode() + b"\xe9\n", "FCB0102"),
        ("a: b".encode("utf-16"), "FCB0102"),
        (b"a: \xed\xa0\x80", "FCB0102"),
    ],
)
def test_binary_source_is_refused(data: bytes, code: str) -> None:
    source, problems = read_source("a.fcb", data)
    assert source is None
    assert _codes(problems) == [code]
    assert problems[0].span.source.name == "a.fcb"


def test_empty_file_is_accepted() -> None:
    for data in (b"", b"\n", b"  \n\n", b"# only a comment"):
        source, problems = read_source("a.fcb", data)
        assert source is not None
        assert problems == []
        assert parse(source)[1] == []


def test_wrong_byte_is_shown_on_its_line() -> None:
    source, [problem] = read_source("a.fcb", "é: b\nc: ".encode() + b"\xe9\n")
    assert source is None
    assert (problem.span.line, problem.span.source.position(problem.span.start)[1]) == (2, 4)
