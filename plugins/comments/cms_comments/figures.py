"""What comments tell of themselves to whoever shows the site's figures (contract 5, stats)."""

from cms_comments.comment import STATUSES
from cms_comments.service import CommentService
from cms_host.api import Figures, StatSource, UnitOfWork


async def _comments(unit: UnitOfWork) -> Figures:
    """By status; `total` is their sum. Comments on posts in the trash count as what they are."""
    found = await unit.get(CommentService).count()
    return {"total": sum(found.values()), **{status: found.get(status, 0) for status in STATUSES}}


SOURCE = StatSource("comments", _comments)
