#!/usr/bin/env python3
"""Files: feedserver beside nginx and Caddy, on this machine, over the loopback interface, in turns.

Downloads of one large file by one and by eight connections, ranges of 1 MiB by 32, and uploads by PUT and as a multipart
form. feedserver hashes and syncs what it is given, so nginx's WebDAV PUT is followed by sha256sum and sync. Ratios go to
standard output and, after a whole run, into RESULTS.md under the heading "Files".
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
from support.lanes import Lane, alternate
from support.machine import BenchmarkError, say
from support.servers import Caddy, Feedserver, Nginx
from support.transfers import (
    FILE, MIB, curl, download_many, download_once, download_ranges, make_file, upload_nginx, upload_ours,
    verify_downloads)

HERE = pathlib.Path(__file__).resolve().parent
PROGRAMS = {"nginx": "nginx", "caddy": "caddy", "curl": "curl", "wrk": "wrk"}


class Plan:
    """How much of everything."""

    def __init__(self, quick):
        self.file_bytes = (20 if quick else 200) * MIB
        self.upload_bytes = (100 if quick else 1024) * MIB
        self.single_rounds = 3 if quick else 15
        self.eight_rounds = 3 if quick else 9
        self.range_rounds = 2 if quick else 7
        self.range_seconds = 1 if quick else 5
        self.upload_rounds = 2 if quick else 5
        self.limit_seconds = 300 if quick else 1500

    @property
    def needed_bytes(self):
        """Room on the disk: the payloads, their copies, and some more."""
        return 3 * self.file_bytes + 4 * self.upload_bytes + 256 * MIB


def measure_downloads(plan, servers):
    """The three download parts: title and lanes of each."""
    def lanes(run):
        return [Lane(server.name, server, lambda _, server=server: run(server)) for server in servers]

    size, seconds = plan.file_bytes, plan.range_seconds
    parts = [
        ("1 connection", plan.single_rounds, lambda server: download_once(server, size)),
        ("8 connections", plan.eight_rounds, lambda server: download_many(server, size, 8)),
        ("1 MiB ranges, 32 connections", plan.range_rounds, lambda server: download_ranges(server, size, 32, seconds)),
    ]
    return [(title, alternate(title, lanes(run), rounds)) for title, rounds, run in parts]


def measure_uploads(plan, ours, nginx, source):
    """PUT and multipart beside the same figure of nginx."""
    put = Lane("feedserver PUT", ours, lambda number: upload_ours(ours, source, f"put-{number}.bin", form=False))
    peer = Lane("nginx PUT + sha256sum + sync", nginx, lambda number: upload_nginx(nginx, source, f"{number}.bin"))
    multipart = Lane(
        "feedserver multipart", ours, lambda number: upload_ours(ours, source, f"form-{number}.bin", form=True))
    alternate("Uploads", [put, peer, multipart], plan.upload_rounds)
    return [("PUT", [put, peer]), ("multipart", [multipart, peer])]


#: The part of nginx's rate that is enough, where it is not 0.8.
TARGETS = {"multipart": 0.7}


def ratio(ours, peer, target):
    """How many times the peer's rate ours has, and whether that is enough."""
    value = ours.rate / peer.rate
    return f"{value:.2f}" if value >= target else f"**{value:.2f}** (below {target:g})"


def ratio_table(parts):
    """Ratios of the medians, and the medians, MB/s."""
    rows = []
    for title, (ours, nginx, *caddy) in parts:
        ratios = [ratio(ours, nginx, TARGETS.get(title, 0.8))] + [ratio(ours, peer, 1) for peer in caddy]
        medians = [f"{lane.rate / 1e6:,.0f}" for lane in (ours, nginx, *caddy)]
        rows.append([title] + [*ratios, "–"][:2] + [*medians, "–"][:3])
    return report.table(["", "ours / nginx", "ours / Caddy", "ours MB/s", "nginx MB/s", "Caddy MB/s"], rows)


def lane_table(parts):
    """Every lane by itself: seconds, spread, CPU."""
    rows = []
    for title, lanes in parts:
        for lane in lanes:
            rates = [f"{rate / 1e6:,.0f}" for rate in (min(lane.rates()), max(lane.rates()))]
            rows.append([title, lane.label, f"{lane.seconds:.3f}", "–".join(rates),
                         f"{lane.cpu_per_byte * (1 << 30):.2f}"])
    return report.table(["", "server", "median s", "MB/s, least–most", "CPU s per GiB"], rows)


def memory_table(parts):
    """Our anonymous memory around each part."""
    rows = [[title, *(f"{value / MIB:.1f}" for value in lanes[0].memory_before_peak_after)] for title, lanes in parts]
    return report.table(["feedserver, RssAnon in MiB", "before", "peak", "after"], rows)


def describe(options, plan, folder, load):
    """What was measured, where and how."""
    versions = [
        "feedserver " + machine.version(str(options.server), "--version"), "nginx " + machine.version("nginx", "-v"),
        "Caddy " + machine.version("caddy", "version"), "curl " + machine.version("curl", "--version"),
        "wrk " + machine.version("wrk", "-v")]
    return (
        f"{datetime.date.today()}, {machine.cores()} cores, {machine.file_system(folder)}, load {load:.1f} at the "
        f"start; {', '.join(versions)}; `python3 Benchmarks/files.py{' --quick' if options.quick else ''}`.\n\n"
        f"Downloads: a file of {plan.file_bytes // MIB} MiB in the page cache. Uploads: {plan.upload_bytes // MIB} MiB; "
        "feedserver hashes and syncs, so nginx's PUT is followed by `sha256sum` and `sync FILE`. Everything over "
        "loopback, clients and servers on the same cores, in turns, one warm-up, then the median of "
        f"{plan.single_rounds}, {plan.eight_rounds}, {plan.range_rounds}, {plan.upload_rounds} and {plan.upload_rounds} "
        "rounds. CPU is user and system time of the server, and of `sha256sum` and `sync` where they belong.")


def run(options, plan, folder):
    """Measures everything and returns the report."""
    load = os.getloadavg()[0]
    www = folder / "www"
    www.mkdir()
    sha256 = make_file(www / FILE, plan.file_bytes)
    with contextlib.ExitStack() as stack:
        ours = stack.enter_context(Feedserver(folder, options.server))
        nginx = stack.enter_context(Nginx(folder, www))
        caddy = stack.enter_context(Caddy(folder, www))
        curl("--header", f"Authorization: Bearer {ours.token}", "--upload-file", str(www / FILE), ours.url(FILE),
             accept=("201",))
        for server in (ours, nginx, caddy):
            verify_downloads(server, folder, sha256, www / FILE)
        parts = measure_downloads(plan, [ours, nginx, caddy])
        make_file(folder / "upload.bin", plan.upload_bytes)
        parts += measure_uploads(plan, ours, nginx, folder / "upload.bin")
    return "\n\n".join(
        [describe(options, plan, folder, load), ratio_table(parts), lane_table(parts), memory_table(parts)])


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--server", type=pathlib.Path, default=HERE.parent / ".build/release/feedserver",
                        help="the feedserver to measure (default: the release build)")
    parser.add_argument("--work", default="/tmp", help="where the temporary folder is made (default: /tmp)")
    parser.add_argument("--quick", action="store_true", help="small files and few rounds; prints only")
    return parser.parse_args()


def main():
    options = parse_arguments()
    plan = Plan(options.quick)
    try:
        if not os.access(options.server, os.X_OK):
            raise BenchmarkError("there is no release build of feedserver: run make release, or use --server PATH")
        machine.require(PROGRAMS)
        machine.end_within(plan.limit_seconds)
        with machine.work_folder(options.work, plan.needed_bytes) as folder:
            text = run(options, plan, folder)
    except KeyboardInterrupt:
        sys.exit(130)
    except (BenchmarkError, OSError, subprocess.SubprocessError) as error:
        sys.exit(f"bench-files: {error}")
    print(text)
    if not options.quick:
        report.put_section(HERE / "RESULTS.md", "Files", text, title="Benchmarks")
        say("Written to Benchmarks/RESULTS.md")


if __name__ == "__main__":
    main()
