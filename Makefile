# Two commands do all the set-up: `make demo` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --editable
# One more than there are cores: some tests only wait.
WORKERS = $(shell $(BIN)/python -c "import os; print((os.cpu_count() or 1) + 1)")
COMPILE := $(BIN)/python -m compileall -q src

.PHONY: demo test check servers bench docs clean

demo: $(VENV)/.installed ## assess a built-in server that has faults worth seeing
	@$(BIN)/mcp-assay demo

test: check ## everything that must hold before a change lands
	-@$(MAKE) --no-print-directory servers # without them, the tests that need them say so and skip
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal

check: $(VENV)/.installed-dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/python -m tools.make_docs --check

servers: $(VENV)/.installed-dev ## real servers to assess, from pinned files
	$(BIN)/python -m tools.servers

bench: $(VENV)/.installed-dev ## how fast, against parsing alone
	$(COMPILE)
	$(BIN)/python -m bench

docs: $(VENV)/.installed-dev ## write the generated pages anew
	$(BIN)/python -m tools.make_docs

clean:
	rm -rf $(VENV) .servers build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis

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
