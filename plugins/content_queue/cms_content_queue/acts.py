"""What a command does to one file or item, and what it says of that."""

from dataclasses import dataclass
from pathlib import Path

from cms_content_queue.acting import acting_unit
from cms_content_queue.approving import DRAFT, Approvals, Approved
from cms_content_queue.article import read_article
from cms_content_queue.files import shown
from cms_content_queue.front_matter import Unusable
from cms_content_queue.service import Added, QueueService
from cms_host.api import ApiError, CommandError, Host


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one thing that a command was to do, in words."""

    done: str = ""
    #: What the operator should know besides.
    remarks: tuple[str, ...] = ()
    #: Why it could not be done.
    problem: str = ""


async def queue_file(host: Host, path: Path) -> Outcome:
    """Queue a file, in a transaction of its own; what is wrong with it is part of the outcome."""
    name = shown(path)
    try:
        article = read_article(path, host.timezone)
        async with host.unit().write() as write:
            added = await write.get(QueueService).add(article, name)
    except OSError as error:
        return Outcome(problem=f"{name}: {error.strerror or error}")
    except (Unusable, ApiError) as error:
        return Outcome(problem=f"{name}: {error}")
    remarks = [*article.remarks, *_about_earlier(added)] if added.is_new else []
    return Outcome(_told(added, name), tuple(f"{name}: {remark}" for remark in remarks))


def _told(added: Added, name: str) -> str:
    if added.is_new:
        return f"Queued {added.id}: {name}"
    return f"Unchanged since it was queued as {added.id} ({added.status}): {name}"


def _about_earlier(added: Added) -> list[str]:
    ids = ", ".join(map(str, added.earlier))
    return [f"an earlier version still waits as {ids}"] if ids else []


async def approve_item(host: Host, item_id: int, *, username: str | None, publish: bool) -> Outcome:
    """Make a post of an item."""
    try:
        unit = await acting_unit(host, item_id, username)
        made = await Approvals(unit).approve(item_id, publish=publish)
    except (CommandError, ApiError) as error:
        return Outcome(problem=f"{item_id}: {error}")
    remarks = [f"{item_id}: {each['code']}: {each['message_en']}" for each in made.warnings]
    if publish and made.status == DRAFT and not made.blocks:
        remarks.append(f"{item_id}: the file calls itself a draft, so it stays one")
    done = f"Approved {item_id}: post {made.post_id} of {unit.principal.username}, {made.status}"
    return Outcome(done, tuple(remarks), _refusal(item_id, made))


def _refusal(item_id: int, made: Approved) -> str:
    told = " ".join(f"{each['code']}: {each['message_en']}" for each in made.blocks)
    return f"{item_id}: the gate refused, so post {made.post_id} is a draft: {told}" if told else ""


async def reject_item(host: Host, item_id: int) -> Outcome:
    """Make no post of an item."""
    try:
        async with host.unit().write() as write:
            await write.get(QueueService).reject(item_id)
    except ApiError as error:
        return Outcome(problem=f"{item_id}: {error}")
    return Outcome(f"Rejected {item_id}")
