"""Facts about a model that several of its pages need, each found once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field

from fcbdsl.base.records import dataclass
from fcbdsl.base.source import Span
from fcbdsl.language.model import ir
from fcbdsl.language.model.content import Board, Cell, Definition
from fcbdsl.language.model.declarations import Action, Form
from fcbdsl.language.model.whole import Model
from fcbdsl.language.prose.titles import Naming
from fcbdsl.print.layout.views import Style
from fcbdsl.print.pieces.initials import figure_marks
from fcbdsl.print.pieces.looks import styles_of
from fcbdsl.print.pieces.map_lines import spaces_at_lines
from fcbdsl.print.pieces.tree_walk import nodes_below


@dataclass(slots=True)
class _Named:
    """What some trees name: definitions by kind and id, and keywords by id. `chance`: whether they
    choose at random."""

    definitions: dict[tuple[str, str], None] = field(default_factory=dict)
    keywords: dict[str, Form] = field(default_factory=dict)
    chance: bool = False


class ModelFacts:
    """Facts about the trees and titles of a model, which must not change meanwhile: see `after_change`."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self._named: dict[int, _Named] = {}
        self._cards: dict[int, list[Definition]] | None = None
        self._marks: dict[str, Mapping[str, str]] = {}
        self._styles: dict[tuple[str, ...], Sequence[Style]] = {}
        self._sides: dict[int, Sequence[Sequence[Cell]]] = {}
        self._bodies: dict[str, list[ir.Body]] | None = None
        self._named_in_files: dict[str, _Named] = {}
        self._stages: dict[str, tuple[Sequence[Definition], Sequence[Definition]]] = {}

    def after_change(self, things: Iterable[Definition]) -> ModelFacts:
        """Return the facts after a change of values of some definitions."""
        facts = ModelFacts(self.model)
        changed = dict.fromkeys(map(id, things))
        facts._named = {name: named for name, named in self._named.items() if name not in changed}
        facts._cards, facts._marks, facts._styles = self._cards, self._marks, self._styles
        facts._sides, facts._bodies, facts._named_in_files = self._sides, self._bodies, self._named_in_files
        return facts

    def style(self, scenes: tuple[str, ...], seed: int) -> Style:
        """Return the style of pieces of the game, see `style_of`."""
        styles = self._styles.get(scenes)
        if styles is None:
            styles = self._styles[scenes] = styles_of(self.model, scenes)
        return styles[seed % len(styles)]

    def sides(self, board: Board) -> Sequence[Sequence[Cell]]:
        """Return the spaces at each line of a board, see `spaces_at_lines`."""
        sides = self._sides.get(id(board))
        if sides is None:
            sides = self._sides[id(board)] = spaces_at_lines(board)
        return sides

    def named(self, definition: Definition) -> Mapping[tuple[str, str], None]:
        """Return the kinds and ids of the definitions that a definition names, in order of first use."""
        return self._named_in(definition).definitions

    def keywords(self, definition: Definition) -> list[Form]:
        """Return the keywords that a definition and its parts use, in order of first use."""
        used: dict[str, Form] = {}
        for owner in (definition, *definition.parts):
            for name, form in self._named_in(owner).keywords.items():
                used.setdefault(name, form)
        return list(used.values())

    def has_chance(self, definition: Definition) -> bool:
        """Return whether a definition lets chance choose."""
        return self._named_in(definition).chance

    def _named_in(self, definition: Definition) -> _Named:
        named = self._named.get(id(definition))
        if named is None:
            named = self._named[id(definition)] = _names_below(definition)
        return named

    def keywords_beside(self, span: Span) -> Mapping[str, Form]:
        """Return the keywords that actions and forms in the same file use, by id in order of first use."""
        return self._named_beside(span).keywords

    def has_chance_beside(self, span: Span) -> bool:
        """Return whether actions or forms in the same file let chance choose."""
        return self._named_beside(span).chance

    def _named_beside(self, span: Span) -> _Named:
        if self._bodies is None:
            self._bodies = {}
            things: list[Action | Form] = [*self.model.actions.values(), *self.model.forms]
            for declared in things:
                if declared.body is not None:
                    self._bodies.setdefault(declared.span.source.name, []).append(declared.body)
        named = self._named_in_files.get(span.source.name)
        if named is None:
            bodies = self._bodies.get(span.source.name, ())
            named = self._named_in_files[span.source.name] = _names_below(tuple(bodies))
        return named

    def stages(self, kind: str) -> tuple[Sequence[Definition], Sequence[Definition]]:
        """Return the definitions of a kind, and all definitions that name any of them, in order of declaration."""
        if kind not in self._stages:
            everything = self.model.definitions.values()
            stages = [definition for definition in everything if definition.kind.id == kind]
            keys = {(stage.kind.id, stage.id): None for stage in stages}
            naming = [each for each in everything if keys and not keys.keys().isdisjoint(self.named(each))]
            self._stages[kind] = stages, naming
        return self._stages[kind]

    def cards_for(self, target: Definition) -> Sequence[Definition]:
        """Return the definitions that are for another one, in order of declaration."""
        if self._cards is None:
            self._cards = {}
            for definition in self.model.definitions.values():
                if definition.target is not None:
                    self._cards.setdefault(id(definition.target), []).append(definition)
        return self._cards.get(id(target), ())

    def marks(self, naming: Naming) -> Mapping[str, str]:
        """Return the marks of figures in the language of `naming`, see `figure_marks`. Missing titles are reported each
        time."""
        code = naming.language.code
        marks = self._marks.get(code)
        if marks is None:
            before = len(naming.problems)
            marks = figure_marks(self.model, naming)
            if len(naming.problems) == before:
                self._marks[code] = marks
        return marks


def _names_below(tree: object) -> _Named:
    """Return what a tree names, see `nodes_below`."""
    named = _Named()
    for node in nodes_below(tree):
        if isinstance(node, ir.Def):
            named.definitions[node.kind, node.id] = None
        elif isinstance(node, ir.Do | ir.Apply):
            if node.form.sort == "keyword":
                named.keywords.setdefault(node.form.id, node.form)
        elif isinstance(node, ir.Choose) and node.chance:
            named.chance = True
    return named
