"""Unexplained rules of a pack are reported only if the pack has rules."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_runner import Shell
from games import shared_cache

from fcbdsl.print.pieces import aids
from fcbdsl.project.project import cached_model, load_project


def test_reference_is_built_only_for_changed_rules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shell = Shell(tmp_path, monkeypatch, capsys)
    assert shell.fcb("new", "pack", "--game", "beast", "--template", "mission").code == 0
    made: list[str] = []
    real = aids.reference_of
    monkeypatch.setattr(aids, "reference_of", lambda model, language: (made.append(language), real(model, language))[1])
    with shared_cache():
        model, _ = cached_model(load_project(root=tmp_path / "pack", tests=False))
        assert aids.check_reference(model) == []
        assert made == []
        mission = next((tmp_path / "pack" / "missions").glob("*.fcb"))
        own = '\nrule wet-feet "Wet feet":\n  reminder: "Everybody is wet."\n'
        mission.write_text(mission.read_text(encoding="utf-8") + own, encoding="utf-8")
        model, _ = cached_model(load_project(root=tmp_path / "pack", tests=False))
        aids.check_reference(model)
        assert made == ["en"]
