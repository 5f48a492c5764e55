"""Builds the wheel. Where there is a C compiler its hot rooms are compiled by mypyc; else it is plain, and says so.

``FCB_BUILD=plain`` compiles nothing, ``FCB_BUILD=compiled`` fails where that is not to be had. Editable installs are
always plain. Beside the compiled modules lie their sources, and a record of what these were (`fcbdsl.native`).
"""

from __future__ import annotations

import ast
import hashlib
import importlib.metadata
import json
import os
import shutil
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PACKAGE = "fcbdsl"
RECORD = "compiled.json"
"""The record of a compiled build, in the package: who compiled it, and the hashes of the sources."""
ROOMS = ("game", "vm", "vm/ops", "bots")
"""The rooms that are compiled, but for what stays plain in them."""
PLAIN = frozenset({
    "__init__",  # looks whether what is compiled is of these sources
    "program", "columns", "serialization",  # tables that are described by their own annotations
    "verify", "verify_codes", "verify_columns", "fcbc", "loading",  # reading, checking
    "carry_over", "reference", "disasm",  # showing
})  # fmt: skip
OPS = "vm/ops"
"""Where classes are described by their annotations, which compiled classes lack: they are given them back."""
LIFETIMES = {
    "vm/world.py": {
        "Item": "acyclic=True",
        "Frame": "acyclic=True, free_list_len=1",
        "EventActivation": "acyclic=True, free_list_len=1",
    },
}
"""Classes of which mypyc is told, by file, that no object holds itself in the end (Python's collector need not know of
them), and that the last one that was thrown away may be used again."""

PROBE = "probe"
"""The name of the module that is compiled first, to see whether that works."""
PROBE_SETUP = f"""
from setuptools import Extension, setup
setup(name="{PROBE}", ext_modules=[Extension("{PROBE}", ["{PROBE}.c"])], script_args=["--quiet", "build_ext"])
"""
SETUP = """
import sys
from setuptools import setup
from mypyc.build import mypycify
_, package, level, *modules = sys.argv
made = mypycify(["--ignore-missing-imports", *modules], opt_level=level, group_name=package)
setup(name=package, ext_modules=made, py_modules=[], script_args=["--quiet", "build_ext", "--inplace"])
"""


class CannotCompile(Exception):
    """There is no C compiler, or it or mypyc complains."""


class CompiledRooms(BuildHookInterface):  # type: ignore[type-arg]
    """Puts what is compiled into the wheel."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, unless it is an editable install. Raises CannotCompile when that was asked for in so many words."""
        wanted = os.environ.get("FCB_BUILD", "")
        if version == "editable" or wanted == "plain":
            return
        self._folder = tempfile.TemporaryDirectory(prefix="fcb-build-")
        try:
            made = compile_rooms(Path(self.root), Path(self._folder.name), os.environ.get("FCB_BUILD_LEVEL", "3"))
        except CannotCompile as trouble:
            if wanted == "compiled":
                raise
            self.app.display_warning(
                f"{PACKAGE}: nothing is compiled, this wheel is plain Python and slower: {trouble}"
            )
            return
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
        build_data["force_include"].update({str(path): inside for inside, path in made.items()})
        self.app.display_info(f"{PACKAGE}: {len(made) - 2} modules are compiled.")

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Throw away what was made on the way."""
        if hasattr(self, "_folder"):
            self._folder.cleanup()


def compile_rooms(root: Path, folder: Path, level: str = "3") -> dict[str, Path]:
    """Compile the rooms of the package under `root`, in `folder`, where `level` is the C compiler's -O.

    Returns what was made: its place in the wheel, and its file. The sources are copied, never touched.
    Raises CannotCompile."""
    probe(folder / PROBE)
    shutil.copytree(root / PACKAGE, folder / PACKAGE, ignore=shutil.ignore_patterns("__pycache__", "*.so", "*.pyd"))
    modules = compiled_sources(folder)
    hashes = {path.relative_to(folder / PACKAGE).as_posix(): hash_of(path) for path in modules}
    for path in modules:
        if path.parent == folder / PACKAGE / OPS:
            path.write_text(with_annotations(path.read_text(encoding="utf-8")), encoding="utf-8")
    for file, classes in LIFETIMES.items():
        path = folder / PACKAGE / file
        path.write_text(with_lifetimes(path.read_text(encoding="utf-8"), classes), encoding="utf-8")
    run(folder, SETUP, PACKAGE, level, *(path.relative_to(folder).as_posix() for path in modules))
    by = f"mypyc {importlib.metadata.version('mypy')}"
    (folder / PACKAGE / RECORD).write_text(json.dumps({"by": by, "sources": hashes}, indent=1), encoding="utf-8")
    shutil.rmtree(folder / "build")
    made = [*folder.rglob("*.so"), *folder.rglob("*.pyd"), folder / PACKAGE / RECORD]
    return {path.relative_to(folder).as_posix(): path for path in sorted(made) if PROBE not in path.parts}


def probe(folder: Path) -> None:
    """Compile a module that does nothing, in a moment. Raises CannotCompile."""
    folder.mkdir()
    (folder / f"{PROBE}.c").write_text(f"#include <Python.h>\nPyObject *PyInit_{PROBE}(void) {{ return NULL; }}\n")
    run(folder, PROBE_SETUP)


def run(folder: Path, script: str, *arguments: str) -> None:
    """Run a script in a process of its own, in a folder, from which mypyc names modules. Raises CannotCompile."""
    done = subprocess.run([sys.executable, "-c", script, *arguments], cwd=folder, capture_output=True, text=True)
    if done.returncode:
        said = (done.stderr.strip() or done.stdout.strip() or "no word of why").splitlines()
        raise CannotCompile(textwrap.shorten(" / ".join(said[-5:]), 1000))


def compiled_sources(tree: Path) -> list[Path]:
    """The sources that are compiled, of the package in a tree."""
    found = [path for room in ROOMS for path in sorted((tree / PACKAGE / room).glob("*.py"))]
    return [path for path in found if path.stem not in PLAIN]


def hash_of(path: Path) -> str:
    """The hash of a source, as `fcbdsl.native` compares it."""
    return hashlib.blake2b(path.read_bytes(), digest_size=16).hexdigest()


def with_lifetimes(source: str, classes: dict[str, str]) -> str:
    """The same module, in which mypyc is told something of some classes. Nothing of that is there when it runs. Raises
    CannotCompile when it has no such class."""
    for name, said in classes.items():
        heads = [head for head in (f"\nclass {name}:", f"\nclass {name}(") if head in source]
        if not heads:
            raise CannotCompile(f"there is no class {name} to tell mypyc of")
        source = source.replace(heads[0], f"\n@mypyc_attr({said}){heads[0]}")
    said = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from mypy_extensions import mypyc_attr\n"
    return source.replace("from __future__ import annotations\n", f"from __future__ import annotations\n{said}", 1)


def with_annotations(source: str) -> str:
    """The same module, which at its end gives its classes the annotations that they lose when they are compiled."""
    lines = []
    for cls in ast.parse(source).body:
        if isinstance(cls, ast.ClassDef):
            said = {
                line.target.id: ast.unparse(line.annotation)
                for line in cls.body
                if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name)
            }
            lines.append(f'setattr({cls.name}, "__annotations__", {said})\n')
    return source + "".join(lines)
