"""The run-time setting of the sitemap."""

from cms_host.api import Setting

#: Entries of one file at the most (sitemaps.org, protocol).
MOST = 50_000
FILE_ENTRIES = Setting(
    "sitemap.file_entries",
    MOST,
    "Most entries of one file of the public sitemap: with more, /sitemap.xml becomes an index of several files.",
    minimum=1,
    maximum=MOST,
)
