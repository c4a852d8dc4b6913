# make run    the workbench on a sample registry        make test   every check and test, browser included
# make check  format, lint, types, import rules         make bench  speed, as ratios within one run
# make bench-quality DATA=…   what each way of picking finds, what clashes predict and phrases help, on a folder of registries
# make soak   long runs: kills, edits, laws             make unit   the quick part: no browser, model, PostgreSQL, other process
VENV := .venv
PY := $(VENV)/bin/python
unexport PYTHONDONTWRITEBYTECODE  # each test process and each server would compile everything anew
FOLDER ?= sample_registries/campus

.PHONY: run test check unit browser bench bench-quality soak clean

run: $(VENV)/installed
	$(VENV)/bin/tool-curator dashboard $(FOLDER)

test: check chromium
	$(PY) -m pytest -n 3 --dist worksteal

check: $(VENV)/installed-dev
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/ruff check .
	$(VENV)/bin/mypy
	$(VENV)/bin/lint-imports
	$(PY) -m tests.project.shape

unit: $(VENV)/installed-dev
	$(PY) -m pytest -n 2 --dist worksteal -m "not model and not postgres and not process" tests/core tests/project

browser: $(VENV)/installed-dev chromium
	$(PY) -m pytest tests/browser

bench: $(VENV)/installed-dev
	$(PY) -m tests.benchmarks

bench-quality: $(VENV)/installed-dev
	$(PY) -m tests.benchmarks.quality $(DATA) $(NAMES)
	$(PY) -m tests.benchmarks.examples $(DATA) $(NAMES)
	$(PY) -m tests.benchmarks.suggestions $(DATA) $(NAMES)
	$(PY) -m tests.benchmarks.tool_edits $(DATA) $(NAMES)

soak: $(VENV)/installed-dev chromium
	$(PY) -m pytest -n 2 --dist worksteal --hypothesis-profile long --timeout 3600 -m "hypothesis and not soak" tests/core tests/dashboard
	$(PY) -m pytest -m soak tests/soak

.PHONY: chromium
chromium:
	@command -v chromium-headless-shell >/dev/null || command -v chromium >/dev/null || { echo "installing Chromium for the browser tests"; \
	apt-get update -q && { apt-get install -y -q chromium-headless-shell || apt-get install -y -q chromium; }; }

$(VENV)/installed: pyproject.toml constraints.txt
	python3 -m venv $(VENV)
	$(VENV)/bin/pip install -q --disable-pip-version-check -c constraints.txt torch
	$(VENV)/bin/pip install -q --disable-pip-version-check -c constraints.txt -e .
	$(PY) -m compileall -q curator_core dashboard  # what pip does for a package: no start has to translate the sources first
	touch $@

$(VENV)/installed-dev: $(VENV)/installed
	$(VENV)/bin/pip install -q --disable-pip-version-check -c constraints.txt -e ".[dev]"
	touch $@

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis
