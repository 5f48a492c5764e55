"""English."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import ClassVar

from fcbdsl.diagnostics.articles import a
from fcbdsl.prose.language import Language, abbreviated, headed
from fcbdsl.prose.phrase import Noun, NounPhrase
from fcbdsl.prose.text import ARTICLE

WORDS = {
    # statements
    "if": "if {condition}, {then}",
    "if block": "if {condition}:",
    "if chosen": "if you do, {then}",
    "if chosen block": "if you do:",
    "if chosen by": "if so, {then}",
    "if chosen by block": "if so:",
    "if declined": "if you do not, {then}",
    "if declined block": "if you do not:",
    "if declined by": "if not, {then}",
    "if declined by block": "if not:",
    "otherwise": "otherwise, {then}",
    "otherwise block": "otherwise:",
    "otherwise if": "otherwise, if {condition}, {then}",
    "for each": "for {each}, {then}",
    "for each block": "for {each}:",
    "for each at once": "at the same time, for {each}, {then}",
    "for each at once block": "at the same time, for {each}:",
    "for each in secret": "in secret, for {each}, {then}",
    "for each in secret block": "in secret, for {each}:",
    "all chosen": "once all have chosen, {then}",
    "all chosen block": "once all have chosen:",
    "done": "if that is done, {then}",
    "done block": "if that is done:",
    "done if willing": "if you do, {then}",
    "done if willing block": "if you do:",
    "steps": "in any order:",
    "steps by": "in an order that {by} [chooses|choose]:",
    "in any order": "{each}, in any order",
    "in any order by": "{each}, in an order that {by} [chooses|choose]",
    "repeat": "{times} time[s]: {then}",
    "repeat block": "{times} time[s]:",
    "repeat twice": "twice: {then}",
    "repeat twice block": "twice:",
    "repeat for ever": "again and again:",
    "choose": "choose {options}",
    "choose by": "{by} [chooses|choose] {options}",
    "may choose": "you may choose {options}",
    "may choose by": "{by} may choose {options}",
    "choose up to": "choose up to {limit} {options}",
    "choose up to by": "{by} [chooses|choose] up to {limit} {options}",
    "at random": "pick *at random* {options}",
    "choose one": "choose one:",
    "choose one by": "{by} [chooses|choose] one:",
    "may choose one": "you may choose one:",
    "may choose one by": "{by} may choose one:",
    "may": "you may {then}",
    "may by": "{by} may: {then}",
    "may block": "you may:",
    "may block by": "{by} may:",
    "roll": "roll {dice}:",
    "roll against": "roll {dice} against {other}:",
    "roll value": "roll {dice}",
    "roll on": "roll on the “{table}” table",
    "reroll": "reroll {dice} that shows {what}",
    "play": "play {mission}",
    "play rows": "play {mission}:",
    "won": "if you win",
    "lost": "if you lose",
    "drawn": "if it is a draw",
    "won by": "if {team} [wins|win]",
    "row": "{label}: {then}",
    "titled row": "{label} ({title})",
    "row block": "{label}:",
    "row else": "anything else",
    "win": "higher",
    "tie": "equal",
    "lose": "lower",
    "nothing happens": "nothing happens",
    "require": "only if {condition}",
    "nothing": "do nothing",
    "stop": "stop there",
    "break": "leave it at that",
    "cancel": "cancel {what}",
    "cancelled": "that",
    "answer": "the result is {value}",
    "until": "{moment}, {then}",
    "until event": "until {event}",
    "until block": "{moment}:",
    "offer": "{actors} may act",
    "offer by": "{actors} may act: {by} [decides|decide]",
    "offer once": "{actors} may take one action",
    "offer once by": "{actors} may take one action: {by} [decides|decide]",
    "win game": "you win",
    "lose game": "you lose",
    "draw game": "the game is a draw",
    "win game side": "{side} [wins|win]",
    "lose game side": "{side} [loses|lose]",
    "gain": "{subject} [gains|gain] {amount}",
    "you gain": "gain {amount}",
    "suffer": "{subject} [loses|lose] {amount}",
    "you lose": "lose {amount}",
    "raises": "raise {what} by {amount}",
    "lowers": "lower {what} by {amount}",
    "becomes": "set {what} to {value}",
    "turns to": "{what} [becomes|become] {value}",
    "becomes thing": "{value} [becomes|become] {what}",
    "gain status": "{subject} [becomes|become] *{status}* {whose}",
    "gain status times": "{subject} [becomes|become] *{status}* (×{count}) {whose}",
    "gain status more": "{subject} [becomes|become] *{status}* (+{count}) {whose}",
    "lose status": "remove *{status}* {whose} from {subject}",
    "let": "note {value}",
    # what the text has mentioned
    "chosen": "chosen {noun}",
    "noted": "noted {noun}",
    "number 1": "first {noun}",
    "number 2": "second {noun}",
    "number 3": "third {noun}",
    "number 4": "fourth {noun}",
    "number 5": "fifth {noun}",
    "number": "{noun} number {n}",
    "raise": "increase {what} by {amount}",
    "lower": "reduce {what} by {amount}",
    "add": "add {value} to {what}",
    "doubled": "double {what}",
    "halved": "halve {what} (rounded down)",
    "heading": "{title}:",
    # what waits
    "when": "when {event}: {then}",
    "when block": "when {event}:",
    "at": "{event}: {then}",
    "at block": "{event}:",
    "first": "when {event}, first: {then}",
    "first block": "when {event}, first:",
    "instead": "if {event}, do this instead: {then}",
    "instead block": "if {event}, do this instead:",
    "instead one": "if {event}, {then} instead",
    "instead one block": "if {event}, do this instead:",
    "may instead": "if {event}, you may do this instead: {then}",
    "may instead block": "if {event}, you may do this instead:",
    "may instead one": "if {event}, you may do this instead: {then}",
    "may instead one block": "if {event}, you may do this instead:",
    "event if": "{event}, if {condition}",
    "supposed if": "{event} while {condition}",
    "limit": "{event} ({often})",
    "once until": "once {moment}",
    "whenever": "whenever {condition}: {then}",
    "whenever block": "whenever {condition}:",
    "as soon as": "as soon as {condition}: {then}",
    "as soon as block": "as soon as {condition}:",
    "cost": "cost: {amount}",
    "while": "while {condition}, {then}",
    # changes
    "change": "{subject} [has|have] {amount}",
    "change value": "{subject} [has|have] {stat} {amount}",
    "double": "{what} [is|are] doubled",
    "least": "{what} [is|are] at least {amount}",
    "most": "{what} [is|are] at most {amount}",
    # conditions
    "is": "{subject} <[is|are]|[is|are] not> {predicate}",
    "can": "{subject} <can|cannot> {predicate}",
    "equal": "{left} <[is|are]|[is|are] not> {right}",
    "<": "{left} [is|are] less than {right}",
    "<=": "{left} [is|are] at most {right}",
    ">": "{left} [is|are] greater than {right}",
    ">=": "{left} [is|are] at least {right}",
    "=": "{left} [is|are] {right}",
    "!=": "{left} [is|are] not {right}",
    "has <": "{owner} [has|have] fewer than {amount}",
    "has <=": "{owner} [has|have] at most {amount}",
    "has >": "{owner} [has|have] more than {amount}",
    "has >=": "{owner} [has|have] at least {amount}",
    "has =": "{owner} [has|have] exactly {amount}",
    "has !=": "{owner} [does|do] not have exactly {amount}",
    "stands <": "{owner} [is|are] below {amount}",
    "stands <=": "{owner} [is|are] at {amount} or less",
    "stands >": "{owner} [is|are] above {amount}",
    "stands >=": "{owner} [is|are] at {amount} or more",
    "stands =": "{owner} [is|are] at {amount}",
    "stands !=": "{owner} [is|are] not at {amount}",
    "with <": "with fewer than {amount}",
    "with <=": "with at most {amount}",
    "with >": "with more than {amount}",
    "with >=": "with at least {amount}",
    "with =": "with exactly {amount}",
    "with !=": "without exactly {amount}",
    "has less than": "{owner} [has|have] {relation} {other}",
    "with less than": "with {relation} {other}",
    "than <": "less {left} than",
    "than >": "more {left} than",
    "than =": "as much {left} as",
    "than <=": "no more {left} than",
    "than >=": "no less {left} than",
    "than !=": "a different {left} from",
    "has token": "there is <{token}|no {bare}> on {owner}",
    "has status": "{owner} <[has|have]|[has|have] no> *{status}* {whose}",
    "is status": "{owner} <[is|are]|[is|are] not> *{status}* {whose}",
    "with status": "<with|without> *{status}* {whose}",
    "with token": "<with|without> {token}",
    "being status": "that <is|is not> *{status}* {whose}",
    "marked by": "placed by {by}",
    "turned by": "by {by}",
    "has one": "{owner} <[has|have] {one}|[has|have] no {bare}>",
    "exists": "{what} <[exists|exist]|[does|do] not exist>",
    "there is": "there is {what}",
    "leave none": "leave {what}",
    "there is one": "there is <one|none>",
    "there are <": "there [is|are] fewer than {amount}",
    "there are <=": "there [is|are] at most {amount}",
    "there are >": "there [is|are] more than {amount}",
    "there are >=": "there [is|are] at least {amount}",
    "there are =": "there [is|are] exactly {amount}",
    "there are !=": "the number of {what} is not {n}",
    "that": "that {clause}",
    "that is": "that <is|is not> {predicate}",
    "not": "not {predicate}",
    "which": "that",
    "such that": "such that {condition}",
    "other than": "other than {other}",
    "which is": "that is {other}",
    "other": "other {noun}",
    "others": "other {noun}",
    "and": " and ",
    "or": " or ",
    "without": "without ",
    "nor": " or ",
    "comma": ", ",
    "then": ", then ",
    "semicolon": "; ",
    # values
    "sum": "{left} plus {right}",
    "difference": "{left} minus {right}",
    "negative": "minus {right}",
    "product": "{left} times {right}",
    "quotient": "{left} divided by {right} (rounded down)",
    "quotient inside": "{left} divided by {right}, rounded down",
    "brackets": "({inside})",
    "lowest of": "the lower of {left} and {right}",
    "highest of": "the higher of {left} and {right}",
    "standing on": "on {space}",
    "number of": "the number of {what}",
    "per": "{amount} for {each}",
    "fewest": "with the lowest {key}",
    "most of": "with the highest {key}",
    "fewest quality": "with the lowest {key}",
    "most of quality": "with the highest {key}",
    "has quality": "{owner} [has|have] {what} {measure}",
    "with quality": "with {what} {measure}",
    "quality <": "below {amount}",
    "quality <=": "of {amount} or less",
    "quality >": "above {amount}",
    "quality >=": "of {amount} or more",
    "quality =": "of {amount}",
    "quality !=": "other than {amount}",
    "lying in": "in {zone}",
    "tied fewest": "lowest {key}",
    "tied most of": "highest {key}",
    "tied": "(tie: {criteria})",
    "ascending": "in ascending order of {key}",
    "descending": "in descending order of {key}",
    "first of all": "the {superlative} first",
    "region": "{title} {sort}",
    "taken from": "from {zone}",
    "among": "among {group}",
    "lying": "{token} on the board",
    "end of track": "End.",
    "each of": "each of {group}",
    "one of": "one of {group}",
    "all of": "all {group}",
    "seat": "player {number}",
    "countdown": "“{title}”",
    "gauge": "“{title}”",
    "scale": "{what} {numbers}",
    "piece at": "{piece} on {place}",
    "choose among": "choose {noun} among {options}",
    "where": "{clause}, where {letter} is {meaning}",
    "by": "chosen by {key}",
    "dice": "{count} {die}",
    "top": "the top card of {pile}",
    "yes": "yes",
    "no": "no",
    "nobody": "nobody",
    "none": "nothing",
    "open count": "",
    "range": "{low} to {high}",
    "open range": "{low} or more",
    "this card": "this card",
    "ground cost": "a step into it costs {n} instead of 1",
    "ground shut": "nobody can enter it",
    "ground sight": "it blocks the line of sight",
    "ground corners": "where two of them meet, nobody passes across the corner",
    "ground corners sight": "where two of them meet, nobody looks across the corner",
    "ground cover": "it gives cover",
    "ground nowhere": "nobody ever stands there",
    "ground no footing": "it is crossed at one stride, and nobody stops on it",
    "ground open": "it is like any other space",
    "barrier shut": "nobody can cross it",
    "barrier hinged": "while it is <|not >{state}, {told}",
    "barrier open": "it stops nobody",
    "ruling": "“{rule}”",
    "ruled": "the rule {rule} <applies|does not apply>",
}

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
"""Words that are small inside a title."""

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
    words: ClassVar[Mapping[str, str]] = WORDS
    nouns: ClassVar[Mapping[str, Noun]] = NOUNS
    moments: ClassVar[tuple[str, ...]] = ("at ",)
    articles: ClassVar[re.Pattern[str]] = re.compile("^the ")
    own_article: ClassVar[re.Pattern[str]] = re.compile("^(?:the|an?) ", re.IGNORECASE)
    able: ClassVar[re.Pattern[str]] = re.compile("(?P<un>un)?able to (?P<act>.*)")
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
        """``[s]`` for a plural; ``[is|are]``: it, they or you."""
        several = phrase.plural or phrase.person == 2
        if len(options) == 1:
            return options[0] if phrase.plural and options[0] in {"s", "es"} else ""
        return options[1] if several else options[0]

    def determined(self, determiner: str, noun: Noun) -> NounPhrase:
        noun = self.without_article(noun)
        if determiner == "a":
            return NounPhrase(a(noun.one).replace("an other ", "another "))
        if determiner in {"every", "all"}:
            return NounPhrase(f"all {noun.many}", plural=True)
        if determiner in {"the many", "those"}:
            return NounPhrase(f"{'the' if determiner == 'the many' else 'those'} {noun.many}", plural=True)
        if determiner == "count":
            return NounPhrase(noun.many, plural=True)
        return NounPhrase(f"{_DETERMINERS[determiner]} {noun.one}")

    def several(self, number: int) -> bool:
        return number != 1

    def counted(self, number: int, noun: Noun) -> NounPhrase:
        several = self.several(number)
        return NounPhrase(f"{number} {noun.many if several else noun.one}", plural=several)

    def you(self) -> NounPhrase:
        return NounPhrase("you", person=2)

    def owned(self, owner: NounPhrase, noun: Noun) -> NounPhrase:
        several, noun = noun.collective, self.without_article(noun)
        word = noun.many if several else noun.one
        if owner.person == 2:
            return NounPhrase(f"your {word}", plural=several)
        if " " in owner.text and re.search(r" (within|with|that|adjacent|on|in|of|other) ", owner.text):
            return NounPhrase(f"the {word} of {owner.text}", plural=several)
        return NounPhrase(f"{self.possessive(owner)} {word}", plural=several)

    def its(self, noun: Noun, *, several: bool) -> NounPhrase:
        return NounPhrase(f"{'their' if several else 'its'} {noun.one}")

    def many(self, title: str) -> str:
        return _many(title)

    def single(self, title: str) -> str:
        return single(title)

    def named(self, title: str) -> str:
        return re.sub(r"^(The|An?) ", lambda found: found[0].lower(), title)

    def pronoun(self, phrase: NounPhrase) -> NounPhrase:
        return phrase.saying("they" if phrase.plural else "it")

    def supposed(self, template: str) -> str:
        """``{who} [is|are] hurt`` → ``{who} would be hurt``."""
        verb = re.search(r"\[([^|\]]+)\|([^|\]]+)\]", template)
        if verb is None:
            return template
        return f"{template[: verb.start()]}would {'be' if verb[2] == 'are' else verb[2]}{template[verb.end() :]}"

    def possessive(self, phrase: NounPhrase) -> str:
        if phrase.person == 2:
            return "your"
        return phrase.text + ("’" if phrase.text.endswith("s") else "’s")

    def clitic(self, phrase: NounPhrase) -> str | None:
        """``move yourself`` is said ``move``: the reader is left out."""
        return "" if phrase.person == 2 else None

    def ranked(self, noun: str, superlative: str) -> str:
        return f"{superlative} {noun}" if " " not in superlative else ""

    def adjective(self, qualification: str) -> str:
        word = qualification.removeprefix("that is ")
        if re.fullmatch(r"not [A-Z]\w*", word):
            return "non-" + word.removeprefix("not ")
        return word if " " not in word else ""

    def attributed(self, noun: str, adjective: str) -> str:
        head, other, rest = noun.rpartition("other ")
        return f"{head}{other}{adjective} {rest}"

    def appositive(self, qualification: str) -> str:
        return qualification.removeprefix("that is ")

    def headline(self, title: str) -> str:
        """``house of cards`` → ``House of Cards``; what begins with a capital stands as its author wrote it."""
        if not title[:1].islower():
            return title
        words = title.split(" ")
        big = [re.sub(r"(?:^|(?<=-))[a-z]", lambda found: found[0].upper(), word) for word in words]
        return " ".join(word if at and word in _SMALL else big[at] for at, word in enumerate(words))

    def until(self, moment: str) -> str:
        return "until " + re.sub(r"^at ", "", moment)

    def finish(self, marked: str) -> str:
        text = marked.replace(ARTICLE, " ").replace("'", "’")
        text = re.sub(r"\bthe (\w+) of you\b", r"your \1", text)
        text = text.replace(" on the spaces within ", " within ")
        return self.bound(re.sub(r" {2,}", " ", text))


_COMPLEMENT = re.compile(r"(?<=\w) (?:of|in|with|without|for|from|to|on|at) ")
"""Where what hangs on the head of a title begins."""


@lru_cache(maxsize=4096)  # a title is told often
def _many(title: str) -> str:
    head, rest = headed(title, _COMPLEMENT)
    *before, last = head.split(" ")
    return " ".join([*before, _plural(last)]) + rest if not abbreviated(title) else title


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
"""Words that have no other plural: animals, and what is measured rather than counted."""
_K_SOUND = ("stomach", "monarch", "patriarch", "matriarch", "oligarch", "eunuch", "epoch", "loch", "tech", "mach")
"""Words in -ch that sound like -k, which take an -s."""
_OES = ("potato", "tomato", "hero", "echo", "torpedo", "veto", "embargo", "mosquito", "tornado", "volcano", "buffalo",
        "cargo", "domino", "mango")  # fmt: skip
_VES = ("wolf", "knife", "life", "wife", "leaf", "thief", "half", "shelf", "calf", "loaf", "elf", "self", "scarf",
        "wharf", "sheaf", "dwarf", "hoof", "werewolf", "midwife", "penknife")  # fmt: skip
_ISES = ("iris", "trellis", "metropolis", "pelvis", "clematis", "portcullis")
"""Words in -is that take an -es; the others change it to -es (crisis, crises)."""
_GASES = ("gas", "canvas", "atlas", "bias", "alias", "pancreas", "madras")
"""Words in -as that are no plurals."""
_MENUS = ("menus", "gurus", "emus", "gnus", "bayous", "caribous", "tutus", "plus")
"""Words in -us that are plurals, or have none."""


def _plural(word: str) -> str:
    """The plural of a word by how it sounds; one that looks like a plural stays as it is (boots)."""
    before, hyphen, last = word.rpartition("-")
    if hyphen and last:
        return f"{before}-{_plural(last)}"
    low = word.lower()
    if low in _IRREGULAR:
        made = _IRREGULAR[low]
        return made if word.islower() else word[:1] + made[1:]
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
"""Words that are no plurals; words in -s whose plural ends in -ses; plurals of words in -che."""
_SINGULARS = {plural: one for one, plural in _IRREGULAR.items()}


@lru_cache(maxsize=4096)
def single(title: str) -> str:
    """The singular of a title whose head is a regular plural; the title itself, if it is none."""
    head, rest = headed(title, _COMPLEMENT)
    *before, last = head.split(" ")
    made = _single(last)
    return " ".join([*before, made]) + rest if _plural(made) == last and not abbreviated(title) else title


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
        made = word.removesuffix(ending) + singular
        if low.endswith(ending) and made != word and _plural(made) == word:
            return made
    return word


def _sibilant(word: str, low: str) -> str:
    """The plural of a word in -s."""
    if low.endswith("is") and low not in _ISES and len(low) > 3:
        return word[:-2] + "es"
    singular = low.endswith(("ss", "is")) or low in _GASES or (low.endswith("us") and low not in _MENUS)
    return word + "es" if singular else word
