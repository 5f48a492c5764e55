"""The packaged extension in VS Code, in a real browser.

`make code-server` installs code-server, which serves VS Code; FCB_CODE_SERVER names another one.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from chromium import PATIENCE, Browser

pytestmark = pytest.mark.long

TREE = Path(__file__).parents[2]
NAMED = "FCB_CODE_SERVER"
BUILT = TREE / "build" / "code-server" / "node_modules" / ".bin" / "code-server"
SETTINGS = {
    "workbench.startupEditor": "none",
    "telemetry.telemetryLevel": "off",
    "editor.minimap.enabled": False,
    "files.hotExit": "off",
    "terminal.integrated.gpuAcceleration": "off",
    "security.workspace.trust.enabled": False,
}
ANSWERED = "document.querySelector('.view-lines')?.innerText.includes('amount:')"
"""A hint beside an argument shows that the language server has answered."""
OWN = '#!/bin/sh\nexec "{python}" -m fcbdsl "$@"\n'


def code_server() -> str | None:
    """Return the program that serves VS Code."""
    named = os.environ.get(NAMED)
    return named or (str(BUILT) if BUILT.is_file() else shutil.which("code-server"))


class VSCode:
    """VS Code with the extension, served."""

    def __init__(self, program: str, folder: Path) -> None:
        data = folder / "data"
        (data / "User").mkdir(parents=True)
        (data / "User" / "settings.json").write_text(json.dumps(SETTINGS))
        self._command = [program, f"--user-data-dir={data}", f"--extensions-dir={folder / 'extensions'}"]
        homes = {f"XDG_{sort}_HOME": str(folder / sort) for sort in ("CONFIG", "DATA", "CACHE")}
        self._environment = os.environ | homes

    def install(self, extension: Path) -> str:
        """Install an extension; return the output."""
        command = [*self._command, f"--install-extension={extension}"]
        done = subprocess.run(command, env=self._environment, capture_output=True, text=True, timeout=120, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def serve(self) -> None:
        """Start the server."""
        more = ["--auth=none", "--bind-addr=127.0.0.1:0", "--disable-telemetry", "--disable-update-check"]
        command = [*self._command, *more]
        self._process = subprocess.Popen(
            command, env=self._environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        assert self._process.stdout is not None
        log = ""
        for line in self._process.stdout:
            log += line
            match = re.search(r"server listening on (http://127\.0\.0\.1:\d+)/", line)
            if match is not None:
                self.address = match[1]
                return
        raise AssertionError(log)

    def end(self) -> None:
        self._process.terminate()
        self._process.communicate(timeout=PATIENCE)


@pytest.fixture(scope="module")
def vs_code() -> Iterator[VSCode]:
    program = code_server()
    if program is None:
        pytest.skip(f"no code-server: run `make code-server`, or say in {NAMED} where it is")
    done = subprocess.run(["make", "vscode"], cwd=TREE, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    with tempfile.TemporaryDirectory(prefix="fcb", ignore_cleanup_errors=True) as folder:  # sockets have short names
        served = VSCode(program, Path(folder))
        assert "successfully installed" in served.install(TREE / "build" / "fcbdsl.vsix")
        served.serve()
        yield served
        served.end()


class Workbench:
    """A project in VS Code with an open file."""

    def __init__(self, browser: Browser, vs_code: VSCode, root: Path, file: str, served: bool = True) -> None:
        self.browser = browser
        self.path = root / file
        host = vs_code.address.removeprefix("http://")
        payload = f"[[%22openFile%22,%22vscode-remote://{host}{self.path}%22]]"
        browser.size(1300, 1000)
        browser.go(f"{vs_code.address}/?folder={root}&payload={payload}")
        browser.wait(ANSWERED if served else "document.querySelectorAll('.view-line span span').length > 20")

    @property
    def text(self) -> str:
        """Return the saved text of the file."""
        return self.path.read_text(encoding="utf-8")

    def place(self, written: str) -> None:
        """Put the cursor behind a text of the saved file."""
        at = self.text.index(written) + len(written)
        row, column = self.text.count("\n", 0, at) + 1, at - self.text.rfind("\n", 0, at)
        self._ask(f":{row}:{column}")
        self.browser.wait(f"document.querySelector('.statusbar').innerText.includes('Ln {row}, Col {column}')")

    def command(self, title: str) -> None:
        """Run a command of the palette."""
        self._ask(f">{title}")

    def _ask(self, words: str) -> None:
        """Type something into the palette and take its first proposal."""
        self.browser.press("F1")
        self.browser.wait("document.activeElement.closest('.quick-input-widget') !== null")
        self.browser.see("document.activeElement.select()")
        self.browser.insert(words)
        rows = "[...document.querySelectorAll('.quick-input-widget .monaco-list-row')].map(one => one.innerText)"
        wanted = words.lstrip(">")
        if words != wanted:
            self.browser.wait(f"{rows}.some(one => one.includes({wanted!r}))")
        else:
            self.browser.wait("document.querySelector('.quick-input-widget').innerText.includes('line')")
        self.browser.press("Enter")
        self.browser.wait("document.activeElement.closest('.quick-input-widget') === null")

    def see(self, selector: str, words: str) -> None:
        """Wait until a part of the window shows some words."""
        # the space between words may be a no-break space
        self.browser.wait(
            f"[...document.querySelectorAll({selector!r})].some(one => "
            f"one.innerText.replaceAll('\\u00a0', ' ').includes({words!r}))"
        )

    def picture(self, name: str) -> None:
        """Save a picture, if pictures are wanted."""
        if "FCB_PICTURES" in os.environ:
            self.browser.picture(Path(os.environ["FCB_PICTURES"]) / f"vs-code-{name}.png")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a new project with an environment in which this fcb is installed."""
    root = tmp_path / "mill"
    subprocess.run(
        [sys.executable, "-m", "fcbdsl", "new", str(root), "--lang", "en,fr"],
        capture_output=True,
        timeout=120,
        check=True,
    )
    own = root / ".venv" / "bin" / "fcb"
    own.parent.mkdir(parents=True)
    own.write_text(OWN.format(python=sys.executable))
    own.chmod(0o755)
    return root


@pytest.fixture
def workbench(browser: Browser, vs_code: VSCode, project: Path) -> Workbench:
    return Workbench(browser, vs_code, project, "missions/old-mill.fcb")


UNDERLINED = "document.querySelector('.view-overlays .squiggly-error') !== null"


def test_mistake_is_underlined_listed_and_fixed(workbench: Workbench) -> None:
    colours = "new Set([...document.querySelectorAll('.view-line span span')].map(one => one.className)).size"
    assert workbench.browser.see(colours) > 4
    workbench.place("engage self")
    workbench.browser.insert("x")
    workbench.browser.wait(UNDERLINED)
    workbench.command("Problems: Focus on Problems View")
    workbench.see(".markers-panel-container", "Nothing that can be used here is called `selfx`.")
    workbench.see(".markers-panel-container", "FCB0401")
    workbench.picture("mistake")
    workbench.command("View: Focus First Editor Group")
    workbench.command("Quick Fix...")
    workbench.see(".action-widget", "self")
    workbench.picture("cure")
    workbench.browser.press("Enter")
    workbench.browser.wait(f"!({UNDERLINED})")


def test_words_are_completed_and_explained(workbench: Workbench) -> None:
    workbench.place("engage self")
    workbench.browser.press("Enter")
    workbench.browser.insert("low")
    workbench.browser.press(" ", "Control")
    workbench.see(".suggest-widget.visible", "lower LINE [AMOUNT]")
    workbench.picture("proposals")
    workbench.browser.press("Escape")
    workbench.place("action call-o")
    workbench.command("Show or Focus Hover")
    workbench.see(".monaco-hover", "Appeler à l'aide")
    workbench.see(".monaco-hover strong", "Call for help.")
    workbench.picture("hover")


def test_document_is_formatted(workbench: Workbench) -> None:
    before = workbench.text
    workbench.place("    lower alarm")
    workbench.browser.insert("   ")
    workbench.command("File: Save")
    end = time.monotonic() + PATIENCE
    while workbench.text == before:
        assert time.monotonic() < end
        time.sleep(0.05)
    workbench.command("Format Document")
    workbench.command("File: Save")
    while workbench.text != before:
        assert time.monotonic() < end, workbench.text
        time.sleep(0.05)


def test_preview_is_shown_in_browser(workbench: Workbench) -> None:
    workbench.command("fcb: Open the live preview")
    workbench.see(".xterm-rows", "(Ctrl-C ends it)")
    rows = workbench.browser.see("document.querySelector('.xterm-rows').innerText").replace("\n", "")
    match = re.search(r"http://127\.0\.0\.1:(\d+)/[^\s(]*", rows)
    assert match is not None
    end = time.monotonic() + PATIENCE
    while not any(f"/{match[1]}/" in page for page in workbench.browser.pages()):  # through VS Code's own port
        assert time.monotonic() < end, workbench.browser.pages()
        time.sleep(0.05)
    workbench.picture("live")
    workbench.browser.go(match[0], redirected=match[0].partition("?")[0])
    workbench.see("#status", "passed")


def test_missing_fcb_is_reported_with_setting(browser: Browser, vs_code: VSCode, project: Path) -> None:
    (project / ".venv" / "bin" / "fcb").write_text(
        "#!/bin/sh\necho 'Error: There is no language server.' >&2\nexit 2\n"
    )
    workbench = Workbench(browser, vs_code, project, "missions/old-mill.fcb", served=False)
    workbench.see(".notification-toast", "There is no language server.")
    workbench.picture("no-server")
    assert browser.see("document.querySelectorAll('.notification-toast').length") == 1
    (project / ".venv" / "bin" / "fcb").write_text(OWN.format(python=sys.executable))
    workbench.command("fcb: Restart the language server")
    browser.wait(ANSWERED)
