"""Who may call what, written down from the spec (Role capabilities) and the contract (1.4, 1.6, 4, 5).

Nothing here is read from the code. An endpoint that has no line here fails `test_every_endpoint_has_a_declared_role`.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from cms_media.testing import picture
from cms_posts.testing import article

from .routes import Endpoint

#: The five callers, the least of them first; `nobody` sends no key.
CALLERS = ("nobody", "subscriber", "author", "editor", "admin")
#: Contract 1.4: these say `Forbidden` to all but administrators, whatever the method or path.
ADMIN_FAMILIES = ("users", "settings")

UNAUTHORIZED = (401, "Unauthorized")
FORBIDDEN = (403, "Forbidden")
INSUFFICIENT = (403, "Insufficient role for this operation")
NOT_YOURS = (403, "You can only modify your own content")
NOT_FOUND = (404, "Not found")


class Duty(NamedTuple):
    """What an endpoint asks of its caller, and what it answers whoever may call it."""

    least: str
    #: What a request that means something carries.
    body: Mapping[str, Any] | None = None
    answer: int = 200
    #: Whether the record is looked at first: to whom it is not there, it is 404 (contract 4, of revisions and reports).
    by_record: bool = False


_NEW_POST = article(title="A post that the matrix makes")
_LATER = {"scheduled_at": "2026-12-31 09:00:00"}

DUTIES: Mapping[str, Duty] = {
    "GET /health": Duty("subscriber"),
    "GET /stats": Duty("subscriber"),
    "POST /stats/views": Duty("editor", {"items": [{"post_id": 1, "count": 1}]}),
    "GET /trends": Duty("subscriber"),
    "GET /users": Duty("admin"),
    "POST /users": Duty("admin", {"username": "matrix", "email": "matrix@example.org", "password": "open sesame"}, 201),
    "GET /users/{id}": Duty("admin"),
    "PUT /users/{id}": Duty("admin", {"name": "As put"}),
    "PATCH /users/{id}": Duty("admin", {"active": True}),
    "DELETE /users/{id}": Duty("admin"),
    "GET /settings": Duty("admin"),
    "PATCH /settings": Duty("admin", {"timezone": "UTC"}),
    "GET /settings/{key}": Duty("admin"),
    "PUT /settings/{key}": Duty("admin", {"value": "UTC"}),
    "GET /posts": Duty("subscriber"),
    "POST /posts": Duty("author", _NEW_POST, 201),
    "GET /posts/{id}": Duty("subscriber"),
    "PUT /posts/{id}": Duty("author", {"comment_status": "closed"}),
    "PATCH /posts/{id}": Duty("author", {"comment_status": "open"}),
    "DELETE /posts/{id}": Duty("author"),
    "POST /posts/{id}/publish": Duty("author"),
    "POST /posts/{id}/schedule": Duty("author", _LATER),
    "POST /posts/{id}/review": Duty("editor"),
    "POST /posts/{id}/check": Duty("author"),
    "POST /posts/check": Duty("author", _NEW_POST),
    "GET /posts/{id}/gate": Duty("author", by_record=True),
    "GET /posts/{id}/revisions": Duty("author", by_record=True),
    "POST /posts/{id}/revisions/{revision_id}/restore": Duty("author"),
    # Contract 1: without an id these are 400.
    "PUT /posts": Duty("author", answer=400),
    "PATCH /posts": Duty("author", answer=400),
    "DELETE /posts": Duty("author", answer=400),
    "POST /posts//publish": Duty("author", answer=400),
    "POST /posts//schedule": Duty("author", answer=400),
    "GET /posts//revisions": Duty("subscriber", answer=400),
    "GET /categories": Duty("subscriber"),
    "GET /categories/{slug}": Duty("subscriber"),
    "POST /categories": Duty("editor", {"name": "A category that the matrix makes"}, 201),
    "PUT /categories/{slug}": Duty("editor", {"description": "As put"}),
    "PATCH /categories/{slug}": Duty("editor", {"description": "As patched"}),
    "DELETE /categories/{slug}": Duty("editor"),
    "GET /media": Duty("subscriber"),
    "POST /media": Duty("author", {"file": picture()}, 201),
    "GET /media/{id}": Duty("subscriber"),
    "PUT /media/{id}": Duty("author", {"alt": "As put"}),
    "PATCH /media/{id}": Duty("author", {"title": "As patched"}),
    "DELETE /media/{id}": Duty("author"),
    "GET /tags": Duty("subscriber"),
    "GET /tags/{slug}": Duty("subscriber"),
    "POST /tags": Duty("editor", {"name": "A tag that the matrix makes"}, 201),
    "PUT /tags/{slug}": Duty("editor", {"name": "A tag that is put"}),
    "PATCH /tags/{slug}": Duty("editor", {"name": "A tag that is patched"}),
    "DELETE /tags/{slug}": Duty("editor"),
    "POST /tags/{slug}/merge": Duty("editor", {"into": "target"}),
    # Without `q` it is 400, whoever asks.
    "GET /search": Duty("subscriber", answer=400),
    "GET /sitemap": Duty("subscriber"),
    "GET /comments": Duty("subscriber"),
    "GET /comments/{id}": Duty("subscriber"),
    "POST /comments": Duty("editor", {"post_id": 1, "content": "A comment that the matrix makes"}, 201),
    "PUT /comments/{id}": Duty("editor", {"status": "approved"}),
    "PATCH /comments/{id}": Duty("editor", {"status": "spam"}),
    "DELETE /comments/{id}": Duty("editor"),
    "GET /webhook": Duty("subscriber"),
    "POST /webhook/publish": Duty("author", _NEW_POST, 201),
    "POST /webhook/draft": Duty("author", _NEW_POST, 201),
    "POST /webhook/schedule": Duty("author", {**_NEW_POST, **_LATER}, 201),
    # Nobody is asked there: a private address.
    "POST /webhook/media": Duty("author", {"url": "http://10.0.0.1/boat.png"}, 422),
    "POST /webhook/bulk-publish": Duty("author", {"items": [_NEW_POST]}),
    "POST /webhook/queue-pending": Duty("editor", {"page": 1}),
    "POST /webhook/test": Duty("subscriber"),
}


def refusal(caller: str, endpoint: Endpoint) -> tuple[int, str] | None:
    """Why the caller gets no further than his role, whatever the request is about; None where he does."""
    if caller == "nobody":
        return UNAUTHORIZED
    if endpoint.family in ADMIN_FAMILIES and caller != "admin":
        return FORBIDDEN
    return None if DUTIES[str(endpoint)].by_record or suffices(caller, endpoint) else INSUFFICIENT


def suffices(caller: str, endpoint: Endpoint) -> bool:
    """Whether the caller's role is the one that the endpoint asks for, or above."""
    return CALLERS.index(caller) >= CALLERS.index(DUTIES[str(endpoint)].least)
