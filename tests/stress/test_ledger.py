"""The ledger of the kills sees what it is there to see."""

import pytest

from tests.stress.ledger import Ledger, State

FIRST = State("draft", "One", "abc", "abc", "abc", frozenset({"Konu 1"}), frozenset({2}), (), stamped=False)
SECOND = FIRST._replace(title="Two", digest="def", noted="def", meta_title="def", revisions=("One",))
OTHER = FIRST._replace(title="Other")


@pytest.fixture
def ledger() -> Ledger:
    """Post 1 is acknowledged; writer 0 changes it, and writer 1 makes another, when the service is killed."""
    ledger = Ledger()
    ledger.sent(0, None, FIRST)
    ledger.acknowledged(0, 1)
    ledger.sent(0, 1, SECOND)
    ledger.sent(1, None, OTHER)
    return ledger


@pytest.mark.parametrize("stored", [{1: FIRST}, {1: SECOND}, {1: FIRST, 2: OTHER}, {1: SECOND, 9: OTHER}])
def test_what_was_under_way_is_done_or_not(ledger: Ledger, stored: dict[int, State]) -> None:
    assert list(ledger.faults(stored)) == []
    became = ledger.settle(stored)
    assert became.total() == 2
    assert became["done"] == (stored[1] == SECOND) + (OTHER in stored.values())
    assert ledger.posts == stored
    assert [ledger.owners[post] for post in sorted(stored)] == [0, 1][: len(stored)]
    assert list(ledger.faults(stored)) == []


@pytest.mark.parametrize(
    ("stored", "fault"),
    [
        ({}, "post 1 is None, and should be one of"),
        ({1: SECOND._replace(meta_title="abc")}, "post 1 is State"),
        ({1: SECOND._replace(revisions=())}, "post 1 is State"),
        ({1: FIRST, 2: OTHER._replace(tags=frozenset())}, "post 2 is State"),
        ({1: FIRST, 2: OTHER, 3: OTHER}, "post 3 is State"),
        ({1: FIRST, 2: SECOND}, "post 2 is State"),
    ],
)
def test_what_is_lost_halved_or_made_up_is_told(ledger: Ledger, stored: dict[int, State], fault: str) -> None:
    (told,) = ledger.faults(stored)
    assert told.startswith(fault)


def test_what_was_acknowledged_as_deleted_must_be_gone(ledger: Ledger) -> None:
    ledger.acknowledged(0, 1)
    ledger.sent(0, 1, None)
    assert list(ledger.faults({})) == []
    ledger.acknowledged(0, 1)
    assert list(ledger.faults({})) == []
    (told,) = ledger.faults({1: SECOND})
    assert "which nobody asked for" in told
