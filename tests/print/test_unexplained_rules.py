"""Unexplained rules of a pack are reported only if the pack has rules."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_runner import Shell
from games import shared_cache

from fcbdsl.language.model.whole import Model
from fcbdsl.print.pieces import aids
from fcbdsl.print.pieces.model_facts import ModelFacts
from fcbdsl.project.project import cached_model, load_project


def test_reference_is_built_only_for_changed_rules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shell = Shell(tmp_path, monkeypatch, capsys)
    assert shell.fcb("new", "pack", "--game", "beast", "--template", "mission").code == 0
    made: list[str] = []
    real = aids.reference_of

    def reference_of(model: Model, language: str, facts: ModelFacts) -> object:
        made.append(language)
        return real(model, language, facts=facts)

    monkeypatch.setattr(aids, "reference_of", reference_of)
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
