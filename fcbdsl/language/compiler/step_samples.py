"""Selection of the steps of tests whose codes are verified in place of those of all steps.

The verifier finds two kinds of faults in a code: something is lowered wrongly, or the code is too large. Each construct
that tests use is part of a selected step, and each step that may be too large is selected. Other limits cannot be
exceeded by one step: numbers are limited when they are read, and folded only if they stay exact.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import replace
from typing import get_args

from fcbdsl.language.compiler.assembler import MOST_CONSTANTS
from fcbdsl.language.model import ir
from fcbdsl.language.model.content import Step, StepRow, Test
from fcbdsl.language.model.declarations import Form
from fcbdsl.language.model.ir import constructs, pattern_key, walk
from fcbdsl.machine.vm.verify import codes
from fcbdsl.machine.vm.verify.column_checks import is_unfit_name

REGISTERS_OF_NODE = 8
"""Most registers of one bank that the lowering of a node takes beside those of its children, constants left out.

A test measures it.
"""
_SIZED = frozenset(get_args(ir.Apply | ir.Body | ir.Modifier | ir.Option | ir.Listener))
"""Classes of nodes that need more registers than `REGISTERS_OF_NODE`, or codes of unknown size."""


def sample_steps(tests: Iterable[Test]) -> list[Test]:
    """Return tests with only the steps that must be verified: see `StepSamples.takes`.

    A test without such steps is left out, if the row of an earlier one says the same about the rest of it.
    """
    samples = StepSamples()
    looked_at: set[int] = set()  # steps of equal lines are one object
    heads: set[Hashable] = set()
    out: list[Test] = []
    for test in tests:
        rows: list[StepRow] = []
        for row in test.rows:
            step, _ = row
            if id(step) not in looked_at:
                looked_at.add(id(step))
                if samples.takes(step):
                    rows.append((test.step(row), 0))
        head = _head_of(test)
        if rows or head not in heads:
            heads.add(head)
            out.append(replace(test, rows=rows))
    return out


class StepSamples:
    """Decides which steps of tests must be verified, one step after the other."""

    def __init__(self) -> None:
        self._constructs: set[Hashable] = set()
        self._unfit: set[Hashable] = set()
        self._sizes: dict[int, int] = {}  # by the identity of forms

    def takes(self, step: Step) -> bool:
        """Return whether a step must be verified.

        It contains a construct that no step before contained. Or it may be unfit, and differs from all such steps
        before it in more than places and the names of spaces.
        """
        nodes, seen = _nodes(step), self._constructs
        count = len(seen) + len(self._unfit)
        seen.add(_form_of_step(step))
        seen.update(constructs(nodes))
        if self._registers(nodes) > codes.MOST_REGISTERS or is_unfit_name("".join(_texts(step))):
            self._unfit.add(_key_of_step(step))
        return len(seen) + len(self._unfit) > count

    def registers(self, step: Step) -> int:
        """Return an upper bound for the registers in each bank of all codes of a step."""
        return self._registers(_nodes(step))

    def _registers(self, nodes: Sequence[ir.Node]) -> int:
        """Return an upper bound for the registers in each bank of the codes of some nodes."""
        further = [self._further(node) for node in nodes if node.__class__ in _SIZED]
        return MOST_CONSTANTS + REGISTERS_OF_NODE * (1 + len(nodes)) + sum(further)

    def _further(self, node: ir.Node) -> int:
        """Return the registers that a node needs beside those of nodes."""
        if isinstance(node, ir.Apply):
            return self._registers_of(node.form)
        if isinstance(node, ir.Body | ir.Modifier):
            return len(node.slots)
        return codes.MOST_REGISTERS + 1  # these test how other effects begin

    def _registers_of(self, form: Form) -> int:
        """Return a bound for the registers of a form's body, as a code of its own and inlined.

        A recursive form is never inlined, so that its code is part of the program that is verified.
        """
        if form.body is None or form.recursive:
            return 0
        registers = self._sizes.get(id(form))
        if registers is None:
            registers, waiting = 0, [form.body]
            while waiting and registers <= codes.MOST_REGISTERS:
                nodes = walk(waiting.pop())
                registers += REGISTERS_OF_NODE * len(nodes)
                for node in nodes:
                    if isinstance(node, ir.Apply):
                        if node.form.body is not None and not node.form.recursive:
                            waiting.append(node.form.body)
                    elif node.__class__ in _SIZED:
                        registers += self._further(node)
            self._sizes[id(form)] = registers
        return registers


def _head_of(test: Test) -> Hashable:
    """Return everything of a test besides its steps that may make it unfit. Equal maps are one."""
    board, texts = test.board, (test.title, *test.covers)
    drawn = board if board is None or board.original is None else board.original
    unfit = texts if is_unfit_name("".join(texts)) else ()
    return test.mission, id(drawn), test.players, tuple(test.overrides.items()), unfit


def _trees(step: Step) -> list[ir.Node]:
    """Return the effect and the expressions of a step."""
    trees: list[ir.Node] = [reference.expr for reference in step.references]
    for tree in (step.body, step.expr, step.who):
        if tree is not None:
            trees.append(tree)
    return trees


def _nodes(step: Step) -> tuple[ir.Node, ...]:
    """Return all nodes of a step."""
    trees = _trees(step)
    return walk(trees[0]) if len(trees) == 1 else walk(trees)  # walking through a list takes longer


def _texts(step: Step) -> list[str]:
    """Return the words of a step and the questions that it answers."""
    return [*step.words, *[reference.question for reference in step.references]]


def _form_of_step(step: Step) -> Hashable:
    """Return everything of a step that determines its row, without values and texts."""
    if not (step.references or step.words or step.events):
        return step.sort, step.outcome, step.absent, len(step.faces), step.who is None
    questions = any(reference.question for reference in step.references)
    counts = (len(step.words), len(step.references), len(step.faces), len(step.spots))
    return step.sort, step.outcome, step.absent, counts, step.who is None, questions, tuple(map(id, step.events))


def _key_of_step(step: Step) -> Hashable:
    """Return everything that a step says, without its place and without which spaces it names."""
    words = (step.sort, step.outcome, step.absent, step.count)
    return pattern_key([*words, _trees(step), _texts(step), step.faces, step.spots]), tuple(map(id, step.events))
