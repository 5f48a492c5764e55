"""Classes, codes and their examples."""

from __future__ import annotations

import re

import pytest

from fcbdsl.base.diagnostics import Diagnostic, all_diagnostics, explain, known_codes, reference
from fcbdsl.base.diagnostics.articles import a
from fcbdsl.base.diagnostics.base import argument_names, fill_message
from fcbdsl.base.source import Source, Span
from fcbdsl.language.syntax.parser import parse

SYNTAX = [cls for cls in all_diagnostics() if cls.code[3:5] in ("01", "02")]


def _codes(text: str) -> list[str]:
    return [problem.code for problem in parse(Source("example", text))[1]]


@pytest.mark.parametrize("cls", SYNTAX, ids=lambda cls: cls.code)
def test_syntax_examples_show_mistake_and_fix(cls: type[Diagnostic]) -> None:
    if cls.bad:
        assert _codes(cls.bad) == [cls.code]
    assert _codes(cls.good) == []


@pytest.mark.parametrize("cls", all_diagnostics(), ids=lambda cls: cls.code)
def test_every_diagnostic_has_whole_sentences(cls: type[Diagnostic]) -> None:
    assert cls.severity in ("error", "warning")
    assert cls.title
    assert cls.title[0].isupper()
    assert cls.cause.endswith((".", "}", "`"))
    names = argument_names(cls.cause) | argument_names(cls.help)
    finding = cls(Span(Source("x", "x"), 0, 1), **dict.fromkeys(names, 7))  # type: ignore[arg-type]
    assert not any(f"{{{name}}}" in finding.message + finding.advice for name in names)
    assert explain(cls.code)


@pytest.mark.parametrize("cls", all_diagnostics(), ids=lambda cls: cls.code)
def test_messages_and_explanations_are_short(cls: type[Diagnostic]) -> None:
    assert len(re.sub(r"\{[^}]*\}", "X", cls.cause).split()) <= 15
    assert len(re.findall(r"[.!?][)”]?(?:\s+(?=[A-Z`(“])|$)", cls.explanation)) <= 3


@pytest.mark.parametrize("cls", all_diagnostics(), ids=lambda cls: cls.code)
def test_pages_show_no_placeholders(cls: type[Diagnostic]) -> None:
    assert cls.explanation or not argument_names(cls.cause)
    page = explain(cls.code)
    assert page is not None
    assert not any(f"{mark}{name}" in page for name in argument_names(cls.cause + cls.help) for mark in ("{", "<"))


def test_reference_lists_every_code_once_in_order() -> None:
    page = reference()
    places = [page.index(f"### {code} ") for code in known_codes()]
    assert places == sorted(places)
    assert page.count("### FCB") == len(places)


def test_explanations_show_both_examples() -> None:
    page = explain("FCB0201")
    assert page is not None
    assert page.startswith("FCB0201 (error): Missing colon\n")
    assert "Wrong:\n\n    weapon club\n" in page
    assert "Right:\n\n    weapon club:\n" in page
    assert explain("FCB9999") is None


def test_code_belongs_to_one_class() -> None:
    with pytest.raises(TypeError, match="FCB0201 belongs to MissingColon"):

        class Again(Diagnostic):
            code = "FCB0201"
            title = cause = help = bad = good = ""


@pytest.mark.parametrize("wrong", ["FCB1", "FCB9901", "XYZ0101", "FCB01AB"])
def test_code_has_its_form(wrong: str) -> None:
    with pytest.raises(TypeError, match="no diagnostic code"):
        type("Wrong", (Diagnostic,), {"code": wrong, "title": "", "cause": "", "help": "", "bad": "", "good": ""})


def test_diagnostic_class_is_complete() -> None:
    with pytest.raises(TypeError, match="lacks title, bad"):
        type("Wrong", (Diagnostic,), {"code": "FCB0899", "cause": "", "help": "", "good": ""})


def test_missing_argument_is_internal_error() -> None:
    (tab_cls,) = (cls for cls in all_diagnostics() if cls.code == "FCB0110")
    with pytest.raises(KeyError):
        tab_cls(Span(Source("x", "x"), 0, 1))


@pytest.mark.parametrize(
    ("word", "words"),
    [("enemy", "an enemy"), ("unit", "a unit"), ("hour", "an hour"), ("objective", "an objective")],
)
def test_article_follows_sound(word: str, words: str) -> None:
    assert a(word) == words


def test_templates_know_articles() -> None:
    assert (
        fill_message("{kind:A} is {other:a} of {n}.", {"kind": "enemy", "other": "unit", "n": 2})
        == "An enemy is a unit of 2."
    )


def test_templates_have_no_fixed_article_before_name() -> None:
    for cls in all_diagnostics():
        assert not re.search(r"\b[Aa]n? \{", cls.cause + " " + cls.help.replace("`a {operator} b`", "")), cls.code
