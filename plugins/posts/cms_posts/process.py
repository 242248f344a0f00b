"""The one thing that the service asks a worker for: from content as it was sent to what is stored.

This module is light; the parsers are imported inside of the worker, by `WARM_UP` before its first job.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from cms_posts.guards import ContentTooComplex, check_content, check_html, check_markdown
from cms_posts.outline import Outline, excerpt, make_outline, reading_time
from cms_posts.removed import Removed

logger = logging.getLogger(__name__)

#: For `Workers.warm_up`: what a worker imports before it counts as ready.
WARM_UP = ("cms_posts.html", "cms_posts.markup", "cms_posts.process")


@dataclass(frozen=True, slots=True)
class Processed:
    """Content, ready to be stored."""

    html: str
    outline: Outline
    #: Derived from the text; for a post that has none of its own.
    excerpt: str
    #: Minutes.
    reading_time: int
    removed: Removed
    #: "html" or "markdown": what the content was, or was taken for.
    format: str


@dataclass(frozen=True, slots=True)
class ProcessedComment:
    """A comment, ready to be stored."""

    html: str
    text: str
    removed: Removed


def process_content(source: str, content_format: str | None, embed_hosts: tuple[str, ...]) -> Processed:
    """Turn Markdown or HTML into sanitised HTML and all that is derived from it.

    :param content_format: "html" or "markdown"; None decides by what it looks like (contract 4).
    :param embed_hosts: hosts whose players may stay (setting `posts.embed_hosts`).
    :raises ContentTooComplex: it would take too long, or is too deep.
    """
    from cms_posts import markup
    from cms_posts.html import sanitize

    check_content(source)
    found = content_format or markup.kind(source)
    with _parsing(source):
        if found == "markdown":
            check_markdown(source)
            source = markup.to_html(source)
        check_html(source)
        cleaned = sanitize(source, embed_hosts=embed_hosts)
    outline = make_outline(cleaned.html)
    return Processed(cleaned.html, outline, excerpt(outline.text), reading_time(outline.text), cleaned.removed, found)


def process_comment(source: str) -> ProcessedComment:
    """Sanitise a comment, which is HTML of the profile `COMMENT`, or just text.

    :raises ContentTooComplex: it would take too long, or is too deep.
    """
    from cms_posts.html import sanitize
    from cms_posts.profiles import COMMENT

    check_content(source)
    with _parsing(source):
        check_html(source)
        cleaned = sanitize(source, COMMENT)
    return ProcessedComment(cleaned.html, make_outline(cleaned.html).text, cleaned.removed)


@contextmanager
def _parsing(source: str) -> Iterator[None]:
    """Whatever a parser stumbles over is the content's fault, and no error of the service (RELIABILITY 1.3, row 23)."""
    try:
        yield
    except (ContentTooComplex, MemoryError):
        raise
    except RecursionError as error:
        raise ContentTooComplex("The content is too complex: it is nested too deeply.") from error
    except Exception as error:
        logger.exception("A parser failed over %d characters of content", len(source))
        raise ContentTooComplex("The content can't be processed: a parser stumbles over its markup.") from error
