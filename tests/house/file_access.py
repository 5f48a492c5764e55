"""Finds functions that read or write files by other means than `base.files`, from the syntax of a module."""

from __future__ import annotations

import ast
from collections.abc import Iterator

READING = {
    "read_text", "read_bytes", "open", "open_code", "fdopen", "fromfile", "memmap", "mmap", "getline", "getlines",
    "FileInput",
}  # fmt: skip
"""Names that open a file."""
WRITING = {
    "write_text", "write_bytes", "symlink_to", "hardlink_to", "extractall", "copyfile", "copytree", "copy2",
    "copyfileobj", "NamedTemporaryFile", "TemporaryFile", "mkstemp", "tofile", "truncate", "FileHandler", "rename",
    "sendfile", "mkfifo",
}  # fmt: skip
"""Names that make or change a file."""
OF_MODULES = {
    ("os", "replace"), ("os", "link"), ("os", "symlink"), ("os", "write"), ("shutil", "copy"), ("shutil", "move"),
    ("shutil", "make_archive"), ("shutil", "unpack_archive"), ("sqlite3", "connect"),
}  # fmt: skip
"""Functions that write files, with common names, in a module."""
CHANGING = {"unlink", "rmtree", "rmdir", "removedirs", "mkdir", "makedirs", "chmod", "utime", "mkdtemp"}
"""Names that remove files, or make or remove folders."""
READ_ONLY_MODES = {"r", "rb", "rt", "br", "tr"}


def accesses(tree: ast.AST) -> Iterator[tuple[str, str, bool]]:
    """Yield the function around each access, the name that it uses, and whether it may write.

    A name counts wherever it occurs, called or not, so an alias counts where it is made."""
    yield from _below(tree, "")


def changes(tree: ast.AST, function: str = "") -> Iterator[tuple[str, str]]:
    """Yield the function around each name that removes files, or makes or removes folders, and the name."""
    if isinstance(tree, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        function = f"{function}.{tree.name}".removeprefix(".")
    match tree:
        case ast.Attribute(attr=name) | ast.Constant(value=name) if name in CHANGING:
            yield function, name
        case ast.Attribute(value=ast.Name(id="os"), attr="remove"):
            yield function, "remove"
        case ast.ImportFrom(module="os" | "shutil" | "tempfile", names=names):
            yield from (
                (function, imported.name)
                for imported in names
                if imported.name in CHANGING or imported.name == "remove"
            )
    for below in ast.iter_child_nodes(tree):
        yield from changes(below, function)


def _below(node: ast.AST, function: str) -> Iterator[tuple[str, str, bool]]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        function = f"{function}.{node.name}".removeprefix(".")
    for name, writes in _of(node):
        yield function, name, writes
    for below in ast.iter_child_nodes(node):
        if isinstance(node, ast.Call) and below is node.func and _last(below) in ("open", "fdopen"):
            yield from ((function, name, writes) for name, writes in [(_last(below), _may_write(node))])
            below = below.value if isinstance(below, ast.Attribute) else ast.Pass()
        yield from _below(below, function)


def _of(node: ast.AST) -> Iterator[tuple[str, bool]]:
    """Yield the names of functions that access files in this node alone."""
    match node:
        case ast.Attribute(value=ast.Name(id=module), attr=name) if (module, name) in OF_MODULES:
            yield name, True
        case ast.Name(id="open", ctx=ast.Load()):
            yield "open", True  # not called here: an alias may have any mode
        case ast.Attribute(attr=name):
            if name in WRITING:
                yield name, True
            elif name in READING:
                yield name, name in ("open", "fdopen")
        case ast.ImportFrom(module=str(module), names=names) if not module.startswith("fcbdsl"):
            for imported in names:
                if imported.name in WRITING | READING or (module, imported.name) in OF_MODULES:
                    yield imported.name, True
        case ast.Constant(value=str(text)) if text in WRITING | READING and text not in ("open", "mmap", "rename"):
            yield text, True  # as in getattr(path, "write_text")
        case ast.Call(func=ast.Attribute(attr="replace"), args=[_], keywords=[]):
            yield "replace", True  # of a path; of a text or a record it has more arguments


def _last(node: ast.expr | ast.AST) -> str:
    match node:
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name
    return ""


def _may_write(call: ast.Call) -> bool:
    """Return whether a call of `open` may write, by its mode: the first or the second argument."""
    own = isinstance(call.func, ast.Attribute) and not (
        isinstance(call.func.value, ast.Name) and call.func.value.id in ("io", "os", "codecs", "Image", "tarfile")
    )
    place = 0 if own else 1
    given = [call.args[place]] if len(call.args) > place else []
    given += [keyword.value for keyword in call.keywords if keyword.arg in ("mode", "flags")]
    if any(keyword.arg is None for keyword in call.keywords) or any(
        isinstance(argument, ast.Starred) for argument in call.args
    ):
        return True
    if not given:
        return False
    match given[0]:
        case ast.Constant(value=str(mode)):
            return mode not in READ_ONLY_MODES
    flags = ast.unparse(given[0])
    return "O_RDONLY" not in flags or any(flag in flags for flag in ("O_WRONLY", "O_RDWR", "O_CREAT"))
