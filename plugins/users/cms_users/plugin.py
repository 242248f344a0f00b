"""Users: what this package gives to the host."""

from collections.abc import Mapping, Sequence
from typing import Any

import click

from cms_host.api import Authenticator, Enrolment, Host, Job, Role, Route, StatSource, hookimpl
from cms_users import handlers
from cms_users.actors import ActingAccounts
from cms_users.api import Accounts, Actors, Registrations
from cms_users.authenticator import ApiKeyAuthenticator
from cms_users.commands import KEY, USER
from cms_users.keys import KeyService
from cms_users.last_used import EVERY, LastUsed
from cms_users.registration import RegistrationService
from cms_users.service import AccountService, number_of_users


@hookimpl
def cms_routes(host: Host) -> Sequence[Route]:
    """The endpoints under /users."""
    return [
        Route("GET", "/users", handlers.list_users, Role.ADMIN),
        Route("POST", "/users", handlers.create_user, Role.ADMIN),
        Route("GET", "/users/{id}", handlers.read_user, Role.ADMIN),
        Route("PUT PATCH", "/users/{id}", handlers.update_user, Role.ADMIN),
        Route("DELETE", "/users/{id}", handlers.delete_user, Role.ADMIN),
    ]


@hookimpl
def cms_authenticators(host: Host) -> Sequence[Authenticator]:
    """API keys."""
    return [ApiKeyAuthenticator(host.clock, host.one(LastUsed))]


@hookimpl
def cms_jobs(host: Host) -> Sequence[Job]:
    """Writes down when keys were used."""
    return [Job("users.last-used", EVERY, host.one(LastUsed).flush, scope="process", at_stop=True)]


@hookimpl
def cms_services(host: Host) -> Mapping[type[Any], Any]:
    """What neighbours ask about accounts, and what the host asks at its first start."""
    return {
        Accounts: AccountService,
        Actors: ActingAccounts,
        Enrolment: AccountService,
        Registrations: RegistrationService,
        AccountService: AccountService,
        KeyService: KeyService,
    }


@hookimpl
def cms_stats(host: Host) -> Sequence[StatSource]:
    """How many accounts there are, disabled ones included."""
    return [StatSource("users", number_of_users)]


@hookimpl
def cms_commands() -> Sequence[click.Command]:
    """`user` and `key`."""
    return [USER, KEY]
