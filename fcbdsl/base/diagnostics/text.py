"""Mistakes in the characters of a file: encoding, characters from elsewhere, strings, numbers."""

from __future__ import annotations

from fcbdsl.base.diagnostics.base import Diagnostic


class TextDiagnostic(Diagnostic):
    """A mistake found while reading text; later mistakes on its line are most often follow-on errors."""

    once_per_line = True


class NotText(TextDiagnostic):
    code = "FCB0101"
    title = "Not a text file"
    cause = "This file is not text: byte {byte} is zero."
    help = "Save it as plain text in UTF-8."
    explanation = """
        fcb reads plain text files. A zero byte means a picture, a document of a word processor, or UTF-16.
    """
    bad = ""
    good = 'weapon club "Club":\n  hands: 1'


class WrongEncoding(TextDiagnostic):
    code = "FCB0102"
    title = "Not UTF-8"
    cause = "This file is not in UTF-8: byte {byte} is 0x{value:02X}."
    help = "Save the file as UTF-8 in your editor."
    explanation = """
        Older encodings (Windows-1252, Latin-1, UTF-16) store accents in another way. fcb does not guess the encoding,
        because a wrong guess would put wrong letters on cards. Save the file as UTF-8 in your editor.
    """
    bad = ""
    good = 'weapon saw "Saw":\n  fr: "Scie à chaîne"'


class ByteOrderMark(TextDiagnostic):
    code = "FCB0103"
    severity = "warning"
    title = "Byte-order mark"
    cause = "The file begins with a byte-order mark, which fcb skips."
    help = "Save the file as UTF-8 without a byte-order mark."
    bad = ""
    good = "mark gate"


class Decomposed(TextDiagnostic):
    code = "FCB0104"
    title = "Letter with a separate accent"
    cause = "`{text}` is a letter followed by a separate accent."
    help = "Write it as one character; most editors can convert to the form NFC."
    explanation = """
        A letter such as é can be stored as one character or as two. Both look alike, so one name would become two. fcb
        reads the form with one character (Unicode NFC).
    """
    bad = 'weapon saw "Saw":\n  fr: "Scie a\u0300 bu\u0302ches"'
    good = 'weapon saw "Saw":\n  fr: "Scie à bûches"'


class ControlCharacter(TextDiagnostic):
    code = "FCB0105"
    title = "Invisible control character"
    cause = "There is an invisible character here: {name}."
    help = "Delete it."
    explanation = """
        Control characters and characters that change the direction of writing are invisible. They can make a line look
        different from what it does, so fcb rejects them, also in strings and comments.
    """
    bad = 'weapon club "Cl\u202eub":\n  hands: 1'
    good = 'weapon club "Club":\n  hands: 1'


class ForeignCharacter(TextDiagnostic):
    code = "FCB0106"
    title = "Typographic character outside a string"
    cause = "`{character}` is {name:a}, which has no meaning here."
    help = "{cure}"
    explanation = """
        Word processors and web pages replace plain characters by typographic ones: quotes “ ”, dashes – —, no-break
        spaces. fcb prints them inside a string. Outside a string, type the plain character.
    """
    bad = "weapon club “Club”:\n  hands: 1"
    good = 'weapon club "Club":\n  hands: 1'


class Tab(TextDiagnostic):
    code = "FCB0107"
    title = "Tab"
    cause = "There is a tab here."
    help = "Use spaces: two for each level of indentation."
    bad = "weapon club:\n\thands: 1"
    good = "weapon club:\n  hands: 1"


class UnclosedString(TextDiagnostic):
    code = "FCB0108"
    title = "Missing closing quote"
    cause = "This string has no closing quote on its line."
    help = 'Add `"` at its end.'
    bad = 'weapon club "Club:\n  hands: 1'
    good = 'weapon club "Club":\n  hands: 1'


class UnknownEscape(TextDiagnostic):
    code = "FCB0109"
    title = "Unknown escape sequence"
    cause = "`{text}` has no meaning in a string."
    help = r"Write a backslash as `\\`. The other escapes are `\"` and `\n`."
    explanation = r"""
        In a string, a backslash begins an escape: `\"` is a quote, `\n` a new line, `\\` a backslash.
    """
    bad = 'weapon club "Big\\club":\n  hands: 1'
    good = 'weapon club "Big\\\\club":\n  hands: 1'


class NameBeginsWithDigit(TextDiagnostic):
    code = "FCB0110"
    title = "Name begins with a digit"
    cause = "`{text}` is neither a number nor a name: a name begins with a letter."
    help = "Begin the name with a letter, or put a space after the number."
    explanation = """
        Names have letters, digits and hyphens: `nine-mm`.
    """
    bad = "weapon 9mm:\n  hands: 1"
    good = "weapon nine-mm:\n  hands: 1"


class UnknownCharacter(TextDiagnostic):
    code = "FCB0111"
    title = "Unexpected character"
    cause = "`{character}` has no meaning here."
    help = "{cure}"
    explanation = """
        Outside of strings, fcb reads letters, digits and the signs of the language.
    """
    bad = "weapon club:\n  hands: 1 @ 2"
    good = "weapon club:\n  hands: 1, 2"


class GluedOperator(TextDiagnostic):
    code = "FCB0112"
    title = "Operator without spaces"
    cause = "`{operator}` needs a space on both sides here."
    help = "Write `a {operator} b` to calculate; write `{operator}1` after a space to change a value by 1."
    explanation = """
        A hyphen can be part of a name (`line-of-sight`), and a sign can be part of a number (`HP -1`). So an operator
        between two values needs spaces: `HP - 1`.
    """
    bad = "rule r:\n  let x = 3+y"
    good = "rule r:\n  let x = 3 + y"


class ForeignOperator(TextDiagnostic):
    code = "FCB0113"
    title = "Operator from another language"
    cause = "`{operator}` is not an operator in this language."
    help = "Write `{cure}`."
    explanation = """
        Comparisons are `=`, `!=`, `<`, `<=`, `>` and `>=`; conditions use `and`, `or` and `not`.
    """
    bad = "rule r:\n  if x == 3: stop"
    good = "rule r:\n  if x = 3: stop"


class NumberTooLarge(TextDiagnostic):
    code = "FCB0115"
    title = "Number too large"
    cause = "This number is larger than the limit of {limit}."
    help = "Write a smaller number."
    explanation = """
        Numbers are whole and exact in every game, saved file and tool. The limit leaves room for calculations.
    """
    bad = "rule r:\n  let x = 9007199254740993"
    good = "rule r:\n  let x = 1000000000"


class ForeignComment(TextDiagnostic):
    code = "FCB0116"
    title = "Comment from another language"
    cause = "`{text}` does not begin a comment."
    help = "Begin a comment with `# ` (hash and space). For a division, write one `/`."
    explanation = """
        Everything from `# ` to the end of the line is a comment.
    """
    bad = "weapon club:\n  hands: 1 // one is enough"
    good = "weapon club:\n  hands: 1 # one is enough"


class LineTooLong(TextDiagnostic):
    code = "FCB0114"
    title = "Line too long"
    cause = "This line has {length} characters; the limit is {limit}."
    help = "Split it into several lines."
    explanation = """
        The limit keeps every file quick to read and check.
    """
    bad = ""
    good = "weapon club:\n  hands: 1"
