"""The operator's commands: `cms-host user ...` and `cms-host key ...` (contract 9)."""

import sys
from typing import Any

import click

from cms_host.api import CommandError, Host, Role, print_table, site_command
from cms_users.keys import KeyService, read_expiry
from cms_users.passwords import hash_password
from cms_users.records import key_record, user_record
from cms_users.schemas import ROLES
from cms_users.service import ACCOUNTS_LOCK, AccountService

USER_COLUMNS = (
    "id", "username", "name", "email", "role", "active", "email_verified", "created_at", "last_login_at",
)  # fmt: skip
KEY_COLUMNS = (
    "id", "user", "name", "key", "active", "expires_at", "created_at", "last_used_at", "revoked_at",
)  # fmt: skip

_from_stdin = click.option("--password-stdin", is_flag=True, help="Read the password from standard input.")
_as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
_role = click.Choice(ROLES)


@site_command("create", help="Make an account. A password is for the panel, which is not there yet; keys need none.")
@click.option("--username", required=True, help="2 to 64 of a-z, 0-9, dot, dash and underscore.")
@click.option("--email", required=True, help="Its e-mail address.")
@click.option("--role", type=_role, required=True, help="What it may do.")
@click.option("--name", default="", help="Shown beside what it writes; the username by default.")
@_from_stdin
async def create_user(host: Host, username: str, email: str, role: str, name: str, password_stdin: bool) -> None:
    password = await hash_password(_read_line()) if password_stdin else None
    async with host.unit().write() as unit:
        user = await unit.get(AccountService).create(username, email, Role.named(role), name, password)
    click.echo(f"Made the user {user.username} with the id {user.id}")


@site_command("list", help="Show all accounts.")
@_as_json
async def list_users(host: Host, as_json: bool) -> None:
    users = await host.unit().get(AccountService).all()
    records = [user_record(user, host.timezone) for user in users]
    print_table(USER_COLUMNS, [[record[name] for name in USER_COLUMNS] for record in records], as_json)


@site_command("passwd", help="Set an account's password, for the panel that is not there yet.")
@click.argument("username")
@_from_stdin
async def set_password(host: Host, username: str, password_stdin: bool) -> None:
    await host.unit().get(AccountService).named(username)
    await _change(host, username, password_hash=await hash_password(_read_line() if password_stdin else _ask()))
    click.echo(f"Changed the password of {username}")


@site_command("role", help="Give an account another role.")
@click.argument("username")
@click.argument("role", type=_role)
async def set_role(host: Host, username: str, role: str) -> None:
    await _change(host, username, role=role)
    click.echo(f"{username} is {role} now")


@site_command("disable", help="Refuse an account and all its keys, from the next request on.")
@click.argument("username")
async def disable_user(host: Host, username: str) -> None:
    await _change(host, username, active=False)
    click.echo(f"Disabled {username}")


@site_command("enable", help="Let a disabled account in again.")
@click.argument("username")
async def enable_user(host: Host, username: str) -> None:
    await _change(host, username, active=True)
    click.echo(f"Enabled {username}")


@site_command("create", help="Make an API key, and print its secret: the only time that it is shown.")
@click.option("--user", "username", required=True, help="The account whose role the key carries.")
@click.option("--name", required=True, help="A label, to tell keys apart.")
@click.option("--expires", metavar="DATE", help="Its last day, or moment; without one it lives until it is revoked.")
async def create_key(host: Host, username: str, name: str, expires: str | None) -> None:
    expires_at = None if expires is None else read_expiry(expires, host.timezone)
    async with host.unit().write() as unit:
        owner = await unit.get(AccountService).named(username)
        secret = await unit.get(KeyService).create(owner, name, expires_at)
    click.echo(secret)


@site_command("list", help="Show all API keys, revoked ones too.")
@_as_json
async def list_keys(host: Host, as_json: bool) -> None:
    records = [key_record(key, host.timezone) for key in await host.unit().get(KeyService).all()]
    print_table(KEY_COLUMNS, [[record[name] for name in KEY_COLUMNS] for record in records], as_json)


@site_command("revoke", help="Make an API key inactive for good, from the next request on.")
@click.argument("key_id", metavar="ID", type=click.IntRange(1, 2**63 - 1))
async def revoke_key(host: Host, key_id: int) -> None:
    async with host.unit().write() as unit:
        key = await unit.get(KeyService).revoke(key_id)
    click.echo(f"Revoked the key {key.mask} of {key.username}")


USER = click.Group(
    "user",
    help="Accounts.",
    commands=[create_user, list_users, set_password, set_role, disable_user, enable_user],
)
KEY = click.Group("key", help="API keys.", commands=[create_key, list_keys, revoke_key])


async def _change(host: Host, username: str, **changes: Any) -> None:
    async with host.unit().write(ACCOUNTS_LOCK) as unit:
        accounts = unit.get(AccountService)
        await accounts.change((await accounts.named(username)).id, changes)


def _read_line() -> str:
    password = sys.stdin.readline().rstrip("\r\n")
    if not password:
        raise CommandError("There is no password on standard input")
    return password


def _ask() -> str:
    password: str = click.prompt("Password", hide_input=True, confirmation_prompt=True)
    return password
