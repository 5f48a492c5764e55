"""Movement of tracks, step by step: codes of the end, of the steps, and of tiers that are entered or left."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fcbdsl.machine.vm import events
from fcbdsl.machine.vm.frames import new_frame, push
from fcbdsl.machine.vm.world import L_CHANGE, NOWHERE, TrackMove

if TYPE_CHECKING:
    from fcbdsl.machine.vm.game import Game
    from fcbdsl.machine.vm.linked_rows import LinkedTrack

MOST_STEPS: Final = 1000


def move(g: Game, track: int, by: int, span: int) -> bool:
    """Begin to move a track (a thing) by a number of steps; False if it cannot move."""
    number = g.image.track_of(track)
    if number < 0 or by == 0:
        return False
    before = g.world.mem[g.layout.value + track]
    if not _can_go(g.image.tracks[number], before, before + (1 if by > 0 else -1)):
        return False
    push(g, TrackMove(track, min(abs(by), MOST_STEPS), 1 if by > 0 else -1, before, span))
    return True


def advance_track(g: Game, walk: TrackMove) -> None:
    """Run the next code of the current step, or take the next step, or announce the move."""
    if walk.queue:
        push(g, new_frame(g, walk.queue.pop(0), g.selves(walk.track), [], NOWHERE))
        return
    at = g.layout.value + walk.track
    value = g.world.mem[at]
    target = value + walk.sign
    number = g.image.track_of(walk.track)
    row = g.image.tracks[number]
    if walk.left > 0 and _can_go(row, value, target):
        walk.left -= 1
        g.spend(1)
        g.world.write(at, target)
        g.has_new_changes = g.hears_changes
        g.note((L_CHANGE, walk.span, g.image.builtin_number("value"), walk.track, -1, value, target))
        walk.queue = _crossed(row, value, target)
        return
    g.world.stack.pop()
    if g.program.track_moved >= 0 and value != walk.start:
        events.happen(g, g.program.track_moved, -1, [-1, -1, walk.track, walk.start, value], [()] * 5, walk.span)


def _can_go(row: LinkedTrack, value: int, target: int) -> bool:
    """Return whether a track may go one step from a value to a target."""
    return row.low <= target <= row.high and target >= _floor(row, value)


def _floor(track: LinkedTrack, value: int) -> int:
    """Return the lowest value that locked tiers already reached allow."""
    floor = track.low
    for tier in track.tiers:
        if tier.locked and floor < tier.at <= value:
            floor = tier.at
    return floor


def _crossed(track: LinkedTrack, before: int, after: int) -> list[int]:
    """Return the codes of a single step: upward the end, its steps, tiers entered; downward tiers left."""
    tiers = track.tiers
    if after < before:
        return [t.leave for t in tiers if t.at == before and t.leave >= 0]
    codes = [track.end] if after == track.high and track.end >= 0 else []
    codes += [code for value, code in track.steps if value == after]
    return codes + [t.enter for t in tiers if t.at == after and t.enter >= 0]
