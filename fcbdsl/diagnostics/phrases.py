"""Mistakes in phrases: words that can't be read with the vocabulary, and statements out of place."""

from __future__ import annotations

from fcbdsl.diagnostics.base import Diagnostic


def _sample(*lines: str) -> str:
    """A small system whose verb `act` has these lines as its effect."""
    head = [
        'system sample "Sample":',
        "  board: hex",
        "kind unit is piece:",
        "  field rank: number 0.., default 0",
        "  stat HP: number 0.., starts 3",
        "event dawn:",
        "  form: dawn breaks",
        "die coin:",
        "  faces: heads 1, tails 1",
        "verb hurt:",
        "  takes: target (unit), amount (number, default 1)",
        "  effect: target's HP -1",
        "keyword Nudge:",
        "  takes: target (unit)",
        "  effect: hurt target",
        "verb act:",
        "  takes: target (unit)",
        "  effect:",
    ]
    return "\n".join(head + ["    " + line for line in lines])


class UnknownWord(Diagnostic):
    code = "FCB0401"
    title = "Unknown word"
    cause = "Nothing that could stand here is called `{word}`."
    help = "Declare it, or correct the spelling."
    bad = _sample("hurt tarket")
    good = _sample("hurt target")


class UnexpectedWord(Diagnostic):
    code = "FCB0402"
    title = "Word out of place"
    cause = "The phrase makes sense up to `{before}`, but not on from `{word}`."
    help = "Check the order of the words and the prepositions of the form; parentheses keep a group of words together."
    bad = _sample("hurt target within 2")
    good = _sample("hurt target 2")


class WrongType(Diagnostic):
    code = "FCB0403"
    title = "Wrong type"
    cause = "`{phrase}` is {found}, but {wanted} is needed here."
    help = ""
    bad = _sample("hurt 2")
    good = _sample("hurt target")


class MissingArgument(Diagnostic):
    code = "FCB0404"
    title = "Missing argument"
    cause = "`{form}` lacks its {param} ({type})."
    help = "Write `{usage}`."
    bad = _sample("hurt")
    good = _sample("hurt target")


class AmbiguousPhrase(Diagnostic):
    code = "FCB0405"
    title = "Ambiguous phrase"
    cause = "`{phrase}` can be read in two ways: as {one}, or as {two}."
    help = "Say it in other words, or give one of the forms another name."
    bad = """
        system sample "Sample":
          board: hex
        verb greet:
          takes: somebody (piece)
          effect: stop
        verb greet:
          takes: anybody (thing)
          effect: stop
        verb act:
          takes: target (piece)
          effect: greet target
    """
    good = """
        system sample "Sample":
          board: hex
        verb greet:
          takes: somebody (piece)
          effect: stop
        verb act:
          takes: target (piece)
          effect: greet target
    """


class StatementForCondition(Diagnostic):
    code = "FCB0406"
    title = "Statement where a value is needed"
    cause = "`{word}` does something; {wanted} is needed here."
    help = "Ask about the state of things, and put the statement under it."
    bad = _sample("if hurt target: stop")
    good = _sample("if target's HP > 1: hurt target")


class NotAStatement(Diagnostic):
    code = "FCB0407"
    title = "Not a statement"
    cause = "`{phrase}` is {found}; it doesn't say what to do."
    help = "A line begins with a verb, or changes something (`x's HP becomes 3`); events begin with `announce`."
    bad = _sample("target's HP")
    good = _sample("target's HP becomes 2")


class UnknownEvent(Diagnostic):
    code = "FCB0408"
    title = "Unknown event"
    cause = "No event reads `{phrase}`."
    help = "Events are declared by `event …:` or by an `event:` line of a verb; `fcb vocab` lists them all."
    bad = _sample("until noon:", "  target has +1 rank")
    good = _sample("until dawn:", "  target has +1 rank")


class UnknownStat(Diagnostic):
    code = "FCB0409"
    title = "Unknown stat"
    cause = "`{owner}` has no `{name}`."
    help = ""
    bad = _sample("hurt target target's armour")
    good = _sample("hurt target target's rank")


class OfInstances(Diagnostic):
    code = "FCB0430"
    title = "Stat of a definition"
    cause = "Only instances of `{kind}` have `{name}`; this is a definition, of which they are made."
    help = "Look at the instances (`{kind} where …`), or at a `field`, which is the same for all of them."
    bad = """
        use core
        kind gem is card:
          stat worth: number 0..
        zone pile of gem: any
        gem ruby "Ruby"
        setup:
          fill pile with gem where worth < 3
        """
    good = """
        use core
        kind gem is card:
          field worth: number, default 1
        zone pile of gem: any
        gem ruby "Ruby"
        setup:
          fill pile with gem where worth < 3
        """


class WrongCase(Diagnostic):
    code = "FCB0410"
    title = "Wrong capitals"
    cause = "`{word}` is spelled `{right}`."
    help = "Keywords and stats keep the capitals of their declaration."
    bad = _sample("nudge target")
    good = _sample("Nudge target")


class NotChangeable(Diagnostic):
    code = "FCB0411"
    title = "Change of something fixed"
    cause = "`{name}` is {reason}; it can't be changed."
    help = "Only stats and counters change; a modifier (`while …: x has +1 {name}`) may colour a printed value."
    bad = _sample("target's rank becomes 2")
    good = _sample("target's HP becomes 2")


class UsedBeforeBound(Diagnostic):
    code = "FCB0412"
    title = "Local used before it is bound"
    cause = "`{word}` is bound elsewhere in this effect, but not yet (or no longer) here."
    help = "Bind it in a line above, in this block or in one around it."
    bad = _sample("hurt victim", "let victim = target")
    good = _sample("let victim = target", "hurt victim")


class NothingMeant(Diagnostic):
    code = "FCB0413"
    title = "Pronoun without a meaning"
    cause = "`{word}` means nothing here."
    help = "{why}"
    bad = _sample("hurt it")
    good = _sample("hurt target")


class NoSuchPlayer(Diagnostic):
    code = "FCB0440"
    title = "There is no such player"
    cause = "Nobody is player {number}: the game is for up to {most}."
    help = "Say a player from 1 to {most}, or how many play: `players: 1..{number}` in the system."
    bad = "rule end:\n  at dusk: win player 3\nevent dusk:\n  form: it is dusk\nverb nap:\n  effect: announce dusk"
    good = bad.replace("player 3", "player 1")


class Incomplete(Diagnostic):
    code = "FCB0414"
    title = "Incomplete statement"
    cause = "`{lead}` lacks {what}."
    help = "Write `{usage}`."
    bad = _sample("let victim")
    good = _sample("let victim = target")


class Misplaced(Diagnostic):
    code = "FCB0415"
    title = "Statement out of place"
    cause = "`{lead}` can't stand here: {why}."
    help = ""
    bad = _sample("break")
    good = _sample("repeat 2 times:", "  break")


class UnknownFace(Diagnostic):
    code = "FCB0416"
    title = "Unknown face"
    cause = "No face of {die} shows `{face}`."
    help = "Rows are symbols of the die, numbers (`4`, `2..3`, `5..`), or `else`."
    bad = _sample("roll coin:", "  edge: stop")
    good = _sample("roll coin:", "  tails: stop")


class OneNeeded(Diagnostic):
    code = "FCB0417"
    title = "Several where one is needed"
    cause = "`{phrase}` may be several; {wanted} is needed here."
    help = "Choose one (`choose x: …`), or do it for each (`for each x in …:`)."
    bad = _sample("hurt unit")
    good = _sample("for each unit: hurt unit")


class NotAType(Diagnostic):
    code = "FCB0418"
    title = "Not a type"
    cause = "`{phrase}` is not a type."
    help = (
        "Types are number, flag, text, die, space, player, zone, condition, effect, a kind, an enum, or `many` of one."
    )
    bad = """
        system sample "Sample":
          board: hex
        verb act:
          takes: target (unitt)
          effect: stop
    """
    good = """
        system sample "Sample":
          board: hex
        verb act:
          takes: target (piece)
          effect: stop
    """


class Unreadable(Diagnostic):
    code = "FCB0421"
    title = "Unreadable phrase"
    cause = "`{phrase}` can't be read as {wanted}."
    help = "{why}"
    bad = _sample("if every unit: stop")
    good = _sample("if every unit is target: stop")


class TooDeep(Diagnostic):
    code = "FCB0422"
    title = "Phrase nested too deeply"
    cause = "Too many things stand inside one another here."
    help = "Give a part of it a name first (`let x = …`)."
    bad = _sample("if HP of " + "holder of " * 40 + "target > 1: stop")
    good = _sample("hurt target")


class UnknownSpace(Diagnostic):
    code = "FCB0419"
    title = "Space not on the map"
    cause = "The map has no space `{space}`."
    help = "Columns are letters and rows are numbers, both counted from the top left of the art."
    bad = """
        use core
        test "off the map":
          map hex:
            art: |
              . . .
          expect A1 is next to A9
    """
    good = """
        use core
        test "on the map":
          map hex:
            art: |
              . . .
          expect A1 is next to B1
    """


class MissingPart(Diagnostic):
    code = "FCB0420"
    title = "Unfinished phrase"
    cause = "Something is missing after `{before}`."
    help = ""
    bad = _sample("hurt target's")
    good = _sample("hurt target")


class SpaceWithoutMap(Diagnostic):
    code = "FCB0423"
    title = "Space without a map"
    cause = "`{space}` is a space of a map, and no map belongs to this text."
    help = "Name a mark or a group of spaces, say it in the mission, or declare the card `for MISSION`."
    bad = "verb home:\n  takes: who (piece)\n  effect: place who on A1"
    good = "mark home\nverb home:\n  takes: who (piece)\n  effect:\n    for each space marked home: place who on space"


class CapturedName(Diagnostic):
    code = "FCB0424"
    severity = "warning"
    title = "Name that the candidate takes"
    cause = "`{word}` is the candidate's here, though {rival} has that name, too."
    help = "Write `it's {word}` for the candidate's; {other}."
    explanation = """
        In a filter, in `where` and in a criterion a bare name belongs to the candidate: the thing that is looked at.
        Where `self`, `this` or a local goes by the same name, a reader can't see which one is meant, and one line may
        come to mean two things. Say whose it is: `it's target` is the candidate's, `self's target` one's own; a
        `let` in a line above gives it a name that nobody else has (`let heart = target`). A criterion that is nothing
        but the name (`by HP`) needs no such word, for one's own value would be the same for all.
        """
    bad = """
        kind wolf is piece:
          stat target: piece
          stat hunger: number 0.., starts 3
          at dawn: for each wolf where it is not target: wolf's hunger -1
        event dawn:
          form: dawn
        flow: announce dawn
    """
    good = """
        kind wolf is piece:
          stat target: piece
          stat hunger: number 0.., starts 3
          at dawn: for each wolf where it is not self's target: wolf's hunger -1
        event dawn:
          form: dawn
        flow: announce dawn
    """


class CandidateOfItself(Diagnostic):
    code = "FCB0429"
    severity = "warning"
    title = "Candidate held against itself"
    cause = "In `{phrase}` the word `it` is that {noun} itself."
    help = "Behind `is` it would be the one outside: `any NOUN is on it`. Or give the outer one a name that is its own."
    explanation = """
        What follows a noun filters it, and in a filter `it` is the candidate: in `space where any hero on it` the hero,
        who always stands where he stands. Ask of the hero what he is (`any hero is on it`): there `it` is the space.
        """
    bad = _sample("for each space where any unit on it: stop")
    good = _sample("for each space where any unit is on it: stop")


class ComputedFilter(Diagnostic):
    code = "FCB0431"
    severity = "warning"
    title = "Event that waits for a computed number"
    cause = "This only hears of an event whose `{param}` is exactly {value}."
    help = "Write `any` to hear of every one, or `if {param} …` behind the event for a comparison."
    explanation = """
        What stands in the place of an event's number is what it must be equal to. With a plain number that is said and
        meant (`when dawn moves to 3`); with one that is computed in the moment it is most often a slip: a measure or
        stat that happens to be called like what the event is about. If it is meant, compare: `if amount = damage`.
        """
    bad = """
        kind wolf is piece:
          stat hunger: number 0.., starts 3
          when self eats hunger: stop
        event eats:
          takes: who (wolf), amount (number)
          form: who eats amount
        flow:
          for each wolf: announce wolf eats 2
    """
    good = """
        kind wolf is piece:
          stat hunger: number 0.., starts 3
          when self eats any, if amount = hunger: stop
        event eats:
          takes: who (wolf), amount (number)
          form: who eats amount
        flow:
          for each wolf: announce wolf eats 2
    """


class ForeignWord(Diagnostic):
    code = "FCB0425"
    title = "Word of another language"
    cause = "`{word}` means nothing here."
    help = "Write `{cure}`."
    bad = _sample("if target's HP > 2: hurt target", "elif target's HP > 1: stop")
    good = _sample("if target's HP > 2: hurt target", "else if target's HP > 1: stop")


class UnknownPronoun(Diagnostic):
    code = "FCB0432"
    title = "What is meant is not said by name"
    cause = "`{word}` names nothing."
    help = "{known}"
    bad = _sample("hurt target", "if that's HP < 2: stop")
    good = _sample("hurt target", "if target's HP < 2: stop")


class WhereOnOne(Diagnostic):
    code = "FCB0434"
    title = "Filter of a single thing"
    cause = "A single thing cannot be filtered by `where`: `{phrase}` is {sort}."
    help = "Test the single thing in a condition: `if {phrase} …`. To filter a list, name its kind before `where`."
    explanation = """
        `where` leaves out of a list the things for which a condition does not hold. A local, `self` or a stat names one
        thing, of which nothing can be left out. Ask about the thing with `if`, or with `and` inside a condition.
        """
    bad = _sample("hurt target where HP > 2")
    good = _sample("if target's HP > 2: hurt target")


class ArticleInMoment(Diagnostic):
    code = "FCB0433"
    title = "More than a noun in a moment"
    cause = "In a moment `{noun}` stands alone, and means whichever it is: not `{said}`."
    help = "Write `{noun}`, with what it must be behind it (`{noun} where …`), or `any` alone for whatever it is."
    explanation = """
        The line tells of one moment, with one of each in it. Its noun is also what that one is called below: after
        `when wolf eats:` the effect may speak of `wolf`.
        """
    bad = """
        kind wolf is piece:
          stat hunger: number 0.., starts 3
          when any wolf eats: hunger becomes 0
        event eats:
          takes: who (wolf)
          form: who eats
        flow:
          for each wolf: announce wolf eats
    """
    good = """
        kind wolf is piece:
          stat hunger: number 0.., starts 3
          when wolf eats: hunger becomes 0
        event eats:
          takes: who (wolf)
          form: who eats
        flow:
          for each wolf: announce wolf eats
    """


class UnknownId(Diagnostic):
    code = "FCB0426"
    title = "Nothing of that name is of the sort that is needed"
    cause = "There is no {sort} called `{name}`."
    help = "{known}"
    bad = _sample("hurt (instance of untt)").replace("verb act:", "unit rat:\n  rank: 1\nverb act:")
    good = _sample("hurt (instance of rat)").replace("verb act:", "unit rat:\n  rank: 1\nverb act:")


class UnknownVerb(Diagnostic):
    code = "FCB0427"
    title = "Unknown verb"
    cause = "There is no verb called `{word}`."
    help = "{known}"
    bad = _sample("Harm target")
    good = _sample("Nudge target")


class MissingPreposition(Diagnostic):
    code = "FCB0428"
    title = "Missing preposition"
    cause = "`{preposition}` is missing before `{word}`."
    help = "Write `{usage}`."
    bad = _sample("if HP target > 2: hurt target")
    good = _sample("if HP of target > 2: hurt target")
