"""Kinds of things: their hierarchy, their columns, their parts and the behavior of all their instances."""

from __future__ import annotations

import re
from collections.abc import Callable

from fcbdsl.base import bounds
from fcbdsl.base.diagnostics.articles import a
from fcbdsl.base.diagnostics.base import Related
from fcbdsl.base.diagnostics.declarations import DuplicateDeclaration, KindCycle, UnknownField, WrongPlace
from fcbdsl.base.diagnostics.phrases import Misplaced
from fcbdsl.base.diagnostics.suggestions import suggest
from fcbdsl.base.diagnostics.values import OutOfRange
from fcbdsl.language.model import ir
from fcbdsl.language.model.builtins import (
    BUILTIN_KINDS,
    ENDING,
    TEAM,
    builtin_field,
    declare_ending_kind,
    declare_team_kind,
)
from fcbdsl.language.model.declarations import Field, Kind, Name
from fcbdsl.language.model.declaring.behaviour import MODIFYING, WAITING, limit_of, read_listener, read_modifiers
from fcbdsl.language.model.declaring.blocks import doc_of, read_block
from fcbdsl.language.model.declaring.collect import Declaration
from fcbdsl.language.model.declaring.columns import add_column, declare_column, declare_zone, keep, read_keeps
from fcbdsl.language.model.declaring.context import Context
from fcbdsl.language.model.declaring.setting import read_constant
from fcbdsl.language.model.ir import FLAG, Type, walk
from fcbdsl.language.model.ir.operators import bounds_of
from fcbdsl.language.model.lines import (
    atoms,
    head_atoms,
    keyword_of,
    read_titles,
    single_number,
    single_word,
    tail_clause,
    tail_parts,
    tail_words,
)
from fcbdsl.language.model.resolve import statements
from fcbdsl.language.model.resolve.scope import scope_of
from fcbdsl.language.syntax.tree import Line, Word

BLOCKED = ("movement", "sight")
"""Things that pieces may block on their space."""

# ── families ───────────────────────────────────────────────────────────────────────────────────


def declare_kinds(context: Context) -> None:
    """Declare all kinds and the kinds of their parts, then join them to their parents."""
    kinds = context.model.kinds
    index = context.index
    if any(index.of(TEAM)) or any(declaration.id == TEAM for declaration in index.of("kind")):
        declare_team_kind(context.model, context.entries)
    named = [declaration for declaration in index.of("kind") if declaration.id == ENDING]
    builtin = BUILTIN_KINDS
    if (named or any(index.of(ENDING))) and all(declaration.parent is None for declaration in named):
        declare_ending_kind(context.model, context.entries)
        builtin = (*BUILTIN_KINDS, ENDING)
    for declaration in index.of("kind"):
        if declaration.id in builtin and declaration.id in kinds:
            kind = kinds[declaration.id]
            if declaration.parent is not None:
                context.malformed(declaration.line.span, "an addition to a built-in kind", f"kind {declaration.id}:")
        else:
            fresh = Kind(declaration.id, kinds["thing"], declaration.span, system=declaration.system)
            kind = context.entries.current(fresh)
            kinds[declaration.id] = kind
        if declaration.title is not None:
            kind.name.title["en"] = declaration.title
        for line in declaration.line.block:
            if keyword_of(line) == "part" and not line.broken:
                _part_kind(context, kind, line)
    for declaration in context.index.of("kind"):
        lost = declaration.broken and declaration.parent is not None and declaration.parent.text not in kinds
        if declaration.parent is not None and declaration.id not in builtin and not lost:
            parent = context.kind(declaration.parent.text, declaration.line.span_of(declaration.parent))
            kinds[declaration.id].parent = parent or kinds["thing"]
    _cut_cycles(context)
    _cut_depth(context)
    context.model.kinds = _parents_first(kinds)


def _parents_first(kinds: dict[str, Kind]) -> dict[str, Kind]:
    """Return the kinds sorted so that each comes after its parent."""
    out: dict[str, Kind] = {}
    for kind in kinds.values():
        for above in reversed(kind.lineage()):
            out.setdefault(above.id, above)
    return out


def _cut_cycles(context: Context) -> None:
    """Report kinds that descend from themselves; each circle once."""
    kinds = context.model.kinds
    seen: dict[str, None] = {}
    for kind in kinds.values():
        path: dict[str, None] = {}
        above: Kind | None = kind
        while above is not None and above.id not in seen:
            seen[above.id] = path[above.id] = None
            above = above.parent
        if above is not None and above.id in path:
            names = list(path)
            chain = [*names[names.index(above.id) :], above.id]
            context.report(KindCycle(above.span, name=above.id, chain=" is ".join(chain)))
            above.parent = kinds["thing"]


def _cut_depth(context: Context) -> None:
    """Report kinds that are too many levels below the first; each branch once."""
    levels = {"thing": 1}
    for kind in context.model.kinds.values():
        path: list[Kind] = []
        above: Kind | None = kind
        while above is not None and above.id not in levels:
            path.append(above)
            above = above.parent
        for below in reversed(path):
            levels[below.id] = levels[below.parent.id] + 1 if below.parent is not None else 1
            what = "This kind is based on a chain of"
            if not context.within(below.span, bounds.KIND_LEVELS, what, levels[below.id], "levels"):
                below.parent = context.model.kinds["thing"]
                levels[below.id] = 2


def _part_kind(context: Context, owner: Kind, line: Line) -> None:
    """Declare the kind of ``part attack: manner, die; many``."""
    kinds = context.model.kinds
    match head_atoms(line)[1:]:
        case (Word(text=id) as named,):
            span = line.span_of(named)
        case _:
            context.malformed(line.span, "a part", "part NAME: FIELD, FIELD; many")
            return
    if id in kinds:
        related = [Related(kinds[id].span, "it is declared here first")]
        context.report(DuplicateDeclaration(span, sort="kind", name=id, related=related))
        return
    kind = context.entries.current(Kind(id, kinds["thing"], span, part_of=owner.id, system=owner.system))
    kinds[id] = kind
    clauses = line.tail if line.head is not None else ()
    if clauses:
        kind.part_line = tuple(word.text for part in clauses[0].parts if (word := single_word(part)) is not None)
    if len(clauses) > 1:
        kind.part_many = True
        if len(clauses) > 2 or [w.text for p in clauses[1].parts if (w := single_word(p))] != ["many"]:
            context.malformed(line.span, "a part", "part NAME: FIELD, FIELD; many")


# ── columns ────────────────────────────────────────────────────────────────────────────────────


def declare_columns(context: Context) -> None:
    """Read the blocks of all kinds, parents first, because inherited columns must be known."""
    order = {id: at for at, id in enumerate(context.model.kinds)}
    for declaration in sorted(context.index.of("kind"), key=lambda declaration: order[declaration.id]):
        _block(context, declaration)
    for declaration in context.index.of("zone"):
        if not declaration.broken:
            declare_zone(context, None, declaration.line)
    for declaration in context.index.of("status", "token"):
        _counter(context, declaration)
    for reading in context.keeping:
        reading()


def _block(context: Context, declaration: Declaration) -> None:
    kind = context.model.kinds[declaration.id]
    if declaration.broken or any(line.broken for line in declaration.line.block):
        context.broken_kinds.add(kind.id)
        context.vocabulary.unsound |= _lost(declaration.line)
    overrides: list[Line] = []
    once = _once(context, kind)
    often: dict[str, Callable[[Line], None]] = {
        "stat": lambda line: declare_column(context, kind, line, "stat"),
        "field": lambda line: declare_column(context, kind, line, "field"),
        "part": lambda line: _part(context, kind, line),
        "zone": lambda line: declare_zone(context, kind, line),
        **behavior_handlers(context, kind),
    }
    inherited = {name for above in kind.lineage() for name in above.fields} - set(once) - set(often)
    often |= dict.fromkeys(sorted(inherited), overrides.append)
    read_block(context, declaration.line, "a kind", once, often, kind.name)
    for line in overrides:
        _override(context, kind, line)


_COLUMN = re.compile(r"(?:stat|field|zone|part)\s+([^\W\d][\w-]*)")


def _lost(line: Line) -> set[str]:
    """Return the names that the broken lines of a kind may declare."""
    broken = [inner for inner in line.block if inner.broken]
    return {name for inner in broken for name in _COLUMN.findall(inner.source.text, inner.offset, inner.end)}


_ASKING = ir.Choose | ir.ChooseOne | ir.Offer | ir.Play
"""Statements that ask a player."""


def _once(context: Context, kind: Kind) -> dict[str, Callable[[Line], None]]:
    """Return the handlers of lines that can occur once in a kind."""

    def held(line: Line) -> None:
        name = _after(line, "by")
        if name is None:
            context.malformed(line.span, "who holds it", "held by: KIND")
        elif (holder := context.kind(name.text, line.span_of(name))) is not None:
            kind.held = holder.id

    def answers(line: Line) -> None:
        words = tail_words(line)
        if words not in {("offered",), ("automatic",)}:
            context.malformed(line.span, "how it answers", "answers: offered")
        kind.offered = words == ("offered",)

    def usable(line: Line) -> None:
        def read() -> None:
            clause = tail_clause(line)
            if clause is not None:
                kind.usable = context.reader.answer(line, clause, scope_of(kind, context.model, "pure"), FLAG)

        context.later.append(read)

    def limit(line: Line) -> None:
        context.later.append(lambda: _limit(context, kind, line))

    def spends(line: Line) -> None:
        def read() -> None:
            clauses = line.tail if line.head is not None else ()
            kind.spends = statements.clauses_body(
                context.reader, line, clauses, line.block, scope_of(kind, context.model)
            )

        context.later.append(read)

    def supposing(line: Line) -> None:
        def read() -> None:
            clauses = line.tail if line.head is not None else ()
            kind.supposing = statements.clauses_body(
                context.reader, line, clauses, line.block, scope_of(kind, context.model)
            )
            for node in walk(kind.supposing):
                if isinstance(node, _ASKING) and not (isinstance(node, ir.Choose) and node.chance):
                    word = node.span.source.text[node.span.start : node.span.end].split()[0].rstrip(":,")
                    why, cure = "bots suppose this without asking", "Let chance choose: `choose …, at random`."
                    context.report(Misplaced(node.span, lead=word, why=why, cure=cure))

        context.later.append(read)

    def keeps(line: Line) -> None:
        context.keeping.append(lambda: read_keeps(context, kind, line))

    def stands(line: Line) -> None:
        kind.alone = tail_words(line) == ("alone",)
        if not kind.alone:
            context.malformed(line.span, "how it stands", "stands: alone")

    def person(line: Line) -> None:
        kind.third = tail_words(line) == ("third",)
        if not kind.third:
            context.malformed(line.span, "how rules text speaks of it", "person: third")

    def played(line: Line) -> None:
        kind.seated = tail_words(line) == ("one", "each")
        if not kind.seated:
            context.malformed(line.span, "who plays it", "played: one each")

    def blocks(line: Line) -> None:
        words = [word.text for part in tail_parts(line) if (word := single_word(part)) is not None]
        if len(words) != len(tail_parts(line)) or not (words == ["nothing"] or (words and {*words} <= {*BLOCKED})):
            context.malformed(line.span, "what such a piece stops", "blocks: movement, sight")
        elif all(above.id != "piece" for above in kind.lineage()):
            what = f"Only a piece can block its space, and {a(kind.id)} is not a piece."
            context.report(WrongPlace(line.span, what=what, cure="Remove the line, or base the kind on `piece`."))
        else:
            kind.blocks = tuple(word for word in BLOCKED if word in words)

    return {
        "held": held, "answers": answers, "usable": usable, "limit": limit, "spends": spends, "keeps": keeps,
        "supposing": supposing,
        "stands": stands, "person": person, "played": played, "blocks": blocks,
    }  # fmt: skip


def _limit(context: Context, kind: Kind, line: Line) -> None:
    kind.limit, kind.limit_per = limit_of(context, line, scope_of(kind, context.model))


def behavior_handlers(context: Context, kind: Kind) -> dict[str, Callable[[Line], None]]:
    """Return the handlers of listeners and modifiers of a kind."""

    def listen(line: Line) -> None:
        context.later.append(
            lambda: read_listener(context, line, scope_of(kind, context.model, offered=kind.offered), kind.listeners)
        )

    def modify(line: Line) -> None:
        context.later.append(lambda: read_modifiers(context, line, scope_of(kind, context.model), kind.modifiers))

    return {**dict.fromkeys(WAITING, listen), **dict.fromkeys(MODIFYING, modify)}


def _after(line: Line, word: str) -> Word | None:
    """Return the name in ``held by: NAME``; None if the line has another form."""
    words = [atom.text for atom in head_atoms(line) if isinstance(atom, Word)]
    parts = tail_parts(line)
    return single_word(parts[0]) if words[1:] == [word] and len(parts) == 1 else None


def _part(context: Context, owner: Kind, line: Line) -> None:
    """Read the columns of a part's kind, and give its owner a column of parts."""
    word = head_atoms(line)[1] if len(head_atoms(line)) == 2 else None
    kind = context.model.kinds.get(word.text) if isinstance(word, Word) else None
    if kind is None or kind.part_of != owner.id:
        return  # reported by the pass before
    context.reader.has_read(line)
    if any(inner.broken for inner in line.block):
        context.broken_kinds.add(kind.id)
    kind.fields["part-of"] = context.entries.current(builtin_field("part-of", kind.id, Type("thing", owner.id)))
    column = Field(kind.id, owner.id, "part", Type("thing", kind.id, many=True), kind.span, kind.name)
    add_column(context, owner, context.entries.current(column))
    often: dict[str, Callable[[Line], None]] = {
        "field": lambda inner: declare_column(context, kind, inner, "field"),
        "stat": lambda inner: declare_column(context, kind, inner, "stat"),
    }
    read_block(context, line, "a part", {}, often, kind.name)
    for part in line.tail[0].parts if line.head is not None and line.tail else ():
        name = single_word(part)
        if name is None:
            context.malformed(line.span_of(part), "a field of a part's line", "part NAME: FIELD, FIELD; many")
        elif kind.find(name.text) is None:
            suggestion = suggest(name.text, kind.fields)
            context.report(UnknownField(line.span_of(name), kind=kind.id, name=name.text, suggestion=suggestion))
    kind.part_line = tuple(name for name in kind.part_line if kind.find(name) is not None)


def _override(context: Context, kind: Kind, line: Line) -> None:
    """Read a line ``copies: 4`` of a kind: another default for an inherited field."""
    inherited = kind.find(keyword_of(line))
    assert inherited is not None
    if inherited.sort != "field" or inherited.kind == kind.id:
        context.unexpected(line, "a kind", ["field", "stat", "part", "zone", "held by", "answers", "when", "while"])
        return
    fresh = Field(
        inherited.id, kind.id, "field", inherited.type, line.span, inherited.name, inherited.low, inherited.high
    )
    own = context.entries.current(fresh)
    kind.fields[own.id] = own

    def read() -> None:
        own.default = read_constant(context, own, line, tail_parts(line), scope_of(kind, context.model, "pure"))

    context.later.append(read)


# ── statuses and tokens ────────────────────────────────────────────────────────────────────────


def _counter(context: Context, declaration: Declaration) -> None:
    """Declare a status as a column of the kind that bears it, or a token as a column of spaces."""
    token = declaration.sort == "token"
    line = declaration.line
    on = next((inner for inner in line.block if keyword_of(inner) == "on" and not token), None)
    kind: Kind | None = context.model.kinds["space" if token else "thing"]
    if on is not None:
        part = tail_parts(on)
        name = single_word(part[0]) if len(part) == 1 else None
        if name is None:
            context.malformed(on.span, "what bears it", "on: KIND")
        else:
            kind = context.kind(name.text, on.span_of(name))
    kind = kind or context.model.kinds["thing"]
    named, span = declaration.named(), declaration.span
    fresh = Field(declaration.id, kind.id, declaration.sort, Type("number"), span, named, low=0)
    field = context.entries.current(fresh)
    field.system = declaration.system
    field.goal = token and any(word.text == "goal" for word in declaration.flags)
    if add_column(context, kind, field):
        _counter_block(context, declaration, kind, field)


def _counter_block(context: Context, declaration: Declaration, kind: Kind, field: Field) -> None:
    def limit(line: Line) -> None:
        clause = tail_clause(line)
        field.limit = single_number(clause) if clause is not None else None
        if field.limit is None or (clause and len(clause.parts) > 1):
            context.malformed(line.span, "a limit", "limit: 1")
        elif field.limit < 1:
            context.report(OutOfRange(line.span, field="limit", bounds=bounds_of(1, None), value=field.limit))

    def owned(line: Line) -> None:
        name = _after(line, "by")
        if name is None:
            context.malformed(line.span, "whose it is", "owned by: KIND")
        elif (owner := context.kind(name.text, line.span_of(name))) is not None:
            field.owned_by = owner.id

    def without(line: Line) -> None:
        if not read_titles(field.without, tail_parts(line), "en"):
            context.malformed(line.span, "what is said of whoever has none", 'without: "standing", fr "debout"')

    def listen(line: Line) -> None:
        context.later.append(
            lambda: read_listener(context, line, scope_of(_bearer(kind), context.model), field.listeners)
        )

    def modify(line: Line) -> None:
        context.later.append(
            lambda: read_modifiers(context, line, scope_of(_bearer(kind), context.model), field.modifiers)
        )

    def keep_status(line: Line) -> None:
        context.keeping.append(lambda: keep(context, kind, field, line.span))
        if line.head is not None or len(head_atoms(line)) != 1:
            context.malformed(line.span, "a kept kind", "kept")

    once: dict[str, Callable[[Line], None]] = {"limit": limit} | doc_of(context, field)
    if declaration.sort == "status":
        once |= {"owned": owned, "on": lambda line: None, "kept": keep_status, "without": without}
    often = {**dict.fromkeys(WAITING, listen), **dict.fromkeys(MODIFYING, modify)}
    read_block(context, declaration.line, a(declaration.sort), once, often, field.name)


def _bearer(kind: Kind) -> Kind:
    """Return the kind for the scope of a counter's hooks, in which `self` and `this` are the bearer."""
    return Kind(kind.id, kind.parent, kind.span)


# ── nouns ──────────────────────────────────────────────────────────────────────────────────────


def declare_nouns(context: Context) -> None:
    """Declare ``noun friend: hero except self``."""
    for declaration in context.index.of("noun"):
        clause = tail_clause(declaration.line)
        if declaration.broken:
            context.vocabulary.unsound.add(declaration.id)
            continue
        if clause is None or len(declaration.line.tail) > 1 or (not atoms(clause) and not clause.parts):
            context.malformed(declaration.line.span, "a noun", "noun NAME: SELECTION")
            continue
        name = Name()
        context.vocabulary.add_noun(declaration.id, declaration.line, clause)
        context.model.nouns[declaration.id] = name
        read_block(context, declaration.line, "a noun", {}, name=name)
