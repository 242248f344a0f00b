"""One delivery: an entry is added, unless it is there already."""

import asyncio
from typing import Any

from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from cms_host.api import Delivery, EventSink, Outbox, Result, Settings, UnitOfWork, iso, local
from cms_sink_redis_stream.options import MAX_LENGTH, STREAM

#: What the outbox calls this sink.
NAME = "redis_stream"
#: The sink has one target, the stream.
TARGET = ""
#: Seconds until a connection stands, and for a whole attempt.
CONNECT, PATIENCE = 3.0, 10.0
#: Connections that one process holds at the most: one delivers, the others are for those who look at health.
CONNECTIONS = 4
#: How many of the newest entries are looked at for one that is to be added.
LOOKED_AT = 100
#: Whether an entry is there and its being added are one step for Redis, so two processes can't both find it missing.
_ADD = """\
for _, entry in ipairs(redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', ARGV[2])) do
    if entry[2][1] == 'id' and entry[2][2] == ARGV[3] then return entry[1] end
end
return redis.call('XADD', KEYS[1], 'MAXLEN', '~', ARGV[1], '*',
    'id', ARGV[3], 'event', ARGV[4], 'created_at', ARGV[5], 'body', ARGV[6])
"""


class RedisStreamSink(EventSink):
    """Adds each event to a stream: `id`, `event`, `created_at`, and `body`, the bytes that all other receivers get.

    A repeated delivery adds nothing as long as the entry is among the newest hundred. Readers skip an `id` that they
    have seen longer ago.
    """

    name = NAME

    def __init__(self, url: str, settings: Settings) -> None:
        """:raises ValueError: the URL can't be read; the message does not quote it, for it may hold a password."""
        try:
            pool = BlockingConnectionPool.from_url(
                url,
                max_connections=CONNECTIONS,
                timeout=CONNECT,
                socket_connect_timeout=CONNECT,
                socket_timeout=PATIENCE,
                # The outbox tries again, and knows when.
                retry=Retry(NoBackoff(), 0),
            )
        except ValueError:
            raise ValueError("redis_url can't be read (reserved characters of a password are written as %XX)") from None
        self._redis = Redis.from_pool(pool)
        self._add = self._redis.register_script(_ADD)
        self._settings = settings

    async def deliver(self, unit: UnitOfWork, delivery: Delivery) -> Result:
        event, stream = delivery.event, self._settings[STREAM]
        moment = iso(event.created_at, "UTC")
        sent: list[bytes | str | int] = [
            self._settings[MAX_LENGTH], LOOKED_AT, event.id, event.kind, moment, event.body,
        ]  # fmt: skip
        record: dict[str, Any] = {"stream": stream}
        try:
            async with asyncio.timeout(PATIENCE):
                entry = await self._add(keys=[stream], args=sent)
        except TimeoutError:
            return Result(ok=False, record={**record, "error": f"no answer within {PATIENCE:g} seconds"})
        except (RedisError, OSError) as error:
            return Result(ok=False, record={**record, "error": f"{type(error).__name__}: {error}"})
        return Result(ok=True, record={**record, "entry": entry.decode()})

    async def look(self, unit: UnitOfWork) -> str:
        """How many entries there are, for health.

        :raises RuntimeError: Redis is silent, or the last attempts to add an entry failed.
        :raises RedisError: the stream can't be read.
        """
        stream = self._settings[STREAM]
        try:
            async with asyncio.timeout(CONNECT):
                number = await self._redis.xlen(stream)
        except TimeoutError:
            raise RuntimeError(f"Redis gave no answer within {CONNECT:g} seconds") from None
        outbox = Outbox(unit, NAME)
        state = (await outbox.states()).get(TARGET)
        if state is not None and state.failing_since is not None:
            (last,) = await outbox.log(None, 1)
            since = local(state.failing_since, unit.host.timezone)
            raise RuntimeError(f"nothing could be added to {stream} since {since}: {last.record.get('error')}")
        return f"{number} events in {stream}"

    async def close(self) -> None:
        """Let go of the connections."""
        await self._redis.aclose()
