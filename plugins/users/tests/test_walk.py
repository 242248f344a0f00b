"""Random walks of writes beside a model: who administrates, what names are taken, and whose keys open what."""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cms_host.api import ApiError, Role
from cms_host.testing import Client, Site
from cms_users.keys import KeyService
from cms_users.service import ACCOUNTS_LOCK, AccountService

from .conftest import named

NAMES = ("ayse", "mehmet", "zoe")
ROLES = ("admin", "admin", "editor", "subscriber")


class Step(NamedTuple):
    """One attempt. Accounts and callers are drawn by numbers, counted round."""

    what: str
    which: int
    #: Of an administrator, whose key is used; at 0 the operator, who acts for nobody.
    caller: int
    fields: dict[str, Any]


@dataclass
class Account:
    """What is expected of one."""

    username: str
    role: str
    active: bool
    key: str

    @property
    def administrates(self) -> bool:
        return self.active and self.role == "admin"

    @property
    def opens(self) -> int:
        """What the list of accounts answers to its key."""
        return 401 if not self.active else 200 if self.role == "admin" else 403


@dataclass
class World:
    """A site, the accounts that it is expected to have, and the keys of those that are gone."""

    site: Site
    accounts: dict[int, Account] = field(default_factory=dict)
    gone: list[str] = field(default_factory=list)
    beginnings: int = 0

    async def begin(self) -> None:
        """Nobody is left but a new administrator."""
        self.beginnings += 1
        name = f"root{self.beginnings}"
        async with self.site.host.unit().write(ACCOUNTS_LOCK) as unit:
            service = unit.get(AccountService)
            earlier = await service.all()
            root = await service.create(name, f"{name}@example.org", Role.ADMIN)
            for each in earlier:
                await service.delete(each.id)
        self.gone += [each.key for each in self.accounts.values()]
        self.accounts = {root.id: Account(root.username, "admin", True, await self.key(root.username))}

    async def key(self, username: str) -> str:
        async with self.site.host.unit().write() as unit:
            return await unit.get(KeyService).create(await named(self.site, username), "a key")

    async def take(self, step: Step) -> None:
        """Take one step, whose outcome the model foretells."""
        caller = self.caller(step.caller)
        target = [*self.accounts][step.which % len(self.accounts)]
        expected = self.expected(step, target, caller)
        method, path, body = request_of(step, target)
        if caller is None:
            answered = await self.operate(step, target, body)
        else:
            client = Client(self.site, self.accounts[caller].key)
            answered = (await client.request(method, path, json=body)).status
        assert answered == expected, step
        if expected < 300:
            await self.note(step, target)
            await self.check_key(target)

    def caller(self, number: int) -> int | None:
        able = [user_id for user_id, each in self.accounts.items() if each.administrates and each.key != "none"]
        return None if number == 0 or not able else able[number % len(able)]

    async def operate(self, step: Step, target: int, body: dict[str, Any]) -> int:
        """As the command line does it."""
        try:
            async with self.site.host.unit().write(ACCOUNTS_LOCK) as unit:
                accounts = unit.get(AccountService)
                if step.what == "create":
                    await accounts.create(**{**body, "role": Role.named(body["role"])})
                elif step.what == "update":
                    await accounts.change(target, body)
                else:
                    await accounts.delete(target)
        except ApiError as error:
            return error.status
        return 201 if step.what == "create" else 200

    def is_taken(self, username: str, besides: int | None) -> bool:
        return any(each.username == username for user_id, each in self.accounts.items() if user_id != besides)

    def keeps_admin(self, target: int, caller: int | None) -> bool:
        """Whether the account may stop administrating."""
        others = [each for user_id, each in self.accounts.items() if user_id != target and each.administrates]
        return not self.accounts[target].administrates or (bool(others) and caller != target)

    def expected(self, step: Step, target: int, caller: int | None) -> int:
        if step.what == "create":
            return 409 if self.is_taken(step.fields["username"], None) else 201
        may_stop = self.keeps_admin(target, caller)
        if step.what == "delete":
            return 200 if may_stop else 409
        after = Account(**{**vars(self.accounts[target]), **step.fields})
        is_refused = self.is_taken(after.username, target) or not (after.administrates or may_stop)
        return 409 if is_refused else 200

    async def note(self, step: Step, target: int) -> None:
        if step.what == "delete":
            self.gone.append(self.accounts.pop(target).key)
        elif step.what == "update":
            self.accounts[target] = Account(**{**vars(self.accounts[target]), **step.fields})
        else:
            made = await named(self.site, step.fields["username"])
            # Of a disabled account a key can't be made; enabled again, it could have an old one: none is made here.
            key = await self.key(made.username) if made.active else "none"
            self.accounts[made.id] = Account(made.username, made.role, made.active, key)

    async def check(self) -> None:
        """The laws, and that the site has what the model has."""
        stored = await self.site.host.unit().get(AccountService).all()
        assert {each.id: (each.username, each.role, each.active) for each in stored} == {
            user_id: (each.username, each.role, each.active) for user_id, each in self.accounts.items()
        }
        assert any(each.administrates for each in stored)
        assert len({each.username for each in stored}) == len({each.email for each in stored}) == len(stored)
        for user_id in self.accounts:
            await self.check_key(user_id)
        for key in self.gone[-3:]:
            assert (await Client(self.site, key).get("/users")).status == 401

    async def check_key(self, user_id: int) -> None:
        """What the account's key opens, if there is one, is what the account may do at this moment."""
        account = self.accounts.get(user_id)
        if account is not None and account.key != "none":
            assert (await Client(self.site, account.key).get("/users")).status == account.opens

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """Hypothesis shows what a failing example was given, which would be a whole site."""
        printer.text("the world")


def request_of(step: Step, target: int) -> tuple[str, str, dict[str, Any]]:
    """Method, path and body; an account's address follows its name."""
    username = step.fields.get("username")
    body = {**step.fields, "email": f"{username}@example.org"} if username else dict(step.fields)
    if step.what == "create":
        return "POST", "/users", body
    return "PATCH" if step.what == "update" else "DELETE", f"/users/{target}", body


_whole = st.fixed_dictionaries(
    {"username": st.sampled_from(NAMES), "role": st.sampled_from(ROLES), "active": st.sampled_from((True, True, False))}
)
_part = st.fixed_dictionaries(
    {},
    optional={"username": st.sampled_from(NAMES), "role": st.sampled_from(ROLES), "active": st.booleans()},
)
_which, _caller = st.integers(0, 9), st.integers(0, 4)
STEPS = st.lists(
    st.one_of(
        st.builds(Step, st.just("create"), _which, _caller, _whole),
        st.builds(Step, st.just("update"), _which, _caller, _part),
        st.builds(Step, st.just("delete"), _which, _caller, st.just({})),
    ),
    min_size=5,
    max_size=15,
)


@pytest.fixture
def world(site: Site) -> World:
    return World(site)


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS)
@pytest.mark.shows("users.last-admin", "users.unique", "users.inactive")
async def test_whatever_is_written_somebody_administrates_names_are_unique_and_keys_follow(
    world: World, steps: list[Step]
) -> None:
    await world.begin()
    for step in steps:
        await world.take(step)
    await world.check()
