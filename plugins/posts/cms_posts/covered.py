"""Telling which of many posts everybody may read, by an index that holds just that."""

from typing import Any

from sqlalchemy import ColumnElement, FromClause
from sqlalchemy.ext.compiler import compiles

from cms_posts.filters import LeftFirst
from cms_posts.tables import posts


class WithOpen(LeftFirst):
    """What is on the left, joined with posts; the statement has to say `is_open`.

    SQLite would rather look up each post by its id, and read a page of its text for each: where the statement needs no
    more of posts than `ix_posts_open` has, it reads nothing else.
    """

    inherit_cache = True

    def __init__(self, left: FromClause, post_id: ColumnElement[int]) -> None:
        super().__init__(left, posts, posts.c.id == post_id)


@compiles(WithOpen, "sqlite")
def _with_open(join: WithOpen, compiler: Any, **options: Any) -> str:
    left = compiler.process(join.left, **options | {"asfrom": True})
    on = compiler.process(join.onclause, **options | {"from_linter": None})
    return f"{left} CROSS JOIN posts INDEXED BY ix_posts_open ON {on}"
