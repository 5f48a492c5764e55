"""Imports texts from a translator: finds the place of each and the resulting files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from pathlib import Path

from fcbdsl.base import bounds
from fcbdsl.base.catalog import (
    SEALS,
    SUFFIX,
    Catalog,
    Note,
    Translation,
    catalog_text,
    read_catalog,
    seal,
    seals_text,
    unfit,
)
from fcbdsl.base.diagnostics.problems import Problems
from fcbdsl.base.edits import TextEdit, apply_edits
from fcbdsl.base.files import CannotRead, read_regular, write_atomically
from fcbdsl.base.records import dataclass
from fcbdsl.base.source import Source
from fcbdsl.language.model.overlay import current_translations
from fcbdsl.language.model.texts import GenderText, PlainText, TableText, texts_of
from fcbdsl.language.model.whole import Model
from fcbdsl.language.syntax.decoding import read_source
from fcbdsl.language.syntax.formatting import quote
from fcbdsl.language.syntax.parser import parse
from fcbdsl.project.paths import shipped_path
from fcbdsl.project.project import Loader
from fcbdsl.tools.migration.run import Migrated
from fcbdsl.tools.translation.editing import QuotedText, nearest_text, spots
from fcbdsl.tools.translation.export import plurals_of
from fcbdsl.tools.translation.progress import Work, work_of


class NoPlace(Exception):
    """There is no folder for translations: loose files are no project."""


@dataclass(slots=True)
class Intake:
    """The result of an import. `sources`, `catalogs`: the new texts of sources and of catalogs.

    `unchanged`, `empty` (without optional ones), `fuzzy`: numbers of texts; `refused`: texts with the reason.
    """

    sources: list[Migrated] = field(default_factory=list)
    catalogs: dict[Path, str] = field(default_factory=dict)
    edited: int = 0
    kept: int = 0
    unchanged: int = 0
    empty: int = 0
    fuzzy: int = 0
    refused: list[tuple[str, str]] = field(default_factory=list)

    def write(self) -> Iterator[Path]:
        """Write the files atomically, and yield the path of each."""
        for source in self.sources:
            source.write()
            yield source.path
        for path, text in self.catalogs.items():
            write_atomically(path, text.encode("utf-8"))
            yield path


def import_catalog(loader: Loader, model: Model, catalog: Catalog) -> Intake:
    """Return the result of importing a catalog.

    A text that a source gives in that language is changed there, between its quotes. Any other is written to the
    project's file of that language, or beside the system that declares it, if the system belongs to the project. Raise
    NoPlace.
    """
    out = Intake()
    language = catalog.language
    work = {progress.telling.key: progress for progress in work_of(loader, model, language)}
    entries = current_translations([item.telling for item in work.values()], catalog.entries)
    edits: dict[str, list[tuple[TextEdit, Work, Translation]]] = {}
    homes: dict[Path, dict[str, Translation]] = {}
    beside = _in_catalogs(loader, language)
    files = {source.name: source for source in loader.sources}
    quotes: dict[str, list[QuotedText]] = {}
    for key, entry in entries.items():
        item = work.get(key)
        if not entry.text:
            out.empty += item is None or not item.telling.optional
        elif entry.fuzzy:
            out.fuzzy += 1
        elif item is None:
            out.refused.append((key, "there is no such text, or the sources tell it in their own way"))
        elif entry.source != item.source:
            out.refused.append((key, "the text has changed since"))
        elif why := _unfit(item.telling, entry):
            out.refused.append((key, why))
        elif (
            item.standing in ("translated", "stale")
            and key not in beside
            and item.telling.text_in(language) is not None
        ):
            if not _differs(item, entry, language):
                out.unchanged += 1
                continue
            name = item.telling.span.source.name
            if name not in quotes and name in files:
                quotes[name] = list(spots(parse(files[name])[0], language))
            text_edits = _edit(item, entry, language, quotes.get(name, []))
            if text_edits is None:
                out.refused.append((key, f"change it in {name}, line {item.telling.span.line}"))
            else:
                edits.setdefault(name, []).extend((each, item, entry) for each in text_edits)
        elif item.standing == "translated" and not _differs(item, entry, language):
            out.unchanged += 1
        else:
            homes.setdefault(home_of(loader, item.telling, language), {})[key] = entry
            out.kept += 1
    _edit_all(loader, edits, out)
    for path, fresh in homes.items():
        out.catalogs[path] = _merged(path, fresh, loader, model, language)
    return out


def _unfit(telling: TableText, entry: Translation) -> str:
    if isinstance(telling, GenderText) and entry.text not in ("m", "f", "n"):
        return "a gender is m, f or n"
    return unfit(entry.text, entry.source) or (entry.plural and unfit(entry.plural, entry.source_plural))


def _in_catalogs(loader: Loader, language: str) -> dict[str, None]:
    """Return the names of the texts that catalogs translate."""
    read = [catalog for catalog in loader.translations() if catalog.language == language]
    return {key: None for catalog in read for key, entry in catalog.entries.items() if entry.text}


def _differs(item: Work, entry: Translation, language: str) -> bool:
    plural = item.plurals(language)[1]
    return entry.text != item.text or bool(entry.plural and plural and entry.plural != plural)


def _edit(item: Work, entry: Translation, language: str, quotes: list[QuotedText]) -> list[TextEdit] | None:
    """Return the edits that change a text in its source; None if its quotes contain more than the text."""
    telling = item.telling
    begin, end = telling.span.start, _end(telling)
    if isinstance(telling, GenderText):
        return None
    out: list[TextEdit] = []
    spot = nearest_text(quotes, item.text, begin, end)
    if spot is None:
        return None
    if entry.text != item.text:
        out.append(TextEdit(spot.span, quote(entry.text)))
    plural = (
        telling.name.plural.get(language, "") if isinstance(telling, PlainText) and telling.name is not None else ""
    )
    if entry.plural and entry.plural != item.plurals(language)[1]:
        many = nearest_text(quotes, plural, spot.span.start, end, plural=True) if plural else None
        if many is None:
            return None
        out.append(TextEdit(many.span, quote(entry.plural)))
    return out


def _end(telling: TableText) -> int:
    """Return the end of the declaration that contains a text: the next line without indentation."""
    text = telling.span.source.text
    at = telling.span.start
    while 0 <= at < len(text):
        at = text.find("\n", at) + 1
        if at == 0:
            break
        if at < len(text) and text[at] not in " \n#":
            return at
    return len(text)


def _edit_all(loader: Loader, edits: Mapping[str, list[tuple[TextEdit, Work, Translation]]], out: Intake) -> None:
    """Add the edits of each file to the result, unless they change anything but those texts."""
    for name, edits_of_file in edits.items():
        source = next(migrated for migrated in loader.sources if migrated.name == name)
        after = apply_edits(source.text, list(dict.fromkeys(edit for edit, _, _ in edits_of_file)))
        keys = dict.fromkeys(item.telling.key for _, item, _ in edits_of_file)
        if _reads_otherwise(source, after):
            out.refused += [(key, f"change it in {name}: its words could not be told from others") for key in keys]
            continue
        out.edited += len(keys)
        out.sources.append(Migrated(Path(name), source, after, len(edits_of_file)))


def _reads_otherwise(source: Source, after: str) -> bool:
    """Return whether two versions of a file differ in more than quoted texts."""
    before, problems = parse(source)
    now, new_problems = parse(Source(source.name, after))
    return len(new_problems) > len(problems) or len(before.lines) != len(now.lines)


def home_of(loader: Loader, telling: TableText, language: str) -> Path:
    """Return the file for the translation of a text that no source gives. Raise NoPlace if there is none."""
    project = loader.project
    if project.root is None or not project.translations:
        raise NoPlace
    root, place = project.root.resolve(), Path(telling.span.source.name).resolve()
    for folder in (root / "systems", shipped_path("systems").resolve()):
        if place.is_relative_to(folder) and place.is_relative_to(root):
            system = place.relative_to(folder).parts[0]
            if system.endswith(".fcb"):
                return folder / f"{system.removesuffix('.fcb')}.{language}{SUFFIX}"
            return folder / system / f"{language}{SUFFIX}"
    return project.root / project.translations / f"{language}{SUFFIX}"


def _merged(path: Path, fresh: Mapping[str, Translation], loader: Loader, model: Model, language: str) -> str:
    """Return a file of translations with new entries, in the order of the texts; entries without a text come last."""
    earlier = _read(path)
    entries = {**(earlier.entries if earlier is not None else {}), **fresh}
    tellings = texts_of(model)
    ordered = [telling.key for telling in tellings if telling.key in entries]
    ordered += [key for key in entries if key not in dict.fromkeys(ordered)]
    notes = {
        telling.key: Note([(telling.span.source.name, 0)] if telling.span.source.name else [], [f"{telling.sort}."])
        for telling in tellings
    }
    return catalog_text(
        language, [entries[key] for key in ordered], notes, loader.project.name or "fcb", plurals_of(language)
    )


def _read(path: Path) -> Catalog | None:
    """Return the catalog in a file; None if it can't be read."""
    try:
        source, _ = read_source(str(path), read_regular(path, bounds.FILE_BYTES))
    except CannotRead:
        return None
    return read_catalog(source, Problems()) if source is not None else None


def seals_file(loader: Loader, model: Model, language: str) -> tuple[Path, str]:
    """Return the path and content of the hash file that marks all translations in sources as current. Raise NoPlace."""
    project = loader.project
    if project.root is None or not project.translations:
        raise NoPlace
    seals_by_key = {
        entry.telling.key: (seal(entry.source), seal(entry.text))
        for entry in work_of(loader, model, language)
        if entry.telling.text_in(language) is not None and entry.entry is None
    }
    return project.root / project.translations / f"{language}{SEALS}", seals_text(seals_by_key)
