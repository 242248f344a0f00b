"""What plugins hold open is let go when a host ends."""

import asyncio

import pytest

from cms_host import host
from cms_host.testing import MakeSite

SQLITE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


@SQLITE
async def test_all_are_asked_to_let_go_whatever_becomes_of_one(
    make_site: MakeSite, log_lines: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(host, "LETTING_GO", 0.2)
    site = await make_site()
    asked = []

    async def let_go() -> None:
        asked.append("first")
        # The database goes last: who closes may put something away.
        await site.host.settings.refresh(site.host.db)

    async def hang() -> None:
        asked.append("hangs")
        await asyncio.Event().wait()

    async def fail() -> None:
        asked.append("fails")
        raise RuntimeError("it is stuck")

    for each in (let_go, hang, fail):
        site.host.on_close(each)
    await site.http.close()

    assert asked == ["fails", "hangs", "first"]
    assert sum("a plugin could not let go" in line for line in log_lines) == 2
