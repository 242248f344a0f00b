"""What neighbours get of posts and of their sanitiser."""

from cms_host.api import FieldError, FieldErrors, NotFound, UnitOfWork
from cms_posts import store
from cms_posts.api import CleanComment, SeenPost
from cms_posts.guards import ContentTooComplex, check_content
from cms_posts.process import process_comment
from cms_posts.service import PostService
from cms_posts.warnings import sanitized


class LentPosts:
    """Provides `Posts`."""

    def __init__(self, unit: UnitOfWork) -> None:
        self._unit = unit

    async def seen(self, post_id: int, password: str | None = None) -> SeenPost | None:
        posts = self._unit.get(PostService)
        try:
            post = await posts.read(post_id)
        except NotFound:
            return None
        is_open = await posts.opened(post, password) is post
        return SeenPost(post.id, post.status, post.comment_status, is_open)

    async def hold(self, post_id: int) -> bool:
        return await store.hold(self._unit.tx, post_id)


class LentSanitizer:
    """Provides `Sanitizer`."""

    def __init__(self, unit: UnitOfWork) -> None:
        self._workers = unit.host.workers

    async def comment(self, source: str) -> CleanComment:
        try:
            check_content(source)
            processed = await self._workers.run(process_comment, source)
        except ContentTooComplex as error:
            raise FieldErrors([FieldError("content", str(error))], 422) from error
        return CleanComment(processed.html, processed.text, sanitized(processed.removed))
