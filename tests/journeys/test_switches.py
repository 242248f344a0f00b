"""Plugins switched on and off in the configuration, and what happens when one is broken."""

from tests.host.process.installation import Installation
from tests.journeys.conftest import Start, call

#: Long enough for every rule but the one about titles.
CONTENT = "<h2>Morning</h2><p>" + "The boats come in with the morning tide. " * 50 + "</p>"


def test_disabled_rule_no_longer_refuses(whole_site: Installation, start: Start) -> None:
    body = {"title": "Tide", "content": CONTENT, "status": "published"}
    running = start(whole_site)
    running.wait_for("curl ")
    refused = call(running, "POST", "/posts", whole_site.key, body)
    assert (refused.status, [block["code"] for block in refused.json["blocks"]]) == (422, ["short_title"])
    assert running.end() == 0
    whole_site.configure('[plugins]\ndisabled = ["gate-short-title"]\n')
    running = start(whole_site)
    assert call(running, "POST", "/posts", whole_site.key, body).status == 201


def test_disabled_family_is_404_and_its_neighbours_go_on(whole_site: Installation, start: Start) -> None:
    whole_site.configure('[plugins]\ndisabled = ["settings"]\n')
    running = start(whole_site)
    running.wait_for("curl ")
    assert call(running, "GET", "/settings", whole_site.key).status == 404
    assert call(running, "GET", "/posts", whole_site.key).status == 200
    listed = {line.split("\t")[0]: line.split("\t")[4] for line in whole_site.run("plugins").stdout.splitlines()}
    assert listed["settings"] != "on"
    assert listed["posts"] == "on"


def test_every_package_is_listed(whole_site: Installation) -> None:
    names = {line.split("\t")[0] for line in whole_site.run("plugins").stdout.splitlines()}
    assert names >= {"posts", "users", "settings", "health", "gate-short-content", "gate-missing-h2", "stranger"}


def test_broken_plugin_is_named_and_stops_the_start(whole_site: Installation) -> None:
    whole_site.add_plugin("broken", "import no_such_module\n")
    stopped = whole_site.run("serve", "--port", "0")
    assert stopped.returncode == 1
    assert "broken (acme-broken)" in stopped.stderr
    assert "no_such_module" in stopped.stderr
    assert whole_site.run("plugins").returncode != 0
