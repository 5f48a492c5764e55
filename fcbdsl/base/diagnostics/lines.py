"""Mistakes in the structure of lines and blocks."""

from __future__ import annotations

from fcbdsl.base.diagnostics.base import Diagnostic


class LineDiagnostic(Diagnostic):
    """A mistake of structure; later mistakes on its line are most often follow-on errors."""

    once_per_line = True


class MissingColon(LineDiagnostic):
    code = "FCB0201"
    title = "Missing colon"
    cause = "The lines below are indented, but this line has no colon at its end."
    help = "Add `:` to the end of this line, or remove the indentation below it."
    bad = "weapon club\n  hands: 1"
    good = "weapon club:\n  hands: 1"


class EmptyBlock(LineDiagnostic):
    code = "FCB0202"
    title = "Colon without a block"
    whole_line = True
    cause = "This line ends in a colon, but no indented line follows."
    help = "Indent the lines that belong to it by two spaces, or remove the colon."
    bad = "weapon club:\nweapon sling:\n  hands: 1"
    good = "weapon club:\n  hands: 2\nweapon sling:\n  hands: 1"


class OverIndented(LineDiagnostic):
    code = "FCB0203"
    title = "Too much indentation"
    cause = "This line has {column} spaces before it; {expected} would fit."
    help = "Indent each level by two spaces."
    explanation = """
        The indentation of a line shows to which line above it belongs.
    """
    bad = "weapon club:\n      hands: 1"
    good = "weapon club:\n  hands: 1"


class OddIndentation(LineDiagnostic):
    code = "FCB0204"
    title = "Odd indentation"
    cause = "This line has {column} spaces before it, but each level has two."
    help = "Indent it by {expected}."
    explanation = """
        The indentation of a line shows to which line above it belongs. Each level is two spaces.
    """
    bad = "weapon club:\n   hands: 1"
    good = "weapon club:\n  hands: 1"


class BlocksTooDeep(LineDiagnostic):
    code = "FCB0205"
    title = "Too many nested blocks"
    whole_line = True
    cause = "The blocks here are nested more than {limit} levels deep."
    help = "Move a part of it into a verb or measure."
    explanation = """
        The limit keeps every file readable and quick to check.
    """
    bad = ""
    good = "weapon club:\n  hands: 1"


class ExpressionTooDeep(LineDiagnostic):
    code = "FCB0206"
    title = "Expression too long"
    cause = "This expression has more than {limit} operators and parentheses."
    help = "Give a part of it a name with `let`, or declare a measure."
    explanation = """
        The limit keeps every file quick to check.
    """
    bad = ""
    good = "rule r:\n  let x = (1 + 2) * 3"


class ReservedWord(LineDiagnostic):
    code = "FCB0207"
    title = "Reserved word used as a name"
    cause = "`{word}` is a reserved word and cannot be a name."
    help = "Choose another name. The reserved words are `and`, `or`, `not` and `where`."
    explanation = """
        `and`, `or`, `not` and `where` join and negate expressions everywhere. Other words of the language, such as `if`
        or `roll`, can be names, except at the start of a statement.
    """
    bad = "weapon club:\n  or: 1"
    good = "weapon club:\n  other: 1"


class MissingOperand(LineDiagnostic):
    code = "FCB0208"
    title = "Operator without a value"
    cause = "There is no value {side} `{operator}`."
    help = "Add the value, or remove `{operator}`."
    explanation = """
        An operator such as `+` or `and` has a value on both sides.
    """
    bad = "rule r:\n  let x = 3 +"
    good = "rule r:\n  let x = 3 + 4"


class SecondColon(LineDiagnostic):
    code = "FCB0209"
    title = "Second colon on a line"
    cause = "This line already has a colon, and no block can begin here."
    help = "Move the second part to a line of its own, indented by two spaces more."
    explanation = """
        A field and its value take one line. A second colon is allowed after a word such as `if`, `for each`, `until` or
        `when`: `effect: for each hero: draw 1`.
    """
    bad = "weapon club:\n  hands: 1 cost: 2"
    good = "weapon club:\n  hands: 1\n  cost: 2"


class Parenthesis(LineDiagnostic):
    code = "FCB0210"
    title = "Unmatched parenthesis"
    cause = "This `{character}` has no `{partner}` on its line."
    help = "Add `{partner}`, or remove `{character}`."
    explanation = """
        A pair of parentheses opens and closes on the same line.
    """
    bad = "rule r:\n  let x = (3 + 4"
    good = "rule r:\n  let x = (3 + 4)"


class MissingBar(LineDiagnostic):
    code = "FCB0211"
    title = "Missing `|` before a text block"
    whole_line = True
    cause = "fcb reads the lines below as statements, but they look like a drawing or text."
    help = "End this line with `: |`. Then fcb takes the lines below as they are."
    bad = "mission m:\n  map hex:\n    art:\n      . . # .\n       . L . ."
    good = "mission m:\n  map hex:\n    art: |\n      . . # .\n       . L . ."


class EmptyText(LineDiagnostic):
    code = "FCB0212"
    title = "Empty text block"
    whole_line = True
    cause = "This line begins a text block, but no indented line follows."
    help = "Indent the text below this line by two spaces."
    bad = "map hex:\n  art: |\nrule r:\n  stop"
    good = "map hex:\n  art: |\n    . . .\nrule r:\n  stop"


class TextAfterBar(LineDiagnostic):
    code = "FCB0213"
    title = "Text after `|`"
    cause = "A text block begins on the line after `|`."
    help = "Move these words to the next line, and indent them."
    bad = "map hex:\n  art: | . . .\n    . . ."
    good = "map hex:\n  art: |\n    . . .\n    . . ."


class ChainedComparison(LineDiagnostic):
    code = "FCB0214"
    title = "Chained comparison"
    cause = "`{operator}` compares two values, but the left one is already a comparison."
    help = "Write two comparisons with `and`: `1 < x and x < 5`."
    explanation = """
        Each comparison has one value on each side.
    """
    bad = "rule r:\n  if 1 < x < 5: stop"
    good = "rule r:\n  if 1 < x and x < 5: stop"


class Unexpected(LineDiagnostic):
    code = "FCB0215"
    title = "Unexpected word or sign"
    cause = "`{text}` cannot be here."
    help = "{cure}"
    explanation = """
        fcb can read the line up to this word or sign.
    """
    bad = "rule r:\n  let x = a where b where c"
    good = "rule r:\n  let x = a where b and c"


class MissingIndentation(LineDiagnostic):
    code = "FCB0216"
    title = "Unindented continuation line"
    whole_line = True
    cause = "This line ends in a comma, but the next line is not indented."
    help = "Indent the next line below this one, or remove the comma."
    bad = "weapon club:\n  fits: pistol,\n  hands: 1"
    good = "weapon club:\n  fits: pistol,\n      rifle\n  hands: 1"
