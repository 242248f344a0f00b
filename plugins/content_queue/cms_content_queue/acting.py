"""In whose name an item becomes a post."""

from cms_content_queue.service import QueueService
from cms_host.api import CommandError, Host, Principal, Role, UnitOfWork
from cms_users.api import Actors


async def acting_unit(host: Host, item_id: int, username: str | None) -> UnitOfWork:
    """A unit of work of the account that will own the post: the one that is named, or else the one that the file names
    as its author, or else the only administrator.

    To approve is an editor's act, whoever wrote the article: so categories may be made and pages written.

    :raises CommandError: none of these may write posts. :raises NotFound: there is no such item.
    :raises Decided: it does not wait any more.
    """
    unit = host.unit()
    item = await unit.get(QueueService).read(item_id)
    writer = await _named(unit, username) if username else await _author(unit, item.author)
    return UnitOfWork(host, host.db, writer._replace(role=max(writer.role, Role.EDITOR)))


async def _named(unit: UnitOfWork, username: str) -> Principal:
    found = await unit.get(Actors).called(username)
    if found is None:
        raise CommandError(f"There is no active account called {username!r}")
    if found.role < Role.AUTHOR:
        raise CommandError(f"{found.username} is {found.role.label} and writes no posts")
    return found


async def _author(unit: UnitOfWork, author: str) -> Principal:
    actors = unit.get(Actors)
    found = await actors.called(author) if author else None
    if found is None or found.role < Role.AUTHOR:
        found = await actors.only_administrator()
    if found is None:
        said = f"there is no account called {author!r} that writes posts" if author else "it names no author"
        raise CommandError(f"{said}, and there is not just one administrator: say whose it is by --as USER")
    return found
