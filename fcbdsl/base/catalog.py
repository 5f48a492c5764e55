"""Files of translations: gettext's PO, read within bounds and written as its tools write it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING

from fcbdsl.base import bounds
from fcbdsl.base.diagnostics.problems import Problems
from fcbdsl.base.diagnostics.translations import BadCatalog, RepeatedTranslation
from fcbdsl.base.records import dataclass
from fcbdsl.base.source import Source, Span

if TYPE_CHECKING:
    from polib import POEntry

SUFFIX = ".po"
REFERENCE = "en"
"""The source language of translations, and the default language of a text."""
PLURALS = "nplurals=2; plural=(n != 1);"
"""The plural rule of most European languages."""
_LANGUAGE = re.compile(r"[a-z]{2}")
_LINE = re.compile(r'(?:\#.*|(?:(?:msgctxt|msgid|msgid_plural|msgstr(?:\[[0-9]\])?)\s+)?"(?:[^"\\]|\\.)*")?')
"""A line of a PO file. `polib` takes off the first and the last character of a text without looking at them."""


@dataclass(frozen=True, slots=True)
class Translation:
    """An entry of a catalog.

    `key`: the name of the text. `source`: the text when it was translated. `text`: its translation (empty: none yet).
    `source_plural`, `plural`: both plurals, for a noun. `fuzzy`: a translator must check it.
    """

    key: str
    source: str
    text: str
    span: Span
    fuzzy: bool = False
    source_plural: str = ""
    plural: str = ""


@dataclass(frozen=True, slots=True)
class Catalog:
    """The translations of a file into one language, by the names of the texts.

    `lent`: it is shipped with fcb, and may translate texts that a project does not use.
    """

    language: str
    source: Source
    entries: Mapping[str, Translation]
    lent: bool = False


@dataclass(frozen=True, slots=True)
class Note:
    """Additional information of an entry: places (file, and line or 0), and comments for the translator."""

    places: Sequence[tuple[str, int]] = ()
    comments: Sequence[str] = ()
    previous: str = ""


def language_of_catalog(name: str) -> str:
    """Return the language in the name of a file: ``de`` of ``de.po`` and ``core.de.po``; empty if there is none."""
    word = name.rsplit("/", 1)[-1].removesuffix(SUFFIX).rsplit(".", 1)[-1]
    return word if _LANGUAGE.fullmatch(word) else ""


def read_catalog(source: Source, problems: Problems) -> Catalog | None:
    """Return the catalog in a PO file; report a file that is not PO, has no language, or has duplicate entries."""
    import polib

    nowhere = Span(source, 0, 0)
    at = 0
    for line in source.text.splitlines(keepends=True):
        if _LINE.fullmatch(line.strip()) is None:
            problems.add(BadCatalog(Span(source, at, at + len(line.rstrip())), why="this is not a line of a PO file"))
            return None
        at += len(line)
    try:
        # polib opens a text that could be a file name; one with two lines cannot
        file = polib.pofile(source.text + "\n\n", encoding="utf-8", wrapwidth=0)
    except (OSError, ValueError, IndexError, KeyError, RecursionError) as error:
        found_at = re.search(r"line (\d+)", str(error))
        at = source.offset(int(found_at[1]), 1) if found_at is not None else 0
        problems.add(BadCatalog(Span(source, at, at), why="it is not a PO file"))
        return None
    language = file.metadata.get("Language", "") or language_of_catalog(source.name)
    if not _LANGUAGE.fullmatch(language):
        problems.add(BadCatalog(nowhere, why="its header has no line `Language: xx` with a code of two letters"))
        return None
    entries: dict[str, Translation] = {}
    for entry in file:
        if entry.obsolete:
            continue
        at = source.offset(entry.linenum or 1, 1)
        span = Span(source, at, at)
        if len(entries) >= bounds.TRANSLATIONS:
            problems.add(BadCatalog(span, why=f"it has more than {bounds.TRANSLATIONS:,} entries"))
            return None
        if not entry.msgctxt:
            problems.add(BadCatalog(span, why="an entry has no `msgctxt`, which names the text"))
            continue
        if entry.msgctxt in entries:
            problems.add(RepeatedTranslation(span, name=entry.msgctxt))
            continue
        why = _unused_part(entry)
        if why:
            problems.add(BadCatalog(span, why=why))
            continue
        plural = dict(entry.msgstr_plural) if entry.msgid_plural else {}
        entries[entry.msgctxt] = Translation(
            entry.msgctxt,
            entry.msgid,
            plural.get(0, "") if plural else entry.msgstr,
            span,
            "fuzzy" in entry.flags,
            entry.msgid_plural or "",
            plural.get(1, ""),
        )
    return Catalog(language, source, entries)


def _unused_part(entry: POEntry) -> str:
    """Return which part of an entry cannot be used; empty if there is none."""
    forms = sorted(entry.msgstr_plural)
    if not entry.msgid:
        return "the `msgid` of an entry is empty"
    if forms and not entry.msgid_plural:
        return "an entry has `msgstr[0]` without `msgid_plural`"
    if entry.msgid_plural and not forms:
        return "an entry has `msgid_plural` without `msgstr[0]`"
    if forms and forms not in ([0], [0, 1]):
        return "an entry has other plural forms than `msgstr[0]` and `msgstr[1]`; fcb knows `nplurals=2`"
    return ""


def catalog_text(
    language: str, entries: Iterable[Translation], notes: Mapping[str, Note], title: str, plurals: str = PLURALS
) -> str:
    """Return the text of a catalog, with a line end at its end.

    Entries stay in their order. It contains no date, so equal translations give equal text.
    """
    import polib

    file = polib.POFile(wrapwidth=0)
    file.metadata = {
        "Project-Id-Version": _line(title),
        "Language": language,
        "MIME-Version": "1.0",
        "Content-Type": "text/plain; charset=UTF-8",
        "Content-Transfer-Encoding": "8bit",
        "Plural-Forms": plurals,
    }
    for translation in entries:
        note = notes.get(translation.key, Note())
        entry = polib.POEntry(
            msgctxt=translation.key,
            msgid=translation.source,
            msgstr="" if translation.source_plural else translation.text,
            occurrences=[(name, str(line) if line else "") for name, line in note.places],
            comment="\n".join(map(_line, note.comments)),
            flags=["fuzzy"] if translation.fuzzy else [],
            previous_msgid=_previous(note.previous) or None,
        )
        if translation.source_plural:
            entry.msgid_plural = translation.source_plural
            entry.msgstr_plural = {0: translation.text, 1: translation.plural}
        file.append(entry)
    return str(file).rstrip("\n") + "\n"


def _previous(text: str) -> str:
    """Return an earlier source text without characters that end a line for some readers."""
    return "\n".join(map(_line, text.split("\n")))


def _line(text: str) -> str:
    """Return a text on one line."""
    return " ".join("".join(" " if unicodedata.category(c) in _STEERING else c for c in text).split())


def unfit(text: str, source: str) -> str:
    """Return why a text can't replace another one; empty if it can.

    It must be of sensible length. Control characters, which could affect print, and additional line breaks are refused.
    """
    if len(text) > bounds.TRANSLATION + 4 * len(source):
        return f"it has {len(text):,} characters"
    for letter in text:
        if letter == "\n" and "\n" in source:
            continue
        if unicodedata.category(letter) in _STEERING or letter in _TURNING:
            return f"it holds a character that is none of a text (U+{ord(letter):04X})"
    return ""


_STEERING = ("Cc", "Cs", "Co", "Cn", "Zl", "Zp")
"""Categories of characters that text cannot contain."""
_TURNING = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff"
"""Characters that change the direction of the text after them, so that it looks different from its content."""


# ── seals ──────────────────────────────────────────────────────────────────────────────────────


@dataclass(slots=True)
class TranslationSeals:
    """Hashes of texts and of their translations at the time when a translator confirmed that they agree."""

    language: str
    known: dict[str, tuple[str, str]] = field(default_factory=dict)

    def is_stale(self, key: str, source: str, text: str) -> bool:
        """Return whether a text has changed since then, but its translation has not."""
        sealed = self.known.get(key)
        return sealed is not None and sealed[0] != seal(source) and sealed[1] == seal(text)


def seal(text: str) -> str:
    """Return a short hash of a text."""
    import hashlib

    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=5).hexdigest()


SEALS = ".seals"
_SEALED = re.compile(r"([0-9a-f]{10}) ([0-9a-f]{10}) (\S.*)")


def read_seals(source: Source, problems: Problems) -> TranslationSeals:
    """Read a file of seals: on each line the two hashes and the name of a text."""
    seals = TranslationSeals(source.name.rsplit("/", 1)[-1].removesuffix(SEALS))
    for number, line in enumerate(source.text.splitlines(), start=1):
        match = _SEALED.fullmatch(line)
        if match is None and line.strip() and not line.startswith("#"):
            at = source.offset(number, 1)
            problems.add(BadCatalog(Span(source, at, at), why="this line must have two hashes and a name"))
        elif match is not None:
            seals.known[match[3]] = (match[1], match[2])
    return seals


def seals_text(seals: Mapping[str, tuple[str, str]]) -> str:
    """Return the text of a file of seals, sorted by name, so that branches merge line by line."""
    head = "# Written by fcb i18n seal: hashes of texts and of their translations, which agreed then.\n"
    return head + "".join(f"{source} {text} {key}\n" for key, (source, text) in sorted(seals.items()))
