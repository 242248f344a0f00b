"""Whether a form was sent from a page of this site (RELIABILITY 3.6)."""

from urllib.parse import urlsplit

from aiohttp import web

from cms_host.api import Host


def is_from_here(host: Host, request: web.Request) -> bool:
    """Browsers say where a form comes from, and pages can't make them say otherwise; who says nothing is refused.

    `Sec-Fetch-Site` is believed where it is sent, which browsers do to https and to the own machine; else `Origin`.
    """
    site = request.headers.get("Sec-Fetch-Site")
    if site is not None:
        return site == "same-origin"
    origin = request.headers.get("Origin", "")
    if host.config.base_url:
        return origin.lower() == _origin_of(host.config.base_url)
    # A page of another site can't choose the Host that a browser sends here.
    return origin.lower() in (f"http://{request.host}".lower(), f"https://{request.host}".lower())


def _origin_of(base_url: str) -> str:
    """As browsers write it: lower case, without the port that goes without saying, and without a path."""
    parts = urlsplit(base_url.lower())
    usual = {"http": 80, "https": 443}[parts.scheme]
    address = parts.netloc.rpartition("@")[2]
    return f"{parts.scheme}://{address.removesuffix(f':{usual}')}"
