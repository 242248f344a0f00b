"""The first start of a site: one administrator with one key, whose secret is shown once."""

import os
import shlex
import sys
from dataclasses import dataclass
from pathlib import Path

import click

from cms_host.enrolment import Enrolment
from cms_host.host import Host
from cms_host.principal import Role
from cms_host.services import MissingService

USERNAME = "admin"
EMAIL = "admin@localhost"
KEY_NAME = "first start"
#: Holds the key alone, in the data folder, where there is no terminal to show it on.
KEY_FILE = "admin.key"


@dataclass(frozen=True, slots=True)
class FirstKey:
    """The key that the first start made, and where it went."""

    secret: str
    #: None where it is shown on the terminal.
    file: Path | None

    @property
    def in_shell(self) -> str:
        """The key as a shell's double-quoted string can hold it."""
        return self.secret if self.file is None else f"$(cat {shlex.quote(str(self.file))})"

    def show(self) -> None:
        """Tell the operator of it, on standard output."""
        if self.file is None:
            click.echo(f"The first start made an administrator. This key is not shown again.\n\n  user  {USERNAME}")
            click.echo(f"  key   {self.secret}\n")
        else:
            click.echo(f"The first start made the administrator {USERNAME}. The key is in {self.file}")


async def first_start(host: Host) -> FirstKey | None:
    """Make the administrator if there is no user yet; of several starts at once, one does.

    :raises OSError: the key's file can't be written; then there is no administrator either.
    """
    file = None if sys.stdout.isatty() else host.data_dir.absolute() / KEY_FILE
    written = False
    try:
        async with host.unit().write(lock="first-start") as unit:
            accounts = unit.get(Enrolment)
            if await accounts.has_users():
                return None
            key = FirstKey(await accounts.enrol(USERNAME, EMAIL, Role.ADMIN, KEY_NAME), file)
            if file is not None:
                # Before the commit: a key that nobody can read would lock everybody out.
                _write_private(file, key.secret)
                written = True
    except MissingService:
        return None
    except BaseException:
        if file is not None and written:
            file.unlink(missing_ok=True)
        raise
    return key


def _write_private(file: Path, secret: str) -> None:
    file.unlink(missing_ok=True)
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as opened:
        opened.write(f"{secret}\n")
        opened.flush()
        os.fsync(opened.fileno())
