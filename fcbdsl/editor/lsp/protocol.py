"""Messages of the language server: their frames on a stream, and the types of requests, answers and errors."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO

import cattrs
from lsprotocol import converters, types

from fcbdsl.base.records import dataclass

MOST_BYTES = 64 * 2**20
"""Bytes of one message; a longer one is refused."""
_CHUNK = 2**16
_KEPT = 200
"""Bytes at the end of a chunk in which a header may have begun."""

_LENGTH = re.compile(rb"content-length[ \t]*:[ \t]*((?:(?!content-length)[^\r\n])*?)[ \t]*\r?\n", re.IGNORECASE)
_NEXT = re.compile(rb"content-length[ \t]*:[ \t]*[0-9]+[ \t]*\r?\n", re.IGNORECASE)
"""A header that ends a body with a wrong length. Text in JSON can't look like this: it has no line ends."""
_END_OF_HEADERS = re.compile(rb"\r?\n\r?\n")


class RequestFailed(Exception):
    """A request that is answered with an error; the message gives the reason."""

    def __init__(self, message: str, code: int = types.LSPErrorCodes.RequestFailed.value) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True, slots=True)
class Broken:
    """Bytes that are no message; `why` is the reason."""

    why: str


def frames(read: Callable[[int], bytes]) -> Iterator[bytes | Broken]:
    """Yield the bodies of the messages in a stream of bytes, until its end.

    Other bytes are skipped up to the next header. No valid body contains a header, since JSON escapes the line ends in
    strings. So a body with a wrong length ends at the header that follows.
    """
    buffer = bytearray()
    while True:
        while (blank := _END_OF_HEADERS.search(buffer)) is None:
            del buffer[:-_CHUNK]  # no headers are so long
            if not (more := read(_CHUNK)):
                return
            buffer += more
        lengths = [match[1] for match in _LENGTH.finditer(buffer, 0, blank.end())]
        del buffer[: blank.end()]
        if not lengths:
            yield Broken("These bytes are no message: the header `Content-Length` is missing.")
            continue
        digits = bytes(lengths[-1])
        if not (digits.isdigit() and len(digits) < 12 and int(digits) <= MOST_BYTES):
            shown = digits[:40].decode("ascii", "replace")
            yield Broken(f"`Content-Length: {shown}` must be a number from 0 to {MOST_BYTES}.")
            continue
        length, searched = int(digits), 0
        while True:
            following = _NEXT.search(buffer, searched)
            if following is not None and following.start() < length:
                yield Broken("The message is shorter than its `Content-Length`.")
                del buffer[: following.start()]
                break
            if len(buffer) >= length:
                yield bytes(buffer[:length])
                del buffer[:length]
                break
            searched = max(0, len(buffer) - _KEPT)
            if not (more := read(_CHUNK)):
                return
            buffer += more


# ── JSON ───────────────────────────────────────────────────────────────────────────────────────


def _text(value: object, _: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r:.40} is not a string")
    return value


def _number(value: object, _: object) -> int:
    if isinstance(value, float) and value.is_integer():
        return int(value)  # some clients know one type of number only
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{value!r:.40} is not an integer")
    return value


def _flag(value: object, _: object) -> bool:
    if not isinstance(value, bool):
        raise TypeError(f"{value!r:.40} is not true or false")
    return value


def _converter() -> cattrs.Converter:
    converter = converters.get_converter()
    converter.register_structure_hook(str, _text)
    converter.register_structure_hook(int, _number)
    converter.register_structure_hook(bool, _flag)
    return converter


Send = Callable[[bytes], None]
"""Sends the body of a message to the client."""


def framing(out: BinaryIO) -> Send:
    """Return a function that writes the bodies of messages to a stream, each with its header."""

    def send(body: bytes) -> None:
        out.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        out.flush()

    return send


class Wire:
    """Reads the parameters of messages and sends answers and notifications.

    Methods that are not in the protocol, such as those of the page of `fcb serve`, have plain JSON as parameters and
    results.
    """

    def __init__(self, send: Send) -> None:
        self._send = send
        self._converter = _converter()

    def params(self, method: str, given: object) -> Any:
        """Return the parameters of a message in their type. Raise RequestFailed if they do not fit it."""
        if method not in types.METHOD_TO_TYPES:
            return given
        kind: Any = types.METHOD_TO_TYPES[method][2]
        if kind is None:
            return None
        try:
            return self._converter.structure(given, kind)
        except Exception as error:  # cattrs raises groups of the exceptions of its hooks
            why = "; ".join(cattrs.transform_error(error, path="params")[:3])
            raise RequestFailed(f"Invalid params of {method}: {why}", types.ErrorCodes.InvalidParams.value) from error

    def answer(self, method: str, number: int | str, result: object) -> None:
        """Send the result of a request."""
        if method not in types.METHOD_TO_TYPES:
            self._write({"jsonrpc": "2.0", "id": number, "result": result})
            return
        response: Any = types.METHOD_TO_TYPES[method][1]
        self._write(response(id=number, result=result))

    def fail(self, number: int | str | None, code: int, message: str) -> None:
        """Send the error that answers a request; None: a request with an unknown number."""
        self._write({"jsonrpc": "2.0", "id": number, "error": {"code": code, "message": message}})

    def notify(self, method: str, params: object) -> None:
        """Send a notification."""
        if method not in types.METHOD_TO_TYPES:
            self._write({"jsonrpc": "2.0", "method": method, "params": params})
            return
        notification: Any = types.METHOD_TO_TYPES[method][0]
        self._write(notification(params=params))

    def _write(self, message: object) -> None:
        self._send(json.dumps(self._converter.unstructure(message)).encode("ascii"))


def read_message(body: bytes) -> dict[str, Any]:
    """Return a message as parsed JSON. Raise RequestFailed if it is not valid."""
    try:
        message = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise RequestFailed(f"This is not JSON: {error}", types.ErrorCodes.ParseError.value) from error
    if not isinstance(message, dict):
        raise RequestFailed("A message must be a JSON object.", types.ErrorCodes.InvalidRequest.value)
    return message
