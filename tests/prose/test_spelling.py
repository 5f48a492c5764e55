"""Spelling habits: elision, contraction, spaces, articles, and how templates are filled."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
import small_vocabulary as v

from fcbdsl.base.typography import add_no_break_spaces
from fcbdsl.language.model import ir
from fcbdsl.language.model.declarations import Field
from fcbdsl.language.prose.english import English
from fcbdsl.language.prose.french import French
from fcbdsl.language.prose.languages import LANGUAGES
from fcbdsl.language.prose.phrase import Noun, NounPhrase
from fcbdsl.language.prose.rules_text import (
    ARTICLE,
    BOLD,
    END_ICON,
    ICON,
    LIGHT,
    author_paragraphs,
    capitalize,
    paragraph,
)
from fcbdsl.language.prose.text_templates import fill_template, mark_keyword
from fcbdsl.language.prose.titles import without_agreement

FRENCH, ENGLISH = French(), English()


@pytest.mark.parametrize(
    ("determiner", "noun", "expected"),
    [
        ("the", Noun("ennemi", "ennemis"), "l’ennemi"),
        ("the", Noun("héros", "héros"), "le héros"),
        ("the", Noun("hexagone", "hexagones"), "l’hexagone"),
        ("the", Noun("arme", "armes", "f"), "l’arme"),
        ("this", Noun("ennemi", "ennemis"), "cet ennemi"),
        ("this", Noun("héros", "héros"), "ce héros"),
        ("that", Noun("arme", "armes", "f"), "cette arme"),
        ("a", Noun("case", "cases", "f"), "une case"),
        ("no", Noun("case", "cases", "f"), "aucune case"),
        ("every", Noun("case", "cases", "f"), "toutes les cases"),
    ],
)
def test_french_determiners(determiner: str, noun: Noun, expected: str) -> None:
    assert FRENCH.finish(FRENCH.determined(determiner, noun).text) == expected


@pytest.mark.parametrize(
    ("template", "noun", "expected"),
    [
        ("près de {it}", Noun("obstacle", "obstacles"), "près de l’obstacle"),
        ("près de {it}", Noun("mur", "murs"), "près du mur"),
        ("attaché à {it}", Noun("mur", "murs"), "attaché au mur"),
        ("attaché à {it}", Noun("case", "cases", "f"), "attaché à la case"),
        ("le nombre de ennemis", Noun("mur", "murs"), "le nombre d’ennemis"),
        ("si il tombe", Noun("mur", "murs"), "s’il tombe"),
        ("Placez-le à côté", Noun("mur", "murs"), "Placez-le à côté"),
        (f"le plus de {BOLD}Élan{LIGHT}", Noun("mur", "murs"), f"le plus d’{BOLD}Élan{LIGHT}"),
    ],
)
def test_french_contracts_and_elides(template: str, noun: Noun, expected: str) -> None:
    slots = {"it": lambda: FRENCH.determined("the", noun)}
    assert FRENCH.finish(fill_template(template, slots, FRENCH)) == expected


def test_possession_of_addressee_is_yours() -> None:
    you, hp = FRENCH.you(), Noun("PV", "PV")
    assert FRENCH.owned(you, hp).text == "vos PV"
    assert FRENCH.owned(you, Noun("rang", "rangs")).text == "votre rang"
    assert FRENCH.finish("à la fin du tour de vous") == "à la fin de votre tour"
    assert FRENCH.finish("une case autour de vous") == "une case autour de vous"
    assert ENGLISH.owned(ENGLISH.you(), hp).text == "your PV"
    assert ENGLISH.owned(NounPhrase("the boss"), hp).text == "the boss’ PV"
    assert ENGLISH.finish("at the end of the turn of you") == "at the end of your turn"


@pytest.mark.parametrize(
    ("plain", "set_well"),
    [
        ("Non !", "Non\u202f!"),
        ("Quoi?!", "Quoi\u202f?!"),
        ("Un ; deux", "Un\u202f; deux"),
        ("Si : alors", "Si\u00a0: alors"),
        ("10:30", "10:30"),
        ("« Oui »", "«\u00a0Oui\u00a0»"),
        ("«Oui»", "«\u00a0Oui\u00a0»"),
    ],
)
def test_french_texts_have_no_break_spaces(plain: str, set_well: str) -> None:
    assert add_no_break_spaces("fr", plain) == set_well


@pytest.mark.parametrize(
    ("language", "marked"),
    [
        (ENGLISH, "deal 1~damage to each of them"),
        (ENGLISH, "gain +1~MP and −2~maximum HP"),
        (ENGLISH, "X~damage, where~X is the number"),
        (ENGLISH, "Deal 2~damage. Gain 1~HP"),
        (ENGLISH, "advance it by~3"),
        (ENGLISH, "a space within Range~3 of you"),
        (ENGLISH, "within Range~3~other than you"),
        (ENGLISH, "from~1 to 3~spaces on~2–4"),
        (ENGLISH, f"{BOLD}Spread~2~targets{LIGHT} of gunner-2"),
        (ENGLISH, f"roll 2~{BOLD}Shield{LIGHT} and 1~{ICON}hand{END_ICON}"),
        (FRENCH, "à moins de 4~héros"),
        (FRENCH, "à Portée~3 de vous"),
        (FRENCH, "augmentez-le de~1\u202f; 2~fois\u00a0: allez"),
        (FRENCH, f"Il suit le parcours~C. Un autre suit le {BOLD}parcours{LIGHT}~{BOLD}D{LIGHT}, puis~E"),
        (ENGLISH, "Plan~B. A man of the I.S.C has it"),
    ],
)
def test_number_stays_with_noun_or_preceding_word(language: English | French, marked: str) -> None:
    bound = marked.replace("~", "\u00a0")
    assert language.finish(marked.replace("~", " ")) == bound
    assert language.finish(bound) == bound


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("enemy", "an enemy"),
        ("hero", "a hero"),
        ("unit", "a unit"),
        ("hour", "an hour"),
        ("other enemy", "another enemy"),
    ],
)
def test_english_articles(word: str, expected: str) -> None:
    assert ENGLISH.determined("a", Noun(word, word + "s")).text == expected


def plain(phrase: NounPhrase) -> dict[str, Callable[[], NounPhrase]]:
    return {"x": lambda: phrase}


@pytest.mark.parametrize(
    ("template", "phrase", "expected"),
    [
        ("{x} [est|sont|êtes] là", NounPhrase("vous", person=2), "vous êtes là"),
        ("{x} [est|sont|êtes] là", NounPhrase("les murs", plural=True), "les murs sont là"),
        ("{x} {^x}voit", NounPhrase("le mur"), "le mur voit"),
        ("bloqué[e][s] par {x}", NounPhrase("les cases", "f", plural=True), "bloquées par les cases"),
        ("{x} [nouveau|nouvelle|nouveaux|nouvelles]", NounPhrase("cases", "f", plural=True), "cases nouvelles"),
        ("[fort|forte]", NounPhrase("case", "f"), "forte"),
    ],
)
def test_french_agreement(template: str, phrase: NounPhrase, expected: str) -> None:
    assert fill_template(template, plain(phrase), FRENCH) == expected


def test_negated_template_uses_second_wording() -> None:
    template = "{x} <[sees|see]|[does|do] not see> it"
    assert fill_template(template, plain(NounPhrase("you", person=2)), ENGLISH, denied=True) == "you do not see it"
    assert fill_template(template, plain(NounPhrase("the hero")), ENGLISH) == "the hero sees it"


def test_slots_are_worded_once_in_reading_order() -> None:
    read: list[str] = []

    def reader(name: str) -> Callable[[], NounPhrase]:
        return lambda: read.append(name) or NounPhrase(name)  # type: ignore[func-returns-value]

    filled = fill_template("{b} before {a} and {b}", {"a": reader("a"), "b": reader("b")}, ENGLISH)
    assert filled == "b before a and b"
    assert read == ["b", "a"]


def test_keyword_is_bold_up_to_first_slot_or_star() -> None:
    assert mark_keyword("Push {target}") == "*Push* {target}"
    assert mark_keyword("*Blaze {n}* at {spot}") == "*Blaze {n}* at {spot}"
    assert mark_keyword("Rush") == "*Rush*"


def test_paragraphs_keep_runs_apart() -> None:
    made = paragraph(f"Take {BOLD}Push{LIGHT} and {ICON}hand{END_ICON}.")
    assert [(run.text, run.style) for run in made.runs] == [
        ("Take ", "plain"),
        ("Push", "keyword"),
        (" and ", "plain"),
        ("hand", "icon"),
        (".", "plain"),
    ]


def test_authored_text_can_have_items_and_bold_words() -> None:
    made = author_paragraphs("First **Push**.\n\n- one\n- two")
    assert [(p.plain(), p.level) for p in made] == [("First Push.", 0), ("one", 1), ("two", 1)]
    assert made[0].runs[1].style == "keyword"


def test_capitals_begin_sentences_past_marks() -> None:
    assert capitalize(f"{BOLD}push{LIGHT} it") == f"{BOLD}Push{LIGHT} it"


@pytest.mark.parametrize(
    ("title", "code", "plural"),
    [
        ("HP", "en", "HP"),
        ("enemy", "en", "enemies"),
        ("day", "en", "days"),
        ("mur", "fr", "murs"),
        ("bras", "fr", "bras"),
        ("attack die", "en", "attack dice"),
        ("witch", "en", "witches"),
        ("Brush", "en", "Brushes"),
        ("box of matches", "en", "boxes of matches"),
        ("bus", "en", "buses"),
        ("glass", "en", "glasses"),
        ("gas", "en", "gases"),
        ("crisis", "en", "crises"),
        ("quiz", "en", "quizzes"),
        ("buzz", "en", "buzzes"),
        ("potato", "en", "potatoes"),
        ("piano", "en", "pianos"),
        ("stomach", "en", "stomachs"),
        ("lone wolf", "en", "lone wolves"),
        ("Knife", "en", "Knives"),
        ("belief", "en", "beliefs"),
        ("soliloquy", "en", "soliloquies"),
        ("gunman", "en", "gunmen"),
        ("human", "en", "humans"),
        ("sheep", "en", "sheep"),
        ("gold", "en", "gold"),
        ("Gloves", "en", "Gloves"),
        ("sword of light", "en", "swords of light"),
        ("dé d'attaque", "fr", "dés d'attaque"),
        ("carte de la main", "fr", "cartes de la main"),
        ("grand dé de force", "fr", "grands dés de force"),
        ("dé vert", "fr", "dés verts"),
        ("dé orange", "fr", "dés orange"),
        ("dé bleu", "fr", "dés bleus"),
        ("marqueur Provocation", "fr", "marqueurs Provocation"),
        ("tonneau", "fr", "tonneaux"),
        ("signal final", "fr", "signaux finals"),
        ("caillou", "fr", "cailloux"),
        ("trou", "fr", "trous"),
        ("Vitrail", "fr", "Vitraux"),
        ("éventail", "fr", "éventails"),
        ("œil", "fr", "yeux"),
    ],
)
def test_regular_plurals(title: str, code: str, plural: str) -> None:
    assert LANGUAGES[code].many(title) == plural


@pytest.mark.parametrize(
    ("title", "code", "singular"),
    [
        ("lights", "en", "light"),
        ("Revive tokens", "en", "Revive token"),
        ("points of light", "en", "point of light"),
        ("boxes", "en", "box"),
        ("houses", "en", "house"),
        ("wolves", "en", "wolf"),
        ("cities", "en", "city"),
        ("HP", "en", "HP"),
        ("Focus", "en", "Focus"),
        ("glass", "en", "glass"),
        ("series", "en", "series"),
        ("lumières", "fr", "lumière"),
        ("Jetons Réanimer", "fr", "Jeton Réanimer"),
        ("points de vie", "fr", "point de vie"),
        ("pas", "fr", "pas"),
        ("niveaux", "fr", "niveau"),
        ("signaux", "fr", "signal"),
        ("tuyaux", "fr", "tuyau"),
        ("hiboux", "fr", "hibou"),
        ("jeux", "fr", "jeu"),
    ],
)
def test_singulars_of_titles_that_are_plurals(title: str, code: str, singular: str) -> None:
    assert LANGUAGES[code].single(title) == singular


@pytest.mark.parametrize(("amount", "expected"), [(1, "Gain 1 light."), (2, "Gain 2 lights.")])
def test_plural_stat_title_agrees_with_number(amount: int, expected: str) -> None:
    lights = Field("lights", "unit", "stat", ir.NUMBER, v.SPAN, v.name("lights", "", "lumières", "", "f"))
    gained = ir.Assign(ir.Get(v.me(), lights, ir.NUMBER, v.SPAN), "+", v.number(amount), v.SPAN)
    assert v.say("en", gained) == expected
    assert v.say("fr", gained) == expected.replace("Gain", "Gagnez").replace("light", "lumière")


def test_titles_lose_agreement_marks() -> None:
    assert without_agreement("Assommé[e]") == "Assommé"


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("le héron", "le héron"),
        ("la horde", "la horde"),
        ("Appeler la harde", "Appeler la harde"),
        ("la hâte", "la hâte"),
        ("le huit", "le huit"),
        ("la huitre", "l’huitre"),
        ("la haleine", "l’haleine"),
        ("la histoire", "l’histoire"),
        ("le hall", "le hall"),
        ("la hallucination", "l’hallucination"),
        ("la herbe", "l’herbe"),
        ("la héroïne", "l’héroïne"),
        ("près de le\x05halo, fuyez", "près du halo, fuyez"),
        ("de huit.", "de huit."),
        ("de huîtres", "d’huîtres"),
        ("de halls", "de halls"),
        ("de onze", "de onze"),
        ("de onzième", "de onzième"),
        ("que oui", "que oui"),
        ("la ouïe", "l’ouïe"),
        ("de yaourt", "de yaourt"),
        ("de yeux", "d’yeux"),
        ("de Ypres", "d’Ypres"),
        ("la œuvre", "l’œuvre"),
        ("de habit", "d’habit"),
        ("de uhlan", "de uhlan"),
    ],
)
def test_aspirated_h_prevents_elision(words: str, expected: str) -> None:
    assert LANGUAGES["fr"].finish(words) == expected


PIECES = (
    "si il",
    "Si ils",
    "n’bat",
    "N’est",
    "tirez vous",
    "vous pouvez vous",
    f"de le{ARTICLE}tour",
    "le tour de vous",
    "LE TOUR DE VOUS",
    "présent sur les cases dans",
    "the turn of you",
    "The card of you",
    "a enemy",
    "An hero",
    "3 of 5",
    "X",
    "plan B",
    "2",
    "−1",
    "!",
    ";",
    ":",
    "%",
    "«",
    "»",
    "  ",
    BOLD,
    LIGHT,
    "**a**",
    "Range 3",
    "de un",
    "on the spaces within",
)
"""Pieces of sentences with everything that a rule of spelling looks for."""


@pytest.mark.parametrize("language", [ENGLISH, FRENCH])
def test_rules_of_spelling_do_not_depend_on_other_sentences(language: English | French) -> None:
    """Rules are skipped for sentences without their marks. They change no sentence that lacks them."""
    draw = Random(11)
    rest = "¶ " + " ".join(PIECES) + "."
    for _ in range(400):
        sentence = " ".join(draw.choices(PIECES, k=draw.randint(1, 6))) + "."
        assert language.finish(sentence + rest) == language.finish(sentence) + language.finish(rest)
