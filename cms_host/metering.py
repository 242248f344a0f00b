"""A limit to what arrives on a connection, whatever becomes of it.

Limits to the body of an answer do not see what a parser skips: interim answers and the extensions of chunks may go on
for as long as somebody listens, and reading them keeps the event loop from everything else.
"""

import asyncio


class Metered(asyncio.Protocol):
    """Stands between a connection and the protocol that reads it.

    :param inner: knows the transport already. :param most: bytes, before decoding and after decryption.
    """

    def __init__(self, inner: asyncio.Protocol, transport: asyncio.Transport, most: int) -> None:
        self._inner: asyncio.Protocol | None = inner
        self._transport = transport
        self._left = most

    def data_received(self, data: bytes) -> None:
        self._left -= len(data)
        if self._left < 0:
            self.connection_lost(ConnectionAbortedError("more arrives than an answer can have"))
            self._transport.abort()
        elif self._inner is not None:
            self._inner.data_received(data)

    def eof_received(self) -> bool | None:
        return self._inner.eof_received() if self._inner is not None else None

    def connection_lost(self, error: Exception | None) -> None:
        inner, self._inner = self._inner, None
        if inner is not None:
            inner.connection_lost(error)

    def pause_writing(self) -> None:
        if self._inner is not None:
            self._inner.pause_writing()

    def resume_writing(self) -> None:
        if self._inner is not None:
            self._inner.resume_writing()
