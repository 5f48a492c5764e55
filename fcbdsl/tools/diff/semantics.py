"""The behavior of declarations without their texts: two that do the same have equal results."""

from __future__ import annotations

import re
from dataclasses import replace

from fcbdsl.language.model.content import Definition, Track
from fcbdsl.language.model.declarations import Name
from fcbdsl.language.model.dump import definition_lines, shared_lines
from fcbdsl.language.model.whole import Model

_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')
_NAMELESS = Name()
Lines = tuple[str, ...]


def behavior_lines(definition: Definition) -> Lines:
    """Return the behavior of a definition with the texts shown during play: its typed tree, without texts of print."""
    return tuple(definition_lines(_bare(definition)))


def without_words(lines: Lines) -> Lines:
    """Return the lines without the texts shown during play."""
    return tuple(_QUOTED.sub('"…"', line) for line in lines)


def _bare(definition: Definition) -> Definition:
    values = {key: value for key, value in definition.values.items() if value.texts is None}
    return replace(
        definition,
        name=_NAMELESS,
        values=values,
        parts=[_bare(part) for part in definition.parts],
        tracks=[_track(track) for track in definition.tracks],
        board=None,  # maps are compared space by space
    )


def _track(track: Track) -> Track:
    return replace(track, name=_NAMELESS, tiers=[replace(tier, name=_NAMELESS) for tier in track.tiers])


def shared_declarations(model: Model) -> dict[str, Lines]:
    """Return the other declarations of a game, by sort and name: kinds, forms, rules, actions and the like."""
    lines_of: dict[str, list[str]] = {}
    name = ""
    for line in shared_lines(model):
        if not line.startswith(" "):
            name = " ".join(re.split(r"[(:,]", line, maxsplit=1)[0].split()[:2])
        lines_of.setdefault(name, []).append(line.rstrip())
    return {name: tuple(lines) for name, lines in lines_of.items()}
