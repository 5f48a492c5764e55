"""Values of fields: constants by a fast path, everything else by the reader of phrases."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from fcbdsl.base.diagnostics.articles import a
from fcbdsl.base.diagnostics.suggestions import suggest
from fcbdsl.base.diagnostics.values import NotConstant, OutOfRange, WrongValue
from fcbdsl.base.source import Span
from fcbdsl.language.model.content import Definition, Value
from fcbdsl.language.model.declarations import Field, Kind
from fcbdsl.language.model.declaring.blocks import read_text
from fcbdsl.language.model.declaring.context import Context
from fcbdsl.language.model.ir import FLAG, NUMBER, Const, Def, Expr, ListOf, Type
from fcbdsl.language.model.ir.operators import bounds_of, in_range, is_fixed
from fcbdsl.language.model.lines import atoms, clause_words, tail_parts
from fcbdsl.language.model.resolve import names, statements
from fcbdsl.language.model.resolve.scope import Scope, scope_of
from fcbdsl.language.syntax.tree import Atom, Line, Number, Part, String, Word

_FLAGS = {"no": 0, "yes": 1}

_CODE = {"effect", "condition", "formula"}
"""Types of fields whose values are behavior."""


def set_field(context: Context, definition: Definition, field: Field, line: Line) -> None:
    """Read ``FIELD: value`` of a definition; texts may come in several languages."""
    base = field.type.base
    if base == "text":
        value = definition.values.setdefault(field.id, Value(field, texts={}, span=line.span))
        assert value.texts is not None
        read_text(context, line, value.texts)
        return
    assert line.head is not None
    if len(clause_words(line.head)) > 1:
        context.malformed(line.span, f"the value of `{field.id}`", f"{field.id}: …")
        return
    value = definition.values[field.id] = Value(field, span=line.span)
    if base in _CODE:
        _behaviour(context, definition.kind, value, line)
        return
    parts = tail_parts(line)
    if len(line.tail) != 1 or line.block or line.raw is not None:
        context.malformed(line.span, f"the value of `{field.id}`", f"{field.id}: {type_name(context, field.type)}")
        return
    value.expr = read_constant(context, field, line, parts, None, definition.kind)


def _behaviour(context: Context, kind: Kind, value: Value, line: Line) -> None:
    """Read an effect, or a condition or formula that is computed at every access."""
    base = value.field.type.base
    if base == "effect":
        scope = scope_of(kind, context.model, field=value.field)
        value.body = statements.clauses_body(context.reader, line, line.tail, line.block, scope)
    elif len(line.tail) == 1 and not line.block:
        wanted = FLAG if base == "condition" else NUMBER
        value.body = context.reader.answer(line, line.tail[0], scope_of(kind, context.model, "pure"), wanted)
    else:
        context.malformed(line.span, a(base), f"{value.field.id}: {base}")


def read_constant(
    context: Context,
    field: Field,
    line: Line,
    parts: tuple[Part, ...],
    scope: Scope | None,
    kind: Kind | None = None,
    form: str = "",
) -> Expr | None:
    """Read a constant of a field's type.

    `scope` (or the texts of `kind`) is used for values that are not a plain name or number. `form`: usage of the whole
    line, if it is not ``FIELD: VALUE``.
    """
    wanted = field.type
    items: list[Expr] = []
    for part in parts:
        part_atoms = atoms(part)
        item = plain_value(context, field, line, part_atoms[0]) if len(part_atoms) == 1 and part.lead is None else None
        if item is None:
            break
        items.append(item)
    else:
        if wanted.many:
            return ListOf(tuple(items), wanted, line.span)
        if len(items) == 1:
            return items[0]
    if _wrong(context, field, line, parts, form):
        return None
    if scope is None:
        scope = Scope(mode="pure") if kind is None else scope_of(kind, context.model, "pure")
    if wanted.base == "condition":
        return context.reader.condition(line, parts, scope)
    if wanted.base == "formula":
        return context.reader.expression(line, parts, scope, NUMBER)
    expr = require_constant(context, field, context.reader.expression(line, parts, scope, wanted))
    if isinstance(expr, Const) and wanted == NUMBER:  # a number with a sign
        check_range(context, field, expr.value, expr.span)
    return expr


def require_constant(context: Context, field: Field, expr: Expr | None) -> Expr | None:
    """Return the value of a printed field if it is constant; else report it and return None."""
    if expr is None or is_fixed(expr):
        return expr
    context.report(NotConstant(expr.span, field=field.id))
    return None


def plain_value(context: Context, field: Field, line: Line, atom: Atom) -> Const | Def | None:
    """Return a value that is a single atom: a number, yes or no, or a name of the field's type; None if it is none."""
    wanted = field.type
    base = wanted.base
    if isinstance(atom, Number):
        if base != "number" or atom.signed:
            return None
        span = line.span_of(atom)
        check_range(context, field, atom.value, span)
        return Const(atom.value, NUMBER, span)
    if not isinstance(atom, Word) or atom.possessive:
        return None
    name = atom.text
    if base == "enum":
        enum = context.model.enums.get(wanted.name)
        if enum is not None and name in enum.values:
            return Const(list(enum.values).index(name), wanted.one(), line.span_of(atom), name)
    elif base == "flag":
        if name in _FLAGS:
            return Const(_FLAGS[name], FLAG, line.span_of(atom), name)
    elif base == "direction":
        if name in context.model.directions:
            return Const(list(context.model.directions).index(name), wanted.one(), line.span_of(atom), name)
    elif base == "die":
        if name in context.model.dice:
            return Def("die", name, Type("die"), line.span_of(atom))
    elif base == "definition":
        definitions = context.vocabulary.definitions(name, wanted.name, line.source.name)
        if len(definitions) == 1:
            definition = definitions[0]
            return Def(definition.kind.id, definition.id, Type("definition", definition.kind.id), line.span_of(atom))
    return None


def check_range(context: Context, field: Field, value: int, span: Span) -> None:
    """Report a number that a field can't have."""
    if not in_range(value, field.low, field.high):
        context.report(OutOfRange(span, field=field.id, bounds=bounds_of(field.low, field.high), value=value))


def _wrong(context: Context, field: Field, line: Line, parts: tuple[Part, ...], form: str = "") -> bool:
    """Report values that plainly have the wrong type. `form`: see `read_constant`."""
    wanted = field.type
    if wanted.base in {"condition", "formula"}:
        return False
    if wanted.base == "nothing" or (wanted.base == "enum" and not value_names(context, wanted)):
        return True  # the type could not be read; that was reported where it is declared
    several = not wanted.many and len(parts) > 1 and all(len(atoms(part)) == 1 for part in parts)
    for part in parts:
        part_atoms = atoms(part)
        atom = part_atoms[0] if len(part_atoms) == 1 else None
        what = f"{len(parts)} values" if several else _mismatch(context, wanted, atom, line.source.name)
        if what:
            if isinstance(atom, Word) and wanted.base in _NAMED and atom.text not in context.vocabulary.words():
                context.report(names.unknown_name(context.vocabulary, atom.text, wanted.one(), line.span_of(part)))
                return True
            misspelt = atom.text if isinstance(atom, Word) and atom.text not in context.vocabulary.words() else ""
            suggestion = suggest(misspelt, lazy_value_names(context, wanted)) if misspelt else None
            context.report(
                WrongValue(
                    line.span_of(part),
                    field=field.id,
                    wanted=type_name(context, wanted),
                    found=what,
                    cure=f"Write `{form}`." if form else f"Write {proposal(context, field)}.",
                    suggestion=suggestion,
                )
            )
            return True
    return False


_NAMED = {"definition", "die"}
"""Types for which an unknown word is the name of something undeclared."""


def _mismatch(context: Context, wanted: Type, atom: Atom | None, source: str) -> str:
    """Return why an atom in the file `source` cannot be a value of a type; empty if there is no obvious reason."""
    if isinstance(atom, String):
        return "a text"
    if isinstance(atom, Number) and wanted.base != "number":
        return "a number"
    if isinstance(atom, Word) and not atom.possessive and wanted.base in {"enum", "flag", "die", "definition"}:
        if wanted.base == "definition":
            is_value = bool(context.vocabulary.definitions(atom.text, wanted.name, source))
        else:
            is_value = atom.text in value_names(context, wanted)
        return "" if is_value else f"`{atom.text}`"
    if isinstance(atom, Word) and wanted.base == "number" and atom.text not in context.vocabulary.words():
        return f"`{atom.text}`"
    return ""


def value_names(context: Context, wanted: Type) -> list[str]:
    """Return the names of the values of a type."""
    return list(lazy_value_names(context, wanted))


def names_of_values(context: Context, wanted: Type) -> Collection[str]:
    """Return the names of the values of a type, gathered once. Ask only when everything is declared."""
    gathered = context.values.get(wanted)
    if gathered is None:
        gathered = context.values[wanted] = dict.fromkeys(lazy_value_names(context, wanted))
    return gathered


def lazy_value_names(context: Context, wanted: Type) -> Iterable[str]:
    """Return the names of the values of a type, lazily."""
    if wanted.base == "enum":
        return context.vocabulary.enum_values(wanted.name)
    if wanted.base == "flag":
        return list(_FLAGS)
    if wanted.base == "die":
        return list(context.model.dice)
    if wanted.base == "definition":
        definitions = context.model.definitions.values()
        return (
            definition.id for definition in definitions if context.vocabulary.related(definition.kind.id, wanted.name)
        )
    return []


_SAMPLES = {
    "number": "NUMBER",
    "flag": "yes",
    "text": '"…"',
    "condition": "CONDITION",
    "formula": "NUMBER",
    "effect": "STATEMENT",
}
"""Placeholder for a value of a type without named values."""


def sample_value(context: Context, field: Field) -> str:
    """Return a sample of the value of a field for messages: ``NUMBER from 1 to 3``, ``offense``, ``CONDITION``."""
    wanted = field.type
    if wanted.base == "number" and field.low is not None and field.high is not None:
        return f"NUMBER from {field.low} to {field.high}"
    named = _choices(context, wanted)
    if named:
        return named[0]
    sample = _SAMPLES.get(wanted.base, (wanted.name or wanted.base).upper())
    return f"{sample}, …" if wanted.many else sample


def proposal(context: Context, field: Field) -> str:
    """Return a line that gives a field a value, with other values: ```type: offense` (or `defense`)``."""
    others = _choices(context, field.type)[1:]
    return f"`{field.id}: {sample_value(context, field)}`" + (f" (or {names.list_names(others)})" if others else "")


def _choices(context: Context, wanted: Type) -> list[str]:
    """Return the names of the values of an enum, or of the dice; empty for other types."""
    return value_names(context, wanted) if wanted.base in {"enum", "die"} else []


def type_name(context: Context, wanted: Type) -> str:
    """Return the name of a type for messages."""
    match wanted.base:
        case "enum":
            name = "one of " + ", ".join(value_names(context, wanted))
        case "flag":
            name = "yes or no"
        case "definition":
            name = a(wanted.name)
        case "thing":
            name = a(wanted.name)
        case base:
            name = a(base)
    return f"several of: {name}" if wanted.many else name
