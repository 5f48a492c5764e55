"""The editor in the page, below ``/write`` of the live preview. Without `--write` it only shows texts."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp

from fcbdsl.base import resources
from fcbdsl.base.bounds import FILE_BYTES
from fcbdsl.base.files import CannotRead
from fcbdsl.base.locales import interface_texts
from fcbdsl.editor.live.live_server import CLOSED, COMMON, Hub, json_body, page_language, sockets_of
from fcbdsl.editor.live.page import dress
from fcbdsl.editor.live.project_state import Desk
from fcbdsl.editor.writer.language_channel import LanguageChannels
from fcbdsl.editor.writer.text_files import CannotSave, Conflict, TextFiles
from fcbdsl.print.pieces.looks import style_of
from fcbdsl.print.pieces.web import fill_page
from fcbdsl.print.typeset.folders import TEMPLATES

WEB = resources.package_folder() / "editor" / "writer" / "web"
FILES = dict.fromkeys(("writer.js", "language.js", "markdown.js", "codemirror.js"), "text/javascript")
MOST_BYTES = 6 * FILE_BYTES
"""Most bytes of a request with a text: JSON may write six bytes for one."""


def make_writer_app(desk: Desk, hub: Hub, port: int, writes: bool) -> ASGIApp:
    """Return the application of the editor. `writes`: it may save."""
    files = TextFiles(desk, writes)
    channels = LanguageChannels(desk, hub, files)
    policy = f"{CLOSED}; connect-src 'self' {sockets_of(port)}; img-src data:; font-src data:; "
    policy += "style-src 'unsafe-inline'; script-src 'self'"

    def answer(response: Response) -> Response:
        response.headers.update({**COMMON, "Content-Security-Policy": policy})
        return response

    def page(request: Request) -> Response:
        return answer(HTMLResponse(_page(desk, files, request)))

    def file(request: Request) -> Response:
        name = request.path_params["name"]
        if name not in FILES:
            return answer(PlainTextResponse("There is no such file.", 404))
        return answer(Response((WEB / name).read_bytes(), media_type=FILES[name]))

    async def tried(call: Callable[..., dict[str, Any]], *args: Any) -> Response:
        try:
            return answer(JSONResponse(await asyncio.to_thread(call, *args)))
        except Conflict as conflict:
            refusal = {"refused": str(conflict), "text": conflict.text, "seal": conflict.seal}
            return answer(JSONResponse(refusal, 409))
        except CannotSave as error:
            return answer(JSONResponse({"refused": str(error)}, 409))
        except CannotRead as error:
            return answer(JSONResponse({"refused": f"fcb cannot read the file: {error}."}, 409))
        except OSError as error:
            return answer(JSONResponse({"refused": f"fcb cannot write the file: {error}."}, 409))

    async def text(request: Request) -> Response:
        return await tried(files.read, request.query_params.get("file", ""))

    async def save(request: Request) -> Response:
        match await json_body(request, MOST_BYTES):
            case {"file": str(name), "seal": str(seal), "text": str(text)}:
                return await tried(files.save, name, seal, text)
        return answer(PlainTextResponse("This is no text to save.", 400))

    async def undo(request: Request) -> Response:
        match await json_body(request, MOST_BYTES):
            case {"file": str(name)}:
                return await tried(files.take_back, name)
        return answer(PlainTextResponse("This names no file.", 400))

    routes = [
        Route("/", page),
        Route("/web/{name}", file),
        Route("/text", text),
        *([Route("/save", save, methods=["POST"]), Route("/undo", undo, methods=["POST"])] if writes else []),
        WebSocketRoute("/language", channels.follow),
    ]
    return Starlette(routes=routes)


def _page(desk: Desk, files: TextFiles, request: Request) -> str:
    """Return the page, for the file in its address."""
    language = page_language(request)
    words = interface_texts("writer", language)
    asked = request.query_params
    with desk:
        game, _ = desk.shown(desk.saved)
        style = style_of(game.space.model)
        project = game.space.loader.project
    line = asked.get("line", "")
    file, first = files.first(asked.get("file", ""))
    state = {
        "texts": words,
        "games": files.overview(),
        "file": file,
        "line": int(line) if line.isdecimal() and len(line) < 9 else first,
        "writes": files.writes,
    }
    return fill_page(
        "writer.html.j2",
        {
            "language": language,
            "words": words,
            "writes": files.writes,
            "paints": desk.paints,
            "project": project.title or project.name or game.name or "fcb",
            "state": json.dumps(state),
            "own_style": (TEMPLATES / "live.css").read_text(encoding="utf-8")
            + (WEB / "writer.css").read_text(encoding="utf-8"),
            **dress(style),
        },
    )
