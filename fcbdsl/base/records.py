"""Records: dataclasses whose methods are generated when they are first called.

Python generates `__init__`, `__eq__` and the other methods of each dataclass at import, and describes its fields. This
takes half a millisecond per class. A command imports hundreds of classes, and most of the methods are never called, so
fcb makes methods and descriptions on demand. Only the type checker enforces `frozen`: the run-time check would make
each construction three times slower.
"""

from __future__ import annotations

import copyreg
import dataclasses
import re
import sys
from collections.abc import Callable, Iterable
from dataclasses import field, fields
from operator import attrgetter
from types import CodeType, FunctionType, MemberDescriptorType
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
_GENERATING: dict[str, dict[str, bool]] = {
    "__repr__": {"repr": True},
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
    """Return an `__init__` for the fields of a class.

    Its text does not show defaults, so that classes with equally many fields have the same text.
    """
    columns = fields(cast(Any, cls))
    namespace: dict[str, Any] = {"MISSING": dataclasses.MISSING}
    heads: dict[object, list[str]] = {False: ["self"], True: ["*"]}
    defaults: dict[object, dict[str, object]] = {False: {}, True: {}}
    lines = ["pass"]
    for at, column in enumerate(columns):
        value = f"value_{at}"
        has_factory = column.default_factory is not dataclasses.MISSING
        if column.init:
            heads[column.kw_only].append(value)
            if has_factory or column.default is not dataclasses.MISSING:  # a default that is missing calls the factory
                defaults[column.kw_only][column.name] = column.default
        if has_factory:
            namespace[f"factory_{at}"] = column.default_factory
            value = f"factory_{at}() if {value} is MISSING else {value}" if column.init else f"factory_{at}()"
        if column.init or has_factory:
            lines.append(f"self.value_{at} = {value}")
    if hasattr(cls, "__post_init__"):
        lines.append("self.__post_init__()")
    parameters = heads[False] + (heads[True] if len(heads[True]) > 1 else [])
    text = f"def __init__({', '.join(parameters)}):\n " + "\n ".join(lines)
    init = _with_names(text, [column.name for column in columns], namespace, *defaults[False].values())
    init.__kwdefaults__ = defaults[True]
    return init


def _with_names(text: str, names: list[str], namespace: dict[str, Any], *defaults: object) -> FunctionType:
    """Return the function of a text in which ``value_0``, ``value_1`` … have other names.

    Each text is compiled once. Many records have the same text, and compiling takes most of the time of a first call.
    """
    code = _CODES.get(text)
    if code is None:
        defined: dict[str, Any] = {}
        exec(text, defined)
        (code,) = [value.__code__ for value in defined.values() if isinstance(value, FunctionType)]
        _CODES[text] = code
    real = {f"value_{at}": name for at, name in enumerate(names)}
    return FunctionType(
        code.replace(
            co_varnames=tuple([real.get(name, name) for name in code.co_varnames]),
            co_names=tuple([real.get(name, name) for name in code.co_names]),
        ),
        namespace,
        None,
        defaults,
    )


_CODES: dict[str, CodeType] = {}
"""The code of the function in each text."""


def _generated_method(cls: type, name: str) -> Callable[..., object]:
    """Return another method that `dataclasses` generates for the fields of a class."""
    columns = fields(cast(Any, cls))
    if name in ("__eq__", _HASH):
        counted = [each for each in columns if (each.compare if name == "__eq__" or each.hash is None else each.hash)]
        values = [f".value_{at}," for at in range(len(counted))]
        mine, others = (f"({''.join([record + value for value in values])})" for record in ("self", "other"))
        result = f"{mine} == {others} if other.__class__ is self.__class__ else NotImplemented"
        text = (
            f"def __eq__(self, other):\n return {result}"
            if name == "__eq__"
            else f"def __hash__(self):\n return hash({mine})"
        )
        return _with_names(text, [each.name for each in counted], {})
    again = [(column.name, column.type, _again(column)) for column in columns]
    options: dict[str, Any] = {"init": False, "repr": False, "eq": False} | _GENERATING[name]
    like = dataclasses.make_dataclass(cls.__name__, again, namespace={"__doc__": cls.__doc__}, **options)
    return cast(Callable[..., object], getattr(like, name))


def _again(declared: dataclasses.Field[Any]) -> Any:
    """Return an equal field that belongs to no class yet."""
    names = ("default", "default_factory", "init", "repr", "hash", "compare", "kw_only")
    return field(**{name: getattr(declared, name) for name in names})


class PlainRecord:
    """A record that is pickled as its values and restored by a call of its class.

    That takes half the time of setting the attributes of an empty instance. Its values never change. A record that
    defines `stored_values` chooses itself the values to store.
    """

    __slots__ = ()

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        cls = self.__class__
        if _VALUES not in vars(cls):
            _reduce_natively(cls)
        return cls, getattr(self, _VALUES)


def _reduce_natively(cls: Any) -> None:
    """Have all further records of a class reduced without running Python code."""
    names = [field.name for field in fields(cls)]
    read: Any = attrgetter(*names)
    values = read if len(names) > 1 else lambda record: (read(record),)
    setattr(cls, _VALUES, property(getattr(cls, "stored_values", values)))
    copyreg.pickle(cls, cast(Any, attrgetter("__class__", _VALUES)))


_VALUES = "_values_to_store"
"""The attribute that returns the values of a record."""


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
