"""`fcb schema`, `fcb export` and `fcb import`."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from cli_runner import Shell
from games import shared
from jsonschema import Draft202012Validator
from page_runner import run_page

LANTERNS = Path(__file__).parents[1] / "systems" / "lanterns"

TABLE = """\
id,title,title fr,brawn,legs,light,gift,lines
swift,Swift,Martinet,1,5,2,"Says ""no"".",
crook,Crook,Escroc,2,2,1,,"when self shines:
  self's steps +1"
"""
SOURCE = """\
use lanterns

watchman swift "Swift":
  fr: "Martinet"
  brawn: 1
  legs: 5
  light: 2
  gift: "Says \\"no\\"."

watchman crook "Crook":
  fr: "Escroc"
  brawn: 2
  legs: 2
  light: 1
  when self shines:
    self's steps +1
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    folder = tmp_path / "lanterns"
    shutil.copytree(LANTERNS, folder)
    monkeypatch.setenv("FCB_CACHE", str(shared("cache")))
    return Shell(folder, monkeypatch, capsys)


def test_csv_becomes_source(project: Shell) -> None:
    (project.folder / "guard.csv").write_text(TABLE, encoding="utf-8")
    done = project.fcb("import", "guard.csv", "--kind", "watchman", "-o", "cards/guard.fcb")
    assert (done.code, done.out) == (0, "cards/guard.fcb: 2 definitions\n")
    assert (project.folder / "cards" / "guard.fcb").read_text(encoding="utf-8") == SOURCE
    assert project.fcb("check").code == project.fcb("fmt", "--check").code == 0
    again = project.fcb("import", "guard.csv", "--kind", "watchman", "-o", "cards/guard.fcb")
    assert (again.code, "--force" in again.err) == (2, True)
    assert project.fcb("import", "guard.csv", "--kind", "watchman", "-o", "cards/guard.fcb", "--force").code == 0


def test_export_can_be_imported_and_fits_schema(project: Shell) -> None:
    out = project.fcb("export", "beak", "--kind", "watchman").out
    (beak,) = json.loads(out)
    assert beak["fields"] == {"brawn": 3, "legs": 3, "light": 2}
    assert beak["title"] == {"en": "Sergeant Beak"}
    assert beak["lines"][0] == 'fr: "Le sergent Bec", m'  # a title with its gender is a line
    (sudden,) = json.loads(project.fcb("export", "brass-knuckles").out)
    assert sudden["fields"] == {"sudden": True}
    Draft202012Validator(json.loads(project.fcb("schema", "watchman").out)).validate(beak)
    (project.folder / "beak.json").write_text(out.replace('"id": "beak"', '"id": "bill"'), encoding="utf-8")
    done = project.fcb("import", "beak.json")
    assert (done.code, 'watchman bill "Sergeant Beak":' in done.out) == (0, True)
    (project.folder / "bill.yaml").write_text(
        "- kind: trick\n  id: bill\n  title: {en: Bill}\n  fields: {sudden: true}\n  lines: ['effect: stop']\n",
        encoding="utf-8",
    )
    assert "  sudden: yes\n  effect: stop\n" in project.fcb("import", "bill.yaml").out


@pytest.mark.parametrize(
    ("name", "text", "code", "says"),
    [
        ("a.json", '[{"kind": "watchman", "id": "x y", "title": {"en": "X"}}]', 1, "record 1 (x y): id: "),
        ("a.json", '[{"kind": "guard", "id": "x", "title": {"en": "X"}}]', 1, "record 1 (x): there is no kind 'guard'"),
        ("a.json", '[{"id": "x"}]', 1, "record 1 (x): it has no kind"),
        ("a.json", '[{"kind": "trick", "id": "x", "title": {"en": "X"}, "fields": {"sudden": 3}}]', 1, "fields.sudden"),
        ("a.json", '[{"kind": "trick", "id": "x", "title": {"en": "X"}, "lines": ["effect: ("]}]', 1, "FCB0208"),
        (
            "a.json",
            '[{"kind": "watchman", "id": "x", "title": {"en": "X"}}]',
            1,
            "brawn",
        ),  # the check reports that it exists
        ("a.json", '[{"kind": "watchman", "id": "beak", "title": {"en": "X"}}]', 1, "beak"),  # there is one
        (
            "a.yaml",
            "- &a {kind: trick, id: x, title: {en: X}}\n- {kind: trick, id: x, title: {en: Y}}\n",
            1,
            "record 1 has",
        ),
        ("a.json", "[1]", 2, "a list of objects"),
        ("a.json", "[]", 2, "the file contains no records"),
        ("a.json", "{", 2, "it is no JSON"),
        ("a.csv", "id\nx,y\n", 2, "row 1 has more cells"),
        ("a.yaml", "- &a {kind: trick}\n- *a\n", 2, "aliases"),
        ("a.yaml", "{", 2, "it is no YAML"),
        ("a.txt", "", 2, "must end in .json"),
    ],
)
def test_invalid_records_are_reported_and_nothing_is_written(
    project: Shell, name: str, text: str, code: int, says: str
) -> None:
    (project.folder / name).write_text(text, encoding="utf-8")
    done = project.fcb("import", name, "-o", "cards/new.fcb")
    assert (done.code, says in done.err) == (code, True), done.err
    assert not (project.folder / "cards" / "new.fcb").exists()


def test_unknown_kinds_and_names_are_reported(project: Shell) -> None:
    assert "trick\n" in project.fcb("schema").out
    assert "Did you mean trick?" in project.fcb("schema", "trik").err
    done = project.fcb("export", "beek")
    assert (done.code, "Did you mean" in done.err) == (2, True)


@pytest.mark.long
def test_page_works_as_written(shell: Shell) -> None:
    assert run_page(Path(__file__).parents[2] / "docs" / "exchange.md", shell) == 5
