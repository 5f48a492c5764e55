"""The progress of a translation: text by text, and summed up by file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from fcbdsl.base.catalog import Catalog, Translation, TranslationSeals, read_seals
from fcbdsl.base.diagnostics.problems import Problems
from fcbdsl.base.records import dataclass
from fcbdsl.language.model.overlay import current_translations
from fcbdsl.language.model.texts import REFERENCE, GenderText, PlainText, TableText, TemplateText, texts_of
from fcbdsl.language.model.whole import Model
from fcbdsl.language.prose import LANGUAGES
from fcbdsl.project.project import Loader

Standing = Literal["translated", "missing", "stale", "fuzzy"]
STANDINGS: tuple[Standing, ...] = ("translated", "missing", "stale", "fuzzy")


@dataclass(frozen=True, slots=True)
class Work:
    """A text and the state of its translation: the translation itself (`text`, and `plural` for a noun), and its entry
    in a catalog, if there is one."""

    telling: TableText
    standing: Standing
    text: str
    entry: Translation | None

    @property
    def source(self) -> str:
        """Return the text to translate."""
        return self.telling.text_in(REFERENCE) or ""

    def plurals(self, language: str) -> tuple[str, str]:
        """Return the plural of the text and of its translation; empty for other texts than nouns."""
        name = self.telling.name if isinstance(self.telling, PlainText) else None
        if name is None:
            return "", ""
        regular = LANGUAGES[language].many(self.text) if self.text and language in LANGUAGES else ""
        source = name.plural.get(REFERENCE) or LANGUAGES[REFERENCE].many(self.source)
        return source, name.plural.get(language) or regular


def entries_of(catalogs: Iterable[Catalog], language: str) -> dict[str, Translation]:
    """Return the entries of some catalogs for a language; the last one wins."""
    entries: dict[str, Translation] = {}
    for catalog in catalogs:
        if catalog.language == language:
            entries |= catalog.entries
    return entries


def seals_of(loader: Loader, language: str) -> TranslationSeals:
    """Return the hashes of translations in sources."""
    all_seals = [read_seals(source, Problems()) for source in loader.seals]
    return next((seals for seals in all_seals if seals.language == language), TranslationSeals(language))


def work_of(loader: Loader, model: Model, language: str) -> list[Work]:
    """Return every text of a model in order, except for those that a source writes separately for this language."""
    tellings = texts_of(model)
    entries = current_translations(tellings, entries_of(loader.translations(), language))
    seals = seals_of(loader, language)
    return [
        _work(telling, entries.get(telling.key), seals) for telling in tellings if telling.state_in(language) != "own"
    ]


def _work(telling: TableText, entry: Translation | None, seals: TranslationSeals) -> Work:
    source, text = telling.text_in(REFERENCE) or "", telling.text_in(seals.language)
    if text is not None:
        stale = seals.is_stale(telling.key, source, text)
        return Work(telling, "stale" if stale else "translated", text, entry)
    if entry is None or not entry.text:
        return Work(telling, "missing", "", entry)
    return Work(telling, "stale" if entry.source != source else "fuzzy", entry.text, entry)


def countable_texts(work: Iterable[Work]) -> list[Work]:
    """Return the texts that count: optional ones only if they are translated."""
    return [item for item in work if item.standing != "missing" or not item.telling.optional]


def work_by_file(work: Sequence[Work]) -> dict[str, dict[Standing, int]]:
    """Return the number of texts in each state, by source file, in order."""
    counts: dict[str, dict[Standing, int]] = {}
    for text in countable_texts(work):
        row = counts.setdefault(text.telling.span.source.name, dict.fromkeys(STANDINGS, 0))
        row[text.standing] += 1
    return counts


def is_gender(telling: TableText) -> bool:
    """Return whether an entry is not a text but the gender of one."""
    return isinstance(telling, GenderText)


def is_template(telling: TableText) -> bool:
    """Return whether a text has slots and agreement."""
    return isinstance(telling, TemplateText)
