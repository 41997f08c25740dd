# Everything starts from a fresh clone with Python, make and a package index: each target makes what it needs.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
export PIP_DISABLE_PIP_VERSION_CHECK = 1
# Where it is set, each process that runs tests would compile all of them anew, at every run.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help demo test test-long test-all test-clients check format bench eval-gate pictures clean system-packages
.DEFAULT_GOAL := help

help:
	@echo "make demo          see a supervised task, start to end: real client, no account, no key"
	@echo "make test          the specification and every room, with the real client"
	@echo "make test-long     kills, attacks, faults and the longer stories"
	@echo "make test-all      both, as CI does"
	@echo "make test-clients  the main stories with older clients"
	@echo "make check         format, lint, types"
	@echo "make format        mend what can be mended"
	@echo "make bench         what it costs, as ratios in one run"
	@echo "make eval-gate     how the gate does on labelled cases"
	@echo "make pictures      the pictures in the docs, from real runs"
	@echo "make clean         remove what these have made"

demo: $(VENV)/.installed
	@$(BIN)/ccc demo

PYTEST = TMPDIR=$$(sh tests/scratch) $(BIN)/python -m pytest -n 4 --dist worksteal

# Four at a time on two cores: many only wait, for a grace, a timer of the client's or a disk. A test goes to
# whoever is free (worksteal), so that no long one stands at the end of somebody's list. Files are flushed to disk
# before they are renamed, thousands of times: in memory, where there is room, that costs nothing.
test: $(VENV)/.dev system-packages
	$(PYTEST) -m "not long" $(PYTEST_ARGS)

# Kills, attacks and faults at every place where one can be, and the stories that take longest: more than all else, so
# they have a target of their own.
test-long: $(VENV)/.dev system-packages
	$(PYTEST) -m long $(PYTEST_ARGS)

# Both, in one run: what CI does, because to gather the tests twice takes a minute.
test-all: $(VENV)/.dev system-packages
	$(PYTEST) $(PYTEST_ARGS)

# The main stories with older clients, which npm keeps; not part of `make test`.
test-clients: $(VENV)/.dev
	@sh tests/clients/run $(BIN)/python $(PYTEST_ARGS)

check: $(VENV)/.dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

format: $(VENV)/.dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

# How the gate does on labelled cases, of which half were written without sight of its rules; EVAL_ARGS=--write keeps it.
eval-gate: $(VENV)/.dev
	@$(BIN)/python -m tests.eval.score $(EVAL_ARGS)

bench: $(VENV)/.dev
	$(BIN)/python -m tests.bench $(BENCH_ARGS)

# The pictures in the docs, made from real runs.
pictures: $(VENV)/.dev system-packages
	$(BIN)/python -m tests.browser.picture
	$(BIN)/python -m tests.browser.recording
	$(BIN)/python -m tests.browser.sitting

# What only the system's package manager has.
system-packages:
	@sh tests/system-packages

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"

$(VENV)/.installed: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --editable ".[claude]"
	@touch $@

$(VENV)/.dev: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet --group dev
	@touch $@

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .hypothesis dist build
