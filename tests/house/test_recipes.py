"""The recipes of CONTRIBUTING.md, followed to the letter in a copy of the package."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from pond_game import copy_pond

ROOT = Path(__file__).parents[2]
PACKAGE = "fcbdsl"
LIST_OP = '''

class RecipeTotal(Op):
    """The sum of a list."""

    name = "RECIPE_TOTAL"
    pure = True
    out: RegOut
    values: List

    def run(self, g: Game, f: Frame) -> Op | None:
        f.r[self.out] = sum(f.s[self.values])
        return self.then
'''
FIELD_OP = '''

class RecipeHalf(Op):
    """Half of a field of a thing."""

    name = "RECIPE_HALF"
    pure = True
    out: RegOut
    field: ReadField
    thing: Reg

    def run(self, g: Game, f: Frame) -> Op | None:
        f.r[self.out] = stats.read_stat(g, self.field, f.r[self.thing]) // 2
        return self.then
'''
CALL_OP = '''

class RecipeTail(Calling):
    """Run a code; what it answers is kept."""

    name = "RECIPE_TAIL"
    pure = True
    out: RegOut
    code: CodeNo
    args: ArgsNo

    def run(self, g: Game, f: Frame) -> Op | None:
        return self.enter(g, f, self.out)
'''
WORDS = """
measure recipe-total:
  takes: of values (many number)
  gives: number
  op: recipe-total
  text en: "the total of {values}"
  text fr: "le total de {values}"
"""
FOUND = """
import json, sys
from pathlib import Path
from tests.vm.assembly import answer_of
from tests.vm.test_worlds import rich_book
from fcbdsl.language.compiler import lower
from fcbdsl.project.project import check_project
from fcbdsl.play.testing.content_tests import run_test
from fcbdsl.machine.vm import image
from fcbdsl.machine.vm.reference import reference
from fcbdsl.machine.vm.verify.verifier import verify_program

def found(text):
    book = rich_book()
    book.code("callee", "MOV r3 r2; RETV r3", 3)
    book.code("own", text)
    return [str(finding) for finding in verify_program(book.unverified())]

def answer(text):
    book = rich_book()
    book.code("callee", "MOV r3 r2; RETV r3", 3)
    return answer_of(text, book)

model, problems = check_project([Path(sys.argv[1])])
linked = image.Image(lower(model, tests=True))
print(json.dumps({
    "where": image.__file__,
    "problems": [problem.message for problem in problems],
    "failures": [str(run_test(linked, number).failure) for number in range(len(linked.program.tests))],
    "verified": [str(finding) for finding in verify_program(linked.program)],
    "ops": [name for name in ("RECIPE_TOTAL", "RECIPE_HALF", "RECIPE_TAIL") if f"| `{name}` |" in reference()],
    "answers": [
        answer("LIT r2 3; LNEW s0; LADD s0 r2; LADD s0 r2; RECIPE_TOTAL r2 s0; RETV r2"),
        answer("LIT r2 3; RECIPE_TAIL r3 callee (r0 r1 r2); RETV r3"),
        answer("FIRST r2 ann 1; RECIPE_HALF r3 HP r2; RETV r3"),
    ],
    "findings": [
        found("RECIPE_HALF r2 friends r0; RETV r2"),
        found("RECIPE_TAIL r2 callee (r0 r1); RETV r2"),
        found("LNEW s2; RECIPE_TAIL r2 callee (r0 r1 s2); RETV r2"),
        found("RECIPE_TOTAL r2 s0; RETV r2"),
    ],
}))
"""
TESTED = """
use pond

test "Something is added up":
  map square:
    art: |
      +--+--+
      |.  . |
      +--+--+
  given green-frog at A1
  expect recipe-total of green-frog's energy, 4 = 7
"""


def test_recipe_for_new_op_needs_no_other_edit(tmp_path: Path) -> None:
    shutil.copytree(ROOT / PACKAGE, tmp_path / PACKAGE, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "grammar", tmp_path / PACKAGE / "grammar")
    for place, text in (
        ("machine/vm/ops/registers.py", LIST_OP),
        ("machine/vm/ops/state.py", FIELD_OP),
        ("machine/vm/ops/calls.py", CALL_OP),
        ("content/systems/core.fcb", WORDS),
    ):
        path = tmp_path / PACKAGE / place
        path.write_text(path.read_text(encoding="utf-8") + text, encoding="utf-8")
    game = copy_pond(tmp_path, TESTED)
    paths = [str(tmp_path), str(ROOT), str(ROOT / "tests")]
    done = subprocess.run(
        [sys.executable, "-P", "-c", FOUND, str(game)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths), "FCB_CACHE": ""},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["where"].startswith(str(tmp_path))
    assert (report["problems"], report["failures"], report["verified"]) == ([], ["None"], [])
    assert report["ops"] == ["RECIPE_TOTAL", "RECIPE_HALF", "RECIPE_TAIL"]
    assert report["answers"] == [6, 3, 4]
    assert [[finding.partition(": ")[2] for finding in findings] for findings in report["findings"]] == [
        ["RECIPE_HALF field: the field friends is not one that can be read"],
        ["RECIPE_TAIL args: 2 arguments are passed, 3 are taken"],
        ["RECIPE_TAIL args: argument 2 is a list, the other is taken"],
        ["s0 may be read before it is written"],
    ]
