"""After an edit, an open project is lowered to the program that a full lowering gives."""

from __future__ import annotations

import shutil
from pathlib import Path
from random import Random

import pytest
from random_edits import edited, words_of

from fcbdsl.language.compiler import lower
from fcbdsl.project.workspace import Workspace

SYSTEMS = Path(__file__).parents[1] / "systems"


def opened(name: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    shutil.copytree(SYSTEMS / name, folder / name)
    monkeypatch.chdir(folder / name)
    return Workspace()


def sound(space: Workspace) -> bool:
    return all(problem.severity != "error" for problem in space.problems())


@pytest.mark.parametrize(("tests", "edits"), [(False, 12), pytest.param(True, 60, marks=pytest.mark.long)])
def test_incremental_lowering_equals_whole_lowering(
    tests: bool, edits: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    space = opened("lanterns", tmp_path, monkeypatch)
    random = Random(7)
    names = [name for name in space.files if not name.endswith("core.fcb")]
    before: dict[str, list[str]] = {name: [space.text(name)] for name in names}
    words = words_of("".join(space.text(name) for name in names))
    followed = compared = 0
    for _ in range(edits):
        name = random.choice(names)
        old = space.text(name)
        space.change(name, edited(old, random, words, before[name]))
        if not sound(space):
            space.change(name, old)
            assert sound(space)
        before[name].append(space.text(name))
        assert space.program(tests).hash == lower(space.model, tests).hash
        compared += 1
        followed += not space.is_lowered_whole(tests)
    assert compared == edits
    assert followed > edits // 4


def test_changed_number_lowers_only_its_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    space = opened("lanterns", tmp_path, monkeypatch)
    name = "cards/tricks.fcb"
    first = space.program().hash
    assert space.is_lowered_whole(False)
    text = space.text(name)
    higher = text.replace("steps +2", "steps +3", 1)
    assert higher != text
    space.change(name, higher)
    assert sound(space)
    assert space.program().hash == lower(space.model).hash
    assert not space.is_lowered_whole(False)
    space.change(name, text)
    assert space.program().hash == first
