"""The command line: help, plugins' commands, and what is told when something is wrong."""

import json
from collections.abc import Callable

import pytest

from tests.host.process.installation import Installation, Running, poll

Start = Callable[..., Running]
BROKEN = "import no_such_module\n"


def test_no_arguments_at_all_show_the_help(installation: Installation) -> None:
    done = installation.run()
    assert "Usage: cms-host" in done.stdout + done.stderr
    assert "ValueError" not in done.stderr


def test_help_lists_the_commands_of_host_and_plugins_and_names_what_is_missing(installation: Installation) -> None:
    installation.add_plugin("broken", BROKEN)
    installation.configure('[plugins]\nenabled = ["users", "health", "stranger", "broken"]\n')
    done = installation.run("--help")
    assert done.returncode == 0
    for command in ("check", "greet", "jobs", "migrate", "plugins", "serve"):
        assert f"\n  {command} " in done.stdout
    assert "no_such_module" in done.stdout
    assert done.stderr == ""


def test_command_of_a_plugin_works_on_the_site(installation: Installation) -> None:
    done = installation.run("greet", "Ayşe", "Bob")
    assert (done.returncode, done.stdout, done.stderr) == (0, "name\tzone\nAyşe\tUTC\nBob\tUTC\n", "")
    done = installation.run("greet", "Ayşe", "--json")
    assert json.loads(done.stdout) == [{"name": "Ayşe", "zone": "UTC"}]


@pytest.mark.slow
def test_command_brings_a_new_site_up_to_date(new_installation: Installation) -> None:
    done = new_installation.run("greet", "Ayşe")
    assert done.returncode == 0
    assert done.stderr == "There was no site in data yet: a new one was made.\n"
    made = [new_installation.folder / "data", *(new_installation.folder / "data").glob("cms.sqlite3*")]
    assert {path.stat().st_mode & 0o077 for path in made} == {0}
    done = new_installation.run("migrate")
    assert (done.returncode, done.stdout) == (0, "The database is up to date.\n")


@pytest.mark.parametrize(("name", "line"), [("nobody", "There is nobody to greet"), ("someone", "Who is someone?")])
def test_refusal_of_a_command_is_one_line(installation: Installation, name: str, line: str) -> None:
    done = installation.run("greet", name)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", f"Error: {line}\n")


@pytest.mark.slow
def test_wrong_usage_is_status_two(installation: Installation) -> None:
    assert installation.run("greet", "--loud").returncode == 2
    assert installation.run("no-such-command").returncode == 2


@pytest.mark.slow
def test_switches_of_the_given_file_tell_which_commands_there_are(installation: Installation) -> None:
    (installation.folder / "other.toml").write_text('[plugins]\nenabled = ["users"]\n')
    # The stranger's plugin is an endpoint family: disabled, it shows nothing, and its other work goes on.
    assert installation.run("greet", "Ayşe", "--config", "other.toml").returncode == 0
    installation.add_plugin("sink-loud", "raise RuntimeError('imported')\n")
    assert "sink-loud" not in installation.run("--help").stdout


@pytest.mark.slow
def test_unexpected_error_is_one_line(installation: Installation) -> None:
    source = (
        "import click\nfrom cms_host.api import hookimpl, site_command\n"
        "@site_command()\nasync def crash(host):\n    raise ZeroDivisionError('by nought\\n\\x1b[2J')\n"
        "@hookimpl\ndef cms_commands():\n    return [crash]\n"
    )
    installation.add_plugin("crashing", source)
    installation.configure('[plugins]\nenabled = ["users", "crashing"]\n')
    done = installation.run("crash")
    line = "Error: unexpected ZeroDivisionError: by nought\\x0a\\x1b[2J (set CMS_TRACEBACK=1 to see where)\n"
    assert (done.returncode, done.stderr) == (1, line)
    assert "Traceback" in installation.run("crash", CMS_TRACEBACK="1").stderr


@pytest.mark.parametrize("command", ["serve", "check", "greet"])
def test_configuration_error_is_one_line(installation: Installation, command: str) -> None:
    (installation.folder / "wrong.toml").write_text("prot = 80\n")
    done = installation.run(command, "--config", "wrong.toml")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("Error: wrong.toml: unknown key prot; known are access_log, ")
    assert done.stderr.count("\n") == 1


def test_plugins_tells_state_and_reason_of_each(installation: Installation) -> None:
    installation.add_plugin("broken", BROKEN)
    installation.add_plugin("gate-quiet", "")
    installation.configure('[plugins]\nenabled = ["users", "health", "stranger", "broken", "absent"]\n')
    done = installation.run("plugins")
    header, *rows = [line.split("\t") for line in done.stdout.splitlines()]
    assert header == ["name", "package", "version", "kind", "state", "why"]
    found = {row[0]: row[1:] for row in rows}
    assert found["stranger"] == ["acme-stranger", "1.0", "family", "on", "installed"]
    assert found["gate-quiet"] == ["acme-gate-quiet", "1.0", "rule", "off", "disabled in config"]
    assert found["broken"][3:] == ["broken", "ModuleNotFoundError: No module named 'no_such_module'"]
    assert found["absent"][3] == "broken"
    assert done.returncode == 1
    assert "broken (acme-broken)" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.slow
def test_plugins_as_json(installation: Installation) -> None:
    done = installation.run("plugins", "--json")
    assert done.returncode == 0
    stranger = next(each for each in json.loads(done.stdout) if each["name"] == "stranger")
    assert stranger == {
        "name": "stranger",
        "package": "acme-stranger",
        "version": "1.0",
        "kind": "family",
        "state": "on",
        "why": "installed",
    }


def test_check_of_a_site_that_is_well(installation: Installation) -> None:
    done = installation.run("check")
    assert (done.returncode, done.stderr) == (0, "")
    assert "ok: database: reachable and up to date\n" in done.stdout


@pytest.mark.slow
def test_check_changes_nothing(new_installation: Installation) -> None:
    done = new_installation.run("check")
    assert (done.returncode, done.stderr) == (0, "")
    assert not (new_installation.folder / "data").exists()


def test_check_names_everything_that_is_wrong(installation: Installation) -> None:
    installation.add_plugin("broken", BROKEN)
    installation.configure('data_dir = "cms.toml"\n[plugins]\nenabled = ["users", "health", "stranger", "broken"]\n')
    done = installation.run("check")
    assert done.returncode == 1
    assert "Error: plugins: broken (acme-broken): " in done.stderr
    assert "Error: data_dir: " in done.stderr


@pytest.mark.slow
def test_check_tells_of_a_file_that_is_no_database(installation: Installation) -> None:
    (installation.folder / "data" / "cms.sqlite3").write_text("no database at all, for it is text" * 100)
    done = installation.run("check")
    assert done.returncode == 1
    assert done.stderr == "Error: database: the database can't be used: file is not a database\n"


def test_check_tells_of_plugins_that_do_not_fit_together(installation: Installation) -> None:
    source = (
        "from cms_host.api import Role, Route, hookimpl, ok\n"
        "async def handler(request):\n    return ok({})\n"
        "@hookimpl\ndef cms_routes(host):\n    return [Route('GET', '/stranger/process', handler, Role.ADMIN)]\n"
    )
    installation.add_plugin("twin", source)
    installation.configure('[plugins]\nenabled = ["users", "health", "stranger", "twin"]\n')
    done = installation.run("check")
    assert done.returncode == 1
    assert done.stderr == "Error: plugins: stranger and twin: cms_routes: both answer GET /stranger/process\n"


@pytest.mark.slow
def test_jobs_run_without_serving(installation: Installation, start: Start) -> None:
    source = (
        "from pathlib import Path\nfrom cms_host.api import Job, hookimpl\n"
        "@hookimpl\ndef cms_jobs(host):\n"
        "    async def run(unit):\n        (host.data_dir / 'ran').touch()\n"
        "    return [Job('worker.touch', 0.05, run)]\n"
    )
    installation.add_plugin("worker", source)
    installation.configure('[plugins]\nenabled = ["users", "worker"]\n')
    running = start(installation, command="jobs")
    poll((installation.folder / "data" / "ran").exists, "the job")
    assert running.end() == 0


@pytest.mark.slow
def test_serve_leaves_the_jobs_to_others_when_it_is_told_to(installation: Installation, start: Start) -> None:
    source = (
        "from pathlib import Path\nfrom cms_host.api import Job, hookimpl\n"
        "@hookimpl\ndef cms_jobs(host):\n"
        "    def touching(name):\n"
        "        async def run(unit):\n            (host.data_dir / name).touch()\n"
        "        return run\n"
        "    return [Job('worker.due', 0.01, touching('due'), at_start=True),\n"
        "            Job('worker.own', 0.01, touching('own'), scope='process', at_stop=True)]\n"
    )
    installation.add_plugin("worker", source)
    installation.configure('[plugins]\nenabled = ["users", "worker"]\n')
    running = start(installation, "--no-jobs")
    poll((installation.folder / "data" / "own").exists, "the job that puts away what this process has in memory")
    assert running.end() == 0
    assert not (installation.folder / "data" / "due").exists()


def test_help_does_not_wait_for_the_host(installation: Installation) -> None:
    """The modules that take long to import are left alone by `cms-host serve --help`."""
    done = installation.run("serve", "--help", PYTHONPROFILEIMPORTTIME="1")
    imported = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert "cms_host.cli" in imported
    assert not imported & {"aiohttp", "sqlalchemy", "alembic", "psycopg", "marshmallow"}
