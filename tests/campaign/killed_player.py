"""Plays a campaign file in an endless loop and prints each confirmed state; exits at statement N on request."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from fcbdsl.play.campaign.store import AnswerRecord, Store


def main(path: Path, last: int) -> None:
    store = Store(path)
    statements = 0

    def die_in_time(_: str) -> None:
        nonlocal statements
        statements += 1
        if statements == last:
            os._exit(9)

    store._base.set_trace_callback(die_in_time)
    for turn in range(last or 1 << 30):
        store.decide(list(range(3)))
        _confirm("decisions", turn)
        store.answer(AnswerRecord("a mission", record=f"record {turn}"))
        _confirm("answer", turn)
        store.answer(AnswerRecord("onward", chosen=1), ({"turn": turn}, "hash"))
        _confirm("point", turn)
        store.rewind(1 + turn)
        _confirm("rewind", turn)


def _confirm(what: str, turn: int) -> None:
    print(what, turn, flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
