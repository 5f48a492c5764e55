"""Mistakes in the characters of a file: encoding, characters from elsewhere, strings, numbers."""

from __future__ import annotations

from fcbdsl.diagnostics.base import Diagnostic


class TextDiagnostic(Diagnostic):
    """A mistake found while reading text: what follows it on its line is no news."""

    once_per_line = True


class NotText(TextDiagnostic):
    code = "FCB0101"
    title = "Not a text file"
    cause = "This file is no text: it has a zero byte at byte {byte}."
    help = "Save the content as plain text in UTF-8."
    bad = ""
    good = 'weapon club "Club":\n  hands: 1'


class WrongEncoding(TextDiagnostic):
    code = "FCB0102"
    title = "Not UTF-8"
    cause = "This file is not encoded in UTF-8: byte {byte} is 0x{value:02X}."
    help = "Save the file as UTF-8 in your editor."
    explanation = """
        Files are read as UTF-8. An older encoding (Windows-1252, Latin-1, UTF-16) spells accents in another way,
        and guessing it would put wrong letters on cards. Save the file as UTF-8 in your editor.
        """
    bad = ""
    good = 'weapon saw "Saw":\n  fr: "Scie à chaîne"'


class ByteOrderMark(TextDiagnostic):
    code = "FCB0103"
    severity = "warning"
    title = "Byte-order mark"
    cause = "The file begins with a byte-order mark, which is skipped."
    help = "Save the file as UTF-8 without a byte-order mark."
    bad = ""
    good = "use core"


class Decomposed(TextDiagnostic):
    code = "FCB0104"
    title = "Decomposed letter"
    cause = "`{text}` is written as a letter followed by a separate accent."
    help = "Write it as one character."
    explanation = """
        One letter can be stored as one character (é) or as two (e and a combining accent). They look alike and are
        not equal, so a name written in both ways would be two names. Files are written in the composed form
        (Unicode NFC); most editors can convert.
        """
    bad = 'weapon saw "Saw":\n  fr: "Scie a\u0300 bu\u0302ches"'
    good = 'weapon saw "Saw":\n  fr: "Scie à bûches"'


class ControlCharacter(TextDiagnostic):
    code = "FCB0105"
    title = "Invisible control character"
    cause = "There is an invisible character here: {name}."
    help = "Delete it."
    explanation = """
        Control characters, and characters that change the direction of writing, can't be seen and can make a line
        read differently from what it does. They are refused everywhere, in strings and comments too.
        """
    bad = 'weapon club "Cl\u202eub":\n  hands: 1'
    good = 'weapon club "Club":\n  hands: 1'


class ForeignCharacter(TextDiagnostic):
    code = "FCB0106"
    title = "Typographic character outside a string"
    cause = "`{character}` is {name:a}, which has no meaning here."
    help = "{cure}"
    explanation = """
        Word processors and web pages turn plain characters into typographic ones: quotes “ ”, dashes – —, no-break
        spaces. Inside a string they are welcome, they are printed. Outside they are not what they look like; type
        the plain character.
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
    title = "String without end"
    cause = "This string has no closing quote on its line."
    help = 'Add `"` at its end.'
    bad = 'weapon club "Club:\n  hands: 1'
    good = 'weapon club "Club":\n  hands: 1'


class UnknownEscape(TextDiagnostic):
    code = "FCB0109"
    title = "Unknown escape"
    cause = "`{text}` means nothing in a string."
    help = r"The escapes are `\"`, `\\` and `\n`; write a backslash as `\\`."
    bad = 'weapon club "Big\\club":\n  hands: 1'
    good = 'weapon club "Big\\\\club":\n  hands: 1'


class NameBeginsWithDigit(TextDiagnostic):
    code = "FCB0110"
    title = "Name begins with a digit"
    cause = "`{text}` is neither a number nor a name: a name may not begin with a digit."
    help = "Begin the name with a letter, or put a space after the number."
    bad = "weapon 9mm:\n  hands: 1"
    good = "weapon nine-mm:\n  hands: 1"


class UnknownCharacter(TextDiagnostic):
    code = "FCB0111"
    title = "Character without meaning"
    cause = "`{character}` has no meaning here."
    help = "{cure}"
    bad = "weapon club:\n  hands: 1 @ 2"
    good = "weapon club:\n  hands: 1, 2"


class GluedOperator(TextDiagnostic):
    code = "FCB0112"
    title = "Operator without spaces"
    cause = "`{operator}` needs a space on either side here."
    help = "Write `a {operator} b` for arithmetic; `{operator}1` after a space changes something by 1."
    explanation = """
        A hyphen can be part of a name (`line-of-sight`) and a sign part of a number (`HP -1`), so that an operator
        between two values stands between spaces: `HP - 1`.
        """
    bad = "rule r:\n  let x = 3+y"
    good = "rule r:\n  let x = 3 + y"


class ForeignOperator(TextDiagnostic):
    code = "FCB0113"
    title = "Operator of another language"
    cause = "`{operator}` is no operator here."
    help = "Write `{cure}`."
    bad = "rule r:\n  if x == 3: stop"
    good = "rule r:\n  if x = 3: stop"


class NumberTooLarge(TextDiagnostic):
    code = "FCB0115"
    title = "Number too large"
    cause = "This number is larger than {limit}, the largest that can be written."
    help = "Write a smaller one."
    explanation = """
        Numbers are whole, and kept exact wherever a game is played, saved or read. That takes a bound, and this one
        leaves room for what is reckoned with them.
        """
    bad = "rule r:\n  let x = 9007199254740993"
    good = "rule r:\n  let x = 1000000000"


class ForeignComment(TextDiagnostic):
    code = "FCB0116"
    title = "Comment of another language"
    cause = "`{text}` begins no comment here."
    help = "A comment begins with `# ` (hash and space); a division is one `/`."
    bad = "weapon club:\n  hands: 1 // one is enough"
    good = "weapon club:\n  hands: 1 # one is enough"


class LineTooLong(TextDiagnostic):
    code = "FCB0114"
    title = "Line too long"
    cause = "This line has {length} characters; at most {limit} are read."
    help = "Split it into several statements or lines."
    bad = ""
    good = "weapon club:\n  hands: 1"
