"""Nouns of a project's own game: piles, lists and counted things agree in number in each language."""

from __future__ import annotations

from functools import cache

import pytest

from fcbdsl.base.source import Source
from fcbdsl.language.model.check import check
from fcbdsl.language.model.whole import Model
from fcbdsl.language.prose import rules_text
from fcbdsl.language.syntax.parser import parse
from fcbdsl.project.project import Loader
from fcbdsl.project.settings import Project

SYSTEM = """\
system orchard "The Orchard":
  languages: en, fr
  players: 1..2
  board: square
enum mood: beast, hush
  beast "Beast", fr "Bête"
  hush "Hush", fr "Silence"
kind fox is piece:
  name: "fox", plural "foxes"
  fr: "renard", m, plural "renards"
  stat nuts "nut": number 0..
    name: "nut", plural "nuts"
    fr: "noix", f, plural "noix"
  stat warmth "warmth": number 0..
    fr: "chaleur", f
  zone hand "hand" of trick: any
    fr: "main", f
  zone heap "heap" of trick: any
    fr: "tas", m
  zone gifts "gifts" of trick: any
    fr: "cadeaux", m
kind trick is card:
  name: "trick", plural "tricks"
  fr: "tour", m, plural "tours"
  held by: fox
  field tags "Tags": many mood, optional
    fr: "Marques", f
  field nerve "Nerve": number, default 0
    name: "Nerve", plural "Nerve"
    fr: "Sang-froid", m, plural "Sang-froid"
  field effect: effect, optional
flow: win "Over.", fr "Fini."
"""
CASES = [
    (
        "choose one: trick in hand of self\nput one into heap of self",
        "Put a trick from your hand into your heap.",
        "Mettez un tour de votre main dans votre tas.",
    ),
    (
        "choose one: trick in hand of self\nput one into gifts of self",
        "Put a trick from your hand into your gifts.",
        "Mettez un tour de votre main dans vos cadeaux.",
    ),
    (
        "choose one: trick in heap of self where it's tags = (beast, hush)\nput one into hand of self",
        "Choose a trick from your heap whose Tags are Beast and Hush. Put that trick into your hand.",
        "Choisissez un tour de votre tas dont les Marques sont Bête et Silence. Mettez ce tour-là dans votre main.",
    ),
    (
        "choose mate: fox except self, by fewest nuts, then most warmth\nmate's warmth becomes 0",
        "Choose the other fox with the fewest nuts (tie: highest warmth). Set that fox’s warmth to 0.",
        "Choisissez l’autre renard ayant le moins de noix (à égalité : le plus de chaleur). "
        "Fixez la chaleur de ce renard à 0.",
    ),
    (
        "choose one: trick in hand of self\nif one's nerve >= self's warmth: self's warmth becomes one's nerve",
        "Choose a trick from your hand. If that trick’s Nerve is at least your warmth, set your warmth to that "
        "trick’s Nerve.",
        "Choisissez un tour de votre main. Si le Sang-froid de ce tour-là est supérieur ou égal à votre chaleur, "
        "fixez votre chaleur au Sang-froid de ce tour-là.",
    ),
]


@cache
def orchard() -> Model:
    loader = Loader(Project())
    loader.use("core")
    files = [*loader.files()]
    lines = ["use orchard"]
    for at, (effect, _, _) in enumerate(CASES):
        body = [f"    {line}" for line in effect.splitlines()]
        lines += [f'trick t-{at} "T{at}":', f'  fr: "T{at}"', "  effect:", *body]
    for name, text in (("orchard.fcb", SYSTEM), ("cards.fcb", "\n".join(lines) + "\n")):
        file, problems = parse(Source(name, text))
        assert not problems, problems
        files.append(file)
    model, reported = check(files)
    assert not [problem.message for problem in reported if problem.severity == "error"]
    return model


@pytest.mark.parametrize("at", range(len(CASES)))
@pytest.mark.parametrize("language", ["en", "fr"])
def test_card_agrees_with_nouns_of_game(at: int, language: str) -> None:
    text = rules_text(orchard().definitions["trick", f"t-{at}"], orchard(), language)
    assert text.problems == ()
    printed = text.plain().replace("\u00a0", " ").replace("\u202f", " ")
    assert printed == CASES[at][1 if language == "en" else 2]
