"""Completion: what can be written at a place. It uses only the text before it, which need not parse."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from fcbdsl.base.records import dataclass
from fcbdsl.language.model import ir
from fcbdsl.language.model.builtins import ENDING
from fcbdsl.language.model.declarations import Action, Field, Form, Kind, Name
from fcbdsl.language.model.declaring.collect import META
from fcbdsl.language.model.ir import Type
from fcbdsl.language.model.resolve import names
from fcbdsl.language.model.resolve.type_wording import usage
from fcbdsl.language.model.resolve.vocabulary import BASES, CORE_WORDS
from fcbdsl.language.model.tree_text import type_text
from fcbdsl.project.workspace import Workspace

MOST = 200
"""Most proposals of one answer; the editor asks again while the user types."""

LEADS = (
    "if", "else", "for each", "repeat", "choose", "let", "may", "whenever", "when", "before", "after", "instead",
    "while", "always", "until", "roll", "require", "stop", "cancel", "break", "answer", "announce", "offer",
)  # fmt: skip
"""Words that begin a statement."""
STEPS = (
    "given", "dice", "lot", "play", "do", "expect", "refuse", "answer", "decline", "use mission", "players", "example",
    "as",
)  # fmt: skip
"""Words that begin a line of a test."""
_LINES = (
    "name", "fr", "takes", "effect", "is", "value", "gives", "op", "form", "text en", "text fr", "reminder en",
    "reminder fr",
)  # fmt: skip
"""First words of lines in the language's own declarations."""
_OF_CARDS = ("fr", "text en", "text fr", "flavour", "flavour fr", "copies", "untold", "art")

_WORD = re.compile(r"[^\W\d][\w-]*$|\d*$")
_HEAD = re.compile(r"[^\W\d][\w-]*")
_ENDED = re.compile(r"\b(?:win|lose|draw|won|lost|drawn)(?: [\w ]+)? as$")
"""The text before the name of an ending."""
_LOCAL = re.compile(r"(?:let|choose|for each)\s+([^\W\d][\w-]*)\s*[:=]|for each ([^\W\d][\w-]*)|takes:(.*)")
_PARAM = re.compile(r"([^\W\d][\w-]*)\s*\(")


@dataclass(frozen=True, slots=True)
class Proposal:
    """A proposal: its text, its sort (as of symbols), its usage, its title."""

    text: str
    sort: str
    detail: str = ""
    title: str = ""


@dataclass(frozen=True, slots=True)
class Completion:
    """Proposals that replace the text from `start` to the cursor (from 0); `whole`: the list is complete."""

    start: int
    proposals: tuple[Proposal, ...]
    whole: bool


def complete(space: Workspace, name: str, line: int, column: int) -> Completion:
    """Return the completion at a place of a file: its line (from 1) and column (from 0)."""
    rows = space.text(name).split("\n")
    before = rows[line - 1][:column] if line <= len(rows) else ""
    if _in_string_or_comment(before):
        return Completion(column, (), True)
    match = _WORD.search(before)
    typed = match[0] if match is not None else ""
    start = column - len(typed)
    out: dict[str, Proposal] = {}
    for proposal in _proposals(space, rows, line - 1, before[:start]):
        if _fits(typed, proposal.text) and proposal.text not in out:
            out[proposal.text] = proposal
    ranked = sorted(out.values(), key=lambda proposal: not proposal.text.startswith(typed))
    return Completion(start, tuple(ranked[:MOST]), len(ranked) <= MOST)


def _fits(typed: str, text: str) -> bool:
    """Return whether a text contains the typed letters in order, the first one at the start of a word."""
    if not typed:
        return True
    low, whole = typed.lower(), text.lower()
    if not any(part.startswith(low[0]) for part in re.split(r"[ -]", whole)):
        return False
    at = -1
    for letter in low:
        at = whole.find(letter, at + 1)
        if at < 0:
            return False
    return True


def _in_string_or_comment(before: str) -> bool:
    code = re.sub(r'"(?:[^"\\]|\\.)*"', '""', before)
    return '"' in code.replace('""', "") or bool(re.search(r"(?:^|\s)#(?: |$)", code))


def _proposals(space: Workspace, rows: Sequence[str], row: int, before: str) -> Iterator[Proposal]:
    """Yield everything that may follow the text `before` of a row."""
    depth = len(before) - len(before.lstrip(" "))
    code = before.strip()
    above = _above(rows, row, depth if code else len(before))
    if not code and not above:
        yield from (Proposal(word, "declaration") for word in (*META,))
        yield from (Proposal(kind.id, "kind", title=_title(kind.name)) for kind in space.model.kinds.values())
        yield from [Proposal(ENDING, "kind")] if ENDING not in space.model.kinds else []
        return
    if _ENDED.search(code):
        yield from _definitions(space, ENDING)
        return
    if not above:
        yield from _head(space, code)
        return
    sort = _first(above[0])
    keys = [_first(head) for head in above[1:]]
    if "map" in keys or "legend" in keys or sort == "legend":
        yield from _of_maps(space)
        return
    kind = space.model.kinds.get(sort)
    part = space.model.kinds.get(keys[0]) if keys else None
    if kind is not None and part is not None and part.part_of in [ancestor.id for ancestor in kind.lineage()]:
        kind, above = part, above[1:]
    if not code:
        yield from _beginnings(space, sort, kind, above)
        return
    if code.endswith("'s"):
        yield from _attributes(space)
        return
    key, colon, _ = code.partition(":")
    field = kind.find(key.strip()) if kind is not None and colon else None
    part = space.model.kinds.get(key.strip()) if colon else None
    if part is not None and part.part_of is not None:
        yield from _of_part(space, part, code.count(","))
        return
    if kind is not None and field is not None and field.type.base not in ("effect", "condition", "formula"):
        yield from _values(space, field.type, _usual(space, kind, field))
        return
    if key.strip() in ("takes", "stat", "field", "gives", "zone", "on") or re.match(r"(stat|field|zone)\s", key):
        yield from (Proposal(base, "type") for base in BASES)
        yield from (Proposal(kind.id, "kind", title=_title(kind.name)) for kind in space.model.kinds.values())
        yield from (Proposal(enum, "enum") for enum in space.model.enums)
        return
    if re.search(r"[:;]$", code):
        yield from _statements(space)
    yield from _expression(space, rows, row, sort)


def _above(rows: Sequence[str], row: int, depth: int) -> list[str]:
    """Return the lines around a row of some depth, the outermost first."""
    out: list[str] = []
    for text in reversed(rows[:row]):
        stripped = text.lstrip(" ")
        if stripped and not stripped.startswith("# ") and len(text) - len(stripped) < depth:
            depth = len(text) - len(stripped)
            out.append(stripped)
            if depth == 0:
                break
    return out[::-1]


def _first(line: str) -> str:
    match = _HEAD.match(line)
    return match[0] if match is not None else ""


def _title(name: Name) -> str:
    return next(iter(name.title.values()), "")


def _head(space: Workspace, code: str) -> Iterator[Proposal]:
    """Yield proposals inside the head of a declaration, or after `use`."""
    model = space.model
    if _first(code) == "use":
        for name in space.loader.usable_names():
            yield Proposal(name, "system")
    elif re.search(r"\sfor$", code):
        sort = _first(code)
        counts = Counter(
            definition.target.kind.id
            for definition in model.definitions.values()
            if definition.kind.id == sort and definition.target is not None
        )
        yield from _before_others(_definitions(space, ""), [kind for kind, _ in counts.most_common()])
    elif re.search(r"\s(is|of)$", code):
        yield from (Proposal(kind.id, "kind", title=_title(kind.name)) for kind in model.kinds.values())
    else:
        yield from (Proposal(word, "word") for word in ("for", "is", "of", "covers"))


def _beginnings(space: Workspace, sort: str, kind: Kind | None, above: Sequence[str]) -> Iterator[Proposal]:
    """Yield the words that may begin a line of a block."""
    if kind is not None and len(above) == 1:
        for owner in kind.lineage():
            for column in owner.fields.values():
                if column.sort == "field":
                    yield Proposal(column.id, "field", type_text(column.type), column.doc or _title(column.name))
        for part in space.model.kinds.values():
            if part.part_of in [owner.id for owner in kind.lineage()]:
                yield Proposal(part.id, "kind", ", ".join(part.part_line), _title(part.name))
        yield from (Proposal(word, "word") for word in (*_OF_CARDS, "when", "while", "before", "instead", "always"))
        return
    if sort == "test":
        yield from (Proposal(word, "lead") for word in STEPS)
        return
    if sort in META and len(above) == 1:
        yield from (Proposal(word, "word") for word in (*_LINES, "stat", "field", "zone", "when", "while"))
    yield from _statements(space)


def _statements(space: Workspace) -> Iterator[Proposal]:
    yield from (Proposal(word, "lead") for word in LEADS)
    yield from _forms(space, "verb", "keyword")


def _forms(space: Workspace, *sorts: str) -> Iterator[Proposal]:
    for form in space.model.forms:
        if form.sort in sorts:
            yield _form(form)


def _form(form: Form) -> Proposal:
    return Proposal(form.id, "form", usage(form), _title(form.name))


def _of_part(space: Workspace, part: Kind, position: int) -> Iterator[Proposal]:
    """Yield values on the line of a part: those of the `position` first; after the last one, fields that are set by
    name."""
    line = [part.find(word) for word in part.part_line]
    others = [field for field in part.fields.values() if field.sort == "field" and field.id not in part.part_line]
    named = [Proposal(other.id, "field", type_text(other.type), _title(other.name)) for other in others]
    if position >= len(line):
        yield from named
    for column in line[position : position + 1] + line[:position] + line[position + 1 :]:
        if column is not None:
            yield from _values(space, column.type)
    yield from named


def _values(space: Workspace, want: Type, first: Sequence[str] = ()) -> Iterator[Proposal]:
    """Yield values of a type. Definitions of the kinds `first` come first, in that order."""
    if want.base == "flag":
        yield from (Proposal(word, "value") for word in ("yes", "no"))
    elif want.base == "definition" or want.base == "thing":
        yield from _before_others(_definitions(space, want.name), first)
    else:
        yield from (Proposal(value, want.base, type_text(want)) for value in names.values(space.vocabulary, want.one()))


def _before_others(definitions: Iterable[Proposal], kinds: Sequence[str]) -> list[Proposal]:
    """Return definitions, those of `kinds` first, in that order."""
    return sorted(
        definitions, key=lambda definition: kinds.index(definition.detail) if definition.detail in kinds else len(kinds)
    )


def _usual(space: Workspace, kind: Kind, field: Field) -> list[str]:
    """Return kinds of definitions that `field` usually contains in a definition of `kind`, the most frequent first.

    After the kinds in other definitions of that kind come all kinds that such a thing can contain.
    """
    if field.type.base not in ("definition", "thing"):
        return []
    counts: Counter[str] = Counter()
    for definition in space.model.definitions.values():
        value = definition.values.get(field.id) if definition.kind is kind else None
        if value is not None and value.expr is not None:
            counts.update(node.kind for node in ir.walk(value.expr) if isinstance(node, ir.Def))
    holders = [ancestor.id for ancestor in kind.lineage()]
    held = [
        holder.id for holder in space.model.kinds.values() if any(each.held in holders for each in holder.lineage())
    ]
    return list(dict.fromkeys([*(used for used, _ in counts.most_common()), *held]))


def _definitions(space: Workspace, kind: str) -> Iterator[Proposal]:
    words = space.vocabulary
    related = {name: words.related(name, kind) if kind in space.model.kinds else True for name in space.model.kinds}
    for (of, id), definition in space.model.definitions.items():
        if related.get(of, True):
            yield Proposal(id, "definition", of, _title(definition.name))


def _attributes(space: Workspace) -> Iterator[Proposal]:
    for kind in space.model.kinds.values():
        for column in kind.fields.values():
            yield Proposal(
                column.id, "field", f"{column.sort} of {kind.id}: {type_text(column.type)}", _title(column.name)
            )
        for zone in kind.zones.values():
            yield Proposal(zone.id, "zone", f"zone of {kind.id}", _title(zone.name))
    yield from _forms(space, "measure")


def _of_maps(space: Workspace) -> Iterator[Proposal]:
    model = space.model
    for sort, table in (("terrain", model.terrains), ("barrier", model.barriers), ("mark", model.marks)):
        yield from (Proposal(name, sort) for name in table)
    yield from (
        Proposal(field.id, "field", "token") for field in model.kinds["space"].fields.values() if field.sort == "token"
    )
    yield from (Proposal(word, "word") for word in ("art", "legend", "zone", "route", "places", "paths"))
    yield from _definitions(space, "piece")


def _expression(space: Workspace, rows: Sequence[str], row: int, sort: str) -> Iterator[Proposal]:
    """Yield what may appear inside a phrase: locals first."""
    model = space.model
    yield from (Proposal(local, "local") for local in _locals(rows, row))
    yield from (Proposal(word, "word") for word in CORE_WORDS if len(word) > 1)
    yield from _forms(space, "relation", "measure")
    yield from (Proposal(kind.id, "kind", title=_title(kind.name)) for kind in model.kinds.values())
    yield from _attributes(space)
    yield from (Proposal(noun, "noun", title=_title(model.nouns.get(noun, Name()))) for noun in space.vocabulary.nouns)
    if sort == "test":
        yield from (Proposal(space_name, "space") for space_name in _spaces(space, rows, row))
        yield from _actions(model.actions.values())
    for enum in model.enums.values():
        yield from (Proposal(value, "value", enum.id, _title(title)) for value, title in enum.values.items())
    for switch in model.switches.values():
        yield Proposal(switch.id, "variant", ", ".join(switch.values))
    for names_of, what in ((model.marks, "mark"), (model.terrains, "terrain"), (model.barriers, "barrier"),
                           (model.dice, "die"), (model.zones, "zone")):  # fmt: skip
        yield from (Proposal(name, what) for name in names_of)
    yield from (Proposal(symbol, "symbol", "face") for symbol in space.vocabulary.symbols())
    yield from (Proposal(area, "group") for area in space.vocabulary.areas)
    yield from (Proposal(event.id, "event", " ".join(event.pattern)) for event in model.events.values())
    yield from _forms(space, "verb", "keyword")
    yield from (Proposal(track, "track") for track in space.vocabulary.tracks)
    yield from _definitions(space, "")


def _actions(actions: Iterable[Action]) -> Iterator[Proposal]:
    for action in actions:
        yield Proposal(" ".join(action.words) or action.id, "action", "action", _title(action.name))


def _locals(rows: Sequence[str], row: int) -> list[str]:
    """Return the locals and parameters that earlier lines of the declaration define."""
    out: list[str] = []
    for text in reversed(rows[:row]):
        for match in _LOCAL.finditer(text):
            out += [group for group in match.groups()[:2] if group]
            out += _PARAM.findall(match[3] or "")
        if text and not text.startswith((" ", "#")):
            break
    return list(dict.fromkeys(out))


def _spaces(space: Workspace, rows: Sequence[str], row: int) -> list[str]:
    """Return the spaces of the map on which a test is played."""
    for text in reversed(rows[:row]):
        match = re.match(r"\s+use (mission|campaign) ([\w-]+)", text)
        if match is not None:
            definition = space.model.definitions.get((match[1], match[2]))
            board = definition.board if definition is not None else None
            return [cell.id for cell in board.cells] if board is not None else []
        if text and not text.startswith((" ", "#")):
            break
    return list(space.vocabulary.places)
