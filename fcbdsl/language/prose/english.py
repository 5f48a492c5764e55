"""English rules text: articles, plurals, verbs and agreement."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import ClassVar

from fcbdsl.base.diagnostics.articles import a, article
from fcbdsl.language.prose.language import Language, has_abbreviation, head_and_complement
from fcbdsl.language.prose.phrase import Noun, NounPhrase
from fcbdsl.language.prose.rules_text import ARTICLE, BOLD, CANDIDATE, CLAUSE, LIGHT, single_spaces

NOUNS = {
    "thing": Noun("thing", "things"),
    "piece": Noun("piece", "pieces"),
    "space": Noun("space", "spaces"),
    "incomplete": Noun("off the map", "off the map"),
    "route": Noun("route", "routes"),
    "side": Noun("side", "sides"),
    "player": Noun("player", "players"),
    "team": Noun("team", "teams"),
    "controller": Noun("player", "players"),
    "card": Noun("card", "cards"),
    "mission": Noun("mission", "missions"),
    "ending": Noun("ending", "endings"),
    "track": Noun("track", "tracks"),
    "game": Noun("game", "games"),
    "record": Noun("action", "actions"),
    "die": Noun("die", "dice"),
    "face": Noun("face", "faces"),
    "zone": Noun("pile", "piles"),
    "direction": Noun("direction", "directions"),
    "region": Noun("region", "regions"),
    "holder": Noun("owner", "owners"),
    "number": Noun("number", "numbers"),
    "definition": Noun("sort", "sorts"),
    "bearer": Noun("bearer", "bearers"),
    "copy": Noun("copy number", "copy numbers"),
    "copies": Noun("number of copies", "numbers of copies"),
    "terrain": Noun("terrain", "terrains"),
    "value": Noun("value", "values"),
    "effect": Noun("effect", "effects"),
    "noted": Noun("noted value", "noted values"),
    "result": Noun("result", "results"),
    "rolled": Noun("face rolled", "faces rolled"),
}

_SMALL = frozenset(
    [
        "a",
        "an",
        "the",
        "and",
        "but",
        "or",
        "nor",
        "of",
        "in",
        "on",
        "at",
        "to",
        "for",
        "from",
        "by",
        "with",
        "as",
        "into",
    ]
)
"""Words in lower case inside a title."""

_DETERMINERS = {"the": "the", "this": "this", "that": "that", "each": "each", "no": "no"}

_LINKS = (
    "against among and are as at but by from for if in into is of on only or per than that then to towards until "
    "when where which while who with within without"
)
_NUMERALS = "one two three four five six seven eight nine ten eleven twelve"
_FILLERS = _LINKS + " you your that this these those the each every all any its his her they them has have may not does"


class English(Language):
    """English wording."""

    code: ClassVar[str] = "en"
    nouns: ClassVar[Mapping[str, Noun]] = NOUNS
    moments: ClassVar[tuple[str, ...]] = ("at ",)
    articles: ClassVar[re.Pattern[str]] = re.compile("^the ")
    own_article: ClassVar[re.Pattern[str]] = re.compile("^(?:the|an?) ", re.IGNORECASE)
    able: ClassVar[re.Pattern[str]] = re.compile("(?P<un>un)?able to (?P<act>.*)")
    piles_first: ClassVar[bool] = False
    finite: ClassVar[re.Pattern[str]] = re.compile(r"(?<=\w) (?:is|are|was|were|has|have|had|will) ", re.IGNORECASE)
    links: ClassVar[frozenset[str]] = frozenset(_LINKS.split())
    lacking: ClassVar[re.Pattern[str]] = re.compile("there is no (.+)")
    neither: ClassVar[tuple[str, str]] = ("there is no ", " or ")
    presences: ClassVar[Mapping[str, str]] = {"there is no ": "there is ", "there is a": "there is "}
    numerals: ClassVar[Mapping[str, int]] = {
        **{word: at for at, word in enumerate(_NUMERALS.split(), start=1)},
        "twice": 2,
        "both": 2,
    }
    fillers: ClassVar[frozenset[str]] = frozenset(_FILLERS.split())

    def agree(self, options: list[str], phrase: NounPhrase) -> str:
        """Return the option: ``[s]`` for a plural; ``[is|are]``: it, they or you."""
        several = phrase.plural or phrase.person == 2
        if len(options) == 1:
            return options[0] if phrase.plural and options[0] in {"s", "es"} else ""
        return options[1] if several else options[0]

    def determined(self, determiner: str, noun: Noun) -> NounPhrase:
        if self.is_name(determiner, noun):
            return NounPhrase(self.named(noun.one))
        noun = self.without_article(noun)
        if determiner == "a":
            return NounPhrase(a(noun.one).replace("an other ", "another "))
        if determiner in {"every", "all"}:
            return NounPhrase(f"all {noun.many}", plural=True)
        if determiner in {"the many", "those"}:
            return NounPhrase(f"{'the' if determiner == 'the many' else 'those'} {noun.many}", plural=True)
        if determiner == "count":
            return NounPhrase(noun.many, plural=True)
        if determiner == "none of":
            return NounPhrase(f"no {noun.many}", plural=True)
        return NounPhrase(f"{_DETERMINERS[determiner]} {noun.one}")

    def counted(self, number: int, noun: Noun) -> NounPhrase:
        several = self.several(number)
        return NounPhrase(f"{number} {noun.many if several else noun.one}", plural=several)

    def several(self, number: int) -> bool:
        return number != 1

    def you(self) -> NounPhrase:
        return NounPhrase("you", person=2)

    def owned(self, owner: NounPhrase, noun: Noun) -> NounPhrase:
        several, noun = noun.collective, self.without_article(noun)
        word = noun.many if several else noun.one
        if owner.person == 2:
            return NounPhrase(f"your {word}", plural=several)
        if " " in owner.text and re.search(
            r" (within|with|that|adjacent|on|in|of|other|near|from|who|whose|which) ", owner.text
        ):
            return NounPhrase(f"the {word} of {owner.text}", plural=several)
        return NounPhrase(f"{self.possessive(owner)} {word}", plural=several)

    def its(self, noun: Noun, *, several: bool) -> NounPhrase:
        return NounPhrase(f"{'their' if several else 'its'} {noun.one}")

    def many(self, title: str) -> str:
        return _many(title)

    def single(self, title: str) -> str:
        return singular(title)

    def named(self, title: str) -> str:
        return re.sub(r"^(The|An?) ", lambda match: match[0].lower(), title)

    def pronoun(self, phrase: NounPhrase) -> NounPhrase:
        return phrase.saying("they" if phrase.plural else "it")

    def again(self, phrase: NounPhrase) -> NounPhrase:
        return phrase if phrase.plural or phrase.person == 2 else phrase.saying("it")

    def supposed(self, template: str) -> str:
        """Return the conditional: ``{who} [is|are] hurt`` → ``{who} would be hurt``."""
        verb = re.search(r"\[([^|\]]+)\|([^|\]]+)\]", template)
        if verb is None:
            return template
        return f"{template[: verb.start()]}would {'be' if verb[2] == 'are' else verb[2]}{template[verb.end() :]}"

    def possessive(self, phrase: NounPhrase) -> str:
        if phrase.person == 2:
            return "your"
        if phrase.text == "it":
            return "its"
        return phrase.text + ("’" if phrase.text.endswith("s") else "’s")

    def clitic(self, phrase: NounPhrase) -> str | None:
        """Return an empty string for the reader: ``move yourself`` becomes ``move``."""
        return "" if phrase.person == 2 else None

    def ranked(self, noun: str, superlative: str) -> str:
        return f"{superlative} {noun}" if " " not in superlative else ""

    def adjective(self, qualification: str) -> str:
        word = self.appositive(qualification)
        if re.fullmatch(r"not [A-Z]\w*", word):
            return "non-" + word.removeprefix("not ")
        return word if " " not in word else ""

    def attributed(self, noun: str, adjective: str) -> str:
        head, other, rest = noun.rpartition("other ")
        return f"{head}{other}{adjective} {rest}"

    def appositive(self, qualification: str) -> str:
        return qualification.removeprefix("that is ").removeprefix("that are ")

    def relative(self, clause: str, head: NounPhrase) -> str:
        if CLAUSE in clause:
            return ""
        owning, it, has = ("their", "them", "have") if head.plural else ("its", "it", "has")
        if clause.startswith(f"{CANDIDATE}’s "):
            relative_clause = clause.replace(f"{CANDIDATE}’s ", "whose ", 1)
        elif clause.startswith(f"{CANDIDATE} "):
            relative_clause = clause.replace(CANDIDATE, "that", 1)
        elif CANDIDATE in clause and (match := re.match("there (?:is|are) ", clause)):
            relative_clause = f"that {has} {clause[match.end() :]}"
        else:
            return ""
        relative_clause = relative_clause.replace(f"{CANDIDATE}’s ", f"{owning} ")
        return re.sub(rf"\bthe ([\w-]+) of {CANDIDATE}", rf"{owning} \1", relative_clause).replace(CANDIDATE, it)

    def headline(self, title: str) -> str:
        """Return a title in title case: ``house of cards`` → ``House of Cards``; one that begins with a capital
        stays."""
        if not title[:1].islower():
            return title
        words = title.split(" ")
        big = [re.sub(r"(?:^|(?<=-))[a-z]", lambda match: match[0].upper(), word) for word in words]
        return " ".join(word if at and word in _SMALL else big[at] for at, word in enumerate(words))

    def until(self, moment: str) -> str:
        return "until " + re.sub(r"^at ", "", moment)

    def contract_articles(self, marked: str) -> str:
        text = marked.replace(ARTICLE, " ").replace("'", "’")
        if " of you" in text:
            text = re.sub(r"\b([Tt])he (\w+) of you\b", lambda m: f"{'Your' if m[1] == 'T' else 'your'} {m[2]}", text)
        text = text.replace(" on the spaces within ", " within ")
        text = _INDEFINITE.sub(_agreeing, single_spaces(text))
        return self.bound(text)


_INDEFINITE = re.compile(rf"([Aa](?<![\w’'-][Aa])n?) (?=[{BOLD}{LIGHT}“]*([a-zA-Z][\w’-]*))")
"""An article before a word. A capital « A » is the name of something, except at the beginning of a sentence."""


def _agreeing(match: re.Match[str]) -> str:
    """Return an article that agrees with the word behind it: an author wrote it before a slot."""
    written = match[1]
    before = match.string[: match.start()].rstrip(BOLD + LIGHT + "“ ")
    if written == "A" and before and before[-1] not in ".!?:•":
        return match[0]
    right = article(match[2])
    return (right.capitalize() if written[0] == "A" else right) + " "


_COMPLEMENT = re.compile(r"(?<=\w) (?:of|in|with|without|for|from|to|on|at) ")
"""The start of the complement of a title's head."""


@lru_cache(maxsize=4096)  # titles are used often
def _many(title: str) -> str:
    head, rest = head_and_complement(title, _COMPLEMENT)
    *before, last = head.split(" ")
    return " ".join([*before, _plural(last)]) + rest if not has_abbreviation(title) else title


_IRREGULAR = {
    "die": "dice", "man": "men", "woman": "women", "child": "children", "foot": "feet", "tooth": "teeth",
    "goose": "geese", "mouse": "mice", "louse": "lice", "ox": "oxen", "person": "people", "quiz": "quizzes",
    "fez": "fezzes", "whiz": "whizzes", "lens": "lenses",
}  # fmt: skip
_MEN = ("gunman", "henchman", "foreman", "watchman", "swordsman", "spaceman", "craftsman", "guardsman", "policeman",
        "fireman", "fisherman", "horseman", "huntsman", "marksman", "boatman", "madman", "strongman", "gentleman",
        "nobleman", "crewman", "footman", "rifleman", "helmsman", "bowman", "axeman", "ferryman")  # fmt: skip
_PLAIN = (
    "sheep deer moose fish salmon trout bison swine offspring aircraft spacecraft hovercraft gold silver money ammo "
    "ammunition armor damage equipment food fuel gear grain health information evidence iron loot luck mud oxygen "
    "rice salt sand steel timber water wheat wood wool coal clay experience"
)
_UNCHANGED = frozenset(_PLAIN.split())
"""Words whose plural equals the singular: animals, and things that are measured, not counted."""
_K_SOUND = ("stomach", "monarch", "patriarch", "matriarch", "oligarch", "eunuch", "epoch", "loch", "tech", "mach")
"""Words in -ch with the sound -k, which take an -s."""
_OES = ("potato", "tomato", "hero", "echo", "torpedo", "veto", "embargo", "mosquito", "tornado", "volcano", "buffalo",
        "cargo", "domino", "mango")  # fmt: skip
_VES = ("wolf", "knife", "life", "wife", "leaf", "thief", "half", "shelf", "calf", "loaf", "elf", "self", "scarf",
        "wharf", "sheaf", "dwarf", "hoof", "werewolf", "midwife", "penknife")  # fmt: skip
_ISES = ("iris", "trellis", "metropolis", "pelvis", "clematis", "portcullis")
"""Words in -is that take an -es; the others change it to -es (crisis, crises)."""
_GASES = ("gas", "canvas", "atlas", "bias", "alias", "pancreas", "madras")
"""Words in -as that are singular."""
_MENUS = ("menus", "gurus", "emus", "gnus", "bayous", "caribous", "tutus", "plus")
"""Words in -us that are plural, or have no plural."""


@lru_cache(maxsize=4096)
def singular(title: str) -> str:
    """Return the singular of a title whose head is a regular plural, else the title."""
    head, rest = head_and_complement(title, _COMPLEMENT)
    *before, last = head.split(" ")
    single = _single(last)
    return " ".join([*before, single]) + rest if _plural(single) == last and not has_abbreviation(title) else title


def _plural(word: str) -> str:
    """Return the plural of a word, by its sound; a word that looks like a plural stays unchanged (boots)."""
    before, hyphen, last = word.rpartition("-")
    if hyphen and last:
        return f"{before}-{_plural(last)}"
    low = word.lower()
    if low in _IRREGULAR:
        plural = _IRREGULAR[low]
        return plural if word.islower() else word[:1] + plural[1:]
    if low in _UNCHANGED:
        return word
    if low in _MEN:
        return word[:-2] + "en"
    if low in _VES:
        return word.removesuffix("e")[:-1] + "ves"
    if low.endswith("s"):
        return _sibilant(word, low)
    if low.endswith(("x", "z", "sh")) or (low.endswith("ch") and low not in _K_SOUND) or low in _OES:
        return word + "es"
    if low.endswith("y") and (low[-2:-1] not in "aeiou" or low.endswith("quy")):
        return word[:-1] + "ies"
    return word + "s"


_ONE_FORM = ("series", "species", "lens", "means", "news", "chaos", "always", "cosmos", "less", "minus", *_GASES)
_IN_S = (
    "bus",
    "gas",
    "virus",
    "bonus",
    "focus",
    "campus",
    "iris",
    "atlas",
    "canvas",
    "lens",
    "bias",
    "cactus",
    "status",
)
_CHES = ("niches", "caches", "aches", "headaches", "avalanches", "psyches")
"""Words that only look like plurals; words in -s whose plural ends in -ses; plurals of words in -che."""
_SINGULARS = {plural: singular for singular, plural in _IRREGULAR.items()}


def _single(word: str) -> str:
    low = word.lower()
    if low in _SINGULARS:
        return word[:1] + _SINGULARS[low][1:]
    if len(low) < 4 or not low.endswith("s") or low.endswith(("ss", "us", "is")) or low in _ONE_FORM:
        return word
    if low.endswith(("ses", "zes")) and not low.endswith(("sses", "zzes")) and low[:-2] not in _IN_S:
        return word[:-1]
    if low in _CHES:
        return word[:-1]
    for ending, singular in (("ies", "y"), ("ves", "f"), ("ves", "fe"), ("es", ""), ("s", "")):
        single = word.removesuffix(ending) + singular
        if low.endswith(ending) and single != word and _plural(single) == word:
            return single
    return word


def _sibilant(word: str, low: str) -> str:
    """Return the plural of a word in -s."""
    if low.endswith("is") and low not in _ISES and len(low) > 3:
        return word[:-2] + "es"
    singular = low.endswith(("ss", "is")) or low in _GASES or (low.endswith("us") and low not in _MENUS)
    return word + "es" if singular else word
