"""Finds tests that mention what a mutant changes: a guess at which will notice it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from fcbdsl.language.model.lines import keyword_of
from fcbdsl.language.syntax.tree import File, Line
from fcbdsl.play.testing.impact import TestKey
from fcbdsl.tools.mutation.mutants import Mutant

ENOUGH = 2
"""Most mentions in one test that count."""
_REFUSING = ("refuse", "expect not offered")
_DECLARED = re.compile(r"(?:stat|field|zone) ([\w-]+)|([\w-]+)")
_WORD = re.compile(r"[\w-]+")


class TestMentions:
    """The texts of tests. `tests`: their keys, in order of their numbers."""

    def __init__(self, files: Sequence[File], tests: Sequence[TestKey]) -> None:
        texts: dict[TestKey, list[str]] = {}
        self._files = {file.source.name: file for file in files}
        for file in files:
            for line in file.lines:
                if keyword_of(line) == "test":
                    texts[file.source.name, line.span.line] = list(_lines(line))
        self._tests = [texts.get(key, []) for key in tests]
        self._whole = ["\n".join(lines) for lines in self._tests]
        self._known: dict[str, list[int]] = {}

    def of(self, mutant: Mutant) -> list[int]:
        """Return for each test how often it mentions what a mutant changes."""
        counts = [self._tests_with(words) for words in self._words(mutant)]
        return [sum(each) for each in zip(*counts, strict=True)] if counts else [0] * len(self._tests)

    def _tests_with(self, words: str) -> list[int]:
        tests = self._known.get(words)
        if tests is None:
            pattern = re.compile(rf"(?<![\w-]){re.escape(words)}(?![\w-])")
            tests = self._known[words] = [
                self._weight(pattern, whole, lines) for whole, lines in zip(self._whole, self._tests, strict=True)
            ]
        return tests

    def _weight(self, pattern: re.Pattern[str], whole: str, lines: Sequence[str]) -> int:
        count = len(pattern.findall(whole))
        if not count:
            return 0
        refused = any(line.startswith(_REFUSING) and pattern.search(line) for line in lines)
        return min(count, ENOUGH) + refused

    def _words(self, mutant: Mutant) -> Iterable[str]:
        """Return the words by which a test may refer to a change.

        These are the form of an action, the name of a form or a definition, or the declared name in a line of a kind.
        """
        sort, _, rest = mutant.key.of.partition(" ")
        name = rest.partition(" is ")[0]
        if sort in ("kind", "rule"):
            if mutant.key.text.startswith("keeps"):
                return _WORD.findall(mutant.key.change)[1:]
            declared = _DECLARED.match(mutant.key.text)
            return [declared[1] or declared[2]] if sort == "kind" and declared is not None else []
        if sort == "action":
            return [form] if (form := self._form(mutant)) else [name]
        return [name] if name else []

    def _form(self, mutant: Mutant) -> str:
        """Return the form of the action that contains a mutant."""
        for line in self._files[mutant.key.file].lines:
            if line.span.line <= mutant.line <= max(each.span.line for each in _below(line)):
                return next(
                    (_text(inner).partition(":")[2].strip() for inner in line.block if keyword_of(inner) == "form"), ""
                )
        return ""


def _below(line: Line) -> Iterator[Line]:
    yield line
    for each in line.block:
        yield from _below(each)


def _lines(line: Line) -> Iterator[str]:
    """Yield the texts of a line and of all lines below it."""
    return (_text(each) for each in _below(line))


def _text(line: Line) -> str:
    return line.source.text[line.offset : line.end].rstrip()
