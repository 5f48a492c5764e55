"""The set-up of a mission, worded by the number of heroes."""

from __future__ import annotations

from functools import cache

import pytest
from card_shop import made_of

from fcbdsl.language.model.whole import Model
from fcbdsl.language.prose import Setup, rules_text

MISSION = """
mission ford "The Ford":
  fr: "Le gué"
  players: 2..4
  objective: no enemy on board
  map hex:
    art: |
      h h . G
       h h g g
    legend:
      "h": start
      "G": gate
      "g": gunner
  while number of hero < 4: every enemy has -1 max-HP
  while number of hero < 3: every enemy has -2 max-HP
  while number of hero > 3: every enemy has +1 max-MP
  while number of enemy > 3: every hero has +1 max-MP
  when mission starts:
    reveal event
    if number of hero < 4: remove gunner#1
    if number of hero = 2: remove gunner#2
    else if number of player = 3: spawn gunner at space marked gate
    else:
      spawn gunner at space marked gate
      spawn brigadier at space marked gate
    if number of enemy > 3: reveal event
  when mission starts, if number of hero > 3: reveal event
  when round ends: reveal event
"""
TOLD = {
    "en": [
        "Reveal an Event card. If there are at least 4 enemies, reveal an Event card.",
        "2 heroes | Remove the Gunner on C2 and the Gunner on D2. Each enemy has −3 maximum HP.",
        "3 heroes | Remove the Gunner on C2. Spawn a Gunner at the Gate. Each enemy has −1 maximum HP.",
        "4 heroes | Spawn a Gunner and a Brigadier at the Gate. Reveal an Event card. Each enemy has +1 maximum MP.",
    ],
    "fr": [
        "Révélez une carte Événement. S’il y a au moins 4 ennemis, révélez une carte Événement.",
        "2 héros | Retirez l’Artilleur en C2 et l’Artilleur en D2. Chaque ennemi a −3 PV maximum.",
        "3 héros | Retirez l’Artilleur en C2. Faites apparaître un Artilleur sur l’Entrée. Chaque ennemi a "
        "−1 PV maximum.",
        "4 héros | Faites apparaître un Artilleur et un Brigadier sur l’Entrée. Révélez une carte Événement. "
        "Chaque ennemi a +1 PM maximum.",
    ],
}


@cache
def model() -> Model:
    """Return the shipped game with the mission."""
    return made_of(MISSION)


def setup(source: Model) -> Setup:
    return Setup(source.definitions["mission", "ford"], source.events["mission start"], source)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_setup_is_table_by_number_of_players_with_sums(language: str) -> None:
    rules = setup(model()).text(language)
    assert rules.problems == ()
    assert [paragraph.plain().replace("\u00a0", " ").replace("\u202f", " ") for paragraph in rules.paragraphs] == TOLD[
        language
    ]


def test_contents_of_setup_table_are_printed_once() -> None:
    mission = model().definitions["mission", "ford"]
    assert rules_text(mission, model(), "en", besides=setup(model()).described).plain().replace("\u00a0", " ") == (
        "While there are at least 4 enemies, each hero has +1 maximum MP.\n"
        "At the end of the round: reveal an Event card."
    )


def test_equal_numbers_share_setup_row() -> None:
    few = made_of(
        MISSION.partition("  while number")[0] + "  when mission starts: if number of hero > 3: reveal event\n"
    )
    lines = [paragraph.plain().replace("\u00a0", " ") for paragraph in setup(few).text("en").paragraphs]
    assert lines == ["2–3 heroes | no change", "4 heroes | Reveal an Event card."]
    none = made_of(MISSION.partition("  while number")[0] + "  when mission starts: reveal event\n")
    assert setup(none).text("en").plain() == "Reveal an Event card."
    without = Setup(none.definitions["mission", "ford"], None, none)
    assert without.described == []


@pytest.mark.long
def test_tokens_from_several_spaces_are_plural() -> None:
    """Each space has one or more of them: `a Fire token from C2 and D2` would be one for both."""
    cleared = "  when mission starts:\n    clear fire from C2\n    clear fire from D2\n    clear fire from A1\n"
    burning = made_of(MISSION.partition("  while number")[0] + cleared)
    assert setup(burning).text("en").plain() == "Remove the Fire tokens from C2, D2 and A1."
    assert setup(burning).text("fr").plain() == "Retirez les jetons Feu de C2, D2 et A1."
    once = made_of(MISSION.partition("  while number")[0] + "  when mission starts: clear fire from C2\n")
    assert setup(once).text("en").plain() == "Remove a Fire token from C2."
    both = made_of(
        MISSION.partition("  while number")[0]
        + "  when mission starts:\n    clear fire from C2\n    clear mine from C2\n"
    )
    assert setup(both).text("en").plain() == "Remove a Fire token and a Mine from C2."
