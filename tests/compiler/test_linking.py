"""A program that is linked with codes of an earlier lowering equals that of a lowering of the whole model."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from games import first_few

from fcbdsl.base.diagnostics.problems import Problems
from fcbdsl.base.source import Source
from fcbdsl.language.compiler import BothLowerings, linked_program, lower
from fcbdsl.language.model.check import Checker
from fcbdsl.language.syntax.parser import parse
from fcbdsl.language.syntax.pieces import read_pieces
from fcbdsl.machine.vm.fingerprint import comparison_form, program_difference
from fcbdsl.project.analysis import no_test
from fcbdsl.project.analysis.incremental import read_changed
from fcbdsl.project.analysis.packaged_results import starter_packs
from fcbdsl.project.project import load_project, parse_all
from tests.compiler.sources import PRELUDE
from tests.compiler.test_relowering import RESTED

SYSTEMS = Path(__file__).parents[1] / "systems"
NUMBER = re.compile(r"(?<= )[1-9](?=$|[ ,:)])", re.MULTILINE)


@pytest.mark.long
@pytest.mark.parametrize("number", first_few(range(8), 2))
def test_pack_is_linked_with_the_codes_of_its_game(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FCB_CACHE", str(tmp_path / "cache"))
    packs = [pack for pack in starter_packs(tmp_path) if pack.name.endswith("-en")]
    monkeypatch.chdir([pack for pack in packs if pack.name.count("-") == 1][number])
    reading = read_changed(load_project(tests=False), no_test)
    assert reading.lowered is not None
    linked = linked_program(reading.model, reading.lowered, reading.changed)
    assert linked is not None
    assert linked[0].sealed() == lower(reading.model)
    assert len(linked[1]) > len(linked[0].codes) // 2
    assert {*linked[1]} <= {*range(len(linked[0].codes))}


@pytest.mark.parametrize("system", first_few(["lanterns", "fair"], 1))
def test_edited_game_is_linked_with_its_earlier_codes(
    system: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(SYSTEMS / system)
    files = parse_all(load_project(tests=False).sources, Problems())
    checker = Checker({}, (), ())
    checker.update(files)
    before = BothLowerings(checker.model).snapshot()
    first = lower(checker.model)
    same = linked_program(checker.model, before, ())
    assert same is not None
    assert same[0].sealed() == first
    assert any(not made.movable for made in before.made)
    assert len(same[1]) > 9 * len(first.codes) // 10
    compared = 0
    for at, file in enumerate(files):
        for place in list(NUMBER.finditer(file.source.text))[::9]:
            text = file.source.text
            digit = str(10 - int(place[0]))
            changed = text[: place.start()] + digit + text[place.end() :]
            again = Checker({}, (), ())
            again.restore(checker.snapshot())
            new, broken = parse(Source(file.source.name, changed))
            again.update([new if number == at else other for number, other in enumerate(files)])
            forms = again.read_since()
            if broken or forms is None or any(problem.severity == "error" for problem in again.problems()):
                continue
            linked = linked_program(again.model, before, forms)
            if linked is not None:
                assert linked[0].sealed() == lower(again.model), (file.source.name, place)
                compared += 1
    assert compared


@pytest.mark.parametrize(
    ("game", "old", "new", "same"),
    [
        ("isles", "other's seen +2", "other's seen +3", True),
        ("isles", "where self not in it", "where self in it", False),
        ("halls", "lock < 8", "lock < 7", False),
    ],
)
def test_offers_are_lowered_again_only_if_their_conditions_change(
    game: str, old: str, new: str, same: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(SYSTEMS / "boards")
    sources = load_project(tests=False, game=game).sources
    pieces = [read_pieces(source) for source in sources]
    checker = Checker({}, (), ())
    checker.update([file.file() for file in pieces])
    before = BothLowerings(checker.model).snapshot()
    again = Checker({}, (), ())
    again.restore(checker.snapshot())
    edited = [Source(source.name, source.text.replace(old, new, 1)) for source in sources]
    assert [source.text for source in sources] != [source.text for source in edited]
    now = [read_pieces(source, file.pieces) for source, file in zip(edited, pieces, strict=True)]
    again.update([file.file() for file in now])
    forms = again.read_since()
    assert forms is not None
    linked = linked_program(again.model, before, forms)
    assert linked is not None
    whole = lower(again.model)
    assert linked[0].sealed() == whole
    assert (whole.offers in linked[1]) is same
    both = BothLowerings(again.model, before, forms)
    assert (both.program.offers in both.restored) is same
    assert not program_difference(comparison_form(whole), comparison_form(both.program))


@pytest.mark.parametrize(
    ("old", "new"),
    [("wool > 3", "wool > 4"), ("wool < 9", "wool < 8"), ("wool > 7", "wool > 6"), ("answer yes", "answer no")],
)
def test_changed_rest_of_a_relation_is_not_linked(old: str, new: str) -> None:
    files = parse_all([Source("core.fcb", PRELUDE.read_text("utf-8")), Source("farm.fcb", RESTED)], Problems())
    checker = Checker({}, (), ())
    checker.update(files)
    before = BothLowerings(checker.model).snapshot()
    again = Checker({}, (), ())
    again.restore(checker.snapshot())
    changed, problems = parse(Source("farm.fcb", RESTED.replace(old, new)))
    assert not problems
    again.update([files[0], changed])
    forms = again.read_since()
    assert forms is not None
    linked = linked_program(again.model, before, forms)
    assert linked is not None
    assert linked[0].sealed() == lower(again.model)
