"""Settings: what this package gives to the host."""

from collections.abc import Mapping, Sequence
from typing import Any

from cms_host.api import Host, Role, Route, hookimpl
from cms_settings import handlers
from cms_settings.service import SettingService


@hookimpl
def cms_routes(host: Host) -> Sequence[Route]:
    """The endpoints under /settings."""
    return [
        Route("GET", "/settings", handlers.list_settings, Role.ADMIN),
        Route("PATCH", "/settings", handlers.change_settings, Role.ADMIN),
        Route("GET", "/settings/{key}", handlers.read_setting, Role.ADMIN),
        Route("PUT", "/settings/{key}", handlers.change_setting, Role.ADMIN),
    ]


@hookimpl
def cms_services(host: Host) -> Mapping[type[Any], Any]:
    """The service that the handlers ask for."""
    return {SettingService: SettingService}
