"""07: problems that keep a translation from being used."""

from __future__ import annotations

from fcbdsl.base.diagnostics.base import Diagnostic


class BadCatalog(Diagnostic):
    code = "FCB0721"
    title = "Invalid file of translations"
    cause = "fcb cannot use this file of translations: {why}."
    help = "Write it with `fcb i18n export`, and edit it with a tool for PO files. See `fcb help translating`."
    explanation = """
        A file of translations is a PO file: a header with the language, then entries with `msgctxt`, `msgid` and
        `msgstr`.
    """
    bad = """
        msgid "Rope"
        msgstr "Seil"
    """
    good = """
        msgid ""
        msgstr "Language: de"

        msgctxt "tool/rope/title"
        msgid "Rope"
        msgstr "Seil"
    """


class RepeatedTranslation(Diagnostic):
    code = "FCB0722"
    title = "Text translated twice"
    cause = "This file translates `{name}` twice."
    help = "Remove one of the two entries."
    explanation = """
        Each text has one translation. fcb does not choose between two.
    """
    bad = """
        msgctxt "tool/rope/title"
        msgid "Rope"
        msgstr "Seil"

        msgctxt "tool/rope/title"
        msgid "Rope"
        msgstr "Tau"
    """
    good = """
        msgctxt "tool/rope/title"
        msgid "Rope"
        msgstr "Seil"
    """


class StaleTranslation(Diagnostic):
    code = "FCB0723"
    severity = "warning"
    title = "Outdated translation"
    cause = "`{name}` has changed since its translation into {language}. It is now “{now}”."
    help = "{cure}"
    explanation = """
        A file of translations holds each text as it was at its translation. If the text has changed, fcb prints English
        instead, and `fcb i18n export` marks the entry as fuzzy. fcb still prints translations in sources; `fcb i18n
        seal` records that they are correct.
    """
    bad = """
        msgctxt "tool/rope/flavour"
        msgid "Ten meters long."
        msgstr "Zehn Meter lang."
    """
    good = """
        msgctxt "tool/rope/flavour"
        msgid "Twenty meters long."
        msgstr "Zwanzig Meter lang."
    """


class UnusableTranslation(Diagnostic):
    code = "FCB0724"
    severity = "warning"
    title = "Translation that is not used"
    cause = "fcb does not use the translation of `{name}` into {language}: {why}."
    help = "Correct the entry, or remove it."
    explanation = """
        A translation must belong to an existing text, keep to the limit of its length, and contain no control
        characters. A gender is `m`, `f` or `n`. A text that a source has in this language needs no translation.
    """
    bad = """
        msgctxt "kind/tool/gender"
        msgid "m, f or n"
        msgstr "s"
    """
    good = """
        msgctxt "kind/tool/gender"
        msgid "m, f or n"
        msgstr "n"
    """
