"""Downloads over TLS: whom a certificate is believed, and where nobody is led from there."""

import asyncio
import os
import ssl
import sys
from pathlib import Path

import pytest
from aiohttp import web

from .file_source import Source, redirect

#: For `localhost`, with its key; made for these tests, valid for a hundred years, trusted by nobody.
CERTIFICATE = Path(__file__).with_name("localhost.pem")
DOWNLOADS = """
import asyncio, sys
from ipaddress import ip_network
from cms_host.fetch import Fetcher, Unreachable
async def write(piece): print(piece.decode())
try:
    asyncio.run(Fetcher([ip_network("127.0.0.0/8")]).download(sys.argv[1], write, seconds=60, most=1000))
except Unreachable as error:
    print(error)
"""


async def told_elsewhere(url: str, **environment: str) -> str:
    """What comes of a download by another process, whose environment says which certificates are trusted."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", DOWNLOADS, url), env=os.environ | environment, stdout=asyncio.subprocess.PIPE
    )
    output, _ = await process.communicate()
    return output.decode()


@pytest.mark.shows("outgoing.download")
async def test_who_began_protected_is_not_led_to_what_is_not() -> None:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(CERTIFICATE)
    source, safe = Source(), Source()
    await source.server.start_server()
    safe.answers = {"/out": redirect(source.url()), "/stay": redirect("/file"), "/file": web.Response(text="well")}
    await safe.server.start_server(ssl=context)
    trusting = {"SSL_CERT_FILE": str(CERTIFICATE)}
    async with source.server, safe.server:
        told = await asyncio.gather(
            told_elsewhere(safe.url("/out"), **trusting),
            told_elsewhere(safe.url("/stay"), **trusting),
            told_elsewhere(safe.url("/file")),
        )

    assert told[0] == "a redirect leads from https to what is not\n"
    assert told[1] == "well\n"
    assert "CERTIFICATE_VERIFY_FAILED" in told[2]
    assert source.seen == []
