"""The server behind the page: it answers only this machine, only its own pages, and only with the token of its link.

A web page can make a browser send requests to any address, including this one by another name (DNS rebinding). So a
request must name this machine as its host, and no other page may have sent it. Other users of this machine can connect
too. So the link contains a token, which the first answer turns into a cookie.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import json
import re
from collections.abc import Collection, Mapping
from typing import Any

from starlette.applications import Starlette
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from fcbdsl.editor.live import page
from fcbdsl.editor.live.background_runner import Lost
from fcbdsl.editor.live.project_state import Choice, Desk
from fcbdsl.editor.live.request_body import bounded_body

NAMES = ("127.0.0.1", "localhost")
"""Names of this machine in requests."""
LANGUAGES = ("en", "fr", "de")
"""The languages of the pages that change files; the first one replaces all others."""
REST = 0.05
"""Seconds between two messages to a page: results in between are sent together."""

COMMON = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}
CLOSED = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'"


class Hub:
    """Notifies all open pages of changes, from any thread."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._waiting: list[asyncio.Event] = []

    def publish(self) -> None:
        """Wake all pages."""
        loop = self._loop
        if loop is not None and not loop.is_closed():
            loop.call_soon_threadsafe(self._wake)

    def _wake(self) -> None:
        for event in self._waiting:
            event.set()

    def join(self) -> asyncio.Event:
        """Return an event that is set at each change."""
        self._loop = asyncio.get_running_loop()
        event = asyncio.Event()
        self._waiting.append(event)
        return event

    def leave(self, event: asyncio.Event) -> None:
        """Remove an event."""
        self._waiting.remove(event)


class LocalOnly:
    """Answers requests for this machine, from its own pages, with the token. Refuses all others."""

    def __init__(self, app: ASGIApp, port: int, token: str) -> None:
        self._app = app
        self._hosts = [f"{name}:{port}" for name in NAMES]
        self._token = token
        self._cookie = cookie_of(port)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve or refuse a request."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        asked = HTTPConnection(scope)
        if not self._is_local(asked, scope["type"]):
            await self._refuse("This is for pages of this machine alone.", scope, receive, send)
        elif scope["type"] == "http" and self._fits(asked.query_params.get("token", "")):
            rest = asked.url.remove_query_params("token")
            answer = RedirectResponse(f"{rest.path}?{rest.query}" if rest.query else rest.path, 303)
            answer.set_cookie(self._cookie, self._token, httponly=True, samesite="strict")
            await _answer(answer, CLOSED)(scope, receive, send)
        elif self._fits(asked.cookies.get(self._cookie, "")):
            await self._app(scope, receive, send)
        else:
            await self._refuse("Open the link that `fcb serve` has printed.", scope, receive, send)

    async def _refuse(self, why: str, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008})
        else:
            await _answer(PlainTextResponse(why, 403), CLOSED)(scope, receive, send)

    def _fits(self, token: str) -> bool:
        return hmac.compare_digest(token.encode(), self._token.encode())

    def _is_local(self, asked: HTTPConnection, sort: str) -> bool:
        return is_own_request(asked, sort, self._hosts)


def is_own_request(asked: HTTPConnection, sort: str, own_hosts: Collection[str]) -> bool:
    """Return whether a request is for one of the `own_hosts`, and no page of another origin has sent it."""
    hosts, origins = asked.headers.getlist("host"), asked.headers.getlist("origin")
    if len(hosts) != 1 or hosts[0] not in own_hosts:
        return False
    if asked.headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
        return False
    return origins == [f"http://{hosts[0]}"] or (sort == "http" and not origins)


def cookie_of(port: int) -> str:
    """Return the name of the cookie with the token: browsers send cookies to every port of a machine."""
    return f"fcb-{port}"


def page_language(request: Request) -> str:
    """Return the first language of the browser that the pages have."""
    wanted = re.findall(r"(?:^|,)\s*([a-zA-Z]{2})", request.headers.get("accept-language", ""))
    return next((code.lower() for code in wanted if code.lower() in LANGUAGES), LANGUAGES[0])


async def json_body(request: Request, most: int) -> dict[str, Any] | None:
    """Return the JSON object of a request; None if it has none, more than `most` bytes, or if the client leaves."""
    body = await bounded_body(request, most)
    if body is None:
        return None
    try:
        data = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) else None


def sockets_of(port: int) -> str:
    """Return the sources of a content security policy for websockets of this server."""
    return " ".join(f"ws://{name}:{port}" for name in NAMES)


def make_live_app(
    desk: Desk,
    hub: Hub,
    port: int,
    token: str,
    tables: ASGIApp | None = None,
    maps: ASGIApp | None = None,
    texts: ASGIApp | None = None,
) -> ASGIApp:
    """Return the application: the page, its script, failed games, and the channel that updates parts of the page.

    `tables`: the application below ``/play``; `maps`: the one below ``/map``; `texts`: the one below ``/write``."""
    opens = f"connect-src {sockets_of(port)}"
    policy = f"{CLOSED}; {opens}; img-src data:; font-src data:; style-src 'unsafe-inline'; script-src 'self'; "
    policy += "form-action 'self'"

    def whole(request: Request) -> Response:
        return _answer(HTMLResponse(page.whole_page(desk, _choice(request.query_params))), policy)

    def script(request: Request) -> Response:
        return _answer(Response(page.script(), media_type="text/javascript"), CLOSED)

    def story(request: Request) -> Response:
        lost = _lost(desk, request.query_params)
        if lost is None or not lost.page:
            return _answer(PlainTextResponse("That game is of an earlier change.", 404), CLOSED)
        return _answer(HTMLResponse(lost.page), _policy_of(lost.page))

    def log(request: Request) -> Response:
        lost = _lost(desk, request.query_params)
        if lost is None:
            return _answer(PlainTextResponse("That game is of an earlier change.", 404), CLOSED)
        return _answer(Response(lost.log, media_type="application/json"), CLOSED)

    async def follow(socket: WebSocket) -> None:
        await socket.accept()
        choice = _choice(socket.query_params)
        event = hub.join()
        gone = asyncio.create_task(_listen(socket))
        sent: dict[str, str] = {}
        try:
            while not gone.done():
                event.clear()
                parts = await asyncio.to_thread(page.parts_of, desk, choice)
                new = {part: html for part, html in parts.items() if sent.get(part) != html}
                if new:
                    sent.update(new)
                    await socket.send_text(json.dumps(new))
                await asyncio.sleep(REST)
                changed = asyncio.create_task(event.wait())
                await asyncio.wait((changed, gone), return_when=asyncio.FIRST_COMPLETED)
                changed.cancel()
        except WebSocketDisconnect:
            pass
        finally:
            hub.leave(event)
            gone.cancel()

    routes = [
        Route("/", whole),
        Route("/live.js", script),
        Route("/lost", story),
        Route("/log", log),
        WebSocketRoute("/follow", follow),
        *([Mount("/play", app=tables)] if tables is not None else []),
        *([Mount("/map", app=maps)] if maps is not None else []),
        *([Mount("/write", app=texts)] if texts is not None else []),
    ]
    return LocalOnly(Starlette(routes=routes), port, token)


async def _listen(socket: WebSocket) -> None:
    """Ignore the messages of a page until it disconnects."""
    try:
        while True:
            await socket.receive_bytes()
    except (WebSocketDisconnect, KeyError, RuntimeError):
        return


def _choice(asked: Mapping[str, str]) -> Choice:
    return Choice(asked.get("game", ""), asked.get("file", ""), asked.get("piece", ""))


def _lost(desk: Desk, asked: Mapping[str, str]) -> Lost | None:
    seed = asked.get("seed", "")
    return desk.lost(asked.get("game", ""), int(seed)) if re.fullmatch(r"\d{1,9}", seed) else None


def _answer(response: Response, policy: str) -> Response:
    response.headers.update({**COMMON, "Content-Security-Policy": policy})
    return response


_SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)


def _policy_of(html: str) -> str:
    """Return the content security policy of a game's page: only its own script may run, which is the last one."""
    scripts = _SCRIPT.findall(html)
    seal = base64.b64encode(hashlib.sha256(scripts[-1].encode()).digest()).decode() if scripts else ""
    return f"{CLOSED}; font-src data:; style-src 'unsafe-inline'" + (f"; script-src 'sha256-{seal}'" if seal else "")
