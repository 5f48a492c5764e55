"""Alternative words for a place of a source: similar forms and nouns, other sides after `by`, other ends of `until`.

The typed tree shows which words have the same signature. The check decides whether the changed source is valid.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from itertools import islice

from fcbdsl.base.records import dataclass
from fcbdsl.base.source import Span
from fcbdsl.language.model import ir
from fcbdsl.language.model.builtins import TEAM
from fcbdsl.language.model.declarations import Event, Form, Param
from fcbdsl.language.model.ir import walk
from fcbdsl.language.model.lines import WORD
from fcbdsl.language.model.roots import roots
from fcbdsl.language.model.whole import Model

MOST = 2
"""Most other words that are tried in one place."""
LOOKED_UP = ("relation", "measure")
"""Sorts of forms that return a value."""
UNDECIDED = frozenset(["space", "side", "region", "card", "record", "track"])
"""Kinds whose things decide nothing: a question to a card, or to a part of it, is a question to its holder."""
ON_HEXAGONS = (("beside", "touches"), ("range", "range-over-corners"), ("neighbours", "around"))
"""Native ops that are the same on a board of hexagons, where no two spaces meet only at a corner."""


Place = tuple[int, int]


@dataclass(slots=True)
class Alternatives:
    """Other words for places of one file."""

    kin: dict[Place, tuple[str, ...]] = field(default_factory=dict)
    """Words of measures, relations and nouns: others with the same signature."""
    sides: dict[Place, tuple[str, ...]] = field(default_factory=dict)
    """A player, team or figure after `by`: others that are named in the same body."""
    unasked: dict[int, tuple[str, ...]] = field(default_factory=dict)
    """Questions without `by`, by their start: players and figures that are named in the same body."""
    endings: dict[Place, tuple[str, ...]] = field(default_factory=dict)
    """The event after `until`: other events."""


def alternatives(model: Model) -> dict[str, Alternatives]:
    """Return the alternatives for places of a model's sources, by file."""
    return _Finder(model).files


class _Finder:
    def __init__(self, model: Model) -> None:
        self.model = model
        self.files: dict[str, Alternatives] = {}
        self.nouns: dict[str, str] = {}
        """The kind that each noun selects."""
        self.ends: dict[str, None] = {}
        """Events without parameters, as written; first those that occur after some `until`."""
        self._used: dict[int, set[int]] = {}
        """The forms that each form's body uses, directly or through others, by identity."""
        pieces = [(owner, list(walk(root))) for owner, root in roots(model)]
        for _, nodes in pieces:
            for node in nodes:
                if isinstance(node, ir.Select) and node.source is None and node.type.base == "thing" and node.noun:
                    self.nouns.setdefault(node.noun, node.type.name)
                elif isinstance(node, ir.Until) and not node.until.params:
                    self.ends[_called(node.until)] = None
        self.ends |= {_called(event): None for event in model.events.values() if not event.params and not event.verb}
        for owner, nodes in pieces:
            self._note(nodes, owner)

    def _of(self, span: Span) -> Alternatives:
        return self.files.setdefault(span.source.name, Alternatives())

    def _note(self, nodes: Sequence[object], owner: object) -> None:
        names = {name: type_ for name, type_ in _named(nodes).items() if self._decides(type_)}
        for node in nodes:
            match node:
                case ir.Apply(form=form) if form.sort in LOOKED_UP:
                    self._kin(node, form, owner)
                case ir.Select():
                    self._nouns(node)
                case ir.Until():
                    self._ends(node)
                case ir.Choose(chance=True):
                    pass
                case ir.Choose() | ir.ChooseOne() | ir.AnyOrder() | ir.Offer():
                    self._asked(node.by, node.span.start, node, names)
                case ir.ForEach(any_order=True):
                    self._asked(node.by, node.span.start, node, names)
            if isinstance(node, ir.Do | ir.Apply):
                for param, arg in zip(node.form.params, node.args, strict=False):
                    if param.preposition == "by" and arg is not None and isinstance(arg, ir.Var | ir.Instance):
                        self._side(arg, names)

    def _decides(self, type_: ir.Type) -> bool:
        """Return whether things of a type are players, or figures that have one."""
        declared = self.model.kinds.get(type_.name)
        if declared is not None and any(kind.part_of is not None for kind in declared.lineage()):
            return False
        return not UNDECIDED.intersection(self._lineage(type_.name))

    # ── kin ────────────────────────────────────────────────────────────────────────────────────

    def _kin(self, node: ir.Apply, form: Form, owner: object) -> None:
        place = _words_of(node)
        alike = (other for other in self._alike(form) if id(owner) not in self._uses(other))
        others = tuple(" ".join(other.words) for other in islice(alike, MOST))
        if place is not None and others:
            self._of(node.span).kin[place] = others

    def _uses(self, form: Form) -> set[int]:
        """Return a form and those that its body uses: using it in their bodies would be a recursion without end."""
        used = self._used.get(id(form))
        if used is None:
            used = self._used[id(form)] = {id(form)}
            for node in walk(form.body) if form.body is not None else ():
                if isinstance(node, ir.Apply | ir.Do) and id(node.form) not in used:
                    used |= self._uses(node.form)
        return used

    def _alike(self, form: Form) -> Iterator[Form]:
        """Yield the forms that can replace another, those that are declared after it first."""
        forms = [candidate for candidate in self.model.forms if candidate.sort == form.sort]
        at = next((number for number, candidate in enumerate(forms) if candidate is form), 0)
        for other in (*forms[at + 1 :], *forms[:at]):
            alike = other.words != form.words and other.gives == form.gives and len(other.params) == len(form.params)
            alike = alike and not self._are_same(form.op, other.op)
            if alike and all(map(self._takes, other.params, form.params)):
                yield other

    def _are_same(self, op: str | None, other: str | None) -> bool:
        """Return whether two forms are bound to ops that do the same."""
        if op is None or other is None:
            return False
        same = self.model.board == "hex" and any(op in pair and other in pair for pair in ON_HEXAGONS)
        return op == other or same

    def _takes(self, other: Param, one: Param) -> bool:
        same = other.type.base == one.type.base and other.type.many == one.type.many
        fits = other.type.name == one.type.name or other.type.name in self._lineage(one.type.name)
        return same and fits and other.preposition == one.preposition and bool(other.default) >= bool(one.default)

    def _lineage(self, kind: str) -> list[str]:
        """Return a kind and its ancestors."""
        declared = self.model.kinds.get(kind)
        return [ancestor.id for ancestor in declared.lineage()] if declared is not None else [kind]

    def _nouns(self, node: ir.Select) -> None:
        kind = self.nouns.get(node.noun)
        text = node.span.source.text
        if (
            kind is None
            or node.source is not None
            or text.startswith("noun ", text.rfind("\n", 0, node.span.start) + 1)
        ):
            return  # a noun whose declaration uses another noun could then use itself
        start = node.span.source.text.find(node.noun, node.span.start, node.span.end)
        related = {kind, *self._lineage(kind)[1:2]}
        near = [
            noun
            for noun, of in self.nouns.items()
            if noun != node.noun and (of == kind or related.intersection(self._lineage(of)[:2]))
        ]
        near.sort(key=lambda noun: self.nouns[noun] != kind)
        if start >= 0 and near:
            self._of(node.span).kin.setdefault((start, start + len(node.noun)), tuple(near[:MOST]))

    # ── who is asked ───────────────────────────────────────────────────────────────────────────

    def _asked(self, by: ir.Expr | None, start: int, node: ir.Stmt, names: dict[str, ir.Type]) -> None:
        if by is None:
            others = [name for name in names if name != "self"][:MOST]
            if others:
                self._of(node.span).unasked[start] = tuple(others)
        else:
            self._side(by, names)

    def _side(self, by: ir.Expr, names: dict[str, ir.Type]) -> None:
        """Record the others that can be named instead of a player, team or figure."""
        written = by.span.source.text[by.span.start : by.span.end]
        if not written:
            return
        others: list[str] = []
        if isinstance(by, ir.Instance) and by.kind == TEAM:
            others = [id for kind, id in self.model.definitions if kind == TEAM and id != by.id]
        kind = by.type.name
        others += sorted((name for name in names if name != written), key=lambda name: names[name].name != kind)
        if others:
            self._of(by.span).sides[by.span.start, by.span.end] = tuple(others[:MOST])

    # ── until ──────────────────────────────────────────────────────────────────────────────────

    def _ends(self, node: ir.Until) -> None:
        text = node.span.source.text
        if not text.startswith("until ", node.span.start):
            return
        start = node.span.start + len("until ")
        others = [name for name in self.ends if name != _called(node.until)]
        if others:
            self._of(node.span).endings[start, node.span.end] = tuple(others[:MOST])


def _called(event: Event) -> str:
    """Return an event without parameters as written."""
    return " ".join(event.pattern)


def _named(nodes: Iterable[object]) -> dict[str, ir.Type]:
    """Return the players and things that a body names by a word, with their types."""
    out: dict[str, ir.Type] = {}
    for node in nodes:
        if isinstance(node, ir.Body) and node.slots and node.slots[0][0] == "self" and _decides(node.slots[0][1]):
            out.setdefault("self", node.slots[0][1])
        elif isinstance(node, ir.Var) and _decides(node.type):
            written = WORD.match(node.span.source.text, node.span.start, node.span.end)
            if written is not None and written[0] not in ("it", "this"):
                out.setdefault(written[0], node.type)
    return out


def _decides(type_: ir.Type) -> bool:
    return type_.base == "thing" and not type_.many


def _words_of(node: ir.Apply) -> Place | None:
    """Return where the words of a form are, outside of its arguments."""
    words = r"\s+".join(map(re.escape, node.form.words))
    pattern = re.compile(rf"(?<![\w-])(?:{words})(?![\w-])")
    inside = [
        (arg.span.start, arg.span.end)
        for arg in node.args
        if arg is not None and arg.span.source is node.span.source and arg.span != node.span
    ]
    for match in pattern.finditer(node.span.source.text, node.span.start, node.span.end):
        if not any(start <= match.start() and match.end() <= end for start, end in inside):
            return match.start(), match.end()
    return None
