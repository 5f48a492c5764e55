"""The tests of the shipped games all pass, prove every rule, and play every card."""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass
from pathlib import Path

import pytest
from games import GAMES, PROJECTS, ROOT, page_with_reasons, program, shared

from fcbdsl.base.files import write_atomically
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.program import Program
from fcbdsl.play.testing.catalogue import coverage, read_catalogue, read_elsewhere
from fcbdsl.play.testing.content_tests import run_test
from fcbdsl.project.paths import fcb_files, lies_in
from fcbdsl.project.settings import Project

UNPLAYED = (
    r"test |measure |invariant |preference |prospect |(flow|journey|outlook)$|action .*, (requirement \d+|can begin)$"
)
"""Names of codes that content tests need not run: codes of tests, bots, soaks and campaigns, and reasons of failing
tests.

Further ones of a game are in `tests/cases/elsewhere`, with reasons.
"""


def elsewhere(game: str) -> list[str]:
    """Return the patterns of a game's own codes that content tests need not run."""
    return page_with_reasons("elsewhere", game)


FILES = [
    pytest.param(game, path, id=f"{game}/{path.stem}")
    for game in GAMES
    for path in fcb_files(PROJECTS[game].folders(PROJECTS[game].tests))
]


AGAIN = 4
"""One test in this many is played twice, unless all are."""


@dataclass(frozen=True, slots=True)
class Played:
    """The results of the content tests of one file: failures, titles of passing tests with their rules, and numbers of
    codes that ran."""

    failed: list[str]
    passed: list[tuple[str, list[str]]]
    ran: list[int]


def played(game: str, path: Path) -> Played:
    """Return the results of a file's content tests, which one process of this run plays."""
    results = shared("played") / f"{game}.{path.relative_to(ROOT).as_posix().replace('/', '.')}.json"
    if not results.exists():
        write_atomically(results, json.dumps(asdict(play(game, path))).encode())
    return Played(**json.loads(results.read_bytes()))


def play(game: str, path: Path, again: int = AGAIN) -> Played:
    """Play the content tests of a file; one in `again` with a save and a load at every decision."""
    image = Image(program(game, tests=True))
    rows, files = image.program.spans, image.program.files
    here = {number for number, name in enumerate(files) if Path(name).resolve() == path.resolve()}
    own = [number for number, test in enumerate(image.program.tests) if rows[test.span].file in here]
    results = [run_test(image, number, once=number % again != 0) for number in own]
    return Played(
        [
            f"{result.title}: {result.failure.expected}; {result.failure.seen}"
            for result in results
            if result.failure is not None
        ],
        [(result.title, list(result.covers)) for result in results if result.failure is None],
        image.ran(),
    )


@pytest.mark.long
@pytest.mark.parametrize(("game", "path"), FILES)
def test_content_tests_pass_with_saves_and_loads(game: str, path: Path) -> None:
    assert play(game, path, again=1).failed == []


@pytest.mark.parametrize(("game", "path"), FILES)
def test_content_tests_pass(game: str, path: Path) -> None:
    results = played(game, path)
    assert results.failed == []
    assert results.passed


def all_played(game: str) -> list[Played]:
    return [played(game, path) for path in fcb_files(PROJECTS[game].folders(PROJECTS[game].tests))]


@pytest.mark.last
@pytest.mark.parametrize("game", GAMES)
def test_every_rule_is_proven_or_excused(game: str) -> None:
    """`tests/cases/open` lists the rules and switches that a game does not have yet."""
    page = ROOT / PROJECTS[game].rules
    text = page.read_text(encoding="utf-8")
    beside = read_elsewhere(page.with_name("README.md").read_text(encoding="utf-8"))
    catalogue = read_catalogue(text)
    ids = {id for rule in catalogue for id in (rule.id, *rule.clauses)}
    proofs = [(title, covers) for each in all_played(game) for title, covers in each.passed]
    elsewhere = read_elsewhere(text) | {id: proof for id, proof in beside.items() if id in ids}
    report = coverage(catalogue, range(1, 1000), proofs, elsewhere=elsewhere)
    still_open = [rule for rule in page_with_reasons("open", game) if rule.isupper()]
    assert report.unproven == still_open, f"cover these rules with a test, or list them in tests/cases/open/{game}.txt"
    assert report.unknown == [], f"tests cover rules that {PROJECTS[game].rules} does not contain"


@pytest.mark.last
@pytest.mark.parametrize("game", GAMES)
def test_content_tests_reach_all_content(game: str) -> None:
    """Each effect, listener, ability and line of behaviour has run. Codes that only bots, campaigns and soaks run are
    tested with them."""
    made = program(game, tests=True)
    ran = {number for each in all_played(game) for number in each.ran}
    idle = [made.codes[number].name for number in own_codes(made, PROJECTS[game]) if number not in ran]
    excused = (UNPLAYED, *elsewhere(game))
    untested = [name for name in idle if not any(re.match(pattern, name) for pattern in excused)]
    assert untested == [], f"no content test runs these; add a test that plays them, or a reason: elsewhere/{game}.txt"
    assert [pattern for pattern in elsewhere(game) if not any(re.match(pattern, name) for name in idle)] == []


def own_codes(program: Program, project: Project) -> list[int]:
    """Return the codes that belong to the game, and not to its tests."""
    tests = project.folders(project.tests)
    own = [not lies_in(Path(name), tests) for name in program.files]
    return [number for number, code in enumerate(program.codes) if own[program.spans[code.spans[0]].file]]
