"""Texts as sets of five words, folded and without punctuation."""

from hypothesis import given, settings
from hypothesis import strategies as st

from cms_host.post_index.minhash import Shape
from cms_host.post_index.shingles import overlaps, shingles, sketch

WORDS = ("kıyı", "boyunca", "Yürüyen", "yolcu", "sabahın", "ERKEN", "saat", "7", "the", "old", "road")
texts = st.lists(st.sampled_from(WORDS), max_size=40)


def test_shingles_are_five_words_that_follow_each_other() -> None:
    assert shingles("One, two - three: four! FİVE six") == {"one two three four five", "two three four five six"}


def test_fewer_than_five_words_make_no_shingle() -> None:
    assert shingles("only four words here") == set()
    assert sketch("only four words here", Shape(4, 4)) is None


def test_the_size_of_a_sketch_counts_each_shingle_once() -> None:
    made = sketch("a b c d e a b c d e a b c d e", Shape(4, 4))

    assert made is not None
    assert made.size == 5


@settings(deadline=None)
@given(st.lists(texts, min_size=1, max_size=4))
def test_overlaps_are_jaccard_similarities(parts: list[list[str]]) -> None:
    one, *others = [" ".join(words) for words in parts]

    expected = []
    for other in others:
        union = shingles(one) | shingles(other)
        expected.append(len(shingles(one) & shingles(other)) / len(union) if union else 0.0)
    assert overlaps(one, others) == expected


@settings(deadline=None)
@given(texts, texts)
def test_overlaps_are_the_same_both_ways(one: list[str], other: list[str]) -> None:
    assert overlaps(" ".join(one), [" ".join(other)]) == overlaps(" ".join(other), [" ".join(one)])
