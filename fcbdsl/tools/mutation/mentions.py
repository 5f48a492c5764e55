"""Which tests speak of what a mutant changes: a guess at who will notice it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from fcbdsl.language.model.lines import key_of
from fcbdsl.language.syntax.tree import File, Line
from fcbdsl.play.testing.impact import TestKey
from fcbdsl.tools.mutation.mutants import Mutant

ENOUGH = 2
"""More mentions in one test do not tell more."""
_REFUSING = ("refuse", "expect not offered")
_DECLARED = re.compile(r"(?:stat|field|zone) ([\w-]+)|([\w-]+)")
_WORD = re.compile(r"[\w-]+")


class TestMentions:
    """What tests say. `tests`: their places, in order of their numbers."""

    def __init__(self, files: Sequence[File], tests: Sequence[TestKey]) -> None:
        texts: dict[TestKey, list[str]] = {}
        self._files = {file.source.name: file for file in files}
        for file in files:
            for line in file.lines:
                if key_of(line) == "test":
                    texts[file.source.name, line.span.line] = list(_lines(line))
        self._tests = [texts.get(key, []) for key in tests]
        self._whole = ["\n".join(lines) for lines in self._tests]
        self._known: dict[str, list[int]] = {}

    def of(self, mutant: Mutant) -> list[int]:
        """Of each test, how much it says of what a mutant changes."""
        found = [self._said(words) for words in self._words(mutant)]
        return [sum(each) for each in zip(*found, strict=True)] if found else [0] * len(self._tests)

    def _said(self, words: str) -> list[int]:
        known = self._known.get(words)
        if known is None:
            pattern = re.compile(rf"(?<![\w-]){re.escape(words)}(?![\w-])")
            known = self._known[words] = [
                self._weight(pattern, whole, lines) for whole, lines in zip(self._whole, self._tests, strict=True)
            ]
        return known

    def _weight(self, pattern: re.Pattern[str], whole: str, lines: Sequence[str]) -> int:
        count = len(pattern.findall(whole))
        if not count:
            return 0
        refused = any(line.startswith(_REFUSING) and pattern.search(line) for line in lines)
        return min(count, ENOUGH) + refused

    def _words(self, mutant: Mutant) -> Iterable[str]:
        """The words by which a test may call what is changed: how an action is written, the name of a form or a
        definition, what a line of a kind declares."""
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
        """How the action is written in which a mutant stands."""
        for line in self._files[mutant.key.file].lines:
            if line.span.line <= mutant.line <= max(each.span.line for each in _below(line)):
                return next((_text(one).partition(":")[2].strip() for one in line.block if key_of(one) == "form"), "")
        return ""


def _below(line: Line) -> Iterator[Line]:
    yield line
    for each in line.block:
        yield from _below(each)


def _lines(line: Line) -> Iterator[str]:
    """The texts of a line and of all below it."""
    return (_text(each) for each in _below(line))


def _text(line: Line) -> str:
    return line.source.text[line.offset : line.end].rstrip()
