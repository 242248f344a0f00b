"""Turkish and English: which one, and that neither lacks what the other has."""

import pytest

from cms_members.texts import LANGUAGES, preferred, texts


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("", "en"), ("tr", "tr"), ("TR-tr", "tr"), ("en;q=0.5, tr;q=0.9", "tr"), ("de, tr;q=0.3", "tr"),
        ("tr;q=0", "en"), ("*", "en"), ("de", "en"), (";;;,q=", "en"), ("tr;q=9", "en"), ("en, tr", "en"),
    ],
)  # fmt: skip
def test_a_reader_gets_the_language_that_is_asked_for(accepted: str, language: str) -> None:
    assert preferred(accepted) == language


def test_both_languages_say_the_same_things() -> None:
    def shape(value: object) -> object:
        return {key: shape(each) for key, each in value.items()} if isinstance(value, dict) else type(value)

    assert [shape(texts(each)) for each in LANGUAGES] == [shape(texts("en"))] * len(LANGUAGES)
