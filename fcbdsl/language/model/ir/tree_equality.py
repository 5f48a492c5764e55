"""Structural equality of expressions and other trees."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from operator import attrgetter
from typing import Any

from fcbdsl.base.source import Span
from fcbdsl.language.model.ir.node import Node, Role, node_schema, parts
from fcbdsl.language.model.ir.values import Const, Expr, Instance, Quantified, Select, Var, ZoneOf


def same(left: Expr, right: Expr) -> bool:
    """Return whether two expressions are structurally equal; places in the source do not matter."""
    return shape(left, {}) == shape(right, {})


def shape(node: Node, bound: Mapping[int, Hashable]) -> Hashable:
    """Return a hashable value that is equal for structurally equal nodes.

    Ignored are places in the source, the author's spelling, the slots of candidates inside the node, and the kinds to
    which variables have been narrowed (except where they distinguish zones of the same name). Slots with an equal value
    in `bound` are equal.
    """
    own, cls = bound, node.__class__
    if isinstance(node, (Select, Quantified)):
        own = {**own, node.it: ("own", sum(isinstance(place, tuple) for place in own.values()))}
    key: list[Hashable] = [cls.__name__]
    if isinstance(node, ZoneOf):
        key.append(node.of.type)
    for name, role in node_schema(cls).roles:
        if role is _PLACE or role is _SPELLING:
            continue
        part = getattr(node, name)
        if role is _CHILD:
            if part.__class__ is tuple:
                key.append(tuple([None if child is None else shape(child, own) for child in part]))
            else:
                key.append(None if part is None else shape(part, own))
        elif role is _SLOT:
            key.append(own.get(part, part))
        elif cls is Var:
            key.append((part.base, part.many))
        else:
            key.append(tuple(part.items()) if isinstance(part, dict) else part)
    return tuple(key)


_PLACE, _SPELLING, _CHILD, _SLOT, _REFERENCE = Role.PLACE, Role.SPELLING, Role.CHILD, Role.SLOT, Role.REFERENCE


_NO_PLACES = (Role.PLACE, Role.SPELLING)
_NO_NUMBERS = (*_NO_PLACES, Role.LABEL)


def equal_in_place(left: object, right: object) -> bool:
    """Return whether two trees (nodes, or lists of them) are equal, and all their nodes have the same places in the
    files now."""
    pairs = [(left, right)]
    while pairs:
        one, other = pairs.pop()
        if one is other:
            continue
        if one.__class__ is not other.__class__:
            return False
        if isinstance(one, tuple | list) and isinstance(other, tuple | list):
            if len(one) != len(other):
                return False
            pairs += zip(one, other, strict=True)
        elif isinstance(one, Node) and isinstance(other, Node):
            for (role, mine), (_, theirs) in zip(parts(one), parts(other), strict=True):
                if role is _CHILD:
                    pairs.append((mine, theirs))
                elif role is _PLACE:
                    if mine is not theirs and _position(mine) != _position(theirs):
                        return False
                elif mine != theirs:
                    return False
        elif one != other:
            return False
    return True


def _position(place: object) -> object:
    """Return the position of a span in its file; other places as they are."""
    if not isinstance(place, Span):
        return place
    return place.source.name, *place.source.stretch(place.start, place.end)


def equal_trees(left: object, right: object, numbers: bool = False) -> bool:
    """Return whether two trees (nodes, or lists of them) are equal except for places and the author's spelling.

    Numbers may differ, too, unless `numbers` is set.
    """
    pairs = [(left, right)]
    while pairs:
        one, other = pairs.pop()
        if one.__class__ is not other.__class__:
            return False
        if isinstance(one, tuple | list) and isinstance(other, tuple | list):
            if len(one) != len(other):
                return False
            pairs += zip(one, other, strict=True)
        elif isinstance(one, Node) and isinstance(other, Node):
            counted = isinstance(one, Const) and one.type.base == "number" and not numbers
            skipped = _NO_NUMBERS if counted else _NO_PLACES
            for (role, mine), (_, theirs) in zip(parts(one), parts(other), strict=True):
                if role is Role.CHILD:
                    pairs.append((mine, theirs))
                elif role not in skipped and mine != theirs:
                    return False
        elif one != other:
            return False
    return True


def pattern_key(tree: object) -> Hashable:
    """Return a hashable value that is equal for trees (nodes, or lists of them) that differ only in their places, and
    in which spaces they mention: these count by the order of their first mention.

    Unlike `shape` it keeps the numbers of slots and the exact types. Declarations count by identity.
    """
    key: list[Hashable] = []
    spaces: dict[str, int] = {}
    waiting: list[Any] = [tree]
    while waiting:
        part = waiting.pop()
        cls = part.__class__
        if cls is tuple or cls is list:
            key.append(len(part))
            waiting += part
        elif cls is Instance and part.kind == "space":
            key += (id(cls), spaces.setdefault(part.id, len(spaces)), part.type)
        elif isinstance(part, Node):
            schema = node_schema(cls)
            values = schema.read(part)
            key.append(id(cls))
            for index, role in schema.contents:
                value = values[index]
                if role is _CHILD:
                    waiting.append(value)
                elif role is _REFERENCE:
                    key.append(tuple(map(id, value)) if isinstance(value, tuple) else id(value))
                else:
                    key.append(tuple(value.items()) if isinstance(value, dict) else value)
        else:
            key.append(part)
    return tuple(key)


def constructs(nodes: Iterable[Node]) -> list[Hashable]:
    """Return, per node, a hashable value that is equal for nodes that differ only in their values, places and locals,
    and in what their children contain.

    It contains the classes of the node and its children, the declarations and words of the language, and the type.
    """
    return [_CONSTRUCTS[node.__class__](node) for node in nodes]


_VALUES = frozenset({"value", "id", "label", "copy", "title", "why", "slots", "low", "high", "faces"})
"""Labels with numbers, names and texts of the author."""


class _Constructs(dict[type[Node], Callable[[Any], Hashable]]):
    """Functions that return what `constructs` returns for a node, by its class."""

    def __missing__(self, cls: type[Node]) -> Callable[[Any], Hashable]:
        names = ["__class__"]
        for name, role in node_schema(cls).roles:
            if role is _CHILD:
                names.append(f"{name}.__class__")
            elif name == "type":
                names += ["type.base", "type.many"]
            elif role is _REFERENCE or (role is Role.LABEL and name not in _VALUES):
                names.append(name)
        self[cls] = attrgetter(*names)
        return self[cls]


_CONSTRUCTS = _Constructs()
