"""Player aids explain everything that is bold, drawn or shown by a letter on any piece."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from functools import cache
from pathlib import Path

import pytest
import typst
from games import EACH_IN_ITS_LANGUAGES, GAMES, PROJECTS, model, shared_cache
from PIL import Image
from pypdf import PdfReader
from views import aid_in, card_in, reference_in, sheet_in, supplies_in

from fcbdsl.base import locales
from fcbdsl.base.source import Source
from fcbdsl.language.model.check import check
from fcbdsl.language.model.declarations import Form
from fcbdsl.language.model.whole import Model
from fcbdsl.language.prose import Run
from fcbdsl.language.prose.text_templates import mark_keyword
from fcbdsl.language.syntax.parser import parse
from fcbdsl.print.layout.views import Aid, AidBlock, AidEntry, Card, MapView, Sheet, Symbol
from fcbdsl.print.pieces.aids import OFTEN, AidMaker, reference_of
from fcbdsl.print.pieces.markers import marker_lines
from fcbdsl.print.pieces.printables import printable
from fcbdsl.print.press.options import Options
from fcbdsl.print.press.table_sheets import render_aids
from fcbdsl.print.typeset.typesetting import desk
from fcbdsl.project.project import Loader
from fcbdsl.project.settings import Project

TRIED = {game: [("en", "letter"), ("fr", "a4")][at % 2] for at, game in enumerate(GAMES)}
ON_PAPER = [
    pytest.param(game, language, paper, marks=[] if TRIED[game] == (language, paper) else pytest.mark.long)
    for paper in ("a4", "letter")
    for game, language in EACH_IN_ITS_LANGUAGES
]
"""Each game in English on Letter or in French on A4, in turn; the others are long."""
HEAD = 'system shop "Shop":\n  players: 1\n  board: hex\nkind hand is piece:\n  name: "hand", plural "hands"\n'
"""A small game."""
in_each_language = pytest.mark.parametrize(("game", "language"), EACH_IN_ITS_LANGUAGES)


@cache
def pieces(game: str, language: str) -> tuple[Card | Sheet, ...]:
    """Return all pieces of a game that are printed one by one."""
    made: list[Card | Sheet] = []
    for definition in printable(model(game)):
        make = sheet_in if definition.kind.id == "mission" else card_in
        made.append(make(game, definition, language))
    return tuple(made)


def below(view: object) -> Iterator[object]:
    """Return everything in a view except maps, which have legends."""
    yield view
    if isinstance(view, tuple):
        for part in view:
            yield from below(part)
    elif is_dataclass(view) and not isinstance(view, MapView):
        for field in fields(view):
            yield from below(getattr(view, field.name))


def entries(aid: Aid) -> list[AidEntry]:
    return [entry for block in aid.blocks for entry in block.entries]


def plain(words: str) -> str:
    return " ".join(words.replace("’", "'").split()).casefold()


def pattern(template: str) -> str:
    """Return a pattern of the words of a template, with any content of its slots and any agreement."""
    parts = re.split(r"(\{[^}]*\}|\[[^\]]*\]|<[^>]*>)", plain(template))
    made = ""
    for part in parts:
        if part.startswith("{"):
            made += ".*"
        elif part.startswith(("[", "<")):
            made += "(" + "|".join(map(re.escape, part[1:-1].split("|"))) + ")?"
        else:
            part = re.sub(r"ez\b", "(e[rz]|re)", re.escape(part))  # French orders to figures are infinitives
            made += part.replace(r"\-vous", "(\\-vous)?")
    return made


def bold_of(form: Form, language: str) -> list[str]:
    """Return the bold words in the texts of a keyword."""
    texts = [text.template for text in form.texts if text.language == language]
    return [bold for text in texts for bold in re.findall(r"\*([^*]+)\*", mark_keyword(text))]


def unexplained(game: str, language: str, aid: Aid) -> list[str]:
    """Return the bold words on pieces that no entry of an aid explains, by its title or its texts."""
    explained = {plain(entry.title): entry for entry in entries(aid) if entry.text}
    headed = [block.title for block in aid.blocks if not all(e.title for e in block.entries)]
    patterns = [re.escape(title) for title in (*explained, *map(plain, headed))]
    for form in model(game).forms:
        if form.sort == "keyword" and plain(form.name.title.get(language, "")) in explained:
            patterns += [pattern(bold) for bold in bold_of(form, language)]
    for kind in model(game).kinds.values():
        for field in kind.fields.values():
            title = field.name.title.get(language, "")
            if field.sort == "status" and plain(title.partition("[")[0]) in explained:
                patterns.append(pattern(title))
    pattern_of_all = re.compile("|".join(f"({pattern})" for pattern in patterns))
    return sorted(text for text in keywords_on_pieces(game, language) if not pattern_of_all.fullmatch(plain(text)))


@cache
def keywords_on_pieces(game: str, language: str) -> frozenset[str]:
    """Return the texts that pieces print as keywords."""
    runs = [run for piece in pieces(game, language) for run in below(piece) if isinstance(run, Run)]
    return frozenset(run.text for run in runs if run.style == "keyword")


@pytest.mark.sampled(8)
@in_each_language
def test_every_bold_word_on_a_piece_is_explained(game: str, language: str) -> None:
    """FCB-PRINT-05: and what is bold there are keywords."""
    aid, problems = reference_in(game, language)
    assert problems == []
    assert unexplained(game, language, aid) == []


@in_each_language
def test_effect_headings_are_explained_by_field_reminders(game: str, language: str) -> None:
    """ "Aim: Spread 1" says nothing to whom nobody has told when aiming is."""
    explained = {plain(entry.title) for entry in entries(reference_in(game, language)[0]) if entry.text}
    columns = [field for kind in model(game).kinds.values() for field in kind.fields.values()]
    headings = [field.name for field in columns if field.type.base == "effect" and field.name.reminder]
    assert {plain(name.title[language]) for name in headings} <= explained
    assert game != "far-cry-beyond" or headings


@pytest.mark.parametrize(("game", "language"), [row for row in EACH_IN_ITS_LANGUAGES if row[1] == "en"])
def test_missing_keyword_of_aid_is_found(game: str, language: str) -> None:
    aid, _ = reference_in(game, language)
    keywords = [form for form in model(game).forms if form.sort == "keyword" and form.name.reminder]
    noticed = []
    for form in keywords:
        alike = [other for other in keywords if set(bold_of(other, language)) & set(bold_of(form, language))]
        left = {plain(other.name.title["en"]) for other in alike}  # several texts may have one of their words in bold
        blocks = tuple(
            replace(block, entries=tuple(e for e in block.entries if plain(e.title) not in left))
            for block in aid.blocks
        )
        if unexplained(game, language, replace(aid, blocks=blocks)):
            noticed.append(form.id)
    used = {
        form.id
        for form in keywords
        if any(
            re.fullmatch(pattern(bold), plain(text))
            for bold in bold_of(form, language)
            for text in keywords_on_pieces(game, language)
        )
    }
    assert used
    assert used <= {*noticed}


@in_each_language
def test_every_token_is_explained(game: str, language: str) -> None:
    """Both faces of the tokens in `layout tokens:` that no card explains. The sheet of a mission explains its own
    tokens."""
    aid, _ = reference_in(game, language)
    made = [entry for entry in entries(aid) if entry.text]
    explained = {plain(entry.title): plain(" ".join(text.plain() for text in entry.text)) for entry in made}
    discs = supplies_in(game, language)[0].discs
    owned = {line.name for line in marker_lines(model(game)) if line.each}
    titled = [
        AidMaker(model(game), language).called(line.name, line.titles, line.span)
        for line in marker_lines(model(game))
        if line.name not in owned and not any(name_is_of_a_mission(line.name, game))
    ]
    assert [title for title in titled if plain(title) not in explained] == []
    backs = {(disc.title, disc.back.title) for disc in discs if disc.back is not None and disc.title in titled}
    assert [back for front, back in backs if plain(back) not in explained[plain(front)]] == []


def name_is_of_a_mission(name: str, game: str) -> Iterator[bool]:
    """Return whether a counter of that name is declared outside of the system."""
    for kind in model(game).kinds.values():
        if name in kind.fields:
            yield not kind.fields[name].system


@in_each_language
def test_card_symbols_and_letters_are_explained(game: str, language: str) -> None:
    """A symbol in place of its label or value, without words beside it."""
    aid, _ = reference_in(game, language)
    explained = {(e.symbol.drawing, e.symbol.colour, e.symbol.letter, plain(e.title)) for e in entries(aid) if e.symbol}
    drawn = {
        symbol
        for card in pieces(game, language)
        if isinstance(card, Card)
        for symbol in below(card)
        if isinstance(symbol, Symbol)
    }
    assert drawn
    unknown = [
        symbol
        for symbol in drawn
        if symbol.alt and (symbol.drawing, symbol.colour, symbol.letter, plain(symbol.alt)) not in explained
    ]
    assert unknown == []


@in_each_language
def test_sheet_symbols_are_explained(game: str, language: str) -> None:
    """Each color of regions is beside their sort; no sign on a map has the drawing of a card's corner; tracks have a
    first space."""
    views = pieces(game, language)
    corners = [card.corner.symbol for card in views if isinstance(card, Card) and card.corner is not None]
    drawings = {symbol.drawing for symbol in corners if symbol is not None} - {"plain"}
    for sheet in (view for view in views if isinstance(view, Sheet)):
        assert {track.steps[0].label for track in sheet.tracks} <= {{"en": "Start", "fr": "Départ"}[language]}
        if sheet.map is not None:
            assert {region.sort for region in sheet.map.regions} == {
                words for style, words in sheet.map.lines if style == "region"
            }
            assert not {(mark.drawing, words) for mark, words, _ in sheet.map.legend if mark.drawing in drawings}


@in_each_language
def test_markers_symbols_and_actions_are_explained(game: str, language: str) -> None:
    """Everything that has a title in the system. The keyword with the same title may explain a status."""
    aid, _ = aid_in(game, language)
    for block in aid.blocks:
        assert [
            entry.title
            for entry in block.entries
            if not entry.text and not any(e.level == entry.level + 1 for e in block.entries)
        ] == []
    titles = {plain(entry.title) for entry in entries(aid)}
    of_system = [action for action in model(game).actions.values() if action.system]
    assert {plain(a.name.title[language]) for a in of_system} <= titles | {""}


@in_each_language
def test_reference_contains_everything_of_aid(game: str, language: str) -> None:
    reference, problems = reference_in(game, language)
    assert problems == []
    assert {e.title for e in entries(aid_in(game, language)[0])} <= {e.title for e in entries(reference)} | {
        e.title for b in reference.blocks for e in b.entries
    } | {block.title for block in reference.blocks}


@in_each_language
def test_keyword_entry_does_not_repeat_words_of_its_title(game: str, language: str) -> None:
    """The words of *Throw* {item} *at* {target} name "Throw at" once."""
    reference, _ = reference_in(game, language)
    for entry in (entry for block in reference.blocks for entry in block.entries):
        assert not any(set(words.casefold().split()) <= set(entry.title.casefold().split()) for words in entry.also)


@in_each_language
def test_aid_explains_most_used_keywords(game: str, language: str) -> None:
    aid, _ = aid_in(game, language)
    title = locales.interface_texts("aids", language)["keywords"]
    block = next((block for block in aid.blocks if block.title == title), None)
    used = AidMaker(model(game), language).most_used()
    assert {entry.title for entry in block.entries} == used if block is not None else not used
    assert len(used) <= OFTEN


def test_steps_are_in_order_of_flow() -> None:
    for game in GAMES:
        aid, _ = aid_in(game, "en")
        course = next(block for block in aid.blocks if block.style == "steps")
        before = [block.title for block in aid.blocks[: aid.blocks.index(course)]]
        assert before == []
        assert [e.number for e in course.entries if e.level == 0 and e.title] == [
            str(at) for at in range(1, 1 + sum(e.level == 0 and bool(e.title) for e in course.entries))
        ]
    assert PROJECTS


@pytest.mark.sampled(4)
@pytest.mark.parametrize(("game", "language", "paper"), ON_PAPER)
def test_aids_and_references_fill_their_pages(game: str, language: str, paper: str, tmp_path: Path) -> None:
    """Each page is filled to its last sixth at least, but for a pixel, and none runs over into the foot."""
    with shared_cache():  # another test checks whether they fit
        made = render_aids(model(game), language, "png", tmp_path, Options(paper=paper, dpi=36))
    assert made.problems == ()
    assert len([file for file in made.files if file.name.startswith("aid")]) == 1
    for file in made.files:
        with Image.open(file) as page:
            grey = page.convert("L")
        foot = grey.height * 11 // 297
        body = grey.crop((0, 0, grey.width, grey.height - foot)).point(lambda value: 255 if value < 200 else 0)
        box = body.getbbox()
        assert box is not None
        assert box[3] + 1 > grey.height * (2 / 3 if file.name.startswith("aid") else 5 / 6), file.name
        assert box[3] < grey.height - foot, file.name


def test_accents_do_not_affect_index_order() -> None:
    aid, _ = reference_in("fireteam-zero", "fr")
    symbols = next(block for block in aid.blocks if block.style == "symbols")
    titles = [entry.title for entry in symbols.entries]
    assert titles.index("Démolition") < titles.index("Élite") < titles.index("Force")
    assert titles.index("Numéro") < titles.index("Œil vif") < titles.index("Portée")


def test_symbols_are_in_two_columns_if_each_fits_one_line(tmp_path: Path) -> None:
    made = render_aids(model("fireteam-zero"), "en", "pdf", tmp_path, Options())
    words = "\n".join(page.extract_text() for page in PdfReader(made.files[1]).pages)
    assert "Close combat" in words
    assert "Shuffled back" in words


@pytest.mark.long
def test_piece_that_does_not_fit_is_error_and_left_out(tmp_path: Path) -> None:
    crowd = model_of(
        "\n".join(
            f'action a{at} "Action {at}":\n  reminder: "{"word " * 60}"\n  by: hand\n  effect: stop'
            for at in range(240)
        )
    )
    made = render_aids(crowd, "en", "pdf", tmp_path, Options(paper="letter"))
    assert [(problem.code, problem.severity) for problem in made.problems] == [("FCB0708", "error")]
    assert made.left_out == ("aid/shop",)
    assert [path.name for path in made.files] == ["reference.letter.pdf"]
    long = model_of(f'action stare "{"Rindfleischetikettierung" * 4}":\n  by: hand\n  effect: stop')
    assert [problem.code for problem in render_aids(long, "en", "pdf", tmp_path, Options()).problems] == [
        "FCB0707",
        "FCB0707",
    ]


def model_of(text: str) -> Model:
    loader = Loader(Project())
    loader.use("core")
    file, problems = parse(Source("shop.fcb", HEAD + text + "\n"))
    made, reported = check([*loader.files(), file])
    assert [*problems, *reported] == []
    return made


@pytest.mark.parametrize("language", ["en", "fr"])
def test_plain_terrain_is_explained_by_its_symbol_alone(language: str) -> None:
    aid, _ = aid_in("beast", language)
    symbols = next(block for block in aid.blocks if block.style == "symbols")
    assert {"en": "Marsh", "fr": "Marécage"}[language] in [entry.title for entry in symbols.entries]
    texts = [made.plain() for block in (*aid.blocks, *aid.more) for entry in block.entries for made in entry.text]
    assert not [text for text in texts if "any other space" in text or "toute autre case" in text]
    other_aid, _ = aid_in("fireteam-zero", language)
    grounds = [made.plain() for block in other_aid.more for entry in block.entries for made in entry.text]
    assert any("line of sight" in text or "ligne de vue" in text for text in grounds)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_symbol_list_matches_game_and_shows_whole_scales(language: str) -> None:
    """A family without a card is not explained; a scale that contains colors of dice is explained in words."""
    made = reference_in("far-cry-beyond", language)[0]
    titles = {entry.title for block in made.blocks if block.style == "symbols" for entry in block.entries}
    assert {"en": {"Rifle", "Blade"}, "fr": {"Fusil", "Lame"}}[language] <= titles
    assert not titles & {"Sniper rifle", "Fusil de précision"}
    assert not [title for title in titles if "of 5" in title or "sur 5" in title]


@pytest.mark.parametrize(
    ("language", "heading"), [("en", "(CONTINUED)"), pytest.param("fr", "(SUITE)", marks=pytest.mark.long)]
)
def test_continued_block_is_marked(language: str, heading: str, tmp_path: Path) -> None:
    """This also holds if only its last entry is there. The heading is no second one to a screen reader or among
    bookmarks."""
    made = render_aids(model("far-cry-beyond"), language, "pdf", tmp_path, Options(paper="letter"))
    (reference,) = [file for file in made.files if file.name.startswith("reference")]
    reader = PdfReader(reference)
    begin = [" ".join(page.extract_text().split()) for page in reader.pages]
    assert heading not in begin[0]
    assert any(heading in page.upper() for page in begin[1:])
    assert heading.casefold() not in str(reader.outline).casefold()


@pytest.mark.parametrize(("game", "language"), EACH_IN_ITS_LANGUAGES)
def test_markers_and_terrain_have_distinct_drawings(game: str, language: str) -> None:
    """Each marker has a drawing, and no two markers of a block have the same."""
    aid = aid_in(game, language)[0]
    for block in (*aid.blocks, *aid.more):
        if block.style != "entries":
            continue
        drawn = [(entry.symbol.drawing, entry.symbol.colour, entry.symbol.letter) for entry in symbols_in(block)]
        assert len(drawn) == len(set(drawn)), f"{block.title}: {drawn}"
        if block.title == locales.interface_texts("aids", language)["markers"]:
            assert [entry.title for entry in block.entries if entry.symbol is None] == []


def symbols_in(block: AidBlock) -> list[AidEntry]:
    """Return the entries of a block that have a symbol."""
    return [entry for entry in block.entries if entry.symbol is not None]


ASKED = [
    ("fireteam-zero", "en", "Search", "on the space of a spawn token"),
    ("fireteam-zero", "fr", "Fouiller", "sur la case d’un jeton de résurgence"),
    ("fireteam-zero", "en", "Spawning", "on the space of the token"),
    ("fireteam-zero", "fr", "Résurgence", "sur la case du jeton"),
    ("fireteam-zero", "en", "A recon card", "set it aside"),
    ("fireteam-zero", "fr", "Une carte de reconnaissance", "mettez-la de côté"),
    ("fireteam-zero", "en", "A hero's turn", "stands up, which costs nothing, or stays down and has no turn"),
    (
        "fireteam-zero",
        "fr",
        "Tour d’un héros",
        "se relève d’abord, ce qui ne coûte rien, ou reste à terre et passe son tour",
    ),
    ("fireteam-zero", "en", "", "One may stand there"),
    ("fireteam-zero", "fr", "", "On peut s’y tenir"),
    ("beast", "en", "Summon", "all in play: move one there"),
    ("beast", "fr", "Invoquer", "toutes en jeu : déplacez-en une"),
    ("beast", "en", "Victory", "it and its summons have killed"),
    ("beast", "fr", "Victoire", "elle et ses invocations ont tué"),
    ("beast", "en", "An attack", "what its summons kill brings none"),
    ("beast", "fr", "Une attaque", "ce que tuent ses invocations n’en rapporte pas"),
    ("beast", "en", "Dead", "one of the Hunter’s Action cards at random"),
    ("beast", "fr", "Mort", "une de ses cartes Action au hasard"),
    ("beast", "en", "Rewards", "each living Hunter"),
    ("beast", "fr", "Récompenses", "chaque Chasseur vivant"),
    ("escape", "en", "Initiative", "in the first turn of those outside, too"),
    ("escape", "fr", "Initiative", "et, au premier tour, dehors"),
    ("escape", "en", "End of the turn", "if the whole Resistance is out of action"),
    ("escape", "fr", "Fin du tour", "si toute la Résistance est hors de combat"),
    ("escape", "en", "Throw a crate", "a crate around you, at an enemy in sight"),
    ("escape", "fr", "Lancer une caisse", "une caisse d’une case périphérique, contre un ennemi en vue"),
    ("escape", "en", "", "A crate is thrown only by a character who sees it."),
    ("escape", "fr", "", "On ne lance une caisse que si on la voit."),
    ("escape", "en", "Drop", "onto a free space around you, in sight"),
    ("escape", "fr", "Déposer", "sur une case périphérique libre"),
    ("escape", "en", "Hand over", "to an ally around you, in sight"),
    ("escape", "fr", "Transférer", "en vue sur une case périphérique"),
    ("escape", "en", "Look at a token", "No action: one in sight on one of the 8 spaces around you, or on yours"),
    ("escape", "fr", "Regarder un marqueur", "Sans action : un en vue sur une case périphérique, ou sur la vôtre"),
    ("escape", "en", "Open or shut a door", "an open one can always be shut"),
    ("escape", "fr", "Ouvrir ou fermer une porte", "ouverte, elle peut toujours être fermée"),
    ("escape", "en", "Revolution marker", "it dodges without an action, even with none left"),
    ("escape", "fr", "Marqueur Révolution", "il esquive sans action, même s’il n’en a plus"),
    ("escape", "en", "Free", "A space without a character"),
    ("escape", "fr", "Libre", "Une case sans personnage"),
    ("escape", "en", "Crates", "Corridors, and airlocks outside of a room, are no rooms"),
    ("escape", "fr", "Caisses", "Ni les couloirs ni les sas hors d’une salle"),
    ("escape", "en", "Equipment", "Beginning again with the side that goes first"),
    ("escape", "fr", "Équipement", "En recommençant par le premier camp"),
    ("escape", "en", "", "the others are locked"),
    ("escape", "fr", "", "les autres sont verrouillées"),
    ("escape", "en", "", "Nobody has a Revolution marker yet"),
    ("escape", "fr", "", "Personne n’a encore de marqueur Révolution"),
    ("escape", "en", "Line-up", "an airlock inside included"),
    ("escape", "fr", "Placement", "sas intérieur compris"),
    ("escape", "en", "Closed", "it is open without being hacked"),
    ("escape", "fr", "Fermée", "elle est ouverte sans être piratée"),
    ("escape", "en", "An attack", "All dice are thrown at once"),
    ("escape", "fr", "Une attaque", "Tous les dés sont lancés ensemble"),
    ("escape", "en", "An Intellect roll", "before any die is thrown"),
    ("escape", "fr", "Un jet d’Intellect", "avant le jet"),
    ("escape", "en", "Line of sight", "on one side, there is none of these"),
    ("escape", "fr", "Ligne de vue", "d’un côté il n’y ait rien de tout cela"),
    ("escape", "en", "Line of sight", "sees the door"),
    ("escape", "fr", "Ligne de vue", "voit la porte"),
    ("escape", "en", "Hack a lock", "even an open one"),
    ("escape", "fr", "Pirater une serrure", "même ouverte"),
    ("escape", "en", "Pick up", "even what only the other side may use"),
    ("escape", "fr", "Ramasser", "même ce que seul l’autre camp peut utiliser"),
    ("far-cry-beyond", "en", "Start of a turn", "those of allied NPCs at the start of the player turn alone"),
    ("far-cry-beyond", "fr", "Début d'un tour", "ceux des PNJ alliés au seul début du tour des joueurs"),
    ("far-cry-beyond", "en", "Give an Order", "the NPC does what one of its Orders says, and pays the MP"),
    ("far-cry-beyond", "fr", "Donner une consigne", "le PNJ fait ce que dit une de ses consignes et en paie les PM"),
    ("far-cry-beyond", "en", "Portrait", "of several, one of them"),
    ("far-cry-beyond", "fr", "Marqueur Provocation", "s’il y en a plusieurs, l’une d’elles"),
    ("far-cry-beyond", "en", "Cover", "the line of sight touches an obstacle next to it"),
    ("far-cry-beyond", "fr", "Couverture", "la ligne de vue touche un obstacle à côté d’elle"),
    ("far-cry-beyond", "en", "Fixture", "Heroes may attack it, unless its board says that it is on their side"),
    ("far-cry-beyond", "en", "Fixture", "nobody enters its space"),
    ("far-cry-beyond", "fr", "Installation", "Les héros peuvent l’attaquer, sauf si sa fiche la dit de leur camp"),
    ("far-cry-beyond", "fr", "Installation", "personne n’entre dans sa case"),
    ("far-cry-beyond", "en", "An attack", "an enemy takes the one of most damage, then of the better die"),
    ("far-cry-beyond", "fr", "Une attaque", "un ennemi prend celle qui inflige le plus de dégâts, puis au meilleur dé"),
    ("far-cry-beyond", "en", "Cover and damage", "Ranged (Off-melee is not)"),
    ("far-cry-beyond", "fr", "Couverture et dégâts", "Arme à distance (et non fléau)"),
    ("far-cry-beyond", "en", "Range and Radius", "Adjacent: side by side, no wall or closed door between"),
    ("far-cry-beyond", "fr", "Portée et Rayon", "Adjacente : qui partage un côté sans mur ni porte fermée"),
    ("far-cry-beyond", "en", "The way of a Push", "of two spaces the one where fewer characters give way"),
    ("far-cry-beyond", "fr", "Sens d'une poussée", "de deux cases, celle où moins de personnages s’écartent"),
    ("far-cry-beyond", "en", "An enemy moves", "of equal ways or spaces you choose"),
    ("far-cry-beyond", "fr", "Un ennemi se déplace", "entre chemins ou cases qui se valent, à votre choix"),
    ("far-cry-beyond", "en", "Spawn", "of several the one you choose. In the enemy turn it acts, too"),
    ("far-cry-beyond", "fr", "Apparition", "à égalité à votre choix. Au tour des ennemis, il agit aussi"),
    ("far-cry-beyond", "en", "Use a mutation dose", "if the team has a dose"),
    ("far-cry-beyond", "fr", "Utiliser une dose de mutation", "si l’équipe a une dose"),
    ("far-cry-beyond", "en", "", "special abilities, which take effect in any turn"),
    ("far-cry-beyond", "fr", "", "Capacités spéciales, qui agissent à n’importe quel tour"),
    ("far-cry-beyond", "en", "", "If there are more than 20, make groups of 20 and draw the group first"),
    ("far-cry-beyond", "fr", "", "Au-delà de 20, formez des groupes de 20 et tirez d’abord le groupe"),
    ("far-cry-beyond", "en", "Who is who", "“An ally” may be yourself"),
    ("far-cry-beyond", "fr", "Qui est qui", "« Un allié » peut être vous-même"),
    ("far-cry-beyond", "en", "What an action costs", "anything else is free"),
    ("far-cry-beyond", "fr", "Ce que coûte une action", "tout le reste est gratuit"),
    ("far-cry-beyond", "en", "End of the round", "each countdown (a track of the sheet from Start to End)"),
    ("far-cry-beyond", "fr", "Fin de la manche", "une piste de la fiche, de Départ à Fin"),
    ("far-cry-beyond", "en", "", "the one deck of Reactions"),
    ("far-cry-beyond", "fr", "", "l’unique pioche des Réactions"),
    ("far-cry-beyond", "en", "Choice of a target", "Ties are broken as the card says, then by the fewest HP"),
    ("far-cry-beyond", "fr", "Choix d'une cible", "À égalité, comme le dit la carte ; sinon le moins de PV"),
    ("far-cry-beyond", "en", "Choice of a target", "Portrait; not Shield"),
    ("far-cry-beyond", "fr", "Choix d'une cible", "Provocation ; pas Bouclier"),
    ("far-cry-beyond", "en", "Chasm", "lies on the nearest free space to the one last stood on"),
    ("far-cry-beyond", "fr", "Abîme", "gît sur la case libre la plus proche de celle qu’il a quittée"),
    ("far-cry-beyond", "en", "", "two in a row cost 8"),
    ("far-cry-beyond", "fr", "", "deux à la suite en coûtent 8"),
    ("far-cry-beyond", "en", "Ride the zipline", "which its player chooses, or you for an enemy"),
    ("far-cry-beyond", "fr", "Prendre la tyrolienne", "au choix de son joueur, ou au vôtre pour un ennemi"),
    ("far-cry-beyond", "en", "Ride the zipline", "Loot included, except Flash effects and Reactions"),
    ("far-cry-beyond", "fr", "Prendre la tyrolienne", "Objets compris, sauf effets Flash et Réactions"),
    ("far-cry-beyond", "en", "Test", "other than attack and cover dice"),
    ("far-cry-beyond", "fr", "Épreuve", "hors dés d’attaque et de couverture"),
    ("far-cry-beyond", "en", "What cannot be moved", "still work on it"),
    ("far-cry-beyond", "fr", "Ce qui ne se déplace pas", "agissent tout de même"),
    ("far-cry-beyond", "en", "Line of sight", "obstacles, characters and fixtures do not"),
    ("far-cry-beyond", "fr", "Ligne de vue", "ni obstacles, ni personnages, ni installations"),
    ("far-cry-beyond", "en", "Mind Control", "It walks by a shortest way toward the other"),
    ("far-cry-beyond", "fr", "Contrôle mental", "va vers l’autre par un plus court chemin"),
    ("far-cry-beyond", "en", "Attack die", "no roll, and the Weapon stays face up"),
    ("far-cry-beyond", "fr", "Dé d'attaque", "pas de jet, et l’arme reste face visible"),
    ("fireteam-zero", "en", "Its attack", "Equally near on two spaces: the first in next round's order"),
    ("fireteam-zero", "fr", "Son attaque", "Aussi proches sur deux cases : le premier dans l’ordre du tour suivant"),
    ("fireteam-zero", "en", "Assist", "Its bombs hit everybody in the space"),
    ("fireteam-zero", "fr", "Assister", "Leurs bombes touchent tout le monde sur la case"),
    ("fireteam-zero", "en", "Event", "If its condition fails, it waits like a Discovery"),
    ("fireteam-zero", "fr", "Événement", "elle attend comme une Découverte"),
    ("escape", "en", "An attack", "minus the target's Cbt (always), and if it dodges minus its die, too"),
    ("escape", "fr", "Une attaque", "moins le Cbt de la cible (toujours) et, si elle esquive, moins son dé"),
    (
        "escape",
        "en",
        "Throw a grenade",
        "yourself included. Your Cbt counts, as in any attack; each target subtracts its own",
    ),
    (
        "escape",
        "fr",
        "Lancer une grenade",
        "Votre Cbt compte, comme dans toute attaque ; chaque cible retranche le sien",
    ),
    ("escape", "en", "", "as they stop a line of sight from its middle; characters do not"),
    ("escape", "fr", "", "comme une ligne de vue depuis son centre ; les personnages, non"),
    ("escape", "en", "An activation", "needs enough Movement left to reach a free one"),
    ("escape", "fr", "Une activation", "exige assez de Mouvement pour gagner une case libre"),
    ("beast", "en", "The Beast moves", "The Beast holds all Movement cards"),
    ("beast", "fr", "La Bête se déplace", "La Bête a toutes les cartes Déplacement"),
    ("beast", "en", "The Beast moves", "a direction whose cards are all laid out cannot be taken"),
    ("beast", "fr", "La Bête se déplace", "une direction dont toutes les cartes sont posées est impossible"),
    ("beast", "en", "The Beast moves", "and also where it leads near a watchtower with a Hunter on its location"),
    ("beast", "fr", "La Bête se déplace", "et aussi là où elle mène près d’une tour de guet occupée par un Chasseur"),
    ("beast", "en", "", "which reveals the trails there at once"),
    ("beast", "fr", "", "où apparaissent aussitôt les empreintes"),
    ("beast", "en", "To play a card", "from the start location, your first step chooses it"),
    ("beast", "fr", "Jouer une carte", "depuis le lieu de départ, votre premier pas le choisit"),
    ("beast", "en", "Install a trap", "You pay its cost and use its symbol now; it springs for free"),
    ("beast", "fr", "Poser un piège", "Payez son coût et utilisez son symbole maintenant"),
    ("beast", "en", "Install a trap", "On the start location, choose any sector"),
    ("beast", "fr", "Poser un piège", "Sur le lieu de départ, choisissez n’importe quel secteur"),
    ("beast", "en", "An attack", "Ancient Powers you spend (they are gone)"),
    ("beast", "fr", "Une attaque", "combien de Pouvoirs Anciens vous dépensez (ils sont perdus)"),
    (
        "beast",
        "en",
        "An attack",
        "the extra wounds go to one of them. Summons spend no powers and do not reveal the Beast",
    ),
    ("beast", "fr", "Une attaque", "vont à une seule. Les invocations n’en dépensent pas et ne révèlent pas la Bête"),
    (
        "beast",
        "en",
        "An attack",
        "then come Reactions, then the wounds. A target that is out of reach by then takes none",
    ),
    ("beast", "fr", "Une attaque", "Une cible alors hors d’atteinte n’en prend pas"),
    ("beast", "en", "A turn", "both in this turn, if you like"),
    ("beast", "fr", "Un tour", "les deux ce tour-ci, si vous voulez"),
    ("beast", "en", "A turn", "Ability cards, Items and Talents do not count"),
    ("beast", "fr", "Un tour", "Compétences, Équipements et Talents ne comptent pas"),
    ("beast", "en", "Reactions", "A Reaction uses no symbol"),
    ("beast", "fr", "Réactions", "Une Réaction n’utilise pas de symbole"),
    ("beast", "en", "Upgrades", "as many as you can pay for in one night, each once a game"),
    ("beast", "fr", "Améliorations", "autant que vous pouvez en payer en une nuit, chacune une fois par partie"),
    ("beast", "en", "Your location", "where it really is, also while it is hidden"),
    ("beast", "fr", "Votre lieu", "là où elle se trouve vraiment, même cachée"),
    (
        "beast",
        "en",
        "Move exactly, move another",
        "the steps made count, trails included, but not what depends on them",
    ),
    ("beast", "fr", "Se déplacer exactement, déplacer un autre", "mais pas ce qui en dépend"),
    ("beast", "en", "Move exactly, move another", "whoever plays the card chooses both along paths"),
    ("beast", "fr", "Se déplacer exactement, déplacer un autre", "qui joue la carte choisit les deux pas"),
    (
        "fireteam-zero",
        "en",
        "Its attack",
        "any other active hero of that space may take the attack instead, but not a bomb's",
    ),
    ("fireteam-zero", "fr", "Son attaque", "tout autre héros actif de cette case peut prendre l’attaque à sa place"),
    ("fireteam-zero", "en", "Threat phase", "on its last space it stays and reveals no more"),
    ("fireteam-zero", "fr", "Phase d’angoisse", "sur sa dernière case, elle reste et ne révèle plus rien"),
    ("fireteam-zero", "en", "Terror", "Nothing moves it beyond the last space"),
    ("fireteam-zero", "fr", "Angoisse", "Rien ne l’avance au-delà de la dernière case"),
    ("fireteam-zero", "en", "A monster", "next round's order, which begins left of the initiative"),
    ("fireteam-zero", "fr", "Un monstre", "ordre du tour suivant, qui commence à gauche de l’initiative"),
    ("fireteam-zero", "en", "An attack", "nothing is rolled; cards and action are spent"),
    ("fireteam-zero", "fr", "Une attaque", "rien n’est lancé ; cartes et action sont dépensées"),
    ("fireteam-zero", "en", "Spawning", "It acts from the next round on"),
    ("fireteam-zero", "fr", "Résurgence", "Il agit dès le tour de jeu suivant"),
    ("fireteam-zero", "en", "Knocked down", "If it falls in its own turn, that turn ends"),
    ("fireteam-zero", "fr", "À terre", "S’il tombe pendant le sien, ce tour finit"),
    ("escape", "en", "Throw a crate", "within the crate's Range (3, Power 0)"),
    ("escape", "fr", "Lancer une caisse", "à la Portée de la caisse (3, Puissance 0)"),
    ("escape", "en", "Blackout", "does not dodge, not even for free"),
    ("escape", "fr", "Black-out", "n’esquive pas, même gratuitement"),
    ("escape", "en", "Throw a grenade", "whoever cannot be a target"),
    ("escape", "fr", "Lancer une grenade", "personnages qui ne peuvent être pris pour cible"),
    ("escape", "en", "An attack", "More than 0 is a hit; only who loses life is wounded"),
    ("escape", "fr", "Une attaque", "Plus de 0 touche ; n’est blessé que qui perd de la vie"),
    ("escape", "en", "Leave the board", "You do not come back, but are not out of action"),
    ("escape", "fr", "Quitter le plateau", "Vous ne revenez pas, mais n’êtes pas hors de combat"),
    ("beast", "en", "To copy a card", "A copied card costs no grudges, uses no symbol"),
    ("beast", "fr", "Copier une carte", "Une carte copiée ne coûte aucune rancune, n’utilise aucun symbole"),
    ("beast", "en", "To play a card", "You may leave out effects, but not the one on which another depends"),
    ("beast", "fr", "Jouer une carte", "Vous pouvez omettre des effets, mais pas celui dont un autre dépend"),
    ("beast", "en", "Watchtowers", "at once when the Hunter comes there or it is placed"),
    ("beast", "fr", "Tours de guet", "aussitôt quand le Chasseur y arrive ou qu’on la pose"),
    ("beast", "en", "An attack", "without one there is no attack"),
    ("beast", "fr", "Une attaque", "sans cible, pas d’attaque"),
    ("beast", "en", "Revealed", "as soon as it lays a Movement card, Still included"),
    ("beast", "fr", "Révélée", "dès qu’elle pose une carte Déplacement, même Immobile"),
    ("beast", "en", "Reactions", "never in your own or at night"),
    ("beast", "fr", "Réactions", "jamais au vôtre, ni la nuit, ni mort"),
    (
        "far-cry-beyond",
        "en",
        "",
        "in the order green, yellow, purple, red, from the top row down and from left to right",
    ),
    ("far-cry-beyond", "fr", "", "vert, jaune, violet, rouge, de haut en bas et de gauche à droite"),
    ("far-cry-beyond", "en", "", "lay out the crafted Loot cards (in a campaign those of known recipes)"),
    ("far-cry-beyond", "fr", "", "étalez les Objets fabriqués (en campagne, ceux des recettes connues)"),
    ("far-cry-beyond", "en", "Fixture", "Effects on characters reach it"),
    ("far-cry-beyond", "fr", "Installation", "Les effets sur les personnages l’atteignent"),
    ("escape", "en", "", "First come the squads. Then both roll a die"),
    ("escape", "fr", "", "D’abord les escouades. Puis chacun lance un dé"),
    ("escape", "en", "Crates", "lay one on any space of a room"),
    ("escape", "fr", "Caisses", "posez-en une sur n’importe quelle case d’une salle"),
    ("escape", "en", "", "by their sides; walls, doors and characters do not matter"),
    ("escape", "fr", "", "par les cases adjacentes ; murs, portes et personnages ne comptent pas"),
    ("far-cry-beyond", "en", "Hidden tiles", "A player character that enters the space turns the tile up"),
    ("far-cry-beyond", "fr", "Tuiles cachées", "Un personnage joueur qui entre dans la case retourne la tuile"),
    ("far-cry-beyond", "en", "Choice of a target", "with a Ranged weapon that is not elevated itself"),
    ("far-cry-beyond", "fr", "Choix d'une cible", "une arme à distance sans être surélevé lui-même"),
    ("far-cry-beyond", "en", "Spread", "other targets that the attacker sees within Range 3"),
    ("far-cry-beyond", "fr", "Projections", "que l’attaquant voit à Portée 3"),
    ("far-cry-beyond", "en", "Venom", "Poison 1 for each Venom"),
    ("far-cry-beyond", "fr", "Venin", "Poison 1 par Venin"),
    ("far-cry-beyond", "en", "A free space", "it is no obstacle, wall, closed airlock or chasm"),
    ("far-cry-beyond", "fr", "Une case libre", "ni obstacle, ni mur, ni sas fermé, ni abîme"),
    ("escape", "en", "Throw a grenade", "1 Combat action, as a ranged attack"),
    ("escape", "fr", "Lancer une grenade", "1 action de Combat, comme attaque à distance"),
    ("far-cry-beyond", "en", "Who is who", "friend or foe, and any fixture"),
    ("far-cry-beyond", "fr", "Qui est qui", "amie ou ennemie, et toute installation"),
    ("far-cry-beyond", "en", "Revive", "The hero may act in this turn; Weapons stay as they are"),
    ("far-cry-beyond", "fr", "Réanimer", "Il peut agir ce tour-ci ; ses armes restent comme elles sont"),
    ("far-cry-beyond", "en", "Knocked out", "the companion leaves for the rest of the mission"),
    ("far-cry-beyond", "fr", "K.O.", "le compagnon s’en va pour le reste de la mission"),
    ("far-cry-beyond", "en", "On-hit", "Other lines of a Weapon are done hit or miss"),
    ("far-cry-beyond", "fr", "Touché", "Les autres lignes d’une arme s’appliquent, touché ou non"),
    ("far-cry-beyond", "en", "Choice of a target", "Knocked-out heroes and characters cut off by walls do not count"),
    ("far-cry-beyond", "fr", "Choix d'une cible", "Ne comptent ni les héros K.O., ni ceux"),
    ("far-cry-beyond", "en", "An activation", "skips what it cannot do"),
    ("far-cry-beyond", "fr", "Une activation", "passe ce qui est impossible"),
    ("far-cry-beyond", "en", "Companion", "It does nothing else"),
    ("far-cry-beyond", "fr", "Compagnon", "Il ne fait rien d’autre"),
    ("far-cry-beyond", "en", "Several markers", "Poison and Shield markers add up"),
    ("far-cry-beyond", "fr", "Plusieurs marqueurs", "les marqueurs Poison et Bouclier s’ajoutent"),
    ("far-cry-beyond", "en", "Knocked out", "is in the way; only Drag an ally moves it"),
    ("far-cry-beyond", "fr", "K.O.", "barre le passage ; seul Traîner un allié le déplace"),
    ("far-cry-beyond", "en", "The way of a Push", "one after the other, until the way is blocked"),
    ("far-cry-beyond", "fr", "Sens d'une poussée", "l’une après l’autre, jusqu’à ce que le chemin soit bloqué"),
    ("far-cry-beyond", "en", "An enemy moves", "It takes no notice of Fire and Mines"),
    ("far-cry-beyond", "fr", "Un ennemi se déplace", "Feux et Mines ne comptent pas"),
    ("beast", "en", "Ancient Power", "when none is left, nobody gains one"),
    ("beast", "fr", "Pouvoir Ancien", "s’il n’en reste plus, on n’en gagne pas"),
    ("escape", "en", "Out of action", "its activation ends"),
    ("escape", "fr", "Hors de combat", "son activation finit"),
]
"""Questions of players who had only the pages, and the titles that answer them."""


@pytest.mark.parametrize(("game", "language", "title", "answer"), ASKED)
def test_reference_answers_questions_of_readers(game: str, language: str, title: str, answer: str) -> None:
    texts = [
        " ".join(paragraph.plain() for paragraph in entry.text)
        for entry in entries(reference_in(game, language)[0])
        if plain(title) in ("", plain(entry.title))
    ]
    assert any(plain(answer) in plain(text) for text in texts), texts


@pytest.mark.parametrize(
    ("language", "once"),
    [("en", ("stays face up", "crate in sight|sees it")), ("fr", ("reste face visible", "caisse en vue|la voit"))],
)
def test_variant_is_explained_by_its_ruling_only(language: str, once: tuple[str, ...]) -> None:
    """With the other value of the switch, a reminder with the same rule would be wrong."""
    whole = reference_in("escape", language)[0]
    texts = [paragraph.plain() for entry in entries(whole) for paragraph in entry.text]
    for words in once:
        assert len(re.findall(words, "\n".join(texts))) == 1, words


@pytest.mark.parametrize("game", GAMES)
def test_reference_for_mission_shows_its_map(game: str) -> None:
    """By default the map is the one with the fewest spaces."""
    missions = [mission for mission in model(game).definitions.values() if mission.board is not None]
    boards = {mission: mission.board for mission in missions if mission.board is not None}
    for mission, board in boards.items():
        setup = reference_of(model(game), "en", mission=mission)[0].setup
        assert setup is not None
        assert plain(setup.caption) == plain(f"Set-up: {mission.name.title['en']}")
        assert len(setup.map.cells) >= len(board.cells)
    default = reference_of(model(game), "en")[0].setup
    assert default is not None
    least = min(len(board.cells) for board in boards.values())
    titles = [mission.name.title["en"] for mission, board in boards.items() if len(board.cells) == least]
    assert plain(default.caption) in {plain(f"Set-up: {title}") for title in titles}


@pytest.mark.long
@pytest.mark.parametrize(("game", "mission"), [("fireteam-zero", "listening-post"), ("escape", "infiltration")])
def test_printed_reference_for_mission_shows_its_map(game: str, mission: str, tmp_path: Path) -> None:
    chosen = next(definition for definition in model(game).definitions.values() if definition.id == mission)
    with shared_cache():
        made = render_aids(model(game), "en", "pdf", tmp_path, Options(), without=("aid",), mission=chosen)
    assert made.problems == ()
    pages = [plain(page.extract_text()) for page in PdfReader(made.files[0]).pages]
    assert any(plain(f"SET-UP: {chosen.name.title['en'].upper()}") in page for page in pages)


@pytest.mark.long
@pytest.mark.parametrize(("game", "language"), [("beast", "en"), ("fireteam-zero", "fr")])
def test_reference_has_contents_index_and_map(game: str, language: str, tmp_path: Path) -> None:
    """Each heading and each entry has the number of its page."""
    with shared_cache():
        made = render_aids(model(game), language, "pdf", tmp_path, Options(), without=("aid",))
    assert made.problems == ()
    pages = [plain(page.extract_text()) for page in PdfReader(made.files[0]).pages]
    reference, _ = reference_of(model(game), language)
    assert reference.setup is not None
    for title in (reference.setup.caption, *(block.title for block in reference.blocks)):
        match = re.search(rf"{re.escape(plain(title))}[ .]*(\d+)", pages[0])
        assert match is not None, title
        assert plain(title) in pages[int(match[1]) - 1], title
    assert reference.index is not None
    listed = [title for entry in reference.index.entries for title in entry.also]
    steps = [e.title for b in reference.blocks if b.style == "steps" for e in b.entries if e.title]
    assert {*steps} <= {*listed}
    for title in steps:
        spot = re.search(rf"{re.escape(plain(title))} (\d+)(?:, \d+)*(?: ·|$| )", pages[-1])
        assert spot is not None, title
        assert plain(title) in pages[int(spot[1]) - 1], title


def test_index_ignores_articles() -> None:
    reference, _ = reference_of(model("beast"), "en")
    assert reference.index is not None
    letters = {entry.title: entry.also for entry in reference.index.entries}
    assert "The Beast moves" in letters["B"]
    assert "An attack" in letters["A"]
    assert "A turn" in letters["T"]


@pytest.mark.parametrize(
    ("ends", "columns"),
    [
        ([], [[0, 1, 2], [3, 4]]),
        ([3], [[0, 1], [2, 3], [4]]),  # the last of a list takes the row before it along
        ([2], [[0, 1, 2], [3, 4]]),
        ([0, 4], [[0, 1, 2], [3, 4]]),
    ],
)
def test_last_symbol_is_not_alone_in_next_column(ends: list[int], columns: list[list[int]]) -> None:
    marks = ", ".join("true" if at in ends else "false" for at in range(5))
    source = f'#import "aid.typ": poured\n#metadata(poured((10pt,) * 5, (30pt, 20pt, 20pt), ends: ({marks})))<columns>'
    compiler = typst.Compiler(source.encode(), root=str(desk()))
    assert json.loads(compiler.query("<columns>", field="value", one=True)) == columns
