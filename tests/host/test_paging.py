"""Which page of a list is asked for (contract 3)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cms_host.api import PageQuery, paging
from cms_host.schema import MAX_NUMBER, load

QUERY = PageQuery()
numbers = st.integers(min_value=-(10**30), max_value=10**30) | st.integers(min_value=-5, max_value=105)


@pytest.mark.parametrize(
    ("sent", "page", "per_page", "offset"),
    [
        ({}, 1, 20, 0),
        ({"page": "3"}, 3, 20, 40),
        ({"page": "2", "per_page": "100"}, 2, 100, 100),
        ({"per_page": "101"}, 1, 100, 0),
        ({"page": "0", "per_page": "0"}, 1, 20, 0),
        ({"page": "-1", "per_page": "-1"}, 1, 20, 0),
        ({"page": "9" * 40}, MAX_NUMBER, 20, MAX_NUMBER),
    ],
)
def test_what_is_out_of_bounds_is_read_as_the_nearest_that_makes_sense(
    sent: dict[str, str], page: int, per_page: int, offset: int
) -> None:
    asked = paging(load(QUERY, sent))

    assert (*asked, asked.offset) == (page, per_page, offset)


@given(page=numbers, per_page=numbers)
def test_no_page_is_beyond_what_a_database_can_count(page: int, per_page: int) -> None:
    asked = paging(load(QUERY, {"page": str(page), "per_page": str(per_page)}))

    assert asked.page >= 1
    assert 1 <= asked.per_page <= 100
    assert 0 <= asked.offset <= MAX_NUMBER


@given(items=st.lists(st.integers(), max_size=60), per_page=st.integers(min_value=1, max_value=30))
def test_pages_one_after_the_other_are_the_whole_list(items: list[int], per_page: int) -> None:
    pages = [paging({"page": number, "per_page": per_page}) for number in range(1, len(items) + 2)]

    assert [each for asked in pages for each in items[asked.offset : asked.offset + asked.per_page]] == items
