"""Overlay of translations from files on a model: they add texts in a language, and can change nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fcbdsl.base.catalog import SUFFIX, Catalog, Translation, TranslationSeals, unfit
from fcbdsl.base.diagnostics.base import Diagnostic
from fcbdsl.base.diagnostics.translations import StaleTranslation, UnusableTranslation
from fcbdsl.base.source import Source, Span
from fcbdsl.language.model.declarations import Wording
from fcbdsl.language.model.texts import (
    REFERENCE,
    GenderText,
    PlainText,
    TableText,
    TemplateText,
    key_without_number,
    texts_of,
)
from fcbdsl.language.model.whole import Model


def overlay(model: Model, catalogs: Sequence[Catalog]) -> list[Diagnostic]:
    """Add the translations of catalogs to the texts of a model, and return their problems.

    If two catalogs translate the same text, the last one counts. A second call changes nothing.
    """
    if not catalogs:
        return []
    problems: list[Diagnostic] = []
    tellings = texts_of(model)
    by_language: dict[str, dict[str, Translation]] = {}
    for catalog in catalogs:
        by_language.setdefault(catalog.language, {}).update(catalog.entries)
    for language, entries in by_language.items():
        _laid(model, tellings, language, entries, problems)
    model.translated = tuple(by_language)
    lent = [catalog.source.name for catalog in catalogs if catalog.lent]  # they cover more than the project
    return [problem for problem in problems if problem.span.source.name not in lent]


def name_language(model: Model) -> None:
    """Assign texts of the project without a language to its first language, if English is none of its languages.

    A text that already exists in that language stays. Wordings are left out, because they always name their language.
    """
    language = model.unlabelled()
    if language == REFERENCE:
        return
    for telling in texts_of(model):
        if model.is_lent(telling.span) or isinstance(telling, TemplateText):
            continue
        if isinstance(telling, GenderText):
            if REFERENCE in telling.name.gender:
                telling.name.gender.setdefault(language, telling.name.gender[REFERENCE])
            continue
        text = telling.text_in(REFERENCE)
        if text is not None and telling.text_in(language) is None:
            telling.put(language, text, telling.span)
            if isinstance(telling, PlainText) and telling.name is not None and REFERENCE in telling.name.plural:
                telling.name.plural.setdefault(language, telling.name.plural[REFERENCE])


def _laid(
    model: Model,
    tellings: Sequence[TableText],
    language: str,
    entries: dict[str, Translation],
    problems: list[Diagnostic],
) -> None:
    """Add the translations into one language to the texts of a model; report those that do not fit."""
    by_key = {text.key: text for text in tellings}
    for key, entry in current_translations(tellings, entries).items():
        if not entry.text:
            continue
        telling = by_key.get(key)
        source = telling.text_in(REFERENCE) if telling is not None else None
        why = _refused(telling, entry, language)
        if why:
            problems.append(UnusableTranslation(entry.span, name=entry.key, language=language, why=why))
        elif telling is not None and source is not None and source != entry.source:
            cure = f"Translate it again; it was “{_short(entry.source)}”."
            problems.append(
                StaleTranslation(entry.span, name=entry.key, language=language, now=_short(source), cure=cure)
            )
        elif telling is not None and not entry.fuzzy:
            telling.put(language, entry.text, entry.span)
            if isinstance(telling, PlainText) and telling.name is not None and entry.plural:
                telling.name.plural[language] = entry.plural
    for texts in _wordings(model):
        _silent(texts, language)


def _refused(telling: TableText | None, entry: Translation, language: str) -> str:
    """Return why a translation may not be used; empty if it may."""
    if telling is None:
        return "the project has no such text"
    if language == REFERENCE:
        return "the sources already use that language"
    if isinstance(telling, GenderText) and entry.text not in ("m", "f", "n"):
        return "a gender must be m, f or n"
    if _is_in_source(telling, entry, language):
        return "the source already has it in that language"
    return unfit(entry.text, entry.source) or (entry.plural and unfit(entry.plural, entry.source_plural))


def _is_in_source(telling: TableText, entry: Translation, language: str) -> bool:
    """Return whether a source gives a text in a language. A wording in that language is enough.

    A wording that an earlier overlay added is not from a source; its text equals the entry.
    """
    if isinstance(telling, TemplateText):
        return any(text.language == language and not _is_laid(text) for text in telling.texts)
    return telling.text_in(language) not in (None, entry.text)


def _is_laid(text: Wording) -> bool:
    """Return whether a wording comes from a catalog."""
    return text.span.source.name.endswith(SUFFIX)


def current_translations(tellings: Sequence[TableText], entries: Mapping[str, Translation]) -> dict[str, Translation]:
    """Return translations by the current keys of their texts.

    Texts without a name are numbered within their declaration. If such a number has changed, the text is found by its
    wording in the reference language.
    """
    reference_texts = {telling.key: telling.text_in(REFERENCE) for telling in tellings}
    by_words: dict[tuple[str, str | None], list[str]] = {}
    for key, text in reference_texts.items():
        if key_without_number(key) != key:
            by_words.setdefault((key_without_number(key), text), []).append(key)
    out: dict[str, Translation] = {}
    stray: list[Translation] = []
    for key, entry in entries.items():
        if reference_texts.get(key) == entry.source:
            out[key] = entry
        else:
            stray.append(entry)
    for entry in stray:
        like = [key for key in by_words.get((key_without_number(entry.key), entry.source), ()) if key not in out]
        key = like[0] if like else entry.key
        out.setdefault(key, entry)
    return out


def _wordings(model: Model) -> list[list[Wording]]:
    return [form.texts for form in model.forms] + [event.texts for event in model.events.values()]


def _silent(texts: list[Wording], language: str) -> None:
    """Add an empty wording in `language` for each empty wording of the reference language."""
    if any(text.language == language and not _is_laid(text) for text in texts):
        return
    for number, text in enumerate([wording for wording in texts if wording.language == REFERENCE]):
        case = TemplateText("", "", text.span, texts, number)
        if not text.template and case.text_in(language) is None:
            case.put(language, "", _UNWRITTEN)


_UNWRITTEN = Span(Source(SUFFIX, ""), 0, 0)
"""The span of empty wordings, which appear in no file."""


def _short(text: str) -> str:
    """Return the beginning of a text, for a message."""
    text = " ".join(text.split())
    return text if len(text) <= 60 else text[:59] + "…"


def stale(model: Model, seals: TranslationSeals) -> list[Diagnostic]:
    """Return a diagnostic for each translation in a source whose reference text has changed since."""
    problems: list[Diagnostic] = []
    for entry in texts_of(model):
        source, text = entry.text_in(REFERENCE), entry.text_in(seals.language)
        if source is not None and text is not None and seals.is_stale(entry.key, source, text):
            cure = f"Correct the translation. If it is still right, run `fcb i18n seal {seals.language}`."
            name, now = entry.key, _short(source)
            problems.append(StaleTranslation(entry.span, name=name, language=seals.language, now=now, cure=cure))
    return problems
