"""What each work sends, and what a right answer to it is.

A function that returns lines takes the site and how many are wanted: they become the file that the work's
script reads. A `check_*` makes requests of its own, before and after the load, and looks deeper.
"""

import json
import random
from collections.abc import Callable, Sequence
from itertools import islice
from urllib.parse import parse_qs, urlencode, urlsplit

from bench.articles import articles
from bench.client import BenchError, WrongAnswerError
from bench.floor_data import NAMES, PAGE
from bench.site import Site
from cms_posts.demo import place_names

Lines = Callable[[Site, int], list[str]]
Check = Callable[[Site, Sequence[str]], None]

#: Fields that every post record has (spec, Post record; the contract's additions).
_POST_FIELDS = frozenset(NAMES) - {"ai_disclosure", "original_notes", "sources", "ymyl"} | {"editorial"}
_LAST_PAGE = 500
#: Words of nearly every post of `cms-host demo`.
_COMMON = ("river", "gardens", "köprü", "window", "haritaları")


def _list(**query: object) -> str:
    return f"/api/v1/posts?{urlencode(query)}"


def post_paths(site: Site, count: int) -> list[str]:
    """Return paths of single posts drawn at random."""
    return [f"/api/v1/posts/{random.randint(1, site.posts)}" for _ in range(count)]


def first_page(_site: Site, _count: int) -> list[str]:
    """Return the plain list: its first page, in the default order."""
    return ["/api/v1/posts"]


def ten_pages(_site: Site, _count: int) -> list[str]:
    """Return the first ten pages of the plain list."""
    return [_list(page=page) for page in range(1, 11)]


def related_page(_site: Site, _count: int) -> list[str]:
    """Return the plain list with categories and tags."""
    return [_list(with_relations=1)]


def far_page(site: Site, _count: int) -> list[str]:
    """Return page 500 of twenty, or the last full page of a smaller store."""
    with site.editor() as client:
        total = client.get(_list(per_page=1))["total"]
    return [_list(page=min(_LAST_PAGE, total // PAGE))]


def keyset_pages(site: Site, count: int) -> list[str]:
    """Return pages of twenty from a random id on downwards."""
    ids = (random.randint(PAGE + 1, site.posts) for _ in range(count))
    return [_list(order_by="id", before_id=number) for number in ids]


def filtered_pages(site: Site, _count: int) -> list[str]:
    """Return lists by category, and as many by a span of dates, each of a full page of posts at least."""
    with site.editor() as client:
        categories = client.get("/api/v1/categories")["items"]
        slugs = [one["slug"] for one in categories if one["post_count"] >= PAGE]
        pages = random.sample(range(1, site.posts // 100 + 1), min(len(slugs), site.posts // 100))
        spans = [client.get(_list(order_by="created_at", per_page=100, page=page))["items"] for page in pages]
    if not slugs or not spans:
        raise BenchError(f"no category has {PAGE} published posts: fill with more by --posts")
    dated = [_list(date_from=span[-1]["created_at"], date_to=span[0]["created_at"]) for span in spans]
    return [*(_list(category=slug) for slug in slugs), *dated]


def searches(site: Site, count: int) -> list[str]:
    """Return searches for two words: a place that some forty posts tell of, whatever their number, and a common one."""
    names = place_names(site.posts)
    return [_list(search=f"{random.choice(names)} {random.choice(_COMMON)}") for _ in range(min(count, 2000))]


def contents(_site: Site, count: int) -> list[str]:
    """Return contents, 3 KB of HTML each, as JSON strings; the script tells each request's apart."""
    return [json.dumps(article.content, ensure_ascii=False) for article in islice(articles(seed=11), min(count, 500))]


def publish_paths(site: Site, count: int) -> list[str]:
    """Create `count` drafts and return the paths that publish them."""
    return [f"/api/v1/posts/{number}/publish" for number in site.make_drafts(count)]


def check_posts(site: Site, paths: Sequence[str]) -> None:
    """Each path answers with the whole record of the post that it names."""
    with site.editor() as client:
        for path in paths:
            record = client.get(path)
            missing = _POST_FIELDS - record.keys()
            length = len(record["content"])
            if missing or path != f"/api/v1/posts/{record['id']}" or length < 1000:
                raise WrongAnswerError(f"GET {path}: id {record['id']}, {length} characters, lacks {missing}")


def check_pages(site: Site, paths: Sequence[str]) -> None:
    """Each path answers with a full page of whole records in the default or the asked order."""
    with site.editor() as client:
        for path in paths:
            items = client.get(path)["items"]
            key = "id" if "order_by=id" in path else "created_at"
            order = [one[key] for one in items]
            missing = set().union(*(_POST_FIELDS - one.keys() for one in items))
            if len(items) != PAGE or order != sorted(order, reverse=True) or missing:
                raise WrongAnswerError(f"GET {path}: {len(items)} items, by {key}: {order}, lacking {missing}")


def check_searches(site: Site, paths: Sequence[str]) -> None:
    """Every hit has both words in its title or its text."""
    with site.editor() as client:
        for path in paths:
            words = parse_qs(urlsplit(path).query)["search"][0].lower().split()
            page = client.get(path)
            texts = [f"{one['title']} {one['content']}".lower() for one in page["items"]]
            if page["total"] < len(texts) or not all(word in text for text in texts for word in words):
                raise WrongAnswerError(f"GET {path}: total {page['total']}, of {len(texts)} not all have {words}")


def check_relations(site: Site, paths: Sequence[str]) -> None:
    """As `check_pages`, and every record has its categories and tags."""
    check_pages(site, paths)
    with site.editor() as client:
        for path in paths:
            items = client.get(path)["items"]
            for name in ("categories", "tags"):
                if not all(isinstance(one.get(name), list) for one in items) or not any(one[name] for one in items):
                    raise WrongAnswerError(f"GET {path}: records without {name}")


def check_creating(site: Site, lines: Sequence[str]) -> None:
    """A draft is stored as sent: clean HTML comes back the same."""
    with site.editor() as client:
        for line in lines:
            sent = json.loads(line)
            body = {"title": "A draft made by the check", "content": sent}
            made = client.post("/api/v1/posts", body, status=201)
            stored = client.get(f"/api/v1/posts/{made['id']}")
            if stored["status"] != "draft" or stored["content"].split() != sent.split():
                shown = f"{stored['status']}, {stored['content'][:200]!r}"
                raise WrongAnswerError(f"POST /api/v1/posts: stored as {shown}")


def check_publishing(site: Site, paths: Sequence[str]) -> None:
    """A draft becomes published with no warning, and is found published afterwards."""
    with site.editor() as client:
        for path in paths:
            data = client.post(path)
            post = client.get(path.removesuffix("/publish"))
            if post["status"] != "published" or not post["published_at"] or data["warnings"]:
                raise WrongAnswerError(f"POST {path}: {post['status']}, warnings {data['warnings']}")
