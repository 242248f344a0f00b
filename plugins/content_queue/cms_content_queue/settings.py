"""Run-time settings of the content queue."""

from cms_host.api import Setting

KEEP_DAYS = Setting(
    "content_queue.keep_days",
    30,
    "Days after which approved and rejected items are deleted from the content queue; 0 keeps them.",
    minimum=0,
    maximum=3650,
)
