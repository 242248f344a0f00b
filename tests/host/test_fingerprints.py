"""What is kept of a body under an `Idempotency-Key` tells nobody the password in it."""

from hashlib import sha256

from cms_host.fingerprint import fingerprint_of
from cms_host.testing import Site, dump

HEADERS = {"Content-Type": "application/json", "Idempotency-Key": "one-key"}
BODY = b'{"username": "ayse", "email": "ayse@example.org"%s}'
SECRET, OPEN = BODY % b', "password": "letmein12"', BODY % b""


async def test_fingerprint_tells_bodies_apart_and_knows_them_again() -> None:
    found = [await fingerprint_of(raw, salt) for raw in (SECRET, SECRET + b" ", OPEN) for salt in ("a", "a", "b")]

    assert found[0] == found[1]
    assert len({*found}) == 5


async def test_body_with_a_password_is_not_kept_as_a_quick_digest(site: Site, database_url: str) -> None:
    client = await site.client("admin")
    for path, raw in (("/users", SECRET), ("/tags", b'{"name": "Tea"}')):
        assert (await client.post(path, data=raw, headers=HEADERS)).status == 201
        assert (await client.post(path, data=raw, headers=HEADERS)).headers["Idempotent-Replayed"] == "true"
        assert (await client.post(path, data=raw + b" ", headers=HEADERS)).status == 409

    kept = repr(dump(database_url))
    assert sha256(b'{"name": "Tea"}').hexdigest() in kept
    assert sha256(SECRET).hexdigest() not in kept
    assert "letmein12" not in kept
