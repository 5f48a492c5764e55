"""Memoized results of lowering are found by later processes, too."""

from __future__ import annotations

from fcbdsl.language.compiler.memo_table import Memory


class Layout:
    """An argument that is not part of the model."""


def test_results_stored_twice_are_found() -> None:
    made: list[str] = []

    def make(unit: object, *arguments: object) -> int:
        made.append("made")
        return 7

    def lowered(memory: Memory) -> int:
        number: int = memory.result(None, make, ([], [], []), ("code", Layout(), {}))
        return number

    memory = Memory()
    assert lowered(memory) == 7
    for _ in range(3):
        memory = Memory.from_snapshot(memory.snapshot(())).again((), ())
        assert lowered(memory) == 7
    assert made == ["made"]
