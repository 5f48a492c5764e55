# The tasks of the project. Each creates the virtual environment that it needs.
SUPPORTED := import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 15))
PYTHON ?= $(shell for python in python3.11 python3.14 python3.13 python3.12 python3; do \
            "$$python" -c '$(SUPPORTED)' > /dev/null 2>&1 && echo "$$python" && exit; done; echo python3.11)
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.stamp
SITE   := $(VENV)/.site
OUT    ?= build/demo
ALL    ?= build/demo-all
JOBS   ?= 2
SECONDS ?= 600
SEED    ?= 1
GAME   ?= far-cry-beyond
GAMES   = $$($(BIN)/python -c 'import tomllib; print(*tomllib.load(open("fcb.toml", "rb"))["games"])')
# Write .pyc files, so that the workers and the processes that tests start compile nothing again.
CACHED := PYTHONDONTWRITEBYTECODE=
FAST   := PYTHONSAFEPATH=1 PYTHONPATH=$(CURDIR)/build/fast:$(CURDIR)

.PHONY: demo demo-all print-en print-fr test short-tests test-all test-pythons soak-by-lot soak-sensible audit lock fuzz check lint types docs site bench fast test-fast wheels dist fmt vscode code-server pyodide axe codemirror clean

$(STAMP): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	  echo "fcbdsl needs Python 3.11 or later, but '$(PYTHON)' is $$($(PYTHON) --version 2>/dev/null || echo missing)."; \
	  echo "Use another one: make PYTHON=/path/to/python3.12"; exit 1; } >&2
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { \
	  echo "'$(PYTHON)' cannot make a virtual environment: it has no venv or no ensurepip."; \
	  echo "On Debian and Ubuntu: sudo apt install python3-venv"; exit 1; } >&2
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $@

$(SITE): $(STAMP)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[docs]'
	@touch $@

demo: $(STAMP)  ## show each game on one page: a minute
	$(BIN)/python -m demo $(OUT)

demo-all: $(STAMP)  ## check, compile, play and print all the shipped content
	$(BIN)/fcb check
	@mkdir -p $(ALL)
	$(BIN)/fcb compile --game $(GAME) -o $(ALL)/$(GAME).fcbc
	$(BIN)/fcb verify $(ALL)/$(GAME).fcbc
	$(BIN)/fcb test
	for mission in $$($(BIN)/fcb missions --game $(GAME)); do \
	  $(BIN)/fcb play $$mission --program $(ALL)/$(GAME).fcbc --bot sensible --players 3 --seed 7 --log $(ALL)/$$mission.log.json && \
	  $(BIN)/fcb replay $(ALL)/$$mission.log.json || exit 1; done
	rm -f $(ALL)/team.campaign
	$(BIN)/fcb campaign start last-road $(ALL)/team.campaign --program $(ALL)/$(GAME).fcbc --players 3 --seed 7
	$(BIN)/fcb campaign play $(ALL)/team.campaign --program $(ALL)/$(GAME).fcbc --bot sensible
	$(BIN)/fcb campaign export $(ALL)/team.campaign -o $(ALL)/team.json
	$(BIN)/fcb campaign graph last-road -o $(ALL)/last-road.svg
	$(MAKE) -j $(JOBS) print-en print-fr
	@echo "Look into $(ALL)/print."

print-en print-fr: print-%: $(STAMP)
	$(BIN)/fcb render --lang $* --to pdf -o $(ALL)/print/$*

test: lint  ## lint, types, tests; the last line names the tests that are left out
	$(MAKE) -j 2 types short-tests

short-tests: $(STAMP)
	$(CACHED) $(BIN)/python -m pytest -n $(JOBS) --dist worksteal

test-all: check $(SITE) pyodide axe  ## all tests, also long ones and those that need more than Python; the last line names what was skipped
	@if command -v $(CC) > /dev/null; then $(MAKE) test-fast; fi
	$(CACHED) $(BIN)/python -m pytest -n $(JOBS) --dist worksteal --long -rs
	$(BIN)/python release/audit.py requirements/run.txt requirements/build.txt
	$(MAKE) -j $(JOBS) soak-by-lot soak-sensible
	for game in $(GAMES); do $(BIN)/fcb mutate --game $$game --sample 30 --jobs $(JOBS); [ $$? -le 1 ] || exit 1; done
	for game in $(GAMES); do $(BIN)/fcb mutate --print --game $$game --sample 600 --jobs $(JOBS) || exit 1; done
	$(MAKE) demo demo-all
	@if command -v $(CC) > /dev/null; then echo "Skipped: on the compiled build, long tests and tests that declare ops. They ran in plain Python."; \
	 else echo "Skipped: the compiled build and its tests (make test-fast), because there is no C compiler ($(CC))."; fi

test-pythons: $(STAMP)  ## quick tests with every installed Python from 3.11 to 3.14
	$(BIN)/python tests/pythons.py build/pythons

audit: $(STAMP)  ## search the locked dependencies for known vulnerabilities (needs the network); fails if one was not audited
	$(BIN)/python release/audit.py --strict requirements/run.txt requirements/build.txt

lock:  ## update requirements/*.txt: pin all dependencies, with hashes (needs uv and the network)
	for list in "run ../pyproject.toml" "dev ../pyproject.toml --extra dev" "build build.in" "wheels wheels.in"; do \
	  set -- $$list; name=$$1; shift; (cd requirements && uv pip compile --quiet --universal --python-version 3.11 \
	    --generate-hashes --no-header --no-annotate "$$@" -o $$name.txt) || exit 1; done

fuzz: $(STAMP)  ## run both fuzzers for SECONDS (600) each, from the last input of SEED (1) on; writes counts and failures to build/fuzz
	$(BIN)/python -m tests.fuzz programs --seconds $(SECONDS) --seed $(SEED) --jobs $(JOBS)
	$(BIN)/python -m tests.fuzz sources --seconds $(SECONDS) --seed $(SEED) --jobs $(JOBS)

soak-by-lot: $(STAMP)
	$(BIN)/fcb soak --games 300

soak-sensible: $(STAMP)
	$(BIN)/fcb soak --games 12 --bot sensible

check: lint types  ## lint, format and types

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/fcb fmt --check

types: $(STAMP)
	$(BIN)/mypy

docs: $(STAMP)  ## regenerate the pages that are made from the code
	$(BIN)/python -m fcbdsl.cli.pages docs

site: $(SITE)  ## build the documentation as an offline site: build/site/index.html; fails on a broken link
	$(BIN)/python docs/site/build.py build/site
	@echo "Open build/site/index.html."

bench: $(STAMP)  ## measure speed and memory, compared with the available peers; SAVE=1 stores the results and updates the page
	@npm install --silent --no-audit --no-fund --prefix build/peers inkjs@2 || echo "npm did not install inkjs; the table gives the reason." >&2
	$(BIN)/python -m benchmarks $(if $(wildcard build/fast),--compiled build/fast) $(if $(SAVE),--save)

fast: $(STAMP)  ## build the wheel with compiled packages into build/fast (needs a C compiler; six minutes)
	$(BIN)/python -m benchmarks.compiled build/fast

test-fast: fast  ## run the tests of the compiled packages and of the content on the compiled build; names skipped tests
	$(FAST) $(BIN)/python -P -c "from fcbdsl.machine.vm import game; from fcbdsl.language.model import check; \
	  assert not any(module.__file__.endswith('.py') for module in (game, check))"
	$(FAST) $(BIN)/fcb test
	$(FAST) $(BIN)/pytest -rs -n $(JOBS) tests/geometry tests/vm tests/bots tests/session tests/testing tests/soak tests/campaign \
	  tests/syntax tests/model tests/compiler tests/prose

wheels:  ## build compiled wheels of this platform for each Python into wheelhouse (on Linux: in Docker)
	$(PYTHON) -m venv build/cibuildwheel
	build/cibuildwheel/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/wheels.txt
	build/cibuildwheel/bin/python -m cibuildwheel --output-dir wheelhouse

dist: $(STAMP)  ## build the files of a release into dist: sdist, wheels, single file, SHA256SUMS; COMPILED=yes adds a compiled wheel
	COMPILED=$(COMPILED) SINGLE=$(SINGLE) $(BIN)/python release/dist.py dist

fmt: $(STAMP)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/fcb fmt

vscode:  ## package the extension for VS Code into build/fcbdsl.vsix (needs npm)
	@mkdir -p build
	cd editors/vscode && npm install --no-audit --no-fund && npx vsce package --allow-missing-repository -o ../../build/fcbdsl.vsix

code-server:  ## build VS Code for a browser into build/code-server, for tests of the extension (needs Node 20 and a C++ compiler)
	editors/vscode/code-server.sh $(CURDIR)/build/code-server

pyodide:  ## install Python 3.14 for WebAssembly into build/pyodide, for fcb share and long tests (needs Node and npm)
	@npm install --silent --no-audit --no-fund --prefix build/pyodide 'pyodide@314.0.7' \
	  || echo "npm did not install Pyodide: tests that need it will be skipped." >&2

axe:  ## install axe-core into build/axe, for long tests of accessibility (needs npm)
	@npm install --silent --no-audit --no-fund --prefix build/axe 'axe-core@4.14.1' \
	  || echo "npm did not install axe-core: tests that need it will be skipped." >&2

codemirror:  ## build the vendored CodeMirror from pinned packages; fails if its hash is not the recorded one (needs Node and npm)
	@mkdir -p build/codemirror
	cp release/codemirror/codemirror.js release/codemirror/package.json release/codemirror/package-lock.json build/codemirror
	cd build/codemirror && npm ci --silent --no-audit --no-fund && npx esbuild codemirror.js --bundle --minify \
	  --format=esm --legal-comments=none --target=es2022 --outfile=made.js
	cd build/codemirror && sha256sum --check ../../release/codemirror/SHA256SUMS
	cp build/codemirror/made.js fcbdsl/editor/writer/web/codemirror.js

clean:
	rm -rf $(VENV) build dist wheelhouse .mypy_cache .ruff_cache .pytest_cache .hypothesis
