"""What is printed and kept of a run, and which goals count as met."""

import json
from pathlib import Path

import pytest

from bench import report
from bench.articles import articles
from bench.client import BenchError, WrongAnswerError
from bench.floor_handlers import FLOORS
from bench.load import SCRIPTS, Load, read
from bench.measure import Row
from bench.works import PEER, WORKS

FACTS = {"date": "2026-01-02 03:04 UTC", "commit": "abc1234"}


def load(rate: float, p99_ms: float = 5.0, others: float = 0.0) -> Load:
    return Load(int(rate * 8), rate, 1.0, p99_ms, 3600.0, exhausted=False, others=others)


def row(
    name: str,
    rates: list[float],
    floor_rates: list[float] | None = None,
    p99_ms: float = 5.0,
    floor_p99_ms: float = 2.0,
    calm_p99_ms: float = 2.0,
) -> Row:
    work = WORKS[name]
    floors = [load(rate, floor_p99_ms) for rate in floor_rates or []]
    loads, calm = [load(rate, p99_ms) for rate in rates], [load(rate, calm_p99_ms) for rate in rates]
    return Row(name, work.title, loads, floors, calm, work, work.goals["sqlite"])


def test_a_ratio_is_the_median_of_neighbouring_runs() -> None:
    """The second pair ran on a machine half as fast: its ratio is as good as the others'."""
    found = row("W1", [9000, 4600, 8000], [18000, 9200, 20000])
    assert found.ratio == pytest.approx(0.5)
    assert found.rate == 8000
    assert found.reference == 18000
    assert found.missed == []


def test_a_goal_is_missed_by_rate_and_by_latency() -> None:
    assert row("W1", [7000], [20000]).missed == ["0.35 of F2, not 0.40"]
    assert row("W2", [4000], [9000], p99_ms=12.3).missed == ["p99 12.3 ms, not 10"]
    assert row("W2", [4000], [9000], calm_p99_ms=10.1).missed == ["p99 at 4 connections 10.1 ms, not 10"]
    assert row("W7", [347]).missed == ["1.99 of peer, not 2.00"]
    assert row("W7", [348], p99_ms=90).missed == []


def test_p99_under_the_full_load_may_be_the_floors_over_the_goal() -> None:
    """At 40 % of a floor's rate, all connections busy, an answer takes 2.5 times as long on average."""
    assert row("W2", [4000], [9000], p99_ms=24.9, floor_p99_ms=10).missed == []
    assert row("W2", [4000], [9000], p99_ms=25.1, floor_p99_ms=10).missed == ["p99 25.1 ms, not 25"]


def test_the_table_is_aligned_and_tells_wrong_answers() -> None:
    wrong = Row("W2", WORKS["W2"].title, work=WORKS["W2"], wrong="3 of 9 answers were wrong")
    rows = [row("W1", [9000], [18000]), wrong]
    lines = report.table(rows).splitlines()
    assert (
        " ".join(lines[2].split())
        == "W1 one post by id, at random 9,000 5.0 10.0 2.0 F2 18,000 0.50 0.40 yes Ghost 678, 13.3x"
    )
    assert lines[3].endswith("WRONG")
    assert lines[2].index("9,000") + len("9,000") == lines[3].index("WRONG") + len("WRONG")
    assert report.remarks(rows) == ["W2 WRONG: 3 of 9 answers were wrong"]


def test_a_disturbed_run_is_told() -> None:
    disturbed = Row("F2", FLOORS["F2"].title, [load(9000), load(17000, others=0.42)])
    assert "F2 42%" in report.remarks([disturbed])[0]


def test_results_are_kept_for_people_and_for_programs(tmp_path: Path) -> None:
    text, data = report.write([row("W1", [9000], [18000])], FACTS, "sqlite", tmp_path)
    assert "| W1 | one post by id, at random | 9,000 |" in text.read_text()
    assert "- commit: abc1234" in text.read_text()
    kept = json.loads(data.read_text())
    assert kept["facts"] == FACTS
    assert kept["rows"][0]["ratio"] == 0.5
    assert kept["rows"][0]["runs"][0]["rate"] == 9000


def test_a_run_without_an_answer_is_an_error() -> None:
    with pytest.raises(BenchError, match="unable to connect"):
        read("", "unable to connect to 127.0.0.1:1 Connection refused")


def test_a_run_whose_answers_were_not_all_checked_is_wrong() -> None:
    numbers = {"requests": 9, "duration_us": 1, "bytes": 9, "p50_us": 1, "p99_us": 1, "broken": 0, "checked": 8}
    with pytest.raises(WrongAnswerError, match="9 answers came, 8 were checked"):
        read(f"BENCH {json.dumps(numbers | {'wrong': 0, 'exhausted': 0})}\n")


def test_every_work_has_its_script_and_a_goal_that_can_be_measured() -> None:
    for work in WORKS.values():
        assert (SCRIPTS / work.script).is_file()
        for database, goal in work.goals.items():
            assert goal.against == PEER or FLOORS[goal.against].database == database


def test_articles_pass_the_gate_by_length_and_are_told_apart() -> None:
    source = articles(seed=5, image="/media/x.png", link="/other")
    found = [next(source) for _ in range(200)]
    assert len({article.title for article in found}) == 200
    assert all(len(article.text) > 2000 and "<h2>" in article.content for article in found)
    assert all('href="/other"' in article.content and 'src="/media/x.png"' in article.content for article in found)
    again = articles(seed=5, image="/media/x.png", link="/other")
    assert [next(again) for _ in range(200)] == found
