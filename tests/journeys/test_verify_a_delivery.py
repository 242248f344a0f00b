"""The verifiers of docs/verify-a-delivery.md, on deliveries of a real site and on answers that others published."""

import json
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from aiohttp.test_utils import TestClient, TestServer

from cms_sink_webhook_delivery.signing import signed_headers
from tests.host.process.installation import Installation, poll
from tests.journeys.conftest import Start, call
from tests.journeys.receivers import Arrived, Case, code, in_node, in_python, receiving, receiving_in_node

OWN_SECRET = "ığdır: a secret of 24 bytes, or more"
POST = {
    "title": "Iğdır'ın limanı 🌊",
    "content": "<h2>Sabah</h2><p>" + "Tekneler sabah dalgasıyla gelir. " * 50 + "</p>",
    "status": "published",
}
#: Both functions of the page say so.
GENUINE = [[True, True]]
in_both = pytest.mark.parametrize("judge", [in_python, in_node])
Judge = Callable[[Path, Sequence[Case]], list[list[bool]]]


def cases_of(arrived: Arrived, secret: str) -> dict[str, tuple[Case, list[bool]]]:
    """What can be done to a delivery, and what the two functions are to say of it."""
    at = int(arrived.headers["webhook-timestamp"])
    signature = arrived.headers["webhook-signature"]
    read_again = json.dumps(json.loads(arrived.body), indent=1).encode()
    neither, only_simple = [False, False], [True, False]
    return {
        "as it came": (Case(arrived, secret, at), [True, True]),
        "almost too old": (Case(arrived, secret, at + 299), [True, True]),
        "too old": (Case(arrived, secret, at + 301), only_simple),
        "from the future": (Case(arrived, secret, at - 301), only_simple),
        "a forged body": (Case(arrived.but(arrived.body.replace(b"published", b"pubIished")), secret, at), neither),
        "no body": (Case(arrived.but(b""), secret, at), neither),
        "a body that was parsed and written again": (Case(arrived.but(read_again), secret, at), neither),
        "another secret": (Case(arrived, "whsec_" + "A" * 43 + "=", at), neither),
        "another id": (Case(arrived.but(webhook_id="another"), secret, at), only_simple),
        "a later time that is not signed": (Case(arrived.but(webhook_timestamp=str(at + 1)), secret, at), only_simple),
        "no time": (Case(arrived.but(webhook_timestamp=""), secret, at), only_simple),
        "a time that is no number": (Case(arrived.but(webhook_timestamp="٣"), secret, at), only_simple),
        "a time without end": (Case(arrived.but(webhook_timestamp="9" * 5_000), secret, at), only_simple),
        "several signatures": (Case(arrived.but(webhook_signature=f"v1,AAAA {signature}"), secret, at), [True, True]),
        "letters that are no ASCII": (
            Case(arrived.but(webhook_signature="v1,ğğğ", x_service_signature="sha256=ğ"), secret, at),
            neither,
        ),
        "no headers": (Case(Arrived({}, arrived.body), secret, at), neither),
    }


@pytest.mark.slow
@pytest.mark.shows("events.signature")
def test_deliveries_of_a_real_site_are_genuine_and_nothing_that_is_made_of_them(
    whole_site: Installation, start: Start, tmp_path: Path
) -> None:
    running = start(whole_site)
    running.wait_for("curl ")
    with receiving() as (url, arrived), receiving_in_node(tmp_path, OWN_SECRET) as node_url:
        made = add(whole_site, f"{url}/theirs").split()[1]
        add(whole_site, f"{url}/ours", OWN_SECRET)
        add(whole_site, node_url, OWN_SECRET)
        add(whole_site, node_url, "another secret of 24 bytes")
        assert call(running, "POST", "/posts", whole_site.key, POST).status == 201
        poll(lambda: len(arrived) == 2, "two deliveries")
        # By the verifiers' own clocks; whatever else is asked of them is asked about the moment of the delivery.
        secrets = [OWN_SECRET if in_python(tmp_path, [Case(each, OWN_SECRET)]) == GENUINE else made for each in arrived]
        for judge in (in_python, in_node):
            assert judge(tmp_path, list(map(Case, arrived, secrets))) == GENUINE * 2
        poll(lambda: len({row["entry"] for row in logged(whole_site)}) == 4, "an attempt for each entry")

    assert made.startswith("whsec_")
    assert {(row["entry"], row["ok"]) for row in logged(whole_site)} == {
        ("1", True), ("2", True), ("3", True), ("4", False),
    }  # fmt: skip
    for each, secret in zip(arrived, secrets, strict=True):
        check_verifiers(tmp_path, cases_of(each, secret))


def add(site: Installation, url: str, secret: str = "") -> str:
    """An entry; gives what is printed."""
    done = site.run("webhook", "add", "--url", url, "--allow-private", *(["--secret", secret] if secret else []))
    assert done.returncode == 0, done.stderr
    return done.stdout


def logged(site: Installation) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = json.loads(site.run("webhook", "log", "--json").stdout)
    return rows


def check_verifiers(folder: Path, cases: dict[str, tuple[Case, list[bool]]]) -> None:
    expected = {name: told for name, (_, told) in cases.items()}
    for judge in (in_python, in_node):
        told = judge(folder, [case for case, _ in cases.values()])
        assert dict(zip(cases, told, strict=True)) == expected, judge.__name__


@in_both
def test_published_answers_are_genuine(judge: Judge, tmp_path: Path) -> None:
    """GitHub, Validating webhook deliveries; Standard Webhooks, the specification's example."""
    digest = "757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17"
    simple = Arrived({"x-service-signature": f"sha256={digest}"}, b"Hello, World!")
    headers = {
        "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
        "webhook-timestamp": "1614265330",
        "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    }
    standard = Case(Arrived(headers, b'{"test": 2432232314}'), "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", 1614265330)

    cases = [Case(simple, "It's a Secret to Everybody"), standard, Case(standard.arrived, standard.secret)]
    assert judge(tmp_path, cases) == [[True, False], [False, True], [False, False]]


async def test_the_receiver_in_python_takes_what_is_genuine_and_nothing_else() -> None:
    queue: list[object] = []

    class Queue:
        async def put(self, told: object) -> None:
            queue.append(told)

    names: dict[str, Any] = {"SECRET": OWN_SECRET, "web": web, "json": json, "queue": Queue()}
    exec(code("verify_delivery.py") + code("python"), names)  # noqa: S102 - the page's own code is what is tried.
    app = web.Application()
    app.router.add_post("/", names["receive"])
    async with TestClient(TestServer(app)) as client:
        assert await statuses(client) == [204, 401]
    assert queue == [{"test": 1}]


async def statuses(client: TestClient) -> list[int]:
    """Of what is genuine, and of what is not."""
    body = b'{"test": 1}'
    headers = signed_headers(OWN_SECRET, "an-id", int(time.time()), body)
    return [(await client.post("/", data=each, headers=headers)).status for each in (body, b'{"test": 2}')]
