"""The languages of rules text: a module of grammar for each, and a file of texts in `fcbdsl/base/locales`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from fcbdsl.language.prose.language import Language


def _english() -> Language:
    from fcbdsl.language.prose.english import English

    return English()


def _french() -> Language:
    from fcbdsl.language.prose.french import French

    return French()


def _german() -> Language:
    from fcbdsl.language.prose.german import German

    return German()


class _Languages(Mapping[str, Language]):
    """Languages by code, each made when it is first used: most projects use one or two."""

    def __init__(self, makers: dict[str, Callable[[], Language]]) -> None:
        self._makers = makers
        self._made: dict[str, Language] = {}

    def __getitem__(self, code: str) -> Language:
        if code not in self._made:
            self._made[code] = self._makers[code]()
        return self._made[code]

    def __contains__(self, code: object) -> bool:
        return code in self._makers

    def __iter__(self) -> Iterator[str]:
        return iter(self._makers)

    def __len__(self) -> int:
        return len(self._makers)


LANGUAGES: Mapping[str, Language] = _Languages({"en": _english, "fr": _french, "de": _german})
"""The languages of rules text, by code."""
