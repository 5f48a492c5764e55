"""The log of a game in words."""

from __future__ import annotations

from collections.abc import Sequence

from fcbdsl.play.naming import agreed, slots
from fcbdsl.play.view import View
from fcbdsl.vm import world as logged
from fcbdsl.vm.game import Game
from fcbdsl.vm.program import Event, Field
from fcbdsl.vm.world import LogEntry


def happenings(view: View, game: Game, after: int = 0) -> list[str]:
    """What has happened since log entry number `after`, oldest first, as the onlooker may know it.

    The same thing several times in a row is one line."""
    return [line for line, _ in placed_happenings(view, game, after)]


def placed_happenings(view: View, game: Game, after: int = 0) -> list[tuple[str, int]]:
    """The same, each with the span of the program that caused it."""
    out: list[tuple[str, int]] = []
    last, times, about = "", 0, -1
    for node in game.world.history(after):
        line = line_of(view, game, node)
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


def line_of(view: View, game: Game, node: LogEntry) -> str:
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
            told_so = view.program.events[data[0]].told >= 0
            return told(view, game, data) if told_so else _formed(view, game, data)
        case logged.L_ROLL:
            die = view.program.dice[data[0]]
            return names.say("rolls", names.text(die.title, die.name), names.roll(data[0], data[1]))
        case logged.L_CHANGE:
            bearer, change = changed(view, game, data)
            return view.names.say("does", bearer, change) if bearer else change
        case logged.L_MOVE:
            thing, goal = moved(view, game, data)
            return (
                (view.names.say("moves-to", thing, goal) if goal else view.names.say("leaves", thing)) if thing else ""
            )
        case logged.L_BOARD:
            return _ground(view, game, data)
        case logged.L_END:
            return view.outcome(game)
    return ""


def told(view: View, game: Game, data: Sequence[int]) -> str:
    """An event as a clause, in the words that its texts have for it; empty if it has none, or is about nothing."""
    event = view.program.events[data[0]]
    if event.told < 0 or any(
        event.tags[number] == "thing" and given(event, data)[number] == ((-1,)) for number in _slots(view, event)
    ):
        return ""
    return _filled(view, game, view.names.text(event.told), data)


def _formed(view: View, game: Game, data: Sequence[int]) -> str:
    """An event that has no such words, in those of its form; only in the language that forms are written in."""
    event = view.program.events[data[0]]
    if not event.words or view.names.language != "en":
        return ""
    return " ".join(event.words).format(*_parameters(view, game, data))


def _filled(view: View, game: Game, text: str, data: Sequence[int]) -> str:
    """The told text of an event with its slots filled."""
    marks = [_marks(view, game, values) for values in given(view.program.events[data[0]], data)]
    return agreed(text, _parameters(view, game, data), marks)


def _slots(view: View, event: Event) -> list[int]:
    """The parameters that the told text of an event mentions."""
    return [number for number in slots(view.names.text(event.told)) if number < len(event.tags)]


def given(event: Event, data: Sequence[int]) -> list[tuple[int, ...]]:
    """Return the values of each parameter of an event, from its entry in the log."""
    out: list[tuple[int, ...]] = []
    at = 1
    for listed in event.lists:
        length = data[at] if listed else 1
        at += listed
        out.append(tuple(data[at : at + length]))
        at += length
    return out


def _parameters(view: View, game: Game, data: Sequence[int]) -> list[str]:
    """The parameters of an event by name."""
    event = view.program.events[data[0]]
    enums = event.enums or (-1,) * len(event.tags)
    rows = zip(given(event, data), event.tags, enums, strict=True)
    return [", ".join(_value(view, game, tag, value, enum) for value in values) for values, tag, enum in rows]


def _marks(view: View, game: Game, values: Sequence[int]) -> str:
    """The marks of the grammar of what is named, if it is a single thing."""
    return view.names.marks(game, values[0]) if len(values) == 1 else ""


def _value(view: View, game: Game, tag: str, value: int, enum: int) -> str:
    """A parameter of an event; a card that lies where the onlooker may not look is just that."""
    if tag == "thing" and view.hides(game, value):
        return view.names.say("a-card")
    return view.names.value(game, tag, value, enum)


def changed(view: View, game: Game, data: Sequence[int]) -> tuple[str, str]:
    """Whose counter or titled stat has changed ("": the game's), and how; nothing of what is secret or has no title."""
    field, thing, owner, before, after = data
    row = view.program.fields[field]
    tracked = row.sort == "builtin" and row.name == "value"
    if (not tracked and row.title < 0) or (row.secret and not view.knows(game, thing, row)):
        return "", ""
    names = view.names
    bearer = names.thing(game, thing)
    old, new = (names.value(game, row.tag, value, row.enum) for value in (before, after))
    if tracked:
        return bearer, names.say("turns", old, new)
    name = names.field(field, names.marks(game, thing))
    low, high = view.image.layout.range_of("game")
    if row.tag == "flag":
        change = name if after else names.say("no-more", name)
    else:
        name = names.say("of", name, names.thing(game, owner)) if owner >= 0 else name
        change = _turned(view, row, name, (before, old), (after, new))
    return ("" if low <= thing < high else bearer), change


def _turned(view: View, row: Field, name: str, before: tuple[int, str], after: tuple[int, str]) -> str:
    """A stat that was one value and is another; what is absent is not called by a name."""
    absent = row.tag not in ("number", "enum")
    if absent and before[0] < 0:
        return view.names.say("becomes-that", name, after[1])
    if absent and after[0] < 0:
        return view.names.say("ends", name, before[1])
    return view.names.say("changes", name, before[1], after[1])


def moved(view: View, game: Game, data: Sequence[int]) -> tuple[str, str]:
    """What came to a space, into a zone or out of play, unnamed where the onlooker may not look, and where to; nothing
    of what is moved behind the scenes."""
    thing, space, zone, _ = data
    name = view.names.thing(game, thing)
    if space >= 0:
        return name, view.names.thing(game, space)
    if zone > 0:
        return name if view.sees(game, zone) else view.names.say("a-card"), view.names.zone(game, zone)
    return (name, "") if zone == 0 else ("", "")


def _ground(view: View, game: Game, data: Sequence[int]) -> str:
    """A space or side whose ground changed."""
    where, _, after = data
    if where >= 0:
        ground = view.names.value(game, "terrain", after) if after >= 0 else view.names.say("plain")
        return view.names.say("becomes", view.names.thing(game, where), ground)
    ground = view.names.value(game, "barrier", after) if after >= 0 else view.names.say("plain")
    return view.names.say("becomes", view.names.side(game, -2 - where), ground)
