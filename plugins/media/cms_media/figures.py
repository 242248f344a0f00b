"""What media tell of themselves to whoever shows the site's figures (contract 5, stats)."""

from cms_host.api import Figures, StatSource, UnitOfWork
from cms_media import store


async def _of_media(unit: UnitOfWork) -> Figures:
    kept = await store.kept(unit.db)
    return {"total": kept.total, "bytes": kept.bytes}


SOURCE = StatSource("media", _of_media)
