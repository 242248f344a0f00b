"""Media: what this package gives to the host."""

from collections.abc import Mapping, Sequence
from typing import Any

from cms_host.api import HealthCheck, Host, Job, Page, Role, Route, Setting, StatSource, UnitOfWork, hookimpl
from cms_media import figures, handlers
from cms_media.api import Library, MediaFiles, MediaStore
from cms_media.cleaning import INCOMING, ORPHANS
from cms_media.conversion import WARM_UP
from cms_media.ownership import MediaOwnership
from cms_media.pages import pages
from cms_media.service import MediaService
from cms_media.settings import AVIF_QUALITY, AVIF_SPEED, WEBP_METHOD, WEBP_QUALITY
from cms_media.store_health import CHECK
from cms_media.stores import make_store
from cms_users.api import Ownership


@hookimpl
def cms_routes(host: Host) -> Sequence[Route]:
    """The endpoints under /media."""
    return [
        Route("GET", "/media", handlers.list_media, Role.SUBSCRIBER),
        Route("POST", "/media", handlers.upload_medium, Role.AUTHOR),
        Route("GET", "/media/{id}", handlers.read_medium, Role.SUBSCRIBER),
        Route("PUT PATCH", "/media/{id}", handlers.update_medium, Role.AUTHOR),
        Route("DELETE", "/media/{id}", handlers.delete_medium, Role.AUTHOR),
    ]


@hookimpl
def cms_pages(host: Host) -> Sequence[Page]:
    """The files themselves."""
    return pages(host)


@hookimpl
def cms_services(host: Host) -> Mapping[type[Any], Any]:
    """What neighbours ask for media, and what the endpoints ask. Workers import Pillow before their first image."""
    host.image_workers.warm_up(*WARM_UP)
    files = make_store(host)

    def store(_: UnitOfWork) -> MediaStore:
        return files

    return {
        MediaStore: store,
        MediaService: MediaService,
        Library: MediaService,
        MediaFiles: MediaService,
        Ownership: MediaOwnership,
    }


@hookimpl
def cms_jobs(host: Host) -> Sequence[Job]:
    """Files that nobody will ask for are deleted."""
    return [ORPHANS, INCOMING]


@hookimpl
def cms_health_checks(host: Host) -> Sequence[HealthCheck]:
    """Whether the store can be written to."""
    return [CHECK]


@hookimpl
def cms_stats(host: Host) -> Sequence[StatSource]:
    """How many media there are, and how large."""
    return [figures.SOURCE]


@hookimpl
def cms_settings() -> Sequence[Setting[Any]]:
    """How variants are encoded."""
    return [AVIF_QUALITY, AVIF_SPEED, WEBP_QUALITY, WEBP_METHOD]
