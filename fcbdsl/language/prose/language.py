"""The language-dependent part of rules text: tables of words and rules of spelling."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import ClassVar

from fcbdsl.base import locales
from fcbdsl.base.typography import HARD, with_capital
from fcbdsl.language.prose.phrase import Noun, NounPhrase
from fcbdsl.language.prose.rules_text import BOLD, ICON, LIGHT

_MARK = f"[{BOLD}{LIGHT}]*"
_LONE = re.compile(rf" (?={BOLD}?[A-Z]{LIGHT}?(?:[.,;:!?)](?!\w)|$))(?<=[\w”»{LIGHT}] )")
"""The space before a single capital at the end of a sentence, a clause or a line. Patterns that begin with a plain
space are searched fastest, so what is before it comes last."""
_NUMBER = re.compile(
    rf"(?:(?P<word>(?:(?<![^\W\d])[^\W\d][\w’-]*+|[”»)]){_MARK})(?P<back>[ {HARD}])|(?<![\w’-]))"
    rf"(?P<number>{_MARK}[+−-]?(?:\d+(?:[–/]\d+)?|[XYZW])(?![\w’-]){_MARK})"
    rf"(?:(?P<on>[ {HARD}])(?={_MARK}(?P<next>[^\W\d]|{ICON})(?P<rest>[\w’-]*)))?"
)
"""A number with the word before it and the counted word after it. A word that no number follows is tried once, not
from each of its letters."""
_COUNT = re.compile(r"[\dXYZW]")
"""Something in every number."""
_SHARE = re.compile(rf" (?<=\d )(?=(?P<link>[^\W\d]+){HARD}\d)")
"""The space between a number and a word that ties it to the next one: ``3 of 5``."""
_BEGINNINGS = ".!?…:•«“("
"""Characters behind which a sentence begins."""

_NAMED = re.compile(r"\[(/?\w+)\]")
"""A mark by its name."""
_TEMPLATES: dict[str, Mapping[str, str]] = {}
"""The parsed templates of each language."""


@lru_cache(maxsize=8192)  # titles and short phrases are printed many times
def _finished(language: Language, marked: str) -> str:
    return language.contract_articles(marked)


class Language(ABC):
    """Base class of languages.

    `words`: templates for the statements of the language itself. `nouns`: the built-in kinds. All other words come from
    games.
    """

    code: ClassVar[str]
    marks: ClassVar[Mapping[str, str]] = {}
    """Grammatical marks in templates (``[adj]`` in ``locales/de.toml``), by name: a control character each."""
    nouns: ClassVar[Mapping[str, Noun]]
    genders: ClassVar[str] = ""
    """The letters of its genders, if its words agree with them."""
    moments: ClassVar[tuple[str, ...]]
    """Beginnings of event texts that are a point in time."""
    capitals_tell: ClassVar[bool] = True
    """Whether a title in lower case is a common noun; if not, the title in the sources decides."""
    elliptic: ClassVar[bool] = True
    """Whether clauses in a row may leave out a subject that they share with the first."""
    articles: ClassVar[re.Pattern[str]]
    """A definite article at the beginning of a title."""
    able: ClassVar[re.Pattern[str]] = re.compile(r"(?P<un>)(?P<act>)(?!)")
    """A predicate of being able (`un`: unable) to do `act`; by default it matches nothing."""
    links: ClassVar[frozenset[str]]
    """Words that a number never counts: after one, it belongs to the words before it (``Range 3 of you``)."""

    presences: ClassVar[Mapping[str, str]] = {}
    """Beginnings of clauses about existing things, longest first, and the part that joined clauses share."""
    absences: ClassVar[tuple[str, str, str]] = ("", "", "")
    """Beginning of clauses about absent things; the part that joined clauses share; the last conjunction: no … nor
    any."""

    lacking: ClassVar[re.Pattern[str] | None] = None
    neither: ClassVar[tuple[str, str]] = ("", "")
    """The beginning of a clause about several absent things, and the conjunction: there is no key or lamp here.

    `lacking` matches a clause about one absent thing: its noun and the rest.
    """

    numerals: ClassVar[Mapping[str, int]]
    """Words for numbers, without accents."""
    plurals: ClassVar[str] = "nplurals=2; plural=(n != 1);"
    """The rule for plural forms, in gettext's syntax."""
    fillers: ClassVar[frozenset[str]]
    """Words without content, without accents."""

    @property
    def words(self) -> Mapping[str, str]:
        """Return the templates of statements, conditions and values by key, read on demand."""
        templates = _TEMPLATES.get(self.code)
        if templates is None:
            texts = locales.interface_texts("prose", self.code)
            templates = {key: _NAMED.sub(lambda match: self.marks.get(match[1], match[0]), texts[key]) for key in texts}
            _TEMPLATES[self.code] = templates
        return templates

    @abstractmethod
    def agree(self, options: list[str], phrase: NounPhrase) -> str:
        """Return the option of a bracket that fits `phrase`."""

    def yonder(self, noun: Noun) -> NounPhrase:
        """Return the noun after a « that » which is distinct from « this »; by default « that » is."""
        return self.determined("that", noun)

    @abstractmethod
    def determined(self, determiner: str, noun: Noun) -> NounPhrase:
        """Return the noun after a determiner: a, the, this, that, each, every, no, or count (`number of`)."""

    @abstractmethod
    def several(self, number: int) -> bool:
        """Return whether a number takes the plural."""

    @abstractmethod
    def counted(self, number: int, noun: Noun) -> NounPhrase:
        """Return a counted noun: ``2 spaces``."""

    @abstractmethod
    def you(self) -> NounPhrase:
        """Return the phrase for the reader."""

    @abstractmethod
    def owned(self, owner: NounPhrase, noun: Noun) -> NounPhrase:
        """Return ``your HP``, ``les PV de la cible``; `noun.many` is used if only it has both numbers."""

    @abstractmethod
    def its(self, noun: Noun, *, several: bool) -> NounPhrase:
        """Return ``its target``, ``sa cible``; ``their target`` if each of several things has one."""

    @abstractmethod
    def possessive(self, phrase: NounPhrase) -> str:
        """Return the possessive: ``your``, ``the hero’s``; in a language without that form, a phrase with ``of``."""

    @abstractmethod
    def clitic(self, phrase: NounPhrase) -> str | None:
        """Return the words at the place of an object that is the reader; None: the object stays in place."""

    @abstractmethod
    def until(self, moment: str) -> str:
        """Return ``until the end of the turn`` for a moment (``at the end of the turn``)."""

    def finish(self, marked: str) -> str:
        """Apply elisions, contractions and spacing to a whole generated sentence."""
        return _finished(self, marked)

    @abstractmethod
    def contract_articles(self, marked: str) -> str:
        """Return a generated sentence with elisions, contractions and spacing."""

    @abstractmethod
    def ranked(self, noun: str, superlative: str) -> str:
        """Return the noun with a superlative beside it (``closest hero``); empty if the superlative must come last."""

    @abstractmethod
    def adjective(self, qualification: str) -> str:
        """Return the adjective that a qualification consists of (``that is free`` → ``free``); empty if it is more."""

    @abstractmethod
    def attributed(self, noun: str, adjective: str) -> str:
        """Return the noun with an adjective: ``wounded hero``, ``héros blessé``."""

    @abstractmethod
    def many(self, title: str) -> str:
        """Return the regular plural of a title without a declared one.

        In a title of several words the head takes it, before the complement: swords of light, dés d'attaque.
        """

    def spaced(self, text: str) -> str:
        """Set the spaces that the language's print wants before and inside marks."""
        return text

    def named(self, title: str) -> str:
        """Return a name for the middle of a sentence, where an article at its beginning is in lower case."""
        return title

    piles_first: ClassVar[bool] = True
    """Whether the zone of a card comes before its properties (une carte du marché ayant un coût de 3)."""
    sums_agree: ClassVar[bool] = False
    """Whether a sum has the number and gender of its first operand."""
    finite: ClassVar[re.Pattern[str]] = re.compile(r"(?!)")
    """A finite verb, which makes a title a sentence (the house was burned)."""

    def is_sentence(self, title: str) -> bool:
        """Return whether a title is a sentence, which needs quotation marks inside another one."""
        return self.finite.search(title) is not None

    def headline(self, title: str) -> str:
        """Return a title for a heading; a common noun, which is in lower case in sentences, gets capitals there."""
        return with_capital(title)

    own_article: ClassVar[re.Pattern[str]] = re.compile(r"(?!)")
    """An article at the beginning of a title, in either case, definite or not; by default it matches nothing."""

    def is_name(self, determiner: str, noun: Noun) -> bool:
        """Return whether a noun is a name that does not take that determiner."""
        return noun.proper and determiner in {"a", "the", "this", "that"}

    def without_article(self, noun: Noun) -> Noun:
        """Return a noun without its article, because a determiner replaces it: not « the the house »."""
        one, many = self.own_article.sub("", noun.one), self.own_article.sub("", noun.many)
        return noun if (one, many) == (noun.one, noun.many) else replace(noun, one=one, many=many)

    def unarticled(self, title: str) -> str:
        """Return a title without the definite article with which it begins."""
        return self.articles.sub("", title)

    def single(self, title: str) -> str:
        """Return the singular of a title that is a plural; the title itself, if it is none."""
        return title

    def impersonal(self, clause: str) -> str:
        """Return an instruction in the form for cards that address no player; by default unchanged."""
        return clause

    @abstractmethod
    def pronoun(self, phrase: NounPhrase) -> NounPhrase:
        """Return the pronoun for the thing just named, as a subject: ``it``."""

    def supposed(self, template: str) -> str:
        """Return the words of an event in the conditional."""
        return template

    def awaited(self, template: str) -> str:
        """Return the template of an event until which something lasts."""
        return template

    def optional(self, clause: str) -> str:
        """Return orders as an offer; empty if the language has no form of its own for it."""
        return ""

    def provided(self, condition: str, before: str) -> str:
        """Return a condition in the form after a conjunction. `before`: the words that end with the conjunction."""
        return condition

    def articled(self, text: str) -> str:
        """Mark the article at the beginning of a phrase, so that it contracts with the word before it."""
        return text

    def gender(self, text: str) -> str:
        """Return the gender that the article of a phrase shows; empty if it shows none."""
        return ""

    def standing(self, place: str, head: NounPhrase) -> str:
        """Return where the things of a noun are, as its qualification; `head` has their gender and number.

        A language may need a word to distinguish it from a destination: « un Chasseur présent sur votre lieu ».
        """
        return place

    def again(self, phrase: NounPhrase) -> NounPhrase:
        """Return the phrase for the thing that the clause before named alone, in any place of a clause.

        A language whose pronouns have cases or places of their own repeats the noun.
        """
        return phrase

    def existing(self, phrase: NounPhrase) -> NounPhrase:
        """Return a phrase in a clause that says that it exists, which needs no word of `standing`."""
        return phrase

    def appositive(self, qualification: str) -> str:
        """Return a qualification that follows another one: ``that is not free`` → ``not free``."""
        return qualification

    def relative(self, clause: str, head: NounPhrase) -> str:
        """Return a clause on CANDIDATE as a relative clause (``that is hurt``, ``whose rank is 2``); empty if there is
        none.

        `head` has the gender and number of its antecedent.
        """
        return ""

    def unmarked(self, clause: str) -> str:
        """Return a clause without marks for word order and cases, because play fills it with plain titles."""
        return clause

    def bound(self, marked: str) -> str:
        """Join numbers and words by no-break spaces.

        A number is joined with the thing that it counts (``2 MP``), else with the word before it (``by 3.``, ``Range 3
        of you``), and always with a name (``Range 3 adjacent …``). Two numbers are joined with the word between them
        (``3 of 5``). A letter at the end of a sentence or clause is joined with the word before it (``route C.``).
        """
        if _COUNT.search(marked) is None:
            return _LONE.sub(HARD, marked)
        tied = _LONE.sub(HARD, _NUMBER.sub(self._tied, marked))
        return _SHARE.sub(lambda match: HARD if match["link"].lower() in self.links else match[0], tied)

    def _tied(self, match: re.Match[str]) -> str:
        word, before, number, after, beginning, rest = match.groups("")
        counts = bool(after) and (beginning + rest).lower() not in self.links
        if before and (not counts or (word[0].isupper() and not _begins_sentence(match))):
            before = HARD
        return word + before + number + (HARD if counts else after)

    openings: ClassVar[tuple[str, ...]] = ()
    """Words that lose their last vowel before certain words."""

    def opens(self, title: str) -> bool:
        """Return whether `openings` elide before a title."""
        return False

    def is_moment(self, text: str) -> bool:
        """Return whether the text of an event names a point in time rather than something that happens."""
        return text.lower().startswith(self.moments)


def _begins_sentence(match: re.Match[str]) -> bool:
    """Return whether a sentence begins with a match."""
    before = match.string[: match.start()].rstrip()
    return not before or before[-1] in _BEGINNINGS


def has_abbreviation(title: str) -> bool:
    """Return whether a title has an abbreviation in it (maximum HP): it has one form."""
    return any(len(word) > 1 and word.isupper() for word in title.split())


def head_and_complement(title: str, complement: re.Pattern[str]) -> tuple[str, str]:
    """Return the head of a title, and its complement."""
    match = complement.search(title)
    return (title[: match.start()], title[match.start() :]) if match is not None else (title, "")
