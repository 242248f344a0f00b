"""What the rules on similar titles and texts promise to find, over the benchmark's own data (`bench.similarity`)."""

from itertools import islice, pairwise

import pytest

from bench.articles import articles
from bench.similar_quality import OF_TEXTS, OF_TITLES, text_recall, title_recall
from bench.similar_texts import ENGLISH, TURKISH, edited_texts, edited_titles, near_duplicates, occurring
from cms_host.api import fold


@pytest.mark.parametrize("titles", [TURKISH, ENGLISH], ids=["turkish", "english"])
def test_of_titles_above_the_default_threshold_98_of_100_meet(titles: tuple[str, ...]) -> None:
    recall = title_recall(edited_titles(titles, OF_TITLES, 500))

    assert recall.pairs == 500
    assert recall.share >= 0.98


def test_of_texts_above_the_default_threshold_995_of_1000_meet() -> None:
    texts = [each.text for each in islice(articles(seed=3), 40)]
    recall = text_recall(edited_texts(texts, OF_TEXTS, 400))

    assert recall.pairs == 400
    assert recall.share >= 0.995


def test_texts_that_have_nothing_in_common_do_not_meet() -> None:
    texts = [each.text for each in islice(articles(seed=4), 60)]

    assert text_recall(pairwise(texts)).found == 0


def test_near_duplicates_are_counted_by_their_shingles() -> None:
    text = "a b c d e f g h i j k l m n o p"

    assert near_duplicates({"one": text, "two": text + " q", "three": "a b c d e"}, 0.8) == {frozenset(("one", "two"))}


def test_titles_that_occur_twice_are_found_by_looking_at_every_one() -> None:
    titles = [fold(each) for each in (*TURKISH, TURKISH[0] + "!")]

    found = dict(occurring(titles, OF_TITLES, len(titles)))
    assert found[titles[0]] == {titles[-1]}
    assert not any(others for title, others in found.items() if title not in (titles[0], titles[-1]))
