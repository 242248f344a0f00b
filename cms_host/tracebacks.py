"""Tracebacks for the log: where it happened, and what, without the values that a database quotes."""

import traceback
from collections.abc import Iterator

from cms_host.redaction import describe

_CAUSED = "The above exception was the direct cause of the following exception:"
_MEANWHILE = "During handling of the above exception, another exception occurred:"


def format_error(error: BaseException) -> str:
    """The exception with its traceback, below those that led to it."""
    return "\n".join(_parts(error, set()))


def _parts(error: BaseException, seen: set[int]) -> Iterator[str]:
    seen.add(id(error))
    earlier, link = _before(error)
    if earlier is not None and id(earlier) not in seen:
        yield from _parts(earlier, seen)
        yield f"\n{link}\n"
    if error.__traceback__ is not None:
        yield "Traceback (most recent call last):"
        yield "".join(traceback.format_tb(error.__traceback__)).rstrip("\n")
    yield describe(error)
    if isinstance(error, BaseExceptionGroup):
        for number, each in enumerate(error.exceptions, 1):
            yield f"\nException {number} of the group:"
            yield from _parts(each, seen)


def _before(error: BaseException) -> tuple[BaseException | None, str]:
    if error.__cause__ is not None:
        return error.__cause__, _CAUSED
    return (None, "") if error.__suppress_context__ else (error.__context__, _MEANWHILE)
