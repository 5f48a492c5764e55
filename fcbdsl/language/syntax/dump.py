"""The tree of a file as indented text, for debugging the parser."""

from __future__ import annotations

from textwrap import indent

from fcbdsl.language.syntax.tree import (
    Atom,
    Binary,
    Clause,
    Copy,
    Expr,
    File,
    Group,
    Line,
    Negation,
    Number,
    Part,
    Range,
    Side,
    String,
    Where,
)


def dump(file: File) -> str:
    """Return the tree: one line of text per logical line, blocks indented, every operator bracketed."""
    pieces = [_line(line) for line in file.lines]
    pieces += [f"# {comment}\n" for comment in file.comments]
    return "".join(pieces)


def _line(line: Line) -> str:
    above = line.comments[:-1] if line.trailing else line.comments
    text = "".join(f"# {comment}\n" for comment in above)
    text += f"{line.span.line}: " + _content(line)
    text += f"  # {line.comments[-1]}\n" if line.trailing else "\n"
    below = "".join(_line(inner) for inner in line.block) + "".join(f"# {comment}\n" for comment in line.closing)
    if line.raw is not None:
        below += "".join(f"| {raw}\n" for raw in line.raw.split("\n"))
    return text + indent(below, "  ")


def _content(line: Line) -> str:
    if line.broken:
        return "broken"
    tail = " ; ".join(_clause(clause) for clause in line.tail)
    if line.head is None:
        return tail
    return f"{_clause(line.head)} : {tail}".rstrip()


def _clause(clause: Clause) -> str:
    parts = " , ".join(_part(part) for part in clause.parts)
    return f"<{clause.lead}> {parts}".rstrip() if clause.lead else parts


def _part(part: Part) -> str:
    return f"<{part.lead}> {_expr(part.expr)}" if part.lead else _expr(part.expr)


def _expr(expr: Expr) -> str:
    if isinstance(expr, Binary):
        return f"[{_expr(expr.left)} {expr.op} {_expr(expr.right)}]"
    if isinstance(expr, Where):
        return f"[{_expr(expr.base)} where {_expr(expr.condition)}]"
    if isinstance(expr, Negation):
        return f"[not {_expr(expr.operand)}]"
    return " ".join(_atom(atom) for atom in expr.atoms)


def _atom(atom: Atom) -> str:
    match atom:
        case String():
            return '"' + atom.value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
        case Number():
            return f"{atom.value:+d}" if atom.signed else str(atom.value)
        case Range():
            return f"{atom.low}..{'' if atom.high is None else atom.high}"
        case Side():
            return f"{atom.first}/{atom.second}"
        case Group():
            return "(" + " , ".join(_part(part) for part in atom.parts) + ")" + "'s" * atom.possessive
        case Copy():
            return f"{atom.name}#{atom.number}" + "'s" * atom.possessive
    return atom.text + "'s" * atom.possessive
