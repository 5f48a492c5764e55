"""The languages of rules text: a module of grammar for each, and a file of texts in `fcbdsl/base/locales`."""

from __future__ import annotations

from fcbdsl.language.prose.english import English
from fcbdsl.language.prose.french import French
from fcbdsl.language.prose.german import German
from fcbdsl.language.prose.language import Language

LANGUAGES: dict[str, Language] = {language.code: language for language in (English(), French(), German())}
"""The languages of rules text, by code."""
