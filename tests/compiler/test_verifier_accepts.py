"""The verifier accepts programs of sources that `check` accepts: random small systems, and shipped files with small
edits.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest
from games import GAMES, ROOT
from hypothesis import given, settings
from hypothesis import strategies as st
from pond_game import POND

from fcbdsl.base.diagnostics import Diagnostic
from fcbdsl.base.diagnostics.problems import Problems
from fcbdsl.base.source import Source
from fcbdsl.language.compiler import looking_problems, lower, signature_problems
from fcbdsl.language.model.check import check
from fcbdsl.language.model.whole import Model
from fcbdsl.language.syntax.parser import parse
from fcbdsl.language.syntax.tree import File
from fcbdsl.machine.vm.verify.verifier import verify_program
from fcbdsl.project.project import load_project, parse_all
from tests.compiler.sources import model_of

HEAD = """
system own "Own":
  languages: en
  board: square
  players: 1..2
mark here, entry
die coin "coin":
  faces: 1..2
die bones "bones":
  faces: hit 2, miss 1
enum mood: calm, wild
status Wet "wet":
  on: pawn
  limit: 2
token fly "fly":
  limit: 3
kind pawn is piece:
  name: "pawn", plural "pawns"
  stat HP: number 0.., starts 3
  field rank: number, default 1
  zone hand of trick: limit 3
kind trick is card:
  name: "trick", plural "tricks"
  held by: pawn
  copies: 2
  field worth: formula, optional
  field fits: condition, optional
  field effect: effect, optional
event leap:
  takes: who (pawn)
  form: who jumps
verb tire:
  takes: who (pawn), amount (number, default 1)
  event: who tires by amount
  effect: who's HP - amount
measure luck:
  gives: number
  effect:
    roll x: coin
    answer x
measure strength:
  gives: number
  value: number of (pawn where HP > 1)
measure nearby:
  takes: of who (pawn)
  gives: many pawn
  value: pawn adjacent to who
relation lucky:
  takes: who (pawn)
  effect:
    if luck > 1: answer yes
    answer no
relation weak:
  takes: who (pawn)
  is: who's HP < 2
relation hurting:
  takes: who (pawn)
  effect:
    tire who
    answer yes
""".replace("effect: who's HP - amount", "effect: who's HP becomes who's HP - amount")

NUMBERS = (
    "0",
    "1",
    "strength",
    "luck",
    "number of pawn",
    "game's total",
    "(strength + 1) * 2",
    "lowest of 1, strength",
)
CONDITIONS = (
    "strength > 1", "luck > 1", "any pawn where it is weak", "every pawn is lucky", "no pawn with Wet",
    "any pawn where it is hurting", "total = 0 or strength > 2", "not (any pawn where HP > 2)",
)  # fmt: skip
TYPES = (
    "number", "flag", "mood", "pawn", "trick definition", "die", "space", "many pawn", "many number", "text", "player",
    "many trick definition", "condition", "formula", "effect", "many condition", "zone", "direction", "face",
)  # fmt: skip
EFFECTS = (
    "total +1", "for each pawn: tire pawn", "for each pawn, at once: tire pawn 2", "let x = luck", "let x = strength",
    "choose one: \n      \"A\": total +1\n      \"B\": total +2", "choose target: pawn where it is weak",
    "require luck > 1", "mark Wet on (number of pawn)", "for each pawn: mark Wet on pawn",
    "until leap:\n      pawn has +1 HP", "until leap:\n      pawn has + luck HP", "roll bones:\n      hit: total +1",
    "offer pawn", "if luck > 1: stop", "win", "add 3 to none", "repeat 2 times: total +1", "announce leap self",
)  # fmt: skip


@st.composite
def sources(draw: st.DrawFn) -> str:
    """Return a random system whose declarations are valid, or nearly."""
    number, condition = st.sampled_from(NUMBERS), st.sampled_from(CONDITIONS)
    blocks: list[str] = []
    stats = draw(st.lists(st.sampled_from(TYPES), max_size=3))
    blocks.append("kind game:\n  stat total: number 0..")
    blocks[-1] += "".join(f"\n  stat s{at}: {type_}" for at, type_ in enumerate(stats))
    fields = draw(st.lists(st.sampled_from(TYPES), max_size=3))
    lines = "".join(f"\n  field f{at}: {type_}, optional" for at, type_ in enumerate(fields))
    blocks.append(f"kind prank is trick:\n  copies: 1{lines}")
    effect = "\n    ".join(draw(st.lists(st.sampled_from(EFFECTS), min_size=1, max_size=3)))
    blocks.append(f'action hop "Hop":\n  by: pawn\n  form: hops\n  needs: {draw(condition)}\n  effect:\n    {effect}')
    blocks.append(f"zone heap of trick: limit {draw(number)}")
    blocks.append(f'rule r "R":\n  when pawn jumps, if {draw(condition)}: total +1\n  while {draw(condition)}:')
    blocks[-1] += f"\n    pawn has + {draw(number)} HP"
    blocks.append(f'invariant calm "Calm.": {draw(condition)}')
    blocks.append(f'trick fool "Fool":\n  worth: {draw(number)}\n  fits: {draw(condition)}\n  effect: total +1')
    blocks.append('pawn ann "Ann"\nflow:\n  offer pawn, until done')
    art = "\n    art: |\n      +--+\n      |. |\n      +--+"
    blocks.append(f'test "t":\n  map square:{art}\n  given ann at A1\n  expect {draw(condition)}')
    chosen = draw(st.lists(st.booleans(), min_size=len(blocks), max_size=len(blocks)))
    return HEAD + "\n".join(block for at, block in enumerate(blocks) if chosen[at] or at == 0) + "\n"


ACCEPTED: list[bool] = []


@pytest.mark.long
@settings(max_examples=60, deadline=None, derandomize=True)
@given(sources())
def test_accepted_source_passes_the_verifier(text: str) -> None:
    model, errors = model_of("own.fcb", text.encode())
    if errors or looking_problems(model):
        ACCEPTED.append(False)
        return
    ACCEPTED.append(True)
    assert verify_program(lower(model, tests=True)) == []


@pytest.mark.long
@settings(max_examples=400, deadline=None)
@given(sources())
def test_accepted_random_source_passes_the_verifier(text: str) -> None:
    model, errors = model_of("own.fcb", text.encode())
    assert errors or looking_problems(model) or verify_program(lower(model, tests=True)) == []


def test_enough_random_sources_are_accepted() -> None:
    """The test above is useful only if many of its systems are sound."""
    if not ACCEPTED:
        test_accepted_source_passes_the_verifier()
    assert sum(ACCEPTED) > len(ACCEPTED) // 10


# ── small edits of shipped files ───────────────────────────────────────────────────────────────

NUMBER = re.compile(r"(?<![\w.-])\d+(?![\w-])")
WORD = re.compile(r"[A-Za-z][\w-]*")
EDITS = ("swap", "delete", "duplicate", "number", "number", "name", "name", "name")
SMALL = {"pond": POND, "lanterns": POND.parent / "lanterns"}


class Shop:
    """A game to edit. `alike`: for each name, the names of things of the same sort."""

    def __init__(self, root: Path, game: str, tests: bool) -> None:
        loader, problems = load_project(tests=tests, root=root, game=game), Problems()
        self.files = parse_all(loader.sources, problems)
        self.own = [file for file in self.files if file.source.name != "core.fcb"]
        self.tests, self.spoken = tests, loader.project.languages
        model, reported = check(self.files, spoken=self.spoken)
        assert not is_refused(reported)
        self.alike = {name: group for group in groups(model) for name in group if len(group) > 1}

    def verified(self, file: File, text: str) -> list[str] | None:
        """Return the verifier's findings for the game with another text of a file; None if the check refuses it."""
        changed, problems = parse(Source(file.source.name, text))
        if is_refused(problems):
            return None
        model, reported = check([changed if old is file else old for old in self.files], spoken=self.spoken)
        if is_refused([*reported, *signature_problems(model)]) or looking_problems(model):
            return None
        return [str(finding) for finding in verify_program(lower(model, tests=self.tests))]


def is_refused(problems: Sequence[Diagnostic]) -> bool:
    return any(problem.severity == "error" for problem in problems)


def groups(model: Model) -> list[list[str]]:
    """Return names of things of the same sort, in the order of their declaration."""
    names: dict[object, list[str]] = {}
    for kind, id_ in model.definitions:
        names.setdefault(("definition", kind), []).append(id_)
    for kind in model.kinds:
        names.setdefault("kind", []).append(kind)
    for form in model.forms:
        if len(form.words) == 1:
            names.setdefault((form.sort, form.gives), []).append(form.words[0])
    for declared_kind in model.kinds.values():
        for field in declared_kind.fields.values():
            names.setdefault((field.sort, field.type), []).append(field.id)
    for enum in model.enums.values():
        names[enum.id] = list(enum.values)
    return list(names.values())


@cache
def shop(name: str) -> Shop:
    """Return a small game with its tests, or a shipped one without its many tests."""
    return Shop(SMALL[name], "", tests=True) if name in SMALL else Shop(ROOT, name, tests=False)


def edited(draw: st.DrawFn, lines: list[str], alike: dict[str, list[str]]) -> None:
    """Return lines after a few small edits."""
    at = draw(st.integers(0, len(lines) - 1))
    match draw(st.sampled_from(EDITS)):
        case "swap":
            other = draw(st.integers(max(0, at - 3), min(len(lines) - 1, at + 3)))
            lines[at], lines[other] = lines[other], lines[at]
        case "delete":
            del lines[at]
        case "duplicate":
            lines.insert(at, lines[at])
        case "number":
            places = [(n, hit) for n, line in enumerate(lines) for hit in NUMBER.finditer(line)]
            if places:
                n, hit = places[draw(st.integers(0, len(places) - 1))]
                lines[n] = lines[n][: hit.start()] + draw(st.sampled_from("01239")) + lines[n][hit.end() :]
        case _:
            places = [(n, hit) for n, line in enumerate(lines) for hit in WORD.finditer(line) if hit[0] in alike]
            if places:
                n, hit = places[draw(st.integers(0, len(places) - 1))]
                lines[n] = lines[n][: hit.start()] + draw(st.sampled_from(alike[hit[0]])) + lines[n][hit.end() :]


ENOUGH = {True: 0, False: 0}
"""The numbers of edited games that were accepted and refused."""


def edit_and_verify(name: str, data: st.DataObject) -> None:
    game = shop(name)
    file = game.own[data.draw(st.integers(0, len(game.own) - 1))]
    lines = file.source.text.split("\n")
    for _ in range(data.draw(st.integers(1, 3))):
        edited(data.draw, lines, game.alike)
    text = "\n".join(lines)
    refused = game.verified(file, text)
    ENOUGH[refused is not None and text != file.source.text] += 1
    assert not refused, text


@pytest.mark.long
@pytest.mark.parametrize("name", SMALL)
@settings(max_examples=12, deadline=None, derandomize=True)
@given(st.data())
def test_accepted_edit_passes_the_verifier(name: str, data: st.DataObject) -> None:
    edit_and_verify(name, data)


@pytest.mark.long
@pytest.mark.parametrize("name", SMALL)
@settings(max_examples=60, deadline=None)
@given(st.data())
def test_accepted_random_edit_passes_the_verifier(name: str, data: st.DataObject) -> None:
    edit_and_verify(name, data)


@pytest.mark.long
@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=15, deadline=None)
@given(st.data())
def test_accepted_random_edit_of_a_large_game_passes_the_verifier(name: str, data: st.DataObject) -> None:
    """Each run tries others: all of such a game is checked and compiled for each."""
    edit_and_verify(name, data)


def test_enough_edits_were_accepted() -> None:
    if not any(ENOUGH.values()):
        test_accepted_edit_passes_the_verifier("pond")
    assert ENOUGH[True] > sum(ENOUGH.values()) // 10
