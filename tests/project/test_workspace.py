"""An open project: unsaved texts, problems after each edit, and the nodes at a place."""

from __future__ import annotations

import shutil
from pathlib import Path
from random import Random

import pytest
from random_edits import edited, words_of

from fcbdsl.base.diagnostics.report import to_records
from fcbdsl.language.model import ir
from fcbdsl.language.model.content import Definition
from fcbdsl.machine.vm import fcbc
from fcbdsl.project.project import check_project
from fcbdsl.project.workspace import Workspace

LANTERNS = Path(__file__).parents[1] / "systems" / "lanterns"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(LANTERNS, tmp_path / "lanterns")
    monkeypatch.chdir(tmp_path / "lanterns")
    return tmp_path / "lanterns"


def test_problems_follow_typed_text(folder: Path) -> None:
    space = Workspace()
    name = "cards/tricks.fcb"
    assert space.problems() == []
    right = space.text(name)
    space.change(name, right.replace("effect:", "efect:", 1))
    assert [(problem.code, problem.span.source.name) for problem in space.problems(name)] == [("FCB0308", name)]
    assert space.problems("cards/figures.fcb") == []
    assert space.reread <= 2
    space.change(name, right)
    assert space.problems() == []


def test_closed_document_uses_saved_text(folder: Path) -> None:
    space = Workspace()
    space.change("cards/tricks.fcb", "nonsense\n")
    assert space.problems("cards/tricks.fcb")
    space.change("cards/tricks.fcb", None)
    assert space.problems() == []
    (folder / "cards" / "tricks.fcb").write_text("nonsense\n")
    space.refresh()
    assert space.problems("cards/tricks.fcb")


def test_added_and_removed_files_are_noticed(folder: Path) -> None:
    space = Workspace()
    shutil.copy(folder / "cards" / "figures.fcb", folder / "cards" / "more.fcb")
    space.refresh()
    assert {problem.code for problem in space.problems()} == {"FCB0302"}
    (folder / "cards" / "more.fcb").unlink()
    space.refresh()
    assert space.problems() == []


def test_use_lines_can_change_while_typing(folder: Path) -> None:
    space = Workspace()
    space.change("cards/tricks.fcb", "use nowhere\n" + space.text("cards/tricks.fcb"))
    assert [problem.code for problem in space.problems("cards/tricks.fcb")] == ["FCB0304"]


def test_changed_project_file_is_read_again(folder: Path) -> None:
    settings = folder / "fcb.toml"
    right = settings.read_text()
    settings.write_text(right + 'nonsense = "x"\n')
    space = Workspace()
    wrong = [problem.code for problem in space.problems()]
    assert wrong != []
    space.refresh()
    assert [problem.code for problem in space.problems()] == wrong
    settings.write_text(right)
    space.refresh()
    assert space.problems() == []


def test_suggestions_remain_after_a_hundred_mistakes(folder: Path) -> None:
    space = Workspace()
    name = "cards/tricks.fcb"
    right = space.text(name)
    wrong = right.replace("Shove foe", "Jostle foe")
    space.change(name, wrong)
    first = [problem.advice for problem in space.problems(name)]
    assert first
    for _ in range(60):
        space.change(name, right)
        space.change(name, wrong)
    assert [problem.advice for problem in space.problems(name)] == first


def test_tree_at_place_is_found(folder: Path) -> None:
    space = Workspace()
    name = "cards/tricks.fcb"
    lines = space.text(name).split("\n")
    number = next(at for at, line in enumerate(lines, 1) if line.strip().startswith("effect:"))
    column = lines[number - 1].index("effect:") + len("effect: ") + 1
    node_at = space.at(name, number, column)
    assert any(isinstance(node, ir.Do | ir.Assign | ir.If | ir.ForEach | ir.Choose | ir.Announce) for node in node_at)
    widths = [node.span.end - node.span.start for node in node_at]  # type: ignore[attr-defined]
    assert widths[0] == min(widths)
    assert space.at(name, 100_000, 1) == []


def test_only_project_without_errors_is_compiled(folder: Path) -> None:
    space = Workspace()
    before = fcbc.dump(space.program())
    text = space.text("cards/tricks.fcb")
    space.change("cards/tricks.fcb", "# a remark\n\n" + text)
    space.change("cards/tricks.fcb", text)
    assert fcbc.dump(space.program()) == before
    space.change("cards/tricks.fcb", "nonsense\n")
    with pytest.raises(ValueError, match="errors"):
        space.program()


@pytest.mark.long
@pytest.mark.parametrize("seed", range(4))
def test_workspace_equals_fresh_check(folder: Path, seed: int) -> None:
    random = Random(seed)
    space = Workspace()
    own = [name for name in space.files if not Path(name).is_absolute()]  # none of what is shipped
    words = [word for name in own for word in words_of(space.text(name))]
    for _ in range(4):
        name = random.choice(own)
        text = edited(space.text(name), random, words, [])
        (folder / name).write_text(text)
        space.refresh()
        _, reported = check_project()
        assert to_records(space.problems()) == to_records(reported)


# ── facts about a declaration ──────────────────────────────────────────────────────────────────


def line_of(space: Workspace, name: str, start: str) -> int:
    """Return the line of a file that begins with a text."""
    return next(at for at, line in enumerate(space.text(name).split("\n"), 1) if line.startswith(start))


def test_declaration_at_line_is_found(folder: Path) -> None:
    space = Workspace()
    name = "cards/tricks.fcb"
    first = line_of(space, name, "trick oil-flask")
    for line in (first, first + 3):
        declared = space.declared(name, line)
        assert isinstance(declared, Definition)
        assert declared.id == "oil-flask"
    assert space.declared(name, 1) is None  # `use lanterns`
    assert space.declared(name, 100_000) is None


def test_rules_text_follows_typed_text(folder: Path) -> None:
    space = Workspace()
    name = "cards/tricks.fcb"
    line = line_of(space, name, "trick quick-feet")

    def text_in(language: str) -> str:
        declared = space.declared(name, line)
        assert declared is not None
        return "\n".join(paragraph.plain() for paragraph in space.rules_text(declared, language).paragraphs)

    before = text_in("en"), text_in("fr")
    assert before[0] != before[1]
    assert "2" in before[0]
    assert "2" in before[1]
    space.change(name, space.text(name).replace("active's steps +2", "active's steps +3"))
    assert (text_in("en"), text_in("fr")) == tuple(text.replace("2", "3") for text in before)
    with pytest.raises(KeyError):
        text_in("xx")


@pytest.mark.long
def test_tests_of_declaration_are_found(folder: Path) -> None:
    space = Workspace()
    name, proofs = "systems/lanterns/actions.fcb", "tests/play.fcb"
    line = line_of(space, name, "verb daze both")

    def reaching() -> list[str]:
        declared = space.declared(name, line)
        assert declared is not None
        return [test.title for test in space.tests_of(declared)]

    assert reaching() == ["A tie dazes both"]
    text = space.text(proofs)
    block = "test" + next(each for each in text.split("\ntest") if each.startswith(' "A tie dazes both"'))
    space.change(proofs, text + "\n" + block.replace("A tie", "Another tie"))
    assert reaching() == ["A tie dazes both", "Another tie dazes both"]
    test = space.declared(proofs, line_of(space, proofs, 'test "A tie'))
    assert test is not None
    assert [case.title for case in space.tests_of(test)] == ["A tie dazes both"]
    # another game: cached results of its tests do not count
    space.change(name, space.text(name).replace("daze both", "stagger both"))
    space.change(proofs, text)
    assert reaching() == ["A tie dazes both"]
