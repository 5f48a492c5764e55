"""Mistakes in values, boards and tracks."""

from __future__ import annotations

from fcbdsl.diagnostics.base import Diagnostic


class WrongValue(Diagnostic):
    code = "FCB0501"
    title = "Value of the wrong type"
    cause = "`{field}` is {wanted}, not {found}."
    help = "{cure}"
    bad = 'kind weapon:\n  field hands: number\nweapon club:\n  hands: "two"'
    good = "kind weapon:\n  field hands: number\nweapon club:\n  hands: 2"


class OutOfRange(Diagnostic):
    code = "FCB0502"
    title = "Number out of range"
    cause = "`{field}` {bounds}; this is {value}."
    help = ""
    bad = "kind weapon:\n  field hands: number 1..2\nweapon club:\n  hands: 3"
    good = "kind weapon:\n  field hands: number 1..2\nweapon club:\n  hands: 2"


class WrongPartLine(Diagnostic):
    code = "FCB0503"
    title = "Line of a part with the wrong values"
    cause = "`{part}` takes {wanted} value(s): {names}; this line has {found}."
    help = "Further fields follow as `NAME VALUE`."
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
    title = "Range that holds nothing"
    cause = "{low}..{high} holds no number: its end lies before its start."
    help = "Write the smaller number first."
    bad = "kind weapon:\n  field hands: number 2..1"
    good = "kind weapon:\n  field hands: number 1..2"


class NothingToKeep(Diagnostic):
    code = "FCB0505"
    title = "Something that can't be kept"
    cause = "This can't be kept from mission to mission: {what}."
    help = (
        "Kept are numbers, flags, enum values, dice, definitions, and figures, cards and players, of what is defined."
    )
    explanation = """
        What is kept passes from a campaign into the next mission and back, and is saved by name. Spaces, records,
        tracks and the like are not the same in two missions; markers with an owner may lose him.
        """
    bad = 'kind hero is piece:\n  stat spot: space, kept\nhero ada "Ada":\n  copies: 1'
    good = 'kind hero is piece:\n  stat wounds: number 0.., kept\nhero ada "Ada":\n  copies: 1'


class OverBound(Diagnostic):
    code = "FCB0506"
    title = "More than there may be"
    cause = "{what} {found:,} {things}; at most {most:,} are possible."
    help = "Make do with fewer."
    explanation = """
        Everything is bounded by counts, so that every game can be checked, saved and played anywhere: spaces of a map,
        faces of a die, copies of a card, players, kinds that descend from one another. The bounds lie far above what
        a table can hold.
        """
    bad = "die d:\n  faces: hit 2000"
    good = "die d:\n  faces: hit 5, miss 1"


class NotConstant(Diagnostic):
    code = "FCB0507"
    title = "Printed value that is not fixed"
    cause = "`{field}` is printed on it, so its value must be fixed; this is worked out during the game."
    help = "Write the value itself, or declare the field as a `formula`, which is worked out whenever it is read."
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
    bad = 'mission m "M":\n  map hex:\n    legend:\n      "h": start'
    good = 'mission m "M":\n  map hex:\n    art: |\n      . .'


class UnknownMap(Diagnostic):
    code = "FCB0511"
    title = "Unknown sort of map"
    cause = "`{name}` is no sort of map."
    help = "Maps are `hex`, `square`, `square-8`, `graph` or `areas`."
    bad = 'mission m "M":\n  map hexagonal:\n    art: |\n      . .'
    good = 'mission m "M":\n  map hex:\n    art: |\n      . .'


class UnknownGlyph(Diagnostic):
    code = "FCB0512"
    title = "Glyph without meaning"
    cause = "`{glyph}` stands on the map, but the legend does not explain it."
    help = 'Add a line `"{glyph}": …` to the legend.'
    bad = 'mission m "M":\n  map hex:\n    art: |\n      . X .'
    good = 'mark x-spot\nmission m "M":\n  map hex:\n    art: |\n      . X .\n    legend:\n      "X": x-spot'


class UnusedGlyph(Diagnostic):
    code = "FCB0513"
    severity = "warning"
    title = "Glyph that the map lacks"
    cause = "The legend explains `{glyph}`, but the map has none."
    help = "Put it on the map, or take the line away."
    bad = 'mark gate\nmission m "M":\n  map hex:\n    art: |\n      . .\n    legend:\n      "g": gate'
    good = 'mark gate\nmission m "M":\n  map hex:\n    art: |\n      . g\n    legend:\n      "g": gate'


class MisplacedCell(Diagnostic):
    code = "FCB0514"
    title = "Cell out of its column"
    cause = "This {what} stands where no cell can be: {why}."
    help = "{cure}"
    bad = 'mission m "M":\n  map hex:\n    art: |\n      . . .\n      . . .'
    good = 'mission m "M":\n  map hex:\n    art: |\n      . . .\n       . . .'


class NotNeighbours(Diagnostic):
    code = "FCB0515"
    title = "No side there"
    cause = "`{first}` and `{second}` {why}, so no side lies between them."
    help = "Sides are written between two spaces that touch, as `A1/A2`."
    bad = 'barrier wall:\n  blocks: sight\nmission m "M":\n  map hex:\n    art: |\n      . . .\n    wall: A1/C1'
    good = 'barrier wall:\n  blocks: sight\nmission m "M":\n  map hex:\n    art: |\n      . . .\n    wall: A1/B1'


class TwoPathsOneWay(Diagnostic):
    code = "FCB0518"
    title = "Two paths in one direction"
    cause = "From `{place}` two paths lead {way}: to `{first}` and to `{second}`."
    help = "Give one of them another direction, or none. `a N b` leads back S unless a line says otherwise: `b W a`."
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
    help = "A space is called by the letter of its column and the number of its row, from the top left."
    bad = 'mission m "M":\n  map hex:\n    art: |\n      . . .\n    zone gate: D9'
    good = 'mission m "M":\n  map hex:\n    art: |\n      . . .\n    zone gate: C1'


class BadGlyph(Diagnostic):
    code = "FCB0517"
    title = "Not a glyph"
    cause = "`{glyph}` can't be looked for on this map."
    help = "{cure}"
    bad = 'mark gate\nmission m "M":\n  map hex:\n    art: |\n      . .\n    legend:\n      "gg": gate'
    good = 'mark gate\nmission m "M":\n  map hex:\n    art: |\n      . g\n    legend:\n      "g": gate'


class BeyondTrack(Diagnostic):
    code = "FCB0520"
    title = "Beyond the track"
    cause = "{what} {value} lies beyond the track, which goes from {low} to {high}."
    help = "It would never be reached: lower it, or make the track longer."
    bad = 'mission m "M":\n  countdown dawn "Dawn":\n    length: 3\n    at 5: lose "Late."'
    good = 'mission m "M":\n  countdown dawn "Dawn":\n    length: 5\n    at 3: lose "Late."'


class EndlessTrack(Diagnostic):
    code = "FCB0521"
    title = "Track without an end"
    cause = "The {sort} `{name}` does not say how far it goes."
    help = "Give it `{key}`."
    bad = 'mission m "M":\n  countdown dawn "Dawn":\n    at 5: lose "Late."'
    good = 'mission m "M":\n  countdown dawn "Dawn":\n    length: 5\n    at 5: lose "Late."'


class BadDie(Diagnostic):
    code = "FCB0522"
    title = "Die without faces"
    cause = "{what}"
    help = "Write `faces: hit 5, miss 1`, `faces: 1..6`, or one line `face: melee, bullet` for each face."
    bad = 'die red:\n  fr: "dé rouge"'
    good = "die red:\n  faces: hit 5, miss 1"
