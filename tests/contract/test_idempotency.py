"""`Idempotency-Key`: a POST that is sent again is not done again (contract 10)."""

import asyncio
from typing import Any

import pytest

from cms_host.testing import Answer, Client, MakeSite, Site, dump
from cms_posts.testing import article, created, unlike

KEY = {"Idempotency-Key": "9d4f5b2e-key-1"}


async def post(client: Client, body: Any, path: str = "/posts", **headers: str) -> Answer:
    return await client.post(path, json=body, headers={**KEY, **headers})


async def total(client: Client, path: str = "/posts") -> int:
    return int((await client.get(path)).data["total"])


@pytest.mark.shows("idempotency.replay")
async def test_the_same_again_gets_the_first_answer_and_writes_nothing(
    site: Site, author: Client, database_url: str
) -> None:
    first = await post(author, article(tags=["Sea"]))
    before = dump(database_url)
    site.clock.advance(3600)
    again = [await post(author, article(tags=["Sea"])) for _ in range(3)]

    assert first.status == 201
    assert [(answer.status, answer.json) for answer in again] == [(201, first.json)] * 3
    assert dump(database_url) == before
    # The first answer, not the present state.
    await author.patch("/posts/1", json={"title": "Changed"})
    assert (await post(author, article(tags=["Sea"]))).json == first.json


@pytest.mark.shows("idempotency.other-body", "idempotency.replay")
async def test_another_body_is_409_and_writes_nothing(author: Client) -> None:
    await post(author, article())
    answer = await post(author, article(title="Another title"))

    assert (answer.status, answer.error["code"], await total(author)) == (409, 409, 1)
    assert (await post(author, article())).status == 201


@pytest.mark.shows("idempotency.under-way", "idempotency.replay")
async def test_twins_at_once_write_once(make_site: MakeSite, author: Client) -> None:
    other = Client(await make_site(), author.key)
    answers = await asyncio.gather(*(post(client, article()) for client in [author, other] * 5))

    assert {answer.status for answer in answers} <= {201, 409}
    made = [answer.json for answer in answers if answer.status == 201]
    assert made == [made[0]] * len(made)
    assert len(made) >= 1
    assert await total(author) == 1


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/posts", article()),
        ("/posts/1/publish", {}),
        ("/posts/1/schedule", {"scheduled_at": "2026-06-01 09:30:00"}),
        ("/posts/1/review", {}),
        ("/categories", {"name": "News"}),
        ("/tags", {"name": "Land"}),
        ("/tags/sea/merge", {"into": "ocean"}),
    ],
)
@pytest.mark.shows("idempotency.every-post")
async def test_it_works_on_every_post(site: Site, editor: Client, database_url: str, path: str, body: Any) -> None:
    await created(editor, tags=["Sea", "Ocean"])
    first = await post(editor, body, path)
    assert first.status in (200, 201), first.text
    before = dump(database_url)
    site.clock.advance(60)
    again = await post(editor, body, path)

    assert (again.status, again.json) == (first.status, first.json)
    assert dump(database_url) == before


@pytest.mark.shows("idempotency.scope.owner", "idempotency.scope.path")
async def test_keys_of_others_and_on_other_paths_do_not_meet(author: Client, editor: Client) -> None:
    answers = [await post(author, article()), await post(editor, article(title=unlike("theirs")))]
    answers += [await post(editor, {"name": "x"}, path) for path in ("/tags", "/categories")]

    assert [answer.status for answer in answers] == [201] * 4
    assert [answer.data["id"] for answer in answers[:2]] == [1, 2]
    for path in ("/posts/1/publish", "/posts/2/publish"):
        assert (await post(editor, {}, path)).data["id"] == int(path.split("/")[2])


@pytest.mark.shows("idempotency.only-2xx")
async def test_what_was_refused_may_be_sent_again(site: Site, author: Client) -> None:
    short = article(title="Short", status="published")
    assert (await post(author, short)).status == 422
    assert (await post(author, {})).status == 400
    await site.set(**{"gate.short_title.minimum": 0})
    answer = await post(author, short)
    assert (answer.status, answer.data["id"]) == (201, 1)
    assert (await post(author, short)).json == answer.json


@pytest.mark.shows("idempotency.day")
async def test_it_is_remembered_for_a_day(site: Site, author: Client) -> None:
    first = await post(author, article())
    site.clock.advance(86_400 - 1)
    assert (await post(author, article())).json == first.json
    site.clock.advance(2)
    again = await post(author, article())
    assert (again.status, again.data["id"]) == (201, first.data["id"] + 1)


@pytest.mark.shows("idempotency.scope.owner", "auth.missing")
async def test_what_is_remembered_is_told_to_nobody_else(site: Site, author: Client) -> None:
    await post(author, article())
    assert (await site.anonymous.post("/posts", json=article(), headers=KEY)).status == 401
    assert (await post(await site.client("subscriber"), article())).status == 403
    assert await total(author) == 1
