"""`cms-host webhook listen`: a receiver for trying, which verifies deliveries and prints them (contract 10)."""

import asyncio
import hmac
from collections.abc import Sequence
from socket import socket

import click
from aiohttp import web

from cms_host.api import bind
from cms_sink_webhook_delivery.signing import signed_headers


def is_genuine(secret: str, request: web.Request, body: bytes) -> bool:
    """Whether the body's signatures are those of the secret: the simple one, and the standard one where it is there."""
    timestamp = request.headers.get("webhook-timestamp", "")
    if not (timestamp.isascii() and timestamp.isdigit() and len(timestamp) < 20):
        return False
    wanted = signed_headers(secret, request.headers.get("webhook-id", ""), int(timestamp), body)
    return all(
        hmac.compare_digest(wanted[name].encode(), request.headers.get(name, "").encode("utf-8", "surrogateescape"))
        for name in ("X-Service-Signature", "webhook-signature")
    )


def receiver(secret: str) -> web.Application:
    """An application that answers 204 to what is genuine and 401 to all else, and prints both."""

    async def receive(request: web.Request) -> web.Response:
        body, kind = await request.read(), request.headers.get("X-Service-Event", "-")
        genuine = is_genuine(secret, request, body)
        click.echo(f"{'ok' if genuine else 'FORGED'}  {kind}  {ascii_only(body)}")
        return web.Response(status=204 if genuine else 401)

    app = web.Application()
    app.router.add_post("/{path:.*}", receive)
    return app


def ascii_only(body: bytes) -> str:
    """The body as one line that can't do anything to a terminal."""
    text = body.decode("utf-8", "replace")
    return text if text.isprintable() else ascii(text)


@click.command("listen", help="Receive deliveries, verify and print them, until it is interrupted: for trying.")
@click.option("--secret", required=True, help="The entry's secret.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", type=click.IntRange(0, 65_535), default=8100, show_default=True, help="0 takes any.")
def listen(secret: str, host: str, port: int) -> None:
    asyncio.run(_serve(receiver(secret), host, bind(host, port)))


async def _serve(app: web.Application, host: str, sockets: Sequence[socket]) -> None:
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    try:
        for each in sockets:
            await web.SockSite(runner, each).start()
        click.echo(f"Listening on http://{host}:{sockets[0].getsockname()[1]}/")
        await asyncio.Event().wait()
    finally:
        await runner.cleanup()
