"""Records things that leave play: their last modifiers, and the lasting effects that refer to them.

Reactions to an event read the subject of the event with the modifiers that it had when it left play. Lasting effects
forget a figure that has left play, as soon as no event about it is under way. A figure that comes back is a new one to
both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fcbdsl.machine.vm import stats, subscribers
from fcbdsl.machine.vm.frames import open_batch
from fcbdsl.machine.vm.linked_rows import OF_COUNTER, OF_THINGS
from fcbdsl.machine.vm.world import L_LASTING, SETTLE, EventActivation, Frame, LastingEffect

if TYPE_CHECKING:
    from fcbdsl.machine.vm.game import Game
    from fcbdsl.machine.vm.linked_rows import LinkedModifier

WHOLE: Final = -1
"""The field of a row that notes only that a thing has left."""


def subjects_of_event(g: Game, entry: EventActivation) -> list[int]:
    """Return the things that an event is about."""
    tags = g.image.program.events[entry.event].tags
    return [entry.r[at] for at, tag in enumerate(tags, 2) if tag == "thing" and entry.r[at] >= 0]


def events_about(g: Game, thing: int) -> list[EventActivation]:
    """Return the events about a thing that are not over yet, the innermost last."""
    activations = []
    for item in g.world.stack:
        if isinstance(item, EventActivation):
            activations.append(item)
        elif isinstance(item, Frame) and item.batch:
            activations += item.batch
    return [entry for entry in activations if thing in entry.r[2:] and thing in subjects_of_event(g, entry)]


# ── modifiers as they last were ────────────────────────────────────────────────────────────────


def note_loss(g: Game, thing: int) -> None:
    """Record the modifiers of a thing before it loses one, unless the innermost event about it has recorded them."""
    about = events_about(g, thing)
    if about and about[-1].phase == SETTLE and all(row[1] != thing for row in about[-1].lost):
        about[-1].lost = (*about[-1].lost, *_rows(g, thing))


def note_leaving(g: Game, thing: int) -> None:
    """Record the modifiers of a thing before it leaves play, for each event about it."""
    about = [entry for entry in events_about(g, thing) if all(row[1] != thing for row in entry.left)]
    if not about:
        return
    rows = _rows(g, thing)
    now = {row[0] for row in rows}
    for entry in about:
        before = [row for row in entry.lost if row[1] == thing and row[0] not in now]
        entry.left = (*entry.left, (WHOLE, thing, 0, 0), *before, *rows)
    g.world.parted = True


def _rows(g: Game, thing: int) -> list[tuple[int, int, int, int]]:
    """Return the modifiers that hold for a thing now: field, thing, mode, amount."""
    modifiers = []
    for field, numbers in enumerate(g.modifiers):
        if numbers is not None and g.layout.field_low[field] <= thing < g.layout.field_high[field]:
            modifiers += [(field, thing, mode, amount) for mode, amount in stats.modifiers_on(g, field, thing)]
    return modifiers


Aura = tuple[int, tuple[int, ...]]
"""A modifier that a thing gives to another: its bearer, and a row of `World.lingering`."""


def auras(g: Game, thing: int) -> list[Aura]:
    """Return what a figure that leaves play in an `at once` loop gives to other things, itself or by what it holds."""
    given: list[Aura] = []
    if not g.image.is_piece[thing] or open_batch(g.world.stack) is None:
        return given
    for field, numbers in enumerate(g.modifiers):
        for number in numbers or ():
            modifier = g.image.modifiers[number]
            if modifier.own:
                continue
            for bearer in _bearers(g, modifier, thing):
                for other in range(modifier.low, modifier.high):
                    if other != thing and g.in_play(other):
                        for mode, amount in stats.modifier_on(g, modifier, bearer, other):
                            given.append((bearer, (thing, field, other, mode, amount)))
    return given


def _bearers(g: Game, modifier: LinkedModifier, thing: int) -> list[int]:
    """Return the bearers of a modifier that leave play with a thing."""
    if modifier.scope == OF_THINGS:
        bearers = [at for at in range(modifier.first, modifier.last) if g.world.live[at]]
        return [bearer for bearer in bearers if _goes_with(g, bearer, thing)]
    if modifier.scope == OF_COUNTER and thing in subscribers.bearers(g, modifier.owner):
        return [thing]
    return []


def _goes_with(g: Game, bearer: int, thing: int) -> bool:
    """Return whether something is a thing, one of its parts, or held by it."""
    for _step in range(subscribers.MOST_ATTACHED):
        if bearer == thing:
            return True
        if not 0 <= bearer < g.layout.body:
            return False
        owner = g.layout.owner_of[bearer]
        bearer = owner if owner >= 0 else g.world.mem[g.layout.holder + bearer]
    return False


def keep_auras(g: Game, given: list[Aura]) -> None:
    """Keep modifiers until the loop ends, if their bearers have left play."""
    ended = [row for bearer, row in given if not g.world.live[bearer] or not g.in_play(bearer)]
    if ended:
        g.world.lingering = (*g.world.lingering, *ended)
        g.world.parted = True


def end_auras(g: Game) -> None:
    """End the modifiers of figures that left play in an `at once` loop, because the loop is over."""
    if g.world.lingering:
        g.world.lingering = ()
        g.world.parted = is_noted(g)


def is_noted(g: Game) -> bool:
    """Return whether there are last modifiers of a thing, or modifiers that linger."""
    return bool(g.world.lingering) or any(entry.left for item in g.world.stack for entry in _entries(item))


def _entries(item: object) -> list[EventActivation]:
    if isinstance(item, EventActivation):
        return [item]
    return item.batch or [] if isinstance(item, Frame) else []


# ── leaving and coming back ────────────────────────────────────────────────────────────────────


def gone(g: Game, thing: int) -> None:
    """Remove a figure that has left play from lasting effects, unless an event about it is under way."""
    if g.world.effects and g.image.is_piece[thing] and not events_about(g, thing):
        _forget(g, thing)


def back(g: Game, thing: int) -> None:
    """Treat a thing that returns to play or to the board as a new thing."""
    if g.world.effects and g.image.is_piece[thing] and g.zone_of(thing) == 0:
        _forget(g, thing)
    if g.world.parted:
        for item in g.world.stack:
            for entry in _entries(item):
                entry.left = tuple([row for row in entry.left if row[1] != thing])
        g.world.lingering = tuple([row for row in g.world.lingering if thing not in (row[0], row[2])])
        g.world.parted = is_noted(g)


def forget_departed(g: Game, entry: EventActivation) -> None:
    """At the end of an event, remove the figures that left play in it from lasting effects."""
    for thing in subjects_of_event(g, entry):
        if 0 <= thing < g.layout.body and g.zone_of(thing) == 0:
            gone(g, thing)
    if entry.left:
        g.world.parted = is_noted(g)


def _forget(g: Game, thing: int) -> None:
    """End the lasting effects that wait for an event of a figure; take it out of all others."""
    w, lastings = g.world, g.program.lastings
    remaining: list[LastingEffect] = []
    for effect in w.effects:
        template = lastings[effect.template]
        if effect.subject == thing:
            g.note((L_LASTING, template.span, effect.template, 0))
            continue
        r, s, orphan = list(effect.r), list(effect.s), effect.orphan
        for at in template.things:
            if r[at] == thing:
                r[at] = -1
                orphan = orphan or at == 0
            if thing in s[at]:
                s[at] = tuple([other for other in s[at] if other != thing])
        remaining.append(LastingEffect(effect.template, effect.age, effect.subject, tuple(r), tuple(s), orphan))
    if remaining != w.effects:
        w.effects = remaining
        g.has_new_changes = g.hears_changes
