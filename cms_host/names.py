"""Looking up the names of other hosts."""

import asyncio
import socket
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from aiohttp.abc import AbstractResolver, ResolveResult

#: Names that are looked up at the same time; others wait.
AT_ONCE = 32


class Names(AbstractResolver):
    """Asks the machine, in threads that do nothing else.

    A name whose server never answers holds its thread for as long as the machine waits for it, which is half a minute
    on many. In the event loop's own threads, where files are written and passwords hashed, a few such names would hold
    up everybody.
    """

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(AT_ONCE, "names")

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        """The addresses of a host. :raises OSError: nobody knows any."""
        ask = partial(socket.getaddrinfo, host, port, family, socket.SOCK_STREAM, 0, socket.AI_ADDRCONFIG)
        found = await asyncio.get_running_loop().run_in_executor(self._threads, ask)
        return [
            ResolveResult(
                hostname=host,
                host=str(address[0]),
                port=port,
                family=kind,
                proto=protocol,
                flags=socket.AI_NUMERICHOST | socket.AI_NUMERICSERV,
            )
            for kind, _, protocol, _, address in found
        ]

    async def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)
