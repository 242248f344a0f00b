"""Full-text search over a folded copy of titles and texts: what is indexed, and what a client's words match.

A word is a run of letters and digits. SQLite keeps the copy in an FTS5 table, which finds the words by itself.
PostgreSQL's parser has ideas of its own about hyphens, dots and slashes, so the words are found here, and given to it
as they are. Everything is kept in step by code: a trigger would be lost with the first table that a migration rebuilds.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Text, bindparam, cast, column, delete, literal_column, table
from sqlalchemy.dialects.postgresql import TSQUERY, TSVECTOR

from cms_host.api import WORD, Id, Query, Terms, Transaction, containing, fold, insert, like_all
from cms_posts.post import Post

#: Characters of a text that can be searched. Their words always fit PostgreSQL's tsvector, which ends at 1 MB.
SEARCHED_LENGTH = 200_000
#: What PostgreSQL keeps of a word and of its places; neither is ever reached by what a reader would look for.
_LONGEST_WORD, _LAST_PLACE, _MOST_PLACES = 500, 16_383, 255

#: Longer words are not worth remembering how they fold.
_COMMON_LENGTH = 30
#: One word of a tsvector as text, with its places.
_LEXEME = re.compile(r"'([^']*)':([0-9A,]+)")
#: Made by the migration, of another kind on each database: an FTS5 table whose row ids are the posts', and a plain one.
fts5 = table("post_search", column("rowid", Id), column("title"), column("content"))
searchable = table("post_search", column("post_id", Id), column("title"), column("content"), column("words", TSVECTOR))

_row = insert(searchable).values({each.key: bindparam(each.key) for each in searchable.c})
_INDEX = Query(
    {
        "sqlite": insert(fts5)
        .prefix_with("OR REPLACE")
        .values(rowid=bindparam("post_id"), title=bindparam("title"), content=bindparam("content")),
        "postgresql": _row.on_conflict_do_update(
            index_elements=["post_id"], set_={name: _row.excluded[name] for name in ("title", "content", "words")}
        ),
    }
)
_UNINDEX = Query(
    {
        "sqlite": delete(fts5).where(fts5.c.rowid == bindparam("which")),
        "postgresql": delete(searchable).where(searchable.c.post_id == bindparam("which")),
    }
)


class Said(NamedTuple):
    """What a post can be found by."""

    post_id: int
    title: str
    #: What a reader sees of its content.
    text: str


def values(terms: Terms, dialect: str, begun: str = "") -> dict[str, Any]:
    """The parameters of `matches`.

    :param begun: one of the words, whose last word may be the beginning of a longer one.
    """
    words = (_fts5_query if dialect == "sqlite" else _tsquery)(terms.words, begun)
    return {"words": words, "letters": [containing(each) for each in terms.letters]}


def matches(dialect: str, *, words: bool, letters: bool) -> Iterator[ColumnElement[bool]]:
    """The conditions on a row of the search table: the terms' words, their letters, or both."""
    if words and dialect == "sqlite":
        # FTS5 takes its own name for "any column".
        yield literal_column("post_search").op("MATCH", is_comparison=True)(bindparam("words"))
    elif words:
        yield searchable.c.words.op("@@", is_comparison=True)(cast(bindparam("words", type_=Text), TSQUERY))
    if letters:
        copy = (fts5 if dialect == "sqlite" else searchable).c
        # No term holds white space, so none can reach from the title into the text.
        yield like_all(copy.title + "\n" + copy.content, "letters")[dialect]


async def index_post(tx: Transaction, post: Post, text: str) -> None:
    """Make a post, new or changed, be found by what it says now.

    :param text: what a reader sees of its content.
    """
    await tx.send(_INDEX, **_values(Said(post.id, post.title, text), tx.dialect))


async def index_many(tx: Transaction, posts: Iterable[Said]) -> None:
    """As `index_post` for each."""
    await tx.execute_many(_INDEX, (_values(each, tx.dialect) for each in posts))


async def unindex_post(tx: Transaction, post_id: int) -> None:
    """A post is about to be deleted for good."""
    await tx.send(_UNINDEX, which=post_id)


def is_copy(said: Said, title: str, content: str, words: str | None) -> bool:
    """Whether that is what the search table has to hold of a post.

    :param words: as text, where the database keeps them by themselves (PostgreSQL).
    """
    expected = _folded(said, fold_by_words)
    if (title, content) != expected:
        return False
    return words is None or _places_in(words) == _places_in(_tsvector(*expected))


def _values(said: Said, dialect: str) -> dict[str, Any]:
    title, content = _folded(said)
    values = {"post_id": said.post_id, "title": title, "content": content}
    return values if dialect == "sqlite" else {**values, "words": _tsvector(title, content)}


def fold_by_words(text: str) -> str:
    """The same as `fold`, for very many texts one after the other: they have most of their words in common."""
    return " ".join(filter(None, map(_fold_word, text.split())))


def _fold_word(word: str) -> str:
    return _fold_common(word) if len(word) <= _COMMON_LENGTH else fold(word)


@lru_cache(maxsize=2**16)
def _fold_common(word: str) -> str:
    return fold(word)


def _folded(said: Said, how: Callable[[str], str] = fold) -> tuple[str, str]:
    # Cut after folding as well: one character can become eighteen.
    return how(said.title), how(said.text[:SEARCHED_LENGTH])[:SEARCHED_LENGTH]


def _places_in(vector: str) -> dict[str, set[str]]:
    return {word: set(places.split(",")) for word, places in _LEXEME.findall(vector)}


def _fts5_query(terms: tuple[str, ...], begun: str) -> str:
    # A star behind the quotes is for the last word in them.
    return " ".join('"' + each.replace('"', '""') + '"' + "*" * (each == begun) for each in terms)


def _tsquery(terms: tuple[str, ...], begun: str) -> str:
    phrases = (" <-> ".join(f"'{word}'" for word in WORD.findall(each)) + ":*" * (each == begun) for each in terms)
    return " & ".join(f"({phrase})" for phrase in phrases)


def _tsvector(title: str, content: str) -> str:
    """Each word with its places, those of the title marked; a gap keeps phrases from reaching across."""
    in_title = WORD.findall(title)
    places: dict[str, list[str]] = {}
    for place, word in enumerate(in_title, 1):
        places.setdefault(word, []).append(f"{place}A")
    for place, word in enumerate(WORD.findall(content), len(in_title) + 2):
        places.setdefault(word, []).append(str(min(place, _LAST_PLACE)))
    return " ".join(
        f"'{word}':{','.join(found[:_MOST_PLACES])}" for word, found in places.items() if len(word) <= _LONGEST_WORD
    )
