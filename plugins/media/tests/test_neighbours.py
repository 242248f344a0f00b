"""What media tell and hand over when neighbours ask: the site's figures, and an account that goes."""

import pytest

from cms_host.testing import Site
from cms_media.testing import upload, uploaded


async def test_figures_are_of_the_originals(site: Site) -> None:
    author, admin = await site.client("author"), await site.client("admin")
    assert (await admin.get("/stats")).data["media"] == {"total": 0, "bytes": 0}
    sizes = [(await uploaded(author))["size"] for _ in range(2)]

    assert (await admin.get("/stats")).data["media"] == {"total": 2, "bytes": sum(sizes)}


@pytest.mark.shows("errors.409.user", "users.reassign")
async def test_uploads_of_a_deleted_account_go_to_whom_the_request_names(site: Site) -> None:
    admin, author = await site.client("admin"), await site.client("author")
    medium = await uploaded(author)
    refused = await admin.delete(f"/users/{medium['author_id']}")
    assert refused.status == 409
    assert "media: 1" in refused.error["message"]

    assert (await admin.delete(f"/users/{medium['author_id']}?reassign_to=1")).status == 200
    assert (await admin.get(f"/media/{medium['id']}")).data == {**medium, "author_id": 1}


async def test_an_upload_needs_its_account_to_the_end(site: Site) -> None:
    admin, author = await site.client("admin"), await site.client("author")
    medium = await uploaded(author)
    assert (await admin.delete(f"/media/{medium['id']}")).status == 200
    assert (await admin.delete(f"/users/{medium['author_id']}")).status == 200

    assert (await upload(author)).status == 401
