"""Every number of a source may be the largest one: the game is checked, compiled, played and printed, or reported."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fcbdsl.base import bounds
from fcbdsl.machine.vm import setup
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.verify.verifier import verify_program
from fcbdsl.play.bots.bots import RandomBot
from fcbdsl.print.press.press import render
from fcbdsl.project.analysis import Analysis, analysis_of
from fcbdsl.project.project import load_project

MOST_DECISIONS = 30
"""Most decisions of a game that are answered."""

SYSTEM = """\
system mini "Mini":
  players: <1>..<2>
  board: square
  languages: en
mark start "start", entry
terrain bog "bog":
  cost: <2>
token gem "gem":
  limit: <3>
status Wet "wet":
  on: hen
  limit: <2>
die pip "die":
  faces: one <1>, two <2>
  one: "one"
  two: "two"
die odd "odd die":
  faces: <1>..<3>
enum mood: calm, wild
  calm "calm"
  wild "wild"
kind egg is card:
  name: "egg", plural "eggs"
  held by: hen
  limit: once per dusk per player
  field worth "worth": number <0>..<9>, default <1>
  part crack: harm, far; many
    field harm "harm": number <0>..<9>
    field far "far": number, default <2>
kind hen is piece:
  name: "hen", plural "hens"
  field speed "speed": number <0>..<5>, default <2>
  stat corn "corn": number <0>..<9>, starts <3>
  zone nest "nest" of egg: limit <4>
kind memo is record:
  copies: <2>
  stat note: number <0>..<9>
kind player:
  field hand-limit "hand limit": number, default <5>
  stat grain "grain": number <0>..<9>, starts <9>
kind game:
  stat pace "pace": number <0>..<9>, starts <1>
zone basket "basket" of egg: secret, ordered
event dusk:
  form: dusk falls
  text en: "dusk falls"
relation near:
  takes: a (hen), far (number <0>..<9>, default <2>)
  is: a's corn > far
  text en: "near"
verb feed "Feed":
  takes: who (hen), by amount (number <0>..<9>, default <1>)
  effect: who's corn becomes who's corn + amount * <2> - <1>
  text en: "feed {who} by {amount}"
action peck "Peck":
  by: player
  costs: <1> grain
  reminder en: "Eat."
  effect:
    choose who: hen, up to <2>
    for each one in who:
      feed one by <2>
      repeat <2> times: pace +<1>
      roll <2> pip:
        one: one's corn +<1>
        two: one's corn -<1>
      if one's corn > <3> and any hen within <2> of one: one's corn -<1>
      until dusk: one has +<1> speed
    let chosen = <7>
    if chosen = <7>: require grain >= <0>
action hike "Hike":
  by: player
  reminder en: "Walk."
  effect:
    choose who: hen
    choose spot: reachable who with <3> surcharge <1>
    let way = cost of who to spot surcharge <1>
    let pace-there = step cost of who to spot surcharge <1>
    choose near: strides who with <3> surcharge <1>
    choose first: steps toward (space marked start) for who surcharge <1> stride <2>
    let rest = remainder of <7> by <3>
    let guest = player after player 1 by <1>
    if way + pace-there + rest > <2>: guest's grain +<1>
    place who on near
    place who on first
    lower noise <1>
setup:
  fill basket with egg
flow:
  for each hen:
    choose spot: space marked start, by player 1
    place hen on spot
  repeat <2> times:
    offer player 1
    announce dusk
    advance night <1>
    raise noise <1>
"""
CONTENT = """\
use mini
hen ada "Ada":
  copies: <1>
  speed: <3>
egg white "White egg":
  copies: <3>
  worth: <4>
  crack: <2>, <3>
mission farm "Farm":
  players: <1>..<2>
  map square:
    art: |
      +--+--+--+
      |s  .  b |
      +--+--+--+
    legend:
      "s": start
      "b": bog
  countdown night "Night":
    length: <6>
    at <3>: pace +<1>
    at end: lose "Late."
  gauge noise "Noise":
    range: <0>..<4>
    tier <2> "Loud":
      while here: every hen has +<1> speed
layout egg:
  stats: worth
"""
PROJECT = 'language = 2\nname = "mini"\ntitle = "Mini"\nlanguages = ["en"]\npaths = ["cards"]\n'
NUMBER = re.compile(r"<(\d+)>")
COUNT = len(NUMBER.findall(SYSTEM + CONTENT))


def source(large: int, value: int) -> tuple[str, str]:
    """Return the sources, in which the number with the index `large` is `value`."""
    numbers = iter(range(COUNT))

    def filled(match: re.Match[str]) -> str:
        return str(value) if next(numbers) == large else match[1]

    return NUMBER.sub(filled, SYSTEM), NUMBER.sub(filled, CONTENT)


def analysed(folder: Path, large: int, value: int) -> Analysis:
    system, content = source(large, value)
    for name, text in {"fcb.toml": PROJECT, "systems/mini.fcb": system, "cards/c.fcb": content}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return analysis_of(load_project(root=folder))


def used(analysis: Analysis, folder: Path) -> None:
    """Compile, verify, play and print what has no errors."""
    program = analysis.program()
    assert verify_program(program) == []
    image = Image(program)
    for players in range(program.players[0], program.players[1] + 1):
        game, bot = setup.start_game(image, "farm", players, 1, {}), RandomBot(1)
        for _ in range(MOST_DECISIONS):
            ask = game.run()
            if ask is None:
                break
            game.answer(bot.choose(game, ask))
    render(analysis.model, (), "en", "a4", "html", folder / "out")


def test_unchanged_game_has_no_errors(tmp_path: Path) -> None:
    analysis = analysed(tmp_path, -1, 0)
    assert analysis.errors() == []
    used(analysis, tmp_path)


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    "large", [pytest.param(at, marks=[] if at % 8 == 0 else pytest.mark.long) for at in range(COUNT)]
)
def test_largest_number_is_used_or_reported(tmp_path: Path, large: int) -> None:
    analysis = analysed(tmp_path, large, bounds.NUMBER)
    assert "FCB0809" not in [problem.code for problem in analysis.errors()], "the check leaves it to the verifier"
    if not analysis.errors():
        used(analysis, tmp_path)


@pytest.mark.parametrize("large", [0, COUNT // 2, COUNT - 1])
def test_larger_number_is_reported(tmp_path: Path, large: int) -> None:
    assert "FCB0115" in [error.code for error in analysed(tmp_path, large, bounds.NUMBER + 1).errors()]
