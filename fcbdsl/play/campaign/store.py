"""A campaign in a file: an SQLite database that only grows.

A *point* is the state between two steps; a *step* starts from a point and collects *answers*; the decisions of the
mission under way are stored one by one. Each call that changes the file is one transaction: when it returns, the data
is on the disk. If the process dies before, the file is unchanged. Going back starts a new step from an earlier point;
the later points stay in the file.
"""

from __future__ import annotations

import contextlib
import functools
import json
import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from fcbdsl.base import versions
from fcbdsl.base.files import begin_beside, output_path, source_path
from fcbdsl.base.records import dataclass

APPLICATION = 0x66636263
"""Marks our files (``fcbc``), see https://www.sqlite.org/pragma.html#pragma_application_id."""
FORMAT = versions.STORE
"""Increases when the tables change."""
STORE_FAMILY = "fcb-campaign-history"
PATIENCE = 5.0
"""Seconds to wait for another process that is writing."""

TABLES = """
CREATE TABLE campaign(
  only INTEGER PRIMARY KEY CHECK(only = 1), step INTEGER NOT NULL REFERENCES step DEFERRABLE INITIALLY DEFERRED
);
CREATE TABLE point(
  number INTEGER PRIMARY KEY, step INTEGER UNIQUE REFERENCES step, state TEXT NOT NULL, program TEXT NOT NULL
);
CREATE TABLE step(number INTEGER PRIMARY KEY, point INTEGER NOT NULL REFERENCES point);
CREATE TABLE answer(
  step INTEGER NOT NULL REFERENCES step, place INTEGER NOT NULL, said TEXT NOT NULL, chosen INTEGER, record TEXT,
  PRIMARY KEY(step, place), CHECK((chosen IS NULL) <> (record IS NULL))
) WITHOUT ROWID;
CREATE TABLE decision(
  step INTEGER NOT NULL REFERENCES step, number INTEGER NOT NULL, chosen INTEGER NOT NULL, PRIMARY KEY(step, number)
) WITHOUT ROWID;
"""

Json = dict[str, Any]


MOST_BYTES = 64 << 20
"""Bytes of a file, and a quarter of them of any value in it: far more than the longest campaign has."""
MOST_STEPS = 20_000
"""Limit of the work of the database in one run of ours, in thousands of virtual machine instructions."""


class BadStore(ValueError):
    """A file that is no campaign of ours, or is damaged."""


class Moved(BadStore):
    """Another process has continued the campaign since it was read."""

    def __init__(self) -> None:
        super().__init__(
            "another process has continued this campaign, so this step was not saved. "
            "`fcb campaign status` shows its position"
        )


@dataclass(frozen=True, slots=True)
class SavePoint:
    """The state between two steps: the kept data, its program, and the previous point (0: none)."""

    number: int
    parent: int
    state: Json
    program: str
    said: tuple[str, ...]
    """The answers, as text, of the step that led here."""


@dataclass(frozen=True, slots=True)
class AnswerRecord:
    """An answer within a step: the option chosen, or the record of the mission that was played. `said`: its
    description."""

    said: str
    chosen: int | None = None
    record: str | None = None


class Store:
    """An open campaign file. Use as a context manager, or `close` it."""

    def __init__(self, path: Path) -> None:
        """Open an existing file. Raise FileNotFoundError, BadStore, or `sqlite3.OperationalError`."""
        if not path.is_file():
            raise FileNotFoundError(2, "There is no such campaign", str(path))
        self._base = _opened(path)
        (self._read,) = self._one("PRAGMA data_version", int)

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._base.close()

    # ── reading ────────────────────────────────────────────────────────────────────────────────

    def points(self) -> list[SavePoint]:
        """Return every point, oldest first."""
        rows = self._base.execute(
            "SELECT point.number, coalesce(step.point, 0), point.state, point.program, point.step"
            " FROM point LEFT JOIN step ON step.number = point.step ORDER BY point.number"
        )
        return [
            SavePoint(number, parent, _json(state), program, tuple([answer.said for answer in self._answers(step)]))
            for number, parent, state, program, step in _typed(rows, int, int, str, str, int | None)
        ]

    def point(self) -> SavePoint:
        """Return the point from which the step under way started."""
        (number,) = self._one("SELECT step.point FROM step JOIN campaign ON step.number = campaign.step", int)
        points = [point for point in self.points() if point.number == number]
        if not points:
            raise BadStore(LACKING)
        return points[0]

    def answers(self) -> list[AnswerRecord]:
        """Return the answers of the step under way."""
        return self._answers(self._step())

    def decisions(self) -> list[int]:
        """Return the decisions of the mission under way."""
        rows = self._base.execute("SELECT chosen FROM decision WHERE step = ? ORDER BY number", (self._step(),))
        return [chosen for (chosen,) in _typed(rows, int)]

    # ── writing: each call one transaction ─────────────────────────────────────────────────────

    def decide(self, decisions: list[int]) -> None:
        """Save the decisions of the mission under way. `decisions` are all of them; only differences are written."""
        saved = self.decisions()
        same = 0
        while same < min(len(saved), len(decisions)) and saved[same] == decisions[same]:
            same += 1
        if same == len(saved) == len(decisions):
            return
        with self._writing() as base:
            step = self._step()
            base.execute("DELETE FROM decision WHERE step = ? AND number >= ?", (step, same))
            rows = [(step, number, decisions[number]) for number in range(same, len(decisions))]
            base.executemany("INSERT INTO decision VALUES (?, ?, ?)", rows)

    def answer(self, answer: AnswerRecord, arrived: tuple[Json, str] | None = None) -> None:
        """Save an answer. `arrived`: the state and program hash of the new point, if the answer ended the step."""
        with self._writing() as base:
            step = self._step()
            (place,) = self._one("SELECT count(*) FROM answer WHERE step = ?", int, values=(step,))
            row = (step, place, answer.said, answer.chosen, answer.record)
            base.execute("INSERT INTO answer VALUES (?, ?, ?, ?, ?)", row)
            base.execute("DELETE FROM decision WHERE step = ?", (step,))
            if arrived is not None:
                state, program = arrived
                row_of_point = (step, _text(state), program)
                cursor = base.execute("INSERT INTO point(step, state, program) VALUES (?, ?, ?)", row_of_point)
                _start_step(base, cursor.lastrowid)

    def rewind(self, number: int) -> None:
        """Go back or forward to a point: a new step starts from it. Raise KeyError if there is no such point."""
        if not any(point.number == number for point in self.points()):
            raise KeyError(number)
        with self._writing() as base:
            _start_step(base, number)

    # ── details ────────────────────────────────────────────────────────────────────────────────

    @contextlib.contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """Open a transaction. Raise Moved if another process has written since this file was read."""
        self._base.execute("BEGIN IMMEDIATE")
        try:
            if self._one("PRAGMA data_version", int) != (self._read,):
                raise Moved
            yield self._base
            self._base.execute("COMMIT")
        except BaseException:
            if self._base.in_transaction:
                self._base.execute("ROLLBACK")
            raise

    def _one(self, query: str, *types: Any, values: tuple[object, ...] = ()) -> tuple[Any, ...]:
        rows = _typed(self._base.execute(query, values), *types)
        if not rows:
            raise BadStore(LACKING)
        return rows[0]

    def _step(self) -> int:
        (step,) = self._one("SELECT step FROM campaign", int)
        return int(step)

    def _answers(self, step: int | None) -> list[AnswerRecord]:
        query = "SELECT said, chosen, record FROM answer WHERE step = ? ORDER BY place"
        rows = _typed(self._base.execute(query, (step,)), str, int | None, str | None)
        return [AnswerRecord(line, chosen, record) for line, chosen, record in rows]


LACKING = "it lacks a part that every campaign has"


def _typed(rows: Iterable[tuple[Any, ...]], *types: Any) -> list[tuple[Any, ...]]:
    """Return the rows of a query. Raise BadStore if a value does not have its expected type."""
    try:
        listed = list(rows)
    except (sqlite3.Error, UnicodeDecodeError) as error:
        if isinstance(error, sqlite3.OperationalError) and "UTF-8" not in str(error):
            raise
        raise BadStore(DAMAGED) from error
    if not all(isinstance(value, kind) for row in listed for value, kind in zip(row, types, strict=True)):
        raise BadStore(DAMAGED)
    return listed


DAMAGED = "its contents are damaged"


def create(path: Path, history: list[tuple[int, Json, str]]) -> None:
    """Create a file with these points: (index of its parent in the list, -1: none; state; program hash).

    The file is written beside `path` and then renamed, so it is complete or absent. Raise FileExistsError (an existing
    file is never touched), OSError, `sqlite3.OperationalError`.
    """
    path = output_path(path)
    if path.exists() or path.is_symlink():
        raise FileExistsError(17, "There is a file already", str(path))
    beside = begin_beside(path)
    try:
        with contextlib.closing(_connect(beside)) as base:
            base.execute(f"PRAGMA application_id = {APPLICATION}")
            base.execute(f"PRAGMA user_version = {FORMAT}")
            base.executescript("BEGIN;" + TABLES)
            for parent, state, program in history:
                step = None if parent < 0 else _start_step(base, parent + 1)
                base.execute("INSERT INTO point(step, state, program) VALUES (?, ?, ?)", (step, _text(state), program))
            _start_step(base, len(history))
            base.execute("COMMIT")
        beside.replace(path)
    finally:
        for left in (beside, beside.with_name(f"{beside.name}-journal")):
            left.unlink(missing_ok=True)


def _start_step(base: sqlite3.Connection, point: int | None) -> int | None:
    """Start a new step from a point and make it the current one. Return its number."""
    number = base.execute("INSERT INTO step(point) VALUES (?)", (point,)).lastrowid
    base.execute("INSERT OR REPLACE INTO campaign VALUES (1, ?)", (number,))
    return number


def _connect(path: Path) -> sqlite3.Connection:
    """Open a database without implicit transactions."""
    base = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)
    try:
        base.execute("PRAGMA foreign_keys = ON")
        base.execute("PRAGMA synchronous = FULL")
    except sqlite3.Error:
        base.close()
        raise
    return base


def _opened(path: Path) -> sqlite3.Connection:
    """Open a file. Raise BadStore unless it is a complete campaign of a known format and acceptable size.

    Its schema must equal ours before any data is read. So views, generated columns and triggers of strangers are
    refused.
    """
    path = source_path(path)
    if path.stat().st_size > MOST_BYTES:
        raise BadStore("it is larger than a campaign can be")
    with contextlib.ExitStack() as stack:
        try:
            base = stack.enter_context(contextlib.closing(_connect(path)))
            _bound(base)
            (application,) = base.execute("PRAGMA application_id").fetchone()
            (version,) = base.execute("PRAGMA user_version").fetchone()
            if application != APPLICATION:
                raise BadStore("it is not a campaign file")
            if version != FORMAT:
                raise BadStore(versions.refusal(f"{STORE_FAMILY}/{version}", f"{STORE_FAMILY}/{FORMAT}"))
            if _schema(base) != _own_schema():
                raise BadStore("it is damaged")
            (sound,) = base.execute("PRAGMA quick_check(1)").fetchone()
            if sound != "ok":
                raise BadStore("it is damaged")
        except sqlite3.OperationalError as error:
            if "UTF-8" in str(error) or "no such" in str(error):
                raise BadStore("it is damaged") from error
            raise
        except (sqlite3.DatabaseError, UnicodeDecodeError, OverflowError) as error:
            raise BadStore("it is not a campaign file, or it is damaged") from error
        stack.pop_all()
        return base


def _bound(base: sqlite3.Connection) -> None:
    """Limit the size of values and the length of queries, and run no code from the schema."""
    left = [MOST_STEPS]

    def step() -> int:
        left[0] -= 1
        return int(left[0] < 0)

    base.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MOST_BYTES // 4)
    base.set_progress_handler(step, 1000)
    base.execute("PRAGMA trusted_schema = OFF")


def _schema(base: sqlite3.Connection) -> list[tuple[Any, ...]]:
    """Return the schema of a database: (type, name, table, SQL)."""
    return sorted(base.execute("SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_master").fetchmany(50))


@functools.cache
def _own_schema() -> list[tuple[Any, ...]]:
    with contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as base:
        base.executescript(TABLES)
        return _schema(base)


def _text(state: Json) -> str:
    return json.dumps(state, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def _json(text: str) -> Json:
    try:
        state = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadStore(DAMAGED) from error
    if not isinstance(state, dict):
        raise BadStore(DAMAGED)
    return state


def export_store(store: Store) -> Json:
    """Return all points of a file with their answers and states, as JSON data."""
    points = [
        {"number": p.number, "after": p.parent or None, "said": list(p.said), "program": p.program, "kept": p.state}
        for p in store.points()
    ]
    return {"format": f"{STORE_FAMILY}/{FORMAT}", "point": store.point().number, "points": points}
