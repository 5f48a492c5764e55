"""The limits of lines count neither comments nor empty lines, however they are counted."""

from __future__ import annotations

import re

import pytest

from fcbdsl.base import bounds
from fcbdsl.base.source import Source
from fcbdsl.machine.geometry.generator import Generator
from fcbdsl.project.project import Loader
from fcbdsl.project.settings import Project

LINES = ("xxx", "", "  # a comment", "  yyy # a comment", "   ")


def accepted(texts: list[str]) -> list[bool]:
    """Return which texts the limits accept, by counting each line."""
    total, out = 0, []
    for text in texts:
        filled = sum(bool(re.match(r"\s*[^\s#]", line)) for line in text.split("\n"))
        fits = (
            filled <= bounds.FILE_LINES
            and text.count("\n") <= bounds.WHOLE_LINES
            and total + filled <= bounds.PROJECT_LINES
        )
        total += filled if fits else 0
        out.append(fits)
    return out


@pytest.mark.parametrize("seed", range(20))
def test_limits_count_filled_lines_only(monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    for name, limit in (("FILE_LINES", 30), ("WHOLE_LINES", 60), ("PROJECT_LINES", 100)):
        monkeypatch.setattr(bounds, name, limit)
    chance = Generator(seed, "lines")
    texts = [
        "\n".join(LINES[chance.below(len(LINES))] for _ in range(chance.below(70))) for _ in range(4 + chance.below(12))
    ]
    loader = Loader(Project())
    fits = [not loader._is_too_long(Source(f"{number}.fcb", text)) for number, text in enumerate(texts)]
    assert fits == accepted(texts)
    assert len(loader.problems.sorted()) == fits.count(False)
