"""Disassembly: one line per op, operands by name."""

from __future__ import annotations

from fcbdsl.machine.vm.op import TABLES
from fcbdsl.machine.vm.ops import OPS
from fcbdsl.machine.vm.program import Code, Program
from fcbdsl.machine.vm.world import OUTCOMES, TAGS


def disassemble(program: Program, name: str | None = None) -> str:
    """Return the listing of all codes, or of those whose name contains `name`; empty if there is none."""
    rows = [code for code in program.codes if name is None or name in code.name]
    return "\n".join(listing(program, code) for code in rows)


def listing(program: Program, code: Code) -> str:
    """Return the listing of one code: head, then each op with its number, operands and source line."""
    lists = f", lists {', '.join(map(str, code.lists))}" if code.lists else ""
    lines = [f"{code.name}: {code.params} parameters{lists}, {code.n_r} numbers, {code.n_s} lists"]
    at = pc = 0
    line = -1
    while at < len(code.ints):
        cls = OPS[program.ops[code.ints[at]]]
        values = code.ints[at + 1 : at + 1 + len(cls.operands)]
        words = [describe_operand(program, code, o.kind, value) for o, value in zip(cls.operands, values, strict=True)]
        text = f"{pc:4}  {cls.name:<12} {', '.join(words)}".rstrip()
        span = code.spans[pc] if pc < len(code.spans) else -1
        if span >= 0 and program.spans[span].line != line:
            line = program.spans[span].line
            text = f"{text:<56} ; {program.files[program.spans[span].file]}:{line}"
        lines.append(text)
        at += 1 + len(values)
        pc += 1
    return "\n".join(lines) + "\n"


def describe_operand(program: Program, code: Code, kind: str, value: int) -> str:
    """Return an operand in words; a register that holds a constant as that: ``#1``."""
    if kind == "r":
        constant = value - code.n_r + len(code.constants)
        return f"#{code.constants[constant]}" if constant >= 0 else f"r{value}"
    if kind == "s":
        return f"s{value}"
    if kind == "i":
        return str(value)
    if kind == "outcome":
        return OUTCOMES[value]
    if kind == "label":
        return f"-> {value}"
    if kind == "tag":
        return TAGS[value]
    if kind == "args":
        row = [describe_operand(program, code, "rs"[bank], register) for bank, register in program.args[value]]
        return "(" + " ".join(row) + ")"
    if kind == "labels":
        return "[" + "; ".join(_text(program, text) for text in program.labels[value]) + "]"
    if kind == "text":
        return _text(program, value)
    row = getattr(program, TABLES[kind])[value]
    return f"{kind} {getattr(row, 'name', '') or getattr(row, 'id', '') or value}"


def _text(program: Program, number: int) -> str:
    if number < 0:
        return "-"
    texts = program.texts[number]
    return repr(texts.get("en", next(iter(texts.values()), "")))
