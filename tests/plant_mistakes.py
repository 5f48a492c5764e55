"""Plants known mistakes into sound files, so that tests can check that each is found and none hides another.

A `Planter` changes one line of a file (a list of physical lines) and knows which code must be reported on which line.
Other test folders add mistakes to `PLANTERS`; `plant` picks some at random, never on adjacent lines.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

Change = Callable[[list[str], int], tuple[str, int] | None]
"""Changes the line of that index in place; returns (code, index of the line it is reported on), or None if it can't."""


@dataclass(frozen=True)
class Planter:
    """A kind of mistake."""

    name: str
    change: Change


@dataclass(frozen=True)
class Planted:
    """A mistake in a text: the code to be reported and the number of its line, from 1."""

    name: str
    code: str
    line: int


def plant(text: str, seed: int, count: int, planters: Sequence[Planter] | None = None) -> tuple[str, list[Planted]]:
    """Return `text` with up to `count` mistakes planted, and what they are, by line."""
    chance = random.Random(seed)
    lines = text.split("\n")
    free = [index for index, line in enumerate(lines) if _is_plain(lines, index)]
    chance.shuffle(free)
    planted: list[Planted] = []
    taken: set[int] = set()
    for index in free:
        if len(planted) == count:
            break
        if any(near in taken for near in range(index - 2, index + 3)):
            continue
        order = list(planters or PLANTERS)
        chance.shuffle(order)
        for planter in order:
            result = planter.change(lines, index)
            if result is not None:
                planted.append(Planted(planter.name, result[0], result[1] + 1))
                taken.add(index)
                break
    return "\n".join(lines), sorted(planted, key=lambda mistake: mistake.line)


def _is_plain(lines: list[str], index: int) -> bool:
    """Return whether a line is code without a comment, with no continuation or raw text near it."""
    if _raw_depth(lines, index):
        return False
    line = lines[index]
    near = lines[max(0, index - 1) : index + 2]
    return (
        bool(line.strip())
        and "#" not in line
        and "|" not in line
        and not any(n.split("#")[0].rstrip().endswith(",") for n in near)
    )


def _raw_depth(lines: list[str], index: int) -> bool:
    """Return whether a line is in a raw block."""
    column = _column(lines[index])
    for above in reversed(lines[:index]):
        if above.strip() and _column(above) < column:
            if above.rstrip().endswith("|"):
                return True
            column = _column(above)
    return False


def _column(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _below(lines: list[str], index: int) -> int | None:
    """Return the index of the next code line, if it is deeper."""
    for below in range(index + 1, len(lines)):
        if lines[below].strip() and not lines[below].lstrip().startswith("#"):
            return below if _column(lines[below]) > _column(lines[index]) else None
    return None


def _missing_colon(lines: list[str], index: int) -> tuple[str, int] | None:
    if not lines[index].endswith(":") or _below(lines, index) is None:
        return None
    lines[index] = lines[index][:-1]
    return "FCB0201", index


def _unclosed_string(lines: list[str], index: int) -> tuple[str, int] | None:
    at = lines[index].rfind('"')
    if at < 0 or lines[index].count('"') != 2:
        return None
    lines[index] = lines[index][:at] + lines[index][at + 1 :]
    return "FCB0108", index


def _typographic_quotes(lines: list[str], index: int) -> tuple[str, int] | None:
    if lines[index].count('"') != 2:
        return None
    lines[index] = lines[index].replace('"', "“", 1).replace('"', "”", 1)
    return "FCB0106", index


def _no_break_space(lines: list[str], index: int) -> tuple[str, int] | None:
    match = re.match(r" *[a-z-]+ [a-z]", lines[index])
    if match is None:
        return None
    at = match.end() - 2
    lines[index] = lines[index][:at] + "\u00a0" + lines[index][at + 1 :]
    return "FCB0106", index


def _over_indented(lines: list[str], index: int) -> tuple[str, int] | None:
    above = index - 1
    deeper = above >= 0 and bool(lines[above].strip()) and _column(lines[above]) == _column(lines[index]) - 2
    if not deeper or not lines[above].endswith(":") or _below(lines, index) is not None:
        return None
    lines[index] = "    " + lines[index]
    return "FCB0203", index


def _odd_indent(lines: list[str], index: int) -> tuple[str, int] | None:
    if _column(lines[index]) < 2 or _below(lines, index) is not None:
        return None
    lines[index] = " " + lines[index]
    return "FCB0204", index


def _odd_dedent(lines: list[str], index: int) -> tuple[str, int] | None:
    if _column(lines[index]) < 2 or _below(lines, index) is not None:
        return None
    lines[index] = lines[index][1:]
    return "FCB0204", index


def _tab(lines: list[str], index: int) -> tuple[str, int] | None:
    if _column(lines[index]) < 2:
        return None
    lines[index] = "\t" + lines[index][2:]
    return "FCB0107", index


def _second_colon(lines: list[str], index: int) -> tuple[str, int] | None:
    match = re.fullmatch(r" *[a-z-]+: [a-z0-9-]+", lines[index])
    if match is None:
        return None
    lines[index] += " more: 2"
    return "FCB0209", index


def _reserved_word(lines: list[str], index: int) -> tuple[str, int] | None:
    match = re.fullmatch(r"( *)[a-z-]+(: [^:]+)", lines[index])
    if match is None:
        return None
    lines[index] = f"{match[1]}where{match[2]}"
    return "FCB0207", index


def _open_parenthesis(lines: list[str], index: int) -> tuple[str, int] | None:
    match = re.fullmatch(r"( *[a-z-]+: )([a-z0-9-]+)", lines[index])
    if match is None:
        return None
    lines[index] = f"{match[1]}({match[2]}"
    return "FCB0210", index


def _dangling_operator(lines: list[str], index: int) -> tuple[str, int] | None:
    if not re.fullmatch(r" *[a-z-]+: [a-z0-9-]+", lines[index]):
        return None
    lines[index] += " +"
    return "FCB0208", index


def _doubled_equals(lines: list[str], index: int) -> tuple[str, int] | None:
    if " = " not in lines[index] or '"' in lines[index]:
        return None
    lines[index] = lines[index].replace(" = ", " == ", 1)
    return "FCB0113", index


def _full_stop(lines: list[str], index: int) -> tuple[str, int] | None:
    if not re.search(r"[a-z]$", lines[index]) or _below(lines, index) is not None:
        return None
    lines[index] += "."
    return "FCB0111", index


def _digit_name(lines: list[str], index: int) -> tuple[str, int] | None:
    match = re.fullmatch(r"( *[a-z-]+: )([a-z][a-z0-9-]*)", lines[index])
    if match is None:
        return None
    lines[index] = f"{match[1]}9{match[2].lstrip('d')}x"
    return "FCB0110", index


PLANTERS: tuple[Planter, ...] = (
    Planter("missing colon", _missing_colon),
    Planter("unclosed string", _unclosed_string),
    Planter("typographic quotes", _typographic_quotes),
    Planter("no-break space", _no_break_space),
    Planter("over-indented", _over_indented),
    Planter("odd indent", _odd_indent),
    Planter("odd dedent", _odd_dedent),
    Planter("tab", _tab),
    Planter("second colon", _second_colon),
    Planter("reserved word", _reserved_word),
    Planter("open parenthesis", _open_parenthesis),
    Planter("dangling operator", _dangling_operator),
    Planter("doubled equals", _doubled_equals),
    Planter("full stop", _full_stop),
    Planter("digit first", _digit_name),
)
