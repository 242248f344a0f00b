"""The heap of a test process as `serve` has it."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def as_served() -> Iterator[None]:
    """The collector goes over what is made from now on, and not over all of pytest, as `serve` sees to at its start."""
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
