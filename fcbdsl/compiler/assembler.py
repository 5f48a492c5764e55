"""Writing one code: instructions, labels, temporaries and the spans they came from."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import field

from fcbdsl.records import dataclass
from fcbdsl.source import Span
from fcbdsl.vm.op import Op
from fcbdsl.vm.ops.data import Lit


@dataclass(eq=False, slots=True)
class Label:
    """A place to jump to; `at` is the instruction it stands before, once placed."""

    at: int = -1


@dataclass(frozen=True, slots=True)
class Register:
    """A register of the int bank, or of the list bank when `many`."""

    index: int
    many: bool = False


Operand = int | Label | tuple[Register, ...]
"""What an instruction has: a number, a place to jump to, or the registers of a call's arguments."""
CONSTANTS = 1 << 20
"""From here on int registers are numbered that hold a constant, until it is known how many others a code has."""
MOST_CONSTANTS = 128
"""Constants of a code that get registers of their own: each frame is filled with all of them."""


@dataclass(frozen=True, slots=True)
class Known:
    """A value that is known while compiling: no register holds it."""

    value: int


Place = Register | Known
"""Where a value is."""


@dataclass(slots=True)
class Instruction:
    """An op with its operands, labels still symbolic."""

    op: type[Op]
    operands: list[Operand]
    span: Span | None


@dataclass(slots=True)
class Assembler:
    """Collects the instructions of one code and hands out its registers.

    Registers 0.. of both banks belong to the slots of the body; temporaries are a stack above them, so that
    `scratch` frees everything that was taken inside it. Above all of these stand the constants.
    """

    name: str
    params: int  # registers that the caller writes
    list_params: tuple[int, ...]  # those of them in the list bank
    ints: int  # first free int register
    lists: int  # first free list register
    instructions: list[Instruction] = field(default_factory=list)
    span: Span | None = None
    constants: list[int] = field(default_factory=list)
    first_constant: int = 0

    def emit(self, op: type[Op], *operands: Operand) -> None:
        """Append an instruction that comes from the present span."""
        self.instructions.append(Instruction(op, list(operands), self.span))

    def label(self) -> Label:
        """Return a label that is still to be placed."""
        return Label()

    def place(self, label: Label) -> None:
        """Let `label` stand before the next instruction."""
        label.at = len(self.instructions)

    def here(self) -> Label:
        """Return a label that stands before the next instruction."""
        return Label(len(self.instructions))

    def int_register(self) -> int:
        """Take a fresh int register."""
        self.ints += 1
        return self.ints - 1

    def constant(self, number: int) -> int:
        """An int register that holds `number`, and must not be written: from the beginning to the end, or, where there
        are many such numbers, from here on."""
        if number in self.constants:
            return CONSTANTS + self.constants.index(number)
        if len(self.constants) == MOST_CONSTANTS:
            register = self.int_register()
            self.emit(Lit, register, number)
            return register
        self.constants.append(number)
        return CONSTANTS + len(self.constants) - 1

    def list_register(self) -> int:
        """Take a fresh list register."""
        self.lists += 1
        return self.lists - 1

    @contextmanager
    def scratch(self) -> Iterator[None]:
        """Free, at the end, the registers taken inside."""
        ints, lists = self.ints, self.lists
        yield
        self.ints, self.lists = ints, lists

    @contextmanager
    def at(self, span: Span) -> Iterator[None]:
        """Let the instructions emitted inside come from `span`."""
        before, self.span = self.span, span
        yield
        self.span = before

    def constant_registers(self) -> range:
        """The registers of the constants, once they have their places."""
        return range(self.first_constant, self.first_constant + len(self.constants))

    def reachable_end(self) -> bool:
        """Whether control may run off the present end."""
        if not self.instructions or any(
            operand.at == len(self.instructions)
            for instruction in self.instructions
            for operand in instruction.operands
            if isinstance(operand, Label)
        ):
            return True
        return not self.instructions[-1].op.ends
