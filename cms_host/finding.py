"""Where readers' searches and the sitemap get what they show: sources, one or more for each plugin that has any."""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple, Protocol

from cms_host.db import Reader
from cms_host.terms import Terms


class Sought(NamedTuple):
    """What a reader looks for."""

    terms: Terms
    #: One of `terms.words`, whose last word may be the beginning of a longer one; "" where none may.
    begun: str = ""
    #: The one type of records that is wanted; None for all.
    type: str | None = None


class Rank(NamedTuple):
    """How well one record fits: between 0 and 1, the better the higher."""

    id: int
    score: float


class Ranking(NamedTuple):
    """Some of the records that fit, and the number of all of them."""

    ranks: Sequence[Rank]
    total: int


class Hit(NamedTuple):
    """One record that was found, as plain text: whoever shows it marks and escapes it."""

    type: str
    title: str
    slug: str
    url: str
    #: What a reader sees of its content, for an excerpt.
    text: str


class SearchSource(Protocol):
    """Finds what everybody may read of one plugin's records, as it is at that moment."""

    #: Unique; begins with the plugin's name (`posts`).
    name: str
    #: Of its records, as clients name them (`post`, `page`).
    types: Collection[str]

    async def rank(self, db: Reader, sought: Sought, limit: int, offset: int) -> Ranking:
        """The best `limit` records after the first `offset`: by score, among equals the higher id first."""

    async def show(self, db: Reader, ids: Sequence[int]) -> Mapping[int, Hit]:
        """These records by their ids; what is gone meanwhile, or no longer for everybody, is left out."""


class SitemapEntry(NamedTuple):
    """One page that search engines may show."""

    id: int
    #: Absolute, as far as the site knows its own address.
    loc: str
    #: When readers last saw it change, in microseconds since the epoch.
    modified_at: int
    #: Addresses of its images, each once.
    images: Sequence[str]


class SitemapPart(NamedTuple):
    """The entries whose ids are in one span: number 1 is of the ids 1 to `size`, and so on."""

    number: int
    #: The latest of its entries', in microseconds since the epoch.
    modified_at: int


class SitemapSource(Protocol):
    """Tells search engines of one plugin's pages: those that everybody may read and robots may index."""

    #: Unique; ASCII letters and hyphens, for it is part of an address; begins with the plugin's name (`posts`).
    name: str

    async def count(self, db: Reader) -> int:
        """How many entries there are."""

    async def entries(
        self, db: Reader, after_id: int, limit: int, offset: int = 0, upto_id: int | None = None
    ) -> Sequence[SitemapEntry]:
        """The next `limit` entries by id above `after_id`, once `offset` are skipped, none of them above `upto_id`."""

    async def parts(self, db: Reader, size: int) -> Sequence[SitemapPart]:
        """The parts that hold any entry, by number."""
