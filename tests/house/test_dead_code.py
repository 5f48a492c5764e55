"""The package has no unused code: by bare names (`vulture`), and by the names that modules import."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from imports import ROOT, module_of, tree_of
from vulture import Vulture

CALLED = ("@*.command", "@*.group", "@*.command*", "@*.group*", "@*.feature", "@*NOTES.of", "@NAMES.of")
"""Decorators whose functions are called by click, the language server, or registries of node classes."""

BY_NAME = {
    "language/syntax/nodes.py": ROOT.parent / "grammar" / "fcb.lark",
    "tools/reports/charts.py": ROOT / "tools" / "reports" / "templates",
    "print/layout/views.py": ROOT / "print" / "templates",
    "print/pieces/contents.py": ROOT / "print" / "templates",
    "print/press/imposition.py": ROOT / "print" / "templates",
    "print/press/storage.py": ROOT / "print" / "templates",
    "print/export/webpage.py": ROOT / "print" / "templates",
    "play/table/alone.py": ROOT / "editor" / "table" / "web",
    "play/table/table_protocol.py": ROOT / "editor" / "table" / "web",
    "play/table/scene.py": ROOT / "editor" / "table" / "web",
    "print/export/dressing.py": ROOT / "editor" / "table" / "web",
}
"""Files with definitions that are used by name, and the places of these names: callbacks of rules, templates."""


ALLOWED = {
    "format_commands": "click asks a group for it",
    "intercepted_binops": "jinja's sandbox asks an environment for it",
    "yaml_implicit_resolvers": "PyYAML asks a loader for it",
    "persistent_id": "pickle asks a pickler for it",
    "persistent_load": "pickle asks an unpickler for it",
    "MAX_IMAGE_PIXELS": "Pillow's own bound, which the typesetter replaces",
    "available_extensions": "websockets asks a connection for them",
    "SETUP": "one of a row of numbers",
    "L_ASK": "one of a row of numbers",
    "LOGGED": "says what the numbers below it are",
    "__kwdefaults__": "Python reads it from a function",
    "protocol": "pages of a table read it: the version of the messages",
}
"""All other names that seem unused, each with a reason."""


def text_of(path: Path) -> str:
    files = [path] if path.is_file() else sorted(path.iterdir())
    return "\n".join(file.read_text(encoding="utf-8") for file in files)


def unused(*paths: Path) -> list[tuple[str, str]]:
    """Yield the unused names in some files and folders, each with its file."""
    vulture = Vulture(ignore_decorators=list(CALLED))
    vulture.scavenge(list(map(str, paths)))
    return [(Path(item.filename).as_posix(), item.name) for item in vulture.get_unused_code(min_confidence=60)]


def is_used_by_name(file: str, name: str) -> bool:
    """Return whether something is an op (programs name it), a feature of editors, or listed in `BY_NAME`."""
    if "/vm/ops/" in file or file.endswith("fcbdsl/project/workspace.py"):
        return True
    return any(file.endswith(end) and re.search(rf"\b{name}\b", text_of(path)) for end, path in BY_NAME.items())


def test_every_definition_is_used() -> None:
    names = unused(ROOT, ROOT.parent / "benchmarks")
    assert len(names) > len(ALLOWED)
    left = [(file, name) for file, name in names if not is_used_by_name(file, name)]
    assert [(file, name) for file, name in left if name not in ALLOWED] == []
    assert sorted({name for _, name in left}) == sorted(ALLOWED)


def test_unused_definition_is_found(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("def used(): ...\ndef unused(): ...\nclass Op: ...\nused()\n", encoding="utf-8")
    assert [name for _, name in unused(tmp_path)] == ["unused", "Op"]


# ── by what modules import ──────────────────────────────────────────────────────────────────────


Named = tuple[str, str]
"""A module, and a name at its top level."""

UNREAD = {
    ("fcbdsl.language.model.ir.node", "T"): "a type variable",
    ("fcbdsl.base.records", "describe_record"): "the methods that `records` writes call it",
    ("fcbdsl.print.typeset.worker_client", "run"): "the command of a child process",
    ("fcbdsl.machine.vm.world", "LOGGED"): "says what the numbers below it are",
    ("fcbdsl.machine.vm.world", "L_ASK"): "one of a row of numbers",
    ("fcbdsl.machine.vm.world", "NUMBER"): "one of a row of numbers",
    ("fcbdsl.machine.vm.world", "SETUP"): "one of a row of numbers",
    ("fcbdsl.play.table.alone", "open_table"): "the script of a shared file calls it",
}
"""Definitions that no code names, each with a reason."""


def is_called_by_decorator(node: ast.stmt) -> bool:
    """Return whether a decorator registers a function: with click, or in a registry of node classes."""
    called = [ast.unparse(decorator).partition("(")[0] for decorator in getattr(node, "decorator_list", [])]
    return any(re.search(r"\.(?:command|group|of)$", name) for name in called)


def definitions(module: str, tree: ast.Module) -> Iterator[Named]:
    """Return the functions, classes and constants at the top level of a module."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not is_called_by_decorator(node):
            yield module, node.name
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                if isinstance(target, ast.Name) and not target.id.startswith("__"):
                    yield module, target.id


def origin(module: str, name: str, trees: dict[str, ast.Module], seen: frozenset[Named] = frozenset()) -> Named:
    """Return where an imported name is defined, because modules may re-export names."""
    for node in trees[module].body if module in trees and (module, name) not in seen else ():
        if isinstance(node, ast.ImportFrom) and node.module and any((a.asname or a.name) == name for a in node.names):
            inner = next(a.name for a in node.names if (a.asname or a.name) == name)
            return origin(node.module, inner, trees, seen | {(module, name)})
    return module, name


def named_in(module: str, tree: ast.Module, trees: dict[str, ast.Module]) -> Iterator[Named]:
    """Return the definitions that a module reads, its own and others; a function's mention of itself does not count."""
    imported: dict[str, list[Named]] = defaultdict(list)
    modules: dict[str, list[str]] = defaultdict(list)
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                if f"{node.module}.{alias.name}" in trees:
                    modules[alias.asname or alias.name].append(f"{node.module}.{alias.name}")
                else:
                    imported[alias.asname or alias.name].append(origin(node.module, alias.name, trees))
    for statement in tree.body:
        own = statement.name if isinstance(statement, ast.FunctionDef | ast.ClassDef) else ""
        for node in ast.walk(statement):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                if node.id != own:
                    yield module, node.id
                yield from imported.get(node.id, ())
            elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                yield from (origin(module, node.attr, trees) for module in modules.get(node.value.id, ()))


def unread(root: Path, *others: Path) -> set[Named]:
    """Return the definitions of a package that neither its modules nor `others` read."""
    trees = {module_of(path, folder): tree_of(path) for folder in (root, *others) for path in folder.rglob("*.py")}
    inside = [module for module in trees if module.partition(".")[0] == root.name]
    used = {name for module, tree in trees.items() for name in named_in(module, tree, trees)}
    return {name for module in inside for name in definitions(module, trees[module])} - used


def test_every_definition_is_read_by_some_module() -> None:
    names = {
        (module, name)
        for module, name in unread(ROOT, ROOT.parent / "benchmarks")
        if not module.startswith(
            ("fcbdsl.machine.vm.ops.", "fcbdsl.base.diagnostics.")
        )  # programs and registries name these
    }
    assert names == set(UNREAD)


def test_name_defined_in_two_modules_is_found(tmp_path: Path) -> None:
    root = tmp_path / "house"
    root.mkdir()
    texts = {
        "__init__": "from house.a import passed_on\n",
        "a": "def wording(): ...\ndef itself(): itself()\ndef passed_on(): ...\ndef attribute(): ...\n",
        "b": "from house import a, passed_on\nfrom house.c import wording as other\n"
        "other(), passed_on(), a.attribute()\n",
        "c": "def wording(): ...\n",
    }
    for name, text in texts.items():
        (root / f"{name}.py").write_text(text, encoding="utf-8")
    assert unread(root) == {("house.a", "wording"), ("house.a", "itself")}
