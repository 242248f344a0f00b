"""A site on which people can register, and their way through its pages."""

import re
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from pathlib import Path
from typing import Any

import pytest

from cms_host.testing import Answer, MakeSite, Site

#: For what no database has a part in.
SQLITE_ALONE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
BASE = "https://example.org"
#: What a browser says of a form on a page of the site.
OURS = {"Origin": BASE}
AYSE = {"name": "Ayşe Yılmaz", "email": "ayse@example.org", "password": "correct horse"}


@pytest.fixture
async def site(make_site: MakeSite) -> Site:
    return await make_site(enabled=["users", "members"], base_url=BASE)


async def register(site: Site, headers: dict[str, str] | None = None, **fields: str) -> Answer:
    """Send the form."""
    return await site.fetch("POST", "/members/register", data={**AYSE, **fields}, headers={**OURS, **(headers or {})})


async def confirm(site: Site, token: str) -> Answer:
    """Press the button on the page that the link opens."""
    return await site.fetch("POST", "/members/confirm", data={"token": token}, headers=OURS)


async def mails(site: Site) -> list[EmailMessage]:
    """Those that went out since the last time, after whatever was due has."""
    await site.run_job("members.mail")
    found = []
    for path in sorted((site.host.data_dir / "mail").glob("*.eml"), key=lambda each: each.stat().st_mtime_ns):
        found.append(read(path))
        path.unlink()
    return found


def read(path: Path) -> EmailMessage:
    message: Any = message_from_bytes(path.read_bytes(), policy=default)
    assert isinstance(message, EmailMessage)
    return message


def token_in(message: EmailMessage) -> str:
    """What the link of the mail carries."""
    found = re.search(rf"^{BASE}/members/confirm\?token=([A-Za-z0-9_-]{{43}})\s", message.get_content(), re.MULTILINE)
    assert found, message.get_content()
    return found[1]


async def linked(site: Site, **fields: str) -> str:
    """The token of a new registration's link."""
    answer = await register(site, **fields)
    assert answer.status == 200, answer.text
    (message,) = await mails(site)
    return token_in(message)


async def accounts(site: Site) -> list[dict[str, Any]]:
    """All but the administrator who looks at them."""
    answer = await (await site.client("admin")).get("/users")
    return [each for each in answer.data["items"] if each["role"] != "admin"]
