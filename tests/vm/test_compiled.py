"""Parts that the compiled build (`hatch_build.py`) relies on; equal play is tested when it is built."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

import pytest

from fcbdsl.base import native
from fcbdsl.machine.vm.op import Operand, operands_of
from fcbdsl.machine.vm.ops import OPS
from hatch_build import (
    LIBRARY,
    LIFETIMES,
    MACHINE,
    PACKAGE,
    PLAIN,
    RECORD,
    CannotCompile,
    compile_packages,
    hash_of,
    is_compiled,
    library_of,
    runtime_requirements,
    with_annotations,
    with_lifetimes,
)
from hatch_build import OPS as OPS_PACKAGE

ROOT = Path(__file__).parents[2]


def read(operands: Sequence[Operand]) -> list[tuple[object, ...]]:
    """Return the values of some operands."""
    return [(each.name, each.kind, each.reads, each.writes, each.fit) for each in operands]


def test_compiled_classes_keep_operand_annotations(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = 0
    for path in sorted((ROOT / PACKAGE / OPS_PACKAGE).glob("*.py")):
        module = ModuleType(f"{PACKAGE}.{OPS_PACKAGE.replace('/', '.')}.{path.stem}")
        monkeypatch.setitem(sys.modules, module.__name__, module)
        source = path.read_text(encoding="utf-8")
        forgetful = "".join(
            f"if hasattr({cls.name}, '__annotations__'): {cls.name}.__annotations__ = {{}}\n"
            for cls in ast.parse(source).body
            if isinstance(cls, ast.ClassDef)
        )
        built = with_annotations(source)
        assert built.startswith(source)
        exec(compile(source + forgetful + built.removeprefix(source), str(path), "exec"), vars(module))
        for cls in vars(module).values():
            if isinstance(cls, type) and cls.__module__ == module.__name__ and "name" in vars(cls):
                assert read(operands_of(cls)) == read(OPS[cls.name].operands)
                seen += 1
    assert seen == len(OPS)


@pytest.mark.parametrize("file", LIFETIMES)
def test_lifetime_attributes_change_only_the_listed_classes(file: str) -> None:
    source = (ROOT / PACKAGE / file).read_text(encoding="utf-8")
    marked, tree = ast.parse(with_lifetimes(source, LIFETIMES[file])), ast.parse(source)
    classes = {cls.name: cls for cls in marked.body if isinstance(cls, ast.ClassDef)}
    for name, attributes in LIFETIMES[file].items():
        assert ast.unparse(classes[name].decorator_list.pop()) == f"mypyc_attr({attributes})"
    added = marked.body[2:4]
    assert [ast.unparse(line).split("\n")[0] for line in added] == [
        "from typing import TYPE_CHECKING",
        "if TYPE_CHECKING:",
    ]
    del marked.body[2:4]
    assert ast.dump(marked) == ast.dump(tree)


def test_lifetime_attribute_of_a_missing_class_is_an_error() -> None:
    with pytest.raises(CannotCompile, match="Pebble"):
        with_lifetimes("class Stone:\n    pass\n", {"Pebble": "acyclic=True"})


def test_plain_modules_exist_and_compiled_ones_read_no_annotations() -> None:
    package = ROOT / PACKAGE
    assert all((package / f"{place}.py").is_file() for place in PLAIN)
    for path in (path for room in MACHINE for path in (package / room).glob("*.py")):
        place = path.relative_to(package).as_posix()
        if is_compiled(place) and library_of(place) == "machine":
            tree = ast.parse(path.read_text(encoding="utf-8"))
            used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
            assert not used & {"get_type_hints", "fields", "is_dataclass"}, path


def test_build_import_keeps_loaded_package(tmp_path: Path) -> None:
    """A process begun afresh takes its path from who began it: it once read a compiled program as sources do."""
    (tmp_path / PACKAGE).mkdir()
    (tmp_path / PACKAGE / "__init__.py").touch()
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT)])}
    code = f"import hatch_build, {PACKAGE}; print({PACKAGE}.__file__)"
    command = [sys.executable, "-P", "-c", code]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert Path(done.stdout.strip()).parent == tmp_path / PACKAGE


def test_compiled_wheel_requires_mypyc_library() -> None:
    assert [requirement.partition(">")[0] for requirement in runtime_requirements()] == [LIBRARY]
    imported = {
        (node.module or "").partition(".")[0]
        for path in (ROOT / PACKAGE).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and is_compiled(path.relative_to(ROOT / PACKAGE).as_posix())
    }
    assert LIBRARY in imported


def test_failed_compiler_fails_build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "/bin/false")
    with pytest.raises(CannotCompile, match="false"):
        compile_packages(ROOT, tmp_path)


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """Return a package in which one module is compiled."""
    (tmp_path / "machine" / "vm").mkdir(parents=True)
    source = tmp_path / "machine" / "vm" / "game.py"
    source.write_text("x = 1\n", encoding="utf-8")
    record = f'{{"by": "mypyc 2", "sources": {{"machine/vm/game.py": "{hash_of(source)}"}}}}'
    (tmp_path / native.RECORD).write_text(record, encoding="utf-8")
    return tmp_path


def test_compiled_module_with_changed_source_is_refused(package: Path) -> None:
    native.refuse_changed("machine/vm", package)
    (package / "machine" / "vm" / "game.py").write_text("x = 2\n", encoding="utf-8")
    native.refuse_changed("machine/geometry", package)
    with pytest.raises(native.SourceChanged, match=r"game\.py is not what"):
        native.refuse_changed("machine/vm", package)
    (package / "machine" / "vm" / "game.py").unlink()
    native.refuse_changed("machine/vm", package)


def test_version_lists_the_compiled_packages(package: Path, tmp_path: Path) -> None:
    assert native.describe_build(package) == "compiled by mypyc 2: machine/vm (1 module)"
    assert native.describe_build(tmp_path / "vm") == "plain Python: nothing is compiled"
    assert native.RECORD == RECORD
