"""Options of the whole test suite, and what its processes share."""

from __future__ import annotations

import atexit
import gc
import os
import shutil
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, settings

from fcbdsl.base import pausing

if TYPE_CHECKING:
    from chromium import Browser

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # a shell's background job is born deaf to it
    signal.signal(signal.SIGINT, signal.default_int_handler)
SHARED = "FCB_TESTS_SHARED"
if SHARED not in os.environ:  # the first process; those that it starts find the folder
    os.environ[SHARED] = tempfile.mkdtemp(prefix="fcb-tests-")
    atexit.register(shutil.rmtree, os.environ[SHARED], ignore_errors=True)
os.environ["FCB_CACHE"] = os.environ["FCB_STATE"] = ""  # tests, and what they start, leave the user's folders alone
SHARED_CACHE = Path(os.environ[SHARED]) / "cache"
CACHED = {"cli", "print"}
"""Folders whose tests share one cache of results, unless they set `FCB_CACHE` themselves."""
HARMLESS = {"SILENT_SECONDS", "_write_out"}
"""Attributes of fcbdsl that a test may patch without changing a result of another one."""

_set_attribute = pytest.MonkeyPatch.setattr


def _set_without_cache(patch: pytest.MonkeyPatch, target: Any, name: Any, *more: Any, **options: Any) -> None:
    """Set an attribute. If it belongs to fcbdsl, turn the shared cache off until the patch is undone.

    The cache is keyed by content and code. Results of patched code must not reach other tests.
    """
    attribute = name if more else str(target).rpartition(".")[2]
    owner = (
        target if isinstance(target, str) else getattr(target, "__module__", None) or getattr(target, "__name__", "")
    )
    shared = os.environ.get("FCB_CACHE") == str(SHARED_CACHE)
    if shared and str(owner).startswith("fcbdsl") and attribute not in HARMLESS:
        patch.setenv("FCB_CACHE", "")
    _set_attribute(patch, target, name, *more, **options)


pytest.MonkeyPatch.setattr = _set_without_cache  # type: ignore[assignment,method-assign]


@pytest.fixture(scope="module", autouse=True)
def _cached(request: pytest.FixtureRequest) -> Iterator[None]:
    """Let the tests of some folders use the results of other tests of this run."""
    SHARED_CACHE.mkdir(mode=0o700, exist_ok=True)
    with pytest.MonkeyPatch.context() as patch:
        folder = request.path.relative_to(Path(__file__).parent).parts[0]
        patch.setenv("FCB_CACHE", str(SHARED_CACHE) if folder in CACHED else "")
        yield


settings.register_profile("any load", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any load")  # how long examples take says how busy the machine is

# What tests share is large and stays: it is frozen as it is made (`games`), and nobody thaws it or looks through it.
# To do so whenever a tree had grown, or a project was opened, took a tenth of the time.
gc.set_threshold(2_000_000, 3, 5)
pausing.gc = SimpleNamespace(  # type: ignore[assignment]
    isenabled=gc.isenabled,
    enable=gc.enable,
    disable=gc.disable,
    get_count=gc.get_count,
    get_threshold=gc.get_threshold,
    get_freeze_count=lambda: 1,
    freeze=lambda: None,
    unfreeze=lambda: None,
    collect=lambda: 0,
)

LONG = "long"
"""The marker of what not every change needs."""
LAST = "last"
"""The marker of what joins what other tests have found out: it stands behind them."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update", action="store_true", help="rewrite what cases expect with what is made now")
    parser.addoption("--long", action="store_true", help="run the long tests, too")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", f"{LONG}: takes long, and not every change needs it; run with --long")
    config.addinivalue_line("markers", f"{LAST}: joins what others have found out, and so comes last")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out long tests, unless they are asked for, by --long or by their names; put those that join last."""
    if not (config.getoption("--long") or any("::" in argument for argument in config.args)):
        left = [item for item in items if item.get_closest_marker(LONG)]
        items[:] = [item for item in items if not item.get_closest_marker(LONG)]
        config.hook.pytest_deselected(items=left)
        config.stash[LEFT_OUT] = len(left)
    items.sort(key=lambda item: item.get_closest_marker(LAST) is not None)


LEFT_OUT = pytest.StashKey[int]()
"""How many tests are left out."""


def pytest_sessionfinish(session: pytest.Session) -> None:
    """A worker tells what it has left out, as each does."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput[LONG] = session.config.stash.get(LEFT_OUT, 0)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    node.config.stash[LEFT_OUT] = getattr(node, "workeroutput", {}).get(LONG, 0)


def pytest_unconfigure(config: pytest.Config) -> None:
    """Name what was left out, in the last line of the run."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    left = config.stash.get(LEFT_OUT, 0)
    if left and reporter is not None and not hasattr(config, "workerinput"):
        tests = f"{left} long test{'' if left == 1 else 's'}"
        reporter.write_line(f"Left out: {tests}. `make test-all` runs them, too; so does `pytest --long`.")


@pytest.fixture
def update(request: pytest.FixtureRequest) -> bool:
    """Whether expectations are to be rewritten."""
    return bool(request.config.getoption("--update"))


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[Browser]:
    """A real browser with a window of its own."""
    from chromium import Browser, installed

    program = installed()
    if program is None:
        pytest.skip("no browser is installed")
    window = Browser(program, tmp_path / "window")
    yield window
    window.close()
