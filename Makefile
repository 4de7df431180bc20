# The course's commands. `make help` lists them; GNU make 3.81 and newer.
# PYTHON=… chooses the Python that .venv is made with; LAB_ARGS=… goes to JupyterLab, TEST_ARGS=… to pytest.

RUN := .venv/bin/python
CODE := lib tests benchmarks
unexport PYTHONPATH PYTHONHOME MAKEFLAGS MFLAGS
export PYTHONNOUSERSITE := 1
export PYTHONUTF8 := 1
export PYTHON

.PHONY: help lab demo servers workshop class book test test-all test-night lint bench reset exercises fmt lock clean environment environment-dev
.DEFAULT_GOAL := help

help: ## list these commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' Makefile

lab: environment ## open the course in JupyterLab (LAB_ARGS="--no-browser --port=N")
	@exec $(RUN) -m exactly_once.course.setup.lab $(LAB_ARGS)

demo: environment ## open a page for a projector: console, scrubber and adversary, without code (DEMO_ARGS="--no-browser --port=N")
	@exec $(RUN) -m exactly_once demo $(DEMO_ARGS)

servers: environment ## fetch PostgreSQL, etcd and Kafka (100 MB) into .venv/servers, for the chapter with real servers
	@$(RUN) -m exactly_once.servers.fetch

workshop: environment ## build the labs and the demo for a class, in workshop/, from the chapters
	@$(RUN) -m exactly_once workshop

class: environment ## check that this seat can take part in a class; ends with a line for the teacher
	@$(RUN) -m exactly_once doctor --seat

book: environment-dev ## build the course as pages for a browser without a kernel, in book/ (BOOK_ARGS="--no-run": no outputs)
	@$(RUN) -m tools.book.build $(BOOK_ARGS)

pictures: environment-dev ## make the pictures at the head of the chapters anew, from their drawings; it takes a Chromium
	@$(RUN) tools/draw.py

test: lint ## check the code and run a part of the tests of everything, in two processes (TEST_ARGS="-n 0": in one)
	@$(RUN) -m pytest -m "not slow and not not_by_day" -n 2 --no-loadscope-reorder $(TEST_ARGS)

test-all: lint ## check the code and run what CI runs: every part, and every chapter's main line
	@$(RUN) -m pytest -m "not slow" -n 2 --no-loadscope-reorder $(TEST_ARGS)

test-night: environment-dev ## run the rest, for hours, or a folder's (PART=explore); and with fresh examples those that draw some
	@$(RUN) -m pytest -m "slow or hypothesis" --hypothesis-profile=afresh $(addprefix tests/,$(PART)) $(TEST_ARGS)

lint: environment-dev ## check style, format, layers and types
	@$(RUN) -m ruff check --quiet $(wildcard $(CODE))
	@$(RUN) -m ruff format --check --quiet $(wildcard $(CODE)) || { echo "Some files are not formatted; make fmt does it."; exit 1; }
	@mkdir -m 700 -p .tmp && .venv/bin/lint-imports --cache-dir .tmp/import-linter >.tmp/lint-imports.log 2>&1 || { cat .tmp/lint-imports.log; exit 1; }
	@$(RUN) -m mypy --no-error-summary

bench: environment-dev ## measure what the course promises (benchmarks/)
	@for script in benchmarks/*.py; do \
	  [ -f "$$script" ] || { echo "There is no script in benchmarks/."; exit 1; }; \
	  echo "== $$script"; $(RUN) "$$script" || exit 1; \
	done

reset: environment ## bring a chapter (CHAPTER=04) or an exercise (EXERCISE=04d) back as it came; yours is kept in my-work/
	@$(RUN) -m exactly_once reset "$(or $(EXERCISE),$(CHAPTER))"

exercises: environment-dev ## write exercises/ anew from solutions/
	@$(RUN) -m exactly_once.course.exercises.generate

fmt: environment-dev ## format the code and empty the notebooks' outputs
	@$(RUN) -m ruff check --fix --quiet $(wildcard $(CODE)); $(RUN) -m ruff format $(wildcard $(CODE))
	@$(RUN) -m nbstripout --keep-id $(wildcard notebooks/*.ipynb exercises/*.ipynb)

lock: environment-dev ## renew requirements.lock from pyproject.toml, for Linux and macOS, Python 3.11 to 3.14
	@$(RUN) -m pip install --quiet uv
	@$(RUN) -m uv pip compile --quiet --universal --python-version 3.11 --all-extras --upgrade --no-annotate \
	  --no-emit-index-url --no-emit-find-links --custom-compile-command "make lock" \
	  -o requirements.lock pyproject.toml

clean: ## remove temporary files, caches and the built labs; .venv and all that is yours stays
	@rm -rf workshop .tmp .pytest_cache .ruff_cache .import_linter_cache .hypothesis
	@find lib tests benchmarks notebooks exercises solutions \( -name __pycache__ -o -name .ipynb_checkpoints \) \
	  -type d -prune -exec rm -rf {} + 2>/dev/null || true

environment: ## make the environment in .venv, or mend it
	@sh tools/environment.sh lab

environment-dev:
	@sh tools/environment.sh dev
