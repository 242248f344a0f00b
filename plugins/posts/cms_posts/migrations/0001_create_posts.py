"""Create posts, with their outlines, slugs, counts and search index, and what puts them under categories and tags."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import TSVECTOR

from cms_host.api import Ascii, Flag, Id, Instant, Json

revision = "0001"
down_revision = None


def upgrade() -> None:
    _create_posts()
    untrashed = sa.column("status") != sa.literal_column("'trash'")
    _create_post_indexes(untrashed)
    _create_outlines()
    _create_media()
    _create_revisions()
    _create_seo()
    _create_gate()
    _create_schedules()
    op.create_table(
        "post_slugs",
        sa.Column("slug", Ascii, nullable=False),
        sa.Column("post_id", Id),
        sa.Column("current", Flag(), nullable=False),
        sa.PrimaryKeyConstraint("slug", name="pk_post_slugs"),
    )
    op.create_index("ix_post_slugs_post", "post_slugs", ["post_id"])
    op.create_table(
        "post_counts",
        sa.Column("type", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("visibility", sa.Text(), nullable=False),
        sa.Column("slot", sa.Integer(), nullable=False),
        sa.Column("n", Id, nullable=False),
        sa.PrimaryKeyConstraint("type", "status", "visibility", "slot", name="pk_post_counts"),
    )
    _create_search()
    for one, many in (("category", "categories"), ("tag", "tags")):
        _create_links(f"post_{many}", f"{one}_id", many, untrashed)
        _create_link_counts(f"post_{one}_counts", f"{one}_id", many)


def _create_post_indexes(untrashed: sa.ColumnElement[bool]) -> None:
    partial = {"sqlite_where": untrashed, "postgresql_where": untrashed}
    op.create_index("ix_posts_untrashed", "posts", ["created_at", "id", "status", "visibility"], **partial)
    op.create_index("ix_posts_type", "posts", ["type", "created_at", "id"], **partial)
    op.create_index("ix_posts_updated", "posts", ["updated_at", "id", "created_at"], **partial)
    op.create_index("ix_posts_modified", "posts", ["content_modified_at", "id", "created_at"], **partial)
    # SQLite puts nulls first by itself, and takes no word about it in an index.
    on_sqlite = op.get_bind().dialect.name == "sqlite"
    published = "published_at" if on_sqlite else sa.column("published_at").nulls_first()
    op.create_index("ix_posts_published", "posts", [published, "id"], **partial)
    op.create_index("ix_posts_title", "posts", ["title", "id"], **partial)
    op.create_index("ix_posts_views", "posts", ["view_count", "id"], **partial)
    op.create_index("ix_posts_status", "posts", ["status", "created_at", "id"])
    op.create_index("ix_posts_status_id", "posts", ["status", "id"])
    op.create_index("ix_posts_author", "posts", ["author_id", "created_at", "id", "status"])
    op.create_index("ix_posts_author_id", "posts", ["author_id", "id"], **partial)
    private = sa.column("visibility") == sa.literal_column("'private'")
    hidden = sa.or_(sa.column("status") != sa.literal_column("'published'"), private)
    author = ["author_id", "type", "status"]
    op.create_index("ix_posts_hidden", "posts", author, sqlite_where=hidden, postgresql_where=hidden)
    featured = sa.and_(sa.column("is_featured", Flag), untrashed)
    op.create_index(
        "ix_posts_featured", "posts", ["created_at", "id"], sqlite_where=featured, postgresql_where=featured
    )
    scheduled = sa.column("status") == sa.literal_column("'scheduled'")
    due = {"sqlite_where": scheduled, "postgresql_where": scheduled}
    op.create_index("ix_posts_due", "posts", ["status", "scheduled_at", "id"], **due)


def _create_posts() -> None:
    op.create_table(
        "posts",
        sa.Column("id", Id, nullable=False),
        sa.Column("type", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("visibility", sa.Text(), nullable=False),
        sa.Column("author_id", Id, nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("slug", Ascii, nullable=False),
        sa.Column("excerpt", sa.Text(), nullable=False),
        sa.Column("featured_image", sa.Text(), nullable=False),
        sa.Column("comment_status", sa.Text(), nullable=False),
        sa.Column("is_featured", Flag(), nullable=False),
        sa.Column("reading_time", sa.Integer(), nullable=False),
        sa.Column("view_count", Id, nullable=False),
        sa.Column("ymyl", Flag(), nullable=False),
        sa.Column("sources", Json(), nullable=False),
        sa.Column("ai_disclosure", sa.Text()),
        sa.Column("original_notes", sa.Text()),
        sa.Column("scheduled_at", Instant()),
        sa.Column("published_at", Instant()),
        sa.Column("created_at", Instant(), nullable=False),
        sa.Column("updated_at", Instant(), nullable=False),
        sa.Column("content_modified_at", Instant(), nullable=False),
        sa.Column("content_hash", sa.Text(), nullable=False),
        sa.Column("reviewed_at", Instant()),
        sa.Column("reviewed_by", Id),
        sa.Column("reviewed_hash", sa.Text()),
        sa.Column("approved_hash", sa.Text()),
        sa.Column("password_hash", sa.Text()),
        sa.Column("content", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_posts"),
        sa.UniqueConstraint("slug", name="uq_posts_slug"),
        sa.ForeignKeyConstraint(["author_id"], ["users.id"], name="fk_posts_author_id"),
        sqlite_autoincrement=True,
    )


def _create_outlines() -> None:
    op.create_table(
        "post_outlines",
        sa.Column("post_id", Id, autoincrement=False, nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("headings", Json(), nullable=False),
        sa.Column("links", Json(), nullable=False),
        sa.Column("images", Json(), nullable=False),
        sa.PrimaryKeyConstraint("post_id", name="pk_post_outlines"),
        sa.ForeignKeyConstraint(["post_id"], ["posts.id"], name="fk_post_outlines_post_id", ondelete="CASCADE"),
    )


def _create_media() -> None:
    op.create_table(
        "post_media",
        sa.Column("post_id", Id, autoincrement=False, nullable=False),
        sa.Column("as_cover", Flag(), nullable=False),
        sa.Column("path", Ascii, nullable=False),
        sa.PrimaryKeyConstraint("post_id", "as_cover", "path", name="pk_post_media"),
        sa.ForeignKeyConstraint(["post_id"], ["posts.id"], name="fk_post_media_post_id", ondelete="CASCADE"),
    )
    op.create_index("ix_post_media_path", "post_media", ["path", "post_id"])


def _create_revisions() -> None:
    op.create_table(
        "post_revisions",
        sa.Column("id", Id, nullable=False),
        sa.Column("post_id", Id, nullable=False),
        sa.Column("editor_id", Id),
        sa.Column("created_at", Instant(), nullable=False),
        sa.Column("changed_fields", Json(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("slug", Ascii, nullable=False),
        sa.Column("excerpt", sa.Text(), nullable=False),
        sa.Column("facing", Json(), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_post_revisions"),
        sa.ForeignKeyConstraint(["post_id"], ["posts.id"], name="fk_post_revisions_post_id", ondelete="CASCADE"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_post_revisions_post", "post_revisions", ["post_id", "id"])


def _create_seo() -> None:
    op.create_table(
        "post_seo",
        sa.Column("post_id", Id, autoincrement=False, nullable=False),
        sa.Column("sent", Json(), nullable=False),
        sa.PrimaryKeyConstraint("post_id", name="pk_post_seo"),
        sa.ForeignKeyConstraint(["post_id"], ["posts.id"], name="fk_post_seo_post_id", ondelete="CASCADE"),
    )


def _create_schedules() -> None:
    op.create_table(
        "post_schedules",
        sa.Column("post_id", Id, autoincrement=False, nullable=False),
        sa.Column("scheduled_at", Instant(), nullable=False),
        sa.Column("token", sa.Text(), nullable=False),
        sa.Column("until", Instant(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("refused_at", Instant()),
        sa.PrimaryKeyConstraint("post_id", name="pk_post_schedules"),
        sa.ForeignKeyConstraint(["post_id"], ["posts.id"], name="fk_post_schedules_post_id", ondelete="CASCADE"),
    )


def _create_gate() -> None:
    op.create_table(
        "gate_reports",
        sa.Column("post_id", Id, autoincrement=False, nullable=False),
        sa.Column("ran_at", Instant(), nullable=False),
        sa.Column("trigger", sa.Text(), nullable=False),
        sa.Column("passes", Flag(), nullable=False),
        sa.Column("blocks", Json(), nullable=False),
        sa.Column("warnings", Json(), nullable=False),
        sa.PrimaryKeyConstraint("post_id", name="pk_gate_reports"),
        sa.ForeignKeyConstraint(["post_id"], ["posts.id"], name="fk_gate_reports_post_id", ondelete="CASCADE"),
    )
    op.create_table(
        "gate_counts",
        sa.Column("day", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("code", Ascii, nullable=False),
        sa.Column("kind", Ascii, nullable=False),
        sa.Column("n", Id, nullable=False),
        sa.PrimaryKeyConstraint("day", "code", "kind", name="pk_gate_counts"),
    )


def _create_search() -> None:
    """The folded copy of what can be searched, with the full-text index that the database has."""
    if op.get_bind().dialect.name == "sqlite":
        tokenizer = "unicode61 remove_diacritics 0"  # Accents were folded as far as they do not count.
        op.execute(f"CREATE VIRTUAL TABLE post_search USING fts5(title, content, tokenize='{tokenizer}')")
        return
    op.create_table(
        "post_search",
        sa.Column("post_id", Id, autoincrement=False, nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("words", TSVECTOR(), nullable=False),
        sa.PrimaryKeyConstraint("post_id", name="pk_post_search"),
        sa.ForeignKeyConstraint(["post_id"], ["posts.id"], name="fk_post_search_post_id", ondelete="CASCADE"),
    )
    op.create_index("ix_post_search_words", "post_search", ["words"], postgresql_using="gin")


def _create_links(name: str, term: str, terms: str, untrashed: sa.ColumnElement[bool]) -> None:
    op.create_table(
        name,
        sa.Column(term, Id, autoincrement=False, nullable=False),
        sa.Column("post_id", Id, autoincrement=False, nullable=False),
        sa.Column("direct", Flag(), nullable=False),
        sa.Column("type", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("visibility", sa.Text(), nullable=False),
        sa.Column("created_at", Instant(), nullable=False),
        sa.PrimaryKeyConstraint(term, "post_id", name=f"pk_{name}"),
        sa.ForeignKeyConstraint([term], [f"{terms}.id"], name=f"fk_{name}_{term}", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["post_id"], ["posts.id"], name=f"fk_{name}_post_id", ondelete="CASCADE"),
    )
    by_date = ["created_at", "post_id"]
    op.create_index(f"ix_{name}_untrashed", name, [term, *by_date], sqlite_where=untrashed, postgresql_where=untrashed)
    op.create_index(f"ix_{name}_status", name, [term, "status", *by_date])
    op.create_index(f"ix_{name}_post", name, ["post_id"])


def _create_link_counts(name: str, term: str, terms: str) -> None:
    op.create_table(
        name,
        sa.Column(term, Id, autoincrement=False, nullable=False),
        sa.Column("direct", Flag(), nullable=False),
        sa.Column("type", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("visibility", sa.Text(), nullable=False),
        sa.Column("slot", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("n", Id, nullable=False),
        sa.PrimaryKeyConstraint(term, "direct", "type", "status", "visibility", "slot", name=f"pk_{name}"),
        sa.ForeignKeyConstraint([term], [f"{terms}.id"], name=f"fk_{name}_{term}", ondelete="CASCADE"),
    )
