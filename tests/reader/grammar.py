"""A Lark grammar of the controlled English of a game, made from the wordings that its system declares.

It does not use the generator and imports nothing of `fcbdsl.language.prose`. From the model it takes what an author
declared: `text en:` of verbs, keywords, relations, measures and events, and titles.
The rest is the fixed sentences below.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from lark import Lark

from fcbdsl.language.model import ir
from fcbdsl.language.model.declarations import Event, Form, Name, Param
from fcbdsl.language.model.whole import Model

FIXED = r"""
start: body
body: step (_JOIN step)*
_JOIN: ", then " | "; " | ", "
step: led | block | leaf | leaf ", where " LETTER " is " value -> explained
LETTER: "X" | "Y" | "Z" | "W"

led: "if "i cond ", " body -> if_
  | ("if you do, "i | "if that succeeds, "i | "if so, "i) body -> if_done
  | ("if you do not, "i | "if not, "i) body -> if_declined
  | "otherwise, "i body -> otherwise
  | "for "i np ", " body -> for_each
  | "at the same time, for "i np ", " body -> for_each_at_once
  | "twice: "i body -> twice
  | amount " times: " body -> times
  | "you may "i body -> may
  | np " may: " body -> may_by
  | LABEL ": " body -> row
  | "when "i event ": " body -> when
  | "when "i event ", first: " body -> first
  | "if "i event ", do this instead: " body -> instead
  | "if "i event ", " body " instead" -> instead
  | "if "i event ", you may do this instead: " body -> may_instead
  | event ": " body -> when
  | "whenever "i cond ": " body -> whenever
  | "as soon as "i cond ": " body -> as_soon_as
  | "until "i moment ", " body -> until
  | "while "i cond ", " change -> while_
block: "if "i cond ":" -> if_
  | ("if you do:"i | "if that succeeds:"i | "if so:"i) -> if_done
  | "otherwise:"i -> otherwise
  | "for "i np ":" -> for_each
  | "at the same time, for "i np ":" -> for_each_at_once
  | "twice:"i -> twice
  | amount " times:" -> times
  | "you may:"i -> may
  | "choose one:"i -> choose_one
  | "you may choose one:"i -> may_choose_one
  | np (" chooses" | " choose") " one:" -> choose_one_by
  | "in any order:"i -> any_order
  | "roll "i np ":" -> roll
  | LABEL ":" -> row
  | "when "i event ":" -> when
  | "when "i event ", first:" -> first
  | "if "i event ", do this instead:" -> instead
  | event ":" -> when
  | "until "i moment ":" -> until
LABEL: /[^:“”.]+(?=:)/

leaf: do
  | "choose "i np -> choose
  | "choose up to "i amount " " group -> choose_up_to
  | np (" chooses " | " choose ") np -> choose_by
  | "you may choose "i np -> may_choose
  | "pick at random "i np -> at_random
  | "only if "i cond -> require
  | "do nothing"i -> nothing
  | "nothing happens"i -> nothing
  | "stop there"i -> stop
  | "stop here, without repeating this"i -> break
  | "stop here, without going on to the others"i -> break_each
  | "cancel "i CANCELLED -> cancel
  | "the result is "i value -> answer
  | "roll "i np -> roll_value
  | "you win"i -> win
  | "you lose"i -> lose
  | np (" wins" | " win") -> win
  | np (" loses" | " lose") -> lose
  | np (" gains " | " gain ") amount " " COLUMN -> gain
  | "gain "i amount " " COLUMN -> gain_you
  | np (" loses " | " lose ") amount " " COLUMN -> suffer
  | "lose "i amount " " COLUMN -> lose_you
  | "raise "i np " by " amount -> raise_
  | "lower "i np " by " amount -> lower_
  | "set "i np " to " value -> set
  | np (" becomes " | " become ") np -> becomes
  | np (" becomes " | " become ") ADJ -> turned
  | "remove "i np " from " np -> unmark
  | np (" is " | " are ") ADJ -> made
  | np (" is not " | " are not ") ADJ -> unmade
  | "note "i value -> note
  | "increase "i np " by " value -> increase
  | "reduce "i np " by " value -> reduce
  | "double "i np -> double
  | change

change: np (" has " | " have ") amounts -> has
  | amounts -> has_you
  | np " can " ABLE -> able
  | np " cannot " ABLE -> unable
  | qualified_change
qualified_change: np (" is " | " are ") BOUND amount
amounts: counted ((", " | " and ") counted)*
counted: (SIGNED | INT | SIGN? LETTER) " " COLUMN
SIGN: "+" | "−"

event: occasion [" " manner] [", if " cond] [" (" OFTEN ")"]
  | occasion " while " cond
manner: quality (" " quality)*
OFTEN: /once per [\w ]+|once until [^()]+/

cond: atom
  | atom ((", " atom)* " and " also) -> and_
  | atom ((", " atom)* " or " also) -> or_
  | (chain | atom) (", and " (chain | atom))+ -> and_
  | (chain | atom) (", or " (chain | atom))+ -> or_
chain: atom ((", " atom)* " and " also) -> and_
  | atom ((", " atom)* " or " also) -> or_
also: atom | short -> shortened
?atom: says | fact
fact: np (" is " | " are ") predicate -> is
  | np (" is not " | " are not ") predicate -> is_not
  | np " can " ABLE -> can
  | np " cannot " ABLE -> cannot
  | "there is "i np -> there_is
  | "there is "i np (" and " np)+ -> there_are_all
  | "there is "i np (" or " np)+ -> there_is_one_of
  | ("there is "i | "there are "i) NUMBERED amount " " group -> there_are
  | np (" has " | " have ") NUMBERED amount " " COLUMN -> has_count
  | np (" has no " | " have no ") COLUMN -> has_none
  | np (" has " | " have ") COLUMN -> has_status
  | np (" is " | " are ") BOUND value -> compared
  | np (" is " | " are ") value -> equals
  | np (" is not " | " are not ") value -> differs
  | np (" is at " | " are at ") amount MORE? -> stands
short: predicate
  | NUMBERED amount " " COLUMN -> has_count_short
predicate: quality | adjective | np
NUMBERED: "fewer than " | "at most " | "more than " | "at least " | "exactly "
BOUND: "less than " | "at most " | "greater than " | "at least "
MORE: " or more" | " or less"

value: np | INT | SIGNED | value " plus " value -> plus | value " minus " value -> minus
  | value " times " value -> product | "(" value ")" -> inside
np: simple | simple (", " simple)* " and " simple -> list
simple: YOU -> you
  | IT -> it
  | THIS -> this
  | POINT [ORDINAL] NOUN -> that
  | DET group -> pick
  | NAME -> name
  | "“" QUOTED "”" -> quoted
  | owner column -> owned
  | "the " column " of " simple -> owned
  | "the "i column -> of_game
  | "the number of "i group -> number_of
  | "each of "i simple -> of_each
  | "one of "i simple -> of_one
  | "all "i simple -> of_all
  | measure
  | "anybody"i -> anybody
column: COLUMN
owner: "your "i -> you
  | THIS "’" "s"? " " -> this
  | POINT [ORDINAL] NOUN "’" "s"? " " -> that
  | NAME "’" "s"? " " -> name
  | ITS -> it
  | "the "i column "’" "s"? " " -> of_game
ITS: "its " | "their "
group: ((adjective | superlative) " ")* (NOUN | member) (_SEP qualifier)* [" " best] [tie]
adjective: ADJ | "non-" (NOUN | ADJ) -> non
best: "with the highest " COLUMN -> most
  | "with the lowest " COLUMN -> fewest
tie: " (tie: " criterion ((", then " | ", ") criterion)* ")"
criterion: "highest " COLUMN -> most
  | "lowest " COLUMN -> fewest
  | superlative
_SEP: " " | " and " | ", "
qualifier: quality
  | around
  | "that " saying -> clause
  | "without " simple (" or " simple)+ -> lacking
  | "with " DET? COLUMN -> bearing
  | "without " DET? COLUMN -> not_bearing
  | "with " NUMBERED amount " " COLUMN -> with_count
  | ("that is a " | "that is an ") NOUN -> that_is
  | ("a " | "an ") NOUN -> that_is
  | ("that is not a " | "that is not an ") NOUN -> that_is_not
  | "other than " np -> other_than
  | "from " np (" or " np)* -> from_
  | "in " np (" or " np)* -> from_
  | "not " quality -> not_
  | superlative -> best_of
quotation: cited | cited (", " cited)* " and " cited -> list
cited: "“" QUOTED "”" -> quoted
amount: INT | SIGNED | LETTER
INT: /\d+/
SIGNED: /[+−]\d+/
YOU: /[Yy]ou(rself)?\b/
IT: /([Ii]t|[Tt]hey|them)\b/
POINT: /(([Tt]hat|[Tt]hose)|[Tt]he (chosen|first|second|third|fourth|fifth)(?= )) /
ORDINAL: /(chosen|first|second|third|fourth|fifth|other) /
DET.2: /(an?|each|all|no|the|any)( other)? |another |other /i
"""


ORDINALS = ("first", "second", "third", "fourth", "fifth")
UNREADABLE = "\ue000"
"""A sign that no text has: a rule without templates."""


@dataclass(frozen=True)
class Template:
    """One wording of a form or an event. `slots`: its parameters in the order of its words."""

    sort: str
    of: Form | Event
    text: str
    slots: tuple[str, ...]
    denied: bool = False
    you: str = ""
    """A parameter that the words leave out because it is the reader."""
    ones: tuple[str, ...] = ()
    """Parameters that are lists, of which the words name one."""
    part: int = 0
    """The number of the text between slashes."""


@dataclass
class Rules:
    """The rules of a game's grammar, and the wording of each."""

    model: Model
    lines: list[str] = field(default_factory=list)
    templates: dict[str, list[Template]] = field(default_factory=dict)
    """By rule: what its words may mean."""
    bodies: dict[tuple[str, str], str] = field(default_factory=dict)
    words: dict[str, list[str]] = field(default_factory=dict)
    """The words that a text of each rule must contain."""

    def add(self, sort: str, of: Form | Event, whole: str, part: int = 0, subject: str = "") -> None:
        """Add the rules of one part of a text. `subject`: the parameter before it."""
        parts = whole.split(" / ")
        if part >= len(parts) or not parts[part]:
            return
        for denied, pattern in enumerate(choices(parts[part])):
            for words, you in variants(pattern, of.params):
                made = symbols(words, of.params, subject)
                if made is None:
                    continue
                body, slots = made
                ones = tuple(re.findall(r"\{a (\w+)\}", words))
                meant = Template(sort, of, whole, tuple(slots), bool(denied), you, ones, part)
                name = self.bodies.get((sort, body))
                if name is None:
                    name = self.bodies[sort, body] = f"{sort}_{len(self.templates)}"
                    self.lines.append(f"{name}: {body}")
                    self.templates[name] = []
                    plain = re.sub(r"\{[^{}]*\}|\[[^\[\]]*\]", "\0", words.replace("'", "’"))
                    self.words[name] = [text.strip().lower() for text in plain.split("\0") if text.strip()]
                self.templates[name].append(meant)

    def within(self, text: str) -> list[str]:
        """Return the rules whose words a text has."""
        return [line for line in self.lines if all(word in text for word in self.words[line.partition(":")[0]])]

    def of(self, sort: str, lines: Iterable[str]) -> str:
        """Return the rule with all alternatives of a sort that are kept."""
        names = [name for line in lines for name in [line.partition(":")[0]] if name.rpartition("_")[0] == sort]
        return f"?{sort}: " + (" | ".join(names) if names else f'"{UNREADABLE}"')


_SIDES = re.compile(r"<((?:[^<>|\[\]]|\[[^\[\]]*\])*)\|((?:[^<>|\[\]]|\[[^\[\]]*\])*)>")


def choices(template: str) -> list[str]:
    """Return a template affirmed, and denied if it has words for that."""
    if not _SIDES.search(template):
        return [template]
    return [_SIDES.sub(rf"\{at}", template) for at in (1, 2)]


_OF_YOU = re.compile(r"the (\w+) of \{(\w+)\}")
_PIECE = re.compile(r"\{([^{}]+)\}|\[([^\[\]]*)\]|([^{}\[\]]+)")


def variants(template: str, params: Sequence[Param]) -> Iterator[tuple[str, str]]:
    """Yield a template with each choice of its objects' places, and the parameter that is the reader, if one is."""
    template = template.replace("*", "")
    clitic = re.search(r"\{\^(\w+)\}", template)
    if clitic is not None:
        name = clitic[1]
        bare = template.replace(clitic[0], "")
        yield squeezed(bare), ""
        yield squeezed(bare.replace("{" + name + "}", "")), name
        return
    for shorter in sorted({match[1] for match in re.finditer(r"\{(\w+)>\}", template)}):
        at_first = template.replace("{" + shorter + ">}", "{" + shorter + "}").replace("{>" + shorter + "}", "")
        at_last = template.replace("{" + shorter + ">}", "").replace("{>" + shorter + "}", "{" + shorter + "}")
        yield squeezed(at_first), ""
        yield squeezed(at_last), ""
        return
    yield template, ""
    if _OF_YOU.search(template):
        yield _OF_YOU.sub(r"{\2's} \1", template), ""
    loose = [param.name for param in params if param.optional and param.default is None]
    for name in loose:
        if "{" + name + "}" in template:
            yield squeezed(template.replace("{" + name + "}", "")), ""


def squeezed(words: str) -> str:
    return re.sub(r" {2,}", " ", words).strip()


def symbols(template: str, params: Sequence[Param], subject: str = "") -> tuple[str, list[str]] | None:
    """Return the right side of a rule, and the parameters of its symbols; None if the template is empty."""
    types = {param.name: param.type for param in params}
    out: list[str] = []
    slots: list[str] = []
    after_owner = False
    text = template.replace(" on the spaces within ", " within ")
    text = re.sub(r"“\{(?:title )?(\w+)\}”", r"{quote \1}", text)
    for at, (slot, options, words) in enumerate(_PIECE.findall(text)):
        if slot:
            lead, _, name = slot.rpartition(" ")
            name = name.strip(">")
            if slot.startswith("#"):
                out.append(f'"({slot[1:]})"')
                continue
            if slot.startswith("-"):
                continue
            possessive = name.endswith("'s")
            name = name.removesuffix("'s")
            if name not in types:
                return None
            if possessive:
                out.append("owner")
                after_owner = True
            elif types[name] == ir.NUMBER:
                out.append("amount")
            elif lead == "quote":
                out.append("quotation")
            elif lead == "title":
                out.append("named")
            elif lead == "many":
                out.append("group")
            elif name == subject and at == 0:
                continue
            else:
                out.append("argument")
            slots.append(name)
            continue
        if options or not words:
            some = options.split("|")
            some = ["", some[0]] if len(some) == 1 else some
            some = list(dict.fromkeys(some))
            alternatives = " | ".join(literal(choice) for choice in some if choice)
            out.append(f"({alternatives})" + ("?" if "" in some else ""))
        else:
            plain = words.replace("'", "’")
            out.append(literal(plain.lstrip() if after_owner else plain, not out))
        after_owner = False
    body = " ".join(symbol for symbol in out if symbol)
    return (body, slots) if body else None


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
            yield re.sub(r"\[[^\]]*\]", "", text).replace("'", "’").strip()


_IRREGULAR = {"die": "dice", "man": "men", "woman": "women", "child": "children", "foot": "feet", "person": "people"}


def plurals(title: str) -> set[str]:
    """Return a title and what its plural may be."""
    made = {title}
    for cut in [len(title), *(match.start() for match in re.finditer(" (?:of|in|with|for|from|to|on) ", title))]:
        head, rest = title[:cut], title[cut:]
        before, space, last = head.rpartition(" ")
        for old, new in (("", "s"), ("", "es"), ("y", "ies"), ("f", "ves"), ("fe", "ves"), ("man", "men")):
            if last.endswith(old):
                made.add(f"{before}{space}{last[: len(last) - len(old)]}{new}{rest}")
        if last in _IRREGULAR:
            made.add(f"{before}{space}{_IRREGULAR[last]}{rest}")
    return made


@dataclass
class Words:
    """The meanings of each title of a game, by its words in small letters."""

    nouns: dict[str, set[tuple[str, ...]]] = field(default_factory=dict)
    names: dict[str, set[tuple[str, ...]]] = field(default_factory=dict)
    columns: dict[str, set[tuple[str, ...]]] = field(default_factory=dict)

    def of_kind(self, kind: str) -> str:
        """Return the noun of a kind."""
        return next((word for word, meanings in self.nouns.items() if ("kind", kind) in meanings), "thing")

    def noun(self, of: Iterable[str], *meaning: str) -> None:
        for title in of:
            for plural in plurals(title):
                self.nouns.setdefault(plural.lower(), set()).add(meaning)

    def name(self, of: Iterable[str], *meaning: str) -> None:
        for title in of:
            self.names.setdefault(title.lower(), set()).add(meaning)

    def column(self, of: Iterable[str], *meaning: str) -> None:
        for title in of:
            for plural in plurals(title):
                self.columns.setdefault(plural.lower(), set()).add(meaning)


BUILT_IN = {
    "thing": "thing", "piece": "piece", "space": "space", "side": "side", "player": "player", "team": "team",
    "card": "card", "mission": "mission", "track": "track", "game": "game", "record": "action", "zone": "pile",
    "direction": "direction", "region": "region", "die": "die", "number": "number",
}  # fmt: skip
"""Nouns of the language for kinds that every game has."""
COLUMNS = {"place": "space", "holder": "owner", "definition": "sort", "controller": "player"}
"""Nouns of the language for columns that every thing has."""


def words_of(model: Model) -> Words:
    """Return the titles of a game."""
    made = Words()
    for kind in model.kinds.values():
        made.noun(titles(kind.name), "kind", kind.id)
        for zone in kind.zones.values():
            made.column(titles(zone.name), "zone", kind.id, zone.id)
        for column in kind.fields.values():
            column_titles = list(titles(column.name))
            made.column(column_titles, "field", column.id)
            if column.sort == "token":
                made.noun(column_titles, "token", column.id)
    for column_id, noun in COLUMNS.items():
        made.column([noun], "field", column_id)
    if "space" in model.kinds:
        made.column(titles(model.kinds["space"].name), "field", "place")
    for kind_id, noun in BUILT_IN.items():
        made.noun([noun], "kind", kind_id)
    for word, name in model.nouns.items():
        made.noun(titles(name), "noun", word)
    for mark in model.marks.values():
        made.noun(titles(mark.name), "mark", mark.id)
        made.name(titles(mark.name), "mark", mark.id)
    for sort, table in (("terrain", model.terrains), ("barrier", model.barriers)):
        for ground in table.values():
            made.noun(titles(ground.name), sort, ground.id)
    for form in model.forms:
        for text in english(form.texts):
            if form.sort == "measure" and text.count(" / ") == 2 and "{" not in text.partition(" / ")[2]:
                made.noun(text.split(" / ")[1:], "member", form.id)
    for die in model.dice.values():
        made.noun(titles(die.name), "die", die.id)
        for face, name in die.names.items():
            made.name(titles(name), "face", face)
    for zone in model.zones.values():
        made.noun(titles(zone.name), "pile", zone.id)
    for definition in model.definitions.values():
        column_titles = list(titles(definition.name))
        made.noun(
            [re.sub("^(The|An?) ", "", title) for title in column_titles],
            "definition",
            definition.kind.id,
            definition.id,
        )
        made.name(column_titles, "definition", definition.kind.id, definition.id)
        for track in definition.tracks:
            made.name(titles(track.name), "track", track.id)
        if definition.board is not None:
            for cell in definition.board.cells:
                made.name(list(titles(cell.name)) or [cell.id], "space", cell.id)
    for enum in model.enums.values():
        for value, name in enum.values.items():
            made.name(titles(name), "enum", value)
    for direction, name in model.directions.items():
        made.noun(titles(name), "direction", direction)
    return made


def terminal(name: str, words: Iterable[str], priority: int = 1, end: str = r"(?![\w’-]|’s)") -> str:
    """Return a terminal for any of some words, with a small or capital first letter."""
    unique = sorted({word for word in words if word} or {UNREADABLE}, key=lambda word: (-len(word), word))
    return f"{name}.{priority}: /(" + "|".join(re.escape(word).replace("/", "\\/") for word in unique) + f"){end}/i"


def english(texts: Sequence[object]) -> list[str]:
    return [text.template for text in texts if text.language == "en" and text.template]  # type: ignore[attr-defined]


def rules_of(model: Model) -> Rules:
    """Return the rules for the wordings of a game's forms and events."""
    rules = Rules(model)
    for form in model.forms:
        for text in english(form.texts):
            if form.sort in ("verb", "keyword"):
                rules.add("do", form, text)
            elif form.sort == "relation":
                first = form.params[0].name if form.params else ""
                parameter = re.search(
                    r"\{\^?(?:title |many |a )?" + re.escape(first) + r"(?:'s)?>?\}", text.split(" / ")[0]
                )
                if not first or parameter or text.startswith("{-" + first + "}it "):
                    rules.add("says", form, text)
                    if text.startswith("{" + first + "}"):
                        rules.add("saying", form, text, subject=first)
                else:
                    rules.add("quality", form, text)
            elif form.sort == "measure":
                if text.startswith("the spaces within "):
                    rules.add("around", form, text.removeprefix("the spaces "))
                rules.add("measure", form, text)
                if text.count(" / ") == 2 and "{" in text.partition(" / ")[2]:
                    rules.add("member", form, text, 1)
                    rules.add("member", form, text, 2)
                rules.add("superlative", form, text, 1)
                rules.add("superlative", form, text, 2)
    for event in model.events.values():
        texts = english(event.wordings("en")) or [pattern_text(event)]
        for text in texts:
            rules.add("occasion", event, text)
            rules.add("moment", event, re.sub("^[Aa]t ", "", text))
            verb = re.search(r"\[([^|\]]+)\|([^|\]]+)\]", text)
            if verb is not None:
                would = f"would {'be' if verb[2] == 'are' else verb[2]}"
                rules.add("occasion", event, text[: verb.start()] + would + text[verb.end() :])
    return rules


def pattern_text(event: Event) -> str:
    """Return an event's pattern as a template."""
    names = {param.name for param in event.params}
    return " ".join("{" + word + "}" if word in names else word for word in event.pattern)


def second_forms(model: Model) -> set[str]:
    """Return what events are called behind their words: « that move »."""
    texts = [text for event in model.events.values() for text in english(event.wordings("en"))]
    return {text.split(" / ")[1] for text in texts if " / " in text}


def adjectives_of(model: Model) -> dict[str, set[tuple[str, ...]]]:
    """Return the words before nouns and behind « is »: statuses, flags, and relations of one word."""
    meanings: dict[str, set[tuple[str, ...]]] = {}
    for kind in model.kinds.values():
        for column in kind.fields.values():
            if column.sort == "status" or column.type.base == "flag":
                for title in titles(column.name):
                    meanings.setdefault(title.lower(), set()).add(("field", column.id))
            for title in titles(column.without):
                meanings.setdefault(title.lower(), set()).add(("without", column.id))
    for form in model.forms:
        if form.sort == "relation":
            unnamed = "".join("{-" + param.name + "}" for param in form.params[1:])
            for text in english(form.texts):
                for denied, pattern in enumerate(choices(text.split(" / ")[0].removeprefix(unnamed))):
                    if "{" not in pattern:
                        word = ("not " if denied else "") + form.id
                        meanings.setdefault(re.sub(r"\[[^\]]*\]", "", pattern).lower(), set()).add(("form", word))
    for enum in model.enums.values():
        for value, name in enum.values.items():
            for title in titles(name):
                meanings.setdefault(title.lower(), set()).add(("enum", value))
    return meanings


SORTS = ("do", "quality", "says", "saying", "measure", "superlative", "around", "member", "occasion", "moment")
"""The sorts of rules that are made of an author's wordings."""


@dataclass
class Grammar:
    """The parts of the grammar of a game."""

    model: Model

    def __post_init__(self) -> None:
        self.rules = rules_of(self.model)
        self.words = words_of(self.model)
        self.adjectives = adjectives_of(self.model)
        self.cancelled = {"that", *second_forms(self.model)}

    def parser(self, text: str) -> Lark:
        """Return the parser of a text: of the grammar what mentions no word that the text does not have."""
        low = text.lower()

        def present(titles: Iterable[str]) -> list[str]:
            return [title for title in titles if title in low]

        lines = self.rules.within(low)
        nouns = present(self.words.nouns)
        this = "|".join(re.escape(noun) for noun in sorted({*nouns, "card"}, key=lambda noun: (-len(noun), noun)))
        able = [adjective.partition("able to ")[2] for adjective in self.adjectives if "able to " in adjective]
        grammar = "\n".join(
            [
                FIXED,
                *lines,
                *(self.rules.of(sort, lines) for sort in SORTS),
                'argument: np | named | named (", " named)* " and " named -> list',
                rf"THIS.2: /this (?:{this})(?!\w)/i",
                terminal("NOUN", nouns, end=r"(?!\w)"),
                terminal("COLUMN", present(self.words.columns), end=r"(?!\w)"),
                terminal("NAME", present(self.words.names), 2),
                terminal("QUOTED", present(self.words.names), end="(?=”)"),
                terminal("ADJ", present(self.adjectives), end=r"(?!\w)"),
                "named: NAME | NOUN | COLUMN",
                terminal("ABLE", present(able), end=""),
                terminal("CANCELLED", present(self.cancelled)),
            ]
        )
        return Lark(grammar, parser="earley", ambiguity="explicit", lexer="dynamic")
