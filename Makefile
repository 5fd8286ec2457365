# make run    serve the demo        make test    run all tests
# make check  between two commits: format, build and tests of what changed        make lint   check the style
# make release  optimized programs  make clean   throw away what was built
# make deb   both programs as Debian packages, in .build/deb      make try-deb   tries them in a new Debian root (as root)
# make test-deb  checks what the packages contain
# make soak   the tests that find more the longer they run, for hours
# make docs   the library's documentation, as a web site in .build/docs
# make bench  timelines and posts with a million statuses, against nginx and SQLite in C, into Benchmarks/RESULTS.md
# make bench-files  files against nginx and Caddy, into Benchmarks/RESULTS.md
# make bench-media  thumbnails against vipsthumbnail, and reads during uploads, into the same file
# make bench-streams  events for a thousand subscribers, memory of idle streams, posts with subscribers, into the same file
# make bench-store  the client's stored timelines, into the same file
# make bench-reader  the client's reader: opening, keys, memory, into the same file
# make bench-downloads  downloads against curl, aria2 and axel, into the same file

SWIFT ?= swift
DOCC ?= docc
# Optimized, self-contained and stripped: the programs need no Swift runtime.
RELEASE = -c release --static-swift-stdlib -Xlinker -s -debug-info-format none
# Programs and tests in one optimized build: tests of debug programs take more than twice the CPU time, and optimized
# programs have crashed where debug builds did not. It has a folder of its own because programs for users are built without
# access for tests.
TEST_BUILD = .build/tests
BUILD_TESTS = FEED_TESTABLE=1 $(SWIFT) build --build-tests -c release -debug-info-format none --scratch-path $(TEST_BUILD)
# Otherwise all tests of a group start at once, and on a small machine each one waits for all the others.
WIDTH = --experimental-maximum-parallelization-width 24
# On a busy machine, any process may not run for ten seconds: no limit of time is shorter than this number of seconds.
TEST = env FEED_TIMEOUT=30 TMPDIR="$$(scripts/test-folder)" $(TEST_BUILD)/release/feedPackageTests.xctest --testing-library swift-testing $(WIDTH)
DATA ?= feed-data
PORT ?= 8080
# Run by themselves: everything at once would be more processes and open files than a small machine serves in time.
DOWNLOADS = FaultTests|ReplacementTests|DestinationTests|LeftoverTests|KillTests|ForeignServerTests
# What an operator does and what attackers do: TLS, configuration, monitoring, limits, moderation, backups.
OPERATING = (LogWriter|Startup|ProcessCost|SecureServer|CertificateReload|TLSOption|Redirect|SecureClient|HostileFrame|ConfigurationFile|Reload|AccessLog|Metrics|Ready|Serving|Stats|Doctor|ExhaustedServer|SlowClient|DiskError|Backup|InterruptedBackup|Check|ModerationCommand|RemovalCommand|InterruptedRemoval|InterruptedPublishing|Registration|Packaging)Tests
# Sources that parse the text of others.
HOSTILE = $(addprefix Sources/,Server/API Server/Core Server/Files Server/Web Client/Kit)
# Options of make bench, such as --only search or --gotosocial PATH.
BENCH ?=
# Several servers and a database cluster per test.
SERVERS = SeveralServersTests|SharedScheduleTests|LoadBalancerTests|CopyTests|PostgresBackupTests

.PHONY: run check test build-tests test-programs test-postgres test-servers test-downloads test-deb try-deb deb soak lint release docs clean packages bench bench-files bench-media bench-streams bench-downloads bench-store bench-reader

# The server works without the libraries for images, but then has no thumbnails.
run:
	@scripts/packages libturbojpeg0 libpng16-16 libwebp7
	$(SWIFT) build $(RELEASE) --product feedserver
	exec $$($(SWIFT) build -c release --show-bin-path)/feedserver serve --data $(DATA) --port $(PORT) --demo

build-tests: packages
	$(BUILD_TESTS)

# Downloads and several servers mostly wait, so they run beside the other tests of the programs.
test: build-tests
	$(TEST) --skip EndToEnd
	$(MAKE) --jobs 3 --output-sync=target test-programs test-servers test-downloads
	$(TEST) --filter 'EndToEnd.*$(OPERATING)' --skip '$(SERVERS)'
	$(MAKE) test-postgres

check: packages
	scripts/check $(BASE)

test-programs:
	$(TEST) --filter EndToEnd --skip '$(DOWNLOADS)|$(SERVERS)|$(OPERATING)'

test-postgres:
	scripts/with-postgres $(TEST) --filter '^(StoreTests|WebTests)'

test-servers:
	$(TEST) --filter 'EndToEnd.*($(SERVERS))'

test-downloads:
	$(TEST) --filter 'EndToEnd.*($(DOWNLOADS))'

soak: build-tests
	FEED_FULL=1 $(TEST) --filter 'Mutation|EdgeNumber|ByteRangeSet|NumberFlag|Walk|RepeatedRequestTests|RandomFault|KillTests|CrashTests|InterruptedRemoval|InterruptedMedia|InterruptedPublishing|ImportMedia|BackupTests|GarbageTests|SeveralServers|TootTests|MastodonPyTests'

lint:
	$(SWIFT) format lint --strict --recursive --parallel Sources Tests Public Examples Package.swift
	@if grep -rnE 'split\(separator: "|firstIndex\(of: "|lastIndex\(of: "|components\(separatedBy:' $(HOSTILE); then \
		echo "Search text of others as bytes or Unicode scalars: U+0600 would hide the character after it." >&2; exit 1; fi

release: packages
	$(SWIFT) build $(RELEASE) --product feedserver
	$(SWIFT) build $(RELEASE) --product feedclient

deb: release
	@scripts/packages dpkg-dev
	scripts/deb $$($(SWIFT) build -c release --show-bin-path)

test-deb: deb build-tests
	FEED_DEB=$(CURDIR)/.build/deb $(TEST) --filter PackageTests

try-deb: deb
	@scripts/packages mmdebstrap systemd-container
	scripts/try-deb
	scripts/try-service

docs: packages
	$(SWIFT) package dump-symbol-graph --minimum-access-level public --skip-synthesized-members
	rm -rf .build/docs .build/docs-symbols && mkdir -p .build/docs-symbols
	cp $$($(SWIFT) build --show-bin-path)/../symbolgraph/FeedClientKit*.symbols.json .build/docs-symbols/
	$(DOCC) convert Sources/Client/Kit/FeedClient.docc --additional-symbol-graph-dir .build/docs-symbols \
		--output-path .build/docs --warnings-as-errors

# The feed is made once, which takes some minutes, and kept in ~/.cache/feedserver-bench. BENCH=--dry only prints.
bench: release
	@scripts/packages wrk nginx
	python3 Benchmarks/speed.py --server $$($(SWIFT) build -c release --show-bin-path)/feedserver $(BENCH)

bench-files: release
	python3 Benchmarks/files.py

bench-media: release
	python3 Benchmarks/media.py --server $$($(SWIFT) build -c release --show-bin-path)/feedserver $(BENCH)

bench-streams: release
	python3 Benchmarks/streams.py --server $$($(SWIFT) build -c release --show-bin-path)/feedserver $(BENCH)

bench-store: release
	python3 Benchmarks/timeline_store.py --server $$($(SWIFT) build -c release --show-bin-path)/feedserver \
		--client $$($(SWIFT) build -c release --show-bin-path)/feedclient $(BENCH)

bench-reader: release
	python3 Benchmarks/reader.py --server $$($(SWIFT) build -c release --show-bin-path)/feedserver \
		--client $$($(SWIFT) build -c release --show-bin-path)/feedclient $(BENCH)

bench-downloads: release
	python3 Benchmarks/downloads.py
	@test ! -e Benchmarks/wrong_files.py || \
		python3 Benchmarks/wrong_files.py --feedclient $$($(SWIFT) build -c release --show-bin-path)/feedclient

clean:
	$(SWIFT) package clean
	rm -rf $(TEST_BUILD)

packages:
	@./scripts/packages
