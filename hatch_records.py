"""Expands record classes, so that mypyc compiles them completely.

mypyc makes the attributes of a dataclass native, but leaves its `__init__`, `__eq__` and `__hash__` to Python. These
are then slower than in plain Python, and the reader creates mostly such values. So the build writes these methods out
in its copy of the sources, and `fcbdsl.base.records` restores the description of such a class. Every line keeps its
number, so an error in a compiled module names the line of its source.
"""

from __future__ import annotations

import ast
import keyword
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

DECORATOR, PLAIN_RECORD, HOME = "dataclass", "PlainRecord", "fcbdsl.base.records"
EMPTY = {"list": "[]", "dict": "{}"}
"""Results of some factories, as literals that the compiler creates directly."""
FUTURE = "from __future__ import annotations"
NEEDED = (
    "from typing import Any as _Any, ClassVar as _ClassVar",
    "from fcbdsl.base.records import describe_record as _described, mypyc_attr as _mypyc_attr",
)
"""The imports that a module needs to describe its records."""
COPIED = "@_mypyc_attr(serializable=True, allow_interpreted_subclasses=True)"
"""Makes mypyc generate what copying and pickling a class need: an object without values to begin with.

With the first argument alone only compiled code could create one with values.
"""
FIELDS = "__dataclass_fields__: _ClassVar[dict[str, _Any]]"


class CannotExpand(Exception):
    """A record that can't be expanded."""


@dataclass
class RecordField:
    """A field of a record, as its source text: its `default` ("": none) or its `factory`."""

    name: str
    type: str
    said: str
    default: str = ""
    factory: str = ""
    init: bool = True
    compare: bool = True
    kw_only: bool = False

    def parameter(self) -> str:
        """Return the parameter of the constructor."""
        if self.factory:
            return f"{self.name}: {self.type} | None = None"
        return f"{self.name}: {self.type}" + (f" = {self.default}" if self.default else "")

    def assigned(self) -> str:
        """Return the assignment in the constructor; empty: none."""
        inline = self.factory.removeprefix("lambda: ")
        called = f"{inline}()" if inline == self.factory else f"({inline})"
        made = EMPTY.get(self.factory, called if self.factory else self.default)
        if not self.init:
            return f"self.{self.name} = {made}" if made else ""
        return f"self.{self.name} = " + (f"{made} if {self.name} is None else " if self.factory else "") + self.name


class Sources:
    """The modules of a package, and their classes."""

    def __init__(self, tree: Path, package: str) -> None:
        self.texts: dict[str, str] = {}
        self._parsed: dict[str, ast.Module] = {}
        self._names: dict[str, dict[str, tuple[str, str]]] = {}
        self._classes: dict[tuple[str, str], ast.ClassDef] = {}
        for path in sorted((tree / package).rglob("*.py")):
            module = module_of(path, tree)
            self.texts[module] = path.read_text(encoding="utf-8")
            self._parsed[module] = ast.parse(self.texts[module])
            names = self._names[module] = {}
            for node in ast.walk(self._parsed[module]):
                if isinstance(node, ast.ImportFrom) and node.module:
                    names.update({alias.asname or alias.name: (node.module, alias.name) for alias in node.names})
            for node in self._parsed[module].body:
                if isinstance(node, ast.ClassDef):
                    self._classes[module, node.name] = node

        self._copied = {
            above
            for (module, name), node in self._classes.items()
            if self._options(module, node) is not None and not self._is_plain(module, name)
            for above in self._line(module, name)
        }

    def _is_plain(self, module: str, name: str) -> bool:
        """Return whether a record is copied from its values, so that no object without values is needed."""
        bases = [base for one in self._line(module, name) for base in self._classes[one].bases]
        return any(isinstance(base, ast.Name) and base.id == PLAIN_RECORD for base in bases)

    def expanded(self, module: str) -> str:
        """Return the text of a module with its records expanded. Raise CannotExpand if one can't be."""
        parsed = self._parsed[module]
        lines = [*self.texts[module].splitlines(), ""]
        told = []
        for at, node in enumerate(parsed.body):
            if isinstance(node, ast.ClassDef):
                below = parsed.body[at + 1] if at + 1 < len(parsed.body) else None
                told += self._expand(module, node, below, lines)
        if told:
            if FUTURE not in lines:
                raise CannotExpand(f"{module} does not say {FUTURE!r}")
            lines[lines.index(FUTURE)] = "; ".join((FUTURE, *NEEDED))
        return "\n".join([*lines, *told]) + "\n"

    def _expand(self, module: str, node: ast.ClassDef, below: ast.stmt | None, lines: list[str]) -> list[str]:
        """Expand a class within its own lines; return the code for the end of the module that describes it."""
        line = node.lineno - 1
        if any(isinstance(base, ast.Name) and base.id == PLAIN_RECORD for base in node.bases):
            bases = ", ".join(ast.unparse(base) for base in node.bases if ast.unparse(base) != PLAIN_RECORD)
            if node.body[0].lineno == node.lineno or not lines[line].endswith(":"):
                raise CannotExpand(f"{module}.{node.name} does not stand on a line of its own")
            lines[line] = f"class {node.name}" + (f"({bases}):" if bases else ":")
        options = self._options(module, node)
        if options is None:
            if (module, node.name) in self._copied:
                above = first_line(node) - 1
                if node.decorator_list or lines[above]:
                    raise CannotExpand(f"{module}.{node.name} has no line above it")
                lines[above] = COPIED
            return []
        if options.get("order", False):
            raise CannotExpand(f"{module}.{node.name}: records in order are not known here")
        plain = (module, node.name) not in self._copied
        fields = [*self._fields(module, node.name).values()]
        methods = {one.name for one in node.body if isinstance(one, ast.FunctionDef)}
        after_init = any(
            isinstance(one, ast.FunctionDef) and one.name == "__post_init__"
            for place in self._line(module, node.name)
            for one in self._classes[place].body
        )
        made = [*written(node.name, fields, options, methods, after_init)]
        own = [*own_fields(node)]
        soft = sorted(own, key=lambda one: not keyword.issoftkeyword(one.name))  # ``; match: …`` is no Python
        said = "; ".join([*(f"{one.name}: {one.type}" for one in soft), FIELDS])
        lines.extend([""] * 8 if below is None else [])  # the end of the file can grow
        free = [*places(node, below, len(lines))]
        if len(free) <= len(made):
            raise CannotExpand(f"{module}.{node.name} has no lines for its methods")
        for at in (
            at for statement in own_statements(node) for at in range(statement.lineno - 1, (statement.end_lineno or 0))
        ):
            lines[at] = ""
        for at in free:
            lines[at] = ""
        for at, text in zip(free, [said, *made], strict=False):
            lines[at] = f"    {text}"
        for decorator in node.decorator_list:
            lines[decorator.lineno - 1] = "" if plain else COPIED
        words = docstring(node) or node.name
        types = {one.name: one.type for one in own}
        told = {one.name: one.said for one in own if one.said}
        shown = options.get("repr", True) and "__repr__" not in methods
        return [f"_described({node.name}, {words!r}, {types!r}, {told!r}, {shown}, {plain})"]

    def _options(self, module: str, node: ast.ClassDef) -> dict[str, bool] | None:
        """Return the options of a record of `fcbdsl.base.records`; None for other classes."""
        return options_of(node) if self._names[module].get(DECORATOR) == (HOME, DECORATOR) else None

    def _line(self, module: str, name: str) -> list[tuple[str, str]]:
        """Return a class and its base classes in the package, as (module, name)."""
        out = [(module, name)]
        for base in self._classes[module, name].bases:
            named = base.value if isinstance(base, ast.Subscript) else base
            found = self._found(module, named.id) if isinstance(named, ast.Name) else None
            if found is not None:
                out += self._line(*found)
        return out

    def _found(self, module: str, name: str) -> tuple[str, str] | None:
        """Return the module and name of the class that a module knows by a name; None: in another package."""
        while (module, name) not in self._classes:
            told = self._names.get(module, {}).get(name)
            if told is None or told == (module, name):
                return None
            module, name = told
        return module, name

    def _fields(self, module: str, name: str) -> dict[str, RecordField]:
        """Return all fields of a record, inherited ones first."""
        out: dict[str, RecordField] = {}
        for place in reversed(self._line(module, name)):
            node = self._classes[place]
            if self._options(place[0], node) is not None:
                out |= {field.name: field for field in own_fields(node)}
        return out


def module_of(path: Path, tree: Path) -> str:
    """Return the name of the module in a file of a tree."""
    return path.relative_to(tree).with_suffix("").as_posix().replace("/", ".").removesuffix(".__init__")


def options_of(node: ast.ClassDef) -> dict[str, bool] | None:
    """Return the options of a record's decorator; None for other classes. Raise CannotExpand for unknown options."""
    for decorator in node.decorator_list:
        called = decorator.func if isinstance(decorator, ast.Call) else decorator
        if isinstance(called, ast.Name) and called.id == DECORATOR:
            said = decorator.keywords if isinstance(decorator, ast.Call) else []
            options = {one.arg or "": bool(ast.literal_eval(one.value)) for one in said}
            if len(node.decorator_list) > 1 or set(options) - {"frozen", "slots", "eq", "repr", "init", "order"}:
                raise CannotExpand(f"{node.name} is a record of a kind that is not known")
            return options
    return None


def docstring(node: ast.ClassDef) -> str | None:
    """Return the docstring of a class as Python stores it: from 3.13 on without the indentation."""
    alone = ast.ClassDef(node.name, [], [], node.body[:1], [])
    if sys.version_info >= (3, 12):
        alone.type_params = []
    if ast.get_docstring(node, clean=False) is None:
        return None
    known: dict[str, Any] = {}
    exec(compile(ast.fix_missing_locations(ast.Module([alone], [])), node.name, "exec"), known)
    made: str = known[node.name].__doc__
    return made


def own_statements(node: ast.ClassDef) -> list[ast.AnnAssign]:
    """Return the statements that declare the fields of a class itself."""
    return [
        one
        for one in node.body
        if isinstance(one, ast.AnnAssign) and not ast.unparse(one.annotation).startswith("ClassVar")
    ]


def own_fields(node: ast.ClassDef) -> list[RecordField]:
    """Return the fields that a class itself declares."""
    out = []
    for statement in own_statements(node):
        made = RecordField(ast.unparse(statement.target), ast.unparse(statement.annotation), "")
        value = statement.value
        if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "field":
            said = {word.arg: word.value for word in value.keywords}
            made.default = ast.unparse(said["default"]) if "default" in said else ""
            made.factory = ast.unparse(said["default_factory"]) if "default_factory" in said else ""
            for name in {"init", "compare", "kw_only"} & {*said}:
                setattr(made, name, ast.literal_eval(said[name]))
            made.said = ast.unparse(value)
        elif value is not None:
            made.default = ast.unparse(value)
            made.said = f"field(default={made.default})"
        out.append(made)
    return out


def written(
    name: str, fields: list[RecordField], options: dict[str, bool], methods: set[str], after_init: bool
) -> list[str]:
    """Return the generated methods of a record, each on a line, except for those that it defines."""
    out = []
    if options.get("init", True) and "__init__" not in methods:
        taken = [field.parameter() for field in fields if field.init and not field.kw_only]
        named = [field.parameter() for field in fields if field.init and field.kw_only]
        does = [line for field in fields if (line := field.assigned())] + ["self.__post_init__()"] * after_init
        heads = ", ".join(["self", *taken, *(["*"] if named else []), *named])
        out.append(f"def __init__({heads}) -> None: {'; '.join(does) or 'pass'}")
    if options.get("eq", True) and "__eq__" not in methods:
        compared = [field.name for field in fields if field.compare]
        alike = "".join(f" and self.{one} == other.{one}" for one in compared)
        out.append(
            "def __eq__(self, other: object) -> bool: return self is other or "
            f"(type(other) is type(self) and isinstance(other, {name}){alike})"
        )
        if "__hash__" not in methods and options.get("frozen", False):
            out.append(f"def __hash__(self) -> int: return hash(({''.join(f'self.{one}, ' for one in compared)}))")
    return out


def places(node: ast.ClassDef, below: ast.stmt | None, end: int) -> list[int]:
    """Return the numbers (from 0) of a class's lines whose text may be replaced, in order.

    These are the lines of its fields and of its docstring, and blank lines and comments between its parts.
    """
    out: list[int] = []
    at = node.body[0].lineno - 1
    fields = {id(statement) for statement in own_statements(node)}
    for one in node.body:
        begin, after = first_line(one), one.end_lineno or 0
        out += range(at, begin)
        if id(one) in fields or (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant)):
            out += range(begin, after)
        at = after
    return [*out, *range(at, end if below is None else first_line(below))]


def first_line(node: ast.stmt) -> int:
    """Return the number (from 0) of the first line of a statement, including its decorators."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(decorator.lineno for decorator in decorators)]) - 1
