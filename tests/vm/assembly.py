"""A small assembler for tests: programs written by hand, tables filled by name.

Code is text: one op per line, operands in order; ``r3`` and ``s1`` are registers, ``@top`` a label (placed by a line
``top:``), a name is looked up in the table that the operand points into, ``(r0 r1 s2)`` is a row of arguments, ``-``
is -1.
"""

from __future__ import annotations

import re
from dataclasses import fields, replace
from typing import Any

from fcbdsl.machine.vm import setup
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.op import TABLES
from fcbdsl.machine.vm.ops import NAMES, OPS, tag
from fcbdsl.machine.vm.program import (
    Board,
    Cell,
    Code,
    Definition,
    Event,
    Field,
    Kind,
    Listener,
    Modifier,
    Program,
    Verb,
)
from fcbdsl.machine.vm.verify.verifier import verify_program

CORE_KINDS = (
    Kind("thing", -1),
    Kind("piece", 0),
    Kind("card", 0, held=True),
    Kind("space", 0, "spaces"),
    Kind("player", 0, "players"),
    Kind("track", 0),
    Kind("mission", 0, "mission"),
    Kind("game", 0, "single"),
    Kind("note", 0, "records", 3),
)


class Book:
    """Collects the tables of a program; every `add` returns the row's number, every name is usable in code."""

    def __init__(self) -> None:
        self.tables: dict[str, list[Any]] = {
            field.name: [] for field in fields(Program) if str(field.type).startswith("tuple")
        }
        self.tables["kinds"] += CORE_KINDS
        self.settings: dict[str, Any] = {"players": (1, 2)}
        self.texts: list[str] = []

    def add(self, table: str, row: Any) -> int:
        self.tables[table].append(row)
        return len(self.tables[table]) - 1

    def find(self, table: str, name: str) -> int:
        """Return the number of a row by its name or id."""
        for number, row in enumerate(self.tables[table]):
            if name in (getattr(row, "name", None), getattr(row, "id", None)):
                return number
        raise KeyError(f"{table}: {name}")

    # ── rows ───────────────────────────────────────────────────────────────────────────────────

    def kind(self, name: str, parent: str = "piece", **more: Any) -> int:
        return self.add("kinds", Kind(name, self.find("kinds", parent), **more))

    def field(self, name: str, kind: str = "piece", sort: str = "stat", **more: Any) -> int:
        return self.add("fields", Field(name, self.find("kinds", kind), sort, **more))

    def define(self, id: str, kind: str = "piece", **more: Any) -> int:
        return self.add("definitions", Definition(self.find("kinds", kind), id, **more))

    def event(self, name: str, *lists: bool) -> int:
        return self.add("events", Event(name, lists))

    def verb(self, name: str, text: str, params: int = 2, event: str = "", lists: tuple[int, ...] = ()) -> int:
        code = self.code(f"verb {name}", text, params, lists)
        return self.add("verbs", Verb(name, code, self.find("events", event) if event else -1))

    def listen(self, event: str, timing: str, text: str, scope: str = "rule", owner: int = -1, **more: Any) -> int:
        lists = self.tables["events"][self.find("events", event)].lists
        first = more.get("first", 2)
        registers = tuple([index + first for index, many in enumerate(lists) if many])
        params = first + len(lists)
        row = Listener(self.find("events", event), timing, scope, owner, -1, **{**more, "condition": -1, "guard": -1})
        for column in ("condition", "guard"):
            if column in more:
                code = self.code(f"{column} of {event}", more[column], params, registers)
                row = replace(row, **{column: code})
        body = self.code(f"{timing} {event}", text, params, registers)
        return self.add("listeners", replace(row, body=body))

    def modify(
        self, field: str, mode: str, amount: str, kind: str = "piece", scope: str = "rule", owner: int = -1, **more: Any
    ) -> int:
        """`amount`, `where`, `condition` are code with the candidate in register `it` (2)."""
        it = more.get("it", 2)
        codes = {
            column: self.code(f"{column} of {field}", more.pop(column), it + 1)
            for column in ("where", "condition")
            if column in more
        }
        code = self.code(f"amount of {field}", amount, it + 1)
        row = Modifier(self.find("fields", field), self.find("kinds", kind), scope, owner, mode, code, **codes, **more)
        return self.add("modifiers", row)

    def board(self, rows: list[str], sort: str = "hex", **more: Any) -> int:
        """Add a board from rows of cells (axial ones for hex): ``.`` is plain, ``#`` terrain 0, blank none."""
        cells: list[Cell] = []
        for y, row in enumerate(rows):
            for x, glyph in enumerate(row):
                if glyph != " ":
                    cells.append(Cell(f"{chr(65 + x)}{y + 1}", x, y, 0 if glyph == "#" else -1))
        return self.add("boards", Board(sort, tuple(cells), **more))

    # ── code ───────────────────────────────────────────────────────────────────────────────────

    def code(
        self, name: str, text: str, params: int = 2, lists: tuple[int, ...] = (), constants: tuple[int, ...] = ()
    ) -> int:
        """Add a code and return its number. The last registers that it mentions hold `constants`."""
        lines = [line.strip() for line in re.split(r"[\n;]", text) if line.strip()]
        labels: dict[str, int] = {}
        rows: list[list[str]] = []
        for line in lines:
            if line.endswith(":"):
                labels[line[:-1]] = len(rows)
            else:
                rows.append(re.findall(r"\([^)]*\)|\S+", line))
        ints: list[int] = []
        self.n_r, self.n_s = params, max(lists, default=-1) + 1
        for op, *operands in rows:
            ints.append(NAMES.index(op))
            assert len(operands) == len(OPS[op].operands), f"{op} takes {[str(o) for o in OPS[op].operands]}"
            ints += [self._value(o.kind, w, labels) for o, w in zip(OPS[op].operands, operands, strict=True)]
        return self.add("codes", Code(name, tuple(ints), self.n_r, self.n_s, params, lists, constants))

    def _value(self, kind: str, word: str, labels: dict[str, int]) -> int:
        if word == "-":
            return -1
        if kind in ("r", "s"):
            assert word[0] == kind, word
            return self._register(word)
        if kind == "label":
            return labels[word[1:]]
        if kind == "tag":
            return tag(word)
        if kind == "args":
            row = tuple([(0 if w[0] == "r" else 1, self._register(w)) for w in word[1:-1].split()])
            return self.add("args", row)
        if re.fullmatch(r"[-+]?\d+", word):
            return int(word)
        if kind == "i":
            return self.find("definitions", word)
        return self.find(TABLES[kind], word)

    def _register(self, word: str) -> int:
        number = int(word[1:])
        if word[0] == "r":
            self.n_r = max(self.n_r, number + 1)
        else:
            self.n_s = max(self.n_s, number + 1)
        return number

    # ── the whole ──────────────────────────────────────────────────────────────────────────────

    def flow(self, text: str) -> None:
        self.settings["flow"] = self.code("flow", text)

    def program(self) -> Program:
        """Return the verified program."""
        program = self.unverified()
        findings = verify_program(program)
        assert not findings, [str(finding) for finding in findings]
        return program

    def unverified(self) -> Program:
        rows = {name: tuple(table) for name, table in self.tables.items() if table}
        return Program("test", **{**rows, "ops": NAMES, **self.settings}).sealed()

    def image(self) -> Image:
        return Image(self.program())


def answer_of(text: str, book: Book | None = None) -> int:
    """Return the answer of a code that is run by itself."""
    book = book or Book()
    number = book.code("asked", text)
    image = book.image()
    game = setup.start_game(image, "", 1, 7)
    value = game.test(number)
    assert game.world.fault is None, game.world.fault
    return value
