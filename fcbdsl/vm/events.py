"""The course of an event: before, instead, body, after; who hears it, in what order, and who is asked.

Listeners run in order: rules, the mission and its tracks, things by number, markers by bearer, lasting effects by age.
Automatic ones first; then the offered ones are asked for, player by player, until nobody takes one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fcbdsl.vm import limits
from fcbdsl.vm.world import (
    AFTER,
    BEFORE,
    INSTEAD,
    L_EVENT,
    L_LASTING,
    L_REACT,
    LISTENER,
    NONE,
    NOWHERE,
    SETTLE,
    Ask,
    EventActivation,
    Frame,
    Item,
    LastingEffect,
    Option,
)

if TYPE_CHECKING:
    from fcbdsl.vm.linker import Triple
    from fcbdsl.vm.machine import Machine

Row = tuple[int, int, int, int]
"""A listener, its self, its this, and the age of its lasting effect or -1."""


def happen(m: Machine, event: int, code: int, r: list[int], s: list[tuple[int, ...]], span: int) -> None:
    """Let an event happen: put it, or if nobody could hear it just its body, on the stack (code -1: no body)."""
    m.spend(1)
    w = m.w
    if event >= 0:
        _log(m, event, r, s, span)
        if w.used:
            limits.refresh(m, event)
        if is_heard(m, event) or w.effects:
            m.push(EventActivation(event, code, r, s, span))
            return
    if code >= 0:
        m.push(m.frame(code, r, s, NOWHERE))


def is_heard(m: Machine, event: int) -> bool:
    """Whether something in play (lasting effects aside) listens to an event."""
    if m.w.ears[event]:
        return True
    rules = m.rules[event]
    return bool(m.counters[event] or rules[0] or rules[1] or rules[2])


def _log(m: Machine, event: int, r: list[int], s: list[tuple[int, ...]], span: int) -> None:
    data = [event]
    for index, listed in enumerate(m.program.events[event].lists):
        if listed:
            data += (len(s[index + 2]), *s[index + 2])
        else:
            data.append(r[index + 2])
    m.note(L_EVENT, span, tuple(data))


# ── the phases ─────────────────────────────────────────────────────────────────────────────────


def step(m: Machine, entry: EventActivation) -> None:
    """Take an event one step further: run or ask somebody, run its body, or end it."""
    timings = m.timings[entry.event]
    if entry.phase <= INSTEAD and (entry.cancelled or entry.replaced):
        _finish(m)
        return
    if entry.phase == BEFORE:
        if timings[0] and _hear(m, entry, 0):
            return
        _turn(entry, INSTEAD)
    if entry.phase == INSTEAD:
        if timings[1] and _hear(m, entry, 1):
            return
        _turn(entry, SETTLE)
        entry.waiting = gather(m, entry, 2) if timings[2] else []
        if entry.code >= 0:
            m.push(m.frame(entry.code, entry.r[:], entry.s[:], NOWHERE))
            return
    if entry.phase == SETTLE:
        _settle(m, entry, timings[2])
    elif not _hear(m, entry, 2):
        _finish(m)


def _turn(entry: EventActivation, phase: int) -> None:
    entry.phase = phase
    entry.waiting = None
    if entry.passed:
        entry.passed = []


def _finish(m: Machine) -> None:
    m.w.stack.pop()
    m.settle()


def _settle(m: Machine, entry: EventActivation, heard: bool) -> None:
    """After the body: end lasting effects, add who has come into hearing, and wait if events are heard as a batch."""
    if entry.cancelled:
        _finish(m)
        return
    if m.w.effects:
        expire(m, entry)
    if not heard:
        _finish(m)
        return
    known = entry.waiting or []
    fresh = gather(m, entry, 2)
    if fresh != known:
        gone = {row[3] for row in known} - {effect.age for effect in m.w.effects} - {-1}
        kept = [row for row in known if row[3] not in gone]
        entry.waiting = kept + [row for row in fresh if row not in kept]
    entry.phase = AFTER
    stack = m.w.stack
    below = stack[-2] if len(stack) > 1 else entry
    if isinstance(below, Frame) and below.batch is not None:
        stack.pop()
        below.batch.append(entry)


def unmet(item: Item) -> None:
    """The body of an event ended because a requirement failed: it has not happened."""
    if isinstance(item, EventActivation) and item.phase == SETTLE:
        item.cancelled = True


# ── who hears ──────────────────────────────────────────────────────────────────────────────────


def gather(m: Machine, entry: EventActivation, timing: int) -> list[Row]:
    """Everybody who might hear an event at a timing, in order, automatic ones before offered ones."""
    rows: list[Row] = []
    for number in m.rules[entry.event][timing]:
        rows.append((number, -1, -1, -1))
    voices = m.voices[entry.event]
    for thing in m.w.ears[entry.event]:
        numbers = voices[thing][timing]
        if numbers:
            self_, this = m.selves(thing)
            for number in numbers:
                rows.append((number, self_, this, -1))
    for field, triple in m.counters[entry.event]:
        if triple[timing]:
            rows += _bearers(m, field, triple, timing)
    if m.w.effects:
        lasting = m.lasting_voices[entry.event]
        for effect in m.w.effects:
            if effect.template in lasting:
                rows += [(n, effect.r[0], effect.r[1], effect.age) for n in lasting[effect.template][timing]]
    m.spend(1 + len(rows))
    if m.offering[entry.event]:
        table = m.program.listeners
        rows.sort(key=lambda row: table[row[0]].offered)
    return rows


def _bearers(m: Machine, field: int, triple: Triple, timing: int) -> list[Row]:
    base, low, high = m.layout.base[field], m.layout.field_low[field], m.layout.field_high[field]
    column = m.w.mem[base + low : base + high]
    if not any(column):
        return []
    return [(n, low + i, low + i, -1) for i, count in enumerate(column) if count > 0 for n in triple[timing]]


def _hear(m: Machine, entry: EventActivation, timing: int) -> bool:
    """Let the next listener run, or ask about offered ones; False when nobody is left."""
    if entry.waiting is None:
        entry.waiting = gather(m, entry, timing)
    table = m.program.listeners
    while entry.waiting and not table[entry.waiting[0][0]].offered:
        row = entry.waiting.pop(0)
        if _holds(m, entry, row):
            _run(m, entry, row)
            return True
    return bool(entry.waiting) and _offer(m, entry)


def _registers(m: Machine, entry: EventActivation, row: Row) -> tuple[list[int], list[tuple[int, ...]]]:
    """The first registers of a listener's codes: self, this or what was captured, then the parameters."""
    if row[3] < 0:
        return [row[1], row[2], *entry.r[2:]], entry.s
    effect = next(e for e in m.w.effects if e.age == row[3])
    return [*effect.r, *entry.r[2:]], [*effect.s, *entry.s[2:]]


def _holds(m: Machine, entry: EventActivation, row: Row) -> bool:
    """Whether a listener is (still) there and its conditions hold."""
    number, self_, this, age = row
    listener = m.program.listeners[number]
    if age >= 0:
        if all(effect.age != age for effect in m.w.effects):
            return False
    elif this >= 0 and not _present(m, entry, listener.scope, listener.owner, self_, this):
        return False
    if listener.limit >= 0 and not limits.is_free(m, listener.limit, self_, this):
        return False
    if listener.condition < 0 and not listener.offered:
        return True
    r, s = _registers(m, entry, row)
    if listener.condition >= 0 and not m.call(listener.condition, r, s):
        return False
    if not listener.offered:
        return True
    if listener.usable >= 0 and not m.call(listener.usable, r[:2], []):
        return False
    return listener.guard < 0 or m.call(listener.guard, r, s) != 0


def _present(m: Machine, entry: EventActivation, scope: str, owner: int, self_: int, this: int) -> bool:
    """Whether a hearer is still in play; what the event is about hears of it even when that took it out of play."""
    if scope == "tier":
        return m.tier_track(owner) >= 0
    about = entry.phase == AFTER and (this in entry.r[2:] or self_ in entry.r[2:])
    if scope == "counter":
        return about or m.w.mem[m.layout.base[owner] + this] > 0
    return about or m.w.live[this] != 0


def _run(m: Machine, entry: EventActivation, row: Row) -> None:
    """Run a listener: what it spends, then its body."""
    number, self_, this, _ = row
    listener = m.program.listeners[number]
    r, s = _registers(m, entry, row)
    limits.use(m, listener.limit, self_, this)
    if entry.phase == INSTEAD:
        entry.replaced = True
    m.note(L_REACT, listener.span, (number, self_, this))
    m.push(m.frame(listener.body, r[:], s[:], NOWHERE))
    if listener.offered and listener.spends >= 0:
        m.push(m.frame(listener.spends, [self_, this], [], NOWHERE))


# ── offered listeners ──────────────────────────────────────────────────────────────────────────


def _offer(m: Machine, entry: EventActivation) -> bool:
    """Ask the first player who can answer the event and has not passed; False if there is none."""
    who = -2
    options: list[Option] = []
    for row in entry.waiting or []:
        if (row[0], row[2]) in entry.used:
            continue
        player = m.controller(row[1])
        if player in entry.passed or (who >= -1 and player > who):
            continue
        if _holds(m, entry, row):
            if player != who:
                who, options = player, []
            options.append((LISTENER, row[0], row[1], row[2]))
    if not options:
        return False
    m.w.ask = Ask(who, "react", (*options, (NONE,)), -1, entry.span)
    return True


def answer(m: Machine, entry: EventActivation, ask: Ask, choice: int) -> None:
    """Run the listener chosen, or note that the player passed."""
    option = ask.options[choice]
    if option[0] == NONE:
        entry.passed.append(ask.who)
        return
    for row in entry.waiting or []:
        if row[:3] == option[1:]:
            entry.used.append((row[0], row[2]))
            _run(m, entry, row)
            return


# ── lasting effects ────────────────────────────────────────────────────────────────────────────


def last(m: Machine, template: int, subject: int, f: Frame, span: int) -> None:
    """Begin a lasting effect that keeps the frame's first registers as they are now."""
    w = m.w
    captured = m.program.lastings[template].captured
    w.serial += 1
    r = [*f.r[:captured], *([-1] * (captured - len(f.r)))]
    s = [*f.s[:captured], *([()] * (captured - len(f.s)))]
    w.effects.append(LastingEffect(template, w.serial, subject, tuple(r), tuple(s)))
    m.spend(1 + len(w.effects))
    m.note(L_LASTING, span, (template, 1))


def expire(m: Machine, entry: EventActivation) -> None:
    """End the effects that last until this event (for its first parameter, if they name a subject)."""
    w = m.w
    table = m.program.lastings
    about = entry.r[2] if len(entry.r) > 2 else -1
    ended = [e for e in w.effects if table[e.template].until == entry.event and e.subject in (-1, about)]
    if ended:
        w.effects = [e for e in w.effects if e not in ended]
        for effect in ended:
            m.note(L_LASTING, table[effect.template].span, (effect.template, 0))
