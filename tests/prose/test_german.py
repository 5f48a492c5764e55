"""German: cases, endings, verbs at the end of clauses; the shipped German texts, and replacements for missing ones."""

from __future__ import annotations

from pathlib import Path

import pytest
from games import model
from pond_game import copy_pond

from fcbdsl.language.prose import LANGUAGES, rules_text
from fcbdsl.language.prose.german import AKK, GEN, VERB, VERB_END, German
from fcbdsl.language.prose.phrase import Noun, NounPhrase
from fcbdsl.project.project import check_project

GERMAN = German()
FOE, DOOR, ALLY = Noun("Feind", "Feinde"), Noun("Tür", "Türen", "f"), Noun("Verbündeter", "Verbündete")
HERO, FIELD = Noun("Held", "Helden"), Noun(GERMAN.attributed("Feld", "frei"), "", "n")


@pytest.mark.parametrize(
    ("before", "phrase", "expected"),
    [
        ("", GERMAN.determined("a", FOE), "ein Feind"),
        (AKK, GERMAN.determined("a", FOE), "einen Feind"),
        ("von ", GERMAN.determined("the", FOE), "vom Feind"),
        ("mit ", GERMAN.counted(2, FOE), "mit 2 Feinden"),
        (GEN, GERMAN.determined("that", FOE), "dieses Feindes"),
        ("neben ", GERMAN.determined("a", DOOR), "neben einer Tür"),
        ("", GERMAN.determined("a", ALLY), "ein Verbündeter"),
        ("", GERMAN.determined("each", ALLY), "jeder Verbündete"),
        ("für ", GERMAN.determined("a", ALLY), "für einen Verbündeten"),
        (AKK, GERMAN.determined("that", HERO), "diesen Helden"),
        ("", GERMAN.determined("a", FIELD), "ein freies Feld"),
        ("auf ", GERMAN.determined("the", FIELD), "auf dem freien Feld"),
        ("mit ", GERMAN.you(), "mit dir"),
        (AKK, GERMAN.owned(GERMAN.you(), DOOR), "deine Tür"),
        ("", GERMAN.owned(GERMAN.determined("the", FOE), DOOR), "die Tür des Feindes"),
        ("gegen ", NounPhrase("Ashton"), "gegen Ashton"),
    ],
)
def test_german_phrases_take_case_of_preceding_word(before: str, phrase: NounPhrase, expected: str) -> None:
    assert GERMAN.finish(before + phrase.text).replace("\u00a0", " ") == expected


def test_german_lists_take_one_case() -> None:
    foe, door = GERMAN.determined("a", FOE).text, GERMAN.determined("a", DOOR).text
    assert GERMAN.finish(f"wähle {AKK}{door} oder {foe}") == "wähle eine Tür oder einen Feind"


def test_german_verbs_end_subordinate_clauses() -> None:
    says = GERMAN.words["if"].format(condition=f"du {VERB}kündigst{VERB_END} etwas an", then="lauf")
    assert GERMAN.finish(says) == "wenn du etwas ankündigst: Lauf"
    assert GERMAN.finish(f"du {VERB}kündigst{VERB_END} etwas an") == "du kündigst etwas an"


def test_comma_after_clause_yields_to_period() -> None:
    """A phrase that ends in a clause is written with it, for verbs may follow: «die Ziele, die er trägt, zählen»."""
    clause = "die Ziele, die er trägt,"
    assert GERMAN.finish(f"{clause} zählen") == "die Ziele, die er trägt, zählen"
    assert [GERMAN.finish(f"Zähle {clause}{end}") for end in (".", ", dann zieh", "")] == [
        "Zähle die Ziele, die er trägt.",
        "Zähle die Ziele, die er trägt, dann zieh",
        "Zähle die Ziele, die er trägt",
    ]


def test_every_language_has_nouns() -> None:
    for language in LANGUAGES.values():
        assert language.nouns.keys() == LANGUAGES["en"].nouns.keys(), language.code


SHIPPED = {
    ("talent", "jammer"): "Jeder Verbündete neben dir ist durch Kampfaktionen nicht als Ziel wählbar.",
    ("talent", "hypnosis"): "Wenn du einen Angriff ankündigst: Wenn du möchtest: Lass Feinde, die ihm ausweichen, "
    "noch immer für 1 Kampfaktion, Int statt Kmpf abziehen.",
    ("knack", "otaku"): "Hacke eine verriegelte Tür in Sicht in deinem Raum.",
    ("grenade", "gas-grenade"): "Wenn ein Charakter mit dieser Ausrüstung verwundet wird: Bis zum Ende des Zuges: "
    "Dieser Charakter hat −1 Bew.",
    ("incident", "network-overload"): "Füge jedem Widerstandskämpfer neben einer Tür 2 Schaden zu.",
    ("incident", "short-circuit"): "Wenn es eine Tür gibt: Der Widerstand wählt eine Tür; öffne diese Tür, falls "
    "geschlossen, sonst schließe sie.",
}


@pytest.mark.parametrize(("kind", "id"), SHIPPED)
def test_shipped_german_cards_are_approved(kind: str, id: str) -> None:
    escape = model("escape")
    text = rules_text(escape.definitions[kind, id], escape, "de")
    assert text.plain().replace("\u00a0", " ") == SHIPPED[kind, id]
    assert text.problems == ()


def test_missing_german_words_fall_back_and_are_reported(tmp_path: Path) -> None:
    root = copy_pond(tmp_path)
    (root / "translations").mkdir()
    (root / "translations" / "de.po").write_text(
        'msgid ""\nmsgstr "Language: de\\n"\n\nmsgctxt "trick/gift/title"\nmsgid "Gift of flies"\nmsgstr "Fliegen"\n',
        encoding="utf-8",
    )
    pond, _ = check_project(root=root, tests=False)
    gift = pond.definitions["trick", "gift"]
    german, english = rules_text(gift, pond, "de"), rules_text(gift, pond, "en")
    assert german.plain() == english.plain() != ""
    assert {problem.code for problem in german.problems} == {"FCB0701"}


def test_sources_can_be_german(tmp_path: Path) -> None:
    root = copy_pond(tmp_path)
    for name, old, new in (
        ("fcb.toml", '["en", "fr"]', '["en", "fr", "de"]'),
        ("systems/pond.fcb", "  languages: en, fr\n", "  languages: en, fr, de\n"),
        ("systems/pond.fcb", '  fr: "mouche", f\n', '  fr: "mouche", f\n  de: "Insekt", n, plural "Insekten"\n'),
    ):
        text = (root / name).read_text(encoding="utf-8")
        assert old in text
        (root / name).write_text(text.replace(old, new), encoding="utf-8")
    pond, problems = check_project(root=root, tests=False)
    assert not [problem for problem in problems if problem.severity == "error"]
    fly = next(kind.fields["fly"] for kind in pond.kinds.values() if "fly" in kind.fields)
    assert (fly.name.title["de"], fly.name.gender["de"], fly.name.plural["de"]) == ("Insekt", "n", "Insekten")
