# The commands a person types. The first use makes the environment, from the lock.
# make run PORT=9000 HOST=0.0.0.0     make test PYTHON=python3.12 ARGS="-k sitemap"

PYTHON ?= python3
# One environment per version that is asked for by name, so that none spoils another.
VENV = .venv$(patsubst python3%,%,$(subst python3.,python3-3.,$(notdir $(PYTHON))))
PY = $(VENV)/bin/python
READY = $(VENV)/.ready
ARGS ?=
TEMPLATES = git ls-files -z --cached --others --exclude-standard 'templates/*.html' | xargs -0 -r
# Settings of a production that nobody can reach, for Django's own checks.
PRODUCTION = SECRET_KEY=0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ \
  SITE_URL=https://courseiva.example.org DATABASE_URL=postgresql://nowhere.invalid/courseiva \
  REDIS_URL=redis://nowhere.invalid EMAIL_URL=smtp+tls://nowhere.invalid COURSEIVA_MODE=production

.PHONY: run reset test check format bench screenshots audit lock

run: $(READY)
	$(PY) -m courseiva.running run

reset: $(READY)
	$(PY) -m courseiva.running reset

test: $(READY)
	$(PY) -m pytest -n 2 $(ARGS)

check: $(READY)
	$(PY) -m ruff format --check .
	$(PY) -m ruff check .
	$(TEMPLATES) $(VENV)/bin/djangofmt --check --quiet
	$(TEMPLATES) $(VENV)/bin/djade --target-version 5.2 --check
	$(VENV)/bin/lint-imports
	$(VENV)/bin/codespell
	$(PY) -m mypy .
	$(PRODUCTION) $(PY) manage.py check --deploy --fail-level WARNING
	$(PRODUCTION) $(PY) -W ignore::RuntimeWarning manage.py makemigrations --check --dry-run

format: $(READY)
	$(PY) -m ruff check --fix-only .
	$(PY) -m ruff format .
	$(TEMPLATES) $(VENV)/bin/djangofmt --quiet
	$(TEMPLATES) $(VENV)/bin/djade --target-version 5.2

bench: $(READY)
	$(PY) -m benchmarks
	FUZZ_EXAMPLES=10000 $(PY) -m pytest -q tests/project/test_forms_fuzzed.py tests/api/test_schema.py

screenshots: $(READY)
	$(PY) -m tests.screenshots

# Needs the network: asks the public lists of known faults.
audit: .venv-audit/.ready
	.venv-audit/bin/pip-audit --strict --require-hashes --disable-pip -r requirements.txt

.venv-audit/.ready: requirements-audit.txt
	@$(PYTHON) -m venv --without-pip .venv-audit
	@$(PYTHON) -m pip --python .venv-audit/bin/python --disable-pip-version-check install -qq --no-deps --require-hashes -r requirements-audit.txt
	@touch $@

lock:
	uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --no-annotate pyproject.toml -o requirements.txt
	uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --no-annotate pyproject.toml --group dev -c requirements.txt -o requirements-dev.txt
	uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --no-annotate --group audit -o requirements-audit.txt

$(READY): requirements-dev.txt
	@$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 11) and 'Courseiva needs Python 3.11 or newer; name one, as in make run PYTHON=python3.12.')"
	@echo "Making the environment in $(VENV), which takes about a minute."
	@$(PYTHON) -m venv --without-pip $(VENV)
	@$(PYTHON) -m pip --python $(PY) --disable-pip-version-check install -qq --no-deps --require-hashes -r requirements-dev.txt
	@touch $@
