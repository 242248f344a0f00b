"""The actions, and the least role that may call each (contract 6)."""

from collections.abc import Mapping

from cms_host.api import Role

#: By the last part of their paths, which is also what a signature with a timestamp covers.
ACTIONS: Mapping[str, Role] = {
    "publish": Role.AUTHOR,
    "draft": Role.AUTHOR,
    "schedule": Role.AUTHOR,
    "media": Role.AUTHOR,
    "bulk-publish": Role.AUTHOR,
    "queue-pending": Role.EDITOR,
    "test": Role.SUBSCRIBER,
}
