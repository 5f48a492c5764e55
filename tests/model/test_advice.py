"""Mistakes of authors: the message names the cause, and the help shows what to type."""

from __future__ import annotations

import pytest
from small import checked

SYSTEM = """
system sample "Sample":
  board: graph
  players: 1..3
  languages: en, fr
enum trait: beast, tool
  beast "Beast", fr "Bête"
  tool "Tool", fr "Outil"
kind gear is card:
  name: "gear", plural "gear", fr "objet", plural "objets"
  field traits: many trait
kind wader is piece:
  name: "wader", plural "waders", fr "échassier", plural "échassiers"
  field rank: number 0.., default 0
  field bite: number 1..3, default 1
  field mood: trait, default tool
  stat HP: number 0.., starts 3
  part attack: manner, die; many
    field manner: trait
    field die: die
kind site is region:
  name: "site", plural "sites", fr "lieu", plural "lieux"
die red "red":
  fr: "rouge"
  faces: 1..6
kind passage is card:
  name: "passage", plural "passages", fr "passage", plural "passages"
  stat visits: number 0..
zone row of gear: any
verb put out:
  takes: who (wader definition), at spot (space)
  effect: stop
"""
WOLF = 'wader wolf "Wolf":\n  fr: "Loup"\n  '

CASES = [
    (WOLF + "bite: three", "FCB0501", "three", "must be a number", "`bite: NUMBER from 1 to 3`"),
    (WOLF + "copies: -1", "FCB0502", "-1", "`copies` must be at least 0", ""),
    (WOLF + "rank: -2", "FCB0502", "-2", "`rank` must be at least 0", ""),
    (WOLF + "attack: red, beast", "FCB0501", "red", "which is a die", "in the order `attack: MANNER, DIE`"),
    (WOLF + "attack: wild, red", "FCB0501", "wild", "one of beast, tool", "`attack: MANNER, DIE`"),
    (
        'wader wolf "Wolf":\n  fr: "Loup", x',
        "FCB0303",
        'fr: "Loup", x',
        "m, f or n",
        '`fr: "title", m, plural "titles"`',
    ),
    (
        WOLF + "always: self has -1 strength",
        "FCB0409",
        "strength",
        "no stat or field `strength`",
        "`rank`, `bite`, `HP`",
    ),
    (
        "verb go:\n  takes: a (wader)\n  effect: require a's bark > 1",
        "FCB0409",
        "bark",
        "no stat or field `bark`",
        "`rank`, `bite`",
    ),
    ("verb go:\n  effect stop", "FCB0303", "effect stop", "its colon is missing", "`effect: stop`"),
    (
        "verb go:\n  takes a (wader)\n  effect: a's HP -1",
        "FCB0303",
        "takes a (wader)",
        "its colon is missing",
        "`takes: a (wader)`",
    ),
    ("relation has trait:\n  takes: a (gear)\n  is: yes", "FCB0323", "has", "skips `has`", "another name"),
    ("verb go:\n  effect: draw 2", "FCB0421", "draw 2", "the end of a game", "no verb called `draw`"),
    (
        "verb go:\n  takes: site (site)\n  effect: put out wolf at (spaces of site)\n" + WOLF + "rank: 1",
        "FCB0417",
        "(spaces of site)",
        "can be several things",
        "choose x",
    ),
    (
        "verb go:\n  effect: choose g: gear in row where beast among it's traits",
        "FCB0403",
        "beast",
        "is a value of trait, but this needs a condition",
        "`any (it's traits where it = beast)`",
    ),
    (
        "verb go:\n  effect: if number of passage where visits > 3: stop",
        "FCB0403",
        "number of passage where visits > 3",
        "is a number",
        "`number of (passage where visits > 3) > 0`",
    ),
    (
        "relation in:\n  takes: a (gear), place (zone)\n  is: yes\nverb go:\n  effect: if any gear in row: stop",
        "FCB0405",
        "in row",
        "(A is a thing, PLACE is a zone), or `A in PLACE` (A is a gear, PLACE is a zone)",
        "rename one of the forms",
    ),
]


@pytest.mark.parametrize(("text", "code", "place", "cause", "advice"), CASES, ids=lambda value: value[-40:])
def test_message_names_cause_and_help_gives_text_to_type(
    text: str, code: str, place: str, cause: str, advice: str
) -> None:
    problems = checked(SYSTEM + text + "\n")[1]
    assert [problem.code for problem in problems] == [code]
    (problem,) = problems
    assert problem.span.source.text[problem.span.start : problem.span.end] == place
    assert cause in problem.message
    assert advice in problem.advice


ADVISED = [
    "verb go:\n  effect: if any gear in row where any (it's traits where it = beast): stop",
    "verb go:\n  effect: if number of (passage where visits > 3) > 0: stop",
    "verb draw up:\n  effect: stop",
    WOLF + "attack: beast, red",
]


@pytest.mark.parametrize("text", ADVISED)
def test_text_of_help_parses(text: str) -> None:
    assert [problem.code for problem in checked(SYSTEM + text + "\n")[1]] == []
