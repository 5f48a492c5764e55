"""What the compiled build (`make fast`) leans on; that it plays alike is tested when it is built."""

from __future__ import annotations

import ast
import json
from dataclasses import astuple
from pathlib import Path

from benchmarks.compiled.__main__ import COLD, HOT, PACKAGE, ROOT, copy, note_operands
from fcbdsl.vm.op import NOTED, noted_operands
from fcbdsl.vm.ops import OPS


def test_plain_ops_have_nothing_noted() -> None:
    assert noted_operands(Path("fcbdsl/vm/op.py")) is None


def test_the_build_notes_every_operand_as_it_is_declared(tmp_path: Path) -> None:
    copy(tmp_path)
    note_operands(tmp_path)
    noted = noted_operands(tmp_path / PACKAGE / "vm" / "op.cpython-311.so")
    assert noted is not None
    assert noted == {name: [list(astuple(o)) for o in cls.operands] for name, cls in OPS.items()}
    assert noted["JEQI"] == [
        ["a", "r", True, False, ""],
        ["b", "i", True, False, ""],
        ["target", "label", True, False, ""],
    ]
    assert json.loads((tmp_path / PACKAGE / "vm" / NOTED).read_text(encoding="utf-8")) == noted
    assert (tmp_path / PACKAGE / "fcb.toml").is_file()
    assert list((tmp_path / PACKAGE / "missions").rglob("*.fcb"))


def test_what_stays_plain_exists_and_all_else_has_no_class_that_reads_annotations() -> None:
    files = [path for room in HOT for path in (ROOT / PACKAGE / room).glob("*.py")]
    assert {path.stem for path in files} >= COLD
    for path in files:
        if path.stem not in COLD:
            tree = ast.parse(path.read_text(encoding="utf-8"))
            used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
            assert not used & {"get_type_hints", "fields", "is_dataclass"}, path
