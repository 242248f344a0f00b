"""What operators do with entries."""

from collections.abc import Sequence
from typing import Any

from cms_host.api import CommandError, Outbox, UnitOfWork, Unreachable, checked, local
from cms_sink_webhook_delivery import store
from cms_sink_webhook_delivery.signing import check_secret, new_secret
from cms_sink_webhook_delivery.sink import NAME
from cms_sink_webhook_delivery.store import Entry

PAUSED_BY_HAND = "paused by an operator"


class EntryService:
    """Entries, and what is delivered to them."""

    def __init__(self, unit: UnitOfWork) -> None:
        self._unit = unit
        self.outbox = Outbox(unit, NAME)

    async def add(self, url: str, secret: str, events: Sequence[str], *, allow_private: bool) -> Entry:
        """Keep a new entry; outside of any transaction, since names are looked up first.

        :param secret: made here where it is empty. :param events: kinds; all of them where there are none.
        :raises CommandError: one of these can't be.
        """
        kinds = self._unit.host.event_kinds
        if unknown := sorted(set(events) - kinds.keys()):
            raise CommandError(f"There are no events named {', '.join(unknown)}; there are {', '.join(sorted(kinds))}")
        try:
            secret = check_secret(secret) if secret else new_secret()
        except ValueError as error:
            raise CommandError(f"The secret {error}") from error
        await self._check(url, allow_private)
        now = self._unit.host.clock.now()
        async with self._unit.write() as unit:
            entry_id = await store.add(unit.tx, url, secret, sorted(set(events)), allow_private, now)
        return await self.read(entry_id)

    async def _check(self, url: str, allow_private: bool) -> None:
        """:raises CommandError: nothing could be delivered there."""
        try:
            checked(url)
            if not allow_private:
                await self._unit.host.fetcher.refuse_private(url)
        except Unreachable as error:
            raise CommandError(f"{url}: {error}") from error

    async def read(self, entry_id: int) -> Entry:
        """:raises CommandError: there is no such entry."""
        entry = await store.find(self._unit.db, entry_id)
        if entry is None:
            raise CommandError(f"There is no webhook entry {entry_id}")
        return entry

    async def records(self) -> list[dict[str, Any]]:
        """Every entry with how it is doing; secrets are masked."""
        states, waiting = await self.outbox.states(), await self.outbox.waiting()
        zone = self._unit.host.timezone
        records = []
        for entry in await store.find_all(self._unit.db):
            state = states.get(entry.target)
            failing = None if state is None else state.failing_since
            records.append(
                {
                    "id": entry.id,
                    "url": entry.url,
                    "events": entry.events,
                    "secret": f"{entry.secret[:8]}...",
                    "active": state is None or state.paused_at is None,
                    "why": "" if state is None else state.paused_why,
                    "failing_since": None if failing is None else local(failing, zone),
                    "waiting": waiting.get(entry.target, 0),
                    "allow_private": entry.allow_private,
                }
            )
        return records

    async def pause(self, entry_id: int) -> None:
        """Send nothing more; what happens waits."""
        await self.outbox.pause((await self.read(entry_id)).target, PAUSED_BY_HAND)

    async def resume(self, entry_id: int) -> None:
        """Send again, what waited first."""
        await self.outbox.resume((await self.read(entry_id)).target)

    async def replay(self, entry_id: int, since: int) -> int:
        """Send what has happened since a moment once more; says how many events that are."""
        entry = await self.read(entry_id)
        return await self.outbox.replay(entry.target, entry.events, since)

    async def remove(self, entry_id: int) -> None:
        """Forget an entry, and what waits for it."""
        entry = await self.read(entry_id)
        await store.remove(self._unit.tx, entry.id)
        await self.outbox.forget(entry.target)
