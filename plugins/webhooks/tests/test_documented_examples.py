"""The commands of docs/webhook.md, as they stand there."""

import asyncio
import os
import re
import sys
import time
from pathlib import Path

from cms_host.testing import Site

from .conftest import SQLITE_ALONE, total

PAGE = Path(__file__).resolve().parents[3] / "docs" / "webhook.md"


@SQLITE_ALONE
async def test_examples_do_what_the_page_says(site: Site, database_url: str) -> None:
    # The commands ask the machine for the time.
    site.clock.advance(time.time() - site.clock.now() / 1_000_000)
    commands = re.findall(r"^```sh\n(.*?)^```", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    keys = {"KEY": await site.key("editor"), "ADMIN": await site.key("admin")}
    same = {"CMS_DATABASE_URL": database_url, "CMS_DATA_DIR": str(site.host.data_dir)}
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    env = {**os.environ, **keys, **same, "BASE": site.url, "PATH": path}
    process = await asyncio.create_subprocess_exec(
        "bash", "-ec", "".join(commands), env=env, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    told, complaint = await process.communicate()

    assert (process.returncode, complaint) == (0, b"")
    assert (told.count(b'{"success":true,"data":'), len(commands)) == (6, 4)
    assert (await total(site), await total(site, "/categories")) == (2, 1)
    assert b'"authenticated_by":"signature"' in told
