"""Figures of plugins, as the host collects them."""

from pathlib import Path

import pytest

from cms_host.app import make_host
from cms_host.config import Config, PluginSwitches
from cms_host.plugins import PluginErrors
from cms_host.testing import MakeSite

from .conftest import Install
from .describing import on_sqlite

SOURCE = (
    "from cms_host.api import StatSource, hookimpl\n"
    "async def tell(unit):\n    return {number}\n"
    "@hookimpl\ndef cms_stats(host):\n    return [StatSource('moths', tell)]\n"
)


@on_sqlite
async def test_figures_of_a_plugin_are_there_also_where_its_endpoints_are_switched_off(
    install: Install, make_site: MakeSite
) -> None:
    install("moths", SOURCE.format(number=7))
    site = await make_site(disabled=["tags"])
    told = {source.name: await source.run(site.host.unit()) for source in site.host.stat_sources}

    assert (told["moths"], told["tags"]) == (7, 0)


def test_two_sources_of_one_key_stop_the_start(install: Install, tmp_path: Path) -> None:
    install("moths", SOURCE.format(number=7))
    install("omega", SOURCE.format(number=8))
    with pytest.raises(PluginErrors, match="moths and omega: cms_stats: both have one named moths"):
        make_host(Config(data_dir=tmp_path, plugins=PluginSwitches(enabled=("moths", "omega"))))
