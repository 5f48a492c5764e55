"""The imports of modules: at the top or in a function, of a name or a module, for types only, or by a call."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2] / "fcbdsl"


@dataclass(frozen=True, slots=True)
class Import:
    """An imported module, or a name in it.

    `at_top`: it runs when the file is imported; `typing`: it never runs. `module` is empty if a call computes its name.
    """

    module: str
    line: int
    at_top: bool = False
    typing: bool = False


def module_of(path: Path, root: Path = ROOT) -> str:
    """Return the name of a file's module."""
    parts = path.relative_to(root.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def tree_of(path: Path) -> ast.Module:
    """Return the syntax tree of a file, parsed once in a process."""
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def nodes_of(path: Path) -> tuple[ast.AST, ...]:
    """Return all nodes of a file. Each file is parsed and walked once in a process."""
    return tuple(ast.walk(tree_of(path)))


@cache
def imports_of(path: Path, root: Path = ROOT) -> tuple[Import, ...]:
    """Return every import of a file; of ``from a import b`` it is `a.b`, whether `b` is a module or not."""
    package = module_of(path, root)
    if path.name != "__init__.py":
        package = package.rpartition(".")[0]
    calls = any(name in path.read_text(encoding="utf-8") for name in CALLS)
    return tuple(_in(tree_of(path), package, True, False, calls))


CALLS = {"import_module", "__import__"}
"""Functions that import a module."""


def _in(node: ast.AST, package: str, at_top: bool, typing: bool, calls: bool) -> Iterator[Import]:
    """Yield the imports below a node. `calls`: look for them in expressions, too."""
    for below in ast.iter_child_nodes(node):
        if isinstance(below, ast.expr) and not calls:
            continue
        if isinstance(below, ast.If) and _is_for_types(below.test):
            for statement in below.body:
                yield from _in(ast.Module([statement], []), package, False, True, calls)
            yield from _in(ast.Module(below.orelse, []), package, at_top, typing, calls)
            continue
        if isinstance(below, ast.Import):
            yield from (Import(name.name, below.lineno, at_top, typing) for name in below.names)
        elif isinstance(below, ast.ImportFrom):
            base = _absolute(below.module or "", below.level, package)
            yield from (Import(f"{base}.{name.name}", below.lineno, at_top, typing) for name in below.names)
        elif isinstance(below, ast.Call) and _imports(below.func):
            yield Import(_said(below, package), below.lineno, at_top, typing)
        inner = isinstance(below, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        yield from _in(below, package, at_top and not inner, typing, calls)


def _is_for_types(test: ast.expr) -> bool:
    return ast.unparse(test) in {"TYPE_CHECKING", "typing.TYPE_CHECKING"}


def _imports(called: ast.expr) -> bool:
    name = called.attr if isinstance(called, ast.Attribute) else called.id if isinstance(called, ast.Name) else ""
    return name in CALLS


def _said(call: ast.Call, package: str) -> str:
    """Return the module that a call imports, as far as the call contains its name."""
    argument = call.args[0] if call.args else None
    if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
        name = argument.value.lstrip(".")
        return _absolute(name, len(argument.value) - len(name), package)
    return ""


def _absolute(name: str, level: int, package: str) -> str:
    if not level:
        return name
    above = package.split(".")
    return ".".join([*above[: len(above) - level + 1], *([name] if name else [])])


def graph(typing: bool, root: Path = ROOT) -> dict[str, list[str]]:
    """Return every module of a package with the modules that it imports; with `typing` also for types."""
    files = {module_of(path, root): path for path in sorted(root.rglob("*.py"))}

    def nearest(name: str) -> str:
        while name and name not in files:
            name = name.rpartition(".")[0]
        return name

    out: dict[str, list[str]] = {}
    for module, path in files.items():
        met = (nearest(imported.module) for imported in imports_of(path, root) if typing or not imported.typing)
        out[module] = [other for other in dict.fromkeys(met) if other and other != module]
    return out


def circles(edges: Mapping[str, list[str]]) -> list[list[str]]:
    """Return the sets of modules that import each other, directly or indirectly (R. Tarjan, 1972)."""
    number: dict[str, int] = {}
    lowest: dict[str, int] = {}
    open_: list[str] = []
    cycles: list[list[str]] = []

    def visit(module: str) -> None:
        number[module] = lowest[module] = len(number)
        open_.append(module)
        for other in edges[module]:
            if other not in number:
                visit(other)
                lowest[module] = min(lowest[module], lowest[other])
            elif other in open_:
                lowest[module] = min(lowest[module], number[other])
        if lowest[module] == number[module]:
            at = open_.index(module)
            if len(open_) - at > 1:
                cycles.append(sorted(open_[at:]))
            del open_[at:]

    for module in edges:
        if module not in number:
            visit(module)
    return sorted(cycles)
