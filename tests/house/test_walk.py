"""What a card says goes through few files on its way to a game and to print."""

from __future__ import annotations

from benchmarks.walk import walks, whole

MOST = {
    "text to tree": (3, 3),
    "tree to typed tree": (8, 20),
    "typed tree to ops": (7, 35),
    "typed tree to French": (12, 43),
    "in all": (30, 101),
}
"""The most files that a stage may go through, and the most changes of file; those in all may only become fewer."""


def test_three_words_go_through_few_files() -> None:
    found = walks()
    rows = {walk.stage: (len(walk.files), walk.turns) for walk in (*found, whole(found))}
    assert rows.keys() == MOST.keys()
    more = {stage: row for stage, row in rows.items() if row[0] > MOST[stage][0] or row[1] > MOST[stage][1]}
    assert more == {}
