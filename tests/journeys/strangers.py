"""Sinks as strangers write them when they are not careful."""

#: Fails whenever it is asked to deliver.
RAISING = """\
from cms_host.api import hookimpl


class Raising:
    name = "acme.raising"

    async def deliver(self, unit, delivery):
        raise RuntimeError("the stranger's sink is broken")


@hookimpl
def cms_event_sinks(host):
    return [Raising()]
"""
#: Never comes back; `hanging.txt` in the data folder says how far it got.
HANGING = """\
import asyncio

from cms_host.api import hookimpl


class Hanging:
    name = "acme.hanging"

    def __init__(self, file):
        self._file = file

    async def deliver(self, unit, delivery):
        self._file.write_text("begun")
        try:
            await asyncio.Event().wait()
        finally:
            self._file.write_text("ended")


@hookimpl
def cms_event_sinks(host):
    return [Hanging(host.data_dir / "hanging.txt")]
"""
#: Never says whom it wants told.
UNDECIDED = """\
import asyncio

from cms_host.api import Result, hookimpl


class Undecided:
    name = "acme.undecided"

    async def targets(self, unit, event):
        await asyncio.Event().wait()

    async def deliver(self, unit, delivery):
        return Result(ok=True)


@hookimpl
def cms_event_sinks(host):
    return [Undecided()]
"""
