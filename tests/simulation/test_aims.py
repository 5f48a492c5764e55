"""The conditions of a win are derived from a program, and meaningless rates are reported."""

from __future__ import annotations

import pytest
from pond_game import image

from fcbdsl.machine.vm.image import Image
from fcbdsl.play.simulation.games import Matchup, play_once
from fcbdsl.play.simulation.soundness import Aiming, AimSummary, aims_of, cure, reasons, with_random
from fcbdsl.play.simulation.win_conditions import Goals
from tests import games
from tests.campaign.small_campaign import program

STILL = (AimSummary(("Sluice",), 1, 10, 0, 0, ()),)


def test_aims_come_from_program() -> None:
    assert Goals(image()).ways
    played = [play_once(image(), Matchup("crossing", 2, bot="random"), seed) for seed in range(1, 9)]
    rows = [row for game in played for way in game.aims for row in way.values()]
    assert rows
    assert all(0 <= best <= start and start > 0 for start, best, *_ in rows)
    assert any(best < start for start, best, *_ in rows)
    for game in played:
        if game.outcome == "win":
            assert any(all(row[1] == 0 for row in way.values()) for way in game.aims)


LAMPS = """
system lamps "Lamps":
  board: square
  players: 1
terrain sand "sand"
mark lantern
kind walker is piece:
  played: one each
  name: "walker", plural "walkers"
kind lamp is card:
  name: "lamp", plural "lamps"
  copies: 3
  stat lit "lit": flag
kind mission:
  field goal: condition, attainable
lamp oil "Oil lamp"
zone shelf of lamp: any
walker ann "Ann"
action walk "Walk":
  by: walker
  form: walks
  effect:
    choose spot: space adjacent to self
    place self on spot
action kindle "Kindle":
  by: walker
  form: kindles
  effect:
    choose dark: lamp in shelf where not lit
    dark's lit becomes yes
verb judge:
  effect:
    let done = mission's goal
    if done: win
flow:
  for each sort in lamp definition: repeat 3 times: put (instance of sort) into shelf
  repeat 4 times:
    for each walker: offer walker
    judge
  lose
mission nights "Nights":
  goal: GOAL
  map square:
    art: |
      +--+--+--+--+--+--+
      |a  .  .  .  .  l |
      +--+--+--+--+--+--+
    legend:
      "a": ann
      "l": lantern
"""


@pytest.mark.parametrize(
    ("goal", "read", "mover"),
    [
        ("number of (lamp where lit) > 1", "lit", "kindle"),
        ("any walker marked lantern", "position of walker", "walk"),
        ("every walker is on lantern", "position of walker", "walk"),
    ],
)
def test_aims_read_counts_from_zero_and_positions(goal: str, read: str, mover: str) -> None:
    made = program(LAMPS.replace("GOAL", goal), "")
    cell, aiming = Matchup("nights", 1, bot="first"), Aiming()
    for seed in (1, 2):
        aiming.add(play_once(Image(made), cell, seed))
    aims, _ = aims_of(made, cell, aiming, {f"action {mover}": (0, 4)}, "en")
    assert [aim.titles for aim in aims] == [(read,)]
    assert mover.capitalize() in [row.title for row in aims[0].movers]


def test_zone_of_the_game_is_read_without_an_owner() -> None:
    made, cell, aiming = games.program("beast"), Matchup("clean-up", 2, bot="thumb", side="wild"), Aiming()
    aiming.add(play_once(games.image("beast"), cell, 1))
    aims, _ = aims_of(made, cell, aiming, {"action play-deed": (3, 9)}, "en")
    assert [aim.titles for aim in aims] == [("dead settlers",)]
    assert "Play an Action card" in [mover.title for mover in aims[0].movers]


INTERRUPTED = (
    LAMPS.replace("  form: kindles\n", "  form: kindles\n  needs: not self's busy\n")
    .replace('  name: "walker", plural "walkers"\n', '  name: "walker", plural "walkers"\n  stat busy: flag\n')
    .replace(
        "    choose dark: lamp in shelf where not lit\n",
        "    self's busy becomes yes\n    offer walker, until done\n    self's busy becomes no\n"
        "    choose dark: lamp in shelf where not lit\n",
    )
)


def test_change_counts_for_the_action_that_goes_on_after_another() -> None:
    """Others may act during an action: its own effect comes afterwards."""
    assert INTERRUPTED != LAMPS
    made = program(INTERRUPTED.replace("GOAL", "number of (lamp where lit) > 1"), "")
    aiming = Aiming()
    for seed in range(1, 9):
        aiming.add(play_once(Image(made), Matchup("nights", 1, bot="random"), seed))
    (tally,) = aiming.aims.values()
    assert tally.moved
    assert set(tally.by) == {"kindle"}


def test_last_action_of_a_won_game_reaches_its_aims() -> None:
    """The heroes have been on the quay only at the end, when nobody asks any more."""
    won = [play_once(games.image("fireteam-zero"), Matchup("cold-harbor", 2, bot="thumb"), seed) for seed in (1, 2)]
    for game in won:
        assert game.outcome == "win"
        rows = [row for way in game.aims for row in way.values() if any("place" in read for read in row[3])]
        assert rows
        assert all(best == 0 for _, best, *_ in rows)


def test_advice_fits_reason_and_names_words_of_the_game() -> None:
    lamps = program(LAMPS.replace("GOAL", "no lantern"), "")
    assert cure(lamps, "nights", reasons(10, 10, (), None)) == ("unsound-cure-all", ())
    assert cure(lamps, "nights", reasons(0, 10, (), None))[0] == "unsound-cure-none"
    still = cure(lamps, "nights", reasons(10, 10, STILL, (40, 39)))
    assert still == ("unsound-cure", ("`preferences for nights:`",))
    _, (zero,) = cure(games.program("fireteam-zero"), "cold-harbor", reasons(0, 10, STILL, None))
    assert zero == "`preferences for cold-harbor:` + `headway:`"
    _, (beyond,) = cure(games.program("far-cry-beyond"), "pebbles", reasons(0, 10, STILL, None))
    assert beyond == "`preferences for pebbles:` + `progress:`"


def test_meaningless_win_rates_are_refused() -> None:
    def words(
        won: int, games: int, still: tuple[AimSummary, ...] = (), control: tuple[int, int] | None = None
    ) -> list[str]:
        return [word for word, _ in reasons(won, games, still, control)]

    assert words(5, 10) == []
    assert words(0, 10, STILL) == ["unsound-still", "unsound-none"]
    assert words(10, 10) == ["unsound-all"]
    assert words(2, 10, (), (9, 40)) == ["unsound-random"]
    assert words(2, 10, (), (8, 40)) == []


def test_random_bots_replace_counted_side() -> None:
    assert with_random(Matchup("a", 2, bot="random")) is None
    other = with_random(Matchup("a", 2, bot="thumb"))
    assert other is not None
    assert other.bot == "random"
    other = with_random(Matchup("a", 2, bot="foxes=sensible,thumb", side="foxes"))
    assert other is not None
    assert other.bot == "foxes=random,thumb"
