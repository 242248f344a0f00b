"""An operator finds out that what is stored does not agree, and mends it."""

import os
from pathlib import Path

import pytest
from sqlalchemy import delete, update

from cms_host.migrate import sync_engine
from cms_host.testing import Databases
from cms_posts.tables import counts, outlines, slugs
from tests.host.process.installation import Installation


@pytest.fixture(params=Databases.KINDS)
def operated(request: pytest.FixtureRequest, databases: Databases, tmp_path: Path) -> Installation:
    """A site with every plugin and a few posts."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("CMS_")}
    environment |= {"PYTHONWARNINGS": "error", "CMS_DATABASE_URL": databases.make(request.param)}
    made = Installation(tmp_path, environment)
    (tmp_path / "data").mkdir()
    assert (
        made.run("user", "create", "--username", "ayse", "--email", "a@example.org", "--role", "admin").returncode == 0
    )
    assert made.run("demo", "--posts", "30").returncode == 0
    return made


def damage(url: str) -> None:
    with sync_engine(url).connect() as connection:
        connection.execute(delete(outlines).where(outlines.c.post_id == 4))
        connection.execute(update(slugs).where(slugs.c.post_id == 5).values(current=False))
        connection.execute(delete(counts))
        connection.commit()


@pytest.mark.slow
def test_damage_is_told_by_check_and_mended_by_reindex(operated: Installation) -> None:
    assert operated.run("check").returncode == 0
    damage(operated.environment["CMS_DATABASE_URL"])
    told = operated.run("check")
    assert told.returncode == 1
    assert "Error: index posts.outlines: the outline of post 4 is missing\n" in told.stderr
    assert "Error: index posts.slugs: the slug " in told.stderr
    assert "Error: index posts.totals: post_counts has 0 for type post, " in told.stderr
    assert "ok: index posts.tags: agrees\n" in told.stdout
    mended = operated.run("reindex", "posts.outlines", "posts.slugs")
    assert (mended.returncode, mended.stdout, mended.stderr) == (0, "rebuilt posts.outlines\nrebuilt posts.slugs\n", "")
    told = operated.run("check")
    assert told.returncode == 1
    assert {line.split(": ")[1] for line in told.stderr.splitlines()} == {"index posts.totals"}
    assert operated.run("reindex").returncode == 0
    checked = operated.run("check")
    assert (checked.returncode, checked.stderr) == (0, "")


def test_reindex_of_what_there_is_not_is_one_line(whole_site: Installation) -> None:
    assert whole_site.run("migrate").returncode == 0
    done = whole_site.run("reindex", "posts.serach")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("Error: No such index: posts.serach; there are posts.outlines, posts.media, ")
