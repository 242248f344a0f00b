"""Which limit holds: environment, configuration, constant."""

import sys

import pytest

from cms_host.limiter import API_RATE_LIMIT, current_limit


@pytest.mark.parametrize(
    ("environment", "configured", "expected"),
    [
        ({}, None, API_RATE_LIMIT),
        ({}, 7, 7),
        ({}, 0, 0),
        ({"API_RATE_LIMIT": "250"}, 7, 250),
        ({"API_RATE_LIMIT": " 250 "}, None, 250),
        ({"API_RATE_LIMIT": "0"}, 7, 0),
        ({"API_RATE_LIMIT": "9" * 30}, 7, sys.maxsize),
    ],
)
@pytest.mark.shows("limit.environment")
def test_environment_wins_over_configuration_over_constant(
    environment: dict[str, str], configured: int | None, expected: int
) -> None:
    assert current_limit(environment, configured) == expected


@pytest.mark.parametrize("value", ["", "many", "-1", "1.5", "1e3", "1_000", "+5", "١٢", "0x10", "9" * 5000])
def test_value_that_is_no_whole_number_counts_as_the_default_and_is_logged_once(
    value: str, caplog: pytest.LogCaptureFixture
) -> None:
    assert [current_limit({"API_RATE_LIMIT": value}, 7) for _ in range(3)] == [API_RATE_LIMIT] * 3
    assert len(caplog.records) == 1
    assert "environment variable API_RATE_LIMIT" in caplog.text
    assert len(caplog.text) < 400


def test_configured_value_below_zero_counts_as_the_default(caplog: pytest.LogCaptureFixture) -> None:
    assert current_limit({}, -3) == API_RATE_LIMIT
    assert "configuration value api_rate_limit is -3" in caplog.text
