"""Reading the body of a request of a browser within bounds."""

from __future__ import annotations

from starlette.requests import ClientDisconnect, Request


async def bounded_body(request: Request, most: int) -> bytes | None:
    """Return the body of a request; None if it has more than `most` bytes, or the client goes away before its end."""
    body = b""
    try:
        async for part in request.stream():
            body += part
            if len(body) > most:
                return None
    except ClientDisconnect:
        return None
    return body
