"""Results about the shipped games that are part of the package are found in any place, and refused if damaged."""

from __future__ import annotations

import pickle
import zlib
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest

from fcbdsl.base import cache, shipped_results
from fcbdsl.base.diagnostics.base import Diagnostic
from fcbdsl.base.source import Source, Span
from fcbdsl.project.analysis import packaged_findings
from fcbdsl.project.analysis.lent_aids import lent_digests
from fcbdsl.project.analysis.lent_reading import (
    READ,
    is_reading,
    package_places,
    packaged_name,
    packaged_reading,
    without_pack,
)
from fcbdsl.project.analysis.packaged_results import starter_packs
from fcbdsl.project.project import Loader, load_project

NAME = "12345678-00.result"
ROOT = Path(__file__).parents[1] / "systems"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of results instead of the one of the package, and a cache."""
    for name in ("results", "cache"):
        (tmp_path / name).mkdir(mode=0o700)
    monkeypatch.setenv("FCB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(shipped_results, "_elsewhere", [tmp_path / "results"])
    return tmp_path / "results"


def anything(content: object) -> bool:
    return True


def write(folder: Path, data: bytes) -> None:
    content = zlib.compress(data)
    (folder / NAME).write_bytes(cache.seal_of(content) + content)


def load() -> object:
    return shipped_results.load_packaged(NAME, anything, {"now/core.fcb": "systems/core.fcb"})


def test_result_names_files_by_their_places_in_the_package(folder: Path) -> None:
    span = Span(Source("then/core.fcb", "text"), 1, 2)
    assert shipped_results.store_packaged(NAME, [span, "then/core.fcb"], {"then/core.fcb": "systems/core.fcb"})
    match load():
        case [Span() as restored, str() as name]:
            assert (restored.source.name, restored.start, restored.end) == ("now/core.fcb", 1, 2)
            assert name == "now/core.fcb"
        case other:
            pytest.fail(repr(other))


class Named(pickle.Pickler):
    def persistent_id(self, item: object) -> object:
        return "../secret" if item == "name" else None


def named() -> bytes:
    data = BytesIO()
    Named(data).dump(["name"])
    return data.getvalue()


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(pickle.dumps(print), id="function"),
        pytest.param(b"cos\nsystem\n(S'true'\ntR.", id="call"),
        pytest.param(named(), id="unknown file"),
        pytest.param(b"nothing", id="no pickle"),
    ],
)
def test_result_that_names_something_else_is_refused(data: bytes, folder: Path) -> None:
    write(folder, pickle.dumps(["fine"]))
    assert load() == ["fine"]
    write(folder, data)
    assert load() is None


def test_changed_result_is_refused(folder: Path) -> None:
    write(folder, pickle.dumps(["fine"]))
    content = (folder / NAME).read_bytes()
    (folder / NAME).write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    assert load() is None


def test_results_of_the_package_are_off_with_the_cache(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(folder, pickle.dumps(["fine"]))
    monkeypatch.setenv("FCB_CACHE", "")
    assert load() is None
    assert not shipped_results.writable()


def test_results_of_other_code_are_deleted(folder: Path) -> None:
    assert shipped_results.store_packaged("00000000-00.result", [], {})
    assert shipped_results.store_packaged(NAME, [], {})
    assert [path.name for path in folder.iterdir()] == [NAME]


def test_folder_that_others_may_write_to_gets_no_results(folder: Path) -> None:
    assert shipped_results.writable()
    folder.chmod(0o777)
    assert not shipped_results.writable()


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> Loader:
    """One of the packs whose results a wheel contains."""
    packs = starter_packs(tmp_path_factory.mktemp("packs"))
    return load_project(root=next(packs), tests=False)


def test_packs_of_each_game_and_template_in_each_choice_of_languages(tmp_path: Path) -> None:
    packs = [load_project(root=folder, tests=False) for folder in starter_packs(tmp_path)]
    plain = [without_pack(pack) for pack in packs]
    assert len({(loader.sources[-1].name, loader.project.languages) for loader in plain if loader is not None}) >= 12
    assert len(packs) == 24


@pytest.mark.long
def test_first_pack_makes_the_results_of_its_game(folder: Path, pack: Loader) -> None:
    state, digests = packaged_reading(pack), lent_digests(pack, "en")
    assert state is not None
    assert digests is not None
    assert len([*folder.iterdir()]) == 2
    plain = without_pack(pack)
    assert plain is not None
    places = package_places(plain)
    name = packaged_name(plain, places, READ)
    again = shipped_results.load_packaged(name, is_reading, {f"moved/{place}": place for place in places.values()})
    assert [*again[0]] == [f"moved/{place}" for place in places.values()]
    assert [len(texts) for texts in again[0].values()] == [len(texts) for texts in state[0].values()]


def test_findings_of_the_package_depend_on_the_files_that_sources_name(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (home / "fcb.toml").write_text('language = 2\nname = "pond"\n', encoding="utf-8")
    text = 'card one "One":\n  art: "one.svg"\n  name: "the I.S.C"\n'
    monkeypatch.setattr(packaged_findings, "shipped_path", lambda name: home / name)
    monkeypatch.setattr(shipped_results, "available", lambda: True)
    loader = Loader(replace(load_project(root=ROOT / "pond").project, root=home))
    loader.sources.append(Source(str(home / "one.fcb"), text))
    findings: dict[str, list[Diagnostic]] = {"reading": []}
    packaged_findings.package_findings(loader, findings)
    assert packaged_findings.packaged_findings(loader, anything) == findings
    (home / "one.svg").write_bytes(b"<svg/>")
    assert packaged_findings.packaged_findings(loader, anything) is None
    packaged_findings.package_findings(loader, findings)
    assert packaged_findings.packaged_findings(loader, anything) == findings
    (home / "one.svg").write_bytes(b"<svg></svg>")
    assert packaged_findings.packaged_findings(loader, anything) is None
    (home / "one.svg").unlink()
    (home / "one.svg").mkdir()
    packaged_findings.package_findings(loader, findings)
    assert packaged_findings.packaged_findings(loader, anything) is None
