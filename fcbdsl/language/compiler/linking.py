"""Linking: a whole lowering that uses codes of an earlier one again, with the numbers that it gives them itself.

Codes, texts, spans and other rows get their numbers by first mention. An earlier lowering has recorded which rows each
of its results mentions, in order. So a lowering that uses a result again mentions the same rows at the same moment, and
writes their new numbers into the codes. The program is the same as without earlier results.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from fcbdsl.language.compiler.lowering_context import KeptLowering, Unit
from fcbdsl.language.compiler.memo_table import NONE, Made, Memory, memo_key, row_of
from fcbdsl.language.model.declarations import Form
from fcbdsl.language.model.whole import Model
from fcbdsl.machine.vm import program as vm
from fcbdsl.machine.vm.ops import NAMES, OPS

_FORM = "form"
"""The name of the function whose last argument is the number of its code."""
_OPERANDS = {
    "code": "code",
    "verb": "verb",
    "text": "text",
    "args": "args",
    "labels": "labels",
    "limit": "limits",
    "field": "guard",
}
"""The numbered tables of operands, by their kind. Only hidden columns of fields are numbered by first mention."""


class LinkedMemory(Memory):
    """The results of an earlier lowering, for one of the same declarations, and more, in another order.

    `moved`: the new numbers of the codes that were used again.
    """

    def __init__(self, model: Model, before: KeptLowering, changed: Iterable[Form]) -> None:
        earlier = Memory.from_snapshot(before.made).again(model.forms, changed)
        super().__init__()
        self._before = before
        self._usable = {
            memo_key(entry.make, _without_number(entry.make, entry.of), dict(entry.named)): entry
            for entry in earlier.valid()
            if entry.movable
        }
        self._written_forms = {number: form for form, number in before.written}
        self._guarded = {column: field for field, column in before.guards}
        self.records = False
        self.moved: set[int] = set()

    def use_again(self, make: str, arguments: tuple[object, ...], alike: Callable[[tuple[object, ...]], bool]) -> None:
        """Use an earlier result of `make` for other arguments, if `alike` accepts the earlier arguments."""
        key = memo_key(make, arguments, NONE)
        if key not in self._usable:
            entry = next((entry for entry in self._usable.values() if entry.make == make and alike(entry.of)), None)
            if entry is not None:
                self._usable[key] = entry

    def forget(self, changed: Iterable[Form]) -> None:
        """Also forget the results that depend on the bodies of some forms, which are not among those of the model."""
        super().forget(changed)
        self._usable = {key: entry for key, entry in self._usable.items() if self._holds(entry.mentions)}

    def result(
        self,
        unit: Any,
        make: Callable[..., Any],
        tables: Sequence[Any],
        arguments: tuple[object, ...],
        named: Mapping[str, object] = NONE,
        called: str = "",
    ) -> Any:
        """Return the result of `make`, or an earlier one with other numbers."""
        called = called or make.__name__
        entry = self._usable.get(memo_key(called, _without_number(called, arguments), named))
        return make(unit, *arguments, **named) if entry is None else self._linked(unit, entry, arguments)

    def _linked(self, unit: Unit, entry: Made, arguments: tuple[object, ...]) -> int | None:
        """Mention what an earlier result mentions, and write its codes with the new numbers."""
        before = self._before
        new: dict[str, dict[int, int]] = {table: {-1: -1} for table in ("span", *_OPERANDS.values())}
        codes, texts = new["code"], new["text"]
        if entry.make == _FORM:
            first, now = entry.of[-1], arguments[-1]
            assert isinstance(first, int)
            assert isinstance(now, int)
            codes[first] = now
        for key in entry.rows_used:
            table, row = row_of(key)
            if table == "code":
                codes[row] = unit.reserve()
            elif table == "form":
                codes[row] = unit.form_code(self._written_forms[row])
            elif table == "span":
                new[table][row] = unit.spans.number(before.places[row])
            elif table == "text":
                texts[row] = unit.texts.number(dict(before.texts[row]))
            elif table == "args":
                new[table][row] = unit.args.number(before.args[row])
            elif table == "labels":
                new[table][row] = unit.labels.number(tuple([texts[text] for text in before.labels[row]]))
            elif table == "limits":
                new[table][row] = unit.limits.number(before.limits[row])
            elif table == "verb":
                new[table][row] = unit.verb(before.verbs[row])
            else:
                new[table][row] = unit.guard_field(unit.columns[self._guarded[row]].field)
        for number in entry.codes:
            unit.codes[codes[number]] = _renumbered(before.codes[number], new, len(unit.columns))
            self.standing.add(codes[number])
            self.moved.add(codes[number])
        return None if entry.result is None else codes[entry.result]


def linked_unit(model: Model, before: KeptLowering, changed: Iterable[Form]) -> Unit | None:
    """Return a unit for lowering a model with the results of an earlier lowering; None if these do not fit.

    The model may have other bodies, and more declarations after the known ones. `changed` are the forms whose bodies
    differ.
    """
    unit = Unit(model)
    if not unit.extends(before):
        return None
    unit.memory = LinkedMemory(model, before, changed)
    unit.inline_again(form for form, _ in before.written)
    return unit


def _without_number(make: str, arguments: tuple[object, ...]) -> tuple[object, ...]:
    """Return the arguments of a function without the number of the code to write."""
    return arguments[:-1] if make == _FORM else arguments


def _renumbered(code: vm.Code, new: Mapping[str, Mapping[int, int]], columns: int) -> vm.Code:
    """Return a code with new numbers of rows. `columns`: the number of columns that are not hidden."""
    ints = list(code.ints)
    at = 0
    while at < len(ints):
        length, operands = _numbered_operands(ints[at])
        for offset, table in operands:
            old = ints[at + offset]
            if table != "guard" or old >= columns:
                ints[at + offset] = new[table][old]
        at += length
    spans = new["span"]
    return vm.Code(
        code.name,
        tuple(ints),
        code.n_r,
        code.n_s,
        code.params,
        code.lists,
        code.constants,
        tuple([spans[span] for span in code.spans]),
    )


@functools.cache
def _numbered_operands(op: int) -> tuple[int, tuple[tuple[int, str], ...]]:
    """Return the length of an op with its operands, and the places and tables of those that are numbered by first
    mention."""
    operands = OPS[NAMES[op]].operands
    tables = [(at, _OPERANDS[each.kind]) for at, each in enumerate(operands, 1) if each.kind in _OPERANDS]
    return 1 + len(operands), tuple(tables)
