"""Sources in an older version of the language are rewritten, with no other change."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from cli_runner import Shell
from pond_game import copy_pond

from fcbdsl.base.source import Source, Span
from fcbdsl.base.versions import FIRST_LANGUAGE, LANGUAGE
from fcbdsl.language.model.whole import Model
from fcbdsl.language.syntax.tree import File
from fcbdsl.project.project import load_project
from fcbdsl.tools.migration import Migration, TextEdit, Unclear, apply_edits, run


def places(file: File, words: str) -> Iterator[Span]:
    for match in re.finditer(words, file.source.text):
        yield Span(file.source, match.start(), match.end())


def rename(file: File, _: Model) -> Iterator[TextEdit | Unclear]:
    """Rename `Puddle` to `Pool`; a `Heron` needs a decision by a person."""
    for span in places(file, "Puddle"):
        yield TextEdit(span, "Pool")
    for span in places(file, "Heron"):
        yield Unclear(span, "herons come in two sorts")


def deepen(file: File, model: Model) -> Iterator[TextEdit]:
    """Run a migration that depends on the first one and on the model."""
    if ("trick", "puddle") in model.definitions:
        for span in places(file, "Pool(?! )"):
            yield TextEdit(Span(file.source, span.end, span.end), " of water")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    """Return a shell in a project in the first version of the language, which needs two migrations."""
    shell = Shell(copy_pond(tmp_path), monkeypatch, capsys)
    file = shell.folder / "fcb.toml"
    file.write_text(file.read_text().replace(f"language = {LANGUAGE}\n", ""))
    changes = (Migration("rename", 2, "a new name", rename), Migration("deepen", 2, "more words", deepen))
    monkeypatch.setattr(run, "MIGRATIONS", changes)
    return shell


def cards(shell: Shell) -> bytes:
    return (shell.folder / "cards" / "pond.fcb").read_bytes()


def test_migrate_applies_changes_in_order_and_sets_version(project: Shell) -> None:
    before = cards(project)
    done = project.fcb("migrate")
    assert (done.code, done.err) == (0, "")
    assert cards(project) == before.replace(b"Puddle", b"Pool of water")
    assert '-trick puddle "Puddle":\n+trick puddle "Pool of water":\n' in done.out
    assert "cards/pond.fcb" in done.out
    assert f"fcb.toml: language = {LANGUAGE}\n" in done.out
    assert done.out.endswith("2 places in 1 file changed.\n")
    assert (project.folder / "fcb.toml").read_text().startswith(f'language = {LANGUAGE}\nname = "pond"\n')
    assert project.fcb("check").out == "No problems.\n"


def test_migrated_source_is_not_changed_again(project: Shell) -> None:
    project.fcb("migrate")
    before = cards(project), (project.folder / "fcb.toml").read_bytes()
    again = project.fcb("migrate")
    assert (again.code, again.out) == (
        0,
        f"Nothing to change in the sources, from language {LANGUAGE} to {LANGUAGE}.\n",
    )
    assert project.fcb("migrate", "--from", "1").out.startswith("Nothing to change")
    assert (cards(project), (project.folder / "fcb.toml").read_bytes()) == before


def test_migrate_check_writes_nothing(project: Shell) -> None:
    before = cards(project), (project.folder / "fcb.toml").read_bytes()
    done = project.fcb("migrate", "--check")
    assert done.code == 1
    assert "2 places in 1 file would be changed." in done.out
    assert (cards(project), (project.folder / "fcb.toml").read_bytes()) == before
    project.fcb("migrate")
    assert project.fcb("migrate", "--check").code == 0


@pytest.mark.parametrize("paths", [["cards"], ["cards/pond.fcb"]])
def test_partial_migration_keeps_project_version(project: Shell, paths: list[str]) -> None:
    assert project.fcb("migrate", *paths).code == 0
    assert b"Pool of water" in cards(project)
    assert "language" not in (project.folder / "fcb.toml").read_text().replace("languages", "")


def test_unnamed_files_stay(project: Shell) -> None:
    before = cards(project)
    assert project.fcb("migrate", "tests").code == 0
    assert cards(project) == before


def test_change_for_a_person_is_shown_and_keeps_the_version(project: Shell) -> None:
    (project.folder / "cards" / "more.fcb").write_text('use pond\nfrog heron "Heron":\n  fr: "Héron"\n')
    done = project.fcb("migrate")
    assert done.code == 1
    assert "FCB0808" in done.out
    assert "cards/more.fcb:2:" in done.out
    assert "herons come in two sorts" in done.out
    assert b"Pool of water" in cards(project)
    assert not (project.folder / "fcb.toml").read_text().startswith("language =")


def test_errors_keep_version(project: Shell) -> None:
    (project.folder / "cards" / "more.fcb").write_text('use pond\nfrgo heron "Puddle":\n  fr: "Flaque"\n')
    done = project.fcb("migrate")
    assert done.code == 1
    assert "FCB0301" in done.out
    assert "may still need a migration" in done.err
    assert not (project.folder / "fcb.toml").read_text().startswith("language =")


@pytest.mark.parametrize("end", [b"\r\n", b"\r"])
def test_migrate_keeps_line_endings_marks_and_comments(project: Shell, end: bytes) -> None:
    path = project.folder / "cards" / "pond.fcb"
    before = b"\xef\xbb\xbf" + cards(project).replace(b"\n", end) + b"# the end, without a line end"
    path.write_bytes(before)
    assert project.fcb("migrate").code == 0
    assert cards(project) == before.replace(b"Puddle", b"Pool of water")


def test_each_line_keeps_its_ending(project: Shell) -> None:
    path = project.folder / "cards" / "pond.fcb"
    before = cards(project).replace(b"\n", b"\r\n", 5)
    path.write_bytes(before)
    assert project.fcb("migrate").code == 0
    assert cards(project) == before.replace(b"Puddle", b"Pool of water")


def test_shipped_systems_are_not_migrated(project: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    def touch(file: File, _: Model) -> Iterator[TextEdit]:
        yield TextEdit(Span(file.source, 0, 0), "# touched\n")

    monkeypatch.chdir(project.folder)
    outcome = run.migrate(load_project(), [Migration("touch", 2, "", touch)], [project.folder])
    assert [file.path.as_posix() for file in outcome.files] == ["systems/pond.fcb", "cards/pond.fcb", "tests/pond.fcb"]


def test_loose_files_need_version_option(project: Shell) -> None:
    (project.folder / "fcb.toml").unlink()
    assert project.fcb("migrate").code == 2
    assert project.fcb("migrate", "--from", "1").code == 0
    assert b"Pool of water" in cards(project)
    assert not (project.folder / "fcb.toml").exists()


def test_unreadable_file_is_reported(project: Shell) -> None:
    (project.folder / "cards" / "more.fcb").write_bytes(b"\xff\xfe\x00")
    before = cards(project)
    done = project.fcb("migrate")
    assert done.code == 1
    assert "nothing was migrated" in done.err
    assert cards(project) == before


def test_failed_migration_writes_nothing(project: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    def spoil(file: File, _: Model) -> Iterator[TextEdit]:
        for span in places(file, "trick puddle"):
            yield TextEdit(span, "trick (puddle")

    monkeypatch.setattr(run, "MIGRATIONS", (Migration("spoil", 2, "", spoil),))
    before = cards(project)
    done = project.fcb("migrate")
    assert done.code == 2
    assert "internal error" in done.err
    assert cards(project) == before


def test_overlapping_edits_are_refused() -> None:
    source = Source("a", "abcdef")
    first, second = TextEdit(Span(source, 0, 3), "x"), TextEdit(Span(source, 2, 4), "y")
    with pytest.raises(ValueError, match="overlap"):
        apply_edits(source.text, [second, first])
    assert apply_edits(source.text, [TextEdit(Span(source, 4, 4), "!"), first]) == "xd!ef"


# ── the version in the project file ────────────────────────────────────────────────────────────


def test_project_without_a_version_is_reported(project: Shell) -> None:
    done = project.fcb("check")
    assert done.code == 0
    assert "FCB0805" in done.out
    assert f"language = {LANGUAGE}" in done.out
    assert project.fcb("check", "--strict").code == 1


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("version", "code"),
    [(str(FIRST_LANGUAGE), "FCB0806"), ("99", "FCB0807"), ("0", "FCB0803"), ("true", "FCB0803"), ('"2"', "FCB0803")],
)
def test_other_version_is_refused_with_help(project: Shell, version: str, code: str) -> None:
    file = project.folder / "fcb.toml"
    file.write_text(f"language = {version}  # ours\n{file.read_text()}")
    for arguments in (["check"], ["compile", "-o", "a.fcbc"], ["play", "crossing", "--bot", "first"]):
        done = project.fcb(*arguments)
        assert done.code == 1, arguments
        assert code in done.out
    assert ("fcb migrate" in project.fcb("check").out) == (code == "FCB0806")


def test_version_is_replaced_in_place(project: Shell) -> None:
    file = project.folder / "fcb.toml"
    text = file.read_text()
    file.write_bytes(f"# Ours.\r\n{text}language = 1 # old\r\n[variants]\r\nwind = 'gusty'\r\n".encode())
    before = file.read_bytes()
    assert project.fcb("migrate").code == 0
    assert file.read_bytes() == before.replace(b"language = 1 # old", f"language = {LANGUAGE} # old".encode())


CASES = Path(__file__).parents[1] / "cases" / "migration"
CHANGES = (Path(__file__).parents[2] / "docs" / "changes.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("migration", run.MIGRATIONS, ids=lambda migration: migration.name)
def test_every_migration_has_case_and_documentation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, migration: Migration
) -> None:
    before, after = (CASES / f"{migration.name}.{when}.fcb" for when in ("before", "after"))
    monkeypatch.chdir(tmp_path)
    shutil.copy(before, tmp_path / "case.fcb")
    made = run.migrate(load_project(), [migration], [tmp_path])
    assert [file.text for file in made.files] == [after.read_text(encoding="utf-8")]
    assert made.errors == ()
    made.files[0].write()
    assert run.migrate(load_project(), [migration], [tmp_path]).files == ()
    assert f"`{migration.name}`" in CHANGES


def test_every_migration_leads_to_existing_version() -> None:
    for migration in run.MIGRATIONS:
        assert FIRST_LANGUAGE < migration.since <= LANGUAGE
        assert migration.says
