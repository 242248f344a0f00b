"""Media: what this package gives to the host."""

from collections.abc import Mapping
from typing import Any

from cms_host.api import Host, hookimpl
from cms_media.api import MediaStore
from cms_media.local_store import LocalStore

#: Of the local store, in the data folder.
FOLDER = "media"


@hookimpl
def cms_services(host: Host) -> Mapping[type[Any], Any]:
    """What neighbours ask for media."""
    store = LocalStore(host.data_dir / FOLDER, host.clock)
    return {MediaStore: lambda unit: store}
