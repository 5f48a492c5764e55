"""Loading of a saved world. Everything is validated: shapes, ranges, and the registers of running codes."""

from __future__ import annotations

from typing import Any

from fcbdsl.base.words import MODES
from fcbdsl.machine.vm import departures, saving, subscribers
from fcbdsl.machine.vm.game import Game
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.layout import ENDING_KIND
from fcbdsl.machine.vm.numbers import numbers
from fcbdsl.machine.vm.op import Asking
from fcbdsl.machine.vm.ops.flow import Secret
from fcbdsl.machine.vm.saving import BadSave
from fcbdsl.machine.vm.serialization import Json, Mismatch, decode_value
from fcbdsl.machine.vm.world import (
    AFTER,
    CLOSING,
    NOWHERE,
    OUTCOMES,
    STREAMS,
    Ask,
    BoundListener,
    EventActivation,
    Fault,
    Frame,
    Item,
    LastingEffect,
    TrackMove,
    World,
    marker_key,
)

Ints = tuple[int, ...]
Rows = tuple[Ints, ...]
Waiting = tuple[tuple[int, int, int, int], ...] | None
EntryRow = tuple[str, int, int, int, int, int, int, Ints, Rows, Waiting, Rows, Ints, Rows, Rows]
FrameRow = tuple[str, int, int, int, Ints, Rows, tuple[EntryRow, ...] | None, Rows]
WalkRow = tuple[str, int, int, int, int, int, Ints]
AskRow = tuple[int, str, Rows, int, int, Ints]
ITEMS = {"frame": FrameRow, "event": EntryRow, "walk": WalkRow}
ASK_KINDS = ("choose", "option", "action", "react", "mission")
DEEPEST = 256


def load_game(image: Image, data: Json) -> Game:
    """Return the game of a saved world. Raises BadSave if it does not belong to this program."""
    try:
        return _load(image, data)
    except Mismatch as error:
        raise BadSave(str(error)) from error


def _need(condition: bool, reason: str) -> None:
    if not condition:
        raise BadSave(reason)


def _load(image: Image, data: Json) -> Game:
    if not isinstance(data, dict):
        raise BadSave("it is not a saved world")
    _need(data.get("format") == saving.FORMAT, f"it is not a world saved in the format {saving.FORMAT}")
    _need(data.get("program") == image.program.hash, "it was saved with another program")
    names = {"format", "program", "log", *saving.state(World())}
    _need({*data, "lingering", saving.ENDING} == {*names, "lingering", saving.ENDING}, "fields are missing or unknown")
    w = World()
    if saving.ENDING in data:
        w.ending = decode_value(int, data[saving.ENDING], saving.ENDING)
        low, high = image.layout.range_of(ENDING_KIND)
        _need(low <= w.ending < high, "its ending does not exist")
    for name in saving.NUMBERS:
        setattr(w, name, decode_value(int, data[name], name))
    _need(-1 <= w.board < len(image.program.boards), "its board does not exist")
    _need(-1 <= w.mission < image.layout.things, "its mission does not exist")
    _need(0 <= w.players <= image.program.players[1], "its players are too many")
    _need(w.origin == -1 or w.origin in image.program.proofs, "the file that it is of holds no tests")
    _need(0 <= w.outcome < len(OUTCOMES), "its outcome is unknown")
    _state(image, w, data)
    _items(image, w, data["stack"])
    _question(image, w, data["ask"])
    for row in decode_value(Rows, data["log"], "log"):
        _need(len(row) >= 2, "its log is damaged")
        w.log.append(row)
    w.happened = len(w.log)
    game = Game(image, w)
    subscribers.refresh_all(game)
    w.parted = departures.is_noted(game)
    return game


def _state(image: Image, w: World, data: dict[str, Json]) -> None:
    """Load memory, zones, lasting effects and the rest that is plain numbers."""
    w.mem = numbers(list(decode_value(Ints, data["mem"], "mem")))
    sides = len(image.atlas(w.board).shape.sides) if w.board >= 0 else 0
    _need(len(w.mem) == image.layout.barriers + sides, "its memory has the wrong size")
    _places(image, w)
    w.zones = list(decode_value(Rows, data["zones"], "zones"))
    _need(len(w.zones) == image.layout.zones, "it has the wrong zones")
    held = [thing for zone in w.zones for thing in zone]
    _need(
        len(set(held)) == len(held) and all(0 <= t < image.layout.body for t in held),
        "its zones hold what is not there",
    )
    effects = decode_value(tuple[tuple[int, int, int, Ints, Rows, int], ...], data["effects"], "effects")
    for template, age, subject, r, s, orphan in effects:
        _need(0 <= template < len(image.program.lastings), "a lasting effect is unknown")
        captured = image.program.lastings[template].captured
        _need(len(r) == captured and len(s) == captured, "a lasting effect is damaged")
        w.effects.append(LastingEffect(template, age, subject, r, s, bool(orphan)))
    _markers(image, w, decode_value(Rows, data["markers"], "markers"))
    w.lingering = decode_value(Rows, data.get("lingering", []), "lingering")
    things, fields = image.layout.things, len(image.program.fields)
    for row in w.lingering:
        fits = len(row) == 5 and 0 <= row[1] < fields and 0 <= row[3] < len(MODES)
        _need(fits and 0 <= row[0] < things and 0 <= row[2] < things, "a modifier is damaged")
    w.used = dict.fromkeys(decode_value(Ints, data["used"], "used"), 1)
    states = decode_value(tuple[str, ...], data["rng"], "rng")
    _need(len(states) == len(STREAMS) and all(t.isascii() and t.isdecimal() for t in states), "its chance is damaged")
    _need(all(len(t) <= 20 and int(t) < 1 << 64 for t in states), "its chance is damaged")
    w.rng = [int(text) for text in states]
    w.script = list(decode_value(Ints, data["script"], "script"))
    w.switches = list(decode_value(Ints, data["switches"], "switches"))
    _need(len(w.switches) == len(image.program.switches), "it has the wrong variants")
    w.others = decode_value(Ints, data["others"], "others")
    _need(all(0 <= other < image.layout.things for other in w.others), "its winners are damaged")
    verdict = decode_value(Ints, data["verdict"], "verdict")
    _need(len(verdict) in (0, 4) and (bool(verdict) or not w.flags & CLOSING), "its verdict is damaged")
    w.verdict = (verdict[0], verdict[1], verdict[2], verdict[3]) if verdict else None
    if data["fault"]:
        w.fault = Fault(*decode_value(tuple[str, int, int, int], data["fault"], "fault"))


def _markers(image: Image, w: World, rows: Rows) -> None:
    """Check and load markers with owners; their sum on a thing is at most its column's value."""
    layout, fields = image.layout, image.program.fields
    columns = [number for number, row in enumerate(fields) if row.owned >= 0]
    sums = {(number, t): 0 for number in columns for t in range(layout.field_low[number], layout.field_high[number])}
    for row in rows:
        _need(len(row) == 4 and row[:2] in sums and layout.is_a(row[2], fields[row[0]].owned), "a marker is nobody's")
        _need(row[3] > 0 and marker_key(*row[:3]) not in w.markers, "its markers are damaged")
        w.markers[marker_key(*row[:3])] = row[3]
        sums[row[0], row[1]] += row[3]
    _need(all(w.mem[layout.base[f] + t] >= count for (f, t), count in sums.items()), "its markers are damaged")


def _places(image: Image, w: World) -> None:
    """Check that the places, zones, terrains and barriers of a saved world exist."""
    layout = image.layout
    low = layout.spaces_low
    spaces = len(image.program.boards[w.board].cells) if w.board >= 0 else 0
    places = set(w.mem[layout.place : layout.place + layout.body])
    _need(all(place == -1 or low <= place < low + spaces for place in places), "a thing stands where there is no space")
    zones = set(w.mem[layout.zone : layout.zone + layout.body])
    _need(all(-1 <= zone < layout.zones for zone in zones), "a thing lies in a zone that does not exist")
    ground = w.mem[layout.terrain + low : layout.terrain + layout.spaces_high]
    _need(all(-1 <= terrain < len(image.program.terrains) for terrain in ground), "a terrain is unknown")
    walls = w.mem[layout.barriers :]
    _need(all(-1 <= barrier < len(image.program.barriers) for barrier in walls), "a barrier is unknown")


# ── what is running ────────────────────────────────────────────────────────────────────────────


def _items(image: Image, w: World, data: Json) -> None:
    """Load the stack; every answer must have a register to go to."""
    if not isinstance(data, list) or len(data) > DEEPEST:
        raise BadSave("its stack is damaged")
    for row in data:
        sort = row[0] if isinstance(row, list) and row else None
        if not isinstance(sort, str) or sort not in ITEMS:
            raise BadSave("its stack is damaged")
        item = _item(image, decode_value(ITEMS[sort], row, "stack"))
        if isinstance(item, Frame) and item.out != NOWHERE:
            below = w.stack[-1] if w.stack else None
            if not isinstance(below, Frame):
                raise BadSave("a code answers nobody")
            _need(-2 - len(below.s) < item.out < len(below.r), "a code answers into no register")
        w.stack.append(item)


def _item(image: Image, row: tuple[Any, ...]) -> Item:
    if row[0] == "frame":
        _, code, pc, out, r, s, batch, sealed = row
        _need(0 <= code < len(image.program.codes), "a running code is unknown")
        n_r, n_s = image.codes[code].n_r, image.codes[code].n_s
        _need(len(r) >= n_r and len(s) >= n_s and 0 <= pc < len(image.code(code)), "a running code is damaged")
        constants = image.program.codes[code].constants  # the frame may be reused by other games afterwards
        _need(len(r) > n_r or tuple(r[n_r - len(constants) :]) == tuple(constants), "a running code is damaged")
        frame = Frame(code, numbers(list(r)), list(s), out)
        frame.pc = pc
        if batch is not None:
            frame.batch = [_entry(image, entry) for entry in batch]
        if sealed:
            ops = image.code(code)
            _need(
                all(len(row) > 1 and 0 <= row[0] < len(ops) for row in sealed), "what was chosen in secret is damaged"
            )
            _need(all(isinstance(ops[row[0]], Secret) for row in sealed), "what was chosen in secret is damaged")
            _need(all(-1 <= row[1] < image.layout.things for row in sealed), "nobody has chosen in secret")
            frame.sealed = list(sealed)
        return frame
    if row[0] == "event":
        return _entry(image, row)
    _, track, left, sign, start, span, queue = row
    _need(image.track_of(track) >= 0 and sign in (-1, 1), "a moving track is unknown")
    _need(all(code in image.free_codes for code in queue), "a track runs an unknown code")
    walk = TrackMove(track, left, sign, start, span)
    walk.queue = list(queue)
    return walk


def _entry(image: Image, row: tuple[Any, ...]) -> EventActivation:
    _, event, code, span, phase, cancelled, replaced, r, s, waiting, used, passed, left, lost = row
    _need(0 <= event < len(image.program.events) and 0 <= phase <= AFTER, "a running event is unknown")
    size = 2 + len(image.program.events[event].lists)
    _need(len(r) == size and len(s) == size, "a running event is damaged")
    _need(
        code == -1 or any(v.code == code and v.event == event for v in image.program.verbs), "an event has a wrong body"
    )
    entry = EventActivation(event, code, list(r), list(s), span)
    entry.phase = phase
    entry.cancelled = bool(cancelled)
    entry.replaced = bool(replaced)
    for number, self_, this, age in waiting or ():
        _need(0 <= number < len(image.program.listeners), "a listener is unknown")
        _need(image.program.listeners[number].event == event, "a listener hears the wrong event")
        _need((age >= 0) == (image.program.listeners[number].scope == "lasting"), "a listener is damaged")
        _need(max(self_, this) < image.layout.things, "a listener belongs to nothing")
    entry.waiting = None if waiting is None else [BoundListener(*row) for row in waiting]
    _need(all(len(pair) == 2 for pair in used), "an event's answers are damaged")
    entry.used = tuple([(pair[0], pair[1]) for pair in used])
    entry.passed = passed
    fields, things = len(image.program.fields), image.layout.things
    for noted in (*left, *lost):
        _need(len(noted) == 4, "the last modifiers of a thing are damaged")
        _need(-1 <= noted[0] < fields and 0 <= noted[1] < things, "the last modifiers of a thing are damaged")
        _need(0 <= noted[2] < len(MODES), "the last modifiers of a thing are damaged")
    entry.left, entry.lost = left, lost
    return entry


def _question(image: Image, w: World, data: Json) -> None:
    """Load the pending question, which must be one that the topmost item asks."""
    if data == []:
        return
    who, kind, options, why, span, picked = decode_value(AskRow, data, "ask")
    _need(kind in ASK_KINDS and bool(w.stack) and bool(options), "its question is damaged")
    top = w.stack[-1]
    if isinstance(top, Frame):
        op = image.code(top.code)[top.pc]
        _need(isinstance(op, Asking) and kind == op.asks, "nobody asks its question")
    else:
        _need(isinstance(top, EventActivation) and kind == "react", "nobody asks its question")
    for option in options:
        _need(image.is_option(kind, option), "its question has options that do not exist")
    _need(-1 - (image.layout.teams_high - image.layout.teams_low) <= who, "it asks nobody")
    w.ask = Ask(who, kind, options, why, span, picked)
