"""Mistakes in the structure of lines and blocks."""

from __future__ import annotations

from fcbdsl.diagnostics.base import Diagnostic


class LineDiagnostic(Diagnostic):
    """A mistake of structure: what follows it on its line is no news."""

    once_per_line = True


class MissingColon(LineDiagnostic):
    code = "FCB0201"
    title = "Missing colon"
    cause = "Lines are indented below this one, but it does not end in a colon."
    help = "Add `:` at its end, or align the lines below with it."
    bad = "weapon club\n  hands: 1"
    good = "weapon club:\n  hands: 1"


class EmptyBlock(LineDiagnostic):
    code = "FCB0202"
    title = "Nothing below a colon"
    whole_line = True
    cause = "This line ends in a colon, but nothing is indented below it."
    help = "Indent what belongs to it by two spaces, or take the colon away."
    bad = "weapon club:\nweapon sling:\n  hands: 1"
    good = "weapon club:\n  hands: 2\nweapon sling:\n  hands: 1"


class OverIndented(LineDiagnostic):
    code = "FCB0203"
    title = "Indented too far"
    cause = "This line is indented by {column} spaces, where {expected} would fit."
    help = "Indent each level by two spaces."
    bad = "weapon club:\n      hands: 1"
    good = "weapon club:\n  hands: 1"


class OddIndentation(LineDiagnostic):
    code = "FCB0204"
    title = "Odd indentation"
    cause = "This line is indented by {column} spaces, which is no level: each level is two spaces."
    help = "Indent it by {expected}."
    bad = "weapon club:\n   hands: 1"
    good = "weapon club:\n  hands: 1"


class BlocksTooDeep(LineDiagnostic):
    code = "FCB0205"
    title = "Blocks nested too deeply"
    whole_line = True
    cause = "Blocks are nested more than {limit} levels deep here."
    help = "Move a part of it into a declaration of its own."
    bad = ""
    good = "weapon club:\n  hands: 1"


class ExpressionTooDeep(LineDiagnostic):
    code = "FCB0206"
    title = "Expression too complex"
    cause = "This expression has more than {limit} operators and parentheses."
    help = "Name a part of it with `let`, or declare a measure."
    bad = ""
    good = "rule r:\n  let x = (1 + 2) * 3"


class ReservedWord(LineDiagnostic):
    code = "FCB0207"
    title = "Reserved word used as a name"
    cause = "`{word}` is a reserved word; it can't be used as a name."
    help = "Choose another name. Reserved are `and`, `or`, `not` and `where`."
    explanation = """
        `and`, `or`, `not` and `where` join or negate expressions everywhere, so nothing can be called by them.
        All other words of the language (`if`, `at`, `roll` …) are ordinary words except at the start of a statement.
        """
    bad = "weapon club:\n  or: 1"
    good = "weapon club:\n  other: 1"


class MissingOperand(LineDiagnostic):
    code = "FCB0208"
    title = "Something is missing"
    cause = "Something is missing {side} `{operator}`."
    help = "Complete it, or take `{operator}` away."
    bad = "rule r:\n  let x = 3 +"
    good = "rule r:\n  let x = 3 + 4"


class SecondColon(LineDiagnostic):
    code = "FCB0209"
    title = "Second colon on a line"
    cause = "This line has a colon already, and what stands before this one opens no block."
    help = "Put what follows on a line of its own, indented below."
    explanation = """
        A field and its value stand on a line of their own. A second colon is understood once, behind a clause that
        begins with a word such as `if`, `for each`, `until` or `when`: `effect: for each hero: draw 1`.
        """
    bad = "weapon club:\n  hands: 1 cost: 2"
    good = "weapon club:\n  hands: 1\n  cost: 2"


class Parenthesis(LineDiagnostic):
    code = "FCB0210"
    title = "Parenthesis without its partner"
    cause = "This `{character}` has no matching `{partner}` on its line."
    help = "Add `{partner}`, or take `{character}` away."
    bad = "rule r:\n  let x = (3 + 4"
    good = "rule r:\n  let x = (3 + 4)"


class MissingBar(LineDiagnostic):
    code = "FCB0211"
    title = "Text block without a bar"
    whole_line = True
    cause = "The lines below look like a drawing or a text, but are read as statements."
    help = "End this line in `: |`; then everything below it is taken as it stands."
    bad = "mission m:\n  map hex:\n    art:\n      . . # .\n       . L . ."
    good = "mission m:\n  map hex:\n    art: |\n      . . # .\n       . L . ."


class EmptyText(LineDiagnostic):
    code = "FCB0212"
    title = "Empty text block"
    whole_line = True
    cause = "This line announces a text, but nothing is indented below it."
    help = "Indent the text below it."
    bad = "map hex:\n  art: |\nrule r:\n  stop"
    good = "map hex:\n  art: |\n    . . .\nrule r:\n  stop"


class TextAfterBar(LineDiagnostic):
    code = "FCB0213"
    title = "Text beside the bar"
    cause = "A text block begins on the line after `|`."
    help = "Move this to the next line, indented."
    bad = "map hex:\n  art: | . . .\n    . . ."
    good = "map hex:\n  art: |\n    . . .\n    . . ."


class ChainedComparison(LineDiagnostic):
    code = "FCB0214"
    title = "Chained comparison"
    cause = "`{operator}` compares two values, and the left one is itself a comparison."
    help = "Join two comparisons with `and`: `1 < x and x < 5`."
    bad = "rule r:\n  if 1 < x < 5: stop"
    good = "rule r:\n  if 1 < x and x < 5: stop"


class Unexpected(LineDiagnostic):
    code = "FCB0215"
    title = "Unexpected word or sign"
    cause = "`{text}` can't stand here."
    help = "{cure}"
    bad = "rule r:\n  let x = a where b where c"
    good = "rule r:\n  let x = a where b and c"


class MissingIndentation(LineDiagnostic):
    code = "FCB0216"
    title = "Continuation without indentation"
    whole_line = True
    cause = "This line ends in a comma, but the next one is not indented below it."
    help = "Indent the continuation, or take the comma away."
    bad = "weapon club:\n  fits: pistol,\n  hands: 1"
    good = "weapon club:\n  fits: pistol,\n      rifle\n  hands: 1"
