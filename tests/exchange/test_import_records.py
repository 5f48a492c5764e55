"""Files of records are imported within limits, or refused."""

from __future__ import annotations

import pytest
from pond_game import POND

from fcbdsl.base import bounds
from fcbdsl.project.project import check_project
from fcbdsl.tools.exchange.import_records import NotRecords, TableCell, faults_of, read_rows


def refusal(name: str, text: str) -> str:
    """Return why a file of records is refused."""
    with pytest.raises(NotRecords) as error:
        read_rows(name, text.encode())
    return str(error.value)


def test_keys_are_counted_for_each_record() -> None:
    rows = read_rows("a.yaml", ("- {" + ", ".join(f"k{at}: 1" for at in range(600)) + "}\n").encode() * 3)
    assert [len(row) for row in rows] == [600] * 3


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("a.json", '[{"id": "a", "id": "b"}]', "gives 'id' twice"),
        ("a.json", '[{"fields": {"level": 1, "level": 2}}]', "gives 'level' twice"),
        ("a.json", '[{"level": NaN}]', "NaN is no number"),
        ("a.json", f'[{{"level": {"9" * 5000}}}]', "more than 20 digits"),
        ("a.json", '[{"level": 1e999}]', "1e999 is no number"),
        ("a.json", f'[{{"level": 0.{"1" * 5000}}}]', "is no number"),
        ("a.json", "[" * 200_000, "no JSON"),
        ("a.json", f'[{{"level": {"[" * 99}{"]" * 99}}}]', "nested more than 32 deep"),
        ("a.yaml", "- id: a\n  id: b\n", "gives 'id' twice"),
        ("a.yaml", "- fields: {level: 1, level: 2}\n", "gives 'level' twice"),
        ("a.yaml", "- 1: a\n", "a key that is no text"),
        ("a.yaml", "- [a]: a\n", "no"),
        ("a.yaml", "- ? {a: b}\n  : c\n", "no"),
        ("a.yaml", f"- a: {'1' * 5000}\n", "more than 20 digits"),
        ("a.yaml", "[" * 200_000, "nested more than 32 deep"),
        ("a.yaml", "{a: " * 20_000, "nested more than 32 deep"),
        ("a.yaml", "".join(" " * at + "a:\n" for at in range(99)), "nested more than 32 deep"),
        ("a.yaml", "- id: a\n" + "".join(f"  k{at}: 1\n" for at in range(50_000)), "more than 1,000 keys"),
        ("a.yaml", "{" + "a: {" + "".join(f"k{at}: 1," for at in range(2_000)) + "}}", "more than 1,000 keys"),
        ("a.yaml", "- &a {b: c}\n- *a\n", "aliases"),
        ("a.yaml", "- !!python/object/apply:os.system [id]\n", "tags"),
        ("a.yaml", "- !!timestamp x\n", "tags"),
        ("a.yaml", "- !!int x\n", "tags"),
        ("a.yaml", "- !!float x\n", "tags"),
        ("a.yaml", "- !!binary x\n", "tags"),
        ("a.yaml", "- !!bool x\n", "tags"),
        ("a.csv", "id,id\na,b\n", "gives 'id' twice"),
        ("a.csv", "id;level;level\na;1;2\n", "gives 'level' twice"),
        ("a.csv", "id,\na,b\n", "a column without a name"),
        ("a.csv", f"id\n{'a' * 200_000}\n", "no CSV"),
        ("a.csv", 'id\n"a', "no CSV"),
    ],
)
def test_ambiguous_or_unbounded_values_are_refused(name: str, text: str, says: str) -> None:
    assert says in refusal(name, text)


@pytest.mark.parametrize("text", ["- {}\n" * 4, "[{}, {}, {}, {}]"])
def test_records_in_yaml_are_counted_before_they_are_built(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "RECORDS", 2)
    monkeypatch.setattr("yaml.load", lambda *_: pytest.fail("it was built"))
    assert "more than 2 records" in refusal("a.yaml", text)


def test_errors_show_the_texts_of_records_on_one_line() -> None:
    hostile = "a\n::error::b\x1b[31m\u202e"
    rows = [
        {"kind": hostile, "id": hostile},
        {"kind": "frog", "id": hostile, "title": {"en": hostile, hostile: hostile}, "fields": {hostile: hostile}},
        {"kind": "frog", "id": hostile, "title": {"en": hostile}, "lines": [{hostile: hostile}]},
    ]
    model, _ = check_project([POND])
    faults = faults_of(rows, model)
    assert len(faults) > 3
    assert not any(character in fault for character in "\n\x1b\u202e" for fault in faults)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("010", 10),
        ("-3", -3),
        ("1:30", "1:30"),
        ("0o10", "0o10"),
        ("0x10", "0x10"),
        ("1_000", "1_000"),
        ("2001-01-01", "2001-01-01"),
        ("2001-99-99", "2001-99-99"),
        ("on", "on"),
        ("true", True),
        ("FALSE", False),
        ("yes", TableCell("yes")),
        ("1.5", 1.5),
        (".nan", ".nan"),
        ("~", None),
        ("", None),
        ('"010"', "010"),
    ],
)
def test_yaml_values_follow_version_1_2(written: str, meant: object) -> None:
    ((row),) = read_rows("a.yaml", f"- a: {written}\n".encode())
    assert (row["a"], type(row["a"])) == (meant, type(meant))


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_spreadsheet_csv_is_read(separator: str) -> None:
    text = "\r\n".join(separator.join(line) for line in (("id", '"title, fr"', "quick"), ("a", '"x;y,z"', "VRAI")))
    (row,) = read_rows("a.csv", text.encode("utf-8-sig"))
    assert (row["id"], row["fields"]["quick"]) == ("a", "VRAI")


def test_csv_can_name_separator() -> None:
    (row,) = read_rows("a.csv", b"sep=;\r\nid;a,b,c\r\nx;1\r\n")
    assert (row["id"], row["fields"]) == ("x", {"a,b,c": "1"})
