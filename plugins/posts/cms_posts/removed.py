"""What the sanitiser took away: for the warning `sanitized`, so that nothing is dropped in silence (contract 10)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Removed:
    """Names and counts of what a client would miss. False when there is none.

    Repairs (closing tags, quotes, order) are not counted, nor what stood inside of something that was removed whole.
    """

    tags: Mapping[str, int] = field(default_factory=dict)
    attributes: Mapping[str, int] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.tags or self.attributes)

    @property
    def names(self) -> tuple[str, ...]:
        """For a sentence: tags in angle brackets first, then attributes, each sorted."""
        return (*(f"<{name}>" for name in sorted(self.tags)), *sorted(self.attributes))

    def detail(self) -> dict[str, Any]:
        """For a program: `{"tags": {name: count}, "attributes": {name: count}}`."""
        return {"tags": dict(self.tags), "attributes": dict(self.attributes)}
