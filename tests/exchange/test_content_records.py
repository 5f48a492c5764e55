"""Exported records of definitions are imported unchanged."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from games import GAMES, ROOT, first_few, model
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from fcbdsl.base.diagnostics.problems import Problems
from fcbdsl.base.source import Source
from fcbdsl.cli.schema_command import definable
from fcbdsl.language.model.dump import dump
from fcbdsl.language.syntax.formatting import CannotFormat
from fcbdsl.language.syntax.pieces import cut_pieces
from fcbdsl.project.paths import lies_in
from fcbdsl.project.project import check_loaded, load_project, parse_all
from fcbdsl.tools.exchange.content_records import ContentRecord, records_of
from fcbdsl.tools.exchange.import_records import faults_of, read_rows, record_from_row, records_source
from fcbdsl.tools.exchange.schema import kind_schema


def again(record: ContentRecord, game: str) -> str:
    """Return the source of a record after a round trip through JSON, without the comments around it."""
    (row,) = read_rows("one.json", json.dumps(record.as_data()).encode())
    assert faults_of([row], model(game)) == []
    assert record_from_row(row) == record
    return records_source([record_from_row(row)], (), model(game))


@pytest.mark.parametrize("game", first_few(reversed(GAMES), 1))
def test_exported_record_is_imported_unchanged(game: str) -> None:
    loader = load_project(root=ROOT, game=game, tests=False)
    systems = loader.project.systems()
    before = dump(check_loaded(loader)[0])
    records, left = records_of(parse_all(loader.sources, Problems()), model(game))
    assert all(line.startswith("team ") for line in left)  # the first line names the members of a team
    by_head = {(record.kind, record.id): record for record in records}
    seen = 0
    for at, source in enumerate(loader.sources):
        if not lies_in(Path(source.name), systems):
            pieces = list(cut_pieces(source.text))
            for number, piece in enumerate(pieces):
                head = next((row for row in piece.split("\n") if row and not row.startswith("#")), "")
                record = by_head.get(tuple(head.split(" ", 2)[:2])) if head.count(" ") else None  # type: ignore[arg-type]
                if record is not None:
                    pieces[number] = again(record, game) + "\n"
                    seen += 1
            loader.sources[at] = Source(source.name, "".join(pieces))
    assert seen > 50
    after, problems = check_loaded(loader)
    assert [problem for problem in problems if problem.severity == "error"] == []
    assert sorted(dump(after).split("\n")) == sorted(before.split("\n"))


@pytest.mark.parametrize("game", GAMES)
def test_exported_schemas_are_valid(game: str) -> None:
    kinds = definable(model(game))
    assert len(kinds) > 3
    for kind in kinds:
        Draft202012Validator.check_schema(kind_schema(kind, model(game)))


TEXTS = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cc", "Cf", "Cs", "Zl", "Zp"], include_characters="\n"), min_size=1
)


@given(title=TEXTS, line=st.lists(TEXTS, max_size=2))
def test_one_definition_per_record(title: str, line: list[str]) -> None:
    """Text of a title or of lines stays below the line of its definition."""
    record = ContentRecord("weapon", "pen", {"en": title}, lines=tuple(line))
    try:
        text = records_source([record], (), model("far-cry-beyond"))
    except CannotFormat:
        return
    assert [row for row in text.split("\n") if row and not row.startswith((" ", "#"))] == text.split("\n")[:1]


COMMENTED = """\
use far-cry-beyond

weapon pen "Pen":
  # of gold
  family: blade
  hands: 1

  # it writes

  attack: melee, green, 1
    Throw
    # far
  copies: 2
  # and no more
"""


@pytest.mark.long
def test_block_comments_are_exported() -> None:
    loader = load_project(root=ROOT, game="far-cry-beyond", tests=False)
    loader.sources.append(Source("pen.fcb", COMMENTED))
    made, problems = check_loaded(loader)
    assert [problem for problem in problems if problem.severity == "error"] == []
    ((record,), _) = records_of(parse_all([Source("pen.fcb", COMMENTED)], Problems()), made)
    source = records_source([record], (), made)
    for comment in ("# of gold", "# it writes", "# far", "# and no more"):
        assert source.count(comment) == 1
