"""Checks of tracks: whether anything moves them, which values they reach, and whether those have effects."""

from __future__ import annotations

from fcbdsl.base.diagnostics.missions import IdleTier, IdleTrack, NothingMoves
from fcbdsl.language.model import ir
from fcbdsl.language.model.checks.missions.behavior_references import Effect, effect_of
from fcbdsl.language.model.checks.missions.mission_scene import Scene
from fcbdsl.language.model.content import Track
from fcbdsl.language.model.ir import walk

_Act = ir.Assign | ir.Do | ir.Announce | ir.End | ir.Offer | ir.Until
"""Statements that change something."""


def check_tracks(scene: Scene) -> None:
    """Report tracks that nothing moves, tracks that have no effect, and tiers whose effects can never run."""
    for track in scene.mission.tracks:
        effect = _done_to(scene, track)
        if not effect.up:
            scene.context.report(NothingMoves(track.span, sort=track.sort, name=track.id))
        else:
            if not effect.read:
                _idle(scene, track)
            _tiers(scene, track, effect)


def _done_to(scene: Scene, track: Track) -> Effect:
    """Return the changes of a track by all texts that name it or may refer to it."""
    out = Effect()
    out.read = scene.heard.hears_tracks
    for use in scene.heard.uses:
        if _may_be(use.track, track):
            out.join(effect_of(use, scene.all.handed))
    return out


def _may_be(expr: ir.Expr, track: Track) -> bool:
    """Return whether an expression may mean a track."""
    if isinstance(expr, ir.Instance):
        return expr.id == track.id
    return expr.type.name in {"track", track.sort}


def _idle(scene: Scene, track: Track) -> None:
    """Report a track that can reach its end without any effect."""
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
    """Return whether a body changes anything."""
    return any(isinstance(node, _Act) for node in walk(body))


def _tiers(scene: Scene, track: Track, effect: Effect) -> None:
    """Report effects of tiers that can never run."""
    for tier in track.tiers:
        if tier.enter is not None and tier.at <= track.low:
            why = f"the {track.sort} stands there from the beginning and never comes up to it"
            scene.context.report(IdleTier(tier.span, moment="on enter", at=tier.at, why=why))
        if tier.leave is None:
            continue
        if tier.locked or tier.at <= track.low:
            why = "it is locked" if tier.locked else f"the {track.sort} never falls below it"
        elif not effect.down:
            why = f"nothing lowers `{track.id}`"
        else:
            continue
        scene.context.report(IdleTier(tier.span, moment="on leave", at=tier.at, why=why))
