"""What is not for everybody is told by nothing that a subscriber may read, nor by any public page (contract 4).

Routes and pages come from the router: what a plugin adds is asked without being named here.
"""

from collections.abc import Iterator, Mapping, Set
from itertools import product
from typing import Any

import pytest

from cms_host.testing import Answer, Client, Site
from cms_host.testing.site import API
from cms_posts.testing import LIKENESS, SENTENCE, created

from .routes import Endpoint, endpoints

#: How a post is kept from readers.
HIDDEN: Mapping[str, Mapping[str, Any]] = {
    "private": {"status": "published", "visibility": "private"},
    "guarded": {"status": "published", "visibility": "password", "password": "open sesame"},
    "draft": {},
    "pending": {"status": "pending"},
    "scheduled": {"scheduled_at": "2026-12-31 09:00:00"},
    "trash": {"status": "trash"},
}
PLACES = ("title", "slug", "excerpt", "content", "alt", "seo", "former")
#: A password guards content and excerpt alone: posts themselves show their title, address and SEO object to whoever
#: may see that they are there (contract 4, Who sees what).
SHOWN = {("posts", "guarded", place) for place in ("title", "slug", "former", "seo")}
OPEN = "open"
#: Parameters of paths that are no id of a post and no slug.
VALUES = {"key": "timezone", "source": "posts", "number": "1", "name": "2026/01/a.jpg", "path": "2026/01/a.jpg"}
EVERYWHERE = ("", "with_relations=1&per_page=100", "format=xml", "status=draft,trash", "order_by=title&order_dir=asc")
ASKED = ("q={}", "search={}", "slug={}")


def secret(kind: str, place: str) -> str:
    """A word that is nowhere else."""
    return f"zq{kind}{place}"


def body(kind: str, state: Mapping[str, Any]) -> dict[str, Any]:
    """A post whose every text has its own word."""
    words = {place: secret(kind, place) for place in PLACES}
    picture = f'<img src="/media/2026/01/{words["alt"]}.jpg" alt="{words["alt"]}">'
    return {
        "title": f"A long title with {words['title']} in it",
        "slug": words["slug"],
        "excerpt": f"By hand: {words['excerpt']}",
        "content": f"<h2>Read: {words['content']}</h2><p>{picture}{SENTENCE * 40}</p>",
        "seo": {"meta_title": words["seo"], "og_image": f"/media/{words['seo']}.jpg"},
        **state,
    }


async def plant(editor: Client) -> list[int]:
    """One post of each kind, which had another title and slug before, and one that is open to all."""
    ids = []
    for kind, state in {OPEN: {"status": "published"}, **HIDDEN}.items():
        former = secret(kind, "former")
        post = await created(editor, title=f"It was called {former}", slug=former)
        answer = await editor.patch(f"/posts/{post['id']}", json=body(kind, state))
        assert answer.status == 200, answer.text
        ids.append(post["id"])
    return ids


def paths(endpoint: Endpoint, ids: list[int]) -> Iterator[str]:
    """The path with whatever may lead to a hidden post in the places of its parameters."""
    slugs = [secret(kind, place) for kind in HIDDEN for place in ("slug", "former")]
    choices = [
        slugs if name == "slug" else ids if name not in VALUES else [VALUES[name]] for name in endpoint.parameters
    ]
    for values in product(*choices):
        yield endpoint.at(dict(zip(endpoint.parameters, values, strict=True)))


def queries(endpoint: Endpoint) -> Iterator[str]:
    yield from EVERYWHERE
    if not endpoint.parameters:
        yield from (form.format(secret(kind, place)) for form in ASKED for kind in HIDDEN for place in PLACES)
        yield f"q={secret(OPEN, 'title')}"


def pages(site: Site) -> list[Endpoint]:
    """Everything that answers GET outside the API."""
    found = [
        Endpoint("GET", route.resource.canonical)
        for route in site.app.router.routes()
        if route.resource is not None and route.method == "GET" and not route.resource.canonical.startswith(API)
    ]
    assert "/sitemap.xml" in {each.path for each in found}
    return found


def leaks(where: str, family: str, answer: Answer) -> Iterator[str]:
    """What the answer tells that it must not, in its body or its headers."""
    told = (answer.body + repr(dict(answer.headers)).encode()).lower()
    for kind, place in product(HIDDEN, PLACES):
        if secret(kind, place).encode() in told and (family, kind, place) not in SHOWN:
            yield f"{where}: {kind}: {place}"


def admits(path: str, family: str, answer: Answer, unseen: Set[str]) -> Iterator[str]:
    """That the path of a post which may not be seen is answered as anything but one that is not there."""
    if family == "posts" and not unseen.isdisjoint(path.split("/")) and answer.status != 404:
        yield f"{path}: {answer.status}"


def tells_of_the_open_post(path: str, answer: Answer) -> set[str]:
    """The path, if it does."""
    return {path} if secret(OPEN, "slug").encode() in answer.body else set()


@pytest.mark.shows("others.search.public", "others.sitemap.public", "role.sees.not")
async def test_no_route_and_no_page_tells_of_what_is_not_for_everybody(make_site: Any) -> None:
    # What images are called, and not what they show, could tell.
    site = await make_site(disabled=[*LIKENESS, "gate-broken-local-image"], base_url="https://example.org")
    ids = await plant(await site.client("editor"))
    unseen = {str(number) for number, kind in zip(ids, (OPEN, *HIDDEN), strict=True) if kind not in (OPEN, "guarded")}
    subscriber, found, told = await site.client("subscriber"), [], set()
    for endpoint in endpoints(site):
        for path in paths(endpoint, ids) if endpoint.method == "GET" else ():
            for query in queries(endpoint):
                answer = await subscriber.get(f"{path}?{query}")
                assert answer.status < 500, f"{path}?{query}: {answer.text}"
                found += [
                    *leaks(f"{path}?{query}", endpoint.family, answer),
                    *admits(path, endpoint.family, answer, unseen),
                ]
                told |= tells_of_the_open_post(path, answer)
    for page in pages(site):
        for path in paths(page, ids):
            answer = await site.fetch("GET", path)
            found += leaks(path, "", answer)
            told |= tells_of_the_open_post(path, answer)

    assert found == []
    # Where the open post is told of, a hidden one could be.
    assert told >= {"/posts", "/search", "/sitemap", "/sitemap.xml", "/sitemap-posts-1.xml"}
