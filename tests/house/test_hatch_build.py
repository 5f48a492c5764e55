"""The build hook: its requirements, its messages and refusals, and its flags for the C compiler."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path
from zipfile import ZipFile

import pytest

import hatch_build
from fcbdsl.base import origin
from fcbdsl.tools.docs import topics

ROOT = Path(__file__).parents[2]


def backend(step: str, *arguments: str, cwd: Path = ROOT, **environment: str) -> subprocess.CompletedProcess[str]:
    """Call a hook of the build backend as pip does."""
    call = "import sys, hatchling.build as b; print(getattr(b, sys.argv[1])(*sys.argv[2:]))"
    inherited = {name: value for name, value in os.environ.items() if name != "FCB_BUILD"}
    command = [sys.executable, "-c", call, step, *arguments]
    inherited[hatch_build.RESULTS_VARIABLE] = "none"  # they take a minute
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, env={**inherited, **environment})


@pytest.mark.long
def test_only_compiled_build_requires_mypyc() -> None:
    for environment in ({}, {"FCB_BUILD": ""}, {"FCB_BUILD": "plain"}):
        assert backend("get_requires_for_build_wheel", **environment).stdout.strip() == "[]"
    asked = backend("get_requires_for_build_wheel", FCB_BUILD="compiled").stdout.strip()
    assert asked == str(list(hatch_build.COMPILING))
    required = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["build-system"]["requires"]
    assert [requirement.partition(">")[0] for requirement in required] == ["hatchling"]


@pytest.mark.parametrize("step", ["get_requires_for_build_wheel", "build_wheel"])
def test_unknown_build_kind_is_refused(step: str, tmp_path: Path) -> None:
    done = backend(step, *([str(tmp_path)] if step == "build_wheel" else []), FCB_BUILD="fast")
    assert done.returncode != 0
    assert "FCB_BUILD='fast' is unknown: use plain or compiled (default: plain)." in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_metadata_is_prepared_without_compiling(tmp_path: Path) -> None:
    done = backend("prepare_metadata_for_build_wheel", str(tmp_path), FCB_BUILD="compiled", CC="/bin/false")
    assert done.returncode == 0, done.stderr
    assert "compiles the machine" not in done.stderr


def test_sources_are_restored_after_compiling(tmp_path: Path) -> None:
    changed = tmp_path / "fcbdsl" / "base" / "source.py"
    changed.parent.mkdir(parents=True)
    changed.write_text("# expanded for the compiler\n")
    hatch_build.restore_sources(ROOT, tmp_path)
    assert changed.read_bytes() == (ROOT / "fcbdsl" / "base" / "source.py").read_bytes()


def test_wheel_contains_help_pages() -> None:
    inside = set(hatch_build.pages(ROOT).values())
    assert inside == {f"fcbdsl/docs/{section.page}.md" for section in topics.sections() if section.level == 1}


def test_compiled_build_reports_and_fails_without_compiler(tmp_path: Path) -> None:
    done = backend("build_wheel", str(tmp_path), FCB_BUILD="compiled", CC="/bin/false")
    assert done.returncode != 0
    assert hatch_build.TAKES in done.stderr
    assert "CannotCompile" in done.stderr


STUB = """\
#!{python}
import os, sys
with open({log!r}, "a") as log:
    log.write(repr(sys.argv[1:]) + "\\n")
os.execvp({cc!r}, [{cc!r}, *sys.argv[1:]])
"""


@pytest.mark.long
def test_compiler_flags_are_equal_for_each_module(tmp_path: Path) -> None:
    cc = shutil.which(shlex.split(os.environ.get("CC", "cc"))[0])
    if cc is None or sys.platform != "linux":
        pytest.skip("there is no C compiler of Linux")
    log, stub = tmp_path / "calls", tmp_path / "stub"
    stub.write_text(STUB.format(python=sys.executable, log=str(log), cc=cc), encoding="utf-8")
    stub.chmod(0o755)
    package = tmp_path / "pack"
    package.mkdir()
    for name in ("__init__", "one", "two", "three", "four"):
        (package / f"{name}.py").write_text(f"def {name}x(a: int) -> int:\n    return a\n", encoding="utf-8")
    modules = [f"pack/{name}.py" for name in ("one", "two", "three", "four")]
    before = os.environ.get("CC")
    os.environ["CC"] = str(stub)
    try:
        hatch_build.run(tmp_path, hatch_build.SETUP, "pack_library", "0", "many", *modules)
    finally:
        os.environ.pop("CC") if before is None else os.environ.update(CC=before)
    calls = [eval(line) for line in log.read_text(encoding="utf-8").splitlines()]
    compiling = [call for call in calls if "-c" in call]
    assert len(compiling) > len(modules)
    for flag in ("-fno-semantic-interposition", "-fno-plt", "-Wno-misleading-indentation"):
        assert {call.count(flag) for call in compiling} == {1}


@pytest.mark.long
def test_sdist_contains_sources_of_wheel(tmp_path: Path) -> None:
    assert backend("build_sdist", str(tmp_path)).returncode == 0
    (sdist,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(sdist) as packed:
        options = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}  # 3.11.4 brought filters
        packed.extractall(tmp_path / "out", **options)
    (tree,) = (tmp_path / "out").iterdir()
    assert {path.name for path in tree.glob("hatch_*.py")} == {path.name for path in ROOT.glob("hatch_*.py")}
    wheels = []
    for name, cwd in (("here", ROOT), ("there", tree)):
        (tmp_path / name).mkdir()
        done = backend("build_wheel", str(tmp_path / name), cwd=cwd)
        assert done.returncode == 0, done.stderr
        (wheel,) = (tmp_path / name).glob("*-py3-none-any.whl")
        with ZipFile(wheel) as packed_wheel:
            wheels.append({row.filename: row.CRC for row in packed_wheel.infolist() if "dist-info" not in row.filename})
    assert wheels[0] == wheels[1]


def test_project_urls_share_one_home() -> None:
    urls = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["urls"]
    assert urls["Homepage"] == origin.HOME
    assert urls["Installation"] == origin.INSTALL_PAGE
    assert all(url.startswith(origin.HOME) for url in urls.values())
    assert origin.INSTALL_PAGE in (ROOT / "editors" / "vscode" / "extension.js").read_text(encoding="utf-8")
