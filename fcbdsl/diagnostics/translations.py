"""07: what keeps a translation from being used."""

from __future__ import annotations

from fcbdsl.diagnostics.base import Diagnostic


class BadCatalog(Diagnostic):
    code = "FCB0721"
    title = "A file of translations that cannot be read"
    cause = "This file of translations can't be used as it is: {why}."
    help = "Write it with `fcb i18n export`, and change it with a tool for PO files; docs/translating.md."
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
    title = "A text translated twice"
    cause = "`{name}` is translated twice in one file."
    help = "Keep one of the two entries."
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
    title = "A stale translation"
    cause = "`{name}` has changed since it was translated into {language}: it is now “{now}”."
    help = "{cure}"
    explanation = """
        A translation is of a text as it was then. In a file of translations the text itself stands beside it; a stale
        one is not used, and English stands in, until somebody has looked at it: `fcb i18n export` marks it as fuzzy,
        with the text as it was. Of translations that stand in sources a hash is kept by `fcb i18n seal`; they are
        printed as they are.
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
    title = "A translation that is not used"
    cause = "The translation of `{name}` into {language} is not used: {why}."
    help = "Correct the entry, or take it away."
    explanation = """
        A translation changes words and nothing else. It must be of a text that there is; be of a sensible length;
        hold no characters but those of a text; and a gender is m, f or n. What a source says in a language itself is
        not said once more in a file.
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
