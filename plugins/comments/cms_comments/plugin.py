"""Comments: what this package gives to the host."""

from collections.abc import Mapping, Sequence
from typing import Any

from cms_comments import figures, handlers
from cms_comments.events import CommentCreated
from cms_comments.retention import EMPTY_TRASH
from cms_comments.service import CommentService
from cms_comments.settings import AUTO_APPROVE, TRASH_DAYS
from cms_host.api import Event, Host, Job, Role, Route, Setting, StatSource, hookimpl


@hookimpl
def cms_routes(host: Host) -> Sequence[Route]:
    """The endpoints under /comments."""
    return [
        Route("GET", "/comments", handlers.list_comments, Role.SUBSCRIBER),
        Route("POST", "/comments", handlers.create_comment, Role.EDITOR),
        Route("GET", "/comments/{id}", handlers.read_comment, Role.SUBSCRIBER),
        Route("PUT PATCH", "/comments/{id}", handlers.update_comment, Role.EDITOR),
        Route("DELETE", "/comments/{id}", handlers.delete_comment, Role.EDITOR),
    ]


@hookimpl
def cms_services(host: Host) -> Mapping[type[Any], Any]:
    """What the endpoints and the job ask."""
    return {CommentService: CommentService}


@hookimpl
def cms_event_kinds() -> Sequence[type[Event]]:
    """What receivers are told of comments."""
    return [CommentCreated]


@hookimpl
def cms_settings() -> Sequence[Setting[Any]]:
    """Whether new ones are approved, and how long what was thrown away is kept."""
    return [AUTO_APPROVE, TRASH_DAYS]


@hookimpl
def cms_stats(host: Host) -> Sequence[StatSource]:
    """Comments by status."""
    return [figures.SOURCE]


@hookimpl
def cms_jobs(host: Host) -> Sequence[Job]:
    """Deletes what has been thrown away for long enough."""
    return [EMPTY_TRASH]
