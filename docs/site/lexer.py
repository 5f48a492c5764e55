"""Colors for sources on the site, by the rules that editors have (`editors/vscode/syntaxes`)."""

from __future__ import annotations

import json
import re
from pathlib import Path

from pygments.lexer import RegexLexer, bygroups
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Text

GRAMMAR = Path(__file__).parents[2] / "editors" / "vscode" / "syntaxes" / "fcb.tmLanguage.json"
RULES = json.loads(GRAMMAR.read_text(encoding="utf-8"))["repository"]
DRAWING = r"^( *)([^\W\d][\w-]*)([^\S\n]*:[^\S\n]*)(\|[^\S\n]*\n)((?:\1 +.*\n|[^\S\n]*\n)*)"
"""Matches a raw block: the line that opens it, and the lines below that are indented further."""
TOKENS = {
    "keyword.control": Keyword,
    "keyword.operator.word": Operator.Word,
    "variable.language": Name.Builtin,
    "constant.language": Keyword.Constant,
    "constant.numeric": Number,
    "variable.other.copy": Name.Variable,
    "keyword.operator": Operator,
    "punctuation": Punctuation,
}


def _python(pattern: str) -> str:
    """Return the pattern of an editor for Python, which accepts only lookbehinds of one width."""
    return pattern.replace("(?<=^|[:;])", "(?:^|(?<=[:;]))")


def _phrases() -> list[tuple[str, object]]:
    rows: list[tuple[str, object]] = []
    for rule in RULES["phrase"]["patterns"]:
        name = rule.get("name", "")
        if "match" in rule:
            rows.append(
                (_python(rule["match"]), next((TOKENS[token] for token in TOKENS if name.startswith(token)), Text))
            )
    return rows


class FcbLexer(RegexLexer):
    """Sources of the language."""

    name = "fcb"
    aliases = ("fcb",)
    flags = re.MULTILINE
    tokens = {  # noqa: RUF012  Pygments wants it so
        "root": [
            (DRAWING, bygroups(Text, Name.Attribute, Punctuation, Operator, String)),
            (_python(RULES["comment"]["match"]), Comment),
            (RULES["head"]["captures"]["1"]["patterns"][0]["match"].replace("$", r"(?![\w-])"), Keyword.Declaration),
            (r"^[^\W\d][\w-]*(?=[\s:,\"]|$)", Name.Class),
            (
                RULES["field"]["match"].replace("^ +", "^( +)").replace(r"\s*(:)", r"(\s*:)"),
                bygroups(Text, Name.Attribute, Punctuation),
            ),
            (r'"(?:\\.|[^"\\\n])*"?', String),
            *_phrases(),
            (r"\n|[^\S\n]+|.", Text),
        ],
    }
