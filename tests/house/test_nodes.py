"""The typed tree describes itself: its classes are nodes, fields have roles, and no other code lists the classes."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Literal, get_args, get_origin, get_type_hints

import pytest
from games import GAMES, model

from fcbdsl.language.model import declarations, ir
from fcbdsl.language.model.ir.node import Node, Role, children, node_schema, walk
from fcbdsl.language.model.roots import roots

ROOT = Path(__file__).parents[2] / "fcbdsl"
MODULES = [importlib.import_module(f"{ir.__name__}.{module.name}") for module in pkgutil.iter_modules(ir.__path__)]
CLASSES = [
    cls
    for module in MODULES
    for cls in vars(module).values()
    if inspect.isclass(cls) and cls.__module__ == module.__name__
]
NODES = [cls for cls in CLASSES if issubclass(cls, Node) and cls is not Node]
NO_NODES = {
    "Node": "the base of all of them",
    "Role": "what a field is to its node",
    "ByClass": "functions for nodes of each class",
    "Schema": "the fields of a class of nodes",
    "_Schemas": "the same of each class",
    "_Names": "names in the types of fields",
    "_Constructs": "what nodes of each class say without their parts",
    "_Declaration": "stands for a class of declarations",
    "Type": "said of a node: a name, not a part",
    "Substitution": "what is different in a copy",
    "Renamed": "what is different in a copy",
}


def test_every_class_of_tree_is_node_or_listed_exception() -> None:
    assert {cls.__name__ for cls in CLASSES} - {cls.__name__ for cls in NODES} == set(NO_NODES)


@pytest.mark.parametrize("cls", NODES, ids=lambda cls: cls.__name__)
def test_roles_of_fields_follow_from_types(cls: type[Node]) -> None:
    hints = get_type_hints(cls, localns=vars(declarations))
    for name, role in node_schema(cls).roles:
        named = [cls for cls in _classes(hints[name]) if cls is not type(None)]
        assert (role is Role.CHILD) == all(issubclass(cls, Node) for cls in named), name
        assert (role is Role.REFERENCE) == all(issubclass(cls, declarations.Declared) for cls in named), name


def _classes(hint: object) -> Iterator[type]:
    if get_origin(hint) is Literal:
        yield str
    elif isinstance(hint, type) and not get_args(hint):
        yield hint
    for argument in get_args(hint) if get_origin(hint) is not Literal else ():
        if argument is not ...:
            yield from _classes(argument)


LARGE = "far-cry-beyond"


@pytest.mark.sampled(3)
@pytest.mark.parametrize("game", [pytest.param(game, marks=[pytest.mark.long] * (game == LARGE)) for game in GAMES])
def test_walk_visits_every_node(game: str) -> None:
    for _, root in roots(model(game, tests=True)):
        walked = list(walk(root))
        assert [id(node) for node in walked] == [id(node) for node in _found(root)]
        assert all(list(children(node)) == [*_below(node)] for node in walked)


def _found(tree: object) -> Iterator[Node]:
    """Return the nodes of a tree, found by reading every value of every field."""
    if isinstance(tree, (tuple, list)):
        for child in tree:
            yield from _found(child)
    elif isinstance(tree, Node):
        yield tree
        for child in _below(tree):
            yield from _found(child)


def _below(node: Node) -> Iterator[Node]:
    assert is_dataclass(node)
    for field in fields(node):
        value = getattr(node, field.name)
        yield from (item for item in (value if isinstance(value, tuple) else (value,)) if isinstance(item, Node))


OUTSIDE = [path for path in sorted(ROOT.rglob("*.py")) if path.parent != ROOT / "language" / "model" / "ir"]


def test_no_other_module_lists_node_classes() -> None:
    texts = {path.relative_to(ROOT): path.read_text(encoding="utf-8") for path in OUTSIDE}
    assert not [(str(path), line) for path, text in texts.items() for line in lists_of_nodes(text)]


def lists_of_nodes(text: str) -> Iterator[int]:
    """Return the lines with several classes of nodes in a tuple, list, set or mapping."""
    node_names = {cls.__name__ for cls in NODES}
    if "fcbdsl.language.model" not in text:
        return
    tree = ast.parse(text)
    own = {
        alias.asname or alias.name: alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("fcbdsl.language.model.ir")
        for alias in node.names
    }

    def names_node(item: ast.expr | None) -> bool:
        if isinstance(item, ast.Attribute):
            return isinstance(item.value, ast.Name) and item.value.id == "ir" and item.attr in node_names
        return isinstance(item, ast.Name) and own.get(item.id) in node_names

    types = {id(sub) for node in ast.walk(tree) if isinstance(node, ast.Subscript) for sub in ast.walk(node.slice)}
    for node in ast.walk(tree):
        items: list[ast.expr | None] = []
        if isinstance(node, ast.Tuple | ast.List | ast.Set) and id(node) not in types:
            items = [*node.elts]
        elif isinstance(node, ast.Dict):
            items = [*node.keys]
        if sum(names_node(item) for item in items) > 1:
            yield node.lineno


@pytest.mark.parametrize(
    "text",
    [
        "from fcbdsl.language.model import ir\nKNOWN = (ir.Let, ir.If)",
        "from fcbdsl.language.model.ir import Let, If as Branch\nKNOWN = [Let, Branch]",
        "from fcbdsl.language.model import ir\nTABLE = {ir.Let: 1, ir.If: 2}",
    ],
)
def test_list_of_node_classes_is_found(text: str) -> None:
    assert list(lists_of_nodes(text)) == [2]


def test_pair_types_are_not_counted_as_lists() -> None:
    assert not list(lists_of_nodes("from fcbdsl.language.model import ir\nPair = tuple[ir.Let, ir.If]"))
