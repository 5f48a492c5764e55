"""The messages between a table and a browser, protocol ``table/1``: one JSON object each, over one websocket.

The schema `docs/table.schema.json` derives from these classes. Each view is whole, so that no message depends on an
earlier one. Only a browser that asks for changes receives the changes since its last view instead.
"""

from __future__ import annotations

import json
from typing import Any, Literal, get_args

from fcbdsl.base.records import dataclass
from fcbdsl.machine.vm import serialization
from fcbdsl.machine.vm.serialization import Json
from fcbdsl.play.table.scene import SceneView

PROTOCOL = "table/1"
MOST_BYTES = 4096
"""Most bytes of a message to the table."""


@dataclass(frozen=True, slots=True)
class ToldLine:
    """A line of the log, or a heading (`level` is 1 or 2). `causes`: the nearest one first."""

    text: str
    level: int = 0
    depth: int = 0
    causes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TurnRow:
    """A step of a finished game to which the page can turn. `step`: None to play on from the present one."""

    text: str
    key: str
    step: int | None = None


@dataclass(frozen=True, slots=True)
class Greeting:
    """The first message to a browser. `seats`: those that it plays, none for spectators. `bots`: those that bots play.
    `dressing`: the name of the
    looks; `languages`: those it may ask for; `reasons`: whether it may ask why an action is not possible."""

    t: Literal["hello"]
    protocol: str
    mission: str
    players: int
    seats: tuple[int, ...]
    bots: tuple[int, ...]
    language: str
    languages: tuple[str, ...]
    dressing: str
    words: dict[str, str]
    reasons: bool = False


@dataclass(frozen=True, slots=True)
class TableView:
    """What the seat sees. `n`: the number of the position, which commands repeat. `told`: lines of the log, of which
    `start` come before; those from `fresh` on are new since the seat's last decision. `undo`: whether the seat can take
    back a decision, and if not `because` of what. `moving`: a bot decides next. `curtain`: the seat to whom the screen
    must be handed; the view is for nobody until that seat says that it sits there. `note`: what all people at the table
    should know. `proceed`: the mission of a campaign is over, and the seat can go on. `history`: between missions, the
    finished steps of the campaign; `kept`: what the campaign keeps. `turns`: the steps of
    a finished game to which the seat can turn."""

    t: Literal["view"]
    n: int
    scene: SceneView
    start: int = 0
    fresh: int = 0
    told: tuple[ToldLine, ...] = ()
    undo: Literal["", "yes"] = ""
    because: str = ""
    moving: bool = False
    curtain: int | None = None
    sitting: int | None = None
    note: str = ""
    proceed: bool = False
    history: tuple[str, ...] | None = None
    kept: tuple[str, ...] = ()
    turns: tuple[TurnRow, ...] = ()


@dataclass(frozen=True, slots=True)
class ViewChange:
    """The changes since the last view, as `json_changes` returns them. `start` and `told`: those of the new view."""

    t: Literal["change"]
    changes: dict[str, Any]
    start: int = 0
    told: tuple[ToldLine, ...] = ()


@dataclass(frozen=True, slots=True)
class Refusal:
    """A command that had no effect. `text`: the reason in words."""

    t: Literal["refused"]
    n: int
    reason: str
    text: str


@dataclass(frozen=True, slots=True)
class OddsRow:
    """A change that a choice can make. `share`: in how many percent of the tries. `piece`: the key of the piece that
    changes; `space`: where it is afterwards."""

    text: str
    share: int
    piece: str | None = None
    space: int | None = None


@dataclass(frozen=True, slots=True)
class OddsAnswer:
    """The results that a choice may have, as far as the seat can know.

    `tries`: the number of tried worlds, 0 if all changes are certain. `more`: the number of rarer changes that are left
    out.
    """

    t: Literal["odds"]
    n: int
    choice: int
    rows: tuple[OddsRow, ...] = ()
    tries: int = 0
    more: int = 0


@dataclass(frozen=True, slots=True)
class WayRow:
    """A space that a piece reaches by `steps` decisions."""

    piece: str
    space: int
    steps: int


@dataclass(frozen=True, slots=True)
class WaysAnswer:
    """The answer to a request for ways: the spaces that pieces can reach by several decisions."""

    t: Literal["ways"]
    n: int
    ways: tuple[WayRow, ...] = ()


@dataclass(frozen=True, slots=True)
class WhyNotRow:
    """An action that a piece cannot take now. `reasons`: what is lacking."""

    actor: str
    action: str
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WhyNotAnswer:
    """The actions that are not possible, as far as the seat can know why."""

    t: Literal["why-not"]
    n: int
    rows: tuple[WhyNotRow, ...] = ()


@dataclass(frozen=True, slots=True)
class ChooseCommand:
    """Answer the question of position `n` with one of its choices, counted from 0."""

    t: Literal["choose"]
    n: int
    choice: int


@dataclass(frozen=True, slots=True)
class TakeBack:
    """Take back the last decision."""

    t: Literal["undo"]
    n: int


@dataclass(frozen=True, slots=True)
class Proceed:
    """End the finished mission of position `n`, and go on with the campaign."""

    t: Literal["proceed"]
    n: int


@dataclass(frozen=True, slots=True)
class TurnTo:
    """Show a step of a finished game. None: play on from the present one."""

    t: Literal["turn"]
    n: int
    step: int | None = None


@dataclass(frozen=True, slots=True)
class Sit:
    """The person of this seat now sits at the screen."""

    t: Literal["sit"]
    seat: int


@dataclass(frozen=True, slots=True)
class Speak:
    """Use another language from now on."""

    t: Literal["speak"]
    language: str


@dataclass(frozen=True, slots=True)
class Recall:
    """Send the whole log."""

    t: Literal["log"]


@dataclass(frozen=True, slots=True)
class AskOdds:
    """Ask what a choice of position `n` leads to."""

    t: Literal["odds"]
    n: int
    choice: int


@dataclass(frozen=True, slots=True)
class AskWays:
    """Ask which spaces are several decisions away."""

    t: Literal["ways"]
    n: int


@dataclass(frozen=True, slots=True)
class AskWhyNot:
    """Ask why other actions are not possible."""

    t: Literal["why-not"]
    n: int


@dataclass(frozen=True, slots=True)
class Walk:
    """Move a piece to a space of the last `WaysAnswer`, by as many decisions as that needs."""

    t: Literal["walk"]
    n: int
    piece: str
    space: int


Message = Greeting | TableView | ViewChange | Refusal | OddsAnswer | WaysAnswer | WhyNotAnswer
ForesightCommand = AskOdds | AskWays | AskWhyNot
Command = ChooseCommand | TakeBack | Walk | Proceed | TurnTo | Sit | Speak | Recall | ForesightCommand
_COMMANDS: dict[str, type[Command]] = {
    "choose": ChooseCommand,
    "undo": TakeBack,
    "sit": Sit,
    "speak": Speak,
    "log": Recall,
    "odds": AskOdds,
    "ways": AskWays,
    "why-not": AskWhyNot,
    "walk": Walk,
    "proceed": Proceed,
    "turn": TurnTo,
}


class BadMessage(ValueError):
    """A message to the table that is not one of `Command`."""


def read_command(text: str) -> Command:
    """Read a message to the table. Raises BadMessage."""
    if len(text) > MOST_BYTES:
        raise BadMessage(f"it has more than {MOST_BYTES} characters")
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadMessage("it is not JSON") from error
    sort = data.get("t") if isinstance(data, dict) else None
    if not isinstance(sort, str) or sort not in _COMMANDS:
        raise BadMessage("it is no command")
    try:
        return serialization.decode_record(_COMMANDS[sort], data)
    except serialization.Mismatch as error:
        raise BadMessage(str(error)) from error


def encode_message(message: Message | SceneView) -> str:
    """Return a message as JSON on one line."""
    return json.dumps(message_data(message), ensure_ascii=False, separators=(",", ":"))


def message_data(message: Message | SceneView) -> dict[str, Json]:
    """Return a message as an object of JSON."""
    data = serialization.encode(message)
    assert isinstance(data, dict)
    return data


def json_changes(old: dict[str, Json], new: dict[str, Json]) -> dict[str, Json]:
    """Return the values of two objects that differ, null for a missing one. An object or a list in them becomes its own
    changes; those of a list are by index, after a `splice` with the arguments of JavaScript's function."""
    changes: dict[str, Json] = {name: None for name in old if name not in new}
    for name, value in new.items():
        if name not in old:
            changes[name] = value
        elif old[name] != value:
            changes[name] = _value_changes(old[name], value)
    return changes


def _value_changes(old: Json, new: Json) -> Json:
    """Return the changes that make `new` of `old`, or `new`."""
    if isinstance(old, dict) and isinstance(new, dict):
        return json_changes(old, new)
    if isinstance(old, list) and isinstance(new, list) and old and new:
        return _list_changes(old, new)
    return new


def _list_changes(old: list[Json], new: list[Json]) -> Json:
    changes: dict[str, Json] = {}
    before, after = [_name(value) for value in old], [_name(value) for value in new]
    if before != after:
        most = min(len(old), len(new))
        front = next((at for at in range(most) if before[at] != after[at]), most)
        back = next((at for at in range(most - front) if before[-1 - at] != after[-1 - at]), most - front)
        added = new[front : len(new) - back]
        changes["splice"] = [front, len(old) - front - back, *added]
        old = [*old[:front], *added, *old[len(old) - back :]]
    changes |= {
        str(at): _value_changes(was, now) for at, (was, now) in enumerate(zip(old, new, strict=True)) if was != now
    }
    return changes


_NAMING = ("key", "space", "name", "label")
"""The fields that identify a value in a list, the best first."""


def _name(value: Json) -> Json:
    """Return what identifies a value in a list."""
    return next((value[word] for word in _NAMING if word in value), None) if isinstance(value, dict) else value


def message_schema() -> dict[str, Any]:
    """Return the JSON Schema of all messages: those to a browser (`Message`) and those to the table (`Command`)."""
    sorts: tuple[type[Any], ...] = (*get_args(Message), *_COMMANDS.values())
    schemas = [serialization.record_schema(sort) for sort in sorts]
    defs = {name: row for schema in schemas for name, row in schema.pop("$defs").items()}
    for sort, schema in zip(sorts, schemas, strict=True):
        schema.pop("$schema")
        defs.setdefault(sort.__name__, schema)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"fcb {PROTOCOL}",
        "oneOf": [{"$ref": f"#/$defs/{sort.__name__}"} for sort in sorts],
        "$defs": defs,
    }
