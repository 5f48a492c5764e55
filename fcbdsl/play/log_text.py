"""The log of a game in words."""

from __future__ import annotations

from collections.abc import Sequence

from fcbdsl.play.view import View
from fcbdsl.vm import world as logged
from fcbdsl.vm.game import Game
from fcbdsl.vm.world import LogNode


def happenings(view: View, game: Game, after: int = 0) -> list[str]:
    """What has happened since log entry number `after`, oldest first, as the onlooker may know it.

    The same thing several times in a row is one line."""
    return [line for line, _ in placed_happenings(view, game, after)]


def placed_happenings(view: View, game: Game, after: int = 0) -> list[tuple[str, int]]:
    """The same, each with the span of the program that caused it."""
    out: list[tuple[str, int]] = []
    last, times, about = "", 0, -1
    for node in game.world.history()[after:]:
        line = _line(view, game, node)
        if not line or (line == last and node.what == logged.L_MOVE and node.data[0] == about):
            continue
        about = node.data[0]
        times = times + 1 if line == last else 1
        if times > 1:
            out[-1] = view.names.say("times", line, str(times)), out[-1][1]
        else:
            out.append((line, node.span))
        last = line
    return out


def _line(view: View, game: Game, node: LogNode) -> str:
    """One entry of the log; nothing for what happens behind the scenes."""
    names, data = view.names, node.data
    if node.what in (logged.L_CHANGE, logged.L_MOVE) and view.is_record(data[node.what == logged.L_CHANGE]):
        return ""
    match node.what:
        case logged.L_ACTION:
            return names.action(game, data[0], data[1], -1 if view.hides(game, data[2]) else data[2])
        case logged.L_REACT:
            shown = view.program.listeners[data[0]].title >= 0 or view.program.listeners[data[0]].offered
            return names.reaction(game, data[0], data[1], data[2]) if shown else ""
        case logged.L_EVENT:
            return _event(view, game, data)
        case logged.L_ROLL:
            die = view.program.dice[data[0]]
            return names.say("rolls", names.text(die.title, die.name), names.roll(data[0], data[1]))
        case logged.L_CHANGE:
            return _change(view, game, data)
        case logged.L_MOVE:
            return _move(view, game, data)
        case logged.L_BOARD:
            return _ground(view, game, data)
        case logged.L_END:
            return view.outcome(game)
    return ""


def _event(view: View, game: Game, data: Sequence[int]) -> str:
    """An event in the words of its form; only in the language that forms are written in."""
    event = view.program.events[data[0]]
    if not event.words or view.names.language != "en":
        return ""
    shown: list[str] = []
    at = 1
    enums = event.enums or (-1,) * len(event.tags)
    for listed, tag, enum in zip(event.lists, event.tags, enums, strict=True):
        values = data[at + 1 : at + 1 + data[at]] if listed else data[at : at + 1]
        at += data[at] + 1 if listed else 1
        shown.append(", ".join(_value(view, game, tag, value, enum) for value in values))
    return " ".join(event.words).format(*shown)


def _value(view: View, game: Game, tag: str, value: int, enum: int) -> str:
    """A parameter of an event; a card that lies where the onlooker may not look is just that."""
    if tag == "thing" and view.hides(game, value):
        return view.names.say("a-card")
    return view.names.value(game, tag, value, enum)


def _change(view: View, game: Game, data: Sequence[int]) -> str:
    """A change of a counter or of a stat with a title."""
    field, thing, owner, before, after = data
    row = view.program.fields[field]
    tracked = row.sort == "builtin" and row.name == "value"
    if (not tracked and row.title < 0) or (row.secret and not view.knows(game, thing, row)):
        return ""
    bearer = view.names.thing(game, thing)
    old, new = (view.names.value(game, row.tag, value, row.enum) for value in (before, after))
    if tracked:
        return view.names.say("becomes", bearer, str(after))
    name = view.names.field(field)
    low, high = view.image.layout.range_of("game")
    if low <= thing < high:
        return view.names.say("becomes-from", name, old, new)
    if owner >= 0:
        name = view.names.say("of", name, view.names.thing(game, owner))
    return view.names.say("changes", bearer, name, old, new)


def _move(view: View, game: Game, data: Sequence[int]) -> str:
    """A thing that came to a space, into a zone or out of play; unnamed where the onlooker may not look."""
    thing, space, zone, _ = data
    name = view.names.thing(game, thing)
    if space >= 0:
        return view.names.say("moves-to", name, view.names.thing(game, space))
    if zone > 0:
        shown = name if view.sees(game, zone) else view.names.say("a-card")
        return view.names.say("moves-to", shown, view.names.zone(game, zone))
    return view.names.say("leaves", name) if zone == 0 else ""


def _ground(view: View, game: Game, data: Sequence[int]) -> str:
    """A space or side whose ground changed."""
    where, _, after = data
    if where >= 0:
        ground = view.names.value(game, "terrain", after) if after >= 0 else view.names.say("plain")
        return view.names.say("becomes", view.names.thing(game, where), ground)
    ground = view.names.value(game, "barrier", after) if after >= 0 else view.names.say("plain")
    return view.names.say("becomes", view.names.side(game, -2 - where), ground)
