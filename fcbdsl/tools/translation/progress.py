"""How far the translation into a language is: text by text, and summed up by file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from fcbdsl.base.catalog import Catalog, Translation, TranslationSeals, read_seals
from fcbdsl.base.diagnostics.problems import Problems
from fcbdsl.base.records import dataclass
from fcbdsl.language.model.overlay import settled
from fcbdsl.language.model.texts import REFERENCE, GenderText, PlainText, TableText, TemplateText, texts_of
from fcbdsl.language.model.whole import Model
from fcbdsl.language.prose import LANGUAGES
from fcbdsl.project.project import Loader

Standing = Literal["translated", "missing", "stale", "fuzzy"]
STANDINGS: tuple[Standing, ...] = ("translated", "missing", "stale", "fuzzy")


@dataclass(frozen=True, slots=True)
class Work:
    """A text and how it stands with its translation: what there is of it (`text`, and `plural` if it is a noun), and
    the entry of a catalog that is about it, if there is one."""

    telling: TableText
    standing: Standing
    text: str
    entry: Translation | None

    @property
    def source(self) -> str:
        """What is translated."""
        return self.telling.said(REFERENCE) or ""

    def plurals(self, language: str) -> tuple[str, str]:
        """The plural of the text and of its translation; empty if it is no noun."""
        name = self.telling.name if isinstance(self.telling, PlainText) else None
        if name is None:
            return "", ""
        made = LANGUAGES[language].many(self.text) if self.text and language in LANGUAGES else ""
        source = name.plural.get(REFERENCE) or LANGUAGES[REFERENCE].many(self.source)
        return source, name.plural.get(language) or made


def entries_of(catalogs: Iterable[Catalog], language: str) -> dict[str, Translation]:
    """What some catalogs say in a language; the last one counts."""
    found: dict[str, Translation] = {}
    for catalog in catalogs:
        if catalog.language == language:
            found |= catalog.entries
    return found


def seals_of(loader: Loader, language: str) -> TranslationSeals:
    """What is known of translations that stand in sources."""
    found = [read_seals(source, Problems()) for source in loader.seals]
    return next((one for one in found if one.language == language), TranslationSeals(language))


def work_of(loader: Loader, model: Model, language: str) -> list[Work]:
    """Every text of a model, but for those that a language tells in its own way in sources; in order."""
    tellings = texts_of(model)
    entries = settled(tellings, entries_of(loader.translations(), language))
    seals = seals_of(loader, language)
    return [_work(one, entries.get(one.key), seals) for one in tellings if one.told(language) != "own"]


def _work(telling: TableText, entry: Translation | None, seals: TranslationSeals) -> Work:
    source, text = telling.said(REFERENCE) or "", telling.said(seals.language)
    if text is not None:
        stale = seals.is_stale(telling.key, source, text)
        return Work(telling, "stale" if stale else "translated", text, entry)
    if entry is None or not entry.text:
        return Work(telling, "missing", "", entry)
    return Work(telling, "stale" if entry.source != source else "fuzzy", entry.text, entry)


def counted(work: Iterable[Work]) -> list[Work]:
    """What counts of it: what is optional does only if it is there."""
    return [one for one in work if one.standing != "missing" or not one.telling.optional]


def by_file(work: Sequence[Work]) -> dict[str, dict[Standing, int]]:
    """How many texts stand how, in each file of sources, in order."""
    found: dict[str, dict[Standing, int]] = {}
    for one in counted(work):
        row = found.setdefault(one.telling.span.source.name, dict.fromkeys(STANDINGS, 0))
        row[one.standing] += 1
    return found


def is_gender(telling: TableText) -> bool:
    """Whether a text is no text but the gender of one."""
    return isinstance(telling, GenderText)


def is_template(telling: TableText) -> bool:
    """Whether a text has slots and agreement."""
    return isinstance(telling, TemplateText)
