"""Options and fixtures of the whole test suite."""

from __future__ import annotations

import atexit
import gc
import os
import shutil
import signal
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, settings

from fcbdsl.base import pausing, shipped_results

if TYPE_CHECKING:
    from chromium import Browser

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as in a background job of a shell
    signal.signal(signal.SIGINT, signal.default_int_handler)
SHARED = "FCB_TESTS_SHARED"
if SHARED not in os.environ:  # the first process; its workers and commands inherit the variable
    os.environ[SHARED] = tempfile.mkdtemp(prefix="fcb-tests-")
    atexit.register(shutil.rmtree, os.environ[SHARED], ignore_errors=True)
os.environ["FCB_CACHE"] = os.environ["FCB_STATE"] = ""  # tests must not use folders of the user
SHARED_CACHE = Path(os.environ[SHARED]) / "cache"
CACHED = {"cli", "print"}
"""Folders whose tests share one cache of results, unless they set `FCB_CACHE` themselves."""
HARMLESS = {"SILENT_SECONDS", "_write_out"}
"""Attributes of fcbdsl that a test may patch without changing a result of another one."""

_set_attribute = pytest.MonkeyPatch.setattr


def _set_without_cache(patch: pytest.MonkeyPatch, target: Any, name: Any, *more: Any, **options: Any) -> None:
    """Set an attribute. If it belongs to fcbdsl, turn the shared cache and the results of the package off until the
    patch is undone.

    Both are keyed by content and code. Results of patched code must not reach other tests.
    """
    attribute = name if more else str(target).rpartition(".")[2]
    owner = (
        target if isinstance(target, str) else getattr(target, "__module__", None) or getattr(target, "__name__", "")
    )
    if str(owner).startswith("fcbdsl") and attribute not in HARMLESS and target is not shipped_results:
        _set_attribute(patch, shipped_results, "available", lambda: False)
        if os.environ.get("FCB_CACHE") == str(SHARED_CACHE):
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
settings.load_profile("any load")  # the time of an example depends on the load of the machine

# Tests share large objects until the end, and `games` freezes them. Garbage collections that traverse them took a tenth
# of the time of a run, so they are rare here.
gc.set_threshold(2_000_000, 3, 2)
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
"""The marker of tests that only `make test-all` runs."""
SAMPLED = "sampled"
"""The marker of tests with many parameters, of which `make test` runs one in N."""
LAST = "last"
"""The marker of tests that use results of other tests and so run after them."""
LEFT_OUT = pytest.StashKey[int]()
"""Number of tests that were left out."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update", action="store_true", help="rewrite expected results with the present ones")
    parser.addoption("--long", action="store_true", help="also run long tests, and sampled ones with all parameters")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", f"{LONG}: takes long; run only with --long")
    config.addinivalue_line("markers", f"{SAMPLED}(n): runs with one of n parameters, and with --long with all")
    config.addinivalue_line("markers", f"{LAST}: uses results of other tests, so it runs after them")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out long tests without --long, unless they are named; move tests marked `last` to the end."""
    if not (config.getoption("--long") or any("::" in argument for argument in config.args)):
        long = _long_tests(items)
        left = [item for item in items if item.nodeid in long]
        items[:] = [item for item in items if item.nodeid not in long]
        config.hook.pytest_deselected(items=left)
        config.stash[LEFT_OUT] = len(left)
    items.sort(key=lambda item: item.get_closest_marker(LAST) is not None)


def _long_tests(items: Sequence[pytest.Item]) -> set[str]:
    """Return the ids of tests marked `long`, and of those that a sample leaves out: all but each n-th of a function."""
    left = set()
    places: Counter[str] = Counter()
    for item in items:
        sample = item.get_closest_marker(SAMPLED)
        function = item.nodeid.partition("[")[0]
        if item.get_closest_marker(LONG) or (sample is not None and places[function] % sample.args[0]):
            left.add(item.nodeid)
        places[function] += 1
    return left


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Send the number of tests that were left out from a worker. All workers have the same."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput[LONG] = session.config.stash.get(LEFT_OUT, 0)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    node.config.stash[LEFT_OUT] = getattr(node, "workeroutput", {}).get(LONG, 0)


def pytest_unconfigure(config: pytest.Config) -> None:
    """Report the number of tests that were left out in the last line of the run."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    left = config.stash.get(LEFT_OUT, 0)
    if left and reporter is not None and not hasattr(config, "workerinput"):
        tests = f"{left} long or sampled test{'' if left == 1 else 's'}"
        reporter.write_line(f"Left out: {tests}. `make test-all` runs them, too; so does `pytest --long`.")


@pytest.fixture
def update(request: pytest.FixtureRequest) -> bool:
    """Return whether expectations are to be rewritten."""
    return bool(request.config.getoption("--update"))


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[Browser]:
    """Return a real browser with a new window."""
    from chromium import Browser, installed

    program = installed()
    if program is None:
        pytest.skip("no browser is installed")
    window = Browser(program, tmp_path / "window")
    yield window
    window.close()
