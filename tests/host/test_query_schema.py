"""The schema of a query: several values in one parameter, and the quick way to load the few that were sent."""

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cms_host.errors import FieldErrors
from cms_host.schema import Choice, Number, Schema, Several, Text, load, load_sent


class Filter(Schema):
    status = Several(Choice("draft", "published"), most=3)
    ids = Several(Number())
    page = Number()
    chosen = Several(Text(), data_key="fields")


@pytest.mark.parametrize(
    ("sent", "loaded"),
    [
        ({}, {}),
        ({"status": "draft"}, {"status": ("draft",)}),
        ({"status": "published, draft,published"}, {"status": ("published", "draft")}),
        ({"ids": "3,1,3", "page": "2", "other": "x"}, {"ids": (3, 1), "page": 2}),
        ({"fields": "a,b", "chosen": "c"}, {"chosen": ("a", "b")}),
    ],
)
def test_several_values_are_parted_by_commas(sent: dict[str, str], loaded: dict[str, Any]) -> None:
    assert load(Filter(), sent) == load_sent(Filter(), sent) == loaded


@pytest.mark.parametrize("name", ["status", "ids", "fields"])
@given(data=st.data())
def test_several_values_that_look_as_documented_are_taken(name: str, data: st.DataObject) -> None:
    text = data.draw(st.from_regex(documented_form(name), fullmatch=True))

    assert len(load(Filter(), {name: text})) == 1


@given(st.text("1,- draftpublishe", max_size=30))
def test_several_values_that_are_taken_look_as_documented(text: str) -> None:
    for name in ("status", "ids"):
        try:
            load(Filter(), {name: text})
        except FieldErrors:
            assert not re.search(documented_form(name), text)
        else:
            assert re.search(documented_form(name), text)


def documented_form(name: str) -> str:
    fields = [each for each in Filter().fields.values() if (each.data_key or each.name) == name]
    form: str = fields[0].metadata["pattern"]
    return form


@pytest.mark.parametrize(
    ("sent", "field"),
    [
        ({"status": ""}, "status"),
        ({"status": "draft,live"}, "status"),
        ({"status": "draft,draft,draft,draft"}, "status"),
        ({"ids": "1,,2", "page": "1"}, "ids"),
        ({"ids": ",".join(["1"] * 101)}, "ids"),
        ({"page": "x"}, "page"),
    ],
)
def test_what_was_sent_is_refused_alike_whichever_way_it_is_loaded(sent: dict[str, str], field: str) -> None:
    for way in (load, load_sent):
        with pytest.raises(FieldErrors) as refused:
            way(Filter(), sent)
        assert (refused.value.status, [error.field for error in refused.value.errors]) == (422, [field])


def test_a_required_parameter_is_missed_by_the_quick_way_too() -> None:
    class Search(Schema):
        q = Text(required=True)

    with pytest.raises(FieldErrors) as refused:
        load_sent(Search(), {"page": "1"})
    assert [error.field for error in refused.value.errors] == ["q"]
    assert load_sent(Search(), {"q": "x"}) == {"q": "x"}
