"""Worlds as data: copies, saved forms, identities. `loading` reads what `save` writes."""

from __future__ import annotations

import sys
from array import array
from dataclasses import astuple
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from fcbdsl.base import versions
from fcbdsl.machine.vm.numbers import are_equal
from fcbdsl.machine.vm.serialization import Json
from fcbdsl.machine.vm.world import OWNER, Ask, EventActivation, Frame, Item, LastingEffect, TrackMove, World

if TYPE_CHECKING:
    from fcbdsl.machine.vm.game import Game

FORMAT = versions.WORLD


class BadSave(ValueError):
    """Data that is not a world of this program."""


def clone(w: World) -> World:
    """Return an independent copy.

    Immutable data (lists, options) is shared. Memory, zones and log are shared until one of the worlds writes to them
    (copy-on-write).
    """
    new = apart(w)
    new.undo = None
    new.over = None
    if w.undo is None:
        new.mem, new.token, new.lent = w.mem, w.token, True
        w.lent = True
    else:
        new.mem, new.token, new.lent = w.mem[:], object(), False
    return new


def ahead(w: World, like: World | None = None) -> World:
    """Return a look-ahead copy that writes into the memory of `w`, with an undo log; all but memory from `like`.

    The world `w` must not be changed until `take_back` is called on the copy.
    """
    new = apart(w if like is None else like)
    new.mem, new.token, new.lent = w.mem, w.token, False
    new.undo = []
    new.over = w
    return new


def fork(w: World) -> World:
    """Return a copy that writes into the memory of `w`, and continues its undo log or begins one.

    Only one of them can be in use: `take_back` restores the memory for the other.
    """
    new = apart(w)
    if w.lent:  # a clone may be in use at the same time
        w.mem, w.token, w.lent = w.mem[:], object(), False
    new.mem, new.token, new.lent = w.mem, w.token, False
    new.undo = [] if w.undo is None else w.undo
    new.over = w if w.undo is None else w.over
    return new


def apart(w: World) -> World:
    """Return a copy of a world without its memory."""
    new = World.__new__(World)
    new.zones = w.zones
    new.zones_lent = w.zones_lent = True
    new.stack = [item.copy() for item in w.stack]
    new.effects = w.effects[:]
    new.lingering = w.lingering
    new.markers = w.markers.copy()
    new.used = w.used.copy()
    new.rng = w.rng[:]
    new.script = w.script[:]
    new.flags = w.flags
    new.switches = w.switches[:]
    new.mission = w.mission
    new.board = w.board
    new.players = w.players
    new.origin = w.origin
    new.outcome = w.outcome
    new.side = w.side
    new.others = w.others
    new.why = w.why
    new.ending = w.ending
    new.verdict = w.verdict
    new.fault = w.fault
    new.ask = w.ask
    new.serial = w.serial
    new.reveals = w.reveals
    new.log = w.log
    new.happened = w.happened
    new.live = w.live
    new.subscribers = w.subscribers[:]
    new.carried = w.carried
    new.standing = w.standing
    new.tables_lent = w.tables_lent = True
    new.crowd = w.crowd
    new.ground = w.ground
    new.selected = w.selected
    new.acting = w.acting
    new.bearers = w.bearers
    new.unmixed = w.unmixed
    new.parted = w.parted
    return new


def looks_alike(a: World, b: World) -> bool:
    """Return whether all queries have the same answers in two worlds, if they read no variant whose values differ.

    Queries read neither the log nor chance nor the pending question.
    """
    if a.token is not b.token and not are_equal(a.mem, b.mem):
        return False
    if (a.zones, a.effects, a.lingering, a.markers, a.used) != (b.zones, b.effects, b.lingering, b.markers, b.used):
        return False
    if any(getattr(a, name) != getattr(b, name) for name in (*NUMBERS, ENDING)) or a.unmixed or b.unmixed:
        return False
    return [_item(item) for item in a.stack] == [_item(item) for item in b.stack]


# ── writing ────────────────────────────────────────────────────────────────────────────────────

NUMBERS = ("flags", "mission", "board", "players", "outcome", "side", "why", "serial", "reveals", "origin")
ENDING = "ending"
"""The attribute with the named ending of a world."""


def state(w: World) -> dict[str, Any]:
    """Return the world's state without its log, as data of lists, numbers and texts in a fixed order.

    It contains the named ending only if there is one.
    """
    return {
        **{name: getattr(w, name) for name in NUMBERS},
        **({ENDING: w.ending} if w.ending >= 0 else {}),
        "mem": list(w.mem),
        "zones": [list(w.lying(zone)) for zone in range(len(w.zones))],
        "stack": [_item(item) for item in w.stack],
        "effects": [_effect(effect) for effect in w.effects],
        "markers": [[*divmod(key >> 14, 1 << 14), key & OWNER, w.markers[key]] for key in sorted(w.markers)],
        "used": sorted(w.used),
        "rng": w.rng,
        "script": w.script,
        "switches": w.switches,
        "others": list(w.others),
        "verdict": list(w.verdict) if w.verdict else [],
        "fault": list(astuple(w.fault)) if w.fault else [],
        "ask": _ask(w.ask) if w.ask else [],
        **({"lingering": [list(row) for row in w.lingering]} if w.lingering else {}),
    }


def _effect(e: LastingEffect) -> list[Any]:
    return [e.template, e.age, e.subject, list(e.r), [list(x) for x in e.s], int(e.orphan)]


def _ask(ask: Ask) -> list[Any]:
    return [ask.who, ask.kind, [list(option) for option in ask.options], ask.why, ask.span, list(ask.picked)]


def _item(item: Item) -> list[Any]:
    if isinstance(item, Frame):
        batch = [_item(entry) for entry in item.batch] if item.batch is not None else None
        sealed = [list(row) for row in item.sealed or ()]
        return ["frame", item.code, item.pc, item.out, list(item.r), [list(x) for x in item.s], batch, sealed]
    if isinstance(item, EventActivation):
        numbers = [item.event, item.code, item.span, item.phase, int(item.cancelled), int(item.replaced)]
        heard = item.waiting
        waiting = None if heard is None else [list(listener.key()) for listener in heard]
        used = [list(row) for row in item.used]
        noted = [[list(row) for row in rows] for rows in (item.left, item.lost)]
        return ["event", *numbers, list(item.r), [list(x) for x in item.s], waiting, used, list(item.passed), *noted]
    assert isinstance(item, TrackMove)
    return ["walk", item.track, item.left, item.sign, item.start, item.span, list(item.queue)]


def save(g: Game) -> Json:
    """Return the world as JSON-able data; states of chance as texts, for JSON readers that keep 53 bits."""
    w = g.world
    data = state(w)
    data["rng"] = [str(number) for number in w.rng]
    log = [list(row) for row in w.log[: w.happened]]
    return {"format": FORMAT, "program": g.program.hash, **data, "log": log}


def world_hash(w: World) -> str:
    """Return the BLAKE2b-128 hash of the world's numbers in a fixed order, each as 8 bytes, lowest first."""
    packed = array("q", (w.happened,))
    data = state(w)
    data["rng"] = [number - (number >> 63 << 64) for number in w.rng]  # as signed numbers of 64 bits
    _pack(data, packed)
    if sys.byteorder == "big":
        packed.byteswap()
    return blake2b(packed.tobytes(), digest_size=16).hexdigest()


def _pack(value: Any, out: array[int]) -> None:
    """Append a value's numbers: lists with their length first, texts by their bytes, None as -1."""
    if isinstance(value, list):
        out.append(len(value))
        if value and type(value[0]) is int:
            try:
                out.extend(array("q", value))
                return
            except TypeError:  # not numbers alone
                pass
        for item in value:
            if item or item is None or type(item) is int:
                _pack(item, out)
            else:  # an empty list or text: most zones are
                out.append(0)
    elif isinstance(value, dict):
        for name in sorted(value):
            _pack(value[name], out)
    elif isinstance(value, str):
        raw = value.encode()
        out.append(len(raw))
        out.extend(raw)
    else:
        out.append(-1 if value is None else value)
