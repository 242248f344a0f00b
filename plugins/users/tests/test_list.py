"""GET /users and GET /users/{id}: for administrators only."""

import pytest
from marshmallow import RAISE

from cms_host.testing import Site
from cms_users.schemas import UserPage, UserRecord

from .conftest import SQLITE_ALONE, MakeKey

FORBIDDEN = {"success": False, "error": {"code": 403, "message": "Forbidden"}}


@pytest.mark.shows("others.users")
async def test_list_shows_accounts_oldest_first(site: Site) -> None:
    client = await site.client("admin")
    site.clock.advance(60)
    await site.key("author", "yazar")
    data = (await client.get("/users")).data

    assert [user["username"] for user in data["items"]] == ["admin", "yazar"]
    assert data["items"][1] == {
        "id": 2,
        "username": "yazar",
        "name": "yazar",
        "email": "yazar@example.org",
        "role": "author",
        "active": True,
        "email_verified": False,
        "created_at": "2026-01-15 12:01:00",
        "last_login_at": None,
    }
    assert UserPage(unknown=RAISE).validate(data) == {}
    assert UserRecord(unknown=RAISE).validate(data["items"], many=True) == {}
    assert {name: data[name] for name in data if name != "items"} == {
        "total": 2,
        "pages": 1,
        "current_page": 1,
        "per_page": 20,
    }


@pytest.mark.parametrize(
    ("query", "ids", "page", "per_page"),
    [
        ("per_page=2", [1, 2], 1, 2),
        ("per_page=2&page=2", [3], 2, 2),
        ("per_page=2&page=3", [], 3, 2),
        ("page=0&per_page=0", [1, 2, 3], 1, 20),
        ("page=-5&per_page=-1", [1, 2, 3], 1, 20),
        ("per_page=1000", [1, 2, 3], 1, 100),
        (f"page={2**63 - 1}&per_page=100", [], 2**63 - 1, 100),
        (f"page={'9' * 30}", [], 2**63 - 1, 20),
    ],
)
async def test_list_is_paged(
    site: Site, make_key: MakeKey, query: str, ids: list[int], page: int, per_page: int
) -> None:
    client = await site.client("admin")
    for username in ("second", "third"):
        await make_key(username, "author")
    data = (await client.get(f"/users?{query}")).data

    assert [user["id"] for user in data["items"]] == ids
    assert (data["current_page"], data["per_page"]) == (page, per_page)
    assert (data["total"], data["pages"]) == (3, -(-3 // per_page))


@SQLITE_ALONE
@pytest.mark.parametrize("query", ["page=x", "per_page=1.5", "page=", "per_page=１"])
async def test_list_with_a_page_that_is_no_number_is_422(site: Site, query: str) -> None:
    answer = await (await site.client("admin")).get(f"/users?{query}")

    assert answer.status == 422
    assert answer.error["errors"][0]["field"] == query.partition("=")[0]


async def test_read_shows_one_account_in_the_sites_time_zone(site: Site) -> None:
    client = await site.client("admin")
    await site.set(timezone="Europe/Istanbul")
    listed = (await client.get("/users")).data["items"][0]

    assert (await client.get("/users/1")).data == listed
    assert listed["created_at"] == "2026-01-15 15:00:00"


async def test_no_answer_shows_a_password_or_its_hash(site: Site) -> None:
    client = await site.client("admin")
    for path in ("/users", "/users/1"):
        assert "password" not in (await client.get(path)).text


@SQLITE_ALONE
@pytest.mark.parametrize("bad", ["2", "0", "x", "1x", "-1", str(2**63), "9" * 30, "%31%00"])
async def test_read_of_what_is_no_account_is_404(site: Site, bad: str) -> None:
    assert (await (await site.client("admin")).get(f"/users/{bad}")).status == 404


@SQLITE_ALONE
@pytest.mark.parametrize("role", ["subscriber", "author", "editor"])
@pytest.mark.shows("role.forbidden.users", "request.403.families")
async def test_lower_roles_are_forbidden_whatever_the_method_or_path(site: Site, role: str) -> None:
    client = await site.client(role)
    for path in ("/users", "/users/", "/users/1", "/users/x/y", "/users?page=x", "/%75sers"):
        for method in ("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"):
            assert (await client.request(method, path)).json == FORBIDDEN
