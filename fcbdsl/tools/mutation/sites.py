"""Where operators may change a file: its lines that are played, and the meanings of their words.

The syntax tree contains structure and no vocabulary. The rest comes from the typed tree, by source position: which line
is a statement, which words are a filter, which `by` names the asked player.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field

from fcbdsl.base.records import dataclass
from fcbdsl.base.source import Span
from fcbdsl.language.model import ir
from fcbdsl.language.model.content import Invariant, Preference, Prospect
from fcbdsl.language.model.declarations import Form
from fcbdsl.language.model.ir import walk
from fcbdsl.language.model.lines import keyword_of, leading, leading_words
from fcbdsl.language.model.roots import roots
from fcbdsl.language.model.whole import Model
from fcbdsl.language.syntax.tree import Binary, Clause, Expr, File, Group, Line, Negation, Node, Part, Phrase, Where
from fcbdsl.tools.mutation.alternatives import Alternatives, alternatives
from fcbdsl.tools.mutation.commuting import commuting_statements

UNPLAYED = frozenset(
    [
        "use",
        "part",
        "system",
        "variant",
        "enum",
        "layout",
        "legend",
        "map",
        "invariant",
        "prospect",
        "outlook",
        "test",
        "preferences",
        "supposing",
    ]
)
"""Declarations and lines that no play runs: structure, print, and those that only soaks, bots and the review of
campaigns use."""
PRINTED = frozenset(["text", "reminder", "name", "without", "flavour", "doc"])
"""Lines that only print and authors read, besides those that begin with a language."""

Place = tuple[int, int]
"""Start and end of a part of a source."""


@dataclass(slots=True)
class Meanings:
    """The meanings of the places of one file, from the typed tree."""

    statements: set[int] = field(default_factory=set)
    listeners: set[int] = field(default_factory=set)
    modifiers: set[int] = field(default_factory=set)
    options: set[int] = field(default_factory=set)
    """Where each of these starts."""
    criteria: dict[int, bool] = field(default_factory=dict)
    """Where each begins, and whether the highest comes first."""
    quantified: set[int] = field(default_factory=set)
    filters: set[Place] = field(default_factory=set)
    """Relations after a noun that filter it; conditions after `where` are in the syntax tree."""
    values: dict[Place, str] = field(default_factory=dict)
    """Flags, enum values and dice that are written by name, with another value of the same type."""
    others: Alternatives = field(default_factory=Alternatives)
    commuting: set[int] = field(default_factory=set)
    """Where statements start that commute with the statement before them."""


@dataclass(slots=True)
class SourceMeanings:
    """The meanings of the places of a model's sources, and the forms and field values that no play uses."""

    model: Model
    files: dict[str, Meanings] = field(default_factory=dict)
    idle: set[Span] = field(default_factory=set)
    """Declarations of forms, and values of fields, that only invariants, prospects and bots use."""

    def __post_init__(self) -> None:
        played: list[object] = []
        looking: list[object] = [self.model.outlook]
        given = [
            value
            for definition in self.model.definitions.values()
            for value in definition.values.values()
            if value.body
        ]
        bodies = {id(value.body) for value in given}
        for owner, root in roots(self.model):
            if owner is None:
                played += [self.model.setup, self.model.flow, self.model.journey]
            elif isinstance(owner, Invariant | Preference | Prospect):
                looking.append(root)
            elif not isinstance(owner, Form) and id(root) not in bodies:
                played.append(root)
            for node in walk(root):
                self._note(node)
        for name, others in alternatives(self.model).items():
            self.of(name).others = others
        for name, starts in commuting_statements(self.model).items():
            self.of(name).commuting = starts
        seen = _read(looking)
        aside = [value for value in given if id(value.field) in seen]
        played += [value.body for value in given if id(value.field) not in seen]
        while here := [value for value in aside if id(value.field) in _read(played)]:
            played += [value.body for value in here]
            aside = [value for value in aside if value not in here]
        used = _used(played)
        looking += [value.body for value in aside]
        self.idle = {form.span for number, form in _used(looking).items() if number not in used}
        self.idle |= {value.span for value in aside if value.span is not None}

    def of(self, name: str) -> Meanings:
        """Return the meanings of the places in a file."""
        return self.files.setdefault(name, Meanings())

    def _note(self, node: object) -> None:
        span = getattr(node, "span", None)
        if span is None:
            return
        places = self.of(span.source.name)
        match node:
            case ir.Listener():
                places.listeners.add(span.start)
            case ir.Modifier():
                places.modifiers.add(span.start)
                self._filters(node, places)
            case ir.Option():
                places.options.add(span.start)
            case ir.Criterion():
                places.criteria[span.start] = node.most
            case ir.Quantified():
                places.quantified.add(span.start)
            case ir.Select():
                self._filters(node, places)
            case ir.Const() | ir.Def():
                other = self._other(node)
                if other:
                    places.values[span.start, span.end] = other
            case ir.Answer() if not span.source.text.startswith("answer", span.start):
                pass  # the definition of a relation or measure is no statement
            case _ if isinstance(node, ir.Stmt):
                places.statements.add(span.start)

    def _filters(self, node: ir.Select | ir.Modifier, places: Meanings) -> None:
        """Record the conditions of a selection or modifier that follow the noun."""
        for test in ir.conjuncts(node.where):
            bare = test.operand if isinstance(test, ir.Not) else test
            # `with Wet` is a comparison whose span includes its noun; the condition is its right side.
            span = bare.right.span if isinstance(bare, ir.Binary) and bare.span.start == node.span.start else test.span
            if span.source is node.span.source and node.span.start < span.start and span.end <= node.span.end:
                places.filters.add((span.start, span.end))

    def _other(self, node: ir.Const | ir.Def) -> str:
        """Return another value of the type of one that is written by its name; empty if there is none."""
        written = node.span.source.text[node.span.start : node.span.end]
        match node:
            case ir.Const(type=ir.Type(base="flag")):
                return {"yes": "no", "no": "yes"}.get(written, "")
            case ir.Const(type=ir.Type(base="enum", name=name)):
                enum = self.model.enums.get(name)
                switch = self.model.switches.get(name)
                return _next(written, enum.values if enum else switch.values if switch else ())
            case ir.Def(kind="die"):
                return _next(written, self.model.dice)
        return ""


def _next(written: str, values: Iterable[str]) -> str:
    """Return the next value in a list, cyclically."""
    listed = list(values)
    return listed[(listed.index(written) + 1) % len(listed)] if written in listed and len(listed) > 1 else ""


def _used(pieces: Iterable[object]) -> dict[int, Form]:
    """Return the forms that some behavior uses, directly or through others, by their identity."""
    used: dict[int, Form] = {}
    open_: list[object] = list(pieces)
    while open_:
        for node in walk(open_.pop()):
            if isinstance(node, ir.Apply | ir.Do) and id(node.form) not in used:
                used[id(node.form)] = node.form
                open_.append(node.form.body)
                open_ += [param.default for param in node.form.params]
    return used


def _read(pieces: Iterable[object]) -> set[int]:
    """Return the fields that some behavior reads, directly or through forms, by their identity."""
    pieces = list(pieces)
    bodies = [form.body for form in _used(pieces).values()]
    return {id(node.field) for piece in (*pieces, *bodies) for node in walk(piece) if isinstance(node, ir.Get)}


# ── a file ────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Spot:
    """A logical line that may be changed. `top`: the line of its declaration; `of`: the head of that; `siblings`: the
    lines of its block; `at`: its index among them."""

    line: Line
    top: Line
    of: str
    siblings: tuple[Line, ...]
    at: int
    parent: Spot | None

    @property
    def key(self) -> str:
        """Return the first word of the clause."""
        return keyword_of(self.line)

    @property
    def offsets(self) -> tuple[int, ...]:
        """Return the start of the line, and the starts of the lines around it."""
        return (self.line.offset, *(self.parent.offsets if self.parent is not None else ()))

    @property
    def clauses(self) -> tuple[Clause, ...]:
        """Return the clauses of the line from left to right."""
        head = self.line.head
        return (head, *self.line.tail) if head is not None else self.line.tail

    @property
    def text(self) -> str:
        """Return the text of the line, joined, without block and comments."""
        return logical_line_text(self.line)

    def nodes(self) -> Iterator[Node]:
        """Yield every node of the clauses, parents first."""
        for clause in self.clauses:
            for part in clause.parts:
                yield part
                yield from below(part.expr)

    def place(self, node: Node) -> Place:
        """Return the place of a node in the source."""
        return self.line.offset + node.start, self.line.offset + node.end


def logical_line_text(line: Line) -> str:
    """Return the text of a logical line on one line, without its block and comments."""
    clauses = (line.head, *line.tail) if line.head is not None else line.tail
    start, end = clauses[0].start, clauses[-1].end
    text = line.source.text[line.offset + start : line.offset + end]
    return " ".join(text.split()) + (":" if line.opens or (line.head is not None and not line.tail) else "")


def below(expr: Expr) -> Iterator[Node]:
    """Yield an expression and every node in it, parents first."""
    yield expr
    match expr:
        case Phrase(atoms=phrase_atoms):
            for atom in phrase_atoms:
                yield atom
                if isinstance(atom, Group):
                    for part in atom.parts:
                        yield part
                        yield from below(part.expr)
        case Binary(left=left, right=right) | Where(base=left, condition=right):
            yield from below(left)
            yield from below(right)
        case Negation(operand=operand):
            yield from below(operand)


@dataclass(slots=True)
class Sites:
    """The places of a file that may be changed."""

    file: File
    vocabulary: SourceMeanings
    meanings: Meanings = field(init=False)
    spots: list[Spot] = field(default_factory=list)
    wheres: list[Place] = field(default_factory=list)
    """The conditions after `where`."""

    def __post_init__(self) -> None:
        self.meanings = self.vocabulary.of(self.file.source.name)
        idle = [span.start for span in self.vocabulary.idle if span.source.name == self.file.source.name]
        self.spots = [
            spot
            for spot in spots_of(self.file, self.vocabulary.model.languages)
            if not any(spot.top.offset <= start < spot.top.end or start in spot.offsets for start in idle)
        ]
        for spot in self.spots:
            self.wheres += [spot.place(node.condition) for node in spot.nodes() if isinstance(node, Where)]

    @property
    def text(self) -> str:
        """Return the text of the file."""
        return self.file.source.text


def spots_of(file: File, languages: Sequence[str]) -> list[Spot]:
    """Return the lines of a file that are played, each before its block."""
    out: list[Spot] = []
    for at, line in enumerate(file.lines):
        _collect(line, line, file.lines, at, None, languages, out)
    return out


def _collect(
    line: Line,
    top: Line,
    siblings: tuple[Line, ...],
    at: int,
    parent: Spot | None,
    languages: Sequence[str],
    out: list[Spot],
) -> None:
    key = keyword_of(line)
    if line.broken or line.raw is not None or key in UNPLAYED | PRINTED or (parent and key in languages):
        return
    spot = Spot(line, top, _name(top), siblings, at, parent)
    out.append(spot)
    for number, inner in enumerate(line.block):
        _collect(inner, top, line.block, number, spot, languages, out)


def _name(line: Line) -> str:
    """Return the name of a declaration: the first words of its head, including a lead word."""
    clause = leading(line)
    if clause is None:
        return ""
    head_words = (
        leading_words(clause.parts[0].expr.atoms) if clause.parts and isinstance(clause.parts[0].expr, Phrase) else ()
    )
    cut = next((n for n, word in enumerate(head_words) if n and word in {"for", "covers"}), len(head_words))
    return " ".join([*([clause.lead] if clause.lead else []), *head_words[:cut]])


def part_before(clause: Clause, part: Part) -> Part | None:
    """Return the previous part of a clause."""
    at = clause.parts.index(part)
    return clause.parts[at - 1] if at else None
