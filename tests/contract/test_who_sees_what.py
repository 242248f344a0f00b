"""Posts in every state, aimed at by each of the five callers (contract 4, Who sees what; contract 1.6 to 1.8)."""

from collections.abc import Iterator
from itertools import product
from typing import Any, NamedTuple

import pytest

from cms_host.testing import Client, Site, dump
from cms_posts.testing import article, created, unlike

from .callers import BROKEN, client_of, refused, sending
from .role_table import CALLERS, DUTIES, INSUFFICIENT, NOT_FOUND, NOT_YOURS, refusal, suffices
from .routes import Endpoint, endpoints
from .targets import user_ids

STATUSES = ("published", "draft", "scheduled", "pending", "trash")
VISIBILITIES = ("public", "private", "password")
PASSWORD = "open sesame"
LATER = "2026-12-31 09:00:00"
each_caller = pytest.mark.parametrize("caller", CALLERS)


class State(NamedTuple):
    """What decides who may see and change a post."""

    own: bool
    status: str
    visibility: str
    type: str


#: A password opens what is published; two states of it are enough, for hashing one takes its time.
STATES = [
    State(*each)
    for each in product((True, False), STATUSES, VISIBILITIES, ("post", "page"))
    if each[2] != "password" or each[1] in ("published", "draft")
]


def sees(caller: str, state: State) -> bool:
    """Editors and administrators everything; authors what is published and their own; others what is published.

    Below editor, what is private is there for its author alone.
    """
    if caller in ("editor", "admin") or (caller == "author" and state.own):
        return True
    return state.status == "published" and state.visibility != "private"


def denial(caller: str, state: State, endpoint: Endpoint) -> tuple[int, str] | None:
    """Why the caller may not do this to such a post, the first reason there is; None where he may."""
    if (denied := refusal(caller, endpoint)) is not None:
        return denied
    if not sees(caller, state):
        return NOT_FOUND
    if not suffices(caller, endpoint):
        return INSUFFICIENT
    if caller != "author" or endpoint == ("GET", "/posts/{id}"):
        return None
    if state.type == "page":
        return INSUFFICIENT
    return None if state.own else NOT_YOURS


async def filled(site: Site, caller: str) -> dict[State, int]:
    """A post in every state, half of them the caller's own; with their ids."""
    editor = await site.client("editor")
    for role, name in ((caller, None), ("author", "another")):
        await site.client("subscriber" if role == "nobody" else role, name)
    owners = await user_ids(site)
    ids = {}
    for number, state in enumerate(STATES):
        owner = owners["subscriber" if caller == "nobody" else caller] if state.own else owners["another"]
        title = unlike(number)
        post = await created(editor, title=title, author_id=owner, **fields(state))
        assert (post["status"], post["author_id"]) == (state.status, owner)
        ids[state] = post["id"]
        # Without a change there is no revision to restore.
        assert (await editor.patch(f"/posts/{post['id']}", json={"title": f"{title}, changed"})).status == 200
    return ids


def fields(state: State) -> dict[str, Any]:
    """The body that makes a post in this state."""
    password = {"password": PASSWORD} if state.visibility == "password" else {}
    return {"visibility": state.visibility, "type": state.type, **in_status(state), **password}


def in_status(state: State) -> dict[str, Any]:
    """The body that brings a post into the state's status, from whatever other."""
    return {"scheduled_at": LATER} if state.status == "scheduled" else {"status": state.status}


def aimed(site: Site, ids: dict[State, int]) -> Iterator[tuple[Endpoint, State, str]]:
    """Every endpoint about one post, with every state and the path of the post that is in it.

    Of every post there is one revision, so the two have the same numbers.
    """
    for endpoint, (state, post_id) in product(endpoints(site), ids.items()):
        if endpoint.family == "posts" and "id" in endpoint.parameters:
            yield endpoint, state, endpoint.at({"id": post_id, "revision_id": post_id})


@each_caller
@pytest.mark.shows(
    "role.own", "role.sees.not", "role.insufficient", "role.sees.inside", "request.404.record", "request.403.own",
)  # fmt: skip
async def test_who_may_not_is_refused_for_the_first_reason_and_nothing_is_written(
    site: Site, caller: str, database_url: str
) -> None:
    client, ids = await client_of(site, caller), await filled(site, caller)
    before = dump(database_url)
    for endpoint, state, path in aimed(site, ids):
        expected = denial(caller, state, endpoint)
        if expected is not None:
            answer = await client.request(endpoint.method, path, **BROKEN)
            assert refused(answer) == expected, f"{caller}: {endpoint}: {state}"

    assert dump(database_url) == before


@pytest.mark.parametrize("caller", CALLERS[1:])
async def test_who_may_is_served(site: Site, caller: str) -> None:
    client, ids = await client_of(site, caller), await filled(site, caller)
    editor = await site.client("editor")
    for endpoint, state, path in aimed(site, ids):
        if denial(caller, state, endpoint) is None:
            duty = DUTIES[str(endpoint)]
            answer = await client.request(endpoint.method, path, **sending(duty.body))
            assert answer.status == duty.answer, f"{caller}: {endpoint}: {state}: {answer.text}"
            if endpoint.method == "GET":
                assert (await client.head(path)).status == duty.answer
            else:
                await put_back(editor, ids[state], state)


async def put_back(editor: Client, post_id: int, state: State) -> None:
    answer = await editor.patch(f"/posts/{post_id}", json=in_status(state))
    assert answer.status == 200, answer.text


@pytest.mark.parametrize("caller", CALLERS[1:])
@pytest.mark.shows(
    "role.sees.password", "role.sees.private", "role.sees.author", "role.sees.subscriber", "role.sees.editor",
)  # fmt: skip
async def test_lists_hold_exactly_what_may_be_seen_and_no_text_that_a_password_guards(site: Site, caller: str) -> None:
    client, ids = await client_of(site, caller), await filled(site, caller)
    for status, kind in product(("", *STATUSES), ("", "post", "page")):
        sent = {name: value for name, value in (("status", status), ("type", kind)) if value}
        expected = {post_id: state for state, post_id in ids.items() if sees(caller, state) and matches(state, sent)}
        listed = (await client.get("/posts", params={"per_page": "100", **sent})).data
        assert {post["id"] for post in listed["items"]} == expected.keys(), f"{caller}: {sent}"
        assert listed["total"] == len(expected), f"{caller}: {sent}"
        for post in listed["items"]:
            assert is_hidden(post) == guarded(caller, expected[post["id"]])


def matches(state: State, sent: dict[str, str]) -> bool:
    """Without a status, a list leaves the trash out."""
    in_status = state.status == sent["status"] if "status" in sent else state.status != "trash"
    return in_status and sent.get("type", state.type) == state.type


@pytest.mark.parametrize("caller", CALLERS[1:])
@pytest.mark.shows("role.sees.password")
async def test_a_password_shows_the_text_and_no_other_does(site: Site, caller: str) -> None:
    client, ids = await client_of(site, caller), await filled(site, caller)
    for state, post_id in ids.items():
        if state.visibility == "password" and sees(caller, state):
            for sent, right in (({}, False), ({"X-Post-Password": "x"}, False), ({"X-Post-Password": PASSWORD}, True)):
                shown = (await client.get(f"/posts/{post_id}", headers=sent)).data
                assert is_hidden(shown) == (guarded(caller, state) and not right), f"{caller}: {state}"


def guarded(caller: str, state: State) -> bool:
    """Whether the caller is one who needs the password: nobody does who sees the post in every state."""
    return state.visibility == "password" and not sees(caller, state._replace(status="draft"))


def is_hidden(post: dict[str, Any]) -> bool:
    assert bool(post["content"]) == bool(post["excerpt"])
    return not post["content"]


@pytest.mark.shows("role.author.pages")
async def test_pages_are_made_by_editors_and_above(site: Site) -> None:
    page = article(type="page")
    answers = {role: await (await site.client(role)).post("/posts", json=page) for role in CALLERS[1:]}

    assert {role: answer.status for role, answer in answers.items()} == {
        "subscriber": 403, "author": 403, "editor": 201, "admin": 201,
    }  # fmt: skip
    assert refused(answers["author"]) == INSUFFICIENT


async def test_an_author_may_not_make_a_page_of_a_post_of_his_own(site: Site) -> None:
    author = await site.client("author")
    post = await created(author)

    for method in ("PUT", "PATCH"):
        assert refused(await author.request(method, f"/posts/{post['id']}", json={"type": "page"})) == INSUFFICIENT
    assert (await author.get(f"/posts/{post['id']}")).data["type"] == "post"


@pytest.mark.shows("body.author_id.stripped")
async def test_an_author_s_word_about_the_author_is_stripped(site: Site) -> None:
    author, other = await site.client("author"), await site.client("author", "other")
    owners = await user_ids(site)
    post = await created(author, author_id=owners["other"])
    changed = await author.patch(f"/posts/{post['id']}", json={"author_id": owners["other"]})

    assert (post["author_id"], changed.data["post"]["author_id"]) == (owners["author"], owners["author"])
    assert (await other.get(f"/posts/{post['id']}")).status == 404
