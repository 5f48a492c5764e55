"""Expressions that select tests."""

from __future__ import annotations

import pytest

from fcbdsl.cli.test_filter import BadExpression, matcher

TITLE = "A shove ends at the wall\nFCB-WALL-03\ntests/cases/play/shoving.fcb"


@pytest.mark.parametrize(
    ("expression", "selected"),
    [
        ("", True),
        ("shove", True),
        ("SHOVE", True),
        ("shove ends", True),
        ("ends shove", False),
        ("ends and shove", True),
        ("shove and not wall", False),
        ("not door and not crate", True),
        ("door or wall", True),
        ("door or crate", False),
        ("door and crate or wall", True),
        ("door and (crate or wall)", False),
        ("not (door or crate)", True),
        ("not not wall", True),
        ("wall-03", True),
        ("shoving.fcb", True),
    ],
)
def test_filter_expression_selects_tests(expression: str, selected: bool) -> None:
    assert matcher(expression)(TITLE) == selected


@pytest.mark.parametrize("expression", ["and", "or wall", "wall and", "not", "(wall", "wall)", "()", "(" * 5_000 + "a"])
def test_malformed_filter_expression_is_refused(expression: str) -> None:
    with pytest.raises(BadExpression):
        matcher(expression)
