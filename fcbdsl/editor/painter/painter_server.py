"""The pages of the map painter, below ``/map`` of the live preview. They exist only with ``fcb serve --write``."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from html import escape
from typing import Any
from urllib.parse import urlencode

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from fcbdsl.base import resources
from fcbdsl.base.files import CannotRead
from fcbdsl.base.locales import interface_texts
from fcbdsl.editor.live.live_server import CLOSED, COMMON, json_body, page_language
from fcbdsl.editor.painter.map_painter import MapPainter
from fcbdsl.editor.painter.strokes import CannotPaint

WEB = resources.package_folder() / "editor" / "painter" / "web"
FILES = {"painter.js": "text/javascript", "painter.css": "text/css"}
PATH = "/map"
MOST_BYTES = 1 << 16
"""Most bytes of a stroke."""
POLICY = f"{CLOSED}; connect-src 'self'; img-src data:; style-src 'self' 'unsafe-inline'; script-src 'self'"


def make_painter_app(painter: MapPainter) -> ASGIApp:
    """Return the application of a painter: the list of maps, the page of a map, its state, and strokes."""

    def maps(request: Request) -> Response:
        rows = [
            f'<li><a href="{PATH}/paint?{escape(urlencode({"game": game, "mission": mission}))}">'
            f"{escape(f'{game}: {mission}' if game else mission)}</a></li>"
            for game, mission in painter.maps()
        ]
        return _answer(HTMLResponse(_page("maps.html", request).replace("<!-- maps -->", "".join(rows))))

    def page(request: Request) -> Response:
        return _answer(HTMLResponse(_page("painter.html", request)))

    def file(request: Request) -> Response:
        name = request.path_params["name"]
        if name not in FILES:
            return _answer(PlainTextResponse("There is no such file.", 404))
        return _answer(Response((WEB / name).read_bytes(), media_type=FILES[name]))

    async def state(request: Request) -> Response:
        return await _tried(request, painter.state, *_named(request))

    async def stroke(request: Request) -> Response:
        body = await json_body(request, MOST_BYTES)
        if body is None:
            return _answer(PlainTextResponse("This is no stroke.", 400))
        return await _tried(request, painter.stroke, *_named(request), str(body.pop("seal", "")), body)

    async def undo(request: Request) -> Response:
        return await _tried(request, painter.take_back, *_named(request))

    async def redo(request: Request) -> Response:
        return await _tried(request, painter.take_back, *_named(request), True)

    routes = [
        Route("/", maps),
        Route("/paint", page),
        Route("/web/{name}", file),
        Route("/state", state),
        Route("/stroke", stroke, methods=["POST"]),
        Route("/undo", undo, methods=["POST"]),
        Route("/redo", redo, methods=["POST"]),
    ]
    return Starlette(routes=routes)


def _named(request: Request) -> tuple[str, str]:
    return request.query_params.get("game", ""), request.query_params.get("mission", "")


def _page(name: str, request: Request) -> str:
    """Return a page with its texts."""
    language = page_language(request)
    words = {**interface_texts("painter", language), "language": language}
    text = (WEB / name).read_text(encoding="utf-8")
    return re.sub(r"\{([a-z-]+)\}", lambda match: escape(words[match[1]]), text)


async def _tried(request: Request, call: Callable[..., dict[str, Any]], *args: Any) -> Response:
    """Return the state that a call returns, with the texts of the page, or why it returns none."""
    try:
        state = await asyncio.to_thread(call, *args)
        return _answer(JSONResponse({**state, "texts": interface_texts("painter", page_language(request))}))
    except CannotPaint as refused:
        return _answer(JSONResponse({"refused": str(refused)}, 409))
    except (OSError, CannotRead) as error:
        why = getattr(error, "strerror", None) or error
        return _answer(JSONResponse({"refused": f"fcb cannot write the file: {why}."}, 409))


def _answer(response: Response) -> Response:
    response.headers.update({**COMMON, "Content-Security-Policy": POLICY})
    return response
