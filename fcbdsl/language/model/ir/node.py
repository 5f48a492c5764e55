"""The base class of nodes of the typed tree, and the roles of their fields.

The role of a field follows from its type. So each class of nodes is declared once, and is traversed, rebuilt and
compared without a list of classes.
"""

from __future__ import annotations

import builtins
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields
from enum import Enum
from functools import cache
from inspect import get_annotations
from operator import attrgetter
from typing import Annotated, Any, Literal, TypeVar, cast, get_args, get_origin

from fcbdsl.base.records import PlainRecord, dataclass
from fcbdsl.base.source import Span


class Role(Enum):
    """The role of a field in its node."""

    CHILD = "a node, several, or none"
    REFERENCE = "a declaration, which has a life of its own"
    SLOT = "the number of a local"
    PLACE = "where the node stands in its source"
    SPELLING = "how the author put it, which changes nothing of what it says"
    LABEL = "anything else that the node says"


_CHILD, _SLOT = Role.CHILD, Role.SLOT
SlotNumber = Annotated[int, Role.SLOT]
Spelling = Annotated[str, Role.SPELLING]


class Node(PlainRecord):
    """Base class of the nodes of the typed tree."""

    __slots__ = ()


N = TypeVar("N", bound=Node)
T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Schema:
    """The fields of a class of nodes.

    `roles`: the role of each field. `read`: reads all fields and the class (so that the result is always a tuple).
    `below`: reads the children: the only one or, if `several`, all in reverse order; None: the class has no children.
    """

    roles: tuple[tuple[str, Role], ...]
    read: Callable[[Any], tuple[Any, ...]]
    below: Callable[[Any], Any] | None
    several: bool
    variable: tuple[tuple[int, Role], ...]
    """Numbers of the fields that may differ in a copy: children, slots and places."""
    inner: tuple[tuple[int, Role], ...]
    """Numbers of the fields with children."""
    contents: tuple[tuple[int, Role], ...]
    """Numbers of the fields without places and spellings."""


def node_schema(cls: type[Node]) -> Schema:
    """Return the schema of a class of nodes, which is cached."""
    schema = _SCHEMAS[cls]
    assert schema is not None
    return schema


def walk(tree: object) -> tuple[Node, ...]:
    """Return a node and everything below it, parents first; for a list or tuple, of all its items.

    Declarations that the nodes refer to are not entered. Results are kept, because each check walks the same bodies.
    """
    cached = _WALKED.get(id(tree))
    if cached is not None:
        return cached[1]
    schema = _SCHEMAS[tree.__class__]
    if schema is None:
        return _walked_items(tree) if isinstance(tree, (tuple, list)) else ()
    if schema.below is None:
        return (cast(Node, tree),)
    nodes = tuple(_walked(tree))
    _count[0] += len(nodes)
    if _count[0] > _MOST:
        _WALKED.clear()
        _count[0] = len(nodes)
    _WALKED[id(tree)] = tree, nodes
    return nodes


def has_locals(tree: object) -> bool:
    """Return whether a node in a tree has the number of a local."""
    for node in walk(tree):
        cls: Any = node.__class__
        if _has_slot(cls):
            return True
    return False


@cache
def _has_slot(cls: Any) -> bool:
    return any(role is _SLOT for _, role in node_schema(cls).variable)


def _walked_items(trees: Iterable[object]) -> tuple[Node, ...]:
    """Return the nodes of all items."""
    out: list[Node] = []
    for tree in trees:
        if tree is not None:
            out += walk(tree)
    return tuple(out)


def restore_walks(walks: Iterable[tuple[Node, ...]]) -> None:
    """Take over results of `walk` from another process: each begins with its tree."""
    for nodes in walks:
        _count[0] += len(nodes)
        _WALKED[id(nodes[0])] = nodes[0], nodes


def walks_of(trees: Iterable[object]) -> Iterator[tuple[Node, ...]]:
    """Yield the results of `walk` for the nodes in trees and lists, as far as they are worth keeping."""
    for tree in trees:
        if isinstance(tree, (tuple, list)):
            yield from walks_of(tree)
        elif isinstance(tree, Node):
            nodes = walk(tree)
            if len(nodes) >= _FEWEST:
                yield nodes


def forget_walks() -> None:
    """Forget the results of `walk`, which take memory and keep trees alive."""
    _WALKED.clear()
    _count[0] = 0


_WALKED: dict[int, tuple[object, tuple[Node, ...]]] = {}
"""Results of `walk` by the identity of trees, which never change and are kept alive here."""
_count = [0]
"""The number of nodes in these results."""
_MOST = 300_000
"""Most nodes in these results; then all are forgotten."""
_FEWEST = 4
"""Fewest nodes of a result that is stored for another process."""


def _walked(tree: object) -> list[Node]:
    """Return a node and everything below it."""
    out: list[Node] = []
    stack: list[Any] = [tree]
    while stack:
        part = stack.pop()
        if part is None:
            continue
        schema = _SCHEMAS[part.__class__]
        if schema is None:
            stack += part[::-1]
            continue
        out.append(part)
        below = schema.below
        if below is None:
            continue
        if schema.several:
            stack += below(part)
        else:
            stack.append(below(part))
    return out


class ByClass(dict[type, Callable[..., Any]]):
    """A registry of functions by the class of the node that they handle.

    A lookup by class is faster than a match statement that tries one pattern after another.
    """

    def of(self, *classes: type) -> Callable[[F], F]:
        """Register a function for nodes of these classes."""

        def taken(function: F) -> F:
            self.update(dict.fromkeys(classes, function))
            return function

        return taken


def children(node: Node) -> list[Node]:
    """Return the nodes directly inside a node, in order."""
    schema = node_schema(node.__class__)
    if schema.below is None:
        return []
    below: Any = schema.below(node)
    if not schema.several and below.__class__ is not tuple:
        return [] if below is None else [below]
    inside: list[Node] = []
    for part in below[::-1] if schema.several else (below,):
        if part.__class__ is tuple:
            inside += [child for child in part if child is not None]
        elif part is not None:
            inside.append(part)
    return inside


def parts(node: Node) -> Iterator[tuple[Role, Any]]:
    """Yield all fields of a node with their roles."""
    for name, role in node_schema(node.__class__).roles:
        yield role, getattr(node, name)


def rebuilt(
    node: N,
    child: Callable[[Any], Any],
    slot: Callable[[int], int] | None = None,
    place: Callable[[Span], Span] | None = None,
) -> N:
    """Return a copy of a node with changed children, numbers of locals and places; the same node if nothing changes.

    The functions are called in the order of the node's fields.
    """
    schema = node_schema(node.__class__)
    others = slot is not None or place is not None
    if schema.below is None and not others:
        return node
    values = [*schema.read(node)]
    changed = False
    for index, role in schema.variable if others else schema.inner:
        old = values[index]
        if role is _CHILD:
            if old is None:
                continue
            new = _all_rebuilt(old, child) if old.__class__ is tuple else child(old)
            changed = changed or new is not old
        elif role is _SLOT:
            if slot is None:
                continue
            new = slot(old)
            changed = changed or new != old
        else:
            if place is None:
                continue
            new = place(old)
            changed = changed or new is not old
        values[index] = new
    return values.pop()(*values) if changed else node


def _all_rebuilt(nodes: tuple[Any, ...], child: Callable[[Any], Any]) -> tuple[Any, ...]:
    rebuilt_nodes = tuple([None if node is None else child(node) for node in nodes])
    return rebuilt_nodes if any(new is not old for new, old in zip(rebuilt_nodes, nodes, strict=True)) else nodes


# ── roles ──────────────────────────────────────────────────────────────────────────────────────


class _Schemas(dict[type, "Schema | None"]):
    """Schemas of classes, cached; None for a class that is no node."""

    def __missing__(self, cls: type) -> Schema | None:
        self[cls] = _schema(cls) if issubclass(cls, Node) else None
        return self[cls]


_SCHEMAS = _Schemas()


def _schema(cls: type[Node]) -> Schema:
    texts = {name: (text, base) for base in reversed(cls.__mro__) for name, text in get_annotations(base).items()}
    roles = tuple((field.name, _role_of(*texts[field.name])) for field in fields(cast(Any, cls)))
    below = [name for name, role in reversed(roles) if role is Role.CHILD]
    may_differ = {Role.CHILD, Role.SLOT, Role.PLACE}
    variable = tuple((index, role) for index, (_, role) in enumerate(roles) if role in may_differ)
    inner = tuple((index, role) for index, role in variable if role is Role.CHILD)
    contents = tuple((index, role) for index, (_, role) in enumerate(roles) if role not in {Role.PLACE, Role.SPELLING})
    read: Any = attrgetter(*(name for name, _ in roles), "__class__")
    return Schema(roles, read, attrgetter(*below) if below else None, len(below) > 1, variable, inner, contents)


class _Declaration:
    """Stand-in for every class of declarations in the types of fields."""


class _Names(dict[str, Any]):
    """The names of a module, in which the types of fields are evaluated.

    Declarations contain trees, so the tree cannot import them: a name known only to the type checker is a declaration.
    """

    def __missing__(self, name: str) -> Any:
        return getattr(builtins, name, _Declaration)


def _role_of(annotation: object, owner: type) -> Role:
    """Return the role of a field by its annotation in the class that declares it."""
    key = str(annotation), owner.__module__
    if key not in _ROLES:
        names = _Names(vars(sys.modules[owner.__module__]))
        _ROLES[key] = role_of(eval(annotation, {}, names) if isinstance(annotation, str) else annotation)
    return _ROLES[key]


_ROLES: dict[tuple[str, str], Role] = {}
"""Roles by annotation and module."""


def role_of(hint: Any) -> Role:
    """Return the role of a field of that type. A union, tuple or mapping has the role of its members.

    Raises TypeError if the members have different roles.
    """
    if get_origin(hint) is Annotated:
        marked = [role for role in hint.__metadata__ if isinstance(role, Role)]
        return marked[0] if marked else role_of(hint.__origin__)
    if get_origin(hint) is Literal:
        return Role.LABEL
    inside = [arg for arg in get_args(hint) if arg not in (type(None), ...)]
    if inside:
        roles = dict.fromkeys(role_of(inner) for inner in inside)
        if len(roles) > 1:
            raise TypeError(f"{hint} holds things of different roles")
        return next(iter(roles))
    if not isinstance(hint, type):
        raise TypeError(f"{hint} is no type that a field of a node may have")
    if issubclass(hint, Node):
        return Role.CHILD
    if hint is _Declaration:
        return Role.REFERENCE
    return Role.PLACE if hint is Span else Role.LABEL
