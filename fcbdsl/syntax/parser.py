"""A source to its tree."""

from __future__ import annotations

from fcbdsl.diagnostics import Diagnostic, Problems
from fcbdsl.pausing import collector_paused
from fcbdsl.source import Source
from fcbdsl.syntax.blocks import BlockBuilder
from fcbdsl.syntax.characters import check_characters
from fcbdsl.syntax.outline import Outline
from fcbdsl.syntax.tree import File


def parse(source: Source) -> tuple[File, list[Diagnostic]]:
    """Parse a file; return its tree and every mistake, by place. Nothing an author can write raises.

    A line that doesn't parse is kept as a broken one, with its block, and hides no other line.
    """
    problems = Problems(check_characters(source))
    outline = Outline(source)
    blocks = BlockBuilder(source)
    with collector_paused():
        for line in outline.lines():
            blocks.add(line)
        lines, comments = blocks.finish(outline.comments)
    problems.extend(outline.findings)
    problems.extend(blocks.findings)
    return File(source, lines, comments), problems.sorted()
