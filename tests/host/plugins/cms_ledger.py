"""A family that enters notes, and whose entering the tests can hold up, break and count."""

import asyncio
from itertools import count

from cms_host.api import Role, Route, Setting, hookimpl, json_object, ok, unit_of

NOTE = Setting("ledger.note", "", "The last note.")


class Desk:
    """One host's desk: what the tests change about it, and what they wait for."""

    def __init__(self):
        self.numbers = count(1)
        self.arrived = asyncio.Event()
        self.entered = asyncio.Event()
        self.door = asyncio.Event()
        self.door.set()
        self.fails = False

    async def enter(self, write, note):
        """Writes inside the transaction, and answers otherwise each time."""
        await write.host.settings.store(write.tx, {NOTE.key: note}, write.host.clock.now())
        self.entered.set()
        await self.door.wait()
        if self.fails:
            raise RuntimeError("the ink is dry")
        return {"note": note, "number": next(self.numbers)}


async def enter(request):
    unit = unit_of(request)
    unit.host.one(Desk).arrived.set()
    asked = await json_object(request)
    async with unit.write() as write:
        return write.answer(await unit.host.one(Desk).enter(write, asked.get("note", "")), 201)


async def enter_without_reading(request):
    unit = unit_of(request)
    unit.host.one(Desk).arrived.set()
    async with unit.write() as write:
        return write.answer(await unit.host.one(Desk).enter(write, "unread"), 202)


async def answer_late(request):
    unit = unit_of(request)
    async with unit.write() as write:
        entry = await unit.host.one(Desk).enter(write, "late")
    return ok(entry)


async def enter_in_three_steps(request):
    """Only the second step answers."""
    unit, desk = unit_of(request), unit_of(request).host.one(Desk)
    async with unit.write() as write:
        await desk.enter(write, "before")
    async with unit.write() as write:
        answer = write.answer(await desk.enter(write, "now"))
    async with unit.write() as write:
        await desk.enter(write, "after")
    return answer


async def answer_no_success(request):
    unit = unit_of(request)
    async with unit.write() as write:
        return write.answer(await unit.host.one(Desk).enter(write, "no success"), 303)


async def read_by_itself(request):
    unit, note = unit_of(request), await request.text()
    async with unit.write() as write:
        return write.answer(await unit.host.one(Desk).enter(write, note))


async def write_nothing(request):
    unit = unit_of(request)
    return unit.answer({"number": next(unit.host.one(Desk).numbers)})


@hookimpl
def cms_settings():
    return [NOTE]


@hookimpl
def cms_routes(host):
    return [
        Route("POST PUT", "/ledger", enter, Role.AUTHOR),
        Route("POST", "/ledger/unread", enter_without_reading, Role.AUTHOR),
        Route("POST", "/ledger/late", answer_late, Role.AUTHOR),
        Route("POST", "/ledger/steps", enter_in_three_steps, Role.AUTHOR),
        Route("POST", "/ledger/no-success", answer_no_success, Role.AUTHOR),
        Route("POST", "/ledger/itself", read_by_itself, Role.AUTHOR),
        Route("POST", "/ledger/nothing", write_nothing, Role.AUTHOR),
        Route("POST", "/ledger/books/{book}", enter, Role.AUTHOR),
        Route("POST", "/ledger/books/{book}/pages", enter, Role.AUTHOR),
    ]
