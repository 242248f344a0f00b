"""A host that files are fetched from, as tests say."""

from collections.abc import Awaitable, Callable

from aiohttp import web
from aiohttp.test_utils import TestServer

Answer = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Source:
    """A host with files."""

    def __init__(self) -> None:
        self.seen: list[web.Request] = []
        self.answers: dict[str, Answer | web.Response] = {}
        self.server = TestServer(self._app())

    def _app(self) -> web.Application:
        app = web.Application()
        app.router.add_route("*", "/{path:.*}", self._answer)
        return app

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        self.seen.append(request)
        answer = self.answers[request.path]
        return answer if isinstance(answer, web.Response) else await answer(request)

    def url(self, path: str = "/file") -> str:
        return str(self.server.make_url(path))


def redirect(location: str, status: int = 302) -> web.Response:
    return web.Response(status=status, headers={"Location": location, "Set-Cookie": "a=b"})
