"""Boards drawn with characters."""

from __future__ import annotations

from fcbdsl.machine.vm.program import Board, Cell
from fcbdsl.play.session.sketch import sketch


def cells(*names: str) -> tuple[Cell, ...]:
    return tuple(
        Cell(name, x, y) for name, x, y in (place.split(",") for place in names) for x, y in [(int(x), int(y))]
    )


def test_text_board_shifts_hexagons_and_draws_barriers() -> None:
    board = Board("hex", cells("A1,0,0", "B1,1,0", "A2,0,1", "B2,1,1"))
    assert sketch(board, ["a", "b", "c", "d"], {(0, 1): "|", (0, 2): "|", (1, 2): "|"}) == (
        "      A     B\n1     a  |  b\n      // \\\\\n2        c     d\n"
    )


def test_other_barriers_are_letters() -> None:
    board = Board("square", cells("A1,0,0", "B1,1,0", "A2,0,1"))
    assert sketch(board, ["x", "y", "z"], {(0, 1): "D", (0, 2): "|"}) == (
        "      A     B\n1     x  D  y\n    ----\n2     z\n"
    )


def test_squares_with_eight_neighbors_look_like_others() -> None:
    places = cells("A1,0,0", "B1,1,0", "A2,0,1")
    four, eight = (Board(sort, places) for sort in ("square", "square-8"))
    assert sketch(eight, ["x", "y", "z"], {(0, 1): "|"}) == sketch(four, ["x", "y", "z"], {(0, 1): "|"})


def test_long_labels_are_cut() -> None:
    board = Board("square", cells("A1,0,0", "B1,1,0"))
    assert "abcd" in sketch(board, ["abcdef", "."], {})
    assert "abcde" not in sketch(board, ["abcdef", "."], {})


def test_graph_board_is_a_list() -> None:
    board = Board("graph", cells("mill,0,0", "oak,1,0"), links=((0, 1, -1), (1, 0, -1)))
    assert sketch(board, ["Frog", ""], {}) == "mill: Frog  -> oak\noak: -  -> mill\n"
    called = sketch(board, ["Frog", ""], {}, titles=("The Mill", "The Oak"))
    assert called == "The Mill: Frog  -> The Oak\nThe Oak: -  -> The Mill\n"
    board = Board("graph", cells("mill,0,0", "oak,1,0"), links=((0, 1, 1), (1, 0, -1)))
    assert sketch(board, ["", ""], {}, ("west", "east")) == "mill: -  -> oak (east)\noak: -  -> mill\n"


def test_empty_board_has_no_lines() -> None:
    assert sketch(Board("hex", ()), [], {}) == ""
