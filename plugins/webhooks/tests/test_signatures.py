"""Calls without a key, recognised by their signature (spec, Authentication 11; contract 6)."""

import json

import pytest

from cms_host.testing import MakeSite, Site
from cms_posts.testing import article, created, unlike
from cms_webhooks.signing import digest_of, signature, signed_bytes

from .conftest import SECRET, SQLITE_ALONE, USER, digest, open_to, raw, signed, total

UNAUTHORIZED = (401, {"success": False, "error": {"code": 401, "message": "Unauthorized"}})
#: Of the site's clock, in Unix seconds.
NOW = 1_768_478_400


def right(body: bytes) -> dict[str, str]:
    return {"X-Webhook-Signature": f"sha256={digest(body)}"}


@pytest.mark.shows("actions.signature.digest")
def test_digests_are_those_that_others_have_published() -> None:
    """GitHub's example, and the second test case of RFC 4231."""
    assert signature(b"It's a Secret to Everybody", b"Hello, World!").hex() == (
        "757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17"
    )
    assert signature(b"Jefe", b"what do ya want for nothing?").hex() == (
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    )
    assert signed_bytes(b"{}", "draft") == b"{}"
    assert signed_bytes(b"{}", "draft", "1768478400") == b"1768478400.draft.{}"


@pytest.mark.parametrize(
    "header",
    ["", "sha256=", "sha1=" + "a" * 40, "a" * 63, "a" * 65, "sha256=" + "g" * 64, "sha256= " + "a" * 64, "ａ" * 64],
)
@SQLITE_ALONE
@pytest.mark.shows("actions.signature.wrong")
async def test_what_is_no_signature_is_401(site: Site, header: str) -> None:
    await open_to(site)
    assert digest_of(header) is None
    answer = await raw(site, "test", b"{}", {"X-Webhook-Signature": header})
    assert (answer.status, answer.json) == UNAUTHORIZED


@pytest.mark.shows("actions.signature.digest", "actions.signature.user", "auth.signature", "actions.test")
async def test_signed_call_acts_as_the_user_of_the_setting(site: Site) -> None:
    await open_to(site)
    body = json.dumps(article()).encode()
    made = await raw(site, "draft", body, right(body))
    told = await raw(site, "test", b"anything", {"X-Webhook-Signature": digest(b"anything").upper()})

    assert (made.status, made.data["post"]["author_name"]) == (201, USER)
    assert told.data == {
        "ok": True,
        "authenticated_by": "signature",
        "header": "X-Webhook-Signature",
        "role": "author",
        "time": "2026-01-15 12:00:00",
    }


@pytest.mark.parametrize(
    ("role", "expected"),
    [("subscriber", {"draft": 403, "test": 200}), ("author", {"draft": 201, "queue-pending": 403, "test": 200}),
     ("editor", {"draft": 201, "queue-pending": 200})],
)  # fmt: skip
@SQLITE_ALONE
@pytest.mark.shows("actions.signature.user", "actions.roles")
async def test_role_is_the_user_s(site: Site, role: str, expected: dict[str, int]) -> None:
    await open_to(site, role)
    told = {action: (await signed(site, action, article())).status for action in expected}
    assert told == expected


@SQLITE_ALONE
@pytest.mark.shows("actions.signature.unset")
async def test_without_secret_or_user_every_signature_is_401(site: Site) -> None:
    await site.key("author", USER)
    for settings in (
        {"webhook.inbound_secret": "", "webhook.inbound_user": ""},
        {"webhook.inbound_secret": "", "webhook.inbound_user": USER},
        {"webhook.inbound_secret": SECRET, "webhook.inbound_user": ""},
    ):
        await site.set(**settings)
        for secret in ("", SECRET):
            answer = await raw(site, "test", b"{}", {"X-Webhook-Signature": digest(b"{}", secret)})
            assert (answer.status, answer.json) == UNAUTHORIZED
    assert (await site.anonymous.post("/webhook/test", data=b"{}")).status == 401


@SQLITE_ALONE
@pytest.mark.shows("actions.signature.wrong")
async def test_whatever_is_not_quite_right_is_401(site: Site) -> None:
    await open_to(site)
    good = right(b"{}")
    key = await site.key("editor")
    wrong_key = "cms_" + "x" * 40
    wrong = digest(b"{}")[:-1] + ("0" if digest(b"{}")[-1] != "0" else "1")
    for body, headers in (
        (b"{} ", good),
        (b"", good),
        (b"{}", {"X-Webhook-Signature": wrong}),
        (b"{}", {"X-Webhook-Signature": digest(b"{}", "another secret of some forty characters")}),
        (b"{}", {**good, "X-API-Key": wrong_key}),
        (b"{}", {**good, "X-API-Key": ""}),
        (b"{}", {**good, "Authorization": f"Bearer {wrong_key}"}),
        (b"{}", {**good, "X-API-Key": key, "Api-Key": wrong_key}),
    ):
        assert (await raw(site, "test", body, headers)).status == 401, (body, headers)
    # The key that is there is what counts.
    assert (await raw(site, "test", b"{}", {"X-Webhook-Signature": "x", "X-API-Key": key})).data["role"] == "editor"
    twice = [("X-Webhook-Signature", digest(b"{}"))] * 2
    assert (await site.fetch("POST", "/api/v1/webhook/test", data=b"{}", headers=twice)).status == 401
    assert (await raw(site, "test", b"{}", good)).status == 200


@SQLITE_ALONE
@pytest.mark.shows("actions.signature.only")
async def test_signature_opens_the_actions_and_nothing_else(site: Site) -> None:
    await open_to(site, "editor")
    await created(await site.client("editor"))
    body = b'{"title": "x", "content": "y"}'
    for method, path in (
        ("GET", "/webhook"),
        ("POST", "/webhook"),
        ("GET", "/webhook/test"),
        ("PUT", "/webhook/draft"),
        ("POST", "/webhook/draft/x"),
        ("POST", "/posts"),
        ("POST", "/posts/1/publish"),
        ("GET", "/health"),
        ("GET", "/users"),
        ("POST", "/webhooks/draft"),
        ("POST", "/posts/webhook/draft"),
    ):
        content = b"" if method == "GET" else body
        headers = {**right(content), "Content-Type": "application/json"}
        answer = await site.anonymous.request(method, path, data=content or None, headers=headers)
        assert (answer.status, answer.json) == UNAUTHORIZED, f"{method} {path}"
    assert (await raw(site, "nonsense", b"", right(b""))).status == 404
    assert (await raw(site, "draft/", body, right(body))).status == 201


@SQLITE_ALONE
@pytest.mark.shows("actions.signature.timestamp")
async def test_timestamp_is_signed_with_action_and_body_and_must_be_of_now(site: Site) -> None:
    await open_to(site)
    for at, status in ((NOW, 200), (NOW - 300, 200), (NOW + 300, 200), (NOW - 301, 401), (NOW + 301, 401), (0, 401)):
        assert (await signed(site, "test", {}, at=at)).status == status, at
    covered = digest(f"{NOW}.test.{{}}".encode())
    for action, body, stamp, status in (
        ("test", b"{}", str(NOW), 200),
        ("draft", b"{}", str(NOW), 401),
        ("test", b"{ }", str(NOW), 401),
        ("test", b"{}", str(NOW + 1), 401),
        ("test", b"{}", f"0{NOW}", 401),
        ("test", b"{}", f"+{NOW}", 401),
        ("test", b"{}", f"{NOW}.0", 401),
        ("test", b"{}", "", 401),
    ):
        headers = {"X-Webhook-Signature": covered, "X-Webhook-Timestamp": stamp}
        assert (await raw(site, action, body, headers)).status == status, (action, body, stamp)
    # A signature of the body alone is none with a timestamp, nor the other way round.
    assert (await raw(site, "test", b"{}", {**right(b"{}"), "X-Webhook-Timestamp": str(NOW)})).status == 401
    assert (await raw(site, "test", b"{}", {"X-Webhook-Signature": covered})).status == 401


@SQLITE_ALONE
@pytest.mark.shows("actions.signature.timestamp")
async def test_timestamp_may_be_required(site: Site) -> None:
    await open_to(site)
    await site.set(**{"webhook.require_timestamp": True})

    assert (await signed(site, "test", {})).status == 401
    assert (await signed(site, "test", {}, at=NOW)).status == 200


@SQLITE_ALONE
@pytest.mark.shows("actions.signature.secret")
async def test_secrets_are_rotated_by_a_list(make_site: MakeSite) -> None:
    site, other = await make_site(), await make_site()
    await open_to(site)
    admin, new = await site.client("admin"), "a new secret of more than 24 bytes"
    path = "/settings/webhook.inbound_secret"
    assert (await admin.put(path, json={"value": f"{SECRET}, {new}"})).status == 200
    for secret in (SECRET, new):
        for each in (site, other):
            assert (await raw(each, "test", b"{}", {"X-Webhook-Signature": digest(b"{}", secret)})).status == 200
    assert (await admin.put(path, json={"value": new})).status == 200
    # On every host from the next call on.
    for each in (other, site):
        assert (await raw(each, "test", b"{}", right(b"{}"))).status == 401
    assert SECRET not in (await admin.get(path)).text
    for value in ("x" * 23, f"{new},", f"short,{new}", ","):
        answer = await admin.put(path, json={"value": value})
        assert (answer.status, answer.error["errors"][0]["field"]) == (422, "value"), value
    assert (await admin.put(path, json={"value": "é" * 12})).status == 200


@pytest.mark.shows("actions.signature.user")
async def test_administrator_is_no_value_for_the_user_and_no_caller_either(site: Site) -> None:
    await open_to(site)
    admin = await site.client("admin")
    path = "/settings/webhook.inbound_user"
    for value in ("admin", "nobody-of-this-name", "Ayşe", "\x01"):
        answer = await admin.put(path, json={"value": value})
        assert (answer.status, answer.error["errors"][0]["field"]) == (422, "value"), value
        refused = await admin.patch("/settings", json={"webhook.inbound_user": value, "timezone": "Europe/Istanbul"})
        assert (refused.status, refused.error["errors"][0]["field"]) == (422, "webhook.inbound_user")
    assert (await admin.get("/settings/timezone")).data["value"] == "UTC"
    assert (await admin.get(path)).data["value"] == USER
    number = (await admin.get(f"/users?search={USER}")).data["items"][0]["id"]
    for change, status in (({"role": "admin"}, 401), ({"role": "editor"}, 200), ({"active": False}, 401)):
        assert (await admin.patch(f"/users/{number}", json=change)).status == 200
        assert (await signed(site, "test", {})).status == status, change
    assert (await admin.put(path, json={"value": ""})).status == 200


@SQLITE_ALONE
async def test_body_is_read_within_its_limit_and_only_where_a_signature_could_be_right(make_site: MakeSite) -> None:
    site = await make_site(max_body_bytes=1_000)
    body = b"{" + b" " * 2_000 + b"}"
    assert (await raw(site, "test", body, right(body))).status == 401
    await open_to(site)

    assert (await raw(site, "test", body, {"X-Webhook-Signature": "none"})).status == 401
    answer = await raw(site, "test", body, right(body))
    assert (answer.status, "max_body_bytes" in answer.error["message"]) == (413, True)


@SQLITE_ALONE
@pytest.mark.shows("actions.signature.digest")
async def test_broken_bodies_of_signed_calls_are_what_they_are_of_others(site: Site) -> None:
    await open_to(site)
    for body, status in ((b"{", 400), (b"[]", 400), (b"\xff", 400), (b'{"title": "\\u0000"}', 400), (b"{}", 400)):
        assert (await raw(site, "draft", body, right(body))).status == status, body
    text = {**right(b"{}"), "Content-Type": "text/plain"}
    assert (await raw(site, "draft", b"{}", text)).status == 415
    assert await total(site) == 0
    assert (await signed(site, "draft", article(title=unlike("fine")))).status == 201
