"""`cms-host user ...` and `cms-host key ...`."""

import asyncio
import json
import re
from collections.abc import Callable
from pathlib import Path

import click
import pytest
from argon2 import PasswordHasher
from click.testing import CliRunner, Result

from cms_host.testing import Client, FakeClock, dump, serving
from cms_users.commands import KEY, USER

Run = Callable[..., Result]


@pytest.fixture
def run(database_url: str, tmp_path: Path) -> Run:
    """Runs a command line on the test's database: `run(USER, "list", "--json")`."""
    config = tmp_path / "cms.toml"
    config.write_text(f'database_url = "{database_url}"\n[plugins]\nenabled = ["users"]\n', "utf-8")

    def invoke(group: click.Group, *arguments: str, stdin: str | None = None) -> Result:
        return CliRunner().invoke(group, [*arguments, "--config", str(config)], input=stdin)

    return invoke


def create_user(run: Run, username: str, role: str = "admin", *more: str, stdin: str | None = None) -> Result:
    email = f"{username}@example.org"
    return run(USER, "create", "--username", username, "--email", email, "--role", role, *more, stdin=stdin)


def listed(run: Run, group: click.Group) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = json.loads(run(group, "list", "--json").stdout)
    return rows


def test_user_is_made_and_listed(run: Run) -> None:
    assert create_user(run, "ayse", "editor", "--name", "Ayşe Yılmaz").exit_code == 0
    (row,) = listed(run, USER)

    assert (row["id"], row["username"], row["name"], row["role"]) == (1, "ayse", "Ayşe Yılmaz", "editor")
    assert (row["active"], row["email"], row["last_login_at"]) == (True, "ayse@example.org", None)
    lines = run(USER, "list").stdout.splitlines()
    assert lines[0].split("\t")[:3] == ["id", "username", "name"]
    assert lines[1].split("\t")[:3] == ["1", "ayse", "Ayşe Yılmaz"]


def test_user_that_is_taken_or_can_not_be_is_one_clear_line(run: Run) -> None:
    create_user(run, "ayse")
    taken = create_user(run, "ayse")
    assert (taken.exit_code, taken.stdout) == (1, "")
    assert taken.stderr == "Error: A user with this username or e-mail address exists already\n"

    bad = create_user(run, "Ayse")
    assert bad.exit_code == 1
    assert re.fullmatch(r"Error: .*username: Must be 2 to 64 .*\n", bad.stderr)
    assert create_user(run, "mehmet", "boss").exit_code == 2


def test_password_is_read_from_standard_input_and_kept_as_a_hash(run: Run, database_url: str) -> None:
    created = create_user(run, "ayse", "admin", "--password-stdin", stdin="correct horse\n")
    first = kept_hash(database_url)
    changed = run(USER, "passwd", "ayse", "--password-stdin", stdin="battery staple\r\n")
    second = kept_hash(database_url)

    assert (created.exit_code, changed.exit_code) == (0, 0)
    assert PasswordHasher().verify(first, "correct horse")
    assert PasswordHasher().verify(second, "battery staple")
    assert "horse" not in created.output + created.stderr


def kept_hash(database_url: str) -> str:
    (row,) = dump(database_url)["users"]
    return next(str(value) for value in row if str(value).startswith("$argon2id$"))


def test_user_without_a_password_has_none(run: Run, database_url: str) -> None:
    create_user(run, "ayse")
    assert "argon2" not in repr(dump(database_url)["users"])


def test_password_is_asked_for_twice(run: Run, database_url: str) -> None:
    create_user(run, "ayse")
    assert run(USER, "passwd", "ayse", stdin="correct horse\ncorrect horse\n").exit_code == 0
    assert PasswordHasher().verify(kept_hash(database_url), "correct horse")


@pytest.mark.parametrize("stdin", ["", "\n", "short\n"])
def test_password_that_is_none_changes_nothing(run: Run, database_url: str, stdin: str) -> None:
    create_user(run, "ayse")
    before = dump(database_url)
    result = run(USER, "passwd", "ayse", "--password-stdin", stdin=stdin)

    assert (result.exit_code, result.stderr[:7]) == (1, "Error: ")
    assert dump(database_url) == before


def test_role_changes_and_the_last_administrator_stays(run: Run) -> None:
    create_user(run, "root")
    create_user(run, "ayse", "author")
    assert run(USER, "role", "ayse", "editor").exit_code == 0
    assert [row["role"] for row in listed(run, USER)] == ["admin", "editor"]

    for refused in (run(USER, "role", "root", "editor"), run(USER, "disable", "root")):
        assert refused.exit_code == 1
        assert refused.stderr == "Error: The last active administrator can't be deleted, disabled or demoted\n"
    assert listed(run, USER)[0]["role"] == "admin"


def test_disabled_user_can_be_enabled_again(run: Run) -> None:
    create_user(run, "root")
    create_user(run, "ayse")
    for command, active in (("disable", False), ("enable", True)):
        assert run(USER, command, "ayse").exit_code == 0
        assert [row["active"] for row in listed(run, USER)] == [True, active]


@pytest.mark.parametrize("command", [("passwd", "x"), ("role", "x", "editor"), ("disable", "x"), ("enable", "x")])
def test_unknown_user_is_told(run: Run, command: tuple[str, ...]) -> None:
    result = run(USER, *command, stdin="a password\na password\n")

    assert (result.exit_code, result.stderr) == (1, "Error: There is no user named 'x'\n")


@pytest.mark.shows("key.secret.once")
def test_key_create_prints_the_secret_alone_and_it_opens_the_api(run: Run, clock: FakeClock, database_url: str) -> None:
    create_user(run, "ayse")
    result = run(KEY, "create", "--user", "ayse", "--name", "laptop")
    secret = result.stdout.strip()
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == f"{secret}\n"

    async def ask() -> int:
        async with serving(clock, database_url=database_url, enabled=["users"]) as site:
            return (await Client(site, secret).get("/users")).status

    assert asyncio.run(ask()) == 200


@pytest.mark.shows("key.mask", "key.secret.once", "auth.made", "key.name")
def test_key_list_shows_masks_and_moments_but_no_secret(run: Run) -> None:
    create_user(run, "ayse")
    secret = run(KEY, "create", "--user", "ayse", "--name", "laptop", "--expires", "2999-12-31").stdout.strip()
    (row,) = listed(run, KEY)

    assert (row["id"], row["user"], row["name"], row["active"]) == (1, "ayse", "laptop", True)
    assert row["key"] == f"{secret[:8]}...{secret[-4:]}"
    assert (row["expires_at"], row["last_used_at"], row["revoked_at"]) == ("2999-12-31 23:59:59", None, None)
    assert secret not in run(KEY, "list").stdout


@pytest.mark.shows("key.last_used")
def test_key_list_shows_when_a_key_was_last_used(run: Run, clock: FakeClock, database_url: str) -> None:
    create_user(run, "ayse")
    secret = run(KEY, "create", "--user", "ayse", "--name", "laptop").stdout.strip()

    async def use() -> None:
        async with serving(clock, database_url=database_url, enabled=["users"]) as site:
            for _ in range(2):
                clock.advance(61)
                assert (await Client(site, secret).get("/users")).status == 200
            await site.run_job("users.last-used")

    asyncio.run(use())
    assert [row["last_used_at"] for row in listed(run, KEY)] == ["2026-01-15 12:02:02"]


def test_key_is_revoked_by_its_id(run: Run) -> None:
    create_user(run, "ayse")
    run(KEY, "create", "--user", "ayse", "--name", "laptop")
    assert run(KEY, "revoke", "1").exit_code == 0
    (row,) = listed(run, KEY)

    assert row["active"] is False
    assert row["revoked_at"] is not None


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("create", "--user", "nobody", "--name", "x"), "There is no user named 'nobody'"),
        (("create", "--user", "ayse", "--name", " "), "name: Must be 1 to 200 characters"),
        (("create", "--user", "ayse", "--name", "x", "--expires", "soon"), "expires_at: Must be a date such as"),
        (("create", "--user", "ayse", "--name", "x", "--expires", "2001-01-01"), "expires_at: Must be in the future."),
        (("revoke", "7"), "There is no key with the id 7"),
    ],
)
def test_what_a_key_command_can_not_do_is_one_clear_line(
    run: Run, database_url: str, arguments: tuple[str, ...], message: str
) -> None:
    create_user(run, "ayse")
    before = dump(database_url)
    result = run(KEY, *arguments)

    assert (result.exit_code, result.stdout) == (1, "")
    assert re.fullmatch(rf"Error: .*{re.escape(message)}.*\n", result.stderr)
    assert dump(database_url) == before
