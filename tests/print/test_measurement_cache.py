"""Measurements of pieces are cached within limits."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from fcbdsl.print.typeset import typesetting, worker_client

PEAK = """
import re, resource
from fcbdsl.print.typeset import typesetting, worker_client

def peak():  # `worker_client.ask` starts the process if there is none
    worker_client.ask("set", EMPTY, b"", seconds=9)
    status = open(f"/proc/{worker_client._process._running.pid}/status").read()
    ended = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    return max(ended, int(re.search(r"VmHWM:\\s+(\\d+)", status)[1]))

EMPTY = dict(form="", dpi=0, measure="x", shipped=str(typesetting.FONTS), desk=".", root=".", inputs={}, templates=[])
EMPTY["fonts"] = None
"""
"""A program with a function for the peak memory of the typesetting processes, in kilobytes."""
MEASURED = """
def filled(template, values):
    at = values["at"]
    words = (f"#box[word {at}-{line}] #lorem({(at * 7 + line) % 60 + 5})" for line in range(200))
    return f"#metadata({at})<{typesetting.MEASURE}>\\n" + "\\n\\n".join(words)

typesetting.typst_source = filled
for at in range(30):
    assert typesetting.measure_document("", {"at": at}).measures == (at,)
    if at in (14, 29):
        print(peak())
"""


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere memory is told otherwise")
def test_old_measurements_are_removed() -> None:
    afresh = {**os.environ, "FCB_CACHE": ""}
    done = subprocess.run(
        [sys.executable, "-c", PEAK + MEASURED], capture_output=True, text=True, check=True, env=afresh
    )
    half, whole = map(int, done.stdout.split())
    assert whole < half * 1.25  # without forgetting, another 15 such documents take twice as much


SET = """
import sys

words = "the lamp on the mole answers somebody and the last boat waits for the tide".split() + [sys.argv[1]]
texts = (" ".join(words[(at + step * 7) % len(words)] for step in range(40)) + f" {at}" for at in range(250))
head = '#import "press.typ": *\\n#let plain = (level: 0, label: "", cells: ())\\n'
typesetting.typst_source = lambda template, values: head + "\\n".join(
    f'#block(width: 50mm, prose((:), (((runs: ((text: "{text}", style: "plain"),)) + plain),), 8pt, black))'
    for text in texts
)
worker_client.MOST_CHARACTERS = 10**9  # or a new process would replace the one that is measured
before = peak()
typesetting.measure_document("", {})
print(peak() - before)
"""
"""A program that typesets many texts with a word, and prints the memory that it took."""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere memory is told otherwise")
def test_texts_without_hyphens_are_not_searched() -> None:
    """When they were, all cards of a large game took 3 GB, and now 1.2."""
    spent = {}
    for word in ("handover", "hand-over"):
        alone = {
            **os.environ,
            "FCB_CACHE": "",
            "RAYON_NUM_THREADS": "1",
        }  # what two threads keep depends on which comes first
        done = subprocess.run(
            [sys.executable, "-c", PEAK + SET, word], capture_output=True, text=True, check=True, env=alone
        )
        spent[word] = int(done.stdout)
    assert spent["handover"] < spent["hand-over"] * 0.5


def test_measured_text_is_not_typeset_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is typeset again if its values or the renderer change."""
    monkeypatch.setenv("FCB_CACHE", str(tmp_path / "kept"))
    made: list[str] = []
    monkeypatch.setattr(typesetting, "typst_source", lambda name, values: f"#metadata((a: {values['a']}))<measure>")
    real = worker_client.ask
    monkeypatch.setattr(worker_client, "ask", lambda do, *more, **how: (made.append(do), real(do, *more, **how))[1])
    for a in (1, 1, 2, 1):
        assert typesetting.measure_document("", {"a": a}).measures == ({"a": a},)
    assert len(made) == 2
    monkeypatch.setattr(typesetting, "_press", lambda: b"another")
    typesetting.measure_document("", {"a": 1})
    assert len(made) == 3
    (entry, *_) = (tmp_path / "kept").iterdir()
    entry.write_bytes(b"half a file")
    assert typesetting.measure_document("", {"a": 1}).measures == ({"a": 1},)


def test_printed_text_is_not_typeset_again_for_measurement(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A text with other print options is measured again: with less ink, words may have other places."""
    monkeypatch.setenv("FCB_CACHE", str(tmp_path / "kept"))
    made: list[str] = []
    monkeypatch.setattr(typesetting, "typst_source", lambda name, values: f"#metadata((a: {values['a']}))<measure>")
    real = worker_client.ask
    monkeypatch.setattr(worker_client, "ask", lambda do, *more, **how: (made.append(do), real(do, *more, **how))[1])
    typesetting.typeset("", {"a": 1}, "png", ink="save")
    assert typesetting.measure_document("", {"a": 1}).measures == ({"a": 1},)
    typesetting.typeset("", {"a": 2}, "png")
    assert typesetting.measure_document("", {"a": 2}).measures == ({"a": 2},)
    assert len(made) == 3
