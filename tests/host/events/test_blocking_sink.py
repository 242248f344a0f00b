"""The one thing that a sink can do to others: to compute, or block, without ever awaiting."""

import asyncio
import time

from cms_host.api import Delivery, Result
from cms_host.testing import Site
from tests.host.events.listeners import Fan, Line, bring, happen, listen, statuses


def block(delivery: Delivery) -> Result:
    """As a client that is not asynchronous does."""
    time.sleep(0.2)  # To block is what is tried here.
    return Result(ok=True)


async def test_a_sink_that_blocks_holds_up_its_process_for_that_long_and_loses_nothing(site: Site) -> None:
    line, fan = Line(block), Fan()
    listen(site, line, fan)
    await happen(site, 1, 2, 3)
    delivering = asyncio.create_task(bring(site))
    answers = [await site.anonymous.get("/health") for _ in range(3)]
    await delivering

    assert {answer.status for answer in answers} == {401}
    assert line.got == [("", 1), ("", 2), ("", 3)]
    assert sorted(fan.got) == [(target, number) for target in "ab" for number in (1, 2, 3)]
    assert {(status, tries) for _, status, tries in await statuses(site)} == {("delivered", 1)}
