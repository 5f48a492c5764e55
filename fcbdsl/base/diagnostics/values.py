"""Mistakes in values, boards and tracks."""

from __future__ import annotations

from collections.abc import Sequence

from fcbdsl.base.diagnostics.base import Diagnostic


class WrongValue(Diagnostic):
    code = "FCB0501"
    title = "Wrong type of value"
    cause = "`{field}` must be {wanted}, not {found}."
    help = "{cure}"
    explanation = """
        The kind declares the type of each field. `fcb vocab KIND` lists them.
    """
    bad = 'kind weapon:\n  field hands: number\nweapon club:\n  hands: "two"'
    good = "kind weapon:\n  field hands: number\nweapon club:\n  hands: 2"


class OutOfRange(Diagnostic):
    code = "FCB0502"
    title = "Number out of range"
    cause = "`{field}` {bounds}, but this is {value}."
    help = "Write a number in that range, or change the range where `{field}` is declared."
    explanation = """
        The declaration of a field can limit its values: `field hands: number 1..2`.
    """
    bad = "kind weapon:\n  field hands: number 1..2\nweapon club:\n  hands: 3"
    good = "kind weapon:\n  field hands: number 1..2\nweapon club:\n  hands: 2"


class WrongPartLine(Diagnostic):
    code = "FCB0503"
    title = "Wrong number of values"
    cause = "`{part}` has {found} value(s) here, but needs {wanted}: {names}."
    help = "Write the values in this order, separated by commas; then other fields as `NAME VALUE`."
    explanation = """
        `part attack: reach, harm` declares lines of two values: `attack: 1, 2`.
    """
    bad = """
        kind weapon:
          part attack: reach, harm; many
            field reach: number
            field harm: number
        weapon club:
          attack: 1
        """
    good = """
        kind weapon:
          part attack: reach, harm; many
            field reach: number
            field harm: number
        weapon club:
          attack: 1, 2
        """


class RangeBackwards(Diagnostic):
    code = "FCB0504"
    title = "Empty range"
    cause = "{low}..{high} contains no number: its end is smaller than its start."
    help = "Write the smaller number first: `{high}..{low}`."
    explanation = """
        A range includes both of its ends: `1..3` is 1, 2 and 3.
    """
    bad = "kind weapon:\n  field hands: number 2..1"
    good = "kind weapon:\n  field hands: number 1..2"


class NothingToKeep(Diagnostic):
    code = "FCB0505"
    title = "Value that a campaign cannot keep"
    cause = "A campaign cannot keep this between missions: {what}."
    help = (
        "Keep a number, a flag, a value of an enum, a die, a definition, or a figure, card or player with a definition."
    )
    explanation = """
        A campaign saves what it keeps by name, and gives it to the next mission. Spaces, records and tracks are not the
        same in two missions.
    """
    bad = 'kind hero is piece:\n  stat spot: space, kept\nhero ada "Ada":\n  copies: 1'
    good = 'kind hero is piece:\n  stat wounds: number 0.., kept\nhero ada "Ada":\n  copies: 1'


class OverBound(Diagnostic):
    code = "FCB0506"
    title = "Over a limit"
    cause = "{what} {found:,} {things}; the limit is {most:,}."
    help = "Reduce the number."
    explanation = """
        fcb limits the size of everything, so that it can check, save and play each game everywhere. The limits are far
        above what fits on a table.
    """
    bad = "die d:\n  faces: hit 2000"
    good = "die d:\n  faces: hit 5, miss 1"


class NotConstant(Diagnostic):
    code = "FCB0507"
    title = "Computed value of a printed field"
    cause = "fcb prints `{field}`, so its value cannot depend on the game."
    help = "Write the value itself, or declare `field {field}: formula`, which fcb computes at each use."
    explanation = """
        A printed value is the same in every game.
    """
    bad = """
        kind weapon:
          field hands: number
        measure twice:
          gives: number
          value: 2
        weapon club:
          hands: twice
        """
    good = """
        kind weapon:
          field hands: formula
        measure twice:
          gives: number
          value: 2
        weapon club:
          hands: twice
        """


class NoArt(Diagnostic):
    code = "FCB0510"
    title = "Map without spaces"
    cause = "This map has no {what}."
    help = "Draw it below `{key}`."
    explanation = """
        Spaces come from the drawing below `art: |`, or, on a graph, from the list below `places:`.
    """
    bad = 'mission m "M":\n  map hex:\n    legend:\n      "h": start'
    good = 'mission m "M":\n  map hex:\n    art: |\n      . .'


class UnknownMap(Diagnostic):
    code = "FCB0511"
    title = "Unknown type of map"
    cause = "`{name}` is not a type of map."
    help = "Write `map hex`, `map square`, `map square-8`, `map graph` or `map areas`."
    explanation = """
        The type of a map decides which spaces are adjacent. The board of the system decides which type its missions
        use.
    """
    bad = 'mission m "M":\n  map hexagonal:\n    art: |\n      . .'
    good = 'mission m "M":\n  map hex:\n    art: |\n      . .'


class UnknownGlyph(Diagnostic):
    code = "FCB0512"
    title = "Character missing in the legend"
    cause = "The map uses `{glyph}`, but its legend does not explain it."
    help = 'Add the line `"{glyph}": …` to the legend.'
    explanation = """
        Each character of a drawing, except `.`, needs a line in the legend: `"X": x-spot`.
    """
    bad = 'mission m "M":\n  map hex:\n    art: |\n      . X .'
    good = 'mark x-spot\nmission m "M":\n  map hex:\n    art: |\n      . X .\n    legend:\n      "X": x-spot'


class UnusedGlyph(Diagnostic):
    code = "FCB0513"
    severity = "warning"
    title = "Unused line of a legend"
    cause = "The legend explains `{glyph}`, but the map does not use it."
    help = "Draw `{glyph}` on the map, or remove this line."
    explanation = """
        Often the drawing uses another character than the legend.
    """
    bad = 'mark gate\nmission m "M":\n  map hex:\n    art: |\n      . .\n    legend:\n      "g": gate'
    good = 'mark gate\nmission m "M":\n  map hex:\n    art: |\n      . g\n    legend:\n      "g": gate'


class MisplacedCell(Diagnostic):
    code = "FCB0514"
    title = "Misaligned space on a map"
    cause = "This {what} is not in a column of spaces: {why}."
    help = "{cure}"
    explanation = """
        fcb reads spaces from fixed columns of the drawing. A shifted character would move a space.
    """
    bad = 'mission m "M":\n  map hex:\n    art: |\n      . . .\n      . . .'
    good = 'mission m "M":\n  map hex:\n    art: |\n      . . .\n       . . .'


class RaggedRow(Diagnostic):
    code = "FCB0519"
    severity = "warning"
    title = "Row of a map unlike the others"
    cause = "This row is unlike the others: {why}."
    help = 'Make the rows alike. If they differ on purpose, write `FCB0519 = "off"` below `[severity]` in fcb.toml.'
    explanation = """
        One more space in a row shifts the rest of the row by one space. Such a row ends beyond the rows above
        and below it.
        """
    bad = 'mission m "M":\n  map hex:\n    art: |\n      . . .\n       . . . . .\n      . . .\n       . . .'
    good = 'mission m "M":\n  map hex:\n    art: |\n      . . .\n       . . .\n      . . .\n       . . .'


class NotNeighbours(Diagnostic):
    code = "FCB0515"
    title = "Side between spaces that are not adjacent"
    cause = "`{first}` and `{second}` {why}, so they share no side."
    help = "Name two adjacent spaces, such as `A1/A2`."
    explanation = """
        Two adjacent spaces share a side, and a barrier is on a side.
    """
    bad = 'barrier wall:\n  blocks: sight\nmission m "M":\n  map hex:\n    art: |\n      . . .\n    wall: A1/C1'
    good = 'barrier wall:\n  blocks: sight\nmission m "M":\n  map hex:\n    art: |\n      . . .\n    wall: A1/B1'


class TwoPathsOneWay(Diagnostic):
    code = "FCB0518"
    title = "Two paths in one direction"
    cause = "From `{place}`, two paths lead {way}: to `{first}` and to `{second}`."
    help = "Give one path another direction, or none. `a N b` also leads back S, unless a line contains `b W a`."
    explanation = """
        A direction at a place leads to one other place.
    """
    bad = """
        system trail "Trail":
          board: graph
          directions: N-S
        mission m "M":
          map graph:
            places:
              inn
              mill
              oak
            paths:
              inn N mill
              inn N oak
        """
    good = """
        system trail "Trail":
          board: graph
          directions: N-S
        mission m "M":
          map graph:
            places:
              inn
              mill
              oak
            paths:
              inn N mill
              inn S oak
        """


class UnknownMapSpace(Diagnostic):
    code = "FCB0516"
    title = "Unknown space"
    cause = "This map has no space `{name}`."
    help = "Write the letter of the column and the number of the row, counted from the top left: `C1`."
    explanation = """
        Columns are letters and rows are numbers. On a graph, places have names.
    """
    bad = 'mission m "M":\n  map hex:\n    art: |\n      . . .\n    zone gate: D9'
    good = 'mission m "M":\n  map hex:\n    art: |\n      . . .\n    zone gate: C1'


class BadGlyph(Diagnostic):
    code = "FCB0517"
    title = "Invalid character in a legend"
    cause = "fcb cannot look for `{glyph}` on this map."
    help = "{cure}"
    explanation = """
        Each line of a legend explains one character of the drawing.
    """
    bad = 'mark gate\nmission m "M":\n  map hex:\n    art: |\n      . .\n    legend:\n      "gg": gate'
    good = 'mark gate\nmission m "M":\n  map hex:\n    art: |\n      . g\n    legend:\n      "g": gate'


class BeyondTrack(Diagnostic):
    code = "FCB0520"
    title = "Step beyond the end of a track"
    cause = "{what} {value} is not on the track, which goes from {low} to {high}."
    help = "Write a lower number, or make the track longer."
    explanation = """
        The game would never reach this step.
    """
    bad = 'mission m "M":\n  countdown dawn "Dawn":\n    length: 3\n    at 5: lose "Late."'
    good = 'mission m "M":\n  countdown dawn "Dawn":\n    length: 5\n    at 3: lose "Late."'


class EndlessTrack(Diagnostic):
    code = "FCB0521"
    title = "Track without a length"
    cause = "The {sort} `{name}` has no length."
    help = "Add the line `{key}`."
    explanation = """
        A countdown needs a `length`, a gauge needs a `range`.
    """
    bad = 'mission m "M":\n  countdown dawn "Dawn":\n    at 5: lose "Late."'
    good = 'mission m "M":\n  countdown dawn "Dawn":\n    length: 5\n    at 5: lose "Late."'


class BadDie(Diagnostic):
    code = "FCB0522"
    title = "Invalid die"
    cause = "{what}"
    help = "Write `faces: hit 5, miss 1` or `faces: 1..6`, or one line `face: melee, bullet` for each face."
    explanation = """
        A die has faces with numbers or faces with symbols.
    """
    bad = 'die red:\n  fr: "dé rouge"'
    good = "die red:\n  faces: hit 5, miss 1"


class PieceTwice(Diagnostic):
    code = "FCB0523"
    severity = "warning"
    title = "Piece named twice for one space"
    cause = "This line puts `{name}` on the space more than once."
    help = "Remove one of them. If both are wanted, write `{name} {count}`."
    explanation = """
        A line of a map names what is on a space. A number gives how many copies of a piece are there: `bay 2`. A name
        that is repeated is often a slip, so fcb asks for the number.
    """
    bad = """
        kind horse is piece:
          copies: 4
        horse bay
        mission m "M":
          map areas:
            art: |
              ab
            legend:
              "a": bay, bay
        """
    good = """
        kind horse is piece:
          copies: 4
        horse bay
        mission m "M":
          map areas:
            art: |
              ab
            legend:
              "a": bay 2
        """


class AmountBelowZero(Diagnostic):
    code = "FCB0524"
    severity = "warning"
    title = "Amount that can fall below zero"
    cause = "`{name}` can fall below 0 here, which turns the change of `{changed}` by `{verb}` around."
    help = "Declare `{name} (number 0..)` in `{verb}`, or write `{cure}` here."
    explanation = """
        If 3 is subtracted from a loss of 1, the loss is -2, which is a gain of 2. Players expect 0.
        A parameter with the range `number 0..` stops at 0.
    """
    bad = """
        kind hero is piece:
          stat HP: number 0.., starts 5
        verb hurt:
          takes: who (hero), amount (number)
          event: who is hurt by amount
          effect: who's HP becomes who's HP - amount
        hero bo "Bo":
          before self is hurt by any: amount -3
        flow: hurt bo#1 1
        """
    good = """
        kind hero is piece:
          stat HP: number 0.., starts 5
        verb hurt:
          takes: who (hero), amount (number 0..)
          event: who is hurt by amount
          effect: who's HP becomes who's HP - amount
        hero bo "Bo":
          before self is hurt by any: amount -3
        flow: hurt bo#1 1
        """


class BlankText(Diagnostic):
    code = "FCB0525"
    severity = "warning"
    title = "Empty text"
    cause = "This text is empty."
    help = "Write a text between the quotes, or remove the line."
    explanation = """
        Players would see nothing where a title, a story or a reminder belongs. Only `text en: ""` of a form may be
        empty: such a form is not printed.
    """
    bad = 'mark gate "", entry'
    good = 'mark gate "Gate", entry'

    @property
    def owners(self) -> Sequence[str]:
        """Return the words of the lines to which the text belongs."""
        words = self.arguments["owners"]
        assert isinstance(words, tuple)
        return words
