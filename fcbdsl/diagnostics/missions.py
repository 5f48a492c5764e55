"""Missions that can be read, but not played as they are meant.

All of them are checked only in a game: something with a `flow`."""

from __future__ import annotations

from fcbdsl.diagnostics.base import Diagnostic

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
    title = "Objective behind walls"
    cause = "The `{field}` asks for {name}, and nobody who enters this map can ever get there."
    help = "Leave a way from the spaces where players' pieces enter: what stands between never opens."
    explanation = """
        A field that is `attainable` needs a player's piece on certain spaces, but barriers and terrain that say
        `never opens`, or gaps in the map, part all of these from every space whose mark is an `entry`. Doors,
        obstacles and whatever else does not say so are taken for ways; so is what content that the mission meets may
        open, and where it puts players' pieces. Or the field names a piece of the map, or wants none of its sort
        left, and nobody can get to where it stands or look there.
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
    title = "Goal that nobody can get to"
    cause = "{space} is marked `{name}`, and nobody who enters this map can ever get there."
    help = "Leave a way to it, or take the mark away."
    explanation = """
        A mark or token that is a `goal` (an exit, say) lies where barriers and terrain that say `never opens`, or
        gaps in the map, part it from every space whose mark is an `entry`.
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


class NobodyCanStand(Diagnostic):
    code = "FCB0903"
    title = "Nobody can stand there"
    cause = "{what}, but {why}."
    help = "Choose another space."
    explanation = """
        The map shows a piece, or a space where pieces enter, on ground where nothing can ever be; or a statement
        names spaces for a parameter that wants `standable` or `passable` ones, and the ground there is not.
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
    cause = "The map shows {names} on {space}; each of them stands alone."
    help = "Give each a space of its own."
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
    title = "More of them than there are"
    cause = "With this, the map and the set-up bring {count} of `{name}` into play; there are {copies}."
    help = "Take one away, or raise its `copies`."
    explanation = """
        Counted are the pieces that the map shows, and what the mission takes out of the box in any case when it
        hears an event that is announced once, before anything is repeated.
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
    title = "Deck smaller than the steps that use it"
    cause = "The steps of the tracks want {wanted} of `{field}` (`{verb}`); it lists {held}."
    help = "List more, or mark fewer steps."
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
    title = "Track that nothing moves"
    cause = "Nothing advances the {sort} `{name}`."
    help = "Say when it moves (`advance {name}`, `raise {name}`), or take it away."
    bad = 'mission m "M":\n  countdown dusk "Dusk":\n    length: 4\n    at end: lose "Dark."\nflow: stop'
    good = (
        'mission m "M":\n  countdown dusk "Dusk":\n    length: 4\n    at end: lose "Dark."\n'
        "flow:\n  repeat: advance dusk"
    )


class IdleTrack(Diagnostic):
    code = "FCB0908"
    severity = "warning"
    title = "Track that changes nothing"
    cause = "The {sort} `{name}` may come to {end}, and nothing happens."
    help = "Say what it does (`at end: …`, or a tier), ask for its value somewhere, or take it away."
    explanation = """
        A countdown without `at end` (or a step at its end) that does something, or a gauge of which no step and no
        tier does anything; and nothing asks how far it has come.
        """
    bad = 'mission m "M":\n  countdown dusk "Dusk":\n    length: 4\nflow:\n  repeat: advance dusk'
    good = (
        'mission m "M":\n  countdown dusk "Dusk":\n    length: 4\n    at end: lose "Dark."\n'
        "flow:\n  repeat: advance dusk"
    )


class IdleTier(Diagnostic):
    code = "FCB0909"
    severity = "warning"
    title = "Tier whose moment never comes"
    cause = "`{moment}` of tier {at} never happens: {why}."
    help = "Take it away, or let the track move so."
    explanation = """
        `on enter` happens when a gauge rises to the tier, `on leave` when it falls below it: never where the gauge
        begins, never out of a tier that is `locked`, and never if nothing lowers the gauge.
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
    title = "Shown on the map, and of no use"
    cause = "This map shows the {sort} `{name}`, and no text that counts here speaks of it."
    help = "Say what it is for, or take it off the map."
    explanation = """
        A mark, token, terrain, barrier or group of spaces that has no effect of its own (blocks nothing, has no
        moments) and that neither the system, nor cards and actions, nor this mission name.
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
    title = "Spoken of, and not on the map"
    cause = "`{mission}` is played with this, but its map shows no {sort} `{name}`."
    help = "Put it on the map, or do not speak of it."
    explanation = """
        The mission itself, a form that it uses, or a card that it lists names something of maps that its own map
        does not show and that nothing brings there. (A card may ask first whether there is any: then it knows.)
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
    title = "Fewer spaces than pieces that must stand there"
    cause = "With {players}, {pieces} pieces must stand on {name} at once, and there is room for {room}."
    help = "Mark more spaces, let fewer players take part, or ask for fewer pieces."
    explanation = """
        An `attainable` field asks for pieces on certain spaces at the same time, each of which has room for one
        (`stands: alone`), and fewer of these spaces can be reached than there are pieces: as many as it says, or, if
        all of the players' pieces must be there, at least one for each player, at the most that the mission allows.
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


class CannotBegin(Diagnostic):
    code = "FCB0920"
    title = "Mission that cannot be set up"
    cause = "With {players}{settings}, the set-up of `{id}` fails: {what}."
    help = "Add what is missing to the mission or its map, or allow other numbers of players in `players:`."
    explanation = """
        `fcb check` sets up each mission for each number of players, and for each switch that the set-up reads, up to
        the first action. Bots make the choices on the way. A game that stops there can never be played.
    """
    bad = """
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
              |s  . |
              +--+--+
            legend:
              "s": start
    """
    good = """
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


class NobodyDecides(Diagnostic):
    code = "FCB0921"
    severity = "warning"
    title = "Mission in which nobody decides anything"
    cause = "With {players}, `{id}` is over before anybody is asked anything."
    help = "Look at the conditions of `win`, `lose` and the actions, and at the values that the set-up reads."
    explanation = """
        `fcb check` sets up each mission for each number of players. The game has actions or choices, but this mission
        ends before any of them is offered. Often a number is 0 that should not be, or a condition holds from the start.
    """
    bad = """
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
          if no space where it's taken: win "Over."
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
    good = """
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


class BrokenAtStart(Diagnostic):
    code = "FCB0922"
    title = "Mission that breaks a requirement of its game"
    cause = "With {players}, `{id}` breaks a requirement when its set-up is done: {says}"
    help = "Add what is missing to the mission or its map, or take out what is too much."
    explanation = """
        An `invariant` of the game must hold whenever somebody is asked. `fcb check` sets up each mission for each
        number of players and looks at every invariant before the first action. A system requires something of its
        missions by one: `invariant enough "A mission has six start spaces.": number of (space marked start) >= 6`.
    """
    bad = """
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
        invariant roomy "A mission has two starts.": number of (space marked start) >= 2
        flow:
          for each player:
            choose spot: space marked start where not it's taken
            spot's taken becomes yes
          repeat: offer player
        mission m "M":
          players: 1..1
          map square:
            art: |
              +--+--+
              |s  . |
              +--+--+
            legend:
              "s": start
    """
    good = """
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
        invariant roomy "A mission has two starts.": number of (space marked start) >= 2
        flow:
          for each player:
            choose spot: space marked start where not it's taken
            spot's taken becomes yes
          repeat: offer player
        mission m "M":
          players: 1..1
          map square:
            art: |
              +--+--+
              |s  s |
              +--+--+
            legend:
              "s": start
    """


class PlayersOutside(Diagnostic):
    code = "FCB0923"
    title = "Mission for more or fewer players than its game"
    cause = "`{id}` allows {low} to {high} players, but the game is for {game}."
    help = "Write numbers of players that the game allows."
    bad = """
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
          players: 1..3
          map square:
            art: |
              +--+--+
              |s  s |
              +--+--+
            legend:
              "s": start
    """
    good = """
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
