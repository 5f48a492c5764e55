"""``python release/dist.py OUT``: makes the files of a release page, and prints what it leaves out, and why.

It makes the sdist, the plain wheel, the wheel of `fcbdsl-player`, and SHA256SUMS. It adds the wheels of
``make wheels``, if there are any. ``COMPILED=yes`` adds the compiled wheel for this Python, which takes six minutes.
``SINGLE=no`` leaves out the single file for people without Python.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PLAYER = ROOT / "release" / "player"
"""The project of the wheel that only plays."""
BUILDER = "pyinstaller>=6.10,<7"
EXTRAS = "editor,live,yaml"
MODULES = ("fcbdsl",)
"""Packages that are included completely: fcb imports commands, systems and locales by name."""
BACKEND = "import sys, hatchling.build as b; print(getattr(b, sys.argv[1])(sys.argv[2]))"


def main() -> None:
    """Make all files in the given folder."""
    out = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "dist").resolve()
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    left_out = []
    build(out, "build_sdist", "plain")
    wheel = out / build(out, "build_wheel", "plain")
    build(out, "build_wheel", "plain", PLAYER)
    made = sorted((ROOT / "wheelhouse").glob("fcbdsl-*.whl"))
    for one in made:
        if one.name.startswith(wheel.name.removesuffix("py3-none-any.whl")):
            shutil.copy(one, out)
        else:
            left_out.append(f"{one.name} of wheelhouse: another version")
    if os.environ.get("COMPILED") == "yes":
        build(out, "build_wheel", "compiled")
        left_out.append("compiled wheels of other Pythons and systems: `make wheels` makes them (cibuildwheel, Docker)")
    elif not made:
        left_out.append("compiled wheels: `make wheels` first (cibuildwheel, Docker), or COMPILED=yes (six minutes)")
    if os.environ.get("SINGLE") == "no":
        left_out.append("the single file: SINGLE=no")
    else:
        single(wheel, out)
    files = sorted(out.iterdir())
    sums = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files]
    (out / "SHA256SUMS").write_text("".join(sums), encoding="utf-8")
    for path in sorted(out.iterdir()):
        print(f"{path.stat().st_size / 1e6:7.1f} MB  {path.name}")
    for line in left_out:
        print(f"Left out: {line}.")


def build(out: Path, step: str, kind: str, project: Path = ROOT) -> str:
    """Call the build backend of a project; return the name of the file it made."""
    command = [sys.executable, "-c", BACKEND, step, str(out)]
    done = subprocess.run(
        command, cwd=project, stdout=subprocess.PIPE, text=True, env={**os.environ, "FCB_BUILD": kind}, check=True
    )
    return done.stdout.split()[-1]


def single(wheel: Path, out: Path) -> None:
    """Make the single file from a wheel, in a separate environment with only the requirements of the wheel."""
    with tempfile.TemporaryDirectory(prefix="fcb-single-") as name:
        folder = Path(name)
        venv.create(folder / "env", with_pip=True)
        python = folder / "env" / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
        pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, BUILDER, f"{wheel}[{EXTRAS}]"], check=True)
        command = [
            *(str(python), "-m", "PyInstaller", "--onefile", "--console", "--name", "fcb", "--log-level", "WARN"),
            *(part for package in MODULES for part in ("--collect-all", package)),
            *(
                "--collect-submodules",
                "uvicorn",
                "--collect-submodules",
                "websockets",
                "--recursive-copy-metadata",
                "fcbdsl",
            ),
            *("--collect-data", "jsonschema_specifications", "--collect-submodules", "lark"),
            *("--distpath", str(out), "--workpath", str(folder / "work"), "--specpath", str(folder)),
            str(ROOT / "release" / "fcb_main.py"),
        ]
        subprocess.run(command, cwd=folder, check=True)


if __name__ == "__main__":
    main()
