"""Rules of print in the catalogues: what must stand on pieces does. `docs/rules/README.md` names these tests."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from games import model

from fcbdsl.render import printable
from fcbdsl.render.cards import card_of
from fcbdsl.render.sheets import sheet_of
from fcbdsl.render.tokens import supplies_of
from fcbdsl.render.views import Card, Sheet
from fcbdsl.render.web import page


def cards(game: str, *kinds: str) -> Iterator[Card]:
    """The cards and boards of some kinds of a game."""
    found = [one for one in printable(model(game)) if one.kind.id in kinds]
    assert found
    for one in found:
        yield card_of(one, model(game), "en")[0]


def sheets(game: str) -> Iterator[Sheet]:
    for one in printable(model(game)):
        if one.kind.id == "mission":
            yield sheet_of(one, model(game), "en")[0]


def test_boards_of_basic_enemies() -> None:
    """FCB-PRINT-03: name, four numbered status areas in colors, MP, HP, Rank."""
    for card in cards("far-cry-beyond", "enemy", "robot"):
        if "Boss" not in card.badges:
            assert card.title
            assert [area.value for area in card.areas] == ["1", "2", "3", "4"]
            colors = [area.symbol.colour for area in card.areas if area.symbol is not None]
            assert colors == ["#2e7d32", "#f2c200", "#6a3d9a", "#c62828"]
            assert {chip.label for chip in card.stats} == {"HP", "MP"}
            assert card.corner is not None
            assert card.corner.label == "Rank"


def test_weapon_cards() -> None:
    """FCB-PRINT-04: family, hands, range symbol (with its maximum, if Off-melee), color of the die, damage."""
    for card in cards("far-cry-beyond", "weapon"):
        assert len(card.type_line.split(" · ")) >= 2
        assert card.corner is None or card.corner.symbol is not None
        for line in card.lines:
            drawn = [chip.symbol.drawing for chip in line.chips if chip.symbol is not None]
            assert drawn[:3] in ([reach, "die", "burst"] for reach in ("blade", "chain", "crosshair"))
            assert line.chips[2].value.isdecimal()


def test_stunt_cards() -> None:
    """FCB-PRINT-05: the MP cost and the effect."""
    for card in cards("far-cry-beyond", "stunt"):
        assert card.corner is not None
        assert card.corner.label == "MP"
        assert card.text


def test_lines_of_boards_differ_without_color() -> None:
    """FCB-PRINT-08: thin dashes between spaces, bold ones round obstacles, walls in one piece, each drawn otherwise."""
    found: dict[str, str] = {}
    for sheet in sheets("far-cry-beyond"):
        assert sheet.map is not None
        for side in sheet.map.sides:
            alone = replace(sheet.map, cells=(), sides=(side,), links=(), ropes=(), routes=(), regions=())
            svg = page("map.svg.j2", {"map": alone, "label": 3.0})
            found.setdefault(side.style, " ".join(re.findall(r'stroke-(?:width|dasharray)="[^"]*"', svg)))
    assert {"thin", "bold", "wall"} <= found.keys()
    assert "dasharray" in found["thin"]
    assert "dasharray" in found["bold"]
    assert "dasharray" not in found["wall"]
    assert len({found[style] for style in ("thin", "bold", "wall")}) == 3


def test_tracks_and_gauges() -> None:
    """FCB-PRINT-11: numbered spaces, some marked, and an end; tiers with a lock where one never recedes."""
    marked, locked = False, False
    for sheet in sheets("far-cry-beyond"):
        for track in sheet.tracks:
            assert [step.label for step in track.steps] == [*map(str, range(1, len(track.steps))), "End"]
            assert track.steps[-1].marked
            marked = marked or any(step.marked for step in track.steps[:-1])
        for gauge in sheet.gauges:
            assert all(tier.title and tier.text for tier in gauge.tiers if tier.at != "0")
            locked = locked or any(tier.locked for tier in gauge.tiers)
    assert marked
    assert locked


@pytest.mark.parametrize(("title", "hits"), [("Green die", 5), ("Orange die", 3), ("Black die", 1)])
def test_dice_have_tables(title: str, hits: int) -> None:
    """FCB-PRINT-13: a table of six numbers replaces each die."""
    dice = {die.title: die for die in supplies_of(model("far-cry-beyond"), "en")[0].dice}
    assert len(dice) == 6
    assert dice[title].instead == "roll a d6"
    assert dice[title].rows[0] == ("1" if hits == 1 else f"1–{hits}", "hit")
    assert dice["Blue die"].rows == (("1–3", "block"), ("4–6", "blank"))


def test_boards_of_monsters() -> None:
    """FTZ-PRINT-01: name, rank, speed, attack with strength and range, wounds, hits per wound of each type, special."""
    for card in cards("fireteam-zero", "monster"):
        assert len(card.type_line.split(" · ")) == 3
        assert {chip.label for chip in card.stats} == {"Speed", "Strength", "Range"}
        assert card.corner is not None
        assert card.corner.label == "Wounds"
        assert [chip.label[15:] for chip in card.notes] == ["(melee)", "(bullet)", "(bomb)"]
        assert all(chip.symbol is not None for chip in card.notes)
        assert any(text.plain().startswith("Special") for text in card.text)


def test_action_cards() -> None:
    """FTZ-PRINT-02: hero, name, attacks with type, strength and range, then response or reaction; upgrades marked."""
    upgrades = 0
    for card in cards("fireteam-zero", "action-card", "response-card"):
        assert " · " in card.type_line
        for line in card.lines:
            assert line.chips[0].symbol is not None
            assert line.chips[1].value.isdecimal()
        if card.key.startswith("response-card/"):
            assert any(text.plain().startswith("Tactical response") for text in card.text)
        upgrades += "Upgrade" in card.badges
    assert upgrades
