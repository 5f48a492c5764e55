"""The shipped texts use American English, and one case of titles in each language."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from games import EACH_IN_ITS_LANGUAGES, PROJECTS, ROOT, model
from test_shipped import strings
from views import aid_in, card_in, reference_in, sheet_in, supplies_in

from fcbdsl.language.model.declarations import Name
from fcbdsl.print.pieces.aids import aid_of, reference_of
from fcbdsl.print.pieces.campaign_sheets import campaign_of, story_sheet
from fcbdsl.print.pieces.cards import card_of
from fcbdsl.print.pieces.contents import kind_title
from fcbdsl.print.pieces.looks import SYMBOLS
from fcbdsl.print.pieces.printables import printable
from fcbdsl.print.pieces.sheets import sheet_of
from fcbdsl.print.pieces.token_pieces import supplies_of

BRITISH = re.compile(
    r"""\b(
      \w*(?:colou|favou|armou|harbou|honou|neighbou|rumou|behaviou|labou|humou|vapou|savou|flavou|vigou|odou|parlou)r\w*
    | (?:cent|theat|met|lit|fib|lust|sab|calib)re[sd]? | grey\w* | \w*(?:defence|offence|licence|pretence)s?
    | lorr(?:y|ies) | moult\w* | mould\w* | smoulder\w* | plough\w* | draught\w* | judgement\w* | tyres? | kerbs?
    | cheques? | programmes? | whilst | amongst | (?:to|after|back|for|up|down)wards | storeys? | catalogues?
    | sceptic\w*
    | \w*(?:travel|cancel|marvel|jewel|label|level|signal|fuel|quarrel|counsel|channel|tunnel)l(?:ed|ing|ers?|ous)
    | \w+ys(?:e|es|ed|ing) | \w*(?:organ|real|recogn|apolog|stabil|neutral|special|critic|summar|minim|maxim)is
      (?:e|ed|es|ing|ers?) | \w+isation | aluminium | pyjamas | cosy | practise\w* | ageing | petrol | learnt | spelt
    | manoeuv\w* | skilful | wilful | fulfil | sulphur )\b""",
    re.IGNORECASE | re.VERBOSE,
)
SMALL = re.compile("a|an|the|and|but|or|nor|of|in|on|at|to|for|from|by|with|as|into")
"""Words in lower case inside a title."""
NAMES = frozenset((ROOT / "tests" / "cases" / "names.fr.txt").read_text(encoding="utf-8").split())
"""Names, which keep their capitals in French titles."""
in_each_language = pytest.mark.parametrize(("game", "language"), EACH_IN_ITS_LANGUAGES)


def words_of(game: str, language: str) -> Iterator[str]:
    """Return everything that is printed."""
    for definition in printable(model(game)):
        make = sheet_in if definition.kind.id == "mission" else card_in
        view = make(game, definition, language)
        yield from (text for text in strings(view) if text not in {view.key, definition.id})
    for aid in (aid_in, reference_in):
        yield from strings(aid(game, language)[0])


@pytest.mark.parametrize("game", PROJECTS)
def test_shipped_english_is_american(game: str) -> None:
    assert [word for word in words_of(game, "en") if BRITISH.search(word)] == []


@pytest.mark.parametrize("word", ["colour", "Lorries", "stabiliser", "travelling", "afterwards", "analysed"])
def test_british_english_is_found(word: str) -> None:
    assert BRITISH.search(f"The {word} of it.")


def names(game: str) -> Iterator[Name]:
    """Return the names of printed things: definitions, tracks and their tiers."""
    for definition in model(game).definitions.values():
        yield definition.name
        for track in definition.tracks:
            yield track.name
            yield from (tier.name for tier in track.tiers)


def in_title_case(title: str) -> str:
    """Return a title in English case: all words with capitals except small ones inside."""
    words = title.split(" ")
    made = []
    for at, word in enumerate(words):
        inside = 0 < at < len(words) - 1
        parts = word.split("-")
        raised = [part if n and SMALL.fullmatch(part) else part[:1].upper() + part[1:] for n, part in enumerate(parts)]
        made.append(word.lower() if inside and SMALL.fullmatch(word.lower()) else "-".join(raised))
    return " ".join(made)


def in_sentence_case(title: str) -> str:
    """Return a title in French case: a capital at the beginning, and in names."""
    first, *rest = re.split(r"(?<=[ ’\'])", title)
    return first + "".join(word if re.sub(r"\W+$", "", word) in NAMES else word[:1].lower() + word[1:] for word in rest)


@in_each_language
def test_titles_have_one_case(game: str, language: str) -> None:
    made = {"en": in_title_case, "fr": in_sentence_case}[language]
    titles = [name.title.get(language, "") for name in names(game)]
    assert [title for title in titles if not title[:1].islower() and made(title) != title] == []


@pytest.mark.long
@in_each_language
def test_headings_have_title_case(game: str, language: str) -> None:
    made = {"en": in_title_case, "fr": in_sentence_case}[language]
    things = printable(model(game))
    missions = [definition for definition in things if definition.kind.id == "mission"]
    titles = [card_in(game, definition, language).title for definition in things if definition not in missions]
    maps = [shown for mission in missions if (shown := sheet_in(game, mission, language).map) is not None]
    pieces = {
        definition.name.title[language].casefold()
        for definition in model(game).definitions.values()
        if definition.name.title
    }
    titles += [title for printed_map in maps for _, title, _ in printed_map.legend if title.casefold() in pieces]
    assert [title for title in titles if made(title.replace("’", "'")) != title.replace("’", "'")] == []


@pytest.mark.parametrize(
    ("made", "title", "right"),
    [
        (in_title_case, "wall of dust", "Wall of Dust"),
        (in_title_case, "What was in her", "What Was in Her"),
        (in_title_case, "First-aid tin", "First-Aid Tin"),
        (in_sentence_case, "Le Haut Fourneau", "Le haut fourneau"),
        (in_sentence_case, "L'Étoile tombée", "L'étoile tombée"),
    ],
)
def test_title_case_follows_rules(made: object, title: str, right: str) -> None:
    assert callable(made)
    assert made(title) == right


@pytest.mark.parametrize(
    ("game", "language", "before", "played", "end"),
    [
        ("escape", "en", "Before the scenario", "Scenarios played", ["Winner", "Who played"]),
        ("escape", "fr", "Avant le scénario", "Scénarios joués", ["Vainqueur", "Qui a joué"]),
        ("escape", "de", "Vor dem Szenario", "Gespielte Szenarien", ["Sieger", "Wer gespielt hat"]),
        ("fireteam-zero", "fr", "Avant la mission", "Missions jouées", ["Gagnée", "Perdue", "Qui a joué"]),
    ],
)
def test_sheets_use_game_word_for_mission(game: str, language: str, before: str, played: str, end: list[str]) -> None:
    made = model(game)
    mission = next(definition for definition in made.definitions.values() if definition.kind.id == "mission")
    campaign = next(definition for definition in made.definitions.values() if definition.kind.id == "campaign")
    log, story = campaign_of(campaign, made, language)[0], story_sheet(mission, made, language)[0]
    assert (story.words["before"], log.words["missions"]) == (before, played)
    assert list(log.columns[2:]) == end


def test_german_covers_everything_printed() -> None:
    game = model("escape")
    missions = [definition for definition in printable(game) if definition.kind.id == "mission"]
    views = [aid_of(game, "de"), reference_of(game, "de"), supplies_of(game, "de")]
    views += [
        (sheet_of if definition in missions else card_of)(definition, game, "de") for definition in printable(game)
    ]
    views += [story_sheet(mission, game, "de") for mission in missions]
    views += [supplies_of(game, "de", mission, 2) for mission in missions]
    assert [problem.message for _, problems in views for problem in problems] == []


@pytest.mark.parametrize("game", PROJECTS)
def test_symbols_are_unambiguous(game: str) -> None:
    """Symbols are declared by name: of a field and of another enum's value that share one, the wrong one is drawn."""
    declared = model(game)
    symbols = declared.layouts.get(SYMBOLS)
    values = {value for enum in declared.enums.values() for value in enum.values}
    fields = {name for kind in declared.kinds.values() for name in kind.fields}
    assert {*(symbols.settings if symbols is not None else ())} & values & fields == set()


@pytest.mark.long
@in_each_language
def test_printed_apostrophes_are_typographic(game: str, language: str) -> None:
    """On boxes and over the kinds of a page, too."""
    kinds = [kind_title(kind, model(game), language) for kind in model(game).kinds.values() if kind.name.title]
    words = [*words_of(game, language), *kinds, *strings(supplies_in(game, language)[0])]
    assert [word for word in words if "'" in word] == []


def test_french_events_have_one_spelling() -> None:
    """The one that most of the games have; in sources, words of the tool and rules."""
    folders = [ROOT / "fcbdsl", ROOT / "cards", ROOT / "missions", ROOT / "docs"]
    files = [file for folder in folders for file in folder.rglob("*") if file.suffix in {".fcb", ".py", ".md", ".toml"}]
    other = "v\u00e8nement"
    assert [file.name for file in files if other in file.read_text(encoding="utf-8")] == []
