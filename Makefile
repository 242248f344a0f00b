.PHONY: help setup serve test test-quick check stress bench plugins docs

help:          ## this list
	@grep -hE '^[a-z-]+: .*##' $(MAKEFILE_LIST) | sed 's/: *##/\t/' | expand -t 16
setup:         ## everything that the other commands need
	uv sync --all-packages
serve:         ## a site in ./data on port 8000
	uv run --no-dev --all-packages cms-host serve
test:          ## all tests, on SQLite and PostgreSQL
	uv run --all-packages pytest
test-quick:    ## what takes no real processes, on SQLite alone
	uv run --all-packages pytest -m "not slow" -k "not postgresql"
check:         ## lint, format and types
	uv run --all-packages ruff check . && uv run --all-packages ruff format --check . && uv run --all-packages mypy
stress:        ## the long runs, on both databases: plans over 100,000 records, kills, races, 1,000 posts due at once, 10,000 events, figures (some 80 minutes), and every endpoint against its document (hours)
	CMS_TEST_POSTS=100000 CMS_TEST_COMMENTS=100000 uv run --all-packages pytest -n 2 plugins/posts/tests/test_list_plans.py plugins/comments/tests/test_cost.py
	CMS_TEST_POSTS=100000 CMS_TEST_KILLS=100 CMS_TEST_RESTART=5 CMS_TEST_RACES=20 CMS_TEST_SCHEDULED=1000 CMS_TEST_HEALTH=0.1 CMS_TEST_VIEWS=2000 CMS_TEST_EVENTS=10000 CMS_TEST_AWAY=60 CMS_TEST_CONFIRMATIONS=20 uv run --all-packages pytest -n 0 -s tests/stress
	CMS_TEST_EXAMPLES=200 CMS_TEST_SEEDS=3 CMS_TEST_PHASES=examples,coverage,fuzzing,stateful CMS_TEST_CALLERS=nobody,subscriber,author,editor,admin uv run --all-packages pytest -n 2 -rP tests/contract/test_schemathesis.py
bench:         ## speed against bare aiohttp, on SQLite and PostgreSQL (needs wrk)
	uv run --all-packages python -m bench.harness
plugins:       ## what is installed
	uv run --all-packages cms-host plugins
docs:          ## the generated pages
	uv run --all-packages python -m docs.generate
