"""The languages that rules can be read in: a module of grammar for each, and a file of texts in `fcbdsl/locales`."""

from __future__ import annotations

from fcbdsl.prose.english import English
from fcbdsl.prose.french import French
from fcbdsl.prose.german import German
from fcbdsl.prose.language import Language

LANGUAGES: dict[str, Language] = {language.code: language for language in (English(), French(), German())}
"""The languages that rules can be read in, by code."""
