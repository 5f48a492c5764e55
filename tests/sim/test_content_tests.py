"""The runner of tests that are written in content, held by tests that pass and fail on purpose."""

from __future__ import annotations

import functools
import json
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from pond import copy_pond

from fcbdsl.compiler import lower
from fcbdsl.project import check_project
from fcbdsl.sim import content_tests
from fcbdsl.sim.content_tests import Result, run_test
from fcbdsl.vm.machine import Machine
from fcbdsl.vm.world import World

MAP = """
  map square:
    art: |
      +--+--+--+
      |.  .  . |
      +--+--+--+
  given green-frog at A1 with puddle, gift
"""

STEPS = {
    "hops": ("play green-frog hops to B1\n  expect green-frog is on B1", None),
    "only way": ("play green-frog hops to\n  expect green-frog is on B1", None),
    "only way, named": ("play green-frog hops to\n  answer B1", None),
    "wrong place": (
        "play green-frog hops to B1\n  expect green-frog's energy = 3",
        "the left side is 2, the right side 3",
    ),
    "wrong condition": ("expect green-frog is on B1", "it does not"),
    "too far": ("refuse green-frog hops to C1", None),
    "near enough": ("refuse green-frog hops to B1", "it can be taken"),
    "not offered": ("play green-frog loops", "offered is: Green Frog: Hop"),
    "refused": ("refuse green-frog loops", None),
    "variant": ("given variant wind is gusty\n  refuse green-frog hops to C1", None),
    "endless": ("given variant wind is gusty\n  play green-frog loops", "too long"),
    "with a card": ("play green-frog plays puddle\n  expect green-frog is Wet\n  expect puddle in heap", None),
    "with no such card": ("refuse tree-frog plays puddle", None),
    "a label": ('play green-frog sings "Softly"\n  expect green-frog\'s dream = A1', None),
    "a label, later": ('play green-frog sings\n  answer "Softly"\n  expect green-frog\'s dream = A1', None),
    "a label nobody asks for": ("play green-frog hops to B1\n  answer done", "no question"),
    "unanswered": ("play green-frog sings\n  expect green-frog is on A1", "Options: Softly; Loudly"),
    "unanswered at the end": ("play green-frog sings", "Options: Softly; Loudly"),
    "several": ("play green-frog plays gift, B1, C1\n  expect fly on B1 = 1\n  expect fly on C1 = 1", None),
    "several, fewer": ("play green-frog plays gift, B1\n  expect fly on B1 = 1\n  expect fly on C1 = 0", None),
    "declined": ("play green-frog plays gift\n  expect fly on B1 = 0", None),
    "die": ("dice: still\n  play green-frog dares\n  expect green-frog's temper = gruff", None),
    "no die": ("play green-frog dares", "no die is scripted"),
    "a die left over": ("dice: still\n  play green-frog hops to B1", "1 left over of 1"),
    "a die left over of several": ("dice: still, still\n  play green-frog dares\n  dice: still", "2 left over of 3"),
    "a die of a game that is over": ("dice: still\n  do lose now\n  expect lose", "1 left over of 1"),
    "played, something left over": ("play green-frog hops to B1, puddle", "no question"),
    "refused, of another sort": ("refuse green-frog hops to puddle", "asked for is: B1"),
    "refused, one of two of another sort": ("refuse green-frog hops to C1, puddle", "asked for is: B1"),
    "refused, nothing meant": ("refuse green-frog hops to (top of heap)", "asked for is: B1"),
    "refused, but allowed in part": ("refuse green-frog plays gift, B1, puddle", "asked for is: B1"),
    "refused for its subject": ("do put puddle into heap\n  refuse green-frog plays puddle, B1", None),
    "refused while something must be answered": (
        "play green-frog sings\n  refuse green-frog hops to C1",
        "Options: Softly; Loudly",
    ),
    "outcome": ("do lose now\n  expect lose", None),
    "over": ("do lose now\n  do lose now", "Lost: Enough."),
    "other outcome": ("do lose now\n  expect win", "Lost: Enough."),
}
"""Title to steps, and what the failure says it has seen (None: the test passes)."""


@functools.cache
def results() -> dict[str, Result]:
    """All of these run in one program, by title."""
    verb = 'verb lose now:\n  effect: lose "Enough."\n\n'
    source = "use pond\n\n" + verb + "".join(f'test "{t}":{MAP}  {s}\n\n' for t, (s, _) in STEPS.items())
    with TemporaryDirectory() as folder:
        root = copy_pond(Path(folder), source)
        model, problems = check_project([root])
        assert [problem.message for problem in problems if problem.severity == "error"] == []
        machine = Machine(lower(model, tests=True))
    return {result.title: result for result in (run_test(machine, n) for n in range(len(STEPS)))}


@pytest.mark.parametrize("title", STEPS)
def test_a_step(title: str) -> None:
    failure = results()[title].failure
    seen = STEPS[title][1]
    if seen is None:
        assert failure is None
    else:
        assert failure is not None
        assert seen in failure.seen


def test_decisions_are_counted() -> None:
    assert results()["several"].decisions > results()["hops"].decisions > 0


def pond_test(number: int = 0) -> Result:
    from pond import machine

    return run_test(machine(), number)


def test_a_load_that_loses_something_fails_the_test(monkeypatch: pytest.MonkeyPatch) -> None:
    load = Machine.load

    def lossy(self: Machine, data: object) -> World:
        world = load(self, json.loads(json.dumps(data)))
        world.switches = [1 - value for value in world.switches]
        return world

    assert pond_test().failure is None
    monkeypatch.setattr(Machine, "load", lossy)
    failure = pond_test().failure
    assert failure is not None
    assert "saving and loading" in failure.expected


def test_a_game_that_does_not_repeat_fails_the_test(monkeypatch: pytest.MonkeyPatch) -> None:
    stage = Machine.stage
    seeds = iter(range(100))
    monkeypatch.setattr(Machine, "stage", lambda self, test: stage(self, test, next(seeds)))
    failure = pond_test().failure
    assert failure is not None
    assert "played again" in failure.expected


def test_a_machine_without_flags_for_tests_is_noticed() -> None:
    assert content_tests.SCRIPTED == 1 | 2 | 4 | 16
