"""The tables of posts. No neighbour's table is referenced here; the migrations do that."""

from sqlalchemy import Column, Index, Integer, Table, Text, and_, literal_column, or_

from cms_host.api import Ascii, Flag, Id, Instant, Json, new_metadata

metadata = new_metadata()

posts = Table(
    "posts",
    metadata,
    Column("id", Id, primary_key=True),
    Column("type", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("visibility", Text, nullable=False),
    Column("author_id", Id, nullable=False),
    Column("title", Text, nullable=False),
    Column("slug", Ascii, nullable=False, unique=True),
    Column("excerpt", Text, nullable=False),
    Column("featured_image", Text, nullable=False),
    Column("comment_status", Text, nullable=False),
    Column("is_featured", Flag, nullable=False),
    Column("reading_time", Integer, nullable=False),
    Column("view_count", Id, nullable=False),
    Column("ymyl", Flag, nullable=False),
    Column("sources", Json, nullable=False),
    Column("ai_disclosure", Text),
    Column("original_notes", Text),
    Column("scheduled_at", Instant),
    Column("published_at", Instant),
    Column("created_at", Instant, nullable=False),
    Column("updated_at", Instant, nullable=False),
    Column("content_modified_at", Instant, nullable=False),
    #: SHA-256 of the reader-facing content as it is, as it was reviewed, and as the gate last let it pass.
    Column("content_hash", Text, nullable=False),
    Column("reviewed_at", Instant),
    Column("reviewed_by", Id),
    Column("reviewed_hash", Text),
    Column("approved_hash", Text),
    #: What opens a post of visibility `password`; None where it has none.
    Column("password_hash", Text),
    Column("content", Text, nullable=False),
    sqlite_autoincrement=True,
)
#: Lists leave the trash out unless they are asked for it: the indexes that serve an order hold everything else. What
#: comes after the id in one is there to be read without looking at the post.
not_trashed = posts.c.status != literal_column("'trash'")
#: What only its author and editors see.
hidden = or_(posts.c.status != literal_column("'published'"), posts.c.visibility == literal_column("'private'"))
_untrashed = {"sqlite_where": not_trashed, "postgresql_where": not_trashed}
Index("ix_posts_untrashed", posts.c.created_at, posts.c.id, posts.c.status, posts.c.visibility, **_untrashed)
Index("ix_posts_type", posts.c.type, posts.c.created_at, posts.c.id, **_untrashed)
Index("ix_posts_updated", posts.c.updated_at, posts.c.id, posts.c.created_at, **_untrashed)
Index("ix_posts_modified", posts.c.content_modified_at, posts.c.id, posts.c.created_at, **_untrashed)
#: PostgreSQL would put what was never published last, which is where SQLite puts it first.
Index("ix_posts_published", posts.c.published_at.nulls_first(), posts.c.id, **_untrashed)
Index("ix_posts_title", posts.c.title, posts.c.id, **_untrashed)
Index("ix_posts_views", posts.c.view_count, posts.c.id, **_untrashed)
Index("ix_posts_status", posts.c.status, posts.c.created_at, posts.c.id)
Index("ix_posts_status_id", posts.c.status, posts.c.id)
Index("ix_posts_author", posts.c.author_id, posts.c.created_at, posts.c.id, posts.c.status)
Index("ix_posts_author_id", posts.c.author_id, posts.c.id, **_untrashed)
Index("ix_posts_hidden", posts.c.author_id, posts.c.type, posts.c.status, sqlite_where=hidden, postgresql_where=hidden)
_featured = and_(posts.c.is_featured, not_trashed)
Index("ix_posts_featured", posts.c.created_at, posts.c.id, sqlite_where=_featured, postgresql_where=_featured)
#: The status is in it although it is always the same: SQLite would rather use another index that begins with it.
_due = (posts.c.status, posts.c.scheduled_at, posts.c.id)
_scheduled = posts.c.status == literal_column("'scheduled'")
Index("ix_posts_due", *_due, sqlite_where=_scheduled, postgresql_where=_scheduled)

#: What the sanitiser's worker saw in the content, so that a publish needs no parser.
outlines = Table(
    "post_outlines",
    metadata,
    Column("post_id", Id, primary_key=True, autoincrement=False),
    Column("text", Text, nullable=False),
    Column("headings", Json, nullable=False),
    Column("links", Json, nullable=False),
    Column("images", Json, nullable=False),
)

#: Which stored files a post shows, by their paths: its local images and its cover, whether they exist or not.
post_media = Table(
    "post_media",
    metadata,
    Column("post_id", Id, primary_key=True, autoincrement=False),
    Column("as_cover", Flag, primary_key=True),
    Column("path", Ascii, primary_key=True),
)
Index("ix_post_media_path", post_media.c.path, post_media.c.post_id)

#: What a post was before a change that readers could see; `facing` has the fields that lists of revisions leave out.
revisions = Table(
    "post_revisions",
    metadata,
    Column("id", Id, primary_key=True),
    Column("post_id", Id, nullable=False),
    #: Who made the change; None where no one did. An account may be gone since.
    Column("editor_id", Id),
    Column("created_at", Instant, nullable=False),
    Column("changed_fields", Json, nullable=False),
    Column("title", Text, nullable=False),
    Column("slug", Ascii, nullable=False),
    Column("excerpt", Text, nullable=False),
    Column("facing", Json, nullable=False),
    Column("content", Text, nullable=False),
    sqlite_autoincrement=True,
)
Index("ix_post_revisions_post", revisions.c.post_id, revisions.c.id)

#: The keys of the SEO object that clients sent; the others are derived on reading, so posts without any have no row.
seo = Table(
    "post_seo",
    metadata,
    Column("post_id", Id, primary_key=True, autoincrement=False),
    Column("sent", Json, nullable=False),
)

#: Every slug that a post has or had; a former one belongs to its post until another post takes it.
slugs = Table(
    "post_slugs",
    metadata,
    Column("slug", Ascii, primary_key=True),
    Column("post_id", Id),
    Column("current", Flag, nullable=False),
)
Index("ix_post_slugs_post", slugs.c.post_id)

#: Due posts that a process is publishing, that wait for another try, or that the gate refused of late.
schedules = Table(
    "post_schedules",
    metadata,
    Column("post_id", Id, primary_key=True, autoincrement=False),
    #: When the post was due; where it has another time by now, the row means nothing any more.
    Column("scheduled_at", Instant, nullable=False),
    #: Whose claim it is; empty where nobody is publishing the post.
    Column("token", Text, nullable=False),
    #: Until when nobody may claim it.
    Column("until", Instant, nullable=False),
    #: How often it could not be told whether the post may be published.
    Column("tries", Integer, nullable=False),
    #: When the gate refused it, or gave up on it.
    Column("refused_at", Instant),
)

#: Numbers of posts, kept in step by every write. Writers on PostgreSQL spread over the slots, so that they
#: need not wait for each other's commits; a reader sums them.
counts = Table(
    "post_counts",
    metadata,
    Column("type", Text, primary_key=True),
    Column("status", Text, primary_key=True),
    Column("visibility", Text, primary_key=True),
    Column("slot", Integer, primary_key=True, autoincrement=False),
    Column("n", Id, nullable=False),
)

#: What the gate last said of each post when it decided something.
gate_reports = Table(
    "gate_reports",
    metadata,
    Column("post_id", Id, primary_key=True, autoincrement=False),
    Column("ran_at", Instant, nullable=False),
    Column("trigger", Text, nullable=False),
    Column("passes", Flag, nullable=False),
    Column("blocks", Json, nullable=False),
    Column("warnings", Json, nullable=False),
)

#: How often the gate said no, by the day (since 1970-01-01, UTC) and the rule's code.
gate_counts = Table(
    "gate_counts",
    metadata,
    Column("day", Integer, primary_key=True, autoincrement=False),
    Column("code", Ascii, primary_key=True),
    Column("kind", Ascii, primary_key=True),
    Column("n", Id, nullable=False),
)


def _links(name: str, term: str) -> Table:
    """Which posts a category or tag lists, with copies of what lists filter and sort by: so an index serves them."""
    links = Table(
        name,
        metadata,
        Column(term, Id, primary_key=True, autoincrement=False),
        Column("post_id", Id, primary_key=True, autoincrement=False),
        #: False for a category that the post is in only by one of its children.
        Column("direct", Flag, nullable=False),
        Column("type", Text, nullable=False),
        Column("status", Text, nullable=False),
        Column("visibility", Text, nullable=False),
        Column("created_at", Instant, nullable=False),
    )
    untrashed = links.c.status != literal_column("'trash'")
    by_date = (links.c[term], links.c.created_at, links.c.post_id)
    Index(f"ix_{name}_untrashed", *by_date, sqlite_where=untrashed, postgresql_where=untrashed)
    Index(f"ix_{name}_status", links.c[term], links.c.status, links.c.created_at, links.c.post_id)
    Index(f"ix_{name}_post", links.c.post_id)
    return links


def _link_counts(name: str, term: str) -> Table:
    """Numbers of rows in a table of links, kept as those of posts are."""
    return Table(
        name,
        metadata,
        Column(term, Id, primary_key=True, autoincrement=False),
        Column("direct", Flag, primary_key=True),
        Column("type", Text, primary_key=True),
        Column("status", Text, primary_key=True),
        Column("visibility", Text, primary_key=True),
        Column("slot", Integer, primary_key=True, autoincrement=False),
        Column("n", Id, nullable=False),
    )


category_links = _links("post_categories", "category_id")
category_counts = _link_counts("post_category_counts", "category_id")
tag_links = _links("post_tags", "tag_id")
tag_counts = _link_counts("post_tag_counts", "tag_id")
