"""Builds the wheel: plain Python by default; with ``FCB_BUILD=compiled`` mypyc compiles its hot packages.

A compiled build needs a C compiler and fails without one. Editable installs are always plain. A compiled wheel also
contains the sources of the compiled modules, and a record of their hashes (`fcbdsl.base.native`).
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

sys.path.append(str(Path(__file__).resolve().parent))  # last, so that an importer keeps its own fcbdsl
from hatch_records import CannotExpand, Sources, module_of

PACKAGE = "fcbdsl"
VARIABLE = "FCB_BUILD"
BUILDS = ("plain", "compiled")
"""The values of the variable; the first is the default."""
COMPILING = ("mypy>=2.4.1,<2.5", "setuptools>=65,<81", "polib>=1.2,<2")
"""The requirements of a compiled build, besides hatchling."""
BESIDE = ("grammar", "cards", "missions", "translations", "fcb.toml")
"""Files and folders that are inside the package in a wheel, and beside it in a checkout."""
TAKES = "about six minutes of CPU time"
RESULTS = "results"
"""The folder of the package with the state of reading the shipped games, which packs begin with."""
RESULTS_VARIABLE = "FCB_RESULTS"
"""The variable that leaves them out if it is ``none``."""
MAKES_RESULTS = "fcbdsl.project.analysis.packaged_results"
RECORD = "compiled.json"
"""The record of a compiled build, in the package: who compiled it, and the hashes of the sources."""
MACHINE = ("machine/geometry", "machine/vm", "machine/vm/ops", "machine/vm/verify", "play/bots")
"""The packages for playing."""
READER = (
    *("language/syntax", "language/model", "language/model/ir", "language/model/resolve", "language/model/declaring"),
    *("language/model/checks", "language/model/checks/missions", "language/prose", "language/compiler"),
)
"""The packages that read, check and compile. They form a separate library, which a player never loads."""
OTHERS_LEVEL = "1"
"""The C compiler's highest -O level for all packages except the machine. The next level takes it twice as long, and a
check is not faster with it."""
ALONE = ("base/source",)
"""Modules that are compiled with the reader, although their package is not."""
COMPILED = (*MACHINE, *READER)
"""The packages to compile, except for their modules in `PLAIN`."""
PROGRAMS = (
    *("machine/vm/program", "machine/vm/serialization", "machine/vm/fcbc", "machine/vm/loading"),
    *("machine/vm/verify/verifier", "machine/vm/verify/codes", "machine/vm/verify/column_checks"),
)
"""The modules that read, write and verify programs. Players and compilers need them, so they form a separate
library."""
PLAIN = frozenset({
    "machine/vm/column_types", "machine/vm/fingerprint",  # their annotations describe tables
    "machine/vm/carry_over", "machine/vm/reference", "machine/vm/disasm",  # these show data
    "language/syntax/dump", "language/model/dump", "language/model/tree_text", "language/prose/game_rules",
    # these take too little time of a command (docs/performance.md)
    "language/model/checks/blank_texts", "language/model/checks/clocks", "language/model/checks/coordinate_names",
    "language/model/checks/dropped", "language/model/checks/idle", "language/model/checks/outcomes",
    "language/model/checks/picking", "language/model/checks/unreachable_code",
    "language/model/checks/missions/map_names", "language/model/checks/missions/reach",
    "language/model/checks/missions/standing", "language/model/checks/missions/supply",
    "language/model/checks/missions/track_checks",
    "language/model/declaring/behaviour", "language/model/declaring/components", "language/model/declaring/kinds",
    "language/model/declaring/plays", "language/model/declaring/preferences",
    "language/model/declaring/track_declarations", "language/model/declaring/variants",
    "language/model/declaring/windows", "language/model/resolve/dice_phrases", "language/model/resolve/modifiers",
    "language/prose/setups",
})  # fmt: skip
OPS = "machine/vm/ops"
"""Packages with classes whose annotations are read at run time. Compiled classes lack these, so the build restores
them."""
LIBRARY = "librt"
"""The library of mypyc that compiled modules import: its arrays of machine integers (`machine/vm/numbers.py`)."""
LIFETIMES = {
    "machine/vm/world.py": {
        "Frame": "acyclic=True, free_list_len=1",
        "EventActivation": "acyclic=True, free_list_len=1",
    },
}
"""Attributes for mypyc, by file and class. Instances are part of no reference cycle, so Python's collector need not
track them, and the memory of the last freed instance is reused."""

PROBE = "probe"
"""The name of the module that is compiled first, to test the compiler."""
PROBE_SETUP = f"""
from setuptools import Extension, setup
setup(name="{PROBE}", ext_modules=[Extension("{PROBE}", ["{PROBE}.c"])], script_args=["--quiet", "build_ext"])
"""
SETUP = """
import os, sys
from concurrent.futures import ThreadPoolExecutor
from setuptools import setup
from distutils.unixccompiler import UnixCCompiler  # setuptools brings it where Python has none
from mypyc.build import mypycify
_, library, level, files, *modules = sys.argv

def compile(self, sources, output_dir, macros, include_dirs, debug, extra_postargs, depends):
    macros, objects, after, flags, made = self._setup_compile(
        output_dir, macros, include_dirs, sources, depends, extra_postargs
    )
    options = self._get_cc_args(flags, debug, None)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(lambda one: self._compile(one, *made[one], options, after, flags), made))
    return objects

UnixCCompiler.compile = compile
made = mypycify(
    ["--ignore-missing-imports", *modules],
    opt_level=level, debug_level="0", group_name=library, multi_file=files == "many",
)
linux = ["-fno-semantic-interposition", "-fno-plt", "-Wno-misleading-indentation"]
always = linux if sys.platform == "linux" else []
for extension in made:
    extension.extra_compile_args = [*extension.extra_compile_args, *always]
setup(name=library, ext_modules=made, py_modules=[], script_args=["--quiet", "build_ext", "--inplace", "--force"])
"""
"""The script that compiles some modules into one library, from one C file or many; the C files are compiled on all
cores.

No other library replaces functions of this one, so the C compiler may call and inline them directly; outside of Linux
this is implied. A warning of misleading indentation is useless for generated code, and takes half the time of the
machine: gcc searches the whole file for the columns of a statement.
"""


class CannotReadGames(Exception):
    """The package cannot read the shipped games in the environment of the build."""


class CannotCompile(Exception):
    """There is no C compiler, or the compiler or mypyc reports an error."""


class UnknownBuild(ValueError):
    """FCB_BUILD has an unknown value."""


def wanted_build() -> str:
    """Return the build that FCB_BUILD asks for, plain by default. Raise UnknownBuild for an unknown value."""
    wanted = os.environ.get(VARIABLE) or BUILDS[0]
    if wanted not in BUILDS:
        raise UnknownBuild(f"{VARIABLE}={wanted!r} is unknown: use {' or '.join(BUILDS)} (default: {BUILDS[0]}).")
    return wanted


class CompiledPackages(BuildHookInterface):  # type: ignore[type-arg]
    """Adds the documentation and the compiled modules to the wheel."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """Return what the build needs besides hatchling. Raise UnknownBuild for an unknown FCB_BUILD."""
        return list(COMPILING) if wanted_build() == "compiled" else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the pages of `fcb help`, and compile if the build is a compiled one; an editable install needs neither.

        Raise UnknownBuild for an unknown FCB_BUILD, CannotCompile if compiling fails.
        """
        kind = wanted_build()
        if version == "editable":
            return
        self._folder = tempfile.TemporaryDirectory(prefix="fcb-build-")
        build_data["force_include"].update(pages(Path(self.root)))
        if kind == "plain":
            self._add_results(Path(self.root), build_data)
            return
        self.app.display_info(
            f"{PACKAGE}: {VARIABLE}=compiled compiles the machine and the reader with mypyc and a C compiler. "
            f"This takes {TAKES}; {VARIABLE}=plain takes about a minute."
        )
        made = compile_packages(Path(self.root), Path(self._folder.name), os.environ.get("FCB_BUILD_LEVEL", "3"))
        build_data["dependencies"] += runtime_requirements()
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
        build_data["force_include"].update({str(path): inside for inside, path in made.items()})
        by = json.loads(made[f"{PACKAGE}/{RECORD}"].read_text(encoding="utf-8"))["by"]
        self.app.display_info(f"{PACKAGE}: {len(made) - 4} modules are compiled by {by}.")
        for name in BESIDE:
            source, place = Path(self.root) / name, Path(self._folder.name) / name
            shutil.copytree(source, place) if source.is_dir() else shutil.copy(source, place)
        restore_sources(Path(self.root), Path(self._folder.name))
        self._add_results(Path(self._folder.name), build_data)

    def _add_results(self, tree: Path, build_data: dict[str, Any]) -> None:
        """Add the results about the shipped games that the package in a tree makes."""
        if os.environ.get(RESULTS_VARIABLE) == "none":
            return
        out = Path(self._folder.name) / RESULTS
        try:
            made = shipped_results(tree, out)
        except CannotReadGames as why:
            self.app.display_warning(f"{PACKAGE}: the wheel has no results about the shipped games: {why}")
            return
        build_data["force_include"].update({str(path): f"{PACKAGE}/{RESULTS}/{path.name}" for path in made})

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Delete temporary files."""
        if hasattr(self, "_folder"):
            self._folder.cleanup()


def shipped_results(tree: Path, out: Path) -> list[Path]:
    """Return the files that the package in a tree makes about the shipped games, in the folder `out`.

    Raise CannotReadGames.
    """
    out.mkdir(mode=0o700)
    environment = {**os.environ, "PYTHONPATH": str(tree), "PYTHONHASHSEED": "0", "FCB_CACHE": str(out / "cache")}
    command = [sys.executable, "-P", "-m", MAKES_RESULTS, str(out)]
    done = subprocess.run(command, cwd=tree, env=environment, capture_output=True, text=True)
    if done.returncode:
        raise CannotReadGames((done.stderr.strip() or "no word of why").splitlines()[-1])
    return sorted(path for path in out.iterdir() if path.is_file())


def pages(root: Path) -> dict[str, str]:
    """Return the places of the documentation's pages in the wheel, by file."""
    found = sorted((root / "docs").rglob("*.md"))
    return {str(path): f"{PACKAGE}/{path.relative_to(root).as_posix()}" for path in found}


def compile_packages(root: Path, folder: Path, level: str = "3") -> dict[str, Path]:
    """Compile the packages under `root`, in `folder`, where `level` is the C compiler's -O.

    Return the compiled files by their place in the wheel. The sources are copied, never changed. Raise CannotCompile.
    """
    probe(folder / PROBE)
    shutil.copytree(root / PACKAGE, folder / PACKAGE, ignore=shutil.ignore_patterns("__pycache__", "*.so", "*.pyd"))
    modules = compiled_sources(folder)
    hashes = {path.relative_to(folder / PACKAGE).as_posix(): hash_of(path) for path in modules}
    sources = Sources(folder, PACKAGE)
    libraries: dict[str, list[str]] = {"machine": [], "programs": [], "reader": []}
    for path in modules:
        library = library_of(path.relative_to(folder / PACKAGE).as_posix())
        libraries[library].append(path.relative_to(folder).as_posix())
        if library != "machine":
            try:
                path.write_text(sources.expanded(module_of(path, folder)), encoding="utf-8")
            except CannotExpand as trouble:
                raise CannotCompile(str(trouble)) from trouble
        elif path.parent == folder / PACKAGE / OPS:
            path.write_text(with_annotations(path.read_text(encoding="utf-8")), encoding="utf-8")
    for file, classes in LIFETIMES.items():
        path = folder / PACKAGE / file
        path.write_text(with_lifetimes(path.read_text(encoding="utf-8"), classes), encoding="utf-8")
    # the reader is many C files: one would be so large that the C compiler takes too long
    for library in ("programs", "reader"):
        run(folder, SETUP, f"{PACKAGE}_{library}", min(level, OTHERS_LEVEL), "many", *libraries[library])
    # the machine is one file, so that the C compiler can inline calls between its modules
    run(folder, SETUP, f"{PACKAGE}_machine", level, "one", *libraries["machine"])
    by = f"mypyc {importlib.metadata.version('mypy')}"
    (folder / PACKAGE / RECORD).write_text(json.dumps({"by": by, "sources": hashes}, indent=1), encoding="utf-8")
    shutil.rmtree(folder / "build")
    made = [*folder.rglob("*.so"), *folder.rglob("*.pyd"), folder / PACKAGE / RECORD]
    return {path.relative_to(folder).as_posix(): path for path in sorted(made) if PROBE not in path.parts}


def restore_sources(root: Path, tree: Path) -> None:
    """Copy the sources of the compiled modules to a tree again: compiled modules refuse to run beside other ones."""
    for path in compiled_sources(tree):
        shutil.copyfile(root / path.relative_to(tree), path)


def runtime_requirements() -> list[str]:
    """Return the requirements of compiled modules: mypyc's library, in the version that mypy requires."""
    requirements = importlib.metadata.requires("mypy") or ()
    return [requirement for requirement in requirements if requirement.startswith(LIBRARY)]


def probe(folder: Path) -> None:
    """Compile an empty module, which takes a moment. Raise CannotCompile if that fails."""
    folder.mkdir()
    nothing = f"#include <Python.h>\nPyObject *PyInit_{PROBE}(void) {{ return NULL; }}\n"
    (folder / f"{PROBE}.c").write_text(nothing)
    run(folder, PROBE_SETUP)


def run(folder: Path, script: str, *arguments: str) -> None:
    """Run a script in a separate process, in a folder from which mypyc names modules. Raise CannotCompile if it
    fails."""
    done = subprocess.run([sys.executable, "-c", script, *arguments], cwd=folder, capture_output=True, text=True)
    if done.returncode:
        output = (done.stderr.strip() or done.stdout.strip() or "it gives no reason").splitlines()
        raise CannotCompile(textwrap.shorten(" / ".join(output[-5:]), 1000))


def compiled_sources(tree: Path) -> list[Path]:
    """Return the sources to compile, of the package in a tree."""
    package = tree / PACKAGE
    return [path for path in sorted(package.rglob("*.py")) if is_compiled(path.relative_to(package).as_posix())]


def is_compiled(place: str) -> bool:
    """Return whether the module in a place of the package (``machine/vm/game.py``) is compiled."""
    name = place.removesuffix(".py")
    if name.endswith("__init__"):  # it checks whether the compiled modules match the sources
        return False
    return name in ALONE or (package_of(place) in COMPILED and name not in PLAIN)


def library_of(place: str) -> str:
    """Return the library of a compiled module, by its place in the package."""
    if place.removesuffix(".py") in PROGRAMS:
        return "programs"
    return "machine" if package_of(place) in MACHINE else "reader"


def package_of(place: str) -> str:
    """Return the package of a module, by its place."""
    return place.rpartition("/")[0]


def hash_of(path: Path) -> str:
    """Return the hash of a source, as `fcbdsl.base.native` compares it."""
    return hashlib.blake2b(path.read_bytes(), digest_size=16).hexdigest()


def with_lifetimes(source: str, classes: dict[str, str]) -> str:
    """Return the source of a module with mypyc attributes on some classes; they have no effect at run time.

    Raise CannotCompile if it lacks one of the classes.
    """
    for name, said in classes.items():
        heads = [head for head in (f"\nclass {name}:", f"\nclass {name}(") if head in source]
        if not heads:
            raise CannotCompile(f"there is no class {name} to tell mypyc of")
        source = source.replace(heads[0], f"\n@mypyc_attr({said}){heads[0]}")
    said = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from mypy_extensions import mypyc_attr\n"
    return source.replace("from __future__ import annotations\n", f"from __future__ import annotations\n{said}", 1)


def with_annotations(source: str) -> str:
    """Return the source of a module with code at its end that restores the annotations of its compiled classes."""
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
