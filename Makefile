# The commands a person types. The first use makes the environment, from the lock.
# make run PORT=9000 HOST=0.0.0.0     make test PYTHON=python3.12 ARGS="-k sitemap"

PYTHON ?= python3
# One environment per version that is asked for by name, so that none spoils another.
VENV = .venv$(patsubst python3%,%,$(subst python3.,python3-3.,$(notdir $(PYTHON))))
PY = $(VENV)/bin/python
READY = $(VENV)/.ready
ARGS ?=
TEMPLATES = git ls-files -z --cached --others --exclude-standard 'templates/*.html'

.PHONY: run reset test check format bench screenshots lock

run: $(READY)
	$(PY) -m courseiva.running run

reset: $(READY)
	$(PY) -m courseiva.running reset

test: $(READY)
	$(PY) -m pytest -n 2 $(ARGS)

check: $(READY)
	$(PY) -m ruff format --check .
	$(PY) -m ruff check .
	$(TEMPLATES) | xargs -0 -r $(VENV)/bin/djangofmt check --line-length 100
	$(TEMPLATES) | xargs -0 -r $(VENV)/bin/djade --target-version 5.2 --check
	$(VENV)/bin/lint-imports
	$(VENV)/bin/codespell
	$(PY) -m mypy .
	$(PY) -m courseiva.checking

format: $(READY)
	$(PY) -m ruff check --fix .
	$(PY) -m ruff format .
	$(TEMPLATES) | xargs -0 -r $(VENV)/bin/djangofmt format --line-length 100
	$(TEMPLATES) | xargs -0 -r $(VENV)/bin/djade --target-version 5.2

bench: $(READY)
	$(PY) -m benchmarks

screenshots: $(READY)
	$(PY) -m tests.screenshots

lock:
	uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --no-annotate pyproject.toml -o requirements.txt
	uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --no-annotate pyproject.toml --group dev -c requirements.txt -o requirements-dev.txt

$(READY): requirements-dev.txt
	$(PYTHON) -c "import sys; assert sys.version_info >= (3, 11), 'Courseiva needs Python 3.11 or newer: make $(MAKECMDGOALS) PYTHON=python3.12'"
	$(PYTHON) -m venv --without-pip $(VENV)
	$(PYTHON) -m pip --python $(PY) --disable-pip-version-check install --quiet --no-deps --require-hashes -r requirements-dev.txt
	touch $@
