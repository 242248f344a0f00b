"""The jobs: mails go out until they are out, and what is over is forgotten."""

import logging

from cms_host.api import HealthCheck, Job, UnitOfWork
from cms_members import store
from cms_members.addresses import link_of
from cms_members.carriers import Carrier, Undeliverable
from cms_members.letters import letter
from cms_members.service import LINK_LIVES, SECOND
from cms_members.store import Registration
from cms_members.tokens import hash_of, new_token
from cms_users.api import Registrations

log = logging.getLogger("cms_members.mailing")
#: Seconds between one failure and the next try; after a day of them the mail is given up.
DELAYS = (60, 300, 900, 1_800, *[3_600] * 24)
#: Seconds for which a mail belongs to the process that sends it: more than that process tries for.
LEASE = 120
#: Seconds that a mail may wait before health says so.
LATE = 900


class Mailing:
    """Sends what is due, one mail after the other, in each process."""

    def __init__(self, carrier: Carrier) -> None:
        self._carrier = carrier

    async def send_due(self, unit: UnitOfWork) -> None:
        """Send all mails that are due now."""
        while (found := await store.find_due(unit.db, unit.host.clock.now())) is not None:
            token = new_token()
            claimed = await _claim(unit, found, hash_of(token))
            if claimed is not None:
                await self._send(unit, claimed, token)

    async def _send(self, unit: UnitOfWork, registration: Registration, token: str) -> None:
        try:
            is_known = await self._carry(unit, registration, token)
        except Undeliverable as error:
            log.warning("mail given up", extra={"registration": registration.id, "reason": str(error)})
            await _end(unit, token)
        except Exception as error:  # noqa: BLE001 - whatever is wrong with a server, or with one mail, must not stop the others.
            await _put_off(unit, registration, token, error)
        else:
            await (_end(unit, token) if is_known else _set_due(unit, token, None))

    async def _carry(self, unit: UnitOfWork, registration: Registration, token: str) -> bool:
        """Whether the address had an account already: its owner is told so, and the registration comes to nothing."""
        host, to = unit.host, registration.email
        is_known = await unit.get(Registrations).is_registered(to)
        if is_known:
            message = letter(host, "known", registration.language, to)
        else:
            message = letter(host, "link", registration.language, to, link_of(host, token))
        await self._carrier.carry(message, to)
        return is_known


async def _claim(unit: UnitOfWork, registration_id: int, token_hash: str) -> Registration | None:
    now = unit.host.clock.now()
    async with unit.write() as write:
        return await store.claim(
            write.tx, registration_id, token_hash, now, until=now + LINK_LIVES, lease=now + LEASE * SECOND
        )


async def _put_off(unit: UnitOfWork, registration: Registration, token: str, error: Exception) -> None:
    told = {"registration": registration.id, "tries": registration.mail_tries, "reason": _told(error)}
    if registration.mail_tries > len(DELAYS):
        log.error("mail given up", extra=told)
        await _end(unit, token)
    else:
        log.warning("mail not sent, and tried again later", extra=told)
        await _set_due(unit, token, unit.host.clock.now() + DELAYS[registration.mail_tries - 1] * SECOND)


def _told(error: Exception) -> str:
    """Without what a server says, which may be whose mail it was."""
    code = getattr(error, "code", None)
    return f"{type(error).__name__}: {error}" if code is None else f"{type(error).__name__}: {code}"


async def _set_due(unit: UnitOfWork, token: str, due: int | None) -> None:
    async with unit.write() as write:
        await store.set_due(write.tx, hash_of(token), due)


async def _end(unit: UnitOfWork, token: str) -> None:
    async with unit.write() as write:
        await store.remove(write.tx, hash_of(token))


async def forget(unit: UnitOfWork) -> None:
    """Delete registrations whose link has expired, and tries that count no longer, one batch in each transaction."""
    deleted = store.BATCH
    while deleted == store.BATCH:
        async with unit.write() as write:
            deleted = await store.forget(write.tx, unit.host.clock.now())


async def look_at_mail(unit: UnitOfWork) -> str:
    """:raises RuntimeError: mails wait for too long."""
    number, oldest = await store.unsent(unit.db)
    waited = 0 if oldest is None else (unit.host.clock.now() - oldest) // SECOND
    if waited > LATE:
        raise RuntimeError(f"{number} mails wait, the oldest for {waited} seconds")
    return f"{number} mails wait"


FORGET = Job("members.forget", 3_600, forget)
CHECK = HealthCheck("mail", look_at_mail)
