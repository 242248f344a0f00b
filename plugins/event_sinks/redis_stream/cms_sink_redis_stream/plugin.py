"""A Redis stream of events: what this package gives to the host."""

from collections.abc import Sequence
from typing import Any

from cms_host.api import EventSink, HealthCheck, Host, Setting, hookimpl
from cms_sink_redis_stream.options import MAX_LENGTH, STREAM


@hookimpl
def cms_settings() -> Sequence[Setting[Any]]:
    """Which stream, and how long it gets."""
    return [STREAM, MAX_LENGTH]


@hookimpl
def cms_event_sinks(host: Host) -> Sequence[EventSink]:
    """The stream, where the configuration has the address of a Redis."""
    if not host.config.redis_url:
        return []
    # The client takes long to import, and most sites have no Redis.
    from cms_sink_redis_stream.sink import RedisStreamSink

    sink = RedisStreamSink(host.config.redis_url, host.settings)
    host.on_close(sink.close)
    return [sink]


@hookimpl
def cms_health_checks(host: Host) -> Sequence[HealthCheck]:
    """Whether events get into the stream, where there is one."""
    if not host.config.redis_url:
        return []
    from cms_sink_redis_stream.sink import NAME, RedisStreamSink

    sink = host.event_sinks[NAME]
    return [HealthCheck(NAME, sink.look)] if isinstance(sink, RedisStreamSink) else []
