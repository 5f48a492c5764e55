"""The symbol table: definitions, references, and the symbol of the word under the cursor.

Words inside behavior have the meaning of their node in the typed tree; words of other lines mean what is valid there.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import field
from operator import is_not

from fcbdsl.base.records import dataclass
from fcbdsl.base.source import Span
from fcbdsl.editor.lsp.word_places import Mention, begin_of, mentioned_words
from fcbdsl.language.model import ir
from fcbdsl.language.model.content import Definition
from fcbdsl.language.model.declarations import Event, Field, Form, Kind
from fcbdsl.language.model.ir.node import Node
from fcbdsl.language.model.lines import keyword_of
from fcbdsl.language.model.roots import roots
from fcbdsl.language.model.whole import Model
from fcbdsl.language.syntax.tree import Line
from fcbdsl.project.workspace import Workspace

Key = tuple[str, ...]
"""Identifies a declaration: its sort, its owner, its name."""

Place = tuple[int, int]
"""The start of a span: the identity of its piece in the present version of a file, and the offset there."""


def present_span(span: Span) -> Span:
    """Return a span in the present text: a changed piece of a file is replaced by its successor."""
    source, start, end = span.source, span.start, span.end
    while source.successor is not None:
        start, end = source.successor.offset(start), source.successor.offset(end)
        source = source.successor.source
    return Span(source, start, end)


def _place(span: Span) -> Place:
    there = present_span(span) if span.source.successor is not None else span
    return id(there.source), there.start


@dataclass(frozen=True, slots=True)
class DeclaredName:
    """A declared symbol. `words`: the words that mention it; `of`: the kind, enum … that it belongs to; `thing`: the
    declaration itself."""

    sort: str
    name: str
    of: str
    span: Span
    words: frozenset[str]
    thing: object = None

    @property
    def key(self) -> Key:
        """Return the key of the symbol."""
        return self.sort, self.of, self.name


Shown = tuple[int, int, int, str, bool]
"""A word with a meaning: its row in its declaration and its column (from 0), its length, the sort of its symbol, and
whether the word is its declaration."""


_MOST_KEPT = 100_000
"""Most declarations in the cache; beyond that, most entries belong to former versions."""


class _Kept:
    """The cache for lines of files, valid as long as they and the symbols in reach are unchanged."""

    def __init__(self) -> None:
        self.mentions: dict[int, tuple[Line, list[Mention]]] = {}
        self.shown: dict[int, tuple[Line, list[object], list[Shown]]] = {}
        self.seen: object = None  # the symbols and kinds with which `shown` was computed


@dataclass(slots=True)
class ProjectNames:
    """The names of an open project. Call `edited` after each edit; unchanged parts stay in the cache."""

    space: Workspace
    symbols: dict[Key, DeclaredName] = field(default_factory=dict)
    by_word: dict[str, list[DeclaredName]] = field(default_factory=dict)
    _spans: list[tuple[Span, DeclaredName]] = field(default_factory=list)
    _kept: _Kept = field(default_factory=_Kept)
    # invalidated by an edit:
    _declared: dict[Place, DeclaredName] | None = None
    _bodies: dict[int, list[object]] | None = None
    _scattered: dict[int, list[tuple[object, Node]]] = field(default_factory=dict)
    _nodes: dict[int, dict[int, list[tuple[Node, object]]]] = field(default_factory=dict)
    _forms: dict[int, Form] | None = None

    def __post_init__(self) -> None:
        self._read()

    def edited(self, redeclared: bool) -> None:
        """Invalidate the cache after an edit. `redeclared`: whether more than bodies has changed."""
        self._declared, self._bodies, self._forms = None, None, None
        self._scattered, self._nodes = {}, {}
        if len(self._kept.mentions) > _MOST_KEPT:
            self._kept = _Kept()
        if redeclared or self._kept.seen is None:
            self._read()

    def _read(self) -> None:
        """Collect all symbols."""
        self.symbols, self.by_word, self._spans = {}, {}, []
        for symbol in _symbols(self.space):
            if symbol.key not in self.symbols:
                self.symbols[symbol.key] = symbol
                for word in symbol.words:
                    self.by_word.setdefault(word, []).append(symbol)
            self._spans.append((symbol.span, self.symbols[symbol.key]))
        kinds = [[kind.id for kind in each.lineage()] for each in self.space.model.kinds.values()]
        seen = [(key, symbol.words) for key, symbol in self.symbols.items()], kinds
        if seen != self._kept.seen:
            self._kept.seen, self._kept.shown = seen, {}

    def thing(self, symbol: DeclaredName) -> object:
        """Return the present version of a symbol: a changed body has made a new one."""
        model = self.space.model
        match symbol.sort:
            case "definition":
                return model.definitions.get((symbol.of, symbol.name), symbol.thing)
            case "action" | "rule" | "invariant" | "prospect":
                return getattr(model, f"{symbol.sort}s").get(symbol.name, symbol.thing)
            case "form":
                forms = (form for form in model.forms if form.sort == symbol.of and form.id == symbol.name)
                return next(forms, symbol.thing)
        return symbol.thing

    # ── meanings of words ─────────────────────────────────────────────────────────────────────

    def mentions(self, name: str) -> list[Mention]:
        """Return the words of a file."""
        return [mention for line in self.space.tree(name).lines for mention in self.mentions_in(line)]

    def mentions_in(self, line: Line) -> list[Mention]:
        """Return the words of a declaration."""
        cached = self._kept.mentions.get(id(line))
        if cached is None or cached[0] is not line:
            cached = self._kept.mentions[id(line)] = line, list(mentioned_words([line]))
        return cached[1]

    def mention(self, name: str, line: int, column: int) -> Mention | None:
        """Return the word at a place (from 1), or that ends there."""
        whole = self._line(name, line)
        mentions = [
            mention
            for mention in (self.mentions_in(whole) if whole is not None else ())
            if mention.place[1] == line and mention.place[2] <= column <= mention.place[2] + len(mention.text)
        ]
        return min(
            mentions,
            key=lambda mention: (mention.place[2] + len(mention.text) == column, mention.place[2]),
            default=None,
        )

    def at(self, name: str, line: int, column: int) -> DeclaredName | None:
        """Return the symbol of the word at a place."""
        mention = self.mention(name, line, column)
        return self.meant(mention) if mention is not None else None

    def meant(self, mention: Mention) -> DeclaredName | None:
        """Return the symbol of a word; None if there is none, or it is ambiguous."""
        if self._declared is None:
            self._declared = {}
            for span, symbol in self._spans:
                self._declared.setdefault(_place(span), symbol)
        declared = self._declared.get(_place(mention.span))
        if declared is not None and mention.text in declared.words:
            return declared
        if declared is None or declared.sort not in ("form", "event"):
            name = self._in_behaviour(mention)
            if name is not None:
                return name
        return declared or self._elsewhere(mention)

    def references(self, symbol: DeclaredName) -> list[Span]:
        """Return the places that mention a declaration, itself included, in order of files and places."""
        out: list[Span] = []
        for name in self.space.files:
            text = self.space.text(name)
            if any(word in text for word in symbol.words):
                for mention in self.mentions(name):
                    if mention.text in symbol.words:
                        meant = self.meant(mention)
                        if meant is not None and meant.key == symbol.key:
                            out.append(mention.span)
        return out

    # ── behavior ──────────────────────────────────────────────────────────────────────────────

    def nodes(self, name: str, line: int) -> list[tuple[Node, object]]:
        """Return the nodes of the typed tree on a line (from 1) of a file, each with its body; the smallest first."""
        whole = self._line(name, line)
        if whole is None:
            return []
        piece = id(whole.source)
        if piece not in self._nodes:
            rows: dict[int, list[tuple[Node, object]]] = {}
            for body, node in self._behaviour(whole):
                span: Span = node.span  # type: ignore[attr-defined]
                first, last = span.source.position(span.start)[0], span.source.position(span.end)[0]
                for row in range(first, last + 1):
                    rows.setdefault(row, []).append((node, body))
            for row_nodes in rows.values():
                row_nodes.sort(key=lambda pair: _size(pair[0]))
            self._nodes[piece] = rows
        return self._nodes[piece].get(line, [])

    def _line(self, name: str, row: int) -> Line | None:
        """Return the declaration that contains a row (from 1) of a file."""
        lines = self.space.tree(name).lines
        at = bisect_right(lines, row, key=lambda line: line.span.line) - 1
        return lines[at] if at >= 0 else None

    def _behaviour(self, line: Line) -> Iterator[tuple[object, Node]]:
        """Yield the nodes with a place in the piece of a declaration, each with its body."""
        for body in self._bodies_in(line):
            for node in ir.walk(body):
                span = getattr(node, "span", None)
                if span is not None and span.source.name == line.source.name:
                    yield body, node
        yield from self._scattered.get(id(line.source), ())

    def _bodies_in(self, line: Line) -> list[object]:
        """Return the bodies with behavior in the piece of a declaration, without those that are scattered over
        files."""
        if self._bodies is None:
            self._bodies = {}
            for span, body in _bodies(self.space.model):
                if span is not None:
                    self._bodies.setdefault(_place(span)[0], []).append(body)
                    continue
                for node in ir.walk(body):
                    there = getattr(node, "span", None)
                    if there is not None:
                        self._scattered.setdefault(_place(there)[0], []).append((body, node))
        return self._bodies.get(id(line.source), [])

    def shown(self, line: Line, find: Callable[[], list[Shown]]) -> list[Shown]:
        """Return the result of `find` for the words of a declaration, from the cache if their meanings are
        unchanged."""
        nodes = [*self._bodies_in(line), *(node for _, node in self._scattered.get(id(line.source), ()))]
        hit = self._kept.shown.get(id(line))
        if hit is None or hit[0] is not line or len(hit[1]) != len(nodes) or any(map(is_not, hit[1], nodes)):
            hit = self._kept.shown[id(line)] = line, nodes, find()
        return hit[2]

    def _in_behaviour(self, mention: Mention) -> DeclaredName | None:
        name, row, column = mention.place
        here = row, column
        for node, body in self.nodes(name, row):
            span: Span = node.span  # type: ignore[attr-defined]
            if not span.source.position(span.start) <= here < span.source.position(span.end):
                continue
            if isinstance(node, ir.Var) and node.name == mention.text:
                return self.local(node, body)
            for key in _keys(node, self.space.model):
                symbol = self.symbols.get(key)
                if symbol is not None and mention.text in symbol.words:
                    return symbol
        return None

    def local(self, var: ir.Var, body: object) -> DeclaredName | None:
        """Return the local, parameter or candidate that a variable names."""
        if var.name in ("self", "this", "it"):
            return None
        if self._forms is None:
            self._forms = {id(form.body): form for form in self.space.model.forms}
        owner = self._forms.get(id(body))
        if isinstance(body, ir.Listener) and any(param.name == var.name for param in body.event.params):
            owner = body.event.verb
        for param in owner.params if owner is not None else ():
            if param.name == var.name and param.span is not None:
                key = ("parameter", _form_name(owner), var.name)
                if key in self.symbols:
                    return self.symbols[key]
        variables = (getattr(node, "var", None) for node in ir.walk(body))
        local = next(
            (variable for variable in variables if isinstance(variable, ir.Var) and _same_local(variable, var)), None
        )
        noun = next((symbol for key in _noun_keys(var.name) if (symbol := self.symbols.get(key)) is not None), None)
        if local is None or (noun is not None and self._is_implied(local, body)):
            return noun  # `for each hero: hero's …`: the local has the name of its kind
        return DeclaredName("local", var.name, f"{begin_of(local.span)}", local.span, frozenset([var.name]), local)

    def _is_implied(self, local: ir.Var, body: object) -> bool:
        """Return whether a local has the name of its selection instead of its own."""
        start = begin_of(local.span)
        selections = (node for node in ir.walk(body) if isinstance(node, ir.Select) and node.noun == local.name)
        return any(begin_of(node.span) == start for node in selections)

    # ── other lines ───────────────────────────────────────────────────────────────────────────

    def _elsewhere(self, mention: Mention) -> DeclaredName | None:
        """Return the symbol of a word on a line without behavior: the only one that is valid there."""
        symbols = self.by_word.get(mention.text, [])
        own = [
            symbol
            for symbol in symbols
            if symbol.sort == "parameter" and present_span(symbol.span).source is mention.span.source
        ]
        symbols = own if own and mention.tail else [symbol for symbol in symbols if symbol.sort != "parameter"]
        symbols = [symbol for symbol in symbols if symbol.sort not in ("form", "event") or _said_whole(symbol, mention)]
        if mention.text in _PARTIES and _PER.search(mention.span.source.text[: mention.span.start]):
            return None
        if mention.first:
            if not mention.above:
                symbols = [symbol for symbol in symbols if symbol.sort == "kind"]
            else:
                kinds = self._kinds_above(mention.above)
                keyed = [symbol for symbol in symbols if symbol.sort in ("field", "zone") and symbol.of in kinds]
                symbols = keyed or [symbol for symbol in symbols if symbol.sort in FIRST]
        elif len(symbols) > 1:
            for narrow in _NARROWING:
                fewer = [symbol for symbol in symbols if narrow(mention, symbol)]
                symbols = fewer or symbols
        return symbols[0] if len(symbols) == 1 else None

    def _kinds_above(self, above: tuple[Line, ...]) -> list[str]:
        """Return the kind that a line gives a field of, and its ancestors: the nearest first."""
        out: list[str] = []
        for line in reversed(above):
            kind = self.space.model.kinds.get(keyword_of(line) or "")
            if kind is not None:
                out += [ancestor.id for ancestor in kind.lineage()]
        return out


_PARTIES = ("player", "figure", "game")
_PER = re.compile(r"\bper $")
"""`once per round per figure`: words of the language in every game."""


def _same_local(one: ir.Var, other: ir.Var) -> bool:
    return one.slot == other.slot and one.name == other.name


def _said_whole(symbol: DeclaredName, mention: Mention) -> bool:
    """Return whether a line contains all words of a form or an event."""
    line = mention.line
    words = re.findall(r"[\w-]+", line.source.text[line.offset : line.end])
    ways = [symbol.name.split()]
    if isinstance(symbol.thing, Event):
        ways.append([word for word in symbol.thing.pattern if word in symbol.words])
    return any(mention.text in way and all(word in words for word in way) for way in ways)


FIRST = ("terrain", "mark", "barrier", "field", "kind", "form", "symbol", "value", "die", "variant")
"""Sorts of words that may begin a line inside a block."""

_OF_MAPS = ("terrain", "barrier", "mark", "definition", "group")


def _on_map(mention: Mention, symbol: DeclaredName) -> bool:
    keys = {keyword_of(line) for line in mention.above}
    token = symbol.sort == "field" and symbol.of == "space"
    return bool(keys & {"legend", "places", "map"}) and (symbol.sort in _OF_MAPS or token)


def _typed(mention: Mention, symbol: DeclaredName) -> bool:
    return keyword_of(mention.line) in ("stat", "field", "takes", "gives", "zone", "on", "held", "kind", "layout") and (
        symbol.sort in ("kind", "enum")
    )


def _valued(mention: Mention, symbol: DeclaredName) -> bool:
    return mention.tail and bool(mention.above) and symbol.sort in ("definition", "value", "die", "symbol", "mark")


_NARROWING: tuple[Callable[[Mention, DeclaredName], bool], ...] = (_on_map, _typed, _valued)


# ── nodes ──────────────────────────────────────────────────────────────────────────────────────


def _bodies(model: Model) -> Iterator[tuple[Span | None, object]]:
    """Yield all bodies, listeners, modifiers and values with the span of their declaration.

    The span is None for those whose parts come from several pieces of files.
    """
    for owner, root in roots(model):
        span = None if owner is None or isinstance(owner, Kind) else owner.span
        for body in _flat(root):
            yield span, body
    for definition in model.definitions.values():
        for value in _values(definition):
            yield definition.span, value
    for kind in model.kinds.values():
        for zone in kind.zones.values():
            if zone.limit is not None:
                yield zone.span, zone.limit


def _flat(root: object) -> Iterator[object]:
    if isinstance(root, list | tuple):
        for item in root:
            yield from _flat(item)
    elif root is not None:
        yield root


def _values(definition: Definition) -> Iterator[object]:
    for value in definition.values.values():
        if value.expr is not None:
            yield value.expr
    for part in definition.parts:
        yield from _values(part)


def _size(node: Node) -> int:
    span: Span = node.span  # type: ignore[attr-defined]
    return span.end - span.start


_OF_CONST = {
    "face": "symbol",
    "mark": "mark",
    "terrain": "terrain",
    "barrier": "barrier",
    "area": "group",
    "kind": "kind",
    "direction": "direction",
}


def _keys(node: Node, model: Model) -> Iterator[Key]:
    """Yield the keys of the symbols that a node itself mentions."""
    match node:
        case ir.Const(type=type, label=label):
            if type.base == "enum":
                yield "value", type.name, label
            elif type.base == "counter":
                for kind in model.kinds.values():
                    if label in kind.fields:
                        yield "field", kind.id, label
            elif type.base in _OF_CONST:
                yield _OF_CONST[type.base], "", label
        case ir.Def(kind=of, id=id) | ir.Instance(kind=of, id=id):
            yield "definition", of, id
            for sort in ("die", "zone", "track", "kind"):
                yield sort, "", id
        case ir.Variant(id=id):
            yield "variant", "", id
        case ir.Get(field=column):
            yield "field", column.kind, column.id
        case ir.ZoneOf(zone=zone):
            for kind in model.kinds.values():
                if zone in kind.zones:
                    yield "zone", kind.id, zone
        case ir.Apply(form=form) | ir.Do(form=form):
            yield _form_key(form)
        case ir.Announce(event=event) | ir.Until(until=event):
            yield from _event_keys(event)
        case ir.Listener(event=event, limit=limit):
            yield from _event_keys(event)
            if limit is not None:
                yield from _event_keys(limit)
            for bind in node.binds:
                yield from _noun_keys(bind.noun)
        case ir.IsA(kind=of):
            yield "kind", "", of
        case ir.Select(noun=noun, type=type):
            yield from _noun_keys(noun)
            yield "kind", "", type.name
        case ir.Modifier():
            yield "field", node.field.kind, node.field.id
            yield from _noun_keys(node.noun)
            yield "kind", "", node.kind.id


def _noun_keys(noun: str) -> Iterator[Key]:
    for sort in ("noun", "kind", "terrain", "mark", "barrier"):
        yield sort, "", noun


def _event_keys(event: Event) -> Iterator[Key]:
    yield "event", "", event.id
    if event.verb is not None:
        yield _form_key(event.verb)


def _form_key(form: Form) -> Key:
    return "form", form.sort, _form_name(form)


def _form_name(form: Form | None) -> str:
    return form.id if form is not None else ""


# ── symbols ────────────────────────────────────────────────────────────────────────────────────


def _symbols(space: Workspace) -> Iterator[DeclaredName]:
    """Return everything that is declared, in order."""
    model = space.model

    def symbol(sort: str, name: str, span: Span, thing: object = None, of: str = "") -> DeclaredName:
        return DeclaredName(sort, name, of, span, frozenset(name.split()), thing)

    for kind in model.kinds.values():
        yield symbol("kind", kind.id, kind.span, kind)
        for column in kind.fields.values():
            yield symbol("field", column.id, column.span, column, kind.id)
        for zone in kind.zones.values():
            yield symbol("zone", zone.id, zone.span, zone, kind.id)
    for form in model.forms:
        event = form.event
        words = {*form.words, *(event.pattern if event is not None else ())} - {param.name for param in form.params}
        yield DeclaredName("form", form.id, form.sort, form.span, frozenset(words), form)
        for param in form.params:
            if param.span is not None:
                span = _named(param.span, param.name)
                yield DeclaredName("parameter", param.name, form.id, span, frozenset([param.name]), param)
    for event in model.events.values():
        if event.verb is None:
            words = {*event.id.split(), *event.pattern} - {param.name for param in event.params}
            yield DeclaredName("event", event.id, "", event.span, frozenset(words), event)
    tables: tuple[tuple[str, Iterable[object]], ...] = (
        ("enum", model.enums.values()),
        ("die", model.dice.values()),
        ("ladder", model.ladders.values()),
        ("variant", model.switches.values()),
        ("terrain", model.terrains.values()),
        ("barrier", model.barriers.values()),
        ("mark", model.marks.values()),
        ("zone", model.zones.values()),
        ("action", model.actions.values()),
        ("rule", model.rules.values()),
        ("invariant", model.invariants.values()),
        ("prospect", model.prospects.values()),
    )
    for sort, things in tables:
        for thing in things:
            yield symbol(sort, thing.id, thing.span, thing)  # type: ignore[attr-defined]
    for definition in model.definitions.values():
        yield symbol("definition", definition.id, definition.span, definition, definition.kind.id)
        for track in definition.tracks:
            yield symbol("track", track.id, track.span, track)
    for declaration in space.declarations("noun", "system"):
        yield symbol(declaration.sort, declaration.id, declaration.span, declaration)
    yield from _inside(space)


def _named(span: Span, name: str) -> Span:
    """Return the place of a name in a span: the span of a parameter begins with its preposition."""
    match = re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", span.source.text[span.start : span.end])
    return Span(span.source, span.start + match.start(), span.start + match.end()) if match is not None else span


def _inside(space: Workspace) -> Iterator[DeclaredName]:
    """Yield the values of enums and variants, the symbols of dice, the groups of spaces: names without a separate
    line."""
    model = space.model
    within: dict[str, tuple[str, set[str]]] = {}
    for enum in model.enums.values():
        within[f"enum {enum.id}"] = "value", {*enum.values}
    for switch in model.switches.values():
        within[f"variant {switch.id}"] = "value", {*switch.values}
    for die in model.dice.values():
        within[f"die {die.id}"] = "symbol", {*die.symbols}
    for declaration in space.declarations("enum", "variant", "die"):
        sort, names = within.get(f"{declaration.sort} {declaration.id}", ("", set()))
        seen: set[str] = set()
        for mention in mentioned_words([declaration.line]):
            if mention.text in names and mention.text not in seen and (mention.tail or mention.above):
                seen.add(mention.text)
                of = declaration.id if sort == "value" else ""
                yield DeclaredName(sort, mention.text, of, mention.span, frozenset([mention.text]), declaration)
    for definition in model.definitions.values():
        board = definition.board
        if board is not None and board.zones:
            line = next(
                (
                    declaration.line
                    for declaration in space.declarations(definition.kind.id)
                    if declaration.id == definition.id
                ),
                None,
            )
            for mention in mentioned_words([line] if line is not None else []):
                key = keyword_of(mention.line)
                if mention.text in board.zones and key in ("zone", "route") and not mention.tail and not mention.first:
                    yield DeclaredName("group", mention.text, "", mention.span, frozenset([mention.text]), definition)


def symbol_summary(symbol: DeclaredName) -> str:
    """Return a short description of a symbol."""
    thing = symbol.thing
    if isinstance(thing, Kind) and thing.parent is not None:
        return f"kind, is {thing.parent.id}"
    if isinstance(thing, Field):
        return f"{thing.sort} of {thing.kind}"
    if isinstance(thing, Form):
        return thing.sort
    return f"{symbol.of} definition" if symbol.sort == "definition" else f"{symbol.sort} {symbol.of}".strip()
