"""``python -m benchmarks.compiled``: the package with its hot rooms compiled by mypyc, a tree to put on PYTHONPATH.

The sources are copied, never touched: whoever works on them goes on running plain Python. Compiled classes have no
annotations, from which the operands of ops derive; so the build notes them, in a file that it makes of the plain ones.
At the end the same games are played by both, and the build fails unless every final state is the same.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tomllib
from dataclasses import astuple
from pathlib import Path

from benchmarks.compiled.games import digests

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = "fcbdsl"
HOT = ("game", "vm", "vm/ops")
COLD = frozenset({
    "__init__", "program", "columns", "records",  # tables that are described by their own annotations
    "verify", "verify_codes", "verify_columns", "fcbc", "loading",  # reading, checking
    "carry_over", "reference", "disasm",  # showing
})  # fmt: skip
"""Modules of the hot rooms that stay plain."""


def main() -> None:
    """Build, compare, and say where it lies."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.compiled", description=__doc__)
    parser.add_argument(
        "out", type=Path, nargs="?", default=ROOT / "build" / "fast", help="folder (default build/fast)"
    )
    parser.add_argument("--level", default="3", choices=list("0123"), help="the C compiler's -O (default 3)")
    options = parser.parse_args()
    out = options.out.resolve()
    copy(out)
    note_operands(out)
    build(out, options.level)
    compare(out)
    print(f"Built and compared. To use it: PYTHONPATH={os.path.relpath(out)} fcb …")


def copy(out: Path) -> None:
    """Lay out the package as a wheel does, sources and content."""
    shutil.rmtree(out, ignore_errors=True)
    leave = shutil.ignore_patterns("__pycache__", "*.so")
    shutil.copytree(ROOT / PACKAGE, out / PACKAGE, ignore=leave)
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    for source, target in settings["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"].items():
        if (ROOT / source).is_dir():
            shutil.copytree(ROOT / source, out / target, ignore=leave)
        else:
            shutil.copyfile(ROOT / source, out / target)


def note_operands(out: Path) -> None:
    """Write down what the plain op classes declare."""
    from fcbdsl.vm.op import NOTED
    from fcbdsl.vm.ops import OPS

    rows = {name: [astuple(operand) for operand in op.operands] for name, op in OPS.items()}
    (out / PACKAGE / "vm" / NOTED).write_text(json.dumps(rows, sort_keys=True), encoding="utf-8")


def build(out: Path, level: str) -> None:
    """Compile the hot modules beside their sources. Exits with mypyc's or the C compiler's complaint."""
    from mypyc.build import mypycify
    from setuptools import setup

    found = [path for room in HOT for path in sorted((out / PACKAGE / room).glob("*.py")) if path.stem not in COLD]
    modules = [str(path.relative_to(out)) for path in found]
    os.chdir(out)  # mypyc names modules by their path from here
    extensions = mypycify(["--strict", *modules], opt_level=level)
    setup(name=PACKAGE, ext_modules=extensions, py_modules=[], script_args=["--quiet", "build_ext", "--inplace"])
    os.chdir(ROOT)
    shutil.rmtree(out / "build", ignore_errors=True)


def compare(out: Path) -> None:
    """Play games with what was built and with the sources. Exits if one of them ends otherwise."""
    paths = os.pathsep.join([str(out), str(ROOT)])
    done = subprocess.run(
        [sys.executable, "-P", "-m", "benchmarks.compiled.games"],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": paths, "FCB_CACHE": ""},
    )
    if done.returncode:
        raise SystemExit(f"the compiled build cannot play:\n{done.stderr}")
    where, *theirs = done.stdout.split()
    if not where.endswith(".py") and theirs == digests():
        return
    raise SystemExit(f"the compiled build ({where}) does not play as its sources do")


if __name__ == "__main__":
    main()
