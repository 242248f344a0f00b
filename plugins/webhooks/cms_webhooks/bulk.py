"""Many posts in one call, each for itself (contract 6, bulk-publish; contract 10, Idempotency-Key)."""

import logging
import secrets
from collections.abc import Mapping, Sequence
from typing import Any

import orjson
from aiohttp import web

from cms_host.api import REPLAYED, ApiError, InternalError, UnitOfWork, first_answer, load, ok
from cms_webhooks.records import batch_record, failed_record, written_item
from cms_webhooks.schemas import ItemStatus
from cms_webhooks.service import new_post

log = logging.getLogger("cms_webhooks.bulk")
ITEM = ItemStatus()


async def submit_all(unit: UnitOfWork, items: Sequence[Mapping[str, Any]], status: str) -> web.Response:
    """What became of each post, one after the other; that of one does not touch another.

    :param status: of those that do not say theirs.
    """
    results, replayed = [], []
    for index, item in enumerate(items):
        result, again = await _submit(unit, index, {"status": status, **item})
        results.append(result)
        replayed.append(again)
    answer = ok(batch_record(results))
    if all(replayed):
        answer.headers[REPLAYED] = "true"
    return answer


async def _submit(unit: UnitOfWork, index: int, item: Mapping[str, Any]) -> tuple[dict[str, Any], bool]:
    """What became of one post, and whether that was known from before."""
    part = unit.part(str(index), orjson.dumps(item))

    async def work() -> web.StreamResponse:
        return await _write(part, item)

    try:
        answer = await first_answer(part, work)
    except ApiError as error:
        return failed_record(index, error), False
    except Exception:
        # What was written before must be told, so the answer can't be a fault of the whole.
        reference = secrets.token_hex(8)
        log.exception("an item failed", extra={"reference": reference, "index": index})
        return failed_record(index, InternalError(reference)), False
    return {"index": index, "success": True, **_data(answer)}, REPLAYED in answer.headers


async def _write(part: UnitOfWork, item: Mapping[str, Any]) -> web.Response:
    ready = await new_post(part, item, load(ITEM, item)["status"])
    async with ready.writing() as write:
        return write.answer(written_item(await ready.carry_out(write)))


def _data(answer: web.StreamResponse) -> dict[str, Any]:
    """`data` of an answer that was just given, or is given again."""
    if not isinstance(answer, web.Response) or not isinstance(answer.body, bytes):
        raise TypeError("an item is answered by `write.answer`")
    data: dict[str, Any] = orjson.loads(answer.body)["data"]
    return data
