"""A site with some more settings than the host's own."""

import pytest

from cms_host.api import Setting
from cms_host.testing import MakeSite, Site

MORE = [
    Setting("shop.open", True, "Whether the shop is open."),
    Setting("shop.seats", 12, "How many may sit.", minimum=1, maximum=100),
    Setting("shop.discount", 0.1, "Share taken off.", minimum=0, maximum=0.5),
    Setting("shop.mode", "block", "What to do.", choices=("block", "warn")),
    Setting("shop.hosts", ("a.example",), "Some names."),
    Setting("shop.token", "", "A shared secret.", minimum=8, secret=True),
]


async def with_shop(make_site: MakeSite) -> Site:
    site = await make_site(enabled=["users", "settings"])
    site.host.settings.registry |= {setting.key: (setting, "shop") for setting in MORE}
    return site


@pytest.fixture
async def site(make_site: MakeSite) -> Site:
    return await with_shop(make_site)


def value(site: Site, key: str) -> object:
    """What the site itself goes by."""
    setting, _ = site.host.settings.registry[key]
    return site.host.settings[setting]
