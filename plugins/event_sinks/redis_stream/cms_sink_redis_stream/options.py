"""What can be set while the site runs."""

from cms_host.api import Setting


def check_key(key: str) -> None:
    """:raises ValueError: it is empty."""
    if not key:
        raise ValueError("must not be empty")


STREAM = Setting(
    "sink.redis_stream.stream",
    "cms:events",
    "Key of the Redis stream to which events are added.",
    maximum=200,
    check=check_key,
)
MAX_LENGTH = Setting(
    "sink.redis_stream.max_length",
    10_000,
    "About how many events the Redis stream keeps; the oldest go.",
    minimum=1,
    maximum=10_000_000,
)
