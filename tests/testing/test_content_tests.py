"""The runner of content tests, with tests that pass and fail on purpose."""

from __future__ import annotations

import functools
import re
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace

import pytest
from pond_game import copy_pond

from fcbdsl.base.words import StepSort
from fcbdsl.language.compiler import lower
from fcbdsl.machine.vm import loading, setup
from fcbdsl.machine.vm.column_types import Tag
from fcbdsl.machine.vm.game import Game
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.op_tracing import Marks
from fcbdsl.machine.vm.program import Code, Step
from fcbdsl.machine.vm.serialization import Json
from fcbdsl.machine.vm.verify.verifier import verify_program
from fcbdsl.play.testing import content_tests
from fcbdsl.play.testing.content_tests import Result, run_test
from fcbdsl.project.project import check_project

MAP = """
  map square:
    art: |
      +--+--+--+
      |.  .  . |
      +--+--+--+
  given green-frog at A1 with puddle, gift
"""

DRAWN = """if 1 = 1:
    choose spot: space where it is not occupied, at random
    place green-frog on spot"""
STEPS = {
    "two states on one line": (
        "given Wet on green-frog; tree-frog at B1\n  expect green-frog is Wet and tree-frog at B1",
        None,
    ),
    "two cards on one line": (
        "given puddle#2 in heap; gift#2 in heap\n  expect size of heap = 2 and top of heap = gift#2",
        None,
    ),
    "told": ('play green-frog hops to B1\n  expect told player 2 "green frog"', None),
    "told something else": ('play green-frog hops to B1\n  expect told player 1 "C1"', "shown is: "),
    "told what a lot picks": (
        "if 1 = 1:\n    choose spot: space where it is not occupied, at random\n    mark Wet on green-frog"
        '\n  lot: B1\n  expect told player 2 "chance picks B1"\n  expect told player 2 "Wet"',
        None,
    ),
    "not told": ('play green-frog hops to B1\n  expect not told player 1 "C1"', None),
    "told what was not to be": ('play green-frog hops to B1\n  expect not told player 1 "B1"', "shown is: "),
    "told of an earlier step": (
        'do announce croak green-frog\n  do mark Wet on green-frog\n  expect told player 1 "croaks"',
        "shown is: ",
    ),
    "not told a secret": (
        'play green-frog sings "Softly"\n  expect not told player 2 "A1"\n  expect told player 2 "Sing"',
        None,
    ),
    "happened": ("do announce croak green-frog\n  expect happened green-frog croaks", None),
    "happened, by its name": ("do announce croak green-frog\n  expect happened croak", None),
    "happened to another": ("do announce croak green-frog\n  expect happened tree-frog croaks", "what happened: croak"),
    "happened in this order": (
        "for each frog:\n    announce croak frog\n    announce croak frog\n  expect happened croak, then croak",
        None,
    ),
    "happened once, not twice": (
        "do announce croak green-frog\n  expect happened croak, then croak",
        "what happened: croak",
    ),
    "happened in another order": (
        "given tree-frog at C1\n  for each frog:\n    announce croak frog\n"
        "  expect happened tree-frog croaks, then green-frog croaks",
        "what happened: croak",
    ),
    "drawn": (f"{DRAWN}\n  lot: C1\n  expect green-frog is on C1", None),
    "drawn, and asked for": (f"{DRAWN}\n  expect asks player 1\n  lot: C1", "chance decides"),
    "drawn from what is not there": (f"{DRAWN}\n  lot: A1", "Options: B1; C1"),
    "chosen and not drawn": ("play green-frog plays gift\n  lot: B1, done", "Player 1 (Green Frog): choose spots"),
    "a fault": ('given variant wind is gusty\n  play green-frog loops\n  expect fault "too long"', None),
    "another fault": ('given variant wind is gusty\n  play green-frog loops\n  expect fault "no room"', "too long"),
    "no fault": ("play green-frog hops to B1\n  expect fault", "it came to its end"),
    "hops": ("play green-frog hops to B1\n  expect green-frog is on B1", None),
    "only way": ("play green-frog hops to\n  expect green-frog is on B1", None),
    "only way, named": ("play green-frog hops to\n  answer B1", None),
    "wrong place": ("play green-frog hops to B1\n  expect green-frog's energy = 3", "green-frog's energy is 2"),
    "wrong condition": ("expect green-frog is on B1", "green-frog is on A1"),
    "wrong holder": ("expect puddle in heap", "puddle is in hand of Green Frog"),
    "too far": ("refuse green-frog hops to C1", None),
    "near enough": ("refuse green-frog hops to B1", "it can be taken"),
    "not offered": ("play green-frog loops", "offered is: Green Frog: Hop"),
    "not offered, and why": ("play green-frog loops", "Loop lacks `wind is gusty`"),
    "not offered for its price": (
        "given green-frog's energy = 0\n  play green-frog hops to B1",
        "Hop lacks `1` (",
    ),
    "not offered for want of a way": (
        "given tree-frog at B1\n  play green-frog hops to B1",
        "Hop lacks `its effect can begin`",
    ),
    "not offered for its actor": ("play puddle hops to B1", "Hop lacks `frog`"),
    "not offered for its subject": (
        "do put puddle into heap\n  do put gift into heap\n  play green-frog plays puddle",
        "Trick lacks `trick in hand of self`",
    ),
    "refused": ("refuse green-frog loops", None),
    "variant": ("given variant wind is gusty\n  refuse green-frog hops to C1", None),
    "endless": ("given variant wind is gusty\n  play green-frog loops", "too long"),
    "with a card": ("play green-frog plays puddle\n  expect green-frog is Wet\n  expect puddle in heap", None),
    "refused, an actor in the box": ("refuse tree-frog plays puddle", "Tree Frog is not in play"),
    "refused, in the box in so many words": ("refuse tree-frog plays puddle, out of play", None),
    "refused as out of play, and there": ("refuse green-frog loops, out of play", "all of it is in play"),
    "a label": ('play green-frog sings "Softly"\n  expect green-frog\'s dream = A1', None),
    "a label, later": ('play green-frog sings\n  answer "Softly"\n  expect green-frog\'s dream = A1', None),
    "a label nobody asks for": ("play green-frog hops to B1\n  answer done", "no question"),
    "unanswered, looked at": ('play green-frog sings\n  expect green-frog is on A1\n  answer "Loudly"', None),
    "unanswered, then acted": ("play green-frog sings\n  do croak now", "Options: Softly; Loudly"),
    "unanswered, then given": ("play green-frog sings\n  given tree-frog at C1", "Options: Softly; Loudly"),
    "unanswered, then played": ("play green-frog sings\n  play green-frog hops to B1", "Options: Softly; Loudly"),
    "unanswered at the end": ("play green-frog sings", "Options: Softly; Loudly"),
    "declined that must be answered": ("play green-frog sings\n  decline", "Options: Softly; Loudly"),
    "several": ("play green-frog plays gift, B1, C1\n  expect fly on B1 = 1\n  expect fly on C1 = 1", None),
    "several, fewer": ("play green-frog plays gift, B1, done\n  expect fly on B1 = 1\n  expect fly on C1 = 0", None),
    "several, the rest left open": ("play green-frog plays gift, B1\n  expect fly on B1 = 0", "Open is: Player 1"),
    "declined": ("play green-frog plays gift\n  decline B1, C1\n  expect fly on B1 = 0", None),
    "declined what is not offered": ("play green-frog plays gift\n  decline A1", "Options: B1; C1; Done"),
    "declined for nothing": ("decline", "none is asked"),
    "declined by nobody in so many words": ("play green-frog plays gift", "Options: B1; C1; Done"),
    "answered by its name": ("play green-frog plays gift, spots = B1, spots = C1\n  expect fly on C1 = 1", None),
    "answered by another name": ("play green-frog plays gift, heap = B1", "(`spots`)"),
    "asks its player": ("play green-frog plays gift\n  expect asks green-frog\n  answer done, by player 1", None),
    "asks another": ("play green-frog plays gift\n  expect asks player 2\n  decline", "Player 1 (Green Frog)"),
    "asks the team": ("play green-frog plays gift\n  expect asks team\n  decline", "Player 1 (Green Frog)"),
    "asks nobody": ("expect asks player 1", "none is asked"),
    "answered by another": ("play green-frog plays gift\n  answer B1, by player 2", "Player 1 (Green Frog)"),
    "declined by another": ("play green-frog plays gift\n  decline, by player 2", "Player 1 (Green Frog)"),
    "seated in order": (
        "given tree-frog at C1\n  expect green-frog's controller = player#1\n"
        "  expect tree-frog's controller = player#2",
        None,
    ),
    "seated by name": ("given tree-frog at C1 for player 1\n  expect tree-frog's controller = player#1", None),
    "seated with cards": ("given tree-frog at C1 with puddle for player 1\n  expect puddle in hand of tree-frog", None),
    "all options": ("play green-frog plays gift\n  expect options B1, C1, done\n  decline", None),
    "options, one too few": ("play green-frog plays gift\n  expect options B1, done\n  decline", "also offered: C1"),
    "options, one too many": ('play green-frog sings\n  expect options "Softly", "Loudly", done', "Softly; Loudly"),
    "offered": ("play green-frog plays gift\n  expect offered C1\n  decline", None),
    "not offered, though it is": ("play green-frog plays gift\n  expect not offered C1\n  decline", "Options: B1; C1"),
    "rightly not offered": ("play green-frog plays gift\n  expect not offered A1\n  decline", None),
    "not offered, in the box": ("play green-frog plays gift\n  expect not offered tree-frog\n  decline", "not in play"),
    "not offered, nothing asked": ("expect not offered C1", "none is asked"),
    "no question": ("play green-frog hops to B1\n  expect no question", None),
    "a question after all": ("play green-frog plays gift\n  expect no question\n  decline", "Options: B1; C1"),
    "a play for nothing": ("play green-frog waits", "nothing has changed"),
    "a play for nothing, then something": ("play green-frog waits\n  do croak now", "nothing has changed"),
    "a play for nothing, expected": ("play green-frog waits\n  expect no change", None),
    "no change, though there is": ("play green-frog hops to B1\n  expect no change", "something has"),
    "no change of nothing": ("expect no change", "none"),
    "secret": ("given tree-frog at C1\n  as tree-frog: expect green-frog's dream is unknown", None),
    "own secret": ("as green-frog: expect green-frog's dream is known", None),
    "no secret": ("given tree-frog at C1\n  as player 2: expect green-frog's temper is known", None),
    "not so secret": ("as player 1: expect green-frog's dream is unknown", "the other way round"),
    "secret cards": ("as player 2: expect puddle is unknown\n  as player 1: expect puddle is known", None),
    "secret zone": ("as player 2: expect (hand of green-frog) is unknown", None),
    "no secret zone": ("as player 2: expect heap is unknown", "the other way round"),
    "how much is seen of a secret zone": ("as player 2: expect hand of green-frog shows 2", None),
    "something else is seen of it": ("as player 2: expect (hand of green-frog) shows 3", "2"),
    "an empty zone": (
        "do put puddle into heap\n  do put gift into heap\n  as player 2: expect hand of green-frog shows 0",
        None,
    ),
    "not only how much": ("as player 1: expect hand of green-frog shows 2", "Player 1 (Green Frog) knows them"),
    "how much nobody sees": ("as tree-frog: expect hand of green-frog shows 2", "no player plays that"),
    "as many as can play": ("expect number of player = 2", None),
    "how many play": ("expect number of player = 1\n  players: 1", None),
    "known though in the box": ("as player 1: expect tree-frog is known", "not in play"),
    "die": ("dice: still\n  play green-frog dares\n  expect green-frog's temper = gruff", None),
    "die of its colour": ("dice: breeze still\n  play green-frog dares", None),
    "die of another colour": ("dice: gale still\n  play green-frog dares", "the breeze die die was rolled"),
    "no die": ("play green-frog dares", "no die is scripted"),
    "all faces of a die": ("expect breeze shows still 3, gust 3", None),
    "all faces, in any order": ("expect breeze shows gust, gust, still 3, gust", None),
    "too many of a face": ("expect breeze shows still 4, gust 3", "it has still 3, gust 3"),
    "not all faces": ("expect breeze shows still 3", "it has still 3, gust 3"),
    "a die left over": ("dice: still\n  play green-frog hops to B1", "1 left over of 1"),
    "a die left over of several": ("dice: still, still\n  play green-frog dares\n  dice: still", "2 left over of 3"),
    "a die of a game that is over": ("dice: still\n  do lose now\n  expect lose", "1 left over of 1"),
    "played, something left over": ("play green-frog hops to B1, puddle", "no question"),
    "refused, of another sort": ("refuse green-frog hops to puddle", "asked for is: B1"),
    "refused, one of two of another sort": ("refuse green-frog hops to C1, puddle", "asked for is: B1"),
    "refused, nothing meant": ("refuse green-frog hops to (top of heap)", "nothing is not in play"),
    "refused, but allowed in part": ("refuse green-frog plays gift, B1, puddle", "asked for is: B1"),
    "refused for its subject": ("do put puddle into heap\n  refuse green-frog plays puddle, B1", None),
    "refused while something must be answered": (
        "play green-frog sings\n  refuse green-frog hops to C1",
        "Options: Softly; Loudly",
    ),
    "announced": ("do announce dusk\n  expect leaps = 10", None),
    "offered to act": ("do offer green-frog\n  expect asks green-frog\n  decline", None),
    "offered to act, by somebody": ("do offer green-frog, by player#2\n  expect asks player 2\n  decline", None),
    "offered until done": (
        'do offer green-frog, until done\n  play green-frog sings "Softly"\n  expect offered puddle\n  answer done',
        None,
    ),
    "an action with a card": ("do offer green-frog\n  expect offered puddle, gift\n  decline", None),
    "an action without that card": (
        "do put gift into heap\n  do offer green-frog\n  expect offered puddle\n  expect not offered gift\n  decline",
        None,
    ),
    "an action with another card": (
        "do put gift into heap\n  do offer green-frog\n  expect offered gift\n  decline",
        "Trick – Puddle",
    ),
    "exactly these actions": (
        "do offer green-frog\n  expect options puddle, gift, done\n  decline",
        "also offered: Green Frog: Hop",
    ),
    "rolled": ("dice: gust\n  do roll breeze", None),
    "done by somebody": (
        "given tree-frog at C1\n  as tree-frog: do self's temper becomes gruff\n  expect tree-frog's temper = gruff",
        None,
    ),
    "done if wished": ("as green-frog: do may nod off\n  answer yes\n  expect leaps = 10", None),
    "outcome": ("do lose now\n  expect lose", None),
    "over": ("do lose now\n  do lose now", "Lost: Enough."),
    "other outcome": ("do lose now\n  expect win", "Lost: Enough."),
}
"""Steps by title, and the observation in the failure (None: the test passes)."""

WORLD = """
use pond

die gale "gale die":
  fr: "dé tempête", m
  faces: still 1, gust 5
verb lose now:
  effect: lose "Enough."
event dusk:
  form: dusk falls
rule evening "Evening":
  fr: "Soir"
  when dusk falls: leaps +10
verb nod off:
  effect: announce dusk
verb croak now:
  effect: announce croak green-frog
action wait "Wait":
  by: frog
  form: waits
  effect: announce croak self

"""


@functools.cache
def results() -> dict[str, Result]:
    """Return the results of all these tests in one program, by title."""
    source = WORLD + "".join(f'test "{t}":{MAP}  {s}\n\n' for t, (s, _) in STEPS.items())
    with TemporaryDirectory() as folder:
        root = copy_pond(Path(folder), source)
        model, problems = check_project([root])
        assert [problem.message for problem in problems if problem.severity == "error"] == []
        image = Image(lower(model, tests=True))
    return {result.title: result for result in (run_test(image, n) for n in range(len(STEPS)))}


@pytest.mark.parametrize("title", STEPS)
def test_step_has_expected_result(title: str) -> None:
    failure = results()[title].failure
    seen = STEPS[title][1]
    if seen is None:
        assert failure is None
    else:
        assert failure is not None
        assert seen in "\n".join([failure.seen, *failure.notes])


def test_lots_are_drawn_while_ops_are_marked(tmp_path: Path) -> None:
    """The coverage of tests, and `fcb mutate`, run them on marked ops."""
    source = f'{WORLD}test "drawn":{MAP}  {STEPS["drawn"][0]}\n'
    program = lower(check_project([copy_pond(tmp_path, source)])[0], tests=True)
    assert run_test(Image(program, Marks(program)), 0, once=True).failure is None


TOGETHER = """
use pond

verb tire:
  takes: who (frog)
  event: who tires
  effect: who's energy -1
measure strength:
  gives: number
  effect:
    let sum = 0
    for each frog: let sum = sum + frog's energy
    answer sum
rule trace "Trace": when frog tires: leaps becomes leaps * 10 + strength
verb in turn:
  effect:
    for each frog:
      tire frog
verb together:
  effect:
    for each frog, at once:
      let x = 1
      if x = 1: tire frog
verb twice over:
  effect:
    for each space, at once:
      for each frog, at once: tire frog

test "in turn":MAP
  do in turn
  expect leaps = 54

test "together":MAP
  do together
  expect leaps = 44

test "a loop in a loop":MAP
  do twice over
  expect leaps = 2222
"""


@pytest.mark.parametrize("number", range(3))
def test_simultaneous_events_are_heard_together(number: int, tmp_path: Path) -> None:
    art = "\n  map square:\n    art: |\n      +--+--+\n      |.  . |\n      +--+--+"
    given = "\n  given green-frog at A1\n  given tree-frog at B1"
    model, problems = check_project([copy_pond(tmp_path, TOGETHER.replace("MAP", art + given))])
    assert [problem.message for problem in problems if problem.severity == "error"] == []
    result = run_test(Image(lower(model, tests=True)), number)
    assert (result.title, result.failure) == (("in turn", "together", "a loop in a loop")[number], None)


CORNERS = """
use pond

test "Past a corner":
  map square-8:
    art: |
      +--+--+--+
      |.  #  . |
      +  +  +  +
      |#  .  . |
      +  +==+  +
      |.  .  . |
      +--+--+--+
    legend:
      "==": bank
      "#": reed
  given green-frog at A1
  expect range from A1 to C3 = 2
  expect A1 is next to B2
  expect direction from A1 to B2 = direction from B2 to C3
  expect number of space next to B2 = 8
  expect B2 is adjacent to A3
  refuse green-frog hops to C2
  expect B3 is not adjacent to B2
  play green-frog hops to B2
  expect win

test "Both ways round are shut":
  map square-8:
    art: |
      +--+--+
      |. |. |
      +==+  +
      |.  . |
      +--+--+
    legend:
      "|": bank
      "==": bank
  given green-frog at A1
  expect A1 is next to B2
  refuse green-frog hops to B2
"""


@pytest.mark.parametrize("number", range(2))
def test_squares_can_have_eight_neighbors(number: int, tmp_path: Path) -> None:
    """FTZ-BOARD-02, 03; ESC-BRD-06's variant, ESC-BRD-12."""
    root = copy_pond(tmp_path, CORNERS)
    for path in root.rglob("*.fcb"):
        text = path.read_text(encoding="utf-8")
        path.write_text(re.sub(r"(board: |map )square(:?)$", r"\1square-8\2", text, flags=re.M), encoding="utf-8")
    model, problems = check_project([root])
    assert [problem.message for problem in problems if problem.severity == "error"] == []
    assert run_test(Image(lower(model, tests=True)), number).failure is None


def test_decisions_are_counted() -> None:
    assert results()["several"].decisions > results()["hops"].decisions > 0


def pond_test() -> Result:
    """Return a test of the Pond."""
    from pond_game import image

    return run_test(image(), 0)


def test_lossy_load_fails_test(monkeypatch: pytest.MonkeyPatch) -> None:
    def lossy(image: Image, data: Json) -> Game:
        game = loading.load_game(image, data)
        game.world.switches = [1 - value for value in game.world.switches]
        return game

    assert pond_test().failure is None
    monkeypatch.setattr(content_tests, "loading", SimpleNamespace(load_game=lossy))
    failure = pond_test().failure
    assert failure is not None
    assert "saving and loading" in failure.expected


def test_nondeterministic_game_fails_test(monkeypatch: pytest.MonkeyPatch) -> None:
    seeds = iter(range(100))

    def stage(image: Image, test: int) -> Game:
        return setup.stage(image, test, next(seeds))

    monkeypatch.setattr(content_tests, "setup", SimpleNamespace(stage=stage))
    failure = pond_test().failure
    assert failure is not None
    assert "played again" in failure.expected


@pytest.mark.parametrize("tags", [("thing",), ("thing",) * 9])
def test_wrong_number_of_references_fails_test(tags: tuple[Tag, ...]) -> None:
    """No source contains this, but a program may."""
    from pond_game import pond

    program = pond()
    number, index = next(
        (number, index)
        for number, test in enumerate(program.tests)
        for index, step in enumerate(test.steps)
        if step.sort == "play" and len(step.tags) not in (1, 9)
    )
    test = program.tests[number]
    step = replace(test.steps[index], tags=tags, questions=("",) * len(tags))
    steps = (*test.steps[:index], step, *test.steps[index + 1 :])
    tests = (*program.tests[:number], replace(test, steps=steps), *program.tests[number + 1 :])
    spoilt = replace(program, tests=tests)
    assert verify_program(spoilt) == []
    failure = run_test(Image(spoilt), number).failure
    assert failure is not None
    assert failure.expected == f"{len(tags)} references"


@pytest.mark.parametrize(
    ("sort", "tag"),
    [("known", "thing"), ("known", "zone"), ("unknown", "zone"), ("refuse", "thing"), ("withheld", "thing")],
)
def test_missing_things_fail_test(sort: StepSort, tag: Tag) -> None:
    """No source names them, but a program may."""
    from pond_game import pond

    program = pond()
    op = program.ops.index
    far = Code("far", (op("LIT"), 2, 1 << 20, op("RETV"), 2), 3, 0)
    many = Code("far", (op("LIT"), 2, 1 << 20, op("LNEW"), 0, op("LADD"), 0, 2, op("RETS"), 0), 3, 1)
    ints = (op("PLAYERS"), 0, op("LIT"), 2, 0, op("LAT"), 3, 0, 2, op("RETV"), 3)
    codes = (*program.codes, far, many, Code("who", ints, 4, 1))
    player, at = len(codes) - 1, len(codes) - (3 if sort in ("known", "unknown") else 2)
    step = Step(sort, at, tags=(tag,), questions=("",), who=player)
    spoilt = replace(program, codes=codes, tests=(replace(program.tests[0], steps=(step,)),))
    assert verify_program(spoilt) == []
    assert run_test(Image(spoilt), 0).failure is not None


def test_machine_without_test_flags_is_noticed() -> None:
    assert content_tests.SCRIPTED == 1 | 2 | 4 | 16


OWN = """
use pond

trick ripple "Ripple":
  fr: "Ride"
  effect: mark Wet on self
rule gloom "Gloom":
  when frog croaks: lose "Gloom."
  always: frog has +2 energy
action wave "Wave":
  by: frog
  form: waves
  effect: leaps +1

test "In its own world":
  map square:
    art: |
      +--+--+
      |.  . |
      +--+--+
  given green-frog at A1
  expect number of trick definition = 3
  expect green-frog's energy = 5
  play green-frog waves
  play green-frog sings "Loudly"
  expect lose
"""

OTHERS = """
use pond

test "In another's world":
  map square:
    art: |
      +--+--+
      |.  . |
      +--+--+
  given green-frog at A1
  expect number of trick definition = 2
  expect green-frog's energy = 3
  refuse green-frog waves
  play green-frog sings "Loudly"
"""


def test_declarations_of_test_file_are_local(tmp_path: Path) -> None:
    root = copy_pond(tmp_path, OWN)
    (root / "tests" / "others.fcb").write_text(OTHERS, encoding="utf-8")
    model, problems = check_project([root])
    assert [problem.message for problem in problems if problem.severity == "error"] == []
    image = Image(lower(model, tests=True))
    for number in (0, 1, 0):  # back and forth: the machine turns to the world it is given
        assert run_test(image, number).failure is None
    game = setup.start_game(image, "crossing", 1, 1, {})
    game.run()
    assert all(image.program.actions[option[1]].name != "wave" for option in game.actions((0, 1)))


def test_declarations_of_other_test_file_are_unknown(tmp_path: Path) -> None:
    root = copy_pond(tmp_path, OWN)
    (root / "tests" / "others.fcb").write_text(OTHERS + "  expect ripple in heap\n", encoding="utf-8")
    _, problems = check_project([root])
    assert [(problem.code, problem.span.line) for problem in problems if problem.severity == "error"] == [
        ("FCB0608", 15)
    ]


def test_preferences_in_test_file_are_refused(tmp_path: Path) -> None:
    """Bots play no tests."""
    _, problems = check_project([copy_pond(tmp_path, "use pond\npreferences:\n  hop: 1\n")])
    assert [problem.code for problem in problems] == ["FCB0318"]


SILENT = """
kind hero is piece:
  stat luck: number 0.., starts 1
  zone charms of charm: any
kind charm is card:
  held by: hero
  answers: offered
  usable: luck > 0
  limit: once per dawn per figure
event dawn:
  form: dawn comes
event bell:
  form: bell rings
event gong:
  form: gong sounds
action ring "Ring":
  by: hero
  form: rings
  limit: once per dawn per figure
  effect:
    luck +0
    announce bell
hero bo "Bo"
charm clover "Clover":
  when bell: luck +1
charm horseshoe "Horseshoe":
  when gong: luck +1

"""

WHY_SILENT = {
    "nobody has it": ("play bo rings\n  answer horseshoe", "Horseshoe: it is not in play, or no player has it"),
    "not usable": (
        "given bo's luck = 0\n  do put clover into charms of bo\n  play bo rings\n  answer clover",
        "Clover: it is not usable",
    ),
    "used up": (
        "do put clover into charms of bo\n  play bo rings\n  answer clover, clover",
        "Clover: its limit is used up",
    ),
    "another event": (
        "do put horseshoe into charms of bo\n  play bo rings\n  answer horseshoe",
        "Horseshoe: it answers no event that has happened",
    ),
    "an action whose limit is used up": (
        "play bo rings\n  expect no change\n  play bo rings",
        "Ring lacks its limit, which is used up",
    ),
}


@pytest.mark.parametrize("title", WHY_SILENT)
def test_failure_explains_missing_option(tmp_path: Path, title: str) -> None:
    steps, why = WHY_SILENT[title]
    place = "  map hex:\n    art: |\n      . .\n  given bo at A1\n"
    (tmp_path / "bell.fcb").write_text(f'{SILENT}test "t":\n{place}  {steps}\n', encoding="utf-8")
    model, problems = check_project([tmp_path / "bell.fcb"])
    assert [problem.message for problem in problems if problem.severity == "error"] == []
    failure = run_test(Image(lower(model, tests=True)), 0).failure
    assert failure is not None
    assert any(why in note for note in failure.notes)


# ── how many play a test of a mission ──────────────────────────────────────────────────────────


def test_as_many_play_as_the_mission_allows(tmp_path: Path) -> None:
    """The game is for 1 to 2 players, the mission for 1."""
    body = "  use mission ditch\n  expect number of player = {}\n"
    field = "  map square:\n    art: |\n      +--+\n      |. |\n      +--+\n"
    source = f'use pond\n\nmission ditch "Ditch":\n  players: 1\n{field}'
    root = copy_pond(tmp_path, source + "".join(f'test "{n}":\n{body.format(n)}' for n in (1, 2)))
    model, problems = check_project([root])
    assert [problem.message for problem in problems if problem.severity == "error"] == []
    image = Image(lower(model, tests=True))
    assert [run_test(image, number).failure is None for number in range(2)] == [True, False]
