"""What rules look at."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Candidate:
    """A post as it would be published, taken apart once so that no rule needs a parser."""

    post_id: int | None
    type: str
    title: str
    #: The title with case, accents and width taken away (contract 3, folding).
    folded_title: str
    #: Sanitised HTML.
    html: str
    #: What a reader sees of it: no tags, white space collapsed.
    text: str
    #: (level, text) of every heading.
    headings: tuple[tuple[int, str], ...]
    links: tuple[str, ...]
    #: Addresses in `src` and `srcset`, and the posters of videos.
    images: tuple[str, ...]
    cover: str
    ymyl: bool
    sources: tuple[str, ...]
    #: Microseconds since the epoch, or None.
    reviewed_at: int | None
    reviewed_hash: str | None
    content_hash: str
    #: What asked for the publish: `create`, `update`, `publish`, `schedule`, ...
    trigger: str
    #: When a scheduled post is due, in microseconds since the epoch: it is compared with published posts and with those
    #: due before it. None for any other post, which is compared with every scheduled one.
    due_at: int | None = None
    #: What the rule's own `prepare` returned.
    prepared: Any = None
