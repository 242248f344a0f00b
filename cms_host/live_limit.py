"""The rate limit of the configuration file, as it reads at this moment (contract 9: a changed file counts at once)."""

import logging

from cms_host.config import Config, ConfigError, load_config

log = logging.getLogger("cms_host.limiter")


class LiveLimit:
    """Looks at the file's modification time at each request, and reads it again when that moved."""

    def __init__(self, config: Config) -> None:
        self._path = config.path
        self._limit = config.api_rate_limit
        self._seen = self._stamp()

    def configured(self) -> int | None:
        """The file's `api_rate_limit`; a file that can't be read leaves the last one in force."""
        if self._path is None:
            return self._limit
        stamp = self._stamp()
        if stamp != self._seen:
            self._seen = stamp
            self._read()
        return self._limit

    def _stamp(self) -> int:
        try:
            return self._path.stat().st_mtime_ns if self._path else 0
        except OSError:
            return 0

    def _read(self) -> None:
        try:
            self._limit = load_config(self._path, {}).api_rate_limit
        except ConfigError as error:
            log.warning("the changed configuration file is not read", extra={"reason": str(error)})
