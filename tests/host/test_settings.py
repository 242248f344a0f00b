"""Run-time settings: what each takes, and that every host sees a change."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from cms_host.db import Database, make_database
from cms_host.moments import zone
from cms_host.settings import InvalidSetting, Setting, Settings
from cms_host.testing import dump, settings_with

MINIMUM = Setting("test.minimum", 1500, "A length.", minimum=0, maximum=10_000)
RATIO = Setting("test.ratio", 0.85, "A share.", minimum=0.75, maximum=1.0)
WORD = Setting("test.word", "", "A word.", minimum=3, maximum=5)
MODE = Setting("test.mode", "block", "A choice.", choices=("block", "warn"))
ON = Setting("test.on", False, "A switch.")
ZONE = Setting("test.zone", "UTC", "A zone.", check=zone)
HOSTS = Setting("test.hosts", ("a",), "Some names.")
DECLARED = [MINIMUM, RATIO, WORD, MODE, ON, ZONE, HOSTS]


@pytest.fixture
async def db(database_url: str) -> AsyncIterator[Database]:
    database = make_database(database_url)
    await database.open()
    yield database
    await database.close()


async def store(settings: Settings, db: Database, **changes: Any) -> None:
    async with db.transaction() as tx:
        await settings.store(tx, {f"test.{key}": value for key, value in changes.items()}, now=5)


@pytest.mark.parametrize(
    ("setting", "value", "parsed"),
    [
        (MINIMUM, 0, 0), (MINIMUM, 10_000, 10_000),
        (RATIO, 1, 1.0), (RATIO, 0.75, 0.75),
        (WORD, "", ""), (WORD, "abc", "abc"), (WORD, "ışığa", "ışığa"),
        (MODE, "warn", "warn"),
        (ON, True, True),
        (ZONE, "Europe/Istanbul", "Europe/Istanbul"),
        (HOSTS, [], ()), (HOSTS, ["b", "c"], ("b", "c")), (HOSTS, ("b",), ("b",)),
    ],
)  # fmt: skip
def test_a_setting_takes_what_fits(setting: Setting[Any], value: Any, parsed: Any) -> None:
    assert setting.parse(value) == parsed
    assert type(setting.parse(value)) is type(setting.default)


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        (MINIMUM, -1), (MINIMUM, 10_001), (MINIMUM, "5"), (MINIMUM, 5.0), (MINIMUM, True), (MINIMUM, None),
        (RATIO, 0.7499), (RATIO, 1.01), (RATIO, "0.8"), (RATIO, True), (RATIO, float("nan")),
        (WORD, "ab"), (WORD, "abcdef"), (WORD, 3), (WORD, None),
        (MODE, "off"), (MODE, ""),
        (ON, 1), (ON, "true"),
        (ZONE, "Europe/Nowhere"), (ZONE, "../etc/passwd"), (ZONE, ""), (ZONE, 3), (ZONE, "localtime"),
        (HOSTS, "a"), (HOSTS, [1]), (HOSTS, None), (HOSTS, {"a": 1}),
    ],
)  # fmt: skip
def test_a_setting_refuses_what_does_not_fit_by_its_name(setting: Setting[Any], value: Any) -> None:
    with pytest.raises(InvalidSetting, match=setting.key):
        setting.parse(value)


def test_types_are_told_in_the_words_of_json() -> None:
    assert [each.type for each in DECLARED] == ["integer", "number", "string", "string", "boolean", "string", "array"]


def test_a_setting_that_nobody_set_has_its_default() -> None:
    settings = settings_with(DECLARED)

    assert (settings[MINIMUM], settings[HOSTS]) == (1500, ("a",))


async def test_a_stored_value_holds_on_every_host(db: Database) -> None:
    here, there = Settings({"test": DECLARED}), Settings({"test": DECLARED})
    await there.refresh(db)

    await store(here, db, minimum=10, hosts=["x", "y"], ratio=1)
    for settings in (here, there):
        await settings.refresh(db)

        assert (settings[MINIMUM], settings[HOSTS], settings[RATIO]) == (10, ("x", "y"), 1.0)
        assert settings[MODE] == "block"


async def test_values_are_read_again_only_for_another_version(db: Database) -> None:
    settings = Settings({"test": DECLARED})
    await settings.refresh(db)
    await store(settings, db, minimum=10)

    await settings.refresh(db, version=0)
    assert settings[MINIMUM] == 1500
    await settings.refresh(db, version=1)
    assert settings[MINIMUM] == 10


async def test_a_value_is_replaced(db: Database) -> None:
    settings = Settings({"test": DECLARED})
    await store(settings, db, minimum=10)
    await store(settings, db, minimum=20)
    await settings.refresh(db)

    assert settings[MINIMUM] == 20


async def test_a_refused_change_writes_nothing(db: Database, database_url: str) -> None:
    before = dump(database_url)
    settings = Settings({"test": DECLARED})

    with pytest.raises(InvalidSetting):
        await store(settings, db, minimum=10, ratio=5)
    with pytest.raises(KeyError):
        await store(settings, db, minimum=10, unheard_of=5)

    assert dump(database_url) == before


async def test_a_stored_value_that_no_longer_fits_gives_way_to_the_default(db: Database) -> None:
    await store(Settings({"test": DECLARED}), db, minimum=10, mode="warn")
    narrowed = Settings({"test": [Setting("test.minimum", 200, "A length.", minimum=100), MODE]})
    await narrowed.refresh(db)

    assert narrowed[Setting("test.minimum", 200, "")] == 200
    assert narrowed[MODE] == "warn"


async def test_values_of_plugins_that_are_gone_are_kept_and_ignored(db: Database) -> None:
    await store(Settings({"test": DECLARED}), db, minimum=10)
    without = Settings({"test": [MODE]})
    await without.refresh(db)
    await store(without, db, mode="warn")
    again = Settings({"test": DECLARED})
    await again.refresh(db)

    assert (again[MINIMUM], again[MODE]) == (10, "warn")


def test_two_plugins_can_not_declare_the_same_setting() -> None:
    with pytest.raises(ValueError, match=r"one.*two.*test\.mode|two.*one.*test\.mode"):
        Settings({"one": [MODE], "two": [MODE]})


async def test_values_that_arrive_late_do_not_replace_newer_ones(db: Database) -> None:
    """One request reads the values, then waits; meanwhile they change, and another request reads them."""
    settings, late = Settings({"test": DECLARED}), LateReader(db)
    await store(settings, db, minimum=10)
    waiting = asyncio.create_task(settings.refresh(late, version=1))
    await late.has_read.wait()
    await store(settings, db, minimum=20)
    await settings.refresh(db, version=2)

    late.may_answer.set()
    await waiting

    assert settings[MINIMUM] == 20
    await settings.refresh(db, version=2)
    assert settings[MINIMUM] == 20


class LateReader:
    """Reads at once, and answers when it may."""

    dialect = ""

    def __init__(self, db: Database) -> None:
        self._db = db
        self.has_read, self.may_answer = asyncio.Event(), asyncio.Event()

    async def all(self, query: Any, /, **values: Any) -> list[Any]:
        rows: list[Any] = await self._db.all(query, **values)
        self.has_read.set()
        await self.may_answer.wait()
        return rows

    async def first(self, query: Any, /, **values: Any) -> Any:
        return (await self.all(query, **values))[0]

    async def value(self, query: Any, /, **values: Any) -> Any:
        return (await self.first(query, **values))[0]
