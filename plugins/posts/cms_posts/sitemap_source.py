"""Posts and pages for the sitemap: open to everybody, and nothing in their SEO objects against it."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Text, and_, bindparam, cast, exists, func, literal_column, or_, select

from cms_host.api import Host, Id, Query, Reader, SitemapEntry, SitemapPart, SitemapSource
from cms_posts.addresses import PERMALINK, cover_url, permalink
from cms_posts.covered import WithOpen
from cms_posts.local_images import local_address
from cms_posts.robots import own_forms
from cms_posts.tables import counts, is_open, outlines, posts, seo, tells_robots

#: Images that search engines read of one page (image sitemaps).
MOST_IMAGES = 1_000
_LAST = 2**63 - 1


class _Row(NamedTuple):
    id: int
    slug: str
    featured_image: str
    content_modified_at: int
    #: None where the post has no outline, which `cms-host check` tells of.
    images: list[str] | None


def _filled(name: str) -> ColumnElement[str]:
    """What posts' addresses are made of, with those of this post in their places."""
    with_slug = func.replace(bindparam(name, type_=Text), "{slug}", posts.c.slug)
    return func.replace(with_slug, "{id}", cast(posts.c.id, Text))


#: A page whose canonical address is another one asks search engines to show that instead.
_elsewhere = and_(seo.c.canonical.is_not(None), seo.c.canonical != _filled("whole"), seo.c.canonical != _filled("path"))
_left_out = and_(tells_robots, or_(seo.c.noindex, _elsewhere))
_indexed = and_(is_open, ~exists().where(seo.c.post_id == posts.c.id, _left_out))

_open = select(func.coalesce(func.sum(counts.c.n), 0)).where(
    counts.c.status == literal_column("'published'"), counts.c.visibility == literal_column("'public'")
)
_excepted = select(func.count()).select_from(WithOpen(seo, seo.c.post_id)).where(_left_out, is_open)
_COUNT = Query(select(cast(_open.scalar_subquery() - _excepted.scalar_subquery(), Id).label("n")), scans=True)
_chosen = (
    select(posts.c.id, posts.c.slug, posts.c.featured_image, posts.c.content_modified_at)
    .where(_indexed, posts.c.id > bindparam("after_id", type_=Id), posts.c.id <= bindparam("upto_id", type_=Id))
    .order_by(posts.c.id)
    .limit(bindparam("limit", type_=Id))
    .offset(bindparam("offset", type_=Id))
    .subquery("chosen")
)
#: One by one: PostgreSQL would rather read all outlines for each step of a walk, as long as that is quick.
_images = select(outlines.c.images).where(outlines.c.post_id == _chosen.c.id).scalar_subquery()
_ENTRIES = Query(select(*_chosen.c, _images.label("images")).order_by(_chosen.c.id), _Row, scans=True)
_number = (posts.c.id - 1) // bindparam("size", type_=Id) + 1
_PARTS = Query(
    select(_number.label("number"), func.max(posts.c.content_modified_at).label("modified_at"))
    .where(_indexed)
    .group_by(literal_column("number"))
    .order_by(literal_column("number")),
    SitemapPart,
    scans=True,
)


class PostSitemap(SitemapSource):
    """Provides posts and pages to the sitemap."""

    name = "posts"

    def __init__(self, host: Host) -> None:
        self._host = host

    async def count(self, db: Reader) -> int:
        number: int = await db.value(_COUNT, **self._own)
        return number

    async def entries(
        self, db: Reader, after_id: int, limit: int, offset: int = 0, upto_id: int | None = None
    ) -> Sequence[SitemapEntry]:
        upto = _LAST if upto_id is None else upto_id
        rows = await db.all(_ENTRIES, after_id=after_id, upto_id=upto, limit=limit, offset=offset, **self._own)
        return [self._entry(row) for row in rows]

    async def parts(self, db: Reader, size: int) -> Sequence[SitemapPart]:
        return await db.all(_PARTS, size=size, **self._own)

    @property
    def _own(self) -> Mapping[str, Any]:
        whole, path = own_forms(self._host.settings[PERMALINK], self._host.config.base_url)
        return {"whole": whole, "path": path}

    def _entry(self, row: _Row) -> SitemapEntry:
        images = tuple(self._images(row))[:MOST_IMAGES]
        return SitemapEntry(row.id, permalink(self._host, row), row.content_modified_at, images)

    def _images(self, row: _Row) -> Iterable[str]:
        """The cover, wherever it is, and the site's own images in the content, each once."""
        if not row.featured_image and not row.images:
            return ()
        local = (local_address(each, self._host.config.base_url) for each in row.images or ())
        return dict.fromkeys(filter(None, (cover_url(self._host, row.featured_image), *local)))
