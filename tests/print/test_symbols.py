"""Symbols differ in shape, not in color alone, and proofs show what gray printers and color-blind players see."""

from __future__ import annotations

import re
from collections.abc import Mapping
from io import BytesIO
from itertools import combinations

import pytest
import typst
from games import GAMES, model
from PIL import Image
from small_shop import SPAN, shop

from fcbdsl.base.diagnostics import Diagnostic
from fcbdsl.base.source import Source, Span
from fcbdsl.language.model.content import Board, Cell, Definition, Layout
from fcbdsl.print.pieces.looks import check_looks, symbol_of
from fcbdsl.print.press.options import Options, refusals
from fcbdsl.print.typeset.folders import ICONS
from fcbdsl.print.typeset.pixels import as_seen, rows_of


def problems_of(symbols: Mapping[str, tuple[tuple[str, ...], ...]]) -> list[Diagnostic]:
    """Return the findings of `fcb check` about the symbols of a small game."""
    made = shop()
    made.layouts["symbols"] = Layout("symbols", SPAN, dict(symbols))
    return [problem for problem in check_looks(made) if problem.code in ("FCB0706", "FCB0741")]


@pytest.mark.parametrize(
    "symbols",
    [
        {"one": (("burst",), ("#b3261e",)), "two": (("burst",), ("#2e7d32",))},
        {"one": (("plain",), ("#b3261e",), ("S",)), "two": (("plain",), ("#2e7d32",), ("S",))},
        {"one": (("plain",), ("#b3261e",), ("A",)), "two": (("plain",), ("#2e7d32",), ("B",), ("fr", "A"))},
        {"one": (("die",), ("#b3261e",), ("R",)), "two": (("die",), ("#2e7d32",), ("R",))},
        {"one": (("exit",), ("#b3261e",), ("1",)), "two": (("gate",), ("#b3261e",), ("1",))},
    ],
)
def test_symbols_that_differ_only_in_color_are_error(symbols: dict[str, tuple[tuple[str, ...], ...]]) -> None:
    (problem,) = problems_of(symbols)
    assert (problem.code, problem.severity) == ("FCB0741", "error")
    assert problem.arguments["name"] == "two"
    assert problem.message.startswith("`two` and `one` have the same drawing")
    proposed = re.findall(r"`([a-z-]+)`", str(problem.arguments["free"]))
    assert proposed
    assert all(not problems_of({**symbols, "two": ((name,), ("#2e7d32",))}) for name in proposed)


@pytest.mark.parametrize(
    "symbols",
    [
        {"one": (("burst",), ("#b3261e",)), "two": (("bomb",), ("#b3261e",))},
        {"one": (("plain",), ("#b3261e",)), "two": (("plain",), ("#2e7d32",))},  # discs for initials
        {"one": (("die",), ("#b3261e",), ("R",)), "two": (("plain",), ("#b3261e",), ("R",))},
        {"one": (("burst",), ("#b3261e",)), "two": (("as", "one"),), "three": (("as", "one"),)},
    ],
)
def test_symbols_of_other_shape_or_equal_meaning_are_allowed(
    symbols: dict[str, tuple[tuple[str, ...], ...]],
) -> None:
    assert not problems_of(symbols)


def test_as_gives_symbol_a_drawing() -> None:
    chain = {"one": (("as", "two"),), "two": (("as", "one"),), "three": (("as", "four"),)}
    assert [(problem.code, problem.arguments["name"]) for problem in problems_of(chain)] == [
        ("FCB0706", "two"), ("FCB0706", "one"), ("FCB0706", "four"),
    ]  # fmt: skip


def test_equal_symbol_shares_drawing_color_and_letter() -> None:
    made = shop()
    parts = (("plain",), ("#b3261e",), ("G",), ("fr", "O"))
    made.layouts["symbols"] = Layout("symbols", SPAN, {"gold": parts, "price": (("as", "gold"),)})
    for language in ("en", "fr"):
        assert symbol_of(made, "price", "x", language) == symbol_of(made, "gold", "x", language)


@pytest.mark.parametrize("game", GAMES)
def test_shipped_symbols_have_distinct_shapes(game: str) -> None:
    assert not [problem for problem in check_looks(model(game)) if problem.code == "FCB0741"]


def picture(*pixels: tuple[int, int, int]) -> bytes:
    """Return a row of pixels."""
    import struct
    import zlib

    body = zlib.compress(b"\0" + b"".join(bytes(pixel) for pixel in pixels))
    head = struct.pack(">IIBBBBB", len(pixels), 1, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", head), (b"IDAT", body), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data)) for name, data in chunks
    )


def test_proof_simulates_gray_and_color_blindness() -> None:
    """The figures of deuteranopia are those of the matrix of Machado et al. for pure red, green and white."""
    made = picture((255, 0, 0), (0, 255, 0), (255, 255, 255))
    (gray,) = rows_of(as_seen(made, "gray"))
    assert list(gray) == [127] * 3 + [220] * 3 + [255] * 3
    (deutan,) = rows_of(as_seen(made, "deutan"))
    red, green, white = (list(deutan[at : at + 3]) for at in (0, 3, 6))
    assert white == [255, 255, 255]
    assert red == [163, 144, 0]
    assert green == [239, 214, 58]


def test_color_proof_needs_png() -> None:
    assert not list(refusals(Options(sight="gray"), "png"))
    assert "use it with --to png" in next(refusals(Options(sight="deutan"), "pdf"))
    assert "no proof 'sepia'" in next(refusals(Options(sight="sepia"), "png"))


def test_unknown_drawing_suggests_similar_ones() -> None:
    (problem,) = problems_of({"one": (("lanturn",), ("#b3261e",))})
    names = str(problem.arguments["known"])
    assert names.startswith("Known: lantern, ")
    assert names.endswith(" more (`fcb help layouts` lists them).")
    assert len(names) < 200


@pytest.mark.parametrize(("lent", "shown", "expected"), [
    ("game.fcb", ("one", "two"), ["warning"]),
    ("game.fcb", ("one",), []),
    ("", ("one",), ["error"]),
])  # fmt: skip
def test_a_pack_may_use_a_drawing_of_its_game_unless_a_map_shows_both(
    lent: str, shown: tuple[str, ...], expected: list[str]
) -> None:
    made = shop()
    game = Span(Source("game.fcb", "layout symbols:"), 0, 6)
    layout = Layout("symbols", SPAN, {"one": (("burst",), ("#b3261e",)), "two": (("burst",), ("#2e7d32",))})
    layout.spans["one"] = game
    made.layouts["symbols"] = layout
    made.lent = (lent,)
    kind = next(iter(made.kinds.values()))
    board = Board("areas", [Cell("a1", 0, 0, "", marks=list(shown))], {}, [], {}, SPAN)
    made.definitions["mission", "m"] = Definition("m", kind, SPAN, board=board)
    assert [problem.severity for problem in check_looks(made) if problem.code == "FCB0741"] == expected


MOST_SHARED = 0.83
"""The greatest share of the ink of two drawings that may lie at the same place."""


def test_no_two_drawings_look_alike() -> None:
    """`FCB0741` compares drawings by name, so drawings with other names must have other shapes."""
    names = sorted(path.stem for path in ICONS.glob("*.svg"))
    pages = "#pagebreak()\n".join(f'#image("{name}.svg", height: 24pt, width: 24pt)\n' for name in names)
    source = f"#set page(width: 24pt, height: 24pt, margin: 0pt, fill: white)\n{pages}"
    drawn = typst.compile(source.encode(), root=str(ICONS), format="png", ppi=72.0)
    assert isinstance(drawn, list)
    ink = {
        name: bytes(255 - grey for grey in Image.open(BytesIO(png)).convert("L").tobytes())
        for name, png in zip(names, drawn, strict=True)
    }
    shared = {pair: _shared_ink(*(ink[name] for name in pair)) for pair in combinations(names, 2)}
    assert {pair: share for pair, share in shared.items() if share > MOST_SHARED} == {}
    assert min(map(sum, ink.values())) > 255 * 24, "a drawing is nearly empty"


def _shared_ink(first: bytes, second: bytes) -> float:
    """Return the share of ink that two pictures have in common."""
    return sum(map(min, first, second)) / sum(map(max, first, second))
