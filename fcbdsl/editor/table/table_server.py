"""The server of one table. It answers only its own pages, only under the names that it knows, and only with a token.

A link has its token in the fragment, which browsers do not send. The page exchanges it for a cookie. So the page itself
contains nothing of the game: everything comes over the websocket and `/dressing`.
"""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import replace

from starlette.applications import Starlette
from starlette.requests import HTTPConnection, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from fcbdsl.base import resources
from fcbdsl.base.locales import interface_texts
from fcbdsl.base.records import dataclass
from fcbdsl.editor.live.live_server import CLOSED, COMMON, is_own_request
from fcbdsl.editor.live.request_body import bounded_body
from fcbdsl.machine.vm.serialization import Json
from fcbdsl.play.table.campaign_table import CampaignTable
from fcbdsl.play.table.reasons import ActionReasons
from fcbdsl.play.table.screen import Audience, Screen
from fcbdsl.play.table.story_table import StoryTable
from fcbdsl.play.table.table import GameTable, Reason
from fcbdsl.play.table.table_protocol import (
    MOST_BYTES,
    AskWhyNot,
    BadMessage,
    ChooseCommand,
    Command,
    ForesightCommand,
    Greeting,
    Message,
    Proceed,
    Recall,
    Sit,
    Speak,
    TableView,
    TakeBack,
    TurnTo,
    ViewChange,
    Walk,
    encode_message,
    json_changes,
    message_data,
    read_command,
)

StoryCommand = ChooseCommand | TakeBack | TurnTo
WEB = resources.package_folder() / "editor" / "table" / "web"
FILES = {"table.js": "text/javascript", "board.js": "text/javascript", "table.css": "text/css", "board.css": "text/css"}
MOST_SOCKETS = 200
MOST_EACH = 8
"""Most browsers at a table, and most with one link."""
SEND_SECONDS = 5.0
"""Time that a browser has to take a message. One that reads nothing is disconnected, so that others need not wait."""
PER_SECOND = 20
"""Most messages of a browser in a second."""
PACE = 0.35
"""Seconds before each decision of a bot, so that people can follow it and no page learns how long a bot thinks."""


@dataclass(frozen=True, slots=True)
class Looks:
    """A dressing as bytes, under the name that follows from its content."""

    name: str
    data: bytes


@dataclass(frozen=True, slots=True)
class TableNote:
    """A text of the table that stays until it changes, with the parts that fill it."""

    word: str
    parts: tuple[str, ...] = ()


class TableHost:
    """A table, who may sit at it, and its open browsers."""

    def __init__(
        self,
        table: GameTable,
        links: Mapping[str, tuple[int, ...]],
        looks: Callable[[str], Looks | None],
        languages: tuple[str, ...],
        save: Callable[[], None] | None = None,
        pace: float = PACE,
        reasons: Callable[[], ActionReasons | None] | None = None,
        campaign: CampaignTable | None = None,
        story: StoryTable | None = None,
    ) -> None:
        """`links`: the seats of each token, none for spectators. `looks`: the dressing in a language. `save`: is called
        after each decision; None: the game is not saved. `reasons`: those of the game, made when a page asks.
        `campaign`: the one of which `table` is a part. `story`: the finished game that `table` shows."""
        self.table = table
        self.links = links
        self.languages = languages
        self._looks = looks
        self._dressings: dict[str, Looks | None] = {}
        self.saves = save is not None
        self.note: TableNote | None = None
        self._make_reasons = reasons
        self._reasons: ActionReasons | None = None
        self._former: dict[str, Looks | None] = {}
        self.unsaved: TableNote | None = None
        """Why the last decision is not saved."""
        self._save = save or (lambda: None)
        self._pace = pace
        self.campaign = campaign
        self.story = story
        self.lock = asyncio.Lock()
        self._open: list[Browser] = []
        self._sent: dict[Audience, dict[str, Json]] = {}
        self._bots: asyncio.Task[None] | None = None

    def seats_of(self, token: str) -> tuple[int, ...] | None:
        """Return the seats of a token; None if there is no such token."""
        own = None
        for link, seats in self.links.items():  # compares all tokens, so that its time reveals nothing
            if hmac.compare_digest(link.encode(), token.encode("utf-8", "replace")):
                own = seats
        if own and self.campaign is not None and self.campaign.is_between:  # the first link answers for bots
            taken = {seat for link, seats in self.links.items() if link != token for seat in seats}
            if own == next(seats for seats in self.links.values() if seats):
                own = tuple(seat for seat in range(self.table.record.players) if seat not in taken)
        return tuple(range(self.table.record.players)) if own and self.table.is_story else own

    def dressing(self, language: str) -> Looks | None:
        """Return the looks in a language."""
        if language not in self._dressings:
            self._dressings[language] = self._looks(language)
        return self._dressings[language]

    @property
    def has_reasons(self) -> bool:
        """Return whether pages may ask why an action is not possible."""
        return self._make_reasons is not None

    def reasons(self) -> ActionReasons | None:
        """Return the requirements of the game's actions."""
        if self._reasons is None and self._make_reasons is not None:
            self._reasons = self._make_reasons()
        return self._reasons

    def dressed(self, name: str) -> Looks | None:
        """Return the looks of a name that a browser was given."""
        dressings = (*self._dressings.values(), *self._former.values())
        return next((looks for looks in dressings if looks is not None and looks.name == name), None)

    # ── browsers ───────────────────────────────────────────────────────────────────────────────

    def join(self, browser: Browser) -> bool:
        """Let a browser in; False if there are too many."""
        alike = sum(socket.token == browser.token for socket in self._open)
        if len(self._open) >= MOST_SOCKETS or alike >= MOST_EACH:
            return False
        self._open.append(browser)
        return True

    def leave(self, browser: Browser) -> None:
        """Forget a browser."""
        if browser in self._open:
            self._open.remove(browser)

    async def tell(self, whole: bool = False) -> None:
        """Send all browsers what they see. Those that see the same, such as spectators, share one message."""
        messages: dict[tuple[object, ...], ViewMessage] = {}
        sending = []
        for browser in self._open:
            screen, shown = browser.screen, browser.shown
            key = (
                screen.seats,
                screen.sitting,
                screen.language,
                shown and (shown.audience, shown.lines, id(shown.data)),
            )
            if key not in messages:
                messages[key] = browser.view_message(whole)
            sending.append(browser.send_view(messages[key]))
        await asyncio.gather(*sending)

    def same_data(self, audience: Audience, data: dict[str, Json]) -> dict[str, Json]:
        """Return the object that was last sent to an audience if it equals `data`, so that its pages stay together."""
        if self._sent.get(audience) != data:
            self._sent[audience] = data
        return self._sent[audience]

    async def renew(self, renewed: Callable[[GameTable], GameTable | TableNote]) -> None:
        """Go on with the table that `renewed` returns, or keep this one with a note."""
        async with self.lock:
            result = await asyncio.to_thread(renewed, self.table)
            if isinstance(result, GameTable):
                self.note = None
                self._reasons = None
                await self._put(result)
            else:
                self.note = result
                await self.tell()
        self.go_on()

    async def _put(self, table: GameTable) -> None:
        """Replace the table for all browsers."""
        table.n, self.table = self.table.n + 1, table
        self._former, self._dressings = self._former | self._dressings, {}
        for browser in [*self._open]:
            browser.screen.table = table
            browser.screen.seats = self.seats_of(browser.token) or ()
            browser.screen.sitting = None
            await browser.greet()

    async def _tell_or_put(self, whole: bool) -> None:
        """Send all browsers what they see, at the next table of the campaign or story if there is one. `whole`: with
        the whole log."""
        source = self.campaign or self.story
        if source is not None and source.table is not self.table:
            await self._put(source.table)
        else:
            await self.tell(whole)

    async def close(self) -> None:
        """Close all browsers."""
        for browser in [*self._open]:
            await browser.close()

    async def obey(self, browser: Browser, command: Command) -> None:
        """Carry out a command of a browser, or refuse it."""
        async with self.lock:
            if isinstance(command, ForesightCommand):
                browser.foresee(command)
                return
            if isinstance(command, Proceed):
                reason = self._proceed(browser, command)
            elif self.story is not None and self.table.is_story and isinstance(command, StoryCommand):
                reason = self.story.obey(browser.screen.seats, command)
                if not reason and not self.story.table.is_story:
                    self._keep(self._save)
            elif isinstance(command, ChooseCommand | TakeBack | Walk | TurnTo):
                reason = browser.screen.decide(command)
                if not reason:
                    self._keep(self._save)
            else:
                await browser.turn(command)
                return
            if reason:
                await browser.refuse(reason)
                return
            await self._tell_or_put(whole=isinstance(command, TakeBack))
        self.go_on()

    def _proceed(self, browser: Browser, command: Proceed) -> Reason:
        """Go on with the campaign after a mission; return why that is not possible."""
        if (campaign := self.campaign) is None:
            return "not-yours"
        reasons: list[Reason] = []
        self._keep(lambda: reasons.append(campaign.proceed(browser.screen.seats, command.n)))
        return reasons[0] if reasons else ""

    def go_on(self) -> None:
        """Let bots decide until a person is asked."""
        if self._bots is None or self._bots.done():
            self._bots = asyncio.create_task(self._let_bots())

    async def _let_bots(self) -> None:
        while self.table.session.waits():
            await asyncio.sleep(self._pace)
            async with self.lock:
                if not await asyncio.to_thread(self.table.step):
                    return
                self._keep(self._save)
                await self.tell()

    def _keep(self, save: Callable[[], None]) -> None:
        """Save the game. If that fails, the game goes on with a note, and the next decision tries again."""
        try:
            save()
        except OSError as error:
            self.unsaved = TableNote("unsaved", (error.strerror or str(error),))
        else:
            self.unsaved = None


@dataclass(frozen=True, slots=True)
class ViewMessage:
    """A view as a browser receives it. `data`: the view as JSON without its log, of which a page then has `lines`."""

    text: str
    audience: Audience
    lines: int
    data: dict[str, Json]


class Browser:
    """One open page, and its connection."""

    def __init__(self, desk: TableHost, socket: WebSocket, token: str, screen: Screen, changes: bool = False) -> None:
        """`changes`: the page asks for changes instead of whole views."""
        self.desk = desk
        self.shown: ViewMessage | None = None
        """The last view that the page was sent, if it asks for changes."""
        self._changes = changes
        self.socket = socket
        self.token = token
        self.screen = screen
        self._wanted: dict[type[ForesightCommand], ForesightCommand] = {}
        self._thinking: asyncio.Task[None] | None = None
        self._closing: asyncio.Task[None] | None = None

    async def greet(self) -> None:
        """Send what does not change, then the first view."""
        await self._send(self.screen.greeting(await self._dressing(self.screen.language)))
        self.shown = None
        await self.show(whole=True)

    async def close(self) -> None:
        """End the connection."""
        with suppress(WebSocketDisconnect, RuntimeError, OSError):
            await self.socket.close(1001)

    async def show(self, whole: bool = False) -> None:
        """Send what the page sees now."""
        await self.send_view(self.view_message(whole))

    def view_message(self, whole: bool) -> ViewMessage:
        """Return what the page sees now: as a whole, or what has changed since the last view of the same audience."""
        former, audience = self.shown, self.screen.audience()
        is_same_audience = former is not None and former.audience == audience
        lines = former.lines if former is not None and is_same_audience and not whole else 0
        view = self._with_state_of_host(self.screen.view(whole or (self._changes and not is_same_audience), lines))
        assert isinstance(view, TableView)
        if not self._changes:
            return ViewMessage(encode_message(view), audience, 0, {})
        data = self.desk.same_data(audience, message_data(replace(view, start=0, told=())))
        message: Message = view
        if former is not None:
            message = ViewChange("change", json_changes(former.data, data), view.start, view.told)
        return ViewMessage(encode_message(message), audience, view.start + len(view.told), data)

    async def send_view(self, message: ViewMessage) -> None:
        """Send a view, and remember it for the next one."""
        self.shown = message if self._changes else None
        await self.send_text(message.text)

    async def turn(self, command: Sit | Speak | Recall) -> None:
        """Carry out a command that changes only this page."""
        dressing = ""
        if isinstance(command, Speak) and command.language in self.screen.languages:
            dressing = await self._dressing(command.language)
        for message in self.screen.turn(command, dressing):
            if isinstance(message, TableView):
                self.shown = None
                await self.show(whole=True)
            else:
                await self._send(message)

    def foresee(self, command: ForesightCommand) -> None:
        """Answer a question about choices in the background: of those that wait, the last one of each sort."""
        self._wanted[type(command)] = command
        if self._thinking is None or self._thinking.done():
            self._thinking = asyncio.create_task(self._think())

    async def _think(self) -> None:
        while self._wanted:
            _, command = self._wanted.popitem()
            wanted = isinstance(command, AskWhyNot)
            reasons = await asyncio.to_thread(self.desk.reasons) if wanted else None
            async with self.desk.lock:
                answer = self.screen.foresee(command, reasons)
            if answer is not None:
                await self._send(await asyncio.to_thread(answer))

    async def refuse(self, reason: str, *parts: str) -> None:
        """Send why a command had no effect, and what the page sees."""
        await self._send(self.screen.refusal(reason, *parts))
        await self.show()

    async def _dressing(self, language: str) -> str:
        """Make the looks in a language, and return their name."""
        looks = await asyncio.to_thread(self.desk.dressing, language)
        return looks.name if looks is not None else ""

    async def _send(self, message: Message) -> None:
        await self.send_text(encode_message(self._with_state_of_host(message)))

    async def send_text(self, text: str) -> None:
        """Send an encoded message, unless the page is gone. Close a page that takes none within SEND_SECONDS."""
        if self._closing is not None:
            return
        try:
            async with asyncio.timeout(SEND_SECONDS):
                await self.socket.send_text(text)
        except TimeoutError:
            self.desk.leave(self)
            self._closing = asyncio.create_task(self.close())
        except (WebSocketDisconnect, RuntimeError, OSError):
            pass

    def _with_state_of_host(self, message: Message) -> Message:
        """Return a message with what the host knows of the game: whether it is saved, and its note."""
        if isinstance(message, Greeting):
            texts = message.words if self.desk.saves else {**message.words, "cut": message.words["cut-unsaved"]}
            return replace(message, words=texts, reasons=self.desk.has_reasons)
        if not isinstance(message, TableView):
            return message
        if (note := self.desk.unsaved or self.desk.note) is not None:
            text = interface_texts("table", self.screen.language)[note.word].format(*note.parts)
            message = replace(message, note=text)
        if self.screen.table.is_story and (story := self.desk.story) is not None and self.screen.seats:
            return replace(message, turns=story.turns(self.screen.language), note=story.place(self.screen.language))
        over = self.desk.campaign is not None and self.desk.table.ask is None and not self.desk.campaign.is_between
        return replace(message, proceed=True) if over and self.screen.seats else message


class OwnPagesOnly:
    """Answers requests for its own names, from its own pages. Refuses all others."""

    def __init__(self, app: ASGIApp, hosts: Collection[str]) -> None:
        self._app = app
        self._hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve, or refuse."""
        if scope["type"] not in ("http", "websocket") or is_own_request(
            HTTPConnection(scope), scope["type"], self._hosts
        ):
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008})
        else:
            await _answer(PlainTextResponse("This table answers only its own pages.", 403))(scope, receive, send)


def make_table_app(desk: TableHost, hosts: Collection[str], port: int, path: str = "/") -> ASGIApp:
    """Return the application. `hosts`: the names with ports under which it answers. `path`: where it is mounted."""
    cookie = f"fcb-table-{port}"
    opens = " ".join(f"ws://{host}" for host in hosts)
    policy = f"{CLOSED}; connect-src 'self' {opens}; img-src data:; font-src data:; style-src 'self' 'unsafe-inline'; "
    policy += "script-src 'self'; form-action 'none'"

    def page(request: Request) -> Response:
        return _answer(Response((WEB / "table.html").read_bytes(), media_type="text/html"), policy)

    def file(request: Request) -> Response:
        name = request.path_params["name"]
        if name not in FILES:
            return _answer(PlainTextResponse("There is no such file.", 404))
        return _answer(Response((WEB / name).read_bytes(), media_type=FILES[name]))

    def check(request: Request) -> Response:
        seats = desk.seats_of(request.cookies.get(cookie, ""))
        return _answer(Response(status_code=204 if seats is not None else 403))

    async def enter(request: Request) -> Response:
        body = await bounded_body(request, MOST_BYTES)
        if body is None:
            return _answer(PlainTextResponse("Too long.", 413))
        token = body.decode("utf-8", "replace")
        if desk.seats_of(token) is None:
            return _answer(PlainTextResponse("Open the link that fcb printed.", 403))
        response = Response(status_code=204)
        response.set_cookie(cookie, token, path=path, httponly=True, samesite="strict")
        return _answer(response)

    def dressing(request: Request) -> Response:
        looks = desk.dressed(request.path_params["name"])
        if desk.seats_of(request.cookies.get(cookie, "")) is None or looks is None:
            return _answer(PlainTextResponse("Open the link that fcb printed.", 403))
        response = _answer(Response(looks.data, media_type="application/json"))
        response.headers["Cache-Control"] = "private, max-age=31536000, immutable"
        return response

    async def sit(socket: WebSocket) -> None:
        token = socket.cookies.get(cookie, "")
        seats = desk.seats_of(token)
        language = socket.query_params.get("language", "")
        if seats is None:
            await socket.close(1008)
            return
        changes = "changes" in socket.query_params
        browser = Browser(desk, socket, token, Screen(desk.table, seats, language, desk.languages), changes)
        if not desk.join(browser):
            await socket.close(1013)
            return
        await socket.accept()
        try:
            await browser.greet()
            desk.go_on()
            await _listen(browser)
        finally:
            desk.leave(browser)

    routes = [
        Route("/", page),
        Route("/web/{name}", file),
        Route("/enter", enter, methods=["POST"]),
        Route("/enter", check),
        Route("/dressing/{name}", dressing),
        WebSocketRoute("/table", sit),
    ]
    return OwnPagesOnly(Starlette(routes=routes), hosts)


async def _listen(browser: Browser) -> None:
    """Carry out what a browser sends until it goes, or sends too much."""
    clock = asyncio.get_running_loop().time
    left, last = float(PER_SECOND), clock()
    with suppress(WebSocketDisconnect, RuntimeError):
        while True:
            try:
                text = await browser.socket.receive_text()
            except KeyError:  # bytes
                await browser.socket.close(1003)
                return
            now = clock()
            left, last = min(float(PER_SECOND), left + (now - last) * PER_SECOND), now
            if left < 1:
                await browser.refuse("fast")
                await browser.socket.close(1008)
                return
            left -= 1
            try:
                command = read_command(text)
            except BadMessage as bad:
                await browser.refuse("bad", str(bad))
                continue
            await browser.desk.obey(browser, command)


def _answer(response: Response, policy: str = CLOSED) -> Response:
    response.headers.update({**COMMON, "Content-Security-Policy": policy})
    return response
