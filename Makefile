# `make` alone lists what there is. Everything works in a fresh clone: what is missing is set up first.
.DEFAULT_GOAL := help
.PHONY: help play test chaos bench check format screenshots audit lock setup clean
BIN := .venv/bin

help:
	@grep -E '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /	/' | expand -t 13

play: setup ## play on this machine, without token or account; PORT=8090 serves the page elsewhere
	@$(BIN)/goat play $(if $(PORT),--port $(PORT))

test: check ## every check and the whole test suite
	@scripts/find-chromium >/dev/null || echo "test: no Chromium here, so the tests of the page are skipped; to run them: apt install chromium"
	@$(BIN)/pytest -n 2

chaos: setup ## kill processes, PostgreSQL and Telegram under people who play; KILLS=1000 SEED=1
	$(BIN)/python -m tests.tgbot.chaos --kills $(or $(KILLS),1000) --seed $(or $(SEED),1) --every 0.3

bench: setup ## measure everything, about ten minutes on a quiet machine; into docs/bench.json and README.md
	@$(BIN)/python -m pip install --quiet --no-build-isolation --editable '.[bench]'
	$(BIN)/goat bench all --json docs/bench.json --readme README.md

check: setup ## format, lint, types and import rules
	$(BIN)/ruff format --check --quiet .
	$(BIN)/ruff check --quiet .
	$(BIN)/mypy
	$(BIN)/mypy scripts/screenshots.py
	$(BIN)/lint-imports --no-logo

format: setup ## put the code in order
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

screenshots: setup ## make the pictures of README.md anew, in docs/pictures; wants Chromium
	$(BIN)/python scripts/screenshots.py

audit: setup ## look for known faults in what we depend on
	$(BIN)/pip-audit --disable-pip --require-hashes --requirement requirements.lock

lock: setup ## choose the newest allowed versions of everything and write requirements.lock
	@$(BIN)/python -m uv --version >/dev/null 2>&1 || $(BIN)/python -m pip install --quiet uv
	$(BIN)/python -m uv pip compile pyproject.toml --extra dev --universal --python-version 3.11 --upgrade \
		--generate-hashes --no-emit-index-url --no-emit-find-links --no-header --quiet \
		--output-file requirements.lock

setup: ## make .venv, or bring it up to date
	@scripts/setup

clean: ## remove everything that was made here, except .data, the games
	rm -rf .venv build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache \
		.grimp_cache test-artifacts
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
