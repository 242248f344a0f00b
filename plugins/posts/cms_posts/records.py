"""A post as clients see it (spec, Post record)."""

from collections.abc import Mapping
from typing import Any

from cms_host.api import Report, iso, local
from cms_posts.gate_reports import KeptReport
from cms_posts.listed import Listed
from cms_posts.post import SCHEDULED, Post


def post_record(post: Post | Listed, zone: str) -> dict[str, Any]:
    """The record of one post, its moments in the site's time zone; of a row of a list, as far as that was read."""
    return {
        "id": post.id,
        "title": post.title,
        "slug": post.slug,
        "status": post.status,
        "type": post.type,
        "excerpt": post.excerpt,
        "content": post.content,
        "featured_image": post.featured_image,
        "author_id": post.author_id,
        "author_name": post.author_name,
        "reading_time": post.reading_time,
        "view_count": post.view_count,
        "visibility": post.visibility,
        "comment_status": post.comment_status,
        "is_featured": bool(post.is_featured),
        "scheduled_at": _moment(post.scheduled_at if post.status == SCHEDULED else None, zone),
        "published_at": _moment(post.published_at, zone),
        "created_at": _moment(post.created_at, zone),
        "updated_at": _moment(post.updated_at, zone),
        "content_modified_at": None if post.content_modified_at is None else iso(post.content_modified_at, zone),
        "reviewed_at": _moment(post.reviewed_at, zone),
        "review_valid": post.review_valid,
        "editorial": {
            "ai_disclosure": post.ai_disclosure,
            "original_notes": post.original_notes,
            "sources": post.sources,
            "ymyl": bool(post.ymyl),
        },
    }


def written_record(post: Mapping[str, Any], warnings: list[dict[str, Any]]) -> dict[str, Any]:
    """`data` of every answer to a write (contract 4).

    :param post: the record of the post.
    """
    return {"success": True, "id": post["id"], "post": post, "warnings": warnings}


def checked_record(report: Report) -> dict[str, Any]:
    """What the gate says, with what it measured (contract 4, check)."""
    return {
        "passes": report.passes,
        "blocks": [verdict.detailed() for verdict in report.blocks],
        "warnings": [verdict.detailed() for verdict in report.warnings],
    }


def report_record(report: KeptReport, zone: str) -> dict[str, Any]:
    """What the gate last said of a post (contract 4, GET /posts/{id}/gate)."""
    return {**report._asdict(), "passes": bool(report.passes), "ran_at": local(report.ran_at, zone)}


def _moment(micros: int | None, zone: str) -> str | None:
    return None if micros is None else local(micros, zone)
