"""Rules of print in the catalogs are followed on the pieces. `docs/rules/README.md` names these tests."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from io import BytesIO
from itertools import pairwise
from pathlib import Path

import pytest
from games import EACH_IN_ITS_LANGUAGES, model
from PIL import Image
from pypdf import PdfReader
from views import aid_in, card_in, reference_in, sheet_in, supplies_in

from fcbdsl.print.layout.formats import papers, sizes
from fcbdsl.print.layout.views import Card, Disc, PlayMap, Sheet
from fcbdsl.print.pieces.campaign_sheets import campaign_of, story_sheet
from fcbdsl.print.pieces.cards import card_of
from fcbdsl.print.pieces.piece import PieceRegister
from fcbdsl.print.pieces.play_maps import play_map_of
from fcbdsl.print.pieces.printables import printable
from fcbdsl.print.pieces.token_pieces import supplies_of
from fcbdsl.print.pieces.web import fill_page
from fcbdsl.print.press.card_documents import CardDocument
from fcbdsl.print.press.imposition import one_up
from fcbdsl.print.press.options import Options
from fcbdsl.print.press.press import render
from fcbdsl.print.press.table_sheets import render_maps, supplies_values
from fcbdsl.print.typeset.typesetting import typeset


def cards(game: str, *kinds: str) -> Iterator[Card]:
    """Return the cards and boards of some kinds of a game."""
    definitions = [definition for definition in printable(model(game)) if definition.kind.id in kinds]
    assert definitions
    for definition in definitions:
        yield card_in(game, definition, "en")


def costly() -> set[str]:
    """Return the cards of BEAST that state a cost: the others cost nothing, and so have no figure for it."""
    stated = {
        f"{definition.kind.id}/{definition.id}"
        for definition in printable(model("beast"))
        if "cost" in definition.values
    }
    assert stated
    return stated


def in_french(game: str, kind: str) -> Iterator[Card]:
    for definition in printable(model(game)):
        if definition.kind.id == kind:
            yield card_in(game, definition, "fr")


def faces(game: str, *ids: str) -> list[str]:
    """Return the words on each page of the typeset faces of some pieces."""
    pieces = [
        PieceRegister(model(game), printable(model(game))).piece(definition, card_in(game, definition, "en"), "one")
        for definition in printable(model(game))
        if definition.id in ids
    ]
    pages = one_up(pieces, tuple(sizes().values()), ("face",), 0.0)
    made = CardDocument("Faces", "en", pieces, pages).typeset("pdf")
    return [" ".join(page.extract_text().split()) for page in PdfReader(BytesIO(made.files[0])).pages]


@pytest.mark.parametrize("id", ["stilts", "mother-moult", "double-barrel"])
def test_lines_are_full_and_the_last_line_is_no_lone_word(id: str) -> None:
    (definition,) = [card for card in printable(model("far-cry-beyond")) if card.id == id]
    register = PieceRegister(model("far-cry-beyond"), printable(model("far-cry-beyond")))
    pieces = [register.piece(definition, card_in("far-cry-beyond", definition, "en"), "one")]
    made = CardDocument("Faces", "en", pieces, one_up(pieces, tuple(sizes().values()), ("face",), 0.0))
    face = PdfReader(BytesIO(made.typeset("pdf").files[0])).pages[0].extract_text()
    lines = [line.replace("\xa0", " ").strip() for line in face.splitlines()]
    first = next(at for at, line in enumerate(lines) if line.startswith("Push: "))
    last = next(at for at, line in enumerate(lines) if line.endswith("damage."))
    reminder = lines[first : last + 1]
    longest = max(map(len, reminder))
    for line, following in pairwise(reminder[:-1]):
        assert len(line) + len(following.split()[0]) >= longest - 1
    assert reminder[-1] == "takes 1 damage."


def triangles(game: str, id: str) -> int:
    """Return the number of filled triangles on the typeset face of a piece."""
    (definition,) = [definition for definition in printable(model(game)) if definition.id == id]
    register = PieceRegister(model(game), printable(model(game)))
    piece = register.piece(definition, card_in(game, definition, "en"), "one")
    pages = one_up([piece], tuple(sizes().values()), ("face",), 0.0)
    made = CardDocument("Faces", "en", [piece], pages).typeset("pdf")
    drawing = PdfReader(BytesIO(made.files[0])).pages[0].get_contents()
    assert drawing is not None
    point = rb"[-\d.]+ [-\d.]+"
    return len(re.findall(rb"%b m\s+%b l\s+%b l\s+h\s+f" % (point, point, point), drawing.get_data()))


def drawn(card: Card, game: str, id: str) -> bytes:
    """Return the picture of the typeset face of a view of a piece, without its foot with the stamp."""
    (definition,) = [definition for definition in printable(model(game)) if definition.id == id]
    piece = PieceRegister(model(game), printable(model(game))).piece(definition, card, "one")
    pages = one_up([piece], tuple(sizes().values()), ("face",), 0.0)
    made = CardDocument("Faces", "en", [piece], pages).typeset("png", 60)
    face = Image.open(BytesIO(made.files[0])).convert("RGB")
    return face.crop((0, 0, face.width, face.height * 9 // 10)).tobytes()


def words_in(file: Path) -> str:
    """Return all words of a document."""
    return " ".join(" ".join(page.extract_text().split()) for page in PdfReader(file).pages)


def sheets(game: str) -> Iterator[Sheet]:
    for definition in printable(model(game)):
        if definition.kind.id == "mission":
            yield sheet_in(game, definition, "en")


def discs(game: str) -> dict[str, list[Disc]]:
    """Return the pieces to cut of a game, by their titles."""
    by_title: dict[str, list[Disc]] = {}
    for disc in supplies_in(game, "en")[0].discs:
        by_title.setdefault(disc.title.replace("\u00a0", " "), []).append(disc)
    return by_title


def counts(game: str) -> dict[str, int]:
    """Return the number of each piece to cut, by its title and the number on it."""
    counts: Counter[str] = Counter()
    for title, some in discs(game).items():
        for disc in some:
            counts[title if disc.figure or not disc.number else f"{title} {disc.number}"] += disc.count
    return counts


def test_basic_enemy_boards_print_rules() -> None:
    """FCB-PRINT-03: name, four numbered status areas in colors, MP, HP, Rank; behavior goes left, gear right."""
    for card in cards("far-cry-beyond", "enemy", "robot"):
        if "Boss" not in card.badges:
            assert card.title
            assert [area.value for area in card.areas] == ["1", "2", "3", "4"]
            colors = [area.symbol.colour for area in card.areas if area.symbol is not None]
            assert colors == ["#2e7d32", "#f2c200", "#6a3d9a", "#c62828"]
            assert {chip.label for chip in card.stats} == {"HP", "MP"}
            assert card.corner is not None
            assert card.corner.label == "Rank"
            assert card.around == (("left", "Behavior cards"), ("right", "Weapons"))


def test_weapon_cards_print_rules() -> None:
    """FCB-PRINT-04: family, hands, range symbol (with its maximum, if Off-melee), color of the die, damage."""
    for card in cards("far-cry-beyond", "weapon"):
        assert len(card.type_line.split(" · ")) >= 2
        assert card.corner is None or card.corner.symbol is not None
        for line in card.lines:
            drawn = [chip.symbol.drawing for chip in line.chips if chip.symbol is not None]
            assert drawn[:3] in ([reach, "die", "burst"] for reach in ("blades-crossed", "flail", "crosshair"))
            assert line.chips[2].value.isdecimal()


def test_stunt_cards_print_rules() -> None:
    """FCB-PRINT-05: the MP cost and the effect."""
    for card in cards("far-cry-beyond", "stunt"):
        assert card.corner is not None
        assert card.corner.label == "MP"
        assert card.text


def test_board_lines_differ_without_color() -> None:
    """FCB-PRINT-08: thin dashes between spaces, bold ones round obstacles, walls in one piece, each with its own
    style."""
    strokes: dict[str, str] = {}
    for sheet in sheets("far-cry-beyond"):
        assert sheet.map is not None
        for side in (side for side in sheet.map.sides if side.style not in strokes):
            alone = replace(sheet.map, cells=(), sides=(side,), links=(), ropes=(), routes=(), regions=())
            svg = fill_page("map.svg.j2", {"map": alone, "label": 3.0})
            strokes[side.style] = " ".join(re.findall(r'stroke-(?:width|dasharray)="[^"]*"', svg))
    assert {"thin", "bold", "wall"} <= strokes.keys()
    assert "dasharray" in strokes["thin"]
    assert "dasharray" in strokes["bold"]
    assert "dasharray" not in strokes["wall"]
    assert len({strokes[style] for style in ("thin", "bold", "wall")}) == 3


@pytest.mark.long
def test_tracks_and_gauges_print_rules(tmp_path: Path) -> None:
    """FCB-PRINT-11: numbered spaces, some marked, and an end; tiers with a lock where one never recedes."""
    marked, locked = False, False
    files = render(model("far-cry-beyond"), ["assembly-hall"], "en", "a4", "pdf", tmp_path).files
    (sheet_file,) = [file for file in files if file.name.startswith("mission-")]
    words = words_in(sheet_file)
    assert words.count("never recedes") == 1
    for title in ("Warm-Up", "Overtime", "The Foreman", "Heavy Goods", "End"):
        assert title.upper() in words.upper(), title
    for sheet in sheets("far-cry-beyond"):
        for track in sheet.tracks:
            assert [step.label for step in track.steps] == ["Start", *map(str, range(1, len(track.steps) - 1)), "End"]
            assert track.steps[-1].marked
            marked = marked or any(step.marked for step in track.steps[:-1])
        for gauge in sheet.gauges:
            assert all(tier.title and tier.text for tier in gauge.tiers if tier.at != "0")
            locked = locked or any(tier.locked for tier in gauge.tiers)
    assert marked
    assert locked


@cache
def printed_tokens(game: str) -> str:
    """Return the words on the sheet of tokens and tables."""
    made = typeset("tokens.typ.j2", supplies_values(supplies_in(game, "en")[0], "a4"), "pdf")
    return " ".join(" ".join(page.extract_text().split()) for page in PdfReader(BytesIO(made.files[0])).pages)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("title", "hits"), [("Green die", 5), ("Orange die", 3), ("Black die", 1)])
def test_dice_have_tables(title: str, hits: int) -> None:
    """FCB-PRINT-13: a table of six numbers replaces each die."""
    dice = {die.title: die for die in supplies_in("far-cry-beyond", "en")[0].dice}
    assert len(dice) == 6
    words = printed_tokens("far-cry-beyond")
    assert (words.count("roll a d6"), f"{title.upper()} " in words.upper()) == (6, True)
    assert dice[title].instead == "roll a d6"
    assert dice[title].rows[0] == ("1" if hits == 1 else f"1–{hits}", "hit")
    assert dice["Blue die"].rows == (("1–3", "block"), ("4–6", "blank"))


def test_monster_boards_print_rules() -> None:
    """FTZ-PRINT-01: name, rank, speed, attack with strength and range, wounds, hits per wound of each type, special."""
    for card in cards("fireteam-zero", "monster"):
        assert len(card.type_line.split(" · ")) == 3
        assert {chip.label for chip in card.stats} == {"Speed", "Strength", "Range"}
        assert card.corner is not None
        assert card.corner.label == ("Wound" if card.corner.value == "1" else "Wounds")
        assert [chip.label[15:] for chip in card.notes] == ["(melee)", "(bullet)", "(bomb)"]
        assert all(chip.symbol is not None for chip in card.notes)
        assert any(text.plain().startswith("Special") for text in card.text)


def test_action_cards_print_rules() -> None:
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


def test_loot_backs_are_distinct() -> None:
    """FCB-PRINT-06: backs of Loot in green, red and white; Reactions share a back, and have faces in green or red."""
    green, red, white = "#2e7d32", "#b3261e", "#f5f3ee"
    backs = {card.type_line.rpartition(" ")[2]: card.back.colour for card in cards("far-cry-beyond", "loot")}
    assert backs == {"offense": red, "support": green, "crafted": white}
    reactions = list(cards("far-cry-beyond", "reaction"))
    assert len({card.back for card in reactions}) == 1
    faces = {(card.type_line.rpartition(" ")[2], card.colour) for card in reactions}
    assert faces == {("offense", red), ("support", green)}


def test_far_cry_beyond_tokens_are_complete() -> None:
    """FCB-PRINT-09: every token and marker can be cut out, and has its own drawing."""
    by_title = discs("far-cry-beyond")
    wanted = (
        "Damage,Shield,Bleeding,Poison,Stunned,Impaired,Hacked,Fire token,Mine,Loot token,Revive,Obstacle,Time,Alert"
    )
    for title in wanted.split(","):
        assert all(not disc.figure and disc.count for disc in by_title[title]), title
    drawn = [
        (disc.symbol.drawing, disc.symbol.letter, disc.symbol.colour)
        for title in wanted.split(",")
        for disc in by_title[title][:1]
    ]
    assert len(set(drawn)) == len(drawn)
    assert {disc.number for disc in by_title["Damage"]} == {"", "5"}
    assert {disc.back.title for disc in by_title["Revive"] if disc.back is not None} == {"Switch"}
    for hero in cards("far-cry-beyond", "hero"):
        assert [disc.symbol.drawing for disc in by_title[hero.title] if not disc.figure] == ["portrait"], "a Portrait"
    taunting = {
        npc: any(not disc.figure for disc in by_title.get(npc, [])) for npc in ("Odile Marchetti", "Sergeant Haske")
    }
    assert taunting == {"Odile Marchetti": False, "Sergeant Haske": True}, "only who can taunt has Portraits"
    for weapon in cards("far-cry-beyond", "weapon"):
        thrown = any("Throw" in text.plain().split() for line in weapon.lines for text in line.text)
        assert (weapon.title in by_title) == thrown, weapon.title


def test_coin_spawn_tokens_and_terror_track_are_printed() -> None:
    """FTZ-PRINT-05: a track with start, end and room for a card at four twists; tokens numbered on both sides, red
    where not searched; the coin; hero sheets; the aid with phases and steps."""
    game = "fireteam-zero"
    for mission in (definition for definition in model(game).definitions.values() if definition.kind.id == "mission"):
        supplies = supplies_of(model(game), "en", mission, 2)[0]
        (track,) = supplies.tracks
        assert (track.steps[0].label, track.steps[-1].label) == ("Start", "End")
        assert [step.label for step in track.steps[1:-1]] == [str(at) for at in range(1, len(track.steps) - 1)]
        assert sum(step.marked for step in track.steps) == 4
        short = mission.id == "listening-post"  # which terror ends before the last twist could come
        assert (track.steps[-1].number, track.steps[-1].laid) == (("14", False) if short else ("16", True))
        assert supplies.marked is not None
        assert (supplies.marked.title, supplies.marked.width, supplies.marked.height) == ("Twist", 63.0, 88.0)
    by_title = discs(game)
    for number in range(1, 13):
        (token,) = by_title[f"Spawn point {number}"]
        assert token.back is not None
        assert (token.symbol.letter, token.symbol.colour) == (str(number), "#9b2226")
        assert (token.back.number, token.back.symbol.colour) == (str(number), "#5d6166")
    (coin,) = by_title["Lucky coin, heads"]
    assert coin.back is not None
    assert (coin.symbol.letter, coin.back.symbol.letter, coin.back.title) == ("H", "T", "Tails")
    for hero in cards(game, "hero"):
        assert hero.title
        assert hero.type_line.startswith("Hero · ")
    steps = [entry for block in aid_in(game, "en")[0].blocks if block.style == "steps" for entry in block.entries]
    assert {entry.level for entry in steps} >= {0, 1}


def test_escape_tokens_are_complete() -> None:
    """ESC-PRT-03: objectives of 1 and 2 points with a crate on their back, equipment with one back, and all markers."""
    by_title, counted = discs("escape"), counts("escape")
    for title, points in (("Small Core", "1"), ("Large Core", "2")):
        (disc,) = by_title[title]
        assert disc.back is not None
        assert (disc.number, disc.back.title) == (points, "Crate")
    for card in cards("escape", "equipment", "provision", "grenade"):
        assert [disc.back.title for disc in by_title[card.title] if disc.back is not None] == ["Equipment"]
    for title in (
        "Closed",
        "Hacked",
        "Revolution",
        "Activated",
        "Penalty, −1",
        "Penalty, −2",
        "Wall down",
        "Broken drill",
    ):
        assert counted[title] >= 2, title
    assert counted["Blackout"] == 1


def test_beast_tokens_and_pieces_are_complete() -> None:
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
    assert [counted[title] for title in ("Settlement", "Forest", "Marsh", "Cave")] == [9, 6, 6, 6]
    assert sum(counted[card.title] for card in cards("beast", "thrall")) == 15
    assert len(list(cards("beast", "upgrade"))) >= 19


SIDES = [("left", "Weapons"), ("right", "Stunts"), ("below", "Reaction cards"), ("below", "Mutations")]


def test_hero_boards_print_rules() -> None:
    """FCB-PRINT-01: name, role, dials of HP and MP from the full ones, a status area; Weapons to the left, Stunts to
    the right, Reactions below, Loot below on the right. FCB-PRINT-07: Mutations lie beside it, too."""
    for card in cards("far-cry-beyond", "hero"):
        assert card.title
        assert card.type_line.count(" · ") == 1
        assert [(dial.label, dial.steps[dial.start], dial.steps[-1]) for dial in card.dials] == [
            (label, str(dial.start), str(dial.start)) for label, dial in zip(("HP", "MP"), card.dials, strict=True)
        ]
        assert [area.label for area in card.areas] == ["Status"]
        assert list(card.around) == [*SIDES, ("below", "Loot cards")]
    (face,) = faces("far-cry-beyond", "kumiko")
    for words in (
        "KUMIKO NAKANO",
        "Climber",
        "HP",
        "MP",
        "STATUS",
        "WEAPONS",
        "STUNTS",
        "REACTION CARDS",
        "LOOT CARDS",
    ):
        assert words in face, words


def test_pet_boards_print_rules() -> None:
    """FCB-PRINT-02: as of heroes, with Orders to the right in English, below in French."""
    (card,), (french,) = cards("far-cry-beyond", "pet"), in_french("far-cry-beyond", "pet")
    assert [dial.label for dial in card.dials] == ["HP", "MP"]
    assert len(card.areas) == 1
    assert ("right", "Orders") in card.around
    assert ("below", "Ordres") in french.around
    assert all(side != "right" for side, _ in french.around)


def test_mods_show_effect_under_weapon() -> None:
    """FCB-PRINT-07: the effect of a Mod is at the foot of its card, below the part that the weapon hides."""
    made = list(cards("far-cry-beyond", "mod"))
    assert all(card.tucked and card.text for card in made)
    (face,) = faces("far-cry-beyond", "saw-teeth")
    assert face.index("Filed by hand") < face.index("TUCKED UNDER") < face.index("On-hit: Bleed the target.")


def test_enemy_cards_print_rules() -> None:
    """FCB-PRINT-10: the condition of a Behavior card before its numbered orders, ticked and crossed shields at checks
    of cover, and what triggers an ability: an amount, or the defeat."""
    icons: set[str] = set()
    for card in cards("far-cry-beyond", "behavior", "hacking"):
        orders = [paragraph for paragraph in card.text if paragraph.level == 0]
        assert len(orders) < 2 or orders[0].plain().startswith("1. "), card.key
        icons |= {run.text for text in card.text for run in text.runs if run.style == "icon"}
    assert {"shield-check", "shield-crossed"} <= icons
    face = faces("far-cry-beyond", "gunner-hurt")[0]
    assert face.index("Damage 5+") < face.index("Target the closest")
    triggers: set[str] = set()
    for card in cards("far-cry-beyond", "ability"):
        assert card.corner is not None, card.key
        assert card.corner.symbol is not None
        assert card.corner.value.isdecimal() == (card.corner.symbol.drawing == "burst")
        triggers.add(card.corner.symbol.drawing)
    assert triggers == {"burst", "skull"}


def test_colors_show_difficulty() -> None:
    """FCB-CAMP-02: five colors from the easiest on, in words, too, on sheets and on the cards of their places."""
    colors = {"pink": "#d81b72", "yellow": "#f2c200", "blue": "#1d4e89", "purple": "#6a3d9a", "red": "#c62828"}
    grades = {}
    for sheet in sheets("far-cry-beyond"):
        assert sheet.grade is not None
        color, _, scale = sheet.grade.value.replace("\u00a0", " ").partition(", ")
        grades[color] = sheet.colour
        assert scale == f"{list(colors).index(color) + 1} of 5"
    assert grades == {color: colors[color] for color in grades}
    for card in cards("far-cry-beyond", "location"):
        (scene,) = [chip.value for chip in card.notes if chip.label == "Mission"]
        assert card.colour == colors[scene.rpartition("(")[2].partition(",")[0]]


def test_other_mission_cards_print_rules() -> None:
    """FTZ-PRINT-03: title and text of focus, objective, twist and recon cards; recon cards have their number and what
    leaves a marker."""
    for card in cards("fireteam-zero", "focus-card", "drill", "twist", "discovery", "recon-event", "objective-card"):
        assert card.title
        assert card.text or card.condition, card.key
    recon = list(cards("fireteam-zero", "discovery", "recon-event"))
    numbers = [int(card.corner.value) for card in recon if card.corner is not None]
    assert sorted(numbers) == sorted(set(numbers))
    assert len(numbers) == len(recon)
    back = [card for card in recon if card.condition or "Shuffled back" in card.badges]
    assert back
    reference = " ".join(
        text.plain()
        for block in reference_in("fireteam-zero", "en")[0].blocks
        for entry in block.entries
        for text in entry.text
    )
    assert "marker" in reference


def rows_of_setup(sheet: Sheet) -> set[str]:
    """Return what the rows of a sheet's table of set-up are about."""
    texts = [line for section in sheet.sections if section.title == "Set-up" for line in section.text]
    return {line.label.replace("\u00a0", " ") for line in texts}


def test_briefings_print_rules() -> None:
    """FTZ-PRINT-04: operation and place in it, upgrades, focus cards, tiles and ground, spawn points, twists, monsters
    by players, objectives, recon cards, entry, special rules, victory and defeat."""
    titled: set[str] = set()
    for sheet in sheets("fireteam-zero"):
        assert re.search(r"· .+\s[1-9]/[1-9]$", sheet.type_line), sheet.key
        titles = {section.title.replace("\u00a0", " ") for section in sheet.sections}
        assert titles >= {"Objectives", "Victory"}, sheet.key
        assert rows_of_setup(sheet) >= {"Twists", "Recon cards"}, sheet.key
        (monsters,) = (section for section in sheet.sections if section.title == "Monsters")
        assert monsters.text[0].cells == ("1", "2", "3", "4"), sheet.key
        assert len(monsters.text) > 1, sheet.key
        titled |= titles | rows_of_setup(sheet)
        assert sheet.map is not None
        assert sheet.map.regions
        spots = [mark.alt for cell in sheet.map.cells for mark in cell.symbols]
        assert {f"Spawn Point {at}" for at in range(1, 13)} <= {spot.replace("\u00a0", " ") for spot in spots}
        assert "Entry" in spots
        assert {"Difficult", "Blocking"} & {words.split()[0] for words in spots}
    assert {"Special rules", "Defeat", "Upgrades", "Focus cards"} <= titled


def test_profiles_print_rules() -> None:
    """ESC-FIG-01: movement, combat, intellect, life, stars and capacities."""
    for card in cards("escape", "rebel", "sentinel"):
        assert [dial.label for dial in card.dials] == ["Mvt", "Cbt", "Int", "Life"]
        assert card.corner is not None
        assert card.corner.label == "Stars"
        assert [chip.label for chip in card.notes] == ["Abilities"]


def test_escape_boards_print_rules() -> None:
    """ESC-PRT-02: the grid with its rooms, both sorts of wall, doors that are closed or locked by a number, five
    airlocks of two spaces, all in a legend."""
    for sheet in sheets("escape"):
        assert sheet.map is not None
        styles = {side.style for side in sheet.map.sides}
        assert {"thin", "wall", "door"} <= styles
        named = {" ".join(region.name) for region in sheet.map.regions}
        assert len(named) > 5
        letters = {side.letter for side in sheet.map.sides if side.style == "door"}
        assert any(any(sign.isdecimal() for sign in letter) for letter in letters)
        legend = dict(sheet.map.lines)
        assert legend.keys() >= {"wall", "door", "region"}


def test_escape_aids_print_rules() -> None:
    """ESC-PRT-04: order of turns, events from 2 to 12, actions with costs, capacities and equipment."""
    blocks = {block.title: block for block in aid_in("escape", "en")[0].blocks}
    assert any(block.style == "steps" for block in blocks.values())
    assert any(entry.terms for entry in blocks["Actions"].entries) or blocks["Actions"].entries
    numbers = [card.corner.value for card in cards("escape", "incident") if card.corner is not None]
    assert sorted(map(int, numbers)) == list(range(2, 13))


def test_hunter_and_beast_sheets_print_rules() -> None:
    """BST-FIG-01: health and name; of a Beast preferred ground and summons, of these their ability."""
    for card in cards("beast", "monster", "hunter"):
        (health,) = card.dials
        assert health.label == "Health"
        assert health.steps[-1] == str(health.start)
        labels = [chip.label for chip in card.notes]
        assert labels == (["Preferred terrain", "Summons"] if card.key.startswith("monster/") else [])
    for card in cards("beast", "thrall"):
        assert any(text.plain().startswith("Ability:") for text in card.text), card.key
    assert {"of fangrir" in card.type_line.casefold() or " · " in card.type_line for card in cards("beast", "upgrade")}
    (fangrir,) = [card for card in cards("beast", "monster") if card.title == "Fangrir"]
    assert [chip.value for chip in fangrir.notes] == ["forest", "Wolf\u00a0×3"]


def test_action_symbols_and_marks_are_printed() -> None:
    """BST-CARD-06: one of two symbols on each card; cost, trap or reaction, ground and sector where there are such."""
    marks: set[str] = set()
    for card in cards("beast", "feat", "ability", "gear", "talent"):
        symbols = [chip for chip in card.stats if chip.label == "Symbol"]
        drawn = [chip.symbol.drawing for chip in symbols if chip.symbol is not None]
        assert drawn in (["fist"], ["mind"]) or (not drawn and "Reaction" in card.badges), card.key
        costs = [chip.label for chip in card.stats if chip.label != "Symbol"]
        assert costs == (["Cost"] if card.key in costly() else []), card.key
        marks |= {*card.badges, *(chip.label for chip in card.notes)}
    assert {"Trap", "Reaction", "Only on", "Beast: within its sector"} <= marks


def test_sheets_and_stories_are_printed() -> None:
    """FCB-PRINT-12: set-up, what to take out of the box, special rules, objective, numbers of Revive tokens and
    Reactions; the story on a sheet of its own, and rewards on its back."""
    titled: set[str] = set()
    for sheet in sheets("far-cry-beyond"):
        labels = {chip.label.removesuffix("s") for chip in sheet.chips}
        assert {"Revive token", "Reactions each"} <= {*labels, *(chip.label for chip in sheet.chips)}, sheet.key
        titles = {section.title for section in sheet.sections}
        assert "Objective" in titles, sheet.key
        titled |= titles | rows_of_setup(sheet)
    assert {"Set-up", "Special rules", "Event deck", "Hacking cards", "Tiles"} <= titled
    rewarded = 0
    for definition in model("far-cry-beyond").definitions.values():
        if definition.kind.id == "mission":
            story = story_sheet(definition, model("far-cry-beyond"), "en")[0]
            assert story.before, definition.id
            back = " ".join(text.plain() for section in story.after for text in section.text)
            rewarded += "Reward:" in back
            assert "Reward:" not in " ".join(text.plain() for text in story.before)
    assert rewarded > 10


def test_continent_map_is_printed() -> None:
    """FCB-PRINT-14: places in the colors of their difficulty, each with its envelope; nothing of unknown ones."""
    game = model("far-cry-beyond")
    (campaign,) = [definition for definition in game.definitions.values() if definition.kind.id == "campaign"]
    made = campaign_of(campaign, game, "en")[0]
    sites = [site for site in made.sites if site.title]
    assert [(site.title, site.grade.partition(",")[0], site.colour) for site in sites] == [
        ("The Old Quarry", "pink", "#d81b72"),
        ("Radio Ridge", "yellow", "#f2c200"),
        ("The Pump Road", "yellow", "#f2c200"),
        ("The Sluice House", "yellow", "#f2c200"),
    ]
    assert [chip.value for chip in sites[0].chips] == ["Terms of Hire"]
    places = list(cards("far-cry-beyond", "location"))
    assert [site.number for site in made.sites] == list(range(1, len(places) + 1))
    for site in made.sites:
        assert bool(site.title) == bool(site.grade)
        assert site.title or (site.chips, site.colour) == ((), "#8b8577")


def test_beast_player_sits_in_south() -> None:
    """BST-BRD-08: the lower edge of every map shows it."""
    for sheet in sheets("beast"):
        assert sheet.map is not None
        assert sheet.map.south == "South: the Beast sits here"
        assert "South: the Beast sits here</text>" in fill_page("map.svg.j2", {"map": sheet.map, "label": 3.0})


def contracts() -> Iterator[PlayMap]:
    for definition in model("beast").definitions.values():
        if definition.kind.id == "mission":
            made = play_map_of(definition, model("beast"), "en", papers()["a4"])[0]
            assert made is not None
            yield made


@pytest.mark.long
def test_animals_and_settlers_are_beside_board(tmp_path: Path) -> None:
    """BST-FIG-03: health and grudges of sheep, boar, bear, farmer and noble are beside the board."""
    for made in contracts():
        tables = {title: [(chip.label, chip.value) for chip in chips] for title, chips in made.tables}
        assert tables.keys() == {"Sheep", "Boar", "Bear", "Farmer", "Noble"}
        for title, rows in tables.items():
            assert all(value.isdecimal() for _, value in rows)
            grudges = "Grudge" if rows[1][1] == "1" else "Grudges"
            assert [label for label, _ in rows] == ["Health", grudges], title
    game = model("beast")
    (file,) = render_maps(game, "en", "pdf", tmp_path, Options(), [game.definitions["mission", "clean-up"]]).files
    tables = words_in(file)
    for title, chips in next(contracts()).tables:
        assert " ".join([title, *(f"{chip.value} {chip.label}" for chip in chips)]) in tables, title


def test_beast_action_cards_and_board_print_rules() -> None:
    """BST-PRT-03: two frames, the Hunter's above; symbol, cost next to it, marks, condition. Beside the board a row for
    movement, a place for the traps of each sector, health and grudges (BST-FIG-03)."""
    for card in cards("beast", "feat"):
        assert card.framed == ("Hunter:", "Beast:")
        leads = [text.plain().partition(" ")[0] for text in card.text if text.runs and text.runs[0].style == "heading"]
        assert leads == ["Hunter:", "Beast:"], card.key
        assert [chip.label for chip in card.stats] == ["Symbol", *(["Cost"] if card.key in costly() else [])]
    (charge,) = [card for card in cards("beast", "feat") if card.key == "feat/charge"]
    assert drawn(charge, "beast", "charge") != drawn(replace(charge, framed=()), "beast", "charge")
    conditions = {line.plain().partition(":")[0] for card in cards("beast", "feat") for line in card.condition}
    assert conditions
    assert conditions <= {"Hunter, if", "Beast, if"}
    texts = [line.plain() for card in cards("beast", "feat") for line in card.condition]
    assert "Beast, if: there is a watchtower on the board" in [line.replace("\u00a0", " ") for line in texts]
    for made in contracts():
        rooms = [room.title for some in made.rooms for room in some]
        assert sum(room.startswith("Movement") for room in rooms) == 5
        sectors = {" ".join(region.name) for region in made.map.regions}
        assert {room.removeprefix("Item · ") for room in rooms if room.startswith("Item")} == sectors


@pytest.mark.sampled(4)
@pytest.mark.parametrize(("game", "language"), EACH_IN_ITS_LANGUAGES)
def test_pieces_do_not_repeat_title(game: str, language: str) -> None:
    made = model(game)
    shown = [card_of(definition, made, language)[0] for definition in printable(made)]
    assert shown
    assert not [card.key for card in shown if card.title.casefold() == card.type_line.partition(" · ")[0].casefold()]


def test_profile_cards_print_rules() -> None:
    """ESC-PRT-01: name, side, round dials that begin at an arrow and reach 7, 3 and 3 at least, life with a 0 at the
    lower right, stars, capacities on the right half, room for a token."""
    for card in cards("escape", "rebel", "sentinel"):
        assert card.wheels
        assert card.type_line in {"Resistance fighter", "I.S.C fighter"}
        assert [
            (dial.steps[0], int(dial.steps[-1]) >= most) for dial, most in zip(card.dials, (7, 3, 3, 1), strict=True)
        ] == [("0", True)] * 4
        assert card.dials[-1].label == "Life"
        assert all(dial.steps[dial.start] == str(dial.start) and dial.start for dial in card.dials[-1:])
        assert card.around == (("on", "Token"),)
    (face,) = faces("escape", "ashton")
    assert triangles("escape", "ashton") >= 4  # the arrow of each dial; its scene may have some, too
    for words in ("ASHTON", "Resistance fighter", "MVT", "CBT", "INT", "LIFE", "Digging Arm", "TOKEN"):
        assert words in face, words


@pytest.mark.long
def test_beast_components_are_complete(tmp_path: Path) -> None:
    """BST-PRT-01: six sheets and pawns on each side, all cards, two sheets of contracts with two sides, a board with
    two, the private map, its screen, and the token of the Beast, which is its pawn."""
    game = model("beast")
    register = PieceRegister(game, printable(game))
    counts: Counter[str] = Counter()
    for definition in printable(game):
        side = definition.target.kind.id if definition.kind.id == "ability" and definition.target is not None else ""
        counts[f"{definition.kind.id} {side}".strip()] += register.copies(definition)
    wanted = {"monster": 6, "hunter": 6, "feat": 16, "ability hunter": 18, "ability monster": 24, "step-card": 48}
    wanted |= {"gear": 25, "talent": 25, "mission": 4}
    assert {kind: counts[kind] for kind in wanted} == wanted
    pawns = [disc for disc in supplies_of(game, "en")[0].discs if disc.figure and disc.drawing]
    for card in cards("beast", "monster", "hunter"):
        assert [disc.count for disc in pawns if disc.title == card.title] == [1]
    boards = {tuple(cell.id for cell in made.map.cells) for made in contracts()}
    assert len(boards) == 2
    mission = game.definitions["mission", "clean-up"]
    (file,) = render_maps(game, "en", "pdf", tmp_path, Options(), [mission]).files
    texts = [" ".join(page.extract_text().split()) for page in PdfReader(file).pages]
    assert any(words.startswith("PRIVATE MAP · BEAST") and "Tarn" in words for words in texts)
    assert any("Screen. Fold" in words for words in texts)
