"""The page on the ops and the file format, made from their declarations."""

from __future__ import annotations

from dataclasses import MISSING, fields
from typing import Literal, get_args, get_origin

from fcbdsl.base import words
from fcbdsl.machine.vm import column_types
from fcbdsl.machine.vm import program as tables
from fcbdsl.machine.vm.op import Op
from fcbdsl.machine.vm.ops import MODULES, OPS

HEAD = f"""# Bytecode

Made from the declarations in `fcbdsl/machine/vm` by `make docs`; a test compares.

A code is a flat list of numbers: the number of an op in the program's list of op names, its operands, the next op.
Operands: `r` a number register, `s` a list register (`:out` written, `:io` read and written), `i` a literal,
`label` the number of an op in the code, `tag` how to name what is asked for, `outcome` how a game ends (1 won, 2 lost,
3 drawn); all others are indices into the program's tables (`text` may be -1). `args` are for the operand before them:
the arguments of the code, verb or event. *Pure* ops change nothing, ask nothing and use no chance: guards,
conditions and amounts are made of them.
A `.fcbc` file is canonical JSON (sorted keys, no spaces) of `{{"format": "{tables.FORMAT}", "hash": …, "program": …}}`;
columns that hold their default are left out. The hash is of all but the names of files.
In the tables a `KindIndex` is an index into `kinds`, a `KindOrNone` may also be -1, and so on; a `Look…` is that of a
pure code; the meaning of a `ByRow` number depends on the rest of its row. A column of words holds one of
those listed below.
"""


def reference() -> str:
    """Return docs/bytecode.md."""
    out = [HEAD, "## Ops"]
    for module in MODULES:
        title, _, more = (module.__doc__ or "").strip().partition(". ")
        out.append(f"\n### {title.rstrip('.')}\n")
        if more:
            out.append(f"{more}\n")
        out.append("| op | operands | | does |\n|---|---|---|---|")
        out += [_row(cls) for cls in OPS.values() if cls.__module__ == module.__name__]
    out.append("\n## Tables\n")
    for cls in (tables.Program, *[c for c in vars(tables).values() if _is_table(c)]):
        out.append(_table(cls))
    out += ["### Words\n", "| column | words |\n|---|---|"]
    out += [
        f"| `{name}` | {', '.join(f'`{word}`' if word else 'none' for word in words)} |"
        for name, words in _words().items()
    ]
    return "\n".join(out).rstrip() + "\n"


def _words() -> dict[str, tuple[str, ...]]:
    """Return the values of the word types in columns, by the name of the type."""
    types = sorted({**vars(column_types), **vars(words)}.items())
    return {name: get_args(kind) for name, kind in types if get_origin(kind) is Literal}


def _row(cls: type[Op]) -> str:
    operands = ", ".join(f"`{operand}`" for operand in cls.operands)
    return f"| `{cls.name}` | {operands} | {'pure' if cls.pure else ''} | {_sentence(cls)} |"


def _sentence(cls: type[object]) -> str:
    return " ".join((cls.__doc__ or "").split("\n\n")[0].split())


def _is_table(item: object) -> bool:
    return isinstance(item, type) and item.__module__ == tables.__name__ and item is not tables.Program


def _table(cls: type[object]) -> str:
    text = " ".join((cls.__doc__ or "").split())
    lines = [f"### {cls.__name__}\n", text, "", "| column | type | default |", "|---|---|---|"]
    for field in fields(cls):  # type: ignore[arg-type]
        default = "" if field.default is MISSING else f"`{field.default!r}`"
        kind = str(field.type).replace("|", "or")
        lines.append(f"| `{field.name}` | `{kind}` | {default} |")
    return "\n".join(lines) + "\n"
