"""Run-time settings of posts."""

from cms_host.api import Setting

MAX_CONTENT_BYTES = Setting(
    "posts.max_content_bytes", 512 * 1024, "Largest content of a post, in bytes of UTF-8.", minimum=1024, maximum=2**21
)
EMBED_HOSTS = Setting(
    "posts.embed_hosts",
    ("www.youtube.com", "youtube.com", "www.youtube-nocookie.com", "player.vimeo.com"),
    "Hosts whose https frames may stay in content (video embeds).",
)
REVISIONS_KEPT = Setting(
    "posts.revisions_kept", 100, "Revisions that are kept of each post, the newest.", minimum=1, maximum=10_000
)
