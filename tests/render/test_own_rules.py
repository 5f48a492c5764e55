"""What a game of one's own prints of its goal, its set-up, its rounds and its actions."""

from __future__ import annotations

from pathlib import Path

import pytest

from fcbdsl.diagnostics.print import Unexplained
from fcbdsl.project import load, model_of
from fcbdsl.prose import Paragraph
from fcbdsl.render.aids import reference_of

SYSTEM = """
system toy "Toy":
  players: 1..2
  board: square
  languages: en, fr

kind moth is piece:
  name: "moth", plural "moths"
  fr: "papillon", m, plural "papillons"
  played: one each
  stat light: number 0..
    name: "light", plural "lights"
    fr: "lumière", f, plural "lumières"

verb glow:
  takes: who (moth)
  effect: who's light +1
{verb}
flow:
  repeat: play a round

verb play a round:
  effect:
    for each moth:
      glow moth
      offer moth, until done

action shine "Shine":
  fr: "Luire"
  by: moth
  form: shines
  effect:
    {effect}
    if light >= 3: win "All is bright.", fr "Tout est clair."
"""


def plain(text: tuple[Paragraph, ...]) -> str:
    """Paragraphs as one line with plain spaces."""
    return " ".join(one.plain() for one in text).replace("\u00a0", " ")


def told(
    tmp_path: Path, language: str, effect: str = "light +1", verb: str = ""
) -> tuple[dict[str, list[str]], list[str]]:
    """The blocks of the reference as plain words, and the names of what it does not explain."""
    (tmp_path / "systems").mkdir()
    (tmp_path / "fcb.toml").write_text(
        'language = 2\nname = "toy"\ntitle = "Toy"\nlanguages = ["en", "fr"]\npaths = ["cards"]\n'
    )
    (tmp_path / "cards").mkdir()
    (tmp_path / "cards" / "a.fcb").write_text('use toy\n\nmoth luna "Luna":\n  fr: "Luna"\n')
    (tmp_path / "systems" / "toy.fcb").write_text(SYSTEM.lstrip().format(effect=effect, verb=verb))
    model, found = model_of(load(root=tmp_path))
    assert not [one for one in found if one.severity == "error"]
    aid, problems = reference_of(model, language)
    blocks = {one.title: [plain(entry.text) for entry in one.entries] for one in aid.blocks}
    return blocks, [str(one.arguments["name"]) for one in problems if isinstance(one, Unexplained)]


@pytest.mark.parametrize(
    ("language", "goal", "act", "ends", "does"),
    [
        ("en", "How it ends", "Actions", "If you have at least 3 lights, you win. All is bright.", "Gain 1 light."),
        (
            "fr",
            "Fin de la partie",
            "Actions",
            "Si vous avez au moins 3 lumières, vous gagnez. Tout est clair.",
            "Gagnez 1 lumière.",
        ),
    ],
)
def test_reference_prints_goal_and_actions(
    tmp_path: Path, language: str, goal: str, act: str, ends: str, does: str
) -> None:
    blocks, lacking = told(tmp_path, language)
    assert blocks[goal][0] == ends
    assert blocks[act][0].startswith(does)
    assert not lacking


def test_reference_prints_a_round_with_nameless_verbs_written_out(tmp_path: Path) -> None:
    blocks, _ = told(tmp_path, "en")
    assert blocks["Course of play"] == ["For each moth, that moth gains 1 light, then that moth may act."]


def test_half_an_action_is_reported_and_not_printed(tmp_path: Path) -> None:
    verb = "\nverb hush:\n  takes: who (moth)\n  effect:\n    if who's light = 0: stop\n    who's light -1\n"
    blocks, lacking = told(tmp_path, "en", "hush self", verb)
    assert blocks["Actions"] == [""]
    assert lacking == ["shine"]
