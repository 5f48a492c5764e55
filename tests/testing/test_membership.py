"""``THING in LIST`` is membership, whether the list holds things or definitions."""

from __future__ import annotations

from fcbdsl.machine.vm.image import Image
from fcbdsl.play.testing.content_tests import run_test
from tests.campaign.small_campaign import program

GAME = """
system yard "Yard":
  players: 1..2
kind worker is card:
  copies: 2
kind helper is worker
worker anna "Anna"
worker bert "Bert"
helper cleo "Cleo"
kind mission:
  field allies "Allies": many worker definition
kind game:
  stat total: number 0..
mission shop "Shop":
  allies: anna, cleo
zone bench "bench" of worker: any
relation allied:
  takes: who (worker)
  is: who in mission's allies
relation akin:
  takes: who (worker)
  is: who's definition in mission's allies
verb count up:
  takes: crew (many worker)
  effect:
    for each who in worker in bench:
      if who in crew: total +1
      if not (who in crew) and who in mission's allies: total +10
flow:
  lose "Over."
test "Members of a list of definitions":
  use mission shop
  given anna#2 in bench
  expect anna#1 is allied and anna#2 is allied and cleo#2 is allied
  expect bert#1 is not allied
  expect anna#2 is akin and cleo#1 is akin and bert#1 is not akin
test "Members of a list of things":
  use mission shop
  given anna#1 in bench
  given anna#2 in bench
  given bert#1 in bench
  given cleo#1 in bench
  do count up anna#1, bert#1
  expect total = 22
"""


def test_things_and_their_definitions_are_members() -> None:
    image = Image(program("", GAME, tests=True))
    failures = [run_test(image, number).failure for number in range(len(image.program.tests))]
    assert failures == [None, None]
