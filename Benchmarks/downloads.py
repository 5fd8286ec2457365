#!/usr/bin/env python3
"""Downloads: feedclient beside curl, aria2c and axel, on this machine, in turns.

A: plain loopback, from nginx and from feedserver. B: a rate per connection. C: 50 and 200 ms of delay. E: one of eight
connections at a tenth of the rate. B, C and E go through support/fault_proxy.py in front of nginx. Every file is
compared by SHA-256 in every run; a wrong one is a failed run. Ratios go to standard output and, unless it is a smoke
run, into RESULTS.md, each scenario under a heading of its own.
"""

import sys

sys.dont_write_bytecode = True

import argparse
import contextlib
import datetime
import os
import pathlib
import subprocess

from support import machine, report
from support.machine import BenchmarkError, say
from support.scenarios import SCENARIOS, Bench, Plan

HERE = pathlib.Path(__file__).resolve().parent
PROGRAMS = {"nginx": "nginx", "curl": "curl", "aria2c": "aria2", "axel": "axel", "openssl": "openssl"}
METHOD = """
A client and a server on one machine, in turns, one warm-up (a small file where there is a proxy), then the median; the
quartiles and every run stand below. The time is until the file is hashed and on the disk: feedclient checks SHA-256
itself, the others are followed by `openssl dgst -sha256` (or `sha256sum`, which may not use the processor's SHA
instructions), and everybody by `sync FILE`. CPU is user and system time of all that. *Client alone* is the time until
the client itself had ended, memory is that of the client: the most bytes of its own (RssAnon) and of all kinds (RSS).
aria2c is called with `--no-conf` and its defaults (which use one connection), or with `-x N -s N -k 1M
--file-allocation=none --summary-interval=0`. Each file is compared by SHA-256 after each run; a wrong one, or none, is
a failed run. Nothing is pinned to a core.

Delay, rates and the slow connection come from `support/fault_proxy.py`, a process between client and nginx; its file
says what it imitates, and it takes about a second of CPU time per GB, on the same cores. Loss of packets is not
measured. In all ratios more is better for us.
"""


def describe(options, folder):
    """Where and how, with the load of this moment."""
    versions = [
        machine.version(str(options.client), "--version"),
        machine.version(str(options.server), "--version"), "nginx " + machine.version("nginx", "-v"),
        "curl " + machine.version("curl", "--version"), "aria2 " + machine.version("aria2c", "--version"),
        "axel " + machine.version("axel", "--version")]
    return (
        f"{datetime.date.today()}, {machine.cores()} cores, {machine.file_system(folder)}, load "
        f"{os.getloadavg()[0]:.1f} at the start; {', '.join(versions)}; "
        f"`{' '.join(['python3 Benchmarks/downloads.py', *sys.argv[1:]])}`.")


def run(options, plan, folder):
    """Measures what was chosen; returns a heading and a text for each."""
    yield "Downloads", METHOD.strip()
    with contextlib.ExitStack() as stack:
        bench = Bench(stack, folder, options)
        for key in options.only:
            description = describe(options, folder)
            section = SCENARIOS[key](bench, plan)
            yield section.heading, section.text(description)


def chosen(text):
    keys = [key for key in text.upper().split(",") if key]
    if not keys or not set(keys) <= set(SCENARIOS):
        raise argparse.ArgumentTypeError(f"some of {','.join(SCENARIOS)} are wanted, such as A,B")
    return keys


def parse_arguments():
    release = HERE.parent / ".build/release"
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--client", type=pathlib.Path, default=release / "feedclient",
                        help="the feedclient to measure (default: the release build)")
    parser.add_argument("--server", type=pathlib.Path, default=release / "feedserver",
                        help="the feedserver of scenario A (default: the release build)")
    parser.add_argument("--work", default="/tmp", help="where the temporary folder is made (default: /tmp)")
    parser.add_argument("--only", type=chosen, default=list(SCENARIOS), metavar="A,B", help="these scenarios only")
    parser.add_argument("--runs", type=int, help="so many rounds of everything")
    parser.add_argument("--smoke", action="store_true", help="small files and one round; prints only")
    return parser.parse_args()


def main():
    options = parse_arguments()
    plan = Plan(options.smoke, options.runs)
    try:
        for program in (options.client, options.server):
            if not os.access(program, os.X_OK):
                raise BenchmarkError(f"there is no {program}: run make release, or use --client and --server")
        machine.require(PROGRAMS)
        machine.end_within(plan.limit_seconds)
        with machine.work_folder(options.work, plan.needed_bytes) as folder:
            for heading, text in run(options, plan, folder):
                print(f"## {heading}\n\n{text}\n", flush=True)
                if not options.smoke:
                    report.put_section(HERE / "RESULTS.md", heading, text, title="Benchmarks")
        if not options.smoke:
            say("Written to Benchmarks/RESULTS.md")
    except KeyboardInterrupt:
        sys.exit(130)
    except (BenchmarkError, OSError, subprocess.SubprocessError) as error:
        sys.exit(f"bench-downloads: {error}")


if __name__ == "__main__":
    main()
