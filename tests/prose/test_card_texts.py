"""Cards from the source to the printed words."""

from __future__ import annotations

from functools import cache
from textwrap import indent

import pytest
from card_shop import made_of

from fcbdsl.language.model.whole import Model
from fcbdsl.language.prose import rules_text

CARDS: list[tuple[str, str, str]] = [
    (
        "if fire-timing is turn-start: Heal self 1",
        "If the rule “Fire burns at the start of a turn” applies, **Heal** 1 HP.",
        "Si la règle « Le Feu brûle au début du tour » s’applique, **Récupérez** 1 PV.",
    ),
    (
        "let when = fire-timing\nif when is not turn-start: Heal self 1",
        "If the rule “Fire burns at the end of a turn” applies, **Heal** 1 HP.",
        "Si la règle « Le Feu brûle à la fin du tour » s’applique, **Récupérez** 1 PV.",
    ),
    (
        "choose spot: space within 4 of self where fire-timing is turn-start\nMine spot",
        "Place a **Mine** on a space within Range 4 of you such that the rule “Fire burns at the start of a turn” "
        "applies.",
        "Placez une **Mine** sur une case à Portée 4 de vous telle que la règle « Le Feu brûle au début du tour » "
        "s’applique.",
    ),
    (
        "choose foe: enemy adjacent to self\nPush self 1 from foe's place",
        "Choose an enemy adjacent to you. You are **Pushed** away from that enemy’s space.",
        "Choisissez un ennemi adjacent à vous. Vous êtes **Poussé** à l’opposé de la case de cet ennemi.",
    ),
    (
        "choose heart: enemy in sight of self\nfor each enemy within 2 of heart except heart: Pull enemy from heart",
        "Choose an enemy in your line of sight. **Pull** each other enemy within Range 2 of that enemy toward that "
        "enemy’s space.",
        "Choisissez un ennemi dans votre ligne de vue. **Attirez** chaque autre ennemi à Portée 2 de cet ennemi vers "
        "la case de cet ennemi.",
    ),
    (
        "choose heart: enemy in sight of self\nfor each hero: Pull hero 2 from heart\n"
        "choose spot: space within 3 of self\nPush heart 2 from spot",
        "Choose an enemy in your line of sight. **Pull** each hero by 2 spaces toward that enemy’s space. **Push** "
        "that enemy by 2 spaces away from a space within Range 3 of you.",
        "Choisissez un ennemi dans votre ligne de vue. **Attirez** chaque héros de 2 cases vers la case de cet ennemi. "
        "**Poussez** cet ennemi de 2 cases à l’opposé d’une case à Portée 3 de vous.",
    ),
    (
        "mark Portrait on self by self\nclear Portrait from self by self",
        "Place **Portrait** in your name on you. Remove your **Portrait** placed by you.",
        "Placez **marqueur Provocation** en votre nom sur vous. Retirez votre **marqueur Provocation** venant de vous.",
    ),
    (
        "choose friend: hero within 2 of self\nfor each enemy: mark Portrait on enemy by friend\n"
        "choose foe: enemy in sight of self\nmark Portrait on foe by self count 2",
        "Choose a hero within Range 2 of you. Place **Portrait** in the name of that hero on each enemy. Place 2 "
        "**Portrait** in your name on an enemy in your line of sight.",
        "Choisissez un héros à Portée 2 de vous. Placez **marqueur Provocation** au nom de ce héros sur chaque ennemi. "
        "Placez 2 **marqueur Provocation** en votre nom sur un ennemi dans votre ligne de vue.",
    ),
    (
        "choose foe: enemy in sight of self\nPush foe\nmark Portrait on self by foe\nclear Portrait from self by foe",
        "**Push** an enemy in your line of sight. Place **Portrait** in the name of that enemy on you. Remove your "
        "**Portrait** placed by that enemy.",
        "**Poussez** un ennemi dans votre ligne de vue. Placez **marqueur Provocation** au nom de cet ennemi sur vous. "
        "Retirez votre **marqueur Provocation** venant de cet ennemi.",
    ),
    (
        "choose friend: hero within 2 of self\nfor each enemy: clear Portrait from enemy by friend\n"
        "choose foe: enemy in sight of self\nmark Portrait on foe by friend count 2\nclear Portrait from foe by self",
        "Choose a hero within Range 2 of you. Remove **Portrait** placed by that hero from each enemy. Place 2 "
        "**Portrait** in the name of that hero on an enemy in your line of sight. Remove **Portrait** placed by you "
        "from that enemy.",
        "Choisissez un héros à Portée 2 de vous. Retirez de chaque ennemi **marqueur Provocation** venant de ce héros. "
        "Placez 2 **marqueur Provocation** au nom de ce héros sur un ennemi dans votre ligne de vue. Retirez de cet "
        "ennemi **marqueur Provocation** venant de vous.",
    ),
    (
        "choose foe: enemy within 3 of self, by most HP, then MP, then nearest\nStun foe",
        "**Stun** the enemy within Range 3 of you with the highest HP (tie: lowest MP, then closest).",
        "**Assommez** l’ennemi à Portée 3 de vous ayant le plus de PV (à égalité : le moins de PM, puis le plus "
        "proche).",
    ),
    (
        "choose foe: enemy, by nearest, then most HP\nStun foe",
        "**Stun** the closest enemy (tie: highest HP).",
        "**Assommez** l’ennemi le plus proche (à égalité : le plus de PV).",
    ),
    (
        "clear Bleeding from self\nclear Poison from self\nclear Impaired from self\nHeal self 1",
        "Remove your **Bleeding**, **Poison** and **Impaired**. **Heal** 1 HP.",
        "Retirez votre **Saignement**, votre **Poison** et votre **Immobilisé**. **Récupérez** 1 PV.",
    ),
    (
        "choose friend: hero within 1 of self where it is not KO\nclear Bleeding from friend\n"
        "clear Poison from friend\nclear Poison from self",
        "Remove **Bleeding** and **Poison** from a standing hero within Range 1 of you. Remove your **Poison**.",
        "Retirez **Saignement** et **Poison** d’un héros debout à Portée 1 de vous. Retirez votre **Poison**.",
    ),
    (
        "if self is not KO and any hero where it is not KO: Heal self 1",
        "If you are standing and there is a standing hero, **Heal** 1 HP.",
        "Si vous êtes debout et s’il y a un héros debout, **Récupérez** 1 PV.",
    ),
    (
        "repeat 2 times: Heal self 1\nrepeat 3 times: Heal self 1",
        "Twice: **Heal** 1 HP. 3 times: **Heal** 1 HP.",
        "Deux fois : **Récupérez** 1 PV. 3 fois : **Récupérez** 1 PV.",
    ),
    (
        "choose foe: enemy in sight of self\nPull foe 2\nPull foe 3",
        "**Pull** an enemy in your line of sight by 2 spaces. **Pull** that enemy by 3 spaces.",
        "**Attirez** de 2 cases un ennemi dans votre ligne de vue. **Attirez** cet ennemi de 3 cases.",
    ),
    (
        "for each enemy within 2 of self: enemy's target becomes self",
        "You become the target of each enemy within Range 2 of you.",
        "Vous devenez la cible de chaque ennemi à Portée 2 de vous.",
    ),
    (
        "for each enemy within 2 of self: enemy's target becomes nothing",
        "Each enemy within Range 2 of you no longer has a target.",
        "Chaque ennemi à Portée 2 de vous n’a plus de cible.",
    ),
    (
        "if self's HP >= self's max-HP: Heal self 1",
        "If your HP is at least your maximum HP, **Heal** 1 HP.",
        "Si vos PV sont supérieurs ou égaux à vos PV maximum, **Récupérez** 1 PV.",
    ),
    (
        "choose friend: hero except self\nlet mine = self's HP\n"
        "self's HP becomes friend's HP\nfriend's HP becomes mine",
        "Choose another hero. Note your HP. Set your HP to that hero’s HP. Set that hero’s HP to the noted value.",
        "Choisissez un autre héros. Notez vos PV. Fixez vos PV aux PV de ce héros. "
        "Fixez les PV de ce héros à la valeur notée.",
    ),
    (
        "self's MP becomes self's MP + self's HP - 1",
        "Gain X MP, where X is your HP minus 1.",
        "Gagnez X PM, X étant vos PV moins 1.",
    ),
    (
        "choose first: enemy within 2 of self\nfor each enemy except first: Stun first",
        "Choose an enemy within Range 2 of you. For each other enemy, **Stun** the chosen enemy.",
        "Choisissez un ennemi à Portée 2 de vous. Pour chaque autre ennemi, **Assommez** l’ennemi choisi.",
    ),
    (
        "wound self number of (enemy within 1 of hero)",
        "Take X damage, where X is the number of enemies within Range 1 of a hero.",
        "Subissez X dégâts, X étant le nombre d’ennemis à Portée 1 d’un héros.",
    ),
]
"""The effect of a card, and its text in English and French (with plain spaces)."""


@cache
def shop() -> Model:
    """Return the shipped game with a card for each effect."""
    cards = [
        f'loot card-{at} "Card {at}":\n  fr: "Carte {at}"\n  type: offense\n  effect:\n{indent(effect, "    ")}\n'
        for at, (effect, _, _) in enumerate(CARDS)
    ]
    return made_of("".join(cards))


@pytest.mark.sampled(4)
@pytest.mark.parametrize("at", range(len(CARDS)), ids=[effect for effect, _, _ in CARDS])
@pytest.mark.parametrize("language", ["en", "fr"])
def test_authored_text_matches_effect(at: int, language: str) -> None:
    text = rules_text(shop().definitions["loot", f"card-{at}"], shop(), language)
    assert text.problems == ()
    printed = text.marked().replace("\u00a0", " ").replace("\u202f", " ")
    assert printed == CARDS[at][1 if language == "en" else 2]


OWN: list[tuple[str, str, str, list[str], list[str]]] = [
    ("spawn gunner at space marked gate", "They come.", "", ["spawn", "gunner", "gate"], []),
    ("spawn gunner at space marked gate", "Spawns a Gunner at some Gate.", "", [], []),
    ("spawn gunner at space marked gate", "A Gunner comes.", "untold: spawn, gate", [], []),
    ("spawn gunner at space marked gate", "A Gunner comes.", "untold: spawn, gate, gunner, mine", [], ["mine"]),
    ("Heal self 3", "Heal two HP.", "", ["3"], []),
    ("Heal self 3", "Heal three HP.", "", [], []),
    ("if self is wounded: Heal self 1", "Heal 1 HP.", "", ["wounded"], []),
    ("if self is wounded: Heal self 1", "If you are wounded, heal 1 HP.", "", [], []),
    ("require not adrift\nHeal self 1", "Heal 1 HP.", "", ["adrift"], []),
    ("for each enemy within 2 of self: Stun enemy", "Stun all within Range 2.", "", ["enemy"], []),
    ("for each enemy within 2 of self: Stun enemy", "Stun enemies.", "untold: within", ["2"], []),
    ("until round ends: every hero has -1 max-MP", "Heroes are slow.", "", ["round end", "max-MP"], []),
    ("Heal self 1", "", "untold: Heal", [], ["Heal"]),
    ("Heal self 3", "Heal 3 HP, not 4, a d12.", "", [], []),
    ("Heal self 3", "Heal 3 HP, not 4.", "untold: 4", [], []),
]
"""An effect, the card's own text, a further line; the parts that the text omits, and the wrong claims about it."""
STRAY = {"Heal two HP.": [2], "Heal 3 HP, not 4, a d12.": [4]}
"""The numbers of these texts that their effects lack, unless a line declares them as intended."""


@cache
def own_shop() -> Model:
    """Return the shipped game with a card for each text."""
    cards = [
        f'loot own-{at} "Own {at}":\n  fr: "Carte {at}"\n  type: offense\n  effect:\n{indent(effect, "    ")}\n'
        + (f'  text: "{text}"\n  text fr: "{text}"\n' if text else "")
        + (f"  {line}\n" if line else "")
        for at, (effect, text, line, _, _) in enumerate(OWN)
    ]
    return made_of("".join(cards))


@pytest.mark.parametrize("at", range(len(OWN)), ids=[f"{text} ({line})" for _, text, line, _, _ in OWN])
def test_authored_text_must_mention_effect(at: int) -> None:
    rules = rules_text(own_shop().definitions["loot", f"own-{at}"], own_shop(), "en")
    names = {code: [p.arguments["name"] for p in rules.problems if p.code == code] for code in ("FCB0712", "FCB0713")}
    assert (names["FCB0712"], names["FCB0713"]) == (OWN[at][3], OWN[at][4])
    assert [p.arguments["number"] for p in rules.problems if p.code == "FCB0719"] == STRAY.get(OWN[at][1], [])
    assert len(rules.problems) == len(OWN[at][3]) + len(OWN[at][4]) + len(STRAY.get(OWN[at][1], []))


def test_authored_text_is_compared_in_its_language() -> None:
    card = own_shop().definitions["loot", "own-1"]
    (problem, *_) = rules_text(card, own_shop(), "fr").problems
    assert (problem.code, problem.arguments["name"], problem.span.source.line_text(problem.span.line).strip()) == (
        "FCB0712",
        "spawn",
        "spawn gunner at space marked gate",
    )
