"""The sockets that `serve` listens on."""

import errno
import socket
from collections.abc import Sequence

from cms_host.commands import CommandError

#: Seconds that data may wait for a client who takes none of it, before the kernel ends the connection.
UNTAKEN = 60
#: A name may stand for addresses that this machine lacks (`localhost` for ::1); the others will do.
_ABSENT = (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT)


def bind(host: str, port: int, *, shared: bool = False) -> list[socket.socket]:
    """Bound sockets, one for each address of the host, not listening yet.

    :param port: 0 takes a free one.
    :param shared: other processes of this user may bind to the same port (SO_REUSEPORT).
    :raises CommandError: no such host, or the address can't be had.
    """
    try:
        found = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except socket.gaierror as error:
        raise CommandError(f"Can't listen on {host}: {error.strerror}") from error
    sockets: list[socket.socket] = []
    errors: list[OSError] = []
    for family, _, _, _, address in dict.fromkeys(found):
        # Where the kernel chose the port of the first address, the others take the same.
        chosen = sockets[0].getsockname()[1] if sockets else port
        try:
            sockets.append(_bind(family, (str(address[0]), chosen, *address[2:]), shared))
        except OSError as error:
            errors.append(error)
    refusals = [error for error in errors if error.errno not in _ABSENT]
    if refusals or not sockets:
        close(sockets)
        raise CommandError(f"Can't listen on {host}:{port}: {_why((refusals or errors)[0])}")
    return sockets


def reserve(host: str, port: int) -> list[socket.socket]:
    """Sockets that keep a port for processes that will share it, and take no connection themselves.

    :raises CommandError: no such host, or the address can't be had.
    """
    # Sharing would succeed beside another service of the same user that shares, so ask for it alone at first.
    alone = bind(host, port)
    chosen = alone[0].getsockname()[1]
    close(alone)
    return bind(host, chosen, shared=True)


def close(sockets: Sequence[socket.socket]) -> None:
    """Let them go."""
    for each in sockets:
        each.close()


def url(sockets: Sequence[socket.socket]) -> str:
    """The address to try from this machine, without a slash at the end."""
    host, port = sockets[0].getsockname()[:2]
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 - compared, not bound to.
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _bind(family: int, address: tuple[str | int, ...], shared: bool) -> socket.socket:
    made = socket.socket(family, socket.SOCK_STREAM)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if shared:
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        if family == socket.AF_INET6:
            made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            # Accepted connections inherit it.
            made.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNTAKEN * 1000)
        made.bind(address)
    except OSError:
        made.close()
        raise
    return made


def _why(error: OSError) -> str:
    reasons = {
        errno.EADDRINUSE: "another program listens there; choose another with --port",
        errno.EACCES: "that needs more rights; ports below 1024 belong to the system",
        errno.EADDRNOTAVAIL: "this machine has no such address",
    }
    return reasons.get(error.errno or 0, error.strerror or str(error))
