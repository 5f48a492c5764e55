"""Problems that need the whole model are reported in each game where they are planted, and nothing else."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from games import GAMES, ROOT, content, first_few

from fcbdsl.project.project import check_project

PLANTED = """\
use {game}

kind zz-kite is piece:
  stat zz-pull: number 0.., starts 3
  at zz-dusk:
    for each zz-kite where it is not self and zz-pull > 2: zz-kite's zz-pull -1  # FCB0424
  when self zz-reels zz-pull: stop  # FCB0431
variant zz-wind: fair, foul  # FCB0319
die zz-string:
  faces: zz-taut 1, zz-slack 1
event zz-dusk:
  form: zz-dusk
event zz-reeling:
  takes: who (zz-kite), amount (number)
  form: who zz-reels amount
event zz-squall:
  form: zz-squall comes
rule zz-night "Night":  # FCB0315
  when zz-squall comes: stop  # FCB0317
verb zz-land:
  takes: who (zz-kite)
  effect:
    roll zz-string:
      zz-taut: stop  # FCB0611
      zz-slack: nothing
    for each space where any zz-kite on it: stop  # FCB0429
    for each zz-kite: announce zz-kite zz-reels 2
    announce zz-dusk
    stop
    who's zz-pull becomes 2  # FCB0610
"""
"""Mistakes that use only words of the language and their own, so that they fit each game."""


@pytest.mark.parametrize("game", first_few(reversed(GAMES), 1))
def test_lint_finds_only_planted_mistake(game: str, tmp_path: Path) -> None:
    path = tmp_path / "planted.fcb"
    text = PLANTED.format(game=game)
    path.write_text(text, encoding="utf-8")
    wanted = [
        (str(path), number, code)
        for number, line in enumerate(text.split("\n"), 1)
        for code in re.findall(r"# (FCB\d{4})$", line)
    ]
    _, problems = check_project([*content(game), path], tests=False, root=ROOT, game=game)
    assert sorted((problem.span.source.name, problem.span.line, problem.code) for problem in problems) == sorted(wanted)
