"""Where the site is, as mails and pages name it: never by what a request says of itself."""

from urllib.parse import urlsplit

from cms_host.api import Host

REGISTER, CONFIRM = "/members/register", "/members/confirm"


def base_of(host: Host) -> str:
    """The site's address without a slash at the end; where none is configured, what `serve` listens on."""
    config = host.config
    listens_on = f"[{config.host}]" if ":" in config.host else config.host
    return config.base_url or f"http://{listens_on}:{config.port}"


def name_of(host: Host) -> str:
    """The name of the site's machine, without its port."""
    return urlsplit(base_of(host)).hostname or "localhost"


def link_of(host: Host, token: str) -> str:
    """Where a registration is confirmed."""
    return f"{base_of(host)}{CONFIRM}?token={token}"
