"""Lists are read along an index, however many media there are."""

import sqlite3
from pathlib import Path

import pytest
from sqlalchemy import create_engine

from cms_media.store import page_query
from cms_media.tables import metadata


@pytest.mark.parametrize(
    ("filters", "index"),
    [
        ((), "ix_media_created"),
        (("date_from", "date_to"), "ix_media_created"),
        (("mime_type",), "ix_media_type"),
        (("author_id",), "ix_media_author"),
        (("author_id", "date_from"), "ix_media_author"),
        (("patterns",), "ix_media_created"),
    ],
)
def test_a_page_is_read_in_the_order_of_an_index(tmp_path: Path, filters: tuple[str, ...], index: str) -> None:
    path = tmp_path / "plans.sqlite3"
    engine = create_engine(f"sqlite:///{path}")
    metadata.create_all(engine)
    engine.dispose()
    compiled = page_query(frozenset(filters)).compiled("sqlite")
    values = dict.fromkeys(("mime_type", "author_id", "date_from", "date_to", "limit", "offset"), 1) | {
        "patterns": ["x"]
    }
    connection = sqlite3.connect(path)
    plan = [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {compiled.sql}", compiled.arguments(values))]
    connection.close()

    assert any(index in step for step in plan), plan
    assert not any("TEMP B-TREE" in step for step in plan), plan
