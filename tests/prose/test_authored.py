"""Cards as authors write them, from the source to the printed words."""

from __future__ import annotations

from functools import cache
from textwrap import indent

import pytest

from fcbdsl.model.check import check
from fcbdsl.model.whole import Model
from fcbdsl.project import Loader, Project
from fcbdsl.prose import describe
from fcbdsl.source import Source
from fcbdsl.syntax import parse

CARDS: list[tuple[str, str, str]] = [
    (
        "if fire-timing is turn-start: Heal self 1",
        "If the rule “Fire burns at the start of a turn” applies, **Heal** 1 HP.",
        "Si la règle « Le Feu brûle au début du tour » s’applique, **Soignez** 1 PV.",
    ),
    (
        "let when = fire-timing\nif when is not turn-start: Heal self 1",
        "If the rule “Fire burns at the end of a turn” applies, **Heal** 1 HP.",
        "Si la règle « Le Feu brûle à la fin du tour » s’applique, **Soignez** 1 PV.",
    ),
    (
        "choose spot: space within 4 of self where fire-timing is turn-start\nMine spot",
        "Place a **Mine** on a space within Range 4 of you and such that the rule “Fire burns at the start of a turn” "
        "applies.",
        "Placez une **Mine** sur une case à Portée 4 de vous et où la règle « Le Feu brûle au début du tour » "
        "s’applique.",
    ),
    (
        "choose foe: enemy adjacent to self\nPush self 1 from foe's place",
        "Choose an enemy adjacent to you. You are **Pushed** away from that enemy’s space.",
        "Choisissez un ennemi adjacent à vous. Vous êtes **Poussé** à l’opposé de la case de cet ennemi.",
    ),
    (
        "choose heart: enemy in sight of self\nfor each enemy within 2 of heart except heart: Pull enemy from heart",
        "Choose an enemy in your line of sight. **Pull** each enemy within Range 2 of that enemy and other than that "
        "enemy toward that enemy’s space.",
        "Choisissez un ennemi dans votre ligne de vue. **Attirez** chaque ennemi à Portée 2 de cet ennemi et autre que "
        "cet ennemi vers la case de cet ennemi.",
    ),
    (
        "choose heart: enemy in sight of self\nfor each hero: Pull hero 2 from heart\n"
        "choose spot: space within 3 of self\nPush heart 2 from spot",
        "Choose an enemy in your line of sight. **Pull** each hero by 2 spaces toward that enemy’s space. **Push** "
        "that enemy by 2 spaces away from a space within Range 3 of you.",
        "Choisissez un ennemi dans votre ligne de vue. **Attirez** de 2 cases chaque héros vers la case de cet ennemi. "
        "**Poussez** de 2 cases cet ennemi à l’opposé d’une case à Portée 3 de vous.",
    ),
]
"""The effect of a card, and its text in English and French (every space is written as a plain one)."""


@cache
def shop() -> Model:
    """The shipped game with a card for each effect."""
    loader = Loader(Project())
    loader.use("core")
    loader.use("far-cry-beyond")
    cards = [
        f'loot card-{at} "Card {at}":\n  fr: "Carte {at}"\n  type: offense\n  effect:\n{indent(effect, "    ")}\n'
        for at, (effect, _, _) in enumerate(CARDS)
    ]
    file, problems = parse(Source("cards.fcb", "use far-cry-beyond\n" + "".join(cards)))
    model, found = check([*loader.files(), file])
    assert [*problems, *found] == []
    return model


@pytest.mark.parametrize("at", range(len(CARDS)), ids=[effect for effect, _, _ in CARDS])
@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_card_says_what_its_effect_does(at: int, language: str) -> None:
    told = describe(shop().definitions["loot", f"card-{at}"], shop(), language)
    assert told.problems == ()
    said = told.marked().replace("\u00a0", " ").replace("\u202f", " ")
    assert said == CARDS[at][1 if language == "en" else 2]
