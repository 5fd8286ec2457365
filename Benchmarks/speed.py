#!/usr/bin/env python3
"""Timelines and posts: feedserver with a million statuses beside nginx, which serves the same bytes from files, and
beside a C program that executes the same SQL without HTTP; on this machine, over the loopback interface, in turns.

Ratios go to standard output and, after a whole run, into RESULTS.md under the heading "Speed" and into Docs/speed.svg;
searches have a section of their own, also after a run with --only search, and one with both engines after a run with
--postgres, whatever the size: --only search --postgres --statuses 60000.
"""

import sys

sys.dont_write_bytecode = True

import argparse
import dataclasses
import os
import pathlib
import shutil
import subprocess

from support import machine, report
from support.machine import BenchmarkError, say
from timelines import chart, results, search_results
from timelines.folder import prepare
from timelines.gotosocial import GoToSocial, compare_with_gotosocial
from timelines.peers import compile_peers
from timelines.population import Population
from timelines.scenarios import Bench
from timelines.search import measure_search
from timelines.startup import measure_startup

HERE = pathlib.Path(__file__).resolve().parent
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "feedserver-bench"
ACCOUNTS, STATUSES = 10_000, 1_000_000
PROGRAMS = {"nginx": "nginx", "wrk": "wrk"}


@dataclasses.dataclass
class Plan:
    """How much of everything."""

    rounds: int
    seconds: int
    #: Different cold pages of each kind; so many that none is still in the smallest cache when it is requested again.
    pages: int


def run(options, plan, folder):
    """Measures everything and returns the comparisons, the duration of a start, and searches."""
    program, population = str(options.server), Population(options.accounts, options.statuses)
    feed = prepare(program, population, options.cache)
    if shutil.disk_usage(folder).free < 4 * feed.bytes:
        raise BenchmarkError(f"{4 * feed.bytes >> 20} MiB of free space are needed; choose a folder with --work DIR")
    bench = Bench(folder, program, feed, compile_peers(folder / "peers"), plan)
    startup = measure_startup(bench.server(), plan.rounds) if options.only in "startup" else None
    found = bench.all(options.only)
    if options.gotosocial:
        found += compare_with_gotosocial(bench, GoToSocial(folder, options.gotosocial))
    else:
        say("GoToSocial is not measured; --gotosocial PATH names its program")
    searches = measure_search(bench, feed, population, options, folder) if options.only in "search" else None
    return found, startup, searches


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--server", type=pathlib.Path, default=HERE.parent / ".build/release/feedserver",
                        help="the feedserver to measure (default: the release build)")
    parser.add_argument("--gotosocial", type=pathlib.Path,
                        help="the program of GoToSocial, with its folder web beside it")
    parser.add_argument("--before", type=pathlib.Path,
                        help="an earlier feedserver without the search index, to compare posts with")
    parser.add_argument("--postgres", action="store_true", help="measure searches on PostgreSQL, too, which takes long")
    parser.add_argument("--accounts", type=int, default=ACCOUNTS)
    parser.add_argument("--statuses", type=int, default=STATUSES)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=6, help="of each run")
    parser.add_argument("--pages", type=int, default=2000, help="different cold pages of each kind")
    parser.add_argument("--only", default="",
                        help="only the groups whose name contains this: startup, hot, home, cold, writing, posts, search; "
                             "prints only, except for searches")
    parser.add_argument("--cache", type=pathlib.Path, default=CACHE, help=f"where the feed is kept (default: {CACHE})")
    parser.add_argument("--work", default="/tmp", help="where the temporary folder is made (default: /tmp)")
    parser.add_argument("--dry", action="store_true", help="print only")
    return parser.parse_args()


def main():
    options = parse_arguments()
    plan = Plan(options.rounds, options.seconds, options.pages)
    try:
        if not os.access(options.server, os.X_OK):
            raise BenchmarkError("there is no release build of feedserver: run make release, or use --server PATH")
        machine.require(PROGRAMS)
        machine.end_within(7200)
        load = os.getloadavg()[0]
        with machine.work_folder(options.work, 1 << 30) as folder:
            found, startup, searches = run(options, plan, folder)
            text = results.text(found, startup, options, plan, load, folder) if found or startup else ""
            searched = search_results.text(searches, options, plan, load, folder) if searches else ""
    except KeyboardInterrupt:
        sys.exit(130)
    except (BenchmarkError, OSError, subprocess.SubprocessError) as error:
        sys.exit(f"bench: {error}")
    print("\n\n".join(filter(None, [text, searched])))
    is_large = (options.accounts, options.statuses) == (ACCOUNTS, STATUSES)
    if options.dry:
        return
    if searched and (is_large or options.postgres):
        heading = "Search on PostgreSQL" if options.postgres else "Search"
        report.put_section(HERE / "RESULTS.md", heading, searched, title="Benchmarks")
        say(f"Written to Benchmarks/RESULTS.md: {heading}")
    if is_large and not options.only:
        report.put_section(HERE / "RESULTS.md", "Speed", text, title="Benchmarks")
        caption = f"Requests per second, ratio to the peer; {options.statuses:,} statuses, {machine.cores()} cores"
        (HERE.parent / "Docs/speed.svg").write_text(chart.svg(found, caption))
        say("Written to Benchmarks/RESULTS.md and Docs/speed.svg")


if __name__ == "__main__":
    main()
