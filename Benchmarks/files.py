#!/usr/bin/env python3
"""Files: feedserver beside nginx and Caddy, on this machine, over the loopback interface, in turns.

Downloads of one large file by one and by eight connections, ranges of 1 MiB by 32, and uploads by PUT and as a form.
feedserver hashes and syncs what it is given, so nginx's WebDAV PUT is followed by sha256sum and sync. Ratios go to
standard output and, after a whole run, into RESULTS.md under the heading "Files".
"""

import sys

sys.dont_write_bytecode = True

import argparse
import contextlib
import dataclasses
import datetime
import os
import pathlib
import subprocess

from support import machine, report
from support.lanes import ServerLane, alternate
from support.machine import BenchmarkError, say
from support.servers import Caddy, Feedserver, Nginx
from support.transfers import (
    FILE, MIB, curl, download_many, download_once, download_ranges, make_file, settle, upload_nginx, upload_ours,
    verify_downloads)

HERE = pathlib.Path(__file__).resolve().parent
GIB = 1 << 30
PROGRAMS = {"nginx": "nginx", "caddy": "caddy", "curl": "curl", "wrk": "wrk", "openssl": "openssl"}


class Plan:
    """How much of everything."""

    def __init__(self, quick):
        self.file_bytes = (20 if quick else 200) * MIB
        self.upload_bytes = (100 if quick else 1024) * MIB
        self.single_rounds = 3 if quick else 41
        self.eight_rounds = 3 if quick else 15
        self.range_rounds = 2 if quick else 7
        self.range_seconds = 1 if quick else 5
        self.upload_rounds = 2 if quick else 5
        self.limit_seconds = 300 if quick else 1500

    @property
    def needed_bytes(self):
        """Room on the disk: the payloads, their copies, and some more."""
        return 3 * self.file_bytes + 4 * self.upload_bytes + 256 * MIB


@dataclasses.dataclass
class Comparison:
    """Our lane and those beside it, in one row of the ratios."""

    title: str
    ours: ServerLane
    nginx: ServerLane
    caddy: ServerLane | None = None
    #: The part of nginx's rate that is enough.
    target: float = 0.8


def compare_downloads(plan, servers):
    """One file by one and by eight connections, and ranges by 32."""
    def compare(title, rounds, run):
        lanes = [
            ServerLane(f"{title}, {server.name}", lambda _, server=server: run(server), server=server)
            for server in servers]
        return Comparison(title, *alternate(title, lanes, rounds))

    size = plan.file_bytes
    return [
        compare("1 connection", plan.single_rounds, lambda server: download_once(server, size)),
        compare("8 connections", plan.eight_rounds, lambda server: download_many(server, size, 8)),
        compare("1 MiB ranges at 32", plan.range_rounds,
                lambda server: download_ranges(server, size, 32, plan.range_seconds)),
    ]


def compare_uploads(plan, ours, nginx, source):
    """PUT and multipart beside nginx with sha256sum, and beside nginx with a program that hashes as fast as we do."""
    def to_ours(label, form):
        return ServerLane(
            label, lambda number: upload_ours(ours, source, f"{form}-{number}.bin", form), server=ours)

    def to_nginx(label, *hasher):
        return ServerLane(
            label, lambda number: upload_nginx(nginx, source, f"{hasher[0]}-{number}.bin", hasher), server=nginx)

    lanes = put, peer, multipart, fast = [
        to_ours("PUT, feedserver", form=False),
        to_nginx("PUT, nginx + sha256sum + sync", "sha256sum"),
        to_ours("multipart, feedserver", form=True),
        to_nginx("PUT, nginx + openssl dgst + sync", "openssl", "dgst", "-sha256", "-r"),
    ]
    alternate("Uploads", lanes, plan.upload_rounds)
    return [
        Comparison("PUT", put, peer),
        Comparison("multipart", multipart, peer, target=0.7),
        Comparison("PUT, nginx with openssl", put, fast, target=0),
        Comparison("multipart, nginx with openssl", multipart, fast, target=0),
    ]


# The report


def ratio(ours, peer, target):
    """How many times the peer's rate ours has, and whether that is enough."""
    if peer is None:
        return "–"
    value = ours.rate / peer.rate
    return f"{value:.2f}" if value >= target else f"**{value:.2f}** (aim {target:g})"


def ratio_table(comparisons):
    """Ratios of the medians, and the medians."""
    rows = []
    for one in comparisons:
        medians = [f"{lane.rate / 1e6:,.0f}" if lane else "–" for lane in (one.ours, one.nginx, one.caddy)]
        rows.append([one.title, ratio(one.ours, one.nginx, one.target), ratio(one.ours, one.caddy, 1), *medians])
    return report.table(["", "ours / nginx", "ours / Caddy", "ours MB/s", "nginx MB/s", "Caddy MB/s"], rows)


def lane_table(comparisons):
    """Every lane by itself: seconds, spread, CPU."""
    lanes = {lane.label: lane for one in comparisons for lane in (one.ours, one.nginx, one.caddy) if lane}
    rows = []
    for lane in lanes.values():
        spread = f"{min(lane.rates()) / 1e6:,.0f}–{max(lane.rates()) / 1e6:,.0f}"
        rows.append([lane.label, f"{lane.seconds:.3f}", spread, f"{lane.cpu:.2f}", f"{lane.cpu_per_byte * GIB:.2f}"])
    return report.table(["", "median s", "MB/s, least–most", "CPU s", "CPU s per GiB"], rows)


def memory_table(comparisons):
    """Our anonymous memory around each part."""
    lanes = {one.ours.label: one.ours for one in comparisons}
    rows = [
        [label, *(f"{value / MIB:.1f}" for value in lane.memory_before_peak_after)] for label, lane in lanes.items()]
    return report.table(["RssAnon in MiB", "before", "peak", "after"], rows)


def describe(options, plan, folder, load):
    """What was measured, where and how."""
    versions = [
        machine.version(str(options.server), "--version"), "nginx " + machine.version("nginx", "-v"),
        "Caddy " + machine.version("caddy", "version"), "curl " + machine.version("curl", "--version"),
        "wrk " + machine.version("wrk", "-v")]
    return (
        f"{datetime.date.today()}, {machine.cores()} cores, {machine.file_system(folder)}, load {load:.1f} at the "
        f"start; {', '.join(versions)}; `python3 Benchmarks/files.py{' --quick' if options.quick else ''}`.\n\n"
        f"Downloads: a file of {plan.file_bytes // MIB} MiB, read into the page cache in the same way for all. Uploads: {plan.upload_bytes // MIB} "
        "MiB; feedserver hashes and syncs, so nginx's PUT is followed by `sha256sum` and `sync FILE` (`sha256sum` may "
        "not use the processor's SHA instructions, `openssl dgst` does). Everything over loopback, clients and servers "
        "on the same cores, in turns, one warm-up, then the median of "
        f"{plan.single_rounds}, {plan.eight_rounds}, {plan.range_rounds} and, for uploads, {plan.upload_rounds} "
        "rounds. "
        "CPU is user and system time of the server over all rounds, and of the programs after it.")


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
        for path in (www / FILE, ours.blob(sha256)):
            settle(path)
        found = compare_downloads(plan, [ours, nginx, caddy])
        make_file(folder / "upload.bin", plan.upload_bytes)
        found += compare_uploads(plan, ours, nginx, folder / "upload.bin")
    return "\n\n".join(
        [describe(options, plan, folder, load), ratio_table(found), lane_table(found), memory_table(found)])


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
