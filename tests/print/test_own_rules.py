"""What a game of one's own prints of its goal, its set-up, its rounds and its actions."""

from __future__ import annotations

from pathlib import Path

import pytest
from games import GAMES, ROOT

from fcbdsl.base.diagnostics.print import Unexplained
from fcbdsl.language.prose import Paragraph
from fcbdsl.print.pieces.aids import reference_of, unexplained
from fcbdsl.project.analysis.wording import wording_problems
from fcbdsl.project.project import load, model_of

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
    tmp_path: Path, language: str, effect: str = "light +1", verb: str = "", system: str = SYSTEM
) -> tuple[dict[str, list[str]], list[str]]:
    """The blocks of the reference as plain words, and the names of what it does not explain."""
    (tmp_path / "systems").mkdir()
    (tmp_path / "fcb.toml").write_text(
        'language = 2\nname = "toy"\ntitle = "Toy"\nlanguages = ["en", "fr"]\npaths = ["cards"]\n'
    )
    (tmp_path / "cards").mkdir()
    (tmp_path / "cards" / "a.fcb").write_text('use toy\n\nmoth luna "Luna":\n  fr: "Luna"\n')
    (tmp_path / "systems" / "toy.fcb").write_text(system.lstrip().format(effect=effect, verb=verb))
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


def checked(tmp_path: Path, effect: str, verb: str = "", rest: str = "") -> list[Unexplained]:
    """What the check reports of rules that are not explained."""
    told(tmp_path, "en", effect, verb + rest)
    loader = load(root=tmp_path)
    problems = [wording_problems(loader, model_of(loader)[0], []) for _ in range(2)]
    assert problems[0] == problems[1] or [str(one) for one in problems[0]] == [str(one) for one in problems[1]]
    return [one for one in problems[1] if isinstance(one, Unexplained)]


HUSH = "\nverb hush:\n  takes: who (moth)\n  effect:\n    if who's light = 0: stop\n    who's light -1\n"


def test_check_reports_an_action_that_is_not_explained_once(tmp_path: Path) -> None:
    (one,) = checked(tmp_path, "hush self", HUSH)
    assert (one.arguments["name"], one.notes) == ("shine", ("the same in fr",))
    assert one.span.source.text[one.span.start : one.span.end] == "shine"


def test_check_reports_nothing_of_rules_that_are_explained(tmp_path: Path) -> None:
    assert checked(tmp_path, "light +1") == []


RULE = """
rule dark "Night":
  fr: "Nuit"
  whenever no moth: lose "All is dark.", fr "Tout est noir."
"""


def test_goal_contains_the_ends_of_rules(tmp_path: Path) -> None:
    blocks, lacking = told(tmp_path, "en", verb=RULE)
    assert blocks["How it ends"][1] == "Whenever there is no moth: you lose. All is dark."
    assert not lacking


MISSIONS = """
mission porch "Porch":
  fr: "Porche"
  map square:
    art: |
      +--+
      |. |
      +--+
  countdown dawn "Dawn":
    fr: "Aube"
    length: 3
    at end: lose "Morning.", fr "Le matin."
"""


def test_goal_contains_the_ends_that_all_missions_have(tmp_path: Path) -> None:
    blocks, _ = told(tmp_path, "en")
    assert not [one for one in blocks["How it ends"] if "Morning" in one]
    (tmp_path / "cards" / "b.fcb").write_text("use toy\n" + MISSIONS)
    made, _ = model_of(load(root=tmp_path))
    aid, _ = reference_of(made, "en")
    (goal,) = [one for one in aid.blocks if one.title == "How it ends"]
    assert [plain(entry.text) for entry in goal.entries if entry.title == "Dawn"] == ["End. You lose. Morning."]
    (tmp_path / "cards" / "c.fcb").write_text("use toy\n" + MISSIONS.replace("porch", "lane").split("  countdown")[0])
    made, _ = model_of(load(root=tmp_path))
    aid, _ = reference_of(made, "en")
    (goal,) = [one for one in aid.blocks if one.title == "How it ends"]
    assert plain(goal.entries[-1].text) == "The sheet of the mission may say more."


STEPS = """
flow:
  repeat:
    fly
    rest

verb fly "Flight":
  fr: "Vol"
  reminder en: "Each moth flies."
  reminder fr: "Chaque papillon vole."
  effect: for each moth: offer moth, until done

verb rest "Rest":
  fr: "Repos"
  effect: if number of moth > 3: lose "Too many.", fr "Trop nombreux."
"""


def test_goal_contains_the_ends_of_titled_steps_without_reminder(tmp_path: Path) -> None:
    start, end = SYSTEM.index("flow:"), SYSTEM.index("action shine")
    blocks, _ = told(tmp_path, "en", system=f"{SYSTEM[:start]}{STEPS}\n{SYSTEM[end:]}")
    assert "If there are at least 4 moths, you lose. Too many." in blocks["How it ends"]
    assert "If you have at least 3 lights, you win. All is bright." in blocks["How it ends"]


PROCEDURES = """
verb dim "Dimming":
  fr: "Baisse"
  takes: who (moth)
  text en: "dim {{who}}"
  text fr: "baissez la lumière de {{who}}"
  effect: who's light -1

keyword Flare "Flare":
  fr: "Éclat"
  takes: amount (number)
  text en: "*Flare {{amount}}*"
  text fr: "*Éclat {{amount}}*"
  effect: for each moth: moth's light +2
"""


def test_procedure_and_keyword_without_reminder_print_what_they_do(tmp_path: Path) -> None:
    blocks, lacking = told(tmp_path, "en", effect="dim self", verb=PROCEDURES)
    assert blocks["Procedures"] == ["That moth loses 1 light."]
    assert blocks["Keywords"] == ["Each moth gains 2 lights."]
    assert not lacking


@pytest.mark.parametrize("game", GAMES)
def test_shipped_games_explain_all_their_rules(game: str) -> None:
    assert unexplained(model_of(load(root=ROOT, game=game))[0]) == []
