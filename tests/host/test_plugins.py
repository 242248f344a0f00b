"""Loading plugins: what is switched on, what is switched off, and everything that keeps a site from starting."""

from collections.abc import Sequence
from textwrap import dedent

import pytest

from cms_host.config import PluginSwitches
from cms_host.plugins import PluginErrors, Plugins, installed, load_plugins
from cms_host.services import MissingService
from cms_host.testing import MakeSite

from .conftest import Installer

SQLITE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
USUAL = "from cms_host.api import *\n"
SHOP = USUAL + dedent(
    """
    from aiohttp import web

    async def show(request):
        return web.json_response("shown")

    class Stock:
        def __init__(self, unit):
            self.unit = unit

    @hookimpl
    def cms_routes(host):
        return [Route("GET", "/shop", show, Role.SUBSCRIBER)]

    @hookimpl
    def cms_pages(host):
        return [Page("GET", "/shop-window", show)]

    @hookimpl
    def cms_services(host):
        return {Stock: Stock}

    @hookimpl
    def cms_settings():
        return [Setting("shop.open", True, "Whether the shop is open.")]
    """
)
RULE = USUAL + dedent(
    """
    class Rule:
        code = "acme.house_style"
        kind = "block"

        async def check(self, candidate, db):
            return []

    @hookimpl
    def cms_gate_rules(host):
        return [Rule()]
    """
)


def load(*names: str, disabled: Sequence[str] = (), enabled: Sequence[str] | None = None) -> Plugins:
    """Load as if the plugins of these names were all that is installed."""
    points = [point for point in installed() if point.name in names]
    return load_plugins(PluginSwitches(tuple(disabled), None if enabled is None else tuple(enabled)), points)


def states(plugins: Plugins) -> dict[str, str]:
    return {name: plugin.state for name, plugin in plugins.known.items()}


def test_an_installed_plugin_is_on(install: Installer) -> None:
    install("shop", SHOP)
    plugins = load("shop")
    shop = plugins.known["shop"]

    assert (shop.package, shop.version, shop.kind, shop.state, shop.why) == (
        "cms-shop", "1.0", "family", "on", "installed",
    )  # fmt: skip
    assert [name for name, _ in plugins.call("cms_routes", host=None)] == ["shop"]


def test_hooks_are_called_in_the_order_of_the_plugins_names(install: Installer) -> None:
    for name in ("c", "a", "b"):
        install(name, USUAL + "@hookimpl\ndef cms_settings():\n    return [1, 2]")

    found = list(load("a", "b", "c").each("cms_settings"))
    assert found == [("a", 1), ("a", 2), ("b", 1), ("b", 2), ("c", 1), ("c", 2)]


def test_everything_that_can_not_be_loaded_is_reported_at_once(install: Installer) -> None:
    install("a-import", "import nothing_of_that_name")
    install("b-syntax", "def (")
    install("c-unknown-hook", USUAL + "@hookimpl\ndef cms_rutes(host):\n    return []")
    install("d-unmarked", "def cms_routes(host):\n    return []")
    install("e-arguments", USUAL + "@hookimpl\ndef cms_routes(site):\n    return []")
    install("f-needs-a-stranger", SHOP, requires=["nothing-of-that-name>=1"])
    install("g-needs-another-host", SHOP, requires=["cms-host>=99"])
    install("h-fine", SHOP, requires=["cms-host>=0.1", "nothing-of-that-name; extra == 'more'"])
    install("i-attribute", "", module="cms_i_attribute:nothing")
    install("twice", SHOP)
    install("twice", SHOP, dist="cms-other")

    with pytest.raises(PluginErrors) as caught:
        load(*(point.name for point in installed() if point.name[1:2] == "-" or point.name == "twice"),
             disabled=["nobody", "sombody"])  # fmt: skip

    lines = {line.partition(" ")[0].rstrip(":"): line for line in caught.value.lines}
    assert len(caught.value.lines) == len(lines) == 11
    assert "no such plugin is installed" in lines["nobody"]
    assert "no such plugin is installed" in lines["sombody"]
    assert "nothing_of_that_name" in lines["a-import"]
    assert "SyntaxError" in lines["b-syntax"]
    assert "cms_rutes" in lines["c-unknown-hook"]
    assert "cms_routes lacks @hookimpl" in lines["d-unmarked"]
    assert "site" in lines["e-arguments"]
    assert "requires nothing-of-that-name, which is not installed" in lines["f-needs-a-stranger"]
    assert "requires cms-host>=99, but 0.1.0 is installed" in lines["g-needs-another-host"]
    assert "nothing" in lines["i-attribute"]
    assert "the same name as a plugin of cms-" in lines["twice"]
    assert all("\n" not in line for line in lines.values())


def test_an_exact_list_switches_everything_else_off(install: Installer) -> None:
    install("shop", SHOP)
    install("gate-style", RULE)
    install("helper", USUAL + "@hookimpl\ndef cms_services(host):\n    return {}")

    assert states(load("shop", "gate-style", "helper", enabled=["helper"])) == {
        "gate-style": "off", "helper": "on", "shop": "hidden",
    }  # fmt: skip


def test_a_disabled_rule_is_not_even_imported(install: Installer) -> None:
    install("gate-style", "raise SystemExit")

    assert states(load("gate-style", disabled=["gate-style"])) == {"gate-style": "off"}


def test_a_broken_plugin_that_is_disabled_does_not_stop_the_start(install: Installer) -> None:
    install("shop", "import nothing_of_that_name")
    plugin = load("shop", disabled=["shop"]).known["shop"]

    assert plugin.state == "off"
    assert "disabled in config, and broken" in plugin.why


@SQLITE
async def test_a_disabled_family_shows_nothing_and_serves_its_neighbours(
    make_site: MakeSite, probe: Sequence[str], install: Installer
) -> None:
    install("shop", SHOP)
    shown = await make_site(enabled=[*probe, "shop"])
    hidden = await make_site(enabled=probe)

    for site, status in ((shown, 200), (hidden, 404)):
        assert (await (await site.client()).get("/shop")).status == status
        assert (await site.fetch("GET", "/shop-window")).status == status
        import cms_shop

        unit = site.host.unit()
        stock = unit.get(cms_shop.Stock)
        assert stock.unit is unit
        assert unit.get(cms_shop.Stock) is stock
        assert "shop.open" in site.host.settings.registry


@SQLITE
async def test_a_service_that_nobody_provides_is_named(make_site: MakeSite, probe: Sequence[str]) -> None:
    site = await make_site(enabled=probe)

    with pytest.raises(MissingService, match=r"no loaded plugin provides builtins\.dict"):
        site.host.unit().get(dict)
    assert site.host.unit().all(dict) == []


@SQLITE
async def test_every_provider_of_a_service_can_be_asked(
    make_site: MakeSite, probe: Sequence[str], install: Installer
) -> None:
    for name in ("z-last", "a-first"):
        install(name, USUAL + f"@hookimpl\ndef cms_services(host):\n    return {{dict: lambda unit: {{1: {name!r}}}}}")
    site = await make_site(enabled=[*probe, "a-first", "z-last"])

    assert site.host.unit().all(dict) == [{1: "a-first"}, {1: "z-last"}]
    assert site.host.unit().get(dict) == {1: "a-first"}


@SQLITE
@pytest.mark.parametrize(
    ("source", "message"),
    [
        (RULE, "gate-style and other: cms_gate_rules: both have one named acme.house_style"),
        (RULE.replace("house_style", "other").replace("block", "blok"), "acme.other: its kind is 'blok'"),
        (
            USUAL + "@hookimpl\ndef cms_settings():\n    return [Setting('probe.greeting', 1, '')]",
            "both declare probe.greeting",
        ),
        (USUAL + "@hookimpl\ndef cms_routes(host):\n    return [1 / 0]", "cms_routes raised ZeroDivisionError"),
        (USUAL + "@hookimpl\ndef cms_services(host):\n    return 5", "cms_services returned int, not a mapping"),
    ],
)
async def test_what_does_not_fit_together_is_refused_by_name(
    make_site: MakeSite, probe: Sequence[str], install: Installer, source: str, message: str
) -> None:
    install("gate-style", RULE)
    install("other", source)

    with pytest.raises(PluginErrors, match=message):
        await make_site(enabled=[*probe, "gate-style", "other"])


@SQLITE
async def test_a_site_that_can_recognise_nobody_is_refused(
    make_site: MakeSite, install: Installer, monkeypatch: pytest.MonkeyPatch
) -> None:
    install("shop", SHOP)
    monkeypatch.setattr("cms_host.plugins.installed", lambda: [p for p in installed() if p.name == "shop"])

    with pytest.raises(PluginErrors, match="recognise a caller"):
        await make_site()


async def test_the_observers_of_posts_are_gathered(make_site: MakeSite, probe: Sequence[str]) -> None:
    site = await make_site(enabled=probe)

    assert [type(each).__name__ for each in site.host.post_observers] == ["Unmoved"]
