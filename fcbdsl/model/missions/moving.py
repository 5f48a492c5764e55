"""Tracks: whether anything moves them, where they can get, and whether that changes anything."""

from __future__ import annotations

from dataclasses import dataclass

from fcbdsl.diagnostics.missions import IdleTier, IdleTrack, NothingMoves
from fcbdsl.model import ir
from fcbdsl.model.declarations import Track
from fcbdsl.model.missions.said import Said
from fcbdsl.model.missions.scene import Scene
from fcbdsl.model.walk import walk

_MOVES = {"track-add": 1, "track-sub": -1}
_ACTS = (ir.Assign, ir.Do, ir.Announce, ir.End, ir.Offer, ir.Until)
"""Statements that change something."""


@dataclass(slots=True)
class _Moved:
    """Which ways a track may be moved."""

    up: bool = False
    down: bool = False


def check_tracks(scene: Scene) -> None:
    """Report tracks that nothing moves, that change nothing, and tiers that never come to what they say."""
    for track in scene.mission.tracks:
        moved = _moved(scene, track)
        if not moved.up:
            scene.context.report(NothingMoves(track.span, sort=track.sort, name=track.id))
        else:
            _idle(scene, track)
            _tiers(scene, track, moved)


def _moved(scene: Scene, track: Track) -> _Moved:
    """Which ways anything moves a track: a statement that names it, or one that may mean it."""
    moved = _Moved()
    for said in scene.heard:
        for call in said.calls:
            sign = _MOVES.get(call.form.op or "")
            if sign is not None and call.args and _may_be(call.args[0], track):
                amount = call.args[1] if len(call.args) > 1 else None
                value = amount.value * sign if isinstance(amount, ir.Const) else 0
                sure = isinstance(amount, ir.Const)
                moved.up = moved.up or not sure or value > 0
                moved.down = moved.down or not sure or value < 0
    return moved


def _may_be(expr: ir.Expr | None, track: Track) -> bool:
    """Whether an expression may mean a track."""
    if isinstance(expr, ir.Instance):
        return expr.id == track.id
    return expr is not None and expr.type.name in {"track", "thing", track.sort}


def _idle(scene: Scene, track: Track) -> None:
    """Report a track that comes to its end, and nothing happens."""
    if _is_read(scene.heard, track):
        return
    if track.sort == "countdown":
        ends = [track.end, *(body for values, body in track.steps if track.high in values)]
    else:
        ends = [track.end, *(body for _, body in track.steps)]
        if any(tier.modifiers or tier.listeners for tier in track.tiers):
            return
        ends += [body for tier in track.tiers for body in (tier.enter, tier.leave)]
    if not any(body is not None and _acts(body) for body in ends):
        scene.context.report(IdleTrack(track.span, sort=track.sort, name=track.id, end=track.high))


def _acts(body: ir.Body) -> bool:
    """Whether a body changes anything."""
    return any(isinstance(node, _ACTS) for node in walk(body))


def _is_read(heard: list[Said], track: Track) -> bool:
    """Whether anything asks how far a track has come."""
    return any(said.hears_tracks or any(_may_be(expr, track) for expr in said.reads) for said in heard)


def _tiers(scene: Scene, track: Track, moved: _Moved) -> None:
    """Report what tiers say of moments that never come."""
    for tier in track.tiers:
        if tier.enter is not None and tier.at <= track.low:
            why = f"the {track.sort} stands there from the beginning and never comes up to it"
            scene.context.report(IdleTier(tier.span, moment="on enter", at=tier.at, why=why))
        if tier.leave is None:
            continue
        if tier.locked or tier.at <= track.low:
            why = "it is locked" if tier.locked else f"the {track.sort} never falls below it"
        elif not moved.down:
            why = f"nothing lowers `{track.id}`"
        else:
            continue
        scene.context.report(IdleTier(tier.span, moment="on leave", at=tier.at, why=why))
