"""What clients were promised, and what they were still waiting for, against what a database holds."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple


class State(NamedTuple):
    """A post with all that is written together with it: whoever has half of it has another state."""

    status: str
    title: str
    #: SHA-256 of the content, and what its writer said that would be, in a field of the same post.
    digest: str
    noted: str
    meta_title: str
    tags: frozenset[str]
    categories: frozenset[int]
    #: Titles of the revisions, oldest first.
    revisions: tuple[str, ...]
    #: Whether a time of publication is stamped.
    stamped: bool


@dataclass(frozen=True)
class UnderWay:
    """A write that was sent and not answered."""

    #: None for a new post.
    post: int | None
    #: Before the write; None for a new post.
    before: State | None
    #: None where the post is deleted for good.
    after: State | None


@dataclass
class Ledger:
    """Each writer waits for one answer at a time, and no two write to the same post."""

    #: By id, what was acknowledged last; without what is acknowledged as gone.
    posts: dict[int, State] = field(default_factory=dict)
    #: Who made which post.
    owners: dict[int, int] = field(default_factory=dict)
    under_way: dict[int, UnderWay] = field(default_factory=dict)
    #: Answers by act and status.
    answers: Counter[tuple[str, int]] = field(default_factory=Counter)
    refusals: list[str] = field(default_factory=list)

    def sent(self, writer: int, post: int | None, after: State | None) -> None:
        self.under_way[writer] = UnderWay(post, None if post is None else self.posts[post], after)

    def acknowledged(self, writer: int, post: int) -> None:
        """The write was carried out."""
        after = self.under_way.pop(writer).after
        if after is None:
            del self.posts[post], self.owners[post]
        else:
            self.posts[post] = after
            self.owners[post] = writer

    def refused(self, writer: int, told: str) -> None:
        """The write was answered, and was not carried out."""
        del self.under_way[writer]
        self.refusals.append(told)

    def of(self, writer: int) -> list[int]:
        """The ids of a writer's posts."""
        return sorted(post for post, owner in self.owners.items() if owner == writer)

    def faults(self, stored: Mapping[int, State]) -> Iterator[str]:
        """Whatever the database holds or lacks against its promises."""
        possible: dict[int, list[State | None]] = {post: [state] for post, state in self.posts.items()}
        for each in self.under_way.values():
            if each.post is not None:
                possible[each.post].append(each.after)
        for post, states in possible.items():
            if stored.get(post) not in states:
                yield f"post {post} is {stored.get(post)}, and should be one of {states}"
        awaited = list(self._new().values())
        for post in sorted(stored.keys() - self.posts.keys()):
            if stored[post] not in awaited:
                yield f"post {post} is {stored[post]}, which nobody asked for, or not like this, or once too often"
            else:
                awaited.remove(stored[post])

    def settle(self, stored: Mapping[int, State]) -> Counter[str]:
        """Take what is stored for what is so, and nothing for under way; tells what became of that."""
        became = Counter("done" if self._is_done(each, stored) else "not done" for each in self.under_way.values())
        new = {state: writer for writer, state in self._new().items()}
        self.owners = {post: self.owners.get(post, new.get(state, -1)) for post, state in stored.items()}
        self.posts = dict(stored)
        self.under_way.clear()
        return became

    def _new(self) -> dict[int, State]:
        """By writer, the posts that were to be made."""
        return {
            writer: each.after
            for writer, each in self.under_way.items()
            if each.post is None and each.after is not None
        }

    @staticmethod
    def _is_done(each: UnderWay, stored: Mapping[int, State]) -> bool:
        if each.post is None:
            return each.after in stored.values()
        return stored.get(each.post) == each.after
