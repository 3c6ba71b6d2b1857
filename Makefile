# Two commands do all the set-up: `make demo` and `make test`.
PYTHON ?= python3
# Bytecode is kept, whatever the shell says: without it each worker rewrites every test anew.
export PYTHONDONTWRITEBYTECODE :=
VENV := .venv
BIN := $(VENV)/bin
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --editable
# Two more than there are cores: many tests only wait.
WORKERS = $(shell $(BIN)/python -c "import os; print((os.cpu_count() or 1) + 2)")
# tests/conftest.py says what goes to one worker.
PYTEST = $(BIN)/python -m pytest -n $(WORKERS) --dist loadscope
COMPILE := $(BIN)/python -m compileall -q src
BY_SCHEMA := $(BIN)/check-jsonschema --builtin-schema
FORMS := $(filter-out %/config.yml,$(wildcard .github/ISSUE_TEMPLATE/*.yml))

.PHONY: demo quick test slow check style types pages forms needed coverage servers packages bench docs clean

demo: $(VENV)/.installed ## assess a demo server with deliberate bugs
	@$(BIN)/mcp-assay demo

quick: check ## what starts no process, browser or real server: for the loop at the desk
	$(PYTEST) -m "not live and not slow"

test: $(VENV)/.installed-dev ## everything that must hold before a change lands
	@$(MAKE) --no-print-directory --jobs 2 check needed
	$(PYTEST) -m "not slow"

slow: needed ## the whole catalogue of servers, real servers, corpora
	$(PYTEST) -m slow

check: style types pages forms ## what needs no test to be run

style: $(VENV)/.installed-dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check

types: $(VENV)/.installed-dev
	$(BIN)/mypy

pages: $(VENV)/.installed-dev
	$(BIN)/python -m tools.make_docs --check
	$(BIN)/python -m tools.changelog --check

forms: $(VENV)/.installed-dev
	$(BY_SCHEMA) vendor.github-workflows .github/workflows/*.yml
	$(BY_SCHEMA) custom.github-workflows-require-timeout .github/workflows/*.yml
	$(BY_SCHEMA) vendor.github-actions action.yml
	$(BY_SCHEMA) vendor.github-issue-forms $(FORMS)
	$(BY_SCHEMA) vendor.github-issue-config .github/ISSUE_TEMPLATE/config.yml
	$(BIN)/pre-commit validate-config .pre-commit-config.yaml
	$(BIN)/pre-commit validate-manifest .pre-commit-hooks.yaml

needed: $(VENV)/.installed-dev ## what some tests need; without it they say so and skip
	-@$(MAKE) --no-print-directory servers packages

coverage: $(VENV)/.installed-dev ## which statements and branches the tests run, by package
	$(BIN)/coverage erase
	-$(BIN)/coverage run -m pytest -n $(WORKERS) --dist worksteal $(TESTS) # slower, so it is no gate
	$(BIN)/coverage combine --quiet
	$(BIN)/python -m tools.package_coverage

servers: $(VENV)/.installed-dev ## real servers to assess, from pinned files
	$(BIN)/python -m tools.servers

packages: ## Chromium and shells from Debian, where root runs this
	@tools/install_debian_packages.sh

bench: $(VENV)/.installed-dev ## how fast, against parsing alone
	$(COMPILE)
	$(BIN)/python -m bench

docs: $(VENV)/.installed-dev ## write the generated pages anew
	$(BIN)/python -m tools.make_docs

clean:
	rm -rf $(VENV) .servers build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis .coverage*

$(VENV)/.installed: pyproject.toml | $(BIN)/python
	$(INSTALL) .
	$(COMPILE)
	@touch $@

$(VENV)/.installed-dev: pyproject.toml | $(BIN)/python
	$(INSTALL) '.[dev]'
	$(COMPILE)
	@touch $@ $(VENV)/.installed

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)
