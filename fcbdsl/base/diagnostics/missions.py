"""Missions that can be read, but not played as intended. They are checked only in a game: a model with a `flow`."""

from __future__ import annotations

from fcbdsl.base.diagnostics.base import Diagnostic

_WALLED = """
        barrier wall:
          blocks: movement
          never opens
        mark start, entry
        mark exit, goal
        kind hero is piece:
          copies: 1
        kind mission:
          field objective: condition, default yes, attainable
        action go:
          by: hero
          effect: stop
        flow: stop
"""
"""The game of the examples with walls."""

_MADE_OF = """
        terrain rock:
          blocks: movement
        mark gate
        kind rat is piece:
          stands: alone
          copies: 1
        rat squeaker:
          copies: 1
        rat gnawer:
          copies: 1
        verb admit:
          takes: one (rat), at spot (many space, passable)
          effect: remove one
        flow: stop
"""
"""The game of the examples with rats."""


class ObjectiveCutOff(Diagnostic):
    code = "FCB0901"
    title = "Objective that players cannot reach"
    cause = "The `{field}` needs {name}, but players cannot get there on this map."
    help = (
        "Open a way from the start spaces: remove a barrier or terrain with `never opens`, or close a gap in the map."
    )
    explanation = """
        An `attainable` field, such as an objective, needs a piece of the players on certain spaces, or within reach of
        something. Barriers and terrain with `never opens`, and gaps in the map, cut these spaces off from every space
        whose mark is an `entry`. Doors, obstacles and everything that the mission can open count as ways.
    """
    bad = f"""{_WALLED}
        mission m "M":
          objective: any hero is on exit
          map square:
            art: |
              +--+--+
              |s |e |
              +--+--+
            legend:
              "|": wall
              "s": start
              "e": exit
        """
    good = f"""{_WALLED}
        mission m "M":
          objective: any hero is on exit
          map square:
            art: |
              +--+--+--+
              |. |s  e |
              +--+--+--+
            legend:
              "|": wall
              "s": start
              "e": exit
        """


class CutOffGoal(Diagnostic):
    code = "FCB0902"
    title = "Goal that players cannot reach"
    cause = "{space} is marked `{name}`, but players cannot get there on this map."
    help = "Open a way to {space}, or remove the mark."
    explanation = """
        Barriers and terrain with `never opens`, or gaps in the map, cut this `goal` off from every space whose mark is
        an `entry`.
    """
    bad = f"""{_WALLED}
        rule out:
          when any has acted, if any hero is on exit: win "Out."
        mission m "M":
          map square:
            art: |
              +--+--+--+
              |e  s |e |
              +--+--+--+
            legend:
              "|": wall
              "s": start
              "e": exit
        """
    good = f"""{_WALLED}
        rule out:
          when any has acted, if any hero is on exit: win "Out."
        mission m "M":
          map square:
            art: |
              +--+--+--+
              |. |s  e |
              +--+--+--+
            legend:
              "|": wall
              "s": start
              "e": exit
        """


class BlockedGoal(Diagnostic):
    code = "FCB0913"
    severity = "warning"
    title = "Goal behind terrain that blocks movement"
    cause = "{spaces} marked `{name}`, and every way from the start leads over {terrains}."
    help = "Leave a path. If figures cross such terrain, write `# fcb: allow FCB0913` behind the line `map …:`."
    explanation = """
        A mark or token that is a `goal` is behind terrain with `blocks: movement`. The game may have figures
        that climb such terrain, or actions that remove it. In a game without such a figure no piece gets to the goal.
        """
    bad = f"""{_WALLED}
        terrain crates:
          blocks: movement
        rule out:
          when any has acted, if any hero is on exit: win "Out."
        mission m "M":
          map square:
            art: |
              +--+--+--+
              |s  c  e |
              +--+--+--+
            legend:
              "c": crates
              "s": start
              "e": exit
        """
    good = f"""{_WALLED}
        terrain crates:
          blocks: movement
        rule out:
          when any has acted, if any hero is on exit: win "Out."
        mission m "M":
          map square:
            art: |
              +--+--+--+
              |s  .  e |
              +  +  +  +
              |.  c  . |
              +--+--+--+
            legend:
              "c": crates
              "s": start
              "e": exit
        """


class NobodyCanStand(Diagnostic):
    code = "FCB0903"
    title = "Piece on a space where nothing can be"
    cause = "{what}, but {why}."
    help = "Choose another space."
    explanation = """
        The map shows a piece or a start space on terrain where no piece can be. Or an effect names such a space for a
        parameter that is `standable` or `passable`.
    """
    bad = f"""{_MADE_OF}
        mission m "M":
          map square:
            art: |
              +--+--+
              |.  g |
              +--+--+
            legend:
              "g": rock, gate
          when any has acted: admit squeaker at gate
        """
    good = f"""{_MADE_OF}
        mission m "M":
          map square:
            art: |
              +--+--+
              |.  g |
              +--+--+
            legend:
              "g": gate
          when any has acted: admit squeaker at gate
        """


class TwoOnOneSpace(Diagnostic):
    code = "FCB0904"
    title = "Two pieces on one space"
    cause = "The map shows {names} on {space}, but each of them needs its own space."
    help = "Move one of them to another space."
    explanation = """
        A kind with `stands: alone` has one piece on a space.
    """
    bad = f"""{_MADE_OF}
        mission m "M":
          map square:
            art: |
              +--+--+
              |.  r |
              +--+--+
            legend:
              "r": squeaker, gnawer
        """
    good = f"""{_MADE_OF}
        mission m "M":
          map square:
            art: |
              +--+--+
              |s  g |
              +--+--+
            legend:
              "s": squeaker
              "g": gnawer
        """


class TooManyCopies(Diagnostic):
    code = "FCB0905"
    title = "More pieces than copies"
    cause = "The map and the setup need {count} of `{name}`, but there are {copies}."
    help = "Remove one of them, or write `copies: {count}` for `{name}`."
    explanation = """
        fcb counts the pieces on the map, and those that the mission always takes from the box in an event that happens
        once.
    """
    bad = f"""{_MADE_OF}
        mission m "M":
          map square:
            art: |
              +--+--+
              |r  r |
              +--+--+
            legend:
              "r": squeaker
        """
    good = f"""{_MADE_OF}
        mission m "M":
          map square:
            art: |
              +--+--+
              |r  . |
              +--+--+
            legend:
              "r": squeaker
        """


class DeckTooSmall(Diagnostic):
    code = "FCB0906"
    severity = "warning"
    title = "Deck that is too small"
    cause = "The mission uses {wanted} of `{field}` (`{verb}`), but lists {held}."
    help = "List more cards in `{field}`, or use fewer steps."
    explanation = """
        Each of these steps of tracks, and each such effect of the setup, takes a card of the list. The last ones would
        find none.
    """
    bad = """
        kind omen is card:
          copies: 1
        zone omens of omen: ordered
        verb reveal omen:
          effect: put (top of omens) into omens
        kind mission:
          field omens: many omen definition, optional, spent by reveal omen
        omen raven:
          copies: 1
        mission m "M":
          omens: raven
          countdown dusk "Dusk":
            length: 4
            at 2, 3: reveal omen
            at end: lose "Dark."
        flow:
          repeat: advance dusk
        """
    good = """
        kind omen is card:
          copies: 1
        zone omens of omen: ordered
        verb reveal omen:
          effect: put (top of omens) into omens
        kind mission:
          field omens: many omen definition, optional, spent by reveal omen
        omen raven:
          copies: 2
        mission m "M":
          omens: raven
          countdown dusk "Dusk":
            length: 4
            at 2, 3: reveal omen
            at end: lose "Dark."
        flow:
          repeat: advance dusk
        """


class NothingMoves(Diagnostic):
    code = "FCB0907"
    severity = "warning"
    title = "Track that never moves"
    cause = "Nothing moves the {sort} `{name}`."
    help = "Move it somewhere (`advance {name}`, `raise {name}`), or remove it."
    explanation = """
        fcb looks for effects of the game and of the mission that move the track. Tests do not count.
    """
    bad = 'mission m "M":\n  countdown dusk "Dusk":\n    length: 4\n    at end: lose "Dark."\nflow: stop'
    good = (
        'mission m "M":\n  countdown dusk "Dusk":\n    length: 4\n    at end: lose "Dark."\n'
        "flow:\n  repeat: advance dusk"
    )


class IdleTrack(Diagnostic):
    code = "FCB0908"
    severity = "warning"
    title = "Track without an effect"
    cause = "The {sort} `{name}` can reach {end}, but nothing happens then."
    help = "Add a line `at end: …` or a tier, use `{name}'s value` in a condition, or remove the track."
    explanation = """
        A countdown needs an effect at its end, and a gauge an effect at a step or in a tier. Else some text must use
        its value.
    """
    bad = 'mission m "M":\n  countdown dusk "Dusk":\n    length: 4\nflow:\n  repeat: advance dusk'
    good = (
        'mission m "M":\n  countdown dusk "Dusk":\n    length: 4\n    at end: lose "Dark."\n'
        "flow:\n  repeat: advance dusk"
    )


class IdleTier(Diagnostic):
    code = "FCB0909"
    severity = "warning"
    title = "Tier effect that never happens"
    cause = "`{moment}` of tier {at} never happens: {why}."
    help = "Remove it, or let the track move there."
    explanation = """
        `on enter` happens when a gauge rises to the tier, and `on leave` when it falls below it. The gauge does not
        enter the tier where it begins, and never leaves a `locked` tier.
    """
    bad = """
        mission m "M":
          gauge alert "Alert":
            range: 0..4
            tier 2 "Lights":
              on leave: lose "Dark."
        flow:
          repeat: raise alert
        """
    good = """
        mission m "M":
          gauge alert "Alert":
            range: 0..4
            tier 2 "Lights":
              on leave: lose "Dark."
        flow:
          repeat:
            raise alert
            lower alert
        """


class NamedNowhere(Diagnostic):
    code = "FCB0910"
    severity = "warning"
    title = "Map element that nothing uses"
    cause = "This map shows the {sort} `{name}`, but no text of this mission uses it."
    help = "Use `{name}` in a rule, card or objective, or remove it from the map."
    explanation = """
        A mark, token, terrain, barrier or group of spaces needs an effect of its own, or a text that names it.
        The text can belong to the system, a card, an action or this mission.
    """
    bad = """
        mark well
        flow: stop
        mission m "M":
          map square:
            art: |
              +--+--+
              |.  w |
              +--+--+
            legend:
              "w": well
        """
    good = """
        mark well
        kind hero is piece:
          copies: 1
        rule thirst:
          when any has acted, if any hero is on well: win "Not thirsty any more."
        flow: stop
        mission m "M":
          map square:
            art: |
              +--+--+
              |.  w |
              +--+--+
            legend:
              "w": well
        """


class ShownNowhere(Diagnostic):
    code = "FCB0911"
    severity = "warning"
    title = "Text about something that is not on the map"
    cause = "`{mission}` uses this text, but its map has no {sort} `{name}`."
    help = "Draw `{name}` on the map, or remove the text or card from the mission."
    explanation = """
        The mission, a form that it uses or a card that it lists names something that its map does not show and that
        nothing brings there. A card may ask first whether there is any.
    """
    bad = """
        mark well
        kind hero is piece:
          copies: 1
        flow: stop
        mission m "M":
          map square:
            art: |
              +--+--+
              |.  . |
              +--+--+
          when any has acted, if any hero is on well: win "Not thirsty any more."
        """
    good = """
        mark well
        kind hero is piece:
          copies: 1
        flow: stop
        mission m "M":
          map square:
            art: |
              +--+--+
              |.  w |
              +--+--+
            legend:
              "w": well
          when any has acted, if any hero is on well: win "Not thirsty any more."
        """


class NoRoom(Diagnostic):
    code = "FCB0912"
    severity = "warning"
    title = "Too few spaces for an objective"
    cause = "With {players}, {pieces} pieces must be on {name} together, but {room} fit."
    help = "Mark more spaces, allow fewer players in `players:`, or ask for fewer pieces."
    explanation = """
        An `attainable` field, such as an objective, needs several pieces on certain spaces at the same time. Each space
        has room for one piece (`stands: alone`). fcb counts the spaces that players can reach, for the highest number
        of players.
    """
    bad = """
        mark start, entry
        mark exit, goal
        kind hero is piece:
          stands: alone
          copies: 1
        kind mission:
          field objective: condition, default yes, attainable
        action go:
          by: hero
          effect: stop
        flow: stop
        mission m "M":
          players: 2..3
          objective: every hero is on exit
          map hex:
            art: |
              s s e e
            legend:
              "s": start
              "e": exit
        """
    good = """
        mark start, entry
        mark exit, goal
        kind hero is piece:
          stands: alone
          copies: 1
        kind mission:
          field objective: condition, default yes, attainable
        action go:
          by: hero
          effect: stop
        flow: stop
        mission m "M":
          players: 2..3
          objective: every hero is on exit
          map hex:
            art: |
              s e e e
            legend:
              "s": start
              "e": exit
        """


MINI = """
system mini "Mini":
  players: 1..2
  board: square
mark start "start"
kind space:
  stat taken: flag
action rest "Rest":
  by: player
  reminder en: "Do nothing."
  effect: stop
flow:
  for each player:
    choose spot: space marked start where not it's taken
    spot's taken becomes yes
  repeat: offer player
mission m "M":
  players: 1..2
  map square:
    art: |
      +--+--+
      |s  s |
      +--+--+
    legend:
      "s": start
"""
"""A small game that begins. The examples below change a line of it."""
ROOMY = MINI.replace("1..2\n  map", "1..1\n  map").replace(
    "flow:\n",
    'invariant roomy "A mission has two starts.": number of (space marked start) >= 2\nflow:\n',
)
"""The small game with an invariant for its missions."""


HANDED = MINI.replace(
    "flow:\n",
    """kind omen is card:
  copies: 2
zone omens of omen: ordered
omen raven
verb lay omens:
  takes: count (number)
  effect:
    repeat count times: put (instance of raven) into omens
flow:
  lay omens 2
""",
)
"""The small game with cards that its setup takes from the box."""


class CannotBegin(Diagnostic):
    code = "FCB0920"
    title = "Mission that cannot be set up"
    cause = "With {players}, the setup of `{id}` fails: {what}."
    help = "{cure}"
    explanation = """
        `fcb check` sets up each mission for each number of players, with each combination of the variants that the
        setup uses, until the first action; bots make the choices. A game that stops there can never be played. If
        effects run each other without end, the report shows each step: write an `if` before one of them.
    """
    bad = MINI.replace("|s  s |", "|s  . |")
    good = MINI


class NobodyDecides(Diagnostic):
    code = "FCB0921"
    severity = "warning"
    title = "Mission without a decision"
    cause = "With {players}, `{id}` ends before the first {first}."
    help = "Look at the conditions of `win`, `lose` and the actions, and at the numbers that the setup uses."
    explanation = """
        This game has actions or choices, but the mission ends before the first of them. Choices of the setup do not
        count in a game that has actions. Often a number is 0 by mistake, or a condition is true from the start.
    """
    bad = MINI.replace("flow:\n", 'flow:\n  if no space where it\'s taken: win "Over."\n')
    good = MINI


class EndsAtOnce(Diagnostic):
    code = "FCB0924"
    severity = "warning"
    title = "Mission that ends with its first action"
    cause = "With {players}, the first action ends `{id}`, whichever action it is: the game is {outcome}."
    help = "Look at the objective and at other conditions that end the game: one of them is true from the start."
    explanation = """
        `fcb check` sets up each mission and tries each of the first actions. The game is over after any of them,
        although its rules have several rounds.
    """
    bad = MINI.replace(
        "effect: stop",
        'effect: stop\nrule end:\n  when any has acted, if any space where it\'s taken: lose "Over."',
    )
    good = MINI


class SetupShortage(Diagnostic):
    code = "FCB0914"
    severity = "warning"
    title = "Setup that wants more than there is"
    cause = "With {players}, the setup of `{id}` takes {what}."
    help = "Raise `copies`, list more cards, or take fewer of them."
    explanation = """
        `fcb check` sets up each mission for each number of players. An effect took something from the box, or from the
        top of a zone, when nothing was left there. The game goes on without it and reports nothing.
    """
    bad = HANDED.replace("lay omens 2", "lay omens 3")
    good = HANDED


class BrokenAtStart(Diagnostic):
    code = "FCB0922"
    title = "Requirement of the game that is not met"
    cause = "{what} breaks a requirement of its game: {says}"
    help = "{cure}"
    explanation = """
        `fcb check` sets up each mission for each number of players, and checks each `invariant` of the game before the
        first action. An invariant `for KIND` must hold for each definition of the kind after the setup. Example:
        `invariant enough "A mission has six start spaces" for mission: number of (space marked start) >= 6`.
    """
    bad = ROOMY.replace("|s  s |", "|s  . |")
    good = ROOMY


class PlayersOutside(Diagnostic):
    code = "FCB0923"
    title = "Number of players that the game does not allow"
    cause = "`{id}` allows {low} to {high} players, but the game is for {game}."
    help = "Write `players:` with numbers that the game allows: {game}."
    explanation = """
        The `players:` line of the system limits that of each mission.
    """
    bad = MINI.replace("1..2\n  map", "1..3\n  map")
    good = MINI
