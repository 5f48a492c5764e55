"""Content that can never have an effect."""

from __future__ import annotations

from fcbdsl.base.diagnostics.base import Diagnostic


def _napping(row: str) -> str:
    """Return a verb that rolls, with `row` as its second row."""
    head = ["die coin:", "  faces: heads 1, tails 1", "kind hero is piece:", "  stat HP: number 0..", "verb nap:"]
    body = ["takes: who (hero)", "effect:", "  roll coin:", "    heads: who's HP +1", f"    tails: {row}"]
    return "\n".join([*head, *("  " + line for line in [*body, "  who's HP +1"])])


class DoubleForm(Diagnostic):
    code = "FCB0321"
    title = "Two forms with the same name and parameters"
    cause = "There is another {sort} `{name}` with the same parameters."
    help = "Rename one of them, or remove it."
    explanation = """
        Two forms may have the same name if their parameters have different types. fcb chooses the form by the types of
        the arguments.
    """
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
    title = "Unreachable statement"
    cause = "The game never gets here: the `{word}` above ends the effect or loop."
    help = "Move this line above the `{word}`, or remove it."
    explanation = """
        `stop`, `answer`, `win`, `lose` and `draw` end an effect, and `break` ends a loop. An `if` does so if each
        of its branches does. (`cancel` only prevents the event: its own effect continues.)
    """
    bad = 'verb nap:\n  effect:\n    lose "Asleep."\n    stop'
    good = 'verb nap:\n  effect:\n    lose "Asleep."'


class CutOff(Diagnostic):
    code = "FCB0611"
    severity = "warning"
    title = "Row whose `stop` ends the whole effect"
    cause = "This `stop` ends the whole effect, including the lines after the block."
    help = (
        "Write `nothing` if only this row does nothing; else move the lines after the block into the rows that "
        "need them."
    )
    explanation = """
        Authors often write a row with only `stop` in a roll, `choose one` or `play` for “nothing happens”. But `stop`
        also skips every line after the block. (In an `if`, fcb does not report it.)
    """
    bad = _napping("stop")
    good = _napping("nothing")


_HERO = "kind hero is piece:\n  stat HP: number 0..5\n"


class OnlyOption(Diagnostic):
    code = "FCB0661"
    severity = "warning"
    title = "Choice with one option"
    cause = "This choice has only one {what}."
    help = "Write the line without the choice, add another {what}, or write `may` if players can decline."
    explanation = """
        A choice needs at least two possibilities. With one, fcb asks a question that has one answer.
    """
    bad = 'verb nap:\n  effect:\n    choose one:\n      "Stop": stop'
    good = "verb nap:\n  effect: stop"


class DeadBranch(Diagnostic):
    code = "FCB0662"
    severity = "warning"
    title = "Condition that is always or never true"
    cause = "This condition is {always} true: {why}."
    help = "Correct the condition, or remove it with the lines that never happen."
    explanation = """
        fcb compares the condition with the range of each number (`number 0..5`; counters are at least 0) and with the
        conditions before it in a chain of `else if`. In your missions and cards, it also compares counts with the
        things that the mission can bring into play.
    """
    bad = _HERO + "verb nap:\n  takes: who (hero)\n  effect:\n    if who's HP > 5: stop"
    good = _HERO + "verb nap:\n  takes: who (hero)\n  effect:\n    if who's HP > 4: stop"


class StrayCondition(Diagnostic):
    code = "FCB0665"
    severity = "warning"
    title = "Condition caught by a `where`"
    cause = "`{part}` is part of the `where` of `{quantifier}`, but does not use its candidate."
    help = "Write it before `{quantifier}`, or put brackets around the search: `({quantifier} … where …) and {part}`."
    explanation = """
        A `where` includes every condition that follows, also after `and`. `no ant where it is awake and round = 2` is
        true in every round but the second. `round = 2 and no ant where it is awake` is true in the second only.
    """
    bad = _HERO + "verb nap:\n  takes: who (hero)\n  effect:\n    if no hero where it's HP > 4 and who's HP = 1: stop"
    good = _HERO + "verb nap:\n  takes: who (hero)\n  effect:\n    if who's HP = 1 and no hero where it's HP > 4: stop"


class UnusedCard(Diagnostic):
    code = "FCB0663"
    severity = "warning"
    title = "Card that can never come into play"
    cause = "The {kind} `{name}` can never come into play."
    help = (
        "Name `{name}` where others of its kind are listed, give it the value by which effects pick them, or remove it."
    )
    explanation = """
        A card comes into play if an effect, a card, a deck or a map names it. An effect can also pick cards of its kind
        (`fill deck with card where it's family is blade`). fcb skips a card whose printed values do not match such a
        condition. Tests do not count, and neither do kinds of which no card comes into play.
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
    title = "Event that never happens"
    cause = "{what}, but {why}."
    help = "Do or announce it outside of tests, or remove this."
    explanation = """
        A trigger or `until` waits for an event. fcb reports events that the content of the game never causes; tests do
        not count.
    """
    bad = "event dusk:\n  form: dusk falls"
    good = "event dusk:\n  form: dusk falls\nflow: announce dusk"


class EndlessEffects(Diagnostic):
    code = "FCB0666"
    severity = "warning"
    title = "Effects that run each other without end"
    cause = "`{name}` runs itself again through its own effect: {chain}."
    help = "Write an `if` before one of the steps, or store the next step in a stat and perform it in a loop of `flow`."
    explanation = """
        An effect that performs another one waits until that one has ended. If two effects perform each other, or two
        triggers announce each other's events, neither ends, and the game stops with an error. The check looks at
        steps that always happen or that are options, not at those behind `if` or `require`.
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
    title = "Condition that can never be true"
    cause = "{what} of `{name}` can never be true: {why}."
    help = "{cure}"
    explanation = """
        The declaration of a number gives its range (`range: 0..3` of a gauge). The map, the lists of the mission and
        `copies` limit counts and sums. A condition that is `attainable`, such as an objective, gives an error; other
        cards, and parts beside an `or`, give a warning.
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


class AlwaysMet(Diagnostic):
    code = "FCB0673"
    severity = "warning"
    title = "Condition that is always true"
    cause = "The `{field}` of `{name}` is always true."
    help = "Ask for something that players must bring about first."
    explanation = """
        An objective that is always true ends the game at the first moment at which the game looks at it. `yes` is fine
        for a card that has an effect, and for fields that are not `attainable`.
    """
    bad = """
        kind mission:
          field objective: condition, default yes, attainable
        flow: raise power
        mission m "M":
          objective: power's value >= 0
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
          objective: power's value >= 3
          map square:
            art: |
              +--+
              |. |
              +--+
          gauge power "Power":
            range: 0..3
        """


_DRAFT = """
    system pond "Pond":
      players: 1..2
    kind frog is piece:
      stat fed: flag
    kind mission:
      field objective: condition, attainable
    frog ann "Ann"
    frog bob "Bob"
    frog eve "Eve"
    setup:
      for each player:
        choose sort: frog definition, by player
        let figure = instance of sort
        take figure for player
    flow:
      for each frog: frog's fed becomes yes
    mission m "M":
      objective: {}
    """


class NeverThere(Diagnostic):
    code = "FCB0674"
    severity = "warning"
    title = "Objective about a thing that may not be in play"
    cause = "The `{field}` of `{owner}` needs `{name}`, but {why}."
    help = "{cure}"
    explanation = """
        An objective names a figure or card. If it is not in play, the objective never becomes true. `fcb check` knows
        the lists of each mission, and the kinds of which each player chooses one.
    """
    bad = _DRAFT.format("ann#1's fed")
    good = _DRAFT.format("any frog where it's fed")


_MARKED = """
    mark gate
    mark well
    kind cat is piece
    cat tom "Tom"
    action drink:
      by: cat
      needs: {}
      effect: win
    flow: offer cat
    mission m "M":
      map square:
        art: |
          +--+--+
          |g  w |
          +--+--+
        legend:
          "g": gate
          "w": well
    """


class NeverMarkedSo(Diagnostic):
    code = "FCB0675"
    severity = "warning"
    title = "Two places that no space is at once"
    cause = "No space of the map meets both `{first}` and `{second}`."
    help = "{cure}Write `or` instead of `and`, or remove one part."
    explanation = """
        A condition asks for two marks or places of one space or piece. The check compares them with the map of the
        mission. If the text belongs to no mission, it compares them with all maps.
    """
    bad = _MARKED.format("self marked gate and self marked well")
    good = _MARKED.format("self marked gate or self marked well")


class UnreadLocal(Diagnostic):
    code = "FCB0622"
    severity = "warning"
    title = "Value that nothing reads"
    cause = "Nothing reads `{name}` after this line sets it."
    help = "Use `{name}` in a line below, or remove this line."
    explanation = """
        `let NAME = …` keeps a value for the lines below. If no line reads it, often one of them has a wrong name.
    """
    bad = "kind hero is piece:\n  stat HP: number\nflow:\n  let due = 3\n  for each hero: hero's HP becomes 2"
    good = "kind hero is piece:\n  stat HP: number\nflow:\n  let due = 3\n  for each hero: hero's HP becomes due"


class ChangeByZero(Diagnostic):
    code = "FCB0623"
    severity = "warning"
    title = "Amount of 0"
    cause = "The amount in `{phrase}` is {amount}."
    help = "Write another number, or remove this line."
    explanation = """
        Adding 0 to a stat, moving a track by 0 or drawing 0 cards has no effect. It is still printed on cards and
        sheets. `fcb check` looks into each verb to find the parameters that are amounts.
    """
    bad = "kind hero is piece:\n  stat HP: number\nflow:\n  for each hero: hero's HP +0"
    good = "kind hero is piece:\n  stat HP: number\nflow:\n  for each hero: hero's HP +1"


_WORD = """
    # fcb.toml
    language = 2
    name = "tricks"
    # systems/fair.fcb
    system fair "Fair":
      languages: en
    kind trick is card:
      name: "trick"
      field effect: effect
    zone hand of trick
    flow:
      for each trick: perform trick's effect
    # cards/cards.fcb
    use fair
    verb glow:
      text en: "glow"
      effect: win "Glow."
    trick wink "Wink":
      effect: {}
    trick nod "Nod":
      effect: stop
    """


class UnusedForm(Diagnostic):
    code = "FCB0676"
    severity = "warning"
    title = "Verb, keyword, measure or relation that nothing uses"
    cause = "Nothing uses the {sort} `{name}`."
    help = "Use it in an effect or a condition, or remove it."
    explanation = """
        A card or a mission declares a word, but no effect, condition or action outside of tests uses it.
        Systems and packs may declare words for others.
    """
    bad = _WORD.format("lose")
    good = _WORD.format("glow")


class UnusedName(Diagnostic):
    code = "FCB0677"
    severity = "warning"
    title = "Mark, zone, stat, kind or other name that nothing uses"
    cause = "Nothing uses the {sort} `{name}`."
    help = "{cure}"
    explanation = """
        A mark, a region, a terrain or a barrier needs spaces of a map. A zone, a die or a stat needs an effect that
        names it, and a kind needs definitions. Tests do not count.
    """
    bad = """
        # fcb.toml
        language = 2
        name = "gates"
        # systems/yard.fcb
        system yard "Yard":
          languages: en
        kind cat is piece:
          name: "cat"
        flow:
          for each cat: win "Home."
        # cards/cats.fcb
        use yard
        mark gate "Gate"
        cat tom "Tom"
        """
    good = """
        # fcb.toml
        language = 2
        name = "gates"
        # systems/yard.fcb
        system yard "Yard":
          languages: en
        kind cat is piece:
          name: "cat"
        flow:
          for each cat: win "Home."
        # cards/cats.fcb
        use yard
        mark gate "Gate", entry
        cat tom "Tom"
        """


_SALT = """
    # fcb.toml
    language = 2
    name = "salt"
    # systems/pans.fcb
    system pans "Pans":
      languages: en
    kind raker is piece:
      name: "raker"
    kind game:
      stat stored "stored salt": number 0..
    flow:
      for each raker: store
    verb store:
      effect:
        {}
        if stored > 0: win "Full."
    # cards/rakers.fcb
    use pans
    raker ada "Ada"
    """


class NeverChanged(Diagnostic):
    code = "FCB0678"
    severity = "warning"
    title = "Stat that nothing changes"
    cause = "Nothing changes the stat `{name}`."
    help = "Change it in an effect (`{name} becomes …`), or declare a `field` in place of the `stat`."
    explanation = """
        Effects or conditions read the stat, but no effect, modifier, map or definition gives it another value than its
        first one. Tests do not count. Often a line is missing.
    """
    bad = _SALT.format("nothing")
    good = _SALT.format("stored +1")


class NoneApplies(Diagnostic):
    code = "FCB0667"
    severity = "warning"
    title = "Value that no card covers"
    cause = "With {gap}, no {which} is valid, but the game must choose one."
    help = "Change the `{field}` of one of these cards so that it covers this value, or remove that condition."
    explanation = """
        The game chooses one of these cards by a condition, and players cannot decline. `fcb check` tries all values of
        the numbers, flags and enums in these conditions, in all combinations. It skips a first or last value of a range
        at which play does not begin, because figures often leave play there.
    """
    bad = _CREW.format(">")
    good = _CREW.format(">=")


class TooFewCopies(Diagnostic):
    code = "FCB0670"
    severity = "warning"
    title = "More in a list than copies"
    cause = "`{list}` of `{owner}` names `{name}` {count} times, but `copies` is {copies}."
    help = "Write `copies: {count}` for `{name}`, or name it less often."
    explanation = """
        An effect that brings the things of the list into play stops when no copy is left. The rest never comes, and
        the game reports nothing.
    """
    bad = """
        kind trick is card:
          field worth: number
        kind mission:
          field deck: many trick definition
        zone pile of trick
        trick wink "Wink":
          worth: 1
          copies: 1
        mission fair "Fair":
          deck: wink, wink
        flow: fill pile with mission's deck
        """
    good = """
        kind trick is card:
          field worth: number
        kind mission:
          field deck: many trick definition
        zone pile of trick
        trick wink "Wink":
          worth: 1
          copies: 2
        mission fair "Fair":
          deck: wink, wink
        flow: fill pile with mission's deck
        """


_ACTS = """
    kind hero is piece:
      stat HP: number 0..3, starts 3
    kind cat is piece:
      copies: 1
    hero bo "Bo"
    cat tom "Tom"
    action {}
      effect: nothing
    flow:
      repeat: offer hero
    """


class NeverTaken(Diagnostic):
    code = "FCB0672"
    severity = "warning"
    title = "Action that nobody can take"
    cause = "Nobody can ever take the action `{name}`: {why}."
    help = "{cure}"
    explanation = """
        A player takes an action when an effect of the game offers it: `offer hero` offers the actions with `by: hero`.
        `fcb check` compares the kinds, and tries all values of the numbers in `needs`.
    """
    bad = _ACTS.format("purr:\n      by: cat")
    good = _ACTS.format("rest:\n      by: hero")


class NoneThere(Diagnostic):
    code = "FCB0668"
    severity = "warning"
    title = "Card with 0 copies"
    cause = "`{name}` has 0 copies, {why}."
    help = "Write `copies: 1` or more for `{name}`, or remove it."
    explanation = """
        `copies: 0` takes a card out of the game. If a list, an effect or a map still needs the card, the report shows
        that line, too.
    """
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
