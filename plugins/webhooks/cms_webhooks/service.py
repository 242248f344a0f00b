"""What the actions do: with posts by the posts' own service and gate, with images by the library's."""

import logging
from collections.abc import Mapping
from typing import Any

from cms_host.api import FieldError, FieldErrors, UnitOfWork, Unprocessable, Unreachable, load
from cms_media.api import Library, StoredImage
from cms_posts.api import Submission, Submissions
from cms_webhooks.schemas import Later, MaybeLater, StoredPost

log = logging.getLogger("cms_webhooks.service")
#: What the gate's rules and its reports are told of who asks.
TRIGGER = "webhook"
#: Seconds for fetching an image, redirects included.
PATIENCE = 20.0
STORED, LATER, TIMED = StoredPost(), Later(), MaybeLater()
#: Without these a body is no post.
_OF_A_POST = ("title", "content")


class NoImageThere(Unprocessable):
    """There is no image to be had at this address"""


async def to_publish(unit: UnitOfWork, sent: Mapping[str, Any]) -> Submission:
    """A post that is to be published now: a new one, or the stored one of `id`."""
    stored = _stored(sent)
    if stored is not None:
        return await unit.get(Submissions).publish(stored, sent, TRIGGER)
    return await new_post(unit, sent, "published")


async def to_schedule(unit: UnitOfWork, sent: Mapping[str, Any]) -> Submission:
    """A post that is to be published at `scheduled_at`: a new one, or the stored one of `id`."""
    load(LATER, sent)
    stored = _stored(sent)
    if stored is not None:
        return await unit.get(Submissions).schedule(stored, sent, TRIGGER)
    return await unit.get(Submissions).new(sent, TRIGGER)


async def new_post(unit: UnitOfWork, sent: Mapping[str, Any], status: str) -> Submission:
    """A new post that gets this status.

    :raises FieldErrors: 422, it is to be published now and names a time: one of the two is a mistake.
    """
    if status == "published" and load(TIMED, sent).get("scheduled_at") is not None:
        message = "Must not be sent to publish at once; the action schedule takes it."
        raise FieldErrors([FieldError("scheduled_at", message)], 422)
    return await unit.get(Submissions).new(sent, TRIGGER, status=status)


async def fetch_image(unit: UnitOfWork, url: str) -> StoredImage:
    """The image at an address, taken in as if it were uploaded; outside of any transaction.

    :raises NoImageThere: whatever the reason, which is in the log: whoever asks must not learn who answers at which
        address of our network. :raises Busy: too many others wait to be converted.
    """
    library, host = unit.get(Library), unit.host
    async with library.receiving() as receiving:
        try:
            await host.fetcher.download(url, receiving.write, seconds=PATIENCE, most=host.config.max_upload_bytes)
            return await library.take_in(await receiving.finish())
        except (Unreachable, Unprocessable) as error:
            log.info("an image could not be fetched", extra={"reason": str(error)})
            raise NoImageThere from error


def _stored(sent: Mapping[str, Any]) -> int | None:
    """The id of the stored post that a body is about; None where it is a new one.

    :raises FieldErrors: 400, it is no id; 422, the body holds a post as well.
    """
    if "id" not in sent:
        return None
    number: int = load(STORED, sent)["id"]
    if any(name in sent for name in _OF_A_POST):
        raise FieldErrors([FieldError("id", "Must not come with a new post: send the id alone.")], 422)
    return number
