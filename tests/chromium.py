"""A real browser, driven by its debugging protocol."""

from __future__ import annotations

import json
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
ALONE = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-popup-blocking",
)
"""Options of a browser that shows nothing on the screen and never asks anything."""
CODES = {"Tab": 9, "Enter": 13, "Escape": 27, " ": 32, "End": 35, "Home": 36, "Backspace": 8, "F1": 112, "F8": 119}
"""Virtual key codes of keys that are no letters."""
AXE = Path(__file__).parents[1] / "build" / "axe" / "node_modules" / "axe-core" / "axe.min.js"
"""The tester of accessibility that `make axe` installs."""
PATIENCE = 120
"""Seconds to wait for something before the test fails."""


def installed() -> str | None:
    """Return a browser of this machine; None if there is none."""
    return next((path for name in BROWSERS if (path := shutil.which(name))), None)


class Browser:
    """A window of a browser."""

    def __init__(self, program: str, folder: Path) -> None:
        self._process = subprocess.Popen(
            [program, *ALONE, "--remote-debugging-port=0", f"--user-data-dir={folder}", "about:blank"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        port = folder / "DevToolsActivePort"
        end = time.monotonic() + PATIENCE
        while not (port.is_file() and len(port.read_text().split()) == 2):
            assert time.monotonic() < end, "no browser has come"
            time.sleep(0.05)
        number, path = port.read_text().split()
        self._socket: ClientConnection = connect(
            f"ws://127.0.0.1:{number}{path}", max_size=None, max_queue=None, ping_interval=None
        )
        self._number = 0
        self._session = ""
        self.complaints: list[str] = []
        self.requests: list[str] = []
        self.frames: list[str] = []
        """The messages that came over websockets."""
        targets = self._ask("Target.getTargets")["targetInfos"]
        target = next(target["targetId"] for target in targets if target["type"] == "page")
        self._session = self._ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self._ask(f"{domain}.enable")
        self._ask("Target.setAutoAttach", autoAttach=True, waitForDebuggerOnStart=False, flatten=True)

    def _ask(self, method: str, **params: Any) -> Any:
        self._number += 1
        request = {"id": self._number, "method": method, "params": params}
        self._socket.send(json.dumps(request | ({"sessionId": self._session} if self._session else {})))
        while True:
            message = json.loads(self._socket.recv(PATIENCE))
            if message.get("method") == "Log.entryAdded" and message["params"]["entry"]["level"] == "error":
                self.complaints.append(message["params"]["entry"]["text"])
            if message.get("method") == "Runtime.exceptionThrown":
                self.complaints.append(str(message["params"]["exceptionDetails"]))
            if message.get("method") == "Page.javascriptDialogOpening":  # whether to leave the page
                accept = {"id": 0, "method": "Page.handleJavaScriptDialog", "params": {"accept": True}}
                self._socket.send(json.dumps(accept | {"sessionId": self._session}))
            if message.get("method") == "Network.requestWillBeSent":
                self.requests.append(message["params"]["request"]["url"])
            if message.get("method") == "Network.webSocketFrameReceived":
                self.frames.append(message["params"]["response"]["payloadData"])
            if message.get("method") == "Target.attachedToTarget":  # a worker of the page
                watched = {"id": 0, "method": "Network.enable", "sessionId": message["params"]["sessionId"]}
                self._socket.send(json.dumps(watched))
            if message.get("id") == self._number:
                assert "error" not in message, message
                return message["result"]

    def go(self, address: str, redirected: str = "") -> None:
        """Open a page; `redirected`: the address to which it sends the browser."""
        self._ask("Page.navigate", url=address)
        self.wait(f"location.href === {(redirected or address)!r} && document.readyState === 'complete'")

    def pages(self) -> list[str]:
        """Return the addresses of all open pages."""
        return [target["url"] for target in self._ask("Target.getTargets")["targetInfos"] if target["type"] == "page"]

    def size(self, width: int, height: int, scheme: str = "light", medium: str = "") -> None:
        """Set the size of the window, and light or dark colors; `medium`: ``print`` shows the page as on paper."""
        self._ask(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600
        )
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self._ask("Emulation.setEmulatedMedia", media=medium, features=features)

    def connect(self, online: bool) -> None:
        """Cut the connection to the network, or restore it."""
        self._ask(
            "Network.emulateNetworkConditions",
            offline=not online,
            latency=0,
            downloadThroughput=-1,
            uploadThroughput=-1,
        )

    def see(self, expression: str) -> Any:
        """Return the value of an expression of JavaScript."""
        answer = self._ask("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def wait(self, condition: str) -> None:
        """Wait until a condition holds."""
        end = time.monotonic() + PATIENCE
        while not self._holds(condition):
            assert time.monotonic() < end, f"{condition}: {self.see('document.body.innerText')}"
            time.sleep(0.05)

    def _holds(self, condition: str) -> bool:
        """Return whether a condition holds; not while the browser leaves the page."""
        try:
            return bool(self.see(condition))
        except AssertionError as failed:
            if "target navigated" in str(failed):
                return False
            raise

    def click(self, element: str) -> None:
        """Click in the middle of the element that an expression returns, once it is visible."""
        place = self.see(
            f"(() => {{ const it = {element}; it.scrollIntoView({{ block: 'center' }});"
            " const at = it.getBoundingClientRect();"
            " return [at.x + Math.min(at.width / 2, 40), at.y + at.height / 2]; })()"
        )
        for sort in ("mousePressed", "mouseReleased"):
            self._ask("Input.dispatchMouseEvent", type=sort, x=place[0], y=place[1], button="left", clickCount=1)

    def press(self, key: str, *held: str) -> None:
        """Press a key while others are held: `Control`, `Shift`, `Alt`."""
        modifiers = sum({"Alt": 1, "Control": 2, "Shift": 8}[key] for key in held)
        text = {"Enter": "\r"}.get(key, key if len(key) == 1 else "") if modifiers in (0, 8) else ""
        code = CODES.get(key, ord(key.upper()[0]))
        for sort in ("keyDown", "keyUp"):
            self._ask(
                "Input.dispatchKeyEvent",
                type=sort,
                key=key,
                code={" ": "Space"}.get(key, key),
                text=text,
                modifiers=modifiers,
                windowsVirtualKeyCode=code,
            )

    def violations(self) -> str:
        """Return the rules of accessibility that the page breaks, each with its first place. This needs `AXE`."""
        self.see(f"{AXE.read_text(encoding='utf-8')};1")
        messages: str = self.see(
            "axe.run(document, {resultTypes: ['violations']}).then(made => "
            "made.violations.map(one => one.id + ' at ' + one.nodes[0].target.join(' ')).join('; '))"
        )
        return messages

    def insert(self, text: str) -> None:
        """Insert text at the cursor."""
        self._ask("Input.insertText", text=text)

    def picture(self, path: Path) -> None:
        """Save a picture of the window."""
        from base64 import b64decode

        path.write_bytes(b64decode(self._ask("Page.captureScreenshot")["data"]))

    def keep_downloads(self, folder: Path) -> None:
        """Save the downloads of the page in a folder."""
        self._ask("Page.setDownloadBehavior", behavior="allow", downloadPath=str(folder))

    def close(self) -> None:
        """Close the window."""
        self._socket.close()
        self._process.terminate()
        self._process.wait()
