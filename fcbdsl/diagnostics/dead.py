"""What is written and can never happen."""

from __future__ import annotations

from fcbdsl.diagnostics.base import Diagnostic


def _napping(row: str) -> str:
    """A verb that rolls, with a row of its own."""
    head = ["die coin:", "  faces: heads 1, tails 1", "kind hero is piece:", "  stat HP: number 0..", "verb nap:"]
    body = ["takes: who (hero)", "effect:", "  roll coin:", "    heads: who's HP +1", f"    tails: {row}"]
    return "\n".join([*head, *("  " + line for line in [*body, "  who's HP +1"])])


class DoubleForm(Diagnostic):
    code = "FCB0321"
    title = "Two forms that nothing tells apart"
    cause = "Another {sort} `{name}` takes the same."
    help = "Forms may share their words if what they take differs; give one of them another name, or take it away."
    bad = """
        verb nap:
          takes: who (piece)
          effect: stop
        verb nap:
          takes: sleeper (piece)
          effect: stop
        """
    good = """
        verb nap:
          takes: who (piece)
          effect: stop
        verb nap:
          takes: who (card)
          effect: stop
        """


class NeverReached(Diagnostic):
    code = "FCB0610"
    severity = "warning"
    title = "Statement that is never reached"
    cause = "Nothing gets here: the `{word}` above ends what is being done."
    help = "Put it before the `{word}`, or take it away."
    explanation = """
        `stop`, `answer`, `win`, `lose` and `draw` end an effect, `break` ends a loop; so does an `if` whose branches
        all end. What stands behind them in the same block never happens. (`cancel` only calls off the event that is
        being listened to: its own effect goes on.)
        """
    bad = 'verb nap:\n  effect:\n    lose "Asleep."\n    stop'
    good = 'verb nap:\n  effect:\n    lose "Asleep."'


class CutOff(Diagnostic):
    code = "FCB0611"
    severity = "warning"
    title = "Row that ends the whole effect"
    cause = "`stop` ends the whole effect, also what follows the block."
    help = "Write `nothing` if only this row is without effect; else put what follows under the rows that want it."
    explanation = """
        In a row of a roll, an option of `choose one` or a row of `play`, a lone `stop` mostly wants to say that nothing
        happens there. It says more: what stands behind the block is not done either. (In an `if` it is the way to go
        on under a condition only.)
        """
    bad = _napping("stop")
    good = _napping("nothing")


_HERO = "kind hero is piece:\n  stat HP: number 0..5\n"


class OnlyOption(Diagnostic):
    code = "FCB0661"
    severity = "warning"
    title = "A choice with one option"
    cause = "There is nothing to choose: this is the only {what}."
    help = "Write it without the choice, add another one, or let it be declined with `may`."
    bad = 'verb nap:\n  effect:\n    choose one:\n      "Stop": stop'
    good = "verb nap:\n  effect: stop"


class DeadBranch(Diagnostic):
    code = "FCB0662"
    severity = "warning"
    title = "A condition that never changes"
    cause = "This {always} holds: {why}."
    help = "Correct it, or take it away with what can't happen."
    explanation = """
        What a number can be follows from its declaration (`number 0..5`; counters are never below 0), and two
        constants are what they are. In a chain of `else if` a condition that was asked before does not hold any more.
        What depends on such a condition always happens, or never does.
        """
    bad = _HERO + "verb nap:\n  takes: who (hero)\n  effect:\n    if who's HP > 5: stop"
    good = _HERO + "verb nap:\n  takes: who (hero)\n  effect:\n    if who's HP > 4: stop"


class StrayCondition(Diagnostic):
    code = "FCB0665"
    severity = "warning"
    title = "A condition that is not about what is looked for"
    cause = "`{part}` stands in the `where` of this `{quantifier}`, and says nothing of what is looked for."
    help = "Say it first, or bracket what is looked for: `({quantifier} … where …) and {part}`."
    explanation = """
        A `where` takes all that follows it, also behind `and`. `no ant where it is awake and round = 2` holds in all
        rounds but the second; `round = 2 and no ant where it is awake` in the second alone. Where somebody meant the
        first, `not (…)` says so.
        """
    bad = _HERO + "verb nap:\n  takes: who (hero)\n  effect:\n    if no hero where it's HP > 4 and who's HP = 1: stop"
    good = _HERO + "verb nap:\n  takes: who (hero)\n  effect:\n    if who's HP = 1 and no hero where it's HP > 4: stop"


class UnusedCard(Diagnostic):
    code = "FCB0663"
    severity = "warning"
    title = "Nothing brings it into play"
    cause = "No effect, deck, list or map brings the {kind} `{name}` into play, as they do others of its kind."
    help = "Name it where the others are named, give it what they are picked by, or take it away."
    explanation = """
        A definition comes into play when something names it (an effect, a list of another definition, a map), or when
        it is among those that an effect picks of its kind (`fill deck with card where it's family is blade`). Where an
        effect's condition can be told from what the definition prints, and fails, it is not picked. What tests do
        counts for nothing, nor do kinds of which nothing is ever brought into play: these are looked at only.
        """
    bad = """
        kind trick is card:
          field worth: number
        zone hand of trick
        trick wink "Wink":
          worth: 1
        trick nod "Nod":
          worth: 2
        flow: put wink into hand
        """
    good = """
        kind trick is card:
          field worth: number
        zone hand of trick
        trick wink "Wink":
          worth: 1
        trick nod "Nod":
          worth: 2
        flow: put wink into hand; put nod into hand
        """


class NeverHappens(Diagnostic):
    code = "FCB0664"
    severity = "warning"
    title = "An event that never happens"
    cause = "{what}, but {why}."
    help = "Let something do or announce it outside of tests, or take this away."
    bad = "event dusk:\n  form: dusk falls"
    good = "event dusk:\n  form: dusk falls\nflow: announce dusk"


class EndlessEffects(Diagnostic):
    code = "FCB0666"
    severity = "warning"
    title = "Effects that run each other without end"
    cause = "`{name}` runs itself again by way of its own effect: {chain}."
    help = "Keep the next one in a stat and perform it in a loop of `flow`, or put an `if` before one of the steps."
    explanation = """
        An effect that another one performs is part of it: the machine returns to the first when the second has ended.
        Effects that perform each other in turn never end, and the machine stops the game with a fault.
        The check looks at steps that are done in any case or as an option, not at those behind `if` or `require`.
        """
    bad = """
        kind page is card:
          field text: effect
        verb turn to:
          takes: page (page definition)
          effect: perform page's text
        page shore "Shore":
          text:
            choose one:
              "Ring": turn to bell
              "Row": win
        page bell "Bell":
          text: turn to shore
        flow: turn to shore
        """
    good = """
        kind page is card:
          field text: effect
        verb turn to:
          takes: page (page definition)
          effect: perform page's text
        page shore "Shore":
          text:
            choose one:
              "Ring": turn to bell
              "Row": win
        page bell "Bell":
          text: win
        flow: turn to shore
        """


_CREW = """
    kind hero is piece:
      stat HP: number 0..3, starts 3
    kind order is card:
      held by: hero
      field valid: condition, default yes
    hero bo "Bo"
    order rest "Rest" for bo:
      valid: self's HP < 2
    order run "Run" for bo:
      valid: self's HP {} 2
    flow:
      choose card: order where it's valid
    """


class NeverMet(Diagnostic):
    code = "FCB0669"
    title = "A condition that can never hold"
    cause = "The `{field}` of `{name}` can never hold: its numbers never have the values that it asks for."
    help = "Ask for a value in the range of the number, or widen that range."
    explanation = """
        The range of a number follows from its declaration: `range: 0..3` of a gauge, `number 0..5` of a stat, what a
        card prints in a field that nothing modifies. `fcb check` tries all values. It looks at fields that are
        `attainable`, such as the objective of a mission, where this is an error. It also looks at conditions by which
        the game selects a card that must be chosen; there this is a warning.
        """
    bad = """
        kind mission:
          field objective: condition, default yes, attainable
        flow: raise power
        mission m "M":
          objective: power's value = 5
          map square:
            art: |
              +--+
              |. |
              +--+
          gauge power "Power":
            range: 0..3
        """
    good = """
        kind mission:
          field objective: condition, default yes, attainable
        flow: raise power
        mission m "M":
          objective: power's value = 3
          map square:
            art: |
              +--+
              |. |
              +--+
          gauge power "Power":
            range: 0..3
        """


class NoneApplies(Diagnostic):
    code = "FCB0667"
    severity = "warning"
    title = "A value for which no card is valid"
    cause = "With {gap}, the `{field}` of no {kind} for `{target}` holds, and the game must choose one."
    help = "Let the conditions cover this value, too, or give one of the cards no condition."
    explanation = """
        The game chooses one of these cards by a condition, and nobody may decline. `fcb check` tries all values that
        the number can have, from its least to the one with which play begins. An end of the range at which play does
        not begin is left out, as figures often leave play there.
        """
    bad = _CREW.format(">")
    good = _CREW.format(">=")


class NoneThere(Diagnostic):
    code = "FCB0668"
    severity = "warning"
    title = "Something that is needed and has no copies"
    cause = "`{name}` has 0 copies, so nothing can ever bring it into play."
    help = "Give it copies, or take it away where it is named."
    bad = """
        kind trick is card:
          field worth: number
        zone hand of trick
        trick wink "Wink":
          worth: 1
          copies: 0
        flow: put wink into hand
        """
    good = """
        kind trick is card:
          field worth: number
        zone hand of trick
        trick wink "Wink":
          worth: 1
          copies: 1
        flow: put wink into hand
        """
