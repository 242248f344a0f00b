"""The host's own commands. What each needs is imported when it runs."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cms_host.commands import CommandError, config_option, failing_clearly, site_command
from cms_host.config import load_config
from cms_host.tables import print_table

if TYPE_CHECKING:
    from cms_host.host import Host


@click.command(params=[config_option()])
@click.option("--host", help="Address to listen on; 0.0.0.0 takes all of this machine's.")
@click.option("--port", type=click.IntRange(0, 65_535), help="Port to listen on; 0 takes a free one.")
@click.option("--workers", type=click.IntRange(1, 256), metavar="N", help="Number of processes on that port.")
@click.option("--jobs/--no-jobs", default=None, help="Run the background jobs too, or leave them to `cms-host jobs`.")
def serve(config_path: Path | None, **given: Any) -> None:
    """Bring the database up to date, and serve until told to stop."""
    with failing_clearly():
        config = load_config(config_path)
        from cms_host.start import start

        start(replace(config, **{name: value for name, value in given.items() if value is not None}))


@click.command(params=[config_option()])
def migrate(config_path: Path | None) -> None:
    """Bring the database to what the installed plugins expect."""
    with failing_clearly():
        config = load_config(config_path)
        from cms_host.migrate import migrate as apply

        steps = apply(config.database)
    for step in steps:
        click.echo(f"applied {step}")
    if not steps:
        click.echo("The database is up to date.")


@click.command(params=[config_option()])
def check(config_path: Path | None) -> None:
    """Look at configuration, plugins, database and media store, and tell what is wrong."""
    with failing_clearly():
        config = load_config(config_path)
        from cms_host.check import examine

        findings = examine(config)
    click.echo(f"ok: configuration: {config.path or 'no file, so the defaults'}")
    for finding in findings:
        click.echo(str(finding), err=not finding.well)
    if not all(finding.well for finding in findings):
        raise SystemExit(1)


@click.command(params=[config_option()])
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def plugins(config_path: Path | None, as_json: bool) -> None:
    """List what is installed, its state, and why."""
    with failing_clearly():
        config = load_config(config_path)
        from cms_host.plugins import survey_plugins

        found = survey_plugins(config.plugins)
    listed = sorted([*found.known.values(), *found.broken], key=lambda each: each.name)
    headers = ("name", "package", "version", "kind", "state", "why")
    print_table(headers, [[getattr(each, header) for header in headers] for each in listed], as_json)
    if found.broken:
        raise CommandError("can't be loaded: " + "; ".join(map(str, found.broken)))


@site_command()
async def jobs(host: "Host") -> None:
    """Run the background jobs, and nothing else, until told to stop."""
    import signal

    from cms_host.logs import configure_logging
    from cms_host.serving import stopping_on

    configure_logging(host.config.log_level)
    async with stopping_on(signal.SIGTERM, signal.SIGINT) as stop, host.jobs.running():
        click.echo("Background jobs run (stop them with Ctrl-C)")
        await stop.wait()


@site_command()
@click.argument("names", nargs=-1, metavar="[NAME]...")
async def reindex(host: "Host", names: tuple[str, ...]) -> None:
    """Make stored indexes anew from what they index: those named, or all. The site may go on serving."""
    from cms_host.reindexing import rebuild

    await rebuild(host, names)
