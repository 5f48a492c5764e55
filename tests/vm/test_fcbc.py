"""The saved form: equal bytes on each run, and no unsound program is loaded."""

from __future__ import annotations

import contextlib
import io
import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fcbdsl.cli.terminal_play import Leave, Table
from fcbdsl.machine.vm import fcbc, loading, serialization, setup
from fcbdsl.machine.vm.disasm import disassemble
from fcbdsl.machine.vm.fcbc import Refused
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.layout import TooLarge
from fcbdsl.machine.vm.op import DuplicateOp, collect
from fcbdsl.machine.vm.ops import OPS, registers, tag
from fcbdsl.machine.vm.program import FORMAT, Program, Span, content_hash
from fcbdsl.machine.vm.setup import CannotStart
from fcbdsl.machine.vm.world import TAGS
from fcbdsl.play.session.log_text import happenings
from fcbdsl.play.session.naming import Names
from fcbdsl.play.session.playout import Record
from fcbdsl.play.session.session import Session
from fcbdsl.play.session.view import View
from tests.vm.assembly import Book
from tests.vm.test_worlds import rich_book

PROGRAM = rich_book().program()
FILE = fcbc.dump(PROGRAM)
CONTENT: dict[str, Any] = json.loads(FILE)["program"]


def refusal(data: bytes) -> str:
    loaded = fcbc.load_fcbc(data)
    assert isinstance(loaded, Refused)
    return loaded.reason


def signed(content: Any) -> bytes:
    """Return a file whose hash fits its content."""
    return serialization.canonical({"format": FORMAT, "hash": content_hash(content), "program": content})


def test_dumped_program_loads() -> None:
    assert fcbc.load_fcbc(FILE) == PROGRAM
    assert fcbc.dump(rich_book().program()) == FILE


def test_hash_is_of_content() -> None:
    assert replace(PROGRAM, hash="").sealed().hash == PROGRAM.hash
    assert replace(PROGRAM, name="other").sealed().hash != PROGRAM.hash


def test_file_adds_missing_hash() -> None:
    assert fcbc.file_and_hash(replace(PROGRAM, hash="")) == (FILE, PROGRAM.hash)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "not the JSON"),
        (b"\xff\xfe", "not UTF-8"),
        (b"[]", "not a compiled program"),
        (b'{"format": 1}', "not a compiled program"),
        (b'{"format": "fcbc/0", "hash": "", "program": {}}', "it has the format 'fcbc/0'; this fcb reads 'fcbc/2'"),
        (b'{"format": "fcbc/1", "hash": "", "program": {}}', "'fcbc/1', which an fcb of release 0.1 reads; this"),
        (b'{"format": "fcbc/99", "hash": "", "program": {}}', "'fcbc/99', which an fcb of a later release reads; this"),
        (b'{"format": "fcbc/2", "hash": "", "program": {}}', "is a required property"),
        (b'{"format": "fcbc/2", "format": "fcbc/2", "hash": "", "program": {}}', "twice"),
        (b'{"format": "fcbc/2", "hash": "", "program": 1.5}', "not whole"),
        (b'{"format": "fcbc/2", "hash": "", "program": NaN}', "not whole"),
        (b'{"format": "fcbc/2", "hash": "", "program": ' + b"9" * 5000 + b"}", "too large"),
        (b'{"format": "fcbc/2", "hash": "", "program": ' + b"123456789" * 2 + b"}", "too large"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"a":' * 100_000, "nested too deeply"),
        (b" " * (fcbc.MOST_BYTES + 1), "larger than"),
        (FILE[:-20], "not the JSON"),
    ],
)
def test_other_file_is_refused(data: bytes, reason: str) -> None:
    assert reason in refusal(data)


def test_brackets_in_texts_do_not_count_as_depth() -> None:
    program = replace(PROGRAM, name='["\\' * 99).sealed()
    assert fcbc.load_fcbc(fcbc.dump(program)) == program


def test_long_numbers_in_texts_are_allowed() -> None:
    program = replace(PROGRAM, name="0123456789" * 99).sealed()
    assert fcbc.load_fcbc(fcbc.dump(program)) == program


def test_changed_file_needs_new_hash() -> None:
    changed = {**CONTENT, "name": "other"}
    unsigned = serialization.canonical({"format": FORMAT, "hash": PROGRAM.hash, "program": changed})
    assert "damaged" in refusal(unsigned)
    loaded = fcbc.load_fcbc(signed(changed))
    assert isinstance(loaded, Program)
    assert loaded.name == "other"


def test_schema_error_has_place() -> None:
    assert "codes[0].n_r" in refusal(signed({**CONTENT, "codes": [{**CONTENT["codes"][0], "n_r": "x"}]}))
    assert "unexpected" in refusal(signed({**CONTENT, "extra": 1}))


def test_explicit_default_changes_hash() -> None:
    assert "damaged" in refusal(signed({**CONTENT, "loss_first": True}))


def test_invalid_program_is_refused_with_first_finding() -> None:
    assert "points nowhere" in refusal(signed({**CONTENT, "flow": 4000}))


def test_spaces_and_players_are_found_by_name() -> None:
    """Else they are counted among the pieces, and what is written of one is written of another."""
    for number, kind in enumerate(CONTENT["kinds"]):
        for other in ({"name": "none"}, {"policy": "single"}):
            kinds = [*CONTENT["kinds"][:number], {**kind, **other}, *CONTENT["kinds"][number + 1 :]]
            if kind["name"] in ("space", "player", "side"):
                assert f"kinds[{number}]" in refusal(signed({**CONTENT, "kinds": kinds}))


# ── any content of a file ──────────────────────────────────────────────────────────────────────


def survive(data: bytes) -> None:
    """Load data and, if that is allowed, play a little: no unexpected exception may occur."""
    loaded = fcbc.load_fcbc(data)
    if isinstance(loaded, Refused):
        assert loaded.reason
        return
    image = Image(loaded)
    missions = [d.id for d in loaded.definitions if loaded.kinds[d.kind].policy == "mission"]
    try:
        game = setup.start_game(image, missions[0] if missions else "", max(loaded.players[0], 1), 5)
    except CannotStart:
        return
    names = Names(image)
    views = [View(image, "en", (0,)), View(image, "fr", None)]
    ask = game.run()
    for _ in range(4):
        for view in views:
            view.table(game)
            view.course(game)
            view.kept(game)
            happenings(view, game)
        if ask is None:
            break
        for view in views:
            view.question(game, ask)
            view.options(game, ask)
        game.answer(len(ask.options) - 1)
        ask = game.run()
    views[0].outcome(game)
    loading.load_game(image, json.loads(json.dumps(game.save())))
    disassemble(loaded)
    for table, _ in TABLES:
        for row in getattr(loaded, table):
            names.place(getattr(row, "span", -1))
    sit_and_play(image, missions[0] if missions else "")


def _tables() -> Iterator[tuple[str, Any]]:
    """Return each table of a program, and the class of its rows."""
    for name, hint in get_type_hints(Program).items():
        rows = get_args(hint)
        if rows[1:] == (...,):
            yield name, rows[0]


TABLES = list(_tables())


def sit_and_play(image: Image, mission: str) -> None:
    """Play at the terminal, taking first options."""
    record = Record(image.program.hash, mission, max(image.program.players[0], 1), 3)
    game = setup.start_game(image, record.mission, record.players, record.seed)
    table = Table(Session(game, record, {}), View(image, "en", range(record.players)))
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(io.StringIO()):
        patch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"1\n2\nl\n1\n1\nq\n")))
        with contextlib.suppress(Leave, KeyboardInterrupt):
            table.play()


@settings(max_examples=60, deadline=None)
@given(st.integers(0, len(FILE) - 1), st.integers(1, 255), st.booleans())
def test_flipped_bits_and_truncated_files_are_refused(at: int, mask: int, cut: bool) -> None:
    survive(FILE[:at] if cut else FILE[:at] + bytes([FILE[at] ^ mask]) + FILE[at + 1 :])


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_changed_codes_with_new_hash_are_verified(data: st.DataObject) -> None:
    content = json.loads(json.dumps(CONTENT))
    for _ in range(data.draw(st.integers(1, 4))):
        ints = data.draw(st.sampled_from(content["codes"]))["ints"]
        if ints:
            ints[data.draw(st.integers(0, len(ints) - 1))] = data.draw(st.integers(-2, len(OPS)))
    survive(signed(content))


@pytest.mark.long
@settings(max_examples=60, deadline=None)
@given(st.data())
def test_changed_tables_with_new_hash_are_verified(data: st.DataObject) -> None:
    content = json.loads(json.dumps(CONTENT))
    for _ in range(data.draw(st.integers(1, 3))):
        _change(content, data)
    survive(signed(content))


def _change(content: Any, data: st.DataObject) -> None:
    """Replace some value deep inside by another of its type."""
    keys = sorted(content) if isinstance(content, dict) else list(range(len(content)))
    if not keys:
        return
    key = data.draw(st.sampled_from(keys))
    inner = content[key]
    if isinstance(inner, bool):
        content[key] = not inner
    elif isinstance(inner, int):
        content[key] = data.draw(st.one_of(st.integers(-2, 30), st.sampled_from([1 << 20, 1 << 52, -(1 << 52)])))
    elif isinstance(inner, str):
        content[key] = data.draw(
            st.sampled_from([*TAGS, "", "x", "rule", "kind", "const", "stat", "definitions", "parts"])
        )
    elif isinstance(inner, (dict, list)):
        if isinstance(inner, list) and inner and data.draw(st.booleans()):
            inner.append(data.draw(st.sampled_from(inner)))
        else:
            _change(inner, data)


def test_unverified_program_reports_size() -> None:
    book = Book()
    book.define("crowd", copies=1 << 30)
    with pytest.raises(TooLarge):
        book.unverified() and Image(book.unverified())


# ── ops, listings and pages ────────────────────────────────────────────────────────────────────


def test_duplicate_op_name_is_error() -> None:
    with pytest.raises(DuplicateOp):
        collect(registers, registers)


def test_signatures_are_available() -> None:
    assert [str(operand) for operand in OPS["ITER"].operands] == ["s items", "r:io index", "r:out out", "label end"]
    assert OPS["RET"].operands == ()
    assert tag("thing") == 1
    assert tag("no such type") == tag("number")


def test_listing_names_operands() -> None:
    book = Book()
    book.field("HP")
    book.define("ann")
    book.add("texts", {"en": "Why?"})
    book.add("labels", (0, -1))
    book.add("files", "game.fcb")
    book.add("spans", Span(0, 3, 1, 9))
    book.verb("wait", "RET")
    number = book.code(
        "main", "top:; LNEW s0; FIRST r2 ann 1; ASK r3 s0 r2 1 thing 0; ASKOPT r3 s0 r2 0 0; SET HP r2 r3;"
        "DO wait (r0 r1); JMP @top"
    )  # fmt: skip
    book.tables["codes"][number] = replace(book.tables["codes"][number], spans=(0,))
    assert disassemble(book.program(), "main") == (
        "main: 2 parameters, 4 numbers, 1 lists\n"
        "   0  LNEW         s0                                    ; game.fcb:3\n"
        "   1  FIRST        r2, def ann, 1\n"
        "   2  ASK          r3, s0, r2, 1, thing, 'Why?'\n"
        "   3  ASKOPT       r3, s0, r2, 0, ['Why?'; -]\n"
        "   4  SET          field HP, r2, r3\n"
        "   5  DO           verb wait, (r0 r1)\n"
        "   6  JMP          -> 0\n"
    )
    assert disassemble(book.program(), "nothing") == ""


@pytest.mark.long
def test_file_and_state_do_not_depend_on_hash_seed() -> None:
    script = (
        "from tests.vm.test_worlds import rich_book, play; from fcbdsl.machine.vm import fcbc; import hashlib;"
        "m = rich_book().image(); print(hashlib.sha256(fcbc.dump(m.program)).hexdigest(), play(m, 3).digest())"
    )
    outputs = set()
    for seed in ("0", "7"):
        done = subprocess.run(
            [sys.executable, "-c", script],
            env={"PYTHONHASHSEED": seed, "PATH": ""},
            cwd=Path(__file__).parents[2],
            capture_output=True,
            text=True,
            check=True,
        )
        outputs.add(done.stdout)
    assert len(outputs) == 1
