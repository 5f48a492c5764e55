"""All shipped content resolves, and the types in its typed trees agree."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path

import pytest
from edited_files import edited_shipped_game
from games import GAMES, model

from fcbdsl.language.model import ir
from fcbdsl.language.model.content import Definition
from fcbdsl.language.model.dump import dump
from fcbdsl.language.model.ir import FLAG, NUMBER, Type
from fcbdsl.language.model.resolve import expressions
from fcbdsl.language.model.resolve.vocabulary import Vocabulary
from fcbdsl.language.model.whole import Model


@pytest.fixture(scope="module", params=GAMES)
def made(request: pytest.FixtureRequest) -> Model:
    return model(request.param, tests=True)


def bodies(made: Model) -> Iterator[tuple[str, object]]:
    """Yield everything that was read, each with the name of its declaration."""
    for form in made.forms:
        yield form.id, form.body
    for kind in made.kinds.values():
        yield kind.id, (kind.usable, kind.spends, tuple(kind.listeners), tuple(kind.modifiers))
        yield kind.id, tuple((*field.listeners, *field.modifiers) for field in kind.fields.values())
    for rule in made.rules.values():
        yield rule.id, (tuple(rule.listeners), tuple(rule.modifiers))
    for action in made.actions.values():
        yield action.id, action.body
    for definition in made.definitions.values():
        yield from _of_definition(definition)
    for test in made.tests:
        yield test.title, tuple(step.body for step in test.steps)
    yield "flow", made.flow


def _of_definition(definition: Definition) -> Iterator[tuple[str, object]]:
    yield definition.id, (tuple(definition.listeners), tuple(definition.modifiers))
    yield definition.id, tuple(value.body for value in definition.values.values())
    for part in definition.parts:
        yield from _of_definition(part)


def nodes(node: object) -> Iterator[object]:
    """Yield the nodes of a typed tree, parents first."""
    if isinstance(node, tuple):
        for item in node:
            yield from nodes(item)
    elif (
        is_dataclass(node)
        and type(node).__module__.startswith("fcbdsl.language.model.ir.")
        and not isinstance(node, Type)
    ):
        yield node
        for field in fields(node):
            yield from nodes(getattr(node, field.name))


@pytest.fixture(scope="module")
def words(made: Model) -> Vocabulary:
    return Vocabulary(made)


def agrees(words: Vocabulary, have: Type, want: Type) -> bool:
    """Return whether a value of one type fits where the other is needed, with all conversions made explicit."""
    if have.base == "nothing":
        return True
    if have.many != want.many:
        return False
    if have.base == "thing" and want.name == "space":
        return have.name == "space"
    if have.base in {"thing", "definition"} and have.base == want.base:
        return words.related(have.name or "thing", want.name or "thing")
    if have.base == "zone" and want.base == "zone":
        return True
    return have.base == want.base and (have.base != "enum" or have.name == want.name)


def test_arguments_have_parameter_types(made: Model, words: Vocabulary) -> None:
    seen = 0
    for name, body in bodies(made):
        for node in nodes(body):
            if isinstance(node, ir.Apply | ir.Do):
                for param, arg in zip(node.form.params, node.args, strict=True):
                    if arg is None:
                        assert param.optional, (name, node.form.id, param.name)
                    else:
                        assert agrees(words, arg.type, param.type), (name, node.form.id, param.name, arg.type)
                        seen += 1
    assert seen > 500


def test_conditions_are_flags(made: Model) -> None:
    for name, body in bodies(made):
        for node in nodes(body):
            if isinstance(node, ir.If | ir.Require):
                assert node.condition.type == FLAG, name
            if isinstance(node, ir.Select) and node.where is not None:
                assert node.where.type == FLAG, name
            if isinstance(node, ir.Binary) and node.op in {"+", "-", "*", "/", "<", "<=", ">", ">="}:
                assert (node.left.type, node.right.type) == (NUMBER, NUMBER), name


def test_assignments_have_column_types(made: Model, words: Vocabulary) -> None:
    staged = {test.title for test in made.tests}  # a test may set what no effect can
    for name, body in bodies(made):
        for node in nodes(body):
            if isinstance(node, ir.Assign):
                field = node.target.field
                assert field.sort in {"stat", "status", "token"} or field.id == "controller" or name in staged, name
                assert agrees(words, node.value.type, node.target.type), (name, node.target.field.id)


def test_columns_belong_to_things(made: Model, words: Vocabulary) -> None:
    for name, body in bodies(made):
        for node in nodes(body):
            if isinstance(node, ir.Get):
                assert words.related(node.of.type.name, node.field.kind), (name, node.of.type, node.field.id)


def _outermost(node: object) -> Iterator[ir.Body]:
    """Return the bodies with separate slots."""
    for inner in nodes(node):
        if isinstance(inner, ir.Body) and inner.slots:
            yield inner


def test_locals_have_slots_of_their_type(made: Model, words: Vocabulary) -> None:
    seen = 0
    for name, body in bodies(made):
        for outer in _outermost(body):
            for node in _own(outer.statements):
                if isinstance(node, ir.Var):
                    assert node.slot < len(outer.slots), (name, node.name)
                    slot_name, slot_type = outer.slots[node.slot]
                    assert agrees(words, node.type, slot_type) or slot_type.base == "nothing", (name, slot_name)
                    seen += 1
    assert seen > 500


def _own(node: object) -> Iterator[object]:
    """Return a tree without the bodies that have separate slots."""
    if isinstance(node, tuple):
        for item in node:
            yield from _own(item)
    elif isinstance(node, ir.Listener | ir.Modifier) or not is_dataclass(node) or isinstance(node, Type):
        return
    elif type(node).__module__.startswith("fcbdsl.language.model.ir."):
        yield node
        for field in fields(node):
            yield from _own(getattr(node, field.name))


def test_spans_are_within_files(made: Model) -> None:
    for name, body in bodies(made):
        for node in nodes(body):
            span = getattr(node, "span", None)
            if span is not None:
                assert 0 <= span.start <= span.end <= len(span.source.text), name
                assert Path(span.source.name).suffix in {".fcb", ""}, name


def test_equal_lines_have_distinct_spans(made: Model) -> None:
    """Equal lines share their readings, but not their places."""
    for definition in made.definitions.values():
        for value in definition.values.values():
            for node in nodes(value.body):
                if isinstance(node, ir.Do) and value.span is not None:
                    assert node.span.source is value.span.source, definition.id


@pytest.mark.skipif(Path(expressions.__file__).suffix != ".py", reason="what is compiled calls what is compiled")
def test_suffixes_are_found_where_they_are_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading gives the same if suffixes of lists are looked for behind every list."""
    game = edited_shipped_game("fireteam-zero")
    problems = [(problem.code, problem.span.place) for problem in game.checker.problems()]
    quick = dump(game.checker.model)
    monkeypatch.setattr(expressions, "_may_have_suffix", lambda state, at: True)
    slow = edited_shipped_game("fireteam-zero")
    assert dump(slow.checker.model) == quick
    assert [(problem.code, problem.span.place) for problem in slow.checker.problems()] == problems
    assert " where " in quick
