"""Run-time settings of posts."""

import re
from collections.abc import Sequence

from cms_host.api import Setting

_LABEL = "[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?"
_HOST = re.compile(rf"{_LABEL}(\.{_LABEL})+", re.ASCII)

MAX_CONTENT_BYTES = Setting(
    "posts.max_content_bytes", 512 * 1024, "Largest content of a post, in bytes of UTF-8.", minimum=1024, maximum=2**21
)


def check_hosts(hosts: Sequence[str]) -> None:
    """:raises ValueError: one is no name of a host."""
    for host in hosts:
        if len(host) > 253 or not _HOST.fullmatch(host):
            raise ValueError(f"{host[:100]!r} is no host name such as player.example.org")


EMBED_HOSTS = Setting(
    "posts.embed_hosts",
    ("www.youtube.com", "youtube.com", "www.youtube-nocookie.com", "player.vimeo.com"),
    "Hosts whose https frames may stay in content (video embeds).",
    check=check_hosts,
)
TRASH_DAYS = Setting(
    "posts.trash_days",
    0,
    "Days after which posts in the trash are deleted for good; 0 keeps them.",
    minimum=0,
    maximum=3650,
)
REVISIONS_KEPT = Setting(
    "posts.revisions_kept", 100, "Revisions that are kept of each post, the newest.", minimum=1, maximum=10_000
)
