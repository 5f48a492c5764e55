"""Explanations of why a logical line did not parse, in the author's terms."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field
from typing import TYPE_CHECKING, Any, cast

from fcbdsl.base.diagnostics import Diagnostic, Fix
from fcbdsl.base.diagnostics.articles import a
from fcbdsl.base.diagnostics.lines import (
    ChainedComparison,
    MissingOperand,
    Parenthesis,
    ReservedWord,
    SecondColon,
    TextAfterBar,
    Unexpected,
)
from fcbdsl.base.diagnostics.text import (
    ForeignCharacter,
    ForeignComment,
    ForeignOperator,
    GluedOperator,
    NameBeginsWithDigit,
    Tab,
    UnclosedString,
    UnknownCharacter,
    UnknownEscape,
)
from fcbdsl.base.records import dataclass
from fcbdsl.base.source import Source, Span
from fcbdsl.language.syntax.characters import REPLACEMENTS, character_name

if TYPE_CHECKING:
    from lark.exceptions import UnexpectedInput


@dataclass(frozen=True, slots=True)
class Mistake:
    """A finding whose place is relative to the start of its logical line, so that equal lines share it."""

    kind: type[Diagnostic]
    start: int
    end: int
    arguments: Mapping[str, Any] = field(default_factory=dict)
    replacement: str | None = None
    suggestion: str | None = None

    def at(self, source: Source, offset: int) -> Diagnostic:
        """Return the finding in the line that starts at `offset` of `source`."""
        span = Span(source, offset + self.start, offset + self.end)
        fix = None if self.replacement is None else Fix(span, self.replacement)
        return self.kind(span, fix=fix, suggestion=self.suggestion, **self.arguments)


_RESERVED = ("and", "or", "not", "where")

# Enough of the lexical rules to scan a line that the parser rejected; each character belongs to some token.
_TOKEN = re.compile(
    r"""(?P<skip>[ \n]+|\#(?=[ \n]|$)[^\n]*)
      | (?P<string>"(?:[^"\\\n]|\\.)*"?)
      | (?P<word>[^\W\d]\w*(?:-\w+)*(?:'s)?)
      | (?P<sign>==|<=|>=|!=|<>|=>|&&|\|\||->|.)""",
    re.VERBOSE,
)

_FOREIGN_OPERATORS = {
    "==": "=",
    "<>": "!=",
    "=>": ">=",
    "=<": "<=",
    "&&": "and",
    "||": "or",
    "&": "and",
    "!": "not",
    "~": "not",
    "[": "(",
    "]": ")",
    "{": "(",
    "}": ")",
}

_WORD = re.compile(r"[^\W\d]\w*")
_ESCAPE = re.compile(r"\\(.)")


def explain_failure(text: str, failure: UnexpectedInput) -> Mistake:
    """Return what is wrong with a line that raised `failure` when it was parsed."""
    from lark.exceptions import UnexpectedCharacters, UnexpectedToken

    if isinstance(failure, UnexpectedCharacters):
        position: int | None = cast(Any, failure).pos_in_stream  # Lark's annotation is wrong: None
        at = position or 0
        word = _WORD.match(text, at)
        start, end, wanted = at, word.end() if word else at, failure.allowed
    else:
        assert isinstance(failure, UnexpectedToken)
        if failure.token.type == "$END":
            return _early_end(text)
        start, wanted = failure.token.start_pos or 0, failure.expected
        end = start + len(failure.token)
    before = _last_token(text, start)
    if before is not None and text[slice(*before)] == "|" and text[: before[0]].rstrip().endswith(":"):
        return Mistake(TextAfterBar, start, len(text))
    operand_wanted = "NAME" in (wanted or ()) and "AND" not in (wanted or ())
    if operand_wanted and text[start:end] in _RESERVED:
        return Mistake(ReservedWord, start, end, {"word": text[start:end]})
    return _token(text, start, end) if end > start else _character(text, start)


def excess_at(text: str, limit: int) -> tuple[int, int] | None:
    """Return the range of the operator or parenthesis that is one too many between two commas, if any."""
    count = depth = 0
    for match in _TOKEN.finditer(text):
        token = match[0]
        if match.lastgroup == "word":
            count += token in _RESERVED
        elif match.lastgroup == "sign":
            if token == "(":
                depth += 1
            elif token == ")":
                depth -= 1
            if token in ",;:" and depth <= 0:
                count = 0
            elif token in "(+-*/=<>" or token in ("<=", ">=", "!="):
                count += 1
        if count > limit:
            return match.start(), match.end()
    return None


# ── characters that begin no token ─────────────────────────────────────────────────────────────


def _character(text: str, at: int) -> Mistake:
    """Return the mistake for a character that begins no token."""
    character = text[at]
    if character == '"':
        return _string(text, at)
    if character == "\t":
        return Mistake(Tab, at, at + 1, replacement="  ")
    if character.isdigit():
        return _number(text, at)
    foreign = _foreign_operator(text, at)
    if foreign is not None:
        return foreign
    if character in "+-":
        return Mistake(GluedOperator, at, at + 1, {"operator": character})
    if character in REPLACEMENTS:
        return _foreign_character(text, at)
    if character == "|":
        cure = "Write a bar only at the end of a line, after a colon: `art: |`."
    elif character == "#":
        cure = "Put a space after the `#` of a comment. In `rat#2`, a number follows it."
    elif character == "'":
        cure = "Put double quotes around a text, and `'s` directly after a name."
    elif character == ".":
        cure = "Remove the full stop; a range is `2..4`."
    else:
        cure = f"It is {a(character_name(character))}; put it in a string, or remove it."
    return Mistake(UnknownCharacter, at, at + 1, {"character": character, "cure": cure})


def _string(text: str, at: int) -> Mistake:
    match = re.compile(r'"(?:[^"\\\n]|\\.)*("?)').match(text, at)
    assert match is not None
    if match[1]:
        tab = match[0].find("\t")
        if tab >= 0:
            return Mistake(Tab, at + tab, at + tab + 1, replacement=" ")
        for escape in _ESCAPE.finditer(match[0]):
            if escape[1] not in '"\\n':
                start = at + escape.start()
                return Mistake(UnknownEscape, start, start + 2, {"text": escape[0]}, "\\" + escape[0])
    return Mistake(UnclosedString, at, match.end())


def _number(text: str, at: int) -> Mistake:
    match = re.compile(r"\w+").match(text, at)
    end = match.end() if match else at + 1
    return Mistake(NameBeginsWithDigit, at, end, {"text": text[at:end]})


def _foreign_operator(text: str, at: int) -> Mistake | None:
    for length in (2, 1):
        operator = text[at : at + length]
        if operator in _FOREIGN_OPERATORS:
            cure = _FOREIGN_OPERATORS[operator]
            return Mistake(ForeignOperator, at, at + len(operator), {"operator": operator, "cure": cure}, cure)
    return None


def _foreign_comment(text: str, at: int, before: int) -> Mistake | None:
    """Return the mistake of a comment in the syntax of another language; it may begin with the token before."""
    for start in (at, before):
        sign = text[start : start + 2]
        if sign in ("//", "/*"):
            return Mistake(ForeignComment, start, start + 2, {"text": sign}, "#" if sign == "//" else None)
    return None


def _foreign_character(text: str, at: int) -> Mistake:
    character = text[at]
    plain = REPLACEMENTS[character]
    cure = {"": "Delete it.", " ": "Type a plain space."}.get(plain, f"Type `{plain}`.")
    shown = character if character.isprintable() else " "
    arguments = {"character": shown, "name": character_name(character), "cure": cure}
    return Mistake(ForeignCharacter, at, at + 1, arguments, plain)


# ── tokens in the wrong place ──────────────────────────────────────────────────────────────────


def _early_end(text: str) -> Mistake:
    """Return the mistake of a line that ends too early."""
    opening = _open_parenthesis(text, len(text))
    before = _last_token(text, len(text))
    if before is None:
        return Mistake(Unexpected, 0, len(text), {"text": text, "cure": "Write a statement or a value."})
    start, end = before
    if text[start:end] == "(" or opening is None:
        return Mistake(MissingOperand, start, end, {"side": "after", "operator": text[start:end]})
    return Mistake(Parenthesis, opening, opening + 1, {"character": "(", "partner": ")"})


def _token(text: str, start: int, end: int) -> Mistake:
    """Return the mistake for a token that can't follow the one before it."""
    word = text[start:end]
    before = _last_token(text, start)
    previous = text[before[0] : before[1]] if before else ""
    if previous in _RESERVED and before and word in (":", ","):
        return Mistake(ReservedWord, *before, {"word": previous})
    comment = _foreign_comment(text, start, before[0] if before else start)
    if comment is not None:
        return comment
    foreign = _foreign_operator(text, start) if word != "=" else None
    if foreign is not None:
        return foreign
    if word == "=" and previous in ("=", "<", ">", "<=", ">=", "!=") and before and before[1] == start:
        operator = previous + word
        cure = _FOREIGN_OPERATORS.get(operator, previous)
        return Mistake(ForeignOperator, before[0], end, {"operator": operator, "cure": cure}, cure)
    if previous == "=" and word in (">", "<") and before and before[1] == start:
        cure = word + "="
        return Mistake(ForeignOperator, before[0], end, {"operator": previous + word, "cure": cure}, cure)
    if before is not None and not _ends_operand(previous):
        return Mistake(MissingOperand, *before, {"side": "after", "operator": previous})
    return _after_operand(text, start, end, before is None)


def _after_operand(text: str, start: int, end: int, first: bool) -> Mistake:
    """Return the mistake of a token that can't follow an operand (or begin a line, if `first`)."""
    word = text[start:end]
    opening = _open_parenthesis(text, start)
    if word == ")" and opening is None:
        return Mistake(Parenthesis, start, end, {"character": ")", "partner": "("})
    if word in ":;" and opening is not None:
        return Mistake(Parenthesis, opening, opening + 1, {"character": "(", "partner": ")"})
    if first or word in ",;)":
        return Mistake(MissingOperand, start, end, {"side": "before", "operator": word})
    if word == ":":
        return Mistake(SecondColon, start, end)
    if word in ("=", "!=", "<", "<=", ">", ">="):
        return Mistake(ChainedComparison, start, end, {"operator": word})
    cure = "Write one `where`, and join its conditions with `and`." if word == "where" else "Remove it."
    return Mistake(Unexpected, start, end, {"text": word, "cure": cure})


def _ends_operand(token: str) -> bool:
    """Return whether an expression can end with this token."""
    return token[-1] in '")_' or (token[-1].isalnum() and token not in _RESERVED) or token.endswith("..")


def _last_token(text: str, end: int) -> tuple[int, int] | None:
    """Return the range of the last token before `end`."""
    last = None
    for match in _TOKEN.finditer(text, 0, end):
        if match.lastgroup != "skip":
            last = match.span()
    return last


def _open_parenthesis(text: str, end: int) -> int | None:
    """Return the position of the innermost parenthesis that is still open at `end`; None if there is none."""
    still_open: list[int] = []
    for match in _TOKEN.finditer(text, 0, end):
        if match[0] == "(":
            still_open.append(match.start())
        elif match[0] == ")" and still_open:
            still_open.pop()
    return still_open[-1] if still_open else None
