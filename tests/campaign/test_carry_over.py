"""State that a campaign keeps between missions, and campaigns without further steps."""

from __future__ import annotations

import pytest

from fcbdsl.machine.vm import loading, setup
from fcbdsl.machine.vm.carry_over import carry_over, give
from fcbdsl.machine.vm.game import Game
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.world import WIN
from fcbdsl.play.campaign.journey import STUCK, Journey, begin_campaign
from fcbdsl.play.testing.content_tests import run_test
from tests.campaign.small_campaign import image, program

HEROES = """
system small "Small":
  board: square
  players: 1..2
kind figure is piece:
  field strength: number 0..
  stat wounds: number 0.., starts strength
  stat mood: number 0..
  zone bag of gear: any
kind hero is figure:
  keeps: wounds, bag, Sick
kind foe is figure
status Sick "Sick":
  on: figure
  limit: 2
kind gear is card:
  held by: figure
  copies: 2
  always: self has +1 strength
  when bell rings: self's mood +1
event bell:
  form: bell rings
zone shelf of gear: any, kept
zone table of gear: any
hero ada "Ada":
  strength: 2
foe rat "Rat":
  strength: 1
gear rope "Rope"
kind place is card:
  field scene: mission definition
zone chart of place: any, kept
kind campaign:
  field first: many place definition
place hill-top "Hill top":
  scene: hill
mission hill "Hill":
  map square:
    art: |
      +--+--+
      |.  . |
      +--+--+
flow:
  for each space:
    stop
campaign trip "Trip":
  first: hill-top
journey:
  if no place in chart:
    for each sort in campaign's first: put (instance of sort) into chart
  choose next: place in chart
  play next's scene
"""


@pytest.fixture(scope="module")
def heroes() -> Image:
    return image("", HEROES)


def start(m: Image) -> Game:
    return setup.start_game(m, "hill", 1, 1, {}, flow=False)


def number(m: Image, id: str, copy: int = 1) -> int:
    return m.layout.first[[row.id for row in m.program.definitions].index(id)] + copy - 1


def at(m: Image, name: str, thing: int) -> int:
    """Return the address of a stat in memory."""
    return m.layout.base[[row.name for row in m.program.fields].index(name)] + thing


def bag(m: Image, thing: int) -> int:
    zone = [row.name for row in m.program.zones].index("bag")
    return m.layout.zone_base[zone] + thing


def do(game: Game, thing: int, zone: int) -> None:
    from fcbdsl.machine.vm import changes

    changes.put(game, thing, zone, True, -1)


def place(game: Game, thing: int, cell: int) -> None:
    from fcbdsl.machine.vm import changes

    changes.place_thing(game, thing, game.space(cell), -1)


def test_kept_fields_are_inherited(heroes: Image) -> None:
    carried = {(heroes.program.fields[field].name, thing) for field, thing in heroes.kept_stats}
    ada, rat = number(heroes, "ada"), number(heroes, "rat")
    assert ("wounds", ada) in carried
    assert ("Sick", ada) in carried
    assert ("mood", ada) not in carried
    assert ("wounds", rat) not in carried
    assert bag(heroes, ada) in heroes.kept_zones
    assert bag(heroes, rat) not in heroes.kept_zones


def test_kept_values_replace_start_values(heroes: Image) -> None:
    game = start(heroes)
    ada, rat = number(heroes, "ada"), number(heroes, "rat")
    for thing in (ada, rat):
        game.world.write(at(heroes, "wounds", thing), 9)
    game.world.write(at(heroes, "Sick", ada), 2)
    other = setup.embark(game, [row.id for row in heroes.program.definitions].index("hill"), 5)
    assert other.world.mem[at(heroes, "wounds", ada)] == 9
    assert other.world.mem[at(heroes, "Sick", ada)] == 2
    assert other.world.mem[at(heroes, "wounds", rat)] == 1


def test_card_of_absent_owner_is_inactive(heroes: Image) -> None:
    game = start(heroes)
    ada, rope = number(heroes, "ada"), number(heroes, "rope")
    do(game, rope, bag(heroes, ada))
    assert game.world.live[rope] == 0
    strength = [row.name for row in heroes.program.fields].index("strength")
    assert game.value(strength, ada) == 2
    place(game, ada, 0)
    assert game.world.live[rope] == 1
    assert game.value(strength, ada) == 3
    bell = [row.name for row in heroes.program.events].index("bell")
    assert rope in game.world.subscribers[bell].things
    place(game, ada, -1)
    assert game.world.live[rope] == 0
    assert game.world.subscribers[bell].things == ()


def test_live_listeners_are_equal_after_carry_over_and_loading(heroes: Image) -> None:
    game = start(heroes)
    ada = number(heroes, "ada")
    place(game, ada, 1)
    do(game, number(heroes, "rope", 2), bag(heroes, ada))
    do(game, number(heroes, "rope"), heroes.kept_zones[0])
    home = setup.embark(game, [row.id for row in heroes.program.definitions].index("hill"), 5)
    loaded = loading.load_game(heroes, home.save())
    assert loaded.world.live == home.world.live
    assert [heard.things for heard in loaded.world.subscribers] == [heard.things for heard in home.world.subscribers]


def test_thing_that_left_a_kept_zone_goes_to_the_box(heroes: Image) -> None:
    """Also if the other world has it somewhere that is not kept."""
    game, home = start(heroes), start(heroes)
    ada, rope = number(heroes, "ada"), number(heroes, "rope")
    table = heroes.layout.zone_base[[row.name for row in heroes.program.zones].index("table")]
    do(home, rope, bag(heroes, ada))
    do(game, rope, table)
    give(home, carry_over(game))
    assert home.world.mem[heroes.layout.zone + rope] == 0
    assert home.world.zones[bag(heroes, ada)] == ()
    do(game, rope, bag(heroes, ada))
    do(home, rope, table)
    give(home, carry_over(game))
    assert home.world.zones[bag(heroes, ada)] == (rope,)
    assert home.world.zones[table] == ()


def test_kept_zone_keeps_order(heroes: Image) -> None:
    game = start(heroes)
    ada = number(heroes, "ada")
    for copy in (2, 1):
        do(game, number(heroes, "rope", copy), bag(heroes, ada))
    home = start(heroes)
    give(home, carry_over(game))
    assert home.world.zones[bag(heroes, ada)] == (number(heroes, "rope", 2), number(heroes, "rope"))


# ── journeys without further steps ────────────────────────────────────────────────────────────


def test_step_without_effect_ends_campaign() -> None:
    m = image(
        """
campaign trip "Trip":
  players: 1..2
journey:
  choose next: place in chart
  play next's scene
"""
    )
    journey = begin_campaign(m, "trip", 1, 1)
    assert journey.outcome == STUCK
    assert journey.ask is None


def test_steps_without_questions_are_bounded() -> None:
    m = image(
        """
place mill "Mill":
  scene: hill
campaign trip "Trip":
  first: mill
journey:
  if no place in chart: put (instance of mill) into chart
  for each place: place's seen +1
"""
    )
    assert begin_campaign(m, "trip", 1, 1).outcome == STUCK


def test_missions_in_one_step_have_distinct_seeds() -> None:
    m = image(
        """
campaign trip "Trip":
  players: 1..2
journey:
  play hill:
    won:
      play hill:
        won: win "Home again."
"""
    )
    journey = begin_campaign(m, "trip", 2, 1)
    seeds = []
    for _ in range(2):
        game = journey.embark()
        seeds.append(tuple(game.world.rng))
        game.world.outcome, game.world.ask = WIN, None
        journey.arrive(game)
    assert journey.outcome == "win"
    assert seeds[0] != seeds[1]
    assert isinstance(journey, Journey)


# ── carry over, in tests ──────────────────────────────────────────────────────────────────────

CARRIED = """
die coin "Coin":
  faces: head 1, tail 1
test "{title}":
  use campaign trip
  {steps}
"""
STEPS = {
    "what is kept": ("given ada's wounds = 1\n  carry over\n  expect ada's wounds = 1", ""),
    "what is not": ("given ada's mood = 3\n  carry over\n  expect ada's mood = 0", ""),
    "what is of others": ("given rat's wounds = 0\n  carry over\n  expect rat's wounds = 1", ""),
    "what lies in a kept zone": ("do put rope into shelf\n  carry over\n  expect rope in shelf", ""),
    "what lies in another": ("do put rope into table\n  carry over\n  expect rope in table", "the condition holds"),
    "a card of hers, and a marker": (
        "do put rope into ada's bag; mark Sick on ada\n  carry over\n  expect rope in ada's bag and ada is Sick",
        "",
    ),
    "a question that is open": ("if no place in chart:\n    play hill-top's scene\n  carry over", "open question"),
    "dice that are left": (
        'dice: head\n  carry over\n  if no place in chart:\n    roll coin:\n      head: win "Head."\n  expect win',
        "",
    ),
    "what has ended": ('do win "So."\n  carry over', "a game that is not over"),
}


@pytest.mark.parametrize("title", STEPS)
def test_content_test_carries_kept_state(title: str) -> None:
    steps, seen = STEPS[title]
    failure = run_test(Image(program(CARRIED.format(title=title, steps=steps), HEROES, tests=True)), 0)
    assert seen in (failure.failure.expected if failure.failure is not None else "")
    assert (failure.failure is None) == (seen == "")
