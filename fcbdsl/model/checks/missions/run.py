"""All checks of missions, in one run."""

from __future__ import annotations

from collections.abc import Sequence

from fcbdsl.model.checks.facts import Facts
from fcbdsl.model.checks.missions.ground import Ground
from fcbdsl.model.checks.missions.names import check_names
from fcbdsl.model.checks.missions.reach import check_reach
from fcbdsl.model.checks.missions.scene import Scene, Scenes
from fcbdsl.model.checks.missions.standing import check_standing
from fcbdsl.model.checks.missions.supply import check_copies, check_decks
from fcbdsl.model.checks.missions.tracks import check_tracks
from fcbdsl.model.declaring.context import Context


def check_missions(context: Context, all: Sequence[Facts], broken: bool) -> None:
    """Report what is wrong with missions as a whole.

    A model without a `flow` is no game that could be played, so nothing is said of its missions. What a mission lacks
    is reported only of a model that could be read: a line with a mistake may well hold what seems to be missing.
    `all`: the facts of everything; `broken`: some line could not be read."""
    if context.model.flow is None:
        return
    sound = not broken and not context.problems.errors
    found = Scenes(context, all)
    for mission in found.missions:
        _check(found.scene_of(mission), sound)


def _check(scene: Scene, sound: bool) -> None:
    if scene.mission.board is not None:
        ground = Ground(scene.context.model, scene.mission.board)
        check_standing(scene, ground)
        check_copies(scene, ground)
        if sound:
            check_reach(scene, ground)
            check_names(scene, ground)
    if sound:
        check_decks(scene)
        check_tracks(scene)
