"""Mistakes in phrases: words that can't be read with the vocabulary, and statements out of place."""

from __future__ import annotations

from fcbdsl.base.diagnostics.base import Diagnostic


def _sample(*lines: str) -> str:
    """Return a small system whose verb `act` has these lines as its effect."""
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
    title = "Unknown name"
    cause = "Nothing that can be used here is called `{word}`."
    help = "Correct the spelling, or declare it."
    explanation = """
        The word is not in the language, in the game or among the names of this effect. `fcb vocab WORD` shows where a
        word is declared.
    """
    bad = _sample("hurt tarket")
    good = _sample("hurt target")


class UnexpectedWord(Diagnostic):
    code = "FCB0402"
    title = "Unexpected word"
    cause = "fcb understands `{before}`, but not `{word}` after it."
    help = (
        "Check the order of the words and the prepositions with `fcb vocab WORD`, or put brackets around a group "
        "of words."
    )
    explanation = """
        The words of a verb or relation have a fixed order, with their prepositions: `move goblin to gate`.
    """
    bad = _sample("hurt target within 2")
    good = _sample("hurt target 2")


class WrongType(Diagnostic):
    code = "FCB0403"
    title = "Wrong type"
    cause = "`{phrase}` is {found}, but this needs {wanted}."
    help = "Write {wanted} here."
    explanation = """
        Each parameter and operator takes values of one type: a number, a piece, a space, a condition.
    """
    bad = _sample("hurt 2")
    good = _sample("hurt target")


class MissingArgument(Diagnostic):
    code = "FCB0404"
    title = "Missing argument"
    cause = "`{form}` needs {param} ({type})."
    help = "Write `{usage}`."
    explanation = """
        A parameter without a default needs an argument. `fcb vocab WORD` shows the parameters of a verb.
    """
    bad = _sample("hurt")
    good = _sample("hurt target")


class AmbiguousPhrase(Diagnostic):
    code = "FCB0405"
    title = "Ambiguous phrase"
    cause = "`{phrase}` has two meanings: {one}, or {two}."
    help = "Write it in other words, or rename one of the forms."
    explanation = """
        fcb never guesses between two meanings of a line.
    """
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
    title = "Statement instead of a condition"
    cause = "`{word}` does something, but this needs {wanted}."
    help = "Write a condition here, such as `target's HP > 1`, and the statement below it."
    explanation = """
        A condition only looks at the game. It cannot change it.
    """
    bad = _sample("if hurt target: stop")
    good = _sample("if target's HP > 1: hurt target")


class NotAStatement(Diagnostic):
    code = "FCB0407"
    title = "Line that does nothing"
    cause = "`{phrase}` is {found}, not an instruction."
    help = "Begin the line with a verb, or change a value: `x's HP becomes 3`. Events begin with `announce`."
    explanation = """
        Each line of an effect does something.
    """
    bad = _sample("target's HP")
    good = _sample("target's HP becomes 2")


class UnknownEvent(Diagnostic):
    code = "FCB0408"
    title = "Unknown event"
    cause = "No event has the form `{phrase}`."
    help = "Correct the words; `fcb vocab` lists all events. Or declare `event NAME:`, or an `event:` line in the verb."
    explanation = """
        A trigger (`when …`) and `until` wait for an event of the game.
    """
    bad = _sample("until noon:", "  target has +1 rank")
    good = _sample("until dawn:", "  target has +1 rank")


class UnknownStat(Diagnostic):
    code = "FCB0409"
    title = "Unknown stat or field"
    cause = "`{owner}` has no stat or field `{name}`."
    help = "{known}"
    explanation = """
        A kind declares its stats and fields. `fcb vocab KIND` lists them.
    """
    bad = _sample("hurt target target's armour")
    good = _sample("hurt target target's rank")


class OfInstances(Diagnostic):
    code = "FCB0430"
    title = "Stat of a card type instead of a card in play"
    cause = "`{name}` belongs to each {kind} in play, but this is a definition."
    help = "Use the pieces or cards in play (`{kind} where …`), or a `field`, which is the same for all copies."
    explanation = """
        A definition is what is printed, and has fields. Stats change in play, so each copy has its own.
    """
    bad = """
        kind gem is card:
          stat worth: number 0..
        zone pile of gem: any
        gem ruby "Ruby"
        setup:
          fill pile with gem where worth < 3
        """
    good = """
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
    help = "Write `{right}`."
    explanation = """
        Capitals count: keywords and stats keep those of their declaration.
    """
    bad = _sample("nudge target")
    good = _sample("Nudge target")


class NotChangeable(Diagnostic):
    code = "FCB0411"
    title = "Change of a fixed value"
    cause = "`{name}` cannot change: it is {reason}."
    help = "Change a stat or counter. For a printed value, use a modifier: `while …: x has +1 {name}`."
    explanation = """
        Only stats and counters change in play. Printed values, such as fields, stay the same.
    """
    bad = _sample("target's rank becomes 2")
    good = _sample("target's HP becomes 2")


class UsedBeforeBound(Diagnostic):
    code = "FCB0412"
    title = "Name used before it is set"
    cause = "`{word}` gets its value elsewhere in this effect, not before this line."
    help = "Set it in a line above (`let {word} = …`, `choose {word}: …`), in this block or the one around it."
    explanation = """
        A name from `let` or `choose` is known in the lines below it, up to the end of its block.
    """
    bad = _sample("hurt victim", "let victim = target")
    good = _sample("let victim = target", "hurt victim")


class NothingMeant(Diagnostic):
    code = "FCB0413"
    title = "Word without a meaning here"
    cause = "`{word}` has no meaning here."
    help = "{why}"
    explanation = """
        `self` is the piece or card with this text, `this` the subject of an action, and `it` the candidate in a filter.
    """
    bad = _sample("hurt it")
    good = _sample("hurt target")


class NoSuchPlayer(Diagnostic):
    code = "FCB0440"
    title = "Player number out of range"
    cause = "There is no player {number}: the game has up to {most} players."
    help = "Write a player from 1 to {most}, or allow more in the system: `players: 1..{number}`."
    explanation = """
        `players:` in the system limits how many can play.
    """
    bad = "rule end:\n  at dusk: win player 3\nevent dusk:\n  form: it is dusk\nverb nap:\n  effect: announce dusk"
    good = bad.replace("player 3", "player 1")


class Incomplete(Diagnostic):
    code = "FCB0414"
    title = "Incomplete statement"
    cause = "`{lead}` needs {what}."
    help = "Write `{usage}`."
    explanation = """
        Words in capitals are placeholders of your own names and values.
    """
    bad = _sample("let victim", "hurt target")
    good = _sample("let victim = target", "hurt victim")


class Misplaced(Diagnostic):
    code = "FCB0415"
    title = "Statement in the wrong place"
    cause = "`{lead}` cannot be here: {why}."
    help = "{cure}"
    explanation = """
        Some statements belong to certain blocks only. `fcb help effects` describes each of them.
    """
    bad = _sample("break")
    good = _sample("repeat 2 times:", "  break")


class UnknownFace(Diagnostic):
    code = "FCB0416"
    title = "Unknown face of a die"
    cause = "No face of {die} is called `{face}`."
    help = "Write a symbol of the die, a number (`4`, `2..3`, `5..`), or `else`."
    explanation = """
        The rows below `roll` name faces of the die that is rolled.
    """
    bad = _sample("roll coin:", "  edge: stop")
    good = _sample("roll coin:", "  tails: stop")


class OneNeeded(Diagnostic):
    code = "FCB0417"
    title = "List where one thing is needed"
    cause = "`{phrase}` can be several things, but this needs {wanted}."
    help = "Choose one (`choose x: …`), or repeat the line for each: `for each x in …:`."
    explanation = """
        Many verbs act on one thing. fcb does not choose one of several by itself.
    """
    bad = _sample("hurt unit")
    good = _sample("for each unit: hurt unit")


class NotAType(Diagnostic):
    code = "FCB0418"
    title = "Unknown type"
    cause = "`{phrase}` is not a type."
    help = "Write number, flag, text, die, space, player, zone, condition, effect, a kind, an enum, or `many` of one."
    explanation = """
        A parameter, stat or field has a type: `takes: target (unit), amount (number)`.
    """
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
    cause = "fcb cannot read `{phrase}` as {wanted}."
    help = "{why}"
    explanation = """
        fcb knows the words, but not in this order.
    """
    bad = _sample("if every unit: stop")
    good = _sample("if every unit is target: stop")


class TooDeep(Diagnostic):
    code = "FCB0422"
    title = "Too many nested phrases"
    cause = "The phrases here are nested too deeply."
    help = "Give a part of it a name first: `let x = …`."
    bad = _sample("if HP of " + "holder of " * 40 + "target > 1: stop")
    good = _sample("hurt target")


class UnknownSpace(Diagnostic):
    code = "FCB0419"
    title = "Unknown space"
    cause = "The map has no space `{space}`."
    help = "Write the letter of a column and the number of a row, counted from the top left of the map: `B3`."
    explanation = """
        Spaces of a map have coordinates, such as `B3`. On a graph, places have names.
    """
    bad = """
        test "off the map":
          map hex:
            art: |
              . . .
          expect A1 is next to A9
    """
    good = """
        test "on the map":
          map hex:
            art: |
              . . .
          expect A1 is next to B1
    """


class MissingPart(Diagnostic):
    code = "FCB0420"
    title = "Incomplete phrase"
    cause = "Something is missing after `{before}`."
    help = "Complete the line; `fcb vocab WORD` shows the form of a verb."
    explanation = """
        The line ends before the phrase is complete.
    """
    bad = _sample("hurt target's")
    good = _sample("hurt target")


class SpaceWithoutMap(Diagnostic):
    code = "FCB0423"
    title = "Coordinate without a map"
    cause = "`{space}` is a space of a map, but this text has no map."
    help = (
        "Name a mark or a group of spaces, move the line to the mission, or declare the card `for MISSION`."
        " In a test, write `use mission MISSION`."
    )
    explanation = """
        A card can be used in several missions, whose maps differ. A coordinate only has a meaning on one map.
    """
    bad = "verb home:\n  takes: who (piece)\n  effect: place who on A1"
    good = "mark home\nverb home:\n  takes: who (piece)\n  effect:\n    for each space marked home: place who on space"


class CapturedName(Diagnostic):
    code = "FCB0424"
    severity = "warning"
    title = "Name that the candidate of a filter takes"
    cause = "`{word}` belongs to the candidate here, but {rival} also has that name."
    help = "Write `it's {word}` for the candidate, or {other}."
    explanation = """
        In `where`, and in a criterion such as `nearest by HP`, a bare name belongs to the candidate. If `self`, `this`
        or a local has the same name, a reader cannot tell which one is meant. Write `it's target` or `self's target`,
        or give the other value its own name: `let heart = target`.
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
    title = "Filter that compares the candidate with itself"
    cause = "In `{phrase}`, `it` is that {noun} itself."
    help = "Turn the condition round (`any {noun} is on it`), or give the outer thing a name of its own."
    explanation = """
        A filter after a noun makes that noun the candidate: in `space where any hero on it`, `it` is the hero, who is
        always on their own space. In `any hero is on it`, `it` is the space.
    """
    bad = _sample("for each space where any unit on it: stop")
    good = _sample("for each space where any unit is on it: stop")


class ComputedFilter(Diagnostic):
    code = "FCB0431"
    severity = "warning"
    title = "Trigger that waits for a computed number"
    cause = "This trigger only matches a `{param}` of exactly {value}."
    help = "Write `any` to match every number. To compare, write `if {param} …` behind the event."
    explanation = """
        The value in the place of an event's number must be equal to it. `when dawn moves to 3` works as written. A
        computed number is often a mistake: a stat or measure with the same name as the parameter.
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
    title = "Word from another programming language"
    cause = "`{word}` has no meaning here."
    help = "Write `{cure}`."
    explanation = """
        Other languages use this word, but `.fcb` has a different one.
    """
    bad = _sample("if target's HP > 2: hurt target", "elif target's HP > 1: stop")
    good = _sample("if target's HP > 2: hurt target", "else if target's HP > 1: stop")


class UnknownPronoun(Diagnostic):
    code = "FCB0432"
    title = "Pronoun or article instead of a name"
    cause = "`{word}` has no meaning here."
    help = "{known}"
    explanation = """
        A text refers to a thing by its name: `choose foe: enemy` makes `foe` a name.
    """
    bad = _sample("hurt target", "if that's HP < 2: stop")
    good = _sample("hurt target", "if target's HP < 2: stop")


class WrongZone(Diagnostic):
    code = "FCB0438"
    title = "Thing in a zone of another kind"
    cause = "This zone is for {held:a}, but `{phrase}` is {kind:a}."
    help = "Name a zone that holds {kind:a}, or change the kind behind `of` where the zone is declared."
    explanation = """
        `zone bin of tool` holds tools, and things of the kinds below `tool`. Effects would never find anything else
        there.
    """
    bad = """
        kind tool is card:
          field weight: number, default 1
        kind hero is piece:
          stat HP: number
        zone bin of hero
        verb dump:
          takes: what (tool)
          effect: put what into bin
        """
    good = """
        kind tool is card:
          field weight: number, default 1
        kind hero is piece:
          stat HP: number
        zone bin of tool
        verb dump:
          takes: what (tool)
          effect: put what into bin
        """


class NeverOfKind(Diagnostic):
    code = "FCB0437"
    title = "Comparison with a kind that a thing never has"
    cause = "{kind:A} is never {phrase}."
    help = "Name {other:a} instead of the {kind}, or compare the {kind} with a kind or a thing that it can be."
    explanation = """
        Each thing has one kind, and with it the kinds above that one. If neither of two kinds is above the other,
        nothing is of both.
    """
    bad = _sample("if target is card: stop")
    good = _sample("if target is unit: stop")


class WhereOnOne(Diagnostic):
    code = "FCB0434"
    title = "Filter by `where` behind a single thing"
    cause = "A single thing cannot be filtered by `where`: `{phrase}` is {sort}."
    help = "Test the single thing in a condition: `if {phrase} …`. To filter a list, name its kind before `where`."
    explanation = """
        `where` removes the things from a list for which a condition is false. A local, `self` or a stat names one
        thing. Test it with `if`, or with `and` inside a condition.
    """
    bad = _sample("hurt target where HP > 2")
    good = _sample("if target's HP > 2: hurt target")


_WORK = """
        kind player:
          stat gold: number 0..
        kind house is card:
          field work: effect, for player
        house mine "Mine":
          work: self's gold +1
        flow:
          for each player: {}
        """


class NobodyPerforms(Diagnostic):
    code = "FCB0435"
    title = "Effect without the one it is for"
    cause = "`{field}` is an effect for {role}, but this line names none."
    help = "Write `perform {phrase} for WHO`. WHO is {role}."
    explanation = """
        `field NAME: effect, for KIND` gives the effect a role: `self` in it is a thing of this kind. Each use of the
        effect names this thing with `for`. Without it `self` would be the card that the effect belongs to.
    """
    bad = _WORK.format("perform mine's work")
    good = _WORK.format("perform mine's work for player")


class ArticleInMoment(Diagnostic):
    code = "FCB0433"
    title = "Article or condition in a trigger"
    cause = "A trigger names the noun alone, `{noun}`: not `{said}`."
    help = "Write `{noun}`, or `{noun} where …` for a condition. `any` alone means anything."
    explanation = """
        A trigger happens once for each thing. After `when wolf eats:`, the effect calls that one `wolf`.
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
    title = "Unknown name of a sort"
    cause = "There is no {sort} called `{name}`."
    help = "{known}"
    explanation = """
        This place needs a name of a certain sort, such as a value of an enum or a card of a kind.
    """
    bad = _sample("hurt (instance of untt)").replace("verb act:", "unit rat:\n  rank: 1\nverb act:")
    good = _sample("hurt (instance of rat)").replace("verb act:", "unit rat:\n  rank: 1\nverb act:")


class UnknownVerb(Diagnostic):
    code = "FCB0427"
    title = "Unknown verb"
    cause = "There is no verb called `{word}`."
    help = "{known}"
    explanation = """
        A line of an effect begins with a verb, a keyword or a statement of the language. `fcb vocab` lists them.
    """
    bad = _sample("Harm target")
    good = _sample("Nudge target")


class MissingPreposition(Diagnostic):
    code = "FCB0428"
    title = "Missing preposition"
    cause = "`{preposition}` is missing before `{word}`."
    help = "Write `{usage}`."
    explanation = """
        The prepositions of a verb or relation are part of its form.
    """
    bad = _sample("if HP target > 2: hurt target")
    good = _sample("if HP of target > 2: hurt target")


class NoBearer(Diagnostic):
    code = "FCB0436"
    title = "Marker on a thing that cannot have it"
    cause = "The {sort} `{name}` can only be on {bearer}, but `{phrase}` is {kind}."
    help = "{cure}"
    explanation = """
        Tokens are on spaces. A status is on the kind of things that its line `on:` names. On another thing, nothing
        would happen.
    """
    bad = """
        kind hero is piece:
          stat HP: number 0..
        token oil "oil"
        verb wipe:
          takes: who (hero)
          effect: clear oil from who
        """
    good = """
        kind hero is piece:
          stat HP: number 0..
        token oil "oil"
        verb wipe:
          takes: who (hero)
          effect: clear oil from who's place
        """
