"""The log of a game in words."""

from __future__ import annotations

import operator
from collections.abc import Callable, Collection, Mapping, Sequence

from fcbdsl.base.typography import takes_plural, with_capital
from fcbdsl.machine.vm import events
from fcbdsl.machine.vm import world as logged
from fcbdsl.machine.vm.game import Game
from fcbdsl.machine.vm.linker import declared_ops
from fcbdsl.machine.vm.ops.dice_rolls import Roll
from fcbdsl.machine.vm.ops.state import First, Set, Single, Stat
from fcbdsl.machine.vm.program import Definition, Event, Field, Relation
from fcbdsl.machine.vm.teams import insiders
from fcbdsl.machine.vm.world import TAGS, Ask, EventActivation, Frame, LogEntry
from fcbdsl.play.session.naming import slots
from fcbdsl.play.session.view import FAR, View

SEVERAL = "s"
"""The mark of a number that takes the plural, in texts of events (see `program.Event`)."""


def happenings(view: View, game: Game, after: int = 0) -> list[str]:
    """Return the events since log entry number `after`, oldest first, as far as the onlooker may know them.

    Repetitions are one line.
    """
    return [line for line, _ in shown_entries(view, game, after, brief=True)]


def placed_happenings(view: View, game: Game, after: int = 0) -> list[tuple[str, int]]:
    """Return the lines of `happenings`, each with the span of the program that caused it."""
    return [(line, node.span) for line, node in shown_entries(view, game, after)]


def shown_entries(view: View, game: Game, after: int = 0, brief: bool = False) -> list[tuple[str, LogEntry]]:
    """Return the lines that `happenings` gives, each with its log entry.

    In a `brief` list a move replaces the events that announce it, and one line shows where hidden cards end up."""
    out: list[tuple[str, LogEntry]] = []
    last, times, about = "", 0, -1
    entries = game.world.history(after)
    moves: set[frozenset[int]] = set()
    passing = moved_on(entries)
    for at, node in enumerate(entries):
        if node.what == logged.L_RANDOM and is_named_later(view, game, node, entries, at):
            continue
        before = entries[at - 1] if at else None
        if brief and (_repeats(view, node, moves, before) or is_passage(view, game, node, at in passing)):
            continue
        line = log_line(view, game, node)
        if node.what == logged.L_ROLL and line:
            line = owned_roll(view, game, entries, at) or line
        if node.what == logged.L_MOVE and node.data[1] >= 0:
            moves.add(frozenset(node.data[:2]))
        if not line or (line == last and node.what == logged.L_MOVE and node.data[0] == about):
            continue
        if brief and node.what == logged.L_MOVE and out and _announces(view, out[-1][1], node):
            out.pop()
            last, times = "", 0
        about = node.data[0]
        times = times + 1 if line == last else 1
        if times > 1:
            out[-1] = view.names.say("times", line, str(times)), out[-1][1]
        else:
            out.append((line, node))
        last = line
    return out


def occasion(view: View, game: Game, ask: Ask, aside: Collection[int] = ()) -> str:
    """Return the text of the event that a reaction answers, with the dice since the last decision.

    `aside`: the numbers of log entries that belong to other events. Empty for all other questions."""
    if ask.kind != "react":
        return ""
    text = ""
    for item in reversed(game.world.stack):
        if isinstance(item, EventActivation):
            text = event_text(view, game, events.log_row(game, item.event, item.r, item.s, item.span)[2:])
            break
    entries = game.world.history()
    since = next((at for at in range(len(entries), 0, -1) if entries[at - 1].what == logged.L_ANSWER), 0)
    rolls = [
        owned_roll(view, game, entries, at) or log_line(view, game, node)
        for at, node in enumerate(entries)
        if at >= since and node.what == logged.L_ROLL and node.number not in aside
    ]
    return view.joined(filter(None, [with_capital(text), *rolls]))


def bearer_of_roll(game: Game, roll: LogEntry) -> int:
    """Return the thing that keeps the result of a roll, which is the last entry of the log; -1 if none does.

    It is the bearer of the stat that the code sets to the result next."""
    frame = game.world.stack[-1] if game.world.stack else None
    if not isinstance(frame, Frame):
        return -1
    ops = declared_ops(game.image, frame.code)
    at = next((at for at, op in enumerate(ops) if isinstance(op, Roll) and op.span == roll.span), len(ops))
    things: dict[int, int] = {}
    for op in ops[at + 1 : at + FAR]:
        if isinstance(op, Set):
            own = op.value == ops[at].out  # type: ignore[attr-defined]
            return things.get(int(op.thing), frame.r[op.thing]) if own else -1
        if isinstance(op, First):
            things[int(op.out)] = game.layout.first[op.definition] + int(op.copy) - 1
        elif isinstance(op, Single):
            things[int(op.out)] = game.layout.low[op.kind]
        elif isinstance(op, Stat):
            things[int(op.out)] = game.value(int(op.field), things.get(int(op.thing), frame.r[op.thing]))
        else:
            return -1
    return -1


def owned_roll(view: View, game: Game, entries: Sequence[LogEntry], at: int, bearer: int = -1) -> str:
    """Return the line of a numbered die, rolled at `at`, with the thing that notes the result next; empty if none does,
    or the game. `bearer`: that thing, if it is known."""
    roll, after = entries[at], entries[at + 1] if at + 1 < len(entries) else None
    if bearer < 0 and after is not None and after.what == logged.L_CHANGE and after.data[4] == roll.data[1]:
        bearer = after.data[1]
    shown = owned_die(view, game, roll.data[0], bearer)
    return view.names.say("rolls", shown, view.names.roll(roll.data[0], roll.data[1])) if shown else ""


def owned_die(view: View, game: Game, die: int, bearer: int) -> str:
    """Return the name of a numbered die with the thing that notes its result; empty if none does, or the game."""
    low, high = view.image.layout.range_of("game")
    row = view.program.dice[die]
    if not row.numbered or bearer < 0 or low <= bearer < high or view.hides(game, bearer) or view.is_record(bearer):
        return ""
    return view.names.of_thing(game, view.names.text(row.title, row.name), bearer)


def cards_revealed(view: View, game: Game, node: LogEntry) -> list[str]:
    """Return the ids of the cards that an entry reveals to all.

    These are cards that move from a hidden place to an open zone of the game, and cards without a holder that an event
    names. Cards that were in no place, and cards in events, need an effect. Figures are left out: they act later, and
    again.
    """
    program, layout = view.program, view.image.layout
    effects = {number for number, row in enumerate(program.fields) if row.codes == "effect"}
    sorts: list[int] = []
    turned_up = False
    match node.what:
        case logged.L_MOVE if node.data[2] > 0:
            thing, _, zone, _ = node.data
            before = _zone_before(game, node.number, thing)
            turned_up = before > 0 and not view.sees(game, before)
            if layout.zone_owner[zone] < 0 and view.sees(game, zone) and (before <= 0 or turned_up):
                sorts = [_sort_of(view, thing)]
        case logged.L_EVENT if event_text(view, game, node.data):
            row = program.events[node.data[0]]
            for values, tag in zip(given(row, node.data), row.tags, strict=True):
                for value in values:
                    if tag == "definition":
                        sorts.append(value)
                    elif tag == "thing" and 0 <= value < layout.things and not view.hides(game, value):
                        zone = game.zone_of(value)
                        if zone > 0 and layout.zone_owner[zone] < 0:
                            sorts.append(_sort_of(view, value))
    shown = [program.definitions[number] for number in dict.fromkeys(sorts) if number >= 0]
    shown = [row for row in shown if row.title >= 0 and not _is_figure(view, row)]
    return [row.id for row in shown if turned_up or any(field in effects for field, _ in row.values)]


def card_received(view: View, game: Game, node: LogEntry) -> str:
    """Return the id of the card that a thing gets from a hidden place, if people see it there; empty if none does."""
    if node.what != logged.L_MOVE or node.data[2] <= 0:
        return ""
    thing, _, zone, _ = node.data
    before, sort = _zone_before(game, node.number, thing), _sort_of(view, thing)
    if view.image.layout.zone_owner[zone] < 0 or sort < 0 or before <= 0:
        return ""
    row = view.program.definitions[sort]
    seen = view.sees(game, zone) and not view.sees(game, before)
    return row.id if seen and row.title >= 0 and not _is_figure(view, row) else ""


def _is_figure(view: View, row: Definition) -> bool:
    """Return whether a definition is that of a piece."""
    layout = view.image.layout
    figure = layout.named.get("piece", -1)
    return figure >= 0 and layout.descends(row.kind, figure)


def _zone_before(game: Game, number: int, thing: int) -> int:
    """Return the zone to which a thing moved last before log entry `number`; 0 if it did not move."""
    log = game.world.log
    for at in range(number - 2, -1, -1):
        what, _, *data = log[at]
        if what == logged.L_MOVE and data[0] == thing:
            return data[2]
    return 0


def _repeats(view: View, node: LogEntry, moves: Collection[frozenset[int]], before: LogEntry | None) -> bool:
    """Return whether an event shows nothing new.

    That is the event of a track whose new value the line before shows, or an event without its own text: one about a
    thing and the space to which a move has brought it, or one that only asks players for reactions."""
    if node.what != logged.L_EVENT:
        return False
    if node.data[0] == view.program.track_moved:
        return before is not None and before.what == logged.L_CHANGE and before.data[1] == node.data[1]
    row = view.program.events[node.data[0]]
    if row.told >= 0:
        return not row.has_line
    asks = any(window.event == node.data[0] for window in view.program.windows)
    return asks or frozenset(node.data[1:]) in moves


def moved_on(entries: Sequence[LogEntry]) -> set[int]:
    """Return the indexes of the moves after which the same thing moves again before the next decision."""
    indexes: set[int] = set()
    later: set[int] = set()
    for at in range(len(entries) - 1, -1, -1):
        node = entries[at]
        if node.what == logged.L_ANSWER:
            later = set()
        elif node.what == logged.L_MOVE:
            if node.data[0] in later:
                indexes.add(at)
            later.add(node.data[0])
    return indexes


def is_passage(view: View, game: Game, node: LogEntry, passing: bool) -> bool:
    """Return whether a move into a secret zone of another thing shows nothing that counts.

    Either it moves on before the next decision (`passing`), or a piece covers it, so that no player sees it: the move
    of the piece follows."""
    if node.what != logged.L_MOVE or node.data[2] <= 0:
        return False
    zone = node.data[2]
    layout = view.image.layout
    row, owner = view.program.zones[layout.zone_row[zone]], layout.zone_owner[zone]
    if not row.secret or owner < 0:
        return False
    covered = owner in range(*view.image.pieces) and not insiders(game, owner, row)
    return covered or passing


def _announces(view: View, event: LogEntry, move: LogEntry) -> bool:
    """Return whether an event only announces the move of the next entry."""
    if event.what != logged.L_EVENT or move.data[1] < 0:
        return False
    moved_to, named = set(move.data[:2]), set(event.data[1:])
    unworded = view.program.events[event.data[0]].told < 0
    return moved_to <= named or (unworded and bool(named) and named <= moved_to)


def is_named_later(view: View, game: Game, pick: LogEntry, entries: Sequence[LogEntry], at: int) -> bool:
    """Return whether a later line of the same step names the value that chance picked at `at`, or hides it."""
    value, thing = pick.data[0], TAGS[pick.data[1]] == "thing"
    moved = False
    for number in range(at + 1, len(entries)):
        node = entries[number]
        if node.what == logged.L_ANSWER or (node.what == logged.L_RANDOM and (moved or node.data[0] == value)):
            return False
        moved = moved or node.what != logged.L_RANDOM
        if node.what == logged.L_CHANGE and node.data[4] == value and _is_secret(view, node.data[0], pick.data[1]):
            return True
        named = (
            (node.what == logged.L_MOVE and thing and value in (node.data[0], node.data[1]))
            or (node.what == logged.L_MOVE and not thing and _sort_of(view, node.data[0]) == value)
            or (node.what == logged.L_CHANGE and thing and node.data[1] == value)
            or (node.what == logged.L_EVENT and value in node.data[1:])
        )
        if named and (node.what == logged.L_MOVE or log_line(view, game, node)):
            return True
    return False


def _is_secret(view: View, field: int, tag: int) -> bool:
    """Return whether a field is secret and holds values with a tag."""
    row = view.program.fields[field]
    return row.secret and row.tag == TAGS[tag]


def _sort_of(view: View, thing: int) -> int:
    """Return the definition of a thing; -2: none."""
    layout = view.image.layout
    number = layout.definition_of[thing] if 0 <= thing < layout.things else -1
    return number if number >= 0 else -2


def log_line(view: View, game: Game, node: LogEntry) -> str:
    """Return the line for one entry of the log; empty for internal events."""
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
            return event_text(view, game, data) if told_so else _formed(view, game, data)
        case logged.L_ROLL:
            die = view.program.dice[data[0]]
            return names.say("rolls", names.text(die.title, die.name), names.roll(data[0], data[1]))
        case logged.L_RANDOM:
            return _picked(view, game, data)
        case logged.L_RESULT:
            return result_text(view, game, data)
        case logged.L_CHANGE:
            bearer, change = change_text(view, game, data)
            return view.names.say("does", bearer, change) if bearer else change
        case logged.L_MOVE:
            thing, goal = movement_text(view, game, data)
            return (
                (view.names.say("moves-to", thing, goal) if goal else view.names.say("leaves", thing)) if thing else ""
            )
        case logged.L_BOARD:
            return _ground(view, game, data)
        case logged.L_END:
            return view.outcome(game)
    return ""


def _picked(view: View, game: Game, data: Sequence[int]) -> str:
    """Return the text for a random pick; empty if the onlooker may not know it or it has no name."""
    value, tag = data[0], TAGS[data[1]]
    if tag in ("none", "done") or (tag == "thing" and (view.hides(game, value) or view.is_record(value))):
        return ""
    return view.names.say("picks", view.names.option(game, (data[1], value)))


def event_text(view: View, game: Game, data: Sequence[int]) -> str:
    """Return an event as a clause, from its texts; empty if it has none, or its subject is absent."""
    event = view.program.events[data[0]]
    values = given(event, data)
    text = _told_text(view, event, values)
    named = [number for number in slots(text) if number < len(event.tags)]
    if not text or any(event.tags[number] == "thing" and values[number] == ((-1,)) for number in named):
        return ""
    return _filled(view, game, text, event, values)


def _told_text(view: View, event: Event, values: Sequence[Sequence[int]]) -> str:
    """Return the log text of an event for the values of its parameters; empty if it has none."""
    if event.told < 0:
        return ""
    for choice in event.choices:
        text = view.program.texts[choice.told].get(view.names.language, "") if choice.told >= 0 else ""
        value = values[choice.parameter] if 0 <= choice.parameter < len(values) else ()
        if text and value and COMPARED[choice.comparison](value[0], choice.value):
            return text
    return view.names.text(event.told)


COMPARED: Mapping[str, Callable[[int, int], bool]] = {
    "=": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
"""Comparisons of the choices of a text."""


def result_text(view: View, game: Game, data: Sequence[int]) -> str:
    """Return the result of a relation as a clause; empty if it has no text."""
    relation = view.program.relations[data[0]]
    text = view.names.text(relation.told if data[1] else relation.denied)
    return with_capital(_filled(view, game, text, relation, given(relation, data, 2))) if text else ""


def _formed(view: View, game: Game, data: Sequence[int]) -> str:
    """Return an event without a text in the words of its form; only in English, the language of forms."""
    event = view.program.events[data[0]]
    if not event.words or view.names.language != "en":
        return ""
    parameters = _parameters(view, game, event, given(event, data))
    values = {f"{{{number}}}": value for number, value in enumerate(parameters)}
    return " ".join([values.get(word, word) for word in event.words])


def _filled(view: View, game: Game, text: str, row: Event | Relation, values: Sequence[Sequence[int]]) -> str:
    """Return the text of an event or a relation with its slots filled."""
    marks = [_marks(view, game, tag, each) for tag, each in zip(row.tags, values, strict=True)]
    return view.names.filled(text, _parameters(view, game, row, values), marks)


def given(row: Event | Relation, data: Sequence[int], at: int = 1) -> list[tuple[int, ...]]:
    """Return the values of each parameter of an event or a relation, from `at` on in its entry in the log."""
    out: list[tuple[int, ...]] = []
    for listed in row.lists:
        length = data[at] if listed else 1
        at += listed
        out.append(tuple(data[at : at + length]))
        at += length
    return out


def _parameters(view: View, game: Game, row: Event | Relation, given_values: Sequence[Sequence[int]]) -> list[str]:
    """Return the parameters of an event or a relation by name."""
    rows = zip(given_values, row.tags, row.enums or (-1,) * len(row.tags), strict=True)
    return [", ".join(_value(view, game, tag, value, enum) for value in values) for values, tag, enum in rows]


def _marks(view: View, game: Game, tag: str, values: Sequence[int]) -> str:
    """Return the grammatical marks of the named thing, if it is a single one, or those of a number."""
    if len(values) != 1:
        return ""
    if tag == "number":
        return SEVERAL * takes_plural(view.names.language, values[0])
    if tag == "definition":
        return view.names.grammar(values[0]) if 0 <= values[0] < len(view.program.definitions) else ""
    return view.names.marks(game, values[0]) if tag == "thing" else ""


def _value(view: View, game: Game, tag: str, value: int, enum: int) -> str:
    """Return the text of a parameter of an event; a card in a hidden place is only "a card"."""
    if tag == "thing" and view.hides(game, value):
        return view.names.unseen(game.zone_of(value))
    return view.names.value(game, tag, value, enum)


def change_text(view: View, game: Game, data: Sequence[int]) -> tuple[str, str]:
    """Return the owner of a counter or titled stat ("": the game) and its change; empty if it is secret or has no
    title."""
    field, thing, owner, before, after = data
    row = view.program.fields[field]
    tracked = row.sort == "builtin" and row.name == "value"
    if (not tracked and row.title < 0) or (row.secret and not view.knows(game, thing, row)):
        return "", ""
    names = view.names
    bearer = names.thing(game, thing)
    old, new = (names.value(game, row.tag, value, row.enum) for value in (before, after))
    if tracked:
        return bearer, _with_tiers(view, thing, names.say("turns", old, new), before, after)
    if view.hinged(game, thing, field) is not None:
        return "", view.opening(game, thing, after)
    name = names.field(field, names.marks(game, thing))
    low, high = view.image.layout.range_of("game")
    if row.tag == "flag" or (row.limit == 1 and row.sort == "status"):
        change = name if after else names.say("no-more", name)
    else:
        name = names.of_thing(game, name, owner) if owner >= 0 else name
        change = _turned(view, row, name, (before, old), (after, new))
    return ("" if low <= thing < high else bearer), change


def _with_tiers(view: View, track: int, change: str, before: int, after: int) -> str:
    """Return a change of a track with the titles of the tiers that it reaches."""
    numbers = {
        number for number, row in enumerate(view.program.tracks) if view.image.layout.first[row.definition] == track
    }
    reached = [tier.title for tier in view.program.tiers if tier.track in numbers and before < tier.at <= after]
    titles = [view.names.text(title) for title in reached if title >= 0]
    return f"{change} ({', '.join(titles)})" if titles else change


def _turned(view: View, row: Field, name: str, before: tuple[int, str], after: tuple[int, str]) -> str:
    """Return the text for a change of a stat; an absent value has no name."""
    absent = row.tag not in ("number", "enum")
    if absent and before[0] < 0:
        return view.names.say("becomes-that", name, after[1])
    if absent and after[0] < 0:
        return view.names.say("ends", name, before[1])
    return view.names.say("changes", name, before[1], after[1])


def movement_text(view: View, game: Game, data: Sequence[int]) -> tuple[str, str]:
    """Return what moved (unnamed if it is hidden from the onlooker) and its destination: a space, a zone or out of
    play.

    Both are empty for internal moves.
    """
    thing, space, zone, _ = data
    name = view.names.thing(game, thing)
    if space >= 0:
        return name, view.names.thing(game, space)
    if zone > 0:
        return name if view.sees(game, zone) else view.names.unseen(zone), view.names.zone(game, zone)
    return (name, "") if zone == 0 else ("", "")


def _ground(view: View, game: Game, data: Sequence[int]) -> str:
    """Return the text for a space or side whose ground changed."""
    where, before, after = data
    names, tag = view.names, "terrain" if where >= 0 else "barrier"
    place = names.thing(game, where) if where >= 0 else names.side(game, -2 - where)
    if after < 0:
        return names.say("is-gone", names.value(game, tag, before), place)
    if before < 0 and tag == "barrier":
        return names.say("appears", names.value(game, tag, after), place)
    return names.say("becomes", place, names.value(game, tag, after))
