"""Signatures: the same everywhere, and as alike as the sets they are made of."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cms_host.post_index.minhash import SLOTS, Shape, band_keys, resemblance, signature

SHAPES = [Shape(24, 3), Shape(16, 5), Shape(1, SLOTS), Shape(SLOTS, 1)]
each_shape = pytest.mark.parametrize("shape", SHAPES, ids=str)
sets = st.sets(st.text(max_size=12), min_size=1, max_size=300)


def test_a_signature_is_the_same_on_every_machine_and_in_every_release() -> None:
    """What is stored was made by earlier releases; another signature here asks for a migration that empties it."""
    words = {f"word {number}" for number in range(40)}

    assert signature(words, Shape(4, 4)).hex() == "97ee41b0eea858df74aef474741d587a"
    assert band_keys(bytes(range(6)), Shape(2, 3)) == [0x000102, 0x1030405]


@each_shape
@settings(deadline=None)
@given(elements=sets)
def test_a_signature_depends_on_the_set_alone(shape: Shape, elements: set[str]) -> None:
    shuffled = sorted(elements, reverse=True)

    assert signature(elements, shape) == signature(shuffled, shape)
    assert len(signature(elements, shape)) == shape.length


@each_shape
@settings(deadline=None)
@given(elements=sets)
def test_keys_of_bands_differ_by_band_and_fit_the_column(shape: Shape, elements: set[str]) -> None:
    keys = band_keys(signature(elements, shape), shape)

    assert len(set(keys)) == shape.bands
    assert keys == sorted(keys)
    if shape.rows <= 6:
        assert all(0 <= key < 1 << 63 for key in keys)


@pytest.mark.parametrize("size", [10, 40, 300, 3000])
@pytest.mark.parametrize("shared", [0.0, 0.5, 0.8, 0.95])
def test_signatures_agree_as_often_as_the_sets_do(size: int, shared: float) -> None:
    chance = random.Random(size)  # noqa: S311 - nothing here is a secret.
    agreed = []
    for _ in range(60):
        names = [str(chance.random()) for _ in range(2 * size)]
        # Two sets of one size, of whose union this share is in both.
        both = round(2 * size * shared / (1 + shared))
        one, other = set(names[:size]), set(names[size - both : 2 * size - both])
        agreed.append(resemblance(signature(one, Shape(32, 4)), signature(other, Shape(32, 4))))
        jaccard = len(one & other) / len(one | other)

    assert sum(agreed) / len(agreed) == pytest.approx(jaccard, abs=0.06)


def test_one_element_is_enough_for_a_signature() -> None:
    assert len(set(signature({"alone"}, Shape(32, 4)))) == 1
