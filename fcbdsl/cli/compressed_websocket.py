"""Websockets that remember 32 KB of what they have sent.

A view repeats most of the view before, and is longer than the 4 KB that uvicorn lets a compressor remember. With the
longest window a decision costs a tenth of the bytes.
"""

from __future__ import annotations

from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.extensions.permessage_deflate import ServerPerMessageDeflateFactory

MEMORY = 5
"""The memory level of a compressor: about 150 KB for each browser."""


class CompressedWebSocket(WebSocketsSansIOProtocol):
    """The protocol of uvicorn with the longest window."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.conn.available_extensions = [ServerPerMessageDeflateFactory(compress_settings={"memLevel": MEMORY})]
