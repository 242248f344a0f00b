"""The command `cms-host`: the host's own sub-commands, and those that plugins give.

Whatever a sub-command needs is imported when it runs, so that help and mistakes are told at once.
"""

import os
import sys
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from itertools import zip_longest
from pathlib import Path

import click

from cms_host.cli_commands import check, jobs, migrate, plugins, reindex, serve
from cms_host.one_line import one_line
from cms_host.sink_commands import SINK

#: Set to see where an unexpected error comes from.
TRACEBACK = "CMS_TRACEBACK"


class CommandLine(click.Group):
    """Finds commands in plugins; a plugin that can't be loaded takes nothing but its own commands away."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        # Which plugins are on is told by the file that the sub-command will be given.
        ctx.obj = _Offered(_config_path(args), self.commands.keys())
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted({*self.commands, *self._offered(ctx).commands})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return self.commands.get(cmd_name) or self._offered(ctx).commands.get(cmd_name)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        if missing := self._offered(ctx).missing:
            with formatter.section("Not available"):
                formatter.write_dl([(name, one_line(why)) for name, why in missing.items()])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            if missing := self._offered(ctx).missing:
                told = (
                    f"{error.message} (plugins that could not be asked: {', '.join(missing)}; see `cms-host plugins`)"
                )
                raise click.UsageError(told, ctx) from error
            raise

    def _offered(self, ctx: click.Context) -> "_Offered":
        offered: _Offered = ctx.obj
        return offered


class _Offered:
    """The commands of the plugins that a configuration switches on, found when first asked for."""

    def __init__(self, config_path: Path | None, taken: Collection[str]) -> None:
        self._config_path = config_path
        self._taken = taken
        #: Why a plugin's commands are not offered, by the plugin's name.
        self.missing: dict[str, str] = {}

    @cached_property
    def commands(self) -> Mapping[str, click.Command]:
        from cms_host.config import ConfigError, PluginSwitches, load_config
        from cms_host.plugins import PluginErrors, survey_plugins

        try:
            switches = load_config(self._config_path).plugins
        except ConfigError:
            # The command itself will say so; help has to work without it.
            switches = PluginSwitches()
        plugins = survey_plugins(switches)
        self.missing |= {each.name: each.why for each in plugins.broken if each.package}
        found: dict[str, click.Command] = {}
        for name in plugins.implementing("cms_commands"):
            try:
                self._add(found, name, plugins.call_one(name, "cms_commands"))
            except PluginErrors as error:
                self.missing[name] = str(error)
        return found

    def _add(self, found: dict[str, click.Command], plugin: str, commands: Sequence[click.Command]) -> None:
        for command in commands:
            name = command.name or ""
            if name in found or name in self._taken:
                self.missing[plugin] = f"the command {name} exists already"
            else:
                found[name] = command


def _config_path(args: Sequence[str]) -> Path | None:
    for argument, following in zip_longest(args, args[1:], fillvalue=""):
        if argument == "--config" and following:
            return Path(following)
        if argument.startswith("--config="):
            return Path(argument.removeprefix("--config="))
    return None


@click.group(
    cls=CommandLine,
    commands=[serve, migrate, check, plugins, jobs, reindex, SINK],
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(package_name="cms-host", prog_name="cms-host")
def command_line() -> None:
    """Content management service: serves its REST API, and looks after a site."""


def main() -> None:
    """Run the command line. Exits 0, or non-zero with the reason on standard error."""
    try:
        command_line(prog_name="cms-host")
    except Exception as error:
        if os.environ.get(TRACEBACK):
            raise
        told = one_line(f"{type(error).__name__}: {error}")
        click.echo(f"Error: unexpected {told} (set {TRACEBACK}=1 to see where)", err=True)
        sys.exit(1)
