"""Campaign files contain everything that was confirmed, even after a crash."""

from __future__ import annotations

import contextlib
import os
import random
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from games import first_few

from fcbdsl.base.files import LinkLeadsOut
from fcbdsl.play.campaign.store import (
    APPLICATION,
    MOST_BYTES,
    AnswerRecord,
    BadStore,
    Moved,
    Store,
    create,
    export_store,
)

KILLED_PLAYER = Path(__file__).with_name("killed_player.py")
STATEMENTS_A_TURN = 40
"""More statements than the victim needs for one turn, including its reads."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return the path of a new campaign file."""
    path = tmp_path / "team.campaign"
    create(path, [(-1, {"turn": -1}, "hash")])
    return path


def test_new_campaign_is_at_first_point(path: Path) -> None:
    with Store(path) as store:
        assert [(p.number, p.parent, p.state, p.said) for p in store.points()] == [(1, 0, {"turn": -1}, ())]
        assert store.point().number == 1
        assert store.answers() == store.decisions() == []
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_campaign_file_follows_no_link_out_of_project(path: Path) -> None:
    project = path.parent / "project"
    project.mkdir()
    (project / "fcb.toml").touch()
    (project / "team.campaign").symlink_to(path)
    (project / "new.campaign").symlink_to("../other")
    before = path.read_bytes()
    with pytest.raises(LinkLeadsOut), Store(project / "team.campaign"):
        pass
    with pytest.raises(FileExistsError):
        create(project / "new.campaign", [(-1, {"turn": -1}, "hash")])
    assert path.read_bytes() == before
    assert not (path.parent / "other").exists()


def test_answers_and_decisions_are_saved_within_step(path: Path) -> None:
    with Store(path) as store:
        store.decide([4, 2])
        store.decide([4, 3, 1])
    with Store(path) as store:
        assert store.decisions() == [4, 3, 1]
        store.answer(AnswerRecord("Quarry: won", record="{}"))
        assert store.decisions() == []
        store.answer(AnswerRecord("Open the box", chosen=0), ({"turn": 1, "name": "é"}, "other"))
    with Store(path) as store:
        point = store.point()
        assert (point.number, point.parent, point.state, point.program) == (2, 1, {"turn": 1, "name": "é"}, "other")
        assert point.said == ("Quarry: won", "Open the box")
        assert store.answers() == []


def test_rewind_keeps_later_points(path: Path) -> None:
    """FCB-CAMP-06c: any earlier point can be gone back to, and what came after it is kept."""
    with Store(path) as store:
        store.answer(AnswerRecord("left", chosen=0), ({"turn": 1}, "hash"))
        store.rewind(1)
        assert store.point().number == 1
        store.answer(AnswerRecord("right", chosen=1), ({"turn": 2}, "hash"))
        assert [(p.parent, p.said) for p in store.points()] == [(0, ()), (1, ("left",)), (1, ("right",))]
        store.rewind(2)
        assert store.point().said == ("left",)
        with pytest.raises(KeyError):
            store.rewind(9)
        assert store.point().number == 2


def test_rewind_restarts_step(path: Path) -> None:
    with Store(path) as store:
        store.answer(AnswerRecord("half", chosen=0))
        store.decide([1])
        store.rewind(1)
        assert store.answers() == store.decisions() == []


def test_exported_history_can_be_imported(tmp_path: Path) -> None:
    path = tmp_path / "copy"
    create(path, [(-1, {"n": 0}, "a"), (0, {"n": 1}, "a"), (0, {"n": 2}, "b")])
    with Store(path) as store:
        assert [(p.number, p.parent, p.state["n"]) for p in store.points()] == [(1, 0, 0), (2, 1, 1), (3, 1, 2)]
        assert store.point().number == 3


# ── being killed ───────────────────────────────────────────────────────────────────────────────


@contextlib.contextmanager
def victim(path: Path, last: int) -> Iterator[subprocess.Popen[str]]:
    """Start a process that works on a campaign until it dies."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, str(KILLED_PLAYER), str(path), str(last)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        try:
            yield process
        finally:
            process.kill()


def confirmed_by(line: str) -> tuple[int, int]:
    """Return the least progress of the campaign that a line of the victim confirms: points, and answers of the present
    step."""
    what, turn = line.split()
    return int(turn) + (2 if what in ("point", "rewind") else 1), {"decisions": 3, "answer": 1}.get(what, 0)


def assert_kept(path: Path, lines: list[str]) -> None:
    """Assert that the file contains what was confirmed, and the last answer completely or not at all."""
    points, under_way = confirmed_by(lines[-1]) if lines else (1, 0)
    with Store(path) as store:
        points_read = store.points()
        assert points <= len(points_read) <= points + 1
        assert [point.state["turn"] for point in points_read] == list(range(-1, len(points_read) - 1))
        stored = store.decisions() or store.answers()
        assert len(stored) in (0, 1, 3)
        if len(points_read) == points and under_way:
            assert stored == [0, 1, 2] or [answer.said for answer in store.answers()] == ["a mission"]
            if lines[-1].startswith("answer"):
                assert store.decisions() == []
        store.answer(AnswerRecord("goes on", chosen=0))


@pytest.mark.sampled(4)
@pytest.mark.parametrize("last", range(1, STATEMENTS_A_TURN))
def test_death_at_any_statement_loses_nothing_confirmed(path: Path, last: int) -> None:
    with victim(path, last) as process:
        out, _ = process.communicate()
    assert process.returncode == 9
    assert_kept(path, out.splitlines())


@pytest.mark.sampled(4)
@pytest.mark.parametrize("number", first_few(range(60), 20))
def test_kill_at_random_time_loses_nothing_confirmed(path: Path, number: int) -> None:
    chance = random.Random(number)
    with victim(path, 0) as process:
        assert process.stdout is not None
        output = [process.stdout.readline()]
        time.sleep(chance.uniform(0, 0.06))
        process.kill()
        output += process.stdout.readlines()
    assert_kept(path, [line for line in output if line.endswith("\n")])


def test_death_during_creation_leaves_no_campaign(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(KeyboardInterrupt):
        create(tmp_path / "new", [(-1, {}, "hash")])
    assert list(tmp_path.iterdir()) == []


# ── unusable files ─────────────────────────────────────────────────────────────────────────────


def test_existing_file_is_never_changed(path: Path) -> None:
    before = path.read_bytes()
    with pytest.raises(FileExistsError):
        create(path, [(-1, {}, "hash")])
    assert path.read_bytes() == before


def test_missing_file_is_not_created(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        Store(tmp_path / "none")
    assert list(tmp_path.iterdir()) == []


def test_other_files_are_refused(tmp_path: Path) -> None:
    text = tmp_path / "text"
    text.write_text("not a database, by far " * 100)
    empty = tmp_path / "empty"
    empty.touch()
    foreign = tmp_path / "foreign"
    with contextlib.closing(sqlite3.connect(foreign)) as base:
        base.execute("CREATE TABLE t(a)")
    for file in (text, empty, foreign):
        with pytest.raises(BadStore, match="not a campaign file"):
            Store(file)


def test_newer_format_and_damage_are_reported(path: Path) -> None:
    with contextlib.closing(sqlite3.connect(path)) as base:
        base.execute("PRAGMA user_version = 99")
    with pytest.raises(BadStore, match="fcb-campaign-history/99', which an fcb of a later release reads"):
        Store(path)
    with contextlib.closing(sqlite3.connect(path)) as base:
        base.execute("PRAGMA user_version = 1")
        base.execute("UPDATE point SET state = 'torn'")
        base.commit()
        assert base.execute("PRAGMA application_id").fetchone() == (APPLICATION,)
    with Store(path) as store, pytest.raises(BadStore, match="damaged"):
        store.point()


def test_file_without_tables_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bare"
    with contextlib.closing(sqlite3.connect(path)) as base:
        base.execute(f"PRAGMA application_id = {APPLICATION}")
        base.execute("PRAGMA user_version = 1")
    with pytest.raises(BadStore):
        Store(path)


def test_failed_write_leaves_file_unchanged(path: Path) -> None:
    with Store(path) as store:
        with pytest.raises(sqlite3.Error):
            store.answer(AnswerRecord("both", chosen=1, record="{}"))
        assert store.answers() == []
        store.answer(AnswerRecord("fine", chosen=1))
        assert len(store.answers()) == 1


# ── other processes with the same file ─────────────────────────────────────────────────────────


@pytest.mark.parametrize("first", ["answer", "arrive", "decide", "rewind"])
@pytest.mark.parametrize("second", ["answer", "arrive", "decide", "rewind"])
def test_concurrent_change_of_step_is_refused(path: Path, first: str, second: str) -> None:
    doing = {
        "answer": lambda store: store.answer(AnswerRecord("left", chosen=0)),
        "arrive": lambda store: store.answer(AnswerRecord("left", chosen=0), ({"turn": 1}, "hash")),
        "decide": lambda store: store.decide([len(store.decisions()), 2, 3]),
        "rewind": lambda store: store.rewind(1),
    }
    with Store(path) as one, Store(path) as other:
        assert one.point() == other.point()
        doing[first](one)
        before = path.read_bytes()
        with pytest.raises(Moved, match="another process has continued this campaign"):
            doing[second](other)
        assert path.read_bytes() == before
        doing[second](one)
    with Store(path) as again:
        doing[first](again)


# ── hostile files ──────────────────────────────────────────────────────────────────────────────

ENDLESS = "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT"

SCHEMAS = {
    "a view for a table": f"DROP TABLE point; CREATE VIEW point AS {ENDLESS} n AS number, n AS step FROM r;",
    "a view for answers": f"DROP TABLE answer; CREATE VIEW answer AS {ENDLESS} n AS step, n AS place FROM r;",
    "a view beside them": "CREATE VIEW more AS SELECT zeroblob(1 << 30) AS big;",
    "a trigger": "CREATE TRIGGER t AFTER INSERT ON answer BEGIN DELETE FROM point; END;",
    "a generated column": "ALTER TABLE point ADD COLUMN big AS (zeroblob(900000000));",
    "an index that computes": "CREATE INDEX i ON point(length(state));",
    "a table more": "CREATE TABLE more(a);",
    "a table less": "DROP TABLE decision;",
    "other columns": "DROP TABLE decision; CREATE TABLE decision(step, number, chosen);",
}


@pytest.mark.parametrize("name", SCHEMAS)
def test_foreign_database_schema_is_refused_unread(path: Path, name: str) -> None:
    with contextlib.closing(sqlite3.connect(path)) as base:
        base.executescript("PRAGMA foreign_keys = OFF;" + SCHEMAS[name])
    with pytest.raises(BadStore):
        Store(path)


CONTENTS = {
    "deep JSON": ("UPDATE point SET state = ?", "[" * 100_000),
    "JSON that is no object": ("UPDATE point SET state = ?", "[]"),
    "a number for a state": ("UPDATE point SET state = CAST(? AS BLOB)", 5),
    "a state that is no text": ("UPDATE point SET state = CAST(? AS TEXT)", b"\xff\xfe{}"),
    "a program that is a blob": ("UPDATE point SET program = ?", b"x"),
    "no point": ("DELETE FROM point WHERE number > ?", 0),
    "no step": ("DELETE FROM step WHERE number > ?", 0),
    "no campaign": ("DELETE FROM campaign WHERE only > ?", 0),
    "a step from nowhere": ("UPDATE step SET point = ?", 99),
    "an option that is a word": ("INSERT INTO answer VALUES (1, 0, 'x', ?, NULL)", "abc"),
    "half an option": ("INSERT INTO answer VALUES (1, 0, 'x', ?, NULL)", 0.5),
    "a record that is a blob": ("INSERT INTO answer VALUES (1, 0, 'x', NULL, ?)", b"{}"),
    "something else said": ("INSERT INTO answer VALUES (1, 0, ?, 1, NULL)", b"x"),
    "a decision that is a word": ("INSERT INTO decision VALUES (1, 0, ?)", "abc"),
}


@pytest.mark.parametrize("name", CONTENTS)
def test_senseless_contents_are_reported(path: Path, name: str) -> None:
    query, value = CONTENTS[name]
    with contextlib.closing(sqlite3.connect(path)) as base:
        base.execute(query, (value,))
        base.commit()
    with pytest.raises(BadStore):
        _read(path)


def _read(path: Path) -> None:
    with Store(path) as store:
        store.point()
        store.answers()
        store.decisions()


def test_huge_file_is_refused_unread(path: Path) -> None:
    with path.open("r+b") as file:
        file.truncate(MOST_BYTES + 1)
    with pytest.raises(BadStore, match="larger"):
        Store(path)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("seed", range(150))
def test_flipped_bytes_are_refused_or_harmless(path: Path, seed: int) -> None:
    with Store(path) as store:
        store.answer(AnswerRecord("left", chosen=0), ({"turn": 1}, "hash"))
        store.answer(AnswerRecord("right", chosen=1))
    lot = random.Random(seed)
    data = bytearray(path.read_bytes())
    for _ in range(lot.choice((1, 1, 4, 20))):
        data[lot.randrange(len(data) if seed % 3 else 1200)] = lot.randrange(256)
    path.write_bytes(data)
    with contextlib.suppress(BadStore, sqlite3.DatabaseError), Store(path) as store:
        export_store(store)
        store.answers()
        store.decisions()
        store.decide([1])
