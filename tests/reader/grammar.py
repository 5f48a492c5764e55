"""A Lark grammar of the controlled English of a game, made from the wordings that its system declares.

It does not use the generator: of `fcbdsl.prose` nothing is imported. From the model it takes what an author declared:
`text en:` of verbs, keywords, relations, measures and events, titles, and names of kinds. The rest is fixed sentences.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from lark import Lark

from fcbdsl.model import ir
from fcbdsl.model.declarations import Name, Param
from fcbdsl.model.whole import Model

FIXED = r"""
start: ("• ")? [heading] sentence
heading: HEADING+
sentence: lead* steps "."? ["," " where X is " value "."] | lead+
lead: "Twice: " | "twice: " | INT " times: " | ("If you do, " | "if you do, ") | ("Otherwise, " | "otherwise, ")
  | ("If " | "if ") cond ", " | ("When " | "when ") event [ROUGH] ": " | event [ROUGH] ": " | "Only if " cond "."?
  | ("Choose one:" | "In any order:" | "You may choose one:") | LABEL
  | ("Until " | "until ") (MOMENT | occasion) ", "
  | ("If " | "if ") occasion [", if " cond] ", " ["do this instead: "]
  | ("If that is done, " | "if that is done, ")
  | ("For " | "for ") np ", "
LABEL: /(\d+( or more|–\d+)?|[A-Z][a-z]+): /
ROUGH: /(, first| \(once per \w+\))+/
cond: np (" is " | " are " | " is not " | " are not ") (qual | ADJ)
  | np (" is " | " are ") np
  | says
  | cond (" and " | " or ") cond
  | "there is " np
  | "you have " amount " " STAT
event: occasion [", if " cond]
value: amount | np | "the number of " np | measure
steps: step (_JOIN step)*
_JOIN: ", then " | "; " | ", and " | " and " | ", "
step: do " instead"? | choose | have | gain | lose | may | nothing | end | set " instead"?
choose: ("choose " | "Choose " | "pick at random " | "Pick at random ") np
may: ("you may " | "You may ") step
have: np (" has " | " have ") change ((", " | " and ") change)*
change: (SIGNED | INT) " " "maximum "? STAT
nothing: "Do nothing" | "do nothing"
end: ("You " | "you ") ("win" | "lose")
set: ("Set " | "set ") np " to " value
  | np (" becomes " | " become ") np
gain: ("gain " | "Gain ") INT " " STAT -> gain_you
    | np " gains " INT " " STAT -> gain_other
lose: ("lose " | "Lose ") INT " " STAT -> lose_you
    | np " loses " INT " " STAT -> lose_other
np: YOU -> you
  | THIS -> this
  | THAT -> that
  | [DET] TITLE quals -> title
  | "“" TITLE "”" -> title
  | "the " REF -> ref
  | owner STAT -> stat
  | owner (ADJ " ")* NOUN quals -> place
  | [DET] (ADJ " ")* NOUN quals [" (tie: " TIE ")"] -> selection
  | [DET] INT " " (ADJ " ")* NOUN quals -> selection
  | np " and " np -> both
  | np ", " np " and " np -> both
  | measure
  | CARDS
owner: "your " | THIS "’s " | THAT "’s " | TITLE "’s " | "the " REF "’s "
quals: (_QUAL (qual | best | having))* [" except " np]
_QUAL: " " | " and " | " or "
best: "with the " ("highest " | "lowest ") STAT
having: ("with " | "without ") DET? COUNTER (" or " DET? COUNTER)? | "with " amount " " STAT | ("from " | "in ") np
CARDS: "anybody" | "somebody"
TIE: /[^()]+/
amount: INT | XVALUE | SIGNED
XVALUE: "X"
DET.2: /[Aa]n? |[Ee]ach other |[Ee]ach |[Aa]ll other |[Aa]ll |[Aa]nother |[Oo]ther |[Tt]he |[Aa]ny |up to \d+ /
YOU: /[Yy]ou(rself)?/
INT: /\d+/
SIGNED: /[+−]\d+/
"""


@dataclass
class Rules:
    """The rules of a game's grammar, and what each names."""

    model: Model
    lines: list[str] = field(default_factory=list)
    templates: dict[str, tuple[str, str]] = field(default_factory=dict)
    """By rule: the sort (`do`, `qual`, `event`) and the template."""

    def add(self, sort: str, template: str, params: Sequence[Param], first: int = 0) -> None:
        name = f"{sort}_{len(self.templates)}"
        spoken = [way for one in choices(template) for way in {one: None, re.sub(OF_YOU, r"{\2's} \1", one): None}]
        bodies = [body for one in spoken for body in [symbols(one, params)] if body]
        if bodies:
            self.templates[name] = sort, template
            self.lines.append(f"{name}: " + "\n  | ".join(dict.fromkeys(bodies)))

    def of(self, sort: str) -> str:
        found = [name for name, (of, _) in self.templates.items() if of == sort]
        return f"{sort}: " + " | ".join(found) if found else f'{sort}: "\ue000"'


def choices(template: str) -> list[str]:
    """Return a template said and denied."""
    if not re.search(r"<([^<>|]*)\|([^<>]*)>", template):
        return [template]
    return [re.sub(r"<([^<>|]*)\|([^<>]*)>", rf"\{at}", template) for at in (1, 2)]


OF_YOU = r"the (\w+) of \{(\w+)\}"
"""« The space of you » is printed as « your space »."""
_PIECE = re.compile(r"\{([^{}]+)\}|\[([^\[\]]*)\]|([^{}\[\]]+)")


def symbols(template: str, params: Sequence[Param]) -> str:
    """Return a template as a right side of a rule; empty if it says nothing."""
    types = {param.name: param.type for param in params}
    out: list[str] = []
    text = template.replace("*", "").replace("'", "’")
    for at, (slot, options, words) in enumerate(_PIECE.findall(text)):
        if slot:
            name = re.sub(r"^(\^|>|title |many |a )", "", slot).rstrip(">")
            if slot.startswith("#"):
                out.append(f'"({slot[1:]})"')
            elif slot.startswith(("-", "^")):
                continue
            elif name.endswith("’s"):
                out.append("owner")
            elif name in types and types[name] == ir.NUMBER:
                out.append("amount")
            elif name in types and types[name].base == "enum":
                out.append("WORD")
            elif name in types:
                out.append("np")
            else:
                return ""
        elif options or (not words and not slot):
            some = options.split("|")
            some = ["", some[0]] if len(some) == 1 else some
            some = list(dict.fromkeys(some))
            out.append("(" + " | ".join(literal(one) for one in some if one) + ")" + ("?" if "" in some else ""))
        else:
            out.append(literal(words.lstrip() if out[-1:] == ["owner"] else words, at == 0))
    return " ".join(one for one in out if one)


def literal(words: str, first: bool = False) -> str:
    """Return words as a terminal; those that may begin a sentence with either letter."""
    if not words:
        return ""
    escaped = words.replace("\\", "\\\\").replace('"', '\\"')
    if first and words[:1].isalpha():
        upper, lower = escaped[:1].upper() + escaped[1:], escaped[:1].lower() + escaped[1:]
        return f'("{upper}" | "{lower}")'
    return f'"{escaped}"'


def titles(name: Name) -> Iterator[str]:
    """Yield the English of a name, one and several, without marks of agreement."""
    for text in (name.title.get("en", ""), name.plural.get("en", "")):
        if text:
            for plain in {re.sub(r"\[[^\]]*\]", "", text), re.sub(r"\[([^\]|]*)\|?[^\]]*\]", r"\1", text)}:
                yield plain.replace("'", "’").strip()


def plurals(title: str) -> list[str]:
    return [title, title + "s", title + "es"]


def terminal(name: str, words: set[str], priority: int = 1) -> str:
    found = sorted({word for word in words if word} or {"\ue000"}, key=lambda one: (-len(one), one))
    return f"{name}.{priority}: /" + "|".join(re.escape(one).replace("/", "\\/") for one in found) + "/"


def rules_of(model: Model) -> Rules:
    """Return the rules of a game."""
    rules = Rules(model)
    for form in model.forms:
        for template in dict.fromkeys(text.template for text in form.texts if text.language == "en"):
            for part in template.split(" / ")[:1]:
                if form.sort in ("verb", "keyword") and part:
                    rules.add("do", part, form.params)
                    if part.startswith("{"):  # the clause of what a listener waits for
                        rules.add("occasion", part, form.params)
                elif form.sort == "relation" and part and not part.startswith("{"):
                    rules.add("qual", part, form.params)
                elif form.sort == "relation" and part:
                    rules.add("says", part, form.params)
                elif form.sort == "measure" and part:
                    rules.add("measure", part, form.params)
    for event in model.events.values():
        for text in event.texts:
            if text.language == "en":
                rules.add("occasion", text.template.split(" / ")[0], event.params)
    return rules


def grammar_of(model: Model) -> tuple[Lark, Rules]:
    """Return the parser of a game's texts."""
    rules = rules_of(model)
    columns = [column for kind in model.kinds.values() for column in kind.fields.values()]
    nouns = {one for kind in model.kinds.values() for title in titles(kind.name) for one in plurals(title)}
    nouns |= {"space", "spaces", "card", "cards", "piece", "pieces", "player", "players"}
    named = [mark.name for mark in model.marks.values()] + list(model.nouns.values())
    for name in [*named, *(die.name for die in model.dice.values())]:
        nouns |= {one for title in titles(name) for one in plurals(title)}
    stats = {
        one
        for column in columns
        if column.sort in ("stat", "field")
        for title in titles(column.name)
        for one in plurals(title)
    }
    refs = {title for column in columns if column.type.base == "thing" for title in titles(column.name)}
    adjectives = {title for column in columns if column.sort == "status" for title in titles(column.name)}
    adjectives |= {
        t.template
        for form in model.forms
        if form.sort == "relation" and len(form.params) == 1
        for t in form.texts
        if t.language == "en" and t.template and "{" not in t.template and "<" not in t.template
    }
    for column in columns:
        for text in [*column.name.without.values()] if hasattr(column.name, "without") else []:
            adjectives.add(text)
    supers = {
        part
        for form in model.forms
        if form.sort == "measure"
        for t in form.texts
        if t.language == "en"
        for part in t.template.split(" / ")[1:2]
        if "{" not in part
    }
    adjectives |= supers
    counters = {
        one
        for column in columns
        if column.sort in ("status", "token")
        for title in titles(column.name)
        for one in plurals(title)
    }
    counters |= {f"{one} token{s}" for one in counters for s in ("", "s")}
    names = {title for one in model.definitions.values() for title in titles(one.name)}
    names |= {
        one for definition in model.definitions.values() for title in titles(definition.name) for one in plurals(title)
    }
    headings = {
        title[:1].upper() + title[1:] + ": "
        for column in columns
        if column.type.base == "effect"
        for title in titles(column.name)
    }
    words = {title for enum in model.enums.values() for name in enum.values.values() for title in titles(name)}
    moments: set[str] = set()
    nouns |= {one for kind in model.kinds.values() for zone in kind.zones.values() for one in titles(zone.name)}
    nouns |= {one for zone in model.zones.values() for one in titles(zone.name)}
    known = "|".join(re.escape(one) for one in sorted(nouns, key=lambda one: (-len(one), one)))
    text = "\n".join(
        [
            FIXED,
            *rules.lines,
            rules.of("do"),
            rules.of("qual"),
            rules.of("says"),
            rules.of("measure"),
            rules.of("occasion"),
            rf"THIS.2: /[Tt]his (?:{known}|[\w’-]+)(?!\w)/",
            rf"THAT.2: /(?:[Tt]hat|[Tt]hose) (?:(?:other|first|second) )?(?:{known})(?!\w)|it|them/",
            terminal("NOUN", nouns),
            terminal("STAT", stats),
            terminal("REF", refs, 2),
            terminal("ADJ", {re.sub(r"\[[^\]]*\]", "", a).strip() for a in adjectives}),
            terminal("TITLE", names, 2),
            terminal("COUNTER", counters),
            terminal("HEADING", headings, 3),
            terminal("WORD", words),
            terminal("MOMENT", {"the end of the turn", "the end of the round"} | moments),
        ]
    )
    return Lark(text, parser="earley", ambiguity="explicit", lexer="dynamic"), rules
