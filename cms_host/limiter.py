"""The request limiter: how many requests one client may make in any 60 minutes (spec, Limits).

The window slides and is exact. The times of each client's admitted requests are kept, and a request is
admitted when the `limit`-th newest of them is missing or a full window old. That rule is right whether or not
older times are still there, so that these are removed lazily, a few at a time, and a limit that changes
between two calls finds the whole history in place. Refused requests leave no trace (contract, 9).
"""

import functools
import logging
import sys
from collections.abc import Mapping
from typing import Protocol

from cms_host.limiter_file import SharedFileLimiter
from cms_host.limiter_memory import MemoryLimiter

__all__ = ["API_RATE_LIMIT", "Limiter", "MemoryLimiter", "SharedFileLimiter", "current_limit"]

#: Requests per client in the window, where neither environment nor configuration says otherwise.
API_RATE_LIMIT = 100

#: Python refuses to read numbers of more than 4,300 digits.
_MAX_DIGITS = 4300

log = logging.getLogger(__name__)


class Limiter(Protocol):
    """Counts the requests of each client over the last 60 minutes."""

    def admit(self, client: str, limit: int) -> bool:
        """Say whether `client` may make one more request now, and record the request if so.

        `client` is any short text that stands for one client, such as `ClientIp.limiter_key` gives. `limit`
        is the most requests it may make within the window, and may differ from call to call; 0 admits
        everything and records nothing. A refused request is not recorded. May be called from any thread.
        """

    def close(self) -> None:
        """Let go of files and memory. The limiter is not used afterwards."""


def current_limit(environ: Mapping[str, str], configured: int | None) -> int:
    """Return the limit that holds now: `API_RATE_LIMIT` in `environ`, else `configured`, else the constant.

    Cheap enough to be asked at every request, so that a changed value counts from the next one (spec,
    Limits). 0 means no limit. What is not a whole number of 0 or more, the empty text included, counts as
    the constant, and is logged once per distinct value (contract, 9).
    """
    value = environ.get("API_RATE_LIMIT")
    if value is not None:
        return _whole_number(value, "environment variable API_RATE_LIMIT")
    if configured is not None:
        return _whole_number(configured, "configuration value api_rate_limit")
    return API_RATE_LIMIT


@functools.lru_cache(maxsize=256, typed=True)
def _whole_number(value: str | int, source: str) -> int:
    # Being cached is what makes the warning appear once. The result depends on nothing but the arguments.
    text = str(value).strip()
    if text.isascii() and text.isdigit() and len(text) <= _MAX_DIGITS:
        return min(int(text), sys.maxsize)
    log.warning("%s is %.80r, not a whole number of 0 or more: %d is used", source, value, API_RATE_LIMIT)
    return API_RATE_LIMIT
