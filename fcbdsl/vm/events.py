"""The course of an event: before, instead, body, after; who hears it, in what order, and who is asked.

Listeners run in order: rules, the mission and its tracks, things by number, markers by bearer, lasting effects by age.
Automatic ones first; then the offered ones are asked for, player by player, until nobody takes one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fcbdsl.vm import limits
from fcbdsl.vm.teams import of_player, seats, voice
from fcbdsl.vm.world import (
    AFTER,
    BEFORE,
    CLOSING,
    INSTEAD,
    L_EVENT,
    L_LASTING,
    L_REACT,
    LISTENER,
    NONE,
    NOWHERE,
    OPENING,
    SETTLE,
    Ask,
    EventActivation,
    Frame,
    Item,
    LastingEffect,
    Option,
)

if TYPE_CHECKING:
    from fcbdsl.vm.game import Game
    from fcbdsl.vm.image import Triple
    from fcbdsl.vm.linked_rows import LinkedListener
    from fcbdsl.vm.program import Window

Row = tuple[int, int, int, int]
"""A listener, its self, its this, and the age of its lasting effect or -1."""


def happen(g: Game, event: int, code: int, r: list[int], s: list[tuple[int, ...]], span: int) -> None:
    """Let an event happen: put it, or if nobody could hear it just its body, on the stack (code -1: no body)."""
    g.spend(1)
    w = g.world
    if event >= 0:
        g.note(L_EVENT, span, logged(g, event, r, s))
        if w.used:
            limits.refresh(g, event)
        if is_heard(g, event) or w.effects:
            g.push(EventActivation(event, code, r, s, span))
            return
    if code >= 0:
        g.push(g.frame(code, r, s, NOWHERE))


def is_heard(g: Game, event: int) -> bool:
    """Whether something in play (lasting effects aside) listens to an event."""
    if g.world.subscribers[event]:
        return True
    rules = g.rules[event]
    return bool(g.image.counters[event] or rules[0] or rules[1] or rules[2])


def logged(g: Game, event: int, r: list[int], s: list[tuple[int, ...]]) -> tuple[int, ...]:
    """What the log says of an event: its number, and its parameters (of a list first how many it has)."""
    lists = g.image.listed[event]
    if not lists:
        return (event, *r[2 : g.image.ends[event]])
    data = [event]
    for at in range(2, g.image.ends[event]):
        if at in lists:
            data += (len(s[at]), *s[at])
        else:
            data.append(r[at])
    return tuple(data)


# ── the phases ─────────────────────────────────────────────────────────────────────────────────


def step(g: Game, entry: EventActivation) -> None:
    """Take an event one step further: run or ask somebody, run its body, or end it."""
    timings = g.image.timings[entry.event]
    if entry.phase <= INSTEAD and (entry.cancelled or entry.replaced):
        _finish(g)
        return
    if entry.phase == BEFORE:
        if timings[0] and _hear(g, entry, 0):
            return
        _turn(entry, INSTEAD)
    if entry.phase == INSTEAD:
        if timings[1] and _hear(g, entry, 1):
            return
        _turn(entry, SETTLE)
        entry.waiting = gather(g, entry, 2) if timings[2] else []
        if entry.code >= 0:
            g.push(g.frame(entry.code, entry.r[:], entry.s[:], NOWHERE))
            return
    if entry.phase == SETTLE:
        _settle(g, entry, timings[2])
    elif not _hear(g, entry, 2):
        _finish(g)


def _turn(entry: EventActivation, phase: int) -> None:
    entry.phase = phase
    entry.waiting = None
    if entry.passed:
        entry.passed = []
    if entry.used:
        entry.used = [row for row in entry.used if row[0] != ASKED]


def _finish(g: Game) -> None:
    stack = g.world.stack
    entry = stack.pop()
    assert isinstance(entry, EventActivation)
    if (entry.cancelled or entry.replaced) and stack and isinstance(stack[-1], Frame):
        unmet(g, stack[-1])
    g.settle()


def _settle(g: Game, entry: EventActivation, heard: bool) -> None:
    """After the body: end lasting effects, add who has come into hearing, and wait if events are heard as a batch."""
    if entry.cancelled:
        _finish(g)
        return
    if g.world.effects:
        expire(g, entry)
    if not heard:
        _finish(g)
        return
    known = entry.waiting or []
    fresh = gather(g, entry, 2)
    if fresh != known:
        gone = {row[3] for row in known} - {effect.age for effect in g.world.effects} - {-1}
        kept = [row for row in known if row[3] not in gone]
        entry.waiting = kept + [row for row in fresh if row not in kept]
    entry.phase = AFTER
    stack = g.world.stack
    below = stack[-2] if len(stack) > 1 else entry
    if isinstance(below, Frame) and below.batch is not None:
        stack.pop()
        below.batch.append(entry)


def unmet(g: Game, item: Item) -> None:
    """What an item had begun ended because a requirement failed: an event has not happened, a code may want to know."""
    if isinstance(item, EventActivation) and item.phase == SETTLE:
        item.cancelled = True
    elif isinstance(item, Frame):
        g.image.code(item.code)[item.pc].failed(item)


# ── who hears ──────────────────────────────────────────────────────────────────────────────────


def gather(g: Game, entry: EventActivation, timing: int) -> list[Row]:
    """Everybody who might hear an event at a timing, in order, automatic ones before offered ones."""
    rows = g.rule_rows[entry.event][timing][:]
    subscribers = g.world.subscribers[entry.event]
    thing_listeners, known = g.image.thing_listeners[entry.event], g.image.thing_rows[entry.event]
    for thing in subscribers:
        fixed = known.get(thing)
        if fixed is not None:
            rows += fixed[timing]
            continue
        numbers = thing_listeners[thing][timing]
        if numbers:
            self_, this = g.selves(thing)
            for number in numbers:
                rows.append((number, self_, this, -1))
    for field, triple in g.image.counters[entry.event]:
        if triple[timing]:
            rows += _bearers(g, field, triple, timing)
    if g.world.effects:
        lasting = g.image.lasting_listeners[entry.event]
        for effect in g.world.effects:
            if effect.template in lasting:
                rows += [(n, effect.r[0], effect.r[1], effect.age) for n in lasting[effect.template][timing]]
    g.spend(1 + len(rows))
    if g.image.offering[entry.event]:
        table = g.image.listeners
        rows.sort(key=lambda row: table[row[0]].offered)
    return rows


def _bearers(g: Game, field: int, triple: Triple, timing: int) -> list[Row]:
    base, low, high = g.layout.base[field], g.layout.field_low[field], g.layout.field_high[field]
    column = g.world.mem[base + low : base + high]
    if column.count(0) == len(column):
        return []
    return [(n, low + i, low + i, -1) for i, count in enumerate(column) if count > 0 for n in triple[timing]]


def _hear(g: Game, entry: EventActivation, timing: int) -> bool:
    """Let the next listener run, or ask about offered ones; False when nobody is left."""
    if entry.waiting is None:
        entry.waiting = gather(g, entry, timing)
    table = g.image.listeners
    while entry.waiting and not table[entry.waiting[0][0]].offered:
        row = entry.waiting.pop(0)
        if _holds(g, entry, row):
            _run(g, entry, row)
            return True
        if entry.event == g.program.changed:
            limits.release(g, table[row[0]].limit, row[1], _bearer_of_limit(row))
    return bool(entry.waiting) and _offer(g, entry)


def _registers(g: Game, entry: EventActivation, row: Row) -> tuple[list[int], list[tuple[int, ...]]]:
    """The first registers of a listener's codes: self, this or what was captured, then the parameters."""
    if row[3] < 0:
        return [row[1], row[2], *entry.r[2:]], entry.s
    effect = next(e for e in g.world.effects if e.age == row[3])
    return [*effect.r, *entry.r[2:]], [*effect.s, *entry.s[2:]]


def _holds(g: Game, entry: EventActivation, row: Row) -> bool:
    """Whether a listener is (still) there and its conditions hold."""
    number, self_, this, age = row
    listener = g.image.listeners[number]
    if age >= 0:
        if all(effect.age != age for effect in g.world.effects):
            return False
    elif this >= 0 and not _present(g, entry, listener, self_, this):
        return False
    if listener.limit >= 0 and entry.event != g.program.changed and not limits.is_free(g, listener.limit, self_, this):
        return False
    if listener.condition < 0 and not listener.offered:
        return True
    r, s = _registers(g, entry, row)
    if listener.condition >= 0 and not g.call(listener.condition, r, s):
        return False
    if not listener.offered:
        return True
    if listener.usable >= 0 and not g.call(listener.usable, r[:2], []):
        return False
    return listener.guard < 0 or g.call(listener.guard, r, s) != 0


def _present(g: Game, entry: EventActivation, listener: LinkedListener, self_: int, this: int) -> bool:
    """Whether a hearer is still in play; what the event is about hears of it even when that took it out of play."""
    if listener.of_tier:
        return g.tier_track(listener.owner) >= 0
    about = entry.phase == AFTER and (this in entry.r[2:] or self_ in entry.r[2:])
    if listener.of_counter:
        return about or g.world.mem[g.layout.base[listener.owner] + this] > 0
    return about or g.world.live[this] != 0


def _run(g: Game, entry: EventActivation, row: Row) -> None:
    """Run a listener: what it spends, then its body."""
    number, self_, this, _ = row
    listener = g.image.listeners[number]
    r, s = _registers(g, entry, row)
    if entry.event != g.program.changed:
        limits.use(g, listener.limit, self_, this)
    if entry.phase == INSTEAD:
        entry.replaced = True
    g.note(L_REACT, listener.span, (number, self_, this))
    g.push(g.frame(listener.body, r[:], s[:], NOWHERE))
    if listener.offered and listener.spends >= 0:
        g.push(g.frame(listener.spends, [self_, this], [], NOWHERE))


# ── what listens to changes ────────────────────────────────────────────────────────────────────


def look(g: Game) -> bool:
    """Let whatever has turned true run, in order, before anything else goes on; whether something has.

    While a game is being set up, and while events are heard as a batch, the look is put off: what they change is one
    change. What has turned true is kept in the limits of the listeners, and so in the world."""
    w = g.world
    if w.flags & (OPENING | CLOSING) or any(isinstance(item, Frame) and item.batch is not None for item in w.stack):
        return False
    g.changed = False
    entry = EventActivation(g.program.changed, -1, [-1, -1], [(), ()], -1)
    entry.phase = AFTER
    entry.waiting = [row for row in gather(g, entry, 2) if _turns_true(g, entry, row)]
    if entry.waiting:
        g.push(entry)
    return bool(entry.waiting)


def _turns_true(g: Game, entry: EventActivation, row: Row) -> bool:
    """Whether the condition of a listener holds that did not hold before; remember whether it does."""
    listener = g.image.listeners[row[0]]
    whose = _bearer_of_limit(row)
    free = limits.is_free(g, listener.limit, row[1], whose)
    if not free and not listener.rearms:
        return False
    if not _holds(g, entry, row):
        if not free:
            limits.release(g, listener.limit, row[1], whose)
        return False
    if free:
        limits.use(g, listener.limit, row[1], whose)
    return free


def _bearer_of_limit(row: Row) -> int:
    """For whom the limit of what listens to changes is counted: a thing, or a lasting effect by its age."""
    return row[2] if row[3] < 0 else row[3]


# ── offered listeners ──────────────────────────────────────────────────────────────────────────


def _offer(g: Game, entry: EventActivation) -> bool:
    """Ask the first player who can answer the event and has not passed; False if there is none."""
    window = g.image.windows[entry.event]
    if window is not None:
        return _offer_in_order(g, entry, window)
    who = 0
    options: list[Option] = []
    for row in entry.waiting or []:
        if (row[0], row[2]) in entry.used:
            continue
        player = g.controller(row[1])
        if player in entry.passed or (options and player > who):
            continue
        if _holds(g, entry, row):
            if player != who:
                who, options = player, []
            options.append((LISTENER, row[0], row[1], row[2]))
    if not options:
        return False
    g.world.ask = Ask(who, "react", (*options, (NONE,)), -1, entry.span)
    return True


ANSWERED: Final = -1
ASKED: Final = -2
"""In `EventActivation.used`, with a number: whose share of a window is used up; who was asked last, taking turns."""


def _offer_in_order(g: Game, entry: EventActivation, window: Window) -> bool:
    """The same where a window says in which order players are asked, and how often each may answer."""
    options: dict[int, list[Option]] = {}
    for row in entry.waiting or []:
        if (row[0], row[2]) in entry.used:
            continue
        player = g.controller(row[1])
        if player in entry.passed or (ANSWERED, _share(g, window, player)) in entry.used:
            continue
        if _holds(g, entry, row):
            options.setdefault(player, []).append((LISTENER, row[0], row[1], row[2]))
    if not options:
        return False
    places = {player: _place(g, entry, window, player) for player in options}
    order = sorted(options, key=places.__getitem__)
    last = [who for mark, who in entry.used if mark == ASKED]
    if last:
        after = _place(g, entry, window, last[0])
        order = [who for who in order if places[who] > after] + [who for who in order if places[who] <= after]
    g.world.ask = Ask(order[0], "react", (*options[order[0]], (NONE,)), -1, entry.span)
    return True


def _place(g: Game, entry: EventActivation, window: Window, who: int) -> tuple[int, int]:
    """The place of a player, or of the first of several, in the order of a window."""
    if window.order < 0:
        return 0, who
    player = g.layout.players_low + seats(g, who)[0]
    if window.general:
        return g.call(window.order, [player, -1], []), who
    return g.call(window.order, [player, -1, *entry.r[2:]], entry.s), who


def _share(g: Game, window: Window, who: int) -> int:
    """Whose share of a window an answer uses up, as a number of its own."""
    if window.per == "team" and who >= 0:
        team = of_player(g, who)
        return voice(g, team) if team >= 0 else who
    return 0 if window.per == "game" else who


def answer(g: Game, entry: EventActivation, ask: Ask, choice: int) -> None:
    """Run the listener chosen, or note that the player passed."""
    option = ask.options[choice]
    window = g.image.windows[entry.event]
    if window is not None and window.in_turn:
        entry.used = [*(row for row in entry.used if row[0] != ASKED), (ASKED, ask.who)]
    if option[0] == NONE:
        entry.passed.append(ask.who)
        return
    if window is not None and window.per:
        entry.used.append((ANSWERED, _share(g, window, ask.who)))
    if window is not None and window.in_turn:
        entry.passed = []
    for row in entry.waiting or []:
        if row[:3] == option[1:]:
            entry.used.append((row[0], row[2]))
            _run(g, entry, row)
            return


# ── lasting effects ────────────────────────────────────────────────────────────────────────────


def last(g: Game, template: int, subject: int, f: Frame, span: int) -> None:
    """Begin a lasting effect that keeps the frame's first registers as they are now."""
    w = g.world
    captured = g.program.lastings[template].captured
    w.serial += 1
    r = [*f.r[:captured], *([-1] * (captured - len(f.r)))]
    s = [*f.s[:captured], *([()] * (captured - len(f.s)))]
    w.effects.append(LastingEffect(template, w.serial, subject, tuple(r), tuple(s)))
    g.spend(1 + len(w.effects))
    g.note(L_LASTING, span, (template, 1))


def expire(g: Game, entry: EventActivation) -> None:
    """End the effects that last until this event (for its first parameter, if they name a subject)."""
    w = g.world
    table = g.program.lastings
    about = entry.r[2] if len(entry.r) > 2 else -1
    ended = [e for e in w.effects if table[e.template].until == entry.event and e.subject in (-1, about)]
    if ended:
        w.effects = [e for e in w.effects if e not in ended]
        g.changed = g.alert
        for effect in ended:
            g.note(L_LASTING, table[effect.template].span, (effect.template, 0))
