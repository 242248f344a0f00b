"""Posts: what this package gives to the host."""

from collections.abc import Mapping, Sequence
from typing import Any

import click

from cms_categories.api import Shelves
from cms_host.api import (
    Event,
    HealthCheck,
    Host,
    Job,
    Role,
    Route,
    SearchSource,
    Setting,
    SitemapSource,
    StatSource,
    StoredIndex,
    hookimpl,
)
from cms_media.api import MediaUse
from cms_posts import figures, handlers, schedule_health, scheduler
from cms_posts.addresses import PERMALINK
from cms_posts.api import Posts, Sanitizer, Submissions
from cms_posts.commands import demo, gate
from cms_posts.events import PostDeleted, PostPublished, PostUpdated
from cms_posts.gate_reports import FORGET_COUNTS
from cms_posts.indexes import stored_indexes
from cms_posts.lending import LentPosts, LentSanitizer
from cms_posts.ownership import PostOwnership
from cms_posts.process import WARM_UP
from cms_posts.search_source import PostSearch
from cms_posts.service import PostService
from cms_posts.settings import EMBED_HOSTS, MAX_CONTENT_BYTES, REVISIONS_KEPT, TRASH_DAYS
from cms_posts.shelves import PostShelves
from cms_posts.sitemap_source import PostSitemap
from cms_posts.submissions import LentSubmissions
from cms_posts.trash import EMPTY_TRASH
from cms_posts.used_media import PostsUsingMedia
from cms_posts.views import PostViews
from cms_stats.api import ViewCounters
from cms_tags.api import Tagged
from cms_users.api import Ownership


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
    return {
        PostService: PostService,
        Shelves: PostShelves,
        Tagged: PostShelves,
        ViewCounters: PostViews,
        Ownership: PostOwnership,
        MediaUse: PostsUsingMedia,
        Posts: LentPosts,
        Sanitizer: LentSanitizer,
        Submissions: LentSubmissions,
    }


@hookimpl
def cms_event_kinds() -> Sequence[type[Event]]:
    """What receivers are told of posts."""
    return [PostPublished, PostUpdated, PostDeleted]


@hookimpl
def cms_jobs(host: Host) -> Sequence[Job]:
    """What is due is published; what came of it is forgotten a day later. Old counts of the gate's refusals, and what
    has been in the trash for long enough, are deleted.
    """
    return [scheduler.PUBLISH, scheduler.FORGET, FORGET_COUNTS, EMPTY_TRASH]


@hookimpl
def cms_health_checks(host: Host) -> Sequence[HealthCheck]:
    """Whether scheduled posts come out in time."""
    return [schedule_health.CHECK]


@hookimpl
def cms_stats(host: Host) -> Sequence[StatSource]:
    """Posts and pages by status, and what the gate refused."""
    return figures.SOURCES


@hookimpl
def cms_settings() -> Sequence[Setting[Any]]:
    """Limits, the frames that may stay, what is kept, and where posts are found."""
    return [MAX_CONTENT_BYTES, EMBED_HOSTS, REVISIONS_KEPT, TRASH_DAYS, PERMALINK]


@hookimpl
def cms_indexes(host: Host) -> Sequence[StoredIndex]:
    """Outlines, stored files that posts show, slugs, kept numbers, what links repeat, full text, words to robots."""
    return stored_indexes(host.config.base_url)


@hookimpl
def cms_search_sources(host: Host) -> Sequence[SearchSource]:
    """Published posts and pages that are open to everybody."""
    return [PostSearch(host)]


@hookimpl
def cms_sitemap_sources(host: Host) -> Sequence[SitemapSource]:
    """The same, without what robots are to leave alone."""
    return [PostSitemap(host)]
