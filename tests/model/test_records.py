"""Records are like Python's own dataclasses, but generate their methods at the first call."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
from collections.abc import Callable
from dataclasses import field
from typing import Any

import pytest

from fcbdsl.base import records

Decorator = Callable[..., Any]


def classes(made_by: Decorator) -> list[Any]:
    """Return classes in all the forms that the package uses."""

    @made_by(frozen=True, slots=True)
    class Frozen:
        """Values."""

        number: int
        word: str = "pond"
        hidden: int = field(default=3, compare=False, repr=False)

    @made_by(slots=True)
    class Changing:
        number: int
        items: list[int] = field(default_factory=list)
        cache: dict[str, int] = field(default_factory=dict, init=False, repr=False)

    @made_by(eq=False)
    class Alone:
        number: int
        late: int = field(default=0, init=False)
        said: str = field(kw_only=True)

        def __post_init__(self) -> None:
            self.late = self.number + 1

    @made_by(eq=False)
    class Deeper(Alone):
        last: tuple[int, ...] = ()

    @made_by(frozen=True, slots=True, order=True)
    class Ordered:
        first: int
        second: int = 0

    @made_by(slots=True, eq=False, repr=False)
    class Own:
        number: int = 0

        def __repr__(self) -> str:
            return "own"

    @made_by(frozen=True, slots=True)
    class Hashed:
        number: int = 0

        def __hash__(self) -> int:
            return 7

    @made_by(slots=True)
    class Empty:
        pass

    return [Frozen, Changing, Alone, Deeper, Ordered, Own, Hashed, Empty]


CALLS: list[tuple[int, tuple[Any, ...], dict[str, Any]]] = [
    (0, (1,), {}),
    (0, (1, "lake", 5), {}),
    (0, (), {"word": "x", "number": 2}),
    (1, (1,), {}),
    (1, (1, [2]), {}),
    (2, (4,), {"said": "a"}),
    (3, (4, (1, 2)), {"said": "b"}),
    (4, (1, 2), {}),
    (5, (), {}),
    (6, (3,), {}),
    (7, (), {}),
]
OURS, THEIRS = classes(records.dataclass), classes(dataclasses.dataclass)


def values(record: Any) -> list[Any]:
    return [getattr(record, each.name) for each in dataclasses.fields(record)]


@pytest.mark.parametrize(("at", "args", "named"), CALLS)
def test_records_behave_like_dataclasses(at: int, args: tuple[Any, ...], named: dict[str, Any]) -> None:
    ours, theirs = OURS[at](*args, **named), THEIRS[at](*args, **named)
    assert values(ours) == values(theirs)
    assert (ours == OURS[at](*args, **named)) == (theirs == THEIRS[at](*args, **named))
    assert ours != theirs
    if "at 0x" not in repr(theirs):
        assert repr(ours) == repr(theirs)
    assert (ours.__hash__ is None) == (theirs.__hash__ is None)
    if type(theirs).__hash__ not in (None, object.__hash__):
        assert hash(ours) == hash(theirs)
    assert values(copy.copy(ours)) == values(theirs)
    assert [field.name for field in dataclasses.fields(ours)] == [field.name for field in dataclasses.fields(theirs)]
    assert OURS[at].__match_args__ == THEIRS[at].__match_args__


@pytest.mark.parametrize("at", range(len(OURS)))
def test_records_are_created_like_dataclasses(at: int) -> None:
    def begin(cls: type) -> None:
        with pytest.raises(TypeError):
            cls(*range(9))

    begin(OURS[at])
    begin(THEIRS[at])
    ours, theirs = (inspect.signature(cls) for cls in (OURS[at], THEIRS[at]))
    assert list(ours.parameters) == list(theirs.parameters)
    assert [parameter.kind for parameter in ours.parameters.values()] == [
        parameter.kind for parameter in theirs.parameters.values()
    ]


def test_records_order_like_dataclasses() -> None:
    for cls in (OURS[4], THEIRS[4]):
        assert sorted([cls(2, 1), cls(1, 5), cls(1, 2)]) == [cls(1, 2), cls(1, 5), cls(2, 1)]
        assert cls(1) <= cls(1) < cls(2)
        with pytest.raises(TypeError):
            assert cls(1) < 3


def test_lists_of_different_records_differ() -> None:
    one, other = OURS[1](1), OURS[1](1)
    one.items.append(3)
    assert other.items == []


@records.dataclass(frozen=True, slots=True)
class Kept:
    """What is kept."""

    number: int
    said: tuple[str, ...] = ()


@records.dataclass(slots=True)
class Plain(records.PlainRecord):
    """What is kept as its values."""

    number: int
    below: Kept | None = None


@pytest.mark.parametrize("record", [Kept(1, ("a", "b")), Plain(2, Kept(3))])
def test_records_can_be_pickled(record: object) -> None:
    assert pickle.loads(pickle.dumps(record, pickle.HIGHEST_PROTOCOL)) == record
    assert copy.deepcopy(record) == record


def test_record_methods_are_generated_lazily() -> None:
    @records.dataclass(frozen=True)
    class Late:
        number: int

    first = Late.__init__
    assert Late(1).number == 1
    assert Late.__init__ is not first
    made = Late.__init__
    assert Late(2).number == 2
    assert Late.__init__ is made


def test_slots_and_descriptions_equal_those_of_dataclasses() -> None:
    for ours, theirs in zip(OURS, THEIRS, strict=True):
        assert vars(ours).get("__slots__") == vars(theirs).get("__slots__")
        assert dataclasses.is_dataclass(ours)
        for one, other in zip(dataclasses.fields(ours), dataclasses.fields(theirs), strict=True):
            assert [getattr(one, name) for name in TOLD] == [getattr(other, name) for name in TOLD]


TOLD = ("name", "type", "default", "default_factory", "init", "repr", "compare", "kw_only")


def test_default_that_can_change_is_refused() -> None:
    def made(by: Decorator) -> None:
        @by(slots=True)
        class Shared:
            items: list[int] = []  # noqa: RUF012

    for by in (records.dataclass, dataclasses.dataclass):
        with pytest.raises(ValueError, match="mutable default"):
            made(by)
