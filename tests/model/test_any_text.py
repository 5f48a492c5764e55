"""A check of any text ends with problems, never with an exception."""

from __future__ import annotations

import random
import re

import pytest
from small import checked
from test_declarations import DUEL

from fcbdsl.base.diagnostics.report import findings_to_text
from fcbdsl.language.model.dump import dump

MORE = """
mission bridge "Bridge":
  fr: "Pont"
  players: 2
  map square:
    art: |
      +--+--+
      |a    |
      +--+--+
    legend:
      "a": ann
  gauge mood "Mood":
    fr: "Humeur"
    range: 0..3
    when fighter tires: raise mood
    tier 2, locked:
      on enter: lower mood
      while here: every fighter has +1 strength
test "Ann lunges" covers D-3:
  use mission bridge
  given ann's stamina = 2
  dice: heads, 3
  play ann lunges with rapier
  expect ann's stamina = 1
"""
WORDS = re.findall(r"[\w'-]+|\"[^\"]*\"|[:;,()=<>+*/#.|]", DUEL + MORE)


def changed(text: str, chance: random.Random) -> str:
    """Return the text with a few lines removed, doubled, moved, indented, or with other words."""
    lines = text.split("\n")
    for _ in range(chance.randint(1, 8)):
        at, other = chance.randrange(len(lines)), chance.randrange(len(lines))
        words = re.findall(r" +|[^ ]+", lines[at]) or [""]
        place = chance.randrange(len(words))
        match chance.randrange(7):
            case 0:
                lines[at] = ""
            case 1:
                lines.insert(at, lines[other])
            case 2:
                lines[at], lines[other] = lines[other], lines[at]
            case 3:
                lines[at] = "  " + lines[at]
            case 4:
                lines[at] = lines[at].removeprefix("  ")
            case 5:
                words[place] = chance.choice(WORDS)
                lines[at] = "".join(words)
            case _:
                words.insert(place, f" {chance.choice(WORDS)} ")
                lines[at] = "".join(words)
    return "\n".join(lines)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("seed", range(60))
def test_randomly_changed_text_is_checked_to_end(seed: int) -> None:
    text = changed(DUEL + MORE, random.Random(seed))
    model, problems = checked(text)
    assert dump(model).startswith("system ")
    assert findings_to_text(problems).count("-->") == len(problems)
    assert all(0 <= p.span.start <= p.span.end <= len(p.span.source.text) for p in problems)


def test_unchanged_text_has_no_errors() -> None:
    assert checked(DUEL + MORE)[1] == []
