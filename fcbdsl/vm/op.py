"""Ops: one class each. Their signatures are the one description of how codes are read, checked and shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from types import ModuleType

    from fcbdsl.vm.machine import Machine
    from fcbdsl.vm.world import Ask, Frame

SUSPEND = -1
"""What `run` returns when another item is on top of the stack, a question stands, or the frame is gone."""

REGISTERS = ("r", "s")
TABLES = {
    "field": "fields", "kind": "kinds", "zone": "zones", "def": "definitions", "code": "codes", "args": "args",
    "verb": "verbs", "event": "events", "lasting": "lastings", "labels": "labels", "text": "texts", "switch": "switches",
}  # fmt: skip
"""Operand kinds that are indices, and the table of the program they point into."""
OPTIONAL_KINDS = ("text",)
"""Operand kinds that may be -1."""
LITERALS = ("i", "label", "tag")


@dataclass(frozen=True, slots=True)
class Operand:
    """An operand: its kind (``r``, ``s``, ``i``, ``label`` …), its name, and whether the op reads and writes it."""

    kind: str
    name: str
    reads: bool
    writes: bool

    def __str__(self) -> str:
        mode = ":io" if self.reads and self.writes else ":out" if self.writes else ""
        return f"{self.kind}{mode} {self.name}"


class Op:
    """An op of a code, with its operands as attributes. The first sentence of a class's docstring is its reference.

    `signature`: comma-separated ``KIND[:out|:io] NAME``; the names are the class's slots. `pure`: changes nothing, asks nothing,
    uses no chance. `at` is its number in the code, `next` the following one, `span` its span."""

    __slots__ = ("at", "next", "span")
    name: ClassVar[str]
    signature: ClassVar[str] = ""
    pure: ClassVar[bool] = False
    ends: ClassVar[bool] = False
    """Control never goes on to the next op."""
    operands: ClassVar[tuple[Operand, ...]] = ()

    def __init__(self) -> None:
        self.at = 0
        self.next = 0
        self.span = -1

    def link(self, m: Machine, code: int) -> Op:
        """Prepare for running on `m` in code number `code`; may return another op to run instead."""
        return self

    def run(self, m: Machine, f: Frame) -> int:
        """Do it; return the number of the op to go on with, or SUSPEND after setting `f.pc`."""
        raise NotImplementedError


class Asking(Op):
    """An op that asks; `f.pc` stays at it until `answer` has taken the option chosen."""

    __slots__ = ()

    def answer(self, m: Machine, f: Frame, ask: Ask, choice: int) -> None:
        """Take option number `choice` and set `f.pc`."""
        raise NotImplementedError


class DuplicateOp(Exception):
    """Two ops of the same name."""


def parse_signature(signature: str) -> tuple[Operand, ...]:
    """Read a signature; raises ValueError if it is not well formed (our mistake)."""
    operands = []
    for part in filter(None, (piece.strip() for piece in signature.split(","))):
        kind, name = part.split()
        kind, _, mode = kind.partition(":")
        if kind not in REGISTERS and (mode or (kind not in TABLES and kind not in LITERALS)):
            raise ValueError(f"unknown operand kind in `{part}`")
        operands.append(Operand(kind, name, mode != "out" and kind in REGISTERS, mode in ("out", "io")))
    return tuple(operands)


def collect(*modules: ModuleType) -> dict[str, type[Op]]:
    """Return the named ops of the modules in order of their names. Raises DuplicateOp."""
    found: dict[str, type[Op]] = {}
    for module in modules:
        for cls in vars(module).values():
            if not (isinstance(cls, type) and issubclass(cls, Op)) or "name" not in vars(cls):
                continue
            if cls.__module__ != module.__name__:
                continue
            if cls.name in found:
                raise DuplicateOp(cls.name)
            cls.operands = parse_signature(cls.signature)
            found[cls.name] = cls
    return dict(sorted(found.items()))
