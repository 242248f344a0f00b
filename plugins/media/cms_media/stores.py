"""Which store a site has."""

from cms_host.api import Host
from cms_media.api import MediaStore
from cms_media.intake import STORE_FOLDER
from cms_media.local_store import LocalStore


class MissingExtra(ImportError):
    """media.store is s3, and obstore is not installed: pip install 'cms-media[s3]'"""

    def __init__(self) -> None:
        super().__init__(self.__doc__)


def make_store(host: Host) -> MediaStore:
    """The store that the configuration names.

    :raises MissingExtra: its library is not installed.
    """
    if host.config.media.store == "local":
        return LocalStore(host.data_dir / STORE_FOLDER, host.clock)
    try:
        # An extra: other sites have no need of it.
        from cms_media.s3_store import S3Store
    except ModuleNotFoundError as error:
        raise MissingExtra from error
    return S3Store(host.config.media)
