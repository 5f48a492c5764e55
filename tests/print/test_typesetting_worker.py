"""A picture or document that crashes Typst or Pillow, or needs too much, ends only the worker process."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from small_shop import shop
from test_pictures import HILL, art, with_art

from fcbdsl.base.source import Source, Span
from fcbdsl.language.model.whole import Model
from fcbdsl.print.pieces.pictures import picture_of
from fcbdsl.print.pieces.piece import PrintPiece
from fcbdsl.print.pieces.printables import is_sheet, printable
from fcbdsl.print.press import proofs
from fcbdsl.print.press.press import render, try_to_print
from fcbdsl.print.press.proofs import fit_problems
from fcbdsl.print.typeset import worker, worker_client
from fcbdsl.print.typeset.typesetting import CannotDraw, CannotTypeset, Typeset, clean_picture, draw_svg, typeset

posix = pytest.mark.skipif(sys.platform == "win32", reason="there are no signals and limits there")
DEEP = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">'
    '<clipPath id="p0"><rect width="9" height="9"/></clipPath>'
    + "".join(
        f'<clipPath id="p{at}" clip-path="url(#p{at - 1})"><rect width="9" height="9"/></clipPath>'
        for at in range(1, 4000)
    )
    + '<rect width="9" height="9" clip-path="url(#p3999)"/></svg>'
)
"""A drawing that overflows Typst's stack."""


@posix
def test_drawing_that_crashes_typst_is_refused_and_next_one_works() -> None:
    with pytest.raises(CannotDraw, match="crashes the typesetter"):
        draw_svg(DEEP.encode())
    draw_svg(HILL.encode())


@posix
def test_document_over_time_limit_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_client, "DOCUMENT_SECONDS", 0)
    loops = "#for a in range(100000) { for b in range(100000) { for c in range(9) { } } }"
    monkeypatch.setattr("fcbdsl.print.typeset.typesetting.typst_source", lambda name, values: loops)
    with pytest.raises(CannotTypeset, match="more than 0 s of processor time"):
        typeset("cards.typ.j2", {}, "pdf")


@posix
def test_document_over_memory_limit_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    worker_client._process.end()
    monkeypatch.setattr(worker_client, "MEGABYTES", 600)
    hungry = '#let b = range(9).map(n => "abcdefgh" * (30000000 + n))\n#b.len()'
    monkeypatch.setattr("fcbdsl.print.typeset.typesetting.typst_source", lambda name, values: hungry)
    with pytest.raises(CannotTypeset, match="memory"):
        typeset("cards.typ.j2", {}, "png")
    worker_client._process.end()


@posix
def test_killed_process_is_restarted() -> None:
    draw_svg(HILL.encode())
    running = worker_client._process._running
    assert running is not None
    os.kill(running.pid, signal.SIGKILL)
    running.wait()
    with pytest.raises(CannotDraw, match="SIGKILL"):
        draw_svg(HILL.encode())
    draw_svg(HILL.encode())


@posix
def test_interrupt_does_not_reach_typesetting_process() -> None:
    draw_svg(HILL.encode())
    running = worker_client._process._running
    assert running is not None
    assert os.getpgid(running.pid) == running.pid != os.getpgrp()


@pytest.mark.long
def test_crash_names_faulty_picture(tmp_path: Path) -> None:
    """The picture is replaced behind the back of its check, as if that had not found it."""
    model = with_art(art(tmp_path, HILL))
    picture = picture_of(model.definitions["tool", "rope"], "en")
    assert picture is not None
    picture.place.write_text(DEEP)
    try:
        made = try_to_print("cards", lambda: render(model, (), "en", "a4", "pdf", tmp_path / "out"), model)
        problems = fit_problems(model, printable(model))
    finally:
        picture.place.write_text(HILL)
    assert ([problem.code for problem in made.problems], made.left_out) == (["FCB0717"], ("cards",))
    assert made.problems[0].arguments["path"] == "hill.svg"
    assert {problem.code for problem in problems} == {"FCB0717"}


def test_untypesettable_document_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = with_art(art(tmp_path, HILL))
    monkeypatch.setattr("fcbdsl.print.typeset.typesetting.typst_source", lambda name, values: "#panic()")
    made = try_to_print("cards", lambda: render(model, (), "en", "a4", "pdf", tmp_path / "out"), model)
    assert ([problem.code for problem in made.problems], made.left_out) == (["FCB0738"], ("cards",))


def test_untypesettable_cards_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    model = shop()
    cards = [definition for definition in printable(model) if not is_sheet(definition)]
    for card in cards:
        card.span = Span(Source(f"{card.id}.fcb", ""), 0, 0)
    bad = [f"{card.kind.id}/{card.id}" for card in cards[1:3]]
    plain = proofs._measured_cards

    def refusing(model: Model, language: str, pieces: Sequence[PrintPiece]) -> Typeset:
        if any(piece.card.key in bad for piece in pieces):
            raise CannotTypeset("cards.typ.j2", "", "it takes more than 20 s of processor time")
        return plain(model, language, pieces)

    monkeypatch.setattr(proofs, "_measured_cards", refusing)
    problems = [problem for problem in fit_problems(model, cards) if problem.code == "FCB0738"]
    whats = [f"The card of `{key}` (en)" for key in bad]
    assert sorted(str(problem.arguments["what"]) for problem in problems) == sorted(whats)


def test_modules_of_working_folder_are_not_imported(tmp_path: Path) -> None:
    for name in ("json", "typst", "fcbdsl", "signal"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit(9)")
    program = "from fcbdsl.print.typeset.typesetting import draw_svg; import os; os.chdir({!r}); draw_svg({!r})"
    done = subprocess.run([sys.executable, "-P", "-c", program.format(str(tmp_path), HILL.encode())])
    assert done.returncode == 0


class _Answer:
    """A stream with some bytes."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    def read(self, length: int) -> bytes:
        taken, self._data = self._data[:length], self._data[length:]
        return taken


@pytest.mark.parametrize(
    "data",
    [b"", b"\0" * 8, b"\xff" * 8, (2).to_bytes(8, "big") + b"{}", (9).to_bytes(8, "big") + b'{"parts":'],
)
def test_invalid_answer_is_refused(data: bytes) -> None:
    stream: Any = _Answer(data)
    with pytest.raises(worker.Ended):
        worker.receive(stream)


@pytest.mark.parametrize("form", ["png", "jpg"])
def test_bytes_without_picture_are_refused(form: str) -> None:
    with pytest.raises(CannotDraw, match="cannot be decoded"):
        clean_picture(b"\x89PNG\r\n\x1a\n" + b"a" * 99, form, 99)


@posix
def test_process_started_by_large_one_is_kept() -> None:
    """Its own memory counts, and not that of the process that has started it."""
    worker_client._process.end()
    large = bytearray(b"x") * (400 << 20)
    draw_svg(HILL.encode())
    running = worker_client._process._running
    del large
    assert running is not None
    draw_svg(HILL.encode())
    assert worker_client._process._running is running


@posix
def test_process_is_replaced_after_many_characters(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process keeps the results of its documents; the new process gives the same bytes."""
    source = "#set document(title: [A])\n"
    monkeypatch.setattr("fcbdsl.print.typeset.typesetting.typst_source", lambda name, values: source)
    monkeypatch.setattr(worker_client, "MOST_CHARACTERS", 2 * len(source))
    monkeypatch.setenv("FCB_CACHE", "")
    worker_client._process.end()
    first = typeset("cards.typ.j2", {}, "pdf")
    running = worker_client._process._running
    assert running is not None
    for _ in range(2):
        assert running.poll() is None
        assert worker_client._process._running is running
        assert typeset("cards.typ.j2", {}, "pdf") == first
    assert worker_client._process._running is None
    assert running.poll() is not None
    assert typeset("cards.typ.j2", {}, "pdf") == first
