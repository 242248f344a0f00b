"""Loading plugins from entry points. Whatever can't be loaded is named, all of it, and stops the start."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
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
REASONS = {"on": "installed", "off": "disabled in config", "hidden": "disabled in config; serves its neighbours"}


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
    #: `on`, `off` (not loaded), `hidden` (a disabled family: serves its neighbours, shows nothing), or `broken`.
    state: str
    why: str
    module: ModuleType | None = None

    def __str__(self) -> str:
        return f"{self.name} ({self.package}): {self.why}" if self.package else f"{self.name}: {self.why}"


@dataclass(slots=True)
class Plugins:
    """The plugins of one application."""

    manager: pluggy.PluginManager
    known: dict[str, Plugin] = field(default_factory=dict)
    #: What is installed and can't be loaded, and what is named in config and not installed.
    broken: list[Plugin] = field(default_factory=list)

    def implementing(self, hook: str) -> Iterator[str]:
        """The names of the loaded plugins that implement a hook, in order."""
        yield from sorted(each.plugin_name for each in getattr(self.manager.hook, hook).get_hookimpls())

    def call(self, hook: str, **arguments: Any) -> Iterator[tuple[str, Any]]:
        """What every loaded plugin returns for a hook, with the plugin's name, in the order of the names.

        :raises PluginErrors: a plugin raised, or returned something of another kind.
        """
        for name in self.implementing(hook):
            if hook in PUBLIC_HOOKS and self.known[name].state == "hidden":
                continue
            yield name, self.call_one(name, hook, **arguments)

    def call_one(self, name: str, hook: str, **arguments: Any) -> Any:
        """What one loaded plugin returns for a hook that it implements.

        :raises PluginErrors: it raised, or returned something of another kind.
        """
        found = {each.plugin_name: each for each in getattr(self.manager.hook, hook).get_hookimpls()}[name]
        try:
            result = found.function(*[arguments[argument] for argument in found.argnames])
        except Exception as error:
            why = f"{hook} raised {type(error).__name__}: {error}"
            raise PluginErrors([str(replace(self.known[name], why=why))]) from error
        kind: type[Any] = Mapping if hook == "cms_services" else Sequence
        if not isinstance(result, kind):
            why = f"{hook} returned {type(result).__name__}, not a {kind.__name__.lower()}"
            raise PluginErrors([str(replace(self.known[name], why=why))])
        return result

    def each(self, hook: str, **arguments: Any) -> Iterator[tuple[str, Any]]:
        """The same, for hooks that return sequences: one item at a time."""
        for name, items in self.call(hook, **arguments):
            for item in items:
                yield name, item


def installed() -> list[EntryPoint]:
    """Every installed plugin, by name."""
    return sorted(entry_points(group=GROUP), key=lambda each: each.name)


def installed_as(package: str) -> Distribution | None:
    """The distribution of a name, where there is one; a plugin may as well be a module that no package brought."""
    try:
        return distribution(package)
    except PackageNotFoundError:
        return None


def load_plugins(switches: PluginSwitches, points: Sequence[EntryPoint] | None = None) -> Plugins:
    """Import and register what is switched on.

    :raises PluginErrors: some can't be loaded, are named twice, or lack what they require.
    """
    plugins = survey_plugins(switches, points)
    if plugins.broken:
        raise PluginErrors([str(each) for each in plugins.broken])
    return plugins


def survey_plugins(switches: PluginSwitches, points: Sequence[EntryPoint] | None = None) -> Plugins:
    """The same, without a refusal: what can't be loaded is told in `broken`. For looking, never for serving."""
    manager = pluggy.PluginManager(hookspecs.PROJECT)
    manager.add_hookspecs(hookspecs)
    plugins = Plugins(manager)
    points = installed() if points is None else points
    for name in sorted(switches.named - {point.name for point in points}):
        why = "named in [plugins], but no such plugin is installed"
        plugins.broken.append(Plugin(name, "", "", "other", "broken", why))
    for point in points:
        try:
            _load(plugins, point, switches.is_on(point.name))
        except (Exception, SystemExit) as error:  # noqa: BLE001 - a stranger's import can fail in any way; all are told.
            why = f"{type(error).__name__}: {error}"
            plugins.broken.append(replace(_described(point, None, "broken"), why=why))
    return plugins


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
    state = "on" if on else "hidden" if _is_family(module) else "off"
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
        # What stays registered would make every later plugin look guilty of the same.
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
    version = point.dist.version if point.dist else ""
    why = why or REASONS.get(state, "")
    return Plugin(point.name, _package(point), version, _kind(point, module), state, why, module)


def _kind(point: EntryPoint, module: ModuleType | None) -> str:
    if point.name.startswith("gate-") or hasattr(module, "cms_gate_rules"):
        return "rule"
    if point.name.startswith("sink-"):
        return "sink"
    return "family" if _is_family(module) else "other"


def _is_family(module: ModuleType | None) -> bool:
    """Whether it has anything to show to the public, endpoints or pages."""
    return any(hasattr(module, hook) for hook in PUBLIC_HOOKS)


def _package(point: EntryPoint) -> str:
    return point.dist.name if point.dist else point.value
