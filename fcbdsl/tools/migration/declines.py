"""Migration to language 2: tests decline questions explicitly."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from fcbdsl.base.edits import TextEdit
from fcbdsl.base.records import dataclass
from fcbdsl.base.source import Span
from fcbdsl.tools.migration.migration import Migration, Unclear

if TYPE_CHECKING:
    from fcbdsl.language.model.whole import Model
    from fcbdsl.language.syntax.tree import File


@dataclass(frozen=True, slots=True)
class Lack:
    """The steps that a test needs before a line (`last`: after it), or what is wrong there."""

    line: int
    step: str = ""
    last: bool = False
    wrong: str = ""


def declines(file: File, model: Model) -> Iterator[TextEdit | Unclear]:
    """Yield the missing ``decline`` lines of tests, where an open question used to be declined implicitly.

    It plays the tests. Failures with another cause need a person.
    """
    lines = file.source.text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    templates: dict[int, str] = {}
    for lack in _lacks(model).get(file.source.name, ()):
        if lack.wrong:
            yield Unclear(Span(file.source, starts[lack.line - 1], starts[lack.line] - 1), lack.wrong)
        else:
            at = _end(lines, lack.line) if lack.last else lack.line - 1
            templates[at] = templates.get(at, "") + f"  {lack.step}\n"
    for at, steps in templates.items():
        if at < len(lines):
            yield TextEdit(Span(file.source, starts[at], starts[at]), steps)
        else:
            end = len(file.source.text)
            yield TextEdit(Span(file.source, end, end), f"\n{steps.rstrip()}")


def _end(lines: Sequence[str], line: int) -> int:
    """Return the number of lines up to the end of the block that begins at a line."""
    depth = _depth(lines[line - 1])
    while line < len(lines) and lines[line].strip() and _depth(lines[line]) > depth:
        line += 1
    return line


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip())


@lru_cache(maxsize=1)
def _lacks(model: Model) -> dict[str, list[Lack]]:
    """Return the missing steps of a model's tests, by file; memoized, since it plays the tests."""
    from fcbdsl.language.compiler import lower
    from fcbdsl.machine.vm.image import Image
    from fcbdsl.play.testing.content_tests import mend_test, run_test

    image = Image(lower(model, tests=True))
    program = image.program
    out: dict[str, list[Lack]] = {}
    for number, test in enumerate(program.tests):
        if run_test(image, number, once=True).failure is None:
            continue
        mends, left = mend_test(image, number)
        for mend in mends:
            row = program.spans[mend.span if mend.span >= 0 else test.steps[-1].span]
            out.setdefault(program.files[row.file], []).append(Lack(row.line, mend.text, mend.span < 0))
        if left is not None:
            row = program.spans[left.span]
            wrong = f"the test `{test.title}` no longer holds: expected is {left.expected}; seen: {left.seen}"
            out.setdefault(program.files[row.file], []).append(Lack(row.line, wrong=wrong))
    return out


DECLINES = Migration(
    "decline-in-so-many-words",
    2,
    "tests decline in so many words",
    declines,
    sound=True,
)
