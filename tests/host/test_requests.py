"""What every request goes through, on the way in and on the way out."""

import asyncio
import re
from collections.abc import Sequence

import orjson
import pytest

from cms_host.api import Workers
from cms_host.testing import Databases, MakeSite, Site

# Nothing of this depends on the kind of database.
pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
PLAIN_HEADERS = {"content-type", "content-length", "date", "server"}


@pytest.fixture
async def site(make_site: MakeSite, probe: Sequence[str]) -> Site:
    return await make_site(enabled=probe)


async def test_a_key_is_recognised_and_the_handler_answers(site: Site) -> None:
    answer = await (await site.client("subscriber")).get("/probe")

    assert (answer.status, answer.data) == (200, {"greeting": "hello", "caller": "subscriber"})
    assert {name.lower() for name in answer.headers} == PLAIN_HEADERS | {"x-request-id"}


@pytest.mark.shows("request.slash")
async def test_a_trailing_slash_is_the_same_as_none(site: Site) -> None:
    assert (await (await site.client()).get("/probe/")).data["greeting"] == "hello"


@pytest.mark.shows("request.head")
async def test_head_answers_wherever_get_does(site: Site) -> None:
    answer = await (await site.client()).head("/probe")

    assert (answer.status, answer.body) == (200, b"")
    assert int(answer.headers["Content-Length"]) > 0


async def test_a_changed_setting_holds_for_the_next_request(
    site: Site, make_site: MakeSite, probe: Sequence[str]
) -> None:
    client = await site.client()
    await client.get("/probe")
    other_host = await make_site(enabled=probe)

    await other_host.set(**{"probe.greeting": "good day"})

    assert (await client.get("/probe")).data["greeting"] == "good day"


@pytest.mark.shows("errors.404.path")
async def test_an_unknown_path_is_not_found(site: Site) -> None:
    answer = await (await site.client()).get("/nothing/here")

    assert (answer.status, answer.json) == (404, {"success": False, "error": {"code": 404, "message": "Not found"}})


@pytest.mark.shows("errors.405", "request.405.allow")
async def test_an_unsupported_method_is_told_which_are_allowed(site: Site) -> None:
    answer = await (await site.client()).delete("/probe")

    assert (answer.status, answer.error) == (405, {"code": 405, "message": "Method not allowed"})
    assert answer.headers["Allow"] == "GET, HEAD, POST"


async def test_an_http_error_of_a_handler_gets_the_envelope(site: Site) -> None:
    answer = await (await site.client()).get("/probe/gone")

    assert (answer.status, answer.error) == (410, {"code": 410, "message": "Gone"})


@pytest.mark.shows("errors.503", "errors.422.complex")
async def test_work_that_takes_too_long_is_unprocessable_and_work_beyond_the_queue_is_turned_away(
    make_site: MakeSite, probe: Sequence[str]
) -> None:
    workers = Workers(size=1, queue=1, fair_share=0)
    site = await make_site(enabled=probe, workers=workers)
    client = await site.client()
    await workers.start()

    answers = await asyncio.gather(*(client.get("/probe/work") for _ in range(4)))
    await workers.close()

    told = sorted((answer.status, answer.error["message"]) for answer in answers)
    assert (422, "The content is too complex to process within its time limit") in told
    assert told[-1] == (503, "Busy, try again")
    assert {status for status, _ in told} == {422, 503}


@pytest.mark.parametrize("path", ["/api/v1/probe/crash", "/probe-crash"])
@pytest.mark.shows("errors.500.message", "errors.500.logged", "errors.500.secret", "request.id.logged")
async def test_a_crash_is_told_by_a_reference_that_one_error_line_of_the_log_has(
    site: Site, log_lines: list[str], path: str
) -> None:
    answer = await site.fetch("GET", path, headers={"X-API-Key": await site.key()})

    found = re.fullmatch(r"Internal server error \(reference (\w+)\)", answer.error["message"])
    assert answer.status == 500
    assert found is not None
    assert found[1] == answer.headers["X-Request-Id"]
    assert "secret" not in answer.text
    (line,) = [line for line in log_lines if found[1] in line and '"level":"ERROR"' in line]
    assert "the probe's secret" in orjson.loads(line)["traceback"]


@pytest.mark.shows("errors.500.database")
async def test_a_database_that_went_away_is_an_internal_error(site: Site, log_lines: list[str]) -> None:
    client = await site.client()
    await site.host.db.close()

    answer = await client.get("/probe")

    assert answer.status == 500
    assert sum(answer.headers["X-Request-Id"] in line for line in log_lines if '"level":"ERROR"' in line) == 1
    await site.host.db.open()
    assert (await client.get("/probe")).status == 200


@pytest.mark.shows("request.id.kept")
async def test_a_sane_request_id_is_kept(site: Site) -> None:
    answer = await site.anonymous.get("/probe", headers={"X-Request-Id": "abc-DEF_1.2"})

    assert answer.headers["X-Request-Id"] == "abc-DEF_1.2"


@pytest.mark.parametrize("sent", ["short", "x" * 65, "with space", "semi;colon", "yüzyıl-12345", '"quoted-id"', ""])
@pytest.mark.shows("request.id.kept")
async def test_another_request_id_is_replaced(site: Site, sent: str) -> None:
    answer = await site.anonymous.get("/probe", headers={"X-Request-Id": sent})

    assert re.fullmatch("[0-9a-f]{16}", answer.headers["X-Request-Id"])


@pytest.mark.shows("request.id.made")
async def test_each_request_gets_its_own_id(site: Site) -> None:
    ids = {(await site.anonymous.get("/probe")).headers["X-Request-Id"] for _ in range(3)}

    assert len(ids) == 3


@pytest.mark.shows("request.429.headers", "errors.429", "limit.headers.limit")
async def test_a_limited_answer_has_no_header_beyond_the_plain_ones(make_site: MakeSite, probe: Sequence[str]) -> None:
    site = await make_site(enabled=probe, rate_limit=1)
    await site.anonymous.get("/probe")

    answer = await (await site.client()).get("/probe")

    assert (answer.status, answer.error) == (429, {"code": 429, "message": "Rate limit exceeded"})
    assert {name.lower() for name in answer.headers} == PLAIN_HEADERS


@pytest.mark.shows("envelope.error.code", "envelope.error.one-shape", "errors.envelope")
async def test_an_error_says_its_code_and_nothing_of_the_server(site: Site) -> None:
    for path in ("/nothing", "/probe/things/x", "/probe/crash"):
        answer = await (await site.client()).get(path)

        assert answer.json.keys() == {"success", "error"}
        assert answer.error.keys() == {"code", "message"}
        assert answer.error["code"] == answer.status


async def test_pages_outside_the_api_need_no_key(site: Site) -> None:
    answer = await site.fetch("GET", "/probe-page")

    assert (answer.status, answer.text) == (200, "a page")


async def test_an_unknown_page_is_not_found_without_a_key(site: Site) -> None:
    assert (await site.fetch("GET", "/nothing")).status == 404


async def test_two_sites_in_one_process_never_meet(
    make_site: MakeSite, probe: Sequence[str], databases: Databases
) -> None:
    one = await make_site(enabled=probe)
    two = await make_site(enabled=probe, database_url=databases.make("sqlite"))

    await one.set(**{"probe.greeting": "one"})

    assert (await (await two.client()).get("/probe")).data["greeting"] == "hello"
    assert one.host.services is not two.host.services
