"""The Yard: a small game with an example for every operator of mutation, and tests that notice some."""

from __future__ import annotations

from pathlib import Path

SYSTEM = """system yard "The Yard":
  players: 1..2
  board: square

variant weather: dry, rainy
enum mood: calm, wild, sleepy
mark gate
die coin "coin":
  faces: head 1, tail 1
die stone "stone":
  faces: head 1, tail 2
barrier fence "fence":
  blocks: movement, sight
status Wet "wet":
  on: cat
  limit: 1

kind game:
  stat score: number 0..
kind cat is piece:
  stat energy: number 0.., starts 3
  stat lives: number 0.., starts 9, kept
  stat mood: mood
  stat busy: flag
  zone paws of toy: any
  keeps: energy, paws
kind toy is card:
  held by: cat
  field effect: effect, optional
kind mission:
  field goal: number 0.., default 3

event turn start:
  form: turn starts
event dusk:
  form: dusk falls
event nap:
  takes: sleeper (cat)
  form: sleeper naps

flow:
  repeat:
    announce turn start
    offer cat, until done

rule rest "Rest":
  when cat naps: score becomes score * 2
  when cat naps, if cat's energy > 1, once per turn start: score +1
  always:
    cat with Wet has at most 2 energy

relation tired:
  takes: a (cat)
  is: a is Wet or a's energy < 1

relation merry:
  takes: a (cat)
  is: a's mood is wild

verb stroke:
  takes: target (cat), times (number, default 1)
  effect:
    let best = highest of 1, times
    if target is tired or weather is rainy: stop
    target's energy becomes target's energy + best
    target's mood becomes wild

action purr "Purr":
  by: cat
  form: purrs
  costs: 1 energy
  needs: any cat where it is not tired and it is not self
  effect:
    choose friend: cat adjacent to self except self, by most energy, by self
    stroke friend 2
    announce nap self

action toss "Toss":
  by: cat
  form: tosses
  effect:
    require energy > 1
    roll coin:
      head: score +2
      tail: mark Wet on self

action pick "Pick":
  by: cat
  form: picks
  effect:
    choose guest: cat except self
    if guest is merry:
      until turn starts: every cat has +1 energy
      score +3; score becomes score * 2
    choose one, or none:
      "Sleep": busy becomes yes
      "Run": busy becomes no
"""

CARDS = """use yard

cat tom "Tom":
  copies: 2
"""

MISSION = """use yard

mission alley "The Alley":
  map square:
    art: |
      +--+--+
      |.  . |
      +--+--+
"""

TESTS = """use yard

test "A purr strokes the other cat" covers YARD-PURR-01:
  map square:
    art: |
      +--+--+
      |.  . |
      +--+--+
  given tom#1 at A1
  given tom#2 at B1
  play tom#1 purrs
  expect tom#1's energy = 2
  expect tom#2's energy = 5

test "Who tosses a tail gets wet" covers YARD-TOSS-01:
  map square:
    art: |
      +--+--+
      |.  . |
      +--+--+
  given tom#1 at A1
  dice: tail
  play tom#1 tosses
  expect tom#1 is Wet
"""


def yard(folder: Path, system: str = SYSTEM, tests: str = TESTS) -> Path:
    """Write the project into a folder and return its root."""
    root = folder / "yard"
    for name, text in (
        ("fcb.toml", 'language = 2\nname = "yard"\npaths = ["cards"]\ntests = ["tests"]\n'),
        ("systems/yard.fcb", system),
        ("cards/alley.fcb", CARDS),
        ("tests/alley.fcb", MISSION),  # no effect puts a cat on the board, so it cannot be played
        ("tests/yard.fcb", tests),
    ):
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root
