"""The languages that rules can be read in. A module for its grammar makes a language, and a file of words for what else
is printed (`fcbdsl/locales`)."""

from __future__ import annotations

from fcbdsl.prose.english import English
from fcbdsl.prose.french import French
from fcbdsl.prose.german import German
from fcbdsl.prose.language import Language

LANGUAGES: dict[str, Language] = {language.code: language for language in (English(), French(), German())}
"""The languages that rules can be read in, by code."""
