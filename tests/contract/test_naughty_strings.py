"""Every naughty string through every text field, path and query: never a 5xx, and what is accepted reads back."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import pytest

from cms_host.testing import Site
from cms_media.testing import uploaded
from cms_settings.records import MASK

from .naughty import NAUGHTY, in_path, misread, texts, without
from .pipeline import Reply, Request, exchange
from .routes import Endpoint, document, endpoints
from .schemas import body_schema, operation
from .targets import NUMBERS, target

pytestmark = pytest.mark.slow
#: Where a text can't be what the field needs, and the field is needed.
INSTEAD: Mapping[str, Callable[[], str]] = {
    "title": lambda: "A title of its own",
    "content": lambda: "<p>Content of its own.</p>",
    "name": lambda: "A name of its own",
    "username": lambda: f"user{next(NUMBERS)}",
    "email": lambda: f"user{next(NUMBERS)}@example.org",
}
#: Hashing a password takes fifty times as long as all else, and sees nothing but bytes: every so many strings do.
PASSWORD_EVERY = 40
#: All strings go through `content` by creating and by PATCH; here some do, for a worker has to parse it each time.
CONTENT_EVERY = {
    "PUT /posts/{id}": 10,
    "POST /posts/check": 10,
    "PUT /comments/{id}": 10,
    "PATCH /comments/{id}": 10,
    "POST /webhook/publish": 20,
    "POST /webhook/draft": 20,
    "POST /webhook/schedule": 20,
}
#: A list of posts in one field, and what would have names looked up: few are enough.
SELDOM = {"items": 20, "url": len(NAUGHTY)}
#: Where what was made is read, if not where it was sent to.
READ_AT = {"webhook": "/posts"}
#: What an action does not work without, where a text is not it; nobody is asked at a private address.
NEEDED: Mapping[str, Mapping[str, Any]] = {
    "/webhook/schedule": {"scheduled_at": "2030-01-01 09:00:00"},
    "/webhook/media": {"url": "http://10.0.0.1/boat.png"},
}
#: What its answers do not show; names of categories are made categories there.
UNSHOWN = {"webhook": ("categories", "tags", "seo")}
#: As often may a body be sent again without what was refused.
ROUNDS = 6


def sane(request: Request, reply: Reply) -> str | None:
    """What is wrong with an answer, whatever it was asked."""
    envelope = reply.json
    if reply.status >= 500:
        return f"{request}: {reply.status}"
    if not isinstance(envelope, dict) or not isinstance(envelope.get("success"), bool):
        return f"{request}: no envelope: {envelope}"
    if envelope["success"] != (reply.status < 400) or ("data" if envelope["success"] else "error") not in envelope:
        return f"{request}: {reply.status} with {envelope}"
    if isinstance(envelope.get("error"), dict) and envelope["error"]["code"] != reply.status:
        return f"{request}: {reply.status} with {envelope}"
    return None


async def answered(site: Site, requests: Sequence[Request], connections: int = 4) -> list[Reply]:
    """The answers, each of which is sane."""
    replies = await exchange(site, await site.key("admin"), requests, connections)
    faults = [fault for pair in zip(requests, replies, strict=True) if (fault := sane(*pair))]
    assert faults == []
    return replies


async def test_no_path_breaks_an_endpoint(site: Site) -> None:
    for each in endpoints(site):
        # What is no number goes no further than the host: one database is enough for it.
        if each.parameters and not (site.host.db.dialect == "postgresql" and each.has_numbers_only):
            path = [each.at(dict.fromkeys(each.parameters, in_path(text))) for text in NAUGHTY]
            await answered(site, [Request(each.method, one) for one in path])


async def test_no_query_breaks_an_endpoint(site: Site) -> None:
    described = await document(site)
    for each in endpoints(site):
        if each.method == "GET":
            path = each.at(await target(site, each, "admin"))
            for names in queried(operation(described, each).get("parameters", [])):
                queries = ["&".join(f"{name}={in_path(text)}" for name in names) for text in NAUGHTY]
                replies = await answered(site, [Request("GET", f"{path}?{query}") for query in queries])
                assert {reply.status for reply in replies} <= {200, 400, 404, 422}


def queried(parameters: Sequence[Mapping[str, Any]]) -> Iterator[list[str]]:
    """The parameters: those that take any text one by one, the others by threes, for an address has its limit."""
    asked = {each["name"]: each["schema"] for each in parameters if each["in"] == "query"}
    free = [
        name for name, schema in asked.items() if schema["type"] == "string" and not {"enum", "pattern"} & {*schema}
    ]
    yield from ([name] for name in free)
    others = [*(name for name in asked if name not in free), "unknown"]
    yield from (others[start : start + 3] for start in range(0, len(others), 3))


async def test_no_name_of_a_parameter_breaks_an_endpoint(site: Site) -> None:
    replies = await answered(site, [Request("GET", f"/posts?{in_path(text)}=1") for text in NAUGHTY])

    assert {reply.status for reply in replies} == {200}


async def test_what_a_text_field_accepts_reads_back(site: Site) -> None:
    described = await document(site)
    # What is made by a form, and changed by JSON.
    made: dict[str, list[Mapping[str, Any]]] = {"media": [await uploaded(await site.client("admin"))]}
    writes = [each for each in endpoints(site) if body_schema(described, each) and each.method != "DELETE"]
    families = {"posts", "media", "categories", "tags", "settings", "users", "comments"}
    assert {each.family for each in writes} >= families
    post = await target(site, Endpoint("GET", "/posts/{id}"), "admin")
    for each in sorted(writes, key=lambda each: (len(each.parameters), each.method != "POST")):
        if each.parameters and each.family not in made:
            continue
        schema = body_schema(described, each) or {}
        seldom = {**SELDOM, "password": PASSWORD_EVERY, "content": CONTENT_EVERY.get(str(each), 1)}
        bodies = [bounded(texts(schema, text), number, seldom) for number, text in enumerate(NAUGHTY)]
        if not any(bodies):
            continue
        needed = {"post_id": post["id"]} if "post_id" in schema["properties"] else {}
        needed |= NEEDED.get(each.path, {})
        replies = await written(site, each, made.get(each.family, []), bodies, needed)
        if not each.parameters and each.method == "POST" and replies[0].status == 201:
            made[each.family] = [reply.record for reply in replies if reply.status == 201]
            await read_again(site, READ_AT.get(each.family, each.path), made[each.family])


async def read_again(site: Site, path: str, written: Sequence[Mapping[str, Any]]) -> None:
    """Single reads show what the writes have shown, but for what is said of a write alone."""
    name = "slug" if "slug" in written[0] and "title" not in written[0] else "id"
    requests = [Request("GET", f"{path}/{each[name]}?with_relations=1") for each in written]
    for record, reply in zip(written, await answered(site, requests), strict=True):
        shown = {key: value for key, value in record.items() if key != "warnings"}
        assert {key: reply.record.get(key) for key in shown} == shown


async def test_what_a_setting_accepts_reads_back(site: Site) -> None:
    admin = await site.client("admin")
    taken = {}
    for setting in (await admin.get("/settings", params={"per_page": "100"})).data["items"]:
        # What is secret is never read back.
        if setting["type"] in ("string", "array") and setting["value"] != MASK:
            values = [text if setting["type"] == "string" else [text] for text in NAUGHTY]
            taken[setting["key"]] = await set_each(site, setting, values)

    assert taken["posts.embed_hosts"] > 0
    assert taken["timezone"] == 0


async def set_each(site: Site, setting: Mapping[str, Any], values: Sequence[Any]) -> int:
    """How many of the values the setting took; each of them was read before the next was sent."""
    path, taken = f"/settings/{setting['key']}", 0
    requests = [each for value in values for each in (Request("PUT", path, {"value": value}), Request("GET", path))]
    replies = await answered(site, [*requests, Request("PUT", path, {"value": setting["value"]})], 1)
    for value, written, read in zip(values, replies[::2], replies[1::2], strict=False):
        if written.status == 200:
            taken += 1
            assert [read.json["data"]["value"], written.json["data"]["value"]] == [value, value]
    assert replies[-1].status == 200
    return taken


def bounded(body: dict[str, Any], number: int, seldom: Mapping[str, int]) -> dict[str, Any]:
    """The body without what takes too long, except for now and then."""
    return {name: value for name, value in body.items() if number % seldom.get(name, 1) == 0}


async def written(
    site: Site,
    endpoint: Endpoint,
    made: Sequence[Mapping[str, Any]],
    bodies: Sequence[dict[str, Any]],
    needed: Mapping[str, Any],
) -> list[Reply]:
    """The last answers to all bodies, which were sent until nothing in them was refused.

    :param needed: what each of them is sent with.
    """
    sending = dict(enumerate(bodies))
    replies: dict[int, Reply] = {}
    for _ in range(ROUNDS):
        requests = [request_of(endpoint, made, number, {**needed, **body}) for number, body in sending.items()]
        for number, reply in zip([*sending], await answered(site, requests), strict=True):
            replies[number] = reply
            if reply.status < 300 and "id" in reply.record:
                unshown = UNSHOWN.get(endpoint.family, ())
                sent = {name: value for name, value in sending[number].items() if name not in unshown}
                assert list(misread(sent, reply.record)) == [], str(endpoint)
        sending = {number: left for number, body in sending.items() if (left := lessened(body, replies[number]))}
    assert sending == {}, str(endpoint)
    return [replies[number] for number in range(len(bodies))]


def request_of(endpoint: Endpoint, made: Sequence[Mapping[str, Any]], number: int, body: dict[str, Any]) -> Request:
    path = endpoint.at({"revision_id": 1, **made[number % len(made)]}) if endpoint.parameters else endpoint.path
    return Request(endpoint.method, f"{path}?with_relations=1", body)


def lessened(body: dict[str, Any], reply: Reply) -> dict[str, Any] | None:
    """The body without the fields that were refused; None where none was."""
    error = (reply.json.get("error") if reply.status in (400, 422) else None) or {}
    names = [each["field"] for each in error["errors"]] if isinstance(error, dict) and "errors" in error else []
    less = body
    for name in names:
        less = without(less, name)
    return {**{name: make() for name, make in INSTEAD.items() if name in names}, **less} if names else None
