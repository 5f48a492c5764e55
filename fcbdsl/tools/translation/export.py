"""Exports texts for a translator: each with its name, its place, and comments."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from fcbdsl.base.catalog import Note, Translation, catalog_text
from fcbdsl.base.origin import HOME
from fcbdsl.base.typography import with_capital
from fcbdsl.language.model.content import Definition
from fcbdsl.language.model.texts import REFERENCE, PlainText
from fcbdsl.language.model.whole import Model
from fcbdsl.language.prose import LANGUAGES, rules_text
from fcbdsl.project.project import Loader
from fcbdsl.tools.translation.progress import Work, is_gender, is_template, work_of

MOST_WORDS = 8
"""Most glossary words with one text."""
MOST_RULES = 400
"""Most characters of rules text with a title."""


def sent(loader: Loader, model: Model, language: str, *, open_only: bool = False) -> str:
    """Return a catalog with all texts of a model, or with those whose translation is missing or stale."""
    work = [entry for entry in work_of(loader, model, language) if not open_only or entry.standing != "translated"]
    glossary = _Glossary(work_of(loader, model, language))
    entries, notes = [], {}
    for item in work:
        entries.append(entry_of(item, language))
        comments = [*_comments(item, model), *glossary.beside(item)]
        previous = item.entry.source if item.entry is not None and item.standing in ("stale", "fuzzy") else ""
        span = item.telling.span
        places = [(span.source.name, span.line)] if span.source.name else []
        notes[item.telling.key] = Note(places, comments, previous if previous != item.source else "")
    title = model.pack or model.title.title.get(REFERENCE, "") or loader.project.name or "fcb"
    return catalog_text(language, entries, notes, title, plurals_of(language))


def plurals_of(language: str) -> str:
    """Return the gettext rule by which a language chooses between singular and plural."""
    return LANGUAGES[language].plurals if language in LANGUAGES else "nplurals=2; plural=(n != 1);"


def entry_of(item: Work, language: str) -> Translation:
    """Return the present entry of a text."""
    plural, own = item.plurals(language)
    fuzzy = item.standing in ("stale", "fuzzy")
    return Translation(item.telling.key, item.source, item.text, item.telling.span, fuzzy, plural, own)


def _comments(item: Work, model: Model) -> Iterator[str]:
    """Yield the description of a text, and of its placeholders."""
    telling = item.telling
    yield with_capital(telling.sort) + "."
    if is_gender(telling):
        yield "The gender of the title before this, for articles: m, f or n. Leave it empty in a language without any."
    if is_template(telling):
        yield f"fcb fills in {{…}}; [a|b] agrees with the slot before it: {HOME}/blob/main/docs/language/texts.md#slots"
    owner = telling.owner
    if isinstance(owner, Definition) and telling.key.endswith(("/title", "/text")):
        rules = " ".join(rules_text(owner, model, REFERENCE, generated=True).plain().split())
        if rules:
            yield f"Rules: {rules if len(rules) <= MOST_RULES else rules[:MOST_RULES] + '…'}"


class _Glossary:
    """The titles of a game's declarations, with their translations."""

    def __init__(self, work: Sequence[Work]) -> None:
        titles = {
            item.source.partition("[")[0].casefold(): (item.source, item.text.partition("[")[0], item.telling.key)
            for item in work
            if isinstance(item.telling, PlainText) and item.telling.key.endswith("/title") and item.text and item.source
        }
        self._known = {words: entry for words, entry in titles.items() if len(words) > 2}
        longest = sorted(self._known, key=lambda words: (-len(words), words))
        pattern = "|".join(re.escape(words) for words in longest)
        self._pattern = re.compile(rf"(?<!\w)(?:{pattern})(?!\w)") if pattern else None

    def beside(self, item: Work) -> Iterator[str]:
        """Yield the glossary words in a text, for its translator."""
        if self._pattern is None or is_gender(item.telling):
            return
        terms = dict.fromkeys(self._pattern.findall(item.source.casefold()))
        own = [self._known[words] for words in terms]
        lines = [f"{source} = {text}" for source, text, key in own if key != item.telling.key]
        if lines:
            yield "Glossary: " + "; ".join(lines[:MOST_WORDS]) + "."
