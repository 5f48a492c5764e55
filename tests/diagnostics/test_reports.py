"""Collecting findings, showing them, and did-you-mean."""

from __future__ import annotations

import json

import pytest

from fcbdsl.base.diagnostics import Diagnostic, Fix, Problems, Related, suggest
from fcbdsl.base.diagnostics.lines import MissingColon, SecondColon
from fcbdsl.base.diagnostics.report import findings_to_json, findings_to_text, to_records
from fcbdsl.base.diagnostics.text import ByteOrderMark, NameBeginsWithDigit, Tab
from fcbdsl.base.source import Source, Span

SOURCE = Source("cards/weapons.fcb", 'weapon club "Club":\n  hands: 9mm\n\n  fr: "日本" 9x\n')


def _at(text: str) -> Span:
    start = SOURCE.text.index(text)
    return Span(SOURCE, start, start + len(text))


def test_text_shows_the_line_the_place_and_the_cure() -> None:
    finding = NameBeginsWithDigit(_at("9mm"), text="9mm", related=[Related(_at("club"), "of this weapon")])
    assert findings_to_text([finding]) == (
        "error[FCB0110]: `9mm` is neither a number nor a name: a name begins with a letter.\n"
        " --> cards/weapons.fcb:2:10\n"
        "  |\n"
        "2 |   hands: 9mm\n"
        "  |          ^^^\n"
        "  |\n"
        '1 | weapon club "Club":\n'
        "  |        ---- of this weapon\n"
        "  = help: Begin the name with a letter, or put a space after the number.\n"
        "\n"
    )


def test_carets_align_below_wide_characters() -> None:
    text = findings_to_text([NameBeginsWithDigit(_at("9x"), text="9x")])
    assert "\n  | " + 13 * " " + "^^\n" in text


def test_color_only_if_requested() -> None:
    finding = Tab(_at("hands"))
    assert "\x1b[" not in findings_to_text([finding])
    coloured = findings_to_text([finding], colour=True)
    assert "\x1b[1;31merror[FCB0107]\x1b[0m" in coloured


def test_control_characters_never_reach_the_terminal() -> None:
    source = Source("a", "a \x1b[31m \u202e b")
    assert "\x1b" not in findings_to_text([Tab(Span(source, 0, 1))])
    assert "\u202e" not in findings_to_text([Tab(Span(source, 0, 1))])


def test_json_ranges_start_at_one_with_exclusive_ends() -> None:
    finding = NameBeginsWithDigit(_at("9mm"), text="9mm", suggestion="mm", fix=Fix(_at("9"), ""))
    (record,) = to_records([finding])
    assert json.loads(findings_to_json([finding])) == [record]
    assert {key: record[key] for key in ("file", "line", "column", "endLine", "endColumn", "code", "severity")} == {
        "file": "cards/weapons.fcb",
        "line": 2,
        "column": 10,
        "endLine": 2,
        "endColumn": 13,
        "code": "FCB0110",
        "severity": "error",
    }
    assert record["help"].startswith("Did you mean `mm`? ")
    assert (record["fix"]["endColumn"], record["fix"]["replacement"]) == (11, "")
    assert record["related"] == []


def test_problems_are_ordered_and_distinct() -> None:
    other = Span(Source("a.fcb", "x: y"), 1, 2)
    problems = Problems([Tab(_at("fr")), Tab(_at("hands")), Tab(_at("hands")), SecondColon(other)])
    problems.add(MissingColon(_at("9mm")))
    assert [(p.span.source.name, p.code, p.span.line) for p in problems] == [
        ("a.fcb", "FCB0209", 1),
        ("cards/weapons.fcb", "FCB0107", 2),
        ("cards/weapons.fcb", "FCB0107", 4),
    ]


def test_several_problems_per_line_are_reported() -> None:
    class Loose(Diagnostic):
        title = cause = help = bad = good = "{n}"
        code = "FCB0898"

    problems = Problems([Loose(_at("hands"), n=1), Loose(_at("9mm"), n=1), Loose(_at("9mm"), n=2)])
    problems.extend([ByteOrderMark(_at("hands")), Tab(_at("hands"))])
    assert len(problems) == 5
    assert len(problems.errors) == 4


@pytest.mark.parametrize(
    ("name", "candidates", "meant"),
    [
        ("Pusj", ["Pull", "Push", "Bush"], "Push"),
        ("push", ["Pull", "Push"], "Push"),
        ("Psuh", ["Pull", "Push"], "Push"),
        ("shotgn", ["shotgun", "shot"], "shotgun"),
        ("xyz", ["Push"], None),
        ("ab", ["cd", "ac"], "ac"),
        ("bat", ["cat", "hat", "bar"], "bar"),
        ("a", [], None),
        ("same", ["same"], None),
    ],
)
def test_suggestions_are_close_names(name: str, candidates: list[str], meant: str | None) -> None:
    assert suggest(name, candidates) == meant
    assert suggest(name, reversed(candidates)) == meant
