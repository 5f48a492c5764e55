"""Records: dataclasses whose methods are generated when they are first called.

Python generates `__init__`, `__eq__` and the other methods of each dataclass at import, and describes its fields. This
takes half a millisecond per class. A command imports hundreds of classes, and most of the methods are never called, so
fcb makes methods and descriptions on demand. Only the type checker enforces `frozen`: the run-time check would make
each construction three times slower.
"""

from __future__ import annotations

import dataclasses
import re
import sys
from collections.abc import Callable, Iterable
from dataclasses import field, fields
from operator import attrgetter
from types import MemberDescriptorType
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from dataclasses import dataclass

    from mypy_extensions import mypyc_attr
else:

    def mypyc_attr(**flags):
        """Stand-in for mypyc's decorator of a class, which has no effect in plain Python."""
        return lambda cls: cls

    def dataclass(cls=None, /, *, frozen=False, slots=False, init=True, repr=True, eq=True, order=False):
        """Like `dataclasses.dataclass`, but generate each method at its first call."""

        def made(cls):
            cls.__doc__ = cls.__doc__ or cls.__name__  # else dataclass computes its signature, which is slow
            own = cls.__dict__
            hashed = _HASH in own and not (own[_HASH] is None and "__eq__" in own)  # then `__hash__` is None
            cls = _bare(cls, slots)
            wanted = {"__init__": init, "__repr__": repr, "__eq__": eq, **dict.fromkeys(_ORDER, order)}
            for name in [name for name, does in wanted.items() if does and name not in cls.__dict__]:
                setattr(cls, name, _later(cls, name))
            if eq and not hashed:
                setattr(cls, _HASH, _later(cls, _HASH) if frozen else None)
            return cls

        return made if cls is None else made(cls)


__all__ = ["PlainRecord", "dataclass", "describe_record", "mypyc_attr"]


def _bare(cls: Any, slots: bool) -> Any:
    """Return what `dataclasses.dataclass` makes of a class, without methods. Its fields are described on demand."""
    own = vars(cls).get("__annotations__", {})  # `inspect.get_annotations` takes as long as all the rest
    if sys.version_info >= (3, 14) or any(
        type(annotation) is not str or _SPECIAL.search(annotation) for annotation in own.values()
    ):
        return dataclasses.dataclass(init=False, repr=False, eq=False, slots=slots)(cls)
    columns = {name: annotation for name, annotation in own.items() if not annotation.startswith("ClassVar")}
    given: dict[str, Any] = {}
    for name in columns:
        value = getattr(cls, name, dataclasses.MISSING)
        if value is dataclasses.MISSING or isinstance(value, MemberDescriptorType):
            continue
        default = given[name] = value if isinstance(value, dataclasses.Field) else field(default=value)
        if default.default is not dataclasses.MISSING and type(default.default).__hash__ is None:
            raise ValueError(f"mutable default {value!r} of {cls.__name__}.{name}: use default_factory")
    names: dict[str, None] = {}
    for base in reversed(cls.__mro__[1:-1]):
        names |= dict.fromkeys(_NAMES[base] if base in _NAMES else getattr(base, _FIELDS, ()))
    names |= dict.fromkeys(columns)
    if slots:
        cls = _slotted(cls, names)
    else:
        for name, default in given.items():
            if default.default is not dataclasses.MISSING:
                setattr(cls, name, default.default)
            elif name in cls.__dict__:
                delattr(cls, name)
    _NAMES[cls] = tuple(names)
    setattr(cls, _FIELDS, _LaterFields(cls, columns, given))
    if _MATCHED not in cls.__dict__:
        setattr(cls, _MATCHED, _LaterMatched(cls))
    setattr(cls, _PARAMETERS, vars(_Example)[_PARAMETERS])
    return cls


def _slotted(cls: Any, names: Iterable[str]) -> Any:
    """Return a copy of a class with slots for some fields, except for those that a base class has slots for."""
    if "__slots__" in cls.__dict__:
        raise TypeError(f"{cls.__name__} already specifies __slots__")
    inherited: set[str] = set()
    for base in cls.__mro__[1:-1]:
        slots = base.__dict__.get("__slots__", ())
        inherited.update((slots,) if isinstance(slots, str) else slots)
    content = dict(cls.__dict__)
    for name in names:
        content.pop(name, None)
    content.pop("__dict__", None)
    content.pop("__weakref__", None)
    content["__slots__"] = tuple([name for name in names if name not in inherited])
    slotted = type(cls)(cls.__name__, cls.__bases__, content)
    slotted.__qualname__ = cls.__qualname__
    return slotted


class _LaterFields:
    """The fields of a record, described on demand. `own`: its own fields with their types; `given`: their defaults."""

    def __init__(self, cls: Any, own: dict[str, str], given: dict[str, Any]) -> None:
        self._cls, self._own, self._given = cls, own, given

    def __get__(self, record: object, cls: type) -> dict[str, dataclasses.Field[Any]]:
        columns: dict[str, Any] = {}
        for base in reversed(self._cls.__mro__[1:-1]):
            columns |= getattr(base, _FIELDS, {})
        for name, annotation in self._own.items():
            column: Any = self._given.get(name) or field()
            column.name, column.type, column._field_type = name, annotation, _PLAIN_FIELD
            if column.kw_only is dataclasses.MISSING:
                column.kw_only = False
            columns[name] = column
        setattr(self._cls, _FIELDS, columns)
        return columns


class _LaterMatched:
    """The names of the fields that positions in a pattern match, found on demand."""

    def __init__(self, cls: Any) -> None:
        self._cls = cls

    def __get__(self, record: object, cls: type) -> tuple[str, ...]:
        names = tuple([column.name for column in fields(self._cls) if column.init and not column.kw_only])
        setattr(self._cls, _MATCHED, names)
        return names


_HASH = "__hash__"
_ORDER = ("__lt__", "__le__", "__gt__", "__ge__")
_SAID: dict[str, dict[str, bool]] = {
    "__repr__": {"repr": True},
    "__eq__": {"eq": True},
    _HASH: {"eq": True, "unsafe_hash": True},
    **{name: {"eq": True, "order": True} for name in _ORDER},
}
"""The dataclass options that generate each method."""


def _later(cls: type, name: str) -> Callable[..., object]:
    """Return a stub that generates the real method, replaces itself by it, and calls it."""

    def method(self: object, *args: object, **named: object) -> object:
        generated = _init(cls) if name == "__init__" else _generated_method(cls, name)
        setattr(cls, name, generated)
        return generated(self, *args, **named)

    return method


def _init(cls: type) -> Callable[..., object]:
    """Return an `__init__` for the fields of a class; `dataclasses` would take three times as long."""
    namespace: dict[str, Any] = {"MISSING": dataclasses.MISSING}
    given: list[str] = []
    named: list[str] = []
    lines = ["pass"]
    for declared in fields(cast(Any, cls)):
        name = value = declared.name
        default = ""
        if declared.default_factory is not dataclasses.MISSING:
            namespace[f"_made_{name}"], default = declared.default_factory, "=MISSING"
            value = f"_made_{name}() if {name} is MISSING else {name}" if declared.init else f"_made_{name}()"
        elif declared.default is not dataclasses.MISSING:
            namespace[f"_default_{name}"], default = declared.default, f"=_default_{name}"
        if declared.init:
            (named if declared.kw_only else given).append(name + default)
        if declared.init or declared.default_factory is not dataclasses.MISSING:
            lines.append(f"self.{name} = {value}")
    if hasattr(cls, "__post_init__"):
        lines.append("self.__post_init__()")
    heads = ", ".join(["self", *given, *(["*", *named] if named else [])])
    exec(f"def __init__({heads}):\n " + "\n ".join(lines), namespace)
    return cast(Callable[..., object], namespace["__init__"])


def _generated_method(cls: type, name: str) -> Callable[..., object]:
    """Return another method that `dataclasses` generates for the fields of a class."""
    again = [(field.name, field.type, _again(field)) for field in fields(cast(Any, cls))]
    options: dict[str, Any] = {"init": False, "repr": False, "eq": False} | _SAID[name]
    like = dataclasses.make_dataclass(cls.__name__, again, namespace={"__doc__": cls.__doc__}, **options)
    return cast(Callable[..., object], getattr(like, name))


def _again(declared: dataclasses.Field[Any]) -> Any:
    """Return an equal field that belongs to no class yet."""
    names = ("default", "default_factory", "init", "repr", "hash", "compare", "kw_only")
    return field(**{name: getattr(declared, name) for name in names})


class PlainRecord:
    """A record that is pickled as its values and restored by a call of its class.

    That takes half the time of setting the attributes of an empty instance. Its values never change.
    """

    __slots__ = ()

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        cls = self.__class__
        return cls, _VALUES[cls](self)


class _Values(dict[type, Callable[[Any], tuple[object, ...]]]):
    """Functions that read all values of a record, cached by class."""

    def __missing__(self, cls: type) -> Callable[[Any], tuple[object, ...]]:
        names = [field.name for field in fields(cast(Any, cls))]
        read: Any = attrgetter(*names)
        self[cls] = read if len(names) > 1 else lambda record: (read(record),)
        return self[cls]


_VALUES = _Values()


def describe_record(
    cls: Any, doc: str, own: dict[str, str], field_calls: dict[str, str], shown: bool, plain: bool
) -> None:
    """Restore the description of a record whose methods were compiled (`hatch_records.py` inserts the call).

    `own`: its own fields, with their types. `field_calls`: the ``field(…)`` calls of some of them. `shown`: whether
    it has the `__repr__` of records. `plain`: whether it would inherit from `PlainRecord`, which is not compiled.
    """
    given: dict[str, object] = {"__doc__": doc, "__annotations__": own, _FIELDS: _Fields(cls, own, field_calls)}
    if shown:
        given["__repr__"] = _later(cls, "__repr__")
    if plain:
        given["__reduce__"] = PlainRecord.__reduce__
    for name, value in given.items():
        setattr(cls, name, value)


class _Fields:
    """The fields of a record whose methods were compiled, made on demand."""

    def __init__(self, cls: Any, own: dict[str, str], field_calls: dict[str, str]) -> None:
        self._cls, self._own, self._field_calls = cls, own, field_calls

    def __get__(self, record: object, cls: type) -> dict[str, dataclasses.Field[Any]]:
        of = self._cls
        names = {**vars(sys.modules[of.__module__]), "field": field}
        field_calls = {name: eval(words, names) for name, words in self._field_calls.items()}
        annotated: dict[str, Any] = {}
        for base in reversed(of.__mro__[1:]):
            annotated |= {
                inherited.name: (inherited.type, _again(inherited)) for inherited in getattr(base, _FIELDS, {}).values()
            }
        annotated |= {name: (type, field_calls.get(name) or field()) for name, type in self._own.items()}
        rows = [(name, *columns) for name, columns in annotated.items()]
        like = dataclasses.make_dataclass(of.__name__, rows, init=False, repr=False, eq=False)
        columns: dict[str, dataclasses.Field[Any]] = getattr(like, _FIELDS)
        setattr(of, _FIELDS, columns)
        return columns


_FIELDS = "__dataclass_fields__"
_MATCHED = "__match_args__"
_SPECIAL = re.compile(r"\bInitVar\b|\bKW_ONLY\b|\.ClassVar\b")
"""Matches types of which `dataclasses` makes no field, except ``ClassVar``."""
_NAMES: dict[type, tuple[str, ...]] = {}
"""The names of all fields of a record, in order."""


@dataclasses.dataclass(init=False, repr=False, eq=False)
class _Example:
    """A dataclass with the parameters and the kind of field that all records have."""

    value: int


_PARAMETERS = "__dataclass_params__"
_PLAIN_FIELD: Any = fields(_Example)[0]._field_type  # type: ignore[attr-defined]
