"""Any sequence of requests with keys does what a dictionary would do."""

from itertools import count
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cms_host.testing import Client, FakeClock, MakeSite, Site

DAY = 24 * 60 * 60
PATHS = {"/ledger": "/ledger", "/ledger/": "/ledger", "/ledger/books/a": "/ledger/books/a"}


class Sent(NamedTuple):
    owner: str
    path: str
    key: str
    note: str
    breaks_off: bool
    seconds_later: float


SENT = st.builds(
    Sent,
    owner=st.sampled_from(["author.ali", "author.ayse"]),
    path=st.sampled_from(list(PATHS)),
    key=st.sampled_from(["a", "A"]),
    note=st.sampled_from(["x", "y"]),
    breaks_off=st.sampled_from([False, False, False, True]),
    seconds_later=st.sampled_from([0, 0, 0, 3600, DAY - 1, DAY]),
)


class Model:
    """What clients may expect."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str, str], tuple[float, str, bytes]] = {}
        self._now = 0.0

    def expect(self, sent: Sent) -> int | bytes:
        """The status of an answer that is made now, or the bytes of one that was given before."""
        self._now += sent.seconds_later
        since, note, body = self._kept.get(self._scope(sent), (-DAY, "", b""))
        if self._now - since >= DAY:
            return 500 if sent.breaks_off else 201
        return body if note == sent.note else 409

    def keep(self, sent: Sent, body: bytes) -> None:
        self._kept[self._scope(sent)] = self._now, sent.note, body

    def _scope(self, sent: Sent) -> tuple[str, str, str]:
        return sent.owner, PATHS[sent.path], sent.key


@pytest.fixture
async def site(make_site: MakeSite, ledger: Any) -> Site:
    return await make_site(enabled=["keys", "ledger"])


@pytest.fixture
def rounds() -> "count[int]":
    """Numbers the examples, whose keys have nothing to do with those of others."""
    return count()


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(sequence=st.lists(SENT, min_size=2, max_size=15))
async def test_requests_do_what_a_dictionary_would(
    site: Site, ledger: Any, clock: FakeClock, rounds: "count[int]", sequence: list[Sent]
) -> None:
    model, number = Model(), next(rounds)
    for sent in sequence:
        clock.advance(sent.seconds_later)
        site.host.one(ledger).fails = sent.breaks_off
        headers = {"Idempotency-Key": f"{number}-{sent.key}"}
        answer = await Client(site, sent.owner).post(sent.path, json={"note": sent.note}, headers=headers)

        expected = model.expect(sent)
        if isinstance(expected, bytes):
            assert (answer.status, answer.body) == (201, expected)
            continue
        assert answer.status == expected
        assert "Idempotent-Replayed" not in answer.headers
        if expected == 201:
            model.keep(sent, answer.body)
