"""What a card says goes through few files on its way to a game and to print."""

from __future__ import annotations

from benchmarks.walk import walks, whole

MOST = {
    "text to tree": (7, 13),
    "tree to typed tree": (16, 125),
    "typed tree to ops": (11, 59),
    "typed tree to French": (11, 51),
    "in all": (44, 248),
}
"""The most files that a stage may go through, and the most changes of file; those in all may only become fewer."""


def test_three_words_go_through_few_files() -> None:
    found = walks()
    rows = {walk.stage: (len(walk.files), walk.turns) for walk in (*found, whole(found))}
    assert rows.keys() == MOST.keys()
    assert [stage for stage, (files, turns) in rows.items() if files > MOST[stage][0] or turns > MOST[stage][1]] == []
