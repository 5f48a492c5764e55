"""The kinds that every game has, and their columns."""

from __future__ import annotations

from collections.abc import Iterable

from fcbdsl.language.model.declarations import NOWHERE, Field, Kind, Name
from fcbdsl.language.model.identity_cache import IdentityCache
from fcbdsl.language.model.ir import NUMBER, SPACE, Const, Type
from fcbdsl.language.model.whole import Model

_KINDS = (
    ("thing", None), ("piece", "thing"), ("card", "thing"), ("space", "thing"), ("player", "thing"),
    ("track", "thing"), ("countdown", "track"), ("gauge", "track"), ("mission", "thing"), ("campaign", "thing"),
    ("game", "thing"), ("record", "thing"), ("region", "thing"), ("side", "thing"),
)  # fmt: skip
"""Names of the built-in kinds, and their parents."""

_COLUMNS = (
    ("thing", "place", SPACE),
    ("thing", "zone", Type("zone", "thing")),
    ("thing", "holder", Type("thing", "thing")),
    ("thing", "controller", Type("thing", "player")),
    ("thing", "definition", Type("definition", "thing")),
    ("thing", "bearer", Type("definition", "thing")),
    ("thing", "copy", NUMBER),
    ("space", "terrain", Type("terrain")),
    ("player", "number", NUMBER),
    ("track", "value", NUMBER),
)
"""Columns that the machine itself maintains: kind, name, type."""

STAGED = ("place", "zone", "holder", "controller", "terrain", "value")
"""Columns to which a test may give a start value; in play, verbs change them."""

_ONCE = ("space", "player", "track", "mission", "campaign", "game", "region", "side")
"""Kinds whose definitions always have exactly one instance each."""

UNDEFINED = ("player", "game", "record")
"""Kinds whose instances have no definition: their fields always begin with the default value."""

RECORDS = 16
"""Records of one kind that can be in use at once, by default; ``copies`` of the kind changes it."""

TEAM = "team"
"""The kind of teams; only games that declare a team have it."""

ENDING = "ending"
"""The kind of named endings of missions; only games that declare an ending have it."""

COMPASS = {
    "N": ("north", "nord"),
    "NE": ("northeast", "nord-est"),
    "E": ("east", "est"),
    "SE": ("southeast", "sud-est"),
    "S": ("south", "sud"),
    "SW": ("southwest", "sud-ouest"),
    "W": ("west", "ouest"),
    "NW": ("northwest", "nord-ouest"),
}
"""Directions that need no title, with their names in English and French."""

BUILTIN_KINDS = (*(name for name, _ in _KINDS), TEAM)


DOCS = {
    "place": "Space where it is; nothing if it is not on the board.",
    "zone": "Zone in which it lies, such as a hand or a deck.",
    "holder": "Thing that holds it.",
    "controller": "Player who decides for it.",
    "definition": "Definition of which it is one copy.",
    "bearer": "Definition for which its card is made.",
    "copy": "Number of this copy of its definition.",
    "terrain": "Terrain of the space.",
    "number": "Number of the player at the table, from 1.",
    "value": "Value that the track shows.",
    "part-of": "Thing of which this is a part.",
    "copies": "Number of copies in the game box.",
    "team": "Team to which the player belongs.",
    "story": "Words that are shown when a game ends so.",
}
"""Description of each built-in column, for authors."""


def declare_builtins(model: Model, entries: IdentityCache) -> None:
    """Give a model the built-in kinds."""
    for name, parent in _KINDS:
        kind = Kind(name, model.kinds[parent] if parent else None, NOWHERE, system="core")
        model.kinds[name] = entries.current(kind)
    for of, name, type in _COLUMNS:
        model.kinds[of].fields[name] = entries.current(builtin_field(name, of, type))
    _copies(model, entries, "thing", 1, None)
    _copies(model, entries, "record", RECORDS, None)
    for name in _ONCE:
        _copies(model, entries, name, 1, 1)


def _copies(model: Model, entries: IdentityCache, kind: str, copies: int, high: int | None) -> None:
    """Give a kind the column `copies`: instances per definition, or records in use at once."""
    low, default = (0 if high is None else high), Const(copies, NUMBER, NOWHERE)
    model.kinds[kind].fields["copies"] = entries.current(
        Field("copies", kind, "field", NUMBER, NOWHERE, low=low, high=high, default=default, doc=DOCS["copies"])
    )


def declare_team_kind(model: Model, entries: IdentityCache) -> None:
    """Add the kind of teams to a model, and the column for a player's team."""
    model.kinds[TEAM] = entries.current(Kind(TEAM, model.kinds["thing"], NOWHERE, system="core"))
    _copies(model, entries, TEAM, 1, 1)
    column = Field("team", "player", "stat", Type("thing", TEAM), NOWHERE, doc=DOCS["team"])
    model.kinds["player"].fields[column.id] = entries.current(column)


def declare_ending_kind(model: Model, entries: IdentityCache) -> None:
    """Add the kind of named endings to a model, with the words that are read when a game ends so."""
    model.kinds[ENDING] = entries.current(Kind(ENDING, model.kinds["thing"], NOWHERE, system="core"))
    _copies(model, entries, ENDING, 1, 1)
    words = Field("story", ENDING, "field", Type("text"), NOWHERE, doc=DOCS["story"])
    model.kinds[ENDING].fields[words.id] = entries.current(words)


def has_endings(model: Model) -> bool:
    """Return whether a game declares named endings; a game may have a kind of that name of its own."""
    return ENDING in model.kinds and model.kinds[ENDING].system == "core"


def is_undefined(kind: Kind) -> bool:
    """Return whether no definition describes the things of a kind."""
    return any(above.id in UNDEFINED for above in kind.lineage())


def compass(names: Iterable[str]) -> dict[str, Name]:
    """Return directions with their compass titles; others have no title."""
    titles = {name: dict(zip(("en", "fr"), COMPASS.get(name, ()), strict=False)) for name in names}
    return {name: Name(title, gender={"fr": "m"} if title else {}) for name, title in titles.items()}


def builtin_field(name: str, kind: str, type: Type) -> Field:
    """Return a column that the machine keeps."""
    return Field(name, kind, "builtin", type, NOWHERE, doc=DOCS.get(name, ""))
