"""Titles without a gender are reported if a printed text or the log depends on it."""

from __future__ import annotations

from fcbdsl.base.diagnostics.base import Diagnostic
from fcbdsl.base.source import Source
from fcbdsl.language.model.check import check
from fcbdsl.language.syntax.parser import parse
from fcbdsl.print.press.genders import logged_genders
from fcbdsl.print.press.proofs import own_problems
from fcbdsl.project.project import Loader
from fcbdsl.project.settings import Project

SYSTEM = """\
system mini "Mini":
  players: 1..2
  board: graph
  languages: en, fr
kind lamp is card:
  name: "lamp", plural "lamps"
  fr: "lampe"GENDER, plural "lampes"
zone pile "pile" of lamp:
  fr: "pile", f
kind player:
  stat gold "gold": number 0.., starts 0
    fr: "or", m
kind walker is piece:
  name: "walker", plural "walkers"
  fr: "marcheur", m, plural "marcheurs"
  held by: player
  stat tiredness: number 0.., starts 0
kind page is card:
  name: "page", plural "pages"
  fr: "page", f, plural "pages"
  held by: player
  field effect: effect, optional
verb light up:
  takes: what (lamp)
  effect: nothing
  text en: "light {what}"
  text fr: "allumez {what}"
event rested:
  takes: who (walker)
  text en: "{who} [has|have] rested"
  text fr: "{who} [est|sont] reposé[e]"
layout page:
  size: card
"""
CARDS = """\
walker ada "Ada":
  fr: "Ada"GENDER
page a "A":
  fr: "A"
  effect: EFFECT
"""
LIGHT = """
    choose it: lamp in pile
    light up it"""
COUNT = "gold becomes number of (lamp in pile)"


def problems(gender: str, effect: str) -> tuple[list[Diagnostic], list[Diagnostic]]:
    """Return the problems with the genders of the cards, and those of the log."""
    loader = Loader(Project())
    loader.use("core")
    cards = CARDS.replace("GENDER", gender).replace("EFFECT", effect)
    texts = {"mini.fcb": SYSTEM.replace("GENDER", gender), "cards.fcb": "use mini\n" + cards}
    model, reported = check([*loader.files(), *(parse(Source(name, text))[0] for name, text in texts.items())])
    assert not [problem.message for problem in reported if problem.severity == "error"]
    printed = [problem for definition in model.definitions.values() for problem in own_problems(model, definition)]
    assert model.gender_trial is None
    log = [problem for language in ("en", "fr") for problem in logged_genders(model, language)]
    return [problem for problem in printed if problem.code == "FCB0743"], log


def test_card_with_an_article_reports_missing_gender() -> None:
    (problem,), _ = problems("", LIGHT)
    assert (problem.span.source.name, problem.span.line, problem.severity) == ("mini.fcb", 7, "warning")
    assert str(problem.arguments["text"]).startswith("un lampe")
    assert problem.fix is not None
    assert problem.fix.replacement == ", m"


def test_log_that_agrees_reports_missing_gender() -> None:
    _, (problem,) = problems("", LIGHT)
    assert (problem.span.source.name, problem.span.line) == ("cards.fcb", 3)
    assert problem.arguments["text"] == "Ada est reposé"


def test_declared_gender_is_not_reported() -> None:
    assert problems(", f", LIGHT) == ([], [])


def test_title_without_article_needs_no_gender() -> None:
    assert problems("", COUNT)[0] == []
