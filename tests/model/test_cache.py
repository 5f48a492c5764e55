"""The cache returns a result only if it would be computed again identically."""

from __future__ import annotations

import hashlib
import importlib
import os
import pickle
import shutil
import subprocess
import sys
from collections import Counter
from enum import Enum
from pathlib import Path

import pytest

from fcbdsl.base import cache
from fcbdsl.base.records import PlainRecord
from fcbdsl.language.compiler import lower
from fcbdsl.language.model import check
from fcbdsl.language.model.declarations import Trait
from fcbdsl.language.model.dump import dump
from fcbdsl.project.project import check_project


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty cache, and a project to work in."""
    monkeypatch.setenv("FCB_CACHE", str(tmp_path / "cache"))
    (tmp_path / "cards").mkdir()
    (tmp_path / "fcb.toml").write_text('language = 2\npaths = ["cards"]\n')
    (tmp_path / "cards" / "a.fcb").write_text("wepon x:\n  a: 1\nmark gate\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path / "cache"


def entries_in(place: Path) -> list[str]:
    return sorted(path.name for path in place.glob("*.pickle")) if place.exists() else []


def test_unchanged_project_is_not_checked_again(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model, problems = check_project()
    assert len(entries_in(place)) == 1
    monkeypatch.setattr(check, "check", None)  # would fail if it were called
    again, same = check_project()
    assert dump(again) == dump(model)
    assert [(p.code, p.message, p.span.line) for p in same] == [(p.code, p.message, p.span.line) for p in problems]
    assert [p.code for p in same] == ["FCB0301"]


def test_cached_model_compiles_equally(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(Path(__file__).parents[1] / "systems" / "fair", tmp_path / "fair")  # there is a `whenever` listener
    monkeypatch.chdir(tmp_path / "fair")
    monkeypatch.setenv("FCB_CACHE", str(tmp_path / "cache"))
    program = lower(check_project()[0], tests=True)
    monkeypatch.setattr(check, "check", None)  # would fail if it were called
    assert lower(check_project()[0], tests=True) == program


@pytest.mark.parametrize("change", ["text", "file", "settings"])
def test_every_change_invalidates_cache(place: Path, change: str) -> None:
    assert [p.code for p in check_project()[1]] == ["FCB0301"]
    if change == "text":
        Path("cards/a.fcb").write_text("mark gate\nmark gate\n")
    elif change == "file":
        Path("cards/b.fcb").write_text("mark gate\n")
    else:
        Path("fcb.toml").write_text('language = 2\npaths = ["cards"]\n[variants]\nweather = "wet"\n')
    wanted = {"text": ["FCB0302"], "file": ["FCB0301", "FCB0302"], "settings": ["FCB0301", "FCB0306"]}
    assert [p.code for p in check_project()[1]] == wanted[change]
    assert len(entries_in(place)) == 2


@pytest.mark.parametrize(
    "damage", [b"", b"\x80", b"no pickle at all", pickle.dumps(os.getcwd), pickle.dumps(pickle.loads)]
)
def test_damaged_or_foreign_cache_file_is_replaced(place: Path, damage: bytes) -> None:
    check_project()
    (name,) = entries_in(place)
    whole = (place / name).read_bytes()
    (place / name).write_bytes(damage)
    assert [p.code for p in check_project()[1]] == ["FCB0301"]
    assert (place / name).read_bytes() == whole


def sealed(data: bytes) -> bytes:
    """Return a complete entry with any content."""
    return hashlib.blake2b(data, digest_size=16).digest() + data


class Evil:
    """A class that is pickled as a call of a function of our modules."""

    def __init__(self, module: str, name: str, *arguments: object) -> None:
        self.module, self.name, self.arguments = module, name, arguments

    def bytes(self) -> bytes:
        call = f"c{self.module}\n{self.name}\n".encode()
        inner = b"".join(
            argument.bytes() if isinstance(argument, Evil) else pickle.dumps(argument, 0)[:-1]
            for argument in self.arguments
        )
        return call + b"(" + inner + b"tR"


FOREIGN = {
    "attrgetter": Evil("fcbdsl.language.model.ir.node", "attrgetter", "position.__globals__"),
    "a library's class": Evil("fcbdsl.project.project", "Path", "x"),
    "a function of ours": Evil("fcbdsl.base.files", "write_atomically", "x", b""),
    "a class of ours that does something": Evil("fcbdsl.project.project", "Loader", None),
    "a module in a module": Evil("fcbdsl.language.model.content", "Definition.__init__", 1),
    "a class that a module borrows": Evil("fcbdsl.language.model.content", "Span", None, 0, 0),
    "a typing helper": Evil("fcbdsl.base.diagnostics.base", "Formatter"),
    "a builtin": Evil("builtins", "eval", "1"),
    "the system": Evil("os", "getcwd"),
    "a module that there is not": Evil("fcbdsl.base.diagnostics.nowhere", "Nothing"),
    "a name that there is not": Evil("fcbdsl.language.model.content", "Nothing"),
    "wrong arguments": Evil("fcbdsl.base.source", "Source"),
}


@pytest.mark.parametrize("name", FOREIGN)
def test_unpickling_reaches_only_records(place: Path, name: str) -> None:
    place.mkdir(mode=0o700)
    (place / "k").write_bytes(sealed(FOREIGN[name].bytes() + b"."))
    assert cache.load_result("k", lambda _: True) is None


class Troublesome:
    """A class that is pickled as a call of `getattr`, as members of enumerations are in Python 3.11.0 to 3.11.3."""

    def __reduce__(self) -> tuple[object, ...]:
        return getattr, (Trait, next(iter(Trait)).name)


@pytest.mark.parametrize("member", Trait)
def test_enum_members_are_pickled_without_getattr(place: Path, member: Enum) -> None:
    cache.store_result("k", [member, member])
    assert b"getattr" not in (place / "k").read_bytes()
    (one, other) = cache.load_result("k", lambda _: True) or ()
    assert one is other is member


def test_refused_entry_is_counted_with_cause(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "_TROUBLES", Counter())
    cache.store_result("k", Troublesome())
    assert [cache.load_result("k", lambda _: True) for _ in range(2)] == [None, None]
    (place / "k").write_bytes(b"x" * 99)
    cache.load_result("k", lambda _: True)
    cache.store_result("k", 5)
    cache.load_result("k", lambda result: result == 6)
    cache.load_result("k", lambda result: result["reach"])
    cache.load_result("none", lambda _: True)  # a missing result is no trouble
    assert [(times, cause) for cause, times in cache.troubles().items()] == [
        (2, "the file is refused: UnpicklingError: a cache must not contain 'builtins'.'getattr'"),
        (1, "the file is damaged: its checksum differs"),
        (1, "the content is not of the expected form"),
        (1, "the content is not of the expected form: TypeError: 'int' object is not subscriptable"),
    ]


def test_unwritable_entry_is_counted_with_cause(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "_TROUBLES", Counter())
    place.write_text("no folder")
    cache.store_result("k", 5)
    assert cache.troubles() == {"cannot keep a result: File exists": 1}


def test_records_are_loaded(place: Path) -> None:
    place.mkdir(mode=0o700)
    (place / "k").write_bytes(sealed(Evil("fcbdsl.base.source", "Source", "a.fcb", "text").bytes() + b"."))
    assert cache.load_result("k", lambda _: True) is not None


def test_records_run_no_code_when_loaded() -> None:
    active = {
        "__call__",
        "__del__",
        "__reduce__",
        "__reduce_ex__",
        "__getattr__",
        "__getattribute__",
        "__init_subclass__",
    }
    for module in cache.RECORDS:
        for value in vars(importlib.import_module(module)).values():
            if isinstance(value, type) and value.__module__ == module and cache._is_record(value, module):
                own = {name for name, does in vars(value).items() if does is not vars(PlainRecord).get(name)}
                assert not active & own, value
                assert not any("Callable" in str(hint) for hint in vars(value).get("__annotations__", {}).values())


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    "data",
    [
        b"", b".", b"\x80\x05", b"\x80\xff.", b"I5\n.", b"N.", b"(lp0\n.", b"\x80\x05]\x94.", b"Vab\n.", b"I9e\n.",
        b"\x8e\xff\xff\xff\xff\xff\xff\xff\x7fab", b"\x8a\x02\xff", b"X\x02\x00\x00\x00\xff\xff.", b"h\x05.", b"R.",
        b"(" * 100_000 + b"t" * 100_000 + b".", b"]" + b"]a" * 100, b"\x80\x05\x95\xff\xff\xff\xff\xff\xff\xff\xff.",
        b"cfcbdsl.model.whole\nModel\n)\x81]\x86.",
    ],
    ids=repr,
)  # fmt: skip
def test_senseless_entry_is_recomputed(place: Path, data: bytes) -> None:
    check_project()
    (name,) = entries_in(place)
    (place / name).write_bytes(sealed(data))
    assert [p.code for p in check_project()[1]] == ["FCB0301"]
    assert [p.code for p in check_project()[1]] == ["FCB0301"]


@pytest.mark.parametrize(
    ("value", "shape", "fits"),
    [
        ("a", str, True),
        (1, str, False),
        (True, int, False),
        (["a", 1], list[str], False),
        (("a", 1), tuple[str, int], True),
        (("a",), tuple[str, int], False),
        (("a", "b"), tuple[str, ...], True),
        ({"a": [1]}, dict[str, list[int]], True),
        ({"a": ["b"]}, dict[str, list[int]], False),
        ({"a": 1}, {"a": int}, True),
        ({"a": 1, "b": 1}, {"a": int}, False),
        (None, {"a": int}, False),
    ],
)
def test_shape_of_plain_data_is_checked(value: object, shape: object, fits: bool) -> None:
    assert cache.has_shape(value, shape) is fits


def test_folder_writable_by_others_is_not_used(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place.mkdir()
    place.chmod(0o777)
    assert [p.code for p in check_project()[1]] == ["FCB0301"]
    assert entries_in(place) == []
    assert capsys.readouterr().err == f"fcb: {str(place)!r} is no place to keep results: others may write to it.\n"


def test_records_have_one_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("FCB_CACHE", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr("sys.platform", "linux")
    assert cache.cache_folder() == tmp_path / ".cache" / "fcbdsl"
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "local"))
    assert cache.cache_folder() == tmp_path / "local" / "fcbdsl"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert cache.cache_folder() == tmp_path / "xdg" / "fcbdsl"
    monkeypatch.setenv("FCB_CACHE", str(tmp_path / "own"))
    assert cache.cache_folder() == tmp_path / "own"


def test_empty_variable_disables_cache(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FCB_CACHE", "")
    check_project()
    assert entries_in(place) == []


def test_read_only_cache_folder_is_no_error(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FCB_CACHE", str(Path("fcb.toml").resolve() / "below-a-file"))
    assert [p.code for p in check_project()[1]] == ["FCB0301"]


def entry(number: int) -> str:
    return f"{number:032x}{cache.RESULT}"


def numbered(place: Path) -> list[int]:
    return [int(name.removesuffix(cache.RESULT), 16) for name in entries_in(place)]


def fill(place: Path, count: int, size: int = 0) -> None:
    for number in range(count):
        cache.store_result(entry(number), b"x" * size)
        os.utime(place / entry(number), (number, number))


def test_oldest_entries_are_removed_first(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "MOST", 1_000_000)
    fill(place, 6, 300_000)
    assert numbered(place) == [3, 4, 5]
    assert cache.load_result(entry(3), lambda _: True) is not None  # and so it is the newest
    cache.store_result(entry(9), b"x" * 300_000)
    assert numbered(place) == [3, 5, 9]


def test_number_of_small_entries_is_bounded(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "MOST", 4 * cache.LEAST)
    fill(place, 6)
    assert numbered(place) == [2, 3, 4, 5]


def test_leftovers_are_removed_from_cache(place: Path) -> None:
    fill(place, 1)
    left = ["f" * 32 + ".tables", "some-game." + "a" * 32 + ".pickle", f".{entry(1)}.host-1-abc.part"]
    foreign = ["thesis.pickle", "notes.txt", f"{'a' * 31}.pickle"]
    for name in [*left, *foreign]:
        (place / name).write_bytes(b"x")
    assert {file.path.name for file in cache.cached_files(place)} == {entry(0), *left}
    assert len(cache.clear(place)) == 4
    assert sorted(path.name for path in place.iterdir()) == sorted(foreign)


def test_links_in_cache_folder_are_ignored(place: Path, tmp_path: Path) -> None:
    fill(place, 1)
    (place / entry(1)).symlink_to(tmp_path / "fcb.toml")
    assert [file.path.name for file in cache.cached_files(place)] == [entry(0)]


def test_missing_home_disables_cache(place: Path) -> None:
    assert cache.cached_files(place) == cache.clear(place) == []


@pytest.mark.long
def test_concurrent_processes_share_cache_safely(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    work = (
        "import sys\n"
        "from pathlib import Path\n"
        "from fcbdsl.base import cache\n"
        "cache.MOST = 4 * cache.LEAST\n"
        "for number in range(60):\n"
        "    name = f'{number % 7:032x}{cache.RESULT}'\n"
        "    cache.store_result(name, [number % 7] * 1000)\n"
        "    found = cache.load_result(name, lambda _: True)\n"
        "    assert found in (None, [number % 7] * 1000), found\n"
        "    if number % 20 == 0:\n"
        "        cache.clear(Path(sys.argv[1]))\n"
    )
    running = [
        subprocess.Popen([sys.executable, "-c", work, place], stderr=subprocess.PIPE, text=True) for _ in range(3)
    ]
    assert [process.communicate(timeout=60)[1] for process in running] == ["", "", ""]
    monkeypatch.setattr(cache, "MOST", 4 * cache.LEAST)
    cache.store_result(entry(8), b"")
    assert len(entries_in(place)) <= 4
    assert not list(place.glob("*.part"))
