"""Processing of an event: before, instead, body, after; its listeners, their order, and offers to players.

Listeners run in order: rules, the mission and its tracks, things by number, markers by bearer, lasting effects by age.
Automatic ones run first. Then the offered ones are offered, player by player, until all decline.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fcbdsl.base.words import TIMINGS
from fcbdsl.machine.vm import departures, limits, subscribers
from fcbdsl.machine.vm.frames import call, call_for, new_frame, open_batch, push
from fcbdsl.machine.vm.teams import deciding_seats, of_player, voice
from fcbdsl.machine.vm.world import (
    AFTER,
    BEFORE,
    INSTEAD,
    L_EVENT,
    L_LASTING,
    L_REACT,
    LISTENER,
    NO_LISTS,
    NONE,
    NOWHERE,
    SETTLE,
    UNHEARD,
    Ask,
    BoundListener,
    EventActivation,
    Frame,
    Item,
    LastingEffect,
    Option,
    SubscriberList,
)

if TYPE_CHECKING:
    from fcbdsl.machine.vm.game import Game
    from fcbdsl.machine.vm.linked_rows import LinkedListener
    from fcbdsl.machine.vm.op import Op
    from fcbdsl.machine.vm.program import Window


def happen(g: Game, event: int, code: int, r: list[int], s: list[tuple[int, ...]], span: int) -> None:
    """Start an event: put it on the stack, or only its body if it can have no listener (code -1: no body)."""
    g.spend(1)
    w = g.world
    if event >= 0:
        g.note((L_EVENT, span) if g.is_lookahead else log_row(g, event, r, s, span))
        if w.used:
            limits.reset_limits(g, event)
        if has_listener(g, event) or w.effects or _has_company(g, event):
            push(g, EventActivation(event, code, r, s, span))
            return
    if code >= 0:
        push(g, new_frame(g, code, r, s, NOWHERE))


def has_listener(g: Game, event: int) -> bool:
    """Return whether something in play (lasting effects aside) listens to an event."""
    return bool(g.world.subscribers[event].things) or g.ruled[event] or g.image.counted[event]


def is_change_heard(g: Game) -> bool:
    """Return whether anything in play listens to changes, so that its condition may have become true."""
    w = g.world
    if not g.hears_changes or w.flags & UNHEARD:
        return False
    image = g.image
    changed = image.changed
    if w.subscribers[changed].things or g.ruled[changed] or image.counted[changed]:  # `has_listener`, inlined
        return True
    return bool(w.effects) and bool(image.lasting_listeners[changed])


def _has_company(g: Game, event: int) -> bool:
    """Return whether a listener that has left play in the batch of a new event will hear that event."""
    if not g.image.timings[event][2]:
        return False
    batch = open_batch(g.world.stack)
    return bool(batch) and any(other.event == event and other.waiting for other in batch or ())


def log_row(g: Game, event: int, r: list[int], s: list[tuple[int, ...]], span: int) -> tuple[int, ...]:
    """Return the row of the log for an event: its number, then its parameters. A list begins with its length."""
    lists = g.image.listed[event]
    if not lists:
        end = g.image.ends[event]
        if end == 3:  # most have one or two parameters and need no list
            return (L_EVENT, span, event, r[2])
        if end == 4:
            return (L_EVENT, span, event, r[2], r[3])
        return (L_EVENT, span, event, *r[2:end])
    data = [L_EVENT, span, event]
    for at in range(2, g.image.ends[event]):
        if at in lists:
            data += (len(s[at]), *s[at])
        else:
            data.append(r[at])
    return tuple(data)


# ── the phases ─────────────────────────────────────────────────────────────────────────────────


def advance_event(g: Game, entry: EventActivation) -> None:
    """Advance an event by one step: run a listener, ask a player, run its body, or end it."""
    timings = g.image.timings[entry.event]
    if entry.phase <= INSTEAD and (entry.cancelled or entry.replaced):
        _finish(g)
        return
    if entry.phase == BEFORE:
        if timings[0] and _run_automatic(g, entry, 0):
            return
        _turn(entry, INSTEAD)
    if entry.phase == INSTEAD:
        if timings[1] and _run_automatic(g, entry, 1):
            return
        _turn(entry, SETTLE)
        entry.waiting = gather(g, entry, 2) if timings[2] else NOBODY
        if entry.code >= 0:
            push(g, new_frame(g, entry.code, entry.r, entry.s[:], NOWHERE))
            return
    if entry.phase == SETTLE:
        _settle(g, entry, timings[2])
    elif not _run_automatic(g, entry, 2):
        _finish(g)


def _turn(entry: EventActivation, phase: int) -> None:
    entry.phase = phase
    entry.waiting = None
    entry.passed = ()
    if entry.used:
        entry.used = tuple([row for row in entry.used if row[0] != ASKED])


def _settle(g: Game, entry: EventActivation, handled: bool) -> None:
    """End lasting effects after the body, add new listeners, and wait if the event belongs to a batch."""
    if entry.cancelled:
        _finish(g)
        return
    if g.world.effects:
        expire(g, entry)
    if not handled:
        _finish(g)
        return
    earlier, fresh = entry.waiting or NOBODY, gather(g, entry, 2)
    if fresh is not earlier:
        gone = {bound.age for bound in earlier} - {effect.age for effect in g.world.effects} - {-1}
        still_bound = [bound for bound in earlier if bound.age not in gone]
        there = {bound.key() for bound in still_bound}
        entry.waiting = still_bound + [bound for bound in fresh if bound.key() not in there]
    batch = open_batch(g.world.stack)
    entry.phase = AFTER
    if batch is not None:
        g.world.stack.pop()
        _put_off(g, entry, batch)


def _finish(g: Game) -> None:
    stack = g.world.stack
    entry = stack.pop()
    assert isinstance(entry, EventActivation)
    if (entry.cancelled or entry.replaced) and stack and isinstance(stack[-1], Frame):
        unmet(g, stack[-1])
    if g.world.effects or entry.left:
        departures.forget_departed(g, entry)
    g.settle()


def _put_off(g: Game, entry: EventActivation, batch: list[EventActivation]) -> None:
    """Add an event to a batch. Things that leave play in a batch hear its other events, because all happen together."""
    live, tags = g.world.live, g.image.program.events[entry.event].tags
    left = company(entry)
    for other in batch:
        left += tuple([thing for thing in company(other) if thing not in left])
    mine = [entry.r[at] for at, tag in enumerate(tags, 2) if tag == "thing" and entry.r[at] >= 0]
    left += tuple([thing for thing in mine if not live[thing] and thing not in left])
    if left:
        for activation in (*batch, entry):
            activation.used = (
                *activation.used,
                *[(COMPANY, thing) for thing in left if (COMPANY, thing) not in activation.used],
            )
        bound_keys = {bound.key() for bound in entry.waiting or ()}
        for other in batch:
            if other.event == entry.event:
                more = [bound for bound in other.waiting or () if bound.key() not in bound_keys]
                more = [bound for bound in more if bound.this in left or bound.self_ in left]
                bound_keys |= {bound.key() for bound in more}
                entry.waiting = _offered_last(g, entry.event, [*(entry.waiting or ()), *more])
    batch.append(entry)


COMPANY: Final = -3
"""Marker in `EventActivation.used`, with a thing that has left play in the event's batch."""


def company(entry: EventActivation) -> tuple[int, ...]:
    """Return the things that left play together with the subjects of an event."""
    return tuple([thing for mark, thing in entry.used if mark == COMPANY])


def undone(g: Game, f: Frame, after: int) -> Op:
    """Report that an op could not do its work (see `unmet`), and return the op at `after`, which runs next."""
    f.pc = after
    ops = g.image.code(f.code)
    ops[after].failed(f)  # as `unmet` does
    return ops[f.pc]


def unmet(g: Game, item: Item) -> None:
    """Notify an item that its callee failed a requirement: an event is cancelled, the op of a code is informed."""
    if isinstance(item, EventActivation) and item.phase == SETTLE:
        item.cancelled = True
    elif isinstance(item, Frame):
        g.image.code(item.code)[item.pc].failed(item)


# ── listeners ──────────────────────────────────────────────────────────────────────────────────


NOBODY: Final[list[BoundListener]] = []


def _run_automatic(g: Game, entry: EventActivation, timing: int) -> bool:
    """Run the next listener, or offer the offered ones; return False when there is none left."""
    waiting = entry.waiting
    if waiting is None:
        waiting = gather(g, entry, timing)
    table = g.image.listeners
    window = g.image.windows[entry.event]
    if window is not None and window.forced >= 0 and _ask_order(g, entry, window, waiting):
        return True
    handled = 0
    for bound in waiting:
        if table[bound.listener].offered:
            break
        handled += 1
        if _holds(g, entry, bound):
            entry.waiting = waiting[handled:]
            _run(g, entry, bound)
            return True
        if entry.event == g.image.changed:
            limits.release(g, table[bound.listener].limit, bound.self_, _bearer_of_limit(bound))
    if handled == len(waiting):  # no automatic listener is left for an offer
        return False
    entry.waiting = waiting[handled:] if handled else waiting
    return _offer(g, entry)


def gather(g: Game, entry: EventActivation, timing: int) -> list[BoundListener]:
    """Return all possible listeners of an event at a timing, in order, automatic ones first.

    The caller must not change the list.
    """
    event, w = entry.event, g.world
    subscribed = w.subscribers[event]
    cached = subscribed.rows
    rows = cached[timing] if cached is not None else _listeners_of(g, event, timing, subscribed)
    counters = g.image.counters[event][timing]
    if counters or w.effects:
        more = NOBODY
        for field, numbers in counters:
            for thing in subscribers.bearers(g, field):
                more = more + [BoundListener(number, thing, thing) for number in numbers]
        lasting = g.image.lasting_listeners[event]
        for effect in w.effects:
            if effect.template in lasting and not effect.orphan:
                numbers = lasting[effect.template][timing]
                more = more + [BoundListener(number, effect.r[0], effect.r[1], effect.age) for number in numbers]
        if more:
            rows = _offered_last(g, event, rows + more)
    g.spend(1 + len(rows))
    return rows


def _listeners_of(g: Game, event: int, timing: int, subscribed: SubscriberList) -> list[BoundListener]:
    """Return the listeners of rules and things; cached if all of them are fixed."""
    thing_rows = g.image.thing_rows[event]
    if all(thing in thing_rows for thing in subscribed.things):
        rows = [_bind_listeners(g, event, at, subscribed.things) for at in range(len(TIMINGS))]
        subscribed.rows = rows
        return rows[timing]
    return _bind_listeners(g, event, timing, subscribed.things)


def _bind_listeners(g: Game, event: int, timing: int, things: tuple[int, ...]) -> list[BoundListener]:
    """Return the listeners of rules and of some things at a timing."""
    rows = g.rule_rows[event][timing][:]
    thing_listeners, thing_rows = g.image.thing_listeners[event], g.image.thing_rows[event]
    for thing in things:
        fixed = thing_rows.get(thing)
        if fixed is not None:
            rows += fixed[timing]
            continue
        numbers = thing_listeners[thing][timing]
        if numbers:
            self_, this = g.selves(thing)
            rows += [BoundListener(number, self_, this) for number in numbers]
    return _offered_last(g, event, rows)


def _offered_last(g: Game, event: int, rows: list[BoundListener]) -> list[BoundListener]:
    """Return the listeners sorted so that automatic ones come first."""
    if not g.image.offering[event]:
        return rows
    table = g.image.listeners
    return [row for row in rows if not table[row.listener].offered] + [
        row for row in rows if table[row.listener].offered
    ]


def _ask_order(g: Game, entry: EventActivation, window: Window, waiting: list[BoundListener]) -> bool:
    """Ask which of several automatic listeners runs first; False if at most one can, or if they are alike."""
    table = g.image.listeners
    able = [listener for listener in waiting if not table[listener.listener].offered and _holds(g, entry, listener)]
    if len({(listener.listener, listener.self_) for listener in able}) < 2:
        return False
    given = [-1, -1] if window.general else [-1, -1, *entry.r[2:]]
    who = g.controller(call(g, window.forced, given, NO_LISTS if window.general else entry.s))
    entry.waiting = waiting
    options = tuple([(LISTENER, listener.listener, listener.self_, listener.this) for listener in able])
    g.world.ask = Ask(who, "react", options, -1, entry.span)
    return True


def _holds(g: Game, entry: EventActivation, bound: BoundListener) -> bool:
    """Return whether a listener is (still) active and its conditions hold."""
    self_, this = bound.self_, bound.this
    listener = g.image.listeners[bound.listener]
    if bound.age >= 0:
        if all(effect.age != bound.age for effect in g.world.effects):
            return False
    elif this >= 0 and not _present(g, entry, listener, self_, this):
        return False
    if entry.phase == INSTEAD and _replaces(g, entry, bound):
        return False
    if listener.limit >= 0 and entry.event != g.image.changed and not limits.is_free(g, listener.limit, self_, this):
        return False
    if listener.condition < 0 and not listener.offered:
        return True
    if bound.age < 0 and not listener.offered:  # nearly always
        return call_for(g, listener.condition, self_, this, entry.r, entry.s) != 0
    r, s = _registers(g, entry, bound)
    if listener.condition >= 0 and not call(g, listener.condition, r, s):
        return False
    if not listener.offered:
        return True
    if listener.usable >= 0 and not call(g, listener.usable, r[:2], NO_LISTS):
        return False
    return listener.guard < 0 or call(g, listener.guard, r, s) != 0


def _replaces(g: Game, entry: EventActivation, bound: BoundListener) -> bool:
    """Return whether this event comes from a replacement by the same listener, which replaces a thing only once."""
    key = (bound.listener, _bearer_of_limit(bound))
    under_way = [item for item in g.world.stack if isinstance(item, EventActivation) and item is not entry]
    return any(item.replaced and item.phase == INSTEAD and key in item.used for item in under_way)


def _present(g: Game, entry: EventActivation, listener: LinkedListener, self_: int, this: int) -> bool:
    """Return whether a listener is still in play. A thing that the event took out of play still hears it."""
    if listener.of_tier:
        return g.tier_track(listener.owner) >= 0
    if listener.of_counter:
        if g.world.mem[g.layout.base[listener.owner] + this] > 0 and g.in_play(this):
            return True
    elif g.world.live[this]:
        return True
    if entry.phase != AFTER:
        return False
    left = (*departures.subjects_of_event(g, entry), *company(entry))
    return this in left or self_ in left


def _run(g: Game, entry: EventActivation, bound: BoundListener) -> None:
    """Run a listener: the payment of its price, then its body."""
    self_, this = bound.self_, bound.this
    listener = g.image.listeners[bound.listener]
    r, s = _registers(g, entry, bound)
    if entry.event != g.image.changed:
        limits.use(g, listener.limit, self_, this)
    if entry.phase == INSTEAD:
        entry.replaced = True
        entry.used = (*entry.used, (bound.listener, _bearer_of_limit(bound)))
    g.note((L_REACT, listener.span, bound.listener, self_, this))
    push(g, new_frame(g, listener.body, r, s[:], NOWHERE))
    if listener.offered and listener.spends >= 0:
        push(g, new_frame(g, listener.spends, [self_, this], NO_LISTS, NOWHERE))


def _registers(g: Game, entry: EventActivation, bound: BoundListener) -> tuple[list[int], list[tuple[int, ...]]]:
    """Return the first registers of a listener's codes: self, this or the captured values, then the parameters."""
    if bound.age < 0:
        r = entry.r[:]
        r[0], r[1] = bound.self_, bound.this
        return r, entry.s
    effect = next(e for e in g.world.effects if e.age == bound.age)
    return [*effect.r, *entry.r[2:]], [*effect.s, *entry.s[2:]]


# ── `whenever` listeners ────────────────────────────────────────────────────────────────────────


def look(g: Game) -> bool:
    """Run all `whenever` listeners whose condition has become true, in order; return whether there are any.

    During setup, and in a batch of events, this is delayed: their changes count as one. The limits of the listeners in
    the world record which conditions are true.
    """
    w = g.world
    if not is_change_heard(g):
        g.has_new_changes = False  # the first offer of actions sets it again
        return False
    for item in w.stack:
        if isinstance(item, Frame) and item.batch is not None:
            return False
    g.has_new_changes = False
    entry = EventActivation(g.image.changed, -1, [-1, -1], [(), ()], -1)
    entry.phase = AFTER
    turned = [bound for bound in gather(g, entry, 2) if _turns_true(g, entry, bound)]
    if turned:
        entry.waiting = turned
        push(g, entry)
    return bool(turned)


def _turns_true(g: Game, entry: EventActivation, bound: BoundListener) -> bool:
    """Return whether the condition of a listener has become true, and record its value."""
    listener = g.image.listeners[bound.listener]
    whose = _bearer_of_limit(bound)
    free = limits.is_free(g, listener.limit, bound.self_, whose)
    if not free and not listener.rearms:
        return False
    if not _holds(g, entry, bound):
        if not free:
            limits.release(g, listener.limit, bound.self_, whose)
        return False
    if free:
        limits.use(g, listener.limit, bound.self_, whose)
    return free


def _bearer_of_limit(bound: BoundListener) -> int:
    """Return the bearer for the limit of a `whenever` listener: a thing, or the age of a lasting effect."""
    return bound.this if bound.age < 0 else bound.age


# ── offered listeners ──────────────────────────────────────────────────────────────────────────


def _offer(g: Game, entry: EventActivation) -> bool:
    """Ask the first player who can answer the event and has not passed; False if there is none."""
    window = g.image.windows[entry.event]
    if window is not None:
        return _offer_in_order(g, entry, window)
    who = 0
    options: list[Option] = []
    for bound in entry.waiting or []:
        if entry.used and (bound.listener, bound.this) in entry.used:
            continue
        player = g.controller(bound.self_)
        if player in entry.passed or (options and player > who):
            continue
        if _holds(g, entry, bound):
            if player != who:
                who, options = player, []
            options.append((LISTENER, bound.listener, bound.self_, bound.this))
    if not options:
        return False
    g.world.ask = Ask(who, "react", (*options, (NONE,)), -1, entry.span)
    return True


ANSWERED: Final = -1
ASKED: Final = -2
"""Markers in `EventActivation.used`, each with a number: a used share of a window; the last player asked in turn."""


def _offer_in_order(g: Game, entry: EventActivation, window: Window) -> bool:
    """Offer listeners in the order of a window, which also limits how often each player may answer."""
    options: dict[int, list[Option]] = {}
    for bound in entry.waiting or []:
        if entry.used and (bound.listener, bound.this) in entry.used:
            continue
        player = g.controller(bound.self_)
        if player in entry.passed or (ANSWERED, _share(g, window, player)) in entry.used:
            continue
        if _holds(g, entry, bound):
            options.setdefault(player, []).append((LISTENER, bound.listener, bound.self_, bound.this))
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
    """Return the rank of a decider (of several players, that of the first) in the order of a window."""
    if window.order < 0:
        return 0, who
    player = g.layout.players_low + deciding_seats(g, who)[0]
    if window.general:
        return call(g, window.order, [player, -1], []), who
    return call(g, window.order, [player, -1, *entry.r[2:]], entry.s), who


def answer(g: Game, entry: EventActivation, ask: Ask, choice: int) -> None:
    """Run the listener chosen, or note that the player passed."""
    option = ask.options[choice]
    window = g.image.windows[entry.event]
    if option[0] == LISTENER and not g.image.listeners[option[1]].offered:
        _run_first(g, entry, option)
        return
    if window is not None and window.in_turn:
        entry.used = (*[row for row in entry.used if row[0] != ASKED], (ASKED, ask.who))
    if option[0] == NONE:
        entry.passed = (*entry.passed, ask.who)
        return
    if window is not None and window.per:
        entry.used = (*entry.used, (ANSWERED, _share(g, window, ask.who)))
    if window is not None and window.in_turn:
        entry.passed = ()
    for bound in entry.waiting or []:
        if (bound.listener, bound.self_, bound.this) == option[1:]:
            entry.used = (*entry.used, (bound.listener, bound.this))
            _run(g, entry, bound)
            return


def _share(g: Game, window: Window, who: int) -> int:
    """Return the share of a window that an answer uses up, as a number."""
    if window.per == "team" and who >= 0:
        team = of_player(g, who)
        return voice(g, team) if team >= 0 else who
    return 0 if window.per == "game" else who


def _run_first(g: Game, entry: EventActivation, option: Option) -> None:
    """Run an automatic listener before those that wait with it."""
    waiting = entry.waiting or []
    for at, bound in enumerate(waiting):
        if (bound.listener, bound.self_, bound.this) == option[1:]:
            entry.waiting = waiting[:at] + waiting[at + 1 :]
            _run(g, entry, bound)
            return


# ── lasting effects ────────────────────────────────────────────────────────────────────────────


def last(g: Game, template: int, subject: int, f: Frame, span: int) -> None:
    """Begin a lasting effect that captures the present values of the frame's first registers."""
    w = g.world
    captured = g.program.lastings[template].captured
    w.serial += 1
    r = [*f.r[:captured], *([-1] * (captured - len(f.r)))]
    s = [*f.s[:captured], *([()] * (captured - len(f.s)))]
    w.effects.append(LastingEffect(template, w.serial, subject, tuple(r), tuple(s)))
    g.spend(1 + len(w.effects))
    g.note((L_LASTING, span, template, 1))


def expire(g: Game, entry: EventActivation) -> None:
    """End the effects that last until this event (for its first parameter, if they name a subject)."""
    w = g.world
    untils = g.image.untils
    about = entry.r[2] if len(entry.r) > 2 else -1
    ended = [e for e in w.effects if untils[e.template] == entry.event and e.subject in (-1, about)]
    if ended:
        w.effects = [e for e in w.effects if e not in ended]
        g.has_new_changes = g.hears_changes
        for effect in ended:
            g.note((L_LASTING, g.program.lastings[effect.template].span, effect.template, 0))
