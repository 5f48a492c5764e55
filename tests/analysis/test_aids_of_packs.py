"""A pack prints and measures the aids of its game only if it changes them."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_runner import Shell
from games import shared_cache

from fcbdsl.print.press import table_sheets
from fcbdsl.print.typeset import typesetting
from fcbdsl.print.typeset.typesetting import Typeset
from fcbdsl.project.analysis.lent_aids import unchanged_aids
from fcbdsl.project.project import cached_model, load_project

GAME = "beast"
AIDS = {("en", "aid"), ("en", "reference")}
"""The aids that no mission of this game changes."""
OWN_RULE = """
rule wet-feet "Wet feet":
  reminder: "Everybody is wet."
"""


@pytest.fixture
def pack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    """Return a shell in a new pack for a shipped game."""
    shell = Shell(tmp_path, monkeypatch, capsys)
    assert shell.fcb("new", "pack", "--game", GAME, "--template", "mission").code == 0
    shell.folder = tmp_path / "pack"
    return shell


def unchanged(pack: Shell) -> set[tuple[str, str]]:
    with shared_cache():
        loader = load_project(root=pack.folder, tests=False)
        model, problems = cached_model(loader)
        assert [problem for problem in problems if problem.severity == "error"] == []
        return set(unchanged_aids(loader, model, ["en"]))


@pytest.mark.long
def test_mission_pack_does_not_change_aids_of_its_game(pack: Shell) -> None:
    assert unchanged(pack) >= AIDS


def test_pack_title_does_not_change_aids(pack: Shell) -> None:
    settings = pack.folder / "fcb.toml"
    settings.write_text(settings.read_text(encoding="utf-8").replace('"Pack"', '"Another"'), encoding="utf-8")
    assert unchanged(pack) >= AIDS


def test_rule_of_pack_changes_aids(pack: Shell) -> None:
    mission = next((pack.folder / "missions").glob("*.fcb"))
    mission.write_text(mission.read_text(encoding="utf-8") + OWN_RULE, encoding="utf-8")
    assert unchanged(pack).isdisjoint(AIDS)


def test_game_prints_its_own_aids() -> None:
    with shared_cache():
        loader = load_project(root=Path(__file__).parents[1] / "systems" / "pond", tests=False)
        assert unchanged_aids(loader, cached_model(loader)[0], ["en"]) == frozenset()


@pytest.fixture
def typeset(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list of the templates that are typeset or measured; their pages are empty."""
    made: list[str] = []

    def noted(template: str, values: object, form: str = "", *more: object, **other: object) -> Typeset:
        made.append(template)
        return Typeset((b"%PDF-1.7",) if form else (), ())

    for module in (typesetting, table_sheets):
        monkeypatch.setattr(module, "measure_document", noted)
        monkeypatch.setattr(module, "typeset", noted)
    monkeypatch.setattr("fcbdsl.print.press.proofs.measure_document", noted)
    monkeypatch.setattr("fcbdsl.print.press.press.typeset", noted)
    monkeypatch.setattr("fcbdsl.print.press.card_documents.typeset_parts", noted)
    monkeypatch.setattr("fcbdsl.print.press.card_documents.measure_parts", noted)
    return made


@pytest.mark.long
def test_pack_prints_unchanged_aids_only_on_request(pack: Shell, typeset: list[str]) -> None:
    with shared_cache():
        done = pack.fcb("render", "-o", "print")
        assert done.code == 0
        assert "Not printed, as they are those of the game: player aid, rules reference" in done.err
        assert "aid.typ.j2" not in typeset
        done = pack.fcb("render", "--aids", "-o", "print")
        assert done.code == 0
        assert "Not printed" not in done.err
        assert {"print/aid.pdf", "print/reference.pdf", "print/tokens.pdf"} <= set(done.out.splitlines())


@pytest.mark.long
def test_pack_measures_only_its_own_pieces(pack: Shell, typeset: list[str]) -> None:
    with shared_cache():
        assert pack.fcb("check", "--fit").code == 0
    assert "sheet.typ.j2" in typeset
    assert "aid.typ.j2" not in typeset
