"""The origin of this fcb installation (PEP 610), and commands that add packages to it."""

from __future__ import annotations

import functools
import importlib.util
import json
import re
import shutil
import sys
from collections.abc import Mapping
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit
from urllib.request import url2pathname

from fcbdsl.base.records import dataclass

NAME = "fcbdsl"
HOME = "https://github.com/fcbdsl/fcbdsl"
"""The home of the project. `[project.urls]`, the pages and the editors' extensions repeat it; a test compares them."""
INSTALL_PAGE = f"{HOME}/blob/main/docs/install.md"
PLAYER_ONLY = (
    "fcbdsl-player is installed, which only plays compiled programs. Add --program FILE.fcbc to `play`, `replay`, "
    f"`missions` and `campaign`. For everything else install fcbdsl: {INSTALL_PAGE}"
)
"""The message for a command or an option that `fcbdsl-player` (`release/player`) lacks."""

INDEX = "index"
"""An installer found the package by its name, on an index."""
VCS = "vcs"
"""A repository, at a commit."""
ARCHIVE = "archive"
"""A wheel or an sdist, by its URL or its file."""
FOLDER = "folder"
"""A folder of this machine that holds the sources."""
FROZEN = "frozen"
"""The single-file build."""
UNKNOWN = "unknown"
"""No installer recorded it: a folder on PYTHONPATH, a zip archive, a package of a Linux distribution."""

INDEX_INSTALLERS = ("pip", "uv", "pdm", "poetry")
"""Installers that record a direct URL where there is one: without the record they used an index."""
PACKAGE = Path(__file__).parents[1]
HIDDEN_IN_VARIABLES = re.compile(r"\$\{\w+\}(:\$\{\w+\})?@")
"""Credentials that name environment variables only."""


@dataclass(frozen=True, slots=True)
class Origin:
    """The origin of an installation. `url` has no `vcs+` prefix and no fragment."""

    kind: str
    version: str
    url: str = ""
    vcs: str = ""
    commit: str = ""
    subdirectory: str = ""
    sha256: str = ""
    editable: bool = False

    @classmethod
    def of_installation(cls) -> Origin:
        """Return the origin of the package that runs."""
        return _running()

    @classmethod
    def of_record(cls, version: str, direct_url: Mapping[str, Any]) -> Origin:
        """Return the origin that a `direct_url.json` describes."""
        url = _without_credentials(str(direct_url.get("url", "")))
        subdirectory = str(direct_url.get("subdirectory", ""))
        info = next((direct_url[key] for key in ("vcs_info", "archive_info", "dir_info") if key in direct_url), None)
        if not url or not isinstance(info, dict):
            return cls(UNKNOWN, version)
        if "vcs_info" in direct_url:
            vcs, commit = str(info.get("vcs", "git")), str(info.get("commit_id", ""))
            return cls(VCS, version, url, vcs=vcs, commit=commit, subdirectory=subdirectory)
        if "archive_info" in direct_url:
            hashes = dict(info.get("hashes") or {})
            if not hashes and str(info.get("hash", "")).startswith("sha256="):
                hashes["sha256"] = str(info["hash"]).removeprefix("sha256=")
            return cls(ARCHIVE, version, url, sha256=str(hashes.get("sha256", "")), subdirectory=subdirectory)
        return cls(FOLDER, version, url, editable=bool(info.get("editable", False)), subdirectory=subdirectory)

    @property
    def is_local(self) -> bool:
        """Is it a file, folder or repository of this machine?"""
        return urlsplit(self.url).scheme == "file"

    @property
    def path(self) -> Path | None:
        """Return the file, folder or repository of this machine; None for any other origin."""
        if not self.is_local:
            return None
        parts = urlsplit(self.url)
        return Path(url2pathname(f"//{parts.netloc}{parts.path}" if parts.netloc else parts.path))

    def requirement(self, extra: str | None = None) -> str | None:
        """Return what pip, pipx and uv accept on any machine to install the very same fcb.

        None if another machine cannot reach the origin."""
        return None if self.is_local else self.requirement_here(extra)

    def requirement_here(self, extra: str | None = None) -> str | None:
        """Return what pip, pipx and uv accept on this machine to install the very same fcb. None if nothing is known,
        or a local origin no longer exists."""
        name = f"{NAME}[{extra}]" if extra else NAME
        if self.kind == INDEX:
            return f"{name}=={self.version}"
        path = self.path
        if not self.url or (path is not None and not path.exists()):
            return None
        url = f"{self.vcs}+{self.url}" if self.kind == VCS else self.url
        if self.commit:
            url += f"@{self.commit}"
        fragment = [
            *([f"sha256={self.sha256}"] if self.sha256 else []),
            *([f"subdirectory={self.subdirectory}"] if self.subdirectory else []),
        ]
        return f"{name} @ {url}" + (f"#{'&'.join(fragment)}" if fragment else "")


def command(extra: str) -> str | None:
    """Return the command that adds the packages of `extra` to this installation. None where no command can.

    It names these packages and not fcb, so that it neither rebuilds fcb nor asks an index for its name."""
    packages = _packages(extra)
    if not packages or _is_frozen():
        return None
    listed = " ".join(f'"{package}"' for package in packages)
    if (Path(sys.prefix) / "pipx_metadata.json").exists():
        return f"pipx inject {Path(sys.prefix).name} {listed}"
    if importlib.util.find_spec("pip") is None:
        return f'uv pip install --python "{sys.executable}" {listed}'
    return f"{_python()} -m pip install {listed}"


def is_player() -> bool:
    """Does this installation contain only the part that plays (`release/player`)?"""
    return importlib.util.find_spec("fcbdsl.language") is None


def may_be_compiled() -> bool:
    """Can a compiled build replace this installation? It needs CPython; editable and frozen builds are always plain."""
    running = Origin.of_installation()
    return sys.implementation.name == "cpython" and not running.editable and running.kind != FROZEN


def install_advice(extra: str) -> str:
    """Return a sentence that explains how to add `extra` to this installation."""
    typed = command(extra)
    if typed is not None:
        return f"To install it: {typed}"
    if _is_frozen():
        return f"The single-file build does not contain it. Install fcb with Python: {INSTALL_PAGE}"
    return f"Install fcb with its extra `{extra}`: {INSTALL_PAGE}"


def _python() -> str:
    """Return the command that runs the current interpreter: `python` if that is it."""
    for name in ("python", "python3"):
        program = shutil.which(name)
        if program is not None and Path(program).absolute() == Path(sys.executable).absolute():
            return name
    return f'"{sys.executable}"' if re.search(r"[^\w./:\\-]", sys.executable) else sys.executable


def _is_frozen() -> bool:
    return bool(getattr(sys, "frozen", False))


def _packages(extra: str) -> list[str]:
    """Return the requirements of an extra from the installation's metadata."""
    distribution = _distribution()
    out = []
    for line in (distribution.requires or []) if distribution else []:
        package, _, marker = line.partition(";")
        if re.fullmatch(rf"""extra\s*==\s*['"]{re.escape(extra)}['"]""", marker.strip()):
            out.append(package.strip())
    return out


@functools.cache
def _running() -> Origin:
    from fcbdsl import __version__

    if _is_frozen():
        return Origin(FROZEN, __version__)
    distribution = _distribution()
    if distribution is None:
        return Origin(UNKNOWN, __version__)
    record = _record(distribution)
    if record is not None:
        return Origin.of_record(__version__, record)
    installer = (distribution.read_text("INSTALLER") or "").strip().lower()
    return Origin(INDEX if installer in INDEX_INSTALLERS else UNKNOWN, __version__)


@functools.cache
def _distribution() -> Distribution | None:
    """Return the metadata of the package that runs, even if another copy of it is installed."""
    for distribution in distributions(name=NAME):
        if Path(str(distribution.locate_file(NAME))).absolute() == PACKAGE.absolute():
            return distribution
        record = _record(distribution)
        if record is None:
            continue
        folder = Origin.of_record("", record)
        if folder.editable and folder.path is not None and folder.path.resolve() == PACKAGE.resolve().parent:
            return distribution
    return None


def _record(distribution: Distribution) -> dict[str, Any] | None:
    """Return the record of a direct URL; None if it is missing or damaged."""
    try:
        read = json.loads(distribution.read_text("direct_url.json") or "null")
    except ValueError:
        return None
    return read if isinstance(read, dict) else None


def _without_credentials(url: str) -> str:
    """Return the URL without the credentials of the user who installed from it, because shared files may contain it."""
    parts = urlsplit(url)
    user, at, host = parts.netloc.rpartition("@")
    if not at or HIDDEN_IN_VARIABLES.fullmatch(user + at):
        return url
    cleaned = f"{user.partition(':')[0]}@{host}" if parts.scheme == "ssh" else host
    return urlunsplit(parts._replace(netloc=cleaned))
