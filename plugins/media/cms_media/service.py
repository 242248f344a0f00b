"""Media, and what may happen to them."""

import logging
from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any

from cms_host.api import (
    Conflict,
    NotFound,
    NotYours,
    Paging,
    ReceivedFile,
    Receiving,
    UnitOfWork,
    containing,
    fold,
    parse_moment,
    plain_text,
)
from cms_media import intake, store
from cms_media.api import MediaStore, MediaUse, StoredImage, UsingPost
from cms_media.records import media_record
from cms_media.store import Medium

log = logging.getLogger("cms_media.service")
#: Posts that a refusal names.
NAMED = 10


class InUse(Conflict):
    """Posts show this medium"""

    def __init__(self, posts: Sequence[UsingPost]) -> None:
        named = ", ".join(f"{post.id} ({post.title})" for post in posts[:NAMED])
        more = ", and others" if len(posts) > NAMED else ""
        super().__init__(f"In use by posts: {named}{more}. Send force: true to delete it all the same")


class MediaService:
    """Media, as the unit of work's caller may change them; provides `Library` and `MediaFiles` to neighbours."""

    def __init__(self, unit: UnitOfWork) -> None:
        self._unit = unit
        self._host = unit.host

    async def page(self, sent: Mapping[str, Any], paging: Paging) -> tuple[Sequence[Medium], int]:
        """Some media, newest first, and how many match.

        :param sent: parameters of `ListMedia`.
        """
        filters = {name: sent[name] for name in ("mime_type", "author_id") if name in sent}
        for name in ("date_from", "date_to"):
            if name in sent:
                filters[name] = parse_moment(sent[name], self._host.timezone, end_of_day=name == "date_to")
        if words := fold(sent.get("search", "")).split():
            filters["patterns"] = [containing(word) for word in words]
        return await store.find_page(self._unit.db, filters, paging)

    async def read(self, medium_id: int) -> Medium:
        """:raises NotFound: there is none."""
        return _found(await store.find(self._unit.db, medium_id))

    async def editable(self, medium_id: int) -> Medium:
        """A medium that the caller may change. :raises NotFound: there is none. :raises NotYours: it is another's."""
        return self._own(await self.read(medium_id))

    async def stored(self, paths: Collection[str]) -> set[str]:
        return await store.stored(self._unit.db, paths)

    def receiving(self) -> AbstractAsyncContextManager[Receiving]:
        return intake.receiving_upload(self._host)

    async def take_in(self, received: ReceivedFile) -> StoredImage:
        return await intake.take_in(self._host, self._unit.get(MediaStore), received)

    async def add(self, image: StoredImage, *, alt: str = "", title: str = "") -> dict[str, Any]:
        texts = {"title": _plain(title), "alt": _plain(alt)}
        owner, now = self._unit.principal.user_id, self._host.clock.now()
        new = Medium(0, **image._asdict(), **texts, author_id=owner, created_at=now)
        types = {image.path: image.mime_type, image.avif: "image/avif", image.webp: "image/webp"}
        return self.record(await store.add(self._unit.tx, new, _searched(new), types))

    async def change(self, medium_id: int, sent: Mapping[str, Any]) -> Medium:
        """Change its texts; inside a transaction.

        :param sent: fields of `MediaChanges`; one that is missing stays as it is.
        :raises NotFound: there is none. :raises NotYours: it is another's.
        """
        before = self._own(_found(await store.hold(self._unit.tx, medium_id)))
        after = before._replace(**{name: _plain(value) for name, value in sent.items()})
        if after != before:
            await store.change(self._unit.tx, after, _searched(after))
        return after

    async def delete(self, medium_id: int, *, force: bool) -> Medium:
        """Delete its rows, inside a transaction; its files go once that is committed, by `drop_files`.

        :param force: even if posts show it. :raises InUse: they do.
        :raises NotFound: there is none. :raises NotYours: it is another's.
        """
        medium = self._own(_found(await store.hold(self._unit.tx, medium_id)))
        if not force:
            posts = [post for use in self._unit.all(MediaUse) for post in await use.using(medium.paths)]
            if posts:
                raise InUse(posts)
        await store.remove(self._unit.tx, medium.id)
        return medium

    async def drop_files(self, medium: Medium) -> None:
        """Delete the files of a medium that is gone. What can't be deleted now is left to the cleaning job."""
        try:
            await self._unit.get(MediaStore).delete(medium.paths)
        except Exception:
            log.exception("files of a deleted medium are left for the cleaning job", extra={"medium": medium.id})

    def record(self, medium: Medium) -> dict[str, Any]:
        """As clients see it."""
        return media_record(medium, self._host.config.base_url, self._host.timezone)

    def _own(self, medium: Medium) -> Medium:
        principal = self._unit.principal
        if not principal.is_editor and medium.author_id != principal.user_id:
            raise NotYours
        return medium


def _found(medium: Medium | None) -> Medium:
    if medium is None:
        raise NotFound
    return medium


def _plain(text: str) -> str:
    return plain_text(text).strip()


def _searched(medium: Medium) -> str:
    # Not the file's name: any two letters are somewhere among its random ones.
    return fold(f"{medium.title} {medium.alt}")
