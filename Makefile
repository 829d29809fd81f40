# Every check of this project, one target each. `make test` runs all of them; `make help` lists them.

PYTHON ?= python3
JOBS ?= 2
BIN := .venv/bin
PYTEST := $(BIN)/python -m pytest
BROWSERS := chromium-headless-shell chromium chromium-browser google-chrome
RULE_TESTS := tests/engine tests/records tests/render tests/games tests/conformance tests/golden
# Of every game its examples, its recorded games and some games against the reference; records and matches.
SMOKE_TESTS := tests/games/*/test_examples.py tests/games/test_rule_numbers.py tests/games/test_lockstep.py \
               tests/golden/test_golden.py tests/records tests/engine/test_match.py tests/engine/test_batch.py \
               tests/engine/test_rng.py
# Where make can do it (not on macOS), what targets print at the same time is told one target after the other.
WHOLE := $(if $(filter output-sync,$(.FEATURES)),--output-sync)
# Where bytecode may not be kept, each of the tests' many processes would compile the sources of Numba and torch anew.
export PYTHONDONTWRITEBYTECODE :=

.DEFAULT_GOAL := help
.PHONY: help venv demo test test-clients test-cluster check lint format-check format types imports smoke tests-compiled \
        tests-unchecked tests-jit-off mutants browser tests-browser minimal-install wheel-check wheels cuda-check \
        coverage bench docs clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-18s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

venv: .venv/.stamp ## make .venv with everything in constraints.txt (PYTHON=python3.12 takes another Python)

.venv/.stamp: pyproject.toml constraints.txt
	@printf 'venv: installing into .venv, about a minute ... '
	@$(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install -qq --no-compile --disable-pip-version-check -c constraints.txt -e '.[train,dev]'
	@ln -sfn ../agents bdgame_env/agents && ln -sfn ../experiments bdgame_env/experiments  # for mypy and import-linter
	@touch $@
	@echo done

demo: venv ## play and train a little, to see that it works
	@$(BIN)/python -m experiments demo

test: venv ## every check
	@$(MAKE) --no-print-directory -j $(JOBS) $(WHOLE) lint format-check types imports wheel-check
	@$(MAKE) --no-print-directory tests-jit-off tests-compiled
	@$(MAKE) --no-print-directory -j $(JOBS) $(WHOLE) tests-unchecked minimal-install

test-clients: venv ## other libraries' first lines, each in its own environment: writes docs/clients.md (an hour, 10 GB)
	$(BIN)/python -m tests.clients

check: lint format-check imports types smoke ## what finds most faults, in a minute and a half

lint: venv ## ruff
	$(BIN)/ruff check --quiet

format-check: venv ## is everything formatted?
	$(BIN)/ruff format --check --quiet

format: venv ## format and sort the imports
	$(BIN)/ruff check --select I --fix --quiet
	$(BIN)/ruff format

types: venv ## mypy, strict
	$(BIN)/mypy

imports: venv ## who may import whom (import-linter)
	$(BIN)/lint-imports --no-logo

smoke: venv ## a few tests of every game, without the JIT
	NUMBA_DISABLE_JIT=1 $(PYTEST) -n $(JOBS) $(SMOKE_TESTS) -m "not slow"

tests-compiled: venv browser ## all tests of compiled code, quickly made, with every index checked (JOBS=4: 4 processes)
	JOBS=$(JOBS) NUMBA_BOUNDSCHECK=1 $(BIN)/python -m tests.support.compile_ahead
	NUMBA_BOUNDSCHECK=1 $(PYTEST) -n $(JOBS) --dist worksteal -m "not plain"

tests-unchecked: venv ## recorded games of every game, and training on a small one, compiled as users run them
	$(PYTEST) -n $(JOBS) --dist loadgroup tests/golden/test_golden.py tests/experiments/training/test_gradients.py \
	  -k "golden or nim"

tests-jit-off: venv ## tests of engine and rules as plain Python
	NUMBA_DISABLE_JIT=1 $(PYTEST) -n $(JOBS) $(RULE_TESTS) -m "not slow"

test-cluster: .venv-cluster/.stamp ## what runs on a Ray cluster, in a virtual environment with Ray; a few minutes
	NUMBA_DISABLE_JIT=1 .venv-cluster/bin/python -m pytest tests/cluster

.venv-cluster/.stamp: pyproject.toml constraints.txt
	@printf 'test-cluster: installing into .venv-cluster, about a minute ... '
	@$(PYTHON) -m venv .venv-cluster
	@.venv-cluster/bin/python -m pip install -qq --no-compile --disable-pip-version-check -c constraints.txt \
	  -e '.[cluster]' pytest
	@touch $@
	@echo done

cuda-check: .venv-cuda/.stamp ## the rules of all games compile for NVIDIA GPUs; needs none; a few minutes
	.venv-cuda/bin/python -m tests.support.cuda_check

.venv-cuda/.stamp: pyproject.toml constraints.txt
	@printf 'cuda-check: installing into .venv-cuda, about a minute ... '
	@$(PYTHON) -m venv .venv-cuda
	@.venv-cuda/bin/python -m pip install -qq --no-compile --disable-pip-version-check -c constraints.txt \
	  -e . numba-cuda 'cuda-toolkit[nvvm,nvrtc]==13.*'
	@touch $@
	@echo done

mutants: venv ## small faults in the rules, each of which a rule test has to find
	JOBS=$(JOBS) $(BIN)/python -m tests.support.mutants

browser: ## see that there is a Chromium for the tests of the pages (Debian's is installed by root)
	@for name in $(BROWSERS); do command -v $$name >/dev/null && exit 0; done; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  printf 'browser: installing Chromium, about a minute ... '; \
	  export DEBIAN_FRONTEND=noninteractive; install='apt-get -qq install -y --no-install-recommends'; \
	  apt-get -qq update && { $$install chromium-headless-shell >/dev/null 2>&1 || $$install chromium >/dev/null; } && \
	  echo done; \
	else echo 'browser: install Chromium (on Debian: apt-get install chromium), then try again' >&2; exit 1; fi

tests-browser: venv browser ## tests of the pages in a headless Chromium
	$(PYTEST) -m browser

minimal-install: venv ## engine and rules work without any framework installed (compiled as for tests-compiled)
	NUMBA_BOUNDSCHECK=1 $(BIN)/python -m tests.support.minimal_install

wheel-check: venv ## sdist and wheel hold what they should, and the wheel works alone
	$(BIN)/python -m tests.support.wheel_check

wheels: venv ## the wheels of a release into dist/: the pure one, and one with machine code for this Python; minutes
	@JOBS=$(JOBS) $(BIN)/python -m tests.support.wheels

coverage: venv ## lines and branches that the tests of engine and rules reach, without the JIT
	NUMBA_DISABLE_JIT=1 $(BIN)/coverage run -m pytest $(RULE_TESTS) -m "not slow"
	$(BIN)/coverage report

bench: venv ## measure the speed
	@$(BIN)/python -m experiments bench

docs: venv .venv-docs/.stamp ## build the site in build/site/html
	@NUMBA_DISABLE_JIT=1 $(BIN)/python docs/site/build.py

.venv-docs/.stamp: pyproject.toml constraints.txt
	@printf 'docs: installing MkDocs into .venv-docs ... '
	@$(PYTHON) -m venv .venv-docs
	@$(PYTHON) -c "import tomllib; project = tomllib.load(open('pyproject.toml', 'rb'))['project']; \
	print(*project['optional-dependencies']['docs'], sep='\n')" > .venv-docs/requirements.txt
	@.venv-docs/bin/python -m pip install -qq --disable-pip-version-check -c constraints.txt -r .venv-docs/requirements.txt
	@touch $@
	@echo done

clean: ## remove caches and build products (.venv and .venv-docs stay)
	rm -rf build dist .coverage .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find bdgame_env agents experiments tests -name __pycache__ -type d -prune -exec rm -rf {} +
