"""Random edits of source files: characters, words, lines and declarations, and undo."""

from __future__ import annotations

import re
from random import Random

_WORD = re.compile(r"[^\W\d][\w-]*")


def edited(text: str, random: Random, words: list[str], before: list[str]) -> str:
    """Return a text with one random edit.

    `words`: candidates to insert; `before`: earlier texts of the file, to go back to.
    """
    lines = text.split("\n")
    at = random.randrange(len(lines))
    match random.randrange(12):
        case 0:
            del lines[at]
        case 1:
            lines.insert(at, lines[random.randrange(len(lines))] if lines else "")
        case 2 if at + 1 < len(lines):
            lines[at], lines[at + 1] = lines[at + 1], lines[at]
        case 3:
            lines.insert(at, random.choice(["", "# a remark", "  # a remark"]))
        case 4:
            lines[at] = re.sub(
                r"\d+", lambda match: str(int(match[0]) + random.choice([-1, 1, 10])), lines[at], count=1
            )
        case 5:
            spot = random.randrange(len(lines[at]) + 1)
            lines[at] = lines[at][:spot] + random.choice('abz0 :,;"#') + lines[at][spot:]
        case 6 if lines[at]:
            spot = random.randrange(len(lines[at]))
            lines[at] = lines[at][:spot] + lines[at][spot + 1 :]
        case 7:
            starts = [number for number, line in enumerate(lines) if line and not line[0].isspace()]
            if len(starts) > 1:
                first = random.randrange(len(starts) - 1)
                block = lines[starts[first] : starts[first + 1]]
                del lines[starts[first] : starts[first + 1]]
                if random.random() < 0.5:
                    where = random.choice([number for number in starts if number <= len(lines)])
                    lines[where:where] = block
        case 8 if before:
            return random.choice(before)
        case _:
            names = list(_WORD.finditer(lines[at]))
            if names:
                word = random.choice(names)
                lines[at] = lines[at][: word.start()] + random.choice(words) + lines[at][word.end() :]
    return "\n".join(lines)


def words_of(text: str) -> list[str]:
    """Return the words of a text, with repetitions."""
    return _WORD.findall(text)
