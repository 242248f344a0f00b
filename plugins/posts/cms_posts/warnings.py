"""What a writer is told although it is no reason to refuse (contract 10: nothing is dropped in silence)."""

from collections.abc import Collection
from typing import Any

import orjson

from cms_posts.removed import Removed

Warnings = tuple[dict[str, Any], ...]
#: More of an entry, or more entries, are not repeated.
_LONGEST, _MOST = 100, 20


def sanitized(removed: Removed) -> Warnings:
    """What the sanitiser took away, if anything."""
    if not removed:
        return ()
    names = ", ".join(removed.names)
    return (
        {
            "code": "sanitized",
            "message_tr": f"İçerikten güvenlik için çıkarılanlar: {names}.",
            "message_en": f"Removed from the content for safety: {names}.",
            "detail": removed.detail(),
        },
    )


def unknown_categories(entries: Collection[Any]) -> Warnings:
    """Entries of `categories` that are no ids, or ids of no category, if any."""
    if not entries:
        return ()
    named = ", ".join(orjson.dumps(each).decode()[:_LONGEST] for each in list(entries)[:_MOST])
    return (
        {
            "code": "unknown_category",
            "message_tr": f"Böyle kategoriler yok, yazılmadılar: {named}.",
            "message_en": f"There are no such categories, so they were left out: {named}.",
            "detail": {"field": "categories", "entries": list(entries)[:_MOST]},
        },
    )


def unknown_tags(ids: Collection[int]) -> Warnings:
    """Tags of a revision that there are no more, if any."""
    if not ids:
        return ()
    named = ", ".join(str(each) for each in list(ids)[:_MOST])
    return (
        {
            "code": "unknown_tag",
            "message_tr": f"Bu kimlikli etiketler artık yok, yazılmadılar: {named}.",
            "message_en": f"There are no tags with these ids any more, so they were left out: {named}.",
            "detail": {"field": "tags", "entries": list(ids)[:_MOST]},
        },
    )


def discarded(names: Collection[str]) -> Warnings:
    """Fields that were sent and not heeded, if any."""
    if not names:
        return ()
    named = ", ".join(names)
    return (
        {
            "code": "discarded",
            "message_tr": f"Dikkate alınmayan alanlar: {named}.",
            "message_en": f"Fields that were not heeded: {named}.",
            "detail": {"fields": list(names)},
        },
    )
