"""Differences between two programs of one game: the code or data that a test must use to distinguish them.

Numbers that shift when something is removed (of codes, registers, texts) are no difference: codes are compared by their
names and ops, tables by their content.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import field, fields, is_dataclass, replace
from operator import attrgetter, itemgetter
from typing import Any, cast

from fcbdsl.base.records import dataclass
from fcbdsl.machine.vm.op import TABLES
from fcbdsl.machine.vm.ops import ops_of
from fcbdsl.machine.vm.program import Action, Definition, Ending, Field, Listener, Modifier, Program, Track, Zone

Row = tuple[object, ...]

UNPLAYED = frozenset(
    [
        "name",
        "ops",
        "tests",
        "proofs",
        "texts",
        "files",
        "spans",
        "hash",
        "labels",
        "args",
        "codes",
        "symbols",
        "directions",
        "mark_titles",
        "stages",
        "relations",
    ]
)
"""Tables that play does not read, and those that only codes refer to, which are compared at the reference."""
TOLD = frozenset(["span", "title", "titles", "told", "choices", "has_line", "grammar", "heads"])
"""Columns about the source, print and the wording of logs, which are not compared."""
RARE = frozenset(["ending", "mission"])
"""Columns of results that most games lack: left out if empty, so that the fingerprints of these games stay."""
CODES = frozenset(["code", "enter", "leave", "end", "order", "supposes", "worth", "condition"])
"""Columns that contain code numbers."""
ENTRIES = frozenset(["offers", "setup", "flow", "journey", "outlook"])
"""Attributes of a program that contain code numbers."""
LINKS = 2
"""Number of ops at a jump's target that are compared to decide whether two jumps have the same target."""


@dataclass(slots=True)
class ComparedProgram:
    """A program prepared for comparison.

    `codes`: their ops by the name of the code. `tables`: the contents of rows. `tied`: rows that matter only through
    their codes, by their subject.
    """

    codes: dict[str, list[Row]] = field(default_factory=dict)
    tables: dict[str, object] = field(default_factory=dict)
    tied: dict[tuple[object, ...], tuple[Row, tuple[str, ...]]] = field(default_factory=dict)


@dataclass(slots=True)
class Difference:
    """Differences between a program and a second one.

    `ops`: by code, the ops that are changed, removed, or followed by new ones. `codes`: codes of changed rows. `rest`:
    something has changed that any code may read.
    """

    ops: dict[str, list[int]] = field(default_factory=dict)
    codes: list[str] = field(default_factory=list)
    rest: bool = False

    def __bool__(self) -> bool:
        return bool(self.ops or self.codes or self.rest)


def code_names(program: Program) -> list[str]:
    """Return unique names of a program's codes, by number; empty for codes of tests and unused codes."""
    seen: dict[str, int] = {}
    out: list[str] = []
    for code in program.codes:
        count = seen[code.name] = seen.get(code.name, 0) + 1
        name = code.name if count == 1 else f"{code.name} ({count})"
        out.append("" if not code.name or code.name.startswith("test ") else name)
    return out


def comparison_form(program: Program) -> ComparedProgram:
    """Return a program in the form in which it is compared."""
    names = code_names(program)
    out = ComparedProgram()
    for number, name in enumerate(names):
        if name:
            out.codes[name] = _linked(list(_ops(program, names, number)))
    _say(program, names, out)
    return out


def meaning(program: Program, ran: Sequence[str]) -> str:
    """Return a fingerprint of everything that affects games which run only the codes `ran`.

    If two programs have the same fingerprint, such games run identically. Places of declarations are included only as
    far as they matter: by file of tests. Constants of definitions are included only if those codes can read them.
    """
    names = code_names(program)
    numbers = {name: number for number, name in enumerate(names)}
    out = ComparedProgram()
    read = _columns_read(program, [numbers[name] for name in ran if name in numbers])
    _say(program, names, out, read)
    codes = [(name, _exactly(program, names, numbers[name]) if name in numbers else ()) for name in ran]
    return repr((out.tables, out.tied, codes, _origins(program)))


def _columns_read(program: Program, codes: Iterable[int]) -> frozenset[int]:
    """Return the fields whose constants can affect games that run only those codes."""
    columns = {number for number, row in enumerate(program.fields) if row.sort != "const" or row.codes}
    columns.update(row.starts for row in program.zones)
    for code in codes:
        for op, values in ops_of(program, code):
            for place in op.places.get("field", ()):
                columns.add(values[place])
    return frozenset(columns)


def _exactly(program: Program, names: list[str], number: int) -> Row:
    """Return a code with the targets of its jumps."""
    code = program.codes[number]
    return code.params, code.lists, code.n_r, code.n_s, list(_ops(program, names, number))


def _origins(program: Program) -> list[tuple[str, int, str]]:
    """Return the declarations that are in files of tests and apply only there: the table, the row, the name of the
    file."""
    out = []
    for table in fields(program):
        rows = getattr(program, table.name) if table.name not in UNPLAYED else ()
        for number, row in enumerate(rows if isinstance(rows, tuple) else ()):
            file = program.spans[row.span].file if getattr(row, "span", -1) >= 0 else -1
            if file in program.proofs:
                out.append((table.name, number, program.files[file]))
    return out


def _say(program: Program, names: list[str], out: ComparedProgram, columns: frozenset[int] | None = None) -> None:
    """Record the contents of the tables of a program; of the constants of definitions only some `columns`, if given."""
    for table in fields(program):
        if table.name in UNPLAYED:
            continue
        value = getattr(program, table.name)
        if table.name == "definitions" and columns is not None:
            value = tuple(_with_columns(row, columns) for row in value)
        if table.name in ENTRIES:
            numbers = value if isinstance(value, tuple) else (value,)
            out.tables[table.name] = tuple(_code(names, number) for number in numbers)
        elif table.name in ("listeners", "modifiers", "actions"):
            out.tables[table.name] = len(value)
            for number, row in enumerate(value):
                _tie(program, out, names, number, row)
        else:
            rows = [_row(program, names, row) for row in value] if isinstance(value, tuple) else value
            out.tables[table.name] = sorted(rows, key=repr) if table.name == "verbs" else rows


def _with_columns(row: Definition, columns: frozenset[int]) -> Definition:
    """Return a definition with the constants of some columns only."""
    values = tuple(value for value in row.values if value[0] in columns)
    return replace(row, values=values, lists=tuple(listed for listed in row.lists if listed[0] in columns))


def program_difference(first: ComparedProgram, second: ComparedProgram) -> Difference:
    """Return where the second program differs from the first."""
    out = Difference(rest=first.tables != second.tables)
    for name, ops in first.codes.items():
        changed = _changed(ops, second.codes.get(name, []))
        if changed:
            out.ops[name] = changed
    for key, (row, codes) in first.tied.items():
        other = second.tied.get(key)
        if other is None:
            out.rest = True
        elif other[0] != row:
            out.codes += codes
    if first.tied.keys() != second.tied.keys():
        out.rest = True
    return out


def _changed(first: list[Row], second: list[Row]) -> list[int]:
    """Return the ops of one code that the other lacks or changes, or after which it adds something."""
    if first == second:
        return []
    most = min(len(first), len(second))
    head = next((at for at in range(most) if first[at] != second[at]), most)
    tail = next((at for at in range(most - head) if first[-1 - at] != second[-1 - at]), most - head)
    return list(range(max(head - 1, 0), min(max(len(first) - tail, head + 1), len(first))))


def _ops(program: Program, names: list[str], number: int) -> Iterator[Row]:
    """Yield the ops of a code with names for numbers; registers by order of appearance, constants by value."""
    code = program.codes[number]
    registers: dict[tuple[str, int], int] = {}
    first_constant = code.n_r - len(code.constants)

    constants = [_Constant(value) for value in code.constants]

    def register(bank: str, number: int) -> int | _Constant:
        if bank == "r" and number >= first_constant:
            return constants[number - first_constant]
        return registers.setdefault((bank, number), len(registers))

    for parameter in range(code.params):
        register("r", parameter)
        register("s", parameter)
    for op, values in ops_of(program, number):
        row: list[object] = [op.name]
        for operand, value in zip(op.operands, values, strict=True):
            kind = operand.kind
            if kind == "r" or kind == "s":
                row.append(register(kind, value))
            elif kind == "args":
                row.append(tuple([register("rs"[bank], place) for bank, place in program.args[value]]))
            else:
                row.append(_operand(program, names, kind, value))
        yield tuple(row)


@dataclass(frozen=True, slots=True)
class _Constant:
    """The content of a register that no op writes."""

    value: int


@dataclass(frozen=True, slots=True)
class _Jump:
    """An operand that names an op."""

    to: int


def _operand(program: Program, names: list[str], kind: str, value: int) -> object:
    """Return an operand of some kind that is no register."""
    if kind == "label":
        return _Jump(value)
    if kind == "code":
        return _code(names, value)
    if kind == "text":
        return _text(program, value)
    if kind == "labels":
        return tuple(_text(program, text) for text in program.labels[value])
    if kind == "limit":
        return _limit(program, value)
    if kind in ("verb", "event", "field", "action", "switch", "kind"):
        return getattr(program, TABLES[kind])[value].name
    return value


def _linked(ops: list[Row]) -> list[Row]:
    """Return ops in which each jump contains the ops at its target."""
    plain = [tuple(None if isinstance(value, _Jump) else value for value in row) for row in ops]
    return [
        tuple(tuple(plain[value.to : value.to + LINKS]) if isinstance(value, _Jump) else value for value in row)
        for row in ops
    ]


def _limit(program: Program, number: int) -> object:
    """Return a limit as the event that refreshes it and its scope."""
    return (program.limits[number].event, program.limits[number].per) if number >= 0 else ()


def _code(names: list[str], number: int) -> str:
    return names[number] if number >= 0 else ""


def _row(program: Program, names: list[str], row: Any) -> object:
    """Return the content of a row, with names for codes."""
    cls = row.__class__
    if cls in _PLAIN:
        return row
    if cls is tuple:
        return tuple([each if each.__class__ in _PLAIN or not each else _row(program, names, each) for each in row])
    if not is_dataclass(row):
        return row
    columns, read, is_plain = _compared_columns(cls)
    if is_plain:
        return tuple([_row(program, names, each) if each and each.__class__ is tuple else each for each in read(row)])
    out: list[object] = []
    for name, value in zip(columns, read(row), strict=True):
        if cls is Ending and name in RARE and value < 0:
            continue
        if name in CODES or (cls is Zone and name == "limit"):
            value = _code(names, value)
        elif cls is Field and name == "starts":
            value = tuple((kind, _code(names, code)) for kind, code in value)
        elif cls is Track and name == "steps":
            value = tuple((at, _code(names, code)) for at, code in value)
        elif cls is Definition and name == "values":
            entries = ((program.fields[at].name, at, _value_in_column(program, names, at, each)) for at, each in value)
            value = tuple(sorted(entries, key=itemgetter(0, 1)))
        elif value.__class__ is tuple:
            value = _row(program, names, value)
        out.append(value)
    return tuple(out)


_PLAIN = frozenset([int, str, bool])
"""Classes of values that contain no names or numbers of codes."""


@functools.cache
def _compared_columns(cls: Hashable) -> tuple[tuple[str, ...], Callable[[Any], tuple[Any, ...]], bool]:
    """Return the columns of a class of rows that are compared, a function that reads them, and whether they are
    compared as they are."""
    columns = tuple([column.name for column in fields(cast(Any, cls)) if column.name not in TOLD])
    is_plain = cls not in (Definition, Ending, Field, Track, Zone) and CODES.isdisjoint(columns)
    if len(columns) > 1:
        return columns, attrgetter(*columns), is_plain
    return columns, lambda row: tuple([getattr(row, name) for name in columns]), is_plain


def _value_in_column(program: Program, names: list[str], column: int, value: int) -> object:
    """Return the value of a definition in a column: the name of a code, the content of a text, or the value itself."""
    if program.fields[column].codes:
        return _code(names, value)
    return _text(program, value) if program.fields[column].tag == "text" else value


def _text(program: Program, number: int) -> tuple[tuple[str, str], ...]:
    return tuple(sorted(program.texts[number].items())) if number >= 0 else ()


def _tie(
    program: Program, out: ComparedProgram, names: list[str], number: int, row: Listener | Modifier | Action
) -> None:
    """Record a listener, modifier or action by its subject; its details matter only to games that run its codes."""
    if isinstance(row, Listener):
        about: tuple[object, ...] = (
            "listener",
            number,
            row.event,
            row.timing,
            row.scope,
            row.owner,
            row.offered,
            row.rearms,
        )
        codes: tuple[int, ...] = (row.body, row.condition, row.guard, row.usable, row.spends)
        condition: Row = (_limit(program, row.limit), row.first)
    elif isinstance(row, Modifier):
        about = ("modifier", number, row.field, row.kind, row.scope, row.owner, row.mode)
        codes = (row.amount, row.where, row.condition)
        condition = (row.it, row.own)
    else:
        about = ("action", number, row.name, row.words, row.subject)
        codes = (row.body,)
        condition = (_limit(program, row.limit),)
    shown = tuple(_code(names, code) for code in codes)
    out.tied[about] = ((*condition, *shown), tuple(code for code in shown if code))
