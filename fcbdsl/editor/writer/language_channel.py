"""The language server for a page: JSON-RPC over a websocket, with what the page shows beside the text.

Besides the methods of the protocol there are three of fcb. ``fcb/print`` answers what the declaration at a line
prints, in its unsaved state. ``fcb/look`` sets the declaration whose tests the page shows. ``fcb/report`` notifies the
page of tests and of files that have changed on the disk.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from queue import Queue
from threading import Lock, Thread
from typing import Any

from lsprotocol import types
from starlette.websockets import WebSocket, WebSocketDisconnect

from fcbdsl.base.visible import visible
from fcbdsl.editor.live.background_runner import TestName
from fcbdsl.editor.live.live_server import REST, Hub
from fcbdsl.editor.live.page import painter_link, shown_faces, shown_problem, table_link
from fcbdsl.editor.live.project_state import TEST, Choice, Desk, GameDesk, LiveFace, faces_of, piece_key
from fcbdsl.editor.lsp.protocol import Broken, RequestFailed
from fcbdsl.editor.lsp.server import FcbServer, make_server
from fcbdsl.editor.lsp.sessions import EditorSession, NotOpened, Sessions
from fcbdsl.editor.writer.text_files import TextFiles
from fcbdsl.print.pieces.web import fill_page
from fcbdsl.project.paths import shown_name
from fcbdsl.project.project import NoProject, SeveralGames, UnknownGame

PRINT, LOOK, REPORT = "fcb/print", "fcb/look", "fcb/report"
MOST_SOCKETS = 8
"""Most pages at once; each has a language server."""
MOST_KEPT = 2
"""Most open projects that are kept for the next page."""
MOST_TESTS = 200
"""Most tests in a report."""


class ProjectSessions(Sessions):
    """Opens the games of an open project again, for unsaved texts, and nothing else on this machine."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk

    def of(self, path: Path) -> EditorSession:
        """Return the session of a file: of the game that owns it, or else of the first that uses it. Raise NotOpened
        if there is none."""
        name = shown_name(path)
        game = self._desk.game_of(name)
        if game is None:
            raise NotOpened(f"{name} is no text of this project.")
        key = ("", game.name)
        if key not in self._open:
            try:
                self._open[key] = EditorSession(game.space.reopened())
            except (NoProject, SeveralGames, UnknownGame) as error:
                raise NotOpened(str(error)) from error
        return self._open[key]


class LanguageChannels:
    """The websockets of all pages of an open project."""

    def __init__(self, desk: Desk, hub: Hub, files: TextFiles) -> None:
        self._desk = desk
        self._hub = hub
        self._files = files
        self._open = 0
        self._lock = Lock()
        self._kept: list[Sessions] = []

    async def follow(self, socket: WebSocket) -> None:
        """Serve a page until it leaves."""
        await socket.accept()
        if self._open >= MOST_SOCKETS:
            await socket.close(1013)
            return
        self._open += 1
        event = self._hub.join()
        try:
            await _Channel(self._desk, self._files, self._take(), event, self._keep).serve(socket)
        finally:
            self._open -= 1
            self._hub.leave(event)

    def _take(self) -> Sessions:
        with self._lock:
            return self._kept.pop() if self._kept else ProjectSessions(self._desk)

    def _keep(self, sessions: Sessions) -> None:
        with self._lock:
            if len(self._kept) < MOST_KEPT:
                self._kept.append(sessions)


class _Channel:
    """The websocket of a page."""

    def __init__(self, desk: Desk, files: TextFiles, sessions: Sessions, event: asyncio.Event, keep: Any) -> None:
        self._desk = desk
        self._files = files
        self._sessions = sessions
        self._keep = keep
        self._event = event
        self._loop = asyncio.get_running_loop()
        self._came: Queue[bytes | Broken | None] = Queue()
        self._sent: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._look = Choice()
        self._open: list[str] = []

    async def serve(self, socket: WebSocket) -> None:
        """Answer the messages of the page, and report changes, until it leaves."""
        server = make_server(self._sessions, self._desk)
        server.feature(PRINT)(lambda params: self._print(server, params))
        server.feature(LOOK)(self._looked)
        thread = Thread(target=self._run, args=(server,), daemon=True)
        thread.start()
        tasks = [asyncio.create_task(work) for work in (self._listen(socket), self._send(socket), self._report())]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()  # an exception is reported
        finally:
            self._came.put(None)
            for task in tasks:
                task.cancel()

    def _run(self, server: FcbServer) -> None:
        """Run the language server, in a thread of its own."""
        try:
            server.run(self._came, self._post)
            with self._desk:
                server.close()
            self._keep(self._sessions)
        finally:
            self._post(None)

    def _post(self, body: bytes | None) -> None:
        """Send a message, from any thread; None ends the connection."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._sent.put_nowait, body)

    async def _listen(self, socket: WebSocket) -> None:
        try:
            while True:
                self._came.put((await socket.receive_text()).encode("utf-8", "surrogatepass"))
        except (WebSocketDisconnect, KeyError, RuntimeError):
            return

    async def _send(self, socket: WebSocket) -> None:
        try:
            while (body := await self._sent.get()) is not None:
                await socket.send_text(body.decode("ascii"))
            await socket.close()
        except (WebSocketDisconnect, RuntimeError):
            return

    async def _report(self) -> None:
        """Notify the page of what changes in the project, with pauses."""
        before: dict[str, Any] | None = None
        reads = self._desk.reads
        while True:
            self._event.clear()
            again = self._desk.reads != reads
            if again:
                reads = self._desk.reads
                watched = {"jsonrpc": "2.0", "method": types.WORKSPACE_DID_CHANGE_WATCHED_FILES}
                self._came.put(json.dumps({**watched, "params": {"changes": []}}).encode())
            report = await asyncio.to_thread(self._state)
            if again or report != before:
                before = report
                self._post(json.dumps({"jsonrpc": "2.0", "method": REPORT, "params": report}).encode("ascii"))
            await asyncio.sleep(REST)
            await self._event.wait()

    # ── methods ────────────────────────────────────────────────────────────────────────────────

    def _print(self, server: FcbServer, params: object) -> dict[str, Any] | None:
        """Return what the declaration at a line (from 0) prints; None if there is none."""
        match params:
            case {"uri": str(uri), "line": int(line)}:
                pass
            case _:
                raise RequestFailed(f"{PRINT} needs `uri` and `line`.", types.ErrorCodes.InvalidParams.value)
        session, name = server.session(uri)
        space = session.space
        above = [
            declaration
            for declaration in space.declarations()
            if declaration.span.source.name == name
            and declaration.sort != TEST
            and declaration.line.span.line <= line + 1
        ]
        if not above:
            return None
        piece = above[-1]
        key = piece_key(piece)
        sound = not any(problem.severity == "error" for problem in space.problems())
        faces: Sequence[LiveFace] = faces_of(space, piece) if sound else ()
        game = self._game(space.loader.project.game)
        return {
            "piece": key,
            "title": visible(piece.title or piece.id),
            "sound": sound,
            "html": fill_page("faces.html.j2", shown_faces(space, faces, True)) if faces else "",
            "play": table_link(game, key) if game is not None else "",
            "paint": painter_link(self._desk, game, key) if game is not None else "",
        }

    def _looked(self, params: object) -> None:
        """Note which declaration the page shows, and which files it has open."""
        match params:
            case {"game": str(game), "file": str(file), "piece": str(piece), "open": [*names]}:
                self._look = Choice(game, file, piece)
                self._open = [name for name in names if isinstance(name, str)][:MOST_TESTS]
                self._loop.call_soon_threadsafe(self._event.set)

    def _game(self, name: str) -> GameDesk | None:
        return next((game for game in self._desk.games if game.name == name), None)

    def _state(self) -> dict[str, Any]:
        """Return the tests of the shown declaration, and the hashes of the open files on the disk."""
        with self._desk as desk:
            game = self._game(self._look.game) or desk.games[0]
            files = [name for name in self._open if any(name in game.space.files for game in desk.games)]
            own = desk.tests_of(game, self._look) if self._look.file else []
            others = [test for test in game.failed if test not in own]
            return {
                "trouble": desk.trouble,
                "ended": desk.ended,
                "sound": game.sound,
                "running": game.running,
                "counted": game.counted,
                "concerned": game.concerned,
                "run": len(game.run),
                "tests": len(game.tests),
                "failed": sum(test in game.failed for test in game.tests),
                "own": [_test(game, test) for test in own[:MOST_TESTS]],
                "others": [_test(game, test) for test in others[:MOST_TESTS]],
                "files": {name: self._files.seal(name) for name in files},
            }


def _test(game: GameDesk, test: TestName) -> dict[str, Any]:
    """Return a test with its failure, if it fails."""
    file, title = test
    failure = game.failed.get(test)
    if failure is None:
        return {"title": visible(title), "file": file, "state": "passed"}
    waits = not game.sound or (game.running and test not in game.run)
    shown = shown_problem(failure, "")
    return {
        "title": visible(title),
        "file": shown_name(Path(failure.span.source.name)),
        "line": failure.span.line,
        "state": "waiting" if waits else "failed",
        "text": shown.message,
        "help": shown.advice,
        "notes": list(shown.notes),
    }
