"""German rules text: articles, cases, genders and agreement.

A noun phrase carries its four cases until the sentence is complete. The word before it (a preposition, or a mark of the
template: ``[akk]``, ``[dat]``, ``[gen]``) selects the case; without one it is the subject. Every bracket of three forms
(third person, plural, second person) is a finite verb. It moves to the end of a subordinate clause.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import ClassVar

from fcbdsl.language.prose.language import Language, has_abbreviation
from fcbdsl.language.prose.phrase import Noun, NounPhrase
from fcbdsl.language.prose.rules_text import ARTICLE, BOLD, CLAUSE

OPEN, SEP, CLOSE = "\x0e", "\x0f", "\x10"
"""Delimiters of the four cases of a phrase: nominative, accusative, dative, genitive."""
RAISED = "\x11"
"""Mark before a letter that begins a sentence after a colon."""
AKK, DAT, GEN = "\x12", "\x13", "\x14"
"""The case of the next phrase."""
ADJ, ADJ_END = "\x15", "\x16"
"""Delimiters of the stem of an adjective, whose ending depends on the word before it."""
VERB, VERB_END = "\x17", "\x18"
SUB, SUB_END = "\x19", "\x1a"
"""Delimiters of a subordinate clause."""
BEING = "\x1b"
"""Mark before a complement, which may become an adjective."""

_MARKS = {"akk": AKK, "dat": DAT, "gen": GEN}

NOUNS = {
    "thing": Noun("Ding", "Dinge", "n"),
    "piece": Noun("Figur", "Figuren", "f"),
    "space": Noun("Feld", "Felder", "n"),
    "incomplete": Noun("außerhalb des Spielplans", "außerhalb des Spielplans"),
    "route": Noun("Route", "Routen", "f"),
    "side": Noun("Seite", "Seiten", "f"),
    "player": Noun("Spieler", "Spieler"),
    "team": Noun("Team", "Teams", "n"),
    "controller": Noun("Spieler", "Spieler"),
    "card": Noun("Karte", "Karten", "f"),
    "mission": Noun("Mission", "Missionen", "f"),
    "ending": Noun("Ende", "Enden", "n"),
    "track": Noun("Leiste", "Leisten", "f"),
    "game": Noun("Spiel", "Spiele", "n"),
    "record": Noun("Aktion", "Aktionen", "f"),
    "die": Noun("Würfel", "Würfel"),
    "face": Noun("Seite", "Seiten", "f"),
    "zone": Noun("Stapel", "Stapel"),
    "direction": Noun("Richtung", "Richtungen", "f"),
    "region": Noun("Gebiet", "Gebiete", "n"),
    "holder": Noun("Besitzer", "Besitzer"),
    "number": Noun("Zahl", "Zahlen", "f"),
    "definition": Noun("Sorte", "Sorten", "f"),
    "bearer": Noun("Träger", "Träger"),
    "copy": Noun("Nummer", "Nummern", "f"),
    "copies": Noun("Anzahl der Exemplare", "Anzahlen der Exemplare", "f"),
    "terrain": Noun("Gelände", "Gelände", "n"),
    "value": Noun("Wert", "Werte"),
    "effect": Noun("Effekt", "Effekte"),
    "noted": Noun(f"{ADJ}gemerkt{ADJ_END} Wert", f"{ADJ}gemerkt{ADJ_END} Werte"),
    "result": Noun("Ergebnis", "Ergebnisse", "n"),
    "rolled": Noun(f"{ADJ}geworfen{ADJ_END} Seite", f"{ADJ}geworfen{ADJ_END} Seiten", "f"),
}

_THE = {
    "m": ("der", "den", "dem", "des"),
    "f": ("die", "die", "der", "der"),
    "n": ("das", "das", "dem", "des"),
    "p": ("die", "die", "den", "der"),
}
_LIKE_DIES = {
    "m": ("er", "en", "em", "es"),
    "f": ("e", "e", "er", "er"),
    "n": ("es", "es", "em", "es"),
    "p": ("e", "e", "en", "er"),
}
_LIKE_EIN = _LIKE_DIES | {"m": ("", "en", "em", "es"), "n": ("", "", "em", "es")}
_STRONG = _LIKE_DIES | {"m": ("er", "en", "em", "en"), "n": ("es", "es", "em", "en")}
_WEAK = {
    "m": ("e", "en", "en", "en"),
    "f": ("e", "e", "en", "en"),
    "n": ("e", "e", "en", "en"),
    "p": ("en", "en", "en", "en"),
}
_MIXED = _WEAK | {"m": ("er", "en", "en", "en"), "n": ("es", "es", "en", "en")}
"""Endings by gender (p: plural) and case.

Adjectives are strong without an article, weak after an article that shows the case, and mixed after one that may not
(ein, kein, dein).
"""

_DIES = {"this": "dies", "that": "dies", "each": "jed", "every": "all", "all": "all", "those": "dies"}
_EIN = {"a": "ein", "no": "kein", "none of": "kein"}
_N_DECLINED = ("e", "ist", "ant", "ent", "ell", "aut")
_N_NOUNS = ("held", "mensch", "bär", "narr", "fürst", "graf", "herr")
"""Endings of masculine nouns that end in -n in all cases except the nominative, if their plural does."""
_INSIDE = re.compile(
    r",? (?:in|im|an|am|auf|mit|ohne|von|vom|zu|zum|zur|für|aus|bei|der|des|neben|unter|vor|hinter|außer|angrenzend)\b"
)
"""The start of the complement of a title's head."""

_GOVERNING = {
    word: case
    for case, words in {
        AKK: "für gegen ohne um durch bis",
        DAT: "mit von zu bei aus nach seit gegenüber außer unter neben auf in an vor hinter über zwischen",
        GEN: "wegen während innerhalb außerhalb statt",
    }.items()
    for word in words.split()
}
"""The case that prepositions take; those of place take the dative unless the template gives another."""
_CONTRACTED = {
    "von dem": "vom", "zu dem": "zum", "zu der": "zur", "in dem": "im", "an dem": "am", "bei dem": "beim",
    "in das": "ins", "an das": "ans",
}  # fmt: skip
_YOU = ("du", "dich", "dir", "deiner")
_PRONOUNS = {
    "m": ("er", "ihn", "ihm", "seiner"),
    "f": ("sie", "sie", "ihr", "ihrer"),
    "n": ("es", "es", "ihm", "seiner"),
    "p": ("sie", "sie", "ihnen", "ihrer"),
}

_PHRASE = re.compile(
    rf"(?:(?P<mark>[{AKK}{DAT}{GEN}]) ?|(?:(?<=[\s{BOLD}])|^)(?P<word>\w+) )?"
    rf"{OPEN}(?P<forms>[^{OPEN}{CLOSE}]*){CLOSE}"
)
_LINKED = re.compile(r"(?:,| und| oder|, und|, oder) $")
_LINKS = (
    "aber als am an auf aus bei bis das dass den der des die durch für gegen im in ist mit nach nur oder ohne pro sind "
    "um und unter vom von vor wenn wie zu zum zur"
)
_NUMERALS = "eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf"
_FILLERS = _LINKS + " du dein deine dich dir ein eine einen einem einer diese dieser dieses jede jeder jedes alle"


class German(Language):
    """German wording: « du », imperatives, four cases."""

    code: ClassVar[str] = "de"
    genders: ClassVar[str] = "mfn"
    marks: ClassVar[Mapping[str, str]] = {
        "sub": SUB,
        "/sub": SUB_END,
        "adj": ADJ,
        "/adj": ADJ_END,
        "verb": VERB,
        "/verb": VERB_END,
        "capital": RAISED,
        "being": BEING,
        "clause": CLAUSE,
    }
    capitals_tell = False
    elliptic = False
    nouns: ClassVar[Mapping[str, Noun]] = NOUNS
    moments: ClassVar[tuple[str, ...]] = ("am ", "zu ", "im ", "jederzeit")
    articles: ClassVar[re.Pattern[str]] = re.compile("^(?:der|die|das) ")
    links: ClassVar[frozenset[str]] = frozenset(_LINKS.split())
    numerals: ClassVar[Mapping[str, int]] = {
        word: at for at, word in enumerate(_NUMERALS.replace("ü", "u").replace("ö", "o").split(), start=1)
    }
    fillers: ClassVar[frozenset[str]] = frozenset(_FILLERS.replace("ü", "u").split())

    def agree(self, options: list[str], phrase: NounPhrase) -> str:
        """Return the selected option.

        ``[akk]``: the case of the next phrase. ``[e]``, ``[n]``, ``[s]``: a plural ending. ``[singular|plural]``.
        ``[hat|haben|hast]``: a verb. ``[er|sie|es|sie]``: by gender.
        """
        if len(options) == 1:
            return _MARKS.get(options[0]) or (options[0] if phrase.plural else "")
        if len(options) == 2:
            return options[phrase.plural]
        if len(options) == 3:
            return VERB + options[2 if phrase.person == 2 else phrase.plural] + VERB_END
        return options[3 if phrase.plural else "mfn".index(phrase.gender)]

    def determined(self, determiner: str, noun: Noun) -> NounPhrase:
        if self.is_name(determiner, noun):
            return NounPhrase(self.named(noun.one), noun.gender)
        many = determiner in {"every", "all", "those", "the many", "count"}
        gender = "p" if many else noun.gender
        if determiner in {"the", "the many"}:
            return _phrase(_THE[gender], _WEAK, noun, many)
        if determiner == "count":
            return _phrase(("", "", "", ""), _STRONG, noun, many)
        if determiner in _EIN:
            return _phrase(_ended(_EIN[determiner], _LIKE_EIN[gender]), _MIXED, noun, many)
        return _phrase(_ended(_DIES[determiner], _LIKE_DIES[gender]), _WEAK, noun, many)

    def yonder(self, noun: Noun) -> NounPhrase:
        """Return « jener Feind », which is unambiguous; « dieser Feind » could be this one or that one."""
        return _phrase(_ended("jen", _LIKE_DIES[noun.gender]), _WEAK, noun, False)

    def several(self, number: int) -> bool:
        return abs(number) != 1

    def counted(self, number: int, noun: Noun) -> NounPhrase:
        many = self.several(number)
        return _phrase((str(number),) * 4, _STRONG if many else _MIXED, noun, many)

    def you(self) -> NounPhrase:
        return NounPhrase(_cased(_YOU), person=2)

    def owned(self, owner: NounPhrase, noun: Noun) -> NounPhrase:
        many = noun.collective
        gender = "p" if many else noun.gender
        if owner.person == 2:
            return _phrase(_ended("dein", _LIKE_EIN[gender]), _MIXED, noun, many)
        whole = _phrase(_THE[gender], _WEAK, noun, many)
        return whole.saying(f"{whole.text} {GEN if owner.text.startswith(OPEN) else 'von '}{owner.text}")

    def its(self, noun: Noun, *, several: bool) -> NounPhrase:
        return _phrase(_ended("ihr" if several else "sein", _LIKE_EIN[noun.gender]), _MIXED, noun, False)

    def possessive(self, phrase: NounPhrase) -> str:
        return "von " + phrase.text

    def clitic(self, phrase: NounPhrase) -> str | None:
        return None

    def ranked(self, noun: str, superlative: str) -> str:
        return f"{ADJ}{superlative}{ADJ_END} {noun}" if " " not in superlative else ""

    def adjective(self, qualification: str) -> str:
        word = qualification.removeprefix(BEING)
        return word if word.isalpha() else ""

    def attributed(self, noun: str, adjective: str) -> str:
        return f"{ADJ}{adjective}{ADJ_END} {noun}"

    def appositive(self, qualification: str) -> str:
        return qualification

    def pronoun(self, phrase: NounPhrase) -> NounPhrase:
        return phrase.saying(_cased(_PRONOUNS["p" if phrase.plural else phrase.gender]))

    def until(self, moment: str) -> str:
        return "bis " + re.sub("^am ", "zum ", moment)

    def many(self, title: str) -> str:
        """Return a guessed plural, because German has no reliable rule; a title that counts declares its plural."""
        if has_abbreviation(title) or title.endswith(("er", "el", "en", "chen", "lein")):
            return title
        if title.endswith(("ung", "heit", "keit", "ion", "schaft")):
            return title + "en"
        return title + ("n" if title.endswith("e") else "e")

    def unmarked(self, clause: str) -> str:
        return re.sub(f"[{VERB}{VERB_END}]|[{AKK}{DAT}{GEN}] ?", "", clause)

    def contract_articles(self, marked: str) -> str:
        text = marked.replace(ARTICLE, " ").replace("'", "’")
        text = re.sub(" {2,}", " ", text)
        while SUB in text:
            text, before = re.sub(f"{SUB}([^{SUB}{SUB_END}]*){SUB_END}", _subordinate, text), text
            if text == before:
                break
        text = re.sub(f"[{VERB}{VERB_END}{SUB}{SUB_END}]", "", text)
        text = _in_cases(text)
        text = re.sub(rf" ?{BEING}", ", ", text)
        text = re.sub(f"[{AKK}{DAT}{GEN}] ?", "", text)
        text = re.sub(f"{ADJ}([^{ADJ_END}]*){ADJ_END}", r"\1e", text)
        text = re.sub(rf"{RAISED}([{BOLD}]?)(\w)", lambda match: match[1] + match[2].upper(), text).replace(RAISED, "")
        text = re.sub(r"\b(von|zu|in|an|bei) (dem|der|das)\b", _contracted, text)
        text = re.sub(r", *(?=[,.;:!?)])|, *$", "", text)  # a comma at the end of a sentence
        return self.bound(re.sub(r" {2,}", " ", text))


def _phrase(words: tuple[str, ...], endings: Mapping[str, tuple[str, ...]], noun: Noun, many: bool) -> NounPhrase:
    """Return a noun after a determiner, in its four cases."""
    own = endings["p" if many else noun.gender]
    noun = Noun(_in_cases(noun.one), _in_cases(noun.many), noun.gender)  # phrases inside it have their case already
    forms = [
        f"{word} {_adjectives(form, own[case])}".strip()
        for case, (word, form) in enumerate(zip(words, _declined(noun, many), strict=True))
    ]
    return NounPhrase(_cased(tuple(forms)), noun.gender, many)


def _ended(stem: str, endings: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(stem + ending for ending in endings)


def _cased(forms: tuple[str, ...]) -> str:
    return OPEN + SEP.join(forms) + CLOSE


def _adjectives(noun: str, ending: str) -> str:
    """Return the adjectives before a noun with their ending."""
    return re.sub(f"{ADJ}([^{ADJ_END}]*){ADJ_END}", lambda match: match[1].removesuffix("e") + ending, noun)


def _declined(noun: Noun, many: bool) -> tuple[str, str, str, str]:
    """Return a noun in its four cases; in a noun of several words the head is declined."""
    title = noun.many if many else noun.one
    complement = _INSIDE.search(title)
    head, rest = (title[: complement.start()], title[complement.start() :]) if complement is not None else (title, "")
    plural = noun.many.removesuffix(rest)
    if noun.gender == "m" and _one_is_adjectival(noun, plural, rest):
        stem = f"{ADJ}{plural}{ADJ_END}{rest}"
        return stem, stem, stem, stem
    if many:
        dative = head if head.endswith(("n", "s")) or head == noun.one else head + "n"
        return head + rest, head + rest, dative + rest, head + rest
    if noun.gender == "f" or head.isupper():
        return head + rest, head + rest, head + rest, head + rest
    last = head.rpartition(" ")[2].lower()
    if noun.gender == "m" and plural in (head + "n", head + "en") and last.endswith((*_N_DECLINED, *_N_NOUNS)):
        return head + rest, plural + rest, plural + rest, plural + rest
    long = last.endswith(("s", "ß", "x", "z")) or len(re.findall("[aeiouyäöü]+", last)) == 1
    genitive = head + ("" if not last[-1:].isalpha() else "es" if long else "s")
    return head + rest, head + rest, head + rest, genitive + rest


def _one_is_adjectival(noun: Noun, plural: str, rest: str) -> bool:
    """Return whether a noun is declined like an adjective: ein Verbündeter, der Verbündete."""
    return noun.one.removesuffix(rest) == plural + "r" and plural.endswith("e")


def _subordinate(match: re.Match[str]) -> str:
    """Return a clause with its verb at the end; several clauses are handled separately."""
    return CLAUSE.join(_verb_last(part) for part in match[1].split(CLAUSE))


_SEPARABLE = ("ab", "an", "auf", "aus", "ein", "los", "mit", "vor", "weg", "zu", "zurück")
"""Separable prefixes: apart from the verb in a main clause, and joined with it at the end of others."""
_VERB = re.compile(f"{VERB}([^{VERB_END}]*){VERB_END} ?")


def _verb_last(clause: str) -> str:
    verb = _VERB.search(clause)
    if verb is None:
        return clause
    rest = clause[: verb.start()] + clause[verb.end() :]
    leading = rest.rstrip(" ,")
    apart = "" if leading.rpartition(" ")[2] in _SEPARABLE else " "
    return f"{leading}{apart}{verb[1]}{rest[len(leading) :].lstrip()}"


def _in_cases(text: str) -> str:
    """Return a text with the case of each phrase selected; the phrases of a list take that of the first."""
    pieces: list[str] = []
    at, last, case = 0, -1, 0
    for match in _PHRASE.finditer(text):
        word = match["word"] or ""
        between = text[at : match.start()]
        prefix = f"{word} " if word else ""
        linked = last >= 0 and (_LINKED.fullmatch(between + prefix) is not None)
        mark = match["mark"] or _GOVERNING.get(word.lower(), "")
        case = [AKK, DAT, GEN].index(mark) + 1 if mark else case if linked else 0
        forms = match["forms"].split(SEP)
        form = forms[case]
        if forms[0][:1].isupper() and not prefix.strip():
            form = form[:1].upper() + form[1:]
        pieces += [between, prefix, form]
        at, last = match.end(), case
    return "".join([*pieces, text[at:]])


def _contracted(match: re.Match[str]) -> str:
    return _CONTRACTED.get(match[0], match[0])
