"""Run-time settings of comments."""

from cms_host.api import Setting

AUTO_APPROVE = Setting("comments.auto_approve", False, "New comments are approved at once, instead of pending.")
TRASH_DAYS = Setting(
    "comments.trash_days",
    0,
    "Days after which trashed comments and spam are deleted for good; 0 keeps them.",
    minimum=0,
    maximum=3650,
)
