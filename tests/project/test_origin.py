"""The origin of an installation, and the commands that add packages to it."""

from __future__ import annotations

import re
import sys
import tomllib
from importlib.metadata import Distribution
from pathlib import Path
from typing import Any

import pytest

from fcbdsl import __version__
from fcbdsl.base import origin
from fcbdsl.base.origin import ARCHIVE, FOLDER, FROZEN, INDEX, UNKNOWN, VCS, Origin

ROOT = Path(__file__).parents[2]
COMMIT = "7f1c6c0f4d1a2b3c4d5e6f708192a3b4c5d6e7f8"
SHA = "ab" * 32


def recorded(**record: Any) -> Origin:
    return Origin.of_record("1.2.3", record)


def git(url: str, **more: Any) -> Origin:
    return recorded(url=url, vcs_info={"vcs": "git", "commit_id": COMMIT, "requested_revision": "main"}, **more)


@pytest.mark.parametrize(
    ("source_of_fcb", "plain", "with_extra"),
    [
        (
            git("https://example.org/fcb.git"),
            f"fcbdsl @ git+https://example.org/fcb.git@{COMMIT}",
            f"fcbdsl[live] @ git+https://example.org/fcb.git@{COMMIT}",
        ),
        (
            git("ssh://git@example.org/fcb.git", subdirectory="tools/fcb"),
            f"fcbdsl @ git+ssh://git@example.org/fcb.git@{COMMIT}#subdirectory=tools/fcb",
            f"fcbdsl[live] @ git+ssh://git@example.org/fcb.git@{COMMIT}#subdirectory=tools/fcb",
        ),
        (
            recorded(url="https://example.org/fcbdsl-1.2.3-py3-none-any.whl", archive_info={"hashes": {"sha256": SHA}}),
            f"fcbdsl @ https://example.org/fcbdsl-1.2.3-py3-none-any.whl#sha256={SHA}",
            f"fcbdsl[live] @ https://example.org/fcbdsl-1.2.3-py3-none-any.whl#sha256={SHA}",
        ),
        (
            recorded(url="https://example.org/fcbdsl.tar.gz", archive_info={"hash": f"sha256={SHA}"}, subdirectory="a"),
            f"fcbdsl @ https://example.org/fcbdsl.tar.gz#sha256={SHA}&subdirectory=a",
            f"fcbdsl[live] @ https://example.org/fcbdsl.tar.gz#sha256={SHA}&subdirectory=a",
        ),
        (
            recorded(url="https://example.org/fcbdsl.zip", archive_info={}),
            "fcbdsl @ https://example.org/fcbdsl.zip",
            "fcbdsl[live] @ https://example.org/fcbdsl.zip",
        ),
        (Origin(INDEX, "1.2.3"), "fcbdsl==1.2.3", "fcbdsl[live]==1.2.3"),
        (Origin(UNKNOWN, "1.2.3"), None, None),
        (Origin(FROZEN, "1.2.3"), None, None),
    ],
)
def test_requirement_installs_same_fcb(source_of_fcb: Origin, plain: str | None, with_extra: str | None) -> None:
    assert (source_of_fcb.requirement(), source_of_fcb.requirement("live")) == (plain, with_extra)
    assert (source_of_fcb.requirement_here(), source_of_fcb.path, source_of_fcb.is_local) == (plain, None, False)


def test_local_origin_is_for_this_machine_only(tmp_path: Path) -> None:
    folder = tmp_path / "my copy é"
    folder.mkdir()
    wheel = folder / "fcbdsl-1.2.3-py3-none-any.whl"
    wheel.touch()
    for source_of_fcb, path in (
        (recorded(url=wheel.as_uri(), archive_info={}), wheel),
        (recorded(url=folder.as_uri(), dir_info={}), folder),
        (recorded(url=folder.as_uri(), dir_info={"editable": True}), folder),
    ):
        assert (source_of_fcb.path, source_of_fcb.requirement("live")) == (path, None)
        assert source_of_fcb.requirement_here("live") == f"fcbdsl[live] @ {path.as_uri()}"
    repository = git(folder.as_uri())
    assert (repository.path, repository.requirement()) == (folder, None)
    assert repository.requirement_here() == f"fcbdsl @ git+{folder.as_uri()}@{COMMIT}"
    wheel.unlink()
    assert recorded(url=wheel.as_uri(), archive_info={}).requirement_here() is None


def test_origin_kind_follows_from_record() -> None:
    assert [recorded(url="file:///x", **{key: {}}).kind for key in ("vcs_info", "archive_info", "dir_info")] == [
        VCS, ARCHIVE, FOLDER,
    ]  # fmt: skip
    for damaged in ({}, {"url": "https://example.org"}, {"url": "", "dir_info": {}}, {"url": "x", "vcs_info": "git"}):
        assert recorded(**damaged) == Origin(UNKNOWN, "1.2.3")


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("https://me:secret@example.org/fcb.git", "https://example.org/fcb.git"),
        ("https://secret@example.org:8443/fcb.git", "https://example.org:8443/fcb.git"),
        ("ssh://git:secret@example.org/fcb.git", "ssh://git@example.org/fcb.git"),
        ("https://${USER}:${TOKEN}@example.org/fcb.git", "https://${USER}:${TOKEN}@example.org/fcb.git"),
    ],
)
def test_credentials_stay_out_of_requirements(url: str, address: str) -> None:
    assert git(url).requirement() == f"fcbdsl @ git+{address}@{COMMIT}"


class Installed(Distribution):
    """The metadata of an installation whose package is in `site`."""

    def __init__(self, site: Path, files: dict[str, str]) -> None:
        self._site, self._files = site, {"METADATA": METADATA} | files

    def read_text(self, filename: str) -> str | None:
        return self._files.get(filename)

    def locate_file(self, path: Any) -> Any:
        return self._site / path


METADATA = """\
Metadata-Version: 2.4
Name: fcbdsl
Version: 1.2.3
Requires-Dist: click<9,>=8.2
Provides-Extra: live
Requires-Dist: starlette<2,>=1.0; extra == 'live'
Requires-Dist: uvicorn<1,>=0.35; extra == "live"
Provides-Extra: yaml
Requires-Dist: pyyaml<7,>=6.0; extra == 'yaml'
"""
SITE = origin.PACKAGE.parent
FROM_WHEEL = '{"url": "file:///w.whl", "archive_info": {}}'


@pytest.fixture(autouse=True)
def _forget() -> Any:
    yield
    origin._running.cache_clear()
    origin._distribution.cache_clear()


def install(monkeypatch: pytest.MonkeyPatch, *installed: Installed) -> None:
    origin._running.cache_clear()
    origin._distribution.cache_clear()
    monkeypatch.setattr(
        origin, "distributions", lambda name: [distribution for distribution in installed if name == "fcbdsl"]
    )


@pytest.mark.parametrize(
    ("files", "kind"),
    [
        ({"direct_url.json": FROM_WHEEL, "INSTALLER": "pip\n"}, ARCHIVE),
        ({"INSTALLER": "pip\n"}, INDEX),
        ({"INSTALLER": "uv"}, INDEX),
        ({"INSTALLER": "conda"}, UNKNOWN),
        ({"INSTALLER": "debian"}, UNKNOWN),
        ({}, UNKNOWN),
        ({"direct_url.json": "{"}, UNKNOWN),
    ],
)
def test_running_package_has_origin(monkeypatch: pytest.MonkeyPatch, files: dict[str, str], kind: str) -> None:
    install(monkeypatch, Installed(SITE, files))
    assert (Origin.of_installation().kind, Origin.of_installation().version) == (kind, __version__)


def test_another_installed_copy_does_not_count(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    install(monkeypatch, Installed(tmp_path, {"INSTALLER": "pip"}))
    assert Origin.of_installation().kind == UNKNOWN
    assert origin.command("live") is None
    assert origin.INSTALL_PAGE in origin.install_advice("live")
    editable = f'{{"url": "{SITE.as_uri()}", "dir_info": {{"editable": true}}}}'
    install(monkeypatch, Installed(tmp_path, {"INSTALLER": "pip"}), Installed(tmp_path, {"direct_url.json": editable}))
    assert (Origin.of_installation().kind, Origin.of_installation().path) == (FOLDER, SITE)


def test_command_names_the_packages_of_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, Installed(SITE, {"INSTALLER": "pip"}))
    monkeypatch.setattr(origin.shutil, "which", lambda name: sys.executable if name == "python" else None)
    typed = 'python -m pip install "starlette<2,>=1.0" "uvicorn<1,>=0.35"'
    assert (origin.command("live"), origin.install_advice("live")) == (typed, f"To install it: {typed}")
    assert origin.command("nothing") is None


def test_command_calls_the_running_interpreter(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, Installed(SITE, {}))
    monkeypatch.setattr(origin.shutil, "which", lambda name: f"/elsewhere/{name}")
    for path, called in (("/opt/my python/bin/python3", '"/opt/my python/bin/python3"'), ("/x/python3", "/x/python3")):
        monkeypatch.setattr(origin.sys, "executable", path)
        assert origin.command("yaml") == f'{called} -m pip install "pyyaml<7,>=6.0"'


def test_command_suits_the_tool_that_installed_fcb(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    install(monkeypatch, Installed(SITE, {}))
    (tmp_path / "fcbdsl").mkdir()
    monkeypatch.setattr(origin.sys, "prefix", str(tmp_path / "fcbdsl"))
    monkeypatch.setattr(origin.importlib.util, "find_spec", lambda name: None)
    assert origin.command("yaml") == f'uv pip install --python "{sys.executable}" "pyyaml<7,>=6.0"'
    (tmp_path / "fcbdsl" / "pipx_metadata.json").touch()
    assert origin.command("yaml") == 'pipx inject fcbdsl "pyyaml<7,>=6.0"'


def test_single_file_build_reports_missing_tools(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, Installed(SITE, {"INSTALLER": "pip"}))
    monkeypatch.setattr(origin.sys, "frozen", True, raising=False)
    assert (Origin.of_installation().kind, origin.command("dask")) == (FROZEN, None)
    assert "single-file build" in origin.install_advice("dask")


def test_every_extra_has_packages_without_further_markers() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for extra, packages in project["optional-dependencies"].items():
        assert packages, extra
        assert not any(re.search("[;@]", package) for package in packages), extra
