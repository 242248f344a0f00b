"""A revoked key fails on the next request, whichever process answers it."""

import json

import pytest

from tests.host.process.installation import Installation
from tests.journeys.conftest import Start, call

#: Connections that make it next to impossible that one of two processes was never asked (2 in 2**40).
ENOUGH = 40


@pytest.mark.shows("key.revoked", "auth.inactive")
def test_revoked_key_is_refused_by_every_process_at_once(whole_site: Installation, start: Start) -> None:
    running = start(whole_site, "--workers", "2")
    running.wait_for("curl ")
    made = whole_site.run("user", "create", "--username", "ayse", "--email", "ayse@example.org", "--role", "editor")
    assert made.returncode == 0, made.stderr
    secret = whole_site.run("key", "create", "--user", "ayse", "--name", "laptop").stdout.strip()
    assert {call(running, "GET", "/posts", secret).status for _ in range(ENOUGH)} == {200}
    keys = json.loads(whole_site.run("key", "list", "--json").stdout)
    number = next(key["id"] for key in keys if key["name"] == "laptop")
    assert whole_site.run("key", "revoke", str(number)).returncode == 0
    replies = [call(running, "GET", "/posts", secret) for _ in range(ENOUGH)]
    assert {reply.status for reply in replies} == {401}
    assert replies[0].json["error"]["message"] == "Unauthorized"
