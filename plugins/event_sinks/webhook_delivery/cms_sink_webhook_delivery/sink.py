"""One delivery: what is sent, and what an answer means (contract 7)."""

from collections.abc import Mapping, Sequence
from typing import Any

from cms_host.api import Delivery, EventSink, Occurrence, Received, Result, UnitOfWork, Unreachable
from cms_sink_webhook_delivery import store
from cms_sink_webhook_delivery.signing import signed_headers
from cms_sink_webhook_delivery.store import Entry

#: What the outbox calls this sink.
NAME = "webhook_delivery"
SECOND = 1_000_000
#: Seconds for a whole attempt.
PATIENCE = 10.0
#: Bytes of an answer that are read, and that the log keeps.
READ, KEPT = 64 * 1024, 4 * 1024
#: The receiver wants nothing any more.
GONE = 410
#: Header of an answer, in which a receiver says when to try again.
RETRY_AFTER = "Retry-After"


class KnownEntries:
    """All entries, read once in a unit of work."""

    def __init__(self, unit: UnitOfWork) -> None:
        self._db = unit.db
        self._found: Sequence[Entry] | None = None

    async def all(self) -> Sequence[Entry]:
        """The oldest first."""
        if self._found is None:
            self._found = await store.find_all(self._db)
        return self._found


class WebhookSink(EventSink):
    """Sends events to the entries that want them."""

    name = NAME

    async def targets(self, unit: UnitOfWork, event: Occurrence) -> Sequence[str]:
        return [entry.target for entry in await unit.get(KnownEntries).all() if entry.wants(event.kind)]

    async def deliver(self, unit: UnitOfWork, delivery: Delivery) -> Result:
        entry = await store.find(unit.db, int(delivery.target))
        if entry is None:
            return Result(ok=True, record={"error": "the entry was removed"})
        body = delivery.event.body
        headers = {
            "Content-Type": "application/json",
            "User-Agent": "cms-host",
            "X-Service-Event": delivery.event.kind,
            "X-Service-Delivery": delivery.id,
            **signed_headers(entry.secret, delivery.event.id, unit.host.clock.now() // SECOND, body),
        }
        record: dict[str, Any] = {"url": entry.url, "headers": headers, "body": body.decode()}
        try:
            answer = await unit.host.fetcher.post(
                entry.url, body, headers, private=entry.allow_private, seconds=PATIENCE, most=READ
            )
        except Unreachable as error:
            return Result(ok=False, record={**record, "error": str(error)})
        return _result(answer, record)


def _result(answer: Received, record: Mapping[str, Any]) -> Result:
    kept = answer.body[:KEPT].decode("utf-8", "replace")
    return Result(
        ok=200 <= answer.status < 300,
        retry_after=_seconds(answer.headers.get(RETRY_AFTER, "")),
        pause=answer.status == GONE,
        record={**record, "status": answer.status, "answer": kept},
    )


def _seconds(text: str) -> float | None:
    """The seconds of a Retry-After header; a date in its place is not heeded."""
    return float(text) if text.isascii() and text.isdigit() and len(text) < 10 else None
