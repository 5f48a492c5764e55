"""An incremental checker finds after each edit what a fresh check finds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random

import pytest
from edited_files import EditedFiles
from games import GAMES, ROOT, first_few
from hypothesis import given, settings
from hypothesis import strategies as st
from random_edits import edited, words_of

from fcbdsl.base.diagnostics.base import Diagnostic
from fcbdsl.base.diagnostics.report import findings_to_text, to_records
from fcbdsl.language.model.checks.missions.mission_scene import is_mission_definition
from fcbdsl.language.model.dump import dump
from fcbdsl.language.model.roots import roots
from fcbdsl.language.syntax.pieces import Pieces
from fcbdsl.project.paths import CORE
from fcbdsl.project.project import files_of_tests, load_project

SYSTEMS = Path(__file__).parents[1] / "systems"


def seen(open_files: EditedFiles) -> tuple[str, list[object], list[object]]:
    """Return the model with all places in it, and the problems."""
    model = open_files.checker.model
    places: list[object] = [definition.span.place for definition in model.definitions.values()]
    places += [test.span.place for test in model.tests]
    places += [getattr(owner, "span", None) and owner.span.place for owner, _ in roots(model) if owner is not None]
    return dump(model), places, problems_of(open_files.pieces, open_files.checker.problems())


def problems_of(pieces: Mapping[str, Pieces], problems: Sequence[Diagnostic]) -> list[object]:
    """Return problems as printed, including those of reading lines."""
    read = [problem for piece in pieces.values() for problem in piece.problems()]
    return [*to_records(read), *to_records(problems), findings_to_text(problems)]


def texts_of(system: str) -> tuple[dict[str, str], list[str]]:
    """Return the files of a system for tests, with `core`, and the names of those with tests."""
    loader = load_project(root=SYSTEMS / system)
    texts = {source.name: source.text for source in loader.sources}
    return texts, files_of_tests(loader)


TOYS = ["pond", "lanterns", "fair", "foxhunt", "parley"]


@pytest.mark.parametrize("system", first_few(TOYS, 2))
@settings(max_examples=2, deadline=None)
@given(seed=st.integers(0, 10**9))
def test_incremental_checker_equals_full_check_after_edits(system: str, seed: int) -> None:
    follows(system, Random(seed), 5)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("system", TOYS)
def test_incremental_checker_equals_full_check_after_many_edits(system: str, seed: int) -> None:
    follows(system, Random(seed), 20)


def follows(system: str, random: Random, edits: int) -> None:
    texts, proofs = texts_of(system)
    own = [name for name in texts if f"/{CORE}" not in name]
    words = [word for name in own for word in words_of(texts[name])]
    open_files = EditedFiles(texts, proofs)
    before: dict[str, list[str]] = {name: [text] for name, text in texts.items()}
    for _ in range(edits):
        name = random.choice(own)
        texts[name] = edited(texts[name], random, words, before[name])
        before[name].append(texts[name])
        open_files.write(name, texts[name])
        assert seen(open_files) == seen(EditedFiles(texts, proofs))


def test_owner_of_card_is_checked_again_without_zone() -> None:
    """Such a line names no zone: the card is in the first zone that takes it."""
    texts, proofs = texts_of("parley")
    open_files = EditedFiles(texts, proofs)
    seen(open_files)
    name = next(name for name in texts if name.endswith("systems/parley.fcb"))
    assert "  zone wit " in texts[name]
    texts[name] = "".join(line for line in texts[name].splitlines(keepends=True) if not line.startswith("  zone wit "))
    open_files.write(name, texts[name])
    state = seen(open_files)
    assert state == seen(EditedFiles(texts, proofs))
    assert any(isinstance(record, dict) and record["code"] == "FCB0605" for record in state[2])


@pytest.mark.parametrize("moved", [(1, 0, 2), (0, 2, 1), (2, 1, 0), (1, 2, 0), (2, 0, 1), (0, 1, 1)])
@pytest.mark.parametrize("head", ['test "Number {}":\n', "setup:\n"])
def test_moved_declarations_equal_a_full_check(head: str, moved: tuple[int, ...]) -> None:
    """Such declarations have no names, so one of them looks like the one whose place it takes."""
    texts, proofs = texts_of("parley")
    bodies = ["  do nobody{}\n\n", "  do announce nothing{}\n\n", "  given nothing{} at A1\n\n"]
    pieces = [head.format(number) + body.format(number) for number, body in enumerate(bodies)]
    name = proofs[0]
    begin = texts[name].rstrip() + "\n\n"
    texts[name] = begin + "".join(pieces)
    open_files = EditedFiles(texts, proofs)
    seen(open_files)
    for _ in range(2):
        pieces = [pieces[at] for at in moved]
        texts[name] = begin + "".join(pieces)
        open_files.write(name, texts[name])
        assert seen(open_files) == seen(EditedFiles(texts, proofs))


def test_tests_of_a_mission_follow_its_number_of_players() -> None:
    """The mission and its tests are in different files: without `players:`, as many play as the mission allows."""
    texts, proofs = texts_of("fair")
    own = next(name for name in texts if name.endswith("cards/fair.fcb"))
    ranges = ["  players: 1..2\n", "  players: 1\n", "  players: 3\n", "", "  players: 1..\n", "  players: 1..2\n"]
    begin = texts[own].rstrip() + '\n\nmission green "Green":\n  fr: "Pré", m\n'
    end = "  map square:\n    art: |\n      +--+\n      |. |\n      +--+\n"
    texts[own] = begin + ranges[0] + end
    texts[proofs[0]] += (
        '\ntest "most":\n  use mission green\n  expect number of player = 2\n'
        '\ntest "two":\n  players: 2\n  use mission green\n  expect number of player = 2\n'
    )
    open_files = EditedFiles(texts, proofs)
    numbers, reported = [], []
    for line in ranges:
        texts[own] = begin + line + end
        open_files.write(own, texts[own])
        assert seen(open_files) == seen(EditedFiles(texts, proofs))
        numbers.append([test.players for test in open_files.checker.model.tests if test.title in ("most", "two")])
        reported.append([problem.message for problem in open_files.checker.problems() if problem.code == "FCB0619"])
    assert numbers == [[2, 2], [1, 1], [0, 0], [0, 2], [0, 2], [2, 2]]
    single, three = ([f"The mission `green` is for {count}, not for 2."] for count in ("1 player", "3 players"))
    assert reported == [[], single, three, [], [], []]


# ── missions are checked again when their texts change ─────────────────────────────────────────


@pytest.mark.parametrize(
    ("file", "old", "new", "looked"),  # both missions
    [
        (
            "tricks.fcb",
            "active's steps +2",
            "active's steps +3",
            0,
        ),  # another number in an effect, and a mission's own: no other mission hears it; another effect: any may
        ("counting-house.fcb", "wanted: 2", "wanted: 1", 1),  # a mission's own
        ("tricks.fcb", "Shove foe", "mark Dazed on foe", 2),  # another effect: anybody may hear it
    ],
)
def test_missions_with_changed_listeners_are_checked_again(file: str, old: str, new: str, looked: int) -> None:
    texts, proofs = texts_of("lanterns")
    open_files = EditedFiles(texts, proofs)
    open_files.checker.problems()
    missions = [
        definition for definition in open_files.checker.model.definitions.values() if is_mission_definition(definition)
    ]
    assert open_files.checker.done.missions == len(missions)
    name = next(name for name in texts if name.endswith(file))
    assert old in texts[name]
    open_files.write(name, texts[name].replace(old, new))
    open_files.checker.problems()
    assert open_files.checker.done.missions == (looked if looked < 2 else len(missions))


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_cached_mission_findings_equal_new_findings(game: str) -> None:
    """Numbers of cards and missions, and any edits, one after the other."""
    loader = load_project(root=ROOT, game=game, tests=False)
    texts = {source.name: source.text for source in loader.sources}
    content = [name for name in texts if "/systems/" not in name]
    words = [word for name in content for word in words_of(texts[name])]
    random = Random(3)
    open_files = EditedFiles(texts, [])
    seen(open_files)
    unchanged_missions = 0
    for number in range(24):
        name = random.choice(content)
        text = texts[name]
        digits = [at for at, letter in enumerate(text) if letter in "12345678"]
        if number % 3 and digits:
            at = random.choice(digits)
            texts[name] = text[:at] + str(int(text[at]) + 1) + text[at + 1 :]
        else:
            texts[name] = edited(text, random, words, [text])
        open_files.write(name, texts[name])
        records = to_records(open_files.checker.problems())
        unchanged_missions += open_files.checker.done.missions == 0
        assert records == to_records(EditedFiles(texts, []).checker.problems())
        texts[name] = text
        open_files.write(name, text)
        open_files.checker.problems()
    assert unchanged_missions
