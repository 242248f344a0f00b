"""For tests that need somebody who registered."""

import re
from collections.abc import Mapping
from email import message_from_bytes
from email.policy import default
from typing import TYPE_CHECKING

from cms_members.addresses import CONFIRM, REGISTER

if TYPE_CHECKING:
    from pathlib import Path

    from cms_host.testing import Site

#: What a browser says of a form on a page of the site.
OURS: Mapping[str, str] = {"Sec-Fetch-Site": "same-origin"}


async def became_member(site: "Site", name: str, email: str) -> str:
    """Go the whole way from the form to the account, on a site whose mails are files; gives the username."""
    sent = {"name": name, "email": email, "password": "correct horse"}
    answer = await site.fetch("POST", REGISTER, data=sent, headers=OURS)
    assert answer.status == 200, answer.text
    await site.run_job("members.mail")
    token = newest_token(site.host.data_dir / "mail", email)
    answer = await site.fetch("POST", CONFIRM, data={"token": token}, headers=OURS)
    assert answer.status == 200, answer.text
    told = re.search("<strong>(.+)</strong>", answer.text)
    assert told, answer.text
    return told[1]


def newest_token(folder: "Path", email: str) -> str:
    """What the link of the last mail to this address carries."""
    files = sorted(folder.glob("*.eml"), key=lambda each: each.stat().st_mtime_ns)
    found = [message_from_bytes(file.read_bytes(), policy=default) for file in files]
    content = next(each for each in reversed(found) if each["To"] == email).get_content()
    carried = re.search(r"\?token=([A-Za-z0-9_-]{43})\s", content)
    assert carried, content
    return carried[1]
