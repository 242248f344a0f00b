"""What may happen to a post, and the one door to `published`."""

from dataclasses import replace
from typing import Any, NamedTuple, cast

from cms_host.api import Candidate, Conflict, InsufficientRole, NotFound, NotYours, Refused, Report, Role, UnitOfWork
from cms_posts import listing, relations, search, store
from cms_posts.candidate import is_same_content, make_candidate
from cms_posts.filing import file_under
from cms_posts.naming import take_slug
from cms_posts.outline import Outline, excerpt
from cms_posts.passwords import Doorkeeper
from cms_posts.plan import PUBLISH_LOCK, Plan
from cms_posts.post import DRAFT, PRIVATE, PROTECTED, PUBLISHED, TRASH, Facing, Post, facing_of
from cms_posts.relations import Relations
from cms_posts.revisions import keep_revision
from cms_posts.seo_store import save_seo


class Written(NamedTuple):
    """A post as it was saved, and what its writer should know."""

    post: Post
    warnings: list[dict[str, Any]]


class PostService:
    """Posts, as the unit of work's caller may see and change them."""

    def __init__(self, unit: UnitOfWork) -> None:
        self._unit = unit
        self._host = unit.host

    async def read(self, post_id: int) -> Post:
        """:raises NotFound: there is none, or the caller may not see it."""
        post = await store.find(self._unit.db, post_id)
        if post is None or not self._may_see(post):
            raise NotFound
        return post

    async def opened(self, post: Post, password: str | None) -> Post:
        """The post as the caller may read it: without its text, where a password guards that and this is not it.

        :raises Busy: nobody has time to look at the password.
        """
        closed = self._closed(post)
        if closed is post:
            return post
        doorkeeper, workers = self._host.one(Doorkeeper), self._host.workers
        if password and post.password_hash and await doorkeeper.opens(workers, password, post.password_hash):
            return post
        return closed

    async def page(self, wanted: listing.Wanted) -> listing.Found:
        """One page of what the caller may see, without the text of what a password guards."""
        principal = self._unit.principal
        viewer: listing.Viewer = "reader"
        if principal.role >= Role.AUTHOR:
            viewer = "editor" if principal.is_editor else "author"
        return await listing.find_page(self._unit.db, wanted, viewer, principal.user_id)

    async def editable(self, post_id: int) -> Post:
        """A post that the caller may change.

        :raises NotFound: there is none to see. :raises NotYours: it belongs to another.
        :raises InsufficientRole: the caller changes no posts at all, or no pages.
        """
        post = await self.read(post_id)
        self._check_owner(post)
        return post

    async def prepare(self, plan: Plan) -> Plan:
        """The plan with what the gate's rules want to have ready, made before the transaction begins.

        The candidate is what the post is about to be as far as can be told by now; `carry_out` tells whether it
        came out otherwise, and then the rules prepare again.
        """
        if plan.lock != PUBLISH_LOCK or not self._host.gate.prepares:
            return plan
        before = self._blank() if plan.post_id is None else await self.read(plan.post_id)
        outline = plan.outline or await store.find_outline(self._unit.db, before.id)
        candidate = make_candidate(_planned(plan, before, outline), outline, plan.trigger)
        prepared = await self._host.gate.prepare(candidate)
        return replace(plan, prepared=prepared, prepared_for=candidate)

    async def carry_out(self, plan: Plan) -> Written:
        """Write what was planned, inside this unit's transaction: the only way that a post is saved.

        :raises Refused: the result would be published and the gate said no; the transaction must end unwritten.
        :raises Conflict: the post changed meanwhile in a way that the plan did not foresee.
        """
        before = await self._current(plan.post_id)
        _check_expected(before, plan.expected)
        had = await relations.hold(self._unit.tx, before.id) if before.id else relations.NONE
        has, unknown = await file_under(self._unit, plan, had)
        after, outline = await self._applied(plan, before)
        after = self._stamped(plan, before, had, after, has)
        warnings = [*plan.warnings, *unknown]
        if after.status == PUBLISHED:
            if plan.lock != PUBLISH_LOCK:
                raise Conflict("The post was published meanwhile; try again")
            outline = outline or await store.find_outline(self._unit.db, after.id)
            report = await self._pass_gate(plan, make_candidate(after, outline, plan.trigger))
            warnings += [verdict.detailed() for verdict in report.warnings]
            after = after._replace(
                approved_hash=after.content_hash, published_at=after.published_at or after.updated_at
            )
        described_anew = before.id and await save_seo(self._unit.tx, before.id, plan.seo)
        if before.id and not described_anew and has == had and after._replace(updated_at=before.updated_at) == before:
            return Written(before, warnings)
        saved = await self._save(before, after, plan.outline)
        await self._save_beside(plan, before, had, saved, has)
        return Written(saved, warnings)

    async def check(self, post: Post) -> Report:
        """What the gate would say if this post were published as it is; writes nothing."""
        outline = await store.find_outline(self._unit.db, post.id)
        return await self._host.gate.run(make_candidate(post, outline, "check"), self._unit.db)

    async def check_plan(self, plan: Plan) -> Report:
        """What the gate would say of a new post; writes nothing."""
        planned = _planned(plan, self._blank(), plan.outline)
        stamped = self._stamped(plan, self._blank(), relations.NONE, planned, relations.NONE)
        outline = cast("Outline", plan.outline)
        return await self._host.gate.run(make_candidate(stamped, outline, "check"), self._unit.db)

    async def delete(self, post_id: int, *, force: bool, expected: int | None = None) -> None:
        """To the trash, or for good.

        :param expected: the `content_modified_at` that the caller has seen. :raises Conflict: it is another by now.
        """
        before = await self._current(post_id)
        _check_expected(before, expected)
        had = await relations.hold(self._unit.tx, post_id)
        if force:
            await relations.remove(self._unit.tx, before, had)
            await search.unindex_post(self._unit.tx, post_id)
            await store.remove(self._unit.tx, before)
        elif before.status != TRASH:
            after = before._replace(status=TRASH, updated_at=self._host.clock.now())
            await store.save(self._unit.tx, before, after)
            await relations.change(self._unit.tx, before, had, after, had)

    async def _current(self, post_id: int | None) -> Post:
        if post_id is None:
            return self._blank()
        post = await store.find_for_update(self._unit.tx, post_id)
        if post is None:
            raise NotFound
        self._check_owner(post)
        return post

    def _blank(self) -> Post:
        principal, now = self._unit.principal, self._host.clock.now()
        return Post(
            id=0, type="post", status=DRAFT, visibility="public", author_id=principal.user_id, title="", slug="",
            excerpt="", featured_image="", comment_status="open", is_featured=False, reading_time=1, view_count=0,
            ymyl=False, sources=[], ai_disclosure=None, original_notes=None, scheduled_at=None, published_at=None,
            created_at=now, updated_at=now, content_modified_at=now, content_hash="", reviewed_at=None,
            reviewed_by=None, reviewed_hash=None, approved_hash=None, password_hash=None, content="",
            author_name=principal.name,
        )  # fmt: skip

    async def _applied(self, plan: Plan, before: Post) -> tuple[Post, Outline | None]:
        """The post as it would be, and its outline where that had to be known."""
        now = self._host.clock.now()
        outline = plan.outline
        if not plan.changes.get("excerpt", before.excerpt):
            outline = outline or await store.find_outline(self._unit.db, before.id)
        after = _planned(plan, before, outline)._replace(updated_at=now)
        return await take_slug(self._unit.tx, before, after, plan.slug), outline

    def _stamped(self, plan: Plan, before: Post, had: Relations, after: Post, has: Relations) -> Post:
        """With the marks of what changed for readers, and of the review that was asked for."""
        after = _modified(before, had, after, has)
        if not plan.reviewed:
            return after
        reviewer = self._unit.principal.user_id
        return after._replace(reviewed_at=after.updated_at, reviewed_by=reviewer, reviewed_hash=after.content_hash)

    async def _pass_gate(self, plan: Plan, candidate: Candidate) -> Report:
        foreseen = plan.prepared_for is not None and is_same_content(plan.prepared_for, candidate)
        report = await self._host.gate.run(candidate, self._unit.db, plan.prepared if foreseen else None)
        if not report.passes:
            raise Refused([verdict.shown() for verdict in report.blocks])
        return report

    async def _save(self, before: Post, after: Post, outline: Outline | None) -> Post:
        tx = self._unit.tx
        if before.id:
            await store.save(tx, before, after)
        else:
            after = after._replace(id=await store.add(tx, after))
        if outline is not None:
            await store.save_outline(tx, after.id, outline)
        if outline is not None or after.title != before.title:
            said = outline or await store.find_outline(tx, after.id)
            await search.index_post(tx, after, said.text)
        if after.author_id != before.author_id:
            return await store.find(tx, after.id) or after
        return after

    async def _save_beside(self, plan: Plan, before: Post, had: Relations, after: Post, has: Relations) -> None:
        if before.id:
            await relations.change(self._unit.tx, before, had, after, has)
            await keep_revision(self._unit, before.id, _facing(before, had), _facing(after, has))
        else:
            await relations.add(self._unit.tx, after, has)
            await save_seo(self._unit.tx, after.id, plan.seo)

    def _may_see(self, post: Post) -> bool:
        return self._is_privileged(post) or (post.status == PUBLISHED and post.visibility != PRIVATE)

    def _closed(self, post: Post) -> Post:
        """The post as it is shown without its password."""
        if post.visibility != PROTECTED or self._is_privileged(post):
            return post
        return post._replace(content="", excerpt="")

    def _is_privileged(self, post: Post) -> bool:
        principal = self._unit.principal
        return principal.is_editor or (principal.role >= Role.AUTHOR and post.author_id == principal.user_id)

    def _check_owner(self, post: Post) -> None:
        principal = self._unit.principal
        if principal.role < Role.AUTHOR or (post.type == "page" and not principal.is_editor):
            raise InsufficientRole
        if not self._is_privileged(post):
            raise NotYours


def _check_expected(post: Post, expected: int | None) -> None:
    if expected not in (None, post.content_modified_at):
        raise Conflict("The content was changed meanwhile; read the post again")


def _planned(plan: Plan, before: Post, outline: Outline | None) -> Post:
    """The post with the planned changes; an excerpt that is left empty follows the content."""
    after = before._replace(**plan.changes)
    return after if after.excerpt or outline is None else after._replace(excerpt=excerpt(outline.text))


def _modified(before: Post, had: Relations, after: Post, has: Relations) -> Post:
    """With the hash of what readers see; `content_modified_at` strictly grows, and only when that changes."""
    facing = _facing(after, has)
    if before.id and facing == _facing(before, had):
        return after
    now = after.updated_at
    modified = max(now, before.content_modified_at + 1) if before.id else now
    return after._replace(content_hash=facing.digest, content_modified_at=modified)


def _facing(post: Post, under: Relations) -> Facing:
    return facing_of(post, under.categories, under.tags)
