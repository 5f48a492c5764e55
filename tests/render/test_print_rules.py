"""Rules of print in the catalogues: what must stand on pieces does. `docs/rules/README.md` names these tests."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest
from games import model

from fcbdsl.render import printable
from fcbdsl.render.aids import aid_of
from fcbdsl.render.cards import card_of
from fcbdsl.render.sheets import sheet_of
from fcbdsl.render.tokens import supplies_of
from fcbdsl.render.views import Card, Disc, Sheet
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


def discs(game: str) -> dict[str, list[Disc]]:
    """The pieces to cut of a game, by what they are called."""
    found: dict[str, list[Disc]] = {}
    for disc in supplies_of(model(game), "en")[0].discs:
        found.setdefault(disc.title.replace("\u00a0", " "), []).append(disc)
    return found


def counts(game: str) -> dict[str, int]:
    """How many there are of each piece to cut, by its title and the number on it."""
    found: Counter[str] = Counter()
    for title, some in discs(game).items():
        for disc in some:
            found[title if disc.figure or not disc.number else f"{title} {disc.number}"] += disc.count
    return found


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


def test_loot_is_told_by_its_backs() -> None:
    """FCB-PRINT-06: backs of Loot in green, red and white; Reactions share a back, and have faces in green or red."""
    green, red, white = "#2e7d32", "#b3261e", "#f5f3ee"
    backs = {card.type_line.rpartition(" ")[2]: card.back.colour for card in cards("far-cry-beyond", "loot")}
    assert backs == {"offense": red, "support": green, "crafted": white}
    reactions = list(cards("far-cry-beyond", "reaction"))
    assert len({card.back for card in reactions}) == 1
    faces = {(card.type_line.rpartition(" ")[2], card.colour) for card in reactions}
    assert faces == {("offense", red), ("support", green)}


def test_tokens_of_far_cry_beyond() -> None:
    """FCB-PRINT-09: every token and marker is there to cut, with a drawing of its own."""
    found = discs("far-cry-beyond")
    wanted = (
        "Damage,Shield,Bleeding,Poison,Stunned,Impaired,Hacked,Fire token,Mine,Loot token,Revive,Obstacle,Time,Alert"
    )
    for title in wanted.split(","):
        assert all(not disc.figure and disc.count for disc in found[title]), title
    drawn = [
        (disc.symbol.drawing, disc.symbol.letter, disc.symbol.colour)
        for one in wanted.split(",")
        for disc in found[one][:1]
    ]
    assert len(set(drawn)) == len(drawn)
    assert {disc.number for disc in found["Damage"]} == {"", "5"}
    assert {disc.back.title for disc in found["Revive"] if disc.back is not None} == {"Switch"}
    for hero in cards("far-cry-beyond", "hero"):
        assert [disc.symbol.drawing for disc in found[hero.title] if not disc.figure] == ["target"], "a Portrait"
    for weapon in cards("far-cry-beyond", "weapon"):
        thrown = any("Throw" in text.plain().split() for line in weapon.lines for text in line.text)
        assert (weapon.title in found) == thrown, weapon.title


def test_coin_spawn_tokens_and_terror_track() -> None:
    """FTZ-PRINT-05: a track with start, end and room for a card at four twists; tokens numbered on both sides, red
    where not searched; the coin; hero sheets; the aid with phases and steps."""
    game = "fireteam-zero"
    for mission in (one for one in model(game).definitions.values() if one.kind.id == "mission"):
        supplies = supplies_of(model(game), "en", mission, 2)[0]
        (track,) = supplies.tracks
        assert (track.steps[0].label, track.steps[-1].label) == ("Start", "End")
        assert [step.label for step in track.steps[1:-1]] == [str(at) for at in range(1, len(track.steps) - 1)]
        assert sum(step.marked for step in track.steps) == 4
        assert supplies.marked is not None
        assert (supplies.marked.title, supplies.marked.width, supplies.marked.height) == ("Twist", 63.0, 88.0)
    found = discs(game)
    for number in range(1, 13):
        (token,) = found[f"Spawn point {number}"]
        assert token.back is not None
        assert (token.symbol.letter, token.symbol.colour) == (str(number), "#9b2226")
        assert (token.back.number, token.back.symbol.colour) == (str(number), "#5d6166")
    (coin,) = found["Lucky coin, heads"]
    assert coin.back is not None
    assert (coin.symbol.letter, coin.back.symbol.letter, coin.back.title) == ("H", "T", "Tails")
    for hero in cards(game, "hero"):
        assert hero.title
        assert hero.type_line.startswith("Hero · ")
    steps = [
        entry for block in aid_of(model(game), "en")[0].sides[0] if block.style == "steps" for entry in block.entries
    ]
    assert {entry.level for entry in steps} >= {0, 1}


def test_tokens_of_escape() -> None:
    """ESC-PRT-03: objectives of 1 and 2 points with a crate on their back, equipment with one back, and all markers."""
    found, counted = discs("escape"), counts("escape")
    for title, points in (("Small Core", "1"), ("Large Core", "2")):
        (disc,) = found[title]
        assert disc.back is not None
        assert (disc.number, disc.back.title) == (points, "Crate")
    for card in cards("escape", "equipment", "provision", "grenade"):
        assert [disc.back.title for disc in found[card.title] if disc.back is not None] == ["Equipment"]
    for title in ("Closed", "Hacked", "Revolution", "Activated", "Malus, −1", "Malus, −2", "Wall down", "Broken drill"):
        assert counted[title] >= 2, title
    assert counted["Black-out"] == 1


def test_tokens_and_pieces_of_beast() -> None:
    """BST-PRT-02: so many of each token and piece; what the catalogue gives no limit for may be more."""
    counted = counts("beast")
    wanted = {
        "Grudge 3": 6,
        "Grudge 1": 12,
        "Wound 3": 6,
        "Wound 1": 6,
        "Ancient Power": 3,
        "Watchtower": 6,
        "Trail": 30,
    }
    wanted |= {"Farmer": 7, "Noble": 7, "Sheep": 28, "Boar": 19, "Bear": 4}
    assert {title: counted[title] for title in wanted} == wanted
    assert counted["Forest"] + counted["Marsh"] + counted["Cave"] == 27
    assert sum(counted[card.title] for card in cards("beast", "thrall")) == 15
    assert len(list(cards("beast", "upgrade"))) >= 19
