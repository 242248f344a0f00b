"""What may happen to a post: every way to read and to write one begins here."""

from typing import Any, NamedTuple, cast

from cms_host.api import Conflict, NotFound, Report, UnitOfWork
from cms_posts import listing, publishing, relations, saving, store
from cms_posts.due import check_due, check_expired
from cms_posts.filing import file_under
from cms_posts.naming import take_slug
from cms_posts.outcome import State, blank, planned, stamped
from cms_posts.outline import Outline, outline_of
from cms_posts.passwords import Doorkeeper
from cms_posts.plan import DELETE, PUBLISH_LOCK, Plan
from cms_posts.post import PUBLISHED, TRASH, Post
from cms_posts.seo_store import save_seo
from cms_posts.sight import check_may_change, closed, may_see
from cms_posts.visible import viewer_of


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
        if post is None or not may_see(self._unit.principal, post):
            raise NotFound
        return post

    async def opened(self, post: Post, password: str | None) -> Post:
        """The post as the caller may read it: without its text, where a password guards that and this is not it.

        :raises Busy: nobody has time to look at the password.
        """
        shown = closed(self._unit.principal, post)
        if shown is post:
            return post
        doorkeeper, workers = self._host.one(Doorkeeper), self._host.workers
        if password and post.password_hash and await doorkeeper.opens(workers, password, post.password_hash):
            return post
        return shown

    async def page(self, wanted: listing.Wanted) -> listing.Found:
        """One page of what the caller may see, without the text of what a password guards."""
        principal = self._unit.principal
        return await listing.find_page(self._unit.db, wanted, viewer_of(principal), principal.user_id)

    async def editable(self, post_id: int) -> Post:
        """A post that the caller may change.

        :raises NotFound: there is none to see. :raises NotYours: it belongs to another.
        :raises InsufficientRole: the caller changes no posts at all, or no pages.
        """
        post = await self.read(post_id)
        check_may_change(self._unit.principal, post)
        return post

    async def prepare(self, plan: Plan, before: Post | None = None) -> Plan:
        """The plan with all that can be made ready before the transaction begins.

        :param before: the post as it was read for the plan; None for a new one, and for one that is due.
        :raises NotDue: the post is not scheduled for that moment any more. :raises NotFound: it is gone.
        """
        if not publishing.wants_preparation(self._unit, plan):
            return plan
        if before is None:
            before = blank(self._unit) if plan.post_id is None else await self._due(plan.post_id, plan.due)
        return await publishing.prepare(self._unit, plan, before)

    async def carry_out(self, plan: Plan) -> Written:
        """Write what was planned, inside this unit's transaction: the only way that a post is saved.

        :raises Refused: the result would be published and the gate said no; the transaction must end unwritten.
        :raises Conflict: the post changed meanwhile in a way that the plan did not foresee.
        :raises NotDue: the plan is the scheduler's, and the post is not scheduled for that moment any more.
        """
        before, outline = await self._before(plan)
        filed, unknown = await file_under(self._unit, plan, before.filed)
        post, outline = await self._applied(plan, before.post, outline)
        after = stamped(self._unit, plan, before, State(post, filed))
        warnings, report = [*plan.warnings, *unknown], None
        if post.status == PUBLISHED:
            outline = outline or await store.find_outline(self._unit.db, post.id)
            post, report = await publishing.pass_gate(self._unit, plan, before.post, after.post, outline)
            after = State(post, filed)
            warnings += [verdict.detailed() for verdict in report.warnings]
        saved = await self._saved(plan, before, after, outline)
        if report is not None:
            await publishing.keep_passed(self._unit, plan, saved.id, report)
        return Written(saved, warnings)

    async def check(self, post: Post) -> Report:
        """What the gate would say if this post were published as it is; writes nothing."""
        outline = await store.find_outline(self._unit.db, post.id)
        return await publishing.check(self._unit, post, post, outline)

    async def check_plan(self, plan: Plan) -> Report:
        """What the gate would say of a new post; writes nothing."""
        before, outline = State(blank(self._unit)), cast("Outline", plan.outline)
        after = stamped(self._unit, plan, before, State(planned(plan, before.post, outline)))
        return await publishing.check(self._unit, before.post, after.post, outline)

    async def delete(
        self, post_id: int, *, force: bool, expected: int | None = None, trashed_before: int | None = None
    ) -> None:
        """To the trash, or for good.

        :param expected: the `content_modified_at` that the caller has seen. :raises Conflict: it is another by now.
        :param trashed_before: whoever asks, but only if it has been in the trash since then.
        :raises NotExpired: it has not.
        """
        plan = Plan(post_id, None, DELETE, {"status": TRASH}, expected=expected, trashed_before=trashed_before)
        before, _ = await self._before(plan)
        if force:
            await saving.remove(self._unit, before)
        elif before.post.status != TRASH:
            trashed = before.post._replace(status=TRASH, updated_at=self._host.clock.now())
            await saving.save(self._unit, plan, before, before._replace(post=trashed), None)

    async def _due(self, post_id: int, due: int | None) -> Post:
        post = await store.find(self._unit.db, post_id)
        if post is None:
            raise NotFound
        check_due(post, due)
        return post

    async def _before(self, plan: Plan) -> tuple[State, Outline | None]:
        """What the plan changes, which nobody else can change until the transaction ends; and the outline to be.

        That is the stored one where the plan brings none; it is only read for the gate, which asks for it anyway.
        """
        if plan.post_id is None:
            return State(blank(self._unit)), plan.outline
        tx, post_id = self._unit.tx, plan.post_id
        stored = [] if plan.outline or plan.lock != PUBLISH_LOCK else [store.to_outline(post_id)]
        found, filed, *outlines = await tx.several(store.to_update(post_id), relations.to_find(post_id), *stored)
        if not found:
            raise NotFound
        post: Post = found[0]
        self._check(plan, post)
        if plan.expected not in (None, post.content_modified_at):
            raise Conflict("The content was changed meanwhile; read the post again")
        outline = outline_of(*outlines[0][0]) if outlines else plan.outline
        return State(post, await relations.hold(tx, post.id, relations.filed(filed))), outline

    def _check(self, plan: Plan, post: Post) -> None:
        """Whether the caller may do this to the post, or the job that acts for nobody still has to."""
        if plan.due is not None:
            check_due(post, plan.due)
        elif plan.trashed_before is not None:
            check_expired(post, plan.trashed_before)
        else:
            check_may_change(self._unit.principal, post)

    async def _applied(self, plan: Plan, before: Post, outline: Outline | None) -> tuple[Post, Outline | None]:
        """The post as it would be, and its outline where that had to be known."""
        if not plan.changes.get("excerpt", before.excerpt):
            outline = outline or await store.find_outline(self._unit.db, before.id)
        after = planned(plan, before, outline)._replace(updated_at=self._host.clock.now())
        return await take_slug(self._unit.tx, before, after, plan.slug), outline

    async def _saved(self, plan: Plan, before: State, after: State, outline: Outline | None) -> Post:
        """What is stored in the end; a write that changes nothing stores nothing."""
        if not before.post.id:
            return await saving.save_new(self._unit, plan, after, cast("Outline", outline))
        described_anew = await save_seo(self._unit.tx, before.post.id, plan.seo)
        unmoved = after.post._replace(updated_at=before.post.updated_at)
        if not described_anew and before == State(unmoved, after.filed):
            return before.post
        return await saving.save(self._unit, plan, before, after, outline)
