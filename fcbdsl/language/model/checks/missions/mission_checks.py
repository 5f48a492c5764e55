"""All checks of missions, in one run.

Each function imports the checks that it runs, because most edits concern no mission.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from fcbdsl.base.diagnostics.base import Diagnostic
from fcbdsl.base.records import dataclass
from fcbdsl.language.model import ir
from fcbdsl.language.model.checks.facts import FactBook, Facts
from fcbdsl.language.model.checks.missions.behavior_references import Effect, References, effect_of
from fcbdsl.language.model.checks.missions.ground import Ground
from fcbdsl.language.model.checks.missions.mission_scene import Scene, Scenes, is_mission_definition
from fcbdsl.language.model.content import Definition, Rule, Test
from fcbdsl.language.model.declarations import Action, Declared, Form
from fcbdsl.language.model.declaring.context import Context
from fcbdsl.language.model.ir import equal_trees, walk


@dataclass(slots=True)
class _Kept:
    """Diagnostics of a mission. `own`: declarations whose texts belong to it."""

    mission: Definition
    findings: list[Diagnostic]
    own: list[Declared | None]


SoundMission = tuple[Definition, list[Declared | None]]
"""A mission without diagnostics, and the declarations whose texts belong to it."""


class _Findings:
    """Cached diagnostics of one check of missions, and the edits since the last report (None: more than edits)."""

    def __init__(self, look: Callable[[Scene], None]) -> None:
        self._look = look
        self._kept: list[_Kept] = []
        self._edits: list[tuple[Facts, Facts]] | None = None

    def note(self, edits: Sequence[tuple[Facts, Facts]] | None) -> None:
        """Record edits, and merge successive edits of one text."""
        if edits is None or self._edits is None:
            self._edits = None
            return
        for before, after in edits:
            at = next((at for at, (_, last) in enumerate(self._edits) if last is before), None)
            if at is None:
                self._edits.append((before, after))
            else:
                self._edits[at] = self._edits[at][0], after

    def report(self, context: Context, missions: Sequence[Definition], scenes: Callable[[], Scenes]) -> int:
        """Report the current diagnostics; return the number of missions that were checked again."""
        if self._edits is None or not all_quiet(self._edits):
            self._kept = []
        else:
            touched = {id(facts.owner) for pair in self._edits for facts in pair}
            self._kept = [result for result in self._kept if touched.isdisjoint(map(id, result.own))]
        self._edits = []
        results = {id(result.mission): result for result in self._kept}
        unknown = [mission for mission in missions if id(mission) not in results]
        if unknown:
            results |= {id(mission): _looked_at(scenes().scene_of(mission), self._look) for mission in unknown}
        self._kept = [results[id(mission)] for mission in missions]
        for result in self._kept:
            context.problems.extend(result.findings)
        return len(unknown)

    def forget(self) -> None:
        """Invalidate the cache."""
        self._kept, self._edits = [], None

    def sound(self) -> list[SoundMission]:
        """Return the missions without diagnostics."""
        return (
            [(result.mission, result.own) for result in self._kept if not result.findings] if self._edits == [] else []
        )

    def restore(self, sound: Sequence[SoundMission]) -> None:
        """Restore the missions that are known to have no diagnostics."""
        self._kept, self._edits = [_Kept(mission, [], own) for mission, own in sound], []


class MissionBook:
    """Caches the diagnostics of missions.

    Each mission depends on nearly every text, so that most edits would invalidate all missions. The most frequent edits
    invalidate only the mission of the text: other numbers in the effect of a card, an action, a rule or a verb.
    """

    def __init__(self) -> None:
        self._shown = _Findings(_check_shown)
        self._whole = _Findings(_check_whole)
        self._scenes: Scenes | None = None

    def snapshot(self) -> tuple[list[SoundMission], list[SoundMission]]:
        """Return the missions without diagnostics, for another process: by the checks of the map, and by all checks."""
        return self._shown.sound(), self._whole.sound()

    def restore(self, snapshot: tuple[list[SoundMission], list[SoundMission]]) -> None:
        """Start from the missions that `snapshot` has returned."""
        self._shown.restore(snapshot[0])
        self._whole.restore(snapshot[1])

    def check(self, context: Context, facts: FactBook, broken: bool) -> int:
        """Report the problems of missions as a whole, and return the number of missions that were checked again.

        A model without a `flow` cannot be played, so its missions are skipped. Checks for something missing run only if
        all lines could be read, because a line with a mistake may contain it. Until then their cached results are kept.
        `broken`: some line could not be read.
        """
        all = facts.of(context.model)
        edits = facts.edits()
        self._shown.note(edits)
        self._whole.note(edits)
        if edits is None or not all_quiet(edits):
            self._scenes = None
        elif self._scenes is not None:
            for before, after in edits:
                self._scenes.renew(before, after)
        if context.model.flow is None:
            self._shown.forget()
            self._whole.forget()
            self._scenes = None
            return 0
        sound = not broken and not context.problems.errors

        def scenes() -> Scenes:
            if self._scenes is None:
                self._scenes = Scenes(context, all)
            return self._scenes

        missions = [
            definition for definition in context.model.definitions.values() if is_mission_definition(definition)
        ]
        looked_at = self._shown.report(context, missions, scenes)
        return max(looked_at, self._whole.report(context, missions, scenes)) if sound else looked_at


def all_quiet(edits: Sequence[tuple[Facts, Facts]]) -> bool:
    """Return whether edits affect only the missions in which they are."""
    return all(_quiet(before, after) for before, after in edits)


def _quiet(before: Facts, after: Facts) -> bool:
    owner = after.owner
    if isinstance(owner, Test):
        return True
    if not isinstance(owner, Definition | Action | Rule) and not _is_plain(owner):
        return False
    if (before.target, before.filled) != (after.target, after.filled):
        return False
    old, new = before.texts(), after.texts()
    return len(old) == len(new) and all(map(_alike, old, new))


def _is_plain(owner: Declared | None) -> bool:
    """Return whether something is a form whose numbers affect no check: it has no loop and is not a condition."""
    if not isinstance(owner, Form) or owner.body is None:
        return False
    statements = owner.body.statements
    phrase = len(statements) == 1 and isinstance(statements[0], ir.Answer)
    return not phrase and not any(isinstance(node, ir.Repeat) for node in walk(owner.body))


def _alike(before: References, after: References) -> bool:
    """Return whether texts differ only in numbers, with the same effects on tracks."""
    return equal_trees(before.root, after.root) and _done(before) == _done(after)


def _done(references: References) -> list[Effect]:
    return [effect_of(use, {}) for use in references.tracks]


def _looked_at(scene: Scene, look: Callable[[Scene], None]) -> _Kept:
    """Run a check of a mission and return its diagnostics, without reporting them."""
    from fcbdsl.language.model.checks.missions.supply import supplied_definitions

    problems = scene.context.problems
    before = problems.taken()
    look(scene)
    findings = problems.taken()
    problems.extend(before)
    owners = [
        scene.mission,
        *scene.named,
        *scene.aimed,
        *supplied_definitions(scene),
        *(references.owner for references in scene.own),
    ]
    return _Kept(scene.mission, findings, list({id(owner): owner for owner in owners}.values()))


def _check_shown(scene: Scene) -> None:
    """Check the contents of the map, which does not depend on lines that could not be read."""
    from fcbdsl.language.model.checks.missions.standing import check_standing
    from fcbdsl.language.model.checks.missions.supply import check_copies

    if scene.mission.board is not None:
        ground = Ground(scene.context.model, scene.mission.board)
        check_standing(scene, ground)
        check_copies(scene, ground)


def _check_whole(scene: Scene) -> None:
    """Check what may be missing."""
    from fcbdsl.language.model.checks.missions.map_names import check_names
    from fcbdsl.language.model.checks.missions.reach import check_reach
    from fcbdsl.language.model.checks.missions.supply import check_decks
    from fcbdsl.language.model.checks.missions.track_checks import check_tracks

    if scene.mission.board is not None:
        ground = Ground(scene.context.model, scene.mission.board)
        check_reach(scene, ground)
        check_names(scene, ground)
    check_decks(scene)
    check_tracks(scene)
