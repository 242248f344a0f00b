"""Loading plugins from entry points. Whatever can't be loaded is named, all of it, and stops the start."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import Distribution, EntryPoint, PackageNotFoundError, distribution, entry_points
from types import ModuleType
from typing import Any

import pluggy
from packaging.requirements import Requirement

from cms_host import hookspecs
from cms_host.config import PluginSwitches

GROUP = "cms_host.plugins"
#: What a disabled endpoint family no longer shows; its tables, services and settings stay for its neighbours.
PUBLIC_HOOKS = frozenset({"cms_routes", "cms_pages"})
#: Names that by convention are no endpoint family, so that a disabled one need not even be imported.
NEVER_A_FAMILY = ("gate-", "sink-")


class PluginErrors(Exception):
    """Plugins that can't be loaded; one line for each."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = tuple(" ".join(line.split()) for line in lines)
        super().__init__("\n".join(self.lines))


@dataclass(frozen=True, slots=True)
class Plugin:
    """One entry point, and what became of it."""

    name: str
    package: str
    version: str
    #: `family`, `rule`, `sink` or `other`.
    kind: str
    #: `on`, `off` (not loaded) or `hidden` (a disabled family: serves its neighbours, shows nothing).
    state: str
    why: str
    module: ModuleType | None = None


@dataclass(slots=True)
class Plugins:
    """The plugins of one application."""

    manager: pluggy.PluginManager
    known: dict[str, Plugin] = field(default_factory=dict)

    def call(self, hook: str, **arguments: Any) -> Iterator[tuple[str, Any]]:
        """What every loaded plugin returns for a hook, with the plugin's name, in the order of the names.

        :raises PluginErrors: an implementation raises, or returns something of another kind.
        """
        implementations = getattr(self.manager.hook, hook).get_hookimpls()
        for each in sorted(implementations, key=lambda each: each.plugin_name):
            if hook in PUBLIC_HOOKS and self.known[each.plugin_name].state == "hidden":
                continue
            yield each.plugin_name, _ask(each, hook, arguments)

    def each(self, hook: str, **arguments: Any) -> Iterator[tuple[str, Any]]:
        """The same, for hooks that return sequences: one item at a time."""
        for name, items in self.call(hook, **arguments):
            for item in items:
                yield name, item


def installed() -> list[EntryPoint]:
    """Every installed plugin, by name."""
    return sorted(entry_points(group=GROUP), key=lambda each: each.name)


def load_plugins(switches: PluginSwitches, points: Sequence[EntryPoint] | None = None) -> Plugins:
    """Import and register what is switched on.

    :raises PluginErrors: some can't be loaded, are named twice, or lack what they require.
    """
    manager = pluggy.PluginManager(hookspecs.PROJECT)
    manager.add_hookspecs(hookspecs)
    plugins = Plugins(manager)
    points = installed() if points is None else points
    names = {point.name for point in points}
    errors = [f"{name}: named in [plugins], but no such plugin is installed" for name in sorted(switches.named - names)]
    for point in points:
        try:
            _load(plugins, point, switches.is_on(point.name))
        except Exception as error:  # noqa: BLE001 - a stranger's import can fail in any way; all of them are told.
            errors.append(f"{point.name} ({_package(point)}): {type(error).__name__}: {error}")
    if errors:
        raise PluginErrors(errors)
    return plugins


def _ask(implementation: pluggy.HookImpl, hook: str, arguments: Mapping[str, Any]) -> Any:
    where = f"{implementation.plugin_name}: {hook}"
    try:
        result = implementation.function(*[arguments[name] for name in implementation.argnames])
    except Exception as error:
        raise PluginErrors([f"{where}: {type(error).__name__}: {error}"]) from error
    kind: type[Any] = Mapping if hook == "cms_services" else Sequence
    if not isinstance(result, kind):
        raise PluginErrors([f"{where} returned {type(result).__name__}, not a {kind.__name__.lower()}"])
    return result


def _load(plugins: Plugins, point: EntryPoint, on: bool) -> None:
    if point.name in plugins.known:
        raise ValueError(f"the same name as a plugin of {plugins.known[point.name].package}")
    if not on and point.name.startswith(NEVER_A_FAMILY):
        plugins.known[point.name] = _described(point, None, "off")
        return
    try:
        module = point.load()
    except Exception as error:
        if on:
            raise
        plugins.known[point.name] = _described(point, None, "off", f"disabled in config, and broken: {error}")
        return
    state = "on" if on else "hidden" if hasattr(module, "cms_routes") else "off"
    if state != "off":
        _check_requirements(point.dist)
        _register(plugins.manager, module, point.name)
    plugins.known[point.name] = _described(point, module, state)


def _register(manager: pluggy.PluginManager, module: ModuleType, name: str) -> None:
    try:
        manager.register(module, name=name)
        manager.check_pending()
        _check_hooks(manager, name)
    except Exception:
        # Otherwise the next plugin's check would find this one's faults again.
        manager.unregister(name=name)
        raise


def _check_hooks(manager: pluggy.PluginManager, name: str) -> None:
    module = manager.get_plugin(name)
    unmarked = [
        key
        for key, value in vars(module).items()
        if key.startswith("cms_") and callable(value) and not hasattr(value, f"{hookspecs.PROJECT}_impl")
    ]
    if unmarked:
        raise LookupError(f"{', '.join(unmarked)} lacks @hookimpl")


def _check_requirements(dist: Distribution | None) -> None:
    for line in (dist.requires if dist else None) or ():
        requirement = Requirement(line)
        if requirement.marker is not None and not requirement.marker.evaluate({"extra": ""}):
            continue
        try:
            found = distribution(requirement.name).version
        except PackageNotFoundError:
            raise LookupError(f"requires {requirement.name}, which is not installed") from None
        if not requirement.specifier.contains(found, prereleases=True):
            raise LookupError(f"requires {requirement}, but {found} is installed")


def _described(point: EntryPoint, module: ModuleType | None, state: str, why: str = "") -> Plugin:
    reasons = {"on": "installed", "off": "disabled in config", "hidden": "disabled in config; serves its neighbours"}
    version = point.dist.version if point.dist else ""
    return Plugin(point.name, _package(point), version, _kind(point, module), state, why or reasons[state], module)


def _kind(point: EntryPoint, module: ModuleType | None) -> str:
    if point.name.startswith("gate-") or hasattr(module, "cms_gate_rules"):
        return "rule"
    if point.name.startswith("sink-"):
        return "sink"
    return "family" if hasattr(module, "cms_routes") else "other"


def _package(point: EntryPoint) -> str:
    return point.dist.name if point.dist else point.value
