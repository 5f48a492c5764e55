"""Tables for the missions of an open project: *Play* in the live preview.

They are part of the server of the preview, at ``/play/``, and need the tokens of both. A save retraces the decisions of
each game on the new program.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Sequence
from functools import partial

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from fcbdsl.base.records import dataclass
from fcbdsl.editor.live.live_server import CLOSED, COMMON, NAMES
from fcbdsl.editor.live.project_state import Desk, GameDesk
from fcbdsl.editor.table.action_requirements import reasons_of
from fcbdsl.editor.table.table_server import Looks, TableHost, TableNote, make_table_app
from fcbdsl.language.model.whole import Model
from fcbdsl.machine.vm.image import Image
from fcbdsl.machine.vm.program import Program
from fcbdsl.machine.vm.setup import CannotStart
from fcbdsl.machine.vm.verify.verifier import verify_program
from fcbdsl.play.bots.roster import bots_beside_persons
from fcbdsl.play.session.playout import Divergence, Record
from fcbdsl.play.table.reasons import ActionReasons
from fcbdsl.play.table.retracing import Parted, retrace_record
from fcbdsl.play.table.table import GameTable
from fcbdsl.print.pieces.printables import is_sheet

MOST_TABLES = 8
"""Most open tables; a further one closes the oldest."""
PATH = "/play"
BOT = "sensible"
"""The bot of all seats but the first."""


@dataclass(frozen=True, slots=True)
class _Open:
    """A table of a game, and the application that serves it."""

    game: GameDesk
    host: TableHost
    app: ASGIApp


class ProjectTables:
    """All tables of an open project, as an application below `PATH`."""

    def __init__(
        self,
        desk: Desk,
        port: int,
        looks: Callable[[Model, str], Callable[[str], Looks | None]],
        languages: Callable[[Program], Sequence[str]],
    ) -> None:
        """`looks`: the dressing of a mission of a model in a language. `languages`: those of a program."""
        self._desk = desk
        self._port = port
        self._looks = looks
        self._languages = languages
        self._tables: dict[str, _Open] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._app = Starlette(routes=[Route("/", self._open), Mount("/{table}", app=self._enter)])

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Open a table, or serve an open one."""
        await self._app(scope, receive, send)

    async def _open(self, request: Request) -> Response:
        """Open a table for a mission of the present sources, and go to its link."""
        asked = request.query_params
        opened = await asyncio.to_thread(self._new_table, asked.get("game", ""), asked.get("mission", ""))
        if isinstance(opened, str):
            return _answer(PlainTextResponse(opened, 409))
        table, game, languages = opened
        token, name = secrets.token_urlsafe(24), secrets.token_hex(4)
        looks = partial(self._dressed, game, table.record.mission)
        reasons = partial(self._reasons, game, tuple(languages))
        host = TableHost(table, {token: (0,)}, looks, tuple(languages), reasons=reasons)
        hosts = [f"{name}:{self._port}" for name in NAMES]
        self._loop = asyncio.get_running_loop()
        self._tables[name] = _Open(game, host, make_table_app(host, hosts, self._port, f"{PATH}/{name}/"))
        while len(self._tables) > MOST_TABLES:
            oldest = next(iter(self._tables))
            await self._tables.pop(oldest).host.close()
        return _answer(RedirectResponse(f"{PATH}/{name}/#{token}", 303))

    async def _enter(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve an open table."""
        table = self._tables.get(scope["path_params"]["table"])
        if table is not None:
            await table.app(scope, receive, send)
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008})
        else:
            await _answer(PlainTextResponse("That table is closed.", 404))(scope, receive, send)

    def _new_table(self, name: str, mission: str) -> tuple[GameTable, GameDesk, Sequence[str]] | str:
        """Return a new table with its game and languages, or why there is none."""
        game = next((game for game in self._desk.games if game.name == name), None)
        if game is None:
            return "There is no such game."
        program = self._program(game)
        if program is None:
            return "The sources have errors. Fix them, then play."
        missions = [row.id for row in program.definitions if program.kinds[row.kind].policy == "mission"]
        if mission not in missions:
            return "There is no such mission."
        record = Record(program.hash, mission, program.players[0], secrets.randbelow(1 << 32))
        try:
            return _table(Image(program), record), game, self._languages(program)
        except CannotStart as error:
            return f"This mission cannot start: {error}."

    def _program(self, game: GameDesk) -> Program | None:
        """Return the verified program of the present sources; None if they have errors."""
        with self._desk:
            if not game.sound:
                return None
            program = game.space.program()
        return None if verify_program(program) else program

    def _dressed(self, game: GameDesk, mission: str, language: str) -> Looks | None:
        """Return the looks of a mission; None while the sources have errors or lack it."""
        with self._desk:
            model = game.space.model
            if not game.sound or not any(
                definition.id == mission and is_sheet(definition) for definition in model.definitions.values()
            ):
                return None
            return self._looks(model, mission)(language)

    def _reasons(self, game: GameDesk, languages: Sequence[str]) -> ActionReasons | None:
        """Return the requirements of a game's actions; None while the sources have errors."""
        with self._desk:
            return reasons_of(game.space.model, languages) if game.sound else None

    # ── after a save ───────────────────────────────────────────────────────────────────────────

    def refresh(self) -> None:
        """Retrace all games on the saved sources; may be called from any thread."""
        loop = self._loop
        if loop is not None and not loop.is_closed():
            loop.call_soon_threadsafe(lambda: loop.create_task(self.renew()))

    async def renew(self) -> None:
        """Retrace all games on the saved sources."""
        programs: dict[str, Program | None] = {}
        for table in [*self._tables.values()]:
            if table.game.name not in programs:
                programs[table.game.name] = await asyncio.to_thread(self._program, table.game)
            await table.host.renew(partial(_renewed, programs[table.game.name]))


def _table(image: Image, record: Record) -> GameTable:
    return GameTable(image, record, bots_beside_persons(BOT, record.players, (0,), record.seed))


def _renewed(program: Program | None, table: GameTable) -> GameTable | TableNote:
    """Return the table of the same game on a new program, or why it plays the earlier version."""
    if program is None:
        return TableNote("earlier-errors")
    try:
        image = Image(program)
        return _table(image, retrace_record(table.image, table.record, image))
    except Parted as parted:
        return TableNote("earlier-parted", (str(parted.number), str(len(table.record.decisions))))
    except (CannotStart, Divergence) as error:
        return TableNote("earlier-start", (str(error),))


def _answer(response: Response) -> Response:
    response.headers.update({**COMMON, "Content-Security-Policy": CLOSED})
    return response
