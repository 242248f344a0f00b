"""Posts: what this package gives to the host."""

from collections.abc import Mapping, Sequence
from typing import Any

import click

from cms_categories.api import Shelves
from cms_host.api import HealthCheck, Host, Job, Role, Route, Setting, StoredIndex, hookimpl
from cms_media.api import MediaUse
from cms_posts import handlers, schedule_health, scheduler
from cms_posts.addresses import PERMALINK
from cms_posts.commands import demo, gate
from cms_posts.gate_reports import FORGET_COUNTS
from cms_posts.indexes import stored_indexes
from cms_posts.process import WARM_UP
from cms_posts.service import PostService
from cms_posts.settings import EMBED_HOSTS, MAX_CONTENT_BYTES, REVISIONS_KEPT
from cms_posts.shelves import PostShelves
from cms_posts.used_media import PostsUsingMedia
from cms_tags.api import Tagged


@hookimpl
def cms_routes(host: Host) -> Sequence[Route]:
    """The endpoints under /posts."""
    return [
        Route("GET", "/posts", handlers.list_posts, Role.SUBSCRIBER),
        Route("POST", "/posts", handlers.create_post, Role.AUTHOR),
        Route("GET", "/posts/{id}", handlers.read_post, Role.SUBSCRIBER),
        Route("PUT PATCH", "/posts/{id}", handlers.update_post, Role.AUTHOR),
        Route("DELETE", "/posts/{id}", handlers.delete_post, Role.AUTHOR),
        Route("POST", "/posts/{id}/publish", handlers.publish_post, Role.AUTHOR),
        Route("GET", "/posts/{id}/revisions", handlers.list_revisions, Role.SUBSCRIBER),
        Route("POST", "/posts/{id}/revisions/{revision_id}/restore", handlers.restore_revision, Role.AUTHOR),
        Route("POST", "/posts/{id}/schedule", handlers.schedule_post, Role.AUTHOR),
        Route("POST", "/posts/{id}/review", handlers.review_post, Role.EDITOR),
        Route("POST", "/posts/{id}/check", handlers.check_post, Role.AUTHOR),
        Route("GET", "/posts/{id}/gate", handlers.read_gate_report, Role.SUBSCRIBER),
        Route("POST", "/posts/check", handlers.check_new_post, Role.AUTHOR),
        Route("PUT PATCH DELETE", "/posts", handlers.refuse_missing_id, Role.AUTHOR),
        Route("GET", "/posts//revisions", handlers.refuse_missing_id, Role.SUBSCRIBER),
        Route("POST", "/posts//publish", handlers.refuse_missing_id, Role.AUTHOR),
        Route("POST", "/posts//schedule", handlers.refuse_missing_id, Role.AUTHOR),
    ]


@hookimpl
def cms_commands() -> Sequence[click.Command]:
    """`cms-host demo` and `cms-host gate`."""
    return [demo, gate]


@hookimpl
def cms_services(host: Host) -> Mapping[type[Any], Any]:
    """The service that handlers and neighbours ask for. Its parsers are imported by the workers, before their jobs."""
    host.workers.warm_up(*WARM_UP)
    return {PostService: PostService, Shelves: PostShelves, Tagged: PostShelves, MediaUse: PostsUsingMedia}


@hookimpl
def cms_jobs(host: Host) -> Sequence[Job]:
    """What is due is published; what came of it is forgotten a day later, and old counts of the gate's refusals."""
    return [scheduler.PUBLISH, scheduler.FORGET, FORGET_COUNTS]


@hookimpl
def cms_health_checks(host: Host) -> Sequence[HealthCheck]:
    """Whether scheduled posts come out in time."""
    return [schedule_health.CHECK]


@hookimpl
def cms_settings() -> Sequence[Setting[Any]]:
    """Limits, the frames that may stay, and where posts are found."""
    return [MAX_CONTENT_BYTES, EMBED_HOSTS, REVISIONS_KEPT, PERMALINK]


@hookimpl
def cms_indexes(host: Host) -> Sequence[StoredIndex]:
    """Outlines, stored files that posts show, slugs, kept numbers, what links repeat of posts, and full text."""
    return stored_indexes(host.config.base_url)
